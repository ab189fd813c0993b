// SPDX-License-Identifier: Apache-2.0
// What a job is: each kind, which of several counts, parents in circles, sums, thousands.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/arena.h"
#include "host/job.h"

// COUNT processes with PIDs from 101 on, children of init, each with a core and 100 bytes.
static struct host *host_of(unsigned count)
{
    struct host *host = host_new();
    host->process_count = count;
    host->processes = ARENA_ARRAY(host->arena, count, struct process);
    for (unsigned i = 0; i < count; i++) {
        struct process *process = &host->processes[i];
        process->pid = fact_u64(101 + i, FROM_PROC);
        process->ppid = fact_u64(1, FROM_PROC);
        process->command = "python3 serve.py";
        process->memory_device_bytes = fact_u64(100, FROM_MONITOR);
        core_set_add(&process->cores, i);
    }
    return host;
}

static void start(struct host *host, unsigned index, uint64_t launcher, const char *name)
{
    host->processes[index].launcher_pid = fact_u64(launcher, FROM_PROC);
    host->processes[index].launcher = name;
}

static void expect_text(const struct host *host, const struct jobs *jobs, unsigned process,
                        const char *wanted)
{
    char text[JOB_TEXT];
    assert_string_equal(job_text(host, &jobs->items[jobs->of[process]], text), wanted);
}

static void each_kind(void **state)
{
    static const struct {
        enum job_kind kind;
        const char *word, *text;
    } wanted[] = {
        {JOB_LAUNCHER, "launcher", "2 workers of PID 31207 torchrun"},
        {JOB_PARENT, "parent", "1 worker of PID 103 serve.py"},
        {JOB_TAG, "tag", "2 processes tagged night"},
        {JOB_SERVICE, "service", "2 processes of service vllm.service"},
        {JOB_POD, "pod", "2 processes of pod web-0"},
        {JOB_CONTAINER, "container", "2 processes of container 3f2a9c81d0e4"},
        {JOB_PROCESS, "process", "PID 113 (serve.py)"},
    };
    struct host *host = host_of(13);
    (void)state;
    start(host, 0, 31207, "torchrun");
    start(host, 1, 31207, "torchrun");
    host->processes[3].ppid = fact_u64(103, FROM_PROC);
    for (unsigned i = 0; i < 2; i++) {
        host->processes[4 + i].tag = "night";
        host->processes[6 + i].launcher = "vllm.service";
        host->processes[8 + i].pod = "web-0";
        host->processes[8 + i].container = i == 0 ? "aaaaaaaaaaaa" : "bbbbbbbbbbbb";
        host->processes[10 + i].container = "3f2a9c81d0e4";
    }
    const struct jobs jobs = jobs_of(host);
    assert_int_equal(jobs.count, 7);
    for (unsigned i = 0; i < 7; i++) {
        assert_int_equal(jobs.items[i].kind, wanted[i].kind);
        assert_string_equal(job_kind_word(jobs.items[i].kind), wanted[i].word);
        assert_int_equal(jobs.items[i].count, i < 6 ? 2 : 1);
        assert_int_equal(jobs.items[i].members[0], 2 * i);
        expect_text(host, &jobs, 2 * i, wanted[i].text);
    }
    host_free(host);
}

// All at once: who started it says more than where it runs.
static void which_counts(void **state)
{
    static const enum job_kind order[] = {JOB_LAUNCHER, JOB_PARENT,    JOB_TAG,    JOB_SERVICE,
                                          JOB_POD,      JOB_CONTAINER, JOB_PROCESS};
    struct host *host = host_of(3);
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct process *process = &host->processes[i];
        start(host, i, 90, "mpirun");
        process->ppid = fact_u64(103, FROM_PROC);
        process->tag = "night";
        process->pod = "web-0";
        process->container = "3f2a9c81d0e4";
    }
    for (unsigned step = 0; step < 7; step++) {
        struct jobs jobs = jobs_of(host);
        assert_int_equal(jobs.items[jobs.of[0]].kind, order[step]);
        assert_true((jobs.of[0] == jobs.of[1]) == (order[step] != JOB_PROCESS));
        for (unsigned i = 0; i < 2; i++) {
            struct process *process = &host->processes[i];
            switch (order[step]) {
            case JOB_LAUNCHER:
                process->launcher_pid = (struct fact_u64){0};
                process->launcher = "vllm.service";
                break;
            case JOB_PARENT:
                process->ppid = fact_u64(1, FROM_PROC);
                break;
            case JOB_TAG:
                process->tag = i == 0 ? "101" : "102"; // only the PID again
                break;
            case JOB_SERVICE:
                process->launcher = NULL;
                break;
            case JOB_POD:
                process->pod = NULL;
                break;
            default:
                process->container = NULL;
            }
        }
    }
    host_free(host);
}

// Pods of one name in two namespaces are two; a launcher that holds cores is of its own job.
static void what_is_apart_and_what_is_not(void **state)
{
    struct host *host = host_of(4);
    (void)state;
    host->processes[0].pod = host->processes[1].pod = "web-0";
    host->processes[0].pod_namespace = "shop";
    host->processes[1].pod_namespace = "test";
    start(host, 3, 103, "torchrun");
    struct jobs jobs = jobs_of(host);
    assert_int_equal(jobs.count, 3);
    assert_int_not_equal(jobs.of[0], jobs.of[1]);
    assert_int_equal(jobs.of[2], jobs.of[3]);
    assert_int_equal(jobs.items[jobs.of[2]].leader, 2);
    expect_text(host, &jobs, 2, "1 worker of PID 103 torchrun");
    host->processes[0].pid = host->processes[1].pid = (struct fact_u64){0};
    host->processes[0].pod = host->processes[1].pod = NULL;
    host->processes[2].ppid = host->processes[3].launcher_pid = (struct fact_u64){0};
    for (unsigned i = 2; i < 4; i++) { // two containers that have one name
        host->processes[i].launcher = NULL;
        host->processes[i].container = "server";
        host->processes[i].container_id = i == 2 ? "aaaaaaaaaaaa" : "bbbbbbbbbbbb";
    }
    jobs = jobs_of(host); // two neuron-rtd without PIDs are two
    assert_int_not_equal(jobs.of[0], jobs.of[1]);
    assert_int_not_equal(jobs.of[2], jobs.of[3]);
    host->processes[3].container_id = "aaaaaaaaaaaa";
    jobs = jobs_of(host);
    assert_int_equal(jobs.of[2], jobs.of[3]);
    expect_text(host, &jobs, 2, "2 processes of container server");
    host_free(host);
}

// Its own parent, two that are each other's, a ring of three that is entered from a tail: nothing
// hangs, and every ring with its tail is one job led by its smallest PID.
static void parents_in_circles(void **state)
{
    static const uint64_t parents[] = {101, 103, 102, 105, 106, 104, 106, 107};
    struct host *host = host_of(8);
    (void)state;
    for (unsigned turn = 0; turn < 8; turn++) { // whichever comes first
        for (unsigned i = 0; i < 8; i++) {
            unsigned at = (i + turn) % 8;
            host->processes[i].pid = fact_u64(101 + at, FROM_PROC);
            host->processes[i].ppid = fact_u64(parents[at], FROM_PROC);
        }
        const struct jobs jobs = jobs_of(host);
        assert_int_equal(jobs.count, 3);
        for (unsigned i = 0; i < 8; i++) {
            const struct job *job = &jobs.items[jobs.of[i]];
            unsigned at = (i + turn) % 8;
            assert_int_equal(job->count, at == 0 ? 1 : at < 3 ? 2 : 5);
            assert_int_equal(job->pid.value, at == 0 ? 101 : at < 3 ? 102 : 104);
        }
    }
    host_free(host);
}

static bool is_large(const struct process *process)
{
    return process->memory_device_bytes.value >= 100;
}

static bool is_none(const struct process *process)
{
    return process->pid.value == 0;
}

static void summed_once(void **state)
{
    struct host *host = host_of(5);
    unsigned count;
    char text[JOB_TEXT];
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        start(host, i, 31207, "torchrun");
        core_set_add(&host->processes[i].cores, 0); // one that they share
        host->processes[i].idle_seconds = fact_f64(100 - 10 * i, FROM_DERIVED);
        host->processes[i].started_unix_seconds = fact_f64(1000 + i, FROM_PROC);
    }
    host->processes[3].memory_device_bytes = fact_u64(1, FROM_MONITOR);
    const struct jobs jobs = jobs_of(host);
    assert_null(job_parts(host, &jobs, is_none, &count));
    assert_int_equal(count, 0);
    const struct job_part *parts = job_parts(host, &jobs, is_large, &count);
    assert_int_equal(count, 2);
    assert_int_equal(parts[0].members, 3);
    assert_int_equal(core_set_count(&parts[0].cores), 3);
    assert_int_equal(parts[0].memory_device_bytes.value, 300);
    assert_int_equal((int)parts[0].idle_seconds.value, 80);
    assert_int_equal((int)parts[0].started_unix_seconds.value, 1000);
    assert_string_equal(job_part_text(&parts[0], text), "3 workers of PID 31207 torchrun");
    assert_string_equal(job_part_text(&parts[1], text), "PID 105 (serve.py)");
    host_free(host);
}

static void pids_as_ranges(void **state)
{
    struct host *host = host_of(9);
    char text[64];
    (void)state;
    for (unsigned i = 0; i < 9; i++)
        start(host, i, 31207, "torchrun");
    host->processes[4].memory_device_bytes.value = 0;
    host->processes[6].memory_device_bytes.value = 0;
    const struct jobs jobs = jobs_of(host);
    assert_string_equal(job_pids(host, jobs.items, NULL, 4, text, sizeof(text)), "101-109");
    assert_string_equal(job_pids(host, jobs.items, is_large, 4, text, sizeof(text)),
                        "101-104, 106, 108-109");
    assert_string_equal(job_pids(host, jobs.items, is_large, 1, text, sizeof(text)),
                        "101-104 and 3 more");
    assert_string_equal(job_pids(host, jobs.items, is_none, 1, text, sizeof(text)), "");
    host_free(host);
}

static void names_of_others_are_bounded(void **state)
{
    char pod[4097];
    struct host *host = host_of(2);
    (void)state;
    memset(pod, 'x', sizeof(pod) - 1);
    pod[sizeof(pod) - 1] = '\0';
    host->processes[0].pod = host->processes[1].pod = pod;
    const struct jobs jobs = jobs_of(host);
    char text[JOB_TEXT];
    assert_true(strlen(job_text(host, jobs.items, text)) < 80);
    host_free(host);
}

// The worst trees: one chain, one ring, one fan, and nobody related, 5,000 processes each. With
// all pairs compared each would take seconds.
static void five_thousand(void **state)
{
    enum { MANY = 5000 };
    (void)state;
    for (unsigned tree = 0; tree < 4; tree++) {
        struct host *host = host_of(MANY);
        struct timespec begin, end;
        for (unsigned i = 0; i < MANY; i++) {
            uint64_t chain = i + 1 < MANY ? 102 + i : tree == 1 ? 101 : 1;
            host->processes[i].ppid = fact_u64(tree < 2             ? chain
                                               : tree == 2 && i > 0 ? 101
                                                                    : 1,
                                               FROM_PROC);
            host->processes[i].container = tree == 3 && i % 2 == 0 ? "3f2a9c81d0e4" : NULL;
        }
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
        const struct jobs jobs = jobs_of(host);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        assert_int_equal(jobs.count, tree < 3 ? 1 : MANY / 2 + 1);
        assert_int_equal(jobs.items[0].count, tree < 3 ? MANY : MANY / 2);
        double taken =
            (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
        assert_true(taken < 0.5);
        host_free(host);
    }
}

static void nobody(void **state)
{
    struct host *host = host_new();
    (void)state;
    assert_int_equal(jobs_of(host).count, 0);
    host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind),
        cmocka_unit_test(which_counts),
        cmocka_unit_test(what_is_apart_and_what_is_not),
        cmocka_unit_test(parents_in_circles),
        cmocka_unit_test(summed_once),
        cmocka_unit_test(pids_as_ranges),
        cmocka_unit_test(names_of_others_are_bounded),
        cmocka_unit_test(five_thousand),
        cmocka_unit_test(nobody),
    };
    return cmocka_run_group_tests_name("job", tests, NULL, NULL);
}
