// SPDX-License-Identifier: Apache-2.0
// A test program under the stand-in driver.
#include "under_shim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[1024];

static void set_paths(void)
{
    char path[PATH_MAX];
    setenv("NEUTOP_SHIM_ROOT", root, 1);
    snprintf(path, sizeof(path), "%s/violations", root);
    setenv("NEUTOP_SHIM_LOG", path, 1);
    snprintf(path, sizeof(path), "%s/done", root);
    setenv("NEUTOP_SHIM_TRACE", path, 1);
}

void under_shim(char **argv)
{
    const char *build = getenv("NEUTOP_BUILDDIR");
    char library[PATH_MAX], program[PATH_MAX];
    if (getenv("NEUTOP_SHIM_ROOT") != NULL)
        return;
    snprintf(library, sizeof(library), "%s/tests/shim/neutop_shim.so", build != NULL ? build : ".");
    ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
    if (access(library, R_OK) != 0 || length < 0) {
        fprintf(stderr, "skipped: %s is missing\n", library);
        exit(77);
    }
    program[length] = '\0';
    setenv("LD_PRELOAD", library, 1);
    setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 0);
    setenv("NEUTOP_SHIM_ROOT", "/nowhere", 1);
    execv(program, argv);
    perror(program);
    exit(1);
}

const char *shim_root(void)
{
    return root;
}

int shim_setup(void **state)
{
    static const char *const variables[] = {"NEUTOP_SHIM_CHIP",   "NEUTOP_SHIM_DEVICES",
                                            "NEUTOP_SHIM_POD",    "NEUTOP_SHIM_CLAIMS",
                                            "NEUTOP_SHIM_FAULTS", "NEUTOP_SHIM_ALLOW"};
    const char *base = getenv("TMPDIR");
    (void)state;
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
        unsetenv(variables[i]);
    snprintf(root, sizeof(root), "%s/neutop-shim-XXXXXX", base == NULL ? "/tmp" : base);
    if (mkdtemp(root) == NULL)
        return -1;
    set_paths();
    shim_put("/dev/null", "");
    return 0;
}

int shim_teardown(void **state)
{
    char command[PATH_MAX];
    (void)state;
    unsetenv("NEUTOP_SHIM_LOG");
    snprintf(command, sizeof(command), "rm -rf '%s'", root);
    return system(command);
}

static void make_folders(char *path)
{
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        assert_true(mkdir(path, 0755) == 0 || errno == EEXIST);
        *slash = '/';
    }
}

void shim_put(const char *path, const char *content)
{
    char whole[PATH_MAX];
    int length = snprintf(whole, sizeof(whole), "%s%s", root, path);
    assert_true(length > 0 && (size_t)length < sizeof(whole));
    unlink(whole); // another file, also where there was one
    if (content == NULL)
        return;
    // below /sys the stand-in lets nobody write
    unsetenv("NEUTOP_SHIM_ROOT");
    make_folders(whole);
    FILE *file = fopen(whole, "we");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
    set_paths();
}

void shim_node(const char *name, int minor)
{
    char path[PATH_MAX];
    snprintf(path, sizeof(path), "/dev/%s", name);
    if (minor < 0) {
        shim_put(path, NULL);
        return;
    }
    shim_put(path, "");
    snprintf(path, sizeof(path), "%s/dev/%s", root, name);
    assert_int_equal(truncate(path, minor), 0);
    assert_int_equal(chmod(path, 01666), 0);
}

void shim_host(const char *type, const char *version, unsigned count)
{
    char path[256], text[64];
    shim_put("/proc/devices",
             "Character devices:\n  1 mem\n246 neuron\n\nBlock devices:\n  7 loop\n");
    shim_put("/sys/class/dmi/id/product_name", type);
    if (version != NULL)
        shim_put("/sys/module/neuron/version", version);
    for (unsigned i = 0; i < count; i++) {
        snprintf(text, sizeof(text), "neuron%u", i);
        shim_node(text, (int)i);
        snprintf(path, sizeof(path), "/sys/bus/pci/devices/0000:%02x:%02x.0/numa_node", i / 16,
                 4 + i % 16);
        shim_put(path, i % 16 < 8 ? "0\n" : "1\n");
        snprintf(path, sizeof(path), "/sys/bus/pci/devices/0000:%02x:%02x.0/local_cpulist", i / 16,
                 4 + i % 16);
        shim_put(path, i % 16 < 8 ? "0-47,96-143\n" : "48-95,144-191\n");
    }
    snprintf(text, sizeof(text), "%u", count);
    setenv("NEUTOP_SHIM_DEVICES", text, 1);
}

static const char *content_of(const char *name, char *buffer, size_t size)
{
    char path[PATH_MAX];
    snprintf(path, sizeof(path), "%s/%s", root, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : read(fd, buffer, size - 1);
    if (fd >= 0)
        close(fd);
    buffer[length > 0 ? length : 0] = '\0';
    return buffer;
}

const char *shim_log(void)
{
    static char text[1 << 16];
    return content_of("violations", text, sizeof(text));
}

const char *shim_done(void)
{
    static char text[1 << 16];
    return content_of("done", text, sizeof(text));
}

unsigned shim_times(const char *text, const char *word)
{
    unsigned times = 0;
    for (; (text = strstr(text, word)) != NULL; text += strlen(word))
        times++;
    return times;
}
