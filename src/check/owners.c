// SPDX-License-Identifier: Apache-2.0
// Who keeps cores without need: idle holders (field case F-08).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check/rule.h"
#include "host/units.h"

const double idle_held_seconds =
    15 * 60;                // shorter pauses (compilation, checkpoints) are part of a job's life
enum { IDLE_FINDINGS = 4 }; // the rest is counted in the last one

static bool idle_held(const struct process *process)
{
    return !core_set_empty(&process->cores) && process->state != PROCESS_GONE &&
           current_f64(process->idle_seconds) && process->idle_seconds.value >= idle_held_seconds;
}

// Most core-hours wasted first.
static int wasteful_first(const void *a, const void *b)
{
    const struct job_part *left = a, *right = b;
    double waste_left = core_set_count(&left->cores) * left->idle_seconds.value;
    double waste_right = core_set_count(&right->cores) * right->idle_seconds.value;
    if (waste_left != waste_right)
        return waste_left < waste_right ? 1 : -1;
    return left->first < right->first ? -1 : left->first > right->first;
}

static void clock_text(char *buffer, size_t size, double unix_seconds)
{
    time_t seconds = (time_t)unix_seconds;
    struct tm parts;
    if (unix_seconds <= 0 || gmtime_r(&seconds, &parts) == NULL ||
        strftime(buffer, size, "%Y-%m-%d %H:%M UTC", &parts) == 0)
        snprintf(buffer, size, "-");
}

static void idle_evidence(struct report *report, struct finding *finding,
                          const struct job_part *part)
{
    const struct process *first = part->first;
    double now = report->host->time_unix_seconds;
    char cores[NAME_TEXT], text[UNIT_TEXT], when[NAME_TEXT];
    unsigned count = core_set_count(&part->cores);
    finding_evidence(
        report, finding, "holds NC %s (%u core%s) with %s of %s",
        core_set_format(&part->cores, cores, sizeof(cores)), count, count == 1 ? "" : "s",
        unit_bytes(text, sizeof(text), part->memory_device_bytes), host_memory_word(report->host));
    unit_duration(text, sizeof(text), part->idle_seconds);
    clock_text(when, sizeof(when), now - part->idle_seconds.value);
    if (part->idle_since_start)
        finding_evidence(
            report, finding,
            "no core busy, nothing executed for at least %s: since neutop started to look", text);
    else
        finding_evidence(report, finding, "no core busy, nothing executed for %s: since %s", text,
                         when);
    if (known_f64(part->started_unix_seconds) && now > part->started_unix_seconds.value)
        finding_evidence(
            report, finding, "started %s ago%s%s",
            unit_duration(text, sizeof(text),
                          fact_f64(now - part->started_unix_seconds.value, FROM_DERIVED)),
            first->user != NULL ? " by " : "", first->user != NULL ? first->user : "");
    if (first->pod != NULL || first->container != NULL)
        finding_evidence(report, finding, "in %s %s", first->pod != NULL ? "pod" : "container",
                         first->pod != NULL ? first->pod : first->container);
}

// A name that a shell takes as it stands: others are in no command to be copied.
static bool is_plain(const char *name)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@._:-";
    return name != NULL && name[0] != '-' && name[0] != '\0' && name[strspn(name, plain)] == '\0';
}

// What ends a job. BUFFER of COMMAND_TEXT bytes; false: there is nothing to say.
enum { COMMAND_TEXT = 512, PIDS_NAMED = 16 };

static bool how_to_end(const struct report *report, const struct job_part *part, char *buffer)
{
    const struct job *job = part->job;
    const char *space = part->first->pod_namespace;
    char pids[COMMAND_TEXT - 64];
    if (job_by_start(job) && job_is_group(job) && !job_leader_serves(job))
        snprintf(buffer, COMMAND_TEXT, "kill -TERM %llu", (unsigned long long)job->pid.value);
    else if (job->kind == JOB_SERVICE && is_plain(job->name))
        snprintf(buffer, COMMAND_TEXT, "sudo systemctl stop %.200s", job->name);
    else if (job->kind == JOB_POD && is_plain(job->name))
        snprintf(buffer, COMMAND_TEXT, "kubectl delete pod %.200s%s%.200s", job->name,
                 is_plain(space) ? " -n " : "", is_plain(space) ? space : "");
    else if (part->members == 1 && known_u64(part->first->pid))
        snprintf(buffer, COMMAND_TEXT, "kill -TERM %llu",
                 (unsigned long long)part->first->pid.value);
    else if (*job_pids(report->host, job, idle_held, PIDS_NAMED, pids, sizeof(pids)) != '\0')
        snprintf(buffer, COMMAND_TEXT, "kill -TERM to each of PID %s", pids);
    else
        return false;
    return true;
}

static void idle_remedy(struct report *report, struct finding *finding, const struct job_part *part)
{
    const char *user = part->first->user;
    char command[COMMAND_TEXT];
    if (how_to_end(report, part, command))
        finding_remedy(report, finding, "Ask %s whether it is still needed; to free the cores: %s",
                       user != NULL ? user : "its owner", command);
    else
        finding_remedy(
            report, finding,
            "Ask its owner whether it is still needed; to free the cores unload its models "
            "or stop it (sudo systemctl stop neuron-rtd).");
}

static void idle_finding(struct report *report, const struct job_part *part, size_t others)
{
    struct finding *finding = report_add(report, SEVERITY_WARNING);
    char name[JOB_TEXT], cores[NAME_TEXT], idle[UNIT_TEXT];
    job_part_text(part, name);
    finding_subject(report, finding, "%s", name);
    finding_summary(report, finding, "NC %s held by %s, idle for %s%s",
                    core_set_format(&part->cores, cores, 32), name,
                    part->idle_since_start ? "at least " : "",
                    unit_duration(idle, sizeof(idle), part->idle_seconds));
    idle_evidence(report, finding, part);
    evidence_more(report, finding, others, "idle holders");
    idle_remedy(report, finding, part);
}

void rule_cores_idle_held(struct report *report)
{
    unsigned count;
    struct job_part *parts = job_parts(report->host, &report->jobs, idle_held, &count);
    if (parts == NULL)
        return;
    qsort(parts, count, sizeof(*parts), wasteful_first);
    for (unsigned i = 0; i < count && i < IDLE_FINDINGS; i++)
        idle_finding(report, &parts[i], i + 1 == IDLE_FINDINGS ? count - IDLE_FINDINGS : 0);
}
