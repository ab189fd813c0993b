// SPDX-License-Identifier: Apache-2.0
// Findings: one thing that is wrong or worth knowing, with a stable id, a severity, evidence and a
// remedy.
#ifndef NEUTOP_CHECK_CHECK_H
#define NEUTOP_CHECK_CHECK_H

#include <stddef.h>

#include "host/host.h"

enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_CRITICAL };
enum { EVIDENCE_MAX = 8 };

struct finding {
    const char *id; // "memory-nearly-full"; see interface, "Finding ids"
    enum severity severity;
    const char *subject; // "NC 17", "PID 31207", "chip 3", "monitor"
    const char *summary; // one line, clean text
    unsigned evidence_count;
    const char *evidence[EVIDENCE_MAX]; // one line each, with the numbers
    const char *remedy;                 // what to do, one line
};

struct findings {
    size_t count;
    const struct finding *items; // worst first; the same severity in the order of the rules
};

// Runs every rule over HOST; findings and their texts live in HOST's arena. Pure: the same host
// gives the same findings.
struct findings check_run(const struct host *host);

// How each check ended: what it found, that all is well, or why it could not be made.
enum check_result { CHECK_OK, CHECK_FINDING, CHECK_NOT_CHECKED };

struct check_outcome {
    const char *id;
    enum check_result result;
    const char *why; // one line: why it was not made, or for how long "ok" was watched, else NULL
};

struct check_outcomes {
    size_t count;
    const struct check_outcome *items; // each check once, in the order of the rules
};

// The outcome of each check on HOST and on FILES NEFF files, whose findings are FINDINGS. Texts
// live in HOST's arena.
struct check_outcomes check_outcomes(const struct host *host, const struct findings *findings,
                                     unsigned files);

// Puts findings in order, worst first; the same severity keeps its order.
void findings_sort(struct finding *items, size_t count);

const char *check_result_word(enum check_result result); // "ok", "finding", "not-checked"

const char *severity_word(enum severity severity); // "critical", "warning", "info"
const char *severity_mark(enum severity severity); // "!!", "! ", "i ": told apart without colour

#endif
