// SPDX-License-Identifier: Apache-2.0
// Rings of past values for the graphs, sized by what can be drawn, not by habit.
#ifndef NEUTOP_HOST_HISTORY_H
#define NEUTOP_HOST_HISTORY_H

#include "host/host.h"

enum { HISTORY_SAMPLES = 1024 }; // widest graph: 512 columns of two samples (braille)

enum series_kind {
    SERIES_UTILIZATION,      // instance, percent
    SERIES_MEMORY,           // instance, percent of device memory in use
    SERIES_HOST_CPU,         // percent
    SERIES_HOST_MEMORY,      // percent
    SERIES_CHIP_UTILIZATION, // of the chip with index `which`
    SERIES_CHIP_MEMORY,      // percent of that chip's device memory
};

struct history;

// Empty; history_free(), which takes NULL too, ends it.
struct history *history_new(void);
void history_free(struct history *history);

// Takes one sample of each series from a snapshot. Memory grows with the chips only (2 KiB a
// series); an unknown or stale value is kept as unknown.
void history_feed(struct history *history, const struct host *host);

// The newest up to COUNT samples of a series into VALUES, oldest first, NAN = unknown. Returns how
// many there are (0 when there is no such series). WHICH is the index of the chip for chip
// series, else 0.
size_t history_read(const struct history *history, enum series_kind kind, unsigned which,
                    float *values, size_t count);

#endif
