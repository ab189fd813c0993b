// SPDX-License-Identifier: Apache-2.0
// Keys that sort, search, filter, and ask for something: menus and lines being typed.
#include <bsd/string.h>
#include <stdlib.h>
#include <string.h>

#include "ui/actions.h"

static unsigned sort_by(struct ui *ui, const struct column *column)
{
    ui->main.invert = column == ui->main.sort ? !ui->main.invert : false;
    ui->main.sort = column;
    return UI_REDRAW;
}

unsigned act_sort_key(struct ui *ui, int key)
{
    const char *name = key == 'P'   ? "cpu"
                       : key == 'M' ? "hbm"
                       : key == 'T' ? "age"
                       : key == 'u' ? "util"
                                    : "pid";

    return sort_by(ui, column_get(name));
}

unsigned act_sort_next(struct ui *ui, int key)
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

unsigned act_sort_menu(struct ui *ui, int key)
{
    const struct column *table = column_table();
    size_t count = 0;

    (void)key;
    while (table[count].name != NULL)
        count++;
    ui->menu =
        (struct menu){"Sort processes by", count, (size_t)(ui->main.sort - table), 0, sort_item,
                      sort_chosen,         NULL};
    return UI_REDRAW;
}

static bool row_hit(const void *context, size_t row)
{
    const struct ui *ui = context;
    const struct row *at = &ui->main.process_rows.rows[row];

    if (at->kind == ROW_PROCESS)
        return process_matches(ui, &ui->host->processes[at->index], ui->search);
    const struct group_row *group = &ui->scope.groups[at->index];
    bool hit = process_matches(ui, &group->sum, ui->search);
    for (unsigned i = 0; i < group->count && !hit && !keyset_has(&ui->main.groups_open, group->key);
         i++)
        hit = process_matches(ui, &ui->host->processes[ui->scope.members[group->first + i]],
                              ui->search);
    return hit;
}

static void search_now(struct ui *ui, int by, bool from_here)
{
    bool found = false;

    if (ui->search[0] == '\0' || ui->host == NULL)
        return;
    if (ui_on_main(ui)) {
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

static void search_next(struct ui *ui)
{
    search_now(ui, 1, false);
}

unsigned act_search(struct ui *ui, int key)
{
    (void)key;
    ui->prompt = (struct prompt){"Search", "", search_changed, search_done, search_next};
    return UI_REDRAW;
}

unsigned act_search_again(struct ui *ui, int key)
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

unsigned act_filter(struct ui *ui, int key)
{
    (void)key;
    if (!ui_on_main(ui))
        return UI_NOTHING;
    ui->prompt = (struct prompt){"Filter", "", filter_changed, filter_done, NULL};
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

unsigned act_delay(struct ui *ui, int key)
{
    (void)key;
    ui->prompt = (struct prompt){"Seconds between updates", "", NULL, delay_done, NULL};
    return UI_REDRAW;
}

static const char *view_item(const struct ui *ui, size_t index, const char **what)
{
    (void)ui;
    *what = view_table()[index].what;
    return view_table()[index].title;
}

static const char *view_key(size_t index)
{
    return view_table()[index].key;
}

static unsigned view_chosen(struct ui *ui, size_t index)
{
    ui_show_view(ui, &view_table()[index]);
    return UI_REDRAW;
}

unsigned act_view_menu(struct ui *ui, int key)
{
    size_t count = 0;

    (void)key;
    while (view_table()[count].menu)
        count++;
    const size_t at = ui->view->menu ? (size_t)(ui->view - view_table()) : 0;
    ui->menu = (struct menu){"Views", count, at, 0, view_item, view_chosen, view_key};
    return UI_REDRAW;
}
