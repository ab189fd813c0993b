// SPDX-License-Identifier: Apache-2.0
// What `neutop doctor` prints: all checks, once.
#ifndef NEUTOP_PRINT_DOCTOR_H
#define NEUTOP_PRINT_DOCTOR_H

#include "check/check.h"
#include "print/print.h"

struct doctor_report {
    const struct host *host;
    struct findings findings; // worst first
    struct check_outcomes outcomes;
    unsigned file_count;
    const char *const *files; // NEFF files that were named: what each is, in a line
};

// Blocks that can be pasted into a ticket: the host in a few lines, the findings, then what is fine
// and what could not be checked and why.
void print_doctor_text(FILE *out, const struct doctor_report *report,
                       const struct print_options *options);

// One document on one line (interface, "JSON of the single commands";
// data/neutop.doctor.schema.json).
void print_doctor_json(FILE *out, const struct doctor_report *report);

#endif
