// SPDX-License-Identifier: Apache-2.0
// Fuzzes the texts by which a model and a NEFF are joined: names, uuids, places of caches, paths of
// open files, compile flags. What they give must fit, and be what it claims to be.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "source/neffs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool what)
{
    if (!what)
        abort();
}

static void names(const char *text)
{
    char entry[NEFFS_ENTRY], compiler[NEFFS_COMPILER], uuid[NEFFS_UUID];
    const char *path = NULL;
    if (neffs_entry_of(text, entry, compiler)) {
        must(neffs_is_entry(entry) && strstr(text, entry) != NULL);
        must(strchr(compiler, '/') == NULL && strstr(text, compiler) != NULL);
    }
    must(neffs_uuid(uuid, text) == (strlen(uuid) == NEFFS_UUID - 1));
    enum neffs_place place = neffs_place_of(text, &path);
    if (place == NEFFS_FOLDER || place == NEFFS_RELATIVE)
        must(path >= text && (path[0] == '/') == (place == NEFFS_FOLDER));
    const char *version = neffs_compiler_version(text);
    must(version == NULL || strchr(version, '/') == NULL);
    must(!neffs_is_entry(text) || strchr(text, '/') == NULL);
    neffs_name_agrees(text, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // a copy of exactly this size: a read past its end is found
    char *text = malloc(size + 1), *exact = malloc(size > 0 ? size : 1), path[NEFFS_PATH];
    bool deleted;
    if (text != NULL && exact != NULL) {
        memcpy(text, data, size);
        memcpy(exact, data, size);
        text[size] = '\0';
        names(text);
        if (neffs_path_of(path, exact, size, &deleted))
            must(path[0] == '/' && strlen(path) < NEFFS_PATH && strchr(path, '\033') == NULL);
        neffs_mapped_path(path, exact, size, &deleted);
        neffs_flags_target(exact, size);
    }
    free(exact);
    free(text);
    return 0;
}
