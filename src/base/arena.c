// SPDX-License-Identifier: Apache-2.0
// Arena: a chain of blocks, each used from its start; arena_reset() keeps the blocks for the next
// snapshot.
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"

enum { BLOCK_BYTES = 16 * 1024, LARGE_BYTES = BLOCK_BYTES / 8 };

struct block {
    struct block *next;
    size_t size;
    size_t used;
    max_align_t data[];
};

struct arena {
    struct block *first;
    struct block *current;
    size_t used;
};

static struct block *block_new(size_t size)
{
    struct block *block = xmalloc(sizeof(*block) + size);
    block->next = NULL;
    block->size = size;
    block->used = 0;
    return block;
}

struct arena *arena_new(void)
{
    struct arena *arena = xcalloc(1, sizeof(*arena));
    arena->first = block_new(BLOCK_BYTES);
    arena->current = arena->first;
    return arena;
}

void arena_free(struct arena *arena)
{
    if (arena == NULL)
        return;
    for (struct block *block = arena->first, *next; block != NULL; block = next) {
        next = block->next;
        free(block);
    }
    free(arena);
}

void arena_reset(struct arena *arena)
{
    for (struct block *block = arena->first; block != NULL; block = block->next)
        block->used = 0;
    arena->current = arena->first;
    arena->used = 0;
}

size_t arena_used(const struct arena *arena)
{
    return arena->used;
}

// A block with SIZE free bytes: a kept one where it fits, else a new one behind the current. A
// large piece gets a block of its own, and what is left of the current one stays in use for small
// pieces.
static struct block *block_with_room(struct arena *arena, size_t size)
{
    struct block *block = arena->current;
    while (block->size - block->used < size && block->next != NULL)
        block = block->next;
    if (block->size - block->used < size) {
        struct block *fresh = block_new(size > LARGE_BYTES ? size : BLOCK_BYTES);
        fresh->next = block->next;
        block->next = fresh;
        block = fresh;
    }
    if (size <= LARGE_BYTES)
        arena->current = block;
    return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    const size_t unit = sizeof(max_align_t);
    if (size > SIZE_MAX / 2)
        xmem_die("an arena piece", size);
    size_t rounded = (size + unit) / unit * unit;
    struct block *block = block_with_room(arena, rounded);
    void *piece = (char *)block->data + block->used;
    block->used += rounded;
    arena->used += rounded;
    return memset(piece, 0, rounded);
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        xmem_die("an arena array", SIZE_MAX);
    return arena_alloc(arena, count * size);
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    if (text == NULL)
        return NULL;
    length = strnlen(text, length);
    char *copy = arena_alloc(arena, length + 1);
    return memcpy(copy, text, length);
}

char *arena_strdup(struct arena *arena, const char *text)
{
    return text == NULL ? NULL : arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        return arena_strdup(arena, "");
    char *text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, args);
    return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}
