// SPDX-License-Identifier: Apache-2.0
// The components of a host with the SDK releases that each is of.
#ifndef NEUTOP_HOST_SDK_H
#define NEUTOP_HOST_SDK_H

#include "host/host.h"

enum { SDK_PARTS_MAX = 32 };

struct sdk_part {
    enum component component;
    const char *version;
    uint64_t releases; // bits of host->releases; 0: none is known, which says nothing
    bool newer;        // than all releases of the table
    bool pinned;       // goes with any release on this chip, so its own releases are not asked for
};

// The components of the host outside Python environments, and the compiler that counts (of the
// environments in use). Returns how many are in PARTS.
unsigned sdk_host_parts(const struct host *host, struct sdk_part parts[SDK_PARTS_MAX]);

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
