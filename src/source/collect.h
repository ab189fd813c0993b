// SPDX-License-Identifier: Apache-2.0
// Collect: opens the readers that were asked for, lets them work, and merges their facts into one
// snapshot.
#ifndef NEUTOP_SOURCE_COLLECT_H
#define NEUTOP_SOURCE_COLLECT_H

#include <poll.h>

#include "source/source.h"

struct collect;

// SELECTION: names as in --source ("auto", "monitor", "demo", "driver+monitor" ...), already split;
// COUNT of them. With options->input set the stream is the only reader. Returns NULL with TROUBLE
// when a reader that was asked for by name cannot be used; "auto" with nothing to read returns a
// collect without readers (collect_empty()). OPTIONS must outlive the collect.
struct collect *collect_open(const struct source_options *options, const char *const *selection,
                             size_t count, struct trouble *trouble);
void collect_close(struct collect *collect);

// No reader is open: nothing to read on this host.
bool collect_empty(const struct collect *collect);

// True when NAME is a source that --source knows.
bool collect_known_source(const char *name);

// Fills FDS with descriptors to poll (at most MAX) and returns their number; *DEADLINE is lowered
// to the earliest one wanted.
size_t collect_poll(const struct collect *collect, struct pollfd *fds, size_t max,
                    double *deadline);

// Lets every reader work that is ready. Returns the most telling event: FAILED only when every
// reader has failed.
enum source_event collect_work(struct collect *collect, double now);

// The time between two readings, for every reader that has one.
void collect_set_delay(struct collect *collect, double seconds);

// A new snapshot of all that the readers know; the caller ends it with host_free().
struct host *collect_snapshot(struct collect *collect, double now);

// One line about why everything failed, for standard error.
const char *collect_trouble(const struct collect *collect);

// Seconds of the monotonic clock.
double collect_now(void);

#endif
