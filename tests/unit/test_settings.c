// SPDX-License-Identifier: Apache-2.0
// The option table: every value that an option takes and refuses.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "cmd/settings.h"

static bool give(struct settings *settings, const char *name, const char *value)
{
    char why[SETTINGS_WHY] = "";
    const struct option_row *row = settings_option(settings_options(), name);
    assert_non_null(row);
    bool taken = row->apply(settings, value, why);
    assert_true(taken || why[0] != '\0'); // a refusal says why
    return taken;
}

static void test_defaults(void **state)
{
    (void)state;
    struct settings settings;
    settings_init(&settings);
    assert_true(settings.source.delay_seconds == 1);
    assert_true(settings.source.speed == 1);
    assert_int_equal(settings.color, -1);
    assert_int_equal(settings.source_count, 0);
    assert_string_equal(settings.source.root, "");
}

static void test_delay(void **state)
{
    (void)state;
    struct settings settings;
    settings_init(&settings);
    static const char *const good[] = {"0.1", "1", "3600", "2.50"};
    static const char *const bad[] = {"",    "0",   "0.09", "3600.1", "-1", "nan",  "inf",
                                      "0x1", "1e3", "1s",   "1,5",    " 1", "1.2.3"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        assert_true(give(&settings, "delay", good[i]));
    assert_true(settings.source.delay_seconds == 2.5);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(give(&settings, "delay", bad[i]));
    assert_true(settings.source.delay_seconds == 2.5);
}

static void test_whole_numbers(void **state)
{
    (void)state;
    struct settings settings;
    settings_init(&settings);
    assert_true(give(&settings, "iterations", "1"));
    assert_int_equal(settings.iterations, 1);
    assert_false(give(&settings, "iterations", "0"));
    assert_false(give(&settings, "iterations", "1.5"));
    assert_false(give(&settings, "iterations", "99999999999999999999"));
    assert_true(give(&settings, "pid", "31207"));
    assert_true(give(&settings, "pid", "40112"));
    assert_int_equal(settings.pid_count, 2);
    assert_int_equal(settings.pids[1], 40112);
    assert_false(give(&settings, "pid", "0"));
    assert_false(give(&settings, "pid", "4294967296"));
    assert_true(give(&settings, "seed", "0"));
    assert_false(give(&settings, "seed", "x"));
    static const char *const bad[] = {"+1", " 1", "1 ", "\t1", "-0", "", "0x1", "1e0"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_false(give(&settings, "iterations", bad[i]));
        assert_false(give(&settings, "pid", bad[i]));
        assert_false(give(&settings, "seed", bad[i]));
        assert_false(give(&settings, "speed", strcmp(bad[i], "-0") == 0 ? "+0" : bad[i]));
    }
    assert_int_equal(settings.iterations, 1);
    assert_true(give(&settings, "speed", "0"));
    assert_false(give(&settings, "speed", "1000001"));
}

static void test_sources(void **state)
{
    (void)state;
    struct settings settings;
    settings_init(&settings);
    assert_true(give(&settings, "source", "monitor+demo"));
    assert_true(give(&settings, "source", "none,auto"));
    assert_int_equal(settings.source_count, 4);
    assert_string_equal(settings.source_names[0], "monitor");
    assert_string_equal(settings.source_names[3], "auto");
    static const char *const bad[] = {"",      "gpu",        "monitor+",
                                      ",demo", "demo++none", "a-name-much-longer-than-any"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        settings_init(&settings);
        assert_false(give(&settings, "source", bad[i]));
    }
    settings_init(&settings);
    assert_true(give(&settings, "demo", NULL));
    assert_string_equal(settings.source_names[0], "demo");
    assert_null(settings.source.demo_type);
}

static void test_config_source_is_replaced(void **state)
{
    (void)state;
    struct settings settings;
    settings_init(&settings);
    assert_true(give(&settings, "source", "demo"));
    settings.sources_from_config = true;
    assert_true(give(&settings, "source", "monitor"));
    assert_int_equal(settings.source_count, 1);
    assert_string_equal(settings.source_names[0], "monitor");
}

static void test_words(void **state)
{
    (void)state;
    struct settings settings;
    settings_init(&settings);
    assert_true(give(&settings, "color", "never"));
    assert_int_equal(settings.color, 0);
    assert_true(give(&settings, "color", "always"));
    assert_int_equal(settings.color, 1);
    assert_false(give(&settings, "color", "sometimes"));
    assert_true(give(&settings, "theme", "mono"));
    assert_string_equal(settings.theme, "mono");
    assert_false(give(&settings, "theme", "no such theme"));
    assert_true(give(&settings, "ascii", NULL));
    assert_true(settings.ascii);
    assert_true(give(&settings, "ascii", "no"));
    assert_false(settings.ascii);
    assert_false(give(&settings, "ascii", "maybe"));
    assert_false(give(&settings, "sort", "no such column"));
    assert_true(give(&settings, "sort", "hbm"));
    assert_string_equal(settings.sort, "hbm");
    assert_true(give(&settings, "view", "memory"));
    assert_false(give(&settings, "view", "detail")); // needs a process to show
    assert_true(give(&settings, "view", "help"));
    assert_true(settings.list == ui_view_name);
    assert_false(give(&settings, "view", "no such view"));
    assert_true(give(&settings, "root", "/"));
    assert_string_equal(settings.source.root, "");
    assert_false(give(&settings, "root", ""));
    assert_false(give(&settings, "input", ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_delay),
        cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_config_source_is_replaced),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
