// SPDX-License-Identifier: Apache-2.0
// Cells, paragraphs and colours of a text page.
#include "print/page.h"

#include <stdarg.h>
#include <string.h>

#include "base/text.h"

void page_style(struct page *page, enum style style)
{
    static const char *const codes[] = {"0", "1", "2", "1;31", "33", "32", "36"};
    if (page->options->color)
        fprintf(page->out, "\033[%sm", codes[style]);
}

static int width(const struct page *page)
{
    return page->width > 0 ? page->width : PAGE_COLUMNS;
}

static int room(const struct page *page)
{
    return width(page) - page->column;
}

static int put_fitted(struct page *page, const char *text, int columns)
{
    char fitted[CELL_TEXT];
    int used = text_fit(fitted, sizeof(fitted), text, columns, page->options->ascii);
    fputs(fitted, page->out);
    page->column += used;
    return used;
}

void page_put(struct page *page, const char *text)
{
    if (room(page) > 0)
        put_fitted(page, text, room(page));
}

void page_printf(struct page *page, const char *format, ...)
{
    char text[CELL_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    page_put(page, text);
}

void page_newline(struct page *page)
{
    fputc('\n', page->out);
    page->column = 0;
}

void page_to(struct page *page, int column)
{
    for (; page->column < column && page->column < width(page); page->column++)
        fputc(' ', page->out);
}

void page_cut(struct page *page, int columns, const char *text)
{
    put_fitted(page, text, columns < room(page) ? columns : room(page));
}

void page_left(struct page *page, int columns, const char *text)
{
    int start = page->column;
    page_cut(page, columns, text);
    page_to(page, start + columns);
}

void page_right(struct page *page, int most, const char *text)
{
    char fitted[CELL_TEXT];
    int columns = most < room(page) ? most : room(page);
    int used = text_fit(fitted, sizeof(fitted), text, columns, page->options->ascii);
    page_to(page, page->column + columns - used);
    fputs(fitted, page->out);
    page->column += used;
}

// Bytes of the longest start of TEXT (LENGTH bytes, clean) that fits in COLUMNS. A character takes
// no more columns than bytes, so the first COLUMNS bytes need no measuring.
static size_t bytes_that_fit(const char *text, size_t length, int columns)
{
    char piece[CELL_TEXT];
    size_t fits = 0, at = 0;
    if (columns <= 0)
        return 0;
    if (length <= (size_t)columns)
        return length;
    while (at < length && at + 4 < sizeof(piece)) {
        uint32_t code;
        at += text_decode(text + at, length - at, &code);
        if (at > (size_t)columns) {
            memcpy(piece, text, at);
            piece[at] = '\0';
            if (text_width(piece) > columns)
                break;
        }
        fits = at;
    }
    return fits;
}

// Bytes of WORD, but no more than fit in a cell: a word may be long, and each of its lines comes
// here.
static size_t word_length(const char *word)
{
    size_t length = 0;
    while (length < CELL_TEXT && word[length] != '\0' && word[length] != ' ')
        length++;
    return length;
}

static void put_word(struct page *page, const char *word, size_t length)
{
    char piece[CELL_TEXT];
    if (length >= sizeof(piece))
        length = sizeof(piece) - 1;
    memcpy(piece, word, length);
    piece[length] = '\0';
    put_fitted(page, piece, width(page));
}

// Where to break a word of which FITS bytes fit: behind the last '/', ',' or '-' of them, if that
// leaves a fair piece.
static size_t break_at(const char *word, size_t fits)
{
    for (size_t at = fits; at > fits / 2; at--)
        if (strchr("/,-", word[at - 1]) != NULL)
            return at;
    return fits;
}

static void wrap_line(struct page *page, int indent)
{
    page_newline(page);
    page_to(page, indent);
}

void page_wrap(struct page *page, int indent, const char *text)
{
    size_t gap = 0; // blanks to write before the word; none at the start of a line
    for (const char *word = text + strspn(text, " "); *word != '\0';) {
        size_t length = word_length(word);
        size_t fits = bytes_that_fit(word, length, room(page) - (int)gap);
        bool whole_below = bytes_that_fit(word, length, width(page) - indent) == length;
        if (fits < length && page->column > indent && (whole_below || fits < 8)) {
            wrap_line(page, indent);
            gap = 0;
            continue;
        }
        if (fits < length)
            fits = break_at(word, fits);
        page_to(page, page->column + (int)gap);
        put_word(page, word, fits);
        word += fits;
        gap = strspn(word, " ");
        if (fits < length)
            wrap_line(page, indent);
        else
            word += gap;
        gap = fits < length ? 0 : gap < 2 ? 1 : 2;
    }
    page_newline(page);
}

void page_field(struct page *page, int indent, const char *label, const char *text)
{
    page_to(page, indent);
    page_printf(page, "%s ", label);
    page_wrap(page, page->column, text != NULL ? text : "-");
}

void page_heading(struct page *page, const char *text)
{
    page_newline(page);
    page_style(page, STYLE_BOLD);
    page_put(page, text);
    page_style(page, STYLE_PLAIN);
    page_newline(page);
}

const char *page_stale(struct page *page, char *buffer, size_t size, const char *text, bool stale)
{
    if (!stale)
        return text;
    page->shows_stale = true;
    snprintf(buffer, size, "(%s)", text);
    return buffer;
}
