// SPDX-License-Identifier: Apache-2.0
// The rules about cores that are held and asked for: each fires where it must, with the right
// words, and is silent where it must be (field cases F-06, F-08, F-25, F-28).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "must_find.h"

// As in a container that was given one core.
static void the_only_core_is_held(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.8xlarge", 0);
    host->core_count = 1;
    build_process(host, 10, "python serve.py", 0, 1);
    assert_string_equal(must_find_one(host, "cores-held")->summary,
                        "the only core is held, by PID 10 (serve.py)");
    host_free(host);
}

static void all_cores_held(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.8xlarge", 0);
    build_process(host, 10, "python serve.py", 0, 1);
    assert_int_equal(count_of(host, "cores-held"), 0);
    struct process *process = build_process(host, 11, "python other.py", 1, 1);
    process->started_unix_seconds = fact_f64(BUILD_TIME - 3600, FROM_PROC);
    process->user = "alice";
    const struct finding *finding = must_find_one(host, "cores-held");
    assert_int_equal(finding->severity, SEVERITY_INFO);
    assert_string_equal(finding->summary, "all 2 cores are held, by PID 10 (serve.py) and 1 more");
    assert_string_equal(finding->evidence[0],
                        "NC 0 held by PID 10 (serve.py), started at an unknown time");
    assert_string_equal(finding->evidence[1],
                        "NC 1 held by PID 11 (other.py), user alice, started 1h00m ago");
    assert_has(finding->remedy, "not available");
    host->cores[1].owner_count = 0;
    host->cores[1].owners_known = false; // unknown is not held
    assert_int_equal(count_of(host, "cores-held"), 0);
    host->cores[1].hidden_owners = 1;
    assert_int_equal(count_of(host, "cores-held"), 1);
    host_free(host);
}

static void all_cores_held_by_one_job(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 0);
    for (unsigned i = 0; i < 32; i++) {
        struct process *worker = build_process(host, 500 + i, "python train.py", i, 1);
        worker->launcher_pid = fact_u64(400, FROM_PROC);
        worker->launcher = "torchrun";
    }
    const struct finding *finding = must_find_one(host, "cores-held");
    assert_string_equal(finding->summary,
                        "all 32 cores are held, by 32 workers of PID 400 torchrun");
    assert_int_equal(finding->evidence_count, 1);
    host_free(host);
    host = host_new(); // of no cores not all are held
    assert_int_equal(count_of(host, "cores-held"), 0);
    host_free(host);
}

// Field case F-08: a model mapped on two cores blocks the host.
static void takes_all_and_uses_two(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.48xlarge", 0);
    struct process *process = build_process(host, 4711, "python serve.py", 0, 24);
    for (unsigned i = 0; i < 24; i++) {
        host->cores[i].logical = fact_u64(i, FROM_DERIVED);
        build_memory(host, process, i, MEM_RUNTIME_MEMORY, 40 * MIB);
        build_memory(host, process, i, MEM_TENSORS, i < 2 ? 6 * GIB : 0);
    }
    assert_int_equal(count_of(host, "takes-all-cores"), 0); // what it was told is not known
    process->environment_known = true;
    const struct finding *finding = must_find_one(host, "takes-all-cores");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_string_equal(finding->summary, "PID 4711 (serve.py) holds 24 cores, uses 2; "
                                          "NEURON_RT_VISIBLE_CORES unset");
    assert_has(finding->evidence[0], "was set at its start");
    assert_has(finding->evidence[1], "in use: NC 0-1, 12.9GiB of HBM");
    process->num_cores = "0"; // the same as not set
    assert_int_equal(count_of(host, "takes-all-cores"), 1);
    process->num_cores = "2";
    assert_int_equal(count_of(host, "takes-all-cores"), 0);
    process->num_cores = NULL;
    process->visible_cores = "0-23";
    assert_int_equal(count_of(host, "takes-all-cores"), 0);
    process->visible_cores = NULL;
    for (unsigned i = 2; i < 13; i++)
        build_utilization(host, process, i, 30);
    assert_int_equal(count_of(host, "takes-all-cores"), 0); // more than half of them
    host_free(host);
}

// By the driver alone: it has every chip open, and memory on a few physical cores.
static void takes_all_by_open_chips(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.3xlarge", 1);
    struct process *process = build_process(host, 4711, "python serve.py", 0, 2);
    host->numbering = NUMBERING_PHYSICAL;
    host->hardware.lnc = fact_u64(2, FROM_TABLE);
    process->environment_known = true;
    for (unsigned i = 0; i < 2; i++) {
        host->cores[i].logical = fact_u64(3, FROM_DERIVED);
        build_memory(host, process, i, MEM_TENSORS, GIB);
    }
    assert_has(must_find_one(host, "takes-all-cores")->summary, "holds 4 cores, uses 1;");
    host->cores[0].logical = host->cores[1].logical = (struct fact_u64){0};
    assert_has(must_find_one(host, "takes-all-cores")->summary, "holds 8 physical cores, uses 2;");
    build_process(host, 4712, "python other.py", 5, 1); // then the first has not taken all
    assert_int_equal(count_of(host, "takes-all-cores"), 0);
    host_free(host);
}

static void starting_takes_nothing_yet(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.xlarge", 0);
    struct process *process = build_process(host, 4711, "python serve.py", 0, 2);
    process->environment_known = true;
    build_memory(host, process, 0, MEM_RUNTIME_MEMORY, 40 * MIB);
    build_memory(host, process, 0, MEM_TENSORS, 0);
    assert_int_equal(count_of(host, "takes-all-cores"), 0);
    build_memory(host, process, 0, MEM_TENSORS, 1);
    assert_int_equal(count_of(host, "takes-all-cores"), 1); // one of two
    host_free(host);
}

// A process with this in its environment on a host of TYPE; the summary of the one finding.
static void invalid(const char *type, unsigned lnc, const char *visible, const char *number,
                    const char *summary)
{
    struct host *host = build_host(type, lnc);
    struct process *process = build_process(host, 42, "python job.py", 0, 0);
    process->environment_known = true;
    process->visible_cores = visible;
    process->num_cores = number;
    if (summary == NULL) {
        if (count_of(host, "visible-cores-invalid") != 0)
            fail_msg("%s LNC %u %s %s: %s", type, lnc, visible, number,
                     must_find_one(host, "visible-cores-invalid")->summary);
    } else {
        const struct finding *finding = must_find_one(host, "visible-cores-invalid");
        assert_int_equal(finding->severity, SEVERITY_WARNING);
        assert_string_equal(finding->subject, "PID 42 (job.py)");
        assert_string_equal(finding->summary, summary);
        assert_has(finding->evidence[0], visible != NULL ? visible : number);
    }
    host_free(host);
}

static void visible_cores_grammar(void **state)
{
    (void)state;
    invalid("inf2.48xlarge", 0, NULL, NULL, NULL);
    invalid("inf2.48xlarge", 0, "4", NULL, NULL);
    invalid("inf2.48xlarge", 0, "7-15", NULL, NULL);
    invalid("inf2.48xlarge", 0, "0,1,2,3", NULL, NULL);
    invalid("inf2.48xlarge", 0, "4-7,0,1-3", NULL, NULL); // in any order
    invalid("inf2.48xlarge", 0, "0-", NULL,
            "PID 42 (job.py): NEURON_RT_VISIBLE_CORES='0-': byte 3: a number is missing");
    invalid("inf2.48xlarge", 0, "0-3;8", NULL,
            "PID 42 (job.py): NEURON_RT_VISIBLE_CORES='0-3;8': byte 4: a comma is expected");
    invalid("inf2.48xlarge", 0, "7-4", NULL,
            "PID 42 (job.py): NEURON_RT_VISIBLE_CORES='7-4': byte 1: the range runs backwards");
    invalid("inf2.48xlarge", 0, "nc0", NULL,
            "PID 42 (job.py): NEURON_RT_VISIBLE_CORES='nc0': byte 1: this is not a number");
}

static void visible_cores_range(void **state)
{
    (void)state;
    invalid("inf2.48xlarge", 0, "0-23", NULL, NULL);
    invalid("inf2.48xlarge", 0, "0-31", NULL,
            "PID 42 (job.py): NEURON_RT_VISIBLE_CORES names NC 24-31, but the last one here is 23");
    invalid("trn2.48xlarge", 2, "63", NULL, NULL);
    invalid("trn2.48xlarge", 2, "64", NULL,
            "PID 42 (job.py): NEURON_RT_VISIBLE_CORES names NC 64, but the last one here is 63");
    invalid("trn2.48xlarge", 1, "127", NULL, NULL);
    // field case F-28: a trn2.3xlarge has one chip of four logical cores
    invalid("trn2.3xlarge", 2, "0-7", NULL,
            "PID 42 (job.py): NEURON_RT_VISIBLE_CORES names NC 4-7, but the last one here is 3");
    struct host *host = build_host("trn2.3xlarge", 2);
    struct process *process = build_process(host, 42, "python job.py", 0, 0);
    process->visible_cores = "0-7";
    process->lnc = fact_u64(1, FROM_PROC); // it counts its own way
    assert_int_equal(count_of(host, "visible-cores-invalid"), 0);
    host->hardware.lnc = process->lnc = (struct fact_u64){0}; // nobody knows
    assert_int_equal(count_of(host, "visible-cores-invalid"), 0);
    process->visible_cores = "0-8"; // too many in any case
    assert_int_equal(count_of(host, "visible-cores-invalid"), 1);
    host_free(host);
}

static void visible_cores_gaps(void **state)
{
    (void)state;
    invalid("inf2.48xlarge", 0, "0,2", NULL,
            "PID 42 (job.py): NEURON_RT_VISIBLE_CORES: NC 0,2 are not contiguous");
    invalid("trn2.48xlarge", 2, "0-3,8-11", NULL,
            "PID 42 (job.py): NEURON_RT_VISIBLE_CORES: NC 0-3,8-11 are not contiguous");
    invalid("trn2.48xlarge", 2, "0-1", NULL, NULL); // named cores need not be whole chips
}

static void number_of_cores(void **state)
{
    (void)state;
    invalid("inf2.48xlarge", 0, NULL, "3", NULL);
    invalid("inf2.48xlarge", 0, NULL, "0", NULL);
    invalid("inf2.48xlarge", 0, NULL, "32",
            "PID 42 (job.py): NEURON_RT_NUM_CORES=32: there are only 24 logical cores here (12 "
            "chips of 2)");
    invalid("inf2.48xlarge", 0, NULL, "two",
            "PID 42 (job.py): NEURON_RT_NUM_CORES=two: this is no number of cores");
    invalid("inf2.48xlarge", 0, NULL, "-1",
            "PID 42 (job.py): NEURON_RT_NUM_CORES=-1: this is no number of cores");
    invalid("trn2.48xlarge", 2, NULL, "1", NULL);
    invalid("trn2.48xlarge", 2, NULL, "8", NULL);
    invalid("trn2.48xlarge", 2, NULL, "2",
            "PID 42 (job.py): NEURON_RT_NUM_CORES=2: on Trainium2 it is one core or whole chips "
            "of 4");
    invalid("trn2.48xlarge", 1, NULL, "4",
            "PID 42 (job.py): NEURON_RT_NUM_CORES=4: on Trainium2 it is one core or whole chips "
            "of 8");
    invalid("trn2.48xlarge", 2, "0-1", "2", NULL); // the other variable wins
}

static void workers_are_told_of_once(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 0);
    for (unsigned i = 0; i < 32; i++) {
        struct process *worker = build_process(host, 500 + i, "python train.py", i, 1);
        worker->launcher_pid = fact_u64(400, FROM_PROC);
        worker->visible_cores = "0-";
    }
    assert_int_equal(count_of(host, "visible-cores-invalid"), 1);
    host->processes[3].launcher_pid = (struct fact_u64){0};
    assert_int_equal(count_of(host, "visible-cores-invalid"), 2);
    host_free(host);
}

static void hostile_value(void **state)
{
    (void)state;
    static char value[300];
    memset(value, '9', sizeof(value) - 1);
    struct host *host = build_host("trn1.32xlarge", 0);
    build_process(host, 42, "job", 0, 0)->visible_cores = value;
    const struct finding *finding = must_find_one(host, "visible-cores-invalid");
    assert_true(strlen(finding->summary) < 200);
    assert_has(finding->summary, "byte 1: the index is above 4095");
    host_free(host);
}

// Field case F-25.
static void devices_with_a_gap(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.24xlarge", 0);
    host->chip_count = 2;
    assert_int_equal(count_of(host, "visible-cores-invalid"), 0);
    host->chips[1].index = 2;
    host->chips[1].node = "neuron1";
    const struct finding *finding = must_find_one(host, "visible-cores-invalid");
    assert_string_equal(finding->summary, "devices 0,2 given: not contiguous");
    assert_string_equal(finding->evidence[0], "/dev/neuron1 is device 2 of the host"); // F-24
    host_free(host);
}

static void give(const struct host *host, struct process *process, unsigned first, unsigned second)
{
    struct core_set *given = ARENA_NEW(host->arena, struct core_set);
    core_set_add(given, first);
    core_set_add(given, second);
    process->given = given;
}

// F-25: not neutop's own container but that of a process
static void devices_of_a_process_with_gaps(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 0);
    struct process *process = build_process(host, 7, "python train.py", 0, 4);
    give(host, process, 0, 1);
    process->visible_devices = "0,1";
    assert_int_equal(count_of(host, "visible-cores-invalid"), 0);
    give(host, process, 0, 2);
    process->visible_devices = "0,2";
    process->pod = "bert-0";
    core_set_add(&process->chips, 2); // chips 0, 1 and 2 are open: it goes well as it is
    assert_int_equal(must_find(host, "visible-cores-invalid")->severity, SEVERITY_INFO);
    core_set_clear(&process->chips);
    core_set_add(&process->chips, 0);
    core_set_add(&process->chips, 2);
    const struct finding *finding = must_find(host, "visible-cores-invalid");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_string_equal(finding->subject, "PID 7 (train.py)");
    assert_string_equal(finding->summary, "PID 7 (train.py): devices 0,2 given: not contiguous");
    assert_int_equal(finding->evidence_count, 3);
    assert_string_equal(finding->evidence[0], "AWS_NEURON_VISIBLE_DEVICES=0,2 at its start");
    assert_string_equal(finding->evidence[1],
                        "in /dev of its container are the nodes of devices 0,2");
    assert_string_equal(finding->evidence[2], "pod bert-0");
    assert_has(finding->remedy, "scheduler extension");
    // the environment alone, where the container cannot be looked into; outside of any it is
    // nothing
    process->given = NULL;
    process->pod = NULL;
    assert_int_equal(count_of(host, "visible-cores-invalid"), 0);
    process->container = "server";
    finding = must_find(host, "visible-cores-invalid");
    assert_has(finding->summary, "devices 0,2 given: not contiguous");
    assert_string_equal(finding->evidence[1], "what is in /dev of its container cannot be seen");
    static const char *const fine[] = {"ALL", "all", "0", "3-5", "2,1,3", "x", "0-", ""};
    for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++) {
        process->visible_devices = fine[i];
        assert_int_equal(count_of(host, "visible-cores-invalid"), 0);
    }
    // the nodes have the last word
    process->visible_devices = "0,2";
    give(host, process, 4, 5);
    assert_int_equal(count_of(host, "visible-cores-invalid"), 0);
    host_free(host);
}

static void one_container_is_told_of_once(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 0);
    struct process *first = build_process(host, 7, "a", 0, 2);
    struct process *second = build_process(host, 8, "b", 4, 2);
    give(host, first, 0, 2);
    give(host, second, 0, 2);
    assert_int_equal(count_of(host, "visible-cores-invalid"), 2);
    first->container_id = "0123456789ab";
    second->container_id = "0123456789ab";
    assert_int_equal(count_of(host, "visible-cores-invalid"), 1);
    second->container_id = "fedcba987654";
    assert_int_equal(count_of(host, "visible-cores-invalid"), 2);
    give(host, second, 4, 5);
    first->state = PROCESS_GONE;
    assert_int_equal(count_of(host, "visible-cores-invalid"), 0);
    host_free(host);
    // neutop in that container itself: told of once, by its own chips
    host = build_host("inf2.24xlarge", 0);
    host->chip_count = 2;
    host->chips[1].index = 2;
    give(host, build_process(host, 7, "a", 0, 2), 0, 2);
    assert_string_equal(must_find(host, "visible-cores-invalid")->summary,
                        "devices 0,2 given: not contiguous");
    host_free(host);
}

static struct process *asker(struct host *host, uint64_t pid, const char *visible)
{
    struct process *process = build_process(host, pid, "python job.py", 0, 0);
    process->environment_known = true;
    process->visible_cores = visible;
    return process;
}

static void two_ask_for_the_same(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 2);
    struct process *first = build_process(host, 10, "python a.py", 0, 8);
    first->visible_cores = "0-7";
    first->certainty = CERTAINTY_ENVIRONMENT;
    struct process *second = asker(host, 11, "4-11");
    second->user = "bob";
    const struct finding *finding = must_find_one(host, "cores-overlap");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_string_equal(finding->subject, "NC 4-7");
    assert_string_equal(finding->summary, "NC 4-7 asked for by PID 10 (a.py) and PID 11 (job.py)");
    assert_string_equal(finding->evidence[0],
                        "PID 10 (a.py): NEURON_RT_VISIBLE_CORES=0-7 at its start, holds NC 0-7");
    assert_string_equal(
        finding->evidence[1],
        "PID 11 (job.py): NEURON_RT_VISIBLE_CORES=4-11 at its start, holds none, user bob");
    asker(host, 12, "0");
    assert_has(must_find_one(host, "cores-overlap")->summary, "NC 0,4-7 asked for by");
    assert_has(must_find_one(host, "cores-overlap")->summary, "and 1 more");
    host_free(host);
}

static void no_overlap(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 2);
    struct process *first = asker(host, 10, "0-3"), *second = asker(host, 11, "4-7");
    assert_int_equal(count_of(host, "cores-overlap"), 0);
    second->visible_cores = "0-3";
    assert_int_equal(count_of(host, "cores-overlap"), 1);
    second->visible_cores = "0-"; // told by another rule
    assert_int_equal(count_of(host, "cores-overlap"), 0);
    second->visible_cores = NULL;
    assert_int_equal(count_of(host, "cores-overlap"), 0);
    second->visible_cores = "3";
    second->ppid = fact_u64(10, FROM_PROC); // a child inherits its parent's environment
    assert_int_equal(count_of(host, "cores-overlap"), 0);
    second->ppid = fact_u64(9, FROM_PROC);
    first->ppid = fact_u64(9, FROM_PROC); // two commands of one shell are two jobs
    assert_int_equal(count_of(host, "cores-overlap"), 1);
    first->launcher_pid = second->launcher_pid = fact_u64(9, FROM_PROC); // two workers are one
    assert_int_equal(count_of(host, "cores-overlap"), 0);
    first->launcher_pid = (struct fact_u64){0};
    second->container = "0123456789ab"; // there NC 3 may be another core
    assert_int_equal(count_of(host, "cores-overlap"), 0);
    first->container = "0123456789ab";
    assert_int_equal(count_of(host, "cores-overlap"), 1);
    second->lnc = fact_u64(1, FROM_PROC); // counted in another way
    assert_int_equal(count_of(host, "cores-overlap"), 0);
    host_free(host);
}

// What both are seen to hold is known better than what stood in their environment.
static void overlap_on_paper_only(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 2);
    struct process *first = build_process(host, 10, "a", 0, 1);
    struct process *second = build_process(host, 11, "b", 1, 1);
    first->visible_cores = second->visible_cores = "0-3";
    first->certainty = second->certainty = CERTAINTY_EXACT;
    assert_int_equal(count_of(host, "cores-overlap"), 0);
    second->certainty = CERTAINTY_ENVIRONMENT;
    assert_int_equal(count_of(host, "cores-overlap"), 1);
    core_set_clear(&second->chips);
    core_set_add(&second->chips, 5); // it has another chip open
    assert_int_equal(count_of(host, "cores-overlap"), 0);
    host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_only_core_is_held),
        cmocka_unit_test(all_cores_held),
        cmocka_unit_test(all_cores_held_by_one_job),
        cmocka_unit_test(takes_all_and_uses_two),
        cmocka_unit_test(takes_all_by_open_chips),
        cmocka_unit_test(devices_of_a_process_with_gaps),
        cmocka_unit_test(one_container_is_told_of_once),
        cmocka_unit_test(starting_takes_nothing_yet),
        cmocka_unit_test(visible_cores_grammar),
        cmocka_unit_test(visible_cores_range),
        cmocka_unit_test(visible_cores_gaps),
        cmocka_unit_test(number_of_cores),
        cmocka_unit_test(workers_are_told_of_once),
        cmocka_unit_test(hostile_value),
        cmocka_unit_test(devices_with_a_gap),
        cmocka_unit_test(two_ask_for_the_same),
        cmocka_unit_test(no_overlap),
        cmocka_unit_test(overlap_on_paper_only),
    };
    return cmocka_run_group_tests_name("check cores", tests, NULL, NULL);
}
