// SPDX-License-Identifier: Apache-2.0
// Numbers with their unit. Below 100 a scaled number has one decimal, from 100 on none: three or
// four digits.
#include "host/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

static const char unknown[] = "-";

static char *put(char *buffer, size_t size, const char *text)
{
    if (size > 0)
        snprintf(buffer, size, "%s", text);
    return buffer;
}

// A number of at most one decimal; EXACT drops a decimal that says nothing ("96" for 96.0).
static void number(char *buffer, size_t size, double value, bool exact)
{
    bool whole = fabs(value) >= 99.95 || (exact && value == number_floor(value));
    snprintf(buffer, size, "%.*f", whole ? 0 : 1, value);
}

static const char *const binary_units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

// The step of binary_units[] to write BYTES in: GiB up to TOP of them, every other unit up to 1024.
static unsigned binary_step(uint64_t bytes, double top)
{
    unsigned step = 0;
    for (double value = (double)bytes; step < 6; value /= 1024, step++)
        if (value < (step == 3 ? top : 1024) - 0.5)
            break;
    return step;
}

static double in_step(uint64_t bytes, unsigned step)
{
    return (double)bytes / (double)(UINT64_C(1) << 10 * step);
}

char *unit_bytes(char *buffer, size_t size, struct fact_u64 bytes)
{
    char digits[UNIT_TEXT];
    if (!known_u64(bytes))
        return put(buffer, size, unknown);
    unsigned step = binary_step(bytes.value, 1024);
    number(digits, sizeof(digits), in_step(bytes.value, step), true);
    snprintf(buffer, size, "%s%s", digits, binary_units[step]);
    return buffer;
}

// Both numbers in one unit, up to four digits: "812/1536GiB" tells more than "0.8/1.5TiB".
char *unit_bytes_of(char *buffer, size_t size, struct fact_u64 used, struct fact_u64 total)
{
    char part[UNIT_TEXT] = "-", whole[UNIT_TEXT];
    if (!known_u64(total))
        return unit_bytes(buffer, size, used);
    uint64_t larger = known_u64(used) && used.value > total.value ? used.value : total.value;
    unsigned step = binary_step(larger, 10000);
    if (known_u64(used))
        number(part, sizeof(part), in_step(used.value, step), step == 0 || used.value == 0);
    if (known_u64(used) && used.value > 0 && strcmp(part, "0.0") == 0)
        put(part, sizeof(part), "<0.1"); // something, unlike 0 and unlike unknown
    number(whole, sizeof(whole), in_step(total.value, step), step == 0);
    snprintf(buffer, size, "%s/%s%s", part, whole, binary_units[step]);
    return buffer;
}

// A value that digits cannot show: not a number, or one beyond LIMIT, for which TOO_LARGE stands.
static bool odd(char *buffer, size_t size, struct fact_f64 fact, double limit,
                const char *too_large)
{
    if (!known_f64(fact) || isnan(fact.value) || fact.value <= -limit)
        put(buffer, size, unknown);
    else if (fact.value >= limit)
        put(buffer, size, too_large);
    else
        return false;
    return true;
}

// Keeps "-0" off the screen.
static double no_negative_zero(double value, double half_digit)
{
    return fabs(value) < half_digit ? 0.0 : value;
}

char *unit_percent(char *buffer, size_t size, struct fact_f64 percent)
{
    if (!odd(buffer, size, percent, 9999.5, ">9999%"))
        snprintf(buffer, size, "%.0f%%", no_negative_zero(number_round(percent.value), 0.5));
    return buffer;
}

char *unit_percent1(char *buffer, size_t size, struct fact_f64 percent)
{
    if (!odd(buffer, size, percent, 9999.95, ">9999"))
        snprintf(buffer, size, "%.1f", no_negative_zero(percent.value, 0.05));
    return buffer;
}

// VALUE below 1000 in the unit of the step, for decimal prefixes; what rounds to 1000 moves on.
static unsigned decimal_step(double *value, unsigned last)
{
    unsigned step = 0;
    for (; fabs(*value) >= 999.5 && step < last; step++)
        *value /= 1000;
    return step;
}

char *unit_flops(char *buffer, size_t size, struct fact_f64 flops_per_second)
{
    static const char *const units[] = {"F", "KF", "MF", "GF", "TF", "PF", "EF"};
    char digits[UNIT_TEXT];
    if (odd(buffer, size, flops_per_second, 999e18, ">999EF"))
        return buffer;
    double value = no_negative_zero(flops_per_second.value, 0.05);
    unsigned step = decimal_step(&value, 6);
    number(digits, sizeof(digits), value, step == 0);
    snprintf(buffer, size, "%s%s", digits, units[step]);
    return buffer;
}

char *unit_rate(char *buffer, size_t size, struct fact_f64 per_second)
{
    static const char *const units[] = {"", "k", "M", "G", "T"};
    char digits[UNIT_TEXT];
    if (odd(buffer, size, per_second, 999e12, ">999T/s"))
        return buffer;
    double value = per_second.value;
    unsigned step = decimal_step(&value, 4);
    if (value > 0 && value < 0.005)
        return put(buffer, size, "<0.01/s");
    if (value > 0 && value < 0.95)
        snprintf(digits, sizeof(digits), "%.2f", value); // rare events: 0.03/s is two a minute
    else
        number(digits, sizeof(digits), no_negative_zero(value, 0.05), step == 0);
    snprintf(buffer, size, "%s%s/s", digits, units[step]);
    return buffer;
}

// Three digits of a latency: 3.21, 11.0, 110.
static void three_digits(char *buffer, size_t size, double value)
{
    snprintf(buffer, size, "%.*f", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value);
}

char *unit_latency(char *buffer, size_t size, struct fact_f64 seconds)
{
    char digits[UNIT_TEXT];
    if (!known_f64(seconds) || isnan(seconds.value))
        return put(buffer, size, unknown);
    double value = seconds.value;
    if (value <= 0)
        return put(buffer, size, value < 0 ? unknown : "0 us");
    if (value >= 999.5)
        return unit_duration(buffer, size, seconds);
    if (value < 0.9995e-3) {
        snprintf(digits, sizeof(digits), "%.*f", value < 0.95e-6 ? 1 : 0, value * 1e6);
        snprintf(buffer, size, "%s us", digits);
        return buffer;
    }
    bool whole_seconds = value >= 0.9995;
    three_digits(digits, sizeof(digits), whole_seconds ? value : value * 1e3);
    snprintf(buffer, size, "%s %s", digits, whole_seconds ? "s" : "ms");
    return buffer;
}

char *unit_duration(char *buffer, size_t size, struct fact_f64 seconds)
{
    if (!known_f64(seconds) || isnan(seconds.value) || seconds.value < 0)
        return put(buffer, size, unknown);
    if (seconds.value >= 10000.0 * 86400)
        return put(buffer, size, ">9999d");
    unsigned long s = (unsigned long)seconds.value;
    if (s < 60)
        snprintf(buffer, size, "%lus", s);
    else if (s < 600)
        snprintf(buffer, size, "%lum%02lus", s / 60, s % 60);
    else if (s < 3600)
        snprintf(buffer, size, "%lum", s / 60);
    else if (s < 86400)
        snprintf(buffer, size, "%luh%02lum", s / 3600, s / 60 % 60);
    else if (s < 100ul * 86400)
        snprintf(buffer, size, "%lud%02luh", s / 86400, s / 3600 % 24);
    else
        snprintf(buffer, size, "%lud", s / 86400);
    return buffer;
}

char *unit_count(char *buffer, size_t size, struct fact_u64 count)
{
    static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};
    char digits[UNIT_TEXT];
    if (!known_u64(count))
        return put(buffer, size, unknown);
    if (count.value < 100000) {
        snprintf(buffer, size, "%u", (unsigned)count.value);
        return buffer;
    }
    double value = (double)count.value;
    unsigned step = decimal_step(&value, 6);
    number(digits, sizeof(digits), value, false);
    snprintf(buffer, size, "%s%s", digits, units[step]);
    return buffer;
}
