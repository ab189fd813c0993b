// SPDX-License-Identifier: Apache-2.0
// One record of the runtime's log within a line of text: its header, its text, and the chip and
// core that it names. A line may hold several, cut into each other, behind prefixes of other
// loggers (versions and NEFF reference, section 4.2; field cases, "Shapes of log lines").
#ifndef NEUTOP_JOBLOG_RECORD_H
#define NEUTOP_JOBLOG_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RECORD_TIME = 32, RECORD_LEVEL = 8, RECORD_FUNCTION = 64, RECORD_REACH = 4096 };

// The longest line that is looked at as a whole, and how many dates fit into it.
enum { RECORD_LINE = 64 * 1024, RECORD_DATES = RECORD_LINE / 12 + 1 };

struct record {
    uint64_t line; // of the input, from 1
    bool has_pid;
    uint64_t pid;
    char time[RECORD_TIME];         // "2024-12-11 17:43:58.780308"; "" unknown
    int64_t unix_seconds;           // of it, as if it were UTC, which no record says; 0 unknown
    char level[RECORD_LEVEL];       // "ERROR"; "" unknown
    char function[RECORD_FUNCTION]; // "NRT:nrt_init"; "" unknown
    const char *start;              // of the record, its header included
    const char *body;               // its text
    const char *end;
    uint32_t source; // of which rank or logger the line is, by its prefix; 0: no prefix
};

// Where in a line the dates of headers stand: found once a line, so that a line with many records
// is not searched again for each.
struct dates {
    bool ready;
    const char *escape_from, *escape; // the first escaped end of a line at or behind escape_from
    size_t count;
    uint32_t at[RECORD_DATES];
};

// The record around the byte AT of a line that is LENGTH bytes long from LINE on. Its header stands
// before AT, no farther than RECORD_REACH bytes; it ends at the next one. A text without a header
// of the runtime is a record as well. DATES is filled when it is not ready.
void record_find(struct record *record, struct dates *dates, const char *line, size_t length,
                 size_t at);

// Which rank or logger a line comes from: told by the last word in front of START; 0: no word.
uint32_t record_source(const char *line, const char *start);

// A chip and a core of it, each -1 when not named.
struct place {
    int chip, core;
};

// The first chip and core that TEXT names: "Neuron Device 0 NC 0", "[ND 1][NC 4]", "ND 0:NC 0",
// "nd0:nc0", "nd0 nc0", "nd00nc3", "[MLA 0][NC 1]", "nd-id=0 nc-id=0", "nd0".
struct place place_find(const char *text, const char *end);

#endif
