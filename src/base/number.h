// SPDX-License-Identifier: Apache-2.0
// The little arithmetic that would be all we need of libm. Loading that library takes more memory
// than our own code, and the memory of a monitor is taken from the job it watches.
#ifndef NEUTOP_BASE_NUMBER_H
#define NEUTOP_BASE_NUMBER_H

#include <math.h>

// The smaller, the larger of two; the other one when one is NAN.
static inline double number_min(double a, double b)
{
    return a < b || isnan(b) ? a : b;
}

static inline double number_max(double a, double b)
{
    return a > b || isnan(b) ? a : b;
}

// The largest whole number that is not above VALUE. Beyond 2^52 every number is whole.
static inline double number_floor(double value)
{
    if (!(value > -4503599627370496.0 && value < 4503599627370496.0))
        return value;
    const double whole = (double)(long long)value;
    return whole > value ? whole - 1 : whole;
}

static inline double number_ceil(double value)
{
    return -number_floor(-value);
}

// To the nearest whole number, halves upwards.
static inline double number_round(double value)
{
    return number_floor(value + 0.5);
}

// What is left of VALUE after whole STEPs, from 0 to below STEP (> 0).
static inline double number_rest(double value, double step)
{
    return value - number_floor(value / step) * step;
}

#endif
