// SPDX-License-Identifier: Apache-2.0
// Small containers of the screen: rows of a list, and sets of keys.
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "ui/state.h"

// Where KEY is or would be.
static size_t place(const struct keyset *set, uint64_t key)
{
    size_t low = 0, high = set->count;

    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (set->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool keyset_has(const struct keyset *set, uint64_t key)
{
    const size_t at = place(set, key);

    return at < set->count && set->keys[at] == key;
}

void keyset_toggle(struct keyset *set, uint64_t key)
{
    const size_t at = place(set, key);

    if (at < set->count && set->keys[at] == key) {
        set->count--;
        memmove(&set->keys[at], &set->keys[at + 1], (set->count - at) * sizeof set->keys[0]);
        return;
    }
    if (set->count == set->room) {
        set->room = set->room * 2 + 16;
        set->keys = xreallocarray(set->keys, set->room, sizeof set->keys[0]);
    }
    memmove(&set->keys[at + 1], &set->keys[at], (set->count - at) * sizeof set->keys[0]);
    set->keys[at] = key;
    set->count++;
}

void keyset_clear(struct keyset *set)
{
    set->count = 0;
}

void keyset_free(struct keyset *set)
{
    free(set->keys);
    memset(set, 0, sizeof *set);
}

void rows_clear(struct rows *rows)
{
    rows->count = 0;
}

void rows_add(struct rows *rows, enum row_kind kind, unsigned index, int depth, uint64_t key)
{
    if (rows->count == rows->room) {
        rows->room = rows->room * 2 + 32;
        rows->rows = xreallocarray(rows->rows, rows->room, sizeof rows->rows[0]);
        rows->keys = xreallocarray(rows->keys, rows->room, sizeof rows->keys[0]);
    }
    rows->rows[rows->count] = (struct row){kind, index, depth};
    rows->keys[rows->count] = key;
    rows->count++;
}

void rows_free(struct rows *rows)
{
    free(rows->rows);
    free(rows->keys);
    memset(rows, 0, sizeof *rows);
}
