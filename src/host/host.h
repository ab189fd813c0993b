// SPDX-License-Identifier: Apache-2.0
// The snapshot: everything known of one instance at one moment. Built by source/collect, then never
// changed; all floors above borrow it as `const struct host *`. Strings are clean (text_clean) and
// NULL when unknown; facts carry their origin.
#ifndef NEUTOP_HOST_HOST_H
#define NEUTOP_HOST_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/core_map.h"
#include "host/core_set.h"
#include "host/fact.h"
#include "host/generation.h"
#include "host/releases.h"

struct arena;

enum source_state {
    SOURCE_ABSENT,
    SOURCE_STARTING,
    SOURCE_LIVE,
    SOURCE_STALE,
    SOURCE_LOST,
    SOURCE_DENIED,
    SOURCE_ENDED
};

// One reader of the world and how it fares.
struct source_status {
    const char *name; // monitor, sysfs, device, proc, recording, demo
    enum source_state state;
    struct fact_f64 age_seconds; // since its newest facts arrived
    const char *detail;          // one line: version, file, reason of absence, last error
};

struct instance {
    const char *id, *type, *name, *region, *availability_zone, *ultraserver_id;
    const char *error; // why these could not be learnt
};

struct hardware {
    const struct generation *generation; // NULL: unknown chip
    const char *chip;       // "Trainium2": generation's name, else what the source called it
    const char *neuroncore; // "v3"; without the LNC mark
    enum topology topology;
    struct fact_u64 chips;
    struct fact_u64 physical_cores_per_chip;
    struct fact_u64 logical_cores_per_chip;
    struct fact_u64 lnc;             // 1 or 2
    struct fact_u64 lnc_setting;     // the host's own, /opt/aws/neuron/logical_nc_config
    const char *lnc_setting_invalid; // what stands in that file when it is no size
    struct fact_u64 device_memory_bytes_per_chip;
    const char *error;
    const char *ecc_error, *pods_error; // why these groups could not be read
};

// The machine around the chips.
struct machine {
    const char *kernel; // release of the running kernel
    const char *glibc;  // "2.35"
    struct fact_u64 cpus;
    struct fact_f64 cpu_user_percent,
        cpu_system_percent; // of all CPUs; user includes nice, system includes irq and I/O wait
    struct fact_u64 memory_total_bytes, memory_used_bytes, swap_total_bytes, swap_used_bytes;
    const char *cpu_error, *memory_error;
};

// One installed component.
struct package {
    enum component component;
    const char *version; // as it is written: "2.31.24.0-0b044f4ce"
    const char *from;    // "dpkg", "/opt/aws/neuron/lib", "/var/lib/dkms"
};

// A Python environment that holds Neuron packages.
struct environment {
    const char *path; // its site-packages folder, as the processes see it that use it
    bool used;        // a process seen here has files of it mapped
    unsigned package_count;
    const struct package *packages;
};

// What tells apart the reasons for there being no device (field case F-14). Of nothing looked for,
// everything is unknown.
struct presence {
    struct fact_u64 pci_functions; // Neuron chips on the PCI bus
    struct fact_u64 pci_inf1;      // of them Inferentia
    const char *pci_chip;          // by their ids, "Inferentia2"; NULL: none known
    struct fact_u64 module_loaded; // 1: the driver is in the kernel
    struct fact_u64 module_files;  // of the driver, for the running kernel
    struct fact_u64 devices;       // that the driver has
    struct fact_u64 nodes;         // /dev/neuronN
    struct fact_u64 efa;           // Elastic Fabric Adapters
};

struct versions {
    const char *driver, *driver_installed, *runtime_installed, *collectives, *tools, *compiler;
    const char *driver_installed_from;    // the file or folder that says so
    const char *driver_installed_trouble; // the module's file, and why it does not tell its version
    struct fact_u64 driver_handles;       // the kernel module's use count: it cannot be unloaded
    unsigned package_count;               // of the host, outside environments
    const struct package *packages;
    const char *tools_trouble; // the tools are here, and why their version is not known
    unsigned environment_count;
    const struct environment *environments;
    bool packages_known;      // they were looked for, so what is not listed is not there
    bool given;               // told by a person, not read from a machine
    const char *driver_state; // of the kernel module: "live", "coming", "going"
    struct fact_u64 compat_min, compat_max; // runtime API numbers that the driver accepts
    struct fact_u64 driver_features;        // bits (driver reference 4)
};

// What device memory is used for (driver reference 2.1; the first five are also neuron-monitor's).
enum memory_category {
    MEM_TENSORS,
    MEM_CONSTANTS,
    MEM_MODEL_CODE,
    MEM_MODEL_SHARED_SCRATCHPAD,
    MEM_RUNTIME_MEMORY,
    MEM_NONSHARED_SCRATCHPAD,
    MEM_DRIVER_MEMORY,
    MEM_COLLECTIVES,
    MEM_NOTIFICATIONS,
    MEM_DMA_RINGS,
    MEM_UNCATEGORIZED,
    MEM_OTHER, // total minus the categories given, when the source's total is larger
    MEM_CATEGORIES
};

// What host memory of a process is used for (neuron-monitor).
enum host_memory_category {
    HOSTMEM_TENSORS,
    HOSTMEM_CONSTANTS,
    HOSTMEM_DMA_BUFFERS,
    HOSTMEM_APPLICATION,
    HOSTMEM_OTHER,
    HOSTMEM_CATEGORIES
};

// How a core index is counted. Never join two kinds by number (neuron-monitor reference, section
// 4).
enum numbering { NUMBERING_UNKNOWN, NUMBERING_LOGICAL, NUMBERING_PHYSICAL, NUMBERING_MONITOR };

enum health { HEALTH_UNKNOWN, HEALTH_HEALTHY, HEALTH_UNHEALTHY };

// What the driver counts by physical core (driver reference 2.1): how executions ended, and events.
enum core_event {
    EVENT_SUCCESS,
    EVENT_FAILURE,
    EVENT_TIMEOUT,
    EVENT_BAD_INPUT,
    EVENT_HW_ERROR,
    EVENT_COMPLETED_WITH_ERROR,
    EVENT_COMPLETED_WITH_NUM_ERROR,
    EVENT_GENERIC_ERROR,
    EVENT_RESOURCE_ERROR,
    EVENT_RESOURCE_NC_ERROR,
    EVENT_FAILED_TO_QUEUE,
    EVENT_INVALID_ERROR,
    EVENT_UNSUPPORTED_NEFF,
    EVENT_OOB_ERROR,
    EVENT_HW_COLLECTIVES,
    EVENT_HW_HBM_UE,
    EVENT_HW_NC_UE,
    EVENT_HW_DMA_ABORT,
    EVENT_SW_NQ_OVERFLOW,
    EVENT_SW_SEMAPHORE,
    EVENT_SW_EVENT,
    EVENT_SW_PSUM_COLLISION,
    EVENT_SW_SEQUENCER_FATAL,
    EVENT_HW_REPAIRABLE_HBM_UE,
    EVENT_INFERENCES,
    EVENT_MODEL_LOADS,
    EVENT_RESETS, // requested; loading the driver is one
    EVENT_RESET_FAILURES,
    CORE_EVENTS
};

struct core_counters {
    bool live; // false: executions of running processes are not in it yet, they come at their exit
    struct fact_u64 total[CORE_EVENTS];      // since the driver was loaded
    struct fact_f64 per_second[CORE_EVENTS]; // unknown when not live
};

enum { PHYSICAL_MAX = 2 }; // physical cores behind one logical core

struct physical_core {
    int index; // instance-wide, as the source numbers it; -1 unknown
    struct fact_f64 utilization_percent;
};

struct core {
    unsigned index; // instance-wide, in the numbering below
    unsigned chip;  // index into host.chips
    unsigned place; // 0.. within its chip
    enum numbering numbering;
    struct fact_u64 logical; // its number in NEURON_RT_VISIBLE_CORES; of a physical core: of the
                             // logical core that it is part of
    unsigned physical_count;
    struct physical_core physical[PHYSICAL_MAX];
    struct fact_f64 utilization_percent; // largest over the runtimes that report it
    struct fact_f64 flops_per_second;    // sum over runtimes
    struct fact_u64 memory_used_bytes;   // sum over owners, charged to this core
    struct fact_u64 memory[MEM_CATEGORIES];
    struct fact_u64 memory_peak_bytes;     // most in use since the driver was loaded
    struct fact_u64 memory_host_bytes;     // host memory charged to this core
    struct fact_f64 tensor_active_percent; // estimate of the PE array's activity; only on request
    const struct core_counters *counters;  // NULL: no source counts by core
    struct fact_u64 memory_limit_bytes;    // what the core may use: its bank, see memory_shared_by
    unsigned memory_shared_by;             // logical cores that share that bank, >= 1; 0 unknown
    unsigned owner_count;
    const unsigned *owners; // indices into host.processes
    bool owners_known;      // false: no source tells who owns cores; then "no owner" is not "free"
    unsigned hidden_owners; // taken out by host_select_pids(), or not to be named: the core is held
                            // all the same
    unsigned unselected;    // of these, taken out by host_select_pids()
    const char *pod, *pod_namespace, *container; // neuron_k8s_info
};

struct ecc {
    struct fact_u64 mem_corrected, mem_uncorrected, mem_repairable, sram_corrected,
        sram_uncorrected;
    bool increased; // an uncorrected count grew since the previous snapshot of the same run
};

struct chip {
    unsigned index; // the driver's
    const char *pci, *cpu_affinity, *serial;
    const char *node; // its name in /dev where that is not neuron<index> (containers); else NULL
    const char *firmware; // "API 7, build 20250611"
    struct fact_u64 numa_node;
    const char *connected_error; // why the neighbours are not known: "needs root"
    bool connected_known;
    unsigned connected_count;
    unsigned connected[16];
    struct fact_u64 memory_total_bytes, memory_used_bytes; // used: sum over its cores
    struct fact_f64 utilization_percent;                   // mean over its cores that have one
    struct fact_u64 memory_host_bytes;                     // host memory, sum over its cores
    struct fact_u64 host_memory[HOSTMEM_CATEGORIES];
    struct fact_f64 power_percent;     // of the chip's maximum, not watts; mean of a whole minute
    struct fact_f64 power_age_seconds; // since that minute ended
    struct fact_f64 power_now_percent; // near real time, the die that draws more
    const char *power_detail;          // why there is no power_percent: "no data"
    enum health health;
    const char *health_detail;
    struct ecc ecc;
    unsigned core_first, core_count; // range in host.cores
    unsigned owner_count;
    const unsigned *owners; // indices into host.processes
    bool unselected;        // host_select_pids() left no owner of it: no finding is about it
    bool held_unseen; // memory is in use and no holder can be seen: someone not visible from here
    // The driver's own marks of reserved cores, as bits by the order in which the runtime counts
    // the physical cores of a chip; only where the driver was asked for them (--ask-driver).
    uint32_t marks_asked, marks_held;
};

// What one process does on one core.
struct share {
    unsigned core; // index into host.cores
    struct fact_f64 utilization_percent;
    struct fact_f64 flops_per_second;
    struct fact_u64 memory_used_bytes;
    struct fact_u64 memory[MEM_CATEGORIES];
    bool owned; // memory or a model on it (presence in neuroncores_in_use alone is no ownership)
};

struct subgraph {
    const char *name;
    int chip, core_in_chip; // -1 unknown; the index is inside the chip
    struct fact_u64 memory_host_bytes, memory_device_bytes;
    struct fact_u64 memory[MEM_CATEGORIES];
};

struct model {
    const char *name, *uuid;
    struct fact_u64 model_id; // unique only within its process
    enum { MODEL_STATE_UNKNOWN, MODEL_RUNNING, MODEL_STOPPED } state;
    struct fact_u64 memory_host_bytes, memory_device_bytes; // sums over the subgraphs
    unsigned subgraph_count;
    const struct subgraph *subgraphs;
};

// How it is known that a process runs a NEFF; several ways may agree.
enum neff_evidence {
    NEFF_BY_FILE = 1 << 0, // the process has the file open or mapped
    NEFF_BY_UUID = 1 << 1, // a loaded model's uuid is that of its header: plausible, unverified
    NEFF_BY_NAME = 1 << 2  // a loaded model's name is its header's, or names its cache entry
};

// A NEFF file that a process runs.
struct neff_use {
    const char *path;     // as the process sees it
    unsigned evidence;    // enum neff_evidence
    bool uuid_differs;    // from that of the models that the name joins with it
    bool target_by_flags; // target by the compile flags beside the file, not by its payload
    struct fact_u64 lnc, features, version_major, version_minor; // of its header
    const char *uuid;
    const char *target;   // word of src/neff/target.h
    const char *compiler; // version, as the cache's folder or the payload has it
    const char *error;    // why its header is not known
    unsigned model_count;
    const unsigned *models; // indices into the process's models
};

// Where the compiler keeps its results when nothing else is said (versions reference, section 5.1).
#define COMPILE_CACHE_DEFAULT "/var/tmp/neuron-compile-cache"

enum percentile { P0, P1, P25, P50, P75, P99, P100, PERCENTILES };

struct latency {
    struct fact_f64 seconds[PERCENTILES];
};

// Executions and errors, as rates: per second over the period that the source counted.
enum execution {
    EXEC_COMPLETED,
    EXEC_WITH_ERR,
    EXEC_WITH_NUM_ERR,
    EXEC_TIMED_OUT,
    EXEC_INCORRECT_INPUT,
    EXEC_FAILED_TO_QUEUE,
    EXECUTIONS
};
enum error_kind {
    ERR_GENERIC,
    ERR_NUMERICAL,
    ERR_TRANSIENT,
    ERR_MODEL,
    ERR_RUNTIME,
    ERR_HARDWARE,
    ERROR_KINDS
};

// The groups of a runtime's report, each with its own error text and age.
enum group { GROUP_CORES, GROUP_EXECUTION, GROUP_MEMORY, GROUP_CPU, GROUPS };

struct group_status {
    const char *error;           // NULL: fine
    struct fact_f64 age_seconds; // since it last arrived
    struct fact_f64 period_seconds;
};

enum process_state {
    PROCESS_UNKNOWN,
    PROCESS_RUNNING,
    PROCESS_SLEEPING,
    PROCESS_STOPPED,
    PROCESS_ZOMBIE,
    PROCESS_GONE // was there, is not any more: its facts are unknown, not 0
};

// How well the cores of a process are known: as the weakest of them (driver reference 3.2).
enum certainty {
    CERTAINTY_UNKNOWN,     // it has no core that is known, and no chip
    CERTAINTY_CHIP,        // it holds its chips; which cores there, or all of them, cannot be told
    CERTAINTY_ENVIRONMENT, // its NEURON_RT_VISIBLE_CORES names them
    CERTAINTY_EXACT        // a source names them, or it alone is on a chip whose core has memory
};

// What happened in an earlier period: how often in the newest one that had it, and how long ago.
struct past {
    uint64_t count;
    struct fact_f64 age_seconds; // 0: it still happens; unknown: not in the last minute
};

struct process {
    struct fact_u64 pid;        // unknown for neuron-rtd of tools 1.x
    struct fact_u64 pid_inside; // in the innermost PID namespace, where that is another number
    const char *tag, *user, *command;
    const char *address; // of a neuron-rtd, else NULL
    enum process_state state;
    struct fact_u64 ppid;
    struct fact_u64 launcher_pid;         // first ancestor that is a known launcher
    const char *launcher;                 // its command name
    struct fact_f64 started_unix_seconds; // UTC
    struct fact_f64 idle_seconds;         // since neutop last saw it do something
    bool idle_since_start; // it did nothing since neutop started to look: idle at least that long
    struct core_set cores; // index values of owned cores, in host.numbering
    struct core_set chips; // owned chips
    enum certainty certainty; // of cores
    bool bystander; // has devices open only to ask or to reserve (O_WRONLY): owns none of them
    struct fact_u64 memory_device_bytes, memory_host_bytes;
    struct fact_u64 resident_bytes; // host memory in RAM, whatever it is used for
    struct fact_u64 memory[MEM_CATEGORIES];
    struct fact_u64 host_memory[HOSTMEM_CATEGORIES];
    struct fact_f64 cpu_user_percent, cpu_system_percent; // of the whole machine
    struct fact_f64 utilization_percent;                  // mean over its owned cores
    struct fact_f64 flops_per_second;                     // sum over its cores
    struct latency latency_total, latency_device;
    struct fact_f64 executions_per_second[EXECUTIONS];
    struct fact_u64 executions_in_period[EXECUTIONS]; // counts of the newest period
    struct fact_f64 errors_per_second[ERROR_KINDS];
    struct fact_u64 errors_in_period[ERROR_KINDS];
    struct past past_executions[EXECUTIONS]; // of the last minute; filled by track_feed()
    struct past past_errors[ERROR_KINDS];
    const char *runtime_version, *visible_cores;
    const char *num_cores;    // NEURON_RT_NUM_CORES
    bool environment_known;   // then a NULL of these two says: not set when the program was started
    bool runtime_replaced;    // the library it runs has been replaced or removed on disk since
    const char *runtime_path; // the mapped libnrt, as the process sees it
    const char *python_path;  // the site-packages folder of which it has files mapped
    const char *glibc;        // "2.35", of the root folder that it sees
    bool fabric_mapped;       // it has libfabric mapped
    const char *efa_fork_safe;             // FI_EFA_FORK_SAFE
    const struct environment *environment; // what is installed there; NULL unknown
    struct fact_u64 lnc;                   // logical core size by its environment at its start
    const char *lnc_differs; // the older variable that says another size: "NEURON_RT_...=1"
    const char *lnc_invalid; // what stands there when it is no size: "NEURON_LOGICAL_NC_CONFIG=3"
    const char *container, *pod, *pod_namespace; // names; container: else the id below
    const char *container_id;     // its first 12 digits, as container tools show it; NULL unknown
    const char *visible_devices;  // AWS_NEURON_VISIBLE_DEVICES at its start
    const struct core_set *given; // devices whose nodes are in its container; NULL: not known
    const char *error;            // the runtime's own error text; NULL: fine
    struct group_status groups[GROUPS];
    unsigned share_count;
    const struct share *shares;
    unsigned model_count;
    const struct model *models;
    const char *compile_cache;      // folder or URL by its environment at its start
    const char *compile_cache_from; // what says so; NULL: unknown. Known without a folder: none
    bool allow_legacy_neff;         // NEURON_RT_ALLOW_LEGACY_NEFF, at its start
    bool neffs_looked_for;          // so what is not listed here is not known
    unsigned neff_count;
    const struct neff_use *neffs;
    unsigned neffs_untold;    // of its models, those whose NEFF is not known
    const char *neffs_reason; // why; of several reasons the first. NULL: all are known
};

struct host {
    struct arena *arena;      // owns everything below and the struct itself
    double time_unix_seconds; // UTC
    double watched_seconds;   // for how long facts have been gathered
    double mono_seconds;      // monotonic clock, for rates between two snapshots
    uint64_t serial;          // counts up with each snapshot that has new facts
    bool demo;                // invented: say so wherever it is shown
    bool finished;            // a finite input has ended: this is its last frame
    bool live_rates;          // false on the very first report: rates from it mean nothing
    enum numbering numbering; // of host.cores
    struct core_map core_map; // the driver's; places in the arena
    struct instance instance;
    struct hardware hardware;
    struct machine machine;
    struct versions versions;
    struct presence presence;
    struct core_set unmapped;        // devices of the driver that have no node here (containers)
    const struct releases *releases; // what is known of SDK releases; never NULL
    unsigned source_count;
    const struct source_status *sources;
    unsigned chip_count;
    struct chip *chips; // by index
    unsigned core_count;
    struct core *cores; // by index
    unsigned process_count;
    struct process *processes; // by pid, then tag
    struct fact_u64
        unseen_handles; // open handles of devices whose holders are not visible from here
    uint64_t reports_read, reports_damaged;
    unsigned missing_count; // PIDs asked for with --pid that are not there
    const uint64_t *missing;
    const char *input_trouble; // the last damage in one line (what, where), NULL: none
};

// A new, empty snapshot in its own arena; host_free() ends both.
struct host *host_new(void);

// The chips' generation, also where only the PCI bus tells it; GEN_UNKNOWN when nothing does.
enum generation_id host_generation(const struct host *host);

void host_free(struct host *host);

// Keeps only the processes with these PIDs, and of cores and chips only their ownership by them
// (--pid). Totals of cores and chips stay what they are: facts of the hardware, not of the
// selection.
void host_select_pids(struct host *host, const uint64_t *pids, size_t count);

// Only notes in host.missing which of these PIDs no process has: for answers in which every process
// counts.
void host_note_missing(struct host *host, const uint64_t *pids, size_t count);

// Whether any source tells which processes hold cores. Without one, no process in the list is not
// the same as no process.
bool host_owners_known(const struct host *host);

// Totals with the instance as boundary; unknown when no part is known.
struct fact_u64 host_memory_used(const struct host *host);
struct fact_u64 host_memory_total(const struct host *host);
struct fact_f64 host_utilization(const struct host *host); // mean over the cores that have one
struct fact_f64 host_flops(const struct host *host);       // sum

// Name of the device memory of this chip: "HBM", or "MEM" on Inferentia and when the chip is
// unknown.
const char *host_memory_word(const struct host *host);

// Words for enums, as on the screen and in JSON: "live", "monitor", "model_code", "completed",
// "p99", "running" ...
const char *source_state_word(enum source_state state);
const char *numbering_word(enum numbering numbering);
const char *memory_category_key(enum memory_category category);   // JSON: "tensors_bytes"
const char *memory_category_label(enum memory_category category); // screen: "Model scratchpad"
const char *host_memory_category_key(enum host_memory_category category);
const char *host_memory_category_label(enum host_memory_category category);
const char *health_word(enum health health);
const char *process_state_word(enum process_state state);
const char *certainty_word(enum certainty certainty); // "unknown", "chip", "environment", "exact"
// How it is known which cores a process holds, where no source names them: "by its environment",
// "on its chips, not known which". NULL: nothing to remark.
const char *certainty_remark(enum certainty certainty);
// "open file, uuid (unverified)": all that EVIDENCE (enum neff_evidence) holds. Returns BUFFER.
char *neff_evidence_text(unsigned evidence, char *buffer, size_t size);
const char *execution_key(enum execution execution);
const char *error_kind_key(enum error_kind kind);
const char *percentile_key(enum percentile percentile);
const char *group_word(enum group group);
const char *core_event_key(enum core_event event); // as the driver of today names it

// States of a core: three visibly different ones, and unknown. Memory in use is someone's: where no
// source tells of owners such a core is held, by nobody who can be named.
enum core_state { CORE_UNKNOWN, CORE_FREE, CORE_HELD, CORE_BUSY };
enum core_state core_state(const struct core *core); // busy: utilisation at least 0.05 %; held: an
                                                     // owner but idle; free: owners known, none
const char *core_state_word(enum core_state state);

// A source names it and it is not to be seen from here: the CPU group's error says so
// (neuron-monitor reference, "Runtime died between collection steps").
bool process_not_visible(const struct process *process);

// Busy percentage of the process's whole CPU: user + system; unknown when both are.
struct fact_f64 process_cpu_percent(const struct process *process);

// What to call a process in one short word: its tag when that says more than the PID, else the name
// of its program (of the script for a script's interpreter), else "pid N". Written into BUFFER of
// SIZE bytes, cut at a whole character; returns BUFFER.
enum { PROCESS_LABEL = 64 };
char *process_label(const struct process *process, char *buffer, size_t size);

#endif
