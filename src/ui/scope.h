// SPDX-License-Identifier: Apache-2.0
// What of a snapshot is shown: its processes in groups (the jobs of host/job.h), the tab, and the
// chips and cores as that tab sees them. Pure.
#ifndef NEUTOP_UI_SCOPE_H
#define NEUTOP_UI_SCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/host.h"

enum { GROUP_LABEL = 64, GROUP_MEMBERS = 128, GROUP_COMMAND = 256, GROUP_NAME = 32 };

struct group_row {
    uint64_t key;
    unsigned first, count;   // range in scope.members
    char label[GROUP_LABEL]; // clean text, short: what the tab is called
    char command[GROUP_COMMAND];
    char members[GROUP_MEMBERS]; // "32 workers of PID 31207 torchrun"; "" for one process
    struct fact_u64 root_pid; // who started them: their launcher, or a member that is their parent
    char root[GROUP_NAME];    // its name; "" when they are only together, by tag, unit or container
    bool root_serves;         // and is a daemon that lives on for others
    struct process sum;       // the members together, as if they were one process
};

struct scope_totals {
    struct fact_f64 utilization_percent; // mean over the cores that are shown
    struct fact_u64 memory_used_bytes, memory_total_bytes;
    struct fact_f64 flops_per_second, executions_per_second, errors_per_second;
    struct fact_f64 power_percent;                        // mean over chips
    struct fact_f64 cpu_user_percent, cpu_system_percent; // of the processes, of the whole machine
    unsigned cores;                                       // whose FLOPS are known
    unsigned cores_busy, cores_held, cores_free, cores_unknown;
};

enum tab_kind { TAB_ALL, TAB_GROUP, TAB_PROCESS };

struct scope {
    const struct host *host;
    struct group_row *groups;
    size_t group_count, group_room;
    unsigned *members;  // process indices, group by group
    unsigned *group_of; // process index -> group index
    size_t process_room;
    enum tab_kind tab;
    uint64_t tab_key;             // of the group or process
    char only_label[GROUP_LABEL]; // of the tab of one process
    bool tab_gone;                // it is not there now
    const struct chip *chips;     // through the tab; host's own with TAB_ALL
    const struct core *cores;
    const bool *mine; // per core: belongs to the tab; NULL with TAB_ALL (all do)
    struct scope_totals totals;
    // Copies for tabs.
    struct chip *chip_copies;
    struct core *core_copies;
    bool *mine_copies;
    size_t chip_room, core_room;
};

void scope_free(struct scope *scope);

// A new snapshot, which SCOPE borrows.
void scope_feed(struct scope *scope, const struct host *host);

// Tabs: 0 is all, 1.. are the groups. With a tab of one process the index is scope_tab_count().
size_t scope_tab_count(const struct scope *scope);
size_t scope_tab(const struct scope *scope);
void scope_select_tab(struct scope *scope, size_t tab);
const char *scope_tab_label(const struct scope *scope, size_t tab);

// A tab of its own for one process.
void scope_only(struct scope *scope, uint64_t process_key);

bool scope_has(const struct scope *scope, unsigned process); // process belongs to the tab
// The core (index into host.cores) belongs to the tab.
bool scope_core_mine(const struct scope *scope, unsigned core);

// The chip's memory is in use, but not by the tab.
bool scope_chip_others(const struct scope *scope, unsigned chip);

uint64_t process_key(const struct process *process);

// Index of the process of that key, or -1.
long scope_find_process(const struct scope *scope, uint64_t key);
const struct group_row *scope_find_group(const struct scope *scope, uint64_t key);

#endif
