// SPDX-License-Identifier: Apache-2.0
// The kept state of the report reader: one parse a report; of each group the newest value is kept
// as json-c read it, because a report may leave a group out that is not due (neuron-monitor JSON
// reference, section 2).
#include "source/report.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/xmem.h"
#include "source/frame.h"
#include "source/report_state.h"

enum {
    NAMES = 3,
    SEARCH_MOST = 1024, // kept runtimes that are compared with one of the newest report
};

// Every name that a group has had (reference, section 5): today's first.
static const char *const runtime_names[GROUPS][NAMES] = {
    [GROUP_CORES] = {"neuroncore_counters", "nc_counters"},
    [GROUP_EXECUTION] = {"execution_stats", "inference_stats"},
    [GROUP_MEMORY] = {"memory_used"},
    [GROUP_CPU] = {"neuron_runtime_vcpu_usage", "runtime_cpu_usage"},
};

static const struct system_name {
    enum system_group group;
    bool top; // at the top of the report, not in system_data
    const char *names[NAMES];
} system_names[] = {
    {SYSTEM_CPU, false, {"vcpu_usage", "cpu_usage"}},
    {SYSTEM_MEMORY, false, {"memory_info"}},
    {SYSTEM_ECC, false, {"neuron_hw_counters", "hw_counters"}},
    {SYSTEM_K8S, true, {"neuron_k8s_info"}},
    {SYSTEM_INSTANCE, true, {"instance_info", "instance_data"}},
    {SYSTEM_HARDWARE, true, {"neuron_hardware_info"}},
};

enum { SYSTEM_NAMES = sizeof(system_names) / sizeof(system_names[0]) };

static const char *const list_names[] = {"neuron_runtime_data", "runtime_data"};

// glibc puts small pieces aside when they are freed, and walks through all of them at the next
// large request: with the tens of thousands of a report, and the last one kept while the next is
// read, that doubles the time of reading.
static void tune_malloc(void)
{
#ifdef M_MXFAST
    mallopt(M_MXFAST, 0);
#endif
}

struct report *report_new(double expected_period)
{
    struct report *report = xcalloc(1, sizeof(*report));
    report->tokener = json_tokener_new_ex(FRAME_DEPTH + 1);
    if (report->tokener == NULL)
        xmem_die("a JSON reader", FRAME_DEPTH);
    report->expected_period = expected_period;
    report->thin = true;
    tune_malloc();
    return report;
}

static void kept_drop(struct kept *kept)
{
    json_object_put(kept->value);
    *kept = (struct kept){0};
}

static void runtime_drop(struct runtime *runtime)
{
    json_object_put(runtime->entry);
    for (int group = 0; group < GROUPS; group++)
        kept_drop(&runtime->groups[group]);
    *runtime = (struct runtime){0};
}

static void report_drop_runtimes(struct report *report)
{
    for (size_t i = 0; i < report->runtime_count; i++)
        runtime_drop(&report->runtimes[i]);
    free(report->runtimes);
    report->runtimes = NULL;
    report->runtime_count = 0;
}

static void report_forget(struct report *report)
{
    report_drop_runtimes(report);
    for (int group = 0; group < SYSTEM_GROUPS; group++)
        kept_drop(&report->system[group]);
    json_object_put(report->instance_good);
    report->instance_good = NULL;
    report->told_runtimes = false;
    report->thin = true;
    report->pace = 0;
}

void report_free(struct report *report)
{
    if (report == NULL)
        return;
    report_forget(report);
    json_tokener_free(report->tokener);
    free(report);
}

void report_expect(struct report *report, double expected_period)
{
    report->expected_period = expected_period;
    report->pace = 0;
}

double report_interval(const struct report *report)
{
    return report->pace > 0 ? report->pace : report->expected_period;
}

static bool is_report(json_object *parsed)
{
    static const char *const marks[] = {"neuron_runtime_data",  "runtime_data",  "system_data",
                                        "neuron_hardware_info", "instance_info", "instance_data"};
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
        if (json_object_object_get_ex(parsed, marks[i], NULL))
            return true;
    return false;
}

// Every name of is_report() ends like this: a stream of other objects need not be parsed.
static bool may_be_report(const char *text, size_t length)
{
    return memmem(text, length, "_data\"", 6) != NULL || memmem(text, length, "_info\"", 6) != NULL;
}

static json_object *no_report(struct report_fault *fault)
{
    *fault = (struct report_fault){.what = "a JSON object, but no report of neuron-monitor"};
    return NULL;
}

json_object *report_parse(struct report *report, const char *text, size_t length,
                          struct report_fault *fault)
{
    if (!may_be_report(text, length))
        return no_report(fault);
    json_tokener_reset(report->tokener);
    json_object *parsed = json_tokener_parse_ex(report->tokener, text, (int)length);
    enum json_tokener_error error = json_tokener_get_error(report->tokener);
    if (error != json_tokener_success || !json_object_is_type(parsed, json_type_object)) {
        fault->at = json_tokener_get_parse_end(report->tokener);
        fault->what = error == json_tokener_continue || error == json_tokener_success
                          ? "no JSON object"
                          : json_tokener_error_desc(error);
        json_object_put(parsed);
        return NULL;
    }
    if (is_report(parsed))
        return parsed;
    json_object_put(parsed);
    return no_report(fault);
}

static json_object *first_of(json_object *object, const char *const names[NAMES])
{
    for (int i = 0; i < NAMES && names[i] != NULL; i++) {
        json_object *value = field_object(object, names[i]);
        if (value != NULL)
            return value;
    }
    return NULL;
}

static double group_period(json_object *group)
{
    double period;
    size_t length;
    bool failed = field_text(group, "error", &length) != NULL;
    return group != NULL && !failed && field_number(group, "period", &period) ? period : -1;
}

// What a report covers, group by group.
struct span {
    double shortest; // of the periods that are no fragments
    double runtimes; // longest period of a runtime's group that holds rates; -1: none
    double longest;  // of all other groups; -1: none
};

static void span_take(struct span *span, double period, double *longest)
{
    if (period < 0)
        return;
    *longest = number_max(*longest, period);
    if (period >= REPORT_SHORTEST_PERIOD)
        span->shortest = span->shortest > 0 ? number_min(span->shortest, period) : period;
}

static json_object *runtime_list(json_object *parsed, bool *told)
{
    for (size_t i = 0; i < sizeof(list_names) / sizeof(list_names[0]); i++) {
        if (!json_object_object_get_ex(parsed, list_names[i], NULL))
            continue;
        *told = true; // null is an empty list
        return field_array(parsed, list_names[i]);
    }
    *told = false;
    return NULL;
}

static size_t list_length(json_object *list)
{
    size_t length = list != NULL ? json_object_array_length(list) : 0;
    return length < RUNTIMES_MAX ? length : RUNTIMES_MAX;
}

static struct span report_span(json_object *parsed)
{
    struct span span = {.runtimes = -1, .longest = -1};
    bool told;
    json_object *list = runtime_list(parsed, &told);
    json_object *system = field_object(parsed, "system_data");
    for (size_t i = 0; i < list_length(list); i++) {
        json_object *groups = field_object(json_object_array_get_idx(list, i), "report");
        for (int group = 0; groups != NULL && group < GROUPS; group++)
            span_take(&span, group_period(first_of(groups, runtime_names[group])),
                      group == GROUP_MEMORY ? &span.longest : &span.runtimes);
    }
    for (int i = 0; i < SYSTEM_NAMES; i++)
        if (!system_names[i].top)
            span_take(&span, group_period(first_of(system, system_names[i].names)), &span.longest);
    return span;
}

double report_pace(json_object *parsed)
{
    return report_span(parsed).shortest;
}

static void kept_take(struct kept *kept, json_object *value, double arrival)
{
    if (value == NULL)
        return;
    json_object_put(kept->value);
    kept->value = json_object_get(value);
    kept->arrival = arrival;
    if (!field_number(value, "period", &kept->period))
        kept->period = 0;
}

static bool same_member(json_object *a, json_object *b, const char *key)
{
    json_object *first = field_any(a, key), *second = field_any(b, key);
    return first == second || json_object_equal(first, second);
}

static bool same_runtime(json_object *a, json_object *b)
{
    return same_member(a, b, "pid") && same_member(a, b, "neuron_runtime_tag") &&
           same_member(a, b, "neuron_runtime_index") && same_member(a, b, "runtime_index");
}

// The kept state of the runtime of ENTRY, moved out of the old list; blank when it is new. The
// order hardly ever changes, so the search begins at its old place and goes on to both sides of it;
// it is bounded, because the list may be long and each of its entries new.
static struct runtime report_find(struct report *report, json_object *entry, size_t near)
{
    const size_t count = report->runtime_count, most = count < SEARCH_MOST ? count : SEARCH_MOST;
    for (size_t i = 0; i < most; i++) {
        size_t aside = (i + 1) / 2; // 0, 1 behind, 1 before, 2 behind ...
        size_t at = i % 2 != 0 ? near + aside : near + count - aside;
        struct runtime *runtime = &report->runtimes[at % count];
        if (runtime->entry == NULL || !same_runtime(runtime->entry, entry))
            continue;
        struct runtime found = *runtime;
        *runtime = (struct runtime){0};
        return found;
    }
    return (struct runtime){0};
}

static void runtime_take(struct runtime *runtime, json_object *entry, double arrival)
{
    json_object *groups = field_object(entry, "report");
    size_t length;
    json_object_put(runtime->entry);
    runtime->entry = json_object_get(entry);
    bool failed = field_text(entry, "error", &length) != NULL;
    for (int group = 0; group < GROUPS; group++) {
        if (failed) // what was true before it failed must not pass for current
            kept_drop(&runtime->groups[group]);
        else if (groups != NULL)
            kept_take(&runtime->groups[group], first_of(groups, runtime_names[group]), arrival);
    }
}

// Tools 1.x put the hardware counters into the runtime's report.
static void take_old_counters(struct report *report, json_object *entry, double arrival)
{
    kept_take(&report->system[SYSTEM_ECC],
              field_object(field_object(entry, "report"), "hw_counters"), arrival);
}

static void take_runtimes(struct report *report, json_object *list, double arrival)
{
    size_t length = list_length(list), count = 0;
    report->runtimes_left = list != NULL ? json_object_array_length(list) - length : 0;
    struct runtime *fresh = xcalloc(length, sizeof(*fresh));
    for (size_t i = 0; i < length; i++) {
        json_object *entry = json_object_array_get_idx(list, i);
        if (!json_object_is_type(entry, json_type_object))
            continue;
        fresh[count] = report_find(report, entry, i);
        runtime_take(&fresh[count++], entry, arrival);
        take_old_counters(report, entry, arrival);
    }
    report_drop_runtimes(report);
    report->runtimes = fresh;
    report->runtime_count = count;
}

static void take_system(struct report *report, json_object *parsed, double arrival)
{
    json_object *system = field_object(parsed, "system_data");
    for (int i = 0; i < SYSTEM_NAMES; i++) {
        json_object *value = first_of(system_names[i].top ? parsed : system, system_names[i].names);
        kept_take(&report->system[system_names[i].group], value, arrival);
    }
    const struct kept *instance = &report->system[SYSTEM_INSTANCE];
    if (kept_value(instance) == NULL)
        return;
    json_object_put(report->instance_good);
    report->instance_good = json_object_get(instance->value);
}

void report_apply(struct report *report, json_object *parsed, double arrival)
{
    struct span span = report_span(parsed);
    double decisive = span.runtimes >= 0 ? span.runtimes : span.longest;
    bool told;
    json_object *list = runtime_list(parsed, &told);
    report->thin = decisive >= 0 && decisive < REPORT_SHORTEST_PERIOD;
    report->pace = span.shortest > 0 ? span.shortest : report->pace;
    if (told)
        take_runtimes(report, list, arrival);
    report->told_runtimes = report->told_runtimes || told;
    take_system(report, parsed, arrival);
    json_object_put(parsed);
}

const char *kept_error(const struct kept *kept, size_t *length)
{
    return field_text(kept->value, "error", length);
}

json_object *kept_value(const struct kept *kept)
{
    size_t length;
    return kept->value == NULL || kept_error(kept, &length) != NULL ? NULL : kept->value;
}
