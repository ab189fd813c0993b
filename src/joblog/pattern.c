// SPDX-License-Identifier: Apache-2.0
// Patterns of messages: one walk through pattern and text together.
#include "joblog/pattern.h"

#include <string.h>

// Where a match stands. TEXT becomes NULL when it fails.
struct walk {
    const char *pattern;
    const char *text, *end;
    struct taken *values;
    unsigned count; // of values that the pattern has passed
};

const char *pattern_find(const char *text, const char *end, const char *literal, size_t length,
                         size_t reach)
{
    if (end < text)
        return NULL;
    size_t size = (size_t)(end - text);
    return memmem(text, size < reach ? size : reach, literal, length);
}

static const char *skip_blanks(const char *text, const char *end)
{
    while (text < end && pattern_blank(*text))
        text++;
    return text;
}

static int hex_digit(char c)
{
    if (pattern_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Digits of BASE 10 or 16; NULL when there is none.
static const char *take_digits(const char *text, const char *end, unsigned base, uint64_t *number)
{
    const char *start = text;
    *number = 0;
    for (; text < end; text++) {
        int digit = hex_digit(*text);
        if (digit < 0 || (unsigned)digit >= base)
            break;
        bool fits = *number <= (UINT64_MAX - (unsigned)digit) / base;
        *number = fits ? *number * base + (unsigned)digit : UINT64_MAX;
    }
    return text > start ? text : NULL;
}

static const char *take_signed(const char *text, const char *end, uint64_t *number)
{
    bool negative = text < end && *text == '-';
    text = take_digits(negative ? text + 1 : text, end, 10, number);
    if (negative)
        *number = 0 - *number;
    return text;
}

static const char *take_hex(const char *text, const char *end, uint64_t *number)
{
    if (end - text > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        text += 2;
    return take_digits(text, end, 16, number);
}

// "15.855GB": 15.855 x 2^30, and what one thousandth of a GB is.
static const char *take_bytes(const char *text, const char *end, struct taken *value)
{
    static const char units[] = "BKMGT";
    uint64_t whole, part = 0, scale = 1, unit = 1;
    text = take_digits(text, end, 10, &whole);
    if (text != NULL && text < end && *text == '.')
        for (text++; text < end && pattern_digit(*text) && scale < 1000000; text++) {
            part = part * 10 + (unsigned)(*text - '0');
            scale *= 10;
        }
    if (text == NULL)
        return NULL;
    text = skip_blanks(text, end);
    const char *letter = text < end && *text != '\0' ? strchr(units, *text) : NULL;
    if (letter == NULL)
        return NULL;
    unit <<= 10 * (unsigned)(letter - units);
    text += *letter == 'B' ? 1 : end - text > 1 && text[1] == 'B' ? 2 : 1;
    bool fits = whole < UINT64_MAX / unit - 1;
    value->number =
        fits ? whole * unit + (uint64_t)((double)part / (double)scale * (double)unit + 0.5)
             : UINT64_MAX;
    value->unit = unit / scale > 0 ? unit / scale : 1;
    return text;
}

static bool ends_word(char c)
{
    return (unsigned char)c <= ' ' || strchr(",;)\"'", c) != NULL;
}

static const char *take_word(const char *text, const char *end)
{
    const char *start = text;
    while (text < end && !ends_word(*text))
        text++;
    while (text > start && (text[-1] == '.' || text[-1] == ':')) // the sentence's, not the word's
        text--;
    return text > start ? text : NULL;
}

static const char *take_version(const char *text, const char *end)
{
    const char *start = text;
    while (text < end && (pattern_digit(*text) || (*text == '.' && text > start)))
        text++;
    while (text > start && text[-1] == '.')
        text--;
    return text > start ? text : NULL;
}

// The literal characters at the start of PATTERN, up to what has a meaning.
static size_t literal_length(const char *pattern)
{
    return strcspn(pattern, " ~%[]\\");
}

// Up to the literal that follows in the pattern, with a blank in front where one is asked for; up
// to the end where none follows.
static const char *take_until(const struct walk *walk)
{
    const char *pattern = walk->pattern, *text = walk->text;
    const char *last = walk->end - text > PATTERN_REACH ? text + PATTERN_REACH : walk->end;
    if (*pattern == ']' || *pattern == '[')
        pattern++;
    bool blank = *pattern == ' ';
    if (blank || *pattern == '~')
        pattern++;
    size_t length = literal_length(pattern);
    if (length == 0)
        return last;
    while ((text = pattern_find(text, last, pattern, length, PATTERN_REACH)) != NULL) {
        if (!blank)
            return text;
        if (text > walk->text && pattern_blank(text[-1]))
            return text - 1;
        text++;
    }
    return NULL;
}

static void trim(struct taken *value)
{
    while (value->length > 0 && pattern_blank(value->text[value->length - 1]))
        value->length--;
    while (value->length > 0 && pattern_blank(*value->text)) {
        value->text++;
        value->length--;
    }
}

static void take(struct walk *walk, char kind)
{
    struct taken value = {.text = walk->text};
    const char *after = NULL;
    if (kind == 'd')
        after = take_digits(walk->text, walk->end, 10, &value.number);
    else if (kind == 'i')
        after = take_signed(walk->text, walk->end, &value.number);
    else if (kind == 'x')
        after = take_hex(walk->text, walk->end, &value.number);
    else if (kind == 'b')
        after = take_bytes(walk->text, walk->end, &value);
    else if (kind == 'w')
        after = take_word(walk->text, walk->end);
    else if (kind == 'v')
        after = take_version(walk->text, walk->end);
    else
        after = take_until(walk);
    walk->text = after;
    if (after == NULL || kind == '*')
        return;
    value.known = true;
    value.length = (size_t)(after - value.text);
    if (kind == 't' || kind == 'l')
        trim(&value);
    if (walk->count < PATTERN_VALUES)
        walk->values[walk->count++] = value;
}

// One element of the pattern. TEXT is NULL when it does not match.
static void step(struct walk *walk)
{
    char c = *walk->pattern++;
    const char *text = walk->text;
    if (c == ' ' || c == '~') {
        walk->text = skip_blanks(text, walk->end);
        if (c == ' ' && walk->text == text)
            walk->text = NULL;
    } else if (c == '%') {
        take(walk, *walk->pattern++);
    } else {
        if (c == '\\')
            c = *walk->pattern++;
        walk->text = text < walk->end && *text == c ? text + 1 : NULL;
    }
}

// How many values the pattern takes up to UNTIL.
static unsigned count_values(const char *pattern, const char *until)
{
    unsigned count = 0;
    for (; pattern < until; pattern++)
        if (*pattern == '\\')
            pattern++;
        else if (*pattern == '%' && *++pattern != '*')
            count++;
    return count;
}

static const char *group_end(const char *pattern)
{
    while (*pattern != ']' && *pattern != '\0')
        pattern += *pattern == '\\' ? 2 : 1;
    return pattern;
}

// A group that may be there: when it does not match the walk stands where it stood, with its
// values unknown.
static void group(struct walk *walk)
{
    struct walk before = *walk;
    const char *inside = ++walk->pattern, *end = group_end(inside);
    while (walk->text != NULL && walk->pattern < end)
        step(walk);
    if (walk->text == NULL) {
        unsigned values = count_values(inside, end);
        walk->text = before.text;
        walk->count = before.count;
        for (; values > 0 && walk->count < PATTERN_VALUES; values--)
            walk->values[walk->count++] = (struct taken){0};
    }
    walk->pattern = *end == ']' ? end + 1 : end;
}

const char *pattern_match(const char *pattern, const char *text, const char *end,
                          struct taken values[PATTERN_VALUES])
{
    struct walk walk = {.pattern = pattern, .text = text, .end = end, .values = values};
    memset(values, 0, PATTERN_VALUES * sizeof(*values));
    while (walk.text != NULL && *walk.pattern != '\0')
        if (*walk.pattern == '[')
            group(&walk);
        else
            step(&walk);
    return walk.text;
}
