// SPDX-License-Identifier: Apache-2.0
// What is known of the feature bits that runtimes accept. AWS publishes no list.
#include "check/neff_support.h"

#include <stddef.h>

#include "host/version.h"

// Oldest first. The mask of a TensorFlow Serving container (0x800000000000001f) is no row: which
// runtime that was is not known.
static const struct neff_support support[] = {
    {"2.18.15.0", 0x80000000000000ff, 0, false,
     "printed by the runtime of an SDK 2.15 host in a public issue; its exact version is inferred"},
    {"2.31.24.0", 0x7ffffff, UINT64_C(1) << 63, true,
     "third-party analysis of runtime 2.31.24.0, not confirmed by AWS"},
};

const struct neff_support *neff_support_of(const char *runtime)
{
    struct version asked, row;
    if (!version_parse(&asked, runtime))
        return NULL;
    for (size_t i = 0; i < sizeof(support) / sizeof(support[0]); i++) {
        version_parse(&row, support[i].runtime);
        if (version_compare(&asked, &row) <= 0)
            return &support[i];
    }
    return NULL;
}

bool neff_support_tells(const char *runtime, uint64_t features)
{
    const struct neff_support *newest = &support[sizeof(support) / sizeof(support[0]) - 1];
    struct version version;
    if (!version_parse(&version, runtime))
        return false;
    return neff_support_of(runtime) != NULL || (features & ~newest->mask) == 0;
}
