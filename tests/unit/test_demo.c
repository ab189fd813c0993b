// SPDX-License-Identifier: Apache-2.0
// The demo's life: the same for the same seed, with a story that really happens, and a clock that
// keeps time.
#include "demo_run.h"

static const struct process *find(const struct host *host, const char *tag)
{
    for (unsigned i = 0; i < host->process_count; i++)
        if (strcmp(host->processes[i].tag, tag) == 0)
            return &host->processes[i];
    fail_msg("no process with the tag %s", tag);
    return NULL;
}

static void same_process(const struct process *a, const struct process *b)
{
    assert_int_equal(a->pid.value, b->pid.value);
    assert_string_equal(a->tag, b->tag);
    for (unsigned i = 0; i < MEM_CATEGORIES; i++)
        assert_int_equal(a->memory[i].value, b->memory[i].value);
    for (unsigned i = 0; i < PERCENTILES; i++)
        assert_true(a->latency_total.seconds[i].value == b->latency_total.seconds[i].value);
    for (unsigned i = 0; i < EXECUTIONS; i++)
        assert_int_equal(a->executions_in_period[i].value, b->executions_in_period[i].value);
    assert_true(a->cpu_user_percent.value == b->cpu_user_percent.value);
    assert_true(a->idle_seconds.value == b->idle_seconds.value);
}

// Two runs with one seed agree tick by tick, whatever the clock says.
static void test_deterministic(void **state)
{
    (void)state;
    struct run a, b;
    run_open(&a, NULL, 42, false);
    run_open(&b, NULL, 42, false);
    b.now = 7e6;
    for (unsigned tick = 0; tick < 100; tick++) {
        struct host *x = run_tick(&a), *y = run_tick(&b);
        for (unsigned i = 0; i < x->core_count; i++) {
            assert_true(x->cores[i].utilization_percent.value ==
                        y->cores[i].utilization_percent.value);
            assert_int_equal(x->cores[i].memory_used_bytes.value,
                             y->cores[i].memory_used_bytes.value);
        }
        assert_int_equal(x->process_count, y->process_count);
        for (unsigned i = 0; i < x->process_count; i++)
            same_process(&x->processes[i], &y->processes[i]);
        assert_true(x->machine.cpu_user_percent.value == y->machine.cpu_user_percent.value);
        host_free(x);
        host_free(y);
    }
    run_close(&a);
    run_close(&b);
}

static void test_seeds_differ(void **state)
{
    (void)state;
    struct run a, b;
    run_open(&a, NULL, 1, false);
    run_open(&b, NULL, 2, false);
    struct host *x = run_tick(&a), *y = run_tick(&b);
    unsigned different = 0;
    for (unsigned i = 0; i < 32; i++)
        different += x->cores[i].utilization_percent.value != y->cores[i].utilization_percent.value;
    assert_in_range(different, 30, 32);
    host_free(x);
    host_free(y);
    run_close(&a);
    run_close(&b);
}

// What ten minutes of life have shown.
struct seen {
    unsigned bursts, quiet, checkpoints, numerical, timeouts, errorless, restless;
    double jump, slowest, fastest;
};

static void watch(struct seen *seen, const struct host *host, double last[64])
{
    const struct process *server = find(host, "vllm-llama-70b"), *idle = find(host, "21930");
    const struct process *flaky = find(host, "embed-worker"), *rank = find(host, "train-r07");
    seen->bursts += server->utilization_percent.value > 60;
    seen->quiet += server->utilization_percent.value < 15;
    seen->checkpoints += rank->utilization_percent.value < 25;
    seen->numerical += flaky->errors_in_period[ERR_NUMERICAL].value > 0;
    seen->timeouts += flaky->executions_in_period[EXEC_TIMED_OUT].value > 0;
    seen->errorless += flaky->errors_in_period[ERR_NUMERICAL].value == 0;
    seen->slowest = fmax(seen->slowest, server->latency_total.seconds[P50].value);
    seen->fastest = fmin(seen->fastest, server->latency_total.seconds[P50].value);
    assert_true(idle->utilization_percent.value == 0);
    assert_int_equal(idle->executions_in_period[EXEC_COMPLETED].value, 0);
    assert_false(known_f64(idle->latency_total.seconds[P50]));
    assert_true(idle->idle_seconds.value > 6 * 3600);
    assert_int_equal(idle->share_count, 4);
    double full = fullest_bank(host);
    assert_true(full >= 95 && full < 99);
    for (unsigned i = 0; i < host->core_count; i++) {
        double now = host->cores[i].utilization_percent.value;
        bool busy = core_state(&host->cores[i]) == CORE_BUSY;
        if (last[i] >= 0) {
            seen->jump = fmax(seen->jump, fabs(now - last[i]));
            seen->restless += !busy || now != last[i];
        }
        last[i] = now;
    }
}

static void test_story(void **state)
{
    (void)state;
    struct run run;
    struct seen seen = {.fastest = 1};
    double last[64];
    for (unsigned i = 0; i < 64; i++)
        last[i] = -1;
    run_open(&run, NULL, 1, false);
    for (unsigned tick = 0; tick < 600; tick++) {
        struct host *host = run_tick(&run);
        watch(&seen, host, last);
        host_free(host);
    }
    run_close(&run);
    assert_in_range(seen.bursts, 60, 400);
    assert_in_range(seen.quiet, 60, 400);
    assert_in_range(seen.checkpoints, 20, 60); // five of them, some seconds each
    assert_in_range(seen.numerical, 200, 450);
    assert_in_range(seen.errorless, 150, 400);
    assert_in_range(seen.timeouts, 5, 90);
    assert_true(seen.slowest > 2 * seen.fastest);
    assert_true(seen.jump < 45); // a burst comes within three seconds, nothing is faster
    assert_true(seen.restless > 599 * 64 * 0.99);
}

// The first picture tells the whole story.
static void test_first_tick(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct run run;
        run_open(&run, NULL, seed, false);
        struct host *host = run_tick(&run);
        assert_true(find(host, "vllm-llama-70b")->utilization_percent.value > 40);
        assert_true(find(host, "embed-worker")->errors_in_period[ERR_NUMERICAL].value > 0);
        assert_true(find(host, "train-r00")->utilization_percent.value > 45);
        assert_true(fullest_bank(host) >= 95);
        unsigned ecc = 0;
        for (unsigned i = 0; i < host->chip_count; i++)
            ecc += host->chips[i].ecc.mem_repairable.value > 0;
        assert_int_equal(ecc, 1);
        host_free(host);
        run_close(&run);
    }
}

static void refused(const char *type, const char *first, const char *second)
{
    struct trouble trouble = {.line = ""};
    struct source_options options = {.root = "", .demo_type = type, .delay_seconds = 1};
    struct source source = {.ops = &source_demo, .options = &options};
    assert_false(source_demo.open(&source, &trouble));
    assert_non_null(strstr(trouble.line, first));
    assert_non_null(strstr(trouble.line, second));
    assert_null(strchr(trouble.line, '\n'));
    assert_null(strchr(trouble.line, '\033'));
    assert_true(strlen(trouble.line) < sizeof(trouble.line) - 1); // not cut
}

static void test_refused(void **state)
{
    (void)state;
    char longest[300];
    memset(longest, 'x', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    refused("p5.48xlarge", "'p5.48xlarge'", "trn2.3xlarge,48xlarge");
    refused("", "''", "inf1.xlarge,2xlarge");
    refused("\033[31mtrn2\n", "unknown instance type", "trn3");
    refused(longest, "unknown instance type", "trn3");
    refused("trn2.48xlarge:lnc3", "'lnc3'", "lnc1");
    refused("trn1.32xlarge:lnc2", "trn1.32xlarge", "LNC=2");
}

static void test_family(void **state)
{
    (void)state;
    struct run run;
    run_open(&run, "inf2", 1, false);
    struct host *host = run_tick(&run);
    assert_string_equal(host->instance.type, "inf2.48xlarge");
    host_free(host);
    run_close(&run);
}

static void test_clock(void **state)
{
    (void)state;
    struct run run;
    struct source_status status = {0};
    run_open(&run, NULL, 1, false);
    source_demo.status(&run.source, 5000, &status);
    assert_int_equal(status.state, SOURCE_STARTING);
    assert_int_equal(source_demo.work(&run.source, 5000), SOURCE_NEW);
    assert_int_equal(source_demo.work(&run.source, 5000.4), SOURCE_QUIET);
    assert_float_equal(source_demo.deadline(&run.source), 5001, 1e-9);
    source_demo.set_delay(&run.source, 0.5);
    assert_float_equal(source_demo.deadline(&run.source), 5000.5, 1e-9);
    assert_int_equal(source_demo.work(&run.source, 5100),
                     SOURCE_NEW); // late: one tick, not hundreds
    assert_int_equal(source_demo.work(&run.source, 5100.1), SOURCE_QUIET);
    source_demo.status(&run.source, 5100.25, &status);
    assert_int_equal(status.state, SOURCE_LIVE);
    assert_float_equal(status.age_seconds.value, 0.25, 1e-9);
    run_close(&run);
}

static void words_for_the_demo(void **state)
{
    (void)state;
    assert_true(demo_knows("trn2.48xlarge"));
    assert_true(demo_knows("trn2.48xlarge:lnc1"));
    assert_true(demo_knows("inf2"));
    assert_false(demo_knows("0-15")); // an operand of `neutop cores --demo`
    assert_false(demo_knows("trn1-model.neff"));
    assert_false(demo_knows(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_for_the_demo), cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_seeds_differ),  cmocka_unit_test(test_story),
        cmocka_unit_test(test_first_tick),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_family),        cmocka_unit_test(test_clock),
    };
    return cmocka_run_group_tests_name("demo", tests, NULL, NULL);
}
