// SPDX-License-Identifier: Apache-2.0
// The table of views, and the views that are a plain list of facts: findings, sources.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/units.h"
#include "ui/state.h"

static const struct view views[] = {
    {"main", "", "Main", "chips and processes", false, true, NULL, NULL, NULL},
    {"findings", "!", "Findings", "what is wrong or worth knowing, with evidence and remedy", false,
     true, view_findings, NULL, NULL},
    {"memory", "m", "Memory", "device and host memory by chip, core, model and category", true,
     true, view_memory, view_memory_fold, NULL},
    {"models", "o", "Models", "loaded models of each process", false, true, view_models, NULL,
     NULL},
    {"cores", "n", "Cores", "every logical core with its physical cores and owners", false, true,
     view_cores, NULL, NULL},
    {"latency", "y", "Latency", "executions, errors and latency of each process", false, true,
     view_latency, NULL, NULL},
    {"health", "e", "Health", "ECC, power and health of each chip", false, true, view_health, NULL,
     NULL},
    {"history", "g", "History", "graphs of the past minutes", false, true, NULL, NULL,
     view_history},
    {"sources", "i", "Sources", "where the facts come from, instance and hardware", false, true,
     view_sources, NULL, NULL},
    {"versions", "V", "Versions", "driver, runtimes, compilers, tools: their SDK, and what differs",
     false, true, view_versions, NULL, NULL},
    {"setup", "F2", "Setup", "theme, delay, columns; w saves them", true, true, view_setup,
     view_setup_change, NULL},
    {"keys", "F1", "Help", "keys and signs", false, true, view_help, NULL, NULL},
    {"detail", "l", "Detail", "all facts of one process or chip", false, false, view_detail, NULL,
     NULL},
    {NULL, NULL, NULL, NULL, false, false, NULL, NULL, NULL},
};

const struct view *view_table(void)
{
    return views;
}

const struct view *view_get(const char *name)
{
    for (const struct view *view = views; view->name != NULL; view++) {
        if (strcmp(view->name, name) == 0)
            return view;
    }
    return NULL;
}

void view_findings(struct ui *ui, struct sheet *sheet)
{
    static const enum role roles[] = {ROLE_INFO, ROLE_WARNING, ROLE_CRITICAL};

    if (ui->findings.count == 0) {
        sheet_line(sheet, 0);
        sheet_text(sheet, ROLE_GOOD, "  No findings: every check that could be made is fine.");
    }
    for (size_t i = 0; i < ui->findings.count; i++) {
        const struct finding *finding = &ui->findings.items[i];
        if (i > 0)
            sheet_line(sheet, 0);
        sheet_line(sheet, 0);
        sheet_textf(sheet, roles[finding->severity], "%s %s", severity_mark(finding->severity),
                    severity_word(finding->severity));
        sheet_to(sheet, 13);
        sheet_wrap(sheet, 13, ROLE_STRONG, finding->summary);
        sheet_line(sheet, 0);
        sheet_to(sheet, 4);
        sheet_textf(sheet, ROLE_DIM, "%s, %s", finding->id,
                    finding->subject != NULL ? finding->subject : "instance");
        for (unsigned line = 0; line < finding->evidence_count; line++) {
            sheet_line(sheet, 0);
            sheet_to(sheet, 4);
            sheet_wrap(sheet, 6, ROLE_TEXT, finding->evidence[line]);
        }
        if (finding->remedy == NULL)
            continue;
        sheet_line(sheet, 0);
        sheet_to(sheet, 4);
        sheet_text(sheet, ROLE_GOOD, ui->canvas.ascii ? "-> " : "\u2192 ");
        sheet_wrap(sheet, 7, ROLE_TEXT, finding->remedy);
    }
}

static const char *number_text(struct fact_u64 fact, char *text, size_t size)
{
    if (!known_u64(fact))
        return NULL;
    snprintf(text, size, "%" PRIu64, fact.value);
    return text;
}

static void write_sources(struct ui *ui, struct sheet *sheet)
{
    const struct host *host = ui->host;

    sheet_heading(sheet, "Sources");
    for (unsigned i = 0; i < host->source_count; i++) {
        const struct source_status *source = &host->sources[i];
        char age[UNIT_TEXT];
        const bool good = source->state == SOURCE_LIVE || source->state == SOURCE_ENDED;
        sheet_line(sheet, 0);
        sheet_space(sheet, 2);
        sheet_cell(sheet, 12, ROLE_TEXT, source->name);
        sheet_cell(sheet, 10,
                   good                             ? ROLE_GOOD
                   : source->state == SOURCE_ABSENT ? ROLE_DIM
                                                    : ROLE_WARNING,
                   source_state_word(source->state));
        sheet_cell_right(sheet, 8, ROLE_DIM, unit_duration(age, sizeof age, source->age_seconds));
        sheet_to(sheet, 34);
        sheet_wrap(sheet, 34, ROLE_TEXT, source->detail != NULL ? source->detail : "");
    }
    sheet_line(sheet, 0);
    sheet_space(sheet, 2);
    sheet_textf(sheet, host->reports_damaged > 0 ? ROLE_WARNING : ROLE_DIM,
                "reports read %" PRIu64 ", damaged %" PRIu64, host->reports_read,
                host->reports_damaged);
    if (host->input_trouble != NULL)
        sheet_fact(sheet, "last damage", host->input_trouble);
}

static void write_instance(struct ui *ui, struct sheet *sheet)
{
    const struct instance *instance = &ui->host->instance;

    sheet_heading(sheet, "Instance");
    sheet_fact(sheet, "type", instance->type);
    sheet_fact(sheet, "id", instance->id);
    sheet_fact(sheet, "name", instance->name);
    sheet_fact(sheet, "availability zone",
               instance->availability_zone != NULL ? instance->availability_zone
                                                   : instance->region);
    if (instance->ultraserver_id != NULL)
        sheet_fact(sheet, "UltraServer", instance->ultraserver_id);
    if (instance->error != NULL)
        sheet_fact(sheet, "error", instance->error);
}

static void write_hardware_facts(struct ui *ui, struct sheet *sheet)
{
    const struct hardware *hardware = &ui->host->hardware;
    char text[UNIT_TEXT];

    sheet_heading(sheet, "Hardware");
    sheet_fact(sheet, "chip", hardware->chip);
    sheet_fact(sheet, "NeuronCore", hardware->neuroncore);
    sheet_fact(sheet, "chips", number_text(hardware->chips, text, sizeof text));
    sheet_fact(sheet, "logical cores a chip",
               number_text(hardware->logical_cores_per_chip, text, sizeof text));
    sheet_fact(sheet, "physical cores a chip",
               number_text(hardware->physical_cores_per_chip, text, sizeof text));
    sheet_fact(sheet, hardware->lnc.from == FROM_TABLE ? "LNC (the chip's default)" : "LNC",
               number_text(hardware->lnc, text, sizeof text));
    sheet_fact(sheet, "NC numbering", numbering_word(ui->host->numbering));
    sheet_fact(sheet, "memory of a chip",
               unit_bytes(text, sizeof text, hardware->device_memory_bytes_per_chip));
    if (hardware->generation != NULL && hardware->generation->memory_bandwidth != NULL)
        sheet_fact(sheet, "memory bandwidth", hardware->generation->memory_bandwidth);
    if (hardware->error != NULL)
        sheet_fact(sheet, "error", hardware->error);
}

static void write_machine(struct ui *ui, struct sheet *sheet)
{
    const struct machine *machine = &ui->host->machine;
    char text[2 * UNIT_TEXT], user[UNIT_TEXT], system[UNIT_TEXT];

    sheet_heading(sheet, "Host");
    sheet_fact(sheet, "CPUs", number_text(machine->cpus, text, sizeof text));
    snprintf(text, sizeof text, "%s user, %s system",
             unit_percent(user, sizeof user, machine->cpu_user_percent),
             unit_percent(system, sizeof system, machine->cpu_system_percent));
    sheet_fact(sheet, "CPU", text);
    sheet_fact(
        sheet, "memory",
        unit_bytes_of(text, sizeof text, machine->memory_used_bytes, machine->memory_total_bytes));
    sheet_fact(
        sheet, "swap",
        unit_bytes_of(text, sizeof text, machine->swap_used_bytes, machine->swap_total_bytes));
    if (machine->cpu_error != NULL)
        sheet_fact(sheet, "CPU error", machine->cpu_error);
    if (machine->memory_error != NULL)
        sheet_fact(sheet, "memory error", machine->memory_error);
}

void view_sources(struct ui *ui, struct sheet *sheet)
{
    if (ui->host == NULL)
        return;
    write_sources(ui, sheet);
    write_instance(ui, sheet);
    write_hardware_facts(ui, sheet);
    write_machine(ui, sheet);
}
