// SPDX-License-Identifier: Apache-2.0
// The JSON of `neutop cores` (interface, "JSON of the single commands").
#include "base/arena.h"
#include "print/cores.h"
#include "print/json_parts.h"

static void emit_pids(struct emit *emit, const char *key, const struct host *host,
                      const unsigned *processes, unsigned count, bool unseen)
{
    json_begin_array(&emit->writer, key);
    for (unsigned i = 0; i < count; i++)
        emit_u64(emit, NULL, host->processes[processes[i]].pid);
    if (unseen)
        json_put_null(&emit->writer, NULL); // someone whose PID cannot be told
    json_end_array(&emit->writer);
}

static void emit_core(struct emit *emit, const struct free_cores *cores,
                      const struct free_core *core)
{
    const struct host *host = cores->host;
    struct json_writer *writer = &emit->writer;
    bool held = core->state == FREE_HELD;
    json_begin_object(writer, NULL);
    json_put_u64(writer, "index", core->index);
    json_put_string(writer, "state", free_state_word(core->state));
    emit_pids(emit, "held_by", host, core->holders, held ? core->holder_count : 0, core->unseen);
    if (held && core->holder_count > 0)
        json_put_string(writer, "certainty", certainty_word(core->certainty));
    if (core->state == FREE_UNKNOWN && core->holder_count > 0)
        emit_pids(emit, "chip_open_by", host, core->holders, core->holder_count, false);
    emit_optional(emit, "why", free_core_why(cores, core));
    emit_time(emit, "since",
              held && known_f64(core->since_unix_seconds) ? core->since_unix_seconds.value : 0);
    emit_seconds(emit, "idle_seconds", held ? core->idle_seconds : (struct fact_f64){0});
    emit_stale(emit);
    json_end_object(writer);
}

static void emit_chip_cores(struct emit *emit, const struct free_cores *cores, unsigned index)
{
    const struct chip *chip = &cores->host->chips[index];
    json_begin_object(&emit->writer, NULL);
    json_put_u64(&emit->writer, "index", chip->index);
    emit_optional(emit, "node", chip->node);
    json_begin_array(&emit->writer, "cores");
    for (unsigned i = 0; i < cores->count; i++)
        if (cores->cores[i].chip == index)
            emit_core(emit, cores, &cores->cores[i]);
    json_end_array(&emit->writer);
    json_end_object(&emit->writer);
}

// Each process once that holds one of the cores in SET.
static void emit_blockers(struct emit *emit, const struct free_cores *cores,
                          const struct core_set *set)
{
    const struct host *host = cores->host;
    bool *blocks = ARENA_ARRAY(host->arena, host->process_count, bool), unseen = false;
    for (unsigned i = 0; i < cores->count; i++) {
        const struct free_core *core = &cores->cores[i];
        if (!core_set_has(set, core->index))
            continue;
        unseen = unseen || core->unseen;
        for (unsigned j = 0; core->state == FREE_HELD && j < core->holder_count; j++)
            blocks[core->holders[j]] = true;
    }
    json_begin_array(&emit->writer, "blockers");
    for (unsigned p = 0; p < host->process_count; p++)
        if (blocks[p])
            emit_u64(emit, NULL, host->processes[p].pid);
    if (unseen)
        json_put_null(&emit->writer, NULL);
    json_end_array(&emit->writer);
}

static void emit_problem(struct emit *emit, const struct free_cores *cores,
                         const struct core_set *set)
{
    char text[128], devices[80];
    unsigned gap = free_cores_gap(cores, set);
    if (!core_set_contiguous(set)) {
        json_put_string(&emit->writer, "problem", "not contiguous: the runtime does not accept it");
    } else if (gap != 0) {
        snprintf(text, sizeof(text), "a job over them fails: %s",
                 free_cores_gap_text(devices, sizeof(devices), cores, gap));
        json_put_string(&emit->writer, "problem", text);
    }
}

static void emit_asked(struct emit *emit, const struct free_cores *cores,
                       const struct cores_question *question)
{
    static const struct core_set none;
    struct json_writer *writer = &emit->writer;
    if (question->spec == NULL) {
        json_put_null(writer, "asked");
        return;
    }
    json_begin_object(writer, "asked");
    json_put_string(writer, "spec", question->spec);
    json_put_string(writer, "state", free_state_word(free_cores_state(cores, &question->set)));
    emit_blockers(emit, cores, cores->numbered ? &question->set : &none);
    emit_problem(emit, cores, &question->set);
    json_end_object(writer);
}

static void emit_free(struct emit *emit, const struct cores_question *question)
{
    struct json_writer *writer = &emit->writer;
    char text[32];
    struct core_set set;
    if (question->wanted == 0)
        return;
    core_set_clear(&set);
    for (unsigned i = 0; i < question->run.count; i++)
        core_set_add(&set, question->run.first + i);
    json_begin_object(writer, "free");
    json_put_u64(writer, "wanted", question->wanted);
    json_put_string(writer, "spec",
                    question->run.count > 0 ? core_set_format(&set, text, sizeof(text)) : NULL);
    json_put_string(writer, "why", question->why);
    json_end_object(writer);
}

static void emit_runs(struct emit *emit, const struct free_cores *cores)
{
    struct core_run run = free_cores_run(cores, 0);
    json_begin_array(&emit->writer, "free_runs");
    for (; run.count > 0; run = free_cores_run(cores, run.first + run.count)) {
        json_begin_object(&emit->writer, NULL);
        json_put_u64(&emit->writer, "first", run.first);
        json_put_u64(&emit->writer, "count", run.count);
        json_end_object(&emit->writer);
    }
    json_end_array(&emit->writer);
}

// Of the processes whose PID in their container is another.
static void emit_inside(struct emit *emit, const struct host *host)
{
    bool any = false;
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        if (!known_u64(process->pid_inside) || core_set_empty(&process->chips))
            continue;
        if (!any)
            json_begin_array(&emit->writer, "pids_inside");
        any = true;
        json_begin_object(&emit->writer, NULL);
        emit_u64(emit, "pid", process->pid);
        emit_u64(emit, "pid_inside", process->pid_inside);
        emit_optional(emit, "container", process->container);
        emit_optional(emit, "pod", process->pod);
        json_end_object(&emit->writer);
    }
    if (any)
        json_end_array(&emit->writer);
}

static void emit_head(struct emit *emit, const struct free_cores *cores)
{
    const struct host *host = cores->host;
    struct json_writer *writer = &emit->writer;
    bool worded = cores->numbered || host->numbering != NUMBERING_UNKNOWN;
    json_put_string(writer, "schema", "neutop.cores/1");
    emit_time(emit, "time", host->time_unix_seconds);
    json_put_bool(writer, "demo", host->demo);
    emit_u64(emit, "logical_cores",
             cores->numbered ? fact_u64(cores->count, FROM_DERIVED) : (struct fact_u64){0});
    json_put_string(writer, "numbering",
                    worded ? numbering_word(cores->numbered ? NUMBERING_LOGICAL : host->numbering)
                           : NULL);
    emit_u64(emit, "lnc",
             cores->numbered ? fact_u64(cores->lnc, FROM_DERIVED) : (struct fact_u64){0});
    emit_optional(emit, "numbering_trouble", cores->trouble);
}

void print_cores_json(FILE *out, const struct free_cores *cores,
                      const struct cores_question *question)
{
    struct emit emit = {0};
    json_writer_init(&emit.writer);
    json_begin_object(&emit.writer, NULL);
    emit_head(&emit, cores);
    json_begin_array(&emit.writer, "chips");
    for (unsigned i = 0; i < cores->host->chip_count; i++)
        emit_chip_cores(&emit, cores, i);
    json_end_array(&emit.writer);
    emit_inside(&emit, cores->host);
    emit_asked(&emit, cores, question);
    emit_runs(&emit, cores);
    emit_free(&emit, question);
    json_end_object(&emit.writer);
    json_writer_flush(&emit.writer, out);
    json_writer_free(&emit.writer);
}
