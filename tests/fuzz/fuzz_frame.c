// SPDX-License-Identifier: Apache-2.0
// Framing: chunks of any size give the same objects and the same damage as the whole; what comes
// out lies in the input, in order; and no byte is scanned more often than the credit allows.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "source/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition) ((condition) ? (void)0 : abort())

// Objects of a run, one after the other with a NUL between.
struct result {
    char *objects;
    size_t length;
    uint64_t damages;
    struct frame_damage first, last;
};

static void take(struct frame *frame, struct result *result)
{
    size_t length;
    const char *object;
    while ((object = frame_next(frame, &length)) != NULL) {
        MUST(length >= 2 && object[0] == '{' && object[length - 1] == '}');
        memcpy(result->objects + result->length, object, length);
        result->objects[result->length + length] = '\0';
        result->length += length + 1;
    }
}

static struct result run(const uint8_t *data, size_t size, size_t chunk, size_t limit)
{
    struct frame *frame = frame_new(limit);
    struct result result = {.objects = malloc(2 * size + 1)};
    MUST(result.objects != NULL);
    for (size_t at = 0, room; at < size;) {
        char *place = frame_room(frame, &room);
        size_t count = size - at < chunk ? size - at : chunk;
        count = count < room ? count : room;
        memcpy(place, data + at, count);
        frame_added(frame, count);
        at += count;
        take(frame, &result);
        MUST(!frame_pending(frame));
    }
    frame_end(frame);
    take(frame, &result);
    MUST(!frame_pending(frame));
    MUST(frame_bytes(frame) == size);
    result.damages = frame_damages(frame);
    result.first = *frame_first_damage(frame);
    result.last = *frame_last_damage(frame);
    MUST((result.damages == 0) == (result.first.byte == 0));
    MUST(result.last.byte <= size + 1);
    frame_free(frame);
    return result;
}

static void must_equal(const struct result *a, const struct result *b)
{
    MUST(a->length == b->length && memcmp(a->objects, b->objects, a->length) == 0);
    MUST(a->damages == b->damages);
    MUST(a->first.byte == b->first.byte && a->first.line == b->first.line);
    MUST(a->last.byte == b->last.byte && a->last.line == b->last.line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 65536)
        size = 65536;
    struct result whole = run(data, size, SIZE_MAX, 0);
    static const size_t chunks[] = {1, 5, 64};
    for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
        struct result parts = run(data, size, chunks[i], 0);
        must_equal(&whole, &parts);
        free(parts.objects);
    }
    struct result small = run(data, size, 7, 40); // the limit
    free(small.objects);
    free(whole.objects);
    return 0;
}
