// SPDX-License-Identifier: Apache-2.0
// Values and paths below /sys: what is accepted is within its bounds and is printed back as the
// same value. The bytes sit at the end of their allocation, so that reading past them is seen.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/sysfs_metric.h"
#include "source/sysfs_rate.h"
#include "source/sysfs_value.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition) ((condition) ? (void)0 : abort())

static void check_number(const char *text, size_t size)
{
    uint64_t value;
    char again[32];
    if (!sysfs_u64(text, size, &value))
        return;
    snprintf(again, sizeof(again), "%" PRIu64, value);
    size_t length = sysfs_trim(text, size), zeros = 0;
    while (zeros + 1 < length && text[zeros] == '0')
        zeros++;
    MUST(length - zeros == strlen(again) && memcmp(text + zeros, again, strlen(again)) == 0);
}

static void check_percent(double percent)
{
    MUST(percent >= 0 && percent <= 100);
}

static void check_power(const char *text, size_t size)
{
    struct sysfs_power power;
    double now;
    if (sysfs_power(text, size, &power)) {
        check_percent(power.min_percent);
        check_percent(power.max_percent);
        check_percent(power.mean_percent);
    }
    if (sysfs_power_now(text, size, &now))
        check_percent(now);
}

static void check_lists(const char *text, size_t size)
{
    unsigned list[SYSFS_NEIGHBOURS], count;
    if (sysfs_neighbours(text, size, list, &count))
        MUST(count <= SYSFS_NEIGHBOURS && size > 0);
    if (sysfs_serial(text, size))
        MUST(sysfs_trim(text, size) == 16);
    if (sysfs_components(text, size))
        MUST(memchr(text, '\033', size) == NULL);
}

static void check_tensor(const char *text, size_t size)
{
    struct sysfs_tensor tensor, none = {.rows = SYSFS_TENSOR_ROWS};
    double percent;
    if (!sysfs_tensor(text, size, &tensor))
        return;
    MUST(tensor.rows > 0 && tensor.rows <= SYSFS_TENSOR_ROWS);
    if (sysfs_tensor_active(&none, &tensor, &percent))
        check_percent(percent);
}

static void check_path(const char *text, size_t size)
{
    char *path = malloc(size + 1);
    MUST(path != NULL);
    memcpy(path, text, size);
    path[size] = '\0';
    struct sysfs_match match = sysfs_match(path);
    MUST(match.core >= -1 && match.core < SYSFS_CORES);
    MUST(match.rank == RANK_NONE ||
         match.metric < (match.core < 0 ? (unsigned)CHIP_METRICS : (unsigned)CORE_METRICS));
    free(path);
}

// Eight bytes a reading, a second apart or less: no rate is negative.
static void check_rates(const char *text, size_t size)
{
    struct sysfs_rate rate = {0};
    struct sysfs_step step = {0};
    double at = 0;
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t value;
        memcpy(&value, text + i, sizeof(value));
        at += (double)(value % 11) / 10;
        sysfs_rate_feed(&rate, value, at);
        sysfs_step_feed(&step, value, at);
        MUST(!rate.known || rate.per_second >= 0);
        MUST(!step.known || step.per_second >= 0);
        MUST(rate.count <= SYSFS_SAMPLES);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size > 0 ? size : 1);
    MUST(text != NULL);
    memcpy(text, data, size);
    check_number(text, size);
    check_power(text, size);
    check_lists(text, size);
    check_tensor(text, size);
    check_path(text, size);
    check_rates(text, size);
    free(text);
    return 0;
}
