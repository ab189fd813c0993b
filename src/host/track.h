// SPDX-License-Identifier: Apache-2.0
// What only a sequence of snapshots can tell: idle since when, who has gone, which counters grew.
// Fed with each new snapshot before it is shown; fills process.idle_seconds,
// process.idle_since_start, process.past_executions, process.past_errors and chip.ecc.increased of
// that snapshot.
#ifndef NEUTOP_HOST_TRACK_H
#define NEUTOP_HOST_TRACK_H

#include "host/host.h"

struct track;

// Has seen nothing yet; track_free(), which takes NULL too, ends it.
struct track *track_new(void);
void track_free(struct track *track);

// HOST is still being built (not yet const). A process counts as active when it uses a core,
// executions completed, its set of models changed, or it has just appeared; idle_seconds is 0 then.
// It stays unknown when no fact could tell, is stale when these facts are, and is left alone when a
// source gave it. Processes are known by (pid, tag). State of processes absent for 60 s is dropped:
// bounded memory. A monotonic time that goes back starts a new run.
void track_feed(struct track *track, struct host *host);

#endif
