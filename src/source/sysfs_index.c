// SPDX-License-Identifier: Apache-2.0
// Walks a device's directory once and keeps the files of the metrics in it. The tree may be a
// hostile copy: nothing but regular files is opened, no link is followed, depth is bounded.
#include "source/sysfs_index.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "source/sysfs_value.h"

enum {
    WALK_DEPTH = 8,
    OTHER_DESCRIPTORS = 160, // left to the rest of the program
    ROOM_MAX = 8192,         // each open file of sysfs costs the kernel about 5 KiB
    CORES_STEP = 8
};

struct walk {
    struct sysfs_index *index;
    char path[PATH_MAX];
};

void sysfs_room_raise(struct sysfs_room *room, long wanted)
{
    struct rlimit limit;
    wanted = wanted < ROOM_MAX ? wanted : ROOM_MAX;
    room->limit = 0;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    rlim_t most = (rlim_t)(wanted + OTHER_DESCRIPTORS);
    if (limit.rlim_cur < most && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = most < limit.rlim_max ? most : limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur > OTHER_DESCRIPTORS)
        room->limit = limit.rlim_cur < most ? (long)limit.rlim_cur - OTHER_DESCRIPTORS : wanted;
}

static bool is_skipped(const char *name, unsigned depth)
{
    if (name[0] == '.')
        return true;
    // the kernel's own, of every device
    return depth == 0 && (strcmp(name, "power") == 0 || strcmp(name, "subsystem") == 0 ||
                          strcmp(name, "device") == 0);
}

static unsigned char kind_of(int dir, const struct dirent *entry)
{
    struct stat info;
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type;
    if (fstatat(dir, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return DT_UNKNOWN;
    return S_ISDIR(info.st_mode) ? DT_DIR : S_ISREG(info.st_mode) ? DT_REG : DT_UNKNOWN;
}

// Makes room for core K, all its files not there.
static void add_core(struct sysfs_index *index, int core)
{
    unsigned wanted = ((unsigned)core / CORES_STEP + 1) * CORES_STEP;
    unsigned have = (index->core_end + CORES_STEP - 1) / CORES_STEP * CORES_STEP;
    if (wanted > have) {
        struct sysfs_file(*bigger)[CORE_METRICS] =
            arena_array(index->arena, wanted, sizeof(*bigger));
        for (unsigned k = 0; k < wanted; k++)
            for (unsigned m = 0; m < CORE_METRICS; m++)
                bigger[k][m].fd = -1;
        if (have > 0)
            memcpy(bigger, index->core, have * sizeof(*bigger));
        index->core = bigger;
    }
    index->has_core[core] = true;
    if (index->core_end < (unsigned)core + 1)
        index->core_end = (unsigned)core + 1;
}

// A candidate that only its name speaks for is looked into where the name says little.
static bool looks_right(const struct walk *walk, struct sysfs_match match)
{
    char text[64];
    if (match.rank != RANK_LEAF || match.core >= 0 || match.metric != CHIP_POWER)
        return true;
    int fd = openat(walk->index->dir, walk->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return false;
    ssize_t got = read(fd, text, sizeof(text));
    close(fd);
    return got > 13 && memcmp(text, "POWER_STATUS_", 13) == 0;
}

static void add_file(struct walk *walk)
{
    struct sysfs_index *index = walk->index;
    struct sysfs_match match = sysfs_match(walk->path);
    index->files++;
    if (match.rank == RANK_NONE || !looks_right(walk, match))
        return;
    if (match.core >= 0 && !index->has_core[match.core])
        add_core(index, match.core);
    struct sysfs_file *file =
        match.core < 0 ? &index->chip[match.metric] : &index->core[match.core][match.metric];
    index->found += file->path == NULL;
    if (file->path != NULL && file->rank >= match.rank) {
        file->ambiguous = file->ambiguous || file->rank == match.rank;
        return;
    }
    *file = (struct sysfs_file){
        .path = arena_strdup(index->arena, walk->path), .fd = -1, .rank = (uint8_t)match.rank};
}

static void walk_dir(struct walk *walk, size_t length, unsigned depth);

static void walk_entry(struct walk *walk, size_t length, unsigned depth, const char *parent,
                       const char *name, unsigned char kind)
{
    int written = snprintf(walk->path + length, sizeof(walk->path) - length, "%s%s",
                           length > 0 ? "/" : "", name);
    if (written < 0 || (size_t)written >= sizeof(walk->path) - length)
        return;
    if (kind == DT_REG)
        add_file(walk);
    if (kind != DT_DIR || depth >= WALK_DEPTH)
        return;
    int core = sysfs_core_of(name, parent);
    if (core >= 0 && !walk->index->has_core[core])
        add_core(walk->index, core);
    walk_dir(walk, length + (size_t)written, depth + 1);
}

// Walks what is below the first LENGTH bytes of the path.
static void walk_dir(struct walk *walk, size_t length, unsigned depth)
{
    walk->path[length] = '\0';
    int fd = openat(walk->index->dir, length > 0 ? walk->path : ".",
                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (dir == NULL) {
        if (fd >= 0)
            close(fd);
        return;
    }
    char parent[NAME_MAX + 1] = "";
    const char *slash = strrchr(walk->path, '/');
    snprintf(parent, sizeof(parent), "%.*s", NAME_MAX, slash != NULL ? slash + 1 : walk->path);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (!is_skipped(entry->d_name, depth))
            walk_entry(walk, length, depth, parent, entry->d_name, kind_of(dirfd(dir), entry));
    closedir(dir);
}

bool sysfs_index_open(struct sysfs_index *index, int base, const char *name, bool copied)
{
    struct walk walk = {.index = index, .path = ""};
    *index = (struct sysfs_index){.dir = openat(base, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                                  .copied = copied};
    if (index->dir < 0)
        return false;
    index->arena = arena_new();
    for (unsigned m = 0; m < CHIP_METRICS; m++)
        index->chip[m].fd = -1;
    walk_dir(&walk, 0, 0);
    return true;
}

static void file_close(struct sysfs_file *file, struct sysfs_room *room)
{
    if (file->fd >= 0) {
        close(file->fd);
        room->open--;
    } else if (file->every_tick) {
        room->wanted--;
    }
    file->fd = -1;
    file->every_tick = false;
}

void sysfs_index_close(struct sysfs_index *index, struct sysfs_room *room)
{
    if (index->arena == NULL)
        return;
    for (unsigned m = 0; m < CHIP_METRICS; m++)
        file_close(&index->chip[m], room);
    for (unsigned k = 0; k < index->core_end; k++)
        for (unsigned m = 0; m < CORE_METRICS; m++)
            file_close(&index->core[k][m], room);
    close(index->dir);
    arena_free(index->arena);
    *index = (struct sysfs_index){.dir = -1};
}

void sysfs_file_every_tick(struct sysfs_file *file, struct sysfs_room *room, bool watched)
{
    if (file->path == NULL || file->ambiguous || file->every_tick)
        return;
    file->every_tick = true;
    file->watched = watched;
    if (file->fd < 0)
        room->wanted++;
}

static ssize_t read_at_start(int fd, char *text)
{
    ssize_t got;
    do
        got = pread(fd, text, SYSFS_TEXT, 0);
    while (got < 0 && errno == EINTR);
    return got < 0 ? -errno : got;
}

static int file_open(const struct sysfs_index *index, struct sysfs_file *file)
{
    int fd = openat(index->dir, file->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) {
        file->denied = errno == EACCES || errno == EPERM;
        return -errno;
    }
    return fd;
}

// Whether FILE, just opened, may stay so.
static bool may_stay(const struct sysfs_file *file, const struct sysfs_room *room)
{
    return room->open < room->limit - (file->every_tick ? 0 : room->wanted);
}

// In a copied tree the open FILE may have been exchanged for another of its name.
static void drop_replaced(struct sysfs_index *index, struct sysfs_file *file,
                          struct sysfs_room *room)
{
    struct stat info;
    if (fstat(file->fd, &info) == 0 && info.st_nlink > 0)
        return;
    index->exchanged = true;
    close(file->fd);
    file->fd = -1;
    room->open--;
    room->wanted += file->every_tick;
}

ssize_t sysfs_file_read(struct sysfs_index *index, struct sysfs_file *file, struct sysfs_room *room,
                        char *text)
{
    if (file->path == NULL || file->ambiguous)
        return -ENOENT;
    if (index->copied && file->fd >= 0 && (file->watched || index->exchanged))
        drop_replaced(index, file, room);
    int fd = file->fd >= 0 ? file->fd : file_open(index, file);
    if (fd < 0)
        return fd;
    ssize_t got = read_at_start(fd, text);
    room->reads++;
    if (file->fd < 0 && may_stay(file, room)) {
        file->fd = fd;
        room->open++;
        room->wanted -= file->every_tick;
    } else if (file->fd < 0) {
        close(fd);
    }
    if (got <= 0)
        return got;
    bool line = text[got - 1] == '\n';
    if (file->line && !line)
        return -EILSEQ;
    file->line = line;
    return got;
}

bool sysfs_file_u64(struct sysfs_index *index, struct sysfs_file *file, struct sysfs_room *room,
                    uint64_t *value)
{
    char text[SYSFS_TEXT];
    ssize_t got = sysfs_file_read(index, file, room, text);
    return got > 0 && sysfs_u64(text, (size_t)got, value);
}
