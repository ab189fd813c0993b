// SPDX-License-Identifier: Apache-2.0
// One list engine: which row is selected and which part is seen. Rows are known by a key (PID, chip
// ...), so the selection stays with its thing when rows move. Pure.
#ifndef NEUTOP_UI_LIST_H
#define NEUTOP_UI_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct list {
    const uint64_t *keys; // borrowed from the owner of the rows
    size_t count;
    size_t height;   // rows that are seen
    size_t top;      // first row that is seen
    size_t selected; // row; 0 when the list is empty
    uint64_t key;    // of the selected row
    bool any;        // KEY is set
};

// New rows. The selection stays with its key; when that is gone it stays at its place.
void list_rows(struct list *list, const uint64_t *keys, size_t count);

// Rows that are seen from now on; scrolls so that the selection is among them and no room is
// wasted.
void list_height(struct list *list, size_t height);

void list_move(struct list *list, long by);        // of the selection; stops at the ends
void list_page(struct list *list, int by);         // by whole screens
void list_to(struct list *list, size_t row);       // selects ROW, or the last
bool list_to_key(struct list *list, uint64_t key); // false: there is no such row

// Moves what is seen, and the selection with it to the top: for lists without a cursor.
void list_scroll(struct list *list, long by);

// Rows below the last that is seen.
size_t list_below(const struct list *list);

// Selects the next row (BY 1) or the one before (BY -1), starting FROM_HERE at the selected row
// itself, for which MATCH says true; wraps around. False when there is none.
bool list_search(struct list *list, int by, bool from_here,
                 bool (*match)(const void *context, size_t row), const void *context);

#endif
