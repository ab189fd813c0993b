// SPDX-License-Identifier: Apache-2.0
// Finds libarchive and its functions.
#include "base/libarchive.h"

#ifdef HAVE_LIBARCHIVE

#include <dlfcn.h>
#include <string.h>

// The name of libarchive's ABI since version 3.0.
static const char LIBRARY[] = "libarchive.so.13";

bool libarchive_load(struct libarchive *calls)
{
    memset(calls, 0, sizeof(*calls));
    calls->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool all = calls->library != NULL;
    void *found;
#define FIND(name)                                   \
    if (all) {                                       \
        found = dlsym(calls->library, #name);        \
        memcpy(&calls->name, &found, sizeof(found)); \
        all = found != NULL;                         \
    }
    LIBARCHIVE_CALLS(FIND)
    if (!all) {
        libarchive_unload(calls);
        return false;
    }
    found = dlsym(calls->library, "archive_read_support_filter_zstd");
    memcpy(&calls->archive_read_support_filter_zstd, &found, sizeof(found));
    return true;
}

void libarchive_unload(struct libarchive *calls)
{
    if (calls->library != NULL)
        dlclose(calls->library);
    calls->library = NULL;
}

#endif
