// SPDX-License-Identifier: Apache-2.0
// Devices that a container was given and that do not follow each other (field case F-25): those of
// the container that neutop itself runs in, and those of the processes that it sees.
#include <string.h>

#include "base/text.h"
#include "check/rule.h"

enum { VALUE_COLUMNS = 40 };

#define REMEDY                                                                                   \
    "A job over all of them fails with \"Neuron cores are not contiguous\": give the container " \
    "devices that follow each other (in Kubernetes: with the Neuron scheduler extension)."

static void chips_here(const struct host *host, struct core_set *chips)
{
    core_set_clear(chips);
    for (unsigned i = 0; i < host->chip_count; i++)
        core_set_add(chips, host->chips[i].index);
}

static void judge_here(struct report *report)
{
    const struct host *host = report->host;
    struct core_set chips;
    char set[NAME_TEXT];
    chips_here(host, &chips);
    if (core_set_contiguous(&chips))
        return;
    struct finding *finding = report_add(report, SEVERITY_WARNING);
    core_set_format(&chips, set, 40);
    finding_subject(report, finding, "devices %s", set);
    finding_summary(report, finding, "devices %s given: not contiguous", set);
    for (unsigned i = 0; i < host->chip_count; i++)
        if (host->chips[i].node != NULL && evidence_room(finding))
            finding_evidence(report, finding, "/dev/%s is device %u of the host",
                             host->chips[i].node, host->chips[i].index);
    finding_evidence(report, finding, "%u device%s seen here", host->chip_count,
                     host->chip_count == 1 ? " is" : "s are");
    finding_remedy(report, finding, REMEDY);
}

bool given_with_gap(const struct process *process, struct core_set *given)
{
    // outside of a container the variable does nothing
    bool inside =
        process->container != NULL || process->pod != NULL || known_u64(process->pid_inside);
    core_set_clear(given);
    if (process->given != NULL)
        *given = *process->given;
    else if (inside && process->visible_devices != NULL &&
             !core_set_parse(given, process->visible_devices, NULL)) // "ALL"
        core_set_clear(given);
    return !core_set_contiguous(given);
}

static bool same_text(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

static bool same_set(const struct core_set *a, const struct core_set *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

// Processes of one container have the same devices, those of one job the same environment.
static bool told_before(const struct report *report, unsigned index)
{
    const struct host *host = report->host;
    const struct process *process = &host->processes[index];
    struct core_set given, other_given;
    given_with_gap(process, &given);
    for (unsigned i = 0; i < index; i++) {
        const struct process *other = &host->processes[i];
        if ((same_text(process->container_id, other->container_id) ||
             (same_job(report, process, other) &&
              same_text(process->visible_devices, other->visible_devices))) &&
            given_with_gap(other, &other_given) && same_set(&given, &other_given))
            return true;
    }
    return false;
}

static void given_evidence(struct report *report, struct finding *finding,
                           const struct process *process)
{
    char text[NAME_TEXT];
    if (process->visible_devices != NULL) {
        text_fit(text, sizeof(text), process->visible_devices, VALUE_COLUMNS, false);
        finding_evidence(report, finding, "AWS_NEURON_VISIBLE_DEVICES=%s at its start", text);
    }
    if (process->given != NULL)
        finding_evidence(report, finding, "in /dev of its container are the nodes of devices %s",
                         core_set_format(process->given, text, 40));
    else
        finding_evidence(report, finding, "what is in /dev of its container cannot be seen");
    if (process->pod != NULL || process->container != NULL)
        finding_evidence(report, finding, "%s %s", process->pod != NULL ? "pod" : "container",
                         process->pod != NULL ? process->pod : process->container);
    if (process->visible_cores != NULL) {
        text_fit(text, sizeof(text), process->visible_cores, VALUE_COLUMNS, false);
        finding_evidence(report, finding, "NEURON_RT_VISIBLE_CORES=%s at its start", text);
    }
}

// One that keeps to devices without a gap goes well.
static void judge_process(struct report *report, const struct process *process,
                          const struct core_set *given)
{
    char who[NAME_TEXT], set[NAME_TEXT];
    bool runs = !core_set_empty(&process->chips) && core_set_contiguous(&process->chips);
    struct finding *finding = report_add(report, runs ? SEVERITY_INFO : SEVERITY_WARNING);
    finding_subject(report, finding, "%s", name_process(who, process));
    finding_summary(report, finding, "%s: devices %s given: not contiguous",
                    name_process(who, process), core_set_format(given, set, 40));
    given_evidence(report, finding, process);
    finding_remedy(report, finding, REMEDY);
}

void judge_given_devices(struct report *report)
{
    const struct host *host = report->host;
    struct core_set here, given;
    judge_here(report);
    chips_here(host, &here);
    for (unsigned i = 0; i < host->process_count && report->rule_count < RULE_FINDINGS_MAX; i++) {
        const struct process *process = &host->processes[i];
        if (process->state != PROCESS_GONE && given_with_gap(process, &given) &&
            !same_set(&given, &here) && !told_before(report, i))
            judge_process(report, process, &given);
    }
}
