// SPDX-License-Identifier: Apache-2.0
// The components of a host with the SDK releases that each is of.
#ifndef NEUTOP_HOST_SDK_H
#define NEUTOP_HOST_SDK_H

#include "host/host.h"

enum { SDK_PARTS_MAX = 32, SDK_USED_MAX = 128, SDK_PART_TEXT = 256 };

struct sdk_part {
    enum component component;
    const char *version;
    uint64_t releases;             // bits of host->releases; 0: none is known, which says nothing
    bool newer;                    // than all releases of the table
    bool outside;                  // sdk_used_parts(): the releases of the rest do not hold it
    const struct process *process; // the first of those that run it; NULL: the host's own
    unsigned process_count;
    const struct environment *environment; // that it is from; NULL: none
    bool pinned; // goes with any release on this chip, so its own releases are not asked for
};

// The components of the host outside Python environments, and the compiler of the environments in
// use; one of an environment that nobody uses does not count. Returns how many are in PARTS.
unsigned sdk_host_parts(const struct host *host, struct sdk_part parts[SDK_PARTS_MAX]);

// All that is in use: the above, other runtimes that processes run, and environments in use. *ALL
// are the releases that hold all parts but those marked as outside; 0 where the host's own
// components are of different ones, or of none that is known.
unsigned sdk_used_parts(const struct host *host, struct sdk_part parts[SDK_USED_MAX],
                        uint64_t *all);

// "runtime 2.33.10.0 of PID 8412 and 2 more", "nki 0.2.0 in /venv" into BUFFER of SDK_PART_TEXT.
char *sdk_part_text(const struct sdk_part *part, char *buffer);

// "newer than this neutop knows (newest: SDK 2.33.0)", "of no known release" into BUFFER; of a part
// without releases.
char *sdk_unknown_text(const struct host *host, bool newer, char *buffer, size_t size);

// Those of a Python environment.
unsigned sdk_environment_parts(const struct host *host, const struct environment *environment,
                               struct sdk_part parts[SDK_PARTS_MAX]);

// The version of COMPONENT in ENVIRONMENT, NULL: not there.
const char *sdk_environment_version(const struct environment *environment,
                                    enum component component);

// The releases that fit all components of the host of which the release is known; 0 when none fits,
// or nothing is known.
uint64_t sdk_of_host(const struct host *host);

#endif
