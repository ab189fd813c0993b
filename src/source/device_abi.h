// SPDX-License-Identifier: Apache-2.0
// The calls of the Neuron driver that a handle opened O_WRONLY answers and that change nothing
// (driver reference 4, 5.1, 8.2), and the pair of core marks, which device_marks.c alone may use
// and only as reference 11.5 says. No other call is written down here, so none can be made by
// mistake. Where the number encodes the size of a pointer instead of the structure it stays so:
// driver and numbers are exact.
#ifndef NEUTOP_SOURCE_DEVICE_ABI_H
#define NEUTOP_SOURCE_DEVICE_ABI_H

#include <stddef.h>
#include <stdint.h>

enum { DEVICE_ERRNO_NOT_SUPPORTED = 524 }; // the kernel's own ENOTSUPP, unknown to libc

// Range of runtime API numbers that the driver accepts. The larger one comes first.
struct device_compatible_version {
    uint32_t max, min;
};
#define DEVICE_COMPATIBLE_VERSION 0x40084e5dUL

// Architecture 1..4; revision 240: emulator, 255: qemu.
struct device_basic_info {
    uint32_t architecture, revision;
};
#define DEVICE_BASIC_INFO 0x40084e64UL

struct device_driver_info {
    uint32_t architecture, revision, version, size;
    uint64_t features;
};
#define DEVICE_DRIVER_INFO_GET 0x80184e6eUL

// PCI function of the device at ND_INDEX, counted from the opened one. Nothing but 0 may ever be
// passed: a sum of 64 or more stops the kernel (driver reference 11.4).
struct device_bdf {
    uint32_t nd_index, domain, bus;
    uint8_t slot, function;
    uint8_t padding[2];
};
#define DEVICE_BDF_EXT 0x80084e6aUL

// Linear core numbers to physical cores; Trainium2 and Trainium3 only.
enum { DEVICE_CORE_MAP_ENTRIES = 128 };
struct device_core_map_entry {
    uint32_t device, core;
};
struct device_core_map {
    uint32_t count;
    struct device_core_map_entry entries[DEVICE_CORE_MAP_ENTRIES];
};
struct device_core_map_call {
    uint64_t map; // address of a struct device_core_map
    uint32_t max_entries, version;
};
#define DEVICE_CORE_MAP_GET 0xc0104e78UL

// Whether this host is one of several that work as an UltraServer.
struct device_pod_info {
    uint16_t bytes; // of this structure
    uint8_t type;   // 0: none
    uint8_t id[256];
    uint8_t size;
};
#define DEVICE_POD_INFO 0xc1044e79UL

enum { DEVICE_POD_ELECTING = 1, DEVICE_POD_ULTRASERVER = 2 };
struct device_pod_status {
    uint16_t bytes; // of this structure
    uint8_t id[256];
    uint8_t padding[2];
    uint32_t state;
    uint8_t type, size;
    int8_t node;
    uint8_t padding2;
    uint32_t mode, modes;
};
#define DEVICE_POD_STATUS_V2 0xc1144e7aUL

// Reserves WANTED cores out of FIRST to LAST, counted within the opened device. Nothing but two
// cores out of a range of one may ever be passed, which cannot be granted: it fails with EBUSY and
// AVAILABLE is 1 when the core is free and 0 when it is reserved.
struct device_core_marks {
    uint32_t wanted, first, last, available;
    uint64_t cores[8]; // bits; of a mark: what was reserved, of its counterpart: what to give back
};
#define DEVICE_MARK_CORES 0xc0504e55UL
#define DEVICE_UNMARK_CORES 0x40504e56UL // only to undo a mark that should not have been

// How Linux makes the number of a call: direction, size, type 'N', number.
#define DEVICE_CALL(direction, number, size)                                              \
    (((unsigned long)(direction) << 30) | ((unsigned long)(size) << 16) | (0x4eUL << 8) | \
     (unsigned long)(number))
enum { DEVICE_IN = 1, DEVICE_OUT = 2, DEVICE_BOTH = 3, DEVICE_POINTER = 8 };

#define DEVICE_CHECK(condition) _Static_assert(condition, #condition)

DEVICE_CHECK(DEVICE_COMPATIBLE_VERSION == DEVICE_CALL(DEVICE_IN, 93, DEVICE_POINTER));
DEVICE_CHECK(sizeof(struct device_compatible_version) == 8);
DEVICE_CHECK(offsetof(struct device_compatible_version, max) == 0);
DEVICE_CHECK(offsetof(struct device_compatible_version, min) == 4);

DEVICE_CHECK(DEVICE_BASIC_INFO == DEVICE_CALL(DEVICE_IN, 100, DEVICE_POINTER));
DEVICE_CHECK(sizeof(struct device_basic_info) == 8);
DEVICE_CHECK(offsetof(struct device_basic_info, revision) == 4);

DEVICE_CHECK(DEVICE_DRIVER_INFO_GET ==
             DEVICE_CALL(DEVICE_OUT, 110, sizeof(struct device_driver_info)));
DEVICE_CHECK(sizeof(struct device_driver_info) == 24);
DEVICE_CHECK(offsetof(struct device_driver_info, size) == 12);
DEVICE_CHECK(offsetof(struct device_driver_info, features) == 16);

DEVICE_CHECK(DEVICE_BDF_EXT == DEVICE_CALL(DEVICE_OUT, 106, DEVICE_POINTER));
DEVICE_CHECK(sizeof(struct device_bdf) == 16);
DEVICE_CHECK(offsetof(struct device_bdf, domain) == 4);
DEVICE_CHECK(offsetof(struct device_bdf, bus) == 8);
DEVICE_CHECK(offsetof(struct device_bdf, slot) == 12);
DEVICE_CHECK(offsetof(struct device_bdf, function) == 13);

DEVICE_CHECK(DEVICE_CORE_MAP_GET ==
             DEVICE_CALL(DEVICE_BOTH, 120, sizeof(struct device_core_map_call)));
DEVICE_CHECK(sizeof(struct device_core_map_call) == 16);
DEVICE_CHECK(offsetof(struct device_core_map_call, max_entries) == 8);
DEVICE_CHECK(offsetof(struct device_core_map_call, version) == 12);
DEVICE_CHECK(sizeof(struct device_core_map) == 4 + 8 * DEVICE_CORE_MAP_ENTRIES);
DEVICE_CHECK(offsetof(struct device_core_map, entries) == 4);

DEVICE_CHECK(DEVICE_POD_INFO == DEVICE_CALL(DEVICE_BOTH, 121, sizeof(struct device_pod_info)));
DEVICE_CHECK(sizeof(struct device_pod_info) == 260);
DEVICE_CHECK(offsetof(struct device_pod_info, type) == 2);
DEVICE_CHECK(offsetof(struct device_pod_info, id) == 3);
DEVICE_CHECK(offsetof(struct device_pod_info, size) == 259);

DEVICE_CHECK(DEVICE_POD_STATUS_V2 ==
             DEVICE_CALL(DEVICE_BOTH, 122, sizeof(struct device_pod_status)));
DEVICE_CHECK(sizeof(struct device_pod_status) == 276);
DEVICE_CHECK(offsetof(struct device_pod_status, id) == 2);
DEVICE_CHECK(offsetof(struct device_pod_status, state) == 260);
DEVICE_CHECK(offsetof(struct device_pod_status, type) == 264);
DEVICE_CHECK(offsetof(struct device_pod_status, node) == 266);
DEVICE_CHECK(offsetof(struct device_pod_status, mode) == 268);
DEVICE_CHECK(offsetof(struct device_pod_status, modes) == 272);

DEVICE_CHECK(DEVICE_MARK_CORES == DEVICE_CALL(DEVICE_BOTH, 85, sizeof(struct device_core_marks)));
DEVICE_CHECK(DEVICE_UNMARK_CORES == DEVICE_CALL(DEVICE_IN, 86, sizeof(struct device_core_marks)));
DEVICE_CHECK(sizeof(struct device_core_marks) == 80);
DEVICE_CHECK(offsetof(struct device_core_marks, first) == 4);
DEVICE_CHECK(offsetof(struct device_core_marks, last) == 8);
DEVICE_CHECK(offsetof(struct device_core_marks, available) == 12);
DEVICE_CHECK(offsetof(struct device_core_marks, cores) == 16);

#endif
