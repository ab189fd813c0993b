// SPDX-License-Identifier: Apache-2.0
// Fuzzes the header of NEFF files. What is taken for one must keep its promises: clean texts that
// fit, a payload inside the file, and verdicts that do not fall over any number in it.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "check/neff.h"

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

static void judge(const struct neff *neff)
{
    static const char *const chips[] = {"trn1", "trn2", "trn3"};
    for (size_t i = 0; i < sizeof(chips) / sizeof(chips[0]); i++) {
        struct neff_target target = {.runtime = "2.18.15.0",
                                     .runtime_from = "given",
                                     .lnc = 2,
                                     .lnc_from = "given",
                                     .releases = releases_builtin()};
        neff_target_set_chip(&target, chips[i]);
        struct arena *arena = arena_new();
        struct findings findings = check_neff(neff, "file", &target, arena);
        for (size_t f = 0; f < findings.count; f++)
            must(findings.items[f].summary[0] != '\0');
        arena_free(arena);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct neff neff;
    char why[NEFF_WHY] = "";
    // a copy of exactly this size: a read past its end is found
    uint8_t *bytes = malloc(size > 0 ? size : 1);
    if (bytes == NULL)
        return 0;
    memcpy(bytes, data, size);
    memset(&neff, 0, sizeof(neff));
    if (neff_header_parse(&neff.header, bytes, size, size, why)) {
        must(size >= NEFF_HEADER_BYTES && neff.header.data_bytes <= size - NEFF_HEADER_BYTES);
        must_be_clean(neff.header.name, sizeof(neff.header.name));
        must_be_clean(neff.header.build, sizeof(neff.header.build));
        must(neff.header.uuid[0] == '\0' || strlen(neff.header.uuid) == NEFF_UUID_TEXT - 1);
        judge(&neff);
    } else {
        must(why[0] != '\0');
        must_be_clean(why, sizeof(why));
    }
    neff_probe(bytes, size);
    neff_probe_built(bytes, size);
    free(bytes);
    return 0;
}
