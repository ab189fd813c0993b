// SPDX-License-Identifier: Apache-2.0
// Framing: whatever the chunks, the noise and the cuts, every whole object comes out once, and the
// time is linear.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "source/frame.h"

enum { OBJECTS = 64 };

// What came out of one stream.
struct result {
    unsigned count;
    char *objects[OBJECTS];
    uint64_t damages;
    struct frame_damage first, last;
};

static void take(struct frame *frame, struct result *result)
{
    size_t length;
    const char *object;
    while ((object = frame_next(frame, &length)) != NULL) {
        assert_true(result->count < OBJECTS);
        result->objects[result->count++] = strndup(object, length);
    }
}

static struct result run(const char *stream, size_t size, size_t chunk, size_t limit)
{
    struct frame *frame = frame_new(limit);
    struct result result = {0};
    for (size_t at = 0, room; at < size;) {
        char *place = frame_room(frame, &room);
        size_t count = size - at < chunk ? size - at : chunk;
        count = count < room ? count : room;
        memcpy(place, stream + at, count);
        frame_added(frame, count);
        at += count;
        take(frame, &result);
    }
    frame_end(frame);
    take(frame, &result);
    assert_false(frame_pending(frame));
    assert_true(frame_bytes(frame) == size);
    result.damages = frame_damages(frame);
    result.first = *frame_first_damage(frame);
    result.last = *frame_last_damage(frame);
    frame_free(frame);
    return result;
}

static void drop(struct result *result)
{
    for (unsigned i = 0; i < result->count; i++)
        free(result->objects[i]);
}

// The stream gives the objects named, whole or byte by byte or in odd chunks, and so much damage.
static void check(const char *stream, unsigned damages, unsigned count, const char *const *objects)
{
    static const size_t chunks[] = {SIZE_MAX, 1, 2, 3, 7};
    for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
        struct result result = run(stream, strlen(stream), chunks[i], 0);
        if (result.count != count || result.damages != damages)
            fail_msg("%s: %u objects, %u damages in chunks of %zu", stream, result.count,
                     (unsigned)result.damages, chunks[i]);
        for (unsigned j = 0; j < count; j++)
            assert_string_equal(result.objects[j], objects[j]);
        drop(&result);
    }
}

#define CHECK(stream, damages, ...)                                               \
    do {                                                                          \
        static const char *const expected[] = {__VA_ARGS__};                      \
        check(stream, damages, sizeof(expected) / sizeof(expected[0]), expected); \
    } while (0)

static void test_objects(void **state)
{
    (void)state;
    CHECK("{}\n", 0, "{}");
    CHECK("{\"a\":1}\n{\"b\":[1,2,{\"c\":null}]}\n", 0, "{\"a\":1}", "{\"b\":[1,2,{\"c\":null}]}");
    CHECK("{}", 0, "{}"); // no newline at the end
    CHECK("\r\n\n  {} \r\n\t{}\r\n", 0, "{}", "{}");
    CHECK("{}{} {}\n", 0, "{}", "{}", "{}"); // several on a line
    CHECK("\xef\xbb\xbf{}\n", 0, "{}");      // byte order mark
    CHECK("{\"a\":{},\"b\":[],\"c\":-1.5e-7,\"d\":true}\n", 0,
          "{\"a\":{},\"b\":[],\"c\":-1.5e-7,\"d\":true}");
    CHECK("{\"\\\"}{\\\\\":\"]\\u003c\"}\n", 0, "{\"\\\"}{\\\\\":\"]\\u003c\"}");
}

static void test_several_lines(void **state)
{
    (void)state;
    CHECK("{\n  \"a\": 1,\n  \"b\": [\n    {\n    }\n  ]\n}\n{}\n", 0,
          "{\n  \"a\": 1,\n  \"b\": [\n    {\n    }\n  ]\n}", "{}");
    // members at the start of a line look like a new report, and are none
    CHECK("{\"a\":\n{\"b\":2}\n}\n{}\n", 0, "{\"a\":\n{\"b\":2}\n}", "{}");
    CHECK("{\"a\":[\n{},\n{}\n]}\n", 0, "{\"a\":[\n{},\n{}\n]}");
}

static void test_foreign_lines(void **state)
{
    (void)state;
    CHECK("Usage:\n  -c, --config-file PATH\n{}\n", 2, "{}");
    CHECK("{} and more\n{}\n", 1, "{}", "{}");
    CHECK("nil\n[]\n\"{\"\n{}\n", 3, "{}");
    CHECK("\xff\xfe{}\n{}\n", 1, "{}");
    check("", 0, 0, NULL);
    check("no newline", 1, 0, NULL);
}

static void test_broken_objects(void **state)
{
    (void)state;
    CHECK("{,}\n{}\n", 1, "{}");
    CHECK("{\"a\" 1}\n{}\n", 1, "{}");
    CHECK("{\"a\":1,}\n{}\n", 1, "{}");
    CHECK("{\"a\":[1,]}\n{}\n", 1, "{}");
    CHECK("{\"a\":[1}\n{}\n", 1, "{}");
    CHECK("{\"a\":1]\n{}\n", 1, "{}");
    CHECK("{\"a\":1 2}\n{}\n", 1, "{}");
    CHECK("{1:2}\n{}\n", 1, "{}");
    CHECK("{\"a\":\"b\n{}\n", 1, "{}");   // a line ends inside a string
    CHECK("{\"a\":\"b\\\n{}\n", 1, "{}"); // ... after a backslash
    check("{\"a\":1", 1, 0, NULL);
    CHECK("{\"a\":\n{}", 1, "{}"); // the end shows that the first one was never closed
}

// A report cut off at any byte costs only itself: all that follow come out.
static void test_cut_anywhere(void **state)
{
    (void)state;
    static const char cut[] =
        "{\"x\":{\"0\":[1.5,null,\"a\\\"b\"],\"e\":\"\"},\"t\":true,\"n\":[{},[]]}";
    for (size_t keep = 0; keep < sizeof(cut) - 1; keep++) {
        char stream[256];
        snprintf(stream, sizeof(stream), "%.*s\n{\"r\":2}\n{\"r\":3}\n{\"r\":4}\n", (int)keep, cut);
        for (size_t chunk = 1; chunk < 300; chunk += 97) {
            struct result result = run(stream, strlen(stream), chunk, 0);
            if (result.count != 3 || result.damages != (keep > 0))
                fail_msg("cut after %zu bytes: %u reports, %u damages", keep, result.count,
                         (unsigned)result.damages);
            assert_string_equal(result.objects[0], "{\"r\":2}");
            assert_string_equal(result.objects[2], "{\"r\":4}");
            drop(&result);
        }
    }
}

// ... and so does one whose beginning is missing.
static void test_starts_in_the_middle(void **state)
{
    (void)state;
    static const char whole[] = "{\"x\":{\"0\":[1.5,null,\"a\\\"b\"],\"e\":\"\"},\"t\":true}";
    for (size_t lost = 1; lost < sizeof(whole) - 1; lost++) {
        char stream[256];
        snprintf(stream, sizeof(stream), "%s\n{\"r\":2}\n", whole + lost);
        struct result result = run(stream, strlen(stream), SIZE_MAX, 0);
        assert_true(result.count >= 1 && result.damages >= 1);
        assert_string_equal(result.objects[result.count - 1], "{\"r\":2}");
        drop(&result);
    }
}

static void expect_place(const char *stream, uint64_t byte, uint64_t line, const char *text)
{
    char buffer[FRAME_TEXT];
    for (size_t chunk = 1; chunk < 40; chunk += 13) {
        struct result result = run(stream, strlen(stream), chunk, 0);
        assert_int_equal(result.first.byte, byte);
        assert_int_equal(result.first.line, line);
        assert_string_equal(frame_damage_text(&result.first, buffer, sizeof(buffer)), text);
        drop(&result);
    }
}

static void test_places(void **state)
{
    (void)state;
    expect_place("{\n{\n", 3, 2, "'{' cannot stand here");
    expect_place("{}\n\nhello\n{}\n", 5, 3, "this line is no JSON object");
    expect_place("{\"a\":1}\n{\"a\":\n\n]}\n", 16, 4, "']' cannot stand here");
    expect_place("{\"a\":\"b\n", 8, 1, "a line ends in the middle of a string");
    expect_place("{\"a\":\x01}\n", 6, 1, "byte 0x01 cannot stand here");
    expect_place("{\"a\":1\n\n", 9, 3, "the input ends in the middle of a report");
}

static void test_refused(void **state)
{
    (void)state;
    static const char stream[] = "{}\n{\"a\":\n1e}\n";
    struct frame *frame = frame_new(0);
    size_t room, length;
    memcpy(frame_room(frame, &room), stream, sizeof(stream) - 1);
    frame_added(frame, sizeof(stream) - 1);
    assert_non_null(frame_next(frame, &length));
    assert_non_null(frame_next(frame, &length));
    frame_refuse(frame, 8, "no number");
    assert_int_equal(frame_damages(frame), 1);
    assert_int_equal(frame_last_damage(frame)->byte, 12);
    assert_int_equal(frame_last_damage(frame)->line, 3);
    frame_free(frame);
}

// COUNT times TEXT.
static char *repeat(const char *text, size_t count, size_t *size)
{
    size_t length = strlen(text);
    char *all = malloc(length * count + 1);
    assert_non_null(all);
    for (size_t i = 0; i < count; i++)
        memcpy(all + i * length, text, length);
    *size = length * count;
    all[*size] = '\0';
    return all;
}

static void test_depth(void **state)
{
    (void)state;
    char stream[2 * FRAME_DEPTH + 64], *at = stream;
    at += sprintf(at, "{\"a\":");
    at = memset(at, '[', FRAME_DEPTH - 1);
    at += FRAME_DEPTH - 1;
    at = memset(at, ']', FRAME_DEPTH - 1);
    strcpy(at + FRAME_DEPTH - 1, "}\n");
    struct result result = run(stream, strlen(stream), SIZE_MAX, 0);
    assert_int_equal(result.count, 1);
    drop(&result);
    size_t size;
    char *deep = repeat("[", FRAME_DEPTH, &size);
    char *all = malloc(size + 64);
    snprintf(all, size + 64, "{\"a\":%s\n{}\n", deep);
    result = run(all, strlen(all), SIZE_MAX, 0);
    assert_int_equal(result.count, 1);
    assert_string_equal(result.first.what, "nested more than 128 deep");
    drop(&result);
    free(all);
    free(deep);
}

static void test_large(void **state)
{
    (void)state;
    size_t size = 16 * 1024 * 1024;
    char *stream = malloc(size + 64);
    memcpy(stream, "{\"a\":\"", 6);
    memset(stream + 6, 'x', size - 6);
    strcpy(stream + size, "\"}\n{}\n");
    struct result result = run(stream, size + 6, 65536, 0);
    assert_int_equal(result.count, 2);
    assert_int_equal(result.damages, 0);
    assert_int_equal(strlen(result.objects[0]), size + 2);
    drop(&result);
    free(stream);
}

// Too large: dropped, and the next line is taken up; also when it is one large chunk.
static void test_too_large(void **state)
{
    (void)state;
    char stream[1200];
    memset(stream, 'x', sizeof(stream));
    memcpy(stream, "{\"a\":\"", 6);
    strcpy(stream + 1000, "\"}\n{\"r\":2}\n");
    static const size_t chunks[] = {1, 100, SIZE_MAX};
    for (size_t i = 0; i < 3; i++) {
        struct result result = run(stream, strlen(stream), chunks[i], 500);
        assert_int_equal(result.count, 1);
        assert_string_equal(result.objects[0], "{\"r\":2}");
        assert_int_equal(result.damages, 1);
        drop(&result);
    }
    struct result result = run(stream, strlen(stream), 1, 1002); // as long as that
    assert_int_equal(result.count, 2);
    drop(&result);
}

static double seconds_for(const char *text, size_t size)
{
    struct timespec from, to;
    size_t unit = strlen(text), all;
    char *stream = repeat(text, size / unit, &all);
    struct frame *frame = frame_new(0);
    size_t room, length;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (size_t at = 0; at < all;) {
        char *place = frame_room(frame, &room);
        size_t count = all - at < room ? all - at : room;
        memcpy(place, stream + at, count);
        frame_added(frame, count);
        at += count;
        while (frame_next(frame, &length) != NULL)
            continue;
    }
    frame_end(frame);
    while (frame_next(frame, &length) != NULL)
        continue;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    frame_free(frame);
    free(stream);
    return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

// Streams made to be scanned again and again. Four times the bytes may take four times as long, not
// sixteen; with room for a busy machine and a sanitizer.
static void test_linear(void **state)
{
    (void)state;
    static const char *const nasty[] = {
        "{\n",
        "{\"a\":\n",
        "{\"a\":[\n",
        "{\"a\":[{},\n",
        "}\n",
        "\n",
        "{}\n",
        "{\"a\":[\n{\"b\":1},",
        "\"\n",
        "{\"a\":[1,\n",
        "{\"a\":[{\"b\":\n{},\n",
    };
    for (size_t i = 0; i < sizeof(nasty) / sizeof(nasty[0]); i++) {
        double small = seconds_for(nasty[i], 512 * 1024);
        double large = seconds_for(nasty[i], 4 * 512 * 1024);
        if (large > 10 * small + 0.05)
            fail_msg("%s: %.3f s, then %.3f s for four times as much", nasty[i], small, large);
    }
}

// Of what looks like reports within reports only so much is scanned again.
static void test_credit(void **state)
{
    (void)state;
    double plain = seconds_for("{\"a\":[1],\"b\":[2]}\n", 4 * 1024 * 1024);
    double nested = seconds_for("{\"a\":[\n", 4 * 1024 * 1024);
    if (nested > 12 * plain + 0.05)
        fail_msg("%.3f s, and %.3f s for as many bytes of reports", nested, plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects),       cmocka_unit_test(test_several_lines),
        cmocka_unit_test(test_foreign_lines), cmocka_unit_test(test_broken_objects),
        cmocka_unit_test(test_cut_anywhere),  cmocka_unit_test(test_starts_in_the_middle),
        cmocka_unit_test(test_places),        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_depth),         cmocka_unit_test(test_large),
        cmocka_unit_test(test_too_large),     cmocka_unit_test(test_linear),
        cmocka_unit_test(test_credit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
