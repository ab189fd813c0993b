// SPDX-License-Identifier: Apache-2.0
// Text and JSON on standard output: one snapshot, one each update, or one each report of a
// recording.
#include "cmd/output.h"

#include <errno.h>
#include <langinfo.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "cmd/status.h"
#include "print/print.h"

// How long --once waits for a reader that is live but has not spoken twice yet: its first report
// carries no rates.
static const double ONCE_PATIENCE_SECONDS = 5;

struct output {
    struct session *session;
    struct print_options print;
    uint64_t done;  // snapshots printed
    double next;    // monotonic time of the next print
    double give_up; // monotonic time at which --once prints what there is
    bool facts;     // a reader has given facts
    bool fresh;     // ... since the last print
    bool ended;     // the readers have nothing more
    bool nobody;    // none of the processes of --pid was there
    bool last_only; // only the newest snapshot is wanted, once
    int signal;     // the signal that ends the program, 0: none
    int lost;       // errno of standard output: EPIPE when its reader has gone
};

static bool want_color(const struct settings *settings)
{
    const char *no_color = getenv("NO_COLOR");
    if (settings->color >= 0)
        return settings->color == 1;
    return isatty(STDOUT_FILENO) && (no_color == NULL || no_color[0] == '\0');
}

struct print_options output_options(const struct settings *settings)
{
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    return (struct print_options){.ascii = settings->ascii || !utf8, .color = want_color(settings)};
}

static void output_start(struct output *output, struct session *session)
{
    const struct settings *settings = session->settings;
    double now = collect_now();
    *output = (struct output){
        .session = session,
        .print = output_options(settings),
        .next = now,
        .give_up = now + ONCE_PATIENCE_SECONDS + 2 * settings->source.delay_seconds,
        .last_only = settings->once || (!settings->json && settings->iterations <= 1),
    };
}

// A write that failed on the way leaves only its mark: what fflush() still has may go well.
int output_flush(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    return errno != 0 ? errno : EIO;
}

int output_status(int lost)
{
    if (lost == 0 || lost == EPIPE)
        return STATUS_OK;
    fprintf(stderr, "neutop: standard output: %s\n", strerror(lost));
    return STATUS_USAGE;
}

void output_missing(const struct host *host)
{
    for (unsigned i = 0; i < host->missing_count; i++)
        fprintf(stderr, "neutop: no process %llu is seen on the chips\n",
                (unsigned long long)host->missing[i]);
}

bool output_nobody(const struct settings *settings, const struct host *host)
{
    return settings->pid_count > 0 && host->missing_count == settings->pid_count;
}

static void print_one(struct output *output)
{
    struct findings findings;
    struct host *host = session_snapshot(output->session, &findings);
    errno = 0;
    session_let_end(output->session, true);
    if (output->session->settings->json)
        print_json(stdout, host, &findings);
    else
        print_text(stdout, host, &findings, &output->print);
    output->lost = output_flush();
    session_let_end(output->session, false);
    output->nobody = output_nobody(output->session->settings, host);
    if (output->done == 0)
        output_missing(host);
    host_free(host);
    output->done++;
    output->fresh = false;
}

// The very first report of a live reader has no rates: with one snapshot to give, wait for the
// second, and for every reader to speak.
static bool rates_are_there(struct output *output)
{
    struct findings findings;
    struct host *host = session_snapshot(output->session, &findings);
    bool there = host->live_rates;
    for (unsigned i = 0; i < host->source_count; i++)
        there = there && host->sources[i].state != SOURCE_STARTING;
    host_free(host);
    return there;
}

static bool time_to_print(struct output *output)
{
    const struct settings *settings = output->session->settings;
    double now = collect_now();
    if (output->last_only && settings->source.input != NULL)
        return output->ended;
    if (output->last_only)
        return now >= output->give_up || (output->fresh && rates_are_there(output));
    if (settings->source.every_report)
        return output->fresh;
    return now >= output->next && (output->facts || now >= output->give_up);
}

static bool finished(const struct output *output)
{
    uint64_t wanted = output->last_only ? 1 : output->session->settings->iterations;
    return output->lost != 0 || output->signal != 0 || (wanted != 0 && output->done >= wanted) ||
           (output->ended && !output->fresh);
}

static void work(struct output *output)
{
    enum source_event event = collect_work(output->session->collect, collect_now());
    output->facts = output->facts || event == SOURCE_NEW;
    output->fresh = output->fresh || event == SOURCE_NEW;
    output->ended = event == SOURCE_FINISHED || event == SOURCE_FAILED;
}

static void turn(struct output *output)
{
    double deadline = output->last_only ? output->give_up
                      : output->facts   ? output->next
                                        : output->give_up;
    unsigned wake = session_wait(
        output->session, output->session->settings->source.every_report ? INFINITY : deadline);
    if (wake & WAKE_SIGNAL) {
        int number = session_signal(output->session);
        bool ends = number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT;
        output->signal = ends ? number : 0;
        if (number == SIGTSTP)
            session_stop();
        return;
    }
    if (wake & WAKE_SOURCE)
        work(output);
    if (time_to_print(output) && (output->facts || !output->ended)) {
        print_one(output);
        output->next = number_max(output->next + output->session->settings->source.delay_seconds,
                                  collect_now());
    }
}

int output_run(struct session *session)
{
    struct output output;
    output_start(&output, session);
    while (!finished(&output))
        turn(&output);
    if (output.signal != 0) {
        session_close(session);
        session_die_by(output.signal);
    }
    if (output_status(output.lost) != STATUS_OK)
        return STATUS_USAGE;
    if (output.ended && !output.facts) {
        fprintf(stderr, "neutop: %s\n", collect_trouble(session->collect));
        return STATUS_USAGE;
    }
    if (output.facts)
        return output.nobody ? STATUS_WARNING : STATUS_OK;
    fputs("neutop: no source gave a fact in time; see the sources in what was printed\n", stderr);
    return STATUS_NOTHING;
}
