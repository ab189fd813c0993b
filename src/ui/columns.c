// SPDX-License-Identifier: Apache-2.0
// The table of process columns: which appear, and how they sort.
#include "ui/columns.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "ui/column_cells.h"

// Columns that the command gets before another one may appear: more on a wide screen.
static int command_min(int width)
{
    return width < 100 ? 17 : width / 5;
}

static const struct column columns[] = {
    {"pid", "PID", "process id; of a group, its launcher's", 7, false, 0, false, column_print_pid,
     column_number_pid, NULL},
    {"user", "USER", "who runs it", 8, true, 1, false, column_print_user, NULL, column_text_user},
    {"state", "S", "state: R running, S sleeping, T stopped, Z zombie, X gone", 1, true, 9, true,
     column_print_state, column_number_state, NULL},
    {"chips", "CHIPS", "chips it holds cores of", 6, true, 10, false, column_print_chips,
     column_number_chips, NULL},
    {"nc", "NC", "logical cores it holds", 9, true, 0, false, column_print_cores,
     column_number_cores, NULL},
    {"hbm", "HBM", "device memory it uses, over all its cores", 7, false, 0, true, column_print_hbm,
     column_number_hbm, NULL},
    {"host", "HOST", "host memory it uses", 7, false, 4, true, column_print_host,
     column_number_host, NULL},
    {"util", "UTIL%", "mean utilization of its cores", 5, false, 0, true, column_print_util,
     column_number_util, NULL},
    {"flops", "FLOPS", "floating-point operations per second, over all its cores", 7, false, 11,
     true, column_print_flops, column_number_flops, NULL},
    {"idle", "IDLE", "how long it has done nothing; > at least, since neutop began to look", 6,
     false, 2, true, column_print_idle, column_number_idle, NULL},
    {"age", "AGE", "how long it has been running", 6, false, 3, true, column_print_age,
     column_number_age, NULL},
    {"cpu", "CPU%", "processor time, of the whole machine", 5, false, 6, true, column_print_cpu,
     column_number_cpu, NULL},
    {"p50", "P50", "latency of an execution, median", 7, false, 7, true, column_print_p50,
     column_number_p50, NULL},
    {"p99", "P99", "latency of an execution, 99th percentile", 7, false, 8, true, column_print_p99,
     column_number_p99, NULL},
    {"exec", "EXEC/S", "executions completed per second", 6, false, 10, true, column_print_exec,
     column_number_exec, NULL},
    {"err", "ERR/S", "execution errors and time-outs per second", 5, false, 6, true,
     column_print_errors, column_number_errors, NULL},
    {"models", "MODELS", "models it has loaded", 6, false, 12, true, column_print_models,
     column_number_models, NULL},
    {"runtime", "RUNTIME", "version of the Neuron runtime in it", 10, true, 13, false,
     column_print_runtime, NULL, column_text_runtime},
    {"visible", "VISIBLE", "its NEURON_RT_VISIBLE_CORES", 9, true, 15, false, column_print_visible,
     NULL, column_text_visible},
    {"pod", "POD", "its pod, else its container", 20, true, 14, false, column_print_pod, NULL,
     column_text_pod},
    {"inside", "IN-PID", "process id inside its container, where it is another", 7, false, 17,
     false, column_print_inside, column_number_inside, NULL},
    {"tag", "TAG", "its NEURON_PROCESS_TAG", 16, true, 16, false, column_print_tag, NULL,
     column_text_tag},
    {"command", "TAG, COMMAND", "tag and command line", 0, true, 0, false, column_print_command,
     NULL, column_text_command},
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
        order = compare_numbers(column_number_pid(host, a), column_number_pid(host, b), false);
    return order;
}
