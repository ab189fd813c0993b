// SPDX-License-Identifier: Apache-2.0
// Looks for what a Neuron host must have, where there is nothing to read (field cases F-13 to
// F-15).
#ifndef NEUTOP_SOURCE_ABSENCE_H
#define NEUTOP_SOURCE_ABSENCE_H

#include <stdbool.h>

#include "host/absence.h"

// Looks below ROOT ("" for /): PCI functions of vendor 0x1d0f with a Neuron device id, the driver,
// device nodes, neuron-monitor on PATH and in /opt/aws/neuron/bin. Opens no device node. A later
// look overwrites ABSENCE; it owns nothing.
void absence_look(struct absence *absence, const char *root);

// Counts the Neuron chips on the PCI bus, those of Inferentia among them, and names the last one
// (NULL: none). False when the bus cannot be read from here.
bool absence_pci(const char *root, unsigned *functions, unsigned *inf1, const char **chip);

#endif
