// SPDX-License-Identifier: Apache-2.0
// Keys that move in lists, fold, and choose tabs.
#include <string.h>

#include "ui/actions.h"

static struct list *focus_list(struct ui *ui)
{
    if (!ui_on_main(ui))
        return &ui->sheet.list;
    return ui->main.focus == FOCUS_CHIPS ? &ui->main.chips : &ui->main.processes;
}

// Steps by which up and down move: a row of the grid has several chips.
static long step_rows(const struct ui *ui)
{
    const bool grid =
        ui_on_main(ui) && ui->main.focus == FOCUS_CHIPS && ui->layout.chip_mode == CHIPS_GRID;

    return grid ? ui->layout.grid_columns : 1;
}

void act_follow_cursor(struct ui *ui)
{
    const struct main_state *main = &ui->main;

    if (!ui->follow || ui->host == NULL || main->processes.count == 0)
        return;
    const struct row *row = &main->process_rows.rows[main->processes.selected];
    if (row->kind == ROW_PROCESS)
        scope_only(&ui->scope, main->processes.key);
    else
        scope_select_tab(&ui->scope, row->index + 1);
}

unsigned act_move(struct ui *ui, int key)
{
    struct list *list = focus_list(ui);
    const long by = key == KEY_CURSOR_UP || key == 'k' ? -step_rows(ui) : step_rows(ui);

    if (!ui_on_main(ui) && !ui->view->cursor)
        list_scroll(list, by);
    else
        list_move(list, by);
    return UI_REDRAW;
}

unsigned act_page(struct ui *ui, int key)
{
    struct list *list = focus_list(ui);
    const int by = key == KEY_PAGE_UP ? -1 : 1;

    if (!ui_on_main(ui) && !ui->view->cursor)
        list_scroll(list, by * (list->height > 1 ? (long)list->height - 1 : 1));
    else
        list_page(list, by);
    return UI_REDRAW;
}

unsigned act_ends(struct ui *ui, int key)
{
    struct list *list = focus_list(ui);

    if (!ui_on_main(ui) && !ui->view->cursor)
        list_scroll(list, key == KEY_TOP ? -(long)list->count : (long)list->count);
    else
        list_to(list, key == KEY_TOP ? 0 : list->count > 0 ? list->count - 1 : 0);
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

unsigned act_detail(struct ui *ui, int key)
{
    const struct main_state *main = &ui->main;

    (void)key;
    if (!ui_on_main(ui) || ui->host == NULL)
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
            return act_detail(ui, 0);
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
            return direction == 0 ? act_detail(ui, 0) : UI_NOTHING;
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
    if (ui_on_main(ui))
        return fold_main(ui, direction);
    if (ui->view->activate != NULL && ui->sheet.list.count > 0)
        return ui->view->activate(ui, ui->sheet.list.key, direction);
    return UI_NOTHING;
}

unsigned act_turn(struct ui *ui, int key)
{
    (void)key;
    return fold(ui, 0);
}

unsigned act_unfold(struct ui *ui, int key)
{
    if (key == KEY_CURSOR_RIGHT && ui_on_main(ui) && ui->main.focus == FOCUS_CHIPS &&
        ui->layout.chip_mode == CHIPS_GRID) {
        list_move(&ui->main.chips, 1);
        return UI_REDRAW;
    }
    return fold(ui, 1);
}

unsigned act_fold(struct ui *ui, int key)
{
    if (key == KEY_CURSOR_LEFT && ui_on_main(ui) && ui->main.focus == FOCUS_CHIPS &&
        ui->layout.chip_mode == CHIPS_GRID) {
        list_move(&ui->main.chips, -1);
        return UI_REDRAW;
    }
    return fold(ui, -1);
}

unsigned act_fold_all(struct ui *ui, int key)
{
    struct main_state *main = &ui->main;

    (void)key;
    if (ui->view->build == view_memory) {
        view_memory_fold_all(ui);
    } else if (ui_on_main(ui) && main->focus == FOCUS_CHIPS) {
        keyset_clear(&main->chips_open);
        main->all_chips_open = !main->all_chips_open;
    } else if (ui_on_main(ui)) {
        const bool any = main->groups_open.count > 0;
        if (any) // the cursor stays with its job
            fold_main(ui, -1);
        keyset_clear(&main->groups_open);
        for (size_t i = 0; !any && i < ui->scope.group_count; i++)
            keyset_toggle(&main->groups_open, ui->scope.groups[i].key);
    }
    return UI_REDRAW;
}

// Where the tabs have no line of their own.
static void say_tab(struct ui *ui)
{
    const size_t tab = scope_tab(&ui->scope);

    if (ui->layout.tabs.rows == 0)
        ui_message(ui, "tab %zu of %zu: %s (a d: others, 1: all)", tab + 1,
                   scope_tab_count(&ui->scope), scope_tab_label(&ui->scope, tab));
}

unsigned act_next_tab(struct ui *ui, int key)
{
    const size_t count = scope_tab_count(&ui->scope);
    const size_t tab = scope_tab(&ui->scope) % count;

    ui->follow = false;
    scope_select_tab(&ui->scope, key == 'a' ? (tab + count - 1) % count : (tab + 1) % count);
    say_tab(ui);
    return UI_REDRAW;
}

unsigned act_tab_number(struct ui *ui, int key)
{
    const size_t tab = (size_t)(key - '1');

    if (tab >= scope_tab_count(&ui->scope)) {
        ui_message(ui, "no tab %zu: there are %zu", tab + 1, scope_tab_count(&ui->scope));
        return UI_REDRAW;
    }
    ui->follow = false;
    scope_select_tab(&ui->scope, tab);
    say_tab(ui);
    return UI_REDRAW;
}

unsigned act_follow(struct ui *ui, int key)
{
    (void)key;
    ui->follow = !ui->follow;
    if (!ui->follow)
        scope_select_tab(&ui->scope, 0);
    ui_message(ui, "%s",
               ui->follow ? "chips show only what the selected process holds (F: all again)"
                          : "chips show all processes");
    return UI_REDRAW;
}

unsigned act_focus(struct ui *ui, int key)
{
    struct list *chips = &ui->main.chips;

    (void)key;
    if (!ui_on_main(ui))
        return UI_REDRAW;
    if (ui->main.focus == FOCUS_CHIPS) {
        ui->main.focus = FOCUS_PROCESSES;
        return UI_REDRAW;
    }
    // To a chip of the selected process, unless the cursor is on one already.
    if (ui->host != NULL && chips->count > 0 &&
        !selected_owns_chip(ui,
                            (unsigned)chip_of_row(ui, &ui->main.chip_rows.rows[chips->selected]))) {
        for (unsigned i = 0; i < ui->host->chip_count; i++) {
            if (selected_owns_chip(ui, ui->host->chips[i].index)) {
                list_to_key(chips, ui->host->chips[i].index + 1);
                break;
            }
        }
    }
    ui->main.focus = FOCUS_CHIPS;
    return UI_REDRAW;
}
