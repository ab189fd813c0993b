// SPDX-License-Identifier: Apache-2.0
// Python environments that hold Neuron packages (versions reference 2.3).
#include <bsd/string.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/xmem.h"
#include "source/inside.h"
#include "source/packages.h"

enum { METADATA_TEXT = 8192, ENTRIES_MAX = 65536 };

// METADATA says the version as the package gives it; the folder's name says it too.
static void read_version(int folder, const char *name, char version[VERSION_TEXT])
{
    char path[PACKAGES_PATH], text[METADATA_TEXT], told[VERSION_TEXT];
    struct stat info;
    if (snprintf(path, sizeof(path), "%s/METADATA", name) >= (int)sizeof(path))
        return;
    int fd = openat(folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
    if (fd < 0)
        return;
    ssize_t got = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) ? read(fd, text, sizeof(text)) : 0;
    close(fd);
    if (got > 0 && metadata_parse(text, (size_t)got, told))
        strlcpy(version, told, VERSION_TEXT);
}

static void take_entry(struct installed_environment *environment, int folder, const char *name)
{
    char version[VERSION_TEXT];
    enum component component;
    if (environment->count == ENVIRONMENT_PACKAGES || !dist_info_parse(name, &component, version))
        return;
    read_version(folder, name, version);
    struct installed_package *package = &environment->packages[environment->count++];
    package->component = component;
    memcpy(package->version, version, sizeof(package->version));
    strlcpy(package->from, environment->path, sizeof(package->from));
}

static int by_component(const void *a, const void *b)
{
    const struct installed_package *first = a, *second = b;
    if (first->component != second->component)
        return first->component < second->component ? -1 : 1;
    return strcmp(first->version, second->version);
}

struct installed_environment *environment_read(int root_fd, const char *path)
{
    struct stat info;
    DIR *dir = inside_folder(root_fd, path);
    if (dir == NULL)
        return NULL;
    struct installed_environment *environment = xcalloc(1, sizeof(*environment));
    text_clean_to(environment->path, sizeof(environment->path), path, strlen(path));
    if (fstat(dirfd(dir), &info) == 0) {
        environment->device = info.st_dev;
        environment->inode = info.st_ino;
    }
    struct dirent *entry;
    for (int left = ENTRIES_MAX; left > 0 && (entry = readdir(dir)) != NULL; left--)
        take_entry(environment, dirfd(dir), entry->d_name);
    closedir(dir);
    qsort(environment->packages, environment->count, sizeof(environment->packages[0]),
          by_component);
    if (environment->count > 0)
        return environment;
    free(environment);
    return NULL;
}

// A walk along one pattern of folders; '*' stands in single names.
struct walk {
    int root_fd;
    void (*take)(void *user, struct installed_environment *environment);
    void *user;
    unsigned left; // steps that may still be taken
};

static void walk_on(struct walk *walk, const char *path, const char *pattern);

static void walk_names(struct walk *walk, const char *path, const char *name, const char *rest)
{
    char next[PACKAGES_PATH];
    DIR *dir = inside_folder(walk->root_fd, path);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
        if (fnmatch(name, entry->d_name, FNM_PERIOD) == 0 &&
            snprintf(next, sizeof(next), "%s/%s", path, entry->d_name) < (int)sizeof(next))
            walk_on(walk, next, rest);
    if (dir != NULL)
        closedir(dir);
}

// PATTERN is what is still to be walked, "lib/python3*/site-packages"; at its end an environment.
static void walk_on(struct walk *walk, const char *path, const char *pattern)
{
    char name[PACKAGES_PATH], next[PACKAGES_PATH];
    if (walk->left == 0)
        return;
    walk->left--;
    if (*pattern == '\0') {
        struct installed_environment *found = environment_read(walk->root_fd, path);
        if (found != NULL)
            walk->take(walk->user, found);
        return;
    }
    size_t length = strcspn(pattern, "/");
    snprintf(name, sizeof(name), "%.*s", (int)length, pattern);
    pattern += length + (pattern[length] == '/');
    if (strchr(name, '*') != NULL)
        walk_names(walk, path, name, pattern);
    else if (snprintf(next, sizeof(next), "%s/%s", path, name) < (int)sizeof(next))
        walk_on(walk, next, pattern);
}

void environments_find(int root_fd,
                       void (*take)(void *user, struct installed_environment *environment),
                       void *user)
{
    static const char *const patterns[] = {
        "opt/aws_neuron*_venv_*/lib/python3*/site-packages", // the vendor's machine images
        "opt/conda/lib/python3*/site-packages",              // ... and its older containers
        "opt/venv/lib/python3*/site-packages",
        "usr/local/lib/python3*/site-packages",
        "usr/local/lib/python3*/dist-packages",
        "usr/lib/python3*/dist-packages",
        "usr/lib/python3*/site-packages",
    };
    struct walk walk = {.root_fd = root_fd, .take = take, .user = user, .left = 4096};
    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
        walk_on(&walk, "", patterns[i]);
}
