// SPDX-License-Identifier: Apache-2.0
// Which SDK releases the components of a host are of.
#include "host/sdk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/version.h"

// Packages for another chip may be installed too: then any chip's releases count.
static struct sdk_part part_made(const struct host *host, enum component component,
                                 const char *version)
{
    struct sdk_part part = {.component = component, .version = version};
    enum release_match how;
    part.releases =
        releases_holding(host->releases, component, version, host_generation(host), &how);
    part.newer = how == RELEASE_NEWER;
    if (part.releases == 0)
        part.releases = releases_holding(host->releases, component, version, GEN_UNKNOWN, NULL);
    return part;
}

static void add(const struct host *host, struct sdk_part *parts, unsigned *count,
                enum component component, const char *version)
{
    if (version != NULL && *count < SDK_PARTS_MAX)
        parts[(*count)++] = part_made(host, component, version);
}

// The set documented for Inferentia is the last driver line for it, 2.24, with runtime 2.12.23.0
// and tools and collectives of any later release: the compiler alone tells the release then
// (versions reference 3.3).
static void pin_inf1(const struct host *host, struct sdk_part *parts, unsigned count)
{
    const char *driver =
        host->versions.driver != NULL ? host->versions.driver : host->versions.driver_installed;
    bool last = driver != NULL && version_compare_text(driver, "2.24") >= 0 &&
                version_compare_text(driver, "2.25") < 0;
    for (unsigned i = 0; host_generation(host) == GEN_INF1 && i < count; i++) {
        enum component component = parts[i].component;
        bool stays = component == COMPONENT_RUNTIME || component == COMPONENT_COLLECTIVES;
        bool with_last = component == COMPONENT_DRIVER || component == COMPONENT_TOOLS;
        if (!stays && !(with_last && last))
            continue;
        parts[i].pinned = true;
        parts[i].newer = false;
        parts[i].releases = 0;
    }
}

static bool has(const struct sdk_part *parts, unsigned count, enum component component)
{
    for (unsigned i = 0; i < count; i++)
        if (parts[i].component == component)
            return true;
    return false;
}

// The compiler is that of an environment in use, or of none that is seen here.
static bool compiler_counts(const struct versions *versions, enum component component)
{
    bool unused = false;
    for (unsigned i = 0; i < versions->environment_count; i++) {
        const struct environment *environment = &versions->environments[i];
        const char *version = sdk_environment_version(environment, component);
        if (version == NULL || versions->compiler == NULL ||
            version_compare_text(version, versions->compiler) != 0)
            continue;
        if (environment->used)
            return true;
        unused = true;
    }
    return !unused;
}

unsigned sdk_host_parts(const struct host *host, struct sdk_part parts[SDK_PARTS_MAX])
{
    const struct versions *versions = &host->versions;
    bool inf1 = host_generation(host) == GEN_INF1;
    unsigned count = 0;
    add(host, parts, &count, COMPONENT_DRIVER,
        versions->driver != NULL ? versions->driver : versions->driver_installed);
    add(host, parts, &count, COMPONENT_RUNTIME, versions->runtime_installed);
    add(host, parts, &count, COMPONENT_COLLECTIVES, versions->collectives);
    add(host, parts, &count, COMPONENT_TOOLS, versions->tools);
    if (compiler_counts(versions, inf1 ? COMPONENT_COMPILER_INF1 : COMPONENT_COMPILER))
        add(host, parts, &count, inf1 ? COMPONENT_COMPILER_INF1 : COMPONENT_COMPILER,
            versions->compiler);
    for (unsigned i = 0; i < versions->package_count; i++)
        if (versions->packages[i].component > COMPONENT_COLLECTIVES &&
            !has(parts, count, versions->packages[i].component))
            add(host, parts, &count, versions->packages[i].component,
                versions->packages[i].version);
    pin_inf1(host, parts, count);
    return count;
}

unsigned sdk_environment_parts(const struct host *host, const struct environment *environment,
                               struct sdk_part parts[SDK_PARTS_MAX])
{
    unsigned count = 0;
    for (unsigned i = 0; i < environment->package_count; i++)
        add(host, parts, &count, environment->packages[i].component,
            environment->packages[i].version);
    return count;
}

const char *sdk_environment_version(const struct environment *environment, enum component component)
{
    for (unsigned i = 0; i < environment->package_count; i++)
        if (environment->packages[i].component == component)
            return environment->packages[i].version;
    return NULL;
}

uint64_t sdk_of_host(const struct host *host)
{
    struct sdk_part parts[SDK_PARTS_MAX];
    unsigned count = sdk_host_parts(host, parts);
    uint64_t set = ~UINT64_C(0);
    bool known = false;
    for (unsigned i = 0; i < count; i++) {
        if (parts[i].releases == 0)
            continue;
        set &= parts[i].releases;
        known = true;
    }
    return known ? set : 0;
}

// The part of this component and version; a new one where there is none, NULL for want of room.
static struct sdk_part *part_of(const struct host *host, struct sdk_part *parts, unsigned *count,
                                enum component component, const char *version)
{
    struct sdk_part *part = &parts[*count];
    for (unsigned i = 0; i < *count; i++)
        if (parts[i].component == component && version_compare_text(parts[i].version, version) == 0)
            return &parts[i];
    if (*count == SDK_USED_MAX)
        return NULL;
    *part = part_made(host, component, version);
    ++*count;
    return part;
}

static void add_runtimes(const struct host *host, struct sdk_part *parts, unsigned *count,
                         unsigned own)
{
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        if (process->state == PROCESS_GONE || process->runtime_version == NULL)
            continue;
        struct sdk_part *part =
            part_of(host, parts, count, COMPONENT_RUNTIME, process->runtime_version);
        if (part == NULL || part < parts + own)
            continue;
        part->process = part->process != NULL ? part->process : process;
        part->process_count++;
    }
}

static void add_environments(const struct host *host, struct sdk_part *parts, unsigned *count)
{
    for (unsigned i = 0; i < host->versions.environment_count; i++) {
        const struct environment *environment = &host->versions.environments[i];
        for (unsigned p = 0; environment->used && p < environment->package_count; p++) {
            const struct package *package = &environment->packages[p];
            unsigned before = *count;
            struct sdk_part *part =
                part_of(host, parts, count, package->component, package->version);
            if (part != NULL && *count > before)
                part->environment = environment;
        }
    }
}

unsigned sdk_used_parts(const struct host *host, struct sdk_part parts[SDK_USED_MAX], uint64_t *all)
{
    unsigned own = sdk_host_parts(host, parts), count = own;
    bool known = false;
    add_runtimes(host, parts, &count, own);
    add_environments(host, parts, &count);
    pin_inf1(host, parts, count);
    *all = ~UINT64_C(0);
    for (unsigned i = 0; i < count; i++) {
        struct sdk_part *part = &parts[i];
        bool fits = (part->releases & *all) != 0;
        known = known || part->releases != 0;
        part->outside = !part->pinned && !fits;
        if (fits || (i < own && part->releases != 0)) // the host's own ones must fit
            *all &= part->releases;
    }
    *all = known ? *all : 0;
    return count;
}

char *sdk_part_text(const struct sdk_part *part, char *buffer)
{
    char more[32] = "", pid[32] = "a process";
    if (part->process_count > 1)
        snprintf(more, sizeof(more), " and %u more", part->process_count - 1);
    if (part->process != NULL && known_u64(part->process->pid))
        snprintf(pid, sizeof(pid), "PID %" PRIu64, part->process->pid.value);
    snprintf(buffer, SDK_PART_TEXT, "%s %.80s%s%s%s%s%.100s", component_name(part->component),
             part->version, part->process != NULL ? " of " : "", part->process != NULL ? pid : "",
             more, part->environment != NULL ? " in " : "",
             part->environment != NULL && part->environment->path != NULL ? part->environment->path
                                                                          : "");
    return buffer;
}

char *sdk_unknown_text(const struct host *host, bool newer, char *buffer, size_t size)
{
    const struct releases *releases = host->releases;
    if (!newer || releases->row_count == 0)
        snprintf(buffer, size, "of no known release");
    else
        snprintf(buffer, size, "newer than this neutop knows (newest: SDK %s)",
                 releases->rows[0].sdk);
    return buffer;
}
