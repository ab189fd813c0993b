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

// All of one reading but for the environments.
struct installed {
    char kernel[KERNEL_TEXT]; // release of the running kernel, "" unknown
    char driver_loaded[VERSION_TEXT], driver_disk[VERSION_TEXT];
    char driver_from[PACKAGES_PATH]; // of driver_disk
    struct presence presence;
    size_t count;
    struct installed_package packages[INSTALLED_MAX];
    bool list_read; // a list of packages could be read
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

// ROOT as text ("" for /) and as an open folder.
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

// The version inside a kernel module's file; false also for a compressed one.
bool module_read(int root_fd, const char *path, char version[VERSION_TEXT]);

#endif
