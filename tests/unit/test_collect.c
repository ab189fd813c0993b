// SPDX-License-Identifier: Apache-2.0
// Which readers are opened for which words, and what follows from their facts together.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "source/derive.h"
#include "source_run.h"

static struct source_options nothing = {.root = "/nonexistent", .delay_seconds = 1, .speed = 1};

static struct collect *open_words(const char *first, const char *second, struct trouble *trouble)
{
    const char *words[] = {first, second};
    size_t count = (first != NULL) + (second != NULL);
    *trouble = (struct trouble){.line = ""};
    return collect_open(&nothing, words, count, trouble);
}

static void test_words(void **state)
{
    (void)state;
    assert_true(collect_known_source("auto"));
    assert_true(collect_known_source("monitor"));
    assert_true(collect_known_source("demo"));
    assert_true(collect_known_source("none"));
    assert_false(collect_known_source("nvidia"));
    assert_false(collect_known_source(""));
    assert_false(collect_known_source("recording"));
}

static void expect_sources(const char *first, const char *second, unsigned count, const char *name)
{
    struct trouble trouble;
    struct collect *collect = open_words(first, second, &trouble);
    assert_string_equal(trouble.line, "");
    assert_non_null(collect);
    assert_true(collect_empty(collect) == (count == 0));
    struct host *host = collect_snapshot(collect, collect_now());
    assert_int_equal(host->source_count, count);
    if (count > 0)
        assert_string_equal(host->sources[0].name, name);
    host_free(host);
    collect_close(collect);
}

static void test_selection(void **state)
{
    (void)state;
    expect_sources(NULL, NULL, 0, NULL);
    expect_sources("auto", NULL, 0, NULL); // nothing there is no trouble
    expect_sources("none", NULL, 0, NULL);
    expect_sources("demo", NULL, 1, "demo");
    expect_sources("none", "demo", 1, "demo");
    expect_sources("auto+demo", NULL, 1, "demo");
    expect_sources("demo", "demo", 1, "demo"); // once
    struct trouble trouble;
    assert_null(open_words("monitor", NULL, &trouble)); // asked for by name
    assert_non_null(strstr(trouble.line, "/nonexistent/opt/aws/neuron/bin"));
    assert_null(open_words("demo", "nvidia", &trouble));
    assert_string_equal(trouble.line, "unknown source 'nvidia'");
}

static void test_input_is_alone(void **state)
{
    (void)state;
    struct trouble trouble;
    struct source_options options = reading(fixture("idle-host.ndjson"));
    const char *words[] = {"demo"};
    struct collect *collect = collect_open(&options, words, 1, &trouble);
    assert_non_null(collect);
    while (collect_work(collect, collect_now()) != SOURCE_FINISHED)
        continue;
    struct host *host = collect_snapshot(collect, collect_now());
    assert_int_equal(host->source_count, 1);
    assert_string_equal(host->sources[0].name, "recording");
    assert_int_equal(host->sources[0].state, SOURCE_ENDED);
    assert_false(host->demo);
    host_free(host);
    collect_close(collect);
}

// Serial numbers count facts, not looks.
static void test_serial(void **state)
{
    (void)state;
    struct trouble trouble;
    struct source_options options = reading(fixture("idle-host.ndjson"));
    struct collect *collect = collect_open(&options, NULL, 0, &trouble);
    uint64_t serials[3];
    for (int i = 0; i < 3; i++) {
        if (i != 1)
            assert_int_equal(collect_work(collect, collect_now()), SOURCE_NEW);
        struct host *host = collect_snapshot(collect, collect_now());
        serials[i] = host->serial;
        host_free(host);
    }
    assert_true(serials[1] == serials[0]);
    assert_true(serials[2] == serials[0] + 1);
    collect_close(collect);
}

static void test_failure(void **state)
{
    (void)state;
    struct trouble trouble;
    struct source_options options = reading("/dev/null");
    struct collect *collect = collect_open(&options, NULL, 0, &trouble);
    struct pollfd fds[4];
    double deadline = INFINITY;
    collect_poll(collect, fds, 4, &deadline);
    enum source_event event = SOURCE_QUIET;
    for (int i = 0; i < 4 && event == SOURCE_QUIET; i++)
        event = collect_work(collect, collect_now());
    assert_int_equal(event, SOURCE_FAILED);
    assert_string_equal(collect_trouble(collect),
                        "/dev/null: is empty: no neuron-monitor report in it");
    deadline = INFINITY;
    assert_int_equal(collect_poll(collect, fds, 4, &deadline), 0);
    assert_true(isinf(deadline)); // nothing to wake up for
    collect_close(collect);
}

// With --once, too, who idles since when is seen on the way through a recording.
static void test_idle_on_the_way(void **state)
{
    (void)state;
    static const char report[] =
        "{\"neuron_runtime_data\":[{\"pid\":7,\"neuron_runtime_tag\":\"t\",\"report\":{"
        "\"neuroncore_counters\":{\"period\":1,\"neuroncores_in_use\":"
        "{\"0\":{\"neuroncore_utilization\":0}}},\"memory_used\":{\"period\":1,"
        "\"neuron_runtime_used_bytes\":{\"neuron_device\":9,\"usage_breakdown\":"
        "{\"neuroncore_memory_usage\":{\"0\":{\"tensors\":9}}}}}}}]}\n";
    char stream[sizeof(report) * 5] = "", path[4096];
    struct trouble trouble;
    for (int i = 0; i < 5; i++)
        strcat(stream, report);
    strcpy(path, write_scratch("idle", stream, strlen(stream), 0644));
    struct source_options options = reading(path);
    options.every_report = false;
    struct collect *collect = collect_open(&options, NULL, 0, &trouble);
    while (collect_work(collect, collect_now()) != SOURCE_FINISHED)
        continue;
    struct host *host = collect_snapshot(collect, collect_now());
    assert_int_equal(host->reports_read, 5);
    assert_figure(host->processes[0].idle_seconds, 4);
    assert_true(host->processes[0].idle_since_start);
    host_free(host);
    collect_close(collect);
}

// Two chips of two cores; 20 and 30 share core 1, chip 1 is free.
static struct host *small_host(void)
{
    struct host *host = host_new();
    host->chip_count = 2;
    host->core_count = 4;
    host->chips = ARENA_ARRAY(host->arena, 2, struct chip);
    host->cores = ARENA_ARRAY(host->arena, 4, struct core);
    for (unsigned i = 0; i < 4; i++)
        host->cores[i] = (struct core){.index = i, .chip = i / 2, .place = i % 2};
    for (unsigned i = 0; i < 2; i++)
        host->chips[i] = (struct chip){.index = i, .core_first = 2 * i, .core_count = 2};
    host->process_count = 2;
    host->processes = ARENA_ARRAY(host->arena, 2, struct process);
    struct share *shares = ARENA_ARRAY(host->arena, 3, struct share);
    shares[0] = (struct share){.core = 1, .owned = true, .utilization_percent = fact_f64(80, 1)};
    shares[0].memory_used_bytes = fact_u64(5, FROM_MONITOR);
    shares[1] = (struct share){.core = 0, .owned = true, .utilization_percent = fact_f64(10, 1)};
    shares[1].memory_used_bytes = fact_u64(7, FROM_MONITOR);
    shares[2] = (struct share){.core = 1, .owned = true, .utilization_percent = fact_f64(30, 1)};
    host->processes[0] = (struct process){
        .pid = fact_u64(30, FROM_MONITOR), .tag = "b", .shares = shares, .share_count = 1};
    host->processes[1] = (struct process){
        .pid = fact_u64(20, FROM_MONITOR), .tag = "a", .shares = shares + 1, .share_count = 2};
    return host;
}

static void test_derive(void **state)
{
    (void)state;
    struct host *host = small_host();
    host->cores[2].owners_known = true;
    derive_host(host);
    assert_count(host->processes[0].pid, 20);
    assert_figure(host->processes[0].utilization_percent, 20);
    assert_int_equal(core_set_count(&host->processes[0].cores), 2);
    assert_true(core_set_has(&host->processes[0].chips, 0));
    assert_int_equal(host->cores[1].owner_count, 2);
    assert_int_equal(host->cores[1].owners[0], 0);
    assert_int_equal(host->cores[1].owners[1], 1);
    assert_figure(host->cores[1].utilization_percent, 80); // the largest
    assert_count(host->cores[1].memory_used_bytes, 5);
    assert_count(host->chips[0].memory_used_bytes, 12);
    assert_figure(host->chips[0].utilization_percent, 45);
    assert_int_equal(host->chips[0].owner_count, 2);
    assert_int_equal(host->chips[1].owner_count, 0);
    assert_false(known_f64(host->chips[1].utilization_percent));
    assert_count(host->cores[2].memory_used_bytes, 0); // known to have no owner
    assert_false(known_u64(host->cores[3].memory_used_bytes));
    host_free(host);
}

static void test_derive_leaves_facts(void **state)
{
    (void)state;
    struct host *host = small_host();
    host->cores[1].utilization_percent = fact_f64(1, FROM_SYSFS);
    host->cores[1].memory_used_bytes = fact_u64(2, FROM_SYSFS);
    host->chips[0].memory_used_bytes = fact_u64(3, FROM_SYSFS);
    host->chips[0].utilization_percent = fact_f64(4, FROM_SYSFS);
    host->processes[1].utilization_percent = fact_f64(5, FROM_SYSFS);
    derive_host(host);
    assert_figure(host->cores[1].utilization_percent, 1);
    assert_count(host->cores[1].memory_used_bytes, 2);
    assert_count(host->chips[0].memory_used_bytes, 3);
    assert_figure(host->chips[0].utilization_percent, 4);
    assert_figure(host->processes[0].utilization_percent, 5);
    host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_selection),
        cmocka_unit_test(test_input_is_alone),
        cmocka_unit_test(test_serial),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_derive),
        cmocka_unit_test(test_derive_leaves_facts),
        cmocka_unit_test(test_idle_on_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
