// SPDX-License-Identifier: Apache-2.0
// The screen's rectangles. Rows are handed out in the order of what a person needs first: the
// header, every chip in some form, a few processes, then detail of the selected chip, more
// processes, and graphs.
#include "ui/layout.h"

#include <string.h>

enum {
    FEW_PROCESSES = 2,    // rows that the processes get in any case
    SOME_PROCESSES = 5,   // rows that they get before the chips may use a line each
    GRAPH_ROWS = 9,       // head included
    GRAPH_MIN_COLS = 150, // a graph moves in each column each second: only where bytes are cheap
    TABS_MIN_ROWS = 27,
    TALL_ROWS = 34, // two rows of totals, more than one finding
    WIDE_COLS = 70, // all totals fit in one row
};

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

static int cut(unsigned count)
{
    return count > 100000 ? 100000 : (int)count;
}

// Takes ROWS from the top of FREE.
static struct rect take(struct rect *from, int rows)
{
    rows = max_int(0, min_int(rows, from->rows));
    const struct rect taken = {.y = from->y, .x = from->x, .rows = rows, .cols = from->cols};
    from->y += rows;
    from->rows -= rows;
    return taken;
}

// Columns that one chip takes in the grid.
static int grid_width_of(unsigned cores_per_chip)
{
    // ">12 ▃▃▃▃ 100%   96G 31207 "
    return 22 + min_int(cut(cores_per_chip), 8);
}

static int grid_rows(const struct layout *layout, const struct layout_input *in)
{
    return (cut(in->chips) + layout->grid_columns - 1) / layout->grid_columns;
}

// As few chips a row as ROOM allows: the more each one says.
static void choose_grid(struct layout *layout, const struct layout_input *in, int room)
{
    const int most = max_int(1, in->cols / layout->grid_width);

    layout->grid_columns = min_int(2, most);
    while (layout->grid_columns < most && grid_rows(layout, in) > room)
        layout->grid_columns++;
    layout->grid_width = in->cols / layout->grid_columns;
}

// The parts above and below the lists.
static struct rect frame(struct layout *layout, const struct layout_input *in)
{
    struct rect rest = {.y = 0, .x = 0, .rows = in->rows, .cols = in->cols};
    int totals = in->cols >= WIDE_COLS ? 1 : 2;

    if (in->rows >= TALL_ROWS)
        totals = in->cols >= WIDE_COLS ? 2 : 3;
    if (in->rows < 12)
        totals = 1;
    layout->title = take(&rest, 1);
    layout->totals = take(&rest, totals);
    layout->finding =
        take(&rest, in->rows >= TALL_ROWS ? max_int(1, min_int(3, cut(in->findings))) : 1);
    layout->keys = (struct rect){.y = in->rows - 1, .x = 0, .rows = 1, .cols = in->cols};
    rest.rows -= 1;
    layout->body = rest;
    if (in->rows >= TABS_MIN_ROWS) {
        layout->tabs = (struct rect){.y = in->rows - 2, .x = 0, .rows = 1, .cols = in->cols};
        rest.rows -= 1;
        layout->body.rows -= 1;
    }
    return rest;
}

// Lines when every chip has one and a few processes are still seen; else the grid.
static enum chip_mode choose_mode(const struct layout_input *in, int room, int processes)
{
    if (in->wish == CHIPS_LINES || in->wish == CHIPS_GRID)
        return in->wish;
    return cut(in->chips) + processes <= room ? CHIPS_LINES : CHIPS_GRID;
}

// How many rows the chips get out of ROOM, which is for rows of chips and processes together.
static int chip_room(const struct layout *layout, const struct layout_input *in, int room, int few)
{
    const bool grid = layout->chip_mode == CHIPS_GRID;
    const int wanted = grid ? grid_rows(layout, in) : cut(in->chip_rows);
    // Unfolded rows may push the processes down to a third, not further.
    const int floor = grid || in->chip_rows == in->chips
                          ? few
                          : max_int(few, min_int(cut(in->processes), room / 3));

    return max_int(1, min_int(wanted, room - floor));
}

static void extras(struct layout *layout, const struct layout_input *in, struct rect *rest)
{
    const int detail = cut(in->cores_per_chip) + 1;
    const int processes = max_int(1, min_int(cut(in->processes), max_int(8, in->rows / 5)));
    int spare = rest->rows - 1 - processes;

    if (in->chips > 0 && in->chip_rows == in->chips && spare >= detail && in->cols >= 80) {
        layout->detail = take(rest, detail);
        spare -= detail;
    }
    if (spare >= GRAPH_ROWS && in->cols >= GRAPH_MIN_COLS)
        layout->graph = take(rest, min_int(spare, 2 * GRAPH_ROWS));
}

void layout_compute(struct layout *layout, const struct layout_input *in)
{
    memset(layout, 0, sizeof *layout);
    layout->grid_width = grid_width_of(in->cores_per_chip);
    layout->grid_columns = 1;
    layout->chip_mode = CHIPS_LINES;
    if (layout_too_small(in->rows, in->cols)) {
        layout->too_small = true;
        return;
    }
    struct rect rest = frame(layout, in);
    const int few = min_int(FEW_PROCESSES, max_int(1, cut(in->processes)));
    const int some = min_int(SOME_PROCESSES, max_int(1, cut(in->processes)));
    if (in->wish != CHIPS_HIDDEN && in->chips > 0) {
        layout->chip_mode = choose_mode(in, rest.rows - 2, some);
        if (layout->chip_mode == CHIPS_GRID)
            choose_grid(layout, in, rest.rows - 2 - some);
        const bool head = layout->chip_mode == CHIPS_LINES
                              ? rest.rows >= 6
                              : rest.rows - 2 - some >= grid_rows(layout, in);
        if (head)
            layout->chip_head = take(&rest, 1);
        layout->chips = take(&rest, chip_room(layout, in, rest.rows - 1, few));
        extras(layout, in, &rest);
    }
    layout->process_head = take(&rest, 1);
    if (layout->tabs.rows == 0 && rest.rows > cut(in->processes) + 1) { // a row that nobody needs
        rest.rows--;
        layout->tabs = (struct rect){rest.y + rest.rows, 0, 1, in->cols};
    }
    layout->processes = take(&rest, rest.rows);
}
