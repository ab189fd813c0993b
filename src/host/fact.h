// SPDX-License-Identifier: Apache-2.0
// A fact: a number together with who gave it. "Nobody" means unknown, which is never the same as
// zero.
#ifndef NEUTOP_HOST_FACT_H
#define NEUTOP_HOST_FACT_H

#include <stdbool.h>
#include <stdint.h>

// Who gave a fact. FROM_NOBODY is 0, so zeroed memory is a set of unknown facts.
enum origin {
    FROM_NOBODY = 0,
    FROM_MONITOR,   // neuron-monitor, live child
    FROM_SYSFS,     // the driver's files below /sys
    FROM_DEVICE,    // the driver's quiet ioctls
    FROM_PROC,      // /proc of this host
    FROM_RECORDING, // a captured stream or recording
    FROM_DEMO,      // invented by the demo
    FROM_TABLE,     // known by chip or instance type, not read from this host
    FROM_DERIVED,   // worked out from other facts of the same snapshot
    ORIGIN_COUNT
};

struct fact_u64 {
    uint64_t value;
    uint8_t from; // enum origin
    bool stale;   // the source has gone quiet since: show as stale, never as current
};

struct fact_f64 {
    double value;
    uint8_t from;
    bool stale;
};

static inline struct fact_u64 fact_u64(uint64_t value, enum origin from)
{
    return (struct fact_u64){.value = value, .from = (uint8_t)from};
}

static inline struct fact_f64 fact_f64(double value, enum origin from)
{
    return (struct fact_f64){.value = value, .from = (uint8_t)from};
}

static inline bool known_u64(struct fact_u64 fact)
{
    return fact.from != FROM_NOBODY;
}

static inline bool known_f64(struct fact_f64 fact)
{
    return fact.from != FROM_NOBODY;
}

// Adds a known PART to SUM; a sum of only unknown parts stays unknown. A stale part makes the sum
// stale.
static inline void fact_add(struct fact_u64 *sum, struct fact_u64 part)
{
    if (part.from == FROM_NOBODY)
        return;
    sum->stale = sum->stale || part.stale;
    sum->from = sum->from == FROM_NOBODY ? part.from : sum->from;
    sum->value = sum->value > UINT64_MAX - part.value ? UINT64_MAX : sum->value + part.value;
}

// The same for numbers with a fraction.
static inline void fact_add_f64(struct fact_f64 *sum, struct fact_f64 part)
{
    if (part.from == FROM_NOBODY)
        return;
    sum->stale = sum->stale || part.stale;
    sum->from = sum->from == FROM_NOBODY ? part.from : sum->from;
    sum->value += part.value;
}

// Raises LARGEST to a known CANDIDATE.
static inline void fact_max(struct fact_f64 *largest, struct fact_f64 candidate)
{
    if (candidate.from == FROM_NOBODY)
        return;
    if (largest->from == FROM_NOBODY || candidate.value > largest->value)
        *largest = candidate;
}

#endif
