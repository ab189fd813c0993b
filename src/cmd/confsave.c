// SPDX-License-Identifier: Apache-2.0
// Saves settings in neutop.conf: this file edits the text, confsave_file.c exchanges the file.
#include "cmd/confsave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"

#define BOM "\xef\xbb\xbf"
static const size_t NO_LINE = (size_t)-1;

// A line of the text and what it is, as inih takes it.
struct conf_line {
    const char *start;
    size_t length;           // with its line end
    long setting;            // a key of this setting; -1: not
    bool continues;          // belongs to the key before it
    size_t value, value_end; // from START: the value of a key
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

// Where the text of START to END ends without a comment behind it and blanks.
static size_t trim(const char *text, size_t start, size_t end)
{
    for (size_t i = start + 1; i < end; i++) {
        if (text[i] == ';' && is_blank(text[i - 1])) {
            end = i;
            break;
        }
    }
    while (end > start && is_blank(text[end - 1]))
        end--;
    return end;
}

static long find_setting(const struct ui_setting *settings, size_t count, const char *key,
                         size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(settings[i].key) == length && memcmp(settings[i].key, key, length) == 0)
            return (long)i;
    return -1;
}

// BEHIND_KEY: a key came before and no section since: an indented line continues it.
static void read_line(struct conf_line *line, const struct ui_setting *settings, size_t count,
                      bool *behind_key)
{
    const char *text = line->start;
    size_t at = 0, end = line->length;

    while (at < end && is_blank(text[at]))
        at++;
    line->setting = -1;
    if (at == end || text[at] == '#' || text[at] == ';')
        return;
    line->continues = *behind_key && at > 0;
    if (line->continues)
        return;
    if (text[at] == '[') {
        *behind_key = false;
        return;
    }
    size_t sign = at;
    while (sign < end && text[sign] != '=' && text[sign] != ':')
        sign++;
    if (sign == end)
        return;
    *behind_key = true;
    line->setting = find_setting(settings, count, text + at, trim(text, at, sign) - at);
    line->value = sign + 1;
    while (line->value < end && (text[line->value] == ' ' || text[line->value] == '\t'))
        line->value++;
    line->value_end = trim(text, line->value, end);
}

static struct conf_line *read_lines(const char *text, size_t size,
                                    const struct ui_setting *settings, size_t count, size_t *lines)
{
    struct conf_line *all = NULL;
    size_t room = 0, bom = sizeof BOM - 1;
    bool behind_key = false;

    if (size < bom || memcmp(text, BOM, bom) != 0)
        bom = 0;
    *lines = 0;
    for (size_t at = bom; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        const size_t length = end != NULL ? (size_t)(end - text) + 1 - at : size - at;
        if (*lines == room) {
            room = room * 2 + 32;
            all = xreallocarray(all, room, sizeof(*all));
        }
        struct conf_line *line = &all[(*lines)++];
        *line = (struct conf_line){.start = text + at, .length = length};
        read_line(line, settings, count, &behind_key);
        at += length;
    }
    return all;
}

// The line whose value counts: the last one.
static size_t last_line(const struct conf_line *lines, size_t count, long setting)
{
    for (size_t i = count; i > 0; i--)
        if (lines[i - 1].setting == setting)
            return i - 1;
    return NO_LINE;
}

// A value over several lines becomes one of one line.
static void write_lines(FILE *out, const struct conf_line *lines, size_t count,
                        const struct ui_setting *settings)
{
    bool exchanged = false;

    for (size_t i = 0; i < count; i++) {
        const struct conf_line *line = &lines[i];
        if (line->continues && exchanged)
            continue;
        const bool key = line->value > 0;
        const bool counts = line->setting >= 0 && last_line(lines, count, line->setting) == i;
        exchanged = counts || (exchanged && !key);
        if (!counts) {
            fwrite(line->start, 1, line->length, out);
            continue;
        }
        fwrite(line->start, 1, line->value, out);
        fputs(settings[line->setting].value, out);
        fwrite(line->start + line->value_end, 1, line->length - line->value_end, out);
    }
}

char *confsave_edit(const char *text, size_t size, const struct ui_setting *settings, size_t count,
                    size_t *new_size)
{
    char *result = NULL;
    size_t line_count;
    struct conf_line *lines = read_lines(text, size, settings, count, &line_count);
    const char *end = memmem(text, size, "\r\n", 2) != NULL ? "\r\n" : "\n";
    FILE *out = open_memstream(&result, new_size);

    if (out == NULL)
        xmem_die("text", size);
    if (size >= sizeof BOM - 1 && memcmp(text, BOM, sizeof BOM - 1) == 0)
        fputs(BOM, out);
    write_lines(out, lines, line_count, settings);
    bool open = size > 0 && text[size - 1] != '\n';
    for (size_t i = 0; i < count; i++) {
        if (last_line(lines, line_count, (long)i) != NO_LINE ||
            strcmp(settings[i].value, settings[i].standard) == 0)
            continue;
        fprintf(out, "%s%s = %s%s", open ? end : "", settings[i].key, settings[i].value, end);
        open = false;
    }
    fclose(out);
    free(lines);
    return result;
}
