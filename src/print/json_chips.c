// SPDX-License-Identifier: Apache-2.0
// Chips and their logical cores as JSON.
#include "print/json_parts.h"

// Processes as an array of PIDs; null where a process has none (neuron-rtd of tools 1.x).
static void emit_owners(struct emit *emit, const struct host *host, const unsigned *owners,
                        unsigned count)
{
    json_begin_array(&emit->writer, "owners");
    for (unsigned i = 0; i < count; i++)
        emit_u64(emit, NULL, host->processes[owners[i]].pid);
    json_end_array(&emit->writer);
}

static void emit_physical(struct emit *emit, const struct core *core)
{
    struct json_writer *writer = &emit->writer;
    json_begin_array(writer, "physical");
    for (unsigned i = 0; i < core->physical_count; i++) {
        if (core->physical[i].index < 0)
            json_put_null(writer, NULL);
        else
            json_put_u64(writer, NULL, (uint64_t)core->physical[i].index);
    }
    json_end_array(writer);
}

static void emit_physical_utilization(struct emit *emit, const struct core *core)
{
    bool stale = false;
    json_begin_array(&emit->writer, "physical_utilization_percent");
    for (unsigned i = 0; i < core->physical_count; i++) {
        emit_f64(emit, NULL, core->physical[i].utilization_percent);
        stale = stale || core->physical[i].utilization_percent.stale;
    }
    json_end_array(&emit->writer);
    if (stale)
        emit_stale_key(emit, "physical_utilization_percent");
}

static void emit_core(struct emit *emit, const struct host *host, const struct core *core)
{
    struct json_writer *writer = &emit->writer;
    json_begin_object(writer, NULL);
    json_put_u64(writer, "index", core->index);
    json_put_string(writer, "numbering",
                    core->numbering == NUMBERING_UNKNOWN ? NULL : numbering_word(core->numbering));
    emit_u64(emit, "logical", core->logical);
    json_put_string(writer, "state", core_state_word(core_state(core)));
    emit_physical(emit, core);
    emit_f64(emit, "utilization_percent", core->utilization_percent);
    emit_f64(emit, "flops_per_second", core->flops_per_second);
    if (known_f64(core->tensor_active_percent)) // only on request
        emit_f64(emit, "tensor_active_percent", core->tensor_active_percent);
    emit_u64(emit, "memory_used_bytes", core->memory_used_bytes);
    emit_u64(emit, "memory_limit_bytes", core->memory_limit_bytes);
    if (core->memory_shared_by > 0)
        json_put_u64(writer, "memory_shared_by", core->memory_shared_by);
    emit_memory(emit, "memory", core->memory);
    if (core->owners_known)
        emit_owners(emit, host, core->owners, core->owner_count);
    else
        json_put_null(writer, "owners");
    if (core->hidden_owners > 0)
        json_put_u64(writer, "hidden_owners", core->hidden_owners);
    emit_physical_utilization(emit, core);
    emit_optional(emit, "pod", core->pod);
    emit_optional(emit, "namespace", core->pod_namespace);
    emit_optional(emit, "container", core->container);
    emit_stale(emit);
    json_end_object(writer);
}

static void emit_connected(struct emit *emit, const struct chip *chip)
{
    struct json_writer *writer = &emit->writer;
    if (!chip->connected_known) {
        json_put_null(writer, "connected");
        return;
    }
    json_begin_array(writer, "connected");
    for (unsigned i = 0; i < chip->connected_count; i++)
        json_put_u64(writer, NULL, chip->connected[i]);
    json_end_array(writer);
}

static void emit_ecc(struct emit *emit, const struct ecc *ecc)
{
    json_begin_object(&emit->writer, "ecc");
    emit_u64(emit, "mem_corrected", ecc->mem_corrected);
    emit_u64(emit, "mem_uncorrected", ecc->mem_uncorrected);
    emit_u64(emit, "mem_repairable", ecc->mem_repairable);
    emit_u64(emit, "sram_corrected", ecc->sram_corrected);
    emit_u64(emit, "sram_uncorrected", ecc->sram_uncorrected);
    json_put_bool(&emit->writer, "increased", ecc->increased);
    json_end_object(&emit->writer);
}

static void emit_chip(struct emit *emit, const struct host *host, const struct chip *chip)
{
    struct json_writer *writer = &emit->writer;
    json_begin_object(writer, NULL);
    json_put_u64(writer, "index", chip->index);
    emit_optional(emit, "node", chip->node);
    json_put_string(writer, "pci", chip->pci);
    emit_u64(emit, "numa_node", chip->numa_node);
    json_put_string(writer, "cpu_affinity", chip->cpu_affinity);
    json_put_string(writer, "serial", chip->serial);
    emit_connected(emit, chip);
    emit_u64(emit, "memory_total_bytes", chip->memory_total_bytes);
    emit_u64(emit, "memory_used_bytes", chip->memory_used_bytes);
    emit_f64(emit, "utilization_percent", chip->utilization_percent);
    emit_f64(emit, "power_percent", chip->power_percent);
    json_put_string(writer, "health", health_word(chip->health));
    emit_optional(emit, "health_detail", chip->health_detail);
    if (chip->held_unseen)
        json_put_bool(writer, "held_unseen", true);
    emit_ecc(emit, &chip->ecc);
    emit_stale(emit);
    json_begin_array(writer, "cores");
    for (unsigned i = 0; i < chip->core_count; i++)
        emit_core(emit, host, &host->cores[chip->core_first + i]);
    json_end_array(writer);
    json_end_object(writer);
}

void emit_chips(struct emit *emit, const struct host *host)
{
    json_begin_array(&emit->writer, "chips");
    for (unsigned i = 0; i < host->chip_count; i++)
        emit_chip(emit, host, &host->chips[i]);
    json_end_array(&emit->writer);
}
