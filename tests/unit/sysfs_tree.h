// SPDX-License-Identifier: Apache-2.0
// A driver's tree in a temporary folder, and the sysfs reader on it with a clock of its own.
#ifndef NEUTOP_TESTS_SYSFS_TREE_H
#define NEUTOP_TESTS_SYSFS_TREE_H

#include "host/host.h"
#include "source/sysfs_state.h"

// Group fixtures: an empty tree before each test, removed after it.
int tree_new(void **state);
int tree_remove(void **state);

// Where it is.
const char *tree_root(void);

// Unpacks tests/fixtures/sysfs/NAME.tar.gz over it, modes as in the archive.
void tree_unpack(const char *name);

// Writes CONTENT to PATH below the tree, in place; makes the folders.
void tree_write(const char *path, const char *content);
void tree_write_bytes(const char *path, const void *content, size_t size);

// Runs a shell command in the tree.
void tree_run(const char *command);

// The number in the file at PATH, read by other means than the reader's.
uint64_t tree_number(const char *format, ...) __attribute__((format(printf, 1, 2)));

// A small device N with CORES cores of driver 2.30's layout: device_mem/total 1000 * (k + 1), no
// categories, nc_time_in_use and flop_count 0.
void tree_device(unsigned n, unsigned cores);

// The reader on the tree. tick() advances the clock by SECONDS, lets it work, and gives a snapshot
// that is freed by the next tick.
struct sysfs *reader_open(void);
void reader_close(void);
struct host *reader_tick(double seconds);
struct source_status reader_status(void);

// What went wrong in the last reader_try(); true when it could be opened.
bool reader_try(struct trouble *trouble);

// Options of the next reader_open().
struct source_options *reader_options(void);

#endif
