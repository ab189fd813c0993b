// SPDX-License-Identifier: Apache-2.0
// The reader of NEFFs on processes and caches that are built below a temporary folder: good ones,
// hostile ones, and many.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "neff_bytes.h"
#include "proc_tree.h"
#include "source/neffs.h"
#include "source/source.h"

#define TREE ((const char *)tree_root)
#define CACHE COMPILE_CACHE_DEFAULT
#define ROOT "/proc/77/root"

static const char uuid_a[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
static const char uuid_b[] = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

// A NEFF of LNC 2 whose uuid is one byte 16 times.
static void put_neff(const char *path, int uuid, const char *name)
{
    static uint8_t bytes[FILE_BYTES];
    memset(bytes, 0, sizeof(bytes));
    good_header(bytes);
    memset(bytes + 204, uuid, 16);
    memset(bytes + 220, 0, 256);
    memcpy(bytes + 220, name, strlen(name));
    tree_write(path, bytes, sizeof(bytes));
}

static void put_entry(const char *compiler, const char *entry, int uuid, const char *name)
{
    char path[512];
    snprintf(path, sizeof(path), ROOT CACHE "/neuronxcc-%s/%s/model.neff", compiler, entry);
    put_neff(path, uuid, name);
}

static struct source source;
static struct source_options options;
static const char *cache_text, *cache_from;

// Its models are those of a process with PID 77.
static struct host *host_with(const struct model *models, unsigned count)
{
    struct host *host = host_new();
    host->process_count = 1;
    host->processes = ARENA_ARRAY(host->arena, 1, struct process);
    host->processes[0].pid = fact_u64(77, FROM_PROC);
    host->processes[0].compile_cache = cache_text;
    host->processes[0].compile_cache_from = cache_from;
    host->processes[0].models = models;
    host->processes[0].model_count = count;
    return host;
}

static int start(void **state)
{
    struct trouble trouble;
    int failed = tree_new(state);
    options = (struct source_options){.root = TREE};
    source = (struct source){.ops = &source_neffs, .options = &options};
    cache_text = CACHE;
    cache_from = "the default";
    return failed || !source.ops->open(&source, &trouble);
}

static int end(void **state)
{
    source.ops->close(&source);
    return tree_remove(state);
}

// The reader at work, until it has looked.
static struct host *look_for(const struct model *models, unsigned count, double now)
{
    for (int tries = 0; tries < 500; tries++) {
        struct pollfd ready = {.events = POLLIN};
        struct host *host = host_with(models, count);
        source.ops->work(&source, now);
        source.ops->fill(&source, host, now);
        if (host->processes[0].neffs_looked_for)
            return host;
        host_free(host);
        assert_int_equal(source.ops->fds(&source, &ready.fd, 1), 1);
        poll(&ready, 1, 20);
    }
    fail_msg("the reader is not done");
    return NULL;
}

static struct host *look(const char *name, const char *uuid)
{
    static struct model model;
    model = (struct model){.name = name, .uuid = uuid};
    return look_for(&model, 1, 0);
}

#define PROCESS (host->processes[0])

static void expect_unknown(struct host *host, const char *reason)
{
    assert_int_equal(PROCESS.neff_count, 0);
    assert_int_equal(PROCESS.neffs_untold, 1);
    assert_non_null(PROCESS.neffs_reason);
    if (strstr(PROCESS.neffs_reason, reason) == NULL)
        fail_msg("'%s', not '%s'", PROCESS.neffs_reason, reason);
    host_free(host);
}

static void by_uuid(void **state)
{
    (void)state;
    put_entry("2.1", "MODULE_1+00000001", 0xaa, "file.neff");
    put_entry("2.2", "MODULE_2+00000002", 0xbb, "file.neff");
    tree_text(ROOT CACHE "/neuronxcc-2.2/MODULE_2+00000002/compile_flags.json",
              "[\"--target=trn2\"]");
    struct host *host = look("file.neff", uuid_b);
    assert_int_equal(PROCESS.neff_count, 1);
    const struct neff_use *use = &PROCESS.neffs[0];
    assert_int_equal(use->evidence, NEFF_BY_UUID);
    assert_string_equal(use->path, CACHE "/neuronxcc-2.2/MODULE_2+00000002/model.neff");
    assert_string_equal(use->compiler, "2.2");
    assert_string_equal(use->target, "cayman");
    assert_true(use->target_by_flags);
    assert_int_equal(use->lnc.value, 2);
    assert_int_equal(use->features.value, 0x209c00);
    assert_string_equal(use->uuid, uuid_b);
    assert_int_equal(use->model_count, 1);
    assert_null(PROCESS.neffs_reason);
    host_free(host);
    expect_unknown(look("file.neff", "cccccccccccccccccccccccccccccccc"), "no NEFF in its compile");
    expect_unknown(look("file.neff", NULL), "no NEFF in its compile");
}

static void by_name(void **state)
{
    (void)state;
    static const char work[] = "/tmp/neuroncc_compile_workdir/e8/model.MODULE_1+00000001.neff";
    put_entry("2.1", "MODULE_1+00000001", 0xaa, work);
    put_entry("2.1", "MODULE_3+00000001", 0xbb, "/tmp/ccwork/graph.neff");
    struct host *host = look(work, uuid_b); // that uuid would be another file's
    assert_int_equal(PROCESS.neff_count, 1);
    assert_int_equal(PROCESS.neffs[0].evidence, NEFF_BY_NAME);
    assert_true(PROCESS.neffs[0].uuid_differs);
    assert_string_equal(PROCESS.neffs[0].uuid, uuid_a);
    host_free(host);
    host = look("other/MODULE_1+00000001/model.neff", uuid_a);
    assert_int_equal(PROCESS.neffs[0].evidence, NEFF_BY_NAME | NEFF_BY_UUID);
    assert_false(PROCESS.neffs[0].uuid_differs);
    host_free(host);
    host = look("/tmp/ccwork/graph.neff", NULL); // the whole name, which leads nowhere any more
    assert_int_equal(PROCESS.neffs[0].evidence, NEFF_BY_NAME);
    assert_string_equal(PROCESS.neffs[0].uuid, uuid_b);
    host_free(host);
    put_neff(ROOT "/models/mine.neff", 0xcc, "file.neff");
    host = look("/models/mine.neff", NULL); // a name that is a path
    assert_string_equal(PROCESS.neffs[0].path, "/models/mine.neff");
    host_free(host);
}

// The same graph and flags under two compilers, as after an update.
static void an_ambiguous_name_is_unknown(void **state)
{
    (void)state;
    put_entry("2.1", "MODULE_1+00000001", 0xaa, "file.neff");
    put_entry("2.2", "MODULE_1+00000001", 0xbb, "file.neff");
    expect_unknown(look("x.MODULE_1+00000001.neff", NULL), "several NEFFs fit");
    struct host *host = look("x.MODULE_1+00000001.neff", uuid_b);
    assert_string_equal(PROCESS.neffs[0].compiler, "2.2");
    host_free(host);
    host = look(CACHE "/neuronxcc-2.1/MODULE_1+00000001/model.neff", NULL);
    assert_string_equal(PROCESS.neffs[0].compiler, "2.1");
    host_free(host);
}

static void by_open_files(void **state)
{
    (void)state;
    put_neff(ROOT "/models/a.neff", 0xaa, "file.neff");
    put_neff(ROOT "/models/b.neff", 0xbb, "file.neff");
    tree_link("/proc/77/fd/3", "/models/a.neff");
    tree_link("/proc/77/fd/4", "/models/gone.neff (deleted)");
    tree_link("/proc/77/fd/5", "socket:[7]");
    tree_text("/proc/77/maps", "7f00-7f01 r-xp 0 103:01 9 /lib/x.so\n"
                               "7f00-7f01 r--p 0 103:01 9       /models/b.neff\n"
                               "7f02-7f03 r--p 0 103:01 9       /models/b.neff\n");
    struct host *host = look("any", uuid_b);
    assert_int_equal(PROCESS.neff_count, 3);
    for (unsigned i = 0; i < 3; i++) {
        const struct neff_use *use = &PROCESS.neffs[i];
        bool both = strcmp(use->path, "/models/b.neff") == 0;
        bool gone = strcmp(use->path, "/models/gone.neff") == 0;
        assert_int_equal(use->evidence, NEFF_BY_FILE | (both ? NEFF_BY_UUID : 0));
        assert_int_equal(use->model_count, both);
        assert_int_equal(known_u64(use->lnc), !gone);
        assert_int_equal(use->error != NULL, gone);
    }
    host_free(host);
    host = look_for(NULL, 0, 0); // without a list of models, what is open is told all the same
    assert_int_equal(PROCESS.neff_count, 3);
    assert_int_equal(PROCESS.neffs_untold, 0);
    assert_non_null(strstr(PROCESS.neffs_reason, "no source lists"));
    host_free(host);
}

static void where_the_cache_is(void **state)
{
    (void)state;
    put_neff(ROOT "/work/c/neuronxcc-2.1/MODULE_1+00000001/model.neff", 0xaa, "file.neff");
    tree_link("/proc/77/cwd", "/work");
    static const char *const good[] = {"/work/c", "file:///work/c", "c", "./c", "/work/../work/c"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        cache_text = good[i];
        struct host *host = look("x.MODULE_1+00000001", NULL);
        assert_int_equal(PROCESS.neff_count, 1);
        host_free(host);
    }
    cache_text = "s3://bucket/prefix";
    expect_unknown(look("x.MODULE_1+00000001", NULL), "object store");
    cache_text = "/nowhere";
    expect_unknown(look("x.MODULE_1+00000001", NULL), "No such file");
    cache_text = NULL;
    expect_unknown(look("x.MODULE_1+00000001", NULL), "without a compile cache");
    cache_from = NULL;
    expect_unknown(look("x.MODULE_1+00000001", NULL), "is not known");
}

// Nothing but a regular file is opened, nothing outside of the process's root is read, and nothing
// waits.
static void hostile_caches(void **state)
{
    (void)state;
    char path[PATH_MAX], events[4096], outside[PATH_MAX];
    static uint8_t bytes[FILE_BYTES];
    tree_text(ROOT "/devices/there", "");
    tree_text(ROOT CACHE "/neuronxcc-2.1/MODULE_2+00000000/model.neff", "cut off");
    good_header(bytes);
    put_number(bytes, 16, 8, UINT64_MAX); // a size that wraps
    tree_write(ROOT CACHE "/neuronxcc-2.1/MODULE_3+00000000/model.neff", bytes, sizeof(bytes));
    snprintf(path, sizeof(path), "%s" ROOT "/devices/pipe", TREE);
    assert_int_equal(mkfifo(path, 0600), 0);
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    snprintf(path, sizeof(path), "%s" ROOT "/devices", TREE);
    assert_true(inotify_add_watch(watch, path, IN_OPEN) >= 0);
    tree_link(ROOT CACHE "/neuronxcc-2.1/MODULE_4+00000000/model.neff", "/devices/pipe");
    tree_link(ROOT CACHE "/neuronxcc-2.1/MODULE_5+00000000/model.neff", "model.neff");
    tree_link(ROOT CACHE "/neuronxcc-2.2", "neuronxcc-2.2");
    tree_text(ROOT CACHE "/neuronxcc-2.3", "a file");
    tree_text(ROOT CACHE "/neuronxcc-\033[2J/MODULE_1+00000000/x", "");
    snprintf(outside, sizeof(outside), "%s-outside.neff", TREE);
    FILE *file = fopen(outside, "we");
    assert_non_null(file);
    put_number(bytes, 16, 8, DATA_BYTES);
    fwrite(bytes, 1, sizeof(bytes), file);
    fclose(file);
    tree_link(ROOT CACHE "/neuronxcc-2.1/MODULE_6+00000000/model.neff", outside);
    tree_link("/proc/77/fd/3", "/devices/pipe.neff");
    for (char digit = '2'; digit <= '6'; digit++) {
        char name[] = "x.MODULE_2+00000000.neff";
        name[9] = digit;
        struct host *host = look(name, "00a04c535fd94f07bffdd5eacdefc852");
        assert_int_equal(PROCESS.neffs_untold, 1);
        host_free(host);
    }
    unlink(outside);
    assert_int_equal(read(watch, events, sizeof(events)), -1);
    close(watch);
    static const char *const caches[] = {"/devices/pipe", "/loop", "/devices/there"};
    tree_link(ROOT "/loop", "/loop");
    for (size_t i = 0; i < sizeof(caches) / sizeof(caches[0]); i++) {
        cache_text = caches[i];
        struct host *host = look("x", uuid_a);
        assert_int_equal(PROCESS.neffs_untold, 1);
        host_free(host);
    }
}

// What is compiled later is found, and what costs is not done again for nothing.
static void a_cache_that_grows(void **state)
{
    (void)state;
    struct neffs_caches *caches = neffs_caches_new();
    struct neffs_candidate list[NEFFS_CANDIDATES];
    struct neffs_cache cache = {.caches = caches, .give_up = INFINITY};
    char name[] = "x", why[NEFFS_WHY] = "";
    struct neffs_model model = {.name = name, .uuid = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    size_t count = 0;
    put_entry("2.1", "MODULE_1+00000001", 0xaa, "file.neff");
    cache.root = open(TREE, O_PATH | O_DIRECTORY | O_CLOEXEC);
    snprintf(cache.place, sizeof(cache.place), "%s", ROOT CACHE);
    assert_true(neffs_cache_search(&cache, &model, true, list, &count, why));
    assert_int_equal(count, 1);
    put_entry("2.1", "MODULE_2+00000001", 0xbb, "file.neff");
    strcpy(model.uuid, uuid_b);
    count = 0;
    assert_true(neffs_cache_search(&cache, &model, true, list, &count, why));
    assert_int_equal(count, 0); // read moments ago
    cache.give_up = 0;
    neffs_caches_free(caches);
    cache.caches = caches = neffs_caches_new();
    assert_false(neffs_cache_search(&cache, &model, true, list, &count, why));
    assert_non_null(strstr(why, "to its end")); // no time: not "there is none"
    neffs_caches_free(caches);
    close(cache.root);
}

static void more_that_fit_than_are_read(void **state)
{
    (void)state;
    char entry[64];
    for (int i = 0; i < NEFFS_CANDIDATES + 3; i++) {
        snprintf(entry, sizeof(entry), "MODULE_%d+00000001", i);
        put_entry("2.1", entry, i + 1, "/same/name.neff");
    }
    expect_unknown(look("/same/name.neff", NULL), "fit");
}

static void a_process_that_is_not_there(void **state)
{
    (void)state;
    tree_text("/proc/1/x", "");
    expect_unknown(look("x", uuid_a), "cannot be read");
}

// A snapshot of before the look is not complete, also when the models of a known process are new.
static void new_models_are_waited_for(void **state)
{
    (void)state;
    struct source_status told = {0};
    struct model model = {.name = "x", .uuid = uuid_a};
    put_entry("2.1", "MODULE_1+00000001", 0xaa, "file.neff");
    host_free(look_for(NULL, 0, 0));
    struct host *host = host_with(&model, 1);
    source.ops->fill(&source, host, 100);
    assert_false(PROCESS.neffs_looked_for);
    source.ops->status(&source, 100, &told);
    assert_int_equal(told.state, SOURCE_STARTING);
    host_free(host);
    host = look_for(&model, 1, 100);
    assert_int_equal(PROCESS.neff_count, 1);
    source.ops->status(&source, 100, &told);
    assert_int_equal(told.state, SOURCE_LIVE);
    host_free(host);
}

int main(void)
{
#define ON_TREE(test) cmocka_unit_test_setup_teardown(test, start, end)
    const struct CMUnitTest tests[] = {
        ON_TREE(by_uuid),
        ON_TREE(by_name),
        ON_TREE(an_ambiguous_name_is_unknown),
        ON_TREE(by_open_files),
        ON_TREE(where_the_cache_is),
        ON_TREE(hostile_caches),
        ON_TREE(a_cache_that_grows),
        ON_TREE(more_that_fit_than_are_read),
        ON_TREE(a_process_that_is_not_there),
        ON_TREE(new_models_are_waited_for),
    };
    return cmocka_run_group_tests_name("neffs", tests, NULL, NULL);
}
