// SPDX-License-Identifier: Apache-2.0
// Whether driver and runtime fit each other, in both directions (versions reference 3.2 and 3.3;
// field cases F-01, F-04). One row a rule.
#include "check/versions.h"

#include <stdio.h>
#include <string.h>

#include "host/sdk.h"
#include "host/units.h"
#include "host/version.h"

bool version_in(const struct version_range *range, const char *version)
{
    return version != NULL &&
           (range->from == NULL || version_compare_text(version, range->from) >= 0) &&
           (range->below == NULL || version_compare_text(version, range->below) < 0);
}

const char *driver_of(const struct host *host, bool *loaded)
{
    const struct versions *versions = &host->versions;
    if (loaded != NULL)
        *loaded = versions->driver != NULL && !versions->given;
    return versions->driver != NULL ? versions->driver : versions->driver_installed;
}

const char *driver_place(const struct host *host)
{
    if (host->versions.given)
        return "given";
    return host->versions.driver != NULL ? "loaded" : "on disk, not loaded";
}

enum generation_id generation_of(const struct host *host)
{
    return host_generation(host);
}

static void add_runtime(struct runtime_use list[RUNTIMES_MAX], unsigned *count, const char *version,
                        const struct process *process)
{
    struct version parsed;
    unsigned i = 0;
    if (!version_parse(&parsed, version))
        return;
    while (i < *count && version_compare_text(list[i].version, version) != 0)
        i++;
    if (i == RUNTIMES_MAX)
        return;
    if (i == *count)
        list[(*count)++] = (struct runtime_use){.version = version};
    list[i].installed = list[i].installed || process == NULL;
    list[i].process_count += process != NULL;
    if (list[i].first == NULL)
        list[i].first = process;
}

unsigned runtimes_of(const struct host *host, struct runtime_use list[RUNTIMES_MAX])
{
    unsigned count = 0;
    if (host->versions.runtime_installed != NULL)
        add_runtime(list, &count, host->versions.runtime_installed, NULL);
    for (unsigned i = 0; i < host->process_count; i++)
        if (host->processes[i].state != PROCESS_GONE)
            add_runtime(list, &count, host->processes[i].runtime_version, &host->processes[i]);
    return count;
}

void runtime_evidence(struct report *report, struct finding *finding,
                      const struct runtime_use *runtime)
{
    const struct host *host = report->host;
    char text[320], name[NAME_TEXT];
    unsigned shown = 0;
    const char *here = host->versions.given ? "given" : "installed";
    size_t used = (size_t)snprintf(text, sizeof(text), "runtime %s: %s", runtime->version,
                                   runtime->installed ? here : "");
    for (unsigned i = 0; i < host->process_count && shown < 3; i++) {
        const struct process *process = &host->processes[i];
        if (process->state == PROCESS_GONE || process->runtime_version == NULL ||
            version_compare_text(process->runtime_version, runtime->version) != 0)
            continue;
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
                                 shown > 0 || runtime->installed ? ", " : "run by ",
                                 name_process(name, process));
        shown++;
    }
    if (runtime->process_count > shown)
        snprintf(text + used, sizeof(text) - used, " and %u more", runtime->process_count - shown);
    finding_evidence(report, finding, "%s", text);
}

const char *release_words(const struct host *host, enum component component, const char *version,
                          char *buffer, size_t size)
{
    char names[160];
    enum release_match how;
    uint64_t set = releases_holding(host->releases, component, version, generation_of(host), &how);
    if (set == 0 && how == RELEASE_NONE) // of another chip's packages
        set = releases_holding(host->releases, component, version, GEN_UNKNOWN, &how);
    releases_names(host->releases, set, names, sizeof(names));
    if (how == RELEASE_NEWER)
        sdk_unknown_text(host, true, buffer, size);
    else if (set == 0)
        snprintf(buffer, size, "in no SDK release that is known");
    else
        snprintf(buffer, size, "%s SDK %s", how == RELEASE_NEAR ? "a build near that of" : "in",
                 names);
    return buffer;
}

// Inferentia stays with the last driver and the last runtime that know it.
static const char inf1_remedy[] =
    "Inferentia (inf1) stays with driver 2.24 and the runtime of SDK 2.20 (2.12.23.0): sudo "
    "apt-get install aws-neuronx-dkms=2.24.* (dnf: aws-neuronx-dkms-2.24.*), and the runtime "
    "inside "
    "torch-neuron's wheels.";

static const char *const remedies[] = {
    [OLD_DRIVER] = "Update the driver: install the newest aws-neuronx-dkms, stop what uses the "
                   "devices, then: sudo rmmod neuron && sudo modprobe neuron",
    [OLD_RUNTIME] = "Update the runtime: install the newest aws-neuronx-runtime-lib and "
                    "aws-neuronx-collectives (in the container's image for a container), then "
                    "start the job again.",
};

// "driver 2.26.10.0 is too old for runtime 2.32.31.0", or the other way round.
static struct finding *start_finding(struct report *report, enum severity severity, int behind,
                                     const char *driver, const struct runtime_use *runtime)
{
    struct finding *finding = report_add(report, severity);
    char name[NAME_TEXT];
    if (behind == OLD_DRIVER) {
        finding_subject(report, finding, "driver");
        finding_summary(report, finding, "driver %s is too old for runtime %s", driver,
                        runtime->version);
    } else {
        bool one = !runtime->installed && runtime->process_count == 1;
        finding_subject(report, finding, "%s",
                        one ? name_process(name, runtime->first) : "runtime");
        finding_summary(report, finding, "runtime %s is too old for driver %s", runtime->version,
                        driver);
    }
    finding_remedy(report, finding, "%s",
                   generation_of(report->host) == GEN_INF1 ? inf1_remedy : remedies[behind]);
    return finding;
}

static void driver_evidence(struct report *report, struct finding *finding, const char *driver)
{
    const struct host *host = report->host;
    char words[200];
    finding_evidence(report, finding, "driver %s: %s, %s", driver, driver_place(host),
                     release_words(host, COMPONENT_DRIVER, driver, words, sizeof(words)));
}

static void judge_pair(struct report *report, int behind, const char *driver,
                       const struct runtime_use *runtime)
{
    const struct pair_rule *rule = pair_rule_for(report->host, runtime->version, driver);
    if (rule == NULL || rule->behind != behind)
        return;
    struct finding *finding = start_finding(report, rule->severity, behind, driver, runtime);
    driver_evidence(report, finding, driver);
    runtime_evidence(report, finding, runtime);
    finding_evidence(report, finding, "%s (%s)", rule->rule, rule->source);
    finding_origin(report, finding, rule->origin);
}

// By compatibility ids, where the runtime's is known: what nrt_init itself compares.
static void judge_ids(struct report *report, int behind, const char *driver,
                      const struct runtime_use *runtime)
{
    static const enum compat verdicts[] = {COMPAT_DRIVER_OLD, COMPAT_RUNTIME_OLD};
    const struct host *host = report->host;
    const struct versions *versions = &host->versions;
    unsigned low, high;
    if (!known_u64(versions->compat_min) || !known_u64(versions->compat_max) ||
        versions->driver == NULL || pair_rule_for(host, runtime->version, driver) != NULL ||
        !releases_runtime_id(host->releases, runtime->version, generation_of(host), &low, &high))
        return;
    unsigned min = (unsigned)versions->compat_min.value, max = (unsigned)versions->compat_max.value;
    if (compat_judge(low, high, min, max) != verdicts[behind])
        return;
    struct finding *finding = start_finding(report, SEVERITY_WARNING, behind, driver, runtime);
    finding_evidence(report, finding, "runtime %s has compatibility id %u", runtime->version,
                     behind == OLD_DRIVER ? high : low);
    finding_evidence(report, finding, "driver %s accepts ids %u to %u%s", driver, min, max,
                     versions->compat_min.from == FROM_TABLE ? " (by the table of drivers, it was "
                                                               "not asked)"
                                                             : "");
    runtime_evidence(report, finding, runtime);
    finding_origin(report, finding, RULE_THIRD_PARTY);
}

static void judge_all(struct report *report, int behind)
{
    struct runtime_use runtimes[RUNTIMES_MAX];
    unsigned count = runtimes_of(report->host, runtimes);
    const char *driver = driver_of(report->host, NULL);
    for (unsigned i = 0; driver != NULL && i < count; i++) {
        judge_pair(report, behind, driver, &runtimes[i]);
        judge_ids(report, behind, driver, &runtimes[i]);
    }
}

void rule_runtime_too_old(struct report *report)
{
    judge_all(report, OLD_RUNTIME);
}

// The driver against the runtimes, and against kernel and chip.
void rule_driver_too_old(struct report *report)
{
    judge_all(report, OLD_DRIVER);
    judge_driver_alone(report, "driver-too-old");
    judge_pods(report, driver_of(report->host, NULL));
}
