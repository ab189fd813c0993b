// SPDX-License-Identifier: Apache-2.0
// What only a sequence of snapshots can tell. Keeps a small record of each process, sorted for
// binary search, and the last ECC counts of each chip; nothing grows with time.
#include "host/track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"

enum { FORGET_SECONDS = 60, PAST_SECONDS = 60 };

// When something was last seen to happen, and how often in that period; count 0: never.
struct event {
    uint64_t count;
    double at; // monotonic
};

// A process as it was last seen. Tags are kept as their hash: a record has no text to free.
struct record {
    uint64_t pid; // UINT64_MAX: unknown
    uint64_t tag;
    uint64_t models; // of the set of its models
    bool models_known;
    bool seen_active;
    double started;     // its start time as given, NAN unknown
    double active_from; // monotonic: last seen doing something, else first seen
    double seen;        // monotonic: last seen at all
    struct event executions[EXECUTIONS];
    struct event errors[ERROR_KINDS];
};

struct ecc_record {
    unsigned index; // of the chip
    struct fact_u64 mem, sram;
    bool increased;
};

struct track {
    bool begun;
    double first, newest; // monotonic
    uint64_t serial;
    struct record *records; // by pid, then tag
    size_t count, room;
    struct ecc_record *chips;
    unsigned chip_count;
};

struct track *track_new(void)
{
    return xcalloc(1, sizeof(struct track));
}

void track_free(struct track *track)
{
    if (track == NULL)
        return;
    free(track->records);
    free(track->chips);
    free(track);
}

// FNV-1a, continued over several texts.
static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; text != NULL && *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return (hash ^ 0xff) * UINT64_C(0x100000001b3);
}

static const uint64_t hash_start = UINT64_C(0xcbf29ce484222325);

// Independent of the order of models, which is not stable between reports.
static uint64_t hash_models(const struct process *process)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < process->model_count; i++) {
        const struct model *model = &process->models[i];
        uint64_t hash = hash_text(hash_text(hash_start, model->uuid), model->name);
        sum += (hash ^ model->model_id.value) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return sum;
}

// A memory group that failed lists no models; that is no change of the set.
static bool models_known(const struct process *process)
{
    return process->groups[GROUP_MEMORY].error == NULL &&
           (process->model_count > 0 || known_u64(process->memory_device_bytes));
}

static int compare_records(const void *left, const void *right)
{
    const struct record *a = left, *b = right;
    if (a->pid != b->pid)
        return a->pid < b->pid ? -1 : 1;
    return a->tag == b->tag ? 0 : a->tag < b->tag ? -1 : 1;
}

static struct record key_of(const struct process *process)
{
    return (struct record){
        .pid = known_u64(process->pid) ? process->pid.value : UINT64_MAX,
        .tag = hash_text(hash_text(hash_start, process->tag), process->address),
        .started = known_f64(process->started_unix_seconds) ? process->started_unix_seconds.value
                                                            : (double)NAN,
    };
}

// Whether a process is doing something, as far as a fact of now can tell.
struct activity {
    bool active;
    bool known;   // some fact could have shown it
    bool current; // and one of them is not stale
};

static void add_evidence(struct activity *activity, struct fact_f64 fact, double threshold)
{
    if (!known_f64(fact))
        return;
    activity->known = true;
    if (fact.stale)
        return;
    activity->current = true;
    activity->active = activity->active || fact.value >= threshold;
}

static struct activity activity_of(const struct process *process)
{
    static const double busy_percent = 0.05; // as core_state()
    struct activity activity = {false};
    for (unsigned i = 0; i < process->share_count; i++)
        add_evidence(&activity, process->shares[i].utilization_percent, busy_percent);
    add_evidence(&activity, process->utilization_percent, busy_percent);
    struct fact_u64 completed = process->executions_in_period[EXEC_COMPLETED];
    add_evidence(&activity,
                 (struct fact_f64){(double)completed.value, completed.from, completed.stale}, 1);
    return activity;
}

// The record of a process; NULL for one not seen before. Searches only the sorted first SORTED.
static struct record *find_record(struct track *track, size_t sorted, const struct record *key)
{
    if (sorted == 0)
        return NULL;
    return bsearch(key, track->records, sorted, sizeof(*key), compare_records);
}

static struct record *add_record(struct track *track, struct record fresh)
{
    if (track->count == track->room) {
        track->room = track->room == 0 ? 64 : track->room * 2;
        track->records = xreallocarray(track->records, track->room, sizeof(fresh));
    }
    track->records[track->count] = fresh;
    return &track->records[track->count++];
}

// The same PID for another process: both start times are known and differ.
static bool reused(const struct record *record, const struct record *key)
{
    return fabs(record->started - key->started) > 1.5; // false for NAN
}

// What was there when neutop started to look may have been idle for long. What appears later is
// doing something: it has just come.
static void begin_record(struct record *record, struct record key, double now, bool first_feed)
{
    *record = key;
    record->seen_active = !first_feed;
    record->active_from = now;
}

static struct record *record_of(struct track *track, size_t sorted, const struct process *process,
                                double now)
{
    const struct record key = key_of(process);
    struct record *record = find_record(track, sorted, &key);
    if (record == NULL) {
        record = add_record(track, key);
        begin_record(record, key, now, now <= track->first);
    } else if (reused(record, &key)) {
        begin_record(record, key, now, false);
    }
    return record;
}

// True when the set of models is not what it was.
static bool models_changed(struct record *record, const struct process *process)
{
    if (!models_known(process))
        return false;
    uint64_t models = hash_models(process);
    bool changed = record->models_known && models != record->models;
    record->models = models;
    record->models_known = true;
    return changed;
}

// How often in the newest period; a source that gives only a rate counts as once.
static uint64_t occurrences(struct fact_u64 count, struct fact_f64 rate)
{
    if (known_u64(count))
        return count.stale ? 0 : count.value;
    return known_f64(rate) && !rate.stale && rate.value > 0 ? 1 : 0;
}

static struct past feed_event(struct event *event, uint64_t count, double now)
{
    if (count > 0)
        *event = (struct event){count, now};
    if (event->count == 0 || now - event->at > PAST_SECONDS)
        return (struct past){0};
    return (struct past){event->count, fact_f64(now - event->at, FROM_DERIVED)};
}

static void feed_events(struct record *record, struct process *process, double now)
{
    for (int i = 0; i < EXECUTIONS; i++)
        process->past_executions[i] = feed_event(
            &record->executions[i],
            occurrences(process->executions_in_period[i], process->executions_per_second[i]), now);
    for (int i = 0; i < ERROR_KINDS; i++)
        process->past_errors[i] = feed_event(
            &record->errors[i],
            occurrences(process->errors_in_period[i], process->errors_per_second[i]), now);
}

static void feed_process(struct track *track, size_t sorted, struct process *process, double now)
{
    if (process->state == PROCESS_GONE)
        return;
    struct record *record = record_of(track, sorted, process, now);
    struct activity activity = activity_of(process);
    if (models_changed(record, process) || activity.active) {
        record->active_from = now;
        record->seen_active = true;
    }
    record->seen = now;
    feed_events(record, process, now);
    if (known_f64(process->idle_seconds) || !activity.known)
        return;
    process->idle_seconds = fact_f64(now - record->active_from, FROM_DERIVED);
    process->idle_seconds.stale = !activity.current;
    process->idle_since_start = !record->seen_active;
}

static void forget_absent(struct track *track, double now)
{
    size_t kept = 0;
    for (size_t i = 0; i < track->count; i++)
        if (now - track->records[i].seen <= FORGET_SECONDS)
            track->records[kept++] = track->records[i];
    track->count = kept;
}

static void feed_processes(struct track *track, struct host *host, double now)
{
    const size_t sorted = track->count;
    for (unsigned i = 0; i < host->process_count; i++)
        feed_process(track, sorted, &host->processes[i], now);
    const bool added = track->count > sorted;
    forget_absent(track, now);
    if (added)
        qsort(track->records, track->count, sizeof(*track->records), compare_records);
}

static bool grew(struct fact_u64 before, struct fact_u64 now)
{
    return known_u64(before) && known_u64(now) && now.value > before.value;
}

// An unknown count leaves the last known one in place.
static void keep_known(struct fact_u64 *kept, struct fact_u64 now)
{
    if (known_u64(now))
        *kept = now;
}

static void feed_chips(struct track *track, struct host *host, bool new_facts)
{
    if (host->chip_count > track->chip_count) {
        track->chips = xreallocarray(track->chips, host->chip_count, sizeof(*track->chips));
        memset(track->chips + track->chip_count, 0,
               (host->chip_count - track->chip_count) * sizeof(*track->chips));
        track->chip_count = host->chip_count;
    }
    for (unsigned i = 0; i < host->chip_count; i++) {
        struct ecc *ecc = &host->chips[i].ecc;
        struct ecc_record *record = &track->chips[i];
        if (record->index != host->chips[i].index)
            *record = (struct ecc_record){.index = host->chips[i].index};
        if (new_facts)
            record->increased = grew(record->mem, ecc->mem_uncorrected) ||
                                grew(record->sram, ecc->sram_uncorrected);
        ecc->increased = record->increased;
        keep_known(&record->mem, ecc->mem_uncorrected);
        keep_known(&record->sram, ecc->sram_uncorrected);
    }
}

// A clock that went back is another run: a replay that started again.
static void start_over(struct track *track, double now)
{
    track->begun = true;
    track->first = now;
    track->count = 0;
    track->chip_count = 0;
    track->serial = 0;
}

void track_feed(struct track *track, struct host *host)
{
    const double now = host->mono_seconds;
    if (!track->begun || now < track->newest)
        start_over(track, now);
    track->newest = now;
    feed_chips(track, host, host->serial != track->serial || host->serial == 0);
    track->serial = host->serial;
    feed_processes(track, host, now);
}
