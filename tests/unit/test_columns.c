// SPDX-License-Identifier: Apache-2.0
// Which columns appear at which width, what they print, and how they sort.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ui/columns.h"

static const unsigned long ALL = ~0ul;

static bool chosen_has(int width, unsigned long hidden, unsigned long useful, const char *name)
{
    const struct column *chosen[COLUMNS_MAX];
    const size_t count = columns_choose(chosen, width, hidden, useful);

    for (size_t i = 0; i < count; i++) {
        if (strcmp(chosen[i]->name, name) == 0)
            return true;
    }
    return false;
}

static unsigned long bit(const char *name)
{
    return 1ul << (column_get(name) - column_table());
}

static void wider_screens_show_more(void **state)
{
    (void)state;
    for (int width = 40; width < 260; width++) {
        assert_true(chosen_has(width, 0, ALL, "pid"));
        assert_true(chosen_has(width, 0, ALL, "nc"));
        assert_true(chosen_has(width, 0, ALL, "hbm"));
        assert_true(chosen_has(width, 0, ALL, "util"));
        assert_true(chosen_has(width, 0, ALL, "command"));
    }
    for (const char *const *name = (const char *const[]){"user", "host", "idle", "age", NULL};
         *name != NULL; name++)
        assert_true(chosen_has(80, 0, ALL, *name));
    assert_false(chosen_has(80, 0, ALL, "pod"));
    assert_false(chosen_has(80, 0, ALL, "inside"));
    assert_true(chosen_has(240, 0, ALL, "inside"));
    assert_false(chosen_has(240, 0, ALL & ~bit("inside"), "inside")); // nobody has another PID
    for (const char *const *name = (const char *const[]){"cpu", "p50", "p99", "err", NULL};
         *name != NULL; name++)
        assert_true(chosen_has(120, 0, ALL, *name));
    for (const char *const *name = (const char *const[]){"exec", "runtime", "pod", "models", NULL};
         *name != NULL; name++)
        assert_true(chosen_has(200, 0, ALL, *name));
}

static void columns_fit_and_leave_room_for_the_command(void **state)
{
    const struct column *chosen[COLUMNS_MAX];

    (void)state;
    for (int width = 60; width < 260; width++) {
        const size_t count = columns_choose(chosen, width, 0, ALL);
        int used = 0;
        for (size_t i = 0; i < count; i++)
            used += chosen[i]->width > 0 ? chosen[i]->width + 1 : 0;
        assert_true(width - used >= 14);
    }
}

static void useless_and_hidden_columns_stay_away(void **state)
{
    (void)state;
    assert_false(chosen_has(200, bit("user"), ALL, "user"));
    assert_true(chosen_has(200, 0, ALL & ~bit("pod"), "user"));
    assert_false(chosen_has(200, 0, ALL & ~bit("pod"), "pod"));
    assert_true(chosen_has(200, 0, 0, "pid")); // needed even without a value
}

static const char *printed(const char *name, const struct process *process)
{
    static struct column_cell cell;
    const struct host host = {.time_unix_seconds = 1000000};

    memset(&cell, 0, sizeof cell);
    column_get(name)->print(&host, process, &cell);
    return cell.text;
}

static void unknown_is_a_dash(void **state)
{
    static const struct process nobody;

    (void)state;
    for (const struct column *column = column_table(); column->name != NULL; column++) {
        if (strcmp(column->name, "command") != 0 && strcmp(column->name, "models") != 0)
            assert_string_equal(printed(column->name, &nobody), "-");
    }
}

static void values_print_with_their_unit(void **state)
{
    struct process process = {
        .pid = fact_u64(31207, FROM_DEMO),
        .user = "ubuntu",
        .memory_device_bytes = fact_u64(480ull << 30, FROM_DEMO),
        .utilization_percent = fact_f64(56.84, FROM_DEMO),
        .idle_seconds = fact_f64(47 * 60, FROM_DEMO),
        .idle_since_start = true,
        .started_unix_seconds = fact_f64(1000000 - 3 * 3600 - 12 * 60, FROM_DEMO),
        .latency_total.seconds[P50] = fact_f64(0.011, FROM_DEMO),
        .cpu_user_percent = fact_f64(10, FROM_DEMO),
        .cpu_system_percent = fact_f64(1.5, FROM_DEMO),
        .tag = "train",
        .command = "python3 train.py",
    };

    (void)state;
    for (unsigned core = 0; core < 32; core++)
        core_set_add(&process.cores, core);
    assert_string_equal(printed("pid", &process), "31207");
    assert_string_equal(printed("nc", &process), "0-31");
    assert_string_equal(printed("hbm", &process), "480GiB");
    assert_string_equal(printed("util", &process), "56.8");
    assert_string_equal(printed("idle", &process), ">47m");
    assert_string_equal(printed("age", &process), "3h12m");
    assert_string_equal(printed("cpu", &process), "11.5");
    assert_string_equal(printed("command", &process), "train: python3 train.py");
}

static void sorting_puts_unknown_last(void **state)
{
    const struct host host = {0};
    const struct process small = {.pid = fact_u64(1, FROM_DEMO),
                                  .memory_device_bytes = fact_u64(10, FROM_DEMO),
                                  .user = "anna"};
    const struct process large = {.pid = fact_u64(2, FROM_DEMO),
                                  .memory_device_bytes = fact_u64(20, FROM_DEMO),
                                  .user = "zoe"};
    const struct process unknown = {.pid = fact_u64(3, FROM_DEMO)};
    const struct column *hbm = column_get("hbm"), *user = column_get("USER");

    (void)state;
    assert_true(column_compare(hbm, false, &host, &large, &small) < 0);
    assert_true(column_compare(hbm, true, &host, &large, &small) > 0);
    assert_true(column_compare(hbm, false, &host, &unknown, &small) > 0);
    assert_true(column_compare(hbm, true, &host, &unknown, &small) > 0);
    assert_true(column_compare(user, false, &host, &small, &large) < 0);
    assert_true(column_compare(user, true, &host, &small, &large) > 0);
    assert_true(column_compare(user, false, &host, &small, &unknown) < 0);
    assert_true(column_compare(column_get("idle"), false, &host, &small, &large) <
                0); // a tie: by PID
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wider_screens_show_more),
        cmocka_unit_test(columns_fit_and_leave_room_for_the_command),
        cmocka_unit_test(useless_and_hidden_columns_stay_away),
        cmocka_unit_test(unknown_is_a_dash),
        cmocka_unit_test(values_print_with_their_unit),
        cmocka_unit_test(sorting_puts_unknown_last),
    };
    return cmocka_run_group_tests_name("columns", tests, NULL, NULL);
}
