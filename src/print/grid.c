// SPDX-License-Identifier: Apache-2.0
// Tables with measured columns.
#include "print/grid.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/xmem.h"

enum { FIRST_ROWS = 32 };

void grid_init(struct grid *grid, const struct grid_column *columns, unsigned count, int gap)
{
    assert(count > 0 && count <= GRID_COLUMNS);
    *grid = (struct grid){.columns = columns, .count = count, .gap = gap, .arena = arena_new()};
}

void grid_free(struct grid *grid)
{
    arena_free(grid->arena);
    free(grid->cells);
    *grid = (struct grid){0};
}

void grid_add(struct grid *grid, const char *const *cells)
{
    if (grid->rows == grid->room) {
        grid->room = grid->room == 0 ? FIRST_ROWS : grid->room * 2;
        grid->cells = xreallocarray(grid->cells, (size_t)grid->room * grid->count, sizeof(char *));
    }
    const char **row = &grid->cells[(size_t)grid->rows++ * grid->count];
    for (unsigned i = 0; i < grid->count; i++)
        row[i] = cells[i] == NULL ? NULL : arena_strdup(grid->arena, cells[i]);
}

static const char *cell(const struct grid *grid, unsigned row, unsigned column)
{
    return grid->cells[(size_t)row * grid->count + column];
}

static void measure_column(struct grid *grid, unsigned column, bool wide)
{
    int cap = wide ? grid->columns[column].wide : grid->columns[column].cap;
    int width = text_width(grid->columns[column].title);
    for (unsigned row = 0; row < grid->rows; row++) {
        const char *text = cell(grid, row, column);
        if (text == NULL)
            continue;
        grid->shown[column] = true;
        int columns = text_width(text);
        width = columns > width ? columns : width;
    }
    grid->widths[column] = cap > 0 && width > cap ? cap : width;
}

int grid_width(const struct grid *grid, int indent)
{
    int width = indent, shown = 0;
    for (unsigned i = 0; i < grid->count; i++) {
        if (!grid->shown[i])
            continue;
        width += grid->widths[i] + (shown > 0 ? grid->gap : 0);
        shown++;
    }
    return width;
}

void grid_measure(struct grid *grid, bool wide, int indent, int total, int least)
{
    unsigned last = grid->count - 1;
    for (unsigned i = 0; i < grid->count; i++)
        measure_column(grid, i, wide);
    int over = grid_width(grid, indent) - total;
    if (total <= 0 || over <= 0 || !grid->shown[last])
        return;
    int width = grid->widths[last] - over;
    if (grid->widths[last] > least)
        grid->widths[last] = width > least ? width : least;
}

static void put_cell(const struct grid *grid, struct page *page, unsigned column, const char *text)
{
    if (grid->columns[column].right)
        page_right(page, grid->widths[column], text);
    else
        page_left(page, grid->widths[column], text);
}

// The last column that is shown is not padded: no blanks hang at the end of a line.
static void put_line(const struct grid *grid, struct page *page, int indent, const char **texts)
{
    int last = -1;
    for (unsigned i = 0; i < grid->count; i++)
        if (grid->shown[i])
            last = (int)i;
    page_to(page, indent);
    for (int i = 0; i <= last; i++) {
        if (!grid->shown[i])
            continue;
        if (i < last || grid->columns[i].right)
            put_cell(grid, page, (unsigned)i, texts[i]);
        else
            page_cut(page, grid->widths[i], texts[i]);
        if (i < last)
            page_to(page, page->column + grid->gap);
    }
    page_newline(page);
}

void grid_title(const struct grid *grid, struct page *page, int indent)
{
    const char *texts[GRID_COLUMNS];
    for (unsigned i = 0; i < grid->count; i++)
        texts[i] = grid->columns[i].title;
    page_style(page, STYLE_DIM);
    put_line(grid, page, indent, texts);
    page_style(page, STYLE_PLAIN);
}

void grid_row(const struct grid *grid, struct page *page, int indent, unsigned row)
{
    const char *texts[GRID_COLUMNS];
    for (unsigned i = 0; i < grid->count; i++)
        texts[i] = cell(grid, row, i) != NULL ? cell(grid, row, i) : "-";
    put_line(grid, page, indent, texts);
}
