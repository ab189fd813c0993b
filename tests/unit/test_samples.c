// SPDX-License-Identifier: Apache-2.0
// The neuron-monitor streams of tests/fixtures/monitor: totals worked out apart from this program,
// and what each file is there for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/frame.h"
#include "source_run.h"

// Sums over the last report of each file; -1: nobody told.
static const struct sample {
    const char *name;
    unsigned reports, chips, cores, processes, owned, owners, models;
    int64_t device_bytes, host_bytes;
    uint64_t core_bytes;
    unsigned busy_known; // cores with a utilisation
    double busy_mean;
    int64_t flops;
} samples[] = {
    {"errors-and-nulls", 6, 1, 2, 1, 0, 0, 0, -1, -1, 0, 0, -1, -1},
    {"idle-host", 6, 1, 2, 0, 0, 0, 0, -1, -1, 0, 0, -1, -1},
    {"inf1-mixed-rtd-and-libnrt", 1, 1, 4, 2, 1, 2, 2, 4000000, 2000000, 1000000, 2, 21.005, -1},
    {"inf1-neuron-rtd-v1-schema", 3, 1, 4, 1, 3, 3, 1, 2000000, 1000000, 500000, 4, 46.91, -1},
    {"inf1-xlarge-captured", 1, 1, 4, 1, 1, 1, 1, 63118912, 1119887360, 63118912, 4,
     22.254569097491395, -1},
    {"inf2-xlarge-from-capture", 2, 1, 2, 1, 2, 2, 1, 141649980, 1166249984, 141649980, 2,
     44.45615205649, 871004120032},
    {"trn1-2xlarge-captured", 3, 1, 2, 1, 2, 2, 2, 102298328, 612179968, 102298328, 2,
     0.6564186200077483, -1},
    {"trn1-2xlarge-first-record-captured", 1, 1, 2, 0, 0, 0, 0, -1, -1, 0, 0, -1, -1},
    {"trn1-32xlarge-busy-2procs", 6, 16, 32, 2, 24, 24, 48, 89709495808, 15244197888, 89709495808,
     32, 44.699929987441166, 201686084103323},
    {"trn1n-32xlarge-32procs-captured", 1, 16, 32, 32, 32, 32, 640, 305202033504, 230658176,
     305202033504, 32, 15.5, 0},
    {"trn2-48xlarge-k8s-info", 3, 16, 64, 2, 8, 8, 16, 46516568064, 37585190912, 46516568064, 64,
     6.467632472031134, 252496371708091},
    {"trn2-48xlarge-lnc2", 6, 16, 64, 2, 48, 48, 96, 280982388736, 37591646208, 280982388736, 64,
     41.487352710212726, 1619666249806680},
};

enum { SAMPLES = sizeof(samples) / sizeof(samples[0]) };

static const char *stream(const char *name)
{
    char file[128];
    snprintf(file, sizeof(file), "%s.ndjson", name);
    return fixture(file);
}

static void check_u64(const char *name, const char *what, struct fact_u64 fact, int64_t expected)
{
    if (known_u64(fact) != (expected >= 0) || (expected >= 0 && fact.value != (uint64_t)expected))
        fail_msg("%s: %s is %lld instead of %lld", name, what,
                 known_u64(fact) ? (long long)fact.value : -1, (long long)expected);
}

static void check_processes(const struct host *host, const struct sample *sample)
{
    struct fact_u64 device = {0}, memory = {0};
    unsigned models = 0, owners = 0;
    for (unsigned i = 0; i < host->process_count; i++) {
        fact_add(&device, host->processes[i].memory_device_bytes);
        fact_add(&memory, host->processes[i].memory_host_bytes);
        models += host->processes[i].model_count;
        owners += core_set_count(&host->processes[i].cores);
        for (unsigned j = 1; j < host->processes[i].model_count; j++)
            assert_true(host->processes[i].models[j - 1].model_id.value <
                        host->processes[i].models[j].model_id.value);
    }
    assert_int_equal(host->process_count, sample->processes);
    assert_int_equal(models, sample->models);
    assert_int_equal(owners, sample->owners);
    check_u64(sample->name, "device memory", device, sample->device_bytes);
    check_u64(sample->name, "host memory", memory, sample->host_bytes);
}

static void check_cores(const struct host *host, const struct sample *sample)
{
    struct fact_u64 used = {0}, chips = {0};
    unsigned owned = 0, known = 0;
    bool whole = true; // what each core holds is known: then so is what each chip holds
    for (unsigned i = 0; i < host->core_count; i++) {
        const struct core *core = &host->cores[i];
        owned += core->owner_count > 0;
        known += known_f64(core->utilization_percent);
        fact_add(&used, core->memory_used_bytes);
        whole = whole && known_u64(core->memory_used_bytes);
        assert_int_equal(core->index, i);
        assert_int_equal(core->chip, i / (sample->cores / sample->chips));
        assert_int_equal(core->numbering, NUMBERING_MONITOR);
    }
    for (unsigned i = 0; i < host->chip_count; i++)
        fact_add(&chips, host->chips[i].memory_used_bytes);
    assert_int_equal(owned, sample->owned);
    assert_int_equal(known, sample->busy_known);
    assert_int_equal(used.value, sample->core_bytes);
    assert_true(chips.value == sample->core_bytes || (!whole && chips.value < sample->core_bytes));
    assert_true(known_f64(host_utilization(host)) == (known > 0));
    if (known > 0)
        assert_float_equal(host_utilization(host).value, sample->busy_mean, 1e-9);
    assert_true(known_f64(host_flops(host)) == (sample->flops >= 0));
    if (sample->flops >= 0)
        assert_float_equal(host_flops(host).value, (double)sample->flops, 1);
}

static void test_all(void **state)
{
    (void)state;
    for (int i = 0; i < SAMPLES; i++) {
        struct host *host = snapshot_after(stream(samples[i].name), 0);
        assert_int_equal(host->reports_read, samples[i].reports);
        assert_int_equal(host->reports_damaged, 0);
        assert_null(host->input_trouble);
        assert_true(host->finished);
        assert_int_equal(host->chip_count, samples[i].chips);
        assert_int_equal(host->core_count, samples[i].cores);
        check_processes(host, &samples[i]);
        check_cores(host, &samples[i]);
        host_free(host);
    }
}

// Byte by byte or as a whole: the same objects, each a line of the file.
static void test_byte_by_byte(void **state)
{
    (void)state;
    for (int i = 0; i < SAMPLES; i++) {
        struct frame *frame = frame_new(0);
        size_t size, room, length;
        char *content = read_all(stream(samples[i].name), &size), *line = content;
        unsigned objects = 0;
        for (size_t at = 0; at < size; at++) {
            *frame_room(frame, &room) = content[at];
            frame_added(frame, 1);
            const char *object = frame_next(frame, &length);
            if (object == NULL)
                continue;
            assert_memory_equal(object, line, length);
            assert_int_equal(line[length], '\n');
            line += length + 1;
            objects++;
        }
        assert_int_equal(objects, samples[i].reports);
        assert_int_equal(frame_damages(frame), 0);
        frame_free(frame);
        free(content);
    }
}

static void test_trn2(void **state)
{
    (void)state;
    struct host *host = snapshot_after(stream("trn2-48xlarge-lnc2"), 0);
    const struct process *process = process_of(host, 268911);
    const struct core *core = &host->cores[17];
    assert_string_equal(host->hardware.chip, "Trainium2");
    assert_count(host->hardware.lnc, 2);
    assert_figure(core->utilization_percent, 82.19133133429656);
    assert_figure(core->flops_per_second, 50136712113920.0);
    assert_int_equal(core->physical[0].index, 34);
    assert_figure(core->physical[0].utilization_percent, 99.86246757117033);
    assert_figure(core->physical[1].utilization_percent, 64.5201950974228);
    assert_count(core->memory[MEM_TENSORS], 5452595200);
    assert_count(core->memory[MEM_CONSTANTS], 155258880);
    assert_count(core->memory[MEM_MODEL_SHARED_SCRATCHPAD], 68157440);
    assert_false(known_u64(core->memory[MEM_DMA_RINGS]));
    assert_count(core->memory_limit_bytes, 24ull << 30);
    assert_int_equal(core->memory_shared_by, 1);
    assert_count(process->host_memory[HOSTMEM_APPLICATION], 18795724800);
    assert_figure(process->latency_total.seconds[P50], 0.0233);
    assert_figure(process->latency_device.seconds[P99], 0.02318583);
    assert_figure(process->executions_per_second[EXEC_COMPLETED], 862 / 0.999790271);
    assert_string_equal(process->models[0].name,
                        "/root/.cache/neuron/neuronxcc-2.27.5334.0/MODULE_7000000000+f702b353/"
                        "model.neff");
    assert_count(process->models[0].memory_device_bytes, 262144000);
    assert_int_equal(process->models[0].state, MODEL_RUNNING);
    assert_count(process->models[0].subgraphs[0].memory[MEM_MODEL_CODE], 157286400);
    assert_figure(host->machine.cpu_user_percent, 0.72);
    assert_count(host->machine.cpus, 192);
    host_free(host);
    host = snapshot_after(stream("trn2-48xlarge-lnc2"), 4); // nothing ran: no latency, not 0
    assert_false(known_f64(process_of(host, 270044)->latency_total.seconds[P50]));
    assert_true(known_f64(process_of(host, 268911)->latency_total.seconds[P50]));
    host_free(host);
}

static void test_trn1(void **state)
{
    (void)state;
    struct host *host = snapshot_after(stream("trn1-2xlarge-captured"), 3);
    const struct process *process = process_of(host, 16851);
    assert_int_equal(process->models[0].model_id.value, 10001); // the file has them in turns
    assert_int_equal(strlen(process->models[0].name), 255);
    assert_count(process->errors_in_period[ERR_GENERIC], 23749);
    assert_figure(process->cpu_user_percent, 19.44);
    assert_false(known_f64(host->cores[0].flops_per_second));  // tools before 2.7
    assert_int_equal(host->hardware.generation->id, GEN_TRN1); // by the instance type
    host_free(host);
    host = snapshot_after(stream("trn1-32xlarge-busy-2procs"), 6);
    assert_count(host->chips[3].ecc.mem_corrected, 1); // of report 5: every other one has it
    assert_count(host->chips[2].ecc.mem_corrected, 0);
    assert_string_equal(process_of(host, 48211)->tag, "llama-pretrain");
    host_free(host);
}

static void test_trn1n(void **state)
{
    (void)state;
    struct host *host = snapshot_after(stream("trn1n-32xlarge-32procs-captured"), 0);
    const struct process *process = process_of(host, 784315);
    assert_false(host->live_rates);
    assert_false(known_f64(process->cpu_user_percent)); // not visible in /proc: not 0 %
    assert_string_equal(process->groups[GROUP_CPU].error,
                        "open /proc/784315/stat: no such file or directory");
    assert_count(process->memory_device_bytes, 9534166027);
    assert_int_equal(host->chips[0].owner_count, 2);
    assert_count(host->chips[14].ecc.sram_uncorrected, 1);
    assert_figure(host->machine.cpu_user_percent, 19.66);
    assert_string_equal(host->instance.ultraserver_id, "u-0123456789abcdef");
    host_free(host);
}

static void test_inf(void **state)
{
    (void)state;
    struct host *host = snapshot_after(stream("inf1-xlarge-captured"), 0);
    assert_string_equal(host->hardware.chip, "Inferentia");
    assert_count(host->chips[0].memory_total_bytes, 8ull << 30);
    assert_int_equal(host->cores[0].memory_shared_by, 4);
    assert_figure(host->cores[0].utilization_percent, 89.01827638996558);
    assert_false(host->live_rates); // 0.06 s
    assert_false(known_f64(host->processes[0].executions_per_second[EXEC_COMPLETED]));
    host_free(host);
    host = snapshot_after(stream("inf2-xlarge-from-capture"), 2);
    assert_string_equal(host->hardware.chip, "Inferentia2");
    assert_count(host->chips[0].ecc.mem_corrected, 0); // kept: report 2 has none
    assert_false(known_u64(host->processes[0].errors_in_period[ERR_GENERIC]));
    assert_count(host->processes[0].memory[MEM_MODEL_CODE], 106027452 + 1642000);
    host_free(host);
    host = snapshot_after(stream("inf1-mixed-rtd-and-libnrt"), 0);
    assert_false(known_u64(host->processes[0].pid));
    assert_string_equal(host->processes[0].address, "unix:/run/neuron.sock");
    assert_int_equal(host->cores[2].owner_count, 2);
    assert_false(known_f64(host->cores[2].utilization_percent));
    assert_count(host->cores[2].memory_used_bytes, 1000000);
    assert_false(host->cores[0].owners_known); // 3 of 4 MB have no place: perhaps here
    assert_false(known_u64(host->chips[0].memory_used_bytes));
    host_free(host);
    host = snapshot_after(stream("inf1-neuron-rtd-v1-schema"), 3);
    assert_string_equal(host->processes[0].tag, "neuron-rtd 0");
    assert_figure(host->cores[3].utilization_percent, 48.41);
    assert_figure(host->processes[0].executions_per_second[EXEC_COMPLETED], 125 / 1.000663103);
    assert_count(host->chips[0].ecc.sram_uncorrected, 0);
    assert_false(known_u64(host->chips[0].ecc.sram_corrected)); // the oldest form has none
    host_free(host);
}

static void test_pods(void **state)
{
    (void)state;
    struct host *host = snapshot_after(stream("trn2-48xlarge-k8s-info"), 1);
    assert_string_equal(host->cores[0].pod, "vllm-llama-7c9d5b6f4-x2x8k");
    assert_string_equal(host->cores[7].container, "trainer,sidecar");
    assert_null(host->cores[8].pod);
    assert_string_equal(process_of(host, 31999)->pod, "train-worker-0");
    host_free(host);
    host = snapshot_after(stream("trn2-48xlarge-k8s-info"), 2); // left out: kept
    assert_string_equal(host->cores[0].pod, "vllm-llama-7c9d5b6f4-x2x8k");
    host_free(host);
    host = snapshot_after(stream("trn2-48xlarge-k8s-info"), 3); // failed: unknown
    assert_null(host->cores[0].pod);
    assert_string_equal(host->hardware.pods_error,
                        "failed to connect to kubelet pod-resources socket");
    host_free(host);
}

static void test_idle(void **state)
{
    (void)state;
    struct host *host = snapshot_after(stream("idle-host"), 1);
    assert_false(host->live_rates);
    assert_false(known_f64(host->machine.cpu_user_percent));
    assert_count(host->machine.memory_used_bytes, 1284890624);
    assert_false(known_u64(host->chips[0].ecc.mem_corrected));
    assert_int_equal(core_state(&host->cores[0]), CORE_FREE);
    host_free(host);
    host = snapshot_after(stream("idle-host"), 0);
    assert_true(host->live_rates);
    assert_figure(host->machine.cpu_user_percent, 0.4);
    assert_count(host->chips[0].ecc.mem_corrected, 0);
    assert_false(known_f64(host_utilization(host))); // no runtime, no reading
    host_free(host);
}

static struct host *errors(unsigned line)
{
    return snapshot_after(stream("errors-and-nulls"), line);
}

static void test_errors(void **state)
{
    (void)state;
    struct host *host = errors(1);
    assert_false(host->live_rates);
    assert_false(known_f64(host->processes[0].cpu_user_percent));
    assert_count(host->cores[0].memory_used_bytes, 9534166027);
    host_free(host);
    host = errors(2);
    assert_int_equal(host->process_count, 1);
    assert_string_equal(host->processes[0].error, "failed to read runtime data");
    assert_false(host->cores[0].owners_known);
    host_free(host);
    host = errors(3); // nulls at every level; what came before and is null now is kept
    assert_int_equal(host->process_count, 2);
    assert_figure(process_of(host, 4242)->latency_total.seconds[P50], 0.01);
    assert_false(known_f64(process_of(host, 4242)->latency_device.seconds[P50]));
    assert_count(process_of(host, 4242)->memory_device_bytes, 15);
    assert_int_equal(process_of(host, 4242)->model_count, 0);
    assert_count(host->machine.memory_used_bytes, 81207975936);
    assert_false(known_u64(host->chips[0].ecc.mem_corrected));
    assert_string_equal(host->hardware.ecc_error, "unable to read ECC counters: permission denied");
    host_free(host);
    host = errors(4); // no driver
    assert_int_equal(host->process_count, 0);
    assert_int_equal(host->chip_count, 0);
    assert_string_equal(host->hardware.error, "no neuron device found");
    assert_string_equal(host->instance.error, "unable to reach the instance metadata service");
    assert_string_equal(host->machine.cpu_error, "open /proc/stat: permission denied");
    assert_false(known_f64(host->machine.cpu_user_percent));
    host_free(host);
    host = errors(5);
    assert_figure(process_of(host, 4242)->errors_per_second[ERR_NUMERICAL], 2 / 0.99948141);
    assert_count(process_of(host, 4242)->executions_in_period[EXEC_TIMED_OUT], 1);
    assert_count(host->chips[0].ecc.sram_uncorrected, 2);
    assert_count(host->machine.swap_used_bytes, 12345344);
    host_free(host);
    host = errors(6);
    assert_string_equal(host->processes[0].groups[GROUP_MEMORY].error, "runtime is not responding");
    assert_false(known_u64(host->processes[0].memory_device_bytes));
    assert_false(known_f64(host->cores[0].utilization_percent));
    assert_figure(host->processes[0].cpu_user_percent, 0);
    host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),    cmocka_unit_test(test_byte_by_byte),
        cmocka_unit_test(test_trn2),   cmocka_unit_test(test_trn1),
        cmocka_unit_test(test_trn1n),  cmocka_unit_test(test_inf),
        cmocka_unit_test(test_pods),   cmocka_unit_test(test_idle),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
