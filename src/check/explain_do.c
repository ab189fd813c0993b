// SPDX-License-Identifier: Apache-2.0
// What to do about an error where this host shows more than the text does: of several causes the
// one that holds here, and that nothing has to be done any more.
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "check/explain_parts.h"
#include "host/version.h"

static const char RELOAD[] = "end every process that has a device open, then: sudo rmmod neuron && "
                             "sudo modprobe neuron.";

static void do_this(struct telling *telling, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void do_this(struct telling *telling, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    telling->out->remedy = arena_vprintf(telling->arena, format, args);
    va_end(args);
}

static const struct finding *find_finding(const struct telling *telling, const char *id)
{
    const struct findings *findings = telling->all->findings;
    for (size_t i = 0; i < findings->count; i++)
        if (strcmp(findings->items[i].id, id) == 0)
            return &findings->items[i];
    return NULL;
}

// The driver's version on disk is newer than the loaded one, or none is loaded.
static bool waits_on_disk(const struct versions *versions)
{
    return versions->driver_installed != NULL &&
           (versions->driver == NULL ||
            version_compare_text(versions->driver_installed, versions->driver) > 0);
}

static void do_not_loaded(struct telling *telling)
{
    const struct versions *versions = &telling->all->host->versions;
    telling->out->meaning = "The runtime could not ask the driver. Of the causes of this text one "
                            "holds here: the driver is not loaded.";
    if (versions->driver_installed != NULL)
        do_this(telling,
                "Driver %s is on disk: sudo modprobe neuron. If that fails, dmesg says why.",
                versions->driver_installed);
    else
        do_this(telling, "Install aws-neuronx-dkms on the host (not in a container), then: sudo "
                         "modprobe neuron.");
}

static bool is_missing(const struct absence_look *look)
{
    return !look->found && !look->unreadable;
}

// The first cause that holds here, in the order of field case F-14.
static void do_absence(struct telling *telling)
{
    const struct absence *absence = telling->all->absence;
    const struct finding *denied = find_finding(telling, "no-permission");
    if (absence == NULL)
        return;
    const struct absence_look *looks = absence->looks;
    if (is_missing(&looks[LOOK_PCI]) && !looks[LOOK_MODULE].found && !looks[LOOK_NODES].found) {
        telling->out->meaning = "The program found no Neuron chip. Of the causes of this text the "
                                "first holds here: this is no Neuron instance.";
        do_this(telling, "Use an inf1, inf2, trn1, trn2 or trn3 instance.");
    } else if (!looks[LOOK_MODULE].found) {
        do_not_loaded(telling);
    } else if (is_missing(&looks[LOOK_NODES])) {
        telling->out->meaning = "The driver is loaded, but no device is mapped here: there is no "
                                "/dev/neuron*.";
        do_this(telling, "In a container: start it with --device=/dev/neuron0, one for each chip.");
    } else if (denied != NULL) {
        telling->out->meaning = "The device is there, but may not be opened.";
        do_this(telling, "%s", denied->remedy);
    } else if (looks[LOOK_NODES].found) {
        do_this(telling, "Driver and devices are here now: start the job again. If it runs in a "
                         "container, that needs --device=/dev/neuron0, one for each chip.");
    }
}

static void do_compat(struct telling *telling)
{
    const struct versions *versions = &telling->all->host->versions;
    uint64_t id;
    if (!tell_number(telling, CAPTURE_COMPAT_ID, &id) || !known_u64(versions->compat_min) ||
        !known_u64(versions->compat_max))
        return;
    if (id >= versions->compat_min.value && id <= versions->compat_max.value)
        do_this(telling, "They fit now: start the job again.");
    else if (id > versions->compat_max.value && versions->driver != NULL && waits_on_disk(versions))
        do_this(telling, "Driver %s is on disk already: %s", versions->driver_installed, RELOAD);
}

// The oldest driver that will do: of the message, else 2.5 (which frameworks of SDK 2.5 want).
static void do_driver(struct telling *telling)
{
    const struct versions *versions = &telling->all->host->versions;
    const struct value *value = group_value(telling->group, CAPTURE_VERSION);
    const char *wanted = value != NULL ? value->text : "2.5";
    if (versions->driver == NULL) {
        if (telling->all->absence != NULL)
            do_absence(telling);
        return;
    }
    if (version_compare_text(versions->driver, wanted) >= 0) {
        do_this(telling,
                "Driver %s, which is loaded now, suffices: start the job again. If it fails like "
                "this again, it ran on another host or cannot reach /dev/neuron*.",
                versions->driver);
    } else if (waits_on_disk(versions) &&
               version_compare_text(versions->driver_installed, wanted) >= 0) {
        do_this(telling, "Driver %s is on disk already: %s", versions->driver_installed, RELOAD);
    }
}

static bool somebody_holds(const struct host *host)
{
    for (unsigned i = 0; i < host->process_count; i++)
        if (!core_set_empty(&host->processes[i].chips))
            return true;
    return false;
}

static void do_unload(struct telling *telling)
{
    const struct host *host = telling->all->host;
    const struct fact_u64 handles = host->versions.driver_handles;
    if (known_u64(handles))
        tell_now(telling, "use count of the module: %" PRIu64, handles.value);
    if (known_u64(handles) && handles.value == 0)
        do_this(telling, "Nothing has it open now: unload it again, sudo rmmod neuron && sudo "
                         "modprobe neuron.");
    else if (somebody_holds(host))
        do_this(telling,
                "End the processes named here, then unload again; or reboot. Until then the "
                "old driver stays loaded, whatever modinfo says.");
    else if (known_u64(handles))
        do_this(telling, "Who has it open is not visible from here: run neutop as root on the host "
                         "itself, end these processes, then unload again; or reboot.");
}

static void do_module(struct telling *telling)
{
    const struct host *host = telling->all->host;
    if (host->versions.driver != NULL)
        do_this(telling, "Driver %s is loaded now: start the job again.", host->versions.driver);
    else if (known_u64(host->presence.module_files) && host->presence.module_files.value > 0)
        do_this(telling, "There is one now: sudo modprobe neuron.");
}

// A hardware error of another chip than the one that has this index here.
static void do_hardware(struct telling *telling)
{
    const struct value *instance = group_value(telling->group, CAPTURE_INSTANCE);
    const struct value *serial = group_value(telling->group, CAPTURE_SERIAL);
    const struct host *host = telling->all->host;
    bool other = instance != NULL && host->instance.id != NULL &&
                 strcmp(instance->text, host->instance.id) != 0;
    for (unsigned i = 0; serial != NULL && i < host->chip_count; i++)
        for (size_t p = 0; p < telling->group->place_count; p++)
            other = other || (host->chips[i].index == (unsigned)telling->group->places[p].chip &&
                              host->chips[i].serial != NULL &&
                              strcasecmp(host->chips[i].serial, serial->text) != 0);
    if (other)
        do_this(telling, "Not here: the line is of another chip%s%s. There: %s",
                instance != NULL ? ", on instance " : "", instance != NULL ? instance->text : "",
                telling->out->remedy);
}

// By the id of the message.
static const struct {
    const char *id;
    void (*find)(struct telling *telling);
} DO_ROWS[] = {
    {.id = "driver-unreadable", .find = do_absence},
    {.id = "no-device", .find = do_absence},
    {.id = "compat-id", .find = do_compat},
    {.id = "driver-too-old", .find = do_driver},
    {.id = "driver-too-old-for-framework", .find = do_driver},
    {.id = "module-in-use", .find = do_unload},
    {.id = "hardware-error", .find = do_hardware},
    {.id = "module-not-found", .find = do_module},
};

void do_here(struct telling *telling)
{
    for (size_t i = 0; i < sizeof(DO_ROWS) / sizeof(DO_ROWS[0]); i++)
        if (strcmp(telling->group->message->id, DO_ROWS[i].id) == 0)
            DO_ROWS[i].find(telling);
}
