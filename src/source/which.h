// SPDX-License-Identifier: Apache-2.0
// Where one of AWS's Neuron tools lies: on PATH, then in /opt/aws/neuron/bin (field case F-15).
#ifndef NEUTOP_SOURCE_WHICH_H
#define NEUTOP_SOURCE_WHICH_H

#include <stdbool.h>
#include <stddef.h>

// Finds the executable file NAME; with a ROOT that is not "" PATH is not searched. Writes its path
// to BUFFER (SIZE bytes); false when there is none.
bool which_neuron_tool(const char *name, const char *root, char *buffer, size_t size);

#endif
