// SPDX-License-Identifier: Apache-2.0
// Whether device nodes may be opened on this host at all, even in the quiet way. On an UltraServer
// closing such a handle may reset what the servers agreed on (driver reference 8.1), so where that
// cannot be ruled out nothing is opened.
#ifndef NEUTOP_SOURCE_DEVICE_GUARD_H
#define NEUTOP_SOURCE_DEVICE_GUARD_H

#include <stdbool.h>
#include <stddef.h>

struct device_guard {
    bool allowed;
    bool has_core_map;   // the driver knows the calls for core map and pods (2.20 and later)
    bool has_pod_status; // and the newer form of the pod's state (2.23 and later)
    bool has_marks;      // core marks are as they were seen (2.20 to 2.30)
    char why[200];       // one line when not allowed
};

// Reads what the driver and the machine say below ROOT ("" for /). INDEX: any device of the driver.
// An unknown call makes the driver write to the kernel log, hence what it knows goes by its version
// (driver reference 5.1).
void device_guard_look(struct device_guard *guard, const char *root, unsigned index);

#endif
