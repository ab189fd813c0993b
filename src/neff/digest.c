// SPDX-License-Identifier: Apache-2.0
// Hashes with libmd: what libbsd itself is built on, so it is on the host and in memory already.
#include "neff/digest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xmem.h"

#ifdef HAVE_LIBMD
#include <md5.h>
#include <sha2.h>
#include <sys/types.h>

enum { CHUNK = 256 * 1024 };

struct digest {
    bool sha256;
    MD5_CTX md5;
    SHA2_CTX sha2;
};

static void digest_begin(struct digest *digest, bool sha256)
{
    digest->sha256 = sha256;
    if (sha256)
        SHA256Init(&digest->sha2);
    else
        MD5Init(&digest->md5);
}

static void digest_add(struct digest *digest, const uint8_t *bytes, size_t count)
{
    if (digest->sha256)
        SHA256Update(&digest->sha2, bytes, count);
    else
        MD5Update(&digest->md5, bytes, count);
}

// Returns the bytes of the hash.
static size_t digest_end(struct digest *digest, uint8_t hash[NEFF_HASH_BYTES])
{
    if (digest->sha256)
        SHA256Final(hash, &digest->sha2);
    else
        MD5Final(hash, &digest->md5);
    return digest->sha256 ? SHA256_DIGEST_LENGTH : MD5_DIGEST_LENGTH;
}

static bool add_file(struct digest *digest, int fd, uint64_t at, uint64_t left, char why[NEFF_WHY])
{
    uint8_t *chunk = xmalloc(CHUNK);
    ssize_t got = 0;
    while (left > 0) {
        got = pread(fd, chunk, left < CHUNK ? (size_t)left : CHUNK, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        digest_add(digest, chunk, (size_t)got);
        at += (uint64_t)got;
        left -= (uint64_t)got;
    }
    free(chunk);
    if (left > 0)
        snprintf(why, NEFF_WHY, "the hash cannot be verified: %s",
                 got < 0 ? strerror(errno) : "the file has become shorter");
    return left == 0;
}

// Compilers store the four bytes of each word reversed; an older one did not.
static bool same_hash(const uint8_t *stored, const uint8_t *hash, size_t count)
{
    bool plain = true, reversed = true;
    for (size_t i = 0; i < count; i++) {
        plain = plain && stored[i] == hash[i];
        reversed = reversed && stored[i] == hash[i ^ 3];
    }
    return plain || reversed;
}

static bool all_zero(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

enum neff_hash digest_verify(int fd, const struct neff_header *header, char why[NEFF_WHY])
{
    struct digest digest;
    uint8_t hash[NEFF_HASH_BYTES];
    if (all_zero(header->hash, sizeof(header->hash))) {
        snprintf(why, NEFF_WHY, "its header has no hash");
        return NEFF_HASH_NONE;
    }
    digest_begin(&digest, header->packaging == NEFF_SHA256_FORM);
    if (!add_file(&digest, fd, NEFF_HEADER_BYTES, header->data_bytes, why))
        return NEFF_HASH_NONE;
    size_t count = digest_end(&digest, hash);
    return same_hash(header->hash, hash, count) ? NEFF_HASH_OK : NEFF_HASH_BAD;
}

#else

enum neff_hash digest_verify(int fd, const struct neff_header *header, char why[NEFF_WHY])
{
    (void)fd, (void)header;
    snprintf(why, NEFF_WHY, "built without libmd: hashes are not verified");
    return NEFF_HASH_NONE;
}

#endif
