// SPDX-License-Identifier: Apache-2.0
// Walks the tar archive in a payload. Nothing in it is believed: each block is counted as it comes
// out, whatever sizes the archive announces.
#include "neff/members.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/libarchive.h"
#include "base/text.h"
#include "base/xmem.h"

#ifdef HAVE_LIBARCHIVE
// 16 KiB of gzip are at most 16 MiB of payload: so far may one step go beyond a limit.
enum { CHUNK = 16 * 1024 };

static const char *const patterns[MEMBERS] = {"info.json", "kelf-*.json"};

// What is being walked; also the context of the library's reads.
struct walk {
    const struct libarchive *calls;
    struct archive *archive;
    struct members *members;
    const struct neff_limits *limits;
    int fd;
    uint64_t at, end; // in the file
    double give_up;   // monotonic seconds
    bool gave_up, too_slow;
    bool oversized[MEMBERS]; // there, but too large to be ours
    int failed;              // errno of a read that failed
    uint8_t chunk[CHUNK];
};

static double monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool over_limit(struct walk *walk)
{
    int64_t inflated = walk->calls->archive_filter_bytes(walk->archive, 0);
    walk->too_slow = walk->too_slow || monotonic() >= walk->give_up;
    walk->gave_up = walk->gave_up || walk->too_slow || inflated >= (int64_t)walk->limits->bytes;
    return walk->gave_up;
}

static la_ssize_t read_chunk(struct archive *archive, void *context, const void **buffer)
{
    struct walk *walk = context;
    uint64_t left = walk->end - walk->at;
    size_t wanted = left < CHUNK ? (size_t)left : CHUNK;
    ssize_t got;
    if (over_limit(walk)) {
        walk->calls->archive_set_error(archive, ECANCELED, "limit reached");
        return -1;
    }
    do
        got = pread(walk->fd, walk->chunk, wanted, (off_t)walk->at);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
        walk->failed = errno;
        walk->calls->archive_set_error(archive, errno, "read");
        return -1;
    }
    walk->at += (uint64_t)got;
    *buffer = walk->chunk;
    return got;
}

static int member_of(const char *path)
{
    while (path != NULL && strncmp(path, "./", 2) == 0)
        path += 2;
    for (int i = 0; path != NULL && i < MEMBERS; i++)
        if (fnmatch(patterns[i], path, FNM_PATHNAME) == 0)
            return i;
    return -1;
}

// Takes the blocks of the entry at hand; those of MEMBER (-1: of none) are kept. What has holes is
// none of ours. False when the walk is over.
static bool take_entry(struct walk *walk, int member)
{
    struct members *members = walk->members;
    const void *block;
    size_t size;
    la_int64_t offset;
    int result;
    char *text = member >= 0 ? xmalloc(MEMBER_BYTES_MAX) : NULL;
    size_t length = 0;
    while ((result = walk->calls->archive_read_data_block(walk->archive, &block, &size, &offset)) ==
           ARCHIVE_OK) {
        if (text != NULL && (offset != (la_int64_t)length || size > MEMBER_BYTES_MAX - length)) {
            free(text);
            text = NULL;
            walk->oversized[member] = true;
        }
        if (text != NULL && size > 0)
            memcpy(text + length, block, size);
        length += size;
        if (over_limit(walk))
            break;
    }
    if (text != NULL && result == ARCHIVE_EOF) {
        members->text[member] = text;
        members->length[member] = length;
    } else {
        free(text);
    }
    return result == ARCHIVE_EOF;
}

static void no_library(struct members *members, const char *why)
{
    members->outcome = NEFF_NO_LIBRARY;
    snprintf(members->why, sizeof(members->why), "%s: only the header is read", why);
}

static bool have_all(const struct members *members)
{
    return members->text[MEMBER_INFO] != NULL && members->text[MEMBER_KELF] != NULL;
}

// Which of the members is wanting, and why.
static void missing(struct walk *walk)
{
    struct members *members = walk->members;
    int which = members->text[MEMBER_INFO] == NULL ? MEMBER_INFO : MEMBER_KELF;
    members->outcome = NEFF_MISSING;
    if (walk->oversized[which])
        snprintf(members->why, sizeof(members->why), "%s has more than %d KiB", patterns[which],
                 MEMBER_BYTES_MAX >> 10);
    else
        snprintf(members->why, sizeof(members->why), "the payload has no %s", patterns[which]);
}

static void gave_up(struct walk *walk)
{
    struct members *members = walk->members;
    members->outcome = NEFF_GAVE_UP;
    if (walk->too_slow)
        snprintf(members->why, sizeof(members->why),
                 "%s and %s were not found within %.0f s of reading", patterns[MEMBER_INFO],
                 patterns[MEMBER_KELF], walk->limits->seconds);
    else
        snprintf(members->why, sizeof(members->why),
                 "%s and %s are not both in the first %" PRIu64 " MiB of the payload",
                 patterns[MEMBER_INFO], patterns[MEMBER_KELF], walk->limits->bytes >> 20);
}

static void damaged(struct walk *walk)
{
    char error[NEFF_WHY / 2];
    const char *text = walk->failed != 0 ? strerror(walk->failed)
                                         : walk->calls->archive_error_string(walk->archive);
    text_clean_to(error, sizeof(error), text, text != NULL ? strlen(text) : 0);
    walk->members->outcome = NEFF_DAMAGED;
    snprintf(walk->members->why, sizeof(walk->members->why), "the payload is damaged: %s",
             error[0] != '\0' ? error : "no tar archive in it");
}

static void conclude(struct walk *walk, int result)
{
    if (have_all(walk->members))
        walk->members->outcome = NEFF_COMPLETE;
    else if (walk->gave_up)
        gave_up(walk);
    else if (result == ARCHIVE_EOF)
        missing(walk);
    else
        damaged(walk);
}

static void walk_archive(struct walk *walk)
{
    const struct libarchive *calls = walk->calls;
    struct archive_entry *entry;
    int result = calls->archive_read_open(walk->archive, walk, NULL, read_chunk, NULL);
    bool more = result == ARCHIVE_OK;
    while (more && !have_all(walk->members)) {
        result = calls->archive_read_next_header(walk->archive, &entry);
        if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
            break;
        int member = member_of(calls->archive_entry_pathname(entry));
        if (calls->archive_entry_filetype(entry) != AE_IFREG ||
            (member >= 0 && walk->members->text[member] != NULL))
            member = -1;
        more = take_entry(walk, member);
        result = more ? ARCHIVE_OK : ARCHIVE_FATAL;
    }
    conclude(walk, result);
}

void members_read(struct members *members, int fd, const struct neff_header *header,
                  const struct neff_limits *limits)
{
    struct libarchive calls;
    memset(members, 0, sizeof(*members));
    if (!libarchive_load(&calls)) {
        no_library(members, "libarchive.so.13 is not installed");
        return;
    }
    struct walk *walk = xcalloc(1, sizeof(*walk));
    walk->calls = &calls;
    walk->archive = calls.archive_read_new();
    walk->members = members;
    walk->limits = limits;
    walk->fd = fd;
    walk->at = NEFF_HEADER_BYTES;
    walk->end = NEFF_HEADER_BYTES + header->data_bytes;
    walk->give_up = monotonic() + limits->seconds;
    if (walk->archive == NULL)
        xmem_die("an archive", 0);
    // A library without gzip of its own would start a program for it.
    if (calls.archive_read_support_filter_gzip(walk->archive) != ARCHIVE_OK ||
        calls.archive_read_support_format_tar(walk->archive) != ARCHIVE_OK)
        no_library(members, "libarchive cannot read gzip");
    else
        walk_archive(walk);
    calls.archive_read_free(walk->archive);
    free(walk);
}

#else

void members_read(struct members *members, int fd, const struct neff_header *header,
                  const struct neff_limits *limits)
{
    (void)fd, (void)header, (void)limits;
    *members = (struct members){.outcome = NEFF_NO_LIBRARY,
                                .why = "built without libarchive: only the header is read"};
}

#endif
