// SPDX-License-Identifier: Apache-2.0
// Arena: memory that is handed out piece by piece and given back as a whole. One snapshot lives in
// one arena.
#ifndef NEUTOP_BASE_ARENA_H
#define NEUTOP_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

// A new, empty arena; dies when memory is exhausted. The caller ends it with arena_free().
struct arena *arena_new(void);

// Gives back the arena and every piece of it. NULL is allowed.
void arena_free(struct arena *arena);

// Forgets every piece but keeps the memory for reuse (a steady tick allocates nothing from libc).
void arena_reset(struct arena *arena);

// Bytes handed out since arena_new() or arena_reset(), for tests and for the benchmark.
size_t arena_used(const struct arena *arena);

// SIZE zeroed bytes, aligned for any type. Never NULL; SIZE 0 gives a valid, unique pointer.
void *arena_alloc(struct arena *arena, size_t size);

// COUNT zeroed elements of SIZE bytes; dies on overflow of the product.
void *arena_array(struct arena *arena, size_t count, size_t size);

// Copies of text; NULL stays NULL (unknown). The result is NUL-terminated and lives as long as the
// arena.
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);

// Text made as by printf.
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, count, type) ((type *)arena_array((arena), (count), sizeof(type)))

#endif
