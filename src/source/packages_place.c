// SPDX-License-Identifier: Apache-2.0
// Files and folders of processes that are looked into once for all processes that have the same:
// their runtime library and their Python environment.
#include <bsd/string.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xmem.h"
#include "source/inside.h"
#include "source/packages_state.h"

#define PLACE_KEPT 60 // seconds that a process's file is remembered

// Keeps FOUND in the list, or what is there of the same folder. Under the lock.
const struct installed_environment *environments_keep(struct installed_environments *list,
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

// Reads PLACE into ANSWER; *FOUND is an environment that was read.
static void look_into(struct packages *packages, const struct place *place, struct place *answer,
                      struct installed_environment **found)
{
    struct stat info;
    int root = inside_process_root(packages->root_fd, place->pid);
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
    else if (!known && place->kind == PLACE_GLIBC)
        glibc_read(root, answer->version);
    else if (!known)
        *found = environment_read(root, place->path);
    close(root);
}

// PLACE is the thread's until it is done: it is not dropped before.
void places_read(struct packages *packages, struct place *place)
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
        answer.environment = environments_keep(&packages->environments, found);
    answer.done = true;
    *place = answer;
    packages->fresh = true;
    pthread_mutex_unlock(&packages->lock);
}

struct place *places_next(struct packages *packages)
{
    for (size_t i = 0; i < packages->place_count; i++)
        if (!packages->places[i]->taken)
            return packages->places[i];
    return NULL;
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
const struct place *places_ask(struct packages *packages, enum place_kind kind,
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

void places_forget(struct packages *packages, double now)
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

bool places_done(const struct packages *packages)
{
    bool done = packages->read;
    for (size_t i = 0; i < packages->place_count; i++)
        done = done && packages->places[i]->done;
    return done;
}
