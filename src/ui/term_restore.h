// SPDX-License-Identifier: Apache-2.0
// The terminal given back whole on exit(), on a fatal signal and when the program is stopped. A
// part of ui/term.c: nobody else includes this.
#ifndef NEUTOP_UI_TERM_RESTORE_H
#define NEUTOP_UI_TERM_RESTORE_H

#include <termios.h>

// From now on every way out restores the terminal: writes what ends its modes to OUT_FD and puts
// SETTINGS (NULL: unknown, left alone) back on IN_FD. After newterm(), whose capabilities it reads.
// Both descriptors must stay open.
void term_restore_prepare(int in_fd, int out_fd, const struct termios *settings);

// The terminal has been given back by endwin(): puts the settings back, and nothing is restored
// again until term_restore_taken() says that it has been taken anew.
void term_restore_given_back(void);
void term_restore_taken(void);

#endif
