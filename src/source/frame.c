// SPDX-License-Identifier: Apache-2.0
// Frame: a strict scanner for the shape of JSON (brackets, commas, colons, strings), so that a line
// cut off in the middle is noticed where the next one begins, and not megabytes later. Values are
// json-c's business.
#include "source/frame.h"

#include <bsd/string.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"

enum {
    ROOM_LEAST = 64 * 1024,
    KEEP_MOST = 32 * 1024 * 1024,
    CREDIT_START = 1024 * 1024,
    CREDIT_PER_BYTE = 2
};

enum mode { MODE_BETWEEN, MODE_SKIP_LINE, MODE_INSIDE };

enum lex { LEX_GAP, LEX_WORD, LEX_STRING, LEX_ESCAPE };

// What may come next inside an object.
enum expect {
    EXPECT_KEY_OR_END,
    EXPECT_KEY,
    EXPECT_COLON,
    EXPECT_VALUE,
    EXPECT_VALUE_OR_END,
    EXPECT_COMMA_OR_END,
};

enum step { STEP_ON, STEP_DONE, STEP_BAD };

struct frame {
    char *data;
    size_t capacity, start, scan, end;
    uint64_t offset; // of data[0] in the stream
    size_t limit;
    bool ended;
    enum mode mode;
    enum lex lex;
    enum expect expect;
    unsigned depth;
    bool is_object[FRAME_DEPTH];
    uint64_t line; // of data[scan]
    uint64_t object_line;
    bool has_restart; // a line inside the open object that begins with '{': perhaps the next report
    size_t restart;
    uint64_t restart_line;
    bool too_large;   // the line that is skipped is the rest of such an object
    uint64_t dropped; // bytes of objects that were too large
    uint64_t again;   // bytes scanned twice so far; bounded, which keeps the whole linear
    uint64_t damages;
    struct frame_damage first, last;
};

struct frame *frame_new(size_t limit)
{
    struct frame *frame = xcalloc(1, sizeof(*frame));
    frame->limit = limit != 0 ? limit : FRAME_LIMIT;
    frame->line = 1;
    return frame;
}

void frame_free(struct frame *frame)
{
    if (frame == NULL)
        return;
    free(frame->data);
    free(frame);
}

// Moves the live bytes to the front, or takes more memory when they fill most of it.
static void frame_make_room(struct frame *frame)
{
    size_t live = frame->end - frame->start;
    if (frame->start > 0) {
        memmove(frame->data, frame->data + frame->start, live);
        frame->offset += frame->start;
        frame->scan -= frame->start;
        frame->restart -= frame->has_restart ? frame->start : 0;
        frame->start = 0;
        frame->end = live;
    }
    if (frame->capacity - live < ROOM_LEAST || live > frame->capacity / 2) {
        frame->capacity = (frame->capacity + ROOM_LEAST) * 2;
        frame->data = xreallocarray(frame->data, frame->capacity, 1);
    }
}

// Memory that one huge object took is not kept for the small ones.
static void frame_shrink(struct frame *frame)
{
    if (frame->capacity <= KEEP_MOST)
        return;
    free(frame->data);
    frame->data = NULL;
    frame->capacity = 0;
}

char *frame_room(struct frame *frame, size_t *room)
{
    if (frame->mode != MODE_INSIDE)
        frame->start = frame->scan;
    if (frame->start == frame->end) {
        frame->offset += frame->end;
        frame->start = frame->scan = frame->end = 0;
        frame_shrink(frame);
    }
    if (frame->capacity - frame->end < ROOM_LEAST)
        frame_make_room(frame);
    *room = frame->capacity - frame->end;
    return frame->data + frame->end;
}

void frame_added(struct frame *frame, size_t count)
{
    frame->end += count;
}

void frame_end(struct frame *frame)
{
    frame->ended = true;
}

char *frame_damage_text(const struct frame_damage *damage, char *buffer, size_t size)
{
    if (damage->character < 0)
        strlcpy(buffer, damage->what, size);
    else if (damage->character > ' ' && damage->character < 0x7f)
        snprintf(buffer, size, "'%c' %s", damage->character, damage->what);
    else
        snprintf(buffer, size, "byte 0x%02x %s", (unsigned)damage->character, damage->what);
    return buffer;
}

// Nothing is formatted here: a hostile stream is damaged in every byte.
static void frame_note(struct frame *frame, size_t at, uint64_t line, const char *what,
                       int character)
{
    frame->last = (struct frame_damage){
        .byte = frame->offset + at + 1,
        .line = line,
        .what = what,
        .character = character,
    };
    if (frame->damages++ == 0)
        frame->first = frame->last;
}

// Gives up the open object at data[scan]: goes back to the line in it that looked like a new
// report, else on to the next line.
static void frame_resync(struct frame *frame)
{
    uint64_t again = frame->again + (frame->scan - frame->restart);
    uint64_t credit = CREDIT_START + CREDIT_PER_BYTE * (frame->offset + frame->scan);
    if (frame->has_restart && again <= credit) {
        frame->again = again;
        frame->scan = frame->restart;
        frame->line = frame->restart_line;
        frame->mode = MODE_BETWEEN;
    } else {
        frame->mode = MODE_SKIP_LINE;
    }
    frame->has_restart = false;
    frame->start = frame->scan;
}

static void frame_break(struct frame *frame, const char *what, int character)
{
    frame_note(frame, frame->scan, frame->line, what, character);
    frame_resync(frame);
}

static void frame_break_at(struct frame *frame, unsigned char c)
{
    if (frame->lex == LEX_STRING)
        frame_break(frame, "a line ends in the middle of a string", -1);
    else if (frame->depth >= FRAME_DEPTH && (c == '{' || c == '['))
        frame_break(frame, "nested more than 128 deep", -1);
    else
        frame_break(frame, "cannot stand here", c);
}

// What ends a fast loop over a string, and what numbers and literals are made of.
enum { CLASS_WORD = 1, CLASS_STRING_STOP = 2 };

static const unsigned char classes[256] = {
    ['\n'] = CLASS_STRING_STOP, ['"'] = CLASS_STRING_STOP, ['\\'] = CLASS_STRING_STOP,
    ['+'] = CLASS_WORD,         ['-'] = CLASS_WORD,        ['.'] = CLASS_WORD,
    ['0'] = CLASS_WORD,         ['1'] = CLASS_WORD,        ['2'] = CLASS_WORD,
    ['3'] = CLASS_WORD,         ['4'] = CLASS_WORD,        ['5'] = CLASS_WORD,
    ['6'] = CLASS_WORD,         ['7'] = CLASS_WORD,        ['8'] = CLASS_WORD,
    ['9'] = CLASS_WORD,         ['A'] = CLASS_WORD,        ['B'] = CLASS_WORD,
    ['C'] = CLASS_WORD,         ['D'] = CLASS_WORD,        ['E'] = CLASS_WORD,
    ['F'] = CLASS_WORD,         ['G'] = CLASS_WORD,        ['H'] = CLASS_WORD,
    ['I'] = CLASS_WORD,         ['J'] = CLASS_WORD,        ['K'] = CLASS_WORD,
    ['L'] = CLASS_WORD,         ['M'] = CLASS_WORD,        ['N'] = CLASS_WORD,
    ['O'] = CLASS_WORD,         ['P'] = CLASS_WORD,        ['Q'] = CLASS_WORD,
    ['R'] = CLASS_WORD,         ['S'] = CLASS_WORD,        ['T'] = CLASS_WORD,
    ['U'] = CLASS_WORD,         ['V'] = CLASS_WORD,        ['W'] = CLASS_WORD,
    ['X'] = CLASS_WORD,         ['Y'] = CLASS_WORD,        ['Z'] = CLASS_WORD,
    ['a'] = CLASS_WORD,         ['b'] = CLASS_WORD,        ['c'] = CLASS_WORD,
    ['d'] = CLASS_WORD,         ['e'] = CLASS_WORD,        ['f'] = CLASS_WORD,
    ['g'] = CLASS_WORD,         ['h'] = CLASS_WORD,        ['i'] = CLASS_WORD,
    ['j'] = CLASS_WORD,         ['k'] = CLASS_WORD,        ['l'] = CLASS_WORD,
    ['m'] = CLASS_WORD,         ['n'] = CLASS_WORD,        ['o'] = CLASS_WORD,
    ['p'] = CLASS_WORD,         ['q'] = CLASS_WORD,        ['r'] = CLASS_WORD,
    ['s'] = CLASS_WORD,         ['t'] = CLASS_WORD,        ['u'] = CLASS_WORD,
    ['v'] = CLASS_WORD,         ['w'] = CLASS_WORD,        ['x'] = CLASS_WORD,
    ['y'] = CLASS_WORD,         ['z'] = CLASS_WORD,
};

static bool is_word(unsigned char c)
{
    return classes[c] == CLASS_WORD;
}

static bool takes_value(enum expect expect)
{
    return expect == EXPECT_VALUE || expect == EXPECT_VALUE_OR_END;
}

static enum step step_open(struct frame *frame, bool object)
{
    if (frame->depth > 0 && !takes_value(frame->expect))
        return STEP_BAD;
    if (frame->depth >= FRAME_DEPTH)
        return STEP_BAD;
    frame->is_object[frame->depth++] = object;
    frame->expect = object ? EXPECT_KEY_OR_END : EXPECT_VALUE_OR_END;
    return STEP_ON;
}

static enum step step_close(struct frame *frame, bool object)
{
    enum expect empty = object ? EXPECT_KEY_OR_END : EXPECT_VALUE_OR_END;
    if (frame->is_object[frame->depth - 1] != object ||
        (frame->expect != empty && frame->expect != EXPECT_COMMA_OR_END))
        return STEP_BAD;
    frame->depth--;
    frame->expect = EXPECT_COMMA_OR_END;
    return frame->depth == 0 ? STEP_DONE : STEP_ON;
}

static enum step step_string(struct frame *frame)
{
    if (takes_value(frame->expect))
        frame->expect = EXPECT_COMMA_OR_END;
    else if (frame->expect == EXPECT_KEY || frame->expect == EXPECT_KEY_OR_END)
        frame->expect = EXPECT_COLON;
    else
        return STEP_BAD;
    frame->lex = LEX_STRING;
    return STEP_ON;
}

static enum step step_move(struct frame *frame, enum expect from, enum expect to)
{
    if (frame->expect != from)
        return STEP_BAD;
    frame->expect = to;
    return STEP_ON;
}

static enum step step_word(struct frame *frame, unsigned char c)
{
    if (!is_word(c) || !takes_value(frame->expect))
        return STEP_BAD;
    frame->expect = EXPECT_COMMA_OR_END;
    frame->lex = LEX_WORD;
    return STEP_ON;
}

// One character outside of strings and words.
static enum step step_gap(struct frame *frame, unsigned char c)
{
    switch (c) {
    case '\n':
        frame->line++;
        return STEP_ON;
    case ' ':
    case '\t':
    case '\r':
        return STEP_ON;
    case '{':
    case '[':
        return step_open(frame, c == '{');
    case '}':
    case ']':
        return step_close(frame, c == '}');
    case '"':
        return step_string(frame);
    case ':':
        return step_move(frame, EXPECT_COLON, EXPECT_VALUE);
    case ',':
        return step_move(frame, EXPECT_COMMA_OR_END,
                         frame->is_object[frame->depth - 1] ? EXPECT_KEY : EXPECT_VALUE);
    default:
        return step_word(frame, c);
    }
}

// Inside a string: up to its end, a line end (damage) or the end of the bytes.
static enum step scan_string(struct frame *frame, size_t end)
{
    const char *data = frame->data;
    size_t at = frame->scan;
    if (frame->lex == LEX_ESCAPE && at < end) {
        frame->lex = LEX_STRING;
        at += data[at] != '\n';
    }
    while (at < end && classes[(unsigned char)data[at]] != CLASS_STRING_STOP)
        at++;
    frame->scan = at;
    if (at == end)
        return STEP_ON;
    if (data[at] == '\n')
        return STEP_BAD;
    frame->lex = data[at] == '"' ? LEX_GAP : LEX_ESCAPE;
    frame->scan++;
    return STEP_ON;
}

static enum step scan_plain(struct frame *frame, size_t end)
{
    unsigned char c = (unsigned char)frame->data[frame->scan];
    if (frame->lex == LEX_WORD) {
        size_t at = frame->scan;
        while (at < end && is_word((unsigned char)frame->data[at]))
            at++;
        frame->scan = at;
        if (frame->scan < end)
            frame->lex = LEX_GAP;
        return STEP_ON;
    }
    if (c == '{' && frame->scan > frame->start && frame->data[frame->scan - 1] == '\n' &&
        !frame->has_restart) {
        frame->has_restart = true;
        frame->restart = frame->scan;
        frame->restart_line = frame->line;
    }
    enum step step = step_gap(frame, c);
    frame->scan += step != STEP_BAD;
    return step;
}

static void frame_drop(struct frame *frame)
{
    size_t start = frame->start;
    frame_break(frame, "a report of more than 64 MiB", -1);
    frame->dropped += frame->scan - start;
    frame->too_large = frame->mode == MODE_SKIP_LINE;
}

// Goes on inside the open object. True when it is complete.
static bool scan_object(struct frame *frame)
{
    bool too_large = frame->end - frame->start > frame->limit;
    size_t end = too_large ? frame->start + frame->limit : frame->end;
    while (frame->scan < end) {
        bool string = frame->lex == LEX_STRING || frame->lex == LEX_ESCAPE;
        enum step step = string ? scan_string(frame, end) : scan_plain(frame, end);
        if (step == STEP_BAD) {
            frame_break_at(frame, (unsigned char)frame->data[frame->scan]);
            return false;
        }
        if (step == STEP_DONE) {
            frame->mode = MODE_BETWEEN;
            frame->has_restart = false;
            return true;
        }
    }
    if (too_large)
        frame_drop(frame);
    else if (frame->ended)
        frame_break(frame, "the input ends in the middle of a report", -1);
    return false;
}

static void scan_line(struct frame *frame)
{
    const char *from = frame->data + frame->scan;
    const char *newline = memchr(from, '\n', frame->end - frame->scan);
    size_t length = newline != NULL ? (size_t)(newline - from) + 1 : frame->end - frame->scan;
    frame->scan += length;
    frame->dropped += frame->too_large ? length : 0;
    if (newline == NULL)
        return;
    frame->too_large = false;
    frame->line++;
    frame->mode = MODE_BETWEEN;
}

// A byte order mark at the very start is no damage.
static bool is_mark(const struct frame *frame, unsigned char c)
{
    static const unsigned char mark[] = {0xef, 0xbb, 0xbf};
    uint64_t at = frame->offset + frame->scan;
    return at < sizeof(mark) && c == mark[at];
}

// Between two objects: blanks, then '{'; all else makes the line a foreign one.
static void scan_between(struct frame *frame)
{
    unsigned char c = (unsigned char)frame->data[frame->scan];
    if (c == '{') {
        frame->mode = MODE_INSIDE;
        frame->start = frame->scan;
        frame->object_line = frame->line;
        frame->lex = LEX_GAP;
        frame->depth = 0;
    } else if (c == '\n' || c == ' ' || c == '\t' || c == '\r' || is_mark(frame, c)) {
        frame->line += c == '\n';
        frame->scan++;
    } else {
        frame_note(frame, frame->scan, frame->line, "this line is no JSON object", -1);
        frame->mode = MODE_SKIP_LINE;
    }
}

const char *frame_next(struct frame *frame, size_t *length)
{
    for (;;) {
        if (frame->scan == frame->end && !(frame->mode == MODE_INSIDE && frame->ended))
            return NULL;
        if (frame->mode == MODE_SKIP_LINE)
            scan_line(frame);
        else if (frame->mode == MODE_BETWEEN)
            scan_between(frame);
        else if (scan_object(frame)) {
            *length = frame->scan - frame->start;
            return frame->data + frame->start;
        } else if (frame->mode == MODE_INSIDE)
            return NULL;
    }
}

void frame_refuse(struct frame *frame, size_t at, const char *what)
{
    const char *object = frame->data + frame->start;
    uint64_t line = frame->object_line;
    for (size_t i = 0; i < at && frame->start + i < frame->end; i++)
        line += object[i] == '\n';
    frame_note(frame, frame->start + at, line, what, -1);
}

bool frame_pending(const struct frame *frame)
{
    return frame->scan < frame->end || (frame->ended && frame->mode == MODE_INSIDE);
}

uint64_t frame_bytes(const struct frame *frame)
{
    return frame->offset + frame->end;
}

uint64_t frame_hopeless(const struct frame *frame)
{
    if (frame_bytes(frame) >= FRAME_BYTES_MOST)
        return FRAME_BYTES_MOST;
    return frame_bytes(frame) - frame->dropped >= FRAME_NOISE_MOST ? FRAME_NOISE_MOST : 0;
}

uint64_t frame_damages(const struct frame *frame)
{
    return frame->damages;
}

const struct frame_damage *frame_first_damage(const struct frame *frame)
{
    return &frame->first;
}

const struct frame_damage *frame_last_damage(const struct frame *frame)
{
    return &frame->last;
}
