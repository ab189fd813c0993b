// SPDX-License-Identifier: Apache-2.0
// The jobs of a snapshot as groups of the screen, with their sums.
#include "ui/group.h"

#include <bsd/string.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmem.h"
#include "host/job.h"

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

enum { FNV_START = 0x4bf29ce4 };

uint64_t process_key(const struct process *process)
{
    uint64_t key = hash(FNV_START, &process->pid.value, sizeof process->pid.value);

    key = hash_text(key, process->tag);
    return hash_text(key, process->address) | (uint64_t)1 << 63;
}

// Of a job as long as it lives: one process keeps its key when it gets children.
static uint64_t group_key(const struct host *host, const struct job *job)
{
    const struct process *first = &host->processes[job->members[0]];
    uint64_t key;

    if (known_u64(job->pid))
        key = hash(FNV_START + 1, &job->pid.value, sizeof job->pid.value);
    else if (job->kind == JOB_PROCESS)
        key = hash_text(hash_text(FNV_START + 3, first->tag), first->address);
    else
        key = hash_text(FNV_START + 16 + (unsigned)job->kind, job->name);
    if (job->kind == JOB_POD)
        key = hash_text(key, first->pod_namespace);
    return key & ~((uint64_t)1 << 63);
}

struct fact_f64 process_errors(const struct process *process)
{
    struct fact_f64 sum = {0};

    for (int kind = ERR_NUMERICAL; kind < ERROR_KINDS; kind++)
        fact_add_f64(&sum, process->errors_per_second[kind]);
    fact_add_f64(&sum, process->executions_per_second[EXEC_TIMED_OUT]);
    return sum;
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
        fact_add_f64(&sum->executions_per_second[i], part->executions_per_second[i]);
        fact_add(&sum->executions_in_period[i], part->executions_in_period[i]);
    }
    for (int i = 0; i < ERROR_KINDS; i++) {
        fact_add_f64(&sum->errors_per_second[i], part->errors_per_second[i]);
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
    fact_add_f64(&sum->cpu_user_percent, part->cpu_user_percent);
    fact_add_f64(&sum->cpu_system_percent, part->cpu_system_percent);
    fact_add_f64(&sum->flops_per_second, part->flops_per_second);
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

// The name of a group in a few columns, cut at a whole character.
static void label_group(const struct host *host, const struct job *job, struct group_row *group)
{
    const struct process *first = &host->processes[job->members[0]];
    const bool several = job->kind != JOB_TAG && job->kind != JOB_CONTAINER && group->count > 1;
    const char *name = !several ? LABEL_OF(first) : job_by_start(job) ? group->root : job->name;
    char count[16], members[JOB_TEXT];

    group->members[0] = '\0';
    text_clean_to(group->label, sizeof group->label - sizeof count, name, strlen(name));
    if (group->count == 1)
        return;
    snprintf(count, sizeof count, " (%u)", group->count);
    strlcat(group->label, count, sizeof group->label);
    job_text(host, job, members);
    text_clean_to(group->members, sizeof group->members, members, strlen(members));
    const char *rest = first->command != NULL ? first->command : "";
    const size_t used = strlcpy(group->command, group->members, sizeof group->command);
    strlcat(group->command, ": ", sizeof group->command);
    text_clean_to(group->command + used + 2, sizeof group->command - used - 2, rest, strlen(rest));
}

static void name_root(const struct job *job, struct group_row *group)
{
    const char *name = job->name != NULL ? job->name : "launcher";

    group->root_pid = (struct fact_u64){0};
    group->root[0] = '\0';
    group->root_serves = job_leader_serves(job);
    if (!job_by_start(job))
        return;
    group->root_pid = job->pid;
    text_clean_to(group->root, sizeof group->root, name, strlen(name));
}

static void sum_group(const struct host *host, const struct job *job, struct group_row *group)
{
    const struct process *first = &host->processes[job->members[0]];
    unsigned weight = 0;

    group->sum = *first;
    name_root(job, group);
    label_group(host, job, group);
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
        const struct process *part = &host->processes[job->members[i]];
        join(&group->sum, part, weight);
        weight += core_set_count(&part->cores) > 0 ? core_set_count(&part->cores) : 1;
    }
}

static int by_first(const void *a, const void *b)
{
    const struct group_row *x = a, *y = b;

    return x->sum.pid.value < y->sum.pid.value ? -1 : x->sum.pid.value > y->sum.pid.value;
}

static void reserve(struct scope *scope, size_t processes, size_t groups)
{
    if (processes > scope->process_room) {
        scope->process_room = processes;
        scope->members = xreallocarray(scope->members, processes, sizeof *scope->members);
        scope->group_of = xreallocarray(scope->group_of, processes, sizeof *scope->group_of);
    }
    if (groups > scope->group_room) {
        scope->group_room = groups;
        scope->groups = xreallocarray(scope->groups, groups, sizeof *scope->groups);
    }
}

static void take_job(struct scope *scope, const struct job *job, struct group_row *group,
                     unsigned first)
{
    group->key = group_key(scope->host, job);
    group->first = first;
    group->count = job->count;
    for (unsigned i = 0; i < job->count; i++)
        scope->members[first + i] = job->members[i];
    sum_group(scope->host, job, group);
}

void group_processes(struct scope *scope)
{
    const struct jobs jobs = jobs_of(scope->host);
    unsigned first = 0;

    reserve(scope, scope->host->process_count, jobs.count);
    scope->group_count = jobs.count;
    for (unsigned i = 0; i < jobs.count; i++) {
        take_job(scope, &jobs.items[i], &scope->groups[i], first);
        first += jobs.items[i].count;
    }
    if (scope->group_count > 0)
        qsort(scope->groups, scope->group_count, sizeof scope->groups[0], by_first);
    for (size_t i = 0; i < scope->group_count; i++) {
        if (scope->groups[i].count > 1) // only now, as sorting has moved it
            scope->groups[i].sum.command = scope->groups[i].command;
        for (unsigned member = 0; member < scope->groups[i].count; member++)
            scope->group_of[scope->members[scope->groups[i].first + member]] = (unsigned)i;
    }
}
