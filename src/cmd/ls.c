// SPDX-License-Identifier: Apache-2.0
// `neutop ls`: one listing of chips and processes, from the first snapshot that is complete.
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/first.h"
#include "cmd/output.h"
#include "cmd/parse.h"
#include "cmd/session.h"
#include "cmd/status.h"
#include "print/ls.h"

// How long to wait for a source that has been started: neuron-monitor takes some seconds for its
// first report, and its processes come with the next one.
static const double PATIENCE_SECONDS = 5;

static bool no_value(bool *flag)
{
    *flag = true;
    return true;
}

static bool apply_wide(struct settings *settings, const char *value, char *why)
{
    (void)value, (void)why;
    return no_value(&settings->ls.wide);
}

static bool apply_all(struct settings *settings, const char *value, char *why)
{
    (void)value, (void)why;
    return no_value(&settings->ls.all);
}

static bool apply_topology(struct settings *settings, const char *value, char *why)
{
    (void)value, (void)why;
    return no_value(&settings->ls.topology);
}

static bool apply_cores(struct settings *settings, const char *value, char *why)
{
    (void)value, (void)why;
    return no_value(&settings->ls.cores);
}

static bool apply_json(struct settings *settings, const char *value, char *why)
{
    settings->json = true;
    settings->ls.neuron_form = value != NULL;
    if (value == NULL || strcmp(value, "neuron-ls") == 0)
        return true;
    snprintf(why, SETTINGS_WHY, "--json or --json=neuron-ls is expected");
    return false;
}

const struct option_row ls_options[] = {
    {'w', "wide", ARGUMENT_NONE, NULL, false, "do not cut commands to fit into 80 columns",
     apply_wide},
    {'a', "all", ARGUMENT_NONE, NULL, false, "also processes without the Neuron runtime",
     apply_all},
    {'t', "topology", ARGUMENT_NONE, NULL, false, "draw the links between the chips",
     apply_topology},
    {0, "cores", ARGUMENT_NONE, NULL, false,
     "describe each core instead: memory, capabilities,\npeaks", apply_cores},
    {0, "json", ARGUMENT_ATTACHED, "neuron-ls", false,
     "one JSON document; in the form of neuron-ls -j", apply_json},
    {0},
};

static int terminal_columns(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col;
}

static int print(const struct settings *settings, const struct host *host)
{
    const struct ls_settings *ls = &settings->ls;
    struct ls_options options = {.print = output_options(settings),
                                 .wide = ls->wide,
                                 .all = ls->all,
                                 .topology = ls->topology,
                                 .cores = ls->cores,
                                 .columns = terminal_columns()};
    errno = 0;
    if (settings->json && ls->neuron_form)
        print_ls_neuron(stdout, host, &options);
    else if (settings->json)
        print_ls_json(stdout, host, &options);
    else
        print_ls_text(stdout, host, &options);
    int status = output_status(output_flush());
    output_missing(host);
    return status == STATUS_OK && output_nobody(settings, host) ? STATUS_WARNING : status;
}

int cmd_ls(struct settings *settings, int argc, char **argv)
{
    (void)argc, (void)argv;
    struct session session;
    struct first first = {0};
    if (settings->ls.neuron_form && settings->ls.cores)
        return parse_wrong("neuron-ls has no form for --cores: use --json alone");
    settings->source.unpaced = true;
    settings->source.delay_seconds = 1; // the time between two readings of one listing
    int status = session_open(&session, settings);
    if (status != STATUS_OK)
        return status;
    first.give_up = collect_now() + PATIENCE_SECONDS;
    struct host *host = first_complete(&session, &first);
    if (first.signal == 0)
        status = host->chip_count > 0 ? print(settings, host) : first_no_chips(&session, &first);
    host_free(host);
    session_close(&session);
    if (first.signal != 0)
        session_die_by(first.signal);
    return status;
}
