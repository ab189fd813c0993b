// SPDX-License-Identifier: Apache-2.0
// The members of a NEFF's payload that neutop reads: streamed out of gzip and tar by libarchive,
// within limits. Private to src/neff.
#ifndef NEUTOP_NEFF_MEMBERS_H
#define NEUTOP_NEFF_MEMBERS_H

#include "neff/neff.h"

// A member of more bytes is not one of ours; it also bounds the memory of its parsed JSON.
enum { MEMBER_BYTES_MAX = 256 * 1024 };

enum member { MEMBER_INFO, MEMBER_KELF, MEMBERS };

struct members {
    char *text[MEMBERS]; // NULL: not seen; the caller ends each with free()
    size_t length[MEMBERS];
    enum neff_outcome outcome;
    char why[NEFF_WHY]; // what OUTCOME is due to; "" for NEFF_COMPLETE
};

// Reads the payload of HEADER in FD until all members are seen, its end, or a limit.
void members_read(struct members *members, int fd, const struct neff_header *header,
                  const struct neff_limits *limits);

#endif
