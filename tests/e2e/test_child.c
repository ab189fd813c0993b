// SPDX-License-Identifier: Apache-2.0
// neuron-monitor as the program's child, played by a shell script on PATH: found, configured, read,
// outlived and ended.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plain_run.h"
#include "term_host.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

// A folder with the script as neuron-monitor; what it notes down goes there too.
struct stage {
    char folder[64];
    char path[5000], capture[4200], temporary[96];
    const char *env[4];
};

static char *place(const struct stage *stage, const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", stage->folder, name);
    return path;
}

// BODY sees $1 $2 as given by the program, $CAPTURE (a file of one report) and works in the folder.
static void stage_open(struct stage *stage, const char *body)
{
    *stage = (struct stage){.folder = "/tmp/neutop-child-XXXXXX"};
    assert_non_null(mkdtemp(stage->folder));
    assert_int_equal(mkdir(place(stage, "tmp"), 0700), 0);
    FILE *script = fopen(place(stage, "neuron-monitor"), "w");
    assert_non_null(script);
    fprintf(script, "#!/bin/sh\ncd '%s'\necho $$ >>pids\necho \"$*\" >>arguments\n%s\n",
            stage->folder, body);
    fclose(script);
    assert_int_equal(chmod(place(stage, "neuron-monitor"), 0755), 0);
    snprintf(stage->path, sizeof stage->path, "PATH=%s:%s", stage->folder, getenv("PATH"));
    snprintf(stage->capture, sizeof stage->capture, "CAPTURE=%s",
             fixture("monitor/inf2-xlarge-from-capture.ndjson"));
    snprintf(stage->temporary, sizeof stage->temporary, "TMPDIR=%s/tmp", stage->folder);
    stage->env[0] = stage->path;
    stage->env[1] = stage->capture;
    stage->env[2] = stage->temporary;
}

static void stage_close(struct stage *stage)
{
    struct plain_result result = plain_run(NULL, ARGS("rm", "-rf", stage->folder));
    assert_int_equal(result.status, 0);
    plain_free(&result);
}

static struct term *stage_start(const struct stage *stage)
{
    struct term_options options = {.env = stage->env};
    return term_start(&options, ARGS(neutop_path(), "--no-config", "-d", "0.2", "-S", "monitor"));
}

// Lines that the script has written so far to NAME; 0 when it has not.
static unsigned noted(const struct stage *stage, const char *name)
{
    char line[256];
    unsigned lines = 0;
    FILE *file = fopen(place(stage, name), "r");

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        lines++;
    if (file != NULL)
        fclose(file);
    return lines;
}

static pid_t child_of(const struct stage *stage)
{
    int pid = 0;
    FILE *file = fopen(place(stage, "pids"), "r");

    assert_non_null(file);
    while (fscanf(file, "%d", &pid) == 1)
        continue;
    fclose(file);
    return pid;
}

static bool gone_within(struct term *term, pid_t pid, int ms)
{
    for (; ms > 0; ms -= 20) {
        if (kill(pid, 0) != 0 && errno == ESRCH)
            return true;
        term_pump(term, 20);
        usleep(20000);
    }
    return false;
}

static const char talking[] =
    "while read -r line; do echo \"$line\"; sleep 0.1; done <\"$CAPTURE\"\n"
    "while :; do tail -n 1 \"$CAPTURE\"; sleep 0.1; done";

static void is_found_shown_and_ended(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, talking);
    struct term *term = stage_start(&stage);

    expect_text(term, "inf2.xlarge");
    expect_text(term, "monitor live");
    pid_t child = child_of(&stage);
    assert_int_equal(kill(child, 0), 0);
    term_send(term, "q");
    expect_exit(term, 0);
    assert_true(gone_within(term, child, 3000));
    assert_int_equal(noted(&stage, "pids"), 1);
    term_free(term);
    stage_close(&stage);
}

static void ends_with_a_signal_too(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, talking);
    struct term *term = stage_start(&stage);

    expect_text(term, "monitor live");
    pid_t child = child_of(&stage);
    term_hangup(term);
    assert_int_not_equal(term_wait_exit(term, TERM_WAIT), -1);
    assert_true(gone_within(term, child, 3000));
    term_free(term);
    stage_close(&stage);
}

static void gets_a_private_configuration_that_is_gone_afterwards(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, "shift $(($# - 1)); stat -L -c %a \"$1\" >mode; cat \"$1\" >configuration\n"
                       "cat \"$CAPTURE\"; exec sleep 60");
    struct term *term = stage_start(&stage);
    struct plain_result result;

    expect_text(term, "inf2.xlarge");
    result = plain_run(NULL, ARGS("cat", place(&stage, "mode")));
    assert_string_equal(result.out, "600\n");
    plain_free(&result);
    result = plain_run(NULL, ARGS("cat", place(&stage, "configuration")));
    assert_non_null(strstr(result.out, "\"period\":\"200ms\""));
    assert_non_null(strstr(result.out, "neuron_hw_counters"));
    assert_non_null(strstr(result.out, "execution_stats"));
    plain_free(&result);
    term_send(term, "q");
    expect_exit(term, 0);
    result = plain_run(NULL, ARGS("ls", "-A", place(&stage, "tmp")));
    assert_string_equal(result.out, "");
    plain_free(&result);
    term_free(term);
    stage_close(&stage);
}

static void its_last_words_are_shown_and_it_is_started_again(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, "head -n 1 \"$CAPTURE\"; sleep 0.3\n"
                       "printf 'first\\nfatal: \\033[31mthe driver went away\\n' >&2; exit 7");
    struct term *term = stage_start(&stage);
    size_t length;

    expect_text(term, "inf2.xlarge");
    term_send(term, "i"); // sources
    expect_text(term, "the driver went away");
    const char *raw = term_raw(term, &length);
    expect_that(term, memmem(raw, length, "\033[31mthe", 8) == NULL);
    for (int i = 0; i < 80 && noted(&stage, "pids") < 2; i++)
        term_pump(term, 100);
    expect_that(term, noted(&stage, "pids") == 2);
    term_send(term, "q");
    expect_gone(term, "q: back");
    term_send(term, "q");
    expect_exit(term, 0);
    term_free(term);
    stage_close(&stage);
}

static void one_that_never_speaks_does_not_hang_the_text(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, "echo 'no Neuron device found' >&2; exit 1");
    struct plain_options options = {.env = stage.env, .ms = 15000};
    struct plain_result result =
        plain_neutop(&options, ARGS("--no-config", "-S", "monitor", "-d", "0.2", "--once"));

    assert_false(result.timed_out);
    assert_true(strstr(result.err, "no Neuron device found") != NULL ||
                strstr(result.out, "no Neuron device found") != NULL);
    assert_int_equal(result.status, 4); // the text is there, but no fact is
    plain_free(&result);
    stage_close(&stage);
}

static void much_on_standard_error_does_not_block_it(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, "yes 'a warning that repeats' | head -c 3000000 >&2\n"
                       "cat \"$CAPTURE\"; exec sleep 60");
    struct term *term = stage_start(&stage);

    expect_text(term, "inf2.xlarge");
    expect_that(term, strstr(term_row(term, 0), "neutop") != NULL);
    term_send(term, "q");
    expect_exit(term, 0);
    term_free(term);
    stage_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_found_shown_and_ended),
        cmocka_unit_test(ends_with_a_signal_too),
        cmocka_unit_test(gets_a_private_configuration_that_is_gone_afterwards),
        cmocka_unit_test(its_last_words_are_shown_and_it_is_started_again),
        cmocka_unit_test(one_that_never_speaks_does_not_hang_the_text),
        cmocka_unit_test(much_on_standard_error_does_not_block_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
