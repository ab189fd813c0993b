// SPDX-License-Identifier: Apache-2.0
// The host's default of the logical core size.
#include "source/lnc_default.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "source/below.h"

struct lnc_setting lnc_default_read(const char *root)
{
    static const char key[] = "NEURON_LOGICAL_NC_CONFIG=";
    struct lnc_setting setting = {0};
    char text[256];
    if (!below_line(root, "/opt/aws/neuron/logical_nc_config", text, sizeof(text)))
        return setting;
    const char *value = text + strlen(key);
    if (strncmp(text, key, strlen(key)) == 0 &&
        (strcmp(value, "1") == 0 || strcmp(value, "2") == 0))
        setting.lnc = (unsigned)(value[0] - '0');
    else
        text_clean_to(setting.invalid, sizeof(setting.invalid), text, strlen(text));
    return setting;
}

void lnc_default_fill(struct host *host, const struct lnc_setting *setting)
{
    struct hardware *hardware = &host->hardware;
    const struct generation *gen = hardware->generation;
    if (setting->lnc != 0 && !known_u64(hardware->lnc_setting))
        hardware->lnc_setting = fact_u64(setting->lnc, FROM_PROC);
    if (setting->invalid[0] != '\0')
        hardware->lnc_setting_invalid = arena_strdup(host->arena, setting->invalid);
    if (gen == NULL || gen->lnc_max < 2 || known_u64(hardware->lnc) ||
        host->numbering == NUMBERING_MONITOR || host->numbering == NUMBERING_LOGICAL)
        return;
    unsigned lnc = setting->lnc != 0 ? setting->lnc : gen->lnc_default;
    hardware->lnc = fact_u64(lnc, setting->lnc != 0 ? FROM_PROC : FROM_TABLE);
    if (!known_u64(hardware->logical_cores_per_chip))
        hardware->logical_cores_per_chip =
            fact_u64(generation_logical_cores(gen, lnc), FROM_DERIVED);
}
