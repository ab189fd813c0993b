// SPDX-License-Identifier: Apache-2.0
// Rules of a table of releases from a file (--releases): what they change, what they add, and what
// is left out because its form is not known.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "build_host.h"
#include "check/versions.h"
#include "source/releases_file.h"

#define TABLE(rules)                                                                               \
    "{\"releases\":[{\"sdk\":\"3.0.0\",\"components\":{\"driver\":[{\"version\":\"3.1.0.0\"}]}}]," \
    "\"rules\":[" rules "]}"

static struct releases *parse(const char *text)
{
    const char *why = "";
    struct releases *releases = releases_file_parse(text, strlen(text), &why);
    if (releases == NULL)
        fail_msg("no table: %s", why);
    return releases;
}

static const struct finding *judge(const struct releases *releases, const char *type,
                                   const char *driver, const char *runtime, const char *id)
{
    static struct finding found;
    static char first[300];
    struct host *host = build_host(type, 0);
    host->releases = releases;
    host->versions.driver = driver;
    host->versions.runtime_installed = runtime;
    host->machine.kernel = "6.1.0";
    struct findings findings = check_run(host);
    const struct finding *finding = find_finding(&findings, id);
    found = (struct finding){0};
    first[0] = '\0';
    if (finding != NULL) {
        found.severity = finding->severity;
        for (unsigned i = 0; i < finding->evidence_count; i++)
            snprintf(first + strlen(first), sizeof(first) - strlen(first), "%s\n",
                     finding->evidence[i]);
        found.summary = first; // all its evidence
    }
    host_free(host);
    return finding != NULL ? &found : NULL;
}

static void an_added_pair(void **state)
{
    (void)state;
    struct releases *releases =
        parse(TABLE("{\"id\":\"rt2.40\",\"component\":\"runtime\",\"op\":\">=\",\"version\":"
                    "\"2.40\",\"requires\":{\"driver\":\">=2.38\"},\"applies\":\"trn2\","
                    "\"origin\":\"doc: notes of SDK 3.0\"}"));
    const struct finding *finding =
        judge(releases, "trn2.48xlarge", "2.37.0.0", "2.40.1.0", "driver-too-old");
    assert_non_null(finding);
    assert_int_equal(finding->severity, SEVERITY_CRITICAL);
    assert_non_null(strstr(finding->summary, "runtime 2.40 or newer needs driver 2.38 or newer"));
    assert_non_null(strstr(finding->summary, "rule rt2.40 of the table of releases; doc: notes"));
    assert_null(judge(releases, "trn2.48xlarge", "2.38.0.0", "2.40.1.0", "driver-too-old"));
    assert_null(judge(releases, "trn2.48xlarge", "2.37.0.0", "2.39.1.0", "driver-too-old"));
    assert_null(judge(releases, "trn1.32xlarge", "2.37.0.0", "2.40.1.0", "driver-too-old"));
    assert_non_null( // what neutop knows itself holds on
        judge(releases, "trn1.32xlarge", "2.26.10.0", "2.32.31.0", "driver-too-old"));
    releases_file_free(releases);
}

static void not_documented_is_a_warning(void **state)
{
    (void)state;
    struct releases *releases = parse(
        TABLE("{\"id\":\"d2.50\",\"component\":\"driver\",\"op\":\"==2.50.*\",\"version\":\"2.50\","
              "\"requires\":{\"runtime\":\">=2.55\"},\"applies\":\"all\",\"origin\":\"doc: only "
              "an inference\"},"
              "{\"id\":\"k\",\"component\":\"driver\",\"op\":\">=\",\"version\":\"2.50\","
              "\"requires\":{\"kernel\":\">=6.6\"},\"applies\":\"all\",\"origin\":\"log: x\"}"));
    const struct finding *finding =
        judge(releases, "trn1.32xlarge", "2.50.9.0", "2.54.0.0", "runtime-too-old");
    assert_non_null(finding);
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_non_null(strstr(finding->summary, "driver 2.50 needs runtime 2.55 or newer"));
    assert_non_null(strstr(finding->summary, "by inference"));
    finding = judge(releases, "trn1.32xlarge", "2.50.9.0", "2.54.0.0", "kernel-too-old");
    assert_non_null(finding);
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_null(judge(releases, "trn1.32xlarge", "2.49.9.0", "2.54.0.0", "kernel-too-old"));
    releases_file_free(releases);
}

// A fix that was planned for SDK 2.30: the file may lower the limit, or withdraw the rule.
static void a_known_rule_changes(void **state)
{
    (void)state;
    static const char pair[] = "rt2.32-driver-gt-2.26";
    char text[700];
    snprintf(text, sizeof(text),
             TABLE("{\"id\":\"%s\",\"component\":\"runtime\",\"op\":\"==2.32.*\",\"version\":"
                   "\"2.32\",\"requires\":{\"driver\":\">=2.26.20\"},\"applies\":\"all\","
                   "\"origin\":\"doc: notes\"}"),
             pair);
    struct releases *releases = parse(text);
    assert_null(judge(releases, "trn1.32xlarge", "2.26.20.0", "2.32.31.0", "driver-too-old"));
    const struct finding *finding =
        judge(releases, "trn1.32xlarge", "2.26.10.0", "2.32.31.0", "driver-too-old");
    assert_non_null(finding);
    assert_non_null(strstr(finding->summary, "runtime 2.32 needs driver 2.26.20 or newer"));
    releases_file_free(releases);
    snprintf(text, sizeof(text), TABLE("{\"id\":\"%s\",\"applies\":\"none\"}"), pair);
    releases = parse(text);
    assert_null(judge(releases, "trn1.32xlarge", "2.26.10.0", "2.32.31.0", "driver-too-old"));
    releases_file_free(releases);
    releases = parse(TABLE("{\"id\":\"kernel-driver2.18\",\"component\":\"driver\",\"op\":\">=\","
                           "\"version\":\"2.18\",\"requires\":{\"kernel\":\">=6.2\"},"
                           "\"applies\":\"all\",\"origin\":\"doc: x\"}"));
    assert_non_null(judge(releases, "trn1.32xlarge", "2.18.20.0", "2.22.19.0", "kernel-too-old"));
    releases_file_free(releases);
}

static void damaged_rules_are_left_out(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "1",
        "null",
        "{}",
        "{\"id\":\"x\"}",
        "{\"id\":\"a b\",\"applies\":\"none\"}",
        "{\"id\":\"x\",\"component\":\"runtime\",\"op\":\">=\",\"version\":\"2\",\"requires\":"
        "{\"runtime\":\">=2\"},\"applies\":\"all\"}", // of itself
        "{\"id\":\"x\",\"component\":\"runtime\",\"op\":\"!\",\"version\":\"2\",\"requires\":"
        "{\"driver\":\">=2\"},\"applies\":\"all\"}",
        "{\"id\":\"x\",\"component\":\"runtime\",\"op\":\">=\",\"version\":\"2\",\"requires\":"
        "{\"driver\":\">=2 (or so)\"},\"applies\":\"all\"}",
        "{\"id\":\"x\",\"component\":\"tools\",\"op\":\">=\",\"version\":\"2\",\"requires\":"
        "{\"driver\":\">=2\"},\"applies\":\"all\"}",
        "{\"id\":\"x\",\"component\":\"runtime\",\"op\":\">=\",\"version\":\"2\",\"requires\":"
        "{\"driver\":\">=2\"},\"applies\":\"feature: x\"}"};
    char text[600];
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        snprintf(text, sizeof(text), TABLE("%s"), bad[i]);
        struct releases *releases = parse(text);
        assert_int_equal(releases->rule_count, 0);
        releases_file_free(releases);
    }
}

// The project's own file says what the rules that are compiled in say.
static void the_own_file_changes_nothing(void **state)
{
    (void)state;
    char path[PATH_MAX];
    struct trouble trouble;
    snprintf(path, sizeof(path), "%s/data/releases.json", getenv("NEUTOP_SRCDIR"));
    struct releases *releases = releases_file_read(path, &trouble);
    assert_non_null(releases);
    assert_true(releases->rule_count >= 4);
    struct host *one = build_host("trn2.48xlarge", 0), *other = build_host("trn2.48xlarge", 0);
    other->releases = releases;
    const struct releases *builtin = releases_builtin();
    for (size_t i = 0; i < builtin->component_count; i++)
        for (size_t j = 0; j < builtin->component_count; j++) {
            const struct release_component *driver = &builtin->components[i];
            const struct release_component *runtime = &builtin->components[j];
            if (driver->component != COMPONENT_DRIVER || runtime->component != COMPONENT_RUNTIME)
                continue;
            assert_ptr_equal(pair_rule_for(one, runtime->version, driver->version),
                             pair_rule_for(other, runtime->version, driver->version));
        }
    host_free(one);
    host_free(other);
    releases_file_free(releases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_added_pair),
        cmocka_unit_test(not_documented_is_a_warning),
        cmocka_unit_test(a_known_rule_changes),
        cmocka_unit_test(damaged_rules_are_left_out),
        cmocka_unit_test(the_own_file_changes_nothing),
    };
    return cmocka_run_group_tests_name("rules of a file", tests, NULL, NULL);
}
