// SPDX-License-Identifier: Apache-2.0
// The demo's facts as a snapshot. Sums are made here from the same numbers that the parts show, so
// that they agree.
#include <string.h>

#include "base/arena.h"
#include "source/demo.h"

// Latencies around their median, in parts of it: steady work, and requests that wait for each
// other.
static const double steady_spread[PERCENTILES] = {0.951, 0.957, 0.986, 1, 1.017, 1.121, 1.223};
static const double queued_spread[PERCENTILES] = {0.412, 0.447, 0.801, 1, 1.294, 2.318, 3.651};
static const double device_part = 0.931; // of the total latency

enum { SUBGRAPH_HOST_BYTES = 2048, SUBGRAPHS = 16 };

static struct fact_u64 whole(uint64_t value)
{
    return fact_u64(value, FROM_DEMO);
}

static struct fact_f64 real(double value)
{
    return fact_f64(value, FROM_DEMO);
}

static void fill_instance(const struct demo *demo, struct host *host)
{
    host->instance.id = "i-0de300de300de3000";
    host->instance.type = demo->type->name;
    host->instance.name = "demo";
    host->instance.region = "us-west-2";
    host->instance.availability_zone = "us-west-2b";
    host->instance.ultraserver_id = demo->type->ultraserver ? "us-demo" : NULL;
}

static void fill_hardware(const struct demo *demo, struct host *host)
{
    struct hardware *hardware = &host->hardware;
    hardware->generation = demo->gen;
    hardware->chip = demo->gen->chip;
    hardware->neuroncore = demo->gen->neuroncore;
    hardware->topology = demo->type->topology;
    hardware->chips = whole(demo->chip_count);
    hardware->physical_cores_per_chip = fact_u64(demo->gen->physical_cores, FROM_TABLE);
    hardware->logical_cores_per_chip = whole(demo->per_chip);
    hardware->lnc = whole(demo->lnc);
    hardware->device_memory_bytes_per_chip = fact_u64(generation_chip_bytes(demo->gen), FROM_TABLE);
}

static void fill_machine(const struct demo *demo, struct host *host)
{
    struct machine *machine = &host->machine;
    machine->cpus = fact_u64(demo->type->vcpus, FROM_TABLE);
    machine->cpu_user_percent = real(demo->machine_user);
    machine->cpu_system_percent = real(demo->machine_system);
    machine->memory_total_bytes = fact_u64(demo->type->host_memory_bytes, FROM_TABLE);
    machine->memory_used_bytes = whole(demo->machine_bytes);
    machine->swap_total_bytes = whole(0);
    machine->swap_used_bytes = whole(0);
}

// The categories that AWS's tools and driver give; what they leave over (MEM_OTHER) is nothing
// here.
static uint64_t fill_memory(struct fact_u64 into[MEM_CATEGORIES],
                            const uint64_t bytes[MEM_CATEGORIES])
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < MEM_OTHER; i++) {
        into[i] = whole(bytes[i]);
        sum += bytes[i];
    }
    return sum;
}

static void fill_physical(const struct demo *demo, struct core *core, const struct demo_core *from)
{
    core->physical_count = demo->lnc;
    for (unsigned i = 0; i < demo->lnc; i++) {
        core->physical[i].index = (int)(core->index * demo->lnc + i);
        core->physical[i].utilization_percent = real(from->physical[i]);
    }
}

// Inferentia counts none (neuron-monitor reference, section 3.3).
static struct fact_f64 flops_of(const struct demo *demo, double flops)
{
    bool counted = demo->gen->id != GEN_INF1;
    return fact_f64(counted ? flops : 0, counted ? FROM_DEMO : FROM_NOBODY);
}

static void fill_core(const struct demo *demo, struct host *host, unsigned index, unsigned *owner)
{
    const struct demo_core *from = &demo->cores[index];
    struct core *core = &host->cores[index];
    core->index = index;
    core->chip = from->chip;
    core->place = from->place;
    core->numbering = host->numbering;
    fill_physical(demo, core, from);
    core->utilization_percent = real(from->utilization);
    core->flops_per_second = flops_of(demo, from->flops);
    core->memory_used_bytes = whole(fill_memory(core->memory, from->memory));
    core->memory_limit_bytes = fact_u64(demo->core_bytes, FROM_TABLE);
    core->memory_shared_by = demo->shared_by;
    core->owners_known = true;
    if (from->owner < 0)
        return;
    *owner = (unsigned)from->owner;
    core->owner_count = 1;
    core->owners = owner;
    const struct demo_role *role = demo->processes[from->owner].role;
    core->container = role->container;
    core->pod = role->pod;
    core->pod_namespace = role->pod_namespace;
}

// A worn chip: a repairable error where the chip can tell (Trainium2 and newer), else a corrected
// one.
static void fill_ecc(const struct demo *demo, struct ecc *ecc, unsigned index)
{
    bool worn = index == demo->chip_count * 11 / 16;
    bool tells = demo->gen->id == GEN_TRN2 || demo->gen->id == GEN_TRN3;
    ecc->mem_corrected = whole(worn && !tells ? 2 : 0);
    ecc->mem_uncorrected = whole(0);
    ecc->mem_repairable = whole(worn && tells ? 1 : 0);
    ecc->sram_corrected = whole(0);
    ecc->sram_uncorrected = whole(0);
}

// The driver calls a chip with a repairable error unhealthy (driver reference 2.10).
static void fill_health(struct chip *chip)
{
    bool worn = chip->ecc.mem_repairable.value > 0;
    chip->health = worn ? HEALTH_UNHEALTHY : HEALTH_HEALTHY;
    chip->health_detail = worn ? "hbm" : NULL;
}

static void fill_links(const struct demo *demo, struct chip *chip)
{
    int count = demo_neighbours(demo->type, chip->index, chip->connected);
    chip->connected_known = count >= 0;
    chip->connected_count = count > 0 ? (unsigned)count : 0;
}

static void fill_chip_sums(const struct demo *demo, struct host *host, struct chip *chip)
{
    double sum = 0;
    unsigned *owners = ARENA_ARRAY(host->arena, demo->per_chip, unsigned);
    for (unsigned i = 0; i < chip->core_count; i++) {
        const struct core *core = &host->cores[chip->core_first + i];
        fact_add(&chip->memory_used_bytes, core->memory_used_bytes);
        sum += core->utilization_percent.value;
        if (core->owner_count == 0)
            continue; // a process has neighbouring cores: the same owner stands in a row
        if (chip->owner_count == 0 || owners[chip->owner_count - 1] != core->owners[0])
            owners[chip->owner_count++] = core->owners[0];
    }
    chip->owners = owners;
    chip->utilization_percent = real(sum / chip->core_count);
}

static void fill_chip(const struct demo *demo, struct host *host, unsigned index)
{
    const struct demo_chip *from = &demo->chips[index];
    struct chip *chip = &host->chips[index];
    chip->index = index;
    chip->pci = arena_strdup(host->arena, from->pci);
    chip->serial = arena_strdup(host->arena, from->serial);
    chip->cpu_affinity = arena_strdup(host->arena, demo->numa_cpus[from->numa_node]);
    if (demo->numa_nodes > 1)
        chip->numa_node = whole(from->numa_node);
    fill_links(demo, chip);
    chip->memory_total_bytes = fact_u64(generation_chip_bytes(demo->gen), FROM_TABLE);
    if (demo->gen->id != GEN_INF1)
        chip->power_percent = real(from->power);
    fill_ecc(demo, &chip->ecc, index);
    fill_health(chip);
    chip->core_first = index * demo->per_chip;
    chip->core_count = demo->per_chip;
    fill_chip_sums(demo, host, chip);
}

static void fill_share(struct host *host, struct process *process, struct share *share,
                       unsigned index)
{
    const struct core *core = &host->cores[index];
    share->core = index;
    share->owned = true;
    share->utilization_percent = core->utilization_percent;
    share->flops_per_second = core->flops_per_second;
    share->memory_used_bytes = core->memory_used_bytes;
    memcpy(share->memory, core->memory, sizeof(share->memory));
    core_set_add(&process->cores, core->index);
    core_set_add(&process->chips, host->chips[core->chip].index);
    fact_add(&process->memory_device_bytes, core->memory_used_bytes);
    for (unsigned i = 0; i < MEM_CATEGORIES; i++)
        fact_add(&process->memory[i], core->memory[i]);
    if (!known_f64(core->flops_per_second))
        return;
    process->flops_per_second =
        real(process->flops_per_second.value + core->flops_per_second.value);
}

static void fill_subgraph(const struct demo *demo, const struct demo_model *from,
                          struct subgraph *subgraph, unsigned index, unsigned core)
{
    static const char *const names[SUBGRAPHS] = {
        "sg_00", "sg_01", "sg_02", "sg_03", "sg_04", "sg_05", "sg_06", "sg_07",
        "sg_08", "sg_09", "sg_10", "sg_11", "sg_12", "sg_13", "sg_14", "sg_15"};
    subgraph->name = names[index % SUBGRAPHS];
    subgraph->chip = (int)demo->cores[core].chip;
    subgraph->core_in_chip = (int)demo->cores[core].place;
    subgraph->memory_host_bytes = whole(SUBGRAPH_HOST_BYTES);
    subgraph->memory[MEM_TENSORS] = whole(0);
    subgraph->memory[MEM_CONSTANTS] = whole(demo_pages(demo, from->constants_ppm));
    subgraph->memory[MEM_MODEL_CODE] = whole(demo_pages(demo, from->code_ppm));
    subgraph->memory[MEM_RUNTIME_MEMORY] = whole(0);
    fact_add(&subgraph->memory_device_bytes, subgraph->memory[MEM_CONSTANTS]);
    fact_add(&subgraph->memory_device_bytes, subgraph->memory[MEM_MODEL_CODE]);
}

static void fill_model(const struct demo *demo, struct host *host, const struct demo_process *from,
                       struct model *model, unsigned index)
{
    const struct demo_model *source = &from->role->models[index];
    struct subgraph *subgraphs = ARENA_ARRAY(host->arena, from->core_count, struct subgraph);
    model->name = source->name;
    model->uuid = source->uuid;
    model->model_id = whole(10001 + index);
    model->state = source->running ? MODEL_RUNNING : MODEL_STOPPED;
    model->subgraph_count = from->core_count;
    model->subgraphs = subgraphs;
    for (unsigned i = 0; i < from->core_count; i++) {
        fill_subgraph(demo, source, &subgraphs[i], i, from->core_first + i);
        fact_add(&model->memory_host_bytes, subgraphs[i].memory_host_bytes);
        fact_add(&model->memory_device_bytes, subgraphs[i].memory_device_bytes);
    }
}

static void fill_latency(struct process *process, const struct demo_process *from)
{
    const double *spread = from->part == PART_SERVER ? queued_spread : steady_spread;
    for (unsigned i = 0; from->latency_p50 > 0 && i < PERCENTILES; i++) {
        process->latency_total.seconds[i] = real(from->latency_p50 * spread[i]);
        process->latency_device.seconds[i] = real(from->latency_p50 * spread[i] * device_part);
    }
}

// Counts of the period and what they are a second. Nobody counts generic errors any more
// (neuron-monitor reference 3.3).
static void fill_counts(const struct demo *demo, struct process *process,
                        const struct demo_process *from)
{
    for (unsigned i = 0; i < EXECUTIONS; i++) {
        process->executions_in_period[i] = whole(from->executions[i]);
        process->executions_per_second[i] = real((double)from->executions[i] / demo->period);
    }
    for (unsigned i = ERR_GENERIC + 1; i < ERROR_KINDS; i++) {
        process->errors_in_period[i] = whole(from->errors[i]);
        process->errors_per_second[i] = real((double)from->errors[i] / demo->period);
    }
}

static void fill_identity(const struct demo *demo, struct host *host, struct process *process,
                          const struct demo_process *from)
{
    const struct demo_role *role = from->role;
    process->pid = whole(from->pid);
    process->tag = arena_strdup(host->arena, from->tag);
    process->visible_cores = arena_strdup(host->arena, from->visible_cores);
    process->user = role->user;
    process->command = from->command;
    process->state = role->state;
    process->launcher = role->launcher;
    process->ppid = whole(role->launcher != NULL ? role->pid : role->pid - 1);
    if (role->launcher != NULL)
        process->launcher_pid = whole(role->pid);
    process->started_unix_seconds = real(demo->began_unix - role->age_seconds);
    if (role->idle_seconds > 0)
        process->idle_seconds = real(role->idle_seconds + demo->time);
    const char *installed = host->versions.runtime_installed;
    process->runtime_version = role->older_runtime ? demo_older_runtime(demo->gen->id) : installed;
    process->container = role->container;
    process->pod = role->pod;
    process->pod_namespace = role->pod_namespace;
}

static void fill_groups(const struct demo *demo, struct process *process, double age)
{
    for (unsigned i = 0; i < GROUPS; i++) {
        process->groups[i].age_seconds = real(age);
        process->groups[i].period_seconds = real(demo->period);
    }
}

static void fill_use(struct process *process, const struct demo_process *from)
{
    process->utilization_percent = real(from->load * 100);
    process->cpu_user_percent = real(from->cpu_user);
    process->cpu_system_percent = real(from->cpu_system);
    process->memory_host_bytes = whole(from->host_bytes);
    for (unsigned i = 0; i < HOSTMEM_OTHER; i++)
        process->host_memory[i] = whole(from->host_memory[i]);
}

static void fill_process(const struct demo *demo, struct host *host, unsigned index, double age)
{
    const struct demo_process *from = &demo->processes[index];
    struct process *process = &host->processes[index];
    fill_identity(demo, host, process, from);
    fill_use(process, from);
    fill_counts(demo, process, from);
    fill_latency(process, from);
    fill_groups(demo, process, age);
    struct share *shares = ARENA_ARRAY(host->arena, from->core_count, struct share);
    process->shares = shares;
    process->share_count = from->core_count;
    for (unsigned i = 0; i < from->core_count; i++)
        fill_share(host, process, &shares[i], from->core_first + i);
    struct model *models = ARENA_ARRAY(host->arena, from->role->model_count, struct model);
    process->models = models;
    process->model_count = from->role->model_count;
    for (unsigned i = 0; i < process->model_count; i++)
        fill_model(demo, host, from, &models[i], i);
}

void demo_fill(const struct demo *demo, struct host *host, double now)
{
    double age = now > demo->last_tick ? now - demo->last_tick : 0;
    host->demo = true;
    host->live_rates = true;
    host->numbering = NUMBERING_LOGICAL;
    host->reports_read = demo->ticks;
    fill_instance(demo, host);
    fill_hardware(demo, host);
    fill_machine(demo, host);
    demo_versions(demo->gen->id, &host->versions);
    host->core_count = demo->core_count;
    host->cores = ARENA_ARRAY(host->arena, demo->core_count, struct core);
    unsigned *owners = ARENA_ARRAY(host->arena, demo->core_count, unsigned);
    for (unsigned i = 0; i < demo->core_count; i++)
        fill_core(demo, host, i, &owners[i]);
    host->chip_count = demo->chip_count;
    host->chips = ARENA_ARRAY(host->arena, demo->chip_count, struct chip);
    for (unsigned i = 0; i < demo->chip_count; i++)
        fill_chip(demo, host, i);
    host->process_count = demo->process_count;
    host->processes = ARENA_ARRAY(host->arena, demo->process_count, struct process);
    for (unsigned i = 0; i < demo->process_count; i++)
        fill_process(demo, host, i, age);
}
