// SPDX-License-Identifier: Apache-2.0
// Loaded models of a runtime and their subgraphs (neuron-monitor JSON reference, section 3.3,
// memory_used). A model on a core makes the process its owner; without a memory breakdown by core
// (tools before 2.5.16) it is all that tells of a core's memory.
#include <string.h>

#include "source/report_state.h"

static const struct {
    enum memory_category category;
    const char *key;
} subgraph_parts[] = {
    {MEM_TENSORS, "tensors"},
    {MEM_CONSTANTS, "constants"},
    {MEM_MODEL_CODE, "model_code"},
    {MEM_RUNTIME_MEMORY, "runtime_memory"},
};

enum { SUBGRAPH_PARTS = sizeof(subgraph_parts) / sizeof(subgraph_parts[0]) };

static struct fact_u64 device_bytes(const struct fill *fill, const struct kept *kept,
                                    json_object *used)
{
    struct fact_u64 bytes = fill_count(fill, kept, used, "neuron_device");
    return known_u64(bytes) ? bytes : fill_count(fill, kept, used, "device");
}

// False when there is no such core.
static bool charge_core(struct fill *fill, int core, struct fact_u64 bytes, bool core_memory_told)
{
    struct share *share = core >= 0 ? fill_share(fill, (unsigned)core) : NULL;
    if (share == NULL)
        return false;
    share->owned = true;
    if (!core_memory_told)
        fact_add(&share->memory_used_bytes, bytes);
    return true;
}

static bool fill_subgraph(struct fill *fill, const struct kept *kept, json_object *told,
                          struct subgraph *subgraph, bool core_memory_told)
{
    json_object *used = field_object(told, "memory_used_bytes");
    json_object *parts = field_object(field_object(used, "usage_breakdown"), "neuron_device");
    int core = fill_subgraph_core(fill, told, &subgraph->chip, &subgraph->core_in_chip);
    subgraph->memory_host_bytes = fill_count(fill, kept, used, "host");
    subgraph->memory_device_bytes = device_bytes(fill, kept, used);
    for (int i = 0; parts != NULL && i < SUBGRAPH_PARTS; i++)
        subgraph->memory[subgraph_parts[i].category] =
            fill_count(fill, kept, parts, subgraph_parts[i].key);
    return charge_core(fill, core, subgraph->memory_device_bytes, core_memory_told);
}

static bool fill_subgraphs(struct fill *fill, const struct kept *kept, json_object *graphs,
                           struct model *model, bool core_memory_told)
{
    size_t count = (size_t)json_object_object_length(graphs);
    struct subgraph *subgraphs = ARENA_ARRAY(fill->arena, count, struct subgraph);
    unsigned filled = 0;
    bool placed = true;
    json_object_object_foreach(graphs, key, told)
    {
        if (!json_object_is_type(told, json_type_object))
            continue;
        struct subgraph *subgraph = &subgraphs[filled++];
        subgraph->name = fill_clean(fill, key, strlen(key));
        placed = fill_subgraph(fill, kept, told, subgraph, core_memory_told) && placed;
        fact_add(&model->memory_host_bytes, subgraph->memory_host_bytes);
        fact_add(&model->memory_device_bytes, subgraph->memory_device_bytes);
    }
    model->subgraphs = subgraphs;
    model->subgraph_count = filled;
    return placed;
}

static bool fill_model(struct fill *fill, const struct kept *kept, json_object *told,
                       struct model *model, bool core_memory_told)
{
    json_object *graphs = field_object(told, "subgraphs");
    json_object *used = field_object(told, "memory_used_bytes");
    json_object *running = field_any(told, "is_running");
    model->name = fill_text(fill, told, "name");
    model->uuid = fill_text(fill, told, "uuid");
    model->model_id = fill_count(fill, kept, told, "model_id");
    if (json_object_is_type(running, json_type_boolean))
        model->state = json_object_get_boolean(running) ? MODEL_RUNNING : MODEL_STOPPED;
    bool placed = true;
    if (graphs != NULL)
        placed = fill_subgraphs(fill, kept, graphs, model, core_memory_told);
    if (!known_u64(model->memory_host_bytes))
        model->memory_host_bytes = fill_count(fill, kept, used, "host");
    if (!known_u64(model->memory_device_bytes))
        model->memory_device_bytes = device_bytes(fill, kept, used);
    return placed;
}

// By id; their order in the report changes from one to the next.
static int compare_models(const void *a, const void *b)
{
    const struct model *left = a, *right = b;
    if (left->model_id.value != right->model_id.value)
        return left->model_id.value < right->model_id.value ? -1 : 1;
    int order =
        strcmp(left->name != NULL ? left->name : "", right->name != NULL ? right->name : "");
    return order != 0 ? order
                      : strcmp(left->uuid != NULL ? left->uuid : "",
                               right->uuid != NULL ? right->uuid : "");
}

bool fill_models(struct fill *fill, struct process *process, const struct kept *kept,
                 bool core_memory_told)
{
    json_object *list = fill_model_array(kept_value(kept));
    size_t count = list != NULL ? json_object_array_length(list) : 0;
    struct model *models = ARENA_ARRAY(fill->arena, count, struct model);
    unsigned filled = 0;
    bool placed = true;
    for (size_t i = 0; i < count; i++) {
        json_object *told = json_object_array_get_idx(list, i);
        if (json_object_is_type(told, json_type_object))
            placed = fill_model(fill, kept, told, &models[filled++], core_memory_told) && placed;
    }
    qsort(models, filled, sizeof(*models), compare_models);
    process->models = models;
    process->model_count = filled;
    return placed;
}
