// SPDX-License-Identifier: Apache-2.0
// Files of another root folder, of a captured tree or of a container's process: a link in there
// never leads out of it.
#ifndef NEUTOP_SOURCE_INSIDE_H
#define NEUTOP_SOURCE_INSIDE_H

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>

// Opens PATH (with or without a leading '/') in the root folder whose descriptor is ROOT, with
// FLAGS besides O_CLOEXEC, O_NONBLOCK and O_NOCTTY. -1 with errno. Where the kernel cannot keep
// links inside (before 5.6), the last component must be no link.
int inside_open(int root, const char *path, int flags);

// The same for a regular file only; nothing else is ever opened, not for a moment.
int inside_file(int root, const char *path);

// The root folder of process PID, by the /proc in ROOT. The kernel's own link leads there; in a
// captured tree it may be any link, and is followed inside the tree only.
int inside_process_root(int root, uint64_t pid);

// The folder at PATH for listing; NULL with errno.
DIR *inside_folder(int root, const char *path);

// The first line of a file without white space at its end, "" when it cannot be read.
void inside_line(int root, const char *path, char *line, size_t size);

#endif
