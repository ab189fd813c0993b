// SPDX-License-Identifier: Apache-2.0
// Opens a NEFF file and puts together what its parts tell.
#include "neff/neff.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "neff/digest.h"
#include "neff/payload.h"

struct neff_options neff_options_default(void)
{
    return (struct neff_options){.limits = {.bytes = UINT64_C(64) << 20, .seconds = 5}};
}

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode)                    ? "a directory"
           : S_ISFIFO(mode)                 ? "a FIFO"
           : S_ISSOCK(mode)                 ? "a socket"
           : S_ISCHR(mode) || S_ISBLK(mode) ? "a device"
                                            : "no regular file";
}

// To open a device can change it (a Neuron device takes its opener for a job), and to open a FIFO
// can wait for ever: so it is asked first what the file is, and once more what was opened.
static int open_regular(const char *path, struct stat *info, char why[NEFF_WHY])
{
    int fd = -1;
    bool known = stat(path, info) == 0;
    if (known && S_ISREG(info->st_mode)) {
        fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        known = fd >= 0 && fstat(fd, info) == 0;
    }
    if (known && S_ISREG(info->st_mode))
        return fd;
    if (known)
        snprintf(why, NEFF_WHY, "%s, not a NEFF file", kind_of(info->st_mode));
    else
        snprintf(why, NEFF_WHY, "%s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

bool neff_read_header(struct neff_header *header, int fd, char why[NEFF_WHY])
{
    uint8_t bytes[NEFF_HEADER_BYTES];
    struct stat info;
    size_t count = 0;
    bool known = fstat(fd, &info) == 0;
    while (known && count < sizeof(bytes)) {
        ssize_t got = pread(fd, bytes + count, sizeof(bytes) - count, (off_t)count);
        if (got == 0)
            break;
        known = got > 0 || errno == EINTR;
        count += got > 0 ? (size_t)got : 0;
    }
    if (known)
        return neff_header_parse(header, bytes, count, (uint64_t)info.st_size, why);
    snprintf(why, NEFF_WHY, "%s", strerror(errno));
    return false;
}

bool neff_read_open(struct neff *neff, int fd, const struct neff_options *options,
                    char why[NEFF_WHY])
{
    memset(neff, 0, sizeof(*neff));
    bool good = neff_read_header(&neff->header, fd, why) &&
                payload_read(&neff->payload, fd, &neff->header, &options->limits, why);
    if (good && options->verify)
        neff->hash = digest_verify(fd, &neff->header, neff->hash_why);
    return good;
}

bool neff_read(struct neff *neff, const char *path, const struct neff_options *options,
               char why[NEFF_WHY])
{
    struct stat info;
    memset(neff, 0, sizeof(*neff));
    int fd = open_regular(path, &info, why);
    if (fd < 0)
        return false;
    bool good = neff_read_open(neff, fd, options, why);
    close(fd);
    return good;
}

const char *neff_hash_word(enum neff_hash hash)
{
    static const char *const words[] = {"unchecked", "ok", "bad", NULL};
    return words[hash];
}
