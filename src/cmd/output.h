// SPDX-License-Identifier: Apache-2.0
// Text and JSON on standard output, without a screen.
#ifndef NEUTOP_CMD_OUTPUT_H
#define NEUTOP_CMD_OUTPUT_H

#include "cmd/session.h"
#include "print/print.h"

// How text is to be printed: colours and characters by SETTINGS, environment and locale.
struct print_options output_options(const struct settings *settings);

// Names the processes of --pid that HOST does not have, on standard error.
void output_missing(const struct host *host);

// Whether none of the processes of --pid is there: exit status 1, unless something is worse.
bool output_nobody(const struct settings *settings, const struct host *host);

// Writes out what standard output still holds. Returns 0, or the errno of a loss since the caller
// set errno to 0, which it does before it prints.
int output_flush(void);

// The exit status after standard output was LOST (an errno; 0: it was not), with a line on standard
// error. A reader that has gone away is no error.
int output_status(int lost);

// Prints snapshots until the iterations are done, the input has ended, or a signal arrives. Returns
// the exit status.
int output_run(struct session *session);

#endif
