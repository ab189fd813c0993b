// SPDX-License-Identifier: Apache-2.0
// Idle times and grown counters over a sequence of snapshots.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "host/track.h"

// What one process shows in one snapshot.
struct moment {
    double at;
    struct fact_f64 use;
    struct fact_u64 completed;
    const char *model; // NULL: none loaded
    enum process_state state;
};

static struct fact_f64 percent(double value)
{
    return fact_f64(value, FROM_DEMO);
}

static struct host *host_at(const struct moment *moment, uint64_t pid, const char *tag)
{
    struct host *host = host_new();
    struct share *share = ARENA_NEW(host->arena, struct share);
    struct model *model = ARENA_NEW(host->arena, struct model);
    struct process *process = ARENA_NEW(host->arena, struct process);
    host->mono_seconds = moment->at;
    host->process_count = 1;
    host->processes = process;
    process->pid = fact_u64(pid, FROM_DEMO);
    process->tag = tag;
    process->state = moment->state;
    process->memory_device_bytes = fact_u64(1, FROM_DEMO);
    process->executions_in_period[EXEC_COMPLETED] = moment->completed;
    share->utilization_percent = moment->use;
    process->shares = share;
    process->share_count = 1;
    model->name = moment->model;
    process->models = model;
    process->model_count = moment->model != NULL;
    return host;
}

static void check_idle(struct track *track, struct moment moment, double idle, bool since_start)
{
    struct host *host = host_at(&moment, 100, "train");
    track_feed(track, host);
    assert_true(known_f64(host->processes[0].idle_seconds));
    assert_int_equal(host->processes[0].idle_seconds.from, FROM_DERIVED);
    assert_float_equal(host->processes[0].idle_seconds.value, idle, 1e-9);
    assert_int_equal(host->processes[0].idle_since_start, since_start);
    host_free(host);
}

static void idle_since_neutop_looks(void **state)
{
    (void)state;
    struct track *track = track_new();
    check_idle(track, (struct moment){.at = 50, .use = percent(0)}, 0, true);
    check_idle(track, (struct moment){.at = 51, .use = percent(0)}, 1, true);
    check_idle(track, (struct moment){.at = 92.5, .use = percent(0.04)}, 42.5, true);
    track_free(track);
}

static void use_of_a_core_ends_it(void **state)
{
    (void)state;
    struct track *track = track_new();
    check_idle(track, (struct moment){.at = 10, .use = percent(0)}, 0, true);
    check_idle(track, (struct moment){.at = 20, .use = percent(57)}, 0, false);
    check_idle(track, (struct moment){.at = 23, .use = percent(0)}, 3, false);
    check_idle(track, (struct moment){.at = 24, .use = percent(0.05)}, 0, false);
    track_free(track);
}

static void completed_executions_end_it(void **state)
{
    (void)state;
    struct track *track = track_new();
    const struct fact_u64 none = fact_u64(0, FROM_DEMO), some = fact_u64(1, FROM_DEMO);
    check_idle(track, (struct moment){.at = 10, .completed = none}, 0, true);
    check_idle(track, (struct moment){.at = 15, .completed = none}, 5, true);
    check_idle(track, (struct moment){.at = 16, .completed = some}, 0, false);
    check_idle(track, (struct moment){.at = 18, .completed = none}, 2, false);
    track_free(track);
}

static void a_changed_set_of_models_ends_it(void **state)
{
    (void)state;
    struct track *track = track_new();
    check_idle(track, (struct moment){.at = 10, .use = percent(0), .model = "a"}, 0, true);
    check_idle(track, (struct moment){.at = 12, .use = percent(0), .model = "a"}, 2, true);
    check_idle(track, (struct moment){.at = 13, .use = percent(0), .model = "b"}, 0, false);
    check_idle(track, (struct moment){.at = 15, .use = percent(0), .model = "b"}, 2, false);
    check_idle(track, (struct moment){.at = 16, .use = percent(0)}, 0, false);
    track_free(track);
}

static void the_order_of_models_is_no_change(void **state)
{
    (void)state;
    struct track *track = track_new();
    struct model models[2] = {{.name = "a", .uuid = "1"}, {.name = "b", .uuid = "2"}};
    for (int turn = 0; turn < 2; turn++) {
        struct moment moment = {.at = 10 + turn, .use = percent(0)};
        struct host *host = host_at(&moment, 100, "train");
        host->processes[0].models = models;
        host->processes[0].model_count = 2;
        track_feed(track, host);
        assert_float_equal(host->processes[0].idle_seconds.value, turn, 1e-9);
        host_free(host);
        models[0] = (struct model){.name = "b", .uuid = "2"};
        models[1] = (struct model){.name = "a", .uuid = "1"};
    }
    track_free(track);
}

static void a_failed_memory_group_is_no_change(void **state)
{
    (void)state;
    struct track *track = track_new();
    check_idle(track, (struct moment){.at = 10, .use = percent(0), .model = "a"}, 0, true);
    struct moment moment = {.at = 11, .use = percent(0)};
    struct host *host = host_at(&moment, 100, "train");
    host->processes[0].groups[GROUP_MEMORY].error = "timed out";
    track_feed(track, host);
    assert_float_equal(host->processes[0].idle_seconds.value, 1, 1e-9);
    host_free(host);
    check_idle(track, (struct moment){.at = 12, .use = percent(0), .model = "a"}, 2, true);
    track_free(track);
}

static void one_that_appears_has_just_come(void **state)
{
    (void)state;
    struct track *track = track_new();
    struct host *empty = host_new();
    empty->mono_seconds = 5;
    track_feed(track, empty);
    host_free(empty);
    check_idle(track, (struct moment){.at = 10, .use = percent(0)}, 0, false);
    check_idle(track, (struct moment){.at = 14, .use = percent(0)}, 4, false);
    track_free(track);
    track_free(NULL);
}

static void unknown_facts_give_no_idle_time(void **state)
{
    (void)state;
    struct track *track = track_new();
    struct moment moment = {.at = 10};
    struct host *host = host_at(&moment, 100, "train");
    track_feed(track, host);
    assert_false(known_f64(host->processes[0].idle_seconds));
    host_free(host);
    moment = (struct moment){.at = 20, .use = percent(57), .state = PROCESS_GONE};
    host = host_at(&moment, 100, "train");
    track_feed(track, host);
    assert_false(known_f64(host->processes[0].idle_seconds));
    host_free(host);
    track_free(track);
}

static void stale_facts_make_it_stale(void **state)
{
    (void)state;
    struct track *track = track_new();
    check_idle(track, (struct moment){.at = 10, .use = percent(57)}, 0, false);
    struct moment moment = {.at = 20, .use = percent(57)};
    moment.use.stale = true;
    struct host *host = host_at(&moment, 100, "train");
    track_feed(track, host);
    assert_float_equal(host->processes[0].idle_seconds.value, 10, 1e-9);
    assert_true(host->processes[0].idle_seconds.stale);
    host_free(host);
    track_free(track);
}

static void a_source_that_knows_is_believed(void **state)
{
    (void)state;
    struct track *track = track_new();
    struct moment moment = {.at = 10, .use = percent(0)};
    struct host *host = host_at(&moment, 100, "train");
    host->processes[0].idle_seconds = fact_f64(7200, FROM_DEMO);
    track_feed(track, host);
    assert_float_equal(host->processes[0].idle_seconds.value, 7200, 1e-9);
    assert_int_equal(host->processes[0].idle_seconds.from, FROM_DEMO);
    host_free(host);
    track_free(track);
}

static void pid_and_tag_tell_processes_apart(void **state)
{
    (void)state;
    struct track *track = track_new();
    check_idle(track, (struct moment){.at = 10, .use = percent(0)}, 0, true);
    struct moment moment = {.at = 15, .use = percent(57)};
    struct host *host = host_at(&moment, 100, "serve"); // the same PID, another tag
    track_feed(track, host);
    host_free(host);
    check_idle(track, (struct moment){.at = 16, .use = percent(0)}, 6, true);
    track_free(track);
}

// What happened is remembered for a minute, with the count that it had.
static void errors_are_remembered_for_a_minute(void **state)
{
    (void)state;
    struct track *track = track_new();
    const double at[] = {10, 11, 22, 71, 72};
    for (int i = 0; i < 5; i++) {
        struct moment moment = {.at = at[i], .use = percent(0)};
        struct host *host = host_at(&moment, 100, "train");
        struct process *process = &host->processes[0];
        process->errors_in_period[ERR_NUMERICAL] = fact_u64(i == 1 ? 3 : 0, FROM_RECORDING);
        track_feed(track, host);
        assert_int_equal(known_f64(process->past_errors[ERR_NUMERICAL].age_seconds),
                         i >= 1 && i <= 3);
        if (i >= 1 && i <= 3) {
            assert_int_equal(process->past_errors[ERR_NUMERICAL].count, 3);
            assert_float_equal(process->past_errors[ERR_NUMERICAL].age_seconds.value, at[i] - 11,
                               1e-9);
        }
        assert_false(known_f64(process->past_errors[ERR_HARDWARE].age_seconds));
        assert_false(known_f64(process->past_executions[EXEC_TIMED_OUT].age_seconds));
        host_free(host);
    }
    track_free(track);
}

static void a_reused_pid_is_another_process(void **state)
{
    (void)state;
    struct track *track = track_new();
    const double started[] = {1000, 1000.4, 5000};
    const double idle[] = {0, 10, 0};
    for (int i = 0; i < 3; i++) {
        struct moment moment = {.at = 10 + 10 * i, .use = percent(0)};
        struct host *host = host_at(&moment, 100, "train");
        host->processes[0].started_unix_seconds = fact_f64(started[i], FROM_PROC);
        track_feed(track, host);
        assert_float_equal(host->processes[0].idle_seconds.value, idle[i], 1e-9);
        assert_int_equal(host->processes[0].idle_since_start, i < 2);
        host_free(host);
    }
    track_free(track);
}

static void absent_processes_are_forgotten_after_a_minute(void **state)
{
    (void)state;
    struct track *track = track_new();
    check_idle(track, (struct moment){.at = 10, .use = percent(0)}, 0, true);
    for (int i = 0; i < 2; i++) { // first 60 s, then 61 s
        struct host *empty = host_new();
        empty->mono_seconds = i == 0 ? 70 : 131.5;
        track_feed(track, empty);
        host_free(empty);
        if (i == 0)
            check_idle(track, (struct moment){.at = 70.5, .use = percent(0)}, 60.5, true);
    }
    check_idle(track, (struct moment){.at = 132, .use = percent(0)}, 0, false);
    track_free(track);
}

// Thousands of short-lived processes leave nothing behind, and the others are still found.
static void many_processes(void **state)
{
    (void)state;
    struct track *track = track_new();
    enum { MANY = 200, TURNS = 40 };
    for (int turn = 0; turn < TURNS; turn++) {
        struct host *host = host_new();
        host->mono_seconds = turn * 5;
        host->process_count = MANY;
        host->processes = ARENA_ARRAY(host->arena, MANY, struct process);
        for (unsigned i = 0; i < MANY; i++) {
            bool steady = i % 2 == 0;
            host->processes[i].pid =
                fact_u64(steady ? i : 1000u + (unsigned)turn * MANY + i, FROM_DEMO);
            host->processes[i].utilization_percent = percent(0);
        }
        track_feed(track, host);
        for (unsigned i = 0; i < MANY; i++)
            assert_float_equal(host->processes[i].idle_seconds.value, (i % 2 == 0 ? turn * 5 : 0),
                               1e-9);
        host_free(host);
    }
    track_free(track);
}

static void a_clock_that_goes_back_is_a_new_run(void **state)
{
    (void)state;
    struct track *track = track_new();
    check_idle(track, (struct moment){.at = 100, .use = percent(57)}, 0, false);
    check_idle(track, (struct moment){.at = 10, .use = percent(0)}, 0, true);
    check_idle(track, (struct moment){.at = 12, .use = percent(0)}, 2, true);
    track_free(track);
}

static void check_ecc(struct track *track, uint64_t serial, struct fact_u64 mem, bool increased)
{
    struct host *host = host_new();
    host->serial = serial;
    host->mono_seconds = 10 + (double)serial;
    host->chip_count = 1;
    host->chips = ARENA_NEW(host->arena, struct chip);
    host->chips[0].index = 4;
    host->chips[0].ecc.mem_uncorrected = mem;
    host->chips[0].ecc.mem_corrected = fact_u64(serial, FROM_DEMO); // these may grow
    track_feed(track, host);
    assert_int_equal(host->chips[0].ecc.increased, increased);
    host_free(host);
}

static void uncorrected_errors_that_grow(void **state)
{
    (void)state;
    const struct fact_u64 nobody = {0};
    struct track *track = track_new();
    check_ecc(track, 1, fact_u64(3, FROM_DEMO), false); // of before: not grown while we look
    check_ecc(track, 2, fact_u64(3, FROM_DEMO), false);
    check_ecc(track, 3, fact_u64(4, FROM_DEMO), true);
    check_ecc(track, 3, fact_u64(4, FROM_DEMO), true); // the same facts shown again
    check_ecc(track, 4, fact_u64(4, FROM_DEMO), false);
    check_ecc(track, 5, nobody, false);
    check_ecc(track, 6, fact_u64(6, FROM_DEMO), true);  // over the gap
    check_ecc(track, 7, fact_u64(0, FROM_DEMO), false); // the driver was loaded again
    check_ecc(track, 8, fact_u64(1, FROM_DEMO), true);
    track_free(track);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_since_neutop_looks),
        cmocka_unit_test(use_of_a_core_ends_it),
        cmocka_unit_test(completed_executions_end_it),
        cmocka_unit_test(a_changed_set_of_models_ends_it),
        cmocka_unit_test(the_order_of_models_is_no_change),
        cmocka_unit_test(a_failed_memory_group_is_no_change),
        cmocka_unit_test(one_that_appears_has_just_come),
        cmocka_unit_test(unknown_facts_give_no_idle_time),
        cmocka_unit_test(stale_facts_make_it_stale),
        cmocka_unit_test(a_source_that_knows_is_believed),
        cmocka_unit_test(pid_and_tag_tell_processes_apart),
        cmocka_unit_test(errors_are_remembered_for_a_minute),
        cmocka_unit_test(a_reused_pid_is_another_process),
        cmocka_unit_test(absent_processes_are_forgotten_after_a_minute),
        cmocka_unit_test(many_processes),
        cmocka_unit_test(a_clock_that_goes_back_is_a_new_run),
        cmocka_unit_test(uncorrected_errors_that_grow),
    };
    return cmocka_run_group_tests_name("track", tests, NULL, NULL);
}
