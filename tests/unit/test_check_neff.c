// SPDX-License-Identifier: Apache-2.0
// Whether a NEFF and a host fit together: each rule, both ways, and how sure it is of itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "build_host.h"
#include "check/neff.h"

static struct arena *arena;

// A NEFF for Trainium2 with LNC 2, compiled by SDK 2.28, and the host that it is for.
static struct neff good_neff(void)
{
    struct neff neff = {
        .header = {.packaging = 2,
                   .major = 2,
                   .features = 0x209c00,
                   .cores = 1,
                   .lnc = 2,
                   .lnc_given = true},
        .payload = {.compiler = "2.23.6484.0+3b612583", .target = "cayman", .target_known = true}};
    return neff;
}

static struct neff_target good_target(void)
{
    struct neff_target target = {.runtime = "2.30.51.0",
                                 .runtime_from = "given",
                                 .lnc = 2,
                                 .lnc_given = true,
                                 .lnc_from = "given",
                                 .releases = releases_builtin(),
                                 .by_hand = true};
    neff_target_set_chip(&target, "trn2");
    return target;
}

static struct findings check(const struct neff *neff, const struct neff_target *target)
{
    return check_neff(neff, "model.neff", target, arena);
}

// The only finding, which must have this id and severity.
static const struct finding *only(const struct neff *neff, const struct neff_target *target,
                                  const char *id, enum severity severity)
{
    struct findings findings = check(neff, target);
    if (findings.count != 1 || strcmp(findings.items[0].id, id) != 0 ||
        findings.items[0].severity != severity)
        fail_msg("%zu findings, first %s %s: %s", findings.count,
                 findings.count > 0 ? severity_word(findings.items[0].severity) : "",
                 findings.count > 0 ? findings.items[0].id : "none",
                 findings.count > 0 ? findings.items[0].summary : "");
    assert_string_equal(findings.items[0].subject, "model.neff");
    return findings.items;
}

static bool in_evidence(const struct finding *finding, const char *text)
{
    for (unsigned i = 0; i < finding->evidence_count; i++)
        if (strstr(finding->evidence[i], text) != NULL)
            return true;
    return false;
}

static void silent(const struct neff *neff, const struct neff_target *target)
{
    struct findings findings = check(neff, target);
    if (findings.count != 0)
        fail_msg("%s: %s", findings.items[0].id, findings.items[0].summary);
}

static void what_fits_is_no_finding(void **state)
{
    (void)state;
    struct neff neff = good_neff();
    struct neff_target target = good_target();
    silent(&neff, &target);
}

static void what_is_unknown_is_not_judged(void **state)
{
    (void)state;
    struct neff neff = good_neff();
    struct neff_target nothing = {.releases = releases_builtin()}, target = good_target();
    neff.header.features = UINT64_MAX;
    silent(&neff, &nothing);
    neff = good_neff();
    neff.payload.target_known = false;
    neff.payload.compiler[0] = '\0';
    silent(&neff, &target);
    assert_true(neff_target_empty(&nothing));
    assert_false(neff_target_empty(&target));
}

static void remedies_fit_the_chip(void **state)
{
    (void)state;
    struct neff neff = good_neff();
    struct neff_target target = good_target();
    neff_target_set_chip(&target, "inf2");
    const struct finding *finding = only(&neff, &target, "neff-wrong-chip", SEVERITY_CRITICAL);
    assert_non_null(strstr(finding->remedy, "--target=inf2"));
    // a runtime from before the first release for the chip: no compiler of its release fits
    target = good_target();
    target.runtime = "2.20.22.0";
    finding = only(&neff, &target, "compiler-newer-than-runtime", SEVERITY_WARNING);
    assert_null(strstr(finding->remedy, "compile it again"));
}

static void wrong_chip_is_critical(void **state)
{
    (void)state;
    struct neff neff = good_neff();
    struct neff_target target = good_target();
    neff_target_set_chip(&target, "trn1");
    const struct finding *finding = only(&neff, &target, "neff-wrong-chip", SEVERITY_CRITICAL);
    assert_non_null(strstr(finding->summary, "Trainium2"));
    assert_true(in_evidence(finding, "'cayman'"));
    assert_true(in_evidence(finding, "NeuronCore-v2"));
    assert_non_null(strstr(finding->remedy, "--target=trn1"));
    neff_target_set_chip(&target, "inf1");
    only(&neff, &target, "neff-wrong-chip", SEVERITY_CRITICAL);
}

static void one_target_word_is_good_for_two_chips(void **state)
{
    (void)state;
    static const char *const chips[] = {"trn1",  "inf2",      "v2",
                                        "sunda", "Trainium1", "inf2.48xlarge"};
    struct neff neff = good_neff();
    strcpy(neff.payload.target, "sunda");
    neff.header.lnc = 1;
    for (size_t i = 0; i < sizeof(chips) / sizeof(chips[0]); i++) {
        struct neff_target target = {.releases = releases_builtin()};
        assert_true(neff_target_set_chip(&target, chips[i]));
        neff_target_complete(&target);
        assert_int_equal(target.lnc, 1);
        silent(&neff, &target);
    }
    strcpy(neff.payload.target, "*");
    struct neff_target target = good_target();
    target.lnc = 1;
    silent(&neff, &target);
}

static void legacy_variable_lets_an_older_target_through(void **state)
{
    (void)state;
    struct neff neff = good_neff();
    struct neff_target target = good_target();
    target.allow_legacy = true;
    strcpy(neff.payload.target, "sunda");
    const struct finding *finding = only(&neff, &target, "neff-wrong-chip", SEVERITY_WARNING);
    assert_true(in_evidence(finding, "NEURON_RT_ALLOW_LEGACY_NEFF"));
    target.runtime = "2.24.53.0"; // there from 2.25 on
    neff.payload.compiler[0] = '\0';
    only(&neff, &target, "neff-wrong-chip", SEVERITY_CRITICAL);
    target = good_target();
    target.allow_legacy = true;
    neff_target_set_chip(&target, "trn1"); // newer target on an older chip
    strcpy(neff.payload.target, "cayman");
    only(&neff, &target, "neff-wrong-chip", SEVERITY_CRITICAL);
}

static void words_that_others_told_of_are_warnings(void **state)
{
    (void)state;
    static const char *const words[] = {"mariana", "v4", "v2", ""};
    struct neff neff = good_neff();
    struct neff_target target = good_target();
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        strcpy(neff.payload.target, words[i]);
        const struct finding *finding = only(&neff, &target, "neff-wrong-chip", SEVERITY_WARNING);
        assert_true(in_evidence(finding, "third-party"));
    }
    strcpy(neff.payload.target, "barracuda");
    const struct finding *finding = only(&neff, &target, "neff-wrong-chip", SEVERITY_INFO);
    assert_non_null(strstr(finding->summary, "barracuda"));
}

static void lnc_must_be_the_same(void **state)
{
    (void)state;
    struct neff neff = good_neff();
    struct neff_target target = good_target();
    target.lnc = 1;
    const struct finding *finding = only(&neff, &target, "lnc-mismatch", SEVERITY_CRITICAL);
    assert_non_null(strstr(finding->remedy, "NEURON_LOGICAL_NC_CONFIG=2"));
    assert_non_null(strstr(finding->remedy, "--lnc=1"));
    target.lnc = 2;
    neff.header.lnc = 1;
    neff.header.lnc_given = false;
    finding = only(&neff, &target, "lnc-mismatch", SEVERITY_WARNING);
    assert_true(in_evidence(finding, "inference"));
    target.lnc = 1;
    silent(&neff, &target);
    neff.header.lnc = 7; // no process can be started with that
    neff.header.lnc_given = true;
    finding = only(&neff, &target, "lnc-mismatch", SEVERITY_CRITICAL);
    assert_null(strstr(finding->remedy, "NEURON_LOGICAL_NC_CONFIG"));
    assert_non_null(strstr(finding->remedy, "--lnc=1"));
}

static void lnc_of_another_chip_is_told_only_when_it_was_asked(void **state)
{
    (void)state;
    struct neff neff = good_neff();
    struct neff_target target = good_target();
    neff_target_set_chip(&target, "trn1");
    neff_target_complete(&target);
    target.lnc = 1;
    struct findings findings = check(&neff, &target);
    assert_int_equal(findings.count, 2);
    assert_non_null(find_finding(&findings, "lnc-mismatch"));
    assert_null(
        strstr(find_finding(&findings, "lnc-mismatch")->remedy, "NEURON_LOGICAL_NC_CONFIG"));
    target.lnc_given = false;
    only(&neff, &target, "neff-wrong-chip", SEVERITY_CRITICAL);
}

// Issue 820 of the AWS Neuron SDK: a NEFF with bit 8 for a runtime that printed 0x80000000000000ff.
static void missing_features_are_named(void **state)
{
    (void)state;
    struct neff neff = good_neff();
    struct neff_target target = good_target();
    neff.header.features = 0x100;
    neff.payload.compiler[0] = '\0';
    target.runtime = "2.18.15.0";
    const struct finding *finding = only(&neff, &target, "neff-unsupported", SEVERITY_WARNING);
    assert_true(in_evidence(finding, "needed 0x100"));
    assert_true(in_evidence(finding, "supported 0x80000000000000ff"));
    assert_true(in_evidence(finding, "missing 0x100: bit 8 indirect_memcpy_bound_check"));
    assert_true(in_evidence(finding, "NRT_UNSUPPORTED_NEFF_VERSION (10)"));
    assert_non_null(strstr(finding->summary, "newer than runtime 2.18.15.0"));
    neff.header.features = UINT64_C(0x80000000000000ff);
    silent(&neff, &target);
}

static void features_above_bit_26_are_third_party(void **state)
{
    (void)state;
    struct neff neff = good_neff();
    struct neff_target target = good_target();
    neff.header.features = 0x7ffffff;
    silent(&neff, &target);
    neff.header.features |= UINT64_C(1) << 63; // not tested by anyone
    silent(&neff, &target);
    neff.header.features |= 1 << 27;
    const struct finding *finding = only(&neff, &target, "neff-unsupported", SEVERITY_WARNING);
    assert_true(in_evidence(finding, "missing 0x8000000: bit 27"));
    unsigned told = 0; // once is enough
    for (unsigned i = 0; i < finding->evidence_count; i++)
        told += strstr(finding->evidence[i], "third-party") != NULL;
    assert_int_equal(told, 1);
    target.runtime = "2.32.31.0";
    silent(&neff, &target);
    target.runtime = "2.30.51.0";
    neff.header.major = 1; // there the bits are not looked at
    silent(&neff, &target);
}

static void newer_format_may_be_refused(void **state)
{
    (void)state;
    struct neff neff = good_neff();
    struct neff_target target = good_target();
    neff.header.major = 3;
    const struct finding *finding = only(&neff, &target, "neff-unsupported", SEVERITY_WARNING);
    assert_true(in_evidence(finding, "third-party"));
}

static void compiler_of_a_newer_sdk_is_a_warning(void **state)
{
    (void)state;
    struct neff neff = good_neff();
    struct neff_target target = good_target();
    target.runtime = "2.29.40.0-0b044f4ce"; // SDK 2.27
    const struct finding *finding =
        only(&neff, &target, "compiler-newer-than-runtime", SEVERITY_WARNING);
    assert_true(in_evidence(finding, "SDK 2.28.0, 2.28.1"));
    assert_true(in_evidence(finding, "SDK 2.27.0, 2.27.1"));
    assert_true(in_evidence(finding, "inference"));
    assert_non_null(strstr(finding->summary, "the runtime is behind"));
    assert_non_null(strstr(finding->remedy, "2.30.51.0"));
    assert_non_null(strstr(finding->remedy, "2.22.12471.0"));
    strcpy(neff.payload.compiler, "9.9.1.0");
    only(&neff, &target, "compiler-newer-than-runtime", SEVERITY_WARNING);
    target.runtime = "9.9.1.0"; // both newer than the table: nothing to say
    silent(&neff, &target);
    strcpy(neff.payload.compiler, "2.11.0.35");
    silent(&neff, &target);
}

// Compiler and runtime of one release fit, and a runtime of a newer one too.
static void releases_fit_themselves(void **state)
{
    (void)state;
    const struct releases *releases = releases_builtin();
    unsigned judged = 0;
    for (size_t row = 0; row < releases->row_count; row++) {
        struct neff neff = good_neff();
        struct neff_target target = {.runtime_from = "given", .releases = releases};
        const char *compiler = releases_version(releases, row, COMPONENT_COMPILER, GEN_TRN1);
        neff_target_set_chip(&target, "trn1");
        strcpy(neff.payload.target, "sunda");
        neff.header.features = 0x9000;
        for (size_t newer = row + 1; compiler != NULL && newer-- > 0;) {
            target.runtime = releases_version(releases, newer, COMPONENT_RUNTIME, GEN_TRN1);
            // features are another rule's: an old runtime knows few
            neff.header.features = 0;
            snprintf(neff.payload.compiler, sizeof(neff.payload.compiler), "%s", compiler);
            silent(&neff, &target);
            judged++;
        }
    }
    assert_true(judged > 500);
}

static void damage_is_told_by_what_it_means(void **state)
{
    (void)state;
    static const enum severity expected[] = {
        [NEFF_MISSING] = SEVERITY_WARNING,
        [NEFF_GAVE_UP] = SEVERITY_INFO,
        [NEFF_DAMAGED] = SEVERITY_CRITICAL,
        [NEFF_NO_LIBRARY] = SEVERITY_INFO,
    };
    struct neff_target target = good_target();
    for (int outcome = NEFF_MISSING; outcome <= NEFF_NO_LIBRARY; outcome++) {
        struct neff neff = good_neff();
        neff.payload.outcome = (enum neff_outcome)outcome;
        strcpy(neff.payload.why, "so it is");
        const struct finding *finding = only(&neff, &target, "neff-unreadable", expected[outcome]);
        assert_string_equal(finding->summary, "so it is");
    }
    struct neff neff = good_neff();
    neff.hash = NEFF_HASH_BAD;
    only(&neff, &target, "neff-hash-mismatch", SEVERITY_WARNING);
    struct findings findings = check_neff_unreadable("model.neff", "no such file", arena);
    assert_int_equal(findings.count, 1);
    assert_int_equal(findings.items[0].severity, SEVERITY_CRITICAL);
    assert_string_equal(findings.items[0].summary, "no such file");
}

static void worst_comes_first(void **state)
{
    (void)state;
    struct neff neff = good_neff();
    struct neff_target target = good_target();
    neff.payload.outcome = NEFF_MISSING;
    neff.header.features |= 1 << 27;
    target.lnc = 1;
    struct findings findings = check(&neff, &target);
    assert_int_equal(findings.count, 3);
    assert_string_equal(findings.items[0].id, "lnc-mismatch");
}

// A driver that does not work with the runtime stops every NEFF; idle cores stop none.
static void findings_on_the_versions_of_the_host_count(void **state)
{
    (void)state;
    static const struct finding items[] = {
        {.id = "driver-too-old", .severity = SEVERITY_CRITICAL, .summary = "too old"},
        {.id = "cores-idle-held", .severity = SEVERITY_WARNING, .summary = "idle"},
        {.id = "runtime-too-old", .severity = SEVERITY_INFO, .summary = "no matter"},
    };
    struct neff neff = good_neff();
    struct neff_target target = good_target();
    target.host_findings = (struct findings){.count = 3, .items = items};
    neff.payload.outcome = NEFF_MISSING;
    struct findings findings = check(&neff, &target);
    assert_int_equal(findings.count, 2);
    assert_string_equal(findings.items[0].id, "driver-too-old");
    assert_string_equal(findings.items[1].id, "neff-unreadable");
}

static void host_offers_its_oldest_runtime_unless_one_is_installed(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 2);
    build_process(host, 4242, "train", 0, 4)->runtime_version = "2.31.24.0";
    build_process(host, 77, "serve", 8, 4)->runtime_version = "2.9.1.0";
    build_process(host, 78, "shell", 0, 0);
    struct neff_target target = neff_target_of_host(host);
    assert_string_equal(target.runtime, "2.9.1.0");
    assert_string_equal(target.runtime_from, "of PID 77");
    assert_string_equal(target.neuroncore, "v3");
    assert_int_equal(target.lnc, 2);
    assert_int_equal(target.generation, GEN_TRN2);
    host->versions.runtime_installed = "2.30.51.0";
    target = neff_target_of_host(host);
    assert_string_equal(target.runtime, "2.30.51.0");
    assert_string_equal(target.runtime_from, "installed");
    host_free(host);
}

static void chips_go_by_many_names(void **state)
{
    (void)state;
    static const struct {
        const char *word, *neuroncore;
        unsigned lnc;
    } names[] = {{"trn2", "v3", 2}, {"Trainium2", "v3", 2}, {"trn2.48xlarge", "v3", 2},
                 {"v3", "v3", 2},   {"cayman", "v3", 2},    {"TRN3", "v4", 2},
                 {"inf1", "v1", 1}, {"v1", "v1", 1},        {"trainium", "v2", 1},
                 {"trn1", "v2", 1}};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct neff_target target = {.chip = NULL};
        if (!neff_target_set_chip(&target, names[i].word))
            fail_msg("%s is no chip", names[i].word);
        neff_target_complete(&target);
        assert_string_equal(target.neuroncore, names[i].neuroncore);
        assert_int_equal(target.lnc, names[i].lnc);
        assert_int_equal(target.lnc_only, names[i].lnc == 1);
    }
    struct neff_target target;
    assert_false(neff_target_set_chip(&target, ""));
    assert_false(neff_target_set_chip(&target, "*"));
    assert_false(neff_target_set_chip(&target, "trn9"));
}

static int new_arena(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int free_arena(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, new_arena, free_arena)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_fits_is_no_finding),
        TEST(what_is_unknown_is_not_judged),
        TEST(remedies_fit_the_chip),
        TEST(wrong_chip_is_critical),
        TEST(one_target_word_is_good_for_two_chips),
        TEST(legacy_variable_lets_an_older_target_through),
        TEST(words_that_others_told_of_are_warnings),
        TEST(lnc_must_be_the_same),
        TEST(lnc_of_another_chip_is_told_only_when_it_was_asked),
        TEST(missing_features_are_named),
        TEST(features_above_bit_26_are_third_party),
        TEST(newer_format_may_be_refused),
        TEST(compiler_of_a_newer_sdk_is_a_warning),
        TEST(releases_fit_themselves),
        TEST(damage_is_told_by_what_it_means),
        TEST(worst_comes_first),
        TEST(findings_on_the_versions_of_the_host_count),
        TEST(host_offers_its_oldest_runtime_unless_one_is_installed),
        TEST(chips_go_by_many_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
