// SPDX-License-Identifier: Apache-2.0
// Small reports for the tests of the report reader.
#ifndef NEUTOP_TESTS_REPORT_RUN_H
#define NEUTOP_TESTS_REPORT_RUN_H

#include <string.h>

#include "source/derive.h"
#include "source/report.h"
#include "source_run.h"

// Takes TEXT, which may use ' for ", as a report that arrived at TIME.
static inline void take(struct report *report, const char *text, double time)
{
    struct report_fault fault;
    char *json = strdup(text);
    for (char *at = json; (at = strchr(at, '\'')) != NULL;)
        *at = '"';
    json_object *parsed = report_parse(report, json, strlen(json), &fault);
    if (parsed == NULL)
        fail_msg("%s: %s at %zu", text, fault.what, fault.at);
    report_apply(report, parsed, time);
    free(json);
}

static inline struct host *snapshot(const struct report *report, double now)
{
    struct host *host = host_new();
    report_fill(report, host, FROM_MONITOR, now);
    derive_host(host);
    return host;
}

static inline struct host *host_of(const char *text)
{
    struct report *report = report_new(1);
    take(report, text, 0);
    struct host *host = snapshot(report, 0);
    report_free(report);
    return host;
}

#define HARDWARE                                                                       \
    "'neuron_hardware_info':{'neuron_device_type':'trainium','neuron_device_count':1," \
    "'neuroncore_per_device_count':2,'error':''}"
#define RUNTIME(report)                                                     \
    "{'neuron_runtime_data':[{'pid':7,'neuron_runtime_tag':'t','error':''," \
    "'report':{" report "}}]," HARDWARE "}"
#define CORES(list) "'neuroncore_counters':{'period':1,'neuroncores_in_use':{" list "},'error':''}"

#endif
