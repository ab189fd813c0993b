// SPDX-License-Identifier: Apache-2.0
// The logical core size in neutop's own environment: that of a job that is started from there
// (versions reference, section 2.4).
#ifndef NEUTOP_CMD_OWN_LNC_H
#define NEUTOP_CMD_OWN_LNC_H

#include <stdbool.h>

struct own_lnc {
    unsigned size;                   // 0: none is set, or one that is no size
    const char *from;                // the variable that says so
    const char *bad_name, *bad_text; // of the variable that is no size; NULL: there is none
    bool differ;                     // both variables are set, to two sizes
};

// NEURON_LOGICAL_NC_CONFIG, then the older NEURON_RT_VIRTUAL_CORE_SIZE.
struct own_lnc own_lnc(void);

// Says on standard error what is wrong with it, and that DID ("counted") went with LNC instead; 0:
// with none.
void own_lnc_say(const struct own_lnc *own, const char *did, unsigned lnc);

#endif
