// SPDX-License-Identifier: Apache-2.0
// How the chips of an instance are linked: read from the links that a source listed, never guessed.
// The driver's own lists differ in order from one chip to another and from neuron-ls, so they are
// compared as sets (driver reference 2.3).
#ifndef NEUTOP_HOST_TOPOLOGY_H
#define NEUTOP_HOST_TOPOLOGY_H

#include "host/host.h"

enum links {
    LINKS_UNKNOWN, // nobody listed them for every chip
    LINKS_NONE,    // listed, and there are none
    LINKS_SINGLE,  // one chip, nothing to link
    LINKS_CHAIN,
    LINKS_RING,
    LINKS_TORUS_4X4,
    LINKS_ALL, // every chip to every other
    LINKS_OTHER
};

// What the neighbours that HOST's chips list form together.
enum links links_classify(const struct host *host);

// "4x4 torus", "ring" ..., "unknown".
const char *topology_word(enum topology topology);

// What LINKS is as a topology; TOPOLOGY_UNKNOWN when it is none of the known ones.
enum topology links_topology(enum links links);

#endif
