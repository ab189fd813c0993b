// SPDX-License-Identifier: Apache-2.0
// Facts as members of a JSON document.
#include <time.h>

#include "base/number.h"
#include "print/json_parts.h"

void emit_stale_key(struct emit *emit, const char *key)
{
    if (emit->stale_count < STALE_KEYS)
        emit->stale[emit->stale_count++] = key;
}

void emit_u64(struct emit *emit, const char *key, struct fact_u64 fact)
{
    if (!known_u64(fact)) {
        json_put_null(&emit->writer, key);
        return;
    }
    json_put_u64(&emit->writer, key, fact.value);
    if (fact.stale && key != NULL)
        emit_stale_key(emit, key);
}

void emit_f64(struct emit *emit, const char *key, struct fact_f64 fact)
{
    if (!known_f64(fact)) {
        json_put_null(&emit->writer, key);
        return;
    }
    json_put_f64(&emit->writer, key, fact.value);
    if (fact.stale && key != NULL)
        emit_stale_key(emit, key);
}

void emit_stale(struct emit *emit)
{
    if (emit->stale_count == 0)
        return;
    json_begin_array(&emit->writer, "stale");
    for (unsigned i = 0; i < emit->stale_count; i++)
        json_put_string(&emit->writer, NULL, emit->stale[i]);
    json_end_array(&emit->writer);
    emit->stale_count = 0;
}

void emit_time(struct emit *emit, const char *key, double unix_seconds)
{
    static const double year_9999 = 253402300800;
    char day[40], text[48];
    struct tm parts;
    if (!(unix_seconds > 0 && unix_seconds < year_9999)) {
        json_put_null(&emit->writer, key);
        return;
    }
    time_t seconds = (time_t)unix_seconds;
    int milliseconds = (int)((unix_seconds - (double)seconds) * 1000);
    gmtime_r(&seconds, &parts);
    strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(text, sizeof(text), "%s.%03dZ", day, milliseconds);
    json_put_string(&emit->writer, key, text);
}

void emit_seconds(struct emit *emit, const char *key, struct fact_f64 seconds)
{
    seconds.value = number_round(seconds.value * 1000) / 1000;
    emit_f64(emit, key, seconds);
}

void emit_optional(struct emit *emit, const char *key, const char *text)
{
    if (text != NULL)
        json_put_string(&emit->writer, key, text);
}

void emit_core_set(struct emit *emit, const char *key, const struct core_set *set)
{
    json_begin_array(&emit->writer, key);
    for (int i = core_set_next(set, 0); i >= 0; i = core_set_next(set, (unsigned)i + 1))
        json_put_u64(&emit->writer, NULL, (uint64_t)i);
    json_end_array(&emit->writer);
}

void emit_known_u64(struct emit *emit, const char *key, struct fact_u64 fact, bool *stale)
{
    if (!known_u64(fact))
        return;
    json_put_u64(&emit->writer, key, fact.value);
    if (stale != NULL && fact.stale)
        *stale = true;
}

void emit_known_f64(struct emit *emit, const char *key, struct fact_f64 fact, bool *stale)
{
    if (!known_f64(fact))
        return;
    json_put_f64(&emit->writer, key, fact.value);
    if (stale != NULL && fact.stale)
        *stale = true;
}

void emit_memory(struct emit *emit, const char *key, const struct fact_u64 memory[MEM_CATEGORIES])
{
    bool stale = false;
    json_begin_object(&emit->writer, key);
    for (unsigned i = 0; i < MEM_CATEGORIES; i++)
        emit_known_u64(emit, memory_category_key((enum memory_category)i), memory[i], &stale);
    json_end_object(&emit->writer);
    if (stale)
        emit_stale_key(emit, key);
}
