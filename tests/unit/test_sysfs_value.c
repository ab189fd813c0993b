// SPDX-License-Identifier: Apache-2.0
// What the driver prints is read as driver reference 2.2 to 2.10 says, and nothing else is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "source/sysfs_value.h"

static bool number(const char *text, uint64_t *value)
{
    return sysfs_u64(text, strlen(text), value);
}

static void test_numbers(void **state)
{
    (void)state;
    uint64_t value;
    assert_true(number("0\n", &value) && value == 0);
    assert_true(number("8", &value) && value == 8); // core_count has no line feed
    assert_true(number("18446744073709551615\n", &value) && value == UINT64_MAX);
    static const char *const wrong[] = {"",
                                        "\n",
                                        " ",
                                        "-1\n",
                                        "+1\n",
                                        "1 2\n",
                                        "0x10\n",
                                        "busy\n",
                                        "1.5",
                                        "12\n3",
                                        "NaN\n",
                                        "\t1\n",
                                        "device_unreachable\n",
                                        "18446744073709551616\n",
                                        "99999999999999999999999999\n"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(number(wrong[i], &value));
    assert_false(sysfs_u64("1\0002\n", 4, &value));
}

static void test_power(void **state)
{
    (void)state;
    struct sysfs_power power;
    static const char valid[] = "POWER_STATUS_VALID,1764499980,0.43,31.47,17.54\n";
    assert_true(sysfs_power(valid, strlen(valid), &power));
    assert_int_equal(power.state, POWER_VALID);
    assert_int_equal(power.unix_seconds, 1764499980);
    assert_float_equal(power.min_percent, 0.43, 1e-9);
    assert_float_equal(power.max_percent, 31.47, 1e-9);
    assert_float_equal(power.mean_percent, 17.54, 1e-9);
    static const struct {
        const char *text;
        enum sysfs_power_state state;
    } states[] = {
        {"POWER_STATUS_NO_DATA,0,0.00,0.00,0.00\n", POWER_NO_DATA},
        {"POWER_STATUS_INVALID,1764499980,0.43,31.47,17.54\n", POWER_INVALID}, // contains VALID
        {"POWER_STATUS_MAX,1764499980,0.43,31.47,17.54\n", POWER_OTHER},
        {"POWER_STATUS_VALID_NOT,1764499980,0.43,31.47,17.54\n", POWER_OTHER},
        {"POWER_STATUS_VALID,-5,0.00,100.00,100.00\n", POWER_VALID},
    };
    for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
        assert_true(sysfs_power(states[i].text, strlen(states[i].text), &power));
        assert_int_equal(power.state, states[i].state);
    }
    static const char *const wrong[] = {"",
                                        "POWER_STATUS_VALID",
                                        "POWER_STATUS_VALID,1764499980,0.43,31.47\n",
                                        "POWER_STATUS_VALID,1764499980,0.43,31.47,101.00\n",
                                        "POWER_STATUS_VALID,x,0.43,31.47,17.54\n",
                                        "POWER_STATUS_VALID,1764499980,0.43,31.47,17.54,1\n",
                                        "VALID,1764499980,0.43,31.47,17.54\n",
                                        "POWER_STATUS_VALID,1764499980,0.43,31.47,nan\n"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(sysfs_power(wrong[i], strlen(wrong[i]), &power));
}

static bool power_now(const char *text, double *percent)
{
    return sysfs_power_now(text, strlen(text), percent);
}

static void test_power_now(void **state)
{
    (void)state;
    double percent;
    assert_true(power_now("die,util_bips,counter\n0,3456,6121\n1,3496,6121\n", &percent));
    assert_float_equal(percent, 34.96, 1e-9);
    assert_true(power_now("die,util_bips,counter\n0,unavailable\n1,10000,6121\n", &percent));
    assert_float_equal(percent, 100, 1e-9);
    assert_true(power_now("die,util_bips,counter\n0,12,7\n1,bogus(65535),3\n", &percent));
    assert_float_equal(percent, 0.12, 1e-9);
    assert_false(power_now("die,util_bips,counter\n0,read_error\n", &percent));
    assert_false(power_now("die,util_bips,counter\n", &percent));
    assert_false(power_now("die,util_bips,counter\n0,10001,6121\n", &percent));
    assert_false(power_now("0,3456,6121\n", &percent));
}

static bool neighbours(const char *text, unsigned *list, unsigned *count)
{
    return sysfs_neighbours(text, strlen(text), list, count);
}

static void test_neighbours(void **state)
{
    (void)state;
    unsigned list[SYSFS_NEIGHBOURS], count;
    assert_true(neighbours("12, 1, 3, 4\n", list, &count));
    assert_int_equal(count, 4);
    assert_int_equal(list[0], 12);
    assert_int_equal(list[3], 4);
    assert_true(neighbours("\n", list, &count));
    assert_int_equal(count, 0);
    assert_false(neighbours("", list, &count)); // no answer is not "none"
    assert_false(neighbours("1, \n", list, &count));
    assert_false(neighbours("1,2\n", list, &count));
    assert_false(
        neighbours("0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16\n", list, &count));
}

static bool tensor_of(const char *text, struct sysfs_tensor *tensor)
{
    return sysfs_tensor(text, strlen(text), tensor);
}

static void test_tensor(void **state)
{
    (void)state;
    struct sysfs_tensor from, to;
    double percent;
    assert_true(tensor_of("xrow_grp,mm_active,wl_active,idle\n0,100,5,1000\n1,100,5,1000\n"
                          "2,100,5,1000\n3,100,5,1000\n",
                          &from));
    assert_int_equal(from.rows, 4);
    // a row that is cut off does not count
    assert_true(tensor_of(
        "xrow_grp,mm_active,wl_active,idle\n0,400,5,1100\n1,200,5,1300\n2,300,5,11", &to));
    assert_int_equal(to.rows, 2);
    assert_true(sysfs_tensor_active(&from, &to, &percent)); // 300 of 400, 100 of 400
    assert_float_equal(percent, 50, 1e-9);
    assert_false(sysfs_tensor_active(&to, &from, &percent)); // fell
    assert_false(sysfs_tensor_active(&from, &from, &percent));
    assert_false(tensor_of("xrow_grp,mm_active,wl_active,idle\n0,16045690984833335023,5,1\n", &to));
    assert_false(tensor_of("xrow_grp,mm_active,wl_active,idle\n", &to));
    assert_false(tensor_of("", &to));
}

static void test_words(void **state)
{
    (void)state;
    assert_true(sysfs_serial("00f1ca5e1000a000\n", 17));
    assert_false(sysfs_serial("\n", 1));
    assert_false(sysfs_serial("00F1CA5E1000A000\n", 17));
    assert_false(sysfs_serial("00f1ca5e1000a00\n", 16));
    assert_true(sysfs_components("\n", 1));
    assert_true(sysfs_components("hbm,link_efa\n", 13));
    assert_false(sysfs_components("", 0));
    assert_false(sysfs_components("hbm\033[2J\n", 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),   cmocka_unit_test(test_power),
        cmocka_unit_test(test_power_now), cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_tensor),    cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests_name("sysfs_value", tests, NULL, NULL);
}
