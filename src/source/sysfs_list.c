// SPDX-License-Identifier: Apache-2.0
// Which devices there are: the driver's directories below /sys, and in a container only those with
// a node in /dev (driver reference, section 6). A device may go and come back while we look.
#include <bsd/string.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/xmem.h"
#include "source/sysfs_state.h"

enum { NODES_SECONDS = 10, INDEX_AGAIN_SECONDS = 5 };

// What one look found, by the driver's index.
struct look {
    int base;
    ino_t inode[SYSFS_DEVICES]; // 0: not there
    unsigned count;
    unsigned odd; // named as a device, but no directory
    bool any_node;
    char node[SYSFS_DEVICES][NODE_NAME]; // "": none
};

static int open_below(const char *root, const char *path, int flags)
{
    char whole[PATH_MAX];
    int length = snprintf(whole, sizeof(whole), "%s%s", root, path);
    if (length < 0 || (size_t)length >= sizeof(whole))
        return -1;
    return open(whole, flags | O_RDONLY | O_CLOEXEC);
}

// "neuron12" is 12; -1 for anything else (the class has files like node_id_2 beside the devices).
static int device_of(const char *name)
{
    char again[NODE_NAME];
    if (strncmp(name, "neuron", 6) != 0 || name[6] < '0' || name[6] > '9')
        return -1;
    int index = atoi(name + 6);
    snprintf(again, sizeof(again), "neuron%d", index);
    return index < SYSFS_DEVICES && strcmp(again, name) == 0 ? index : -1;
}

// In the class directory the devices are links. A link that leads nowhere is no device.
static bool is_directory(int fd, const struct dirent *entry)
{
    struct stat info;
    return entry->d_type == DT_DIR ||
           (fstatat(fd, entry->d_name, &info, 0) == 0 && S_ISDIR(info.st_mode));
}

static void look_at_devices(struct look *look, const char *root)
{
    look->base = open_below(root, "/sys/devices/virtual/neuron_device", O_DIRECTORY);
    if (look->base < 0)
        look->base = open_below(root, "/sys/class/neuron_device", O_DIRECTORY);
    int fd = look->base >= 0 ? openat(look->base, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (dir == NULL && fd >= 0)
        close(fd);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        int index = device_of(entry->d_name);
        if (index >= 0 && !is_directory(dirfd(dir), entry)) {
            look->odd++;
            continue;
        }
        if (index < 0)
            continue;
        look->inode[index] = entry->d_ino;
        look->count++;
    }
    if (dir != NULL)
        closedir(dir);
}

// The driver's major number: from a device's file `dev`, else from /proc/devices. -1: unknown.
static int find_major(const struct look *look, const char *root)
{
    char text[4096], name[NODE_NAME + 8];
    for (unsigned i = 0; i < SYSFS_DEVICES; i++) {
        if (look->inode[i] == 0)
            continue;
        snprintf(name, sizeof(name), "neuron%u/dev", i);
        int fd = openat(look->base, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        ssize_t got = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
        if (fd >= 0)
            close(fd);
        text[got > 0 ? got : 0] = '\0';
        if (got > 0 && strchr(text, ':') != NULL)
            return atoi(text);
    }
    int fd = open_below(root, "/proc/devices", 0);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = '\0';
    char *rest = text;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        char *end;
        long major = strtol(line, &end, 10);
        if (end != line && strcmp(end, " neuron") == 0)
            return (int)major;
    }
    return -1;
}

// Nodes are told by their numbers, not by their names (field case F-24). stat() does not open them.
static void look_at_nodes(struct look *look, const char *root)
{
    int major = find_major(look, root);
    int fd = major >= 0 ? open_below(root, "/dev", O_DIRECTORY) : -1;
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (dir == NULL && fd >= 0)
        close(fd);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        struct stat info;
        if (entry->d_type == DT_DIR || entry->d_type == DT_REG ||
            fstatat(dirfd(dir), entry->d_name, &info, 0) != 0 || !S_ISCHR(info.st_mode) ||
            (int)major(info.st_rdev) != major || minor(info.st_rdev) >= SYSFS_DEVICES)
            continue;
        look->any_node = true;
        strlcpy(look->node[minor(info.st_rdev)], entry->d_name, NODE_NAME);
    }
    if (dir != NULL)
        closedir(dir);
}

static void device_free(struct sysfs *sysfs, unsigned index)
{
    struct sysfs_device *device = sysfs->devices[index];
    sysfs_index_close(&device->files, &sysfs->room);
    free(device->cores);
    free(device);
    sysfs->devices[index] = NULL;
}

static void device_add(struct sysfs *sysfs, unsigned index, ino_t inode, double now)
{
    struct sysfs_device *device = xcalloc(1, sizeof(*device));
    device->index = index;
    device->inode = inode;
    device->files.dir = -1;
    device->index_at = -INFINITY;
    device->since = sysfs->ticks > 0 ? now : -INFINITY;
    sysfs->devices[index] = device;
}

// Compares what is there with what we have. True when a device came or went.
static bool follow_devices(struct sysfs *sysfs, const struct look *look, double now)
{
    bool changed = false, copied = sysfs->options->root[0] != '\0';
    for (unsigned i = 0; i < SYSFS_DEVICES; i++) {
        struct sysfs_device *device = sysfs->devices[i];
        bool other = device != NULL && look->inode[i] != 0 && device->inode != look->inode[i];
        if (other && copied) { // a copied tree was replaced; the counters go on
            device->inode = look->inode[i];
            device->replaced = true;
        } else if (device != NULL && (other || look->inode[i] == 0)) {
            device_free(sysfs, i);
            changed = true;
        }
        if (look->inode[i] != 0 && sysfs->devices[i] == NULL) {
            device_add(sysfs, i, look->inode[i], now);
            changed = true;
        }
    }
    return changed;
}

// A copied tree has no nodes as a rule: then all its devices are ours.
static void follow_nodes(struct sysfs *sysfs, struct look *look, double now)
{
    const char *root = sysfs->options->root;
    look_at_nodes(look, root);
    bool all = root[0] != '\0' && !look->any_node;
    sysfs->nodes_at = now;
    for (unsigned i = 0; i < SYSFS_DEVICES; i++) {
        struct sysfs_device *device = sysfs->devices[i];
        if (device == NULL)
            continue;
        device->mapped = all || look->node[i][0] != '\0';
        strlcpy(device->node, look->node[i], sizeof(device->node));
    }
}

static void make_room_for_cores(struct sysfs_device *device)
{
    unsigned wanted = device->files.core_end;
    if (wanted <= device->core_room)
        return;
    device->cores = xreallocarray(device->cores, wanted, sizeof(*device->cores));
    memset(device->cores + device->core_room, 0,
           (wanted - device->core_room) * sizeof(*device->cores));
    device->core_room = wanted;
}

static void device_index(struct sysfs *sysfs, struct sysfs_device *device, int base, double now)
{
    char name[NODE_NAME];
    snprintf(name, sizeof(name), "neuron%u", device->index);
    sysfs_index_close(&device->files, &sysfs->room);
    device->replaced = false;
    device->index_at = now;
    device->indexed = sysfs_index_open(&device->files, base, name, sysfs->options->root[0] != '\0');
    device->closed = device->indexed ? 0 : errno;
    if (device->indexed)
        make_room_for_cores(device);
}

// A device is walked once. Without a core in it the driver is still making it: again a little
// later.
static bool wants_index(const struct sysfs_device *device, double now)
{
    if (!device->mapped || now - device->since < SYSFS_SETTLE_SECONDS)
        return false;
    if (!device->indexed || device->replaced || device->files.exchanged)
        return device->replaced || device->files.exchanged ||
               now - device->index_at >= SYSFS_SETTLE_SECONDS;
    return device->files.core_end == 0 && now - device->index_at >= INDEX_AGAIN_SECONDS;
}

static void index_devices(struct sysfs *sysfs, int base, double now)
{
    bool walked = false;
    long files = 0;
    for (unsigned i = 0; i < SYSFS_DEVICES; i++) {
        struct sysfs_device *device = sysfs->devices[i];
        if (device == NULL)
            continue;
        if (!device->mapped && device->indexed) { // its node was taken away
            sysfs_index_close(&device->files, &sysfs->room);
            device->indexed = false;
        }
        if (wants_index(device, now)) {
            device_index(sysfs, device, base, now);
            walked = true;
        }
        files += device->files.found;
    }
    if (walked)
        sysfs_room_raise(&sysfs->room, files);
}

static void count_devices(struct sysfs *sysfs)
{
    sysfs->listed = sysfs->mapped = sysfs->reading = 0;
    for (unsigned i = 0; i < SYSFS_DEVICES; i++) {
        const struct sysfs_device *device = sysfs->devices[i];
        if (device == NULL)
            continue;
        sysfs->listed++;
        sysfs->mapped += device->mapped;
        sysfs->reading += device->indexed;
    }
}

void sysfs_list(struct sysfs *sysfs, double now, bool walk)
{
    struct look look = {.base = -1};
    look_at_devices(&look, sysfs->options->root);
    sysfs->list_lost = look.base < 0;
    sysfs->odd = look.odd;
    bool changed = follow_devices(sysfs, &look, now);
    if (changed)
        sysfs->driver_at = -INFINITY;
    if (look.count > 0 && (changed || now - sysfs->nodes_at >= NODES_SECONDS))
        follow_nodes(sysfs, &look, now);
    if (look.base >= 0) {
        if (walk)
            index_devices(sysfs, look.base, now);
        close(look.base);
    }
    count_devices(sysfs);
}

void sysfs_list_close(struct sysfs *sysfs)
{
    for (unsigned i = 0; i < SYSFS_DEVICES; i++)
        if (sysfs->devices[i] != NULL)
            device_free(sysfs, i);
}
