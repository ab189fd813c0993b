// SPDX-License-Identifier: Apache-2.0
// What executions came to: errors by kind, and timeouts (field cases F-20, F-21; neuron-monitor
// reference 3.3 "execution_stats").
#include <math.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/number.h"
#include "check/rule.h"
#include "host/units.h"

static const double busy_percent = 99.5; // a hung core reads 100 % busy on some sources

// `generic` is missing on purpose: on healthy hosts it is a large number that only grows.
struct error_row {
    int error;     // enum error_kind, -1: none
    int execution; // enum execution, -1: none
    enum severity severity;
    const char *what;
    const char *remedy;
};

static const struct error_row error_rows[] = {
    {ERR_HARDWARE, -1, SEVERITY_CRITICAL, "hardware errors",
     "Look for NEURON_HW_ERR in `sudo dmesg`: its action= says whether to reload the driver or to "
     "replace the instance."},
    {ERR_RUNTIME, -1, SEVERITY_WARNING, "runtime errors",
     "Read the NRT and TDRV lines in the job's output at this time; NEURON_RT_LOG_LEVEL=INFO shows "
     "more of them."},
    {ERR_MODEL, -1, SEVERITY_WARNING, "model errors",
     "Compile the model again with a compiler of the same SDK release as the runtime, and load it "
     "anew."},
    {ERR_TRANSIENT, -1, SEVERITY_WARNING, "transient errors",
     "Repeat the execution; if they go on, look at the logs of the other workers of the job."},
    {ERR_NUMERICAL, EXEC_WITH_NUM_ERR, SEVERITY_WARNING, "numerical errors (NaN or infinity)",
     "Look for NaN in the inputs and weights, then at the loss scale and learning rate."},
    {-1, EXEC_INCORRECT_INPUT, SEVERITY_WARNING, "executions with incorrect input",
     "Compare number, shape and type of the inputs with those that the model was compiled for."},
    {-1, EXEC_FAILED_TO_QUEUE, SEVERITY_WARNING, "executions that could not be queued",
     "Keep fewer requests in flight, or serve the model on more cores."},
    {-1, EXEC_WITH_ERR, SEVERITY_WARNING, "executions completed with errors",
     "Read the NRT lines in the job's output at this time; they name the status code."},
};

// How often in the newest period; 0 when unknown or stale. A source that gives only a rate counts
// as once.
static uint64_t occurrences(struct fact_u64 count, struct fact_f64 rate)
{
    if (current_u64(count))
        return count.value;
    return current_f64(rate) && rate.value > 0 ? 1 : 0;
}

// COUNT of now, else what the last minute had: a finding that comes and goes with each report
// cannot be read.
static uint64_t lately(uint64_t count, const struct past *past)
{
    return count > 0 || !known_f64(past->age_seconds) ? count : past->count;
}

static uint64_t errors_now(const struct process *process, int kind)
{
    return kind < 0
               ? 0
               : occurrences(process->errors_in_period[kind], process->errors_per_second[kind]);
}

static uint64_t executions_now(const struct process *process, int kind)
{
    return kind < 0 ? 0
                    : occurrences(process->executions_in_period[kind],
                                  process->executions_per_second[kind]);
}

static uint64_t errors_of(const struct process *process, int kind)
{
    return kind < 0 ? 0 : lately(errors_now(process, kind), &process->past_errors[kind]);
}

static uint64_t executions_of(const struct process *process, int kind)
{
    return kind < 0 ? 0 : lately(executions_now(process, kind), &process->past_executions[kind]);
}

// Seconds since either was last seen; unknown when it is seen now.
static struct fact_f64 last_seen(const struct process *process, int error, int execution)
{
    struct fact_f64 age = {0};
    if (errors_now(process, error) > 0 || executions_now(process, execution) > 0)
        return age;
    if (error >= 0)
        age = process->past_errors[error].age_seconds;
    if (execution >= 0 && known_f64(process->past_executions[execution].age_seconds) &&
        (!known_f64(age) || process->past_executions[execution].age_seconds.value < age.value))
        age = process->past_executions[execution].age_seconds;
    return age;
}

static const char *last_seen_text(char *buffer, struct fact_f64 age)
{
    char text[UNIT_TEXT];
    snprintf(buffer, NAME_TEXT, "last seen %s ago", unit_duration(text, sizeof(text), age));
    return buffer;
}

static bool has_named_error(const struct process *process)
{
    for (int kind = 0; kind < ERROR_KINDS; kind++)
        if (kind != ERR_GENERIC && errors_of(process, kind) > 0)
            return true;
    return false;
}

// The error summary and the execution summary count the same failures from two sides: take the
// larger, once.
static uint64_t row_count(const struct error_row *row, const struct process *process)
{
    uint64_t errors = errors_of(process, row->error),
             executions = executions_of(process, row->execution);
    if (row->error < 0 && row->execution == EXEC_WITH_ERR && has_named_error(process))
        return 0;
    return errors > executions ? errors : executions;
}

static struct fact_f64 row_rate(const struct error_row *row, const struct process *process)
{
    struct fact_f64 rate = {0};
    if (row->error >= 0)
        fact_max(&rate, process->errors_per_second[row->error]);
    if (row->execution >= 0)
        fact_max(&rate, process->executions_per_second[row->execution]);
    return rate;
}

// The period that counts stand for. A whole number of seconds comes as 0.9994 or 1.0006: say "1s".
static const char *period_text(char *buffer, const struct process *process)
{
    char text[UNIT_TEXT];
    struct fact_f64 period = process->groups[GROUP_EXECUTION].period_seconds;
    if (!known_f64(period)) {
        snprintf(buffer, NAME_TEXT, "in the newest report");
        return buffer;
    }
    if (period.value < 0.95) {
        unit_latency(text, sizeof(text), period);
    } else {
        period.value = number_round(period.value);
        unit_duration(text, sizeof(text), period);
    }
    snprintf(buffer, NAME_TEXT, "in the last %s", text);
    return buffer;
}

static void error_evidence(struct report *report, struct finding *finding,
                           const struct error_row *row, const struct process *process)
{
    char who[NAME_TEXT], rate[UNIT_TEXT], period[NAME_TEXT], cores[NAME_TEXT] = "-";
    struct fact_f64 age = last_seen(process, row->error, row->execution);
    if (!core_set_empty(&process->cores))
        core_set_format(&process->cores, cores, sizeof(cores));
    if (known_f64(age))
        finding_evidence(report, finding, "%s on NC %s: %llu, %s", name_process(who, process),
                         cores, (unsigned long long)row_count(row, process),
                         last_seen_text(period, age));
    else
        finding_evidence(report, finding, "%s on NC %s: %llu %s (%s)", name_process(who, process),
                         cores, (unsigned long long)row_count(row, process),
                         period_text(period, process),
                         unit_rate(rate, sizeof(rate), row_rate(row, process)));
}

static void check_error_row(struct report *report, const struct error_row *row)
{
    const struct host *host = report->host;
    struct finding *finding = NULL;
    const struct process *worst = NULL;
    char who[NAME_TEXT], others[UNIT_TEXT * 2] = "";
    unsigned count = 0, shown = 0;

    for (unsigned p = 0; p < host->process_count; p++) {
        const struct process *process = &host->processes[p];
        if (row_count(row, process) == 0)
            continue;
        if (finding == NULL)
            finding = report_add(report, row->severity);
        if (worst == NULL || row_count(row, process) > row_count(row, worst))
            worst = process;
        count++;
        if (evidence_room(finding)) {
            error_evidence(report, finding, row, process);
            shown++;
        }
    }
    if (finding == NULL)
        return;
    evidence_more(report, finding, count - shown, "processes");
    if (count > 1)
        snprintf(others, sizeof(others), " and %u more processes", count - 1);
    finding_subject(report, finding, "%s", name_process(who, worst));
    finding_summary(report, finding, "%s of %s%s", row->what, who, others);
    finding_remedy(report, finding, "%s", row->remedy);
}

void rule_exec_errors(struct report *report)
{
    for (size_t i = 0; i < sizeof(error_rows) / sizeof(error_rows[0]); i++)
        check_error_row(report, &error_rows[i]);
    judge_core_events(report);
}

// The core that reads fully busy while nothing completed in the same period; NULL: no hang
// suspected.
static const struct core *hang_suspect(const struct host *host, const struct process *process)
{
    struct fact_u64 completed = process->executions_in_period[EXEC_COMPLETED];
    if (!current_u64(completed) || completed.value > 0)
        return NULL;
    for (unsigned s = 0; s < process->share_count; s++) {
        const struct share *share = &process->shares[s];
        if (current_f64(share->utilization_percent) &&
            share->utilization_percent.value >= busy_percent)
            return &host->cores[share->core];
    }
    return NULL;
}

static void timeout_evidence(struct report *report, struct finding *finding,
                             const struct process *process)
{
    char period[NAME_TEXT], number[UNIT_TEXT];
    struct fact_f64 age = last_seen(process, -1, EXEC_TIMED_OUT);
    unsigned long long count = executions_of(process, EXEC_TIMED_OUT);
    if (known_f64(age))
        finding_evidence(report, finding, "%llu timed out, %s", count, last_seen_text(period, age));
    else
        finding_evidence(
            report, finding, "%llu timed out, %s completed, %s", count,
            unit_count(number, sizeof(number), process->executions_in_period[EXEC_COMPLETED]),
            period_text(period, process));
}

static void timeout_finding(struct report *report, const struct process *process)
{
    const struct core *hung = hang_suspect(report->host, process);
    char who[NAME_TEXT], number[UNIT_TEXT], cores[NAME_TEXT];
    struct finding *finding =
        report_add(report, hung != NULL ? SEVERITY_CRITICAL : SEVERITY_WARNING);
    name_process(who, process);
    finding_subject(report, finding, "%s", who);
    if (hung != NULL)
        finding_summary(report, finding, "executions of %s time out, hang suspected on NC %u", who,
                        hung->index);
    else
        finding_summary(report, finding, "executions of %s time out", who);
    timeout_evidence(report, finding, process);
    if (!core_set_empty(&process->cores))
        finding_evidence(report, finding, "holds NC %s",
                         core_set_format(&process->cores, cores, sizeof(cores)));
    if (hung != NULL)
        finding_evidence(report, finding,
                         "NC %u (chip %u) reads 100%% busy although nothing completed", hung->index,
                         report->host->chips[hung->chip].index);
    if (hung != NULL)
        finding_remedy(report, finding,
                       "Look at the logs of the other workers first (one that waits in a "
                       "collective stops all); then end "
                       "the job (kill -TERM %s) and start it again.",
                       name_pid(number, process));
    else
        finding_remedy(report, finding,
                       "If the graph needs longer, raise NEURON_RT_EXEC_TIMEOUT (seconds) in the "
                       "job; else look at the "
                       "logs of its other workers.");
}

void rule_exec_timeouts(struct report *report)
{
    const struct host *host = report->host;
    unsigned count = 0;
    for (unsigned p = 0; p < host->process_count; p++)
        if (executions_of(&host->processes[p], EXEC_TIMED_OUT) > 0 && ++count <= RULE_FINDINGS_MAX)
            timeout_finding(report, &host->processes[p]);
    if (count > RULE_FINDINGS_MAX)
        evidence_more(report, &report->items[report->count - 1], count - RULE_FINDINGS_MAX,
                      "processes with timeouts");
    judge_core_events(report);
}
