// SPDX-License-Identifier: Apache-2.0
// The forms in which versions lie on a disk.
#include "source/packages_parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool version_take(char version[VERSION_TEXT], const char *text, size_t length)
{
    version[0] = '\0';
    while (length > 0 && (text[0] == ' ' || text[0] == '\t'))
        text++, length--;
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    if (length == 0 || length >= VERSION_TEXT || !isdigit((unsigned char)text[0]))
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && strchr(".+-~:_", text[i]) == NULL)
            return false;
    memcpy(version, text, length);
    version[length] = '\0';
    return true;
}

void dpkg_begin(struct dpkg_feed *feed,
                void (*take)(void *user, enum component component, const char *version), void *user)
{
    *feed = (struct dpkg_feed){.take = take, .user = user};
}

// What stands behind NAME and its colon, NULL when the line is another field's.
static const char *field_of(const char *line, size_t length, const char *name, size_t *left)
{
    size_t end = strlen(name);
    if (length <= end || strncasecmp(line, name, end) != 0 || line[end] != ':')
        return NULL;
    *left = length - end - 1;
    return line + end + 1;
}

static void end_stanza(struct dpkg_feed *feed)
{
    enum component component;
    if (feed->installed && feed->version[0] != '\0' &&
        component_by_package(feed->package, &component))
        feed->take(feed->user, component, feed->version);
    feed->package[0] = feed->version[0] = '\0';
    feed->installed = false;
}

static void take_field(struct dpkg_feed *feed, const char *line, size_t length)
{
    size_t left;
    const char *value;
    if ((value = field_of(line, length, "Package", &left)) != NULL) {
        while (left > 0 && *value == ' ')
            value++, left--;
        feed->package[0] = '\0';
        if (left < PACKAGE_TEXT && memchr(value, '\0', left) == NULL) {
            memcpy(feed->package, value, left);
            feed->package[left] = '\0';
        }
    } else if ((value = field_of(line, length, "Status", &left)) != NULL) {
        feed->installed = left >= 10 && memcmp(value + left - 10, " installed", 10) == 0;
    } else if ((value = field_of(line, length, "Version", &left)) != NULL) {
        version_take(feed->version, value, left);
    }
}

static void end_line(struct dpkg_feed *feed)
{
    if (feed->used == 0)
        end_stanza(feed);
    else if (feed->used < sizeof(feed->line)) // a longer one is none of the three
        take_field(feed, feed->line, feed->used);
    feed->used = 0;
}

void dpkg_feed(struct dpkg_feed *feed, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\n')
            end_line(feed);
        else if (feed->used < sizeof(feed->line))
            feed->line[feed->used++] = bytes[i];
    }
}

void dpkg_end(struct dpkg_feed *feed)
{
    if (feed->used > 0)
        end_line(feed);
    end_stanza(feed);
}

bool dist_info_parse(const char *name, enum component *component, char version[VERSION_TEXT])
{
    static const char end[] = ".dist-info";
    char package[PACKAGE_TEXT];
    const char *dash = strchr(name, '-');
    size_t length = strlen(name);
    if (dash == NULL || length < sizeof(end) || (size_t)(dash - name) >= sizeof(package) ||
        strcmp(name + length - (sizeof(end) - 1), end) != 0)
        return false;
    memcpy(package, name, (size_t)(dash - name));
    package[dash - name] = '\0';
    return component_by_package(package, component) &&
           version_take(version, dash + 1, length - (sizeof(end) - 1) - (size_t)(dash + 1 - name));
}

bool metadata_parse(const char *text, size_t length, char version[VERSION_TEXT])
{
    version[0] = '\0';
    while (length > 0) {
        size_t left;
        const char *end = memchr(text, '\n', length);
        size_t line = end != NULL ? (size_t)(end - text) : length;
        if (line == 0 || (line == 1 && text[0] == '\r'))
            return false; // the description begins
        const char *value = field_of(text, line, "Version", &left);
        if (value != NULL)
            return version_take(version, value, left);
        text += end != NULL ? line + 1 : line;
        length -= end != NULL ? line + 1 : line;
    }
    return false;
}

bool library_parse(const char *name, const char *stem, char version[VERSION_TEXT])
{
    size_t start = strlen(stem), dots = 0;
    version[0] = '\0';
    if (strncmp(name, stem, start) != 0)
        return false;
    const char *text = name + start;
    for (size_t i = 0; text[i] != '\0'; i++)
        dots += text[i] == '.';
    return dots >= 2 && strspn(text, "0123456789.") == strlen(text) &&
           version_take(version, text, strlen(text));
}

bool module_scan(const char *block, size_t length, char version[VERSION_TEXT])
{
    static const char key[] = "\0version=";
    const size_t size = sizeof(key) - 1;
    const char *at = block, *end = block + length;
    while ((at = memmem(at, (size_t)(end - at), key, size)) != NULL) {
        const char *value = at + size;
        const char *nul = memchr(value, '\0', (size_t)(end - value));
        if (nul != NULL && version_take(version, value, (size_t)(nul - value)))
            return true;
        at = value;
    }
    version[0] = '\0';
    return false;
}

bool glibc_scan(const char *block, size_t length, char version[VERSION_TEXT])
{
    static const char name[] = "GNU C Library ", key[] = " release version ";
    const char *at = block, *end = block + length;
    version[0] = '\0';
    while ((at = memmem(at, (size_t)(end - at), name, sizeof(name) - 1)) != NULL) {
        size_t left = (size_t)(end - at), number = 0;
        const char *value = memmem(at, left < 160 ? left : 160, key, sizeof(key) - 1);
        at += sizeof(name) - 1;
        if (value == NULL)
            continue;
        value += sizeof(key) - 1;
        while (value + number < end &&
               (isdigit((unsigned char)value[number]) || value[number] == '.'))
            number++;
        if (value + number == end)
            return false; // it goes on in the next block
        while (number > 0 && value[number - 1] == '.')
            number--;
        if (version_take(version, value, number))
            return true;
    }
    return false;
}

// "2.31.24.0": four numbers and nothing else, ended by NUL. Its length, 0 when it is not.
static size_t four_numbers(const char *text, const char *end)
{
    const char *at = text;
    for (int number = 0; number < 4; number++) {
        const char *start = at;
        while (at < end && at - start < 6 && isdigit((unsigned char)*at))
            at++;
        if (at == start || at == end || *at != (number < 3 ? '.' : '\0'))
            return 0;
        at++;
    }
    return (size_t)(at - 1 - text);
}

static void add_candidate(struct libnrt_scan *scan, const char *text, size_t length, uint64_t at)
{
    for (unsigned i = 0; i < scan->count; i++)
        if (scan->candidates[i].at == at)
            return; // seen in the carried part of the block
    if (scan->count == sizeof(scan->candidates) / sizeof(scan->candidates[0]) ||
        length >= sizeof(scan->candidates[0].version) || text[0] == '0')
        return;
    struct libnrt_candidate *candidate = &scan->candidates[scan->count++];
    candidate->at = at;
    memcpy(candidate->version, text, length);
    candidate->version[length] = '\0';
}

void libnrt_scan(struct libnrt_scan *scan, const char *block, size_t length, uint64_t at)
{
    static const char format[] = "libnrt version %s";
    const char *found = memmem(block, length, format, sizeof(format) - 1);
    const char *end = block + length;
    if (found != NULL)
        scan->format_at = at + (uint64_t)(found - block);
    for (const char *nul = block; nul + 1 < end; nul++) {
        if (*nul != '\0' || !isdigit((unsigned char)nul[1]))
            continue;
        size_t size = four_numbers(nul + 1, end);
        if (size > 0)
            add_candidate(scan, nul + 1, size, at + (uint64_t)(nul + 1 - block));
    }
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

bool libnrt_result(const struct libnrt_scan *scan, char version[VERSION_TEXT])
{
    const struct libnrt_candidate *best = NULL;
    bool one = true;
    for (unsigned i = 0; i < scan->count; i++) {
        const struct libnrt_candidate *this = &scan->candidates[i];
        one = one && strcmp(this->version, scan->candidates[0].version) == 0;
        if (best == NULL ||
            distance(this->at, scan->format_at) < distance(best->at, scan->format_at))
            best = this;
    }
    version[0] = '\0';
    if (best == NULL || (scan->format_at == 0 && !one))
        return false;
    return version_take(version, best->version, strlen(best->version));
}

size_t modules_dep_path(const char *line, size_t length)
{
    static const char name[] = "neuron.ko";
    const char *colon = memchr(line, ':', length);
    if (colon == NULL)
        return 0;
    size_t path = (size_t)(colon - line), start = path;
    while (start > 0 && line[start - 1] != '/')
        start--;
    size_t base = path - start, stem = sizeof(name) - 1;
    if (base < stem || memcmp(line + start, name, stem) != 0)
        return 0;
    return base == stem || line[start + stem] == '.' ? path : 0;
}
