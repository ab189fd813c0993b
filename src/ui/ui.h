// SPDX-License-Identifier: Apache-2.0
// The screen as the rest of the program sees it: feed it snapshots and keys, and do what it asks
// for.
#ifndef NEUTOP_UI_UI_H
#define NEUTOP_UI_UI_H

#include <stdbool.h>
#include <stdint.h>

#include "check/check.h"
#include "host/history.h"
#include "host/host.h"
#include "ui/look.h"
#include "ui/target.h"

struct ui;

struct ui_options {
    const char *theme; // NULL default
    int color;         // -1 auto, 0 never, 1 always
    bool ascii;
    bool readonly;
    double delay_seconds;
    const char *sort;       // column of the process table, NULL default
    const char *view;       // view to start with, NULL main
    struct ui_look look;    // how the screen looks at first
    const char *save_path;  // where setup is saved; NULL: it cannot be, ...
    const char *no_save;    // ... and why, constant text
    const char *no_signals; // why no process can be signalled, constant text; NULL: they can
    int keys_fd; // terminal to read keys from (standard input, or /dev/tty when that carries the
                 // stream)
};

// What a key asks the loop to do; the ui itself never does it.
enum ui_request {
    UI_NOTHING = 0,
    UI_QUIT = 1 << 0,
    UI_REDRAW = 1 << 1,  // draw again at once
    UI_REFRESH = 1 << 2, // take a new snapshot now
    UI_DELAY = 1 << 3,   // the delay was changed: ui_delay()
    UI_SUSPEND = 1 << 4, // Ctrl-Z
    UI_LOOK = 1 << 5,    // look at the processes that are chosen for a signal: ui_choose()
    UI_SEND = 1 << 6,    // send it: the person has confirmed it
    UI_KILL = 1 << 7,    // send SIGKILL to those of ui_sent() that are still there
    UI_FORGET = 1 << 8,  // nothing is to be sent to ui_asked() any more
    UI_SAVE = 1 << 9,    // save what ui_setting() tells, then ui_say() how that went
};

// Takes the terminal. NULL with a line in ERROR when the terminal cannot be used (unknown TERM, no
// terminal).
struct ui *ui_open(const struct ui_options *options, char *error, size_t size);
void ui_close(struct ui *ui); // the terminal is whole again

// A new snapshot and its findings; borrowed until the next ui_feed() or ui_close(), or until the
// caller ends it just before the next ui_feed(), with no drawing and no keys in between. Not fed
// while ui_paused().
void ui_feed(struct ui *ui, const struct host *host, const struct findings *findings,
             const struct history *history);
bool ui_paused(const struct ui *ui);

// Reads all keys that are there and acts; returns the union of requests.
unsigned ui_keys(struct ui *ui);

// Draws what has changed; a tick without new data writes nothing but the clock.
void ui_draw(struct ui *ui);

// The terminal's size has changed, or the program came back from being stopped.
void ui_resized(struct ui *ui);
void ui_suspend(struct ui *ui); // terminal given back before SIGSTOP
void ui_resume(struct ui *ui);  // and taken again

// Signals. The ui never sends one; the loop does what was asked for:
//   UI_LOOK    let go of ui_asked(), ui_choose(), look at each target and hold it, ui_looked()
//   UI_SEND    let go of ui_sent(), ui_confirmed(), send ui_sent()->signal to what is ready in it
//   UI_KILL    send SIGKILL to what is left in ui_sent()
//   UI_FORGET  let go of ui_asked(), clear it
// and calls ui_targets_changed() with the monotonic second afterwards, whenever a target has ended,
// and once a second.
struct targets *ui_asked(struct ui *ui);
struct targets *ui_sent(struct ui *ui);
void ui_choose(struct ui *ui); // fills ui_asked() from the snapshot
void ui_looked(struct ui *ui);
void ui_confirmed(struct ui *ui); // ui_asked() becomes ui_sent()
void ui_targets_changed(struct ui *ui, double now);

// Seconds between two updates, as the person has set them.
double ui_delay(const struct ui *ui);

// Shows TEXT in place of the finding until the next key.
void ui_say(struct ui *ui, const char *text);

// A word that an option takes, and what it means.
struct ui_name {
    const char *name, *what;
};

// The word at INDEX of the themes, the columns to sort by, and the views; false past the last one.
bool ui_theme_name(size_t index, struct ui_name *name);
bool ui_sort_name(size_t index, struct ui_name *name);
bool ui_view_name(size_t index, struct ui_name *name);

#endif
