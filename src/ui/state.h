// SPDX-License-Identifier: Apache-2.0
// What the screen knows while it runs. Shared by the files of this folder only.
#ifndef NEUTOP_UI_STATE_H
#define NEUTOP_UI_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/check.h"
#include "host/history.h"
#include "host/host.h"
#include "ui/columns.h"
#include "ui/draw.h"
#include "ui/layout.h"
#include "ui/list.h"
#include "ui/scope.h"
#include "ui/sheet.h"
#include "ui/target.h"
#include "ui/term.h"
#include "ui/theme.h"
#include "ui/ui.h"

// A growing set of keys, kept sorted: what is folded differently from its default.
struct keyset {
    uint64_t *keys;
    size_t count, room;
};

// keyset_toggle() adds KEY or takes it out. Zeroed is empty; keyset_free() ends it.
bool keyset_has(const struct keyset *set, uint64_t key);
void keyset_toggle(struct keyset *set, uint64_t key);
void keyset_clear(struct keyset *set);
void keyset_free(struct keyset *set);

// Rows of a list of the main view.
enum row_kind { ROW_CHIP, ROW_CORE, ROW_GROUP, ROW_PROCESS };

struct row {
    enum row_kind kind;
    unsigned index; // of the chip, core, group or process
    int depth;
};

struct rows {
    struct row *rows;
    uint64_t *keys;
    size_t count, room;
};

// Zeroed is empty; rows_free() ends it. KEY tells the row from others across snapshots.
void rows_clear(struct rows *rows);
void rows_add(struct rows *rows, enum row_kind kind, unsigned index, int depth, uint64_t key);
void rows_free(struct rows *rows);

enum focus { FOCUS_PROCESSES, FOCUS_CHIPS };
enum { FILTER_TEXT = 64, MESSAGE_TEXT = 160, VIEWS_MAX = 16 };

// The main view: chips and processes.
struct main_state {
    struct rows chip_rows, process_rows;
    struct list chips, processes;
    struct keyset chips_open, groups_open;
    struct keyset tags; // keys of processes
    bool all_chips_open;
    enum focus focus;
    enum chip_mode chip_mode;
    bool flops; // FLOPS instead of utilisation
    bool tree;  // workers under their launcher
    bool wrap;  // the whole command line of the selected process
    bool invert;
    const struct column *sort;
    unsigned long hidden_columns;
};

// A line of text being typed in place of the key bar.
struct prompt {
    const char *label; // NULL: none
    char text[FILTER_TEXT];
    void (*changed)(struct ui *ui, const char *text);                 // while typing; may be NULL
    unsigned (*done)(struct ui *ui, const char *text, bool accepted); // Enter or Escape
    void (*again)(struct ui *ui); // F3 while typing; may be NULL
};

// A list to choose from, over the left part of the screen.
struct menu {
    const char *title; // NULL: none
    size_t count, selected, top;
    const char *(*item)(const struct ui *ui, size_t index, const char **what);
    unsigned (*chosen)(struct ui *ui, size_t index);
    const char *(*key)(size_t index); // that does the same without the menu; may be NULL
};

// What a signal is to go to.
enum choice { CHOICE_PROCESS, CHOICE_GROUP, CHOICE_TAGGED };

struct signal_state {
    enum choice choice;
    uint64_t key;         // of the process or group
    struct targets asked; // the person is being asked about these
    struct targets sent;  // these got a signal and are watched
    char title[TARGET_NAME + 16], job[TARGET_NAME + 16];
    bool panel;      // the question is open, or the refusal
    bool drawn;      // and has been on the screen: only then a 'y' counts
    const char *why; // no process at all can be signalled: constant text; NULL
    double now;      // monotonic, of the newest look at the watched
    enum note_kind note;
    char note_text[NOTE_TEXT];
    double offered;   // monotonic: since when SIGKILL is offered
    bool offer_drawn; // and it is on the screen now: only then y and n answer it
    bool declined;    // and it was not wanted
};

// A view that takes the middle of the screen. The main view has no build().
struct view {
    const char *name; // as in --view
    const char *key;  // that opens it
    const char *title;
    const char *what;
    bool cursor; // lines can be selected
    bool menu;   // in the menu of views
    void (*build)(struct ui *ui, struct sheet *sheet);
    // Enter (0), right or plus (1), left or minus (-1) on the selected line; NULL: nothing.
    unsigned (*activate)(struct ui *ui, uint64_t key, int direction);
    void (*draw)(struct ui *ui, struct rect area); // instead of build(); NULL
};

const struct view *view_table(void);           // ends with a NULL name; the first is main
const struct view *view_get(const char *name); // NULL: no view has this name

struct ui {
    struct terminal *term;
    struct canvas canvas;
    const struct theme *theme;
    int color;
    bool ascii, ascii_locale;
    bool readonly;
    double delay_seconds;
    const struct host *host; // NULL before the first ui_feed()
    struct findings findings;
    const struct history *history;
    struct scope scope;
    struct layout layout;
    const struct view *view;
    const struct view *under[VIEWS_MAX]; // what leads back to main, which is the first
    size_t depth;
    struct main_state main;
    struct sheet sheet;
    struct keyset memory_open; // memory tree: what is unfolded
    bool memory_all;
    uint64_t detail_key; // what the detail view shows: a process, a group or a chip
    enum row_kind detail_kind;
    struct prompt prompt;
    struct menu menu;
    struct signal_state signal;
    const char *save_path;  // where setup is saved, and ...
    const char *no_save;    // ... why it is not, where that is NULL
    const char *no_signals; // why none can be sent, constant text; NULL: they can
    char search[FILTER_TEXT], filter[FILTER_TEXT];
    char message[MESSAGE_TEXT]; // shown in place of the finding until the next key
    bool paused;
    bool follow; // the tab follows the selected process
    bool dirty;  // more than the clock has to be drawn
};

// state.c: asked of the state, and changed in it.
bool ui_on_main(const struct ui *ui); // the main view is shown
// No source has given a fact yet: nothing is known, not even zero.
bool ui_waiting(const struct ui *ui);
const char *ui_core_word(const struct ui *ui); // what the cores are: "NC", or "P" for physical ones
// The process of a row of the main view's list; of a group its sum.
const struct process *row_process(const struct ui *ui, const struct row *row);
// The same for the row that the cursor is on; NULL: there is none.
const struct process *selected_process(const struct ui *ui);
// The cursor is on a process of CHIP, the driver's index.
bool selected_owns_chip(const struct ui *ui, unsigned chip);
// Shown in place of the finding until the next key.
void ui_message(struct ui *ui, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Shows VIEW over the one that is shown now; one that is open below is gone back to.
void ui_show_view(struct ui *ui, const struct view *view);
void ui_leave_view(struct ui *ui); // to the view below; main stays
// THEME in as many colours as the terminal has; ASCII: no character beyond ASCII.
void ui_set_theme(struct ui *ui, const struct theme *theme, bool ascii);

// What the other files of this folder offer each other.
// The lines at the top, their clock alone, the tabs, the keys at the bottom.
void header_draw(struct ui *ui);
void header_clock(struct ui *ui);
void tabs_draw(struct ui *ui);
void keybar_draw(struct ui *ui);

void chips_rows(struct ui *ui);                           // rebuilds the rows of the list
void chips_draw(struct ui *ui);                           // a line each, or the grid
void chip_core_line(struct ui *ui, int y, unsigned core); // one unfolded core
void chip_detail_draw(struct ui *ui, struct rect area);   // the selected chip, core by core
void chip_grid_draw(struct ui *ui);                       // several chips a line
// One logical core in WIDTH columns, one of which stays empty: a bar and its percentage.
void chip_core_cell(struct ui *ui, int y, int x, int width, unsigned core);
// Who owns a chip or a core, in one short text; workers of one launcher count as one.
void chip_owner_text(const struct ui *ui, const unsigned *owners, unsigned count,
                     unsigned core_first, unsigned cores, char *text, size_t size, enum role *role);
// The same in at most COLUMNS: the first owner, and how many more there are.
void chip_owner_fit(const struct ui *ui, const unsigned *owners, unsigned count,
                    unsigned core_first, unsigned cores, int columns, char *text, size_t size,
                    enum role *role);
const char *chip_mode_word(enum chip_mode mode);
void processes_rows(struct ui *ui);
void processes_draw(struct ui *ui);
int wrapped_rows(const struct ui *ui); // that the whole command line takes from the processes
void graphs_draw(struct ui *ui, struct rect area);
// NEEDLE is in one of its texts, or the number of one of its cores; "" matches all.
bool process_matches(const struct ui *ui, const struct process *process, const char *needle);

unsigned keys_act(struct ui *ui, int key); // one key, in any state
void ui_layout(struct ui *ui);             // rows and rectangles anew

// facts.c: pieces that several parts draw.
void stale_mark(char *text, size_t size, bool stale); // appends the mark of an old number
// The look of a use, and of a memory that is USED of TOTAL.
enum role busy_role(struct fact_f64 percent);
enum role memory_role(struct fact_u64 used, struct fact_u64 total);
double percent_of(struct fact_u64 part, struct fact_u64 whole); // NAN when unknown
enum role fact_role(bool known, bool stale); // of a number that is good or bad in no way
// A right-aligned cell of WIDTH columns: FACT as UNIT writes it, in its role and with its mark.
void f64_cell(struct sheet *sheet, int width, struct fact_f64 fact,
              char *(*unit)(char *, size_t, struct fact_f64));
void u64_cell(struct sheet *sheet, int width, struct fact_u64 fact,
              char *(*unit)(char *, size_t, struct fact_u64));

// The views' functions, one file each or a few together.
void view_findings(struct ui *ui, struct sheet *sheet);
void view_memory(struct ui *ui, struct sheet *sheet);
unsigned view_memory_fold(struct ui *ui, uint64_t key, int direction);
void view_memory_fold_all(struct ui *ui);
void view_models(struct ui *ui, struct sheet *sheet);
void view_health(struct ui *ui, struct sheet *sheet);
void view_latency(struct ui *ui, struct sheet *sheet);
void view_cores(struct ui *ui, struct sheet *sheet);
void view_sources(struct ui *ui, struct sheet *sheet);
void view_versions(struct ui *ui, struct sheet *sheet);
void view_history(struct ui *ui, struct rect area);
void view_detail(struct ui *ui, struct sheet *sheet);
void view_help(struct ui *ui, struct sheet *sheet);
void view_setup(struct ui *ui, struct sheet *sheet);
unsigned view_setup_change(struct ui *ui, uint64_t key, int direction);
unsigned view_setup_save(struct ui *ui);

#endif
