// SPDX-License-Identifier: Apache-2.0
// Each rule fires where it must, with the right numbers, and is silent where it must be.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "must_find.h"

static void nothing_known_nothing_found(void **state)
{
    (void)state;
    struct host *host = host_new();
    assert_int_equal(check_run(host).count, 0);
    host_free(host);
    host = build_host("trn2.48xlarge", 0);
    assert_int_equal(check_run(host).count, 0);
    host_free(host);
}

// Field case F-10: one core of a trn1 chip is full, the other empty.
static void full_core_on_half_empty_chip(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 0);
    struct process *process = build_process(host, 1234, "python trace.py", 0, 1);
    build_memory(host, process, 0, MEM_TENSORS, (uint64_t)(15.855 * (double)GIB));
    const struct finding *finding = must_find(host, "memory-nearly-full");
    assert_int_equal(finding->severity, SEVERITY_CRITICAL);
    assert_string_equal(finding->subject, "NC 0");
    assert_string_equal(finding->summary, "NC 0: 99% of its 16GiB HBM used");
    assert_string_equal(finding->evidence[0],
                        "NC 0 (chip 0): 15.9/16.0GiB (99%), Tensors 15.9GiB, PID 1234 (trace.py); "
                        "chip 0 as a whole: 49%");
    assert_has(finding->remedy, "kill -TERM 1234");
    host_free(host);
}

static void memory_thresholds(void **state)
{
    (void)state;
    const struct {
        double share;
        int severity; // -1: none
    } cases[] = {{0.919, -1},
                 {0.921, SEVERITY_WARNING},
                 {0.979, SEVERITY_WARNING},
                 {0.981, SEVERITY_CRITICAL}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct host *host = build_host("trn1.2xlarge", 0);
        build_memory(host, NULL, 1, MEM_TENSORS, (uint64_t)(cases[i].share * 16 * (double)GIB));
        if (cases[i].severity < 0)
            assert_int_equal(count_of(host, "memory-nearly-full"), 0);
        else
            assert_int_equal(must_find(host, "memory-nearly-full")->severity, cases[i].severity);
        host_free(host);
    }
}

// A figure that makes no sense is neither negative nor a row of digits.
static void absurd_memory(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 0);
    build_memory(host, NULL, 0, MEM_TENSORS, UINT64_MAX);
    assert_string_equal(must_find(host, "memory-nearly-full")->summary,
                        "NC 0: over 999% of its 16GiB HBM used");
    host->machine.memory_total_bytes = fact_u64(1, FROM_MONITOR);
    host->machine.memory_used_bytes = fact_u64(UINT64_MAX, FROM_MONITOR);
    assert_non_null(strstr(must_find(host, "host-memory-nearly-full")->summary, "(over 999%)"));
    host_free(host);
}

// Hardware reference: with LNC=1 two logical cores share a 24 GiB bank, and each may use all of it.
static void bank_shared_by_two_cores(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.3xlarge", 1);
    build_memory(host, NULL, 0, MEM_TENSORS, 23 * GIB / 2);
    build_memory(host, NULL, 2, MEM_TENSORS, 23 * GIB / 2); // another bank
    assert_int_equal(count_of(host, "memory-nearly-full"), 0);
    build_memory(host, NULL, 1, MEM_TENSORS, 23 * GIB / 2);
    const struct finding *finding = must_find(host, "memory-nearly-full");
    assert_string_equal(finding->subject, "NC 0-1");
    assert_string_equal(finding->summary, "NC 0-1: 95% of its shared 24GiB HBM used");
    assert_int_equal(finding->evidence_count, 1);
    host_free(host);
}

static void many_full_cores_are_one_finding(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    for (unsigned i = 0; i < 20; i++)
        build_memory(host, NULL, i, MEM_TENSORS, 23 * GIB + i * 10 * MIB);
    assert_int_equal(count_of(host, "memory-nearly-full"), 1);
    const struct finding *finding = must_find(host, "memory-nearly-full");
    assert_string_equal(finding->subject, "NC 19");
    assert_has(finding->summary, ", 19 more nearly full");
    assert_int_equal(finding->evidence_count, EVIDENCE_MAX);
    assert_has(finding->evidence[EVIDENCE_MAX - 1], "and 13 more");
    host_free(host);
}

static void stale_memory_is_no_finding(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 0);
    build_memory(host, NULL, 0, MEM_TENSORS, 16 * GIB);
    host->cores[0].memory_used_bytes.stale = true;
    assert_int_equal(count_of(host, "memory-nearly-full"), 0);
    host_free(host);
}

static void host_memory(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.xlarge", 0);
    struct process *process = build_process(host, 7, "serve", 0, 1);
    process->memory_host_bytes = fact_u64(9 * GIB, FROM_RECORDING);
    host->machine.memory_total_bytes = fact_u64(16 * GIB, FROM_RECORDING);
    host->machine.memory_used_bytes = fact_u64(14 * GIB, FROM_RECORDING); // 87 %
    assert_int_equal(count_of(host, "host-memory-nearly-full"), 0);
    host->machine.memory_used_bytes = fact_u64(15 * GIB, FROM_RECORDING); // 93 %
    const struct finding *finding = must_find(host, "host-memory-nearly-full");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_has(finding->evidence[0], "15.0/16.0GiB (93%)");
    assert_has(finding->evidence[1], "PID 7 (serve), 9GiB");
    host->machine.memory_used_bytes = fact_u64(16 * GIB, FROM_RECORDING);
    assert_int_equal(must_find(host, "host-memory-nearly-full")->severity, SEVERITY_CRITICAL);
    host_free(host);
}

static void idle_holder(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    struct process *process = build_process(host, 21930, "python -m ipykernel_launcher", 48, 4);
    build_memory(host, process, 48, MEM_TENSORS, 35 * GIB);
    process->user = "alice";
    process->idle_seconds = fact_f64(15 * 60 - 1, FROM_DERIVED);
    assert_int_equal(count_of(host, "cores-idle-held"), 0);
    process->idle_seconds = fact_f64(47 * 60, FROM_DERIVED);
    process->started_unix_seconds = fact_f64(BUILD_TIME - (3 * 3600 + 12 * 60), FROM_PROC);
    const struct finding *finding = must_find(host, "cores-idle-held");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_has(finding->summary, "NC 48-51 held by PID 21930");
    assert_has(finding->summary, "idle for 47m");
    assert_has(finding->evidence[0], "NC 48-51 (4 cores) with 35GiB of HBM");
    assert_has(finding->evidence[1], "since 2026-10-28 11:44 UTC");
    assert_string_equal(finding->evidence[2], "started 3h12m ago by alice");
    assert_has(finding->remedy, "kill -TERM 21930");
    process->idle_since_start = true;
    finding = must_find(host, "cores-idle-held");
    assert_has(finding->summary, "idle for at least 47m");
    assert_has(finding->evidence[1], "since neutop started");
    host_free(host);
}

// 32 idle workers of one launcher are one finding that names the launcher; one busy worker is none
// of them.
static void idle_workers_of_one_launcher(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    for (unsigned i = 0; i < 32; i++) {
        struct process *worker = build_process(host, 31300 + i, "python train.py", i, 1);
        worker->launcher = "torchrun";
        worker->launcher_pid = fact_u64(31207, FROM_PROC);
        worker->idle_seconds = fact_f64(i == 31 ? 5 : 3600 + 60 * i, FROM_DERIVED);
    }
    assert_int_equal(count_of(host, "cores-idle-held"), 1);
    const struct finding *finding = must_find(host, "cores-idle-held");
    assert_string_equal(finding->summary,
                        "NC 0-30 held by 31 workers of PID 31207 torchrun, idle for 1h00m");
    assert_has(finding->remedy, "kill -TERM 31207");
    host_free(host);
}

static void many_idle_holders_are_bounded(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    for (unsigned i = 0; i < 10; i++)
        build_process(host, 100 + i, "notebook", i, 1)->idle_seconds =
            fact_f64(7200 + i, FROM_DERIVED);
    struct findings findings = check_run(host);
    assert_int_equal(findings.count, 4);
    assert_has(findings.items[0].subject, "PID 109"); // the longest idle first
    assert_has(findings.items[3].evidence[findings.items[3].evidence_count - 1],
               "and 6 more idle holders");
    host_free(host);
}

// neuron-monitor reference, "Runtime died between collection steps".
static void holder_not_visible(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 0);
    struct process *process = build_process(host, 784315, NULL, 0, 1);
    process->groups[GROUP_CPU].error = "open /proc/784315/stat: no such file or directory";
    build_memory(host, process, 0, MEM_TENSORS, 8 * GIB);
    const struct finding *finding = must_find(host, "holder-gone");
    assert_string_equal(finding->summary,
                        "PID 784315 not visible from here, 8GiB of HBM still held");
    assert_has(finding->evidence[0], "on NC 0; open /proc/784315/stat: no such file");
    assert_has(finding->remedy, "another PID namespace");
    assert_has(finding->remedy, "ps -fp 784315");
    assert_int_equal(count_of(host, "source-lost"), 0); // told once
    host_free(host);
}

static void holder_gone_without_memory_is_only_an_error(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 0);
    struct process *process = build_process(host, 784315, NULL, 0, 0);
    process->groups[GROUP_CPU].error = "open /proc/784315/stat: no such file or directory";
    assert_int_equal(count_of(host, "holder-gone"), 0);
    assert_int_equal(count_of(host, "source-lost"), 1);
    process->groups[GROUP_CPU].error = NULL;
    assert_int_equal(check_run(host).count, 0);
    host_free(host);
}

static void vanished_and_stopped_holders(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 0);
    struct process *gone = build_process(host, 10, "a", 0, 1);
    struct process *stopped = build_process(host, 11, "b", 1, 1);
    assert_int_equal(check_run(host).count, 0);
    gone->state = PROCESS_GONE;
    stopped->state = PROCESS_STOPPED;
    assert_has(must_find(host, "holder-gone")->summary, "PID 10 (a) not visible from here");
    const struct finding *finding = must_find(host, "holder-stopped");
    assert_string_equal(finding->summary, "PID 11 (b) is stopped and holds NC 1");
    assert_has(finding->remedy, "kill -CONT 11");
    host_free(host);
}

// neuron-monitor reference 3.3: on healthy hosts `generic` is large and grows by itself.
static void generic_errors_never_alarm(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 0);
    struct process *process = build_process(host, 42, "job", 0, 1);
    process->errors_in_period[ERR_GENERIC] = fact_u64(23749, FROM_RECORDING);
    process->errors_per_second[ERR_GENERIC] = fact_f64(23749, FROM_RECORDING);
    assert_int_equal(check_run(host).count, 0);
    // ... nor do they hide executions that did fail.
    process->executions_in_period[EXEC_WITH_ERR] = fact_u64(1, FROM_RECORDING);
    assert_int_equal(count_of(host, "exec-errors"), 1);
    host_free(host);
}

static void errors_by_kind(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 0);
    struct process *process = build_process(host, 4242, "job", 0, 1);
    process->groups[GROUP_EXECUTION].period_seconds = fact_f64(0.99948141, FROM_RECORDING);
    process->errors_in_period[ERR_NUMERICAL] = fact_u64(2, FROM_RECORDING);
    process->errors_per_second[ERR_NUMERICAL] = fact_f64(2, FROM_RECORDING);
    process->executions_in_period[EXEC_WITH_NUM_ERR] = fact_u64(2, FROM_RECORDING);
    process->errors_in_period[ERR_HARDWARE] = fact_u64(1, FROM_RECORDING);
    process->executions_in_period[EXEC_WITH_ERR] = fact_u64(1, FROM_RECORDING);
    struct findings findings = check_run(host);
    assert_int_equal(findings.count, 2); // with_err and with_num_err are the same failures
    assert_int_equal(findings.items[0].severity, SEVERITY_CRITICAL);
    assert_string_equal(findings.items[0].summary, "hardware errors of PID 4242 (job)");
    assert_has(findings.items[0].remedy, "NEURON_HW_ERR");
    assert_string_equal(findings.items[1].summary,
                        "numerical errors (NaN or infinity) of PID 4242 (job)");
    assert_string_equal(findings.items[1].evidence[0],
                        "PID 4242 (job) on NC 0: 2 in the last 1s (2/s)");
    host_free(host);
}

static void executions_that_failed_without_a_kind(void **state)
{
    (void)state;
    const struct {
        enum execution execution;
        const char *what;
    } cases[] = {{EXEC_WITH_ERR, "executions completed with errors"},
                 {EXEC_WITH_NUM_ERR, "numerical errors"},
                 {EXEC_INCORRECT_INPUT, "executions with incorrect input"},
                 {EXEC_FAILED_TO_QUEUE, "executions that could not be queued"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct host *host = build_host("trn1.2xlarge", 0);
        struct process *process = build_process(host, 42, "job", 0, 1);
        process->executions_in_period[EXEC_COMPLETED] = fact_u64(100, FROM_RECORDING);
        process->executions_in_period[cases[i].execution] = fact_u64(0, FROM_RECORDING);
        assert_int_equal(check_run(host).count, 0);
        process->executions_in_period[cases[i].execution] = fact_u64(3, FROM_RECORDING);
        assert_has(must_find(host, "exec-errors")->summary, cases[i].what);
        process->executions_in_period[cases[i].execution].stale = true;
        assert_int_equal(check_run(host).count, 0);
        host_free(host);
    }
}

// What came and went stays for a while, and says that it is over.
static void errors_of_the_last_minute_stay(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 0);
    struct process *process = build_process(host, 42, "job", 0, 1);
    process->errors_in_period[ERR_NUMERICAL] = fact_u64(0, FROM_RECORDING);
    process->past_errors[ERR_NUMERICAL] = (struct past){2, fact_f64(12, FROM_DERIVED)};
    process->past_executions[EXEC_TIMED_OUT] = (struct past){1, fact_f64(7, FROM_DERIVED)};
    assert_has(must_find(host, "exec-errors")->evidence[0], "2, last seen 12s ago");
    assert_has(must_find(host, "exec-timeouts")->evidence[0], "1 timed out, last seen 7s ago");
    process->errors_in_period[ERR_NUMERICAL] = fact_u64(5, FROM_RECORDING);
    process->past_errors[ERR_NUMERICAL] = (struct past){5, fact_f64(0, FROM_DERIVED)};
    assert_has(must_find(host, "exec-errors")->evidence[0], "5 in the newest report");
    host_free(host);
}

// A chip that only others hold is not told of.
static void chips_not_selected_have_no_findings(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    host->chips[3].ecc.mem_repairable = fact_u64(1, FROM_RECORDING);
    host->chips[3].ecc.mem_uncorrected = fact_u64(1, FROM_RECORDING);
    host->chips[3].health = HEALTH_UNHEALTHY;
    assert_int_equal(check_run(host).count, 3);
    host->chips[3].unselected = true;
    assert_int_equal(check_run(host).count, 0);
    host_free(host);
}

// Field case F-21.
static void timeouts(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 0);
    struct process *process = build_process(host, 42, "job", 0, 2);
    process->executions_in_period[EXEC_COMPLETED] = fact_u64(12, FROM_RECORDING);
    process->executions_in_period[EXEC_TIMED_OUT] = fact_u64(1, FROM_RECORDING);
    build_utilization(host, process, 1, 100);
    const struct finding *finding = must_find(host, "exec-timeouts");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_has(finding->evidence[0], "1 timed out, 12 completed");
    assert_has(finding->remedy, "NEURON_RT_EXEC_TIMEOUT");
    process->executions_in_period[EXEC_COMPLETED] = fact_u64(0, FROM_RECORDING);
    finding = must_find(host, "exec-timeouts");
    assert_int_equal(finding->severity, SEVERITY_CRITICAL);
    assert_has(finding->summary, "hang suspected on NC 1");
    assert_has(finding->remedy, "other workers");
    build_utilization(host, process, 1, 40);
    assert_int_equal(must_find(host, "exec-timeouts")->severity, SEVERITY_WARNING);
    process->executions_in_period[EXEC_TIMED_OUT] = fact_u64(0, FROM_RECORDING);
    assert_int_equal(count_of(host, "exec-timeouts"), 0);
    host_free(host);
}

// Field case F-20: the remedy follows the kind.
static void ecc(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    host->chips[3].ecc.mem_corrected = fact_u64(1000, FROM_SYSFS);
    host->chips[3].ecc.mem_uncorrected = fact_u64(0, FROM_SYSFS);
    host->chips[3].ecc.sram_uncorrected = fact_u64(0, FROM_SYSFS);
    host->chips[3].ecc.mem_repairable = fact_u64(0, FROM_SYSFS);
    assert_int_equal(check_run(host).count, 0);
    host->chips[3].ecc.sram_uncorrected = fact_u64(1, FROM_SYSFS);
    host->chips[9].ecc.mem_uncorrected = fact_u64(2, FROM_SYSFS);
    host->chips[9].ecc.increased = true;
    host->chips[11].ecc.mem_repairable = fact_u64(1, FROM_SYSFS);
    const struct finding *finding = must_find(host, "ecc-uncorrected");
    assert_int_equal(finding->severity, SEVERITY_CRITICAL);
    assert_string_equal(finding->subject, "chips 3,9");
    assert_has(finding->summary, "still growing");
    assert_string_equal(finding->evidence[0], "chip 3: HBM uncorrected 0, SRAM uncorrected 1");
    assert_has(finding->evidence[1], "chip 9: HBM uncorrected 2, SRAM uncorrected -, growing");
    assert_has(finding->remedy, "replace the instance");
    finding = must_find(host, "ecc-repairable");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_string_equal(finding->subject, "chip 11");
    assert_has(finding->remedy, "reload the driver");
    host_free(host);
}

static void unhealthy_chip(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    host->chips[2].health = HEALTH_HEALTHY;
    assert_int_equal(check_run(host).count, 0);
    host->chips[2].health = HEALTH_UNHEALTHY;
    host->chips[2].health_detail = "hw_error_event 4";
    const struct finding *finding = must_find(host, "chip-unhealthy");
    assert_string_equal(finding->subject, "chip 2");
    assert_string_equal(finding->evidence[0], "chip 2: hw_error_event 4");
    host_free(host);
}

static void sources(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    build_source(host, "monitor", SOURCE_LIVE, 0.4, "neuron-monitor 2.28.23");
    build_source(host, "sysfs", SOURCE_ABSENT, -1, "no driver");
    build_source(host, "recording", SOURCE_ENDED, 3, "end of file");
    assert_int_equal(check_run(host).count, 0);
    host_free(host);

    host = build_host("trn2.48xlarge", 0);
    build_source(host, "monitor", SOURCE_LOST, 75, "exited with status 2; next start in 10 s");
    const struct finding *finding = must_find(host, "source-lost");
    assert_int_equal(finding->severity, SEVERITY_CRITICAL);
    assert_string_equal(finding->subject, "monitor");
    assert_has(finding->evidence[0], "1m15s");
    assert_string_equal(finding->evidence[1], "exited with status 2; next start in 10 s");
    assert_has(finding->remedy, "neuron-monitor");
    build_source(host, "sysfs", SOURCE_LIVE, 0.1, NULL);
    assert_int_equal(must_find(host, "source-lost")->severity, SEVERITY_WARNING);
    build_source(host, "device", SOURCE_DENIED, -1, "/dev/neuron0: permission denied");
    assert_string_equal(must_find(host, "no-permission")->evidence[0],
                        "/dev/neuron0: permission denied");
    host_free(host);
}

static void damaged_input(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    host->reports_read = 40;
    assert_int_equal(check_run(host).count, 0);
    host->reports_damaged = 2;
    host->input_trouble = "line 7: cut off at byte 812";
    const struct finding *finding = must_find(host, "source-lost");
    assert_int_equal(finding->severity, SEVERITY_INFO);
    assert_string_equal(finding->evidence[0], "40 reports read, 2 damaged");
    assert_string_equal(finding->evidence[1], "last: line 7: cut off at byte 812");
    host_free(host);
}

// Field case F-22: a failing group appears once, not once for each process or refresh.
static void failed_groups_are_one_finding(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    for (unsigned i = 0; i < 20; i++)
        build_process(host, 500 + i, "job", i, 1)->groups[GROUP_EXECUTION].error =
            "runtime is not responding";
    host->hardware.error = "neuron driver not running";
    assert_int_equal(check_run(host).count, 1);
    const struct finding *finding = must_find(host, "source-lost");
    assert_string_equal(finding->evidence[0], "chips: neuron driver not running");
    assert_string_equal(finding->evidence[1],
                        "PID 500 (job), execution: runtime is not responding");
    assert_string_equal(finding->evidence[EVIDENCE_MAX - 1], "and 14 more failures");
    host_free(host);
}

static void worst_first_then_order_of_rules(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    build_memory(host, NULL, 0, MEM_TENSORS, 23 * GIB);            // warning
    host->chips[1].ecc.sram_uncorrected = fact_u64(1, FROM_SYSFS); // critical
    host->chips[2].ecc.mem_repairable = fact_u64(1, FROM_SYSFS);   // warning, later rule
    host->reports_damaged = 1;                                     // info
    struct findings findings = check_run(host);
    assert_int_equal(findings.count, 4);
    assert_string_equal(findings.items[0].id, "ecc-uncorrected");
    assert_string_equal(findings.items[1].id, "memory-nearly-full");
    assert_string_equal(findings.items[2].id, "ecc-repairable");
    assert_string_equal(findings.items[3].id, "source-lost");
    host_free(host);
}

// Counters of running jobs that the driver does not give are told once, unless the monitor gives
// them (field case F-17).
static void counters_that_are_not_live(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 0);
    struct core_counters counters = {.live = false};
    assert_int_equal(count_of(host, "counters-not-live"), 0);
    host->versions.driver = "2.24.7.0";
    for (unsigned i = 0; i < host->core_count; i++)
        host->cores[i].counters = &counters;
    const struct finding *finding = must_find(host, "counters-not-live");
    assert_int_equal(finding->severity, SEVERITY_INFO);
    assert_non_null(strstr(finding->summary, "2.24.7.0"));
    assert_non_null(strstr(finding->evidence[0], "2 cores"));
    assert_non_null(strstr(finding->remedy, "aws-neuronx-tools"));
    build_source(host, "monitor", SOURCE_LIVE, 0, NULL);
    assert_int_equal(count_of(host, "counters-not-live"), 0);
    counters.live = true;
    host->source_count = 0;
    assert_int_equal(count_of(host, "counters-not-live"), 0);
    host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_known_nothing_found),
        cmocka_unit_test(full_core_on_half_empty_chip),
        cmocka_unit_test(memory_thresholds),
        cmocka_unit_test(absurd_memory),
        cmocka_unit_test(bank_shared_by_two_cores),
        cmocka_unit_test(many_full_cores_are_one_finding),
        cmocka_unit_test(stale_memory_is_no_finding),
        cmocka_unit_test(host_memory),
        cmocka_unit_test(idle_holder),
        cmocka_unit_test(idle_workers_of_one_launcher),
        cmocka_unit_test(many_idle_holders_are_bounded),
        cmocka_unit_test(holder_not_visible),
        cmocka_unit_test(holder_gone_without_memory_is_only_an_error),
        cmocka_unit_test(vanished_and_stopped_holders),
        cmocka_unit_test(generic_errors_never_alarm),
        cmocka_unit_test(errors_by_kind),
        cmocka_unit_test(executions_that_failed_without_a_kind),
        cmocka_unit_test(errors_of_the_last_minute_stay),
        cmocka_unit_test(chips_not_selected_have_no_findings),
        cmocka_unit_test(timeouts),
        cmocka_unit_test(ecc),
        cmocka_unit_test(unhealthy_chip),
        cmocka_unit_test(sources),
        cmocka_unit_test(damaged_input),
        cmocka_unit_test(failed_groups_are_one_finding),
        cmocka_unit_test(counters_that_are_not_live),
        cmocka_unit_test(worst_first_then_order_of_rules),
    };
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
