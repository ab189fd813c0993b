// SPDX-License-Identifier: Apache-2.0
// The text of `neutop explain`: one block for each error, the first cause first.
#include "print/explain.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "host/units.h"
#include "print/text_parts.h"

enum { BODY = 10, BAR = 30, PIDS_SHOWN = 8, PLACES_SHOWN = 12, JOBS_SHOWN = 8 };

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

// "  means   ..." with further lines below the text.
static void block_line(struct page *page, const char *label, const char *text)
{
    if (text[0] == '\0')
        return;
    page_to(page, 2);
    page_put(page, label);
    page_to(page, BODY);
    page_wrap(page, BODY, text);
}

static void block_lines(struct page *page, const char *label, const char *const *lines,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        block_line(page, i == 0 ? label : "", lines[i]);
}

static void list_places(struct list *list, const struct error_group *group)
{
    for (size_t i = 0; i < group->place_count && i < PLACES_SHOWN; i++)
        if (group->places[i].core >= 0)
            list_add(list, "chip %d NC %d", group->places[i].chip, group->places[i].core);
        else
            list_add(list, "chip %d", group->places[i].chip);
    if (group->place_count > PLACES_SHOWN)
        list_add(list, "%s%zu more", group->more_places ? "more than " : "",
                 group->place_count - PLACES_SHOWN);
}

static void list_pids(struct list *list, const struct error_group *group)
{
    char text[PIDS_SHOWN * 24] = "";
    size_t length = 0;
    for (size_t i = 0; i < group->pid_count && i < PIDS_SHOWN; i++)
        length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%" PRIu64,
                                   i > 0 ? ", " : "", group->pids[i]);
    if (group->pid_count > PIDS_SHOWN)
        list_add(list, "PID %s and %s%zu more", text, group->more_pids ? "more than " : "",
                 group->pid_count - PIDS_SHOWN);
    else if (group->pid_count > 0)
        list_add(list, "PID %s", text);
}

// "line 1, 3 times up to line 40; PID 12; 2024-12-11 17:43:58.780308"
static void seen(struct page *page, const struct error_group *group)
{
    struct list list = {.separator = "; "};
    if (group->count > 1)
        list_add(&list, "%" PRIu64 " times, line %" PRIu64 " to %" PRIu64, group->count,
                 group->first_line, group->last_line);
    else
        list_add(&list, "line %" PRIu64, group->first_line);
    if (group->parts_absorbed > 0)
        list_add(&list, "%" PRIu64 " more line%s of it", group->parts_absorbed,
                 plural(group->parts_absorbed));
    list_pids(&list, group);
    if (group->place_count > 1)
        list_places(&list, group);
    if (group->first_time[0] != '\0')
        list_add(&list, "%s", group->first_time);
    block_line(page, "seen", list.text);
}

static void table_row(struct page *page, const struct table_part *part, uint64_t whole)
{
    char text[UNIT_TEXT], bar[BAR + 1];
    double share = whole > 0 ? (double)part->bytes / (double)whole : 0;
    if (share > 1)
        share = 1;
    size_t marks = (size_t)(share * BAR + 0.5);
    memset(bar, '#', marks);
    bar[marks] = '\0';
    page_to(page, BODY);
    page_left(page, 20, part->name);
    page_right(page, 9, unit_bytes(text, sizeof(text), fact_u64(part->bytes, FROM_DERIVED)));
    snprintf(text, sizeof(text), "%.0f%%", share * 100);
    page_right(page, 6, text);
    page_put(page, marks > 0 ? "  " : "");
    page_put(page, bar);
    page_newline(page);
}

// The largest part that has not been shown: smaller than BELOW, or as large and behind PLACE.
static const struct table_part *next_part(const struct memory_table *table,
                                          const struct table_part *before)
{
    const struct table_part *best = NULL;
    for (size_t i = 0; i < table->count; i++) {
        const struct table_part *part = &table->parts[i];
        bool after = before == NULL || part->bytes < before->bytes ||
                     (part->bytes == before->bytes && part > before);
        if (after && (best == NULL || part->bytes > best->bytes))
            best = part;
    }
    return best;
}

static void memory_table(struct page *page, const struct memory_table *table)
{
    if (table == NULL || table->count == 0)
        return;
    uint64_t whole = table_sum(table);
    if (table->has_total && table->total.bytes > whole)
        whole = table->total.bytes;
    for (const struct table_part *part = NULL; (part = next_part(table, part)) != NULL;)
        table_row(page, part, whole);
}

// The number of an earlier block that says the same of meaning and remedy; 0: none.
static size_t told_before(const struct explanation *explanation, size_t index)
{
    const struct explained *item = &explanation->items[index];
    for (size_t i = 0; i < index; i++)
        if (explanation->items[i].group->message == item->group->message &&
            strcmp(explanation->items[i].meaning, item->meaning) == 0 &&
            strcmp(explanation->items[i].remedy, item->remedy) == 0)
            return i + 1;
    return 0;
}

static bool same_lines(const struct explained *a, const struct explained *b)
{
    if (a->now_count != b->now_count)
        return false;
    for (size_t i = 0; i < a->now_count; i++)
        if (strcmp(a->now[i], b->now[i]) != 0)
            return false;
    return true;
}

// What the host shows, unless an earlier block has shown the same.
static void host_lines(struct page *page, const struct explanation *explanation, size_t index)
{
    const struct explained *item = &explanation->items[index];
    char text[64];
    size_t before = 0;
    while (before < index && !same_lines(&explanation->items[before], item))
        before++;
    snprintf(text, sizeof(text), "as under %zu", before + 1);
    if (before < index && item->now_count > 1)
        block_line(page, "here", text);
    else
        block_lines(page, "here", item->now, item->now_count);
}

static void advice(struct page *page, const struct explanation *explanation, size_t index)
{
    const struct explained *item = &explanation->items[index];
    char text[64];
    size_t before = told_before(explanation, index);
    snprintf(text, sizeof(text), "as under %zu", before);
    block_line(page, "means", before > 0 ? text : item->meaning);
    host_lines(page, explanation, index);
    if (before == 0)
        block_line(page, "do", item->remedy);
}

static void block(struct page *page, const struct explanation *explanation, size_t index)
{
    const struct explained *item = &explanation->items[index];
    static const enum severity severities[] = {SEVERITY_CRITICAL, SEVERITY_WARNING,
                                               SEVERITY_WARNING, SEVERITY_INFO};
    static const enum style styles[] = {STYLE_RED, STYLE_YELLOW, STYLE_YELLOW, STYLE_CYAN};
    const struct error_group *group = item->group;
    page_newline(page);
    page_printf(page, "%zu. ", index + 1);
    page_style(page, styles[group->role]);
    page_printf(page, "%s ", severity_mark(severities[group->role]));
    page_style(page, STYLE_PLAIN);
    page_style(page, STYLE_BOLD);
    page_printf(page, "%s", group->message->id);
    page_style(page, STYLE_PLAIN);
    page_newline(page);
    page_to(page, 2);
    page_wrap(page, 4, item->summary);
    seen(page, group);
    block_lines(page, "says", item->said, item->said_count);
    memory_table(page, group->table);
    advice(page, explanation, index);
}

static void add_text(struct list *list, const char *what, const char *text)
{
    if (text[0] != '\0')
        list_add(list, "%s %s", what, text);
}

static void job_line(struct page *page, const struct log_job *job)
{
    struct list list = {.separator = ", "};
    char label[32];
    add_text(&list, "runtime", job->runtime);
    add_text(&list, "driver", job->driver);
    add_text(&list, "collectives", job->collectives);
    if (job->collectives_absent)
        list_add(&list, "no collectives loaded");
    add_text(&list, "firmware", job->firmware);
    if (job->has_chips)
        list_add(&list, "%" PRIu64 " chip%s of %" PRIu64 " cores%s%s", job->chips,
                 plural(job->chips), job->cores_per_chip, job->architecture[0] != '\0' ? ", " : "",
                 job->architecture);
    if (job->has_lnc && job->lnc > 0)
        list_add(&list, "LNC %" PRIu64, job->lnc);
    else if (job->has_lnc)
        list_add(&list, "LNC not set");
    add_text(&list, "visible cores", job->visible_cores);
    add_text(&list, "instance", job->instance);
    add_text(&list, "node", job->node);
    add_text(&list, "kernel", job->kernel);
    snprintf(label, sizeof(label), "PID %" PRIu64, job->pid);
    page_to(page, 2);
    page_printf(page, "%s: ", label);
    page_wrap(page, BODY, list.length > 0 ? list.text : "-");
}

static void jobs(struct page *page, const struct joblog *log)
{
    size_t count = joblog_job_count(log);
    if (count == 0)
        return;
    page_heading(page, "What the processes said of themselves");
    for (size_t i = 0; i < count && i < JOBS_SHOWN; i++)
        job_line(page, joblog_job(log, i));
    if (count > JOBS_SHOWN) {
        page_printf(page, "  and %zu more", count - JOBS_SHOWN);
        page_newline(page);
    }
}

static unsigned count_role(const struct explanation *explanation, bool remarks)
{
    unsigned count = 0;
    for (size_t i = 0; i < explanation->count; i++)
        count += (explanation->items[i].group->role == ROLE_REMARK) == remarks;
    return count;
}

static void head(struct page *page, const struct joblog *log, const struct explanation *explanation,
                 const struct explain_print *options)
{
    const struct joblog_input *input = joblog_input(log);
    unsigned errors = count_role(explanation, false), remarks = count_role(explanation, true);
    char text[CELL_TEXT];
    if (errors == 0)
        snprintf(text, sizeof(text), "%s: %" PRIu64 " line%s, no Neuron error recognised",
                 options->name, input->lines, plural(input->lines));
    else
        snprintf(text, sizeof(text), "%s: %" PRIu64 " line%s, %u kind%s of Neuron error",
                 options->name, input->lines, plural(input->lines), errors, plural(errors));
    if (remarks > 0) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof(text) - length, ", %u remark%s", remarks, plural(remarks));
    }
    page_wrap(page, 2, text);
}

// Which host the "here" lines are about, or why there are none.
static void about_host(struct page *page, const struct explanation *explanation,
                       const struct explain_host *host, const struct explain_print *options)
{
    if (options->offline)
        page_wrap(page, 2, "This host was not looked at (--offline).");
    else if (host->host != NULL && host->host->demo)
        page_wrap(page, 2, "\"here\" is the demo: invented, not this host.");
    else if (host->host != NULL && host->absence == NULL)
        page_wrap(page, 2, "\"here\" is the recording given with -i, not this host now.");
    else if (host->host != NULL && host->host->chip_count == 0 && host->host->process_count == 0)
        page_wrap(page, 2,
                  "No Neuron facts on this host: who holds what cannot be told from here.");
    if (explanation->elsewhere[0] != '\0') {
        page_put(page, "Note: ");
        page_wrap(page, 6, explanation->elsewhere);
    }
}

static void unknown(struct page *page, const struct joblog_input *input)
{
    char text[CELL_TEXT];
    if (input->unknown > 0) {
        page_newline(page);
        snprintf(text, sizeof(text),
                 "%" PRIu64 " error line%s of the runtime not known to neutop; the first, line "
                 "%" PRIu64 ": %s",
                 input->unknown, input->unknown == 1 ? " is" : "s are", input->unknown_line,
                 input->unknown_text);
        page_wrap(page, 2, text);
    }
    if (input->lost > 0) {
        snprintf(text, sizeof(text), "%" PRIu64 " more errors of too many kinds were not counted.",
                 input->lost);
        page_wrap(page, 2, text);
    }
}

void print_explain_text(FILE *out, const struct joblog *log, const struct explanation *explanation,
                        const struct explain_host *host, const struct explain_print *options)
{
    struct page page = {.out = out, .options = &options->print};
    head(&page, log, explanation, options);
    about_host(&page, explanation, host, options);
    for (size_t i = 0; i < explanation->count; i++)
        block(&page, explanation, i);
    jobs(&page, log);
    unknown(&page, joblog_input(log));
}
