// SPDX-License-Identifier: Apache-2.0
// Runtimes of the kept reports as processes of a snapshot (neuron-monitor JSON reference,
// sections 3.2 and 3.3). A core is owned by a process with memory or a model on it: every runtime
// lists all cores in neuroncores_in_use, owned or not.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "source/report_state.h"

static const struct {
    enum memory_category category;
    const char *key;
} device_parts[] = {
    {MEM_TENSORS, "tensors"},
    {MEM_CONSTANTS, "constants"},
    {MEM_MODEL_CODE, "model_code"},
    {MEM_MODEL_SHARED_SCRATCHPAD, "model_shared_scratchpad"},
    {MEM_RUNTIME_MEMORY, "runtime_memory"},
};

static const struct {
    enum host_memory_category category;
    const char *key;
} host_parts[] = {
    {HOSTMEM_TENSORS, "tensors"},
    {HOSTMEM_CONSTANTS, "constants"},
    {HOSTMEM_DMA_BUFFERS, "dma_buffers"},
    {HOSTMEM_APPLICATION, "application_memory"},
};

enum {
    DEVICE_PARTS = sizeof(device_parts) / sizeof(device_parts[0]),
    HOST_PARTS = sizeof(host_parts) / sizeof(host_parts[0]),
};

static const char *const execution_keys[EXECUTIONS] = {
    [EXEC_COMPLETED] = "completed",
    [EXEC_WITH_ERR] = "completed_with_err",
    [EXEC_WITH_NUM_ERR] = "completed_with_num_err",
    [EXEC_TIMED_OUT] = "timed_out",
    [EXEC_INCORRECT_INPUT] = "incorrect_input",
    [EXEC_FAILED_TO_QUEUE] = "failed_to_queue",
};

static const char *const error_keys[ERROR_KINDS] = {
    [ERR_GENERIC] = "generic", [ERR_NUMERICAL] = "numerical", [ERR_TRANSIENT] = "transient",
    [ERR_MODEL] = "model",     [ERR_RUNTIME] = "runtime",     [ERR_HARDWARE] = "hardware",
};

static const char *const percentile_keys[PERCENTILES] = {
    [P0] = "p0",   [P1] = "p1",   [P25] = "p25",   [P50] = "p50",
    [P75] = "p75", [P99] = "p99", [P100] = "p100",
};

static int compare_shares(const void *a, const void *b)
{
    const struct share *left = a, *right = b;
    return (left->core > right->core) - (left->core < right->core);
}

// Hands the collected shares over to PROCESS.
static void finish_shares(struct fill *fill, struct process *process)
{
    struct share *shares = ARENA_ARRAY(fill->arena, fill->share_count, struct share);
    for (size_t i = 0; i < fill->share_count; i++) {
        shares[i] = fill->shares[i];
        fill->share_of[shares[i].core] = 0;
    }
    qsort(shares, fill->share_count, sizeof(*shares), compare_shares);
    process->shares = shares;
    process->share_count = (unsigned)fill->share_count;
    fill->share_count = 0;
}

// The larger one, but a current figure beats a stale one.
static void take_larger(struct fact_f64 *fact, struct fact_f64 candidate)
{
    if (known_f64(candidate) && known_f64(*fact) && candidate.stale != fact->stale)
        *fact = fact->stale ? candidate : *fact;
    else
        fact_max(fact, candidate);
}

static void take_physical(struct core *core, int index, struct fact_f64 utilization)
{
    unsigned at = 0;
    while (at < core->physical_count && core->physical[at].index != index)
        at++;
    if (at == core->physical_count) {
        if (core->physical_count == PHYSICAL_MAX)
            return;
        at = core->physical_count++;
        for (; at > 0 && core->physical[at - 1].index > index; at--)
            core->physical[at] = core->physical[at - 1];
        core->physical[at] = (struct physical_core){.index = index};
    }
    take_larger(&core->physical[at].utilization_percent, utilization);
}

// "nc_v3.7": physical core 7, counted over the instance (section 4).
static void fill_physical(const struct fill *fill, const struct kept *kept, json_object *members,
                          struct core *core)
{
    unsigned index;
    if (members == NULL)
        return;
    json_object_object_foreach(members, key, member)
    {
        const char *dot = strrchr(key, '.');
        if (!json_object_is_type(member, json_type_object))
            continue;
        if (field_index(dot != NULL ? dot + 1 : key, 2 * CORE_MOST + 1, &index))
            take_physical(core, (int)index,
                          fill_number(fill, kept, member, "neuroncore_utilization"));
        else if (dot == NULL && core->physical_count == 0)
            fill_physical(fill, kept, member, core); // v3d.nc_v3.{"0","1"}
    }
}

static void fill_core(struct fill *fill, const struct kept *kept, json_object *told, unsigned index)
{
    struct core *core = &fill->host->cores[index];
    json_object *models = field_array(told, "loaded_models"); // tools 1.x
    bool owned = models != NULL && json_object_array_length(models) > 0;
    struct fact_f64 busy = fill_number(fill, kept, told, "neuroncore_utilization");
    struct fact_f64 flops = fill_number(fill, kept, told, "effective_flops");
    if (!known_f64(flops))
        flops = fill_number(fill, kept, told, "flops");
    take_larger(&core->utilization_percent, busy);
    fact_add_f64(&core->flops_per_second, flops);
    fill_physical(fill, kept, field_object(told, "v3d"), core);
    struct share *share = fill->share_of[index] != 0 || owned || busy.value > 0 || flops.value > 0
                              ? fill_share(fill, index)
                              : NULL;
    if (share == NULL)
        return;
    share->utilization_percent = busy;
    share->flops_per_second = flops;
    share->owned = share->owned || owned;
}

// After the memory, so that the cores that are owned are known by then.
static void fill_cores(struct fill *fill, const struct kept *kept)
{
    json_object *cores = field_object(kept_value(kept), "neuroncores_in_use");
    unsigned index;
    if (cores == NULL)
        cores = field_object(kept_value(kept), "neuron_cores");
    if (cores == NULL)
        return;
    json_object_object_foreach(cores, key, told)
    {
        if (json_object_is_type(told, json_type_object) && field_index(key, CORE_MOST, &index) &&
            index < fill->host->core_count)
            fill_core(fill, kept, told, index);
    }
}

// False when what the runtime holds there is not known or has no core to be put on.
static bool fill_core_memory(struct fill *fill, const struct kept *kept, unsigned index,
                             json_object *told, struct process *process)
{
    struct fact_u64 parts[DEVICE_PARTS], sum = {0};
    for (int i = 0; i < DEVICE_PARTS; i++) {
        parts[i] = fill_count(fill, kept, told, device_parts[i].key);
        fact_add(&sum, parts[i]);
        fact_add(&process->memory[device_parts[i].category], parts[i]);
    }
    if (sum.value == 0)
        return known_u64(sum);
    struct share *share = fill_share(fill, index);
    if (share == NULL)
        return false;
    for (int i = 0; i < DEVICE_PARTS; i++)
        share->memory[device_parts[i].category] = parts[i];
    share->memory_used_bytes = sum;
    share->owned = true;
    return true;
}

// True when memory is told by core. *PLACED turns false when not all of that found its core.
static bool fill_breakdown(struct fill *fill, const struct kept *kept, json_object *used,
                           struct process *process, bool *placed)
{
    json_object *breakdown = field_object(used, "usage_breakdown");
    json_object *cores = field_object(breakdown, "neuroncore_memory_usage");
    json_object *host = field_object(breakdown, "host");
    unsigned index;
    for (int i = 0; host != NULL && i < HOST_PARTS; i++)
        process->host_memory[host_parts[i].category] =
            fill_count(fill, kept, host, host_parts[i].key);
    if (cores == NULL)
        return false;
    json_object_object_foreach(cores, key, told)
    {
        *placed = field_index(key, CORE_MOST, &index) &&
                  fill_core_memory(fill, kept, index, told, process) && *placed;
    }
    return true;
}

// Where the total and its parts disagree the total is right.
static struct fact_u64 rest_of(struct fact_u64 total, const struct fact_u64 *parts, size_t count)
{
    struct fact_u64 sum = {0};
    for (size_t i = 0; i < count; i++)
        fact_add(&sum, parts[i]);
    if (!known_u64(total) || !known_u64(sum) || total.value <= sum.value)
        return (struct fact_u64){0};
    struct fact_u64 rest = fact_u64(total.value - sum.value, FROM_DERIVED);
    rest.stale = total.stale;
    return rest;
}

// True when all that the process in work holds lies on cores that are known: TOTAL where it is
// told, else what PLACED says of its parts.
static bool all_placed(const struct fill *fill, struct fact_u64 total, bool placed)
{
    struct fact_u64 sum = {0};
    for (size_t i = 0; i < fill->share_count; i++)
        fact_add(&sum, fill->shares[i].memory_used_bytes);
    return placed && (!known_u64(total) || total.value <= sum.value);
}

static void fill_memory(struct fill *fill, const struct kept *kept, struct process *process)
{
    json_object *value = kept_value(kept);
    json_object *used = field_object(value, "neuron_runtime_used_bytes");
    json_object *models = fill_model_array(value);
    if (used == NULL)
        used = field_object(value, "runtime_memory");
    process->memory_host_bytes = fill_count(fill, kept, used, "host");
    process->memory_device_bytes = fill_count(fill, kept, used, "neuron_device");
    if (!known_u64(process->memory_device_bytes))
        process->memory_device_bytes = fill_count(fill, kept, used, "device");
    bool placed = true;
    bool told = fill_breakdown(fill, kept, used, process, &placed);
    process->memory[MEM_OTHER] =
        rest_of(process->memory_device_bytes, process->memory, MEM_CATEGORIES);
    process->host_memory[HOSTMEM_OTHER] =
        rest_of(process->memory_host_bytes, process->host_memory, HOSTMEM_CATEGORIES);
    placed = fill_models(fill, process, kept, told) && placed;
    bool empty = known_u64(process->memory_device_bytes) && process->memory_device_bytes.value == 0;
    if (!told && models == NULL && !empty)
        placed = false;
    if (!all_placed(fill, process->memory_device_bytes, placed))
        fill->runtimes_clear = false; // any core may be the one that it is on
}

static void fill_latency(const struct fill *fill, const struct kept *kept, json_object *told,
                         struct latency *latency)
{
    for (int i = 0; told != NULL && i < PERCENTILES; i++)
        latency->seconds[i] = fill_number(fill, kept, told, percentile_keys[i]);
}

// COUNT over its period. Too short a period gives no rate.
static struct fact_f64 rate_of(const struct fill *fill, const struct kept *kept,
                               struct fact_u64 count)
{
    if (!known_u64(count) || kept->period < REPORT_SHORTEST_PERIOD)
        return (struct fact_f64){0};
    return fill_f64(fill, kept, (double)count.value / kept->period);
}

static void fill_execution(const struct fill *fill, const struct kept *kept,
                           struct process *process)
{
    json_object *value = kept_value(kept);
    json_object *summary = field_object(value, "execution_summary");
    json_object *errors = field_object(value, "error_summary");
    json_object *latency = field_object(value, "latency_stats");
    if (summary == NULL)
        summary = field_object(value, "inference_summary");
    for (int i = 0; i < EXECUTIONS; i++) {
        process->executions_in_period[i] = fill_count(fill, kept, summary, execution_keys[i]);
        process->executions_per_second[i] = rate_of(fill, kept, process->executions_in_period[i]);
    }
    for (int i = 0; i < ERROR_KINDS; i++) {
        process->errors_in_period[i] = fill_count(fill, kept, errors, error_keys[i]);
        process->errors_per_second[i] = rate_of(fill, kept, process->errors_in_period[i]);
    }
    // "generic" was a count since the start in tools of 2022 and 2023: growing by itself, so no
    // rate of it is right
    process->errors_per_second[ERR_GENERIC] = (struct fact_f64){0};
    fill_latency(fill, kept, field_object(latency, "total_latency"), &process->latency_total);
    fill_latency(fill, kept, field_object(latency, "device_latency"), &process->latency_device);
}

static void fill_cpu(const struct fill *fill, const struct kept *kept, struct process *process)
{
    json_object *usage = field_object(kept_value(kept), "vcpu_usage");
    if (usage == NULL)
        usage = field_object(kept_value(kept), "cpu_usage");
    if (kept->period < REPORT_SHORTEST_PERIOD)
        return;
    process->cpu_user_percent = fill_number(fill, kept, usage, "user");
    process->cpu_system_percent = fill_number(fill, kept, usage, "system");
}

static void fill_groups(const struct fill *fill, const struct runtime *runtime,
                        struct process *process)
{
    for (int i = 0; i < GROUPS; i++) {
        const struct kept *kept = &runtime->groups[i];
        struct group_status *status = &process->groups[i];
        if (kept->value == NULL)
            continue;
        status->error = fill_error(fill, kept);
        status->age_seconds = fill_f64(fill, kept, number_max(fill->now - kept->arrival, 0));
        status->period_seconds = fill_number(fill, kept, kept->value, "period");
    }
}

static void fill_identity(const struct fill *fill, json_object *entry, struct process *process)
{
    uint64_t pid, index;
    if (field_pid(entry, "pid", &pid)) // 0: a neuron-rtd
        process->pid = fact_u64(pid, fill->from);
    process->tag = fill_text(fill, entry, "neuron_runtime_tag");
    process->address = fill_text(fill, entry, "address");
    process->error = fill_text(fill, entry, "error");
    if (process->tag == NULL && (field_count(entry, "neuron_runtime_index", &index) ||
                                 field_count(entry, "runtime_index", &index)))
        process->tag = arena_printf(fill->arena, "neuron-rtd %llu", (unsigned long long)index);
}

// The pod of the cores it owns, when that is one.
static void fill_process_pod(const struct fill *fill, struct process *process)
{
    const struct core *first = NULL;
    for (unsigned i = 0; i < process->share_count; i++) {
        const struct core *core = &fill->host->cores[process->shares[i].core];
        if (!process->shares[i].owned)
            continue;
        if (core->pod == NULL || (first != NULL && strcmp(first->pod, core->pod) != 0))
            return;
        first = first != NULL ? first : core;
    }
    if (first == NULL)
        return;
    process->pod = first->pod;
    process->pod_namespace = first->pod_namespace;
    process->container = first->container;
}

static void fill_process(struct fill *fill, const struct runtime *runtime, struct process *process)
{
    const struct kept *memory = &runtime->groups[GROUP_MEMORY];
    fill_identity(fill, runtime->entry, process);
    fill_groups(fill, runtime, process);
    if (kept_value(memory) != NULL)
        fill_memory(fill, memory, process);
    else
        fill->runtimes_clear = false;
    fill_cores(fill, &runtime->groups[GROUP_CORES]);
    fill_execution(fill, &runtime->groups[GROUP_EXECUTION], process);
    fill_cpu(fill, &runtime->groups[GROUP_CPU], process);
    finish_shares(fill, process);
    fill_process_pod(fill, process);
}

void fill_processes(struct fill *fill)
{
    const struct report *report = fill->report;
    struct host *host = fill->host;
    if (!report->told_runtimes)
        return;
    unsigned before = host->process_count;
    struct process *all = ARENA_ARRAY(fill->arena, before + report->runtime_count, struct process);
    if (before > 0)
        memcpy(all, host->processes, before * sizeof(*all));
    fill->runtimes_clear = report->runtimes_left == 0;
    for (size_t i = 0; i < report->runtime_count; i++)
        fill_process(fill, &report->runtimes[i], &all[before + i]);
    host->processes = all;
    host->process_count = before + (unsigned)report->runtime_count;
    for (unsigned i = 0; i < host->core_count; i++)
        host->cores[i].owners_known = host->cores[i].owners_known || fill->runtimes_clear;
}
