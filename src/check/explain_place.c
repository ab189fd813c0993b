// SPDX-License-Identifier: Apache-2.0
// The chip and core that an error names: their memory, health and use now.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check/explain_parts.h"
#include "host/units.h"

enum { PLACES_SHOWN = 4 };

static const struct chip *chip_at(const struct host *host, int index)
{
    for (unsigned i = 0; i < host->chip_count; i++)
        if (index >= 0 && host->chips[i].index == (unsigned)index)
            return &host->chips[i];
    return NULL;
}

// The runtime counts cores within the chip. With LNC=2 it is not told whether logical or physical
// ones, so then all cores of the chip are meant.
static bool one_core(const struct host *host, const struct place *place)
{
    return place->core >= 0 && known_u64(host->hardware.lnc) && host->hardware.lnc.value == 1;
}

static bool is_meant(const struct host *host, const struct core *core, const struct place *place)
{
    return !one_core(host, place) || core->place == (unsigned)place->core;
}

static void tell_owners(char *text, size_t size, const struct host *host, const struct core *core)
{
    char name[NAME_TEXT];
    size_t length = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < core->owner_count && i < 2 && length < size; i++)
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s", i == 0 ? ", held by " : " and ",
                             name_process(name, &host->processes[core->owners[i]]));
    if (core->owner_count > 2 && length < size)
        snprintf(text + length, size - length, " and %u more", core->owner_count - 2);
}

static void tell_core_memory(struct telling *telling, const struct core *core)
{
    const struct host *host = telling->host;
    char used[UNIT_TEXT * 2], owners[HOLDER_TEXT], percent[UNIT_TEXT] = "";
    struct fact_u64 memory = core->memory_used_bytes, limit = core->memory_limit_bytes;
    tell_owners(owners, sizeof(owners), host, core);
    if (!known_u64(memory)) {
        tell_now(telling, "%s %u: memory in use is not known%s", core_word(host), core_shown(core),
                 owners);
        return;
    }
    if (known_u64(limit) && limit.value > 0)
        snprintf(percent, sizeof(percent), " (%.0f%%)",
                 100.0 * (double)memory.value / (double)limit.value);
    tell_now(telling, "%s %u: %s in use%s%s%s", core_word(host), core_shown(core),
             known_u64(limit) ? unit_bytes_of(used, sizeof(used), memory, limit)
                              : unit_bytes(used, sizeof(used), memory),
             percent, core->memory_shared_by > 1 ? ", a bank that cores share" : "", owners);
}

// How full the core was when it failed, against what a core may use here (field case F-10: the
// alarm comes from the core, not the chip).
static void tell_full(struct telling *telling, const struct core *core)
{
    const struct memory_table *table = telling->group->table;
    char text[UNIT_TEXT * 2];
    if (table == NULL || !known_u64(core->memory_limit_bytes) ||
        core->memory_limit_bytes.value == 0 || telling->out->limit_bytes != 0)
        return;
    uint64_t limit = core->memory_limit_bytes.value;
    uint64_t total = table->has_total ? table->total.bytes : table_sum(table);
    telling->out->limit_bytes = limit;
    if (total <= limit + limit / 20)
        tell_now(telling, "a core may use %s here: %s (%.0f%%) were in use when it failed",
                 unit_bytes(text, sizeof(text), core->memory_limit_bytes),
                 unit_bytes_of(text + UNIT_TEXT, UNIT_TEXT, fact_u64(total, FROM_DERIVED),
                               core->memory_limit_bytes),
                 100.0 * (double)total / (double)limit);
}

static const struct core *fullest(const struct host *host)
{
    const struct core *full = NULL;
    for (unsigned i = 0; i < host->core_count; i++) {
        const struct core *core = &host->cores[i];
        if (current_u64(core->memory_used_bytes) &&
            (full == NULL || core->memory_used_bytes.value > full->memory_used_bytes.value))
            full = core;
    }
    return full;
}

void now_memory(struct telling *telling)
{
    const struct host *host = telling->host;
    if (host == NULL)
        return;
    for (size_t p = 0; p < telling->group->place_count && p < PLACES_SHOWN; p++) {
        const struct place *place = &telling->group->places[p];
        const struct chip *chip = chip_at(host, place->chip);
        if (chip == NULL)
            tell_now(telling, "chip %d is not on this host", place->chip);
        for (unsigned i = 0; chip != NULL && i < chip->core_count && tell_room(telling); i++) {
            const struct core *core = &host->cores[chip->core_first + i];
            if (!is_meant(host, core, place))
                continue;
            tell_full(telling, core);
            tell_core_memory(telling, core);
        }
    }
    const struct core *full = telling->group->place_count == 0 ? fullest(host) : NULL;
    if (full != NULL) {
        tell_now(telling, "the fullest core now:");
        tell_core_memory(telling, full);
    }
}

static void tell_ecc(struct telling *telling, const struct chip *chip)
{
    char text[HOLDER_TEXT] = "";
    const struct {
        const char *what;
        struct fact_u64 count;
    } counts[] = {{"memory uncorrected", chip->ecc.mem_uncorrected},
                  {"repairable", chip->ecc.mem_repairable},
                  {"SRAM uncorrected", chip->ecc.sram_uncorrected}};
    size_t length = 0;
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        if (known_u64(counts[i].count))
            length += (size_t)snprintf(text + length, sizeof(text) - length, ", %s %" PRIu64,
                                       counts[i].what, counts[i].count.value);
    if (chip->health == HEALTH_UNKNOWN && length == 0) {
        tell_now(telling, "chip %u: nothing is known of its health", chip->index);
        return;
    }
    tell_now(telling, "chip %u: health %s%s%s", chip->index, health_word(chip->health),
             length > 0 ? "; ECC errors since the driver was loaded: " : "",
             length > 0 ? text + 2 : "");
}

void now_health(struct telling *telling)
{
    const struct host *host = telling->host;
    const struct value *serial = group_value(telling->group, CAPTURE_SERIAL);
    int last = -1;
    for (size_t p = 0; host != NULL && p < telling->group->place_count && p < PLACES_SHOWN; p++) {
        int index = telling->group->places[p].chip;
        const struct chip *chip = chip_at(host, index);
        if (index == last)
            continue;
        last = index;
        if (chip == NULL) {
            tell_now(telling, "chip %d is not on this host", index);
            continue;
        }
        tell_ecc(telling, chip);
        if (serial != NULL && chip->serial != NULL && strcasecmp(serial->text, chip->serial) != 0)
            tell_now(telling, "but chip %d has serial number %s: the line is about another one",
                     index, chip->serial);
    }
}

static void tell_core_use(struct telling *telling, const struct core *core)
{
    const struct host *host = telling->host;
    char owners[HOLDER_TEXT], percent[UNIT_TEXT], idle[UNIT_TEXT + 40] = "", text[UNIT_TEXT];
    tell_owners(owners, sizeof(owners), host, core);
    const struct process *owner = core->owner_count == 1 ? &host->processes[core->owners[0]] : NULL;
    if (owner != NULL && current_f64(owner->idle_seconds) && owner->idle_seconds.value >= 1)
        snprintf(idle, sizeof(idle), ", nothing completed for %s",
                 unit_duration(text, sizeof(text), owner->idle_seconds));
    if (known_f64(core->utilization_percent))
        tell_now(telling, "%s %u: busy %s%s%s", core_word(host), core_shown(core),
                 unit_percent(percent, sizeof(percent), core->utilization_percent), owners, idle);
    else
        tell_now(telling, "%s %u: %s%s", core_word(host), core_shown(core),
                 owners[0] != '\0' ? owners + 2 : core_state_word(core_state(core)), idle);
}

void now_use(struct telling *telling)
{
    const struct host *host = telling->host;
    for (size_t p = 0; host != NULL && p < telling->group->place_count && p < PLACES_SHOWN; p++) {
        const struct place *place = &telling->group->places[p];
        const struct chip *chip = chip_at(host, place->chip);
        for (unsigned i = 0; chip != NULL && i < chip->core_count && tell_room(telling); i++)
            if (is_meant(host, &host->cores[chip->core_first + i], place))
                tell_core_use(telling, &host->cores[chip->core_first + i]);
    }
}
