// SPDX-License-Identifier: Apache-2.0
// Every size of terminal gives rectangles that lie inside it and do not overlap.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ui/layout.h"

enum { PARTS = 10 };

static void parts_of(const struct layout *layout, struct rect parts[PARTS])
{
    const struct rect all[PARTS] = {
        layout->title, layout->totals, layout->finding, layout->tabs,         layout->chip_head,
        layout->chips, layout->detail, layout->graph,   layout->process_head, layout->processes,
    };
    memcpy(parts, all, sizeof all);
}

static void check_inside(struct rect part, const struct layout_input *in)
{
    assert_true(part.rows >= 0 && part.cols >= 0);
    if (part.rows == 0)
        return;
    assert_true(part.y >= 0 && part.y + part.rows <= in->rows);
    assert_true(part.x >= 0 && part.x + part.cols <= in->cols);
}

static void check_apart(struct rect a, struct rect b)
{
    if (a.rows == 0 || b.rows == 0)
        return;
    assert_true(a.y + a.rows <= b.y || b.y + b.rows <= a.y);
}

static void check(const struct layout_input *in)
{
    struct layout layout;
    struct rect parts[PARTS];
    int rows = 0;

    layout_compute(&layout, in);
    assert_int_equal(layout.too_small, in->rows < LAYOUT_MIN_ROWS || in->cols < LAYOUT_MIN_COLS);
    if (layout.too_small)
        return;
    parts_of(&layout, parts);
    for (int i = 0; i < PARTS; i++) {
        check_inside(parts[i], in);
        check_apart(parts[i], layout.keys);
        rows += parts[i].rows;
        for (int k = i + 1; k < PARTS; k++)
            check_apart(parts[i], parts[k]);
    }
    assert_int_equal(rows + layout.keys.rows, in->rows); // nothing is wasted
    check_inside(layout.body, in);
    check_apart(layout.body, layout.keys);
    assert_true(layout.body.rows >= 3);
    assert_true(layout.process_head.rows == 1 && layout.processes.rows >= 1);
    assert_true(in->chips == 0 || in->wish == CHIPS_HIDDEN || layout.chips.rows >= 1);
    assert_true(layout.grid_columns >= 1);
}

static void sweep_sizes(void **state)
{
    static const unsigned chips[] = {0, 1, 2, 12, 16, 64};
    static const unsigned processes[] = {0, 1, 5, 40, 2000};

    (void)state;
    for (int rows = 0; rows <= 70; rows++) {
        for (int cols = 0; cols <= 220; cols += cols < 100 ? 1 : 7) {
            for (int i = 0; i < 6; i++) {
                for (int k = 0; k < 5; k++) {
                    const struct layout_input in = {
                        .rows = rows,
                        .cols = cols,
                        .chips = chips[i],
                        .chip_rows = chips[i],
                        .cores_per_chip = 4,
                        .processes = processes[k],
                        .findings = 5,
                        .wish = (enum chip_mode)((rows + cols) % CHIP_MODES)};
                    check(&in);
                }
            }
        }
    }
}

static void unfolded_chips_leave_room(void **state)
{
    (void)state;
    for (int rows = LAYOUT_MIN_ROWS; rows <= 70; rows++) {
        const struct layout_input in = {.rows = rows,
                                        .cols = 100,
                                        .chips = 16,
                                        .chip_rows = 16 * 9,
                                        .cores_per_chip = 8,
                                        .processes = 40,
                                        .wish = CHIPS_LINES};
        check(&in);
    }
}

static void classic_terminal_shows_16_chips(void **state)
{
    struct layout_input in = {.rows = 24,
                              .cols = 80,
                              .chips = 16,
                              .chip_rows = 16,
                              .cores_per_chip = 4,
                              .processes = 5,
                              .findings = 4};
    struct layout layout;

    (void)state;
    layout_compute(&layout, &in);
    assert_int_equal(layout.chip_mode, CHIPS_GRID); // else there were but 2 processes
    assert_int_equal(layout.grid_columns, 2);
    assert_int_equal(layout.chips.rows, 8);
    assert_int_equal(layout.chip_head.rows, 1);
    assert_int_equal(layout.processes.rows, 5);
    in.processes = 2; // all are seen with a line for each chip
    layout_compute(&layout, &in);
    assert_int_equal(layout.chip_mode, CHIPS_LINES);
    assert_int_equal(layout.chips.rows, 16);
    assert_int_equal(layout.chip_head.rows, 1);
    assert_int_equal(layout.processes.rows, 2);
    in.processes = 5;
    in.wish = CHIPS_LINES;
    layout_compute(&layout, &in);
    assert_int_equal(layout.chips.rows, 16);
}

static void one_row_less_makes_a_grid(void **state)
{
    const struct layout_input in = {
        .rows = 23, .cols = 80, .chips = 16, .chip_rows = 16, .cores_per_chip = 4, .processes = 5};
    struct layout layout;

    (void)state;
    layout_compute(&layout, &in);
    assert_int_equal(layout.chip_mode, CHIPS_GRID);
    assert_true(layout.grid_columns * layout.grid_width <= 80);
    assert_true(layout.chips.rows * layout.grid_columns >= 16); // all are seen
    assert_true(layout.processes.rows >= 5);
}

static void more_room_shows_more(void **state)
{
    struct layout_input in = {.rows = 40,
                              .cols = 120,
                              .chips = 16,
                              .chip_rows = 16,
                              .cores_per_chip = 4,
                              .processes = 5,
                              .findings = 4};
    struct layout layout;

    (void)state;
    layout_compute(&layout, &in);
    assert_int_equal(layout.detail.rows, 5);
    assert_int_equal(layout.tabs.rows, 1);
    assert_int_equal(layout.finding.rows, 3);
    assert_int_equal(layout.graph.rows, 0); // it would cost too many bytes
    in.rows = 60;
    in.cols = 200;
    layout_compute(&layout, &in);
    assert_true(layout.graph.rows >= 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweep_sizes),
        cmocka_unit_test(unfolded_chips_leave_room),
        cmocka_unit_test(classic_terminal_shows_16_chips),
        cmocka_unit_test(one_row_less_makes_a_grid),
        cmocka_unit_test(more_room_shows_more),
    };
    return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
