// SPDX-License-Identifier: Apache-2.0
// The pieces of the JSON document, and facts as members. Private to src/print.
#ifndef NEUTOP_PRINT_JSON_PARTS_H
#define NEUTOP_PRINT_JSON_PARTS_H

#include "check/check.h"
#include "host/host.h"
#include "print/json_writer.h"

enum { STALE_KEYS = 48 };

// The document being written, and the keys of the current object whose values are stale.
struct emit {
    struct json_writer writer;
    unsigned stale_count;
    const char *stale[STALE_KEYS];
};

// json_emit.c: the members.
// A fact as a member: null when unknown; its key is remembered when it is stale.
void emit_u64(struct emit *emit, const char *key, struct fact_u64 fact);
void emit_f64(struct emit *emit, const char *key, struct fact_f64 fact);
void emit_stale_key(struct emit *emit, const char *key);

// "stale": the keys since the last call whose values are not current; nothing when all are.
void emit_stale(struct emit *emit);

// A time as UTC ISO 8601 with milliseconds; null when it is none.
void emit_time(struct emit *emit, const char *key, double unix_seconds);

// Seconds rounded to milliseconds: more would only pretend.
void emit_seconds(struct emit *emit, const char *key, struct fact_f64 seconds);

// A text that is left out when there is none: errors, details.
void emit_optional(struct emit *emit, const char *key, const char *text);

// A member that is left out when it is unknown. *STALE (NULL: not asked for) becomes true when it
// is stale, for the key of the object that it stands in.
void emit_known_u64(struct emit *emit, const char *key, struct fact_u64 fact, bool *stale);
void emit_known_f64(struct emit *emit, const char *key, struct fact_f64 fact, bool *stale);

// The members as an array of numbers.
void emit_core_set(struct emit *emit, const char *key, const struct core_set *set);

// {"tensors_bytes": ...}: categories that somebody gave.
void emit_memory(struct emit *emit, const char *key, const struct fact_u64 memory[MEM_CATEGORIES]);

// json.c: the parts that several documents have.
void emit_instance(struct emit *emit, const struct instance *instance);
void emit_hardware(struct emit *emit, const struct hardware *hardware);
void emit_versions(struct emit *emit, const struct host *host);
void emit_findings(struct emit *emit, const struct findings *findings);
void emit_chips(struct emit *emit, const struct host *host);     // json_chips.c
void emit_processes(struct emit *emit, const struct host *host); // json_processes.c

#endif
