// SPDX-License-Identifier: Apache-2.0
// Sheets scroll, wrap, find, and keep what they draw inside their area.
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "ui/sheet.h"

static struct canvas canvas;
static struct sheet sheet;
static const struct rect area = {1, 0, 4, 20};

static int start(void **state)
{
    (void)state;
    setlocale(LC_ALL, "C.UTF-8");
    canvas.ascii = false;
    canvas_resize(&canvas, 6, 20);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    canvas_free(&canvas);
    sheet_free(&sheet);
    return 0;
}

static void numbers(bool drawing)
{
    sheet_begin(&sheet, &canvas, area, drawing);
    for (unsigned i = 0; i < 10; i++) {
        sheet_line(&sheet, 100 + i);
        sheet_textf(&sheet, ROLE_TEXT, "line %u", i);
    }
    sheet_end(&sheet);
}

static void show(void (*build)(bool drawing))
{
    build(false);
    canvas_clear(&canvas);
    build(true);
}

static const char *row(int y)
{
    static char text[32];
    size_t used = 0;

    for (int x = 0; x < canvas.cols; x++)
        text[used++] = (char)canvas_at(&canvas, y, x)->ch;
    while (used > 0 && text[used - 1] == ' ')
        used--;
    text[used] = '\0';
    return text;
}

static void only_what_is_seen_is_drawn(void **state)
{
    (void)state;
    show(numbers);
    assert_int_equal(sheet.count, 10);
    assert_string_equal(row(0), "");
    assert_string_equal(row(1), "line 0");
    assert_string_equal(row(4), "line 3");
    assert_string_equal(row(5), "");
    list_scroll(&sheet.list, 100);
    show(numbers);
    assert_string_equal(row(1), "line 6");
    assert_string_equal(row(4), "line 9");
}

static void the_cursor_is_seen(void **state)
{
    (void)state;
    sheet.cursor = true;
    show(numbers);
    list_move(&sheet.list, 5);
    show(numbers);
    assert_string_equal(row(4), "line 5");
    assert_int_equal(canvas_at(&canvas, 4, 0)->role, ROLE_SELECTED);
    assert_int_equal(canvas_at(&canvas, 3, 0)->role, ROLE_TEXT);
    assert_int_equal(sheet.list.key, 105);
}

static void found_lines_are_marked(void **state)
{
    (void)state;
    sheet.needle = "LINE 7";
    show(numbers);
    assert_true(sheet_find(&sheet, 1, true));
    show(numbers);
    assert_int_equal(sheet.list.selected, 7);
    assert_int_equal(canvas_at(&canvas, 2, 0)->role, ROLE_MATCH); // the last screen is full
    sheet.needle = "no such text";
    show(numbers);
    assert_false(sheet_find(&sheet, 1, true));
}

static void wrapped(bool drawing)
{
    sheet_begin(&sheet, &canvas, area, drawing);
    sheet_line(&sheet, 7);
    sheet_text(&sheet, ROLE_TEXT, "> ");
    sheet_wrap(&sheet, 2, ROLE_TEXT, "one two three four five six");
    sheet_end(&sheet);
}

static void long_text_is_wrapped_at_blanks(void **state)
{
    (void)state;
    show(wrapped);
    assert_int_equal(sheet.count, 2);
    assert_string_equal(row(1), "> one two three four");
    assert_string_equal(row(2), "  five six");
    assert_int_equal(sheet.keys[1], 7); // belongs to the same thing
}

static void endless(bool drawing)
{
    char text[3000];

    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    sheet_begin(&sheet, &canvas, area, drawing);
    sheet_line(&sheet, 1);
    sheet_wrap(&sheet, 0, ROLE_TEXT, text);
    sheet_line(&sheet, 2);
    sheet_cell_right(&sheet, 40, ROLE_TEXT, "wider than the area");
    sheet_cell(&sheet, 40, ROLE_TEXT, "outside");
    sheet_bar(&sheet, 10, ROLE_TEXT, 50);
    sheet_end(&sheet);
}

static void text_without_blanks_is_cut(void **state)
{
    (void)state;
    show(endless);
    assert_int_equal(sheet.count, 2999 / 20 + 1 + 1);
    assert_string_equal(row(1), "xxxxxxxxxxxxxxxxxxxx");
    list_to(&sheet.list, sheet.count - 1);
    show(endless);
    assert_string_equal(row(4), " wider than the area");
}

static char *huge; // one word of megabytes

static void huge_word(bool drawing)
{
    sheet_begin(&sheet, &canvas, area, drawing);
    sheet_line(&sheet, 1);
    sheet_wrap(&sheet, 0, ROLE_TEXT, huge);
    sheet_end(&sheet);
}

static void long_text_takes_time_in_proportion(void **state)
{
    (void)state;
    const size_t size = 4 * 1024 * 1024;
    huge = malloc(size + 1);
    memset(huge, 'x', size);
    huge[size] = '\0';
    const clock_t before = clock();
    huge_word(false);
    assert_int_equal(sheet.count, (size + 19) / 20);
    assert_true(clock() - before < 5 * CLOCKS_PER_SEC); // a minute when each line measures the rest
    free(huge);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(only_what_is_seen_is_drawn), TEST(the_cursor_is_seen),
        TEST(found_lines_are_marked),     TEST(long_text_is_wrapped_at_blanks),
        TEST(text_without_blanks_is_cut), TEST(long_text_takes_time_in_proportion),
    };
    return cmocka_run_group_tests_name("sheet", tests, NULL, NULL);
}
