// SPDX-License-Identifier: Apache-2.0
// Fuzzes the parsers of /proc: every one of them sees every input. What they give must be clean
// text that fits, and an environment read in pieces must be the one read whole.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "source/proc_parse.h"

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

static void environment(const char *text, size_t size, size_t piece, struct proc_environ *into)
{
    struct proc_environ_feed feed;
    proc_environ_begin(&feed, into);
    for (size_t at = 0; at < size; at += piece)
        proc_environ_feed(&feed, text + at, size - at < piece ? size - at : piece);
    proc_environ_end(&feed);
    must_be_clean(into->visible_cores, sizeof(into->visible_cores));
    must_be_clean(into->num_cores, sizeof(into->num_cores));
    must_be_clean(into->lnc, sizeof(into->lnc));
    must_be_clean(into->tag, sizeof(into->tag));
    must_be_clean(into->cache_flag, sizeof(into->cache_flag));
    must_be_clean(into->cache_url, sizeof(into->cache_url));
    must_be_clean(into->visible_devices, sizeof(into->visible_devices));
}

static void mappings(const char *text, size_t size)
{
    struct proc_mapping mapping;
    for (const char *end; size > 0; text = end + 1) {
        end = memchr(text, '\n', size);
        size_t length = end != NULL ? (size_t)(end - text) : size;
        bool any = proc_parse_mapping(text, length, &mapping);
        must(any == (mapping.device >= 0 || mapping.fabric || mapping.library[0] != '\0' ||
                     mapping.runtime[0] != '\0' || mapping.python[0] != '\0'));
        must(mapping.device < PROC_DEVICES_MAX);
        must_be_clean(mapping.runtime, sizeof(mapping.runtime));
        must_be_clean(mapping.path, sizeof(mapping.path));
        if (end == NULL)
            break;
        size -= length + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // a copy of exactly this size: a read past its end is found
    char *text = malloc(size > 0 ? size : 1), buffer[PROC_NAME];
    struct proc_environ whole, pieces;
    struct proc_stat stat;
    struct proc_status status;
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    if (proc_parse_stat(text, size, &stat))
        must(stat.pid >= 0 && stat.ppid >= 0);
    proc_parse_status(text, size, &status);
    must(proc_parse_major(text, size) >= -1);
    must(proc_parse_node(text, size) < PROC_DEVICES_MAX);
    proc_parse_access(text, size);
    mappings(text, size);
    environment(text, size, size > 0 ? size : 1, &whole);
    environment(text, size, 5, &pieces);
    must(memcmp(&whole, &pieces, sizeof(whole)) == 0);
    if (proc_parse_container(text, size, buffer, sizeof(buffer)))
        must_be_clean(buffer, sizeof(buffer));
    char id[PROC_ID];
    if (proc_parse_container_id(text, size, id))
        must(strspn(id, "0123456789abcdefABCDEF") == sizeof(id) - 1 && id[sizeof(id) - 1] == '\0');
    if (proc_parse_unit(text, size, buffer, sizeof(buffer)))
        must_be_clean(buffer, sizeof(buffer));
    if (proc_parse_passwd(text, size, 1000, buffer, sizeof(buffer)))
        must_be_clean(buffer, sizeof(buffer));
    proc_parse_launcher(text, size);
    proc_clean_command(text, size, buffer, sizeof(buffer));
    must_be_clean(buffer, sizeof(buffer));
    free(text);
    return 0;
}
