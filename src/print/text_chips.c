// SPDX-License-Identifier: Apache-2.0
// Chips with their cores, and their health, in the text snapshot.
#include <string.h>

#include "base/arena.h"
#include "host/units.h"
#include "print/text_parts.h"

// PIDs of a core's owners.
static void pids_text(struct list *list, const struct host *host, const struct core *core)
{
    for (unsigned i = 0; i < core->owner_count; i++) {
        const struct process *process = &host->processes[core->owners[i]];
        char label[64];
        if (known_u64(process->pid))
            list_add(list, "%llu", (unsigned long long)process->pid.value);
        else
            list_add(list, "%s", process_label(process, label, sizeof(label)));
    }
    if (core->hidden_owners > 0 && host->chips[core->chip].held_unseen)
        list_add(list, "not visible");
    else if (core->hidden_owners > core->unselected)
        list_add(list, core->owner_count > 0 ? "%u more" : "%u not named",
                 core->hidden_owners - core->unselected);
    if (core->unselected > 0)
        list_add(list, "%u not selected", core->unselected);
    if (core->owner_count == 0 && core->pod != NULL)
        list_add(list, "pod %s", core->pod);
    if (list->length == 0 && core->owners_known && core_state(core) == CORE_BUSY)
        list_add(list, "not named");
}

enum { NAMES_MOST = 12 };

// What to call the owners of a chip: "vllm-llama-70b, torchrun x4": a job is one. COUNTS: a scratch
// number for each job, all 0 before and after.
static void names_text(struct list *list, const struct host *host, const struct jobs *jobs,
                       unsigned *counts, const struct chip *chip)
{
    unsigned named = 0, more = 0;
    for (unsigned i = 0; i < chip->owner_count; i++)
        counts[jobs->of[chip->owners[i]]]++;
    for (unsigned i = 0; i < chip->owner_count; i++) {
        unsigned *count = &counts[jobs->of[chip->owners[i]]];
        const struct job *job = &jobs->items[jobs->of[chip->owners[i]]];
        char label[PROCESS_LABEL];
        if (*count > 0 && named == NAMES_MOST)
            more++;
        else if (*count > 1)
            list_add(list, "%.64s x%u", job->name != NULL ? job->name : "workers", *count);
        else if (*count == 1)
            list_add(list, "%s",
                     process_label(&host->processes[chip->owners[i]], label, sizeof(label)));
        named += *count > 0 && named < NAMES_MOST;
        *count = 0;
    }
    if (more > 0)
        list_add(list, "and %u more", more);
    if (chip->held_unseen)
        list_add(list, "someone not visible from here");
}

enum { AT_NC = 5, AT_OWNERS = 62 };

static void heading_row(struct page *page, const struct host *host)
{
    page_style(page, STYLE_DIM);
    page_left(page, AT_NC, "CHIP");
    page_left(page, 6, host->numbering == NUMBERING_PHYSICAL ? "CORE" : "NC");
    page_left(page, 8, "STATE");
    page_right(page, 6, "UTIL%");
    page_right(page, 12, "PHYSICAL");
    page_right(page, 9, "FLOPS");
    page_right(page, 15, host_memory_word(host));
    page_put(page, " OWNER");
    page_style(page, STYLE_PLAIN);
    page_newline(page);
}

// Owners at the end of the row; no blanks hang there when there are none.
static void last_column(struct page *page, const char *text)
{
    if (*text != '\0')
        page_to(page, AT_OWNERS);
    page_wrap(page, AT_OWNERS, text);
}

static void chip_number(struct page *page, const struct chip *chip)
{
    char text[FACT_TEXT];
    snprintf(text, sizeof(text), "%u", chip->index);
    page_right(page, AT_NC - 1, text);
}

static void chip_row(struct page *page, const struct host *host, const struct jobs *jobs,
                     unsigned *counts, const struct chip *chip)
{
    char text[FACT_TEXT];
    struct list owners = {0};
    page_style(page, STYLE_BOLD);
    chip_number(page, chip);
    page_to(page, AT_NC + 14);
    page_right(page, 6, text_percent1(page, text, chip->utilization_percent));
    page_to(page, page->column + 21);
    page_right(page, 15,
               text_bytes_of(page, text, chip->memory_used_bytes, chip->memory_total_bytes));
    page_style(page, STYLE_PLAIN);
    names_text(&owners, host, jobs, counts, chip);
    last_column(page, owners.text);
}

static const char *physical_text(struct page *page, char *buffer, size_t size,
                                 const struct core *core)
{
    struct list list = {.separator = " "};
    char text[FACT_TEXT];
    for (unsigned i = 0; i < core->physical_count; i++)
        list_add(&list, "%s", text_percent1(page, text, core->physical[i].utilization_percent));
    snprintf(buffer, size, "%s", list.text);
    return buffer;
}

static void core_row(struct page *page, const struct host *host, const struct core *core)
{
    static const enum style styles[] = {[CORE_UNKNOWN] = STYLE_PLAIN,
                                        [CORE_FREE] = STYLE_CYAN,
                                        [CORE_HELD] = STYLE_YELLOW,
                                        [CORE_BUSY] = STYLE_GREEN};
    char text[FACT_TEXT], wide[LIST_TEXT];
    struct list owners = {0};
    enum core_state state = core_state(core);
    page_to(page, AT_NC);
    snprintf(text, sizeof(text), "%u", core->index);
    page_left(page, 6, text);
    page_style(page, styles[state]);
    page_left(page, 8, core_state_word(state));
    page_style(page, STYLE_PLAIN);
    page_right(page, 6, text_percent1(page, text, core->utilization_percent));
    page_right(page, 12, physical_text(page, wide, sizeof(wide), core));
    page_right(page, 9, text_flops(page, text, core->flops_per_second));
    page_right(page, 15,
               text_bytes_of(page, text, core->memory_used_bytes, core->memory_limit_bytes));
    pids_text(&owners, host, core);
    last_column(page, owners.length > 0 || core->owners_known ? owners.text : "-");
}

static bool health_known(const struct chip *chip)
{
    const struct ecc *ecc = &chip->ecc;
    return chip->health != HEALTH_UNKNOWN || known_f64(chip->power_percent) ||
           known_u64(ecc->mem_corrected) || known_u64(ecc->mem_uncorrected) ||
           known_u64(ecc->mem_repairable) || known_u64(ecc->sram_corrected) ||
           known_u64(ecc->sram_uncorrected);
}

static void health_row(struct page *page, const struct chip *chip)
{
    const struct fact_u64 counts[] = {chip->ecc.mem_corrected, chip->ecc.mem_uncorrected,
                                      chip->ecc.mem_repairable, chip->ecc.sram_corrected,
                                      chip->ecc.sram_uncorrected};
    char text[FACT_TEXT];
    chip_number(page, chip);
    page_right(page, 8, text_percent1(page, text, chip->power_percent));
    page_put(page, "  ");
    page_left(page, 10, health_word(chip->health));
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        page_right(page, 11, text_count(page, text, counts[i]));
    page_newline(page);
    if (chip->health_detail != NULL)
        page_field(page, AT_NC, "health:", chip->health_detail);
}

static bool place_known(const struct chip *chip)
{
    return chip->pci != NULL || chip->serial != NULL || chip->cpu_affinity != NULL ||
           chip->connected_known || known_u64(chip->numa_node) || chip->node != NULL;
}

static void place_row(struct page *page, const struct chip *chip)
{
    struct list connected = {.separator = ","};
    char text[FACT_TEXT];
    for (unsigned i = 0; i < chip->connected_count; i++)
        list_add(&connected, "%u", chip->connected[i]);
    chip_number(page, chip);
    page_put(page, " ");
    page_left(page, 13, chip->pci != NULL ? chip->pci : "-");
    page_left(page, 5, text_count(page, text, chip->numa_node));
    page_left(page, 17, chip->serial != NULL ? chip->serial : "-");
    page_left(page, 13,
              !chip->connected_known ? "-"
              : connected.length > 0 ? connected.text
                                     : "none");
    page_put(page, " ");
    page_wrap(page, page->column, chip->cpu_affinity != NULL ? chip->cpu_affinity : "-");
    if (chip->node == NULL)
        return;
    char node[80];
    snprintf(node, sizeof(node), "/dev/%.64s", chip->node);
    page_field(page, AT_NC, "node here:", node);
}

// A table of the chips for which KNOWN says that there is something to show; left out when there is
// none.
static void chip_table(struct page *page, const struct host *host, const char *title,
                       const char *columns, bool (*known)(const struct chip *chip),
                       void (*row)(struct page *page, const struct chip *chip))
{
    bool any = false;
    for (unsigned i = 0; i < host->chip_count; i++)
        any = any || known(&host->chips[i]);
    if (!any)
        return;
    page_heading(page, title);
    page_style(page, STYLE_DIM);
    page_put(page, columns);
    page_style(page, STYLE_PLAIN);
    page_newline(page);
    for (unsigned i = 0; i < host->chip_count; i++)
        row(page, &host->chips[i]);
}

// Memory of a core is stated with its boundary: own bank, or a bank that it shares.
static void memory_note(struct page *page, const struct host *host)
{
    unsigned shared_by = host->core_count > 0 ? host->cores[0].memory_shared_by : 0;
    char text[128];
    if (shared_by < 2)
        return;
    snprintf(text, sizeof(text), "%s of a core: what it uses of the memory that %u %s cores share",
             host_memory_word(host), shared_by,
             host->numbering == NUMBERING_PHYSICAL ? "physical" : "logical");
    page_wrap(page, 0, text);
}

void text_chips(struct page *page, const struct host *host)
{
    page_heading(page, host->chip_count == 0                   ? "CHIPS: none seen"
                       : host->numbering == NUMBERING_PHYSICAL ? "CHIPS AND THEIR PHYSICAL CORES"
                                                               : "CHIPS AND THEIR LOGICAL CORES");
    if (host->chip_count == 0)
        return;
    const struct jobs jobs = jobs_of(host);
    unsigned *counts = ARENA_ARRAY(host->arena, jobs.count, unsigned);
    memory_note(page, host);
    heading_row(page, host);
    for (unsigned c = 0; c < host->chip_count; c++) {
        const struct chip *chip = &host->chips[c];
        chip_row(page, host, &jobs, counts, chip);
        for (unsigned i = 0; i < chip->core_count; i++)
            core_row(page, host, &host->cores[chip->core_first + i]);
    }
}

void text_health(struct page *page, const struct host *host)
{
    chip_table(page, host, "HEALTH: memory errors corrected, uncorrected, repairable by reload",
               "CHIP  POWER%  HEALTH      MEM.CORR    MEM.UNC  MEM.REPAIR  SRAM.CORR   SRAM.UNC",
               health_known, health_row);
    chip_table(page, host, "PLACES",
               "CHIP PCI          NUMA SERIAL           CONNECTED     CPU AFFINITY", place_known,
               place_row);
}
