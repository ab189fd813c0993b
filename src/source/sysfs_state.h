// SPDX-License-Identifier: Apache-2.0
// What the sysfs reader holds in memory. Private to its files: sysfs.c (the reader), sysfs_list.c
// (which devices there are), sysfs_read.c (one tick), sysfs_slow.c (files that take seconds),
// sysfs_fill.c (into a snapshot).
#ifndef NEUTOP_SOURCE_SYSFS_STATE_H
#define NEUTOP_SOURCE_SYSFS_STATE_H

#include <sys/types.h>

#include "source/hostinfo.h"
#include "source/source.h"
#include "source/sysfs_index.h"
#include "source/sysfs_rate.h"
#include "source/sysfs_value.h"

enum {
    SYSFS_DEVICES = 64,       // the driver's limit (driver reference 1)
    SYSFS_CORE_FILES = 12,    // at most so many files of a core in a tick, but the first
    SYSFS_SLOW_TEXT = 128,    // a longer answer of a slow file is none
    SYSFS_SETTLE_SECONDS = 1, // a new device is let alone so long (driver reference 8.4)
    SYSFS_SLOW_SECONDS = 10,
    SYSFS_MEMORY_SECONDS = 30, // the categories are read again though the total stood still
    NODE_NAME = 32
};

struct sysfs_number {
    bool known;
    uint64_t value;
};

// Readings of one physical core.
struct sysfs_core {
    bool read; // once in full
    struct sysfs_number memory, memory_peak, host_memory;
    struct sysfs_number category[MEM_OTHER];
    struct sysfs_number category_total; // that the categories belong to
    struct sysfs_number category_start; // when their reading began
    bool category_pending;              // memory has changed since: their reading is under way
    unsigned category_cursor, category_left;
    double category_at;
    struct sysfs_rate time_in_use, flops;
    struct sysfs_step event[CORE_EVENTS];
    unsigned event_cursor;
    struct sysfs_tensor tensor;
    double tensor_at;
    struct sysfs_number tensor_ok; // value: hundredths of a percent
};

struct sysfs_slow_value {
    bool known; // it was read and has LENGTH bytes of TEXT
    double at;  // monotonic seconds; 0: never read
    size_t length;
    char text[SYSFS_SLOW_TEXT];
};

// One device. Kept while it is listed, whether it is read or not.
struct sysfs_device {
    unsigned index;
    ino_t inode;  // of its directory: another one is another device
    double since; // when it appeared
    bool mapped;  // a node for it is here
    bool indexed;
    double index_at;
    int closed;    // errno: why its directory could not be opened; 0: it could
    bool replaced; // its files were exchanged below us: index again, counters go on
    char node[NODE_NAME];
    char name[SYSFS_SLOW_TEXT]; // info/architecture/device_name, "" unknown
    struct sysfs_index files;
    struct sysfs_core *cores; // files.core_end of them
    unsigned core_room;
    bool has_power;
    struct sysfs_power power;
    struct sysfs_number power_now; // hundredths of a percent
    struct sysfs_number host[CHIP_HOST_FILES];
    unsigned host_cursor;
    bool connected_known, connected_denied;
    unsigned connected_count, connected[SYSFS_NEIGHBOURS];
    struct sysfs_slow_value slow[CHIP_METRICS - CHIP_SLOW_FIRST];
    uint64_t heartbeat;
    double heartbeat_at; // when it last advanced; 0: never seen
};

struct sysfs_slow; // sysfs_slow.c

struct sysfs {
    const struct source_options *options;
    double (*clock)(void); // monotonic seconds; the tests have their own
    struct sysfs_device *devices[SYSFS_DEVICES];
    unsigned listed;  // devices below /sys
    unsigned odd;     // what is named as a device there and is no directory
    unsigned mapped;  // of those, with a node here
    unsigned reading; // of those, indexed
    bool list_lost;   // the directory of the devices is gone
    double nodes_at;  // when /dev was last looked at
    bool nodes_stale;
    struct sysfs_room room;
    long room_asked;
    char driver[64], driver_state[32];
    double driver_at;
    bool live; // runtime counters of running processes count (driver 2.30 and later)
    struct sysfs_slow *slow;
    double slow_at;
    struct hostinfo *host;
    char pci[20];           // of the only device there is; "" unknown
    struct pci_place place; // of that function
    unsigned ticks;         // readings taken
    double read_at, next;   // monotonic seconds
    double delay;
    char detail[SOURCE_DETAIL]; // of the last status()
};

// sysfs_list.c: looks which devices there are and drops those gone; with WALK the new ones are
// taken up, which takes some milliseconds each.
void sysfs_list(struct sysfs *sysfs, double now, bool walk);
void sysfs_list_close(struct sysfs *sysfs);

// sysfs_read.c: reads the driver's version and one tick of all devices.
void sysfs_read(struct sysfs *sysfs);

// sysfs_slow.c. The thread is started when there is the first thing to read. A round that is still
// under way is not disturbed. WAIT_SECONDS: how long to wait for the round to end.
void sysfs_slow_round(struct sysfs *sysfs);
void sysfs_slow_collect(struct sysfs *sysfs, double wait_seconds);
void sysfs_slow_close(struct sysfs *sysfs);

// sysfs_fill.c. Unmapped: devices of the driver that have no node here, since a container was not
// given them (field case F-24).
void sysfs_fill(const struct sysfs *sysfs, struct host *host, double now);
struct core_set sysfs_unmapped(const struct sysfs *sysfs);

static inline double sysfs_interval(const struct sysfs *sysfs)
{
    return sysfs->delay > 0 ? sysfs->delay : 1;
}

#endif
