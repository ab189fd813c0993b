// SPDX-License-Identifier: Apache-2.0
// What one core is. A logical core with LNC=2 is two physical cores with a memory bank of their
// own; with LNC=1 two logical cores share a bank.
#include "host/descriptor.h"

#include <stdio.h>

struct fact_u64 chip_logical_cores(const struct host *host, const struct chip *chip)
{
    const struct generation *gen = host->hardware.generation;
    if (known_u64(host->hardware.logical_cores_per_chip))
        return host->hardware.logical_cores_per_chip;
    if (gen != NULL && known_u64(host->hardware.lnc))
        return fact_u64(generation_logical_cores(gen, (unsigned)host->hardware.lnc.value),
                        FROM_DERIVED);
    bool logical = host->numbering == NUMBERING_LOGICAL || host->numbering == NUMBERING_MONITOR;
    if (chip->core_count > 0 && (logical || (gen != NULL && gen->lnc_max == 1)))
        return fact_u64(chip->core_count, FROM_DERIVED);
    return (struct fact_u64){0};
}

// Physical cores behind the described one; 0 when that cannot be told.
static unsigned width_of(const struct host *host, const struct core *core)
{
    const struct generation *gen = host->hardware.generation;
    struct fact_u64 logical = chip_logical_cores(host, &host->chips[core->chip]);
    if (core->numbering == NUMBERING_PHYSICAL || (gen != NULL && gen->lnc_max == 1))
        return 1;
    if (known_u64(host->hardware.lnc))
        return (unsigned)host->hardware.lnc.value;
    if (gen == NULL || !known_u64(logical) || logical.value == 0)
        return 0;
    unsigned width = gen->physical_cores / (unsigned)logical.value;
    return width >= 1 && width <= gen->lnc_max ? width : 0;
}

static void describe_memory(struct core_descriptor *of, const struct generation *gen)
{
    of->memory_bytes = of->core->memory_limit_bytes;
    of->shared_by = of->core->memory_shared_by;
    if (gen == NULL)
        return;
    of->boundary = gen->hbm ? "bank" : "chip";
    of->memory_kind = gen->hbm ? "HBM" : "DRAM";
    if (known_u64(of->memory_bytes) && of->shared_by > 0)
        return;
    if (of->physical_cores == 0)
        return;
    unsigned shared_by;
    uint64_t bytes = generation_core_bytes(gen, of->physical_cores, &shared_by);
    of->memory_bytes = fact_u64(bytes, FROM_TABLE);
    of->shared_by = shared_by;
}

static void add_peak(struct core_descriptor *of, const char *data_type, double core, double chip)
{
    if (data_type == NULL || (core <= 0 && chip <= 0) || of->peak_count == DESCRIPTOR_PEAKS)
        return;
    of->peaks[of->peak_count++] = (struct peak){.data_type = data_type,
                                                .physical_core = core,
                                                .logical_core = core * of->physical_cores,
                                                .chip = chip};
}

static void describe_peaks(struct core_descriptor *of, const struct generation *gen)
{
    add_peak(of, "FP32", gen->core_fp32_tflops, gen->fp32_tflops);
    if ((gen->capabilities & CAP_TF32) != 0)
        add_peak(of, "TF32", gen->core_bf16_tflops, gen->bf16_tflops);
    add_peak(of, "BF16", gen->core_bf16_tflops, gen->bf16_tflops);
    if ((gen->capabilities & CAP_FP16) != 0)
        add_peak(of, "FP16", gen->core_bf16_tflops, gen->bf16_tflops);
    add_peak(of, gen->fp8, gen->core_fp8_tflops, gen->fp8_tflops);
    if ((gen->capabilities & CAP_MXFP4) != 0)
        add_peak(of, "MXFP4", gen->core_fp8_tflops, gen->fp8_tflops);
    add_peak(of, "sparse", gen->core_sparse_tflops, gen->sparse_tflops);
    add_peak(of, "INT8", 0, gen->int8_tops);
    if (gen->int8_tops > 0)
        of->peaks[of->peak_count - 1].integer = true;
}

struct core_descriptor core_describe(const struct host *host, const struct core *core)
{
    const struct generation *gen = host->hardware.generation;
    const char *version = gen != NULL ? gen->neuroncore : host->hardware.neuroncore;
    struct core_descriptor of = {.core = core, .chip = host->chips[core->chip].index};
    of.physical_cores = width_of(host, core);
    of.logical = core->numbering != NUMBERING_PHYSICAL || (gen != NULL && gen->lnc_max == 1);
    if (version != NULL)
        snprintf(of.architecture, sizeof(of.architecture), "NeuronCore-%s", version);
    describe_memory(&of, gen);
    if (gen != NULL) {
        of.capabilities = gen->capabilities;
        describe_peaks(&of, gen);
    }
    return of;
}

// Neighbours in place share a bank in every numbering: the driver's core map swaps only whole pairs
// (driver reference 5.4).
struct core_set descriptor_sharers(const struct host *host, const struct core_descriptor *of)
{
    const struct chip *chip = &host->chips[of->core->chip];
    struct core_set set;
    core_set_clear(&set);
    for (unsigned i = chip->core_first; i < chip->core_first + chip->core_count; i++) {
        const struct core *core = &host->cores[i];
        if (of->shared_by > 0 && core->place / of->shared_by == of->core->place / of->shared_by)
            core_set_add(&set, core->index);
    }
    return set;
}

bool descriptor_same_kind(const struct core_descriptor *a, const struct core_descriptor *b)
{
    return a->logical == b->logical && a->physical_cores == b->physical_cores &&
           a->capabilities == b->capabilities && a->shared_by == b->shared_by &&
           a->memory_bytes.value == b->memory_bytes.value && a->peak_count == b->peak_count;
}
