// SPDX-License-Identifier: Apache-2.0
// The program as a guest of the terminal: it leaves it whole however it ends, draws what the
// terminal can show, and goes when the terminal goes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "plain_run.h"
#include "term_host.h"

#define DEMO "--no-config", "--demo", "--seed", "1"
#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct term *start(const char *term_name, const char *const *env, const char *extra)
{
    struct term_options options = {.name = term_name, .env = env};

    return term_start(&options, ARGS(neutop_path(), DEMO, extra));
}

static struct term *start_demo(void)
{
    struct term *term = term_neutop(24, 80, ARGS(DEMO));

    expect_text(term, "trn2.48xlarge");
    expect_that(term, term_wait_quiet(term, 60, TERM_WAIT));
    expect_that(term, term_alternate(term) && !term_modes_restored(term));
    return term;
}

static void q_and_f10_leave(void **state)
{
    (void)state;
    static const char *const keys[] = {"q", KEY_F10};

    for (size_t i = 0; i < 2; i++) {
        struct term *term = start_demo();
        term_send(term, keys[i]);
        expect_exit(term, 0);
        term_free(term);
    }
}

static void signals_leave_the_terminal_whole(void **state)
{
    (void)state;
    static const int signals[] = {SIGTERM, SIGHUP,  SIGINT, SIGQUIT,
                                  SIGSEGV, SIGABRT, SIGBUS, SIGFPE};

    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct term *term = start_demo();
        term_signal(term, signals[i]);
        expect_killed(term, signals[i]);
        term_free(term);
    }
}

static void ctrl_c_leaves(void **state)
{
    (void)state;
    struct term *term = start_demo();

    term_send(term, KEY_CTRL_C);
    expect_killed(term, SIGINT);
    term_free(term);
}

static void stops_and_comes_back(void **state)
{
    (void)state;
    struct term *term = start_demo();

    for (int round = 0; round < 2; round++) {
        term_send(term, KEY_CTRL_Z);
        expect_that(term, term_wait_stopped(term, TERM_WAIT));
        term_pump(term, 0);
        expect_that(term, term_modes_restored(term));
        expect_that(term, !term_alternate(term) && term_cursor_visible(term));
        term_resize(term, 30, 100 + round);
        term_continue(term);
        expect_that(term, term_wait_alternate(term, true, TERM_WAIT));
        expect_text(term, "trn2.48xlarge");
        expect_that(term, term_wait_quiet(term, 60, TERM_WAIT));
        expect_that(term, strlen(term_row(term, 29)) > 20); // drawn at the new size
    }
    term_send(term, "q");
    expect_exit(term, 0);
    term_free(term);
}

static void stopped_from_outside_comes_back(void **state)
{
    (void)state;
    struct term *term = start_demo();

    term_signal(term, SIGSTOP);
    expect_that(term, term_wait_stopped(term, TERM_WAIT));
    term_continue(term);
    expect_that(term, term_wait_bytes(term, 500, TERM_WAIT)); // the whole screen again
    expect_that(term, term_alternate(term));
    term_send(term, "q");
    expect_exit(term, 0);
    term_free(term);
}

static void gone_with_the_terminal(void **state)
{
    (void)state;
    struct term *term = start_demo();

    // The session leader does not pass SIGHUP on: the program has to see it by itself.
    term_hangup(term);
    int status = term_wait_exit(term, 2000);
    assert_true(status != -1);
    assert_true(WIFEXITED(status) || WTERMSIG(status) == SIGHUP);
    term_free(term);
}

// Sizes in an order that jumps; small numbers often.
static void survives_every_size(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1},     {24, 80}, {2, 300},  {100, 1}, {3, 3},
                                   {100, 300}, {5, 20},  {24, 79},  {23, 80}, {1, 200},
                                   {60, 2},    {10, 40}, {40, 120}, {7, 80},  {60, 200},
                                   {15, 60},   {4, 132}, {25, 81},  {1, 1},   {50, 50}};
    struct term *term = start_demo();

    for (size_t i = 0; i < 3 * sizeof sizes / sizeof sizes[0]; i++) {
        const int *size = sizes[i % (sizeof sizes / sizeof sizes[0])];
        term_resize(term, size[0], size[1]);
        for (int n = 0; n < 4; n++)
            term_pump(term, 5);
        expect_that(term, term_wait_exit(term, 0) == -1);
    }
    term_resize(term, 24, 80);
    expect_text(term, "trn2.48xlarge");
    expect_that(term, term_wait_quiet(term, 60, TERM_WAIT));
    expect_that(term, strlen(term_row(term, 23)) > 40);
    term_send(term, "q");
    expect_exit(term, 0);
    term_free(term);
}

static void starts_at_every_size(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {2, 10}, {5, 30}, {10, 200}, {100, 20}, {100, 300}};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct term *term = term_neutop(sizes[i][0], sizes[i][1], ARGS(DEMO));
        expect_that(term, term_wait_alternate(term, true, TERM_WAIT));
        expect_that(term, term_wait_quiet(term, 60, TERM_WAIT));
        term_send(term, "q");
        expect_exit(term, 0);
        term_free(term);
    }
}

static void too_small_says_what_it_needs(void **state)
{
    (void)state;
    struct term *term = term_neutop(4, 30, ARGS(DEMO));
    bool number = false;

    expect_that(term, term_wait_quiet(term, 60, TERM_WAIT));
    for (int row = 0; row < 4; row++)
        number = number || (strpbrk(term_row(term, row), "x\xc3") != NULL &&
                            strpbrk(term_row(term, row), "0123456789") != NULL);
    expect_that(term, number);
    term_send(term, "q");
    expect_exit(term, 0);
    term_free(term);
}

static bool every_byte_is_ascii(struct term *term)
{
    size_t length;
    const char *raw = term_raw(term, &length);

    for (size_t i = 0; i < length; i++)
        if ((unsigned char)raw[i] >= 0x80)
            return false;
    return true;
}

static void check_ascii(struct term *term)
{
    expect_text(term, "trn2.48xlarge");
    expect_that(term, term_wait_quiet(term, 60, TERM_WAIT));
    term_send(term, KEY_F1);
    expect_that(term, term_wait_quiet(term, 60, TERM_WAIT));
    expect_that(term, every_byte_is_ascii(term));
    term_send(term, KEY_ESC);
    expect_text(term, "trn2.48xlarge");
    term_send(term, "q");
    expect_exit(term, 0);
    term_free(term);
}

static void ascii_means_ascii_cells(void **state)
{
    (void)state;
    struct term *term = start(NULL, NULL, "--ascii");

    expect_text(term, "trn2.48xlarge");
    for (int row = 0; row < term_rows(term); row++)
        for (const char *c = term_row(term, row); *c != '\0'; c++)
            expect_that(term, (unsigned char)*c < 0x80);
    check_ascii(term);
}

static void the_c_locale_gets_ascii_bytes(void **state)
{
    (void)state;
    check_ascii(start(NULL, ARGS("LC_ALL=C"), NULL));
    check_ascii(start(NULL, ARGS("LC_ALL=POSIX"), NULL));
}

static bool has_colour(struct term *term)
{
    for (int row = 0; row < term_rows(term); row++)
        for (int column = 0; column < term_cols(term); column++) {
            struct term_cell cell = term_cell(term, row, column);
            if (cell.fg.kind != COLOR_OWN || cell.bg.kind != COLOR_OWN)
                return true;
        }
    return false;
}

static void check_colour(const char *term_name, const char *const *env, const char *extra,
                         bool wanted)
{
    struct term *term = start(term_name, env, extra);

    expect_text(term, "trn2.48xlarge");
    expect_that(term, term_wait_quiet(term, 60, TERM_WAIT));
    expect_that(term, has_colour(term) == wanted);
    term_send(term, "q");
    expect_exit(term, 0);
    term_free(term);
}

static void colour_is_where_it_may_be(void **state)
{
    (void)state;
    check_colour(NULL, NULL, NULL, true);
    check_colour("xterm", NULL, NULL, true);
    check_colour("linux", NULL, NULL, true);
    check_colour("vt100", NULL, NULL, false);
    check_colour(NULL, ARGS("NO_COLOR=1"), NULL, false);
    check_colour(NULL, ARGS("NO_COLOR="), NULL, true); // empty does not count
    check_colour(NULL, NULL, "--color=never", false);
    check_colour(NULL, NULL, "--theme=mono", false);
    check_colour(NULL, NULL, "--theme=colorblind", true);
    check_colour(NULL, ARGS("NO_COLOR=1"), "--color=always", true);
}

static void other_terminals_work(void **state)
{
    (void)state;
    static const char *const names[] = {"vt100",         "linux",      "screen",
                                        "tmux-256color", "xterm-mono", "rxvt-unicode-256color"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct term *term = start(names[i], NULL, NULL);
        expect_text(term, "trn2.48xlarge");
        term_send(term, "q");
        int status = term_wait_exit(term, TERM_WAIT);
        expect_that(term,
                    WIFEXITED(status) && WEXITSTATUS(status) == 0 && term_modes_restored(term));
        term_free(term);
    }
}

static void a_terminal_that_cannot_is_named(void **state)
{
    (void)state;
    static const char *const names[] = {"dumb", "no-such-terminal", ""};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct term *term = start(names[i], NULL, NULL);
        int status = term_wait_exit(term, TERM_WAIT);
        size_t length;
        const char *raw = term_raw(term, &length);
        expect_that(term, WIFEXITED(status) && WEXITSTATUS(status) == 2);
        expect_that(term, memchr(raw, '\033', length) == NULL);
        expect_that(term, term_find(term, "TERM") >= 0 && term_find(term, names[i]) >= 0);
        expect_that(term, term_modes_restored(term));
        term_free(term);
    }
}

static void a_quiet_tick_writes_only_the_clock(void **state)
{
    (void)state;
    struct term *term = term_neutop(40, 120, ARGS(DEMO, "-d", "3600"));
    size_t length;

    expect_text(term, "trn2.48xlarge");
    expect_that(term, term_wait_quiet(term, 200, TERM_WAIT));
    term_raw_forget(term);
    term_wait_exit(term, 2500); // nothing ends it: this only reads what comes
    term_raw(term, &length);
    expect_that(term, length < 3 * 40);
    term_send(term, "q");
    expect_exit(term, 0);
    term_free(term);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(q_and_f10_leave),
        cmocka_unit_test(signals_leave_the_terminal_whole),
        cmocka_unit_test(ctrl_c_leaves),
        cmocka_unit_test(stops_and_comes_back),
        cmocka_unit_test(stopped_from_outside_comes_back),
        cmocka_unit_test(gone_with_the_terminal),
        cmocka_unit_test(survives_every_size),
        cmocka_unit_test(starts_at_every_size),
        cmocka_unit_test(too_small_says_what_it_needs),
        cmocka_unit_test(ascii_means_ascii_cells),
        cmocka_unit_test(the_c_locale_gets_ascii_bytes),
        cmocka_unit_test(colour_is_where_it_may_be),
        cmocka_unit_test(other_terminals_work),
        cmocka_unit_test(a_terminal_that_cannot_is_named),
        cmocka_unit_test(a_quiet_tick_writes_only_the_clock),
    };
    // A sanitizer's own handlers would come in front of the program's, which are what is tested.
    setenv("ASAN_OPTIONS", "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
