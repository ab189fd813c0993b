// SPDX-License-Identifier: Apache-2.0
// The reader "proc": who has a Neuron device open, by /proc.
#include "source/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "base/xmem.h"
#include "source/lnc_default.h"
#include "source/proc_state.h"
#include "source/proc_text.h"

static const long procfs = 0x9fa0; // linux/magic.h: PROC_SUPER_MAGIC

// When the machine was started, UTC. Of a captured host its own file tells.
static double boot_time(struct proc *proc)
{
    struct timespec wall, since;
    uint64_t seconds;
    struct piece rest = {proc->text, 0}, line;
    if (*proc->where.root == '\0' && clock_gettime(CLOCK_REALTIME, &wall) == 0 &&
        clock_gettime(CLOCK_BOOTTIME, &since) == 0)
        return (double)(wall.tv_sec - since.tv_sec) + (double)(wall.tv_nsec - since.tv_nsec) / 1e9;
    ssize_t length = proc_slurp(proc, proc->dir, "stat");
    rest.length = length > 0 ? (size_t)length : 0;
    while (piece_next(&rest, '\n', &line))
        if (piece_starts(line, "btime ") && piece_number(piece_from(line, 6), &seconds))
            return (double)seconds;
    return 0;
}

// Steps of the wall clock move it; noise of the two clocks does not.
static void read_clock(struct proc *proc)
{
    double boot = *proc->where.root == '\0' || proc->boot_unix_seconds == 0
                      ? boot_time(proc)
                      : proc->boot_unix_seconds;
    if (fabs(boot - proc->boot_unix_seconds) > 0.5)
        proc->boot_unix_seconds = boot;
}

static bool holds_process(struct proc *proc)
{
    struct proc_dir list;
    int pid;
    if (!proc_dir_open(proc, &list, 0, proc->dir, "."))
        return false;
    bool any = proc_dir_next(&list, &pid, NULL);
    proc_dir_close(&list);
    return any;
}

static int driver_major(struct proc *proc)
{
    ssize_t length = proc_slurp(proc, proc->dir, "devices");
    return length > 0 ? proc_parse_major(proc->text, (size_t)length) : -1;
}

static bool open_folder(struct proc *proc, struct trouble *trouble)
{
    char path[PATH_MAX];
    struct statfs system;
    const char *root = proc->where.root;
    snprintf(path, sizeof(path), "%s/proc", root);
    proc->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (proc->dir < 0) {
        snprintf(trouble->line, sizeof(trouble->line), "%.200s: %s", path, strerror(errno));
        return false;
    }
    bool real = fstatfs(proc->dir, &system) == 0 && (long)system.f_type == procfs;
    proc->captured = *root != '\0' && !real;
    if (!holds_process(proc)) {
        snprintf(trouble->line, sizeof(trouble->line), "%.200s/proc holds no process", root);
        return false;
    }
    if (!proc->captured && proc->where.major < 0 && driver_major(proc) < 0) {
        snprintf(trouble->line, sizeof(trouble->line),
                 "no 'neuron' in %.180s/proc/devices: the driver is not loaded", root);
        return false;
    }
    return true;
}

struct proc *proc_new(const struct proc_where *where, struct trouble *trouble)
{
    struct proc *proc = xcalloc(1, sizeof(*proc));
    proc->where = *where;
    proc->references = -1;
    proc->rescan = true;
    proc->next = proc->read_at = proc->full_at = -INFINITY;
    proc->listing[0] = xmalloc(PROC_LISTING);
    proc->listing[1] = xmalloc(PROC_LISTING);
    proc->text = xmalloc(PROC_TEXT + 1);
    proc->tick_rate = sysconf(_SC_CLK_TCK) > 0 ? sysconf(_SC_CLK_TCK) : 100;
    proc->page_bytes = sysconf(_SC_PAGESIZE) > 0 ? sysconf(_SC_PAGESIZE) : 4096;
    if (*where->root == '\0' && sysconf(_SC_NPROCESSORS_ONLN) > 0)
        proc->cpus = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    proc->lnc_setting = lnc_default_read(where->root).lnc;
    if (open_folder(proc, trouble))
        return proc;
    proc_free(proc);
    return NULL;
}

void proc_free(struct proc *proc)
{
    if (proc == NULL)
        return;
    for (size_t i = 0; i < proc->watch_count; i++)
        proc_watch_free(proc->watches[i]);
    containers_free(proc->containers);
    free(proc->watches);
    free(proc->entries);
    free(proc->before);
    free(proc->users);
    free(proc->listing[0]);
    free(proc->listing[1]);
    free(proc->text);
    if (proc->dir >= 0)
        close(proc->dir);
    free(proc);
}

static bool is_denied(const struct proc *proc)
{
    return proc->denied > 0 && (proc->references < 0 || proc_unexplained(proc) > 0);
}

// What is not to be named for want of rights: the runtimes' files are root's.
static void add_nameless(struct proc *proc)
{
    size_t length = strlen(proc->detail), count = proc_containers_denied(proc);
    if (count > 0)
        snprintf(proc->detail + length, sizeof(proc->detail) - length,
                 ", name%s of %zu container%s not readable", count == 1 ? "" : "s", count,
                 count == 1 ? "" : "s");
}

// One line; rights that are missing are said once, and only when they could hide a holder.
static void write_detail(struct proc *proc)
{
    size_t size = sizeof(proc->detail);
    unsigned long long unseen = proc_unexplained(proc);
    const char *plural = proc->holders == 1 ? "" : "s";
    if (proc->lost)
        snprintf(proc->detail, size, "%.200s/proc cannot be listed", proc->where.root);
    else if (is_denied(proc))
        snprintf(proc->detail, size,
                 "%zu processes not readable: run as root or with CAP_SYS_PTRACE", proc->denied);
    else if (!proc->sees_all && unseen > 0)
        snprintf(proc->detail, size,
                 "%zu process%s with a device open, %llu open handle%s of someone not visible from "
                 "here",
                 proc->holders, proc->holders == 1 ? "" : "es", unseen, unseen == 1 ? "" : "s");
    else
        snprintf(proc->detail, size, "%zu process%s with a device open", proc->holders,
                 *plural == '\0' ? "" : "es");
    if (!proc->lost)
        add_nameless(proc);
}

void proc_read(struct proc *proc, double now)
{
    read_clock(proc);
    proc_scan(proc, now);
    proc_containers_read(proc, now);
    proc->read_at = now;
    proc->next = now + proc->where.delay_seconds;
    write_detail(proc);
}

void proc_status(const struct proc *proc, double now, struct source_status *status)
{
    bool read = isfinite(proc->read_at);
    status->state = !read             ? SOURCE_STARTING
                    : proc->lost      ? SOURCE_LOST
                    : is_denied(proc) ? SOURCE_DENIED
                                      : SOURCE_LIVE;
    if (read)
        status->age_seconds = fact_f64(number_max(now - proc->read_at, 0), FROM_PROC);
    status->detail = read ? proc->detail : NULL;
}

double proc_deadline(const struct proc *proc)
{
    return proc->next;
}

void proc_set_delay(struct proc *proc, double seconds)
{
    proc->where.delay_seconds = seconds;
    if (isfinite(proc->read_at))
        proc->next = proc->read_at + seconds;
}

unsigned long proc_scans(const struct proc *proc)
{
    return proc->scans;
}

static bool source_open(struct source *source, struct trouble *trouble)
{
    struct proc_where where = {.root = source->options->root != NULL ? source->options->root : "",
                               .delay_seconds = source->options->delay_seconds,
                               .major = -1,
                               .self = 0};
    if (*where.root == '\0')
        where.self = (int)getpid();
    source->state = proc_new(&where, trouble);
    return source->state != NULL;
}

static double source_deadline(const struct source *source)
{
    return proc_deadline(source->state);
}

static enum source_event source_work(struct source *source, double now)
{
    if (now < proc_deadline(source->state))
        return SOURCE_QUIET;
    proc_read(source->state, now);
    return SOURCE_NEW;
}

static void source_set_delay(struct source *source, double seconds)
{
    proc_set_delay(source->state, seconds);
}

static void source_fill(const struct source *source, struct host *host, double now)
{
    proc_fill(source->state, host, now);
}

static void source_status_of(const struct source *source, double now, struct source_status *status)
{
    proc_status(source->state, now, status);
}

static void source_close(struct source *source)
{
    proc_free(source->state);
    source->state = NULL;
}

const struct source_ops source_proc = {
    .name = "proc",
    .open = source_open,
    .deadline = source_deadline,
    .work = source_work,
    .set_delay = source_set_delay,
    .fill = source_fill,
    .status = source_status_of,
    .close = source_close,
};
