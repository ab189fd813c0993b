// SPDX-License-Identifier: Apache-2.0
// Text and JSON on standard output, without a screen.
#ifndef NEUTOP_CMD_OUTPUT_H
#define NEUTOP_CMD_OUTPUT_H

#include "cmd/session.h"

// Prints snapshots until the iterations are done, the input has ended, or a signal arrives. Returns
// the exit status.
int output_run(struct session *session);

#endif
