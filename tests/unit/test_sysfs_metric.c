// SPDX-License-Identifier: Apache-2.0
// Files are found in every layout that is known, and by their last names in layouts to come (driver
// reference 2.11, 2.12). Rates start anew when a counter does (2.4, 2.5).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "source/sysfs_metric.h"
#include "source/sysfs_rate.h"

static void expect(const char *path, enum sysfs_rank rank, int core, unsigned metric)
{
    struct sysfs_match match = sysfs_match(path);
    if (match.rank != rank || (rank != RANK_NONE && (match.core != core || match.metric != metric)))
        fprintf(stderr, "%s: rank %d core %d metric %u\n", path, (int)match.rank, match.core,
                match.metric);
    assert_int_equal(match.rank, rank);
    if (rank == RANK_NONE)
        return;
    assert_int_equal(match.core, core);
    assert_int_equal(match.metric, metric);
}

static unsigned event(enum core_event number)
{
    return CORE_EVENT_FIRST + number;
}

static void test_layout_of_2_8(void **state)
{
    (void)state;
    expect("neuron_core0/stats/memory_usage/device_mem/total", RANK_KNOWN, 0, CORE_MEMORY);
    expect("neuron_core7/stats/memory_usage/device_mem/peak", RANK_KNOWN, 7, CORE_MEMORY_PEAK);
    expect("neuron_core7/stats/memory_usage/device_mem/tensors/total", RANK_KNOWN, 7,
           CORE_CATEGORY_FIRST + MEM_TENSORS);
    expect("neuron_core7/stats/memory_usage/host_mem/total", RANK_KNOWN, 7, CORE_HOST_MEMORY);
    expect("neuron_core1/stats/other_info/nc_time_in_use/total", RANK_KNOWN, 1, CORE_TIME_IN_USE);
    expect("neuron_core1/stats/status/timeout/total", RANK_KNOWN, 1, event(EVENT_TIMEOUT));
    expect("neuron_core1/stats/tensor_engine/pe_cntrs", RANK_KNOWN, 1, CORE_TENSOR);
    expect("info/architecture/device_name", RANK_KNOWN, -1, CHIP_DEVICE_NAME);
    expect("info/serial_number", RANK_KNOWN, -1, CHIP_SERIAL);
    expect("stats/memory_usage/host_mem/tensors/total", RANK_KNOWN, -1, CHIP_HOST_FIRST);
    expect("stats/power/utilization", RANK_KNOWN, -1, CHIP_POWER);
    expect("stats/hardware/health_status/unhealthy_components", RANK_KNOWN, -1,
           CHIP_HEALTH_COMPONENTS);
    expect("connected_devices", RANK_KNOWN, -1, CHIP_CONNECTED);
    expect("fw_build", RANK_KNOWN, -1, CHIP_FW_BUILD);
}

static void test_not_metrics(void **state)
{
    (void)state;
    // "present" is the size of the last allocation, never an amount in use
    expect("neuron_core0/stats/memory_usage/device_mem/present", RANK_NONE, 0, 0);
    expect("neuron_core0/stats/memory_usage/device_mem/tensors/peak", RANK_NONE, 0, 0);
    expect("reset", RANK_NONE, 0, 0);
    expect("info/notify_delay", RANK_NONE, 0, 0);
    expect("dev", RANK_NONE, 0, 0);
    // of the device, not of a core
    expect("stats/memory_usage/device_mem/total", RANK_NONE, 0, 0);
    expect("neuron_core64/stats/memory_usage/device_mem/total", RANK_NONE, 0, 0);
    expect("neuron_core/stats/status/success/total", RANK_NONE, 0, 0);
    expect("a/b/c/d/e/f/g/h/i/j/k/nc_time_in_use/total", RANK_NONE, 0, 0);
}

static void test_layout_of_2_7(void **state)
{
    (void)state;
    expect("metrics/arch_type", RANK_LEAF, -1, CHIP_ARCH_TYPE);
    expect("metrics/neuron_core1/memory_usage/device_mem/total", RANK_KNOWN, 1, CORE_MEMORY);
    expect("metrics/neuron_core1/status/infer_completed_with_error/total", RANK_KNOWN, 1,
           event(EVENT_COMPLETED_WITH_ERROR));
    expect("metrics/neuron_core1/status/infer_completed_with_num_error/total", RANK_KNOWN, 1,
           event(EVENT_COMPLETED_WITH_NUM_ERROR));
    expect("metrics/neuron_core1/status/infer_failed_to_queue/total", RANK_KNOWN, 1,
           event(EVENT_FAILED_TO_QUEUE));
    expect("metrics/neuron_core1/other_info/reset_count/total", RANK_KNOWN, 1, event(EVENT_RESETS));
}

// Paths that nobody has seen: only the last names count.
static void test_layouts_to_come(void **state)
{
    (void)state;
    expect("neuron_core3/counters/nc_time_in_use/total", RANK_LEAF, 3, CORE_TIME_IN_USE);
    expect("neuron_core3/counters/nc_time_in_use", RANK_LEAF, 3, CORE_TIME_IN_USE);
    expect("cores/3/usage/flop_count/total", RANK_LEAF, 3, CORE_FLOPS);
    expect("die0/nc2/mem/device_mem/total", RANK_LEAF, 2, CORE_MEMORY);
    expect("die0/core_2/mem/device_mem/tensors/total", RANK_LEAF, 2,
           CORE_CATEGORY_FIRST + MEM_TENSORS);
    expect("neuron_core3/tensors/total", RANK_NONE, 0, 0); // of which memory?
    expect("health/mem_ecc_corrected", RANK_LEAF, -1, CHIP_MEM_CORRECTED);
    expect("sensors/utilization", RANK_LEAF, -1, CHIP_POWER);
}

static void test_rate_over_a_window(void **state)
{
    (void)state;
    struct sysfs_rate rate = {0};
    sysfs_rate_feed(&rate, 1000000, 10);
    assert_false(rate.known);
    sysfs_rate_feed(&rate, 1040000, 10.1); // too soon to tell
    assert_false(rate.known);
    sysfs_rate_feed(&rate, 2000000, 12);
    assert_true(rate.known);
    assert_float_equal(rate.per_second, 500000, 1e-6);
    // a long execution that adds its time at its end: the mean of four seconds, not 400 %
    for (int i = 1; i <= 3; i++)
        sysfs_rate_feed(&rate, 2000000, 12 + i);
    sysfs_rate_feed(&rate, 6000000, 16);
    assert_float_equal(rate.per_second, 1000000, 1e-6);
    // what was before the window is forgotten
    for (int i = 1; i <= 4; i++)
        sysfs_rate_feed(&rate, 6000000, 16 + i);
    assert_float_equal(rate.per_second, 0, 1e-6);
    assert_true(rate.known);
}

static void test_rate_at_a_high_pace(void **state)
{
    (void)state;
    struct sysfs_rate rate = {0};
    for (int i = 0; i <= 100; i++) // ten readings a second, half of the time in use
        sysfs_rate_feed(&rate, (uint64_t)i * 50000, i / 10.0);
    assert_true(rate.known);
    assert_float_equal(rate.per_second, 500000, 1);
    assert_true(rate.at[rate.count - 1] - rate.at[0] >= 3);
}

static void test_rate_of_a_counter_that_fell(void **state)
{
    (void)state;
    struct sysfs_rate rate = {0};
    sysfs_rate_feed(&rate, 9000000, 1);
    sysfs_rate_feed(&rate, 9500000, 2);
    assert_true(rate.known);
    sysfs_rate_feed(&rate, 100000, 3); // zeroed by root, or the driver was loaded again
    assert_false(rate.known);
    sysfs_rate_feed(&rate, 300000, 4);
    assert_true(rate.known);
    assert_float_equal(rate.per_second, 200000, 1e-6);
    sysfs_rate_feed(&rate, UINT64_MAX - 5, 5); // wrapped
    assert_false(rate.known);
    sysfs_rate_feed(&rate, 400000, 6);
    assert_false(rate.known);
    sysfs_rate_feed(&rate, 400000, 7);
    assert_true(rate.known);
    sysfs_rate_miss(&rate);
    assert_false(rate.known);
}

static void test_steps(void **state)
{
    (void)state;
    struct sysfs_step step = {0};
    sysfs_step_feed(&step, 10, 1);
    assert_true(step.read);
    assert_false(step.known);
    sysfs_step_feed(&step, 30, 5);
    assert_true(step.known);
    assert_float_equal(step.per_second, 5, 1e-9);
    sysfs_step_feed(&step, 31, 5.1); // too soon: the last rate stands
    assert_float_equal(step.per_second, 5, 1e-9);
    assert_int_equal(step.value, 31);
    sysfs_step_feed(&step, 2, 7);
    assert_false(step.known);
    assert_int_equal(step.value, 2);
    sysfs_step_feed(&step, SIZE_MAX, 8);
    assert_false(step.read || step.known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout_of_2_8),
        cmocka_unit_test(test_not_metrics),
        cmocka_unit_test(test_layout_of_2_7),
        cmocka_unit_test(test_layouts_to_come),
        cmocka_unit_test(test_rate_over_a_window),
        cmocka_unit_test(test_rate_at_a_high_pace),
        cmocka_unit_test(test_rate_of_a_counter_that_fell),
        cmocka_unit_test(test_steps),
    };
    return cmocka_run_group_tests_name("sysfs_metric", tests, NULL, NULL);
}
