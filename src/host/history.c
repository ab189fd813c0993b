// SPDX-License-Identifier: Apache-2.0
// Rings of past values. All rings turn together; one that is added later remembers at which sample
// it was born, so that no memory is touched before it holds something.
#include "host/history.h"

#include <math.h>
#include <stdlib.h>

#include "base/xmem.h"

struct ring {
    uint64_t born;     // number of the first sample
    uint16_t *samples; // HISTORY_SAMPLES of them, in steps of a percent
};

struct rings {
    struct ring *items;
    unsigned count;
};

struct history {
    uint64_t fed; // samples taken so far
    struct rings instance;
    struct rings chip_utilization, chip_memory; // by the chip's index
};

enum { INSTANCE_SERIES = SERIES_HOST_MEMORY + 1, SERIES_MAX = 256 };

// All series are percentages: two bytes hold one finer than any graph draws it. Whole percents are
// exact.
enum { STEPS_A_PERCENT = 400, SAMPLE_UNKNOWN = UINT16_MAX, SAMPLE_MAX = UINT16_MAX - 1 };

static uint16_t sample_pack(float percent)
{
    if (isnan(percent))
        return SAMPLE_UNKNOWN;
    const float steps = percent * STEPS_A_PERCENT;
    return steps <= 0 ? 0 : steps >= SAMPLE_MAX ? SAMPLE_MAX : (uint16_t)(steps + 0.5F);
}

static float sample_unpack(uint16_t sample)
{
    return sample == SAMPLE_UNKNOWN ? NAN : (float)sample / STEPS_A_PERCENT;
}

static void rings_grow(struct rings *rings, unsigned count, uint64_t born)
{
    if (count > SERIES_MAX)
        count = SERIES_MAX;
    if (count <= rings->count)
        return;
    rings->items = xreallocarray(rings->items, count, sizeof(*rings->items));
    for (; rings->count < count; rings->count++)
        rings->items[rings->count] = (struct ring){
            .born = born,
            .samples = xreallocarray(NULL, HISTORY_SAMPLES, sizeof(uint16_t)),
        };
}

static void rings_free(struct rings *rings)
{
    for (unsigned i = 0; i < rings->count; i++)
        free(rings->items[i].samples);
    free(rings->items);
}

struct history *history_new(void)
{
    struct history *history = xcalloc(1, sizeof(*history));
    rings_grow(&history->instance, INSTANCE_SERIES, 0);
    return history;
}

void history_free(struct history *history)
{
    if (history == NULL)
        return;
    rings_free(&history->instance);
    rings_free(&history->chip_utilization);
    rings_free(&history->chip_memory);
    free(history);
}

// A stale value is no value of this moment.
static float sample_of(struct fact_f64 fact)
{
    return known_f64(fact) && !fact.stale ? (float)fact.value : NAN;
}

static float percent_of(struct fact_u64 part, struct fact_u64 whole)
{
    if (!known_u64(part) || !known_u64(whole) || part.stale || whole.stale || whole.value == 0)
        return NAN;
    return (float)(100.0 * (double)part.value / (double)whole.value);
}

static float host_cpu(const struct machine *machine)
{
    float user = sample_of(machine->cpu_user_percent);
    float system = sample_of(machine->cpu_system_percent);
    return isnan(user) ? system : isnan(system) ? user : user + system;
}

// The rings below COUNT get a value; what the host no longer has gets none.
static void put(struct rings *rings, unsigned ring, uint64_t number, float value)
{
    if (ring < rings->count)
        rings->items[ring].samples[number % HISTORY_SAMPLES] = sample_pack(value);
}

static void feed_instance(struct history *history, const struct host *host)
{
    const struct machine *machine = &host->machine;
    const uint64_t number = history->fed;
    struct rings *rings = &history->instance;
    put(rings, SERIES_UTILIZATION, number, sample_of(host_utilization(host)));
    put(rings, SERIES_MEMORY, number, percent_of(host_memory_used(host), host_memory_total(host)));
    put(rings, SERIES_HOST_CPU, number, host_cpu(machine));
    put(rings, SERIES_HOST_MEMORY, number,
        percent_of(machine->memory_used_bytes, machine->memory_total_bytes));
}

// A chip that is not there has no value at this moment; when it comes back its series goes on.
static void feed_chips(struct history *history, const struct host *host)
{
    for (unsigned i = 0; i < history->chip_memory.count; i++) {
        put(&history->chip_utilization, i, history->fed, NAN);
        put(&history->chip_memory, i, history->fed, NAN);
    }
    for (unsigned i = 0; i < host->chip_count; i++) {
        const struct chip *chip = &host->chips[i];
        put(&history->chip_utilization, chip->index, history->fed,
            sample_of(chip->utilization_percent));
        put(&history->chip_memory, chip->index, history->fed,
            percent_of(chip->memory_used_bytes, chip->memory_total_bytes));
    }
}

void history_feed(struct history *history, const struct host *host)
{
    unsigned end = 0;
    for (unsigned i = 0; i < host->chip_count; i++)
        if (host->chips[i].index >= end && host->chips[i].index < SERIES_MAX)
            end = host->chips[i].index + 1;
    rings_grow(&history->chip_utilization, end, history->fed);
    rings_grow(&history->chip_memory, end, history->fed);
    feed_instance(history, host);
    feed_chips(history, host);
    history->fed++;
}

// The ring of a series, NULL when there is none.
static const struct ring *ring_of(const struct history *history, enum series_kind kind,
                                  unsigned which)
{
    const struct rings *rings = &history->instance;
    if (kind == SERIES_CHIP_UTILIZATION)
        rings = &history->chip_utilization;
    else if (kind == SERIES_CHIP_MEMORY)
        rings = &history->chip_memory;
    else
        which = (unsigned)kind;
    return which < rings->count ? &rings->items[which] : NULL;
}

size_t history_read(const struct history *history, enum series_kind kind, unsigned which,
                    float *values, size_t count)
{
    const struct ring *ring = ring_of(history, kind, which);
    const uint64_t kept = history->fed < HISTORY_SAMPLES ? history->fed : HISTORY_SAMPLES;
    if (ring == NULL)
        return 0;
    if (count > kept)
        count = (size_t)kept;
    for (size_t i = 0; i < count; i++) {
        uint64_t number = history->fed - count + i;
        values[i] =
            number < ring->born ? NAN : sample_unpack(ring->samples[number % HISTORY_SAMPLES]);
    }
    return count;
}
