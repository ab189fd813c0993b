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

// A job with what it holds here of the cores that are asked about.
struct holder {
    struct job_part part;        // the processes that hold these
    struct core_set sure, maybe; // cores asked about, by how surely it is they
    struct core_set all;         // that the job surely holds, asked about or not
    bool by_environment;         // the sure ones are told by its environment
};

struct holders {
    const struct free_cores *cores;
    struct jobs jobs;
    struct core_set wanted; // empty: all cores are asked about
    struct holder *items;   // first of every job, then those that hold something of WANTED
    bool *marked;           // of each process: it does
    size_t count;
};

static void note_holder(struct holders *holders, const struct free_core *core, unsigned process)
{
    struct holder *holder = &holders->items[holders->jobs.of[process]];
    bool sure = core->state == FREE_HELD && core->certainty > CERTAINTY_CHIP;
    if (sure)
        core_set_add(&holder->all, core->index);
    if (!core_set_empty(&holders->wanted) && !core_set_has(&holders->wanted, core->index))
        return;
    core_set_add(sure ? &holder->sure : &holder->maybe, core->index);
    holder->by_environment =
        holder->by_environment || (sure && core->certainty == CERTAINTY_ENVIRONMENT);
    holders->marked[process] = true;
}

static void count_members(struct holders *holders, const struct job *job, struct holder *holder)
{
    const struct host *host = holders->cores->host;
    for (unsigned i = 0; i < job->count; i++)
        if (holders->marked[job->members[i]])
            job_part_add(&holder->part, host, job, &host->processes[job->members[i]]);
}

static unsigned asked_count(const struct holder *holder)
{
    return core_set_count(&holder->sure) + core_set_count(&holder->maybe);
}

static int most_cores_first(const void *a, const void *b)
{
    const struct holder *left = a, *right = b;
    unsigned left_count = asked_count(left), right_count = asked_count(right);
    if (left_count != right_count)
        return left_count > right_count ? -1 : 1;
    return left->part.first < right->part.first ? -1 : left->part.first > right->part.first;
}

// Everyone who holds cores of WANTED, or may.
static struct holders find_holders(struct arena *arena, const struct free_cores *cores,
                                   const struct core_set *wanted)
{
    const struct host *host = cores->host;
    struct holders holders = {.cores = cores, .jobs = jobs_of(host), .wanted = *wanted};
    holders.items = ARENA_ARRAY(arena, holders.jobs.count, struct holder);
    holders.marked = ARENA_ARRAY(arena, host->process_count, bool);
    for (unsigned i = 0; i < cores->count; i++)
        for (unsigned h = 0; h < cores->cores[i].holder_count; h++)
            note_holder(&holders, &cores->cores[i], cores->cores[i].holders[h]);
    for (unsigned i = 0; i < holders.jobs.count; i++) {
        if (asked_count(&holders.items[i]) == 0)
            continue;
        struct holder holder = holders.items[i];
        count_members(&holders, &holders.jobs.items[i], &holder);
        holders.items[holders.count++] = holder;
    }
    qsort(holders.items, holders.count, sizeof(*holders.items), most_cores_first);
    return holders;
}

static const char *number_word(const struct free_cores *cores)
{
    if (cores->numbered)
        return "NC";
    return cores->host->numbering == NUMBERING_PHYSICAL ? "physical core" : "core";
}

// Where one process of a job holds the cores: which job that is.
static void append_job(char *line, size_t size, const struct host *host,
                       const struct holder *holder)
{
    const struct job *job = holder->part.job;
    char text[JOB_TEXT];
    bool leads = job->leader >= 0 && holder->part.first == &host->processes[job->leader];
    if (holder->part.members > 1 || !job_is_group(job))
        return;
    if (leads)
        tell_append(line, size, ", which leads %s", job_text(host, job, text));
    else if (job->count - (job->leader >= 0) > 1)
        tell_append(line, size, ", one of %s", job_text(host, job, text));
    else if (job_by_start(job) && known_u64(job->pid))
        tell_append(line, size, ", under PID %" PRIu64 " %.40s", job->pid.value,
                    job->name != NULL ? job->name : "launcher");
}

// It asked for no cores in particular, so it took all that it could see (field case F-08).
static bool asked_for_none(const struct holder *holder)
{
    const struct process *process = holder->part.first;
    return holder->part.members == 1 && process->environment_known &&
           process->visible_cores == NULL && process->num_cores == NULL;
}

// "NC 1 held by PID 201 (train.py) of ubuntu, one of 4 workers of PID 200 torchrun; NC 0-3 in all"
static void tell_holder(struct telling *telling, const struct free_cores *cores,
                        const struct holder *holder)
{
    char who[HOLDER_TEXT], numbers[SET_TEXT], job[JOB_TEXT], line[3 * HOLDER_TEXT] = "";
    const bool sure = !core_set_empty(&holder->sure), several = asked_count(holder) > 1;
    const struct core_set *held = sure ? &holder->sure : &holder->maybe;
    holder_text(who, telling->host, holder->part.first);
    tell_append(line, sizeof(line), "%s %s%s held by ", number_word(cores),
                core_set_format(held, numbers, sizeof(numbers)),
                sure      ? ""
                : several ? ", or some of them,"
                          : " may be");
    if (holder->part.members > 1)
        tell_append(line, sizeof(line), "%s; the first is ", job_part_text(&holder->part, job));
    tell_append(line, sizeof(line), "%s", who);
    append_job(line, sizeof(line), telling->host, holder);
    if (asked_for_none(holder))
        tell_append(line, sizeof(line), ", NEURON_RT_VISIBLE_CORES not set");
    if (holder->by_environment)
        tell_append(line, sizeof(line), ", by its environment");
    if (sure && !core_set_empty(&holder->maybe))
        tell_append(line, sizeof(line), "; and perhaps %s %s", number_word(cores),
                    core_set_format(&holder->maybe, numbers, sizeof(numbers)));
    if (sure && core_set_count(&holder->all) > core_set_count(&holder->sure))
        tell_append(line, sizeof(line), "; %s %s in all", number_word(cores),
                    core_set_format(&holder->all, numbers, sizeof(numbers)));
    tell_now(telling, "%s", line);
}

// The holders of any of WANTED; of any core at all when that is empty.
static void tell_holders(struct telling *telling, const struct free_cores *cores,
                         const struct core_set *wanted)
{
    struct holders holders = find_holders(telling->arena, cores, wanted);
    size_t shown = 0;
    for (; shown < holders.count && shown < HOLDERS_SHOWN && tell_room(telling); shown++)
        tell_holder(telling, cores, &holders.items[shown]);
    if (holders.count > shown)
        tell_now(telling, "and %zu more holders: neutop cores shows all", holders.count - shown);
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

// COUNTED: a line follows that tells how many of how long a run there are.
static void tell_free(struct telling *telling, const struct free_cores *cores, bool counted)
{
    char text[HOLDER_TEXT];
    unsigned longest = free_cores_longest(cores).count;
    unsigned unknown = free_cores_count(cores, FREE_UNKNOWN);
    runs_text(cores, text);
    if (longest > 0 && counted)
        tell_now(telling, "free now: %s", text);
    else if (longest > 0)
        tell_now(telling, "free now: %s; the longest run is %u", text, longest);
    else if (unknown == 0)
        tell_now(telling, "no core is free now");
    if (unknown > 0 && !counted)
        tell_now(telling, "of %u core%s it is not known whether %s held", unknown,
                 unknown == 1 ? "" : "s", unknown == 1 ? "it is" : "they are");
}

static void do_start(struct telling *telling)
{
    if (strcmp(telling->group->message->id, "cores-not-available") == 0)
        telling->out->remedy = "Start the job again: enough cores are free now. If it fails again, "
                               "neutop cores tells who holds them then. A job without "
                               "NEURON_RT_VISIBLE_CORES or NEURON_RT_NUM_CORES takes every core.";
}

// Whether a job that asks for a number of cores could start now. Says which are free, too.
static void tell_chance(struct telling *telling, const struct free_cores *cores, uint64_t wanted)
{
    char why[HOLDER_TEXT], numbers[SET_TEXT];
    struct core_run run;
    bool counted = wanted > 0 && wanted <= CORE_SET_MAX && cores->numbered;
    tell_free(telling, cores, counted);
    if (!counted)
        return;
    if (!free_cores_choose(cores, (unsigned)wanted, &run, why, sizeof(why))) {
        tell_now(telling, "%s", why);
        return;
    }
    struct core_set set = range_set(run.first, run.first + run.count - 1);
    tell_now(telling, "NEURON_RT_VISIBLE_CORES=%s is free for this job now: start it again",
             core_set_format(&set, numbers, sizeof(numbers)));
    do_start(telling);
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
    if (!there || free_cores_state(cores, wanted) != FREE_FREE)
        return;
    tell_now(telling, "NC %s is free now: start the job again", numbers);
    do_start(telling);
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
    char text[SET_TEXT + 16];
    for (unsigned i = 0; i < host->chip_count; i++)
        core_set_add(&chips, host->chips[i].index);
    int first = core_set_next(&chips, 0);
    bool gap = first >= 0 && !core_set_has(&chips, (unsigned)first + core_set_count(&chips) - 1);
    tell_now(telling, "%s given here%s", chips_are(text, sizeof(text), &chips),
             gap ? ": not contiguous" : "");
    tell_given(telling);
}

static bool nothing_known(const struct free_cores *cores)
{
    bool known = false;
    for (unsigned i = 0; i < cores->count; i++)
        known = known || cores->cores[i].state != FREE_UNKNOWN || cores->cores[i].holder_count > 0;
    return !known;
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
    if (nothing_known(&cores)) {
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
    tell_chance(telling, &cores, asked.range ? 0 : asked.count);
}
