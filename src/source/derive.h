// SPDX-License-Identifier: Apache-2.0
// Derive: what follows from the facts of all readers together.
#ifndef NEUTOP_SOURCE_DERIVE_H
#define NEUTOP_SOURCE_DERIVE_H

#include "host/host.h"

// Sorts the processes by PID, then tag; works out from their shares who owns which core and chip;
// and fills what is still unknown: use and memory of cores, chips and processes. What a reader gave
// is left alone.
void derive_host(struct host *host);

#endif
