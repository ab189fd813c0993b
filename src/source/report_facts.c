// SPDX-License-Identifier: Apache-2.0
// What the parts of a snapshot take from a group of the kept reports: numbers, clean texts, and the
// core and share that something belongs to.
#include "base/number.h"
#include "base/text.h"
#include "base/xmem.h"
#include "source/report_state.h"

enum { STALE_PERIODS = 3 };

bool fill_stale(const struct fill *fill, const struct kept *kept)
{
    // the first report's fragments of a period say nothing of when the next one is due
    double period = number_max(kept->period, report_interval(fill->report));
    return fill->now - kept->arrival > STALE_PERIODS * period;
}

struct fact_u64 fill_count(const struct fill *fill, const struct kept *kept, json_object *object,
                           const char *key)
{
    uint64_t count;
    if (!field_count(object, key, &count))
        return (struct fact_u64){0};
    struct fact_u64 fact = fact_u64(count, fill->from);
    fact.stale = fill_stale(fill, kept);
    return fact;
}

struct fact_f64 fill_f64(const struct fill *fill, const struct kept *kept, double value)
{
    struct fact_f64 fact = fact_f64(value, fill->from);
    fact.stale = fill_stale(fill, kept);
    return fact;
}

struct fact_f64 fill_number(const struct fill *fill, const struct kept *kept, json_object *object,
                            const char *key)
{
    double number;
    if (!field_number(object, key, &number))
        return (struct fact_f64){0};
    return fill_f64(fill, kept, number);
}

const char *fill_clean(const struct fill *fill, const char *text, size_t length)
{
    size_t plain = 0;
    while (plain < length && text[plain] >= ' ' && text[plain] < 0x7f)
        plain++;
    return plain == length && length <= TEXT_MOST ? arena_strndup(fill->arena, text, length)
                                                  : text_clean(fill->arena, text, length);
}

const char *fill_text(const struct fill *fill, json_object *object, const char *key)
{
    size_t length;
    const char *text = field_text(object, key, &length);
    return text == NULL ? NULL : fill_clean(fill, text, length);
}

const char *fill_error(const struct fill *fill, const struct kept *kept)
{
    return fill_text(fill, kept->value, "error");
}

json_object *fill_model_array(json_object *memory_used)
{
    json_object *models = field_array(memory_used, "loaded_models");
    if (models != NULL)
        return models;
    return field_array(field_object(memory_used, "neuron_runtime_used_bytes"), "loaded_models");
}

static int small_index(json_object *object, const char *name, const char *old_name, unsigned most)
{
    uint64_t index;
    if (!field_count(object, name, &index) && !field_count(object, old_name, &index))
        return -1;
    return index <= most ? (int)index : -1;
}

int fill_subgraph_core(const struct fill *fill, json_object *subgraph, int *chip, int *place)
{
    *chip = small_index(subgraph, "neuron_device_index", "neuron_device", CHIPS_MAX - 1);
    *place = small_index(subgraph, "neuroncore_index", "neuron_core", CORES_PER_CHIP_MAX - 1);
    if (*chip < 0 || *place < 0 || (unsigned)*place >= fill->per_chip)
        return -1;
    unsigned core = (unsigned)*chip * fill->per_chip + (unsigned)*place;
    return core < fill->host->core_count ? (int)core : -1;
}

struct share *fill_share(struct fill *fill, unsigned core)
{
    if (core >= fill->host->core_count)
        return NULL;
    if (fill->share_of[core] != 0)
        return &fill->shares[fill->share_of[core] - 1];
    if (fill->share_count == fill->share_room) {
        fill->share_room = fill->share_room * 2 + 64;
        fill->shares = xreallocarray(fill->shares, fill->share_room, sizeof(*fill->shares));
    }
    struct share *share = &fill->shares[fill->share_count++];
    *share = (struct share){.core = core};
    fill->share_of[core] = (unsigned)fill->share_count;
    return share;
}
