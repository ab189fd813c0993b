// SPDX-License-Identifier: Apache-2.0
// Hostile text: cleaning, decoding, columns, cutting, with and without a UTF-8 locale.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <locale.h>

#include "base/arena.h"
#include "base/text.h"

#define BAD "\xef\xbf\xbd"
#define ELLIPSIS "\xe2\x80\xa6"

static int in_utf8(void **state)
{
    (void)state;
    return setlocale(LC_ALL, "C.UTF-8") == NULL;
}

static int in_c(void **state)
{
    (void)state;
    return setlocale(LC_ALL, "C") == NULL;
}

static void check_clean(const char *hostile, size_t length, const char *expected)
{
    struct arena *arena = arena_new();
    char small[256];
    assert_string_equal(text_clean(arena, hostile, length), expected);
    if (strlen(hostile) == length)
        assert_string_equal(text_clean_to(small, sizeof(small), hostile, length), expected);
    arena_free(arena);
}

#define CLEAN(hostile, expected) check_clean(hostile, sizeof(hostile) - 1, expected)

static void decodes_whole_characters(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length, taken;
        uint32_t code;
    } cases[] = {
        {"A", 1, 1, 'A'},
        {"\xc3\xa9", 2, 2, 0xe9},
        {"\xe2\x82\xac", 3, 3, 0x20ac},
        {"\xf0\x9f\x98\x80", 4, 4, 0x1f600},
        {"\xf4\x8f\xbf\xbf", 4, 4, 0x10ffff},
        {"\xef\xbf\xbd", 3, 3, 0xfffd},
        {"\xc3", 1, 1, 0xfffd},             // cut off
        {"\xe2\x82", 2, 1, 0xfffd},         // cut off
        {"\xc3(", 2, 1, 0xfffd},            // no continuation
        {"\x80", 1, 1, 0xfffd},             // continuation alone
        {"\xc0\xaf", 2, 1, 0xfffd},         // overlong slash
        {"\xe0\x80\xaf", 3, 1, 0xfffd},     // overlong slash
        {"\xf0\x80\x80\xaf", 4, 1, 0xfffd}, // overlong slash
        {"\xed\xa0\x80", 3, 1, 0xfffd},     // surrogate
        {"\xf4\x90\x80\x80", 4, 1, 0xfffd}, // above U+10FFFF
        {"\xff", 1, 1, 0xfffd},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint32_t code;
        assert_int_equal(text_decode(cases[i].bytes, cases[i].length, &code), cases[i].taken);
        assert_int_equal(code, cases[i].code);
    }
}

static void encoding_and_decoding_agree(void **state)
{
    (void)state;
    for (uint32_t code = 1; code <= 0x10ffff; code++) {
        char bytes[4];
        uint32_t again;
        bool surrogate = code >= 0xd800 && code < 0xe000;
        size_t length = text_encode(code, bytes);
        assert_int_equal(text_decode(bytes, length, &again), length);
        assert_int_equal(again, surrogate ? 0xfffd : code);
    }
    char bytes[4];
    assert_int_equal(text_encode(0x110000, bytes), 3);
    assert_memory_equal(bytes, BAD, 3);
}

static void clean_replaces_controls(void **state)
{
    (void)state;
    CLEAN("torchrun train.py --nproc 32", "torchrun train.py --nproc 32");
    CLEAN("", "");
    CLEAN("a\x1b[31mb", "a" BAD "[31mb");
    CLEAN("a\tb\r\nc\x7f", "a" BAD "b" BAD BAD "c" BAD);
    CLEAN("\xc2\x9b"
          "31m",
          BAD "31m"); // CSI as one C1 character
    check_clean("a\0b", 3, "a" BAD "b");
}

static void clean_replaces_what_is_not_seen(void **state)
{
    (void)state;
    CLEAN("gpj\xe2\x80\xae"
          "exe",
          "gpj" BAD "exe"); // right-to-left override
    CLEAN("a\xe2\x80\xa8"
          "b\xe2\x80\xa9",
          "a" BAD "b" BAD);                          // line, paragraph separator
    CLEAN("a\xe2\x80\x8b\xe2\x80\x8d", "a" BAD BAD); // zero-width space, joiner
    CLEAN("\xef\xbb\xbf"
          "a",
          BAD "a");                      // byte order mark
    CLEAN("a\xc2\xad", "a" BAD);         // soft hyphen
    CLEAN("a\xf3\xa0\x81\x81", "a" BAD); // a tag character
    CLEAN("a\xef\xb8\x8f", "a" BAD);     // variation selector
    CLEAN("a\xe3\x85\xa4", "a" BAD);     // Hangul filler
    CLEAN("a\xef\xbf\xbf", "a" BAD);     // a non-character
}

static void clean_replaces_malformed_bytes(void **state)
{
    (void)state;
    CLEAN("\xff\xfe", BAD BAD);
    CLEAN("caf\xc3", "caf" BAD);
    CLEAN("caf\xe9!", "caf" BAD "!");
    CLEAN("\xed\xa0\x80", BAD BAD BAD);
}

static void clean_keeps_letters_of_all_scripts(void **state)
{
    (void)state;
    CLEAN("caf\xc3\xa9", "caf\xc3\xa9");
    CLEAN("\xe6\xa8\xa1\xe5\x9e\x8b", "\xe6\xa8\xa1\xe5\x9e\x8b");
    CLEAN("\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80");
}

static void clean_limits_marks(void **state)
{
    (void)state;
#define MARK "\xcc\x81"
    CLEAN("e" MARK, "e" MARK);
    CLEAN("e" MARK MARK MARK MARK MARK MARK "x" MARK, "e" MARK MARK MARK MARK "x" MARK);
    CLEAN(MARK "e", BAD "e"); // else it would sit on the frame left of it
    CLEAN(MARK MARK MARK MARK MARK MARK, BAD MARK MARK MARK MARK);
#undef MARK
}

// The longest text is TEXT_MOST bytes long, and what was longer says so with whole characters.
static void clean_cuts_what_is_too_long(void **state)
{
    (void)state;
    static char text[3 * TEXT_MOST];
    struct arena *arena = arena_new();
    memset(text, 'a', sizeof(text));
    assert_int_equal(strlen(text_clean(arena, text, TEXT_MOST)), TEXT_MOST);
    const char *cut = text_clean(arena, text, TEXT_MOST + 1);
    assert_int_equal(strlen(cut), TEXT_MOST);
    assert_string_equal(cut + TEXT_MOST - 4, "a\xe2\x80\xa6");
    for (size_t i = 0; i + 3 <= sizeof(text); i += 3)
        memcpy(text + i, "\xe2\x82\xac", 3);
    cut = text_clean(arena, text, sizeof(text));
    assert_int_equal(strlen(cut), TEXT_MOST / 3 * 3);
    assert_string_equal(cut + strlen(cut) - 6, "\xe2\x82\xac\xe2\x80\xa6");
    memset(text, 0x80, sizeof(text)); // grows while it is cleaned
    assert_true(strlen(text_clean(arena, text, TEXT_MOST)) <= TEXT_MOST);
    arena_free(arena);
}

static void clean_of_nothing_is_nothing(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    char small[4] = "xyz";
    assert_null(text_clean(arena, NULL, 5));
    assert_string_equal(text_clean_to(small, sizeof(small), NULL, 5), "");
    arena_free(arena);
}

static void clean_to_cuts_at_whole_characters(void **state)
{
    (void)state;
    char small[5];
    assert_string_equal(text_clean_to(small, 5, "abc\xe2\x82\xac", 6), "abc");
    assert_string_equal(text_clean_to(small, 5, "a\xe2\x82\xac", 4), "a\xe2\x82\xac");
    assert_string_equal(text_clean_to(small, 1, "abc", 3), "");
    assert_string_equal(text_clean_to(small, 5, "abcdef", 2), "ab");
    assert_string_equal(text_clean_to(small, 5, "ab\0cd", 5), "ab");
}

static void width_counts_columns(void **state)
{
    (void)state;
    assert_int_equal(text_width(""), 0);
    assert_int_equal(text_width("abc"), 3);
    assert_int_equal(text_width("caf\xc3\xa9"), 4);
    assert_int_equal(text_width("e\xcc\x81"), 1);
    assert_int_equal(text_width("\xe6\xa8\xa1\xe5\x9e\x8b"), 4);
    assert_int_equal(text_width(BAD), 1);
}

static void check_fit(const char *text, int columns, bool ascii, const char *expected, int used)
{
    char buffer[64];
    assert_int_equal(text_fit(buffer, sizeof(buffer), text, columns, ascii), used);
    assert_string_equal(buffer, expected);
}

static void fit_cuts_at_the_end(void **state)
{
    (void)state;
    check_fit("train.py", 8, false, "train.py", 8);
    check_fit("train.py", 7, false, "train." ELLIPSIS, 7);
    check_fit("train.py", 7, true, "train.~", 7);
    check_fit("train.py", 1, false, ELLIPSIS, 1);
    check_fit("train.py", 0, false, "", 0);
    check_fit("train.py", -3, false, "", 0);
    check_fit("", 5, false, "", 0);
    check_fit("", 0, false, "", 0);
}

static void fit_counts_columns_not_bytes(void **state)
{
    (void)state;
#define WIDE "\xe6\xa8\xa1\xe5\x9e\x8b\xe6\xa8\xa1"
    check_fit(WIDE, 6, false, WIDE, 6);
    check_fit(WIDE, 5, false, "\xe6\xa8\xa1\xe5\x9e\x8b" ELLIPSIS, 5);
    check_fit(WIDE, 4, false, "\xe6\xa8\xa1" ELLIPSIS, 3); // half a character cannot be drawn
    check_fit(WIDE, 6, true, "??????", 6);
    check_fit("e\xcc\x81xy", 2, false, "e\xcc\x81" ELLIPSIS, 2);
    check_fit("e\xcc\x81xy", 3, true, "exy", 3); // a mark has no column, so no '?' either
#undef WIDE
}

static void fit_replaces_what_cannot_be_drawn(void **state)
{
    (void)state;
    check_fit("a\nb\x1b", 8, false, "a?b?", 4);
    check_fit("a\xff", 8, false, "a?", 2);
    check_fit(BAD, 8, true, "?", 1);
}

static void fit_respects_the_buffer(void **state)
{
    (void)state;
    char buffer[8];
    for (size_t size = 1; size <= sizeof(buffer); size++) {
        memset(buffer, 'x', sizeof(buffer));
        text_fit(buffer, size,
                 "a\xe2\x82\xac"
                 "bc\xe2\x82\xac"
                 "def",
                 20, false);
        assert_true(strlen(buffer) < size);
        memset(buffer, 'x', sizeof(buffer));
        text_fit_end(buffer, size,
                     "a\xe2\x82\xac"
                     "bc\xe2\x82\xac"
                     "def",
                     20, false);
        assert_true(strlen(buffer) < size);
    }
    assert_int_equal(text_fit(buffer, 5, "abcdefgh", 20, true), 4);
    assert_string_equal(buffer, "abc~");
}

static void check_fit_end(const char *text, int columns, bool ascii, const char *expected, int used)
{
    char buffer[64];
    assert_int_equal(text_fit_end(buffer, sizeof(buffer), text, columns, ascii), used);
    assert_string_equal(buffer, expected);
}

static void fit_end_cuts_at_the_front(void **state)
{
    (void)state;
    check_fit_end("/home/u/model.neff", 18, false, "/home/u/model.neff", 18);
    check_fit_end("/home/u/model.neff", 12, false, ELLIPSIS "/model.neff", 12);
    check_fit_end("/home/u/model.neff", 12, true, "~/model.neff", 12);
    check_fit_end("/home/u/model.neff", 1, false, ELLIPSIS, 1);
    check_fit_end("/home/u/model.neff", 0, false, "", 0);
    check_fit_end("\xe6\xa8\xa1\xe5\x9e\x8bx", 4, false, ELLIPSIS "\xe5\x9e\x8bx", 4);
    check_fit_end("\xe6\xa8\xa1\xe5\x9e\x8bx", 3, false, ELLIPSIS "x", 2);
    check_fit_end("ae\xcc\x81xy", 3, false, ELLIPSIS "xy", 3);
    check_fit_end("aae\xcc\x81xy", 4, false, ELLIPSIS "e\xcc\x81xy", 4);
}

static void contains_ignores_case(void **state)
{
    (void)state;
    assert_true(text_contains("torchrun Train.py", "train"));
    assert_true(text_contains("torchrun train.py", "TRAIN.PY"));
    assert_true(text_contains("aab", "ab"));
    assert_true(text_contains("abc", ""));
    assert_true(text_contains("", ""));
    assert_false(text_contains("", "a"));
    assert_false(text_contains("abc", "abcd"));
    assert_true(text_contains("mod\xc3\xa8le", "\xc3\xa8"));
    assert_false(text_contains("mod\xc3\xa8le", "\xc3\x88"));
}

static void without_utf8_all_is_ascii(void **state)
{
    (void)state;
    check_fit("caf\xc3\xa9 x", 20, false, "caf? x", 6);
    check_fit("caf\xc3\xa9 x", 5, false, "caf?~", 5);
    assert_int_equal(text_width("caf\xc3\xa9"), 4);
    CLEAN("caf\xc3\xa9", "caf\xc3\xa9"); // cleaning does not depend on it
}

int main(void)
{
#define UTF8(test) cmocka_unit_test_setup(test, in_utf8)
    const struct CMUnitTest tests[] = {
        UTF8(decodes_whole_characters),
        UTF8(encoding_and_decoding_agree),
        UTF8(clean_replaces_controls),
        UTF8(clean_replaces_what_is_not_seen),
        UTF8(clean_replaces_malformed_bytes),
        UTF8(clean_keeps_letters_of_all_scripts),
        UTF8(clean_limits_marks),
        UTF8(clean_cuts_what_is_too_long),
        UTF8(clean_of_nothing_is_nothing),
        UTF8(clean_to_cuts_at_whole_characters),
        UTF8(width_counts_columns),
        UTF8(fit_cuts_at_the_end),
        UTF8(fit_counts_columns_not_bytes),
        UTF8(fit_replaces_what_cannot_be_drawn),
        UTF8(fit_respects_the_buffer),
        UTF8(fit_end_cuts_at_the_front),
        UTF8(contains_ignores_case),
        cmocka_unit_test_setup(without_utf8_all_is_ascii, in_c),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
