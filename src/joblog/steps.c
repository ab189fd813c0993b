// SPDX-License-Identifier: Apache-2.0
// What single messages need beyond taking values.
#include "joblog/steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "joblog/intake.h"
#include "joblog/status.h"

// The range of ids comes in a line of its own, behind the line with the runtime's id.
bool accept_compat(struct intake *intake, struct hit *hit)
{
    const struct taken *min = hit_get(hit, CAPTURE_COMPAT_MIN);
    const struct taken *max = hit_get(hit, CAPTURE_COMPAT_MAX);
    if (min == NULL)
        return true;
    if (max == NULL) {
        hit_set_number(hit, CAPTURE_COMPAT_MAX, min->number);
        max = hit_get(hit, CAPTURE_COMPAT_MAX);
    }
    struct error_group *group =
        groups_of_pid(&intake->groups, hit->message, hit->record.has_pid, hit->record.pid);
    if (group == NULL)
        return true; // the line before is missing: the range alone tells something too
    if (group_value(group, CAPTURE_COMPAT_MIN) == NULL) {
        group_set(group, CAPTURE_COMPAT_MIN, min->number, "", 0);
        group_set(group, CAPTURE_COMPAT_MAX, max->number, "", 0);
    }
    return false;
}

static bool name_status(struct hit *hit, uint64_t number)
{
    const struct nrt_status *row = nrt_status_get(number);
    if (number == 0)
        return false;
    if (row != NULL && row->name != NULL)
        hit_set_text(hit, CAPTURE_STATUS_NAME, row->name, strlen(row->name));
    return true;
}

bool accept_status(struct intake *intake, struct hit *hit)
{
    (void)intake;
    const struct taken *status = hit_get(hit, CAPTURE_STATUS);
    return status != NULL && name_status(hit, status->number);
}

static size_t name_length(const char *text, const char *end)
{
    size_t length = 0;
    while (text + length < end && ((text[length] >= 'A' && text[length] <= 'Z') ||
                                   text[length] == '_' || pattern_digit(text[length])))
        length++;
    return length;
}

// "NRT_TIMEOUT", "NRT_FAILURE(6)", "NRT_EXEC_OOB in nrt_execute()": a number in brackets is kept as
// it is given, even where the table has another one.
bool accept_status_name(struct intake *intake, struct hit *hit)
{
    (void)intake;
    const struct taken *taken = hit_get(hit, CAPTURE_STATUS_NAME);
    if (taken == NULL) {
        const struct taken *status = hit_get(hit, CAPTURE_STATUS);
        return status != NULL && name_status(hit, status->number);
    }
    struct taken values[PATTERN_VALUES];
    const char *name = taken->text - 4, *end = hit->record.end; // the anchor "NRT_" is part of it
    size_t length = name_length(name, end);
    const struct nrt_status *row = nrt_status_by_name(name, length);
    if (row == NULL || row->number == 0)
        return false;
    hit_set_text(hit, CAPTURE_STATUS_NAME, name, length);
    hit_set_number(hit, CAPTURE_STATUS, row->number);
    pattern_match("[~(%d)][~in %w]", name + length, end, values);
    if (values[0].known)
        hit_set_number(hit, CAPTURE_STATUS, values[0].number);
    size_t call = values[1].known ? strcspn(values[1].text, "(") : 0;
    if (call > 0)
        hit_set_text(hit, CAPTURE_CALL, values[1].text,
                     call < values[1].length ? call : values[1].length);
    return true;
}

bool accept_build(struct intake *intake, struct hit *hit)
{
    if (intake->dkms_module[0] != '\0' && strncmp(intake->dkms_module, "aws-neuron", 10) != 0)
        return false;
    if (intake->dkms_version[0] != '\0')
        hit_set_text(hit, CAPTURE_VERSION, intake->dkms_version, strlen(intake->dkms_version));
    return true;
}

// The same literals begin both texts.
bool accept_reset(struct intake *intake, struct hit *hit)
{
    (void)intake;
    const char *start = hit->record.body, *end = hit->record.end;
    bool failed = pattern_find(start, end, "failed", 6, RECORD_REACH) != NULL;
    return failed == (strcmp(hit->message->id, "reset-failed") == 0);
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
        group_add_pid(group, process->number);
}

void after_modinfo(struct intake *intake, const struct hit *hit, struct error_group *group)
{
    intake->modinfo = group;
    intake->modinfo_line = hit->record.line;
}
