// SPDX-License-Identifier: Apache-2.0
// Who may get a signal, on a host of the test's own: processes, clocks and what the kernel answers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/act.h"

// The machine was started at BOOT (UTC); the monotonic clock is 7 seconds behind since then.
enum { BOOT = 1000000, SELF = 4242, BASE = 100, MOST = 8, SENT_MOST = 64 };
static const double UPTIME = 50000;

static struct world {
    struct process_here {
        int pid, open_error, send_error;
        bool ended;
        struct act_facts facts;
    } processes[MOST];
    int count, opened, closed;
    int sent_to[SENT_MOST], sent[SENT_MOST], sent_count;
    bool reused_while_looking;
} world;

static struct process_here *here(int pid)
{
    for (int i = 0; i < world.count; i++)
        if (world.processes[i].pid == pid)
            return &world.processes[i];
    return NULL;
}

// A process that started AGE seconds ago.
static struct process_here *lives(int pid, double age)
{
    struct process_here *process = &world.processes[world.count++];
    *process = (struct process_here){.pid = pid};
    process->facts.stat = (struct proc_stat){
        .pid = pid,
        .ppid = 77,
        .state = 'S',
        .threads = 4,
        .start_ticks = (uint64_t)((UPTIME - age) * (double)sysconf(_SC_CLK_TCK))};
    snprintf(process->facts.command, sizeof(process->facts.command), "python3 train.py");
    snprintf(process->facts.user, sizeof(process->facts.user), "ubuntu");
    return process;
}

static int fake_open(int pid)
{
    const struct process_here *process = here(pid);
    errno = process == NULL ? ESRCH : process->open_error;
    if (errno != 0)
        return -1;
    world.opened++;
    return BASE + pid;
}

static int fake_send(int handle, int number)
{
    const struct process_here *process = here(handle - BASE);
    errno = process == NULL || process->ended || world.reused_while_looking ? ESRCH
                                                                            : process->send_error;
    if (errno != 0)
        return -1;
    if (number != 0 && world.sent_count < SENT_MOST) {
        world.sent_to[world.sent_count] = handle - BASE;
        world.sent[world.sent_count++] = number;
    }
    return 0;
}

static bool fake_ended(int handle)
{
    const struct process_here *process = here(handle - BASE);
    return process == NULL || process->ended;
}

static bool fake_read(int pid, bool neuron, struct act_facts *facts)
{
    const struct process_here *process = here(pid);
    if (process == NULL)
        return false;
    *facts = process->facts;
    facts->neuron = facts->neuron && neuron;
    return true;
}

static double fake_clock(clockid_t clock)
{
    return clock == CLOCK_REALTIME    ? BOOT + UPTIME
           : clock == CLOCK_BOOTTIME  ? UPTIME
           : clock == CLOCK_MONOTONIC ? UPTIME - 7
                                      : 0;
}

static void fake_close(int handle)
{
    assert_true(handle >= BASE);
    world.closed++;
}

static struct act_host host_of_test(void)
{
    return (struct act_host){.open = fake_open,
                             .send = fake_send,
                             .ended = fake_ended,
                             .read = fake_read,
                             .clock = fake_clock,
                             .close = fake_close,
                             .first_namespace = true,
                             .own_proc = true,
                             .self = SELF};
}

struct stage {
    struct act act;
    struct targets targets;
};

static struct stage *start(struct stage *stage, const struct act_host *host)
{
    memset(stage, 0, sizeof(*stage));
    memset(&world, 0, sizeof(world));
    const struct act_host usual = host_of_test();
    act_open(&stage->act, host != NULL ? host : &usual);
    // there is no epoll for handles of the test's own making
    act_close(&stage->act);
    stage->targets.chosen_mono = UPTIME - 7 - 0.5; // half a second ago
    return stage;
}

static void end(struct stage *stage)
{
    act_drop(&stage->act, &stage->targets);
    assert_int_equal(world.opened, world.closed); // nothing is held on to
    targets_free(&stage->targets);
}

static struct target *look(struct stage *stage, uint64_t pid)
{
    struct target *target = targets_add(&stage->targets, pid);
    assert_non_null(target);
    act_look(&stage->act, &stage->targets);
    return &stage->targets.items[stage->targets.count - 1];
}

static void a_process_is_held_and_told(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, NULL);
    lives(31207, 3600);
    const struct target *target = look(&stage, 31207);
    assert_int_equal(target->state, TARGET_READY);
    assert_string_equal(target->command, "python3 train.py");
    assert_string_equal(target->user, "ubuntu");
    assert_true(fabs(target->age_seconds - 3600) < 0.1);
    assert_int_equal(world.sent_count, 0);
    act_send(&stage.act, &stage.targets, SIGTERM);
    assert_int_equal(world.sent_count, 1);
    assert_int_equal(world.sent_to[0], 31207);
    assert_int_equal(world.sent[0], SIGTERM);
    assert_int_equal(stage.targets.items[0].state, TARGET_SENT);
    here(31207)->ended = true;
    assert_true(act_check(&stage.act, &stage.targets));
    assert_int_equal(stage.targets.items[0].state, TARGET_GONE);
    assert_false(act_check(&stage.act, &stage.targets));
    end(&stage);
}

static void expect_refused(struct stage *stage, uint64_t pid, const char *why)
{
    const struct target *target = look(stage, pid);
    assert_int_equal(target->state, TARGET_REFUSED);
    if (strstr(target->why, why) == NULL)
        fail_msg("'%s' instead of '%s'", target->why, why);
    act_send(&stage->act, &stage->targets, SIGKILL);
    assert_int_equal(world.sent_count, 0);
}

// The snapshot's process started an hour ago; the one with its PID now, a minute ago.
static void a_reused_pid_is_refused_by_its_start(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, NULL);
    lives(31207, 60);
    struct target *target = targets_add(&stage.targets, 31207);
    target->started_unix_seconds = fact_f64(BOOT + UPTIME - 3600, FROM_PROC);
    act_look(&stage.act, &stage.targets);
    assert_int_equal(target->state, TARGET_REFUSED);
    assert_non_null(strstr(target->why, "another process now"));
    assert_int_equal(target->handle, -1);
    act_send(&stage.act, &stage.targets, SIGTERM);
    assert_int_equal(world.sent_count, 0);
    end(&stage);
}

static void the_same_start_is_the_same_process(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, NULL);
    lives(31207, 3600);
    struct target *target = targets_add(&stage.targets, 31207);
    target->started_unix_seconds = fact_f64(BOOT + UPTIME - 3600.4, FROM_PROC);
    act_look(&stage.act, &stage.targets);
    assert_int_equal(target->state, TARGET_READY);
    end(&stage);
}

// No source told its start: then it must at least be older than the snapshot that named it.
static void one_that_started_after_the_snapshot_is_another(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, NULL);
    lives(31207, 0.2);
    expect_refused(&stage, 31207, "another process now");
    end(&stage);
    start(&stage, NULL);
    stage.targets.chosen_mono = UPTIME - 7 - 3600; // paused for an hour
    lives(31207, 3000);
    expect_refused(&stage, 31207, "another process now");
    end(&stage);
}

static void one_that_started_after_the_last_news_is_another(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, NULL);
    lives(31207, 3);
    targets_add(&stage.targets, 31207)->told_seconds = 4; // before the snapshot, half a second ago
    act_look(&stage.act, &stage.targets);
    assert_int_equal(stage.targets.items[0].state, TARGET_REFUSED);
    end(&stage);
    start(&stage, NULL);
    lives(31207, 5);
    targets_add(&stage.targets, 31207)->told_seconds = 4;
    act_look(&stage.act, &stage.targets);
    assert_int_equal(stage.targets.items[0].state, TARGET_READY);
    end(&stage);
}

// Its workers run since an hour: one that started a minute ago has only its PID.
static void a_launcher_is_older_than_its_workers(void **state)
{
    (void)state;
    static const double ages[] = {60, 3601};
    for (size_t i = 0; i < 2; i++) {
        struct stage stage;
        start(&stage, NULL);
        lives(31207, ages[i]);
        struct target *target = targets_add(&stage.targets, 31207);
        target->launcher = target->seen_in_proc = true;
        target->started_by = fact_f64(BOOT + UPTIME - 3600, FROM_PROC);
        act_look(&stage.act, &stage.targets);
        assert_int_equal(target->state, i == 0 ? TARGET_REFUSED : TARGET_READY);
        end(&stage);
    }
}

// It ended and was replaced between the handle and /proc: the handle's process is not there.
static void a_pid_reused_while_looking_is_not_held(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, NULL);
    lives(31207, 3600);
    world.reused_while_looking = true;
    assert_int_equal(look(&stage, 31207)->state, TARGET_GONE);
    world.reused_while_looking = false;
    act_send(&stage.act, &stage.targets, SIGTERM);
    assert_int_equal(world.sent_count, 0);
    end(&stage);
}

static void no_pidfd_no_signal(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, NULL);
    lives(31207, 3600)->open_error = ENOSYS;
    expect_refused(&stage, 31207, "no pidfd");
    end(&stage);
    start(&stage, NULL);
    lives(31207, 3600)->open_error = EPERM;
    expect_refused(&stage, 31207, "seccomp");
    end(&stage);
}

static void some_never_get_one(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, NULL);
    lives(1, 40000);
    expect_refused(&stage, 1, "PID 1");
    expect_refused(&stage, 0, "no PID");
    expect_refused(&stage, (uint64_t)1 << 32, "no PID");
    lives(SELF, 10);
    expect_refused(&stage, SELF, "neutop itself");
    lives(2, 40000)->facts.stat.flags = 0x00200000;
    expect_refused(&stage, 2, "kernel");
    struct process_here *zombie = lives(500, 100);
    zombie->facts.stat.state = 'Z';
    zombie->facts.stat.threads = 1;
    expect_refused(&stage, 500, "zombie until its parent 77");
    lives(600, 100)->send_error = EPERM;
    expect_refused(&stage, 600, "you may not: it belongs to ubuntu");
    expect_refused(&stage, 700, "not visible from here");
    assert_int_equal(world.opened, world.closed);
    end(&stage);
}

// Its first thread has ended, others still hold the cores: it can get a signal.
static void a_zombie_leader_with_threads_is_no_zombie(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, NULL);
    lives(31207, 3600)->facts.stat.state = 'Z';
    assert_int_equal(look(&stage, 31207)->state, TARGET_READY);
    end(&stage);
}

static void other_namespaces(void **state)
{
    (void)state;
    struct stage stage;
    struct act_host host = host_of_test();
    host.own_proc = false;
    start(&stage, &host);
    lives(31207, 3600);
    expect_refused(&stage, 31207, "another PID namespace");
    end(&stage);

    // in a container: a PID that only neuron-monitor told may be the host's
    host = host_of_test();
    host.first_namespace = false;
    start(&stage, &host);
    lives(31207, 3600);
    expect_refused(&stage, 31207, "does not use Neuron");
    end(&stage);
    start(&stage, &host);
    lives(31207, 3600)->facts.neuron = true;
    assert_int_equal(look(&stage, 31207)->state, TARGET_READY);
    end(&stage);
    start(&stage, &host);
    lives(31207, 3600);
    targets_add(&stage.targets, 31207)->seen_in_proc = true;
    act_look(&stage.act, &stage.targets);
    assert_int_equal(stage.targets.items[0].state, TARGET_READY);
    end(&stage);
}

static void a_gone_one_that_was_seen_here_has_ended(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, NULL);
    targets_add(&stage.targets, 31207)->seen_in_proc = true;
    act_look(&stage.act, &stage.targets);
    assert_int_equal(stage.targets.items[0].state, TARGET_GONE);
    end(&stage);
}

static void launchers_first_and_last_for_cont(void **state)
{
    (void)state;
    struct stage stage;
    static const int pids[] = {100, 201, 202, 203};
    start(&stage, NULL);
    for (int i = 0; i < 4; i++) {
        lives(pids[i], 3600);
        targets_add(&stage.targets, (uint64_t)pids[i]);
    }
    stage.targets.items[0].launcher = true;
    assert_null(targets_add(&stage.targets, 100)); // once each
    act_look(&stage.act, &stage.targets);
    act_send(&stage.act, &stage.targets, SIGTERM);
    act_send(&stage.act, &stage.targets, SIGCONT);
    assert_int_equal(world.sent_count, 8);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(world.sent_to[i], pids[i]);
        assert_int_equal(world.sent_to[4 + i], pids[3 - i]);
    }
    end(&stage);
}

static void what_the_kernel_refuses_is_told(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, NULL);
    lives(100, 3600);
    lives(200, 3600);
    targets_add(&stage.targets, 100);
    look(&stage, 200);
    here(100)->send_error = EPERM; // it has changed its user since
    here(200)->ended = true;
    act_send(&stage.act, &stage.targets, SIGTERM);
    assert_int_equal(stage.targets.items[0].state, TARGET_FAILED);
    assert_non_null(strstr(stage.targets.items[0].why, "another user"));
    assert_int_equal(stage.targets.items[1].state, TARGET_GONE);
    assert_false(stage.targets.items[1].sent);
    end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_is_held_and_told),
        cmocka_unit_test(a_reused_pid_is_refused_by_its_start),
        cmocka_unit_test(the_same_start_is_the_same_process),
        cmocka_unit_test(one_that_started_after_the_snapshot_is_another),
        cmocka_unit_test(one_that_started_after_the_last_news_is_another),
        cmocka_unit_test(a_launcher_is_older_than_its_workers),
        cmocka_unit_test(a_pid_reused_while_looking_is_not_held),
        cmocka_unit_test(no_pidfd_no_signal),
        cmocka_unit_test(some_never_get_one),
        cmocka_unit_test(a_zombie_leader_with_threads_is_no_zombie),
        cmocka_unit_test(other_namespaces),
        cmocka_unit_test(a_gone_one_that_was_seen_here_has_ended),
        cmocka_unit_test(launchers_first_and_last_for_cont),
        cmocka_unit_test(what_the_kernel_refuses_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
