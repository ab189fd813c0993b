// SPDX-License-Identifier: Apache-2.0
// Lines of a view that scroll, with search over their text.
#include "ui/sheet.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmem.h"

enum { LABEL_COLUMNS = 25 };

void sheet_free(struct sheet *sheet)
{
    free(sheet->keys);
    free(sheet->hits);
    memset(sheet, 0, sizeof *sheet);
}

void sheet_begin(struct sheet *sheet, struct canvas *canvas, struct rect area, bool drawing)
{
    sheet->canvas = canvas;
    sheet->area = area;
    sheet->drawing = drawing;
    sheet->count = 0;
    sheet->x = 0;
}

// The row on the canvas of the current line, -1 when it is not seen.
static int row_of(const struct sheet *sheet)
{
    const size_t line = sheet->count - 1;

    if (!sheet->drawing || sheet->count == 0 || line < sheet->list.top)
        return -1;
    return line - sheet->list.top < (size_t)sheet->area.rows
               ? sheet->area.y + (int)(line - sheet->list.top)
               : -1;
}

static void finish_line(struct sheet *sheet)
{
    const int row = row_of(sheet);

    if (row >= 0 && sheet->cursor && sheet->count - 1 == sheet->list.selected)
        draw_paint(sheet->canvas, row, sheet->area.x, sheet->area.cols, ROLE_SELECTED);
    else if (row >= 0 && sheet->hits[sheet->count - 1])
        draw_paint(sheet->canvas, row, sheet->area.x, sheet->x, ROLE_MATCH);
}

void sheet_end(struct sheet *sheet)
{
    finish_line(sheet);
    if (sheet->drawing)
        return;
    list_rows(&sheet->list, sheet->keys, sheet->count);
    list_height(&sheet->list, (size_t)sheet->area.rows);
}

void sheet_line(struct sheet *sheet, uint64_t key)
{
    finish_line(sheet);
    if (sheet->count == sheet->room) {
        sheet->room = sheet->room * 2 + 64;
        sheet->keys = xreallocarray(sheet->keys, sheet->room, sizeof *sheet->keys);
        sheet->hits = xreallocarray(sheet->hits, sheet->room, sizeof *sheet->hits);
    }
    sheet->keys[sheet->count] = key;
    sheet->hits[sheet->count] = false;
    sheet->count++;
    sheet->x = 0;
}

static void look_for_needle(struct sheet *sheet, const char *text)
{
    if (sheet->count > 0 && sheet->needle != NULL && sheet->needle[0] != '\0' &&
        text_contains(text, sheet->needle))
        sheet->hits[sheet->count - 1] = true;
}

static int room_left(const struct sheet *sheet)
{
    return sheet->x < sheet->area.cols ? sheet->area.cols - sheet->x : 0;
}

void sheet_text(struct sheet *sheet, enum role role, const char *text)
{
    const int row = row_of(sheet);

    look_for_needle(sheet, text);
    if (row >= 0)
        sheet->x +=
            draw_text(sheet->canvas, row, sheet->area.x + sheet->x, room_left(sheet), role, text);
    else
        sheet->x += text_width(text);
}

void sheet_textf(struct sheet *sheet, enum role role, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sheet_text(sheet, role, text);
}

void sheet_to(struct sheet *sheet, int column)
{
    sheet->x = column > sheet->x ? column : sheet->x + 1;
}

static void cell(struct sheet *sheet, int width, enum role role, const char *text, bool right)
{
    const int row = row_of(sheet);
    const int columns = width < room_left(sheet) ? width : room_left(sheet);

    look_for_needle(sheet, text);
    if (row >= 0 && right)
        draw_text_right(sheet->canvas, row, sheet->area.x + sheet->x, columns, role, text);
    else if (row >= 0)
        draw_text(sheet->canvas, row, sheet->area.x + sheet->x, columns, role, text);
    sheet->x += width;
}

void sheet_cell(struct sheet *sheet, int width, enum role role, const char *text)
{
    cell(sheet, width, role, text, false);
}

void sheet_cell_right(struct sheet *sheet, int width, enum role role, const char *text)
{
    cell(sheet, width, role, text, true);
}

void sheet_bar(struct sheet *sheet, int width, enum role role, double percent)
{
    const int row = row_of(sheet);

    if (row >= 0 && width <= room_left(sheet))
        draw_bar(sheet->canvas, row, sheet->area.x + sheet->x, width, role, percent);
    sheet->x += width;
}

void sheet_space(struct sheet *sheet, int columns)
{
    sheet->x += columns;
}

enum { PIECE = 1024 }; // bytes of one line

// Bytes of TEXT that fit in COLUMNS, broken at a blank when there is one; at least one character
// and less than PIECE. Looks no further than that: a text is long, and there are many lines in it.
static size_t break_at(const char *text, int columns)
{
    const size_t length = strnlen(text, PIECE + 4);
    size_t at = 0, blank = 0;
    int used = 0;

    while (at < length) {
        uint32_t ch;
        const size_t bytes = text_decode(text + at, length - at, &ch);
        char one[8] = "";
        memcpy(one, text + at, bytes);
        used += text_width(one);
        if ((used > columns || at + bytes >= PIECE) && at > 0)
            return blank > 0 && ch != ' ' ? blank : at;
        if (ch == ' ')
            blank = at;
        at += bytes;
    }
    return length;
}

void sheet_wrap(struct sheet *sheet, int indent, enum role role, const char *text)
{
    const uint64_t key = sheet->count > 0 ? sheet->keys[sheet->count - 1] : 0;

    if (indent > sheet->area.cols / 2)
        indent = 2;
    for (;;) {
        char piece[PIECE];
        size_t bytes = break_at(text, room_left(sheet) > 8 ? room_left(sheet) : 8);
        memcpy(piece, text, bytes);
        piece[bytes] = '\0';
        sheet_text(sheet, role, piece);
        text += bytes;
        while (*text == ' ')
            text++;
        if (*text == '\0')
            return;
        sheet_line(sheet, key);
        sheet->x = indent;
    }
}

void sheet_fact(struct sheet *sheet, const char *label, const char *text)
{
    sheet_line(sheet, 0);
    sheet_space(sheet, 2);
    sheet_cell(sheet, LABEL_COLUMNS - 3, ROLE_DIM, label);
    sheet->x = LABEL_COLUMNS;
    if (text == NULL)
        sheet_text(sheet, ROLE_UNKNOWN, "-");
    else
        sheet_wrap(sheet, LABEL_COLUMNS, ROLE_TEXT, text);
}

void sheet_heading(struct sheet *sheet, const char *text)
{
    if (sheet->count > 0)
        sheet_line(sheet, 0);
    sheet_line(sheet, 0);
    sheet_text(sheet, ROLE_STRONG, text);
}

static bool is_hit(const void *context, size_t row)
{
    const struct sheet *sheet = context;

    return row < sheet->count && sheet->hits[row];
}

bool sheet_find(struct sheet *sheet, int by, bool from_here)
{
    if (!list_search(&sheet->list, by, from_here, is_hit, sheet))
        return false;
    if (!sheet->cursor)
        sheet->list.top = sheet->list.selected;
    return true;
}
