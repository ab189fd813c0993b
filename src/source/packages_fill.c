// SPDX-License-Identifier: Apache-2.0
// What is installed, from the reader's state into a snapshot.
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "host/version.h"
#include "source/packages_state.h"

static void give(struct arena *arena, const char **text, const char *value)
{
    if (*text == NULL && value != NULL && value[0] != '\0')
        *text = text_clean(arena, value, strlen(value));
}

static const struct package *copy_packages(struct arena *arena,
                                           const struct installed_package *items, size_t count)
{
    struct package *packages = ARENA_ARRAY(arena, count, struct package);
    for (size_t i = 0; i < count; i++) {
        packages[i].component = items[i].component;
        give(arena, &packages[i].version, items[i].version);
        give(arena, &packages[i].from, items[i].from);
    }
    return packages;
}

static int by_path(const void *a, const void *b)
{
    const struct installed_environment *const *first = a, *const *second = b;
    return strcmp((*first)->path, (*second)->path);
}

static void fill_environments(struct packages *packages, struct host *host)
{
    size_t count = packages->environments.count;
    qsort(packages->environments.items, count, sizeof(packages->environments.items[0]), by_path);
    struct environment *list = ARENA_ARRAY(host->arena, count, struct environment);
    for (size_t i = 0; i < count; i++) {
        const struct installed_environment *item = packages->environments.items[i];
        list[i].package_count = (unsigned)item->count;
        list[i].packages = copy_packages(host->arena, item->packages, item->count);
        give(host->arena, &list[i].path, item->path);
    }
    host->versions.environments = list;
    host->versions.environment_count = (unsigned)count;
}

static const struct environment *environment_of(const struct packages *packages, struct host *host,
                                                const struct place *place)
{
    for (size_t i = 0; place != NULL && i < packages->environments.count; i++) {
        if (packages->environments.items[i] != place->environment)
            continue;
        struct environment *found =
            (struct environment *)&host->versions.environments[i]; // made just above
        found->used = true;
        return found;
    }
    return NULL;
}

static void fill_processes(struct packages *packages, struct host *host, double now)
{
    for (unsigned i = 0; i < host->process_count; i++) {
        struct process *process = &host->processes[i];
        const struct place *place;
        if (process->runtime_version == NULL && !process->runtime_replaced) {
            place = places_ask(packages, PLACE_LIBRARY, process, process->runtime_path, now);
            give(host->arena, &process->runtime_version, place != NULL ? place->version : NULL);
        }
        place = places_ask(packages, PLACE_PYTHON, process, process->python_path, now);
        if (process->environment == NULL)
            process->environment = environment_of(packages, host, place);
        bool uses = process->runtime_path != NULL || process->python_path != NULL;
        place = places_ask(packages, PLACE_GLIBC, process, uses ? "." : NULL, now);
        give(host->arena, &process->glibc, place != NULL ? place->version : NULL);
    }
}

static const char *version_of(const struct package *list, unsigned count, enum component component)
{
    const char *newest = NULL;
    for (unsigned i = 0; i < count; i++)
        if (list[i].component == component &&
            (newest == NULL || version_compare_text(list[i].version, newest) > 0))
            newest = list[i].version;
    return newest;
}

// That of an environment in use, where there is one, else the newest there is.
static const char *compiler_of(const struct versions *versions, enum component component)
{
    const char *newest = NULL;
    bool used = false;
    for (unsigned i = 0; i < versions->environment_count; i++)
        used = used || (versions->environments[i].used &&
                        version_of(versions->environments[i].packages,
                                   versions->environments[i].package_count, component) != NULL);
    for (unsigned i = 0; i < versions->environment_count; i++) {
        const struct environment *environment = &versions->environments[i];
        const char *version =
            version_of(environment->packages, environment->package_count, component);
        if (version != NULL && (environment->used || !used) &&
            (newest == NULL || version_compare_text(version, newest) > 0))
            newest = version;
    }
    return newest;
}

static void fill_versions(const struct packages *packages, struct host *host)
{
    const struct installed *installed = &packages->installed;
    struct versions *versions = &host->versions;
    struct arena *arena = host->arena;
    versions->packages = copy_packages(arena, installed->packages, installed->count);
    versions->package_count = (unsigned)installed->count;
    versions->packages_known = packages->read;
    give(arena, &versions->driver, installed->driver_loaded);
    if (versions->driver_installed == NULL)
        give(arena, &versions->driver_installed_from, installed->driver_from);
    give(arena, &versions->driver_installed, installed->driver_disk);
    give(arena, &versions->driver_installed_trouble, installed->driver_trouble);
    give(arena, &versions->runtime_installed,
         version_of(versions->packages, versions->package_count, COMPONENT_RUNTIME));
    give(arena, &versions->collectives,
         version_of(versions->packages, versions->package_count, COMPONENT_COLLECTIVES));
    give(arena, &versions->tools,
         version_of(versions->packages, versions->package_count, COMPONENT_TOOLS));
    if (versions->tools == NULL)
        versions->tools_trouble = installed->tools_trouble; // constant text
    give(arena, &host->machine.kernel, installed->kernel);
    give(arena, &host->machine.glibc, installed->glibc);
    host->presence = installed->presence;
    give(arena, &host->instance.type, installed->instance_type);
    give(arena, &host->instance.id, installed->instance_id);
}

void packages_fill(const struct source *source, struct host *host, double now)
{
    struct packages *packages = source->state;
    pthread_mutex_lock(&packages->lock);
    fill_versions(packages, host);
    fill_environments(packages, host);
    fill_processes(packages, host, now);
    places_forget(packages, now);
    packages->complete = places_done(packages); // what has been filled in, not what came since
    pthread_mutex_unlock(&packages->lock);
    bool inf1 = host->hardware.generation != NULL && host->hardware.generation->id == GEN_INF1;
    give(host->arena, &host->versions.compiler,
         compiler_of(&host->versions, inf1 ? COMPONENT_COMPILER_INF1 : COMPONENT_COMPILER));
}
