// SPDX-License-Identifier: Apache-2.0
// Inside of the report reader: the kept groups, and what its files share while they fill a
// snapshot. Nobody else includes this.
#ifndef NEUTOP_SOURCE_REPORT_STATE_H
#define NEUTOP_SOURCE_REPORT_STATE_H

#include "base/arena.h"
#include "source/field.h"
#include "source/report.h"

enum {
    RUNTIMES_MAX = 16384, // of one report; beyond them owners and totals are unknown
    CHIPS_MAX = 1024,
    CORES_PER_CHIP_MAX = 64,
    CORE_MOST = CORE_SET_MAX - 1,
};

// The groups that are not a runtime's.
enum system_group {
    SYSTEM_CPU,
    SYSTEM_MEMORY,
    SYSTEM_ECC,
    SYSTEM_K8S,
    SYSTEM_INSTANCE,
    SYSTEM_HARDWARE,
    SYSTEM_GROUPS
};

// The newest form of one group, as json-c read it.
struct kept {
    json_object *value; // NULL: never came
    double arrival;
    double period; // 0: not told
};

struct runtime {
    json_object *entry; // newest entry of neuron_runtime_data
    struct kept groups[GROUPS];
};

struct report {
    json_tokener *tokener;
    double expected_period;
    double pace;        // of the newest report that told one
    bool told_runtimes; // the list has come at least once
    bool thin;          // the newest report covers too little for rates
    struct runtime *runtimes;
    size_t runtime_count;
    size_t runtimes_left; // entries of the newest list beyond RUNTIMES_MAX
    struct kept system[SYSTEM_GROUPS];
    json_object *instance_good; // last instance_info without an error
};

// One run of report_fill().
struct fill {
    const struct report *report;
    struct host *host;
    struct arena *arena;
    enum origin from;
    double now;
    unsigned per_chip;    // logical cores
    struct share *shares; // of the process in work
    size_t share_count, share_room;
    unsigned share_of[CORE_SET_MAX]; // position in shares plus 1; 0: none
    bool runtimes_clear;             // every runtime told what it holds
};

// The group's own error text; NULL: none.
const char *kept_error(const struct kept *kept, size_t *length);

// The value when the group came and did not fail; NULL otherwise: its numbers are unknown.
json_object *kept_value(const struct kept *kept);

// report_facts.c: facts of a group. Unknown when the member is absent, stale when the group is old.
struct fact_u64 fill_count(const struct fill *fill, const struct kept *kept, json_object *object,
                           const char *key);
struct fact_f64 fill_number(const struct fill *fill, const struct kept *kept, json_object *object,
                            const char *key);
struct fact_f64 fill_f64(const struct fill *fill, const struct kept *kept, double value);

// The group is old: it has not come for some of its own periods.
bool fill_stale(const struct fill *fill, const struct kept *kept);

// A clean copy of the non-empty string at KEY; NULL otherwise.
const char *fill_text(const struct fill *fill, json_object *object, const char *key);

// A clean copy of LENGTH bytes; the plain case is checked here, without a call per character.
const char *fill_clean(const struct fill *fill, const char *text, size_t length);

// Clean copy of a group's error.
const char *fill_error(const struct fill *fill, const struct kept *kept);

// The share of the process in work on CORE, made when there is none. NULL when the host has no such
// core.
struct share *fill_share(struct fill *fill, unsigned core);

// The loaded_models array in both places where it has been.
json_object *fill_model_array(json_object *memory_used);

// Global index of the core that a subgraph runs on; -1 unknown.
int fill_subgraph_core(const struct fill *fill, json_object *subgraph, int *chip, int *place);

// report_layout.c: makes the chips and cores, and sets per_chip.
void fill_layout(struct fill *fill);

// report_runtime.c: all processes. report_model.c: loaded models of one; false when one of them is
// on no core that is known.
void fill_processes(struct fill *fill);
bool fill_models(struct fill *fill, struct process *process, const struct kept *kept,
                 bool core_memory_told);

#endif
