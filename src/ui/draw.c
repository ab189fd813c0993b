// SPDX-License-Identifier: Apache-2.0
// Text by column, bars and graphs on a canvas of cells.
#include "ui/draw.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/number.h"
#include "base/text.h"
#include "base/xmem.h"

void canvas_resize(struct canvas *canvas, int rows, int cols)
{
    canvas->rows = rows > 0 ? rows : 0;
    canvas->cols = cols > 0 ? cols : 0;
    canvas->cells = xreallocarray(canvas->cells, (size_t)canvas->rows * (size_t)canvas->cols + 1,
                                  sizeof canvas->cells[0]);
    canvas_clear(canvas);
}

void canvas_free(struct canvas *canvas)
{
    free(canvas->cells);
    canvas->cells = NULL;
    canvas->rows = canvas->cols = 0;
}

void canvas_clear(struct canvas *canvas)
{
    const size_t count = (size_t)canvas->rows * (size_t)canvas->cols;

    for (size_t i = 0; i < count; i++)
        canvas->cells[i] = (struct cell){.ch = ' '};
}

static struct cell *cell_at(const struct canvas *canvas, int y, int x)
{
    if (y < 0 || y >= canvas->rows || x < 0 || x >= canvas->cols)
        return NULL;
    return &canvas->cells[(size_t)y * (size_t)canvas->cols + (size_t)x];
}

const struct cell *canvas_at(const struct canvas *canvas, int y, int x)
{
    return cell_at(canvas, y, x);
}

// A wide character that is overwritten in one half loses the other half too.
static void heal(struct canvas *canvas, int y, int x)
{
    struct cell *cell = cell_at(canvas, y, x);
    struct cell *right = cell_at(canvas, y, x + 1);

    if (cell->ch == 0) {
        struct cell *left = cell_at(canvas, y, x - 1);
        if (left != NULL)
            *left = (struct cell){.ch = ' ', .role = left->role};
    } else if (right != NULL && right->ch == 0) {
        *right = (struct cell){.ch = ' ', .role = right->role};
    }
}

static void put(struct canvas *canvas, int y, int x, enum role role, uint32_t ch)
{
    struct cell *cell = cell_at(canvas, y, x);

    if (cell == NULL)
        return;
    heal(canvas, y, x);
    *cell = (struct cell){.ch = ch, .role = role};
}

static void put_wide(struct canvas *canvas, int y, int x, enum role role, uint32_t ch)
{
    if (cell_at(canvas, y, x) == NULL || cell_at(canvas, y, x + 1) == NULL) {
        put(canvas, y, x, role, ' ');
        return;
    }
    put(canvas, y, x, role, ch);
    heal(canvas, y, x + 1);
    *cell_at(canvas, y, x + 1) = (struct cell){.ch = 0, .role = role};
}

static void put_mark(struct canvas *canvas, int y, int x, uint32_t ch)
{
    struct cell *cell = cell_at(canvas, y, x);

    if (cell != NULL && cell->ch == 0)
        cell = cell_at(canvas, y, x - 1);
    for (int i = 0; cell != NULL && ch <= UINT16_MAX && i < CELL_MARKS; i++) {
        if (cell->mark[i] == 0) {
            cell->mark[i] = (uint16_t)ch;
            return;
        }
    }
}

// Columns of one character on this canvas; what the terminal would not print takes one, as '?'.
static int char_width(const struct canvas *canvas, uint32_t *ch)
{
    int width;

    if (*ch >= 0x20 && *ch < 0x7f)
        return 1;
    width = wcwidth((wchar_t)*ch);
    if (width < 0) {
        *ch = '?';
        return 1;
    }
    if (canvas->ascii && width > 0)
        *ch = '?';
    return width;
}

static uint32_t ellipsis(const struct canvas *canvas)
{
    return canvas->ascii ? '~' : 0x2026;
}

int draw_text(struct canvas *canvas, int y, int x, int columns, enum role role, const char *text)
{
    size_t left = strlen(text);
    int used = 0;

    while (left > 0) {
        uint32_t ch;
        const size_t bytes = text_decode(text, left, &ch);
        const int width = char_width(canvas, &ch);
        text += bytes;
        left -= bytes;
        if (width == 0) {
            if (used > 0 && !canvas->ascii)
                put_mark(canvas, y, x + used - 1, ch);
            continue;
        }
        if (used + width > columns || (used + width == columns && text_width(text) > 0)) {
            if (used < columns)
                put(canvas, y, x + used++, role, ellipsis(canvas));
            return used;
        }
        if (width == 2 && !canvas->ascii) {
            put_wide(canvas, y, x + used, role, ch);
        } else {
            put(canvas, y, x + used, role, ch);
            if (width == 2)
                put(canvas, y, x + used + 1, role, ch);
        }
        used += width;
    }
    return used;
}

const char *draw_piece(struct canvas *canvas, int y, int x, int columns, enum role role,
                       const char *text)
{
    int used = 0;

    while (*text != '\0') {
        uint32_t ch;
        const size_t bytes = text_decode(text, strlen(text), &ch);
        char one[8] = "";
        memcpy(one, text, bytes);
        const int width = text_width(one);
        if (used + width > columns)
            break;
        used += draw_text(canvas, y, x + used, width, role, one);
        text += bytes;
    }
    return text;
}

int draw_text_right(struct canvas *canvas, int y, int x, int columns, enum role role,
                    const char *text)
{
    const int width = text_width(text);
    const int skip = width < columns ? columns - width : 0;

    return draw_text(canvas, y, x + skip, columns - skip, role, text);
}

int draw_textf(struct canvas *canvas, int y, int x, int columns, enum role role, const char *format,
               ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return draw_text(canvas, y, x, columns, role, text);
}

void draw_char(struct canvas *canvas, int y, int x, enum role role, uint32_t ch)
{
    if (char_width(canvas, &ch) != 1)
        ch = '?';
    put(canvas, y, x, role, ch);
}

void draw_fill(struct canvas *canvas, int y, int x, int columns, enum role role, uint32_t ch)
{
    for (int i = 0; i < columns; i++)
        draw_char(canvas, y, x + i, role, ch);
}

void draw_paint(struct canvas *canvas, int y, int x, int columns, enum role role)
{
    for (int i = 0; i < columns; i++) {
        struct cell *cell = cell_at(canvas, y, x + i);
        if (cell != NULL)
            cell->role = role;
    }
}

// Steps of PERCENT out of ALL: at least one for more than nothing, at most all but one for less
// than all.
static int steps_of(double percent, int all)
{
    if (!(percent > 0.0) || all <= 0)
        return 0;
    if (percent >= 100.0)
        return all;
    const int steps = (int)number_round(percent / 100.0 * all);
    if (steps < 1)
        return 1;
    return steps >= all && all > 1 ? all - 1 : steps;
}

void draw_bar(struct canvas *canvas, int y, int x, int columns, enum role role, double percent)
{
    if (canvas->ascii) {
        const int full = steps_of(percent, columns);
        draw_fill(canvas, y, x, full, role, '|');
        draw_fill(canvas, y, x + full, columns - full, role, ' ');
        return;
    }
    const int eighths = steps_of(percent, columns * 8);
    for (int i = 0; i < columns; i++) {
        const int here = eighths - i * 8;
        uint32_t ch = ' ';
        if (here >= 8)
            ch = 0x2588;
        else if (here > 0)
            ch = 0x2590u - (uint32_t)here;
        put(canvas, y, x + i, role, ch);
    }
}

void draw_bar2(struct canvas *canvas, int y, int x, int columns, enum role role, double first,
               enum role second_role, double second)
{
    const int all = steps_of(first + second, columns);
    int one = steps_of(first, columns);

    if (one > all)
        one = all;
    for (int i = 0; i < columns; i++) {
        const uint32_t block = canvas->ascii ? (i < one ? '|' : ':') : (i < one ? 0x2588 : 0x2593);
        put(canvas, y, x + i, i < one ? role : second_role, i < all ? block : ' ');
    }
}

uint32_t draw_level(const struct canvas *canvas, double percent)
{
    if (canvas->ascii)
        return (uint32_t)'0' + (uint32_t)(percent >= 100.0 ? 9
                                          : percent > 0.0  ? percent / 10.0
                                                           : 0.0);
    return 0x2580u + (uint32_t)(steps_of(percent, 8) > 0 ? steps_of(percent, 8) : 1);
}

size_t draw_graph_samples(const struct canvas *canvas, int columns)
{
    return columns <= 0 ? 0 : (size_t)columns * (canvas->ascii ? 1 : 2);
}

// Dots of a braille cell by column and row from the top, as Unicode numbers them.
static const uint8_t braille[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};

// The dots of one sample column inside the text row that has BELOW dots under it.
static uint32_t braille_column(float sample, int half, int below, int all)
{
    uint32_t dots = 0;

    if (isnan(sample))
        return 0;
    const int height = steps_of((double)sample, all) > 0 ? steps_of((double)sample, all) : 1;
    for (int dot = 0; dot < 4; dot++) {
        if (below + dot < height)
            dots |= braille[half][3 - dot];
    }
    return dots;
}

static void graph_cell(struct canvas *canvas, struct rect area, int row, int column, enum role role,
                       const float *pair)
{
    const int below = area.rows - 1 - row;
    uint32_t ch = ' ';

    if (canvas->ascii) {
        if (!isnan(pair[0]) && steps_of((double)pair[0], area.rows) > below)
            ch = '#';
        else if (!isnan(pair[0]) && below == 0)
            ch = '_';
    } else {
        const uint32_t dots = braille_column(pair[0], 0, below * 4, area.rows * 4) |
                              braille_column(pair[1], 1, below * 4, area.rows * 4);
        ch = dots != 0 ? 0x2800u + dots : ' ';
    }
    put(canvas, area.y + row, area.x + column, role, ch);
}

void draw_graph(struct canvas *canvas, struct rect area, enum role role, const float *samples,
                size_t count)
{
    const size_t per = canvas->ascii ? 1 : 2;
    const size_t room = draw_graph_samples(canvas, area.cols);
    const size_t skip = count > room ? count - room : 0;
    const size_t lead = count < room ? room - count : 0;

    for (int column = 0; column < area.cols; column++) {
        float pair[2] = {NAN, NAN};
        for (size_t half = 0; half < per; half++) {
            const size_t at = (size_t)column * per + half;
            if (at >= lead && at - lead + skip < count)
                pair[half] = samples[at - lead + skip];
        }
        for (int row = 0; row < area.rows; row++)
            graph_cell(canvas, area, row, column, role, pair);
    }
}
