// SPDX-License-Identifier: Apache-2.0
// Report: what neuron-monitor has said so far. Takes its reports (neuron-monitor JSON reference,
// section 3, and the older forms of section 5), keeps the newest value of every group of every
// runtime with its age, and writes all that into a snapshot.
#ifndef NEUTOP_SOURCE_REPORT_H
#define NEUTOP_SOURCE_REPORT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "host/host.h"

struct report;

// Where and why a text is no report.
struct report_fault {
    size_t at; // byte offset in the text
    const char *what;
};

// EXPECTED_PERIOD: seconds between two reports when they do not tell it themselves (the first one
// does not); neuron-monitor's own default is REPORT_DEFAULT_PERIOD.
struct report *report_new(double expected_period);
void report_free(struct report *report);

#define REPORT_DEFAULT_PERIOD 5.0

// Shorter than this, a period gives no rates: counts over it and CPU shares stay unknown (the first
// report covers 0.5 to 60 ms).
#define REPORT_SHORTEST_PERIOD 0.1

// Parses LENGTH bytes of TEXT, one JSON object. NULL with FAULT filled when it is none, or no
// report. The caller gives the result to report_apply() or ends it with json_object_put().
json_object *report_parse(struct report *report, const char *text, size_t length,
                          struct report_fault *fault);

// Seconds that this report covers: the shortest period of its groups that is no fragment; 0 when it
// has none.
double report_pace(json_object *parsed);

// Takes PARSED (and its reference) as the newest report, arrived at ARRIVAL: seconds of any clock
// that only goes forward.
void report_apply(struct report *report, json_object *parsed, double arrival);

// Seconds between two reports, as far as is known: from the newest one that told, else as expected.
double report_interval(const struct report *report);

// The person changed the delay, or the next report is expected from another child.
void report_expect(struct report *report, double expected_period);

// Writes what is kept into HOST, as facts FROM. NOW is seconds of the clock of ARRIVAL: facts older
// than three of their own periods become stale. Facts that HOST has already are left alone.
void report_fill(const struct report *report, struct host *host, enum origin from, double now);

#endif
