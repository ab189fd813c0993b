// SPDX-License-Identifier: Apache-2.0
// Rules out UltraServers and drivers that do not know the quiet calls.
#include "source/device_guard.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "host/generation.h"
#include "host/version.h"
#include "source/below.h"

#define CLASS "/sys/class/neuron_device/"
enum { SHORT_FILE = 128 };

enum verdict { NO_ULTRASERVER, ULTRASERVER, NOT_TOLD };

// What the driver itself says (driver reference 2.9): its mode is blank and its node numbers are -1
// where the host is none.
static enum verdict driver_says(const char *root)
{
    static const char *const numbers[] = {CLASS "node_id_2", CLASS "node_id_4", CLASS "node_id"};
    char line[SHORT_FILE];
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (below_line(root, numbers[i], line, sizeof(line)) && line[0] != '\0' &&
            strcmp(line, "-1") != 0)
            return ULTRASERVER;
    if (!below_line(root, CLASS "ultraserver_mode", line, sizeof(line)))
        return NOT_TOLD;
    return line[0] != '\0' ? ULTRASERVER : NO_ULTRASERVER;
}

// What the name of the instance type says: families that are known to be single servers.
static enum verdict family_says(const char *type)
{
    static const char *const families[] = {"inf1", "inf2", "trn1", "trn1n", "trn2"};
    static const char *const joined[] = {"trn2u", "trn2p", "trn2eu", "trn3"};
    size_t length = strcspn(type, ".");
    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
        if (strlen(families[i]) == length && strncmp(type, families[i], length) == 0)
            return NO_ULTRASERVER;
    for (size_t i = 0; i < sizeof(joined) / sizeof(joined[0]); i++)
        if (strncmp(type, joined[i], strlen(joined[i])) == 0)
            return ULTRASERVER;
    return NOT_TOLD;
}

// Chips of which no UltraServer is made.
static enum verdict chip_says(const char *root, unsigned index)
{
    char path[SHORT_FILE], name[SHORT_FILE];
    snprintf(path, sizeof(path),
             "/sys/devices/virtual/neuron_device/neuron%u/info/architecture/device_name", index);
    below_line(root, path, name, sizeof(name));
    const struct generation *gen = generation_by_device_name(name);
    if (gen != NULL && (gen->id == GEN_INF1 || gen->id == GEN_INF2 || gen->id == GEN_TRN1))
        return NO_ULTRASERVER;
    return NOT_TOLD;
}

static bool rule_out_ultraserver(struct device_guard *guard, const char *root, unsigned index)
{
    char type[SHORT_FILE], clean[64];
    below_line(root, "/sys/class/dmi/id/product_name", type, sizeof(type));
    text_clean_to(clean, sizeof(clean), type, strlen(type));
    enum verdict driver = driver_says(root), family = family_says(type);
    if (driver == ULTRASERVER || family == ULTRASERVER) {
        snprintf(guard->why, sizeof(guard->why),
                 "devices of an UltraServer (%s) are not opened: closing one may reset its mode",
                 clean[0] != '\0' ? clean : "type unknown");
        return false;
    }
    if (driver == NO_ULTRASERVER || family == NO_ULTRASERVER ||
        chip_says(root, index) == NO_ULTRASERVER)
        return true;
    snprintf(guard->why, sizeof(guard->why),
             "devices are not opened: it cannot be ruled out that this host (%s) is part of an "
             "UltraServer",
             clean[0] != '\0' ? clean : "type unknown");
    return false;
}

static bool is_since(const struct version *version, unsigned long minor)
{
    struct version since = {.part = {2, minor}, .count = 2};
    return version_compare(version, &since) >= 0;
}

// The calls are those of 2.14; a driver of unknown version is asked no newer ones.
static bool look_at_version(struct device_guard *guard, const char *root)
{
    char text[SHORT_FILE], clean[64];
    struct version version;
    below_line(root, "/sys/module/neuron/version", text, sizeof(text));
    if (!version_parse(&version, text))
        return true;
    guard->has_core_map = is_since(&version, 20);
    guard->has_pod_status = is_since(&version, 23);
    guard->has_marks = is_since(&version, 20) && !is_since(&version, 31);
    if (is_since(&version, 14))
        return true;
    text_clean_to(clean, sizeof(clean), text, strlen(text));
    snprintf(guard->why, sizeof(guard->why),
             "driver %s is not asked: what it answers is known from 2.14 on", clean);
    return false;
}

void device_guard_look(struct device_guard *guard, const char *root, unsigned index)
{
    *guard = (struct device_guard){.allowed = false};
    guard->allowed = look_at_version(guard, root) && rule_out_ultraserver(guard, root, index);
}
