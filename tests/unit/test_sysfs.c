// SPDX-License-Identifier: Apache-2.0
// The sysfs reader on captured trees. Expected values are worked out here from the same files, read
// by other means, or stand in the references.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sysfs_tree.h"

#define GIB ((uint64_t)1 << 30)

static const char *const categories[MEM_OTHER] = {
    [MEM_TENSORS] = "tensors",
    [MEM_CONSTANTS] = "constants",
    [MEM_MODEL_CODE] = "model_code",
    [MEM_MODEL_SHARED_SCRATCHPAD] = "model_shared_scratchpad",
    [MEM_RUNTIME_MEMORY] = "runtime_memory",
    [MEM_NONSHARED_SCRATCHPAD] = "nonshared_scratchpad",
    [MEM_DRIVER_MEMORY] = "driver_memory",
    [MEM_COLLECTIVES] = "collectives",
    [MEM_NOTIFICATIONS] = "notifications",
    [MEM_DMA_RINGS] = "dma_rings",
    [MEM_UNCATEGORIZED] = "uncategorized",
};

static void check_u64(struct fact_u64 fact, uint64_t value)
{
    assert_int_equal(fact.from, FROM_SYSFS);
    assert_int_equal(fact.value, value);
    assert_false(fact.stale);
}

// Every core's memory as the files have it, and its parts add up.
static void check_memory(const struct host *host, unsigned chips, unsigned cores)
{
    assert_int_equal(host->chip_count, chips);
    assert_int_equal(host->core_count, chips * cores);
    assert_int_equal(host->numbering, NUMBERING_PHYSICAL);
    for (unsigned c = 0; c < chips; c++) {
        uint64_t chip_sum = 0;
        assert_int_equal(host->chips[c].index, c);
        assert_int_equal(host->chips[c].core_count, cores);
        for (unsigned k = 0; k < cores; k++) {
            const struct core *core = &host->cores[c * cores + k];
            uint64_t sum = 0;
            assert_int_equal(core->index, c * cores + k);
            assert_int_equal(core->place, k);
            assert_false(core->owners_known);
            for (unsigned i = 0; i < MEM_OTHER; i++) {
                uint64_t part =
                    tree_number("neuron%u/neuron_core%u/stats/memory_usage/device_mem/%s/total", c,
                                k, categories[i]);
                check_u64(core->memory[i], part);
                sum += part;
            }
            assert_false(known_u64(core->memory[MEM_OTHER]));
            check_u64(core->memory_used_bytes, sum);
            check_u64(
                core->memory_peak_bytes,
                tree_number("neuron%u/neuron_core%u/stats/memory_usage/device_mem/peak", c, k));
            check_u64(
                core->memory_host_bytes,
                tree_number("neuron%u/neuron_core%u/stats/memory_usage/host_mem/total", c, k));
            chip_sum += sum;
        }
        check_u64(host->chips[c].memory_used_bytes, chip_sum);
    }
}

// Driver before 2.30: what it counts of running jobs is not live, so there is no use to show, and
// never 0 (field case F-17).
static void test_running_driver_trn2(void **state)
{
    (void)state;
    tree_unpack("running-driver-2.24.7-v3-16dev-busy");
    reader_open();
    reader_tick(0);
    const struct host *host = reader_tick(1);
    check_memory(host, 16, 8);
    assert_string_equal(host->versions.driver, "2.24.7.0");
    assert_string_equal(host->versions.driver_state, "live");
    assert_string_equal(host->instance.type, "trn2.48xlarge");
    assert_string_equal(host->hardware.chip, "Trainium2");
    assert_int_equal(host->hardware.physical_cores_per_chip.value, 8);
    assert_false(known_u64(host->hardware.lnc)); // a setting of the runtime, not of the driver
    assert_int_equal(host->hardware.device_memory_bytes_per_chip.value, 103079215104);
    assert_int_equal(host->chips[3].memory_total_bytes.value, 103079215104);
    for (unsigned i = 0; i < host->core_count; i++) {
        const struct core *core = &host->cores[i];
        assert_false(known_f64(core->utilization_percent));
        assert_false(known_f64(core->flops_per_second));
        assert_false(core->counters->live);
        assert_false(known_f64(core->counters->per_second[EVENT_SUCCESS]));
        assert_int_equal(core->memory_limit_bytes.value, 24 * GIB);
        assert_int_equal(core->memory_shared_by, 2);
    }
    const struct chip *chip = &host->chips[0];
    assert_string_equal(chip->serial, "00f1ca5e1000a000");
    assert_int_equal(chip->health, HEALTH_UNKNOWN);
    assert_float_equal(chip->power_percent.value, 34.09, 1e-9);
    assert_true(chip->power_percent.stale); // of a minute long ago
    assert_true(chip->power_age_seconds.value > 150 || chip->power_age_seconds.value == 0);
    assert_false(known_f64(chip->power_now_percent)); // since 2.29
    check_u64(chip->ecc.mem_uncorrected, 0);
    assert_false(known_u64(chip->ecc.mem_corrected)); // since 2.30
    check_u64(chip->host_memory[HOSTMEM_TENSORS], 2097152);
    check_u64(chip->host_memory[HOSTMEM_APPLICATION], 1048576);
    check_u64(chip->host_memory[HOSTMEM_OTHER], 6426624);
    check_u64(host->cores[0].counters->total[EVENT_RESETS], 2);
    struct source_status status = reader_status();
    assert_int_equal(status.state, SOURCE_LIVE);
    assert_non_null(strstr(status.detail, "2.24.7.0"));
    assert_non_null(strstr(status.detail, "counters not live"));
}

static void test_running_driver_trn1(void **state)
{
    (void)state;
    tree_unpack("running-driver-2.24.7-v2-16dev-busy");
    reader_open();
    const struct host *host = reader_tick(0);
    check_memory(host, 16, 2);
    assert_string_equal(host->hardware.chip, "Trainium");
    assert_int_equal(host->hardware.lnc.value, 1); // the only one there is
    assert_int_equal(host->hardware.logical_cores_per_chip.value, 2);
    assert_int_equal(host->cores[0].memory_limit_bytes.value, 16 * GIB);
    assert_int_equal(host->cores[0].memory_shared_by, 1);
}

// Root-only files are missing for others, and nothing else is (field case F-16).
static void test_ordinary_user(void **state)
{
    (void)state;
    bool root = geteuid() == 0;
    tree_unpack("running-driver-2.24.7-v3-16dev-busy");
    if (!root) // the archive's files are ours: take the rights away
        tree_run("chmod 0 sys/devices/virtual/neuron_device/neuron*/{reset,core_count,"
                 "connected_devices} 2>/dev/null || chmod 0 "
                 "sys/devices/virtual/neuron_device/neuron*/connected_devices");
    assert_true(!root || seteuid(65534) == 0);
    reader_open();
    const struct host *host = reader_tick(0);
    assert_true(!root || seteuid(0) == 0);
    check_memory(host, 16, 8);
    assert_string_equal(host->chips[0].serial, "00f1ca5e1000a000");
    assert_false(host->chips[0].connected_known);
    assert_string_equal(host->chips[0].connected_error, "needs root");
    assert_int_equal(host->hardware.physical_cores_per_chip.value, 8);
}

static void test_neighbours_as_root(void **state)
{
    (void)state;
    static const unsigned of_0[] = {12, 1, 3, 4}; // driver reference 2.3
    if (geteuid() != 0)
        skip();
    tree_unpack("running-driver-2.24.7-v3-16dev-busy");
    reader_open();
    const struct host *host = reader_tick(0);
    assert_true(host->chips[0].connected_known);
    assert_int_equal(host->chips[0].connected_count, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(host->chips[0].connected[i], of_0[i]);
    assert_null(host->chips[0].connected_error);
}

struct use {
    uint64_t time, flops, success;
};

static void read_uses(struct use *uses)
{
    for (unsigned i = 0; i < 128; i++) {
        unsigned n = i / 8, k = i % 8;
        uses[i].time =
            tree_number("neuron%u/neuron_core%u/stats/other_info/nc_time_in_use/total", n, k);
        uses[i].flops =
            tree_number("neuron%u/neuron_core%u/stats/other_info/flop_count/total", n, k);
        uses[i].success = tree_number("neuron%u/neuron_core%u/stats/status/success/total", n, k);
    }
}

// 2.0 s between the two captures: 75 to 83 % on busy cores, 0 elsewhere (driver reference 9).
static void check_rates(const struct host *host, const struct use *from, const struct use *to)
{
    unsigned busy = 0;
    assert_int_equal(host->core_count, 128);
    for (unsigned i = 0; i < 128; i++) {
        const struct core *core = &host->cores[i];
        double percent = (double)(to[i].time - from[i].time) / 2.0 / 1e6 * 100;
        double flops = (double)(to[i].flops - from[i].flops) / 2.0;
        double successes = (double)(to[i].success - from[i].success) / 2.0;
        assert_int_equal(core->utilization_percent.from, FROM_SYSFS);
        assert_float_equal(core->utilization_percent.value, percent, 0.001);
        assert_true(percent == 0 || (percent >= 74.5 && percent < 83.5));
        assert_true(fabs(core->flops_per_second.value - flops) <= flops * 1e-9);
        assert_true(core->counters->live);
        assert_float_equal(core->counters->per_second[EVENT_SUCCESS].value, successes, 0.001);
        busy += percent > 0;
    }
    assert_int_equal(busy, 68); // devices 0-7, and device 11's cores 0-3
}

static void take_two(bool replace)
{
    static struct use from[128], to[128];
    tree_unpack("trn2.48xlarge-drv2.30.2-busy-t0");
    read_uses(from);
    reader_open();
    const struct host *host = reader_tick(0);
    check_memory(host, 16, 8);
    assert_false(known_f64(host->cores[0].utilization_percent)); // one reading is no rate
    if (replace) { // the whole tree is exchanged for another
        tree_run("mv sys old");
        tree_unpack("trn2.48xlarge-drv2.30.2-busy-t1");
    } else { // each file is
        tree_unpack("trn2.48xlarge-drv2.30.2-busy-t1");
    }
    read_uses(to);
    host = reader_tick(2.0);
    check_rates(host, from, to);
    check_memory(host, 16, 8);
    reader_tick(1); // nothing moved since, over a window of three seconds
    assert_float_equal(reader_tick(1)->cores[0].utilization_percent.value,
                       (double)(to[0].time - from[0].time) / 4.0 / 1e4, 0.001);
}

static void test_two_captures(void **state)
{
    (void)state;
    take_two(false);
}

static void test_two_trees(void **state)
{
    (void)state;
    take_two(true);
}

static void test_health_of_2_30(void **state)
{
    (void)state;
    tree_unpack("trn2.48xlarge-drv2.30.2-busy-t0");
    reader_open();
    const struct host *host = reader_tick(0);
    assert_int_equal(host->chips[0].health, HEALTH_HEALTHY);
    assert_null(host->chips[0].health_detail);
    assert_int_equal(host->chips[11].health, HEALTH_UNHEALTHY);
    assert_string_equal(host->chips[11].health_detail, "hbm");
    check_u64(host->chips[11].ecc.mem_repairable, 1);
    check_u64(host->chips[0].ecc.mem_corrected, 0);
    assert_string_equal(host->chips[0].firmware, "API 7, build 20250611");
    assert_float_equal(host->chips[0].power_now_percent.value, 34.96, 1e-9); // the larger die
    check_u64(host->cores[1].counters->total[EVENT_TIMEOUT], 1);             // planted
    check_u64(host->cores[16].counters->total[EVENT_UNSUPPORTED_NEFF], 2);
    assert_null(reader_status().detail == NULL ? "" : strstr(reader_status().detail, "not live"));
    // a health check that stands still for a minute is no proof of health
    for (int i = 0; i < 9; i++)
        host = reader_tick(10.5);
    assert_int_equal(host->chips[0].health, HEALTH_UNKNOWN);
    assert_non_null(strstr(host->chips[0].health_detail, "stood still"));
    assert_int_equal(host->chips[11].health, HEALTH_UNHEALTHY);
}

static void test_old_layout(void **state)
{
    (void)state;
    tree_unpack("trn1.2xlarge-drv2.7.15-oldlayout");
    reader_open();
    reader_tick(0);
    const struct host *host = reader_tick(1);
    assert_int_equal(host->chip_count, 1);
    assert_int_equal(host->core_count, 2);
    assert_string_equal(host->hardware.chip, "Trainium");
    check_u64(host->cores[0].memory_used_bytes, 0);
    check_u64(host->cores[0].memory_host_bytes, 4530176);
    assert_false(known_u64(host->cores[0].memory_peak_bytes));   // since 2.8
    assert_false(known_u64(host->cores[0].memory[MEM_TENSORS])); // since 2.10
    check_u64(host->cores[0].counters->total[EVENT_SUCCESS], 1204);
    check_u64(host->cores[0].counters->total[EVENT_RESETS], 1);
    assert_false(known_f64(host->cores[0].utilization_percent));
    assert_false(known_f64(host->chips[0].power_percent));
    assert_string_equal(host->chips[0].pci, "0000:10:00.0"); // the only one there is
    assert_int_equal(host->chips[0].numa_node.value, 0);
    assert_string_equal(host->chips[0].cpu_affinity, "0-3");
    assert_string_equal(host->instance.id, "i-0123456789abcdef0");
}

static void test_single_inferentia2(void **state)
{
    (void)state;
    tree_unpack("inf2.xlarge-drv2.24.7-idle");
    reader_open();
    const struct host *host = reader_tick(0);
    check_memory(host, 1, 2);
    assert_string_equal(host->hardware.chip, "Inferentia2");
    assert_int_equal(host->hardware.topology, TOPOLOGY_SINGLE);
}

// At most 12 files a core in a tick, whatever changes; files stay open.
static void test_files_of_a_tick(void **state)
{
    (void)state;
    tree_unpack("trn2.48xlarge-drv2.30.2-busy-t0");
    struct sysfs *sysfs = reader_open();
    reader_tick(0);
    unsigned long before = sysfs->room.reads;
    reader_tick(1);
    assert_in_range(sysfs->room.reads - before, 128 * 4, 128 * 12 + 16 * 4);
    tree_run("for f in sys/devices/virtual/neuron_device/neuron*/neuron_core*/stats/memory_usage/"
             "device_mem; do echo 1048576 >$f/total; echo 1048576 >$f/uncategorized/total;"
             "for c in tensors constants model_code model_shared_scratchpad runtime_memory "
             "nonshared_scratchpad driver_memory collectives notifications dma_rings; do "
             "echo 0 >$f/$c/total; done; done");
    before = sysfs->room.reads;
    const struct host *host = reader_tick(1);
    assert_in_range(sysfs->room.reads - before, 128 * 12, 128 * 12 + 16 * 4);
    // the parts do not add up to the new total yet: they are of before
    check_u64(host->cores[0].memory_used_bytes, 1048576);
    assert_true(host->cores[0].memory[MEM_TENSORS].stale);
    check_memory(reader_tick(1), 16, 8);
    long open = sysfs->room.open;
    for (int i = 0; i < 20; i++)
        reader_tick(1);
    assert_int_equal(sysfs->room.open, open);
}

// With 1024 descriptors and no way to more, the same facts.
static void test_few_descriptors(void **state)
{
    (void)state;
    tree_unpack("trn2.48xlarge-drv2.30.2-busy-t0");
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit limit = {1024, 1024};
        setrlimit(RLIMIT_NOFILE, &limit);
        struct sysfs *sysfs = reader_open();
        reader_tick(0);
        const struct host *host = reader_tick(1);
        bool fine = host->core_count == 128 && sysfs->room.open > 512 && sysfs->room.open < 1000;
        for (unsigned i = 0; i < host->core_count; i++)
            fine = fine && known_u64(host->cores[i].memory_used_bytes) &&
                   known_f64(host->cores[i].utilization_percent) &&
                   known_u64(host->cores[i].memory[MEM_UNCATEGORIZED]) &&
                   known_u64(host->cores[i].counters->total[EVENT_RESET_FAILURES]);
        reader_close();
        _exit(fine ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void test_tensor_engine_on_request(void **state)
{
    (void)state;
    tree_unpack("trn2.48xlarge-drv2.30.2-busy-t0");
    reader_options()->tensor_activity = true;
    reader_open();
    assert_false(known_f64(reader_tick(0)->cores[0].tensor_active_percent));
    tree_write(
        "sys/devices/virtual/neuron_device/neuron0/neuron_core0/stats/tensor_engine/pe_cntrs",
        "xrow_grp,mm_active,wl_active,idle\n0,100,0,100\n");
    reader_tick(1); // fell: from here on
    tree_write(
        "sys/devices/virtual/neuron_device/neuron0/neuron_core0/stats/tensor_engine/pe_cntrs",
        "xrow_grp,mm_active,wl_active,idle\n0,130,0,170\n");
    assert_float_equal(reader_tick(1)->cores[0].tensor_active_percent.value, 30, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_running_driver_trn2, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_running_driver_trn1, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_ordinary_user, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_neighbours_as_root, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_two_captures, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_two_trees, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_health_of_2_30, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_old_layout, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_single_inferentia2, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_files_of_a_tick, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_few_descriptors, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_tensor_engine_on_request, tree_new, tree_remove),
    };
    return cmocka_run_group_tests_name("sysfs", tests, NULL, NULL);
}
