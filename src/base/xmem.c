// SPDX-License-Identifier: Apache-2.0
// Memory from libc that is never NULL.
#include "base/xmem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_NO_MEMORY = 70 }; // EX_SOFTWARE of sysexits.h

void xmem_die(const char *what, size_t size)
{
    fprintf(stderr, "neutop: out of memory for %s (%zu bytes)\n", what, size);
    exit(EXIT_NO_MEMORY);
}

void *xmalloc(size_t size)
{
    void *memory = malloc(size == 0 ? 1 : size);
    if (memory == NULL)
        xmem_die("a buffer", size);
    return memory;
}

void *xcalloc(size_t count, size_t size)
{
    void *memory = calloc(count == 0 ? 1 : count, size == 0 ? 1 : size);
    if (memory == NULL)
        xmem_die("a table", count);
    return memory;
}

void *xreallocarray(void *old, size_t count, size_t size)
{
    if (count == 0 || size == 0)
        count = size = 1;
    void *memory = reallocarray(old, count, size);
    if (memory == NULL)
        xmem_die("a growing table", count);
    return memory;
}

char *xstrdup(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(xmalloc(size), text, size);
}

char *xasprintf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        xmem_die("a text", 0);
    va_end(args);
    return text;
}
