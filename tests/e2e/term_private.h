// SPDX-License-Identifier: Apache-2.0
// What the two halves of the terminal for tests share: the pseudo-terminal (term_host.c) and its
// screen (term_screen.c).
#ifndef NEUTOP_TESTS_TERM_PRIVATE_H
#define NEUTOP_TESTS_TERM_PRIVATE_H

#include <sys/types.h>
#include <termios.h>

#include <vterm.h>

#include "term_host.h"

struct term {
    int rows, cols;
    int master, control, report; // the terminal; to and from the session leader
    pid_t leader, pid;
    bool stopped, ended;
    int status;           // of waitpid(), once ended
    struct termios modes; // before the program
    char *raw;
    size_t raw_length, raw_size, total;
    VTerm *vt;
    VTermScreen *screen;
    bool alternate, cursor_visible;
    bool restoring; // the saved cursor comes back next
    char *line;     // of term_row()
};

void term_write(struct term *term, const char *bytes, size_t length);

void term_screen_open(struct term *term);
void term_screen_close(struct term *term);
void term_screen_resize(struct term *term);
void term_screen_write(struct term *term, const char *bytes, size_t length);

#endif
