// SPDX-License-Identifier: Apache-2.0
// The checks of a NEFF file, one row a rule. AWS's runtime makes them when it loads the file; here
// nothing is loaded.
#include "check/neff.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "check/neff_support.h"
#include "check/rule.h"
#include "host/version.h"
#include "neff/features.h"
#include "neff/target.h"

// A NEFF and what it would meet, while the rules run.
struct question {
    struct report *report;
    const struct neff *neff;
    const struct neff_target *target;
    const char *file;
    enum rule_origin origin; // of the rule that runs
};

struct neff_rule {
    const char *id;
    enum rule_origin origin;
    void (*check)(struct question *question);
};

static struct finding *add(struct question *question, enum severity severity)
{
    struct finding *finding = report_add(question->report, severity);
    finding_subject(question->report, finding, "%s", question->file);
    return finding;
}

// Documented: the runtime refuses a target that is not the chip's. The variable that allows it is
// there from runtime 2.25 on, for an older target on a newer chip only.
static bool legacy_allowed(const struct neff_target *target, const struct neff_chip *chip)
{
    return target->allow_legacy && strcmp(chip->neuroncore, target->neuroncore) < 0 &&
           (target->runtime == NULL || version_compare_text(target->runtime, "2.25") >= 0);
}

// The chip that the file is for where that is another one; else NULL.
static const struct neff_chip *other_chip(const struct question *question)
{
    const struct neff_payload *payload = &question->neff->payload;
    const char *here = question->target->neuroncore;
    const struct neff_chip *chip = payload->target_known ? neff_chip_of(payload->target) : NULL;
    if (chip == NULL || chip->neuroncore == NULL || here == NULL ||
        strcmp(chip->neuroncore, here) == 0)
        return NULL;
    return chip;
}

// What --target is called for the chip here: Inferentia2 and Trainium have the same cores.
static const char *compile_flag(const struct neff_target *target, const struct neff_chip *wanted)
{
    bool inf2 = target->chip != NULL && strcmp(target->chip, "Inferentia2") == 0;
    return inf2 ? "inf2" : wanted->compile;
}

static void wrong_chip(struct question *question)
{
    const struct neff_target *target = question->target;
    const struct neff_chip *chip = other_chip(question);
    if (chip == NULL)
        return;
    struct report *report = question->report;
    bool allowed = legacy_allowed(target, chip);
    struct finding *finding = add(question, allowed ? SEVERITY_WARNING : SEVERITY_CRITICAL);
    const struct neff_chip *wanted = neff_chip_by_neuroncore(target->neuroncore);
    finding_summary(report, finding, "compiled for %s, but the chip is %s", chip->chip,
                    target->chip != NULL ? target->chip : target->neuroncore);
    finding_evidence(report, finding, "its target: '%s', NeuronCore-%s", chip->word,
                     chip->neuroncore);
    finding_evidence(report, finding, "chip: NeuronCore-%s", target->neuroncore);
    if (allowed)
        finding_evidence(report, finding,
                         "NEURON_RT_ALLOW_LEGACY_NEFF is set: loaded all the same, for tests only");
    if (wanted != NULL)
        finding_remedy(report, finding, "compile it again with --target=%s, or run it on %s",
                       compile_flag(target, wanted), chip->chip);
    else
        finding_remedy(report, finding, "run it on %s", chip->chip);
    finding_origin(report, finding, chip->seen ? question->origin : RULE_THIRD_PARTY);
}

static void unknown_chip(struct question *question)
{
    const struct neff_payload *payload = &question->neff->payload;
    if (!payload->target_known || neff_chip_of(payload->target) != NULL)
        return;
    struct finding *finding = add(question, SEVERITY_INFO);
    finding_summary(question->report, finding,
                    "its target '%s' is a chip that neutop does not know", payload->target);
    finding_remedy(question->report, finding, "look for a newer neutop");
}

// A file for another chip is of that chip's LNC too: that is no finding of its own.
static bool explained_by_chip(const struct question *question)
{
    const struct neff_chip *chip = other_chip(question);
    return chip != NULL && !question->target->lnc_given && !legacy_allowed(question->target, chip);
}

static void lnc_mismatch(struct question *question)
{
    const struct neff_header *header = &question->neff->header;
    const struct neff_target *target = question->target;
    if (target->lnc == 0 || target->lnc == header->lnc || explained_by_chip(question))
        return;
    struct report *report = question->report;
    struct finding *finding = add(question, SEVERITY_CRITICAL);
    finding_summary(report, finding, "compiled for LNC %" PRIu32 ", but the cores are LNC %u (%s)",
                    header->lnc, target->lnc, target->lnc_from);
    if (!header->lnc_given)
        finding_evidence(report, finding, "its header has LNC 0, which stands for 1 in old files");
    else
        finding_evidence(report, finding, "LNC in its header: %" PRIu32, header->lnc);
    finding_evidence(report, finding, "LNC of the cores: %u", target->lnc);
    if (target->lnc_only || header->lnc < 1 || header->lnc > 2)
        finding_remedy(report, finding, "compile it again with --lnc=%u", target->lnc);
    else
        finding_remedy(report, finding,
                       "start its process with NEURON_LOGICAL_NC_CONFIG=%" PRIu32
                       ", or compile it again with --lnc=%u",
                       header->lnc, target->lnc);
    finding_origin(report, finding, header->lnc_given ? question->origin : RULE_INFERRED);
}

static void unsupported_version(struct question *question)
{
    const struct neff_header *header = &question->neff->header;
    if (header->major <= 2)
        return;
    struct finding *finding = add(question, SEVERITY_WARNING);
    finding_summary(question->report, finding,
                    "NEFF version %" PRIu64 ".%" PRIu64 ": the runtime may refuse it",
                    header->major, header->minor);
    finding_evidence(question->report, finding,
                     "runtime 2.31 takes 1.x and 2.x, else NRT_UNSUPPORTED_NEFF_VERSION (10)");
    finding_remedy(question->report, finding,
                   "update aws-neuronx-runtime-lib, or compile it again with the compiler of the "
                   "runtime's SDK");
    finding_origin(question->report, finding, question->origin);
}

// "bit 8 indirect_memcpy_bound_check, bit 27" in the report's arena.
static const char *bits_text(struct report *report, uint64_t bits)
{
    char text[1024] = "";
    size_t used = 0;
    for (unsigned bit = 0; bit < NEFF_FEATURE_BITS && used < sizeof(text); bit++) {
        if ((bits >> bit & 1) == 0)
            continue;
        const char *name = neff_feature_name(bit);
        int wrote = snprintf(text + used, sizeof(text) - used, "%sbit %u%s%s", used > 0 ? ", " : "",
                             bit, name != NULL ? " " : "", name != NULL ? name : "");
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return arena_strdup(report->host->arena, text);
}

static void unsupported_features(struct question *question)
{
    const struct neff_header *header = &question->neff->header;
    const struct neff_target *target = question->target;
    const struct neff_support *support = neff_support_of(target->runtime);
    if (header->major != 2 || support == NULL)
        return;
    uint64_t missing = header->features & ~support->mask & ~support->never_tested;
    if (missing == 0)
        return;
    struct report *report = question->report;
    struct finding *finding = add(question, SEVERITY_WARNING);
    const char *bits = bits_text(report, missing);
    finding_summary(report, finding,
                    "newer than runtime %s (%s), which is behind: it needs features that this "
                    "runtime does not know: %s",
                    target->runtime, target->runtime_from, bits);
    finding_evidence(report, finding, "needed 0x%" PRIx64, header->features);
    finding_evidence(report, finding, "supported 0x%" PRIx64 " by runtime %s", support->mask,
                     support->runtime);
    finding_evidence(report, finding, "missing 0x%" PRIx64 ": %s", missing, bits);
    finding_evidence(report, finding, "the runtime refuses it: NRT_UNSUPPORTED_NEFF_VERSION (10)");
    if (!support->third_party) // of the others finding_origin() says it
        finding_evidence(report, finding, "supported features are known by: %s", support->origin);
    finding_remedy(report, finding,
                   "update aws-neuronx-runtime-lib, or compile it again with the compiler of the "
                   "runtime's SDK");
    finding_origin(report, finding, support->third_party ? question->origin : RULE_INFERRED);
}

uint64_t neff_compiler_releases(const struct releases *releases, const char *compiler,
                                enum release_match *how)
{
    struct version version;
    bool inf1 = version_parse(&version, compiler) && version.part[0] == 1; // neuron-cc of Inf1
    return releases_holding(releases, inf1 ? COMPONENT_COMPILER_INF1 : COMPONENT_COMPILER, compiler,
                            GEN_UNKNOWN, how);
}

// "SDK 2.28.0, 2.28.1", "an SDK newer than this neutop knows" into BUFFER.
static char *sdk_text(const struct releases *releases, uint64_t set, enum release_match how,
                      char *buffer, size_t size)
{
    char names[96];
    if (how == RELEASE_NEWER)
        snprintf(buffer, size, "an SDK newer than this neutop knows");
    else
        snprintf(buffer, size, "SDK %s%s", releases_names(releases, set, names, sizeof(names)),
                 how == RELEASE_NEAR ? ", or near" : "");
    return buffer;
}

// The chip to compile for: the one here, else the one that the file is for.
static enum generation_id compiled_for(const struct question *question)
{
    const struct neff_payload *payload = &question->neff->payload;
    const struct neff_chip *chip = payload->target_known ? neff_chip_of(payload->target) : NULL;
    struct neff_target target = *question->target;
    if (target.generation == GEN_UNKNOWN && chip != NULL && chip->compile != NULL)
        neff_target_set_chip(&target, chip->compile);
    return target.generation;
}

static void compiler_newer_remedy(struct question *question, struct finding *finding,
                                  const struct release *wanted, uint64_t runtime_set)
{
    const struct neff_target *target = question->target;
    const struct releases *releases = target->releases;
    const struct release *of_runtime = releases_newest(releases, runtime_set);
    const char *runtime = NULL, *compiler = NULL;
    if (wanted != NULL)
        runtime = releases_version(releases, (size_t)(wanted - releases->rows), COMPONENT_RUNTIME,
                                   target->generation);
    compiler = releases_version(releases, (size_t)(of_runtime - releases->rows), COMPONENT_COMPILER,
                                compiled_for(question));
    finding_remedy(question->report, finding, "update aws-neuronx-runtime-lib to %s%s%s%s",
                   runtime != NULL ? runtime : "the version of the compiler's SDK",
                   runtime != NULL ? " or newer" : "",
                   compiler != NULL ? ", or compile it again with neuronx-cc " : "",
                   compiler != NULL ? compiler : "");
}

static void compiler_newer(struct question *question)
{
    const struct neff_target *target = question->target;
    const struct releases *releases = target->releases;
    const char *compiler = question->neff->payload.compiler;
    char compiler_sdk[128], runtime_sdk[128];
    enum release_match compiler_how, runtime_how;
    if (releases == NULL || target->runtime == NULL || compiler[0] == '\0')
        return;
    uint64_t compiled = neff_compiler_releases(releases, compiler, &compiler_how);
    uint64_t runs = releases_holding(releases, COMPONENT_RUNTIME, target->runtime,
                                     target->generation, &runtime_how);
    if (runtime_how == RELEASE_NONE) // of a release before the first for this chip
        runs = releases_holding(releases, COMPONENT_RUNTIME, target->runtime, GEN_UNKNOWN,
                                &runtime_how);
    const struct release *oldest = releases_oldest(releases, compiled);
    const struct release *newest = releases_newest(releases, runs);
    // the table has the newest release first
    bool newer =
        newest != NULL && (compiler_how == RELEASE_NEWER || (oldest != NULL && oldest < newest));
    if (!newer)
        return;
    struct finding *finding = add(question, SEVERITY_WARNING);
    finding_summary(question->report, finding,
                    "its compiler neuronx-cc %s is of a newer SDK than runtime %s (%s): the "
                    "runtime is behind",
                    compiler, target->runtime, target->runtime_from);
    finding_evidence(
        question->report, finding, "neuronx-cc %s: %s", compiler,
        sdk_text(releases, compiled, compiler_how, compiler_sdk, sizeof(compiler_sdk)));
    finding_evidence(question->report, finding, "runtime %s: %s", target->runtime,
                     sdk_text(releases, runs, runtime_how, runtime_sdk, sizeof(runtime_sdk)));
    compiler_newer_remedy(question, finding, oldest, runs);
    finding_origin(question->report, finding, question->origin);
}

static void damaged(struct question *question)
{
    static const enum severity severities[] = {
        [NEFF_MISSING] = SEVERITY_WARNING,
        [NEFF_GAVE_UP] = SEVERITY_INFO,
        [NEFF_DAMAGED] = SEVERITY_CRITICAL,
        [NEFF_NO_LIBRARY] = SEVERITY_INFO,
    };
    const struct neff_payload *payload = &question->neff->payload;
    if (payload->outcome == NEFF_COMPLETE)
        return;
    struct finding *finding = add(question, severities[payload->outcome]);
    finding_summary(question->report, finding, "%s", payload->why);
    if (payload->compiler[0] == '\0')
        finding_evidence(question->report, finding, "its compiler is unknown");
    if (!payload->target_known)
        finding_evidence(question->report, finding, "the chip that it is for is unknown");
    if (payload->outcome == NEFF_DAMAGED)
        finding_remedy(question->report, finding, "copy or compile it again");
    else if (payload->outcome == NEFF_NO_LIBRARY)
        finding_remedy(question->report, finding, "install libarchive");
    else
        finding_remedy(question->report, finding, "nothing, if the runtime loads it");
}

static void hash_mismatch(struct question *question)
{
    if (question->neff->hash != NEFF_HASH_BAD)
        return;
    struct finding *finding = add(question, SEVERITY_WARNING);
    finding_summary(question->report, finding, "its payload is not what its header's hash says");
    finding_evidence(question->report, finding,
                     "the runtime asks for the hash only with NEURON_RT_VALIDATE_HASH");
    finding_remedy(question->report, finding, "copy or compile it again");
}

// Where driver and runtime do not work together, no NEFF can be loaded.
static bool stops_loading(const struct finding *finding)
{
    static const char *const ids[] = {"driver-too-old", "runtime-too-old",
                                      "inf1-driver-unsupported", "inf1-runtime-unsupported"};
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
        if (strcmp(finding->id, ids[i]) == 0)
            return finding->severity != SEVERITY_INFO;
    return false;
}

static void add_host_findings(struct report *report, const struct findings *host)
{
    for (size_t i = 0; i < host->count && report->count < report->capacity; i++)
        if (stops_loading(&host->items[i]))
            report->items[report->count++] = host->items[i];
}

static const struct neff_rule rules[] = {
    {"neff-unreadable", RULE_IN_CODE, damaged},
    {"neff-wrong-chip", RULE_DOCUMENTED, wrong_chip},
    {"neff-wrong-chip", RULE_DOCUMENTED, unknown_chip},
    {"lnc-mismatch", RULE_DOCUMENTED, lnc_mismatch},
    {"neff-unsupported", RULE_THIRD_PARTY, unsupported_version},
    {"neff-unsupported", RULE_THIRD_PARTY, unsupported_features},
    {"compiler-newer-than-runtime", RULE_INFERRED, compiler_newer},
    {"neff-hash-mismatch", RULE_DOCUMENTED, hash_mismatch},
};

enum { RULES = sizeof(rules) / sizeof(rules[0]), FINDINGS_MAX = RULES + RULE_FINDINGS_MAX };

// The report's functions take their arena from a host.
static struct findings finish(struct report *report, struct arena *arena)
{
    struct finding *kept = ARENA_ARRAY(arena, report->count, struct finding);
    findings_sort(report->items, report->count);
    memcpy(kept, report->items, report->count * sizeof(*kept));
    return (struct findings){.count = report->count, .items = kept};
}

struct findings check_neff(const struct neff *neff, const char *file,
                           const struct neff_target *target, struct arena *arena)
{
    struct finding items[FINDINGS_MAX];
    struct host holder = {.arena = arena};
    struct report report = {.host = &holder, .items = items, .capacity = FINDINGS_MAX};
    struct question question = {.report = &report, .neff = neff, .target = target, .file = file};
    for (size_t i = 0; i < RULES; i++) {
        report.id = rules[i].id;
        report.rule_count = 0;
        question.origin = rules[i].origin;
        rules[i].check(&question);
    }
    add_host_findings(&report, &target->host_findings);
    return finish(&report, arena);
}

struct findings check_neff_unreadable(const char *file, const char *why, struct arena *arena)
{
    struct finding item;
    struct host holder = {.arena = arena};
    struct report report = {
        .host = &holder, .id = "neff-unreadable", .items = &item, .capacity = 1};
    struct finding *finding = report_add(&report, SEVERITY_CRITICAL);
    finding_subject(&report, finding, "%s", file);
    finding_summary(&report, finding, "%s", why);
    finding_remedy(&report, finding, "name a whole NEFF file: copy or compile it again");
    return finish(&report, arena);
}
