// SPDX-License-Identifier: Apache-2.0
// Numbers with their unit, as every floor above prints them (interface, "Units").
#ifndef NEUTOP_HOST_UNITS_H
#define NEUTOP_HOST_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "host/fact.h"

enum { UNIT_TEXT = 24 }; // a buffer of this size holds any of these

// Each writes into BUFFER of SIZE bytes and returns BUFFER. An unknown fact prints as "-". A number
// has one decimal below 100 of its unit and none from there on; latencies have three digits; a
// duration is cut, not rounded.

// "61.2GiB", "512MiB", "0B": binary units.
char *unit_bytes(char *buffer, size_t size, struct fact_u64 bytes);
// "61.2/96.0GiB", "812/1536GiB": both in one unit, that of the larger; up to 9999GiB.
char *unit_bytes_of(char *buffer, size_t size, struct fact_u64 used, struct fact_u64 total);
// "57%": bars and headers.
char *unit_percent(char *buffer, size_t size, struct fact_f64 percent);
// "56.8": tables.
char *unit_percent1(char *buffer, size_t size, struct fact_f64 percent);
// "10.0TF", "881GF": decimal.
char *unit_flops(char *buffer, size_t size, struct fact_f64 flops_per_second);
// "12.5/s", "1.2k/s"; below 1 two decimals.
char *unit_rate(char *buffer, size_t size, struct fact_f64 per_second);
// "11.0 ms", "3.21 s", "85 us".
char *unit_latency(char *buffer, size_t size, struct fact_f64 seconds);
// "47s", "2m05s", "47m", "3h12m", "12d04h".
char *unit_duration(char *buffer, size_t size, struct fact_f64 seconds);
// "23749", "1.2M".
char *unit_count(char *buffer, size_t size, struct fact_u64 count);

#endif
