// SPDX-License-Identifier: Apache-2.0
// Which NEFF each process runs, as a source. Its files are looked at rarely, and may lie on a file
// system that does not answer: one thread looks and hands over finished answers. When the reader is
// closed meanwhile the thread ends by itself later, and the last one frees.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/xmem.h"
#include "source/background.h"
#include "source/neffs_state.h"

enum { STACK_BYTES = 512 * 1024 };

// Seconds between two looks at a process whose models stay as they are.
#define WAIT_FIRST 30
#define WAIT_MOST 600

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void neffs_task_free(struct neffs_task *task)
{
    neffs_question_free(task->question);
    free(task->answer);
    free(task);
}

static void forget_all(struct neffs *neffs)
{
    for (size_t i = 0; i < neffs->task_count; i++)
        neffs_task_free(neffs->tasks[i]);
    neffs_caches_free(neffs->caches);
    close(neffs->root_fd);
    close(neffs->event_fd);
    pthread_mutex_destroy(&neffs->lock);
    pthread_cond_destroy(&neffs->wake);
    free(neffs);
}

// Leaves NEFFS, whose lock is held; the last user ends it.
static void leave(struct neffs *neffs)
{
    bool last = --neffs->users == 0;
    pthread_mutex_unlock(&neffs->lock);
    if (last)
        forget_all(neffs);
}

static struct neffs_task *next_task(struct neffs *neffs)
{
    for (size_t i = 0; i < neffs->task_count; i++)
        if (neffs->tasks[i]->question != NULL)
            return neffs->tasks[i];
    return NULL;
}

static size_t answer_bytes(const struct neffs_answer *answer)
{
    return sizeof(*answer) + answer->file_count * sizeof(answer->files[0]);
}

static void put_answer(struct neffs *neffs, struct neffs_task *task, struct neffs_answer *answer)
{
    size_t bytes = answer_bytes(answer);
    bool again = task->answer != NULL && task->answer->key == answer->key;
    bool same = again && task->answer_bytes == bytes && memcmp(task->answer, answer, bytes) == 0;
    task->wait = !again ? WAIT_FIRST : task->wait * 2 < WAIT_MOST ? task->wait * 2 : WAIT_MOST;
    task->due = seconds_now() + task->wait;
    task->taken = false;
    free(task->answer);
    task->answer = answer;
    task->answer_bytes = bytes;
    neffs->fresh = neffs->fresh || !same;
}

// The answer of before stays where it is while the thread looks: the other one only reads it.
static void do_task(struct neffs *neffs, struct neffs_task *task)
{
    struct neffs_question *question = task->question;
    uint64_t one = 1;
    task->question = NULL;
    task->taken = true;
    pthread_mutex_unlock(&neffs->lock);
    struct neffs_answer *answer = neffs_look(neffs->caches, neffs->root_fd, question, task->answer);
    neffs_question_free(question);
    pthread_mutex_lock(&neffs->lock);
    put_answer(neffs, task, answer);
    if (neffs->fresh && write(neffs->event_fd, &one, sizeof(one)) < 0)
        return; // it is full: the reader has been told long ago
}

static void *neffs_thread(void *argument)
{
    struct neffs *neffs = argument;
    pthread_mutex_lock(&neffs->lock);
    while (!neffs->stop) {
        struct neffs_task *task = next_task(neffs);
        if (task != NULL)
            do_task(neffs, task);
        else
            pthread_cond_wait(&neffs->wake, &neffs->lock);
    }
    leave(neffs);
    return NULL;
}

static bool neffs_open(struct source *source, struct trouble *trouble)
{
    const char *root = source->options->root != NULL ? source->options->root : "";
    int root_fd = open(*root != '\0' ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root_fd < 0) {
        snprintf(trouble->line, sizeof(trouble->line), "%.200s: %s", root, strerror(errno));
        return false;
    }
    struct neffs *neffs = xcalloc(1, sizeof(*neffs));
    pthread_mutex_init(&neffs->lock, NULL);
    pthread_cond_init(&neffs->wake, NULL);
    neffs->root_fd = root_fd;
    neffs->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    neffs->caches = neffs_caches_new();
    neffs->users = 2;
    if (background_start(neffs_thread, neffs, STACK_BYTES)) {
        source->state = neffs;
        return true;
    }
    snprintf(trouble->line, sizeof(trouble->line), "no thread to look for NEFFs");
    forget_all(neffs);
    return false;
}

static size_t neffs_fds(const struct source *source, int *fds, size_t max)
{
    const struct neffs *neffs = source->state;
    if (max == 0)
        return 0;
    fds[0] = neffs->event_fd;
    return 1;
}

static double neffs_deadline(const struct source *source)
{
    (void)source;
    return INFINITY;
}

static enum source_event neffs_work(struct source *source, double now)
{
    struct neffs *neffs = source->state;
    uint64_t count;
    (void)now;
    if (read(neffs->event_fd, &count, sizeof(count)) < 0)
        return SOURCE_QUIET;
    pthread_mutex_lock(&neffs->lock);
    bool fresh = neffs->fresh;
    neffs->fresh = false;
    pthread_mutex_unlock(&neffs->lock);
    return fresh ? SOURCE_NEW : SOURCE_QUIET;
}

static void neffs_status(const struct source *source, double now, struct source_status *status)
{
    struct neffs *neffs = source->state;
    (void)now;
    pthread_mutex_lock(&neffs->lock);
    status->state = neffs->complete ? SOURCE_LIVE : SOURCE_STARTING;
    snprintf(neffs->detail, sizeof(neffs->detail), "%zu NEFF%s in use known, %zu model%s without%s",
             neffs->known, neffs->known == 1 ? "" : "s", neffs->untold,
             neffs->untold == 1 ? "" : "s",
             neffs->waiting ? "; still waiting for a file system" : "");
    status->detail = neffs->detail;
    pthread_mutex_unlock(&neffs->lock);
}

static void neffs_close(struct source *source)
{
    struct neffs *neffs = source->state;
    source->state = NULL;
    pthread_mutex_lock(&neffs->lock);
    neffs->stop = true;
    pthread_cond_signal(&neffs->wake);
    leave(neffs);
}

const struct source_ops source_neffs = {
    .name = "neffs",
    .open = neffs_open,
    .fds = neffs_fds,
    .deadline = neffs_deadline,
    .work = neffs_work,
    .fill = neffs_fill,
    .status = neffs_status,
    .close = neffs_close,
};
