// SPDX-License-Identifier: Apache-2.0
// The line that says what became of a signal.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "ui/target.h"

static const double SENT = 1000;

// COUNT processes that got NUMBER at SENT.
static struct targets sent(size_t count, int number, const char *name)
{
    struct targets targets = {.signal = number, .sent_mono = SENT, .ended_mono = SENT};
    for (size_t i = 0; i < count; i++) {
        struct target *target = targets_add(&targets, 100 + i);
        target->state = TARGET_SENT;
        target->sent = true;
    }
    snprintf(targets.name, sizeof(targets.name), "%s", name);
    return targets;
}

static void expect(const struct targets *targets, double after, int free, enum note_kind kind,
                   const char *wanted)
{
    char text[NOTE_TEXT];
    assert_int_equal(note_write(text, sizeof(text), targets, SENT + after, free), kind);
    if (kind != NOTE_NONE)
        assert_string_equal(text, wanted);
}

static void one_process(void **state)
{
    (void)state;
    struct targets targets = sent(1, SIGTERM, "31207 python3");
    expect(&targets, 0, -1, NOTE_TOLD, "SIGTERM sent to 31207 python3");
    expect(&targets, 3.2, -1, NOTE_TOLD, "SIGTERM sent to 31207 python3; still there after 3s");
    expect(&targets, 9.9, -1, NOTE_TOLD, "SIGTERM sent to 31207 python3; still there after 9s");
    expect(&targets, 10, -1, NOTE_OFFER,
           "Send SIGKILL? y/n  31207 python3 is still there 10s after SIGTERM");
    expect(&targets, 4000, -1, NOTE_OFFER,
           "Send SIGKILL? y/n  31207 python3 is still there 1h06m after SIGTERM");
    for (unsigned i = 0; i < 32; i++)
        core_set_add(&targets.frees, i);
    targets.items[0].state = TARGET_GONE;
    targets.ended_mono = SENT + 12;
    expect(&targets, 12, -1, NOTE_TOLD, "SIGTERM sent to 31207 python3: gone after 12s");
    expect(&targets, 13, 0, NOTE_TOLD, "SIGTERM sent to 31207 python3: gone after 12s");
    expect(&targets, 17, 30, NOTE_TOLD,
           "SIGTERM sent to 31207 python3: gone after 12s, 30 of its 32 NC free");
    expect(&targets, 14, 32, NOTE_TOLD,
           "SIGTERM sent to 31207 python3: gone after 12s, 32 NC free");
    expect(&targets, 40, 32, NOTE_NONE, "");
    targets_free(&targets);
}

static void a_job(void **state)
{
    (void)state;
    struct targets targets = sent(3, SIGTERM, "31207 torchrun and 2 workers");
    targets.items[0].state = TARGET_GONE;
    expect(&targets, 4, -1, NOTE_TOLD,
           "SIGTERM sent to 31207 torchrun and 2 workers; 2 of 3 still there after 4s");
    expect(&targets, 11, -1, NOTE_OFFER,
           "Send SIGKILL? y/n  2 of 3 still there 11s after SIGTERM: 31207 torchrun and 2 workers");
    targets_free(&targets);
}

static void only_what_should_end_is_offered_sigkill(void **state)
{
    (void)state;
    static const int others[] = {SIGSTOP, SIGCONT, SIGTSTP, SIGUSR1, SIGUSR2, SIGHUP};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct targets targets = sent(1, others[i], "7 x");
        char text[NOTE_TEXT];
        assert_int_equal(note_write(text, sizeof(text), &targets, SENT + 5, -1), NOTE_TOLD);
        assert_int_equal(note_write(text, sizeof(text), &targets, SENT + 20, -1), NOTE_NONE);
        targets_free(&targets);
    }
    struct targets targets = sent(1, SIGKILL, "7 x");
    expect(&targets, 12, -1, NOTE_TOLD,
           "SIGKILL sent to 7 x; still there after 12s, held up inside the kernel");
    expect(&targets, 100, -1, NOTE_NONE, "");
    targets_free(&targets);
}

static void a_stopped_one_does_not_hear(void **state)
{
    (void)state;
    struct targets targets = sent(1, SIGTERM, "7 x");
    targets.items[0].stopped = true;
    expect(&targets, 2, -1, NOTE_TOLD,
           "SIGTERM sent to 7 x; still there after 2s (stopped: it takes the signal when "
           "continued)");
    targets_free(&targets);
}

static void failures_are_told(void **state)
{
    (void)state;
    struct targets targets = sent(2, SIGTERM, "2 tagged processes");
    targets.items[1].sent = false;
    targets.items[1].state = TARGET_FAILED;
    strcpy(targets.items[1].why, "you may not: it belongs to another user");
    expect(&targets, 0, -1, NOTE_TOLD,
           "SIGTERM sent to 2 tagged processes; not to 1 of them: you may not: it belongs to "
           "another user");
    targets.items[0].sent = false;
    targets.items[0].state = TARGET_FAILED;
    strcpy(targets.items[0].why, "no");
    expect(&targets, 0, -1, NOTE_TOLD, "SIGTERM not sent to 2 tagged processes: no");
    targets.items[0].state = targets.items[1].state = TARGET_GONE;
    expect(&targets, 0, -1, NOTE_TOLD, "SIGTERM not sent: 2 tagged processes had ended");
    expect(&targets, 30, -1, NOTE_NONE, "");
    targets_free(&targets);
}

static void nothing_sent_nothing_told(void **state)
{
    (void)state;
    const struct targets targets = {0};
    expect(&targets, 0, -1, NOTE_NONE, "");
}

static void sigterm_is_first(void **state)
{
    (void)state;
    assert_string_equal(signal_table()[0].name, "SIGTERM");
    assert_int_equal(signal_table()[0].number, SIGTERM);
    assert_non_null(signal_get(SIGKILL));
    assert_null(signal_get(SIGCHLD));
    assert_null(signal_get(0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_process),
        cmocka_unit_test(a_job),
        cmocka_unit_test(only_what_should_end_is_offered_sigkill),
        cmocka_unit_test(a_stopped_one_does_not_hear),
        cmocka_unit_test(failures_are_told),
        cmocka_unit_test(nothing_sent_nothing_told),
        cmocka_unit_test(sigterm_is_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
