// SPDX-License-Identifier: Apache-2.0
// Which SDK releases the components of a host are of.
#include "host/sdk.h"

#include <stdio.h>
#include <string.h>

#include "host/version.h"

// Packages for another chip may be installed too: then any chip's releases count.
static void add(const struct host *host, struct sdk_part *parts, unsigned *count,
                enum component component, const char *version)
{
    if (version == NULL || *count == SDK_PARTS_MAX)
        return;
    struct sdk_part *part = &parts[(*count)++];
    *part = (struct sdk_part){.component = component, .version = version};
    enum release_match how;
    part->releases =
        releases_holding(host->releases, component, version, host_generation(host), &how);
    part->newer = how == RELEASE_NEWER;
    if (part->releases == 0)
        part->releases = releases_holding(host->releases, component, version, GEN_UNKNOWN, NULL);
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
