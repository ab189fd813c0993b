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
#include "source/blocks.h"
#include "source/hostinfo.h"
#include "source/inside.h"
#include "source/packages.h"

enum { BLOCK = 65536, LIBRARY_CAP = 512 << 20, GLIBC_CAP = 8 << 20 };

struct installed_package *installed_find(struct installed *installed, enum component component)
{
    for (size_t i = 0; i < installed->count; i++)
        if (installed->packages[i].component == component)
            return &installed->packages[i];
    return NULL;
}

static void add(struct installed *installed, enum component component, const char *version,
                const char *from)
{
    if (installed->count == INSTALLED_MAX || installed_find(installed, component) != NULL)
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
    struct blocks *blocks = xmalloc(sizeof(*blocks));
    blocks_begin(blocks, library_step, &scan);
    blocks_file(blocks, fd, LIBRARY_CAP);
    free(blocks);
    close(fd);
    return libnrt_result(&scan, version);
}

bool installed_folder(int root, const char *path)
{
    int fd = inside_open(root, path, O_DIRECTORY);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

// A captured tree need not hold the other modules; without either folder there is no /sys here.
static struct fact_u64 look_for_module(int root)
{
    if (!installed_folder(root, "/sys/module") && !installed_folder(root, "/sys/bus"))
        return (struct fact_u64){0};
    return fact_u64(installed_folder(root, "/sys/module/neuron"), FROM_SYSFS);
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
            version_newer(newest, version);
    closedir(dir);
    if (newest[0] != '\0')
        add(installed, component, newest, folder);
}

static bool is_file(int root, const char *path)
{
    int fd = inside_file(root, path);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

// No file of the tools has their version in its name, and RPM's database is for librpm only
// (versions reference 2.3).
static const char *tools_trouble(const struct installed *installed, int root)
{
    static const char *const databases[] = {"/var/lib/rpm/rpmdb.sqlite",
                                            "/usr/lib/sysimage/rpm/rpmdb.sqlite",
                                            "/var/lib/rpm/Packages", "/var/lib/rpm/Packages.db"};
    bool rpm = false;
    for (size_t i = 0; i < sizeof(databases) / sizeof(databases[0]); i++)
        rpm = rpm || is_file(root, databases[i]);
    for (size_t i = 0; i < installed->count; i++)
        if (installed->packages[i].component == COMPONENT_TOOLS)
            return NULL;
    if (!is_file(root, "/opt/aws/neuron/bin/neuron-monitor") &&
        !is_file(root, "/opt/aws/neuron/bin/neuron-ls"))
        return NULL;
    return rpm ? "they are in /opt/aws/neuron/bin, but their version is in the RPM database, which "
                 "neutop does not read: rpm -q aws-neuronx-tools"
               : "they are in /opt/aws/neuron/bin, but no list of packages tells their version";
}

static bool glibc_step(void *user, const char *block, size_t length, uint64_t at)
{
    (void)at;
    return glibc_scan(block, length, user);
}

bool glibc_read(int root, char version[VERSION_TEXT])
{
    static const char *const paths[] = {"/lib64/libc.so.6", "/lib/x86_64-linux-gnu/libc.so.6",
                                        "/lib/aarch64-linux-gnu/libc.so.6", "/usr/lib64/libc.so.6",
                                        "/usr/lib/libc.so.6"};
    struct blocks *blocks = xmalloc(sizeof(*blocks));
    version[0] = '\0';
    for (size_t i = 0; version[0] == '\0' && i < sizeof(paths) / sizeof(paths[0]); i++) {
        int fd = inside_file(root, paths[i]);
        if (fd < 0)
            continue;
        blocks_begin(blocks, glibc_step, version);
        blocks_file(blocks, fd, GLIBC_CAP);
        close(fd);
    }
    free(blocks);
    return version[0] != '\0';
}

static unsigned count_entries(int root, const char *path, const char *start)
{
    unsigned count = 0;
    DIR *dir = inside_folder(root, path);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
        count += strncmp(entry->d_name, start, strlen(start)) == 0;
    if (dir != NULL)
        closedir(dir);
    return count;
}

// By its driver, else by the name that it has before udev gives it another.
static struct fact_u64 count_efa(int root)
{
    static const char driver[] = "/sys/bus/pci/drivers/efa", class[] = "/sys/class/infiniband";
    if (installed_folder(root, driver))
        return fact_u64(count_entries(root, driver, "0"), FROM_SYSFS);
    if (installed_folder(root, class))
        return fact_u64(count_entries(root, class, "efa"), FROM_SYSFS);
    return (struct fact_u64){0};
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
        presence->pci_chip = chip; // constant text
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
    presence->efa = count_efa(root_fd);
}

void installed_read(struct installed *installed, const char *root, int root_fd)
{
    char text[PACKAGES_PATH];
    struct utsname name;
    const struct module_file module = installed->module;
    memset(installed, 0, sizeof(*installed));
    installed->module = module;
    inside_line(root_fd, "/proc/sys/kernel/osrelease", text, sizeof(text));
    if (text[0] == '\0' && root[0] == '\0' && uname(&name) == 0)
        strlcpy(text, name.release, sizeof(text));
    if (strchr(text, '/') == NULL && text[0] != '.') // it becomes a part of a path
        strlcpy(installed->kernel, text, sizeof(installed->kernel));
    inside_line(root_fd, "/sys/module/neuron/version", text, sizeof(text));
    version_take(installed->driver_loaded, text, strlen(text));
    read_presence(&installed->presence, root, root_fd);
    hostinfo_instance(root, installed->instance_type, sizeof(installed->instance_type),
                      installed->instance_id, sizeof(installed->instance_id));
    glibc_read(root_fd, installed->glibc);
    read_dpkg(installed, root_fd);
    read_library(installed, root_fd, COMPONENT_RUNTIME, "libnrt.so.");
    read_library(installed, root_fd, COMPONENT_COLLECTIVES, "libnccom.so.");
    installed_read_driver(installed, root_fd);
    installed->tools_trouble = tools_trouble(installed, root_fd);
}
