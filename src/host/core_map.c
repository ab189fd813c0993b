// SPDX-License-Identifier: Apache-2.0
// Joins core indices of different counting through the driver's core map.
#include "host/core_map.h"

#include <stdint.h>
#include <stdio.h>

#include "host/host.h"

// The cores of the chip whose entries start at FIRST: each of PER_CHIP once.
static bool is_whole_chip(const struct core_place *places, unsigned first, unsigned per_chip)
{
    uint32_t seen = 0;
    for (unsigned i = first; i < first + per_chip; i++) {
        if (places[i].chip != places[first].chip || places[i].physical >= per_chip)
            return false;
        seen |= (uint32_t)1 << places[i].physical;
    }
    return seen == ((uint64_t)1 << per_chip) - 1;
}

// Linear numbers count chips up from 0 as the driver does, else its meaning is another than known.
static bool is_map(const struct core_place *places, unsigned count, unsigned per_chip)
{
    if (per_chip > 32 || count % per_chip != 0)
        return false;
    for (unsigned first = 0; first < count; first += per_chip)
        if (places[first].chip != first / per_chip || !is_whole_chip(places, first, per_chip))
            return false;
    return true;
}

struct core_map core_map_make(const struct core_place *places, unsigned count)
{
    unsigned per_chip = 0;
    if (count > CORE_MAP_MAX)
        return (struct core_map){.count = 0};
    while (per_chip < count && places[per_chip].chip == places[0].chip)
        per_chip++;
    if (per_chip == 0 || !is_map(places, count, per_chip))
        return (struct core_map){.count = 0};
    return (struct core_map){.count = count, .per_chip = per_chip, .places = places};
}

// LNC physical cores of one chip make a logical core.
static bool fits(const struct core_map *map, unsigned lnc)
{
    return map->count > 0 && (lnc == 1 || lnc == 2) && map->per_chip % lnc == 0;
}

unsigned core_map_places(const struct core_map *map, unsigned lnc, unsigned logical,
                         struct core_place places[2])
{
    if (!fits(map, lnc) || logical >= map->count / lnc)
        return 0;
    for (unsigned i = 0; i < lnc; i++)
        places[i] = map->places[logical * lnc + i];
    return lnc;
}

bool core_map_logical(const struct core_map *map, unsigned lnc, struct core_place place,
                      unsigned *logical)
{
    if (!fits(map, lnc))
        return false;
    for (unsigned i = 0; i < map->count; i++) {
        if (map->places[i].chip != place.chip || map->places[i].physical != place.physical)
            continue;
        *logical = i / lnc;
        return true;
    }
    return false;
}

// Counted over the instance: neuron-monitor's nc_v3.N (neuron-monitor reference, section 4).
static unsigned in_physical_order(const struct core_map *map, struct core_place place)
{
    return place.chip * map->per_chip + place.physical;
}

bool core_map_to_monitor(const struct core_map *map, unsigned lnc, unsigned logical,
                         unsigned *monitor)
{
    struct core_place places[2];
    unsigned count = core_map_places(map, lnc, logical, places);
    if (count == 0)
        return false;
    *monitor = in_physical_order(map, places[0]) / lnc;
    return count == 1 || in_physical_order(map, places[1]) / lnc == *monitor;
}

bool core_map_from_monitor(const struct core_map *map, unsigned lnc, unsigned monitor,
                           unsigned *logical)
{
    if (!fits(map, lnc) || monitor >= map->count / lnc)
        return false;
    unsigned first = monitor * lnc, back;
    struct core_place place = {.chip = first / map->per_chip, .physical = first % map->per_chip};
    return core_map_logical(map, lnc, place, logical) &&
           core_map_to_monitor(map, lnc, *logical, &back) && back == monitor;
}

static bool orders_differ(const struct host *host)
{
    const struct generation *gen = host->hardware.generation;
    return gen == NULL || gen->lnc_max > 1;
}

bool chip_place(const struct host *host, unsigned at, unsigned *place)
{
    const struct chip *chip = &host->chips[at];
    int end = 0;
    *place = chip->index;
    if (chip->node != NULL &&
        (sscanf(chip->node, "neuron%3u%n", place, &end) != 1 || chip->node[end] != '\0'))
        return false;
    return *place < host->chip_count;
}

bool chip_places_known(const struct host *host)
{
    struct core_set taken;
    core_set_clear(&taken);
    for (unsigned i = 0; i < host->chip_count; i++) {
        unsigned place;
        if (!chip_place(host, i, &place) || core_set_has(&taken, place))
            return false;
        core_set_add(&taken, place);
    }
    return true;
}

static bool chips_renamed(const struct host *host)
{
    unsigned place;
    for (unsigned i = 0; i < host->chip_count; i++)
        if (!chip_place(host, i, &place) || place != host->chips[i].index)
            return true;
    return false;
}

// The runtime's index of a core as it were on the whole host.
static bool join_on_host(const struct host *host, const struct core *core, unsigned *logical)
{
    const struct core_map *map = &host->core_map;
    const struct chip *chip = &host->chips[core->chip];
    unsigned lnc = (unsigned)host->hardware.lnc.value;
    switch (core->numbering) {
    case NUMBERING_MONITOR:
        return core_map_from_monitor(map, lnc, core->index, logical);
    case NUMBERING_PHYSICAL:
        return core_map_logical(
            map, lnc, (struct core_place){.chip = chip->index, .physical = core->place}, logical);
    default:
        return false;
    }
}

static bool join_core(const struct host *host, const struct core *core, unsigned *logical)
{
    unsigned place, per_chip = host->chips[core->chip].core_count, in_chip = core->place;
    if (core->numbering == NUMBERING_UNKNOWN || !chip_place(host, core->chip, &place))
        return false;
    if (core->numbering != NUMBERING_LOGICAL && orders_differ(host)) {
        if (!join_on_host(host, core, logical))
            return false;
        per_chip = host->core_map.per_chip / (unsigned)host->hardware.lnc.value;
        in_chip = *logical % per_chip;
    }
    *logical = place * per_chip + in_chip;
    return true;
}

enum core_order core_map_order(const struct host *host)
{
    unsigned logical;
    bool other = host->numbering != NUMBERING_LOGICAL && orders_differ(host);
    if (host->core_count == 0 || (!other && !chips_renamed(host)))
        return CORE_ORDER_SAME;
    if (other && host->core_map.count == 0)
        return CORE_ORDER_NO_MAP;
    if (other && !known_u64(host->hardware.lnc))
        return CORE_ORDER_NO_LNC;
    if (!chip_places_known(host))
        return CORE_ORDER_GAPS;
    for (unsigned i = 0; i < host->core_count; i++)
        if (!join_core(host, &host->cores[i], &logical))
            return CORE_ORDER_NOT_MATCHED;
    return CORE_ORDER_MAPPED;
}

void core_map_join(struct host *host)
{
    enum core_order order = core_map_order(host);
    if (order != CORE_ORDER_SAME && order != CORE_ORDER_MAPPED)
        return;
    for (unsigned i = 0; i < host->core_count; i++) {
        struct core *core = &host->cores[i];
        unsigned logical = core->index;
        if (known_u64(core->logical) || core->numbering == NUMBERING_UNKNOWN)
            continue;
        if (order == CORE_ORDER_MAPPED)
            join_core(host, core, &logical);
        core->logical = fact_u64(logical, FROM_DERIVED);
    }
}
