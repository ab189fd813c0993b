// SPDX-License-Identifier: Apache-2.0
// What one snapshot of the demo takes: bytes of its arena, and the time to build and check it.
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "check/check.h"
#include "source/collect.h"

enum { TICKS = 101 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double cpu_seconds(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

int main(void)
{
    struct source_options options = {.root = "", .seed = 1, .delay_seconds = 1, .speed = 1};
    struct trouble trouble = {.line = ""};
    struct collect *collect = collect_open(&options, (const char *const[]){"demo"}, 1, &trouble);
    double seconds[TICKS];
    double bytes[TICKS];

    if (collect == NULL) {
        fprintf(stderr, "bench_snapshot: %s\n", trouble.line);
        return 1;
    }
    double now = collect_now();
    for (int i = 0; i < TICKS; i++, now += 1) {
        double start = cpu_seconds();
        collect_work(collect, now);
        struct host *host = collect_snapshot(collect, now);
        check_run(host);
        seconds[i] = cpu_seconds() - start;
        bytes[i] = (double)arena_used(host->arena);
        host_free(host);
    }
    collect_close(collect);
    qsort(seconds, TICKS, sizeof seconds[0], ascending);
    qsort(bytes, TICKS, sizeof bytes[0], ascending);
    printf("arena_bytes=%.0f snapshot_ms=%.3f\n", bytes[TICKS / 2], seconds[TICKS / 2] * 1e3);
    return 0;
}
