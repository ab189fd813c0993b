// SPDX-License-Identifier: Apache-2.0
// The stand-in driver itself: it answers as the running driver was recorded to, byte for byte, and
// sees everything that a monitor must not do.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "under_shim.h"

enum { LINE = 512, ANSWER = 2048 };

// One recorded call: what was asked, what came back.
struct record {
    char name[64];
    unsigned long number;
    int result, error;
};

struct replay {
    FILE *file;
    char line[LINE];
    int fd;             // the quiet handle of the section, -1: another section
    unsigned per_chip;  // cores
    unsigned bdf_index; // the recording asked for 0, 1, 2
    unsigned calls;     // replayed
    uint8_t argument[ANSWER], map[ANSWER];
};

static bool parse_call(const char *line, struct record *record)
{
    const char *at = strstr(line, " cmd=0x"), *result = strstr(line, "-> ret=");
    if (at == NULL || result == NULL || sscanf(line, " %63[A-Z0-9_]", record->name) != 1)
        return false;
    record->number = strtoul(at + strlen(" cmd="), NULL, 16);
    record->error = 0;
    assert_true(sscanf(result, "-> ret=%d errno=%d", &record->result, &record->error) >= 1);
    return true;
}

static void put32(uint8_t *at, uint32_t value)
{
    memcpy(at, &value, sizeof(value));
}

// What the recording program passed, by the name of the call and the words behind it.
static void prepare(struct replay *replay, const struct record *record)
{
    uint8_t *argument = replay->argument;
    uint64_t address = (uint64_t)(uintptr_t)replay->map;
    memset(argument, 0, ANSWER);
    if (strcmp(record->name, "DEVICE_BDF_EXT") == 0)
        put32(argument, strstr(replay->line, "nd_index=40") != NULL ? 40 : replay->bdf_index++);
    if (strcmp(record->name, "POD_INFO") == 0)
        put32(argument, 260);
    if (strcmp(record->name, "POD_STATUS_V2") == 0)
        put32(argument, 276);
    if (strcmp(record->name, "GET_LOGICAL_TO_PHYSICAL_NC_MAP") == 0) {
        memcpy(argument, &address, sizeof(address));
        put32(argument + 8, 128);
    }
    if (strcmp(record->name, "NC_PID_STATE_DUMP") == 0) {
        put32(argument, 16);
        put32(argument + 4, strstr(replay->line, "unowned") == NULL ? 1 : 15 * replay->per_chip);
        put32(argument + 8, 1);
        put32(argument + 12, 1);
    }
}

// "      0010  ab ac ...  |....|" is what the argument held afterwards.
static void compare_bytes(const struct replay *replay, const char *name)
{
    unsigned offset, byte;
    int used;
    assert_int_equal(sscanf(replay->line, " %x%n", &offset, &used), 1);
    for (const char *at = replay->line + used; sscanf(at, " %2x%n", &byte, &used) == 1;
         at += used) {
        bool pointer = strcmp(name, "GET_LOGICAL_TO_PHYSICAL_NC_MAP") == 0 && offset < 8;
        if (!pointer)
            assert_int_equal(replay->argument[offset], byte);
        offset++;
    }
}

static bool is_bytes(const char *line)
{
    return strncmp(line, "      0", 7) == 0 && strchr(line, '|') != NULL;
}

static uint32_t get32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof(value));
    return value;
}

// "      = ..." is what the recording program made of it.
static void compare_words(const struct replay *replay, const char *name)
{
    const uint8_t *argument = replay->argument;
    char text[LINE] = "";
    if (strcmp(name, "DEVICE_BDF_EXT") == 0)
        snprintf(text, sizeof(text), "      = nd_index %u -> %04x:%02x:%02x.%u\n", get32(argument),
                 get32(argument + 4), get32(argument + 8), argument[12], argument[13]);
    else if (strcmp(name, "POD_INFO") == 0)
        snprintf(text, sizeof(text), "      = pod_type %u pod_sz %u (struct size 260)\n",
                 argument[2], argument[259]);
    else if (strcmp(name, "POD_STATUS_V2") == 0)
        snprintf(
            text, sizeof(text),
            "      = state %u type %u sz %u node %d mode %u supported 0x%x (struct size 276)\n",
            get32(argument + 260), argument[264], argument[265], (int8_t)argument[266],
            get32(argument + 268), get32(argument + 272));
    else if (strcmp(name, "GET_LOGICAL_TO_PHYSICAL_NC_MAP") == 0) {
        int length = snprintf(text, sizeof(text), "      = num_entries %u:", get32(replay->map));
        for (size_t i = 0; i < 16; i++)
            length += snprintf(text + length, sizeof(text) - (size_t)length, " %u:%u",
                               get32(replay->map + 4 + 8 * i), get32(replay->map + 8 + 8 * i));
        snprintf(text + length, sizeof(text) - (size_t)length, " ...\n");
    }
    if (text[0] != '\0')
        assert_string_equal(replay->line, text);
}

static void replay_call(struct replay *replay, const struct record *record)
{
    prepare(replay, record);
    errno = 0;
    int result = ioctl(replay->fd, record->number, replay->argument);
    assert_int_equal(result, record->result);
    assert_int_equal(result < 0 ? errno : 0, record->error);
    replay->calls++;
    long behind = ftell(replay->file);
    while (fgets(replay->line, LINE, replay->file) != NULL &&
           strncmp(replay->line, "      ", 6) == 0) {
        if (is_bytes(replay->line))
            compare_bytes(replay, record->name);
        else
            compare_words(replay, record->name);
        behind = ftell(replay->file);
    }
    fseek(replay->file, behind, SEEK_SET);
}

// The line of claimed cores, asked for with a mark that cannot succeed.
static void replay_claims(struct replay *replay)
{
    char text[LINE] = "     ", *recorded = fgets(replay->line, LINE, replay->file);
    assert_non_null(recorded);
    setenv("NEUTOP_SHIM_CLAIMS", recorded, 1);
    for (unsigned core = 0; core < 16 * replay->per_chip; core++) {
        uint8_t argument[80] = {0};
        size_t length = strlen(text);
        put32(argument, 2);
        put32(argument + 4, core);
        put32(argument + 8, core);
        assert_int_equal(ioctl(replay->fd, 0xc0504e55UL, argument), -1);
        assert_int_equal(errno, EBUSY);
        if (core % replay->per_chip == 0)
            length += (size_t)snprintf(text + length, sizeof(text) - length,
                                       " nd%u=", core / replay->per_chip);
        snprintf(text + length, sizeof(text) - length, "%c", get32(argument + 12) ? '.' : 'X');
    }
    if (strncmp(recorded, text, strlen(text)) != 0)
        fail_msg("claims: %s instead of %s", text, recorded);
}

// A section is "[1] open(/dev/neuron15, O_WRONLY) ...", then how that went.
static void start_section(struct replay *replay)
{
    char path[64], flags[32];
    if (replay->fd >= 0)
        close(replay->fd);
    replay->fd = -1;
    replay->bdf_index = 0;
    if (sscanf(replay->line, "[%*d] open(%63[^,], %31[A-Z_])", path, flags) != 2 ||
        strcmp(flags, "O_WRONLY") != 0)
        return;
    assert_non_null(fgets(replay->line, LINE, replay->file));
    bool denied = strstr(replay->line, "Permission denied") != NULL;
    setenv("NEUTOP_SHIM_FAULTS", denied ? "open=errno:13" : "", 1);
    errno = 0;
    replay->fd = open(path, O_WRONLY | O_CLOEXEC);
    assert_int_equal(errno, denied ? EACCES : 0);
    assert_int_equal(replay->fd < 0, denied);
}

static void replay_line(struct replay *replay)
{
    struct record record;
    if (strncmp(replay->line, "================================ v3", 35) == 0 ||
        strncmp(replay->line, "================================ v2", 35) == 0) {
        bool v3 = replay->line[34] == '3';
        setenv("NEUTOP_SHIM_CHIP", v3 ? "v3" : "v2", 1);
        replay->per_chip = v3 ? 8 : 2;
    } else if (replay->line[0] == '[' || strncmp(replay->line, "########", 8) == 0) {
        start_section(replay);
    } else if (replay->fd >= 0 && strstr(replay->line, "CRWL_NC_RANGE_MARK_EXT0 as a") != NULL) {
        replay_claims(replay);
    } else if (replay->fd >= 0 && parse_call(replay->line, &record)) {
        replay_call(replay, &record);
    }
}

static void test_answers_as_recorded(void **state)
{
    (void)state;
    char path[PATH_MAX];
    struct replay replay = {.fd = -1, .per_chip = 8};
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 16);
    setenv("NEUTOP_SHIM_ALLOW", "ask", 1);
    snprintf(path, sizeof(path), "%s/driver/running-driver-2.24.7-ioctls.txt",
             getenv("NEUTOP_FIXTURES"));
    replay.file = fopen(path, "re");
    assert_non_null(replay.file);
    while (fgets(replay.line, LINE, replay.file) != NULL)
        replay_line(&replay);
    fclose(replay.file);
    // three quiet handles on each chip: 13 calls that are answered, 6 that are none there
    assert_int_equal(replay.calls, 2 * 3 * (13 + 6));
    assert_int_equal(shim_times(shim_log(), "which a handle opened O_WRONLY does not have"), 36);
    assert_int_equal(shim_times(shim_log(), "NC_PID_STATE_DUMP"), 12);
}

static void test_nodes_look_like_devices(void **state)
{
    (void)state;
    struct stat info;
    struct statx extended;
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 4);
    assert_int_equal(stat("/dev/neuron3", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    assert_int_equal(major(info.st_rdev), 246);
    assert_int_equal(minor(info.st_rdev), 3);
    assert_int_equal(info.st_mode & 07777, 0666);
    assert_int_equal(statx(AT_FDCWD, "/dev/neuron3", 0, STATX_BASIC_STATS, &extended), 0);
    assert_true(S_ISCHR(extended.stx_mode));
    assert_int_equal(extended.stx_rdev_minor, 3);
    int fd = open("/dev/neuron3", O_WRONLY | O_CLOEXEC);
    assert_int_equal(fstat(fd, &info), 0);
    assert_int_equal(minor(info.st_rdev), 3);
    close(fd);
    assert_int_equal(stat("/dev/null", &info), 0); // the real one
    assert_int_equal(major(info.st_rdev), 1);
    assert_string_equal(shim_log(), "");
}

static int open_quiet(void)
{
    int fd = open("/dev/neuron0", O_WRONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

static void assert_seen(const char *words)
{
    if (strstr(shim_log(), words) == NULL)
        fail_msg("not seen: %s; but: %s", words, shim_log());
    shim_put("/violations", NULL);
}

static void test_attaching_is_seen(void **state)
{
    (void)state;
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 1);
    close(open("/dev/neuron0", O_RDONLY | O_CLOEXEC));
    assert_seen("device 0 opened O_RDONLY");
    close(open("/dev/neuron0", O_RDWR | O_CLOEXEC));
    assert_seen("device 0 opened O_RDWR");
    int dir = open("/dev", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    close(openat(dir, "neuron0", O_RDWR | O_CLOEXEC));
    close(dir);
    assert_seen("device 0 opened O_RDWR");
    FILE *file = fopen("/dev/neuron0", "re");
    assert_seen("device 0 opened O_RDONLY");
    fclose(file);
    close(open("/dev/neuron0", O_WRONLY));
    assert_seen("without O_CLOEXEC");
    setenv("NEUTOP_SHIM_FAULTS", "attach=errno:16", 1); // 16 of 16 slots taken
    assert_int_equal(open("/dev/neuron0", O_RDWR | O_CLOEXEC), -1);
    assert_int_equal(errno, EBUSY);
    shim_put("/violations", NULL);
    close(open_quiet());
    assert_string_equal(shim_log(), "");
}

static void test_forbidden_calls_are_seen(void **state)
{
    (void)state;
    static const unsigned long calls[] = {0x80084e07, 0x80044e06, 0x00004e01, 0x80084e67,
                                          0x40104e71, 0xc0104e7b, 0xc0144e7b, 0x4e5b,
                                          0x40084e55, 0xc0104e75, 0x80084e47, 0x80084e04,
                                          0x80014e6a, 0xc0504e55, 0x40504e56, 0x40084e56};
    uint8_t argument[ANSWER] = {0};
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 16);
    int fd = open_quiet();
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        ioctl(fd, calls[i], argument);
        assert_seen("on device 0");
    }
    put32(argument, 1);
    assert_int_equal(ioctl(fd, 0x80084e6aUL, argument), 0);
    assert_seen("DEVICE_BDF_EXT of device 0 with index 1");
    // a mark that could succeed stays forbidden even where the question is allowed
    setenv("NEUTOP_SHIM_ALLOW", "ask", 1);
    put32(argument, 1);
    assert_int_equal(ioctl(fd, 0xc0504e55UL, argument), -1);
    assert_seen("core mark of device 0 that could succeed");
    // the size is part of the number
    assert_int_equal(ioctl(fd, 0x80104e6eUL, argument), -1);
    assert_int_equal(errno, EINVAL);
    assert_seen("call 0x80104e6e");
    close(fd);
}

static void test_an_index_that_stops_the_kernel(void **state)
{
    (void)state;
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 16);
    pid_t child = fork();
    if (child == 0) {
        uint8_t argument[16] = {64};
        signal(SIGABRT, SIG_DFL);
        ioctl(open_quiet(), 0x80084e6aUL, argument);
        _exit(0);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
    assert_seen("kernel BUG");
}

static void test_handles_left_open_are_seen(void **state)
{
    (void)state;
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 1);
    int fd = open_quiet();
    poll(NULL, 0, 0);
    assert_seen("device 0 is open at poll");
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    assert_seen("device 0 is open at fork");
    int copy = dup(fd);
    assert_seen("copied by dup");
    close(copy);
    copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    assert_seen("copied by fcntl");
    close(copy);
    close(fd);
    poll(NULL, 0, 0);
    assert_string_equal(shim_log(), "");
}

static void test_writing_below_sys_is_seen(void **state)
{
    (void)state;
    shim_host("trn2.48xlarge\n", "2.24.7.0\n", 1);
    shim_put("/sys/devices/virtual/neuron_device/neuron0/reset", "1");
    int dir =
        open("/sys/devices/virtual/neuron_device/neuron0", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(dir >= 0);
    assert_int_equal(openat(dir, "reset", O_WRONLY | O_CLOEXEC), -1);
    assert_seen("below /sys");
    close(dir);
    assert_int_equal(open("/sys/module/neuron/version", O_RDWR | O_CLOEXEC), -1);
    assert_seen("below /sys");
    int fd = open("/sys/module/neuron/version", O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    close(fd);
    assert_string_equal(shim_log(), "");
}

int main(int argc, char **argv)
{
    (void)argc;
    under_shim(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_answers_as_recorded, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_nodes_look_like_devices, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_attaching_is_seen, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_forbidden_calls_are_seen, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_an_index_that_stops_the_kernel, shim_setup,
                                        shim_teardown),
        cmocka_unit_test_setup_teardown(test_handles_left_open_are_seen, shim_setup, shim_teardown),
        cmocka_unit_test_setup_teardown(test_writing_below_sys_is_seen, shim_setup, shim_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
