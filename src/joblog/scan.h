// SPDX-License-Identifier: Apache-2.0
// Finds many literals in one pass over the text, whatever the text is: each byte is looked at once
// (Aho and Corasick's automaton).
#ifndef NEUTOP_JOBLOG_SCAN_H
#define NEUTOP_JOBLOG_SCAN_H

#include <stddef.h>

struct scan;

// A new automaton, still without literals; scan_free() ends it.
struct scan *scan_new(void);
void scan_free(struct scan *scan);

// Adds LITERAL (not empty); it is told by VALUE. Several values may have the same literal.
void scan_add(struct scan *scan, const char *literal, unsigned value);

// To be called once, after the last literal and before the first text.
void scan_ready(struct scan *scan);

// Looks through TEXT and calls FOUND for each literal in it, in the order of where they end. START
// is where the literal begins, END the byte behind it.
void scan_text(const struct scan *scan, const char *text, size_t length,
               void (*found)(void *context, unsigned value, size_t start, size_t end),
               void *context);

#endif
