// SPDX-License-Identifier: Apache-2.0
// What is told of one process that is looked at closely, other than its handles.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/xmem.h"
#include "source/proc_state.h"
#include "source/proc_text.h"

enum { ANCESTORS_MAX = 16 };

// A process that may be the parent of a pool of workers.
struct proc_pool {
    struct proc_stat stat;
    bool python, worker;
    char command[PROC_COMMAND];
};

// Below --root the names are those of the captured host.
static void look_up_user(struct proc *proc, struct proc_user *user)
{
    char path[PATH_MAX];
    snprintf(user->name, sizeof(user->name), "%u", user->uid);
    if (*proc->where.root == '\0') {
        struct passwd entry, *found = NULL;
        if (getpwuid_r(user->uid, &entry, proc->text, PROC_TEXT, &found) == 0 && found != NULL)
            text_clean_to(user->name, sizeof(user->name), entry.pw_name, strlen(entry.pw_name));
        return;
    }
    snprintf(path, sizeof(path), "%s/etc/passwd", proc->where.root);
    ssize_t length = proc_slurp(proc, AT_FDCWD, path);
    if (length > 0)
        proc_parse_passwd(proc->text, (size_t)length, user->uid, user->name, sizeof(user->name));
}

static const char *user_name(struct proc *proc, unsigned uid)
{
    for (size_t i = 0; i < proc->user_count; i++)
        if (proc->users[i].uid == uid)
            return proc->users[i].name;
    if (proc->user_count == proc->user_room) {
        proc->user_room = proc->user_room * 2 + 8;
        proc->users = xreallocarray(proc->users, proc->user_room, sizeof(*proc->users));
    }
    struct proc_user *user = &proc->users[proc->user_count++];
    user->uid = uid;
    look_up_user(proc, user);
    return user->name;
}

static void read_user(struct proc *proc, struct proc_watch *watch, int dir)
{
    ssize_t length = proc_slurp(proc, dir, "status");
    if (length <= 0)
        return;
    proc_parse_status(proc->text, (size_t)length, &watch->status);
    if (watch->status.uid_known)
        snprintf(watch->user, sizeof(watch->user), "%s", user_name(proc, watch->status.uid));
}

// A process that has ended has no command line any more: then the last one stays, else the name.
static void read_command(struct proc *proc, struct proc_watch *watch, int dir)
{
    ssize_t length = proc_slurp(proc, dir, "cmdline");
    if (length > 0)
        proc_clean_command(proc->text, (size_t)length, watch->command, sizeof(watch->command));
    else if (watch->command[0] == '\0' && (length = proc_slurp(proc, dir, "comm")) > 0)
        proc_clean_command(proc->text, (size_t)length - 1, watch->command, sizeof(watch->command));
}

// Other people's secrets pass through this buffer: nothing of them stays behind.
static void read_environ(struct proc *proc, struct proc_watch *watch, int dir)
{
    struct proc_environ_feed feed;
    struct proc_environ fresh;
    ssize_t got = -1;
    int fd = openat(dir, "environ", O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return;
    proc_environ_begin(&feed, &fresh);
    bool any = false;
    while ((got = read(fd, proc->text, PROC_TEXT)) > 0) {
        proc_environ_feed(&feed, proc->text, (size_t)got);
        any = true;
    }
    proc_environ_end(&feed);
    close(fd);
    explicit_bzero(proc->text, PROC_TEXT);
    explicit_bzero(feed.item, sizeof(feed.item));
    if (got < 0 || !any) // a process that is ending has an empty one
        return;
    watch->environ = fresh;
    watch->environ_known = true;
}

static const char *launcher_of(struct proc *proc, int dir)
{
    ssize_t length = proc_slurp(proc, dir, "cmdline");
    return length > 0 ? proc_parse_launcher(proc->text, (size_t)length) : NULL;
}

// Looks at the parents, nearest first.
static void read_launcher(struct proc *proc, struct proc_watch *watch)
{
    struct proc_stat stat = watch->stat;
    watch->launcher[0] = '\0';
    watch->launcher_pid = 0;
    for (int i = 0; i < ANCESTORS_MAX && stat.ppid > 0; i++) {
        int pid = stat.ppid, dir = proc_open_process(proc, pid);
        if (dir < 0)
            return;
        const char *launcher = launcher_of(proc, dir);
        bool more = launcher == NULL && proc_read_stat(proc, dir, &stat);
        close(dir);
        if (launcher != NULL) {
            snprintf(watch->launcher, sizeof(watch->launcher), "%s", launcher);
            watch->launcher_pid = pid;
        }
        if (!more)
            return;
    }
}

// The parent of a worker that python's multiprocessing has started. A forked one has its parent's
// command line; the others have one of multiprocessing's own, up to the program that wanted them.
static bool is_pool_parent(struct proc *proc, const struct proc_watch *watch, bool own, int pid,
                           struct proc_pool *pool)
{
    int dir = proc_open_process(proc, pid);
    ssize_t length = dir < 0 ? -1 : proc_slurp(proc, dir, "cmdline");
    if (length > 0) {
        proc_clean_command(proc->text, (size_t)length, pool->command, sizeof(pool->command));
        pool->python = proc_parse_python(proc->text, (size_t)length);
        pool->worker = proc_parse_pool_worker(proc->text, (size_t)length);
    }
    bool told = length > 0 && proc_read_stat(proc, dir, &pool->stat);
    if (dir >= 0)
        close(dir);
    return told && pool->python && (own || strcmp(pool->command, watch->command) == 0);
}

// Workers of a pool belong together as those of a launcher do, also where their parent holds
// nothing.
static void read_pool(struct proc *proc, struct proc_watch *watch, int dir)
{
    struct proc_pool pool = {.stat = watch->stat};
    char label[PROCESS_LABEL];
    ssize_t length = proc_slurp(proc, dir, "cmdline");
    if (length <= 0 || !proc_parse_python(proc->text, (size_t)length))
        return;
    bool own = proc_parse_pool_worker(proc->text, (size_t)length);
    for (int i = 0; i < ANCESTORS_MAX && pool.stat.ppid > 0; i++) {
        int pid = pool.stat.ppid;
        if (!is_pool_parent(proc, watch, own, pid, &pool))
            return;
        struct process parent = {.command = pool.command};
        watch->launcher_pid = pid;
        process_label(&parent, label, sizeof(label));
        snprintf(watch->launcher, sizeof(watch->launcher), "%s", label);
        if (own && !pool.worker)
            return;
    }
}

// A service is a launcher too, where there is none nearer.
static void read_group(struct proc *proc, struct proc_watch *watch, int dir)
{
    ssize_t length = proc_slurp(proc, dir, "cgroup");
    if (length <= 0)
        return;
    if (!proc_parse_container(proc->text, (size_t)length, watch->container,
                              sizeof(watch->container)))
        watch->container[0] = '\0';
    if (!proc_parse_container_id(proc->text, (size_t)length, watch->container_id) ||
        strncmp(watch->container_id, watch->container, strlen(watch->container)) != 0)
        watch->container_id[0] = '\0'; // it is of a container around that one
    if (watch->launcher[0] == '\0' && watch->container[0] == '\0')
        proc_parse_unit(proc->text, (size_t)length, watch->launcher, sizeof(watch->launcher));
}

void proc_facts_read(struct proc *proc, struct proc_watch *watch, int dir)
{
    read_user(proc, watch, dir);
    read_command(proc, watch, dir);
    read_environ(proc, watch, dir);
    read_launcher(proc, watch);
    if (watch->launcher_pid == 0)
        read_pool(proc, watch, dir);
    read_group(proc, watch, dir);
    watch->facts = true;
    proc->mark = true; // the environment tells forked workers from others
}

// Of several environments the one with a package for Neuron in use counts, else the first.
static void take_files(const struct proc_mapping *mapping, struct proc_watch *watch)
{
    if (mapping->library[0] != '\0') {
        memcpy(watch->library, mapping->library, sizeof(watch->library));
        watch->runtime_replaced = mapping->deleted;
    }
    if (mapping->runtime[0] != '\0') {
        memcpy(watch->runtime, mapping->runtime, sizeof(watch->runtime));
        watch->runtime_replaced = mapping->deleted;
    }
    watch->fabric = watch->fabric || mapping->fabric;
    if (mapping->python[0] != '\0' &&
        (watch->python[0] == '\0' || (mapping->neuron_python && !watch->neuron_python))) {
        memcpy(watch->python, mapping->python, sizeof(watch->python));
        watch->neuron_python = mapping->neuron_python;
    }
}

static uint64_t take_mapping(const struct proc *proc, int dir, struct piece line,
                             struct proc_watch *watch)
{
    struct proc_mapping mapping;
    if (!proc_parse_mapping(line.start, line.length, &mapping))
        return 0;
    if (watch != NULL)
        take_files(&mapping, watch);
    int device = mapping.device >= 0 ? proc_device_mapped(proc, dir, &mapping) : -1;
    return device >= 0 ? UINT64_C(1) << device : 0;
}

// Takes the whole lines of the first USED bytes and moves the rest to the front; a line that is
// longer than the buffer is dropped piece by piece. Returns how many bytes are left.
static size_t take_lines(struct proc *proc, int dir, size_t used, struct proc_watch *watch,
                         uint64_t *devices)
{
    struct piece rest = {proc->text, used}, line;
    while (memchr(rest.start, '\n', rest.length) != NULL && piece_next(&rest, '\n', &line))
        *devices |= take_mapping(proc, dir, line, watch);
    if (rest.length == PROC_TEXT)
        return 0;
    memmove(proc->text, rest.start, rest.length);
    return rest.length;
}

bool proc_facts_mapped(struct proc *proc, int dir, struct proc_watch *watch, uint64_t *devices)
{
    size_t used = 0;
    ssize_t got;
    int fd = openat(dir, "maps", O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    *devices = 0;
    if (fd < 0)
        return false;
    while ((got = read(fd, proc->text + used, PROC_TEXT - used)) > 0)
        used = take_lines(proc, dir, used + (size_t)got, watch, devices);
    close(fd);
    return got == 0;
}
