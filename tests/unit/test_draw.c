// SPDX-License-Identifier: Apache-2.0
// Text keeps to its columns, bars say what they should, and nothing leaves the canvas.
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "ui/draw.h"

static struct canvas canvas;

static int open_canvas(void **state)
{
    (void)state;
    setlocale(LC_ALL, "C.UTF-8");
    canvas.ascii = false;
    canvas_resize(&canvas, 3, 20);
    return 0;
}

static int close_canvas(void **state)
{
    (void)state;
    canvas_free(&canvas);
    return 0;
}

// A row as UTF-8, with the right halves of wide characters left out.
static const char *row(int y)
{
    static char text[512];
    size_t used = 0;

    for (int x = 0; x < canvas.cols; x++) {
        const struct cell *cell = canvas_at(&canvas, y, x);
        if (cell->ch != 0)
            used += text_encode(cell->ch, text + used);
        for (int i = 0; i < CELL_MARKS && cell->mark[i] != 0; i++)
            used += text_encode(cell->mark[i], text + used);
    }
    while (used > 0 && text[used - 1] == ' ')
        used--;
    text[used] = '\0';
    return text;
}

static void text_is_cut_to_columns(void **state)
{
    (void)state;
    assert_int_equal(draw_text(&canvas, 0, 0, 20, ROLE_TEXT, "train"), 5);
    assert_string_equal(row(0), "train");
    assert_int_equal(draw_text(&canvas, 0, 0, 4, ROLE_TEXT, "train"), 4);
    assert_string_equal(row(0), "tra\u2026n"); // the old last letter is still there
    assert_int_equal(draw_text(&canvas, 0, 0, 5, ROLE_TEXT, "train"), 5); // fits exactly
    assert_string_equal(row(0), "train");
    assert_int_equal(draw_text(&canvas, 0, 0, 0, ROLE_TEXT, "train"), 0);
    canvas.ascii = true;
    draw_text(&canvas, 0, 0, 4, ROLE_TEXT, "train");
    assert_string_equal(row(0), "tra~n");
}

static void wide_characters_take_two_columns(void **state)
{
    (void)state;
    assert_int_equal(draw_text(&canvas, 0, 0, 20, ROLE_TEXT, "\u6a21\u578bx"), 5);
    assert_int_equal(canvas_at(&canvas, 0, 0)->ch, 0x6a21);
    assert_int_equal(canvas_at(&canvas, 0, 1)->ch, 0);
    assert_int_equal(canvas_at(&canvas, 0, 4)->ch, 'x');
    draw_char(&canvas, 0, 1, ROLE_TEXT, '|'); // the left half goes with the right one
    assert_int_equal(canvas_at(&canvas, 0, 0)->ch, ' ');
    draw_char(&canvas, 0, 2, ROLE_TEXT, '|');
    assert_int_equal(canvas_at(&canvas, 0, 3)->ch, ' ');
    canvas_clear(&canvas);
    assert_int_equal(draw_text(&canvas, 0, 0, 2, ROLE_TEXT, "\u6a21\u578b"),
                     1); // no half of a character
    assert_string_equal(row(0), "\u2026");
    canvas_clear(&canvas);
    draw_text(&canvas, 0, 19, 5, ROLE_TEXT, "\u6a21"); // at the edge
    assert_int_equal(canvas_at(&canvas, 0, 19)->ch, ' ');
}

static void combining_marks_take_none(void **state)
{
    (void)state;
    assert_int_equal(draw_text(&canvas, 0, 0, 20, ROLE_TEXT, "e\u0301\u0302\u0303x"), 2);
    assert_int_equal(canvas_at(&canvas, 0, 0)->mark[0], 0x301);
    assert_int_equal(canvas_at(&canvas, 0, 0)->mark[1], 0x302);
    assert_int_equal(canvas_at(&canvas, 0, 1)->ch, 'x');
}

static void ascii_has_no_other_characters(void **state)
{
    (void)state;
    canvas.ascii = true;
    assert_int_equal(draw_text(&canvas, 0, 0, 20, ROLE_TEXT, "\u6a21\u00e9e\u0301"), 4);
    assert_string_equal(row(0), "???e");
    draw_bar(&canvas, 1, 0, 10, ROLE_TEXT, 50);
    assert_string_equal(row(1), "|||||");
}

static void c_locale_shows_question_marks(void **state)
{
    (void)state;
    setlocale(LC_ALL, "C");
    draw_text(&canvas, 0, 0, 20, ROLE_TEXT, "\u00e9x");
    assert_string_equal(row(0), "?x");
    setlocale(LC_ALL, "C.UTF-8");
}

static void nothing_leaves_the_canvas(void **state)
{
    (void)state;
    for (int y = -2; y < 5; y++) {
        for (int x = -25; x < 25; x++) {
            draw_text(&canvas, y, x, 30, ROLE_TEXT, "a\u6a21b\u578bc\u0301d\u0301");
            draw_bar(&canvas, y, x, 30, ROLE_TEXT, 77);
            draw_bar2(&canvas, y, x, 30, ROLE_TEXT, 30, ROLE_DIM, 50);
            draw_fill(&canvas, y, x, 30, ROLE_TEXT, 'x');
            draw_paint(&canvas, y, x, 30, ROLE_SELECTED);
            draw_text_right(&canvas, y, x, 9, ROLE_TEXT, "right");
        }
    }
    assert_null(canvas_at(&canvas, 3, 0));
    assert_null(canvas_at(&canvas, 0, 20));
    assert_null(canvas_at(&canvas, -1, 0));
    canvas_resize(&canvas, 0, 0);
    draw_text(&canvas, 0, 0, 30, ROLE_TEXT, "x");
}

static void bars_are_honest(void **state)
{
    (void)state;
    draw_bar(&canvas, 0, 0, 10, ROLE_TEXT, 0);
    assert_string_equal(row(0), "");
    draw_bar(&canvas, 0, 0, 10, ROLE_TEXT, 0.05); // more than nothing
    assert_string_equal(row(0), "\u258f");
    draw_bar(&canvas, 0, 0, 10, ROLE_TEXT, 55);
    assert_string_equal(row(0), "\u2588\u2588\u2588\u2588\u2588\u258c");
    draw_bar(&canvas, 0, 0, 10, ROLE_TEXT, 99.9); // less than all
    assert_int_equal(canvas_at(&canvas, 0, 9)->ch, 0x2589);
    draw_bar(&canvas, 0, 0, 10, ROLE_TEXT, 100);
    assert_int_equal(canvas_at(&canvas, 0, 9)->ch, 0x2588);
    draw_bar(&canvas, 0, 0, 10, ROLE_TEXT, 1e9);
    assert_int_equal(canvas_at(&canvas, 0, 10)->ch, ' ');
    draw_bar(&canvas, 0, 0, 10, ROLE_TEXT, (double)NAN);
    assert_string_equal(row(0), "");
    draw_bar(&canvas, 0, 0, 10, ROLE_TEXT, -5);
    assert_string_equal(row(0), "");
}

static void levels_are_told_apart(void **state)
{
    (void)state;
    assert_int_equal(draw_level(&canvas, 100), 0x2588);
    assert_int_equal(draw_level(&canvas, 0.1), 0x2581);
    assert_int_equal(draw_level(&canvas, 50), 0x2584);
    canvas.ascii = true;
    assert_int_equal(draw_level(&canvas, 57), '5');
    assert_int_equal(draw_level(&canvas, 100), '9');
}

static void graph_has_newest_at_the_right(void **state)
{
    const float samples[] = {0, 100, (float)NAN, 100};

    (void)state;
    draw_graph(&canvas, (struct rect){0, 0, 2, 10}, ROLE_TEXT, samples, 4);
    assert_int_equal(canvas_at(&canvas, 0, 9)->ch, 0x2800 + 0x08 + 0x10 + 0x20 + 0x80);
    assert_int_equal(canvas_at(&canvas, 1, 8)->ch, 0x2800 + 0x40 + 0x08 + 0x10 + 0x20 + 0x80);
    assert_int_equal(canvas_at(&canvas, 0, 0)->ch, ' ');
    canvas.ascii = true;
    draw_graph(&canvas, (struct rect){0, 0, 2, 10}, ROLE_TEXT, samples, 4);
    assert_string_equal(row(0), "       # #");
    assert_string_equal(row(1), "      _# #");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_canvas, close_canvas)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(text_is_cut_to_columns),
        TEST(wide_characters_take_two_columns),
        TEST(combining_marks_take_none),
        TEST(ascii_has_no_other_characters),
        TEST(c_locale_shows_question_marks),
        TEST(nothing_leaves_the_canvas),
        TEST(bars_are_honest),
        TEST(levels_are_told_apart),
        TEST(graph_has_newest_at_the_right),
    };
    return cmocka_run_group_tests_name("draw", tests, NULL, NULL);
}
