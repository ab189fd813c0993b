// SPDX-License-Identifier: Apache-2.0
// Hostile text: what is cleaned is valid, stays the same when cleaned again and shows no control
// character; what is fitted keeps to its columns and its buffer.
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/unicode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition) ((condition) ? (void)0 : abort())

static void check_clean(struct arena *arena, const char *clean)
{
    const size_t length = strlen(clean);
    unsigned marks = 0;
    for (size_t at = 0; at < length;) {
        uint32_t code;
        size_t taken = text_decode(clean + at, length - at, &code);
        MUST(taken > 1 || code < 0x80);
        MUST(!unicode_hidden(code));
        marks = unicode_mark(code) ? marks + 1 : 0;
        MUST(marks <= 4 && (at > 0 || marks == 0));
        at += taken;
    }
    MUST(strcmp(text_clean(arena, clean, length), clean) == 0);
}

typedef int fit(char *buffer, size_t size, const char *text, int columns, bool ascii);

static void check_fit(fit *fits, const char *clean, size_t size, int columns, bool ascii)
{
    char *buffer = malloc(size);
    MUST(buffer != NULL);
    int used = fits(buffer, size, clean, columns, ascii);
    MUST(strlen(buffer) < size);
    MUST(used >= 0 && used <= (columns > 0 ? columns : 0));
    MUST(text_width(buffer) == used);
    for (const char *byte = buffer; ascii && *byte != '\0'; byte++)
        MUST(*byte >= 0x20 && *byte < 0x7f);
    if (size > 4 * strlen(clean) && text_width(clean) <= columns && !ascii)
        MUST(strcmp(buffer, clean) == 0 || strchr(buffer, '?') != NULL);
    free(buffer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arena *arena;
    char small[64];
    if (size < 2)
        return 0;
    if (arena == NULL) {
        arena = arena_new();
        setlocale(LC_ALL, "C.UTF-8");
    }
    const int columns = (int)data[0] - 8;
    const size_t room = 1 + (size_t)data[1];
    const char *hostile = (const char *)data + 2;
    const char *clean = text_clean(arena, hostile, size - 2);
    check_clean(arena, clean);
    text_clean_to(small, 1 + room % sizeof(small), hostile, size - 2);
    check_clean(arena, small);
    for (int ascii = 0; ascii < 2; ascii++) {
        check_fit(text_fit, clean, room, columns, ascii != 0);
        check_fit(text_fit_end, clean, room, columns, ascii != 0);
    }
    MUST(text_contains(clean, clean));
    arena_reset(arena);
    return 0;
}
