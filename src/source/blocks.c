// SPDX-License-Identifier: Apache-2.0
// Bytes in overlapping blocks.
#include "source/blocks.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void blocks_begin(struct blocks *blocks,
                  bool (*step)(void *user, const char *block, size_t length, uint64_t at),
                  void *user)
{
    blocks->step = step;
    blocks->user = user;
    blocks->enough = false;
    blocks->kept = 0;
    blocks->at = 1;
}

// LENGTH new bytes stand behind what was kept.
static void look(struct blocks *blocks, size_t length)
{
    size_t all = blocks->kept + length;
    blocks->enough = blocks->enough || blocks->step(blocks->user, blocks->buffer, all, blocks->at);
    blocks->kept = all < BLOCK_CARRY ? all : BLOCK_CARRY;
    blocks->at += all - blocks->kept;
    memmove(blocks->buffer, blocks->buffer + all - blocks->kept, blocks->kept);
}

bool blocks_push(struct blocks *blocks, const char *bytes, size_t length)
{
    while (length > 0 && !blocks->enough) {
        size_t piece = length < BLOCK_BYTES ? length : BLOCK_BYTES;
        memcpy(blocks->buffer + blocks->kept, bytes, piece);
        look(blocks, piece);
        bytes += piece;
        length -= piece;
    }
    return blocks->enough;
}

bool blocks_file(struct blocks *blocks, int fd, uint64_t cap)
{
    uint64_t done = 0;
    ssize_t got = 0;
    while (!blocks->enough && done < cap) {
        got = read(fd, blocks->buffer + blocks->kept, BLOCK_BYTES);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        look(blocks, (size_t)got);
        done += (uint64_t)got;
    }
    return got >= 0;
}
