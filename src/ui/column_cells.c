// SPDX-License-Identifier: Apache-2.0
// What each column of the process table prints, and its number or text for sorting.
#include "ui/column_cells.h"

#include <bsd/string.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/units.h"
#include "ui/group.h"

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

void column_print_pid(const struct host *host, const struct process *process,
                      struct column_cell *cell)
{
    (void)host;
    if (known_u64(process->pid))
        snprintf(cell->text, sizeof cell->text, "%" PRIu64, process->pid.value);
    else
        put(cell, NULL);
}

double column_number_pid(const struct host *host, const struct process *process)
{
    (void)host;
    return number_u64(process->pid);
}

void column_print_inside(const struct host *host, const struct process *process,
                         struct column_cell *cell)
{
    (void)host;
    if (known_u64(process->pid_inside))
        snprintf(cell->text, sizeof cell->text, "%" PRIu64, process->pid_inside.value);
    else
        put(cell, NULL);
}

double column_number_inside(const struct host *host, const struct process *process)
{
    (void)host;
    return number_u64(process->pid_inside);
}

const char *column_text_user(const struct process *process)
{
    return process->user;
}

void column_print_user(const struct host *host, const struct process *process,
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

void column_print_state(const struct host *host, const struct process *process,
                        struct column_cell *cell)
{
    (void)host;
    put(cell, state_mark(process->state));
    if (process->state >= PROCESS_STOPPED)
        cell->role = ROLE_WARNING;
}

double column_number_state(const struct host *host, const struct process *process)
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

void column_print_chips(const struct host *host, const struct process *process,
                        struct column_cell *cell)
{
    (void)host;
    print_set(&process->chips, 6, cell);
}

double column_number_chips(const struct host *host, const struct process *process)
{
    (void)host;
    return number_set(&process->chips);
}

void column_print_cores(const struct host *host, const struct process *process,
                        struct column_cell *cell)
{
    (void)host;
    print_set(&process->cores, 9, cell);
}

double column_number_cores(const struct host *host, const struct process *process)
{
    (void)host;
    return number_set(&process->cores);
}

void column_print_hbm(const struct host *host, const struct process *process,
                      struct column_cell *cell)
{
    (void)host;
    put_u64(cell, process->memory_device_bytes, unit_bytes);
}

double column_number_hbm(const struct host *host, const struct process *process)
{
    (void)host;
    return number_u64(process->memory_device_bytes);
}

void column_print_host(const struct host *host, const struct process *process,
                       struct column_cell *cell)
{
    (void)host;
    put_u64(cell, process->memory_host_bytes, unit_bytes);
}

double column_number_host(const struct host *host, const struct process *process)
{
    (void)host;
    return number_u64(process->memory_host_bytes);
}

void column_print_util(const struct host *host, const struct process *process,
                       struct column_cell *cell)
{
    (void)host;
    put_f64(cell, process->utilization_percent, unit_percent1);
}

double column_number_util(const struct host *host, const struct process *process)
{
    (void)host;
    return number_f64(process->utilization_percent);
}

void column_print_flops(const struct host *host, const struct process *process,
                        struct column_cell *cell)
{
    (void)host;
    put_f64(cell, process->flops_per_second, unit_flops);
}

double column_number_flops(const struct host *host, const struct process *process)
{
    (void)host;
    return number_f64(process->flops_per_second);
}

enum { LONG_IDLE_SECONDS = 300 };

// ">47m": idle since neutop began to look, perhaps longer.
void column_print_idle(const struct host *host, const struct process *process,
                       struct column_cell *cell)
{
    char text[UNIT_TEXT];

    (void)host;
    put_f64(cell, process->idle_seconds, unit_duration);
    if (!known_f64(process->idle_seconds))
        return;
    if (process->idle_seconds.value < 1 && !process->idle_since_start) {
        put(cell, "active");
        cell->role = ROLE_DIM;
        return;
    }
    snprintf(text, sizeof text, "%s%.16s", process->idle_since_start ? ">" : "", cell->text);
    put(cell, text);
    if (process->idle_seconds.value >= LONG_IDLE_SECONDS && !core_set_empty(&process->cores))
        cell->role = ROLE_HELD;
}

double column_number_idle(const struct host *host, const struct process *process)
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

void column_print_age(const struct host *host, const struct process *process,
                      struct column_cell *cell)
{
    put_f64(cell, age(host, process), unit_duration);
}

double column_number_age(const struct host *host, const struct process *process)
{
    return number_f64(age(host, process));
}

void column_print_cpu(const struct host *host, const struct process *process,
                      struct column_cell *cell)
{
    (void)host;
    put_f64(cell, process_cpu_percent(process), unit_percent1);
}

double column_number_cpu(const struct host *host, const struct process *process)
{
    (void)host;
    return number_f64(process_cpu_percent(process));
}

void column_print_p50(const struct host *host, const struct process *process,
                      struct column_cell *cell)
{
    (void)host;
    put_f64(cell, process->latency_total.seconds[P50], unit_latency);
}

double column_number_p50(const struct host *host, const struct process *process)
{
    (void)host;
    return number_f64(process->latency_total.seconds[P50]);
}

void column_print_p99(const struct host *host, const struct process *process,
                      struct column_cell *cell)
{
    (void)host;
    put_f64(cell, process->latency_total.seconds[P99], unit_latency);
}

double column_number_p99(const struct host *host, const struct process *process)
{
    (void)host;
    return number_f64(process->latency_total.seconds[P99]);
}

void column_print_exec(const struct host *host, const struct process *process,
                       struct column_cell *cell)
{
    (void)host;
    put_f64(cell, process->executions_per_second[EXEC_COMPLETED], unit_rate);
    cell->text[strcspn(cell->text, "/")] = '\0'; // the head says it
}

double column_number_exec(const struct host *host, const struct process *process)
{
    (void)host;
    return number_f64(process->executions_per_second[EXEC_COMPLETED]);
}

void column_print_errors(const struct host *host, const struct process *process,
                         struct column_cell *cell)
{
    const struct fact_f64 errors = process_errors(process);

    (void)host;
    put_f64(cell, errors, unit_rate);
    cell->text[strcspn(cell->text, "/")] = '\0';
    if (known_f64(errors) && errors.value > 0)
        cell->role = ROLE_WARNING;
}

double column_number_errors(const struct host *host, const struct process *process)
{
    (void)host;
    return number_f64(process_errors(process));
}

void column_print_models(const struct host *host, const struct process *process,
                         struct column_cell *cell)
{
    (void)host;
    snprintf(cell->text, sizeof cell->text, "%u", process->model_count);
}

double column_number_models(const struct host *host, const struct process *process)
{
    (void)host;
    return process->model_count > 0 ? (double)process->model_count : (double)NAN;
}

const char *column_text_runtime(const struct process *process)
{
    return process->runtime_version;
}

void column_print_runtime(const struct host *host, const struct process *process,
                          struct column_cell *cell)
{
    (void)host;
    put(cell, process->runtime_version);
}

const char *column_text_visible(const struct process *process)
{
    return process->visible_cores;
}

void column_print_visible(const struct host *host, const struct process *process,
                          struct column_cell *cell)
{
    (void)host;
    put(cell, process->visible_cores);
}

const char *column_text_pod(const struct process *process)
{
    return process->pod != NULL ? process->pod : process->container;
}

void column_print_pod(const struct host *host, const struct process *process,
                      struct column_cell *cell)
{
    (void)host;
    put(cell, column_text_pod(process));
}

const char *column_text_tag(const struct process *process)
{
    return process->tag;
}

// The tag is worth a column of its own only when it says more than the PID.
void column_print_tag(const struct host *host, const struct process *process,
                      struct column_cell *cell)
{
    (void)host;
    put(cell, process->tag);
}

const char *column_text_command(const struct process *process)
{
    return process->command != NULL ? process->command : process->tag;
}

void column_print_command(const struct host *host, const struct process *process,
                          struct column_cell *cell)
{
    const char *label = LABEL_OF(process);
    const char *command = process->command;

    (void)host;
    if (process->error != NULL) {
        snprintf(cell->text, sizeof cell->text, "%s: %s", label, process->error);
        cell->role = ROLE_WARNING;
    } else if (process->tag != NULL && command != NULL && strcmp(label, process->tag) == 0) {
        snprintf(cell->text, sizeof cell->text, "%s: %s", label, command);
    } else {
        put(cell, command != NULL ? command : label);
    }
}
