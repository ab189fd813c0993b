// SPDX-License-Identifier: Apache-2.0
// The recogniser on what people have posted (field cases), and on what happens to text on its way:
// cut anywhere, prefixed, coloured, interleaved, joined, damaged.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "joblog/joblog.h"

static struct joblog *read_text(const char *text, size_t size, size_t piece)
{
    struct joblog *log = joblog_new();
    for (size_t at = 0; at < size; at += piece)
        joblog_feed(log, text + at, size - at < piece ? size - at : piece);
    joblog_end(log);
    return log;
}

static struct joblog *read_string(const char *text)
{
    return read_text(text, strlen(text), strlen(text) + 1);
}

static char *load(const char *name, size_t *size)
{
    char path[512];
    const char *fixtures = getenv("NEUTOP_FIXTURES");
    snprintf(path, sizeof(path), "%s/field/%s", fixtures != NULL ? fixtures : "tests/fixtures",
             name);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("cannot open %s", path);
    char *text = malloc(64 * 1024);
    *size = fread(text, 1, 64 * 1024, file);
    fclose(file);
    return text;
}

static struct joblog *read_sample(const char *name)
{
    size_t size;
    char *text = load(name, &size);
    struct joblog *log = read_text(text, size, size);
    free(text);
    return log;
}

static const struct error_group *find(const struct joblog *log, const char *id, unsigned nth)
{
    for (size_t i = 0; i < joblog_group_count(log); i++)
        if (strcmp(joblog_group(log, i)->message->id, id) == 0 && nth-- == 0)
            return joblog_group(log, i);
    fail_msg("no %s among %zu groups", id, joblog_group_count(log));
    return NULL;
}

static uint64_t number(const struct error_group *group, enum capture capture)
{
    const struct value *value = group_value(group, capture);
    if (value == NULL)
        fail_msg("%s: no %s", group->message->id, capture_rows[capture].key);
    return value->number;
}

static const char *text(const struct error_group *group, enum capture capture)
{
    const struct value *value = group_value(group, capture);
    if (value == NULL)
        fail_msg("%s: no %s", group->message->id, capture_rows[capture].key);
    return value->text;
}

static void assert_place(const struct error_group *group, size_t index, int chip, int core)
{
    assert_true(index < group->place_count);
    assert_int_equal(group->places[index].chip, chip);
    assert_int_equal(group->places[index].core, core);
}

// F-07, F-25
static void cores_not_available(void **state)
{
    (void)state;
    struct joblog *log = read_sample("02-nrt-cores-not-available.txt");
    assert_int_equal(joblog_group_count(log), 3);
    const struct error_group *group = find(log, "cores-not-available", 0);
    assert_string_equal(text(group, CAPTURE_REQUESTED), "2");
    assert_int_equal(number(group, CAPTURE_AVAILABLE), 0);
    assert_int_equal(number(group, CAPTURE_CORE_SIZE), 1);
    assert_int_equal(group->pids[0], 45075);
    assert_int_equal(group->first_line, 1);
    assert_string_equal(group->first_time, "2024-12-11 17:43:58.780308");
    group = find(log, "cores-not-available", 1);
    assert_string_equal(text(group, CAPTURE_REQUESTED), "nc1-nc1");
    assert_null(group_value(group, CAPTURE_CORE_SIZE));
    // four digits are milliseconds with a leading zero
    assert_string_equal(group->first_time, "2021-08-27 23:22:12.323");
    group = find(log, "cores-not-contiguous", 0);
    assert_int_equal(group->pids[0], 8); // padded with blanks
    const struct log_job *job = joblog_job_of(log, 45075);
    assert_non_null(job);
    assert_string_equal(job->runtime, "2.22.19.0");
    assert_string_equal(job->firmware, ""); // "unknown (unknown)"
    assert_true(job->collectives_absent);
    assert_int_equal(joblog_input(log)->unknown, 0);
    joblog_free(log);
}

// F-01: the two lines are one error
static void compat_id(void **state)
{
    (void)state;
    struct joblog *log = read_sample("03-nrt-compat-id-range.txt");
    assert_int_equal(joblog_group_count(log), 2);
    const struct error_group *group = find(log, "compat-id", 0);
    assert_int_equal(group->count, 1);
    assert_int_equal(number(group, CAPTURE_COMPAT_ID), 6);
    assert_int_equal(number(group, CAPTURE_COMPAT_MIN), 2);
    assert_int_equal(number(group, CAPTURE_COMPAT_MAX), 4);
    assert_string_equal(text(group, CAPTURE_PACKAGE), "aws-neuron-dkms");
    group = find(log, "driver-too-old", 0);
    assert_string_equal(text(group, CAPTURE_VERSION), "2.0");
    joblog_free(log);
}

// F-03
static void neff_features(void **state)
{
    (void)state;
    struct joblog *log = read_sample("04-nrt-neff-features.txt");
    const struct error_group *group = find(log, "neff-features", 0);
    assert_int_equal(group->count, 2);
    assert_int_equal(group->first_line, 1);
    assert_int_equal(group->last_line, 3);
    assert_true(number(group, CAPTURE_FEATURES) == 0x100);
    assert_true(number(group, CAPTURE_SUPPORTED) == 0x80000000000000ffu);
    group = find(log, "load-failed", 0);
    assert_int_equal(group->role, ROLE_FOLLOWS);
    assert_int_equal(number(group, CAPTURE_STATUS), 10);
    assert_string_equal(text(group, CAPTURE_STATUS_NAME), "NRT_UNSUPPORTED_NEFF_VERSION");
    assert_non_null(strstr(text(group, CAPTURE_FILE), "/model.MODULE_f412a6bebf32d04bf191+2c2d"));
    assert_ptr_equal(joblog_group(log, 0), find(log, "neff-features", 0)); // first the cause
    joblog_free(log);
}

// F-13, F-14
static void nothing_there(void **state)
{
    (void)state;
    struct joblog *log = read_sample("05-nrt-no-driver.txt");
    assert_int_equal(joblog_group_count(log), 2);
    const struct error_group *group = find(log, "driver-unreadable", 0);
    assert_int_equal(group->count, 2); // both wordings
    assert_int_equal(group->pid_count, 2);
    assert_int_equal(group->parts_absorbed, 1); // the hint about /dev/neuron#
    assert_int_equal(find(log, "no-device", 0)->pids[0], 19);
    joblog_free(log);
    log = read_sample("06-tools-no-driver.txt");
    assert_int_equal(joblog_group_count(log), 1);
    assert_int_equal(find(log, "no-device", 0)->count, 1); // two wordings in one line
    joblog_free(log);
    log = read_sample("07-neuron-monitor-no-driver-truncated.txt"); // no newline at its end
    assert_int_equal(find(log, "no-device", 0)->first_line, 1);
    assert_int_equal(joblog_input(log)->lines, 1);
    joblog_free(log);
}

// F-10: MB and GB are binary
static void memory_of_tensors(void **state)
{
    (void)state;
    struct joblog *log = read_sample("08-nrt-oom-tensors.txt");
    const struct error_group *group = find(log, "device-memory-full", 0);
    assert_int_equal(number(group, CAPTURE_BYTES), 180355072);
    assert_string_equal(text(group, CAPTURE_CATEGORY), "tensors");
    assert_place(group, 0, 0, 0);
    assert_int_equal(group->parts_absorbed, 2); // the two lines with 180355072 bytes
    assert_non_null(group->table);
    assert_true(group->table->has_total);
    assert_int_equal(group->table->total.bytes, 17024176620); // 15.855 GiB
    assert_int_equal(group->table->count, 3);
    assert_true(table_adds_up(group->table));
    assert_string_equal(text(find(log, "memory-log-written", 0), CAPTURE_FILE),
                        "/tmp/nrt_mem_log_device_0_670eaded.csv");
    joblog_free(log);
}

// F-11: the parts make the total within what the digits leave open
static void memory_mixed(void **state)
{
    (void)state;
    struct joblog *log = read_sample("09-nrt-oom-mixed.txt");
    const struct error_group *group = find(log, "device-memory-full", 0);
    assert_string_equal(text(group, CAPTURE_CATEGORY), "dma rings");
    assert_place(group, 0, 3, 0);
    const struct memory_table *table = group->table;
    assert_int_equal(table->count, 7);
    assert_string_equal(table->parts[5].name, "dma rings");
    assert_int_equal(table->parts[2].bytes, 14141179822); // 13.170 GiB
    assert_true(table_adds_up(table));
    assert_int_equal(joblog_group_count(log), 1); // ring and bytes are parts of it
    joblog_free(log);
}

// F-12, F-20
static void kernel_lines(void **state)
{
    (void)state;
    struct joblog *log = read_sample("10-dmesg-driver-lines.txt");
    const struct error_group *group = find(log, "driver-pool-full", 0);
    assert_int_equal(number(group, CAPTURE_CHANNEL), 0);
    assert_int_equal(number(group, CAPTURE_REGION), 0);
    assert_int_equal(number(group, CAPTURE_POOL_TOTAL), 1073741568);
    assert_int_equal(number(group, CAPTURE_POOL_OCCUPIED), 960539030);
    assert_int_equal(number(group, CAPTURE_POOL_NEEDED), 1272);
    assert_int_equal(number(group, CAPTURE_POOL_AVAILABLE), 768);
    assert_null(group_value(group, CAPTURE_POOL_SMALL));
    group = find(log, "hardware-error", 0);
    assert_string_equal(text(group, CAPTURE_HW_TYPE), "SRAM_UNCORRECTABLE_ERROR");
    assert_string_equal(text(group, CAPTURE_ACTION), "TERMINATE_INSTANCE");
    assert_string_equal(text(group, CAPTURE_SERIAL), "0123456789abcdef");
    assert_place(group, 0, 0, 0);
    assert_string_equal(text(find(log, "driver-started", 0), CAPTURE_VERSION), "2.9.4.0");
    assert_int_equal(find(log, "driver-detach", 0)->pids[0], 90193);
    assert_int_equal(find(log, "efa-deregister", 0)->role, ROLE_REMARK);
    joblog_free(log);
}

// F-02, F-27, F-09
static void packages(void **state)
{
    (void)state;
    struct joblog *log = read_sample("11-modinfo.txt");
    const struct error_group *group = find(log, "module-on-disk", 0);
    assert_string_equal(text(group, CAPTURE_VERSION), "2.8.4.0");
    assert_string_equal(text(group, CAPTURE_KERNEL), "5.10.157-139.675.amzn2.x86_64");
    assert_int_equal(group->role, ROLE_REMARK);
    joblog_free(log);
    log = read_sample("12-dkms-build-fail.txt");
    group = find(log, "module-build-failed", 0);
    assert_string_equal(text(group, CAPTURE_KERNEL), "5.19.0-1022-aws");
    assert_string_equal(text(group, CAPTURE_VERSION), "2.8.4.0");
    joblog_free(log);
    log = read_sample("19-module-in-use.txt");
    assert_int_equal(joblog_group_count(log), 1);
    assert_int_equal(find(log, "module-in-use", 0)->parts_absorbed, 2);
    joblog_free(log);
}

static void another_modules_build_is_not_ours(void **state)
{
    (void)state;
    struct joblog *log =
        read_string("Loading new nvidia-535.54 DKMS files...\n"
                    "Error! Bad return status for module build on kernel: 6.1 (x)\n");
    assert_int_equal(joblog_group_count(log), 0);
    joblog_free(log);
}

static void a_good_start(void **state)
{
    (void)state;
    struct joblog *log = read_sample("14-nrt-info-start.txt");
    assert_int_equal(joblog_group_count(log), 0);
    assert_int_equal(joblog_job_count(log), 2);
    const struct log_job *job = joblog_job_of(log, 7340);
    assert_string_equal(job->runtime, "2.22.14.0");
    assert_string_equal(job->driver, "2.18");
    assert_string_equal(job->collectives, "2.22.26.0");
    assert_string_equal(job->architecture, "TRN");
    assert_int_equal(job->chips, 1);
    assert_int_equal(job->cores_per_chip, 2);
    job = joblog_job_of(log, 7838);
    assert_string_equal(job->firmware, "1.12.2.0");
    assert_string_equal(job->collectives, "2.22.26.0");
    assert_string_equal(job->instance, "i-0123456789abcdef0");
    assert_string_equal(job->cluster, ""); // N/A
    assert_string_equal(job->kernel, "Linux 6.8.0-1015-aws");
    joblog_free(log);
}

// F-21
static void timeouts(void **state)
{
    (void)state;
    struct joblog *log = read_sample("15-nrt-exec-timeouts.txt");
    const struct error_group *group = find(log, "execution-timeout", 0);
    assert_int_equal(number(group, CAPTURE_LIMIT), 600000);
    assert_place(group, 0, 0, 0);
    assert_int_equal(group->parts_absorbed, 1); // the missing notification
    group = find(log, "status", 0);
    assert_int_equal(number(group, CAPTURE_STATUS), 1204);
    assert_string_equal(text(group, CAPTURE_CALL), "nrt_execute");
    assert_int_equal(group->role, ROLE_CAUSE); // nothing else of that process explains it
    group = find(log, "execution-status", 0);
    assert_int_equal(number(group, CAPTURE_STATUS), 1006);
    group = find(log, "execution-status", 1);
    assert_string_equal(text(group, CAPTURE_STATUS_NAME), "NRT_TIMEOUT");
    assert_int_equal(group->role, ROLE_FOLLOWS);
    assert_true(joblog_job_of(log, 516278)->has_lnc);
    assert_int_equal(joblog_input(log)->unknown, 0);
    joblog_free(log);
}

static void ordinary_output_is_left_alone(void **state)
{
    (void)state;
    static const char *const names[] = {"01-neuron-ls-wide-in-pod.txt", "13-sysfs-power.txt",
                                        "16-neuron-ls-plain.txt", "17-neuron-ls-ring-inf2.txt"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct joblog *log = read_sample(names[i]);
        assert_int_equal(joblog_group_count(log), 0);
        assert_true(joblog_input(log)->lines > 0);
        joblog_free(log);
    }
    struct joblog *log = read_sample("18-neuron-ls-legacy-banner.txt");
    assert_int_equal(joblog_group_count(log), 1);
    assert_int_equal(find(log, "tools-notice", 0)->role, ROLE_REMARK);
    joblog_free(log);
}

static void assert_same(const struct joblog *a, const struct joblog *b, const char *what)
{
    if (joblog_group_count(a) != joblog_group_count(b))
        fail_msg("%s: %zu groups and %zu", what, joblog_group_count(a), joblog_group_count(b));
    for (size_t i = 0; i < joblog_group_count(a); i++) {
        const struct error_group *x = joblog_group(a, i), *y = joblog_group(b, i);
        if (x->message != y->message || x->count != y->count || x->first_line != y->first_line ||
            x->value_count != y->value_count || x->pid_count != y->pid_count ||
            x->place_count != y->place_count || strcmp(x->first_time, y->first_time) != 0)
            fail_msg("%s: %s differs", what, x->message->id);
        if (x->table != NULL && (y->table == NULL || x->table->count != y->table->count))
            fail_msg("%s: the table differs", what);
    }
}

static const char *const SAMPLES[] = {
    "02-nrt-cores-not-available.txt", "03-nrt-compat-id-range.txt",
    "04-nrt-neff-features.txt",       "05-nrt-no-driver.txt",
    "08-nrt-oom-tensors.txt",         "09-nrt-oom-mixed.txt",
    "10-dmesg-driver-lines.txt",      "11-modinfo.txt",
    "12-dkms-build-fail.txt",         "15-nrt-exec-timeouts.txt",
    "19-module-in-use.txt",
};
enum { SAMPLE_COUNT = sizeof(SAMPLES) / sizeof(SAMPLES[0]) };

static void pieces_make_no_difference(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        size_t size;
        char *bytes = load(SAMPLES[i], &size);
        struct joblog *whole = read_text(bytes, size, size);
        for (size_t piece = 1; piece < 130; piece += 43) {
            struct joblog *pieces = read_text(bytes, size, piece);
            assert_same(whole, pieces, SAMPLES[i]);
            joblog_free(pieces);
        }
        joblog_free(whole);
        free(bytes);
    }
}

// A copy of TEXT in which each line is put between BEFORE and AFTER.
static char *dress(const char *bytes, size_t size, const char *before, const char *after,
                   size_t *length)
{
    char *out = malloc(size + (size + 1) * (strlen(before) + strlen(after) + 1));
    *length = 0;
    for (const char *line = bytes, *end = bytes + size; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const char *stop = newline != NULL ? newline : end;
        *length += (size_t)sprintf(out + *length, "%s", before);
        memcpy(out + *length, line, (size_t)(stop - line));
        *length += (size_t)(stop - line);
        *length += (size_t)sprintf(out + *length, "%s\n", after);
        line = stop + 1;
    }
    return out;
}

static void what_loggers_do_makes_no_difference(void **state)
{
    (void)state;
    static const char *const dresses[][2] = {
        {"", "\r"},                                 // CRLF
        {"\033[31m", "\033[0m"},                    // colours
        {"\033]0;title\007\033[1;31m", "\033[0m\r"} // a window title as well
    };
    static const char *const prefixes[] = {"[rank3]: ", "2024-12-11T17:43:58.780308123Z stderr F ",
                                           "worker-1 | ",
                                           "Dec 11 17:43:58 ip-10-0-0-1 python[45075]: "};
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        size_t size, length;
        char *bytes = load(SAMPLES[i], &size);
        struct joblog *plain = read_text(bytes, size, size);
        for (size_t d = 0; d < 3; d++) {
            char *dressed = dress(bytes, size, dresses[d][0], dresses[d][1], &length);
            struct joblog *log = read_text(dressed, length, length);
            assert_same(plain, log, SAMPLES[i]);
            joblog_free(log);
            free(dressed);
        }
        for (size_t p = 0; p < 4; p++) {
            if (strcmp(SAMPLES[i], "11-modinfo.txt") == 0)
                continue; // no logger writes that
            char *dressed = dress(bytes, size, prefixes[p], "", &length);
            struct joblog *log = read_text(dressed, length, length);
            assert_same(plain, log, prefixes[p]);
            joblog_free(log);
            free(dressed);
        }
        joblog_free(plain);
        free(bytes);
    }
}

static void two_records_in_one_line(void **state)
{
    (void)state;
    struct joblog *log = read_string(
        "2024-Jan-18 01:49:40.972386 39717:39897 ERROR  NEFF:neff_parse  NEFF version: 2.0, "
        "features: "
        "0x100 are not supp2024-Jan-18 01:49:40.972386 39718:39999 ERROR  NRT:nrt_init  Unable to "
        "determine Neuron Driver version.2024-Jan-18 01:49:40.972500 39719:1 ERROR  NRT:x  Neuron "
        "cores are not contiguous\n");
    assert_int_equal(joblog_group_count(log), 2); // the first record is cut off
    assert_int_equal(find(log, "driver-unreadable", 0)->pids[0], 39718);
    assert_int_equal(find(log, "cores-not-contiguous", 0)->pids[0], 39719);
    assert_int_equal(joblog_input(log)->unknown, 1); // and counted as not known
    joblog_free(log);
}

// The run-in of a long function name.
static void text_right_behind_the_function(void **state)
{
    (void)state;
    struct joblog *log = read_string(
        "2023-Jan-09 20:27:41.0593 15042:15042 ERROR  TDRV:exec_consume_infer_status_notifications"
        "(FATAL-RT-UNDEFINED-STATE) inference timeout (600000 ms) on Neuron Device 1 NC 4, "
        "waiting\n");
    assert_int_equal(joblog_group_count(log), 1);
    assert_place(find(log, "execution-timeout", 0), 0, 1, 4);
    joblog_free(log);
}

#define OOM(pid, chip)                                                                            \
    "2024-Jul-10 09:14:35.191118 " pid ":1 ERROR  TDRV:log_dev_mem  Failed to allocate 43.325MB " \
    "(usage: dma rings) on ND " chip ":NC 0, current utilization:\n"

// Two processes fail at once: each line goes to the table that misses it, the newest first.
static void tables_that_interleave(void **state)
{
    (void)state;
    struct joblog *log = read_string(
        OOM("1", "0") OOM("2", "3") "\t* total: 2.000GB\n\t* tensors: 2.000GB\n"
                                    "noise\n\t* total: 1.000GB\n\t* tensors: 1.000GB\n");
    assert_int_equal(joblog_group_count(log), 2);
    const struct error_group *first = find(log, "device-memory-full", 0);
    const struct error_group *second = find(log, "device-memory-full", 1);
    assert_place(first, 0, 0, 0);
    assert_place(second, 0, 3, 0);
    assert_int_equal(second->table->total.bytes, 2u << 30);
    assert_int_equal(first->table->total.bytes, 1u << 30);
    assert_true(table_adds_up(first->table) && table_adds_up(second->table));
    joblog_free(log);
    // with ranks in front there is no doubt
    log = read_string("[rank0]: " OOM("1", "0") "[rank1]: " OOM(
        "2", "3") "[rank0]: \t* total: 1.000GB\n[rank1]: \t* total: 2.000GB\n"
                  "[rank0]: \t* tensors: 1.000GB\n[rank1]: \t* tensors: 2.000GB\n");
    first = find(log, "device-memory-full", 0);
    assert_int_equal(first->table->total.bytes, 1u << 30);
    assert_true(table_adds_up(first->table));
    joblog_free(log);
}

static void a_table_that_does_not_add_up(void **state)
{
    (void)state;
    struct joblog *log =
        read_string(OOM("1", "0") "* total: 2.000GB\n* tensors: 1.000GB\n* runtime: 1.000MB\n");
    assert_false(table_adds_up(find(log, "device-memory-full", 0)->table));
    joblog_free(log);
}

// The same error of many workers is one, with its processes and places.
static void workers_are_counted_together(void **state)
{
    (void)state;
    struct joblog *log = joblog_new();
    char line[256];
    for (unsigned i = 0; i < 5000; i++) {
        int length = snprintf(line, sizeof(line),
                              "2025-Oct-01 23:48:34.002207 %u:%u ERROR TDRV:exec [ND %u][NC %u] "
                              "execution timeout (30000 ms) on model /m/x.neff\n",
                              1000 + i, i, i % 16, i % 2);
        joblog_feed(log, line, (size_t)length);
    }
    joblog_end(log);
    assert_int_equal(joblog_group_count(log), 1);
    const struct error_group *group = joblog_group(log, 0);
    assert_int_equal(group->count, 5000);
    assert_int_equal(group->pid_count, GROUP_PIDS);
    assert_true(group->more_pids);
    assert_int_equal(group->place_count, 16);
    assert_int_equal(group->last_line, 5000);
    assert_string_equal(text(group, CAPTURE_MODEL), "/m/x.neff");
    joblog_free(log);
}

// Errors of ever new kinds take no more and more memory.
static void many_kinds_end_in_one(void **state)
{
    (void)state;
    struct joblog *log = joblog_new();
    char line[256];
    for (unsigned i = 0; i < 3000; i++) {
        int length = snprintf(line, sizeof(line),
                              "1:1 NeuronCore(s) not available - Requested:%u Available:0\n", i);
        joblog_feed(log, line, (size_t)length);
    }
    joblog_end(log);
    uint64_t count = 0;
    for (size_t i = 0; i < joblog_group_count(log); i++)
        count += joblog_group(log, i)->count;
    assert_int_equal(count, 3000);
    assert_true(joblog_group_count(log) <= 32);
    assert_true(joblog_group(log, joblog_group_count(log) - 1)->mixed);
    joblog_free(log);
}

// An error anywhere in a line of 1 MB is found once, with its header, whatever stands around it.
static void very_long_lines(void **state)
{
    (void)state;
    static const char error[] =
        "2024-Jan-18 01:49:40.972386 7:7 ERROR NRT:nrt_init  Neuron cores are "
        "not contiguous";
    enum { LONG = 1 << 20 };
    char *line = malloc(LONG);
    for (size_t at = 0; at + sizeof(error) < LONG; at += 4001) {
        memset(line, at % 3 == 0 ? 'x' : at % 3 == 1 ? '-' : ' ', LONG);
        memcpy(line + at, error, sizeof(error) - 1);
        struct joblog *log = read_text(line, LONG, 65536);
        if (joblog_group_count(log) != 1 || joblog_group(log, 0)->count != 1)
            fail_msg("at byte %zu: %zu groups", at, joblog_group_count(log));
        assert_int_equal(joblog_group(log, 0)->pids[0], 7);
        assert_int_equal(joblog_group(log, 0)->first_line, 1);
        joblog_free(log);
    }
    free(line);
}

static void nul_bytes_and_binary(void **state)
{
    (void)state;
    static const char bytes[] = "\0\0\377\376Neuron cores are\0not contiguous\n"
                                "\0\0Neuron cores are not contiguous\0\200\201\n\0";
    struct joblog *log = read_text(bytes, sizeof(bytes) - 1, 7);
    assert_int_equal(joblog_group_count(log), 1);
    assert_int_equal(joblog_group(log, 0)->first_line, 2);
    assert_int_equal(joblog_input(log)->lines, 3);
    joblog_free(log);
}

// Progress bars end a line with a carriage return and go on.
static void carriage_returns(void **state)
{
    (void)state;
    struct joblog *log =
        read_string("10%|#   |\r20%|##  |\rNeuron cores are not contiguous\r\nx\r\n");
    assert_int_equal(joblog_group_count(log), 1);
    assert_int_equal(joblog_group(log, 0)->first_line, 1);
    assert_int_equal(joblog_input(log)->lines, 2);
    joblog_free(log);
}

static void hostile_values_are_clean(void **state)
{
    (void)state;
    struct joblog *log = read_string("Failed to load NN: /tmp/\001\002\xe2\x80\xae"
                                     "evil\x9b"
                                     "31m.neff, err: 4\n");
    const char *file = text(find(log, "load-failed", 0), CAPTURE_FILE);
    for (const char *c = file; *c != '\0'; c++)
        assert_true((unsigned char)*c >= ' ' && *c != 0x7f);
    assert_null(strstr(file, "\xe2\x80\xae"));
    joblog_free(log);
}

// A header of which a byte of the clock is damaged is no header.
static void damaged_headers(void **state)
{
    (void)state;
    struct joblog *log = read_string(
        "2021-Aug-11 19:18\03221.0661 24616:24616 ERROR NRT:x  Neuron cores are not contiguous\n"
        "2021-Xug-11 19:18:21.0661 24616:24616 ERROR NRT:x  Incompatible runtime state\n");
    const struct error_group *group = find(log, "cores-not-contiguous", 0);
    assert_string_equal(group->first_time, "");
    assert_int_equal(group->pid_count, 0);
    group = find(log, "runtime-forked", 0);
    assert_string_equal(group->first_time, ""); // no such month; the rest is good
    assert_int_equal(group->pids[0], 24616);
    joblog_free(log);
}

static void reset_forgets_everything(void **state)
{
    (void)state;
    struct joblog *log = read_string(OOM("1", "0") "* total: 1.0GB\nunfinished \033[");
    joblog_reset(log);
    joblog_feed(log, "* tensors: 1.0GB\nNeuron cores are not contiguous\n", 49);
    joblog_end(log);
    assert_int_equal(joblog_group_count(log), 1);
    assert_int_equal(find(log, "cores-not-contiguous", 0)->first_line, 2);
    assert_int_equal(joblog_job_count(log), 0);
    joblog_free(log);
}

static void nothing_at_all(void **state)
{
    (void)state;
    struct joblog *log = read_string("");
    assert_int_equal(joblog_group_count(log), 0);
    assert_int_equal(joblog_input(log)->lines, 0);
    joblog_free(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cores_not_available),
        cmocka_unit_test(compat_id),
        cmocka_unit_test(neff_features),
        cmocka_unit_test(nothing_there),
        cmocka_unit_test(memory_of_tensors),
        cmocka_unit_test(memory_mixed),
        cmocka_unit_test(kernel_lines),
        cmocka_unit_test(packages),
        cmocka_unit_test(another_modules_build_is_not_ours),
        cmocka_unit_test(a_good_start),
        cmocka_unit_test(timeouts),
        cmocka_unit_test(ordinary_output_is_left_alone),
        cmocka_unit_test(pieces_make_no_difference),
        cmocka_unit_test(what_loggers_do_makes_no_difference),
        cmocka_unit_test(two_records_in_one_line),
        cmocka_unit_test(text_right_behind_the_function),
        cmocka_unit_test(tables_that_interleave),
        cmocka_unit_test(a_table_that_does_not_add_up),
        cmocka_unit_test(workers_are_counted_together),
        cmocka_unit_test(many_kinds_end_in_one),
        cmocka_unit_test(very_long_lines),
        cmocka_unit_test(nul_bytes_and_binary),
        cmocka_unit_test(carriage_returns),
        cmocka_unit_test(hostile_values_are_clean),
        cmocka_unit_test(damaged_headers),
        cmocka_unit_test(reset_forgets_everything),
        cmocka_unit_test(nothing_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
