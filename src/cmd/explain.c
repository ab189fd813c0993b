// SPDX-License-Identifier: Apache-2.0
// `neutop explain`: reads error output, then looks at the host once, and explains the one by the
// other.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/text.h"
#include "cmd/command.h"
#include "cmd/first.h"
#include "cmd/output.h"
#include "cmd/parse.h"
#include "cmd/session.h"
#include "cmd/status.h"
#include "print/explain.h"
#include "source/absence.h"

enum { CHUNK = 64 * 1024, SHOWN_NAME = 256 };

// As long as neutop ls waits for a source that has been started.
static const double PATIENCE_SECONDS = 5;

static bool apply_offline(struct settings *settings, const char *value, char *why)
{
    (void)value, (void)why;
    settings->explain_offline = true;
    return true;
}

static bool apply_json(struct settings *settings, const char *value, char *why)
{
    (void)value, (void)why;
    settings->json = true;
    return true;
}

const struct option_row explain_options[] = {
    {0, "offline", ARGUMENT_NONE, NULL, false, "do not look at this host", apply_offline},
    {0, "json", ARGUMENT_NONE, NULL, false, "one JSON document", apply_json},
    {0},
};

static int refuse_file(const char *name, const char *why)
{
    fprintf(stderr, "neutop: %s: %s\n", name, why);
    return STATUS_USAGE;
}

// Opens FILE; "-" is standard input. -1 after a message.
static int open_input(const char *file, const char *name)
{
    if (strcmp(file, "-") == 0) {
        if (isatty(STDIN_FILENO))
            fputs("neutop: waiting for error output on standard input; Ctrl-D ends it\n", stderr);
        return STDIN_FILENO;
    }
    const char *why = "";
    int fd = file_open_named(file, 0, &why);
    if (fd < 0)
        refuse_file(name, why);
    return fd;
}

static int read_input(struct joblog *log, const char *file, const char *name)
{
    char chunk[CHUNK];
    ssize_t got;
    int fd = open_input(file, name), status = STATUS_OK;
    if (fd < 0)
        return STATUS_USAGE;
    while ((got = read(fd, chunk, sizeof(chunk))) != 0) {
        if (got > 0) {
            joblog_feed(log, chunk, (size_t)got);
        } else if (errno != EINTR) {
            status = refuse_file(name, strerror(errno));
            break;
        }
    }
    joblog_end(log);
    if (fd != STDIN_FILENO)
        close(fd);
    return status;
}

static int print(const struct settings *settings, const struct joblog *log, const char *name,
                 const struct explain_host *host)
{
    struct arena *arena = arena_new();
    struct explanation explanation = explain_run(arena, log, host);
    struct explain_print options = {
        .print = output_options(settings), .name = name, .offline = settings->explain_offline};
    errno = 0;
    if (settings->json)
        print_explain_json(stdout, log, &explanation, host, &options);
    else
        print_explain_text(stdout, log, &explanation, host, &options);
    arena_free(arena);
    return output_status(output_flush());
}

// Looks at the host once, then prints.
static int explain_here(struct settings *settings, const struct joblog *log, const char *name)
{
    struct session session;
    struct absence absence;
    struct first first = {.whole = true}; // an error may be of any process's making
    settings->source.unpaced = true;
    settings->source.delay_seconds = 1;
    int status = session_open_any(&session, settings);
    if (status != STATUS_OK)
        return status;
    first.give_up = collect_now() + PATIENCE_SECONDS;
    struct host *host = first_complete(&session, &first);
    if (first.signal == 0 && host != NULL) {
        struct findings findings = check_run(host);
        const bool live = settings->source.input == NULL && !host->demo;
        if (live)
            absence_look(&absence, settings->source.root);
        status = print(settings, log, name,
                       &(struct explain_host){host, &findings, live ? &absence : NULL});
    }
    host_free(host);
    session_close(&session);
    if (first.signal != 0)
        session_die_by(first.signal);
    return status;
}

int cmd_explain(struct settings *settings, int argc, char **argv)
{
    char name[SHOWN_NAME];
    const char *file = argc > 0 ? argv[0] : "-";
    if (argc > 1) {
        text_clean_to(name, sizeof(name), argv[1], strlen(argv[1]));
        return parse_wrong("unexpected operand '%s'", name);
    }
    const char *input = settings->source.input;
    if (strcmp(file, "-") == 0 && input != NULL && strcmp(input, "-") == 0)
        return parse_wrong("standard input cannot be both the error output and the -i stream");
    text_clean_to(name, sizeof(name), strcmp(file, "-") == 0 ? "standard input" : file,
                  sizeof(name));
    struct joblog *log = joblog_new();
    int status = read_input(log, file, name);
    if (status == STATUS_OK && settings->explain_offline)
        status = print(settings, log, name, &(struct explain_host){0});
    else if (status == STATUS_OK)
        status = explain_here(settings, log, name);
    joblog_free(log);
    return status;
}
