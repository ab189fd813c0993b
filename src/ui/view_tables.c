// SPDX-License-Identifier: Apache-2.0
// Views that are one table: models, cores, executions and latency, health.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "host/units.h"
#include "ui/group.h"
#include "ui/state.h"

enum { WIDE_CORES = 110 };

static void count_cell(struct sheet *sheet, int width, struct fact_u64 fact, bool bad)
{
    char text[UNIT_TEXT];

    unit_count(text, sizeof text, fact);
    sheet_cell_right(sheet, width,
                     !known_u64(fact)        ? ROLE_UNKNOWN
                     : bad && fact.value > 0 ? ROLE_WARNING
                                             : ROLE_TEXT,
                     text);
}

static void pid_text(const struct process *process, char *text, size_t size)
{
    if (known_u64(process->pid))
        snprintf(text, size, "%" PRIu64, process->pid.value);
    else
        snprintf(text, size, "-");
}

static int name_columns(const struct sheet *sheet)
{
    return sheet->area.cols < 100 ? 10 : 24;
}

static void process_head(struct sheet *sheet, const struct process *process)
{
    char pid[24];

    pid_text(process, pid, sizeof pid);
    sheet_cell_right(sheet, 8, ROLE_TEXT, pid);
    sheet_space(sheet, 1);
    sheet_cell(sheet, name_columns(sheet), ROLE_TEXT, LABEL_OF(process));
}

static void model_cores(const struct model *model, char *text, size_t size)
{
    struct core_set chips;

    core_set_clear(&chips);
    for (unsigned i = 0; i < model->subgraph_count; i++) {
        if (model->subgraphs[i].chip >= 0)
            core_set_add(&chips, (unsigned)model->subgraphs[i].chip);
    }
    core_set_format(&chips, text, size);
}

static void write_model(struct ui *ui, struct sheet *sheet, const struct model *model)
{
    const bool running = model->state == MODEL_RUNNING;
    const char *state = running ? "running" : model->state == MODEL_STOPPED ? "stopped" : "-";
    const char *name = model->name != NULL ? model->name : "-";
    char id[24] = "-", chips[24], end[1024];

    sheet_line(sheet, 0);
    if (known_u64(model->model_id))
        snprintf(id, sizeof id, "%" PRIu64, model->model_id.value);
    sheet_cell_right(sheet, 9, ROLE_TEXT, id);
    sheet_space(sheet, 2);
    sheet_cell(sheet, 8, running ? ROLE_GOOD : ROLE_DIM, state);
    u64_cell(sheet, 9, model->memory_device_bytes, unit_bytes);
    u64_cell(sheet, 9, model->memory_host_bytes, unit_bytes);
    model_cores(model, chips, sizeof chips);
    sheet_space(sheet, 2);
    sheet_cell(sheet, 9, ROLE_TEXT, chips);
    if (ui->main.wrap) {
        sheet_wrap(sheet, sheet->x, ROLE_TEXT, name);
        return;
    }
    // The end of a path tells more than its beginning.
    text_fit_end(end, sizeof end, name, sheet->area.cols - sheet->x, ui->canvas.ascii);
    sheet_text(sheet, ROLE_TEXT, end);
}

void view_models(struct ui *ui, struct sheet *sheet)
{
    bool any = false;

    sheet_line(sheet, 0);
    sheet_textf(sheet, ROLE_STRONG, "%9s  %-8s%9s%9s  %-9s%s", "MODEL ID", "STATE", "DEVICE",
                "HOST", "CHIPS", "NAME (w: whole)");
    for (unsigned p = 0; ui->host != NULL && p < ui->host->process_count; p++) {
        const struct process *process = &ui->host->processes[p];
        if (!scope_has(&ui->scope, p) || process->model_count == 0)
            continue;
        char cores[64], pid[24];
        any = true;
        sheet_line(sheet, 0);
        pid_text(process, pid, sizeof pid);
        core_set_format(&process->cores, cores, sizeof cores);
        sheet_textf(sheet, ROLE_STRONG, "%s %s", pid, LABEL_OF(process));
        sheet_textf(sheet, ROLE_DIM, "  NC %s  %u model%s", cores[0] != '\0' ? cores : "-",
                    process->model_count, process->model_count == 1 ? "" : "s");
        for (unsigned m = 0; m < process->model_count; m++)
            write_model(ui, sheet, &process->models[m]);
    }
    if (!any) {
        sheet_line(sheet, 0);
        sheet_text(sheet, ROLE_DIM, "  No model is loaded, or no source tells.");
    }
}

static void core_physical(struct sheet *sheet, const struct core *core)
{
    for (unsigned i = 0; i < PHYSICAL_MAX; i++) {
        char text[48] = "";
        if (i < core->physical_count) {
            char percent[UNIT_TEXT];
            unit_percent(percent, sizeof percent, core->physical[i].utilization_percent);
            snprintf(text, sizeof text, core->physical[i].index >= 0 ? "P%d %s" : "P %.0d%s",
                     core->physical[i].index, percent);
        }
        sheet_cell(sheet, 10, ROLE_DIM, text);
    }
}

static void core_memory(struct ui *ui, struct sheet *sheet, const struct core *core)
{
    char text[2 * UNIT_TEXT + 16];

    unit_bytes_of(text, sizeof text, core->memory_used_bytes, core->memory_limit_bytes);
    stale_mark(text, sizeof text, core->memory_used_bytes.stale);
    if (core->memory_shared_by > 1) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "/%u%s", core->memory_shared_by,
                 ui_core_word(ui));
    }
    sheet_cell(sheet, 18,
               memory_role(core->memory_used_bytes, core->memory_limit_bytes) == ROLE_MEMORY
                   ? ROLE_TEXT
                   : ROLE_MEMORY_HIGH,
               text);
}

static void write_core(struct ui *ui, struct sheet *sheet, unsigned index)
{
    const struct core *core = &ui->scope.cores[index];
    const enum core_state state = core_state(core);
    char owner[192];
    enum role role;

    sheet_line(sheet, 0);
    sheet_textf(sheet, ROLE_TEXT, "%5u %4u  ", core->index, ui->host->chips[core->chip].index);
    sheet_cell(sheet, 9,
               state == CORE_HELD   ? ROLE_HELD
               : state == CORE_FREE ? ROLE_FREE
                                    : ROLE_TEXT,
               core_state_word(state));
    sheet_bar(sheet, 10, busy_role(core->utilization_percent),
              known_f64(core->utilization_percent) ? core->utilization_percent.value : 0);
    f64_cell(sheet, 6, core->utilization_percent, unit_percent);
    if (sheet->area.cols >= WIDE_CORES)
        f64_cell(sheet, 9, core->flops_per_second, unit_flops);
    sheet_space(sheet, 2);
    if (sheet->area.cols >= WIDE_CORES)
        core_physical(sheet, core);
    core_memory(ui, sheet, core);
    chip_owner_text(ui, core->owners, core->owner_count, index, 1, owner, sizeof owner, &role);
    sheet_text(sheet, role, owner);
    if (core->pod != NULL)
        sheet_textf(sheet, ROLE_DIM, "  %s/%s",
                    core->pod_namespace != NULL ? core->pod_namespace : "-", core->pod);
}

void view_cores(struct ui *ui, struct sheet *sheet)
{
    sheet_line(sheet, 0);
    sheet_textf(sheet, ROLE_STRONG, "%5s %4s  %-8s %-16s", ui_core_word(ui), "CHIP", "STATE",
                "UTILIZATION");
    if (sheet->area.cols >= WIDE_CORES) // the owner is what a narrow screen is for
        sheet_textf(sheet, ROLE_STRONG, " %8s  %-20s%-18s", "FLOPS", "PHYSICAL CORES", "MEMORY");
    else
        sheet_textf(sheet, ROLE_STRONG, "  %-18s", "MEMORY");
    sheet_text(sheet, ROLE_STRONG, "OWNER, POD");
    for (unsigned i = 0; ui->host != NULL && i < ui->host->core_count; i++) {
        if (scope_core_mine(&ui->scope, i))
            write_core(ui, sheet, i);
    }
}

// What did not go well, on a line of its own; nothing when all did.
static void write_trouble(struct sheet *sheet, const struct process *process)
{
    bool any = false;
    char text[UNIT_TEXT];

    for (int i = 0; i < EXECUTIONS + ERROR_KINDS; i++) {
        const bool error = i >= EXECUTIONS;
        const int kind = error ? i - EXECUTIONS : i;
        const struct fact_f64 rate =
            error ? process->errors_per_second[kind] : process->executions_per_second[kind];
        if (!known_f64(rate) || rate.value <= 0 || (!error && kind == EXEC_COMPLETED))
            continue;
        if (!any) {
            sheet_line(sheet, 0);
            sheet_space(sheet, 9);
        }
        any = true;
        sheet_textf(sheet, error && kind == ERR_GENERIC ? ROLE_DIM : ROLE_WARNING, "%s%s %s  ",
                    error ? error_kind_key((enum error_kind)kind)
                          : execution_key((enum execution)kind),
                    error ? " errors" : "", unit_rate(text, sizeof text, rate));
    }
}

void view_latency(struct ui *ui, struct sheet *sheet)
{
    char text[UNIT_TEXT + 2];

    sheet_line(sheet, 0);
    sheet_textf(sheet, ROLE_STRONG, "%8s %-*s", "PID", name_columns(sheet), "PROCESS");
    for (int i = 0; i < PERCENTILES; i++)
        sheet_cell_right(sheet, 8, ROLE_STRONG, percentile_key((enum percentile)i));
    sheet_line(sheet, 0);
    sheet_textf(sheet, ROLE_STRONG, "%8s", "DONE");
    for (unsigned p = 0; ui->host != NULL && p < ui->host->process_count; p++) {
        const struct process *process = &ui->host->processes[p];
        const struct fact_f64 rate = process->executions_per_second[EXEC_COMPLETED];
        if (!scope_has(&ui->scope, p))
            continue;
        sheet_line(sheet, 0);
        process_head(sheet, process);
        for (int i = 0; i < PERCENTILES; i++)
            f64_cell(sheet, 8, process->latency_total.seconds[i], unit_latency);
        if (!known_f64(process->latency_device.seconds[P50]) &&
            !(known_f64(rate) && rate.value > 0)) {
            write_trouble(sheet, process);
            continue;
        }
        sheet_line(sheet, 0);
        unit_rate(text, UNIT_TEXT, rate);
        stale_mark(text, sizeof text, known_f64(rate) && rate.stale);
        sheet_cell_right(sheet, 8, known_f64(rate) ? ROLE_TEXT : ROLE_UNKNOWN, text);
        sheet_cell_right(sheet, 1 + name_columns(sheet), ROLE_DIM,
                         name_columns(sheet) < 13 ? "device" : "on the device");
        for (int i = 0; i < PERCENTILES; i++)
            f64_cell(sheet, 8, process->latency_device.seconds[i], unit_latency);
        write_trouble(sheet, process);
    }
}

void view_health(struct ui *ui, struct sheet *sheet)
{
    const bool serials = sheet->area.cols >= 100; // else a part of each, which is no serial

    sheet_line(sheet, 0);
    sheet_textf(sheet, ROLE_STRONG, "%4s %-11s%7s%10s%10s%10s%10s%10s  %s", "CHIP", "HEALTH",
                "POWER", "MEM CORR", "MEM UNC", "MEM REP", "SRAM CORR", "SRAM UNC",
                serials ? "SERIAL, DETAIL" : "");
    for (unsigned i = 0; ui->host != NULL && i < ui->host->chip_count; i++) {
        const struct chip *chip = &ui->scope.chips[i];
        const struct ecc *ecc = &chip->ecc;
        char text[64];
        sheet_line(sheet, 0);
        snprintf(text, sizeof text, "%u", chip->index);
        sheet_cell_right(sheet, 4, ROLE_TEXT, text);
        sheet_space(sheet, 1);
        sheet_cell(sheet, 11,
                   chip->health == HEALTH_UNHEALTHY ? ROLE_CRITICAL
                   : chip->health == HEALTH_HEALTHY ? ROLE_GOOD
                                                    : ROLE_UNKNOWN,
                   chip->health == HEALTH_UNKNOWN ? "-" : health_word(chip->health));
        f64_cell(sheet, 7, chip->power_percent, unit_percent);
        count_cell(sheet, 10, ecc->mem_corrected, false);
        count_cell(sheet, 10, ecc->mem_uncorrected, true);
        count_cell(sheet, 10, ecc->mem_repairable, true);
        count_cell(sheet, 10, ecc->sram_corrected, false);
        count_cell(sheet, 10, ecc->sram_uncorrected, true);
        if (serials)
            sheet_textf(sheet, ROLE_DIM, "  %s", chip->serial != NULL ? chip->serial : "-");
        if (ecc->increased)
            sheet_text(sheet, ROLE_CRITICAL, "  uncorrected errors are growing");
        if (chip->health_detail != NULL)
            sheet_textf(sheet, ROLE_WARNING, "  %s", chip->health_detail);
    }
    sheet_line(sheet, 0);
    sheet_line(sheet, 0);
    sheet_wrap(sheet, 0, ROLE_DIM,
               "CORR corrected, UNC uncorrected, REP repairable; power in percent of the chip's "
               "maximum; l on a chip shows its serial number");
}
