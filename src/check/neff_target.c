// SPDX-License-Identifier: Apache-2.0
// What a NEFF would meet: on this host, or by what the person says.
#include <bsd/string.h>
#include <inttypes.h>
#include <strings.h>

#include "base/arena.h"
#include "check/neff.h"
#include "host/version.h"
#include "neff/target.h"

// The runtime of the processes to come is the installed one; where that is not known, the oldest of
// those that run now stands for it.
static void find_runtime(struct neff_target *target, const struct host *host)
{
    target->runtime = host->versions.runtime_installed;
    target->runtime_from = "installed";
    if (target->runtime != NULL)
        return;
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        if (process->runtime_version == NULL ||
            (target->runtime != NULL &&
             version_compare_text(process->runtime_version, target->runtime) >= 0))
            continue;
        target->runtime = process->runtime_version;
        target->runtime_from = "of a running process";
        if (known_u64(process->pid))
            target->runtime_from = arena_printf(host->arena, "of PID %" PRIu64, process->pid.value);
    }
}

static void set_generation(struct neff_target *target, const struct generation *generation)
{
    target->generation = generation->id;
    target->chip = generation->chip;
    target->neuroncore = generation->neuroncore;
}

struct neff_target neff_target_of_host(const struct host *host)
{
    const struct hardware *hardware = &host->hardware;
    struct neff_target target = {
        .driver =
            host->versions.driver != NULL ? host->versions.driver : host->versions.driver_installed,
        .chip = hardware->chip,
        .neuroncore = hardware->neuroncore,
        .lnc = known_u64(hardware->lnc) ? (unsigned)hardware->lnc.value : 0,
        .lnc_from = "of this host",
        .generation = hardware->generation != NULL ? hardware->generation->id : GEN_UNKNOWN,
        .releases = host->releases,
        .host_findings = check_run(host),
    };
    find_runtime(&target, host);
    const struct generation *generation = generation_get(host_generation(host));
    if (target.neuroncore == NULL && generation != NULL) // by the PCI bus
        set_generation(&target, generation);
    return target;
}

bool neff_target_empty(const struct neff_target *target)
{
    return target->driver == NULL && target->runtime == NULL && target->neuroncore == NULL &&
           target->lnc == 0;
}

// By any name that people have for a chip: of the chip, of its instances, of the driver.
static const struct generation *generation_of(const char *word)
{
    for (int id = GEN_INF1; id <= GEN_TRN3; id++) {
        const struct generation *generation = generation_get((enum generation_id)id);
        if (strcasecmp(word, generation->chip) == 0 ||
            strcasecmp(word, generation->device_name) == 0 ||
            strcasecmp(word, generation->instance_family) == 0)
            return generation;
    }
    const struct instance_type *type = instance_type_get(word);
    return type != NULL ? generation_get(type->generation) : NULL;
}

bool neff_target_set_chip(struct neff_target *target, const char *word)
{
    const struct generation *generation = generation_of(word);
    const struct neff_chip *chip = neff_chip_of(word);
    if (strcasecmp(word, "v1") == 0)
        generation = generation_get(GEN_INF1);
    if (generation != NULL) {
        set_generation(target, generation);
        return true;
    }
    if (chip == NULL || chip->neuroncore == NULL || word[0] == '\0')
        return false;
    target->generation = GEN_UNKNOWN; // v2 is that of two chips
    target->chip = chip->chip;
    target->neuroncore = chip->neuroncore;
    return true;
}

void neff_target_complete(struct neff_target *target)
{
    static const enum generation_id rows[] = {GEN_INF1, GEN_TRN1, GEN_TRN2, GEN_TRN3};
    if (target->neuroncore == NULL)
        return;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct generation *generation = generation_get(rows[i]);
        if (strcmp(generation->neuroncore, target->neuroncore) != 0)
            continue;
        target->lnc_only = generation->lnc_max == 1;
        if (target->lnc != 0)
            continue;
        target->lnc = generation->lnc_default;
        target->lnc_from = target->lnc_only ? "all that the chip has" : "the chip's default";
    }
}
