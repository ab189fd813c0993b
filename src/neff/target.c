// SPDX-License-Identifier: Apache-2.0
// Target words of NEFF files, and the chips that they mean.
#include "neff/target.h"

#include <stddef.h>
#include <string.h>

#define V2 "v2", "Trainium or Inferentia2 (trn1, inf2; NeuronCore-v2)", "trn1"
#define V3 "v3", "Trainium2 (trn2; NeuronCore-v3)", "trn2"
#define V4 "v4", "Trainium3 (trn3; NeuronCore-v4)", "trn3"

static const struct neff_chip chips[] = {
    {"sunda", V2, true},
    {"cayman", V3, true},
    {"mariana", V4, false},
    {"v2", V2, false},
    {"v3", V3, false},
    {"v4", V4, false},
    {"*", NULL, "any chip", NULL, false},
    {"", V2, false},
};

const struct neff_chip *neff_chip_of(const char *word)
{
    for (size_t i = 0; i < sizeof(chips) / sizeof(chips[0]); i++)
        if (strcmp(chips[i].word, word) == 0)
            return &chips[i];
    return NULL;
}

const struct neff_chip *neff_chip_by_neuroncore(const char *neuroncore)
{
    for (size_t i = 0; i < sizeof(chips) / sizeof(chips[0]); i++)
        if (chips[i].neuroncore != NULL && strcmp(chips[i].neuroncore, neuroncore) == 0)
            return &chips[i];
    return NULL;
}

const char *neff_target_of_flag(const char *flag)
{
    if (strcmp(flag, "inf2") == 0) // has the cores of trn1
        flag = "trn1";
    for (size_t i = 0; i < sizeof(chips) / sizeof(chips[0]); i++)
        if (chips[i].compile != NULL && strcmp(chips[i].compile, flag) == 0)
            return chips[i].word;
    return NULL;
}
