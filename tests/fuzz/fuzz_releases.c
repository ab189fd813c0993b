// SPDX-License-Identifier: Apache-2.0
// A table of SDK releases from anybody's file: look-ups in it stay within it.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "source/releases_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition) ((condition) ? (void)0 : abort())

static void look_up(const struct releases *releases, const struct release_component *row)
{
    char names[64];
    enum release_match how;
    MUST(row->component < COMPONENTS && memchr(row->version, '\0', sizeof(row->version)) != NULL);
    uint64_t set =
        releases_holding(releases, (enum component)row->component, row->version, GEN_UNKNOWN, &how);
    MUST((set & row->releases) == row->releases && how == RELEASE_EXACT);
    releases_names(releases, set, names, sizeof(names));
    MUST(memchr(names, '\0', sizeof(names)) != NULL);
    MUST(releases_newest(releases, set) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *why = NULL;
    struct releases *releases = releases_file_parse((const char *)data, size, &why);
    if (releases == NULL) {
        MUST(why != NULL);
        return 0;
    }
    MUST(releases->row_count > 0 && releases->row_count <= RELEASES_MAX);
    for (size_t i = 0; i < releases->component_count && i < 64; i++)
        look_up(releases, &releases->components[i]);
    for (size_t i = 0; i < releases->window_count && i < 64; i++) {
        unsigned min = 0, max = 0;
        releases_window(releases, releases->windows[i].driver, GEN_TRN3, &min, &max);
        MUST(min <= max);
    }
    releases_file_free(releases);
    return 0;
}
