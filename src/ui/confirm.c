// SPDX-License-Identifier: Apache-2.0
// The panel that asks before a signal is sent: to whom, and what it frees; or why none can be sent.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/units.h"
#include "ui/signal.h"

enum { PANEL_COLUMNS = 120, REFUSED_ROWS = 3, COMMAND_ROWS = 4 };

// The panel while it is drawn, line by line.
struct panel {
    struct ui *ui;
    int x, y, cols;
    int left; // rows that may still be used, the last line not counted
};

bool confirm_open(const struct ui *ui)
{
    return ui->signal.panel;
}

static struct panel panel_of(struct ui *ui)
{
    struct panel panel = {.ui = ui, .y = 1, .cols = ui->canvas.cols, .left = ui->canvas.rows - 3};

    if (panel.cols > PANEL_COLUMNS) {
        panel.x = (panel.cols - PANEL_COLUMNS) / 2;
        panel.cols = PANEL_COLUMNS;
    }
    return panel;
}

// An empty line of the panel; returns its row.
static int line(struct panel *panel, enum role role)
{
    draw_fill(&panel->ui->canvas, panel->y, panel->x, panel->cols, role, ' ');
    panel->left--;
    return panel->y++;
}

static void text_line(struct panel *panel, enum role role, const char *text)
{
    const int y = line(panel, role == ROLE_HEAD_ON || role == ROLE_KEY_TEXT ? role : ROLE_TEXT);

    draw_text(&panel->ui->canvas, y, panel->x + 1, panel->cols - 2, role, text);
}

// Columns of a row: cores get more where there is room.
struct tabs {
    int user, age, cores, command;
};

static struct tabs tabs_of(const struct panel *panel)
{
    const bool wide = panel->cols >= 70;

    return (struct tabs){
        .user = 9, .age = wide ? 18 : 16, .cores = wide ? 26 : 23, .command = wide ? 40 : 30};
}

static void head_line(struct panel *panel)
{
    const struct tabs tabs = tabs_of(panel);
    struct canvas *canvas = &panel->ui->canvas;
    const int y = line(panel, ROLE_HEAD), x = panel->x;

    draw_text_right(canvas, y, x + 1, tabs.user - 2, ROLE_HEAD, "PID");
    draw_text(canvas, y, x + tabs.user, tabs.age - tabs.user - 1, ROLE_HEAD, "USER");
    draw_text_right(canvas, y, x + tabs.age, tabs.cores - tabs.age - 1, ROLE_HEAD, "AGE");
    draw_text(canvas, y, x + tabs.cores, tabs.command - tabs.cores - 1, ROLE_HEAD, "NC");
    draw_text(canvas, y, x + tabs.command, panel->cols - tabs.command - 1, ROLE_HEAD, "COMMAND");
}

static void target_line(struct panel *panel, const struct target *target)
{
    const struct tabs tabs = tabs_of(panel);
    struct canvas *canvas = &panel->ui->canvas;
    const enum role role = target->state == TARGET_READY ? ROLE_STRONG : ROLE_DIM;
    const int y = line(panel, ROLE_TEXT), x = panel->x;
    char pid[24], age[UNIT_TEXT];
    const char *cores = target->cores[0] != '\0' ? target->cores
                        : target->launcher       ? "launcher"
                                                 : "-";

    snprintf(pid, sizeof pid, "%" PRIu64, target->pid);
    unit_duration(age, sizeof age, fact_f64(target->age_seconds, FROM_PROC));
    draw_text_right(canvas, y, x + 1, tabs.user - 2, role, pid);
    draw_text(canvas, y, x + tabs.user, tabs.age - tabs.user - 1, role, target->user);
    draw_text_right(canvas, y, x + tabs.age, tabs.cores - tabs.age - 1, role, age);
    draw_text(canvas, y, x + tabs.cores, tabs.command - tabs.cores - 1, role,
              target->state == TARGET_GONE ? "has ended" : cores);
    draw_text(canvas, y, x + tabs.command, panel->cols - tabs.command - 1, role, target->command);
}

// Of a single process the whole command, as far as there is room.
static void command_lines(struct panel *panel, const struct target *target)
{
    const struct tabs tabs = tabs_of(panel);
    const char *rest = target->command;

    for (int i = 0; i < COMMAND_ROWS && *rest != '\0' && panel->left > 1; i++) {
        const int y = i == 0 ? panel->y - 1 : line(panel, ROLE_TEXT);
        const int width = panel->cols - tabs.command - 1;
        draw_fill(&panel->ui->canvas, y, panel->x + tabs.command, width, ROLE_TEXT, ' ');
        rest = draw_piece(&panel->ui->canvas, y, panel->x + tabs.command, width, ROLE_STRONG, rest);
    }
}

// Those that may be signalled, and those of them that have ended since.
static bool is_listed(const struct target *target)
{
    return target->state == TARGET_READY ||
           (target->state == TARGET_GONE && target->command[0] != '\0');
}

static void target_lines(struct panel *panel, const struct targets *targets, int keep)
{
    size_t listed = 0, shown = 0;

    for (size_t i = 0; i < targets->count; i++)
        listed += is_listed(&targets->items[i]);
    for (size_t i = 0; i < targets->count; i++) {
        const struct target *target = &targets->items[i];
        if (!is_listed(target))
            continue;
        if (panel->left - keep <= 1 && listed - shown > 1 && shown > 0) {
            char text[48];
            snprintf(text, sizeof text, "... and %zu more", listed - shown);
            text_line(panel, ROLE_STRONG, text);
            return;
        }
        target_line(panel, target);
        shown++;
    }
    if (listed == 1 && panel->left - keep > 0) {
        for (size_t i = 0; i < targets->count; i++) {
            if (is_listed(&targets->items[i]))
                command_lines(panel, &targets->items[i]);
        }
    }
}

static void refused_lines(struct panel *panel, const struct targets *targets, int rows)
{
    size_t left = targets_count(targets, TARGET_REFUSED);

    for (size_t i = 0; i < targets->count && rows > 0; i++) {
        const struct target *target = &targets->items[i];
        char text[TARGET_WHY + 80];
        if (target->state != TARGET_REFUSED)
            continue;
        snprintf(text, sizeof text, "not to %" PRIu64 ": %s", target->pid, target->why);
        if (rows == 1 && left > 1)
            snprintf(text, sizeof text, "not to %zu more of them", left);
        text_line(panel, ROLE_WARNING, text);
        rows--;
        left--;
    }
}

// What the cores and memory will be: only of a signal that is meant to end.
static bool freed_text(const struct ui *ui, char *text, size_t size)
{
    const struct targets *targets = &ui->signal.asked;
    const struct signal_row *row = signal_get(targets->signal);
    const unsigned cores = core_set_count(&targets->frees);
    char list[48], bytes[UNIT_TEXT];

    if (row == NULL || !row->ends || ui->host == NULL)
        return false;
    core_set_format(&targets->frees, list, sizeof list);
    unit_bytes(bytes, sizeof bytes, targets->frees_bytes);
    if (cores > 0 && known_u64(targets->frees_bytes))
        snprintf(text, size, "frees %u core%s (NC %s) and %s of %s", cores, cores == 1 ? "" : "s",
                 list, bytes, host_memory_word(ui->host));
    else if (cores > 0)
        snprintf(text, size, "frees %u core%s (NC %s)", cores, cores == 1 ? "" : "s", list);
    else if (known_u64(targets->frees_bytes))
        snprintf(text, size, "frees %s of %s; no core is known that only it holds", bytes,
                 host_memory_word(ui->host));
    else
        snprintf(text, size, "what it frees is not known");
    return true;
}

static void question_line(struct panel *panel)
{
    const struct targets *targets = &panel->ui->signal.asked;
    const struct signal_row *row = signal_get(targets->signal);
    const size_t ready = targets_count(targets, TARGET_READY);
    char text[TARGET_NAME + 96];

    if (targets->count == 1)
        snprintf(text, sizeof text, "Send %s to %s?  (%s)", row->name, targets->name, row->what);
    else
        snprintf(text, sizeof text, "Send %s to %zu process%s: %s?", row->name, ready,
                 ready == 1 ? "" : "es", targets->name);
    text_line(panel, ROLE_HEAD_ON, text);
}

static void draw_question(struct ui *ui)
{
    const struct targets *targets = &ui->signal.asked;
    struct panel panel = panel_of(ui);
    char freed[160], last[64];
    const bool frees = freed_text(ui, freed, sizeof freed) && panel.left >= 3;
    int refused = (int)targets_count(targets, TARGET_REFUSED);

    if (refused > REFUSED_ROWS)
        refused = REFUSED_ROWS;
    if (refused > panel.left - 2 - frees)
        refused = panel.left > 2 + frees ? panel.left - 2 - frees : 0;
    question_line(&panel);
    if (panel.left >= 2 + frees + refused)
        head_line(&panel);
    target_lines(&panel, targets, frees + refused);
    if (frees)
        text_line(&panel, ROLE_TEXT, freed);
    refused_lines(&panel, targets, refused);
    snprintf(last, sizeof last, "y sends %s; any other key sends nothing",
             signal_get(targets->signal)->name);
    text_line(&panel, ROLE_KEY_TEXT, last);
}

static void draw_refusal(struct ui *ui)
{
    const struct targets *targets = &ui->signal.asked;
    struct panel panel = panel_of(ui);
    char text[TARGET_NAME + 64];

    snprintf(text, sizeof text, "No signal can be sent to %s", targets->name);
    text_line(&panel, ROLE_HEAD_ON, text);
    if (ui->signal.why != NULL)
        text_line(&panel, ROLE_WARNING, ui->signal.why);
    for (size_t i = 0; ui->signal.why == NULL && i < targets->count && panel.left > 0; i++) {
        const struct target *target = &targets->items[i];
        char line_text[TARGET_WHY + 40];
        snprintf(line_text, sizeof line_text, "%" PRIu64 ": %s", target->pid,
                 target->state == TARGET_GONE ? "has ended" : target->why);
        text_line(&panel, ROLE_WARNING, line_text);
    }
    text_line(&panel, ROLE_KEY_TEXT, "any key goes back");
}

static bool is_question(const struct ui *ui)
{
    return ui->signal.asked.signal != 0 && ui->signal.why == NULL;
}

void confirm_draw(struct ui *ui)
{
    if (!ui->signal.panel)
        return;
    if (is_question(ui))
        draw_question(ui);
    else
        draw_refusal(ui);
    ui->signal.drawn = true;
}

unsigned confirm_key(struct ui *ui, int key)
{
    struct signal_state *state = &ui->signal;

    if (is_question(ui) && key == 'y') {
        if (!state->drawn || targets_count(&state->asked, TARGET_READY) == 0)
            return UI_REDRAW; // typed before there was anything to read
        state->panel = false;
        return UI_REDRAW | UI_SEND;
    }
    if (is_question(ui))
        ui_message(ui, "no signal was sent");
    state->panel = false;
    return UI_REDRAW | UI_FORGET;
}
