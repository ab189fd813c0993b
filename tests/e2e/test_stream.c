// SPDX-License-Identifier: Apache-2.0
// Streams from files and pipes: captured ones in full, and hostile, broken or endless ones with one
// clear line.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "plain_run.h"
#include "term_host.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

// One clear line that says what and where; nothing on standard output; exit 2.
static void expect_refused(struct plain_result *result, const char *what)
{
    if (result->timed_out || result->status != 2 || result->out_length != 0 ||
        plain_lines(result->err) != 1 || strncmp(result->err, "neutop: ", 8) != 0 ||
        result->err_length < 20 || result->err_length > 400 ||
        plain_control(result->err, result->err_length) != -1)
        fail_msg("%s: %s status %d, %zu bytes of output, standard error:\n%.1000s", what,
                 result->timed_out ? "timed out," : "", result->status, result->out_length,
                 result->err);
    plain_free(result);
}

// Columns of the longest line, counted as a terminal would.
static int widest(const char *text)
{
    int most = 0;
    int columns = 0;
    wchar_t c;

    for (size_t n; *text != '\0' && (n = mbrtowc(&c, text, 8, NULL)) + 2 > 2; text += n) {
        columns = c == L'\n' ? 0 : columns + wcwidth(c);
        most = columns > most ? columns : most;
    }
    return most;
}

static void check_text(const char *name, struct plain_result *result)
{
    if (result->status != 0 || result->err_length != 0 || result->out_length < 200 ||
        plain_control(result->out, result->out_length) != -1 || widest(result->out) > 80)
        fail_msg("%s: status %d, %d columns, control byte at %ld, standard error:\n%s\n%s", name,
                 result->status, widest(result->out),
                 plain_control(result->out, result->out_length), result->err, result->out);
}

static unsigned each_fixture(void (*check)(const char *path))
{
    DIR *folder = opendir(fixture("monitor"));
    unsigned files = 0;

    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char name[300];
        size_t size = strlen(entry->d_name);
        if (size < 7 || strcmp(entry->d_name + size - 7, ".ndjson") != 0)
            continue;
        snprintf(name, sizeof name, "monitor/%s", entry->d_name);
        check(fixture(name));
        files++;
    }
    closedir(folder);
    return files;
}

static void check_once(const char *path)
{
    struct plain_result file = plain_neutop(NULL, ARGS("--no-config", "--once", "-i", path));
    struct plain_options options = {.file = path};
    struct plain_result pipe = plain_neutop(&options, ARGS("--no-config", "--once", "-i", "-"));

    check_text(path, &file);
    check_text(path, &pipe);
    plain_free(&file);
    plain_free(&pipe);
}

static void every_capture_gives_a_text(void **state)
{
    (void)state;
    assert_true(each_fixture(check_once) >= 12);
}

static void check_screen(const char *path)
{
    struct term *term = term_neutop(24, 80, ARGS("--no-config", "--speed", "0", "-i", path));

    expect_that(term, term_wait_alternate(term, true, TERM_WAIT));
    expect_text(term, "Quit"); // the key bar is drawn last
    expect_that(term, strstr(term_row(term, 0), "neutop") != NULL);
    expect_that(term, term_count(term, " ") > 8);
    term_send(term, "q");
    expect_exit(term, 0);
    term_free(term);
}

static void every_capture_is_shown(void **state)
{
    (void)state;
    assert_true(each_fixture(check_screen) >= 12);
}

static void a_finished_capture_stays_and_says_so(void **state)
{
    (void)state;
    struct term *term = term_neutop(
        24, 80,
        ARGS("--no-config", "--speed", "0", "-i", fixture("monitor/trn1-2xlarge-captured.ndjson")));

    expect_text(term, "ENDED");
    expect_text(term, "trn1.2xlarge");
    expect_that(term, term_wait_exit(term, 300) == -1);
    term_send(term, "q");
    expect_exit(term, 0);
    term_free(term);
}

static void keys_come_from_the_terminal_while_a_pipe_speaks(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    struct plain_result text =
        plain_run(NULL, ARGS("cat", fixture("monitor/inf2-xlarge-from-capture.ndjson")));
    struct term_options options = {.input = ends[0]};
    struct term *term = term_start(&options, ARGS(neutop_path(), "--no-config", "-i", "-"));

    close(ends[0]);
    assert_int_equal(write(ends[1], text.out, text.out_length), (ssize_t)text.out_length);
    expect_text(term, "inf2.xlarge");
    term_send(term, KEY_F1);
    expect_text(term, "sort");
    term_send(term, KEY_ESC);
    expect_text(term, "inf2.xlarge");
    close(ends[1]); // the stream ends; the last frame stays
    expect_that(term, term_wait_exit(term, 300) == -1);
    term_send(term, "q");
    expect_exit(term, 0);
    term_free(term);
    plain_free(&text);
}

struct bounded {
    const char *line;
    size_t left;
};

static size_t same_line(void *context, char *buffer, size_t size)
{
    struct bounded *bounded = context;
    size_t used = 0;
    size_t length = strlen(bounded->line);

    while (used + length <= size && bounded->left >= length) {
        memcpy(buffer + used, bounded->line, length);
        used += length;
        bounded->left -= length;
    }
    return used;
}

static void a_hundred_megabytes_of_open_braces(void **state)
{
    (void)state;
    struct bounded bounded = {"{\n", 100 << 20};
    struct plain_options options = {.generate = same_line, .context = &bounded, .ms = 30000};
    struct plain_result result = plain_neutop(&options, ARGS("--no-config", "-i", "-", "--once"));

    assert_true(result.max_rss_kib < 512 * 1024);
    expect_refused(&result, "100 MB of open braces");
}

static void noise_ends_by_itself(void **state)
{
    (void)state;
    struct plain_options options = {.file = "/dev/urandom", .ms = 30000};
    struct plain_result result = plain_neutop(&options, ARGS("--no-config", "-i", "-", "--once"));
    expect_refused(&result, "/dev/urandom on standard input");
    result = plain_neutop(&(struct plain_options){.ms = 30000},
                          ARGS("--no-config", "-i", "/dev/urandom", "--once"));
    expect_refused(&result, "/dev/urandom as a file");
    result = plain_neutop(&(struct plain_options){.ms = 30000},
                          ARGS("--no-config", "-i", "/dev/zero", "--json"));
    expect_refused(&result, "/dev/zero");
}

static void what_is_no_stream_is_refused(void **state)
{
    (void)state;
    static const char *const inputs[] = {
        "",       "\n\n\n",        "hello\n",        "null\n",      "17\n",
        "[]\n",   "{}\n",          "\"text\"\n",     "{\"a\":1}\n", "{\"system_data\":",
        "}}}}\n", "\xff\xfe\x00x", "<html></html>\n"};

    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        struct plain_options options = {.input = inputs[i]};
        struct plain_result result =
            plain_neutop(&options, ARGS("--no-config", "-i", "-", "--once"));
        expect_refused(&result, inputs[i]);
        result = plain_neutop(&options, ARGS("--no-config", "-i", "-", "--json"));
        expect_refused(&result, inputs[i]);
    }
    struct plain_result result =
        plain_neutop(NULL, ARGS("--no-config", "-i", "/nonexistent/capture", "--once"));
    assert_non_null(strstr(result.err, "/nonexistent/capture"));
    expect_refused(&result, "a file that is not there");
    result = plain_neutop(NULL, ARGS("--no-config", "-i", "/", "--once"));
    expect_refused(&result, "a folder");
}

static char *read_fixture(const char *name)
{
    struct plain_result result = plain_run(NULL, ARGS("cat", fixture(name)));
    free(result.err);
    return result.out;
}

static void a_cut_input_keeps_what_was_whole(void **state)
{
    (void)state;
    char *stream = read_fixture("monitor/trn1-2xlarge-captured.ndjson");
    char *second = strchr(stream, '\n') + 1;

    second[400] = '\0';
    struct plain_options options = {.input = stream};
    struct plain_result result = plain_neutop(&options, ARGS("--no-config", "-i", "-", "--once"));
    check_text("cut in the second report", &result);
    assert_non_null(strstr(result.out, "trn1.2xlarge"));
    plain_free(&result);
    stream[400] = '\0';
    result = plain_neutop(&options, ARGS("--no-config", "-i", "-", "--once"));
    expect_refused(&result, "cut in the first report");
    free(stream);
}

static void damage_in_the_middle_is_stepped_over(void **state)
{
    (void)state;
    char *report = read_fixture("monitor/trn1-2xlarge-first-record-captured.ndjson");
    size_t size = strlen(report) * 2 + 4096;
    char *stream = malloc(size);

    assert_non_null(stream);
    snprintf(stream, size, "%s{\"neuron_runtime_data\": [{]\nlevel=error msg=\"{broken\"\n\n%s",
             report, report);
    struct plain_options options = {.input = stream};
    struct plain_result result = plain_neutop(&options, ARGS("--no-config", "-i", "-", "--json"));
    assert_int_equal(result.status, 0);
    assert_int_equal(plain_lines(result.out), 2);
    plain_free(&result);
    free(stream);
    free(report);
}

// A report with one runtime of tag TAG that has one model named MODEL, both already escaped for
// JSON.
static char *report_with(const char *tag, const char *model)
{
    static const char form[] =
        "{\"neuron_runtime_data\":[{\"pid\":4242,\"neuron_runtime_tag\":\"%s\",\"error\":\"\","
        "\"report\":{"
        "\"neuroncore_counters\":{\"period\":1.0,\"neuroncores_in_use\":{\"0\":{\"neuroncore_"
        "utilization\":50.0}},\"error\":\"\"},"
        "\"memory_used\":{\"period\":1.0,\"neuron_runtime_used_bytes\":{\"host\":1024,\"neuron_"
        "device\":2048,"
        "\"usage_breakdown\":{\"host\":{\"tensors\":1024},\"neuroncore_memory_usage\":{\"0\":{"
        "\"tensors\":2048}}}},"
        "\"loaded_models\":[{\"name\":\"%s\",\"uuid\":\"0123456789abcdef0123456789abcdef\",\"model_"
        "id\":10001,\"is_running\":true,"
        "\"subgraphs\":{\"sg_00\":{\"memory_used_bytes\":{\"host\":1,\"neuron_device\":2},"
        "\"neuroncore_index\":0,"
        "\"neuron_device_index\":0}}}],\"error\":\"\"}}}],\"system_data\":{},"
        "\"instance_info\":{\"instance_name\":\"%s\",\"instance_id\":\"i-0\",\"instance_type\":"
        "\"trn1.2xlarge\",\"error\":\"\"},"
        "\"neuron_hardware_info\":{\"neuron_device_count\":1,\"neuroncore_per_device_count\":2,"
        "\"error\":\"\"}}\n";
    size_t size = sizeof form + 2 * strlen(tag) + strlen(model);
    char *report = malloc(size);

    assert_non_null(report);
    snprintf(report, size, form, tag, model, tag);
    return report;
}

static const char *const hostile[] = {
    "\\u001b]0;pwned\\u0007",
    "\\u001b[2J\\u001b[31mred",
    "a\\u009b31mb\\u0090c\\u009d0;t\\u009c",
    "one\\ntwo\\rthree\\u0008\\u0008four\\u007f\\tfive",
    "nul\\u0000nul",
    "\\u202egnp.exe\\u202c\\u2066\\u200b\\ufeff",
    "中文字中文字中文字",
    "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81 combining",
    "\xff\xfe\xc0\xaf\xed\xa0\x80 bytes",
    "\\ud83d\\ude80 rocket \\ud83d alone",
};

static void check_hostile_screen(const char *path)
{
    struct term *term = term_neutop(24, 80, ARGS("--no-config", "--speed", "0", "-i", path));
    size_t length;

    expect_text(term, "4242");
    expect_that(term, term_wait_quiet(term, 60, TERM_WAIT));
    const char *raw = term_raw(term, &length);
    expect_that(term, memmem(raw, length, "\033]0;pwned", 9) == NULL);
    expect_that(term, memmem(raw, length, "\033[31mred", 8) == NULL);
    expect_that(term, memchr(raw, '\a', length) == NULL);
    expect_that(term, memmem(raw, length, "\xc2\x9b", 2) == NULL);
    expect_that(term, memmem(raw, length, "\xe2\x80\xae", 3) == NULL);
    expect_that(term, strstr(term_row(term, 0), "neutop") !=
                          NULL); // nothing has scrolled or been cleared
    // A name before them, wide or combining, moves nothing: the clock stands in its columns.
    expect_that(term, strcmp(term_cell(term, 0, 73).text, ":") == 0);
    expect_that(term, strcmp(term_cell(term, 0, 76).text, ":") == 0);
    term_send(term, "q");
    expect_exit(term, 0);
    term_free(term);
}

static void hostile_text_never_reaches_the_terminal(void **state)
{
    (void)state;
    char path[] = "/tmp/neutop-hostile-XXXXXX";
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        char *report = report_with(hostile[i], hostile[i]);
        struct plain_options options = {.input = report};
        struct plain_result text = plain_neutop(&options, ARGS("--no-config", "-i", "-", "--once"));
        struct plain_result json = plain_neutop(&options, ARGS("--no-config", "-i", "-", "--json"));
        check_text(hostile[i], &text);
        assert_non_null(strstr(text.out, "4242"));
        assert_int_equal(json.status, 0);
        assert_int_equal(plain_lines(json.out), 1);
        assert_int_equal(plain_control(json.out, json.out_length), -1);
        assert_int_equal(ftruncate(fd, 0), 0);
        assert_int_equal(pwrite(fd, report, strlen(report), 0), (ssize_t)strlen(report));
        check_hostile_screen(path);
        plain_free(&text);
        plain_free(&json);
        free(report);
    }
    close(fd);
    unlink(path);
}

static void long_names_and_long_lines(void **state)
{
    (void)state;
    size_t size = 300000;
    char *name = malloc(size + 1);

    assert_non_null(name);
    memset(name, 'x', size);
    name[size] = '\0';
    char *report = report_with("tag", name);
    char *other = report_with(name, "model");
    struct plain_options options = {.input = report};
    struct plain_result result = plain_neutop(&options, ARGS("--no-config", "-i", "-", "--once"));
    check_text("a model name of 300,000 characters", &result);
    plain_free(&result);
    options.input = other;
    result = plain_neutop(&options, ARGS("--no-config", "-i", "-", "--once"));
    check_text("a tag of 300,000 characters", &result);
    plain_free(&result);
    free(report);
    free(other);
    free(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_capture_gives_a_text),
        cmocka_unit_test(every_capture_is_shown),
        cmocka_unit_test(a_finished_capture_stays_and_says_so),
        cmocka_unit_test(keys_come_from_the_terminal_while_a_pipe_speaks),
        cmocka_unit_test(a_hundred_megabytes_of_open_braces),
        cmocka_unit_test(noise_ends_by_itself),
        cmocka_unit_test(what_is_no_stream_is_refused),
        cmocka_unit_test(a_cut_input_keeps_what_was_whole),
        cmocka_unit_test(damage_in_the_middle_is_stepped_over),
        cmocka_unit_test(hostile_text_never_reaches_the_terminal),
        cmocka_unit_test(long_names_and_long_lines),
    };
    setlocale(LC_ALL, "");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
