// SPDX-License-Identifier: Apache-2.0
// What screen and output share: the readers, the signals and the one poll() in which the program
// waits.
#ifndef NEUTOP_CMD_SESSION_H
#define NEUTOP_CMD_SESSION_H

#include <signal.h>
#include <stdbool.h>

#include "check/check.h"
#include "cmd/settings.h"
#include "source/collect.h"

struct session {
    const struct settings *settings;
    struct collect *collect;
    int signal_fd;
    sigset_t ending;         // of the signals on signal_fd those that end a program
    sigset_t signals_before; // blocked when the session was opened; again so after it
    int keys_fd;             // -1: no keys
    int ends_fd;             // readable when a process that got a signal has ended; -1: none
};

// What a wait brought, a set of bits.
enum wake {
    WAKE_TIME = 0,
    WAKE_KEYS = 1 << 0,
    WAKE_SIGNAL = 1 << 1,
    WAKE_SOURCE = 1 << 2, // a reader has something to do
    WAKE_ENDED = 1 << 3,  // a process that got a signal has ended
};

// Opens readers and signals. Returns 0, or the exit status after one clear message on standard
// error: wrong input (2), nothing to read (4).
int session_open(struct session *session, const struct settings *settings);

// The same for commands that have something to say without a Neuron device too: when nothing can
// be read it goes on with no reader, and is silent about that.
int session_open_any(struct session *session, const struct settings *settings);
void session_close(struct session *session);

// Waits until a key, a signal, a reader, or the monotonic second DEADLINE. Never returns early for
// nothing else.
unsigned session_wait(struct session *session, double deadline);

// The next signal that has arrived, 0 for none.
int session_signal(struct session *session);

// While LET, the signals that end a program act at once and do not wait for session_signal(): a
// write that nobody reads must not hold them back. For the time of writing only.
void session_let_end(const struct session *session, bool let);

// A snapshot with the selection of --pid applied, or WHOLE: with every process. The caller ends it
// with host_free().
struct host *session_host(struct session *session, bool whole);

// A snapshot with the selection of --pid applied, and its findings in *FINDINGS. The caller ends it
// with host_free().
struct host *session_snapshot(struct session *session, struct findings *findings);

// Ends the process by SIGNAL's own default action, so that the shell sees 128+SIGNAL.
void session_die_by(int signal) __attribute__((noreturn));

// Stops the process as Ctrl-Z does; returns when it is continued.
void session_stop(void);

#endif
