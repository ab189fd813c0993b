// SPDX-License-Identifier: Apache-2.0
// The host's default of the logical core size.
#include "source/lnc_default.h"

#include <string.h>

#include "source/below.h"

unsigned lnc_default_read(const char *root)
{
    static const char key[] = "NEURON_LOGICAL_NC_CONFIG=";
    char text[256];
    if (!below_line(root, "/opt/aws/neuron/logical_nc_config", text, sizeof(text)))
        return 0;
    if (strncmp(text, key, strlen(key)) != 0)
        return 0;
    const char *value = text + strlen(key);
    bool known = (value[0] == '1' || value[0] == '2') && value[1] == '\0';
    return known ? (unsigned)(value[0] - '0') : 0;
}

void lnc_default_fill(struct host *host, unsigned setting)
{
    struct hardware *hardware = &host->hardware;
    const struct generation *gen = hardware->generation;
    if (setting != 0 && !known_u64(hardware->lnc_setting))
        hardware->lnc_setting = fact_u64(setting, FROM_PROC);
    if (gen == NULL || gen->lnc_max < 2 || known_u64(hardware->lnc) ||
        host->numbering == NUMBERING_MONITOR || host->numbering == NUMBERING_LOGICAL)
        return;
    unsigned lnc = setting != 0 ? setting : gen->lnc_default;
    hardware->lnc = fact_u64(lnc, setting != 0 ? FROM_PROC : FROM_TABLE);
    if (!known_u64(hardware->logical_cores_per_chip))
        hardware->logical_cores_per_chip =
            fact_u64(generation_logical_cores(gen, lnc), FROM_DERIVED);
}
