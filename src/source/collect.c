// SPDX-License-Identifier: Apache-2.0
// Owns the readers: opens those that were asked for, polls them, and builds one snapshot from what
// they know.
#include "source/collect.h"

#include <bsd/string.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/text.h"
#include "base/xmem.h"
#include "host/track.h"
#include "source/derive.h"
#include "source/lnc_default.h"

// What --source knows. OPS may be NULL: a word for a choice, not a reader.
static const struct known_source {
    const char *name;
    const struct source_ops *ops;
    bool automatic; // opened by "auto" where it can be used
    bool driver;    // one of those that "driver" stands for
    bool companion; // says nothing by itself: only where another can be used, or options->alone
} known_sources[] = {
    // in the order in which they fill a snapshot
    {"auto", NULL, false, false, false},         {"none", NULL, false, false, false},
    {"driver", NULL, false, false, false},       {"monitor", &source_monitor, true, false, false},
    {"sysfs", &source_sysfs, true, true, false}, {"device", &source_device, true, true, false},
    {"proc", &source_proc, true, true, false},   {"packages", &source_packages, true, true, true},
    {"neffs", &source_neffs, true, true, true},  {"demo", &source_demo, false, false, false},
};

enum {
    KNOWN_SOURCES = sizeof(known_sources) / sizeof(known_sources[0]),
    READERS_MAX = KNOWN_SOURCES
};

struct reader {
    struct source source;
    enum source_event last; // FINISHED and FAILED stay
};

struct collect {
    const struct source_options *options;
    struct reader readers[READERS_MAX];
    size_t count;
    struct track *track;
    struct lnc_setting lnc_setting; // of the host
    double opened;                  // monotonic
    uint64_t serial;
    bool fresh; // new facts since the last snapshot
};

double collect_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double wall_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static const struct known_source *find_source(const char *name)
{
    for (size_t i = 0; i < KNOWN_SOURCES; i++)
        if (strcmp(known_sources[i].name, name) == 0)
            return &known_sources[i];
    return NULL;
}

bool collect_known_source(const char *name)
{
    return find_source(name) != NULL;
}

static bool has_reader(const struct collect *collect, const struct source_ops *ops)
{
    for (size_t i = 0; i < collect->count; i++)
        if (collect->readers[i].source.ops == ops)
            return true;
    return false;
}

static bool open_reader(struct collect *collect, const struct source_ops *ops,
                        struct trouble *trouble)
{
    if (has_reader(collect, ops))
        return true;
    struct reader *reader = &collect->readers[collect->count];
    *reader = (struct reader){.source = {.ops = ops, .options = collect->options}};
    if (!ops->open(&reader->source, trouble)) {
        trouble->absent = ops != &source_stream && ops != &source_demo;
        return false;
    }
    collect->count++;
    return true;
}

// Readers stand in the table's order, companions behind those that they accompany.
static bool has_use(const struct collect *collect, const struct known_source *known)
{
    return !known->companion || collect->count > 0 || collect->options->alone;
}

static void open_automatic(struct collect *collect)
{
    struct trouble ignored; // what is not there is no trouble here: collect_empty() tells
    for (size_t i = 0; i < KNOWN_SOURCES; i++)
        if (known_sources[i].automatic && has_use(collect, &known_sources[i]))
            open_reader(collect, known_sources[i].ops, &ignored);
}

// The driver without its tools: whichever of its readers can be used, at least one.
static bool open_driver(struct collect *collect, struct trouble *trouble)
{
    struct trouble why[2] = {{.line = ""}}; // the first reader's says most
    bool any = false;
    for (size_t i = 0; i < KNOWN_SOURCES; i++)
        if (known_sources[i].driver && has_use(collect, &known_sources[i]))
            any = open_reader(collect, known_sources[i].ops, &why[why[0].line[0] != '\0']) || any;
    if (!any)
        *trouble = why[0];
    return any;
}

static bool open_named(struct collect *collect, const char *name, struct trouble *trouble)
{
    const struct known_source *known = find_source(name);
    if (known == NULL) {
        char clean[64];
        text_clean_to(clean, sizeof(clean), name, strlen(name));
        snprintf(trouble->line, sizeof(trouble->line), "unknown source '%s'", clean);
        return false;
    }
    if (known->ops != NULL)
        return open_reader(collect, known->ops, trouble);
    if (strcmp(name, "driver") == 0)
        return open_driver(collect, trouble);
    if (strcmp(name, "auto") == 0)
        open_automatic(collect);
    return true;
}

// One word of the selection: names joined with '+' or ','.
static bool open_word(struct collect *collect, const char *word, struct trouble *trouble)
{
    char *names = xstrdup(word), *rest = names;
    bool fine = true;
    for (char *name; fine && (name = strsep(&rest, "+,")) != NULL;)
        fine = open_named(collect, name, trouble);
    free(names);
    return fine;
}

static bool open_selection(struct collect *collect, const char *const *selection, size_t count,
                           struct trouble *trouble)
{
    if (collect->options->input != NULL)
        return open_reader(collect, &source_stream, trouble);
    if (count == 0)
        open_automatic(collect);
    for (size_t i = 0; i < count; i++)
        if (!open_word(collect, selection[i], trouble))
            return false;
    return true;
}

struct collect *collect_open(const struct source_options *options, const char *const *selection,
                             size_t count, struct trouble *trouble)
{
    struct collect *collect = xcalloc(1, sizeof(*collect));
    collect->options = options;
    collect->track = track_new();
    collect->lnc_setting = lnc_default_read(options->root);
    collect->opened = collect_now();
    if (open_selection(collect, selection, count, trouble))
        return collect;
    collect_close(collect);
    return NULL;
}

void collect_close(struct collect *collect)
{
    if (collect == NULL)
        return;
    for (size_t i = 0; i < collect->count; i++)
        collect->readers[i].source.ops->close(&collect->readers[i].source);
    track_free(collect->track);
    free(collect);
}

bool collect_empty(const struct collect *collect)
{
    return collect->count == 0;
}

static bool is_over(const struct reader *reader)
{
    return reader->last == SOURCE_FINISHED || reader->last == SOURCE_FAILED;
}

static size_t reader_poll(const struct source *source, struct pollfd *fds, size_t max)
{
    int numbers[8];
    size_t most = max < 8 ? max : 8;
    size_t count = source->ops->fds != NULL ? source->ops->fds(source, numbers, most) : 0;
    for (size_t i = 0; i < count; i++)
        fds[i] = (struct pollfd){.fd = numbers[i], .events = POLLIN};
    return count;
}

size_t collect_poll(const struct collect *collect, struct pollfd *fds, size_t max, double *deadline)
{
    size_t used = 0;
    for (size_t i = 0; i < collect->count; i++) {
        const struct reader *reader = &collect->readers[i];
        if (is_over(reader))
            continue;
        used += reader_poll(&reader->source, fds + used, max - used);
        if (reader->source.ops->deadline != NULL)
            *deadline = number_min(*deadline, reader->source.ops->deadline(&reader->source));
    }
    return used;
}

// The event of all: new facts before all else; the end when nobody can give any more.
static enum source_event event_of_all(const struct collect *collect, bool fresh)
{
    size_t over = 0, failed = 0;
    for (size_t i = 0; i < collect->count; i++) {
        over += is_over(&collect->readers[i]);
        failed += collect->readers[i].last == SOURCE_FAILED;
    }
    if (fresh)
        return SOURCE_NEW;
    if (collect->count > 0 && failed == collect->count)
        return SOURCE_FAILED;
    return collect->count > 0 && over == collect->count ? SOURCE_FINISHED : SOURCE_QUIET;
}

// An input that is read through for its last frame only: what idles since when is seen on the way.
static bool skims(const struct collect *collect)
{
    const struct source_options *options = collect->options;
    return options->input != NULL && options->unpaced && !options->every_report;
}

enum source_event collect_work(struct collect *collect, double now)
{
    bool fresh = false;
    for (size_t i = 0; i < collect->count; i++) {
        struct reader *reader = &collect->readers[i];
        if (is_over(reader))
            continue;
        reader->last = reader->source.ops->work(&reader->source, now);
        fresh = fresh || reader->last == SOURCE_NEW;
    }
    collect->fresh = collect->fresh || fresh;
    if (fresh && skims(collect))
        host_free(collect_snapshot(collect, now));
    return event_of_all(collect, fresh);
}

void collect_set_delay(struct collect *collect, double seconds)
{
    for (size_t i = 0; i < collect->count; i++)
        if (collect->readers[i].source.ops->set_delay != NULL)
            collect->readers[i].source.ops->set_delay(&collect->readers[i].source, seconds);
}

static void fill_statuses(const struct collect *collect, struct host *host, double now)
{
    struct source_status *statuses = ARENA_ARRAY(host->arena, collect->count, struct source_status);
    for (size_t i = 0; i < collect->count; i++) {
        const struct source *source = &collect->readers[i].source;
        statuses[i].name = source->ops->name;
        source->ops->status(source, now, &statuses[i]);
        const char *detail = statuses[i].detail;
        statuses[i].detail =
            detail != NULL ? text_clean(host->arena, detail, strlen(detail)) : NULL;
    }
    host->sources = statuses;
    host->source_count = (unsigned)collect->count;
}

// In the order of the table, whatever the order on the command line: which reader has the first
// word does not depend on how it was asked for.
static void fill_facts(const struct collect *collect, struct host *host, double now)
{
    const struct source *ordered[READERS_MAX] = {NULL}, *other = NULL;
    for (size_t i = 0; i < collect->count; i++) {
        const struct source *source = &collect->readers[i].source;
        const struct known_source *known = find_source(source->ops->name);
        if (known != NULL && known->ops == source->ops)
            ordered[known - known_sources] = source;
        else
            other = source; // the stream stands alone
    }
    if (other != NULL)
        other->ops->fill(other, host, now);
    for (size_t i = 0; i < READERS_MAX; i++)
        if (ordered[i] != NULL)
            ordered[i]->ops->fill(ordered[i], host, now);
}

struct host *collect_snapshot(struct collect *collect, double now)
{
    struct host *host = host_new();
    host->mono_seconds = now;
    host->time_unix_seconds = wall_now();
    collect->serial += collect->fresh || collect->serial == 0;
    collect->fresh = false;
    host->serial = collect->serial;
    host->watched_seconds = now - collect->opened;
    if (collect->options->releases != NULL)
        host->releases = collect->options->releases;
    fill_facts(collect, host, now);
    lnc_default_fill(host, &collect->lnc_setting);
    core_map_join(host);
    fill_statuses(collect, host, now);
    derive_host(host);
    track_feed(collect->track, host);
    return host;
}

const char *collect_trouble(const struct collect *collect)
{
    for (size_t i = 0; i < collect->count; i++) {
        const struct source *source = &collect->readers[i].source;
        struct source_status status = {0};
        source->ops->status(source, collect_now(), &status);
        if (collect->readers[i].last == SOURCE_FAILED && status.detail != NULL)
            return status.detail;
    }
    return "nothing could be read";
}
