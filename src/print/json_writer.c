// SPDX-License-Identifier: Apache-2.0
// JSON into one buffer: nesting and commas are kept here, so that no caller can forget one.
#include "print/json_writer.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "base/xmem.h"

enum { FIRST_CAPACITY = 64 * 1024, NUMBER_TEXT = 32 };

void json_writer_init(struct json_writer *writer)
{
    *writer = (struct json_writer){.capacity = FIRST_CAPACITY};
    writer->text = xmalloc(writer->capacity);
}

void json_writer_free(struct json_writer *writer)
{
    free(writer->text);
    *writer = (struct json_writer){0};
}

void json_writer_flush(struct json_writer *writer, FILE *out)
{
    assert(writer->depth == 0);
    if (writer->indent == 0)
        writer->text[writer->length++] = '\n'; // put_bytes() keeps one byte spare
    fwrite(writer->text, 1, writer->length, out);
    writer->length = 0;
    writer->comma = false;
}

static void reserve(struct json_writer *writer, size_t more)
{
    if (writer->length + more < writer->capacity)
        return;
    while (writer->length + more >= writer->capacity)
        writer->capacity *= 2;
    writer->text = xreallocarray(writer->text, writer->capacity, 1);
}

static void put_bytes(struct json_writer *writer, const char *bytes, size_t length)
{
    reserve(writer, length);
    memcpy(writer->text + writer->length, bytes, length);
    writer->length += length;
}

static void put_char(struct json_writer *writer, char c)
{
    put_bytes(writer, &c, 1);
}

// A new line of an indented document.
static void put_line(struct json_writer *writer)
{
    if (writer->indent == 0)
        return;
    put_char(writer, '\n');
    for (unsigned i = 0; i < writer->depth * writer->indent; i++)
        put_char(writer, ' ');
}

// What stands before every value: a comma when one is due, and the key.
static void put_start(struct json_writer *writer, const char *key)
{
    if (writer->comma)
        put_char(writer, ',');
    writer->comma = true;
    if (writer->depth > 0)
        put_line(writer);
    if (key == NULL)
        return;
    put_char(writer, '"');
    put_bytes(writer, key, strlen(key));
    put_bytes(writer, "\": ", writer->indent > 0 ? 3 : 2);
}

static void begin(struct json_writer *writer, const char *key, char bracket)
{
    put_start(writer, key);
    put_char(writer, bracket);
    writer->comma = false;
    writer->depth++;
}

static void end(struct json_writer *writer, char bracket)
{
    bool empty = !writer->comma;
    assert(writer->depth > 0);
    writer->depth--;
    if (!empty)
        put_line(writer);
    put_char(writer, bracket);
    writer->comma = true;
}

void json_begin_object(struct json_writer *writer, const char *key)
{
    begin(writer, key, '{');
}

void json_end_object(struct json_writer *writer)
{
    end(writer, '}');
}

void json_begin_array(struct json_writer *writer, const char *key)
{
    begin(writer, key, '[');
}

void json_end_array(struct json_writer *writer)
{
    end(writer, ']');
}

static void put_control(struct json_writer *writer, unsigned char c)
{
    static const char names[32] = {
        ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};
    char text[8];
    if (c < sizeof(names) && names[c] != 0)
        put_bytes(writer, (char[]){'\\', names[c]}, 2);
    else
        put_bytes(writer, text, (size_t)snprintf(text, sizeof(text), "\\u%04x", c));
}

// One character that is not plain ASCII; returns its bytes in TEXT.
static size_t put_decoded(struct json_writer *writer, const char *text, size_t length)
{
    uint32_t code;
    char bytes[4];
    size_t used = text_decode(text, length, &code);
    put_bytes(writer, bytes, text_encode(code, bytes));
    return used;
}

static bool plain(unsigned char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

void json_put_string(struct json_writer *writer, const char *key, const char *text)
{
    if (text == NULL) {
        json_put_null(writer, key);
        return;
    }
    size_t length = strlen(text);
    put_start(writer, key);
    put_char(writer, '"');
    for (size_t i = 0, run; i < length;) {
        unsigned char c = (unsigned char)text[i];
        for (run = i; run < length && plain((unsigned char)text[run]);)
            run++;
        if (run > i) {
            put_bytes(writer, text + i, run - i);
            i = run;
        } else if (c >= 0x80) {
            i += put_decoded(writer, text + i, length - i);
        } else if (c == '"' || c == '\\') {
            put_bytes(writer, (char[]){'\\', (char)c}, 2);
            i++;
        } else {
            put_control(writer, c);
            i++;
        }
    }
    put_char(writer, '"');
}

static void put_u64(struct json_writer *writer, uint64_t value)
{
    char digits[NUMBER_TEXT];
    size_t at = sizeof(digits);
    do
        digits[--at] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    put_bytes(writer, digits + at, sizeof(digits) - at);
}

void json_put_u64(struct json_writer *writer, const char *key, uint64_t value)
{
    put_start(writer, key);
    put_u64(writer, value);
}

void json_put_bool(struct json_writer *writer, const char *key, bool value)
{
    put_start(writer, key);
    if (value)
        put_bytes(writer, "true", 4);
    else
        put_bytes(writer, "false", 5);
}

void json_put_null(struct json_writer *writer, const char *key)
{
    put_start(writer, key);
    put_bytes(writer, "null", 4);
}

enum { PLACES = 18 };
static const double powers[PLACES] = {1,   1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,
                                      1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17};
static const double exact_whole = 9007199254740992; // 2^53: whole numbers below are exact

static void put_decimal(struct json_writer *writer, uint64_t whole, unsigned places)
{
    char fraction[NUMBER_TEXT];
    uint64_t power = (uint64_t)powers[places], rest = whole % power;
    put_u64(writer, whole / power);
    if (places == 0)
        return;
    put_char(writer, '.');
    for (unsigned i = places; i-- > 0; rest /= 10)
        fraction[i] = (char)('0' + rest % 10);
    put_bytes(writer, fraction, places);
}

// Rare: 17 digits, very large, very small. The locale may write a decimal comma; JSON may not.
static void put_long_decimal(struct json_writer *writer, double value)
{
    char digits[NUMBER_TEXT];
    snprintf(digits, sizeof(digits), "%.*g", DBL_DECIMAL_DIG - 1, value);
    if (strtod(digits, NULL) != value)
        snprintf(digits, sizeof(digits), "%.*g", DBL_DECIMAL_DIG, value);
    for (char *c = digits; *c != '\0'; c++)
        if (*c == ',')
            *c = '.';
    put_bytes(writer, digits, strlen(digits));
}

// Tries one decimal place after the other. whole / power is rounded the same way as the decimal is
// read, so when the quotient is VALUE again the decimal reads back as VALUE. Nearly all numbers end
// here, without printf and strtod.
static void put_shortest(struct json_writer *writer, double value)
{
    double size = fabs(value);
    for (unsigned places = 0; places < PLACES; places++) {
        double whole = number_round(size * powers[places]);
        if (whole >= exact_whole)
            break;
        if (whole / powers[places] != size)
            continue;
        if (value < 0)
            put_char(writer, '-');
        put_decimal(writer, (uint64_t)whole, places);
        return;
    }
    put_long_decimal(writer, value);
}

void json_put_f64(struct json_writer *writer, const char *key, double value)
{
    if (!isfinite(value)) {
        json_put_null(writer, key);
        return;
    }
    put_start(writer, key);
    put_shortest(writer, value);
}
