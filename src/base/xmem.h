// SPDX-License-Identifier: Apache-2.0
// Memory from libc that is never NULL: the program ends with one line when there is none.
#ifndef NEUTOP_BASE_XMEM_H
#define NEUTOP_BASE_XMEM_H

#include <stddef.h>

// Each returns memory that the caller ends with free(); a zero size counts as one byte.
void *xmalloc(size_t size) __attribute__((malloc, alloc_size(1), returns_nonnull));
void *xcalloc(size_t count, size_t size) __attribute__((malloc, alloc_size(1, 2), returns_nonnull));
void *xreallocarray(void *old, size_t count, size_t size)
    __attribute__((alloc_size(2, 3), returns_nonnull));
char *xstrdup(const char *text) __attribute__((malloc, returns_nonnull));
char *xasprintf(const char *format, ...)
    __attribute__((malloc, returns_nonnull, format(printf, 1, 2)));

// Ends the program: no memory for WHAT of SIZE bytes. Standard error, exit status 70. The terminal
// owner registers a restorer with atexit(), so the terminal is whole again.
void xmem_die(const char *what, size_t size) __attribute__((noreturn));

#endif
