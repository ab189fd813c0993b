// SPDX-License-Identifier: Apache-2.0
// Processes and their models as JSON.
#include <inttypes.h>
#include <stdio.h>

#include "host/job.h"
#include "print/json_parts.h"

static void emit_percentiles(struct emit *emit, const char *key, const struct latency *latency)
{
    unsigned known = 0;
    bool stale = false;
    for (unsigned i = 0; i < PERCENTILES; i++)
        known += known_f64(latency->seconds[i]);
    if (known == 0) {
        json_put_null(&emit->writer, key);
        return;
    }
    json_begin_object(&emit->writer, key);
    for (unsigned i = 0; i < PERCENTILES; i++)
        emit_known_f64(emit, percentile_key((enum percentile)i), latency->seconds[i], &stale);
    json_end_object(&emit->writer);
    if (stale)
        emit_stale_key(emit, "latency_seconds");
}

// {"numerical": 0.5, ...}: rates and counts by kind, those that somebody gave.
static void emit_errors(struct emit *emit, const struct process *process)
{
    bool stale = false;
    json_begin_object(&emit->writer, "errors_per_second");
    for (unsigned i = 0; i < ERROR_KINDS; i++)
        emit_known_f64(emit, error_kind_key((enum error_kind)i), process->errors_per_second[i],
                       &stale);
    json_end_object(&emit->writer);
    if (stale)
        emit_stale_key(emit, "errors_per_second");
    json_begin_object(&emit->writer, "errors_in_period");
    for (unsigned i = 0; i < ERROR_KINDS; i++)
        emit_known_u64(emit, error_kind_key((enum error_kind)i), process->errors_in_period[i],
                       NULL);
    json_end_object(&emit->writer);
}

// The rate of completed executions, then rates and counts by how executions ended.
static void emit_executions(struct emit *emit, const struct process *process)
{
    bool stale = false;
    emit_f64(emit, "executions_per_second", process->executions_per_second[EXEC_COMPLETED]);
    json_begin_object(&emit->writer, "execution_status_per_second");
    for (unsigned i = 0; i < EXECUTIONS; i++)
        emit_known_f64(emit, execution_key((enum execution)i), process->executions_per_second[i],
                       &stale);
    json_end_object(&emit->writer);
    if (stale)
        emit_stale_key(emit, "execution_status_per_second");
    json_begin_object(&emit->writer, "executions_in_period");
    for (unsigned i = 0; i < EXECUTIONS; i++)
        emit_known_u64(emit, execution_key((enum execution)i), process->executions_in_period[i],
                       NULL);
    json_end_object(&emit->writer);
}

static void emit_host_memory(struct emit *emit, const struct process *process)
{
    bool stale = false;
    json_begin_object(&emit->writer, "host_memory");
    for (unsigned i = 0; i < HOSTMEM_CATEGORIES; i++)
        emit_known_u64(emit, host_memory_category_key((enum host_memory_category)i),
                       process->host_memory[i], &stale);
    json_end_object(&emit->writer);
    if (stale)
        emit_stale_key(emit, "host_memory");
}

// The instance-wide index of a core that a subgraph names by chip and place; false when that core
// is not in the snapshot.
static bool subgraph_core(const struct host *host, const struct subgraph *subgraph, unsigned *index)
{
    for (unsigned c = 0; c < host->chip_count; c++) {
        const struct chip *chip = &host->chips[c];
        if (subgraph->chip < 0 || chip->index != (unsigned)subgraph->chip)
            continue;
        for (unsigned i = chip->core_first; i < chip->core_first + chip->core_count; i++) {
            if (subgraph->core_in_chip < 0 ||
                host->cores[i].place != (unsigned)subgraph->core_in_chip)
                continue;
            *index = host->cores[i].index;
            return true;
        }
    }
    return false;
}

static void emit_model_cores(struct emit *emit, const struct host *host, const struct model *model)
{
    struct core_set set;
    unsigned index;
    core_set_clear(&set);
    for (unsigned i = 0; i < model->subgraph_count; i++)
        if (subgraph_core(host, &model->subgraphs[i], &index))
            core_set_add(&set, index);
    emit_core_set(emit, "cores", &set);
}

static void emit_models(struct emit *emit, const struct host *host, const struct process *process)
{
    struct json_writer *writer = &emit->writer;
    json_begin_array(writer, "models");
    for (unsigned i = 0; i < process->model_count; i++) {
        const struct model *model = &process->models[i];
        json_begin_object(writer, NULL);
        json_put_string(writer, "name", model->name);
        json_put_string(writer, "uuid", model->uuid);
        emit_u64(emit, "model_id", model->model_id);
        if (model->state == MODEL_STATE_UNKNOWN)
            json_put_null(writer, "running");
        else
            json_put_bool(writer, "running", model->state == MODEL_RUNNING);
        emit_u64(emit, "memory_device_bytes", model->memory_device_bytes);
        emit_u64(emit, "memory_host_bytes", model->memory_host_bytes);
        emit_model_cores(emit, host, model);
        emit_stale(emit);
        json_end_object(writer);
    }
    json_end_array(writer);
}

static void emit_known_by(struct json_writer *writer, unsigned evidence)
{
    static const char *const words[] = {"open-file", "uuid", "name"};
    json_begin_array(writer, "known_by");
    for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if ((evidence >> i & 1) != 0)
            json_put_string(writer, NULL, words[i]);
    json_end_array(writer);
}

static void emit_header(struct emit *emit, const struct neff_use *use)
{
    char text[48];
    emit_u64(emit, "lnc", use->lnc);
    if (known_u64(use->version_major)) {
        snprintf(text, sizeof(text), "%" PRIu64 ".%" PRIu64, use->version_major.value,
                 use->version_minor.value);
        json_put_string(&emit->writer, "format_version", text);
    } else {
        json_put_null(&emit->writer, "format_version");
    }
    snprintf(text, sizeof(text), "0x%" PRIx64, use->features.value);
    json_put_string(&emit->writer, "features", known_u64(use->features) ? text : NULL);
}

static void emit_neff(struct emit *emit, const struct process *process, const struct neff_use *use)
{
    struct json_writer *writer = &emit->writer;
    json_begin_object(writer, NULL);
    json_put_string(writer, "path", use->path);
    emit_known_by(writer, use->evidence);
    json_put_string(writer, "uuid", use->uuid);
    if (use->uuid_differs)
        json_put_bool(writer, "uuid_differs", true);
    emit_header(emit, use);
    json_put_string(writer, "target", use->target);
    if (use->target != NULL)
        json_put_string(writer, "target_from",
                        use->target_by_flags ? "compile_flags.json" : "payload");
    json_put_string(writer, "compiler", use->compiler);
    json_put_u64(writer, "models", use->model_count);
    json_begin_array(writer, "model_ids");
    for (unsigned i = 0; i < use->model_count; i++)
        if (known_u64(process->models[use->models[i]].model_id))
            json_put_u64(writer, NULL, process->models[use->models[i]].model_id.value);
    json_end_array(writer);
    emit_optional(emit, "error", use->error);
    json_end_object(writer);
}

// What is not here is unknown: where nobody has looked there is no list.
static void emit_neffs(struct emit *emit, const struct process *process)
{
    struct json_writer *writer = &emit->writer;
    emit_optional(emit, "compile_cache", process->compile_cache);
    if (!process->neffs_looked_for)
        return;
    json_begin_array(writer, "neffs");
    for (unsigned i = 0; i < process->neff_count; i++)
        emit_neff(emit, process, &process->neffs[i]);
    json_end_array(writer);
    if (process->neffs_untold > 0)
        json_put_u64(writer, "models_without_neff", process->neffs_untold);
    emit_optional(emit, "neffs_unknown", process->neffs_reason);
}

static void emit_group_errors(struct emit *emit, const struct process *process)
{
    unsigned count = 0;
    emit_optional(emit, "error", process->error);
    for (unsigned i = 0; i < GROUPS; i++)
        count += process->groups[i].error != NULL;
    if (count == 0)
        return;
    json_begin_object(&emit->writer, "group_errors");
    for (unsigned i = 0; i < GROUPS; i++)
        emit_optional(emit, group_word((enum group)i), process->groups[i].error);
    json_end_object(&emit->writer);
}

static void emit_identity(struct emit *emit, const struct process *process)
{
    struct json_writer *writer = &emit->writer;
    emit_u64(emit, "pid", process->pid);
    if (known_u64(process->pid_inside))
        emit_u64(emit, "pid_inside", process->pid_inside);
    json_put_string(writer, "tag", process->tag);
    json_put_string(writer, "user", process->user);
    json_put_string(writer, "command", process->command);
    emit_optional(emit, "address", process->address);
    json_put_string(writer, "state",
                    process->state == PROCESS_UNKNOWN ? NULL : process_state_word(process->state));
    if (known_f64(process->started_unix_seconds))
        emit_time(emit, "started", process->started_unix_seconds.value);
    else
        json_put_null(writer, "started");
    if (known_u64(process->ppid))
        emit_u64(emit, "ppid", process->ppid);
    if (known_u64(process->launcher_pid))
        emit_u64(emit, "launcher_pid", process->launcher_pid);
    emit_optional(emit, "launcher", process->launcher);
}

// Only of processes that belong together with others, or to a launcher.
static void emit_job(struct emit *emit, const struct job *job)
{
    struct json_writer *writer = &emit->writer;
    if (!job_is_group(job))
        return;
    json_begin_object(writer, "job");
    json_put_string(writer, "kind", job_kind_word(job->kind));
    if (known_u64(job->pid))
        json_put_u64(writer, "pid", job->pid.value);
    emit_optional(emit, "name", job->name);
    json_put_u64(writer, "processes", job->count);
    json_end_object(writer);
}

static void emit_use(struct emit *emit, const struct process *process)
{
    emit_core_set(emit, "cores", &process->cores);
    emit_core_set(emit, "chips", &process->chips);
    if (process->certainty != CERTAINTY_UNKNOWN)
        json_put_string(&emit->writer, "certainty", certainty_word(process->certainty));
    if (process->bystander)
        json_put_bool(&emit->writer, "bystander", true);
    emit_u64(emit, "memory_device_bytes", process->memory_device_bytes);
    emit_u64(emit, "memory_host_bytes", process->memory_host_bytes);
    if (known_u64(process->resident_bytes))
        emit_u64(emit, "memory_resident_bytes", process->resident_bytes);
    emit_memory(emit, "memory", process->memory);
    emit_host_memory(emit, process);
    emit_f64(emit, "cpu_user_percent", process->cpu_user_percent);
    emit_f64(emit, "cpu_system_percent", process->cpu_system_percent);
    emit_f64(emit, "utilization_percent", process->utilization_percent);
    emit_f64(emit, "flops_per_second", process->flops_per_second);
    emit_seconds(emit, "idle_seconds", process->idle_seconds);
    json_put_bool(&emit->writer, "idle_since_start", process->idle_since_start);
}

static void emit_process(struct emit *emit, const struct host *host, const struct job *job,
                         const struct process *process)
{
    struct json_writer *writer = &emit->writer;
    json_begin_object(writer, NULL);
    emit_identity(emit, process);
    emit_job(emit, job);
    emit_use(emit, process);
    json_put_string(writer, "runtime_version", process->runtime_version);
    json_put_string(writer, "visible_cores", process->visible_cores);
    emit_optional(emit, "num_cores", process->num_cores);
    emit_optional(emit, "visible_devices", process->visible_devices);
    if (process->given != NULL)
        emit_core_set(emit, "given_devices", process->given);
    json_put_string(writer, "container", process->container);
    emit_optional(emit, "container_id", process->container_id);
    json_put_string(writer, "pod", process->pod);
    json_put_string(writer, "namespace", process->pod_namespace);
    json_begin_object(writer, "latency_seconds");
    emit_percentiles(emit, "total", &process->latency_total);
    emit_percentiles(emit, "device", &process->latency_device);
    json_end_object(writer);
    emit_executions(emit, process);
    emit_errors(emit, process);
    emit_group_errors(emit, process);
    emit_stale(emit);
    emit_models(emit, host, process);
    emit_neffs(emit, process);
    json_end_object(writer);
}

void emit_processes(struct emit *emit, const struct host *host)
{
    const struct jobs jobs = jobs_of(host);
    json_begin_array(&emit->writer, "processes");
    for (unsigned i = 0; i < host->process_count; i++)
        emit_process(emit, host, &jobs.items[jobs.of[i]], &host->processes[i]);
    json_end_array(&emit->writer);
}
