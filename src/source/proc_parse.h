// SPDX-License-Identifier: Apache-2.0
// The text forms of /proc/PID that the reader of owners needs (proc(5); driver reference 3.2).
// Pure: bytes in, structs out; nothing here opens a file. All of it is hostile.
#ifndef NEUTOP_SOURCE_PROC_PARSE_H
#define NEUTOP_SOURCE_PROC_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PROC_DEVICES_MAX = 64,
    PROC_ENV_VALUE = 256,
    PROC_ENV_FLAGS = 4096, // NEURON_CC_FLAGS, of which little is kept
    PROC_VERSION = 48,
    PROC_NAME = 64,
    PROC_ID = 65, // 64 digits and NUL
    PROC_PATH = 200
};

// What is used of /proc/PID/stat. Ticks are of sysconf(_SC_CLK_TCK).
struct proc_stat {
    int pid, ppid;
    char state; // R S D T t Z X I
    uint64_t flags, user_ticks, system_ticks, threads, start_ticks, resident_pages;
};

// False when it is no stat line. The command name in it may hold anything, ')' and newline
// included.
bool proc_parse_stat(const char *text, size_t length, struct proc_stat *stat);

// PF_KTHREAD: a thread of the kernel, which has no files.
bool proc_stat_kernel(const struct proc_stat *stat);

// What is used of /proc/PID/status.
struct proc_status {
    bool uid_known;
    unsigned uid;   // the effective one
    int pid_inside; // the PID in the innermost PID namespace; 0 unknown or no other namespace
};

// Fills STATUS; what is absent or malformed stays unknown.
void proc_parse_status(const char *text, size_t length, struct proc_status *status);

// The major number of the driver's nodes in /proc/devices; -1 when it is not loaded.
int proc_parse_major(const char *text, size_t length);

// How a handle was opened, from the octal "flags:" of /proc/PID/fdinfo/N. Without O_WRONLY the
// open attached the process to the device (driver reference, section 8).
enum proc_access { PROC_UNTOLD, PROC_ATTACHED, PROC_ASKING };

// PROC_UNTOLD without such a line.
enum proc_access proc_parse_access(const char *text, size_t length);

// N of "/dev/neuronN", 0..63; -1 for another path.
int proc_parse_node(const char *text, size_t length);

// What a line of /proc/PID/maps says of Neuron.
struct proc_mapping {
    int device;              // of a mapped device node, -1 none; the name may be a container's own
    char path[PROC_NAME];    // of that node
    char library[PROC_PATH]; // path of a mapped libnrt.so; "" none
    char runtime[PROC_VERSION]; // version in its name, libnrt.so.VERSION; "" none
    char python[PROC_PATH];     // the site-packages folder that a mapped file is in; "" none
    bool neuron_python;         // that file is of a package for Neuron
    bool fabric;                // it is libfabric, by which collectives reach other instances
    bool deleted;               // the file has been replaced or removed since
};

// True when it says anything.
bool proc_parse_mapping(const char *line, size_t length, struct proc_mapping *mapping);

// The only names of an environment that are ever kept; "" not set. Clean text.
struct proc_environ {
    char visible_cores[PROC_ENV_VALUE];   // NEURON_RT_VISIBLE_CORES
    char num_cores[PROC_NAME];            // NEURON_RT_NUM_CORES
    char lnc[PROC_NAME];                  // NEURON_LOGICAL_NC_CONFIG, NEURON_RT_VIRTUAL_CORE_SIZE
    bool lnc_old_name;                    // it is the second of these
    char lnc_old[PROC_NAME];              // NEURON_RT_VIRTUAL_CORE_SIZE
    char visible_devices[PROC_ENV_VALUE]; // AWS_NEURON_VISIBLE_DEVICES
    char cache_flag[PROC_ENV_VALUE];      // --cache_dir in NEURON_CC_FLAGS
    char cache_url[PROC_ENV_VALUE];       // NEURON_COMPILE_CACHE_URL
    bool no_cache;                        // --no_cache in NEURON_CC_FLAGS
    bool cache_unclear;                   // the cache is told, but not in a way that can be read
    bool allow_legacy;                    // NEURON_RT_ALLOW_LEGACY_NEFF is true
    char tag[PROC_NAME];                  // NEURON_PROCESS_TAG
    char fork_safe[PROC_NAME];            // FI_EFA_FORK_SAFE
};

// Takes an environment piece by piece, so that its rest passes through and is never kept.
struct proc_environ_feed {
    struct proc_environ *into;
    size_t used;
    bool skip; // the rest of this item is of no interest
    char item[PROC_ENV_FLAGS];
};

// Clears INTO, then takes any number of pieces cut anywhere, then the end.
void proc_environ_begin(struct proc_environ_feed *feed, struct proc_environ *into);
void proc_environ_feed(struct proc_environ_feed *feed, const char *bytes, size_t length);
void proc_environ_end(struct proc_environ_feed *feed);

// The container of /proc/PID/cgroup, version 1 or 2: the first 12 digits of the id, as docker,
// crictl and podman print it, or the name of an LXC or nspawn container. False: in none, or not to
// be seen from here.
bool proc_parse_container(const char *text, size_t length, char *buffer, size_t size);

// The whole id of that container, for what its runtime has written about it: 64 hexadecimal digits.
// False when it has none of this kind.
bool proc_parse_container_id(const char *text, size_t length, char id[PROC_ID]);

// The systemd service of /proc/PID/cgroup ("train.service"); services that only hold logins,
// containers and the like do not count.
bool proc_parse_unit(const char *text, size_t length, char *buffer, size_t size);

// The launcher of distributed jobs that a command line (arguments ended by NUL) is, "torchrun" for
// "python3 -m torch.distributed.run"; NULL for any other program. Constant text.
const char *proc_parse_launcher(const char *text, size_t length);

// A command line of python, and of one that python's multiprocessing has started for its own
// purposes ("spawn" and "forkserver"): its argument says nothing of the job.
bool proc_parse_python(const char *text, size_t length);
bool proc_parse_pool_worker(const char *text, size_t length);

// A command line as one line of clean text, arguments joined by blanks.
void proc_clean_command(const char *text, size_t length, char *buffer, size_t size);

// The name of UID in the text of /etc/passwd.
bool proc_parse_passwd(const char *text, size_t length, unsigned uid, char *buffer, size_t size);

#endif
