// SPDX-License-Identifier: Apache-2.0
// The lines of an explanation: said, shown, and made of a template with the values of an error.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "check/explain_parts.h"
#include "host/units.h"

enum { EXPANDED = 1024 };

void tell_said(struct telling *telling, const char *format, ...)
{
    if (telling->out->said_count == SAID_MAX)
        return;
    va_list args;
    va_start(args, format);
    telling->out->said[telling->out->said_count++] = arena_vprintf(telling->arena, format, args);
    va_end(args);
}

void tell_now(struct telling *telling, const char *format, ...)
{
    if (telling->out->now_count == NOW_MAX)
        return;
    va_list args;
    va_start(args, format);
    telling->out->now[telling->out->now_count++] = arena_vprintf(telling->arena, format, args);
    va_end(args);
}

bool tell_number(const struct telling *telling, enum capture capture, uint64_t *number)
{
    const struct value *value = group_value(telling->group, capture);
    if (value != NULL)
        *number = value->number;
    return value != NULL;
}

// Text in the making, out of a template.
struct expansion {
    char text[EXPANDED];
    size_t length;
    bool unknown; // a value that is not known was asked for
};

static void put(struct expansion *expansion, const char *text, size_t length)
{
    if (length > sizeof(expansion->text) - 1 - expansion->length)
        length = sizeof(expansion->text) - 1 - expansion->length;
    memcpy(expansion->text + expansion->length, text, length);
    expansion->length += length;
    expansion->text[expansion->length] = '\0';
}

static void put_value(struct expansion *expansion, const struct value *value)
{
    char text[UNIT_TEXT];
    switch (capture_rows[value->capture].form) {
    case FORM_TEXT:
        put(expansion, value->text, strlen(value->text));
        return;
    case FORM_BYTES:
        unit_bytes(text, sizeof(text), fact_u64(value->number, FROM_DERIVED));
        break;
    case FORM_HEX:
        snprintf(text, sizeof(text), "0x%llx", (unsigned long long)value->number);
        break;
    case FORM_SIGNED:
        snprintf(text, sizeof(text), "%lld", (long long)value->number);
        break;
    case FORM_NUMBER:
        snprintf(text, sizeof(text), "%llu", (unsigned long long)value->number);
        break;
    }
    put(expansion, text, strlen(text));
}

static enum capture capture_by_key(const char *key, size_t length)
{
    for (int i = 0; i < CAPTURES; i++)
        if (strlen(capture_rows[i].key) == length && memcmp(capture_rows[i].key, key, length) == 0)
            return (enum capture)i;
    return CAPTURE_NONE;
}

// "{key}" at TEXT: its value. Returns what comes behind.
static const char *put_key(struct expansion *expansion, const struct error_group *group,
                           const char *text)
{
    size_t length = strcspn(text + 1, "}");
    const struct value *value = group_value(group, capture_by_key(text + 1, length));
    if (value != NULL)
        put_value(expansion, value);
    else
        put(expansion, "?", 1);
    expansion->unknown = expansion->unknown || value == NULL;
    return text + 1 + length + (text[1 + length] == '}');
}

const char *tell_expand(struct telling *telling, const char *text)
{
    struct expansion expansion = {.text = ""};
    size_t kept = 0; // length before the group in brackets
    while (*text != '\0') {
        size_t plain = strcspn(text, "{[]");
        put(&expansion, text, plain);
        text += plain;
        if (*text == '{') {
            text = put_key(&expansion, telling->group, text);
        } else if (*text == '[') {
            kept = expansion.length;
            expansion.unknown = false;
            text++;
        } else if (*text == ']') {
            if (expansion.unknown)
                expansion.length = kept;
            expansion.text[expansion.length] = '\0';
            text++;
        }
    }
    return arena_strdup(telling->arena, expansion.text);
}
