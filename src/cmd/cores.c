// SPDX-License-Identifier: Apache-2.0
// `neutop cores`: who holds what; is this NEURON_RT_VISIBLE_CORES free; give me N free cores.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cmd/command.h"
#include "cmd/first.h"
#include "cmd/output.h"
#include "cmd/own_lnc.h"
#include "cmd/parse.h"
#include "cmd/session.h"
#include "cmd/status.h"
#include "print/cores.h"

// neuron-monitor takes some seconds for its first report, and its processes come with the next one.
static const double PATIENCE_SECONDS = 5;

enum { WHY_TEXT = 512, SPEC_SHOWN = 80 };

static bool apply_free(struct settings *settings, const char *value, char *why)
{
    uint64_t wanted;
    if (settings_number(value, 1, CORE_SET_MAX, &wanted)) {
        settings->cores.wanted = (unsigned)wanted;
        return true;
    }
    snprintf(why, SETTINGS_WHY, "a number of cores from 1 to %d is expected", CORE_SET_MAX);
    return false;
}

static bool apply_ask_driver(struct settings *settings, const char *value, char *why)
{
    (void)value, (void)why;
    settings->source.ask_marks = true;
    return true;
}

const struct option_row cores_options[] = {
    {0, "free", ARGUMENT_REQUIRED, "N", false,
     "print N free consecutive cores as a range for\nNEURON_RT_VISIBLE_CORES", apply_free},
    {0, "ask-driver", ARGUMENT_NONE, NULL, false, "also ask the driver which cores are reserved",
     apply_ask_driver},
    {0},
};

static int refuse_spec(const char *spec, const struct core_set_error *error)
{
    char shown[SPEC_SHOWN];
    return parse_wrong("'%s': byte %zu: %s",
                       text_clean_to(shown, sizeof(shown), spec, strlen(spec)), error->at + 1,
                       error->what);
}

// What the command line asks. Returns the exit status when it asks nothing that can be answered.
static int read_question(const struct settings *settings, int argc, char **argv,
                         struct cores_question *question)
{
    struct core_set_error error;
    char shown[SPEC_SHOWN];
    *question = (struct cores_question){.wanted = settings->cores.wanted};
    if (argc > 1)
        return parse_wrong("unexpected operand '%s'",
                           text_clean_to(shown, sizeof(shown), argv[1], strlen(argv[1])));
    if (argc == 0)
        return STATUS_OK;
    if (question->wanted != 0)
        return parse_wrong("--free looks for cores itself: '%s' cannot be given with it",
                           text_clean_to(shown, sizeof(shown), argv[0], strlen(argv[0])));
    question->spec = argv[0];
    return core_set_parse(&question->set, argv[0], &error) ? STATUS_OK
                                                           : refuse_spec(argv[0], &error);
}

// The first core of the question that the instance does not have; -1 none, or not to be told.
static int beyond(const struct free_cores *cores, const struct cores_question *question)
{
    return cores->numbered && question->spec != NULL ? core_set_next(&question->set, cores->count)
                                                     : -1;
}

// Asked for on the command line and not done: said, so that nobody takes the answer for exact.
static void say_not_asked(const struct host *host)
{
    const char *detail = "the driver cannot be reached from here";
    for (unsigned i = 0; i < host->chip_count; i++)
        if (host->chips[i].marks_asked != 0)
            return;
    for (unsigned i = 0; i < host->source_count; i++)
        if (strcmp(host->sources[i].name, "device") == 0 && host->sources[i].detail != NULL)
            detail = host->sources[i].detail;
    fprintf(stderr, "neutop: --ask-driver: no answer: %s\n", detail);
}

static int status_of(const struct free_cores *cores, const struct cores_question *question)
{
    if (question->wanted != 0)
        return question->run.count > 0 ? STATUS_OK : STATUS_CRITICAL;
    if (question->spec == NULL)
        return STATUS_OK;
    switch (free_cores_state(cores, &question->set)) {
    case FREE_HELD:
        return STATUS_CRITICAL;
    case FREE_UNKNOWN:
        return STATUS_WARNING;
    default:
        return core_set_contiguous(&question->set) && free_cores_gap(cores, &question->set) == 0
                   ? STATUS_OK
                   : STATUS_WARNING;
    }
}

// Nothing but the range, so that it can stand in a command line.
static void print_range(const struct core_run *run)
{
    if (run->count == 1)
        printf("%u\n", run->first);
    else
        printf("%u-%u\n", run->first, run->first + run->count - 1);
}

static void print(const struct settings *settings, const struct free_cores *cores,
                  const struct cores_question *question)
{
    struct print_options options = output_options(settings);
    if (settings->json)
        print_cores_json(stdout, cores, question);
    else if (question->wanted == 0)
        print_cores_text(stdout, cores, question, &options);
    else if (question->run.count > 0)
        print_range(&question->run);
    if (question->why != NULL)
        fprintf(stderr, "neutop: %s\n", question->why);
}

static int answer(const struct settings *settings, const struct host *host,
                  struct cores_question *question)
{
    const struct own_lnc own = own_lnc();
    struct free_cores cores = free_cores_of(host, own.size);
    char why[WHY_TEXT];
    int missing = beyond(&cores, question);
    if (missing >= 0)
        return parse_wrong("there is no core %d: this instance has %u logical cores (0-%u)",
                           missing, cores.count, cores.count - 1);
    own_lnc_say(&own, "counted", cores.lnc);
    if (settings->source.ask_marks)
        say_not_asked(host);
    if (question->wanted != 0 &&
        !free_cores_choose(&cores, question->wanted, &question->run, why, sizeof(why)))
        question->why = why;
    errno = 0;
    print(settings, &cores, question);
    int written = output_status(output_flush());
    output_missing(host);
    return written != STATUS_OK ? written : status_of(&cores, question);
}

int cmd_cores(struct settings *settings, int argc, char **argv)
{
    struct session session;
    struct first first = {.whole = true}; // a core is held, whoever asks
    struct cores_question question;
    int status = read_question(settings, argc, argv, &question);
    if (status != STATUS_OK)
        return status;
    settings->source.unpaced = true;
    settings->source.delay_seconds = 1; // the time between two readings of one listing
    status = session_open(&session, settings);
    if (status != STATUS_OK)
        return status;
    first.give_up = collect_now() + PATIENCE_SECONDS;
    struct host *host = first_complete(&session, &first);
    if (first.signal == 0)
        status = host->chip_count > 0 ? answer(settings, host, &question)
                                      : first_no_chips(&session, &first);
    host_free(host);
    session_close(&session);
    if (first.signal != 0)
        session_die_by(first.signal);
    return status;
}
