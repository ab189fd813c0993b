// SPDX-License-Identifier: Apache-2.0
// bench_sysfs ROOT: one reading of all devices of a captured tree, against a bare loop of pread()
// over as many of the same open files. Both in turn, CPU time, medians.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "source/sysfs_state.h"

enum { ROUNDS = 101, FILES = 8192 };

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

// The files of a core that are open, core by core, each as often as a tick reads it.
static size_t open_files(const struct sysfs *sysfs, int *fds, size_t wanted)
{
    size_t count = 0;
    for (unsigned m = 0; m < CORE_METRICS; m++)
        for (unsigned d = 0; d < SYSFS_DEVICES; d++) {
            const struct sysfs_device *device = sysfs->devices[d];
            for (unsigned k = 0; device != NULL && k < device->files.core_end; k++)
                if (device->files.core[k][m].fd >= 0 && count < wanted)
                    fds[count++] = device->files.core[k][m].fd;
        }
    return count;
}

static double bare_loop(const int *fds, size_t count)
{
    static char text[SYSFS_TEXT];
    size_t bytes = 0;
    double start = cpu_seconds();
    for (size_t i = 0; i < count; i++) {
        ssize_t got = pread(fds[i], text, sizeof(text), 0);
        bytes += got > 0 ? (size_t)got : 0;
    }
    return bytes > 0 ? cpu_seconds() - start : NAN;
}

int main(int argc, char **argv)
{
    static double ours[ROUNDS], bare[ROUNDS], first;
    static int fds[FILES];
    struct source_options options = {.root = argc > 1 ? argv[1] : "", .delay_seconds = 1};
    struct source source = {.ops = &source_sysfs, .options = &options};
    struct trouble trouble = {.line = ""};
    double start = cpu_seconds();

    if (!source_sysfs.open(&source, &trouble)) {
        fprintf(stderr, "bench_sysfs: %s\n", trouble.line);
        return 1;
    }
    struct sysfs *sysfs = source.state;
    source_sysfs.work(&source, 0);
    first = cpu_seconds() - start;
    size_t count = 0;
    for (int i = 0; i < ROUNDS; i++) {
        unsigned long before = sysfs->room.reads;
        start = cpu_seconds();
        source_sysfs.work(&source, 1 + i);
        ours[i] = cpu_seconds() - start;
        size_t reads = sysfs->room.reads - before;
        count = open_files(sysfs, fds, reads < FILES ? reads : FILES);
        bare[i] = bare_loop(fds, count);
    }
    qsort(ours, ROUNDS, sizeof(ours[0]), ascending);
    qsort(bare, ROUNDS, sizeof(bare[0]), ascending);
    printf("sysfs_ms=%.3f pread_ms=%.3f reads=%zu open=%ld first_ms=%.1f\n", ours[ROUNDS / 2] * 1e3,
           bare[ROUNDS / 2] * 1e3, count, sysfs->room.open, first * 1e3);
    source_sysfs.close(&source);
    return 0;
}
