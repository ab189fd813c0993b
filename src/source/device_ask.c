// SPDX-License-Identifier: Apache-2.0
// Opens a device node in the quiet way, asks, and closes it. Nothing here may fork, keep the
// descriptor or make a call that is not in device_abi.h; the core marks are device_marks.c's.
#include "source/device_ask.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/device_abi.h"

static const char *why(int number)
{
    return number == DEVICE_ERRNO_NOT_SUPPORTED ? "not supported by the driver" : strerror(number);
}

static void note(char error[DEVICE_ERROR], const char *what, int number)
{
    if (error[0] == '\0')
        snprintf(error, DEVICE_ERROR, "%s: %s", what, why(number));
}

// Any result but 0 is a failure: a driver before 2.29 answers a positive number of bytes where it
// could not copy (driver reference 8.4).
static bool ask(int fd, const char *what, unsigned long call, void *argument,
                char error[DEVICE_ERROR])
{
    errno = 0;
    int result = ioctl(fd, call, argument);
    if (result == 0)
        return true;
    int number = errno;
    if (result < 0)
        note(error, what, number);
    else if (error[0] == '\0')
        snprintf(error, DEVICE_ERROR, "%s: answered %d instead of 0", what, result);
    errno = number;
    return false;
}

static void ask_pci(int fd, char pci[DEVICE_PCI], char error[DEVICE_ERROR])
{
    struct device_bdf bdf = {.nd_index = 0};
    if (!ask(fd, "PCI function", DEVICE_BDF_EXT, &bdf, error))
        return;
    if (bdf.domain > 0xffff || bdf.bus > 0xff || bdf.slot > 0x1f || bdf.function > 7)
        return;
    snprintf(pci, DEVICE_PCI, "%04x:%02x:%02x.%x", bdf.domain, bdf.bus, bdf.slot, bdf.function);
}

static void ask_versions(int fd, struct device_facts *facts)
{
    struct device_compatible_version compat = {0};
    struct device_basic_info basic = {0};
    struct device_driver_info info = {.size = sizeof(info)};
    if (ask(fd, "runtime API range", DEVICE_COMPATIBLE_VERSION, &compat, facts->error) &&
        compat.max > 0 && compat.min <= compat.max) {
        facts->has_compat = true;
        facts->compat_min = compat.min;
        facts->compat_max = compat.max;
    }
    if (ask(fd, "architecture", DEVICE_BASIC_INFO, &basic, facts->error)) {
        facts->architecture = basic.architecture;
        facts->revision = basic.revision;
    }
    if (ask(fd, "driver features", DEVICE_DRIVER_INFO_GET, &info, facts->error) &&
        info.size >= sizeof(info)) {
        facts->has_features = true;
        facts->features = info.features;
    }
}

static void ask_core_map(int fd, struct device_facts *facts)
{
    struct device_core_map map = {.count = 0};
    struct device_core_map_call call = {.map = (uint64_t)(uintptr_t)&map,
                                        .max_entries = DEVICE_CORE_MAP_ENTRIES};
    if (!ask(fd, "core map", DEVICE_CORE_MAP_GET, &call, facts->error) ||
        map.count > DEVICE_CORE_MAP_ENTRIES)
        return;
    for (uint32_t i = 0; i < map.count; i++)
        facts->places[i] =
            (struct core_place){.chip = map.entries[i].device, .physical = map.entries[i].core};
    facts->place_count = map.count;
    if (core_map_make(facts->places, facts->place_count).count > 0)
        return;
    facts->place_count = 0;
    if (facts->error[0] == '\0')
        snprintf(facts->error, sizeof(facts->error), "core map: its form is not known");
}

static void ask_pod(int fd, const struct device_guard *guard, struct device_facts *facts)
{
    struct device_pod_info info = {.bytes = sizeof(info)};
    struct device_pod_status status = {.bytes = sizeof(status)};
    if (ask(fd, "pod", DEVICE_POD_INFO, &info, facts->error))
        facts->has_pod = info.type != 0;
    if (!guard->has_pod_status)
        return;
    if (ask(fd, "pod state", DEVICE_POD_STATUS_V2, &status, facts->error))
        facts->has_pod = facts->has_pod || status.type != 0 ||
                         status.state == DEVICE_POD_ELECTING ||
                         status.state == DEVICE_POD_ULTRASERVER;
    else if (errno == EBUSY)
        facts->has_pod = true; // servers elect, and this is one of them
}

static void ask_host(int fd, const struct device_guard *guard, struct device_facts *facts)
{
    facts->asked = true;
    ask_versions(fd, facts);
    if (!guard->has_core_map)
        return;
    ask_pod(fd, guard, facts);
    // 3: Trainium2, 4: Trainium3; others have none. In a pod the map may be turned (reference 5.4).
    if (!facts->has_pod && (facts->architecture == 3 || facts->architecture == 4))
        ask_core_map(fd, facts);
}

// Not on the host that turns out to be one of several, and not of a chip whose cores are unknown.
static void ask_marks(int fd, const struct device_guard *guard, struct device_facts *facts,
                      struct device_marks *marks, char error[DEVICE_ERROR])
{
    static const unsigned cores[] = {[1] = 4, [2] = 2, [3] = 8, [4] = 8}; // by architecture
    *marks = (struct device_marks){0};
    if (!guard->has_marks || facts->has_pod || facts->no_marks || facts->architecture == 0 ||
        facts->architecture > 4)
        return;
    facts->no_marks = !device_marks_ask(fd, cores[facts->architecture], marks, error, DEVICE_ERROR);
}

static enum device_outcome refused(int number)
{
    if (number == EACCES || number == EPERM)
        return DEVICE_DENIED;
    return number == EBUSY || number == EAGAIN ? DEVICE_BUSY : DEVICE_FAILED;
}

enum device_outcome device_ask(int dev, const struct device_node *node,
                               const struct device_guard *guard, struct device_facts *facts,
                               char pci[DEVICE_PCI], struct device_marks *marks,
                               char error[DEVICE_ERROR])
{
    struct stat info;
    pci[0] = error[0] = '\0';
    // O_NONBLOCK is for the case that the node is another thing by now
    int fd = openat(dev, node->name, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
    if (fd < 0) {
        int number = errno;
        note(error, "open", number);
        return refused(number);
    }
    enum device_outcome outcome = DEVICE_FAILED;
    if (fstat(fd, &info) != 0 || !S_ISCHR(info.st_mode) || info.st_rdev != node->number) {
        snprintf(error, DEVICE_ERROR, "the node changed while it was opened");
    } else {
        outcome = DEVICE_ANSWERED;
        ask_pci(fd, pci, error);
        if (!facts->asked)
            ask_host(fd, guard, facts);
        if (marks != NULL)
            ask_marks(fd, guard, facts, marks, error);
    }
    close(fd);
    return outcome;
}
