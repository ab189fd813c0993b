// SPDX-License-Identifier: Apache-2.0
// Core sets and the NEURON_RT_VISIBLE_CORES grammar.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/core_set.h"

static void check_parse(const char *text, const char *expected, unsigned count)
{
    struct core_set set;
    struct core_set_error error = {0};
    char out[128];
    assert_true(core_set_parse(&set, text, &error));
    assert_string_equal(core_set_format(&set, out, sizeof(out)), expected);
    assert_int_equal(core_set_count(&set), count);
    assert_int_equal(core_set_empty(&set), count == 0);
}

static void parses_the_grammar(void **state)
{
    (void)state;
    check_parse("4", "4", 1);
    check_parse("0", "0", 1);
    check_parse("7-15", "7-15", 9);
    check_parse("0,1,2,3", "0-3", 4);
    check_parse("0-3,8,10-11", "0-3,8,10-11", 7);
    check_parse("10-11,8,0-3", "0-3,8,10-11", 7);
    check_parse("0-3,2-5,5", "0-5", 6);
    check_parse("5-5", "5", 1);
    check_parse(" 1 ,\t2 ", "1-2", 2);
    check_parse("0-4095", "0-4095", 4096);
    check_parse("4095", "4095", 1);
    check_parse("007", "7", 1);
    check_parse("63,64,127,128", "63-64,127-128", 4);
}

static void check_error(const char *text, size_t at, const char *what)
{
    struct core_set set;
    struct core_set_error error = {.at = 999};
    core_set_clear(&set);
    core_set_add(&set, 5);
    assert_false(core_set_parse(&set, text, &error));
    assert_int_equal(error.at, at);
    assert_string_equal(error.what, what);
    assert_true(core_set_empty(&set));
    assert_false(core_set_parse(&set, text, NULL));
}

static void says_what_is_wrong_and_where(void **state)
{
    (void)state;
    check_error("", 0, "a number is missing");
    check_error(NULL, 0, "a number is missing");
    check_error("  ", 2, "a number is missing");
    check_error(",1", 0, "a number is missing");
    check_error("1,", 2, "a number is missing");
    check_error("1,,2", 2, "a number is missing");
    check_error("0-", 2, "a number is missing");
    check_error("0-,3", 2, "a number is missing");
    check_error("-1", 0, "a sign is not allowed");
    check_error("1,+2", 2, "a sign is not allowed");
    check_error("0--3", 2, "a sign is not allowed");
    check_error("all", 0, "this is not a number");
    check_error("0-x", 2, "this is not a number");
    check_error("0x1", 1, "a comma is expected");
    check_error("1 2", 2, "a comma is expected");
    check_error("0-3-5", 3, "a comma is expected");
    check_error("0:3", 1, "a comma is expected");
    check_error("0.5", 1, "a comma is expected");
    check_error("1\n", 1, "a comma is expected");
    check_error("3-1", 0, "the range runs backwards");
    check_error("0, 5-4", 3, "the range runs backwards");
    check_error("4096", 0, "the index is above 4095");
    check_error("0-4096", 2, "the index is above 4095");
    check_error("99999999999999999999", 0, "the index is above 4095");
    check_error("0,18446744073709551616", 2, "the index is above 4095");
}

static void members_are_what_was_added(void **state)
{
    (void)state;
    struct core_set set;
    core_set_clear(&set);
    assert_true(core_set_add(&set, 0));
    assert_true(core_set_add(&set, 63));
    assert_true(core_set_add(&set, 64));
    assert_true(core_set_add(&set, 4095));
    assert_false(core_set_add(&set, 4096));
    assert_false(core_set_add(&set, UINT32_MAX));
    assert_true(core_set_has(&set, 63));
    assert_false(core_set_has(&set, 62));
    assert_false(core_set_has(&set, 4096));
    assert_false(core_set_has(&set, UINT32_MAX));
    assert_int_equal(core_set_count(&set), 4);
}

static void next_walks_the_members(void **state)
{
    (void)state;
    struct core_set set;
    assert_true(core_set_parse(&set, "0,63,64,200,4095", NULL));
    assert_int_equal(core_set_next(&set, 0), 0);
    assert_int_equal(core_set_next(&set, 1), 63);
    assert_int_equal(core_set_next(&set, 63), 63);
    assert_int_equal(core_set_next(&set, 64), 64);
    assert_int_equal(core_set_next(&set, 65), 200);
    assert_int_equal(core_set_next(&set, 201), 4095);
    assert_int_equal(core_set_next(&set, 4095), 4095);
    assert_int_equal(core_set_next(&set, 4096), -1);
    assert_int_equal(core_set_next(&set, UINT32_MAX), -1);
    core_set_clear(&set);
    assert_int_equal(core_set_next(&set, 0), -1);
}

static void sets_meet_and_join(void **state)
{
    (void)state;
    struct core_set a, b;
    char out[32];
    core_set_parse(&a, "0-31", NULL);
    core_set_parse(&b, "32-63", NULL);
    assert_false(core_set_intersects(&a, &b));
    core_set_union(&a, &b);
    assert_string_equal(core_set_format(&a, out, sizeof(out)), "0-63");
    assert_true(core_set_intersects(&a, &b));
    core_set_clear(&b);
    assert_false(core_set_intersects(&a, &b));
}

static void check_format(const char *text, size_t size, const char *expected)
{
    struct core_set set;
    char out[64];
    memset(out, 'x', sizeof(out));
    assert_true(core_set_parse(&set, text, NULL));
    assert_string_equal(core_set_format(&set, out, size), expected);
    assert_int_equal(out[size], 'x');
}

static void format_cuts_at_whole_items(void **state)
{
    (void)state;
    check_format("0-3,8,10-11", 12, "0-3,8,10-11");
    check_format("0-3,8,10-11", 11, "0-3,8,+");
    check_format("0-3,8,10-11", 8, "0-3,8,+");
    check_format("0-3,8,10-11", 7, "0-3,+");
    check_format("0-3,8,10-11", 6, "0-3,+");
    check_format("0-3,8,10-11", 5, "+");
    check_format("0-3,8,10-11", 2, "+");
    check_format("0-3,8,10-11", 1, "");
    check_format("1000-2000", 9, "+");
    check_format("1000-2000", 10, "1000-2000");
    struct core_set none;
    char out[4] = "abc";
    core_set_clear(&none);
    assert_string_equal(core_set_format(&none, out, sizeof(out)), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_the_grammar),
        cmocka_unit_test(says_what_is_wrong_and_where),
        cmocka_unit_test(members_are_what_was_added),
        cmocka_unit_test(next_walks_the_members),
        cmocka_unit_test(sets_meet_and_join),
        cmocka_unit_test(format_cuts_at_whole_items),
    };
    return cmocka_run_group_tests_name("core sets", tests, NULL, NULL);
}
