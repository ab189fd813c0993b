// SPDX-License-Identifier: Apache-2.0
// One logical core in a few columns: a bar with its number, or what stands for one without.
#include <stdio.h>

#include "host/units.h"
#include "ui/state.h"

enum { FLOPS_COLUMNS = 8 };

// What stands for a core that shows no bar: told apart without colour.
static void idle_word(const struct canvas *canvas, enum core_state state, bool mine, int width,
                      char *text, size_t size, enum role *role)
{
    const bool room = width >= 8;
    const char *dot = canvas->ascii ? "." : "\u00b7";

    *role = state == CORE_HELD ? ROLE_HELD : state == CORE_FREE ? ROLE_FREE : ROLE_UNKNOWN;
    if (!mine && state == CORE_HELD) {
        *role = ROLE_DIM;
        snprintf(text, size, "%s", room ? "other" : " ");
    } else if (state == CORE_HELD) {
        snprintf(text, size, "%s", room ? "=held" : "=");
    } else if (state == CORE_FREE) {
        snprintf(text, size, "%s%s", dot, room ? " free" : "");
    } else {
        snprintf(text, size, "-");
    }
}

static const char *core_number(const struct ui *ui, const struct core *core, int width, char *text,
                               size_t size)
{
    char value[UNIT_TEXT];

    if (ui->main.flops && width < FLOPS_COLUMNS) {
        snprintf(text, size, known_f64(core->flops_per_second) ? "%.0f" : "-",
                 core->flops_per_second.value / 1e12);
    } else if (ui->main.flops) {
        unit_flops(text, size, core->flops_per_second);
    } else if (known_f64(core->utilization_percent)) {
        snprintf(text, size, core->utilization_percent.value < 999.5 ? "%.0f" : ">1k",
                 core->utilization_percent.value);
    } else {
        snprintf(text, size, "%s", unit_percent(value, sizeof value, core->utilization_percent));
    }
    return text;
}

// A core without a bar: the word for it, and what is known of its use all the same.
static void draw_idle(struct ui *ui, int y, int x, int width, int number, const struct core *core,
                      bool mine)
{
    const enum core_state state = core_state(core);
    const struct fact_f64 percent = core->utilization_percent;
    const int bar = width - 1 - number;
    char text[32];
    enum role role;

    idle_word(&ui->canvas, state, mine, width, text, sizeof text, &role);
    draw_fill(&ui->canvas, y, x, width, role, ' '); // a gap of the same look costs no bytes
    draw_text(&ui->canvas, y, x, bar > 5 ? bar : width - 1 - (number > 0 && state == CORE_HELD),
              role, text);
    if (mine && known_f64(percent) && percent.stale) {
        snprintf(text, sizeof text, "%.0f~", percent.value);
        draw_text_right(&ui->canvas, y, x, width - 1, ROLE_STALE, text);
    } else if (mine && number > 0 &&
               (state == CORE_HELD || (state == CORE_UNKNOWN && known_f64(percent)))) {
        // of an unknown holder, but it does nothing
        draw_text_right(&ui->canvas, y, x + bar, number, role, known_f64(percent) ? "0" : "-");
    }
}

void chip_core_cell(struct ui *ui, int y, int x, int width, unsigned index)
{
    const struct core *core = &ui->scope.cores[index];
    const bool mine = scope_core_mine(&ui->scope, index);
    const struct fact_f64 percent = core->utilization_percent;
    const int number = width >= FLOPS_COLUMNS && ui->main.flops ? 7 : width >= 5 ? 3 : 0;
    const int bar = width - 1 - number;
    const enum role role = percent.stale ? ROLE_STALE : busy_role(percent);
    char text[32];

    if (!mine || core_state(core) != CORE_BUSY) {
        draw_idle(ui, y, x, width, number, core, mine);
        return;
    }
    draw_fill(&ui->canvas, y, x, width, role, ' ');
    if (bar > 1)
        draw_bar(&ui->canvas, y, x, bar, role, percent.value);
    else
        draw_char(&ui->canvas, y, x, role, draw_level(&ui->canvas, percent.value));
    if (number > 0)
        draw_text_right(&ui->canvas, y, x + bar, number, role,
                        core_number(ui, core, width, text, sizeof text));
}
