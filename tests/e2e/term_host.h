// SPDX-License-Identifier: Apache-2.0
// A terminal for tests: runs the real program on a pseudo-terminal, shows its output to libvterm,
// sends keys and reads cells. Between the test and the program stands a session leader that behaves
// as a shell does with a job, so that the program can be stopped and continued, and so that the
// terminal's modes can be looked at after the program is gone.
#ifndef NEUTOP_TESTS_TERM_HOST_H
#define NEUTOP_TESTS_TERM_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Keys as xterm sends them in application keypad mode.
#define KEY_UP "\033OA"
#define KEY_DOWN "\033OB"
#define KEY_RIGHT "\033OC"
#define KEY_LEFT "\033OD"
#define KEY_HOME "\033OH"
#define KEY_END "\033OF"
#define KEY_PGUP "\033[5~"
#define KEY_PGDN "\033[6~"
#define KEY_F1 "\033OP"
#define KEY_F2 "\033OQ"
#define KEY_F3 "\033OR"
#define KEY_F4 "\033OS"
#define KEY_F5 "\033[15~"
#define KEY_F6 "\033[17~"
#define KEY_F7 "\033[18~"
#define KEY_F8 "\033[19~"
#define KEY_F9 "\033[20~"
#define KEY_F10 "\033[21~"
#define KEY_ESC "\033"
#define KEY_ENTER "\r"
#define KEY_CTRL_C "\003"
#define KEY_CTRL_Z "\032"

enum { TERM_WAIT = 8000 }; // the usual deadline in milliseconds; under sanitizers all is slower

struct term;

struct term_options {
    int rows, cols;         // 0: 24 x 80
    const char *name;       // TERM; NULL: xterm-256color
    const char *const *env; // "NAME=VALUE" sets, "NAME" unsets; NULL-terminated; may be NULL
    int input; // standard input instead of the terminal; 0: the terminal. Stays the caller's.
};

// Where a cell's colour comes from: the terminal's own, the palette, or red, green and blue.
struct term_color {
    enum { COLOR_OWN, COLOR_INDEX, COLOR_RGB } kind;
    uint32_t value;
};

struct term_cell {
    char text[32]; // UTF-8 with combining marks; " " for an empty cell, "" for the right half of a
                   // wide character
    int width;
    bool bold, reverse, underline;
    struct term_color fg, bg;
};

// Starts ARGV (NULL-terminated; argv[0] is a path or a name on PATH). The test fails when it
// cannot. Ends with term_free().
struct term *term_start(const struct term_options *options, const char *const *argv);

// The same for the program under test with ARGS, at ROWS x COLS.
struct term *term_neutop(int rows, int cols, const char *const *args);

// Kills what still runs and gives everything back.
void term_free(struct term *term);

void term_send(struct term *term, const char *keys);
void term_resize(struct term *term, int rows, int cols);
void term_signal(struct term *term, int signal_number);
pid_t term_pid(const struct term *term);

// Reads output for at most MS milliseconds or until something has come; false when nothing came.
bool term_pump(struct term *term, int ms);

// The terminal goes away, as when a connection is lost.
void term_hangup(struct term *term);

// Waits until the program is stopped; continues it as the shell's "fg" does.
bool term_wait_stopped(struct term *term, int ms);
void term_continue(struct term *term);

// The status of waitpid() once the program has ended, or -1 after MS milliseconds.
int term_wait_exit(struct term *term, int ms);

// Each returns false after MS milliseconds. "Quiet" means no output for QUIET milliseconds after
// some output.
bool term_wait_text(struct term *term, const char *text, int ms);
bool term_wait_gone(struct term *term, const char *text, int ms);
bool term_wait_quiet(struct term *term, int quiet, int ms);
bool term_wait_bytes(struct term *term, size_t more, int ms);
bool term_wait_alternate(struct term *term, bool on, int ms);

// What is on the screen. A row's text is trimmed on the right and valid until the next call for the
// same terminal.
int term_rows(const struct term *term);
int term_cols(const struct term *term);
const char *term_row(struct term *term, int row);
int term_find(struct term *term, const char *text); // first row that contains TEXT, or -1
int term_find_column(struct term *term, int row, const char *text); // its column (cells), or -1
unsigned term_count(struct term *term, const char *text);           // rows that contain TEXT
struct term_cell term_cell(struct term *term, int row, int column);
bool term_alternate(const struct term *term);
bool term_cursor_visible(const struct term *term);
void term_cursor(const struct term *term, int *row, int *column);

// All bytes that the program wrote so far.
const char *term_raw(const struct term *term, size_t *length);
void term_raw_forget(struct term *term);

// The terminal's modes are those of before the program was started.
bool term_modes_restored(const struct term *term);

// The screen on standard error, with WHY.
void term_dump(struct term *term, const char *why);

// Fail the test with the screen printed.
#define expect_text(term, text) \
    term_expect((term), term_wait_text((term), (text), TERM_WAIT), (text), __FILE__, __LINE__)
#define expect_gone(term, text) \
    term_expect((term), term_wait_gone((term), (text), TERM_WAIT), (text), __FILE__, __LINE__)
#define expect_that(term, condition) \
    term_expect((term), (condition), #condition, __FILE__, __LINE__)
void term_expect(struct term *term, bool holds, const char *what, const char *file, int line);

// The program ends with exit status STATUS and leaves the terminal whole: modes, alternate screen,
// cursor.
#define expect_exit(term, status) term_expect_exit((term), (status), false, __FILE__, __LINE__)
#define expect_killed(term, signal) term_expect_exit((term), (signal), true, __FILE__, __LINE__)
void term_expect_exit(struct term *term, int status, bool killed, const char *file, int line);

#endif
