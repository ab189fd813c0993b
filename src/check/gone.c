// SPDX-License-Identifier: Apache-2.0
// Who holds cores and cannot do anything with them: holders that are gone (field case F-06), that
// are stopped, or that have ended and keep something all the same.
#include <stdio.h>

#include "check/rule.h"
#include "host/units.h"

enum { STOPPED_FINDINGS = RULE_FINDINGS_MAX, PIDS_NAMED = 16, PIDS_TEXT = 400 };

static bool holds_something(const struct process *process)
{
    return (current_u64(process->memory_device_bytes) && process->memory_device_bytes.value > 0) ||
           !core_set_empty(&process->cores) || !core_set_empty(&process->chips);
}

const char *name_held(char *buffer, size_t size, const struct core_set *cores,
                      const struct core_set *chips)
{
    char set[NAME_TEXT];
    if (core_set_empty(cores) && core_set_empty(chips))
        snprintf(buffer, size, "NC -");
    else if (!core_set_empty(cores))
        snprintf(buffer, size, "NC %s", core_set_format(cores, set, 32));
    else
        snprintf(buffer, size, "chip%s %s", core_set_count(chips) == 1 ? "" : "s",
                 core_set_format(chips, set, 32));
    return buffer;
}

// A zombie is in the process table: that it is hidden or gone is not what is wrong with it.
bool holder_gone(const struct process *process)
{
    bool gone = process->state == PROCESS_GONE || process_not_visible(process);
    return gone && process->state != PROCESS_ZOMBIE && holds_something(process);
}

bool holder_zombie(const struct process *process)
{
    return process->state == PROCESS_ZOMBIE && holds_something(process);
}

static bool holder_stopped(const struct process *process)
{
    return process->state == PROCESS_STOPPED && holds_something(process);
}

static void gone_evidence(struct report *report, struct finding *finding,
                          const struct job_part *part)
{
    char who[JOB_TEXT], memory[UNIT_TEXT], held[NAME_TEXT];
    const char *why = process_not_visible(part->first) ? part->first->groups[GROUP_CPU].error
                                                       : "not in the process table any more";
    finding_evidence(report, finding, "%s: %s on %s; %s", job_part_text(part, who),
                     unit_bytes(memory, sizeof(memory), part->memory_device_bytes),
                     name_held(held, sizeof(held), &part->cores, &part->chips), why);
}

static bool at_work(const struct process *process)
{
    return holder_gone(process) && current_f64(process->utilization_percent) &&
           process->utilization_percent.value >= 0.05;
}

// One that works has not gone: it lives where nobody here can see it, and nothing is to be
// reloaded.
static void gone_remedy(struct report *report, struct finding *finding, const struct process *first)
{
    const struct host *host = report->host;
    bool working = false;
    char pid[UNIT_TEXT];
    for (unsigned i = 0; i < host->process_count; i++)
        working = working || at_work(&host->processes[i]);
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

// All in one finding: what is to be done is the same.
void rule_holder_gone(struct report *report)
{
    const struct host *host = report->host;
    struct fact_u64 memory = {0};
    char who[JOB_TEXT], size[UNIT_TEXT], others[UNIT_TEXT * 2] = "";
    unsigned count, members = 0, shown = 0;
    const struct job_part *parts = job_parts(host, &report->jobs, holder_gone, &count);
    if (parts == NULL)
        return;
    struct finding *finding = report_add(report, SEVERITY_WARNING);
    for (unsigned i = 0; i < count; i++) {
        members += parts[i].members;
        fact_add(&memory, parts[i].memory_device_bytes);
    }
    for (; shown < count && evidence_room(finding); shown++)
        gone_evidence(report, finding, &parts[shown]);
    evidence_more(report, finding, count - shown, "holders");
    if (count > 1)
        snprintf(others, sizeof(others), " and %u more", members - parts[0].members);
    finding_subject(report, finding, "%s", job_part_text(&parts[0], who));
    finding_summary(report, finding, "%s%s not visible from here, %s of %s still held", who, others,
                    unit_bytes(size, sizeof(size), memory), host_memory_word(host));
    gone_remedy(report, finding, parts[0].first);
}

// What is alike of both: who it is, what is held and how much.
static struct finding *stopped_finding(struct report *report, const struct job_part *part,
                                       const char *state, const char *why)
{
    char who[JOB_TEXT], held[NAME_TEXT], memory[UNIT_TEXT];
    bool one = part->members == 1;
    struct finding *finding = report_add(report, SEVERITY_WARNING);
    finding_subject(report, finding, "%s", job_part_text(part, who));
    finding_summary(report, finding, "%s %s %s and %s %s", who, one ? "is" : "are", state,
                    one ? "holds" : "hold",
                    name_held(held, sizeof(held), &part->cores, &part->chips));
    finding_evidence(report, finding, "%s, %s of %s held", why,
                     unit_bytes(memory, sizeof(memory), part->memory_device_bytes),
                     host_memory_word(report->host));
    return finding;
}

static void suspended(struct report *report, const struct job_part *part, unsigned more)
{
    char pids[PIDS_TEXT], pid[UNIT_TEXT];
    struct finding *finding =
        stopped_finding(report, part, "stopped", "state stopped (Ctrl-Z, SIGSTOP or a debugger)");
    job_pids(report->host, part->job, holder_stopped, PIDS_NAMED, pids, sizeof(pids));
    if (part->members > 1)
        finding_evidence(report, finding, "PID %s", pids);
    evidence_more(report, finding, more, "stopped holders");
    if (part->members == 1)
        finding_remedy(report, finding,
                       "Let it go on with kill -CONT %s, or end it with kill -TERM %s",
                       name_pid(pid, part->first), pid);
    else
        finding_remedy(report, finding,
                       "Let each of them go on with kill -CONT, or end them with kill -TERM");
}

static void ended(struct report *report, const struct job_part *part, unsigned more)
{
    char pids[PIDS_TEXT], parent[UNIT_TEXT] = "its parent";
    const struct process *first = part->first;
    bool one = part->members == 1;
    struct finding *finding = stopped_finding(report, part, one ? "a zombie" : "zombies",
                                              one ? "has ended, its parent has not collected it"
                                                  : "have ended, not collected yet");
    job_pids(report->host, part->job, holder_zombie, PIDS_NAMED, pids, sizeof(pids));
    if (!one)
        finding_evidence(report, finding, "PID %s", pids);
    evidence_more(report, finding, more, "holders that have ended");
    if (known_u64(first->ppid))
        snprintf(parent, sizeof(parent), "its parent PID %llu",
                 (unsigned long long)first->ppid.value);
    finding_remedy(report, finding,
                   "A zombie takes no signal: end %s. If what is held stays, a thread of it is "
                   "stuck in the driver: sudo dmesg shows why.",
                   parent);
}

void rule_holder_stopped(struct report *report)
{
    const struct host *host = report->host;
    unsigned stopped, zombies, total;
    const struct job_part *still = job_parts(host, &report->jobs, holder_stopped, &stopped);
    const struct job_part *dead = job_parts(host, &report->jobs, holder_zombie, &zombies);
    total = stopped + zombies;
    for (unsigned i = 0; i < total && i < STOPPED_FINDINGS; i++) {
        unsigned more = i + 1 == STOPPED_FINDINGS ? total - STOPPED_FINDINGS : 0;
        if (i < stopped)
            suspended(report, &still[i], more);
        else
            ended(report, &dead[i - stopped], more);
    }
}
