// SPDX-License-Identifier: Apache-2.0
// Chips closer and further away: a core on a line of its own with physical cores and memory, and
// many chips as a grid.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/units.h"
#include "ui/state.h"

enum { MORE_COLUMNS = 10 };

static void physical_text(const struct core *core, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (unsigned i = 0; i < core->physical_count && i < PHYSICAL_MAX; i++) {
        char percent[UNIT_TEXT];
        unit_percent(percent, sizeof percent, core->physical[i].utilization_percent);
        if (core->physical[i].index >= 0)
            used += (size_t)snprintf(text + used, size - used, "%sP%d %s", i > 0 ? " " : "",
                                     core->physical[i].index, percent);
        else
            used +=
                (size_t)snprintf(text + used, size - used, "%sP? %s", i > 0 ? " " : "", percent);
    }
}

// The categories with the most memory, largest first, as many as fit in COLUMNS:
// "Tensors 9.1GiB, Constants 2GiB".
static void category_text(const struct core *core, int columns, char *text, size_t size)
{
    bool used_up[MEM_CATEGORIES] = {false};
    size_t used = 0;

    text[0] = '\0';
    for (int n = 0; n < MEM_CATEGORIES && used + 40 < size; n++) {
        int best = -1;
        for (int i = 0; i < MEM_CATEGORIES; i++) {
            if (!used_up[i] && known_u64(core->memory[i]) && core->memory[i].value > 0 &&
                (best < 0 || core->memory[i].value > core->memory[best].value))
                best = i;
        }
        if (best < 0)
            return;
        used_up[best] = true;
        char bytes[UNIT_TEXT];
        unit_bytes(bytes, sizeof bytes, core->memory[best]);
        const size_t before = used;
        used += (size_t)snprintf(text + used, size - used, "%s%s %s", n > 0 ? ", " : "",
                                 memory_category_label((enum memory_category)best), bytes);
        if (n > 0 && (int)used > columns) { // whole ones only
            text[before] = '\0';
            return;
        }
    }
}

static int core_memory(struct ui *ui, int y, int x, const struct core *core)
{
    const double percent = percent_of(core->memory_used_bytes, core->memory_limit_bytes);
    enum role role = memory_role(core->memory_used_bytes, core->memory_limit_bytes);
    char text[2 * UNIT_TEXT];

    if (core->memory_used_bytes.stale)
        role = ROLE_STALE;
    if (!isnan(percent))
        draw_bar(&ui->canvas, y, x, 8, role, percent);
    unit_bytes_of(text, sizeof text, core->memory_used_bytes, core->memory_limit_bytes);
    stale_mark(text, sizeof text, core->memory_used_bytes.stale);
    x += 9;
    x += draw_text(&ui->canvas, y, x, 14,
                   known_u64(core->memory_used_bytes) ? role == ROLE_MEMORY ? ROLE_TEXT : role
                                                      : ROLE_UNKNOWN,
                   text);
    if (core->memory_shared_by > 1)
        x += draw_textf(&ui->canvas, y, x, 10, ROLE_DIM, " of %u %s", core->memory_shared_by,
                        ui_core_word(ui));
    return x;
}

void chip_core_line(struct ui *ui, int y, unsigned index)
{
    const struct core *core = &ui->scope.cores[index];
    const int cols = ui->layout.chips.cols;
    char text[256], owner[160];
    enum role role;
    int x = 6;

    draw_textf(&ui->canvas, y, x, 7, ROLE_DIM, "%s %u", ui_core_word(ui), core->index);
    x += 7;
    chip_core_cell(ui, y, x, 14, index);
    x += 14;
    if (cols >= 100) {
        unit_flops(text, sizeof text, core->flops_per_second);
        draw_text_right(&ui->canvas, y, x, 7,
                        known_f64(core->flops_per_second) ? ROLE_TEXT : ROLE_UNKNOWN, text);
        x += 8;
    }
    physical_text(core, text, sizeof text);
    // A narrow screen has the owner rather than the physical cores.
    if (text[0] != '\0' && cols >= 100 && ui->host->numbering != NUMBERING_PHYSICAL) {
        const int width = cols >= 120 ? 19 : 16; // "P104 100% P105 100%"
        draw_text(&ui->canvas, y, x, width, ROLE_DIM, text);
        x += width + 1;
    }
    x = core_memory(ui, y, x, core) + 1;
    chip_owner_text(ui, core->owners, core->owner_count, index, 1, owner, sizeof owner, &role);
    const int width = cols >= 120 ? 24 : cols - x;
    draw_text(&ui->canvas, y, x, width, role, owner);
    x += width + 1;
    category_text(core, cols - x, text, sizeof text);
    if (x + 10 < cols)
        draw_text(&ui->canvas, y, x, cols - x, ROLE_DIM, text);
}

static void detail_head(struct ui *ui, struct rect area, const struct chip *chip)
{
    char text[256], numa[24] = "-";
    const struct ecc *ecc = &chip->ecc;

    if (known_u64(chip->numa_node))
        snprintf(numa, sizeof numa, "%" PRIu64, chip->numa_node.value);
    snprintf(text, sizeof text, "CHIP %u  PCI %s  NUMA %s  CPUs %s  %s", chip->index,
             chip->pci != NULL ? chip->pci : "-", numa,
             chip->cpu_affinity != NULL ? chip->cpu_affinity : "-", health_word(chip->health));
    draw_fill(&ui->canvas, area.y, 0, area.cols, ROLE_HEAD, ' ');
    int x = draw_text(&ui->canvas, area.y, 0, area.cols, ROLE_HEAD, text) + 2;
    char corrected[UNIT_TEXT], uncorrected[UNIT_TEXT], sram[UNIT_TEXT];
    draw_textf(&ui->canvas, area.y, x, area.cols - x, ROLE_HEAD,
               "ECC uncorrected: memory %s, SRAM %s  corrected: memory %s",
               unit_count(uncorrected, sizeof uncorrected, ecc->mem_uncorrected),
               unit_count(sram, sizeof sram, ecc->sram_uncorrected),
               unit_count(corrected, sizeof corrected, ecc->mem_corrected));
}

static const struct chip *selected_chip(const struct ui *ui)
{
    const struct main_state *main = &ui->main;

    if (ui->host == NULL || ui->host->chip_count == 0 || main->chips.count == 0)
        return NULL;
    if (main->focus == FOCUS_PROCESSES) { // the first chip of the selected process
        for (unsigned i = 0; i < ui->host->chip_count; i++) {
            if (selected_owns_chip(ui, ui->scope.chips[i].index))
                return &ui->scope.chips[i];
        }
    }
    const struct row *row = &main->chip_rows.rows[main->chips.selected];
    return &ui->scope.chips[row->kind == ROW_CHIP ? row->index : ui->host->cores[row->index].chip];
}

void chip_detail_draw(struct ui *ui, struct rect area)
{
    const struct chip *chip = selected_chip(ui);

    if (chip == NULL || area.rows == 0)
        return;
    detail_head(ui, area, chip);
    for (unsigned i = 0; i < chip->core_count && (int)i + 1 < area.rows; i++)
        chip_core_line(ui, area.y + 1 + (int)i, chip->core_first + i);
}

// Columns of one chip in the grid; 0: left out.
struct grid_columns {
    int numbers, cores, percent, memory, owner;
};

enum { GRID_START = 4, GRID_WIDE = 36 };

static void grid_columns_of(const struct ui *ui, int width, struct grid_columns *columns)
{
    int most = 1;

    for (unsigned i = 0; i < ui->host->chip_count; i++)
        most =
            most < (int)ui->host->chips[i].core_count ? (int)ui->host->chips[i].core_count : most;
    most = most < 8 ? most : 8;
    const bool wide = width >= GRID_WIDE;
    columns->numbers = wide ? 8 : 0;
    columns->cores = most;
    columns->percent = ui->main.flops ? 6 : 5;
    columns->memory = wide ? 7 : 6;
    columns->owner = width - 1 - GRID_START - columns->numbers - columns->cores - columns->percent -
                     columns->memory - 1;
}

static void grid_head(struct ui *ui, int x, const struct grid_columns *columns)
{
    const struct rect area = ui->layout.chip_head;
    struct canvas *canvas = &ui->canvas;

    draw_text(canvas, area.y, x, GRID_START, ROLE_HEAD, "CHIP");
    x += GRID_START;
    draw_text(canvas, area.y, x + 1, columns->numbers - 1, ROLE_HEAD, ui_core_word(ui));
    x += columns->numbers + columns->cores;
    draw_text_right(canvas, area.y, x, columns->percent, ROLE_HEAD, ui->main.flops ? "FLOPS" : "%");
    x += columns->percent;
    draw_text_right(canvas, area.y, x, columns->memory, ROLE_HEAD, host_memory_word(ui->host));
    x += columns->memory + 1;
    draw_text(canvas, area.y, x, columns->owner, ROLE_HEAD, "OWNER");
}

static void grid_use(struct ui *ui, int y, int x, int width, const struct chip *chip)
{
    struct fact_f64 fact = chip->utilization_percent;
    char text[UNIT_TEXT + 2];

    if (ui->main.flops) {
        fact = (struct fact_f64){0};
        for (unsigned i = 0; i < chip->core_count; i++)
            fact_add_f64(&fact, ui->scope.cores[chip->core_first + i].flops_per_second);
        unit_flops(text, UNIT_TEXT, fact);
    } else {
        unit_percent(text, UNIT_TEXT, fact);
    }
    stale_mark(text, sizeof text, known_f64(fact) && fact.stale);
    draw_text_right(&ui->canvas, y, x, width, fact_role(known_f64(fact), fact.stale), text);
}

static void grid_memory(struct ui *ui, int y, int x, int width, unsigned index)
{
    const struct chip *chip = &ui->scope.chips[index];
    const enum role role = memory_role(chip->memory_used_bytes, chip->memory_total_bytes);
    char text[32] = "-";

    if (known_u64(chip->memory_used_bytes))
        snprintf(text, sizeof text, "%.0fGiB%s",
                 (double)chip->memory_used_bytes.value / (1024.0 * 1024.0 * 1024.0),
                 chip->memory_used_bytes.stale ? "~" : "");
    else if (scope_chip_others(&ui->scope, index))
        strcpy(text, "other");
    draw_text_right(&ui->canvas, y, x, width,
                    chip->memory_used_bytes.stale         ? ROLE_STALE
                    : !known_u64(chip->memory_used_bytes) ? ROLE_UNKNOWN
                    : role == ROLE_MEMORY                 ? ROLE_TEXT
                                                          : role,
                    text);
}

static void grid_chip(struct ui *ui, int y, int x, const struct grid_columns *columns,
                      unsigned index, bool on)
{
    const struct chip *chip = &ui->scope.chips[index];
    char text[160];
    enum role role;

    draw_char(&ui->canvas, y, x, ROLE_STRONG,
              on                                    ? '>'
              : selected_owns_chip(ui, chip->index) ? '#'
                                                    : ' ');
    draw_textf(&ui->canvas, y, x + 1, 2,
               chip->health == HEALTH_UNHEALTHY ? ROLE_CRITICAL : ROLE_STRONG, "%2u", chip->index);
    x += GRID_START;
    if (columns->numbers > 0 && chip->core_count > 0) {
        const unsigned first = ui->scope.cores[chip->core_first].index;
        draw_textf(&ui->canvas, y, x, columns->numbers - 1, ROLE_DIM,
                   chip->core_count > 1 ? "%u-%u" : "%u", first, first + chip->core_count - 1);
    }
    x += columns->numbers;
    for (unsigned i = 0; i < chip->core_count && (int)i < columns->cores; i++)
        chip_core_cell(ui, y, x + (int)i, 2, chip->core_first + i);
    x += columns->cores;
    draw_fill(&ui->canvas, y, x, 1, ROLE_TEXT, ' ');
    grid_use(ui, y, x, columns->percent, chip);
    x += columns->percent;
    grid_memory(ui, y, x, columns->memory, index);
    x += columns->memory + 1;
    chip_owner_fit(ui, chip->owners, chip->owner_count, chip->core_first, chip->core_count,
                   columns->owner, text, sizeof text, &role);
    draw_text(&ui->canvas, y, x, columns->owner, role, text);
}

// Chips by rows, so that the order is that of reading. The list of the chips moves by whole rows of
// the grid.
void chip_grid_draw(struct ui *ui)
{
    const struct rect area = ui->layout.chips;
    const unsigned columns = (unsigned)ui->layout.grid_columns;
    const int width = area.cols / (int)columns;
    struct grid_columns parts;
    const struct list *list = &ui->main.chips;
    const struct row *selected = list->count > 0 ? &ui->main.chip_rows.rows[list->selected] : NULL;
    const unsigned on = selected == NULL             ? 0
                        : selected->kind == ROW_CHIP ? selected->index
                                                     : ui->host->cores[selected->index].chip;
    const unsigned rows = (ui->host->chip_count + columns - 1) / columns;
    unsigned first = ui->main.focus == FOCUS_CHIPS && on / columns >= (unsigned)area.rows
                         ? on / columns - (unsigned)area.rows + 1
                         : 0;

    grid_columns_of(ui, width, &parts);
    if (ui->layout.chip_head.rows > 0)
        draw_fill(&ui->canvas, ui->layout.chip_head.y, 0, area.cols, ROLE_HEAD, ' ');
    for (unsigned i = 0; i < columns && ui->layout.chip_head.rows > 0; i++)
        grid_head(ui, (int)i * width, &parts);
    for (unsigned row = first; row < rows && (int)(row - first) < area.rows; row++) {
        for (unsigned column = 0; column < columns; column++) {
            const unsigned index = row * columns + column;
            if (index >= ui->host->chip_count)
                break;
            const bool here = index == on && ui->main.focus == FOCUS_CHIPS;
            grid_chip(ui, area.y + (int)(row - first), (int)column * width, &parts, index, here);
            if (here)
                draw_paint(&ui->canvas, area.y + (int)(row - first), (int)column * width, width - 1,
                           ROLE_SELECTED);
        }
    }
    const unsigned seen = (first + (unsigned)area.rows) * columns;
    if (seen >= ui->host->chip_count)
        return;
    const int y = area.y + area.rows - 1, x = area.cols - MORE_COLUMNS;
    draw_fill(&ui->canvas, y, x, MORE_COLUMNS, ROLE_TEXT, ' ');
    draw_textf(&ui->canvas, y, x + 1, MORE_COLUMNS - 1, ROLE_HEAD_ON, "+%u more",
               ui->host->chip_count - seen);
}
