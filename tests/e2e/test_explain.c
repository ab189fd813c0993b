// SPDX-License-Identifier: Apache-2.0
// `neutop explain` as a program: where it reads, what it prints, how it ends, and that a large
// input takes time by its length and no memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain_run.h"
#include "term_host.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define BUSY                                                                                      \
    "2026-May-10 06:59:24.358064 16842:16842 ERROR NRT:nrt_allocate_neuron_cores Logical Neuron " \
    "Core(s) not available - Requested:2 Available:0 Logical Core size:1\n"

static void expect(const struct plain_result *result, const char *what)
{
    if (strstr(result->out, what) == NULL)
        fail_msg("nowhere '%s' in\n%s\n%s", what, result->out, result->err);
}

static void reads_standard_input(void **state)
{
    (void)state;
    struct plain_options options = {.input = BUSY};
    struct plain_result result =
        plain_neutop(&options, ARGS("--no-config", "explain", "--offline"));
    assert_int_equal(result.status, 0);
    assert_int_equal(result.err_length, 0);
    expect(&result, "standard input: 1 line, 1 kind of Neuron error");
    expect(&result, "cores-not-available");
    expect(&result, "not looked at (--offline)");
    plain_free(&result);
    result = plain_neutop(&options, ARGS("--no-config", "explain", "--offline", "-"));
    expect(&result, "cores-not-available");
    plain_free(&result);
}

static void reads_a_file_and_looks_at_the_host(void **state)
{
    (void)state;
    struct plain_result result =
        plain_neutop(NULL, ARGS("--no-config", "--demo", "trn1.32xlarge", "--seed", "3", "explain",
                                fixture("field/02-nrt-cores-not-available.txt")));
    assert_int_equal(result.status, 0);
    assert_int_equal(result.err_length, 0);
    assert_int_equal(plain_control(result.out, result.out_length), -1);
    expect(&result, "\"here\" is the demo: invented, not this host.");
    expect(&result, "held by");
    expect(&result, "free now: ");
    plain_free(&result);
}

// A host without Neuron: said, and the causes are told apart.
static void a_host_without_neuron(void **state)
{
    (void)state;
    struct plain_result result =
        plain_neutop(NULL, ARGS("--no-config", "--root", "/nonexistent", "-S", "none", "explain",
                                fixture("field/05-nrt-no-driver.txt")));
    assert_int_equal(result.status, 0);
    assert_int_equal(result.err_length, 0);
    expect(&result, "No Neuron facts on this host");
    expect(&result, "this is not a Neuron instance");
    plain_free(&result);
}

// What this machine lacks is not told of a recording or the demo.
static void a_recording_is_not_this_machine(void **state)
{
    (void)state;
    static const char *const bad[] = {"/sys/module/neuron", "not a Neuron instance", "mapped here"};
    const char *const *const runs[] = {
        ARGS("--no-config", "-i", fixture("monitor/inf2-xlarge-from-capture.ndjson"), "explain",
             fixture("field/05-nrt-no-driver.txt")),
        ARGS("--no-config", "--demo", "explain", fixture("field/05-nrt-no-driver.txt"))};
    static const char *const heads[] = {"\"here\" is the recording given with -i", "is the demo"};
    for (size_t i = 0; i < 2; i++) {
        struct plain_result result = plain_neutop(NULL, runs[i]);
        assert_int_equal(result.status, 0);
        expect(&result, heads[i]);
        expect(&result, "can be seen");
        for (size_t k = 0; k < 3; k++)
            if (strstr(result.out, bad[k]) != NULL)
                fail_msg("'%s' is told:\n%s", bad[k], result.out);
        plain_free(&result);
    }
}

static void nothing_recognised_is_no_error(void **state)
{
    (void)state;
    struct plain_options options = {.input = "all is well\n"};
    struct plain_result result =
        plain_neutop(&options, ARGS("--no-config", "explain", "--offline"));
    assert_int_equal(result.status, 0);
    expect(&result, "1 line, no Neuron error recognised");
    plain_free(&result);
    options = (struct plain_options){0};
    result = plain_neutop(&options, ARGS("--no-config", "explain", "--offline"));
    assert_int_equal(result.status, 0);
    expect(&result, "0 lines, no Neuron error recognised");
    plain_free(&result);
}

static void refused(const char *const *args, const char *what)
{
    struct plain_result result = plain_neutop(NULL, args);
    if (result.status != 2 || result.out_length != 0 || strstr(result.err, what) == NULL)
        fail_msg("'%s': status %d, output %zu bytes, %s", what, result.status, result.out_length,
                 result.err);
    plain_free(&result);
}

static void wrong_use(void **state)
{
    (void)state;
    refused(ARGS("--no-config", "explain", "/nonexistent/job.log"),
            "neutop: /nonexistent/job.log: No such file or directory\n");
    refused(ARGS("--no-config", "explain", "/"), "neutop: /: Is a directory\n");
    refused(ARGS("--no-config", "explain", "a", "b\033[2J"), "unexpected operand 'b");
    refused(ARGS("--no-config", "explain", "--nonsense"), "unknown option '--nonsense'");
    refused(ARGS("--no-config", "explain", "-i", "-"), "cannot be both");
}

static struct json_object *at(struct json_object *object, const char *path)
{
    struct json_object *found = NULL;
    if (json_pointer_get(object, path, &found) != 0)
        fail_msg("no %s in %s", path, json_object_to_json_string(object));
    return found;
}

// F-11 as numbers
static void json(void **state)
{
    (void)state;
    struct plain_result result =
        plain_neutop(NULL, ARGS("--no-config", "explain", "--offline", "--json",
                                fixture("field/09-nrt-oom-mixed.txt")));
    assert_int_equal(result.status, 0);
    assert_int_equal(plain_lines(result.out), 1);
    struct json_object *object = json_tokener_parse(result.out);
    assert_non_null(object);
    assert_string_equal(json_object_get_string(at(object, "/schema")), "neutop.explain/1");
    assert_true(json_object_get_boolean(at(object, "/offline")));
    assert_int_equal(json_object_get_int64(at(object, "/errors/0/places/0/chip")), 3);
    assert_int_equal(json_object_get_int64(at(object, "/errors/0/memory/total_bytes")),
                     17149804413);
    assert_true(json_object_get_boolean(at(object, "/errors/0/memory/adds_up")));
    assert_int_equal(json_object_array_length(at(object, "/errors/0/memory/parts")), 7);
    assert_string_equal(json_object_get_string(at(object, "/errors/0/values/category")),
                        "dma rings");
    assert_int_equal(json_object_array_length(at(object, "/errors")), 1);
    json_object_put(object);
    plain_free(&result);
}

static void every_sample_prints(void **state)
{
    (void)state;
    static const char *const names[] = {"01-neuron-ls-wide-in-pod",
                                        "02-nrt-cores-not-available",
                                        "03-nrt-compat-id-range",
                                        "04-nrt-neff-features",
                                        "05-nrt-no-driver",
                                        "06-tools-no-driver",
                                        "07-neuron-monitor-no-driver-truncated",
                                        "08-nrt-oom-tensors",
                                        "09-nrt-oom-mixed",
                                        "10-dmesg-driver-lines",
                                        "11-modinfo",
                                        "12-dkms-build-fail",
                                        "13-sysfs-power",
                                        "14-nrt-info-start",
                                        "15-nrt-exec-timeouts",
                                        "16-neuron-ls-plain",
                                        "17-neuron-ls-ring-inf2",
                                        "18-neuron-ls-legacy-banner",
                                        "19-module-in-use"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char name[80];
        snprintf(name, sizeof(name), "field/%s.txt", names[i]);
        struct plain_result result =
            plain_neutop(NULL, ARGS("--no-config", "--ascii", "--demo", "trn2.48xlarge", "explain",
                                    fixture(name)));
        size_t column = 0;
        if (result.status != 0 || result.err_length != 0 || result.out_length == 0)
            fail_msg("%s: status %d, %s", name, result.status, result.err);
        for (size_t k = 0; k < result.out_length; k++) {
            column = result.out[k] == '\n' ? 0 : column + 1;
            if (column > 80 || (result.out[k] & 0x80) != 0)
                fail_msg("%s: column %zu:\n%s", name, column, result.out);
        }
        plain_free(&result);
    }
}

// What fills a large input, again and again.
struct flood {
    const char *text;
    size_t length, left;
};

static size_t generate(void *context, char *buffer, size_t size)
{
    struct flood *flood = context;
    size_t done = 0;
    while (done + flood->length <= size && flood->left >= flood->length) {
        memcpy(buffer + done, flood->text, flood->length);
        done += flood->length;
        flood->left -= flood->length;
    }
    return done;
}

static double run_flood(const char *text, size_t size, const char *what, bool bounded)
{
    struct flood flood = {text, strlen(text), size};
    struct plain_options options = {.generate = generate, .context = &flood, .ms = 120000};
    struct plain_result result =
        plain_neutop(&options, ARGS("--no-config", "explain", "--offline"));
    if (result.timed_out || result.status != 0)
        fail_msg("%.40s: status %d after %.1f s: %s", text, result.status, result.seconds,
                 result.err);
    expect(&result, what);
    if (bounded && result.max_rss_kib > 32 * 1024)
        fail_msg("%.40s: %ld KiB of memory", text, result.max_rss_kib);
    double seconds = result.seconds;
    plain_free(&result);
    return seconds;
}

enum { MB = 1000 * 1000 };

// A checked build is slow and takes memory of its own.
#if defined(__SANITIZE_ADDRESS__)
enum { CHECKED = 1 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { CHECKED = 1 };
#else
enum { CHECKED = 0 };
#endif
#else
enum { CHECKED = 0 };
#endif

// 100 MB, ordinary and hostile: the time per byte does not grow with the length.
static void time_by_length(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"step 1234: loss 0.123, 456 tokens/s on 32 workers, all is well and nothing is wrong\n",
         "no Neuron error recognised"},
        {BUSY, "cores-not-available"},
        // one line without an end
        {"ERROR ERROR nrt_ NRT_ LNC 2024-Dec-11 neuron- * pid /dev/neuron NEFF version: ",
         "no Neuron error recognised"},
        // literals of which the other half never comes
        {"status=101 status_code=101 /dev/neuron0 filename: ", "no Neuron error recognised"},
    };
    const size_t size = CHECKED ? 10 * MB : 100 * MB;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        double small = run_flood(texts[i][0], size / 4, texts[i][1], !CHECKED);
        double large = run_flood(texts[i][0], size, texts[i][1], !CHECKED);
        print_message("%.20s...: %zu MB in %.2f s, %zu MB in %.2f s\n", texts[i][0], size / 4 / MB,
                      small, size / MB, large);
        if (large > 12 * small + 1)
            fail_msg("a quarter takes %.2f s, the whole %.2f s", small, large);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_standard_input),
        cmocka_unit_test(reads_a_file_and_looks_at_the_host),
        cmocka_unit_test(a_host_without_neuron),
        cmocka_unit_test(a_recording_is_not_this_machine),
        cmocka_unit_test(nothing_recognised_is_no_error),
        cmocka_unit_test(wrong_use),
        cmocka_unit_test(json),
        cmocka_unit_test(every_sample_prints),
        cmocka_unit_test(time_by_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
