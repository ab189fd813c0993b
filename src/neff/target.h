// SPDX-License-Identifier: Apache-2.0
// The chip generation that a NEFF is compiled for: the `target` word of its kelf member (NEFF
// reference, section 1.2).
#ifndef NEUTOP_NEFF_TARGET_H
#define NEUTOP_NEFF_TARGET_H

#include <stdbool.h>

struct neff_chip {
    const char *word;       // in the file
    const char *neuroncore; // "v3", as struct generation has it; NULL: any chip
    const char *chip;       // for the person: "Trainium2 (trn2, NeuronCore-v3)"
    const char *compile;    // neuronx-cc's --target for it; NULL: any
    bool seen;              // in real files; false: told by third-party notes only
};

// The row of a target word; NULL when neutop does not know the word.
const struct neff_chip *neff_chip_of(const char *word);

// The row of a NeuronCore version, "v3"; NULL when no NEFF is compiled for it.
const struct neff_chip *neff_chip_by_neuroncore(const char *neuroncore);

// The target word of neuronx-cc's --target=FLAG, "cayman" of "trn2"; NULL when it is none.
const char *neff_target_of_flag(const char *flag);

#endif
