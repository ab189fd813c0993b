// SPDX-License-Identifier: Apache-2.0
// What is known of chip generations and instance types without asking the host (hardware reference;
// driver reference 2.3 and 5.3).
#ifndef NEUTOP_HOST_GENERATION_H
#define NEUTOP_HOST_GENERATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum generation_id { GEN_UNKNOWN = 0, GEN_INF1, GEN_INF2, GEN_TRN1, GEN_TRN2, GEN_TRN3 };

// Data types that the tensor engine takes, and what else a core has; in the order of listings.
enum capability {
    CAP_FP32 = 1 << 0,
    CAP_TF32 = 1 << 1,
    CAP_BF16 = 1 << 2,
    CAP_FP16 = 1 << 3,
    CAP_FP8_E4M3 = 1 << 4,
    CAP_FP8_E5M2 = 1 << 5,
    CAP_CFP8 = 1 << 6,
    CAP_MXFP8 = 1 << 7,
    CAP_MXFP4 = 1 << 8,
    CAP_INT8 = 1 << 9,
    CAP_HBM = 1 << 10,
    CAP_SPARSE = 1 << 11,
    CAP_LNC2 = 1 << 12,
};

enum topology {
    TOPOLOGY_UNKNOWN = 0,
    TOPOLOGY_SINGLE,
    TOPOLOGY_CHAIN,
    TOPOLOGY_RING,
    TOPOLOGY_TORUS_4X4,
    TOPOLOGY_SWITCHED
};

// One row a chip generation. Peaks are for a whole chip; 0 means the vendor gives none.
struct generation {
    enum generation_id id;
    const char *chip;            // "Trainium2", as the vendor writes it
    const char *device_name;     // sysfs info/architecture/device_name
    const char *monitor_type;    // neuron-monitor neuron_device_type; NULL where unverified
    const char *instance_family; // "trn2"
    const char *neuroncore;      // "v3"
    unsigned physical_cores;     // per chip
    unsigned lnc_max;            // 1 or 2
    unsigned lnc_default;
    unsigned banks;          // memory banks per chip
    unsigned cores_per_bank; // physical cores that use one bank (on Inferentia all four use both)
    uint64_t bank_bytes;
    bool hbm;                                               // false: DRAM, said "device memory"
    const char *memory_bandwidth;                           // in the vendor's own unit
    double bf16_tflops, fp8_tflops, fp32_tflops, int8_tops; // per chip
    double sparse_tflops; // per chip, the vendor's figure for sparse work
    double core_bf16_tflops, core_fp8_tflops, core_fp32_tflops,
        core_sparse_tflops; // per physical core
    const char *fp8;        // which 8-bit floating point fp8_tflops is of; NULL: none
    unsigned capabilities;  // enum capability bits
};

struct instance_type {
    const char *name; // "trn2.48xlarge"
    enum generation_id generation;
    unsigned chips;
    unsigned vcpus;
    uint64_t host_memory_bytes;
    enum topology topology;
    bool ultraserver; // one server of several that NeuronLink joins
    const char *note; // what the row is when NAME is no EC2 type: print it with the name; else NULL
};

enum { CAPABILITY_COUNT = 13 };

// "FP8_E4M3" ... for one bit of enum capability; NULL for no capability.
const char *capability_word(enum capability capability);

// The row of a generation; NULL for GEN_UNKNOWN.
const struct generation *generation_get(enum generation_id id);

// Find a generation by the driver's device_name, neuron-monitor's device type (any case), or
// instance type name; NULL when unknown. The monitor's neuroncore_version alone does not tell
// Trainium from Inferentia2.
const struct generation *generation_by_device_name(const char *name);
const struct generation *generation_by_monitor_type(const char *name);
const struct generation *generation_by_instance_type(const char *name);

// The row of an EC2 instance type; NULL when unknown.
const struct instance_type *instance_type_get(const char *name);

// All instance types, for --demo help and completion; ends with a row whose name is NULL.
const struct instance_type *instance_type_table(void);

// Device memory of one chip in bytes (banks x bank_bytes).
uint64_t generation_chip_bytes(const struct generation *gen);

// Memory that ONE logical core may use with LNC lnc, in bytes, and how many logical cores share it
// (>= 1): 24 GiB shared by 2 on Trainium2 with LNC=1, by 1 with LNC=2; on Inferentia the chip's
// whole DRAM shared by 4 (hardware reference, "Logical NeuronCores").
uint64_t generation_core_bytes(const struct generation *gen, unsigned lnc, unsigned *shared_by);

// Logical cores per chip for an LNC (1 or 2; 0 = the generation's default).
unsigned generation_logical_cores(const struct generation *gen, unsigned lnc);

#endif
