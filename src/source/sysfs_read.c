// SPDX-License-Identifier: Apache-2.0
// One tick: what the overview needs of every core, and of the rest a few files in turn, so that a
// core costs at most SYSFS_CORE_FILES reads.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/version.h"
#include "source/below.h"
#include "source/sysfs_state.h"

enum {
    DRIVER_SECONDS = 10,
    CATEGORIES_A_TICK = 8, // beside memory, time in use, operations and successes
    EVENTS_A_TICK = 4,
    HOST_FILES_A_TICK = 2,
    EVERYTHING = CORE_METRICS
};

// Runtime counters of running processes count from this driver on (driver reference 2.4).
#define LIVE_SINCE "2.30"

// Without a version a file that came with live counters tells.
static bool layout_is_live(const struct sysfs *sysfs)
{
    for (unsigned i = 0; i < SYSFS_DEVICES; i++) {
        const struct sysfs_device *device = sysfs->devices[i];
        if (device != NULL && device->indexed &&
            device->files.chip[CHIP_MEM_CORRECTED].path != NULL)
            return true;
    }
    return false;
}

static void read_driver(struct sysfs *sysfs, double now)
{
    struct version version;
    if (now - sysfs->driver_at < DRIVER_SECONDS)
        return;
    sysfs->driver_at = now;
    const char *root = sysfs->options->root;
    below_line(root, "/sys/module/neuron/version", sysfs->driver, sizeof(sysfs->driver));
    below_line(root, "/sys/module/neuron/initstate", sysfs->driver_state,
               sizeof(sysfs->driver_state));
    sysfs->live = version_parse(&version, sysfs->driver)
                      ? version_compare_text(sysfs->driver, LIVE_SINCE) >= 0
                      : layout_is_live(sysfs);
}

struct reading {
    struct sysfs *sysfs;
    struct sysfs_device *device;
    unsigned k;
    struct sysfs_core *core;
};

static bool read_metric(const struct reading *reading, unsigned metric, uint64_t *value)
{
    return sysfs_file_u64(&reading->device->files, &reading->device->files.core[reading->k][metric],
                          &reading->sysfs->room, value);
}

static bool has_metric(const struct reading *reading, unsigned metric)
{
    const struct sysfs_file *file = &reading->device->files.core[reading->k][metric];
    return file->path != NULL && !file->ambiguous;
}

// Bytes in use: a value that wrapped is no amount.
static struct sysfs_number read_bytes(const struct reading *reading, unsigned metric)
{
    struct sysfs_number number = {false, 0};
    number.known = read_metric(reading, metric, &number.value) && number.value < SYSFS_WRAPPED;
    return number;
}

static void feed_rate(struct sysfs_rate *rate, struct sysfs_number value, double at)
{
    if (value.known)
        sysfs_rate_feed(rate, value.value, at);
    else
        sysfs_rate_miss(rate);
}

static void read_event(const struct reading *reading, unsigned event, double at)
{
    uint64_t value;
    if (read_metric(reading, CORE_EVENT_FIRST + event, &value))
        sysfs_step_feed(&reading->core->event[event], value, at);
    else
        sysfs_step_miss(&reading->core->event[event]);
}

// The counters of a running runtime, with one time for all: the middle of their reading.
static double read_counters(const struct reading *reading, double before)
{
    struct sysfs_number use, flops;
    use.known = read_metric(reading, CORE_TIME_IN_USE, &use.value);
    flops.known = read_metric(reading, CORE_FLOPS, &flops.value);
    double at = (before + reading->sysfs->clock()) / 2;
    feed_rate(&reading->core->time_in_use, use, at);
    feed_rate(&reading->core->flops, flops, at);
    read_event(reading, EVENT_SUCCESS, at);
    return at;
}

static void start_categories(struct sysfs_core *core)
{
    core->category_pending = true;
    core->category_left = MEM_OTHER;
    core->category_cursor = 0;
    core->category_start = core->memory;
}

// Starts reading the categories anew when the total moved, or when they are old: what one gave and
// another took leaves the total alone.
static void check_categories(const struct reading *reading, double now)
{
    struct sysfs_core *core = reading->core;
    bool moved = core->memory.known &&
                 (!core->category_total.known || core->category_total.value != core->memory.value);
    bool old = now - core->category_at >= SYSFS_MEMORY_SECONDS;
    if (core->category_pending || (core->read && !moved && !old))
        return;
    start_categories(core);
}

static uint64_t sum_categories(const struct sysfs_core *core)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < MEM_OTHER; i++)
        if (core->category[i].known)
            sum += core->category[i].value;
    return sum;
}

// Reads up to BUDGET categories. They are complete as soon as they add up to the total
// (driver reference 2.6), or when all were read.
static void read_categories(const struct reading *reading, unsigned budget, double now)
{
    struct sysfs_core *core = reading->core;
    while (budget > 0 && core->category_left > 0) {
        unsigned category = core->category_cursor;
        core->category_cursor = (category + 1) % MEM_OTHER;
        core->category_left--;
        unsigned metric = CORE_CATEGORY_FIRST + category;
        if (!has_metric(reading, metric))
            continue;
        core->category[category] = read_bytes(reading, metric);
        budget--;
    }
    bool adds_up = core->memory.known && sum_categories(core) == core->memory.value;
    if (core->category_left > 0 && !adds_up)
        return;
    if (!adds_up && core->memory.value != core->category_start.value) {
        start_categories(core); // the total moved on meanwhile
        return;
    }
    core->category_pending = false;
    core->category_total = core->memory;
    core->category_at = now;
}

// The Nth of what is read in turn; the events follow two amounts of memory.
static void read_in_turn(const struct reading *reading, unsigned n, double at)
{
    struct sysfs_core *core = reading->core;
    if (n == 0)
        core->memory_peak = read_bytes(reading, CORE_MEMORY_PEAK);
    else if (n == 1)
        core->host_memory = read_bytes(reading, CORE_HOST_MEMORY);
    else
        read_event(reading, n - 2, at);
}

static bool turn_is_there(const struct reading *reading, unsigned n)
{
    bool every_tick = reading->sysfs->live && n == 2 + EVENT_SUCCESS;
    unsigned metric = n == 0   ? CORE_MEMORY_PEAK
                      : n == 1 ? CORE_HOST_MEMORY
                               : CORE_EVENT_FIRST + n - 2;
    return !every_tick && has_metric(reading, metric);
}

static void read_others(const struct reading *reading, unsigned budget, double at)
{
    struct sysfs_core *core = reading->core;
    for (unsigned looked = 0; looked < CORE_EVENTS + 2U && budget > 0; looked++) {
        unsigned n = core->event_cursor;
        core->event_cursor = (n + 1) % (CORE_EVENTS + 2U);
        if (!turn_is_there(reading, n))
            continue;
        read_in_turn(reading, n, at);
        budget--;
    }
}

// Many slow register reads behind one file: only on request, and not faster than once a second
// (driver reference 2.8).
static void read_tensor(const struct reading *reading)
{
    struct sysfs_core *core = reading->core;
    struct sysfs_tensor now;
    char text[SYSFS_TEXT];
    double percent, at = reading->sysfs->clock();
    if (at - core->tensor_at < SYSFS_RATE_MIN)
        return;
    ssize_t got = sysfs_file_read(&reading->device->files,
                                  &reading->device->files.core[reading->k][CORE_TENSOR],
                                  &reading->sysfs->room, text);
    if (got <= 0 || !sysfs_tensor(text, (size_t)got, &now)) {
        core->tensor_ok.known = false;
        return;
    }
    core->tensor_ok.known = sysfs_tensor_active(&core->tensor, &now, &percent);
    core->tensor_ok.value = core->tensor_ok.known ? (uint64_t)(percent * 100 + 0.5) : 0;
    core->tensor = now;
    core->tensor_at = at;
}

static void read_core(const struct reading *reading)
{
    struct sysfs_core *core = reading->core;
    double at = reading->sysfs->clock();
    if (reading->sysfs->live)
        at = read_counters(reading, at);
    core->memory = read_bytes(reading, CORE_MEMORY);
    check_categories(reading, at);
    if (!core->read) {
        read_categories(reading, EVERYTHING, at);
        read_others(reading, EVERYTHING, at);
    } else if (core->category_pending) {
        read_categories(reading, CATEGORIES_A_TICK, at);
    } else {
        read_others(reading, EVENTS_A_TICK, at);
    }
    if (reading->sysfs->options->tensor_activity)
        read_tensor(reading);
    core->read = true;
}

static ssize_t read_chip(struct sysfs *sysfs, struct sysfs_device *device, unsigned metric,
                         char *text)
{
    return sysfs_file_read(&device->files, &device->files.chip[metric], &sysfs->room, text);
}

static void read_connected(struct sysfs *sysfs, struct sysfs_device *device)
{
    char text[SYSFS_TEXT];
    if (device->connected_known || device->connected_denied)
        return;
    ssize_t got = read_chip(sysfs, device, CHIP_CONNECTED, text);
    device->connected_denied = got == -EACCES || got == -EPERM;
    device->connected_known =
        got > 0 && sysfs_neighbours(text, (size_t)got, device->connected, &device->connected_count);
}

// Before 2.8 there was no device_name; then v3 could only be Inferentia2 (driver reference 2.11).
static void read_name(struct sysfs *sysfs, struct sysfs_device *device)
{
    static const char *const before_names[] = {"Inferentia", "Trainium1", "Inferentia2"};
    char text[SYSFS_TEXT];
    if (device->name[0] != '\0')
        return;
    ssize_t got = read_chip(sysfs, device, CHIP_DEVICE_NAME, text);
    size_t length = got > 0 ? sysfs_trim(text, (size_t)got) : 0;
    if (length > 0 && length < sizeof(device->name)) {
        memcpy(device->name, text, length);
        device->name[length] = '\0';
        return;
    }
    got = read_chip(sysfs, device, CHIP_ARCH_TYPE, text);
    length = got > 0 ? sysfs_trim(text, (size_t)got) : 0;
    if (length == 2 && text[0] == 'v' && text[1] >= '1' && text[1] <= '3')
        snprintf(device->name, sizeof(device->name), "%s", before_names[text[1] - '1']);
}

static void read_power(struct sysfs *sysfs, struct sysfs_device *device)
{
    char text[SYSFS_TEXT];
    double percent;
    ssize_t got = read_chip(sysfs, device, CHIP_POWER, text);
    device->has_power = got > 0 && sysfs_power(text, (size_t)got, &device->power);
    got = read_chip(sysfs, device, CHIP_POWER_NOW, text);
    device->power_now.known = got > 0 && sysfs_power_now(text, (size_t)got, &percent);
    device->power_now.value = device->power_now.known ? (uint64_t)(percent * 100 + 0.5) : 0;
}

static void read_host_memory(struct sysfs *sysfs, struct sysfs_device *device, unsigned budget)
{
    for (unsigned n = 0; n < budget; n++) {
        unsigned i = device->host_cursor;
        device->host_cursor = (i + 1) % CHIP_HOST_FILES;
        struct sysfs_number *number = &device->host[i];
        number->known = sysfs_file_u64(&device->files, &device->files.chip[CHIP_HOST_FIRST + i],
                                       &sysfs->room, &number->value) &&
                        number->value < SYSFS_WRAPPED;
    }
}

static void mark_files(struct sysfs *sysfs, struct sysfs_device *device)
{
    sysfs_file_every_tick(&device->files.chip[CHIP_POWER], &sysfs->room, false);
    sysfs_file_every_tick(&device->files.chip[CHIP_POWER_NOW], &sysfs->room, false);
    for (unsigned k = 0; k < device->files.core_end; k++) {
        struct sysfs_file *files = device->files.core[k];
        sysfs_file_every_tick(&files[CORE_MEMORY], &sysfs->room, !sysfs->live);
        if (!sysfs->live)
            continue;
        sysfs_file_every_tick(&files[CORE_TIME_IN_USE], &sysfs->room, true);
        sysfs_file_every_tick(&files[CORE_FLOPS], &sysfs->room, false);
        sysfs_file_every_tick(&files[CORE_EVENT_FIRST + EVENT_SUCCESS], &sysfs->room, false);
    }
}

static void read_device(struct sysfs *sysfs, struct sysfs_device *device)
{
    bool first = device->files.core_end > 0 && !device->cores[0].read;
    for (unsigned k = 0; k < device->files.core_end; k++) {
        if (!device->files.has_core[k])
            continue;
        struct reading reading = {sysfs, device, k, &device->cores[k]};
        read_core(&reading);
    }
    read_name(sysfs, device);
    read_connected(sysfs, device);
    read_power(sysfs, device);
    read_host_memory(sysfs, device, first ? CHIP_HOST_FILES : HOST_FILES_A_TICK);
}

void sysfs_read(struct sysfs *sysfs)
{
    read_driver(sysfs, sysfs->clock());
    for (unsigned i = 0; i < SYSFS_DEVICES; i++)
        if (sysfs->devices[i] != NULL && sysfs->devices[i]->indexed)
            mark_files(sysfs, sysfs->devices[i]);
    for (unsigned i = 0; i < SYSFS_DEVICES; i++)
        if (sysfs->devices[i] != NULL && sysfs->devices[i]->indexed)
            read_device(sysfs, sysfs->devices[i]);
    hostinfo_sample(sysfs->host);
    sysfs->read_at = sysfs->clock();
    sysfs->ticks++;
}
