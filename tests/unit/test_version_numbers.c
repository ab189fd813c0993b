// SPDX-License-Identifier: Apache-2.0
// Version numbers are compared number by number, not letter by letter.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/version.h"

static void check_parse(const char *text, unsigned count, unsigned long first, unsigned long last)
{
    struct version version;
    assert_int_equal(version_parse(&version, text), count > 0);
    assert_int_equal(version.count, count);
    if (count > 0) {
        assert_int_equal(version.part[0], first);
        assert_int_equal(version.part[count - 1], last);
    }
}

static void parses_leading_numbers(void **state)
{
    (void)state;
    check_parse("2.24.7.0", 4, 2, 0);
    check_parse("2.24.7.0-dirty", 4, 2, 0);
    check_parse("2.31.24.0-3f7a1b8", 4, 2, 0);
    check_parse("2.19.64+abc", 3, 2, 64);
    check_parse("7", 1, 7, 7);
    check_parse("2.", 1, 2, 2);
    check_parse("2..3", 1, 2, 2);
    check_parse("1.2.3.4.5.6.7.8.9", VERSION_PARTS, 1, 8);
    check_parse("007.08", 2, 7, 8);
}

static void refuses_what_is_no_version(void **state)
{
    (void)state;
    check_parse("", 0, 0, 0);
    check_parse(NULL, 0, 0, 0);
    check_parse("v2.24", 0, 0, 0);
    check_parse(" 2.24", 0, 0, 0);
    check_parse("-2", 0, 0, 0);
    check_parse(".5", 0, 0, 0);
    check_parse("unknown", 0, 0, 0);
}

static void huge_parts_stay_huge(void **state)
{
    (void)state;
    struct version version;
    assert_true(version_parse(&version, "99999999999999999999999999.1"));
    assert_true(version.part[0] == (unsigned long)-1);
    assert_int_equal(version.part[1], 1);
    assert_true(version_compare_text("99999999999999999999999999", "2.26") > 0);
}

static int sign(int value)
{
    return (value > 0) - (value < 0);
}

static void compares_number_by_number(void **state)
{
    (void)state;
    // Each is smaller than the next.
    static const char *const rising[] = {"unknown",  "0",      "1.99",     "2.9",  "2.9.1", "2.26",
                                         "2.26.0.1", "2.26.5", "2.30.2.0", "2.31", "10.0"};
    enum { COUNT = sizeof(rising) / sizeof(rising[0]) };
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++)
            assert_int_equal(sign(version_compare_text(rising[i], rising[j])), sign(i - j));
}

static void missing_parts_are_zero(void **state)
{
    (void)state;
    assert_int_equal(version_compare_text("2.26", "2.26.0"), 0);
    assert_int_equal(version_compare_text("2.26.0.0", "2.26-rc1"), 0);
    assert_int_equal(version_compare_text(NULL, "none"), 0);
    assert_true(version_compare_text(NULL, "0") < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_leading_numbers), cmocka_unit_test(refuses_what_is_no_version),
        cmocka_unit_test(huge_parts_stay_huge),   cmocka_unit_test(compares_number_by_number),
        cmocka_unit_test(missing_parts_are_zero),
    };
    return cmocka_run_group_tests_name("version numbers", tests, NULL, NULL);
}
