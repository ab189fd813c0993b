// SPDX-License-Identifier: Apache-2.0
// What the tests of the readers share.
#include "source_run.h"

#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

const char *fixture(const char *name)
{
    static char path[PATH_MAX];
    const char *folder = getenv("NEUTOP_FIXTURES");
    snprintf(path, sizeof(path), "%s/monitor/%s", folder != NULL ? folder : "tests/fixtures", name);
    return path;
}

char *read_all(const char *path, size_t *length)
{
    struct stat info;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &info), 0);
    char *content = malloc((size_t)info.st_size + 1);
    assert_non_null(content);
    *length = fread(content, 1, (size_t)info.st_size, file);
    assert_int_equal(*length, info.st_size);
    content[*length] = '\0';
    fclose(file);
    return content;
}

static char folder[PATH_MAX];

static void remove_scratch(void)
{
    char command[PATH_MAX + 16];
    snprintf(command, sizeof(command), "rm -rf '%s'", folder);
    if (system(command) != 0)
        fprintf(stderr, "%s is left behind\n", folder);
}

const char *scratch(void)
{
    if (folder[0] != '\0')
        return folder;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof(folder), "%s/neutop-source-XXXXXX", base != NULL ? base : "/tmp");
    assert_non_null(mkdtemp(folder));
    atexit(remove_scratch);
    return folder;
}

const char *write_scratch(const char *name, const char *content, size_t length, unsigned mode)
{
    static char path[PATH_MAX + 64];
    snprintf(path, sizeof(path), "%s/%s", scratch(), name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
    return path;
}

struct source_options reading(const char *input)
{
    return (struct source_options){
        .root = "",
        .input = input,
        .delay_seconds = 1,
        .speed = 1,
        .unpaced = true,
        .every_report = true,
    };
}

struct host *snapshot_after(const char *input, unsigned count)
{
    struct source_options options = reading(input);
    struct trouble trouble = {.line = ""};
    struct collect *collect = collect_open(&options, NULL, 0, &trouble);
    assert_string_equal(trouble.line, "");
    assert_non_null(collect);
    unsigned reports = 0;
    for (;;) {
        enum source_event event = collect_work(collect, collect_now());
        assert_int_not_equal(event, SOURCE_FAILED);
        reports += event == SOURCE_NEW;
        if (event == SOURCE_FINISHED || (count != 0 && reports == count))
            break;
    }
    if (count != 0)
        assert_int_equal(reports, count);
    struct host *host = collect_snapshot(collect, collect_now());
    collect_close(collect);
    return host;
}

const struct process *process_of(const struct host *host, unsigned long pid)
{
    for (unsigned i = 0; i < host->process_count; i++)
        if (known_u64(host->processes[i].pid) && host->processes[i].pid.value == pid)
            return &host->processes[i];
    fail_msg("no process %lu", pid);
    return NULL;
}
