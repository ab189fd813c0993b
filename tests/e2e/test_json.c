// SPDX-License-Identifier: Apache-2.0
// JSON Lines: every line is one whole document, with numbers as numbers and the keys that scripts
// rely on. (The schema itself is checked elsewhere.)
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain_run.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct json_object *parse_line(const char *line)
{
    struct json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    struct json_object *object = json_tokener_parse_ex(tokener, line, (int)strlen(line) + 1);

    if (json_tokener_get_error(tokener) != json_tokener_success)
        fail_msg("not JSON (%s): %.200s", json_tokener_error_desc(json_tokener_get_error(tokener)),
                 line);
    json_tokener_free(tokener);
    return object;
}

static struct json_object *at(struct json_object *object, const char *path)
{
    struct json_object *found = NULL;
    if (json_pointer_get(object, path, &found) != 0)
        return NULL;
    return found;
}

static int64_t number(struct json_object *object, const char *path)
{
    struct json_object *found = at(object, path);
    if (found == NULL || !(json_object_is_type(found, json_type_int) ||
                           json_object_is_type(found, json_type_double)))
        fail_msg("%s is no number: %s", path, json_object_to_json_string(found));
    return json_object_get_int64(found);
}

static const char *text(struct json_object *object, const char *path)
{
    struct json_object *found = at(object, path);
    if (!json_object_is_type(found, json_type_string))
        fail_msg("%s is no text: %s", path, json_object_to_json_string(found));
    return json_object_get_string(found);
}

static size_t length(struct json_object *object, const char *path)
{
    struct json_object *found = at(object, path);
    if (!json_object_is_type(found, json_type_array))
        fail_msg("%s is no list: %s", path, json_object_to_json_string(found));
    return json_object_array_length(found);
}

static void the_demo_has_its_facts(void **state)
{
    (void)state;
    struct plain_result result = plain_neutop(
        NULL, ARGS("--no-config", "--demo", "--seed", "3", "--json", "-n", "3", "-d", "0.1"));
    int lines = 0;

    assert_int_equal(result.status, 0);
    assert_int_equal(plain_lines(result.out), 3);
    for (char *rest = result.out, *line; (line = strsep(&rest, "\n")) != NULL && *line != '\0';
         lines++) {
        struct json_object *object = parse_line(line);
        int year, end = 0;
        assert_string_equal(text(object, "/schema"), "neutop.host/1");
        sscanf(text(object, "/time"), "%d-%*2d-%*2dT%*2d:%*2d:%*f%nZ", &year, &end);
        assert_true(year >= 2024 && text(object, "/time")[end] == 'Z');
        assert_string_equal(text(object, "/instance/type"), "trn2.48xlarge");
        assert_int_equal(number(object, "/hardware/chips"), 16);
        assert_int_equal(number(object, "/hardware/lnc"), 2);
        assert_int_equal(number(object, "/hardware/device_memory_bytes_per_chip"), 103079215104);
        assert_int_equal(length(object, "/chips"), 16);
        for (size_t i = 0; i < 16; i++) {
            char path[64];
            snprintf(path, sizeof path, "/chips/%zu/index", i);
            assert_int_equal(number(object, path), i);
            snprintf(path, sizeof path, "/chips/%zu/cores", i);
            assert_int_equal(length(object, path), 4);
            snprintf(path, sizeof path, "/chips/%zu/cores/3/index", i);
            assert_int_equal(number(object, path), 4 * i + 3);
        }
        assert_true(length(object, "/processes") >= 3);
        assert_true(length(object, "/findings") >= 1);
        assert_true(number(object, "/processes/0/pid") > 0);
        assert_true(length(object, "/processes/0/cores") > 0);
        json_object_put(object);
    }
    assert_int_equal(lines, 3);
    plain_free(&result);
}

// Unknown is null or absent, never 0: the idle host's first record has no CPU usage and no hardware
// counters.
static void unknown_is_not_zero(void **state)
{
    (void)state;
    struct plain_result result =
        plain_neutop(NULL, ARGS("--no-config", "--json", "-n", "1", "-i",
                                fixture("monitor/trn1-2xlarge-first-record-captured.ndjson")));
    assert_int_equal(result.status, 0);
    struct json_object *object = parse_line(result.out);

    assert_null(at(object, "/host/cpu_user_percent"));
    assert_true(number(object, "/host/memory_total_bytes") > 0);
    assert_null(at(object, "/chips/0/cores/0/utilization_percent"));
    assert_null(at(object, "/chips/0/power_percent"));
    assert_null(at(object, "/versions/driver"));
    json_object_put(object);
    plain_free(&result);
}

static unsigned file_lines(const char *path)
{
    struct plain_result result = plain_run(&(struct plain_options){.file = path}, ARGS("wc", "-l"));
    unsigned lines = (unsigned)atoi(result.out);
    plain_free(&result);
    return lines;
}

static void check_stream(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "monitor/%s", name);
    const char *file = fixture(path);
    struct plain_result result = plain_neutop(NULL, ARGS("--no-config", "--json", "-i", file));

    if (result.status != 0 || plain_lines(result.out) != file_lines(file))
        fail_msg("%s: status %d, %u documents of %u reports: %s", name, result.status,
                 plain_lines(result.out), file_lines(file), result.err);
    for (char *rest = result.out, *line; (line = strsep(&rest, "\n")) != NULL && *line != '\0';) {
        struct json_object *object = parse_line(line);
        assert_string_equal(text(object, "/schema"), "neutop.host/1");
        assert_true(json_object_is_type(at(object, "/chips"), json_type_array));
        json_object_put(object);
    }
    plain_free(&result);
}

static void every_report_of_a_stream_gives_a_document(void **state)
{
    (void)state;
    DIR *folder = opendir(fixture("monitor"));
    unsigned files = 0;

    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        size_t size = strlen(entry->d_name);
        if (size < 7 || strcmp(entry->d_name + size - 7, ".ndjson") != 0)
            continue;
        check_stream(entry->d_name);
        files++;
    }
    closedir(folder);
    assert_true(files >= 12);
}

// What changes from run to run is the clock, not the simulated life.
static void one_seed_is_one_life(void **state)
{
    (void)state;
    static const char *const seeds[] = {"5", "5", "6"};
    char *shape[3];

    for (size_t i = 0; i < 3; i++) {
        struct plain_result result = plain_neutop(
            NULL, ARGS("--no-config", "--demo", "--seed", seeds[i], "--json", "-n", "1"));
        struct json_object *object = parse_line(result.out);
        struct json_object *part = at(object, "/chips");
        shape[i] = strdup(json_object_to_json_string(part));
        json_object_put(object);
        plain_free(&result);
    }
    assert_string_equal(shape[0], shape[1]);
    assert_string_not_equal(shape[0], shape[2]);
    for (size_t i = 0; i < 3; i++)
        free(shape[i]);
}

static void one_pid_keeps_the_hardware(void **state)
{
    (void)state;
    const char *file = fixture("monitor/trn1n-32xlarge-32procs-captured.ndjson");
    struct plain_result all = plain_neutop(NULL, ARGS("--no-config", "--json", "-i", file));
    struct json_object *whole = parse_line(all.out);
    char pid[32];
    snprintf(pid, sizeof pid, "%d", (int)number(whole, "/processes/5/pid"));
    struct plain_result one =
        plain_neutop(NULL, ARGS("--no-config", "--json", "-i", file, "-p", pid));
    struct json_object *part = parse_line(one.out);

    assert_int_equal(length(whole, "/processes"), 32);
    assert_int_equal(length(part, "/processes"), 1);
    assert_int_equal(number(part, "/processes/0/pid"), atoi(pid));
    assert_int_equal(length(part, "/chips"), 16);
    assert_int_equal(number(part, "/chips/0/memory_used_bytes"),
                     number(whole, "/chips/0/memory_used_bytes"));
    json_object_put(whole);
    json_object_put(part);
    plain_free(&all);
    plain_free(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_demo_has_its_facts),
        cmocka_unit_test(unknown_is_not_zero),
        cmocka_unit_test(every_report_of_a_stream_gives_a_document),
        cmocka_unit_test(one_seed_is_one_life),
        cmocka_unit_test(one_pid_keeps_the_hardware),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
