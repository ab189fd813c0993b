// SPDX-License-Identifier: Apache-2.0
// Processes in the text snapshot: a table as on the screen, then all that is known of each.
#include <string.h>

#include "host/units.h"
#include "print/text_parts.h"

static struct fact_f64 age_of(const struct host *host, const struct process *process)
{
    struct fact_f64 started = process->started_unix_seconds;
    if (!known_f64(started) || host->time_unix_seconds < started.value)
        return (struct fact_f64){0};
    return fact_f64(host->time_unix_seconds - started.value, FROM_DERIVED);
}

static const char *pid_text(char *buffer, const struct process *process)
{
    if (known_u64(process->pid))
        snprintf(buffer, FACT_TEXT, "%llu", (unsigned long long)process->pid.value);
    else
        snprintf(buffer, FACT_TEXT, "-");
    return buffer;
}

// As on the screen: "active" when something was done in the last period; ">0s" when nothing was
// since neutop looks.
static const char *idle_text(struct page *page, char *buffer, const struct process *process)
{
    char text[FACT_TEXT];
    struct fact_f64 idle = process->idle_seconds;
    if (known_f64(idle) && idle.value < 1 && !process->idle_since_start && !idle.stale)
        snprintf(buffer, FACT_TEXT, "active");
    else
        snprintf(buffer, FACT_TEXT, "%s%.20s",
                 known_f64(idle) && process->idle_since_start && !idle.stale ? ">" : "",
                 text_duration(page, text, idle));
    return buffer;
}

static void table_heading(struct page *page, const struct host *host)
{
    page_style(page, STYLE_DIM);
    page_right(page, 7, "PID");
    page_put(page, " ");
    page_left(page, 8, "USER");
    page_left(page, 7, "CHIPS");
    page_left(page, 8, "NC");
    page_right(page, 8, host_memory_word(host));
    page_right(page, 8, "HOST");
    page_right(page, 6, "UTIL%");
    page_right(page, 7, "IDLE");
    page_right(page, 7, "AGE");
    page_put(page, " TAG, COMMAND");
    page_style(page, STYLE_PLAIN);
    page_newline(page);
}

static const char *set_text(char *buffer, size_t size, const struct core_set *set)
{
    if (core_set_empty(set))
        snprintf(buffer, size, "-");
    else
        core_set_format(set, buffer, size);
    return buffer;
}

static void table_row(struct page *page, const struct host *host, const struct process *process)
{
    char text[FACT_TEXT], label[64];
    page_right(page, 7, pid_text(text, process));
    page_put(page, " ");
    page_left(page, 7, process->user != NULL ? process->user : "-");
    page_put(page, " ");
    page_left(page, 7, set_text(text, 7, &process->chips));
    page_left(page, 8, set_text(text, 8, &process->cores));
    page_right(page, 8, text_bytes(page, text, process->memory_device_bytes));
    page_right(page, 8, text_bytes(page, text, process->memory_host_bytes));
    page_right(page, 6, text_percent1(page, text, process->utilization_percent));
    page_right(page, 7, idle_text(page, text, process));
    page_right(page, 7, text_duration(page, text, age_of(host, process)));
    page_put(page, " ");
    page_put(page, process_label(process, label, sizeof(label)));
    page_newline(page);
}

static void detail_title(struct page *page, const struct host *host, const struct process *process)
{
    struct list line = {0};
    char text[FACT_TEXT], label[64];
    process_label(process, label, sizeof(label));
    list_add(&line, "PID %s", pid_text(text, process));
    if (strncmp(label, "pid ", 4) != 0)
        list_add(&line, "%s", label);
    if (known_u64(process->pid_inside))
        list_add(&line, "PID %llu inside its %s", (unsigned long long)process->pid_inside.value,
                 process->container != NULL ? "container" : "PID namespace");
    list_add(&line, "user %s", process->user != NULL ? process->user : "-");
    if (process->state != PROCESS_UNKNOWN)
        list_add(&line, "%s", process_state_word(process->state));
    if (known_u64(process->launcher_pid))
        list_add(&line, "started by %llu %s", (unsigned long long)process->launcher_pid.value,
                 process->launcher != NULL ? process->launcher : "");
    if (known_f64(process->idle_seconds))
        list_add(&line, "idle %s%s", process->idle_since_start ? "at least " : "",
                 text_duration(page, text, process->idle_seconds));
    if (known_f64(age_of(host, process)))
        list_add(&line, "age %s", text_duration(page, text, age_of(host, process)));
    page_newline(page);
    page_style(page, STYLE_BOLD);
    page_wrap(page, 2, line.text);
    page_style(page, STYLE_PLAIN);
}

static void identity(struct page *page, const struct process *process)
{
    struct list line = {0};
    char text[LIST_TEXT];
    if (process->command != NULL)
        page_field(page, 2, "command ", process->command);
    if (process->tag != NULL)
        page_field(page, 2, "tag     ", process->tag);
    if (process->address != NULL)
        page_field(page, 2, "address ", process->address);
    const char *remark = certainty_remark(process->certainty);
    list_add(&line, remark != NULL ? "NC %s (%s)" : "NC %s",
             set_text(text, sizeof(text), &process->cores), remark);
    list_add(&line, "chips %s", set_text(text, sizeof(text), &process->chips));
    if (process->visible_cores != NULL)
        list_add(&line, "NEURON_RT_VISIBLE_CORES=%s", process->visible_cores);
    if (process->runtime_version != NULL)
        list_add(&line, "runtime %s", process->runtime_version);
    page_field(page, 2, "holds   ", line.text);
    if (process->pod != NULL || process->container != NULL) {
        snprintf(text, sizeof(text), "pod %s, namespace %s, container %s",
                 process->pod != NULL ? process->pod : "-",
                 process->pod_namespace != NULL ? process->pod_namespace : "-",
                 process->container != NULL ? process->container : "-");
        page_field(page, 2, "in      ", text);
    }
}

static void memory(struct page *page, const struct host *host, const struct process *process)
{
    struct list device = {0}, machine = {0};
    char text[FACT_TEXT];
    for (unsigned i = 0; i < MEM_CATEGORIES; i++)
        if (known_u64(process->memory[i]) && process->memory[i].value > 0)
            list_add(&device, "%s %s", memory_category_label((enum memory_category)i),
                     text_bytes(page, text, process->memory[i]));
    for (unsigned i = 0; i < HOSTMEM_CATEGORIES; i++)
        if (known_u64(process->host_memory[i]) && process->host_memory[i].value > 0)
            list_add(&machine, "%s %s", host_memory_category_label((enum host_memory_category)i),
                     text_bytes(page, text, process->host_memory[i]));
    struct list line = {.separator = ": "};
    list_add(&line, "%s %s", host_memory_word(host),
             text_bytes(page, text, process->memory_device_bytes));
    if (device.length > 0)
        list_add(&line, "%s", device.text);
    page_field(page, 2, "memory  ", line.text);
    line = (struct list){.separator = ": "};
    list_add(&line, "host %s", text_bytes(page, text, process->memory_host_bytes));
    if (machine.length > 0)
        list_add(&line, "%s", machine.text);
    page_field(page, 2, "        ", line.text);
}

static void load(struct page *page, const struct process *process)
{
    char util[FACT_TEXT], flops[FACT_TEXT], user[FACT_TEXT], system[FACT_TEXT], line[LIST_TEXT];
    snprintf(line, sizeof(line), "NC %s (mean), FLOPS %s, CPU %s user, %s system of the whole host",
             text_percent(page, util, process->utilization_percent),
             text_flops(page, flops, process->flops_per_second),
             text_percent(page, user, process->cpu_user_percent),
             text_percent(page, system, process->cpu_system_percent));
    page_field(page, 2, "load    ", line);
}

static void latency(struct page *page, const char *label, const struct latency *latency)
{
    struct list line = {0};
    char text[UNIT_TEXT];
    for (unsigned i = 0; i < PERCENTILES; i++) {
        if (!known_f64(latency->seconds[i]))
            continue;
        bool stale = latency->seconds[i].stale;
        page->shows_stale = page->shows_stale || stale;
        list_add(&line, stale ? "%s (%s)" : "%s %s", percentile_key((enum percentile)i),
                 unit_latency(text, sizeof(text), latency->seconds[i]));
    }
    if (line.length > 0)
        page_field(page, 2, label, line.text);
}

// What happened: rates that are not 0; "0/s" when all known rates are 0.
static void executions(struct page *page, const struct process *process)
{
    struct list line = {0}, errors = {0};
    char text[FACT_TEXT];
    bool errors_known = false;
    for (unsigned i = 0; i < EXECUTIONS; i++) {
        struct fact_f64 rate = process->executions_per_second[i];
        if (i == EXEC_COMPLETED || (known_f64(rate) && rate.value > 0))
            list_add(&line, "%s %s", execution_key((enum execution)i), text_rate(page, text, rate));
    }
    for (unsigned i = 0; i < ERROR_KINDS; i++) {
        struct fact_f64 rate = process->errors_per_second[i];
        errors_known = errors_known || known_f64(rate);
        if (known_f64(rate) && rate.value > 0)
            list_add(&errors, "%s %s", error_kind_key((enum error_kind)i),
                     text_rate(page, text, rate));
    }
    page_field(page, 2, "executed", line.text);
    page_field(page, 2, "errors  ", errors.length > 0 ? errors.text : errors_known ? "none" : NULL);
}

static void failures(struct page *page, const struct process *process)
{
    char line[LIST_TEXT];
    if (process->error != NULL)
        page_field(page, 2, "not read", process->error);
    for (unsigned i = 0; i < GROUPS; i++) {
        if (process->groups[i].error == NULL)
            continue;
        snprintf(line, sizeof(line), "%s: %s", group_word((enum group)i), process->groups[i].error);
        page_field(page, 2, "not read", line);
    }
}

static bool same_model(const struct model *a, const struct model *b)
{
    bool same_name =
        a->name == b->name || (a->name != NULL && b->name != NULL && strcmp(a->name, b->name) == 0);
    return same_name && a->state == b->state;
}

static const char *model_state(const struct model *model)
{
    return model->state == MODEL_RUNNING   ? "running"
           : model->state == MODEL_STOPPED ? "stopped"
                                           : "-";
}

// Models of the same name and state in one line: "20 x", with the sum of their memory.
static void models(struct page *page, const struct host *host, const struct process *process)
{
    for (unsigned i = 0; i < process->model_count; i++) {
        const struct model *model = &process->models[i];
        struct fact_u64 bytes = {0};
        unsigned count = 0, before = 0;
        char text[FACT_TEXT], id[UNIT_TEXT], line[LIST_TEXT];
        for (unsigned j = 0; j < process->model_count; j++) {
            if (!same_model(model, &process->models[j]))
                continue;
            before += j < i;
            count++;
            fact_add(&bytes, process->models[j].memory_device_bytes);
        }
        if (before > 0)
            continue;
        if (count > 1)
            snprintf(id, sizeof(id), "%u x", count);
        else
            unit_count(id, sizeof(id), model->model_id);
        snprintf(line, sizeof(line), "%s %s, %s %s: %s", id, model_state(model),
                 host_memory_word(host), text_bytes(page, text, bytes),
                 model->name != NULL ? model->name : "-");
        page_field(page, 2, i == 0 ? "models  " : "        ", line);
    }
}

// "compiled for LNC 2 by neuronx-cc 2.27.5334.0+0f1e2d3c; known by open file".
static void neffs(struct page *page, const struct process *process)
{
    for (unsigned i = 0; i < process->neff_count; i++) {
        const struct neff_use *use = &process->neffs[i];
        struct list line = {0};
        char text[FACT_TEXT * 3];
        list_add(&line, "%s", use->path);
        if (known_u64(use->lnc))
            list_add(&line, "LNC %llu", (unsigned long long)use->lnc.value);
        if (use->compiler != NULL)
            list_add(&line, "neuronx-cc %s", use->compiler);
        if (use->error != NULL)
            list_add(&line, "%s", use->error);
        list_add(&line, "known by %s", neff_evidence_text(use->evidence, text, sizeof(text)));
        page_field(page, 2, i == 0 ? "NEFF    " : "        ", line.text);
    }
    if (process->neffs_untold > 0 && process->neffs_reason != NULL) {
        char line[LIST_TEXT];
        snprintf(line, sizeof(line), "not known of %u model%s: %s", process->neffs_untold,
                 process->neffs_untold == 1 ? "" : "s", process->neffs_reason);
        page_field(page, 2, process->neff_count == 0 ? "NEFF    " : "        ", line);
    }
}

void text_processes(struct page *page, const struct host *host)
{
    page_heading(page, host->process_count > 0 ? "PROCESSES"
                       : host_owners_known(host)
                           ? "PROCESSES: none seen"
                           : "PROCESSES: not known: no source tells which use these chips");
    if (host->process_count == 0)
        return;
    table_heading(page, host);
    for (unsigned i = 0; i < host->process_count; i++)
        table_row(page, host, &host->processes[i]);
    const struct blocks blocks = blocks_of(host);
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        if (text_workers(page, &blocks, process))
            continue;
        detail_title(page, host, process);
        identity(page, process);
        memory(page, host, process);
        load(page, process);
        latency(page, "latency ", &process->latency_total);
        latency(page, "  device", &process->latency_device);
        executions(page, process);
        failures(page, process);
        models(page, host, process);
        neffs(page, process);
    }
}
