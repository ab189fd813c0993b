// SPDX-License-Identifier: Apache-2.0
// Where the parts of the screen stand: rectangles from the terminal's size and the numbers of
// things. Pure: no curses, no facts.
#ifndef NEUTOP_UI_LAYOUT_H
#define NEUTOP_UI_LAYOUT_H

#include <stdbool.h>

#include "ui/draw.h"

// Below this the screen says only what it needs.
enum { LAYOUT_MIN_ROWS = 8, LAYOUT_MIN_COLS = 40 };

// How the chips are shown.
enum chip_mode {
    CHIPS_AUTO,   // as a request: whatever fits
    CHIPS_LINES,  // one row a chip
    CHIPS_GRID,   // several chips a row
    CHIPS_HIDDEN, // as a request: only the processes
    CHIP_MODES
};

// Nothing can be shown at this size but what the screen needs.
static inline bool layout_too_small(int rows, int cols)
{
    return rows < LAYOUT_MIN_ROWS || cols < LAYOUT_MIN_COLS;
}

struct layout_input {
    int rows, cols;
    unsigned chips;
    unsigned chip_rows;      // rows of the chip list as it is folded now, >= chips
    unsigned cores_per_chip; // logical
    unsigned processes;      // rows of the process list
    unsigned findings;
    enum chip_mode wish;
};

struct layout {
    bool too_small;
    struct rect title, totals, finding, tabs;
    struct rect chip_head, chips;
    struct rect detail; // the selected chip, core by core
    struct rect graph;
    struct rect process_head, processes;
    struct rect keys;
    struct rect body; // for a view that takes the whole middle: all between finding and keys
    enum chip_mode chip_mode; // CHIPS_LINES or CHIPS_GRID
    int grid_columns;         // chips per row with CHIPS_GRID
    int grid_width;           // columns of one of them
};

// Fills LAYOUT from INPUT alone; any size is allowed, and parts without room have no rows.
void layout_compute(struct layout *layout, const struct layout_input *input);

#endif
