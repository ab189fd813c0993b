// SPDX-License-Identifier: Apache-2.0
// Fuzzes the parsers of the container runtimes' files: every one of them sees every input. What
// they give must be clean text that fits, and what tells nothing must write nothing.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "source/container_names.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool what)
{
    if (!what)
        abort();
}

static void must_be_clean(const char *text, size_t size)
{
    size_t length = strnlen(text, size);
    must(length < size);
    for (size_t i = 0; i < length; i++)
        must((unsigned char)text[i] >= ' ' && text[i] != 0x7f);
}

static void check(container_names_parse *parse, const char *text, size_t size)
{
    static const char id[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    struct container_names names = {.container = ""}, none = {.container = ""};
    bool told = parse(text, size, id, &names);
    must_be_clean(names.container, sizeof(names.container));
    must_be_clean(names.pod, sizeof(names.pod));
    must_be_clean(names.pod_namespace, sizeof(names.pod_namespace));
    must(told == (names.container[0] != '\0' || names.pod[0] != '\0'));
    must(told || memcmp(&names, &none, sizeof(none)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // a copy of exactly this size: a read past its end is found
    char *text = malloc(size > 0 ? size : 1), folder[64];
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    check(container_names_docker, text, size);
    check(container_names_oci, text, size);
    check(container_names_storage, text, size);
    check(container_names_log, text, size);
    if (container_names_docker_root(text, size, folder, sizeof(folder)))
        must(folder[0] == '/' && strnlen(folder, sizeof(folder)) < sizeof(folder));
    free(text);
    return 0;
}
