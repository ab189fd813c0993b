// SPDX-License-Identifier: Apache-2.0
// Signals to processes: the only code of the program that does anything to the host, and only when
// the person has confirmed it. Each process is held by a pidfd from the moment it was chosen, so a
// PID that has been given to another process meanwhile is never hit; without pidfd nothing is sent.
#ifndef NEUTOP_CMD_ACT_H
#define NEUTOP_CMD_ACT_H

#include <stdbool.h>
#include <time.h>

#include "source/proc_parse.h"
#include "ui/target.h"

// What /proc tells of a process.
struct act_facts {
    struct proc_stat stat;
    char command[TARGET_COMMAND], user[TARGET_USER]; // clean text
    bool neuron; // it has the runtime or a device mapped or open
};

// What act needs of the host; a test puts another one in its place. Calls as the kernel's: -1 with
// errno.
struct act_host {
    int (*open)(int pid);                // pidfd_open
    int (*send)(int handle, int number); // pidfd_send_signal; number 0 only asks
    bool (*ended)(int handle);
    // False when there is no such process. NEURON: find that out too; it takes longer.
    bool (*read)(int pid, bool neuron, struct act_facts *facts);
    double (*clock)(clockid_t clock); // seconds
    void (*close)(int handle);
    bool first_namespace; // we are in the first PID namespace: a PID that anyone tells is ours too
    bool own_proc;        // /proc is of our PID namespace
    int self;
};

// The host that we are on.
struct act_host act_this_host(void);

struct act {
    struct act_host host;
    int epoll; // readable when a process that is held has ended; -1
};

// Before any other; HOST is copied. act_close() ends it, when all targets have been let go of.
void act_open(struct act *act, const struct act_host *host);
void act_close(struct act *act);

// Looks at every target, holds those that may be signalled, and says of the others why not.
void act_look(struct act *act, struct targets *targets);

// Sends SIGNAL to all that are held; a launcher first, for it would start its workers again;
// SIGCONT in the reverse order. Notes time and result of each.
void act_send(struct act *act, struct targets *targets, int number);

// Finds out who has ended; true when somebody has.
bool act_check(struct act *act, struct targets *targets);

// Lets go of all and forgets them.
void act_drop(struct act *act, struct targets *targets);

#endif
