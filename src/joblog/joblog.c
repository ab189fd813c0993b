// SPDX-License-Identifier: Apache-2.0
// The stream: bytes into lines without escape sequences, and in the end the groups in order.
#include "joblog/joblog.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "joblog/intake.h"

enum escape { ESCAPE_NONE, ESCAPE_BEGUN, ESCAPE_CSI, ESCAPE_STRING };
enum { ESC = 0x1b, BEL = 0x07 };

struct joblog {
    struct intake *intake;
    size_t length; // of the line so far
    size_t from;   // literals before it are another window's
    bool begun;    // the line has had bytes, even if none is kept
    enum escape escape;
    char line[RECORD_LINE];
};

struct joblog *joblog_new(void)
{
    struct joblog *log = xcalloc(1, sizeof(*log));
    log->intake = intake_new();
    return log;
}

void joblog_free(struct joblog *log)
{
    if (log == NULL)
        return;
    intake_free(log->intake);
    free(log);
}

void joblog_reset(struct joblog *log)
{
    intake_reset(log->intake);
    log->length = log->from = 0;
    log->begun = false;
    log->escape = ESCAPE_NONE;
}

static void look(struct joblog *log, size_t upto)
{
    intake_line(log->intake, log->line, log->length, log->intake->input.lines + 1, log->from, upto);
}

// A line longer than what is looked at as a whole: what begins in its front is looked at, and its
// end is kept together with as much in front of it as a header may be away.
static void slide(struct joblog *log)
{
    size_t upto = RECORD_LINE - RECORD_REACH, keep = upto - RECORD_REACH;
    look(log, upto);
    memmove(log->line, log->line + keep, RECORD_LINE - keep);
    log->length = RECORD_LINE - keep;
    log->from = RECORD_REACH;
}

static void append(struct joblog *log, const char *bytes, size_t size)
{
    while (size > 0) {
        if (log->length == RECORD_LINE)
            slide(log);
        size_t part = RECORD_LINE - log->length < size ? RECORD_LINE - log->length : size;
        memcpy(log->line + log->length, bytes, part);
        log->length += part;
        bytes += part;
        size -= part;
    }
}

// The text that stands there so far is a line by itself, whether a newline or a carriage return
// ends it.
static void finish_text(struct joblog *log)
{
    if (log->length > log->from)
        look(log, log->length);
    log->length = 0;
    log->from = 0;
}

static void finish_line(struct joblog *log)
{
    finish_text(log);
    log->intake->input.lines++;
    log->begun = false;
    log->escape = ESCAPE_NONE;
}

// One byte of an escape sequence.
static void skip_escape(struct joblog *log, unsigned char byte)
{
    if (log->escape == ESCAPE_BEGUN)
        log->escape = byte == '[' ? ESCAPE_CSI : byte == ']' ? ESCAPE_STRING : ESCAPE_NONE;
    else if (byte == ESC)
        log->escape = ESCAPE_BEGUN;
    else if (log->escape == ESCAPE_CSI ? byte >= 0x40 && byte <= 0x7e : byte == BEL)
        log->escape = ESCAPE_NONE;
}

// A piece of a line in which there are escape sequences or carriage returns.
static void append_special(struct joblog *log, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        if (byte == '\r')
            finish_text(log);
        else if (log->escape != ESCAPE_NONE)
            skip_escape(log, byte);
        else if (byte == ESC)
            log->escape = ESCAPE_BEGUN;
        else
            append(log, bytes + i, 1);
    }
}

static void append_piece(struct joblog *log, const char *bytes, size_t size)
{
    if (size == 0)
        return;
    log->begun = true;
    if (log->escape == ESCAPE_NONE && memchr(bytes, ESC, size) == NULL &&
        memchr(bytes, '\r', size) == NULL)
        append(log, bytes, size);
    else
        append_special(log, bytes, size);
}

void joblog_feed(struct joblog *log, const char *bytes, size_t size)
{
    log->intake->input.bytes += size;
    while (size > 0) {
        const char *end = memchr(bytes, '\n', size);
        size_t piece = end != NULL ? (size_t)(end - bytes) : size;
        append_piece(log, bytes, piece);
        if (end == NULL)
            return;
        finish_line(log);
        bytes += piece + 1;
        size -= piece + 1;
    }
}

static bool share_a_pid(const struct error_group *a, const struct error_group *b)
{
    for (size_t i = 0; i < a->pid_count; i++)
        for (size_t j = 0; j < b->pid_count; j++)
            if (a->pids[i] == b->pids[j])
                return true;
    return a->pid_count == 0 || b->pid_count == 0;
}

// What is only a part of another error is told there.
static void absorb(struct groups *groups, struct error_group *part)
{
    for (size_t i = 0; i < groups->count; i++) {
        struct error_group *whole = groups->items[i];
        if (strcmp(whole->message->id, part->message->absorbed_by) != 0 ||
            !share_a_pid(whole, part))
            continue;
        whole->parts_absorbed += part->count;
        part->absorbed = true;
        return;
    }
}

// What comes of another error is a cause itself where the process has no other.
static void promote(const struct groups *groups, struct error_group *group)
{
    for (size_t i = 0; i < groups->count; i++) {
        const struct error_group *other = groups->items[i];
        if (other->message->role == ROLE_CAUSE && !other->absorbed && share_a_pid(other, group))
            return;
    }
    group->role = ROLE_CAUSE;
}

static int rank(const struct error_group *group)
{
    return group->absorbed ? ROLE_REMARK + 1 : (int)group->role;
}

static int first_cause_first(const void *a, const void *b)
{
    const struct error_group *left = *(struct error_group *const *)a,
                             *right = *(struct error_group *const *)b;
    if (rank(left) != rank(right))
        return rank(left) < rank(right) ? -1 : 1;
    if (left->first_line != right->first_line)
        return left->first_line < right->first_line ? -1 : 1;
    return 0;
}

void joblog_end(struct joblog *log)
{
    struct groups *groups = &log->intake->groups;
    if (log->begun)
        finish_line(log);
    for (size_t i = 0; i < groups->count; i++)
        if (groups->items[i]->message->absorbed_by != NULL)
            absorb(groups, groups->items[i]);
    for (size_t i = 0; i < groups->count; i++)
        if (groups->items[i]->role == ROLE_FOLLOWS && !groups->items[i]->absorbed)
            promote(groups, groups->items[i]);
    qsort(groups->items, groups->count, sizeof(*groups->items), first_cause_first);
}

size_t joblog_group_count(const struct joblog *log)
{
    size_t count = 0;
    while (count < log->intake->groups.count && !log->intake->groups.items[count]->absorbed)
        count++;
    return count;
}

const struct error_group *joblog_group(const struct joblog *log, size_t index)
{
    return log->intake->groups.items[index];
}

size_t joblog_job_count(const struct joblog *log)
{
    return log->intake->job_count;
}

const struct log_job *joblog_job(const struct joblog *log, size_t index)
{
    return &log->intake->jobs[index];
}

const struct log_job *joblog_job_of(const struct joblog *log, uint64_t pid)
{
    for (size_t i = 0; i < log->intake->job_count; i++)
        if (log->intake->jobs[i].pid == pid)
            return &log->intake->jobs[i];
    return NULL;
}

const struct joblog_input *joblog_input(const struct joblog *log)
{
    return &log->intake->input;
}
