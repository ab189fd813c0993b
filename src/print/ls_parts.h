// SPDX-License-Identifier: Apache-2.0
// The pieces of `neutop ls`. Private to src/print.
#ifndef NEUTOP_PRINT_LS_PARTS_H
#define NEUTOP_PRINT_LS_PARTS_H

#include "print/grid.h"
#include "print/json_parts.h"
#include "print/ls.h"
#include "print/page.h"

// The processes of all chips, one row each under its chip.
struct ls_processes {
    struct grid grid;
    unsigned *first;   // the first row of each chip, and behind the last one the end
    unsigned left_out; // processes without the runtime, when those are not asked for
};

// Lists the processes that OPTIONS ask for; ls_processes_free() ends it.
void ls_processes_init(struct ls_processes *processes, const struct host *host,
                       const struct ls_options *options);
void ls_processes_free(struct ls_processes *processes);

// It is to be listed under CHIP.
bool ls_listed(const struct process *process, const struct chip *chip,
               const struct ls_options *options);

// The numbers in NEURON_RT_VISIBLE_CORES of those cores of CHIP that are in SET, where HOST counts
// cores otherwise and the driver's core map joins the two; NULL else.
const char *ls_logical_text(char *buffer, size_t size, const struct host *host,
                            const struct chip *chip, const struct core_set *set);

// Sections of a page: how the chips are linked, and a descriptor of each core.
void ls_topology(struct page *page, const struct host *host);
void ls_cores(struct page *page, const struct host *host, const struct ls_options *options);

#endif
