// SPDX-License-Identifier: Apache-2.0
// The screen: the loop that joins readers, keys, signals and the clock.
#ifndef NEUTOP_CMD_SCREEN_H
#define NEUTOP_CMD_SCREEN_H

#include "cmd/session.h"

// Runs until q, the end of the iterations, a signal, or the end of the terminal. Returns the exit
// status.
int screen_run(struct session *session);

#endif
