// SPDX-License-Identifier: Apache-2.0
// Who holds the cores that an error is about, and which are free.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "check/explain_parts.h"
#include "host/free_cores.h"
#include "host/units.h"

enum { HOLDERS_SHOWN = 5, RUNS_SHOWN = 6, GIVEN_SHOWN = 3 };

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

// The core size that the message names: a job counts its cores by it.
static unsigned asked_lnc(const struct telling *telling)
{
    uint64_t size;
    return tell_number(telling, CAPTURE_CORE_SIZE, &size) && size <= 2 ? (unsigned)size : 0;
}

static struct core_set range_set(uint64_t first, uint64_t last)
{
    struct core_set set = {{0}};
    for (uint64_t i = first; i <= last && i < CORE_SET_MAX; i++)
        core_set_add(&set, (unsigned)i);
    return set;
}

// A job with what it holds here.
struct holder {
    struct job_part part;
    struct core_set cores; // as asked for
    bool unsure;           // that it holds all of these
};

static void count_members(const struct host *host, const struct job *job, struct holder *holder)
{
    for (unsigned i = 0; i < job->count; i++) {
        const struct process *process = &host->processes[job->members[i]];
        if (!core_set_empty(&process->cores) || !core_set_empty(&process->chips))
            job_part_add(&holder->part, host, job, process);
    }
    if (holder->part.members == 0)
        job_part_add(&holder->part, host, job, &host->processes[job->members[0]]);
}

// Everyone who holds cores, or may. HOLDERS has room for every job.
static size_t find_holders(const struct free_cores *cores, const struct jobs *jobs,
                           struct holder *holders)
{
    const struct host *host = cores->host;
    size_t count = 0;
    for (unsigned i = 0; i < cores->count; i++) {
        const struct free_core *core = &cores->cores[i];
        for (unsigned h = 0; h < core->holder_count; h++) {
            struct holder *holder = &holders[jobs->of[core->holders[h]]];
            core_set_add(&holder->cores, core->index);
            if (core->state != FREE_HELD || core->certainty <= CERTAINTY_CHIP)
                holder->unsure = true;
        }
    }
    for (unsigned i = 0; i < jobs->count; i++) {
        if (core_set_empty(&holders[i].cores))
            continue;
        holders[count] = holders[i];
        count_members(host, &jobs->items[i], &holders[count++]);
    }
    return count;
}

static int most_cores_first(const void *a, const void *b)
{
    const struct holder *left = a, *right = b;
    unsigned left_count = core_set_count(&left->cores), right_count = core_set_count(&right->cores);
    if (left_count != right_count)
        return left_count > right_count ? -1 : 1;
    return left->part.first < right->part.first ? -1 : left->part.first > right->part.first;
}

static const char *number_word(const struct free_cores *cores)
{
    if (cores->numbered)
        return "NC";
    return cores->host->numbering == NUMBERING_PHYSICAL ? "physical core" : "core";
}

static void tell_holder(struct telling *telling, const struct free_cores *cores,
                        const struct holder *holder)
{
    char who[HOLDER_TEXT], numbers[SET_TEXT], job[JOB_TEXT];
    const char *sure = holder->unsure ? ", or some of them," : "";
    core_set_format(&holder->cores, numbers, sizeof(numbers));
    holder_text(who, telling->host, holder->part.first);
    if (holder->part.members > 1)
        tell_now(telling, "%s %s%s held by %s; the first is %s", number_word(cores), numbers, sure,
                 job_part_text(&holder->part, job), who);
    else
        tell_now(telling, "%s %s%s held by %s", number_word(cores), numbers, sure, who);
}

// The holders of any of WANTED; of any core at all when that is empty.
static void tell_holders(struct telling *telling, const struct free_cores *cores,
                         const struct core_set *wanted)
{
    const struct jobs jobs = jobs_of(telling->host);
    struct holder *holders = ARENA_ARRAY(telling->arena, jobs.count, struct holder);
    size_t count = find_holders(cores, &jobs, holders), shown = 0, more = 0;
    qsort(holders, count, sizeof(*holders), most_cores_first);
    for (size_t i = 0; i < count; i++) {
        if (!core_set_empty(wanted) && !core_set_intersects(&holders[i].cores, wanted))
            continue;
        if (shown == HOLDERS_SHOWN || !tell_room(telling)) {
            more++;
            continue;
        }
        shown++;
        tell_holder(telling, cores, &holders[i]);
    }
    if (more > 0)
        tell_now(telling, "and %zu more holders: neutop cores shows all", more);
}

void tell_handles(struct telling *telling)
{
    const struct fact_u64 handles = telling->host->unseen_handles;
    if (known_u64(handles) && handles.value > 0)
        tell_now(telling,
                 "%" PRIu64 " open device handles belong to nobody who is visible from here: look "
                 "on the host itself, as root",
                 handles.value);
}

static void tell_unseen(struct telling *telling, const struct free_cores *cores)
{
    struct core_set set = {{0}};
    char numbers[SET_TEXT];
    for (unsigned i = 0; i < cores->count; i++)
        if (cores->cores[i].unseen)
            core_set_add(&set, cores->cores[i].index);
    if (core_set_empty(&set))
        tell_handles(telling);
    else
        tell_now(telling,
                 "%s %s held by someone who is not visible from here: look on the host itself, as "
                 "root",
                 number_word(cores), core_set_format(&set, numbers, sizeof(numbers)));
}

// "NC 4-7, NC 12-15".
static void runs_text(const struct free_cores *cores, char *text)
{
    unsigned runs = 0;
    text[0] = '\0';
    for (struct core_run run = free_cores_run(cores, 0); run.count > 0;
         run = free_cores_run(cores, run.first + run.count)) {
        if (runs++ >= RUNS_SHOWN)
            continue;
        tell_append(text, HOLDER_TEXT, "%s%s %u", runs > 1 ? ", " : "", number_word(cores),
                    run.first);
        if (run.count > 1)
            tell_append(text, HOLDER_TEXT, "-%u", run.first + run.count - 1);
    }
    if (runs > RUNS_SHOWN)
        tell_append(text, HOLDER_TEXT, " and %u more runs", runs - RUNS_SHOWN);
}

static void tell_free(struct telling *telling, const struct free_cores *cores)
{
    char text[HOLDER_TEXT];
    unsigned longest = free_cores_longest(cores).count;
    unsigned unknown = free_cores_count(cores, FREE_UNKNOWN);
    runs_text(cores, text);
    if (longest > 0)
        tell_now(telling, "free now: %s; the longest run is %u", text, longest);
    else if (unknown == 0)
        tell_now(telling, "no core is free now");
    if (unknown > 0)
        tell_now(telling, "of %u cores it is not known whether they are held", unknown);
}

// Whether the job could start now.
static void tell_chance(struct telling *telling, const struct free_cores *cores, uint64_t wanted)
{
    char why[HOLDER_TEXT];
    struct core_run run;
    if (wanted == 0 || wanted > CORE_SET_MAX || !cores->numbered)
        return;
    if (free_cores_choose(cores, (unsigned)wanted, &run, why, sizeof(why)))
        tell_now(telling, "NEURON_RT_VISIBLE_CORES=%u-%u is free for this job now: start it again",
                 run.first, run.first + run.count - 1);
    else
        tell_now(telling, "%s", why);
}

static void tell_range(struct telling *telling, const struct free_cores *cores,
                       const struct core_set *wanted)
{
    char numbers[SET_TEXT];
    bool there = true;
    for (int core = core_set_next(wanted, 0); core >= 0;
         core = core_set_next(wanted, (unsigned)core + 1))
        there = there && free_cores_find(cores, (unsigned)core) != NULL;
    core_set_format(wanted, numbers, sizeof(numbers));
    if (!there)
        tell_now(telling, "NC %s is not on this host: it has NC 0-%u", numbers, cores->count - 1);
    else if (free_cores_state(cores, wanted) == FREE_FREE)
        tell_now(telling, "NC %s is free now: start the job again", numbers);
}

// Processes that were given devices with a gap (field case F-25).
static void tell_given(struct telling *telling)
{
    const struct host *host = telling->host;
    struct core_set given;
    char who[HOLDER_TEXT], numbers[SET_TEXT];
    unsigned shown = 0, more = 0;
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        if (process->state == PROCESS_GONE || !given_with_gap(process, &given))
            continue;
        if (shown == GIVEN_SHOWN) {
            more++;
            continue;
        }
        shown++;
        tell_now(telling, "devices %s given to %s: not contiguous",
                 core_set_format(&given, numbers, sizeof(numbers)),
                 holder_text(who, host, process));
    }
    if (more > 0)
        tell_now(telling, "and to %u more processes", more);
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
    tell_given(telling);
}

void now_cores(struct telling *telling)
{
    const struct host *host = telling->host;
    if (host == NULL || host->core_count == 0)
        return;
    struct free_cores cores = free_cores_of(host, asked_lnc(telling));
    struct asked asked = read_asked(telling);
    struct core_set wanted = {{0}};
    const char *id = telling->group->message->id;
    if (strcmp(id, "cores-not-contiguous") == 0 || strcmp(id, "chip-not-there") == 0)
        tell_gaps(telling);
    if (free_cores_count(&cores, FREE_UNKNOWN) == cores.count) {
        tell_now(telling, "who holds cores is not known here: run neutop as root, on the host");
        return;
    }
    if (!cores.numbered)
        tell_now(telling, "%s", cores.trouble);
    else if (asked.range)
        wanted = range_set(asked.first, asked.last);
    if (cores.numbered && known_u64(host->hardware.lnc) && cores.lnc != host->hardware.lnc.value)
        tell_now(telling, "counted with core size %u, as the job does; LNC is %" PRIu64 " here",
                 cores.lnc, host->hardware.lnc.value);
    if (!core_set_empty(&wanted))
        tell_range(telling, &cores, &wanted);
    tell_holders(telling, &cores, &wanted);
    tell_unseen(telling, &cores);
    tell_free(telling, &cores);
    if (!asked.range)
        tell_chance(telling, &cores, asked.count);
}
