// SPDX-License-Identifier: Apache-2.0
// What the rules about versions share. Private to src/check.
#ifndef NEUTOP_CHECK_VERSIONS_H
#define NEUTOP_CHECK_VERSIONS_H

#include "check/rule.h"

// Versions from FROM on and below BELOW; NULL: no bound.
struct version_range {
    const char *from, *below;
};

// VERSION is known and within RANGE.
bool version_in(const struct version_range *range, const char *version);

enum { RUNTIMES_MAX = 16 };

// One version of the runtime on the host, and who runs it.
struct runtime_use {
    const char *version;
    bool installed;
    unsigned process_count;
    const struct process *first; // of those that run it; NULL: none
};

// The different runtimes, the installed one first. Returns how many there are in LIST.
unsigned runtimes_of(const struct host *host, struct runtime_use list[RUNTIMES_MAX]);

// "installed, PID 7, 9 and 30 more" as evidence of who runs RUNTIME.
void runtime_evidence(struct report *report, struct finding *finding,
                      const struct runtime_use *runtime);

// The driver that counts: the loaded one, else the one that would be loaded. *LOADED may be NULL; a
// driver that a person gives is not loaded.
const char *driver_of(const struct host *host, bool *loaded);

// Where driver_of() is: "loaded", "on disk, not loaded", "given".
const char *driver_place(const struct host *host);

// The chips' generation, also where only the PCI bus tells it.
enum generation_id generation_of(const struct host *host);

// "in SDK 2.26.0, 2.26.1", "newer than this neutop knows", "in no SDK release that is known" into
// BUFFER.
const char *release_words(const struct host *host, enum component component, const char *version,
                          char *buffer, size_t size);

enum { OLD_DRIVER, OLD_RUNTIME };

// A pair that does not work: a runtime in one range with a driver in the other.
struct pair_rule {
    const char
        *id;    // in data/releases.json; a table from a file may change its limit. NULL: in none
    int behind; // the side to be updated
    enum severity severity;
    enum rule_origin origin;
    unsigned families;
    struct version_range runtime, driver;
    const char *rule;
    const char *source;
};

// The rule that says why RUNTIME does not work with DRIVER; NULL: none does. (versions_pairs.c)
const struct pair_rule *pair_rule_for(const struct host *host, const char *runtime,
                                      const char *driver);

// A rule of a table from a file as words: "runtime 2.36 or newer needs driver 2.32 or newer", and
// where it is from; in HOST's arena.
const char *file_rule_words(const struct host *host, const struct release_rule *rule);
const char *file_rule_source(const struct host *host, const struct release_rule *rule);

// Parts of kernel-too-old and driver-too-old: processes that use EFA, pods. (platform.c)
void judge_efa(struct report *report);
void judge_pods(struct report *report, const char *driver);

// The size of a logical core that PROCESS was started with, 0 unknown.
unsigned versions_lnc_of(const struct host *host, const struct process *process);

// Judges the NEFFs that processes run by the rule for files that has the running rule's id.
void judge_neffs_in_use(struct report *report); // neffs_used.c

// DRIVER is of the lines that have lost Inferentia, and that is the chip here (versions reference
// 3.3).
bool driver_lost_inf1(const struct host *host, const char *driver);

// The rows about the driver alone that have this finding id.
void judge_driver_alone(struct report *report, const char *id);

#endif
