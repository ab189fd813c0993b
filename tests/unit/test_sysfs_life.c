// SPDX-License-Identifier: Apache-2.0
// Trees that change, that are damaged, and that nobody has seen yet.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "sysfs_tree.h"

#define DEVICES "sys/devices/virtual/neuron_device/"
#define CORE0 DEVICES "neuron0/neuron_core0/stats/"

static void test_nothing_there(void **state)
{
    (void)state;
    struct trouble trouble;
    assert_false(reader_try(&trouble));
    assert_non_null(strstr(trouble.line, "not loaded"));
    tree_write("sys/module/neuron/version", "2.24.7.0\n");
    assert_false(reader_try(&trouble));
    assert_non_null(strstr(trouble.line, "no device"));
}

static void test_class_files_are_no_devices(void **state)
{
    (void)state;
    tree_device(0, 2);
    tree_write(DEVICES "node_id_2", "-1\n");
    tree_write(DEVICES "neuron1", "a file\n");
    tree_write(DEVICES "neuron64/dev", "240:64\n");
    tree_write(DEVICES "neuron01/dev", "240:1\n");
    tree_write(DEVICES "neuron-1/dev", "240:1\n");
    reader_open();
    assert_int_equal(reader_tick(0)->chip_count, 1);
}

// The class directory has links to the devices, beside files.
static void test_class_directory(void **state)
{
    (void)state;
    tree_device(0, 2);
    tree_run("mkdir -p sys/class/neuron_device && mv " DEVICES "neuron0 sys/real && rm -r "
             "sys/devices && ln -s ../../real sys/class/neuron_device/neuron0 && "
             "echo -1 >sys/class/neuron_device/node_id_4");
    reader_open();
    const struct host *host = reader_tick(0);
    assert_int_equal(host->core_count, 2);
    assert_int_equal(host->cores[1].memory_used_bytes.value, 2000);
}

// Whatever has a device's name and is no directory is no device: with only such the reader is not
// there, and says why.
static void test_only_directories_are_devices(void **state)
{
    (void)state;
    struct trouble trouble;
    tree_write("sys/module/neuron/version", "2.24.7.0\n");
    tree_run("mkdir -p sys/class/neuron_device && cd sys/class/neuron_device && "
             "ln -s ../../nowhere neuron0 && mkfifo neuron1 && ln -s ../../module/neuron/version "
             "neuron2");
    assert_false(reader_try(&trouble));
    assert_non_null(strstr(trouble.line, "3 of the driver's devices"));
    assert_non_null(strstr(trouble.line, "no directories"));
    tree_run("mkdir -p sys/real/neuron_core0 && ln -s ../../real sys/class/neuron_device/neuron3");
    reader_open();
    assert_int_equal(reader_tick(0)->chip_count, 1);
}

static void test_64_devices(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 64; n++)
        tree_device(n, 8);
    reader_open();
    const struct host *host = reader_tick(0);
    assert_int_equal(host->chip_count, 64);
    assert_int_equal(host->core_count, 512);
    assert_int_equal(host->cores[511].index, 511);
    assert_int_equal(host->cores[511].memory_used_bytes.value, 8000);
    assert_int_equal(host->chips[63].memory_used_bytes.value, 36000);
}

// Devices 1 and 5 only: indices stay those of the whole host.
static void test_gaps(void **state)
{
    (void)state;
    tree_device(5, 8);
    tree_device(1, 8);
    reader_open();
    const struct host *host = reader_tick(0);
    assert_int_equal(host->chip_count, 2);
    assert_int_equal(host->chips[0].index, 1);
    assert_int_equal(host->chips[1].index, 5);
    assert_int_equal(host->cores[0].index, 8);
    assert_int_equal(host->cores[8].index, 40);
    assert_int_equal(host->cores[8].chip, 1);
}

static void test_device_goes_and_comes_back(void **state)
{
    (void)state;
    tree_device(0, 2);
    tree_device(1, 2);
    reader_open();
    reader_tick(0);
    assert_int_equal(reader_tick(1)->chip_count, 2);
    tree_run("mv " DEVICES "neuron1 .");
    const struct host *host = reader_tick(1);
    assert_int_equal(host->chip_count, 1);
    assert_int_equal(host->core_count, 2);
    assert_int_equal(reader_status().state, SOURCE_LIVE);
    tree_run("mv neuron1 " DEVICES);
    // in the first second its files are left alone
    assert_int_equal(reader_tick(1)->chip_count, 1);
    host = reader_tick(1);
    assert_int_equal(host->chip_count, 2);
    assert_int_equal(host->cores[3].memory_used_bytes.value, 2000);
    assert_false(known_f64(host->cores[3].utilization_percent)); // its counters begin anew
    assert_true(known_f64(host->cores[1].utilization_percent));
}

static void test_driver_goes_and_comes_back(void **state)
{
    (void)state;
    tree_device(0, 2);
    reader_open();
    reader_tick(0);
    tree_run("mv sys gone");
    const struct host *host = reader_tick(1);
    assert_int_equal(host->chip_count, 0);
    assert_int_equal(host->core_count, 0);
    assert_null(host->versions.driver);
    assert_int_equal(reader_status().state, SOURCE_LOST);
    tree_run("mv gone sys");
    reader_tick(1);
    host = reader_tick(2);
    assert_int_equal(host->core_count, 2);
    assert_int_equal(reader_status().state, SOURCE_LIVE);
}

// Nothing moves the facts that a sound file gives, and a damaged one is unknown.
static void check_memory(bool known, uint64_t value)
{
    const struct host *host = reader_tick(1);
    assert_int_equal(known_u64(host->cores[0].memory_used_bytes), known);
    if (known)
        assert_int_equal(host->cores[0].memory_used_bytes.value, value);
    assert_int_equal(known_u64(host->chips[0].memory_used_bytes), known);
    assert_int_equal(host->cores[1].memory_used_bytes.value, 2000);
}

static void test_damaged_values(void **state)
{
    (void)state;
    static char huge[100000];
    memset(huge, '7', sizeof(huge));
    tree_device(0, 2);
    reader_open();
    check_memory(true, 1000);
    static const struct {
        const char *bytes;
        size_t size;
    } damaged[] = {
        {"", 0},
        {"\n", 1},
        {"12", 2}, // its line feed is still to be written
        {"-5\n", 3},
        {"12\0"
         "34\n",
         6},
        {"\x80\xff\x1b[2J\n", 7},
        {"18446744073709551616\n", 21},
        {"18446744073709500000\n", 21}, // wrapped
        {huge, sizeof(huge)},
    };
    for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
        tree_write_bytes(CORE0 "memory_usage/device_mem/total", damaged[i].bytes, damaged[i].size);
        check_memory(false, 0);
        tree_write(CORE0 "memory_usage/device_mem/total", "4096\n");
        check_memory(true, 4096);
    }
}

static void test_unreadable_files(void **state)
{
    (void)state;
    tree_device(0, 2);
    tree_run("rm " CORE0 "memory_usage/device_mem/total && "
             "mkdir " CORE0 "memory_usage/device_mem/total");
    tree_write(DEVICES "neuron0/info/serial_number", "\n");
    tree_run("ln -s /dev/zero " CORE0 "memory_usage/device_mem/peak"); // no link is followed
    reader_open();
    check_memory(false, 0);
    assert_null(reader_tick(1)->chips[0].serial);
}

static void test_counters_that_fall(void **state)
{
    (void)state;
    tree_device(0, 1);
    tree_write(CORE0 "other_info/nc_time_in_use/total", "5000000\n");
    reader_open();
    reader_tick(0);
    tree_write(CORE0 "other_info/nc_time_in_use/total", "5500000\n");
    assert_float_equal(reader_tick(1)->cores[0].utilization_percent.value, 50, 0.001);
    tree_write(CORE0 "other_info/nc_time_in_use/total", "0\n"); // root zeroed it
    assert_false(known_f64(reader_tick(1)->cores[0].utilization_percent));
    tree_write(CORE0 "other_info/nc_time_in_use/total", "250000\n");
    assert_float_equal(reader_tick(1)->cores[0].utilization_percent.value, 25, 0.001);
    tree_write(CORE0 "other_info/nc_time_in_use/total", "9250000\n"); // two executions at once
    assert_float_equal(reader_tick(1)->cores[0].utilization_percent.value, 100, 0.001);
}

static void test_unknown_extra_files(void **state)
{
    (void)state;
    tree_device(0, 2);
    tree_write(DEVICES "neuron0/quantum/flux_capacity", "88\n");
    tree_write(CORE0 "status/sub_space_error/total", "3\n");
    tree_write(CORE0 "new_metric_17/total", "3\n");
    tree_write(DEVICES "neuron0/a/b/c/d/e/f/g/h/i/nc_time_in_use/total", "3\n");
    tree_write(DEVICES "neuron0/power/utilization", "the kernel's own\n");
    tree_run("ln -s . " DEVICES "neuron0/loop; ln -s / " DEVICES "neuron0/everything");
    reader_open();
    const struct host *host = reader_tick(0);
    assert_int_equal(host->core_count, 2);
    assert_int_equal(host->cores[0].memory_used_bytes.value, 1000);
    assert_false(known_f64(host->chips[0].power_percent));
}

// A tree as a driver to come might have it: found by the last names, or not at all when two fit.
static void test_layout_to_come(void **state)
{
    (void)state;
    tree_write("sys/module/neuron/version", "2.31.7.0\n");
    tree_write(DEVICES "neuron0/identity/device_name", "Trainium2\n");
    tree_write(DEVICES "neuron0/sensors/utilization",
               "POWER_STATUS_VALID,1764499980,0.43,31.47,17.54\n");
    tree_write(DEVICES "neuron0/load/utilization", "57\n"); // says nothing of power
    tree_write(DEVICES "neuron0/cores/3/memory/device_mem/total", "4096\n");
    tree_write(DEVICES "neuron0/cores/3/memory/device_mem/tensors/total", "4096\n");
    tree_write(DEVICES "neuron0/cores/3/usage/nc_time_in_use", "1000000\n");
    tree_write(DEVICES "neuron0/cores/3/usage/flop_count/total", "5\n");
    tree_write(DEVICES "neuron0/cores/3/old/flop_count/total", "7\n");
    reader_open();
    reader_tick(0);
    tree_write(DEVICES "neuron0/cores/3/usage/nc_time_in_use", "1400000\n");
    const struct host *host = reader_tick(1);
    assert_int_equal(host->core_count, 1);
    assert_int_equal(host->cores[0].place, 3);
    assert_int_equal(host->cores[0].memory_used_bytes.value, 4096);
    assert_int_equal(host->cores[0].memory[MEM_TENSORS].value, 4096);
    assert_float_equal(host->cores[0].utilization_percent.value, 40, 0.001);
    assert_false(known_f64(host->cores[0].flops_per_second)); // which of the two?
    assert_float_equal(host->chips[0].power_percent.value, 17.54, 1e-9);
    tree_run("rm -r " DEVICES "neuron0/cores/3/usage/nc_time_in_use");
    reader_close();
    reader_open();
    reader_tick(0);
    assert_non_null(strstr(reader_status().detail, "driver 2.31.7.0"));
    assert_non_null(strstr(reader_status().detail, "nc_time_in_use not found"));
}

static void test_versions_by_number(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        bool live;
    } versions[] = {{"2.9.4.0\n", false}, {"2.29.0.0\n", false}, {"2.30.0.0\n", true},
                    {"2.100.1\n", true},  {"3.0\n", true},       {"nonsense\n", false}};
    tree_device(0, 1);
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        tree_write("sys/module/neuron/version", versions[i].version);
        reader_open();
        reader_tick(0);
        assert_int_equal(known_f64(reader_tick(1)->cores[0].utilization_percent), versions[i].live);
        reader_close();
    }
    // no version, but a file that came with live counters
    tree_run("rm sys/module/neuron/version");
    tree_write(DEVICES "neuron0/stats/hardware/mem_ecc_corrected", "0\n");
    reader_open();
    reader_tick(0);
    assert_true(known_f64(reader_tick(1)->cores[0].utilization_percent));
}

static void test_health_of_2_28(void **state)
{
    (void)state;
    tree_device(0, 1);
    tree_device(1, 1);
    tree_write(DEVICES "neuron0/stats/hardware/health_status/hbm_ecc_err_count", "0\n");
    tree_write(DEVICES "neuron0/stats/hardware/health_status/sram_ecc_err_count", "0\n");
    tree_write(DEVICES "neuron1/stats/hardware/health_status/hbm_ecc_err_count", "0\n");
    tree_write(DEVICES "neuron1/stats/hardware/health_status/sram_ecc_err_count", "2\n");
    tree_write(DEVICES "neuron1/stats/hardware/health_status/repairable_hbm_ecc_err_count", "1\n");
    reader_open();
    const struct host *host = reader_tick(0);
    assert_int_equal(host->chips[0].health, HEALTH_HEALTHY);
    assert_int_equal(host->chips[1].health, HEALTH_UNHEALTHY);
    assert_string_equal(host->chips[1].health_detail, "SRAM errors: 2, repairable HBM errors: 1");
}

static void test_power_without_numbers(void **state)
{
    (void)state;
    char now[80];
    tree_device(0, 1);
    tree_write(DEVICES "neuron0/stats/power/utilization",
               "POWER_STATUS_NO_DATA,0,0.00,0.00,0.00\n");
    reader_open();
    const struct host *host = reader_tick(0);
    assert_false(known_f64(host->chips[0].power_percent));
    assert_string_equal(host->chips[0].power_detail, "no data");
    snprintf(now, sizeof(now), "POWER_STATUS_VALID,%ld,0.00,0.00,0.00\n", (long)time(NULL) - 30);
    tree_write(DEVICES "neuron0/stats/power/utilization", now);
    host = reader_tick(1);
    assert_true(known_f64(host->chips[0].power_percent));
    assert_false(host->chips[0].power_percent.stale);
    assert_float_equal(host->chips[0].power_percent.value, 0, 1e-9);
    assert_float_equal(host->chips[0].power_age_seconds.value, 30, 5);
}

// In a container only devices with a node count, by the node's number (field case F-24).
static void test_nodes_of_a_container(void **state)
{
    (void)state;
    char path[512];
    for (unsigned n = 0; n < 4; n++)
        tree_device(n, 2);
    tree_write(DEVICES "neuron0/dev", "240:0\n");
    tree_run("mkdir dev");
    snprintf(path, sizeof(path), "%s/dev/neuron0", tree_root());
    if (mknod(path, S_IFCHR | 0600, makedev(240, 2)) != 0)
        skip();
    snprintf(path, sizeof(path), "%s/dev/other", tree_root());
    assert_int_equal(mknod(path, S_IFCHR | 0600, makedev(241, 1)), 0);
    reader_open();
    const struct host *host = reader_tick(0);
    assert_int_equal(host->chip_count, 1);
    assert_int_equal(host->chips[0].index, 2);
    assert_string_equal(host->chips[0].node, "neuron0");
    assert_int_equal(host->cores[0].index, 16);
    assert_non_null(strstr(reader_status().detail, "1 device, 0-1,3 on host, not mapped here"));
}

// Chips and cores that an earlier reader made: only what it lacks is added.
static void test_beside_another_reader(void **state)
{
    (void)state;
    tree_device(0, 2);
    tree_device(2, 2);
    tree_write(DEVICES "neuron0/info/serial_number", "00f1ca5e1000a000\n");
    struct sysfs *sysfs = reader_open();
    reader_tick(0);
    struct host *host = host_new();
    struct chip chips[2] = {{.index = 0}, {.index = 3}};
    struct core cores[2] = {{.index = 0, .chip = 0}, {.index = 4, .chip = 1}};
    chips[0].memory_used_bytes = fact_u64(77, FROM_MONITOR);
    host->chips = chips;
    host->cores = cores;
    host->chip_count = host->core_count = 2;
    host->numbering = NUMBERING_MONITOR;
    sysfs_fill(sysfs, host, sysfs->clock());
    assert_int_equal(host->chip_count, 3);
    assert_int_equal(host->chips[1].index, 2);
    assert_int_equal(host->core_count, 2);
    assert_int_equal(host->numbering, NUMBERING_MONITOR);
    assert_int_equal(host->cores[0].chip, 0);
    assert_int_equal(host->cores[1].chip, 2);
    assert_int_equal(host->chips[0].memory_used_bytes.value, 77);
    assert_string_equal(host->chips[0].serial, "00f1ca5e1000a000");
    host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nothing_there, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_class_files_are_no_devices, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_class_directory, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_only_directories_are_devices, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_64_devices, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_gaps, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_device_goes_and_comes_back, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_driver_goes_and_comes_back, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_damaged_values, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_unreadable_files, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_counters_that_fall, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_unknown_extra_files, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_layout_to_come, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_versions_by_number, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_health_of_2_28, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_power_without_numbers, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_nodes_of_a_container, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_beside_another_reader, tree_new, tree_remove),
    };
    return cmocka_run_group_tests_name("sysfs_life", tests, NULL, NULL);
}
