// SPDX-License-Identifier: Apache-2.0
// The chips of the main view: a line each, unfolded into cores.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/units.h"
#include "ui/state.h"

enum { CORE_KEY = 1 << 20, CORE_MAX = 15, BAR_MAX = 16, CHIP_COLUMNS = 5 };

void chips_rows(struct ui *ui)
{
    struct main_state *main = &ui->main;

    rows_clear(&main->chip_rows);
    for (unsigned i = 0; ui->host != NULL && i < ui->host->chip_count; i++) {
        const struct chip *chip = &ui->scope.chips[i];
        const uint64_t key = chip->index + 1;
        rows_add(&main->chip_rows, ROW_CHIP, i, 0, key);
        if (keyset_has(&main->chips_open, key) == main->all_chips_open)
            continue;
        for (unsigned core = 0; core < chip->core_count; core++)
            rows_add(&main->chip_rows, ROW_CORE, chip->core_first + core, 1,
                     CORE_KEY + chip->core_first + core);
    }
    list_rows(&main->chips, main->chip_rows.keys, main->chip_rows.count);
}

const char *chip_mode_word(enum chip_mode mode)
{
    static const char *const words[CHIP_MODES] = {"as it fits", "one line each", "several a line",
                                                  "hidden"};

    return words[mode];
}

// Columns of a chip's line, from left to right.
struct chip_columns {
    int core_width, cores; // of one logical core, and how many
    int memory_bar, memory_text;
    int util, power, health, numa, history, owner;
};

static unsigned most_cores(const struct host *host)
{
    unsigned most = 1;

    for (unsigned i = 0; i < host->chip_count; i++)
        most = host->chips[i].core_count > most ? host->chips[i].core_count : most;
    return most;
}

static bool any_power(const struct host *host)
{
    for (unsigned i = 0; i < host->chip_count; i++) {
        if (known_f64(host->chips[i].power_percent))
            return true;
    }
    return false;
}

static bool any_health(const struct host *host)
{
    for (unsigned i = 0; i < host->chip_count; i++) {
        const struct chip *chip = &host->chips[i];
        if (chip->health != HEALTH_UNKNOWN || known_u64(chip->ecc.mem_uncorrected))
            return true;
    }
    return false;
}

// Takes WIDTH columns for a part when LEFT has them beyond what the owner needs.
static int spend(int *left, int width, int owner)
{
    if (*left < width + owner)
        return 0;
    *left -= width;
    return width;
}

static void choose_columns(const struct ui *ui, struct chip_columns *columns)
{
    const struct host *host = ui->host;
    int left = ui->layout.chips.cols - CHIP_COLUMNS;

    memset(columns, 0, sizeof *columns);
    columns->cores = (int)most_cores(host);
    columns->core_width = left >= 75 ? 40 / columns->cores : (left - 18) / columns->cores;
    if (columns->core_width > CORE_MAX)
        columns->core_width = CORE_MAX;
    if (columns->core_width < 5)
        columns->core_width = columns->core_width < 2 ? 2 : columns->core_width;
    left -= columns->core_width * columns->cores;
    columns->memory_text = spend(&left, 9, 0);
    if (any_power(host))
        columns->power = spend(&left, 5, 10);
    columns->memory_bar = spend(&left, 9, 12);
    columns->util = spend(&left, 6, 28);
    if (any_health(host))
        columns->health = spend(&left, 10, 28);
    columns->history = ui->layout.chips.cols >= 150 ? spend(&left, 32, 34) : 0;
    columns->numa = spend(&left, 5, 40);
    const int wider =
        left > 60 ? (left - 60) / columns->cores : 0; // what is still left over makes finer bars
    if (wider > 0 && columns->core_width + wider <= BAR_MAX + 5) {
        columns->core_width += wider;
        left -= wider * columns->cores;
    }
    columns->owner = left;
}

// "61.2/96": both in GiB; "61.2/96~" when stale, and the total left out where it would not fit.
static void memory_text(char *text, size_t size, const struct chip *chip, int width)
{
    const double gib = 1024.0 * 1024.0 * 1024.0;
    const double used = (double)chip->memory_used_bytes.value / gib;
    const char *mark = chip->memory_used_bytes.stale ? "~" : "";
    char part[16] = "-";

    if (known_u64(chip->memory_used_bytes))
        snprintf(part, sizeof part, "%.*f", used < 99.95 ? 1 : 0, used);
    snprintf(text, size, "%s%s", part, mark);
    if (!known_u64(chip->memory_total_bytes))
        return;
    const double total = (double)chip->memory_total_bytes.value / gib;
    if (snprintf(NULL, 0, "%s/%.0f%s", part, total, mark) <= width)
        snprintf(text, size, "%s/%.0f%s", part, total, mark);
}

static void draw_memory(struct ui *ui, int y, int x, const struct chip *chip,
                        const struct chip_columns *columns)
{
    const double percent = percent_of(chip->memory_used_bytes, chip->memory_total_bytes);
    enum role role = memory_role(chip->memory_used_bytes, chip->memory_total_bytes);
    char text[48];

    if (chip->memory_used_bytes.stale)
        role = ROLE_STALE;
    if (columns->memory_bar > 0 && !isnan(percent))
        draw_bar(&ui->canvas, y, x, columns->memory_bar - 1, role, percent);
    x += columns->memory_bar;
    if (columns->memory_text == 0)
        return;
    if (scope_chip_others(&ui->scope, (unsigned)(chip - ui->scope.chips))) {
        draw_text_right(&ui->canvas, y, x, columns->memory_text - 1, ROLE_DIM, "other");
        return;
    }
    memory_text(text, sizeof text, chip, columns->memory_text - 1);
    draw_text_right(&ui->canvas, y, x, columns->memory_text - 1,
                    known_u64(chip->memory_used_bytes) ? role == ROLE_MEMORY ? ROLE_TEXT : role
                                                       : ROLE_UNKNOWN,
                    text);
}

static void draw_health(struct ui *ui, int y, int x, int width, const struct chip *chip)
{
    const struct ecc *ecc = &chip->ecc;
    struct fact_u64 uncorrected = ecc->mem_uncorrected;

    fact_add(&uncorrected, ecc->sram_uncorrected);
    if (chip->health == HEALTH_UNHEALTHY)
        draw_text(&ui->canvas, y, x, width - 1, ROLE_CRITICAL, "UNHEALTHY");
    else if (known_u64(uncorrected) && uncorrected.value > 0)
        draw_textf(&ui->canvas, y, x, width - 1, ROLE_WARNING, "%" PRIu64 " ECC",
                   uncorrected.value);
    else if (chip->health == HEALTH_HEALTHY)
        draw_text(&ui->canvas, y, x, width - 1, ROLE_GOOD, "healthy");
    else
        draw_text(&ui->canvas, y, x, width - 1, known_u64(uncorrected) ? ROLE_TEXT : ROLE_UNKNOWN,
                  known_u64(uncorrected) ? "0 ECC" : "-");
}

static void draw_history(struct ui *ui, int y, int x, int width, unsigned chip)
{
    float values[64] = {0};
    const size_t room = (size_t)(width - 1);
    const size_t count = ui->history != NULL ? history_read(ui->history, SERIES_CHIP_UTILIZATION,
                                                            chip, values, room < 64 ? room : 64)
                                             : 0;

    // Eighths of a row tell more than the four dots of braille; nothing at all has its own sign.
    for (int i = 0; i < width - 1; i++) {
        const size_t back = (size_t)(width - 1 - i);
        if (back > count || isnan(values[count - back]))
            continue;
        const double value = (double)values[count - back];
        draw_char(&ui->canvas, y, x + i, ROLE_GRAPH,
                  value < 0.5 ? (ui->canvas.ascii ? '.' : 0xb7) : draw_level(&ui->canvas, value));
    }
}

static int draw_fact(struct ui *ui, int y, int x, int width, struct fact_f64 fact)
{
    char text[UNIT_TEXT];

    if (width == 0)
        return x;
    unit_percent(text, sizeof text, fact);
    if (known_f64(fact) && fact.stale && (int)strlen(text) >= width - 1)
        text[strcspn(text, "%")] = '\0'; // the mark takes its place
    stale_mark(text, sizeof text, known_f64(fact) && fact.stale);
    draw_text_right(&ui->canvas, y, x, width - 1, fact_role(known_f64(fact), fact.stale), text);
    return x + width;
}

static void draw_chip(struct ui *ui, int y, const struct chip_columns *columns, unsigned index,
                      bool on)
{
    const struct chip *chip = &ui->scope.chips[index];
    const bool open = keyset_has(&ui->main.chips_open, chip->index + 1) != ui->main.all_chips_open;
    char text[256];
    enum role role;
    int x = CHIP_COLUMNS;

    draw_char(&ui->canvas, y, 0, ROLE_STRONG,
              on                                    ? '>'
              : open                                ? '-'
              : selected_owns_chip(ui, chip->index) ? '#'
                                                    : ' ');
    draw_textf(&ui->canvas, y, 1, 3, chip->health == HEALTH_UNHEALTHY ? ROLE_CRITICAL : ROLE_STRONG,
               "%2u", chip->index);
    for (unsigned i = 0; i < chip->core_count; i++)
        chip_core_cell(ui, y, x + (int)i * columns->core_width, columns->core_width,
                       chip->core_first + i);
    x += columns->core_width * columns->cores;
    x = draw_fact(ui, y, x, columns->util, chip->utilization_percent);
    draw_memory(ui, y, x, chip, columns);
    x += columns->memory_bar + columns->memory_text;
    x = draw_fact(ui, y, x, columns->power, chip->power_percent);
    if (columns->health > 0)
        draw_health(ui, y, x, columns->health, chip);
    x += columns->health;
    if (columns->numa > 0)
        draw_textf(&ui->canvas, y, x, columns->numa - 1, ROLE_DIM,
                   known_u64(chip->numa_node) ? "%4" PRIu64 : "   -", chip->numa_node.value);
    x += columns->numa;
    if (columns->history > 0)
        draw_history(ui, y, x, columns->history, chip->index);
    x += columns->history;
    chip_owner_fit(ui, chip->owners, chip->owner_count, chip->core_first, chip->core_count,
                   columns->owner, text, sizeof text, &role);
    draw_text(&ui->canvas, y, x, columns->owner, role, text);
}

static void draw_head(struct ui *ui, const struct chip_columns *columns)
{
    const struct rect area = ui->layout.chip_head;
    struct canvas *canvas = &ui->canvas;
    int x = CHIP_COLUMNS;

    draw_fill(canvas, area.y, 0, area.cols, ROLE_HEAD, ' ');
    draw_text(canvas, area.y, 0, 4, ROLE_HEAD, "CHIP");
    for (int i = 0; i < columns->cores; i++) {
        const bool monitor =
            i == 0 && ui->host->numbering == NUMBERING_MONITOR && columns->core_width >= 10;
        draw_textf(canvas, area.y, x + 1 * (i == 0) + i * columns->core_width - (i == 0),
                   columns->core_width, ROLE_HEAD,
                   columns->core_width >= 7 ? monitor ? "%s+%d mon" : "%s+%d" : "%.0s+%d",
                   ui_core_word(ui), i);
    }
    x += columns->core_width * columns->cores;
    if (columns->util > 0)
        draw_text_right(canvas, area.y, x, columns->util - 1, ROLE_HEAD, "CHIP%");
    x += columns->util;
    draw_text(canvas, area.y, x, 8, ROLE_HEAD,
              columns->memory_bar > 0 ? host_memory_word(ui->host) : "");
    x += columns->memory_bar;
    if (columns->memory_text > 0)
        draw_text_right(canvas, area.y, x, columns->memory_text - 1, ROLE_HEAD,
                        columns->memory_bar > 0 ? "GiB" : host_memory_word(ui->host));
    x += columns->memory_text;
    if (columns->power > 0)
        draw_text_right(canvas, area.y, x, columns->power - 1, ROLE_HEAD, "PWR");
    x += columns->power;
    if (columns->health > 0)
        draw_text(canvas, area.y, x, columns->health, ROLE_HEAD, "HEALTH");
    x += columns->health;
    if (columns->numa > 0)
        draw_text(canvas, area.y, x, columns->numa, ROLE_HEAD, "NUMA");
    x += columns->numa;
    if (columns->history > 0)
        draw_text(canvas, area.y, x, columns->history, ROLE_HEAD, "HISTORY");
    x += columns->history;
    char more[32] = "";
    const struct list *list = &ui->main.chips;
    if (list->count > list->height)
        snprintf(more, sizeof more, list_below(list) > 0 ? " +%zu more" : " end", list_below(list));
    if (columns->owner >= 5 + (int)strlen(more))
        draw_text(canvas, area.y, x, columns->owner, ROLE_HEAD, "OWNER");
    draw_text_right(canvas, area.y, area.cols - 16, 16, ROLE_HEAD_ON, more);
}

void chips_draw(struct ui *ui)
{
    const struct rect area = ui->layout.chips;
    struct chip_columns columns;
    struct list *list = &ui->main.chips;

    if (area.rows == 0)
        return;
    if (ui->layout.chip_mode == CHIPS_GRID) {
        chip_grid_draw(ui);
        return;
    }
    choose_columns(ui, &columns);
    if (ui->layout.chip_head.rows > 0)
        draw_head(ui, &columns);
    for (size_t i = list->top; i < list->count && i < list->top + (size_t)area.rows; i++) {
        const struct row *row = &ui->main.chip_rows.rows[i];
        const int y = area.y + (int)(i - list->top);
        const bool on = i == list->selected && ui->main.focus == FOCUS_CHIPS;
        if (row->kind == ROW_CHIP)
            draw_chip(ui, y, &columns, row->index, on);
        else
            chip_core_line(ui, y, row->index);
        if (on && row->kind == ROW_CORE)
            draw_char(&ui->canvas, y, 0, ROLE_STRONG, '>');
        if (on)
            draw_paint(&ui->canvas, y, 0, area.cols, ROLE_SELECTED);
    }
}
