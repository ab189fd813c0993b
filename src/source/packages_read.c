// SPDX-License-Identifier: Apache-2.0
// Reads what is installed on a host. Any of it may be absent, of another system, or hostile.
#include <bsd/string.h>
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/xmem.h"
#include "host/version.h"
#include "source/absence.h"
#include "source/inside.h"
#include "source/packages.h"

enum { BLOCK = 65536, MODULE_CAP = 64 << 20, LIBRARY_CAP = 512 << 20 };

static bool set_newer(char newest[VERSION_TEXT], const char *version)
{
    if (newest[0] != '\0' && version_compare_text(version, newest) <= 0)
        return false;
    strlcpy(newest, version, VERSION_TEXT);
    return true;
}

static struct installed_package *find(struct installed *installed, enum component component)
{
    for (size_t i = 0; i < installed->count; i++)
        if (installed->packages[i].component == component)
            return &installed->packages[i];
    return NULL;
}

static void add(struct installed *installed, enum component component, const char *version,
                const char *from)
{
    if (installed->count == INSTALLED_MAX || find(installed, component) != NULL)
        return;
    struct installed_package *package = &installed->packages[installed->count++];
    package->component = component;
    strlcpy(package->version, version, sizeof(package->version));
    strlcpy(package->from, from, sizeof(package->from));
}

static void take_dpkg(void *user, enum component component, const char *version)
{
    add(user, component, version, "dpkg");
}

static void read_dpkg(struct installed *installed, int root)
{
    struct dpkg_feed feed;
    int fd = inside_file(root, "/var/lib/dpkg/status");
    if (fd < 0)
        return;
    char *block = xmalloc(BLOCK);
    ssize_t got;
    dpkg_begin(&feed, take_dpkg, installed);
    while ((got = read(fd, block, BLOCK)) > 0)
        dpkg_feed(&feed, block, (size_t)got);
    dpkg_end(&feed);
    installed->list_read = got == 0;
    free(block);
    close(fd);
}

// Reads a file in blocks, with the end of one in front of the next, until STEP has enough.
static void scan_file(int fd, off_t cap,
                      bool (*step)(void *user, const char *block, size_t length, uint64_t at),
                      void *user)
{
    char *block = xmalloc(CARRY + BLOCK);
    size_t kept = 0;
    uint64_t at = 1;
    ssize_t got;
    for (off_t done = 0; done < cap && (got = read(fd, block + kept, BLOCK)) > 0; done += got) {
        size_t length = kept + (size_t)got;
        if (step(user, block, length, at))
            break;
        kept = length < CARRY ? length : CARRY;
        at += length - kept;
        memmove(block, block + length - kept, kept);
    }
    free(block);
}

static bool module_step(void *user, const char *block, size_t length, uint64_t at)
{
    (void)at;
    return module_scan(block, length, user);
}

bool module_read(int root_fd, const char *path, char version[VERSION_TEXT])
{
    int fd = inside_file(root_fd, path);
    version[0] = '\0';
    if (fd < 0)
        return false;
    scan_file(fd, MODULE_CAP, module_step, version);
    close(fd);
    return version[0] != '\0';
}

static bool library_step(void *user, const char *block, size_t length, uint64_t at)
{
    libnrt_scan(user, block, length, at);
    return false;
}

bool library_read(int root_fd, const char *path, char version[VERSION_TEXT])
{
    struct libnrt_scan scan = {0};
    int fd = inside_file(root_fd, path);
    version[0] = '\0';
    if (fd < 0)
        return false;
    scan_file(fd, LIBRARY_CAP, library_step, &scan);
    close(fd);
    return libnrt_result(&scan, version);
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
    return found;
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

static bool is_folder(int root, const char *path)
{
    int fd = inside_open(root, path, O_DIRECTORY);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
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
            if (is_folder(root, path) && set_newer(version, text))
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
                set_newer(version, text))
                snprintf(from, size, "/usr/src/%s%s", stems[i], text);
        }
    }
    if (dir != NULL)
        closedir(dir);
}

// A captured tree need not hold the other modules; without either folder there is no /sys here.
static struct fact_u64 look_for_module(int root)
{
    if (!is_folder(root, "/sys/module") && !is_folder(root, "/sys/bus"))
        return (struct fact_u64){0};
    return fact_u64(is_folder(root, "/sys/module/neuron"), FROM_SYSFS);
}

static void read_disk_driver(struct installed *installed, int root)
{
    char path[PACKAGES_PATH] = "";
    size_t size = sizeof(installed->driver_from);
    bool found = false;
    if (installed->kernel[0] != '\0' && is_folder(root, "/lib/modules")) {
        found = find_module(root, installed->kernel, path, sizeof(path)) ||
                guess_module(root, installed->kernel, path, sizeof(path));
        installed->presence.module_files = fact_u64(found, FROM_PROC);
    }
    if (found && module_read(root, path, installed->driver_disk)) {
        strlcpy(installed->driver_from, path, size);
        return;
    }
    read_dkms(installed, root, installed->driver_disk, installed->driver_from, size);
    const struct installed_package *package = find(installed, COMPONENT_DRIVER);
    if (installed->driver_disk[0] == '\0' && package != NULL) {
        strlcpy(installed->driver_disk, package->version, sizeof(installed->driver_disk));
        strlcpy(installed->driver_from, package->from, size);
    }
    if (installed->driver_disk[0] == '\0')
        read_sources(root, installed->driver_disk, installed->driver_from, size);
}

// What the link names is in use; without it the newest.
static void read_library(struct installed *installed, int root, enum component component,
                         const char *stem)
{
    static const char folder[] = "/opt/aws/neuron/lib";
    char link[PACKAGES_PATH], target[PACKAGES_PATH], version[VERSION_TEXT], newest[VERSION_TEXT];
    DIR *dir = inside_folder(root, folder);
    newest[0] = '\0';
    if (dir == NULL)
        return;
    snprintf(link, sizeof(link), "%s1", stem);
    ssize_t length = readlinkat(dirfd(dir), link, target, sizeof(target) - 1);
    target[length > 0 ? length : 0] = '\0';
    const char *base = strrchr(target, '/') != NULL ? strrchr(target, '/') + 1 : target;
    if (library_parse(base, stem, version))
        strlcpy(newest, version, sizeof(newest));
    for (struct dirent *entry; length <= 0 && (entry = readdir(dir)) != NULL;)
        if (library_parse(entry->d_name, stem, version))
            set_newer(newest, version);
    closedir(dir);
    if (newest[0] != '\0')
        add(installed, component, newest, folder);
}

static unsigned count_neuron(int root, const char *path, bool *readable)
{
    unsigned count = 0;
    DIR *dir = inside_folder(root, path);
    *readable = dir != NULL;
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
        count +=
            strncmp(entry->d_name, "neuron", 6) == 0 && isdigit((unsigned char)entry->d_name[6]);
    if (dir != NULL)
        closedir(dir);
    return count;
}

static void read_presence(struct presence *presence, const char *root, int root_fd)
{
    unsigned functions, inf1, count;
    const char *chip;
    bool readable;
    if (absence_pci(root, &functions, &inf1, &chip)) {
        presence->pci_functions = fact_u64(functions, FROM_SYSFS);
        presence->pci_inf1 = fact_u64(inf1, FROM_SYSFS);
    }
    presence->module_loaded = look_for_module(root_fd);
    count = count_neuron(root_fd, "/sys/class/neuron_device", &readable);
    if (!readable)
        count = count_neuron(root_fd, "/sys/devices/virtual/neuron_device", &readable);
    if (readable || known_u64(presence->module_loaded))
        presence->devices = fact_u64(count, FROM_SYSFS);
    count = count_neuron(root_fd, "/dev", &readable);
    if (readable)
        presence->nodes = fact_u64(count, FROM_PROC);
}

void installed_read(struct installed *installed, const char *root, int root_fd)
{
    char text[PACKAGES_PATH];
    struct utsname name;
    memset(installed, 0, sizeof(*installed));
    inside_line(root_fd, "/proc/sys/kernel/osrelease", text, sizeof(text));
    if (text[0] == '\0' && root[0] == '\0' && uname(&name) == 0)
        strlcpy(text, name.release, sizeof(text));
    if (strchr(text, '/') == NULL && text[0] != '.') // it becomes a part of a path
        strlcpy(installed->kernel, text, sizeof(installed->kernel));
    inside_line(root_fd, "/sys/module/neuron/version", text, sizeof(text));
    version_take(installed->driver_loaded, text, strlen(text));
    read_presence(&installed->presence, root, root_fd);
    read_dpkg(installed, root_fd);
    read_library(installed, root_fd, COMPONENT_RUNTIME, "libnrt.so.");
    read_library(installed, root_fd, COMPONENT_COLLECTIVES, "libnccom.so.");
    read_disk_driver(installed, root_fd);
}
