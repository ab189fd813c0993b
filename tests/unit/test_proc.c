// SPDX-License-Identifier: Apache-2.0
// Owners by /proc on captured trees: who holds which chips and cores, how surely, and what is said
// when it cannot be seen (driver reference 3.2; field cases F-06, F-08, F-16, F-24).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_host.h"
#include "proc_tree.h"

#define RW "0100002"
#define WO "0100001"
#define ENVIRONMENT(pid, text) tree_environment(pid, text, sizeof(text))

static unsigned set_is(const struct core_set *set, const char *text)
{
    char shown[256];
    return strcmp(core_set_format(set, shown, sizeof(shown)), text) == 0;
}

static const struct process *must_find(const struct host *host, int pid)
{
    const struct process *process = tree_find(host, pid);
    if (process == NULL)
        fail_msg("PID %d is missing", pid);
    return process;
}

// The two workloads that a running driver's tree holds (driver reference, section 11): 167 has all
// cores of chips 0 to 7, 168 core 0 of chips 8 to 11; 14 handles, use count 28.
static void captured_workloads(void)
{
    tree_process(167, 1, "S", "/bin/fakeworkload 0 8 8 2.29.41000 0.6 2.0");
    tree_process(168, 1, "S", "/bin/fakeworkload 8 4 1 2.22.19000 0.6 1.0 nolock");
    tree_text("/proc/167/status", "Uid:\t0\t0\t0\t0\nNSpid:\t167\n");
    tree_handle(167, 3, 0, NULL);
    tree_handle(168, 3, 0, NULL); // the capture has no fdinfo, but 168 maps only 8 to 11
    tree_text("/proc/168/maps",
              "7fd8f0452000-7fd8f0492000 rw-s 40000fd80000 00:05 106        /dev/neuron11\n"
              "7fd8f0492000-7fd8f04d2000 rw-s 40001de40000 00:05 114        /dev/neuron10\n"
              "7fd8f04d2000-7fd8f0512000 rw-s 40001c440000 00:05 113        /dev/neuron9\n"
              "7fd8f0512000-7fd8f0552000 rw-s 40000e400000 00:05 105        /dev/neuron8\n");
    for (unsigned i = 0; i < 8; i++)
        tree_handle(167, (int)i + 4, i, NULL);
    for (unsigned i = 8; i < 12; i++)
        tree_handle(168, (int)i - 4, i, NULL);
    tree_link("/proc/168/fd/0", "/dev/null");
    tree_link("/proc/168/fd/1", "socket:[4711]");
    tree_text("/etc/passwd",
              "root:x:0:0::/root:/bin/sh\nubuntu:x:1000:1000::/home/ubuntu:/bin/sh\n");
    tree_text("/proc/stat", "cpu 1 2 3\nbtime 1764531971\n");
    tree_references(28);
}

static struct host *captured_host(void)
{
    struct host *host = tree_host("trn2.48xlarge");
    for (unsigned core = 0; core < 64; core++)
        tree_use(host, core, 600 * MIB);
    for (unsigned chip = 8; chip < 12; chip++)
        tree_use(host, chip * 8, 512 * MIB);
    return host;
}

static void processes_of_a_captured_tree(void **state)
{
    (void)state;
    captured_workloads();
    struct proc *proc = tree_reader();
    struct host *host = captured_host();
    proc_read(proc, 100);
    tree_fill(proc, host, 100);
    assert_int_equal(host->process_count, 2);
    const struct process *first = must_find(host, 167), *second = must_find(host, 168);
    assert_string_equal(first->command, "/bin/fakeworkload 0 8 8 2.29.41000 0.6 2.0");
    assert_string_equal(first->user, "root");
    assert_string_equal(second->user, "ubuntu");
    assert_int_equal(first->state, PROCESS_SLEEPING);
    assert_float_equal(first->started_unix_seconds.value, 1764531971 + 7.87, 0.001);
    assert_int_equal(first->resident_bytes.value, 25 * (uint64_t)4096);
    assert_false(first->environment_known);
    assert_false(known_f64(first->cpu_user_percent)); // one reading gives no rate
    assert_true(set_is(&first->chips, "0-7"));
    assert_true(set_is(&second->chips, "8-11")); // not 0: it only asked there
    host_free(host);
    proc_free(proc);
}

static void cores_of_a_captured_tree(void **state)
{
    (void)state;
    captured_workloads();
    struct proc *proc = tree_reader();
    struct host *host = captured_host();
    proc_read(proc, 100);
    tree_fill(proc, host, 100);
    const struct process *first = must_find(host, 167), *second = must_find(host, 168);
    assert_int_equal(first->certainty, CERTAINTY_EXACT);
    assert_true(set_is(&first->cores, "0-63"));
    assert_int_equal(first->memory_device_bytes.value, 64 * 600 * MIB);
    assert_int_equal(first->memory[MEM_TENSORS].value, 64 * 600 * MIB);
    assert_true(set_is(&second->cores, "64,72,80,88"));
    assert_int_equal(second->memory_device_bytes.value, 4 * 512 * MIB);
    assert_int_equal(host->chips[3].owner_count, 1);
    assert_int_equal(host->chips[12].owner_count, 0);
    assert_int_equal(core_state(&host->cores[5]), CORE_HELD);
    assert_int_equal(core_state(&host->cores[65]), CORE_UNKNOWN); // 168 may have it or not
    assert_int_equal(core_state(&host->cores[96]), CORE_FREE);    // nobody has chip 12
    assert_int_equal(host->unseen_handles.value, 0);
    struct findings findings = check_run(host);
    assert_int_equal(count_findings(&findings, "holder-unseen"), 0);
    host_free(host);
    proc_free(proc);
}

static void asking_is_no_owning(void **state)
{
    (void)state;
    tree_process(50, 1, "S", "neutop");
    tree_handle(50, 3, 2, WO);
    tree_references(2);
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn1.32xlarge");
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    const struct process *process = must_find(host, 50);
    assert_true(process->bystander);
    assert_true(core_set_empty(&process->chips));
    assert_int_equal(process->certainty, CERTAINTY_UNKNOWN);
    assert_int_equal(host->chips[2].owner_count, 0);
    assert_int_equal(core_state(&host->cores[4]), CORE_FREE);
    host_free(host);
    proc_free(proc);
}

// Two workers a chip, as on a trn1n with one process a core.
static void environment_parts_a_chip(void **state)
{
    (void)state;
    tree_process(60, 1, "S", "python3 train.py --rank 0");
    tree_process(61, 1, "R", "python3 train.py --rank 1");
    tree_handle(60, 5, 1, RW);
    tree_handle(61, 5, 1, RW);
    ENVIRONMENT(60, "SECRET=x\0NEURON_RT_VISIBLE_CORES=2\0NEURON_PROCESS_TAG=rank0");
    ENVIRONMENT(61, "NEURON_RT_VISIBLE_CORES=3\0NEURON_RT_NUM_CORES=1");
    tree_references(4);
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn1.32xlarge");
    tree_use(host, 2, 7 * GIB);
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    const struct process *first = must_find(host, 60), *second = must_find(host, 61);
    assert_int_equal(first->certainty, CERTAINTY_ENVIRONMENT);
    assert_true(set_is(&first->cores, "2"));
    assert_true(set_is(&second->cores, "3"));
    assert_string_equal(first->visible_cores, "2");
    assert_string_equal(first->tag, "rank0");
    assert_string_equal(second->num_cores, "1");
    assert_true(second->environment_known);
    assert_int_equal(first->memory_device_bytes.value, 7 * GIB);
    assert_int_equal(second->state, PROCESS_RUNNING);
    assert_int_equal(host->cores[3].owner_count, 1);
    host_free(host);
    proc_free(proc);
}

static void shared_without_environment(void **state)
{
    (void)state;
    tree_process(60, 1, "S", "a");
    tree_process(61, 1, "S", "b");
    tree_handle(60, 5, 1, RW);
    tree_handle(61, 6, 1, RW);
    tree_references(4);
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn1.32xlarge");
    tree_use(host, 2, GIB);
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    assert_int_equal(must_find(host, 60)->certainty, CERTAINTY_CHIP);
    assert_true(core_set_empty(&must_find(host, 60)->cores));
    assert_false(known_u64(must_find(host, 60)->memory_device_bytes));
    assert_int_equal(host->chips[1].owner_count, 2);
    assert_int_equal(core_state(&host->cores[2]), CORE_HELD); // by one of the two
    assert_int_equal(host->cores[2].owner_count, 0);
    assert_int_equal(core_state(&host->cores[3]), CORE_UNKNOWN);
    assert_false(host->chips[1].held_unseen);
    host_free(host);
    proc_free(proc);
}

// Physical cores have another order than logical ones on Trainium2: whole chips can be placed
// without the driver's table, parts of one cannot.
static void logical_cores_on_trainium2(void **state)
{
    (void)state;
    tree_process(70, 1, "S", "whole");
    tree_process(71, 1, "S", "part");
    tree_process(72, 1, "S", "part");
    tree_handle(70, 5, 0, RW);
    tree_handle(71, 5, 1, RW);
    tree_handle(72, 5, 1, RW);
    tree_references(6);
    ENVIRONMENT(70, "NEURON_RT_VISIBLE_CORES=0-3\0NEURON_LOGICAL_NC_CONFIG=2");
    ENVIRONMENT(71, "NEURON_RT_VISIBLE_CORES=4-5");
    ENVIRONMENT(72, "NEURON_RT_VISIBLE_CORES=6-7");
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn2.48xlarge");
    for (unsigned i = 8; i < 15; i++)
        tree_use(host, i, GIB);
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    assert_int_equal(must_find(host, 70)->certainty, CERTAINTY_ENVIRONMENT);
    assert_true(set_is(&must_find(host, 70)->cores, "0-7"));
    assert_int_equal(must_find(host, 71)->certainty, CERTAINTY_CHIP);
    assert_true(core_set_empty(&must_find(host, 71)->cores));
    assert_int_equal(core_state(&host->cores[9]), CORE_HELD);
    assert_int_equal(core_state(&host->cores[15]), CORE_UNKNOWN); // one of the two has it
    assert_int_equal(must_find(host, 70)->lnc.value, 2);
    assert_false(known_u64(host->hardware.lnc)); // what a process asks for is its own
    host_free(host);
    proc_free(proc);
}

// A process counts with its own size; the others, and the host, with the host's setting.
static void each_counts_with_its_own_size(void **state)
{
    (void)state;
    tree_text("/opt/aws/neuron/logical_nc_config", "NEURON_LOGICAL_NC_CONFIG=2");
    tree_process(70, 1, "S", "one");
    tree_process(71, 1, "S", "two");
    tree_process(72, 1, "S", "other");
    tree_handle(70, 5, 1, RW);
    tree_handle(71, 5, 2, RW);
    tree_handle(72, 5, 1, RW);
    tree_handle(72, 6, 2, RW);
    tree_references(8);
    ENVIRONMENT(70, "NEURON_RT_VISIBLE_CORES=8-15\0NEURON_LOGICAL_NC_CONFIG=1");
    ENVIRONMENT(71, "NEURON_RT_VISIBLE_CORES=8-11");
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn2.48xlarge");
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    assert_true(set_is(&must_find(host, 70)->cores, "8-15"));
    assert_true(set_is(&must_find(host, 71)->cores, "16-23"));
    assert_false(known_u64(host->hardware.lnc));
    host_free(host);
    proc_free(proc);
}

// Device 1 of the driver's table: 2 3 0 1 4 5 6 7 (driver reference 5.4).
static void logical_cores_through_the_core_map(void **state)
{
    (void)state;
    static const unsigned rows[2][8] = {{4, 5, 6, 7, 2, 3, 0, 1}, {2, 3, 0, 1, 4, 5, 6, 7}};
    struct core_place places[128];
    for (unsigned i = 0; i < 128; i++)
        places[i] = (struct core_place){.chip = i / 8, .physical = rows[i / 8 % 2][i % 8]};
    tree_process(71, 1, "S", "part");
    tree_process(72, 1, "S", "part");
    tree_process(73, 1, "S", "physical");
    tree_handle(71, 5, 1, RW);
    tree_handle(72, 5, 1, RW);
    tree_handle(73, 5, 2, RW);
    tree_references(6);
    ENVIRONMENT(71, "NEURON_RT_VISIBLE_CORES=4");
    ENVIRONMENT(72, "NEURON_RT_VISIBLE_CORES=5-6");
    ENVIRONMENT(73, "NEURON_RT_VISIBLE_CORES=16\0NEURON_LOGICAL_NC_CONFIG=1");
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn2.48xlarge");
    host->core_map = core_map_make(places, 128);
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    assert_true(set_is(&must_find(host, 71)->cores, "10-11"));
    assert_true(set_is(&must_find(host, 72)->cores, "8-9,12-13"));
    assert_true(set_is(&must_find(host, 73)->cores, "20")); // row of chip 2: 4 5 6 7 2 3 0 1
    assert_int_equal(must_find(host, 71)->certainty, CERTAINTY_ENVIRONMENT);
    assert_int_equal(core_state(&host->cores[10]), CORE_HELD);
    assert_int_equal(core_state(&host->cores[14]), CORE_FREE); // both say that it is not theirs
    host_free(host);
    proc_free(proc);
}

// The host's setting counts for a job that says nothing.
static void the_hosts_logical_core_size(void **state)
{
    (void)state;
    tree_text("/opt/aws/neuron/logical_nc_config", "NEURON_LOGICAL_NC_CONFIG=1");
    tree_process(71, 1, "S", "whole");
    tree_process(72, 1, "S", "other");
    tree_handle(71, 5, 1, RW);
    tree_handle(72, 5, 1, RW);
    ENVIRONMENT(71, "NEURON_RT_VISIBLE_CORES=8-15");
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn2.48xlarge");
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    assert_true(set_is(&must_find(host, 71)->cores, "8-15"));
    host_free(host);
    proc_free(proc);
}

// In a container core 0 is the first core of the container's first chip (field case F-24).
static void environment_of_a_container_is_not_placed(void **state)
{
    (void)state;
    tree_process(80, 1, "S", "vllm");
    tree_process(81, 1, "S", "vllm");
    tree_handle(80, 5, 2, RW);
    tree_handle(81, 5, 2, RW);
    tree_references(4);
    ENVIRONMENT(80, "NEURON_RT_VISIBLE_CORES=0");
    ENVIRONMENT(81, "NEURON_RT_VISIBLE_CORES=1");
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn1.32xlarge");
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    assert_int_equal(must_find(host, 80)->certainty, CERTAINTY_CHIP);
    assert_true(set_is(&must_find(host, 80)->chips, "2"));
    assert_int_equal(host->cores[0].owner_count, 0);
    assert_int_equal(core_state(&host->cores[4]), CORE_UNKNOWN); // of chip 2: not told to be free
    host_free(host);
    proc_free(proc);
}

static void someone_not_visible(void **state)
{
    (void)state;
    tree_process(1, 0, "S", "sleep 600");
    tree_references(8);
    struct proc *proc = tree_reader();
    struct host *host = tree_host("inf2.48xlarge");
    tree_use(host, 6, 3 * GIB);
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    assert_int_equal(host->process_count, 0);
    assert_int_equal(host->unseen_handles.value, 4);
    assert_true(host->chips[3].held_unseen);
    assert_false(host->chips[2].held_unseen);
    assert_int_equal(core_state(&host->cores[6]), CORE_HELD);
    assert_int_equal(core_state(&host->cores[7]), CORE_UNKNOWN); // one of the four may have it
    struct findings findings = check_run(host);
    const struct finding *finding = find_finding(&findings, "holder-unseen");
    assert_non_null(finding);
    assert_string_equal(finding->summary, "chip 3 held by someone not visible from here");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    struct source_status status = {0};
    proc_status(proc, 1, &status);
    assert_int_equal(status.state, SOURCE_LIVE);
    assert_non_null(strstr(status.detail, "4 open handles of someone not visible from here"));
    host_free(host);
    proc_free(proc);
}

// No handle is open: nobody can hold anything, and no process is looked at.
static void use_count_of_zero(void **state)
{
    (void)state;
    tree_process(60, 1, "S", "a");
    tree_handle(60, 5, 1, RW); // what a capture tells that was taken while it ended
    tree_references(0);
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn1.32xlarge");
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    assert_int_equal(host->process_count, 0);
    assert_int_equal(proc_scans(proc), 0);
    assert_int_equal(core_state(&host->cores[2]), CORE_FREE);
    tree_references(2);
    proc_read(proc, 2);
    host_free(host);
    host = tree_host("trn1.32xlarge");
    tree_fill(proc, host, 2);
    assert_non_null(tree_find(host, 60));
    host_free(host);
    proc_free(proc);
}

static void joins_the_monitors_processes(void **state)
{
    (void)state;
    tree_process(60, 1, "T", "python3 train.py");
    tree_process(61, 1, "S", "python3 late.py");
    tree_handle(60, 5, 0, RW);
    tree_handle(60, 6, 1, RW);
    tree_handle(61, 5, 2, RW);
    tree_references(6);
    struct proc *proc = tree_reader();
    struct host *host = build_host("trn1.32xlarge", 0);
    struct process *told = build_process(host, 60, NULL, 0, 1);
    told->memory_device_bytes = fact_u64(5 * GIB, FROM_MONITOR);
    told->tag = "train";
    build_process(host, 4711, NULL, 8, 1);
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    assert_int_equal(host->process_count, 3);
    const struct process *process = must_find(host, 60);
    assert_string_equal(process->command, "python3 train.py");
    assert_string_equal(process->tag, "train");
    assert_int_equal(process->state, PROCESS_STOPPED);
    assert_int_equal(process->memory_device_bytes.value, 5 * GIB);
    assert_int_equal(process->memory_device_bytes.from, FROM_MONITOR);
    assert_true(set_is(&process->cores, "0"));
    assert_true(set_is(&process->chips, "0-1")); // held and used are two figures (F-08)
    assert_int_equal(process->certainty, CERTAINTY_EXACT);
    assert_true(set_is(&must_find(host, 61)->chips, "2"));
    assert_int_equal(must_find(host, 4711)->state, PROCESS_UNKNOWN); // never dropped (F-06)
    assert_int_equal(host->cores[0].owner_count, 1);
    struct findings findings = check_run(host);
    assert_non_null(find_finding(&findings, "holder-stopped"));
    host_free(host);
    proc_free(proc);
}

static void stopped_holder_of_a_chip(void **state)
{
    (void)state;
    tree_process(60, 1, "T", "python3 train.py");
    tree_handle(60, 5, 4, RW);
    tree_references(2);
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn1.32xlarge");
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    struct findings findings = check_run(host);
    const struct finding *finding = find_finding(&findings, "holder-stopped");
    assert_non_null(finding);
    assert_string_equal(finding->summary, "PID 60 (train.py) is stopped and holds chip 4");
    host_free(host);
    proc_free(proc);
}

static void holder_comes_and_goes(void **state)
{
    (void)state;
    tree_process(9, 1, "S", "bystander");
    struct proc *proc = tree_reader();
    proc_read(proc, 1);
    tree_process(60, 1, "S", "job");
    tree_handle(60, 5, 4, RW);
    proc_read(proc, 2); // a new process is looked at at once
    struct host *host = tree_host("trn1.32xlarge");
    tree_fill(proc, host, 2);
    assert_non_null(tree_find(host, 60));
    host_free(host);
    tree_delete("/proc/60");
    proc_read(proc, 3);
    host = tree_host("trn1.32xlarge");
    tree_fill(proc, host, 3);
    assert_null(tree_find(host, 60));
    host_free(host);
    tree_handle(9, 5, 4, RW); // an old one is found within a round
    for (double now = 4; now < 8; now++)
        proc_read(proc, now);
    host = tree_host("trn1.32xlarge");
    tree_fill(proc, host, 7);
    assert_non_null(tree_find(host, 9));
    host_free(host);
    proc_free(proc);
}

static void use_count_calls_for_a_look_at_all(void **state)
{
    (void)state;
    for (int pid = 9; pid < 50; pid++)
        tree_process(pid, 1, "S", "bystander");
    tree_process(60, 1, "S", "holder");
    tree_handle(60, 5, 4, RW);
    tree_references(2);
    struct proc *proc = tree_reader();
    proc_read(proc, 1);
    unsigned long scans = proc_scans(proc);
    for (double now = 2; now < 6; now++)
        proc_read(proc, now);
    assert_true(proc_scans(proc) - scans <= 12); // all is explained: small slices
    tree_handle(40, 5, 3, RW);
    tree_references(4);
    proc_read(proc, 6);
    struct host *host = tree_host("trn1.32xlarge");
    tree_fill(proc, host, 6);
    assert_non_null(tree_find(host, 40));
    assert_int_equal(host->unseen_handles.value, 0);
    host_free(host);
    proc_free(proc);
}

static void a_reused_pid_is_another_process(void **state)
{
    (void)state;
    tree_process(60, 1, "S", "first");
    tree_handle(60, 5, 4, RW);
    ENVIRONMENT(60, "NEURON_PROCESS_TAG=first");
    tree_references(2);
    struct proc *proc = tree_reader();
    proc_read(proc, 1);
    tree_delete("/proc/60");
    tree_process(60, 1, "S", "second");
    tree_times(60, 1, "S", 0, 0, 9999, 1);
    tree_handle(60, 5, 7, RW);
    proc_read(proc, 2);
    struct host *host = tree_host("trn1.32xlarge");
    tree_fill(proc, host, 2);
    const struct process *process = must_find(host, 60);
    assert_string_equal(process->command, "second");
    assert_null(process->tag);
    assert_true(set_is(&process->chips, "7"));
    host_free(host);
    proc_free(proc);
}

static void cpu_between_two_readings(void **state)
{
    (void)state;
    tree_process(60, 1, "S", "job");
    tree_handle(60, 5, 4, RW);
    struct proc *proc = tree_reader();
    proc_read(proc, 1);
    tree_times(60, 1, "R", 10 + 400, 126 + 100, 787, 1); // ticks of 10 ms
    proc_read(proc, 3);
    struct host *host = tree_host("trn1.32xlarge");
    host->machine.cpus = fact_u64(8, FROM_TABLE);
    tree_fill(proc, host, 3);
    const struct process *process = must_find(host, 60);
    assert_float_equal(process->cpu_user_percent.value, 100 * 2.0 / 8, 0.01); // 2 CPUs of 8
    assert_float_equal(process->cpu_system_percent.value, 100 * 0.5 / 8, 0.01);
    host_free(host);
    proc_read(proc, 4);
    host = tree_host("trn1.32xlarge");
    host->machine.cpus = fact_u64(8, FROM_TABLE);
    tree_fill(proc, host, 4);
    // a captured tree stands still, which says nothing of the job
    assert_false(known_f64(must_find(host, 60)->cpu_user_percent));
    host_free(host);
    proc_free(proc);
}

static void launcher_of_workers(void **state)
{
    (void)state;
    tree_process(1, 0, "S", "/sbin/init");
    tree_process(100, 1, "S", "python3 /usr/bin/torchrun --nproc_per_node 2 train.py");
    tree_process(101, 100, "S", "/bin/sh -c wrapper");
    tree_process(102, 101, "S", "python3 train.py");
    tree_handle(102, 5, 4, RW);
    tree_process(103, 1, "S", "python3 serve.py");
    tree_handle(103, 5, 5, RW);
    tree_text("/proc/103/cgroup", "0::/system.slice/serve.service\n");
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn1.32xlarge");
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    assert_string_equal(must_find(host, 102)->launcher, "torchrun");
    assert_int_equal(must_find(host, 102)->launcher_pid.value, 100);
    assert_int_equal(must_find(host, 102)->ppid.value, 101);
    assert_string_equal(must_find(host, 103)->launcher, "serve.service");
    assert_false(known_u64(must_find(host, 103)->launcher_pid));
    host_free(host);
    proc_free(proc);
}

// Workers of python's multiprocessing: the parent holds nothing and is their launcher all the same.
static void workers_of_a_pool(void **state)
{
    (void)state;
    tree_process(1, 0, "S", "/sbin/init");
    tree_process(200, 1, "S", "-bash");
    tree_process(201, 200, "S", "python3 serve.py --workers 2"); // forks
    tree_process(202, 201, "S", "python3 serve.py --workers 2");
    tree_handle(202, 5, 0, RW);
    tree_process(203, 202, "S", "python3 serve.py --workers 2");
    tree_handle(203, 5, 1, RW);
    tree_process(300, 200, "S", "python3 -u spawn.py"); // spawns
    tree_process(301, 300, "S", "/usr/bin/python3 -c spawn_main() --multiprocessing-fork");
    tree_handle(301, 5, 2, RW);
    tree_process(302, 300, "S", "/usr/bin/python3 -c main() --multiprocessing-fork"); // forkserver
    tree_process(303, 302, "S", "/usr/bin/python3 -c main() --multiprocessing-fork");
    tree_handle(303, 5, 3, RW);
    tree_process(400, 200, "S", "python3 alone.py");
    tree_handle(400, 5, 4, RW);
    tree_process(401, 200, "S", "job"); // two of one name are no pool
    tree_process(402, 401, "S", "job");
    tree_handle(402, 5, 5, RW);
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn1.32xlarge");
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    assert_int_equal(must_find(host, 202)->launcher_pid.value, 201);
    assert_string_equal(must_find(host, 202)->launcher, "serve.py");
    assert_int_equal(must_find(host, 203)->launcher_pid.value, 201);
    assert_int_equal(must_find(host, 301)->launcher_pid.value, 300);
    assert_string_equal(must_find(host, 301)->launcher, "spawn.py");
    assert_int_equal(must_find(host, 303)->launcher_pid.value, 300);
    assert_false(known_u64(must_find(host, 400)->launcher_pid));
    assert_null(must_find(host, 400)->launcher);
    assert_false(known_u64(must_find(host, 402)->launcher_pid));
    host_free(host);
    proc_free(proc);
}

static void container_and_inner_pid(void **state)
{
    (void)state;
    tree_process(60, 1, "S", "job");
    tree_text("/proc/60/status", "Uid:\t4711\t4711\t0\t0\nNSpid:\t60\t1\n");
    tree_text("/proc/60/cgroup", "0::/system.slice/docker-0123456789abcdef0123456789abcdef"
                                 "0123456789abcdef0123456789abcdef.scope\n");
    tree_text("/proc/60/maps",
              "7f00-7f01 r-xp 0 103:01 9 /opt/aws/neuron/lib/libnrt.so.2.30.51.0\n");
    tree_handle(60, 5, 4, RW);
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn1.32xlarge");
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    const struct process *process = must_find(host, 60);
    assert_string_equal(process->container, "0123456789ab");
    assert_int_equal(process->pid_inside.value, 1);
    assert_string_equal(process->user, "4711"); // no such user in the tree: its number
    assert_string_equal(process->runtime_version, "2.30.51.0");
    host_free(host);
    proc_free(proc);
}

// Loaders forked by a job have its descriptors; the driver attached the job alone.
static void forked_workers_do_not_share_the_chip(void **state)
{
    (void)state;
    tree_process(60, 1, "S", "job");
    tree_process(61, 60, "S", "job");
    tree_handle(60, 5, 4, RW);
    tree_handle(61, 5, 4, RW);
    tree_references(2);
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn1.32xlarge");
    tree_use(host, 8, GIB);
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    assert_int_equal(host->process_count, 1);
    assert_int_equal(must_find(host, 60)->certainty, CERTAINTY_EXACT);
    assert_true(set_is(&must_find(host, 60)->cores, "8"));
    host_free(host);
    tree_delete("/proc/60"); // then the handle is the child's alone
    tree_times(61, 1, "S", 0, 0, 787, 1);
    proc_read(proc, 2);
    host = tree_host("trn1.32xlarge");
    tree_fill(proc, host, 2);
    assert_true(set_is(&must_find(host, 61)->chips, "4"));
    host_free(host);
    proc_free(proc);
}

// Whatever stat says, or does not say: who has the chip open is counted, and no core of it is free.
static void no_holder_is_lost_by_its_stat(void **state)
{
    static const char *const stats[] = {"", "60 (job", "60 (job) S", "garbage", NULL};
    (void)state;
    for (size_t i = 0; i <= sizeof(stats) / sizeof(stats[0]); i++) {
        tree_process(60, 1, "S", "job");
        tree_handle(60, 5, 4, RW);
        tree_references(2);
        if (i == sizeof(stats) / sizeof(stats[0]))
            tree_times(60, 60, "S", 0, 0, 787, 1); // its own parent
        else if (stats[i] == NULL)
            tree_delete("/proc/60/stat");
        else
            tree_text("/proc/60/stat", stats[i]);
        struct proc *proc = tree_reader();
        for (unsigned reading = 1; reading < 3; reading++) { // a second one drops nothing
            struct host *host = tree_host("trn1.32xlarge");
            proc_read(proc, reading);
            tree_fill(proc, host, reading);
            assert_true(set_is(&must_find(host, 60)->chips, "4"));
            assert_int_not_equal(core_state(&host->cores[8]), CORE_FREE);
            host_free(host);
        }
        proc_free(proc);
        tree_delete("/proc/60");
    }
}

// Two that are each other's parents: one of them is the holder.
static void parents_of_each_other_hold(void **state)
{
    (void)state;
    tree_process(60, 61, "S", "job");
    tree_process(61, 60, "S", "job");
    tree_handle(60, 5, 4, RW);
    tree_handle(61, 5, 4, RW);
    tree_references(2);
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn1.32xlarge");
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    assert_int_equal(host->process_count, 1);
    assert_true(set_is(&must_find(host, 60)->chips, "4"));
    assert_int_not_equal(core_state(&host->cores[8]), CORE_FREE);
    host_free(host);
    proc_free(proc);
}

// A worker with cores of its own opened the chip itself, though its descriptor has its parent's
// number.
static void a_child_with_its_own_cores_is_an_owner(void **state)
{
    (void)state;
    tree_process(60, 1, "S", "parent");
    tree_process(61, 60, "S", "child");
    tree_handle(60, 3, 12, RW);
    tree_handle(61, 3, 12, RW);
    ENVIRONMENT(60, "NEURON_RT_VISIBLE_CORES=24");
    ENVIRONMENT(61, "NEURON_RT_VISIBLE_CORES=25");
    tree_references(4);
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn1.32xlarge");
    proc_read(proc, 1);
    tree_fill(proc, host, 1);
    assert_int_equal(host->process_count, 2);
    assert_true(set_is(&must_find(host, 61)->cores, "25"));
    assert_int_equal(host->cores[25].owner_count, 1);
    host_free(host);
    proc_free(proc);
}

// The first thread has ended, the others work on: its own fd/ is empty.
static void ended_first_thread(void **state)
{
    (void)state;
    tree_process(60, 1, "Z", "job");
    tree_times(60, 1, "Z", 0, 0, 787, 3);
    tree_link("/proc/60/task/60/fd/x", "nothing");
    tree_link("/proc/60/task/64/fd/5", "/dev/neuron6");
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn1.32xlarge");
    proc_read(proc, 1);
    proc_read(proc, 2);
    tree_fill(proc, host, 2);
    assert_true(set_is(&must_find(host, 60)->chips, "6"));
    assert_int_equal(must_find(host, 60)->state, PROCESS_SLEEPING);
    host_free(host);
    proc_free(proc);
}

static void mapping_without_descriptor(void **state)
{
    (void)state;
    tree_process(60, 1, "S", "job");
    tree_link("/proc/60/fd/0", "/dev/null");
    tree_text("/proc/60/maps", "7faa4cb87000-7faa4cbc7000 rw-s 400008dc0000 00:05 102      "
                               "/dev/neuron7\n");
    tree_references(2);
    struct proc *proc = tree_reader();
    for (double now = 1; now < 20; now++)
        proc_read(proc, now);
    struct host *host = tree_host("trn1.32xlarge");
    tree_fill(proc, host, 20);
    assert_true(set_is(&must_find(host, 60)->chips, "7"));
    assert_int_equal(host->unseen_handles.value, 0);
    host_free(host);
    proc_free(proc);
}

static void hostile_trees(void **state)
{
    (void)state;
    size_t size = 1 << 20;
    char *huge = malloc(size);
    memset(huge, '\033', size);
    tree_process(60, 1, "S", "job");
    tree_write("/proc/60/cmdline", huge, size);
    tree_write("/proc/60/environ", huge, size);
    tree_write("/proc/60/cgroup", huge, size);
    tree_write("/proc/60/maps", huge, size);
    tree_write("/proc/60/status", huge, size);
    tree_handle(60, 5, 4, RW);
    tree_handle(60, 6, 64, RW); // no such device
    tree_handle(60, 999999, 4, "99999999999999999999999");
    tree_link("/proc/60/fd/7", "/dev/neuron");
    tree_text("/proc/61/stat", "");
    tree_text("/proc/62", "no folder");
    tree_text("/proc/99999999999/stat", "x");
    tree_link("/proc/63", "60");
    tree_write("/sys/module/neuron/refcnt", huge, size);
    tree_write("/etc/passwd", huge, size);
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn1.32xlarge");
    for (double now = 1; now < 5; now++)
        proc_read(proc, now);
    tree_fill(proc, host, 5);
    const struct process *process = must_find(host, 60);
    assert_true(set_is(&process->chips, "4"));
    for (const char *at = process->command; *at != '\0'; at++)
        assert_true((unsigned char)*at >= ' ');
    assert_false(known_u64(host->unseen_handles));
    free(huge);
    host_free(host);
    proc_free(proc);
}

static void tree_without_processes(void **state)
{
    (void)state;
    struct proc_where where = {.root = tree_root, .delay_seconds = 1, .major = -1};
    struct trouble trouble = {.line = ""};
    tree_references(0);
    assert_null(proc_new(&where, &trouble));
    assert_non_null(strstr(trouble.line, "/proc: No such file or directory"));
    tree_text("/proc/modules", "");
    assert_null(proc_new(&where, &trouble));
    assert_non_null(strstr(trouble.line, "holds no process"));
}

static void old_facts_are_stale(void **state)
{
    (void)state;
    tree_process(60, 1, "S", "job");
    tree_handle(60, 5, 4, RW);
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn1.32xlarge");
    proc_read(proc, 1);
    tree_fill(proc, host, 3.9);
    assert_false(must_find(host, 60)->resident_bytes.stale);
    host_free(host);
    host = tree_host("trn1.32xlarge");
    tree_fill(proc, host, 4.1);
    assert_true(must_find(host, 60)->resident_bytes.stale);
    host_free(host);
    proc_free(proc);
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, tree_new, tree_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TREE_TEST(processes_of_a_captured_tree),
        TREE_TEST(cores_of_a_captured_tree),
        TREE_TEST(asking_is_no_owning),
        TREE_TEST(environment_parts_a_chip),
        TREE_TEST(shared_without_environment),
        TREE_TEST(logical_cores_on_trainium2),
        TREE_TEST(logical_cores_through_the_core_map),
        TREE_TEST(each_counts_with_its_own_size),
        TREE_TEST(the_hosts_logical_core_size),
        TREE_TEST(environment_of_a_container_is_not_placed),
        TREE_TEST(someone_not_visible),
        TREE_TEST(use_count_of_zero),
        TREE_TEST(joins_the_monitors_processes),
        TREE_TEST(stopped_holder_of_a_chip),
        TREE_TEST(holder_comes_and_goes),
        TREE_TEST(use_count_calls_for_a_look_at_all),
        TREE_TEST(a_reused_pid_is_another_process),
        TREE_TEST(cpu_between_two_readings),
        TREE_TEST(launcher_of_workers),
        TREE_TEST(workers_of_a_pool),
        TREE_TEST(container_and_inner_pid),
        TREE_TEST(forked_workers_do_not_share_the_chip),
        TREE_TEST(no_holder_is_lost_by_its_stat),
        TREE_TEST(parents_of_each_other_hold),
        TREE_TEST(a_child_with_its_own_cores_is_an_owner),
        TREE_TEST(ended_first_thread),
        TREE_TEST(mapping_without_descriptor),
        TREE_TEST(hostile_trees),
        TREE_TEST(tree_without_processes),
        TREE_TEST(old_facts_are_stale),
    };
    return cmocka_run_group_tests_name("proc", tests, NULL, NULL);
}
