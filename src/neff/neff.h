// SPDX-License-Identifier: Apache-2.0
// A NEFF file: compiled code for Neuron chips. What can be told of it without loading it.
#ifndef NEUTOP_NEFF_NEFF_H
#define NEUTOP_NEFF_NEFF_H

#include "neff/header.h"

// How far the members of the payload could be read. All but NEFF_COMPLETE leave facts unknown.
enum neff_outcome {
    NEFF_COMPLETE,
    NEFF_MISSING,    // read to its end, and something was not there
    NEFF_GAVE_UP,    // a limit was reached first
    NEFF_DAMAGED,    // gzip or tar is broken
    NEFF_NO_LIBRARY, // nothing to read it with
};

struct neff_limits {
    uint64_t bytes; // of the payload, inflated; one step may go 16 MiB beyond
    double seconds;
};

struct neff_payload {
    enum neff_form form;
    uint32_t built_unix_seconds; // UTC; 0 unknown
    char compiler[128];          // version of neuronx-cc with its hash, clean; "" unknown
    char target[64];             // clean
    bool target_known;
    enum neff_outcome outcome;
    char why[NEFF_WHY]; // one line; "" for NEFF_COMPLETE
};

enum neff_hash { NEFF_HASH_UNCHECKED, NEFF_HASH_OK, NEFF_HASH_BAD, NEFF_HASH_NONE };

struct neff {
    struct neff_header header;
    struct neff_payload payload;
    enum neff_hash hash;
    char hash_why[NEFF_WHY]; // of NEFF_HASH_NONE
};

struct neff_options {
    bool verify; // read the whole payload for its hash
    struct neff_limits limits;
};

// 64 MiB and 5 seconds; see NEFF reference, "Reading cost". The time is only against storage that
// hangs: 64 MiB take a fraction of a second.
struct neff_options neff_options_default(void);

// Reads the NEFF at PATH; opens nothing but a regular file and never blocks on one that is none.
// False with one line in WHY (without PATH) when it is no NEFF or cannot be read.
bool neff_read(struct neff *neff, const char *path, const struct neff_options *options,
               char why[NEFF_WHY]);

// The same of an open regular file, which stays open.
bool neff_read_open(struct neff *neff, int fd, const struct neff_options *options,
                    char why[NEFF_WHY]);

// Its first 1024 bytes alone.
bool neff_read_header(struct neff_header *header, int fd, char why[NEFF_WHY]);

const char *neff_hash_word(enum neff_hash hash); // "ok", "bad", "unchecked"; NULL for none

#endif
