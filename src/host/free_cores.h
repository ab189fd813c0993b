// SPDX-License-Identifier: Apache-2.0
// Which logical cores are free, by the index that NEURON_RT_VISIBLE_CORES counts, whatever the
// readers counted by; and which of them to give to the next job.
#ifndef NEUTOP_HOST_FREE_CORES_H
#define NEUTOP_HOST_FREE_CORES_H

#include "host/host.h"

enum free_state { FREE_UNKNOWN, FREE_FREE, FREE_HELD };

// One logical core, or one core as its reader counts where logical ones cannot be numbered.
struct free_core {
    unsigned index;
    unsigned chip; // index into host.chips
    enum free_state state;
    unsigned holder_count;
    const unsigned *holders;  // indices into host.processes; of an unknown core: who may hold it
    enum certainty certainty; // that it is these; CERTAINTY_CHIP: one or more of them
    bool unseen;              // held by someone who cannot be seen from here
    bool after_gap; // the core before it is on a chip that is not adjacent (field case F-25)
    struct fact_f64 since_unix_seconds; // the earliest start of a holder: not held by it before
    struct fact_f64 idle_seconds;       // of the holder that was active last
};

struct free_cores {
    const struct host *host;
    bool numbered;           // index is the one of NEURON_RT_VISIBLE_CORES
    const char *trouble;     // why it is not, one line; NULL when it is
    unsigned mixed_chips;    // chips partly held of which the order of cores is not known
    bool has_lnc;            // chips of which one or two physical cores make a logical one
    unsigned lnc;            // physical cores in each; 0 when not numbered
    unsigned per_chip;       // cores of each chip; 0 when not numbered
    unsigned count;          // of cores
    struct free_core *cores; // by index
};

// What is known of HOST's cores, as a job with LNC (1 or 2; 0: the host's) would count them. Memory
// is of HOST's arena. A core is held when an owner is known, when the driver says so or when
// someone unseen uses it; free only when a source tells owners, none is there and nobody has its
// chip open whose cores are not known, or the driver says so. Where the order within chips is not
// known (core_map.h) a chip whose cores are all free or all held still tells the state of each: in
// any order they are the same set.
struct free_cores free_cores_of(const struct host *host, unsigned lnc);

// Of the cores in SET together: held when one is, free when all are.
enum free_state free_cores_state(const struct free_cores *cores, const struct core_set *set);

// Why an unknown core is unknown, one line; NULL: it is not, or who may hold it is named. May be of
// the arena of the host.
const char *free_core_why(const struct free_cores *cores, const struct free_core *core);

// The core with this index; NULL: there is none.
const struct free_core *free_cores_find(const struct free_cores *cores, unsigned index);

// How many of CORES are in STATE.
unsigned free_cores_count(const struct free_cores *cores, enum free_state state);

// Consecutive free cores, none of them behind a gap but the first.
struct core_run {
    unsigned first, count;
};

// The run that starts at FROM or later; a count of 0: there is none.
struct core_run free_cores_run(const struct free_cores *cores, unsigned from);
struct core_run free_cores_longest(const struct free_cores *cores); // of equal ones the first

// The WANTED consecutive free cores that the next job should have with NEURON_RT_VISIBLE_CORES:
// whole chips and more start with a chip; less than a chip is on one chip, aligned where its number
// divides the chip; only when there is no such run any other. Of several those on the fewest
// chips, then those that leave the most chips wholly free, then aligned to their own number, to
// chips, then where the least room is left. On success fills *RUN; else false with WHY (one line,
// "requested 16, free 12: ...") of SIZE bytes.
bool free_cores_choose(const struct free_cores *cores, unsigned wanted, struct core_run *run,
                       char *why, size_t size);

// The first core of SET with a gap between it and the core before, which is in SET too: a job over
// both fails, since their chips are not adjacent. 0: there is none.
unsigned free_cores_gap(const struct free_cores *cores, const struct core_set *set);

// Into BUFFER of SIZE bytes, of such a core: "devices 2 and 5 are not adjacent". Returns BUFFER.
const char *free_cores_gap_text(char *buffer, size_t size, const struct free_cores *cores,
                                unsigned gap);

// "free", "held", "unknown".
const char *free_state_word(enum free_state state);

// Who holds what is held unseen: someone, where no source tells of owners at all.
const char *free_unseen_words(const struct host *host);

#endif
