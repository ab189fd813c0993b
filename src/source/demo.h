// SPDX-License-Identifier: Apache-2.0
// Inside of the demo: a simulated instance whose life is a pure function of its type, its seed and
// the time of a tick. The outside is `source_demo` of source.h.
#ifndef NEUTOP_SOURCE_DEMO_H
#define NEUTOP_SOURCE_DEMO_H

#include <stdbool.h>
#include <stdint.h>

#include "host/host.h"

enum { DEMO_NAME = 24, DEMO_TYPE = 48, DEMO_CHIPS = 64 };

// Who does what. The parts of the story, in the order in which they stand on the cores.
enum demo_part {
    PART_TRAIN,  // workers of one launcher, in lock-step, with checkpoints
    PART_SERVER, // one process, requests in bursts
    PART_IDLE,   // left over since hours, holds cores and does nothing
    PART_HUNGRY, // its memory bank is nearly full
    PART_FLAKY,  // some of its executions fail
    PART_FREE,   // nobody
    DEMO_PARTS = PART_FREE
};

// A loaded model; sizes in millionths of a core's share of device memory, on each core of its
// process.
struct demo_model {
    const char *name, *uuid;
    unsigned code_ppm, constants_ppm;
    bool running;
};

// What is fixed about a part. One row each in demo_cast.c.
struct demo_role {
    const char *tag,
        *inf_tag; // inf_: on Inferentia chips; NULL: the same. No tag at all: the PID is one
    const char *user, *command, *inf_command;
    const char *launcher; // its processes are ranks, which their tags end with
    const char *container, *pod, *pod_namespace;
    bool older_runtime; // its image brings a runtime that is older than the host's
    enum process_state state;
    unsigned pid, pid_step;
    double age_seconds;                  // since its start, when the demo begins
    double idle_seconds;                 // since it last did something; 0: it works
    unsigned memory_ppm[MEM_CATEGORIES]; // of a core's share; model code and constants come on top
    double host_share;                   // of the host's memory, all processes of the part together
    double cpus_user, cpus_system;       // CPUs that one of its processes keeps busy at full load
    double rate, latency_seconds;        // executions a second and their median at full load
    const struct demo_model *models;
    unsigned model_count;
};

struct demo_core {
    enum demo_part part;
    int owner;    // index into demo.processes, -1: free
    uint64_t key; // its own stream of chance
    unsigned chip, place, bank;
    double utilization;              // percent
    double physical[PHYSICAL_MAX];   // percent
    double flops;                    // a second
    uint64_t still[MEM_CATEGORIES];  // bytes, what does not change
    uint64_t memory[MEM_CATEGORIES]; // bytes now
};

struct demo_process {
    const struct demo_role *role;
    enum demo_part part;
    uint64_t key;
    unsigned pid, rank, core_first, core_count;
    char tag[DEMO_NAME], visible_cores[DEMO_NAME];
    const char *command;
    double load;                 // 0..1: mean of its cores
    double cpu_user, cpu_system; // percent of the machine
    uint64_t host_bytes, host_memory[HOSTMEM_CATEGORIES];
    uint64_t executions[EXECUTIONS], errors[ERROR_KINDS]; // in the period of the tick
    double latency_p50;                                   // seconds; 0: nothing ran
};

struct demo_chip {
    char pci[DEMO_NAME], serial[DEMO_NAME];
    unsigned numa_node;
    double power; // percent
};

struct demo {
    const struct instance_type *type;
    const struct generation *gen;
    unsigned lnc, shared_by; // logical cores that share a memory bank
    uint64_t core_bytes;     // memory that one core may use
    uint64_t seed;
    bool packed;                        // every core is in the training job
    double delay, next_tick, last_tick; // monotonic seconds
    double period;                      // seconds that the newest tick stands for
    double began_unix;                  // UTC, when the demo was opened
    uint64_t ticks;                     // done
    double time; // seconds of simulated life at the newest tick; the first is 0
    unsigned chip_count, core_count, process_count, per_chip;
    unsigned part_cores[DEMO_PARTS + 1], part_first[DEMO_PARTS + 1], part_processes[DEMO_PARTS];
    enum demo_part hungry, flaky; // the part that plays it; on small instances the server does
    double cpu_scale;             // so that the processes fit into the machine's CPUs
    double machine_user, machine_system; // percent
    uint64_t machine_bytes;
    struct demo_chip *chips;
    struct demo_core *cores;
    struct demo_process *processes;
    unsigned numa_nodes; // 1: the instance has no NUMA worth naming
    char numa_cpus[2][DEMO_TYPE];
};

// Allocates chips, cores and processes of demo->type with demo->lnc and gives each its part. Dies
// when there is no memory.
void demo_cast(struct demo *demo);

// Works out every changing number for the tick demo->ticks at demo->time, whose period is
// demo->delay. Allocates nothing.
void demo_live(struct demo *demo);

// The bytes of PPM millionths of a core's share of device memory, in whole pages (driver
// reference 2.6).
uint64_t demo_pages(const struct demo *demo, unsigned ppm);

// Names the chips: PCI addresses, serial numbers, CPUs near them. Called by demo_cast().
void demo_board(struct demo *demo);

// Neighbours of CHIP as the driver lists them. Returns their number, or -1 when nobody knows
// (switched).
int demo_neighbours(const struct instance_type *type, unsigned chip, unsigned neighbours[16]);

// Versions that belong together, for a generation.
void demo_versions(enum generation_id id, struct versions *versions);
const char *demo_older_runtime(enum generation_id id);

// Writes all facts into an empty HOST.
void demo_fill(const struct demo *demo, struct host *host, double now);

// Chance without a state: bits that look random, the same for the same KEY (splitmix64).
static inline uint64_t demo_mix(uint64_t key)
{
    key += 0x9e3779b97f4a7c15u;
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9u;
    key = (key ^ (key >> 27)) * 0x94d049bb133111ebu;
    return key ^ (key >> 31);
}

#endif
