// SPDX-License-Identifier: Apache-2.0
// The processes of a chip, one line each: who, since when, in which container, which of its cores.
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "host/units.h"
#include "print/ls_parts.h"

enum { SHORT_ID = 12, COMMAND_TEXT = 4096 };

enum column { PID, USER, AGE, CORES, NC, RUNTIME, CONTAINER, COMMAND, COLUMNS };

static const struct grid_column columns[COLUMNS] = {
    [PID] = {.title = "PID", .right = true},
    [USER] = {.title = "USER", .cap = 10, .wide = 32},
    [AGE] = {.title = "AGE", .right = true},
    [CORES] = {.title = "CORES", .cap = 9, .wide = 24},
    [NC] = {.title = "NC", .cap = 9, .wide = 24},
    [RUNTIME] = {.title = "RUNTIME", .cap = 14, .wide = 24},
    [CONTAINER] = {.title = "CONTAINER", .cap = SHORT_ID, .wide = 40},
    [COMMAND] = {.title = "COMMAND", .cap = 40, .wide = 80},
};

// With a terminal that is wider than that a command may be too.
static const struct grid_column terminal_columns[COLUMNS] = {
    [PID] = {.title = "PID", .right = true},
    [USER] = {.title = "USER", .wide = 32},
    [AGE] = {.title = "AGE", .right = true},
    [CORES] = {.title = "CORES", .wide = 24},
    [NC] = {.title = "NC", .wide = 24},
    [RUNTIME] = {.title = "RUNTIME", .wide = 24},
    [CONTAINER] = {.title = "CONTAINER", .wide = 40},
    [COMMAND] = {.title = "COMMAND"},
};

// It has a chip open but runs nothing on it, and no Neuron runtime is loaded into it:
// neuron-monitor, neuron-ls. Only the driver's own sources know of such a process.
static bool without_runtime(const struct process *process)
{
    return process->pid.from == FROM_PROC && process->runtime_version == NULL &&
           process->share_count == 0 && core_set_empty(&process->cores);
}

bool ls_listed(const struct process *process, const struct chip *chip,
               const struct ls_options *options)
{
    return core_set_has(&process->chips, chip->index) &&
           (options->all || !without_runtime(process));
}

// The cores of CHIP that PROCESS holds.
static struct core_set cores_on(const struct host *host, const struct process *process,
                                const struct chip *chip)
{
    struct core_set set;
    core_set_clear(&set);
    for (unsigned i = chip->core_first; i < chip->core_first + chip->core_count; i++)
        if (core_set_has(&process->cores, host->cores[i].index))
            core_set_add(&set, host->cores[i].index);
    return set;
}

const char *ls_logical_text(char *buffer, size_t size, const struct host *host,
                            const struct chip *chip, const struct core_set *set)
{
    struct core_set logical;
    core_set_clear(&logical);
    if (core_map_order(host) != CORE_ORDER_MAPPED)
        return NULL;
    for (unsigned i = chip->core_first; i < chip->core_first + chip->core_count; i++)
        if (core_set_has(set, host->cores[i].index) && known_u64(host->cores[i].logical))
            core_set_add(&logical, (unsigned)host->cores[i].logical.value);
    return core_set_empty(&logical) ? NULL : core_set_format(&logical, buffer, size);
}

static const char *age_text(char *buffer, size_t size, const struct host *host,
                            const struct process *process)
{
    struct fact_f64 started = process->started_unix_seconds;
    if (!known_f64(started) || host->time_unix_seconds < started.value)
        return NULL;
    return unit_duration(buffer, size,
                         fact_f64(host->time_unix_seconds - started.value, FROM_DERIVED));
}

// The version of the runtime, or that there is none.
static const char *runtime_text(const struct process *process)
{
    return process->runtime_version == NULL && without_runtime(process) ? "NA"
                                                                        : process->runtime_version;
}

// The id of a container is as good as its first digits, which are all that container tools show.
static bool is_long_id(const char *container)
{
    size_t digits = strspn(container, "0123456789abcdef");
    return digits >= 2 * SHORT_ID && container[digits] == '\0';
}

static const char *container_text(char *buffer, size_t size, const struct process *process)
{
    if (process->pod == NULL && process->container != NULL && is_long_id(process->container)) {
        snprintf(buffer, size, "%.*s", SHORT_ID, process->container);
        return buffer;
    }
    if (process->pod == NULL)
        return process->container;
    if (process->container == NULL)
        return process->pod;
    snprintf(buffer, size, "%s/%s", process->pod, process->container);
    return buffer;
}

// What to call a process whose command cannot be seen; a tag that is only the PID says nothing.
static const char *name_of(const struct process *process)
{
    char pid[UNIT_TEXT];
    snprintf(pid, sizeof(pid), "%llu", (unsigned long long)process->pid.value);
    if (process->tag != NULL && strcmp(process->tag, pid) != 0)
        return process->tag;
    return process->address;
}

// The command, or the tag in brackets where the command cannot be seen; and what is unusual about
// the process.
static const char *command_text(char *buffer, size_t size, const struct process *process)
{
    const char *state = "";
    if (process->state == PROCESS_STOPPED || process->state == PROCESS_ZOMBIE ||
        process->state == PROCESS_GONE)
        state = process_state_word(process->state);
    const char *open = *state != '\0' ? "(" : "", *close = *state != '\0' ? ") " : "";
    if (process->command != NULL && process->command[0] != '\0')
        snprintf(buffer, size, "%s%s%s%s", open, state, close, process->command);
    else if (name_of(process) != NULL)
        snprintf(buffer, size, "%s%s%s[%s]", open, state, close, name_of(process));
    else if (*state != '\0')
        snprintf(buffer, size, "(%s)", state);
    else
        return NULL;
    return buffer;
}

static void add_row(struct grid *grid, const struct host *host, const struct process *process,
                    const struct chip *chip)
{
    char pid[UNIT_TEXT], age[UNIT_TEXT], cores[64], logical[64], container[512],
        command[COMMAND_TEXT];
    struct core_set held = cores_on(host, process, chip);
    const char *cells[COLUMNS] = {[USER] = process->user, [RUNTIME] = runtime_text(process)};
    if (known_u64(process->pid)) {
        snprintf(pid, sizeof(pid), "%llu", (unsigned long long)process->pid.value);
        cells[PID] = pid;
    }
    cells[AGE] = age_text(age, sizeof(age), host, process);
    if (!core_set_empty(&held))
        cells[CORES] = core_set_format(&held, cores, sizeof(cores));
    cells[NC] = ls_logical_text(logical, sizeof(logical), host, chip, &held);
    cells[CONTAINER] = container_text(container, sizeof(container), process);
    cells[COMMAND] = command_text(command, sizeof(command), process);
    grid_add(grid, cells);
}

// Memory is in use and nobody can be named for it.
static void add_unseen(struct grid *grid)
{
    const char *cells[COLUMNS] = {[COMMAND] = "(someone not visible from here)"};
    grid_add(grid, cells);
}

static void count_left_out(struct ls_processes *processes, const struct host *host)
{
    for (unsigned i = 0; i < host->process_count; i++)
        processes->left_out +=
            without_runtime(&host->processes[i]) && !core_set_empty(&host->processes[i].chips);
}

void ls_processes_init(struct ls_processes *processes, const struct host *host,
                       const struct ls_options *options)
{
    bool terminal = options->wide && options->columns > 0;
    *processes = (struct ls_processes){0};
    grid_init(&processes->grid, terminal ? terminal_columns : columns, COLUMNS,
              options->wide ? 2 : 1);
    processes->first = xcalloc(host->chip_count + 1, sizeof(*processes->first));
    for (unsigned c = 0; c < host->chip_count; c++) {
        for (unsigned i = 0; i < host->process_count; i++)
            if (ls_listed(&host->processes[i], &host->chips[c], options))
                add_row(&processes->grid, host, &host->processes[i], &host->chips[c]);
        if (host->chips[c].held_unseen)
            add_unseen(&processes->grid);
        processes->first[c + 1] = processes->grid.rows;
    }
    if (!options->all)
        count_left_out(processes, host);
}

void ls_processes_free(struct ls_processes *processes)
{
    grid_free(&processes->grid);
    free(processes->first);
}
