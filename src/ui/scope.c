// SPDX-License-Identifier: Apache-2.0
// Tabs over a snapshot: chips and cores as one group of processes sees them.
#include "ui/scope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "ui/group.h"

void scope_free(struct scope *scope)
{
    free(scope->groups);
    free(scope->members);
    free(scope->group_of);
    free(scope->chip_copies);
    free(scope->core_copies);
    free(scope->mine_copies);
    memset(scope, 0, sizeof *scope);
}

bool scope_has(const struct scope *scope, unsigned process)
{
    if (scope->tab == TAB_ALL)
        return true;
    if (process >= scope->host->process_count)
        return false;
    if (scope->tab == TAB_PROCESS)
        return process_key(&scope->host->processes[process]) == scope->tab_key;
    return scope->groups[scope->group_of[process]].key == scope->tab_key;
}

bool scope_core_mine(const struct scope *scope, unsigned core)
{
    return scope->mine == NULL || scope->mine[core];
}

bool scope_chip_others(const struct scope *scope, unsigned chip)
{
    const struct chip *all = &scope->host->chips[chip];

    return scope->tab != TAB_ALL && !known_u64(scope->chips[chip].memory_used_bytes) &&
           known_u64(all->memory_used_bytes);
}

static void reserve(struct scope *scope)
{
    const struct host *host = scope->host;

    if (host->core_count > scope->core_room) {
        scope->core_room = host->core_count;
        scope->core_copies =
            xreallocarray(scope->core_copies, scope->core_room, sizeof *scope->core_copies);
        scope->mine_copies =
            xreallocarray(scope->mine_copies, scope->core_room, sizeof *scope->mine_copies);
    }
    if (host->chip_count > scope->chip_room) {
        scope->chip_room = host->chip_count;
        scope->chip_copies =
            xreallocarray(scope->chip_copies, scope->chip_room, sizeof *scope->chip_copies);
    }
}

// The core without what any process gives it; only which owners are the tab's stays.
static void empty_core(const struct scope *scope, struct core *core)
{
    unsigned owners = 0;

    for (unsigned i = 0; i < core->owner_count; i++)
        owners += scope_has(scope, core->owners[i]);
    core->hidden_owners += core->owner_count - owners;
    core->owner_count = owners; // how many; the list itself is looked through with scope_has()
    core->utilization_percent = (struct fact_f64){0};
    core->flops_per_second = (struct fact_f64){0};
    core->memory_used_bytes = (struct fact_u64){0};
    memset(core->memory, 0, sizeof core->memory);
}

static void add_shares(struct scope *scope, const struct process *process)
{
    for (unsigned i = 0; i < process->share_count; i++) {
        const struct share *share = &process->shares[i];
        if (share->core >= scope->host->core_count)
            continue;
        struct core *core = &scope->core_copies[share->core];
        if (!share->owned &&
            !(known_f64(share->utilization_percent) && share->utilization_percent.value > 0))
            continue;
        scope->mine_copies[share->core] = true;
        fact_max(&core->utilization_percent, share->utilization_percent);
        fact_add_f64(&core->flops_per_second, share->flops_per_second);
        fact_add(&core->memory_used_bytes, share->memory_used_bytes);
        for (int category = 0; category < MEM_CATEGORIES; category++)
            fact_add(&core->memory[category], share->memory[category]);
    }
}

static void sum_chip(struct scope *scope, struct chip *chip)
{
    double sum = 0;
    unsigned parts = 0;
    bool mine = false;

    for (unsigned i = 0; i < chip->core_count; i++)
        mine = mine || scope->mine_copies[chip->core_first + i];
    // Where the tab has nothing the memory of others is not shown as nothing.
    if (!mine && known_u64(chip->memory_used_bytes) && chip->memory_used_bytes.value == 0)
        return;
    chip->memory_used_bytes = (struct fact_u64){0};
    chip->utilization_percent = (struct fact_f64){0};
    for (unsigned i = 0; i < chip->core_count; i++) {
        const struct core *core = &scope->core_copies[chip->core_first + i];
        fact_add(&chip->memory_used_bytes, core->memory_used_bytes);
        if (!known_f64(core->utilization_percent))
            continue;
        sum += core->utilization_percent.value;
        parts++;
        chip->utilization_percent = core->utilization_percent;
        chip->utilization_percent.value = sum / parts;
    }
}

// Chips and cores with only what the tab's processes have on them.
static void look_through_tab(struct scope *scope)
{
    const struct host *host = scope->host;

    reserve(scope);
    for (unsigned i = 0; i < host->core_count; i++) {
        scope->core_copies[i] = host->cores[i];
        scope->mine_copies[i] = false;
        empty_core(scope, &scope->core_copies[i]);
    }
    for (unsigned i = 0; i < host->process_count; i++) {
        if (scope_has(scope, i))
            add_shares(scope, &host->processes[i]);
    }
    for (unsigned i = 0; i < host->chip_count; i++) {
        scope->chip_copies[i] = host->chips[i];
        sum_chip(scope, &scope->chip_copies[i]);
    }
    scope->chips = scope->chip_copies;
    scope->cores = scope->core_copies;
    scope->mine = scope->mine_copies;
}

static void total_cores(struct scope *scope, struct scope_totals *totals)
{
    double sum = 0;
    unsigned parts = 0;

    for (unsigned i = 0; i < scope->host->core_count; i++) {
        const struct core *core = &scope->cores[i];
        if (!scope_core_mine(scope, i))
            continue;
        const enum core_state state = core_state(core);
        totals->cores_busy += state == CORE_BUSY;
        totals->cores_held += state == CORE_HELD;
        totals->cores_free += state == CORE_FREE;
        totals->cores_unknown += state == CORE_UNKNOWN;
        fact_add_f64(&totals->flops_per_second, core->flops_per_second);
        totals->cores += known_f64(core->flops_per_second);
        if (!known_f64(core->utilization_percent))
            continue;
        sum += core->utilization_percent.value;
        const bool stale = totals->utilization_percent.stale;
        totals->utilization_percent = core->utilization_percent;
        totals->utilization_percent.value = sum / ++parts;
        totals->utilization_percent.stale |= stale;
    }
}

static void total_chips(struct scope *scope, struct scope_totals *totals)
{
    double sum = 0;
    unsigned parts = 0;

    for (unsigned i = 0; i < scope->host->chip_count; i++) {
        const struct chip *chip = &scope->chips[i];
        fact_add(&totals->memory_used_bytes, chip->memory_used_bytes);
        fact_add(&totals->memory_total_bytes, chip->memory_total_bytes);
        if (!known_f64(chip->power_percent))
            continue;
        sum += chip->power_percent.value;
        totals->power_percent = chip->power_percent;
        totals->power_percent.value = sum / ++parts;
    }
}

static void total(struct scope *scope)
{
    struct scope_totals *totals = &scope->totals;

    memset(totals, 0, sizeof *totals);
    total_cores(scope, totals);
    total_chips(scope, totals);
    for (unsigned i = 0; i < scope->host->process_count; i++) {
        const struct process *process = &scope->host->processes[i];
        if (!scope_has(scope, i))
            continue;
        fact_add_f64(&totals->executions_per_second,
                     process->executions_per_second[EXEC_COMPLETED]);
        fact_add_f64(&totals->errors_per_second, process_errors(process));
        fact_add_f64(&totals->cpu_user_percent, process->cpu_user_percent);
        fact_add_f64(&totals->cpu_system_percent, process->cpu_system_percent);
    }
}

static void look(struct scope *scope)
{
    scope->chips = scope->host->chips;
    scope->cores = scope->host->cores;
    scope->mine = NULL;
    scope->tab_gone = false;
    if (scope->tab == TAB_GROUP)
        scope->tab_gone = scope_find_group(scope, scope->tab_key) == NULL;
    if (scope->tab == TAB_PROCESS) {
        const long process = scope_find_process(scope, scope->tab_key);
        scope->tab_gone = process < 0;
        strcpy(scope->only_label, "gone");
        if (process >= 0)
            process_label(&scope->host->processes[process], scope->only_label,
                          sizeof scope->only_label);
    }
    if (scope->tab != TAB_ALL)
        look_through_tab(scope);
    total(scope);
}

void scope_feed(struct scope *scope, const struct host *host)
{
    scope->host = host;
    group_processes(scope);
    look(scope);
}

size_t scope_tab_count(const struct scope *scope)
{
    return scope->group_count + 1;
}

size_t scope_tab(const struct scope *scope)
{
    if (scope->tab == TAB_ALL)
        return 0;
    for (size_t i = 0; scope->tab == TAB_GROUP && i < scope->group_count; i++) {
        if (scope->groups[i].key == scope->tab_key)
            return i + 1;
    }
    return scope_tab_count(scope);
}

void scope_select_tab(struct scope *scope, size_t tab)
{
    if (tab > scope->group_count)
        return;
    scope->tab = tab == 0 ? TAB_ALL : TAB_GROUP;
    scope->tab_key = tab == 0 ? 0 : scope->groups[tab - 1].key;
    if (scope->host != NULL)
        look(scope);
}

void scope_only(struct scope *scope, uint64_t key)
{
    scope->tab = TAB_PROCESS;
    scope->tab_key = key;
    if (scope->host != NULL)
        look(scope);
}

const char *scope_tab_label(const struct scope *scope, size_t tab)
{
    if (tab == 0)
        return "all";
    if (tab <= scope->group_count)
        return scope->groups[tab - 1].label;
    return scope->only_label;
}

long scope_find_process(const struct scope *scope, uint64_t key)
{
    for (unsigned i = 0; scope->host != NULL && i < scope->host->process_count; i++) {
        if (process_key(&scope->host->processes[i]) == key)
            return (long)i;
    }
    return -1;
}

const struct group_row *scope_find_group(const struct scope *scope, uint64_t key)
{
    for (size_t i = 0; i < scope->group_count; i++) {
        if (scope->groups[i].key == key)
            return &scope->groups[i];
    }
    return NULL;
}
