// SPDX-License-Identifier: Apache-2.0
// The setup view: what is saved there is what the next start has, and where it cannot be saved the
// screen says so.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plain_run.h"
#include "term_host.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

struct home {
    char folder[64], file[128], xdg[128];
    const char *env[4];
};

static void home_open(struct home *home)
{
    *home = (struct home){.folder = "/tmp/neutop-setup-XXXXXX"};
    assert_non_null(mkdtemp(home->folder));
    snprintf(home->file, sizeof home->file, "%s/neutop/neutop.conf", home->folder);
    snprintf(home->xdg, sizeof home->xdg, "XDG_CONFIG_HOME=%s", home->folder);
    home->env[0] = home->xdg;
}

static void home_close(const struct home *home)
{
    struct plain_result result = plain_run(NULL, ARGS("rm", "-rf", home->folder));
    plain_free(&result);
}

static char *content(const struct home *home)
{
    static char text[4096];
    FILE *file = fopen(home->file, "r");
    if (file == NULL)
        return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static struct term *setup(const struct home *home, const char *extra)
{
    const struct term_options options = {.rows = 45, .cols = 140, .env = home->env};
    struct term *term =
        term_start(&options, ARGS(neutop_path(), "--demo", "trn1.32xlarge", "--seed", "1", extra));
    expect_text(term, "trn1.32xlarge");
    expect_text(term, "Quit");
    term_send(term, KEY_F2);
    expect_text(term, "Delay between updates");
    return term;
}

static void press(struct term *term, const char *keys)
{
    term_send(term, keys);
    term_wait_bytes(term, 1, 500);
    expect_that(term, term_wait_quiet(term, 60, TERM_WAIT));
}

static void leave(struct term *term)
{
    term_send(term, KEY_F10);
    expect_exit(term, 0);
    term_free(term);
}

static void what_is_saved_comes_back(void **state)
{
    (void)state;
    struct home home;
    home_open(&home);
    struct term *term = setup(&home, NULL);

    expect_text(term, home.file); // before anything is written
    assert_null(content(&home));
    press(term, KEY_RIGHT); // the theme
    press(term, KEY_DOWN);
    press(term, KEY_DOWN);
    press(term, KEY_RIGHT); // the delay
    expect_text(term, "2 s");
    press(term, KEY_DOWN);
    press(term, KEY_DOWN);
    press(term, KEY_RIGHT); // FLOPS
    press(term, "w");
    expect_text(term, "saved in");
    const char *text = content(&home);
    assert_non_null(text);
    assert_non_null(strstr(text, "delay = 2\n"));
    assert_non_null(strstr(text, "theme = "));
    assert_non_null(strstr(text, "cores = flops\n"));
    assert_null(strstr(text, "source"));
    assert_null(strstr(text, "demo"));
    assert_null(strstr(text, "sort")); // as it is anyway
    press(term, "w");
    expect_text(term, "has it like this already");
    leave(term);
    term = setup(&home, NULL);
    expect_text(term, "2 s");
    expect_that(term, term_find(term, "FLOPS") > 0);
    leave(term);
    home_close(&home);
}

static void the_rest_of_the_file_stays(void **state)
{
    (void)state;
    struct home home;
    char folder[128];
    home_open(&home);
    snprintf(folder, sizeof folder, "%s/neutop", home.folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    FILE *file = fopen(home.file, "w");
    assert_non_null(file);
    fputs("# mine\ndelay = 5 ; slow\nsort = pid\nhide = chips\n", file);
    fclose(file);
    struct term *term = setup(&home, NULL);

    expect_text(term, "5 s");
    press(term, KEY_DOWN);
    press(term, KEY_DOWN);
    press(term, KEY_LEFT);
    expect_text(term, "2 s");
    for (int i = 0; i < 5; i++)
        press(term, KEY_DOWN);
    press(term, KEY_ENTER); // on the line that says so
    expect_text(term, "saved in");
    assert_string_equal(content(&home), "# mine\ndelay = 2 ; slow\nsort = pid\nhide = chips\n");
    leave(term);
    home_close(&home);
}

static void says_why_it_does_not_save(void **state)
{
    (void)state;
    static const char *const options[] = {"--readonly", "--no-config"};
    struct home home;
    home_open(&home);

    for (int i = 0; i < 2; i++) {
        struct term *term = setup(&home, options[i]);
        expect_text(term, "for this session");
        press(term, KEY_RIGHT);
        press(term, "w");
        expect_text(term, "not saved");
        expect_that(term, term_find(term, options[i]) > 0);
        assert_int_not_equal(access(home.file, F_OK), 0);
        leave(term);
    }
    home_close(&home);
    snprintf(home.xdg, sizeof home.xdg, "XDG_CONFIG_HOME=/proc/self/fd");
    struct term *term = setup(&home, NULL);
    press(term, KEY_RIGHT);
    press(term, "w");
    expect_text(term, "not saved: ");
    leave(term);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_saved_comes_back),
        cmocka_unit_test(the_rest_of_the_file_stays),
        cmocka_unit_test(says_why_it_does_not_save),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
