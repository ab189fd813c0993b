// SPDX-License-Identifier: Apache-2.0
// A stand-in for the Neuron driver, as a preloaded library: it answers on /dev/neuron* as driver
// 2.24.7 was recorded to answer, and writes a line to $NEUTOP_SHIM_LOG for everything that a
// monitor must never do. A test is good when that file is empty. The environment, read at each
// call:
//
//   NEUTOP_SHIM_ROOT   a tree that stands for /sys, /dev, /proc/devices and /proc/modules. A device
//                      node in it is a plain file with the sticky bit whose size is the minor
//                      number
//   NEUTOP_SHIM_LOG    violations, one line each
//   NEUTOP_SHIM_TRACE  what was done with devices, one line each: "open 3", "DEVICE_BDF_EXT 3 0",
//                      "close 3"
//   NEUTOP_SHIM_CHIP   v3 (Trainium2, default) or v2 (Trainium)
//   NEUTOP_SHIM_DEVICES  devices that the driver has, default 16
//   NEUTOP_SHIM_POD    type of the pod that the host is part of, default 0: none
//   NEUTOP_SHIM_CLAIMS claimed cores, "nd0=XX...... nd1=........"
//   NEUTOP_SHIM_FAULTS what to do otherwise: "CALL[@MINOR]=HOW" joined with ';'. CALL is "open",
//                      "attach" (an open for reading) or the name of a call; HOW is "errno:N",
//                      "result:N" (a positive failure), "slow:MILLISECONDS" or, of a core mark,
//                      "mark:R" (reserves the core as asked and returns R) or "free:N" (refuses,
//                      with N cores free)
//   NEUTOP_SHIM_ALLOW  "attach" and "ask" are no violations when named in it
#ifndef NEUTOP_TESTS_SHIM_H
#define NEUTOP_TESTS_SHIM_H

#include <stdbool.h>

enum { SHIM_MAJOR = 246, SHIM_DEVICES = 64, SHIM_PATH = 4096 };

// Writes a line to the file that the variable NAME names. Keeps errno.
void shim_write(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define shim_violation(...) shim_write("NEUTOP_SHIM_LOG", __VA_ARGS__)
#define shim_trace(...) shim_write("NEUTOP_SHIM_TRACE", __VA_ARGS__)

bool shim_allows(const char *what);

// What NEUTOP_SHIM_FAULTS wants of CALL on device MINOR. True when the call ends with *RESULT (and
// errno) instead of its own answer; waits when it is to be slow.
bool shim_fault(const char *call, int minor, int *result);

// The last handle of device MINOR is closed: what is still marked by then is a violation.
void shim_marks_end(int minor);

// The driver's answer to an ioctl on device MINOR; QUIET: the handle was opened O_WRONLY.
int shim_ioctl(int minor, bool quiet, unsigned long call, void *argument);

#endif
