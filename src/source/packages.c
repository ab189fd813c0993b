// SPDX-License-Identifier: Apache-2.0
// What is installed, as a source. It is read rarely, and may lie on a file system that does not
// answer: one thread reads and hands over finished facts. When the reader is closed meanwhile the
// thread ends by itself later, and the last one frees.
#include "source/packages.h"

#include <bsd/string.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/text.h"
#include "base/xmem.h"
#include "host/version.h"
#include "source/inside.h"
#include "source/source.h"

enum { PLACES_MAX = 1024, STACK_BYTES = 512 * 1024 };

// Seconds: between two looks at what is installed; how long a process's file is remembered.
#define AGAIN 120
#define PLACE_KEPT 60

enum place_kind { PLACE_LIBRARY, PLACE_PYTHON };

// A file or folder of a process that is to be looked into.
struct place {
    enum place_kind kind;
    uint64_t pid;
    double asked; // monotonic, the last time
    bool taken, done;
    dev_t device;
    ino_t inode;
    char path[PACKAGES_PATH];
    char version[VERSION_TEXT];                      // of a library
    const struct installed_environment *environment; // of the common list
};

struct packages {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    unsigned users; // reader and thread
    bool stop, read, fresh, complete;
    int event_fd;
    double read_at;
    char root[PACKAGES_PATH];
    int root_fd;
    struct installed installed;
    struct installed_environments environments;
    size_t place_count;
    struct place *places[PLACES_MAX];
    char detail[SOURCE_DETAIL];
};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void forget_all(struct packages *packages)
{
    for (size_t i = 0; i < packages->environments.count; i++)
        free(packages->environments.items[i]);
    for (size_t i = 0; i < packages->place_count; i++)
        free(packages->places[i]);
    close(packages->root_fd);
    close(packages->event_fd);
    pthread_mutex_destroy(&packages->lock);
    pthread_cond_destroy(&packages->wake);
    free(packages);
}

// Leaves PACKAGES, whose lock is held; the last user ends it.
static void leave(struct packages *packages)
{
    bool last = --packages->users == 0;
    pthread_mutex_unlock(&packages->lock);
    if (last)
        forget_all(packages);
}

// Keeps FOUND in the list, or what is there of the same folder. Under the lock.
static const struct installed_environment *keep(struct installed_environments *list,
                                                struct installed_environment *found)
{
    for (size_t i = 0; found != NULL && i < list->count; i++) {
        struct installed_environment *item = list->items[i];
        if (item->device != found->device || item->inode != found->inode)
            continue;
        found->host = found->host || item->host;
        *item = *found; // the newer reading
        free(found);
        return item;
    }
    if (found == NULL || list->count == ENVIRONMENTS_MAX) {
        free(found);
        return NULL;
    }
    list->items[list->count++] = found;
    return found;
}

static void take_found(void *user, struct installed_environment *environment)
{
    struct installed_environments *found = user;
    environment->host = true;
    keep(found, environment);
}

// All that does not hang on a process. Takes the lock only to hand over.
static void read_host(struct packages *packages)
{
    struct installed *installed = xmalloc(sizeof(*installed));
    struct installed_environments found = {0};
    installed_read(installed, packages->root, packages->root_fd);
    environments_find(packages->root_fd, take_found, &found);
    pthread_mutex_lock(&packages->lock);
    packages->installed = *installed;
    for (size_t i = 0; i < found.count; i++)
        keep(&packages->environments, found.items[i]);
    packages->read = packages->fresh = true;
    packages->read_at = seconds_now();
    pthread_mutex_unlock(&packages->lock);
    free(installed);
}

// What the same file said to another process; 32 workers have one library.
static bool known_file(struct packages *packages, const struct place *place, struct place *answer)
{
    for (size_t i = 0; i < packages->place_count; i++) {
        const struct place *other = packages->places[i];
        if (!other->done || other->kind != place->kind || other->device != answer->device ||
            other->inode != answer->inode)
            continue;
        memcpy(answer->version, other->version, sizeof(answer->version));
        answer->environment = other->environment;
        return true;
    }
    return false;
}

// The root folder of a process. The kernel's own link leads there, in a captured tree it may be any
// link: that is followed inside the tree only.
static int open_process_root(const struct packages *packages, uint64_t pid)
{
    char path[64];
    snprintf(path, sizeof(path), "proc/%llu/root", (unsigned long long)pid);
    int root = inside_open(packages->root_fd, path, O_PATH | O_DIRECTORY);
    if (root < 0 && errno == ELOOP)
        root = openat(packages->root_fd, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return root;
}

// Reads PLACE into ANSWER; *FOUND is an environment that was read.
static void look_into(struct packages *packages, const struct place *place, struct place *answer,
                      struct installed_environment **found)
{
    struct stat info;
    int root = open_process_root(packages, place->pid);
    int fd = root >= 0 ? inside_open(root, place->path, O_PATH) : -1;
    if (fd < 0 || fstat(fd, &info) != 0) {
        if (root >= 0)
            close(root);
        return;
    }
    close(fd);
    answer->device = info.st_dev;
    answer->inode = info.st_ino;
    pthread_mutex_lock(&packages->lock);
    bool known = known_file(packages, place, answer);
    pthread_mutex_unlock(&packages->lock);
    if (!known && place->kind == PLACE_LIBRARY)
        library_read(root, place->path, answer->version);
    else if (!known)
        *found = environment_read(root, place->path);
    close(root);
}

// PLACE is the thread's until it is done: it is not dropped before.
static void read_place(struct packages *packages, struct place *place)
{
    struct installed_environment *found = NULL;
    pthread_mutex_lock(&packages->lock);
    const struct place question = *place;
    pthread_mutex_unlock(&packages->lock);
    struct place answer = question;
    look_into(packages, &question, &answer, &found);
    pthread_mutex_lock(&packages->lock);
    answer.asked = place->asked;
    if (found != NULL)
        answer.environment = keep(&packages->environments, found);
    answer.done = true;
    *place = answer;
    packages->fresh = true;
    pthread_mutex_unlock(&packages->lock);
}

static struct place *next_place(struct packages *packages)
{
    for (size_t i = 0; i < packages->place_count; i++)
        if (!packages->places[i]->taken)
            return packages->places[i];
    return NULL;
}

static void wait_for_work(struct packages *packages)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    double left = packages->read_at + AGAIN - seconds_now();
    until.tv_sec += left > 0 ? (time_t)left + 1 : 1;
    pthread_cond_timedwait(&packages->wake, &packages->lock, &until);
}

static void announce(struct packages *packages)
{
    uint64_t one = 1;
    if (write(packages->event_fd, &one, sizeof(one)) < 0)
        return; // it is full: the reader has been told long ago
}

static void *packages_thread(void *argument)
{
    struct packages *packages = argument;
    pthread_mutex_lock(&packages->lock);
    while (!packages->stop) {
        bool due = !packages->read || seconds_now() >= packages->read_at + AGAIN;
        struct place *place = due ? NULL : next_place(packages);
        if (!due && place == NULL) {
            wait_for_work(packages);
            continue;
        }
        if (place != NULL)
            place->taken = true;
        pthread_mutex_unlock(&packages->lock);
        if (due)
            read_host(packages);
        else
            read_place(packages, place);
        pthread_mutex_lock(&packages->lock);
        announce(packages);
    }
    leave(packages);
    return NULL;
}

// Signals are for the thread that owns the terminal.
static bool start_thread(struct packages *packages)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&thread, &attributes, packages_thread, packages) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

static bool packages_open(struct source *source, struct trouble *trouble)
{
    const char *root = source->options->root != NULL ? source->options->root : "";
    int root_fd = open(*root != '\0' ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root_fd < 0 || strlen(root) >= PACKAGES_PATH) {
        snprintf(trouble->line, sizeof(trouble->line), "%.200s: %s", root,
                 strerror(root_fd < 0 ? errno : ENAMETOOLONG));
        if (root_fd >= 0)
            close(root_fd);
        return false;
    }
    struct packages *packages = xcalloc(1, sizeof(*packages));
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&packages->lock, NULL);
    pthread_cond_init(&packages->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    packages->root_fd = root_fd;
    packages->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    packages->users = 2;
    strlcpy(packages->root, root, sizeof(packages->root));
    if (start_thread(packages)) {
        source->state = packages;
        return true;
    }
    snprintf(trouble->line, sizeof(trouble->line), "no thread to read what is installed");
    forget_all(packages);
    return false;
}

static size_t packages_fds(const struct source *source, int *fds, size_t max)
{
    const struct packages *packages = source->state;
    if (max == 0)
        return 0;
    fds[0] = packages->event_fd;
    return 1;
}

static double packages_deadline(const struct source *source)
{
    (void)source;
    return INFINITY;
}

static enum source_event packages_work(struct source *source, double now)
{
    struct packages *packages = source->state;
    uint64_t count;
    (void)now;
    if (read(packages->event_fd, &count, sizeof(count)) < 0)
        return SOURCE_QUIET;
    pthread_mutex_lock(&packages->lock);
    bool fresh = packages->fresh;
    packages->fresh = false;
    pthread_mutex_unlock(&packages->lock);
    return fresh ? SOURCE_NEW : SOURCE_QUIET;
}

static struct place *find_place(struct packages *packages, enum place_kind kind, uint64_t pid,
                                const char *path)
{
    for (size_t i = 0; i < packages->place_count; i++) {
        struct place *place = packages->places[i];
        if (place->pid == pid && place->kind == kind && strcmp(place->path, path) == 0)
            return place;
    }
    return NULL;
}

// The answer for a file of a process; asks the thread when there is none yet.
static const struct place *ask(struct packages *packages, enum place_kind kind,
                               const struct process *process, const char *path, double now)
{
    if (path == NULL || !known_u64(process->pid) || strlen(path) >= PACKAGES_PATH)
        return NULL;
    struct place *place = find_place(packages, kind, process->pid.value, path);
    if (place == NULL && packages->place_count < PLACES_MAX) {
        place = xcalloc(1, sizeof(*place));
        place->kind = kind;
        place->pid = process->pid.value;
        strlcpy(place->path, path, sizeof(place->path));
        packages->places[packages->place_count++] = place;
        pthread_cond_signal(&packages->wake);
    }
    if (place == NULL)
        return NULL;
    place->asked = now;
    return place->done ? place : NULL;
}

static void forget_places(struct packages *packages, double now)
{
    size_t kept = 0;
    for (size_t i = 0; i < packages->place_count; i++) {
        struct place *place = packages->places[i];
        if (now - place->asked > PLACE_KEPT && (place->done || !place->taken))
            free(place);
        else
            packages->places[kept++] = place;
    }
    packages->place_count = kept;
}

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
            place = ask(packages, PLACE_LIBRARY, process, process->runtime_path, now);
            give(host->arena, &process->runtime_version, place != NULL ? place->version : NULL);
        }
        place = ask(packages, PLACE_PYTHON, process, process->python_path, now);
        if (process->environment == NULL)
            process->environment = environment_of(packages, host, place);
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
    give(arena, &versions->runtime_installed,
         version_of(versions->packages, versions->package_count, COMPONENT_RUNTIME));
    give(arena, &versions->collectives,
         version_of(versions->packages, versions->package_count, COMPONENT_COLLECTIVES));
    give(arena, &versions->tools,
         version_of(versions->packages, versions->package_count, COMPONENT_TOOLS));
    give(arena, &host->machine.kernel, installed->kernel);
    host->presence = installed->presence;
}

static bool all_done(const struct packages *packages)
{
    bool done = packages->read;
    for (size_t i = 0; i < packages->place_count; i++)
        done = done && packages->places[i]->done;
    return done;
}

static void packages_fill(const struct source *source, struct host *host, double now)
{
    struct packages *packages = source->state;
    pthread_mutex_lock(&packages->lock);
    fill_versions(packages, host);
    fill_environments(packages, host);
    fill_processes(packages, host, now);
    forget_places(packages, now);
    packages->complete = all_done(packages); // what has been filled in, not what came since
    pthread_mutex_unlock(&packages->lock);
    bool inf1 = host->hardware.generation != NULL && host->hardware.generation->id == GEN_INF1;
    give(host->arena, &host->versions.compiler,
         compiler_of(&host->versions, inf1 ? COMPONENT_COMPILER_INF1 : COMPONENT_COMPILER));
}

static void packages_status(const struct source *source, double now, struct source_status *status)
{
    struct packages *packages = source->state;
    pthread_mutex_lock(&packages->lock);
    status->state = packages->complete ? SOURCE_LIVE : SOURCE_STARTING;
    if (packages->read) {
        size_t count = packages->installed.count, environments = packages->environments.count;
        status->age_seconds = fact_f64(number_max(now - packages->read_at, 0), FROM_PROC);
        snprintf(packages->detail, sizeof(packages->detail),
                 "%zu package%s, %zu Python environment%s", count, count == 1 ? "" : "s",
                 environments, environments == 1 ? "" : "s");
        status->detail = packages->detail;
    }
    pthread_mutex_unlock(&packages->lock);
}

static void packages_close(struct source *source)
{
    struct packages *packages = source->state;
    source->state = NULL;
    pthread_mutex_lock(&packages->lock);
    packages->stop = true;
    pthread_cond_signal(&packages->wake);
    leave(packages);
}

const struct source_ops source_packages = {
    .name = "packages",
    .open = packages_open,
    .fds = packages_fds,
    .deadline = packages_deadline,
    .work = packages_work,
    .fill = packages_fill,
    .status = packages_status,
    .close = packages_close,
};
