// SPDX-License-Identifier: Apache-2.0
// A captured host for the tests of the reader of /proc, built below a temporary folder.
#ifndef NEUTOP_TESTS_UNIT_PROC_TREE_H
#define NEUTOP_TESTS_UNIT_PROC_TREE_H

#include <stddef.h>

#include "host/host.h"
#include "source/proc.h"

// The folder: setup and teardown of a cmocka test.
extern char tree_root[];
int tree_new(void **state);
int tree_remove(void **state);

// Below the folder; makes the folders above.
void tree_write(const char *path, const void *bytes, size_t length);
void tree_text(const char *path, const char *text);
void tree_link(const char *path, const char *target);
void tree_delete(const char *path); // a file or a whole folder

// A process with stat, status, cmdline (WORDS joined by NUL) and an empty fd/.
void tree_process(int pid, int ppid, const char *state, const char *words);
void tree_times(int pid, int ppid, const char *state, unsigned user, unsigned system,
                unsigned start, unsigned threads);
// A descriptor of DEVICE, opened with FLAGS ("0100002"; NULL: no fdinfo).
void tree_handle(int pid, int fd, unsigned device, const char *flags);
void tree_environment(int pid, const char *bytes, size_t length);
void tree_references(unsigned count);

// A reader of the folder with readings every second.
struct proc *tree_reader(void);

// A snapshot as the driver's own files give it: physical cores, nobody's so far, no memory in use.
struct host *tree_host(const char *type);
void tree_use(struct host *host, unsigned core, uint64_t bytes);
// Fills HOST at NOW and derives what follows.
void tree_fill(struct proc *proc, struct host *host, double now);
const struct process *tree_find(const struct host *host, int pid); // NULL: not there

#endif
