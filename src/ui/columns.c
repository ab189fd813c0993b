// SPDX-License-Identifier: Apache-2.0
// The table of process columns.
#include "ui/columns.h"

#include <bsd/string.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "host/units.h"
#include "ui/group.h"

// Columns that the command gets before another one may appear: more on a wide screen.
static int command_min(int width)
{
    return width < 100 ? 17 : width / 5;
}

static void put(struct column_cell *cell, const char *text)
{
    if (text == NULL) {
        strlcpy(cell->text, "-", sizeof cell->text);
        cell->role = ROLE_UNKNOWN;
    } else {
        strlcpy(cell->text, text, sizeof cell->text);
    }
}

static void put_f64(struct column_cell *cell, struct fact_f64 fact,
                    char *(*unit)(char *, size_t, struct fact_f64))
{
    unit(cell->text, sizeof cell->text, fact);
    if (!known_f64(fact))
        cell->role = ROLE_UNKNOWN;
    cell->stale = known_f64(fact) && fact.stale;
}

static void put_u64(struct column_cell *cell, struct fact_u64 fact,
                    char *(*unit)(char *, size_t, struct fact_u64))
{
    unit(cell->text, sizeof cell->text, fact);
    if (!known_u64(fact))
        cell->role = ROLE_UNKNOWN;
    cell->stale = known_u64(fact) && fact.stale;
}

static double number_f64(struct fact_f64 fact)
{
    return known_f64(fact) ? fact.value : (double)NAN;
}

static double number_u64(struct fact_u64 fact)
{
    return known_u64(fact) ? (double)fact.value : (double)NAN;
}

static void print_pid(const struct host *host, const struct process *process,
                      struct column_cell *cell)
{
    (void)host;
    if (known_u64(process->pid))
        snprintf(cell->text, sizeof cell->text, "%" PRIu64, process->pid.value);
    else
        put(cell, NULL);
}

static double number_pid(const struct host *host, const struct process *process)
{
    (void)host;
    return number_u64(process->pid);
}

static const char *text_user(const struct process *process)
{
    return process->user;
}

static void print_user(const struct host *host, const struct process *process,
                       struct column_cell *cell)
{
    (void)host;
    put(cell, process->user);
}

static const char *state_mark(enum process_state state)
{
    switch (state) {
    case PROCESS_RUNNING:
        return "R";
    case PROCESS_SLEEPING:
        return "S";
    case PROCESS_STOPPED:
        return "T";
    case PROCESS_ZOMBIE:
        return "Z";
    case PROCESS_GONE:
        return "X";
    case PROCESS_UNKNOWN:
        break;
    }
    return NULL;
}

static void print_state(const struct host *host, const struct process *process,
                        struct column_cell *cell)
{
    (void)host;
    put(cell, state_mark(process->state));
    if (process->state >= PROCESS_STOPPED)
        cell->role = ROLE_WARNING;
}

static double number_state(const struct host *host, const struct process *process)
{
    (void)host;
    return process->state == PROCESS_UNKNOWN ? (double)NAN : (double)process->state;
}

static void print_set(const struct core_set *set, int width, struct column_cell *cell)
{
    char text[CELL_TEXT];

    if (core_set_empty(set)) {
        put(cell, NULL);
        return;
    }
    core_set_format(set, text, (size_t)width + 1);
    put(cell, text);
}

static double number_set(const struct core_set *set)
{
    const int first = core_set_next(set, 0);

    return first < 0 ? (double)NAN : first;
}

static void print_chips(const struct host *host, const struct process *process,
                        struct column_cell *cell)
{
    (void)host;
    print_set(&process->chips, 6, cell);
}

static double number_chips(const struct host *host, const struct process *process)
{
    (void)host;
    return number_set(&process->chips);
}

static void print_cores(const struct host *host, const struct process *process,
                        struct column_cell *cell)
{
    (void)host;
    print_set(&process->cores, 9, cell);
}

static double number_cores(const struct host *host, const struct process *process)
{
    (void)host;
    return number_set(&process->cores);
}

static void print_hbm(const struct host *host, const struct process *process,
                      struct column_cell *cell)
{
    (void)host;
    put_u64(cell, process->memory_device_bytes, unit_bytes);
}

static double number_hbm(const struct host *host, const struct process *process)
{
    (void)host;
    return number_u64(process->memory_device_bytes);
}

static void print_host(const struct host *host, const struct process *process,
                       struct column_cell *cell)
{
    (void)host;
    put_u64(cell, process->memory_host_bytes, unit_bytes);
}

static double number_host(const struct host *host, const struct process *process)
{
    (void)host;
    return number_u64(process->memory_host_bytes);
}

static void print_util(const struct host *host, const struct process *process,
                       struct column_cell *cell)
{
    (void)host;
    put_f64(cell, process->utilization_percent, unit_percent1);
}

static double number_util(const struct host *host, const struct process *process)
{
    (void)host;
    return number_f64(process->utilization_percent);
}

static void print_flops(const struct host *host, const struct process *process,
                        struct column_cell *cell)
{
    (void)host;
    put_f64(cell, process->flops_per_second, unit_flops);
}

static double number_flops(const struct host *host, const struct process *process)
{
    (void)host;
    return number_f64(process->flops_per_second);
}

enum { LONG_IDLE_SECONDS = 300 };

// ">47m": idle since neutop began to look, perhaps longer.
static void print_idle(const struct host *host, const struct process *process,
                       struct column_cell *cell)
{
    char text[UNIT_TEXT];

    (void)host;
    put_f64(cell, process->idle_seconds, unit_duration);
    if (!known_f64(process->idle_seconds))
        return;
    if (process->idle_seconds.value < 1) {
        put(cell, "active");
        cell->role = ROLE_DIM;
        return;
    }
    snprintf(text, sizeof text, "%s%.16s", process->idle_since_start ? ">" : "", cell->text);
    put(cell, text);
    if (process->idle_seconds.value >= LONG_IDLE_SECONDS && !core_set_empty(&process->cores))
        cell->role = ROLE_HELD;
}

static double number_idle(const struct host *host, const struct process *process)
{
    (void)host;
    return number_f64(process->idle_seconds);
}

static struct fact_f64 age(const struct host *host, const struct process *process)
{
    struct fact_f64 fact = process->started_unix_seconds;

    if (known_f64(fact)) {
        fact.value = host->time_unix_seconds - fact.value;
        fact.value = fact.value < 0 ? 0 : fact.value;
    }
    return fact;
}

static void print_age(const struct host *host, const struct process *process,
                      struct column_cell *cell)
{
    put_f64(cell, age(host, process), unit_duration);
}

static double number_age(const struct host *host, const struct process *process)
{
    return number_f64(age(host, process));
}

static void print_cpu(const struct host *host, const struct process *process,
                      struct column_cell *cell)
{
    (void)host;
    put_f64(cell, process_cpu_percent(process), unit_percent1);
}

static double number_cpu(const struct host *host, const struct process *process)
{
    (void)host;
    return number_f64(process_cpu_percent(process));
}

static void print_p50(const struct host *host, const struct process *process,
                      struct column_cell *cell)
{
    (void)host;
    put_f64(cell, process->latency_total.seconds[P50], unit_latency);
}

static double number_p50(const struct host *host, const struct process *process)
{
    (void)host;
    return number_f64(process->latency_total.seconds[P50]);
}

static void print_p99(const struct host *host, const struct process *process,
                      struct column_cell *cell)
{
    (void)host;
    put_f64(cell, process->latency_total.seconds[P99], unit_latency);
}

static double number_p99(const struct host *host, const struct process *process)
{
    (void)host;
    return number_f64(process->latency_total.seconds[P99]);
}

static void print_exec(const struct host *host, const struct process *process,
                       struct column_cell *cell)
{
    (void)host;
    put_f64(cell, process->executions_per_second[EXEC_COMPLETED], unit_rate);
}

static double number_exec(const struct host *host, const struct process *process)
{
    (void)host;
    return number_f64(process->executions_per_second[EXEC_COMPLETED]);
}

static void print_errors(const struct host *host, const struct process *process,
                         struct column_cell *cell)
{
    const struct fact_f64 errors = process_errors(process);

    (void)host;
    put_f64(cell, errors, unit_rate);
    if (known_f64(errors) && errors.value > 0)
        cell->role = ROLE_WARNING;
}

static double number_errors(const struct host *host, const struct process *process)
{
    (void)host;
    return number_f64(process_errors(process));
}

static void print_models(const struct host *host, const struct process *process,
                         struct column_cell *cell)
{
    (void)host;
    snprintf(cell->text, sizeof cell->text, "%u", process->model_count);
}

static double number_models(const struct host *host, const struct process *process)
{
    (void)host;
    return process->model_count > 0 ? (double)process->model_count : (double)NAN;
}

static const char *text_runtime(const struct process *process)
{
    return process->runtime_version;
}

static void print_runtime(const struct host *host, const struct process *process,
                          struct column_cell *cell)
{
    (void)host;
    put(cell, process->runtime_version);
}

static const char *text_visible(const struct process *process)
{
    return process->visible_cores;
}

static void print_visible(const struct host *host, const struct process *process,
                          struct column_cell *cell)
{
    (void)host;
    put(cell, process->visible_cores);
}

static const char *text_pod(const struct process *process)
{
    return process->pod != NULL ? process->pod : process->container;
}

static void print_pod(const struct host *host, const struct process *process,
                      struct column_cell *cell)
{
    (void)host;
    put(cell, text_pod(process));
}

static const char *text_tag(const struct process *process)
{
    return process->tag;
}

// The tag is worth a column of its own only when it says more than the PID.
static void print_tag(const struct host *host, const struct process *process,
                      struct column_cell *cell)
{
    (void)host;
    put(cell, process->tag);
}

static const char *text_command(const struct process *process)
{
    return process->command != NULL ? process->command : process->tag;
}

static void print_command(const struct host *host, const struct process *process,
                          struct column_cell *cell)
{
    const char *label = LABEL_OF(process);
    const char *command = process->command;

    (void)host;
    if (process->error != NULL) {
        snprintf(cell->text, sizeof cell->text, "%.60s: %.180s", label, process->error);
        cell->role = ROLE_WARNING;
    } else if (process->tag != NULL && command != NULL && strcmp(label, process->tag) == 0) {
        snprintf(cell->text, sizeof cell->text, "%.60s: %.180s", label, command);
    } else {
        put(cell, command != NULL ? command : label);
    }
}

static const struct column columns[] = {
    {"pid", "PID", "process id; of a group, its launcher's", 7, false, 0, false, print_pid,
     number_pid, NULL},
    {"user", "USER", "who runs it", 8, true, 1, false, print_user, NULL, text_user},
    {"state", "S", "state: R running, S sleeping, T stopped, Z zombie, X gone", 1, true, 9, true,
     print_state, number_state, NULL},
    {"chips", "CHIPS", "chips it holds cores of", 6, true, 10, false, print_chips, number_chips,
     NULL},
    {"nc", "NC", "logical cores it holds", 9, true, 0, false, print_cores, number_cores, NULL},
    {"hbm", "HBM", "device memory it uses, over all its cores", 7, false, 0, true, print_hbm,
     number_hbm, NULL},
    {"host", "HOST", "host memory it uses", 7, false, 4, true, print_host, number_host, NULL},
    {"util", "UTIL%", "mean utilization of its cores", 5, false, 0, true, print_util, number_util,
     NULL},
    {"flops", "FLOPS", "floating-point operations per second, over all its cores", 7, false, 11,
     true, print_flops, number_flops, NULL},
    {"idle", "IDLE", "how long it has done nothing; > at least, since neutop began to look", 6,
     false, 2, true, print_idle, number_idle, NULL},
    {"age", "AGE", "how long it has been running", 6, false, 3, true, print_age, number_age, NULL},
    {"cpu", "CPU%", "processor time, of the whole machine", 5, false, 6, true, print_cpu,
     number_cpu, NULL},
    {"p50", "P50", "latency of an execution, median", 7, false, 7, true, print_p50, number_p50,
     NULL},
    {"p99", "P99", "latency of an execution, 99th percentile", 7, false, 8, true, print_p99,
     number_p99, NULL},
    {"exec", "EXEC/S", "executions completed per second", 7, false, 10, true, print_exec,
     number_exec, NULL},
    {"err", "ERR/S", "execution errors and time-outs per second", 7, false, 6, true, print_errors,
     number_errors, NULL},
    {"models", "MODELS", "models it has loaded", 6, false, 12, true, print_models, number_models,
     NULL},
    {"runtime", "RUNTIME", "version of the Neuron runtime in it", 10, true, 13, false,
     print_runtime, NULL, text_runtime},
    {"visible", "VISIBLE", "its NEURON_RT_VISIBLE_CORES", 9, true, 15, false, print_visible, NULL,
     text_visible},
    {"pod", "POD", "its pod, else its container", 20, true, 14, false, print_pod, NULL, text_pod},
    {"tag", "TAG", "its NEURON_PROCESS_TAG", 16, true, 16, false, print_tag, NULL, text_tag},
    {"command", "TAG, COMMAND", "tag and command line", 0, true, 0, false, print_command, NULL,
     text_command},
    {NULL, NULL, NULL, 0, false, 0, false, NULL, NULL, NULL},
};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] - 1 };
_Static_assert((int)COLUMN_COUNT <= (int)COLUMNS_MAX, "a bit per column");

const struct column *column_table(void)
{
    return columns;
}

const struct column *column_get(const char *name)
{
    for (const struct column *column = columns; column->name != NULL; column++) {
        if (strcasecmp(column->name, name) == 0)
            return column;
    }
    return NULL;
}

size_t columns_choose(const struct column **chosen, int width, unsigned long hidden,
                      unsigned long useful)
{
    unsigned long bits = 0;
    int used = command_min(width);
    size_t count = 0;

    for (int priority = 0; priority < COLUMNS_MAX; priority++) {
        for (int i = 0; i < COLUMN_COUNT; i++) {
            const unsigned long bit = 1ul << i;
            const int needed = columns[i].width > 0 ? columns[i].width + 1 : 0;
            if (columns[i].priority != priority || (hidden & bit) != 0 ||
                (priority > 0 && (useful & bit) == 0))
                continue;
            if (priority > 0 && used + needed > width)
                continue;
            bits |= bit;
            used += needed;
        }
    }
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if ((bits & 1ul << i) != 0)
            chosen[count++] = &columns[i];
    }
    return count;
}

static bool has_value(const struct column *column, const struct host *host,
                      const struct process *process)
{
    if (column->number != NULL)
        return !isnan(column->number(host, process));
    return column->text(process) != NULL;
}

unsigned long columns_useful(const struct host *host, const struct process *const *processes,
                             size_t count)
{
    unsigned long bits = 0;

    for (int i = 0; i < COLUMN_COUNT; i++) {
        for (size_t p = 0; p < count; p++) {
            if (has_value(&columns[i], host, processes[p])) {
                bits |= 1ul << i;
                break;
            }
        }
    }
    return bits;
}

static int compare_numbers(double a, double b, bool descending)
{
    if (isnan(a) || isnan(b))
        return isnan(a) - isnan(b);
    if (a == b)
        return 0;
    return (a < b) != descending ? -1 : 1;
}

static int compare_texts(const char *a, const char *b, bool descending)
{
    if (a == NULL || b == NULL)
        return (a == NULL) - (b == NULL);
    return descending ? strcmp(b, a) : strcmp(a, b);
}

int column_compare(const struct column *column, bool invert, const struct host *host,
                   const struct process *a, const struct process *b)
{
    const bool descending = column->descending != invert;
    int order;

    if (column->number != NULL)
        order = compare_numbers(column->number(host, a), column->number(host, b), descending);
    else
        order = compare_texts(column->text(a), column->text(b), descending);
    if (order == 0)
        order = compare_numbers(number_pid(host, a), number_pid(host, b), false);
    return order;
}
