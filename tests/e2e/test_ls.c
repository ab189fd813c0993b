// SPDX-License-Identifier: Apache-2.0
// `neutop ls` from outside: options, exit statuses, sources, its forms.
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

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct bad {
    const char *args[8];
    const char *named;
} bad_usage[] = {
    {{"ls", "--nope"}, "nope"},
    {{"ls", "-Z"}, "Z"},
    {{"ls", "--wide=3"}, "wide"},
    {{"ls", "--json=yaml", "--demo"}, "yaml"},
    {{"ls", "--json="}, "json"},
    {{"ls", "extra"}, "extra"},
    {{"--demo", "ls", "ls"}, "ls"},
    {{"--demo", "ls", "--", "-w"}, "-w"},
    {{"--demo", "ls", "--cores", "--json=neuron-ls"}, "--cores"},
    {{"-w", "ls"}, "w"}, // its own options come behind it
    {{"--demo=trn9.huge", "ls"}, "trn9.huge"},
};

static void wrong_usage_is_named_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_usage / sizeof bad_usage[0]; i++) {
        struct plain_result result = plain_neutop(NULL, bad_usage[i].args);
        if (result.status != 2 || result.out_length != 0 ||
            strstr(result.err, bad_usage[i].named) == NULL ||
            strstr(result.err, "Try 'neutop --help'.") == NULL || plain_lines(result.err) != 2)
            fail_msg("case %zu: status %d: %s", i, result.status, result.err);
        plain_free(&result);
    }
}

static void help_is_its_own(void **state)
{
    (void)state;
    struct plain_result result = plain_neutop(NULL, ARGS("ls", "--help"));
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.out, "-t, --topology"));
    assert_non_null(strstr(result.out, "--json[=neuron-ls]"));
    assert_null(
        strstr(result.out, "document per update")); // the common --json is hidden by its own
    for (char *rest = result.out, *line; (line = strsep(&rest, "\n")) != NULL;)
        assert_true(strlen(line) <= 80);
    plain_free(&result);
}

static void every_demo_type_is_listed(void **state)
{
    (void)state;
    static const char *const types[] = {"inf1.xlarge",        "inf1.24xlarge", "inf2.xlarge",
                                        "inf2.24xlarge",      "inf2.48xlarge", "trn1.2xlarge",
                                        "trn1.32xlarge",      "trn2.3xlarge",  "trn2.48xlarge",
                                        "trn2.48xlarge:lnc1", "trn3",          "trn3-gen2"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct plain_result result =
            plain_neutop(NULL, ARGS("--no-config", "--demo", types[i], "ls", "-t"));
        if (result.status != 0 || strstr(result.out, "TOPOLOGY: ") == NULL)
            fail_msg("%s: status %d: %s", types[i], result.status, result.err);
        assert_string_equal(result.err, "");
        assert_int_equal(plain_control(result.out, result.out_length), -1);
        assert_true(result.seconds < 5);
        plain_free(&result);
        result = plain_neutop(NULL, ARGS("--no-config", "--demo", types[i], "ls", "--cores"));
        assert_int_equal(result.status, 0);
        assert_non_null(strstr(result.out, "NeuronCore-v"));
        plain_free(&result);
    }
}

static json_object *document(const char *const *args, bool newline)
{
    struct plain_result result = plain_neutop(NULL, args);
    assert_int_equal(result.status, 0);
    assert_string_equal(result.err, "");
    assert_true(result.out_length > 0);
    assert_int_equal(result.out[result.out_length - 1] == '\n', newline);
    json_object *parsed = json_tokener_parse(result.out);
    assert_non_null(parsed);
    plain_free(&result);
    return parsed;
}

static void json_in_both_forms(void **state)
{
    (void)state;
    json_object *ours = document(
        ARGS("--no-config", "--demo", "trn2.48xlarge:lnc1", "ls", "--json", "--cores"), true);
    assert_int_equal(json_object_array_length(json_object_object_get(ours, "chips")), 16);
    assert_int_equal(json_object_array_length(json_object_object_get(ours, "descriptors")), 128);
    json_object_put(ours);
    ours = document(ARGS("--no-config", "--demo", "--json", "ls"), true); // before the command too
    assert_null(json_object_object_get(ours, "descriptors"));
    json_object_put(ours);
    json_object *theirs =
        document(ARGS("--no-config", "--demo", "inf2.48xlarge", "ls", "--json=neuron-ls"), false);
    assert_true(json_object_is_type(theirs, json_type_array));
    assert_int_equal(json_object_array_length(theirs), 12);
    json_object_put(theirs);
}

static void nothing_to_read_is_status_4(void **state)
{
    (void)state;
    struct plain_options options = {.env = (const char *const[]){"PATH=/nonexistent", NULL}};
    static const char *const forms[][7] = {
        {"--no-config", "--root", "/nonexistent", "ls"},
        {"--no-config", "--root", "/nonexistent", "ls", "--json"},
        {"--no-config", "-S", "none", "ls", "--json=neuron-ls"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct plain_result result = plain_neutop(&options, forms[i]);
        assert_int_equal(result.status, 4);
        assert_int_equal(result.out_length,
                         0); // as neuron-ls: nothing for a parser to stumble over
        assert_non_null(strstr(result.err, "neutop: nothing"));
        plain_free(&result);
    }
}

static void a_stream_is_a_source(void **state)
{
    (void)state;
    struct plain_result result = plain_neutop(
        NULL, ARGS("--no-config", "-i", fixture("monitor/trn1-32xlarge-busy-2procs.ndjson"), "ls"));
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.out, "instance-type: trn1.32xlarge\n"));
    assert_non_null(strstr(result.out, "48211"));
    plain_free(&result);
    result = plain_neutop(NULL, ARGS("--no-config", "-i", "/dev/null", "ls"));
    assert_int_equal(result.status, 2);
    assert_int_equal(result.out_length, 0);
    assert_true(plain_lines(result.err) >= 1);
    plain_free(&result);
}

// A pipe that goes on for ever: the listing is there with the first complete report.
static void a_live_stream_is_not_read_to_its_end(void **state)
{
    (void)state;
    char script[512];
    snprintf(
        script, sizeof script,
        "exec \"$NEUTOP_BIN\" --no-config -i - ls < <(exec 2>/dev/null; cat '%s'; exec sleep 6)",
        fixture("monitor/inf2-xlarge-from-capture.ndjson"));
    struct plain_result result = plain_run(NULL, ARGS("bash", "-c", script));
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.out, "instance-type: inf2.xlarge\n"));
    assert_non_null(strstr(result.out, "2199"));
    assert_true(result.seconds < 5);
    plain_free(&result);
}

static void a_full_disk_is_not_success(void **state)
{
    (void)state;
    struct plain_result result = plain_run(
        NULL, ARGS("sh", "-c", "exec \"$NEUTOP_BIN\" --no-config --demo ls --json >/dev/full"));
    assert_int_equal(result.status, 2);
    assert_int_equal(plain_lines(result.err), 1);
    plain_free(&result);
}

static void colours_only_when_asked(void **state)
{
    (void)state;
    struct plain_result result =
        plain_neutop(NULL, ARGS("--no-config", "--demo", "ls", "--color", "always"));
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.out, "\033[1m"));
    plain_free(&result);
    result = plain_neutop(NULL, ARGS("--no-config", "--demo", "ls", "-t", "--ascii"));
    for (size_t i = 0; i < result.out_length; i++)
        assert_true((unsigned char)result.out[i] < 0x80);
    plain_free(&result);
}

static void one_process_only(void **state)
{
    (void)state;
    struct plain_result result =
        plain_neutop(NULL, ARGS("--no-config", "--demo", "ls", "-p", "8412"));
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.out, " 8412 "));
    assert_null(strstr(result.out, "train.py"));
    plain_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_usage_is_named_once),
        cmocka_unit_test(help_is_its_own),
        cmocka_unit_test(every_demo_type_is_listed),
        cmocka_unit_test(json_in_both_forms),
        cmocka_unit_test(nothing_to_read_is_status_4),
        cmocka_unit_test(a_stream_is_a_source),
        cmocka_unit_test(a_live_stream_is_not_read_to_its_end),
        cmocka_unit_test(a_full_disk_is_not_success),
        cmocka_unit_test(colours_only_when_asked),
        cmocka_unit_test(one_process_only),
    };
    return cmocka_run_group_tests_name("ls", tests, NULL, NULL);
}
