// SPDX-License-Identifier: Apache-2.0
// The JSON document of a snapshot, schema "neutop.host/1" (interface, "JSON of a snapshot";
// data/neutop.host.schema.json).
#include "host/sdk.h"
#include "print/json_parts.h"
#include "print/print.h"

static void emit_sources(struct emit *emit, const struct host *host)
{
    struct json_writer *writer = &emit->writer;
    json_begin_array(writer, "sources");
    for (unsigned i = 0; i < host->source_count; i++) {
        const struct source_status *source = &host->sources[i];
        json_begin_object(writer, NULL);
        json_put_string(writer, "name", source->name);
        json_put_string(writer, "state", source_state_word(source->state));
        emit_seconds(emit, "age_seconds", source->age_seconds);
        json_put_string(writer, "detail", source->detail);
        json_end_object(writer);
    }
    json_end_array(writer);
    emit->stale_count = 0; // the state says it
}

void emit_instance(struct emit *emit, const struct instance *instance)
{
    struct json_writer *writer = &emit->writer;
    json_begin_object(writer, "instance");
    json_put_string(writer, "id", instance->id);
    json_put_string(writer, "type", instance->type);
    json_put_string(writer, "name", instance->name);
    json_put_string(writer, "region", instance->region);
    json_put_string(writer, "availability_zone", instance->availability_zone);
    json_put_string(writer, "ultraserver_id", instance->ultraserver_id);
    emit_optional(emit, "error", instance->error);
    json_end_object(writer);
}

void emit_hardware(struct emit *emit, const struct hardware *hardware)
{
    struct json_writer *writer = &emit->writer;
    json_begin_object(writer, "hardware");
    json_put_string(writer, "chip", hardware->chip);
    json_put_string(writer, "neuroncore", hardware->neuroncore);
    emit_u64(emit, "chips", hardware->chips);
    emit_u64(emit, "physical_cores_per_chip", hardware->physical_cores_per_chip);
    emit_u64(emit, "logical_cores_per_chip", hardware->logical_cores_per_chip);
    emit_u64(emit, "lnc", hardware->lnc);
    emit_u64(emit, "device_memory_bytes_per_chip", hardware->device_memory_bytes_per_chip);
    emit_stale(emit);
    emit_optional(emit, "error", hardware->error);
    json_end_object(writer);
}

static void emit_machine(struct emit *emit, const struct machine *machine)
{
    json_begin_object(&emit->writer, "host");
    emit_f64(emit, "cpu_user_percent", machine->cpu_user_percent);
    emit_f64(emit, "cpu_system_percent", machine->cpu_system_percent);
    emit_u64(emit, "cpus", machine->cpus);
    emit_u64(emit, "memory_total_bytes", machine->memory_total_bytes);
    emit_u64(emit, "memory_used_bytes", machine->memory_used_bytes);
    emit_u64(emit, "swap_total_bytes", machine->swap_total_bytes);
    emit_u64(emit, "swap_used_bytes", machine->swap_used_bytes);
    emit_stale(emit);
    emit_optional(emit, "cpu_error", machine->cpu_error);
    emit_optional(emit, "memory_error", machine->memory_error);
    json_end_object(&emit->writer);
}

// The releases of a set, oldest first; null when nothing is known of which release it is.
static void emit_releases(struct emit *emit, const char *key, const struct host *host, uint64_t set,
                          bool known)
{
    struct json_writer *writer = &emit->writer;
    if (!known) {
        json_put_null(writer, key);
        return;
    }
    json_begin_array(writer, key);
    for (size_t row = host->releases->row_count; row-- > 0;)
        if ((set >> row & 1) != 0)
            json_put_string(writer, NULL, host->releases->rows[row].sdk);
    json_end_array(writer);
}

static void emit_packages(struct emit *emit, const struct host *host, const struct sdk_part *parts,
                          unsigned count)
{
    struct json_writer *writer = &emit->writer;
    json_begin_array(writer, "packages");
    for (unsigned i = 0; i < count; i++) {
        json_begin_object(writer, NULL);
        json_put_string(writer, "name", component_name(parts[i].component));
        json_put_string(writer, "version", parts[i].version);
        emit_releases(emit, "sdk", host, parts[i].releases, parts[i].releases != 0);
        json_end_object(writer);
    }
    json_end_array(writer);
}

static void emit_environments(struct emit *emit, const struct host *host)
{
    struct json_writer *writer = &emit->writer;
    struct sdk_part parts[SDK_PARTS_MAX];
    json_begin_array(writer, "environments");
    for (unsigned i = 0; i < host->versions.environment_count; i++) {
        const struct environment *environment = &host->versions.environments[i];
        json_begin_object(writer, NULL);
        json_put_string(writer, "path", environment->path);
        json_put_bool(writer, "used", environment->used);
        emit_packages(emit, host, parts, sdk_environment_parts(host, environment, parts));
        json_end_object(writer);
    }
    json_end_array(writer);
}

// What is newer than each release of the table: not unknown, just not in it.
static void emit_newer(struct emit *emit, const struct host *host)
{
    struct json_writer *writer = &emit->writer;
    struct sdk_part parts[SDK_USED_MAX];
    uint64_t all;
    unsigned count = sdk_used_parts(host, parts, &all);
    json_begin_array(writer, "newer_than_known");
    for (unsigned i = 0; i < count; i++) {
        if (!parts[i].newer)
            continue;
        json_begin_object(writer, NULL);
        json_put_string(writer, "name", component_name(parts[i].component));
        json_put_string(writer, "version", parts[i].version);
        json_end_object(writer);
    }
    json_end_array(writer);
}

void emit_versions(struct emit *emit, const struct host *host)
{
    const struct versions *versions = &host->versions;
    struct sdk_part parts[SDK_PARTS_MAX];
    unsigned count = sdk_host_parts(host, parts);
    bool known = false;
    for (unsigned i = 0; i < count; i++)
        known = known || parts[i].releases != 0;
    struct json_writer *writer = &emit->writer;
    json_begin_object(writer, "versions");
    json_put_string(writer, "driver", versions->driver);
    json_put_string(writer, "driver_installed", versions->driver_installed);
    emit_u64(emit, "compat_min", versions->compat_min);
    emit_u64(emit, "compat_max", versions->compat_max);
    json_put_string(writer, "runtime_installed", versions->runtime_installed);
    json_put_string(writer, "collectives", versions->collectives);
    json_put_string(writer, "tools", versions->tools);
    json_put_string(writer, "compiler", versions->compiler);
    emit_releases(emit, "sdk", host, sdk_of_host(host), known);
    emit_newer(emit, host);
    emit_u64(emit, "driver_handles", versions->driver_handles);
    emit_packages(emit, host, parts, count);
    emit_environments(emit, host);
    emit_stale(emit);
    json_end_object(writer);
}

static void emit_input(struct emit *emit, const struct host *host)
{
    struct json_writer *writer = &emit->writer;
    json_begin_object(writer, "input");
    json_put_u64(writer, "reports_read", host->reports_read);
    json_put_u64(writer, "reports_damaged", host->reports_damaged);
    emit_optional(emit, "trouble", host->input_trouble);
    json_end_object(writer);
}

void emit_findings(struct emit *emit, const struct findings *findings)
{
    struct json_writer *writer = &emit->writer;
    json_begin_array(writer, "findings");
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        json_begin_object(writer, NULL);
        json_put_string(writer, "id", finding->id);
        json_put_string(writer, "severity", severity_word(finding->severity));
        json_put_string(writer, "subject", finding->subject);
        json_put_string(writer, "summary", finding->summary);
        json_begin_array(writer, "evidence");
        for (unsigned e = 0; e < finding->evidence_count; e++)
            json_put_string(writer, NULL, finding->evidence[e]);
        json_end_array(writer);
        json_put_string(writer, "remedy", finding->remedy);
        json_end_object(writer);
    }
    json_end_array(writer);
}

void print_json(FILE *out, const struct host *host, const struct findings *findings)
{
    struct emit emit = {0};
    json_writer_init(&emit.writer);
    json_begin_object(&emit.writer, NULL);
    json_put_string(&emit.writer, "schema", "neutop.host/1");
    emit_time(&emit, "time", host->time_unix_seconds);
    json_put_bool(&emit.writer, "demo", host->demo);
    json_put_bool(&emit.writer, "finished", host->finished);
    emit_sources(&emit, host);
    emit_input(&emit, host);
    emit_instance(&emit, &host->instance);
    emit_hardware(&emit, &host->hardware);
    emit_machine(&emit, &host->machine);
    emit_versions(&emit, host);
    if (known_u64(host->unseen_handles))
        json_put_u64(&emit.writer, "unseen_handles", host->unseen_handles.value);
    emit_chips(&emit, host);
    json_put_bool(&emit.writer, "owners_known", host_owners_known(host));
    emit_processes(&emit, host);
    emit_findings(&emit, findings);
    json_end_object(&emit.writer);
    json_writer_flush(&emit.writer, out);
    json_writer_free(&emit.writer);
}
