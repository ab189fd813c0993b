// SPDX-License-Identifier: Apache-2.0
// The state of the reader of NEFFs: shared by its thread, which looks, and the thread of the
// screen, which asks and fills. Private to neffs*.c.
#ifndef NEUTOP_SOURCE_NEFFS_STATE_H
#define NEUTOP_SOURCE_NEFFS_STATE_H

#include <pthread.h>

#include "source/neffs.h"
#include "source/source.h"

enum { NEFFS_TASKS_MAX = 1024 };

// A process that is looked at.
struct neffs_task {
    uint64_t pid;
    double wanted_at, asked, due, wait; // monotonic but for wait: seconds between two looks
    uint64_t answer_wanted;             // the key of the newest question, asked at wanted_at
    bool taken;                         // the thread looks; then neither answer nor task is dropped
    struct neffs_question *question;
    struct neffs_answer *answer;
    size_t answer_bytes;
};

// All but ROOT_FD and CACHES, which is the thread's, under LOCK.
struct neffs {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    unsigned users; // reader and thread
    bool stop, fresh, complete, waiting;
    int event_fd, root_fd;
    size_t known, untold; // NEFFs that are known, and models without one
    size_t task_count;
    struct neffs_task *tasks[NEFFS_TASKS_MAX];
    struct neffs_caches *caches;
    char detail[SOURCE_DETAIL];
};

// Copies what is known into HOST and asks for what is not; an operation of the reader.
void neffs_fill(const struct source *source, struct host *host, double now);

void neffs_task_free(struct neffs_task *task);

#endif
