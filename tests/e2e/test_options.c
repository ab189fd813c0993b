// SPDX-License-Identifier: Apache-2.0
// Options and exit statuses as users and scripts rely on them, without a terminal.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plain_run.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

// What was wrong, on standard error, is named, and where help is; nothing else is said or done.
struct bad {
    const char *args[6];
    const char *named;
};

static const struct bad bad_usage[] = {
    {{"--nope"}, "nope"},
    {{"-Z"}, "Z"},
    {{"--demo", "--once", "-Z"}, "Z"},
    {{"--once=3"}, "once"},
    {{"-d"}, "d"},
    {{"--delay"}, "delay"},
    {{"-d", "abc"}, "abc"},
    {{"-d", ""}, "delay"},
    {{"-d", "1x"}, "1x"},
    {{"-d", "nan"}, "nan"},
    {{"-d", "inf"}, "inf"},
    {{"-d", "0"}, "0"},
    {{"-d", "0.09"}, "0.09"},
    {{"-d", "3601"}, "3601"},
    {{"-d", "-1"}, "-1"},
    {{"-n", "0"}, "0"},
    {{"-n", "-1"}, "-1"},
    {{"-n", "1.5"}, "1.5"},
    {{"-n", "many"}, "many"},
    {{"-n", "99999999999999999999"}, "99999999999999999999"},
    {{"-p", "0"}, "0"},
    {{"-p", "init"}, "init"},
    {{"-p", "-7"}, "-7"},
    {{"-S", "crystalball"}, "crystalball"},
    {{"-S", "demo,crystalball"}, "crystalball"},
    {{"-S", ""}, "source"},
    {{"--demo=trn9.huge"}, "trn9.huge"},
    {{"--demo", "--seed", "x"}, "x"},
    {{"--speed", "fast"}, "fast"},
    {{"--speed", "-1"}, "-1"},
    {{"--color", "sometimes"}, "sometimes"},
    {{"--theme", "plaid"}, "plaid"},
    {{"--seed", "-1"}, "-1"},
    {{"--seed", "+1"}, "+1"},
    {{"-n", " 1"}, "' 1'"},
    {{"-p", "+1"}, "+1"},
    {{"-d", "+1"}, "+1"},
    {{"--speed", " 1"}, "' 1'"},
    {{"frobnicate"}, "frobnicate"},
    {{"--demo", "--once", "--", "extra"}, "extra"},
};

static void check_bad(const struct bad *bad)
{
    struct plain_result result = plain_neutop(NULL, bad->args);
    const char *const *a = bad->args;

    if (result.status != 2 || result.out_length != 0 || strstr(result.err, bad->named) == NULL ||
        strstr(result.err, "Try 'neutop --help'.") == NULL || plain_lines(result.err) > 2 ||
        strncmp(result.err, "neutop: ", 8) != 0)
        fail_msg("neutop %s %s %s %s: status %d, standard output %zu bytes, standard error:\n%s",
                 a[0], a[1] != NULL ? a[1] : "", a[1] != NULL && a[2] != NULL ? a[2] : "",
                 a[1] != NULL && a[2] != NULL && a[3] != NULL ? a[3] : "", result.status,
                 result.out_length, result.err);
    plain_free(&result);
}

static void wrong_usage_is_named_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_usage / sizeof bad_usage[0]; i++)
        check_bad(&bad_usage[i]);
}

static void wrong_usage_does_not_reach_the_terminal(void **state)
{
    (void)state;
    static const char *const hostile[] = {"--x\033[31m", "-S\033]0;title\a", "-dx\r\nneutop: fine",
                                          "op\302\23331merand", "--theme=\xff\xfe\n"};

    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        struct plain_result result = plain_neutop(NULL, ARGS(hostile[i]));
        assert_int_equal(result.status, 2);
        assert_int_equal(plain_control(result.err, result.err_length), -1);
        assert_true(plain_lines(result.err) <= 2);
        plain_free(&result);
    }
}

static void help_names_every_option(void **state)
{
    (void)state;
    static const char *const options[] = {
        "-h, --help", "-V, --version",    "-S, --source", "--demo",     "--seed",
        "--speed",    "-i, --input",      "-d, --delay",  "--root",     "--json",
        "--once",     "-n, --iterations", "-p, --pid",    "--color",    "--ascii",
        "--theme",    "--readonly",       "--config",     "--no-config"};
    struct plain_result result = plain_neutop(NULL, ARGS("--help"));
    struct plain_result brief = plain_neutop(NULL, ARGS("-h"));

    assert_int_equal(result.status, 0);
    assert_int_equal(brief.status, 0);
    assert_string_equal(result.err, "");
    assert_string_equal(result.out, brief.out);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (strstr(result.out, options[i]) == NULL)
            fail_msg("--help does not tell of %s", options[i]);
    for (char *rest = result.out, *line; (line = strsep(&rest, "\n")) != NULL;)
        if (strlen(line) > 80)
            fail_msg("--help is wider than 80 columns: %s", line);
    plain_free(&result);
    plain_free(&brief);
}

static void version_is_three_numbers(void **state)
{
    (void)state;
    static const char *const forms[] = {"-V", "--version"};

    for (size_t i = 0; i < 2; i++) {
        struct plain_result result = plain_neutop(NULL, ARGS(forms[i]));
        int major, minor, patch, end = 0;
        assert_int_equal(result.status, 0);
        assert_string_equal(result.err, "");
        assert_int_equal(sscanf(result.out, "neutop %d.%d.%d\n%n", &major, &minor, &patch, &end),
                         3);
        assert_int_equal(result.out[end], '\0');
        plain_free(&result);
    }
}

static void theme_help_lists_the_themes(void **state)
{
    (void)state;
    static const char *const names[] = {"default", "mono", "colorblind", "light"};
    struct plain_result result = plain_neutop(NULL, ARGS("--theme", "help"));

    assert_int_equal(result.status, 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_non_null(strstr(result.out, names[i]));
    plain_free(&result);
}

static void limits_of_ranges_are_inside(void **state)
{
    (void)state;
    static const char *const good[] = {"0.1", "1", "2.5", "3600"};

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct plain_result result =
            plain_neutop(NULL, ARGS("--no-config", "--demo", "--json", "-n", "1", "-d", good[i]));
        if (result.status != 0 || result.out_length == 0)
            fail_msg("-d %s: status %d: %s", good[i], result.status, result.err);
        plain_free(&result);
    }
}

static void iterations_end_it_and_the_delay_is_kept(void **state)
{
    (void)state;
    struct plain_result result =
        plain_neutop(NULL, ARGS("--no-config", "--demo", "--json", "-n", "4", "-d", "0.2"));

    assert_int_equal(result.status, 0);
    assert_int_equal(plain_lines(result.out), 4);
    assert_true(result.seconds >= 0.55 && result.seconds < 6);
    plain_free(&result);
}

static void no_terminal_gives_text_without_escapes(void **state)
{
    (void)state;
    static const char *const forms[][8] = {
        {"--no-config", "--demo"},
        {"--no-config", "--demo", "--once"},
        {"--no-config", "-S", "demo", "--once", "--color", "auto"}};

    for (size_t i = 0; i < 3; i++) {
        struct plain_result result = plain_neutop(NULL, forms[i]);
        assert_int_equal(result.status, 0);
        assert_string_equal(result.err, "");
        assert_true(result.out_length > 1000);
        assert_int_equal(plain_control(result.out, result.out_length), -1);
        assert_non_null(strstr(result.out, "trn2.48xlarge"));
        assert_non_null(strstr(result.out, "DEMO"));
        plain_free(&result);
    }
}

static void color_always_gives_colours_only(void **state)
{
    (void)state;
    struct plain_result result =
        plain_neutop(NULL, ARGS("--no-config", "--demo", "--once", "--color", "always"));
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.out, "\033["));
    // SGR only: after ESC [ come digits and semicolons, then m.
    for (const char *at = result.out; (at = strchr(at, '\033')) != NULL;) {
        assert_int_equal(at[1], '[');
        at += 2 + strspn(at + 2, "0123456789;");
        assert_int_equal(*at, 'm');
    }
    plain_free(&result);
}

static void one_seed_is_one_life(void **state)
{
    (void)state;
    struct plain_result a =
        plain_neutop(NULL, ARGS("--no-config", "--demo", "--seed", "7", "--once"));
    struct plain_result b =
        plain_neutop(NULL, ARGS("--no-config", "--demo", "--seed", "8", "--once"));

    assert_int_equal(a.status, 0);
    assert_int_equal(b.status, 0);
    assert_string_not_equal(a.out, b.out);
    plain_free(&a);
    plain_free(&b);
}

static void every_demo_type_is_shown(void **state)
{
    (void)state;
    static const char *const types[] = {"inf1.xlarge", "inf2.48xlarge", "trn1.32xlarge",
                                        "trn2.48xlarge"};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct plain_result result =
            plain_neutop(NULL, ARGS("--no-config", "--demo", types[i], "--once"));
        if (result.status != 0 || strstr(result.out, types[i]) == NULL)
            fail_msg("--demo %s: status %d: %s", types[i], result.status, result.err);
        plain_free(&result);
    }
}

static void nothing_to_read_says_what_was_looked_for(void **state)
{
    (void)state;
    struct plain_options options = {.env = (const char *const[]){"PATH=/nonexistent", NULL}};
    const char *empty = fixture("no-such-root");
    static const char *const words[] = {"PCI", "driver", "/dev/neuron", "neuron-monitor", "--demo"};
    struct plain_result result =
        plain_neutop(&options, ARGS("--no-config", "--root", empty, "--once"));

    assert_int_equal(result.status, 4);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(result.out, words[i]) == NULL && strstr(result.err, words[i]) == NULL)
            fail_msg("not told: %s\n%s%s", words[i], result.out, result.err);
    plain_free(&result);
}

// A device's entry below /sys that is no directory is no device: the answer is that of a host
// without one, at once and for every command alike.
static void an_entry_that_is_no_directory_is_no_device(void **state)
{
    (void)state;
    char root[] = "/tmp/neutop-odd-XXXXXX", make[256];
    struct plain_options options = {.env = (const char *const[]){"PATH=/usr/bin:/bin", NULL}};
    assert_non_null(mkdtemp(root));
    snprintf(make, sizeof make,
             "cd %s && mkdir -p sys/class/neuron_device sys/module/neuron && "
             "ln -s nowhere sys/class/neuron_device/neuron0",
             root);
    assert_int_equal(system(make), 0);
    const char *const *const runs[] = {
        ARGS("--no-config", "--root", root, "--once"),
        ARGS("--no-config", "--root", root, "-S", "driver", "--once"),
        ARGS("--no-config", "--root", root, "--json", "-n", "1"),
        ARGS("ls", "--no-config", "--root", root),
    };

    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        struct timespec before, after;
        clock_gettime(CLOCK_MONOTONIC, &before);
        struct plain_result result = plain_neutop(&options, runs[i]);
        clock_gettime(CLOCK_MONOTONIC, &after);
        if (result.status != 4 || strstr(result.err, "no directory") == NULL ||
            result.out_length > 0)
            fail_msg("run %zu: status %d: %s%s", i, result.status, result.out, result.err);
        assert_in_range(after.tv_sec - before.tv_sec, 0, 2);
        plain_free(&result);
    }
    snprintf(make, sizeof make, "rm -rf %s", root);
    assert_int_equal(system(make), 0);
}

static void a_configuration_that_is_asked_for_must_be_there(void **state)
{
    (void)state;
    struct plain_result result =
        plain_neutop(NULL, ARGS("--config", "/nonexistent/neutop.conf", "--demo", "--once"));

    assert_int_equal(result.status, 2);
    assert_int_equal(result.out_length, 0);
    assert_non_null(strstr(result.err, "/nonexistent/neutop.conf"));
    plain_free(&result);
    result = plain_neutop(NULL, ARGS("-S", "none", "--no-config"));
    assert_int_equal(result.status, 4);
    plain_free(&result);
}

// A source that is named and absent for want of a device is no wrong usage.
static void a_named_source_without_a_device_is_4(void **state)
{
    (void)state;
    struct plain_result result = plain_neutop(
        NULL, ARGS("--no-config", "-S", "driver+monitor", "--root", "/nonexistent", "--once"));

    assert_int_equal(result.status, 4);
    assert_int_equal(result.out_length, 0);
    assert_non_null(strstr(result.err, "not found Neuron PCI functions"));
    plain_free(&result);
}

static void processes_that_are_not_there_are_named(void **state)
{
    (void)state;
    struct plain_result result =
        plain_neutop(NULL, ARGS("--no-config", "--demo", "--once", "-p", "8412", "-p", "99999"));

    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.err, "99999"));
    assert_null(strstr(result.err, "8412"));
    assert_non_null(strstr(result.out, "no such process: PID 99999"));
    assert_null(strstr(result.out, "memory-nearly-full")); // of a core that another holds
    plain_free(&result);
    result = plain_neutop(NULL, ARGS("--no-config", "--demo", "--once", "-p", "99999"));
    assert_int_equal(result.status, 1);
    plain_free(&result);
}

static void expect_of_pid(const char *command, const char *pid, int status, const char *in_out)
{
    struct plain_result result =
        plain_neutop(NULL, ARGS("--no-config", "--demo", command, "-p", pid));
    bool missing = strstr(result.err, "no process 99 is seen on the chips") != NULL;
    if (result.status != status || strstr(result.out, in_out) == NULL ||
        missing != (strcmp(pid, "99") == 0))
        fail_msg("%s -p %s: status %d, %s%s", command, pid, result.status, result.err, result.out);
    plain_free(&result);
}

// Who holds a core does not depend on who is looked at.
static void commands_heed_the_selection(void **state)
{
    (void)state;
    expect_of_pid("ls", "99", 1, "chip: Trainium2");
    expect_of_pid("doctor", "99", 1, "no such process: PID 99");
    expect_of_pid("doctor", "40112", 3, "memory-nearly-full");
    expect_of_pid("doctor", "8412", 1, "chip-unhealthy");
    expect_of_pid("cores", "99", 0, "   8  32-35     held by 8412");
    expect_of_pid("cores", "8412", 0, "   0  0-3       held by torchrun 31207");
}

static void a_full_disk_is_not_success(void **state)
{
    (void)state;
    static const char *const forms[] = {"--version", "--help", "--no-config --demo --once",
                                        "--no-config --demo --json -n 1"};

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char script[256];
        snprintf(script, sizeof script, "exec \"$NEUTOP_BIN\" %s >/dev/full", forms[i]);
        struct plain_result result = plain_run(NULL, ARGS("sh", "-c", script));
        if (result.status == 0 || result.status >= 126)
            fail_msg("neutop %s >/dev/full: status %d", forms[i], result.status);
        assert_int_equal(plain_lines(result.err), 1);
        plain_free(&result);
    }
}

static void a_reader_that_goes_away_ends_it_quietly(void **state)
{
    (void)state;
    struct plain_options options = {.close_out = true, .ms = 8000};
    struct plain_result result =
        plain_neutop(&options, ARGS("--no-config", "--demo", "--json", "-d", "0.1"));

    assert_false(result.timed_out);
    assert_string_equal(result.err, "");
    plain_free(&result);
}

static void a_signal_is_the_status(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int number;
    } signals[] = {{"TERM", SIGTERM}, {"INT", SIGINT}, {"HUP", SIGHUP}};

    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        char script[320];
        // The first line of output shows that it runs; then the signal comes, and the shell shows
        // 128+N.
        snprintf(script, sizeof script,
                 "import os,signal,subprocess,sys\n"
                 "p=subprocess.Popen([os.environ['NEUTOP_BIN'],'--no-config','--demo','--json','-d'"
                 ",'0.1'],"
                 "stdout=subprocess.PIPE)\np.stdout.readline()\np.send_signal(signal.SIG%s)\n"
                 "p.stdout.read()\nsys.exit(-p.wait())",
                 signals[i].name);
        struct plain_result result = plain_run(NULL, ARGS("python3", "-c", script));
        if (result.status != signals[i].number)
            fail_msg("SIG%s: %d %s", signals[i].name, result.status, result.err);
        plain_free(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_usage_is_named_once),
        cmocka_unit_test(wrong_usage_does_not_reach_the_terminal),
        cmocka_unit_test(help_names_every_option),
        cmocka_unit_test(version_is_three_numbers),
        cmocka_unit_test(theme_help_lists_the_themes),
        cmocka_unit_test(limits_of_ranges_are_inside),
        cmocka_unit_test(iterations_end_it_and_the_delay_is_kept),
        cmocka_unit_test(no_terminal_gives_text_without_escapes),
        cmocka_unit_test(color_always_gives_colours_only),
        cmocka_unit_test(one_seed_is_one_life),
        cmocka_unit_test(every_demo_type_is_shown),
        cmocka_unit_test(nothing_to_read_says_what_was_looked_for),
        cmocka_unit_test(an_entry_that_is_no_directory_is_no_device),
        cmocka_unit_test(a_named_source_without_a_device_is_4),
        cmocka_unit_test(processes_that_are_not_there_are_named),
        cmocka_unit_test(commands_heed_the_selection),
        cmocka_unit_test(a_configuration_that_is_asked_for_must_be_there),
        cmocka_unit_test(a_full_disk_is_not_success),
        cmocka_unit_test(a_reader_that_goes_away_ends_it_quietly),
        cmocka_unit_test(a_signal_is_the_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
