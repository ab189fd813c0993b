// SPDX-License-Identifier: Apache-2.0
// Sets of core or chip indices as a bit map, and the NEURON_RT_VISIBLE_CORES grammar in both
// directions.
#include "host/core_set.h"

#include <stdio.h>
#include <string.h>

enum { WORD_BITS = 64, WORDS = CORE_SET_MAX / WORD_BITS };

void core_set_clear(struct core_set *set)
{
    memset(set, 0, sizeof(*set));
}

bool core_set_add(struct core_set *set, unsigned index)
{
    if (index >= CORE_SET_MAX)
        return false;
    set->bits[index / WORD_BITS] |= UINT64_C(1) << index % WORD_BITS;
    return true;
}

bool core_set_has(const struct core_set *set, unsigned index)
{
    return index < CORE_SET_MAX && (set->bits[index / WORD_BITS] >> index % WORD_BITS & 1) != 0;
}

unsigned core_set_count(const struct core_set *set)
{
    unsigned count = 0;
    for (unsigned i = 0; i < WORDS; i++)
        count += (unsigned)__builtin_popcountll(set->bits[i]);
    return count;
}

bool core_set_empty(const struct core_set *set)
{
    for (unsigned i = 0; i < WORDS; i++)
        if (set->bits[i] != 0)
            return false;
    return true;
}

bool core_set_intersects(const struct core_set *a, const struct core_set *b)
{
    for (unsigned i = 0; i < WORDS; i++)
        if ((a->bits[i] & b->bits[i]) != 0)
            return true;
    return false;
}

void core_set_union(struct core_set *into, const struct core_set *other)
{
    for (unsigned i = 0; i < WORDS; i++)
        into->bits[i] |= other->bits[i];
}

int core_set_next(const struct core_set *set, unsigned from)
{
    if (from >= CORE_SET_MAX)
        return -1;
    uint64_t word = set->bits[from / WORD_BITS] & UINT64_MAX << from % WORD_BITS;
    for (unsigned i = from / WORD_BITS;;) {
        if (word != 0)
            return (int)(i * WORD_BITS) + __builtin_ctzll(word);
        if (++i == WORDS)
            return -1;
        word = set->bits[i];
    }
}

// Where the parser stands.
struct cursor {
    const char *text;
    size_t at;
    struct core_set_error *error;
};

static bool fail(struct cursor *cursor, size_t at, const char *what)
{
    if (cursor->error != NULL)
        *cursor->error = (struct core_set_error){.at = at, .what = what};
    return false;
}

static void skip_blanks(struct cursor *cursor)
{
    while (cursor->text[cursor->at] == ' ' || cursor->text[cursor->at] == '\t')
        cursor->at++;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// One number. An index that is too large is reported where it starts.
static bool parse_index(struct cursor *cursor, unsigned *index)
{
    const size_t start = cursor->at;
    char first = cursor->text[start];
    if (first == '-' || first == '+')
        return fail(cursor, start, "a sign is not allowed");
    if (first == '\0' || first == ',' || first == ' ' || first == '\t')
        return fail(cursor, start, "a number is missing");
    if (!is_digit(first))
        return fail(cursor, start, "this is not a number");
    unsigned value = 0;
    for (; is_digit(cursor->text[cursor->at]); cursor->at++)
        if (value < CORE_SET_MAX)
            value = value * 10 + (unsigned)(cursor->text[cursor->at] - '0');
    if (value >= CORE_SET_MAX)
        return fail(cursor, start, "the index is above 4095");
    *index = value;
    return true;
}

// "N" or "A-B", with blanks before and behind.
static bool parse_item(struct cursor *cursor, struct core_set *set)
{
    unsigned first, last;
    skip_blanks(cursor);
    const size_t start = cursor->at;
    if (!parse_index(cursor, &first))
        return false;
    last = first;
    if (cursor->text[cursor->at] == '-') {
        cursor->at++;
        if (!parse_index(cursor, &last))
            return false;
    }
    if (last < first)
        return fail(cursor, start, "the range runs backwards");
    for (unsigned index = first; index <= last; index++)
        core_set_add(set, index);
    skip_blanks(cursor);
    return true;
}

bool core_set_parse(struct core_set *set, const char *text, struct core_set_error *error)
{
    struct cursor cursor = {.text = text == NULL ? "" : text, .error = error};
    core_set_clear(set);
    while (parse_item(&cursor, set)) {
        char next = cursor.text[cursor.at];
        if (next == '\0')
            return true;
        if (next != ',') {
            fail(&cursor, cursor.at, "a comma is expected");
            break;
        }
        cursor.at++;
    }
    core_set_clear(set);
    return false;
}

// Last member of the run that starts at FIRST.
static unsigned run_end(const struct core_set *set, unsigned first)
{
    while (core_set_has(set, first + 1))
        first++;
    return first;
}

bool core_set_contiguous(const struct core_set *set)
{
    int first = core_set_next(set, 0);
    return first < 0 || core_set_next(set, run_end(set, (unsigned)first) + 1) < 0;
}

char *core_set_format(const struct core_set *set, char *buffer, size_t size)
{
    static const char more[] = ",+";
    size_t used = 0;
    if (size == 0)
        return buffer;
    buffer[0] = '\0';
    for (int first = core_set_next(set, 0); first >= 0;) {
        char item[16];
        unsigned last = run_end(set, (unsigned)first);
        const char *comma = used == 0 ? "" : ",";
        int length = last == (unsigned)first
                         ? snprintf(item, sizeof(item), "%s%d", comma, first)
                         : snprintf(item, sizeof(item), "%s%d-%u", comma, first, last);
        first = core_set_next(set, last + 1);
        // What is still to come needs room for its mark.
        size_t reserve = first >= 0 ? sizeof(more) - 1 : 0;
        if (used + (size_t)length + reserve >= size) {
            const char *mark = used == 0 ? more + 1 : more;
            if (used + strlen(mark) < size)
                memcpy(buffer + used, mark, strlen(mark) + 1);
            break;
        }
        memcpy(buffer + used, item, (size_t)length + 1);
        used += (size_t)length;
    }
    return buffer;
}
