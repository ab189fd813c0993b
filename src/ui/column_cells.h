// SPDX-License-Identifier: Apache-2.0
// The functions of the table of columns; each as its field in struct column says.
#ifndef NEUTOP_UI_COLUMN_CELLS_H
#define NEUTOP_UI_COLUMN_CELLS_H

#include "ui/columns.h"

void column_print_pid(const struct host *host, const struct process *process,
                      struct column_cell *cell);
double column_number_pid(const struct host *host, const struct process *process);
void column_print_inside(const struct host *host, const struct process *process,
                         struct column_cell *cell);
double column_number_inside(const struct host *host, const struct process *process);
const char *column_text_user(const struct process *process);
void column_print_user(const struct host *host, const struct process *process,
                       struct column_cell *cell);
void column_print_state(const struct host *host, const struct process *process,
                        struct column_cell *cell);
double column_number_state(const struct host *host, const struct process *process);
void column_print_chips(const struct host *host, const struct process *process,
                        struct column_cell *cell);
double column_number_chips(const struct host *host, const struct process *process);
void column_print_cores(const struct host *host, const struct process *process,
                        struct column_cell *cell);
double column_number_cores(const struct host *host, const struct process *process);
void column_print_hbm(const struct host *host, const struct process *process,
                      struct column_cell *cell);
double column_number_hbm(const struct host *host, const struct process *process);
void column_print_host(const struct host *host, const struct process *process,
                       struct column_cell *cell);
double column_number_host(const struct host *host, const struct process *process);
void column_print_util(const struct host *host, const struct process *process,
                       struct column_cell *cell);
double column_number_util(const struct host *host, const struct process *process);
void column_print_flops(const struct host *host, const struct process *process,
                        struct column_cell *cell);
double column_number_flops(const struct host *host, const struct process *process);
void column_print_idle(const struct host *host, const struct process *process,
                       struct column_cell *cell);
double column_number_idle(const struct host *host, const struct process *process);
void column_print_age(const struct host *host, const struct process *process,
                      struct column_cell *cell);
double column_number_age(const struct host *host, const struct process *process);
void column_print_cpu(const struct host *host, const struct process *process,
                      struct column_cell *cell);
double column_number_cpu(const struct host *host, const struct process *process);
void column_print_p50(const struct host *host, const struct process *process,
                      struct column_cell *cell);
double column_number_p50(const struct host *host, const struct process *process);
void column_print_p99(const struct host *host, const struct process *process,
                      struct column_cell *cell);
double column_number_p99(const struct host *host, const struct process *process);
void column_print_exec(const struct host *host, const struct process *process,
                       struct column_cell *cell);
double column_number_exec(const struct host *host, const struct process *process);
void column_print_errors(const struct host *host, const struct process *process,
                         struct column_cell *cell);
double column_number_errors(const struct host *host, const struct process *process);
void column_print_models(const struct host *host, const struct process *process,
                         struct column_cell *cell);
double column_number_models(const struct host *host, const struct process *process);
const char *column_text_runtime(const struct process *process);
void column_print_runtime(const struct host *host, const struct process *process,
                          struct column_cell *cell);
const char *column_text_visible(const struct process *process);
void column_print_visible(const struct host *host, const struct process *process,
                          struct column_cell *cell);
const char *column_text_pod(const struct process *process);
void column_print_pod(const struct host *host, const struct process *process,
                      struct column_cell *cell);
const char *column_text_tag(const struct process *process);
void column_print_tag(const struct host *host, const struct process *process,
                      struct column_cell *cell);
const char *column_text_command(const struct process *process);
void column_print_command(const struct host *host, const struct process *process,
                          struct column_cell *cell);

#endif
