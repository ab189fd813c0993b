// SPDX-License-Identifier: Apache-2.0
// The first snapshot that is complete, for commands that look once.
#ifndef NEUTOP_CMD_FIRST_H
#define NEUTOP_CMD_FIRST_H

#include "cmd/session.h"

// The waiting: the caller sets GIVE_UP, CHIPLESS and WHOLE, and leaves the rest 0.
struct first {
    double give_up; // monotonic seconds: then the best there is has to do
    bool chipless;  // a host without chips is complete, too
    bool whole;     // every process counts, whatever --pid selects
    bool ended;     // the readers have nothing more
    int signal;     // the signal that ends the program, 0: none; the caller obeys
};

// Waits for the first snapshot in which each reader has told what it can, and chips are there. A
// file is read to its end. With nothing to read it does not wait. Returns a snapshot that the
// caller ends with host_free(); NULL is possible only after a signal.
struct host *first_complete(struct session *session, struct first *first);

// Says on standard error that there were sources, but none that told of a chip. Returns the exit
// status.
int first_no_chips(const struct session *session, const struct first *first);

#endif
