// SPDX-License-Identifier: Apache-2.0
// Brings what readers tell of cores, each in its own order, into the order of a job.
//
// In between stands the linear core number: physical cores in the order in which the runtime counts
// them. A logical core is LNC consecutive ones. The driver's marks are counted so too: the runtime
// reserves a range of logical cores as one range of marks, which in another order would have holes.
#include "host/free_cores.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { LINEAR_MAX = 32 }; // physical cores of a chip: bits of chip.marks_asked

// What tells of one logical core.
struct evidence {
    unsigned count;
    const struct core *cores[LINEAR_MAX];
    bool placed;            // by these cores alone; else by some of them
    enum free_state driver; // what the driver says
};

// How the numbering of a host comes about.
struct frame {
    const struct host *host;
    const struct generation *gen;
    unsigned physical;  // cores a chip
    unsigned lnc;       // wanted
    unsigned host_lnc;  // of the cores that readers counted; 0 unknown
    unsigned *position; // of each chip in the job's counting
    const void **seen;  // of each process: the chip or core that it was last entered for
};

const char *free_state_word(enum free_state state)
{
    static const char *const words[] = {"unknown", "free", "held"};
    return words[state];
}

const char *free_unseen_words(const struct host *host)
{
    return host_owners_known(host) ? "someone not visible from here"
                                   : "someone, no source tells who";
}

// Chips without a gap from 0 on: the only case in which it is known how a job counts.
static bool positions_known(struct frame *frame)
{
    const struct host *host = frame->host;
    frame->position = ARENA_ARRAY(host->arena, host->chip_count, unsigned);
    for (unsigned i = 0; i < host->chip_count; i++)
        if (!chip_place(host, i, &frame->position[i]))
            return false;
    return chip_places_known(host);
}

static unsigned lnc_of_host(const struct host *host, const struct generation *gen)
{
    const struct fact_u64 lnc = host->hardware.lnc;
    if (gen->lnc_max == 1)
        return 1;
    return known_u64(lnc) && lnc.value >= 1 && lnc.value <= gen->lnc_max ? (unsigned)lnc.value : 0;
}

// NULL, or why a job's numbers cannot be told.
static const char *make_frame(struct frame *frame, const struct host *host, unsigned lnc)
{
    const struct generation *gen = host->hardware.generation;
    *frame = (struct frame){.host = host, .gen = gen};
    if (host->chip_count == 0)
        return "no chip is known";
    if (gen == NULL)
        return "the kind of chip is not known, so it is not known how a job counts its cores";
    frame->physical = gen->physical_cores;
    frame->host_lnc = lnc_of_host(host, gen);
    frame->lnc = gen->lnc_max == 1 ? 1 : lnc != 0 && lnc <= gen->lnc_max ? lnc : frame->host_lnc;
    if (frame->lnc == 0)
        return "it is not known whether one or two physical cores make a logical one";
    if (!positions_known(frame))
        return "the chips seen here have gaps in their numbers, so it is not known how a job "
               "counts their cores";
    return NULL;
}

// The first linear number within its chip that CORE covers, and how many; false when it cannot be
// told.
static bool covers(const struct frame *frame, const struct core *core, unsigned physical,
                   unsigned *linear)
{
    const struct host *host = frame->host;
    const struct core_place place = {.chip = host->chips[core->chip].index, .physical = physical};
    if (frame->gen->lnc_max == 1 || core->numbering == NUMBERING_LOGICAL) {
        *linear = physical;
        return true;
    }
    if (!core_map_logical(&host->core_map, 1, place, linear) ||
        *linear / frame->physical != place.chip)
        return false;
    *linear %= frame->physical;
    return true;
}

// Enters the cores of CHIP at the linear numbers that they cover. False when one cannot be placed.
static bool place_cores(const struct frame *frame, const struct chip *chip,
                        const struct core *at[LINEAR_MAX])
{
    for (unsigned i = 0; i < chip->core_count; i++) {
        const struct core *core = &frame->host->cores[chip->core_first + i];
        bool single = core->numbering == NUMBERING_PHYSICAL || frame->gen->lnc_max == 1;
        unsigned width = single ? 1 : frame->host_lnc, linear;
        if (width == 0 || core->numbering == NUMBERING_UNKNOWN)
            return false;
        for (unsigned j = 0; j < width; j++) {
            if (!covers(frame, core, core->place * width + j, &linear) || linear >= frame->physical)
                return false;
            at[linear] = core;
        }
    }
    return true;
}

static enum free_state core_free_state(const struct core *core)
{
    switch (core_state(core)) {
    case CORE_FREE:
        return FREE_FREE;
    case CORE_HELD:
    case CORE_BUSY:
        return FREE_HELD;
    default:
        return FREE_UNKNOWN;
    }
}

// Held by one physical core is held; free is only what is wholly free.
static enum free_state driver_state(const struct chip *chip, unsigned first, unsigned count)
{
    enum free_state state = FREE_FREE;
    for (unsigned i = first; i < first + count; i++) {
        if ((chip->marks_held >> i & 1) != 0)
            return FREE_HELD;
        if ((chip->marks_asked >> i & 1) == 0)
            state = FREE_UNKNOWN;
    }
    return state;
}

static enum free_state readers_state(const struct evidence *evidence)
{
    unsigned held = 0, free = 0;
    for (unsigned i = 0; i < evidence->count; i++) {
        enum free_state state = core_free_state(evidence->cores[i]);
        held += state == FREE_HELD;
        free += state == FREE_FREE;
    }
    if (evidence->count == 0)
        return FREE_UNKNOWN;
    if (held == evidence->count || (evidence->placed && held > 0))
        return FREE_HELD;
    return free == evidence->count ? FREE_FREE : FREE_UNKNOWN;
}

// Someone has CHIP open and no core of it is known to be theirs: a job that has reserved its cores
// and has no memory on them yet. Its environment may say that they are elsewhere.
// SEEN: for each process what was last seen of it.
static bool has_unplaced(const struct host *host, const struct chip *chip, const void **seen)
{
    for (unsigned i = chip->core_first; i < chip->core_first + chip->core_count; i++)
        for (unsigned j = 0; j < host->cores[i].owner_count; j++)
            seen[host->cores[i].owners[j]] = chip;
    for (unsigned i = 0; i < chip->owner_count; i++)
        if (host->processes[chip->owners[i]].certainty != CERTAINTY_ENVIRONMENT &&
            seen[chip->owners[i]] != chip)
            return true;
    return false;
}

static enum free_state judge(const struct evidence *evidence, bool unplaced)
{
    enum free_state readers = readers_state(evidence);
    if (readers == FREE_FREE && unplaced)
        readers = FREE_UNKNOWN;
    if (evidence->driver == FREE_HELD || readers == FREE_HELD)
        return FREE_HELD;
    return evidence->driver == FREE_FREE ? FREE_FREE : readers;
}

static void add_holder(const struct host *host, struct free_core *core, unsigned *holders,
                       unsigned process, const void **seen)
{
    const struct process *holder = &host->processes[process];
    if (seen[process] == core)
        return;
    seen[process] = core;
    holders[core->holder_count++] = process;
    struct fact_f64 since = holder->started_unix_seconds, idle = holder->idle_seconds;
    if (known_f64(since) &&
        (!known_f64(core->since_unix_seconds) || since.value < core->since_unix_seconds.value))
        core->since_unix_seconds = since;
    if (known_f64(idle) &&
        (!known_f64(core->idle_seconds) || idle.value < core->idle_seconds.value))
        core->idle_seconds = idle;
    enum certainty certainty = holder->certainty; // unknown: only a source that names it tells
    certainty = certainty == CERTAINTY_UNKNOWN ? CERTAINTY_EXACT : certainty;
    if (core->certainty == CERTAINTY_UNKNOWN || certainty < core->certainty)
        core->certainty = certainty;
}

// Nobody is named for the core itself: those who have its chip open may hold it.
static void add_candidates(const struct host *host, struct free_core *core, unsigned *holders,
                           const void **seen)
{
    const struct chip *chip = &host->chips[core->chip];
    if (core->holder_count > 0 || core->state == FREE_FREE)
        return;
    for (unsigned i = 0; i < chip->owner_count; i++)
        add_holder(host, core, holders, chip->owners[i], seen);
    if (core->holder_count > 0)
        core->certainty = CERTAINTY_CHIP;
}

static bool is_hidden(const struct evidence *evidence)
{
    for (unsigned i = 0; i < evidence->count; i++)
        if (evidence->cores[i]->hidden_owners > 0)
            return true;
    return false;
}

static void name_holders(const struct host *host, struct free_core *core,
                         const struct evidence *evidence, const void **seen)
{
    unsigned most = host->chips[core->chip].owner_count;
    if (core->state == FREE_FREE)
        return;
    for (unsigned i = 0; i < evidence->count; i++)
        most += evidence->cores[i]->owner_count;
    unsigned *holders = ARENA_ARRAY(host->arena, most, unsigned);
    core->holders = holders;
    for (unsigned i = 0; i < evidence->count; i++)
        for (unsigned j = 0; j < evidence->cores[i]->owner_count; j++)
            add_holder(host, core, holders, evidence->cores[i]->owners[j], seen);
    bool all_one = core->state == FREE_HELD && core->holder_count == 1; // then the order is all one
    if (!evidence->placed && core->holder_count > 0 && !all_one)
        core->certainty = CERTAINTY_CHIP;
    add_candidates(host, core, holders, seen);
    core->unseen =
        core->state == FREE_HELD &&
        (core->holder_count == 0 || (is_hidden(evidence) && host->chips[core->chip].held_unseen));
}

// Of several physical cores that one reader core covers it is entered once.
static void add_evidence(struct evidence *evidence, const struct core *core)
{
    for (unsigned i = 0; i < evidence->count; i++)
        if (evidence->cores[i] == core)
            return;
    if (core != NULL && evidence->count < LINEAR_MAX)
        evidence->cores[evidence->count++] = core;
}

static void gather(const struct frame *frame, const struct chip *chip, bool placed,
                   const struct core *const at[LINEAR_MAX], unsigned first,
                   struct evidence *evidence)
{
    *evidence = (struct evidence){.placed = placed};
    evidence->driver = driver_state(chip, first, frame->lnc);
    if (!placed) {
        for (unsigned i = 0; i < chip->core_count; i++)
            add_evidence(evidence, &frame->host->cores[chip->core_first + i]);
        return;
    }
    for (unsigned i = first; i < first + frame->lnc; i++)
        if (at[i] == NULL)
            evidence->count = 0; // a part of it that no reader tells of
        else
            add_evidence(evidence, at[i]);
}

// The readers tell two states of one chip, and the driver does not help.
static bool is_mixed(const struct free_cores *cores, const struct chip *chip, unsigned first)
{
    bool held = false;
    for (unsigned i = 0; i < chip->core_count; i++)
        held = held || core_free_state(&cores->host->cores[chip->core_first + i]) == FREE_HELD;
    for (unsigned i = 0; held && i < cores->per_chip; i++)
        if (cores->cores[first + i].state == FREE_UNKNOWN)
            return true;
    return false;
}

static void fill_chip(const struct frame *frame, struct free_cores *cores, unsigned index)
{
    const struct chip *chip = &frame->host->chips[index];
    const struct core *at[LINEAR_MAX] = {NULL};
    struct evidence evidence;
    bool placed = place_cores(frame, chip, at);
    bool unplaced = has_unplaced(frame->host, chip, frame->seen);
    unsigned first = frame->position[index] * cores->per_chip;
    for (unsigned i = 0; i < cores->per_chip; i++) {
        struct free_core *core = &cores->cores[first + i];
        *core = (struct free_core){.index = first + i, .chip = index};
        gather(frame, chip, placed, at, i * frame->lnc, &evidence);
        core->state = judge(&evidence, unplaced);
        name_holders(frame->host, core, &evidence, frame->seen);
    }
    cores->mixed_chips += !placed && is_mixed(cores, chip, first);
}

// The device plug-in may hand out chips that do not follow each other, under names that do (F-25).
static void mark_gaps(const struct free_cores *cores)
{
    const struct chip *chips = cores->host->chips;
    for (unsigned i = cores->per_chip; i < cores->count; i += cores->per_chip)
        cores->cores[i].after_gap =
            chips[cores->cores[i].chip].index != chips[cores->cores[i - 1].chip].index + 1;
}

// As the readers count them: what is held can still be shown.
static void fill_unnumbered(struct free_cores *cores, const void **seen)
{
    const struct host *host = cores->host;
    cores->count = host->core_count;
    cores->cores = ARENA_ARRAY(host->arena, cores->count, struct free_core);
    for (unsigned i = 0; i < cores->count; i++) {
        const struct core *core = &host->cores[i];
        struct evidence evidence = {.count = 1, .cores = {core}, .placed = true};
        cores->cores[i] = (struct free_core){.index = core->index, .chip = core->chip};
        cores->cores[i].state = core_free_state(core);
        name_holders(host, &cores->cores[i], &evidence, seen);
    }
}

struct free_cores free_cores_of(const struct host *host, unsigned lnc)
{
    struct frame frame;
    struct free_cores cores = {.host = host, .trouble = make_frame(&frame, host, lnc)};
    frame.seen = ARENA_ARRAY(host->arena, host->process_count, const void *);
    cores.has_lnc = frame.gen != NULL && frame.gen->lnc_max > 1;
    cores.numbered = cores.trouble == NULL;
    if (!cores.numbered) {
        fill_unnumbered(&cores, frame.seen);
        return cores;
    }
    cores.lnc = frame.lnc;
    cores.per_chip = frame.physical / frame.lnc;
    cores.count = host->chip_count * cores.per_chip;
    cores.cores = ARENA_ARRAY(host->arena, cores.count, struct free_core);
    for (unsigned i = 0; i < host->chip_count; i++)
        fill_chip(&frame, &cores, i);
    mark_gaps(&cores);
    return cores;
}

unsigned free_cores_count(const struct free_cores *cores, enum free_state state)
{
    unsigned count = 0;
    for (unsigned i = 0; i < cores->count; i++)
        count += cores->cores[i].state == state;
    return count;
}

const struct free_core *free_cores_find(const struct free_cores *cores, unsigned index)
{
    for (unsigned i = 0; i < cores->count; i++)
        if (cores->cores[i].index == index)
            return &cores->cores[i];
    return NULL;
}

enum free_state free_cores_state(const struct free_cores *cores, const struct core_set *set)
{
    enum free_state state = FREE_FREE;
    if (!cores->numbered || core_set_empty(set))
        return FREE_UNKNOWN;
    for (int i = core_set_next(set, 0); i >= 0; i = core_set_next(set, (unsigned)i + 1)) {
        const struct free_core *core = free_cores_find(cores, (unsigned)i);
        if (core != NULL && core->state == FREE_HELD)
            return FREE_HELD;
        if (core == NULL || core->state == FREE_UNKNOWN)
            state = FREE_UNKNOWN;
    }
    return state;
}

static const char *no_owners_why(const struct host *host)
{
    for (unsigned i = 0; i < host->source_count; i++) {
        const struct source_status *source = &host->sources[i];
        if (strcmp(source->name, "proc") == 0 && source->detail != NULL)
            return arena_printf(host->arena, "no source of owners: proc: %s", source->detail);
    }
    return "no source of owners: neither /proc nor neuron-monitor was read";
}

const char *free_core_why(const struct free_cores *cores, const struct free_core *core)
{
    const struct host *host = cores->host;
    if (core->state != FREE_UNKNOWN || core->holder_count > 0)
        return NULL;
    if (host->chips[core->chip].core_count == 0)
        return "no source tells of the cores of this chip";
    if (!host_owners_known(host))
        return no_owners_why(host);
    if (host->unseen_handles.value > 0)
        return "a process that cannot be seen from here may hold it";
    return cores->mixed_chips > 0 ? "its chip is partly held, and the order of cores is not known"
                                  : "the sources do not tell who holds it";
}
