// SPDX-License-Identifier: Apache-2.0
// The descriptor of one core: what it is, which memory it may use, what it can do (interface,
// "Commands", ls --cores; hardware reference).
#ifndef NEUTOP_HOST_DESCRIPTOR_H
#define NEUTOP_HOST_DESCRIPTOR_H

#include "host/host.h"

enum { DESCRIPTOR_PEAKS = 10, DESCRIPTOR_NAME = 32 };

// A peak as the vendor gives it; 0: the vendor gives none there. A chip's figure is no multiple of
// a core's, so neither is worked out from the other.
struct peak {
    const char *data_type;
    bool integer;         // in TOPS, else in TFLOPS
    double physical_core; // the figure of a core
    double logical_core;  // that figure times the physical cores behind the logical one
    double chip;          // the figure of a chip
};

// Which of the vendor's figures there is for a core: "core", or only "chip".
static inline const char *peak_figure(const struct peak *peak)
{
    return peak->physical_core > 0 ? "core" : "chip";
}

struct core_descriptor {
    unsigned index; // in NUMBERING
    enum numbering numbering;
    struct fact_u64 logical;            // its number in NEURON_RT_VISIBLE_CORES
    unsigned chip;                      // the driver's index
    bool is_logical;                    // false: a physical core, because nobody told the LNC
    unsigned width;                     // physical cores behind it; 0: unknown
    unsigned physical_count;            // of them known by number
    unsigned physical[PHYSICAL_MAX];    // instance-wide
    char architecture[DESCRIPTOR_NAME]; // "NeuronCore-v3"; "" unknown
    struct fact_u64 memory_bytes;       // what it may use: all of the bank or chip below
    const char *boundary;               // of that memory: "bank", "chip"; NULL unknown
    const char *memory_kind;            // "HBM", "DRAM"; NULL unknown
    unsigned shared_by;                 // cores that may use the same memory, >= 1; 0: unknown
    struct core_set sharers;            // their indices, its own included
    unsigned capabilities;              // enum capability bits; 0: unknown
    unsigned peak_count;
    struct peak peaks[DESCRIPTOR_PEAKS];
};

// The logical cores of HOST. Where only physical cores were counted, and LNC is known, they are put
// together to logical ones: the numbers of a chip's logical cores are certain, which physical core
// is in which of them only the driver's core map tells (core_map.h). With LNC unknown: the physical
// ones. Pure: all from the facts of HOST and the table of generations.
unsigned descriptor_count(const struct host *host);
struct core_descriptor descriptor_at(const struct host *host, unsigned at);

// Whether two descriptors differ only in which core and which memory they are about.
bool descriptor_same_kind(const struct core_descriptor *a, const struct core_descriptor *b);

// Logical cores of a chip: told, or certain from the generation and the numbering of the cores;
// unknown when only physical cores are known.
struct fact_u64 chip_logical_cores(const struct host *host, const struct chip *chip);

#endif
