// SPDX-License-Identifier: Apache-2.0
// Errors that were recognised in the output of a job, joined with what this host shows now.
#ifndef NEUTOP_CHECK_EXPLAIN_H
#define NEUTOP_CHECK_EXPLAIN_H

#include "check/check.h"
#include "host/absence.h"
#include "joblog/joblog.h"

enum { SAID_MAX = 6, NOW_MAX = 12 };

// One error. All texts are clean; "" where there is nothing to say.
struct explained {
    const struct error_group *group;
    const char *summary; // one line
    const char *meaning; // two lines
    const char *remedy;
    size_t said_count;
    const char *said[SAID_MAX]; // what the values in the output tell, a line each
    size_t now_count;
    const char *now[NOW_MAX]; // what this host shows, a line each
    uint64_t missing;         // feature bits that the runtime lacks; 0: none, or not about features
    uint64_t limit_bytes;     // device memory that the core may use here; 0: unknown
};

// What is known of the host. NULL of HOST: it was not looked at.
struct explain_host {
    const struct host *host;
    const struct findings *findings; // of HOST
    const struct absence *absence;   // what was looked for on it; NULL: HOST is not this machine
};

struct explanation {
    size_t count;
    const struct explained *items; // in the order of LOG
    const char *elsewhere; // the output comes from another instance: one line; "": no sign of it
};

// Explains each group of LOG, which has ended. Everything lives in ARENA and borrows LOG and HOST.
struct explanation explain_run(struct arena *arena, const struct joblog *log,
                               const struct explain_host *host);

#endif
