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

// The driver that counts: the loaded one, else the one that would be loaded. *LOADED may be NULL.
const char *driver_of(const struct host *host, bool *loaded);

// The chips' generation, also where only the PCI bus tells it.
enum generation_id generation_of(const struct host *host);

// "in SDK 2.26.0, 2.26.1", "newer than this neutop knows", "in no SDK release that is known" into
// BUFFER.
const char *release_words(const struct host *host, enum component component, const char *version,
                          char *buffer, size_t size);

// Parts of kernel-too-old and driver-too-old: processes that use EFA, pods. (platform.c)
void judge_efa(struct report *report);
void judge_pods(struct report *report, const char *driver);

// The rows about the driver alone that have this finding id.
void judge_driver_alone(struct report *report, const char *id);

#endif
