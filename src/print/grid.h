// SPDX-License-Identifier: Apache-2.0
// A table whose columns are as wide as what stands in them, and from which columns that nobody
// knows anything about are left out. Private to src/print.
#ifndef NEUTOP_PRINT_GRID_H
#define NEUTOP_PRINT_GRID_H

#include "print/page.h"

struct arena;

enum { GRID_COLUMNS = 12 };

struct grid_column {
    const char *title;
    int cap;  // columns of the page at most; 0: none
    int wide; // the same with -w
    bool right;
};

struct grid {
    const struct grid_column *columns;
    unsigned count;
    struct arena *arena; // of rows and copies
    unsigned rows, room;
    const char **cells; // row by row
    int gap;            // blanks between two columns
    int widths[GRID_COLUMNS];
    bool shown[GRID_COLUMNS];
};

// COLUMNS is a constant table of COUNT rows, at most GRID_COLUMNS; GAP blanks stand
// between two. Ends with grid_free().
void grid_init(struct grid *grid, const struct grid_column *columns, unsigned count, int gap);
void grid_free(struct grid *grid);

// Adds a row of grid->count cells, which are copied. NULL: unknown, "-" where its column is shown.
void grid_add(struct grid *grid, const char *const *cells);

// Works out the widths when all rows are there. The last column gets what is left of TOTAL columns
// at an indentation of INDENT, between LEAST and its cap; TOTAL 0: only the caps count.
void grid_measure(struct grid *grid, bool wide, int indent, int total, int least);

// The line of titles, and that of ROW (in the order of grid_add()), after grid_measure().
void grid_title(const struct grid *grid, struct page *page, int indent);
void grid_row(const struct grid *grid, struct page *page, int indent, unsigned row);

// Columns that a row takes, indentation included.
int grid_width(const struct grid *grid, int indent);

#endif
