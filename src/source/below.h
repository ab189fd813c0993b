// SPDX-License-Identifier: Apache-2.0
// Small files of the host, below the root that was asked for (--root).
#ifndef NEUTOP_SOURCE_BELOW_H
#define NEUTOP_SOURCE_BELOW_H

#include <stdbool.h>
#include <stddef.h>

// Opens ROOT and PATH for reading, never blocking and never handed on to a child. -1 with errno as
// open() says.
int below_open(const char *root, const char *path);

// The first line of the file at ROOT and PATH, without the white space at its end, at most SIZE - 1
// bytes. False, and "", when it cannot be read.
bool below_line(const char *root, const char *path, char *line, size_t size);

// The first line of FD, likewise; closes FD. -1 for FD is a file that could not be opened.
bool below_first_line(int fd, char *line, size_t size);

#endif
