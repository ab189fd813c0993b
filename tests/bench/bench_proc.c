// SPDX-License-Identifier: Apache-2.0
// bench_proc SECONDS [ROOT]: reads owners by /proc once a second, as the program does, and prints
// the CPU time of a reading. Looks for a device number that no driver has, so every process is a
// stranger. ROOT/proc may be a link to /proc, with a use count of the driver in ROOT/sys.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "host/host.h"
#include "source/proc.h"

enum { UNUSED_MAJOR = 4095 };

static double clock_of(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double reading(struct proc *proc)
{
    double before = clock_of(CLOCK_PROCESS_CPUTIME_ID), now = clock_of(CLOCK_MONOTONIC);
    struct host *host = host_new();
    proc_read(proc, now);
    proc_fill(proc, host, now);
    host_free(host);
    return clock_of(CLOCK_PROCESS_CPUTIME_ID) - before;
}

int main(int argc, char **argv)
{
    struct proc_where where = {.root = argc > 2 ? argv[2] : "",
                               .delay_seconds = 1,
                               .major = UNUSED_MAJOR,
                               .self = (int)getpid()};
    int seconds = argc > 1 ? atoi(argv[1]) : 10;
    struct trouble trouble = {.line = ""};
    struct proc *proc = proc_new(&where, &trouble);
    if (proc == NULL) {
        fprintf(stderr, "bench_proc: %s\n", trouble.line);
        return 1;
    }
    double first = reading(proc), sum = 0;
    for (int i = 0; i < seconds; i++) {
        sleep(1);
        sum += reading(proc);
    }
    printf("first_cpu_ms=%.3f tick_cpu_ms=%.3f scans=%lu\n", 1e3 * first,
           seconds > 0 ? 1e3 * sum / seconds : 0, proc_scans(proc));
    proc_free(proc);
    return 0;
}
