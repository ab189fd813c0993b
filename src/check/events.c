// SPDX-License-Identifier: Apache-2.0
// How executions ended by the driver's own counters of each core (driver reference 2.1), where no
// process says it: what happens now is a finding; what was counted since the driver was loaded may
// be of yesterday, and is told beside "none now".
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "check/rule.h"
#include "host/units.h"

// `generic_error` is missing on purpose: on healthy hosts it is a large number that only grows. A
// refused NEFF has a check of its own.
static const enum core_event error_events[] = {EVENT_FAILURE,
                                               EVENT_BAD_INPUT,
                                               EVENT_HW_ERROR,
                                               EVENT_COMPLETED_WITH_ERROR,
                                               EVENT_RESOURCE_ERROR,
                                               EVENT_COMPLETED_WITH_NUM_ERROR,
                                               EVENT_FAILED_TO_QUEUE,
                                               EVENT_RESOURCE_NC_ERROR,
                                               EVENT_INVALID_ERROR,
                                               EVENT_OOB_ERROR,
                                               EVENT_HW_COLLECTIVES,
                                               EVENT_HW_HBM_UE,
                                               EVENT_HW_NC_UE,
                                               EVENT_HW_DMA_ABORT,
                                               EVENT_SW_NQ_OVERFLOW,
                                               EVENT_SW_SEMAPHORE,
                                               EVENT_SW_EVENT,
                                               EVENT_SW_PSUM_COLLISION,
                                               EVENT_SW_SEQUENCER_FATAL,
                                               EVENT_HW_REPAIRABLE_HBM_UE};

static const enum core_event timeout_events[] = {EVENT_TIMEOUT};

static const struct family {
    const char *id; // of the check
    const enum core_event *events;
    size_t count;
    const char *summary;
    const char *remedy;
} families[] = {
    {"exec-timeouts", timeout_events, sizeof(timeout_events) / sizeof(timeout_events[0]),
     "executions time out",
     "Look at the logs of the jobs on these cores and of their other "
     "workers; if a graph needs longer, raise NEURON_RT_EXEC_TIMEOUT (seconds)."},
    {"exec-errors", error_events, sizeof(error_events) / sizeof(error_events[0]), "executions fail",
     "Read the NRT lines in the output of the jobs on these cores at this "
     "time; they name the status code. neutop explain FILE says what they mean."},
};

static const struct family *family_of(const char *id)
{
    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
        if (strcmp(families[i].id, id) == 0)
            return &families[i];
    return NULL;
}

// Of all cores since the driver was loaded; unknown when no core counts it.
static struct fact_u64 total_of(const struct host *host, enum core_event event)
{
    struct fact_u64 sum = {0};
    for (unsigned i = 0; i < host->core_count; i++)
        if (host->cores[i].counters != NULL)
            fact_add(&sum, host->cores[i].counters->total[event]);
    return sum;
}

// Whether CORE has one of these in the newest interval. A program that is not watched live adds all
// of its own at its end: that is no rate.
static bool happens(const struct core *core, const struct family *family)
{
    const struct core_counters *counters = core->counters;
    for (size_t i = 0; counters != NULL && counters->live && i < family->count; i++) {
        struct fact_f64 rate = counters->per_second[family->events[i]];
        if (current_f64(rate) && rate.value > 0)
            return true;
    }
    return false;
}

// "12 timeout" or "3 hw_error, 1 failure and others" since the driver was loaded; NULL: all are 0,
// or, with *KNOWN false, not counted.
static const char *totals_text(const struct host *host, const struct family *family, bool *known)
{
    char text[200] = "", number[UNIT_TEXT];
    size_t used = 0;
    unsigned shown = 0;
    *known = false;
    for (size_t i = 0; i < family->count; i++) {
        struct fact_u64 total = total_of(host, family->events[i]);
        *known = *known || known_u64(total);
        if (!known_u64(total) || total.value == 0 || ++shown > 3)
            continue;
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s %s", used > 0 ? ", " : "",
                                 unit_count(number, sizeof(number), total),
                                 core_event_key(family->events[i]));
    }
    return shown == 0 ? NULL
                      : arena_printf(host->arena, "%s%s", text, shown > 3 ? " and others" : "");
}

void judge_core_events(struct report *report)
{
    const struct family *family = family_of(report->id);
    const struct host *host = report->host;
    struct core_set cores;
    char names[NAME_TEXT];
    bool known;
    core_set_clear(&cores);
    for (unsigned i = 0; i < host->core_count; i++)
        if (happens(&host->cores[i], family))
            core_set_add(&cores, host->cores[i].index);
    if (core_set_empty(&cores) || report->rule_count > 0) // a process says it, and better
        return;
    struct finding *finding = report_add(report, SEVERITY_WARNING);
    const char *totals = totals_text(host, family, &known);
    core_set_format(&cores, names, 48);
    finding_subject(report, finding, "NC %s", names);
    finding_summary(report, finding, "%s on NC %s", family->summary, names);
    finding_evidence(report, finding, "since the driver was loaded: %s; more have come just now",
                     totals != NULL ? totals : "not known");
    finding_remedy(report, finding, "%s", family->remedy);
}

const char *core_events_remark(const struct host *host, const char *id, bool checked)
{
    const struct family *family = family_of(id);
    struct fact_f64 watched = fact_f64(host->watched_seconds, FROM_DERIVED);
    char window[UNIT_TEXT];
    bool known;
    if (family == NULL)
        return NULL;
    const char *totals = totals_text(host, family, &known);
    if (!checked)
        return totals == NULL
                   ? NULL
                   : arena_printf(host->arena, "the driver counts %s since it was loaded", totals);
    if (host->watched_seconds >= 1)
        unit_duration(window, sizeof(window), watched);
    else
        snprintf(window, sizeof(window), "moment");
    return arena_printf(host->arena, "none in the %s watched; since the driver was loaded: %s",
                        window,
                        totals != NULL ? totals
                        : known        ? "none"
                                       : "not known");
}
