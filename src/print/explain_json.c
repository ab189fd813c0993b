// SPDX-License-Identifier: Apache-2.0
// The JSON of `neutop explain`: schema neutop.explain/1, data/neutop.explain.schema.json.
#include "print/explain.h"

#include <stdlib.h>
#include <string.h>

#include "print/json_parts.h"

static void put_text(struct emit *emit, const char *key, const char *text)
{
    json_put_string(&emit->writer, key, text != NULL && text[0] != '\0' ? text : NULL);
}

static void put_lines(struct emit *emit, const char *key, const char *const *lines, size_t count)
{
    json_begin_array(&emit->writer, key);
    for (size_t i = 0; i < count; i++)
        json_put_string(&emit->writer, NULL, lines[i]);
    json_end_array(&emit->writer);
}

static void put_hex(struct emit *emit, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof(text), "0x%llx", (unsigned long long)value);
    json_put_string(&emit->writer, key, text);
}

static void put_value(struct emit *emit, const struct value *value)
{
    const struct capture_row *row = &capture_rows[value->capture];
    if (row->form == FORM_TEXT)
        json_put_string(&emit->writer, row->key, value->text);
    else if (row->form == FORM_HEX)
        put_hex(emit, row->key, value->number);
    else if (row->form == FORM_SIGNED)
        json_put_f64(&emit->writer, row->key, (double)(int64_t)value->number);
    else
        json_put_u64(&emit->writer, row->key, value->number);
}

static void put_values(struct emit *emit, const struct explained *item)
{
    json_begin_object(&emit->writer, "values");
    for (size_t i = 0; i < item->group->value_count; i++)
        put_value(emit, &item->group->values[i]);
    if (item->missing != 0)
        put_hex(emit, "missing_features", item->missing);
    json_end_object(&emit->writer);
}

static void put_pids(struct emit *emit, const struct error_group *group)
{
    json_begin_array(&emit->writer, "pids");
    for (size_t i = 0; i < group->pid_count; i++)
        json_put_u64(&emit->writer, NULL, group->pids[i]);
    json_end_array(&emit->writer);
}

static void put_places(struct emit *emit, const struct error_group *group)
{
    json_begin_array(&emit->writer, "places");
    for (size_t i = 0; i < group->place_count; i++) {
        json_begin_object(&emit->writer, NULL);
        json_put_u64(&emit->writer, "chip", (uint64_t)group->places[i].chip);
        if (group->places[i].core >= 0)
            json_put_u64(&emit->writer, "core_in_chip", (uint64_t)group->places[i].core);
        else
            json_put_null(&emit->writer, "core_in_chip");
        json_end_object(&emit->writer);
    }
    json_end_array(&emit->writer);
}

static void put_table(struct emit *emit, const struct explained *item)
{
    const struct memory_table *table = item->group->table;
    if (table == NULL || table->count == 0)
        return;
    json_begin_object(&emit->writer, "memory");
    if (table->has_total)
        json_put_u64(&emit->writer, "total_bytes", table->total.bytes);
    else
        json_put_null(&emit->writer, "total_bytes");
    if (item->limit_bytes != 0)
        json_put_u64(&emit->writer, "limit_bytes", item->limit_bytes);
    json_put_bool(&emit->writer, "adds_up", table_adds_up(table));
    json_begin_array(&emit->writer, "parts");
    for (size_t i = 0; i < table->count; i++) {
        json_begin_object(&emit->writer, NULL);
        json_put_string(&emit->writer, "category", table->parts[i].name);
        json_put_u64(&emit->writer, "bytes", table->parts[i].bytes);
        json_end_object(&emit->writer);
    }
    json_end_array(&emit->writer);
    json_end_object(&emit->writer);
}

static void put_error(struct emit *emit, const struct explained *item)
{
    const struct error_group *group = item->group;
    struct json_writer *writer = &emit->writer;
    json_begin_object(writer, NULL);
    json_put_string(writer, "id", group->message->id);
    json_put_string(writer, "role", message_role_word(group->role));
    json_put_string(writer, "origin", group->spelling->origin);
    json_put_u64(writer, "count", group->count);
    json_put_u64(writer, "parts", group->parts_absorbed);
    json_put_u64(writer, "first_line", group->first_line);
    json_put_u64(writer, "last_line", group->last_line);
    put_text(emit, "first_time", group->first_time);
    put_text(emit, "last_time", group->last_time);
    put_pids(emit, group);
    put_places(emit, group);
    put_values(emit, item);
    put_table(emit, item);
    json_put_string(writer, "summary", item->summary);
    put_lines(emit, "says", item->said, item->said_count);
    put_text(emit, "meaning", item->meaning);
    put_lines(emit, "here", item->now, item->now_count);
    put_text(emit, "remedy", item->remedy);
    json_end_object(writer);
}

static void put_job(struct emit *emit, const struct log_job *job)
{
    struct json_writer *writer = &emit->writer;
    json_begin_object(writer, NULL);
    json_put_u64(writer, "pid", job->pid);
    put_text(emit, "runtime", job->runtime);
    put_text(emit, "driver", job->driver);
    put_text(emit, "collectives", job->collectives);
    put_text(emit, "firmware", job->firmware);
    put_text(emit, "architecture", job->architecture);
    put_text(emit, "visible_cores", job->visible_cores);
    put_text(emit, "instance_id", job->instance);
    put_text(emit, "cluster_id", job->cluster);
    put_text(emit, "node", job->node);
    put_text(emit, "kernel", job->kernel);
    put_text(emit, "failure", job->failure);
    if (job->has_lnc && job->lnc > 0)
        json_put_u64(writer, "lnc", job->lnc);
    else
        json_put_null(writer, "lnc");
    if (job->has_chips) {
        json_put_u64(writer, "chips", job->chips);
        json_put_u64(writer, "cores_per_chip", job->cores_per_chip);
    }
    json_end_object(writer);
}

static void put_input(struct emit *emit, const struct joblog *log, const char *name)
{
    const struct joblog_input *input = joblog_input(log);
    json_begin_object(&emit->writer, "input");
    json_put_string(&emit->writer, "name", name);
    json_put_u64(&emit->writer, "bytes", input->bytes);
    json_put_u64(&emit->writer, "lines", input->lines);
    json_put_u64(&emit->writer, "unknown_errors", input->unknown);
    if (input->unknown > 0) {
        json_put_u64(&emit->writer, "unknown_first_line", input->unknown_line);
        json_put_string(&emit->writer, "unknown_first_text", input->unknown_text);
    }
    json_put_u64(&emit->writer, "not_counted", input->lost);
    json_end_object(&emit->writer);
}

// null: the host was not looked at.
static void put_host(struct emit *emit, const struct explain_host *all)
{
    const struct host *host = all->host;
    if (host == NULL) {
        json_put_null(&emit->writer, "host");
        return;
    }
    json_begin_object(&emit->writer, "host");
    emit_time(emit, "time", host->time_unix_seconds);
    json_put_bool(&emit->writer, "demo", host->demo);
    json_put_bool(&emit->writer, "neuron_facts", host->chip_count > 0 || host->process_count > 0);
    json_put_string(&emit->writer, "instance_id", host->instance.id);
    json_put_string(&emit->writer, "instance_type", host->instance.type);
    json_end_object(&emit->writer);
}

void print_explain_json(FILE *out, const struct joblog *log, const struct explanation *explanation,
                        const struct explain_host *host, const struct explain_print *options)
{
    struct emit emit = {0};
    json_writer_init(&emit.writer);
    json_begin_object(&emit.writer, NULL);
    json_put_string(&emit.writer, "schema", "neutop.explain/1");
    put_input(&emit, log, options->name);
    json_put_bool(&emit.writer, "offline", options->offline);
    put_host(&emit, host);
    put_text(&emit, "note", explanation->elsewhere);
    json_begin_array(&emit.writer, "errors");
    for (size_t i = 0; i < explanation->count; i++)
        put_error(&emit, &explanation->items[i]);
    json_end_array(&emit.writer);
    json_begin_array(&emit.writer, "jobs");
    for (size_t i = 0; i < joblog_job_count(log); i++)
        put_job(&emit, joblog_job(log, i));
    json_end_array(&emit.writer);
    json_end_object(&emit.writer);
    json_writer_flush(&emit.writer, out);
    json_writer_free(&emit.writer);
}
