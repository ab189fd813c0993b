// SPDX-License-Identifier: Apache-2.0
// The table below the chips in the text of `neutop cores`: who holds cores, a line each job.
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "host/units.h"
#include "print/cores_parts.h"
#include "print/grid.h"
#include "print/text_parts.h"

// A job with what it holds here.
struct holder {
    struct job_part part;
    struct core_set exact, chips; // cores that are its own; chips of which it may hold some
    bool by_environment;          // some of its own are known by its environment only
};

// The holders of the cores in ONLY (NULL: all), in the order of the processes. HOLDERS: one for
// each job, zeroed; TAKEN: one for each process.
static unsigned find_holders(const struct cores_view *view, const struct core_set *only,
                             struct holder *holders, bool *taken)
{
    const struct free_cores *cores = view->cores;
    const struct host *host = cores->host;
    unsigned count = 0;
    for (unsigned i = 0; i < cores->count; i++) {
        const struct free_core *core = &cores->cores[i];
        if (only != NULL && !core_set_has(only, core->index))
            continue;
        for (unsigned j = 0; j < core->holder_count; j++) {
            struct holder *holder = &holders[view->jobs.of[core->holders[j]]];
            taken[core->holders[j]] = true;
            holder->by_environment |= core->certainty == CERTAINTY_ENVIRONMENT;
            if (core->certainty == CERTAINTY_CHIP)
                core_set_add(&holder->chips, host->chips[core->chip].index);
            else
                core_set_add(&holder->exact, core->index);
        }
    }
    for (unsigned p = 0; p < host->process_count; p++)
        if (taken[p])
            job_part_add(&holders[view->jobs.of[p]].part, host, &view->jobs.items[view->jobs.of[p]],
                         &host->processes[p]);
    for (unsigned i = 0; i < view->jobs.count; i++)
        if (holders[i].part.members > 0)
            holders[count++] = holders[i];
    return count;
}

enum column { PID, INSIDE, USER, NC, SURE, AGE, IDLE, CONTAINER, COMMAND, COLUMNS };

static const struct grid_column columns[COLUMNS] = {
    [PID] = {.title = "PID", .right = true},
    [INSIDE] = {.title = "IN-PID", .right = true},
    [USER] = {.title = "USER", .cap = 10},
    [NC] = {.title = "NC", .cap = 14},
    [SURE] = {.title = "SURE"},
    [AGE] = {.title = "AGE", .right = true},
    [IDLE] = {.title = "IDLE", .right = true},
    [CONTAINER] = {.title = "CONTAINER", .cap = 12},
    [COMMAND] = {.title = "COMMAND", .cap = 60},
};

static const char *held_text(char *buffer, size_t size, const struct holder *job)
{
    char chips[CORES_TEXT];
    if (!core_set_empty(&job->exact))
        return core_set_format(&job->exact, buffer, size);
    snprintf(buffer, size, "of chip%s %s", core_set_count(&job->chips) == 1 ? "" : "s",
             core_set_format(&job->chips, chips, sizeof(chips)));
    return buffer;
}

// A PID that a source names and that is not here must still be listed (field case F-06).
static void command_text(char *buffer, size_t size, const struct job_part *part)
{
    const struct process *first = part->first;
    const struct job *job = part->job;
    char label[PROCESS_LABEL];
    if (job->kind == JOB_LAUNCHER && job_is_group(job))
        snprintf(buffer, size, "%.64s, %u worker%s", job->name != NULL ? job->name : "launcher",
                 part->workers, part->workers == 1 ? "" : "s");
    else if (job_is_group(job) && part->members > 1)
        job_part_text(part, buffer);
    else if (first->state == PROCESS_GONE)
        snprintf(buffer, size, "not in the process table any more");
    else if (process_not_visible(first))
        snprintf(buffer, size, "not visible from this PID namespace");
    else if (first->command != NULL)
        snprintf(buffer, size, "%s", first->command);
    else
        snprintf(buffer, size, "%s", process_label(first, label, sizeof(label)));
}

static enum certainty certainty_of(const struct holder *holder)
{
    if (core_set_empty(&holder->exact))
        return CERTAINTY_CHIP;
    return holder->by_environment ? CERTAINTY_ENVIRONMENT : CERTAINTY_EXACT;
}

// SURE: say how well its cores are known.
static void add_holder(struct grid *grid, const struct host *host, const struct holder *holder,
                       bool sure)
{
    const struct job_part *part = &holder->part;
    const struct process *first = part->first;
    const bool led = part->members > 1 || part->job->kind == JOB_LAUNCHER;
    const struct fact_u64 pid = led ? part->job->pid : first->pid;
    char number[UNIT_TEXT], held[CORES_TEXT], age[UNIT_TEXT], idle[UNIT_TEXT], command[512],
        inside[UNIT_TEXT];
    const char *cells[COLUMNS] = {[USER] = first->user, [COMMAND] = command};
    command_text(command, sizeof(command), part);
    if (known_u64(pid)) {
        snprintf(number, sizeof(number), "%llu", (unsigned long long)pid.value);
        cells[PID] = number;
    }
    if (known_u64(first->pid_inside) && pid.value == first->pid.value) { // as people see it there
        snprintf(inside, sizeof(inside), "%llu", (unsigned long long)first->pid_inside.value);
        cells[INSIDE] = inside;
    }
    cells[NC] = held_text(held, sizeof(held), holder);
    cells[SURE] = sure ? certainty_word(certainty_of(holder)) : NULL;
    if (known_f64(part->started_unix_seconds))
        cells[AGE] = unit_duration(
            age, sizeof(age),
            fact_f64(host->time_unix_seconds - part->started_unix_seconds.value, FROM_DERIVED));
    // what was looked at for a moment only has not been idle for any time
    if (known_f64(part->idle_seconds) && part->idle_seconds.value >= 1)
        cells[IDLE] = unit_duration(idle, sizeof(idle), part->idle_seconds);
    else if (known_f64(part->idle_seconds) && !part->idle_since_start && !part->idle_seconds.stale)
        cells[IDLE] = "active";
    cells[CONTAINER] = first->pod != NULL ? first->pod : first->container;
    grid_add(grid, cells);
}

static void add_unseen(struct grid *grid, const struct free_cores *cores,
                       const struct core_set *only)
{
    struct core_set set;
    char held[CORES_TEXT];
    core_set_clear(&set);
    for (unsigned i = 0; i < cores->count; i++)
        if (cores->cores[i].unseen && (only == NULL || core_set_has(only, cores->cores[i].index)))
            core_set_add(&set, cores->cores[i].index);
    if (core_set_empty(&set))
        return;
    const char *cells[COLUMNS] = {[NC] = core_set_format(&set, held, sizeof(held)),
                                  [COMMAND] = free_unseen_words(cores->host)};
    grid_add(grid, cells);
}

void cores_holders(struct page *page, const struct cores_view *view, const struct core_set *only)
{
    const struct free_cores *cores = view->cores;
    struct holder *found = xcalloc(view->jobs.count + 1, sizeof(*found));
    bool *taken = xcalloc(cores->host->process_count + 1, sizeof(*taken));
    struct grid grid;
    bool sure = false;
    unsigned count = find_holders(view, only, found, taken);
    grid_init(&grid, columns, COLUMNS, 1);
    for (unsigned i = 0; i < count; i++) // where all is exact there is nothing to say
        sure = sure || certainty_of(&found[i]) != CERTAINTY_EXACT;
    for (unsigned i = 0; i < count; i++)
        add_holder(&grid, cores->host, &found[i], sure);
    add_unseen(&grid, cores, only);
    free(found);
    free(taken);
    if (grid.rows > 0) {
        grid_measure(&grid, false, 0, PAGE_COLUMNS, 20);
        page_newline(page);
        page_style(page, STYLE_DIM);
        grid_title(&grid, page, 0);
        page_style(page, STYLE_PLAIN);
        for (unsigned row = 0; row < grid.rows; row++)
            grid_row(&grid, page, 0, row);
    }
    grid_free(&grid);
}
