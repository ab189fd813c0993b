// SPDX-License-Identifier: Apache-2.0
// A table of SDK releases from a file, in the form of data/releases.json: for hosts that are newer
// than this neutop.
#ifndef NEUTOP_SOURCE_RELEASES_FILE_H
#define NEUTOP_SOURCE_RELEASES_FILE_H

#include "host/releases.h"
#include "source/source.h"

// The table of the file at PATH. NULL with TROUBLE when it cannot be read or is no such file. What
// is damaged inside is left out; of more than RELEASES_MAX releases the first count. The caller
// frees it.
struct releases *releases_file_read(const char *path, struct trouble *trouble);

// The same of bytes; NULL with WHY (constant text). releases_file_free() ends both.
struct releases *releases_file_parse(const char *text, size_t length, const char **why);

void releases_file_free(struct releases *releases);

#endif
