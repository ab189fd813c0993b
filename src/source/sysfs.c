// SPDX-License-Identifier: Apache-2.0
// The driver's files below /sys as a source (driver reference, section 2). Reads only, opens no
// device node, and nothing that the kernel may hold for seconds outside its own thread.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/text.h"
#include "base/xmem.h"
#include "host/version.h"
#include "source/sysfs_state.h"

// The very first snapshot may be the only one: the slow files get so long to be in it.
#define FIRST_WAIT 0.05

static double monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool module_is_loaded(const struct source_options *options)
{
    char path[4096];
    struct stat info;
    int length = snprintf(path, sizeof(path), "%s/sys/module/neuron", options->root);
    return length > 0 && (size_t)length < sizeof(path) && stat(path, &info) == 0;
}

// Why nothing can be read, in the order of field case F-14.
static void explain_absence(const struct sysfs *sysfs, struct trouble *trouble)
{
    const char *root = sysfs->options->root;
    if (sysfs->listed > 0)
        snprintf(trouble->line, sizeof(trouble->line),
                 "the driver has %u device%s, but no node of it is mapped here (%s/dev/neuron*)",
                 sysfs->listed, sysfs->listed == 1 ? "" : "s", root);
    else if (sysfs->odd > 0)
        snprintf(trouble->line, sizeof(trouble->line),
                 "%u of the driver's devices in %s/sys/class/neuron_device %s no director%s",
                 sysfs->odd, root, sysfs->odd == 1 ? "is" : "are", sysfs->odd == 1 ? "y" : "ies");
    else if (module_is_loaded(sysfs->options))
        snprintf(trouble->line, sizeof(trouble->line),
                 "the driver is loaded, but has no device in %s/sys/class/neuron_device", root);
    else
        snprintf(trouble->line, sizeof(trouble->line),
                 "the Neuron driver is not loaded: there is no %s/sys/module/neuron", root);
}

static void sysfs_free(struct sysfs *sysfs)
{
    sysfs_slow_close(sysfs);
    sysfs_list_close(sysfs);
    hostinfo_close(sysfs->host);
    free(sysfs);
}

static bool sysfs_open(struct source *source, struct trouble *trouble)
{
    struct sysfs *sysfs = xcalloc(1, sizeof(*sysfs));
    sysfs->options = source->options;
    sysfs->clock = monotonic;
    sysfs->delay = source->options->delay_seconds;
    sysfs->driver_at = sysfs->slow_at = sysfs->nodes_at = -INFINITY;
    sysfs->next = -INFINITY;
    sysfs->host = hostinfo_open(source->options->root);
    sysfs_list(sysfs, sysfs->clock(), false);
    if (sysfs->mapped == 0) {
        explain_absence(sysfs, trouble);
        sysfs_free(sysfs);
        return false;
    }
    if (sysfs->listed == 1 &&
        pci_single_function(source->options->root, sysfs->pci, sizeof(sysfs->pci)))
        pci_place_read(&sysfs->place, source->options->root, sysfs->pci);
    source->state = sysfs;
    return true;
}

static double sysfs_deadline(const struct source *source)
{
    const struct sysfs *sysfs = source->state;
    return sysfs->next;
}

static enum source_event sysfs_work(struct source *source, double now)
{
    struct sysfs *sysfs = source->state;
    if (now < sysfs->next)
        return SOURCE_QUIET;
    sysfs->next = now + sysfs_interval(sysfs);
    bool first = sysfs->ticks == 0;
    sysfs_list(sysfs, sysfs->clock(), true);
    sysfs_read(sysfs);
    sysfs_slow_round(sysfs);
    sysfs_slow_collect(sysfs, first ? FIRST_WAIT : 0);
    return SOURCE_NEW;
}

static void sysfs_set_delay(struct source *source, double seconds)
{
    struct sysfs *sysfs = source->state;
    double due = sysfs->next - sysfs_interval(sysfs) + seconds;
    sysfs->delay = seconds;
    if (due < sysfs->next)
        sysfs->next = due;
}

static void sysfs_fill_host(const struct source *source, struct host *host, double now)
{
    sysfs_fill(source->state, host, now);
}

// A metric that the driver should have but that was not found where it can be told.
static const char *missing_metric(const struct sysfs *sysfs)
{
    for (unsigned i = 0; i < SYSFS_DEVICES; i++) {
        const struct sysfs_device *device = sysfs->devices[i];
        if (device == NULL || !device->indexed || device->files.core_end == 0)
            continue;
        const struct sysfs_file *files = device->files.core[device->files.core_end - 1];
        if (files[CORE_MEMORY].path == NULL || files[CORE_MEMORY].ambiguous)
            return sysfs_core_metric_name(CORE_MEMORY);
        if (sysfs->live &&
            (files[CORE_TIME_IN_USE].path == NULL || files[CORE_TIME_IN_USE].ambiguous))
            return sysfs_core_metric_name(CORE_TIME_IN_USE);
        return NULL;
    }
    return NULL;
}

// Why none of the devices that are there is read: they cannot be opened, or are let alone for a
// moment since they are new.
static const char *why_unread(struct sysfs *sysfs)
{
    for (unsigned i = 0; i < SYSFS_DEVICES; i++) {
        const struct sysfs_device *device = sysfs->devices[i];
        if (device == NULL || !device->mapped || device->closed == 0)
            continue;
        snprintf(sysfs->detail, sizeof(sysfs->detail), "cannot open the directory neuron%u: %s", i,
                 strerror(device->closed));
        return sysfs->detail;
    }
    return "the devices have just come back";
}

// Sysfs is not filtered in a container: it has every device of the host (field case F-24).
static size_t not_mapped(const struct sysfs *sysfs, char *text, size_t size)
{
    const struct core_set others = sysfs_unmapped(sysfs);
    char set[64];
    return (size_t)snprintf(text, size, ", %s on host, not mapped here",
                            core_set_format(&others, set, sizeof(set)));
}

static const char *describe(const struct sysfs *sysfs, char *text, size_t size)
{
    char version[80];
    const char *missing = missing_metric(sysfs);
    text_clean_to(version, sizeof(version), sysfs->driver, strlen(sysfs->driver));
    int length = snprintf(text, size, "driver %s, %u device%s",
                          version[0] != '\0' ? version : "of unknown version", sysfs->reading,
                          sysfs->reading == 1 ? "" : "s");
    size_t used = length > 0 ? (size_t)length : 0;
    if (used < size && sysfs->mapped < sysfs->listed)
        used += not_mapped(sysfs, text + used, size - used);
    if (used < size && missing != NULL)
        used += (size_t)snprintf(text + used, size - used, ", %s not found in its files", missing);
    if (used < size && !sysfs->live)
        snprintf(text + used, size - used, ", counters not live");
    return text;
}

static void sysfs_status(const struct source *source, double now, struct source_status *status)
{
    struct sysfs *sysfs = source->state;
    double age = now - sysfs->read_at;
    status->state = SOURCE_LIVE;
    status->detail = describe(sysfs, sysfs->detail, sizeof(sysfs->detail));
    if (sysfs->ticks == 0) {
        status->state = SOURCE_STARTING;
        return;
    }
    status->age_seconds = fact_f64(age > 0 ? age : 0, FROM_SYSFS);
    if (sysfs->reading == 0) {
        status->state = SOURCE_LOST;
        status->detail = sysfs->listed == 0   ? "all devices of the driver are gone"
                         : sysfs->mapped == 0 ? "no device node is mapped here any more"
                                              : why_unread(sysfs);
    } else if (age > 3 * sysfs_interval(sysfs) + 1) {
        status->state = SOURCE_STALE;
    }
}

static void sysfs_close(struct source *source)
{
    sysfs_free(source->state);
    source->state = NULL;
}

const struct source_ops source_sysfs = {
    .name = "sysfs",
    .open = sysfs_open,
    .deadline = sysfs_deadline,
    .work = sysfs_work,
    .set_delay = sysfs_set_delay,
    .fill = sysfs_fill_host,
    .status = sysfs_status,
    .close = sysfs_close,
};
