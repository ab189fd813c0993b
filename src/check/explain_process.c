// SPDX-License-Identifier: Apache-2.0
// Processes in explanations: who has devices open, and whether the one that wrote an error is still
// here.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check/explain_parts.h"
#include "host/units.h"

enum { HOLDERS_SHOWN = 5, ALIKE_SHOWN = 2 };

// A record tells date and time but not the zone: so far it may be off.
static const double ZONE_SECONDS = 86400;

void tell_append(char *buffer, size_t size, const char *format, ...)
{
    size_t length = strlen(buffer);
    va_list args;
    va_start(args, format);
    vsnprintf(buffer + length, size - length, format, args);
    va_end(args);
}

const char *chips_are(char *buffer, size_t size, const struct core_set *chips)
{
    char numbers[SET_TEXT];
    bool one = core_set_count(chips) == 1;
    core_set_format(chips, numbers, sizeof(numbers));
    snprintf(buffer, size, "chip%s %s %s", one ? "" : "s", numbers, one ? "is" : "are");
    return buffer;
}

static bool is_number(const char *text)
{
    return text[strspn(text, "0123456789")] == '\0';
}

const char *holder_text(char *buffer, const struct host *host, const struct process *process)
{
    char text[UNIT_TEXT];
    process_text(process, buffer);
    if (process->user != NULL)
        tell_append(buffer, HOLDER_TEXT, " of %s%.32s", is_number(process->user) ? "user " : "",
                    process->user);
    if (process->state == PROCESS_GONE)
        tell_append(buffer, HOLDER_TEXT, ", not visible from here");
    else if (process->state == PROCESS_STOPPED || process->state == PROCESS_ZOMBIE)
        tell_append(buffer, HOLDER_TEXT, ", %s", process_state_word(process->state));
    double age = host->time_unix_seconds - process->started_unix_seconds.value;
    if (known_f64(process->started_unix_seconds) && age > 0)
        tell_append(buffer, HOLDER_TEXT, ", started %s ago",
                    unit_duration(text, sizeof(text), fact_f64(age, FROM_DERIVED)));
    if (current_f64(process->idle_seconds) && process->idle_seconds.value >= 1)
        tell_append(buffer, HOLDER_TEXT, ", idle %s%s",
                    process->idle_since_start ? "at least " : "",
                    unit_duration(text, sizeof(text), process->idle_seconds));
    if (process->pod != NULL || process->container != NULL)
        tell_append(buffer, HOLDER_TEXT, ", in %s %.40s",
                    process->pod != NULL ? "pod" : "container",
                    process->pod != NULL ? process->pod : process->container);
    return buffer;
}

void now_holders(struct telling *telling)
{
    const struct host *host = telling->host;
    char who[HOLDER_TEXT], chips[SET_TEXT + 16];
    unsigned shown = 0, more = 0;
    for (unsigned i = 0; host != NULL && i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        if (core_set_empty(&process->chips))
            continue;
        if (shown == HOLDERS_SHOWN || !tell_room(telling)) {
            more++;
            continue;
        }
        shown++;
        tell_now(telling, "%s open in %s%s", chips_are(chips, sizeof(chips), &process->chips),
                 holder_text(who, host, process), process->bystander ? ", which only looks" : "");
    }
    if (more > 0)
        tell_now(telling, "and %u more processes have devices open", more);
    if (host != NULL)
        tell_handles(telling);
    if (host != NULL && shown == 0 && telling->out->now_count < NOW_MAX)
        tell_now(telling, "no process that is visible from here has a device open now");
}

// How a process with the PID of a record fits the one that wrote it.
enum fit {
    FIT_NOT,     // it started later, whatever zone the record's time is in
    FIT_UNKNOWN, // the number alone is the same
    FIT_ZONE,    // it started before the record, or after, by the zone
    FIT_SAME     // it ran at that time, in this very list of PIDs
};

// A process writes the PID that it has in its own PID namespace. Inside a container that is a small
// number, which another container, here or elsewhere, has as well.
static enum fit fit_of(const struct host *host, const struct process *process, uint64_t pid,
                       int64_t record_seconds)
{
    bool inside = known_u64(process->pid_inside);
    struct fact_u64 own = inside ? process->pid_inside : process->pid;
    if (process->state == PROCESS_GONE || !known_u64(own) || own.value != pid)
        return FIT_NOT;
    if (!known_f64(process->started_unix_seconds) || record_seconds == 0)
        return FIT_UNKNOWN;
    double later = process->started_unix_seconds.value - (double)record_seconds;
    if (later > ZONE_SECONDS)
        return FIT_NOT;
    if (inside || (double)record_seconds > host->time_unix_seconds + ZONE_SECONDS)
        return FIT_UNKNOWN;
    return later > 0 ? FIT_ZONE : FIT_SAME;
}

static void tell_fit(struct telling *telling, const struct process *process, uint64_t pid,
                     enum fit fit)
{
    char who[HOLDER_TEXT];
    holder_text(who, telling->host, process);
    if (fit == FIT_SAME)
        tell_now(telling, "the process that failed is still here: %s", who);
    else if (fit == FIT_ZONE)
        tell_now(telling, "this may be the process that failed, by the zone of its time: %s", who);
    else if (known_u64(process->pid_inside))
        tell_now(telling,
                 "a process with PID %" PRIu64 " in its container is here; whether it is the one "
                 "that failed is not known: %s",
                 pid, who);
    else
        tell_now(telling,
                 "a process with PID %" PRIu64 " is here; whether it is the one that failed is not "
                 "known: %s",
                 pid, who);
}

// The processes that fit PID. Of several none is known to be the one.
static void tell_alike(struct telling *telling, uint64_t pid, int64_t record_seconds)
{
    const struct host *host = telling->host;
    unsigned count = 0, shown = 0;
    for (unsigned i = 0; i < host->process_count; i++)
        count += fit_of(host, &host->processes[i], pid, record_seconds) != FIT_NOT;
    for (unsigned i = 0; i < host->process_count && shown < ALIKE_SHOWN; i++) {
        enum fit fit = fit_of(host, &host->processes[i], pid, record_seconds);
        if (fit == FIT_NOT || !tell_room(telling))
            continue;
        shown++;
        tell_fit(telling, &host->processes[i], pid, count > 1 ? FIT_UNKNOWN : fit);
    }
    if (count > ALIKE_SHOWN && shown == ALIKE_SHOWN)
        tell_now(telling, "and %u more processes with PID %" PRIu64 " in their containers",
                 count - shown, pid);
}

// The process told which instance it ran on, and that is another one.
static bool ran_elsewhere(const struct telling *telling, uint64_t pid)
{
    const struct log_job *job = joblog_job_of(telling->log, pid);
    const char *here = telling->host->instance.id;
    return job != NULL && job->instance[0] != '\0' && here != NULL &&
           strcmp(job->instance, here) != 0;
}

void now_pids(struct telling *telling)
{
    const struct error_group *group = telling->group;
    for (size_t i = 0; telling->host != NULL && i < group->pid_count; i++)
        if (!ran_elsewhere(telling, group->pids[i]))
            tell_alike(telling, group->pids[i], group->pid_seconds[i]);
}
