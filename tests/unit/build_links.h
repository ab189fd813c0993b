// SPDX-License-Identifier: Apache-2.0
// Links between the chips of a built host, as the driver lists them.
#ifndef NEUTOP_TESTS_UNIT_BUILD_LINKS_H
#define NEUTOP_TESTS_UNIT_BUILD_LINKS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/host.h"

// Driver reference 2.3, one chip after the other.
static const char *const trn1_links =
    "12,3,4,1 13,0,5,2 14,1,6,3 15,2,7,0 0,7,8,5 1,4,9,6 2,5,10,7 "
    "3,6,11,4 4,11,12,9 5,8,13,10 6,9,14,11 7,10,15,8 8,15,0,13 "
    "9,12,1,14 10,13,2,15 11,14,3,12";
static const char *const trn2_links =
    "12,1,3,4 0,13,5,2 14,3,1,6 2,15,7,0 8,5,7,0 4,9,1,6 10,7,5,2 "
    "6,11,3,4 4,9,11,12 8,5,13,10 6,11,9,14 10,7,15,8 0,13,15,8 "
    "12,1,9,14 2,15,13,10 14,3,11,12";

// What neuron-ls prints for an inf2.48xlarge.
static const char *const inf2_links = "11,1 0,2 1,3 2,4 3,5 4,6 5,7 6,8 7,9 8,10 9,11 10,0";
static const char *const inf2_chain = "1 0,2 1,3 2,4 3,5 4";

// Gives each chip its list; "-" is an empty one. Chips behind the end of TEXT stay unknown.
static inline void build_links(struct host *host, const char *text)
{
    for (unsigned c = 0; c < host->chip_count && *text != '\0'; c++) {
        struct chip *chip = &host->chips[c];
        chip->connected_known = true;
        chip->connected_count = 0;
        while (*text != '\0' && *text != ' ') {
            if (*text >= '0' && *text <= '9')
                chip->connected[chip->connected_count++] = (unsigned)strtoul(text, NULL, 10);
            text += strspn(text, "0123456789-");
            text += *text == ',';
        }
        text += *text == ' ';
    }
}

#endif
