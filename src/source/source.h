// SPDX-License-Identifier: Apache-2.0
// The interface of a reader of the world. `collect` owns the readers, polls them in the program's
// one loop, and builds one snapshot from all.
#ifndef NEUTOP_SOURCE_SOURCE_H
#define NEUTOP_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/host.h"

enum { SOURCE_DETAIL = 256 };

// What the person asked for; the same for all readers.
struct source_options {
    const char *root;      // "" or the DIR of --root, without a trailing slash
    const char *input;     // -i FILE, "-" standard input; NULL none
    const char *demo_type; // instance type of the demo; NULL default
    uint64_t seed;         // of the demo
    bool lnc1;             // demo with LNC=1
    double delay_seconds;  // between two updates
    double speed;          // of a replay: 1 recorded speed, 0 as fast as possible
    bool unpaced;          // read a finite input as fast as it can be (text, JSON)
    bool tensor_activity;  // also read the tensor engines' counters (slow; driver reference 2.8)
    const struct releases *releases; // of --releases; NULL: those that are compiled in
    bool alone;        // open what looks around on the host also where nothing else can be read
    bool ask_marks;    // ask the driver which cores are reserved (driver reference 11.5)
    bool every_report; // a finite input: hand over each report once, none may be skipped (--json)
};

// One line about what is wrong, with what and where. Filled by open() on failure.
struct trouble {
    char line[SOURCE_DETAIL];
    bool absent; // what reads this host found nothing to read: neither option nor input is wrong
};

struct source {
    const struct source_ops *ops;
    const struct source_options *options;
    void *state; // the reader's own
};

enum source_event {
    SOURCE_QUIET = 0,    // nothing new
    SOURCE_NEW = 1,      // new facts: a snapshot is worth building
    SOURCE_FINISHED = 2, // the input has ended for good; facts of before may be shown
    SOURCE_FAILED = 3,   // cannot be used at all, and never gave a fact: see status().detail
};

struct source_ops {
    const char *name;

    // Starts the reader. False with TROUBLE filled when it cannot be used on this host (absent,
    // denied). Does not block.
    bool (*open)(struct source *source, struct trouble *trouble);

    // File descriptors to poll for reading, at most MAX; returns how many. May be NULL (none).
    size_t (*fds)(const struct source *source, int *fds, size_t max);

    // Monotonic time in seconds at which work() wants to be called even if no descriptor is ready;
    // INFINITY for never.
    double (*deadline)(const struct source *source);

    // Reads what is there without blocking. NOW is monotonic seconds. Called when a descriptor is
    // ready or the deadline has come.
    enum source_event (*work)(struct source *source, double now);

    // The delay was changed by the person. May be NULL.
    void (*set_delay)(struct source *source, double seconds);

    // Writes the reader's current facts into HOST, whose arena takes the copies. NOW ages them:
    // facts that are older than three of their own periods are marked stale. Called after all
    // earlier readers of the list; leaves facts that are already known alone unless ARCHITECTURE.md
    // says otherwise.
    void (*fill)(const struct source *source, struct host *host, double now);

    // How the reader fares; DETAIL is copied into HOST's arena by the caller.
    void (*status)(const struct source *source, double now, struct source_status *status);

    // Ends the reader, its child process and its memory. Never blocks for long: a child gets
    // SIGTERM, then SIGKILL.
    void (*close)(struct source *source);
};

// True when WORD names what the demo can show: an instance type or a family, with variants behind
// colons.
bool demo_knows(const char *word);

extern const struct source_ops source_demo;     // source/demo.c
extern const struct source_ops source_monitor;  // source/monitor.c: neuron-monitor as a child
extern const struct source_ops source_sysfs;    // source/sysfs.c: the driver's files below /sys
extern const struct source_ops source_device;   // source/device.c: the driver's quiet calls
extern const struct source_ops source_proc;     // source/proc.c: owners of devices by /proc
extern const struct source_ops source_packages; // source/packages.c: what is installed
extern const struct source_ops source_neffs;    // source/neffs.c: which NEFF a process runs
extern const struct source_ops source_stream;   // source/stream.c: -i FILE or standard input

#endif
