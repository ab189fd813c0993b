// SPDX-License-Identifier: Apache-2.0
// The demo's hardware around the cores: links between chips, PCI addresses, CPUs near a chip, and
// versions that fit.
#include <bsd/string.h>
#include <stdio.h>

#include "source/demo.h"

enum { TORUS = 16, NUMA_CHIPS = 6, NUMA_CPUS = 16 };

// What the driver lists (driver reference 2.3).
static const unsigned char trn1_links[TORUS][4] = {
    {12, 3, 4, 1},  {13, 0, 5, 2},  {14, 1, 6, 3},   {15, 2, 7, 0},
    {0, 7, 8, 5},   {1, 4, 9, 6},   {2, 5, 10, 7},   {3, 6, 11, 4},
    {4, 11, 12, 9}, {5, 8, 13, 10}, {6, 9, 14, 11},  {7, 10, 15, 8},
    {8, 15, 0, 13}, {9, 12, 1, 14}, {10, 13, 2, 15}, {11, 14, 3, 12},
};
static const unsigned char trn2_links[TORUS][4] = {
    {12, 1, 3, 4},  {0, 13, 5, 2},  {14, 3, 1, 6},   {2, 15, 7, 0},
    {8, 5, 7, 0},   {4, 9, 1, 6},   {10, 7, 5, 2},   {6, 11, 3, 4},
    {4, 9, 11, 12}, {8, 5, 13, 10}, {6, 11, 9, 14},  {10, 7, 15, 8},
    {0, 13, 15, 8}, {12, 1, 9, 14}, {2, 15, 13, 10}, {14, 3, 11, 12},
};

// PCI buses of a trn2.48xlarge as neuron-ls prints them (neuron-monitor reference, section 7).
static const unsigned char trn2_buses[TORUS] = {0xcc, 0xb5, 0xb6, 0xcb, 0x6f, 0x58, 0x59, 0x6e,
                                                0x9b, 0x84, 0x85, 0x9a, 0xf8, 0xe1, 0xe2, 0xf7};

static int torus(const struct instance_type *type, unsigned chip, unsigned neighbours[16])
{
    const unsigned char(*links)[4] = type->generation == GEN_TRN1 ? trn1_links : trn2_links;
    for (unsigned i = 0; i < 4; i++)
        neighbours[i] = links[chip % TORUS][i];
    return 4;
}

static int line(unsigned chip, unsigned chips, bool closed, unsigned neighbours[16])
{
    int count = 0;
    if (chip > 0 || closed)
        neighbours[count++] = (chip + chips - 1) % chips;
    if (chip + 1 < chips || closed)
        neighbours[count++] = (chip + 1) % chips;
    return count;
}

int demo_neighbours(const struct instance_type *type, unsigned chip, unsigned neighbours[16])
{
    // The driver joins the six chips of an inf2.24xlarge in a chain, whatever the vendor's page
    // says.
    bool chain = type->generation == GEN_INF2 && type->chips == 6;
    switch (type->topology) {
    case TOPOLOGY_SINGLE:
        return 0;
    case TOPOLOGY_CHAIN:
        return line(chip, type->chips, false, neighbours);
    case TOPOLOGY_RING:
        return line(chip, type->chips, !chain, neighbours);
    case TOPOLOGY_TORUS_4X4:
        return torus(type, chip, neighbours);
    case TOPOLOGY_SWITCHED:
    case TOPOLOGY_UNKNOWN:
        break;
    }
    return -1;
}

// Large instances have two sockets, each with every other half of the CPUs (threads come second).
static void near_cpus(struct demo *demo)
{
    unsigned quarter = demo->type->vcpus / 4;
    demo->numa_nodes = demo->chip_count >= NUMA_CHIPS && demo->type->vcpus >= NUMA_CPUS ? 2 : 1;
    if (demo->numa_nodes == 1) {
        snprintf(demo->numa_cpus[0], sizeof(demo->numa_cpus[0]), "0-%u", 4 * quarter - 1);
        return;
    }
    for (unsigned node = 0; node < 2; node++)
        snprintf(demo->numa_cpus[node], sizeof(demo->numa_cpus[node]), "%u-%u,%u-%u",
                 node * quarter, node * quarter + quarter - 1, (2 + node) * quarter,
                 (3 + node) * quarter - 1);
}

void demo_board(struct demo *demo)
{
    near_cpus(demo);
    for (unsigned i = 0; i < demo->chip_count; i++) {
        struct demo_chip *chip = &demo->chips[i];
        bool known = demo->gen->id == GEN_TRN2 && demo->chip_count == TORUS;
        if (known)
            snprintf(chip->pci, sizeof(chip->pci), "0000:%02x:00.0", trn2_buses[i]);
        else
            snprintf(chip->pci, sizeof(chip->pci), "0000:%02x:%02x.0", 0x10 + i / 2 * 0x10,
                     0x1e + i % 2);
        unsigned quad = demo->chip_count >= 4 ? i / (demo->chip_count / 4) : 0;
        chip->numa_node = quad == 0 || quad == 3 ? demo->numa_nodes - 1 : 0;
        snprintf(chip->serial, sizeof(chip->serial), "%016llx",
                 (unsigned long long)demo_mix(demo->seed ^ (0x73657269616cu + i)));
    }
}

// Versions of one SDK release: 2.32.0; the last one for Inferentia is 2.26.1, with a runtime of its
// own. The range of runtimes is the driver's (driver reference 4), by chip.
void demo_versions(enum generation_id id, struct versions *versions)
{
    bool inf1 = id == GEN_INF1, large = id == GEN_TRN2 || id == GEN_TRN3;
    versions->driver = inf1 ? "2.24.7.0" : "2.30.2.0";
    versions->driver_installed = versions->driver;
    versions->runtime_installed = inf1 ? "2.12.23.0" : "2.34.10.0";
    versions->collectives = inf1 ? NULL : "2.34.10.0";
    versions->tools = inf1 ? "2.26.14.0" : "2.32.28.0";
    versions->compiler = inf1 ? "1.24.0.0" : "2.27.5334.0";
    versions->compat_min = fact_u64(large ? 10 : inf1 ? 2 : 5, FROM_DEMO);
    versions->compat_max = fact_u64(large ? 11 : 7, FROM_DEMO);
}

// SDK 2.31: the oldest that works with the driver.
const char *demo_older_runtime(enum generation_id id)
{
    return id == GEN_INF1 ? "2.12.23.0" : "2.33.10.0";
}
