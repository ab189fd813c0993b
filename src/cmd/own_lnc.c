// SPDX-License-Identifier: Apache-2.0
// The logical core size in neutop's own environment.
#include "cmd/own_lnc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { VALUE_SHOWN = 80 };

#define NAME "NEURON_LOGICAL_NC_CONFIG"
#define OLD_NAME "NEURON_RT_VIRTUAL_CORE_SIZE"

static unsigned size_of(const char *value)
{
    return strcmp(value, "1") == 0 || strcmp(value, "2") == 0 ? (unsigned)(value[0] - '0') : 0;
}

struct own_lnc own_lnc(void)
{
    static const char *const names[] = {NAME, OLD_NAME};
    struct own_lnc own = {0};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *value = getenv(names[i]);
        unsigned size = value != NULL ? size_of(value) : 0;
        if (value == NULL)
            continue;
        if (own.size != 0) {
            own.differ = size != 0 && size != own.size;
        } else if (size != 0) {
            own.size = size;
            own.from = names[i];
        } else if (own.bad_name == NULL) {
            own.bad_name = names[i];
            own.bad_text = value;
        }
    }
    return own;
}

void own_lnc_say(const struct own_lnc *own, const char *did, unsigned lnc)
{
    char shown[VALUE_SHOWN], with[64] = "";
    if (lnc != 0)
        snprintf(with, sizeof(with), "; %s with LNC %u", did, lnc);
    if (own->bad_name != NULL)
        fprintf(stderr, "neutop: %s='%s': 1 or 2 is expected%s\n", own->bad_name,
                text_clean_to(shown, sizeof(shown), own->bad_text, strlen(own->bad_text)), with);
    if (own->differ)
        fprintf(stderr, "neutop: " NAME "=%u and " OLD_NAME "=%u differ%s\n", own->size,
                3 - own->size, with);
}
