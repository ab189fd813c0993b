// SPDX-License-Identifier: Apache-2.0
// Rates from the driver's counters, over several samples or over one step.
#include "source/sysfs_rate.h"

#include <string.h>

#include "source/sysfs_value.h"

// Samples closer together than this only replace each other, or many would be needed for a window.
#define SAMPLE_GAP 0.4

static void drop_oldest(struct sysfs_rate *rate)
{
    rate->count--;
    memmove(rate->at, rate->at + 1, rate->count * sizeof(rate->at[0]));
    memmove(rate->value, rate->value + 1, rate->count * sizeof(rate->value[0]));
}

static void append(struct sysfs_rate *rate, uint64_t value, double at)
{
    unsigned count = rate->count;
    if (count >= 2 && rate->at[count - 1] - rate->at[count - 2] < SAMPLE_GAP)
        rate->count--;
    else if (count == SYSFS_SAMPLES)
        drop_oldest(rate);
    rate->at[rate->count] = at;
    rate->value[rate->count++] = value;
    while (rate->count > 2 && at - rate->at[1] >= SYSFS_RATE_WINDOW)
        drop_oldest(rate);
}

void sysfs_rate_feed(struct sysfs_rate *rate, uint64_t value, double at)
{
    unsigned last = rate->count - 1;
    rate->known = false;
    if (value >= SYSFS_WRAPPED) {
        rate->count = 0;
        return;
    }
    if (rate->count > 0 && (value < rate->value[last] || at <= rate->at[last]))
        rate->count = 0;
    append(rate, value, at);
    last = rate->count - 1;
    double span = at - rate->at[0];
    if (span < SYSFS_RATE_MIN)
        return;
    rate->per_second = (double)(value - rate->value[0]) / span;
    rate->known = true;
}

void sysfs_rate_miss(struct sysfs_rate *rate)
{
    rate->known = false;
}

void sysfs_step_feed(struct sysfs_step *step, uint64_t value, double at)
{
    bool fell = value >= SYSFS_WRAPPED || !step->seen || value < step->value;
    step->read = value < SYSFS_WRAPPED;
    step->seen = step->read;
    step->value = value;
    if (fell) {
        step->known = false;
        step->from = value;
        step->at = at;
    } else if (at - step->at >= SYSFS_RATE_MIN) {
        step->per_second = (double)(value - step->from) / (at - step->at);
        step->known = true;
        step->from = value;
        step->at = at;
    }
}

void sysfs_step_miss(struct sysfs_step *step)
{
    step->read = false;
    step->known = false;
}
