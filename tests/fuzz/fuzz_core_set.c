// SPDX-License-Identifier: Apache-2.0
// The NEURON_RT_VISIBLE_CORES grammar: what is parsed is written and read back as the same set, an
// error points into the text, and a short buffer is never overrun.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/core_set.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition) ((condition) ? (void)0 : abort())

static void check_error(const char *text)
{
    struct core_set set;
    struct core_set_error error = {.at = SIZE_MAX};
    MUST(!core_set_parse(&set, text, &error));
    MUST(error.what != NULL && error.at <= strlen(text));
    MUST(core_set_empty(&set));
}

static void check_round_trip(const struct core_set *set)
{
    static char whole[CORE_SET_MAX * 5];
    struct core_set again;
    core_set_format(set, whole, sizeof(whole));
    MUST(core_set_parse(&again, whole, NULL));
    MUST(memcmp(set, &again, sizeof(again)) == 0);
}

// The cut form is a whole list and then the mark: without it, it parses as a part of the set.
static void check_cut(const struct core_set *set, size_t size)
{
    char *buffer = malloc(size);
    struct core_set part;
    MUST(buffer != NULL);
    core_set_format(set, buffer, size);
    size_t length = strlen(buffer);
    MUST(length < size);
    if (length > 1 && strcmp(buffer + length - 2, ",+") == 0)
        buffer[length - 2] = '\0';
    if (length > 1) {
        MUST(core_set_parse(&part, buffer, NULL));
        core_set_union(&part, set);
        MUST(memcmp(set, &part, sizeof(part)) == 0);
    }
    free(buffer);
}

static void check_members(const struct core_set *set)
{
    unsigned count = 0;
    for (int i = core_set_next(set, 0); i >= 0; i = core_set_next(set, (unsigned)i + 1)) {
        MUST(core_set_has(set, (unsigned)i));
        count++;
    }
    MUST(count > 0 && count == core_set_count(set));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct core_set set;
    char *text = malloc(size + 1);
    MUST(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    if (!core_set_parse(&set, text, NULL)) {
        check_error(text);
    } else {
        check_round_trip(&set);
        check_members(&set);
        check_cut(&set, 1 + size % 64);
    }
    free(text);
    return 0;
}
