// SPDX-License-Identifier: Apache-2.0
// neuron-monitor as a child, played by small shell scripts that behave, die, babble and refuse.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "source/monitor_config.h"
#include "source_run.h"

#define REPORT "{\"system_data\":{\"memory_info\":{\"period\":0.1,\"memory_used_bytes\":5}}}"

// How a script keeps on: a report every 50 ms, its own process number in a file.
#define ALIVE                   \
    "echo $$ > \"$HERE/pid\"\n" \
    "while :; do echo '" REPORT "'; sleep 0.05; done\n"

struct run {
    struct source_options options;
    struct source source;
    double skipped; // seconds that the test has jumped ahead
};

static const char *in_scratch(const char *name)
{
    static char path[PATH_MAX + 64];
    snprintf(path, sizeof(path), "%s/%s", scratch(), name);
    return path;
}

// Makes a neuron-monitor of BODY and starts it.
static void start(struct run *run, const char *body)
{
    char script[4096], path[PATH_MAX];
    struct trouble trouble;
    remove(in_scratch("pid"));
    remove(in_scratch("config"));
    snprintf(script, sizeof(script), "#!/bin/sh\nHERE='%s'\n%s", scratch(), body);
    write_scratch("neuron-monitor", script, strlen(script), 0755);
    snprintf(path, sizeof(path), "%s:/usr/bin:/bin", scratch());
    setenv("PATH", path, 1);
    setenv("TMPDIR", scratch(), 1);
    *run = (struct run){.options = {.root = "", .delay_seconds = 0.5, .speed = 1}};
    run->source = (struct source){.ops = &source_monitor, .options = &run->options};
    if (!source_monitor.open(&run->source, &trouble))
        fail_msg("%s", trouble.line);
}

static double now(const struct run *run)
{
    return collect_now() + run->skipped;
}

// Works as the loop of the program does, for at most a moment.
static enum source_event step(struct run *run)
{
    int numbers[4];
    struct pollfd fds[4];
    size_t count = source_monitor.fds(&run->source, numbers, 4);
    for (size_t i = 0; i < count; i++)
        fds[i] = (struct pollfd){.fd = numbers[i], .events = POLLIN};
    double wait = source_monitor.deadline(&run->source) - now(run);
    poll(fds, count, wait > 0.02 ? 20 : wait > 0 ? 2 : 0);
    return source_monitor.work(&run->source, now(run));
}

static enum source_state state_of(struct run *run, char detail[SOURCE_DETAIL])
{
    struct source_status status = {0};
    source_monitor.status(&run->source, now(run), &status);
    snprintf(detail, SOURCE_DETAIL, "%s", status.detail);
    return status.state;
}

static void wait_for(struct run *run, enum source_state wanted, char detail[SOURCE_DETAIL])
{
    double until = collect_now() + 10;
    while (state_of(run, detail) != wanted) {
        step(run);
        if (collect_now() > until)
            fail_msg("state is %s: %s", source_state_word(state_of(run, detail)), detail);
    }
}

static uint64_t reports(struct run *run)
{
    struct host *host = host_new();
    source_monitor.fill(&run->source, host, now(run));
    uint64_t count = host->reports_read;
    host_free(host);
    return count;
}

static void wait_for_reports(struct run *run, uint64_t wanted)
{
    double until = collect_now() + 10;
    while (reports(run) < wanted) {
        step(run);
        assert_true(collect_now() < until);
    }
}

static pid_t script_pid(void)
{
    size_t length;
    char *text = read_all(in_scratch("pid"), &length);
    pid_t pid = (pid_t)strtol(text, NULL, 10);
    free(text);
    assert_true(pid > 1);
    return pid;
}

static void stop(struct run *run)
{
    double before = collect_now();
    source_monitor.close(&run->source);
    assert_true(collect_now() - before < 2);
    assert_true(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD); // nobody is left behind
}

static unsigned configs_left(void)
{
    char command[PATH_MAX + 64];
    unsigned count = 99;
    snprintf(command, sizeof(command), "ls '%s' | grep -c neutop-monitor", scratch());
    FILE *pipe = popen(command, "r");
    assert_int_equal(fscanf(pipe, "%u", &count), 1);
    pclose(pipe);
    return count;
}

static void test_period(void **state)
{
    (void)state;
    char buffer[MONITOR_PERIOD];
    assert_string_equal(monitor_period(1, buffer), "1s");
    assert_string_equal(monitor_period(0.5, buffer), "500ms");
    assert_string_equal(monitor_period(0.1, buffer), "100ms");
    assert_string_equal(monitor_period(1.5, buffer), "1500ms");
    assert_string_equal(monitor_period(3600, buffer), "3600s");
    assert_string_equal(monitor_period(0, buffer), "1ms");
}

// The configuration asks for every group, is private, and is gone once it has been read.
static void test_configuration(void **state)
{
    (void)state;
    struct run run;
    char detail[SOURCE_DETAIL];
    struct stat info;
    size_t length;
    start(&run, "[ \"$1\" = -c ] && [ $# = 2 ] || exit 9\ncp -p \"$2\" \"$HERE/config\"\n" ALIVE);
    assert_int_equal(state_of(&run, detail), SOURCE_STARTING);
    assert_int_equal(configs_left(), 0); // nothing for a kill -9 of ours to leave behind
    wait_for(&run, SOURCE_LIVE, detail);
    assert_string_equal(detail, in_scratch("neuron-monitor"));
    assert_int_equal(configs_left(), 0);
    assert_int_equal(stat(in_scratch("config"), &info), 0);
    assert_int_equal(info.st_mode & 07777, 0600);
    char *ours = read_all(in_scratch("config"), &length);
    char *reference = read_all(fixture("neuron-monitor-config.json"), &length);
    json_object *a = json_tokener_parse(ours), *b = json_tokener_parse(reference);
    assert_string_equal(json_object_get_string(json_object_object_get(a, "period")), "500ms");
    json_object_object_add(a, "period", json_object_new_string("1s"));
    assert_true(json_object_equal(a, b));
    json_object_put(a);
    json_object_put(b);
    free(ours);
    free(reference);
    stop(&run);
}

// Dies, says why, is restarted after 1 s, then 2 s; what it said before grows stale.
static void test_dies(void **state)
{
    (void)state;
    struct run run;
    char detail[SOURCE_DETAIL];
    start(&run, "echo '" REPORT "'\necho 'first' >&2\nprintf 'no \\033[1mdriver' >&2\nexit 3\n");
    wait_for(&run, SOURCE_LOST, detail);
    assert_string_equal(detail,
                        "neuron-monitor exited with status 3: no \xef\xbf\xbd[1mdriver; next "
                        "start after 1 s");
    assert_int_equal(reports(&run), 1);
    double wait = source_monitor.deadline(&run.source) - now(&run);
    assert_true(wait > 0.5 && wait <= 1);
    assert_int_equal(source_monitor.work(&run.source, now(&run)), SOURCE_QUIET);
    assert_int_equal(reports(&run), 1);
    run.skipped += 1;
    wait_for_reports(&run, 2);
    wait_for(&run, SOURCE_LOST, detail);
    assert_non_null(strstr(detail, "; next start after 2 s"));
    for (int i = 0; i < 5; i++) {
        run.skipped += 60;
        wait_for_reports(&run, 3 + (uint64_t)i);
        wait_for(&run, SOURCE_LOST, detail);
    }
    assert_non_null(strstr(detail, "; next start after 60 s"));
    struct host *host = host_new();
    run.skipped += 5;
    source_monitor.fill(&run.source, host, now(&run));
    assert_count(host->machine.memory_used_bytes, 5);
    assert_true(host->machine.memory_used_bytes.stale);
    host_free(host);
    assert_int_equal(configs_left(), 0);
    stop(&run);
}

// After a run that gave reports the delay begins anew.
static void test_health(void **state)
{
    (void)state;
    struct run run;
    char detail[SOURCE_DETAIL];
    start(&run, "for i in 1 2 3 4 5 6; do echo '" REPORT "'; done\nkill -9 $$\n");
    for (int i = 0; i < 3; i++) {
        wait_for(&run, SOURCE_LOST, detail);
        assert_string_equal(detail, "neuron-monitor was killed by signal 9 (Killed); next start "
                                    "after 1 s");
        run.skipped += 1.01;
        wait_for_reports(&run, 6 * ((uint64_t)i + 2));
    }
    stop(&run);
}

// An unknown option makes it print its usage on standard output.
static void test_usage(void **state)
{
    (void)state;
    struct run run;
    char detail[SOURCE_DETAIL];
    start(&run, "echo 'Usage:'; echo '  neuron-monitor [OPTIONS]'; exit 1\n");
    wait_for(&run, SOURCE_LOST, detail);
    assert_string_equal(detail, "neuron-monitor exited with status 1 without a report, its output: "
                                "this line is no JSON object; next start after 1 s");
    stop(&run);
}

static void test_cannot_be_run(void **state)
{
    (void)state;
    struct run run;
    char detail[SOURCE_DETAIL];
    start(&run, "");
    stop(&run);
    write_scratch("neuron-monitor", "#!/nonexistent/shell\n", 21, 0755);
    struct trouble trouble;
    assert_true(source_monitor.open(&run.source, &trouble));
    wait_for(&run, SOURCE_LOST, detail);
    assert_non_null(strstr(detail, "exited with status 127"));
    assert_non_null(strstr(detail, "No such file or directory"));
    stop(&run);
}

// Megabytes on standard error neither stop it nor fill our memory; the last words are kept.
static void test_flood(void **state)
{
    (void)state;
    struct run run;
    char detail[SOURCE_DETAIL];
    start(&run,
          "yes 'a line of trouble that goes on and on and on' | head -c 3000000 >&2\necho >&2\n"
          "echo 'last words' >&2\necho '" REPORT "'\nsleep 0.1\nexit 0\n");
    wait_for_reports(&run, 1);
    wait_for(&run, SOURCE_LOST, detail);
    assert_string_equal(detail,
                        "neuron-monitor exited with status 0: last words; next start after 1 s");
    stop(&run);
}

// A descendant that got away holds the output open: the death is seen at a time that comes, though
// it is asked for again and again.
static void test_look_comes(void **state)
{
    (void)state;
    struct run run;
    char detail[SOURCE_DETAIL];
    start(&run, "echo '" REPORT "'\nsetsid sleep 4 &\nsleep 0.2\nexit 5\n");
    wait_for_reports(&run, 1);
    double look = source_monitor.deadline(&run.source);
    usleep(400000);
    assert_true(source_monitor.deadline(&run.source) == look);
    assert_true(look <= collect_now() + 2);
    run.skipped += 2;
    wait_for(&run, SOURCE_LOST, detail);
    assert_non_null(strstr(detail, "exited with status 5"));
    stop(&run);
}

// Endless words on standard error wake the program a few times a second, not all the time.
static void test_endless_errors(void **state)
{
    (void)state;
    struct run run;
    unsigned wakes = 0;
    start(&run, "exec yes 'a line of trouble' >&2\n");
    for (double until = collect_now() + 1; collect_now() < until; wakes++) {
        int numbers[4];
        struct pollfd fds[4];
        size_t count = source_monitor.fds(&run.source, numbers, 4);
        for (size_t i = 0; i < count; i++)
            fds[i] = (struct pollfd){.fd = numbers[i], .events = POLLIN};
        double wait = source_monitor.deadline(&run.source) - collect_now();
        poll(fds, count, wait > 0 ? (int)(wait * 1000) + 1 : 0);
        source_monitor.work(&run.source, collect_now());
    }
    assert_in_range(wakes, 2, 60);
    stop(&run);
}

// Another delay: another configuration, at once, and no death of it.
static void test_delay(void **state)
{
    (void)state;
    struct run run;
    char detail[SOURCE_DETAIL];
    size_t length;
    start(&run, "cp \"$2\" \"$HERE/config\"\n" ALIVE);
    wait_for(&run, SOURCE_LIVE, detail);
    pid_t first = script_pid();
    source_monitor.set_delay(&run.source, 0.5); // the same
    step(&run);
    assert_int_equal(kill(first, 0), 0);
    source_monitor.set_delay(&run.source, 2);
    double until = collect_now() + 5;
    while (kill(first, 0) == 0 && collect_now() < until)
        step(&run);
    uint64_t before = reports(&run);
    wait_for_reports(&run, before + 2);
    assert_int_equal(state_of(&run, detail), SOURCE_LIVE);
    char *config = read_all(in_scratch("config"), &length);
    assert_non_null(strstr(config, "\"period\":\"2s\""));
    free(config);
    assert_int_not_equal(script_pid(), first);
    stop(&run);
}

// One that does not listen to SIGTERM is killed, at a change of the delay and at the end.
static void test_ignores_term(void **state)
{
    (void)state;
    struct run run;
    char detail[SOURCE_DETAIL];
    start(&run, "trap '' TERM\n" ALIVE);
    wait_for(&run, SOURCE_LIVE, detail);
    pid_t first = script_pid();
    source_monitor.set_delay(&run.source, 3);
    run.skipped += 1.1;
    double until = collect_now() + 5;
    while (kill(first, 0) == 0 && collect_now() < until)
        step(&run);
    assert_int_not_equal(kill(first, 0), 0);
    wait_for_reports(&run, reports(&run) + 1);
    pid_t second = script_pid();
    stop(&run);
    assert_int_not_equal(kill(second, 0), 0);
}

// Closes its output but lives on: it is ended and started anew.
static void test_closes_output(void **state)
{
    (void)state;
    struct run run;
    char detail[SOURCE_DETAIL];
    start(&run, "echo '" REPORT "'\nexec >&-\nexec sleep 100\n");
    wait_for_reports(&run, 1);
    run.skipped += 2;
    wait_for(&run, SOURCE_LOST, detail);
    assert_non_null(strstr(detail, "was killed by signal 9"));
    stop(&run);
}

// Ends while something it started holds its output open.
static void test_leaves_a_child(void **state)
{
    (void)state;
    struct run run;
    char detail[SOURCE_DETAIL];
    start(&run, "sleep 100 &\necho $! > \"$HERE/pid\"\necho '" REPORT "'\nexit 4\n");
    wait_for_reports(&run, 1);
    run.skipped += 2;
    wait_for(&run, SOURCE_LOST, detail);
    assert_non_null(strstr(detail, "exited with status 4"));
    pid_t left = script_pid();
    for (int i = 0; i < 200 && kill(left, 0) == 0; i++)
        usleep(10000);
    char path[64], text[64] = "";
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)left); // a zombie where nobody reaps orphans
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        assert_non_null(fgets(text, sizeof(text), file));
        assert_non_null(strstr(text, ") Z"));
        fclose(file);
    }
    stop(&run);
}

// Its input is empty, its signals are as they should be, no descriptor of ours is open in it.
static void test_clean_slate(void **state)
{
    (void)state;
    struct run run;
    char detail[SOURCE_DETAIL];
    char script[512];
    sigset_t all, before;
    int leak = fcntl(STDERR_FILENO, F_DUPFD, 20); // 3 is the configuration
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    signal(SIGPIPE, SIG_IGN);
    snprintf(script, sizeof(script),
             "read x && exit 8\n[ -e /proc/$$/fd/%d ] && exit 7\n"
             "grep -q 'SigBlk:.*0000000000000000' /proc/self/status || exit 6\n"
             "grep SigIgn /proc/self/status >&2\nexit 5\n",
             leak);
    start(&run, script);
    sigprocmask(SIG_SETMASK, &before, NULL);
    wait_for(&run, SOURCE_LOST, detail);
    assert_memory_equal(detail, "neuron-monitor exited with status 5: SigIgn:", 44);
    unsigned long long ignored = strtoull(strstr(detail, "SigIgn:") + 7 + 3, NULL, 16);
    assert_true((ignored & (1ull << (SIGPIPE - 1))) == 0);
    signal(SIGPIPE, SIG_DFL);
    close(leak);
    stop(&run);
}

// Also when we are killed it ends.
static void test_ends_with_us(void **state)
{
    (void)state;
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    pid_t us = fork();
    if (us == 0) {
        struct run run;
        // silent from then on: a write to our pipe would end it anyway
        start(&run, "echo $$ > \"$HERE/pid\"\necho '" REPORT "'\nexec sleep 100\n");
        while (reports(&run) < 1)
            step(&run);
        byte = 'x';
        _exit(write(ends[1], &byte, 1) == 1 && pause() ? 0 : 1);
    }
    assert_int_equal(read(ends[0], &byte, 1), 1);
    pid_t script = script_pid();
    assert_int_equal(kill(script, 0), 0);
    kill(us, SIGKILL);
    assert_int_equal(waitpid(us, NULL, 0), us);
    char path[64], text[256] = "";
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)script);
    for (int i = 0; i < 300; i++) {
        FILE *file = fopen(path, "r");
        text[0] = '\0';
        if (file == NULL)
            break;
        char *line = fgets(text, sizeof(text), file);
        fclose(file);
        if (line == NULL || strstr(text, ") Z") != NULL)
            break;
        usleep(10000);
    }
    assert_true(text[0] == '\0' || strstr(text, ") Z") != NULL);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_period),         cmocka_unit_test(test_configuration),
        cmocka_unit_test(test_dies),           cmocka_unit_test(test_health),
        cmocka_unit_test(test_usage),          cmocka_unit_test(test_cannot_be_run),
        cmocka_unit_test(test_flood),          cmocka_unit_test(test_look_comes),
        cmocka_unit_test(test_endless_errors), cmocka_unit_test(test_delay),
        cmocka_unit_test(test_ignores_term),   cmocka_unit_test(test_closes_output),
        cmocka_unit_test(test_leaves_a_child), cmocka_unit_test(test_clean_slate),
        cmocka_unit_test(test_ends_with_us),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
