// SPDX-License-Identifier: Apache-2.0
// Which checks could be made, and why others could not: a check that knows nothing has not found
// that all is well.
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "check/rule.h"
#include "check/versions.h"
#include "host/sdk.h"

static const struct source_status *find_source(const struct host *host, const char *name)
{
    for (unsigned i = 0; i < host->source_count; i++)
        if (strcmp(host->sources[i].name, name) == 0)
            return &host->sources[i];
    return NULL;
}

// "packages: absent", "proc: 3 processes not readable": what the source that should know says.
static const char *ask_source(const struct host *host, const char *name, const char *fact)
{
    const struct source_status *source = find_source(host, name);
    if (source == NULL)
        return arena_printf(host->arena, "%s: source %s was not used or is absent", fact, name);
    return arena_printf(host->arena, "%s: source %s is %s%s%s", fact, name,
                        source_state_word(source->state), source->detail != NULL ? ", " : "",
                        source->detail != NULL ? source->detail : "");
}

static const char *lacks_presence(const struct host *host)
{
    const struct presence *presence = &host->presence;
    if (host->chip_count > 0)
        return NULL;
    if (!known_u64(presence->pci_functions) && !known_u64(presence->module_loaded))
        return ask_source(host, "packages", "neither the PCI bus nor /sys/module can be read");
    return NULL;
}

// Without a chip no driver is missing.
static const char *lacks_chips(const struct host *host)
{
    const struct presence *presence = &host->presence;
    bool loaded = known_u64(presence->module_loaded) && presence->module_loaded.value > 0;
    if (host->chip_count > 0 || loaded)
        return NULL;
    if (!known_u64(presence->pci_functions))
        return "it is not known whether this host has Neuron chips";
    if (presence->pci_functions.value == 0)
        return "this is not a Neuron instance: there is no Neuron chip on the PCI bus";
    return known_u64(presence->module_loaded) ? NULL
                                              : "it is not known whether the driver is loaded";
}

static const char *lacks_module(const struct host *host)
{
    const struct presence *presence = &host->presence;
    if (host->chip_count > 0)
        return NULL;
    if (!known_u64(presence->module_loaded) || presence->module_loaded.value == 0)
        return "the driver is not loaded";
    return known_u64(presence->devices) ? NULL : "the driver's devices cannot be listed";
}

static const char *lacks_driver(const struct host *host)
{
    if (driver_of(host, NULL) != NULL)
        return NULL;
    return host->versions.packages_known
               ? "no driver: neither loaded nor on disk"
               : ask_source(host, "packages", "no source tells of the driver");
}

static const char *lacks_runtime(const struct host *host)
{
    struct runtime_use runtimes[RUNTIMES_MAX];
    if (runtimes_of(host, runtimes) > 0)
        return NULL;
    return host->versions.packages_known ? "no runtime: none is installed, no process has one"
                                         : ask_source(host, "packages", "no runtime is known");
}

static const char *lacks_chip(const struct host *host)
{
    return generation_of(host) != GEN_UNKNOWN ? NULL : "the chip is not known";
}

static const char *lacks_kernel(const struct host *host)
{
    return host->machine.kernel != NULL ? NULL : "the running kernel is not known";
}

static const char *lacks_glibc(const struct host *host)
{
    for (unsigned i = 0; i < host->process_count; i++)
        if (host->processes[i].glibc != NULL)
            return NULL;
    return host->machine.glibc != NULL ? NULL : "the version of the C library is not known";
}

static const char *lacks_ecc(const struct host *host)
{
    for (unsigned i = 0; i < host->chip_count; i++)
        if (known_u64(host->chips[i].ecc.mem_uncorrected) ||
            known_u64(host->chips[i].ecc.sram_uncorrected))
            return NULL;
    return host->hardware.ecc_error != NULL ? host->hardware.ecc_error
                                            : "no source gives ECC counters of a chip";
}

static const char *lacks_health(const struct host *host)
{
    for (unsigned i = 0; i < host->chip_count; i++)
        if (host->chips[i].health != HEALTH_UNKNOWN)
            return NULL;
    return "no source tells the health of a chip (the driver does for some chips and versions)";
}

static const char *lacks_memory(const struct host *host)
{
    for (unsigned i = 0; i < host->core_count; i++)
        if (known_u64(host->cores[i].memory_used_bytes))
            return NULL;
    for (unsigned i = 0; i < host->chip_count; i++)
        if (known_u64(host->chips[i].memory_used_bytes))
            return NULL;
    return "no source tells device memory in use";
}

static const char *lacks_execution(const struct host *host)
{
    for (unsigned i = 0; i < host->core_count; i++)
        if (host->cores[i].counters != NULL && host->cores[i].counters->live)
            return NULL;
    for (unsigned i = 0; i < host->process_count; i++)
        for (int kind = 0; kind < EXECUTIONS; kind++)
            if (known_u64(host->processes[i].executions_in_period[kind]))
                return NULL;
    return "no source counts executions live (driver 2.30 or newer, or neuron-monitor with a job)";
}

// Owners are known when somebody can tell that there are none.
static const char *lacks_owners(const struct host *host)
{
    const struct source_status *proc = find_source(host, "proc");
    if (proc != NULL && proc->state == SOURCE_DENIED)
        return ask_source(host, "proc", "some processes cannot be looked into");
    if (host->process_count > 0 || (proc != NULL && proc->state == SOURCE_LIVE))
        return NULL;
    for (unsigned i = 0; i < host->core_count; i++)
        if (host->cores[i].owners_known)
            return NULL;
    return ask_source(host, "proc", "no source tells who holds the cores");
}

// Where nobody holds a core there is no environment to ask for.
static const char *lacks_environment(const struct host *host)
{
    bool holders = false;
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        if (process->environment_known || process->visible_cores != NULL)
            return NULL;
        holders = holders || !core_set_empty(&process->cores) || !core_set_empty(&process->chips);
    }
    return holders ? ask_source(host, "proc", "the environment of the holders cannot be read")
                   : NULL;
}

// What one process runs is not told by what another one runs.
static const char *lacks_neffs(const struct host *host)
{
    char name[NAME_TEXT];
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        if (process->state == PROCESS_GONE || process->bystander)
            continue;
        if (!process->neffs_looked_for)
            return ask_source(host, "neffs", "which NEFFs processes run is not known");
        if (process->neffs_reason != NULL)
            return arena_printf(host->arena, "which NEFFs run in %s is not known: %s",
                                name_process(name, process), process->neffs_reason);
    }
    return lacks_owners(host);
}

static const char *lacks_use(const struct host *host)
{
    for (unsigned i = 0; i < host->core_count; i++)
        if (known_f64(host->cores[i].utilization_percent))
            return NULL;
    return "no source tells how busy the cores are (driver 2.30 or newer, or neuron-monitor)";
}

static const char *lacks_host_memory(const struct host *host)
{
    return known_u64(host->machine.memory_used_bytes) ? NULL : "host memory in use is not known";
}

static const char *lacks_disk_driver(const struct host *host)
{
    const struct versions *versions = &host->versions;
    if (versions->driver_installed == NULL && versions->driver_installed_trouble != NULL)
        return arena_printf(host->arena, "the version of the driver on disk is not known: %s",
                            versions->driver_installed_trouble);
    return versions->driver_installed != NULL
               ? NULL
               : ask_source(host, "packages", "no driver found on disk");
}

static const char *lacks_compiler(const struct host *host)
{
    return host->versions.compiler != NULL ? NULL
                                           : ask_source(host, "packages", "no compiler found");
}

// One component alone is not mixed with another.
static const char *lacks_parts(const struct host *host)
{
    struct sdk_part parts[SDK_PARTS_MAX];
    unsigned count = sdk_host_parts(host, parts), known = 0;
    for (unsigned i = 0; i < count; i++)
        known += parts[i].releases != 0;
    return known >= 2 || host->versions.environment_count > 0
               ? NULL
               : "fewer than two components of a known SDK release";
}

static const char *lacks_refusals(const struct host *host)
{
    for (unsigned i = 0; i < host->core_count; i++)
        if (host->cores[i].counters != NULL &&
            known_u64(host->cores[i].counters->total[EVENT_UNSUPPORTED_NEFF]))
            return NULL;
    return "no NEFF file was named, and no driver counts refused ones";
}

static bool is_held(const struct host *host)
{
    for (unsigned i = 0; i < host->process_count; i++)
        if (core_set_count(&host->processes[i].cores) > 0)
            return true;
    return false;
}

static const char *lacks_watch(const struct host *host)
{
    if (host->watched_seconds >= idle_held_seconds || !is_held(host))
        return NULL;
    return "one look does not tell for how long cores have been idle: leave neutop running";
}

static const struct {
    unsigned need;
    const char *(*lacks)(const struct host *host); // NULL: it is there
} needs[] = {
    {NEED_PRESENCE, lacks_presence},
    {NEED_CHIPS, lacks_chips},
    {NEED_MODULE, lacks_module},
    {NEED_DRIVER, lacks_driver},
    {NEED_RUNTIME, lacks_runtime},
    {NEED_CHIP, lacks_chip},
    {NEED_KERNEL, lacks_kernel},
    {NEED_GLIBC, lacks_glibc},
    {NEED_ECC, lacks_ecc},
    {NEED_HEALTH, lacks_health},
    {NEED_MEMORY, lacks_memory},
    {NEED_EXECUTION, lacks_execution},
    {NEED_OWNERS, lacks_owners},
    {NEED_USE, lacks_use},
    {NEED_HOST_MEMORY, lacks_host_memory},
    {NEED_DISK_DRIVER, lacks_disk_driver},
    {NEED_COMPILER, lacks_compiler},
    {NEED_PARTS, lacks_parts},
    {NEED_ENVIRONMENT, lacks_environment},
    {NEED_WATCH, lacks_watch},
    {NEED_REFUSALS, lacks_refusals},
    {NEED_NEFFS, lacks_neffs},
};

// The checks of NEFF files, when files are named.
static const struct rule file_rules[] = {
    {"neff-unreadable", 0, NULL},
    {"neff-wrong-chip", NEED_CHIP, NULL},
    {"neff-unsupported", NEED_RUNTIME, NULL}, // the host's rule looks at what has happened
};

enum { FILE_RULES = sizeof(file_rules) / sizeof(file_rules[0]) };

static const char *why_not(const struct host *host, unsigned needed)
{
    for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
        const char *why = (needed & needs[i].need) != 0 ? needs[i].lacks(host) : NULL;
        if (why != NULL)
            return why;
    }
    return NULL;
}

static bool is_found(const struct findings *findings, const char *id)
{
    for (size_t i = 0; i < findings->count; i++)
        if (strcmp(findings->items[i].id, id) == 0)
            return true;
    return false;
}

static struct check_outcome outcome_of(const struct findings *findings, const char *id,
                                       const char *why)
{
    if (is_found(findings, id))
        return (struct check_outcome){.id = id, .result = CHECK_FINDING};
    return (struct check_outcome){
        .id = id, .result = why != NULL ? CHECK_NOT_CHECKED : CHECK_OK, .why = why};
}

// What has been counted besides, behind the reason why a check could not be made, or as the only
// word on one that found nothing.
static void add_remark(const struct host *host, struct check_outcome *outcome)
{
    bool checked = outcome->result == CHECK_OK;
    const char *remark = core_events_remark(host, outcome->id, checked);
    if (outcome->result == CHECK_FINDING)
        return;
    if (strcmp(outcome->id, "sdk-mixed") == 0 && host->versions.tools_trouble != NULL)
        remark =
            arena_printf(host->arena, "the tools not checked: %s", host->versions.tools_trouble);
    if (remark != NULL)
        outcome->why = checked ? remark : arena_printf(host->arena, "%s; %s", outcome->why, remark);
}

static const struct rule *file_rule_of(const char *id)
{
    for (size_t i = 0; i < FILE_RULES; i++)
        if (strcmp(file_rules[i].id, id) == 0)
            return &file_rules[i];
    return NULL;
}

static bool has_outcome(const struct check_outcome *items, size_t count, const char *id)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(items[i].id, id) == 0)
            return true;
    return false;
}

struct check_outcomes check_outcomes(const struct host *host, const struct findings *findings,
                                     unsigned files)
{
    static const char no_file[] = "no NEFF file was named";
    size_t count;
    const struct rule *rules = check_rules(&count);
    struct check_outcome *items =
        ARENA_ARRAY(host->arena, count + FILE_RULES, struct check_outcome);
    for (size_t i = 0; i < count; i++) {
        const struct rule *file_rule = files > 0 ? file_rule_of(rules[i].id) : NULL;
        unsigned needed = file_rule != NULL ? file_rule->needs : rules[i].needs;
        items[i] = outcome_of(findings, rules[i].id, why_not(host, needed));
        add_remark(host, &items[i]);
    }
    size_t used = count;
    for (size_t i = 0; i < FILE_RULES; i++)
        if (!has_outcome(items, count, file_rules[i].id))
            items[used++] = outcome_of(findings, file_rules[i].id,
                                       files > 0 ? why_not(host, file_rules[i].needs) : no_file);
    return (struct check_outcomes){.count = used, .items = items};
}

const char *check_result_word(enum check_result result)
{
    static const char *const words[] = {"ok", "finding", "not-checked"};
    return words[result];
}
