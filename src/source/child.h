// SPDX-License-Identifier: Apache-2.0
// Child: another program whose standard output is read, and whose last words on standard error are
// kept for messages. It ends with us, however we end.
#ifndef NEUTOP_SOURCE_CHILD_H
#define NEUTOP_SOURCE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { CHILD_LINES = 4, CHILD_LINE = 160 };

struct child {
    pid_t pid;    // 0: none
    int out, err; // non-blocking; -1: closed
    int status;   // of waitpid(), valid once ended
    bool ended;
    char lines[CHILD_LINES][CHILD_LINE]; // last lines of standard error, raw, in turn
    size_t line_count;                   // lines begun so far
    size_t line_fill;                    // bytes of the newest one
    bool err_rests;                      // err is not to be polled before err_next, monotonic
    double err_next;
};

// What the child's own copy of the descriptor KEPT of child_start() is called as a file.
#define CHILD_KEPT "/proc/self/fd/3"

// Starts PATH with ARGV. KEPT, if not -1, is a descriptor that it has as number 3. False with errno
// set when no process could be made; a program that cannot be executed ends with status 127 and
// says why on standard error.
bool child_start(struct child *child, const char *path, char *const argv[], int kept);

// Reads what is there of standard error into the kept lines. One that says a lot is not looked at
// again for a moment: its pipe may fill, and it waits. NOW is monotonic; INFINITY: the last words.
void child_drain(struct child *child, double now);

// Notices the end without waiting; true once it has ended (or there is none). What it started
// itself is asked to end, too.
bool child_ended(struct child *child);

// Asks it and what it started to end; SIGNAL is SIGTERM or SIGKILL.
void child_signal(const struct child *child, int signal);

// Ends it now: SIGTERM, up to 0.3 s for a reaction, SIGKILL. Then no process and no descriptor is
// left.
void child_stop(struct child *child);

// Closes the descriptors of a child that has ended and forgets it; the kept lines stay.
void child_forget(struct child *child);

// "exited with status 2", "was killed by signal 9 (Killed)" into BUFFER; returns BUFFER.
char *child_fate(const struct child *child, char *buffer, size_t size);

// The last line with text on standard error; NULL: none. Raw.
const char *child_last_line(const struct child *child);

#endif
