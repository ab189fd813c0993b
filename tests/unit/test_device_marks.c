// SPDX-License-Identifier: Apache-2.0
// Core marks against a stand-in driver: asked only on request, only of drivers where the form of
// the question was seen, only in the form that cannot reserve; and should a driver ever grant it,
// everything is given back (driver reference 11.5).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "host/free_cores.h"
#include "source/device_abi.h"
#include "source/source.h"
#include "under_shim.h"

static struct source_options options;
static struct source source;

// Nodes of the test are new, so they settle for a second before they are asked.
static void ask(bool marks)
{
    struct trouble trouble;
    options = (struct source_options){.root = "", .delay_seconds = 1, .ask_marks = marks};
    source = (struct source){.ops = &source_device, .options = &options};
    setenv("NEUTOP_SHIM_ALLOW", marks ? "ask" : "", 1);
    assert_true(source_device.open(&source, &trouble));
    for (double now = 100; now < 110; now += 1) {
        source_device.work(&source, now);
        poll(NULL, 0, 0);
    }
}

static struct host *filled(void)
{
    struct host *host = host_new();
    source_device.fill(&source, host, 1000);
    return host;
}

static bool detail_says(const char *words)
{
    struct source_status status = {.name = "device"};
    source_device.status(&source, 1000, &status);
    return status.detail != NULL && strstr(status.detail, words) != NULL;
}

static void finish(void)
{
    source_device.close(&source);
    if (shim_log()[0] != '\0')
        fail_msg("%s", shim_log());
}

static void start(const char *type, const char *version, unsigned count)
{
    shim_put("/done", NULL);
    shim_host(type, version, count);
}

static unsigned marks_asked(void)
{
    return shim_times(shim_done(), "CRWL_NC_RANGE_MARK_EXT0 ");
}

static void test_not_asked_unless_wanted(void **state)
{
    (void)state;
    start("trn2.48xlarge\n", "2.24.7.0\n", 16);
    ask(false);
    assert_null(strstr(shim_done(), "CRWL"));
    assert_false(detail_says("marks"));
    struct host *host = filled();
    assert_int_equal(host->chips[0].marks_asked, 0);
    host_free(host);
    finish();
}

static void test_each_core_once(void **state)
{
    (void)state;
    start("trn2.48xlarge\n", "2.24.7.0\n", 16);
    setenv("NEUTOP_SHIM_CLAIMS", "nd0=XXXXXXXX nd1=X....... nd2=....X... nd15=.......X", 1);
    ask(true);
    assert_int_equal(marks_asked(), 128);
    assert_null(strstr(shim_done(), "UNMARK"));
    assert_true(detail_says("core marks of 16"));
    struct host *host = filled();
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(host->chips[i].marks_asked, 0xff);
    assert_int_equal(host->chips[0].marks_held, 0xff);
    assert_int_equal(host->chips[1].marks_held, 0x01);
    assert_int_equal(host->chips[2].marks_held, 0x10);
    assert_int_equal(host->chips[15].marks_held, 0x80);
    // and what follows: exact, though nobody knows the holders
    host->hardware.lnc = fact_u64(2, FROM_TABLE);
    struct free_cores cores = free_cores_of(host, 0);
    assert_int_equal(free_cores_count(&cores, FREE_HELD), 4 + 1 + 1 + 1);
    assert_int_equal(free_cores_count(&cores, FREE_UNKNOWN), 0);
    assert_int_equal(cores.cores[10].state, FREE_HELD);
    assert_true(cores.cores[10].unseen);
    host_free(host);
    finish();
}

// Answers that take long are taken in several goes; until the last one the reader is not done.
static void test_all_are_waited_for(void **state)
{
    (void)state;
    struct trouble trouble;
    struct source_status status = {.name = "device"};
    start("trn2.48xlarge\n", "2.24.7.0\n", 4);
    setenv("NEUTOP_SHIM_ALLOW", "ask", 1);
    setenv("NEUTOP_SHIM_FAULTS", "CRWL_NC_RANGE_MARK_EXT0=slow:5", 1);
    options = (struct source_options){.root = "", .delay_seconds = 1, .ask_marks = true};
    source = (struct source){.ops = &source_device, .options = &options};
    assert_true(source_device.open(&source, &trouble));
    source_device.work(&source, 100);
    for (unsigned i = 1; i <= 4; i++) {
        source_device.work(&source, 101 + i);
        source_device.status(&source, 1000, &status);
        assert_int_equal(marks_asked(), 8 * i);
        assert_int_equal(status.state, i < 4 ? SOURCE_STARTING : SOURCE_LIVE);
    }
    finish();
}

static void test_two_cores_a_chip(void **state)
{
    (void)state;
    setenv("NEUTOP_SHIM_CHIP", "v2", 1);
    setenv("NEUTOP_SHIM_CLAIMS", "nd0=.X nd1=X.", 1);
    start("trn1.32xlarge\n", "2.24.7.0\n", 16);
    ask(true);
    assert_int_equal(marks_asked(), 32);
    struct host *host = filled();
    assert_int_equal(host->chips[0].marks_asked, 3);
    assert_int_equal(host->chips[0].marks_held, 2);
    assert_int_equal(host->chips[1].marks_held, 1);
    host_free(host);
    finish();
}

// Of other drivers the form of the question is not known.
static void test_only_of_known_drivers(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        bool asked;
    } drivers[] = {{"2.18.20.0\n", false}, {"2.19.64.0\n", false}, {"2.20.28.0\n", true},
                   {"2.24.7.0\n", true},   {"2.30.2.0\n", true},   {"2.31.7.0\n", false},
                   {"2.32.0.0\n", false},  {"3.0.0.0\n", false},   {"unknown\n", false}};
    for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
        start("trn2.3xlarge\n", drivers[i].version, 1);
        ask(true);
        assert_int_equal(marks_asked(), drivers[i].asked ? 8 : 0);
        assert_true(detail_says(drivers[i].asked ? "core marks of 1" : "core marks not asked"));
        finish();
    }
}

static void test_not_on_an_ultraserver(void **state)
{
    (void)state;
    start("trn2u.48xlarge\n", "2.24.7.0\n", 16);
    ask(true);
    assert_string_equal(shim_done(), "");
    finish();
    setenv("NEUTOP_SHIM_POD", "1", 1); // its name does not tell, but the driver
    start("trn2.48xlarge\n", "2.24.7.0\n", 16);
    ask(true);
    assert_int_equal(marks_asked(), 0);
    finish();
    unsetenv("NEUTOP_SHIM_POD");
    setenv("NEUTOP_SHIM_FAULTS", "DEVICE_BASIC_INFO=errno:22", 1); // then its cores are unknown
    start("trn2.48xlarge\n", "2.24.7.0\n", 16);
    ask(true);
    assert_int_equal(marks_asked(), 0);
    finish();
}

// What is no answer is no state: the cores stay unknown, and the rest of the chip is not asked.
static void test_answers_that_are_none(void **state)
{
    (void)state;
    static const char *const ways[] = {"errno:22", "errno:524", "errno:14", "free:2",
                                       "free:4294967295"};
    static const char *const words[] = {"Invalid argument", "Unknown error 524", "Bad address",
                                        "2 of 1 free is no answer", "is no answer"};
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        char faults[80];
        snprintf(faults, sizeof(faults), "CRWL_NC_RANGE_MARK_EXT0@1=%s", ways[i]);
        setenv("NEUTOP_SHIM_FAULTS", faults, 1);
        start("trn2.48xlarge\n", "2.24.7.0\n", 3);
        ask(true);
        assert_int_equal(marks_asked(), 8 + 1 + 8);
        assert_null(strstr(shim_done(), "UNMARK"));
        assert_true(detail_says(words[i]));
        struct host *host = filled();
        assert_int_equal(host->chips[0].marks_asked, 0xff);
        assert_int_equal(host->chips[1].marks_asked, 0);
        assert_int_equal(host->chips[2].marks_asked, 0xff);
        host_free(host);
        finish();
    }
}

// The driver grants it all the same: given back at once, and no core of any device is asked again.
static void test_a_mark_that_should_not_be(void **state)
{
    (void)state;
    static const char *const ways[] = {"mark:0", "mark:80"}; // 80: it could not write its answer
    for (size_t i = 0; i < 2; i++) {
        char faults[80];
        snprintf(faults, sizeof(faults), "CRWL_NC_RANGE_MARK_EXT0@1=%s", ways[i]);
        setenv("NEUTOP_SHIM_FAULTS", faults, 1);
        start("trn2.48xlarge\n", "2.24.7.0\n", 3);
        ask(true);
        assert_int_equal(marks_asked(), 8 + 1);
        assert_int_equal(shim_times(shim_done(), "CRWL_NC_RANGE_UNMARK_EXT0 1 0"), 1);
        assert_true(detail_says("given back"));
        const char *mark = strstr(shim_done(), "CRWL_NC_RANGE_MARK_EXT0 1 ");
        assert_non_null(mark);
        assert_ptr_equal(strchr(mark, '\n') + 1, strstr(mark, "CRWL_NC_RANGE_UNMARK")); // next
        struct host *host = filled();
        assert_int_equal(host->chips[0].marks_asked, 0xff);
        assert_int_equal(host->chips[1].marks_asked, 0);
        assert_int_equal(host->chips[2].marks_asked, 0);
        host_free(host);
        finish();
    }
}

static void quiet_call(unsigned long number, struct device_core_marks *call)
{
    int fd = open("/dev/neuron0", O_WRONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    ioctl(fd, number, call);
    close(fd);
}

// The proof itself can fail: what the stand-in says of a reader that does it wrong.
static void test_wrong_use_is_seen(void **state)
{
    (void)state;
    start("trn2.3xlarge\n", "2.24.7.0\n", 1);
    setenv("NEUTOP_SHIM_ALLOW", "ask", 1);
    setenv("NEUTOP_SHIM_FAULTS", "CRWL_NC_RANGE_MARK_EXT0=mark:0", 1);
    struct device_core_marks call = {.wanted = 2, .first = 3, .last = 3};
    quiet_call(DEVICE_MARK_CORES, &call); // and closes without giving back
    assert_non_null(strstr(shim_log(), "device 0 closed with cores marked: 0x08"));
    shim_put("/violations", NULL);
    quiet_call(DEVICE_UNMARK_CORES, &call);
    assert_non_null(strstr(shim_log(), "that was not marked"));
    shim_put("/violations", NULL);
    static const struct device_core_marks bad[] = {{.wanted = 1, .first = 3, .last = 3},
                                                   {.wanted = 2, .first = 3, .last = 4},
                                                   {.wanted = 0, .first = 0, .last = 0},
                                                   {.wanted = 2, .first = 8, .last = 8},
                                                   {.wanted = 2, .cores = {1}}};
    unsetenv("NEUTOP_SHIM_FAULTS");
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        call = bad[i];
        quiet_call(DEVICE_MARK_CORES, &call);
        assert_non_null(strstr(shim_log(), "core mark of device 0"));
        shim_put("/violations", NULL);
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    under_shim(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_not_asked_unless_wanted, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_each_core_once, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_all_are_waited_for, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_two_cores_a_chip, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_only_of_known_drivers, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_not_on_an_ultraserver, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_answers_that_are_none, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_a_mark_that_should_not_be, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_wrong_use_is_seen, shim_setup, shim_teardown),
    };
    return cmocka_run_group_tests_name("core marks", tests, NULL, NULL);
}
