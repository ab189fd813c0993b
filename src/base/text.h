// SPDX-License-Identifier: Apache-2.0
// Text from outside is hostile: these make it printable and cut it to columns. Width is what the
// terminal library uses (wcwidth of the process's locale); without a UTF-8 locale every non-ASCII
// character becomes '?'.
#ifndef NEUTOP_BASE_TEXT_H
#define NEUTOP_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

// Reads one character of UTF-8 from TEXT (at most LENGTH bytes, LENGTH > 0). Returns its bytes
// (1..4) and sets *CODE; for a malformed, overlong or surrogate sequence returns 1 and sets *CODE
// to U+FFFD.
size_t text_decode(const char *text, size_t length, uint32_t *code);

// Writes CODE as UTF-8 (1..4 bytes, no NUL) and returns the length; an impossible code is written
// as U+FFFD.
size_t text_encode(uint32_t code, char out[4]);

// Longest text that is taken from outside, in bytes; what is longer ends in an ellipsis.
enum { TEXT_MOST = 4096 };

// A copy of LENGTH bytes of TEXT that is valid UTF-8 on one line and has at most TEXT_MOST bytes:
// control characters (C0, DEL, C1), line separators, bidirectional overrides, zero-width and other
// invisible format characters, and malformed bytes become U+FFFD, and so does a combining mark
// without a base; of combining marks in a row those after the fourth are dropped. Independent of
// the locale. NULL stays NULL.
char *text_clean(struct arena *arena, const char *text, size_t length);

// As text_clean() but into a buffer of SIZE bytes (SIZE > 0), cut at a whole character; TEXT ends
// at its first NUL, after at most LENGTH bytes. NULL gives "". Returns BUFFER.
char *text_clean_to(char *buffer, size_t size, const char *text, size_t length);

// Columns that a clean text takes on the terminal. A character that the locale cannot show counts
// as the '?' that stands for it.
int text_width(const char *text);

// Copies as much of a clean TEXT as fits in COLUMNS into BUFFER of SIZE bytes. When something is
// cut the last column is an ellipsis ('~' when ASCII is set). With ASCII set, other characters
// become '?' per column. Returns the columns used; pads nothing. 4 bytes per column and one more
// always hold the text unless it has combining marks.
int text_fit(char *buffer, size_t size, const char *text, int columns, bool ascii);

// As text_fit() but cuts at the front: "…/model.neff". For paths, whose end tells more.
int text_fit_end(char *buffer, size_t size, const char *text, int columns, bool ascii);

// True when NEEDLE (clean text) occurs in TEXT; upper and lower case are the same for ASCII. An
// empty needle is in every text.
bool text_contains(const char *text, const char *needle);

#endif
