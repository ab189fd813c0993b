// SPDX-License-Identifier: Apache-2.0
// Runs a program without a terminal: bytes in through a pipe, standard output and standard error
// back, with a deadline.
#ifndef NEUTOP_TESTS_PLAIN_RUN_H
#define NEUTOP_TESTS_PLAIN_RUN_H

#include <stdbool.h>
#include <stddef.h>

// A generator of input: fills BUFFER with up to SIZE bytes, returns how many; 0 ends the input.
typedef size_t plain_input(void *context, char *buffer, size_t size);

struct plain_options {
    const char *const *env; // "NAME=VALUE" sets, "NAME" unsets; NULL-terminated; may be NULL
    const char *input;      // text for standard input; NULL: /dev/null, or
    const char *file;       // a file as standard input, or
    plain_input *generate;  // made as it is read, for inputs larger than memory
    void *context;
    int ms;         // deadline in milliseconds; 0: 20,000
    bool close_out; // nobody reads standard output
};

struct plain_result {
    char *out, *err; // NUL-terminated; cut at 64 MiB
    size_t out_length, err_length;
    int status;     // exit status; 128 + N when killed by signal N
    bool timed_out; // killed at the deadline
    double seconds;
    long max_rss_kib;
    size_t fed; // bytes of generated input that the program has taken
};

// Runs ARGV. End the result with plain_free(). The second form runs the program under test with
// ARGS.
struct plain_result plain_run(const struct plain_options *options, const char *const *argv);
struct plain_result plain_neutop(const struct plain_options *options, const char *const *args);
void plain_free(struct plain_result *result);

// Lines in TEXT; a last line without its end counts.
unsigned plain_lines(const char *text);

// Bytes that a terminal could take for a command: C0 but newline and tab, DEL, C1 as UTF-8. The
// first one's offset, or -1.
long plain_control(const char *text, size_t length);

// The program under test.
const char *neutop_path(void);

// The path of a file below tests/fixtures; one of eight buffers in turn.
const char *fixture(const char *name);

#endif
