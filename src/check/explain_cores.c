// SPDX-License-Identifier: Apache-2.0
// Who holds the cores that an error is about, and which are free.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "check/explain_parts.h"
#include "host/units.h"

enum { HOLDERS_SHOWN = 5, RUNS_SHOWN = 6 };

// The numbers of core_shown() are those that a job counts.
static bool numbers_joined(const struct host *host)
{
    bool joined = true;
    for (unsigned i = 0; i < host->core_count; i++)
        joined = joined && known_u64(host->cores[i].logical);
    return joined || core_map_order(host) == CORE_ORDER_SAME;
}

const char *core_word(const struct host *host)
{
    if (numbers_joined(host))
        return "NC";
    return host->numbering == NUMBERING_PHYSICAL ? "physical core" : "monitor's core";
}

unsigned core_shown(const struct core *core)
{
    return known_u64(core->logical) ? (unsigned)core->logical.value : core->index;
}

static void append(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void append(char *buffer, size_t size, const char *format, ...)
{
    size_t length = strlen(buffer);
    va_list args;
    va_start(args, format);
    vsnprintf(buffer + length, size - length, format, args);
    va_end(args);
}

const char *holder_text(char *buffer, const struct host *host, const struct process *process)
{
    char name[NAME_TEXT], text[UNIT_TEXT];
    snprintf(buffer, HOLDER_TEXT, "%s", name_process(name, process));
    if (process->user != NULL)
        append(buffer, HOLDER_TEXT, " of %.32s", process->user);
    if (process->state == PROCESS_GONE)
        append(buffer, HOLDER_TEXT, ", not visible from here");
    else if (process->state == PROCESS_STOPPED || process->state == PROCESS_ZOMBIE)
        append(buffer, HOLDER_TEXT, ", %s", process_state_word(process->state));
    double age = host->time_unix_seconds - process->started_unix_seconds.value;
    if (known_f64(process->started_unix_seconds) && age > 0)
        append(buffer, HOLDER_TEXT, ", started %s ago",
               unit_duration(text, sizeof(text), fact_f64(age, FROM_DERIVED)));
    if (current_f64(process->idle_seconds) && process->idle_seconds.value >= 1)
        append(buffer, HOLDER_TEXT, ", idle %s%s", process->idle_since_start ? "at least " : "",
               unit_duration(text, sizeof(text), process->idle_seconds));
    if (process->pod != NULL || process->container != NULL)
        append(buffer, HOLDER_TEXT, ", in %s %.40s", process->pod != NULL ? "pod" : "container",
               process->pod != NULL ? process->pod : process->container);
    return buffer;
}

// The cores that an error asks for.
struct asked {
    bool range;
    uint64_t first, last; // of a range
    uint64_t count;       // 0: not known
};

// "2", "nc1-nc1", "lnc0-lnc0", "nc3".
static struct asked read_asked(const struct telling *telling)
{
    struct asked asked = {0};
    struct taken values[PATTERN_VALUES];
    const struct value *value = group_value(telling->group, CAPTURE_REQUESTED);
    if (value == NULL)
        return asked;
    const char *end = value->text + strlen(value->text);
    if (pattern_match("%d", value->text, end, values) == end) {
        asked.count = values[0].number;
        return asked;
    }
    if (pattern_match("[l]nc%d[-lnc%d][-nc%d]", value->text, end, values) == NULL)
        return asked;
    asked.range = true;
    asked.first = values[0].number;
    asked.last = values[1].known   ? values[1].number
                 : values[2].known ? values[2].number
                                   : asked.first;
    if (asked.last < CORE_SET_MAX && asked.first <= asked.last)
        asked.count = asked.last - asked.first + 1;
    else
        asked.range = false;
    return asked;
}

// The sets of shown numbers: all cores, and those that are free.
struct shown {
    struct core_set all, free;
    bool known; // some source tells who owns cores
};

static struct shown shown_cores(const struct host *host)
{
    struct shown shown = {0};
    struct core_set taken = {{0}};
    for (unsigned i = 0; i < host->core_count; i++) {
        const struct core *core = &host->cores[i];
        unsigned number = core_shown(core);
        enum core_state state = core_state(core);
        core_set_add(&shown.all, number);
        core_set_add(state == CORE_FREE ? &shown.free : &taken, number);
        shown.known = shown.known || state != CORE_UNKNOWN;
    }
    // a logical core is free when all of its physical ones are
    for (size_t i = 0; i < CORE_SET_MAX / 64; i++)
        shown.free.bits[i] &= ~taken.bits[i];
    return shown;
}

static struct core_set cores_of(const struct host *host, const struct process *process)
{
    struct core_set set = {{0}};
    for (unsigned i = 0; i < host->core_count; i++)
        if (core_set_has(&process->cores, host->cores[i].index))
            core_set_add(&set, core_shown(&host->cores[i]));
    return set;
}

static struct core_set range_set(uint64_t first, uint64_t last)
{
    struct core_set set = {{0}};
    for (uint64_t i = first; i <= last && i < CORE_SET_MAX; i++)
        core_set_add(&set, (unsigned)i);
    return set;
}

// Processes that stand and fall together: the workers of one launcher, or one process alone.
struct holder {
    const struct process *first;
    unsigned members;
    struct core_set cores;
};

static bool same_job(const struct process *a, const struct process *b)
{
    return known_u64(a->launcher_pid) && known_u64(b->launcher_pid) &&
           a->launcher_pid.value == b->launcher_pid.value;
}

// What a holder of no known core has: its chips. NULL when that is nothing.
static const char *chips_text(char *text, const struct process *process)
{
    char numbers[SET_TEXT];
    if (process->bystander || core_set_empty(&process->chips))
        return NULL;
    core_set_format(&process->chips, numbers, sizeof(numbers));
    snprintf(text, HOLDER_TEXT, "cores of chip %s, not known which,", numbers);
    return text;
}

static const char *cores_text(char *text, const struct host *host, const struct core_set *cores)
{
    char numbers[SET_TEXT];
    core_set_format(cores, numbers, sizeof(numbers));
    snprintf(text, HOLDER_TEXT, "%s %s", core_word(host), numbers);
    return text;
}

// The holders of any of WANTED; of any core at all when that is empty.
static size_t find_holders(const struct host *host, const struct core_set *wanted,
                           struct holder *holders)
{
    size_t count = 0;
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        struct core_set cores = cores_of(host, process);
        bool meant = !core_set_empty(&cores) &&
                     (core_set_empty(wanted) || core_set_intersects(&cores, wanted));
        meant = meant ||
                (core_set_empty(&cores) && !process->bystander && !core_set_empty(&process->chips));
        size_t at = 0;
        while (at < count && !same_job(holders[at].first, process))
            at++;
        if (!meant)
            continue;
        if (at == count)
            holders[count++] = (struct holder){.first = process};
        holders[at].members++;
        core_set_union(&holders[at].cores, &cores);
    }
    return count;
}

static int most_cores_first(const void *a, const void *b)
{
    const struct holder *left = a, *right = b;
    unsigned left_count = core_set_count(&left->cores), right_count = core_set_count(&right->cores);
    if (left_count != right_count)
        return left_count > right_count ? -1 : 1;
    return left->first < right->first ? -1 : left->first > right->first;
}

static void tell_holder(struct telling *telling, const struct holder *holder)
{
    char who[HOLDER_TEXT], what[HOLDER_TEXT];
    const struct process *first = holder->first;
    const char *held = core_set_empty(&holder->cores)
                           ? chips_text(what, first)
                           : cores_text(what, telling->host, &holder->cores);
    if (holder->members > 1)
        tell_now(telling, "%s held by %u workers of PID %" PRIu64 " (%s); the first is %s", held,
                 holder->members, first->launcher_pid.value,
                 first->launcher != NULL ? first->launcher : "launcher",
                 holder_text(who, telling->host, first));
    else
        tell_now(telling, "%s held by %s", held, holder_text(who, telling->host, first));
}

static void tell_holders(struct telling *telling, const struct core_set *wanted)
{
    const struct host *host = telling->host;
    struct holder *holders = ARENA_ARRAY(telling->arena, host->process_count, struct holder);
    size_t count = find_holders(host, wanted, holders), shown = 0;
    qsort(holders, count, sizeof(*holders), most_cores_first);
    for (; shown < count && shown < HOLDERS_SHOWN && tell_room(telling); shown++)
        tell_holder(telling, &holders[shown]);
    if (shown < count)
        tell_now(telling, "and %zu more holders: neutop shows all", count - shown);
}

static void tell_unseen(struct telling *telling)
{
    const struct host *host = telling->host;
    struct core_set chips = {{0}};
    char numbers[SET_TEXT];
    for (unsigned i = 0; i < host->chip_count; i++)
        if (host->chips[i].held_unseen)
            core_set_add(&chips, host->chips[i].index);
    if (!core_set_empty(&chips))
        tell_now(
            telling,
            "chip %s is held by someone who is not visible from here: look on the host itself, "
            "as root",
            core_set_format(&chips, numbers, sizeof(numbers)));
    else if (known_u64(host->unseen_handles) && host->unseen_handles.value > 0)
        tell_now(telling,
                 "%" PRIu64 " open device handles belong to nobody who is visible from here",
                 host->unseen_handles.value);
}

// "NC 4-7, NC 12-15", and the longest run.
static unsigned free_runs(const struct host *host, const struct core_set *free, char *text)
{
    unsigned longest = 0, runs = 0;
    const char *word = core_word(host);
    text[0] = '\0';
    for (int first = core_set_next(free, 0); first >= 0;) {
        unsigned last = (unsigned)first;
        while (core_set_has(free, last + 1))
            last++;
        unsigned length = last - (unsigned)first + 1;
        longest = length > longest ? length : longest;
        if (runs++ < RUNS_SHOWN)
            append(text, HOLDER_TEXT, length > 1 ? "%s%s %d-%u" : "%s%s %d", runs > 1 ? ", " : "",
                   word, first, last);
        first = core_set_next(free, last + 1);
    }
    if (runs > RUNS_SHOWN)
        append(text, HOLDER_TEXT, " and %u more runs", runs - RUNS_SHOWN);
    return longest;
}

static void tell_free(struct telling *telling, const struct shown *shown, const struct asked *asked)
{
    char text[HOLDER_TEXT];
    unsigned longest = free_runs(telling->host, &shown->free, text);
    if (longest == 0)
        tell_now(telling, "no core is free now");
    else
        tell_now(telling, "free now: %s; the longest run is %u", text, longest);
    if (asked->count > core_set_count(&shown->all))
        tell_now(telling, "%" PRIu64 " cores were asked for, and there are %u here", asked->count,
                 core_set_count(&shown->all));
    else if (!asked->range && asked->count > 0 && longest >= asked->count)
        tell_now(telling, "that is enough for this job now: start it again");
}

static void tell_range(struct telling *telling, const struct shown *shown,
                       const struct core_set *wanted)
{
    char numbers[SET_TEXT], all[SET_TEXT];
    const char *word = core_word(telling->host);
    bool there = true, free = true;
    for (int core = core_set_next(wanted, 0); core >= 0;
         core = core_set_next(wanted, (unsigned)core + 1)) {
        there = there && core_set_has(&shown->all, (unsigned)core);
        free = free && core_set_has(&shown->free, (unsigned)core);
    }
    core_set_format(wanted, numbers, sizeof(numbers));
    if (!there)
        tell_now(telling, "%s %s is not on this host: it has %s %s", word, numbers, word,
                 core_set_format(&shown->all, all, sizeof(all)));
    else if (free)
        tell_now(telling, "%s %s is free now: start the job again", word, numbers);
}

static void tell_gaps(struct telling *telling)
{
    const struct host *host = telling->host;
    struct core_set chips = {{0}};
    char numbers[SET_TEXT];
    for (unsigned i = 0; i < host->chip_count; i++)
        core_set_add(&chips, host->chips[i].index);
    int first = core_set_next(&chips, 0);
    bool gap = first >= 0 && !core_set_has(&chips, (unsigned)first + core_set_count(&chips) - 1);
    tell_now(telling, "chips %s are given here%s",
             core_set_format(&chips, numbers, sizeof(numbers)), gap ? ": not contiguous" : "");
}

void now_cores(struct telling *telling)
{
    const struct host *host = telling->host;
    if (host == NULL || host->core_count == 0)
        return;
    struct shown shown = shown_cores(host);
    struct asked asked = read_asked(telling);
    struct core_set wanted =
        asked.range ? range_set(asked.first, asked.last) : (struct core_set){{0}};
    if (strcmp(telling->group->message->id, "cores-not-contiguous") == 0)
        tell_gaps(telling);
    if (!shown.known) {
        tell_now(telling, "who holds cores is not known here: run neutop as root, on the host");
        return;
    }
    if (asked.range && !numbers_joined(host)) { // never join two kinds of numbers
        tell_now(telling, "cores are counted here in another order than the job does");
        asked.range = false;
        asked.count = 0;
        core_set_clear(&wanted);
    }
    if (asked.range)
        tell_range(telling, &shown, &wanted);
    tell_holders(telling, &wanted);
    tell_unseen(telling);
    tell_free(telling, &shown, &asked);
}

void now_holders(struct telling *telling)
{
    const struct host *host = telling->host;
    char who[HOLDER_TEXT], numbers[SET_TEXT];
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
        tell_now(telling, "chip %s open in %s%s",
                 core_set_format(&process->chips, numbers, sizeof(numbers)),
                 holder_text(who, host, process), process->bystander ? ", which only looks" : "");
    }
    if (more > 0)
        tell_now(telling, "and %u more processes have devices open", more);
    if (host != NULL)
        tell_unseen(telling);
    if (host != NULL && shown == 0 && telling->out->now_count < NOW_MAX)
        tell_now(telling, "no process that is visible from here has a device open now");
}

// The processes that wrote the error, as long as they are there.
void now_pids(struct telling *telling)
{
    const struct host *host = telling->host;
    char who[HOLDER_TEXT], what[HOLDER_TEXT];
    if (host == NULL)
        return;
    for (size_t p = 0; p < telling->group->pid_count; p++)
        for (unsigned i = 0; i < host->process_count; i++) {
            const struct process *process = &host->processes[i];
            bool same =
                (known_u64(process->pid) && process->pid.value == telling->group->pids[p]) ||
                (known_u64(process->pid_inside) &&
                 process->pid_inside.value == telling->group->pids[p]);
            if (!same || !tell_room(telling))
                continue;
            struct core_set cores = cores_of(host, process);
            bool holds = !core_set_empty(&cores);
            tell_now(telling, "the process that failed is still here: %s%s%s",
                     holder_text(who, host, process), holds ? ", holds " : "",
                     holds ? cores_text(what, host, &cores) : "");
        }
}
