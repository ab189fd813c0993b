// SPDX-License-Identifier: Apache-2.0
// The terminal: the only file that talks to ncurses. Takes the terminal, shows a canvas, hands over
// keys, and gives the terminal back whole on every way out: normal, exit(), a fatal signal, being
// stopped.
#ifndef NEUTOP_UI_TERM_H
#define NEUTOP_UI_TERM_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/draw.h"
#include "ui/theme.h"

struct terminal;

// Keys that are no character; characters are their Unicode number.
enum key {
    KEY_NOTHING = -1,
    KEY_HANGUP = -2, // the terminal is gone
    KEY_SPECIAL = 0x110000,
    KEY_CURSOR_UP,
    KEY_CURSOR_DOWN,
    KEY_CURSOR_LEFT,
    KEY_CURSOR_RIGHT,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_TOP,
    KEY_BOTTOM,
    KEY_ERASE,
    KEY_DEL,
    KEY_BACKTAB,
    KEY_FN = 0x110100, // KEY_FN + 1 is F1
};

enum {
    KEY_TAB = 9,
    KEY_RETURN = 13,
    KEY_ESCAPE = 27,
    KEY_CTRL_L = 12,
    KEY_CTRL_Z = 26,
    KEY_CTRL_U = 21
};

// Takes the terminal at standard output, with keys from KEYS_FD. NULL with one line in ERROR when
// it cannot be used. There can be one.
struct terminal *term_open(int keys_fd, char *error, size_t size);
void term_close(struct terminal *term);

// Reads the terminal's size again; true when it has changed.
bool term_measure(struct terminal *term);
int term_rows(const struct terminal *term);
int term_cols(const struct terminal *term);
int term_colors(const struct terminal *term); // that the terminal has

// Gives each role its look; ROLE_COUNT styles.
void term_style(struct terminal *term, const struct style *styles, bool colors);

// Brings the terminal to what the canvas shows, writing only what changed.
void term_show(struct terminal *term, const struct canvas *canvas);

// Forgets what the terminal shows, so that the next term_show() writes all of it.
void term_redraw(struct terminal *term);

// The next key that is there, KEY_NOTHING or KEY_HANGUP; never waits (but 25 ms after a lone
// escape).
int term_key(struct terminal *term);

void term_suspend(struct terminal *term);
void term_resume(struct terminal *term);

#endif
