// SPDX-License-Identifier: Apache-2.0
// The driver's files as facts of a snapshot. What an earlier reader gave is left alone; physical
// cores are made only where nobody made cores, since nothing here joins two numberings.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/text.h"
#include "host/units.h"
#include "source/sysfs_state.h"

enum {
    POWER_OLD_SECONDS = 150, // the driver publishes at each whole minute
    SLOW_OLD_SECONDS = 35,   // three rounds and a little
    HEALTH_OLD_SECONDS = 60, // no answer, or a heartbeat that stands still
    TICKS_TO_STALE = 3
};

struct filling {
    const struct sysfs *sysfs;
    struct host *host;
    double now;
    bool stale;
    const struct generation *generation;
    unsigned cores_per_chip; // that are there
    unsigned stride;         // indices that a chip takes in the numbering of the instance
};

static struct fact_u64 whole(const struct filling *filling, struct sysfs_number number)
{
    struct fact_u64 fact = fact_u64(number.value, number.known ? FROM_SYSFS : FROM_NOBODY);
    fact.stale = number.known && filling->stale;
    return fact;
}

static struct fact_f64 real(const struct filling *filling, bool known, double value)
{
    struct fact_f64 fact = fact_f64(known ? value : 0, known ? FROM_SYSFS : FROM_NOBODY);
    fact.stale = known && filling->stale;
    return fact;
}

static void give_u64(struct fact_u64 *into, struct fact_u64 fact)
{
    if (!known_u64(*into))
        *into = fact;
}

static void give_f64(struct fact_f64 *into, struct fact_f64 fact)
{
    if (!known_f64(*into))
        *into = fact;
}

static const char *clean(const struct filling *filling, const char *text, size_t length)
{
    return text_clean(filling->host->arena, text, length);
}

static const struct sysfs_slow_value *slow_of(const struct sysfs_device *device, unsigned metric)
{
    return &device->slow[metric - CHIP_SLOW_FIRST];
}

static bool slow_u64(const struct sysfs_device *device, unsigned metric, uint64_t *value)
{
    const struct sysfs_slow_value *slow = slow_of(device, metric);
    return slow->known && sysfs_u64(slow->text, slow->length, value);
}

static struct fact_u64 slow_fact(const struct filling *filling, const struct sysfs_device *device,
                                 unsigned metric)
{
    struct sysfs_number number = {false, 0};
    number.known = slow_u64(device, metric, &number.value);
    struct fact_u64 fact = whole(filling, number);
    fact.stale = number.known && filling->now - slow_of(device, metric)->at > SLOW_OLD_SECONDS;
    return fact;
}

static void fill_ecc(const struct filling *filling, struct ecc *ecc,
                     const struct sysfs_device *device)
{
    give_u64(&ecc->mem_uncorrected, slow_fact(filling, device, CHIP_MEM_UNCORRECTED));
    give_u64(&ecc->mem_repairable, slow_fact(filling, device, CHIP_MEM_REPAIRABLE));
    give_u64(&ecc->sram_uncorrected, slow_fact(filling, device, CHIP_SRAM_UNCORRECTED));
    give_u64(&ecc->mem_corrected, slow_fact(filling, device, CHIP_MEM_CORRECTED));
    give_u64(&ecc->sram_corrected, slow_fact(filling, device, CHIP_SRAM_CORRECTED));
}

// Driver 2.28 and 2.29: three counts.
static void health_from_counts(const struct filling *filling, struct chip *chip,
                               const struct sysfs_device *device)
{
    static const struct {
        unsigned metric;
        const char *what;
    } counts[] = {{CHIP_HEALTH_HBM, "HBM errors"},
                  {CHIP_HEALTH_SRAM, "SRAM errors"},
                  {CHIP_HEALTH_REPAIRABLE, "repairable HBM errors"}};
    for (unsigned i = 0; i < 3; i++) {
        uint64_t count;
        if (!slow_u64(device, counts[i].metric, &count))
            continue;
        if (count == 0 && chip->health == HEALTH_UNKNOWN)
            chip->health = HEALTH_HEALTHY;
        if (count == 0)
            continue;
        chip->health = HEALTH_UNHEALTHY;
        chip->health_detail = arena_printf(filling->host->arena, "%s%s%s: %llu",
                                           chip->health_detail != NULL ? chip->health_detail : "",
                                           chip->health_detail != NULL ? ", " : "", counts[i].what,
                                           (unsigned long long)count);
    }
}

// Since driver 2.30: the list of what is unhealthy, with a heartbeat that says it is looked after.
static void health_from_components(const struct filling *filling, struct chip *chip,
                                   const struct sysfs_device *device)
{
    const struct sysfs_slow_value *list = slow_of(device, CHIP_HEALTH_COMPONENTS);
    double silent = filling->now - device->heartbeat_at;
    char age[UNIT_TEXT];
    if (!list->known || !sysfs_components(list->text, list->length))
        return;
    size_t length = sysfs_trim(list->text, list->length);
    if (length > 0) {
        bool gone = length == 18 && memcmp(list->text, "device_unreachable", 18) == 0;
        chip->health = HEALTH_UNHEALTHY;
        chip->health_detail =
            gone ? "the driver cannot reach the device" : clean(filling, list->text, length);
        return;
    }
    chip->health = HEALTH_HEALTHY;
    if (device->heartbeat_at == 0 || silent <= HEALTH_OLD_SECONDS)
        return;
    chip->health = HEALTH_UNKNOWN;
    unit_duration(age, sizeof(age), fact_f64(silent, FROM_SYSFS));
    chip->health_detail =
        arena_printf(filling->host->arena, "the health check has stood still for %s", age);
}

static void fill_health(const struct filling *filling, struct chip *chip,
                        const struct sysfs_device *device)
{
    if (chip->health != HEALTH_UNKNOWN || chip->health_detail != NULL)
        return;
    health_from_components(filling, chip, device);
    if (chip->health == HEALTH_UNKNOWN && chip->health_detail == NULL)
        health_from_counts(filling, chip, device);
}

static void fill_power(const struct filling *filling, struct chip *chip,
                       const struct sysfs_device *device)
{
    static const char *const words[] = {[POWER_NO_DATA] = "no data",
                                        [POWER_INVALID] = "invalid",
                                        [POWER_OTHER] = "status not known"};
    const struct sysfs_number *now = &device->power_now;
    give_f64(&chip->power_now_percent, real(filling, now->known, (double)now->value / 100));
    if (!device->has_power || known_f64(chip->power_percent))
        return;
    if (device->power.state != POWER_VALID || device->power.unix_seconds <= 0) {
        chip->power_detail =
            words[device->power.state == POWER_VALID ? POWER_NO_DATA : device->power.state];
        return;
    }
    double age = (double)time(NULL) - (double)device->power.unix_seconds;
    chip->power_percent = real(filling, true, device->power.mean_percent);
    chip->power_percent.stale = chip->power_percent.stale || age > POWER_OLD_SECONDS;
    chip->power_age_seconds = real(filling, true, age > 0 ? age : 0);
}

static void fill_connected(struct chip *chip, const struct sysfs_device *device)
{
    if (chip->connected_known)
        return;
    chip->connected_error = device->connected_denied ? "needs root" : NULL;
    if (!device->connected_known)
        return;
    chip->connected_known = true;
    chip->connected_count = device->connected_count;
    for (unsigned i = 0; i < device->connected_count; i++)
        chip->connected[i] = device->connected[i];
}

static void fill_names(const struct filling *filling, struct chip *chip,
                       const struct sysfs_device *device)
{
    struct arena *arena = filling->host->arena;
    const struct sysfs_slow_value *serial = slow_of(device, CHIP_SERIAL);
    char usual[NODE_NAME];
    uint64_t api, build;
    snprintf(usual, sizeof(usual), "neuron%u", device->index);
    if (chip->node == NULL && device->node[0] != '\0' && strcmp(device->node, usual) != 0)
        chip->node = clean(filling, device->node, strlen(device->node));
    if (chip->serial == NULL && serial->known && sysfs_serial(serial->text, serial->length))
        chip->serial = clean(filling, serial->text, sysfs_trim(serial->text, serial->length));
    bool has_api = slow_u64(device, CHIP_FW_API, &api);
    bool has_build = slow_u64(device, CHIP_FW_BUILD, &build);
    if (chip->firmware == NULL && has_api && has_build)
        chip->firmware = arena_printf(arena, "API %llu, build %llu", (unsigned long long)api,
                                      (unsigned long long)build);
    else if (chip->firmware == NULL && has_api)
        chip->firmware = arena_printf(arena, "API %llu", (unsigned long long)api);
}

static void fill_pci(const struct filling *filling, struct chip *chip)
{
    const struct sysfs *sysfs = filling->sysfs;
    if (sysfs->pci[0] == '\0' || sysfs->listed != 1 || chip->pci != NULL)
        return;
    chip->pci = clean(filling, sysfs->pci, strlen(sysfs->pci));
    if (sysfs->place.has_node)
        give_u64(&chip->numa_node, fact_u64(sysfs->place.numa_node, FROM_SYSFS));
    if (chip->cpu_affinity == NULL && sysfs->place.cpus[0] != '\0')
        chip->cpu_affinity = clean(filling, sysfs->place.cpus, strlen(sysfs->place.cpus));
}

// A sum with an unknown part would be too small without saying so.
static struct fact_u64 sum_cores(const struct filling *filling, const struct sysfs_device *device,
                                 bool host_memory)
{
    struct sysfs_number sum = {device->files.core_end > 0, 0};
    for (unsigned k = 0; k < device->files.core_end; k++) {
        if (!device->files.has_core[k])
            continue;
        const struct sysfs_core *core = &device->cores[k];
        const struct sysfs_number *part = host_memory ? &core->host_memory : &core->memory;
        sum.known = sum.known && part->known && sum.value <= UINT64_MAX - part->value;
        sum.value += part->value;
    }
    return whole(filling, sum);
}

static void fill_host_memory(const struct filling *filling, struct chip *chip,
                             const struct sysfs_device *device)
{
    for (unsigned i = 0; i < CHIP_HOST_FILES; i++)
        fact_add(&chip->host_memory[sysfs_host_category(i)], whole(filling, device->host[i]));
    give_u64(&chip->memory_host_bytes, sum_cores(filling, device, true));
}

static void fill_chip(const struct filling *filling, struct chip *chip,
                      const struct sysfs_device *device)
{
    fill_names(filling, chip, device);
    fill_pci(filling, chip);
    fill_connected(chip, device);
    fill_power(filling, chip, device);
    fill_ecc(filling, &chip->ecc, device);
    fill_health(filling, chip, device);
    fill_host_memory(filling, chip, device);
    give_u64(&chip->memory_used_bytes, sum_cores(filling, device, false));
    if (filling->generation != NULL)
        give_u64(&chip->memory_total_bytes,
                 fact_u64(generation_chip_bytes(filling->generation), FROM_TABLE));
}

// The categories belong to a total; while their reading is under way they are of an earlier one.
static void fill_memory(const struct filling *filling, struct core *core,
                        const struct sysfs_core *from)
{
    bool old = from->category_pending || !from->memory.known ||
               from->category_total.value != from->memory.value;
    uint64_t sum = 0;
    bool any = false;
    core->memory_used_bytes = whole(filling, from->memory);
    core->memory_peak_bytes = whole(filling, from->memory_peak);
    core->memory_host_bytes = whole(filling, from->host_memory);
    for (unsigned i = 0; i < MEM_OTHER; i++) {
        core->memory[i] = whole(filling, from->category[i]);
        core->memory[i].stale = from->category[i].known && (filling->stale || old);
        any = any || from->category[i].known;
        sum += from->category[i].known ? from->category[i].value : 0;
    }
    if (any && !old && sum < from->memory.value) {
        struct sysfs_number rest = {true, from->memory.value - sum};
        core->memory[MEM_OTHER] = whole(filling, rest);
    }
}

static void fill_counters(const struct filling *filling, struct core *core,
                          const struct sysfs_core *from)
{
    struct core_counters *counters = ARENA_NEW(filling->host->arena, struct core_counters);
    counters->live = filling->sysfs->live;
    for (unsigned i = 0; i < CORE_EVENTS; i++) {
        const struct sysfs_step *step = &from->event[i];
        struct sysfs_number total = {step->read, step->value};
        bool live = counters->live || i >= EVENT_RESETS; // the driver itself counts resets
        counters->total[i] = whole(filling, total);
        counters->per_second[i] = real(filling, live && step->known, step->per_second);
    }
    core->counters = counters;
}

static void fill_core(const struct filling *filling, struct core *core,
                      const struct sysfs_core *from, unsigned chip, unsigned place)
{
    const struct sysfs_rate *use = &from->time_in_use, *flops = &from->flops;
    unsigned index = filling->host->chips[chip].index * filling->stride + place;
    core->index = index;
    core->chip = chip;
    core->place = place;
    core->numbering = NUMBERING_PHYSICAL;
    // microseconds of a second; the runtime may add the time of a long execution at once
    core->utilization_percent =
        real(filling, use->known && filling->sysfs->live, number_min(use->per_second / 1e4, 100));
    core->flops_per_second = real(filling, flops->known && filling->sysfs->live, flops->per_second);
    core->tensor_active_percent =
        real(filling, from->tensor_ok.known, (double)from->tensor_ok.value / 100);
    core->physical_count = 1;
    core->physical[0].index = (int)index;
    core->physical[0].utilization_percent = core->utilization_percent;
    fill_memory(filling, core, from);
    fill_counters(filling, core, from);
    if (filling->generation == NULL)
        return;
    core->memory_limit_bytes = fact_u64(
        generation_core_bytes(filling->generation, 1, &core->memory_shared_by), FROM_TABLE);
}

static const struct sysfs_device *device_of(const struct sysfs *sysfs, unsigned index)
{
    const struct sysfs_device *device = index < SYSFS_DEVICES ? sysfs->devices[index] : NULL;
    return device != NULL && device->indexed ? device : NULL;
}

// Mean over the cores that have one.
static void fill_chip_utilization(const struct filling *filling, struct chip *chip)
{
    double sum = 0;
    unsigned count = 0;
    for (unsigned i = 0; i < chip->core_count; i++) {
        struct fact_f64 one = filling->host->cores[chip->core_first + i].utilization_percent;
        sum += known_f64(one) ? one.value : 0;
        count += known_f64(one);
    }
    give_f64(&chip->utilization_percent, real(filling, count > 0, count > 0 ? sum / count : 0));
}

static void fill_cores(const struct filling *filling)
{
    struct host *host = filling->host;
    unsigned count = 0;
    for (unsigned i = 0; i < SYSFS_DEVICES; i++) {
        const struct sysfs_device *device = device_of(filling->sysfs, i);
        for (unsigned k = 0; device != NULL && k < device->files.core_end; k++)
            count += device->files.has_core[k];
    }
    host->cores = ARENA_ARRAY(host->arena, count, struct core);
    for (unsigned c = 0; c < host->chip_count; c++) {
        struct chip *chip = &host->chips[c];
        const struct sysfs_device *device = device_of(filling->sysfs, chip->index);
        chip->core_first = host->core_count;
        for (unsigned k = 0; device != NULL && k < device->files.core_end; k++)
            if (device->files.has_core[k])
                fill_core(filling, &host->cores[host->core_count++], &device->cores[k], c, k);
        chip->core_count = host->core_count - chip->core_first;
        fill_chip_utilization(filling, chip);
    }
    host->numbering = NUMBERING_PHYSICAL;
}

// Adds the chips that no earlier reader has, in the order of their indices; cores that point at
// chips follow.
static void add_chips(const struct filling *filling)
{
    struct host *host = filling->host;
    unsigned count = 0, from = 0;
    struct chip *chips =
        ARENA_ARRAY(host->arena, host->chip_count + filling->sysfs->reading, struct chip);
    unsigned *moved = ARENA_ARRAY(host->arena, host->chip_count + 1, unsigned);
    for (unsigned i = 0; i <= SYSFS_DEVICES; i++) { // the last round takes what no driver has
        bool ours = device_of(filling->sysfs, i) != NULL, all = i == SYSFS_DEVICES;
        for (; from < host->chip_count && (all || host->chips[from].index <= i); from++) {
            ours = ours && host->chips[from].index != i;
            moved[from] = count;
            chips[count++] = host->chips[from];
        }
        if (ours)
            chips[count++] = (struct chip){.index = i};
    }
    for (unsigned i = 0; i < host->core_count; i++)
        if (host->cores[i].chip < host->chip_count)
            host->cores[i].chip = moved[host->cores[i].chip];
    host->chips = chips;
    host->chip_count = count;
}

// Before the settings of the runtime are known, only chips without LNC tell their logical cores.
static void fill_hardware(const struct filling *filling)
{
    const struct generation *generation = filling->generation;
    struct hardware *hardware = &filling->host->hardware;
    const struct instance_type *type = instance_type_get(filling->host->instance.type);
    give_u64(&hardware->chips, fact_u64(filling->sysfs->reading, FROM_SYSFS));
    if (filling->cores_per_chip > 0)
        give_u64(&hardware->physical_cores_per_chip, fact_u64(filling->cores_per_chip, FROM_SYSFS));
    if (hardware->topology == TOPOLOGY_UNKNOWN && type != NULL)
        hardware->topology = type->topology;
    if (generation == NULL)
        return;
    if (hardware->generation == NULL)
        hardware->generation = generation;
    if (hardware->chip == NULL)
        hardware->chip = generation->chip;
    if (hardware->neuroncore == NULL)
        hardware->neuroncore = generation->neuroncore;
    give_u64(&hardware->device_memory_bytes_per_chip,
             fact_u64(generation_chip_bytes(generation), FROM_TABLE));
    if (generation->lnc_max > 1)
        return;
    give_u64(&hardware->lnc, fact_u64(1, FROM_TABLE));
    give_u64(&hardware->logical_cores_per_chip, fact_u64(generation->physical_cores, FROM_TABLE));
}

// A host holds one kind of chip only (driver reference, section 1).
static void find_generation(struct filling *filling)
{
    const struct sysfs *sysfs = filling->sysfs;
    const char *name = NULL;
    for (unsigned i = 0; i < SYSFS_DEVICES; i++) {
        const struct sysfs_device *device = device_of(sysfs, i);
        if (device == NULL)
            continue;
        unsigned cores = device->files.core_end;
        filling->cores_per_chip = cores > filling->cores_per_chip ? cores : filling->cores_per_chip;
        name = name == NULL && device->name[0] != '\0' ? device->name : name;
    }
    filling->generation = name != NULL ? generation_by_device_name(name) : NULL;
    if (name == NULL)
        filling->generation = generation_by_instance_type(hostinfo_instance_type(sysfs->host));
    else if (filling->generation == NULL && filling->host->hardware.chip == NULL)
        filling->host->hardware.chip = clean(filling, name, strlen(name));
    filling->stride = filling->cores_per_chip;
    if (filling->generation != NULL && filling->generation->physical_cores > filling->stride)
        filling->stride = filling->generation->physical_cores;
}

static void fill_versions(const struct filling *filling)
{
    struct versions *versions = &filling->host->versions;
    const struct sysfs *sysfs = filling->sysfs;
    if (versions->driver == NULL && sysfs->driver[0] != '\0')
        versions->driver = clean(filling, sysfs->driver, strlen(sysfs->driver));
    if (versions->driver_state == NULL && sysfs->driver_state[0] != '\0')
        versions->driver_state = clean(filling, sysfs->driver_state, strlen(sysfs->driver_state));
}

struct core_set sysfs_unmapped(const struct sysfs *sysfs)
{
    struct core_set others;
    core_set_clear(&others);
    for (unsigned i = 0; i < SYSFS_DEVICES; i++)
        if (sysfs->devices[i] != NULL && !sysfs->devices[i]->mapped)
            core_set_add(&others, i);
    return others;
}

void sysfs_fill(const struct sysfs *sysfs, struct host *host, double now)
{
    struct filling filling = {.sysfs = sysfs, .host = host, .now = now};
    filling.stale = now - sysfs->read_at > TICKS_TO_STALE * sysfs_interval(sysfs) + 1;
    hostinfo_fill(sysfs->host, host);
    fill_versions(&filling);
    host->unmapped = sysfs_unmapped(sysfs);
    if (sysfs->reading == 0)
        return;
    find_generation(&filling);
    fill_hardware(&filling);
    add_chips(&filling);
    for (unsigned i = 0; i < host->chip_count; i++) {
        const struct sysfs_device *device = device_of(sysfs, host->chips[i].index);
        if (device != NULL)
            fill_chip(&filling, &host->chips[i], device);
    }
    if (host->core_count > 0)
        return;
    fill_cores(&filling);
    host->live_rates = host->live_rates || sysfs->ticks > 1;
}
