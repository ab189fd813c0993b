// SPDX-License-Identifier: Apache-2.0
// Setup: what can be changed while the program runs. Each setting is a row of a table.
#include <stdio.h>
#include <string.h>

#include "ui/state.h"

struct setting {
    const char *name;
    void (*value)(const struct ui *ui, char *text, size_t size);
    unsigned (*change)(struct ui *ui, int direction);
};

static void theme_value(const struct ui *ui, char *text, size_t size)
{
    snprintf(text, size, "%s (%s)", ui->theme->name, ui->theme->what);
}

static unsigned theme_change(struct ui *ui, int direction)
{
    const struct theme *table = theme_table();
    int count = 0, at = (int)(ui->theme - table);

    while (table[count].name != NULL)
        count++;
    at = (at + (direction < 0 ? count - 1 : 1)) % count;
    ui_set_theme(ui, &table[at], ui->ascii);
    return UI_REDRAW;
}

static void ascii_value(const struct ui *ui, char *text, size_t size)
{
    snprintf(text, size, "%s",
             ui->canvas.ascii ? ui->ascii_locale ? "yes (the locale has no UTF-8)" : "yes" : "no");
}

static unsigned ascii_change(struct ui *ui, int direction)
{
    (void)direction;
    ui_set_theme(ui, ui->theme, !ui->ascii);
    return UI_REDRAW;
}

static void delay_value(const struct ui *ui, char *text, size_t size)
{
    snprintf(text, size, "%g s", ui->delay_seconds);
}

static unsigned delay_change(struct ui *ui, int direction)
{
    static const double steps[] = {0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600};
    const int count = sizeof steps / sizeof steps[0];
    int at = 0;

    while (at + 1 < count && steps[at] < ui->delay_seconds)
        at++;
    at += direction < 0 ? -1 : 1;
    ui->delay_seconds = steps[at < 0 ? 0 : at >= count ? count - 1 : at];
    return UI_REDRAW | UI_DELAY;
}

static void tree_value(const struct ui *ui, char *text, size_t size)
{
    snprintf(text, size, "%s", ui->main.tree ? "yes" : "no");
}

static unsigned tree_change(struct ui *ui, int direction)
{
    (void)direction;
    ui->main.tree = !ui->main.tree;
    return UI_REDRAW;
}

static void chips_value(const struct ui *ui, char *text, size_t size)
{
    snprintf(text, size, "%s", chip_mode_word(ui->main.chip_mode));
}

static unsigned chips_change(struct ui *ui, int direction)
{
    ui->main.chip_mode = (enum chip_mode)(
        ((int)ui->main.chip_mode + (direction < 0 ? CHIP_MODES - 1 : 1)) % CHIP_MODES);
    return UI_REDRAW;
}

static void flops_value(const struct ui *ui, char *text, size_t size)
{
    snprintf(text, size, "%s", ui->main.flops ? "FLOPS" : "utilization");
}

static unsigned flops_change(struct ui *ui, int direction)
{
    (void)direction;
    ui->main.flops = !ui->main.flops;
    return UI_REDRAW;
}

static void sort_value(const struct ui *ui, char *text, size_t size)
{
    snprintf(text, size, "%s%s", ui->main.sort->head, ui->main.invert ? ", inverted" : "");
}

static unsigned sort_change(struct ui *ui, int direction)
{
    const struct column *table = column_table();
    int count = 0, at = (int)(ui->main.sort - table);

    while (table[count].name != NULL)
        count++;
    ui->main.sort = &table[(at + (direction < 0 ? count - 1 : 1)) % count];
    return UI_REDRAW;
}

static const struct setting settings[] = {
    {"Theme", theme_value, theme_change},
    {"ASCII only", ascii_value, ascii_change},
    {"Delay between updates", delay_value, delay_change},
    {"Chips", chips_value, chips_change},
    {"Cores show", flops_value, flops_change},
    {"Workers under launcher", tree_value, tree_change},
    {"Processes sorted by", sort_value, sort_change},
};

enum {
    SETTINGS = sizeof settings / sizeof settings[0],
    SAVE_KEY = SETTINGS + 1,
    COLUMN_KEY = 1000,
    LABEL = 26
};

static void write_save(const struct ui *ui, struct sheet *sheet)
{
    sheet_line(sheet, SAVE_KEY);
    sheet_space(sheet, 2);
    sheet_cell(sheet, LABEL, ROLE_TEXT, "w saves this setup in");
    if (ui->save_path != NULL)
        sheet_wrap(sheet, LABEL + 2, ROLE_STRONG, ui->save_path);
    else
        sheet_textf(sheet, ROLE_DIM, "nothing, it is for this session: %s", ui->no_save);
}

void view_setup(struct ui *ui, struct sheet *sheet)
{
    char text[128];

    for (unsigned i = 0; i < SETTINGS; i++) {
        sheet_line(sheet, i + 1);
        sheet_space(sheet, 2);
        sheet_cell(sheet, LABEL, ROLE_TEXT, settings[i].name);
        settings[i].value(ui, text, sizeof text);
        sheet_text(sheet, ROLE_STRONG, text);
    }
    write_save(ui, sheet);
    sheet_line(sheet, COLUMN_KEY - 2);
    sheet_line(sheet, COLUMN_KEY - 1);
    sheet_text(sheet, ROLE_STRONG, "Columns of the processes (shown where there is room)");
    const struct column *table = column_table();
    for (unsigned i = 0; table[i].name != NULL; i++) {
        sheet_line(sheet, COLUMN_KEY + i);
        sheet_textf(sheet, ROLE_STRONG, "  [%c] ",
                    (ui->main.hidden_columns & 1ul << i) != 0 ? ' ' : 'x');
        sheet_cell(sheet, LABEL - 4, ROLE_TEXT, table[i].head);
        sheet_text(sheet, ROLE_DIM, table[i].what);
    }
}

unsigned view_setup_save(struct ui *ui)
{
    if (ui->save_path != NULL)
        return UI_REDRAW | UI_SAVE;
    ui_message(ui, "not saved: %s", ui->no_save);
    return UI_REDRAW;
}

unsigned view_setup_change(struct ui *ui, uint64_t key, int direction)
{
    if (key >= 1 && key <= SETTINGS)
        return settings[key - 1].change(ui, direction);
    if (key == SAVE_KEY)
        return direction == 0 ? view_setup_save(ui) : UI_NOTHING;
    if (key >= COLUMN_KEY && column_table()[key - COLUMN_KEY].priority > 0)
        ui->main.hidden_columns ^= 1ul << (key - COLUMN_KEY);
    return UI_REDRAW;
}
