// SPDX-License-Identifier: Apache-2.0
// The header of a NEFF file. Every number is put together byte by byte: no struct is laid over
// bytes from outside.
#include "neff/header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

// Offsets: NEFF reference, section 1.1.
enum {
    AT_PACKAGING = 0,
    AT_HEADER_SIZE = 8,
    AT_DATA_SIZE = 16,
    AT_MAJOR = 24,
    AT_MINOR = 32,
    AT_BUILD = 40,
    BUILD_BYTES = 128,
    AT_CORES = 168,
    AT_HASH = 172,
    AT_UUID = 204,
    UUID_BYTES = 16,
    AT_NAME = 220,
    NAME_BYTES = 256,
    AT_CORES_REQUESTED = 476,
    AT_FEATURES = 544,
    AT_LNC = 552,
    MAJOR_MAX = 8, // beyond it these bytes are something else
    GZIP_MTIME = 4,
    GZIP_HEADER = 10,
    TAR_MAGIC = 257
};

static uint64_t little_endian(const uint8_t *bytes, unsigned count)
{
    uint64_t value = 0;
    for (unsigned i = count; i > 0; i--)
        value = value << 8 | bytes[i - 1];
    return value;
}

static uint64_t u64_at(const uint8_t *bytes, size_t at)
{
    return little_endian(bytes + at, 8);
}

static uint32_t u32_at(const uint8_t *bytes, size_t at)
{
    return (uint32_t)little_endian(bytes + at, 4);
}

static void read_uuid(char text[NEFF_UUID_TEXT], const uint8_t *bytes)
{
    static const char digits[] = "0123456789abcdef";
    bool any = false;
    char *to = text;
    for (unsigned i = 0; i < UUID_BYTES; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *to++ = '-';
        *to++ = digits[bytes[i] >> 4];
        *to++ = digits[bytes[i] & 15];
        any = any || bytes[i] != 0;
    }
    *to = '\0';
    if (!any)
        text[0] = '\0';
}

static void read_fields(struct neff_header *header, const uint8_t *bytes)
{
    header->packaging = u64_at(bytes, AT_PACKAGING);
    header->data_bytes = u64_at(bytes, AT_DATA_SIZE);
    header->major = u64_at(bytes, AT_MAJOR);
    header->minor = u64_at(bytes, AT_MINOR);
    header->features = u64_at(bytes, AT_FEATURES);
    header->cores = u32_at(bytes, AT_CORES);
    header->cores_requested = u32_at(bytes, AT_CORES_REQUESTED);
    header->lnc = u32_at(bytes, AT_LNC);
    header->lnc_given = header->lnc != 0;
    if (!header->lnc_given)
        header->lnc = 1;
    memcpy(header->hash, bytes + AT_HASH, NEFF_HASH_BYTES);
    read_uuid(header->uuid, bytes + AT_UUID);
    text_clean_to(header->name, sizeof(header->name), (const char *)bytes + AT_NAME, NAME_BYTES);
    text_clean_to(header->build, sizeof(header->build), (const char *)bytes + AT_BUILD,
                  BUILD_BYTES);
}

bool neff_header_parse(struct neff_header *header, const uint8_t *bytes, size_t count,
                       uint64_t file_bytes, char why[NEFF_WHY])
{
    memset(header, 0, sizeof(*header));
    if (file_bytes == 0) {
        snprintf(why, NEFF_WHY, "empty file, not a NEFF");
        return false;
    }
    if (file_bytes < NEFF_HEADER_BYTES || count < NEFF_HEADER_BYTES) {
        snprintf(why, NEFF_WHY, "not a NEFF: %" PRIu64 " bytes, and a NEFF's header alone has %d",
                 file_bytes < count ? file_bytes : (uint64_t)count, NEFF_HEADER_BYTES);
        return false;
    }
    read_fields(header, bytes);
    uint64_t header_bytes = u64_at(bytes, AT_HEADER_SIZE), there = file_bytes - NEFF_HEADER_BYTES;
    if (header_bytes != NEFF_HEADER_BYTES)
        snprintf(why, NEFF_WHY, "not a NEFF: at byte 8 a header size of %" PRIu64 ", not %d",
                 header_bytes, NEFF_HEADER_BYTES);
    else if (header->packaging != NEFF_SHA256_FORM && header->packaging != NEFF_GZIP_FORM)
        snprintf(why, NEFF_WHY, "not a NEFF: at byte 0 packaging %" PRIu64 "; 1 and 2 are known",
                 header->packaging);
    else if (header->major > MAJOR_MAX)
        snprintf(why, NEFF_WHY, "not a NEFF: at byte 24 format version %" PRIu64 ".%" PRIu64,
                 header->major, header->minor);
    else if (header->data_bytes > there)
        snprintf(why, NEFF_WHY,
                 "truncated: %" PRIu64 " bytes of payload, and its header says %" PRIu64
                 "; copy or compile it again",
                 there, header->data_bytes);
    else
        return true;
    return false;
}

enum neff_form neff_probe(const uint8_t *bytes, size_t count)
{
    static const uint8_t gzip[] = {0x1f, 0x8b, 0x08}; // deflate is the only method
    static const char ustar[] = {'u', 's', 't', 'a', 'r'};
    if (count >= sizeof(gzip) && memcmp(bytes, gzip, sizeof(gzip)) == 0)
        return NEFF_FORM_GZIP;
    if (count >= TAR_MAGIC + sizeof(ustar) && memcmp(bytes + TAR_MAGIC, ustar, sizeof(ustar)) == 0)
        return NEFF_FORM_TAR;
    return NEFF_FORM_UNKNOWN;
}

uint32_t neff_probe_built(const uint8_t *bytes, size_t count)
{
    if (count < GZIP_HEADER || neff_probe(bytes, count) != NEFF_FORM_GZIP)
        return 0;
    return u32_at(bytes, GZIP_MTIME);
}
