// SPDX-License-Identifier: Apache-2.0
// Small files of the host, below the root that was asked for.
#include "source/below.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int below_open(const char *root, const char *path)
{
    char whole[PATH_MAX];
    int length = snprintf(whole, sizeof(whole), "%s%s", root, path);
    if (length < 0 || (size_t)length >= sizeof(whole)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return open(whole, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

bool below_first_line(int fd, char *line, size_t size)
{
    ssize_t got = fd >= 0 ? read(fd, line, size - 1) : -1;
    if (fd >= 0)
        close(fd);
    line[got > 0 ? got : 0] = '\0';
    size_t length = strcspn(line, "\n");
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\r'))
        length--;
    line[length] = '\0';
    return got >= 0;
}

bool below_line(const char *root, const char *path, char *line, size_t size)
{
    return below_first_line(below_open(root, path), line, size);
}
