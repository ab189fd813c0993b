// SPDX-License-Identifier: Apache-2.0
// The jobs of a snapshot (host/job.h) as groups of the screen.
#ifndef NEUTOP_UI_GROUP_H
#define NEUTOP_UI_GROUP_H

#include "ui/scope.h"

// Fills groups, members and group_of of SCOPE from its host, in the order of the hosts's processes.
void group_processes(struct scope *scope);

// process_label() into memory of the enclosing block.
#define LABEL_OF(process) process_label((process), (char[GROUP_LABEL]){0}, GROUP_LABEL)

// Errors per second of all kinds but generic, which counts up on healthy jobs (neuron-monitor
// reference, section 3.3), and executions that failed or timed out; unknown when none is known.
struct fact_f64 process_errors(const struct process *process);

#endif
