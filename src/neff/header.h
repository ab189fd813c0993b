// SPDX-License-Identifier: Apache-2.0
// The header of a NEFF file: 1024 bytes, little-endian, packed, no magic number (NEFF reference,
// section 1.1). Pure: bytes in, fields out.
#ifndef NEUTOP_NEFF_HEADER_H
#define NEUTOP_NEFF_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NEFF_HEADER_BYTES = 1024,
    NEFF_HASH_BYTES = 32,
    NEFF_WHY = 200,                // a line about what is wrong
    NEFF_BUILD_TEXT = 3 * 128 + 1, // a byte that is no character takes three when it is clean
    NEFF_NAME_TEXT = 3 * 256 + 1,
    NEFF_UUID_TEXT = 37
};

enum neff_packaging { NEFF_SHA256_FORM = 1, NEFF_GZIP_FORM = 2 };

struct neff_header {
    uint64_t packaging;    // enum neff_packaging: names the hash; the payload's form is probed
    uint64_t data_bytes;   // payload, its padding included; never more than the file has
    uint64_t major, minor; // of the format
    uint64_t features;     // bits that a runtime must know
    uint32_t cores;        // for efficient execution
    uint32_t cores_requested;
    uint32_t lnc;                // 1 where the header has 0
    bool lnc_given;              // false: the header has 0, as old files do
    char uuid[NEFF_UUID_TEXT];   // "": all zero
    char name[NEFF_NAME_TEXT];   // clean
    char build[NEFF_BUILD_TEXT]; // clean
    uint8_t hash[NEFF_HASH_BYTES];
};

// Reads HEADER from the first COUNT bytes of a file of FILE_BYTES. False with a line in WHY when
// they are not those of a NEFF, or when the file has less payload than its header says. No size in
// the header is believed without the file's own.
bool neff_header_parse(struct neff_header *header, const uint8_t *bytes, size_t count,
                       uint64_t file_bytes, char why[NEFF_WHY]);

// How a payload begins. The packaging number is not asked: both forms have been seen under it.
enum neff_form { NEFF_FORM_UNKNOWN, NEFF_FORM_GZIP, NEFF_FORM_TAR };

// Probes the first COUNT bytes of a payload; 512 are enough.
enum neff_form neff_probe(const uint8_t *bytes, size_t count);

// The time of compilation that the gzip header holds, in seconds since 1970 UTC; 0: unknown.
uint32_t neff_probe_built(const uint8_t *bytes, size_t count);

#endif
