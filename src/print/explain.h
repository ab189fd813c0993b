// SPDX-License-Identifier: Apache-2.0
// What `neutop explain` prints: recognised errors as blocks of text, or one JSON document.
#ifndef NEUTOP_PRINT_EXPLAIN_H
#define NEUTOP_PRINT_EXPLAIN_H

#include "check/explain.h"
#include "print/print.h"

struct explain_print {
    struct print_options print;
    const char *name; // of the input, clean: "job.log", "standard input"
    bool offline;     // the host was not asked for
};

// A block for each error, in the order of EXPLANATION. HOST as for explain_run().
void print_explain_text(FILE *out, const struct joblog *log, const struct explanation *explanation,
                        const struct explain_host *host, const struct explain_print *options);

// Schema "neutop.explain/1".
void print_explain_json(FILE *out, const struct joblog *log, const struct explanation *explanation,
                        const struct explain_host *host, const struct explain_print *options);

#endif
