// SPDX-License-Identifier: Apache-2.0
// What the reader of /proc keeps between readings. Private to proc*.c.
#ifndef NEUTOP_SOURCE_PROC_STATE_H
#define NEUTOP_SOURCE_PROC_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "source/containers.h"
#include "source/proc.h"
#include "source/proc_parse.h"

enum { PROC_COMMAND = 1024, PROC_LISTING = 32768, PROC_TEXT = 16384 };

// A folder being listed without opendir(), which allocates.
struct proc_dir {
    int fd;
    size_t at, used;
    char *bytes; // PROC_LISTING
};

// A handle of a device: a descriptor, or for fd -1 a mapping whose descriptor is closed.
struct proc_handle {
    int fd;
    unsigned char device;
    bool inherited; // the same open file as its parent's: a fork, which the driver does not attach
    enum proc_access access;
};

enum proc_kind {
    PROC_NEW,    // not looked at yet
    PROC_PLAIN,  // its files can be read
    PROC_KERNEL, // a thread of the kernel: has no files
    PROC_DENIED, // its files cannot be read
};

// One process of the host.
struct proc_entry {
    int pid;
    unsigned char kind;
    uint64_t inode; // of its folder: another one is another process with the same PID
    double mapped;  // monotonic: its mappings were last gone through
};

// A process that is looked at closely: it has handles, or another reader has named it.
struct proc_watch {
    int pid;
    bool here;            // was in /proc at the newest reading
    bool facts;           // the slow facts below have been read
    double missing_since; // monotonic, while not here
    double asked;         // monotonic: another reader last named it
    bool stat_known;      // else its state, parent, start and times are not known
    struct proc_stat stat;
    double user_rate, system_rate; // CPU seconds a second; NAN unknown
    double rate_from;              // monotonic: since when they count, and the ticks then
    uint64_t rate_user, rate_system;
    double facts_due, maps_due, maps_wait; // monotonic; seconds
    struct proc_status status;
    char user[PROC_NAME], container[PROC_NAME], launcher[PROC_NAME], runtime[PROC_VERSION];
    char container_id[PROC_ID];             // whole; "" unknown
    struct container_facts container_facts; // what its runtime's files say
    int launcher_pid;                       // 0 unknown
    bool runtime_replaced, environ_known, neuron_python;
    char library[PROC_PATH], python[PROC_PATH]; // as struct proc_mapping
    bool fabric;
    struct proc_environ environ;
    char command[PROC_COMMAND];
    uint64_t mapped; // devices, as bits
    struct proc_handle *handles;
    size_t handle_count, handle_room;
};

struct proc_user {
    unsigned uid;
    char name[PROC_NAME];
};

struct proc {
    struct proc_where where;
    int dir;       // of /proc
    bool captured; // below --root and no procfs: handles are told by link text, rates mean nothing
    int major;
    long references; // the driver's use count; -1 unknown
    long tick_rate, page_bytes;
    unsigned lnc_setting;          // of the host: lnc_default.h
    double boot_unix_seconds;      // 0 unknown
    unsigned cpus;                 // 0 unknown
    double next, read_at, full_at; // monotonic; -INFINITY: never
    bool rescan;                   // go through all processes at the next reading
    bool mark;                     // which handles are inherited is to be worked out anew
    bool lost;                     // /proc itself could not be listed
    bool sees_all;  // nothing is hidden from here, neither by rights nor by namespaces
    int cursor;     // the PID after which the next slice begins
    int map_cursor; // the same for mappings
    size_t entry_count, entry_room, before_count, before_room;
    struct proc_entry *entries, *before; // by pid: of this reading and of the one before
    size_t watch_count, watch_room;
    struct proc_watch **watches;
    size_t user_count, user_room;
    struct proc_user *users;
    struct containers *containers; // NULL as long as no process is in one
    size_t handles;                // open files seen, of any kind
    size_t denied, holders;
    unsigned long scans;
    char *listing[2];
    char *text; // PROC_TEXT + 1
    char detail[SOURCE_DETAIL];
};

// proc_io.c

// Reads PATH below DIR, at most PROC_TEXT bytes, into proc->text with a NUL behind. Returns the
// length, -1 with errno.
ssize_t proc_slurp(struct proc *proc, int dir, const char *path);

// Opens the folder PATH below DIR for listing with the buffer of LEVEL (0, 1). False with errno.
bool proc_dir_open(struct proc *proc, struct proc_dir *list, unsigned level, int dir,
                   const char *path);
// The next entry whose name is a number; false at the end. INODE may be NULL.
bool proc_dir_next(struct proc_dir *list, int *number, uint64_t *inode);
void proc_dir_close(struct proc_dir *list);

// The numbers of the character device at PATH below DIR, without asking a server for it; false when
// it is none.
bool proc_node_at(int dir, const char *path, unsigned *major_number, unsigned *minor_number);

// The device behind the descriptor FD in the open folder DIR (an fd/ of a process); -1 none. Never
// waits for a file system: a dead network mount must not stop the screen.
int proc_device_of(const struct proc *proc, int dir, int fd);
// The device behind a mapped path of the process whose folder is DIR.
int proc_device_mapped(const struct proc *proc, int dir, const struct proc_mapping *mapping);

// The folder of a process (O_PATH): all that is read through it is of that process and no other.
int proc_open_process(const struct proc *proc, int pid);
bool proc_read_stat(struct proc *proc, int dir, struct proc_stat *stat);

// proc_watch.c

// The watch of PID; NULL: none. And a new one, which knows nothing yet.
struct proc_watch *proc_watch_find(const struct proc *proc, int pid);
struct proc_watch *proc_watch_add(struct proc *proc, int pid);
// Reads what is due of WATCH. WHOLE: go through all its files, else only look whether the known
// handles are still there (proc->rescan is set when not).
void proc_watch_read(struct proc *proc, struct proc_watch *watch, bool whole, double now);
void proc_watches_forget(struct proc *proc, double now);
// Works out anew whose handles are inherited, when anything has changed.
void proc_watches_mark(struct proc *proc);
void proc_watch_free(struct proc_watch *watch);
// All its handles are its parent's.
bool proc_watch_inherited(const struct proc_watch *watch);

// proc_facts.c

// The slow facts: command, user, container, launcher, environment.
void proc_facts_read(struct proc *proc, struct proc_watch *watch, int dir);
// Goes through the mappings of the process in DIR: *DEVICES are the mapped devices as bits, and
// WATCH (may be NULL) learns the version of its runtime. False when they cannot be read.
bool proc_facts_mapped(struct proc *proc, int dir, struct proc_watch *watch, uint64_t *devices);

// proc_container.c

// Asks for the containers of all that is looked at closely, at the first reading for a moment's
// wait.
void proc_containers_read(struct proc *proc, double now);
// How many of them have no name because a file cannot be read from here.
size_t proc_containers_denied(const struct proc *proc);
// What is known of the container of WATCH, into PROCESS, where nobody told before.
void proc_containers_fill(const struct proc_watch *watch, struct arena *arena,
                          struct process *process);

// proc_scan.c

// One reading: the driver's use count, what is due of the known holders, then a slice of the rest.
void proc_scan(struct proc *proc, double now);

// How many handles there are that no process seen here explains; 0 also when nobody can tell.
uint64_t proc_unexplained(const struct proc *proc);

#endif
