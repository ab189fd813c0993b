// SPDX-License-Identifier: Apache-2.0
// Which processes are looked at when. A host may have thousands; going through the files of all at
// every reading would cost more than all the rest of the program. So: new processes at once, known
// holders at every reading, all when the driver's use count has changed, and else the others in
// slices, slowly when every handle is explained.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/xmem.h"
#include "source/proc_state.h"
#include "source/proc_text.h"

// Seconds in which the slices go round once: when the use count is unknown, when it says that
// handles are still to be found, when all are found (one may have been closed and another opened
// in the same moment, or been passed on).
static const double round_blind = 2, round_seeking = 5, round_settled = 30;
static const double round_mappings = 60;
static const double full_apart = 1; // seconds between two scans of all
enum { MAPPINGS_MOST = 64 };        // processes whose mappings are gone through in one reading

// Each open handle counts twice: the node's device and its operations both hold the module. Seen on
// a running driver: 28 for 14 handles (driver reference, section 11, its trees).
enum { REFERENCES_PER_HANDLE = 2 };

uint64_t proc_unexplained(const struct proc *proc)
{
    if (proc->references < 0)
        return 0;
    uint64_t open =
        ((uint64_t)proc->references + REFERENCES_PER_HANDLE - 1) / REFERENCES_PER_HANDLE;
    return open > proc->handles ? open - proc->handles : 0;
}

static ssize_t slurp_below_root(struct proc *proc, const char *path)
{
    char whole[PATH_MAX];
    snprintf(whole, sizeof(whole), "%s%s", proc->where.root, path);
    return proc_slurp(proc, AT_FDCWD, whole);
}

// The driver may be loaded, unloaded or replaced while we run.
static void read_driver(struct proc *proc)
{
    uint64_t count;
    long before = proc->references;
    ssize_t length = slurp_below_root(proc, "/sys/module/neuron/refcnt");
    struct piece text = {proc->text, length > 0 ? strcspn(proc->text, "\n") : 0};
    proc->references = piece_number(text, &count) && count <= LONG_MAX ? (long)count : -1;
    if (proc->references != before)
        proc->rescan = true;
    proc->major = proc->where.major;
    if (proc->major < 0 && !proc->captured && (length = proc_slurp(proc, proc->dir, "devices")) > 0)
        proc->major = proc_parse_major(proc->text, (size_t)length);
}

static void add_entry(struct proc *proc, int pid, uint64_t inode)
{
    if (proc->entry_count == proc->entry_room) {
        proc->entry_room = proc->entry_room * 2 + 1024;
        proc->entries = xreallocarray(proc->entries, proc->entry_room, sizeof(*proc->entries));
    }
    proc->entries[proc->entry_count++] = (struct proc_entry){.pid = pid, .inode = inode};
}

static int compare_entries(const void *a, const void *b)
{
    const struct proc_entry *left = a, *right = b;
    return (left->pid > right->pid) - (left->pid < right->pid);
}

// The kernel lists PIDs in order; other file systems do not.
static bool list_processes(struct proc *proc)
{
    struct proc_dir list;
    bool sorted = true;
    int pid;
    uint64_t inode;
    if (!proc_dir_open(proc, &list, 0, proc->dir, "."))
        return false;
    proc->entry_count = 0;
    while (proc_dir_next(&list, &pid, &inode)) {
        if (pid == 0 || pid == proc->where.self)
            continue;
        sorted =
            sorted && (proc->entry_count == 0 || proc->entries[proc->entry_count - 1].pid < pid);
        add_entry(proc, pid, inode);
    }
    proc_dir_close(&list);
    if (!sorted)
        qsort(proc->entries, proc->entry_count, sizeof(*proc->entries), compare_entries);
    return true;
}

static void swap_tables(struct proc *proc)
{
    struct proc_entry *entries = proc->before;
    size_t room = proc->before_room;
    proc->before = proc->entries;
    proc->before_count = proc->entry_count;
    proc->before_room = proc->entry_room;
    proc->entries = entries;
    proc->entry_room = room;
    proc->entry_count = 0;
}

// What is known of a process holds as long as its folder is the same one.
static void carry_over(struct proc *proc)
{
    size_t old = 0;
    for (size_t i = 0; i < proc->entry_count; i++) {
        struct proc_entry *entry = &proc->entries[i];
        while (old < proc->before_count && proc->before[old].pid < entry->pid)
            old++;
        if (old < proc->before_count && proc->before[old].pid == entry->pid &&
            proc->before[old].inode == entry->inode)
            *entry = proc->before[old];
    }
}

static bool read_listing(struct proc *proc)
{
    swap_tables(proc);
    if (!list_processes(proc)) {
        swap_tables(proc);
        return false;
    }
    carry_over(proc);
    return true;
}

static void watch_entry(struct proc *proc, struct proc_entry *entry, double now)
{
    struct proc_watch *watch = proc_watch_find(proc, entry->pid);
    if (watch == NULL)
        watch = proc_watch_add(proc, entry->pid);
    proc_watch_read(proc, watch, true, now);
}

// A process without files to see: a thread of the kernel, one that is ending, or one we may not
// look into.
static void look_without_files(struct proc *proc, struct proc_entry *entry, bool denied, double now)
{
    struct proc_stat stat;
    int dir = proc_open_process(proc, entry->pid);
    entry->kind = denied ? PROC_DENIED : PROC_PLAIN;
    if (dir < 0)
        return;
    if (proc_read_stat(proc, dir, &stat)) {
        if (proc_stat_kernel(&stat))
            entry->kind = PROC_KERNEL;
        else if (!denied && stat.state == 'Z' && stat.threads > 1)
            watch_entry(proc, entry, now);
    }
    close(dir);
}

// Stops at the first device: then all of the process is looked at through its own folder.
static bool has_device(const struct proc *proc, struct proc_dir *list, size_t *files)
{
    int fd;
    while (proc_dir_next(list, &fd, NULL)) {
        ++*files;
        if (proc_device_of(proc, list->fd, fd) >= 0)
            return true;
    }
    return false;
}

static void scan_entry(struct proc *proc, struct proc_entry *entry, double now)
{
    struct proc_dir list;
    char path[32];
    size_t files = 0;
    snprintf(path, sizeof(path), "%d/fd", entry->pid);
    if (!proc_dir_open(proc, &list, 1, proc->dir, path)) {
        bool denied = errno == EACCES || errno == EPERM;
        if (denied && entry->kind != PROC_DENIED)
            look_without_files(proc, entry, true, now);
        return;
    }
    proc->scans++;
    bool found = has_device(proc, &list, &files);
    proc_dir_close(&list);
    if (found)
        watch_entry(proc, entry, now);
    if (files == 0)
        look_without_files(proc, entry, false, now);
    else
        entry->kind = PROC_PLAIN;
}

static size_t entry_after(const struct proc *proc, int pid)
{
    size_t low = 0, high = proc->entry_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (proc->entries[middle].pid <= pid)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double round_seconds(const struct proc *proc)
{
    if (proc->references < 0)
        return round_blind;
    return proc_unexplained(proc) > 0 ? round_seeking : round_settled;
}

// The next slice, as large as the time since the reading before is of a round.
static void scan_slice(struct proc *proc, double now)
{
    double part = (now - proc->read_at) / round_seconds(proc);
    size_t count = proc->entry_count;
    size_t quota = part >= 1 || !isfinite(part) ? count : (size_t)number_ceil((double)count * part);
    size_t at = entry_after(proc, proc->cursor);
    for (size_t i = 0; i < quota; i++) {
        struct proc_entry *entry = &proc->entries[(at + i) % count];
        if (entry->kind != PROC_KERNEL && entry->kind != PROC_NEW)
            scan_entry(proc, entry, now);
        proc->cursor = entry->pid;
    }
}

static void scan_files(struct proc *proc, double now)
{
    bool all = proc->rescan && now - proc->full_at >= full_apart;
    if (all) {
        proc->rescan = false;
        proc->full_at = now;
    }
    for (size_t i = 0; i < proc->entry_count; i++)
        if (proc->entries[i].kind == PROC_NEW || (all && proc->entries[i].kind != PROC_KERNEL))
            scan_entry(proc, &proc->entries[i], now);
    if (!all && proc->entry_count > 0)
        scan_slice(proc, now);
}

static void map_entry(struct proc *proc, struct proc_entry *entry, double now)
{
    uint64_t devices = 0;
    int dir = proc_open_process(proc, entry->pid);
    if (dir < 0)
        return;
    if (proc_facts_mapped(proc, dir, NULL, &devices) && devices != 0)
        watch_entry(proc, entry, now);
    close(dir);
}

// A process may close its descriptor and keep the mapping. Only while handles are unexplained, and
// few processes at a time: the list of mappings of a large process is long.
static void scan_mappings(struct proc *proc, double now)
{
    unsigned left = proc->captured ? UINT_MAX : MAPPINGS_MOST;
    if (proc->references >= 0 && !proc->captured && proc_unexplained(proc) == 0)
        return;
    size_t count = proc->entry_count, at = entry_after(proc, proc->map_cursor);
    for (size_t i = 0; i < count && left > 0; i++) {
        struct proc_entry *entry = &proc->entries[(at + i) % count];
        if (entry->kind != PROC_PLAIN ||
            (entry->mapped != 0 && now - entry->mapped < round_mappings))
            continue;
        entry->mapped = now;
        proc->map_cursor = entry->pid;
        left--;
        struct proc_watch *watch = proc_watch_find(proc, entry->pid);
        if (watch == NULL || watch->handle_count == 0)
            map_entry(proc, entry, now);
    }
}

static void count_all(struct proc *proc)
{
    bool init = false, kernel = false;
    proc->handles = proc->holders = proc->denied = 0;
    for (size_t i = 0; i < proc->watch_count; i++) {
        const struct proc_watch *watch = proc->watches[i];
        for (size_t j = 0; j < watch->handle_count; j++)
            proc->handles += !watch->handles[j].inherited;
        proc->holders += watch->handle_count > 0 && !proc_watch_inherited(watch);
    }
    for (size_t i = 0; i < proc->entry_count; i++) {
        proc->denied += proc->entries[i].kind == PROC_DENIED;
        init = init || proc->entries[i].pid == 1;
        kernel = kernel || (proc->entries[i].pid == 2 && proc->entries[i].kind == PROC_KERNEL);
    }
    // only the first PID namespace has the kernel's threads; hidepid hides PID 1 from others
    proc->sees_all = init && kernel && proc->denied == 0 && !proc->captured;
}

static void read_watches(struct proc *proc, double now)
{
    for (size_t i = 0; i < proc->watch_count; i++)
        proc_watch_read(proc, proc->watches[i], false, now);
    proc_watches_forget(proc, now);
}

static void nobody_holds(struct proc *proc)
{
    for (size_t i = 0; i < proc->watch_count; i++)
        proc->watches[i]->handle_count = 0;
    proc->entry_count = 0;
    proc->rescan = true;
}

void proc_scan(struct proc *proc, double now)
{
    read_driver(proc);
    bool idle = proc->references == 0 || (proc->major < 0 && !proc->captured);
    if (idle)
        nobody_holds(proc);
    read_watches(proc, now);
    if (!idle) {
        proc->lost = !read_listing(proc);
        scan_files(proc, now);
        proc_watches_mark(proc);
        count_all(proc);
        scan_mappings(proc, now);
    }
    proc_watches_mark(proc);
    count_all(proc);
}
