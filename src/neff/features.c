// SPDX-License-Identifier: Apache-2.0
// Feature bits of a NEFF. The names are those of third-party notes on compiler 2.24; they agree
// with all files seen.
#include "neff/features.h"

#include <stddef.h>

#include "host/version.h"

static const char *const names[NEFF_FEATURE_BITS] = {
    [1] = "collective_has_offset",
    [2] = "custom_ops",
    [3] = "coalesced_ccops",
    [4] = "queue_set_instances",
    [5] = "has_functions",
    [6] = "dynamic_pwp",
    [7] = "indirect_memcpy_32b_sem_wait",
    [8] = "indirect_memcpy_bound_check",
    [9] = "DMA_desc_higher_dim",
    [10] = "vnc",
    [11] = "DVE perf mode",
    [12] = "DGE",
    [13] = "POOL_RSQRT",
    [14] = "remote_sem",
    [15] = "DGE_cast",
    [16] = "vector_DGE",
    [17] = "embedding_stride32",
    [20] = "SQI_no_rearm",
    [21] = "hardware_DGE",
    [22] = "partial_sb2sb_ccop",
    [24] = "v4 marker",
    [25] = "large_tensor_support",
};

// Oldest first. The mask of a TensorFlow Serving container (0x800000000000001f) is no row: which
// runtime that was is not known.
static const struct neff_support support[] = {
    {"2.18.15.0", 0x80000000000000ff, 0, false,
     "printed by the runtime of an SDK 2.15 host in a public issue; its exact version is inferred"},
    {"2.31.24.0", 0x7ffffff, UINT64_C(1) << 63, true,
     "third-party analysis of runtime 2.31.24.0, not confirmed by AWS"},
};

const char *neff_feature_name(unsigned bit)
{
    return bit < NEFF_FEATURE_BITS ? names[bit] : NULL;
}

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
