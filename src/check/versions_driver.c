// SPDX-License-Identifier: Apache-2.0
// The driver against kernel and chip, the loaded one against the one on disk, and what runs on a
// library that has been replaced (versions reference 2.2 and 3.3; field cases F-02, F-05).
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "check/versions.h"
#include "host/units.h"
#include "host/version.h"

#define ALL 0
#define ON(generation) (1U << (generation))

// A driver that does not fit a kernel or a chip.
static const struct driver_rule {
    const char *id;
    enum severity severity; // where the driver is not loaded; a loaded one works so far: a warning
    enum rule_origin origin;
    unsigned families;
    struct version_range driver, kernel; // no bound at all: the kernel does not matter
    const char *rule, *source, *remedy;
    const char *file_id; // in data/releases.json; a table from a file may change its kernel
} driver_rules[] = {
    {"kernel-too-old",
     SEVERITY_CRITICAL,
     RULE_DOCUMENTED,
     ALL,
     {"2.18", NULL},
     {NULL, "5.10"},
     "driver 2.18 or newer needs kernel 5.10 or newer",
     "announcement on Amazon Linux 2",
     "Boot a kernel of 5.10 or newer (on Amazon Linux 2: amazon-linux-extras install kernel-5.10), "
     "or stay with driver 2.17.",
     "kernel-driver2.18"},
    {"driver-too-old",
     SEVERITY_CRITICAL,
     RULE_DOCUMENTED,
     ALL,
     {NULL, "2.26.10"},
     {"6.18", "6.19"},
     "a driver before 2.26.10 fails on kernel 6.18",
     "release notes of SDK 2.28.1",
     "Update aws-neuronx-dkms to 2.26.10 or newer, or boot an older kernel.",
     NULL},
    {"driver-too-old",
     SEVERITY_WARNING,
     RULE_INFERRED,
     ALL,
     {NULL, "2.26.10"},
     {"6.19", NULL},
     "a driver before 2.26.10 fails on kernel 6.18, and so it will on newer ones",
     "release notes of SDK 2.28.1",
     "Update aws-neuronx-dkms to 2.26.10 or newer, or boot an older kernel.",
     NULL},
    {"driver-too-old",
     SEVERITY_WARNING,
     RULE_INFERRED,
     ON(GEN_INF2),
     {NULL, "2.7.33"},
     {NULL, NULL},
     "Inferentia2 is supported from SDK 2.8 (driver 2.7.33) on",
     "by the release in which the chip appears",
     "Update aws-neuronx-dkms.",
     NULL},
    {"driver-too-old",
     SEVERITY_WARNING,
     RULE_INFERRED,
     ON(GEN_TRN2),
     {NULL, "2.19.64"},
     {NULL, NULL},
     "Trainium2 is supported from SDK 2.21 (driver 2.19.64) on",
     "by the release in which the chip appears",
     "Update aws-neuronx-dkms.",
     NULL},
    {"driver-too-old",
     SEVERITY_WARNING,
     RULE_INFERRED,
     ON(GEN_TRN3),
     {NULL, "2.25.4"},
     {NULL, NULL},
     "Trainium3 is supported from SDK 2.27 (driver 2.25.4) on",
     "by the release in which the chip appears",
     "Update aws-neuronx-dkms.",
     NULL},
};

static bool rule_fits(const struct host *host, const struct driver_rule *rule, const char *driver)
{
    bool any_kernel = rule->kernel.from == NULL && rule->kernel.below == NULL;
    return (rule->families == ALL || (rule->families >> generation_of(host) & 1) != 0) &&
           version_in(&rule->driver, driver) &&
           (any_kernel || version_in(&rule->kernel, host->machine.kernel));
}

static void tell(struct report *report, const struct driver_rule *rule, const char *driver,
                 bool loaded)
{
    const struct host *host = report->host;
    bool kernel = rule->kernel.from != NULL || rule->kernel.below != NULL;
    struct finding *finding = report_add(report, loaded ? SEVERITY_WARNING : rule->severity);
    finding_subject(report, finding, "driver");
    if (!kernel)
        finding_summary(report, finding, "driver %s is too old for these chips", driver);
    else if (strcmp(rule->id, "kernel-too-old") == 0)
        finding_summary(report, finding, "kernel %s is too old for driver %s", host->machine.kernel,
                        driver);
    else
        finding_summary(report, finding, "driver %s is too old for kernel %s", driver,
                        host->machine.kernel);
    finding_evidence(report, finding, "driver %s, %s", driver,
                     loaded ? "loaded: it got that far all the same" : driver_place(host));
    if (host->machine.kernel != NULL)
        finding_evidence(report, finding, "running kernel %s", host->machine.kernel);
    finding_evidence(report, finding, "%s (%s)", rule->rule, rule->source);
    bool newer = strcmp(rule->id, "driver-too-old") == 0;
    finding_remedy(report, finding, "%s",
                   newer && generation_of(host) == GEN_INF1
                       ? "Boot an older kernel: the last driver for Inferentia (inf1) is 2.24."
                       : rule->remedy);
    finding_origin(report, finding, rule->origin);
}

// A rule of a table from a file about driver and kernel, as a row.
static struct driver_rule *row_of(const struct host *host, const struct release_rule *rule)
{
    struct driver_rule *row = ARENA_NEW(host->arena, struct driver_rule);
    *row = (struct driver_rule){.id = "kernel-too-old",
                                .severity = SEVERITY_CRITICAL,
                                .origin = rule->documented ? RULE_DOCUMENTED : RULE_INFERRED,
                                .families = rule->families,
                                .kernel = {NULL, rule->least},
                                .rule = file_rule_words(host, rule),
                                .source = file_rule_source(host, rule),
                                .remedy = "Boot a newer kernel, or install an older driver.",
                                .file_id = rule->id};
    row->driver.from = rule->from[0] != '\0' ? rule->from : NULL;
    row->driver.below = rule->below[0] != '\0' ? rule->below : NULL;
    return row;
}

// The row as it holds by the table in use; NULL: withdrawn there.
static const struct driver_rule *row_now(const struct host *host, const struct driver_rule *row)
{
    const struct release_rule *rule = releases_rule(host->releases, row->file_id);
    if (rule == NULL)
        return row;
    if (rule->withdrawn)
        return NULL;
    if (rule->needs != RULE_NEEDS_KERNEL ||
        version_compare_text(rule->least, row->kernel.below) == 0)
        return row;
    return row_of(host, rule);
}

static bool is_known(const char *id)
{
    for (size_t i = 0; i < sizeof(driver_rules) / sizeof(driver_rules[0]); i++)
        if (driver_rules[i].file_id != NULL && strcmp(driver_rules[i].file_id, id) == 0)
            return true;
    return false;
}

void judge_driver_alone(struct report *report, const char *id)
{
    const struct host *host = report->host;
    const struct releases *releases = host->releases;
    bool loaded;
    const char *driver = driver_of(host, &loaded);
    for (size_t i = 0; i < sizeof(driver_rules) / sizeof(driver_rules[0]); i++) {
        const struct driver_rule *row = row_now(host, &driver_rules[i]);
        if (row != NULL && strcmp(row->id, id) == 0 && rule_fits(host, row, driver))
            tell(report, row, driver, loaded);
    }
    for (size_t i = 0; strcmp(id, "kernel-too-old") == 0 && i < releases->rule_count; i++) {
        const struct release_rule *rule = &releases->rules[i];
        if (rule->withdrawn || rule->needs != RULE_NEEDS_KERNEL || is_known(rule->id))
            continue;
        const struct driver_rule *row = row_of(host, rule);
        if (rule_fits(host, row, driver))
            tell(report, row, driver, loaded);
    }
}

void rule_kernel_too_old(struct report *report)
{
    judge_driver_alone(report, "kernel-too-old");
    judge_efa(report);
}

// Those who keep the module from being unloaded, and a command line that names them.
static void holder_evidence(struct report *report, struct finding *finding, char *pids, size_t size)
{
    const struct host *host = report->host;
    unsigned holders = 0;
    size_t used = 0;
    pids[0] = '\0';
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        char name[NAME_TEXT], pid[UNIT_TEXT];
        bool holds = process->bystander || core_set_count(&process->chips) > 0 ||
                     core_set_count(&process->cores) > 0;
        if (!holds || process->state == PROCESS_GONE || !known_u64(process->pid))
            continue;
        if (evidence_room(finding))
            finding_evidence(report, finding, "held by %s", name_process(name, process));
        if (used + UNIT_TEXT + 2 < size)
            used += (size_t)snprintf(pids + used, size - used, " %s", name_pid(pid, process));
        holders++;
    }
    unsigned shown = finding->evidence_count > 2 ? finding->evidence_count - 2 : 0;
    if (holders > shown)
        evidence_more(report, finding, holders - shown, "processes that hold it");
}

void rule_reload_pending(struct report *report)
{
    const struct versions *versions = &report->host->versions;
    const char *from = versions->driver_installed_from;
    char pids[120];
    if (versions->driver == NULL || versions->driver_installed == NULL ||
        version_compare_text(versions->driver, versions->driver_installed) == 0)
        return;
    bool source = from != NULL && strncmp(from, "/usr/src", 8) == 0; // it need not have been built
    struct finding *finding = report_add(report, source ? SEVERITY_INFO : SEVERITY_WARNING);
    finding_subject(report, finding, "driver");
    finding_summary(report, finding, "driver %s is loaded, %s is on disk: reload pending",
                    versions->driver, versions->driver_installed);
    finding_evidence(report, finding, "on disk by %s", from != NULL ? from : "a package");
    if (known_u64(versions->driver_handles))
        finding_evidence(report, finding, "the module's use count is %llu%s",
                         (unsigned long long)versions->driver_handles.value,
                         versions->driver_handles.value > 0 ? ": it cannot be unloaded now" : "");
    else
        finding_evidence(report, finding, "the module's use count is unknown");
    holder_evidence(report, finding, pids, sizeof(pids));
    if (source)
        finding_remedy(report, finding, "See whether it has been built: dkms status");
    else if (pids[0] != '\0')
        finding_remedy(report, finding,
                       "End the holders (kill%s), then: sudo rmmod neuron && sudo modprobe neuron; "
                       "or reboot.",
                       pids);
    else
        finding_remedy(report, finding,
                       "sudo rmmod neuron && sudo modprobe neuron, or reboot. When it is in use "
                       "and nobody is listed, look from the host, as root.");
}

void rule_runtime_replaced(struct report *report)
{
    const struct host *host = report->host;
    struct finding *finding = NULL;
    unsigned count = 0, shown = 0;
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        char name[NAME_TEXT];
        if (!process->runtime_replaced || process->state == PROCESS_GONE)
            continue;
        if (count++ == 0) {
            finding = report_add(report, SEVERITY_WARNING);
            finding_subject(report, finding, "%s", name_process(name, process));
        }
        if (!evidence_room(finding))
            continue;
        finding_evidence(report, finding, "%s runs runtime %s, whose file is gone or replaced",
                         name_process(name, process),
                         process->runtime_version != NULL ? process->runtime_version
                                                          : "of unknown version");
        shown++;
    }
    if (finding == NULL)
        return;
    if (count > 1)
        finding_subject(report, finding, "%u processes", count);
    evidence_more(report, finding, count - shown, "processes");
    finding_summary(report, finding, "the runtime was replaced on disk while %s; restart needed",
                    count == 1 ? "a process runs it" : "processes run it");
    if (host->versions.runtime_installed != NULL)
        finding_remedy(report, finding,
                       "Restart when it suits: a new start takes runtime %s, and a part loaded "
                       "later may not fit what runs.",
                       host->versions.runtime_installed);
    else
        finding_remedy(report, finding,
                       "Restart when it suits: a part that is loaded later may not fit what runs.");
    finding_origin(report, finding, RULE_INFERRED);
}

bool driver_lost_inf1(const struct host *host, const char *driver)
{
    static const struct version_range unsupported = {"2.25", NULL};
    return generation_of(host) == GEN_INF1 && version_in(&unsupported, driver);
}

// The last driver line for Inferentia is 2.24; an older text said 2.21, so neither may be warned
// of.
void rule_inf1_driver(struct report *report)
{
    const struct host *host = report->host;
    const char *driver = driver_of(host, NULL);
    if (!driver_lost_inf1(host, driver))
        return;
    struct finding *finding = report_add(report, SEVERITY_WARNING);
    finding_subject(report, finding, "driver");
    finding_summary(report, finding,
                    "driver %s does not support Inferentia (inf1); its last line is 2.24", driver);
    finding_evidence(report, finding, "driver %s: %s", driver, driver_place(host));
    if (known_u64(host->presence.pci_inf1))
        finding_evidence(report, finding, "%llu Inferentia chips on the PCI bus, %s",
                         (unsigned long long)host->presence.pci_inf1.value,
                         known_u64(host->presence.devices) && host->presence.devices.value == 0
                             ? "the driver has none of them"
                             : "whether the driver has them is not known");
    finding_evidence(report, finding,
                     "support ended with 2.24 (announcement of 2026-03-12; the driver's source "
                     "lost it in 2.25.4)");
    finding_remedy(report, finding,
                   "Install the last driver for it and pin it: sudo apt-get install "
                   "aws-neuronx-dkms=2.24.* (dnf: aws-neuronx-dkms-2.24.*), then reboot.");
}

// The release notes end support with 2.23; that the manifest still lists 2.24.53.0 for SDK 2.22
// contradicts them, and the notes are trusted.
void rule_inf1_runtime(struct report *report)
{
    static const struct version_range unsupported = {"2.23", NULL};
    const struct host *host = report->host;
    struct runtime_use runtimes[RUNTIMES_MAX];
    unsigned count = generation_of(host) == GEN_INF1 ? runtimes_of(host, runtimes) : 0;
    for (unsigned i = 0; i < count; i++) {
        if (!version_in(&unsupported, runtimes[i].version))
            continue;
        struct finding *finding = report_add(report, SEVERITY_WARNING);
        finding_subject(report, finding, "runtime");
        finding_summary(report, finding, "runtime %s does not support Inferentia (inf1)",
                        runtimes[i].version);
        runtime_evidence(report, finding, &runtimes[i]);
        finding_evidence(report, finding,
                         "support ended with runtime 2.22 (release notes of SDK 2.21); the error "
                         "is \"Architecture not found 1\"");
        finding_remedy(report, finding,
                       "Use the runtime of SDK 2.20 (the one inside torch-neuron's wheels), or "
                       "move to Inferentia2.");
    }
}

// What the driver counts of NEFF files that a runtime refused (field case F-03). A total alone may
// be of yesterday.
static void judge_refusals(struct report *report)
{
    const struct host *host = report->host;
    struct fact_u64 total = {0};
    struct core_set cores;
    char names[NAME_TEXT], count[UNIT_TEXT];
    bool now = false;
    core_set_clear(&cores);
    for (unsigned i = 0; i < host->core_count; i++) {
        const struct core_counters *counters = host->cores[i].counters;
        if (counters == NULL || counters->total[EVENT_UNSUPPORTED_NEFF].value == 0)
            continue;
        fact_add(&total, counters->total[EVENT_UNSUPPORTED_NEFF]);
        core_set_add(&cores, host->cores[i].index);
        now = now || (current_f64(counters->per_second[EVENT_UNSUPPORTED_NEFF]) &&
                      counters->per_second[EVENT_UNSUPPORTED_NEFF].value > 0);
    }
    if (!known_u64(total) || total.value == 0)
        return;
    struct finding *finding = report_add(report, now ? SEVERITY_WARNING : SEVERITY_INFO);
    finding_subject(report, finding, "runtime");
    finding_summary(report, finding, "runtimes have refused NEFF files as too new");
    finding_evidence(report, finding, "%s refused since the driver was loaded, on core %s%s",
                     unit_count(count, sizeof(count), total), core_set_format(&cores, names, 48),
                     now ? ", and just now" : "");
    finding_evidence(report, finding, "status 10, NRT_UNSUPPORTED_NEFF_VERSION%s%s",
                     host->versions.runtime_installed != NULL ? "; installed is runtime " : "",
                     host->versions.runtime_installed != NULL ? host->versions.runtime_installed
                                                              : "");
    finding_remedy(report, finding,
                   "Update aws-neuronx-runtime-lib and aws-neuronx-collectives, or compile with an "
                   "older compiler; what a file needs: neutop neff FILE");
}

void rule_neff_unsupported(struct report *report)
{
    judge_refusals(report);
    judge_neffs_in_use(report);
}
