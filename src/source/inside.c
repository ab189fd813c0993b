// SPDX-License-Identifier: Apache-2.0
// Files of another root folder. What lies there may have been made by somebody who wishes us ill:
// links, pipes and devices in the place of files.
#include "source/inside.h"

#include <bsd/string.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "source/below.h"

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

// Opens for reading what FOUND, an O_PATH descriptor, stands for, and no other file.
static int open_again(int found)
{
    char path[32];
    snprintf(path, sizeof(path), "/proc/self/fd/%d", found);
    return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

// The open alone can change a device (that of a Neuron device takes it for a job), so it is asked
// first what lies there, by a descriptor that opens nothing.
int inside_file(int root, const char *path)
{
    struct stat info;
    int found = inside_open(root, path, O_PATH), fd = -1;
    if (found < 0)
        return -1;
    int error = EINVAL;
    if (fstat(found, &info) == 0 && S_ISREG(info.st_mode)) {
        fd = open_again(found);
        error = errno;
    }
    close(found);
    errno = error;
    return fd;
}

// Only procfs has links that lead where no path does; the errors of a walk do not tell them from a
// loop of links that somebody has made.
static bool is_procfs(int fd)
{
    struct statfs info;
    return fstatfs(fd, &info) == 0 && info.f_type == PROC_SUPER_MAGIC;
}

int inside_process_root(int root, uint64_t pid)
{
    char path[64];
    snprintf(path, sizeof(path), "proc/%llu", (unsigned long long)pid);
    int process = inside_open(root, path, O_PATH | O_DIRECTORY);
    if (process < 0)
        return -1;
    int fd;
    if (is_procfs(process)) {
        fd = openat(process, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
    } else {
        strlcat(path, "/root", sizeof(path));
        fd = inside_open(root, path, O_PATH | O_DIRECTORY);
    }
    int error = errno;
    close(process);
    errno = error;
    return fd;
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
    below_first_line(inside_file(root, path), line, size);
}
