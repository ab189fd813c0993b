// SPDX-License-Identifier: Apache-2.0
// The text snapshot: what the screen shows, complete and without a screen, for a ticket or a chat.
#include <string.h>
#include <time.h>

#include "host/units.h"
#include "print/text_parts.h"

static void clock_text(char *buffer, size_t size, double unix_seconds)
{
    time_t seconds = (time_t)unix_seconds;
    struct tm parts;
    snprintf(buffer, size, "-");
    if (unix_seconds > 0 && unix_seconds < 253402300800.0 && gmtime_r(&seconds, &parts) != NULL)
        strftime(buffer, size, "%Y-%m-%d %H:%M:%S UTC", &parts);
}

// The reports of a recording bear no date (neuron-monitor reference): the clock is the reader's.
static bool is_recording(const struct host *host)
{
    return host->source_count > 0 && strcmp(host->sources[0].name, "recording") == 0;
}

void text_title(struct page *page, const struct host *host)
{
    const struct instance *instance = &host->instance;
    struct list line = {.separator = "  "};
    char clock[40];
    list_add(&line, "neutop " PACKAGE_VERSION);
    if (host->demo)
        list_add(&line, "DEMO (invented, not this host)");
    list_add(&line, "%s", instance->type != NULL ? instance->type : "instance type -");
    list_add(&line, "%s", instance->id != NULL ? instance->id : "id -");
    if (instance->availability_zone != NULL || instance->region != NULL)
        list_add(&line, "%s",
                 instance->availability_zone != NULL ? instance->availability_zone
                                                     : instance->region);
    if (instance->name != NULL)
        list_add(&line, "name %s", instance->name);
    if (instance->ultraserver_id != NULL)
        list_add(&line, "UltraServer %s", instance->ultraserver_id);
    page_style(page, STYLE_BOLD);
    page_wrap(page, 2, line.text);
    page_style(page, STYLE_PLAIN);
    clock_text(clock, sizeof(clock), host->time_unix_seconds);
    if (is_recording(host))
        page_printf(page, "%srecording, read at %s; it bears no date",
                    host->finished ? "end of the " : "", clock);
    else
        page_printf(page, "%s%s", clock,
                    host->finished ? "  end of the input: this is its last report" : "");
    page_newline(page);
}

static const char *text_numbering(enum numbering numbering)
{
    switch (numbering) {
    case NUMBERING_LOGICAL:
        return "logical (as NEURON_RT_VISIBLE_CORES counts)";
    case NUMBERING_PHYSICAL:
        return "physical (as the driver counts)";
    case NUMBERING_MONITOR:
        return "monitor (as neuron-monitor counts; NEURON_RT_VISIBLE_CORES may count otherwise)";
    default:
        return "unknown";
    }
}

const char *text_core_index(char *buffer, size_t size, const struct host *host,
                            enum numbering numbering)
{
    bool other = numbering == NUMBERING_MONITOR || numbering == NUMBERING_PHYSICAL;
    if (!other || core_map_order(host) != CORE_ORDER_SAME)
        return text_numbering(numbering);
    snprintf(buffer, size, "%s (NEURON_RT_VISIBLE_CORES counts the same)",
             numbering_word(numbering));
    return buffer;
}

// A chip count with the word in the right number: "1 chip", "16 chips", "- chips".
static void counted(struct list *list, struct fact_u64 count, const char *one, const char *many)
{
    char text[UNIT_TEXT];
    list_add(list, "%s %s", unit_count(text, sizeof(text), count),
             known_u64(count) && count.value == 1 ? one : many);
}

static struct fact_u64 product(struct fact_u64 a, struct fact_u64 b)
{
    if (!known_u64(a) || !known_u64(b) || (b.value != 0 && a.value > UINT64_MAX / b.value))
        return (struct fact_u64){0};
    return fact_u64(a.value * b.value, FROM_DERIVED);
}

void text_hardware(struct page *page, const struct host *host)
{
    const struct hardware *hardware = &host->hardware;
    struct list line = {0};
    char text[UNIT_TEXT], more[UNIT_TEXT];
    if (hardware->chip == NULL && host->presence.pci_chip != NULL) { // no driver tells of them
        list_add(&line, "%s %s on the PCI bus",
                 unit_count(text, sizeof(text), host->presence.pci_functions),
                 host->presence.pci_chip);
    } else {
        counted(&line, hardware->chips, "chip", "chips");
        list_add(&line, "%s", hardware->chip != NULL ? hardware->chip : "chip type -");
    }
    if (hardware->neuroncore != NULL)
        list_add(&line, "NeuronCore-%s", hardware->neuroncore);
    list_add(
        &line, "%s physical / %s logical cores",
        unit_count(text, sizeof(text), product(hardware->chips, hardware->physical_cores_per_chip)),
        unit_count(more, sizeof(more), product(hardware->chips, hardware->logical_cores_per_chip)));
    if (known_u64(hardware->lnc))
        list_add(&line, "LNC %s%s", unit_count(text, sizeof(text), hardware->lnc),
                 hardware->lnc.from == FROM_TABLE ? " (the chip's default)" : "");
    if (known_u64(hardware->device_memory_bytes_per_chip))
        list_add(&line, "%s %s a chip",
                 unit_bytes(text, sizeof(text), hardware->device_memory_bytes_per_chip),
                 host_memory_word(host));
    page_field(page, 0, "hardware ", line.text);
    char numbering[96];
    page_field(page, 0, "core index",
               text_core_index(numbering, sizeof(numbering), host, host->numbering));
}

// "mean", and of how many cores where not all of them have a number.
static const char *mean_text(char *buffer, size_t size, const struct host *host)
{
    unsigned told = 0;
    for (unsigned i = 0; i < host->core_count; i++)
        told += known_f64(host->cores[i].utilization_percent);
    if (told == 0 || told == host->core_count)
        snprintf(buffer, size, "mean");
    else
        snprintf(buffer, size, "mean of %u of %u cores", told, host->core_count);
    return buffer;
}

static void totals(struct page *page, const struct host *host)
{
    char util[FACT_TEXT], memory[FACT_TEXT], flops[FACT_TEXT], user[FACT_TEXT], system[FACT_TEXT],
        swap[FACT_TEXT];
    const struct machine *machine = &host->machine;
    char line[LIST_TEXT], mean[64];
    snprintf(line, sizeof(line), "NC %s (%s), %s %s, FLOPS %s",
             text_percent(page, util, host_utilization(host)), mean_text(mean, sizeof(mean), host),
             host_memory_word(host),
             text_bytes_of(page, memory, host_memory_used(host), host_memory_total(host)),
             text_flops(page, flops, host_flops(host)));
    page_field(page, 0, "instance ", line);
    snprintf(line, sizeof(line), "CPU %s user, %s system of %s CPUs, memory %s, swap %s",
             text_percent(page, user, machine->cpu_user_percent),
             text_percent(page, system, machine->cpu_system_percent),
             text_count(page, flops, machine->cpus),
             text_bytes_of(page, memory, machine->memory_used_bytes, machine->memory_total_bytes),
             text_bytes_of(page, swap, machine->swap_used_bytes, machine->swap_total_bytes));
    page_field(page, 0, "host     ", line);
}

void text_sources(struct page *page, const struct host *host)
{
    char age[UNIT_TEXT], line[LIST_TEXT];
    for (unsigned i = 0; i < host->source_count; i++) {
        const struct source_status *source = &host->sources[i];
        snprintf(
            line, sizeof(line), "%s %s%s%s%s%s", source->name, source_state_word(source->state),
            known_f64(source->age_seconds) ? ", newest facts " : "",
            known_f64(source->age_seconds) ? unit_duration(age, sizeof(age), source->age_seconds)
                                           : "",
            known_f64(source->age_seconds) ? " old" : "", source->detail != NULL ? ": " : "");
        size_t used = strlen(line);
        snprintf(line + used, sizeof(line) - used, "%s",
                 source->detail != NULL ? source->detail : "");
        page_field(page, 0, "source   ", line);
    }
    if (host->source_count == 0)
        page_field(page, 0, "source   ", NULL);
    if (host->reports_damaged > 0) {
        snprintf(line, sizeof(line), "%llu reports read, %llu damaged and skipped%s%s",
                 (unsigned long long)host->reports_read, (unsigned long long)host->reports_damaged,
                 host->input_trouble != NULL ? "; last: " : "",
                 host->input_trouble != NULL ? host->input_trouble : "");
        page_field(page, 0, "input    ", line);
    }
}

// What --pid left: cores and chips of others stay on the page, their findings do not.
void text_selection(struct page *page, const struct host *host)
{
    struct list missing = {0};
    if (host->missing == NULL)
        return;
    for (unsigned i = 0; i < host->missing_count; i++)
        list_add(&missing, "%llu", (unsigned long long)host->missing[i]);
    char line[LIST_TEXT + 128];
    snprintf(line, sizeof(line),
             "%u process%s, and findings of %s and the chips held; all else is shown as held by "
             "others (not selected)%s%s",
             host->process_count, host->process_count == 1 ? "" : "es",
             host->process_count == 1 ? "it" : "them",
             missing.length > 0 ? "; no such process: PID " : "", missing.text);
    page_field(page, 0, "selected ", line);
}

void text_finding(struct page *page, const struct finding *finding)
{
    static const enum style styles[] = {STYLE_CYAN, STYLE_YELLOW, STYLE_RED};
    page_style(page, styles[finding->severity]);
    page_printf(page, "%s %s", severity_mark(finding->severity), severity_word(finding->severity));
    page_style(page, STYLE_PLAIN);
    page_printf(page, "  %s", finding->id);
    page_newline(page);
    page_to(page, 3);
    page_wrap(page, 3, finding->summary);
    for (unsigned i = 0; i < finding->evidence_count; i++)
        page_field(page, 3, "-", finding->evidence[i]);
    page_field(page, 3, "remedy:", finding->remedy);
}

static void findings_section(struct page *page, const struct findings *findings)
{
    char text[UNIT_TEXT * 2];
    if (findings->count == 0) {
        page_heading(page, "FINDINGS: none");
        return;
    }
    snprintf(text, sizeof(text), "FINDINGS: %zu", findings->count);
    page_heading(page, text);
    for (size_t i = 0; i < findings->count; i++)
        text_finding(page, &findings->items[i]);
}

void print_text(FILE *out, const struct host *host, const struct findings *findings,
                const struct print_options *options)
{
    struct page page = {.out = out, .options = options};
    text_title(&page, host);
    if (!host->live_rates) {
        page_put(&page, "first report: rates come with the next one");
        page_newline(&page);
    }
    text_hardware(&page, host);
    totals(&page, host);
    text_versions(&page, host, false);
    text_sources(&page, host);
    text_selection(&page, host);
    findings_section(&page, findings);
    text_chips(&page, host);
    text_processes(&page, host);
    text_health(&page, host);
    if (page.shows_stale) {
        page_newline(&page);
        page_put(&page, "(in parentheses): stale, its source has gone quiet");
        page_newline(&page);
    }
}
