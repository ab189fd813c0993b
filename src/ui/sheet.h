// SPDX-License-Identifier: Apache-2.0
// A sheet: text, bars and tables line by line, of which a part is seen. A view is one function that
// writes all its lines; it runs once to count and find, once to draw what is seen, so nothing is
// kept but a key per line.
#ifndef NEUTOP_UI_SHEET_H
#define NEUTOP_UI_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/draw.h"
#include "ui/list.h"

struct sheet {
    struct canvas *canvas;
    struct rect area;
    bool drawing;       // false: only counting
    const char *needle; // NULL or "": no search; lines that have it are marked as hits
    struct list list;
    bool cursor; // a line is selected; else lines only scroll
    // The lines of the newest run.
    uint64_t *keys;
    bool *hits;
    size_t count, room;
    int x; // where the next piece goes
};

void sheet_free(struct sheet *sheet);

// Starts a run; then sheet_line() and the rest; sheet_end() ends it.
void sheet_begin(struct sheet *sheet, struct canvas *canvas, struct rect area, bool drawing);
void sheet_end(struct sheet *sheet);

// A new line. KEY tells it from others across runs (0: no matter).
void sheet_line(struct sheet *sheet, uint64_t key);

// Pieces of the line, from left to right.
void sheet_text(struct sheet *sheet, enum role role, const char *text);
void sheet_textf(struct sheet *sheet, enum role role, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void sheet_to(struct sheet *sheet, int column); // the next piece starts there
void sheet_cell(struct sheet *sheet, int width, enum role role,
                const char *text); // padded on the right
void sheet_cell_right(struct sheet *sheet, int width, enum role role,
                      const char *text); // padded on the left
void sheet_bar(struct sheet *sheet, int width, enum role role, double percent);
void sheet_space(struct sheet *sheet, int columns);

// TEXT from the current column on, over as many lines as it needs; further lines start at INDENT.
void sheet_wrap(struct sheet *sheet, int indent, enum role role, const char *text);

// "Label    text", with the text wrapped at its column. NULL as TEXT shows '-'.
void sheet_fact(struct sheet *sheet, const char *label, const char *text);

// A heading line with an empty line before it, except at the top.
void sheet_heading(struct sheet *sheet, const char *text);

// The next line with the needle, from the seen or selected one on. False when there is none.
bool sheet_find(struct sheet *sheet, int by, bool from_here);

#endif
