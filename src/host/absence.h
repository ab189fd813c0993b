// SPDX-License-Identifier: Apache-2.0
// What was looked for on a host with nothing to read, and what to do about each (field cases F-13,
// F-14, F-15). source/absence fills it.
#ifndef NEUTOP_HOST_ABSENCE_H
#define NEUTOP_HOST_ABSENCE_H

#include <stdbool.h>

enum { LOOK_PCI, LOOK_MODULE, LOOK_DEVICES, LOOK_NODES, LOOK_TOOLS, ABSENCE_LOOKS };
enum { ABSENCE_TEXT = 200 };

struct absence_look {
    const char *what; // "Neuron PCI functions"
    bool found;
    bool unreadable;           // it could not be looked for: not found says nothing
    char seen[ABSENCE_TEXT];   // what was found or not, with the path
    char remedy[ABSENCE_TEXT]; // what to do; empty when found
};

struct absence {
    char verdict[ABSENCE_TEXT]; // one line: "not a Neuron instance", "driver not loaded", "device
                                // not mapped here" ...
    struct absence_look looks[ABSENCE_LOOKS];
};

#endif
