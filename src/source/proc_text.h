// SPDX-License-Identifier: Apache-2.0
// A piece of text that need not end with NUL, and the few steps that the parsers of /proc take in
// it. Private to proc_*.c.
#ifndef NEUTOP_SOURCE_PROC_TEXT_H
#define NEUTOP_SOURCE_PROC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct piece {
    const char *start;
    size_t length;
};

static inline bool piece_is(struct piece piece, const char *word)
{
    return piece.length == strlen(word) && memcmp(piece.start, word, piece.length) == 0;
}

static inline bool piece_starts(struct piece piece, const char *word)
{
    return piece.length >= strlen(word) && memcmp(piece.start, word, strlen(word)) == 0;
}

static inline bool piece_ends(struct piece piece, const char *word)
{
    size_t length = strlen(word);
    return piece.length >= length && memcmp(piece.start + piece.length - length, word, length) == 0;
}

// Cuts COUNT bytes off the front.
static inline struct piece piece_from(struct piece piece, size_t count)
{
    return (struct piece){piece.start + count, piece.length - count};
}

// Takes what stands before the next END off the front of REST, and END with it; all of it when
// there is no END. False when nothing is left.
static inline bool piece_next(struct piece *rest, char end, struct piece *taken)
{
    if (rest->length == 0)
        return false;
    const char *at = memchr(rest->start, end, rest->length);
    size_t length = at != NULL ? (size_t)(at - rest->start) : rest->length;
    *taken = (struct piece){rest->start, length};
    *rest = piece_from(*rest, at != NULL ? length + 1 : length);
    return true;
}

static inline struct piece piece_trim(struct piece piece)
{
    while (piece.length > 0 && (piece.start[0] == ' ' || piece.start[0] == '\t'))
        piece = piece_from(piece, 1);
    return piece;
}

// The last component of a path.
static inline struct piece piece_base(struct piece piece)
{
    for (size_t i = piece.length; i-- > 0;)
        if (piece.start[i] == '/')
            return piece_from(piece, i + 1);
    return piece;
}

// The whole piece as a decimal number of at most 20 digits; false when it is none.
static inline bool piece_number(struct piece piece, uint64_t *number)
{
    uint64_t value = 0;
    if (piece.length == 0)
        return false;
    for (size_t i = 0; i < piece.length; i++) {
        unsigned digit = (unsigned)(unsigned char)piece.start[i] - '0';
        if (digit > 9 || value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *number = value;
    return true;
}

#endif
