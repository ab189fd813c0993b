// SPDX-License-Identifier: Apache-2.0
// The screen as a whole: takes snapshots and keys, lays out, draws the parts and shows them.
#include "ui/ui.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/xmem.h"
#include "ui/overlay.h"
#include "ui/signal.h"

bool ui_sort_name(size_t index, struct ui_name *name)
{
    const struct column *column = column_table();

    for (size_t i = 0; i < index && column->name != NULL; i++)
        column++;
    *name = (struct ui_name){column->name, column->what};
    return column->name != NULL;
}

bool ui_view_name(size_t index, struct ui_name *name)
{
    const struct view *view = view_table();

    for (size_t i = 0; i < index && view->name != NULL; i++)
        view++;
    *name = (struct ui_name){view->name, view->what};
    return view->name != NULL && view->menu; // views without a place in the menu come last
}

void ui_say(struct ui *ui, const char *text)
{
    ui_message(ui, "%s", text);
    ui->dirty = true;
}

struct ui *ui_open(const struct ui_options *options, char *error, size_t size)
{
    struct terminal *term = term_open(options->keys_fd, error, size);

    if (term == NULL)
        return NULL;
    struct ui *ui = xcalloc(1, sizeof *ui);
    ui->term = term;
    ui->color = options->color;
    ui->ascii_locale = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    ui->readonly = options->readonly;
    ui->no_signals = options->no_signals;
    ui->delay_seconds = options->delay_seconds;
    ui->save_path = options->save_path;
    ui->no_save = options->no_save;
    ui_look_apply(ui, &options->look);
    ui->main.sort = column_get(options->sort != NULL ? options->sort : "hbm");
    if (ui->main.sort == NULL)
        ui->main.sort = column_table();
    ui->view = view_table();
    if (options->view != NULL && view_get(options->view) != NULL)
        ui_show_view(ui, view_get(options->view));
    const struct theme *theme = theme_get(options->theme);
    canvas_resize(&ui->canvas, term_rows(term), term_cols(term));
    ui_set_theme(ui, theme != NULL ? theme : theme_get(NULL), options->ascii);
    return ui;
}

void ui_close(struct ui *ui)
{
    if (ui == NULL)
        return;
    term_close(ui->term);
    canvas_free(&ui->canvas);
    scope_free(&ui->scope);
    sheet_free(&ui->sheet);
    rows_free(&ui->main.chip_rows);
    rows_free(&ui->main.process_rows);
    keyset_free(&ui->main.chips_open);
    keyset_free(&ui->main.groups_open);
    keyset_free(&ui->main.tags);
    targets_free(&ui->signal.asked);
    targets_free(&ui->signal.sent);
    keyset_free(&ui->memory_open);
    free(ui);
}

void ui_feed(struct ui *ui, const struct host *host, const struct findings *findings,
             const struct history *history)
{
    ui->host = host;
    ui->findings = *findings;
    ui->history = history;
    scope_feed(&ui->scope, host);
    tags_prune(ui);
    ui->dirty = true;
}

bool ui_paused(const struct ui *ui)
{
    return ui->paused;
}

double ui_delay(const struct ui *ui)
{
    return ui->delay_seconds;
}

unsigned ui_keys(struct ui *ui)
{
    unsigned request = UI_NOTHING;

    for (;;) {
        const int key = term_key(ui->term);
        if (key == KEY_HANGUP)
            return request | UI_QUIT;
        if (key == KEY_NOTHING)
            return request;
        if (key == KEY_SPECIAL)
            continue;
        request |= keys_act(ui, key);
        if ((request & ~(unsigned)(UI_REDRAW | UI_REFRESH | UI_DELAY)) != 0)
            return request;
        ui_layout(ui);
    }
}

static unsigned logical_per_chip(const struct host *host)
{
    unsigned most = 1;

    for (unsigned i = 0; i < host->chip_count; i++)
        most = host->chips[i].core_count > most ? host->chips[i].core_count : most;
    return most;
}

void ui_layout(struct ui *ui)
{
    struct layout_input in = {.rows = ui->canvas.rows,
                              .cols = ui->canvas.cols,
                              .cores_per_chip = 1,
                              .wish = ui->main.chip_mode};

    chips_rows(ui);
    processes_rows(ui);
    if (ui->host != NULL) {
        in.chips = ui->host->chip_count;
        in.cores_per_chip = logical_per_chip(ui->host);
        in.chip_rows = (unsigned)ui->main.chip_rows.count;
        // A tab or a filter must not make the chips change their shape.
        in.processes = (unsigned)(ui->main.process_rows.count > ui->scope.group_count
                                      ? ui->main.process_rows.count
                                      : ui->scope.group_count);
        in.findings = (unsigned)ui->findings.count;
    }
    layout_compute(&ui->layout, &in);
    const int chip_height = ui->layout.chip_mode == CHIPS_GRID
                                ? ui->layout.chips.rows * ui->layout.grid_columns
                                : ui->layout.chips.rows;
    list_height(&ui->main.chips, (size_t)chip_height);
    list_height(&ui->main.processes, (size_t)(ui->layout.processes.rows - wrapped_rows(ui)));
    if (ui->view->build == NULL || ui->layout.too_small)
        return;
    struct rect area = ui->layout.body;
    area.y++;
    area.rows--;
    ui->sheet.needle = ui->search;
    sheet_begin(&ui->sheet, &ui->canvas, area, false);
    ui->view->build(ui, &ui->sheet);
    sheet_end(&ui->sheet);
}

static void draw_too_small(struct ui *ui)
{
    char text[80];

    snprintf(text, sizeof text, "needs %dx%d", LAYOUT_MIN_COLS, LAYOUT_MIN_ROWS);
    if (ui->canvas.cols >= 40)
        snprintf(text, sizeof text, "neutop needs %d columns and %d rows", LAYOUT_MIN_COLS,
                 LAYOUT_MIN_ROWS);
    draw_text(&ui->canvas, 0, 0, ui->canvas.cols, ROLE_TEXT, text);
}

static void draw_view_head(struct ui *ui, struct rect body)
{
    const struct list *list = &ui->sheet.list;
    char where[64] = "q: back ";

    draw_fill(&ui->canvas, body.y, 0, body.cols, ROLE_HEAD, ' ');
    draw_text(&ui->canvas, body.y, 1, body.cols - 1, ROLE_HEAD_ON, ui->view->title);
    if (ui->view->build != NULL && list->count > list->height)
        snprintf(where, sizeof where, "line %zu of %zu  q: back ", list->selected + 1, list->count);
    draw_text_right(&ui->canvas, body.y, body.cols / 2, body.cols - body.cols / 2, ROLE_HEAD,
                    where);
}

static void draw_view(struct ui *ui)
{
    struct rect area = ui->layout.body;

    draw_view_head(ui, area);
    area.y++;
    area.rows--;
    if (ui->view->draw != NULL) {
        ui->view->draw(ui, area);
        return;
    }
    sheet_begin(&ui->sheet, &ui->canvas, area, true);
    ui->view->build(ui, &ui->sheet);
    sheet_end(&ui->sheet);
}

// What is waited for, and how each source fares.
static void draw_waiting(struct ui *ui)
{
    const struct rect body = ui->layout.body;
    const struct host *host = ui->host;
    int y = body.y + 1;

    draw_text(&ui->canvas, y++, 2, body.cols - 2, ROLE_STRONG, "Nothing is known yet.");
    for (unsigned i = 0; host != NULL && i < host->source_count; i++) {
        const struct source_status *source = &host->sources[i];
        if (y >= body.y + body.rows)
            return;
        draw_textf(&ui->canvas, y++, 2, body.cols - 3, ROLE_TEXT, "%-10s %-9s %.300s", source->name,
                   source_state_word(source->state), source->detail != NULL ? source->detail : "");
    }
}

static void draw_main(struct ui *ui)
{
    if (ui_waiting(ui)) {
        draw_waiting(ui);
        return;
    }
    chips_draw(ui);
    chip_detail_draw(ui, ui->layout.detail);
    graphs_draw(ui, ui->layout.graph);
    processes_draw(ui);
}

static void draw_all(struct ui *ui)
{
    canvas_clear(&ui->canvas);
    ui->signal.drawn = ui->signal.offer_drawn = false; // unless it is drawn now
    ui_layout(ui);
    if (ui->layout.too_small) {
        draw_too_small(ui);
        return;
    }
    header_draw(ui);
    if (ui->view->build == NULL && ui->view->draw == NULL)
        draw_main(ui);
    else
        draw_view(ui);
    tabs_draw(ui);
    keybar_draw(ui);
    menu_draw(ui);
    confirm_draw(ui);
    header_clock(ui);
}

void ui_draw(struct ui *ui)
{
    if (ui->dirty)
        draw_all(ui);
    else if (!ui->layout.too_small)
        header_clock(ui);
    ui->dirty = false;
    term_show(ui->term, &ui->canvas);
}

void ui_resized(struct ui *ui)
{
    if (!term_measure(ui->term))
        term_redraw(ui->term);
    canvas_resize(&ui->canvas, term_rows(ui->term), term_cols(ui->term));
    ui->dirty = true;
}

void ui_suspend(struct ui *ui)
{
    term_suspend(ui->term);
}

void ui_resume(struct ui *ui)
{
    term_resume(ui->term);
    ui_resized(ui);
}
