// SPDX-License-Identifier: Apache-2.0
// A driver's tree in a temporary folder, and the sysfs reader on it.
#include "sysfs_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/collect.h"

static char root[256];
static struct source_options options;
static struct source source;
static struct host *snapshot;
static double fake_now;

static double fake_clock(void)
{
    return fake_now;
}

int tree_new(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    if (base == NULL) // a tree has 14,000 files: better in memory
        base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(root, sizeof(root), "%s/neutop-sysfs-XXXXXX", base);
    options = (struct source_options){.root = root, .delay_seconds = 1};
    return mkdtemp(root) == NULL || chmod(root, 0755) != 0;
}

int tree_remove(void **state)
{
    (void)state;
    char command[600];
    reader_close();
    snprintf(command, sizeof(command), "chmod -R u+rwX '%s' && rm -rf '%s'", root, root);
    return system(command);
}

const char *tree_root(void)
{
    return root;
}

void tree_unpack(const char *name)
{
    char command[PATH_MAX];
    const char *fixtures = getenv("NEUTOP_FIXTURES");
    snprintf(command, sizeof(command), "tar -xzpf '%s/sysfs/%s.tar.gz' -C '%s'",
             fixtures != NULL ? fixtures : "../tests/fixtures", name, root);
    assert_int_equal(system(command), 0);
}

void tree_write_bytes(const char *path, const void *content, size_t size)
{
    char whole[PATH_MAX];
    snprintf(whole, sizeof(whole), "%s/%s", root, path);
    for (char *slash = whole + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        assert_true(mkdir(whole, 0755) == 0 || errno == EEXIST);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void tree_write(const char *path, const char *content)
{
    tree_write_bytes(path, content, strlen(content));
}

void tree_run(const char *command)
{
    char whole[PATH_MAX];
    snprintf(whole, sizeof(whole), "cd '%s' && %s", root, command);
    assert_int_equal(system(whole), 0);
}

uint64_t tree_number(const char *format, ...)
{
    char path[PATH_MAX], whole[PATH_MAX + 300];
    uint64_t value = 0;
    va_list args;
    va_start(args, format);
    vsnprintf(path, sizeof(path), format, args);
    va_end(args);
    snprintf(whole, sizeof(whole), "%s/sys/devices/virtual/neuron_device/%s", root, path);
    FILE *file = fopen(whole, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%" SCNu64, &value), 1);
    fclose(file);
    return value;
}

static void write_core(unsigned n, unsigned k, const char *file, unsigned long value)
{
    char path[256], text[32];
    snprintf(path, sizeof(path),
             "sys/devices/virtual/neuron_device/neuron%u/neuron_core%u/stats/%s", n, k, file);
    snprintf(text, sizeof(text), "%lu\n", value);
    tree_write(path, text);
}

void tree_device(unsigned n, unsigned cores)
{
    char path[256];
    snprintf(path, sizeof(path),
             "sys/devices/virtual/neuron_device/neuron%u/info/architecture/device_name", n);
    tree_write(path, "Trainium2\n");
    tree_write("sys/module/neuron/version", "2.30.2.0\n");
    for (unsigned k = 0; k < cores; k++) {
        write_core(n, k, "memory_usage/device_mem/total", 1000 * (k + 1));
        write_core(n, k, "other_info/nc_time_in_use/total", 0);
        write_core(n, k, "other_info/flop_count/total", 0);
    }
}

bool reader_try(struct trouble *trouble)
{
    source = (struct source){.ops = &source_sysfs, .options = &options};
    trouble->line[0] = '\0';
    if (!source_sysfs.open(&source, trouble))
        return false;
    fake_now = collect_now();
    ((struct sysfs *)source.state)->clock = fake_clock;
    return true;
}

struct sysfs *reader_open(void)
{
    struct trouble trouble;
    bool opened = reader_try(&trouble);
    if (!opened)
        fprintf(stderr, "%s\n", trouble.line);
    assert_true(opened);
    return source.state;
}

void reader_close(void)
{
    if (snapshot != NULL)
        host_free(snapshot);
    snapshot = NULL;
    if (source.state != NULL)
        source_sysfs.close(&source);
    source.state = NULL;
}

struct host *reader_tick(double seconds)
{
    fake_now += seconds;
    assert_int_equal(source_sysfs.work(&source, fake_now), SOURCE_NEW);
    if (snapshot != NULL)
        host_free(snapshot);
    snapshot = host_new();
    source_sysfs.fill(&source, snapshot, fake_now);
    return snapshot;
}

struct source_status reader_status(void)
{
    struct source_status status = {0};
    source_sysfs.status(&source, fake_now, &status);
    return status;
}

struct source_options *reader_options(void)
{
    return &options;
}
