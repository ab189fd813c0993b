// SPDX-License-Identifier: Apache-2.0
// Which feature bits of a NEFF a runtime is known to accept (NEFF reference, section 1.4).
#ifndef NEUTOP_CHECK_NEFF_SUPPORT_H
#define NEUTOP_CHECK_NEFF_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

// What a runtime accepts. A newer one may accept more, an older one never does.
struct neff_support {
    const char *runtime;   // the newest version that the row is known for
    uint64_t mask;         // as the runtime printed it, or as it was found
    uint64_t never_tested; // bits of which nothing is known
    bool third_party;      // found by others in the binary; false: printed in a log of a user
    const char *origin;    // for the person: where the row comes from
};

// The row for runtime version RUNTIME: that of the oldest version that is at least RUNTIME. NULL
// when nothing is known of a runtime so new.
const struct neff_support *neff_support_of(const char *runtime);

// Whether it is known of all of FEATURES if RUNTIME accepts them. What an older one accepts, a
// newer one does too.
bool neff_support_tells(const char *runtime, uint64_t features);

#endif
