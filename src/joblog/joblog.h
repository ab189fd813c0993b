// SPDX-License-Identifier: Apache-2.0
// Reads the error output of jobs and kernels as a stream and tells which known errors are in it.
// Pure: no file, no clock. Memory is bounded whatever the input is; time grows with its length
// only.
#ifndef NEUTOP_JOBLOG_JOBLOG_H
#define NEUTOP_JOBLOG_JOBLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "joblog/message.h"
#include "joblog/record.h"

enum {
    GROUP_PIDS = 32,
    GROUP_PLACES = 64,
    GROUP_VALUES = 12,
    VALUE_TEXT = 256,
    TABLE_PARTS = 16,
    PART_NAME = 32,
    LOG_TEXT = 64,
};

// A value that was taken from a message. TEXT is clean.
struct value {
    enum capture capture;
    uint64_t number; // a negative one as its two's complement
    char text[VALUE_TEXT];
};

// One line of the table behind "current utilization:": bytes, and how much one step of its last
// digit is.
struct table_part {
    char name[PART_NAME];
    uint64_t bytes, step;
};

// What filled the memory of a core.
struct memory_table {
    bool has_total;
    struct table_part total;
    size_t count;
    struct table_part parts[TABLE_PARTS];
};

// The same error, once or often.
struct error_group {
    const struct message *message;
    enum message_role role;          // in this input, see enum message_role
    const struct spelling *spelling; // the wording that was seen first
    uint64_t count;
    uint64_t first_line, last_line;
    char first_time[RECORD_TIME], last_time[RECORD_TIME]; // "" unknown
    size_t pid_count;
    uint64_t pids[GROUP_PIDS];       // of the runtime's records, in the order seen
    int64_t pid_seconds[GROUP_PIDS]; // of the newest record of each, as if it were UTC; 0 unknown
    bool more_pids;
    size_t place_count;
    struct place places[GROUP_PLACES];
    bool more_places;
    size_t value_count;
    struct value values[GROUP_VALUES]; // of the first one
    struct memory_table *table;        // NULL: none
    uint64_t parts_absorbed;           // records of other messages that belong to this error
    bool absorbed;                     // told by another group
    bool mixed;                        // there were too many kinds: later ones differ in values
};

// The value of CAPTURE; NULL: not known.
const struct value *group_value(const struct error_group *group, enum capture capture);

// Sum of the table's parts, and whether it is the total within what the digits leave open.
uint64_t table_sum(const struct memory_table *table);
bool table_adds_up(const struct memory_table *table);

// What a process of the runtime told about itself, in its start or in its information dump. Texts
// are clean, "" unknown.
struct log_job {
    uint64_t pid;
    char runtime[LOG_TEXT], driver[LOG_TEXT], collectives[LOG_TEXT], firmware[LOG_TEXT];
    char instance[LOG_TEXT], cluster[LOG_TEXT], kernel[LOG_TEXT], node[LOG_TEXT];
    char architecture[LOG_TEXT], visible_cores[LOG_TEXT];
    char failure[LOG_TEXT]; // "NRT_EXEC_SW_NQ_OVERFLOW in nrt_execute()"
    bool collectives_absent, has_lnc, has_chips;
    uint64_t lnc; // 0: not set
    uint64_t chips, cores_per_chip;
};

struct joblog;

// Has taken no bytes yet; joblog_free() ends it and all that it has given out.
struct joblog *joblog_new(void);
void joblog_free(struct joblog *log);

// As new, but cheaper: the table of literals is kept.
void joblog_reset(struct joblog *log);

// The next SIZE bytes, cut anywhere.
void joblog_feed(struct joblog *log, const char *bytes, size_t size);

// No more bytes. Then the groups are in order: causes as they came, what follows from them,
// remarks.
void joblog_end(struct joblog *log);

// The errors by message and key, and the jobs that wrote them; all live as long as LOG.
size_t joblog_group_count(const struct joblog *log);
const struct error_group *joblog_group(const struct joblog *log, size_t index);
size_t joblog_job_count(const struct joblog *log);
const struct log_job *joblog_job(const struct joblog *log, size_t index);
const struct log_job *joblog_job_of(const struct joblog *log, uint64_t pid); // NULL: none

// The input as a whole.
struct joblog_input {
    uint64_t bytes, lines;         // a last line without its end counts
    uint64_t unknown;              // records of the runtime at level ERROR that no message fits
    uint64_t unknown_line;         // of the first
    char unknown_text[VALUE_TEXT]; // of the first, clean
    uint64_t lost;                 // errors that found no room in a group
};
const struct joblog_input *joblog_input(const struct joblog *log);

#endif
