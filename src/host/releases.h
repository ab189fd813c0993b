// SPDX-License-Identifier: Apache-2.0
// Which SDK release holds which version of a component, and which runtimes a driver accepts.
// Compiled in from data/releases.json; a newer file of the same form can take its place
// (source/releases_file.h). What is newer than the table is "newer than this neutop knows", never
// an error (versions reference, section 3).
#ifndef NEUTOP_HOST_RELEASES_H
#define NEUTOP_HOST_RELEASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/generation.h"

// The numbers are those of data/releases-table.py.
enum component {
    COMPONENT_DRIVER,
    COMPONENT_RUNTIME,
    COMPONENT_COLLECTIVES,
    COMPONENT_TOOLS,
    COMPONENT_COMPILER, // neuronx-cc
    COMPONENT_TORCH_NEURONX,
    COMPONENT_JAX_NEURONX,
    COMPONENT_LIBNEURONXLA,
    COMPONENT_NKI,
    COMPONENT_NXD,
    COMPONENT_NXD_INFERENCE,
    COMPONENT_NXD_TRAINING,
    COMPONENT_TRANSFORMERS_NEURONX,
    COMPONENT_TENSORFLOW_NEURONX,
    COMPONENT_VLLM_NEURON,
    COMPONENT_LIBTORCH_NEURONX_LITE,
    COMPONENT_NRTPY,
    COMPONENT_TORCHNEURON_BETA,
    COMPONENT_OBSERVER_BETA,
    COMPONENT_OCI_HOOK,
    COMPONENT_COMPILER_INF1, // neuron-cc
    COMPONENT_TORCH_NEURON_INF1,
    COMPONENT_LIBNRT_INF1, // the libnrt inside wheels for Inf1
    COMPONENTS
};

enum { RELEASES_MAX = 64, RELEASE_TEXT = 24 };

// One SDK release. Its place in the table is its bit in a set of releases.
struct release {
    char sdk[12];     // "2.32.0"
    char date[12];    // "2026-08-17"
    uint8_t families; // bits 1 << enum generation_id; 0: not stated
};

// One version of a component and the releases that hold it.
struct release_component {
    uint64_t releases;
    uint8_t component; // enum component
    uint8_t families;  // bits 1 << enum generation_id that it was released for; 0: not stated
    char version[RELEASE_TEXT];
};

// Which runtimes, by their compatibility id, a driver accepts on chips with this NeuronCore
// (1: v1 ...; 0: on all).
struct compat_window {
    char driver[RELEASE_TEXT];
    uint8_t neuroncore;
    uint16_t min, max;
};

// The compatibility id of a runtime: LOW is compared with a driver's min, HIGH with its max.
struct runtime_id {
    char runtime[RELEASE_TEXT];
    uint8_t neuroncore;
    uint16_t low, high;
};

// A rule of a table from a file: versions of a component that need a driver, a runtime or a kernel
// of at least LEAST; on the families given. WITHDRAWN: the rule of this id holds no more.
enum rule_needs { RULE_NEEDS_DRIVER, RULE_NEEDS_RUNTIME, RULE_NEEDS_KERNEL };

struct release_rule {
    char id[40];
    bool withdrawn;
    bool documented;
    uint8_t component;                            // COMPONENT_DRIVER or COMPONENT_RUNTIME
    uint8_t needs;                                // enum rule_needs
    uint8_t families;                             // bits 1 << enum generation_id; 0: all
    char from[RELEASE_TEXT], below[RELEASE_TEXT]; // of the component; "" no bound
    char least[RELEASE_TEXT];
    char origin[120]; // clean
};

struct releases {
    size_t row_count, component_count, window_count, id_count;
    const struct release *rows; // newest first, at most RELEASES_MAX
    const struct release_component *components;
    const struct compat_window *windows; // oldest driver first
    const struct runtime_id *ids;
    const char *file;  // clean; NULL: compiled in
    size_t rule_count; // 0 for the table that is compiled in: its rules are those of src/check
    const struct release_rule *rules;
};

// The rule with this id in a table from a file, NULL: none.
const struct release_rule *releases_rule(const struct releases *releases, const char *id);

// The table that is compiled in, and its rows.
const struct releases *releases_builtin(void);
const struct release *releases_table(size_t *count);

// How a version was found in the table.
enum release_match {
    RELEASE_NONE,  // no version, or older than the table or between its versions
    RELEASE_EXACT, // some release holds just this version
    RELEASE_NEAR,  // a patch build: releases that hold another build of the same line (2.24.*)
    RELEASE_NEWER, // newer than every release of the table
};

// Releases that hold VERSION ("2.31.24.0-0b044f4ce", "2.23.6484.0+3b61"; what follows the numbers
// does not count) of COMPONENT for chips of GENERATION (GEN_UNKNOWN: any), as bits. HOW may be
// NULL. The set is empty for RELEASE_NONE and RELEASE_NEWER.
uint64_t releases_holding(const struct releases *releases, enum component component,
                          const char *version, enum generation_id generation,
                          enum release_match *how);

// "2.26.0, 2.26.1"; more than two in a row as "2.16.0 to 2.18.2"; oldest first. "none" when empty.
// Cut at a whole name, then ", ...". Returns BUFFER.
char *releases_names(const struct releases *releases, uint64_t set, char *buffer, size_t size);

// The oldest and newest release of a set that is not empty.
const struct release *releases_oldest(const struct releases *releases, uint64_t set);
const struct release *releases_newest(const struct releases *releases, uint64_t set);

// The version of COMPONENT that the release at place ROW holds for GENERATION; the largest when
// there are several, NULL when none.
const char *releases_version(const struct releases *releases, size_t row, enum component component,
                             enum generation_id generation);

// The window of DRIVER by the table: that of its own version, or of the two neighbours when they
// agree. False for a driver that is newer or older than the table, or not given for GENERATION.
bool releases_window(const struct releases *releases, const char *driver,
                     enum generation_id generation, unsigned *min, unsigned *max);

// The compatibility ids of RUNTIME by the table. False when unknown.
bool releases_runtime_id(const struct releases *releases, const char *runtime,
                         enum generation_id generation, unsigned *low, unsigned *high);

// How the two meet (versions reference 3.2).
enum compat { COMPAT_FITS, COMPAT_DRIVER_OLD, COMPAT_RUNTIME_OLD };
enum compat compat_judge(unsigned low, unsigned high, unsigned min, unsigned max);

// "driver", "neuronx-cc": the package as people name it; its key in the file ("compiler").
const char *component_name(enum component component);
const char *component_key(enum component component);

// The component of a Debian, RPM or Python package name ("aws-neuronx-runtime-lib", "neuronx_cc";
// '-', '_' and case do not count). False: none of ours.
bool component_by_package(const char *package, enum component *component);

#endif
