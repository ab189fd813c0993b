// SPDX-License-Identifier: Apache-2.0
// Which of the known topologies a list of links is.
#include "host/topology.h"

enum { SIDE = 4, NEIGHBOURS_MAX = 16 };

// True when CHIP lists OTHER (the driver's index) as its neighbour.
static bool chip_links_to(const struct chip *chip, unsigned other)
{
    for (unsigned i = 0; i < chip->connected_count; i++)
        if (chip->connected[i] == other)
            return true;
    return false;
}

// The neighbours that chip INDEX of COUNT should have; returns how many.
typedef unsigned (*expected)(unsigned index, unsigned count, unsigned neighbours[NEIGHBOURS_MAX]);

static unsigned in_chain(unsigned index, unsigned count, unsigned neighbours[NEIGHBOURS_MAX])
{
    unsigned n = 0;
    if (index > 0)
        neighbours[n++] = index - 1;
    if (index + 1 < count)
        neighbours[n++] = index + 1;
    return n;
}

static unsigned in_ring(unsigned index, unsigned count, unsigned neighbours[NEIGHBOURS_MAX])
{
    neighbours[0] = (index + count - 1) % count;
    neighbours[1] = (index + 1) % count;
    return 2;
}

static unsigned in_torus(unsigned index, unsigned count, unsigned neighbours[NEIGHBOURS_MAX])
{
    unsigned row = index / SIDE, column = index % SIDE;
    neighbours[0] = (index + SIDE) % count;
    neighbours[1] = (index + count - SIDE) % count;
    neighbours[2] = row * SIDE + (column + 1) % SIDE;
    neighbours[3] = row * SIDE + (column + SIDE - 1) % SIDE;
    return 4;
}

static unsigned in_all(unsigned index, unsigned count, unsigned neighbours[NEIGHBOURS_MAX])
{
    unsigned n = 0;
    for (unsigned i = 0; i < count && n < NEIGHBOURS_MAX; i++)
        if (i != index)
            neighbours[n++] = i;
    return n;
}

// Equal as sets: as many, and each of them is there. A source never lists one twice.
static bool lists(const struct chip *chip, const unsigned *neighbours, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!chip_links_to(chip, neighbours[i]))
            return false;
    return chip->connected_count == count;
}

static bool all_list(const struct host *host, expected expect)
{
    unsigned neighbours[NEIGHBOURS_MAX];
    for (unsigned i = 0; i < host->chip_count; i++) {
        const struct chip *chip = &host->chips[i];
        if (chip->index != i || !lists(chip, neighbours, expect(i, host->chip_count, neighbours)))
            return false;
    }
    return true;
}

enum links links_classify(const struct host *host)
{
    unsigned known = 0, links = 0, count = host->chip_count;
    for (unsigned i = 0; i < count; i++) {
        known += host->chips[i].connected_known;
        links += host->chips[i].connected_count;
    }
    if (count == 1 && links == 0)
        return LINKS_SINGLE;
    if (count == 0 || known < count)
        return LINKS_UNKNOWN;
    if (links == 0)
        return LINKS_NONE;
    if (count == SIDE * SIDE && all_list(host, in_torus))
        return LINKS_TORUS_4X4;
    if (all_list(host, in_chain))
        return LINKS_CHAIN;
    if (count > 3 && all_list(host, in_ring))
        return LINKS_RING;
    return all_list(host, in_all) ? LINKS_ALL : LINKS_OTHER;
}

enum topology links_topology(enum links links)
{
    switch (links) {
    case LINKS_SINGLE:
        return TOPOLOGY_SINGLE;
    case LINKS_CHAIN:
        return TOPOLOGY_CHAIN;
    case LINKS_RING:
        return TOPOLOGY_RING;
    case LINKS_TORUS_4X4:
        return TOPOLOGY_TORUS_4X4;
    case LINKS_ALL:
        return TOPOLOGY_SWITCHED;
    case LINKS_UNKNOWN:
    case LINKS_NONE:
    case LINKS_OTHER:
        break;
    }
    return TOPOLOGY_UNKNOWN;
}

const char *topology_word(enum topology topology)
{
    switch (topology) {
    case TOPOLOGY_SINGLE:
        return "single chip";
    case TOPOLOGY_CHAIN:
        return "chain";
    case TOPOLOGY_RING:
        return "ring";
    case TOPOLOGY_TORUS_4X4:
        return "4x4 torus";
    case TOPOLOGY_SWITCHED:
        return "switched, all to all";
    case TOPOLOGY_UNKNOWN:
        break;
    }
    return "unknown";
}
