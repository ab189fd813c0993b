// SPDX-License-Identifier: Apache-2.0
// Snapshots for tests, built by hand: an instance of a type from the tables, then what the test is
// about. Everything that is not set is unknown.
#ifndef NEUTOP_TESTS_UNIT_BUILD_HOST_H
#define NEUTOP_TESTS_UNIT_BUILD_HOST_H

#include "check/check.h"
#include "host/host.h"

enum { BUILD_PROCESSES = 64, BUILD_SOURCES = 4 };

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)

static const double BUILD_TIME = 1793190667; // 2026-10-28 12:31:07 UTC

// An instance of TYPE with LNC (0: the chip's default): chips and cores with their memory limits,
// no process, no load, owners known, cores in the runtime's order, at BUILD_TIME. End it with
// host_free().
struct host *build_host(const char *type, unsigned lnc);

// A process that holds COUNT cores from core FIRST on (none when COUNT is 0) and nothing else
// known.
struct process *build_process(struct host *host, uint64_t pid, const char *command, unsigned first,
                              unsigned count);

// BYTES of CATEGORY more on core CORE, owned by PROCESS (NULL: nobody's): counted for core, chip,
// process and its share.
void build_memory(struct host *host, struct process *process, unsigned core,
                  enum memory_category category, uint64_t bytes);

// Utilisation of CORE, all of it by PROCESS (NULL: by nobody that is known).
void build_utilization(struct host *host, struct process *process, unsigned core, double percent);

void build_source(struct host *host, const char *name, enum source_state state, double age_seconds,
                  const char *detail);

// The first finding with this id, NULL: none. And how many there are.
const struct finding *find_finding(const struct findings *findings, const char *id);
unsigned count_findings(const struct findings *findings, const char *id);

// What print_text() and print_json() write; free() it.
char *print_to_text(const struct host *host, bool ascii, bool color);
char *print_to_json(const struct host *host);

#endif
