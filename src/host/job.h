// SPDX-License-Identifier: Apache-2.0
// What a job is: processes that belong together, told of as one. The one place that knows; screen,
// findings, text and JSON take it from here. Pure.
#ifndef NEUTOP_HOST_JOB_H
#define NEUTOP_HOST_JOB_H

#include "host/host.h"

// What holds the processes of a job together. Of several the first one here counts: who started a
// process says more of it than where it runs.
enum job_kind {
    JOB_PROCESS,   // nothing: one process by itself
    JOB_LAUNCHER,  // torchrun, mpirun, the parent of a pool: it need not hold anything itself
    JOB_PARENT,    // a process of the snapshot, ancestor of the others without a gap
    JOB_TAG,       // NEURON_PROCESS_TAG
    JOB_SERVICE,   // unit of systemd
    JOB_POD,       // name and namespace
    JOB_CONTAINER, // id, by its name where that is known
    JOB_KINDS
};

struct job {
    enum job_kind kind;
    struct fact_u64 pid; // of the launcher or parent, of a process by itself; unknown: of others
    const char *name;    // of what holds it together; of a process by itself: its label
    int leader;          // the member that has this PID, as an index into host.processes; -1 none
    unsigned count;
    const unsigned *members; // indices into host.processes, ascending
};

struct jobs {
    unsigned count;
    const struct job *items; // in the order of their first members
    const unsigned *of;      // of each process of the host
};

// The jobs of HOST, each process in exactly one; in HOST's arena. O(n log n), also where parents
// stand in a circle.
struct jobs jobs_of(const struct host *host);

// To be spoken of as a job and not as a process: it has several, or a launcher that has a name.
bool job_is_group(const struct job *job);

// Who started its processes holds it together, not only where they run.
static inline bool job_by_start(const struct job *job)
{
    return job->kind == JOB_LAUNCHER || job->kind == JOB_PARENT;
}

// Its leader is a daemon that starts workers and lives on for others (raylet, slurmstepd): to end
// the job is to end the workers.
bool job_leader_serves(const struct job *job);

// Some members of a job, summed once.
struct job_part {
    const struct job *job;
    const struct process *first;
    unsigned members, workers; // workers: without the one that leads them
    struct core_set cores, chips;
    struct fact_u64 memory_device_bytes;
    struct fact_f64 started_unix_seconds; // the earliest
    struct fact_f64 idle_seconds;         // of the member that was active last
    bool idle_since_start;
};

// Adds PROCESS, a member of JOB, to PART, which begins as zeroes.
void job_part_add(struct job_part *part, const struct host *host, const struct job *job,
                  const struct process *process);

// The parts of JOBS that WANTED chooses, in the order of jobs; NULL: no process is wanted. *COUNT
// is their number. In HOST's arena.
struct job_part *job_parts(const struct host *host, const struct jobs *jobs,
                           bool (*wanted)(const struct process *process), unsigned *count);

// "32 workers of PID 31207 torchrun", "4 processes of pod web-0", "of service x.service", "of
// container NAME"; of a part with one process that is no launcher's "PID 40112 (vllm)". Into BUFFER
// of JOB_TEXT bytes; returns it.
enum { JOB_TEXT = 224 };
char *job_part_text(const struct job_part *part, char *buffer);

// The same of all members of JOB.
char *job_text(const struct host *host, const struct job *job, char *buffer);

// "PID 31207 (train)", "PID 31207", "neuron-rtd", as job_part_text() calls a process alone. The
// name is cut to 24 columns. Into BUFFER of PROCESS_TEXT bytes; returns it.
enum { PROCESS_TEXT = 80 };
char *process_text(const struct process *process, char *buffer);

// PIDs of the members of PART for which WANTED holds (NULL: all), as ranges where they follow each
// other: "31210-31241, 31250", at most MOST of these, then " and N more". Returns BUFFER.
char *job_pids(const struct host *host, const struct job *job,
               bool (*wanted)(const struct process *process), unsigned most, char *buffer,
               size_t size);

const char *job_kind_word(enum job_kind kind); // JSON: "launcher", "parent", "pod" ...

#endif
