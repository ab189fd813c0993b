// SPDX-License-Identifier: Apache-2.0
// A demo without the program around it, for the tests: open one, tick it, look at the snapshot.
#ifndef NEUTOP_TESTS_DEMO_RUN_H
#define NEUTOP_TESTS_DEMO_RUN_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "host/host.h"
#include "source/source.h"

struct run {
    struct source_options options;
    struct source source;
    double now;
};

static inline void run_open(struct run *run, const char *type, uint64_t seed, bool lnc1)
{
    struct trouble trouble = {.line = ""};
    memset(run, 0, sizeof(*run));
    run->options = (struct source_options){
        .root = "", .demo_type = type, .seed = seed, .lnc1 = lnc1, .delay_seconds = 1, .speed = 1};
    run->source = (struct source){.ops = &source_demo, .options = &run->options};
    run->now = 5000;
    if (!source_demo.open(&run->source, &trouble))
        fail_msg("%s", trouble.line);
}

static inline struct host *run_tick(struct run *run)
{
    assert_true(source_demo.deadline(&run->source) <= run->now);
    assert_int_equal(source_demo.work(&run->source, run->now), SOURCE_NEW);
    struct host *host = host_new();
    source_demo.fill(&run->source, host, run->now);
    run->now = source_demo.deadline(&run->source);
    return host;
}

static inline void run_close(struct run *run)
{
    source_demo.close(&run->source);
}

// The fill of the fullest memory bank in percent.
static inline double fullest_bank(const struct host *host)
{
    double fullest = 0;
    for (unsigned i = 0; i < host->core_count; i += host->cores[i].memory_shared_by) {
        uint64_t used = 0;
        for (unsigned j = 0; j < host->cores[i].memory_shared_by; j++)
            used += host->cores[i + j].memory_used_bytes.value;
        fullest =
            fmax(fullest, 100.0 * (double)used / (double)host->cores[i].memory_limit_bytes.value);
    }
    return fullest;
}

#endif
