// SPDX-License-Identifier: Apache-2.0
// From the kept reports to a snapshot: instance, hardware, the machine, ECC and pods. Chips and
// cores are in report_layout.c, processes in report_runtime.c. Sections named here are those of the
// neuron-monitor JSON reference.
#include <stdlib.h>

#include "base/number.h"
#include "source/report_state.h"

static void set_count(struct fact_u64 *fact, struct fact_u64 value)
{
    if (!known_u64(*fact))
        *fact = value;
}

static void set_text(const struct fill *fill, const char **text, const char *key)
{
    json_object *newest = fill->report->system[SYSTEM_INSTANCE].value;
    if (*text == NULL)
        *text = fill_text(fill, newest, key);
    if (*text == NULL) // a host does not change its type because the metadata service is busy
        *text = fill_text(fill, fill->report->instance_good, key);
}

// Section 3.5.
static void fill_instance(struct fill *fill)
{
    struct instance *instance = &fill->host->instance;
    set_text(fill, &instance->id, "instance_id");
    set_text(fill, &instance->type, "instance_type");
    set_text(fill, &instance->name, "instance_name");
    set_text(fill, &instance->region, "instance_region");
    set_text(fill, &instance->availability_zone, "instance_availability_zone");
    set_text(fill, &instance->ultraserver_id, "ultraserver_id");
    if (instance->error == NULL)
        instance->error = fill_error(fill, &fill->report->system[SYSTEM_INSTANCE]);
}

static void fill_generation(struct fill *fill, json_object *value)
{
    struct hardware *hardware = &fill->host->hardware;
    const char *type = fill_text(fill, value, "neuron_device_type");
    if (hardware->generation == NULL && type != NULL)
        hardware->generation = generation_by_monitor_type(type);
    if (hardware->generation == NULL && fill->host->instance.type != NULL)
        hardware->generation = generation_by_instance_type(fill->host->instance.type);
    if (hardware->chip == NULL)
        hardware->chip = hardware->generation != NULL ? hardware->generation->chip : type;
}

// "v3d" is v3 with two physical cores behind a logical one.
static bool fill_neuroncore(struct fill *fill, json_object *value)
{
    struct hardware *hardware = &fill->host->hardware;
    size_t length;
    const char *version = field_text(value, "neuroncore_version", &length);
    if (version == NULL) {
        if (hardware->neuroncore == NULL && hardware->generation != NULL)
            hardware->neuroncore = hardware->generation->neuroncore;
        return false;
    }
    bool joined = length > 1 && version[length - 1] == 'd';
    if (hardware->neuroncore == NULL)
        hardware->neuroncore = fill_clean(fill, version, length - joined);
    return joined;
}

static void fill_lnc(struct fill *fill, const struct kept *kept, bool joined)
{
    struct hardware *hardware = &fill->host->hardware;
    const struct generation *gen = hardware->generation;
    struct fact_u64 told = fill_count(fill, kept, kept_value(kept), "logical_neuroncore_config");
    uint64_t per_chip = hardware->logical_cores_per_chip.value;
    if (known_u64(told) && (told.value == 1 || told.value == 2))
        set_count(&hardware->lnc, told);
    else if (joined)
        set_count(&hardware->lnc, fact_u64(2, FROM_DERIVED));
    else if (gen != NULL && gen->lnc_max == 1)
        set_count(&hardware->lnc, fact_u64(1, FROM_TABLE));
    else if (gen != NULL && per_chip != 0 && gen->physical_cores % per_chip == 0 &&
             gen->physical_cores / per_chip <= 2)
        set_count(&hardware->lnc, fact_u64(gen->physical_cores / per_chip, FROM_DERIVED));
}

// A count beyond reason is no fact.
static struct fact_u64 fill_small(const struct fill *fill, const struct kept *kept, const char *key,
                                  uint64_t most)
{
    struct fact_u64 fact = fill_count(fill, kept, kept_value(kept), key);
    return known_u64(fact) && fact.value <= most ? fact : (struct fact_u64){0};
}

static void fill_counts(struct fill *fill, const struct kept *kept)
{
    struct hardware *hardware = &fill->host->hardware;
    const struct generation *gen = hardware->generation;
    const struct instance_type *type =
        fill->host->instance.type != NULL ? instance_type_get(fill->host->instance.type) : NULL;
    size_t length;
    set_count(&hardware->chips, fill_small(fill, kept, "neuron_device_count", CHIPS_MAX));
    struct fact_u64 per_chip =
        fill_small(fill, kept, "neuroncore_per_device_count", CORES_PER_CHIP_MAX);
    if (per_chip.value != 0)
        set_count(&hardware->logical_cores_per_chip, per_chip);
    struct fact_u64 memory = fill_count(fill, kept, kept_value(kept), "neuron_device_memory_size");
    if (memory.value != 0) // a chip without memory is no chip
        set_count(&hardware->device_memory_bytes_per_chip, memory);
    if (gen != NULL) {
        set_count(&hardware->physical_cores_per_chip, fact_u64(gen->physical_cores, FROM_TABLE));
        set_count(&hardware->device_memory_bytes_per_chip,
                  fact_u64(generation_chip_bytes(gen), FROM_TABLE));
    }
    if (type != NULL && hardware->topology == TOPOLOGY_UNKNOWN)
        hardware->topology = type->topology;
    if (type != NULL && kept_error(kept, &length) == NULL) // a tool that found no chip is believed
        set_count(&hardware->chips, fact_u64(type->chips, FROM_TABLE));
}

// Section 3.6; on inf1 and with old tools most of it follows from the instance type.
static void fill_hardware(struct fill *fill)
{
    const struct kept *kept = &fill->report->system[SYSTEM_HARDWARE];
    struct hardware *hardware = &fill->host->hardware;
    fill_generation(fill, kept_value(kept));
    bool joined = fill_neuroncore(fill, kept_value(kept));
    fill_counts(fill, kept);
    fill_lnc(fill, kept, joined);
    if (hardware->generation != NULL)
        set_count(
            &hardware->logical_cores_per_chip,
            fact_u64(generation_logical_cores(hardware->generation, (unsigned)hardware->lnc.value),
                     FROM_TABLE));
    if (hardware->physical_cores_per_chip.value < hardware->logical_cores_per_chip.value)
        hardware->physical_cores_per_chip =
            (struct fact_u64){0}; // no chip of the table is like that
    if (hardware->error == NULL)
        hardware->error = fill_error(fill, kept);
}

static void add_shares(double *sum, bool *any, json_object *usage, const char *const *keys)
{
    double part;
    for (; *keys != NULL; keys++)
        if (field_number(usage, *keys, &part)) {
            *sum += part;
            *any = true;
        }
}

static struct fact_f64 cpu_share(const struct fill *fill, const struct kept *kept,
                                 const char *const *keys)
{
    double sum = 0;
    bool any = false;
    add_shares(&sum, &any, field_object(kept_value(kept), "average_usage"), keys);
    if (!any || kept->period < REPORT_SHORTEST_PERIOD)
        return (struct fact_f64){0};
    return fill_f64(fill, kept, number_min(sum, 100));
}

// Section 3.4; the sums are those of AWS's own exporter.
static void fill_machine(struct fill *fill)
{
    static const char *const user[] = {"user", "nice", NULL};
    static const char *const system[] = {"system", "io_wait", "irq", "soft_irq", NULL};
    const struct kept *cpu = &fill->report->system[SYSTEM_CPU];
    const struct kept *memory = &fill->report->system[SYSTEM_MEMORY];
    struct machine *machine = &fill->host->machine;
    json_object *each = field_object(kept_value(cpu), "usage_data");
    const struct instance_type *type =
        fill->host->instance.type != NULL ? instance_type_get(fill->host->instance.type) : NULL;
    if (each != NULL && json_object_object_length(each) > 0)
        set_count(&machine->cpus, fact_u64((uint64_t)json_object_object_length(each), fill->from));
    else if (type != NULL)
        set_count(&machine->cpus, fact_u64(type->vcpus, FROM_TABLE));
    if (!known_f64(machine->cpu_user_percent))
        machine->cpu_user_percent = cpu_share(fill, cpu, user);
    if (!known_f64(machine->cpu_system_percent))
        machine->cpu_system_percent = cpu_share(fill, cpu, system);
    json_object *value = kept_value(memory);
    set_count(&machine->memory_total_bytes, fill_count(fill, memory, value, "memory_total_bytes"));
    set_count(&machine->memory_used_bytes, fill_count(fill, memory, value, "memory_used_bytes"));
    set_count(&machine->swap_total_bytes, fill_count(fill, memory, value, "swap_total_bytes"));
    set_count(&machine->swap_used_bytes, fill_count(fill, memory, value, "swap_used_bytes"));
    machine->cpu_error = machine->cpu_error != NULL ? machine->cpu_error : fill_error(fill, cpu);
    machine->memory_error =
        machine->memory_error != NULL ? machine->memory_error : fill_error(fill, memory);
}

static void fill_ecc(struct fill *fill)
{
    const struct kept *kept = &fill->report->system[SYSTEM_ECC];
    json_object *list = field_array(kept_value(kept), "neuron_devices");
    fill->host->hardware.ecc_error = fill_error(fill, kept);
    for (size_t i = 0; list != NULL && i < json_object_array_length(list); i++) {
        json_object *device = json_object_array_get_idx(list, i);
        uint64_t index;
        if (!field_count(device, "neuron_device_index", &index) || index >= fill->host->chip_count)
            continue;
        struct ecc *ecc = &fill->host->chips[index].ecc;
        set_count(&ecc->mem_corrected, fill_count(fill, kept, device, "mem_ecc_corrected"));
        set_count(&ecc->mem_uncorrected, fill_count(fill, kept, device, "mem_ecc_uncorrected"));
        set_count(&ecc->sram_corrected, fill_count(fill, kept, device, "sram_ecc_corrected"));
        set_count(&ecc->sram_uncorrected, fill_count(fill, kept, device, "sram_ecc_uncorrected"));
    }
}

// "trainer,sidecar" of an array; a plain string as it is.
static const char *container_names(const struct fill *fill, json_object *info)
{
    json_object *list = field_array(info, "container_name");
    const char *names = list == NULL ? fill_text(fill, info, "container_name") : NULL;
    for (size_t i = 0; list != NULL && i < json_object_array_length(list) && i < 16; i++) {
        json_object *item = json_object_array_get_idx(list, i);
        if (!json_object_is_type(item, json_type_string))
            continue;
        const char *name = fill_clean(fill, json_object_get_string(item),
                                      (size_t)json_object_get_string_len(item));
        names = names == NULL ? name : arena_printf(fill->arena, "%s,%s", names, name);
    }
    return names;
}

static void pod_on_core(const struct fill *fill, json_object *info, struct core *core)
{
    if (core->pod != NULL)
        return;
    core->pod = fill_text(fill, info, "pod_name");
    core->pod_namespace = fill_text(fill, info, "namespace");
    core->container = container_names(fill, info);
}

static void pods_of_cores(const struct fill *fill, json_object *infos)
{
    unsigned index;
    if (infos == NULL)
        return;
    json_object_object_foreach(infos, key, info)
    {
        if (field_index(key, CORE_MOST, &index) && index < fill->host->core_count)
            pod_on_core(fill, info, &fill->host->cores[index]);
    }
}

static void pods_of_chips(const struct fill *fill, json_object *infos)
{
    const struct host *host = fill->host;
    unsigned index;
    if (infos == NULL)
        return;
    json_object_object_foreach(infos, key, info)
    {
        if (!field_index(key, CHIPS_MAX, &index) || index >= host->chip_count)
            continue;
        for (unsigned i = 0; i < host->chips[index].core_count; i++)
            pod_on_core(fill, info, &host->cores[host->chips[index].core_first + i]);
    }
}

// Section 3.7: by core, else by chip. An old answer is no answer: pods come and go.
static void fill_pods(struct fill *fill)
{
    const struct kept *kept = &fill->report->system[SYSTEM_K8S];
    fill->host->hardware.pods_error = fill_error(fill, kept);
    if (kept->value == NULL || fill_stale(fill, kept))
        return;
    pods_of_cores(fill, field_object(kept_value(kept), "neuroncores_k8s_info"));
    pods_of_chips(fill, field_object(kept_value(kept), "neurondevices_k8s_info"));
}

void report_fill(const struct report *report, struct host *host, enum origin from, double now)
{
    struct fill fill = {
        .report = report, .host = host, .arena = host->arena, .from = from, .now = now};
    fill_instance(&fill);
    fill_hardware(&fill);
    if (host->chip_count == 0)
        fill_layout(&fill);
    else
        fill.per_chip = host->chips[0].core_count;
    fill_machine(&fill);
    fill_ecc(&fill);
    fill_pods(&fill);
    fill_processes(&fill);
    host->live_rates = !report->thin;
    free(fill.shares);
}
