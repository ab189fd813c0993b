// SPDX-License-Identifier: Apache-2.0
// Numbers with their unit: the interface's "Units", with the edges where rounding changes the unit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "host/units.h"

#define KIB UINT64_C(1024)
#define MIB (KIB * 1024)
#define GIB (MIB * 1024)
#define TIB (GIB * 1024)

static char text[UNIT_TEXT];

static struct fact_u64 u(uint64_t value)
{
    return fact_u64(value, FROM_DEMO);
}

static struct fact_f64 f(double value)
{
    return fact_f64(value, FROM_DEMO);
}

static const struct fact_u64 nobody_u64;
static const struct fact_f64 nobody_f64;

static void check_bytes(uint64_t bytes, const char *expected)
{
    assert_string_equal(unit_bytes(text, sizeof(text), u(bytes)), expected);
}

static void bytes_are_binary(void **state)
{
    (void)state;
    check_bytes(0, "0B");
    check_bytes(1, "1B");
    check_bytes(1023, "1023B");
    check_bytes(1024, "1KiB");
    check_bytes(1536, "1.5KiB");
    check_bytes(512 * MIB, "512MiB");
    check_bytes(24 * GIB, "24GiB");
    check_bytes(96 * GIB, "96GiB");
    check_bytes(96 * GIB - MIB, "96.0GiB");
    check_bytes(65713209344, "61.2GiB");
    check_bytes(103079215104, "96GiB");
    check_bytes(1023 * GIB, "1023GiB");
    check_bytes(1536 * GIB, "1.5TiB");
    check_bytes(TIB - 1, "1.0TiB"); // not 1024GiB
    check_bytes(MIB - 1, "1.0MiB");
    check_bytes(99 * GIB + 1000 * MIB, "100GiB"); // not 100.0GiB
    check_bytes(UINT64_MAX, "16EiB");
    assert_string_equal(unit_bytes(text, sizeof(text), nobody_u64), "-");
}

static void check_of(struct fact_u64 used, struct fact_u64 total, const char *expected)
{
    assert_string_equal(unit_bytes_of(text, sizeof(text), used, total), expected);
}

static void used_of_total_has_one_unit(void **state)
{
    (void)state;
    check_of(u(65713209344), u(96 * GIB), "61.2/96.0GiB");
    check_of(u(812 * GIB), u(1536 * GIB), "812/1536GiB");
    check_of(u(0), u(1536 * GIB), "0/1536GiB");
    check_of(u(400 * MIB), u(1536 * GIB), "0.4/1536GiB");
    check_of(u(20 * TIB), u(20 * TIB), "20.0/20.0TiB");
    check_of(u(3), u(100), "3/100B");
    check_of(u(5 * GIB), u(4 * GIB), "5.0/4.0GiB");
    check_of(u(0), u(0), "0/0B");
    check_of(u(5 * GIB), u(0), "5.0/0.0GiB");
    check_of(nobody_u64, u(96 * GIB), "-/96.0GiB");
    check_of(u(6 * GIB), nobody_u64, "6GiB");
    check_of(nobody_u64, nobody_u64, "-");
    check_of(u(UINT64_MAX), u(UINT64_MAX), "16.0/16.0EiB");
}

static void check_percent(double value, const char *bar, const char *table)
{
    assert_string_equal(unit_percent(text, sizeof(text), f(value)), bar);
    assert_string_equal(unit_percent1(text, sizeof(text), f(value)), table);
}

static void percent_of_bars_and_tables(void **state)
{
    (void)state;
    check_percent(0, "0%", "0.0");
    check_percent(56.81, "57%", "56.8");
    check_percent(99.96, "100%", "100.0");
    check_percent(100, "100%", "100.0");
    check_percent(0.04, "0%", "0.0");
    check_percent(-0.001, "0%", "0.0");
    check_percent(123.4, "123%", "123.4"); // what the source says, not what we would like
    check_percent(1e300, ">9999%", ">9999");
    check_percent(INFINITY, ">9999%", ">9999");
    check_percent(-INFINITY, "-", "-");
    check_percent(NAN, "-", "-");
    assert_string_equal(unit_percent(text, sizeof(text), nobody_f64), "-");
    assert_string_equal(unit_percent1(text, sizeof(text), nobody_f64), "-");
}

static void check_flops(double value, const char *expected)
{
    assert_string_equal(unit_flops(text, sizeof(text), f(value)), expected);
}

static void flops_are_decimal(void **state)
{
    (void)state;
    check_flops(0, "0F");
    check_flops(10.004e12, "10.0TF");
    check_flops(9.946e12, "9.9TF");
    check_flops(318.278e12, "318TF");
    check_flops(881e9, "881GF");
    check_flops(999.6e9, "1.0TF"); // not 1000GF
    check_flops(10.67e15, "10.7PF");
    check_flops(1e30, ">999EF");
    check_flops(NAN, "-");
    assert_string_equal(unit_flops(text, sizeof(text), nobody_f64), "-");
}

static void check_rate(double value, const char *expected)
{
    assert_string_equal(unit_rate(text, sizeof(text), f(value)), expected);
}

static void rates_per_second(void **state)
{
    (void)state;
    check_rate(0, "0/s");
    check_rate(12.5, "12.5/s");
    check_rate(260, "260/s");
    check_rate(1200, "1.2k/s");
    check_rate(999.7, "1.0k/s");
    check_rate(0.03, "0.03/s");
    check_rate(0.0001, "<0.01/s"); // rare is not never
    check_rate(2, "2/s");
    check_rate(3e6, "3.0M/s");
    check_rate(1e20, ">999T/s");
    assert_string_equal(unit_rate(text, sizeof(text), nobody_f64), "-");
}

static void check_latency(double value, const char *expected)
{
    assert_string_equal(unit_latency(text, sizeof(text), f(value)), expected);
}

static void latencies_have_three_digits(void **state)
{
    (void)state;
    check_latency(0.011, "11.0 ms");
    check_latency(0.0110045, "11.0 ms");
    check_latency(0.00123, "1.23 ms");
    check_latency(0.250, "250 ms");
    check_latency(3.21, "3.21 s");
    check_latency(42.5, "42.5 s");
    check_latency(250, "250 s");
    check_latency(85e-6, "85 us");
    check_latency(0.5e-6, "0.5 us");
    check_latency(0.99996, "1.00 s");    // not 1000 ms
    check_latency(0.0009996, "1.00 ms"); // not 1000 us
    check_latency(0.0099996, "10.0 ms");
    check_latency(0, "0 us");
    check_latency(4000, "1h06m");
    check_latency(-1, "-");
    check_latency(NAN, "-");
    check_latency(INFINITY, ">9999d");
    assert_string_equal(unit_latency(text, sizeof(text), nobody_f64), "-");
}

static void check_duration(double value, const char *expected)
{
    assert_string_equal(unit_duration(text, sizeof(text), f(value)), expected);
}

static void durations_are_cut_not_rounded(void **state)
{
    (void)state;
    check_duration(0, "0s");
    check_duration(47, "47s");
    check_duration(59.99, "59s");
    check_duration(60, "1m00s");
    check_duration(125, "2m05s");
    check_duration(599.9, "9m59s");
    check_duration(47 * 60 + 12, "47m");
    check_duration(3599, "59m");
    check_duration(3 * 3600 + 12 * 60, "3h12m");
    check_duration(3600, "1h00m");
    check_duration(86399, "23h59m");
    check_duration(12 * 86400 + 4 * 3600 + 59 * 60, "12d04h");
    check_duration(100 * 86400, "100d");
    check_duration(1e30, ">9999d");
    check_duration(-5, "-");
    check_duration(NAN, "-");
    assert_string_equal(unit_duration(text, sizeof(text), nobody_f64), "-");
}

static void check_count(uint64_t value, const char *expected)
{
    assert_string_equal(unit_count(text, sizeof(text), u(value)), expected);
}

static void counts_are_whole_up_to_five_digits(void **state)
{
    (void)state;
    check_count(0, "0");
    check_count(23749, "23749");
    check_count(99999, "99999");
    check_count(100000, "100k");
    check_count(999999, "1.0M");
    check_count(1234567, "1.2M");
    check_count(UINT64_MAX, "18.4E");
    assert_string_equal(unit_count(text, sizeof(text), nobody_u64), "-");
}

// The longest of each fits the promised buffer, and a short buffer is never overrun.
static void buffers_are_respected(void **state)
{
    (void)state;
    for (size_t size = 1; size <= 8; size++) {
        memset(text, 'x', sizeof(text));
        unit_bytes_of(text, size, u(812 * GIB), u(1536 * GIB));
        assert_true(strlen(text) < size);
        assert_int_equal(text[size], 'x');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_binary),
        cmocka_unit_test(used_of_total_has_one_unit),
        cmocka_unit_test(percent_of_bars_and_tables),
        cmocka_unit_test(flops_are_decimal),
        cmocka_unit_test(rates_per_second),
        cmocka_unit_test(latencies_have_three_digits),
        cmocka_unit_test(durations_are_cut_not_rounded),
        cmocka_unit_test(counts_are_whole_up_to_five_digits),
        cmocka_unit_test(buffers_are_respected),
    };
    return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
