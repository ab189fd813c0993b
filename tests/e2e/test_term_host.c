// SPDX-License-Identifier: Apache-2.0
// The test terminal itself: what it says about a well-known program and about badly behaved ones
// must be true, or no screen test means anything.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "plain_run.h"
#include "term_host.h"

static struct term *shell(const char *script)
{
    return term_start(&(struct term_options){.rows = 10, .cols = 40},
                      (const char *const[]){"sh", "-c", script, NULL});
}

static void shows_cells_with_colour_and_width(void **state)
{
    (void)state;
    struct term *term =
        shell("printf '\\033[1;31mred\\033[0m \\344\\270\\255e\\314\\201|\\n'; read x");

    expect_text(term, "|");
    assert_string_equal(term_row(term, 0), "red \xe4\xb8\xad"
                                           "e\xcc\x81|");
    struct term_cell red = term_cell(term, 0, 0);
    assert_true(red.bold && red.fg.kind == COLOR_INDEX && red.fg.value == 1);
    assert_int_equal(term_cell(term, 0, 4).width, 2);
    assert_int_equal(term_find_column(term, 0, "|"), 7);
    assert_int_equal(term_cell(term, 0, 8).fg.kind, COLOR_OWN);
    term_send(term, "\r");
    expect_exit(term, 0);
    term_free(term);
}

static void sees_keys_and_sizes(void **state)
{
    (void)state;
    struct term *term = shell("stty size; read a; stty size; read b; echo \"<$a$b>\"; exit 7");

    expect_text(term, "10 40");
    term_resize(term, 20, 60);
    term_send(term, "x\r");
    expect_text(term, "20 60");
    term_send(term, "y\r");
    expect_exit(term, 7);
    expect_text(term, "<xy>");
    term_free(term);
}

static void tells_a_terminal_that_was_left_raw(void **state)
{
    (void)state;
    struct term *term = shell("stty raw -echo; printf '\\033[?1049h\\033[?25l'");

    assert_int_equal(term_wait_exit(term, TERM_WAIT), 0);
    assert_false(term_modes_restored(term));
    assert_true(term_alternate(term));
    assert_false(term_cursor_visible(term));
    term_free(term);
}

static void stops_and_continues_a_job(void **state)
{
    (void)state;
    struct term *term = shell("echo one; read x; echo got; read y");

    expect_text(term, "one");
    term_send(term, KEY_CTRL_Z);
    expect_that(term, term_wait_stopped(term, TERM_WAIT));
    term_continue(term);
    term_send(term, "x\r");
    expect_text(term, "got");
    term_signal(term, SIGTERM);
    expect_killed(term, SIGTERM);
    term_free(term);
}

static void a_lost_terminal_ends_a_reader(void **state)
{
    (void)state;
    struct term *term = shell("echo up; read x; exit 3");

    expect_text(term, "up");
    term_hangup(term);
    int status = term_wait_exit(term, TERM_WAIT);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    term_free(term);
}

static size_t hundred_lines(void *context, char *buffer, size_t size)
{
    unsigned *left = context;
    (void)size;
    if (*left == 0)
        return 0;
    --*left;
    memcpy(buffer, "line\n", 5);
    return 5;
}

static void plain_run_reports_all(void **state)
{
    (void)state;
    unsigned left = 100;
    struct plain_options options = {.generate = hundred_lines, .context = &left};
    struct plain_result result = plain_run(
        &options, (const char *const[]){"sh", "-c", "wc -l; echo oops >&2; exit 5", NULL});

    assert_int_equal(atoi(result.out), 100);
    assert_string_equal(result.err, "oops\n");
    assert_int_equal(result.status, 5);
    plain_free(&result);
    result =
        plain_run(&(struct plain_options){.ms = 100}, (const char *const[]){"sleep", "30", NULL});
    assert_true(result.timed_out && result.status == 128 + SIGKILL);
    plain_free(&result);
}

static void finds_control_bytes(void **state)
{
    (void)state;
    assert_int_equal(plain_control("a\n\tb", 4), -1);
    assert_int_equal(plain_control("a\033[m", 4), 1);
    assert_int_equal(plain_control("a\xc2\x9b", 3), 1);
    assert_int_equal(plain_control("\xc2\xb7", 2), -1);
    assert_int_equal(plain_lines("a\nb"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_cells_with_colour_and_width),
        cmocka_unit_test(sees_keys_and_sizes),
        cmocka_unit_test(tells_a_terminal_that_was_left_raw),
        cmocka_unit_test(stops_and_continues_a_job),
        cmocka_unit_test(a_lost_terminal_ends_a_reader),
        cmocka_unit_test(plain_run_reports_all),
        cmocka_unit_test(finds_control_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
