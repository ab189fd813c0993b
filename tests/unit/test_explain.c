// SPDX-License-Identifier: Apache-2.0
// Errors joined with a host: who holds the cores, what is free, which versions meet, which core is
// full; and what can be told without a host.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "build_host.h"
#include "check/explain.h"
#include "print/explain.h"

// An output explained, with or without a host.
struct run {
    struct arena *arena;
    struct joblog *log;
    struct findings findings;
    struct absence absence;
    struct explain_host all;
    struct explanation explanation;
};

static struct run explain(const char *text, struct host *host)
{
    struct run run = {.arena = arena_new(), .log = joblog_new()};
    joblog_feed(run.log, text, strlen(text));
    joblog_end(run.log);
    if (host != NULL)
        run.findings = check_run(host);
    snprintf(run.absence.verdict, sizeof(run.absence.verdict), "the verdict");
    for (size_t i = 0; i < ABSENCE_LOOKS; i++)
        run.absence.looks[i].what = "a look";
    return run;
}

static void finish(struct run *run, struct host *host)
{
    run->all = (struct explain_host){host, &run->findings, &run->absence};
    run->explanation = explain_run(run->arena, run->log, &run->all);
}

static void end(struct run *run, struct host *host)
{
    joblog_free(run->log);
    arena_free(run->arena);
    host_free(host);
}

static bool says(const char *const *lines, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(lines[i], what) != NULL)
            return true;
    return false;
}

static void expect(const struct explained *item, bool now, const char *what)
{
    const char *const *lines = now ? item->now : item->said;
    size_t count = now ? item->now_count : item->said_count;
    if (says(lines, count, what))
        return;
    for (size_t i = 0; i < count; i++)
        print_message("  %s\n", lines[i]);
    fail_msg("%s: nowhere '%s'", item->group->message->id, what);
}

static void expect_not(const struct explained *item, const char *what)
{
    if (says(item->now, item->now_count, what))
        fail_msg("%s: '%s' is told", item->group->message->id, what);
}

#define BUSY(asked) \
    "Logical Neuron Core(s) not available - Requested:" asked " Available:0 Logical Core size:1\n"

static void holders_and_free_runs(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 1);
    struct process *process = build_process(host, 31207, "python3 train.py", 0, 24);
    process->user = "ubuntu";
    process->started_unix_seconds = fact_f64(BUILD_TIME - 3 * 3600 - 720, FROM_PROC);
    process->idle_seconds = fact_f64(47 * 60, FROM_PROC);
    build_process(host, 4711, "vllm serve", 28, 2);
    struct run run = explain(BUSY("16"), host);
    finish(&run, host);
    const struct explained *item = &run.explanation.items[0];
    expect(item, true,
           "NC 0-23 held by PID 31207 (train.py) of ubuntu, started 3h12m ago, idle 47m");
    expect(item, true, "NC 28-29 held by PID 4711 (vllm)");
    expect(item, true, "free now: NC 24-27, NC 30-31");
    expect(item, true, "requested 16, free 6; the longest run is 4: NC 24-27");

    end(&run, host);
}

static void enough_is_free_by_now(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 1);
    build_process(host, 1, "train", 0, 8);
    struct run run = explain(BUSY("16"), host);
    finish(&run, host);
    expect(&run.explanation.items[0], true,
           "NEURON_RT_VISIBLE_CORES=16-31 is free for this job now");
    end(&run, host);
}

// A range names its cores: only their holders are told.
static void holders_of_a_range(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.48xlarge", 1);
    build_process(host, 11, "one", 0, 1);
    build_process(host, 12, "two", 1, 3);
    struct run run = explain(BUSY("nc1-nc1") BUSY("lnc8-lnc9") BUSY("nc30-nc31"), host);
    finish(&run, host);
    const struct explained *items = run.explanation.items;
    assert_int_equal(run.explanation.count, 3);
    expect(&items[0], true, "NC 1 held by PID 12 (two); NC 1-3 in all");
    expect_not(&items[0], "PID 11");
    expect(&items[1], true, "NC 8-9 is free now");
    expect_not(&items[1], "held by");
    expect(&items[2], true, "NC 30-31 is not on this host: it has NC 0-23");
    end(&run, host);
}

// On Trainium2 neuron-monitor's order is not the job's: without the core map its numbers are not
// joined, but a chip of which some cores are held is told.
static void numbers_of_another_kind(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 2);
    host->core_map.count = 0;
    build_process(host, 11, "one", 4, 2);
    struct run run = explain("Logical Neuron Core(s) not available - Requested:lnc4-lnc4 "
                             "Available:0 Logical Core size:2\n",
                             host);
    finish(&run, host);
    expect(&run.explanation.items[0], true, "NC 4 may be held by PID 11 (one)");
    expect_not(&run.explanation.items[0], "NC 4 is free now");
    expect(&run.explanation.items[0], true, "of 4 cores it is not known whether they are held");
    end(&run, host);
}

// A job with another core size counts other numbers.
static void another_core_size(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.3xlarge", 2);
    build_process(host, 11, "one", 0, 1);
    struct run run = explain(BUSY("8"), host);
    finish(&run, host);
    expect(&run.explanation.items[0], true, "counted with core size 1, as the job does; LNC is 2");
    expect(&run.explanation.items[0], true, "NC 0-1 held by PID 11 (one)");
    end(&run, host);
}

static void workers_are_one_holder(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 1);
    for (unsigned i = 0; i < 32; i++) {
        struct process *process = build_process(host, 100 + i, "python3 train.py", i, 1);
        process->launcher_pid = fact_u64(99, FROM_PROC);
        process->launcher = "torchrun";
    }
    struct run run = explain(BUSY("2"), host);
    finish(&run, host);
    expect(&run.explanation.items[0], true,
           "NC 0-31 held by 32 workers of PID 99 torchrun; the first is PID");
    expect(&run.explanation.items[0], true, "no core is free now");
    end(&run, host);
}

// The worker that has the core that was asked for, then its job.
static void the_worker_that_holds_the_core(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 1);
    for (unsigned i = 0; i < 4; i++) {
        struct process *process = build_process(host, 200 + i, "python3 train.py", i, 1);
        process->launcher_pid = fact_u64(99, FROM_PROC);
        process->launcher = "torchrun";
        process->user = "0";
    }
    struct run run = explain(BUSY("nc1-nc1") BUSY("nc1-nc2") BUSY("1"), host);
    finish(&run, host);
    const struct explained *items = run.explanation.items;
    expect(&items[0], true,
           "NC 1 held by PID 201 (train.py) of user 0, one of 4 workers of PID 99 torchrun; NC 0-3 "
           "in all");
    expect_not(&items[0], "PID 200");
    expect(&items[1], true,
           "NC 1-2 held by 2 workers of PID 99 torchrun; the first is PID 201 (train.py)");
    expect(&items[2], true, "NC 0-3 held by 4 workers of PID 99 torchrun");
    expect(&items[2], true, "NEURON_RT_VISIBLE_CORES=4 is free for this job now");
    end(&run, host);
}

// F-08: of a process with all chips open, what is known of its cores.
static void what_is_sure_of_a_greedy_process(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.48xlarge", 1);
    struct process *process = build_process(host, 4711, "python3 serve.py", 0, 2);
    process->certainty = CERTAINTY_EXACT;
    process->environment_known = true;
    for (unsigned i = 1; i < host->chip_count; i++) {
        core_set_add(&process->chips, i);
        host->chips[i].owner_count = host->chips[0].owner_count;
        host->chips[i].owners = host->chips[0].owners;
    }
    struct run run = explain(BUSY("nc1-nc1") BUSY("nc5-nc5") BUSY("24"), host);
    finish(&run, host);
    const struct explained *items = run.explanation.items;
    expect(&items[0], true,
           "NC 1 held by PID 4711 (serve.py), NEURON_RT_VISIBLE_CORES not set; NC 0-1 in all");
    expect(&items[1], true, "NC 5 may be held by PID 4711 (serve.py)");
    expect(
        &items[2], true,
        "NC 0-1 held by PID 4711 (serve.py), NEURON_RT_VISIBLE_CORES not set; and perhaps NC 2-23");
    size_t told = 0;
    for (size_t i = 0; i < items[2].now_count; i++)
        told += strstr(items[2].now[i], "it is not known") != NULL;
    assert_int_equal(told, 1);
    end(&run, host);
}

static void held_by_its_environment(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 1);
    build_process(host, 5, "serve", 4, 2)->certainty = CERTAINTY_ENVIRONMENT;
    struct run run = explain(BUSY("nc4-nc5"), host);
    finish(&run, host);
    expect(&run.explanation.items[0], true, "NC 4-5 held by PID 5 (serve), by its environment");
    end(&run, host);
}

// F-06: a holder that cannot be seen is told all the same.
static void unseen_holders(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 1);
    host->cores[6].hidden_owners = 1;
    struct run run = explain(BUSY("32"), host);
    finish(&run, host);
    expect(&run.explanation.items[0], true, "NC 6 held by someone who is not visible");
    expect(&run.explanation.items[0], true, "free now: NC 0-5, NC 7-31");
    end(&run, host);
}

static void owners_not_known(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.xlarge", 1);
    for (unsigned i = 0; i < host->core_count; i++)
        host->cores[i].owners_known = false;
    struct run run = explain(BUSY("2"), host);
    finish(&run, host);
    expect(&run.explanation.items[0], true, "who holds cores is not known");
    expect_not(&run.explanation.items[0], "free now");
    end(&run, host);
}

static void more_than_there_are(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.48xlarge", 1);
    struct run run = explain(BUSY("32"), host);
    finish(&run, host);
    expect(&run.explanation.items[0], true, "requested 32, but this instance has 24 logical cores");
    end(&run, host);
}

// F-25
static void chips_that_are_not_neighbours(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.24xlarge", 1);
    host->chip_count = 2;
    host->core_count = 4;
    host->chips[1].index = 2;
    struct run run = explain("Neuron cores are not contiguous\n", host);
    finish(&run, host);
    expect(&run.explanation.items[0], true, "chips 0,2 are given here: not contiguous");
    end(&run, host);
}

// F-25: on the host, where all chips are; the job's container was given two
static void devices_of_a_container_that_are_not_neighbours(void **state)
{
    (void)state;
    static const char *const logs[] = {"Neuron cores are not contiguous\n",
                                       "Could not open the nd1\n"};
    for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
        struct host *host = build_host("trn1.32xlarge", 1);
        struct process *process = build_process(host, 4711, "python train.py", 0, 2);
        struct core_set given = {0};
        core_set_add(&given, 0);
        core_set_add(&given, 2);
        process->given = &given;
        process->pod = "bert-0";
        struct run run = explain(logs[i], host);
        finish(&run, host);
        expect(&run.explanation.items[0], true, "chips 0-15 are given here");
        expect(&run.explanation.items[0], true,
               "devices 0,2 given to PID 4711 (train.py), in pod bert-0: not contiguous");
        end(&run, host);
    }
}

#define COMPAT(id, range)                                                                        \
    "2023-Apr-21 11:17:54.0589 8816:8816 ERROR NRT:nrt_init This Neuron Runtime (compatibility " \
    "id: " id ") is not compatible with the installed aws-neuron-dkms package.\n"                \
    "2023-Apr-21 11:17:54.0589 8816:8816 ERROR NRT:nrt_init Installed aws-neuron-dkms supports " \
    "Runtime compatibility id range: " range ".\n"

// F-01: which side is the older one, in both directions
static void which_side_is_old(void **state)
{
    (void)state;
    struct run run = explain(COMPAT("6", "2 - 4"), NULL);
    finish(&run, NULL);
    const struct explained *item = &run.explanation.items[0];
    assert_string_equal(item->summary,
                        "Driver and runtime do not fit: runtime id 6, the driver takes 2 to 4");
    expect(item, false, "6 is above 4: the driver is too old for this runtime");
    expect(item, false, "drivers 2.3.11");
    assert_non_null(strstr(item->remedy, "aws-neuronx-dkms"));
    assert_int_equal(item->now_count, 0);
    end(&run, NULL);
    run = explain(COMPAT("9", "10 - 11"), NULL);
    finish(&run, NULL);
    item = &run.explanation.items[0];
    expect(item, false, "9 is below 10: the runtime is too old for this driver");
    assert_non_null(strstr(item->remedy, "aws-neuronx-runtime-lib"));
    assert_null(strstr(item->remedy, "dkms"));
    end(&run, NULL);
}

static void a_range_of_one(void **state)
{
    (void)state;
    struct run run = explain(COMPAT("9", "7"), NULL);
    finish(&run, NULL);
    assert_string_equal(run.explanation.items[0].summary,
                        "Driver and runtime do not fit: runtime id 9, the driver takes 7 only");
    end(&run, NULL);
}

static void versions_that_meet(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 1);
    host->versions.driver = "2.24.7.0";
    host->versions.driver_installed = "2.26.5.0";
    host->versions.runtime_installed = "2.28.23.0";
    host->versions.compat_min = fact_u64(5, FROM_DEVICE);
    host->versions.compat_max = fact_u64(7, FROM_DEVICE);
    build_process(host, 5, "serve", 0, 2)->runtime_version = "2.22.14.0";
    struct run run = explain(COMPAT("6", "2 - 4"), host);
    finish(&run, host);
    const struct explained *item = &run.explanation.items[0];
    expect(item, true, "driver 2.24.7.0 is loaded, takes runtime ids 5 to 7");
    expect(item, true, "driver 2.26.5.0 is on disk: a reload is pending");
    expect(item, true, "id 6 is in that range: runtime and driver fit now");
    expect(item, true, "runtime 2.28.23.0 is installed");
    expect(item, true, "runtime 2.22.14.0 runs in PID 5 (serve)");
    end(&run, host);
}

// F-03
static void missing_features(void **state)
{
    (void)state;
    struct run run = explain("NEFF version: 2.0, features: 0x100 are not supported.  Currently "
                             "supporting: 0x80000000000000ff\n",
                             NULL);
    finish(&run, NULL);
    const struct explained *item = &run.explanation.items[0];
    assert_true(item->missing == 0x100);
    expect(item, false, "needed 0x100, the runtime knows 0x80000000000000ff");
    expect(item, false, "missing 0x100: indirect_memcpy_bound_check (bit 8): ");
    expect(item, false, "the NEFF is newer than the runtime");
    end(&run, NULL);
}

#define FULL                                                                                     \
    "2024-Oct-15 18:01:18.347720 3882:3882 ERROR TDRV:log_dev_mem Failed to allocate 172.000MB " \
    "(usage: tensors) on ND 0:NC 0, current utilization:\n\t* total: 15.855GB\n\t* tensors: "    \
    "15.855GB\n"

// F-10: the core is full, the chip is not
static void which_core_is_full(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 1);
    struct process *process = build_process(host, 3882, "trace.py", 0, 1);
    build_memory(host, process, 0, MEM_TENSORS, 15 * GIB);
    build_memory(host, NULL, 1, MEM_TENSORS, GIB);
    struct run run = explain(FULL, host);
    finish(&run, host);
    const struct explained *item = &run.explanation.items[0];
    assert_string_equal(item->summary,
                        "Out of device memory on chip 0 NC 0: 172MiB for tensors refused");
    assert_true(item->limit_bytes == 16 * GIB);
    expect(item, true, "a core may use 16GiB here: 15.9/16.0GiB (99%) were in use");
    expect(item, true, "NC 0: 15.0/16.0GiB in use (94%), held by PID 3882 (trace.py)");
    expect_not(item, "NC 1:");
    expect(item, true, "a process with PID 3882 is here; whether it is the one");
    end(&run, host);
}

// A process with the PID of a record is the one that wrote it only when it was there at that time,
// and counted in the same PID namespace. FULL is of PID 3882, 2024-10-15 18:01:18 in some zone.
static void whether_the_failed_process_is_here(void **state)
{
    (void)state;
    enum { RECORD = 1729015278, HOUR = 3600, NONE = 0 };
    static const struct {
        unsigned pid, inside;
        int64_t started;
        const char *told; // NULL: nothing is said of a process
    } rows[] = {
        {3882, NONE, RECORD - HOUR, "the process that failed is still here: PID 3882 (trace.py)"},
        {3882, NONE, RECORD + 5 * HOUR, "this may be the process that failed, by the zone"},
        {3882, NONE, RECORD + 25 * HOUR, NULL},
        {3882, NONE, NONE, "a process with PID 3882 is here; whether it is the one that failed is"},
        {241, 3882, RECORD - HOUR, "a process with PID 3882 in its container is here; whether"},
        {241, 3882, RECORD + 25 * HOUR, NULL},
        {3882, 12, RECORD - HOUR, NULL}, // it would have written 12
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct host *host = build_host("trn1.2xlarge", 1);
        struct process *process = build_process(host, rows[i].pid, "trace.py", 0, 1);
        if (rows[i].inside != NONE)
            process->pid_inside = fact_u64(rows[i].inside, FROM_PROC);
        if (rows[i].started != NONE)
            process->started_unix_seconds = fact_f64((double)rows[i].started, FROM_PROC);
        struct run run = explain(FULL, host);
        finish(&run, host);
        const struct explained *item = &run.explanation.items[0];
        if (rows[i].told != NULL)
            expect(item, true, rows[i].told);
        else if (says(item->now, item->now_count, "failed is") ||
                 says(item->now, item->now_count, "that failed"))
            fail_msg("row %zu: told of a process", i);
        if (i > 0)
            expect_not(item, "is still here");
        end(&run, host);
    }
}

// Every container has its PID 8.
static void of_two_containers_none_is_known(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 1);
    build_process(host, 240, "a", 0, 1)->pid_inside = fact_u64(3882, FROM_PROC);
    build_process(host, 241, "b", 1, 1)->pid_inside = fact_u64(3882, FROM_PROC);
    struct run run = explain(FULL, host);
    finish(&run, host);
    expect(&run.explanation.items[0], true, "a process with PID 3882 in its container is here");
    expect(&run.explanation.items[0], true, "PID 240 (a)");
    expect(&run.explanation.items[0], true, "PID 241 (b)");
    expect_not(&run.explanation.items[0], "is still here");
    end(&run, host);
}

// The process told its instance, and that is not this one.
static void a_process_of_another_instance(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 1);
    build_process(host, 3882, "a", 0, 1);
    host->instance.id = "i-0aaa";
    struct run run = explain(FULL "2024-Oct-15 18:01:19.000001 3882:3882 INFO NRT:nrt_infodump  "
                                  "Instance ID: i-0bbb\n",
                             host);
    finish(&run, host);
    expect_not(&run.explanation.items[0], "PID 3882 is here");
    end(&run, host);
}

static void a_chip_of_another_host(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 1);
    struct run run =
        explain("Failed to allocate 1.000MB (usage: tensors) on ND 7:NC 0, current\n", host);
    finish(&run, host);
    expect(&run.explanation.items[0], true, "chip 7 is not on this host");
    expect(&run.explanation.items[0], false, "the table of what filled it is not in the output");
    end(&run, host);
}

static void statuses_by_meaning(void **state)
{
    (void)state;
    struct run run = explain("Inference completed with err: 8\nInference completed with err: 777\n"
                             "NRT_FAILURE(6)\nInference completed with err: 1205\n",
                             NULL);
    finish(&run, NULL);
    const struct explained *items = run.explanation.items;
    assert_int_equal(run.explanation.count, 4);
    assert_string_equal(items[0].meaning, "This number is not used by the runtime.");
    assert_string_equal(items[1].meaning, "No runtime is known to return this number.");
    expect(&items[2], false,
           "the text says NRT_FAILURE with 6; by the runtime's header 6 is "
           "NRT_HW_ERROR");
    assert_non_null(strstr(items[3].remedy, "Reload the driver or reboot"));
    end(&run, NULL);
}

// F-20: severity and action by type
static void hardware_by_type(void **state)
{
    (void)state;
    static const char *const types[][2] = {
        {"SRAM_UNCORRECTABLE_ERROR", "Replace the instance"},
        {"HBM_UNCORRECTABLE_ERROR", "Replace the instance"},
        {"REPAIRABLE_HBM_UNCORRECTABLE_ERROR", "Reload the driver or reboot"},
        {"DMA_ABORT", "Replace the instance"},
        {"HANG_ON_COLLECTIVES", "other workers"},
        {"SOMETHING_NEW", "Do what the line advises"},
    };
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        char line[200];
        snprintf(line, sizeof(line),
                 "NEURON_HW_ERR=%s instance-id=i-1 hostname=h nd-id=0 nc-id=0 "
                 "serial-num=ab action=X\n",
                 types[i][0]);
        struct run run = explain(line, NULL);
        finish(&run, NULL);
        if (strstr(run.explanation.items[0].remedy, types[i][1]) == NULL)
            fail_msg("%s: %s", types[i][0], run.explanation.items[0].remedy);
        end(&run, NULL);
    }
}

static void health_of_the_chip(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 1);
    host->chips[0].serial = "cd";
    host->chips[0].health = HEALTH_UNHEALTHY;
    host->chips[0].ecc.sram_uncorrected = fact_u64(3, FROM_SYSFS);
    struct run run = explain("NEURON_HW_ERR=SRAM_X instance-id=i-1 hostname=h nd-id=0 nc-id=0 "
                             "serial-num=ab action=X\n",
                             host);
    finish(&run, host);
    expect(&run.explanation.items[0], true, "chip 0: health unhealthy");
    expect(&run.explanation.items[0], true, "SRAM uncorrected 3");
    expect(&run.explanation.items[0], true, "serial number cd: the line is about another one");
    assert_non_null(strstr(run.explanation.items[0].remedy, "Not here: "));
    assert_non_null(strstr(run.explanation.items[0].remedy, "on instance i-1. There: Replace"));
    end(&run, host);
}

// Nobody is named where no host was looked at.
static void holders_are_not_named_when_nobody_looked(void **state)
{
    static const char text[] = "Cannot unload neuron module - it is currently in use\n";
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 0);
    build_process(host, 11, "serve", 0, 1);
    struct run run = explain(text, host);
    finish(&run, host);
    assert_non_null(strstr(run.explanation.items[0].remedy, "End the processes named here"));
    assert_true(run.explanation.items[0].now_count > 0);
    end(&run, host);
    run = explain(text, NULL);
    finish(&run, NULL);
    assert_null(strstr(run.explanation.items[0].remedy, "named here"));
    assert_non_null(strstr(run.explanation.items[0].remedy, "fuser"));
    end(&run, NULL);
}

// F-14
static void causes_apart(void **state)
{
    (void)state;
    struct host *host = host_new();
    struct run run = explain("Unable to read compatible Driver version\n", host);
    finish(&run, host);
    expect(&run.explanation.items[0], true, "the verdict");
    expect(&run.explanation.items[0], true, "a look: ");
    end(&run, host);
}

static void expect_do(const struct explained *item, const char *what)
{
    if (strstr(item->remedy, what) == NULL)
        fail_msg("%s: '%s', not '%s'", item->group->message->id, item->remedy, what);
}

// F-14: only the cause that holds, in its order.
static void the_cause_that_holds(void **state)
{
    (void)state;
    static const struct {
        bool pci, module, nodes;
        const char *on_disk, *told;
    } rows[] = {
        {false, false, false, NULL, "Use an inf1, inf2, trn1"},
        {true, false, false, NULL, "Install aws-neuronx-dkms on the host"},
        {true, false, false, "2.24.7.0", "Driver 2.24.7.0 is on disk: sudo modprobe neuron"},
        {true, true, false, NULL, "--device=/dev/neuron0, one for each chip"},
        {true, true, true, NULL, "here now: start the job again"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct host *host = host_new();
        host->versions.driver_installed = rows[i].on_disk;
        struct run run = explain("Unable to determine Neuron Driver version\n", host);
        run.absence.looks[LOOK_PCI].found = rows[i].pci;
        run.absence.looks[LOOK_MODULE].found = rows[i].module;
        run.absence.looks[LOOK_NODES].found = rows[i].nodes;
        finish(&run, host);
        expect_do(&run.explanation.items[0], rows[i].told);
        assert_null(strstr(run.explanation.items[0].remedy, "By cause"));
        end(&run, host);
    }
}

// A recording is not this machine: what is missing here says nothing of it.
static void a_recording_tells_of_no_absence(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 1);
    struct run run = explain("Unable to determine Neuron Driver version\n", host);
    run.all = (struct explain_host){host, &run.findings, NULL};
    run.explanation = explain_run(run.arena, run.log, &run.all);
    expect(&run.explanation.items[0], true, "1 chip can be seen");
    expect_not(&run.explanation.items[0], "a look");
    expect_do(&run.explanation.items[0], "By cause");
    end(&run, host);
}

#define TOO_OLD(version) "This runtime requires Neuron Driver version " version " or greater\n"

// What fits by now needs no upgrade; what lies on disk only a reload.
static void nothing_to_do_any_more(void **state)
{
    (void)state;
    static const struct {
        const char *log, *driver, *on_disk, *told;
    } rows[] = {
        {COMPAT("6", "2 - 4"), "2.24.7.0", NULL, "They fit now: start the job again"},
        {COMPAT("9", "2 - 4"), "2.24.7.0", NULL, "Upgrade the driver"},
        {COMPAT("9", "2 - 4"), "2.24.7.0", "2.26.5.0", "Driver 2.26.5.0 is on disk already: end"},
        {TOO_OLD("2.0"), "2.24.7.0", NULL, "Driver 2.24.7.0, which is loaded now, suffices"},
        {BUSY("1"), NULL, NULL, "Start the job again: enough cores are free now"},
        {BUSY("nc1-nc1"), NULL, NULL, "Start the job again: enough cores are free now"},
        {BUSY("nc1-nc9"), NULL, NULL, "End the holder"},
        {TOO_OLD("2.26"), "2.24.7.0", NULL, "Upgrade aws-neuronx-dkms"},
        {TOO_OLD("2.26"), "2.9.4.0", "2.26.5.0", "is on disk already"},
        {TOO_OLD("2.0"), NULL, NULL, "Install aws-neuronx-dkms on the host"},
        {"FATAL: Module neuron not found in directory /lib/modules/6\n", "2.24.7.0", NULL,
         "Driver 2.24.7.0 is loaded now"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct host *host = build_host("trn1.2xlarge", 1);
        host->versions.driver = rows[i].driver;
        host->versions.driver_installed = rows[i].on_disk;
        host->versions.compat_min = fact_u64(5, FROM_DEVICE);
        host->versions.compat_max = fact_u64(7, FROM_DEVICE);
        struct run run = explain(rows[i].log, host);
        run.absence.looks[LOOK_PCI].found = true;
        finish(&run, host);
        expect_do(&run.explanation.items[0], rows[i].told);
        end(&run, host);
    }
}

// Who pins the module, and how often it is pinned.
static void what_holds_the_module(void **state)
{
    (void)state;
    static const char log[] = "ERROR: Cannot unload neuron module - it is currently in use.\n";
    struct host *host = build_host("trn1.2xlarge", 1);
    host->versions.driver_handles = fact_u64(2, FROM_PROC);
    struct run run = explain(log, host);
    finish(&run, host);
    expect(&run.explanation.items[0], true, "use count of the module: 2");
    expect_do(&run.explanation.items[0], "Who has it open is not visible from here");
    build_process(host, 11, "jupyter", 0, 2);
    finish(&run, host);
    expect(&run.explanation.items[0], true, "chip 0 is open in PID 11 (jupyter)");
    expect_do(&run.explanation.items[0], "End the processes named here");
    host->versions.driver_handles = fact_u64(0, FROM_PROC);
    finish(&run, host);
    expect_do(&run.explanation.items[0], "Nothing has it open now: unload it again");
    end(&run, host);
}

static void output_from_elsewhere(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 1);
    host->instance.id = "i-0aaa";
    struct run run =
        explain("2024-Oct-21 20:15:03.169020 7340:7340 INFO NRT:nrt_infodump  Instance "
                "ID: i-0bbb\n",
                host);
    finish(&run, host);
    assert_non_null(strstr(run.explanation.elsewhere, "i-0bbb"));
    host->instance.id = "i-0bbb";
    finish(&run, host);
    assert_string_equal(run.explanation.elsewhere, "");
    end(&run, host);
}

// Whatever the values are: 80 columns, ASCII, no control character.
static void hostile_values_on_a_page(void **state)
{
    (void)state;
    struct run run =
        explain("Failed to load NN: /\033[2J\xe2\x80\xae/\x01/\xc3\xa4/"
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa/{chip}[x]%s%n.neff, err: 4\n" FULL,
                NULL);
    finish(&run, NULL);
    char *text = NULL;
    size_t size = 0, column = 0;
    FILE *out = open_memstream(&text, &size);
    struct explain_print options = {.print = {.ascii = true}, .name = "job.log", .offline = true};
    print_explain_text(out, run.log, &run.explanation, &run.all, &options);
    fclose(out);
    assert_non_null(strstr(text, "{chip}[x]%s%n")); // as it is, no template
    for (size_t i = 0; i < size; i++) {
        column = text[i] == '\n' ? 0 : column + 1;
        if (column > 80 || (text[i] != '\n' && (text[i] < ' ' || text[i] > '~')))
            fail_msg("byte %zu is 0x%02x in column %zu:\n%s", i, (unsigned char)text[i], column,
                     text);
    }
    free(text);
    end(&run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holders_and_free_runs),
        cmocka_unit_test(enough_is_free_by_now),
        cmocka_unit_test(holders_of_a_range),
        cmocka_unit_test(numbers_of_another_kind),
        cmocka_unit_test(another_core_size),
        cmocka_unit_test(workers_are_one_holder),
        cmocka_unit_test(the_worker_that_holds_the_core),
        cmocka_unit_test(what_is_sure_of_a_greedy_process),
        cmocka_unit_test(held_by_its_environment),
        cmocka_unit_test(unseen_holders),
        cmocka_unit_test(owners_not_known),
        cmocka_unit_test(more_than_there_are),
        cmocka_unit_test(chips_that_are_not_neighbours),
        cmocka_unit_test(devices_of_a_container_that_are_not_neighbours),
        cmocka_unit_test(which_side_is_old),
        cmocka_unit_test(a_range_of_one),
        cmocka_unit_test(versions_that_meet),
        cmocka_unit_test(missing_features),
        cmocka_unit_test(which_core_is_full),
        cmocka_unit_test(whether_the_failed_process_is_here),
        cmocka_unit_test(of_two_containers_none_is_known),
        cmocka_unit_test(a_process_of_another_instance),
        cmocka_unit_test(a_chip_of_another_host),
        cmocka_unit_test(statuses_by_meaning),
        cmocka_unit_test(hardware_by_type),
        cmocka_unit_test(health_of_the_chip),
        cmocka_unit_test(holders_are_not_named_when_nobody_looked),
        cmocka_unit_test(causes_apart),
        cmocka_unit_test(the_cause_that_holds),
        cmocka_unit_test(a_recording_tells_of_no_absence),
        cmocka_unit_test(nothing_to_do_any_more),
        cmocka_unit_test(what_holds_the_module),
        cmocka_unit_test(output_from_elsewhere),
        cmocka_unit_test(hostile_values_on_a_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
