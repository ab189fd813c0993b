// SPDX-License-Identifier: Apache-2.0
// Where one of AWS's Neuron tools lies.
#include "source/which.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

static bool try_path(const char *dir, int length, const char *name, char *buffer, size_t size)
{
    int written = snprintf(buffer, size, "%.*s/%s", length, dir, name);
    return written > 0 && (size_t)written < size && is_program(buffer);
}

bool which_neuron_tool(const char *name, const char *root, char *buffer, size_t size)
{
    const char *path = root[0] == '\0' ? getenv("PATH") : NULL;
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        // an empty or relative entry would run what happens to lie in this folder
        if (path[0] == '/' && try_path(path, (int)length, name, buffer, size))
            return true;
        path += length + (path[length] == ':');
    }
    char dir[4096];
    int length = snprintf(dir, sizeof(dir), "%s/opt/aws/neuron/bin", root);
    return length > 0 && (size_t)length < sizeof(dir) && try_path(dir, length, name, buffer, size);
}
