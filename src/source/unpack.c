// SPDX-License-Identifier: Apache-2.0
// Inflates a file within limits.
#include "source/unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/libarchive.h"
#include "base/xmem.h"

enum packing packing_of(const unsigned char *bytes, size_t length)
{
    static const struct {
        enum packing packing;
        size_t length;
        unsigned char magic[6];
    } known[] = {
        {PACKING_GZIP, 3, {0x1f, 0x8b, 8}},
        {PACKING_XZ, 6, {0xfd, '7', 'z', 'X', 'Z', 0}},
        {PACKING_ZSTD, 4, {0x28, 0xb5, 0x2f, 0xfd}},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (length >= known[i].length && memcmp(bytes, known[i].magic, known[i].length) == 0)
            return known[i].packing;
    return PACKING_NONE;
}

#ifdef HAVE_LIBARCHIVE

// As much goes in between two looks at the clock.
enum { CHUNK = 16 * 1024 };

#ifndef ARCHIVE_FILTER_ZSTD // headers before 3.3.3
#define ARCHIVE_FILTER_ZSTD 14
#endif

// What is being inflated; also the context of the library's reads.
struct inflation {
    struct libarchive calls;
    struct archive *archive;
    const struct unpack_limits *limits;
    int fd;
    off_t at;
    size_t out;
    double give_up; // monotonic seconds
    bool too_much;
    char chunk[CHUNK];
};

static double monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool over_limit(struct inflation *inflation)
{
    inflation->too_much = inflation->too_much || inflation->out > inflation->limits->bytes ||
                          monotonic() >= inflation->give_up;
    return inflation->too_much;
}

static la_ssize_t read_chunk(struct archive *archive, void *context, const void **buffer)
{
    struct inflation *inflation = context;
    ssize_t got = -1;
    errno = ECANCELED;
    while (!over_limit(inflation) &&
           (got = pread(inflation->fd, inflation->chunk, CHUNK, inflation->at)) < 0 &&
           errno == EINTR)
        continue;
    if (got < 0) {
        inflation->calls.archive_set_error(archive, errno, "read");
        return -1;
    }
    inflation->at += got;
    *buffer = inflation->chunk;
    return got;
}

// One filter and no guessing, or a file packed a dozen times would be inflated a dozen times. A
// library without a filter of its own would start a program: it is not asked to.
static bool set_up(const struct inflation *inflation, enum packing packing)
{
    const struct libarchive *calls = &inflation->calls;
    const struct {
        int (*support)(struct archive *);
        int code;
    } filters[] = {
        [PACKING_GZIP] = {calls->archive_read_support_filter_gzip, ARCHIVE_FILTER_GZIP},
        [PACKING_XZ] = {calls->archive_read_support_filter_xz, ARCHIVE_FILTER_XZ},
        [PACKING_ZSTD] = {calls->archive_read_support_filter_zstd, ARCHIVE_FILTER_ZSTD},
    };
    return packing != PACKING_NONE && filters[packing].support != NULL &&
           filters[packing].support(inflation->archive) == ARCHIVE_OK &&
           calls->archive_read_append_filter(inflation->archive, filters[packing].code) ==
               ARCHIVE_OK &&
           calls->archive_read_support_format_raw(inflation->archive) == ARCHIVE_OK;
}

static const char *inflate(struct inflation *inflation,
                           bool (*take)(void *user, const char *bytes, size_t length), void *user)
{
    const struct libarchive *calls = &inflation->calls;
    struct archive *archive = inflation->archive;
    struct archive_entry *entry;
    const void *block;
    size_t size;
    la_int64_t offset;
    int result = calls->archive_read_open(archive, inflation, NULL, read_chunk, NULL);
    if (result == ARCHIVE_OK)
        result = calls->archive_read_next_header(archive, &entry);
    while (result == ARCHIVE_OK && (result = calls->archive_read_data_block(
                                        archive, &block, &size, &offset)) == ARCHIVE_OK) {
        inflation->out += size;
        if (over_limit(inflation))
            break;
        if (size > 0 && take(user, block, size))
            return NULL;
    }
    if (inflation->too_much)
        return "it is too large when inflated";
    return result == ARCHIVE_EOF ? NULL : "it is damaged";
}

const char *unpack(int fd, enum packing packing, const struct unpack_limits *limits,
                   bool (*take)(void *user, const char *bytes, size_t length), void *user)
{
    struct inflation *inflation = xcalloc(1, sizeof(*inflation));
    const char *why = "it is compressed, and libarchive is not installed";
    if (libarchive_load(&inflation->calls)) {
        inflation->limits = limits;
        inflation->fd = fd;
        inflation->give_up = monotonic() + limits->seconds;
        inflation->archive = inflation->calls.archive_read_new();
        if (inflation->archive == NULL)
            xmem_die("an archive", 0);
        why = set_up(inflation, packing) ? inflate(inflation, take, user)
                                         : "libarchive cannot read its compression";
        inflation->calls.archive_read_free(inflation->archive);
        libarchive_unload(&inflation->calls);
    }
    free(inflation);
    return why;
}

#else

const char *unpack(int fd, enum packing packing, const struct unpack_limits *limits,
                   bool (*take)(void *user, const char *bytes, size_t length), void *user)
{
    (void)fd, (void)packing, (void)limits, (void)take, (void)user;
    return "it is compressed, and neutop was built without libarchive";
}

#endif
