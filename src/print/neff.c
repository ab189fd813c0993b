// SPDX-License-Identifier: Apache-2.0
// The text block of a NEFF file.
#include "print/neff.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "neff/features.h"
#include "neff/target.h"
#include "print/text_parts.h"

bool neff_report_ok(const struct neff_report *report)
{
    // worst first
    return report->findings.count == 0 || report->findings.items[0].severity == SEVERITY_INFO;
}

static void format_line(struct page *page, const struct neff *neff)
{
    static const char *const forms[] = {
        [NEFF_FORM_UNKNOWN] = "unknown", [NEFF_FORM_GZIP] = "gzip", [NEFF_FORM_TAR] = "tar"};
    struct list line = {.separator = ""};
    list_add(&line, "NEFF %" PRIu64 ".%" PRIu64 ", packaging %" PRIu64 " (%s)", neff->header.major,
             neff->header.minor, neff->header.packaging, forms[neff->payload.form]);
    if (neff->header.build[0] != '\0')
        list_add(&line, ", %s", neff->header.build);
    page_field(page, 0, "format   ", line.text);
}

static void compiler_line(struct page *page, const struct neff_report *report)
{
    const char *compiler = report->neff->payload.compiler;
    const struct releases *releases = report->target->releases;
    struct list line = {.separator = ", "};
    enum release_match how = RELEASE_NONE;
    char names[96];
    list_add(&line, "%s", compiler);
    uint64_t set = neff_compiler_releases(releases, compiler, &how);
    releases_names(releases, set, names, sizeof(names));
    if (how == RELEASE_NEWER)
        list_add(&line, "newer than this neutop knows");
    else if (set != 0)
        list_add(&line, "%s %s", how == RELEASE_NEAR ? "near SDK" : "SDK", names);
    page_field(page, 0, "compiler ", compiler[0] != '\0' ? line.text : NULL);
}

static void built_line(struct page *page, const struct neff *neff)
{
    char text[48] = "-";
    time_t seconds = (time_t)neff->payload.built_unix_seconds;
    struct tm parts;
    if (seconds != 0 && gmtime_r(&seconds, &parts) != NULL)
        strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &parts);
    page_field(page, 0, "built    ", text);
}

static void chip_line(struct page *page, const struct neff_payload *payload)
{
    const struct neff_chip *chip = payload->target_known ? neff_chip_of(payload->target) : NULL;
    struct list line = {.separator = ", "};
    if (chip != NULL)
        list_add(&line, "%s", chip->chip);
    if (payload->target_known)
        list_add(&line, "target '%s'%s", payload->target,
                 chip == NULL ? ", a chip that neutop does not know" : "");
    page_field(page, 0, "chip     ", payload->target_known ? line.text : NULL);
}

static void cores_lines(struct page *page, const struct neff_header *header)
{
    struct list lnc = {.separator = ""}, cores = {.separator = ""};
    list_add(&lnc, "%" PRIu32 "%s", header->lnc,
             header->lnc_given ? "" : " (0 in the header, as old files have it)");
    list_add(&cores, "%" PRIu32, header->cores);
    if (header->cores_requested != header->cores)
        list_add(&cores, ", %" PRIu32 " requested", header->cores_requested);
    page_field(page, 0, "LNC      ", lnc.text);
    page_field(page, 0, "cores    ", cores.text);
}

static void features_line(struct page *page, uint64_t features)
{
    struct list names = {.separator = ", "}, line = {.separator = ""};
    for (unsigned bit = 0; bit < NEFF_FEATURE_BITS; bit++) {
        const char *name = neff_feature_name(bit);
        if ((features >> bit & 1) == 0)
            continue;
        if (name != NULL)
            list_add(&names, "%s", name);
        else
            list_add(&names, "bit %u", bit);
    }
    list_add(&line, "0x%" PRIx64 "%s%s", features, features != 0 ? ": " : "", names.text);
    page_field(page, 0, "features ", line.text);
}

static void hash_line(struct page *page, const struct neff *neff)
{
    const char *word = neff_hash_word(neff->hash);
    if (neff->hash == NEFF_HASH_UNCHECKED)
        word = "unchecked (--verify reads the whole file)";
    page_field(page, 0, "hash     ", neff->hash == NEFF_HASH_NONE ? neff->hash_why : word);
}

static void against_line(struct page *page, const struct neff_target *target)
{
    struct list line = {.separator = ", "};
    char lnc[16] = "unknown";
    if (target->lnc != 0)
        snprintf(lnc, sizeof(lnc), "%u", target->lnc);
    list_add(&line, "%s: chip %s", target->by_hand ? "given values" : "this host",
             target->chip != NULL ? target->chip : "unknown");
    list_add(&line, "LNC %s", lnc);
    list_add(&line, "runtime %s", target->runtime != NULL ? target->runtime : "unknown");
    if (target->runtime != NULL && !target->by_hand)
        list_add(&line, "%s", target->runtime_from);
    list_add(&line, "driver %s", target->driver != NULL ? target->driver : "unknown");
    page_field(page, 0, "against  ", line.text);
}

static void verdict_lines(struct page *page, const struct neff_report *report)
{
    static const struct {
        enum style style;
        const char *words;
    } verdicts[NEFF_VERDICTS] = {
        [NEFF_UNKNOWN] = {STYLE_PLAIN, "none"},
        [NEFF_PARTLY] = {STYLE_PLAIN, "nothing found that would stop it from loading"},
        [NEFF_FITS] = {STYLE_GREEN, "nothing found that would stop it from loading"},
        [NEFF_MAY_NOT_FIT] = {STYLE_YELLOW, "it may not load, or not as it should"},
        [NEFF_DOES_NOT_FIT] = {STYLE_RED, "it will not load"},
    };
    enum neff_verdict verdict = neff_verdict(report->neff, report->target, &report->findings);
    struct list line = {.separator = ", "};
    const char *names[NEFF_QUESTIONS];
    unsigned count = neff_not_judged(report->neff, report->target, names);
    if (!neff_target_empty(report->target))
        against_line(page, report->target);
    page_put(page, "verdict   ");
    page_style(page, verdicts[verdict].style);
    page_wrap(page, 10, verdicts[verdict].words);
    page_style(page, STYLE_PLAIN);
    for (unsigned i = 0; i < count; i++)
        list_add(&line, "%s", names[i]);
    if (verdict == NEFF_UNKNOWN)
        page_field(page, 0, "unjudged ",
                   "no Neuron chip or runtime is known here; --chip, --runtime, --driver and "
                   "--lnc give them");
    else if (count > 0)
        page_field(page, 0, "unjudged ", line.text);
}

void print_neff_text(FILE *out, const struct neff_report *report,
                     const struct print_options *options)
{
    struct page page = {.out = out, .options = options};
    const struct neff *neff = report->neff;
    page_style(&page, STYLE_BOLD);
    page_wrap(&page, 0, report->file);
    page_style(&page, STYLE_PLAIN);
    format_line(&page, neff);
    compiler_line(&page, report);
    built_line(&page, neff);
    chip_line(&page, &neff->payload);
    cores_lines(&page, &neff->header);
    features_line(&page, neff->header.features);
    page_field(&page, 0, "name     ", neff->header.name[0] != '\0' ? neff->header.name : NULL);
    page_field(&page, 0, "uuid     ", neff->header.uuid[0] != '\0' ? neff->header.uuid : NULL);
    hash_line(&page, neff);
    verdict_lines(&page, report);
    for (size_t i = 0; i < report->findings.count; i++)
        text_finding(&page, &report->findings.items[i]);
}

const char *neff_report_line(const struct neff_report *report, char *buffer, size_t size)
{
    const struct neff *neff = report->neff;
    struct list line = {.separator = ", "};
    char names[96];
    if (neff == NULL) {
        snprintf(buffer, size, "%s: cannot be read as a NEFF", report->file);
        return buffer;
    }
    const struct neff_payload *payload = &neff->payload;
    const struct neff_chip *chip = payload->target_known ? neff_chip_of(payload->target) : NULL;
    uint64_t set = neff_compiler_releases(report->target->releases, payload->compiler, NULL);
    list_add(&line, "NEFF %" PRIu64 ".%" PRIu64, neff->header.major, neff->header.minor);
    list_add(&line, "%s", chip != NULL ? chip->chip : "of an unknown chip");
    list_add(&line, "LNC %" PRIu32, neff->header.lnc);
    if (payload->compiler[0] != '\0')
        list_add(&line, "neuronx-cc %s", payload->compiler);
    if (set != 0)
        list_add(&line, "SDK %s",
                 releases_names(report->target->releases, set, names, sizeof(names)));
    snprintf(buffer, size, "%s: %s: %s", report->file, line.text,
             neff_verdict_word(neff_verdict(neff, report->target, &report->findings)));
    return buffer;
}
