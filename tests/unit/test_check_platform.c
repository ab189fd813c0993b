// SPDX-License-Identifier: Apache-2.0
// Limits of kernel, C library and container platform: told where something is subject to them, and
// silence where nothing is (versions reference 2.4 and 3.3).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "build_host.h"

static bool says(const struct finding *finding, const char *part)
{
    for (unsigned i = 0; i < finding->evidence_count; i++)
        if (strstr(finding->evidence[i], part) != NULL)
            return true;
    return strstr(finding->remedy, part) != NULL;
}

static const struct finding *find(const struct host *host, const char *id)
{
    static struct finding found;
    struct findings findings = check_run(host);
    const struct finding *finding = find_finding(&findings, id);
    if (finding == NULL)
        return NULL;
    found = *finding;
    return &found;
}

static struct process *efa_job(struct host *host, const char *fork_safe)
{
    struct process *process = build_process(host, 77, "train.py", 0, 4);
    process->fabric_mapped = process->environment_known = true;
    process->efa_fork_safe = fork_safe;
    host->machine.kernel = "5.10.235-227.919.amzn2.x86_64";
    host->presence.efa = fact_u64(8, FROM_SYSFS);
    return process;
}

static void fork_safety_of_efa(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 0);
    struct process *process = efa_job(host, NULL);
    const struct finding *finding = find(host, "kernel-too-old");
    assert_non_null(finding);
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_non_null(strstr(finding->summary, "EFA on kernel 5.10.235"));
    assert_true(says(finding, "FI_EFA_FORK_SAFE was not set"));
    process->efa_fork_safe = "0";
    assert_true(says(find(host, "kernel-too-old"), "FI_EFA_FORK_SAFE was 0"));
    host->presence.efa = (struct fact_u64){0}; // not known: the library speaks for it
    assert_non_null(find(host, "kernel-too-old"));
    host_free(host);
}

static void nothing_to_say_of_efa(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 0);
    struct process *process = efa_job(host, "1");
    assert_null(find(host, "kernel-too-old"));
    process->efa_fork_safe = NULL;
    process->environment_known = false; // it may be set
    assert_null(find(host, "kernel-too-old"));
    process->environment_known = true;
    process->fabric_mapped = false;
    assert_null(find(host, "kernel-too-old"));
    process->fabric_mapped = true;
    host->presence.efa = fact_u64(0, FROM_SYSFS);
    assert_null(find(host, "kernel-too-old"));
    host->presence.efa = fact_u64(8, FROM_SYSFS);
    host->machine.kernel = "5.15.0-1019-aws";
    assert_null(find(host, "kernel-too-old"));
    host->machine.kernel = NULL;
    assert_null(find(host, "kernel-too-old"));
    host_free(host);
}

static void pods_and_old_drivers(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 0);
    struct process *process = build_process(host, 77, "serve", 0, 4);
    host->versions.driver = "2.12.11.0";
    assert_null(find(host, "driver-too-old"));
    process->pod = "llm-0";
    const struct finding *finding = find(host, "driver-too-old");
    assert_non_null(finding);
    assert_int_equal(finding->severity, SEVERITY_INFO);
    assert_true(says(finding, "pod llm-0"));
    host->versions.driver = "2.12.18.0";
    assert_null(find(host, "driver-too-old"));
    host_free(host);
}

static void old_c_library(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    host->versions.runtime_installed = "2.34.10.0-0b044f4ce";
    assert_null(find(host, "glibc-too-old"));
    host->machine.glibc = "2.34";
    assert_null(find(host, "glibc-too-old"));
    host->machine.glibc = "2.31";
    const struct finding *finding = find(host, "glibc-too-old");
    assert_non_null(finding);
    assert_int_equal(finding->severity, SEVERITY_INFO);
    assert_string_equal(finding->summary,
                        "glibc 2.31 may be too old for runtime 2.34.10.0-0b044f4ce");
    assert_true(says(finding, "tested platforms"));
    host->versions.runtime_installed = "2.33.10.0"; // nothing is said of other releases
    assert_null(find(host, "glibc-too-old"));
    host_free(host);
}

// The library of the process's own root counts, not that of the host.
static void library_of_a_container(void **state)
{
    (void)state;
    static const struct package torch = {
        .component = COMPONENT_TORCH_NEURONX, .version = "2.9.0.2.13.26312+8e870898", .from = "x"};
    struct host *host = build_host("trn2.48xlarge", 0);
    struct environment environment = {
        .path = "/venv/site-packages", .used = true, .package_count = 1, .packages = &torch};
    struct process *process = build_process(host, 77, "train.py", 0, 4);
    host->versions.environments = &environment;
    host->versions.environment_count = 1;
    process->environment = &environment;
    process->glibc = "2.35";
    host->machine.glibc = "2.34";
    assert_null(find(host, "glibc-too-old"));
    process->glibc = "2.34";
    host->machine.glibc = "2.39";
    const struct finding *finding = find(host, "glibc-too-old");
    assert_non_null(finding);
    assert_int_equal(finding->severity, SEVERITY_INFO);
    assert_true(says(finding, "/venv/site-packages"));
    assert_true(says(finding, "a user of Amazon Linux 2023 reports"));
    environment.used = false;
    process->environment = NULL;
    assert_null(find(host, "glibc-too-old")); // nobody runs it with 2.34
    host->machine.glibc = "2.34";
    assert_non_null(find(host, "glibc-too-old"));
    host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fork_safety_of_efa),     cmocka_unit_test(nothing_to_say_of_efa),
        cmocka_unit_test(pods_and_old_drivers),   cmocka_unit_test(old_c_library),
        cmocka_unit_test(library_of_a_container),
    };
    return cmocka_run_group_tests_name("platform", tests, NULL, NULL);
}
