// SPDX-License-Identifier: Apache-2.0
// Runs the rules over a snapshot and puts their findings in order, worst first.
#include "check/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "check/rule.h"
#include "host/units.h"

// The order here is the order of findings of equal severity: what costs or hurts most comes first.
static const struct rule rules[] = {
    {"no-driver", NEED_PRESENCE | NEED_CHIPS, rule_no_driver},
    {"no-device", NEED_PRESENCE | NEED_CHIPS | NEED_MODULE, rule_no_device},
    {"not-neuron-host", NEED_PRESENCE, rule_not_neuron},
    {"driver-too-old", NEED_DRIVER | NEED_RUNTIME, rule_driver_too_old},
    {"runtime-too-old", NEED_DRIVER | NEED_RUNTIME, rule_runtime_too_old},
    {"inf1-driver-unsupported", NEED_DRIVER | NEED_CHIP, rule_inf1_driver},
    {"inf1-runtime-unsupported", NEED_RUNTIME | NEED_CHIP, rule_inf1_runtime},
    {"kernel-too-old", NEED_DRIVER | NEED_KERNEL, rule_kernel_too_old},
    {"glibc-too-old", NEED_GLIBC | NEED_RUNTIME, rule_glibc},
    {"ecc-uncorrected", NEED_ECC, rule_ecc_uncorrected},
    {"chip-unhealthy", NEED_HEALTH, rule_chip_unhealthy},
    {"memory-nearly-full", NEED_MEMORY, rule_memory_nearly_full},
    {"exec-timeouts", NEED_EXECUTION, rule_exec_timeouts},
    {"exec-errors", NEED_EXECUTION, rule_exec_errors},
    {"cores-idle-held", NEED_OWNERS | NEED_USE | NEED_WATCH, rule_cores_idle_held},
    {"holder-gone", NEED_OWNERS, rule_holder_gone},
    {"holder-stopped", NEED_OWNERS, rule_holder_stopped},
    {"holder-unseen", NEED_MEMORY | NEED_OWNERS, rule_holder_unseen},
    {"takes-all-cores", NEED_OWNERS | NEED_ENVIRONMENT, rule_takes_all_cores},
    {"cores-overlap", NEED_OWNERS | NEED_ENVIRONMENT, rule_cores_overlap},
    {"visible-cores-invalid", NEED_OWNERS | NEED_ENVIRONMENT, rule_visible_cores},
    {"ecc-repairable", NEED_ECC, rule_ecc_repairable},
    {"host-memory-nearly-full", NEED_HOST_MEMORY, rule_host_memory_full},
    {"neff-unsupported", NEED_REFUSALS, rule_neff_unsupported},
    {"neff-wrong-chip", NEED_CHIP | NEED_NEFFS, rule_neff_wrong_chip},
    {"lnc-mismatch", NEED_CHIP | NEED_OWNERS, rule_lnc_mismatch},
    {"driver-reload-pending", NEED_DRIVER | NEED_DISK_DRIVER, rule_reload_pending},
    {"runtime-replaced", NEED_OWNERS, rule_runtime_replaced},
    {"compiler-newer-than-runtime", NEED_COMPILER | NEED_RUNTIME, rule_compiler_newer},
    {"sdk-mixed", NEED_PARTS, rule_sdk_mixed},
    {"cache-mixed-compilers", NEED_NEFFS, rule_mixed_compilers},
    {"source-lost", 0, rule_source_lost},
    {"no-permission", 0, rule_no_permission},
    {"counters-not-live", NEED_DRIVER, rule_counters_not_live},
    {"index-order-unknown", NEED_CHIP, rule_index_order},
    {"cores-held", NEED_OWNERS, rule_cores_held},
};

enum { RULES = sizeof(rules) / sizeof(rules[0]) };

struct finding *report_add(struct report *report, enum severity severity)
{
    struct finding *finding = &report->spare;
    if (report->rule_count < RULE_FINDINGS_MAX && report->count < report->capacity) {
        finding = &report->items[report->count++];
        report->rule_count++;
    }
    *finding = (struct finding){.id = report->id, .severity = severity};
    finding->subject = finding->summary = finding->remedy = "";
    return finding;
}

static const char *make_text(struct report *report, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

static const char *make_text(struct report *report, const char *format, va_list args)
{
    return arena_vprintf(report->host->arena, format, args);
}

void finding_subject(struct report *report, struct finding *finding, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    finding->subject = make_text(report, format, args);
    va_end(args);
}

void finding_summary(struct report *report, struct finding *finding, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    finding->summary = make_text(report, format, args);
    va_end(args);
}

void finding_evidence(struct report *report, struct finding *finding, const char *format, ...)
{
    if (finding->evidence_count == EVIDENCE_MAX)
        return;
    va_list args;
    va_start(args, format);
    finding->evidence[finding->evidence_count++] = make_text(report, format, args);
    va_end(args);
}

void finding_remedy(struct report *report, struct finding *finding, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    finding->remedy = make_text(report, format, args);
    va_end(args);
}

void evidence_more(struct report *report, struct finding *finding, size_t more, const char *what)
{
    if (more > 0)
        finding_evidence(report, finding, "and %zu more %s", more, what);
}

void finding_origin(struct report *report, struct finding *finding, enum rule_origin origin)
{
    static const char *const weak[] = {
        [RULE_THIRD_PARTY] = "by third-party analysis of the runtime, not confirmed by AWS",
        [RULE_INFERRED] = "by inference: no source of AWS says so",
    };
    if (origin != RULE_THIRD_PARTY && origin != RULE_INFERRED)
        return;
    finding_evidence(report, finding, "%s", weak[origin]);
    if (finding->severity == SEVERITY_CRITICAL)
        finding->severity = SEVERITY_WARNING;
}

char *name_process(char *buffer, const struct process *process)
{
    return process_text(process, buffer);
}

const struct job *job_of(const struct report *report, const struct process *process)
{
    return &report->jobs.items[report->jobs.of[process - report->host->processes]];
}

bool same_job(const struct report *report, const struct process *a, const struct process *b)
{
    return job_of(report, a) == job_of(report, b);
}

char *name_pid(char *buffer, const struct process *process)
{
    if (known_u64(process->pid))
        snprintf(buffer, UNIT_TEXT, "%llu", (unsigned long long)process->pid.value);
    else
        snprintf(buffer, UNIT_TEXT, "PID");
    return buffer;
}

// Insertion sort: stable, and there are few findings.
void findings_sort(struct finding *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct finding moved = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1].severity < moved.severity; at--)
            items[at] = items[at - 1];
        items[at] = moved;
    }
}

const struct rule *check_rules(size_t *count)
{
    *count = RULES;
    return rules;
}

struct findings check_run(const struct host *host)
{
    struct report report = {.host = host, .capacity = (size_t)RULES * RULE_FINDINGS_MAX};
    struct finding items[RULES * RULE_FINDINGS_MAX];
    report.items = items;
    report.jobs = jobs_of(host);
    for (size_t i = 0; i < RULES; i++) {
        report.id = rules[i].id;
        report.rule_count = 0;
        rules[i].check(&report);
    }
    findings_sort(items, report.count);
    struct finding *kept = ARENA_ARRAY(host->arena, report.count, struct finding);
    memcpy(kept, items, report.count * sizeof(*kept));
    return (struct findings){.count = report.count, .items = kept};
}

const char *severity_word(enum severity severity)
{
    static const char *const words[] = {"info", "warning", "critical"};
    return words[severity];
}

const char *severity_mark(enum severity severity)
{
    static const char *const marks[] = {"i ", "! ", "!!"};
    return marks[severity];
}
