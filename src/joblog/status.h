// SPDX-License-Identifier: Apache-2.0
// NRT_STATUS: what the runtime's calls return, by number and by name (versions and NEFF reference,
// section 4.1).
#ifndef NEUTOP_JOBLOG_STATUS_H
#define NEUTOP_JOBLOG_STATUS_H

#include <stddef.h>
#include <stdint.h>

struct nrt_status {
    unsigned number;
    const char *name; // "NRT_EXEC_NC_BUSY"; NULL: the number is not used
    const char *meaning;
    const char *remedy;
};

// The row of NUMBER; NULL: no number that a runtime is known to return.
const struct nrt_status *nrt_status_get(uint64_t number);

// The row of a NAME of LENGTH bytes; NULL: no such name.
const struct nrt_status *nrt_status_by_name(const char *name, size_t length);

#endif
