// SPDX-License-Identifier: Apache-2.0
// The header: title, totals, the worst finding; and the tabs at the bottom.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "host/units.h"
#include "ui/group.h"
#include "ui/state.h"

enum { CLOCK_COLUMNS = 8 };

void header_clock(struct ui *ui)
{
    const struct rect area = ui->layout.title;
    const time_t now = time(NULL);
    struct tm local;
    char text[16] = "";

    if (area.rows == 0 || localtime_r(&now, &local) == NULL)
        return;
    strftime(text, sizeof text, "%H:%M:%S", &local);
    draw_text(&ui->canvas, area.y, area.x + area.cols - CLOCK_COLUMNS - 1, CLOCK_COLUMNS,
              ROLE_TITLE, text);
}

// Draws TEXT right-aligned so that it ends at *RIGHT, and moves *RIGHT to its left; nothing when it
// would go below LEFT.
static void put_right(struct ui *ui, int left, int *right, enum role role, const char *text)
{
    const int width = (int)strlen(text);

    if (*right - width - 1 < left)
        return;
    draw_text(&ui->canvas, 0, *right - width, width, role, text);
    *right -= width + 1;
}

static void put_marks(struct ui *ui, int left, int *right)
{
    if (ui->paused)
        put_right(ui, left, right, ROLE_DEMO, " PAUSED ");
    if (ui->host != NULL && ui->host->finished)
        put_right(ui, left, right, ROLE_DEMO, " ENDED ");
    if (ui->host != NULL && ui->host->demo)
        put_right(ui, left, right, ROLE_DEMO, " DEMO ");
}

// What --source calls a reader: those of the driver are one source to a person, and in the view of
// the sources three.
static const char *source_word(const char *name)
{
    static const char *const of_driver[] = {"sysfs", "device", "proc", "packages", "neffs"};

    for (size_t i = 0; i < sizeof of_driver / sizeof of_driver[0]; i++) {
        if (strcmp(name, of_driver[i]) == 0)
            return "driver";
    }
    return name;
}

// "monitor live", "monitor+driver live", "monitor lost 12s": live sources together, the others each
// with its state.
static void put_sources(struct ui *ui, int left, int *right)
{
    const struct host *host = ui->host;
    char live[80] = "";
    char text[128];

    for (unsigned i = 0; host != NULL && i < host->source_count; i++) {
        const struct source_status *source = &host->sources[i];
        if (source->state == SOURCE_LIVE) {
            const size_t used = strlen(live);
            const char *word = source_word(source->name);
            if (strstr(live, word) == NULL)
                snprintf(live + used, sizeof live - used, "%s%s", used > 0 ? "+" : "", word);
        } else if (source->state != SOURCE_ABSENT && source->state != SOURCE_ENDED) {
            char age[UNIT_TEXT];
            unit_duration(age, sizeof age, source->age_seconds);
            snprintf(text, sizeof text, " %s %s%s%s ", source->name,
                     source_state_word(source->state), known_f64(source->age_seconds) ? " " : "",
                     known_f64(source->age_seconds) ? age : "");
            put_right(ui, left, right, ROLE_DEMO, text);
        }
    }
    if (host != NULL && host->finished && live[0] == '\0')
        return; // nothing comes any more, at no pace
    snprintf(text, sizeof text, "%s%s%gs", live, live[0] != '\0' ? " live " : "",
             ui->delay_seconds);
    put_right(ui, left, right, ROLE_TITLE, text);
}

static int put_left(struct ui *ui, int x, int right, enum role role, const char *text)
{
    if (text == NULL || text[0] == '\0' || x + (int)strlen(text) > right)
        return x;
    return x + draw_text(&ui->canvas, 0, x, right - x, role, text) + 2;
}

static void draw_title(struct ui *ui)
{
    const struct rect area = ui->layout.title;
    int right = area.cols - CLOCK_COLUMNS - 2;
    const struct instance *instance = ui->host != NULL ? &ui->host->instance : NULL;
    const char *type = instance != NULL ? instance->type : NULL;
    char scope[GROUP_LABEL + 16] = "";

    draw_fill(&ui->canvas, area.y, area.x, area.cols, ROLE_TITLE, ' ');
    int x = 1 + draw_text(&ui->canvas, area.y, 1, area.cols, ROLE_TITLE, "neutop") + 2;
    const int wanted = x + (type != NULL ? (int)strlen(type) + 1 : 0);
    put_marks(ui, x, &right);
    put_sources(ui, wanted, &right);
    x = put_left(ui, x, right, ROLE_TITLE, type);
    if (ui->scope.tab != TAB_ALL) {
        snprintf(scope, sizeof scope, "[%s]", scope_tab_label(&ui->scope, scope_tab(&ui->scope)));
        x = put_left(ui, x, right, ROLE_DEMO, scope);
    }
    if (instance == NULL)
        return;
    x = put_left(ui, x, right, ROLE_TITLE, instance->id);
    x = put_left(ui, x, right, ROLE_TITLE,
                 instance->availability_zone != NULL ? instance->availability_zone
                                                     : instance->region);
    x = put_left(ui, x, right, ROLE_TITLE, instance->ultraserver_id);
    if (instance->name != NULL && instance->type != NULL &&
        strcmp(instance->name, instance->type) != 0)
        put_left(ui, x, right, ROLE_TITLE, instance->name);
}

// A place in the totals that moves to the right.
struct pen {
    struct ui *ui;
    int y, x, end;
    bool measuring; // moves, but draws nothing
};

static void pen_text(struct pen *pen, enum role role, const char *text)
{
    if (pen->measuring)
        pen->x += text_width(text);
    else if (pen->x < pen->end)
        pen->x += draw_text(&pen->ui->canvas, pen->y, pen->x, pen->end - pen->x, role, text);
}

static void pen_bar(struct pen *pen, int width, enum role role, double percent)
{
    if (!pen->measuring && pen->x + width > pen->end)
        return;
    if (!pen->measuring)
        draw_bar(&pen->ui->canvas, pen->y, pen->x, width, role, isnan(percent) ? 0 : percent);
    pen->x += width;
}

static void pen_stale(struct pen *pen, bool stale, enum role role, const char *text)
{
    pen_text(pen, stale ? ROLE_STALE : role, text);
    if (stale)
        pen_text(pen, ROLE_STALE, "~");
}

// How much the totals say; each level leaves out a little more.
enum level { LEVEL_FULL, LEVEL_SHORT_HOST, LEVEL_NO_CHIP_NAME, LEVEL_LEAST };

static void write_hardware(struct pen *pen, enum level level)
{
    const struct host *host = pen->ui->host;
    const struct hardware *hardware = &host->hardware;
    char text[96], lnc[24] = "";

    // the chip's default is a guess at what jobs use: said so, or left out where there is no room
    bool guess = hardware->lnc.from == FROM_TABLE;
    if (known_u64(hardware->lnc) && (!guess || level < LEVEL_LEAST))
        snprintf(lnc, sizeof lnc, " LNC%" PRIu64 "%s", hardware->lnc.value,
                 guess ? " default" : "");
    snprintf(text, sizeof text, "%u chip%s %u %s%s", host->chip_count,
             host->chip_count == 1 ? "" : "s", host->core_count,
             host->numbering == NUMBERING_PHYSICAL ? "physical cores" : "NC", lnc);
    pen_text(pen, ROLE_STRONG, text);
    if (level < LEVEL_NO_CHIP_NAME && hardware->chip != NULL) {
        snprintf(text, sizeof text, "  %.30s NeuronCore-%.10s", hardware->chip,
                 hardware->neuroncore != NULL ? hardware->neuroncore : "?");
        pen_text(pen, ROLE_DIM, text);
    }
    if (level < LEVEL_LEAST && host->numbering != NUMBERING_UNKNOWN) {
        snprintf(text, sizeof text, "  NC numbered: %s", numbering_word(host->numbering));
        pen_text(pen, host->numbering == NUMBERING_MONITOR ? ROLE_WARNING : ROLE_DIM, text);
    }
}

// The bar stays the time in use: there is no number of FLOPS that is all.
static void write_flops(struct pen *pen, const struct scope_totals *totals, enum level level,
                        int bar)
{
    struct fact_f64 mean = totals->flops_per_second;
    char text[2 * UNIT_TEXT + 8], sum[UNIT_TEXT], part[UNIT_TEXT];

    mean.value = totals->cores > 0 ? mean.value / totals->cores : 0;
    unit_flops(sum, sizeof sum, totals->flops_per_second);
    unit_flops(part, sizeof part, mean);
    snprintf(text, sizeof text, level == LEVEL_LEAST ? "%s" : "%s, %s a core", sum, part);
    pen_text(pen, ROLE_DIM, ui_core_word(pen->ui));
    pen->x++;
    pen_bar(pen, bar, busy_role(totals->utilization_percent),
            known_f64(totals->utilization_percent) ? totals->utilization_percent.value : 0);
    pen->x++;
    pen_stale(pen, mean.stale, ROLE_TEXT, text);
}

static void write_busy(struct pen *pen, enum level level, int bar)
{
    const struct scope_totals *totals = &pen->ui->scope.totals;
    char text[UNIT_TEXT];

    if (pen->ui->main.flops) {
        write_flops(pen, totals, level, bar);
        return;
    }
    pen_text(pen, ROLE_DIM, ui_core_word(pen->ui));
    pen->x++;
    pen_bar(pen, bar, busy_role(totals->utilization_percent),
            known_f64(totals->utilization_percent) ? totals->utilization_percent.value : 0);
    char padded[UNIT_TEXT + 8];
    snprintf(padded, sizeof padded, " %4s",
             unit_percent(text, sizeof text, totals->utilization_percent));
    pen_stale(pen, totals->utilization_percent.stale, ROLE_TEXT, padded);
}

static void write_memory(struct pen *pen, int bar)
{
    const struct scope_totals *totals = &pen->ui->scope.totals;
    char text[2 * UNIT_TEXT];
    const enum role role = memory_role(totals->memory_used_bytes, totals->memory_total_bytes);

    pen_text(pen, ROLE_DIM, host_memory_word(pen->ui->host));
    pen->x++;
    pen_bar(pen, bar, role, percent_of(totals->memory_used_bytes, totals->memory_total_bytes));
    pen->x++;
    unit_bytes_of(text, sizeof text, totals->memory_used_bytes, totals->memory_total_bytes);
    pen_stale(pen, totals->memory_used_bytes.stale, ROLE_TEXT, text);
}

static void write_cpu(struct pen *pen, int bar)
{
    const struct machine *machine = &pen->ui->host->machine;
    const struct fact_f64 user = machine->cpu_user_percent, system = machine->cpu_system_percent;
    char text[UNIT_TEXT], padded[UNIT_TEXT + 8];
    struct fact_f64 sum = user;

    fact_add_f64(&sum, system);
    pen_text(pen, ROLE_DIM, "CPU ");
    if (bar > 0 && pen->measuring) {
        pen->x += bar + 1;
    } else if (bar > 0 && pen->x + bar < pen->end) {
        draw_bar2(&pen->ui->canvas, pen->y, pen->x, bar, ROLE_BUSY_HIGH,
                  known_f64(user) ? user.value : 0, ROLE_SYSTEM,
                  known_f64(system) ? system.value : 0);
        pen->x += bar + 1;
    }
    snprintf(padded, sizeof padded, "%3s", unit_percent(text, sizeof text, sum));
    pen_stale(pen, sum.stale, ROLE_TEXT, padded);
}

static void write_host_memory(struct pen *pen, bool full)
{
    const struct machine *machine = &pen->ui->host->machine;
    char text[2 * UNIT_TEXT];

    pen_text(pen, ROLE_DIM, full ? "Host memory " : "HOST ");
    const double percent = percent_of(machine->memory_used_bytes, machine->memory_total_bytes);
    if (full)
        unit_bytes_of(text, sizeof text, machine->memory_used_bytes, machine->memory_total_bytes);
    else if (isnan(percent))
        strcpy(text, "-");
    else
        snprintf(text, sizeof text, "%2.0f%%", percent);
    pen_stale(pen, machine->memory_used_bytes.stale, percent >= 90 ? ROLE_MEMORY_HIGH : ROLE_TEXT,
              text);
}

// The second row of a tall screen: what there was no room for.
static void write_more(struct pen *pen)
{
    const struct ui *ui = pen->ui;
    const struct scope_totals *totals = &ui->scope.totals;
    char text[160], a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT];

    snprintf(text, sizeof text, "%s %u busy %u held %u free", ui_core_word(ui), totals->cores_busy,
             totals->cores_held, totals->cores_free);
    pen_text(pen, ROLE_TEXT, text);
    if (totals->cores_unknown > 0) {
        snprintf(text, sizeof text, " %u unknown", totals->cores_unknown);
        pen_text(pen, ROLE_UNKNOWN, text);
    }
    snprintf(text, sizeof text, "  %s  %s executions  %s errors",
             unit_flops(a, sizeof a, totals->flops_per_second),
             unit_rate(b, sizeof b, totals->executions_per_second),
             unit_rate(c, sizeof c, totals->errors_per_second));
    pen_text(pen, ROLE_TEXT, text);
    if (known_f64(totals->power_percent)) {
        snprintf(text, sizeof text, "  power %s", unit_percent(a, sizeof a, totals->power_percent));
        pen_text(pen, ROLE_TEXT, text);
    }
    snprintf(text, sizeof text, "  Neuron processes CPU %s user %s system",
             unit_percent(a, sizeof a, totals->cpu_user_percent),
             unit_percent(b, sizeof b, totals->cpu_system_percent));
    pen_text(pen, ROLE_TEXT, text);
    const struct machine *machine = &ui->host->machine;
    if (known_u64(machine->swap_used_bytes) && machine->swap_used_bytes.value > 0) {
        snprintf(text, sizeof text, "  swap %s", unit_bytes(a, sizeof a, machine->swap_used_bytes));
        pen_text(pen, ROLE_WARNING, text);
    }
}

static void write_totals(struct pen *pen, enum level level, int bar)
{
    write_hardware(pen, level);
    pen->x += 2;
    write_busy(pen, level, bar);
    pen->x += 2;
    write_memory(pen, bar);
    pen->x += 2;
    write_cpu(pen, level == LEVEL_FULL ? 10 : 0);
    pen->x += level == LEVEL_LEAST ? 1 : 2;
    write_host_memory(pen, level == LEVEL_FULL);
}

// The fullest level at which the bars still have a length that says something; they get what is
// left.
static void totals_one_row(struct pen *pen)
{
    int bar = 0;
    enum level level = LEVEL_FULL;

    for (;; level++) {
        struct pen measure = *pen;
        measure.measuring = true;
        write_totals(&measure, level, 0);
        bar = (pen->end - 1 - measure.x) / 2;
        if (bar >= 10 || level == LEVEL_LEAST)
            break;
    }
    write_totals(pen, level, bar < 3 ? 3 : bar > 30 ? 30 : bar);
}

static void draw_totals(struct ui *ui)
{
    const struct rect area = ui->layout.totals;
    struct pen pen = {.ui = ui, .y = area.y, .x = 1, .end = area.cols};

    if (ui_waiting(ui) || area.rows == 0)
        return;
    if (area.cols >= 70) {
        totals_one_row(&pen);
    } else {
        if (area.rows > 1) {
            write_hardware(&pen, LEVEL_LEAST);
            pen.x += 2;
            write_cpu(&pen, 0);
            pen.x += 1;
            write_host_memory(&pen, false);
            pen = (struct pen){.ui = ui, .y = area.y + 1, .x = 1, .end = area.cols};
        }
        write_busy(&pen, LEVEL_LEAST, 5);
        pen.x += 2;
        write_memory(&pen, 5);
    }
    if (area.rows > (area.cols >= 70 ? 1 : 2)) {
        pen = (struct pen){.ui = ui, .y = area.y + area.rows - 1, .x = 1, .end = area.cols};
        write_more(&pen);
    }
}

static enum role severity_role(enum severity severity)
{
    switch (severity) {
    case SEVERITY_CRITICAL:
        return ROLE_CRITICAL;
    case SEVERITY_WARNING:
        return ROLE_WARNING;
    case SEVERITY_INFO:
        break;
    }
    return ROLE_INFO;
}

static void draw_findings(struct ui *ui)
{
    const struct rect area = ui->layout.finding;
    const size_t count = ui->findings.count;
    char rest[48] = "";
    int first = 0;

    if (ui->message[0] != '\0') {
        draw_text(&ui->canvas, area.y, 1, area.cols - 1, ROLE_STRONG, ui->message);
        return;
    }
    if (ui->signal.note != NOTE_NONE) {
        draw_text(&ui->canvas, area.y, 1, area.cols - 1,
                  ui->signal.note == NOTE_OFFER ? ROLE_WARNING : ROLE_STRONG, ui->signal.note_text);
        ui->signal.offer_drawn = ui->signal.note == NOTE_OFFER;
        first = 1;
    } else if (count == 0 && ui_waiting(ui)) {
        draw_text(&ui->canvas, area.y, 1, area.cols - 1, ROLE_DIM, "waiting for the first report");
    } else if (count == 0) {
        draw_text(&ui->canvas, area.y, 1, area.cols - 1, ROLE_GOOD, "ok no findings");
    }
    for (size_t i = 0; i < count && first + (int)i < area.rows; i++) {
        const struct finding *finding = &ui->findings.items[i];
        const int y = area.y + first + (int)i;
        int width = area.cols - 2;
        if (y == area.y + area.rows - 1) {
            snprintf(rest, sizeof rest, count > i + 1 ? "+%zu more [!]" : "[!]", count - i - 1);
            width -= draw_text_right(&ui->canvas, y, 1, area.cols - 2, ROLE_STRONG, rest) + 1;
        }
        draw_textf(&ui->canvas, y, 1, width, severity_role(finding->severity), "%s %s",
                   severity_mark(finding->severity), finding->summary);
    }
}

void header_draw(struct ui *ui)
{
    draw_title(ui);
    draw_totals(ui);
    draw_findings(ui);
}

void tabs_draw(struct ui *ui)
{
    const struct rect area = ui->layout.tabs;
    const size_t shown = scope_tab(&ui->scope);
    const size_t count = scope_tab_count(&ui->scope) +
                         (ui->scope.tab != TAB_ALL && shown == scope_tab_count(&ui->scope));
    int x = 1;

    const struct rect body = ui->layout.body;
    const bool in_body = area.y >= body.y && area.y < body.y + body.rows;
    if (area.rows == 0 || ui->host == NULL || (in_body && !ui_on_main(ui)))
        return;
    x += draw_text(&ui->canvas, area.y, x, area.cols - x, ROLE_DIM, "Processes ");
    const int room = (area.cols - x) / (int)(count < 9 ? count : 9) - 7;
    for (size_t tab = shown > 8 ? shown - 8 : 0; tab < count; tab++) {
        char text[GROUP_LABEL + 32], label[GROUP_LABEL];
        // the longer names give way when all of them would not fit
        text_fit(label, sizeof label, scope_tab_label(&ui->scope, tab), room < 8 ? 8 : room,
                 ui->canvas.ascii);
        snprintf(text, sizeof text, tab == shown ? ">[%zu]:%s<" : " [%zu]:%s ", tab + 1, label);
        if (x + 8 >= area.cols && tab + 1 < count) {
            draw_textf(&ui->canvas, area.y, x, area.cols - x, ROLE_DIM, "+%zu", count - tab);
            return;
        }
        x += draw_text(&ui->canvas, area.y, x, area.cols - x - 5,
                       tab == shown ? ROLE_TAB_ON : ROLE_TEXT, text);
    }
}
