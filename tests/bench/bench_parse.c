// SPDX-License-Identifier: Apache-2.0
// Reading one report: json-c's bare parse of the bytes of FILE beside the whole way from bytes to a
// snapshot, in turn, medians.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <json-c/json.h>

#include "host/host.h"
#include "source/frame.h"
#include "source/report.h"

enum { ROUNDS = 61 };

struct text {
    char *bytes;
    size_t length; // of the first line
};

static double cpu_seconds(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof values[0], ascending);
    return values[count / 2];
}

static struct text read_file(const char *path)
{
    struct text text = {NULL, 0};
    size_t room = 0;
    FILE *file = fopen(path, "re");
    ssize_t length = file != NULL ? getline(&text.bytes, &room, file) : -1;

    if (length <= 0) {
        perror(path);
        exit(1);
    }
    fclose(file);
    text.length = (size_t)length;
    return text;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_parse: %s\n", what);
    exit(1);
}

// As the simplest user of json-c would: one tokener for all, the tree built and given back.
static double bare(struct json_tokener *tokener, const struct text *text)
{
    double start = cpu_seconds();
    json_tokener_reset(tokener);
    struct json_object *object = json_tokener_parse_ex(tokener, text->bytes, (int)text->length);
    if (object == NULL)
        fail("json-c does not take the file");
    json_object_put(object);
    return cpu_seconds() - start;
}

static void add(struct frame *frame, const struct text *text)
{
    for (size_t done = 0, room; done < text->length;) {
        char *into = frame_room(frame, &room);
        size_t n = room < text->length - done ? room : text->length - done;
        memcpy(into, text->bytes + done, n);
        frame_added(frame, n);
        done += n;
    }
}

static double ours(struct frame *frame, struct report *report, const struct text *text, double now)
{
    double start = cpu_seconds();
    struct report_fault fault;
    size_t length;

    add(frame, text);
    const char *object = frame_next(frame, &length);
    json_object *parsed = object != NULL ? report_parse(report, object, length, &fault) : NULL;
    if (parsed == NULL)
        fail("the reader does not take the file");
    report_apply(report, parsed, now);
    struct host *host = host_new();
    report_fill(report, host, FROM_RECORDING, now);
    if (host->process_count == 0 || host->core_count == 0)
        fail("the snapshot is empty");
    host_free(host);
    return cpu_seconds() - start;
}

int main(int argc, char **argv)
{
    double bare_seconds[ROUNDS];
    double our_seconds[ROUNDS];

    if (argc != 2)
        fail("which FILE?");
    struct text text = read_file(argv[1]);
    struct json_tokener *tokener = json_tokener_new();
    struct frame *frame = frame_new(0);
    struct report *report = report_new(1);
    for (int i = 0; i < ROUNDS; i++) {
        bare_seconds[i] = bare(tokener, &text);
        our_seconds[i] = ours(frame, report, &text, i);
    }
    printf("bytes=%zu bare_ms=%.3f ours_ms=%.3f\n", text.length, median(bare_seconds, ROUNDS) * 1e3,
           median(our_seconds, ROUNDS) * 1e3);
    report_free(report);
    frame_free(frame);
    json_tokener_free(tokener);
    free(text.bytes);
    return 0;
}
