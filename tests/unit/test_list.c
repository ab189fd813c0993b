// SPDX-License-Identifier: Apache-2.0
// The selection stays with its thing, and what is selected is seen.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ui/list.h"

static const uint64_t ten[] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19};

static void start(struct list *list, size_t height)
{
    *list = (struct list){0};
    list_rows(list, ten, 10);
    list_height(list, height);
}

static void selection_follows_its_key(void **state)
{
    static const uint64_t moved[] = {19, 18, 17, 16, 15, 14, 13, 12, 11, 10};
    struct list list;

    (void)state;
    start(&list, 10);
    list_move(&list, 2);
    assert_int_equal(list.key, 12);
    list_rows(&list, moved, 10);
    assert_int_equal(list.selected, 7);
    assert_int_equal(list.key, 12);
}

static void vanished_key_keeps_the_place(void **state)
{
    static const uint64_t without[] = {10, 11, 13, 14};
    struct list list;

    (void)state;
    start(&list, 10);
    list_move(&list, 2);
    list_rows(&list, without, 4);
    assert_int_equal(list.selected, 2);
    assert_int_equal(list.key, 13);
    list_rows(&list, without, 1);
    assert_int_equal(list.selected, 0);
    list_rows(&list, NULL, 0);
    assert_int_equal(list.count, 0);
    list_move(&list, 1);
    list_move(&list, -1);
    list_page(&list, 1);
    list_scroll(&list, -3);
    assert_int_equal(list.selected, 0);
}

static void moving_stops_at_the_ends(void **state)
{
    struct list list;

    (void)state;
    start(&list, 3);
    list_move(&list, -1);
    assert_int_equal(list.selected, 0);
    list_move(&list, 100);
    assert_int_equal(list.selected, 9);
    assert_int_equal(list.top, 7);
    assert_int_equal(list_below(&list), 0);
}

static void selected_row_is_seen(void **state)
{
    struct list list;

    (void)state;
    start(&list, 3);
    for (int step = 0; step < 40; step++) {
        const long by = (step * 7 % 11) - 5;
        list_move(&list, by);
        assert_true(list.top <= list.selected && list.selected < list.top + 3);
    }
    list_to(&list, 9);
    list_height(&list, 20); // all fit now
    assert_int_equal(list.top, 0);
    list_height(&list, 2);
    assert_true(list.top <= list.selected && list.selected < list.top + 2);
}

static void pages_move_by_a_screen(void **state)
{
    struct list list;

    (void)state;
    start(&list, 4);
    list_page(&list, 1);
    assert_int_equal(list.selected, 3);
    list_page(&list, 1);
    assert_int_equal(list.selected, 6);
    list_page(&list, -1);
    list_page(&list, -1);
    assert_int_equal(list.selected, 0);
}

static bool is_even(const void *context, size_t row)
{
    const uint64_t *keys = context;

    return keys[row] % 2 == 0;
}

static bool is_17(const void *context, size_t row)
{
    return ((const uint64_t *)context)[row] == 17;
}

static bool is_none(const void *context, size_t row)
{
    (void)context;
    (void)row;
    return false;
}

static void search_goes_round(void **state)
{
    struct list list;

    (void)state;
    start(&list, 3);
    assert_true(list_search(&list, 1, true, is_even, ten));
    assert_int_equal(list.key, 10);
    assert_true(list_search(&list, 1, false, is_even, ten));
    assert_int_equal(list.key, 12);
    assert_true(list_search(&list, -1, false, is_even, ten));
    assert_true(list_search(&list, -1, false, is_even, ten));
    assert_int_equal(list.key, 18);
    assert_true(list_search(&list, 1, false, is_17, ten));
    assert_int_equal(list.key, 17);
    assert_true(list_search(&list, 1, false, is_17, ten)); // round to itself
    assert_int_equal(list.key, 17);
    assert_false(list_search(&list, 1, true, is_none, ten));
    assert_int_equal(list.key, 17);
    list_rows(&list, NULL, 0);
    assert_false(list_search(&list, -1, false, is_even, ten));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selection_follows_its_key), cmocka_unit_test(vanished_key_keeps_the_place),
        cmocka_unit_test(moving_stops_at_the_ends),  cmocka_unit_test(selected_row_is_seen),
        cmocka_unit_test(pages_move_by_a_screen),    cmocka_unit_test(search_goes_round),
    };
    return cmocka_run_group_tests_name("list", tests, NULL, NULL);
}
