// SPDX-License-Identifier: Apache-2.0
// Exchanges a configuration file for one with other settings: in one step, and only a file that is
// the person's own.
#include "cmd/confsave.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xmem.h"

static const off_t LARGEST = 256 * 1024;
static const char NEW_FILE[] = "# Saved by neutop (F2, w); neutop.conf(5) tells of all keys.\n";

// The file as it is, while it is being exchanged.
struct target {
    char path[PATH_MAX]; // links followed
    bool exists;
    struct stat info;
    char *text;
    size_t size;
};

// Refusals are constant texts; an errno is told in its words. NULL: fine.
static const char *open_parent(const char *path, int *fd)
{
    char folder[PATH_MAX];
    const size_t length = (size_t)(strrchr(path, '/') - path);

    memcpy(folder, path, length);
    strcpy(folder + length, length == 0 ? "/" : "");
    *fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return *fd < 0 ? strerror(errno) : NULL;
}

// What root writes where somebody else may exchange folders and links lands anywhere.
static const char *check_parent(const char *path)
{
    struct stat info;
    int fd;
    const char *why = open_parent(path, &fd);

    if (why != NULL)
        return why;
    if (fstat(fd, &info) != 0)
        why = strerror(errno);
    else if (geteuid() == 0 && info.st_uid != 0)
        why = "its folder is another user's, and root writes nothing there";
    close(fd);
    return why;
}

// Makes the folders above PATH. As root none below a folder of somebody else.
static const char *make_folders(const char *path)
{
    char folder[PATH_MAX];
    struct stat info;

    for (const char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        const size_t length = (size_t)(slash - path);
        memcpy(folder, path, length);
        folder[length] = '\0';
        if (stat(folder, &info) == 0)
            continue;
        const char *why = check_parent(folder);
        if (why != NULL)
            return why;
        if (mkdir(folder, 0700) != 0 && errno != EEXIST)
            return strerror(errno);
    }
    return NULL;
}

static const char *check_file(const struct stat *info)
{
    if (!S_ISREG(info->st_mode))
        return "it is no regular file";
    if (info->st_uid != geteuid())
        return "it is another user's file";
    if ((info->st_mode & 0222) == 0)
        return "it is read-only";
    return info->st_size > LARGEST ? "it is too large for a configuration" : NULL;
}

static const char *read_whole(struct target *target, int fd)
{
    const size_t room = (size_t)LARGEST + 1;

    target->text = xmalloc(room);
    for (ssize_t got = 1; got > 0 && target->size < room; target->size += (size_t)got) {
        got = read(fd, target->text + target->size, room - target->size);
        if (got < 0)
            return strerror(errno);
    }
    return target->size == room ? "it is too large for a configuration" : NULL;
}

static const char *read_target(struct target *target)
{
    int fd = open(target->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

    if (fd < 0)
        return strerror(errno);
    const char *why = fstat(fd, &target->info) != 0 ? strerror(errno) : check_file(&target->info);
    if (why == NULL)
        why = read_whole(target, fd);
    target->exists = true;
    close(fd);
    return why;
}

// A link is followed when it is the person's own, or root's.
static const char *find_target(struct target *target, const char *path)
{
    struct stat link;
    const bool there = lstat(path, &link) == 0;

    if (there && S_ISLNK(link.st_mode) && link.st_uid != geteuid() && link.st_uid != 0)
        return "it is another user's link";
    if (realpath(path, target->path) != NULL)
        return read_target(target);
    if (errno != ENOENT)
        return strerror(errno);
    if (there)
        return "it is a link that leads nowhere";
    const char *why = make_folders(path);
    if (why == NULL)
        snprintf(target->path, sizeof(target->path), "%s", path);
    return why;
}

static bool write_whole(int fd, const char *text, size_t size)
{
    for (ssize_t wrote; size > 0; text += wrote, size -= (size_t)wrote) {
        wrote = write(fd, text, size);
        if (wrote < 0)
            return false;
    }
    return true;
}

// Mode and group of the old file; where the group cannot be kept it gets no rights.
static bool keep_rights(int fd, const struct target *target)
{
    struct stat now;
    mode_t mode = target->info.st_mode & 0777;

    if (!target->exists) {
        const mode_t mask = umask(0);
        umask(mask);
        return fchmod(fd, 0666 & ~mask) == 0;
    }
    if (fstat(fd, &now) != 0)
        return false;
    if (now.st_gid != target->info.st_gid && fchown(fd, (uid_t)-1, target->info.st_gid) != 0)
        mode &= 0707;
    return fchmod(fd, mode) == 0;
}

static const char *exchange(const struct target *target, const char *text, size_t size)
{
    char beside[PATH_MAX];
    const int length = snprintf(beside, sizeof(beside), "%s.XXXXXX", target->path);

    if (length < 0 || (size_t)length >= sizeof(beside))
        return strerror(ENAMETOOLONG);
    int fd = mkostemp(beside, O_CLOEXEC);
    if (fd < 0)
        return strerror(errno);
    bool fine = keep_rights(fd, target) && write_whole(fd, text, size) && fsync(fd) == 0;
    int error = errno;
    close(fd);
    if (fine && rename(beside, target->path) == 0)
        return NULL;
    error = fine ? errno : error;
    unlink(beside);
    return strerror(error);
}

static const char *save(struct target *target, const char *path, const struct ui_setting *settings,
                        size_t count, bool *changed)
{
    const char *why = path[0] != '/' ? "its name is no absolute one" : find_target(target, path);
    if (why == NULL)
        why = check_parent(target->path);
    if (why != NULL)
        return why;
    const bool fresh = !target->exists;
    size_t size;
    char *text = confsave_edit(fresh ? NEW_FILE : target->text,
                               fresh ? sizeof(NEW_FILE) - 1 : target->size, settings, count, &size);
    *changed = fresh || size != target->size || memcmp(text, target->text, size) != 0;
    if (*changed)
        why = exchange(target, text, size);
    free(text);
    return why;
}

bool confsave_write(const char *path, const struct ui_setting *settings, size_t count, char *said,
                    size_t size)
{
    struct target target = {.text = NULL};
    bool changed = false;
    const char *why = save(&target, path, settings, count, &changed);

    if (why != NULL)
        snprintf(said, size, "not saved: %s (%s)", why, path);
    else
        snprintf(said, size, changed ? "saved in %s" : "%s has it like this already", path);
    free(target.text);
    return why == NULL;
}
