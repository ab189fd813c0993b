// SPDX-License-Identifier: Apache-2.0
// What is installed, as a source. It is read rarely, and may lie on a file system that does not
// answer: one thread reads and hands over finished facts. When the reader is closed meanwhile the
// thread ends by itself later, and the last one frees.
#include <bsd/string.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "base/xmem.h"
#include "source/background.h"
#include "source/packages_state.h"

enum { STACK_BYTES = 512 * 1024 };

#define AGAIN 120 // seconds between two looks at what is installed

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

static void take_found(void *user, struct installed_environment *environment)
{
    struct installed_environments *found = user;
    environment->host = true;
    environments_keep(found, environment);
}

// All that does not hang on a process. Takes the lock only to hand over.
static void read_host(struct packages *packages)
{
    struct installed *installed = xmalloc(sizeof(*installed));
    struct installed_environments found = {0};
    installed->module = packages->installed.module; // only this thread writes it
    installed_read(installed, packages->root, packages->root_fd);
    environments_find(packages->root_fd, take_found, &found);
    pthread_mutex_lock(&packages->lock);
    packages->installed = *installed;
    for (size_t i = 0; i < found.count; i++)
        environments_keep(&packages->environments, found.items[i]);
    packages->read = packages->fresh = true;
    packages->read_at = seconds_now();
    pthread_mutex_unlock(&packages->lock);
    free(installed);
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
        struct place *place = due ? NULL : places_next(packages);
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
            places_read(packages, place);
        pthread_mutex_lock(&packages->lock);
        announce(packages);
    }
    leave(packages);
    return NULL;
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
    if (background_start(packages_thread, packages, STACK_BYTES)) {
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
