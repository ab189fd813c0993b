// SPDX-License-Identifier: Apache-2.0
// Rates from the driver's counters. A counter may fall, be zeroed by root, or wrap: then it starts
// anew from there (driver reference 2.4, 2.5).
#ifndef NEUTOP_SOURCE_SYSFS_RATE_H
#define NEUTOP_SOURCE_SYSFS_RATE_H

#include <stdbool.h>
#include <stdint.h>

// The runtime may add its time at the end of an execution only, so the rate is taken over several
// samples: over SYSFS_RATE_WINDOW seconds once they have passed, never over less than
// SYSFS_RATE_MIN.
#define SYSFS_RATE_MIN 0.9
#define SYSFS_RATE_WINDOW 4.0

enum { SYSFS_SAMPLES = 12 };

struct sysfs_rate {
    bool known;
    double per_second;
    unsigned count; // samples below, oldest first
    double at[SYSFS_SAMPLES];
    uint64_t value[SYSFS_SAMPLES];
};

// A counter of which only the step from its last reading is kept.
struct sysfs_step {
    bool known;      // per_second
    bool read, seen; // the last reading succeeded; one ever did
    double per_second;
    double at; // of the reading that the next rate counts from
    uint64_t from, value;
};

// Takes the VALUE that was read at monotonic time AT.
void sysfs_rate_feed(struct sysfs_rate *rate, uint64_t value, double at);

// It could not be read this time: no rate, but its baseline stays.
void sysfs_rate_miss(struct sysfs_rate *rate);

// The same two for a step.
void sysfs_step_feed(struct sysfs_step *step, uint64_t value, double at);
void sysfs_step_miss(struct sysfs_step *step);

#endif
