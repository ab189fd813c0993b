// SPDX-License-Identifier: Apache-2.0
// The text snapshot: golden pages below tests/fixtures/print, never wider than 80 columns, nothing
// lost, nothing hostile. With NEUTOP_UPDATE_GOLDEN=1 in the environment the golden pages are
// written anew: read the difference before you commit it.
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/text.h"
#include "build_host.h"
#include "print/page.h"

static void golden_path(char *path, size_t size, const char *name)
{
    const char *folder = getenv("NEUTOP_FIXTURES");
    snprintf(path, size, "%s/print/%s.txt", folder != NULL ? folder : "tests/fixtures", name);
}

// TEXT without the version of the program, which changes with every release.
static void hide_version(char *text)
{
    char *version = strstr(text, PACKAGE_VERSION);
    assert_non_null(version);
    memmove(version, version + strlen(PACKAGE_VERSION),
            strlen(version + strlen(PACKAGE_VERSION)) + 1);
}

static void write_golden(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void is_golden(const struct host *host, const char *name, bool ascii, bool color)
{
    char path[4096], expected[32768] = "";
    char *text = print_to_text(host, ascii, color);
    hide_version(text);
    golden_path(path, sizeof(path), name);
    if (getenv("NEUTOP_UPDATE_GOLDEN") != NULL)
        write_golden(path, text);
    FILE *in = fopen(path, "r");
    if (in == NULL)
        fail_msg("cannot read %s", path);
    expected[fread(expected, 1, sizeof(expected) - 1, in)] = '\0';
    fclose(in);
    assert_string_equal(text, expected);
    free(text);
}

static void fits(const char *text)
{
    char line[1024];
    for (const char *start = text; *start != '\0';) {
        size_t length = strcspn(start, "\n");
        assert_true(start[length] == '\n'); // the last line is whole
        assert_true(length < sizeof(line));
        memcpy(line, start, length);
        line[length] = '\0';
        if (text_width(line) > 80)
            fail_msg("%d columns: %s", text_width(line), line);
        if (length > 0 && line[length - 1] == ' ')
            fail_msg("blank at the end: %s", line);
        start += length + 1;
    }
}

static const struct model models[] = {
    {.name = "s3://models/llama-3/prefill.neff",
     .model_id = {.value = 10001, .from = FROM_RECORDING},
     .state = MODEL_RUNNING,
     .memory_device_bytes = {.value = 3 << 20, .from = FROM_RECORDING}},
    {.name = "decode",
     .model_id = {.value = 10002, .from = FROM_RECORDING},
     .state = MODEL_STOPPED},
    {.name = "decode",
     .model_id = {.value = 10003, .from = FROM_RECORDING},
     .state = MODEL_STOPPED},
};

static void train(struct host *host)
{
    struct process *process =
        build_process(host, 31207, "/usr/bin/python3 train.py --epochs 3", 0, 2);
    process->tag = "llama-pretrain";
    process->user = "ubuntu";
    process->state = PROCESS_RUNNING;
    process->launcher = "torchrun";
    process->launcher_pid = fact_u64(31200, FROM_PROC);
    process->started_unix_seconds = fact_f64(BUILD_TIME - 11520, FROM_PROC);
    process->idle_seconds = fact_f64(0, FROM_DERIVED);
    process->runtime_version = "2.30.51";
    process->visible_cores = "0-1";
    process->memory_host_bytes = fact_u64(6 * GIB + GIB / 2, FROM_RECORDING);
    process->host_memory[HOSTMEM_APPLICATION] = fact_u64(6 * GIB, FROM_RECORDING);
    process->utilization_percent = fact_f64(56.81, FROM_RECORDING);
    process->flops_per_second = fact_f64(10.004e12, FROM_RECORDING);
    process->cpu_user_percent = fact_f64(23, FROM_RECORDING);
    process->cpu_system_percent = fact_f64(1.25, FROM_RECORDING);
    for (int i = 0; i < PERCENTILES; i++)
        process->latency_total.seconds[i] = fact_f64(0.0102 + i * 0.0004, FROM_RECORDING);
    process->executions_per_second[EXEC_COMPLETED] = fact_f64(97, FROM_RECORDING);
    process->errors_per_second[ERR_RUNTIME] = fact_f64(0, FROM_RECORDING);
    process->model_count = 3;
    process->models = models;
    build_memory(host, process, 0, MEM_TENSORS, (uint64_t)(15.855 * (double)GIB));
    build_memory(host, process, 1, MEM_TENSORS, 8 * GIB);
    build_memory(host, process, 1, MEM_MODEL_CODE, 512 * MIB);
    build_utilization(host, process, 0, 56.81);
    build_utilization(host, process, 1, 0);
    host->cores[0].flops_per_second = fact_f64(10.004e12, FROM_RECORDING);
}

// A recording of a trn1.2xlarge that has ended: field case F-10 on its core 0.
static struct host *busy_host(void)
{
    struct host *host = build_host("trn1.2xlarge", 0);
    host->instance.id = "i-0a1b2c3d4e5f67890";
    host->instance.region = "us-west-2";
    host->instance.availability_zone = "us-west-2b";
    host->finished = true;
    host->hardware.device_memory_bytes_per_chip = fact_u64(32 * GIB, FROM_RECORDING);
    host->machine.cpus = fact_u64(8, FROM_RECORDING);
    host->machine.cpu_user_percent = fact_f64(20.4, FROM_RECORDING);
    host->machine.cpu_system_percent = fact_f64(1.5, FROM_RECORDING);
    host->machine.memory_total_bytes = fact_u64(32 * GIB, FROM_RECORDING);
    host->machine.memory_used_bytes = fact_u64(12 * GIB, FROM_RECORDING);
    host->reports_read = 3;
    build_source(host, "recording", SOURCE_ENDED, 2, "capture.ndjson, 3 reports");
    train(host);
    host->chips[0].ecc.mem_corrected = fact_u64(7, FROM_RECORDING);
    host->chips[0].ecc.mem_uncorrected = fact_u64(0, FROM_RECORDING);
    host->chips[0].ecc.sram_uncorrected = fact_u64(0, FROM_RECORDING);
    return host;
}

static void busy_page(void **state)
{
    (void)state;
    struct host *host = busy_host();
    is_golden(host, "busy", false, false);
    is_golden(host, "busy-color", false, true);
    host_free(host);
}

static void unknown_page(void **state)
{
    (void)state;
    struct host *host = host_new();
    is_golden(host, "unknown", false, false);
    host_free(host);
}

// The monitor has gone quiet: its numbers are in parentheses, and nothing is called current.
static void stale_page(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.xlarge", 0);
    struct process *process = build_process(host, 77, "serve", 0, 1);
    build_source(host, "monitor", SOURCE_STALE, 12, NULL);
    build_memory(host, process, 0, MEM_TENSORS, 4 * GIB);
    build_utilization(host, process, 0, 88);
    host->cores[0].utilization_percent.stale = true;
    host->cores[0].memory_used_bytes.stale = true;
    process->memory_device_bytes.stale = true;
    process->memory[MEM_TENSORS].stale = true;
    host->cores[1].owners_known = false;
    is_golden(host, "stale", false, false);
    host_free(host);
}

// The PID that a person sees in the container stands beside the host's.
static void both_pids_of_a_container_are_shown(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.xlarge", 0);
    struct process *process = build_process(host, 19047, "serve", 0, 1);
    process->pid_inside = fact_u64(12, FROM_PROC);
    process->container = "3f2a9c81d0e4";
    char *text = print_to_text(host, true, false);
    assert_non_null(strstr(text, "PID 19047"));
    assert_non_null(strstr(text, "PID 12 inside its container"));
    free(text);
    host_free(host);
}

static void demo_says_so_first(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 1);
    host->demo = true;
    char *text = print_to_text(host, true, false);
    fits(text);
    char *end = strchr(text, '\n');
    assert_non_null(end);
    *end = '\0';
    assert_non_null(strstr(text, "DEMO"));
    assert_non_null(strstr(end + 1, "memory that 2 logical cores share")); // LNC=1
    free(text);
    host_free(host);
}

// Every chip, core and process is there, each line in its columns.
static void large_host_is_complete(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    for (unsigned i = 0; i < 60; i++) {
        struct process *process = build_process(host, 4194000 + i, "python", i, 1);
        process->user = "averyveryverylongusername";
        process->idle_seconds = fact_f64(86400.0 * 400, FROM_DERIVED);
        build_memory(host, process, i, MEM_TENSORS, 24 * GIB - 1);
        build_utilization(host, process, i, 100);
        host->cores[i].utilization_percent.stale = true;
    }
    char *text = print_to_text(host, false, false), line[64];
    fits(text);
    for (unsigned i = 0; i < 64; i++) {
        snprintf(line, sizeof(line), "\n     %-6u%s", i, i < 60 ? "held" : "free");
        assert_non_null(strstr(text, line));
    }
    for (unsigned i = 0; i < 60; i++) {
        snprintf(line, sizeof(line), "\nPID %u, python, user avery", 4194000 + i);
        assert_non_null(strstr(text, line));
    }
    free(text);
    host_free(host);
}

// Workers that differ in numbers only are one block with ranges; one with an error stands alone.
static void workers_are_folded(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    for (unsigned i = 0; i < 5; i++) {
        struct process *process = build_process(host, 100 + i, "python train.py", i, 1);
        process->launcher_pid = fact_u64(99, FROM_PROC);
        process->launcher = "torchrun";
        build_memory(host, process, i, MEM_TENSORS, (i + 1) * GIB);
        process->utilization_percent = fact_f64(10 * i, FROM_RECORDING);
    }
    host->processes[4].error = "no access";
    char *text = print_to_text(host, false, false);
    fits(text);
    assert_non_null(strstr(text, "\nPID 100-103, 4 workers of PID 99 torchrun"));
    assert_non_null(strstr(text, "hold     NC 0-3, chips 0"));
    assert_non_null(strstr(text, "HBM 10GiB (1GiB to 4GiB each)"));
    assert_non_null(strstr(text, "NC 15.0% (mean; 0.0% to 30.0%)"));
    assert_non_null(strstr(text, "\nPID 104, train.py"));
    assert_null(strstr(text, "\nPID 101,"));
    free(text);
    host_free(host);
}

// Names as wide, as long and as strange as they come; the wrapped text still has every character of
// them.
static void hostile_names_stay_in_columns(void **state)
{
    (void)state;
    char path[256], wide[256] = "";
    memset(path, 'x', 255);
    path[255] = '\0';
    for (unsigned i = 0; i < 80; i++)
        strcat(wide, "\xe6\xbc\xa2"); // two columns each
    const struct model long_name = {.name = path};
    struct host *host = build_host("inf2.xlarge", 0);
    struct process *process = build_process(host, 1, wide, 0, 1);
    process->tag = wide;
    process->user = wide;
    process->pod = path;
    process->error = wide;
    process->model_count = 1;
    process->models = &long_name;
    host->instance.id = path;
    host->cores[1].pod = wide;
    build_source(host, "monitor", SOURCE_LOST, 1e9, path);
    char *text = print_to_text(host, false, false);
    unsigned letters = 0;
    fits(text);
    for (const char *c = text; *c != '\0'; c++)
        letters += *c == 'x';
    assert_true(letters >= 3 * 255); // instance id, pod, model name
    free(text);
    text = print_to_text(host, true, false);
    fits(text);
    for (const char *c = text; *c != '\0'; c++)
        assert_true(*c == '\n' || (*c >= 0x20 && *c < 0x7f));
    free(text);
    host_free(host);
}

static void no_escape_without_color(void **state)
{
    (void)state;
    struct host *host = busy_host();
    char *plain = print_to_text(host, false, false), *colored = print_to_text(host, false, true);
    assert_null(strchr(plain, '\033'));
    // Taking the colours out again gives the same page: nothing but SGR was written.
    char *out = colored;
    for (const char *in = colored; *in != '\0';) {
        if (*in != '\033') {
            *out++ = *in++;
            continue;
        }
        in += strcspn(in, "m") + 1;
    }
    *out = '\0';
    assert_string_equal(plain, colored);
    free(plain);
    free(colored);
    host_free(host);
}

static int use_utf8(void **state)
{
    (void)state;
    return setlocale(LC_ALL, "C.UTF-8") == NULL && setlocale(LC_ALL, "en_US.UTF-8") == NULL;
}

static void long_word_takes_time_in_proportion(void **state)
{
    (void)state;
    const size_t size = 8 * 1024 * 1024;
    const struct print_options options = {.ascii = true};
    struct page page = {.out = fopen("/dev/null", "w"), .options = &options};
    char *word = malloc(size + 1);
    memset(word, 'x', size);
    word[size] = '\0';
    const clock_t before = clock();
    page_wrap(&page, 4, word);
    assert_true(clock() - before < 8 * CLOCKS_PER_SEC); // a minute when each line measures the rest
    fclose(page.out);
    free(word);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(busy_page),
        cmocka_unit_test(unknown_page),
        cmocka_unit_test(stale_page),
        cmocka_unit_test(both_pids_of_a_container_are_shown),
        cmocka_unit_test(long_word_takes_time_in_proportion),
        cmocka_unit_test(demo_says_so_first),
        cmocka_unit_test(large_host_is_complete),
        cmocka_unit_test(workers_are_folded),
        cmocka_unit_test(hostile_names_stay_in_columns),
        cmocka_unit_test(no_escape_without_color),
    };
    return cmocka_run_group_tests_name("print_text", tests, use_utf8, NULL);
}
