// SPDX-License-Identifier: Apache-2.0
// Messages about memory: of the device, of its rings, of the driver's pools, of the host (field
// cases M). Units in the runtime's texts are binary.
#include "joblog/steps.h"

const struct message messages_memory[] = {
    {.id = "device-memory-full",
     .summary = "Out of device memory on chip {chip} NC {core}: {requested_bytes} for {category} "
                "refused",
     .meaning = "The share of device memory that this core may use is full. The other cores of the "
                "chip may still be empty.",
     .remedy =
         "Put fewer layers or a smaller batch on a core, or spread the model over more cores; "
         "end a leftover that holds memory there.",
     .facts = FACTS_MEMORY,
     .key = (uint64_t)1 << CAPTURE_CATEGORY | (uint64_t)1 << CAPTURE_CHIP |
            (uint64_t)1 << CAPTURE_CORE,
     .after = after_memory,
     .spelling = {{"Failed to allocate ",
                   "%b (usage: %t) on ND~%d:~NC~%d",
                   {CAPTURE_BYTES, CAPTURE_CATEGORY, CAPTURE_CHIP, CAPTURE_CORE},
                   NULL,
                   0,
                   "log"}}},
    {.id = "device-memory-refused",
     .summary = "{requested_bytes} of device memory refused[ for tensor {tensor}]",
     .meaning = "The driver could not give this much device memory; the core's share is full or in "
                "pieces.",
     .remedy =
         "Put fewer layers or a smaller batch on a core, or spread the model over more cores.",
     .facts = FACTS_MEMORY,
     .key = (uint64_t)1 << CAPTURE_BYTES,
     .absorbed_by = "device-memory-full",
     .spelling = {{"Failed to alloc DEVICE memory: ", "%d", {CAPTURE_BYTES}, NULL, 0, "log"},
                  {"Failed to allocate ",
                   "%d bytes on DEVICE[ for tensor %w]",
                   {CAPTURE_BYTES, CAPTURE_TENSOR},
                   NULL,
                   0,
                   "log"}}},
    {.id = "dma-ring-refused",
     .role = ROLE_FOLLOWS,
     .summary = "A DMA ring could not be allocated",
     .meaning = "Rings move data to and from the core and lie in device memory.",
     .remedy = "See the device memory of the core.",
     .facts = FACTS_MEMORY,
     .absorbed_by = "device-memory-full",
     .spelling = {{"Failed to allocate TX ring", "", {0}, NULL, 0, "log"},
                  {"Failed to allocate RX ring", "", {0}, NULL, 0, "log"}}},
    {.id = "memory-log-written",
     .role = ROLE_REMARK,
     .summary = "The runtime wrote its memory use to {file}",
     .meaning = "A list of every allocation at the time of the failure.",
     .remedy = "Keep the file for a support request.",
     .key = (uint64_t)1 << CAPTURE_FILE,
     .spelling = {{"Wrote nrt memory alloc debug info to ", "%w", {CAPTURE_FILE}, NULL, 0, "log"}}},
    {.id = "rings-exhausted",
     .summary = "The DMA rings are used up (type {ring_type})",
     .meaning =
         "The core has no more pages for DMA rings. This is not about the size of the device "
         "memory.",
     .remedy = "Load fewer models, or models with fewer tensors, on the core.",
     .key = (uint64_t)1 << CAPTURE_RING,
     .spelling = {{"No more pages for ring type: ", "%d", {CAPTURE_RING}, NULL, 0, "doc"}}},
    {.id = "driver-pool-full",
     .summary = "The driver's pool {memory_channel}:{region} refused {needed_bytes} with "
                "{available_bytes} available",
     .meaning =
         "A pool of device memory (HBM channel {memory_channel}, region {region}) is full or "
         "in pieces. Total minus occupied is not what is available.",
     .remedy = "Put less on the cores of that memory bank: fewer models, smaller batches.",
     .facts = FACTS_MEMORY,
     .key = (uint64_t)1 << CAPTURE_CHANNEL | (uint64_t)1 << CAPTURE_REGION,
     .spelling = {{"device mempool [",
                   "%d:%d\\] total %d occupied %d needed %d available[~-~main gen pool]~%d"
                   "[,~small gen pool~%d]",
                   {CAPTURE_CHANNEL, CAPTURE_REGION, CAPTURE_POOL_TOTAL, CAPTURE_POOL_OCCUPIED,
                    CAPTURE_POOL_NEEDED, CAPTURE_POOL_AVAILABLE, CAPTURE_POOL_SMALL},
                   NULL,
                   0,
                   "doc"}}},
    {.id = "driver-pool-low",
     .role = ROLE_REMARK,
     .summary = "The driver's {what} pool of HBM {memory_channel} had no room for {needed_bytes}",
     .meaning = "An early sign that device memory runs out. The driver says it once a boot.",
     .remedy = "Watch the memory of the cores: neutop.",
     .facts = FACTS_MEMORY,
     .key = (uint64_t)1 << CAPTURE_CHANNEL | (uint64_t)1 << CAPTURE_WHAT,
     .spelling = {{"no space in ",
                   "%w genpool for HBM %d, needed %d",
                   {CAPTURE_WHAT, CAPTURE_CHANNEL, CAPTURE_POOL_NEEDED},
                   NULL,
                   0,
                   "code"}}},
    {.id = "host-memory-killed",
     .summary = "The kernel killed process {process}[ ({command})] for want of host memory",
     .meaning = "The memory of the host, or of the container, was full; not that of the chips. A "
                "holder of cores that vanished may have ended like this.",
     .remedy =
         "Start fewer workers or loaders, or use an instance with more memory; a compiler takes "
         "much as well.",
     .facts = FACTS_HOST_MEMORY,
     .key = (uint64_t)1 << CAPTURE_PROCESS,
     .spelling = {{"Out of memory: Killed process ",
                   "%d[ (%t)]",
                   {CAPTURE_PROCESS, CAPTURE_COMMAND},
                   NULL,
                   0,
                   "doc"},
                  {"Memory cgroup out of memory: Killed process ",
                   "%d[ (%t)]",
                   {CAPTURE_PROCESS, CAPTURE_COMMAND},
                   NULL,
                   0,
                   "doc"}}},
    {0},
};
