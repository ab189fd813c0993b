// SPDX-License-Identifier: Apache-2.0
// Threads beside the one that owns terminal and readers: for reads that the kernel may hold.
#ifndef NEUTOP_SOURCE_BACKGROUND_H
#define NEUTOP_SOURCE_BACKGROUND_H

#include <stdbool.h>
#include <stddef.h>

// Starts RUN(ARGUMENT) in a thread that nobody waits for, with a stack of STACK bytes; no signal is
// delivered to it. False when there can be no thread.
bool background_start(void *(*run)(void *), void *argument, size_t stack);

#endif
