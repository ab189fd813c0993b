// SPDX-License-Identifier: Apache-2.0
// The JSON of `neuron-ls -j`, key for key (neuron-monitor JSON reference, section 7.1), so that
// scripts written for it go on. A key whose value nobody knows is left out, as neuron-ls does.
#include "host/descriptor.h"
#include "print/ls_parts.h"

enum { INDENT = 4 };

// On one chip alone there is nothing to connect: null.
static void connected_to(struct json_writer *writer, const struct chip *chip)
{
    if (!chip->connected_known || chip->connected_count == 0) {
        json_put_null(writer, "connected_to");
        return;
    }
    json_begin_array(writer, "connected_to");
    for (unsigned i = 0; i < chip->connected_count; i++)
        json_put_u64(writer, NULL, chip->connected[i]);
    json_end_array(writer);
}

// A text here, and "-1" where the host has no such nodes: that is known when the PCI files were
// read.
static void numa_node(struct json_writer *writer, const struct chip *chip)
{
    char text[24];
    if (known_u64(chip->numa_node))
        snprintf(text, sizeof(text), "%llu", (unsigned long long)chip->numa_node.value);
    else
        snprintf(text, sizeof(text), "-1");
    if (known_u64(chip->numa_node) || chip->cpu_affinity != NULL)
        json_put_string(writer, "numa_node", text);
}

// Logical indices. Where only physical cores are known they are counted from the place of the chip
// among those that can be seen (neuron-monitor JSON reference, section 4).
static void core_ids(struct json_writer *writer, const struct host *host, unsigned place,
                     uint64_t per_chip)
{
    const struct chip *chip = &host->chips[place];
    bool physical = host->numbering == NUMBERING_PHYSICAL || chip->core_count != per_chip;
    json_begin_array(writer, "neuroncore_ids");
    for (unsigned i = 0; i < per_chip; i++)
        json_put_u64(writer, NULL,
                     physical ? place * per_chip + i : host->cores[chip->core_first + i].index);
    json_end_array(writer);
}

// Three numbers, as the runtime itself tells neuron-ls; its library's version has a fourth.
static const char *version_text(char *buffer, size_t size, const char *version)
{
    size_t length = 0;
    for (unsigned dots = 0; version[length] != '\0'; length++)
        if (version[length] == '.' && ++dots == 3)
            break;
    snprintf(buffer, size, "%.*s", (int)length, version);
    return buffer;
}

static void process_object(struct json_writer *writer, const struct process *process)
{
    char text[64];
    const char *version = process->runtime_version;
    json_begin_object(writer, NULL);
    json_put_u64(writer, "pid", known_u64(process->pid) ? process->pid.value : 0);
    json_put_string(writer, "command", process->command != NULL ? process->command : "");
    json_put_string(writer, "neuron_runtime_version",
                    version != NULL ? version_text(text, sizeof(text), version) : "NA");
    json_end_object(writer);
}

static void processes_array(struct json_writer *writer, const struct host *host,
                            const struct chip *chip, const struct ls_options *options)
{
    json_begin_array(writer, "neuron_processes");
    for (unsigned i = 0; i < host->process_count; i++)
        if (ls_listed(&host->processes[i], chip, options))
            process_object(writer, &host->processes[i]);
    json_end_array(writer);
}

static void put_known_string(struct json_writer *writer, const char *key, const char *text)
{
    if (text != NULL)
        json_put_string(writer, key, text);
}

static void put_known_u64(struct json_writer *writer, const char *key, struct fact_u64 fact)
{
    if (known_u64(fact))
        json_put_u64(writer, key, fact.value);
}

static void device(struct json_writer *writer, const struct host *host, unsigned place,
                   const struct ls_options *options)
{
    const struct chip *chip = &host->chips[place];
    const struct generation *gen = host->hardware.generation;
    struct fact_u64 per_chip = chip_logical_cores(host, chip);
    json_begin_object(writer, NULL);
    put_known_string(writer, "instance_type", host->instance.type);
    put_known_string(writer, "instance_id", host->instance.id);
    json_put_u64(writer, "neuron_device", chip->index);
    put_known_string(writer, "bdf", chip->pci);
    put_known_string(writer, "cpu_affinity", chip->cpu_affinity);
    numa_node(writer, chip);
    connected_to(writer, chip);
    put_known_u64(writer, "nc_count", per_chip);
    if (gen == NULL || gen->lnc_max > 1)
        put_known_u64(writer, "logical_neuroncore_config", host->hardware.lnc);
    put_known_u64(writer, "memory_size", chip->memory_total_bytes);
    if (known_u64(per_chip) && per_chip.value <= CORE_SET_MAX)
        core_ids(writer, host, place, per_chip.value);
    processes_array(writer, host, chip, options);
    json_end_object(writer);
}

void print_ls_neuron(FILE *out, const struct host *host, const struct ls_options *options)
{
    struct json_writer writer;
    json_writer_init(&writer);
    writer.indent = INDENT;
    json_begin_array(&writer, NULL);
    for (unsigned i = 0; i < host->chip_count; i++)
        device(&writer, host, i, options);
    json_end_array(&writer);
    json_writer_flush(&writer, out);
    json_writer_free(&writer);
}
