// SPDX-License-Identifier: Apache-2.0
// Reading members of a json-c object the way the reports need it: what is missing, null, negative,
// not a number or of another type is absent, which the caller keeps apart from 0 (neuron-monitor
// JSON reference, section 10).
#ifndef NEUTOP_SOURCE_FIELD_H
#define NEUTOP_SOURCE_FIELD_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The member KEY of OBJECT when it is an object (array); NULL otherwise. OBJECT may be NULL or of
// any type.
json_object *field_object(json_object *object, const char *key);
json_object *field_array(json_object *object, const char *key);

// Any member, also a null one (then NULL).
json_object *field_any(json_object *object, const char *key);

// A number of VALUE itself: integer, float, or a string that is wholly a number. False: absent.
bool field_as_count(json_object *value, uint64_t *count);
bool field_as_number(json_object *value, double *number);

// The same for the member KEY of OBJECT.
bool field_count(json_object *object, const char *key, uint64_t *count);
bool field_number(json_object *object, const char *key, double *number);

// A process number: whole, at least 1 and no larger than Linux gives any (PID_MAX_LIMIT, 2^22).
// What is none must not stand in a command to copy.
bool field_pid(json_object *object, const char *key, uint64_t *pid);

// A non-empty string, and its LENGTH in bytes; NULL when absent. Raw: not yet cleaned.
const char *field_text(json_object *object, const char *key, size_t *length);

// An index written as a decimal string ("0", "17", but not "00": one index has one name); false for
// all else and above MOST.
bool field_index(const char *text, unsigned most, unsigned *index);

#endif
