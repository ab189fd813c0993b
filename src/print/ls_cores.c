// SPDX-License-Identifier: Apache-2.0
// The descriptors of the cores (`neutop ls --cores`). What is the same for all cores, which on one
// instance is nearly everything, is said once above the table; with -w each row is complete.
#include <string.h>

#include "host/descriptor.h"
#include "host/units.h"
#include "print/ls_parts.h"
#include "print/text_parts.h"

static void capabilities_list(struct list *list, unsigned capabilities)
{
    for (unsigned bit = 0; bit < CAPABILITY_COUNT; bit++)
        if ((capabilities & 1u << bit) != 0)
            list_add(list, "%s", capability_word((enum capability)(1u << bit)));
}

static const char *unit_word(const struct peak *peak)
{
    return peak->integer ? "TOPS" : "TFLOPS";
}

static const char *flops_text(char *buffer, size_t size, double value)
{
    if (value <= 0)
        return NULL;
    snprintf(buffer, size, "%g", value);
    return buffer;
}

static void peaks_table(struct page *page, const struct core_descriptor *of)
{
    static const struct grid_column columns[] = {{.title = "DATA TYPE"},
                                                 {.title = "UNIT"},
                                                 {.title = "LOGICAL CORE", .right = true},
                                                 {.title = "PHYSICAL CORE", .right = true},
                                                 {.title = "CHIP", .right = true},
                                                 {.title = "FIGURE"}};
    struct grid grid;
    grid_init(&grid, columns, 6, 2);
    for (unsigned i = 0; i < of->peak_count; i++) {
        const struct peak *peak = &of->peaks[i];
        char logical[24], physical[24], chip[24], figure[24];
        snprintf(figure, sizeof(figure), "%s figure", peak_figure(peak));
        const char *cells[] = {peak->data_type,
                               unit_word(peak),
                               flops_text(logical, sizeof(logical), peak->logical_core),
                               flops_text(physical, sizeof(physical), peak->physical_core),
                               flops_text(chip, sizeof(chip), peak->chip),
                               figure};
        grid_add(&grid, cells);
    }
    grid_measure(&grid, false, 2, 0, 0);
    grid_title(&grid, page, 2);
    for (unsigned row = 0; row < grid.rows; row++)
        grid_row(&grid, page, 2, row);
    grid_free(&grid);
}

static void what_it_is(struct list *list, const struct host *host, const struct core_descriptor *of)
{
    list_add(list, "%s", of->architecture[0] != '\0' ? of->architecture : "-");
    if (host->hardware.chip != NULL)
        list_add(list, "%s", host->hardware.chip);
    if (!of->is_logical)
        list_add(list, "physical cores: the LNC is not known here");
    else if (of->width > 1)
        list_add(list, "a logical core is %u physical cores", of->width);
    else if (of->width == 1)
        list_add(list, "a logical core is one physical core");
}

static void common_part(struct page *page, const struct host *host,
                        const struct core_descriptor *of)
{
    struct list is = {0}, can = {.separator = " "};
    what_it_is(&is, host, of);
    capabilities_list(&can, of->capabilities);
    page_field(page, 0, "each core:   ", is.text);
    page_field(page, 0, "capabilities:", can.length > 0 ? can.text : NULL);
    if (of->peak_count == 0)
        return;
    page_field(
        page, 0, "peaks:       ",
        "core figure: the vendor's for one physical core, taken as often as the core has them; "
        "chip figure: the vendor gives none for a core");
    peaks_table(page, of);
}

static const char *boundary_text(char *buffer, size_t size, const struct core_descriptor *of)
{
    char ids[48];
    if (of->boundary == NULL || of->shared_by == 0)
        return NULL;
    const char *kind = of->memory_kind, *boundary = of->boundary;
    if (of->shared_by == 1)
        snprintf(buffer, size, "%s %s of its own", kind, boundary);
    else
        snprintf(buffer, size, "%s of one %s, shared by %u: %s", kind, boundary, of->shared_by,
                 core_set_format(&of->sharers, ids, sizeof(ids)));
    return buffer;
}

static const char *peaks_text(struct list *list, const struct core_descriptor *of)
{
    for (unsigned i = 0; i < of->peak_count; i++) {
        const struct peak *peak = &of->peaks[i];
        bool core = peak->physical_core > 0;
        list_add(list, "%s %g %s (%s figure)", peak->data_type,
                 core ? peak->logical_core : peak->chip, unit_word(peak), peak_figure(peak));
    }
    return list->length > 0 ? list->text : NULL;
}

static const char *physical_text(struct list *list, const struct core_descriptor *of)
{
    for (unsigned i = 0; i < of->physical_count; i++)
        list_add(list, "%u", of->physical[i]);
    return list->length > 0 ? list->text : NULL;
}

enum column { ID, CHIP, PHYSICAL, ARCHITECTURE, MEMORY, BOUNDARY, CAPABILITIES, PEAKS, COLUMNS };

static void add_row(struct grid *grid, const struct core_descriptor *of, bool complete)
{
    char id[16], chip[16], memory[UNIT_TEXT], boundary[128];
    struct list physical = {.separator = ","}, can = {.separator = " "}, peaks = {0};
    const char *cells[COLUMNS] = {[ID] = id, [CHIP] = chip};
    snprintf(id, sizeof(id), "%u", of->index);
    snprintf(chip, sizeof(chip), "%u", of->chip);
    cells[PHYSICAL] = physical_text(&physical, of);
    cells[ARCHITECTURE] = of->architecture[0] != '\0' ? of->architecture : NULL;
    if (known_u64(of->memory_bytes))
        cells[MEMORY] = unit_bytes(memory, sizeof(memory), of->memory_bytes);
    cells[BOUNDARY] = boundary_text(boundary, sizeof(boundary), of);
    if (complete) {
        capabilities_list(&can, of->capabilities);
        cells[CAPABILITIES] = can.length > 0 ? can.text : NULL;
        cells[PEAKS] = peaks_text(&peaks, of);
    }
    grid_add(grid, cells);
}

static bool all_the_same(const struct host *host)
{
    struct core_descriptor first = descriptor_at(host, 0);
    for (unsigned i = 1; i < descriptor_count(host); i++) {
        struct core_descriptor other = descriptor_at(host, i);
        if (!descriptor_same_kind(&first, &other))
            return false;
    }
    return true;
}

void ls_cores(struct page *page, const struct host *host, const struct ls_options *options)
{
    static const struct grid_column columns[COLUMNS] = {
        [ID] = {.title = "CORE"},
        [CHIP] = {.title = "CHIP"},
        [PHYSICAL] = {.title = "PHYSICAL"},
        [ARCHITECTURE] = {.title = "ARCHITECTURE"},
        [MEMORY] = {.title = "MEMORY"},
        [BOUNDARY] = {.title = "BOUNDARY OF THE MEMORY"},
        [CAPABILITIES] = {.title = "CAPABILITIES"},
        [PEAKS] = {.title = "PEAKS"},
    };
    struct grid grid;
    if (host->core_count == 0)
        return;
    bool common = !options->wide && all_the_same(host);
    page_newline(page);
    if (common) {
        struct core_descriptor first = descriptor_at(host, 0);
        common_part(page, host, &first);
        page_newline(page);
    }
    grid_init(&grid, columns, COLUMNS, 2);
    for (unsigned i = 0; i < descriptor_count(host); i++) {
        struct core_descriptor of = descriptor_at(host, i);
        add_row(&grid, &of, !common);
    }
    grid_measure(&grid, true, 0, 0, 0);
    page->width = grid_width(&grid, 0);
    grid_title(&grid, page, 0);
    for (unsigned row = 0; row < grid.rows; row++)
        grid_row(&grid, page, 0, row);
    page->width = 0;
    grid_free(&grid);
}
