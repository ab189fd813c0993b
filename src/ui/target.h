// SPDX-License-Identifier: Apache-2.0
// Processes that the person wants to send a signal to. The screen chooses and shows them; the loop,
// which alone may touch the host, looks at each, holds it by a descriptor, and sends. Pure.
#ifndef NEUTOP_UI_TARGET_H
#define NEUTOP_UI_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/core_set.h"
#include "host/fact.h"

enum {
    TARGETS_MAX = 512,
    TARGET_COMMAND = 1024,
    TARGET_USER = 64,
    TARGET_CORES = 40,
    TARGET_WHY = 128,
    TARGET_NAME = 64
};

enum target_state {
    TARGET_NEW,     // not looked at yet
    TARGET_READY,   // held by its descriptor; may be signalled
    TARGET_REFUSED, // gets no signal, whatever is asked for: why
    TARGET_SENT,    // the kernel took the signal
    TARGET_FAILED,  // the kernel did not take it: why
    TARGET_GONE,    // has ended
};

struct target {
    // What the snapshot tells.
    uint64_t pid;
    bool launcher;                        // starts the others of its job
    bool seen_in_proc;                    // its PID is from our own /proc
    struct fact_f64 started_unix_seconds; // UTC
    struct fact_f64 started_by;           // it is as old as that, UTC: a launcher than its workers
    double told_seconds;                  // how old the news of it were in the snapshot
    char cores[TARGET_CORES];             // clean text: "0-3", "chips 0-7", ""
    // What the loop found when it looked.
    enum target_state state;
    int handle;         // pidfd of the loop; -1 none
    bool stopped;       // takes a signal other than SIGKILL only when it is continued
    bool sent;          // it got one: when it is gone, that is why
    double age_seconds; // NAN unknown
    char command[TARGET_COMMAND], user[TARGET_USER], why[TARGET_WHY]; // clean text
};

struct targets {
    struct target *items; // the launcher first
    size_t count, room;
    char name[TARGET_NAME]; // clean text: "31207 torchrun and 32 workers"
    double chosen_mono;     // when the snapshot was taken that they were chosen from
    struct core_set frees;  // cores, by the snapshot's index, that only they hold
    struct fact_u64 frees_bytes;
    // Of what was sent; times are monotonic seconds.
    int signal; // 0: nothing yet
    double sent_mono, ended_mono;
};

// A new target in state TARGET_NEW without a handle; NULL when there are TARGETS_MAX, or when the
// PID is there already.
struct target *targets_add(struct targets *targets, uint64_t pid);

// Forgets all of them. The loop has closed the handles.
void targets_clear(struct targets *targets);
void targets_free(struct targets *targets);

// INTO becomes FROM, which becomes empty. The loop has closed the handles of INTO.
void targets_move(struct targets *into, struct targets *from);

// How many are in STATE, and the first of them; NULL: none.
size_t targets_count(const struct targets *targets, enum target_state state);
const struct target *targets_first(const struct targets *targets, enum target_state state);

// A signal that can be sent.
struct signal_row {
    int number;
    const char *name; // "SIGTERM"
    const char *what; // "end, after cleaning up"
    bool ends;        // sent to end a process: SIGKILL is offered when it has not
};

// In the order of the menu; ends with a NULL name.
const struct signal_row *signal_table(void);
const struct signal_row *signal_get(int number); // NULL: not one of them

// What has become of a signal that was sent.
enum note_kind {
    NOTE_NONE,  // nothing was sent, or it is told long enough
    NOTE_TOLD,  // one line to read
    NOTE_OFFER, // a question: SIGKILL?
};

enum { NOTE_TEXT = 256 };

// Seconds after which SIGKILL is offered for a process that is still there.
enum { NOTE_OFFER_SECONDS = 10 };

// One line about TARGETS at monotonic second NOW. FREE: how many of its frees are free in the
// newest snapshot, -1 unknown.
enum note_kind note_write(char *text, size_t size, const struct targets *targets, double now,
                          int free);

#endif
