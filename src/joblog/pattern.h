// SPDX-License-Identifier: Apache-2.0
// A small language for what stands behind a literal of a message, matched in one walk without
// going back, so that no text can make it slow.
//
//   blank   one blank or more            ~    none or more
//   %d      a number                     %i   the same, may be negative
//   %x      a hexadecimal number, 0x before it or not
//   %b      a number with B, KB, MB or GB behind it: bytes, in binary units
//   %v      a version: digits and dots   %w   a word: up to a blank or , ; ) " '
//   %t      text up to what follows in the pattern, without blanks at its ends
//   %l      text up to the end of the record
//   %*      passes over text up to what follows in the pattern
//   [...]   may be there or not; no such group within another
//   \c      the character c itself; every other character stands for itself
#ifndef NEUTOP_JOBLOG_PATTERN_H
#define NEUTOP_JOBLOG_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PATTERN_VALUES = 8, PATTERN_REACH = 512 }; // %t, %l and %* look no further

// What one % of a pattern took, in the order of the pattern.
struct taken {
    bool known;
    uint64_t
        number;    // %d %i %x %b; a negative number as its two's complement; too large: the largest
    uint64_t unit; // of %b: bytes in one of the last digit that was given
    const char *text;
    size_t length;
};

// Matches PATTERN at TEXT, which ends at END. Returns the byte behind what matched, NULL when it
// does not match. VALUES takes what the % took; those of a group that was not there are not known.
const char *pattern_match(const char *pattern, const char *text, const char *end,
                          struct taken values[PATTERN_VALUES]);

// The first place of LITERAL in TEXT up to END, at most REACH bytes away; NULL: nowhere.
const char *pattern_find(const char *text, const char *end, const char *literal, size_t length,
                         size_t reach);

static inline bool pattern_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline bool pattern_digit(char c)
{
    return c >= '0' && c <= '9';
}

#endif
