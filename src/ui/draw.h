// SPDX-License-Identifier: Apache-2.0
// The canvas: the screen as cells in memory, and how text, bars and graphs are put on it. Knows no
// terminal; everything is cut at the canvas's edges. Nothing here allocates but canvas_resize().
#ifndef NEUTOP_UI_DRAW_H
#define NEUTOP_UI_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/theme.h"

enum { CELL_MARKS = 2 }; // combining marks kept per cell

// One column of one row, in 8 bytes without padding: compared byte by byte. The right half of a
// wide character has ch 0. Combining marks beyond U+FFFF, of scripts long dead, are left out.
struct cell {
    uint32_t ch : 24;
    uint32_t role : 8; // enum role
    uint16_t mark[CELL_MARKS];
};

struct canvas {
    int rows, cols;
    bool ascii; // no character beyond ASCII
    struct cell *cells;
};

struct rect {
    int y, x, rows, cols; // empty when rows or cols is 0
};

void canvas_resize(struct canvas *canvas, int rows, int cols); // contents become blank
void canvas_free(struct canvas *canvas);
void canvas_clear(struct canvas *canvas);
// NULL outside.
const struct cell *canvas_at(const struct canvas *canvas, int y, int x);

// Writes clean text into at most COLUMNS columns; what does not fit is cut and its last column
// becomes an ellipsis ('~' in ASCII). Returns the columns used.
int draw_text(struct canvas *canvas, int y, int x, int columns, enum role role, const char *text);

// As much of TEXT as fits in COLUMNS, without an ellipsis; returns what is left of it.
const char *draw_piece(struct canvas *canvas, int y, int x, int columns, enum role role,
                       const char *text);

// The same, but at the right edge of the COLUMNS. Returns the columns used.
int draw_text_right(struct canvas *canvas, int y, int x, int columns, enum role role,
                    const char *text);

// As draw_text() from a printf format; at most 511 bytes.
int draw_textf(struct canvas *canvas, int y, int x, int columns, enum role role, const char *format,
               ...) __attribute__((format(printf, 6, 7)));

// One character (of one column; else '?').
void draw_char(struct canvas *canvas, int y, int x, enum role role, uint32_t ch);

// COLUMNS times the character CH.
void draw_fill(struct canvas *canvas, int y, int x, int columns, enum role role, uint32_t ch);

// Changes the role of what stands there: a selected row, a match.
void draw_paint(struct canvas *canvas, int y, int x, int columns, enum role role);

// A horizontal bar of PERCENT (cut to 0..100) in COLUMNS: eighth blocks, or '|' in ASCII. More than
// nothing shows at least the smallest step; less than all never looks full.
void draw_bar(struct canvas *canvas, int y, int x, int columns, enum role role, double percent);

// Two bars in one: the first part in ROLE, the second part on top of it in SECOND. Whole cells
// only.
void draw_bar2(struct canvas *canvas, int y, int x, int columns, enum role role, double first,
               enum role second_role, double second);

// One cell as a small bar, bottom up: eighth blocks, or a digit 0..9 for tenths in ASCII.
uint32_t draw_level(const struct canvas *canvas, double percent);

// A graph of COUNT samples 0..100 (NAN: unknown, left blank), newest at the right edge of AREA:
// braille with two samples a column, or
// '#' with one sample a column in ASCII.
void draw_graph(struct canvas *canvas, struct rect area, enum role role, const float *samples,
                size_t count);

// Samples that draw_graph() can show in COLUMNS.
size_t draw_graph_samples(const struct canvas *canvas, int columns);

#endif
