// SPDX-License-Identifier: Apache-2.0
// The device reader against a stand-in driver: what it learns, that it asks once and leaves nothing
// open, when it opens nothing at all, and what it makes of every failure (driver reference 8, 11).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/arena.h"
#include "host/host.h"
#include "source/source.h"
#include "under_shim.h"

static struct source_options options;
static struct source source;
static struct trouble trouble;

static bool start(void)
{
    options = (struct source_options){.root = "", .delay_seconds = 1};
    source = (struct source){.ops = &source_device, .options = &options};
    trouble.line[0] = '\0';
    return source_device.open(&source, &trouble);
}

// The program waits between two readings: nothing may be open then.
static enum source_event work(double now)
{
    enum source_event event = source_device.work(&source, now);
    poll(NULL, 0, 0);
    return event;
}

static struct source_status status(void)
{
    struct source_status result = {.name = "device"};
    source_device.status(&source, 1000, &result);
    return result;
}

static struct host *filled(void)
{
    struct host *host = host_new();
    source_device.fill(&source, host, 1000);
    return host;
}

// Nodes of the test are new, so they settle for a second before they are asked.
static void start_and_ask(void)
{
    assert_true(start());
    work(100);
    work(101.5);
}

static void finish(void)
{
    source_device.close(&source);
    assert_string_equal(shim_log(), "");
}

static void test_a_trainium2_host(void **state)
{
    (void)state;
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 16);
    start_and_ask();
    assert_int_equal(status().state, SOURCE_LIVE);
    assert_non_null(strstr(status().detail, "16 of 16 devices asked once, runtime API 10..11"));
    struct host *host = filled();
    assert_int_equal(host->versions.compat_min.value, 10);
    assert_int_equal(host->versions.compat_max.value, 11);
    assert_int_equal(host->versions.compat_max.from, FROM_DEVICE);
    assert_int_equal(host->versions.driver_features.value, 0xff);
    assert_int_equal(host->chip_count, 16);
    assert_int_equal(host->hardware.generation->id, GEN_TRN2);
    assert_string_equal(host->chips[0].pci, "0000:00:04.0");
    assert_string_equal(host->chips[1].pci, "0000:00:0c.0"); // PCI order is not device order
    assert_string_equal(host->chips[15].pci, "0000:00:09.0");
    assert_int_equal(host->chips[0].numa_node.value, 0);
    assert_int_equal(host->chips[1].numa_node.value, 1);
    assert_string_equal(host->chips[1].cpu_affinity, "48-95,144-191");
    assert_int_equal(host->core_map.count, 128);
    assert_int_equal(host->core_map.places[0].physical, 4);
    assert_int_equal(host->core_map.places[127].chip, 15);
    assert_int_equal(host->core_map.places[127].physical, 3);
    host_free(host);
    finish();
}

static void test_a_trainium_host_has_no_map(void **state)
{
    (void)state;
    setenv("NEUTOP_SHIM_CHIP", "v2", 1);
    shim_host("trn1.32xlarge\n", "2.24.7.0\n", 16);
    start_and_ask();
    struct host *host = filled();
    assert_int_equal(host->versions.compat_min.value, 5);
    assert_int_equal(host->versions.compat_max.value, 7);
    assert_string_equal(host->chips[2].pci, "0000:00:0a.0");
    assert_int_equal(host->core_map.count, 0);
    assert_null(strstr(shim_done(), "NC_MAP")); // it would answer 524
    host_free(host);
    finish();
}

static void test_asked_once(void **state)
{
    (void)state;
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 4);
    assert_true(start());
    assert_int_equal(status().state, SOURCE_STARTING);
    assert_int_equal(work(100), SOURCE_NEW);
    assert_string_equal(shim_done(), ""); // a node of this second
    assert_true(source_device.deadline(&source) <= 101);
    assert_int_equal(work(101.5), SOURCE_NEW);
    assert_int_equal(shim_times(shim_done(), "open "), 4);
    assert_int_equal(shim_times(shim_done(), "close "), 4);
    assert_int_equal(shim_times(shim_done(), "DEVICE_BDF_EXT "), 4);
    assert_int_equal(shim_times(shim_done(), "COMPATIBLE_VERSION "), 1);
    assert_int_equal(shim_times(shim_done(), "NC_MAP "), 1);
    size_t length = strlen(shim_done());
    for (double now = 102; now < 200; now += 1)
        assert_int_equal(work(now), SOURCE_QUIET);
    assert_int_equal(strlen(shim_done()), length);
    finish();
}

static void test_hosts_on_which_nothing_is_opened(void **state)
{
    (void)state;
    static const struct {
        const char *type, *version, *file, *content, *why;
    } hosts[] = {
        {"trn2u.48xlarge", "2.24.7.0\n", NULL, NULL, "UltraServer"},
        {"trn2p.48xlarge", "2.24.7.0\n", NULL, NULL, "UltraServer"},
        {"trn2eu.48xlarge", "2.24.7.0\n", NULL, NULL, "UltraServer"},
        {"trn3.48xlarge", "2.30.2.0\n", NULL, NULL, "UltraServer"},
        {"trn3pds98.3xlarge", "2.30.2.0\n", NULL, NULL, "UltraServer"},
        // the driver knows better than the name
        {"trn2.48xlarge", "2.24.7.0\n", "/sys/class/neuron_device/ultraserver_mode", "1,2,3,4\n",
         "UltraServer"},
        {"trn2.48xlarge", "2.24.7.0\n", "/sys/class/neuron_device/node_id_4", "2\n", "UltraServer"},
        {"trn2.48xlarge", "2.24.7.0\n", "/sys/class/neuron_device/node_id_2", "busy\n",
         "UltraServer"},
        {"trn2.48xlarge", "2.30.2.0\n", "/sys/class/neuron_device/node_id", "0\n", "UltraServer"},
        {"", "2.24.7.0\n", NULL, NULL, "cannot be ruled out"},
        {"trn9.48xlarge", "2.24.7.0\n", NULL, NULL, "cannot be ruled out"},
        {"trn2x.48xlarge", "2.24.7.0\n", NULL, NULL, "cannot be ruled out"},
        {"", "2.24.7.0\n",
         "/sys/devices/virtual/neuron_device/neuron0/info/architecture/device_name", "Trainium2\n",
         "cannot be ruled out"},
        {"trn1.32xlarge", "2.7.15.0\n", NULL, NULL, "2.7.15.0"},
    };
    for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
        shim_host(hosts[i].type, hosts[i].version, 2);
        if (hosts[i].file != NULL)
            shim_put(hosts[i].file, hosts[i].content);
        start_and_ask();
        for (double now = 103; now < 120; now++)
            work(now);
        assert_string_equal(shim_done(), "");
        assert_int_equal(status().state, SOURCE_ABSENT);
        assert_non_null(strstr(status().detail, hosts[i].why));
        assert_true(source_device.deadline(&source) > 119); // and no busy loop
        finish();
        if (hosts[i].file != NULL)
            shim_put(hosts[i].file, NULL);
    }
}

static void test_hosts_that_are_known_by_other_means(void **state)
{
    (void)state;
    // no DMI; the chip is of a kind of which no UltraServer is made
    shim_host("", "2.24.7.0\n", 1);
    shim_put("/sys/devices/virtual/neuron_device/neuron0/info/architecture/device_name",
             "Inferentia2\n");
    start_and_ask();
    assert_int_equal(shim_times(shim_done(), "open "), 1);
    finish();
    // an unknown name, and the driver says that it is none
    shim_host("trn2n.48xlarge\n", "2.24.7.0\n", 1);
    shim_put("/sys/devices/virtual/neuron_device/neuron0/info/architecture/device_name",
             "Trainium2\n");
    shim_put("/sys/class/neuron_device/ultraserver_mode", "\n");
    shim_put("/sys/class/neuron_device/node_id_2", "-1\n");
    start_and_ask();
    assert_int_equal(shim_times(shim_done(), "open "), 2);
    finish();
}

static void test_older_drivers_are_asked_what_they_know(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        unsigned maps, pods, states;
    } drivers[] = {{"2.18.12.0\n", 0, 0, 0},
                   {"2.20.28.0\n", 1, 1, 0},
                   {"2.23.9.0\n", 1, 1, 1},
                   {"2.31.7.0\n", 1, 1, 1},
                   {"unknown\n", 0, 0, 0}};
    for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
        shim_put("/done", NULL);
        shim_host("trn2.3xlarge\n", drivers[i].version, 1);
        start_and_ask();
        assert_int_equal(shim_times(shim_done(), "COMPATIBLE_VERSION "), 1);
        assert_int_equal(shim_times(shim_done(), "NC_MAP "), drivers[i].maps);
        assert_int_equal(shim_times(shim_done(), "POD_INFO "), drivers[i].pods);
        assert_int_equal(shim_times(shim_done(), "POD_STATUS_V2 "), drivers[i].states);
        finish();
    }
}

static void test_below_root_and_without_driver(void **state)
{
    (void)state;
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 1);
    options = (struct source_options){.root = "/tmp/tree"};
    source = (struct source){.ops = &source_device, .options = &options};
    assert_false(source_device.open(&source, &trouble));
    assert_non_null(strstr(trouble.line, "--root"));
    shim_node("neuron0", -1);
    assert_false(start());
    assert_non_null(strstr(trouble.line, "no node"));
    // a block device of that name is another thing
    shim_put("/proc/devices", "Character devices:\n  1 mem\n\nBlock devices:\n246 neuron\n");
    shim_node("neuron0", 0);
    assert_false(start());
    assert_non_null(strstr(trouble.line, "not loaded"));
    assert_string_equal(shim_done(), "");
    assert_string_equal(shim_log(), "");
}

static void test_no_right_to_open(void **state)
{
    (void)state;
    char path[4096];
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 2);
    setenv("NEUTOP_SHIM_FAULTS", "open=errno:13", 1);
    start_and_ask();
    assert_int_equal(status().state, SOURCE_DENIED);
    assert_string_equal(status().detail,
                        "/dev/neuron0: open: Permission denied (mode 0666, group 0)");
    for (double now = 102; now < 130; now++)
        work(now);
    assert_string_equal(shim_done(), ""); // not tried again and again
    // the node's rights were changed: it is asked
    unsetenv("NEUTOP_SHIM_FAULTS");
    for (unsigned i = 0; i < 2; i++) {
        snprintf(path, sizeof(path), "%s/dev/neuron%u", shim_root(), i);
        assert_int_equal(chmod(path, 01660), 0);
    }
    work(141);
    work(142.5);
    assert_int_equal(status().state, SOURCE_LIVE);
    finish();
}

static void test_some_devices_denied(void **state)
{
    (void)state;
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 4);
    setenv("NEUTOP_SHIM_FAULTS", "open@0=errno:1;open@3=errno:13", 1);
    start_and_ask();
    assert_int_equal(status().state, SOURCE_LIVE);
    assert_non_null(strstr(status().detail, "2 of 4 devices"));
    assert_non_null(strstr(status().detail, "/dev/neuron0: open: Operation not permitted"));
    struct host *host = filled();
    assert_int_equal(host->versions.compat_max.value, 11); // the next device told it
    assert_null(host->chips[0].pci);
    assert_non_null(host->chips[1].pci);
    host_free(host);
    finish();
}

static void test_busy_is_tried_again(void **state)
{
    (void)state;
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 1);
    setenv("NEUTOP_SHIM_FAULTS", "open=errno:16", 1);
    start_and_ask();
    assert_int_equal(status().state, SOURCE_STARTING);
    unsetenv("NEUTOP_SHIM_FAULTS");
    work(102);
    assert_string_equal(shim_done(), ""); // not at once
    work(107);
    assert_int_equal(status().state, SOURCE_LIVE);
    finish();

    shim_put("/done", NULL);
    setenv("NEUTOP_SHIM_FAULTS", "open=errno:16", 1);
    start_and_ask();
    for (double now = 102; now < 160; now++)
        work(now);
    assert_int_equal(status().state, SOURCE_ABSENT);
    assert_string_equal(status().detail, "/dev/neuron0: open: Device or resource busy");
    unsetenv("NEUTOP_SHIM_FAULTS");
    work(170);
    assert_string_equal(shim_done(), "");
    finish();
}

// Each call fails in each way: its fact is unknown, the others are there.
static void test_failing_calls(void **state)
{
    (void)state;
    static const char *const calls[] = {"COMPATIBLE_VERSION", "DEVICE_BASIC_INFO",
                                        "DRIVER_INFO_GET",    "DEVICE_BDF_EXT",
                                        "POD_INFO",           "GET_LOGICAL_TO_PHYSICAL_NC_MAP"};
    static const char *const ways[] = {"errno:524", "errno:22", "errno:14", "result:8",
                                       "result:1028"};
    static const char *const words[] = {"not supported by the driver", "Invalid argument",
                                        "Bad address", "answered 8 instead of 0",
                                        "answered 1028 instead of 0"};
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 1);
    for (size_t c = 0; c < sizeof(calls) / sizeof(calls[0]); c++)
        for (size_t w = 0; w < sizeof(ways) / sizeof(ways[0]); w++) {
            char faults[128];
            snprintf(faults, sizeof(faults), "%s=%s", calls[c], ways[w]);
            setenv("NEUTOP_SHIM_FAULTS", faults, 1);
            start_and_ask();
            struct host *host = filled();
            assert_int_equal(status().state, SOURCE_LIVE);
            assert_non_null(strstr(status().detail, words[w]));
            assert_int_equal(known_u64(host->versions.compat_min), c != 0);
            assert_int_equal(known_u64(host->versions.driver_features), c != 2);
            assert_int_equal(host->chips[0].pci != NULL, c != 3);
            // without the architecture the map is not asked for
            assert_int_equal(host->core_map.count, c == 1 || c == 5 ? 0 : 128);
            host_free(host);
            finish();
        }
}

static void test_part_of_a_pod_after_all(void **state)
{
    (void)state;
    static const char *const faults[] = {"", "POD_STATUS_V2=errno:16"};
    static const char *const pods[] = {"1", "0"};
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 8);
    for (size_t i = 0; i < 2; i++) {
        shim_put("/done", NULL);
        setenv("NEUTOP_SHIM_POD", pods[i], 1);
        setenv("NEUTOP_SHIM_FAULTS", faults[i], 1);
        start_and_ask();
        for (double now = 103; now < 110; now++)
            work(now);
        assert_int_equal(shim_times(shim_done(), "open "), 1);
        assert_null(strstr(shim_done(), "NC_MAP"));
        assert_int_equal(status().state, SOURCE_ABSENT);
        assert_non_null(strstr(status().detail, "UltraServer"));
        finish();
    }
}

static void test_devices_of_a_container(void **state)
{
    (void)state;
    char path[4096];
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 16);
    for (int i = 0; i < 16; i++) {
        snprintf(path, sizeof(path), "neuron%d", i);
        shim_node(path, -1);
    }
    shim_node("neuron0", 5); // renamed from 0 upward
    shim_node("accelerator", 7);
    shim_put("/dev/neuron9", "a plain file");
    start_and_ask();
    struct host *host = filled();
    assert_int_equal(host->chip_count, 2);
    assert_int_equal(host->chips[0].index, 5);
    assert_string_equal(host->chips[0].pci, "0000:00:0e.0");
    assert_int_equal(host->chips[1].index, 7);
    assert_string_equal(host->chips[1].pci, "0000:00:07.0");
    assert_int_equal(host->core_map.count, 128); // of the host, whatever is mapped
    host_free(host);
    // where an earlier reader knows chips, none is added
    host = host_new();
    host->chips = ARENA_ARRAY(host->arena, 1, struct chip);
    host->chips[0].index = 7;
    host->chip_count = 1;
    source_device.fill(&source, host, 1000);
    assert_int_equal(host->chip_count, 1);
    assert_string_equal(host->chips[0].pci, "0000:00:07.0");
    host_free(host);
    finish();
}

static void test_facts_of_others_stay(void **state)
{
    (void)state;
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 1);
    start_and_ask();
    struct host *host = host_new();
    host->chips = ARENA_ARRAY(host->arena, 1, struct chip);
    host->chip_count = 1;
    host->chips[0].pci = "0000:cc:00.0";
    host->versions.compat_min = fact_u64(1, FROM_MONITOR);
    host->versions.compat_max = fact_u64(2, FROM_MONITOR);
    source_device.fill(&source, host, 1000);
    assert_string_equal(host->chips[0].pci, "0000:cc:00.0");
    assert_false(known_u64(host->chips[0].numa_node)); // of another function
    assert_int_equal(host->versions.compat_max.value, 2);
    host_free(host);
    finish();
}

static void test_devices_come_and_go(void **state)
{
    (void)state;
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 3);
    shim_node("neuron2", -1);
    start_and_ask();
    assert_int_equal(shim_times(shim_done(), "open "), 2);
    shim_node("neuron2", 2);
    work(103);
    assert_int_equal(shim_times(shim_done(), "open "), 2); // not in its first second
    work(104.5);
    assert_int_equal(shim_times(shim_done(), "open "), 3);
    assert_int_equal(shim_times(shim_done(), "COMPATIBLE_VERSION"), 1);
    shim_node("neuron0", -1);
    assert_int_equal(work(115), SOURCE_NEW);
    struct host *host = filled();
    assert_int_equal(host->chip_count, 2);
    assert_int_equal(host->chips[0].index, 1);
    host_free(host);
    // all gone, then another driver: everything is asked again
    shim_node("neuron1", -1);
    shim_node("neuron2", -1);
    work(126);
    assert_int_equal(status().state, SOURCE_ABSENT);
    assert_string_equal(status().detail, "no device node in /dev");
    host = filled();
    assert_int_equal(host->chip_count, 0);
    assert_false(known_u64(host->versions.compat_max));
    host_free(host);
    shim_node("neuron0", 0);
    work(137);
    work(138.5);
    assert_int_equal(shim_times(shim_done(), "COMPATIBLE_VERSION"), 2);
    finish();
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void test_slow_answers_hold_up_nobody(void **state)
{
    (void)state;
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 64);
    setenv("NEUTOP_SHIM_FAULTS", "DEVICE_BDF_EXT=slow:5", 1);
    assert_true(start());
    work(100);
    unsigned visits = 0;
    for (double now = 101.5; shim_times(shim_done(), "close ") < 64 && visits < 100; visits++) {
        double before = seconds();
        assert_int_equal(work(now), SOURCE_NEW);
        assert_true(seconds() - before < 0.5); // 64 in one go would be 0.32 s and more
    }
    assert_in_range(visits, 4, 64);
    assert_int_equal(work(102), SOURCE_QUIET);
    struct host *host = filled();
    assert_int_equal(host->chip_count, 64);
    assert_string_equal(host->chips[63].pci, "0000:03:09.0");
    host_free(host);
    finish();
}

int main(int argc, char **argv)
{
    (void)argc;
    under_shim(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_trainium2_host, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_a_trainium_host_has_no_map, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_asked_once, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_hosts_on_which_nothing_is_opened, shim_setup,
                                        shim_teardown),
        cmocka_unit_test_setup_teardown(test_hosts_that_are_known_by_other_means, shim_setup,
                                        shim_teardown),
        cmocka_unit_test_setup_teardown(test_older_drivers_are_asked_what_they_know, shim_setup,
                                        shim_teardown),
        cmocka_unit_test_setup_teardown(test_below_root_and_without_driver, shim_setup,
                                        shim_teardown),
        cmocka_unit_test_setup_teardown(test_no_right_to_open, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_some_devices_denied, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_busy_is_tried_again, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_failing_calls, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_part_of_a_pod_after_all, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_devices_of_a_container, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_facts_of_others_stay, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_devices_come_and_go, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_slow_answers_hold_up_nobody, shim_setup,
                                        shim_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
