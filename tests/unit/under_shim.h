// SPDX-License-Identifier: Apache-2.0
// For tests that need a driver: runs the test program with the stand-in driver of tests/shim, on a
// tree of its own.
#ifndef NEUTOP_TESTS_UNIT_UNDER_SHIM_H
#define NEUTOP_TESTS_UNIT_UNDER_SHIM_H

// At the start of main(): starts the program again with the stand-in preloaded, once. Ends it with
// status 77 (skipped) where it was not built.
void under_shim(char **argv);

// Before and after each test: an empty tree, and its end. For cmocka; the environment of the
// stand-in is as after under_shim().
int shim_setup(void **state);
int shim_teardown(void **state);

// The tree's folder.
const char *shim_root(void);

// A file of the tree with this content; CONTENT NULL removes it.
void shim_put(const char *path, const char *content);

// A device node of the tree: /dev/NAME for device MINOR. A negative MINOR removes it.
void shim_node(const char *name, int minor);

// A host of an instance type with COUNT devices: nodes, driver version, DMI, PCI functions.
void shim_host(const char *type, const char *version, unsigned count);

// What was done wrong, and what was done, so far; "" nothing. Valid until the next call.
const char *shim_log(void);
const char *shim_done(void);

// Times that WORD is in TEXT.
unsigned shim_times(const char *text, const char *word);

#endif
