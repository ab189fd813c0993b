// SPDX-License-Identifier: Apache-2.0
// Writes JSON straight into one growing buffer and keeps commas and nesting itself. Private to
// src/print.
//
// Why not json-c: a tree of json_object costs one allocation a value and one hash table an object,
// and is built only to be thrown away each update. On a snapshot of 64 cores that is ten times the
// cost of this (tests/bench/bench_json.c measures both).
#ifndef NEUTOP_PRINT_JSON_WRITER_H
#define NEUTOP_PRINT_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json_writer {
    char *text;
    size_t length, capacity;
    unsigned depth;
    bool comma; // a value stands before the next one on this level
};

void json_writer_init(struct json_writer *writer);
void json_writer_free(struct json_writer *writer);

// Writes the finished document and a newline to OUT and empties the writer for the next.
void json_writer_flush(struct json_writer *writer, FILE *out);

// KEY is the member's name inside an object and NULL inside an array. It is written as it is: a
// constant of ours.
void json_begin_object(struct json_writer *writer, const char *key);
void json_end_object(struct json_writer *writer);
void json_begin_array(struct json_writer *writer, const char *key);
void json_end_array(struct json_writer *writer);

// TEXT is escaped; bytes that are no UTF-8 become U+FFFD; NULL becomes null.
void json_string(struct json_writer *writer, const char *key, const char *text);
void json_u64(struct json_writer *writer, const char *key, uint64_t value);
void json_bool(struct json_writer *writer, const char *key, bool value);
void json_null(struct json_writer *writer, const char *key);

// The shortest decimal that reads back as the same double: 56.81, never 56.810000000000002. NaN and
// infinity become null.
void json_f64(struct json_writer *writer, const char *key, double value);

#endif
