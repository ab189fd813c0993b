// SPDX-License-Identifier: Apache-2.0
// A table of SDK releases from a file: the project's own gives the table that is compiled in, and a
// damaged or hostile one gives a clear line.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/releases_file.h"

static void the_own_file_gives_the_compiled_table(void **state)
{
    (void)state;
    char path[PATH_MAX], expected[400], got[400];
    struct trouble trouble;
    const struct releases *builtin = releases_builtin();
    snprintf(path, sizeof(path), "%s/data/releases.json", getenv("NEUTOP_SRCDIR"));
    struct releases *releases = releases_file_read(path, &trouble);
    assert_non_null(releases);
    assert_int_equal(releases->row_count, builtin->row_count);
    assert_memory_equal(releases->rows, builtin->rows, sizeof(*builtin->rows) * builtin->row_count);
    assert_int_equal(releases->window_count, builtin->window_count);
    assert_int_equal(releases->id_count, builtin->id_count);
    assert_int_equal(releases->component_count, builtin->component_count);
    for (size_t i = 0; i < builtin->component_count; i++) {
        const struct release_component *row = &builtin->components[i];
        enum component component = (enum component)row->component;
        uint64_t one = releases_holding(builtin, component, row->version, GEN_TRN1, NULL);
        uint64_t other = releases_holding(releases, component, row->version, GEN_TRN1, NULL);
        releases_names(builtin, one, expected, sizeof(expected));
        assert_string_equal(releases_names(releases, other, got, sizeof(got)), expected);
    }
    for (size_t i = 0; i < builtin->window_count; i++) {
        unsigned a[2] = {0}, b[2] = {0};
        releases_window(builtin, builtin->windows[i].driver, GEN_TRN2, &a[0], &a[1]);
        releases_window(releases, builtin->windows[i].driver, GEN_TRN2, &b[0], &b[1]);
        assert_memory_equal(a, b, sizeof(a));
    }
    releases_file_free(releases);
}

static void check_bad(const char *text, const char *expected)
{
    const char *why = "";
    assert_null(releases_file_parse(text, strlen(text), &why));
    assert_string_equal(why, expected);
}

static void what_is_no_table_is_refused(void **state)
{
    (void)state;
    check_bad("", "no JSON object");
    check_bad("[]", "no JSON object");
    check_bad("{", "no JSON object");
    check_bad("{}", "no list \"releases\" in it");
    check_bad("{\"releases\":{}}", "no list \"releases\" in it");
    check_bad("{\"releases\":[]}", "no release of a known form in it");
    check_bad("{\"releases\":[null,1,\"2.1\",{\"sdk\":7},{\"sdk\":\"2.1\"}]}",
              "no release of a known form in it");
    check_bad("{\"releases\":[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]}", "no JSON object");
    struct trouble trouble;
    assert_null(releases_file_read("/dev/null", &trouble));
    assert_non_null(strstr(trouble.line, "no regular file"));
    assert_null(releases_file_read("/no/such\033[2J", &trouble));
    assert_null(strchr(trouble.line, '\033'));
}

static void damage_inside_is_left_out(void **state)
{
    (void)state;
    static const char text[] =
        "{\"releases\":[{\"sdk\":\"3.0.0\",\"date\":\"2027-01-01\",\"instances\":[\"trn9\"],"
        "\"components\":{\"driver\":[{\"version\":\"3.1.0.0\",\"instances\":[\"trn2\"]},"
        "{\"version\":\"\\u001b[2J\"},{\"version\":\"123456789012345678901234567890\"},7],"
        "\"compiler\":{},\"unheard_of\":[{\"version\":\"1.0\"}]}}],"
        "\"driver_runtime_compat_windows\":[{\"driver\":\"3.1.0.0\",\"window\":{\"v3\":"
        "{\"min\":12,\"max\":11},\"v2\":{\"min\":5,\"max\":99999},\"v1\":{\"min\":1,\"max\":2}}}],"
        "\"runtime_compat_ids\":[{\"runtime\":\"libnrt\",\"arch\":\"v2\"}]}";
    const char *why = "";
    struct releases *releases = releases_file_parse(text, sizeof(text) - 1, &why);
    assert_non_null(releases);
    assert_int_equal(releases->row_count, 1);
    assert_int_equal(releases->rows[0].families, 0);
    assert_int_equal(releases->component_count, 1);
    assert_int_equal(releases->window_count, 1);
    assert_int_equal(releases->id_count, 0);
    enum release_match how;
    assert_int_equal(releases_holding(releases, COMPONENT_DRIVER, "3.1.0.0", GEN_TRN2, &how), 1);
    assert_int_equal(how, RELEASE_EXACT);
    releases_file_free(releases);
}

static void more_releases_than_fit_are_left_out(void **state)
{
    (void)state;
    char *text = malloc(1 << 20);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "{\"releases\":[");
    for (int i = 0; i < 200; i++)
        used += (size_t)sprintf(text + used,
                                "%s{\"sdk\":\"9.%d\",\"components\":{\"driver\":[{\"version\":"
                                "\"9.%d\"}]}}",
                                i > 0 ? "," : "", 200 - i, 200 - i);
    used += (size_t)sprintf(text + used, "]}");
    const char *why = "";
    struct releases *releases = releases_file_parse(text, used, &why);
    assert_non_null(releases);
    assert_int_equal(releases->row_count, RELEASES_MAX);
    assert_string_equal(releases->rows[0].sdk, "9.200");
    releases_file_free(releases);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_own_file_gives_the_compiled_table),
        cmocka_unit_test(what_is_no_table_is_refused),
        cmocka_unit_test(damage_inside_is_left_out),
        cmocka_unit_test(more_releases_than_fit_are_left_out),
    };
    return cmocka_run_group_tests_name("releases_file", tests, NULL, NULL);
}
