// SPDX-License-Identifier: Apache-2.0
// Lines that are no errors but tell what errors mean: a good start, the information dump, the table
// of memory, what dkms builds.
#include <bsd/string.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "joblog/intake.h"

typedef const struct taken taken_values[PATTERN_VALUES];

static void keep(char *buffer, const struct taken *taken)
{
    if (taken->known)
        text_clean_to(buffer, LOG_TEXT, taken->text, taken->length);
}

// The job of the record's process; a new one when it is not known yet. NULL: no PID, or no room.
static struct log_job *intake_job(struct intake *intake, const struct record *record)
{
    if (!record->has_pid)
        return NULL;
    for (size_t i = intake->job_count; i-- > 0;)
        if (intake->jobs[i].pid == record->pid)
            return &intake->jobs[i];
    if (intake->job_count == JOBS_MAX)
        return NULL;
    struct log_job *job = &intake->jobs[intake->job_count++];
    *job = (struct log_job){.pid = record->pid};
    return job;
}

static bool note_runtime(struct intake *intake, const struct record *record, taken_values values)
{
    struct log_job *job = intake_job(intake, record);
    if (job != NULL)
        keep(job->runtime, &values[0]);
    return true;
}

static bool note_driver(struct intake *intake, const struct record *record, taken_values values)
{
    struct log_job *job = intake_job(intake, record);
    if (job != NULL)
        keep(job->driver, &values[0]);
    return true;
}

static bool note_collectives(struct intake *intake, const struct record *record,
                             taken_values values)
{
    struct log_job *job = intake_job(intake, record);
    if (job != NULL)
        keep(job->collectives, &values[0]);
    return true;
}

static bool note_instance(struct intake *intake, const struct record *record, taken_values values)
{
    struct log_job *job = intake_job(intake, record);
    if (job == NULL)
        return true;
    job->has_chips = true;
    job->chips = values[0].number;
    job->cores_per_chip = values[1].number;
    keep(job->architecture, &values[2]);
    return true;
}

// What the information dump says in "KEY: VALUE" lines.
struct dump_key {
    const char *key;
    size_t offset; // of its text in struct log_job
    const char *pattern;
};

static const struct dump_key DUMP_KEYS[] = {
    {"NRT version: ", offsetof(struct log_job, runtime), "~%v"},
    {"Embedded FW version: ", offsetof(struct log_job, firmware), "~%v"},
    {"CCOM version: ", offsetof(struct log_job, collectives), "~%v"},
    {"Instance ID: ", offsetof(struct log_job, instance), "~%w"},
    {"Cluster ID: ", offsetof(struct log_job, cluster), "~%w"},
    {"Kernel: ", offsetof(struct log_job, kernel), "~%l"},
    {"Nodename: ", offsetof(struct log_job, node), "~%w"},
    {"Driver version: ", offsetof(struct log_job, driver), "~%v"},
    {"Failure: ", offsetof(struct log_job, failure), "~%l"},
    {"Visible cores: ", offsetof(struct log_job, visible_cores), "~%l"},
};

// "unknown" and "N/A" are the runtime's way to say nothing.
static bool says_nothing(const struct taken *value)
{
    return !value->known || value->length == 0 ||
           (value->length == 7 && memcmp(value->text, "unknown", 7) == 0) ||
           (value->length == 3 && memcmp(value->text, "N/A", 3) == 0);
}

static void read_dump(struct log_job *job, const char *text, const char *end)
{
    struct taken values[PATTERN_VALUES];
    for (size_t i = 0; i < sizeof(DUMP_KEYS) / sizeof(DUMP_KEYS[0]); i++) {
        const struct dump_key *row = &DUMP_KEYS[i];
        size_t length = strlen(row->key);
        if ((size_t)(end - text) < length || memcmp(text, row->key, length) != 0)
            continue;
        if (pattern_match(row->pattern, text + length, end, values) != NULL &&
            !says_nothing(&values[0]))
            keep((char *)job + row->offset, &values[0]);
        return;
    }
    if (pattern_match("CCOM not loaded", text, end, values) != NULL) {
        job->collectives_absent = true;
    } else if (pattern_match("LNC: %d", text, end, values) != NULL) {
        job->has_lnc = true;
        job->lnc = values[0].number;
    }
}

// The status behind "Failure:" is a message of its own.
static bool note_dump(struct intake *intake, const struct record *record, taken_values values)
{
    struct log_job *job = intake_job(intake, record);
    (void)values;
    if (job != NULL)
        read_dump(job, record->body, record->end);
    return pattern_find(record->body, record->end, "Failure: ", 9, 9) == NULL;
}

static void read_part(struct table_part *part, taken_values values)
{
    text_clean_to(part->name, sizeof(part->name), values[0].text, values[0].length);
    part->bytes = values[1].number;
    part->step = values[1].unit;
}

static bool has_part(const struct memory_table *table, const struct taken *name)
{
    char clean[PART_NAME];
    text_clean_to(clean, sizeof(clean), name->text, name->length);
    if (strcmp(clean, "total") == 0)
        return table->has_total;
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->parts[i].name, clean) == 0)
            return true;
    return table->count == TABLE_PARTS;
}

// The newest open table that the line can belong to: of the same rank, and without this part.
static struct open_table *table_for(struct intake *intake, uint32_t source,
                                    const struct taken *name)
{
    for (size_t i = intake->table_count; i-- > 0;) {
        struct open_table *open = &intake->tables[i];
        if (open->source == source && intake->number - open->line <= TABLE_LINES &&
            !has_part(open->table != NULL ? open->table : &open->unwanted, name))
            return open;
    }
    return NULL;
}

// "* tensors: 15.855GB"
static bool note_part(struct intake *intake, const struct record *record, taken_values values)
{
    (void)record;
    const char *star = values[0].text;
    while (star > intake->line && *star != '*')
        star--;
    uint32_t source = record_source(intake->line, star);
    struct open_table *open = table_for(intake, source, &values[0]);
    if (open == NULL)
        return false;
    struct memory_table *table = open->table != NULL ? open->table : &open->unwanted;
    struct table_part part;
    read_part(&part, values);
    if (strcmp(part.name, "total") == 0) {
        table->has_total = true;
        table->total = part;
    } else {
        table->parts[table->count++] = part;
    }
    return true;
}

static bool note_modinfo(struct intake *intake, const struct record *record, taken_values values)
{
    (void)record;
    if (intake->modinfo == NULL || intake->number - intake->modinfo_line > TABLE_LINES)
        return false;
    if (group_value(intake->modinfo, CAPTURE_VERSION) == NULL)
        group_set(intake->modinfo, CAPTURE_VERSION, 0, values[0].text, values[0].length);
    intake->modinfo = NULL;
    return true;
}

// dkms names the module before it builds it, the package manager before that.
static bool note_build(struct intake *intake, const struct record *record, taken_values values)
{
    (void)record;
    keep(intake->dkms_module, &values[0]);
    intake->dkms_version[0] = '\0';
    char *digit = strpbrk(intake->dkms_module, "0123456789");
    if (digit != NULL && digit > intake->dkms_module && digit[-1] == '-') {
        strlcpy(intake->dkms_version, digit, sizeof(intake->dkms_version));
        digit[-1] = '\0';
    }
    return false;
}

static bool note_open_count(struct intake *intake, const struct record *record, taken_values values)
{
    (void)record;
    static const char id[] = "device-slots-full";
    for (size_t i = intake->groups.count; i-- > 0;)
        if (strcmp(intake->groups.items[i]->message->id, id) == 0) {
            group_add_pid(intake->groups.items[i], values[0].number, 0);
            return true;
        }
    return false;
}

const struct note joblog_notes[] = {
    {"Neuron Runtime ", "%v built on ", 0, note_runtime},
    {"Found neuron driver: ", "%v", 0, note_driver},
    {"Using CCOM ", "%v", 0, note_collectives},
    {"Instance info:: device count:", "%d cores per device:%d architecture:%w", 0, note_instance},
    {"NRT:nrt_infodump", "", 0, note_dump},
    {"* ", "%t:~%b", 0, note_part},
    {"version:", "~%v", SPELLING_LINE_START, note_modinfo},
    {"Loading new ", "%w DKMS files", 0, note_build},
    {"Setting up ", "%w (", 0, note_build},
    {"/var/lib/dkms/", "%t/", 0, note_build},
    {"pid ", "%d open count ", 0, note_open_count},
    {0},
};
