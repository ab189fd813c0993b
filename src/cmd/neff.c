// SPDX-License-Identifier: Apache-2.0
// `neutop neff`: what NEFF files are, and whether this host, or one described by hand, can load
// them.
#include <bsd/string.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "cmd/command.h"
#include "cmd/first.h"
#include "cmd/output.h"
#include "cmd/own_lnc.h"
#include "cmd/parse.h"
#include "cmd/session.h"
#include "cmd/status.h"
#include "host/version.h"
#include "print/neff.h"

// How long to wait for facts of this host: the driver's files are there at once, neuron-monitor
// takes some seconds.
static const double DRIVER_PATIENCE_SECONDS = 1, OTHER_PATIENCE_SECONDS = 8;

enum { FILE_TEXT = 4096 };

static bool apply_verify(struct settings *settings, const char *value, char *why)
{
    (void)value, (void)why;
    settings->neff.verify = true;
    return true;
}

static bool apply_json(struct settings *settings, const char *value, char *why)
{
    (void)value, (void)why;
    settings->json = true;
    return true;
}

static bool take_version(const char **into, const char *value, char *why)
{
    struct version version;
    if (!version_parse(&version, value)) {
        strlcpy(why, "a version like 2.24.7.0 is expected", SETTINGS_WHY);
        return false;
    }
    *into = value;
    return true;
}

static bool apply_driver(struct settings *settings, const char *value, char *why)
{
    return take_version(&settings->neff.driver, value, why);
}

static bool apply_runtime(struct settings *settings, const char *value, char *why)
{
    return take_version(&settings->neff.runtime, value, why);
}

static bool apply_chip(struct settings *settings, const char *value, char *why)
{
    struct neff_target unused;
    if (!neff_target_set_chip(&unused, value)) {
        strlcpy(why, "inf1, inf2, trn1, trn2 or trn3 is expected", SETTINGS_WHY);
        return false;
    }
    settings->neff.chip = value;
    return true;
}

static bool apply_lnc(struct settings *settings, const char *value, char *why)
{
    if (strcmp(value, "1") != 0 && strcmp(value, "2") != 0) {
        strlcpy(why, "1 or 2 is expected", SETTINGS_WHY);
        return false;
    }
    settings->neff.lnc = (unsigned)(value[0] - '0');
    return true;
}

const struct option_row neff_options[] = {
    {0, "verify", ARGUMENT_NONE, NULL, false, "read the whole file and verify its hash",
     apply_verify},
    {0, "chip", ARGUMENT_REQUIRED, "CHIP", false,
     "judge for CHIP (trn2, inf2 ...) instead of for\nthis host", apply_chip},
    {0, "lnc", ARGUMENT_REQUIRED, "N", false, "the same, for cores of LNC N", apply_lnc},
    {0, "runtime", ARGUMENT_REQUIRED, "VERSION", false, "the same, for this Neuron runtime",
     apply_runtime},
    {0, "driver", ARGUMENT_REQUIRED, "VERSION", false, "the same, for this Neuron driver",
     apply_driver},
    {0, "json", ARGUMENT_NONE, NULL, false, "one JSON document per file, one line each",
     apply_json},
    {0},
};

// The files and what they are held against.
struct work {
    const struct settings *settings;
    struct print_options print;
    struct neff_target target;
    struct host *host; // owns the target's texts
    int read;          // files that could be read
    enum severity worst;
    int signal;
    int lost; // errno of standard output
};

static bool by_hand(const struct neff_settings *given)
{
    return given->driver != NULL || given->runtime != NULL || given->chip != NULL ||
           given->lnc != 0;
}

// Driver and runtime are judged as those of a host.
static struct findings judge_versions(struct host *host, const struct neff_target *target)
{
    host->versions.given = true;
    host->versions.driver = target->driver;
    host->versions.runtime_installed = target->runtime;
    host->hardware.generation = generation_get(target->generation);
    host->hardware.chip = target->chip;
    host->hardware.neuroncore = target->neuroncore;
    return check_run(host);
}

static void target_by_hand(struct work *work, const struct neff_settings *given)
{
    struct neff_target *target = &work->target;
    work->host = host_new();
    if (work->settings->source.releases != NULL)
        work->host->releases = work->settings->source.releases;
    *target = (struct neff_target){.driver = given->driver,
                                   .runtime = given->runtime,
                                   .runtime_from = "given",
                                   .lnc = given->lnc,
                                   .lnc_given = given->lnc != 0,
                                   .lnc_from = "given",
                                   .releases = work->host->releases,
                                   .by_hand = true};
    if (given->chip != NULL)
        neff_target_set_chip(target, given->chip);
    neff_target_complete(target);
    target->host_findings = judge_versions(work->host, target);
}

// The driver's files say all that is needed, and at once: neuron-monitor is not started for that.
static void choose_source(struct settings *settings)
{
    static const char *const driver[] = {"driver"};
    struct trouble trouble;
    if (settings->source_count > 0 || settings->source.input != NULL)
        return;
    struct collect *there = collect_open(&settings->source, driver, 1, &trouble);
    strlcpy(settings->source_names[0], there != NULL ? "driver" : "none",
            sizeof(settings->source_names[0]));
    settings->source_count = 1;
    collect_close(there);
}

// What the environment says holds for a process that is started from here.
static void heed_environment(struct neff_target *target)
{
    const char *legacy = getenv("NEURON_RT_ALLOW_LEGACY_NEFF");
    const struct own_lnc own = own_lnc();
    target->allow_legacy =
        legacy != NULL && (strcmp(legacy, "1") == 0 || strcasecmp(legacy, "true") == 0);
    if (target->lnc == 0 || target->lnc_only)
        return;
    if (own.size != 0) {
        target->lnc = own.size;
        target->lnc_given = true;
        target->lnc_from = strcmp(own.from, "NEURON_LOGICAL_NC_CONFIG") == 0
                               ? "NEURON_LOGICAL_NC_CONFIG here"
                               : "NEURON_RT_VIRTUAL_CORE_SIZE here";
    }
    own_lnc_say(&own, "judged", target->lnc);
}

static int target_of_host(struct work *work, struct settings *settings)
{
    struct session session;
    settings->source.alone = true; // what is installed counts without a device, too
    choose_source(settings);
    bool quick = strcmp(settings->source_names[0], "driver") == 0 && settings->source_count == 1;
    struct first first = {.chipless = quick};
    settings->source.unpaced = true;
    int status = session_open_any(&session, settings);
    if (status != STATUS_OK)
        return status;
    first.give_up = collect_now() + (quick ? DRIVER_PATIENCE_SECONDS : OTHER_PATIENCE_SECONDS);
    work->host = first_complete(&session, &first);
    work->signal = first.signal;
    session_close(&session);
    if (work->signal != 0)
        return status;
    work->target = neff_target_of_host(work->host);
    neff_target_complete(&work->target);
    heed_environment(&work->target);
    return status;
}

static void report_file(struct work *work, const char *path)
{
    char file[FILE_TEXT], why[NEFF_WHY];
    struct neff neff;
    struct neff_options options = neff_options_default();
    options.verify = work->settings->neff.verify;
    text_clean_to(file, sizeof(file), path, strlen(path));
    struct arena *arena = arena_new();
    bool read = neff_read(&neff, path, &options, why);
    struct neff_report report = {.file = file,
                                 .neff = read ? &neff : NULL,
                                 .target = &work->target,
                                 .findings = read ? check_neff(&neff, file, &work->target, arena)
                                                  : check_neff_unreadable(file, why, arena)};
    if (report.findings.count > 0 && report.findings.items[0].severity > work->worst)
        work->worst = report.findings.items[0].severity;
    if (!read)
        fprintf(stderr, "neutop: %s: %s\n", file, why);
    errno = 0;
    if (work->settings->json)
        print_neff_json(stdout, &report);
    else if (read && work->read > 0)
        putchar('\n');
    if (read && !work->settings->json)
        print_neff_text(stdout, &report, &work->print);
    work->read += read;
    work->lost = output_flush();
    arena_free(arena);
}

static int status_of(const struct work *work)
{
    static const int statuses[] = {STATUS_OK, STATUS_WARNING, STATUS_CRITICAL};
    if (output_status(work->lost) != STATUS_OK || work->read == 0)
        return STATUS_USAGE;
    return statuses[work->worst];
}

int cmd_neff(struct settings *settings, int argc, char **argv)
{
    struct work work = {.settings = settings, .print = output_options(settings)};
    int status = STATUS_OK;
    if (argc == 0)
        return parse_wrong("neff needs a FILE");
    if (by_hand(&settings->neff))
        target_by_hand(&work, &settings->neff);
    else
        status = target_of_host(&work, settings);
    for (int i = 0; i < argc && status == STATUS_OK && work.signal == 0 && work.lost == 0; i++)
        report_file(&work, argv[i]);
    host_free(work.host);
    if (work.signal != 0)
        session_die_by(work.signal);
    return status != STATUS_OK ? status : status_of(&work);
}
