// SPDX-License-Identifier: Apache-2.0
// History graphs: of the instance and of the selected chip.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "host/units.h"
#include "ui/state.h"

enum { AXIS = 5 }; // "100% "

// One graph with its name, newest value and scale.
static void draw_series(struct ui *ui, struct rect area, const char *name, enum series_kind kind,
                        unsigned which, enum role role)
{
    float values[HISTORY_SAMPLES];
    char newest[UNIT_TEXT] = "-", span[UNIT_TEXT];
    struct rect graph = {area.y + 1, area.x + AXIS, area.rows - 1, area.cols - AXIS - 1};

    if (area.rows < 2 || area.cols < AXIS + 10 || ui->history == NULL)
        return;
    size_t room = draw_graph_samples(&ui->canvas, graph.cols);
    if (room > HISTORY_SAMPLES)
        room = HISTORY_SAMPLES;
    const size_t count = history_read(ui->history, kind, which, values, room);
    if (count > 0 && !isnan(values[count - 1]))
        snprintf(newest, sizeof newest, "%.0f%%", (double)values[count - 1]);
    unit_duration(span, sizeof span, fact_f64((double)room * ui->delay_seconds, FROM_DERIVED));
    int x = area.x + draw_text(&ui->canvas, area.y, area.x, area.cols, ROLE_DIM, name) + 1;
    draw_text(&ui->canvas, area.y, x, area.cols, ROLE_STRONG, newest);
    if (area.cols >= 40)
        draw_textf(&ui->canvas, area.y, area.x + area.cols - 12, 11, ROLE_DIM, "%10s", span);
    draw_text_right(&ui->canvas, graph.y, area.x, AXIS - 1, ROLE_DIM, "100");
    if (graph.rows > 2)
        draw_text_right(&ui->canvas, graph.y + graph.rows - 1, area.x, AXIS - 1, ROLE_DIM, "0");
    draw_graph(&ui->canvas, graph, role, values, count);
}

static int selected_chip_index(const struct ui *ui)
{
    const struct main_state *main = &ui->main;

    for (unsigned i = 0; main->focus == FOCUS_PROCESSES && i < ui->host->chip_count; i++) {
        if (selected_owns_chip(ui, ui->host->chips[i].index))
            return (int)ui->host->chips[i].index;
    }
    if (main->chips.count == 0 || ui->host->chip_count == 0)
        return -1;
    const struct row *row = &main->chip_rows.rows[main->chips.selected];
    return (int)ui->host
        ->chips[row->kind == ROW_CHIP ? row->index : ui->host->cores[row->index].chip]
        .index;
}

void graphs_draw(struct ui *ui, struct rect area)
{
    const int width = area.cols / 3;

    if (area.rows < 3 || ui->host == NULL)
        return;
    draw_fill(&ui->canvas, area.y, 0, area.cols, ROLE_HEAD, ' ');
    draw_text(&ui->canvas, area.y, 0, area.cols, ROLE_HEAD, "HISTORY of the instance");
    const struct rect first = {area.y + 1, area.x, area.rows - 1, width};
    struct rect second = first, third = first;
    second.x += width;
    third.x += 2 * width;
    draw_series(ui, first, "NC utilization", SERIES_UTILIZATION, 0, ROLE_GRAPH);
    draw_series(ui, second, "Device memory", SERIES_MEMORY, 0, ROLE_MEMORY);
    draw_series(ui, third, "Host CPU", SERIES_HOST_CPU, 0, ROLE_GRAPH);
}

void view_history(struct ui *ui, struct rect area)
{
    static const struct {
        const char *name;
        enum series_kind kind;
        enum role role;
    } instance[] = {
        {"Instance: NC utilization", SERIES_UTILIZATION, ROLE_GRAPH},
        {"Instance: device memory", SERIES_MEMORY, ROLE_MEMORY},
        {"Host CPU", SERIES_HOST_CPU, ROLE_GRAPH},
        {"Host memory", SERIES_HOST_MEMORY, ROLE_MEMORY},
    };
    const int chip = ui->host != NULL ? selected_chip_index(ui) : -1;
    const int graphs = chip >= 0 ? 6 : 4;
    const int columns = area.cols >= 80 ? 2 : 1;
    const int down = (graphs + columns - 1) / columns;
    for (int i = 0; i < graphs; i++) {
        const int top = area.rows * (i / columns) / down;
        const int below = area.rows * (i / columns + 1) / down;
        const struct rect part = {area.y + top, area.x + i % columns * (area.cols / columns),
                                  below - top, area.cols / columns};
        char name[40];
        if (i < 4) {
            draw_series(ui, part, instance[i].name, instance[i].kind, 0, instance[i].role);
            continue;
        }
        snprintf(name, sizeof name, "Chip %d: %s", chip,
                 i == 4 ? "NC utilization" : "device memory");
        draw_series(ui, part, name, i == 4 ? SERIES_CHIP_UTILIZATION : SERIES_CHIP_MEMORY,
                    (unsigned)chip, i == 4 ? ROLE_GRAPH : ROLE_MEMORY);
    }
}
