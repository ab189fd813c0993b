// SPDX-License-Identifier: Apache-2.0
// Files that a person names: what may be opened, and what an open would disturb.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/file.h"

// In the range that the kernel keeps for local use: no driver has it, so even a wrong open is
// harmless (ENXIO).
enum { LOCAL_MAJOR = 240 };

static char folder[256];

static int make_folder(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof(folder), "%s/neutop-file-XXXXXX", base == NULL ? "/tmp" : base);
    return mkdtemp(folder) == NULL || chdir(folder) != 0 ? -1 : 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink("node"), unlink("link"), unlink("pipe"), unlink("text");
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static void expect_refusal(const char *path, int error, const char *why)
{
    const char *said = NULL;
    errno = 0;
    assert_int_equal(file_open_named(path, O_NONBLOCK, &said), -1);
    assert_int_equal(errno, error);
    assert_string_equal(said, why);
}

static void expect_open(const char *path)
{
    const char *said = NULL;
    int fd = file_open_named(path, O_NONBLOCK, &said);
    assert_true(fd >= 0);
    assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
    close(fd);
}

static void files_pipes_and_memory_are_opened(void **state)
{
    (void)state;
    FILE *file = fopen("text", "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    expect_open("text");
    expect_open("pipe");
    expect_open("/dev/null");
}

static void what_is_no_file_is_named(void **state)
{
    (void)state;
    expect_refusal("absent", ENOENT, "No such file or directory");
    expect_refusal("/", EISDIR, "Is a directory");
}

static void no_other_device_is_opened(void **state)
{
    (void)state;
    if (mknod("node", S_IFCHR | 0600, makedev(LOCAL_MAJOR, 0)) != 0)
        skip(); // only root makes a node
    assert_int_equal(symlink("node", "link"), 0);
    expect_refusal("node", ENOTSUP, "is a device, and is not opened");
    expect_refusal("link", ENOTSUP, "is a device, and is not opened");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_pipes_and_memory_are_opened),
        cmocka_unit_test(what_is_no_file_is_named),
        cmocka_unit_test(no_other_device_is_opened),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
