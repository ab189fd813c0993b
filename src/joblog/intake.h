// SPDX-License-Identifier: Apache-2.0
// What the parts of the recogniser share. Private to src/joblog.
#ifndef NEUTOP_JOBLOG_INTAKE_H
#define NEUTOP_JOBLOG_INTAKE_H

#include "joblog/joblog.h"
#include "joblog/pattern.h"
#include "joblog/scan.h"

enum {
    GROUPS_MAX = 512,
    GROUPS_OF_MESSAGE = 32, // further kinds are counted in the last
    GROUP_SLOTS = 1024,     // of the hash table, a power of two
    JOBS_MAX = 64,
    TABLES_OPEN = 8,
    TABLE_LINES = 64, // a table that has not ended after so many lines is left alone
    SPELLINGS_MAX = 192,
    NOTES_MAX = 32,
    HITS_MAX = 256,
};

// A wording that was found, with its values.
struct hit {
    const struct message *message;
    const struct spelling *spelling;
    struct record record;
    struct place place;
    size_t count;
    struct {
        enum capture capture;
        struct taken taken;
    } items[GROUP_VALUES];
};

const struct taken *hit_get(const struct hit *hit, enum capture capture); // NULL: not known
// Sets a value, which replaces the one of the same CAPTURE; without room it is dropped. TEXT is
// borrowed.
void hit_set_number(struct hit *hit, enum capture capture, uint64_t number);
void hit_set_text(struct hit *hit, enum capture capture, const char *text, size_t length);

// A table of memory whose lines are still coming.
struct open_table {
    struct memory_table *table;
    struct memory_table unwanted; // of a failure that has its table already: only counted
    uint32_t source;              // of which rank
    uint64_t line;                // where it was begun
};

// Groups by hash of message and key.
struct groups {
    size_t count;
    struct error_group *items[GROUPS_MAX];
    uint64_t hashes[GROUPS_MAX];
    uint16_t slots[GROUP_SLOTS]; // index + 1
};

// Text that tells of no error but says what others mean. TAKE gets what PATTERN took; false: other
// messages may be in the record all the same.
struct note {
    const char *anchor, *pattern;
    unsigned flags;
    bool (*take)(struct intake *intake, const struct record *record,
                 const struct taken values[PATTERN_VALUES]);
};
extern const struct note joblog_notes[]; // notes.c; ends with a row without an anchor

// One literal in a line.
struct sight {
    uint32_t value; // index of a spelling, or SPELLINGS_MAX + index of a note
    uint32_t start, end;
};

// Where in a line the second literal of a spelling was looked for: it is at FOUND, else nowhere
// from FROM up to UPTO. A line may hold the first one very often.
struct look {
    uint64_t serial; // of the line, see looks
    const char *from, *upto, *found;
};

struct intake {
    struct scan *scan;
    size_t spelling_count;
    struct {
        const struct message *message;
        const struct spelling *spelling;
    } spellings[SPELLINGS_MAX];
    unsigned error_value; // of the literal "ERROR"

    // from here on intake_reset() clears
    // of the line that is looked at
    const char *line;
    size_t length;
    uint64_t number;
    size_t from, upto; // literals that begin outside are another window's
    struct dates dates;
    uint64_t looks; // lines and windows so far
    struct look looked[SPELLINGS_MAX];
    size_t sight_count;
    struct sight sights[HITS_MAX];
    size_t known_count; // records in which something was recognised
    struct {
        uint32_t start, end;
        const struct message *message; // NULL: a note
        const struct spelling *spelling;
    } known[HITS_MAX];

    struct groups groups;
    size_t job_count;
    struct log_job jobs[JOBS_MAX];
    size_t table_count; // newest last
    struct open_table tables[TABLES_OPEN];
    char dkms_module[LOG_TEXT], dkms_version[LOG_TEXT]; // that is being built; "" unknown
    struct error_group *modinfo;                        // waits for its version; NULL
    uint64_t modinfo_line;
    struct joblog_input input;
};

// Has seen no line; intake_free() ends it, intake_reset() makes it as new.
struct intake *intake_new(void);
void intake_free(struct intake *intake);
void intake_reset(struct intake *intake);

// Looks through LENGTH bytes of line NUMBER. Literals that begin before FROM or at UPTO and later
// belong to another window of a very long line.
void intake_line(struct intake *intake, const char *line, size_t length, uint64_t number,
                 size_t from, size_t upto);

// group.c: counts HIT in its group, which is made when it is new; NULL when there is no room.
struct error_group *groups_count(struct groups *groups, const struct hit *hit);
void group_set(struct error_group *group, enum capture capture, uint64_t number, const char *text,
               size_t length);
struct error_group *groups_of_pid(struct groups *groups, const struct message *message,
                                  bool has_pid,
                                  uint64_t pid); // the newest; NULL
void group_add_pid(struct error_group *group, uint64_t pid, int64_t unix_seconds);

#endif
