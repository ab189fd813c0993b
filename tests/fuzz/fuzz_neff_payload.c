// SPDX-License-Identifier: Apache-2.0
// Fuzzes the payload of NEFF files: each input is one, behind a good header. Reading must end
// within its limits, and what it gives must be clean.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "neff/payload.h"

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

static int memory_file(const uint8_t *data, size_t size)
{
    int fd = memfd_create("neff", MFD_CLOEXEC);
    must(fd >= 0 && ftruncate(fd, NEFF_HEADER_BYTES) == 0);
    must(pwrite(fd, data, size, NEFF_HEADER_BYTES) == (ssize_t)size);
    return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct neff_limits limits = {.bytes = 1 << 20, .seconds = 5};
    struct neff_header header = {.packaging = NEFF_GZIP_FORM, .data_bytes = size};
    struct neff_payload payload;
    char why[NEFF_WHY] = "";
    int fd = memory_file(data, size);
    if (payload_read(&payload, fd, &header, &limits, why)) {
        must_be_clean(payload.compiler, sizeof(payload.compiler));
        must_be_clean(payload.target, sizeof(payload.target));
        must_be_clean(payload.why, sizeof(payload.why));
        must((payload.outcome == NEFF_COMPLETE) == (payload.why[0] == '\0'));
        must(payload.outcome != NEFF_COMPLETE ||
             (payload.compiler[0] != '\0' && payload.target_known));
    } else {
        must(why[0] != '\0');
    }
    close(fd);
    return 0;
}
