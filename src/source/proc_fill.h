// SPDX-License-Identifier: Apache-2.0
// The two halves of proc_fill() share this. Private to proc_fill.c and proc_owner.c.
#ifndef NEUTOP_SOURCE_PROC_FILL_H
#define NEUTOP_SOURCE_PROC_FILL_H

#include "source/proc_state.h"

// What NEURON_RT_VISIBLE_CORES of a process says of the cores of a snapshot.
struct proc_claim {
    struct core_set places; // positions in host.cores
    uint64_t open;          // devices on which it does not tell the cores, as bits
};

// A process that has a device open in a way that attaches it.
struct proc_owner {
    const struct proc_watch *watch;
    struct process *process;
    uint64_t devices; // attached, as bits
    struct proc_claim claim;
    struct share *shares; // new ones, by core
    unsigned share_count;
    bool unplaced; // on one of its chips its cores cannot be told
    bool by_environment;
};

// Works out which cores the OWNERS hold (driver reference 3.2) and gives them to their processes;
// says of the other cores whether they are free, held by someone unknown, or unknown.
void proc_own(const struct proc *proc, struct host *host, struct proc_owner *owners, size_t count);

#endif
