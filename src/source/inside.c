// SPDX-License-Identifier: Apache-2.0
// Files of another root folder. What lies there may have been made by somebody who wishes us ill:
// links, pipes and devices in the place of files.
#include "source/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef SYS_openat2
#include <linux/openat2.h>
#endif

int inside_open(int root, const char *path, int flags)
{
    flags |= O_CLOEXEC;
    if ((flags & O_PATH) == 0) // openat2() refuses what has no meaning with O_PATH
        flags |= O_RDONLY | O_NONBLOCK | O_NOCTTY;
#ifdef SYS_openat2
    struct open_how how = {.flags = (unsigned)flags,
                           .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
    long fd = syscall(SYS_openat2, root, path, &how, sizeof(how));
    if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
        return (int)fd;
#endif
    path += strspn(path, "/");
    return openat(root, *path != '\0' ? path : ".", flags | O_NOFOLLOW);
}

int inside_file(int root, const char *path)
{
    struct stat info;
    int fd = inside_open(root, path, 0);
    if (fd < 0 || (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)))
        return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

DIR *inside_folder(int root, const char *path)
{
    int fd = inside_open(root, path, O_DIRECTORY);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (dir == NULL && fd >= 0)
        close(fd);
    return dir;
}

void inside_line(int root, const char *path, char *line, size_t size)
{
    int fd = inside_file(root, path);
    ssize_t got = fd >= 0 ? read(fd, line, size - 1) : -1;
    if (fd >= 0)
        close(fd);
    line[got > 0 ? got : 0] = '\0';
    size_t length = strcspn(line, "\n");
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\r'))
        length--;
    line[length] = '\0';
}
