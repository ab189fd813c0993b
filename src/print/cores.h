// SPDX-License-Identifier: Apache-2.0
// What `neutop cores` prints: which cores are free, by whom the others are held, and the answer to
// what was asked.
#ifndef NEUTOP_PRINT_CORES_H
#define NEUTOP_PRINT_CORES_H

#include "host/free_cores.h"
#include "print/print.h"

struct cores_question {
    const char *spec;    // the cores that were named, as given; NULL: none
    struct core_set set; // the same
    unsigned wanted;     // cores of --free; 0: not asked for
    struct core_run run; // the answer to that; its count is 0 when there is none
    const char *why;     // then why
};

// Without a question one line a chip and the holders; else only the cores that were named.
void print_cores_text(FILE *out, const struct free_cores *cores,
                      const struct cores_question *question, const struct print_options *options);

// One document on one line, schema "neutop.cores/1" (data/neutop.cores.schema.json).
void print_cores_json(FILE *out, const struct free_cores *cores,
                      const struct cores_question *question);

#endif
