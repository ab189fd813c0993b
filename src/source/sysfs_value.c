// SPDX-License-Identifier: Apache-2.0
// What the driver prints into its files, read strictly: a reader of a copied or half-written tree
// must not take anything else for a number.
#include "source/sysfs_value.h"

#include <string.h>

// Both halves of a 64-bit counter while its device resets (driver reference 2.8).
#define DEAD_REGISTERS UINT64_C(0xdeadbeefdeadbeef)

struct cursor {
    const char *at, *end;
};

static struct cursor cursor_over(const char *text, size_t length)
{
    return (struct cursor){text, text + sysfs_trim(text, length)};
}

static bool at_end(const struct cursor *cursor)
{
    return cursor->at == cursor->end;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool skip(struct cursor *cursor, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, text, length) != 0)
        return false;
    cursor->at += length;
    return true;
}

static bool read_u64(struct cursor *cursor, uint64_t *value)
{
    const char *first = cursor->at;
    for (*value = 0; cursor->at < cursor->end && is_digit(*cursor->at); cursor->at++) {
        uint64_t digit = (uint64_t)(*cursor->at - '0');
        if (*value > (UINT64_MAX - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    return cursor->at > first;
}

// "31.47": at most 100.
static bool read_percent(struct cursor *cursor, double *percent)
{
    uint64_t whole, part = 0;
    if (!read_u64(cursor, &whole))
        return false;
    const char *first = cursor->at + 1;
    if (skip(cursor, ".") && !read_u64(cursor, &part))
        return false;
    if (whole > 100 || part > 1000000)
        return false;
    double fraction = (double)part;
    for (const char *digit = first; digit < cursor->at; digit++)
        fraction /= 10;
    *percent = (double)whole + fraction;
    return *percent <= 100;
}

// Moves to the character behind the next line feed; to the end when there is none.
static void next_line(struct cursor *cursor)
{
    const char *feed = memchr(cursor->at, '\n', (size_t)(cursor->end - cursor->at));
    cursor->at = feed != NULL ? feed + 1 : cursor->end;
}

static bool at_line_end(const struct cursor *cursor)
{
    return at_end(cursor) || *cursor->at == '\n';
}

size_t sysfs_trim(const char *text, size_t length)
{
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' '))
        length--;
    return length;
}

bool sysfs_u64(const char *text, size_t length, uint64_t *value)
{
    struct cursor cursor = cursor_over(text, length);
    return read_u64(&cursor, value) && at_end(&cursor);
}

bool sysfs_serial(const char *text, size_t length)
{
    size_t trimmed = sysfs_trim(text, length);
    for (size_t i = 0; i < trimmed; i++)
        if (!is_digit(text[i]) && (text[i] < 'a' || text[i] > 'f'))
            return false;
    return trimmed == 16;
}

bool sysfs_neighbours(const char *text, size_t length, unsigned list[SYSFS_NEIGHBOURS],
                      unsigned *count)
{
    struct cursor cursor = cursor_over(text, length);
    *count = 0;
    if (length > 0 && at_end(&cursor)) // a line without numbers; no line at all is no answer
        return true;
    do {
        uint64_t index;
        if (*count == SYSFS_NEIGHBOURS || !read_u64(&cursor, &index) || index > 4095)
            return false;
        list[(*count)++] = (unsigned)index;
    } while (skip(&cursor, ", "));
    return at_end(&cursor);
}

static bool read_power_state(struct cursor *cursor, enum sysfs_power_state *state)
{
    const char *comma = memchr(cursor->at, ',', (size_t)(cursor->end - cursor->at));
    if (comma == NULL || !skip(cursor, "POWER_STATUS_") || comma <= cursor->at)
        return false;
    struct cursor word = {cursor->at, comma};
    *state = POWER_OTHER;
    if (skip(&word, "VALID") && at_end(&word))
        *state = POWER_VALID;
    word.at = cursor->at;
    if (skip(&word, "NO_DATA") && at_end(&word))
        *state = POWER_NO_DATA;
    word.at = cursor->at;
    if (skip(&word, "INVALID") && at_end(&word))
        *state = POWER_INVALID;
    cursor->at = comma + 1;
    return true;
}

bool sysfs_power(const char *text, size_t length, struct sysfs_power *power)
{
    struct cursor cursor = cursor_over(text, length);
    uint64_t seconds;
    if (!read_power_state(&cursor, &power->state))
        return false;
    bool negative = skip(&cursor, "-");
    if (!read_u64(&cursor, &seconds) || seconds > INT64_MAX || !skip(&cursor, ","))
        return false;
    power->unix_seconds = negative ? -(int64_t)seconds : (int64_t)seconds;
    return read_percent(&cursor, &power->min_percent) && skip(&cursor, ",") &&
           read_percent(&cursor, &power->max_percent) && skip(&cursor, ",") &&
           read_percent(&cursor, &power->mean_percent) && at_end(&cursor);
}

// "0,3496,6121": die, hundredths of a percent, sample counter.
static bool read_die(struct cursor *cursor, double *percent)
{
    uint64_t die, bips, counter;
    if (!read_u64(cursor, &die) || !skip(cursor, ",") || !read_u64(cursor, &bips) || bips > 10000 ||
        !skip(cursor, ",") || !read_u64(cursor, &counter) || !at_line_end(cursor))
        return false;
    *percent = (double)bips / 100;
    return true;
}

bool sysfs_power_now(const char *text, size_t length, double *percent)
{
    struct cursor cursor = cursor_over(text, length);
    bool found = false;
    if (!skip(&cursor, "die,util_bips,counter\n"))
        return false;
    for (; !at_end(&cursor); next_line(&cursor)) {
        double of_die;
        if (!read_die(&cursor, &of_die))
            continue;
        *percent = found && *percent > of_die ? *percent : of_die;
        found = true;
    }
    return found;
}

static bool read_row(struct cursor *cursor, unsigned row, uint64_t cycles[3])
{
    uint64_t group;
    if (!read_u64(cursor, &group) || group != row)
        return false;
    for (unsigned i = 0; i < 3; i++)
        if (!skip(cursor, ",") || !read_u64(cursor, &cycles[i]))
            return false;
    return cursor->at < cursor->end && *cursor->at++ == '\n';
}

bool sysfs_tensor(const char *text, size_t length, struct sysfs_tensor *tensor)
{
    struct cursor cursor = {text, text + length}; // a row counts only with its line feed
    uint64_t cycles[3];
    tensor->rows = 0;
    if (!skip(&cursor, "xrow_grp,mm_active,wl_active,idle\n"))
        return false;
    while (tensor->rows < SYSFS_TENSOR_ROWS && read_row(&cursor, tensor->rows, cycles)) {
        for (unsigned i = 0; i < 3; i++)
            if (cycles[i] == DEAD_REGISTERS)
                return false;
        tensor->row[tensor->rows].matmul = cycles[0];
        tensor->row[tensor->rows].load = cycles[1];
        tensor->row[tensor->rows++].idle = cycles[2];
    }
    return tensor->rows > 0;
}

bool sysfs_tensor_active(const struct sysfs_tensor *from, const struct sysfs_tensor *to,
                         double *percent)
{
    double sum = 0;
    unsigned rows = 0;
    for (unsigned i = 0; i < from->rows && i < to->rows; i++) {
        if (to->row[i].matmul < from->row[i].matmul || to->row[i].idle < from->row[i].idle)
            return false;
        double matmul = (double)(to->row[i].matmul - from->row[i].matmul);
        double idle = (double)(to->row[i].idle - from->row[i].idle);
        if (matmul + idle <= 0)
            continue;
        sum += 100 * matmul / (matmul + idle);
        rows++;
    }
    *percent = rows > 0 ? sum / rows : 0;
    return rows > 0;
}

bool sysfs_components(const char *text, size_t length)
{
    if (length == 0)
        return false;
    for (size_t i = 0, end = sysfs_trim(text, length); i < end; i++) {
        char c = text[i];
        if ((c < 'a' || c > 'z') && !is_digit(c) && c != '_' && c != ',')
            return false;
    }
    return true;
}
