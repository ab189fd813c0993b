// SPDX-License-Identifier: Apache-2.0
// neuron-monitor as a child: started with our own configuration, restarted with growing delay when
// it dies (neuron-monitor JSON reference, sections 1 and 2).
#include <bsd/string.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/text.h"
#include "base/xmem.h"
#include "source/child.h"
#include "source/collect.h"
#include "source/frame.h"
#include "source/monitor_config.h"
#include "source/report.h"
#include "source/source.h"
#include "source/which.h"

enum {
    READ_MOST = 256 * 1024,
    WORK_MOST = 4 * 1024 * 1024, // bytes that one call of work() goes through
    REPORTS_OF_HEALTH = 5,       // a run with as many counts as a new beginning
};

// Seconds before the next start, after so many deaths in a row.
static const double restart_delays[] = {1, 2, 5, 10, 30, 60};
enum { RESTART_DELAYS = sizeof(restart_delays) / sizeof(restart_delays[0]) };

static const double STOP_PATIENCE = 1; // seconds from SIGTERM to SIGKILL
static const double REAP_STEP = 0.02; // seconds between two looks at a child that closed its output

static const double LOOK_STEP = 2; // between two looks whether a silent child is still there

enum phase {
    PHASE_WAITING, // for next_start
    PHASE_RUNNING,
    PHASE_STOPPING, // SIGTERM was sent, for another configuration
    PHASE_CLOSED,   // its output has ended, its exit status has not come yet
};

struct monitor {
    char path[4096];
    char config[MONITOR_CONFIG_PATH]; // a file to be removed; "" when there is none
    struct child child;
    enum phase phase;
    double wake; // start (WAITING), kill (STOPPING, CLOSED), monotonic
    double look; // RUNNING: whether it is still there
    double delay;
    unsigned deaths; // in a row
    struct frame *frame;
    struct report *report;
    uint64_t run_reports, reports, damages; // of this run; of all; of all runs before
    double arrived;
    char trouble[SOURCE_DETAIL]; // how the last run ended; "" while all is well
};

static void drop_config(struct monitor *monitor)
{
    if (monitor->config[0] != '\0')
        unlink(monitor->config);
    monitor->config[0] = '\0';
}

static void set_trouble(struct monitor *monitor, const char *what, const char *raw_words)
{
    char words[SOURCE_DETAIL - 96] = ""; // leaves room for what happened and for the next start
    if (raw_words != NULL)
        text_clean_to(words, sizeof(words), raw_words, strlen(raw_words));
    snprintf(monitor->trouble, sizeof(monitor->trouble), "neuron-monitor %s%s%s", what,
             words[0] != '\0' ? ": " : "", words);
}

// Plans the next start after a death.
static void plan_start(struct monitor *monitor, double now)
{
    if (monitor->run_reports >= REPORTS_OF_HEALTH)
        monitor->deaths = 0;
    unsigned row = monitor->deaths < RESTART_DELAYS ? monitor->deaths : RESTART_DELAYS - 1;
    monitor->deaths++;
    monitor->phase = PHASE_WAITING;
    monitor->wake = now + restart_delays[row];
    char next[48];
    snprintf(next, sizeof(next), "; next start after %.0f s", restart_delays[row]);
    strlcat(monitor->trouble, next, sizeof(monitor->trouble));
}

static void start(struct monitor *monitor, double now)
{
    char *argv[] = {monitor->path, (char[]){"-c"}, (char[]){CHILD_KEPT}, NULL};
    int config = monitor_config_open(monitor->delay);
    monitor->damages += frame_damages(monitor->frame);
    frame_free(monitor->frame);
    monitor->frame = frame_new(0);
    monitor->run_reports = 0;
    report_expect(monitor->report, monitor->delay);
    if (config < 0 && monitor_config_write(monitor->delay, monitor->config))
        argv[2] = monitor->config;
    if (config < 0 && monitor->config[0] == '\0') {
        set_trouble(monitor, "needs a configuration file in the folder for temporary files",
                    strerror(errno));
        plan_start(monitor, now);
    } else if (!child_start(&monitor->child, monitor->path, argv, config)) {
        set_trouble(monitor, "cannot be started", strerror(errno));
        drop_config(monitor);
        plan_start(monitor, now);
    } else {
        monitor->phase = PHASE_RUNNING;
        monitor->look = now + LOOK_STEP;
    }
    if (config >= 0)
        close(config);
}

static bool monitor_open(struct source *source, struct trouble *trouble)
{
    struct monitor *monitor = xcalloc(1, sizeof(*monitor));
    if (!which_neuron_tool("neuron-monitor", source->options->root, monitor->path,
                           sizeof(monitor->path))) {
        snprintf(trouble->line, sizeof(trouble->line),
                 "neuron-monitor is neither on PATH nor in %s/opt/aws/neuron/bin; it comes with "
                 "the package aws-neuronx-tools",
                 source->options->root);
        free(monitor);
        return false;
    }
    monitor->child = (struct child){.out = -1, .err = -1};
    monitor->delay = source->options->delay_seconds;
    monitor->frame = frame_new(0);
    monitor->report = report_new(monitor->delay);
    source->state = monitor;
    start(monitor, collect_now());
    return true;
}

static size_t monitor_fds(const struct source *source, int *fds, size_t max)
{
    const struct monitor *monitor = source->state;
    size_t count = 0;
    if (monitor->child.out >= 0 && count < max)
        fds[count++] = monitor->child.out;
    if (monitor->child.err >= 0 && !monitor->child.err_rests && count < max)
        fds[count++] = monitor->child.err;
    return count;
}

// A time that stands still until it has come, however often it is asked for.
static double monitor_deadline(const struct source *source)
{
    const struct monitor *monitor = source->state;
    double rest = monitor->child.err_rests ? monitor->child.err_next : INFINITY;
    if (monitor->phase == PHASE_RUNNING)
        return frame_pending(monitor->frame) ? 0 : number_min(monitor->look, rest);
    if (monitor->phase == PHASE_WAITING)
        return monitor->wake;
    return number_min(monitor->wake, collect_now() + REAP_STEP);
}

// Reads once. False when there is nothing now, or no more.
static bool read_output(struct monitor *monitor, double now)
{
    size_t room;
    if (monitor->child.out < 0)
        return false;
    char *place = frame_room(monitor->frame, &room);
    ssize_t count = read(monitor->child.out, place, room < READ_MOST ? room : READ_MOST);
    if (count > 0) {
        frame_added(monitor->frame, (size_t)count);
        return true;
    }
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    close(monitor->child.out);
    monitor->child.out = -1;
    if (monitor->phase == PHASE_RUNNING) {
        monitor->phase = PHASE_CLOSED;
        monitor->wake = now + STOP_PATIENCE;
    }
    return false;
}

static void take_report(struct monitor *monitor, json_object *parsed, double now)
{
    report_apply(monitor->report, parsed, now);
    drop_config(monitor); // it has been read by now
    monitor->arrived = now;
    monitor->run_reports++;
    monitor->reports++;
    monitor->trouble[0] = '\0';
}

static bool take_reports(struct monitor *monitor, double now)
{
    struct report_fault fault;
    size_t length;
    const char *text;
    bool fresh = false;
    while ((text = frame_next(monitor->frame, &length)) != NULL) {
        json_object *parsed = report_parse(monitor->report, text, length, &fault);
        if (parsed == NULL) {
            frame_refuse(monitor->frame, fault.at, fault.what);
            continue;
        }
        take_report(monitor, parsed, now);
        fresh = true;
    }
    return fresh;
}

// Says how the run ended: the status, and its last words, or else what it printed instead of a
// report.
static void note_end(struct monitor *monitor)
{
    char fate[80], printed[FRAME_TEXT];
    const char *words = child_last_line(&monitor->child);
    const struct frame_damage *damage = frame_first_damage(monitor->frame);
    child_fate(&monitor->child, fate, sizeof(fate));
    if (words == NULL && monitor->run_reports == 0 && damage->byte != 0) {
        strlcat(fate, " without a report, its output", sizeof(fate));
        words = frame_damage_text(damage, printed, sizeof(printed));
    }
    set_trouble(monitor, fate, words);
}

// The child is gone: it died, or it made way for the next one.
static void finish_run(struct monitor *monitor, double now)
{
    bool wanted = monitor->phase == PHASE_STOPPING;
    child_drain(&monitor->child, INFINITY);
    note_end(monitor);
    child_forget(&monitor->child);
    drop_config(monitor);
    if (wanted) {
        monitor->trouble[0] = '\0';
        start(monitor, now);
    } else {
        plan_start(monitor, now);
    }
}

// A child that lives on without output or against our wish is ended by force.
static void press(struct monitor *monitor, double now)
{
    if (monitor->phase == PHASE_RUNNING && monitor->run_reports == 0 &&
        frame_hopeless(monitor->frame) != 0) {
        monitor->phase = PHASE_CLOSED;
        monitor->wake = now;
    }
    if (monitor->phase != PHASE_RUNNING && now >= monitor->wake)
        child_signal(&monitor->child, SIGKILL);
}

static enum source_event monitor_work(struct source *source, double now)
{
    struct monitor *monitor = source->state;
    uint64_t stop = frame_bytes(monitor->frame) + WORK_MOST;
    bool fresh = false;
    if (monitor->phase == PHASE_WAITING) {
        if (now >= monitor->wake)
            start(monitor, now);
        return SOURCE_QUIET;
    }
    bool ended = child_ended(&monitor->child); // asked first: then all its words are in the pipe
    monitor->look = now + LOOK_STEP;
    child_drain(&monitor->child, now);
    do
        fresh = take_reports(monitor, now) || fresh;
    while (frame_bytes(monitor->frame) < stop && read_output(monitor, now));
    if (ended)
        finish_run(monitor, now); // at once: what it started itself may hold its output open
    else
        press(monitor, now);
    return fresh ? SOURCE_NEW : SOURCE_QUIET;
}

static void monitor_set_delay(struct source *source, double seconds)
{
    struct monitor *monitor = source->state;
    if (seconds == monitor->delay)
        return;
    monitor->delay = seconds;
    if (monitor->phase != PHASE_RUNNING)
        return; // the next start takes it
    child_signal(&monitor->child, SIGTERM);
    monitor->phase = PHASE_STOPPING;
    monitor->wake = collect_now() + STOP_PATIENCE;
}

static void monitor_fill(const struct source *source, struct host *host, double now)
{
    const struct monitor *monitor = source->state;
    const struct frame_damage *damage = frame_last_damage(monitor->frame);
    char what[FRAME_TEXT];
    report_fill(monitor->report, host, FROM_MONITOR, now);
    host->reports_read += monitor->reports;
    host->reports_damaged += monitor->damages + frame_damages(monitor->frame);
    if (damage->byte != 0)
        host->input_trouble =
            arena_printf(host->arena, "neuron-monitor: byte %" PRIu64 ", line %" PRIu64 ": %s",
                         damage->byte, damage->line, frame_damage_text(damage, what, sizeof(what)));
}

static void monitor_status(const struct source *source, double now, struct source_status *status)
{
    const struct monitor *monitor = source->state;
    status->name = "monitor";
    status->detail = monitor->trouble[0] != '\0' ? monitor->trouble : monitor->path;
    if (monitor->reports > 0)
        status->age_seconds = fact_f64(number_max(now - monitor->arrived, 0), FROM_DERIVED);
    if (monitor->trouble[0] != '\0')
        status->state = SOURCE_LOST;
    else if (monitor->reports == 0)
        status->state = SOURCE_STARTING;
    else if (now - monitor->arrived >
             3 * number_max(report_interval(monitor->report), monitor->delay))
        status->state = SOURCE_STALE;
    else
        status->state = SOURCE_LIVE;
}

static void monitor_close(struct source *source)
{
    struct monitor *monitor = source->state;
    child_stop(&monitor->child);
    drop_config(monitor);
    report_free(monitor->report);
    frame_free(monitor->frame);
    free(monitor);
    source->state = NULL;
}

const struct source_ops source_monitor = {
    .name = "monitor",
    .open = monitor_open,
    .fds = monitor_fds,
    .deadline = monitor_deadline,
    .work = monitor_work,
    .set_delay = monitor_set_delay,
    .fill = monitor_fill,
    .status = monitor_status,
    .close = monitor_close,
};
