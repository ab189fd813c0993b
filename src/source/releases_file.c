// SPDX-License-Identifier: Apache-2.0
// A table of SDK releases from a file. Anybody may have written it: every size has a bound, and
// every text is checked to be what it should be.
#include "source/releases_file.h"

#include <bsd/string.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "base/xmem.h"
#include "source/field.h"
#include "source/releases_rules.h"

enum { FILE_MAX = 8 << 20, DEPTH_MAX = 16, ROWS_MAX = 4096, WINDOWS_MAX = 1024, VERSIONS_MAX = 64 };

// What the table points to, in one piece with it.
struct made {
    struct releases table;
    size_t component_room;
    struct release *rows;
    struct release_component *components;
    struct compat_window *windows;
    struct runtime_id *ids;
    struct release_rule *rules;
    char file[120];
};

void releases_file_free(struct releases *releases)
{
    struct made *made = (struct made *)releases; // its first member
    if (made == NULL)
        return;
    free(made->rows);
    free(made->components);
    free(made->windows);
    free(made->ids);
    free(made->rules);
    free(made);
}

// A string member that begins with a digit and fits, of the signs of versions and dates.
static bool take_text(json_object *object, const char *key, char *buffer, size_t size)
{
    size_t length;
    const char *text = field_text(object, key, &length);
    if (text == NULL || length >= size || !isdigit((unsigned char)text[0]))
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '.' && text[i] != '-')
            return false;
    memcpy(buffer, text, length);
    buffer[length] = '\0';
    return true;
}

// Bits of generations by instance family; 0 where nothing or nothing known is said.
static uint8_t take_families(json_object *list)
{
    unsigned families = 0;
    size_t count = list != NULL ? json_object_array_length(list) : 0;
    for (size_t i = 0; i < count; i++) {
        json_object *item = json_object_array_get_idx(list, i);
        const char *name =
            json_object_is_type(item, json_type_string) ? json_object_get_string(item) : "";
        unsigned found = 0;
        for (unsigned id = GEN_INF1; id <= GEN_TRN3; id++)
            if (strcmp(generation_get((enum generation_id)id)->instance_family, name) == 0)
                found = 1U << id;
        if (found == 0)
            return 0;
        families |= found;
    }
    return (uint8_t)families;
}

// The row of this version and these families; a new one when there is none yet.
static struct release_component *component_row(struct made *made,
                                               const struct release_component *wanted)
{
    struct releases *table = &made->table;
    for (size_t i = 0; i < table->component_count; i++) {
        struct release_component *row = &made->components[i];
        if (row->component == wanted->component && row->families == wanted->families &&
            strcmp(row->version, wanted->version) == 0)
            return row;
    }
    if (table->component_count == ROWS_MAX)
        return NULL;
    if (table->component_count == made->component_room) {
        made->component_room = made->component_room * 2 + 256;
        made->components =
            xreallocarray(made->components, made->component_room, sizeof(*made->components));
    }
    made->components[table->component_count] = *wanted;
    return &made->components[table->component_count++];
}

static void take_component(struct made *made, enum component component, json_object *entries,
                           size_t release)
{
    size_t count = json_object_array_length(entries);
    for (size_t i = 0; i < count && i < VERSIONS_MAX; i++) {
        json_object *entry = json_object_array_get_idx(entries, i);
        struct release_component wanted = {.component = (uint8_t)component};
        if (!take_text(entry, "version", wanted.version, sizeof(wanted.version)))
            continue;
        wanted.families = take_families(field_array(entry, "instances"));
        struct release_component *row = component_row(made, &wanted);
        if (row != NULL)
            row->releases |= UINT64_C(1) << release;
    }
}

static void take_release(struct made *made, json_object *object)
{
    struct release release = {.families = 0};
    if (!take_text(object, "sdk", release.sdk, sizeof(release.sdk)))
        return;
    take_text(object, "date", release.date, sizeof(release.date));
    release.families = take_families(field_array(object, "instances"));
    json_object *components = field_object(object, "components");
    for (unsigned i = 0; components != NULL && i < COMPONENTS; i++) {
        json_object *entries = field_array(components, component_key((enum component)i));
        if (entries != NULL)
            take_component(made, (enum component)i, entries, made->table.row_count);
    }
    made->rows[made->table.row_count++] = release;
}

static void take_releases(struct made *made, json_object *list)
{
    size_t count = json_object_array_length(list);
    made->rows = xcalloc(RELEASES_MAX, sizeof(*made->rows));
    for (size_t i = 0; i < count && made->table.row_count < RELEASES_MAX; i++)
        take_release(made, json_object_array_get_idx(list, i));
}

static bool take_bounds(json_object *object, const char *low_key, const char *high_key,
                        uint16_t *low, uint16_t *high)
{
    uint64_t first, second;
    if (!field_count(object, low_key, &first) || !field_count(object, high_key, &second) ||
        first > second || second > UINT16_MAX)
        return false;
    *low = (uint16_t)first;
    *high = (uint16_t)second;
    return true;
}

// By NeuronCore generation: "all", "v1" to "v4".
static void take_windows(struct made *made, json_object *list)
{
    static const char *const cores[] = {"all", "v1", "v2", "v3", "v4"};
    size_t count = list != NULL ? json_object_array_length(list) : 0;
    made->windows = xcalloc(WINDOWS_MAX, sizeof(*made->windows));
    for (size_t i = 0; i < count; i++) {
        json_object *object = json_object_array_get_idx(list, i);
        json_object *window = field_object(object, "window");
        for (unsigned core = 0; core < 5 && made->table.window_count < WINDOWS_MAX; core++) {
            struct compat_window *row = &made->windows[made->table.window_count];
            json_object *bounds = window != NULL ? field_object(window, cores[core]) : NULL;
            if (bounds == NULL || !take_text(object, "driver", row->driver, sizeof(row->driver)) ||
                !take_bounds(bounds, "min", "max", &row->min, &row->max))
                continue;
            row->neuroncore = (uint8_t)core;
            made->table.window_count++;
        }
    }
}

static void take_ids(struct made *made, json_object *list)
{
    size_t count = list != NULL ? json_object_array_length(list) : 0, length;
    made->ids = xcalloc(WINDOWS_MAX, sizeof(*made->ids));
    for (size_t i = 0; i < count; i++) {
        json_object *object = json_object_array_get_idx(list, i);
        const char *arch = field_text(object, "arch", &length);
        for (unsigned core = 1; arch != NULL && core <= 4; core++) {
            char name[] = {'v', (char)('0' + core), '\0'};
            struct runtime_id *row = &made->ids[made->table.id_count];
            if (made->table.id_count == WINDOWS_MAX || strstr(arch, name) == NULL ||
                !take_text(object, "runtime", row->runtime, sizeof(row->runtime)) ||
                !take_bounds(object, "checked_against_min", "checked_against_max", &row->low,
                             &row->high))
                continue;
            row->neuroncore = (uint8_t)core;
            made->table.id_count++;
        }
    }
}

static struct releases *make(json_object *root, const char **why)
{
    json_object *list = field_array(root, "releases");
    if (list == NULL) {
        *why = "no list \"releases\" in it";
        return NULL;
    }
    struct made *made = xcalloc(1, sizeof(*made));
    take_releases(made, list);
    take_windows(made, field_array(root, "driver_runtime_compat_windows"));
    take_ids(made, field_array(root, "runtime_compat_ids"));
    made->rules = releases_rules_read(field_array(root, "rules"), &made->table.rule_count);
    made->table.rules = made->rules;
    made->table.rows = made->rows;
    made->table.components = made->components;
    made->table.windows = made->windows;
    made->table.ids = made->ids;
    if (made->table.row_count > 0 && made->table.component_count > 0)
        return &made->table;
    *why = "no release of a known form in it";
    releases_file_free(&made->table);
    return NULL;
}

struct releases *releases_file_parse(const char *text, size_t length, const char **why)
{
    struct releases *releases = NULL;
    if (length > FILE_MAX) {
        *why = "it is larger than 8 MiB";
        return NULL;
    }
    json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX);
    json_object *root = json_tokener_parse_ex(tokener, text, (int)length);
    if (json_tokener_get_error(tokener) != json_tokener_success ||
        !json_object_is_type(root, json_type_object))
        *why = "no JSON object";
    else
        releases = make(root, why);
    json_object_put(root);
    json_tokener_free(tokener);
    return releases;
}

static char *read_whole(int fd, size_t *length, const char **why)
{
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        *why = "it is no regular file";
        return NULL;
    }
    if (info.st_size > FILE_MAX) {
        *why = "it is larger than 8 MiB";
        return NULL;
    }
    char *text = xmalloc((size_t)info.st_size + 1);
    ssize_t got;
    *length = 0;
    while (*length < (size_t)info.st_size &&
           (got = read(fd, text + *length, (size_t)info.st_size - *length)) > 0)
        *length += (size_t)got;
    text[*length] = '\0';
    return text;
}

static void take_name(struct releases *releases, const char *name)
{
    struct made *made = (struct made *)releases; // its first member
    strlcpy(made->file, name, sizeof(made->file));
    made->table.file = made->file;
}

struct releases *releases_file_read(const char *path, struct trouble *trouble)
{
    char shown[120];
    const char *why = "";
    struct releases *releases = NULL;
    size_t length;
    text_clean_to(shown, sizeof(shown), path, strlen(path));
    int fd = file_open_named(path, O_NONBLOCK, &why);
    if (fd < 0) {
        snprintf(trouble->line, sizeof(trouble->line), "%s: %s", shown, why);
        return NULL;
    }
    char *text = read_whole(fd, &length, &why);
    close(fd);
    if (text != NULL)
        releases = releases_file_parse(text, length, &why);
    free(text);
    if (releases == NULL)
        snprintf(trouble->line, sizeof(trouble->line),
                 "%s: not a table of SDK releases: %s (as data/releases.json of neutop)", shown,
                 why);
    else
        take_name(releases, shown);
    return releases;
}
