// SPDX-License-Identifier: Apache-2.0
// Snapshots for tests, built by hand.
#include "build_host.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "print/print.h"

static void build_chip(struct host *host, unsigned index, unsigned lnc)
{
    const struct generation *gen = host->hardware.generation;
    struct chip *chip = &host->chips[index];
    unsigned per_chip = generation_logical_cores(gen, lnc), shared_by;
    uint64_t limit = generation_core_bytes(gen, lnc, &shared_by);
    *chip = (struct chip){.index = index, .core_first = index * per_chip, .core_count = per_chip};
    chip->memory_total_bytes = fact_u64(generation_chip_bytes(gen), FROM_TABLE);
    for (unsigned place = 0; place < per_chip; place++) {
        struct core *core = &host->cores[chip->core_first + place];
        core->index = chip->core_first + place;
        core->chip = index;
        core->place = place;
        core->numbering = host->numbering;
        core->memory_limit_bytes = fact_u64(limit, FROM_TABLE);
        core->memory_shared_by = shared_by;
        core->owners_known = true;
    }
}

// The order of cores is known, so that a host in order has no finding.
static void build_core_map(struct host *host)
{
    unsigned per_chip = host->hardware.generation->physical_cores;
    unsigned count = host->chip_count * per_chip;
    struct core_place *places = ARENA_ARRAY(host->arena, count, struct core_place);
    for (unsigned i = 0; i < count; i++)
        places[i] = (struct core_place){.chip = i / per_chip, .physical = i % per_chip};
    host->core_map = core_map_make(places, count);
}

struct host *build_host(const char *type, unsigned lnc)
{
    const struct instance_type *row = instance_type_get(type);
    struct host *host = host_new();
    struct hardware *hardware = &host->hardware;
    hardware->generation = generation_get(row->generation);
    lnc = lnc != 0 ? lnc : hardware->generation->lnc_default;
    unsigned per_chip = generation_logical_cores(hardware->generation, lnc);
    hardware->chip = hardware->generation->chip;
    hardware->neuroncore = hardware->generation->neuroncore;
    hardware->chips = fact_u64(row->chips, FROM_RECORDING);
    hardware->physical_cores_per_chip = fact_u64(hardware->generation->physical_cores, FROM_TABLE);
    hardware->logical_cores_per_chip = fact_u64(per_chip, FROM_RECORDING);
    hardware->lnc = fact_u64(lnc, FROM_RECORDING);
    host->instance.type = row->name;
    host->time_unix_seconds = BUILD_TIME;
    host->live_rates = true;
    host->numbering = NUMBERING_MONITOR;
    host->chip_count = row->chips;
    host->core_count = row->chips * per_chip;
    host->chips = ARENA_ARRAY(host->arena, host->chip_count, struct chip);
    host->cores = ARENA_ARRAY(host->arena, host->core_count, struct core);
    host->processes = ARENA_ARRAY(host->arena, BUILD_PROCESSES, struct process);
    for (unsigned i = 0; i < host->chip_count; i++)
        build_chip(host, i, lnc);
    build_core_map(host);
    return host;
}

static const unsigned *with_owner(struct host *host, const unsigned *owners, unsigned count,
                                  unsigned owner)
{
    unsigned *more = ARENA_ARRAY(host->arena, count + 1, unsigned);
    if (count > 0)
        memcpy(more, owners, count * sizeof(*owners));
    more[count] = owner;
    return more;
}

static void own(struct host *host, struct process *process, unsigned index)
{
    struct core *core = &host->cores[index];
    struct chip *chip = &host->chips[core->chip];
    unsigned owner = (unsigned)(process - host->processes);
    core->owners = with_owner(host, core->owners, core->owner_count, owner);
    core->owner_count++;
    core_set_add(&process->cores, core->index);
    if (core_set_has(&process->chips, chip->index))
        return;
    core_set_add(&process->chips, chip->index);
    chip->owners = with_owner(host, chip->owners, chip->owner_count, owner);
    chip->owner_count++;
}

struct process *build_process(struct host *host, uint64_t pid, const char *command, unsigned first,
                              unsigned count)
{
    struct process *process = &host->processes[host->process_count++];
    struct share *shares = ARENA_ARRAY(host->arena, count, struct share);
    process->pid = fact_u64(pid, FROM_RECORDING);
    process->command = command;
    for (unsigned i = 0; i < count; i++) {
        shares[i].core = first + i;
        shares[i].owned = true;
        own(host, process, first + i);
    }
    process->share_count = count;
    process->shares = shares;
    return process;
}

static struct share *share_of(struct process *process, unsigned core)
{
    for (unsigned i = 0; i < process->share_count; i++)
        if (process->shares[i].core == core)
            return (struct share *)&process->shares[i];
    abort();
}

void build_memory(struct host *host, struct process *process, unsigned index,
                  enum memory_category category, uint64_t bytes)
{
    struct core *core = &host->cores[index];
    struct fact_u64 more = fact_u64(bytes, FROM_RECORDING);
    fact_add(&core->memory_used_bytes, more);
    fact_add(&core->memory[category], more);
    fact_add(&host->chips[core->chip].memory_used_bytes, more);
    if (process == NULL)
        return;
    fact_add(&share_of(process, index)->memory_used_bytes, more);
    fact_add(&share_of(process, index)->memory[category], more);
    fact_add(&process->memory_device_bytes, more);
    fact_add(&process->memory[category], more);
}

void build_utilization(struct host *host, struct process *process, unsigned index, double percent)
{
    host->cores[index].utilization_percent = fact_f64(percent, FROM_RECORDING);
    if (process != NULL)
        share_of(process, index)->utilization_percent = fact_f64(percent, FROM_RECORDING);
}

void build_source(struct host *host, const char *name, enum source_state state, double age_seconds,
                  const char *detail)
{
    if (host->sources == NULL)
        host->sources = ARENA_ARRAY(host->arena, BUILD_SOURCES, struct source_status);
    struct source_status *source = (struct source_status *)&host->sources[host->source_count++];
    source->name = name;
    source->state = state;
    source->detail = detail;
    if (age_seconds >= 0)
        source->age_seconds = fact_f64(age_seconds, FROM_DERIVED);
}

const struct finding *find_finding(const struct findings *findings, const char *id)
{
    for (size_t i = 0; i < findings->count; i++)
        if (strcmp(findings->items[i].id, id) == 0)
            return &findings->items[i];
    return NULL;
}

unsigned count_findings(const struct findings *findings, const char *id)
{
    unsigned count = 0;
    for (size_t i = 0; i < findings->count; i++)
        count += strcmp(findings->items[i].id, id) == 0;
    return count;
}

char *print_to_text(const struct host *host, bool ascii, bool color)
{
    const struct print_options options = {.ascii = ascii, .color = color};
    struct findings findings = check_run(host);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    print_text(out, host, &findings, &options);
    fclose(out);
    return text;
}

char *print_to_json(const struct host *host)
{
    struct findings findings = check_run(host);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    print_json(out, host, &findings);
    fclose(out);
    return text;
}
