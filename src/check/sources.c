// SPDX-License-Identifier: Apache-2.0
// What cannot be seen: sources that are lost or denied, damaged input, groups of facts that a
// source failed to give.
#include <stdio.h>
#include <string.h>

#include "check/rule.h"
#include "host/units.h"

static bool other_source_lives(const struct host *host, unsigned except)
{
    for (unsigned s = 0; s < host->source_count; s++)
        if (s != except && host->sources[s].state == SOURCE_LIVE)
            return true;
    return false;
}

static const char *source_remedy(const struct source_status *source)
{
    if (strcmp(source->name, "monitor") != 0)
        return "neutop goes on with what it has and keeps trying; act on the source's own words "
               "above.";
    if (source->state == SOURCE_LOST)
        return "neutop starts it again by itself; to see why it ends run: "
               "/opt/aws/neuron/bin/neuron-monitor";
    return "See whether it speaks at all: timeout 10 /opt/aws/neuron/bin/neuron-monitor | head -c "
           "300";
}

static void lost_source(struct report *report, unsigned index)
{
    const struct source_status *source = &report->host->sources[index];
    bool lost = source->state == SOURCE_LOST, others = other_source_lives(report->host, index);
    struct finding *finding =
        report_add(report, lost && !others ? SEVERITY_CRITICAL : SEVERITY_WARNING);
    char age[UNIT_TEXT];

    unit_duration(age, sizeof(age), source->age_seconds);
    finding_subject(report, finding, "%s", source->name);
    finding_summary(report, finding, lost ? "%s is lost%s" : "%s has gone quiet%s", source->name,
                    others ? "" : ": nothing shown here is current");
    if (known_f64(source->age_seconds))
        finding_evidence(report, finding, "newest facts are %s old and marked stale", age);
    else
        finding_evidence(report, finding, "it never gave a fact");
    if (source->detail != NULL)
        finding_evidence(report, finding, "%s", source->detail);
    finding_remedy(report, finding, "%s", source_remedy(source));
}

static void damaged_input(struct report *report)
{
    const struct host *host = report->host;
    if (host->reports_damaged == 0)
        return;
    struct finding *finding = report_add(report, SEVERITY_INFO);
    char damaged[UNIT_TEXT], readable[UNIT_TEXT];
    finding_subject(report, finding, "input");
    finding_summary(
        report, finding, "%s damaged %s of the input skipped",
        unit_count(damaged, sizeof(damaged), fact_u64(host->reports_damaged, FROM_DERIVED)),
        host->reports_damaged == 1 ? "piece" : "pieces");
    finding_evidence(
        report, finding, "%s reports read, %s damaged",
        unit_count(readable, sizeof(readable), fact_u64(host->reports_read, FROM_DERIVED)),
        damaged);
    if (host->input_trouble != NULL)
        finding_evidence(report, finding, "last: %s", host->input_trouble);
    finding_remedy(report, finding,
                   "If it is a capture, take it again with nothing else writing to the same file: "
                   "neuron-monitor > FILE");
}

static unsigned process_errors(struct report *report, struct finding *finding,
                               const struct process *process)
{
    char who[NAME_TEXT];
    unsigned count = 0;
    name_process(who, process);
    if (process->error != NULL) {
        count++;
        if (evidence_room(finding))
            finding_evidence(report, finding, "%s: %s", who, process->error);
    }
    for (int group = 0; group < GROUPS; group++) {
        const char *error = process->groups[group].error;
        if (error == NULL ||
            (group == GROUP_CPU && (holder_gone(process) || holder_zombie(process))))
            continue;
        count++;
        if (evidence_room(finding))
            finding_evidence(report, finding, "%s, %s: %s", who, group_word((enum group)group),
                             error);
    }
    return count;
}

static unsigned instance_errors(struct report *report, struct finding *finding)
{
    const struct host *host = report->host;
    const struct {
        const char *what, *error;
    } parts[] = {{"chips", host->hardware.error},
                 {"instance", host->instance.error},
                 {"host CPU", host->machine.cpu_error},
                 {"host memory", host->machine.memory_error},
                 {"ECC counters", host->hardware.ecc_error},
                 {"pods", host->hardware.pods_error}};
    unsigned count = 0;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (parts[i].error == NULL)
            continue;
        count++;
        if (evidence_room(finding))
            finding_evidence(report, finding, "%s: %s", parts[i].what, parts[i].error);
    }
    return count;
}

// All failed groups in one finding: a failing group appears once (field case F-22).
static void failed_groups(struct report *report)
{
    const struct host *host = report->host;
    struct finding draft = {0};
    unsigned count = instance_errors(report, &draft);
    for (unsigned p = 0; p < host->process_count; p++)
        count += process_errors(report, &draft, &host->processes[p]);
    if (count == 0)
        return;
    bool only_instance = count == 1 && host->instance.error != NULL;
    struct finding *finding = report_add(report, only_instance ? SEVERITY_INFO : SEVERITY_WARNING);
    memcpy(finding->evidence, draft.evidence, sizeof(draft.evidence));
    finding->evidence_count = draft.evidence_count;
    evidence_more(report, finding, count - draft.evidence_count, "failures");
    finding_subject(report, finding, "facts");
    finding_summary(report, finding, "%u %s of facts could not be read; they show as -", count,
                    count == 1 ? "group" : "groups");
    finding_remedy(report, finding,
                   "Run neuron-monitor as root and outside a container to rule out missing rights, "
                   "then act on the error "
                   "text.");
}

void rule_source_lost(struct report *report)
{
    const struct host *host = report->host;
    for (unsigned s = 0; s < host->source_count; s++)
        if (host->sources[s].state == SOURCE_LOST || host->sources[s].state == SOURCE_STALE)
            lost_source(report, s);
    failed_groups(report);
    damaged_input(report);
}

void rule_no_permission(struct report *report)
{
    const struct host *host = report->host;
    for (unsigned s = 0; s < host->source_count; s++) {
        const struct source_status *source = &host->sources[s];
        if (source->state != SOURCE_DENIED)
            continue;
        struct finding *finding = report_add(report, SEVERITY_WARNING);
        finding_subject(report, finding, "%s", source->name);
        finding_summary(report, finding, "no permission to read %s", source->name);
        finding_evidence(report, finding, "%s",
                         source->detail != NULL ? source->detail : "access denied");
        finding_remedy(
            report, finding,
            "Run neutop with sudo, or ask for read rights on what the line above names.");
    }
}
