// SPDX-License-Identifier: Apache-2.0
// What the container runtimes' files of a host say of the containers that processes are in, and
// which devices these were given. One thread reads, since the files may lie where nobody answers.
#ifndef NEUTOP_SOURCE_CONTAINERS_H
#define NEUTOP_SOURCE_CONTAINERS_H

#include <stdbool.h>
#include <stdint.h>

#include "source/container_names.h"

struct containers;

struct container_facts {
    struct container_names names;
    uint64_t devices; // whose nodes are in its /dev, as bits by minor; 0 not known
    bool denied;      // a file that may tell its names cannot be read from here
};

// Of the host below ROOT ("" or the DIR of --root, which must outlive it). CAPTURED: its /proc is
// no real one, so links in there stay inside and nodes are told by their names. NULL: no thread.
struct containers *containers_new(const char *root, bool captured);
void containers_free(struct containers *containers);

// What is known of the container with this ID (64 digits), one of whose processes is PID; MAJOR is
// that of the driver's nodes. NOW is monotonic seconds. False while nobody has looked yet: then the
// thread does.
bool containers_find(struct containers *containers, const char *id, int pid, int major, double now,
                     struct container_facts *facts);

// Forgets the containers that nobody has asked for in the last minute: they are gone.
void containers_forget(struct containers *containers, double now);

// Waits until all that was asked for is known, at most so long.
void containers_wait(struct containers *containers, double seconds);

#endif
