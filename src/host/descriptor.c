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

// The LNC by which physical cores are put together to logical ones; 0: the cores of HOST are
// described as they are.
static unsigned joined_by(const struct host *host)
{
    const struct generation *gen = host->hardware.generation;
    uint64_t lnc = host->hardware.lnc.value;
    if (host->numbering != NUMBERING_PHYSICAL || gen == NULL || gen->lnc_max == 1 ||
        !known_u64(host->hardware.lnc) || lnc < 1 || lnc > gen->lnc_max)
        return 0;
    for (unsigned i = 0; i < host->chip_count; i++)
        if (host->chips[i].core_count % lnc != 0)
            return 0;
    return (unsigned)lnc;
}

unsigned descriptor_count(const struct host *host)
{
    unsigned lnc = joined_by(host);
    return lnc > 0 ? host->core_count / lnc : host->core_count;
}

// Physical cores behind CORE as it is; 0 when that cannot be told.
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
    if (gen == NULL)
        return;
    of->boundary = gen->hbm ? "bank" : "chip";
    of->memory_kind = gen->hbm ? "HBM" : "DRAM";
    if (of->width == 0 || (known_u64(of->memory_bytes) && of->shared_by > 0))
        return;
    uint64_t bytes = generation_core_bytes(gen, of->width, &of->shared_by);
    of->memory_bytes = fact_u64(bytes, FROM_TABLE);
}

static void add_peak(struct core_descriptor *of, const char *data_type, double core, double chip)
{
    if (data_type == NULL || (core <= 0 && chip <= 0) || of->peak_count == DESCRIPTOR_PEAKS)
        return;
    of->peaks[of->peak_count++] = (struct peak){.data_type = data_type,
                                                .physical_core = core,
                                                .logical_core = core * of->width,
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

// What follows from the generation.
static void describe_kind(const struct host *host, struct core_descriptor *of)
{
    const struct generation *gen = host->hardware.generation;
    const char *version = gen != NULL ? gen->neuroncore : host->hardware.neuroncore;
    if (version != NULL)
        snprintf(of->architecture, sizeof(of->architecture), "NeuronCore-%s", version);
    describe_memory(of, gen);
    if (gen == NULL)
        return;
    of->capabilities = gen->capabilities;
    describe_peaks(of, gen);
}

// Neighbours in place share a bank in every numbering: the driver's core map swaps only whole pairs
// (driver reference 5.4). FIRST is the index of the first of the chip's COUNT cores.
static void describe_sharers(struct core_descriptor *of, unsigned first, unsigned count,
                             unsigned place)
{
    if (of->shared_by == 0)
        return;
    unsigned group = place / of->shared_by * of->shared_by;
    for (unsigned i = group; i < group + of->shared_by && i < count; i++)
        core_set_add(&of->sharers, first + i);
}

static struct core_descriptor describe_as_it_is(const struct host *host, const struct core *core)
{
    const struct generation *gen = host->hardware.generation;
    struct core_descriptor of = {.index = core->index,
                                 .numbering = core->numbering,
                                 .logical = core->logical,
                                 .chip = host->chips[core->chip].index,
                                 .width = width_of(host, core),
                                 .memory_bytes = core->memory_limit_bytes,
                                 .shared_by = core->memory_shared_by};
    of.is_logical = core->numbering != NUMBERING_PHYSICAL || (gen != NULL && gen->lnc_max == 1);
    for (unsigned i = 0; i < core->physical_count; i++)
        if (core->physical[i].index >= 0)
            of.physical[of.physical_count++] = (unsigned)core->physical[i].index;
    if (core->numbering == NUMBERING_PHYSICAL && of.physical_count == 0)
        of.physical[of.physical_count++] = core->index;
    describe_kind(host, &of);
    if (core->index >= core->place)
        describe_sharers(&of, core->index - core->place, host->chips[core->chip].core_count,
                         core->place);
    return of;
}

// The physical cores of CHIP that the core map puts into the logical core of OF.
static void find_physical(const struct host *host, const struct chip *chip,
                          struct core_descriptor *of)
{
    for (unsigned i = chip->core_first; i < chip->core_first + chip->core_count; i++) {
        const struct core *core = &host->cores[i];
        if (known_u64(core->logical) && core->logical.value == of->index &&
            of->physical_count < PHYSICAL_MAX)
            of->physical[of->physical_count++] = core->index;
    }
}

// Logical core PLACE of CHIP, whose cores are physical ones, LNC in a logical one.
static struct core_descriptor describe_joined(const struct host *host, const struct chip *chip,
                                              unsigned place, unsigned lnc)
{
    unsigned at;
    bool known = chip_places_known(host) && chip_place(host, (unsigned)(chip - host->chips), &at);
    unsigned first = (known ? at : chip->index) * (chip->core_count / lnc);
    struct core_descriptor of = {.index = first + place,
                                 .numbering = NUMBERING_LOGICAL,
                                 .logical = {0},
                                 .chip = chip->index,
                                 .is_logical = true,
                                 .width = lnc};
    if (known)
        of.logical = fact_u64(first + place, FROM_DERIVED);
    find_physical(host, chip, &of);
    describe_kind(host, &of);
    describe_sharers(&of, first, chip->core_count / lnc, place);
    return of;
}

struct core_descriptor descriptor_at(const struct host *host, unsigned at)
{
    unsigned lnc = joined_by(host);
    if (lnc == 0)
        return describe_as_it_is(host, &host->cores[at]);
    const struct chip *chip = host->chips;
    for (; at >= chip->core_count / lnc; chip++)
        at -= chip->core_count / lnc;
    return describe_joined(host, chip, at, lnc);
}

bool descriptor_same_kind(const struct core_descriptor *a, const struct core_descriptor *b)
{
    return a->is_logical == b->is_logical && a->width == b->width &&
           a->capabilities == b->capabilities && a->shared_by == b->shared_by &&
           a->memory_bytes.value == b->memory_bytes.value && a->peak_count == b->peak_count;
}
