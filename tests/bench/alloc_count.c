// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program: counts what it asks of malloc and its relatives, and writes the count
// at the end to the file that ALLOC_COUNT_FILE names. Counting is all it does: the memory still
// comes from libc.
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// glibc's own names of its allocator.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static atomic_ulong calls, bytes;

static void count(size_t size)
{
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
}

void *malloc(size_t size)
{
    count(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    count(number * size);
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size)
{
    count(size);
    return __libc_realloc(old, size);
}

static void __attribute__((destructor)) report(void)
{
    const char *path = getenv("ALLOC_COUNT_FILE");
    char line[64];
    int length = snprintf(line, sizeof line, "%lu %lu\n", atomic_load(&calls), atomic_load(&bytes));
    int fd = path != NULL ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;

    if (fd >= 0 && write(fd, line, (size_t)length) != length)
        perror(path);
    if (fd >= 0)
        close(fd);
}
