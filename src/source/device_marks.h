// SPDX-License-Identifier: Apache-2.0
// Which cores of a device some process has reserved, by the driver's own marks (driver reference
// 11.5). Only asked when the person wanted it: the call is the one that reserves, put so that it
// cannot.
#ifndef NEUTOP_SOURCE_DEVICE_MARKS_H
#define NEUTOP_SOURCE_DEVICE_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bits by core, counted within the device.
struct device_marks {
    uint32_t asked; // the driver told of it
    uint32_t held;
};

// Asks for each of the first CORES (at most 32) of the device open at FD. ERROR of SIZE bytes gets
// what went wrong first, "" nothing. False when the driver did mark a core, which was taken back at
// once: it must not be asked again.
bool device_marks_ask(int fd, unsigned cores, struct device_marks *marks, char *error, size_t size);

#endif
