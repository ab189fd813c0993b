// SPDX-License-Identifier: Apache-2.0
// Memory, as in neuron-top: the summary by category, and the tree of chips, cores, models and
// categories, through the tab.
#include <bsd/string.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "host/units.h"
#include "ui/group.h"
#include "ui/state.h"

enum { BYTES_COLUMNS = 11 };

static int name_columns(const struct sheet *sheet)
{
    return sheet->area.cols < 100 ? 40 : sheet->area.cols / 2 - 10;
}

// Keys of lines: what kind in the upper bits, which one below.
enum { LINE_SUMMARY = 1, LINE_CHIP, LINE_CORE, LINE_MODEL, LINE_CATEGORY };

static uint64_t line_key(unsigned kind, uint64_t which, unsigned part)
{
    return (uint64_t)kind << 56 | which << 8 | part;
}

static bool is_open(const struct ui *ui, uint64_t key)
{
    return keyset_has(&ui->memory_open, key) != ui->memory_all;
}

static void summary_piece(struct sheet *sheet, const char *name, struct fact_u64 bytes)
{
    char text[UNIT_TEXT];

    if (!known_u64(bytes))
        return;
    if (sheet->x + 30 > sheet->area.cols) {
        sheet_line(sheet, 0);
        sheet_space(sheet, 18);
    }
    sheet_textf(sheet, ROLE_DIM, "  %s ", name);
    sheet_text(sheet, bytes.stale ? ROLE_STALE : ROLE_TEXT, unit_bytes(text, sizeof text, bytes));
}

static void write_summary(struct ui *ui, struct sheet *sheet)
{
    struct fact_u64 host_total = {0}, host[HOSTMEM_CATEGORIES] = {{0}},
                    device[MEM_CATEGORIES] = {{0}};

    for (unsigned i = 0; i < ui->host->process_count; i++) {
        const struct process *process = &ui->host->processes[i];
        if (!scope_has(&ui->scope, i))
            continue;
        fact_add(&host_total, process->memory_host_bytes);
        for (int category = 0; category < HOSTMEM_CATEGORIES; category++)
            fact_add(&host[category], process->host_memory[category]);
    }
    for (unsigned i = 0; i < ui->host->core_count; i++) {
        for (int category = 0; category < MEM_CATEGORIES; category++)
            fact_add(&device[category], ui->scope.cores[i].memory[category]);
    }
    sheet_line(sheet, line_key(LINE_SUMMARY, 0, 0));
    sheet_cell(sheet, 18, ROLE_STRONG, "Host used memory");
    summary_piece(sheet, "Total", host_total);
    for (int category = 0; category < HOSTMEM_CATEGORIES; category++)
        summary_piece(sheet, host_memory_category_label((enum host_memory_category)category),
                      host[category]);
    sheet_line(sheet, line_key(LINE_SUMMARY, 1, 0));
    sheet_cell(sheet, 18, ROLE_STRONG, "Device used memory");
    summary_piece(sheet, "Total", ui->scope.totals.memory_used_bytes);
    for (int category = 0; category < MEM_CATEGORIES; category++)
        summary_piece(sheet, memory_category_label((enum memory_category)category),
                      device[category]);
}

static void tree_line(struct ui *ui, struct sheet *sheet, uint64_t key, int depth, bool folds,
                      enum role role, const char *name)
{
    sheet_line(sheet, key);
    sheet_space(sheet, 1 + depth * 3);
    sheet_text(sheet, ROLE_STRONG, !folds ? "    " : is_open(ui, key) ? "[-] " : "[+] ");
    sheet_cell(sheet, name_columns(sheet) - sheet->x, role, name);
    sheet_space(sheet, 1);
}

static void write_categories(struct ui *ui, struct sheet *sheet, uint64_t which, int depth,
                             const struct fact_u64 *memory)
{
    for (unsigned category = 0; category < MEM_CATEGORIES; category++) {
        if (!known_u64(memory[category]) || memory[category].value == 0)
            continue;
        tree_line(ui, sheet, line_key(LINE_CATEGORY, which, category), depth, false, ROLE_DIM,
                  memory_category_label((enum memory_category)category));
        sheet_space(sheet, 10);
        u64_cell(sheet, BYTES_COLUMNS, memory[category], unit_bytes);
    }
}

static void write_model(struct ui *ui, struct sheet *sheet, uint64_t which,
                        const struct process *process, const struct model *model,
                        const struct subgraph *subgraph)
{
    const uint64_t key = line_key(LINE_MODEL, which, 0);
    const enum role role = model->state == MODEL_STOPPED ? ROLE_DIM : ROLE_TEXT;
    char name[1024], id[24] = "-";

    const char *mark = model->state == MODEL_STOPPED ? " (not running)" : "";
    // The end of a path tells more than its beginning.
    text_fit_end(name, sizeof name, model->name != NULL ? model->name : "model",
                 name_columns(sheet) - 15 - (int)strlen(mark), ui->canvas.ascii);
    strlcat(name, mark, sizeof name);
    if (known_u64(model->model_id))
        snprintf(id, sizeof id, "%" PRIu64, model->model_id.value);
    tree_line(ui, sheet, key, 3, true, role, name);
    sheet_cell_right(sheet, 9, role, id);
    sheet_space(sheet, 1);
    u64_cell(sheet, BYTES_COLUMNS, subgraph->memory_device_bytes, unit_bytes);
    u64_cell(sheet, BYTES_COLUMNS, subgraph->memory_host_bytes, unit_bytes);
    sheet_space(sheet, 2);
    sheet_text(sheet, ROLE_DIM, LABEL_OF(process));
    if (is_open(ui, key))
        write_categories(ui, sheet, which, 4, subgraph->memory);
}

static void write_core_models(struct ui *ui, struct sheet *sheet, const struct chip *chip,
                              const struct core *core)
{
    unsigned number = 0;
    bool any = false;

    for (unsigned p = 0; p < ui->host->process_count; p++) {
        const struct process *process = &ui->host->processes[p];
        if (!scope_has(&ui->scope, p))
            continue;
        for (unsigned m = 0; m < process->model_count; m++) {
            const struct model *model = &process->models[m];
            for (unsigned s = 0; s < model->subgraph_count; s++, number++) {
                const struct subgraph *subgraph = &model->subgraphs[s];
                if (subgraph->chip != (int)chip->index ||
                    subgraph->core_in_chip != (int)core->place)
                    continue;
                if (!any) // the categories above have it already
                    tree_line(ui, sheet, line_key(LINE_SUMMARY, core->index, 1), 2, false, ROLE_DIM,
                              "of which models");
                any = true;
                write_model(ui, sheet, number + 1, process, model, subgraph);
            }
        }
    }
}

static struct fact_u64 no_bytes(void)
{
    return (struct fact_u64){0};
}

static void write_chip(struct ui *ui, struct sheet *sheet, unsigned index)
{
    const struct chip *chip = &ui->scope.chips[index];
    const uint64_t key = line_key(LINE_CHIP, chip->index, 0);
    char name[48], of[2 * UNIT_TEXT];

    snprintf(name, sizeof name, "Chip %u", chip->index);
    tree_line(ui, sheet, key, 0, true, ROLE_TEXT, name);
    sheet_space(sheet, 10);
    if (scope_chip_others(&ui->scope, index))
        sheet_cell_right(sheet, BYTES_COLUMNS, ROLE_DIM, "other");
    else
        u64_cell(sheet, BYTES_COLUMNS, chip->memory_used_bytes, unit_bytes);
    u64_cell(sheet, BYTES_COLUMNS, no_bytes(), unit_bytes);
    sheet_space(sheet, 2);
    const double percent = percent_of(chip->memory_used_bytes, chip->memory_total_bytes);
    sheet_bar(sheet, 10, memory_role(chip->memory_used_bytes, chip->memory_total_bytes),
              isnan(percent) ? 0 : percent);
    sheet_textf(sheet, ROLE_DIM, " %s",
                unit_bytes_of(of, sizeof of, chip->memory_used_bytes, chip->memory_total_bytes));
    if (!is_open(ui, key))
        return;
    for (unsigned i = 0; i < chip->core_count; i++) {
        const struct core *core = &ui->scope.cores[chip->core_first + i];
        const uint64_t core_key = line_key(LINE_CORE, core->index, 0);
        snprintf(name, sizeof name, "%s %u", ui_core_word(ui), core->index);
        tree_line(ui, sheet, core_key, 1, true, ROLE_TEXT, name);
        sheet_space(sheet, 10);
        u64_cell(sheet, BYTES_COLUMNS, core->memory_used_bytes, unit_bytes);
        if (!is_open(ui, core_key))
            continue;
        write_categories(ui, sheet, (uint64_t)1 << 24 | core->index, 2, core->memory);
        write_core_models(ui, sheet, chip, core);
    }
}

void view_memory(struct ui *ui, struct sheet *sheet)
{
    if (ui->host == NULL)
        return;
    write_summary(ui, sheet);
    sheet_line(sheet, line_key(LINE_SUMMARY, 2, 0));
    sheet_line(sheet, line_key(LINE_SUMMARY, 3, 0));
    sheet_cell(sheet, name_columns(sheet) + 1, ROLE_STRONG, "Chip, NC, model, category (x: all)");
    sheet_cell_right(sheet, 9, ROLE_STRONG, "Model ID");
    sheet_cell_right(sheet, BYTES_COLUMNS + 1, ROLE_STRONG, "Device");
    sheet_cell_right(sheet, BYTES_COLUMNS, ROLE_STRONG, "Host");
    for (unsigned i = 0; i < ui->host->chip_count; i++)
        write_chip(ui, sheet, i);
}

unsigned view_memory_fold(struct ui *ui, uint64_t key, int direction)
{
    const unsigned kind = (unsigned)(key >> 56);

    if (kind != LINE_CHIP && kind != LINE_CORE && kind != LINE_MODEL)
        return UI_NOTHING;
    if (direction == 0 || (direction > 0) != is_open(ui, key))
        keyset_toggle(&ui->memory_open, key);
    return UI_REDRAW;
}

void view_memory_fold_all(struct ui *ui)
{
    keyset_clear(&ui->memory_open);
    ui->memory_all = !ui->memory_all;
}
