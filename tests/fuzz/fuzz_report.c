// SPDX-License-Identifier: Apache-2.0
// A hostile neuron-monitor: whatever it prints, the snapshot hangs together and its text is clean.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/unicode.h"
#include "source/derive.h"
#include "source/frame.h"
#include "source/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition) ((condition) ? (void)0 : abort())

static void check_text(const char *text)
{
    if (text == NULL)
        return;
    for (size_t length = strlen(text), at = 0; at < length;) {
        uint32_t code;
        size_t taken = text_decode(text + at, length - at, &code);
        MUST(taken > 1 || (code >= ' ' && code < 0x7f));
        MUST(!unicode_hidden(code));
        at += taken;
    }
}

static void check_f64(struct fact_f64 fact)
{
    MUST(fact.from < ORIGIN_COUNT);
    MUST(fact.from == FROM_NOBODY || fact.value >= 0);
}

static void check_core(const struct host *host, unsigned index)
{
    const struct core *core = &host->cores[index];
    MUST(core->index == index && core->chip < host->chip_count);
    MUST(core->physical_count <= PHYSICAL_MAX);
    MUST(core->owner_count <= host->process_count);
    for (unsigned i = 0; i < core->owner_count; i++)
        MUST(core->owners[i] < host->process_count);
    check_f64(core->utilization_percent);
    check_f64(core->flops_per_second);
    check_text(core->pod);
    check_text(core->container);
}

static void check_chip(const struct host *host, unsigned index)
{
    const struct chip *chip = &host->chips[index];
    MUST(chip->core_first + chip->core_count <= host->core_count);
    MUST(chip->owner_count <= host->process_count);
    for (unsigned i = 0; i < chip->owner_count; i++)
        MUST(chip->owners[i] < host->process_count);
    check_f64(chip->utilization_percent);
}

static void check_process(const struct host *host, const struct process *process)
{
    check_text(process->tag);
    check_text(process->address);
    check_text(process->error);
    for (unsigned i = 0; i < GROUPS; i++)
        check_text(process->groups[i].error);
    for (unsigned i = 0; i < process->share_count; i++) {
        MUST(process->shares[i].core < host->core_count);
        MUST(i == 0 || process->shares[i - 1].core < process->shares[i].core);
    }
    for (unsigned i = 0; i < process->model_count; i++) {
        check_text(process->models[i].name);
        check_text(process->models[i].uuid);
        for (unsigned j = 0; j < process->models[i].subgraph_count; j++)
            check_text(process->models[i].subgraphs[j].name);
    }
    for (unsigned i = 0; i < EXECUTIONS; i++)
        check_f64(process->executions_per_second[i]);
}

static void check_host(const struct host *host)
{
    check_text(host->instance.type);
    check_text(host->hardware.chip);
    check_text(host->hardware.neuroncore);
    check_text(host->hardware.error);
    MUST(host->core_count <= CORE_SET_MAX && host->chip_count <= CORE_SET_MAX);
    for (unsigned i = 0; i < host->core_count; i++)
        check_core(host, i);
    for (unsigned i = 0; i < host->chip_count; i++)
        check_chip(host, i);
    for (unsigned i = 0; i < host->process_count; i++)
        check_process(host, &host->processes[i]);
}

static void look(const struct report *report, double now)
{
    struct host *host = host_new();
    report_fill(report, host, FROM_MONITOR, now);
    derive_host(host);
    check_host(host);
    host_free(host);
}

static void take(struct frame *frame, struct report *report, double *now)
{
    struct report_fault fault;
    size_t length;
    const char *object;
    while ((object = frame_next(frame, &length)) != NULL) {
        json_object *parsed = report_parse(report, object, length, &fault);
        if (parsed == NULL) {
            MUST(fault.at <= length);
            frame_refuse(frame, fault.at, fault.what);
            continue;
        }
        *now += report_pace(parsed) < 1e6 ? report_pace(parsed) : 0;
        report_apply(report, parsed, *now);
        look(report, *now);
        look(report, *now + 10);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct frame *frame = frame_new(0);
    struct report *report = report_new(1);
    double now = 0;
    for (size_t at = 0, room; at < size;) {
        char *place = frame_room(frame, &room);
        size_t count = size - at < room ? size - at : room;
        memcpy(place, data + at, count);
        frame_added(frame, count);
        at += count;
        take(frame, report, &now);
    }
    frame_end(frame);
    take(frame, report, &now);
    report_free(report);
    frame_free(frame);
    return 0;
}
