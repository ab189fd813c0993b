// SPDX-License-Identifier: Apache-2.0
// The JSON document of a NEFF file.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "neff/features.h"
#include "neff/target.h"
#include "print/json_parts.h"
#include "print/neff.h"

// Unknown is null, not "".
static const char *known(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

static void put_features(struct json_writer *writer, uint64_t features)
{
    char text[32];
    snprintf(text, sizeof(text), "0x%" PRIx64, features);
    json_put_string(writer, "features", text);
    json_begin_array(writer, "feature_names");
    for (unsigned bit = 0; bit < NEFF_FEATURE_BITS; bit++) {
        if ((features >> bit & 1) == 0)
            continue;
        snprintf(text, sizeof(text), "bit %u", bit);
        json_put_string(writer, NULL,
                        neff_feature_name(bit) != NULL ? neff_feature_name(bit) : text);
    }
    json_end_array(writer);
}

static void put_releases(struct json_writer *writer, const struct releases *releases,
                         const char *compiler)
{
    uint64_t set = neff_compiler_releases(releases, compiler, NULL);
    json_begin_array(writer, "compiler_sdk");
    for (size_t row = releases->row_count; row-- > 0;) // oldest first
        if ((set >> row & 1) != 0)
            json_put_string(writer, NULL, releases->rows[row].sdk);
    json_end_array(writer);
}

static void put_file(struct emit *emit, const struct neff_report *report)
{
    const struct neff *neff = report->neff;
    struct json_writer *writer = &emit->writer;
    const struct neff_header *header = &neff->header;
    const struct neff_payload *payload = &neff->payload;
    const struct neff_chip *chip = payload->target_known ? neff_chip_of(payload->target) : NULL;
    char version[48];
    snprintf(version, sizeof(version), "%" PRIu64 ".%" PRIu64, header->major, header->minor);
    json_put_string(writer, "format_version", version);
    json_put_u64(writer, "packaging", header->packaging);
    json_put_string(writer, "compiler", known(payload->compiler));
    put_releases(writer, report->target->releases, payload->compiler);
    emit_time(emit, "built", payload->built_unix_seconds);
    json_put_string(writer, "chip", chip != NULL ? chip->chip : NULL);
    json_put_string(writer, "target", payload->target_known ? payload->target : NULL);
    json_put_u64(writer, "lnc", header->lnc);
    json_put_u64(writer, "cores", header->cores);
    put_features(writer, header->features);
    json_put_string(writer, "uuid", known(header->uuid));
    json_put_string(writer, "name", known(header->name));
    json_put_string(writer, "hash", neff_hash_word(neff->hash));
}

static void put_nothing(struct json_writer *writer)
{
    static const struct {
        const char *name;
        bool list;
    } keys[] = {{"format_version", false}, {"packaging", false},    {"compiler", false},
                {"compiler_sdk", true},    {"built", false},        {"chip", false},
                {"target", false},         {"lnc", false},          {"cores", false},
                {"features", false},       {"feature_names", true}, {"uuid", false},
                {"name", false},           {"hash", false}};
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (!keys[i].list) {
            json_put_null(writer, keys[i].name);
            continue;
        }
        json_begin_array(writer, keys[i].name);
        json_end_array(writer);
    }
}

static void put_verdict(struct json_writer *writer, const struct neff_report *report)
{
    const char *names[NEFF_QUESTIONS];
    unsigned count =
        report->neff != NULL ? neff_not_judged(report->neff, report->target, names) : 0;
    json_put_string(
        writer, "verdict",
        neff_verdict_word(neff_verdict(report->neff, report->target, &report->findings)));
    json_begin_array(writer, "not_judged");
    for (unsigned i = 0; i < count; i++)
        json_put_string(writer, NULL, strcmp(names[i], "LNC") == 0 ? "lnc" : names[i]);
    json_end_array(writer);
}

void print_neff_json(FILE *out, const struct neff_report *report)
{
    struct emit emit = {0};
    json_writer_init(&emit.writer);
    json_begin_object(&emit.writer, NULL);
    json_put_string(&emit.writer, "file", report->file);
    json_put_bool(&emit.writer, "ok", neff_report_ok(report));
    if (report->neff != NULL)
        put_file(&emit, report);
    else
        put_nothing(&emit.writer);
    put_verdict(&emit.writer, report);
    emit_findings(&emit, &report->findings);
    json_end_object(&emit.writer);
    json_writer_flush(&emit.writer, out);
    json_writer_free(&emit.writer);
}
