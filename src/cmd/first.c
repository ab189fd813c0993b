// SPDX-License-Identifier: Apache-2.0
// Waits for the first snapshot that is complete.
#include "cmd/first.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/nothing.h"
#include "cmd/status.h"

static bool starting(const struct host *host)
{
    for (unsigned i = 0; i < host->source_count; i++)
        if (host->sources[i].state == SOURCE_STARTING)
            return true;
    return false;
}

// neuron-monitor's first report does not have all groups yet: owners may be missing.
static bool first_report(const struct host *host)
{
    bool reports = false;
    for (unsigned i = 0; i < host->source_count; i++)
        reports = reports || strcmp(host->sources[i].name, "monitor") == 0 ||
                  strcmp(host->sources[i].name, "recording") == 0;
    return reports && !host->live_rates;
}

static bool complete(const struct first *first, const struct host *host)
{
    return (host->chip_count > 0 || first->chipless) && !starting(host) && !first_report(host);
}

static void take_signal(struct session *session, struct first *first)
{
    int number = session_signal(session);
    if (number == SIGTSTP)
        session_stop();
    else if (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT)
        first->signal = number;
}

// A file has an end, so that nothing is waited for; a pipe may come from a program that runs on.
static bool is_file(const char *input)
{
    struct stat info;
    bool known =
        strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, &info) == 0 : stat(input, &info) == 0;
    return known && S_ISREG(info.st_mode);
}

struct host *first_complete(struct session *session, struct first *first)
{
    const char *input = session->settings->source.input;
    const bool file = input != NULL && is_file(input);
    struct host *host = NULL;
    if (collect_empty(session->collect))
        return session_host(session, first->whole);
    if (file)
        first->give_up = INFINITY;
    for (bool worked = false; first->signal == 0;) {
        unsigned wake = session_wait(session, first->give_up);
        if (wake & WAKE_SIGNAL)
            take_signal(session, first);
        if (wake & WAKE_SOURCE) {
            enum source_event event = collect_work(session->collect, collect_now());
            first->ended = event == SOURCE_FINISHED || event == SOURCE_FAILED;
            worked = true;
        }
        bool late = first->ended || collect_now() >= first->give_up;
        if (file && !late)
            continue; // what it tells last counts
        host_free(host);
        host = session_host(session, first->whole);
        if ((worked && complete(first, host)) || late)
            break;
    }
    return host;
}

int first_no_chips(const struct session *session, const struct first *first)
{
    const char *trouble = first->ended ? collect_trouble(session->collect) : "";
    if (session->settings->source.input == NULL)
        nothing_print(stderr, session->settings);
    else if (trouble[0] != '\0')
        fprintf(stderr, "neutop: %s\n", trouble);
    else
        fputs("neutop: no chip in what was read\n", stderr);
    return session->settings->source.input != NULL ? STATUS_USAGE : STATUS_NOTHING;
}
