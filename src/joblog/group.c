// SPDX-License-Identifier: Apache-2.0
// The same errors counted together: by message and by the values that make another error of it.
#include <bsd/string.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmem.h"
#include "joblog/intake.h"

const struct value *group_value(const struct error_group *group, enum capture capture)
{
    for (size_t i = 0; i < group->value_count; i++)
        if (group->values[i].capture == capture)
            return &group->values[i];
    return NULL;
}

void group_set(struct error_group *group, enum capture capture, uint64_t number, const char *text,
               size_t length)
{
    struct value *value = NULL;
    for (size_t i = 0; i < group->value_count; i++)
        if (group->values[i].capture == capture)
            value = &group->values[i];
    if (value == NULL && group->value_count == GROUP_VALUES)
        return;
    if (value == NULL)
        value = &group->values[group->value_count++];
    value->capture = capture;
    value->number = number;
    text_clean_to(value->text, sizeof(value->text), text, length);
}

void group_add_pid(struct error_group *group, uint64_t pid, int64_t unix_seconds)
{
    size_t at = 0;
    while (at < group->pid_count && group->pids[at] != pid)
        at++;
    if (at == GROUP_PIDS) {
        group->more_pids = true;
        return;
    }
    if (at == group->pid_count)
        group->pids[group->pid_count++] = pid;
    if (unix_seconds > group->pid_seconds[at])
        group->pid_seconds[at] = unix_seconds;
}

static void add_place(struct error_group *group, struct place place)
{
    if (place.chip < 0)
        return;
    for (size_t i = 0; i < group->place_count; i++)
        if (group->places[i].chip == place.chip && group->places[i].core == place.core)
            return;
    if (group->place_count < GROUP_PLACES)
        group->places[group->place_count++] = place;
    else
        group->more_places = true;
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * 1099511628211u;
    return hash;
}

static bool is_place(enum capture capture)
{
    return capture == CAPTURE_CHIP || capture == CAPTURE_CORE;
}

static uint64_t hash_of(const struct hit *hit)
{
    const struct message *message = hit->message;
    uint64_t hash = mix(14695981039346656037u, &message, sizeof(message));
    if (message->key & capture_bit(CAPTURE_CHIP))
        hash = mix(hash, &hit->place.chip, sizeof(hit->place.chip));
    if (message->key & capture_bit(CAPTURE_CORE))
        hash = mix(hash, &hit->place.core, sizeof(hit->place.core));
    for (size_t i = 0; i < hit->count; i++) {
        enum capture capture = hit->items[i].capture;
        const struct taken *taken = &hit->items[i].taken;
        if ((message->key & capture_bit(capture)) == 0 || is_place(capture) || !taken->known)
            continue;
        hash = mix(hash, &capture, sizeof(capture));
        if (capture_rows[capture].form == FORM_TEXT)
            hash = mix(hash, taken->text, taken->length);
        else
            hash = mix(hash, &taken->number, sizeof(taken->number));
    }
    return hash;
}

static struct error_group *add_group(struct groups *groups, const struct hit *hit, uint64_t hash,
                                     size_t slot)
{
    struct error_group *group = xcalloc(1, sizeof(*group));
    group->message = hit->message;
    group->role = hit->message->role;
    group->spelling = hit->spelling;
    group->first_line = hit->record.line;
    strlcpy(group->first_time, hit->record.time, sizeof(group->first_time));
    for (size_t i = 0; i < hit->count; i++) {
        const struct taken *taken = &hit->items[i].taken;
        if (taken->known)
            group_set(group, hit->items[i].capture, taken->number, taken->text, taken->length);
    }
    groups->items[groups->count] = group;
    groups->hashes[groups->count] = hash;
    groups->slots[slot] = (uint16_t)++groups->count;
    return group;
}

// The newest group of MESSAGE when there are as many as there may be; NULL: there is room.
static struct error_group *crowded(const struct groups *groups, const struct message *message)
{
    struct error_group *newest = NULL;
    unsigned kinds = 0;
    for (size_t i = 0; i < groups->count; i++)
        if (groups->items[i]->message == message) {
            newest = groups->items[i];
            kinds++;
        }
    bool full = kinds >= GROUPS_OF_MESSAGE || (groups->count == GROUPS_MAX && newest != NULL);
    if (full)
        newest->mixed = true;
    return full ? newest : NULL;
}

static struct error_group *find_group(struct groups *groups, const struct hit *hit)
{
    uint64_t hash = hash_of(hit);
    size_t slot = (size_t)(hash ^ hash >> 32) & (GROUP_SLOTS - 1);
    for (; groups->slots[slot] != 0; slot = (slot + 1) & (GROUP_SLOTS - 1)) {
        size_t index = groups->slots[slot] - 1u;
        if (groups->hashes[index] == hash && groups->items[index]->message == hit->message)
            return groups->items[index];
    }
    struct error_group *group = crowded(groups, hit->message);
    if (group == NULL && groups->count < GROUPS_MAX)
        group = add_group(groups, hit, hash, slot);
    return group;
}

struct error_group *groups_count(struct groups *groups, const struct hit *hit)
{
    struct error_group *group = find_group(groups, hit);
    if (group == NULL)
        return NULL;
    group->count++;
    group->last_line = hit->record.line;
    strlcpy(group->last_time, hit->record.time, sizeof(group->last_time));
    if (hit->record.has_pid)
        group_add_pid(group, hit->record.pid, hit->record.unix_seconds);
    add_place(group, hit->place);
    return group;
}

struct error_group *groups_of_pid(struct groups *groups, const struct message *message,
                                  bool has_pid, uint64_t pid)
{
    for (size_t i = groups->count; i-- > 0;) {
        struct error_group *group = groups->items[i];
        if (group->message != message)
            continue;
        if (!has_pid && group->pid_count == 0)
            return group;
        for (size_t p = 0; has_pid && p < group->pid_count; p++)
            if (group->pids[p] == pid)
                return group;
    }
    return NULL;
}

uint64_t table_sum(const struct memory_table *table)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < table->count; i++)
        sum += table->parts[i].bytes > UINT64_MAX - sum ? UINT64_MAX - sum : table->parts[i].bytes;
    return sum;
}

// Every figure is rounded to its last digit, so it may be off by half of that.
bool table_adds_up(const struct memory_table *table)
{
    uint64_t sum = table_sum(table), slack = table->total.step / 2 + 1;
    for (size_t i = 0; i < table->count; i++)
        slack += table->parts[i].step / 2 + 1;
    if (!table->has_total || table->count == 0)
        return false;
    uint64_t total = table->total.bytes;
    return sum > total ? sum - total <= slack : total - sum <= slack;
}
