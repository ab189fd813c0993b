// SPDX-License-Identifier: Apache-2.0
// Which checks count as made: nothing is "ok" that nobody could look at (field cases F-06, F-14,
// F-20).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "build_host.h"

static struct check_outcome outcome_of(const struct host *host, const char *id)
{
    struct findings findings = check_run(host);
    struct check_outcomes outcomes = check_outcomes(host, &findings, 0);
    for (size_t i = 0; i < outcomes.count; i++)
        if (strcmp(outcomes.items[i].id, id) == 0)
            return outcomes.items[i];
    fail_msg("no check %s", id);
    return (struct check_outcome){0};
}

static void must(const struct host *host, const char *id, enum check_result result,
                 const char *part)
{
    struct check_outcome outcome = outcome_of(host, id);
    assert_int_equal(outcome.result, result);
    if (part == NULL)
        assert_null(outcome.why);
    else if (outcome.why == NULL || strstr(outcome.why, part) == NULL)
        fail_msg("%s does not say '%s': %s", id, part, outcome.why != NULL ? outcome.why : "-");
}

static void no_neuron_instance(void **state) // F-14
{
    (void)state;
    struct host *host = host_new();
    must(host, "no-driver", CHECK_NOT_CHECKED, "can be read");
    host->presence.module_loaded = fact_u64(0, FROM_SYSFS);
    must(host, "no-driver", CHECK_NOT_CHECKED, "not known whether this host has Neuron chips");
    host->presence.pci_functions = fact_u64(0, FROM_SYSFS);
    must(host, "not-neuron-host", CHECK_FINDING, NULL);
    must(host, "no-driver", CHECK_NOT_CHECKED, "not a Neuron instance");
    must(host, "no-device", CHECK_NOT_CHECKED, "not a Neuron instance");
    host->presence.pci_functions = fact_u64(16, FROM_SYSFS);
    must(host, "no-driver", CHECK_FINDING, NULL);
    must(host, "no-device", CHECK_NOT_CHECKED, "the driver is not loaded");
    must(host, "not-neuron-host", CHECK_OK, NULL);
    host->presence.module_loaded = fact_u64(1, FROM_SYSFS);
    must(host, "no-driver", CHECK_OK, NULL);
    must(host, "no-device", CHECK_NOT_CHECKED, "cannot be listed");
    host->presence.devices = fact_u64(0, FROM_SYSFS);
    must(host, "no-device", CHECK_FINDING, NULL);
    host->presence.devices = fact_u64(16, FROM_SYSFS);
    must(host, "no-device", CHECK_OK, NULL);
    host_free(host);
}

// Who holds a core is not known: neither is whether that one can be seen, but held it is.
static void no_source_of_owners(void **state) // F-06
{
    (void)state;
    struct host *host = build_host("inf2.xlarge", 0);
    for (unsigned i = 0; i < host->core_count; i++)
        host->cores[i].owners_known = false;
    build_memory(host, NULL, 0, MEM_TENSORS, GIB);
    host->cores[1].memory_used_bytes = fact_u64(0, FROM_SYSFS);
    must(host, "holder-unseen", CHECK_NOT_CHECKED, "no source tells who holds the cores");
    assert_int_equal(core_state(&host->cores[0]), CORE_HELD);
    assert_int_equal(core_state(&host->cores[1]), CORE_UNKNOWN);
    assert_false(host_owners_known(host));
    host->cores[0].memory_used_bytes.stale = true; // what was is not what is
    assert_int_equal(core_state(&host->cores[0]), CORE_UNKNOWN);
    for (unsigned i = 0; i < host->core_count; i++)
        host->cores[i].owners_known = true;
    must(host, "holder-unseen", CHECK_OK, NULL);
    host_free(host);
}

static void totals_of_the_driver(void **state) // F-20
{
    (void)state;
    struct host *host = build_host("inf2.xlarge", 0);
    struct core_counters counters[2] = {{.live = false}, {.live = false}};
    for (unsigned i = 0; i < 2; i++) {
        counters[i].total[EVENT_TIMEOUT] = fact_u64(6 * i, FROM_SYSFS);
        counters[i].total[EVENT_GENERIC_ERROR] = fact_u64(99999, FROM_SYSFS);
        counters[i].total[EVENT_OOB_ERROR] = fact_u64(0, FROM_SYSFS);
        host->cores[i].counters = &counters[i];
    }
    must(host, "exec-timeouts", CHECK_NOT_CHECKED, "the driver counts 6 timeout since it was");
    assert_null(strstr(outcome_of(host, "exec-errors").why, "since it was loaded"));
    counters[0].live = counters[1].live = true;
    host->watched_seconds = 2;
    must(host, "exec-timeouts", CHECK_OK,
         "none in the 2s watched; since the driver was loaded: 6 t");
    must(host, "exec-errors", CHECK_OK, "since the driver was loaded: none");
    assert_int_equal(check_run(host).count, 0);
    counters[1].per_second[EVENT_TIMEOUT] = fact_f64(0.5, FROM_SYSFS);
    must(host, "exec-timeouts", CHECK_FINDING, NULL);
    must(host, "exec-errors", CHECK_OK, "none");
    struct findings findings = check_run(host);
    const struct finding *finding = find_finding(&findings, "exec-timeouts");
    assert_string_equal(finding->summary, "executions time out on NC 1");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    counters[1].live = false; // added at the end of a program: no rate
    assert_int_equal(count_findings(&(struct findings){0}, "exec-timeouts"), 0);
    findings = check_run(host);
    assert_null(find_finding(&findings, "exec-timeouts"));
    host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_neuron_instance),
        cmocka_unit_test(no_source_of_owners),
        cmocka_unit_test(totals_of_the_driver),
    };
    return cmocka_run_group_tests_name("outcome", tests, NULL, NULL);
}
