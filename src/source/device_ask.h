// SPDX-License-Identifier: Apache-2.0
// One visit to a device node: opened O_WRONLY, which attaches to nothing and never waits, asked the
// quiet calls, and closed (driver reference 8).
#ifndef NEUTOP_SOURCE_DEVICE_ASK_H
#define NEUTOP_SOURCE_DEVICE_ASK_H

#include <stdint.h>

#include "host/core_map.h"
#include "source/device_guard.h"
#include "source/device_marks.h"
#include "source/device_nodes.h"

enum { DEVICE_ERROR = 120, DEVICE_PCI = 16 };

// What is the same for all devices of the host, so one of them is asked. False or 0 is unknown.
struct device_facts {
    bool asked;
    bool has_compat;
    uint32_t compat_min, compat_max;
    uint32_t architecture, revision;
    bool has_features;
    uint64_t features;
    bool has_pod;  // part of an UltraServer after all: open nothing more
    bool no_marks; // core marks are not to be asked for any more
    unsigned place_count;
    struct core_place places[CORE_MAP_MAX];
    char error[DEVICE_ERROR]; // the first call that failed, "" none
};

enum device_outcome { DEVICE_ANSWERED, DEVICE_DENIED, DEVICE_BUSY, DEVICE_FAILED };

// Visits NODE in the directory DEV. FACTS are asked when they were not yet. PCI gets the name of
// the device's PCI function, "" unknown; MARKS (NULL: not wanted) the cores that are reserved;
// ERROR the first thing that failed, "" nothing.
enum device_outcome device_ask(int dev, const struct device_node *node,
                               const struct device_guard *guard, struct device_facts *facts,
                               char pci[DEVICE_PCI], struct device_marks *marks,
                               char error[DEVICE_ERROR]);

#endif
