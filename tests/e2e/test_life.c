// SPDX-License-Identifier: Apache-2.0
// The screen while what it shows comes and goes: holders that end under the cursor, in their
// detail, in the signal menu and while they are tagged; all of them at once; thousands; chips that
// vanish and come back as others. Processes come from a neuron-monitor played by a script, chips
// from a driver's tree that is changed below the running program.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plain_run.h"
#include "term_host.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

enum { FIRST_PID = 900001, THOUSANDS = 3000 }; // none of these is ever signalled

struct stage {
    char folder[64], path[5000];
    const char *env[2];
};

static char *place(const struct stage *stage, const char *name)
{
    static char path[2][160];
    static unsigned turn;
    char *buffer = path[turn++ % 2];
    snprintf(buffer, sizeof path[0], "%s/%s", stage->folder, name);
    return buffer;
}

static void stage_open(struct stage *stage)
{
    *stage = (struct stage){.folder = "/tmp/neutop-life-XXXXXX"};
    assert_non_null(mkdtemp(stage->folder));
    FILE *file = fopen(place(stage, "neuron-monitor"), "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\ncd '%s' || exit\nwhile :; do cat report; sleep 0.2; done\n",
            stage->folder);
    fclose(file);
    assert_int_equal(chmod(place(stage, "neuron-monitor"), 0755), 0);
    snprintf(stage->path, sizeof stage->path, "PATH=%s:%s", stage->folder, getenv("PATH"));
    stage->env[0] = stage->path;
}

static void stage_close(const struct stage *stage)
{
    struct plain_result result = plain_run(NULL, ARGS("rm", "-rf", stage->folder));
    plain_free(&result);
}

// From now on PIDS are there, each on a core of CHIPS chips of CORES cores.
static void report(const struct stage *stage, const int *pids, int count, int chips, int cores)
{
    FILE *file = fopen(place(stage, "report.new"), "w");
    assert_non_null(file);
    fputs("{\"neuron_runtime_data\":[", file);
    for (int i = 0; i < count; i++)
        fprintf(file,
                "%s{\"pid\":%d,\"neuron_runtime_tag\":\"job%d\",\"error\":\"\",\"report\":{"
                "\"memory_used\":{\"period\":1,\"neuron_runtime_used_bytes\":{\"host\":0,"
                "\"neuron_device\":1048576,\"usage_breakdown\":{\"host\":{},"
                "\"neuroncore_memory_usage\":{\"%d\":{\"constants\":0,\"model_code\":0,"
                "\"model_shared_scratchpad\":0,\"runtime_memory\":0,\"tensors\":1048576}}}},"
                "\"error\":\"\"},\"neuroncore_counters\":{\"period\":1,\"neuroncores_in_use\":{"
                "\"%d\":{\"neuroncore_utilization\":50}},\"error\":\"\"}}}",
                i > 0 ? "," : "", pids[i], pids[i], pids[i] % (chips * cores),
                pids[i] % (chips * cores));
    fprintf(file,
            "],\"system_data\":{},\"instance_info\":{\"instance_type\":\"trn1.32xlarge\","
            "\"error\":\"\"},\"neuron_hardware_info\":{\"neuron_device_count\":%d,"
            "\"neuroncore_per_device_count\":%d,\"error\":\"\"}}\n",
            chips, cores);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(rename(place(stage, "report.new"), place(stage, "report")), 0);
}

// THREE: a bit for each of three processes that is there.
static void report_three(const struct stage *stage, unsigned three)
{
    int pids[3] = {0}, count = 0;
    for (int i = 0; i < 3; i++)
        if ((three & 1U << i) != 0)
            pids[count++] = FIRST_PID + i;
    report(stage, pids, count, 16, 2);
}

static struct term *watch(const struct stage *stage)
{
    const struct term_options options = {.rows = 40, .cols = 120, .env = stage->env};
    struct term *term = term_start(
        &options, ARGS(neutop_path(), "--no-config", "-d", "0.2", "-S", "monitor", "--ascii"));
    expect_text(term, "trn1.32xlarge");
    expect_text(term, "live");
    expect_text(term, "[1]:all");
    return term;
}

static void leave(struct term *term)
{
    term_send(term, KEY_F10);
    expect_exit(term, 0);
    term_free(term);
}

static void press(struct term *term, const char *keys)
{
    term_send(term, keys);
    term_wait_bytes(term, 1, 500);
    term_wait_quiet(term, 60, 300);
}

static void holders_end_under_the_cursor(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage);
    report_three(&stage, 7);
    struct term *term = watch(&stage);

    expect_text(term, ">900001");
    press(term, KEY_DOWN);
    expect_text(term, ">900002");
    report_three(&stage, 4);
    expect_text(term, ">900003"); // the cursor is on somebody who is there
    report_three(&stage, 7);
    expect_text(term, " 900002");
    expect_text(term, ">900003"); // and stays with it
    report_three(&stage, 3);
    expect_text(term, ">900002"); // the last one now
    leave(term);
    stage_close(&stage);
}

static void holders_end_in_their_detail(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage);
    report_three(&stage, 7);
    struct term *term = watch(&stage);

    press(term, KEY_DOWN);
    press(term, "l");
    expect_text(term, "Process 900002");
    press(term, KEY_END);
    report_three(&stage, 5);
    expect_text(term, "It is gone.");
    press(term, KEY_F9); // nobody to signal, and nobody else in its place
    expect_that(term, term_find(term, "SIGTERM") < 0);
    expect_that(term, term_find(term, "Signal to") < 0);
    press(term, KEY_ESC);
    report_three(&stage, 7);
    expect_text(term, "job900002");
    press(term, KEY_HOME);
    press(term, KEY_DOWN);
    press(term, "l");
    expect_text(term, "Process 900002");
    press(term, "q");
    expect_text(term, ">900002");
    leave(term);
    stage_close(&stage);
}

static void holders_end_while_tagged_and_in_a_tab(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage);
    report_three(&stage, 7);
    struct term *term = watch(&stage);

    press(term, " ");
    expect_text(term, "900001*");
    press(term, " ");
    expect_text(term, "900002*");
    report_three(&stage, 6);
    expect_gone(term, "900001*");
    expect_text(term, "900002*");
    report_three(&stage, 7);
    expect_text(term, " 900001 "); // the PID again, but nobody has tagged this one
    press(term, "U");
    expect_text(term, "[2]:job900001");
    press(term, "2"); // the tab of the first one
    expect_text(term, ">[2]:job900001<");
    report_three(&stage, 6);
    expect_text(term, "the process of this tab is gone");
    static const char *const keys[] = {"j", "l", " ", "x", "F", KEY_ENTER, "f"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        press(term, keys[i]);
    press(term, "1");
    expect_text(term, "900003");
    leave(term);
    stage_close(&stage);
}

// Somebody who has ended cannot be hit any more, nor can who got the cursor instead.
static void a_holder_ends_in_the_signal_menu(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage);
    pid_t victims[2];
    int pids[2];
    for (int i = 0; i < 2; i++) {
        victims[i] = fork();
        assert_true(victims[i] >= 0);
        if (victims[i] == 0) {
            alarm(90);
            for (;;)
                pause();
        }
        pids[i] = victims[i];
    }
    report(&stage, pids, 2, 16, 2);
    struct term *term = watch(&stage);
    char text[32];
    snprintf(text, sizeof text, "%d", pids[0]);

    expect_text(term, text);
    press(term, KEY_HOME);
    press(term, KEY_F9);
    expect_text(term, "Signal to");
    report(&stage, pids + 1, 1, 16, 2); // it is off the chips, but lives
    expect_gone(term, "[3]:");
    expect_text(term, "Signal to");
    expect_that(term, strstr(term_row(term, term_find(term, "Signal to")), text) != NULL);
    assert_int_equal(kill(victims[0], SIGKILL), 0);
    waitpid(victims[0], NULL, 0);
    expect_text(term, "nothing was sent");
    expect_that(term, term_find(term, "SIGTERM") < 0);
    press(term, KEY_ENTER);
    press(term, "y");
    press(term, KEY_ESC);
    press(term, KEY_ESC);
    assert_int_equal(waitpid(victims[1], NULL, WNOHANG), 0); // lives
    leave(term);
    kill(victims[1], SIGKILL);
    waitpid(victims[1], NULL, 0);
    stage_close(&stage);
}

// Every view and every key while nobody is there, and somebody again.
static void all_holders_vanish(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage);
    report_three(&stage, 7);
    struct term *term = watch(&stage);

    press(term, KEY_END);
    press(term, "F");
    report_three(&stage, 0);
    expect_gone(term, "900003");
    press(term, "F");
    expect_text(term, "no process uses the chips");
    static const char keys[] = "jklx UuPMTNI<>t+-adw.,ff cccc!q!mqoqyqeqgqnqiqVq";
    for (size_t i = 0; keys[i] != '\0'; i++)
        press(term, (const char[]){keys[i], '\0'});
    press(term, KEY_F9);
    press(term, KEY_ESC);
    press(term, "\t");
    for (int i = 0; i < 20; i++)
        press(term, KEY_DOWN);
    press(term, KEY_ENTER);
    press(term, "\t");
    report_three(&stage, 2);
    expect_text(term, "900002");
    leave(term);
    stage_close(&stage);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void thousands_appear(void **state)
{
    (void)state;
    struct stage stage;
    int pids[THOUSANDS];
    stage_open(&stage);
    report_three(&stage, 1);
    struct term *term = watch(&stage);

    expect_text(term, ">900001");
    for (int i = 0; i < THOUSANDS; i++)
        pids[i] = FIRST_PID + i;
    report(&stage, pids, THOUSANDS, 16, 2);
    expect_text(term, " more");
    expect_text(term, ">900001");
    press(term, "N");
    const double before = seconds();
    press(term, KEY_END);
    expect_text(term, ">903000");
    press(term, KEY_PGUP);
    expect_gone(term, ">903000");
    press(term, KEY_HOME);
    press(term, KEY_F4);
    press(term, "job902345");
    press(term, KEY_ENTER);
    expect_text(term, ">902345");
    expect_gone(term, " 902346");
    expect_that(term, seconds() - before < 20); // the keys were not lost behind the reports
    press(term, KEY_ESC);
    expect_text(term, " 902344");
    static const char *const views[] = {"m", "o", "y", "n", "!"};
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        press(term, views[i]);
        expect_text(term, "q: back");
        press(term, KEY_END);
        press(term, "q");
        expect_gone(term, "q: back");
    }
    report_three(&stage, 2);
    expect_text(term, ">900002");
    leave(term);
    stage_close(&stage);
}

// neuron-monitor tells of another machine than a moment ago.
static void the_hardware_changes(void **state)
{
    (void)state;
    static const int shapes[][2] = {{16, 2}, {4, 8}, {1, 1}, {64, 8}, {2, 2}, {16, 2}};
    struct stage stage;
    const int pid = FIRST_PID;
    stage_open(&stage);
    report(&stage, &pid, 1, 16, 2);
    struct term *term = watch(&stage);

    press(term, "\t");
    press(term, KEY_END);
    press(term, KEY_ENTER); // the last chip unfolded
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        char text[40];
        report(&stage, &pid, 1, shapes[i][0], shapes[i][1]);
        snprintf(text, sizeof text, "%d chip%s %d NC", shapes[i][0], shapes[i][0] == 1 ? "" : "s",
                 shapes[i][0] * shapes[i][1]);
        expect_text(term, text);
        press(term, KEY_END);
        press(term, KEY_UP);
        press(term, "g");
        press(term, "q");
    }
    leave(term);
    stage_close(&stage);
}

// A number that no core can have is not cut to one that it could.
static void absurd_numbers_are_not_cut(void **state)
{
    (void)state;
    struct stage stage;
    const int pid = FIRST_PID;
    stage_open(&stage);
    report(&stage, &pid, 1, 16, 2);
    struct plain_result result =
        plain_run(NULL, ARGS("sed", "-i", "s/_utilization\":50/_utilization\":1e12/",
                             place(&stage, "report")));
    plain_free(&result);
    const struct term_options options = {.rows = 30, .cols = 80};
    struct term *term =
        term_start(&options, ARGS(neutop_path(), "--no-config", "-i", place(&stage, "report")));

    expect_text(term, ">1k");
    expect_that(term, term_find(term, "10\u2026") < 0);
    leave(term);
    stage_close(&stage);
}

// Runs a shell command in the stage's folder.
static void run(const struct stage *stage, const char *command)
{
    char text[1024];
    snprintf(text, sizeof text, "cd %s && %s", stage->folder, command);
    assert_int_equal(system(text), 0);
}

#define DEVICES "sys/devices/virtual/neuron_device/"

static void chips_vanish_and_come_back(void **state)
{
    (void)state;
    struct stage stage;
    char command[512];
    stage_open(&stage);
    snprintf(command, sizeof command,
             "tar -xzf '%s' && chmod -R u+rwX . && test -d " DEVICES "neuron3",
             fixture("sysfs/trn2.48xlarge-drv2.30.2-busy-t1.tar.gz"));
    run(&stage, command);
    const struct term_options options = {.rows = 50, .cols = 140};
    struct term *term =
        term_start(&options, ARGS(neutop_path(), "--no-config", "-d", "0.2", "--root", stage.folder,
                                  "-S", "driver", "--ascii"));

    expect_text(term, "16 chips 128 physical cores");
    press(term, "\t");
    for (int i = 0; i < 3; i++)
        press(term, KEY_DOWN);
    expect_text(term, "CHIP 3 ");
    press(term, "l");
    expect_text(term, "Chip 3");
    run(&stage, "mv " DEVICES "neuron3 gone");
    expect_text(term, "It is gone.");
    press(term, "q");
    expect_text(term, "15 chips 120 physical cores");
    press(term, KEY_ENTER);
    run(&stage, "rm -r gone/neuron_core[2-7] && mv gone " DEVICES "neuron3");
    expect_text(term, "16 chips 122 physical cores");
    press(term, KEY_END);
    press(term, "g");
    press(term, "q");
    run(&stage, "mv " DEVICES "neuron3 gone && mkdir -p all && mv " DEVICES "neuron[0-9]* all");
    expect_text(term, "sysfs is lost");
    static const char keys[] = "jklx cc!qmqnqgqeq";
    for (size_t i = 0; keys[i] != '\0'; i++)
        press(term, (const char[]){keys[i], '\0'});
    run(&stage, "mv all/* " DEVICES);
    expect_text(term, "15 chips 120 physical cores");
    expect_gone(term, "sysfs is lost");
    leave(term);
    stage_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holders_end_under_the_cursor),
        cmocka_unit_test(holders_end_in_their_detail),
        cmocka_unit_test(holders_end_while_tagged_and_in_a_tab),
        cmocka_unit_test(a_holder_ends_in_the_signal_menu),
        cmocka_unit_test(all_holders_vanish),
        cmocka_unit_test(thousands_appear),
        cmocka_unit_test(the_hardware_changes),
        cmocka_unit_test(absurd_numbers_are_not_cut),
        cmocka_unit_test(chips_vanish_and_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
