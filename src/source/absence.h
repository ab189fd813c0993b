// SPDX-License-Identifier: Apache-2.0
// What was looked for on a host with nothing to read, and what to do about each (field cases F-13,
// F-14, F-15).
#ifndef NEUTOP_SOURCE_ABSENCE_H
#define NEUTOP_SOURCE_ABSENCE_H

#include <stdbool.h>
#include <stddef.h>

enum { LOOK_PCI, LOOK_MODULE, LOOK_DEVICES, LOOK_NODES, LOOK_TOOLS, ABSENCE_LOOKS };
enum { ABSENCE_TEXT = 200 };

struct absence_look {
    const char *what; // "Neuron PCI functions"
    bool found;
    char seen[ABSENCE_TEXT];   // what was found or not, with the path
    char remedy[ABSENCE_TEXT]; // what to do; empty when found
};

struct absence {
    char verdict[ABSENCE_TEXT]; // one line: "not a Neuron instance", "driver not loaded", "device
                                // not mapped here" ...
    struct absence_look looks[ABSENCE_LOOKS];
};

// Looks below ROOT ("" for /): PCI functions of vendor 0x1d0f with a Neuron device id, the driver,
// device nodes, neuron-monitor on PATH and in /opt/aws/neuron/bin. Opens no device node.
void absence_look(struct absence *absence, const char *root);

// Counts the Neuron chips on the PCI bus, those of Inferentia among them, and names the last one.
// False when the bus cannot be read from here.
bool absence_pci(const char *root, unsigned *functions, unsigned *inf1, const char **chip);

#endif
