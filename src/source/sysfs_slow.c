// SPDX-License-Identifier: Apache-2.0
// Files that the kernel may hold for seconds while a device resets: serial number, ECC, firmware,
// health (driver reference 2.10). One thread reads them and hands over finished texts; when the
// reader is closed meanwhile the thread ends by itself later, and the last one frees.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/xmem.h"
#include "source/background.h"
#include "source/sysfs_state.h"

enum {
    SLOW_METRICS = CHIP_METRICS - CHIP_SLOW_FIRST,
    JOB_PATH = 256,
    STACK_BYTES = 256 * 1024 // it only reads files
};

// A read longer than this means a device in trouble: its other files are left for the next round.
#define LONG_READ 0.5

struct job {
    unsigned device, metric;
    ino_t inode;
    int dir; // a descriptor of the job's own
    bool done, known;
    size_t length;
    char path[JOB_PATH], text[SYSFS_SLOW_TEXT];
};

struct sysfs_slow {
    pthread_mutex_t lock;
    pthread_cond_t wake, finished;
    unsigned users; // reader and thread
    bool stop, busy;
    size_t count;
    struct job *jobs; // belongs to the thread while busy
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// What cannot change is not read again, once it was told.
static bool is_settled(unsigned metric, const struct sysfs_slow_value *value)
{
    uint64_t number;
    if (metric == CHIP_SERIAL)
        return value->known && sysfs_serial(value->text, value->length);
    return (metric == CHIP_FW_API || metric == CHIP_FW_BUILD) && value->known &&
           sysfs_u64(value->text, value->length, &number);
}

static void run_job(struct job *job)
{
    int fd = openat(job->dir, job->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t got = fd >= 0 ? read(fd, job->text, sizeof(job->text)) : -1;
    if (fd >= 0)
        close(fd);
    job->done = true;
    job->known = got > 0 && (size_t)got < sizeof(job->text);
    job->length = job->known ? (size_t)got : 0;
}

static void run_jobs(struct job *jobs, size_t count)
{
    unsigned troubled = SYSFS_DEVICES;
    for (size_t i = 0; i < count; i++) {
        if (jobs[i].device == troubled)
            continue;
        double before = seconds();
        run_job(&jobs[i]);
        if (seconds() - before > LONG_READ)
            troubled = jobs[i].device;
    }
}

static void end_jobs(struct sysfs_slow *slow)
{
    for (size_t i = 0; i < slow->count; i++)
        close(slow->jobs[i].dir);
    free(slow->jobs);
    slow->jobs = NULL;
    slow->count = 0;
}

// Leaves SLOW, whose lock is held; the last user ends it.
static void leave(struct sysfs_slow *slow)
{
    bool last = --slow->users == 0;
    pthread_mutex_unlock(&slow->lock);
    if (!last)
        return;
    end_jobs(slow);
    pthread_mutex_destroy(&slow->lock);
    pthread_cond_destroy(&slow->wake);
    pthread_cond_destroy(&slow->finished);
    free(slow);
}

static void *slow_thread(void *argument)
{
    struct sysfs_slow *slow = argument;
    pthread_mutex_lock(&slow->lock);
    while (!slow->stop) {
        if (!slow->busy) {
            pthread_cond_wait(&slow->wake, &slow->lock);
            continue;
        }
        pthread_mutex_unlock(&slow->lock);
        run_jobs(slow->jobs, slow->count);
        pthread_mutex_lock(&slow->lock);
        slow->busy = false;
        pthread_cond_signal(&slow->finished);
    }
    leave(slow);
    return NULL;
}

static struct sysfs_slow *slow_new(void)
{
    struct sysfs_slow *slow = xcalloc(1, sizeof(*slow));
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&slow->lock, NULL);
    pthread_cond_init(&slow->wake, NULL);
    pthread_cond_init(&slow->finished, &attributes);
    pthread_condattr_destroy(&attributes);
    slow->users = 2;
    if (background_start(slow_thread, slow, STACK_BYTES))
        return slow;
    slow->users = 1;
    pthread_mutex_lock(&slow->lock);
    leave(slow);
    return NULL;
}

static bool add_job(struct job *job, const struct sysfs_device *device, unsigned metric)
{
    const struct sysfs_file *file = &device->files.chip[metric];
    const struct sysfs_slow_value *value = &device->slow[metric - CHIP_SLOW_FIRST];
    if (file->path == NULL || file->ambiguous || strlen(file->path) >= JOB_PATH ||
        is_settled(metric, value))
        return false;
    int dir = fcntl(device->files.dir, F_DUPFD_CLOEXEC, 3);
    if (dir < 0)
        return false;
    *job =
        (struct job){.device = device->index, .metric = metric, .inode = device->inode, .dir = dir};
    memcpy(job->path, file->path, strlen(file->path) + 1);
    return true;
}

// All that is due, device by device.
static size_t add_jobs(const struct sysfs *sysfs, struct job *jobs)
{
    size_t count = 0;
    for (unsigned i = 0; i < SYSFS_DEVICES; i++)
        for (unsigned m = CHIP_SLOW_FIRST; m < CHIP_METRICS; m++)
            if (sysfs->devices[i] != NULL && sysfs->devices[i]->indexed &&
                add_job(&jobs[count], sysfs->devices[i], m))
                count++;
    return count;
}

void sysfs_slow_round(struct sysfs *sysfs)
{
    double now = sysfs->clock();
    if (sysfs->reading == 0 || now - sysfs->slow_at < SYSFS_SLOW_SECONDS)
        return;
    if (sysfs->slow == NULL)
        sysfs->slow = slow_new();
    struct sysfs_slow *slow = sysfs->slow;
    if (slow == NULL)
        return;
    pthread_mutex_lock(&slow->lock);
    if (!slow->busy) {
        end_jobs(slow);
        slow->jobs = xcalloc(sysfs->reading, SLOW_METRICS * sizeof(*slow->jobs));
        slow->count = add_jobs(sysfs, slow->jobs);
        slow->busy = slow->count > 0;
        sysfs->slow_at = now;
        pthread_cond_signal(&slow->wake);
    }
    pthread_mutex_unlock(&slow->lock);
}

// The health check's heartbeat must advance; when it last did is kept.
static void follow_heartbeat(struct sysfs_device *device, const struct sysfs_slow_value *value)
{
    uint64_t beat;
    if (!value->known || !sysfs_u64(value->text, value->length, &beat))
        return;
    if (device->heartbeat_at == 0 || device->heartbeat != beat)
        device->heartbeat_at = value->at;
    device->heartbeat = beat;
}

static void hand_over(struct sysfs *sysfs, const struct job *job)
{
    struct sysfs_device *device = sysfs->devices[job->device];
    if (!job->done || device == NULL || device->inode != job->inode)
        return;
    struct sysfs_slow_value *value = &device->slow[job->metric - CHIP_SLOW_FIRST];
    value->known = job->known;
    value->at = sysfs->clock();
    value->length = job->length;
    memcpy(value->text, job->text, job->length);
    if (job->metric == CHIP_HEALTH_HEARTBEAT)
        follow_heartbeat(device, value);
}

static void wait_for_round(struct sysfs_slow *slow, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(seconds * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    while (slow->busy && seconds > 0)
        if (pthread_cond_timedwait(&slow->finished, &slow->lock, &until) == ETIMEDOUT)
            break;
}

void sysfs_slow_collect(struct sysfs *sysfs, double wait_seconds)
{
    struct sysfs_slow *slow = sysfs->slow;
    if (slow == NULL)
        return;
    pthread_mutex_lock(&slow->lock);
    wait_for_round(slow, wait_seconds);
    if (!slow->busy) {
        for (size_t i = 0; i < slow->count; i++)
            hand_over(sysfs, &slow->jobs[i]);
        end_jobs(slow);
    }
    pthread_mutex_unlock(&slow->lock);
}

void sysfs_slow_close(struct sysfs *sysfs)
{
    struct sysfs_slow *slow = sysfs->slow;
    sysfs->slow = NULL;
    if (slow == NULL)
        return;
    pthread_mutex_lock(&slow->lock);
    slow->stop = true;
    pthread_cond_signal(&slow->wake);
    leave(slow);
}
