// SPDX-License-Identifier: Apache-2.0
// Who keeps cores without need: idle holders, holders that are gone, holders that are stopped
// (field cases F-06, F-08).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "check/rule.h"
#include "host/units.h"

const double idle_held_seconds =
    15 * 60;                // shorter pauses (compilation, checkpoints) are part of a job's life
enum { IDLE_FINDINGS = 4 }; // the rest is counted in the last one

// Idle processes that stand and fall together: the workers of one launcher, or one process alone.
struct holder {
    struct fact_u64 launcher_pid; // unknown: one process alone
    const struct process *first;
    unsigned members;
    struct core_set cores;
    struct fact_u64 memory_bytes;
    double idle_seconds; // of the member that was active last
    bool since_start;
};

static bool idle_held(const struct process *process)
{
    return !core_set_empty(&process->cores) && process->state != PROCESS_GONE &&
           current_f64(process->idle_seconds) && process->idle_seconds.value >= idle_held_seconds;
}

static struct holder *holder_of(struct holder *holders, size_t *count,
                                const struct process *process)
{
    for (size_t i = 0; i < *count; i++)
        if (known_u64(process->launcher_pid) && known_u64(holders[i].launcher_pid) &&
            holders[i].launcher_pid.value == process->launcher_pid.value)
            return &holders[i];
    holders[*count] = (struct holder){.launcher_pid = process->launcher_pid,
                                      .first = process,
                                      .idle_seconds = process->idle_seconds.value,
                                      .since_start = process->idle_since_start};
    return &holders[(*count)++];
}

static size_t collect_holders(const struct host *host, struct holder *holders)
{
    size_t count = 0;
    for (unsigned p = 0; p < host->process_count; p++) {
        const struct process *process = &host->processes[p];
        if (!idle_held(process))
            continue;
        struct holder *holder = holder_of(holders, &count, process);
        holder->members++;
        core_set_union(&holder->cores, &process->cores);
        fact_add(&holder->memory_bytes, process->memory_device_bytes);
        if (process->idle_seconds.value < holder->idle_seconds) {
            holder->idle_seconds = process->idle_seconds.value;
            holder->since_start = process->idle_since_start;
        }
    }
    return count;
}

// Most core-hours wasted first.
static int wasteful_first(const void *a, const void *b)
{
    const struct holder *left = a, *right = b;
    double waste_left = core_set_count(&left->cores) * left->idle_seconds;
    double waste_right = core_set_count(&right->cores) * right->idle_seconds;
    if (waste_left != waste_right)
        return waste_left < waste_right ? 1 : -1;
    return left->first < right->first ? -1 : left->first > right->first;
}

// "31207 torchrun (32 workers)" or "40112 vllm".
static void holder_name(char *buffer, size_t size, const struct holder *holder)
{
    char who[NAME_TEXT];
    const struct process *first = holder->first;
    if (known_u64(holder->launcher_pid) && (holder->members > 1 || first->launcher != NULL))
        snprintf(buffer, size, "PID %llu (%.24s), %u worker%s",
                 (unsigned long long)holder->launcher_pid.value,
                 first->launcher != NULL ? first->launcher : "launcher", holder->members,
                 holder->members == 1 ? "" : "s");
    else
        snprintf(buffer, size, "%s", name_process(who, first));
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
                          const struct holder *holder)
{
    const struct process *first = holder->first;
    double now = report->host->time_unix_seconds;
    char cores[NAME_TEXT], text[UNIT_TEXT], when[NAME_TEXT];
    unsigned count = core_set_count(&holder->cores);
    finding_evidence(report, finding, "holds NC %s (%u core%s) with %s of %s",
                     core_set_format(&holder->cores, cores, sizeof(cores)), count,
                     count == 1 ? "" : "s", unit_bytes(text, sizeof(text), holder->memory_bytes),
                     host_memory_word(report->host));
    unit_duration(text, sizeof(text), fact_f64(holder->idle_seconds, FROM_DERIVED));
    clock_text(when, sizeof(when), now - holder->idle_seconds);
    if (holder->since_start)
        finding_evidence(
            report, finding,
            "no core busy, nothing executed for at least %s: since neutop started to look", text);
    else
        finding_evidence(report, finding, "no core busy, nothing executed for %s: since %s", text,
                         when);
    if (known_f64(first->started_unix_seconds) && now > first->started_unix_seconds.value)
        finding_evidence(
            report, finding, "started %s ago%s%s",
            unit_duration(text, sizeof(text),
                          fact_f64(now - first->started_unix_seconds.value, FROM_DERIVED)),
            first->user != NULL ? " by " : "", first->user != NULL ? first->user : "");
    if (first->pod != NULL || first->container != NULL)
        finding_evidence(report, finding, "in %s %s", first->pod != NULL ? "pod" : "container",
                         first->pod != NULL ? first->pod : first->container);
}

static void idle_finding(struct report *report, const struct holder *holder, size_t others)
{
    struct finding *finding = report_add(report, SEVERITY_WARNING);
    char name[NAME_TEXT * 2], cores[NAME_TEXT], idle[UNIT_TEXT];
    const struct process *first = holder->first;
    struct fact_u64 pid = known_u64(holder->launcher_pid) ? holder->launcher_pid : first->pid;
    holder_name(name, sizeof(name), holder);
    finding_subject(report, finding, "%s", name);
    finding_summary(
        report, finding, "NC %s held by %s, idle for %s%s",
        core_set_format(&holder->cores, cores, 32), name, holder->since_start ? "at least " : "",
        unit_duration(idle, sizeof(idle), fact_f64(holder->idle_seconds, FROM_DERIVED)));
    idle_evidence(report, finding, holder);
    evidence_more(report, finding, others, "idle holders");
    if (known_u64(pid))
        finding_remedy(report, finding,
                       "Ask %s whether it is still needed; to free the cores: kill -TERM %llu",
                       first->user != NULL ? first->user : "its owner",
                       (unsigned long long)pid.value);
    else
        finding_remedy(
            report, finding,
            "Ask its owner whether it is still needed; to free the cores unload its models "
            "or stop it (sudo systemctl stop neuron-rtd).");
}

void rule_cores_idle_held(struct report *report)
{
    const struct host *host = report->host;
    struct holder *holders = NULL;
    for (unsigned p = 0; p < host->process_count && holders == NULL; p++)
        if (idle_held(&host->processes[p]))
            holders = ARENA_ARRAY(host->arena, host->process_count, struct holder);
    if (holders == NULL)
        return;
    size_t count = collect_holders(host, holders);
    qsort(holders, count, sizeof(*holders), wasteful_first);
    for (size_t i = 0; i < count && i < IDLE_FINDINGS; i++)
        idle_finding(report, &holders[i], i + 1 == IDLE_FINDINGS ? count - IDLE_FINDINGS : 0);
}

static bool holds_something(const struct process *process)
{
    return (current_u64(process->memory_device_bytes) && process->memory_device_bytes.value > 0) ||
           !core_set_empty(&process->cores) || !core_set_empty(&process->chips);
}

const char *name_held(char *buffer, size_t size, const struct process *process)
{
    char set[NAME_TEXT];
    if (core_set_empty(&process->cores) && core_set_empty(&process->chips))
        snprintf(buffer, size, "NC -");
    else if (!core_set_empty(&process->cores))
        snprintf(buffer, size, "NC %s", core_set_format(&process->cores, set, 32));
    else
        snprintf(buffer, size, "chip%s %s", core_set_count(&process->chips) == 1 ? "" : "s",
                 core_set_format(&process->chips, set, 32));
    return buffer;
}

bool holder_gone(const struct process *process)
{
    bool gone = process->state == PROCESS_GONE || process->state == PROCESS_ZOMBIE ||
                process_not_visible(process);
    return gone && holds_something(process);
}

static const char *gone_reason(const struct process *process)
{
    if (process->state == PROCESS_ZOMBIE)
        return "has ended, its parent has not collected it";
    if (process_not_visible(process))
        return process->groups[GROUP_CPU].error;
    return "not in the process table any more";
}

static void gone_evidence(struct report *report, struct finding *finding,
                          const struct process *process)
{
    char who[NAME_TEXT], memory[UNIT_TEXT], held[NAME_TEXT];
    finding_evidence(report, finding, "%s: %s on %s; %s", name_process(who, process),
                     unit_bytes(memory, sizeof(memory), process->memory_device_bytes),
                     name_held(held, sizeof(held), process), gone_reason(process));
}

static bool at_work(const struct process *process)
{
    return current_f64(process->utilization_percent) && process->utilization_percent.value >= 0.05;
}

// One that works has not gone: it lives where nobody here can see it, and nothing is to be
// reloaded.
static void gone_remedy(struct report *report, struct finding *finding, const struct process *first,
                        bool working)
{
    char pid[UNIT_TEXT];
    if (working)
        finding_remedy(
            report, finding,
            "Cores held so are busy: their holders run in another PID namespace. Look on "
            "the host itself, outside containers: ps -fp %s.",
            name_pid(pid, first));
    else
        finding_remedy(report, finding,
                       "It may live in another PID namespace: look on the host itself, outside "
                       "containers: ps -fp %s. If it is gone there too, end what else uses the "
                       "chips and reload the driver (sudo rmmod neuron && sudo modprobe neuron).",
                       name_pid(pid, first));
}

void rule_holder_gone(struct report *report)
{
    const struct host *host = report->host;
    const struct process *first = NULL;
    struct finding *finding = NULL;
    struct fact_u64 memory = {0};
    char who[NAME_TEXT], size[UNIT_TEXT], others[UNIT_TEXT * 2] = "";
    unsigned count = 0, shown = 0;
    bool working = false;

    for (unsigned p = 0; p < host->process_count; p++) {
        const struct process *process = &host->processes[p];
        if (!holder_gone(process))
            continue;
        working = working || at_work(process);
        if (finding == NULL) {
            finding = report_add(report, SEVERITY_WARNING);
            first = process;
        }
        count++;
        fact_add(&memory, process->memory_device_bytes);
        if (evidence_room(finding)) {
            gone_evidence(report, finding, process);
            shown++;
        }
    }
    if (finding == NULL)
        return;
    evidence_more(report, finding, count - shown, "holders");
    if (count > 1)
        snprintf(others, sizeof(others), " and %u more", count - 1);
    finding_subject(report, finding, "%s", name_process(who, first));
    finding_summary(report, finding, "%s%s not visible from here, %s of %s still held", who, others,
                    unit_bytes(size, sizeof(size), memory), host_memory_word(host));
    gone_remedy(report, finding, first, working);
}

static bool stopped_holder(const struct process *process)
{
    return process->state == PROCESS_STOPPED && holds_something(process);
}

void rule_holder_stopped(struct report *report)
{
    const struct host *host = report->host;
    for (unsigned p = 0; p < host->process_count; p++) {
        const struct process *process = &host->processes[p];
        char who[NAME_TEXT], held[NAME_TEXT], memory[UNIT_TEXT], pid[UNIT_TEXT];
        if (!stopped_holder(process))
            continue;
        struct finding *finding = report_add(report, SEVERITY_WARNING);
        finding_subject(report, finding, "%s", name_process(who, process));
        finding_summary(report, finding, "%s is stopped and holds %s", who,
                        name_held(held, sizeof(held), process));
        finding_evidence(report, finding,
                         "state stopped (Ctrl-Z, SIGSTOP or a debugger), %s of %s held",
                         unit_bytes(memory, sizeof(memory), process->memory_device_bytes),
                         host_memory_word(host));
        finding_remedy(report, finding,
                       "Let it go on with kill -CONT %s, or end it with kill -TERM %s",
                       name_pid(pid, process), pid);
    }
}
