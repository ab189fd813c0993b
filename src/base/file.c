// SPDX-License-Identifier: Apache-2.0
// Files that a person names.
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// The character devices that an open does nothing to: numbers by the kernel's list of devices.
static const struct {
    unsigned first, last;
} harmless[] = {
    {1, 1},     // memory: null, zero, urandom
    {4, 5},     // terminals
    {136, 143}, // pseudo-terminals
};

static bool is_harmless(const struct stat *info)
{
    if (S_ISBLK(info->st_mode))
        return false;
    if (!S_ISCHR(info->st_mode))
        return true;
    for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
        if (major(info->st_rdev) >= harmless[i].first && major(info->st_rdev) <= harmless[i].last)
            return true;
    return false;
}

static int refuse(int error, const char *text, const char **why)
{
    errno = error;
    *why = text;
    return -1;
}

int file_open_named(const char *path, int flags, const char **why)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return refuse(errno, strerror(errno), why);
    if (S_ISDIR(info.st_mode))
        return refuse(EISDIR, strerror(EISDIR), why);
    if (!is_harmless(&info))
        return refuse(ENOTSUP, "is a device, and is not opened", why);
    int fd = open(path, flags | O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return refuse(errno, strerror(errno), why);
    return fd;
}
