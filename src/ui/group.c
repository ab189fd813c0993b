// SPDX-License-Identifier: Apache-2.0
// Groups of processes and their sums.
#include "ui/group.h"

#include <bsd/string.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmem.h"

static uint64_t hash(uint64_t seed, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;

    for (size_t i = 0; i < length; i++)
        seed = (seed ^ byte[i]) * 0x100000001b3u; // FNV-1a
    return seed;
}

static uint64_t hash_text(uint64_t seed, const char *text)
{
    return text != NULL ? hash(seed, text, strlen(text)) : seed;
}

enum { FNV_START = 0x4bf29ce4, ANCESTORS_MAX = 16 };

uint64_t process_key(const struct process *process)
{
    uint64_t key = hash(FNV_START, &process->pid.value, sizeof process->pid.value);

    key = hash_text(key, process->tag);
    return hash_text(key, process->address) | (uint64_t)1 << 63;
}

// A tag that is only the PID again says nothing.
static bool telling_tag(const struct process *process)
{
    char pid[24];

    if (process->tag == NULL || process->tag[0] == '\0')
        return false;
    snprintf(pid, sizeof pid, "%" PRIu64, process->pid.value);
    return strcmp(process->tag, pid) != 0;
}

// The process with this PID, NULL: not in the snapshot. Processes are in the order of their PIDs.
static const struct process *find_pid(const struct host *host, uint64_t pid)
{
    unsigned low = 0, high = host->process_count;

    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (host->processes[middle].pid.value < pid)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == host->process_count || host->processes[low].pid.value != pid ||
        !known_u64(host->processes[low].pid))
        return NULL;
    return &host->processes[low];
}

// Who started PROCESS: its launcher, else the topmost of its ancestors that is in the snapshot
// without a gap. Unknown when it is its own.
static struct fact_u64 root_of(const struct host *host, const struct process *process)
{
    struct fact_u64 root = process->launcher_pid;

    for (int i = 0; i < ANCESTORS_MAX && !known_u64(process->launcher_pid); i++) {
        if (!known_u64(process->ppid) || process->ppid.value <= 1)
            break;
        process = find_pid(host, process->ppid.value);
        if (process == NULL)
            break;
        root = known_u64(process->launcher_pid) ? process->launcher_pid : process->pid;
    }
    return root;
}

static bool is_root(const struct host *host, const struct process *process)
{
    for (unsigned i = 0; known_u64(process->pid) && i < host->process_count; i++) {
        const struct fact_u64 root = root_of(host, &host->processes[i]);
        if (known_u64(root) && root.value == process->pid.value)
            return true;
    }
    return false;
}

// A launcher or parent that holds cores itself gets the same key as its workers.
static uint64_t group_key(const struct host *host, const struct process *process)
{
    const struct fact_u64 root = root_of(host, process);
    uint64_t key;

    if (known_u64(root))
        key = hash(FNV_START + 1, &root.value, sizeof root.value);
    else if (is_root(host, process))
        key = hash(FNV_START + 1, &process->pid.value, sizeof process->pid.value);
    else if (telling_tag(process))
        key = hash_text(FNV_START + 2, process->tag);
    else if (process->launcher != NULL) // a service, which has no PID
        key = hash_text(FNV_START + 4, process->launcher);
    else if (process->pod != NULL)
        key = hash_text(hash_text(FNV_START + 5, process->pod_namespace), process->pod);
    else if (process->container != NULL)
        key = hash_text(FNV_START + 6, process->container);
    else if (known_u64(process->pid))
        key = hash(FNV_START + 1, &process->pid.value, sizeof process->pid.value);
    else
        key = hash_text(hash_text(FNV_START + 3, process->tag), process->address);
    return key & ~((uint64_t)1 << 63);
}

struct fact_f64 process_errors(const struct process *process)
{
    struct fact_f64 sum = {0};

    for (int kind = ERR_NUMERICAL; kind < ERROR_KINDS; kind++) {
        const struct fact_f64 part = process->errors_per_second[kind];
        if (known_f64(part))
            sum = (struct fact_f64){sum.value + part.value, part.from, sum.stale || part.stale};
    }
    const struct fact_f64 late = process->executions_per_second[EXEC_TIMED_OUT];
    if (known_f64(late))
        sum = (struct fact_f64){sum.value + late.value, late.from, sum.stale || late.stale};
    return sum;
}

static void add_f64(struct fact_f64 *sum, struct fact_f64 part)
{
    if (known_f64(part))
        *sum = (struct fact_f64){sum->value + part.value, part.from, sum->stale || part.stale};
}

static void min_f64(struct fact_f64 *smallest, struct fact_f64 candidate)
{
    if (known_f64(candidate) && (!known_f64(*smallest) || candidate.value < smallest->value))
        *smallest = candidate;
}

static const char *same_text(const char *a, const char *b, const char *otherwise)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0 ? a : otherwise;
}

static void add_rates(struct process *sum, const struct process *part)
{
    for (int i = 0; i < EXECUTIONS; i++) {
        add_f64(&sum->executions_per_second[i], part->executions_per_second[i]);
        fact_add(&sum->executions_in_period[i], part->executions_in_period[i]);
    }
    for (int i = 0; i < ERROR_KINDS; i++) {
        add_f64(&sum->errors_per_second[i], part->errors_per_second[i]);
        fact_add(&sum->errors_in_period[i], part->errors_in_period[i]);
    }
    for (int i = 0; i < PERCENTILES; i++) { // the slowest worker
        fact_max(&sum->latency_total.seconds[i], part->latency_total.seconds[i]);
        fact_max(&sum->latency_device.seconds[i], part->latency_device.seconds[i]);
    }
}

static void add_memory(struct process *sum, const struct process *part)
{
    fact_add(&sum->memory_device_bytes, part->memory_device_bytes);
    fact_add(&sum->memory_host_bytes, part->memory_host_bytes);
    fact_add(&sum->resident_bytes, part->resident_bytes);
    for (int i = 0; i < MEM_CATEGORIES; i++)
        fact_add(&sum->memory[i], part->memory[i]);
    for (int i = 0; i < HOSTMEM_CATEGORIES; i++)
        fact_add(&sum->host_memory[i], part->host_memory[i]);
}

// PART joins SUM, which has at least one member already. WEIGHT: cores of the members so far.
static void join(struct process *sum, const struct process *part, unsigned weight)
{
    const unsigned cores = core_set_count(&part->cores) > 0 ? core_set_count(&part->cores) : 1;

    if (known_f64(part->utilization_percent)) {
        const double before =
            known_f64(sum->utilization_percent) ? sum->utilization_percent.value * weight : 0;
        const unsigned over = known_f64(sum->utilization_percent) ? weight + cores : cores;
        sum->utilization_percent =
            (struct fact_f64){(before + part->utilization_percent.value * cores) / over,
                              part->utilization_percent.from,
                              sum->utilization_percent.stale || part->utilization_percent.stale};
    }
    core_set_union(&sum->cores, &part->cores);
    core_set_union(&sum->chips, &part->chips);
    add_memory(sum, part);
    add_rates(sum, part);
    add_f64(&sum->cpu_user_percent, part->cpu_user_percent);
    add_f64(&sum->cpu_system_percent, part->cpu_system_percent);
    add_f64(&sum->flops_per_second, part->flops_per_second);
    if (known_f64(part->idle_seconds) &&
        (!known_f64(sum->idle_seconds) || part->idle_seconds.value < sum->idle_seconds.value)) {
        sum->idle_seconds = part->idle_seconds;
        sum->idle_since_start = part->idle_since_start;
    }
    min_f64(&sum->started_unix_seconds, part->started_unix_seconds);
    sum->state = part->state > sum->state ? part->state : sum->state;
    sum->certainty = part->certainty < sum->certainty ? part->certainty : sum->certainty;
    sum->user = same_text(sum->user, part->user, NULL);
    sum->runtime_version =
        same_text(sum->runtime_version, part->runtime_version,
                  sum->runtime_version != NULL && part->runtime_version != NULL ? "mixed" : NULL);
    sum->pod = same_text(sum->pod, part->pod, NULL);
    sum->pod_namespace = same_text(sum->pod_namespace, part->pod_namespace, NULL);
    sum->container = same_text(sum->container, part->container, NULL);
    sum->visible_cores = same_text(sum->visible_cores, part->visible_cores, NULL);
    if (sum->error == NULL)
        sum->error = part->error;
    sum->model_count += part->model_count;
}

// The member that started the others; NULL when that is none of them.
static const struct process *root_member(const struct host *host, const struct group_row *group,
                                         const unsigned *members)
{
    for (unsigned i = 0; known_u64(group->root_pid) && i < group->count; i++) {
        const struct process *process = &host->processes[members[i]];
        if (known_u64(process->pid) && process->pid.value == group->root_pid.value)
            return process;
    }
    return NULL;
}

static void find_root(const struct host *host, struct group_row *group, const unsigned *members)
{
    group->root_pid = (struct fact_u64){0};
    group->root[0] = '\0';
    for (unsigned i = 0; i < group->count && !known_u64(group->root_pid); i++)
        group->root_pid = root_of(host, &host->processes[members[i]]);
    if (!known_u64(group->root_pid))
        return;
    const struct process *member = root_member(host, group, members);
    const char *name = member != NULL ? LABEL_OF(member) : NULL;
    for (unsigned i = 0; i < group->count; i++) {
        if (host->processes[members[i]].launcher != NULL)
            name = host->processes[members[i]].launcher;
    }
    if (name == NULL)
        name = "launcher";
    text_clean_to(group->root, sizeof group->root, name, strlen(name));
}

static void count_members(const struct host *host, struct group_row *group, const unsigned *members)
{
    const struct process *first = &host->processes[members[0]];
    const unsigned workers = group->count - (root_member(host, group, members) != NULL);
    char *text = group->members;
    const size_t size = sizeof group->members;

    if (known_u64(group->root_pid))
        snprintf(text, size, "%u worker%s of PID %" PRIu64 " %s", workers, workers == 1 ? "" : "s",
                 group->root_pid.value, group->root);
    else if (telling_tag(first))
        snprintf(text, size, "%u processes tagged %.30s", group->count, first->tag);
    else if (first->launcher != NULL)
        snprintf(text, size, "%u processes of %.30s", group->count, first->launcher);
    else if (first->pod != NULL)
        snprintf(text, size, "%u processes of pod %.30s", group->count, first->pod);
    else
        snprintf(text, size, "%u processes of container %.20s", group->count,
                 first->container != NULL ? first->container : "-");
    text_clean_to(text, size, text, strlen(text)); // a character may have been cut in two
}

// The name of a group in a few columns, cut at a whole character.
static void label_group(const struct host *host, struct group_row *group, const unsigned *members)
{
    const struct process *first = &host->processes[members[0]];
    const char *name = LABEL_OF(first);
    char count[16];

    group->members[0] = '\0';
    if (group->count > 1 && group->root[0] != '\0')
        name = group->root;
    else if (group->count > 1 && !telling_tag(first) && first->launcher != NULL)
        name = first->launcher;
    else if (group->count > 1 && !telling_tag(first) && first->pod != NULL)
        name = first->pod;
    text_clean_to(group->label, sizeof group->label - sizeof count, name, strlen(name));
    if (group->count == 1)
        return;
    snprintf(count, sizeof count, " (%u)", group->count);
    strlcat(group->label, count, sizeof group->label);
    count_members(host, group, members);
    const char *rest = first->command != NULL ? first->command : "";
    const size_t used = strlcpy(group->command, group->members, sizeof group->command);
    strlcat(group->command, ": ", sizeof group->command);
    text_clean_to(group->command + used + 2, sizeof group->command - used - 2, rest, strlen(rest));
}

static void sum_group(const struct host *host, struct group_row *group, const unsigned *members)
{
    const struct process *first = &host->processes[members[0]];
    unsigned weight = 0;

    group->sum = *first;
    find_root(host, group, members);
    label_group(host, group, members);
    if (group->count == 1)
        return;
    group->sum.shares = NULL; // the members have them
    group->sum.share_count = 0;
    group->sum.models = NULL;
    group->sum.tag = NULL;
    if (known_u64(group->root_pid))
        group->sum.pid = group->root_pid;
    else
        group->sum.pid.from = FROM_NOBODY; // its value still orders the groups
    group->sum.pid_inside = (struct fact_u64){0};
    weight = core_set_count(&first->cores) > 0 ? core_set_count(&first->cores) : 1;
    for (unsigned i = 1; i < group->count; i++) {
        const struct process *part = &host->processes[members[i]];
        join(&group->sum, part, weight);
        weight += core_set_count(&part->cores) > 0 ? core_set_count(&part->cores) : 1;
    }
}

static int by_key(const void *a, const void *b)
{
    const struct scope_key *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->process < y->process ? -1 : x->process > y->process;
}

static int by_first(const void *a, const void *b)
{
    const struct group_row *x = a, *y = b;

    return x->sum.pid.value < y->sum.pid.value ? -1 : x->sum.pid.value > y->sum.pid.value;
}

static void reserve(struct scope *scope, size_t processes)
{
    if (processes <= scope->process_room)
        return;
    scope->process_room = processes;
    scope->members = xreallocarray(scope->members, processes, sizeof *scope->members);
    scope->group_of = xreallocarray(scope->group_of, processes, sizeof *scope->group_of);
    scope->order = xreallocarray(scope->order, processes, sizeof *scope->order);
}

static void reserve_groups(struct scope *scope, unsigned count)
{
    size_t groups = 0;

    for (unsigned i = 0; i < count; i++)
        groups += i == 0 || scope->order[i].key != scope->order[i - 1].key;
    if (groups <= scope->group_room)
        return;
    scope->group_room = groups;
    scope->groups = xreallocarray(scope->groups, groups, sizeof *scope->groups);
}

static void find_groups(struct scope *scope, unsigned count)
{
    reserve_groups(scope, count);
    scope->group_count = 0;
    for (unsigned i = 0; i < count; i++) {
        struct group_row *group = &scope->groups[scope->group_count];
        scope->members[i] = scope->order[i].process;
        if (i > 0 && scope->order[i].key == scope->order[i - 1].key) {
            group[-1].count++;
            continue;
        }
        group->key = scope->order[i].key;
        group->first = i;
        group->count = 1;
        scope->group_count++;
    }
}

void group_processes(struct scope *scope)
{
    const struct host *host = scope->host;
    const unsigned count = host->process_count;

    reserve(scope, count);
    for (unsigned i = 0; i < count; i++)
        scope->order[i] = (struct scope_key){group_key(host, &host->processes[i]), i};
    if (count > 0)
        qsort(scope->order, count, sizeof scope->order[0], by_key);
    find_groups(scope, count);
    for (size_t i = 0; i < scope->group_count; i++)
        sum_group(host, &scope->groups[i], &scope->members[scope->groups[i].first]);
    if (scope->group_count > 0)
        qsort(scope->groups, scope->group_count, sizeof scope->groups[0], by_first);
    for (size_t i = 0; i < scope->group_count; i++) {
        if (scope->groups[i].count > 1) // only now, as sorting has moved it
            scope->groups[i].sum.command = scope->groups[i].command;
        for (unsigned member = 0; member < scope->groups[i].count; member++)
            scope->group_of[scope->members[scope->groups[i].first + member]] = (unsigned)i;
    }
}
