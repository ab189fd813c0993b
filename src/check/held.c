// SPDX-License-Identifier: Apache-2.0
// Cores that are held so that nothing is left: by everybody together, or by one process that was
// not told which cores it needs (field cases F-06, F-08).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/rule.h"
#include "host/free_cores.h"
#include "host/units.h"

static bool all_held(const struct host *host)
{
    for (unsigned i = 0; i < host->core_count; i++) {
        enum core_state state = core_state(&host->cores[i]);
        if (state != CORE_HELD && state != CORE_BUSY)
            return false;
    }
    return host->core_count > 0;
}

static bool is_holder(const struct process *process)
{
    return !core_set_empty(&process->cores) || !core_set_empty(&process->chips);
}

static int most_cores_first(const void *a, const void *b)
{
    const struct job_part *left = a, *right = b;
    unsigned of_left = core_set_count(&left->cores), of_right = core_set_count(&right->cores);
    if (of_left != of_right)
        return of_left < of_right ? 1 : -1;
    return left->first < right->first ? -1 : left->first > right->first;
}

static void held_evidence(struct report *report, struct finding *finding,
                          const struct job_part *job)
{
    char name[JOB_TEXT], set[NAME_TEXT], age[UNIT_TEXT];
    const struct process *first = job->first;
    bool cores = !core_set_empty(&job->cores);
    struct fact_f64 held = {0};
    if (known_f64(job->started_unix_seconds))
        held = fact_f64(report->host->time_unix_seconds - job->started_unix_seconds.value,
                        FROM_DERIVED);
    finding_evidence(
        report, finding, "%s %s held by %s%s%s, started %s%s", cores ? "NC" : "cores of chips",
        core_set_format(cores ? &job->cores : &job->chips, set, 48), job_part_text(job, name),
        first->user != NULL ? ", user " : "", first->user != NULL ? first->user : "",
        known_f64(held) ? unit_duration(age, sizeof(age), held) : "at an unknown time",
        known_f64(held) ? " ago" : "");
}

// No trouble by itself, but what a job that does not start is about.
void rule_cores_held(struct report *report)
{
    const struct host *host = report->host;
    char name[JOB_TEXT], more[NAME_TEXT] = "";
    unsigned shown = 0, count;
    if (!all_held(host))
        return;
    snprintf(name, sizeof(name), "%s", free_unseen_words(host));
    struct job_part *jobs = job_parts(host, &report->jobs, is_holder, &count);
    if (count > 0) {
        qsort(jobs, count, sizeof(*jobs), most_cores_first);
        job_part_text(&jobs[0], name);
    }
    if (count > 1)
        snprintf(more, sizeof(more), " and %u more", count - 1);
    struct finding *finding = report_add(report, SEVERITY_INFO);
    finding_subject(report, finding, "all cores");
    if (host->core_count == 1)
        finding_summary(report, finding, "the only core is held, by %s%s", name, more);
    else
        finding_summary(report, finding, "all %u cores are held, by %s%s", host->core_count, name,
                        more);
    for (; shown < count && evidence_room(finding); shown++)
        held_evidence(report, finding, &jobs[shown]);
    evidence_more(report, finding, count - shown, "holders");
    if (count == 0)
        finding_evidence(report, finding, "no source names a holder");
    finding_remedy(report, finding,
                   "A job that starts now fails with \"Logical Neuron Core(s) not available\". "
                   "neutop cores lists who holds what; wait, or ask a holder.");
}

// What of a core shows that a model is on it. Rings and the runtime's own memory are on every core
// that is held.
static bool is_used(const struct share *share)
{
    static const enum memory_category model[] = {MEM_TENSORS, MEM_CONSTANTS, MEM_MODEL_CODE};
    bool told = false, used = false;
    for (size_t i = 0; i < sizeof(model) / sizeof(model[0]); i++) {
        told = told || known_u64(share->memory[model[i]]);
        used = used || share->memory[model[i]].value > 0;
    }
    if (current_f64(share->utilization_percent) && share->utilization_percent.value >= 0.05)
        return true;
    return told ? used : known_u64(share->memory_used_bytes) && share->memory_used_bytes.value > 0;
}

// Logical cores where they are known, so that a figure is one of NEURON_RT_VISIBLE_CORES.
static struct core_set used_cores(const struct host *host, const struct process *process,
                                  bool *logical)
{
    struct core_set set;
    core_set_clear(&set);
    *logical = true;
    for (unsigned i = 0; i < process->share_count; i++)
        *logical = *logical && known_u64(host->cores[process->shares[i].core].logical);
    for (unsigned i = 0; i < process->share_count; i++) {
        const struct core *core = &host->cores[process->shares[i].core];
        if (is_used(&process->shares[i]))
            core_set_add(&set, *logical ? (unsigned)core->logical.value : core->index);
    }
    return set;
}

static bool is_unset(const struct process *process)
{
    return process->environment_known && process->visible_cores == NULL &&
           (process->num_cores == NULL || strcmp(process->num_cores, "0") == 0);
}

// It has every chip open.
static bool has_all_chips(const struct host *host, const struct process *process)
{
    return host->chip_count > 0 && core_set_count(&process->chips) == host->chip_count;
}

// The only process that holds a core; NULL: none or several.
static const struct process *only_holder(const struct host *host, bool *any)
{
    const struct process *only = NULL;
    *any = false;
    for (unsigned i = 0; i < host->process_count; i++) {
        if (core_set_empty(&host->processes[i].cores))
            continue;
        only = *any ? NULL : &host->processes[i];
        *any = true;
    }
    return only;
}

static void takes_all_finding(struct report *report, const struct process *process, unsigned held,
                              const struct core_set *used, bool logical)
{
    char who[NAME_TEXT], set[NAME_TEXT], memory[UNIT_TEXT];
    unsigned count = core_set_count(used);
    const char *kind = logical ? "" : "physical ";
    struct finding *finding = report_add(report, SEVERITY_WARNING);
    finding_subject(report, finding, "%s", name_process(who, process));
    finding_summary(report, finding, "%s holds %u %scores, uses %u; NEURON_RT_VISIBLE_CORES unset",
                    who, held, kind, count);
    finding_evidence(report, finding,
                     "neither NEURON_RT_VISIBLE_CORES nor NEURON_RT_NUM_CORES was set at its "
                     "start: the runtime takes every core");
    finding_evidence(report, finding, "in use: %s %s, %s of %s", logical ? "NC" : "physical cores",
                     core_set_format(used, set, 48),
                     unit_bytes(memory, sizeof(memory), process->memory_device_bytes),
                     host_memory_word(report->host));
    finding_evidence(report, finding,
                     "what the program set itself after its start cannot be seen from outside");
    finding_remedy(report, finding,
                   "Start it with NEURON_RT_VISIBLE_CORES set to what it needs, so that others "
                   "can use the rest; neutop cores --free N finds free cores.");
}

void rule_takes_all_cores(struct report *report)
{
    const struct host *host = report->host;
    bool any;
    const struct process *only = only_holder(host, &any);
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        bool logical;
        unsigned held = host->core_count;
        if ((any && process != only) || !is_unset(process) || !has_all_chips(host, process))
            continue;
        struct core_set used = used_cores(host, process, &logical);
        if (logical && host->numbering == NUMBERING_PHYSICAL && known_u64(host->hardware.lnc) &&
            host->hardware.lnc.value > 0)
            held /= (unsigned)host->hardware.lnc.value;
        // of nothing in use nothing follows: it may just be starting
        if (!core_set_empty(&used) && core_set_count(&used) * 2 <= held)
            takes_all_finding(report, process, held, &used, logical);
    }
}
