// SPDX-License-Identifier: Apache-2.0
// The driver's module on disk, compressed as many hosts keep it (field cases F-02, F-27), and what
// a damaged or hostile one comes to.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/xmem.h"
#include "proc_tree.h"
#include "source/packages.h"
#include "source/unpack.h"

// 100 KiB of zeros, so that the text is beyond one block, then a .modinfo that says 2.30.2.0.
static const unsigned char module_gz[] = {
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xed, 0xd0, 0x21, 0x0e, 0x83, 0x40,
    0x14, 0x40, 0xc1, 0x3d, 0xd1, 0x86, 0x50, 0x81, 0x5a, 0x59, 0x6a, 0x10, 0xdc, 0x01, 0xbe, 0x20,
    0x69, 0x96, 0x86, 0x4d, 0x6a, 0xb9, 0x3a, 0x8a, 0x3b, 0x34, 0xe9, 0x8c, 0x7a, 0xfa, 0x9d, 0xcf,
    0x69, 0x4c, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0xc0, 0xef, 0x7a, 0x6f, 0x4b, 0xd4, 0x16, 0xe5, 0x35, 0x4f, 0xa9, 0x1d, 0xcb, 0x37,
    0x8e, 0xb6, 0xed, 0xb5, 0x0c, 0x43, 0xba, 0xb3, 0xcf, 0x8f, 0x2e, 0xf7, 0xb9, 0x4b, 0x6b, 0x7c,
    0xa2, 0xae, 0xad, 0x98, 0x06, 0x7f, 0xe0, 0x02, 0x34, 0x97, 0xc0, 0x95, 0xc1, 0x8a, 0x01, 0x00,
};

static const unsigned char module_xz[] = {
    0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x01, 0x69, 0x22, 0xde, 0x36, 0x02, 0x00, 0x21, 0x01,
    0x16, 0x00, 0x00, 0x00, 0x74, 0x2f, 0xe5, 0xa3, 0xe1, 0x8a, 0xc0, 0x00, 0x89, 0x5d, 0x00, 0x3f,
    0x91, 0x45, 0x84, 0x68, 0x33, 0x69, 0xa2, 0xa3, 0x88, 0x44, 0x3f, 0xa8, 0xaf, 0x18, 0xe9, 0x7c,
    0xa0, 0x3c, 0x00, 0x00, 0x53, 0x4b, 0x2f, 0xbe, 0x9d, 0x88, 0xb9, 0xe1, 0x1e, 0xc4, 0x4a, 0xc3,
    0x00, 0x1a, 0x88, 0x2a, 0x1a, 0x60, 0xcc, 0xd7, 0x56, 0xb6, 0x66, 0xe7, 0x47, 0xd2, 0x2b, 0xf9,
    0x30, 0x91, 0x09, 0x39, 0x18, 0xa3, 0xd4, 0xa7, 0x88, 0x47, 0x9b, 0xc1, 0x59, 0xe9, 0x74, 0x6b,
    0x3c, 0x76, 0x06, 0x11, 0x64, 0x4d, 0x5a, 0x8f, 0x5f, 0xc3, 0x25, 0xae, 0x5a, 0x75, 0xc1, 0x4f,
    0xb5, 0xbc, 0x97, 0x97, 0x83, 0x6e, 0xca, 0xdf, 0x40, 0xcc, 0x47, 0x03, 0xf7, 0x5e, 0x4c, 0x41,
    0xe6, 0x73, 0xd4, 0x81, 0x2a, 0xcd, 0x4c, 0xe0, 0x57, 0xb8, 0x08, 0x1d, 0xa8, 0x0e, 0xdf, 0x42,
    0x47, 0xb2, 0xc8, 0xb6, 0x8d, 0x3a, 0x82, 0x78, 0x2e, 0x7f, 0x0d, 0x12, 0x6c, 0x69, 0x7c, 0x15,
    0xe8, 0x84, 0x07, 0xfd, 0x9a, 0x8e, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x34, 0x97, 0xc0, 0x95,
    0x00, 0x01, 0xa1, 0x01, 0xc1, 0x95, 0x06, 0x00, 0xd8, 0x6b, 0x06, 0x4f, 0x3e, 0x30, 0x0d, 0x8b,
    0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x59, 0x5a,
};

static const unsigned char module_zst[] = {
    0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x68, 0x05, 0x02, 0x00, 0x04, 0x03, 0x7f, 0x45, 0x4c, 0x46, 0x00,
    0x6c, 0x69, 0x63, 0x65, 0x6e, 0x73, 0x65, 0x3d, 0x47, 0x50, 0x4c, 0x00, 0x73, 0x72, 0x63, 0x76,
    0x65, 0x72, 0x73, 0x69, 0x6f, 0x6e, 0x3d, 0x37, 0x37, 0x00, 0x32, 0x2e, 0x33, 0x30, 0x2e, 0x32,
    0x2e, 0x30, 0x00, 0x64, 0x65, 0x70, 0x65, 0x6e, 0x64, 0x73, 0x3d, 0x03, 0x00, 0xcd, 0x5b, 0x1b,
    0xea, 0xba, 0x74, 0x21, 0x46, 0xa7, 0x61, 0x0e, 0xde, 0x9b, 0xbc, 0x8c, 0x4e,
};

static const struct packed {
    enum packing packing;
    const char *end;
    const unsigned char *bytes;
    size_t length;
} all_packed[] = {
    {PACKING_GZIP, ".gz", module_gz, sizeof(module_gz)},
    {PACKING_XZ, ".xz", module_xz, sizeof(module_xz)},
    {PACKING_ZSTD, ".zst", module_zst, sizeof(module_zst)},
};

enum { PACKED = sizeof(all_packed) / sizeof(all_packed[0]) };

static const char kernel[] = "6.1.0-aws";

static struct installed read_tree(void)
{
    struct installed installed = {0};
    int fd = open(tree_root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    assert_true(fd >= 0);
    installed_read(&installed, tree_root, fd);
    close(fd);
    return installed;
}

static bool can_unpack(void)
{
#ifdef HAVE_LIBARCHIVE
    return true;
#else
    return false;
#endif
}

static void by_their_first_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < PACKED; i++)
        assert_int_equal(packing_of(all_packed[i].bytes, all_packed[i].length),
                         all_packed[i].packing);
    assert_int_equal(packing_of((const unsigned char *)"\177ELF\2\1", 6), PACKING_NONE);
    assert_int_equal(packing_of(module_xz, 5), PACKING_NONE);
    assert_int_equal(packing_of(module_xz, 0), PACKING_NONE);
}

static void compressed_modules(void **state)
{
    (void)state;
    for (size_t i = 0; i < PACKED; i++) {
        char path[128], dep[128];
        snprintf(path, sizeof(path), "/lib/modules/%s/extra/neuron.ko%s", kernel,
                 all_packed[i].end);
        snprintf(dep, sizeof(dep), "extra/neuron.ko%s: kernel/a.ko\n", all_packed[i].end);
        tree_text("/proc/sys/kernel/osrelease", kernel);
        tree_text("/lib/modules/6.1.0-aws/modules.dep", dep);
        tree_write(path, all_packed[i].bytes, all_packed[i].length);
        struct installed installed = read_tree();
        assert_int_equal(installed.presence.module_files.value, 1);
        if (can_unpack()) {
            assert_string_equal(installed.driver_disk, "2.30.2.0");
            assert_string_equal(installed.driver_from, path);
            assert_string_equal(installed.driver_trouble, "");
        } else {
            assert_string_equal(installed.driver_disk, "");
            assert_non_null(strstr(installed.driver_trouble, "without libarchive"));
        }
    }
}

// The index names a file that is not there: there is no module for this kernel.
static void only_the_index(void **state)
{
    (void)state;
    tree_text("/proc/sys/kernel/osrelease", kernel);
    tree_text("/lib/modules/6.1.0-aws/modules.dep", "extra/neuron.ko.xz:\n");
    struct installed installed = read_tree();
    assert_true(known_u64(installed.presence.module_files));
    assert_int_equal(installed.presence.module_files.value, 0);
    assert_string_equal(installed.driver_trouble, "");
}

// A module whose version cannot be read is there all the same, and no package speaks for it.
static void damaged_module(void **state)
{
    (void)state;
    tree_text("/proc/sys/kernel/osrelease", kernel);
    tree_text("/usr/src/aws-neuronx-2.29.0.0/dkms.conf", "");
    tree_write("/lib/modules/6.1.0-aws/updates/dkms/neuron.ko.xz", module_xz, 24);
    struct installed installed = read_tree();
    assert_int_equal(installed.presence.module_files.value, 1);
    assert_string_equal(installed.driver_disk, "");
    assert_non_null(strstr(installed.driver_trouble, "updates/dkms/neuron.ko.xz: it is"));
}

static const char *read_bytes(const void *bytes, size_t length, char version[VERSION_TEXT])
{
    struct module_file module = {0};
    int fd = open(tree_root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    tree_write("/neuron.ko", bytes, length);
    const char *why = module_read(fd, "/neuron.ko", &module);
    close(fd);
    memcpy(version, module.version, VERSION_TEXT);
    return why;
}

// Cut anywhere and with any byte changed: the right version or none, and a reason for none.
static void every_damage(void **state)
{
    (void)state;
    for (size_t i = 0; i < PACKED; i++) {
        const struct packed *packed = &all_packed[i];
        char version[VERSION_TEXT];
        for (size_t at = 0; at < packed->length; at += 3) {
            const char *why = read_bytes(packed->bytes, at, version);
            assert_true(why != NULL ? version[0] == '\0' : strcmp(version, "2.30.2.0") == 0);
        }
        unsigned char *copy = xmalloc(packed->length);
        for (size_t at = 0; at < packed->length; at++) {
            memcpy(copy, packed->bytes, packed->length);
            copy[at] ^= 0x55;
            const char *why = read_bytes(copy, packed->length, version);
            assert_true(why == NULL || version[0] == '\0');
        }
        free(copy);
    }
}

// A Zstandard frame of COUNT blocks that each say "128 KiB of zeros" in four bytes.
static size_t make_bomb(unsigned char *bytes, size_t count)
{
    static const unsigned char start[] = {0x28, 0xb5, 0x2f, 0xfd, 0, 0x38};
    size_t used = sizeof(start);
    memcpy(bytes, start, used);
    for (size_t i = 0; i < count; i++) {
        unsigned header = 131072U << 3 | 1U << 1 | (i + 1 == count);
        for (int byte = 0; byte < 3; byte++)
            bytes[used++] = (unsigned char)(header >> 8 * byte);
        bytes[used++] = 0;
    }
    return used;
}

static void a_bomb_is_given_up(void **state)
{
    (void)state;
    enum { BLOCKS = 512 * 1024 }; // 64 GiB in 2 MiB
    unsigned char *bytes = xmalloc(6 + (size_t)BLOCKS * 4);
    char version[VERSION_TEXT];
    struct timespec before, after;
    size_t length = make_bomb(bytes, 16);
    const char *why = read_bytes(bytes, length, version);
    assert_string_equal(why, can_unpack() ? "it names no version"
                                          : "it is compressed, and neutop was built without "
                                            "libarchive");
    length = make_bomb(bytes, BLOCKS);
    clock_gettime(CLOCK_MONOTONIC, &before);
    why = read_bytes(bytes, length, version);
    clock_gettime(CLOCK_MONOTONIC, &after);
    if (can_unpack())
        assert_string_equal(why, "it is too large when inflated");
    assert_true(after.tv_sec - before.tv_sec < 8);
    free(bytes);
}

// A file that has not changed is not read again, a changed one is.
static void read_once(void **state)
{
    (void)state;
    static const char first[] = "\0version=2.1.1.0", second[] = "\0version=2.2.2.0";
    struct module_file module = {0};
    int fd = open(tree_root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    tree_write("/neuron.ko", first, sizeof(first));
    assert_null(module_read(fd, "/neuron.ko", &module));
    assert_string_equal(module.version, "2.1.1.0");
    strcpy(module.version, "kept");
    assert_null(module_read(fd, "/neuron.ko", &module));
    assert_string_equal(module.version, "kept");
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); // the kernel's clock is coarse
    tree_write("/neuron.ko", second, sizeof(second));
    assert_null(module_read(fd, "/neuron.ko", &module));
    assert_string_equal(module.version, "2.2.2.0");
    assert_non_null(module_read(fd, "/none", &module));
    close(fd);
}

int main(void)
{
#define ON_TREE(test) cmocka_unit_test_setup_teardown(test, tree_new, tree_remove)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_their_first_bytes),
        ON_TREE(compressed_modules),
        ON_TREE(only_the_index),
        ON_TREE(damaged_module),
        ON_TREE(every_damage),
        ON_TREE(a_bomb_is_given_up),
        ON_TREE(read_once),
    };
    return cmocka_run_group_tests_name("module file", tests, NULL, NULL);
}
