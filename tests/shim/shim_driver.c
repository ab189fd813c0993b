// SPDX-License-Identifier: Apache-2.0
// The calls of the driver: numbers and structures of driver reference 3.1, 4, 5.1 and 11, written
// down here a second time on purpose, so that a slip in neutop's own table is seen.
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <fcntl.h>
#include <sys/syscall.h>

#include "shim.h"

void shim_write(const char *name, const char *format, ...)
{
    const char *path = getenv(name);
    char line[512];
    int saved = errno;
    va_list args;
    if (path == NULL)
        return;
    va_start(args, format);
    int length = vsnprintf(line, sizeof(line) - 1, format, args);
    va_end(args);
    length = length > (int)sizeof(line) - 2 ? (int)sizeof(line) - 2 : length;
    line[length++] = '\n';
    // system calls of its own: the hooks must not see these
    long fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd >= 0) {
        syscall(SYS_write, fd, line, (size_t)length);
        syscall(SYS_close, fd);
    }
    errno = saved;
}

bool shim_allows(const char *what)
{
    const char *allowed = getenv("NEUTOP_SHIM_ALLOW");
    return allowed != NULL && strstr(allowed, what) != NULL;
}

static long number_of(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? strtol(text, NULL, 0) : otherwise;
}

// How core marks go wrong, from "mark:R" and "free:N"; -1: they do not.
static long mark_result = -1, mark_free = -1;

static bool apply_fault(const char *how, int *result)
{
    long number = strtol(strchr(how, ':') + 1, NULL, 0);
    if (strncmp(how, "mark:", 5) == 0 || strncmp(how, "free:", 5) == 0) {
        *(how[0] == 'm' ? &mark_result : &mark_free) = number;
        return false;
    }
    if (strncmp(how, "slow:", 5) == 0) {
        struct timespec wait = {.tv_sec = number / 1000, .tv_nsec = number % 1000 * 1000000};
        syscall(SYS_nanosleep, &wait, NULL);
        return false;
    }
    bool is_errno = strncmp(how, "errno:", 6) == 0;
    *result = is_errno ? -1 : (int)number;
    errno = is_errno ? (int)number : errno;
    return true;
}

bool shim_fault(const char *call, int minor, int *result)
{
    const char *faults = getenv("NEUTOP_SHIM_FAULTS");
    char all[1024], *rest = all, name[64], how[64];
    mark_result = mark_free = -1;
    if (faults == NULL)
        return false;
    snprintf(all, sizeof(all), "%s", faults);
    for (char *fault; (fault = strsep(&rest, ";")) != NULL;) {
        int only = -1;
        bool fits = sscanf(fault, "%63[^@=]@%d=%63s", name, &only, how) == 3;
        if (!fits) {
            only = -1;
            fits = sscanf(fault, "%63[^@=]=%63s", name, how) == 2;
        }
        if (!fits)
            continue;
        if (strcmp(name, call) == 0 && (only < 0 || only == minor) && strchr(how, ':') != NULL)
            return apply_fault(how, result);
    }
    return false;
}

static bool is_v3(void)
{
    const char *chip = getenv("NEUTOP_SHIM_CHIP");
    return chip == NULL || strcmp(chip, "v3") == 0;
}

static unsigned devices(void)
{
    return (unsigned)number_of("NEUTOP_SHIM_DEVICES", 16);
}

static unsigned routing_id(unsigned minor)
{
    static const uint8_t v3[16] = {0, 8, 9, 1, 2, 10, 11, 3, 6, 14, 15, 7, 4, 12, 13, 5};
    static const uint8_t v2[16] = {0, 2, 6, 4, 1, 3, 7, 5, 9, 11, 15, 13, 8, 10, 14, 12};
    return minor / 16 * 16 + (is_v3() ? v3[minor % 16] : v2[minor % 16]);
}

static int fail(int number)
{
    errno = number;
    return -1;
}

static void put32(uint8_t *at, uint32_t value)
{
    memcpy(at, &value, sizeof(value));
}

static uint32_t get32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof(value));
    return value;
}

static int compatible_version(int minor, uint8_t *argument)
{
    (void)minor;
    put32(argument, is_v3() ? 11 : 7);
    put32(argument + 4, is_v3() ? 10 : 5);
    return 0;
}

static int basic_info(int minor, uint8_t *argument)
{
    (void)minor;
    put32(argument, is_v3() ? 3 : 2);
    put32(argument + 4, 0);
    return 0;
}

static int driver_info(int minor, uint8_t *argument)
{
    basic_info(minor, argument);
    put32(argument + 8, 0);
    put32(argument + 12, 24);
    put32(argument + 16, 0xff);
    put32(argument + 20, 0);
    return 0;
}

static int bdf_ext(int minor, uint8_t *argument)
{
    unsigned asked = (uint8_t)(get32(argument) + (unsigned)minor);
    if (get32(argument) != 0)
        shim_violation("DEVICE_BDF_EXT of device %d with index %u", minor, get32(argument));
    if (asked >= 64) {
        shim_violation("kernel BUG: DEVICE_BDF_EXT beyond device 63");
        abort();
    }
    if (asked >= devices())
        return fail(EINVAL);
    put32(argument + 4, 0);
    put32(argument + 8, asked / 16); // the recorded hosts have one bus
    argument[12] = (uint8_t)(4 + routing_id(asked) % 16);
    argument[13] = 0;
    return 0;
}

static int routing_ids(int minor, uint8_t *argument)
{
    (void)minor;
    memset(argument, 0, 260);
    put32(argument, devices());
    for (unsigned i = 0; i < devices() && i < 64; i++)
        put32(argument + 4 + 4 * (size_t)i, routing_id(i));
    return 0;
}

// Driver reference 5.4: two rows of chips, even and odd ones alternate.
static unsigned physical_core(unsigned chip, unsigned linear)
{
    static const uint8_t rows[4][8] = {{4, 5, 6, 7, 2, 3, 0, 1},
                                       {2, 3, 0, 1, 4, 5, 6, 7},
                                       {0, 1, 2, 3, 6, 7, 4, 5},
                                       {6, 7, 4, 5, 0, 1, 2, 3}};
    return rows[chip / 4 % 2 * 2 + chip % 2][linear];
}

static int core_map(int minor, uint8_t *argument)
{
    uint64_t address;
    uint32_t room = get32(argument + 8);
    (void)minor;
    if (!is_v3())
        return fail(524);
    if (room > 128 || get32(argument + 12) != 0)
        return fail(EINVAL);
    memcpy(&address, argument, sizeof(address));
    uint8_t *map = (uint8_t *)(uintptr_t)address;
    put32(map, room);
    for (unsigned i = 0; i < room; i++) {
        put32(map + 4 + 8 * (size_t)i, i / 8);
        put32(map + 8 + 8 * (size_t)i, physical_core(i / 8, i % 8));
    }
    return 0;
}

static int pod_info(int minor, uint8_t *argument)
{
    (void)minor;
    if (argument[0] + 256 * argument[1] != 260)
        return fail(EINVAL);
    memset(argument + 2, 0, 258);
    argument[2] = (uint8_t)number_of("NEUTOP_SHIM_POD", 0);
    return 0;
}

static int pod_status_of(uint8_t *argument, size_t size)
{
    if (argument[0] + 256U * argument[1] != size)
        return fail(EINVAL);
    memset(argument + 2, 0, size - 2);
    put32(argument + 260, 4);
    argument[264] = (uint8_t)number_of("NEUTOP_SHIM_POD", 0);
    argument[266] = 0xff;
    return 0;
}

static int pod_status(int minor, uint8_t *argument)
{
    (void)minor;
    return pod_status_of(argument, 268);
}

static int pod_status_v2(int minor, uint8_t *argument)
{
    (void)minor;
    return pod_status_of(argument, 276);
}

static bool is_claimed(unsigned device, unsigned core)
{
    const char *claims = getenv("NEUTOP_SHIM_CLAIMS");
    char name[16];
    snprintf(name, sizeof(name), "nd%u=", device);
    const char *at = claims != NULL ? strstr(claims, name) : NULL;
    return at != NULL && strlen(at) > strlen(name) + core && at[strlen(name) + core] == 'X';
}

// Cores that this process has reserved, by device.
static uint8_t marked[SHIM_DEVICES];

void shim_marks_end(int minor)
{
    if (marked[minor] != 0)
        shim_violation("device %d closed with cores marked: 0x%02x", minor, marked[minor]);
    marked[minor] = 0;
}

// Nothing may stay reserved, whatever happened on the way.
__attribute__((destructor)) static void marks_at_exit(void)
{
    for (int minor = 0; minor < SHIM_DEVICES; minor++)
        if (marked[minor] != 0)
            shim_violation("cores of device %d are marked at exit", minor);
}

// Of a mark that should not have been; also when the answer could not be written, which is what a
// positive result says.
static int grant_mark(int minor, uint8_t *argument, uint32_t core)
{
    marked[minor] |= (uint8_t)(1U << core);
    if (mark_result == 0)
        argument[16 + core / 8] |= (uint8_t)(1U << core % 8);
    return (int)mark_result;
}

static int range_unmark(int minor, uint8_t *argument)
{
    if ((marked[minor] & argument[16]) == 0)
        shim_violation("core unmarked on device %d that was not marked", minor);
    marked[minor] &= (uint8_t)~argument[16];
    return 0;
}

// Only as a question that cannot succeed: two cores out of a range of one (driver reference 11.5).
static int range_mark(int minor, uint8_t *argument)
{
    unsigned per_chip = is_v3() ? 8 : 2;
    uint32_t count = get32(argument), start = get32(argument + 4), end = get32(argument + 8);
    if (count < 2 || start != end) {
        shim_violation("core mark of device %d that could succeed: %u cores of %u to %u", minor,
                       count, start, end);
        return fail(EPERM);
    }
    if (argument[16] != 0 || start >= per_chip * devices())
        shim_violation("core mark of device %d with bits set or of no core", minor);
    if (mark_result >= 0)
        return grant_mark(minor, argument, start);
    unsigned core = (unsigned)minor * per_chip + start;
    if (mark_free >= 0) {
        put32(argument + 12, (uint32_t)mark_free);
        return fail(EBUSY);
    }
    put32(argument + 12, is_claimed(core / per_chip, core % per_chip) ? 0 : 1);
    return fail(EBUSY);
}

static int does_nothing(int minor, uint8_t *argument)
{
    (void)minor;
    (void)argument;
    return 0;
}

enum right { QUIET, ASK, FORBIDDEN };

static const struct call {
    const char *name;
    unsigned long number;
    enum right right;
    int (*answer)(int minor, uint8_t *argument);
} calls[] = {
    {"COMPATIBLE_VERSION", 0x40084e5d, QUIET, compatible_version},
    {"DEVICE_BASIC_INFO", 0x40084e64, QUIET, basic_info},
    {"DRIVER_INFO_GET", 0x80184e6e, QUIET, driver_info},
    {"DEVICE_BDF_EXT", 0x80084e6a, QUIET, bdf_ext},
    {"HOST_DEVICE_ID_TO_RID_MAP", 0xc1044e73, QUIET, routing_ids},
    {"GET_LOGICAL_TO_PHYSICAL_NC_MAP", 0xc0104e78, QUIET, core_map},
    {"POD_INFO", 0xc1044e79, QUIET, pod_info},
    {"POD_STATUS", 0xc10c4e7a, QUIET, pod_status},
    {"POD_STATUS_V2", 0xc1144e7a, QUIET, pod_status_v2},
    {"CRWL_NC_RANGE_MARK_EXT0", 0xc0504e55, ASK, range_mark},
    {"CRWL_NC_RANGE_UNMARK_EXT0", 0x40504e56, ASK, range_unmark},
    // served to a quiet handle as well, and not for a monitor
    {"CRWL_NC_RANGE_MARK", 0x40084e55, FORBIDDEN, does_nothing},
    {"CRWL_NC_RANGE_UNMARK", 0x40084e56, FORBIDDEN, does_nothing},
    {"NC_PID_STATE_DUMP", 0xc0104e75, FORBIDDEN, does_nothing},
    {"PRINTK", 0x40104e71, FORBIDDEN, does_nothing},
    {"POD_CTRL", 0xc0104e7b, FORBIDDEN, does_nothing},
    {"POD_CTRL_V2", 0xc0144e7b, FORBIDDEN, does_nothing},
};

int shim_ioctl(int minor, bool quiet, unsigned long number, void *argument)
{
    const struct call *call = NULL;
    int result;
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        if (calls[i].number == (uint32_t)number)
            call = &calls[i];
    if (call == NULL) {
        shim_violation("call 0x%08lx on device %d, %s", number, minor,
                       quiet ? "which a handle opened O_WRONLY does not have" : "attached");
        return fail(EINVAL);
    }
    if (call->right == FORBIDDEN || (call->right == ASK && !shim_allows("ask")))
        shim_violation("%s on device %d", call->name, minor);
    result = 0;
    if (!shim_fault(call->name, minor, &result))
        result = call->answer(minor, argument);
    shim_trace("%s %d %d", call->name, minor, result);
    return result;
}
