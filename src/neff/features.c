// SPDX-License-Identifier: Apache-2.0
// Feature bits of a NEFF. The names are those of third-party notes on compiler 2.24; they agree
// with all files seen.
#include "neff/features.h"

#include <stddef.h>

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

const char *neff_feature_name(unsigned bit)
{
    return bit < NEFF_FEATURE_BITS ? names[bit] : NULL;
}
