// SPDX-License-Identifier: Apache-2.0
// A captured host for the tests of the reader of /proc.
#include "proc_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build_host.h"
#include "source/derive.h"

char tree_root[PATH_MAX];

int tree_new(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(tree_root, sizeof(tree_root), "%s/neutop-proc-XXXXXX", base == NULL ? "/tmp" : base);
    return mkdtemp(tree_root) == NULL;
}

int tree_remove(void **state)
{
    (void)state;
    tree_delete("");
    return 0;
}

static const char *whole(const char *path)
{
    static char text[PATH_MAX * 2];
    snprintf(text, sizeof(text), "%s%s", tree_root, path);
    return text;
}

void tree_delete(const char *path)
{
    char command[PATH_MAX * 2 + 16];
    snprintf(command, sizeof(command), "rm -rf '%s'", whole(path));
    assert_int_equal(system(command), 0);
}

static void make_folders(const char *path)
{
    char text[PATH_MAX * 2];
    snprintf(text, sizeof(text), "%s", whole(path));
    for (char *slash = text + strlen(tree_root) + 1; (slash = strchr(slash, '/')) != NULL;
         slash++) {
        *slash = '\0';
        assert_true(mkdir(text, 0755) == 0 || errno == EEXIST);
        *slash = '/';
    }
}

void tree_write(const char *path, const void *bytes, size_t length)
{
    make_folders(path);
    FILE *file = fopen(whole(path), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

void tree_text(const char *path, const char *text)
{
    tree_write(path, text, strlen(text));
}

void tree_link(const char *path, const char *target)
{
    make_folders(path);
    assert_int_equal(symlink(target, whole(path)), 0);
}

void tree_times(int pid, int ppid, const char *state, unsigned user, unsigned system,
                unsigned start, unsigned threads)
{
    char path[64], text[256];
    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    snprintf(text, sizeof(text),
             "%d (p) %s %d 0 0 0 -1 4194304 54 0 0 0 %u %u 0 0 20 0 %u 0 %u 3231744 25 0\n", pid,
             state, ppid, user, system, threads, start);
    tree_text(path, text);
}

void tree_process(int pid, int ppid, const char *state, const char *words)
{
    char path[64], line[512];
    size_t length = strlen(words) + 1;
    tree_times(pid, ppid, state, 10, 126, 787, 1);
    snprintf(path, sizeof(path), "/proc/%d/status", pid);
    tree_text(path, "Name:\tp\nUid:\t1000\t1000\t1000\t1000\n");
    snprintf(path, sizeof(path), "/proc/%d/fd/", pid);
    make_folders(path);
    snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
    memcpy(line, words, length);
    for (size_t i = 0; i < length; i++)
        line[i] = line[i] == ' ' ? '\0' : line[i];
    tree_write(path, line, length);
}

void tree_handle(int pid, int fd, unsigned device, const char *flags)
{
    char path[64], text[128];
    snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
    snprintf(text, sizeof(text), "/dev/neuron%u", device);
    tree_link(path, text);
    if (flags == NULL)
        return;
    snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", pid, fd);
    snprintf(text, sizeof(text), "pos:\t0\nflags:\t%s\nmnt_id:\t9\n", flags);
    tree_text(path, text);
}

void tree_environment(int pid, const char *bytes, size_t length)
{
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/environ", pid);
    tree_write(path, bytes, length);
}

void tree_references(unsigned count)
{
    char text[32];
    snprintf(text, sizeof(text), "%u\n", count);
    tree_text("/sys/module/neuron/refcnt", text);
}

struct proc *tree_reader(void)
{
    struct proc_where where = {.root = tree_root, .delay_seconds = 1, .major = -1};
    struct trouble trouble = {.line = ""};
    struct proc *proc = proc_new(&where, &trouble);
    if (proc == NULL)
        fail_msg("%s", trouble.line);
    return proc;
}

struct host *tree_host(const char *type)
{
    struct host *host = build_host(type, 1);
    host->numbering = NUMBERING_PHYSICAL;
    host->hardware.lnc = (struct fact_u64){0};
    host->core_map.count = 0;
    for (unsigned i = 0; i < host->core_count; i++) {
        host->cores[i].numbering = NUMBERING_PHYSICAL;
        host->cores[i].owners_known = false;
        host->cores[i].memory_used_bytes = fact_u64(0, FROM_SYSFS);
    }
    return host;
}

void tree_use(struct host *host, unsigned core, uint64_t bytes)
{
    host->cores[core].memory_used_bytes = fact_u64(bytes, FROM_SYSFS);
    host->cores[core].memory[MEM_TENSORS] = fact_u64(bytes, FROM_SYSFS);
}

void tree_fill(struct proc *proc, struct host *host, double now)
{
    host->mono_seconds = now;
    proc_fill(proc, host, now);
    derive_host(host);
}

const struct process *tree_find(const struct host *host, int pid)
{
    for (unsigned i = 0; i < host->process_count; i++)
        if (host->processes[i].pid.value == (uint64_t)pid)
            return &host->processes[i];
    return NULL;
}
