// SPDX-License-Identifier: Apache-2.0
// What single messages need beyond taking values.
#include "joblog/steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "joblog/intake.h"
#include "joblog/status.h"

// The range of ids comes in a line of its own, behind the line with the runtime's id.
enum acceptance accept_compat(struct intake *intake, struct hit *hit)
{
    const struct taken *min = hit_get(hit, CAPTURE_COMPAT_MIN);
    const struct taken *max = hit_get(hit, CAPTURE_COMPAT_MAX);
    if (min == NULL)
        return ACCEPT_COUNT;
    if (max == NULL) {
        hit_set_number(hit, CAPTURE_COMPAT_MAX, min->number);
        max = hit_get(hit, CAPTURE_COMPAT_MAX);
    }
    struct error_group *group =
        groups_of_pid(&intake->groups, hit->message, hit->record.has_pid, hit->record.pid);
    if (group == NULL)
        return ACCEPT_COUNT; // the line before is missing: the range alone tells something too
    if (group_value(group, CAPTURE_COMPAT_MIN) == NULL) {
        group_set(group, CAPTURE_COMPAT_MIN, min->number, "", 0);
        group_set(group, CAPTURE_COMPAT_MAX, max->number, "", 0);
    }
    return ACCEPT_PART;
}

static void name_status(struct hit *hit, const struct nrt_status *row)
{
    if (row != NULL && row->name != NULL)
        hit_set_text(hit, CAPTURE_STATUS_NAME, row->name, strlen(row->name));
}

enum acceptance accept_status(struct intake *intake, struct hit *hit)
{
    (void)intake;
    const struct taken *status = hit_get(hit, CAPTURE_STATUS);
    if (status == NULL || status->number == 0)
        return ACCEPT_PART;
    name_status(hit, nrt_status_get(status->number));
    return ACCEPT_COUNT;
}

static bool is_name(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || pattern_digit(c);
}

static size_t name_length(const char *text, const char *end)
{
    size_t length = 0;
    while (text + length < end && is_name(text[length]) &&
           (text[length] < 'a' || text[length] > 'z'))
        length++;
    return length;
}

// A number by itself: not "2026-May", "1.5", "5ms".
static bool stands_alone(const struct taken *number, const char *end)
{
    const char *after = number->text + number->length;
    if (after >= end)
        return true;
    if (*after == '.' || *after == '-')
        return after + 1 >= end || !is_name(after[1]);
    return !is_name(*after);
}

// "nrt_execute: status=1004", "NRT_STATUS 101", "status_code=101". Where no call is named in front
// of it, a number that a runtime returns only for executions: small ones are anybody's.
static enum acceptance accept_number(struct hit *hit)
{
    const struct taken *status = hit_get(hit, CAPTURE_STATUS), *call = hit_get(hit, CAPTURE_CALL);
    if (status == NULL || status->number == 0 || !stands_alone(status, hit->record.end))
        return ACCEPT_NOT;
    const struct nrt_status *row = nrt_status_get(status->number);
    if (hit->spelling->also != NULL && (row == NULL || row->name == NULL || row->number < 100))
        return ACCEPT_NOT;
    if (call != NULL) { // the anchor "nrt_" is part of it
        size_t length = 0;
        while (length < call->length && is_name(call->text[length]))
            length++;
        hit_set_text(hit, CAPTURE_CALL, call->text - 4, length + 4);
    }
    name_status(hit, row);
    return ACCEPT_COUNT;
}

// "NRT_TIMEOUT", "NRT_FAILURE(6)", "NRT_EXEC_OOB in nrt_execute()": a number in brackets is kept as
// it is given, even where the table has another one.
enum acceptance accept_status_name(struct intake *intake, struct hit *hit)
{
    (void)intake;
    const struct taken *taken = hit_get(hit, CAPTURE_STATUS_NAME);
    struct taken values[PATTERN_VALUES];
    if (taken == NULL)
        return accept_number(hit);
    const char *name = taken->text - 4, *end = hit->record.end; // the anchor "NRT_" is part of it
    size_t length = name_length(name, end);
    const struct nrt_status *row = nrt_status_by_name(name, length);
    if (row == NULL || row->number == 0)
        return ACCEPT_NOT;
    hit_set_text(hit, CAPTURE_STATUS_NAME, name, length);
    hit_set_number(hit, CAPTURE_STATUS, row->number);
    pattern_match("[~(%d)][~in %w]", name + length, end, values);
    if (values[0].known)
        hit_set_number(hit, CAPTURE_STATUS, values[0].number);
    size_t call = 0; // up to the bracket
    while (call < values[1].length && values[1].text[call] != '(')
        call++;
    if (call > 0)
        hit_set_text(hit, CAPTURE_CALL, values[1].text, call);
    return ACCEPT_COUNT;
}

enum acceptance accept_build(struct intake *intake, struct hit *hit)
{
    if (intake->dkms_module[0] != '\0' && strncmp(intake->dkms_module, "aws-neuron", 10) != 0)
        return ACCEPT_NOT;
    if (intake->dkms_version[0] != '\0')
        hit_set_text(hit, CAPTURE_VERSION, intake->dkms_version, strlen(intake->dkms_version));
    return ACCEPT_COUNT;
}

// The same literals begin both texts.
enum acceptance accept_reset(struct intake *intake, struct hit *hit)
{
    (void)intake;
    const char *start = hit->record.body, *end = hit->record.end;
    bool failed = pattern_find(start, end, "failed", 6, RECORD_REACH) != NULL;
    return failed == (strcmp(hit->message->id, "reset-failed") == 0) ? ACCEPT_COUNT : ACCEPT_NOT;
}

void after_memory(struct intake *intake, const struct hit *hit, struct error_group *group)
{
    if (intake->table_count == TABLES_OPEN) {
        memmove(intake->tables, intake->tables + 1, (TABLES_OPEN - 1) * sizeof(*intake->tables));
        intake->table_count--;
    }
    struct open_table *open = &intake->tables[intake->table_count++];
    *open = (struct open_table){.source = hit->record.source, .line = hit->record.line};
    if (group->table == NULL)
        open->table = group->table = xcalloc(1, sizeof(*group->table));
}

void after_process(struct intake *intake, const struct hit *hit, struct error_group *group)
{
    (void)intake;
    const struct taken *process = hit_get(hit, CAPTURE_PROCESS);
    if (process != NULL)
        group_add_pid(group, process->number, 0);
}

void after_modinfo(struct intake *intake, const struct hit *hit, struct error_group *group)
{
    intake->modinfo = group;
    intake->modinfo_line = hit->record.line;
}
