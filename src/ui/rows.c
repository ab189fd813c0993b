// SPDX-License-Identifier: Apache-2.0
// Small containers of the screen: rows of a list, and sets of keys.
#include <bsd/string.h>
#include <math.h>
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

void stale_mark(char *text, size_t size, bool stale)
{
    if (stale)
        strlcat(text, "~", size);
}

enum role busy_role(struct fact_f64 percent)
{
    if (!known_f64(percent))
        return ROLE_UNKNOWN;
    if (percent.stale)
        return ROLE_STALE;
    return percent.value < 30 ? ROLE_BUSY_LOW : percent.value < 80 ? ROLE_BUSY_MID : ROLE_BUSY_HIGH;
}

double percent_of(struct fact_u64 part, struct fact_u64 whole)
{
    if (!known_u64(part) || !known_u64(whole) || whole.value == 0)
        return (double)NAN;
    return 100.0 * (double)part.value / (double)whole.value;
}

enum role memory_role(struct fact_u64 used, struct fact_u64 total)
{
    return percent_of(used, total) >= 90.0 ? ROLE_MEMORY_HIGH : ROLE_MEMORY;
}
