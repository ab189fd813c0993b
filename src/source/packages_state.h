// SPDX-License-Identifier: Apache-2.0
// The state of the reader of what is installed: shared by its thread, which reads, and the thread
// of the screen, which asks and fills. Private to packages*.c.
#ifndef NEUTOP_SOURCE_PACKAGES_STATE_H
#define NEUTOP_SOURCE_PACKAGES_STATE_H

#include <pthread.h>

#include "source/packages.h"
#include "source/source.h"

enum { PLACES_MAX = 1024 };

enum place_kind { PLACE_LIBRARY, PLACE_PYTHON, PLACE_GLIBC };

// A file or folder of a process that is to be looked into.
struct place {
    enum place_kind kind;
    uint64_t pid;
    double asked; // monotonic, the last time
    bool taken, done;
    dev_t device;
    ino_t inode;
    char path[PACKAGES_PATH];
    char version[VERSION_TEXT]; // of a library, or of the glibc in a root folder
    const struct installed_environment *environment; // of the common list
};

// All but ROOT and ROOT_FD under LOCK.
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

// Keeps FOUND in the list, which then owns it; what is there of the same folder is replaced. NULL
// when FOUND is NULL or the list is full. Under the lock where the list is the common one.
const struct installed_environment *environments_keep(struct installed_environments *list,
                                                      struct installed_environment *found);

// A place that nobody looks into yet, NULL: none. Under the lock.
struct place *places_next(struct packages *packages);

// Looks into PLACE, which has been taken: the thread's, without the lock.
void places_read(struct packages *packages, struct place *place);

// The answer for a file of PROCESS, NULL while there is none; the thread is asked then. Under the
// lock, as the next two.
const struct place *places_ask(struct packages *packages, enum place_kind kind,
                               const struct process *process, const char *path, double now);

// Drops what nobody has asked for since a while.
void places_forget(struct packages *packages, double now);

// Whether everything that was asked for has been read.
bool places_done(const struct packages *packages);

// Copies what is known into HOST; an operation of the reader.
void packages_fill(const struct source *source, struct host *host, double now);

#endif
