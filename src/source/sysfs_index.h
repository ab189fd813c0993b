// SPDX-License-Identifier: Apache-2.0
// One device of the driver below /sys: its directory walked once, the files of the metrics found in
// it, and their open descriptors (driver reference 2.11, 2.12). Private to the sysfs reader.
#ifndef NEUTOP_SOURCE_SYSFS_INDEX_H
#define NEUTOP_SOURCE_SYSFS_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "source/sysfs_metric.h"

enum { SYSFS_TEXT = 4096 }; // the kernel prints at most a page

struct arena;

// Descriptors that may stay open, shared by all devices. Files that are read in every tick come
// first: others stay open only where room for all of those is left.
struct sysfs_room {
    long open, limit;
    long wanted;         // files of every tick that are not open yet
    unsigned long reads; // so far
};

struct sysfs_file {
    const char *path; // below the device's directory; NULL: not there
    int fd;           // -1: not open
    uint8_t rank;     // enum sysfs_rank of the match
    bool ambiguous;   // several files fit equally well: the metric is unavailable
    bool line;        // it has been seen to end with a line feed, so without one it is half-written
    bool denied;      // not ours to read
    bool every_tick;
    bool watched; // in a copied tree: looked at whether it was exchanged
};

struct sysfs_index {
    struct arena *arena; // of the paths
    int dir;             // the device's directory, -1: not indexed
    struct sysfs_file chip[CHIP_METRICS];
    bool has_core[SYSFS_CORES];
    unsigned core_end;                       // 1 + the highest core there
    struct sysfs_file (*core)[CORE_METRICS]; // of cores 0 .. core_end - 1
    unsigned files;                          // regular files seen
    unsigned found;                          // of those, files of metrics
    bool copied;    // below --root: files may be exchanged, which sysfs itself never does
    bool exchanged; // one was: all the rest is to be looked at, and the tree to be walked again
};

// Lets WANTED descriptors stay open if the system allows it: the soft limit is raised as far as
// needed and as the hard limit goes. What others need is left to them.
void sysfs_room_raise(struct sysfs_room *room, long wanted);

// Walks the directory NAME of BASE and fills INDEX. False when it cannot be opened.
bool sysfs_index_open(struct sysfs_index *index, int base, const char *name, bool copied);

// Closes the files of INDEX and forgets them.
void sysfs_index_close(struct sysfs_index *index, struct sysfs_room *room);

// Marks FILE as one of those that are read in every tick. WATCHED: also as one that tells when a
// copied tree was exchanged.
void sysfs_file_every_tick(struct sysfs_file *file, struct sysfs_room *room, bool watched);

// Reads FILE at once, at most SYSFS_TEXT bytes into TEXT. Returns the length, or -errno; -ENOENT
// for a file that is not there, -EILSEQ for a line that was cut off while somebody writes it.
ssize_t sysfs_file_read(struct sysfs_index *index, struct sysfs_file *file, struct sysfs_room *room,
                        char *text);

// The same as a number; false when it is none.
bool sysfs_file_u64(struct sysfs_index *index, struct sysfs_file *file, struct sysfs_room *room,
                    uint64_t *value);

#endif
