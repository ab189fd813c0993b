// SPDX-License-Identifier: Apache-2.0
// libarchive's functions, loaded when something is to be inflated, not when the program starts: on
// Debian 12 it brings 14 libraries with it and takes 3.2 MiB, which a monitor would hold all day
// for nothing.
#ifndef NEUTOP_BASE_LIBARCHIVE_H
#define NEUTOP_BASE_LIBARCHIVE_H

#ifdef HAVE_LIBARCHIVE

#include <archive.h>
#include <archive_entry.h>
#include <stdbool.h>

// The functions used, each under its name in the library.
#define LIBARCHIVE_CALLS(CALL)             \
    CALL(archive_read_new)                 \
    CALL(archive_read_free)                \
    CALL(archive_read_append_filter)       \
    CALL(archive_read_support_filter_gzip) \
    CALL(archive_read_support_filter_xz)   \
    CALL(archive_read_support_format_raw)  \
    CALL(archive_read_support_format_tar)  \
    CALL(archive_read_open)                \
    CALL(archive_read_next_header)         \
    CALL(archive_read_data_block)          \
    CALL(archive_entry_pathname)           \
    CALL(archive_entry_filetype)           \
    CALL(archive_filter_bytes)             \
    CALL(archive_error_string)             \
    CALL(archive_set_error)

#define LIBARCHIVE_DECLARE(name) __typeof__(name) *name;

struct libarchive {
    void *library;
    LIBARCHIVE_CALLS(LIBARCHIVE_DECLARE)
    int (*archive_read_support_filter_zstd)(struct archive *); // since 3.3.3, else NULL
};

// False when the library is not there. It stays loaded until libarchive_unload(), which the program
// need not call: to load it for each of many files would cost more than reading them.
bool libarchive_load(struct libarchive *calls);
void libarchive_unload(struct libarchive *calls);

#endif
#endif
