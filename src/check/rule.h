// SPDX-License-Identifier: Apache-2.0
// What the rules share: where they put their findings, and the words they build them from. Private
// to src/check.
#ifndef NEUTOP_CHECK_RULE_H
#define NEUTOP_CHECK_RULE_H

#include <stdbool.h>

#include "check/check.h"
#include "host/job.h"

// A rule adds at most so many findings; what is more goes into the evidence of one of them, with a
// count.
enum { RULE_FINDINGS_MAX = 8, NAME_TEXT = PROCESS_TEXT };

// Being built by check_run(). Findings beyond the limit of a rule land in `spare` and are dropped.
struct report {
    const struct host *host;
    struct jobs jobs; // of host
    const char *id;   // of the rule that runs
    size_t rule_count;
    size_t count;
    size_t capacity;
    struct finding *items; // in the host's arena
    struct finding spare;
};

// A new finding of the running rule. Never NULL.
struct finding *report_add(struct report *report, enum severity severity);

// Each makes its text as by printf in the host's arena. Evidence beyond EVIDENCE_MAX is dropped:
// rules leave the last line for evidence_more().
void finding_subject(struct report *report, struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void finding_summary(struct report *report, struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void finding_evidence(struct report *report, struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void finding_remedy(struct report *report, struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Lines of evidence that list items of a group: all but the last, which says how many more there
// are.
static inline bool evidence_room(const struct finding *finding)
{
    return finding->evidence_count < EVIDENCE_MAX - 1;
}

// The last line of evidence: "and 3 more chips". MORE of 0: none.
void evidence_more(struct report *report, struct finding *finding, size_t more, const char *what);

// Where a rule about versions and files comes from. What others found in binaries, and what is only
// concluded, is good for a hint and never for an alarm.
enum rule_origin { RULE_DOCUMENTED, RULE_IN_CODE, RULE_IN_LOG, RULE_THIRD_PARTY, RULE_INFERRED };

// Says in the evidence that the rule is third-party or inferred, and then makes it a warning at
// most. Nothing for the other origins.
void finding_origin(struct report *report, struct finding *finding, enum rule_origin origin);

// A fact that is known and still current: a rule never speaks of the past as of the present.
static inline bool current_u64(struct fact_u64 fact)
{
    return known_u64(fact) && !fact.stale;
}

static inline bool current_f64(struct fact_f64 fact)
{
    return known_f64(fact) && !fact.stale;
}

// process_text() into BUFFER of NAME_TEXT bytes; returns it.
char *name_process(char *buffer, const struct process *process);

// PID as text for a command line of a remedy, "PID" when unknown. BUFFER of UNIT_TEXT bytes.
char *name_pid(char *buffer, const struct process *process);

// "NC 0-3", or "chips 0-1" when only these are known, "NC -" of none. Returns BUFFER.
const char *name_held(char *buffer, size_t size, const struct core_set *cores,
                      const struct core_set *chips);

// The devices that the container of PROCESS was given: by its nodes, else by
// AWS_NEURON_VISIBLE_DEVICES. True when they are known and do not follow each other (given.c).
bool given_with_gap(const struct process *process, struct core_set *given);

// A part of rule_visible_cores(): devices that were given with gaps (given.c).
void judge_given_devices(struct report *report);

// The job of PROCESS, which is one of the report's host.
const struct job *job_of(const struct report *report, const struct process *process);
bool same_job(const struct report *report, const struct process *a, const struct process *b);

// The rules, in their families.
void rule_ecc_uncorrected(struct report *report);    // health.c
void rule_ecc_repairable(struct report *report);     // health.c
void rule_chip_unhealthy(struct report *report);     // health.c
void rule_memory_nearly_full(struct report *report); // memory.c
void rule_host_memory_full(struct report *report);   // memory.c
void rule_exec_timeouts(struct report *report);      // execution.c
void rule_exec_errors(struct report *report);        // execution.c
void rule_cores_idle_held(struct report *report);    // owners.c
void rule_holder_gone(struct report *report);        // gone.c
void rule_holder_stopped(struct report *report);     // gone.c
void rule_cores_held(struct report *report);         // held.c
void rule_takes_all_cores(struct report *report);    // held.c
void rule_visible_cores(struct report *report);      // visible.c
void rule_cores_overlap(struct report *report);      // visible.c
void rule_holder_unseen(struct report *report);      // unseen.c
void rule_source_lost(struct report *report);        // sources.c
void rule_no_permission(struct report *report);      // sources.c
void rule_counters_not_live(struct report *report);  // driver.c
void rule_index_order(struct report *report);        // order.c
void rule_not_neuron(struct report *report);         // presence.c
void rule_no_driver(struct report *report);          // presence.c
void rule_no_device(struct report *report);          // presence.c
void rule_driver_too_old(struct report *report);     // versions.c
void rule_runtime_too_old(struct report *report);    // versions.c
void rule_kernel_too_old(struct report *report);     // versions_driver.c
void rule_glibc(struct report *report);              // platform.c
void rule_reload_pending(struct report *report);     // versions_driver.c
void rule_runtime_replaced(struct report *report);   // versions_driver.c
void rule_neff_unsupported(struct report *report);   // versions_driver.c
void rule_neff_wrong_chip(struct report *report);    // neffs_used.c
void rule_mixed_compilers(struct report *report);    // neffs_used.c
void rule_inf1_driver(struct report *report);        // versions_driver.c
void rule_inf1_runtime(struct report *report);       // versions_driver.c
void rule_lnc_mismatch(struct report *report);       // versions_lnc.c
void rule_sdk_mixed(struct report *report);          // versions_sdk.c
void rule_compiler_newer(struct report *report);     // versions_sdk.c

// The running rule by the driver's counters, unless it has found something already. (events.c)
void judge_core_events(struct report *report);

// What the driver has counted of check ID besides, as one line; NULL: nothing to say of it.
// CHECKED: the check could be made.
const char *core_events_remark(const struct host *host, const char *id, bool checked);

// What a rule must know to say that all is well. Without it the rule is not checked.
enum need {
    NEED_PRESENCE = 1 << 0,
    NEED_DRIVER = 1 << 1,
    NEED_RUNTIME = 1 << 2,
    NEED_CHIP = 1 << 3,
    NEED_KERNEL = 1 << 4,
    NEED_ECC = 1 << 5,
    NEED_HEALTH = 1 << 6,
    NEED_MEMORY = 1 << 7,
    NEED_EXECUTION = 1 << 8,
    NEED_OWNERS = 1 << 9,
    NEED_USE = 1 << 10,
    NEED_HOST_MEMORY = 1 << 11,
    NEED_DISK_DRIVER = 1 << 12,
    NEED_COMPILER = 1 << 13,
    NEED_PARTS = 1 << 14,
    NEED_ENVIRONMENT = 1 << 15,
    NEED_REFUSALS = 1 << 17,
    NEED_WATCH = 1 << 16, // to have looked for a while
    NEED_CHIPS = 1 << 18, // a chip, for which a driver may be missing
    NEED_GLIBC = 1 << 20,
    NEED_NEFFS = 1 << 21,  // which NEFFs the processes run
    NEED_MODULE = 1 << 19, // a driver in the kernel, for which devices may be missing
};

struct rule {
    const char *id;
    unsigned needs; // enum need
    void (*check)(struct report *report);
};

const struct rule *check_rules(size_t *count); // check.c

extern const double idle_held_seconds; // owners.c: shorter pauses are part of a job's life

// True when PROCESS is not to be seen (gone, or its PID is not in /proc) but still holds cores or
// memory: told by holder-gone; when it is a zombie that does, by holder-stopped. Then not once more
// by source-lost. gone.c
bool holder_gone(const struct process *process);
bool holder_zombie(const struct process *process);

#endif
