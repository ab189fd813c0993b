// SPDX-License-Identifier: Apache-2.0
// Exit statuses (interface, "Exit status"). Killed by a signal: the signal's own.
#ifndef NEUTOP_CMD_STATUS_H
#define NEUTOP_CMD_STATUS_H

enum {
    STATUS_OK = 0,
    STATUS_WARNING = 1,
    STATUS_USAGE = 2,
    STATUS_CRITICAL = 3,
    STATUS_NOTHING = 4
};

#endif
