// SPDX-License-Identifier: Apache-2.0
// What the tests of the readers share: fixtures, temporary files, and a run of a reader to its end.
#ifndef NEUTOP_TESTS_SOURCE_RUN_H
#define NEUTOP_TESTS_SOURCE_RUN_H

#include <stddef.h>

#include "source/collect.h"

// The path of a neuron-monitor stream below tests/fixtures/monitor; lives until the next call.
const char *fixture(const char *name);

// The whole content of PATH, NUL-terminated; the caller frees it.
char *read_all(const char *path, size_t *length);

// A new folder for this program's files, removed at exit.
const char *scratch(void);

// Writes LENGTH bytes to NAME in scratch(), with MODE; returns the path, which lives until the next
// call.
const char *write_scratch(const char *name, const char *content, size_t length, unsigned mode);

// Options of an unpaced reader of INPUT.
struct source_options reading(const char *input);

// The snapshot after COUNT reports of INPUT (0: all, to the end). The caller ends it with
// host_free(). Fails the test when the input gives less.
struct host *snapshot_after(const char *input, unsigned count);

// The process with PID, which must be there.
const struct process *process_of(const struct host *host, unsigned long pid);

// Facts must be known and have this value.
#define assert_count(fact, expected)                       \
    do {                                                   \
        assert_true(known_u64(fact));                      \
        assert_true((fact).value == (uint64_t)(expected)); \
    } while (0)
#define assert_figure(fact, expected)                                        \
    do {                                                                     \
        assert_true(known_f64(fact));                                        \
        assert_float_equal((fact).value, expected, 1e-6 * (1 + (expected))); \
    } while (0)

#endif
