// SPDX-License-Identifier: Apache-2.0
// Which releases hold all that is in use on a host, and what stands outside of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/arena.h"
#include "host/sdk.h"

static struct sdk_part parts[SDK_USED_MAX];
static uint64_t all;

// A Trainium2 host of SDK 2.32.0 with COUNT processes that run RUNTIME.
static struct host *host_with(const char *runtime, unsigned count)
{
    struct host *host = host_new();
    struct process *processes = ARENA_ARRAY(host->arena, count, struct process);
    host->hardware.generation = generation_get(GEN_TRN2);
    host->versions.driver = "2.30.2.0";
    host->versions.runtime_installed = "2.34.10.0";
    host->versions.collectives = "2.34.10.0";
    host->versions.tools = "2.32.28.0";
    for (unsigned i = 0; i < count; i++) {
        processes[i].pid = fact_u64(8412 + i, FROM_PROC);
        processes[i].runtime_version = runtime;
    }
    host->processes = processes;
    host->process_count = count;
    return host;
}

static const char *all_names(const struct host *host)
{
    static char names[160];
    return releases_names(host->releases, all, names, sizeof(names));
}

// The texts of the parts outside, "; " between them.
static const char *outside_of(const struct host *host)
{
    static char text[1024];
    char part[SDK_PART_TEXT];
    unsigned count = sdk_used_parts(host, parts, &all);
    text[0] = '\0';
    for (unsigned i = 0; i < count; i++) {
        if (!parts[i].outside)
            continue;
        if (text[0] != '\0')
            strcat(text, "; ");
        strcat(text, sdk_part_text(&parts[i], part));
    }
    return text;
}

static struct environment *add_environment(struct host *host, bool used, enum component component,
                                           const char *version)
{
    struct environment *environment = ARENA_NEW(host->arena, struct environment);
    struct package *package = ARENA_NEW(host->arena, struct package);
    *package = (struct package){component, version, "/venv"};
    *environment = (struct environment){
        .path = "/venv", .used = used, .package_count = 1, .packages = package};
    host->versions.environments = environment;
    host->versions.environment_count = 1;
    return environment;
}

static void runtimes_of_processes_count(void **state)
{
    (void)state;
    struct host *host = host_with("2.34.10.0", 3);
    assert_string_equal(outside_of(host), "");
    assert_string_equal(all_names(host), "2.32.0");
    host_free(host);
    host = host_with("2.33.10.0", 1);
    assert_string_equal(outside_of(host), "runtime 2.33.10.0 of PID 8412");
    assert_string_equal(all_names(host), "2.32.0");
    assert_true(sdk_of_host(host) == all);
    host_free(host);
    host = host_with("2.33.10.0", 3);
    assert_string_equal(outside_of(host), "runtime 2.33.10.0 of PID 8412 and 2 more");
    host_free(host);
}

static void environments_count_when_they_are_used(void **state)
{
    (void)state;
    struct host *host = host_with(NULL, 0);
    host->versions.compiler = "2.26.6360.0+1234abcd"; // as the reader takes it: the newest there is
    struct environment *environment =
        add_environment(host, false, COMPONENT_COMPILER, host->versions.compiler);
    assert_string_equal(outside_of(host), "");
    assert_string_equal(all_names(host), "2.32.0");
    assert_true(sdk_of_host(host) == all);
    environment->used = true;
    sdk_used_parts(host, parts, &all);
    assert_true(all == 0 && sdk_of_host(host) == 0);
    host->versions.compiler = NULL; // of another kind than the host's compiler
    add_environment(host, true, COMPONENT_NXD, "0.1.2");
    assert_string_equal(outside_of(host), "neuronx-distributed 0.1.2 in /venv");
    host_free(host);
}

static void an_unused_environment_decides_nothing(void **state)
{
    (void)state;
    struct host *host = host_new();
    host->versions.driver = "2.40.1.0";
    host->versions.runtime_installed = "2.50.0.0";
    host->versions.compiler = "2.28.7631.0";
    struct environment *environment =
        add_environment(host, false, COMPONENT_COMPILER, host->versions.compiler);
    assert_true(sdk_of_host(host) == 0);
    environment->used = true;
    assert_true(sdk_of_host(host) != 0);
    host_free(host);
}

static void newer_is_not_unknown(void **state)
{
    (void)state;
    char text[120];
    struct host *host = host_with(NULL, 0);
    host->versions.driver = "2.40.1.0";
    host->versions.tools = "2.32.27.0"; // between two that are known, and near one
    unsigned count = sdk_used_parts(host, parts, &all);
    assert_int_equal(count, 4);
    assert_true(parts[0].newer && parts[0].outside && parts[0].releases == 0);
    assert_false(parts[1].newer || parts[3].newer);
    assert_string_equal(sdk_unknown_text(host, true, text, sizeof(text)),
                        "newer than this neutop knows (newest: SDK 2.33.0)");
    assert_string_equal(sdk_unknown_text(host, false, text, sizeof(text)), "of no known release");
    host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runtimes_of_processes_count),
        cmocka_unit_test(environments_count_when_they_are_used),
        cmocka_unit_test(an_unused_environment_decides_nothing),
        cmocka_unit_test(newer_is_not_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
