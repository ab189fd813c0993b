// SPDX-License-Identifier: Apache-2.0
// The machine around the chips, from files of a folder.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "source/hostinfo.h"
#include "sysfs_tree.h"

static struct host *fill(const struct hostinfo *info)
{
    struct host *host = host_new();
    hostinfo_fill(info, host);
    return host;
}

static void test_cpu_and_memory(void **state)
{
    (void)state;
    tree_write("proc/stat", "cpu  100 20 50 800 10 5 15 0 0 0\ncpu0 50 10 25 400 5 2 8 0 0 0\n"
                            "cpu1 50 10 25 400 5 3 7 0 0 0\nintr 1 2 3\n");
    tree_write("proc/meminfo", "MemTotal:        2000 kB\nMemFree:          100 kB\n"
                               "MemAvailable:    1500 kB\nSwapTotal:        400 kB\n"
                               "SwapFree:          300 kB\n");
    tree_write("proc/sys/kernel/osrelease", "6.1.0-57-amd64\n");
    struct hostinfo *info = hostinfo_open(tree_root());
    hostinfo_sample(info);
    struct host *host = fill(info);
    assert_int_equal(host->machine.cpus.value, 2);
    assert_false(known_f64(host->machine.cpu_user_percent)); // one sample is no share
    host_free(host);
    // 1000 ticks more: 300 user and nice, 200 system with irq and waiting, 500 idle
    tree_write("proc/stat", "cpu  390 30 130 1300 90 25 35 0 0 0\ncpu0 0\ncpu1 0\nctxt 5\n");
    hostinfo_sample(info);
    host = fill(info);
    assert_float_equal(host->machine.cpu_user_percent.value, 30, 1e-9);
    assert_float_equal(host->machine.cpu_system_percent.value, 20, 1e-9);
    assert_int_equal(host->machine.memory_total_bytes.value, 2000 * 1024);
    assert_int_equal(host->machine.memory_used_bytes.value, 500 * 1024);
    assert_int_equal(host->machine.swap_used_bytes.value, 100 * 1024);
    assert_string_equal(host->machine.kernel, "6.1.0-57-amd64");
    assert_int_equal(host->machine.cpus.from, FROM_PROC);
    host_free(host);
    hostinfo_close(info);
}

static void test_nothing_there(void **state)
{
    (void)state;
    struct hostinfo *info = hostinfo_open(tree_root());
    hostinfo_sample(info);
    hostinfo_sample(info);
    struct host *host = fill(info);
    assert_false(known_u64(host->machine.cpus));
    assert_false(known_u64(host->machine.memory_used_bytes));
    assert_null(host->instance.type);
    assert_null(host->machine.kernel);
    host_free(host);
    hostinfo_close(info);
}

static void test_instance(void **state)
{
    (void)state;
    tree_write("sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
    tree_write("sys/class/dmi/id/product_name", "trn9.weird\n");
    tree_write("sys/class/dmi/id/board_asset_tag", "i-0123456789abcdef0\n");
    struct hostinfo *info = hostinfo_open(tree_root());
    struct host *host = fill(info);
    assert_string_equal(host->instance.type, "trn9.weird");
    assert_string_equal(host->instance.id, "i-0123456789abcdef0");
    host_free(host);
    hostinfo_close(info);
    // another maker's machine has no instance type
    tree_write("sys/devices/virtual/dmi/id/sys_vendor", "QEMU\n");
    tree_write("sys/devices/virtual/dmi/id/product_name", "Standard PC\n");
    tree_write("sys/devices/virtual/dmi/id/board_asset_tag", "unknown\n");
    info = hostinfo_open(tree_root());
    host = fill(info);
    assert_null(host->instance.type);
    assert_null(host->instance.id);
    host_free(host);
    hostinfo_close(info);
}

static void test_pci(void **state)
{
    (void)state;
    struct pci_place place;
    char bdf[20];
    tree_write("sys/bus/pci/devices/0000:cc:00.0/numa_node", "1\n");
    tree_write("sys/bus/pci/devices/0000:cc:00.0/local_cpulist", "48-95,144-191\n");
    tree_write("sys/bus/pci/devices/0000:cd:00.0/numa_node", "-1\n");
    tree_write("sys/bus/pci/drivers/neuron-driver/0000:cc:00.0/x", "");
    tree_write("sys/bus/pci/drivers/neuron-driver/bind", "");
    assert_true(pci_place_read(&place, tree_root(), "0000:cc:00.0"));
    assert_true(place.has_node);
    assert_int_equal(place.numa_node, 1);
    assert_string_equal(place.cpus, "48-95,144-191");
    assert_false(pci_place_read(&place, tree_root(), "0000:cd:00.0"));
    assert_false(pci_place_read(&place, tree_root(), "../../../../x"));
    assert_true(pci_single_function(tree_root(), bdf, sizeof(bdf)));
    assert_string_equal(bdf, "0000:cc:00.0");
    tree_write("sys/bus/pci/drivers/neuron-driver/0000:cd:00.0/x", "");
    assert_false(pci_single_function(tree_root(), bdf, sizeof(bdf)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cpu_and_memory, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_nothing_there, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_instance, tree_new, tree_remove),
        cmocka_unit_test_setup_teardown(test_pci, tree_new, tree_remove),
    };
    return cmocka_run_group_tests_name("hostinfo", tests, NULL, NULL);
}
