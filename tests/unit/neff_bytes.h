// SPDX-License-Identifier: Apache-2.0
// NEFF headers for tests, made byte by byte.
#ifndef NEUTOP_TESTS_UNIT_NEFF_BYTES_H
#define NEUTOP_TESTS_UNIT_NEFF_BYTES_H

#include <stdint.h>
#include <string.h>

#include "neff/neff.h"

enum { DATA_BYTES = 10240, FILE_BYTES = NEFF_HEADER_BYTES + DATA_BYTES };

static inline void put_number(uint8_t *bytes, size_t at, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++)
        bytes[at + i] = (uint8_t)(value >> (8 * i));
}

// The header of a NEFF 2.0 for LNC 2 with 10240 bytes of payload.
static inline void good_header(uint8_t bytes[NEFF_HEADER_BYTES])
{
    memset(bytes, 0, NEFF_HEADER_BYTES);
    put_number(bytes, 0, 8, 2);
    put_number(bytes, 8, 8, NEFF_HEADER_BYTES);
    put_number(bytes, 16, 8, DATA_BYTES);
    put_number(bytes, 24, 8, 2);
    put_number(bytes, 168, 4, 3);
    memcpy(bytes + 204, "\x00\xa0\x4c\x53\x5f\xd9\x4f\x07\xbf\xfd\xd5\xea\xcd\xef\xc8\x52", 16);
    memcpy(bytes + 220, "file.neff", 9);
    put_number(bytes, 476, 4, 5);
    put_number(bytes, 544, 8, 0x209c00);
    put_number(bytes, 552, 4, 2);
}

#endif
