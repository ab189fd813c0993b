// SPDX-License-Identifier: Apache-2.0
// A stream from a file, a pipe, a FIFO: pace, hand-over of each report, its end, and inputs that
// are none. The clock is the test's own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "source_run.h"

// A stream with its options, at a time of its own.
struct run {
    struct source_options options;
    struct source source;
};

static void start(struct run *run)
{
    struct trouble trouble = {.line = ""};
    run->source = (struct source){.ops = &source_stream, .options = &run->options};
    if (!source_stream.open(&run->source, &trouble))
        fail_msg("%s", trouble.line);
}

static enum source_event work(struct run *run, double now)
{
    return source_stream.work(&run->source, now);
}

static double deadline(struct run *run)
{
    return source_stream.deadline(&run->source);
}

static struct host *snapshot(struct run *run, double now)
{
    struct host *host = host_new();
    source_stream.fill(&run->source, host, now);
    return host;
}

static uint64_t reports(struct run *run)
{
    struct host *host = snapshot(run, 0);
    uint64_t count = host->reports_read;
    host_free(host);
    return count;
}

static enum source_state state_at(struct run *run, double now)
{
    struct source_status status = {0};
    source_stream.status(&run->source, now, &status);
    return status.state;
}

static void stop(struct run *run)
{
    source_stream.close(&run->source);
}

// idle-host: the first report covers 0.5 ms, each of the other five one second.
static void test_pace(void **state)
{
    (void)state;
    static const double speeds[] = {1, 2, 10, 0.5};
    for (size_t i = 0; i < 4; i++) {
        struct run run = {.options = reading(fixture("idle-host.ndjson"))};
        run.options.unpaced = run.options.every_report = false;
        run.options.speed = speeds[i];
        start(&run);
        assert_true(deadline(&run) <= 100);
        assert_int_equal(work(&run, 100), SOURCE_NEW);
        double now = 100;
        for (int report = 2; report <= 6; report++) {
            assert_int_equal(work(&run, now + 0.0001), SOURCE_QUIET);
            double due = deadline(&run);
            assert_float_equal(due - now, 1 / speeds[i], 0.002 / speeds[i]);
            assert_int_equal(work(&run, due - 0.001 / speeds[i]), SOURCE_QUIET);
            assert_int_equal(work(&run, due), SOURCE_NEW);
            assert_int_equal(reports(&run), report);
            now = due;
        }
        assert_int_equal(state_at(&run, now), SOURCE_LIVE);
        assert_int_equal(work(&run, now + 0.01), SOURCE_FINISHED);
        assert_int_equal(state_at(&run, now), SOURCE_ENDED);
        assert_true(isinf(deadline(&run)));
        assert_int_equal(work(&run, now + 100), SOURCE_FINISHED); // for good
        stop(&run);
    }
}

// After a stop (Ctrl-Z, a sleeping laptop) the replay goes on at its pace.
static void test_pace_after_stop(void **state)
{
    (void)state;
    struct run run = {.options = reading(fixture("idle-host.ndjson"))};
    run.options.unpaced = run.options.every_report = false;
    start(&run);
    assert_int_equal(work(&run, 0), SOURCE_NEW);
    assert_int_equal(work(&run, 1000), SOURCE_NEW);
    assert_int_equal(work(&run, 1000), SOURCE_QUIET);
    assert_true(deadline(&run) > 1000.9 && deadline(&run) < 1001.1);
    stop(&run);
}

// The last frame stays as it was: the clock of a recording stands still at its end.
static void test_last_frame(void **state)
{
    (void)state;
    struct run run = {.options = reading(fixture("trn2-48xlarge-lnc2.ndjson"))};
    start(&run);
    while (work(&run, 5) != SOURCE_FINISHED)
        continue;
    struct host *host = snapshot(&run, 5000);
    assert_true(host->finished);
    assert_false(host->cores[0].utilization_percent.stale);
    assert_int_equal(host->cores[0].utilization_percent.from, FROM_RECORDING);
    assert_true(host->mono_seconds > 5.9 && host->mono_seconds < 6.1); // six reports of 1 s
    host_free(host);
    stop(&run);
}

static void test_every_report(void **state)
{
    (void)state;
    struct run run = {.options = reading(fixture("trn1-32xlarge-busy-2procs.ndjson"))};
    start(&run);
    for (int report = 1; report <= 6; report++) {
        assert_int_equal(work(&run, 5), SOURCE_NEW);
        assert_int_equal(reports(&run), report);
        assert_true(deadline(&run) <= 5); // more is there
    }
    assert_int_equal(work(&run, 5), SOURCE_FINISHED);
    stop(&run);
    run.options.every_report = run.options.unpaced = false; // --speed 0: all at once
    run.options.speed = 0;
    start(&run);
    assert_int_equal(work(&run, 5), SOURCE_NEW);
    assert_int_equal(reports(&run), 6);
    assert_int_equal(work(&run, 5), SOURCE_FINISHED);
    stop(&run);
}

static void expect_failure(const char *input, const char *words)
{
    struct run run = {.options = reading(input)};
    char line[SOURCE_DETAIL * 2];
    enum source_event event = SOURCE_QUIET;
    start(&run);
    for (int i = 0; i < 1000 && event == SOURCE_QUIET; i++)
        event = work(&run, i);
    assert_int_equal(event, SOURCE_FAILED);
    assert_int_equal(work(&run, 1000), SOURCE_FAILED);
    struct source_status status = {0};
    source_stream.status(&run.source, 0, &status);
    snprintf(line, sizeof(line), "%s: %s", input, words);
    assert_string_equal(status.detail, line);
    stop(&run);
}

static void expect_refusal(const char *input, const char *words)
{
    struct run run = {.options = reading(input)};
    struct trouble trouble;
    char line[SOURCE_DETAIL * 2];
    run.source = (struct source){.ops = &source_stream, .options = &run.options};
    assert_false(source_stream.open(&run.source, &trouble));
    snprintf(line, sizeof(line), "%s: %s", input, words);
    assert_string_equal(trouble.line, line);
}

static void test_no_stream(void **state)
{
    (void)state;
    char path[4096];
    expect_refusal("/nonexistent", "No such file or directory");
    expect_refusal("/", "is a directory, not a neuron-monitor stream");
    expect_failure("/dev/null", "is empty: no neuron-monitor report in it");
    strcpy(path, write_scratch("words", "hello\nworld\n", 12, 0644));
    expect_failure(path,
                   "no neuron-monitor report in the 12 bytes (byte 1, line 1: this line is no "
                   "JSON object); is this the output of neuron-monitor?");
    strcpy(path, write_scratch("other", "{\"a\":1}\n", 8, 0644));
    expect_failure(path, "no neuron-monitor report in the 8 bytes (byte 1, line 1: a JSON object, "
                         "but no report of neuron-monitor); is this the output of neuron-monitor?");
    strcpy(path, write_scratch("cut", "\n\n{\"system_data\":{\"a", 21, 0644));
    expect_failure(path,
                   "no neuron-monitor report in the 21 bytes (byte 22, line 3: the input ends "
                   "in the middle of a report); is this the output of neuron-monitor?");
    if (geteuid() != 0) {
        strcpy(path, write_scratch("secret", "{}", 2, 0000));
        expect_refusal(path, "Permission denied");
    }
}

// A name is text from outside, too.
static void test_hostile_name(void **state)
{
    (void)state;
    struct run run = {.options = reading("/nowhere/\x1b[31mred")};
    struct trouble trouble;
    run.source = (struct source){.ops = &source_stream, .options = &run.options};
    assert_false(source_stream.open(&run.source, &trouble));
    assert_null(strchr(trouble.line, '\x1b'));
}

// One line that is too large hides no good one behind it.
static void test_too_large_first(void **state)
{
    (void)state;
    static const char tail[] = "\"}\n{\"system_data\":{}}\n";
    struct run run = {.options = {.speed = 1}};
    char path[4096];
    strcpy(path, write_scratch("large", "{\"a\":\"", 6, 0644));
    int fd = open(path, O_WRONLY);
    assert_int_equal(pwrite(fd, tail, strlen(tail), 90 * 1024 * 1024), strlen(tail));
    close(fd);
    run.options.input = path;
    start(&run);
    enum source_event event = SOURCE_QUIET;
    while (event == SOURCE_QUIET)
        event = work(&run, 0);
    assert_int_equal(event, SOURCE_NEW);
    assert_int_equal(reports(&run), 1);
    struct host *host = snapshot(&run, 0);
    assert_int_equal(host->reports_damaged, 1);
    host_free(host);
    source_stream.close(&run.source);
    assert_int_equal(truncate(path, 0), 0);
}

// 80 MiB without a report are enough.
static void test_gives_up(void **state)
{
    (void)state;
    char path[4096];
    strcpy(path, write_scratch("zeros", "{\n{\n", 4, 0644));
    assert_int_equal(truncate(path, 90 * 1024 * 1024), 0);
    expect_failure(path,
                   "no neuron-monitor report in the first 83886080 bytes (byte 3, line 2: '{' "
                   "cannot stand here); is this the output of neuron-monitor?");
}

// Damage between reports costs nothing but a line, and that is counted and named.
static void test_damage(void **state)
{
    (void)state;
    static const char text[] =
        "usage: x\n{\"system_data\":{}}\n{\"system_data\":{\"memory_\n"
        "{\"system_data\":{}}\n{\"system_data\":tru}\n{\"system_data\":{}}\n";
    char path[4096], trouble[5000];
    strcpy(path, write_scratch("damaged", text, sizeof(text) - 1, 0644));
    struct host *host = snapshot_after(path, 0);
    assert_int_equal(host->reports_read, 3);
    assert_int_equal(host->reports_damaged, 3);
    snprintf(trouble, sizeof(trouble), "%s: byte 91, line 5: unexpected character", path);
    assert_non_null(host->input_trouble);
    assert_memory_equal(host->input_trouble, trouble, strlen(path) + 14);
    host_free(host);
}

// Bytes of a pipe one by one, and its end in the middle.
static void test_pipe(void **state)
{
    (void)state;
    int ends[2], saved = dup(STDIN_FILENO), fd;
    size_t size;
    char *content = read_all(fixture("trn1-2xlarge-captured.ndjson"), &size);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[0], STDIN_FILENO);
    struct run run = {.options = reading("-")};
    run.options.unpaced = run.options.every_report = false;
    start(&run);
    assert_int_equal(source_stream.fds(&run.source, &fd, 1), 1);
    assert_int_equal(fd, STDIN_FILENO);
    assert_true(isinf(deadline(&run)));
    assert_int_equal(work(&run, 1), SOURCE_QUIET); // nothing there: must not block
    unsigned fresh = 0;
    for (size_t i = 0; i < size; i++) {
        assert_int_equal(write(ends[1], content + i, 1), 1);
        fresh += work(&run, 1 + (double)i / 10000) == SOURCE_NEW; // as it comes, not paced
    }
    assert_int_equal(fresh, 3);
    assert_int_equal(write(ends[1], content, 1000), 1000);
    close(ends[1]);
    enum source_event event = SOURCE_QUIET;
    for (int i = 0; i < 5 && event == SOURCE_QUIET; i++)
        event = work(&run, 3);
    assert_int_equal(event, SOURCE_FINISHED);
    struct host *host = snapshot(&run, 3);
    assert_int_equal(host->reports_read, 3);
    assert_int_equal(host->reports_damaged, 1);
    assert_int_equal(host->cores[0].utilization_percent.from, FROM_MONITOR);
    host_free(host);
    stop(&run);
    dup2(saved, STDIN_FILENO);
    close(saved);
    close(ends[0]);
    free(content);
}

// A live pipe that falls silent: its facts grow stale.
static void test_silent_pipe(void **state)
{
    (void)state;
    char path[4096];
    size_t size;
    char *content = read_all(fixture("trn1-2xlarge-captured.ndjson"), &size);
    snprintf(path, sizeof(path), "%s/fifo", scratch());
    assert_int_equal(mkfifo(path, 0600), 0);
    struct run run = {.options = reading(path)};
    start(&run);
    assert_int_equal(work(&run, 1), SOURCE_QUIET); // no writer yet: neither an end nor a wait
    int fd = open(path, O_WRONLY | O_NONBLOCK);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, content, size), size);
    assert_int_equal(work(&run, 2), SOURCE_NEW);
    assert_int_equal(work(&run, 2), SOURCE_NEW);
    assert_int_equal(work(&run, 2), SOURCE_NEW);
    assert_int_equal(work(&run, 2), SOURCE_QUIET);
    assert_int_equal(state_at(&run, 4), SOURCE_LIVE);
    assert_int_equal(state_at(&run, 5.5), SOURCE_STALE);
    struct host *host = snapshot(&run, 5.5);
    assert_true(host->cores[0].utilization_percent.stale);
    host_free(host);
    close(fd);
    assert_int_equal(work(&run, 6), SOURCE_FINISHED);
    stop(&run);
    free(content);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pace),
        cmocka_unit_test(test_pace_after_stop),
        cmocka_unit_test(test_last_frame),
        cmocka_unit_test(test_every_report),
        cmocka_unit_test(test_no_stream),
        cmocka_unit_test(test_hostile_name),
        cmocka_unit_test(test_too_large_first),
        cmocka_unit_test(test_gives_up),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_silent_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
