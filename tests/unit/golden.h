// SPDX-License-Identifier: Apache-2.0
// Texts that tests expect, in files below tests/fixtures. With NEUTOP_UPDATE_GOLDEN=1 in the
// environment the files are written anew: read the difference before you commit it.
#ifndef NEUTOP_TESTS_UNIT_GOLDEN_H
#define NEUTOP_TESTS_UNIT_GOLDEN_H

#include <stddef.h>

// Fails the test when TEXT is not what the file NAME ("ls/busy.txt") holds.
void golden_is(const char *text, const char *name);

// The bytes of a fixture, NUL-terminated; free() it. Fails the test when there is none.
char *golden_read(const char *name);

// Fails the test when a line of TEXT is wider than COLUMNS, ends in a blank, or is not ended.
void golden_fits(const char *text, int columns);

#endif
