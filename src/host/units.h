// SPDX-License-Identifier: Apache-2.0
// Numbers with their unit, as every floor above prints them (interface, "Units").
#ifndef NEUTOP_HOST_UNITS_H
#define NEUTOP_HOST_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "host/fact.h"

enum { UNIT_TEXT = 24 }; // a buffer of this size holds any of these

// Each writes into BUFFER of SIZE bytes and returns BUFFER. An unknown fact prints as "-".
char *unit_bytes(char *buffer, size_t size, struct fact_u64 bytes);             // "61.2GiB", "512MiB", "0B": binary, at most one decimal
char *unit_bytes_of(char *buffer, size_t size, struct fact_u64 used, struct fact_u64 total); // "61.2/96.0GiB", unit of the total
char *unit_percent(char *buffer, size_t size, struct fact_f64 percent);         // "57%": bars and headers
char *unit_percent1(char *buffer, size_t size, struct fact_f64 percent);        // "56.8": tables, one decimal
char *unit_flops(char *buffer, size_t size, struct fact_f64 flops_per_second);  // "10.0TF", "881GF": decimal
char *unit_rate(char *buffer, size_t size, struct fact_f64 per_second);         // "12.5/s", "1.2k/s"
char *unit_latency(char *buffer, size_t size, struct fact_f64 seconds);         // "11.0ms", "3.21s", "85us"
char *unit_duration(char *buffer, size_t size, struct fact_f64 seconds);        // "3h12m", "47s", "12d04h"
char *unit_count(char *buffer, size_t size, struct fact_u64 count);             // "23749", "1.2M"

#endif
