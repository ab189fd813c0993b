// SPDX-License-Identifier: Apache-2.0
// A page of text, 80 columns wide unless said otherwise: cells in columns, wrapped paragraphs,
// colours. Private to src/print.
#ifndef NEUTOP_PRINT_PAGE_H
#define NEUTOP_PRINT_PAGE_H

#include "host/fact.h"
#include "print/print.h"

enum { PAGE_COLUMNS = 80, CELL_TEXT = 512 };

struct page {
    FILE *out;
    const struct print_options *options;
    int column;       // of the current line, from 0
    int width;        // columns; 0: PAGE_COLUMNS
    bool shows_stale; // a stale value was printed
};

// SGR styles; nothing is written without print_options.color.
enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_RED, STYLE_YELLOW, STYLE_GREEN, STYLE_CYAN };
void page_style(struct page *page, enum style style);

// Text from the current column on, cut at the page's edge. Clean text; made ASCII when that is
// asked for.
void page_put(struct page *page, const char *text);
void page_printf(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_newline(struct page *page);

// One cell: TEXT cut to WIDTH columns and padded, at the left or at the right edge.
void page_left(struct page *page, int width, const char *text);
void page_right(struct page *page, int width, const char *text);

// The same without padding: TEXT cut to at most WIDTH columns.
void page_cut(struct page *page, int width, const char *text);

// Blanks up to COLUMN.
void page_to(struct page *page, int column);

// TEXT broken at blanks over as many lines as it needs, from the current column on; further lines
// begin at INDENT. A word that is longer than a line is broken where the line ends: nothing is
// lost. Ends the line.
void page_wrap(struct page *page, int indent, const char *text);

// "label: " and the text wrapped below itself; "-" for no text.
void page_field(struct page *page, int indent, const char *label, const char *text);

// A section's heading on a line of its own, after an empty line.
void page_heading(struct page *page, const char *text);

// A number in its unit for a cell; in parentheses when it is stale.
const char *page_stale(struct page *page, char *buffer, size_t size, const char *text, bool stale);

#endif
