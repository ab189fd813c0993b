// SPDX-License-Identifier: Apache-2.0
// The machine around the chips, read without any tool: CPU and memory from /proc, instance type and
// id from DMI, where a PCI function sits.
#ifndef NEUTOP_SOURCE_HOSTINFO_H
#define NEUTOP_SOURCE_HOSTINFO_H

#include <stdbool.h>

#include "host/host.h"

struct hostinfo;

enum { PCI_CPUS = 256 };

// Where a PCI function sits.
struct pci_place {
    bool has_node;
    unsigned numa_node;
    char cpus[PCI_CPUS]; // "0-47,96-143"; "" unknown
};

// Reads below ROOT ("" for /). Never NULL; what is not there stays unknown.
struct hostinfo *hostinfo_open(const char *root);
void hostinfo_close(struct hostinfo *info);

// Takes a sample; CPU shares come from the two newest.
void hostinfo_sample(struct hostinfo *info);

// Writes into HOST what no earlier reader gave.
void hostinfo_fill(const struct hostinfo *info, struct host *host);

// The instance type ("trn2.48xlarge"), "" when unknown.
const char *hostinfo_instance_type(const struct hostinfo *info);

// The EC2 type and id that the machine's DMI tables below ROOT tell, "" where they do not.
void hostinfo_instance(const char *root, char *type, size_t type_size, char *id, size_t id_size);

// NUMA node and CPUs of the PCI function BDF ("0000:cc:00.0"). False when nothing is known of it,
// or when BDF is no such name.
bool pci_place_read(struct pci_place *place, const char *root, const char *bdf);

// The one PCI function that the driver has when it has exactly one, into BDF (at least 16 bytes);
// else false. With one device this is its function; with several only the driver can tell.
bool pci_single_function(const char *root, char *bdf, size_t size);

#endif
