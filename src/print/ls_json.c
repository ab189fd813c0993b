// SPDX-License-Identifier: Apache-2.0
// The JSON of `neutop ls`: a part of the snapshot's document, with the same keys (interface, "JSON
// of the single commands").
#include "host/descriptor.h"
#include "print/ls_parts.h"

// A figure that the vendor does not give is null.
static void emit_figure(struct emit *emit, const char *key, double value)
{
    if (value > 0)
        json_put_f64(&emit->writer, key, value);
    else
        json_put_null(&emit->writer, key);
}

static void emit_peaks(struct emit *emit, const char *key, const struct core_descriptor *of,
                       bool integer)
{
    json_begin_array(&emit->writer, key);
    for (unsigned i = 0; i < of->peak_count; i++) {
        const struct peak *peak = &of->peaks[i];
        if (peak->integer != integer)
            continue;
        json_begin_object(&emit->writer, NULL);
        json_put_string(&emit->writer, "data_type", peak->data_type);
        json_put_string(&emit->writer, "figure", peak_figure(peak));
        emit_figure(emit, "logical_core", peak->logical_core);
        emit_figure(emit, "physical_core", peak->physical_core);
        emit_figure(emit, "chip", peak->chip);
        json_end_object(&emit->writer);
    }
    json_end_array(&emit->writer);
}

static void emit_memory_boundary(struct emit *emit, const struct core_descriptor *of)
{
    json_begin_object(&emit->writer, "memory");
    emit_u64(emit, "bytes", of->memory_bytes);
    json_put_string(&emit->writer, "kind", of->memory_kind);
    json_put_string(&emit->writer, "boundary", of->boundary);
    if (of->shared_by > 0)
        json_put_u64(&emit->writer, "shared_by", of->shared_by);
    else
        json_put_null(&emit->writer, "shared_by");
    emit_core_set(emit, "cores", &of->sharers);
    json_end_object(&emit->writer);
}

static void emit_capabilities(struct emit *emit, unsigned capabilities)
{
    if (capabilities == 0) {
        json_put_null(&emit->writer, "capabilities");
        return;
    }
    json_begin_array(&emit->writer, "capabilities");
    for (unsigned bit = 0; bit < CAPABILITY_COUNT; bit++)
        if ((capabilities & 1u << bit) != 0)
            json_put_string(&emit->writer, NULL, capability_word((enum capability)(1u << bit)));
    json_end_array(&emit->writer);
}

static void emit_physical(struct emit *emit, const struct core_descriptor *of)
{
    json_begin_array(&emit->writer, "physical");
    for (unsigned i = 0; i < of->physical_count; i++)
        json_put_u64(&emit->writer, NULL, of->physical[i]);
    json_end_array(&emit->writer);
}

static void emit_descriptor(struct emit *emit, const struct core_descriptor *of)
{
    struct json_writer *writer = &emit->writer;
    json_begin_object(writer, NULL);
    json_put_u64(writer, "index", of->index);
    json_put_string(writer, "numbering",
                    of->numbering == NUMBERING_UNKNOWN ? NULL : numbering_word(of->numbering));
    emit_u64(emit, "logical", of->logical);
    json_put_u64(writer, "chip", of->chip);
    json_put_string(writer, "architecture", of->architecture[0] != '\0' ? of->architecture : NULL);
    if (of->width > 0)
        json_put_u64(writer, "physical_cores", of->width);
    else
        json_put_null(writer, "physical_cores");
    emit_physical(emit, of);
    emit_memory_boundary(emit, of);
    emit_capabilities(emit, of->capabilities);
    emit_peaks(emit, "peak_tflops", of, false);
    emit_peaks(emit, "peak_tops", of, true);
    emit_stale(emit);
    json_end_object(writer);
}

static void emit_descriptors(struct emit *emit, const struct host *host)
{
    json_begin_array(&emit->writer, "descriptors");
    for (unsigned i = 0; i < descriptor_count(host); i++) {
        struct core_descriptor of = descriptor_at(host, i);
        emit_descriptor(emit, &of);
    }
    json_end_array(&emit->writer);
}

void print_ls_json(FILE *out, const struct host *host, const struct ls_options *options)
{
    struct emit emit = {0};
    json_writer_init(&emit.writer);
    json_begin_object(&emit.writer, NULL);
    json_put_string(&emit.writer, "schema", "neutop.ls/1");
    emit_time(&emit, "time", host->time_unix_seconds);
    json_put_bool(&emit.writer, "demo", host->demo);
    emit_instance(&emit, &host->instance);
    emit_hardware(&emit, &host->hardware);
    emit_versions(&emit, host);
    emit_chips(&emit, host);
    emit_processes(&emit, host);
    if (options->cores)
        emit_descriptors(&emit, host);
    json_end_object(&emit.writer);
    json_writer_flush(&emit.writer, out);
    json_writer_free(&emit.writer);
}
