// SPDX-License-Identifier: Apache-2.0
// Members of a job summed once, and what a job is called.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "host/job.h"

enum { NAME_COLUMNS = 40, LABEL_COLUMNS = 24 };

void job_part_add(struct job_part *part, const struct host *host, const struct job *job,
                  const struct process *process)
{
    const struct fact_f64 started = process->started_unix_seconds, idle = process->idle_seconds;
    const bool leads = job->leader >= 0 && process == &host->processes[job->leader];
    part->job = job;
    part->first = part->first != NULL ? part->first : process;
    part->members++;
    part->workers += !leads;
    core_set_union(&part->cores, &process->cores);
    core_set_union(&part->chips, &process->chips);
    fact_add(&part->memory_device_bytes, process->memory_device_bytes);
    if (known_f64(started) && (!known_f64(part->started_unix_seconds) ||
                               started.value < part->started_unix_seconds.value))
        part->started_unix_seconds = started;
    if (known_f64(idle) &&
        (!known_f64(part->idle_seconds) || idle.value < part->idle_seconds.value)) {
        part->idle_seconds = idle;
        part->idle_since_start = process->idle_since_start;
    }
}

struct job_part *job_parts(const struct host *host, const struct jobs *jobs,
                           bool (*wanted)(const struct process *process), unsigned *count)
{
    struct job_part *parts = NULL;
    *count = 0;
    for (unsigned i = 0; i < jobs->count; i++) {
        const struct job *job = &jobs->items[i];
        struct job_part *part = NULL;
        for (unsigned j = 0; j < job->count; j++) {
            const struct process *process = &host->processes[job->members[j]];
            if (!wanted(process))
                continue;
            if (parts == NULL)
                parts = ARENA_ARRAY(host->arena, jobs->count - i, struct job_part);
            if (part == NULL)
                part = &parts[(*count)++];
            job_part_add(part, host, job, process);
        }
    }
    return parts;
}

char *process_text(const struct process *process, char *buffer)
{
    char full[PROCESS_TEXT * 4], label[PROCESS_TEXT - 24];
    process_label(process, full, sizeof(full));
    text_fit(label, sizeof(label), full, LABEL_COLUMNS, false);
    if (!known_u64(process->pid))
        snprintf(buffer, PROCESS_TEXT, "%s", label);
    else if (strncmp(label, "pid ", 4) == 0)
        snprintf(buffer, PROCESS_TEXT, "PID %" PRIu64, process->pid.value);
    else
        snprintf(buffer, PROCESS_TEXT, "PID %" PRIu64 " (%s)", process->pid.value, label);
    return buffer;
}

char *job_part_text(const struct job_part *part, char *buffer)
{
    static const char *const of[JOB_KINDS] = {
        [JOB_SERVICE] = "of service", [JOB_POD] = "of pod", [JOB_CONTAINER] = "of container"};
    const struct job *job = part->job;
    char name[JOB_TEXT - 64];
    if (!job_is_group(job) || (part->members == 1 && job->kind != JOB_LAUNCHER) ||
        part->workers == 0)
        return process_text(part->first, buffer);
    text_fit(name, sizeof(name), job->name != NULL ? job->name : "launcher", NAME_COLUMNS, false);
    if (job_by_start(job))
        snprintf(buffer, JOB_TEXT, "%u worker%s of PID %" PRIu64 " %s", part->workers,
                 part->workers == 1 ? "" : "s", job->pid.value, name);
    else
        snprintf(buffer, JOB_TEXT, "%u processes %s %s", part->members,
                 of[job->kind] != NULL ? of[job->kind] : "tagged", name);
    return buffer;
}

char *job_text(const struct host *host, const struct job *job, char *buffer)
{
    struct job_part all = {.job = job,
                           .first = &host->processes[job->members[0]],
                           .members = job->count,
                           .workers = job->count - (job->leader >= 0)};
    return job_part_text(&all, buffer);
}

// Appends; what does not fit is left out.
static void append(char *buffer, size_t size, const char *text)
{
    size_t used = strlen(buffer);
    snprintf(buffer + used, size - used, "%s", text);
}

char *job_pids(const struct host *host, const struct job *job,
               bool (*wanted)(const struct process *process), unsigned most, char *buffer,
               size_t size)
{
    uint64_t low = 0, high = 0;
    unsigned runs = 0, left = 0;
    char text[64];
    buffer[0] = '\0';
    for (unsigned i = 0; i <= job->count; i++) {
        const struct process *process = i < job->count ? &host->processes[job->members[i]] : NULL;
        if (process != NULL && (!known_u64(process->pid) || (wanted != NULL && !wanted(process))))
            continue;
        if (process != NULL && low != 0 && process->pid.value == high + 1) {
            high++;
            continue;
        }
        if (low != 0 && runs >= most)
            left += (unsigned)(high - low + 1);
        if (low != 0 && runs < most) {
            snprintf(text, sizeof(text), "%s%" PRIu64, runs > 0 ? ", " : "", low);
            append(buffer, size, text);
            snprintf(text, sizeof(text), "-%" PRIu64, high);
            append(buffer, size, high > low ? text : "");
            runs++;
        }
        low = high = process != NULL ? process->pid.value : 0;
    }
    snprintf(text, sizeof(text), " and %u more", left);
    append(buffer, size, left > 0 ? text : "");
    return buffer;
}

const char *job_kind_word(enum job_kind kind)
{
    static const char *const words[JOB_KINDS] = {
        [JOB_PROCESS] = "process",    [JOB_LAUNCHER] = "launcher",
        [JOB_PARENT] = "parent",      [JOB_TAG] = "tag",
        [JOB_SERVICE] = "service",    [JOB_POD] = "pod",
        [JOB_CONTAINER] = "container"};
    return words[kind];
}
