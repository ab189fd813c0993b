// SPDX-License-Identifier: Apache-2.0
// The processes that are looked at closely at every reading: whether they are still there, what
// they hold, what they use of the CPUs.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef SYS_kcmp
#include <linux/kcmp.h>
#endif

#include "base/number.h"
#include "base/xmem.h"
#include "source/proc_state.h"

// Seconds: how often the slow facts are read again; how long a process that another reader named
// is remembered; the waits between two looks for a runtime that is not loaded yet.
static const double facts_every = 10, asked_for = 30, maps_first = 2, maps_longest = 64;
static const double maps_known = 300;       // when the runtime is known: it may be replaced on disk
static const double shortest_period = 0.09; // under it CPU ticks of 10 ms tell no rate

struct proc_watch *proc_watch_find(const struct proc *proc, int pid)
{
    for (size_t i = 0; i < proc->watch_count; i++)
        if (proc->watches[i]->pid == pid)
            return proc->watches[i];
    return NULL;
}

static void begin(struct proc_watch *watch, int pid)
{
    struct proc_handle *handles = watch->handles;
    size_t room = watch->handle_room;
    double asked = watch->asked;
    *watch = (struct proc_watch){.pid = pid,
                                 .asked = asked,
                                 .handles = handles,
                                 .handle_room = room,
                                 .rate_from = -INFINITY,
                                 .maps_wait = maps_first,
                                 .user_rate = NAN,
                                 .system_rate = NAN};
}

struct proc_watch *proc_watch_add(struct proc *proc, int pid)
{
    struct proc_watch *watch = xcalloc(1, sizeof(*watch));
    watch->asked = -INFINITY;
    begin(watch, pid);
    if (proc->watch_count == proc->watch_room) {
        proc->watch_room = proc->watch_room * 2 + 16;
        proc->watches = xreallocarray(proc->watches, proc->watch_room, sizeof(struct proc_watch *));
    }
    proc->watches[proc->watch_count++] = watch;
    return watch;
}

void proc_watch_free(struct proc_watch *watch)
{
    free(watch->handles);
    free(watch);
}

void proc_watches_forget(struct proc *proc, double now)
{
    size_t kept = 0;
    for (size_t i = 0; i < proc->watch_count; i++) {
        struct proc_watch *watch = proc->watches[i];
        if (watch->handle_count > 0 || now - watch->asked <= asked_for)
            proc->watches[kept++] = watch;
        else
            proc_watch_free(watch);
    }
    proc->watch_count = kept;
}

static void add_handle(struct proc_watch *watch, struct proc_handle handle)
{
    if (watch->handle_count == watch->handle_room) {
        watch->handle_room = watch->handle_room * 2 + 16;
        watch->handles = xreallocarray(watch->handles, watch->handle_room, sizeof(handle));
    }
    watch->handles[watch->handle_count++] = handle;
}

// The folder of its descriptors. When the first thread of a process has ended (state Z, other
// threads live on) the files are those of the others.
static bool open_files(struct proc *proc, struct proc_dir *list, int dir,
                       const struct proc_stat *stat)
{
    struct proc_dir tasks;
    char path[64] = "fd";
    int tid;
    if (stat->state == 'Z' && stat->threads > 1 && proc_dir_open(proc, &tasks, 0, dir, "task")) {
        while (proc_dir_next(&tasks, &tid, NULL))
            if (tid != stat->pid)
                snprintf(path, sizeof(path), "task/%d/fd", tid);
        proc_dir_close(&tasks);
    }
    return proc_dir_open(proc, list, 1, dir, path);
}

static enum proc_access access_of(struct proc *proc, int fds, int fd)
{
    char path[64];
    snprintf(path, sizeof(path), "../fdinfo/%d", fd);
    ssize_t length = proc_slurp(proc, fds, path);
    return length > 0 ? proc_parse_access(proc->text, (size_t)length) : PROC_UNTOLD;
}

// Goes through all files. What cannot be read any more leaves the known handles in place: a holder
// is never dropped for want of rights.
static void find_handles(struct proc *proc, struct proc_watch *watch, int dir)
{
    struct proc_dir list;
    size_t mapped = 0;
    int fd;
    if (!open_files(proc, &list, dir, &watch->stat))
        return;
    proc->scans++;
    for (size_t i = 0; i < watch->handle_count; i++)
        if (watch->handles[i].fd < 0)
            watch->handles[mapped++] = watch->handles[i];
    watch->handle_count = mapped;
    while (proc_dir_next(&list, &fd, NULL)) {
        int device = proc_device_of(proc, list.fd, fd);
        if (device >= 0)
            add_handle(watch, (struct proc_handle){.fd = fd,
                                                   .device = (unsigned char)device,
                                                   .access = access_of(proc, list.fd, fd)});
    }
    proc_dir_close(&list);
    proc->mark = true;
}

// Where the kernel does not tell whether two descriptors are one open file: a child that asks for
// cores of its own has opened the device itself. Else it counts as forked.
static bool likely_forked(const struct proc_watch *parent, const struct proc_watch *child)
{
    return strcmp(parent->environ.visible_cores, child->environ.visible_cores) == 0;
}

static bool same_file(const struct proc *proc, const struct proc_watch *parent,
                      const struct proc_watch *child, int fd)
{
    if (proc->captured || fd < 0)
        return likely_forked(parent, child);
#ifdef SYS_kcmp
    long order =
        syscall(SYS_kcmp, (long)parent->pid, (long)child->pid, (long)KCMP_FILE, (long)fd, (long)fd);
    if (order >= 0)
        return order == 0;
#endif
    return likely_forked(parent, child);
}

static bool parent_has(const struct proc *proc, const struct proc_watch *parent,
                       const struct proc_watch *child, const struct proc_handle *handle)
{
    for (size_t i = 0; i < parent->handle_count; i++)
        if (parent->handles[i].fd == handle->fd && parent->handles[i].device == handle->device)
            return same_file(proc, parent, child, handle->fd);
    return false;
}

// A parent was there first. What a tree tells otherwise is none: two that are each other's parents
// would both be taken for forks, and nobody for the holder.
static bool was_first(const struct proc_watch *parent, const struct proc_watch *child)
{
    if (parent->stat.start_ticks != child->stat.start_ticks)
        return parent->stat.start_ticks < child->stat.start_ticks;
    return parent->pid < child->pid;
}

static void mark_inherited(const struct proc *proc, struct proc_watch *watch)
{
    const struct proc_watch *parent =
        watch->stat_known ? proc_watch_find(proc, watch->stat.ppid) : NULL;
    bool fork = parent != NULL && was_first(parent, watch);
    for (size_t i = 0; i < watch->handle_count; i++)
        watch->handles[i].inherited = fork && parent_has(proc, parent, watch, &watch->handles[i]);
}

// A forked worker has its parent's handles, but it is the parent whom the driver attached.
void proc_watches_mark(struct proc *proc)
{
    for (size_t i = 0; proc->mark && i < proc->watch_count; i++)
        mark_inherited(proc, proc->watches[i]);
    proc->mark = false;
}

bool proc_watch_inherited(const struct proc_watch *watch)
{
    for (size_t i = 0; i < watch->handle_count; i++)
        if (!watch->handles[i].inherited)
            return false;
    return watch->handle_count > 0;
}

// True when every known descriptor still is what it was.
static bool handles_stand(struct proc *proc, const struct proc_watch *watch, int dir)
{
    struct proc_dir list;
    bool stand = true;
    if (watch->handle_count == 0 || !open_files(proc, &list, dir, &watch->stat))
        return true;
    for (size_t i = 0; stand && i < watch->handle_count; i++)
        stand = watch->handles[i].fd < 0 ||
                proc_device_of(proc, list.fd, watch->handles[i].fd) == watch->handles[i].device;
    proc_dir_close(&list);
    return stand;
}

static void drop_mapped(struct proc_watch *watch)
{
    size_t kept = 0;
    for (size_t i = 0; i < watch->handle_count; i++)
        if (watch->handles[i].fd >= 0)
            watch->handles[kept++] = watch->handles[i];
    watch->handle_count = kept;
}

// Looks again and again, ever more rarely, until the runtime is loaded.
static void read_mappings(struct proc *proc, struct proc_watch *watch, int dir, double now)
{
    uint64_t devices = 0;
    bool only_mapped = false;
    if (proc_facts_mapped(proc, dir, watch, &devices)) {
        drop_mapped(watch);
        watch->mapped = devices;
    }
    for (size_t i = 0; i < watch->handle_count; i++)
        devices &= ~(UINT64_C(1) << watch->handles[i].device);
    for (unsigned device = 0; device < PROC_DEVICES_MAX; device++)
        if ((devices >> device & 1) != 0) {
            add_handle(watch, (struct proc_handle){.fd = -1,
                                                   .device = (unsigned char)device,
                                                   .access = PROC_ATTACHED});
            only_mapped = true;
        }
    if (only_mapped)
        watch->maps_wait = facts_every;
    bool known = !only_mapped && (watch->runtime[0] != '\0' || watch->library[0] != '\0');
    watch->maps_due = now + (known ? maps_known : watch->maps_wait);
    watch->maps_wait = number_min(watch->maps_wait * 2, maps_longest);
}

static double rate(const struct proc *proc, uint64_t before, uint64_t now, double period)
{
    return now < before ? NAN : (double)(now - before) / (double)proc->tick_rate / period;
}

// A captured tree stands still: that is no process without work.
static void take_rates(const struct proc *proc, struct proc_watch *watch, double now)
{
    const struct proc_stat *stat = &watch->stat;
    double period = now - watch->rate_from;
    if (period < shortest_period)
        return;
    watch->user_rate = watch->system_rate = NAN;
    bool still = proc->captured && stat->user_ticks == watch->rate_user &&
                 stat->system_ticks == watch->rate_system;
    if (isfinite(period) && !still) {
        watch->user_rate = rate(proc, watch->rate_user, stat->user_ticks, period);
        watch->system_rate = rate(proc, watch->rate_system, stat->system_ticks, period);
    }
    watch->rate_from = now;
    watch->rate_user = stat->user_ticks;
    watch->rate_system = stat->system_ticks;
}

static void went(struct proc_watch *watch, double now)
{
    if (errno != ENOENT && errno != ESRCH)
        return; // it may be there: only this reading failed
    if (watch->here || watch->missing_since == 0)
        watch->missing_since = now;
    watch->here = false;
    watch->handle_count = 0;
}

// A forked worker is not shown while its parent lives: there it is enough that it is there.
static void read_present(struct proc *proc, struct proc_watch *watch, int dir, bool whole,
                         double now)
{
    if (!whole && proc_watch_inherited(watch))
        return;
    if (!whole && !handles_stand(proc, watch, dir))
        whole = proc->rescan = true;
    if (whole)
        find_handles(proc, watch, dir);
    if (now >= watch->facts_due) {
        proc_facts_read(proc, watch, dir);
        watch->facts_due = now + facts_every;
    }
    if (now >= watch->maps_due)
        read_mappings(proc, watch, dir, now);
}

// The PID has been given to another process, or its parent has ended: another launcher, or none.
static bool take_stat(struct proc *proc, struct proc_watch *watch, const struct proc_stat *stat,
                      double now)
{
    bool other = watch->facts && watch->stat_known && stat->start_ticks != watch->stat.start_ticks;
    if (other)
        begin(watch, watch->pid);
    if (stat->ppid != watch->stat.ppid || !watch->stat_known) {
        watch->facts_due = now;
        proc->mark = true;
    }
    watch->stat = *stat;
    watch->stat_known = true;
    take_rates(proc, watch, now);
    return other;
}

// A process whose stat cannot be read or understood is there all the same, with what it holds.
void proc_watch_read(struct proc *proc, struct proc_watch *watch, bool whole, double now)
{
    struct proc_stat stat;
    int dir = proc_open_process(proc, watch->pid);
    if (dir < 0) {
        went(watch, now); // errno says why
        return;
    }
    errno = 0;
    bool told = proc_read_stat(proc, dir, &stat);
    if (!told && !proc->captured && (errno == ENOENT || errno == ESRCH)) {
        went(watch, now);
        close(dir);
        return;
    }
    watch->here = true;
    if (told)
        whole = take_stat(proc, watch, &stat, now) || whole;
    read_present(proc, watch, dir, whole, now);
    close(dir);
}
