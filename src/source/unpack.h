// SPDX-License-Identifier: Apache-2.0
// Compressed files, as kernel modules are kept on many hosts: gzip, xz and zstd through libarchive.
// Nothing in them is believed: what comes out is counted.
#ifndef NEUTOP_SOURCE_UNPACK_H
#define NEUTOP_SOURCE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

enum packing { PACKING_NONE, PACKING_GZIP, PACKING_XZ, PACKING_ZSTD };

// How a file that begins with these bytes is packed.
enum packing packing_of(const unsigned char *bytes, size_t length);

struct unpack_limits {
    size_t bytes; // that come out
    double seconds;
};

// Inflates the regular file FD and hands it over in pieces until TAKE wants no more. NULL, or why
// it could not be read to its end: too large, damaged, no libarchive. Starts no program.
const char *unpack(int fd, enum packing packing, const struct unpack_limits *limits,
                   bool (*take)(void *user, const char *bytes, size_t length), void *user);

#endif
