// SPDX-License-Identifier: Apache-2.0
// Which file of the driver is which metric: one table for all layouts that are known, and the leaf
// identity by which a metric is found again when a later driver moves it (driver reference 2.11,
// 2.12).
#ifndef NEUTOP_SOURCE_SYSFS_METRIC_H
#define NEUTOP_SOURCE_SYSFS_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "host/host.h"

enum { SYSFS_CORES = 64, SYSFS_DEPTH = 9 };

// Files of a device as a whole.
enum chip_metric {
    CHIP_DEVICE_NAME,
    CHIP_ARCH_TYPE,
    CHIP_CORE_COUNT, // root only before driver 2.28
    CHIP_CONNECTED,  // root only before driver 2.28
    CHIP_POWER,
    CHIP_POWER_NOW,
    CHIP_HOST_FIRST, // the categories of host memory, as enum host_memory_file has them
    CHIP_HOST_LAST = CHIP_HOST_FIRST + 7,
    CHIP_SLOW_FIRST, // from here on: may take seconds while the device resets
    CHIP_SERIAL = CHIP_SLOW_FIRST,
    CHIP_FW_API,
    CHIP_FW_BUILD,
    CHIP_MEM_UNCORRECTED,
    CHIP_MEM_REPAIRABLE,
    CHIP_SRAM_UNCORRECTED,
    CHIP_MEM_CORRECTED,
    CHIP_SRAM_CORRECTED,
    CHIP_HEALTH_HBM,
    CHIP_HEALTH_REPAIRABLE,
    CHIP_HEALTH_SRAM,
    CHIP_HEALTH_COMPONENTS,
    CHIP_HEALTH_HEARTBEAT,
    CHIP_METRICS
};

enum { CHIP_HOST_FILES = CHIP_HOST_LAST - CHIP_HOST_FIRST + 1 };

// Files of one physical core.
enum core_metric {
    CORE_MEMORY,
    CORE_MEMORY_PEAK,
    CORE_HOST_MEMORY,
    CORE_TIME_IN_USE, // microseconds
    CORE_FLOPS,
    CORE_TENSOR,
    CORE_CATEGORY_FIRST,                                // + enum memory_category, but MEM_OTHER
    CORE_EVENT_FIRST = CORE_CATEGORY_FIRST + MEM_OTHER, // + enum core_event
    CORE_METRICS = CORE_EVENT_FIRST + CORE_EVENTS
};

// How sure a match is: a known path, or only its last names.
enum sysfs_rank { RANK_NONE, RANK_LEAF, RANK_KNOWN };

struct sysfs_match {
    enum sysfs_rank rank;
    int core;        // -1: of the device as a whole
    unsigned metric; // enum core_metric or enum chip_metric
};

// What the file at PATH (below the device's directory, "neuron_core0/stats/...") is.
struct sysfs_match sysfs_match(const char *path);

// The core that a directory NAME stands for: "neuron_core12", and "core12", "nc12", or "12" in a
// PARENT like "cores" for layouts to come. -1: none. PARENT may be NULL.
int sysfs_core_of(const char *name, const char *parent);

// Part of the name by which messages call a metric: "nc_time_in_use".
const char *sysfs_core_metric_name(unsigned metric);

// What category of host memory the Nth file of CHIP_HOST_FIRST counts.
enum host_memory_category sysfs_host_category(unsigned n);

#endif
