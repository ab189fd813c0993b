// SPDX-License-Identifier: Apache-2.0
// Sets of core or chip indices, and the NEURON_RT_VISIBLE_CORES grammar: "4", "7-15", "0,1,2,3",
// and mixed lists.
#ifndef NEUTOP_HOST_CORE_SET_H
#define NEUTOP_HOST_CORE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CORE_SET_MAX = 4096 }; // indices 0..4095: what the neuron-monitor reference accepts

struct core_set {
    uint64_t bits[CORE_SET_MAX / 64];
};

struct core_set_error {
    size_t at;        // byte offset in the text
    const char *what; // constant text: "a number is missing"
};

// Makes SET empty: a set begins so, or by core_set_parse().
void core_set_clear(struct core_set *set);
bool core_set_add(struct core_set *set, unsigned index); // false: index out of range, set unchanged
bool core_set_has(const struct core_set *set, unsigned index);
// The number of members.
unsigned core_set_count(const struct core_set *set);
bool core_set_empty(const struct core_set *set);
bool core_set_intersects(const struct core_set *a, const struct core_set *b);
// Adds all members of OTHER to INTO.
void core_set_union(struct core_set *into, const struct core_set *other);

// Smallest member >= FROM, or -1.
int core_set_next(const struct core_set *set, unsigned from);

// One run without a gap, as the runtime wants it; also the empty set.
bool core_set_contiguous(const struct core_set *set);

// Parses TEXT. Blanks around items are allowed; empty items, reversed ranges, signs, indices above
// 4095 are not. On failure returns false and fills *ERROR (may be NULL); SET is then empty.
bool core_set_parse(struct core_set *set, const char *text, struct core_set_error *error);

// "0-31", "0-3,8,10-11"; "" for the empty set. Cut at a whole item with ",+" appended when SIZE is
// too small. Returns BUFFER.
char *core_set_format(const struct core_set *set, char *buffer, size_t size);

#endif
