// SPDX-License-Identifier: Apache-2.0
// The driver on a host's disk: the module of the running kernel, which may be compressed, else what
// DKMS has built, else a package or sources (versions reference 2.2).
#include <bsd/string.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xmem.h"
#include "host/version.h"
#include "source/blocks.h"
#include "source/inside.h"
#include "source/packages.h"
#include "source/unpack.h"

enum { MODULE_CAP = 64 << 20 }; // modules with debug information have some MiB

static const double MODULE_SECONDS = 5;

bool version_newer(char newest[VERSION_TEXT], const char *version)
{
    if (newest[0] != '\0' && version_compare_text(version, newest) <= 0)
        return false;
    strlcpy(newest, version, VERSION_TEXT);
    return true;
}

static bool module_step(void *user, const char *block, size_t length, uint64_t at)
{
    (void)at;
    return module_scan(block, length, user);
}

static bool push(void *user, const char *bytes, size_t length)
{
    return blocks_push(user, bytes, length);
}

// NULL, or why no version came out of FD.
static const char *scan_module(int fd, char version[VERSION_TEXT])
{
    const struct unpack_limits limits = {.bytes = MODULE_CAP, .seconds = MODULE_SECONDS};
    struct blocks *blocks = xmalloc(sizeof(*blocks));
    unsigned char start[8];
    const char *why = NULL;
    ssize_t got = pread(fd, start, sizeof(start), 0);
    enum packing packing = packing_of(start, got > 0 ? (size_t)got : 0);
    version[0] = '\0';
    blocks_begin(blocks, module_step, version);
    if (packing != PACKING_NONE)
        why = unpack(fd, packing, &limits, push, blocks);
    else if (!blocks_file(blocks, fd, MODULE_CAP))
        why = "it cannot be read";
    free(blocks);
    return version[0] != '\0' ? NULL : why != NULL ? why : "it names no version";
}

const char *module_read(int root_fd, const char *path, struct module_file *module)
{
    struct stat info;
    int fd = inside_file(root_fd, path);
    if (fd < 0 || fstat(fd, &info) != 0) {
        if (fd >= 0)
            close(fd);
        return "it cannot be opened";
    }
    bool known = module->inode == info.st_ino && module->device == info.st_dev &&
                 module->changed.tv_sec == info.st_ctim.tv_sec &&
                 module->changed.tv_nsec == info.st_ctim.tv_nsec;
    if (!known) {
        module->device = info.st_dev;
        module->inode = info.st_ino;
        module->changed = info.st_ctim;
        module->why = scan_module(fd, module->version);
    }
    close(fd);
    return module->why;
}

// Where the driver's module of kernel RELEASE is, by the kernel's own index of modules.
static bool find_module(int root, const char *release, char *path, size_t size)
{
    char line[PACKAGES_PATH];
    snprintf(line, sizeof(line), "/lib/modules/%s/modules.dep", release);
    int fd = inside_file(root, line);
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    bool found = false, start = true;
    while (file != NULL && !found && fgets(line, sizeof(line), file) != NULL) {
        size_t length = start ? modules_dep_path(line, strlen(line)) : 0;
        start = strchr(line, '\n') != NULL;
        found = length > 0;
        if (found)
            snprintf(path, size, "%s%s%s%.*s", line[0] == '/' ? "" : "/lib/modules/",
                     line[0] == '/' ? "" : release, line[0] == '/' ? "" : "/", (int)length, line);
    }
    if (file != NULL)
        fclose(file);
    else if (fd >= 0)
        close(fd);
    fd = found ? inside_open(root, path, O_PATH) : -1; // the index may be of a file that has gone
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

// A module that was put there without depmod.
static bool guess_module(int root, const char *release, char *path, size_t size)
{
    static const char *const folders[] = {
        "updates/dkms",         "updates", "extra", "extra/neuron", "weak-updates/neuron",
        "kernel/drivers/neuron"};
    static const char *const ends[] = {"", ".xz", ".zst", ".gz"};
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        for (size_t j = 0; j < sizeof(ends) / sizeof(ends[0]); j++) {
            snprintf(path, size, "/lib/modules/%s/%s/neuron.ko%s", release, folders[i], ends[j]);
            int fd = inside_file(root, path);
            if (fd < 0)
                continue;
            close(fd);
            return true;
        }
    }
    return false;
}

// The newest version that DKMS has built for kernel RELEASE.
static void read_dkms(struct installed *installed, int root, char version[VERSION_TEXT], char *from,
                      size_t size)
{
    static const char *const folders[] = {"/var/lib/dkms/aws-neuronx", "/var/lib/dkms/aws-neuron"};
    version[0] = '\0';
    for (size_t i = 0; i < 2; i++) {
        DIR *dir = inside_folder(root, folders[i]);
        for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
            char path[PACKAGES_PATH * 2], text[VERSION_TEXT];
            if (!version_take(text, entry->d_name, strlen(entry->d_name)))
                continue;
            snprintf(path, sizeof(path), "%s/%s/%s", folders[i], text, installed->kernel);
            if (installed_folder(root, path) && version_newer(version, text))
                snprintf(from, size, "%s/%s", folders[i], text);
        }
        if (dir != NULL)
            closedir(dir);
    }
}

static void read_sources(int root, char version[VERSION_TEXT], char *from, size_t size)
{
    static const char *const stems[] = {"aws-neuronx-", "aws-neuron-"};
    DIR *dir = inside_folder(root, "/usr/src");
    version[0] = '\0';
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        for (size_t i = 0; i < 2; i++) {
            char text[VERSION_TEXT];
            size_t stem = strlen(stems[i]);
            if (strncmp(entry->d_name, stems[i], stem) == 0 &&
                version_take(text, entry->d_name + stem, strlen(entry->d_name + stem)) &&
                version_newer(version, text))
                snprintf(from, size, "/usr/src/%s%s", stems[i], text);
        }
    }
    if (dir != NULL)
        closedir(dir);
}

void installed_read_driver(struct installed *installed, int root)
{
    char path[PACKAGES_PATH] = "";
    size_t size = sizeof(installed->driver_from);
    bool found = false;
    if (installed->kernel[0] != '\0' && installed_folder(root, "/lib/modules")) {
        found = find_module(root, installed->kernel, path, sizeof(path)) ||
                guess_module(root, installed->kernel, path, sizeof(path));
        installed->presence.module_files = fact_u64(found, FROM_PROC);
    }
    const char *why = found ? module_read(root, path, &installed->module) : NULL;
    if (found && why == NULL) {
        strlcpy(installed->driver_disk, installed->module.version, sizeof(installed->driver_disk));
        strlcpy(installed->driver_from, path, size);
        return;
    }
    if (found)
        snprintf(installed->driver_trouble, sizeof(installed->driver_trouble), "%s: %s", path, why);
    read_dkms(installed, root, installed->driver_disk, installed->driver_from, size);
    if (found) // a package or sources need not have become this module
        return;
    const struct installed_package *package = installed_find(installed, COMPONENT_DRIVER);
    if (installed->driver_disk[0] == '\0' && package != NULL) {
        strlcpy(installed->driver_disk, package->version, sizeof(installed->driver_disk));
        strlcpy(installed->driver_from, package->from, size);
    }
    if (installed->driver_disk[0] == '\0')
        read_sources(root, installed->driver_disk, installed->driver_from, size);
}
