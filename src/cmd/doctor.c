// SPDX-License-Identifier: Apache-2.0
// `neutop doctor`: every check, once, on this host and on NEFF files that are named.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "check/neff.h"
#include "cmd/command.h"
#include "cmd/first.h"
#include "cmd/output.h"
#include "cmd/session.h"
#include "cmd/status.h"
#include "print/doctor.h"
#include "print/neff.h"

// neuron-monitor takes some seconds for its first report; file systems that do not answer get no
// longer either.
static const double PATIENCE_SECONDS = 8;

enum { FINDINGS_MAX = 1024, LINE_TEXT = 4096 };

// The findings of host and files together; texts live in the host's arena.
struct diagnosis {
    struct host *host;
    unsigned files;
    const char **file_lines; // of the files
    size_t count;
    struct finding items[FINDINGS_MAX];
};

static void take(struct diagnosis *diagnosis, const struct findings *findings)
{
    for (size_t i = 0; i < findings->count && diagnosis->count < FINDINGS_MAX; i++)
        diagnosis->items[diagnosis->count++] = findings->items[i];
}

static bool is_known(const struct diagnosis *diagnosis, const struct finding *finding)
{
    for (size_t i = 0; i < diagnosis->count; i++)
        if (strcmp(diagnosis->items[i].id, finding->id) == 0 &&
            strcmp(diagnosis->items[i].subject, finding->subject) == 0 &&
            strcmp(diagnosis->items[i].summary, finding->summary) == 0)
            return true;
    return false;
}

// What a file's check says again of the host has been told.
static void take_file(struct diagnosis *diagnosis, const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        struct findings one = {.count = 1, .items = &findings->items[i]};
        if (!is_known(diagnosis, &findings->items[i]))
            take(diagnosis, &one);
    }
}

static const char *examine_file(struct diagnosis *diagnosis, const char *path)
{
    struct host *host = diagnosis->host;
    char why[NEFF_WHY], line[LINE_TEXT];
    const char *file = text_clean(host->arena, path, strlen(path));
    struct neff *neff = ARENA_NEW(host->arena, struct neff);
    struct neff_options options = neff_options_default();
    struct neff_target target = neff_target_of_host(host);
    neff_target_complete(&target);
    bool read = neff_read(neff, path, &options, why);
    struct neff_report report = {.file = file, .neff = read ? neff : NULL, .target = &target};
    report.findings = read ? check_neff(neff, file, &target, host->arena)
                           : check_neff_unreadable(file, why, host->arena);
    take_file(diagnosis, &report.findings);
    return arena_strdup(host->arena, neff_report_line(&report, line, sizeof(line)));
}

// A host with a chip, or with what should bring one to life, is a Neuron host.
static bool is_neuron_host(const struct host *host)
{
    const struct presence *presence = &host->presence;
    return host->chip_count > 0 || host->versions.driver != NULL ||
           (known_u64(presence->pci_functions) && presence->pci_functions.value > 0) ||
           (known_u64(presence->nodes) && presence->nodes.value > 0);
}

static int status_of(const struct diagnosis *diagnosis, const struct findings *findings)
{
    static const int statuses[] = {STATUS_OK, STATUS_WARNING, STATUS_CRITICAL};
    enum severity worst = findings->count > 0 ? findings->items[0].severity : SEVERITY_INFO;
    // a file that was named can be judged anywhere
    if (worst < SEVERITY_CRITICAL && diagnosis->files == 0 && !is_neuron_host(diagnosis->host))
        return STATUS_NOTHING;
    return statuses[worst];
}

static int print_report(const struct settings *settings, struct diagnosis *diagnosis)
{
    struct print_options options = output_options(settings);
    struct doctor_report report = {
        .host = diagnosis->host, .file_count = diagnosis->files, .files = diagnosis->file_lines};
    findings_sort(diagnosis->items, diagnosis->count);
    report.findings = (struct findings){.count = diagnosis->count, .items = diagnosis->items};
    report.outcomes = check_outcomes(diagnosis->host, &report.findings, diagnosis->files);
    errno = 0;
    if (settings->json)
        print_doctor_json(stdout, &report);
    else
        print_doctor_text(stdout, &report, &options);
    int status = output_status(output_flush());
    output_missing(diagnosis->host);
    if (status == STATUS_OK)
        status = status_of(diagnosis, &report.findings);
    return status == STATUS_OK && output_nobody(settings, diagnosis->host) ? STATUS_WARNING
                                                                           : status;
}

static struct host *look(struct settings *settings, struct first *first, int *status)
{
    struct session session;
    struct host *host = NULL;
    settings->source.unpaced = settings->source.alone = true;
    *status = session_open_any(&session, settings);
    if (*status != STATUS_OK)
        return NULL;
    first->chipless = true;
    first->give_up = collect_now() + PATIENCE_SECONDS;
    host = first_complete(&session, first);
    session_close(&session);
    return host;
}

int cmd_doctor(struct settings *settings, int argc, char **argv)
{
    struct first first = {0};
    int status;
    struct host *host = look(settings, &first, &status);
    if (first.signal != 0) {
        host_free(host);
        session_die_by(first.signal);
    }
    if (host == NULL)
        return status;
    struct diagnosis *diagnosis = ARENA_NEW(host->arena, struct diagnosis);
    struct findings findings = check_run(host);
    diagnosis->host = host;
    take(diagnosis, &findings);
    diagnosis->files = (unsigned)argc;
    diagnosis->file_lines = ARENA_ARRAY(host->arena, diagnosis->files, const char *);
    for (int i = 0; i < argc; i++)
        diagnosis->file_lines[i] = examine_file(diagnosis, argv[i]);
    status = print_report(settings, diagnosis);
    host_free(host);
    return status;
}
