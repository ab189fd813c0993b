// SPDX-License-Identifier: Apache-2.0
// Prints JSON documents of hosts built by hand, for json_schema.py: nothing known, everything
// known, everything stale.
#include <stdio.h>
#include <stdlib.h>

#include "../unit/build_host.h"

static void show(const struct host *host)
{
    char *text = print_to_json(host);
    fputs(text, stdout);
    free(text);
}

static struct fact_u64 u64(bool stale)
{
    return (struct fact_u64){.value = 1, .from = FROM_SYSFS, .stale = stale};
}

static struct fact_f64 f64(bool stale)
{
    return (struct fact_f64){.value = 1.5, .from = FROM_SYSFS, .stale = stale};
}

static void fill_memory(struct fact_u64 *memory, bool stale)
{
    for (unsigned i = 0; i < MEM_CATEGORIES; i++)
        memory[i] = u64(stale);
}

static void fill_core(struct core *core, bool stale)
{
    core->numbering = NUMBERING_LOGICAL;
    core->physical_count = 2;
    core->physical[0] = (struct physical_core){.index = -1, .utilization_percent = f64(stale)};
    core->physical[1] = (struct physical_core){.index = 3};
    core->utilization_percent = core->flops_per_second = f64(stale);
    core->memory_used_bytes = u64(stale);
    fill_memory(core->memory, stale);
    core->pod = core->pod_namespace = core->container = "text";
    core->hidden_owners = 1;
}

static void fill_chip(struct chip *chip, bool stale)
{
    chip->node = "text";
    chip->pci = chip->cpu_affinity = chip->serial = chip->health_detail = "text";
    chip->numa_node = u64(stale);
    chip->connected_known = true;
    chip->connected_count = 1;
    chip->power_percent = chip->utilization_percent = f64(stale);
    chip->health = HEALTH_UNHEALTHY;
    chip->ecc.mem_corrected = chip->ecc.mem_uncorrected = chip->ecc.mem_repairable = u64(stale);
    chip->ecc.sram_corrected = chip->ecc.sram_uncorrected = u64(stale);
}

static const struct model one_model[] = {{.name = "text", .uuid = "text", .state = MODEL_RUNNING},
                                         {.name = NULL}};

static const struct core_set device_2 = {.bits = {1 << 2}};

static void fill_process(struct process *process, bool stale)
{
    process->tag = process->user = process->command = process->address = process->launcher = "text";
    process->state = PROCESS_ZOMBIE;
    process->ppid = process->launcher_pid = u64(false);
    process->started_unix_seconds = f64(false);
    process->idle_seconds = f64(stale);
    process->memory_device_bytes = process->memory_host_bytes = u64(stale);
    fill_memory(process->memory, stale);
    for (unsigned i = 0; i < HOSTMEM_CATEGORIES; i++)
        process->host_memory[i] = u64(stale);
    process->cpu_user_percent = process->cpu_system_percent = f64(stale);
    process->utilization_percent = process->flops_per_second = f64(stale);
    for (unsigned i = 0; i < PERCENTILES; i++)
        process->latency_total.seconds[i] = process->latency_device.seconds[i] = f64(stale);
    for (unsigned i = 0; i < EXECUTIONS; i++) {
        process->executions_per_second[i] = f64(stale);
        process->executions_in_period[i] = u64(stale);
    }
    for (unsigned i = 0; i < ERROR_KINDS; i++) {
        process->errors_per_second[i] = f64(stale);
        process->errors_in_period[i] = u64(stale);
    }
    for (unsigned i = 0; i < GROUPS; i++)
        process->groups[i].error = "text";
    process->runtime_version = process->visible_cores = process->container = "text";
    process->pod = process->pod_namespace = process->error = "text";
    process->container_id = process->visible_devices = "text";
    process->given = &device_2;
    process->model_count = 2;
    process->models = one_model;
}

static void fill_host(struct host *host, bool stale)
{
    struct machine *machine = &host->machine;
    struct versions *versions = &host->versions;
    host->instance.error = host->hardware.error = machine->cpu_error = machine->memory_error =
        "text";
    host->input_trouble = "text";
    host->reports_damaged = 1;
    machine->cpus = machine->memory_total_bytes = machine->memory_used_bytes = u64(stale);
    machine->swap_total_bytes = machine->swap_used_bytes = u64(stale);
    machine->cpu_user_percent = machine->cpu_system_percent = f64(stale);
    versions->driver = versions->driver_installed = versions->runtime_installed = "2.24.7";
    versions->collectives = versions->tools = versions->compiler = "2.24.7";
    versions->compat_min = versions->compat_max = u64(stale);
    for (unsigned i = 0; i < host->chip_count; i++)
        fill_chip(&host->chips[i], stale);
    for (unsigned i = 0; i < host->core_count; i++)
        fill_core(&host->cores[i], stale);
    for (unsigned i = 0; i < host->process_count; i++)
        fill_process(&host->processes[i], stale);
    build_source(host, "monitor", SOURCE_LIVE, 1, "text");
    build_source(host, "sysfs", SOURCE_LOST, 1, "text");
    build_source(host, "device", SOURCE_DENIED, -1, NULL);
}

int main(void)
{
    struct host *host = host_new();
    show(host);
    host_free(host);
    for (int stale = 0; stale < 2; stale++) {
        host = build_host("trn2.3xlarge", 0);
        build_process(host, 7, "text", 0, 2);
        fill_host(host, stale);
        show(host);
        host_free(host);
    }
    return 0;
}
