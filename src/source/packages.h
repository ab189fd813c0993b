// SPDX-License-Identifier: Apache-2.0
// What is installed on a host, read from its files: driver on disk, Debian packages, libraries,
// Python environments, and what tells apart the reasons for there being no device (versions
// reference, section 2). Private to packages*.c and their tests.
#ifndef NEUTOP_SOURCE_PACKAGES_H
#define NEUTOP_SOURCE_PACKAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "host/host.h"
#include "source/packages_parse.h"

enum {
    INSTALLED_MAX = 32,
    ENVIRONMENTS_MAX = 48,
    ENVIRONMENT_PACKAGES = 24,
    PACKAGES_PATH = 256,
    KERNEL_TEXT = 80
};

struct installed_package {
    enum component component;
    char version[VERSION_TEXT];
    char from[PACKAGES_PATH];
};

// A module's file as it was read last: an unchanged one is not inflated again.
struct module_file {
    dev_t device;
    ino_t inode;
    struct timespec changed;
    char version[VERSION_TEXT];
    const char *why; // there is no version; NULL: there is
};

// All of one reading but for the environments.
struct installed {
    struct module_file module; // kept from one reading to the next
    char glibc[VERSION_TEXT];
    char kernel[KERNEL_TEXT]; // release of the running kernel, "" unknown
    char driver_loaded[VERSION_TEXT], driver_disk[VERSION_TEXT];
    char driver_from[PACKAGES_PATH];         // of driver_disk
    char driver_trouble[PACKAGES_PATH + 80]; // why the module's file does not tell its version
    struct presence presence;
    char instance_type[64], instance_id[64]; // by DMI, also where there is no driver; "" unknown
    size_t count;
    struct installed_package packages[INSTALLED_MAX];
    bool list_read;            // a list of packages could be read
    const char *tools_trouble; // the tools are here, and why their version is not known; else NULL
};

// A Python environment; the same folder has the same device and inode.
struct installed_environment {
    dev_t device;
    ino_t inode;
    bool host; // found on the host itself, else by a process
    char path[PACKAGES_PATH];
    size_t count;
    struct installed_package packages[ENVIRONMENT_PACKAGES];
};

struct installed_environments {
    size_t count;
    struct installed_environment *items[ENVIRONMENTS_MAX];
};

// ROOT as text ("" for /) and as an open folder. INSTALLED is zeroed, or an earlier reading.
void installed_read(struct installed *installed, const char *root, int root_fd);

// The site-packages folder PATH below the open ROOT_FD, NULL when it cannot be read or holds no
// component. The caller frees it.
struct installed_environment *environment_read(int root_fd, const char *path);

// All environments of the host in their usual places, each handed to TAKE, which owns it.
void environments_find(int root_fd,
                       void (*take)(void *user, struct installed_environment *environment),
                       void *user);

// The version inside the library at PATH below the open ROOT_FD. False when there is none.
bool library_read(int root_fd, const char *path, char version[VERSION_TEXT]);

// The version of the glibc in the open root folder ROOT. False when it is not there or is another C
// library.
bool glibc_read(int root, char version[VERSION_TEXT]);

// The version inside a kernel module's file, compressed or not, into MODULE. NULL, or why there is
// none. MODULE is zeroed, or an earlier reading.
const char *module_read(int root_fd, const char *path, struct module_file *module);

// Parts of installed_read(): the driver on disk, once the packages are known; a package that has
// been found, else NULL; whether there is such a folder.
void installed_read_driver(struct installed *installed, int root);
struct installed_package *installed_find(struct installed *installed, enum component component);
bool installed_folder(int root, const char *path);

// Puts VERSION in place of NEWEST ("" at first) when it is the newer one; true then.
bool version_newer(char newest[VERSION_TEXT], const char *version);

#endif
