// SPDX-License-Identifier: Apache-2.0
// Whether all agree on the size of a logical core (versions reference 2.4; driver reference 5.4).
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "check/versions.h"

enum { VALUE_COLUMNS = 60 };

// What a process was started with: its environment's word, else the host's.
unsigned versions_lnc_of(const struct host *host, const struct process *process)
{
    const struct hardware *hardware = &host->hardware;
    if (known_u64(process->lnc))
        return (unsigned)process->lnc.value;
    if (!process->environment_known || process->lnc_invalid != NULL)
        return 0;
    if (known_u64(hardware->lnc_setting))
        return (unsigned)hardware->lnc_setting.value;
    return hardware->generation != NULL ? hardware->generation->lnc_default : 0;
}

static bool uses_cores(const struct process *process)
{
    return process->state != PROCESS_GONE && !process->bystander &&
           (core_set_count(&process->chips) > 0 || core_set_count(&process->cores) > 0);
}

static void process_evidence(struct report *report, struct finding *finding,
                             const struct process *process, unsigned lnc)
{
    char name[NAME_TEXT];
    if (evidence_room(finding))
        finding_evidence(report, finding, "%s: LNC %u, %s", name_process(name, process), lnc,
                         known_u64(process->lnc) ? "by its environment at its start"
                                                 : "by the host's default");
}

// Two sizes at work at once.
static bool judge_processes(struct report *report)
{
    const struct host *host = report->host;
    const struct process *with[3] = {NULL};
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        unsigned lnc = uses_cores(process) ? versions_lnc_of(host, process) : 0;
        if ((lnc == 1 || lnc == 2) && with[lnc] == NULL)
            with[lnc] = process;
    }
    if (with[1] == NULL || with[2] == NULL)
        return false;
    struct finding *finding = report_add(report, SEVERITY_WARNING);
    finding_subject(report, finding, "LNC");
    finding_summary(report, finding, "processes with different logical core sizes, LNC 1 and 2");
    process_evidence(report, finding, with[1], 1);
    process_evidence(report, finding, with[2], 2);
    finding_evidence(report, finding,
                     "their core numbers do not mean the same cores, and a NEFF compiled for one "
                     "size does not load with the other");
    finding_origin(report, finding, RULE_THIRD_PARTY);
    finding_remedy(report, finding,
                   "Start all jobs of a host with one NEURON_LOGICAL_NC_CONFIG, and compile with "
                   "the same --lnc.");
    return true;
}

// A process that was told another size than the host is set to.
static void judge_setting(struct report *report)
{
    const struct host *host = report->host;
    struct fact_u64 setting = host->hardware.lnc_setting, shown = host->hardware.lnc;
    bool by_host = known_u64(setting);
    if (!by_host && shown.from == FROM_MONITOR)
        setting = shown;
    struct finding *finding = NULL;
    unsigned count = 0;
    for (unsigned i = 0; known_u64(setting) && i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        if (!uses_cores(process) || !known_u64(process->lnc) || process->lnc.value == setting.value)
            continue;
        if (count++ == 0) {
            finding = report_add(report, by_host ? SEVERITY_WARNING : SEVERITY_INFO);
            finding_subject(report, finding, "LNC");
            finding_summary(report, finding, "a process runs with LNC %llu, but %s LNC %llu",
                            (unsigned long long)process->lnc.value,
                            by_host ? "the host is set to" : "neuron-monitor counts with",
                            (unsigned long long)setting.value);
        }
        process_evidence(report, finding, process, (unsigned)process->lnc.value);
    }
    if (finding == NULL)
        return;
    finding_evidence(report, finding, "%s",
                     by_host ? "/opt/aws/neuron/logical_nc_config is what other jobs start with"
                             : "its core numbers are then not those of the process");
    finding_origin(report, finding, RULE_INFERRED);
    finding_remedy(report, finding,
                   "Make NEURON_LOGICAL_NC_CONFIG of the job and of the host the same, and compile "
                   "with the same --lnc.");
}

// What neutop counts with where a process does not say it; 0 unknown.
static unsigned counted_with(const struct host *host, const char **from)
{
    const struct hardware *hardware = &host->hardware;
    const struct generation *gen = hardware->generation;
    *from = "the only one of this chip";
    if (gen != NULL && gen->lnc_max == 1)
        return 1;
    *from = hardware->lnc.from == FROM_TABLE ? "the chip's default" : "that of the host";
    if (known_u64(hardware->lnc))
        return (unsigned)hardware->lnc.value;
    if (known_u64(hardware->lnc_setting))
        return (unsigned)hardware->lnc_setting.value;
    *from = "the chip's default";
    return gen != NULL ? gen->lnc_default : 0;
}

static bool invalid_before(const struct report *report, unsigned index)
{
    const struct host *host = report->host;
    const struct process *process = &host->processes[index];
    for (unsigned i = 0; i < index; i++)
        if (host->processes[i].lnc_invalid != NULL &&
            same_job(report, &host->processes[i], process) &&
            strcmp(host->processes[i].lnc_invalid, process->lnc_invalid) == 0)
            return true;
    return false;
}

// A core size that is none: 1 and 2 are the only ones (versions reference 2.4).
static void judge_invalid(struct report *report)
{
    const struct host *host = report->host;
    char who[NAME_TEXT], text[NAME_TEXT];
    for (unsigned i = 0; i < host->process_count && report->rule_count < RULE_FINDINGS_MAX; i++) {
        const struct process *process = &host->processes[i];
        const char *from;
        unsigned lnc = counted_with(host, &from);
        if (process->lnc_invalid == NULL || process->state == PROCESS_GONE ||
            invalid_before(report, i))
            continue;
        struct finding *finding = report_add(report, SEVERITY_WARNING);
        text_fit(text, sizeof(text), process->lnc_invalid, VALUE_COLUMNS, false);
        finding_subject(report, finding, "%s", name_process(who, process));
        finding_summary(report, finding, "%s: %s is no logical core size",
                        name_process(who, process), text);
        finding_evidence(report, finding, "%s at its start; 1 and 2 are the sizes there are", text);
        if (lnc != 0)
            finding_evidence(report, finding, "its cores are counted here with LNC %u, %s", lnc,
                             from);
        finding_remedy(report, finding,
                       "Start it with NEURON_LOGICAL_NC_CONFIG=1 or 2, as its models were compiled "
                       "(--lnc).");
    }
}

static bool differed_before(const struct report *report, unsigned index)
{
    const struct host *host = report->host;
    const struct process *process = &host->processes[index];
    for (unsigned i = 0; i < index; i++)
        if (host->processes[i].lnc_differs != NULL &&
            same_job(report, &host->processes[i], process))
            return true;
    return false;
}

// Which of the two variables counts is not documented (versions reference 2.4).
static void judge_variables(struct report *report)
{
    const struct host *host = report->host;
    char who[NAME_TEXT], text[NAME_TEXT];
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        if (process->lnc_differs == NULL || process->lnc_invalid != NULL ||
            !known_u64(process->lnc) || process->state == PROCESS_GONE ||
            differed_before(report, i))
            continue;
        struct finding *finding = report_add(report, SEVERITY_WARNING);
        text_fit(text, sizeof(text), process->lnc_differs, VALUE_COLUMNS, false);
        finding_subject(report, finding, "%s", name_process(who, process));
        finding_summary(report, finding, "%s: two variables give it two logical core sizes",
                        name_process(who, process));
        finding_evidence(report, finding, "NEURON_LOGICAL_NC_CONFIG=%llu at its start",
                         (unsigned long long)process->lnc.value);
        finding_evidence(report, finding, "%s at its start, the older name", text);
        finding_evidence(report, finding,
                         "which of the two the runtime takes is not documented; its cores are "
                         "counted here with LNC %llu",
                         (unsigned long long)process->lnc.value);
        finding_remedy(report, finding,
                       "Unset NEURON_RT_VIRTUAL_CORE_SIZE, and set NEURON_LOGICAL_NC_CONFIG as its "
                       "models were compiled (--lnc).");
    }
}

// The same in the host's own file, which every job without a word of its own starts with.
static void judge_host_file(struct report *report)
{
    const struct host *host = report->host;
    char text[NAME_TEXT];
    const char *from;
    unsigned lnc = counted_with(host, &from);
    if (host->hardware.lnc_setting_invalid == NULL)
        return;
    struct finding *finding = report_add(report, SEVERITY_WARNING);
    text_fit(text, sizeof(text), host->hardware.lnc_setting_invalid, VALUE_COLUMNS, false);
    finding_subject(report, finding, "logical_nc_config");
    finding_summary(report, finding, "the host's file of the logical core size names none: %s",
                    text);
    finding_evidence(report, finding,
                     "/opt/aws/neuron/logical_nc_config; NEURON_LOGICAL_NC_CONFIG=1 and =2 are the "
                     "settings there are, and what else does is not known");
    if (lnc != 0)
        finding_evidence(report, finding, "cores are counted here with LNC %u, %s", lnc, from);
    finding_remedy(report, finding,
                   "Write NEURON_LOGICAL_NC_CONFIG=1 or =2 into it, as the models were compiled "
                   "(--lnc), or remove it for the chip's default.");
}

void rule_lnc_mismatch(struct report *report)
{
    const struct generation *gen = report->host->hardware.generation;
    judge_host_file(report);
    judge_invalid(report);
    judge_variables(report);
    if (gen != NULL && gen->lnc_max > 1 && !judge_processes(report))
        judge_setting(report);
    judge_neffs_in_use(report);
}
