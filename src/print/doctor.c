// SPDX-License-Identifier: Apache-2.0
// The report of `neutop doctor`, as text and as JSON.
#include "print/doctor.h"

#include <string.h>

#include "print/json_parts.h"
#include "print/text_parts.h"

// Whose word the findings about versions are.
static void table_line(struct page *page, const struct releases *releases)
{
    struct list line = {.separator = ", "};
    if (releases->row_count == 0)
        return;
    list_add(&line, "SDK %s to %s", releases->rows[releases->row_count - 1].sdk,
             releases->rows[0].sdk);
    if (releases->file == NULL)
        list_add(&line, "as this neutop knows them");
    else
        list_add(&line,
                 "from %s with %zu rule%s of versions; all other rules are those of this neutop",
                 releases->file, releases->rule_count, releases->rule_count == 1 ? "" : "s");
    page_field(page, 0, "releases ", line.text);
}

// Who runs RUNTIME: "PID 8412", "35 processes".
static void runtime_users(struct list *line, const struct host *host, const char *runtime)
{
    const struct process *first = NULL;
    unsigned count = 0;
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        if (process->state == PROCESS_GONE || process->runtime_version == NULL ||
            strcmp(process->runtime_version, runtime) != 0)
            continue;
        first = first != NULL ? first : process;
        count++;
    }
    if (count == 1 && known_u64(first->pid))
        list_add(line, "%s in PID %llu", runtime, (unsigned long long)first->pid.value);
    else
        list_add(line, "%s in %u process%s", runtime, count, count == 1 ? "" : "es");
}

// Which runtimes processes run, also where no finding names them.
static void runtimes_line(struct page *page, const struct host *host)
{
    struct list line = {.separator = ", "};
    enum { SHOWN = 8 };
    unsigned shown = 0;
    for (unsigned i = 0; i < host->process_count && shown < SHOWN; i++) {
        const char *runtime = host->processes[i].runtime_version;
        bool told = runtime == NULL || host->processes[i].state == PROCESS_GONE;
        for (unsigned j = 0; j < i && !told; j++)
            told = host->processes[j].state != PROCESS_GONE &&
                   host->processes[j].runtime_version != NULL &&
                   strcmp(host->processes[j].runtime_version, runtime) == 0;
        if (told)
            continue;
        runtime_users(&line, host, runtime);
        shown++;
    }
    if (shown > 0)
        page_field(page, 0, "runtimes ", line.text);
}

static void count_line(struct page *page, const struct doctor_report *report)
{
    unsigned counts[3] = {0}, ends[3] = {0};
    struct list line = {.separator = ", "};
    for (size_t i = 0; i < report->findings.count; i++)
        counts[report->findings.items[i].severity]++;
    for (size_t i = 0; i < report->outcomes.count; i++)
        ends[report->outcomes.items[i].result]++;
    for (int severity = SEVERITY_CRITICAL; severity >= SEVERITY_INFO; severity--)
        if (counts[severity] > 0)
            list_add(&line, "%u %s%s", counts[severity], severity_word((enum severity)severity),
                     severity == SEVERITY_WARNING && counts[severity] > 1 ? "s" : "");
    if (report->findings.count == 0)
        list_add(&line, "nothing found");
    list_add(&line, "%u of %zu checks fine", ends[CHECK_OK], report->outcomes.count);
    if (ends[CHECK_NOT_CHECKED] > 0)
        list_add(&line, "%u not made", ends[CHECK_NOT_CHECKED]);
    page_field(page, 0, "result   ", line.text);
}

static void fine_section(struct page *page, const struct check_outcomes *outcomes)
{
    struct list names = {.separator = ", "};
    for (size_t i = 0; i < outcomes->count; i++)
        if (outcomes->items[i].result == CHECK_OK)
            list_add(&names, "%s", outcomes->items[i].id);
    if (names.length == 0)
        return;
    page_heading(page, "CHECKED AND FINE");
    page_to(page, 3);
    page_wrap(page, 3, names.text);
    for (size_t i = 0; i < outcomes->count; i++) {
        const struct check_outcome *outcome = &outcomes->items[i];
        struct list line = {.separator = ": "};
        if (outcome->result != CHECK_OK || outcome->why == NULL)
            continue;
        list_add(&line, "%s", outcome->id);
        list_add(&line, "%s", outcome->why);
        page_to(page, 3);
        page_wrap(page, 6, line.text);
    }
}

static bool told_before(const struct check_outcomes *outcomes, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (outcomes->items[i].result == CHECK_NOT_CHECKED &&
            strcmp(outcomes->items[i].why, outcomes->items[index].why) == 0)
            return true;
    return false;
}

// The same reason once, with all that it keeps from being checked.
static void open_section(struct page *page, const struct check_outcomes *outcomes)
{
    bool any = false;
    for (size_t i = 0; i < outcomes->count; i++) {
        const struct check_outcome *outcome = &outcomes->items[i];
        struct list names = {.separator = ", "};
        if (outcome->result != CHECK_NOT_CHECKED || told_before(outcomes, i))
            continue;
        for (size_t j = i; j < outcomes->count; j++)
            if (outcomes->items[j].result == CHECK_NOT_CHECKED &&
                strcmp(outcomes->items[j].why, outcome->why) == 0)
                list_add(&names, "%s", outcomes->items[j].id);
        if (!any)
            page_heading(page, "NOT CHECKED");
        any = true;
        page_to(page, 3);
        page_wrap(page, 3, names.text);
        page_to(page, 6);
        page_wrap(page, 6, outcome->why);
    }
}

void print_doctor_text(FILE *out, const struct doctor_report *report,
                       const struct print_options *options)
{
    struct page page = {.out = out, .options = options};
    const struct host *host = report->host;
    text_title(&page, host);
    text_hardware(&page, host);
    text_versions(&page, host, true);
    runtimes_line(&page, host);
    for (unsigned i = 0; i < report->file_count; i++)
        page_field(&page, 0, "file     ", report->files[i]);
    text_sources(&page, host);
    if (host->machine.kernel != NULL)
        page_field(&page, 0, "kernel   ", host->machine.kernel);
    table_line(&page, host->releases);
    text_selection(&page, host);
    count_line(&page, report);
    for (size_t i = 0; i < report->findings.count; i++) {
        page_newline(&page);
        text_finding(&page, &report->findings.items[i]);
    }
    fine_section(&page, &report->outcomes);
    open_section(&page, &report->outcomes);
}

void print_doctor_json(FILE *out, const struct doctor_report *report)
{
    struct emit emit = {0};
    struct json_writer *writer = &emit.writer;
    json_writer_init(writer);
    json_begin_object(writer, NULL);
    json_put_string(writer, "schema", "neutop.doctor/1");
    json_begin_array(writer, "checks");
    for (size_t i = 0; i < report->outcomes.count; i++) {
        const struct check_outcome *outcome = &report->outcomes.items[i];
        json_begin_object(writer, NULL);
        json_put_string(writer, "id", outcome->id);
        json_put_string(writer, "result", check_result_word(outcome->result));
        json_put_string(writer, "why", outcome->why);
        json_end_object(writer);
    }
    json_end_array(writer);
    emit_findings(&emit, &report->findings);
    json_end_object(writer);
    json_writer_flush(writer, out);
    json_writer_free(writer);
}
