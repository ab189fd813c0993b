// SPDX-License-Identifier: Apache-2.0
// The driver's core map, and what follows from it: on Trainium2 and Trainium3 the index that a job
// asks for (NEURON_RT_VISIBLE_CORES), neuron-monitor's index and the driver's physical cores are
// three orders. They are joined through this map or not at all (driver reference 5.4;
// neuron-monitor reference, section 4).
#ifndef NEUTOP_HOST_CORE_MAP_H
#define NEUTOP_HOST_CORE_MAP_H

#include <stdbool.h>

struct host;

enum { CORE_MAP_MAX = 128 }; // entries that the driver gives at most

// A physical core as the driver counts: chip by its index, core within the chip.
struct core_place {
    unsigned chip, physical;
};

// Entry i says where linear core number i is. A logical core i is read as the entries LNC * i to
// LNC * i + LNC - 1; that the runtime counts so is the natural reading and not confirmed, so what
// comes of it is marked as derived.
struct core_map {
    unsigned count; // 0: not known
    unsigned per_chip;
    const struct core_place *places;
};

// A map of COUNT places. Its count is 0 unless they are whole chips of equal size, one after the
// other, each with all of its cores once.
struct core_map core_map_make(const struct core_place *places, unsigned count);

// The physical cores of a logical core, LNC (1 or 2) of them, into PLACES; 0 when not in the map.
unsigned core_map_places(const struct core_map *map, unsigned lnc, unsigned logical,
                         struct core_place places[2]);

// The logical core that a physical core belongs to. False when not in the map.
bool core_map_logical(const struct core_map *map, unsigned lnc, struct core_place place,
                      unsigned *logical);

// From the runtime's index of a logical core to neuron-monitor's, which counts in physical order,
// and back. False when not in the map, or when the map splits a logical core over two of the
// monitor's.
bool core_map_to_monitor(const struct core_map *map, unsigned lnc, unsigned logical,
                         unsigned *monitor);
bool core_map_from_monitor(const struct core_map *map, unsigned lnc, unsigned monitor,
                           unsigned *logical);

// Where a job counts chip number AT of HOST's: by the name of its node, which in a container may be
// another than on the host (field case F-24). False when that is no place among these chips.
bool chip_place(const struct host *host, unsigned at, unsigned *place);

// Each chip has a place of its own, from 0 on without a gap: else it is not known how a job counts.
bool chip_places_known(const struct host *host);

// How the index of HOST's cores relates to the one that the runtime counts.
enum core_order {
    CORE_ORDER_SAME,        // the same numbers, or nothing to number
    CORE_ORDER_MAPPED,      // another order, joined through the core map and the places of chips
    CORE_ORDER_NO_MAP,      // another order, and the map is not known
    CORE_ORDER_NO_LNC,      // the map is known, but not how many physical cores make a logical one
    CORE_ORDER_NOT_MATCHED, // both are known, but the map does not hold these cores
    CORE_ORDER_GAPS         // the places of chips are not known
};
enum core_order core_map_order(const struct host *host);

// Sets core.logical of HOST's cores where the order allows it.
void core_map_join(struct host *host);

#endif
