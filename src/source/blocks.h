// SPDX-License-Identifier: Apache-2.0
// A stream of bytes in blocks that overlap, for a search that must not miss what lies across the
// end of one: each block has the end of the one before in front of it.
#ifndef NEUTOP_SOURCE_BLOCKS_H
#define NEUTOP_SOURCE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { BLOCK_CARRY = 256, BLOCK_BYTES = 65536 };

struct blocks {
    // AT is the place of BLOCK in the stream, from 1. True: that is enough.
    bool (*step)(void *user, const char *block, size_t length, uint64_t at);
    void *user;
    bool enough;
    size_t kept;
    uint64_t at;
    char buffer[BLOCK_CARRY + BLOCK_BYTES];
};

// STEP gets each block and USER.
void blocks_begin(struct blocks *blocks,
                  bool (*step)(void *user, const char *block, size_t length, uint64_t at),
                  void *user);

// Takes the next bytes. True when STEP has enough.
bool blocks_push(struct blocks *blocks, const char *bytes, size_t length);

// Takes a file until STEP has enough, its end, or CAP bytes. False when reading failed.
bool blocks_file(struct blocks *blocks, int fd, uint64_t cap);

#endif
