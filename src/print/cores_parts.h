// SPDX-License-Identifier: Apache-2.0
// The parts of the text of `neutop cores`. Private to src/print.
#ifndef NEUTOP_PRINT_CORES_PARTS_H
#define NEUTOP_PRINT_CORES_PARTS_H

#include "host/free_cores.h"
#include "host/job.h"
#include "print/page.h"

enum { CORES_TEXT = 64 };

// What is printed.
struct cores_view {
    const struct free_cores *cores;
    struct jobs jobs;
    unsigned *counts; // scratch, one for each job; 0 between uses
};

// The holders of the cores in ONLY (NULL: all) as a table, a line each job, with an empty line
// before it; nothing where nobody holds any.
void cores_holders(struct page *page, const struct cores_view *view, const struct core_set *only);

#endif
