// SPDX-License-Identifier: Apache-2.0
// The processes of the main view: rows by group and sort order, columns by room.
#include <bsd/string.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ui/signal.h"

enum { USEFUL_MAX = 512 };

bool process_matches(const struct ui *ui, const struct process *process, const char *needle)
{
    struct column_cell cell;

    if (needle[0] == '\0')
        return true;
    if (strspn(needle, "0123456789") == strlen(needle) && strlen(needle) < 6 &&
        core_set_has(&process->cores, (unsigned)atoi(needle)))
        return true; // 49 is in 48-51
    for (const struct column *column = column_table(); column->name != NULL; column++) {
        if (!column->left && strcmp(column->name, "pid") != 0)
            continue;
        memset(&cell, 0, sizeof cell);
        column->print(ui->host, process, &cell);
        if (text_contains(cell.text, needle))
            return true;
    }
    return false;
}

static int compare_rows(const void *a, const void *b, void *context)
{
    const struct ui *ui = context;

    return column_compare(ui->main.sort, ui->main.invert, ui->host, row_process(ui, a),
                          row_process(ui, b));
}

static void sort_rows(struct ui *ui, size_t from)
{
    struct rows *rows = &ui->main.process_rows;

    if (rows->count > from + 1)
        qsort_r(&rows->rows[from], rows->count - from, sizeof rows->rows[0], compare_rows, ui);
}

static bool shown(const struct ui *ui, unsigned index)
{
    // A tab that follows the cursor must leave it somewhere to go.
    return (ui->follow || scope_has(&ui->scope, index)) &&
           process_matches(ui, &ui->host->processes[index], ui->filter);
}

static unsigned shown_members(const struct ui *ui, const struct group_row *group)
{
    unsigned count = 0;

    for (unsigned i = 0; i < group->count; i++)
        count += shown(ui, ui->scope.members[group->first + i]);
    return count;
}

static void add_members(struct ui *ui, const struct group_row *group, int depth)
{
    for (unsigned i = 0; i < group->count; i++) {
        const unsigned index = ui->scope.members[group->first + i];
        if (shown(ui, index))
            rows_add(&ui->main.process_rows, ROW_PROCESS, index, depth,
                     process_key(&ui->host->processes[index]));
    }
}

// Groups first in their order, then each open one gets its members behind it.
static void add_groups(struct ui *ui)
{
    struct rows *rows = &ui->main.process_rows;

    for (size_t i = 0; i < ui->scope.group_count; i++) {
        const struct group_row *group = &ui->scope.groups[i];
        const unsigned members = shown_members(ui, group);
        if (members == 0)
            continue;
        if (group->count == 1 || members < group->count) // a sum of others would not be theirs
            add_members(ui, group, 0);
        else
            rows_add(rows, ROW_GROUP, (unsigned)i, 0, group->key);
    }
    sort_rows(ui, 0);
    for (size_t i = 0; i < rows->count; i++) {
        const struct row row = rows->rows[i];
        if (row.kind != ROW_GROUP ||
            !keyset_has(&ui->main.groups_open, ui->scope.groups[row.index].key))
            continue;
        // The members are sorted at the end, then moved to their place.
        const size_t from = rows->count;
        add_members(ui, &ui->scope.groups[row.index], 1);
        sort_rows(ui, from);
        const size_t count = rows->count - from;
        for (size_t member = 0; member < count; member++) {
            const struct row moved = rows->rows[from + member];
            memmove(&rows->rows[i + 2 + member], &rows->rows[i + 1 + member],
                    (from - i - 1) * sizeof moved);
            rows->rows[i + 1 + member] = moved;
        }
        i += count;
    }
}

static void take_keys(struct ui *ui)
{
    struct rows *rows = &ui->main.process_rows;

    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->rows[i];
        rows->keys[i] = row->kind == ROW_GROUP ? ui->scope.groups[row->index].key
                                               : process_key(&ui->host->processes[row->index]);
    }
}

void processes_rows(struct ui *ui)
{
    struct main_state *main = &ui->main;

    rows_clear(&main->process_rows);
    if (ui->host != NULL && main->tree) {
        add_groups(ui);
    } else if (ui->host != NULL) {
        for (size_t i = 0; i < ui->scope.group_count; i++)
            add_members(ui, &ui->scope.groups[i], 0);
        sort_rows(ui, 0);
    }
    take_keys(ui);
    list_rows(&main->processes, main->process_rows.keys, main->process_rows.count);
}

// The first column of the screen that a PID may use: one of seven digits fills its own column, and
// the mark of the cursor wants a place before it.
static int left_edge(const struct ui *ui)
{
    for (unsigned i = 0; ui->host != NULL && i < ui->host->process_count; i++)
        if (ui->host->processes[i].pid.value >= 1000000)
            return 1;
    return 0;
}

static size_t choose(const struct ui *ui, const struct column **chosen, int width)
{
    const struct process *processes[USEFUL_MAX];
    size_t count = 0;

    for (size_t i = 0; i < ui->scope.group_count && count < USEFUL_MAX; i++)
        processes[count++] = &ui->scope.groups[i].sum;
    const unsigned long useful = columns_useful(ui->host, processes, count);
    return columns_choose(chosen, width, ui->main.hidden_columns, useful);
}

static const char *sort_mark(const struct ui *ui)
{
    if (ui->main.sort->descending != ui->main.invert)
        return ui->canvas.ascii ? "v" : "\u25bf";
    return ui->canvas.ascii ? "^" : "\u25b5";
}

// What the head says on its right: a sort by a column that is not shown, the filter, rows below.
static void head_more(const struct ui *ui, const struct column *const *columns, size_t count,
                      char *more, size_t size)
{
    const struct list *list = &ui->main.processes;
    bool seen = false;
    char below[32];

    more[0] = '\0';
    for (size_t i = 0; i < count; i++)
        seen = seen || columns[i] == ui->main.sort;
    if (!seen)
        snprintf(more, size, " by %s%s ", ui->main.sort->head, sort_mark(ui));
    if (ui->filter[0] != '\0') {
        strlcat(more, " filter: ", size);
        strlcat(more, ui->filter, size);
        strlcat(more, " ", size);
    }
    if (list->count <= list->height)
        return;
    snprintf(below, sizeof below, list_below(list) > 0 ? " +%zu more " : " end ", list_below(list));
    strlcat(more, below, size);
}

static void draw_head(struct ui *ui, const struct column *const *columns, size_t count)
{
    const struct rect area = ui->layout.process_head;
    struct canvas *canvas = &ui->canvas;
    int x = left_edge(ui);
    char more[128];

    head_more(ui, columns, count, more, sizeof more);
    draw_fill(canvas, area.y, 0, area.cols, ROLE_HEAD, ' ');
    for (size_t i = 0; i < count; i++) {
        const struct column *column = columns[i];
        const int width = column->width > 0 ? column->width : area.cols - x;
        const bool sorts = column == ui->main.sort;
        const enum role role = sorts ? ROLE_HEAD_ON : ROLE_HEAD;
        const char *head = strcmp(column->name, "hbm") == 0  ? host_memory_word(ui->host)
                           : strcmp(column->name, "nc") == 0 ? ui_core_word(ui)
                                                             : column->head;
        char text[32];
        snprintf(text, sizeof text, "%s%s", head, sorts ? sort_mark(ui) : "");
        if (column->width == 0 && width - text_width(more) < text_width(text))
            strlcpy(text, width - text_width(more) < 7 ? "" : "COMMAND", sizeof text);
        if (column->left)
            draw_text(canvas, area.y, x, width, role, text);
        else // the mark may stand in the gap before the column
            draw_text_right(canvas, area.y, x > 0 ? x - 1 : x, width + (x > 0), role, text);
        x += width + 1;
    }
    draw_text_right(canvas, area.y, area.cols / 2, area.cols - area.cols / 2, ROLE_HEAD_ON, more);
}

static void draw_name(struct ui *ui, int y, int x, int width, const struct row *row,
                      const struct column_cell *cell)
{
    if (row->kind == ROW_GROUP) {
        const bool open = keyset_has(&ui->main.groups_open, ui->scope.groups[row->index].key);
        draw_text(&ui->canvas, y, x, width, ROLE_STRONG, open ? "[-]" : "[+]");
        x += 4;
        width -= 4;
        const struct group_row *group = &ui->scope.groups[row->index];
        if (width < text_width(group->members)) { // the PID has a column of its own
            draw_text(&ui->canvas, y, x, width, cell->role, group->label);
            return;
        }
    } else if (row->depth > 0) {
        draw_text(&ui->canvas, y, x, width, ROLE_DIM, ui->canvas.ascii ? "`-" : "\u2514\u2500");
        x += 3;
        width -= 3;
    }
    draw_text(&ui->canvas, y, x, width, cell->role, cell->text);
}

// "86.4GiB~", or "86.4G~" where that is too long.
static void mark_stale(struct column_cell *cell, int width)
{
    size_t length = strlen(cell->text);

    cell->role = ROLE_STALE;
    if ((int)length >= width && length > 2 && strcmp(cell->text + length - 2, "iB") == 0)
        length -= 2;
    if (length + 1 < sizeof cell->text)
        memcpy(cell->text + length, "~", 2);
}

static void draw_row(struct ui *ui, int y, const struct row *row,
                     const struct column *const *columns, size_t count)
{
    const struct process *process = row_process(ui, row);
    const int cols = ui->layout.processes.cols;
    int x = left_edge(ui);

    for (size_t i = 0; i < count; i++) {
        const struct column *column = columns[i];
        const int width = column->width > 0 ? column->width : cols - x;
        struct column_cell cell = {.role = ROLE_TEXT};
        column->print(ui->host, process, &cell);
        if (process->state == PROCESS_GONE && cell.role == ROLE_TEXT)
            cell.role = ROLE_STALE;
        if (cell.stale)
            mark_stale(&cell, width);
        if (column->width == 0)
            draw_name(ui, y, x, width, row, &cell);
        else if (column->left)
            draw_text(&ui->canvas, y, x, width, cell.role, cell.text);
        else
            draw_text_right(&ui->canvas, y, x, width, cell.role, cell.text);
        x += width + 1;
        if (i == 0 && row_tagged(ui, row)) // in the blank between two columns
            draw_char(&ui->canvas, y, x - 1, ROLE_CRITICAL, '*');
    }
}

int wrapped_rows(const struct ui *ui)
{
    const struct rect area = ui->layout.processes;
    const struct process *process = ui->main.wrap ? selected_process(ui) : NULL;

    if (process == NULL || process->command == NULL || area.rows < 2)
        return 0;
    const int rows = text_width(process->command) / (area.cols - 2) + 1;
    return rows > area.rows - 1 ? area.rows - 1 : rows;
}

// The whole command line of the selected process below the others.
static void draw_wrapped(struct ui *ui, struct rect area)
{
    const struct process *process = selected_process(ui);
    const char *text = process != NULL ? process->command : NULL;
    const int rows = wrapped_rows(ui);

    for (int i = 0; i < rows; i++) {
        const int y = area.y + area.rows - rows + i;
        draw_fill(&ui->canvas, y, 0, area.cols, ROLE_MARKED, ' ');
        if (i == rows - 1) { // the rest, with an ellipsis where it is too long
            draw_text(&ui->canvas, y, 1, area.cols - 2, ROLE_MARKED, text);
            return;
        }
        text = draw_piece(&ui->canvas, y, 1, area.cols - 2, ROLE_MARKED, text);
    }
}

// Some source tells who holds cores, so that nobody is an answer.
static bool users_known(const struct host *host)
{
    for (unsigned i = 0; i < host->core_count; i++) {
        if (host->cores[i].owners_known || host->cores[i].hidden_owners > 0)
            return true;
    }
    return host->process_count > 0;
}

static void draw_empty(struct ui *ui, struct rect area)
{
    if (ui->filter[0] != '\0')
        draw_textf(&ui->canvas, area.y, 1, area.cols - 1, ROLE_DIM,
                   "no process matches '%s' (\\ changes the filter)", ui->filter);
    else if (ui->scope.tab_gone)
        draw_text(&ui->canvas, area.y, 1, area.cols - 1, ROLE_DIM,
                  "the process of this tab is gone (1 shows all)");
    else if (ui->host != NULL && !users_known(ui->host))
        draw_text(&ui->canvas, area.y, 1, area.cols - 1, ROLE_UNKNOWN,
                  "which processes use these chips is not known: no source tells");
    else
        draw_text(&ui->canvas, area.y, 1, area.cols - 1, ROLE_DIM, "no process uses the chips");
}

void processes_draw(struct ui *ui)
{
    const struct rect area = ui->layout.processes;
    const struct column *columns[COLUMNS_MAX];
    const struct list *list = &ui->main.processes;
    const size_t count = choose(ui, columns, area.cols - left_edge(ui));

    if (ui->layout.process_head.rows > 0)
        draw_head(ui, columns, count);
    if (list->count == 0 && area.rows > 0)
        draw_empty(ui, area);
    for (size_t i = list->top; i < list->count && i < list->top + (size_t)area.rows; i++) {
        const int y = area.y + (int)(i - list->top);
        draw_row(ui, y, &ui->main.process_rows.rows[i], columns, count);
        if (i != list->selected || ui->main.focus != FOCUS_PROCESSES)
            continue;
        draw_char(&ui->canvas, y, 0, ROLE_STRONG, '>');
        draw_paint(&ui->canvas, y, 0, area.cols, ROLE_SELECTED);
    }
    if (ui->main.wrap)
        draw_wrapped(ui, area);
}
