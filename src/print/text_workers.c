// SPDX-License-Identifier: Apache-2.0
// Processes of one job that are alike, as one block of the text snapshot: what they share once,
// sums and ranges of what differs. The table above has each of them by itself.
#include <string.h>

#include "host/units.h"
#include "print/text_parts.h"

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

// Each member of the block once.
#define EACH_WORKER(blocks, first, at)  \
    const struct process *at = (first); \
    (at) != NULL;                       \
    (at) = blocks_next(blocks, at)

// A number over the workers. Unknown parts are counted, never taken as 0.
struct spread {
    struct fact_f64 sum, least, most;
    unsigned known, count;
};

static void spread_add(struct spread *spread, struct fact_f64 part)
{
    spread->count++;
    if (!known_f64(part))
        return;
    bool stale = spread->sum.stale || part.stale;
    if (spread->known == 0 || part.value < spread->least.value)
        spread->least = part;
    if (spread->known == 0 || part.value > spread->most.value)
        spread->most = part;
    spread->sum = fact_f64(spread->sum.value + part.value, FROM_DERIVED);
    spread->sum.stale = stale;
    spread->known++;
}

static struct fact_f64 spread_mean(const struct spread *spread)
{
    struct fact_f64 mean = spread->sum;
    if (spread->known > 0)
        mean.value /= spread->known;
    return mean;
}

typedef const char *(*fact_text_fn)(struct page *page, char *buffer, struct fact_f64 fact);

static const char *bytes_f64(struct page *page, char *buffer, struct fact_f64 fact)
{
    struct fact_u64 bytes = {(uint64_t)fact.value, fact.from, fact.stale};
    return text_bytes(page, buffer, bytes);
}

// "15.1GiB", or "14.9GiB to 15.3GiB" where the ends do not read the same.
static void put_ends(struct page *page, struct list *line, const struct spread *spread,
                     fact_text_fn text)
{
    char least[FACT_TEXT], most[FACT_TEXT];
    text(page, least, spread->least);
    text(page, most, spread->most);
    list_add(line, strcmp(least, most) == 0 ? "%s" : "%s to %s", least, most);
    if (spread->known > 0 && spread->known < spread->count)
        list_add(line, " (of %u)", spread->known);
}

// "HBM 482GiB (15.1GiB each)": the sum, then what each has.
static void put_sum(struct page *page, struct list *items, const char *name,
                    const struct spread *spread, fact_text_fn text)
{
    struct list ends = {.separator = ""};
    char sum[FACT_TEXT];
    put_ends(page, &ends, spread, text);
    if (spread->known == 0)
        list_add(items, "%s -", name);
    else
        list_add(items, "%s %s (%s each)", name, text(page, sum, spread->sum), ends.text);
}

static void put_mean(struct page *page, struct list *items, const char *name,
                     const struct spread *spread)
{
    struct list ends = {.separator = ""};
    char mean[FACT_TEXT];
    put_ends(page, &ends, spread, text_percent);
    list_add(items, "%s %s (mean; %s)", name, text_percent(page, mean, spread_mean(spread)),
             ends.text);
}

static struct fact_f64 as_f64(struct fact_u64 fact)
{
    return (struct fact_f64){(double)fact.value, fact.from, fact.stale};
}

// PIDs as ranges: they may be larger than a core set takes.
static void put_pids(struct list *list, const struct blocks *blocks, const struct process *first)
{
    uint64_t low = first->pid.value, high = low;
    for (const struct process *next = blocks_next(blocks, first);;
         next = blocks_next(blocks, next)) {
        if (next != NULL && next->pid.value == high + 1) {
            high++;
            continue;
        }
        list_add(list, low == high ? "%llu" : "%llu-%llu", (unsigned long long)low,
                 (unsigned long long)high);
        if (next == NULL)
            return;
        low = high = next->pid.value;
    }
}

static void workers_title(struct page *page, const struct blocks *blocks,
                          const struct process *first)
{
    const struct job *job = &blocks->jobs.items[blocks->jobs.of[first - blocks->host->processes]];
    struct job_part part = {0};
    char who[JOB_TEXT];
    struct list line = {0}, pids = {.separator = ","}, ends = {.separator = ""};
    struct spread idle = {0}, age = {0};
    for (EACH_WORKER(blocks, first, at)) {
        struct fact_f64 started = at->started_unix_seconds;
        job_part_add(&part, blocks->host, job, at);
        spread_add(&idle, at->idle_seconds);
        started.value = blocks->host->time_unix_seconds - started.value;
        spread_add(&age, started);
    }
    put_pids(&pids, blocks, first);
    list_add(&line, "PID %s", pids.text);
    list_add(&line, "%s", job_part_text(&part, who));
    list_add(&line, "user %s", first->user != NULL ? first->user : "-");
    if (first->state != PROCESS_UNKNOWN)
        list_add(&line, "%s", process_state_word(first->state));
    if (idle.known > 0) {
        put_ends(page, &ends, &idle, text_duration);
        list_add(&line, "idle %s%s", first->idle_since_start ? "at least " : "", ends.text);
    }
    if (age.known > 0 && age.least.value >= 0) {
        ends = (struct list){.separator = ""};
        put_ends(page, &ends, &age, text_duration);
        list_add(&line, "age %s", ends.text);
    }
    page_newline(page);
    page_style(page, STYLE_BOLD);
    page_wrap(page, 2, line.text);
    page_style(page, STYLE_PLAIN);
}

static void workers_identity(struct page *page, const struct blocks *blocks,
                             const struct process *first)
{
    struct list line = {0}, tags = {0}, visible = {0};
    struct core_set cores, chips;
    char text[LIST_TEXT];
    bool differ = false;
    core_set_clear(&cores);
    core_set_clear(&chips);
    for (EACH_WORKER(blocks, first, at)) {
        core_set_union(&cores, &at->cores);
        core_set_union(&chips, &at->chips);
        differ = differ || !same_text(first->command, at->command);
        if (at->tag != NULL)
            list_add(&tags, "%s", at->tag);
        if (at->visible_cores != NULL)
            list_add(&visible, "%s", at->visible_cores);
    }
    if (first->command != NULL)
        page_field(page, 2, "command ", first->command);
    if (differ)
        page_field(page, 2, "        ", "of the first: the others have other arguments");
    if (tags.length > 0)
        page_field(page, 2, "tags    ", tags.text);
    list_add(&line, "NC %s",
             core_set_empty(&cores) ? "-" : core_set_format(&cores, text, sizeof(text)));
    list_add(&line, "chips %s",
             core_set_empty(&chips) ? "-" : core_set_format(&chips, text, sizeof(text)));
    if (first->runtime_version != NULL)
        list_add(&line, "runtime %s", first->runtime_version);
    page_field(page, 2, "hold    ", line.text);
    if (visible.length > 0)
        page_field(page, 2, "        ", "NEURON_RT_VISIBLE_CORES of each, in the order of PIDs:");
    if (visible.length > 0)
        page_field(page, 2, "        ", visible.text);
    if (first->pod != NULL || first->container != NULL) {
        snprintf(text, sizeof(text), "pod %s, namespace %s, container %s",
                 first->pod != NULL ? first->pod : "-",
                 first->pod_namespace != NULL ? first->pod_namespace : "-",
                 first->container != NULL ? first->container : "-");
        page_field(page, 2, "in      ", text);
    }
}

static void workers_memory(struct page *page, const struct blocks *blocks,
                           const struct process *first)
{
    struct list device = {0}, machine = {0};
    struct spread all = {0}, outside = {0};
    for (EACH_WORKER(blocks, first, at)) {
        spread_add(&all, as_f64(at->memory_device_bytes));
        spread_add(&outside, as_f64(at->memory_host_bytes));
    }
    put_sum(page, &device, host_memory_word(blocks->host), &all, bytes_f64);
    put_sum(page, &machine, "host", &outside, bytes_f64);
    for (unsigned i = 0; i < MEM_CATEGORIES; i++) {
        struct spread part = {0};
        for (EACH_WORKER(blocks, first, at))
            spread_add(&part, as_f64(at->memory[i]));
        if (part.sum.value > 0)
            put_sum(page, &device, memory_category_label((enum memory_category)i), &part,
                    bytes_f64);
    }
    for (unsigned i = 0; i < HOSTMEM_CATEGORIES; i++) {
        struct spread part = {0};
        for (EACH_WORKER(blocks, first, at))
            spread_add(&part, as_f64(at->host_memory[i]));
        if (part.sum.value > 0)
            put_sum(page, &machine, host_memory_category_label((enum host_memory_category)i), &part,
                    bytes_f64);
    }
    page_field(page, 2, "memory  ", device.text);
    page_field(page, 2, "        ", machine.text);
}

static void workers_load(struct page *page, const struct blocks *blocks,
                         const struct process *first)
{
    struct spread use = {0}, flops = {0}, user = {0}, system = {0};
    struct list line = {0};
    for (EACH_WORKER(blocks, first, at)) {
        spread_add(&use, at->utilization_percent);
        spread_add(&flops, at->flops_per_second);
        spread_add(&user, at->cpu_user_percent);
        spread_add(&system, at->cpu_system_percent);
    }
    put_mean(page, &line, "NC", &use);
    put_sum(page, &line, "FLOPS", &flops, text_flops);
    put_sum(page, &line, "CPU of the whole host: user", &user, text_percent);
    put_sum(page, &line, "system", &system, text_percent);
    page_field(page, 2, "load    ", line.text);
}

static const char *latency_text(struct page *page, char *buffer, struct fact_f64 seconds)
{
    char text[UNIT_TEXT];
    unit_latency(text, sizeof(text), seconds);
    page->shows_stale = page->shows_stale || seconds.stale;
    snprintf(buffer, FACT_TEXT, seconds.stale ? "(%.20s)" : "%.20s", text);
    return buffer;
}

static void workers_latency(struct page *page, const struct blocks *blocks,
                            const struct process *first, bool device)
{
    struct list line = {0};
    for (unsigned i = 0; i < PERCENTILES; i++) {
        struct list ends = {.separator = ""};
        struct spread part = {0};
        for (EACH_WORKER(blocks, first, at))
            spread_add(&part, (device ? &at->latency_device : &at->latency_total)->seconds[i]);
        if (part.known == 0)
            continue;
        put_ends(page, &ends, &part, latency_text);
        list_add(&line, "%s %s", percentile_key((enum percentile)i), ends.text);
    }
    if (line.length > 0)
        page_field(page, 2, device ? "  device" : "latency ", line.text);
}

static void workers_executions(struct page *page, const struct blocks *blocks,
                               const struct process *first)
{
    struct list done = {0}, errors = {0};
    bool errors_known = false;
    for (unsigned i = 0; i < EXECUTIONS; i++) {
        struct spread part = {0};
        for (EACH_WORKER(blocks, first, at))
            spread_add(&part, at->executions_per_second[i]);
        if (i == EXEC_COMPLETED || part.sum.value > 0)
            put_sum(page, &done, execution_key((enum execution)i), &part, text_rate);
    }
    for (unsigned i = 0; i < ERROR_KINDS; i++) {
        struct spread part = {0};
        for (EACH_WORKER(blocks, first, at))
            spread_add(&part, at->errors_per_second[i]);
        errors_known = errors_known || part.known > 0;
        if (part.sum.value > 0)
            put_sum(page, &errors, error_kind_key((enum error_kind)i), &part, text_rate);
    }
    page_field(page, 2, "executed", done.text);
    page_field(page, 2, "errors  ", errors.length > 0 ? errors.text : errors_known ? "none" : NULL);
}

static void workers_models(struct page *page, const struct blocks *blocks,
                           const struct process *first)
{
    static const char *const states[] = {
        [MODEL_STATE_UNKNOWN] = "-", [MODEL_RUNNING] = "running", [MODEL_STOPPED] = "stopped"};
    for (unsigned i = 0; i < first->model_count; i++) {
        const struct model *model = &first->models[i];
        struct spread part = {0};
        struct list line = {0};
        unsigned before = 0;
        char count[UNIT_TEXT];
        for (unsigned j = 0; j < i; j++)
            before += same_text(first->models[j].name, model->name) &&
                      first->models[j].state == model->state;
        if (before > 0)
            continue;
        for (EACH_WORKER(blocks, first, at))
            for (unsigned j = 0; j < at->model_count; j++)
                if (same_text(at->models[j].name, model->name) &&
                    at->models[j].state == model->state)
                    spread_add(&part, as_f64(at->models[j].memory_device_bytes));
        snprintf(count, sizeof(count), "%u x %s", part.count, states[model->state]);
        list_add(&line, "%s", count);
        put_sum(page, &line, host_memory_word(blocks->host), &part, bytes_f64);
        line.separator = ": ";
        list_add(&line, "%s", model->name != NULL ? model->name : "-");
        page_field(page, 2, i == 0 ? "models  " : "        ", line.text);
    }
}

bool text_workers(struct page *page, const struct blocks *blocks, const struct process *process)
{
    const unsigned index = (unsigned)(process - blocks->host->processes);
    if (blocks->head[index] != index)
        return true;
    if (blocks->next[index] == 0)
        return false;
    workers_title(page, blocks, process);
    workers_identity(page, blocks, process);
    workers_memory(page, blocks, process);
    workers_load(page, blocks, process);
    workers_latency(page, blocks, process, false);
    workers_latency(page, blocks, process, true);
    workers_executions(page, blocks, process);
    workers_models(page, blocks, process);
    return true;
}
