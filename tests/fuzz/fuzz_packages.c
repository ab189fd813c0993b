// SPDX-License-Identifier: Apache-2.0
// The forms in which versions lie on a disk: what comes out begins with a digit, is short and
// clean, and does not depend on the pieces in which the bytes came.
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "source/packages_parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition) ((condition) ? (void)0 : abort())

static void must_be_version(const char *version)
{
    MUST(isdigit((unsigned char)version[0]) && strlen(version) < VERSION_TEXT);
    for (; *version != '\0'; version++)
        MUST(isgraph((unsigned char)*version) && *version != '/');
}

struct taken {
    unsigned count;
    uint32_t sum;
};

static void take(void *user, enum component component, const char *version)
{
    struct taken *taken = user;
    must_be_version(version);
    MUST(component < COMPONENTS);
    taken->count++;
    for (; *version != '\0'; version++)
        taken->sum = taken->sum * 31 + (unsigned char)*version + (unsigned)component;
}

static struct taken feed(const char *text, size_t size, size_t piece)
{
    struct dpkg_feed feed;
    struct taken taken = {0};
    dpkg_begin(&feed, take, &taken);
    for (size_t at = 0; at < size; at += piece)
        dpkg_feed(&feed, text + at, size - at < piece ? size - at : piece);
    dpkg_end(&feed);
    return taken;
}

static void check_names(const char *text, size_t size)
{
    char version[VERSION_TEXT];
    enum component component;
    char *name = malloc(size + 1);
    MUST(name != NULL);
    memcpy(name, text, size);
    name[size] = '\0';
    if (dist_info_parse(name, &component, version))
        must_be_version(version);
    if (glibc_scan(text, size, version))
        must_be_version(version);
    if (library_parse(name, "libnrt.so.", version))
        must_be_version(version);
    free(name);
}

static void check_binaries(const char *text, size_t size)
{
    char version[VERSION_TEXT];
    struct libnrt_scan scan = {0};
    if (module_scan(text, size, version))
        must_be_version(version);
    libnrt_scan(&scan, text, size, 1);
    if (libnrt_result(&scan, version))
        must_be_version(version);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char version[VERSION_TEXT];
    char *text = malloc(size > 0 ? size : 1);
    MUST(text != NULL);
    memcpy(text, data, size);
    struct taken whole = feed(text, size, size > 0 ? size : 1), parts = feed(text, size, 3);
    MUST(whole.count == parts.count && whole.sum == parts.sum);
    if (metadata_parse(text, size, version))
        must_be_version(version);
    MUST(modules_dep_path(text, size) <= size);
    check_names(text, size);
    check_binaries(text, size);
    free(text);
    return 0;
}
