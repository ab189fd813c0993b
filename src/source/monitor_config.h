// SPDX-License-Identifier: Apache-2.0
// The configuration that neuron-monitor is started with: every group of every runtime
// (neuron-monitor JSON reference, section 2).
#ifndef NEUTOP_SOURCE_MONITOR_CONFIG_H
#define NEUTOP_SOURCE_MONITOR_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

enum { MONITOR_CONFIG_PATH = 256, MONITOR_PERIOD = 24 };

// A delay as Go writes durations: "1s", "500ms". Never less than 1 ms. Returns BUFFER.
char *monitor_period(double seconds, char buffer[MONITOR_PERIOD]);

// The configuration in memory, as a descriptor to hand over: nothing of it is left behind, however
// the program ends. -1: not possible here; then the file must do.
int monitor_config_open(double seconds);

// Writes the configuration into a new private file (mode 0600) in $TMPDIR, else /tmp, and its name
// to PATH. False with errno set; then nothing is left behind and PATH is "".
bool monitor_config_write(double seconds, char path[MONITOR_CONFIG_PATH]);

#endif
