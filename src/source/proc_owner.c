// SPDX-License-Identifier: Apache-2.0
// Which of the cores belongs to whom (driver reference 3.2). The kernel tells who has a chip open,
// not who uses which core. So: one process alone on a chip has the cores there that have memory in
// use; where there are several, NEURON_RT_VISIBLE_CORES of each tells when it can be placed; else
// only the chip is known, and said so.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "source/proc_fill.h"
#include "source/proc_text.h"

// The chip and the cores being worked at.
struct place {
    const struct proc *proc;
    struct host *host;
    struct proc_owner *owners;
    size_t count;
    unsigned attached;        // owners that have this chip open
    struct proc_owner *alone; // when that is one
    bool closed;              // all of them tell their cores on it
};

// A job that says nothing has the host's setting, whatever another job asked for.
static uint64_t lnc_of(const struct proc *proc, const struct host *host,
                       const struct proc_watch *watch)
{
    const struct generation *gen = host->hardware.generation;
    const struct fact_u64 told = host->hardware.lnc;
    uint64_t lnc;
    if (gen != NULL && gen->lnc_max == 1)
        return 1;
    const char *text = watch->environ.lnc;
    if (piece_number((struct piece){text, strlen(text)}, &lnc) && (lnc == 1 || lnc == 2))
        return lnc;
    if (known_u64(told))
        return told.value;
    if (proc->lnc_setting != 0)
        return proc->lnc_setting;
    return gen != NULL ? gen->lnc_default : 0;
}

// Whether the runtime's numbers are those of host.cores. On chips with LNC the driver counts
// physical cores in another order, and so does neuron-monitor (driver reference 5.4).
static bool same_numbering(const struct host *host, uint64_t lnc)
{
    const struct generation *gen = host->hardware.generation;
    if (gen != NULL && gen->lnc_max == 1)
        return host->numbering != NUMBERING_UNKNOWN;
    return host->numbering == NUMBERING_LOGICAL &&
           (!known_u64(host->hardware.lnc) || host->hardware.lnc.value == lnc);
}

// What a job with LNC calls a core; false when nobody can tell.
static bool runtime_index(const struct host *host, const struct core *core, uint64_t lnc,
                          unsigned *logical)
{
    const struct core_place place = {.chip = host->chips[core->chip].index,
                                     .physical = core->place};
    if (same_numbering(host, lnc)) {
        *logical = core->index;
        return true;
    }
    if (host->numbering == NUMBERING_PHYSICAL)
        return core_map_logical(&host->core_map, (unsigned)lnc, place, logical);
    return host->numbering == NUMBERING_MONITOR && known_u64(host->hardware.lnc) &&
           host->hardware.lnc.value == lnc &&
           core_map_from_monitor(&host->core_map, (unsigned)lnc, core->index, logical);
}

static bool attached_to(const struct proc_owner *owner, unsigned device)
{
    return device < PROC_DEVICES_MAX && (owner->devices >> device & 1) != 0;
}

// Where a job counts a chip. In a container that has other names for its nodes all that is seen
// counts by these, neutop's own container being the one (field case F-24).
static unsigned place_of(const struct host *host, const struct chip *chip)
{
    unsigned place;
    bool known =
        chip_places_known(host) && chip_place(host, (unsigned)(chip - host->chips), &place);
    return known ? place : chip->index;
}

static unsigned device_at(const struct host *host, unsigned place)
{
    for (unsigned i = 0; i < host->chip_count; i++)
        if (place_of(host, &host->chips[i]) == place)
            return host->chips[i].index;
    return UINT_MAX;
}

// False when it names cores of a chip that the process does not have open: in a container the
// numbers count the container's own chips.
static bool claim_fits(const struct host *host, const struct proc_owner *owner,
                       const struct core_set *visible, unsigned per_chip)
{
    for (int i = core_set_next(visible, 0); i >= 0; i = core_set_next(visible, (unsigned)i + 1))
        if (!attached_to(owner, device_at(host, (unsigned)i / per_chip)))
            return false;
    return true;
}

static void claim_chip(const struct host *host, const struct chip *chip,
                       const struct core_set *visible, uint64_t lnc, struct proc_claim *claim)
{
    const unsigned per_chip = host->hardware.generation->physical_cores / (unsigned)lnc;
    unsigned named = 0, first = place_of(host, chip) * per_chip, logical;
    for (unsigned i = 0; i < per_chip; i++)
        named += core_set_has(visible, first + i);
    if (named > 0 && named < per_chip &&
        (chip->core_count == 0 ||
         !runtime_index(host, &host->cores[chip->core_first], lnc, &logical)))
        return; // some of its cores, but not to be told which
    claim->open &= ~(UINT64_C(1) << chip->index);
    for (unsigned i = 0; i < chip->core_count; i++) {
        unsigned at = chip->core_first + i;
        if (named == per_chip ||
            (named > 0 && runtime_index(host, &host->cores[at], lnc, &logical) &&
             core_set_has(visible, first + logical % per_chip)))
            core_set_add(&claim->places, at);
    }
}

static void read_claim(const struct proc *proc, const struct host *host, struct proc_owner *owner)
{
    const struct generation *gen = host->hardware.generation;
    struct core_set visible;
    uint64_t lnc = lnc_of(proc, host, owner->watch);
    owner->claim.open = UINT64_MAX;
    if (gen == NULL || lnc == 0 ||
        !core_set_parse(&visible, owner->watch->environ.visible_cores, NULL) ||
        core_set_empty(&visible))
        return;
    unsigned per_chip = gen->physical_cores / (unsigned)lnc;
    if (per_chip == 0 || !claim_fits(host, owner, &visible, per_chip))
        return;
    for (unsigned i = 0; i < host->chip_count; i++)
        if (host->chips[i].index < PROC_DEVICES_MAX)
            claim_chip(host, &host->chips[i], &visible, lnc, &owner->claim);
}

// Whether an earlier reader has given this core to the process.
static bool has_share(const struct process *process, unsigned core)
{
    for (unsigned i = 0; i < process->share_count; i++)
        if (process->shares[i].core == core)
            return true;
    return false;
}

static void add_share(struct host *host, struct proc_owner *owner, unsigned at, bool only)
{
    const struct core *core = &host->cores[at];
    if (has_share(owner->process, at))
        return;
    if (owner->shares == NULL)
        owner->shares = ARENA_ARRAY(host->arena, host->core_count, struct share);
    struct share *share = &owner->shares[owner->share_count++];
    *share = (struct share){.core = at, .owned = true};
    if (!only)
        return; // what each of several does on it cannot be told
    share->utilization_percent = core->utilization_percent;
    share->flops_per_second = core->flops_per_second;
    share->memory_used_bytes = core->memory_used_bytes;
    memcpy(share->memory, core->memory, sizeof(share->memory));
}

static bool in_use(const struct core *core)
{
    return known_u64(core->memory_used_bytes) && core->memory_used_bytes.value > 0;
}

static unsigned claimants(const struct place *place, unsigned device, unsigned at)
{
    unsigned count = 0;
    for (size_t i = 0; i < place->count; i++)
        count += attached_to(&place->owners[i], device) &&
                 core_set_has(&place->owners[i].claim.places, at);
    return count;
}

static void give_claimed(const struct place *place, unsigned device, unsigned at, bool only)
{
    for (size_t i = 0; i < place->count; i++) {
        struct proc_owner *owner = &place->owners[i];
        if (!attached_to(owner, device) || !core_set_has(&owner->claim.places, at))
            continue;
        add_share(place->host, owner, at, only);
        owner->by_environment = true;
    }
}

static void leave_unplaced(const struct place *place, unsigned device)
{
    for (size_t i = 0; i < place->count; i++)
        if (attached_to(&place->owners[i], device))
            place->owners[i].unplaced = true;
}

// Nobody on the chip can be named for this core.
static void judge_core(const struct place *place, struct chip *chip, struct core *core)
{
    const struct proc *proc = place->proc;
    bool all_seen = proc->sees_all || (proc->references >= 0 && proc_unexplained(proc) == 0);
    if (core->owners_known)
        return; // by an earlier reader
    if (in_use(core)) {
        core->hidden_owners = 1;
        if (place->attached == 0)
            chip->held_unseen = true;
        leave_unplaced(place, chip->index);
    } else if (known_u64(core->memory_used_bytes) && all_seen && place->closed) {
        core->owners_known = true;
    }
}

static void own_core(const struct place *place, struct chip *chip, unsigned at)
{
    struct core *core = &place->host->cores[at];
    unsigned count = claimants(place, chip->index, at);
    if (place->alone != NULL && in_use(core))
        add_share(place->host, place->alone, at, true);
    else if (count > 0)
        give_claimed(place, chip->index, at, count == 1);
    else
        judge_core(place, chip, core);
}

static void own_chip(struct place *place, struct chip *chip)
{
    place->attached = 0;
    place->alone = NULL;
    place->closed = true;
    for (size_t i = 0; i < place->count; i++) {
        struct proc_owner *owner = &place->owners[i];
        if (!attached_to(owner, chip->index))
            continue;
        place->attached++;
        place->alone = owner;
        if ((owner->claim.open >> chip->index & 1) != 0)
            place->closed = false;
    }
    if (place->attached != 1)
        place->alone = NULL;
    for (unsigned i = 0; i < chip->core_count; i++)
        own_core(place, chip, chip->core_first + i);
}

static int compare_shares(const void *a, const void *b)
{
    const struct share *left = a, *right = b;
    return (left->core > right->core) - (left->core < right->core);
}

// What an earlier reader told of a process's memory is better than this sum.
static void sum_memory(struct proc_owner *owner)
{
    struct process *process = owner->process;
    struct fact_u64 sum = {0};
    if (owner->unplaced || process->share_count > 0 || known_u64(process->memory_device_bytes))
        return;
    for (unsigned i = 0; i < owner->share_count; i++)
        if (!known_u64(owner->shares[i].memory_used_bytes))
            return;
    for (unsigned i = 0; i < owner->share_count; i++) {
        fact_add(&sum, owner->shares[i].memory_used_bytes);
        for (int j = 0; j < MEM_CATEGORIES; j++)
            fact_add(&process->memory[j], owner->shares[i].memory[j]);
    }
    if (known_u64(sum)) {
        sum.from = FROM_DERIVED;
        process->memory_device_bytes = sum;
    }
}

static void take_shares(struct host *host, struct proc_owner *owner)
{
    struct process *process = owner->process;
    unsigned count = process->share_count + owner->share_count;
    sum_memory(owner);
    struct share *all = ARENA_ARRAY(host->arena, count, struct share);
    if (process->share_count > 0)
        memcpy(all, process->shares, process->share_count * sizeof(*all));
    memcpy(all + process->share_count, owner->shares, owner->share_count * sizeof(*all));
    qsort(all, count, sizeof(*all), compare_shares);
    for (unsigned i = 0; i < owner->share_count; i++)
        core_set_add(&process->cores, host->cores[owner->shares[i].core].index);
    process->shares = all;
    process->share_count = count;
}

static enum certainty certainty_of(const struct proc_owner *owner)
{
    if (owner->unplaced || owner->process->share_count + owner->share_count == 0)
        return CERTAINTY_CHIP;
    return owner->by_environment ? CERTAINTY_ENVIRONMENT : CERTAINTY_EXACT;
}

void proc_own(const struct proc *proc, struct host *host, struct proc_owner *owners, size_t count)
{
    struct place place = {.proc = proc, .host = host, .owners = owners, .count = count};
    for (size_t i = 0; i < count; i++)
        read_claim(proc, host, &owners[i]);
    for (unsigned i = 0; i < host->chip_count; i++)
        own_chip(&place, &host->chips[i]);
    for (size_t i = 0; i < count; i++) {
        owners[i].process->certainty = certainty_of(&owners[i]);
        if (owners[i].share_count > 0)
            take_shares(host, &owners[i]);
    }
}
