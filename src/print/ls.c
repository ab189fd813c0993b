// SPDX-License-Identifier: Apache-2.0
// The text of `neutop ls`: header lines with neuron-ls's own names, then a table of the chips with
// the processes on each.
#include "print/ls.h"

#include <string.h>

#include "host/descriptor.h"
#include "host/units.h"
#include "print/ls_parts.h"
#include "print/text_parts.h"

enum { PROCESS_INDENT = 5, COMMAND_LEAST = 24 };

static void header_line(struct page *page, const char *name, const char *value)
{
    if (value == NULL)
        return;
    page_printf(page, "%s: ", name);
    page_wrap(page, page->column, value);
}

// The driver on disk is named only when it is another one: it comes with the next load.
static const char *driver_text(char *buffer, size_t size, const struct versions *versions)
{
    bool other = versions->driver != NULL && versions->driver_installed != NULL &&
                 strcmp(versions->driver, versions->driver_installed) != 0;
    if (versions->driver == NULL || !other)
        return versions->driver;
    snprintf(buffer, size, "%s (on disk: %s)", versions->driver, versions->driver_installed);
    return buffer;
}

// Chips without a choice of LNC have no such line in neuron-ls either.
static const char *lnc_text(char *buffer, size_t size, const struct hardware *hardware)
{
    bool choice = hardware->generation == NULL || hardware->generation->lnc_max > 1;
    if (!choice || !known_u64(hardware->lnc))
        return NULL;
    snprintf(buffer, size, "%llu%s", (unsigned long long)hardware->lnc.value,
             hardware->lnc.from == FROM_TABLE ? " (the chip's default)" : "");
    return buffer;
}

// How the indices below are counted.
static const char *numbering_text(char *buffer, size_t size, const struct host *host,
                                  const struct ls_options *options)
{
    enum numbering numbering = host->numbering;
    if (host->core_count == 0)
        return NULL;
    if (options->cores)
        numbering = descriptor_at(host, 0).numbering;
    return text_core_index(buffer, size, host, numbering);
}

static void header(struct page *page, const struct host *host, const struct ls_options *options)
{
    char driver[128], lnc[64], numbering[96];
    if (host->demo)
        header_line(page, "demo", "invented, not this host");
    header_line(page, "instance-type", host->instance.type);
    header_line(page, "instance-id", host->instance.id);
    header_line(page, "ultraserver-id", host->instance.ultraserver_id);
    header_line(page, "chip", host->hardware.chip);
    header_line(page, "driver-version", driver_text(driver, sizeof(driver), &host->versions));
    header_line(page, "runtime-version", host->versions.runtime_installed);
    header_line(page, "logical-neuroncore-config", lnc_text(lnc, sizeof(lnc), &host->hardware));
    header_line(page, "core-ids", numbering_text(numbering, sizeof(numbering), host, options));
}

enum chip_column {
    CHIP,
    CORES,
    CORE_IDS,
    NC,
    MEMORY,
    CONNECTED,
    PCI,
    AFFINITY,
    NUMA,
    CHIP_COLUMNS
};

static const struct grid_column chip_columns[CHIP_COLUMNS] = {
    [CHIP] = {.title = "CHIP"},
    [CORES] = {.title = "CORES"},
    [CORE_IDS] = {.title = "CORE IDS", .cap = 14},
    [NC] = {.title = "NC", .cap = 14},
    [MEMORY] = {.title = "MEMORY"},
    [CONNECTED] = {.title = "CONNECTED", .cap = 18},
    [PCI] = {.title = "PCI BDF", .cap = 14},
    [AFFINITY] = {.title = "CPU AFFINITY", .cap = 20},
    [NUMA] = {.title = "NUMA"},
};

static const char *connected_text(char *buffer, size_t size, const struct host *host,
                                  const struct chip *chip)
{
    size_t used = 0;
    if (!chip->connected_known || (chip->connected_count == 0 && host->chip_count == 1))
        return NULL;
    snprintf(buffer, size, "none");
    for (unsigned i = 0; i < chip->connected_count && used < size; i++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%u", i > 0 ? "," : "",
                                 chip->connected[i]);
    return buffer;
}

static struct core_set cores_of(const struct host *host, const struct chip *chip)
{
    struct core_set set;
    core_set_clear(&set);
    for (unsigned i = chip->core_first; i < chip->core_first + chip->core_count; i++)
        core_set_add(&set, host->cores[i].index);
    return set;
}

static const char *number_text(char *buffer, size_t size, struct fact_u64 number)
{
    return known_u64(number) ? unit_count(buffer, size, number) : NULL;
}

static void add_chip(struct grid *grid, const struct host *host, const struct chip *chip)
{
    char index[16], cores[16], ids[64], logical[64], memory[UNIT_TEXT], connected[96],
        numa[UNIT_TEXT];
    const char *cells[CHIP_COLUMNS] = {[CHIP] = index, [PCI] = chip->pci};
    snprintf(index, sizeof(index), "%u", chip->index);
    snprintf(cores, sizeof(cores), "%u", chip->core_count);
    cells[CORES] = chip->core_count > 0 ? cores : NULL;
    struct core_set set = cores_of(host, chip);
    cells[CORE_IDS] = core_set_empty(&set) ? NULL : core_set_format(&set, ids, sizeof(ids));
    cells[NC] = ls_logical_text(logical, sizeof(logical), host, chip, &set);
    if (known_u64(chip->memory_total_bytes))
        cells[MEMORY] = unit_bytes(memory, sizeof(memory), chip->memory_total_bytes);
    cells[CONNECTED] = connected_text(connected, sizeof(connected), host, chip);
    cells[AFFINITY] = chip->cpu_affinity;
    cells[NUMA] = number_text(numa, sizeof(numa), chip->numa_node);
    grid_add(grid, cells);
}

// In a container a device may have another name than on the host (field case F-24).
static void renamed(struct page *page, const struct host *host)
{
    for (unsigned i = 0; i < host->chip_count; i++) {
        if (host->chips[i].node == NULL)
            continue;
        page_printf(page, "chip %u is /dev/%s here", host->chips[i].index, host->chips[i].node);
        page_newline(page);
    }
    const struct core_set *others = &host->unmapped;
    char set[64];
    if (core_set_empty(others))
        return;
    page_printf(page, "on host, not mapped here: chip%s %s", core_set_count(others) == 1 ? "" : "s",
                core_set_format(others, set, sizeof(set)));
    page_newline(page);
}

static void bystanders(struct page *page, const struct host *host)
{
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        char text[256];
        if (!process->bystander)
            continue;
        snprintf(
            text, sizeof(text), "PID %llu %s has a device open only to ask or to reserve: %.128s",
            (unsigned long long)process->pid.value, process->user != NULL ? process->user : "-",
            process->command != NULL ? process->command : "-");
        page_put(page, text);
        page_newline(page);
    }
}

// What the table does not show.
static void notes(struct page *page, const struct host *host, const struct ls_options *options,
                  unsigned left_out)
{
    if (!host_owners_known(host)) {
        page_put(page, "which processes use these chips is not known: no source tells");
        page_newline(page);
    }
    if (left_out > 0) {
        page_printf(page, "%u %s without the Neuron runtime not shown: -a shows %s", left_out,
                    left_out == 1 ? "process" : "processes", left_out == 1 ? "it" : "them");
        page_newline(page);
    }
    renamed(page, host);
    if (options->all)
        bystanders(page, host);
    if (host->unseen_handles.value > 0) {
        page_printf(page, "open device handles of processes that cannot be seen from here: %llu",
                    (unsigned long long)host->unseen_handles.value);
        page_newline(page);
    }
}

static void table_rows(struct page *page, const struct host *host, const struct grid *chips,
                       const struct ls_processes *processes)
{
    bool any = processes->grid.rows > 0;
    grid_title(chips, page, 0);
    if (any)
        grid_title(&processes->grid, page, PROCESS_INDENT);
    for (unsigned i = 0; i < host->chip_count; i++) {
        page_style(page, any ? STYLE_BOLD : STYLE_PLAIN);
        grid_row(chips, page, 0, i);
        page_style(page, STYLE_PLAIN);
        for (unsigned row = processes->first[i]; row < processes->first[i + 1]; row++)
            grid_row(&processes->grid, page, PROCESS_INDENT, row);
    }
}

static void table(struct page *page, const struct host *host, const struct ls_options *options)
{
    struct grid chips;
    struct ls_processes processes;
    int total = options->wide ? options->columns : PAGE_COLUMNS;
    grid_init(&chips, chip_columns, CHIP_COLUMNS, 2);
    for (unsigned i = 0; i < host->chip_count; i++)
        add_chip(&chips, host, &host->chips[i]);
    grid_measure(&chips, options->wide, 0, 0, 0);
    ls_processes_init(&processes, host, options);
    grid_measure(&processes.grid, options->wide, PROCESS_INDENT, total,
                 options->wide ? 80 : COMMAND_LEAST);
    int chip_width = grid_width(&chips, 0);
    int process_width = grid_width(&processes.grid, PROCESS_INDENT);
    page->width = chip_width > process_width ? chip_width : process_width;
    page_newline(page);
    table_rows(page, host, &chips, &processes);
    page->width = 0;
    notes(page, host, options, processes.left_out);
    ls_processes_free(&processes);
    grid_free(&chips);
}

void print_ls_text(FILE *out, const struct host *host, const struct ls_options *options)
{
    struct page page = {.out = out, .options = &options->print};
    header(&page, host, options);
    if (options->cores)
        ls_cores(&page, host, options);
    else
        table(&page, host, options);
    if (options->topology)
        ls_topology(&page, host);
}
