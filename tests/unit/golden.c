// SPDX-License-Identifier: Apache-2.0
// Texts that tests expect.
#include "golden.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

enum { GOLDEN_MAX = 256 * 1024, LINE_MAX_BYTES = 4096 };

static void golden_path(char *path, size_t size, const char *name)
{
    const char *folder = getenv("NEUTOP_FIXTURES");
    snprintf(path, size, "%s/%s", folder != NULL ? folder : "tests/fixtures", name);
}

char *golden_read(const char *name)
{
    char path[4096];
    golden_path(path, sizeof(path), name);
    FILE *in = fopen(path, "r");
    if (in == NULL)
        fail_msg("cannot read %s", path);
    char *text = malloc(GOLDEN_MAX);
    assert_non_null(text);
    text[fread(text, 1, GOLDEN_MAX - 1, in)] = '\0';
    fclose(in);
    return text;
}

static void write_anew(const char *text, const char *name)
{
    char path[4096];
    golden_path(path, sizeof(path), name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

void golden_is(const char *text, const char *name)
{
    if (getenv("NEUTOP_UPDATE_GOLDEN") != NULL)
        write_anew(text, name);
    char *expected = golden_read(name);
    assert_string_equal(text, expected);
    free(expected);
}

void golden_fits(const char *text, int columns)
{
    char line[LINE_MAX_BYTES];
    for (const char *start = text; *start != '\0';) {
        size_t length = strcspn(start, "\n");
        assert_true(start[length] == '\n');
        assert_true(length < sizeof(line));
        memcpy(line, start, length);
        line[length] = '\0';
        if (text_width(line) > columns)
            fail_msg("%d columns: %s", text_width(line), line);
        if (length > 0 && line[length - 1] == ' ')
            fail_msg("blank at the end: %s", line);
        start += length + 1;
    }
}
