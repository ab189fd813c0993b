// SPDX-License-Identifier: Apache-2.0
// Records within a line: headers, ends, and the places that they name.
#include "joblog/record.h"

#include <stdio.h>
#include <string.h>

#include "joblog/pattern.h"

enum { HEADER_MIN = 30, CCOM_REACH = 200, HEADER_TRIES = 4, PLACE_MAX = 4095 };

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_name(char c)
{
    return is_upper(c) || is_lower(c) || pattern_digit(c) || c == '_';
}

// "2024-Dec-11 ": what every header begins with. 12 bytes are there.
static bool is_date(const char *text)
{
    return text[4] == '-' && text[8] == '-' && text[11] == ' ' && pattern_digit(text[0]) &&
           pattern_digit(text[1]) && pattern_digit(text[2]) && pattern_digit(text[3]) &&
           is_upper(text[5]) && is_lower(text[6]) && is_lower(text[7]) && pattern_digit(text[9]) &&
           pattern_digit(text[10]);
}

// "17:43:58.". 9 bytes are there.
static bool is_clock(const char *text)
{
    for (int i = 0; i < 8; i++)
        if (i % 3 == 2 ? text[i] != ':' : !pattern_digit(text[i]))
            return false;
    return text[8] == '.';
}

// Month of a name as in "Dec", 0: none.
static int month_of(const char *name)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    for (int month = 0; month < 12; month++)
        if (memcmp(months + 3 * month, name, 3) == 0)
            return month + 1;
    return 0;
}

// Days since 1970-01-01 of a date of the Gregorian calendar.
static int64_t days_of(int64_t year, int month, int day)
{
    year -= month <= 2;
    int64_t since_march = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return year * 365 + year / 4 - year / 100 + year / 400 + since_march - 719468;
}

static int number_at(const char *digits, int count)
{
    int number = 0;
    for (int i = 0; i < count; i++)
        number = number * 10 + digits[i] - '0';
    return number;
}

// The time in numbers. Four digits behind the dot are milliseconds with a zero in front, six are
// microseconds.
static void read_time(struct record *record, const char *text, const struct taken *clock,
                      const struct taken *fraction)
{
    const char *digits = fraction->text;
    int length = (int)fraction->length;
    if (length == 4 && digits[0] == '0') {
        digits++;
        length--;
    }
    int month = month_of(text + 5);
    if (month == 0 || length > 9)
        return;
    snprintf(record->time, sizeof(record->time), "%.4s-%02d-%.2s %.8s.%.*s", text, month, text + 9,
             clock->text, length, digits);
    const char *at = clock->text; // "17:43:58", see is_clock()
    record->unix_seconds = days_of(number_at(text, 4), month, number_at(text + 9, 2)) * 86400 +
                           number_at(at, 2) * 3600 + number_at(at + 3, 2) * 60 +
                           number_at(at + 6, 2);
}

static void copy(char *buffer, size_t size, const char *text, size_t length)
{
    if (length >= size)
        length = size - 1;
    memcpy(buffer, text, length);
    buffer[length] = '\0';
}

// "NRT:nrt_init": ends with the name, even where the text follows without a blank.
static const char *read_function(const char *text, const char *end)
{
    const char *at = text;
    while (at < end && is_upper(*at))
        at++;
    if (at == text || at == end || *at != ':')
        return NULL;
    for (at++; at < end && is_name(*at); at++)
        ;
    return at;
}

// Reads a header that begins at TEXT. False when there is none; RECORD is then unchanged.
static bool read_header(struct record *record, const char *text, const char *end)
{
    struct taken values[PATTERN_VALUES];
    if (end - text < HEADER_MIN || !is_date(text))
        return false;
    if (!is_clock(text + 12))
        return false;
    const char *rest = pattern_match("%t.%d %d:%d %w ", text + 12, end, values);
    if (rest == NULL || values[4].length >= RECORD_LEVEL)
        return false;
    const char *after = read_function(rest, end);
    if (after == NULL)
        return false;
    read_time(record, text, &values[0], &values[1]);
    record->has_pid = true;
    record->pid = values[2].number;
    copy(record->level, sizeof(record->level), values[4].text, values[4].length);
    copy(record->function, sizeof(record->function), rest, (size_t)(after - rest));
    while (after < end && pattern_blank(*after))
        after++;
    record->start = text;
    record->body = after;
    return true;
}

static void find_dates(struct dates *dates, const char *line, size_t length)
{
    const char *end = line + length;
    dates->ready = true;
    dates->count = 0;
    dates->escape = NULL;
    for (const char *text = line; end - text >= 12; text++) {
        const char *dash = memchr(text + 4, '-', (size_t)(end - text) - 4);
        if (dash == NULL || end - dash < 8)
            return;
        text = dash - 4;
        if (is_date(text) && dates->count < RECORD_DATES)
            dates->at[dates->count++] = (uint32_t)(text - line);
    }
}

// How many of the dates stand at or before AT.
static size_t dates_before(const struct dates *dates, size_t at)
{
    size_t low = 0, high = dates->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (dates->at[middle] <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// "<pid>:<tid> [<rank>] <file>:<line> CCOM WARN <text>": the collectives' own form of header, which
// ends at AT.
static void read_ccom(struct record *record, const char *at)
{
    struct taken values[PATTERN_VALUES];
    const char *start = record->start;
    if (at - start > CCOM_REACH)
        start = at - CCOM_REACH;
    for (const char *colon = start; (colon = memchr(colon, ':', (size_t)(at - colon))) != NULL;
         colon++) {
        const char *digits = colon;
        while (digits > start && pattern_digit(digits[-1]))
            digits--;
        if (digits == colon || pattern_match("%d:%d \\[%d\\] ", digits, at, values) == NULL)
            continue;
        record->has_pid = true;
        record->pid = values[0].number;
        return;
    }
}

uint32_t record_source(const char *line, const char *start)
{
    while (start > line && pattern_blank(start[-1]))
        start--;
    uint32_t hash = 2166136261u;
    if (start == line)
        return 0;
    for (int i = 0; start > line && !pattern_blank(start[-1]) && i < 64; i++)
        hash = (hash ^ (unsigned char)*--start) * 16777619u;
    return hash | 1;
}

// The first escaped end of a line from AT on; END when there is none. Each byte of a line is looked
// at once as long as AT only grows.
static const char *find_escape(struct dates *dates, const char *at, const char *end)
{
    if (dates->escape == NULL || at < dates->escape_from || at > dates->escape) {
        const char *found = memmem(at, (size_t)(end - at), "\\n", 2);
        dates->escape_from = at;
        dates->escape = found != NULL ? found : end;
    }
    return dates->escape;
}

void record_find(struct record *record, struct dates *dates, const char *line, size_t length,
                 size_t at)
{
    const char *end = line + length;
    *record = (struct record){.start = line, .body = line, .end = end};
    if (!dates->ready)
        find_dates(dates, line, length);
    size_t before = dates_before(dates, at);
    if (before < dates->count)
        record->end = line + dates->at[before];
    for (size_t tries = 0; tries < HEADER_TRIES && before > 0; tries++) {
        size_t date = dates->at[--before];
        if (at - date > RECORD_REACH || read_header(record, line + date, end))
            break;
    }
    if (!record->has_pid) {
        size_t start = at > RECORD_REACH ? at - RECORD_REACH : 0;
        record->start = record->body = line + start;
        read_ccom(record, line + at);
    }
    if (record->end - (line + at) > RECORD_REACH)
        record->end = line + at + RECORD_REACH;
    // lines that a container's logger has put into JSON end with a backslash and an n
    const char *escaped =
        find_escape(dates, record->body > line + at ? record->body : line + at, end);
    if (escaped < record->end)
        record->end = escaped;
    if (record->body > record->end) // cut off within its header, where the next record begins
        record->body = record->end;
    record->source = record_source(line, record->start);
}

// One way to name a chip and perhaps a core. The core stands at a blank, a bracket or a colon from
// the chip, or right behind it.
static const char *const CHIP_WORDS[] = {"Neuron Device ", "nd-id=", "[MLA ", "[ND ", "ND ", "nd"};
static const char *const CORE_WORDS[] = {"nc-id=", "NC ", "nc"};

static int read_index(const char **text, const char *end)
{
    struct taken values[PATTERN_VALUES];
    const char *after = pattern_match("%d", *text, end, values);
    if (after == NULL || values[0].number > PLACE_MAX)
        return -1;
    *text = after;
    return (int)values[0].number;
}

static int read_core(const char *text, const char *end)
{
    for (int i = 0; i < 3 && text < end && strchr(" ][:,", *text) != NULL && *text != '\0'; i++)
        text++;
    for (size_t i = 0; i < sizeof(CORE_WORDS) / sizeof(CORE_WORDS[0]); i++) {
        size_t length = strlen(CORE_WORDS[i]);
        if ((size_t)(end - text) <= length || memcmp(text, CORE_WORDS[i], length) != 0)
            continue;
        text += length;
        return read_index(&text, end);
    }
    return -1;
}

static bool read_place(struct place *place, const char *text, const char *end)
{
    for (size_t i = 0; i < sizeof(CHIP_WORDS) / sizeof(CHIP_WORDS[0]); i++) {
        size_t length = strlen(CHIP_WORDS[i]);
        if ((size_t)(end - text) <= length || memcmp(text, CHIP_WORDS[i], length) != 0)
            continue;
        const char *digits = text + length;
        place->chip = read_index(&digits, end);
        if (place->chip < 0)
            continue;
        place->core = read_core(digits, end);
        return true;
    }
    return false;
}

struct place place_find(const char *text, const char *end)
{
    struct place place = {-1, -1};
    for (const char *at = text; at < end; at++) {
        bool begins = *at == 'N' || *at == 'n' || *at == '[';
        if (begins && (at == text || !is_name(at[-1])) && read_place(&place, at, end))
            return place;
    }
    place.chip = -1;
    return place;
}
