// SPDX-License-Identifier: Apache-2.0
// Limits of kernel, C library and container platform that the release notes name, each only where
// something here is subject to it (versions reference 2.4 and 3.3).
#include <stdio.h>
#include <string.h>

#include "check/versions.h"

static bool is_current(const struct process *process)
{
    return process->state != PROCESS_GONE;
}

// A job that reaches other instances through an Elastic Fabric Adapter.
static bool needs_fork_safe(const struct host *host, const struct process *process)
{
    struct fact_u64 adapters = host->presence.efa;
    bool none = known_u64(adapters) && adapters.value == 0;
    return is_current(process) && process->fabric_mapped && process->environment_known && !none &&
           (process->efa_fork_safe == NULL || strcmp(process->efa_fork_safe, "1") != 0);
}

void judge_efa(struct report *report)
{
    static const struct version_range old = {NULL, "5.15"};
    const struct host *host = report->host;
    struct finding *finding = NULL;
    unsigned count = 0, shown = 0;
    char name[NAME_TEXT];
    for (unsigned i = 0; version_in(&old, host->machine.kernel) && i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        if (!needs_fork_safe(host, process))
            continue;
        if (count++ == 0) {
            finding = report_add(report, SEVERITY_WARNING);
            finding_subject(report, finding, "%s", name_process(name, process));
            finding_evidence(report, finding,
                             "kernel %s; before 5.15 EFA needs FI_EFA_FORK_SAFE=1 (Neuron "
                             "documentation)",
                             host->machine.kernel);
        }
        if (!evidence_room(finding))
            continue;
        finding_evidence(report, finding, "%s has libfabric mapped, at its start %s%s",
                         name_process(name, process),
                         process->efa_fork_safe != NULL ? "FI_EFA_FORK_SAFE was "
                                                        : "FI_EFA_FORK_SAFE was not set",
                         process->efa_fork_safe != NULL ? process->efa_fork_safe : "");
        shown++;
    }
    if (finding == NULL)
        return;
    evidence_more(report, finding, count - shown, "processes");
    finding_summary(report, finding, "%s EFA on kernel %s without FI_EFA_FORK_SAFE=1",
                    count == 1 ? "a process uses" : "processes use", host->machine.kernel);
    finding_remedy(report, finding,
                   "Start the job with FI_EFA_FORK_SAFE=1, or boot a kernel of 5.15 or newer.");
}

// Pods count their devices from 0 only with a driver that can (container release notes).
void judge_pods(struct report *report, const char *driver)
{
    static const struct version_range old = {NULL, "2.12.14"};
    const struct host *host = report->host;
    const struct process *first = NULL;
    char name[NAME_TEXT];
    for (unsigned i = 0; version_in(&old, driver) && first == NULL && i < host->process_count; i++)
        if (is_current(&host->processes[i]) && host->processes[i].pod != NULL)
            first = &host->processes[i];
    if (first == NULL)
        return;
    struct finding *finding = report_add(report, SEVERITY_INFO);
    finding_subject(report, finding, "driver");
    finding_summary(report, finding, "driver %s does not number a pod's devices from 0", driver);
    finding_evidence(report, finding, "%s runs in pod %s", name_process(name, first), first->pod);
    finding_evidence(
        report, finding,
        "0-based numbers in EKS containers need driver 2.12.14 or newer (release notes "
        "of the containers)");
    finding_remedy(report, finding, "Update aws-neuronx-dkms on the nodes.");
}

// What was tested or seen with a C library, and is run on an older one.
static const struct glibc_rule {
    enum component component;
    struct version_range version;
    const char *glibc; // the oldest
    enum rule_origin origin;
    const char *rule;
} glibc_rules[] = {
    {COMPONENT_RUNTIME,
     {"2.34", "2.35"},
     "2.34",
     RULE_DOCUMENTED,
     "SDK 2.32 is tested with glibc 2.34 and newer; on older ones with the driver alone (table of "
     "tested platforms)"},
    {COMPONENT_TORCH_NEURONX,
     {"2.9", "2.10"},
     "2.35",
     RULE_IN_LOG,
     "a user of Amazon Linux 2023 reports that torch-xla 2.9 needs GLIBC 2.35; by AWS that system, "
     "with 2.34, is a tested one"},
};

enum { GLIBC_RULES = sizeof(glibc_rules) / sizeof(glibc_rules[0]) };

// Once a rule and host: where it is seen first.
static void judge_glibc(struct report *report, bool told[GLIBC_RULES], enum component component,
                        const char *version, const char *glibc, const char *where)
{
    for (size_t i = 0; i < GLIBC_RULES; i++) {
        const struct glibc_rule *rule = &glibc_rules[i];
        const struct version_range old = {NULL, rule->glibc};
        if (told[i] || rule->component != component || !version_in(&rule->version, version) ||
            !version_in(&old, glibc))
            continue;
        told[i] = true;
        struct finding *finding = report_add(report, SEVERITY_INFO);
        finding_subject(report, finding, "glibc");
        finding_summary(report, finding, "glibc %s may be too old for %s %s", glibc,
                        component_name(component), version);
        finding_evidence(report, finding, "%s %s: %s", component_name(component), version, where);
        finding_evidence(report, finding, "%s", rule->rule);
        finding_remedy(report, finding,
                       "When it fails with \"version `GLIBC_%s' not found\", use a system or a "
                       "container image with glibc %s or newer.",
                       rule->glibc, rule->glibc);
        finding_origin(report, finding, rule->origin);
    }
}

static void judge_glibc_packages(struct report *report, bool told[GLIBC_RULES],
                                 const struct environment *environment, const char *glibc)
{
    for (unsigned i = 0; i < environment->package_count; i++)
        judge_glibc(report, told, environment->packages[i].component,
                    environment->packages[i].version, glibc, environment->path);
}

// A process has the C library of its own root folder, which may be a container's.
void rule_glibc(struct report *report)
{
    const struct host *host = report->host;
    const struct versions *versions = &host->versions;
    bool told[GLIBC_RULES] = {false};
    char name[NAME_TEXT];
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        if (!is_current(process) || process->glibc == NULL)
            continue;
        judge_glibc(report, told, COMPONENT_RUNTIME, process->runtime_version, process->glibc,
                    name_process(name, process));
        if (process->environment != NULL)
            judge_glibc_packages(report, told, process->environment, process->glibc);
    }
    judge_glibc(report, told, COMPONENT_RUNTIME, versions->runtime_installed, host->machine.glibc,
                "installed");
    for (unsigned i = 0; i < versions->environment_count; i++)
        if (!versions->environments[i].used)
            judge_glibc_packages(report, told, &versions->environments[i], host->machine.glibc);
}
