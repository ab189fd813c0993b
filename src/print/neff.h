// SPDX-License-Identifier: Apache-2.0
// What `neutop neff` prints of one file: a block of text, or a JSON document.
#ifndef NEUTOP_PRINT_NEFF_H
#define NEUTOP_PRINT_NEFF_H

#include "check/neff.h"
#include "print/print.h"

struct neff_report {
    const char *file;        // clean
    const struct neff *neff; // NULL: it could not be read; the findings say why
    const struct neff_target *target;
    struct findings findings;
};

// Nothing was found that needs a look: no warning, nothing critical.
bool neff_report_ok(const struct neff_report *report);

// "model.neff: NEFF 2.0, Trainium2 (trn2; NeuronCore-v3), LNC 2, neuronx-cc 2.23.6484.0,
// SDK 2.28.0, 2.28.1: fits" into BUFFER.
const char *neff_report_line(const struct neff_report *report, char *buffer, size_t size);

// The block of a file that could be read.
void print_neff_text(FILE *out, const struct neff_report *report,
                     const struct print_options *options);

// One document on one line (interface, "JSON of the single commands";
// data/neutop.neff.schema.json), for a file that could not be read too.
void print_neff_json(FILE *out, const struct neff_report *report);

#endif
