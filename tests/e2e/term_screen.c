// SPDX-License-Identifier: Apache-2.0
// The screen of the terminal for tests, kept by libvterm.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "term_private.h"

// With the saved cursor libvterm brings back whether it was visible, too, which xterm does not.
// Curses saves the cursor while it is hidden when it scrolls a part of the screen, and shows it
// before it leaves the alternate screen, which restores it: that visibility is not the terminal's.
static int on_property(VTermProp property, VTermValue *value, void *user)
{
    struct term *term = user;

    if (property == VTERM_PROP_ALTSCREEN) {
        term->alternate = value->boolean != 0;
        term->restoring = !term->alternate;
    }
    if (property == VTERM_PROP_CURSORVISIBLE && !term->restoring)
        term->cursor_visible = value->boolean != 0;
    if (property == VTERM_PROP_CURSORVISIBLE)
        term->restoring = false;
    return 1;
}

static void on_answer(const char *bytes, size_t length, void *user)
{
    term_write(user, bytes, length);
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property};

void term_screen_open(struct term *term)
{
    term->vt = vterm_new(term->rows, term->cols);
    vterm_set_utf8(term->vt, 1);
    vterm_output_set_callback(term->vt, on_answer, term);
    term->screen = vterm_obtain_screen(term->vt);
    vterm_screen_set_callbacks(term->screen, &callbacks, term);
    vterm_screen_enable_altscreen(term->screen, 1);
    vterm_screen_reset(term->screen, 1);
    term->cursor_visible = true;
    term->restoring = false;
}

void term_screen_close(struct term *term)
{
    vterm_free(term->vt);
    free(term->line);
}

void term_screen_resize(struct term *term)
{
    vterm_set_size(term->vt, term->rows, term->cols);
}

void term_screen_write(struct term *term, const char *bytes, size_t length)
{
    vterm_input_write(term->vt, bytes, length);
}

int term_rows(const struct term *term)
{
    return term->rows;
}

int term_cols(const struct term *term)
{
    return term->cols;
}

static size_t put_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xe0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3f));
        out[2] = (char)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3f));
    out[2] = (char)(0x80 | (c >> 6 & 0x3f));
    out[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

static struct term_color color_of(const VTermColor *color, bool is_default)
{
    if (is_default)
        return (struct term_color){.kind = COLOR_OWN};
    if (VTERM_COLOR_IS_INDEXED(color))
        return (struct term_color){.kind = COLOR_INDEX, .value = color->indexed.idx};
    return (struct term_color){.kind = COLOR_RGB,
                               .value = (uint32_t)color->rgb.red << 16 |
                                        (uint32_t)color->rgb.green << 8 | color->rgb.blue};
}

struct term_cell term_cell(struct term *term, int row, int column)
{
    VTermScreenCell cell;
    struct term_cell out = {.text = " ", .width = 1};
    size_t used = 0;

    if (!vterm_screen_get_cell(term->screen, (VTermPos){.row = row, .col = column}, &cell))
        return out;
    out.width = cell.width;
    out.bold = cell.attrs.bold;
    out.reverse = cell.attrs.reverse;
    out.underline = cell.attrs.underline != 0;
    out.fg = color_of(&cell.fg, VTERM_COLOR_IS_DEFAULT_FG(&cell.fg));
    out.bg = color_of(&cell.bg, VTERM_COLOR_IS_DEFAULT_BG(&cell.bg));
    if (cell.chars[0] == (uint32_t)-1)
        out.text[0] = '\0';
    else
        for (size_t i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i] != 0; i++)
            used += put_utf8(out.text + used, cell.chars[i]);
    if (used > 0)
        out.text[used] = '\0';
    return out;
}

const char *term_row(struct term *term, int row)
{
    size_t used = 0;

    term->line = realloc(term->line, (size_t)term->cols * 24 + 1);
    if (term->line == NULL)
        abort();
    for (int column = 0; column < term->cols; column++) {
        struct term_cell cell = term_cell(term, row, column);
        size_t length = strlen(cell.text);
        memcpy(term->line + used, cell.text, length);
        used += length;
    }
    while (used > 0 && term->line[used - 1] == ' ')
        used--;
    term->line[used] = '\0';
    return term->line;
}

int term_find(struct term *term, const char *text)
{
    for (int row = 0; row < term->rows; row++)
        if (strstr(term_row(term, row), text) != NULL)
            return row;
    return -1;
}

int term_find_column(struct term *term, int row, const char *text)
{
    const char *line = term_row(term, row);
    const char *at = strstr(line, text);
    size_t used = 0;

    if (at == NULL)
        return -1;
    for (int column = 0; column < term->cols; column++) {
        if (line + used >= at)
            return column;
        used += strlen(term_cell(term, row, column).text);
    }
    return -1;
}

unsigned term_count(struct term *term, const char *text)
{
    unsigned count = 0;

    for (int row = 0; row < term->rows; row++)
        count += strstr(term_row(term, row), text) != NULL;
    return count;
}

bool term_alternate(const struct term *term)
{
    return term->alternate;
}

bool term_cursor_visible(const struct term *term)
{
    return term->cursor_visible;
}

void term_cursor(const struct term *term, int *row, int *column)
{
    VTermPos at;

    vterm_state_get_cursorpos(vterm_obtain_state(term->vt), &at);
    *row = at.row;
    *column = at.col;
}

void term_dump(struct term *term, const char *why)
{
    fprintf(stderr, "--- %s: %d x %d, %zu bytes%s%s\n", why, term->cols, term->rows, term->total,
            term->alternate ? ", alternate screen" : "", term->ended ? ", ended" : "");
    for (int row = 0; row < term->rows; row++)
        fprintf(stderr, "|%s\n", term_row(term, row));
    fprintf(stderr, "---\n");
}
