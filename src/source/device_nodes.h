// SPDX-License-Identifier: Apache-2.0
// The driver's device nodes in /dev, found by their major number: a container may give them other
// names, the minor number is the device's index on the host (driver reference 1, 6). Opens none.
#ifndef NEUTOP_SOURCE_DEVICE_NODES_H
#define NEUTOP_SOURCE_DEVICE_NODES_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

enum { DEVICE_NODES = 64, DEVICE_NODE_NAME = 32 };

struct device_node {
    unsigned index; // the minor number
    char name[DEVICE_NODE_NAME];
    dev_t number;
    ino_t inode;
    struct timespec changed; // of the node itself: made, or its owner or mode changed
    mode_t mode;
    gid_t group;
};

struct device_nodes {
    bool loaded;           // the driver has a major number: it is loaded
    struct timespec stamp; // of the directory
    unsigned count;
    struct device_node nodes[DEVICE_NODES]; // by index
};

// Looks below ROOT ("" for /).
void device_nodes_list(struct device_nodes *nodes, const char *root);

// True when /dev was not touched since LIST was made. A change within the second before the list
// was made may have been missed, so a list that young is never current.
bool device_nodes_current(const struct device_nodes *nodes, const char *root);

#endif
