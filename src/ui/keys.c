// SPDX-License-Identifier: Apache-2.0
// What each key does: one table, from which the help is made too.
#include "ui/keys.h"

#include <bsd/string.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/overlay.h"

static bool on_main(const struct ui *ui)
{
    return ui->view->build == NULL && ui->view->draw == NULL;
}

static struct list *focus_list(struct ui *ui)
{
    if (!on_main(ui))
        return &ui->sheet.list;
    return ui->main.focus == FOCUS_CHIPS ? &ui->main.chips : &ui->main.processes;
}

// Steps by which up and down move: a row of the grid has several chips.
static long step_rows(const struct ui *ui)
{
    const bool grid =
        on_main(ui) && ui->main.focus == FOCUS_CHIPS && ui->layout.chip_mode == CHIPS_GRID;

    return grid ? ui->layout.grid_columns : 1;
}

static void follow(struct ui *ui)
{
    const struct main_state *main = &ui->main;

    if (ui->follow && main->processes.count > 0 &&
        main->process_rows.rows[main->processes.selected].kind == ROW_PROCESS)
        scope_only(&ui->scope, main->processes.key);
}

static unsigned move(struct ui *ui, int key)
{
    struct list *list = focus_list(ui);
    const long by = key == KEY_CURSOR_UP || key == 'k' ? -step_rows(ui) : step_rows(ui);

    if (!on_main(ui) && !ui->view->cursor) {
        list_scroll(list, by);
        list->selected = list->top;
    } else {
        list_move(list, by);
    }
    return UI_REDRAW;
}

static unsigned page(struct ui *ui, int key)
{
    struct list *list = focus_list(ui);
    const int by = key == KEY_PAGE_UP ? -1 : 1;

    if (!on_main(ui) && !ui->view->cursor) {
        list_scroll(list, by * (list->height > 1 ? (long)list->height - 1 : 1));
        list->selected = list->top;
    } else {
        list_page(list, by);
    }
    return UI_REDRAW;
}

static unsigned ends(struct ui *ui, int key)
{
    struct list *list = focus_list(ui);

    if (!on_main(ui) && !ui->view->cursor) {
        list_scroll(list, key == KEY_TOP ? -(long)list->count : (long)list->count);
        list->selected = list->top;
    } else {
        list_to(list, key == KEY_TOP ? 0 : list->count > 0 ? list->count - 1 : 0);
    }
    return UI_REDRAW;
}

static void open_detail(struct ui *ui, enum row_kind kind, uint64_t key)
{
    ui->detail_kind = kind;
    ui->detail_key = key;
    ui_show_view(ui, view_get("detail"));
}

static uint64_t chip_of_row(const struct ui *ui, const struct row *row)
{
    return ui->host->chips[row->kind == ROW_CHIP ? row->index : ui->host->cores[row->index].chip]
        .index;
}

static unsigned detail(struct ui *ui, int key)
{
    const struct main_state *main = &ui->main;

    (void)key;
    if (!on_main(ui) || ui->host == NULL)
        return UI_NOTHING;
    if (main->focus == FOCUS_CHIPS && main->chips.count > 0)
        open_detail(ui, ROW_CHIP, chip_of_row(ui, &main->chip_rows.rows[main->chips.selected]));
    else if (main->focus == FOCUS_PROCESSES && main->processes.count > 0)
        open_detail(ui, main->process_rows.rows[main->processes.selected].kind,
                    main->processes.key);
    return UI_REDRAW;
}

// Unfolds (1), folds (-1) or turns (0) what the cursor is on.
static unsigned fold_main(struct ui *ui, int direction)
{
    struct main_state *main = &ui->main;

    if (main->focus == FOCUS_CHIPS && main->chips.count > 0) {
        const uint64_t chip = chip_of_row(ui, &main->chip_rows.rows[main->chips.selected]) + 1;
        const bool open = keyset_has(&main->chips_open, chip) != main->all_chips_open;
        if (ui->layout.chip_mode == CHIPS_GRID)
            return detail(ui, 0);
        if (direction == 0 || (direction > 0) != open)
            keyset_toggle(&main->chips_open, chip);
        list_to_key(&main->chips, chip);
        main->chips.key = chip;
        return UI_REDRAW;
    }
    if (main->focus == FOCUS_PROCESSES && main->processes.count > 0) {
        const struct row *row = &main->process_rows.rows[main->processes.selected];
        uint64_t group = main->processes.key;
        if (row->kind == ROW_PROCESS && row->depth > 0 && direction < 0) // its group
            group = ui->scope.groups[ui->scope.group_of[row->index]].key;
        else if (row->kind != ROW_GROUP)
            return direction == 0 ? detail(ui, 0) : UI_NOTHING;
        if (direction == 0 || (direction > 0) != keyset_has(&main->groups_open, group))
            keyset_toggle(&main->groups_open, group);
        list_to_key(&main->processes, group);
    }
    return UI_REDRAW;
}

static unsigned fold(struct ui *ui, int direction)
{
    if (ui->host == NULL)
        return UI_NOTHING;
    if (on_main(ui))
        return fold_main(ui, direction);
    if (ui->view->activate != NULL && ui->sheet.list.count > 0)
        return ui->view->activate(ui, ui->sheet.list.key, direction);
    return UI_NOTHING;
}

static unsigned turn(struct ui *ui, int key)
{
    (void)key;
    return fold(ui, 0);
}

static unsigned unfold(struct ui *ui, int key)
{
    if (key == KEY_CURSOR_RIGHT && on_main(ui) && ui->main.focus == FOCUS_CHIPS &&
        ui->layout.chip_mode == CHIPS_GRID) {
        list_move(&ui->main.chips, 1);
        return UI_REDRAW;
    }
    return fold(ui, 1);
}

static unsigned fold_up(struct ui *ui, int key)
{
    if (key == KEY_CURSOR_LEFT && on_main(ui) && ui->main.focus == FOCUS_CHIPS &&
        ui->layout.chip_mode == CHIPS_GRID) {
        list_move(&ui->main.chips, -1);
        return UI_REDRAW;
    }
    return fold(ui, -1);
}

static unsigned fold_all(struct ui *ui, int key)
{
    struct main_state *main = &ui->main;

    (void)key;
    if (ui->view->build == view_memory) {
        view_memory_fold_all(ui);
    } else if (on_main(ui) && main->focus == FOCUS_CHIPS) {
        keyset_clear(&main->chips_open);
        main->all_chips_open = !main->all_chips_open;
    } else if (on_main(ui)) {
        const bool any = main->groups_open.count > 0;
        keyset_clear(&main->groups_open);
        for (size_t i = 0; !any && i < ui->scope.group_count; i++)
            keyset_toggle(&main->groups_open, ui->scope.groups[i].key);
    }
    return UI_REDRAW;
}

static unsigned next_tab(struct ui *ui, int key)
{
    const size_t count = scope_tab_count(&ui->scope);
    const size_t tab = scope_tab(&ui->scope) % count;

    ui->follow = false;
    scope_select_tab(&ui->scope, key == 'a' ? (tab + count - 1) % count : (tab + 1) % count);
    return UI_REDRAW;
}

static unsigned tab_number(struct ui *ui, int key)
{
    ui->follow = false;
    scope_select_tab(&ui->scope, (size_t)(key - '1'));
    return UI_REDRAW;
}

static unsigned follow_process(struct ui *ui, int key)
{
    (void)key;
    ui->follow = !ui->follow;
    if (!ui->follow) {
        scope_select_tab(&ui->scope, 0);
    } else if (ui->main.processes.count > 0 &&
               ui->main.process_rows.rows[ui->main.processes.selected].kind == ROW_GROUP) {
        ui->scope.tab = TAB_GROUP;
        ui->scope.tab_key = ui->main.processes.key;
        scope_select_tab(&ui->scope, scope_tab(&ui->scope));
    }
    follow(ui);
    ui_message(ui, "%s",
               ui->follow ? "showing only the selected process and what it holds (F: all again)"
                          : "showing all processes");
    return UI_REDRAW;
}

static unsigned switch_focus(struct ui *ui, int key)
{
    (void)key;
    if (on_main(ui))
        ui->main.focus = ui->main.focus == FOCUS_CHIPS ? FOCUS_PROCESSES : FOCUS_CHIPS;
    return UI_REDRAW;
}

static unsigned flops(struct ui *ui, int key)
{
    (void)key;
    ui->main.flops = !ui->main.flops;
    return UI_REDRAW;
}

static unsigned pause_screen(struct ui *ui, int key)
{
    (void)key;
    ui->paused = !ui->paused;
    return UI_REDRAW | (ui->paused ? 0 : UI_REFRESH);
}

static unsigned tree(struct ui *ui, int key)
{
    (void)key;
    ui->main.tree = !ui->main.tree;
    return UI_REDRAW;
}

static unsigned wrap(struct ui *ui, int key)
{
    (void)key;
    ui->main.wrap = !ui->main.wrap;
    return UI_REDRAW;
}

static unsigned chip_mode(struct ui *ui, int key)
{
    static const char *const words[CHIP_MODES] = {"as it fits", "one line each", "several a line",
                                                  "hidden"};

    (void)key;
    ui->main.chip_mode = (enum chip_mode)(((int)ui->main.chip_mode + 1) % CHIP_MODES);
    ui_message(ui, "chips: %s", words[ui->main.chip_mode]);
    return UI_REDRAW;
}

static unsigned invert(struct ui *ui, int key)
{
    (void)key;
    ui->main.invert = !ui->main.invert;
    return UI_REDRAW;
}

static unsigned sort_by(struct ui *ui, const struct column *column)
{
    ui->main.invert = column == ui->main.sort ? !ui->main.invert : false;
    ui->main.sort = column;
    return UI_REDRAW;
}

static unsigned sort_key(struct ui *ui, int key)
{
    const char *name = key == 'P'   ? "cpu"
                       : key == 'M' ? "hbm"
                       : key == 'T' ? "age"
                       : key == 'U' ? "util"
                                    : "pid";

    return sort_by(ui, column_get(name));
}

static unsigned sort_next(struct ui *ui, int key)
{
    const struct column *table = column_table();
    size_t count = 0, at = (size_t)(ui->main.sort - table);

    while (table[count].name != NULL)
        count++;
    at = key == '<' ? (at + count - 1) % count : (at + 1) % count;
    ui->main.sort = &table[at];
    ui->main.invert = false;
    ui_message(ui, "sorted by %s", table[at].head);
    return UI_REDRAW;
}

static const char *sort_item(const struct ui *ui, size_t index, const char **what)
{
    (void)ui;
    *what = column_table()[index].what;
    return column_table()[index].head;
}

static unsigned sort_chosen(struct ui *ui, size_t index)
{
    return sort_by(ui, &column_table()[index]);
}

static unsigned sort_menu(struct ui *ui, int key)
{
    const struct column *table = column_table();
    size_t count = 0;

    (void)key;
    while (table[count].name != NULL)
        count++;
    ui->menu = (struct menu){"Sort processes by", count,      (size_t)(ui->main.sort - table), 0,
                             sort_item,           sort_chosen};
    return UI_REDRAW;
}

static const char *view_item(const struct ui *ui, size_t index, const char **what)
{
    (void)ui;
    *what = view_table()[index].what;
    return view_table()[index].title;
}

static unsigned view_chosen(struct ui *ui, size_t index)
{
    ui_show_view(ui, &view_table()[index]);
    return UI_REDRAW;
}

static unsigned view_menu(struct ui *ui, int key)
{
    size_t count = 0;

    (void)key;
    while (view_table()[count].menu)
        count++;
    const size_t at = ui->view->menu ? (size_t)(ui->view - view_table()) : 0;
    ui->menu = (struct menu){"Views", count, at, 0, view_item, view_chosen};
    return UI_REDRAW;
}

// Opens the view, or goes back when it is open already.
static unsigned open_view(struct ui *ui, const char *name)
{
    const struct view *view = view_get(name);

    ui_show_view(ui, ui->view == view ? ui->previous : view);
    return UI_REDRAW;
}

static unsigned help(struct ui *ui, int key)
{
    (void)key;
    return open_view(ui, "help");
}

static unsigned setup(struct ui *ui, int key)
{
    (void)key;
    return open_view(ui, "setup");
}

static unsigned view_by_letter(struct ui *ui, int key)
{
    switch (key) {
    case '!':
        return open_view(ui, "findings");
    case 'm':
        return open_view(ui, "memory");
    case 'o':
        return open_view(ui, "models");
    case 'y':
        return open_view(ui, "latency");
    case 'e':
        return open_view(ui, "health");
    case 'g':
        return open_view(ui, "history");
    case 'n':
        return open_view(ui, "cores");
    default:
        return open_view(ui, "sources");
    }
}

static bool row_hit(const void *context, size_t row)
{
    const struct ui *ui = context;
    const struct row *at = &ui->main.process_rows.rows[row];

    return process_matches(ui,
                           at->kind == ROW_GROUP ? &ui->scope.groups[at->index].sum
                                                 : &ui->host->processes[at->index],
                           ui->search);
}

static void search_now(struct ui *ui, int by, bool from_here)
{
    bool found = false;

    if (ui->search[0] == '\0' || ui->host == NULL)
        return;
    if (on_main(ui)) {
        ui->main.focus = FOCUS_PROCESSES;
        found = list_search(&ui->main.processes, by, from_here, row_hit, ui);
    } else {
        ui_layout(ui); // the hits of the new text
        found = sheet_find(&ui->sheet, by, from_here);
    }
    if (!found)
        ui_message(ui, "nothing found for '%s'", ui->search);
    else
        ui->message[0] = '\0';
}

static void search_changed(struct ui *ui, const char *text)
{
    strlcpy(ui->search, text, sizeof ui->search);
    search_now(ui, 1, true);
}

static unsigned search_done(struct ui *ui, const char *text, bool accepted)
{
    strlcpy(ui->search, accepted ? text : "", sizeof ui->search);
    if (!accepted)
        ui->message[0] = '\0'; // "nothing found" went with the text
    return UI_REDRAW;
}

static unsigned search(struct ui *ui, int key)
{
    if (key == KEY_FN + 3 && ui->search[0] != '\0')
        search_now(ui, 1, false);
    else
        ui->prompt = (struct prompt){"Search", "", search_changed, search_done};
    return UI_REDRAW;
}

static unsigned search_again(struct ui *ui, int key)
{
    search_now(ui, key == ',' ? -1 : 1, false);
    return UI_REDRAW;
}

static void filter_changed(struct ui *ui, const char *text)
{
    strlcpy(ui->filter, text, sizeof ui->filter);
}

static unsigned filter_done(struct ui *ui, const char *text, bool accepted)
{
    strlcpy(ui->filter, accepted ? text : "", sizeof ui->filter);
    return UI_REDRAW;
}

static unsigned filter(struct ui *ui, int key)
{
    (void)key;
    if (!on_main(ui))
        return UI_NOTHING;
    ui->prompt = (struct prompt){"Filter", "", filter_changed, filter_done};
    strlcpy(ui->prompt.text, ui->filter, sizeof ui->prompt.text);
    return UI_REDRAW;
}

static unsigned delay_done(struct ui *ui, const char *text, bool accepted)
{
    char *end;
    const double seconds = strtod(text, &end);

    if (!accepted || text[0] == '\0')
        return UI_NOTHING;
    if (*end != '\0' || !(seconds >= 0.1 && seconds <= 3600)) {
        ui_message(ui, "'%s' is no delay: a number of seconds from 0.1 to 3600", text);
        return UI_NOTHING;
    }
    ui->delay_seconds = seconds;
    return UI_DELAY;
}

static unsigned delay(struct ui *ui, int key)
{
    (void)key;
    ui->prompt = (struct prompt){"Seconds between updates", "", NULL, delay_done};
    return UI_REDRAW;
}

static unsigned redraw(struct ui *ui, int key)
{
    (void)key;
    term_redraw(ui->term);
    return UI_REDRAW;
}

static unsigned suspend(struct ui *ui, int key)
{
    (void)ui;
    (void)key;
    return UI_SUSPEND;
}

// q and Escape leave a view first, then the program (q only).
static unsigned back(struct ui *ui, int key)
{
    ui->main.wrap = ui->main.wrap && key != KEY_ESCAPE;
    if (on_main(ui))
        return key == KEY_ESCAPE ? UI_REDRAW : UI_QUIT;
    ui_show_view(ui, ui->view == ui->previous ? view_table() : ui->previous);
    return UI_REDRAW;
}

static unsigned quit(struct ui *ui, int key)
{
    (void)ui;
    (void)key;
    return UI_QUIT;
}

#define F(n) (KEY_FN + (n))

static const struct binding bindings[] = {
    {{F(1), 'h', '?'}, "F1 h ?", "this help", help},
    {{F(2)}, "F2", "setup: theme, ASCII, delay, columns", setup},
    {{F(3), '/'}, "F3 /", "search; F3 again finds the next", search},
    {{'.', ','}, ". ,", "next, previous find", search_again},
    {{F(4), '\\'}, "F4 \\", "show only processes with a text", filter},
    {{F(5), 't'}, "F5 t", "workers under their launcher, or one flat list", tree},
    {{F(6)}, "F6", "sort processes by ...", sort_menu},
    {{'<', '>'}, "< >", "sort by the column before, after", sort_next},
    {{'I'}, "I", "invert the order", invert},
    {{'P', 'M', 'T', 'U', 'N'},
     "P M T U N",
     "sort by CPU, device memory, age, utilization, PID",
     sort_key},
    {{F(7), 'v'}, "F7 v", "views", view_menu},
    {{'!', 'm', 'o', 'n'}, "! m o n", "findings, memory tree, models, cores", view_by_letter},
    {{'y', 'e', 'g', 'i'},
     "y e g i",
     "latency and errors, health, history, sources and versions",
     view_by_letter},
    {{F(8), 'Z', ' '},
     "F8 Z space",
     "pause: the values stand still, histories go on",
     pause_screen},
    {{KEY_TAB, KEY_BACKTAB}, "Tab", "arrows move in chips or in processes", switch_focus},
    {{KEY_CURSOR_UP, KEY_CURSOR_DOWN, 'k', 'j'}, "arrows k j", "move", move},
    {{KEY_PAGE_UP, KEY_PAGE_DOWN}, "PgUp PgDn", "move by a screen", page},
    {{KEY_TOP, KEY_BOTTOM}, "Home End", "to the first, the last", ends},
    {{KEY_RETURN}, "Enter", "fold or unfold; all facts of a process", turn},
    {{'+', '=', KEY_CURSOR_RIGHT}, "+ right", "unfold", unfold},
    {{'-', KEY_CURSOR_LEFT}, "- left", "fold", fold_up},
    {{'x'}, "x", "fold or unfold all", fold_all},
    {{'l'}, "l", "all facts of the process or chip under the cursor", detail},
    {{'a', 'd'}, "a d", "previous, next tab of processes", next_tab},
    {{'1', '2', '3', '4', '5', '6', '7', '8', '9'},
     "1-9",
     "a tab: 1 all, 2.. the processes in order",
     tab_number},
    {{'F'}, "F", "follow: show only the selected process and what it holds", follow_process},
    {{'f'}, "f", "FLOPS instead of utilization", flops},
    {{'c'}, "c", "chips: as it fits, one line each, several a line, hidden", chip_mode},
    {{'w'}, "w", "whole command line of the selected process", wrap},
    {{'s', 'D'}, "s D", "seconds between updates", delay},
    {{KEY_CTRL_L}, "Ctrl-L", "draw the screen again", redraw},
    {{KEY_CTRL_Z}, "Ctrl-Z", "stop the program; fg brings it back", suspend},
    {{'q', KEY_ESCAPE}, "q Esc", "leave the view; q on the main view quits", back},
    {{F(10)}, "F10", "quit", quit},
    {{0}, NULL, NULL, NULL},
};

const struct binding *key_bindings(void)
{
    return bindings;
}

static const struct binding *binding_of(int key)
{
    for (const struct binding *binding = bindings; binding->label != NULL; binding++) {
        for (int i = 0; i < BINDING_KEYS && binding->keys[i] != 0; i++) {
            if (binding->keys[i] == key)
                return binding;
        }
    }
    return NULL;
}

unsigned keys_act(struct ui *ui, int key)
{
    const struct binding *binding;
    unsigned request = UI_NOTHING;

    ui->dirty = true;
    if (ui->prompt.label != NULL)
        return prompt_key(ui, key);
    if (ui->menu.title != NULL)
        return menu_key(ui, key);
    ui->message[0] = '\0';
    binding = binding_of(key);
    if (binding == NULL)
        return UI_REDRAW;
    request = binding->act(ui, key);
    follow(ui);
    return request;
}
