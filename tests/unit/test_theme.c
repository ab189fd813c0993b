// SPDX-License-Identifier: Apache-2.0
// Themes are complete, and colours are used only where they are wanted.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui/theme.h"
#include "ui/ui.h"

static void themes_are_found(void **state)
{
    (void)state;
    assert_string_equal(theme_get(NULL)->name, "default");
    assert_string_equal(theme_get("colorblind")->name, "colorblind");
    assert_non_null(theme_get("light"));
    assert_null(theme_get("no such theme"));
    struct ui_name name;
    size_t count = 0;
    for (const struct theme *theme = theme_table(); theme->name != NULL; theme++) {
        assert_true(ui_theme_name(count++, &name));
        assert_string_equal(theme->name, name.name);
    }
    assert_false(ui_theme_name(count, &name));
}

static bool fits(int16_t color, int colors)
{
    return color >= COLOR_DEFAULT && color < colors;
}

static void colours_exist_on_the_terminal(void **state)
{
    (void)state;
    for (const struct theme *theme = theme_table(); theme->name != NULL; theme++) {
        for (int role = 0; role < ROLE_COUNT; role++) {
            const struct style *none = &theme->styles[DEPTH_NONE][role];
            assert_int_equal(none->foreground, COLOR_DEFAULT);
            assert_int_equal(none->background, COLOR_DEFAULT);
            assert_true(fits(theme->styles[DEPTH_8][role].foreground, 8));
            assert_true(fits(theme->styles[DEPTH_8][role].background, 8));
            assert_true(fits(theme->styles[DEPTH_256][role].foreground, 256));
            assert_true(fits(theme->styles[DEPTH_256][role].background, 256));
        }
    }
}

static bool same(const struct style *a, const struct style *b)
{
    return a->foreground == b->foreground && a->background == b->background &&
           a->attributes == b->attributes;
}

// The selected row, alarms and heads must stand out in every theme and depth.
static void what_matters_stands_out(void **state)
{
    static const enum role roles[] = {ROLE_SELECTED, ROLE_CRITICAL, ROLE_WARNING,
                                      ROLE_TITLE,    ROLE_HEAD,     ROLE_HELD,
                                      ROLE_STALE,    ROLE_TAB_ON,   ROLE_MATCH};

    (void)state;
    for (const struct theme *theme = theme_table(); theme->name != NULL; theme++) {
        for (int depth = 0; depth < DEPTHS; depth++) {
            const struct style *styles = theme->styles[depth];
            for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
                assert_false(same(&styles[roles[i]], &styles[ROLE_TEXT]));
            assert_false(same(&styles[ROLE_HELD], &styles[ROLE_FREE]));
            assert_false(same(&styles[ROLE_CRITICAL], &styles[ROLE_INFO]));
        }
    }
}

static void no_color_is_honoured(void **state)
{
    (void)state;
    unsetenv("NO_COLOR");
    assert_int_equal(theme_depth(256, -1), DEPTH_256);
    assert_int_equal(theme_depth(8, -1), DEPTH_8);
    assert_int_equal(theme_depth(16, 1), DEPTH_8);
    assert_int_equal(theme_depth(-1, 1), DEPTH_NONE);
    assert_int_equal(theme_depth(256, 0), DEPTH_NONE);
    setenv("NO_COLOR", "1", 1);
    assert_int_equal(theme_depth(256, -1), DEPTH_NONE);
    assert_int_equal(theme_depth(256, 1), DEPTH_256); // asked for explicitly
    setenv("NO_COLOR", "", 1);
    assert_int_equal(theme_depth(256, -1), DEPTH_256); // empty counts as not set
    unsetenv("NO_COLOR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(themes_are_found),
        cmocka_unit_test(colours_exist_on_the_terminal),
        cmocka_unit_test(what_matters_stands_out),
        cmocka_unit_test(no_color_is_honoured),
    };
    return cmocka_run_group_tests_name("theme", tests, NULL, NULL);
}
