// SPDX-License-Identifier: Apache-2.0
// What the parts of the screen ask of its state and change in it; nothing here draws.
#include "ui/state.h"

#include <stdarg.h>
#include <stdio.h>

#include "ui/group.h"

bool ui_on_main(const struct ui *ui)
{
    return ui->view->build == NULL && ui->view->draw == NULL;
}

bool ui_waiting(const struct ui *ui)
{
    const struct host *host = ui->host;

    if (host == NULL)
        return true;
    for (unsigned i = 0; i < host->source_count; i++) {
        if (host->sources[i].state == SOURCE_LIVE || host->sources[i].state == SOURCE_ENDED)
            return false;
    }
    return host->chip_count == 0 && host->process_count == 0 && host->reports_read == 0;
}

const char *ui_core_word(const struct ui *ui)
{
    return ui->host != NULL && ui->host->numbering == NUMBERING_PHYSICAL ? "P" : "NC";
}

const struct process *row_process(const struct ui *ui, const struct row *row)
{
    return row->kind == ROW_GROUP ? &ui->scope.groups[row->index].sum
                                  : &ui->host->processes[row->index];
}

const struct process *selected_process(const struct ui *ui)
{
    const struct main_state *main = &ui->main;

    if (ui->host == NULL || main->processes.count == 0)
        return NULL;
    return row_process(ui, &main->process_rows.rows[main->processes.selected]);
}

bool selected_owns_chip(const struct ui *ui, unsigned chip)
{
    const struct process *process = ui->main.focus == FOCUS_PROCESSES ? selected_process(ui) : NULL;

    return process != NULL && core_set_has(&process->chips, chip);
}

void ui_message(struct ui *ui, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(ui->message, sizeof ui->message, format, args);
    va_end(args);
}

void ui_show_view(struct ui *ui, const struct view *view)
{
    size_t below = 0;

    while (below < ui->depth && ui->under[below] != view)
        below++;
    if (below == ui->depth && view != ui->view && ui->depth < VIEWS_MAX)
        ui->under[ui->depth++] = ui->view;
    else if (below < ui->depth)
        ui->depth = below;
    ui->view = view;
    ui->sheet.list = (struct list){0};
    ui->sheet.cursor = view->cursor;
    ui->search[0] = '\0';
}

void ui_leave_view(struct ui *ui)
{
    if (ui->depth > 0)
        ui_show_view(ui, ui->under[ui->depth - 1]);
}

void ui_set_theme(struct ui *ui, const struct theme *theme, bool ascii)
{
    const enum color_depth depth = theme_depth(term_colors(ui->term), ui->color);

    ui->theme = theme;
    ui->ascii = ascii;
    ui->canvas.ascii = ascii || ui->ascii_locale;
    term_style(ui->term, theme->styles[depth], depth != DEPTH_NONE);
    ui->dirty = true;
}
