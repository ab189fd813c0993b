// SPDX-License-Identifier: Apache-2.0
// Rings of past values: order, unknown values, growth, and no allocation in the steady state.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <malloc.h>
#include <math.h>

#include "base/arena.h"
#include "host/history.h"

static struct host *host_of(unsigned chips, unsigned cores, double value)
{
    struct host *host = host_new();
    host->chip_count = chips;
    host->chips = ARENA_ARRAY(host->arena, chips, struct chip);
    host->core_count = cores;
    host->cores = ARENA_ARRAY(host->arena, cores, struct core);
    for (unsigned i = 0; i < chips; i++) {
        host->chips[i].index = i;
        host->chips[i].utilization_percent = fact_f64(value + i, FROM_DEMO);
        host->chips[i].memory_total_bytes = fact_u64(1000, FROM_DEMO);
        host->chips[i].memory_used_bytes = fact_u64(100 * (i + 1), FROM_DEMO);
    }
    for (unsigned i = 0; i < cores; i++)
        host->cores[i].utilization_percent = fact_f64(value + 10 * i, FROM_DEMO);
    return host;
}

static void feed(struct history *history, unsigned chips, unsigned cores, double value)
{
    struct host *host = host_of(chips, cores, value);
    history_feed(history, host);
    host_free(host);
}

static void check_newest(const struct history *history, enum series_kind kind, unsigned which,
                         double expected)
{
    float value = -1;
    assert_int_equal(history_read(history, kind, which, &value, 1), 1);
    if (isnan(expected))
        assert_true(isnan(value));
    else
        assert_float_equal(value, expected, 1e-4);
}

static void a_new_history_is_empty(void **state)
{
    (void)state;
    float values[4];
    struct history *history = history_new();
    assert_int_equal(history_read(history, SERIES_UTILIZATION, 0, values, 4), 0);
    assert_int_equal(history_read(history, SERIES_CHIP_UTILIZATION, 0, values, 4), 0);
    history_free(history);
    history_free(NULL);
}

static void each_series_takes_its_fact(void **state)
{
    (void)state;
    struct history *history = history_new();
    struct host *host = host_of(2, 4, 20);
    host->machine.cpu_user_percent = fact_f64(9, FROM_DEMO);
    host->machine.cpu_system_percent = fact_f64(1, FROM_DEMO);
    host->machine.memory_total_bytes = fact_u64(2048, FROM_DEMO);
    host->machine.memory_used_bytes = fact_u64(512, FROM_DEMO);
    history_feed(history, host);
    host_free(host);
    check_newest(history, SERIES_UTILIZATION, 0, 35); // 20 30 40 50
    check_newest(history, SERIES_MEMORY, 0, 15);      // 300 of 2000
    check_newest(history, SERIES_HOST_CPU, 0, 10);
    check_newest(history, SERIES_HOST_MEMORY, 0, 25);
    check_newest(history, SERIES_CHIP_UTILIZATION, 1, 21);
    check_newest(history, SERIES_CHIP_MEMORY, 1, 20);
    float value;
    assert_int_equal(history_read(history, SERIES_CHIP_UTILIZATION, 2, &value, 1), 0);
    assert_int_equal(history_read(history, SERIES_CHIP_MEMORY, 2, &value, 1), 0);
    history_free(history);
}

static void unknown_and_stale_are_no_values(void **state)
{
    (void)state;
    struct history *history = history_new();
    struct host *host = host_new();
    history_feed(history, host);
    for (int kind = SERIES_UTILIZATION; kind <= SERIES_HOST_MEMORY; kind++)
        check_newest(history, (enum series_kind)kind, 0, NAN);
    host_free(host);
    host = host_of(1, 1, 20);
    host->cores[0].utilization_percent.stale = true;
    host->chips[0].utilization_percent.stale = true;
    host->chips[0].memory_total_bytes = fact_u64(0, FROM_DEMO);
    history_feed(history, host);
    check_newest(history, SERIES_CHIP_UTILIZATION, 0, NAN);
    check_newest(history, SERIES_UTILIZATION, 0, NAN);
    check_newest(history, SERIES_CHIP_MEMORY, 0, NAN);
    host_free(host);
    history_free(history);
}

static void oldest_first_and_newest_kept(void **state)
{
    (void)state;
    static float values[HISTORY_SAMPLES + 10];
    struct history *history = history_new();
    for (int i = 0; i < HISTORY_SAMPLES + 500; i++)
        feed(history, 1, 1, i % 101);
    assert_int_equal(history_read(history, SERIES_CHIP_UTILIZATION, 0, values, 3), 3);
    assert_float_equal(values[0], (float)((HISTORY_SAMPLES + 497) % 101), 0);
    assert_float_equal(values[2], (float)((HISTORY_SAMPLES + 499) % 101), 0);
    assert_int_equal(
        history_read(history, SERIES_CHIP_UTILIZATION, 0, values, HISTORY_SAMPLES + 10),
        HISTORY_SAMPLES);
    for (int i = 0; i < HISTORY_SAMPLES; i++)
        assert_float_equal(values[i], (float)((500 + i) % 101), 0);
    assert_int_equal(history_read(history, SERIES_CHIP_UTILIZATION, 0, values, 0), 0);
    history_free(history);
}

static void fractions_are_kept_and_strange_values_stay_in_range(void **state)
{
    (void)state;
    static const double values[][2] = {
        {0.04, 0.04}, {99.97, 99.97}, {100, 100}, {-3, 0}, {1e9, 163.8}};
    struct history *history = history_new();
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        float value;
        feed(history, 1, 1, values[i][0]);
        assert_int_equal(history_read(history, SERIES_CHIP_UTILIZATION, 0, &value, 1), 1);
        assert_float_equal(value, values[i][1], 0.05);
    }
    history_free(history);
}

static void chips_that_come_and_go(void **state)
{
    (void)state;
    float values[4];
    struct history *history = history_new();
    feed(history, 1, 1, 1);
    feed(history, 2, 2, 2); // a second chip is there from here on
    feed(history, 1, 1, 3); // and gone
    assert_int_equal(history_read(history, SERIES_CHIP_UTILIZATION, 1, values, 4), 3);
    assert_true(isnan(values[0]));
    assert_float_equal(values[1], 3, 0);
    assert_true(isnan(values[2]));
    assert_int_equal(history_read(history, SERIES_CHIP_UTILIZATION, 0, values, 4), 3);
    assert_float_equal(values[0], 1, 0);
    assert_float_equal(values[2], 3, 0);
    history_free(history);
}

// The first of two chips is gone for a while: the second one's series is still its own.
static void a_series_is_the_chips_own(void **state)
{
    (void)state;
    float values[3];
    struct history *history = history_new();
    feed(history, 2, 2, 40);
    struct host *host = host_of(1, 1, 70);
    host->chips[0].index = 1;
    history_feed(history, host);
    host->chips[0].index = 4000000000U; // nonsense of a stream takes no memory
    history_feed(history, host);
    host_free(host);
    assert_int_equal(history_read(history, SERIES_CHIP_UTILIZATION, 0, values, 3), 3);
    assert_float_equal(values[0], 40, 0);
    assert_true(isnan(values[1]));
    assert_int_equal(history_read(history, SERIES_CHIP_UTILIZATION, 1, values, 3), 3);
    assert_float_equal(values[0], 41, 0);
    assert_float_equal(values[1], 70, 0);
    assert_true(isnan(values[2]));
    assert_int_equal(history_read(history, SERIES_CHIP_UTILIZATION, 2, values, 3), 0);
    history_free(history);
}

static void a_late_series_has_no_old_values(void **state)
{
    (void)state;
    static float values[HISTORY_SAMPLES];
    struct history *history = history_new();
    for (int i = 0; i < 100; i++)
        feed(history, 1, 1, i);
    for (int i = 0; i < HISTORY_SAMPLES - 50; i++)
        feed(history, 2, 1, i);
    assert_int_equal(history_read(history, SERIES_CHIP_UTILIZATION, 1, values, HISTORY_SAMPLES),
                     HISTORY_SAMPLES);
    assert_true(isnan(values[49]));
    assert_float_equal(values[50], 1, 0);
    history_free(history);
}

static void a_steady_feed_allocates_nothing(void **state)
{
    (void)state;
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    struct history *history = history_new();
    struct host *host = host_of(16, 128, 5);
    history_feed(history, host);
    size_t before = mallinfo2().uordblks;
    for (int i = 0; i < 3000; i++)
        history_feed(history, host);
    assert_int_equal(mallinfo2().uordblks, before);
    host_free(host);
    history_free(history);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_history_is_empty),
        cmocka_unit_test(each_series_takes_its_fact),
        cmocka_unit_test(unknown_and_stale_are_no_values),
        cmocka_unit_test(oldest_first_and_newest_kept),
        cmocka_unit_test(fractions_are_kept_and_strange_values_stay_in_range),
        cmocka_unit_test(chips_that_come_and_go),
        cmocka_unit_test(a_series_is_the_chips_own),
        cmocka_unit_test(a_late_series_has_no_old_values),
        cmocka_unit_test(a_steady_feed_allocates_nothing),
    };
    return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
