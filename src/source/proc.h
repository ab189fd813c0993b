// SPDX-License-Identifier: Apache-2.0
// The reader of owners by /proc (driver reference 3.2): which processes have a handle of a device,
// and what is known of them. source_proc (source.h) stands on these; tests call them directly.
// Linux only; opens no device node.
#ifndef NEUTOP_SOURCE_PROC_H
#define NEUTOP_SOURCE_PROC_H

#include <stdbool.h>
#include <stddef.h>

#include "source/source.h"

struct proc;

// Where and what to look for.
struct proc_where {
    const char *root;     // "" or the DIR of --root
    double delay_seconds; // between two readings
    int major;            // of the driver's nodes; -1: as /proc/devices says
    int self;             // the PID to leave out; 0: none
};

// A reader that has read nothing yet; NULL with TROUBLE filled when there is no /proc or, below /,
// no Neuron driver. WHERE is copied but for root, which must outlive the reader.
struct proc *proc_new(const struct proc_where *where, struct trouble *trouble);
void proc_free(struct proc *proc);

// One reading. NOW is monotonic seconds.
void proc_read(struct proc *proc, double now);

// See source_ops.
void proc_fill(struct proc *proc, struct host *host, double now);
void proc_status(const struct proc *proc, double now, struct source_status *status);
double proc_deadline(const struct proc *proc);
void proc_set_delay(struct proc *proc, double seconds);

// How many processes' files were gone through since the start, for tests of the scan's cost.
unsigned long proc_scans(const struct proc *proc);

#endif
