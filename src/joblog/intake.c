// SPDX-License-Identifier: Apache-2.0
// One line after the other: literals found, records around them, patterns matched, groups counted.
#include "joblog/intake.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmem.h"

static void add_message(struct intake *intake, const struct message *message)
{
    for (const struct spelling *spelling = message->spelling; spelling->anchor != NULL;
         spelling++) {
        size_t value = intake->spelling_count++;
        assert(value < SPELLINGS_MAX);
        intake->spellings[value].message = message;
        intake->spellings[value].spelling = spelling;
        scan_add(intake->scan, spelling->anchor, (unsigned)value);
    }
}

struct intake *intake_new(void)
{
    struct intake *intake = xcalloc(1, sizeof(*intake));
    unsigned value = SPELLINGS_MAX;
    intake->scan = scan_new();
    for (const struct message *row = NULL; (row = message_next(row)) != NULL;)
        add_message(intake, row);
    for (const struct note *note = joblog_notes; note->anchor != NULL; note++)
        scan_add(intake->scan, note->anchor, value++);
    intake->error_value = value;
    scan_add(intake->scan, "ERROR", value);
    scan_ready(intake->scan);
    return intake;
}

static void free_groups(struct intake *intake)
{
    for (size_t i = 0; i < intake->groups.count; i++) {
        free(intake->groups.items[i]->table);
        free(intake->groups.items[i]);
    }
}

void intake_free(struct intake *intake)
{
    if (intake == NULL)
        return;
    free_groups(intake);
    scan_free(intake->scan);
    free(intake);
}

void intake_reset(struct intake *intake)
{
    const size_t kept = offsetof(struct intake, line);
    free_groups(intake);
    memset((char *)intake + kept, 0, sizeof(*intake) - kept);
}

const struct taken *hit_get(const struct hit *hit, enum capture capture)
{
    for (size_t i = 0; i < hit->count; i++)
        if (hit->items[i].capture == capture && hit->items[i].taken.known)
            return &hit->items[i].taken;
    return NULL;
}

static struct taken *hit_slot(struct hit *hit, enum capture capture)
{
    for (size_t i = 0; i < hit->count; i++)
        if (hit->items[i].capture == capture)
            return &hit->items[i].taken;
    if (hit->count == GROUP_VALUES)
        return NULL;
    hit->items[hit->count].capture = capture;
    return &hit->items[hit->count++].taken;
}

void hit_set_number(struct hit *hit, enum capture capture, uint64_t number)
{
    struct taken *taken = hit_slot(hit, capture);
    if (taken != NULL)
        *taken = (struct taken){.known = true, .number = number, .text = ""};
}

void hit_set_text(struct hit *hit, enum capture capture, const char *text, size_t length)
{
    struct taken *taken = hit_slot(hit, capture);
    if (taken != NULL)
        *taken = (struct taken){.known = true, .text = text, .length = length};
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || pattern_digit(c) || c == '_';
}

static bool starts_line(const char *line, size_t at)
{
    while (at > 0 && pattern_blank(line[at - 1]))
        at--;
    return at == 0;
}

static bool stands_right(const struct intake *intake, unsigned flags, size_t start)
{
    if ((flags & SPELLING_WORD) != 0 && start > 0 && is_name(intake->line[start - 1]))
        return false;
    return (flags & SPELLING_LINE_START) == 0 || starts_line(intake->line, start);
}

static void find_record(struct intake *intake, struct record *record, size_t at)
{
    record_find(record, &intake->dates, intake->line, intake->length, at);
    record->line = intake->number;
}

static void take_values(struct hit *hit, const struct taken values[PATTERN_VALUES])
{
    for (size_t i = 0; i < PATTERN_VALUES && hit->spelling->captures[i] != CAPTURE_NONE; i++) {
        if (!values[i].known)
            continue;
        hit->items[hit->count].capture = hit->spelling->captures[i];
        hit->items[hit->count++].taken = values[i];
    }
}

// The chip and core that the pattern took, else those that the record names.
static void take_place(struct hit *hit)
{
    const struct taken *chip = hit_get(hit, CAPTURE_CHIP), *core = hit_get(hit, CAPTURE_CORE);
    hit->place = (struct place){-1, -1};
    if (chip != NULL && chip->number <= INT32_MAX)
        hit->place.chip = (int)chip->number;
    if (core != NULL && core->number <= INT32_MAX)
        hit->place.core = (int)core->number;
    if (chip == NULL && (hit->spelling->flags & (SPELLING_PLACE | SPELLING_NEEDS_PLACE)) != 0)
        hit->place = place_find(hit->record.body, hit->record.end);
    if (chip == NULL && hit->place.chip >= 0)
        hit_set_number(hit, CAPTURE_CHIP, (uint64_t)hit->place.chip);
    if (core == NULL && hit->place.core >= 0)
        hit_set_number(hit, CAPTURE_CORE, (uint64_t)hit->place.core);
}

// Whether the second literal of a spelling stands in RECORD. Bytes that were looked through for it
// are not again, as long as records only move on.
static bool has_also(struct intake *intake, size_t spelling, const struct record *record)
{
    const char *literal = intake->spellings[spelling].spelling->also, *from = record->start;
    const size_t length = strlen(literal);
    struct look *look = &intake->looked[spelling];
    if (look->serial == intake->looks && look->found != NULL && look->found >= record->start &&
        look->found + length <= record->end)
        return true;
    bool on = look->serial == intake->looks && look->from <= from && from <= look->upto;
    if (on && (size_t)(look->upto - from) >= length)
        from = look->upto - (length - 1);
    const char *found = pattern_find(from, record->end, literal, length, SIZE_MAX);
    if (!on)
        look->from = look->upto = record->start;
    if (found == NULL && record->end > look->upto)
        look->upto = record->end;
    look->found = found;
    look->serial = intake->looks;
    return found != NULL;
}

static bool read_hit(struct intake *intake, struct hit *hit, const struct sight *sight)
{
    struct taken values[PATTERN_VALUES];
    const struct spelling *spelling = intake->spellings[sight->value].spelling;
    const char *line = intake->line;
    const char *end = line + intake->length;
    if (!stands_right(intake, spelling->flags, sight->start) ||
        pattern_match(spelling->pattern, line + sight->end, end, values) == NULL)
        return false;
    *hit = (struct hit){.message = intake->spellings[sight->value].message, .spelling = spelling};
    find_record(intake, &hit->record, sight->start);
    if (spelling->also != NULL && !has_also(intake, sight->value, &hit->record))
        return false;
    // what the pattern took may reach into the next record: take it again, from this one only
    if (pattern_match(spelling->pattern, line + sight->end, hit->record.end, values) == NULL)
        return false;
    take_values(hit, values);
    take_place(hit);
    return hit->place.chip >= 0 || (spelling->flags & SPELLING_NEEDS_PLACE) == 0;
}

static void remember_known(struct intake *intake, const struct record *record,
                           const struct hit *hit)
{
    if (intake->known_count == HITS_MAX)
        return;
    size_t at = intake->known_count++;
    intake->known[at].message = hit != NULL ? hit->message : NULL;
    intake->known[at].spelling = hit != NULL ? hit->spelling : NULL;
    intake->known[at].start = (uint32_t)(record->start - intake->line);
    intake->known[at].end = (uint32_t)(record->end - intake->line);
}

// Something in the record around AT was recognised already.
static bool record_known(const struct intake *intake, size_t at)
{
    for (size_t i = intake->known_count; i-- > 0;)
        if (intake->known[i].start <= at && at < intake->known[i].end)
            return true;
    return false;
}

// Two wordings of one message in one record are one error. Without a header a line may hold several
// errors, but then in the same wording.
static bool counted(const struct intake *intake, const struct hit *hit)
{
    uint32_t start = (uint32_t)(hit->record.start - intake->line);
    for (size_t i = intake->known_count; i-- > 0;)
        if (intake->known[i].message == hit->message && intake->known[i].start == start &&
            (hit->record.has_pid || intake->known[i].spelling != hit->spelling))
            return true;
    return false;
}

static void take_hit(struct intake *intake, const struct sight *sight)
{
    struct hit hit;
    if (!read_hit(intake, &hit, sight) || counted(intake, &hit))
        return;
    enum acceptance acceptance =
        hit.message->accept != NULL ? hit.message->accept(intake, &hit) : ACCEPT_COUNT;
    if (acceptance == ACCEPT_NOT)
        return;
    remember_known(intake, &hit.record, &hit);
    if (acceptance == ACCEPT_PART)
        return;
    struct error_group *group = groups_count(&intake->groups, &hit);
    if (group == NULL)
        intake->input.lost++;
    else if (hit.message->after != NULL)
        hit.message->after(intake, &hit, group);
}

static void take_note(struct intake *intake, const struct sight *sight)
{
    struct taken values[PATTERN_VALUES];
    struct record record;
    const struct note *note = &joblog_notes[sight->value - SPELLINGS_MAX];
    const char *end = intake->line + intake->length;
    if (!stands_right(intake, note->flags, sight->start) ||
        pattern_match(note->pattern, intake->line + sight->end, end, values) == NULL)
        return;
    find_record(intake, &record, sight->start);
    if (pattern_match(note->pattern, intake->line + sight->end, record.end, values) == NULL)
        return;
    if (note->take(intake, &record, values))
        remember_known(intake, &record, NULL);
}

// In a header the level stands behind "pid:tid".
static bool can_be_level(const char *line, size_t at)
{
    size_t start = at;
    while (at > 0 && pattern_blank(line[at - 1]))
        at--;
    return at < start && at > 0 && pattern_digit(line[at - 1]);
}

// A record at level ERROR in which nothing was recognised.
static void take_error(struct intake *intake, const struct sight *sight)
{
    struct record record;
    if (!can_be_level(intake->line, sight->start))
        return;
    find_record(intake, &record, sight->start);
    if (strcmp(record.level, "ERROR") != 0 || record.body <= intake->line + sight->start)
        return;
    struct joblog_input *input = &intake->input;
    if (input->unknown++ > 0)
        return;
    size_t length = (size_t)(record.end - record.body);
    input->unknown_line = intake->number;
    text_clean_to(input->unknown_text, sizeof(input->unknown_text), record.body, length);
}

// The order in which the literals of a line are looked at: what is particular, then what counts
// only where nothing particular was, then records of which nothing is known.
enum turn { TURN_PARTICULAR, TURN_GENERAL, TURN_UNKNOWN, TURNS };

static enum turn turn_of(const struct intake *intake, const struct sight *sight)
{
    if (sight->value == intake->error_value)
        return TURN_UNKNOWN;
    if (sight->value < SPELLINGS_MAX &&
        (intake->spellings[sight->value].spelling->flags & SPELLING_GENERAL) != 0)
        return TURN_GENERAL;
    return TURN_PARTICULAR;
}

static void take_sight(struct intake *intake, const struct sight *sight, enum turn turn)
{
    if (turn != TURN_PARTICULAR && record_known(intake, sight->start))
        return;
    if (turn == TURN_UNKNOWN)
        take_error(intake, sight);
    else if (sight->value >= SPELLINGS_MAX)
        take_note(intake, sight);
    else
        take_hit(intake, sight);
}

static void take_sights(struct intake *intake)
{
    for (int turn = 0; turn < TURNS; turn++)
        for (size_t i = 0; i < intake->sight_count; i++)
            if ((int)turn_of(intake, &intake->sights[i]) == turn)
                take_sight(intake, &intake->sights[i], (enum turn)turn);
    intake->sight_count = 0;
}

static void see(void *context, unsigned value, size_t start, size_t end)
{
    struct intake *intake = context;
    start += intake->from;
    end += intake->from;
    if (start >= intake->upto)
        return;
    if (intake->sight_count == HITS_MAX)
        take_sights(intake);
    intake->sights[intake->sight_count++] =
        (struct sight){.value = value, .start = (uint32_t)start, .end = (uint32_t)end};
}

void intake_line(struct intake *intake, const char *line, size_t length, uint64_t number,
                 size_t from, size_t upto)
{
    assert(length <= RECORD_LINE);
    intake->line = line;
    intake->length = length;
    intake->number = number;
    intake->from = from;
    intake->upto = upto;
    intake->dates.ready = false;
    intake->looks++;
    intake->known_count = 0;
    scan_text(intake->scan, line + from, length - from, see, intake);
    if (intake->sight_count > 0)
        take_sights(intake);
}
