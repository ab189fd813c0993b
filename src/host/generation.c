// SPDX-License-Identifier: Apache-2.0
// The tables of chip generations and EC2 instance types, and what follows from them. Numbers:
// hardware reference; capacities and strings as the driver has them: driver reference 2.3 and 5.3.
//
// Capabilities are from AWS's documentation at awsdocs-neuron.readthedocs-hosted.com, below
// about-neuron/arch/: the inputs that the pages "NeuronCore-v1" to "NeuronCore-v4 Architecture"
// name for the tensor engine; that the 8-bit floating point has the forms E4M3 and E5M2, from "Data
// Types" (v2) and from the pages float8_e4m3 and float8_e5m2 of NKI (relevant for Inf2, Trn1 to
// Trn3). INT4 is on none of them. The figure for BF16 holds for FP16 too, and for TF32 from
// NeuronCore-v2 on (pages of the chips); the figures of a core for sparse work are from the pages
// of the cores.
#include "host/generation.h"

#include <string.h>
#include <strings.h>

#define GIB ((uint64_t)1 << 30)

#define CAPS_FLOAT (CAP_FP32 | CAP_TF32 | CAP_BF16 | CAP_FP16 | CAP_FP8_E4M3 | CAP_FP8_E5M2)
#define CAPS_V2 (CAPS_FLOAT | CAP_CFP8 | CAP_INT8 | CAP_HBM)
#define CAPS_V3 (CAPS_FLOAT | CAP_CFP8 | CAP_HBM | CAP_SPARSE | CAP_LNC2)
#define CAPS_V4 (CAPS_FLOAT | CAP_MXFP8 | CAP_MXFP4 | CAP_HBM | CAP_SPARSE | CAP_LNC2)

static const struct generation generations[] = {
    {
        .id = GEN_INF1,
        .chip = "Inferentia",
        .device_name = "Inferentia",
        .monitor_type = NULL, // unverified (neuron-monitor reference 3.6)
        .instance_family = "inf1",
        .neuroncore = "v1",
        .physical_cores = 4,
        .lnc_max = 1,
        .lnc_default = 1,
        .banks = 2,
        .cores_per_bank = 4, // both banks are one memory for all four cores
        .bank_bytes = 4 * GIB,
        .hbm = false,
        .memory_bandwidth = "50 GiB/s",
        .bf16_tflops = 64,
        .int8_tops = 128,
        .capabilities = CAP_BF16 | CAP_FP16 | CAP_INT8,
    },
    {
        .id = GEN_INF2,
        .chip = "Inferentia2",
        .device_name = "Inferentia2",
        .monitor_type = "inferentia2",
        .instance_family = "inf2",
        .neuroncore = "v2",
        .physical_cores = 2,
        .lnc_max = 1,
        .lnc_default = 1,
        .banks = 2,
        .cores_per_bank = 1,
        .bank_bytes = 16 * GIB,
        .hbm = true,
        .memory_bandwidth = "820 GiB/s",
        .bf16_tflops = 190,
        .fp8_tflops = 190,
        .fp32_tflops = 47.5,
        .int8_tops = 380,
        .fp8 = "CFP8",
        .capabilities = CAPS_V2,
    },
    {
        .id = GEN_TRN1,
        .chip = "Trainium",
        .device_name = "Trainium1",
        .monitor_type = "trainium",
        .instance_family = "trn1",
        .neuroncore = "v2",
        .physical_cores = 2,
        .lnc_max = 1,
        .lnc_default = 1,
        .banks = 2,
        .cores_per_bank = 1,
        .bank_bytes = 16 * GIB,
        .hbm = true,
        .memory_bandwidth = "820 GiB/s",
        .bf16_tflops = 190,
        .fp8_tflops = 190,
        .fp32_tflops = 47.5,
        .int8_tops = 380,
        .fp8 = "CFP8",
        .capabilities = CAPS_V2,
    },
    {
        .id = GEN_TRN2,
        .chip = "Trainium2",
        .device_name = "Trainium2",
        .monitor_type = "trainium2",
        .instance_family = "trn2",
        .neuroncore = "v3",
        .physical_cores = 8,
        .lnc_max = 2,
        .lnc_default = 2,
        .banks = 4,
        .cores_per_bank = 2,
        .bank_bytes = 24 * GIB,
        .hbm = true,
        .memory_bandwidth = "2.9 TB/s",
        .bf16_tflops = 667,
        .fp8_tflops = 1299,
        .fp32_tflops = 181,
        .sparse_tflops = 2563,
        .core_bf16_tflops = 79,
        .core_fp8_tflops = 158,
        .fp8 = "FP8",
        .core_sparse_tflops = 316,
        .capabilities = CAPS_V3,
    },
    {
        .id = GEN_TRN3,
        .chip = "Trainium3",
        .device_name = "Trainium3",
        .monitor_type = NULL, // unverified (neuron-monitor reference 3.6)
        .instance_family = "trn3",
        .neuroncore = "v4",
        .physical_cores = 8,
        .lnc_max = 2,
        .lnc_default = 2,
        .banks = 4,
        .cores_per_bank = 2,
        .bank_bytes = 36 * GIB,
        .hbm = true,
        .memory_bandwidth = "4.9 TB/s",
        .bf16_tflops = 671,
        .fp8_tflops = 2517,
        .fp32_tflops = 183,
        .sparse_tflops = 2517,
        .core_bf16_tflops = 79,
        .core_fp8_tflops = 315,
        .core_fp32_tflops = 20,
        .fp8 = "MXFP8",
        .core_sparse_tflops = 315,
        .capabilities = CAPS_V4,
    },
};

enum { GENERATIONS = sizeof(generations) / sizeof(generations[0]) };

#define ROW(name, gen, chips, vcpus, gib, topology)                          \
    {                                                                        \
        name, gen, chips, vcpus, (gib)*GIB, TOPOLOGY_##topology, false, NULL \
    }
#define ULTRA(name, gen, chips, vcpus, gib, topology, note)                 \
    {                                                                       \
        name, gen, chips, vcpus, (gib)*GIB, TOPOLOGY_##topology, true, note \
    }

// The reference gives Trn3 as UltraServers only (64 chips in 4 servers, 144 in 36) and no name of
// an instance type, so the two Trn3 rows are one server of each, with a fourth or a 36th of its
// totals.
static const struct instance_type instance_types[] = {
    ROW("inf1.xlarge", GEN_INF1, 1, 4, 8, SINGLE),
    ROW("inf1.2xlarge", GEN_INF1, 1, 8, 16, SINGLE),
    ROW("inf1.6xlarge", GEN_INF1, 4, 24, 48, CHAIN),
    ROW("inf1.24xlarge", GEN_INF1, 16, 96, 192, CHAIN),
    ROW("inf2.xlarge", GEN_INF2, 1, 4, 16, SINGLE),
    ROW("inf2.8xlarge", GEN_INF2, 1, 32, 128, SINGLE),
    ROW("inf2.24xlarge", GEN_INF2, 6, 96, 384, RING),
    ROW("inf2.48xlarge", GEN_INF2, 12, 192, 768, RING),
    ROW("trn1.2xlarge", GEN_TRN1, 1, 8, 32, SINGLE),
    ROW("trn1.32xlarge", GEN_TRN1, 16, 128, 512, TORUS_4X4),
    ROW("trn1n.32xlarge", GEN_TRN1, 16, 128, 512, TORUS_4X4),
    ROW("trn2.3xlarge", GEN_TRN2, 1, 12, 128, SINGLE),
    ROW("trn2.48xlarge", GEN_TRN2, 16, 192, 2048, TORUS_4X4),
    ULTRA("trn2u.48xlarge", GEN_TRN2, 16, 192, 2048, TORUS_4X4, NULL),
    ULTRA("trn3", GEN_TRN3, 16, 192, 2048, SWITCHED,
          "one server of 16 chips of a Trn3 Gen1 UltraServer"),
    ULTRA("trn3-gen2", GEN_TRN3, 4, 64, 768, SWITCHED,
          "one server of 4 chips of a Trn3 Gen2 UltraServer"),
    {.name = NULL},
};

const char *capability_word(enum capability capability)
{
    switch (capability) {
    case CAP_FP32:
        return "FP32";
    case CAP_TF32:
        return "TF32";
    case CAP_BF16:
        return "BF16";
    case CAP_FP16:
        return "FP16";
    case CAP_FP8_E4M3:
        return "FP8_E4M3";
    case CAP_FP8_E5M2:
        return "FP8_E5M2";
    case CAP_CFP8:
        return "CFP8";
    case CAP_MXFP8:
        return "MXFP8";
    case CAP_MXFP4:
        return "MXFP4";
    case CAP_INT8:
        return "INT8";
    case CAP_HBM:
        return "HBM";
    case CAP_SPARSE:
        return "SPARSE";
    case CAP_LNC2:
        return "LNC2";
    }
    return NULL;
}

const struct generation *generation_get(enum generation_id id)
{
    for (size_t i = 0; i < GENERATIONS; i++)
        if (generations[i].id == id)
            return &generations[i];
    return NULL;
}

const struct generation *generation_by_device_name(const char *name)
{
    for (size_t i = 0; name != NULL && i < GENERATIONS; i++)
        if (strcmp(generations[i].device_name, name) == 0)
            return &generations[i];
    return NULL;
}

// The types of Inferentia and Trainium3 have never been seen: what the vendor calls the chip is
// taken too.
const struct generation *generation_by_monitor_type(const char *name)
{
    for (size_t i = 0; name != NULL && i < GENERATIONS; i++) {
        const struct generation *gen = &generations[i];
        const char *type = gen->monitor_type != NULL ? gen->monitor_type : gen->chip;
        if (strcasecmp(type, name) == 0 || strcasecmp(gen->device_name, name) == 0)
            return gen;
    }
    return NULL;
}

// A type that the table does not have still tells its family: "trn2p.48xlarge" is of trn2.
const struct generation *generation_by_instance_type(const char *name)
{
    const struct instance_type *type = instance_type_get(name);
    if (type != NULL)
        return generation_get(type->generation);
    for (size_t i = 0; name != NULL && i < GENERATIONS; i++) {
        const char *family = generations[i].instance_family;
        size_t length = strlen(family);
        if (strncmp(name, family, length) != 0)
            continue;
        size_t letters = strspn(name + length, "abcdefghijklmnopqrstuvwxyz");
        if (name[length + letters] == '.')
            return &generations[i];
    }
    return NULL;
}

const struct instance_type *instance_type_get(const char *name)
{
    for (const struct instance_type *type = instance_types; name != NULL && type->name != NULL;
         type++)
        if (strcmp(type->name, name) == 0)
            return type;
    return NULL;
}

const struct instance_type *instance_type_table(void)
{
    return instance_types;
}

uint64_t generation_chip_bytes(const struct generation *gen)
{
    return gen->banks * gen->bank_bytes;
}

uint64_t generation_core_bytes(const struct generation *gen, unsigned lnc, unsigned *shared_by)
{
    unsigned width = gen->physical_cores / generation_logical_cores(gen, lnc);
    unsigned sharers = gen->cores_per_bank > width ? gen->cores_per_bank / width : 1;
    if (shared_by != NULL)
        *shared_by = sharers;
    return gen->hbm ? gen->bank_bytes : generation_chip_bytes(gen);
}

unsigned generation_logical_cores(const struct generation *gen, unsigned lnc)
{
    if (lnc == 0 || lnc > gen->lnc_max)
        lnc = gen->lnc_default;
    return gen->physical_cores / lnc;
}
