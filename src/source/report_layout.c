// SPDX-License-Identifier: Apache-2.0
// The chips and cores of a snapshot, as the hardware information gives them and as far as other
// groups speak of them (neuron-monitor JSON reference, section 4).
#include <limits.h>

#include "source/report_state.h"

// What the groups mention beyond the hardware information: one more than the largest index.
struct extent {
    unsigned cores, chips;
    bool beyond; // there are cores above the largest index
};

static void extent_keys(struct extent *extent, json_object *map)
{
    unsigned index;
    if (map == NULL)
        return;
    json_object_object_foreach(map, key, value)
    {
        if (!json_object_is_type(value, json_type_object) || !field_index(key, UINT_MAX, &index))
            continue;
        extent->beyond = extent->beyond || index > CORE_MOST;
        if (index <= CORE_MOST && index >= extent->cores)
            extent->cores = index + 1;
    }
}

static void extent_chip(struct extent *extent, uint64_t chip)
{
    if (chip < CHIPS_MAX && chip >= extent->chips)
        extent->chips = (unsigned)chip + 1;
}

static void extent_devices(struct extent *extent, json_object *list)
{
    uint64_t chip;
    for (size_t i = 0; list != NULL && i < json_object_array_length(list); i++)
        if (field_count(json_object_array_get_idx(list, i), "neuron_device_index", &chip))
            extent_chip(extent, chip);
}

static void extent_models(struct extent *extent, const struct fill *fill, json_object *list)
{
    int chip, place;
    for (size_t i = 0; list != NULL && i < json_object_array_length(list); i++) {
        json_object *graphs = field_object(json_object_array_get_idx(list, i), "subgraphs");
        if (graphs == NULL)
            continue;
        json_object_object_foreach(graphs, key, graph)
        {
            (void)key;
            fill_subgraph_core(fill, graph, &chip, &place);
            if (chip >= 0)
                extent_chip(extent, (uint64_t)chip);
        }
    }
}

static void extent_runtime(struct extent *extent, const struct fill *fill,
                           const struct runtime *runtime)
{
    json_object *cores = kept_value(&runtime->groups[GROUP_CORES]);
    json_object *memory = kept_value(&runtime->groups[GROUP_MEMORY]);
    json_object *used = field_object(memory, "neuron_runtime_used_bytes");
    json_object *each =
        field_object(field_object(used, "usage_breakdown"), "neuroncore_memory_usage");
    extent_keys(extent, field_object(cores, "neuroncores_in_use"));
    extent_keys(extent, field_object(cores, "neuron_cores"));
    extent_keys(extent, each);
    if (each == NULL)
        extent_models(extent, fill, fill_model_array(memory));
}

static struct extent fill_extent(const struct fill *fill)
{
    const struct report *report = fill->report;
    struct extent extent = {0};
    extent_devices(&extent, field_array(kept_value(&report->system[SYSTEM_ECC]), "neuron_devices"));
    for (size_t i = 0; i < report->runtime_count; i++)
        extent_runtime(&extent, fill, &report->runtimes[i]);
    return extent;
}

static void layout_core(const struct fill *fill, unsigned index)
{
    struct core *core = &fill->host->cores[index];
    const struct hardware *hardware = &fill->host->hardware;
    core->index = index;
    core->chip = index / fill->per_chip;
    core->place = index % fill->per_chip;
    core->numbering = NUMBERING_MONITOR;
    if (hardware->generation == NULL || !known_u64(hardware->lnc) ||
        !known_u64(hardware->physical_cores_per_chip))
        return;
    core->memory_limit_bytes =
        fact_u64(generation_core_bytes(hardware->generation, (unsigned)hardware->lnc.value,
                                       &core->memory_shared_by),
                 FROM_TABLE);
}

// What was told and is not in the snapshot must not go without a word.
static void note_left_out(const struct fill *fill, bool cores)
{
    struct hardware *hardware = &fill->host->hardware;
    if (hardware->error == NULL && cores)
        hardware->error =
            arena_printf(fill->arena, "logical cores above NC %d are left out", CORE_MOST);
    if (hardware->error == NULL && fill->report->runtimes_left > 0)
        hardware->error = arena_printf(fill->arena, "%zu runtimes beyond the first %d are left out",
                                       fill->report->runtimes_left, RUNTIMES_MAX);
}

// Global index = chip * cores per chip + place. Chips and cores without any runtime exist as well.
void fill_layout(struct fill *fill)
{
    struct host *host = fill->host;
    struct extent extent = fill_extent(fill);
    unsigned per_chip = (unsigned)host->hardware.logical_cores_per_chip.value;
    unsigned chips = (unsigned)host->hardware.chips.value;
    chips = chips > extent.chips ? chips : extent.chips;
    if (per_chip == 0) // nobody tells: spread what is mentioned
        per_chip = chips > 0 ? (extent.cores + chips - 1) / chips : extent.cores;
    if (per_chip != 0 && (extent.cores + per_chip - 1) / per_chip > chips)
        chips = (extent.cores + per_chip - 1) / per_chip;
    note_left_out(fill, extent.beyond || chips * per_chip > CORE_SET_MAX);
    if (chips * per_chip > CORE_SET_MAX)
        chips = CORE_SET_MAX / per_chip;
    if (known_u64(host->hardware.chips) && host->hardware.chips.value < chips)
        host->hardware.chips = fact_u64(chips, FROM_DERIVED); // more of them are spoken of
    fill->per_chip = per_chip;
    host->numbering = NUMBERING_MONITOR;
    host->chip_count = chips;
    host->core_count = chips * per_chip;
    host->chips = ARENA_ARRAY(fill->arena, chips, struct chip);
    host->cores = ARENA_ARRAY(fill->arena, host->core_count, struct core);
    for (unsigned i = 0; i < host->core_count; i++)
        layout_core(fill, i);
    for (unsigned i = 0; i < chips; i++) {
        host->chips[i].index = i;
        host->chips[i].core_first = i * per_chip;
        host->chips[i].core_count = per_chip;
        host->chips[i].memory_total_bytes = host->hardware.device_memory_bytes_per_chip;
    }
}
