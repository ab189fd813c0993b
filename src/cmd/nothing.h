// SPDX-License-Identifier: Apache-2.0
// The message of a host with nothing to read: what was looked for, what was not found, and what to
// do.
#ifndef NEUTOP_CMD_NOTHING_H
#define NEUTOP_CMD_NOTHING_H

#include <stdio.h>

#include "cmd/settings.h"

// True when there is no Neuron device below ROOT: neither on the PCI bus nor of the driver.
bool nothing_there(const char *root);

// What was looked for below the root of SETTINGS, and what to do, a line or two each.
void nothing_print(FILE *out, const struct settings *settings);

#endif
