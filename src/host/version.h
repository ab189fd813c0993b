// SPDX-License-Identifier: Apache-2.0
// Version numbers, compared number by number: 2.9 < 2.26.
#ifndef NEUTOP_HOST_VERSION_H
#define NEUTOP_HOST_VERSION_H

#include <stdbool.h>
#include <stddef.h>

enum { VERSION_PARTS = 8 };

struct version {
    unsigned long part[VERSION_PARTS];
    unsigned count; // parts given; 0: no version
};

// Reads leading "2.24.7.0" from TEXT, ignoring what follows ("-dirty", "+abc"). False when TEXT
// starts with no digit.
bool version_parse(struct version *version, const char *text);

// <0, 0, >0; a missing part counts as 0 (2.26 == 2.26.0).
int version_compare(const struct version *a, const struct version *b);

// The same on text; text that is no version sorts before every version.
int version_compare_text(const char *a, const char *b);

#endif
