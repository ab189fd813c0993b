// SPDX-License-Identifier: Apache-2.0
// Frame: cuts a byte stream into JSON objects. neuron-monitor writes one object a line (reference,
// section 1); values over several lines, foreign lines and lines that were cut off in the middle
// are survived, in time linear in the bytes.
#ifndef NEUTOP_SOURCE_FRAME_H
#define NEUTOP_SOURCE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FRAME_LIMIT = 64 * 1024 * 1024, // largest object taken; a report has at most a few MB
    FRAME_DEPTH = 128,              // deepest nesting taken; a report has 9
    FRAME_TEXT = 96,
    FRAME_NOISE_MOST = FRAME_LIMIT + 16 * 1024 * 1024, // bytes that are no too large value
    FRAME_BYTES_MOST = 1024 * 1024 * 1024,
};

// One place where the stream was no sequence of JSON objects.
struct frame_damage {
    uint64_t byte;    // counted from 1; 0: there was no damage
    uint64_t line;    // counted from 1
    const char *what; // lives forever
    int character;    // that WHAT speaks of; -1: none
};

// "'{' cannot stand here" into BUFFER; returns BUFFER.
char *frame_damage_text(const struct frame_damage *damage, char *buffer, size_t size);

struct frame;

// A framer that takes objects of at most LIMIT bytes (0: FRAME_LIMIT).
struct frame *frame_new(size_t limit);
void frame_free(struct frame *frame);

// Where to put the next bytes: *ROOM is set to how many fit (at least 64 KiB). Ends the life of the
// last object.
char *frame_room(struct frame *frame, size_t *room);

// COUNT bytes were put there.
void frame_added(struct frame *frame, size_t count);

// No more bytes will come: an object that is still open is damage.
void frame_end(struct frame *frame);

// The next whole object, or NULL when more bytes are needed. Not NUL-terminated; lives until the
// next call of frame_room(), frame_next() or frame_free().
const char *frame_next(struct frame *frame, size_t *length);

// Notes damage that the reader of the object found in it: AT bytes into the object that
// frame_next() gave last. WHAT must live forever.
void frame_refuse(struct frame *frame, size_t at, const char *what);

// True while bytes lie in the buffer that frame_next() has not looked at.
bool frame_pending(const struct frame *frame);

uint64_t frame_bytes(const struct frame *frame); // added so far
// For a reader that has not found a single report yet: 0, or the number of bytes after which it is
// of no use to go on. A value that is too large does not count: a good one may follow it.
uint64_t frame_hopeless(const struct frame *frame);

uint64_t frame_damages(const struct frame *frame); // foreign lines, broken and refused objects
// Where and what; of no meaning while there are no damages.
const struct frame_damage *frame_first_damage(const struct frame *frame);
const struct frame_damage *frame_last_damage(const struct frame *frame);

#endif
