// SPDX-License-Identifier: Apache-2.0
// Finds the driver's device nodes.
#include "source/device_nodes.h"

#include <bsd/string.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

// The number in front of "neuron" among the character devices of /proc/devices; -1 none.
static long driver_major(const char *root)
{
    char path[PATH_MAX], line[128], name[64];
    long found = -1;
    snprintf(path, sizeof(path), "%s/proc/devices", root);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        unsigned number;
        if (strncmp(line, "Block", 5) == 0)
            break;
        if (sscanf(line, "%9u %63s", &number, name) == 2 && strcmp(name, "neuron") == 0)
            found = (long)number;
    }
    if (file != NULL)
        fclose(file);
    return found;
}

static bool is_own_name(const struct device_node *node)
{
    char name[DEVICE_NODE_NAME];
    snprintf(name, sizeof(name), "neuron%u", node->index);
    return strcmp(name, node->name) == 0;
}

// Keeps the nodes by index. Of two nodes of one device the one with the driver's name stays.
static void insert_node(struct device_nodes *nodes, const struct device_node *node)
{
    unsigned at = 0;
    while (at < nodes->count && nodes->nodes[at].index < node->index)
        at++;
    if (at < nodes->count && nodes->nodes[at].index == node->index) {
        if (is_own_name(node))
            nodes->nodes[at] = *node;
        return;
    }
    if (nodes->count == DEVICE_NODES)
        return;
    memmove(&nodes->nodes[at + 1], &nodes->nodes[at],
            (nodes->count - at) * sizeof(nodes->nodes[0]));
    nodes->nodes[at] = *node;
    nodes->count++;
}

static void look_at(struct device_nodes *nodes, DIR *dir, const char *name, unsigned wanted)
{
    struct stat info;
    if (strlen(name) >= DEVICE_NODE_NAME ||
        fstatat(dirfd(dir), name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISCHR(info.st_mode) ||
        major(info.st_rdev) != wanted || minor(info.st_rdev) >= DEVICE_NODES)
        return;
    struct device_node node = {.index = minor(info.st_rdev),
                               .number = info.st_rdev,
                               .inode = info.st_ino,
                               .changed = info.st_ctim,
                               .mode = info.st_mode,
                               .group = info.st_gid};
    strlcpy(node.name, name, sizeof(node.name));
    insert_node(nodes, &node);
}

static struct timespec directory_stamp(const char *root)
{
    char path[PATH_MAX];
    struct stat info;
    snprintf(path, sizeof(path), "%s/dev", root);
    return stat(path, &info) == 0 ? info.st_mtim : (struct timespec){.tv_sec = 0};
}

void device_nodes_list(struct device_nodes *nodes, const char *root)
{
    char path[PATH_MAX];
    struct timespec now;
    long wanted = driver_major(root);
    *nodes = (struct device_nodes){.loaded = wanted >= 0, .stamp = directory_stamp(root)};
    clock_gettime(CLOCK_REALTIME, &now);
    if (nodes->stamp.tv_sec >= now.tv_sec - 1)
        nodes->stamp.tv_sec = 0;
    if (wanted < 0)
        return;
    snprintf(path, sizeof(path), "%s/dev", root);
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
        look_at(nodes, dir, entry->d_name, (unsigned)wanted);
    if (dir != NULL)
        closedir(dir);
}

bool device_nodes_current(const struct device_nodes *nodes, const char *root)
{
    struct timespec stamp = directory_stamp(root);
    return nodes->stamp.tv_sec != 0 && stamp.tv_sec == nodes->stamp.tv_sec &&
           stamp.tv_nsec == nodes->stamp.tv_nsec;
}
