// SPDX-License-Identifier: Apache-2.0
// What each key does: one table, from which the help is made too.
#include "ui/keys.h"

#include "ui/actions.h"
#include "ui/overlay.h"
#include "ui/signal.h"

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
    if (ui->view->build == view_setup)
        return view_setup_save(ui);
    ui->main.wrap = !ui->main.wrap;
    return UI_REDRAW;
}

static unsigned chip_mode(struct ui *ui, int key)
{
    (void)key;
    ui->main.chip_mode = (enum chip_mode)(((int)ui->main.chip_mode + 1) % CHIP_MODES);
    ui_message(ui, "chips: %s", chip_mode_word(ui->main.chip_mode));
    return UI_REDRAW;
}

static unsigned invert(struct ui *ui, int key)
{
    (void)key;
    ui->main.invert = !ui->main.invert;
    return UI_REDRAW;
}

// Opens the view, or goes back when it is open already.
static unsigned open_view(struct ui *ui, const char *name)
{
    const struct view *view = view_get(name);

    if (ui->view == view)
        ui_leave_view(ui);
    else
        ui_show_view(ui, view);
    return UI_REDRAW;
}

static unsigned help(struct ui *ui, int key)
{
    (void)key;
    return open_view(ui, "keys");
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
    case 'V':
        return open_view(ui, "versions");
    default:
        return open_view(ui, "sources");
    }
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

// q and Escape leave a view first; on the main view q ends the program and Escape gives back what
// was searched for or filtered away.
static unsigned back(struct ui *ui, int key)
{
    ui->main.wrap = ui->main.wrap && key != KEY_ESCAPE;
    if (!ui_on_main(ui)) {
        ui_leave_view(ui);
        return UI_REDRAW;
    }
    if (key != KEY_ESCAPE)
        return UI_QUIT;
    ui->search[0] = ui->filter[0] = '\0';
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
    {{F(3), '/'}, "F3 /", "search; while typing F3 finds the next", act_search},
    {{'.', ','}, ". ,", "next, previous find", act_search_again},
    {{F(4), '\\'}, "F4 \\", "show only processes with a text", act_filter},
    {{F(5), 't'}, "F5 t", "workers under their launcher, or one flat list", tree},
    {{F(6)}, "F6", "sort processes by ...", act_sort_menu},
    {{'<', '>'}, "< >", "sort by the column before, after", act_sort_next},
    {{'I'}, "I", "invert the order", invert},
    {{'P', 'M', 'T', 'u', 'N'},
     "P M T u N",
     "sort by CPU, device memory, age, utilization, PID",
     act_sort_key},
    {{F(7), 'v'}, "F7 v", "views", act_view_menu},
    {{'!', 'm', 'o', 'n'}, "! m o n", "findings, memory tree, models, cores", view_by_letter},
    {{'y', 'e', 'g', 'i', 'V'},
     "y e g i V",
     "latency and errors, health, history, sources, versions",
     view_by_letter},
    {{F(8), 'Z'}, "F8 Z", "pause: the values stand still, histories go on", pause_screen},
    {{' '}, "space", "tag or untag a process, or all of a group", act_tag},
    {{'U'}, "U", "untag all", act_untag},
    {{F(9), 'K'},
     "F9 K",
     "signal to the process, the job, or all tagged; asks before it sends",
     act_signal},
    {{KEY_TAB, KEY_BACKTAB}, "Tab", "arrows move in chips or in processes", act_focus},
    {{KEY_CURSOR_UP, KEY_CURSOR_DOWN, 'k', 'j'}, "arrows k j", "move", act_move},
    {{KEY_PAGE_UP, KEY_PAGE_DOWN}, "PgUp PgDn", "move by a screen", act_page},
    {{KEY_TOP, KEY_BOTTOM}, "Home End", "to the first, the last", act_ends},
    {{KEY_RETURN}, "Enter", "fold or unfold; all facts of a process", act_turn},
    {{'+', '=', KEY_CURSOR_RIGHT}, "+ right", "unfold", act_unfold},
    {{'-', KEY_CURSOR_LEFT}, "- left", "fold", act_fold},
    {{'x'}, "x", "fold or unfold all", act_fold_all},
    {{'l'}, "l", "all facts of the process or chip under the cursor", act_detail},
    {{'a', 'd'}, "a d", "previous, next tab of processes", act_next_tab},
    {{'1', '2', '3', '4', '5', '6', '7', '8', '9'},
     "1-9",
     "a tab: 1 all, 2.. the processes in order",
     act_tab_number},
    {{'F'}, "F", "follow: chips show only what the selected process holds", act_follow},
    {{'f'}, "f", "FLOPS instead of utilization", flops},
    {{'c'}, "c", "chips: as it fits, one line each, several a line, hidden", chip_mode},
    {{'w'}, "w", "whole command line of the selected process; in setup: save it", wrap},
    {{'s', 'D'}, "s D", "seconds between updates", act_delay},
    {{KEY_CTRL_L}, "Ctrl-L", "draw the screen again", redraw},
    {{KEY_CTRL_Z}, "Ctrl-Z", "stop the program; fg brings it back", suspend},
    {{'q', KEY_ESCAPE},
     "q Esc",
     "leave the view; on the main view q quits, Esc ends search and filter",
     back},
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

// In a terminal that is too small to show anything: a line being typed or a question must not take
// keys that nobody sees go there, and nothing changes that cannot be seen. q ends the program.
static unsigned key_unseen(struct ui *ui, int key)
{
    const unsigned request = overlay_drop(ui) | UI_REDRAW;

    if (key == 'q' || key == F(10))
        return request | UI_QUIT;
    if (key == KEY_CTRL_L)
        return request | redraw(ui, key);
    return key == KEY_CTRL_Z ? request | UI_SUSPEND : request;
}

unsigned keys_act(struct ui *ui, int key)
{
    const struct binding *binding;
    unsigned request = UI_NOTHING;

    ui->dirty = true;
    if (layout_too_small(ui->canvas.rows, ui->canvas.cols))
        return key_unseen(ui, key);
    if (ui->prompt.label != NULL)
        return prompt_key(ui, key);
    if (ui->menu.title != NULL) {
        request = menu_key(ui, key);
        return request | signal_settle(ui);
    }
    if (confirm_open(ui))
        return confirm_key(ui, key);
    ui->message[0] = '\0';
    if (offer_key(ui, key, &request))
        return request;
    binding = binding_of(key);
    if (binding == NULL)
        return UI_REDRAW;
    request = binding->act(ui, key);
    act_follow_cursor(ui);
    return request;
}
