// SPDX-License-Identifier: Apache-2.0
// The text of `neutop cores`: one line a chip with the holder of each core, or what was asked.
#include "print/cores.h"

#include <string.h>

#include "base/arena.h"
#include "print/cores_parts.h"
#include "print/text_parts.h"

enum { PIDS_MOST = 64 };

// Cores that follow each other, of one state and with the same holders.
struct segment {
    const struct free_core *core; // the first
    struct core_set set;
};

static bool is_like(const struct free_core *a, const struct free_core *b)
{
    return a->state == b->state && a->unseen == b->unseen && a->certainty == b->certainty &&
           a->holder_count == b->holder_count &&
           (a->holder_count == 0 ||
            memcmp(a->holders, b->holders, a->holder_count * sizeof(*a->holders)) == 0);
}

// The segment that starts with the core at *AT among those in ONLY (NULL: all) of chip CHIP (-1:
// any); moves *AT behind it. False when there is no more.
static bool next_segment(const struct free_cores *cores, const struct core_set *only, int chip,
                         unsigned *at, struct segment *segment)
{
    *segment = (struct segment){.core = NULL};
    for (; *at < cores->count; ++*at) {
        const struct free_core *core = &cores->cores[*at];
        if ((only != NULL && !core_set_has(only, core->index)) ||
            (chip >= 0 && core->chip != (unsigned)chip))
            continue;
        if (segment->core == NULL)
            segment->core = core;
        else if (!is_like(segment->core, core))
            break;
        core_set_add(&segment->set, core->index);
    }
    return segment->core != NULL;
}

// "31207 train.py" or, where it has no PID, its name.
static void add_process(struct list *list, const struct process *process, bool named)
{
    char label[PROCESS_LABEL];
    process_label(process, label, sizeof(label));
    if (!known_u64(process->pid))
        list_add(list, "%s", label);
    else if (named && strncmp(label, "pid ", 4) != 0)
        list_add(list, "%llu %s", (unsigned long long)process->pid.value, label);
    else
        list_add(list, "%llu", (unsigned long long)process->pid.value);
}

static bool is_member(const struct free_core *core, unsigned process)
{
    for (unsigned i = 0; i < core->holder_count; i++)
        if (core->holders[i] == process)
            return true;
    return false;
}

// So many jobs are named; the table below has all.
enum { WHO_MOST = 6 };

// Those who hold CORE or may, a job once: "31207 train.py or 2 workers of PID 31300 torchrun".
static void list_holders(struct list *who, const struct cores_view *view,
                         const struct free_core *core, bool named)
{
    const struct host *host = view->cores->host;
    unsigned shown = 0, more = 0;
    for (unsigned i = 0; i < core->holder_count; i++)
        view->counts[view->jobs.of[core->holders[i]]]++;
    for (unsigned i = 0; i < core->holder_count; i++) {
        const struct process *process = &host->processes[core->holders[i]];
        const struct job *job = &view->jobs.items[view->jobs.of[core->holders[i]]];
        unsigned *count = &view->counts[view->jobs.of[core->holders[i]]];
        bool leads = *count > 1 && shown < WHO_MOST && job->leader >= 0 &&
                     is_member(core, (unsigned)job->leader);
        struct job_part part = {
            .job = job, .first = process, .members = *count, .workers = *count - leads};
        char text[JOB_TEXT];
        if (*count > 0 && shown == WHO_MOST)
            more += *count;
        else if (*count > 1)
            list_add(who, "%s", job_part_text(&part, text));
        else if (*count == 1)
            add_process(who, process, named);
        shown += *count > 0 && shown < WHO_MOST;
        *count = 0;
    }
    if (more > 0)
        list_add(who, "%u more", more);
}

// "held by 31207 train.py", "free", "unknown (chip open by 168)".
static void state_text(char *buffer, size_t size, const struct cores_view *view,
                       const struct free_core *core, bool named)
{
    struct list who = {.separator = core->certainty == CERTAINTY_CHIP ? " or " : ", "};
    list_holders(&who, view, core, named);
    if (core->unseen)
        list_add(&who, "%s", free_unseen_words(view->cores->host));
    bool by_chip = core->certainty == CERTAINTY_CHIP && core->holder_count > 0;
    if (core->state == FREE_HELD && who.length > 0)
        snprintf(buffer, size, "held by %.1800s%s", who.text,
                 by_chip ? " (known by chip only)" : "");
    else if (core->state == FREE_UNKNOWN && who.length > 0)
        snprintf(buffer, size, "unknown (chip open by %.1800s)", who.text);
    else
        snprintf(buffer, size, "%s", free_state_word(core->state));
}

static enum style style_of(enum free_state state)
{
    static const enum style styles[] = {STYLE_PLAIN, STYLE_CYAN, STYLE_YELLOW};
    return styles[state];
}

enum { AT_NC = 6, AT_STATE = 16 };

static struct core_set cores_of(const struct free_cores *cores, unsigned chip)
{
    struct core_set set;
    core_set_clear(&set);
    for (unsigned i = 0; i < cores->count; i++)
        if (cores->cores[i].chip == chip)
            core_set_add(&set, cores->cores[i].index);
    return set;
}

// The process of a segment that it alone holds, as one of several of a job; NULL for others.
static const struct process *worker_of(const struct cores_view *view, const struct segment *segment,
                                       const struct job **job)
{
    const struct free_core *core = segment->core;
    if (core->state != FREE_HELD || core->unseen || core->holder_count != 1 ||
        core->certainty == CERTAINTY_CHIP)
        return NULL;
    const struct process *process = &view->cores->host->processes[core->holders[0]];
    *job = &view->jobs.items[view->jobs.of[core->holders[0]]];
    return job_is_group(*job) && known_u64(process->pid) ? process : NULL;
}

// "torchrun 31207", "pod web-0".
static void job_short(char *buffer, const struct job *job)
{
    const char *name = job->name != NULL ? job->name : "workers of";
    if (job_by_start(job))
        snprintf(buffer, JOB_TEXT, "%.64s %llu", name, (unsigned long long)job->pid.value);
    else
        snprintf(buffer, JOB_TEXT, "%s %.64s", job_kind_word(job->kind), name);
}

// Takes the segments that follow when they are held by further workers of the same job, and names
// these in the order of the cores. False when there is none: one worker is said in full.
static bool take_workers(const struct cores_view *view, const struct core_set *only, int chip,
                         unsigned *at, struct segment *segment, char *text, size_t size)
{
    const struct job *job = NULL, *next_job = NULL;
    const struct process *first = worker_of(view, segment, &job), *other;
    struct list pids = {.separator = " "};
    struct segment next;
    unsigned ahead = *at, workers = 1;
    char name[JOB_TEXT];
    if (first == NULL)
        return false;
    add_process(&pids, first, false);
    while (next_segment(view->cores, only, chip, &ahead, &next) &&
           (other = worker_of(view, &next, &next_job)) != NULL && job == next_job) {
        if (workers++ < PIDS_MOST)
            add_process(&pids, other, false);
        core_set_union(&segment->set, &next.set);
        *at = ahead;
    }
    if (workers > PIDS_MOST)
        list_add(&pids, "and %u more", workers - PIDS_MOST);
    job_short(name, job);
    snprintf(text, size, "held by %s: %.1600s", name, pids.text);
    return workers > 1;
}

static void chip_line(struct page *page, const struct cores_view *view, unsigned index)
{
    const struct free_cores *cores = view->cores;
    const struct chip *chip = &cores->host->chips[index];
    struct core_set all = cores_of(cores, index);
    struct segment segment;
    struct list line = {0};
    char numbers[CORES_TEXT], text[LIST_TEXT], name[CORES_TEXT];
    unsigned at = 0;
    enum style style = STYLE_PLAIN;
    snprintf(name, sizeof(name), "%u", chip->index);
    page_right(page, AT_NC - 2, name);
    page_to(page, AT_NC);
    page_put(page, core_set_format(&all, numbers, sizeof(numbers)));
    page_put(page, " ");
    page_to(page, AT_STATE);
    if (chip->node != NULL) // in a container a job knows it by this name
        page_printf(page, "/dev/%s: ", chip->node);
    while (next_segment(cores, NULL, (int)index, &at, &segment)) {
        bool whole = core_set_count(&segment.set) == core_set_count(&all);
        if (!take_workers(view, NULL, (int)index, &at, &segment, text, sizeof(text)))
            state_text(text, sizeof(text), view, segment.core, whole);
        whole = core_set_count(&segment.set) == core_set_count(&all);
        style = whole ? style_of(segment.core->state) : STYLE_PLAIN;
        core_set_format(&segment.set, numbers, sizeof(numbers));
        list_add(&line, "%s%s%s", whole ? "" : numbers, whole ? "" : " ", text);
    }
    page_style(page, style);
    page_wrap(page, AT_STATE, line.length > 0 ? line.text : "-");
    page_style(page, STYLE_PLAIN);
}

// "16 chips, Trainium2, 128 physical / 64 logical cores, LNC 2", "28 free, 32 held, 4 unknown".
static void headline(struct page *page, const struct free_cores *cores)
{
    const struct host *host = cores->host;
    struct list line = {0}, counts = {0};
    unsigned chips = host->chip_count, unknown = free_cores_count(cores, FREE_UNKNOWN);
    if (host->demo)
        list_add(&line, "DEMO (invented, not this host)");
    list_add(&line, "%u chip%s", chips, chips == 1 ? "" : "s");
    if (host->hardware.chip != NULL)
        list_add(&line, "%s", host->hardware.chip);
    if (cores->numbered)
        list_add(&line, "%u physical / %u logical cores", cores->count * cores->lnc, cores->count);
    if (cores->numbered && cores->has_lnc)
        list_add(&line, "LNC %u", cores->lnc);
    page_wrap(page, 2, line.text);
    list_add(&counts, "%u free", free_cores_count(cores, FREE_FREE));
    list_add(&counts, "%u held", free_cores_count(cores, FREE_HELD));
    if (unknown > 0)
        list_add(&counts, "%u unknown", unknown);
    page_style(page, STYLE_BOLD);
    page_put(page, counts.text);
    page_style(page, STYLE_PLAIN);
    page_newline(page);
    if (cores->numbered)
        return;
    snprintf(line.text, sizeof(line.text),
             "The numbers below are not those of NEURON_RT_VISIBLE_CORES: %s.", cores->trouble);
    page_wrap(page, 0, line.text);
}

static void free_line(struct page *page, const struct free_cores *cores)
{
    struct core_run longest = free_cores_longest(cores);
    struct core_set set;
    char text[1024], line[LIST_TEXT];
    core_set_clear(&set);
    for (unsigned i = 0; i < cores->count; i++)
        if (cores->cores[i].state == FREE_FREE)
            core_set_add(&set, cores->cores[i].index);
    if (!cores->numbered || longest.count == 0)
        return;
    unsigned last = longest.first + longest.count - 1;
    core_set_format(&set, text, sizeof(text));
    if (longest.count == 1)
        snprintf(line, sizeof(line), "NC %s; longest run: 1 (NC %u)", text, last);
    else
        snprintf(line, sizeof(line), "NC %s; longest run: %u (NC %u-%u)", text, longest.count,
                 longest.first, last);
    page_newline(page);
    page_field(page, 0, "free:", line);
}

static void mixed_note(struct page *page, const struct free_cores *cores)
{
    char text[256];
    if (cores->mixed_chips == 0)
        return;
    snprintf(text, sizeof(text),
             "%u chip%s partly held. Without the driver's core map it cannot be told which of the "
             "cores these are in a job's numbers.",
             cores->mixed_chips, cores->mixed_chips == 1 ? " is" : "s are");
    page_newline(page);
    page_wrap(page, 0, text);
}

static void why_note(struct page *page, const struct free_cores *cores)
{
    char text[LIST_TEXT];
    const bool told = cores->mixed_chips > 0 && host_owners_known(cores->host); // by mixed_note()
    for (unsigned i = 0; i < cores->count; i++) {
        const char *why = free_core_why(cores, &cores->cores[i]);
        if (why == NULL || told)
            continue;
        snprintf(text, sizeof(text), "Why cores are unknown: %s.", why);
        page_newline(page);
        page_wrap(page, 0, text);
        return;
    }
}

static void gap_note(struct page *page, const struct free_cores *cores)
{
    struct core_set gaps;
    char text[256], numbers[CORES_TEXT];
    core_set_clear(&gaps);
    for (unsigned i = 0; i < cores->count; i++)
        if (cores->cores[i].after_gap)
            core_set_add(&gaps, cores->cores[i].index);
    if (core_set_empty(&gaps))
        return;
    snprintf(text, sizeof(text),
             "The chips given are not adjacent: no job can have cores on both sides of the start "
             "of NC %s.",
             core_set_format(&gaps, numbers, sizeof(numbers)));
    page_newline(page);
    page_wrap(page, 0, text);
}

static void all_chips(struct page *page, const struct cores_view *view)
{
    const struct free_cores *cores = view->cores;
    headline(page, cores);
    page_newline(page);
    page_style(page, STYLE_DIM);
    page_put(page, "CHIP");
    page_to(page, AT_NC);
    page_put(page, "NC");
    page_to(page, AT_STATE);
    page_put(page, "HOLDER");
    page_style(page, STYLE_PLAIN);
    page_newline(page);
    for (unsigned i = 0; i < cores->host->chip_count; i++)
        chip_line(page, view, i);
    cores_holders(page, view, NULL);
    mixed_note(page, cores);
    why_note(page, cores);
    gap_note(page, cores);
    free_line(page, cores);
}

static unsigned count_asked(const struct free_cores *cores, const struct core_set *set,
                            enum free_state state)
{
    unsigned count = 0;
    for (unsigned i = 0; i < cores->count; i++)
        count += core_set_has(set, cores->cores[i].index) && cores->cores[i].state == state;
    return count;
}

static void gap_remark(struct page *page, const struct free_cores *cores,
                       const struct core_set *set)
{
    char text[128], devices[80];
    unsigned gap = free_cores_gap(cores, set);
    if (gap == 0)
        return;
    snprintf(text, sizeof(text), "A job over them fails: %s.",
             free_cores_gap_text(devices, sizeof(devices), cores, gap));
    page_to(page, 2);
    page_wrap(page, 2, text);
}

// "NC 0-15 held: requested 16, free 8", then who holds which of them.
static void asked(struct page *page, const struct cores_view *view,
                  const struct cores_question *question)
{
    const struct free_cores *cores = view->cores;
    enum free_state state = free_cores_state(cores, &question->set);
    char numbers[512], text[LIST_TEXT];
    struct segment segment;
    unsigned at = 0;
    core_set_format(&question->set, numbers, sizeof(numbers));
    page_style(page, style_of(state));
    page_printf(page, "NC %s %s", numbers, free_state_word(state));
    page_style(page, STYLE_PLAIN);
    if (!cores->numbered) {
        snprintf(text, sizeof(text), ": %s", cores->trouble);
        page_wrap(page, 2, text);
        return;
    }
    page_printf(page, ": requested %u, free %u", core_set_count(&question->set),
                count_asked(cores, &question->set, FREE_FREE));
    page_newline(page);
    if (!core_set_contiguous(&question->set)) {
        page_to(page, 2);
        page_wrap(page, 2, "They are not contiguous: the runtime does not accept them.");
    }
    gap_remark(page, cores, &question->set);
    while (state != FREE_FREE && next_segment(cores, &question->set, -1, &at, &segment)) {
        if (!take_workers(view, &question->set, -1, &at, &segment, text, sizeof(text)))
            state_text(text, sizeof(text), view, segment.core, true);
        const char *why = free_core_why(cores, segment.core);
        if (why != NULL)
            snprintf(text, sizeof(text), "unknown (%s)", why);
        page_printf(page, "  NC %s ", core_set_format(&segment.set, numbers, sizeof(numbers)));
        page_wrap(page, 6, text);
    }
    cores_holders(page, view, &question->set);
}

void print_cores_text(FILE *out, const struct free_cores *cores,
                      const struct cores_question *question, const struct print_options *options)
{
    struct page page = {.out = out, .options = options};
    struct cores_view view = {.cores = cores, .jobs = jobs_of(cores->host)};
    view.counts = ARENA_ARRAY(cores->host->arena, view.jobs.count, unsigned);
    if (question->spec != NULL)
        asked(&page, &view, question);
    else
        all_chips(&page, &view);
}
