// SPDX-License-Identifier: Apache-2.0
// Members of a json-c object, or their absence.
#include "source/field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_MEMBERS = 12, PID_MOST = 4194304 };

json_object *field_any(json_object *object, const char *key)
{
    json_object *value = NULL;
    if (!json_object_is_type(object, json_type_object))
        return NULL;
    if (json_object_object_length(object) > FEW_MEMBERS) {
        json_object_object_get_ex(object, key, &value);
        return value;
    }
    // walking a few members costs less than the hash of the key
    json_object_object_foreach(object, name, member)
    {
        if (name[0] == key[0] && strcmp(name, key) == 0)
            return member;
    }
    return NULL;
}

static json_object *field_typed(json_object *object, const char *key, json_type type)
{
    json_object *value = field_any(object, key);
    return value != NULL && json_object_is_type(value, type) ? value : NULL;
}

json_object *field_object(json_object *object, const char *key)
{
    return field_typed(object, key, json_type_object);
}

json_object *field_array(json_object *object, const char *key)
{
    return field_typed(object, key, json_type_array);
}

// By json-c, not strtod(): the decimal point must not depend on the locale.
static json_object *number_from_text(const char *text)
{
    if (text[0] < '0' || text[0] > '9' || text[strspn(text, "0123456789.eE+-")] != '\0')
        return NULL;
    return json_tokener_parse(text);
}

static bool number_in_text(const char *text, double *number)
{
    json_object *value = number_from_text(text);
    bool known = value != NULL && field_as_number(value, number);
    json_object_put(value);
    return known;
}

static bool count_of_number(double number, uint64_t *count)
{
    if (!(number >= 0) || number >= 18446744073709551616.0)
        return false;
    *count = (uint64_t)number;
    return true;
}

static bool count_in_text(const char *text, uint64_t *count)
{
    json_object *value = number_from_text(text);
    bool known = value != NULL && field_as_count(value, count);
    json_object_put(value);
    return known;
}

static bool count_of_int(json_object *value, uint64_t *count)
{
    // json-c answers a negative number with 0 here, and 0 must not stand for "absent"
    if (json_object_get_int64(value) < 0)
        return false;
    *count = json_object_get_uint64(value);
    return true;
}

bool field_as_count(json_object *value, uint64_t *count)
{
    switch (json_object_get_type(value)) {
    case json_type_int:
        return count_of_int(value, count);
    case json_type_double:
        return count_of_number(json_object_get_double(value), count);
    case json_type_string:
        return count_in_text(json_object_get_string(value), count);
    default:
        return false;
    }
}

bool field_as_number(json_object *value, double *number)
{
    switch (json_object_get_type(value)) {
    case json_type_int:
    case json_type_double:
        *number = json_object_get_double(value);
        return isfinite(*number) && *number >= 0;
    case json_type_string:
        return number_in_text(json_object_get_string(value), number);
    default:
        return false;
    }
}

bool field_count(json_object *object, const char *key, uint64_t *count)
{
    return field_as_count(field_any(object, key), count);
}

bool field_number(json_object *object, const char *key, double *number)
{
    return field_as_number(field_any(object, key), number);
}

bool field_pid(json_object *object, const char *key, uint64_t *pid)
{
    double exact;
    return field_count(object, key, pid) && *pid >= 1 && *pid <= PID_MOST &&
           field_number(object, key, &exact) && exact == (double)*pid;
}

const char *field_text(json_object *object, const char *key, size_t *length)
{
    json_object *value = field_typed(object, key, json_type_string);
    if (value == NULL || json_object_get_string_len(value) <= 0)
        return NULL;
    *length = (size_t)json_object_get_string_len(value);
    return json_object_get_string(value);
}

bool field_index(const char *text, unsigned most, unsigned *index)
{
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || text[digits] != '\0' || digits > 9 || (text[0] == '0' && digits > 1))
        return false;
    unsigned long value = strtoul(text, NULL, 10);
    if (value > most)
        return false;
    *index = (unsigned)value;
    return true;
}
