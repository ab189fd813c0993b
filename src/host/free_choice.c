// SPDX-License-Identifier: Apache-2.0
// Runs of free cores, and the choice among them for the next job.
#include <stdio.h>

#include "host/free_cores.h"

static bool is_free(const struct free_cores *cores, unsigned at)
{
    return cores->numbered && at < cores->count && cores->cores[at].state == FREE_FREE;
}

struct core_run free_cores_run(const struct free_cores *cores, unsigned from)
{
    struct core_run run = {.first = from};
    while (run.first < cores->count && !is_free(cores, run.first))
        run.first++;
    while (is_free(cores, run.first + run.count) &&
           (run.count == 0 || !cores->cores[run.first + run.count].after_gap))
        run.count++;
    return run;
}

struct core_run free_cores_longest(const struct free_cores *cores)
{
    struct core_run longest = {0}, run = free_cores_run(cores, 0);
    for (; run.count > 0; run = free_cores_run(cores, run.first + run.count))
        if (run.count > longest.count)
            longest = run;
    return longest;
}

// What a choice costs; smaller is better, the first difference decides.
enum { COST_RULE, COST_CHIPS, COST_BROKEN, COST_ALIGNMENT, COST_ROOM, COSTS };

struct cost {
    unsigned part[COSTS];
};

static bool chip_is_free(const struct free_cores *cores, unsigned chip)
{
    for (unsigned i = 0; i < cores->per_chip; i++)
        if (!is_free(cores, chip * cores->per_chip + i))
            return false;
    return true;
}

// 0: to its own number; 1: to chips; 2: not at all. Whole chips and a part more have none of their
// own.
static unsigned misalignment(const struct free_cores *cores, unsigned first, unsigned wanted)
{
    bool own = wanted < cores->per_chip || wanted % cores->per_chip == 0;
    if (own && first % wanted == 0)
        return 0;
    return first % cores->per_chip == 0 ? 1 : 2;
}

// Whole chips, and what is more than a chip, start with a chip. Less is on one chip, aligned where
// its number divides the chip.
static bool is_regular(const struct free_cores *cores, unsigned first, unsigned wanted)
{
    unsigned in_chip = first % cores->per_chip;
    if (wanted >= cores->per_chip)
        return in_chip == 0;
    return in_chip + wanted <= cores->per_chip &&
           (cores->per_chip % wanted != 0 || in_chip % wanted == 0);
}

static unsigned free_on_chip(const struct free_cores *cores, unsigned chip)
{
    unsigned count = 0;
    for (unsigned i = 0; i < cores->per_chip; i++)
        count += is_free(cores, chip * cores->per_chip + i);
    return count;
}

static struct cost cost_of(const struct free_cores *cores, struct core_run run, unsigned first,
                           unsigned wanted)
{
    unsigned chip = first / cores->per_chip, last = (first + wanted - 1) / cores->per_chip;
    struct cost cost = {.part = {[COST_RULE] = !is_regular(cores, first, wanted),
                                 [COST_CHIPS] = last - chip + 1,
                                 [COST_ALIGNMENT] = misalignment(cores, first, wanted)}};
    cost.part[COST_ROOM] = chip == last ? free_on_chip(cores, chip) : run.count;
    if (wanted % cores->per_chip == 0)
        cost.part[COST_ROOM] = run.count;
    for (; chip <= last; chip++) {
        bool whole =
            first <= chip * cores->per_chip && first + wanted >= (chip + 1) * cores->per_chip;
        cost.part[COST_BROKEN] += !whole && chip_is_free(cores, chip);
    }
    return cost;
}

static bool is_cheaper(const struct cost *cost, const struct cost *than)
{
    for (int i = 0; i < COSTS; i++)
        if (cost->part[i] != than->part[i])
            return cost->part[i] < than->part[i];
    return false;
}

static bool cheapest(const struct free_cores *cores, unsigned wanted, struct core_run *choice)
{
    struct cost best;
    bool found = false;
    struct core_run run = free_cores_run(cores, 0);
    for (; run.count > 0; run = free_cores_run(cores, run.first + run.count))
        for (unsigned first = run.first; first + wanted <= run.first + run.count; first++) {
            struct cost cost = cost_of(cores, run, first, wanted);
            if (found && !is_cheaper(&cost, &best))
                continue;
            best = cost;
            found = true;
            *choice = (struct core_run){.first = first, .count = wanted};
        }
    return found;
}

// A number of cores that no job can have on this instance.
static bool is_impossible(const struct free_cores *cores, unsigned wanted, char *why, size_t size)
{
    unsigned chips = cores->host->chip_count;
    if (!cores->numbered) {
        snprintf(why, size, "%s", cores->trouble);
    } else if (wanted == 0) {
        snprintf(why, size, "at least one core is to be requested");
    } else if (wanted > cores->count) {
        snprintf(why, size,
                 "requested %u, but this instance has %u logical cores (%u chip%s of %u)", wanted,
                 cores->count, chips, chips == 1 ? "" : "s", cores->per_chip);
    } else {
        return false;
    }
    return true;
}

unsigned free_cores_gap(const struct free_cores *cores, const struct core_set *set)
{
    for (unsigned i = 1; i < cores->count; i++)
        if (cores->cores[i].after_gap && core_set_has(set, i) && core_set_has(set, i - 1))
            return i;
    return 0;
}

const char *free_cores_gap_text(char *buffer, size_t size, const struct free_cores *cores,
                                unsigned gap)
{
    const struct chip *chips = cores->host->chips;
    snprintf(buffer, size, "devices %u and %u are not adjacent",
             chips[cores->cores[gap - 1].chip].index, chips[cores->cores[gap].chip].index);
    return buffer;
}

// The gap without which there were WANTED free cores in a row; 0: it is not for a gap.
static unsigned gap_in_the_way(const struct free_cores *cores, unsigned wanted)
{
    unsigned row = 0, gap = 0;
    for (unsigned i = 0; i < cores->count; i++) {
        if (!is_free(cores, i))
            row = gap = 0;
        else if (row++ > 0 && gap == 0 && cores->cores[i].after_gap)
            gap = i;
        if (row >= wanted)
            return gap;
    }
    return 0;
}

// How much there is instead.
static void say_shortage(const struct free_cores *cores, unsigned wanted, char *why, size_t size)
{
    unsigned free = free_cores_count(cores, FREE_FREE);
    unsigned unknown = free_cores_count(cores, FREE_UNKNOWN);
    struct core_run longest = free_cores_longest(cores);
    unsigned gap = gap_in_the_way(cores, wanted);
    char run[80] = "", maybe[160] = "", devices[80];
    if (longest.count == 1)
        snprintf(run, sizeof(run), "; the longest run is 1: NC %u", longest.first);
    else if (longest.count > 1)
        snprintf(run, sizeof(run), "; the longest run is %u: NC %u-%u", longest.count,
                 longest.first, longest.first + longest.count - 1);
    if (gap != 0)
        snprintf(maybe, sizeof(maybe), "; no run goes over a gap: %s",
                 free_cores_gap_text(devices, sizeof(devices), cores, gap));
    else if (cores->mixed_chips > 0)
        snprintf(maybe, sizeof(maybe),
                 "; of %u more it is not known: %u chip%s partly held, and the order of cores in "
                 "it is not known",
                 unknown, cores->mixed_chips, cores->mixed_chips == 1 ? " is" : "s are");
    else if (unknown > 0)
        snprintf(maybe, sizeof(maybe), "; of %u more it is not known", unknown);
    snprintf(why, size, "requested %u, free %u%s%s", wanted, free, run, maybe);
}

bool free_cores_choose(const struct free_cores *cores, unsigned wanted, struct core_run *run,
                       char *why, size_t size)
{
    *run = (struct core_run){0};
    why[0] = '\0';
    if (is_impossible(cores, wanted, why, size))
        return false;
    if (cheapest(cores, wanted, run))
        return true;
    say_shortage(cores, wanted, why, size);
    return false;
}
