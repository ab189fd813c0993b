// SPDX-License-Identifier: Apache-2.0
// How the reader of /proc opens, lists and reads: relative to folders that stay open, into buffers
// that are kept, and without ever waiting for a file system behind somebody's descriptor.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "source/proc_state.h"
#include "source/proc_text.h"

// As the kernel writes it (getdents64(2)).
struct kernel_entry {
    uint64_t inode;
    int64_t offset;
    uint16_t length;
    uint8_t type;
    char name[];
};

enum { NUMBER_TEXT = 32 };

ssize_t proc_slurp(struct proc *proc, int dir, const char *path)
{
    size_t used = 0;
    ssize_t got = 1;
    int fd = openat(dir, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -1;
    while (used < PROC_TEXT && (got = read(fd, proc->text + used, PROC_TEXT - used)) > 0)
        used += (size_t)got;
    int error = errno;
    close(fd);
    errno = error;
    proc->text[used] = '\0';
    return got < 0 && used == 0 ? -1 : (ssize_t)used;
}

bool proc_dir_open(struct proc *proc, struct proc_dir *list, unsigned level, int dir,
                   const char *path)
{
    *list = (struct proc_dir){.bytes = proc->listing[level]};
    list->fd = openat(dir, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return list->fd >= 0;
}

void proc_dir_close(struct proc_dir *list)
{
    close(list->fd);
}

static const struct kernel_entry *next_entry(struct proc_dir *list)
{
    if (list->at >= list->used) {
        long got = syscall(SYS_getdents64, list->fd, list->bytes, (size_t)PROC_LISTING);
        if (got <= 0)
            return NULL;
        list->at = 0;
        list->used = (size_t)got;
    }
    const struct kernel_entry *entry = (const void *)(list->bytes + list->at);
    list->at += entry->length;
    return entry;
}

bool proc_dir_next(struct proc_dir *list, int *number, uint64_t *inode)
{
    const struct kernel_entry *entry;
    while ((entry = next_entry(list)) != NULL) {
        uint64_t value;
        if (entry->name[0] < '0' || entry->name[0] > '9' ||
            !piece_number((struct piece){entry->name, strlen(entry->name)}, &value) ||
            value > INT32_MAX)
            continue;
        *number = (int)value;
        if (inode != NULL)
            *inode = entry->inode;
        return true;
    }
    return false;
}

bool proc_node_at(int dir, const char *path, unsigned *major_number, unsigned *minor_number)
{
#ifdef AT_STATX_DONT_SYNC
    struct statx node;
    if (statx(dir, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE, &node) != 0 ||
        !S_ISCHR(node.stx_mode))
        return false;
    *major_number = node.stx_rdev_major;
    *minor_number = node.stx_rdev_minor;
#else
    struct stat node;
    if (fstatat(dir, path, &node, 0) != 0 || !S_ISCHR(node.st_mode))
        return false;
    *major_number = major(node.st_rdev);
    *minor_number = minor(node.st_rdev);
#endif
    return true;
}

static int device_at(const struct proc *proc, int dir, const char *path)
{
    unsigned major_number, minor_number;
    if (!proc_node_at(dir, path, &major_number, &minor_number) ||
        (int)major_number != proc->major || minor_number >= PROC_DEVICES_MAX)
        return -1;
    return (int)minor_number;
}

int proc_device_of(const struct proc *proc, int dir, int fd)
{
    char name[NUMBER_TEXT], target[PROC_NAME];
    snprintf(name, sizeof(name), "%d", fd);
    if (!proc->captured)
        return device_at(proc, dir, name);
    ssize_t length = readlinkat(dir, name, target, sizeof(target));
    return length > 0 ? proc_parse_node(target, (size_t)length) : -1;
}

int proc_device_mapped(const struct proc *proc, int dir, const struct proc_mapping *mapping)
{
    char path[sizeof("root") + PROC_NAME];
    if (proc->captured)
        return mapping->device;
    snprintf(path, sizeof(path), "root%s", mapping->path); // a container may have renamed the node
    int device = device_at(proc, dir, path);
    return device >= 0 ? device : mapping->device;
}

int proc_open_process(const struct proc *proc, int pid)
{
    char name[NUMBER_TEXT];
    snprintf(name, sizeof(name), "%d", pid);
    return openat(proc->dir, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

bool proc_read_stat(struct proc *proc, int dir, struct proc_stat *stat)
{
    ssize_t length = proc_slurp(proc, dir, "stat");
    return length > 0 && proc_parse_stat(proc->text, (size_t)length, stat);
}
