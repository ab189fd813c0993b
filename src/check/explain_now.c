// SPDX-License-Identifier: Apache-2.0
// Versions, devices and kernel of this host, where an error asks for them.
#include <inttypes.h>
#include <string.h>

#include "check/explain_parts.h"
#include "host/units.h"
#include "host/version.h"

enum { RUNTIMES_SHOWN = 3 };

// Findings of these ids say what there is to say.
static void tell_findings(struct telling *telling, const char *const *ids)
{
    const struct findings *findings = telling->all->findings;
    for (; *ids != NULL; ids++)
        for (size_t i = 0; i < findings->count; i++)
            if (strcmp(findings->items[i].id, *ids) == 0 && tell_room(telling))
                tell_now(telling, "%s", findings->items[i].summary);
}

static void tell_driver(struct telling *telling)
{
    const struct versions *versions = &telling->all->host->versions;
    if (versions->driver == NULL && versions->driver_installed == NULL)
        return;
    if (versions->driver == NULL)
        tell_now(telling, "no driver is loaded; on disk is %s", versions->driver_installed);
    else if (known_u64(versions->compat_min) && known_u64(versions->compat_max))
        tell_now(telling, "driver %s is loaded, takes runtime ids %" PRIu64 " to %" PRIu64,
                 versions->driver, versions->compat_min.value, versions->compat_max.value);
    else
        tell_now(telling, "driver %s is loaded", versions->driver);
    if (versions->driver != NULL && versions->driver_installed != NULL &&
        version_compare_text(versions->driver, versions->driver_installed) != 0)
        tell_now(telling, "driver %s is on disk: a reload is pending", versions->driver_installed);
}

// Whether the range that the driver has now takes the runtime of the output.
static void tell_compat(struct telling *telling)
{
    uint64_t id;
    const struct versions *versions = &telling->all->host->versions;
    if (!tell_number(telling, CAPTURE_COMPAT_ID, &id) || !known_u64(versions->compat_min) ||
        !known_u64(versions->compat_max))
        return;
    if (id > versions->compat_max.value)
        tell_now(telling, "id %" PRIu64 " is above that: the driver is still too old", id);
    else if (id < versions->compat_min.value)
        tell_now(telling, "id %" PRIu64 " is below that: the runtime is still too old", id);
    else
        tell_now(telling, "id %" PRIu64 " is in that range: runtime and driver fit now", id);
}

static void tell_runtimes(struct telling *telling)
{
    const struct host *host = telling->all->host;
    const char *seen[RUNTIMES_SHOWN];
    size_t count = 0;
    char name[NAME_TEXT];
    if (host->versions.runtime_installed != NULL)
        tell_now(telling, "runtime %s is installed", host->versions.runtime_installed);
    for (unsigned i = 0; i < host->process_count && count < RUNTIMES_SHOWN; i++) {
        const struct process *process = &host->processes[i];
        bool known = process->runtime_version == NULL;
        for (size_t k = 0; k < count && !known; k++)
            known = strcmp(seen[k], process->runtime_version) == 0;
        if (known || !tell_room(telling))
            continue;
        seen[count++] = process->runtime_version;
        tell_now(telling, "runtime %s runs in %s", process->runtime_version,
                 name_process(name, process));
    }
}

void now_versions(struct telling *telling)
{
    static const char *const ids[] = {"driver-too-old",          "runtime-too-old",  "sdk-mixed",
                                      "inf1-driver-unsupported", "runtime-replaced", NULL};
    tell_driver(telling);
    tell_compat(telling);
    tell_runtimes(telling);
    tell_findings(telling, ids);
}

// The causes apart, in the order of field case F-14: no PCI function, no module, no device node, no
// permission.
void now_absence(struct telling *telling)
{
    static const char *const ids[] = {"no-permission", NULL};
    const struct absence *absence = telling->all->absence;
    if (absence == NULL && telling->host == NULL)
        return; // a recording does not tell what is missing
    if (telling->host != NULL && telling->host->chip_count > 0)
        tell_now(telling, "%u chip%s can be seen here now", telling->host->chip_count,
                 telling->host->chip_count == 1 ? "" : "s");
    else
        tell_now(telling, "%s", absence->verdict);
    for (size_t i = 0; absence != NULL && i < LOOK_TOOLS; i++)
        if (tell_room(telling))
            tell_now(telling, "%s: %s", absence->looks[i].what, absence->looks[i].seen);
    tell_findings(telling, ids);
}

void now_kernel(struct telling *telling)
{
    const struct host *host = telling->all->host;
    const struct value *kernel = group_value(telling->group, CAPTURE_KERNEL);
    if (host->machine.kernel == NULL)
        return;
    if (kernel == NULL)
        tell_now(telling, "kernel %s runs", host->machine.kernel);
    else if (strcmp(kernel->text, host->machine.kernel) == 0)
        tell_now(telling, "kernel %s is the one that runs", kernel->text);
    else
        tell_now(telling, "kernel %s runs, not %s", host->machine.kernel, kernel->text);
}

void now_host_memory(struct telling *telling)
{
    const struct machine *machine = &telling->all->host->machine;
    char text[UNIT_TEXT * 2];
    if (known_u64(machine->memory_used_bytes) && known_u64(machine->memory_total_bytes))
        tell_now(telling, "host memory in use now: %s",
                 unit_bytes_of(text, sizeof(text), machine->memory_used_bytes,
                               machine->memory_total_bytes));
}

void now_lnc(struct telling *telling)
{
    const struct hardware *hardware = &telling->all->host->hardware;
    if (telling->host != NULL && known_u64(hardware->lnc))
        tell_now(telling, "LNC is %" PRIu64 " here%s%s", hardware->lnc.value,
                 hardware->chip != NULL ? ", on " : "",
                 hardware->chip != NULL ? hardware->chip : "");
}
