// SPDX-License-Identifier: Apache-2.0
// The columns of the process table: head, width, when they appear, how they print and sort. Pure.
#ifndef NEUTOP_UI_COLUMNS_H
#define NEUTOP_UI_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "host/host.h"
#include "ui/theme.h"

enum { CELL_TEXT = 1024, COLUMNS_MAX = 32 };

// One cell as it will be printed.
struct column_cell {
    char text[CELL_TEXT];
    enum role role;
    bool stale;
};

struct column {
    const char *name; // as in --sort: "hbm"
    const char *head; // "HBM"
    const char *what; // for help and menus
    int width;        // columns, without the blank after it; 0: takes what is left (command)
    bool left;        // text is at the left edge
    int priority;     // 0 always; higher ones appear when there is room
    bool descending;  // largest first is what a person wants to see
    void (*print)(const struct host *host, const struct process *process, struct column_cell *cell);
    // How it sorts: by number (NAN unknown, always last), else by text (NULL unknown).
    double (*number)(const struct host *host, const struct process *process);
    const char *(*text)(const struct process *process);
};

// All columns in the order of the screen; ends with a row whose name is NULL.
const struct column *column_table(void);
const struct column *column_get(const char *name); // NULL when there is none, any case

// The columns that fit: those of priority 0, then by priority. HIDDEN: bit per column of the table
// that the person has switched off; USEFUL: bit per column that has a known value. Returns how many
// are in CHOSEN (at most COLUMNS_MAX).
size_t columns_choose(const struct column **chosen, int width, unsigned long hidden,
                      unsigned long useful);

// Bits of the columns for which one of PROCESSES has a value.
unsigned long columns_useful(const struct host *host, const struct process *const *processes,
                             size_t count);

// Orders two processes by COLUMN: <0, 0, >0; unknown values last in either direction. Ties by PID.
int column_compare(const struct column *column, bool invert, const struct host *host,
                   const struct process *a, const struct process *b);

#endif
