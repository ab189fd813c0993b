// SPDX-License-Identifier: Apache-2.0
// Looks up containers by their ids. A container is looked at once; where no file tells of it yet it
// is looked for again, ever more rarely. When the reader is closed while a file system does not
// answer, the thread ends by itself later, and the last one frees.
#include "source/containers.h"

#include <bsd/string.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/xmem.h"
#include "source/background.h"
#include "source/inside.h"
#include "source/proc_state.h"

enum {
    ENTRIES_MAX = 1024,
    STACK_BYTES = 256 * 1024,
    FILE_MAX = 2 << 20, // an OCI bundle's holds the whole environment, which Kubernetes may fill
    LISTED_MAX = 8192,  // entries of a folder that are looked at
    NAMESPACES_MAX = 64,
    PATH_ROOM = 512
};

// Seconds: how long a container is remembered that nobody asks for; the waits between two looks for
// one that no file tells of.
static const double kept = 60, again_first = 10, again_longest = 320;

// A container. All but the id is under the lock; while `taken` its question does not change.
struct entry {
    char id[PROC_ID];
    int pid, major;
    double asked; // monotonic, the last time
    double due;   // to be looked for again
    double wait;
    bool taken, done;
    struct container_facts facts;
};

struct containers {
    pthread_mutex_t lock;
    pthread_cond_t wake, answered;
    unsigned users; // reader and thread
    bool stop, captured;
    int root;
    size_t count;
    struct entry *entries[ENTRIES_MAX];
};

// One look at one container, by the thread.
struct look {
    int root;
    const char *id;
    struct container_facts *facts;
};

// A file that may be large, or be something else altogether. NULL: it cannot be read, or is larger
// than any such file should be.
static char *read_file(struct look *look, const char *path, size_t *length)
{
    struct stat info;
    int fd = inside_file(look->root, path);
    if (fd < 0) {
        look->facts->denied = look->facts->denied || errno == EACCES || errno == EPERM;
        return NULL;
    }
    char *bytes = NULL;
    if (fstat(fd, &info) == 0 && info.st_size > 0 && info.st_size <= FILE_MAX) {
        size_t size = (size_t)info.st_size;
        ssize_t got = 1;
        bytes = xmalloc(size);
        for (*length = 0; *length < size && got > 0; *length += got > 0 ? (size_t)got : 0)
            got = read(fd, bytes + *length, size - *length);
    }
    close(fd);
    return bytes;
}

static bool parse_file(struct look *look, const char *path, container_names_parse *parse)
{
    size_t length = 0;
    char *bytes = read_file(look, path, &length);
    bool told = bytes != NULL && parse(bytes, length, look->id, &look->facts->names);
    free(bytes);
    return told;
}

// A place where a runtime tells of its containers.
struct place {
    const char *runtime;
    bool (*find)(struct look *look, const struct place *place);
    const char *folder, *file;
    container_names_parse *parse;
};

// FOLDER/ID/FILE.
static bool find_by_id(struct look *look, const struct place *place)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof(path), "%s/%s/%s", place->folder, look->id, place->file);
    return parse_file(look, path, place->parse);
}

// FOLDER/NAMESPACE/ID/FILE: containerd has namespaces, "k8s.io" for Kubernetes.
static bool find_in_namespaces(struct look *look, const struct place *place)
{
    char path[PATH_ROOM];
    const struct dirent *item;
    bool told = false;
    DIR *dir = inside_folder(look->root, place->folder);
    if (dir == NULL) {
        look->facts->denied = look->facts->denied || errno == EACCES || errno == EPERM;
        return false;
    }
    for (int i = 0; !told && i < NAMESPACES_MAX && (item = readdir(dir)) != NULL; i++)
        if (item->d_name[0] != '.' &&
            snprintf(path, sizeof(path), "%s/%s/%s/%s", place->folder, item->d_name, look->id,
                     place->file) < (int)sizeof(path))
            told = parse_file(look, path, place->parse);
    closedir(dir);
    return told;
}

// FOLDER/FILE holds all containers.
static bool find_in_list(struct look *look, const struct place *place)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof(path), "%s/%s", place->folder, place->file);
    return parse_file(look, path, place->parse);
}

// The names of the files in FOLDER tell.
static bool find_by_name(struct look *look, const struct place *place)
{
    const struct dirent *item;
    bool told = false;
    DIR *dir = inside_folder(look->root, place->folder);
    for (int i = 0; dir != NULL && !told && i < LISTED_MAX && (item = readdir(dir)) != NULL; i++)
        told = place->parse(item->d_name, strlen(item->d_name), look->id, &look->facts->names);
    if (dir != NULL)
        closedir(dir);
    return told;
}

// dockerd may have been told to keep its containers elsewhere: "data-root" of FILE.
static bool find_docker(struct look *look, const struct place *place)
{
    char folder[PATH_ROOM / 2], path[PATH_ROOM];
    size_t length = 0;
    char *bytes = read_file(look, place->file, &length);
    bool moved =
        bytes != NULL && container_names_docker_root(bytes, length, folder, sizeof(folder));
    free(bytes);
    snprintf(path, sizeof(path), "%s/containers/%s/config.v2.json", moved ? folder : place->folder,
             look->id);
    return parse_file(look, path, place->parse);
}

// Where the runtimes keep it unless they are told otherwise, by their own documentation. The last
// is no runtime's: the kubelet's links to the logs, which everybody may list.
static const struct place places[] = {
    {"containerd", find_in_namespaces, "/run/containerd/io.containerd.runtime.v2.task",
     "config.json", container_names_oci},
    {"containerd of k3s", find_in_namespaces, "/run/k3s/containerd/io.containerd.runtime.v2.task",
     "config.json", container_names_oci},
    {"docker", find_docker, "/var/lib/docker", "/etc/docker/daemon.json", container_names_docker},
    {"CRI-O", find_by_id, "/run/containers/storage/overlay-containers", "userdata/config.json",
     container_names_oci},
    {"CRI-O", find_by_id, "/var/lib/containers/storage/overlay-containers", "userdata/config.json",
     container_names_oci},
    {"podman", find_in_list, "/var/lib/containers/storage/overlay-containers", "containers.json",
     container_names_storage},
    {"podman --rm", find_in_list, "/var/lib/containers/storage/overlay-containers",
     "volatile-containers.json", container_names_storage},
    {"podman, transient", find_in_list, "/run/containers/storage/overlay-containers",
     "volatile-containers.json", container_names_storage},
    {"kubelet", find_by_name, "/var/log/containers", NULL, container_names_log},
};

// The kernel's own link leads to the root folder of a process; in a captured tree it may be any
// link, and is followed inside the tree only.
static int open_process_root(const struct containers *containers, int pid)
{
    char path[64];
    snprintf(path, sizeof(path), "proc/%d/root", pid);
    if (containers->captured)
        return inside_open(containers->root, path, O_PATH | O_DIRECTORY);
    return openat(containers->root, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int node_of(const struct containers *containers, int dir, const struct dirent *item,
                   int major)
{
    static const char folder[] = "/dev/";
    char path[sizeof(folder) + sizeof(item->d_name)];
    unsigned is_major, is_minor;
    bool node = item->d_type == DT_CHR && proc_node_at(dir, item->d_name, &is_major, &is_minor);
    snprintf(path, sizeof(path), "%s%s", folder, item->d_name);
    int named = proc_parse_node(path, strlen(path));
    if (node && (containers->captured ? named >= 0 : (int)is_major == major))
        return is_minor < PROC_DEVICES_MAX ? (int)is_minor : -1;
    return containers->captured && item->d_type == DT_REG ? named : -1;
}

// A container has nodes only of the devices that it was given; they may have other names there, the
// minor number is the device's (field case F-24).
static uint64_t read_devices(const struct containers *containers, int pid, int major)
{
    const struct dirent *item;
    uint64_t devices = 0;
    int root = open_process_root(containers, pid);
    DIR *dir = root >= 0 ? inside_folder(root, "dev") : NULL;
    for (int i = 0; dir != NULL && i < LISTED_MAX && (item = readdir(dir)) != NULL; i++) {
        int device = node_of(containers, dirfd(dir), item, major);
        if (device >= 0)
            devices |= UINT64_C(1) << device;
    }
    if (dir != NULL)
        closedir(dir);
    if (root >= 0)
        close(root);
    return devices;
}

// What is known already stays: a process that is ending shows no devices any more.
static void look_at(const struct containers *containers, const struct entry *entry,
                    struct container_facts *facts)
{
    struct look look = {.root = containers->root, .id = entry->id, .facts = facts};
    bool told = facts->names.container[0] != '\0' || facts->names.pod[0] != '\0';
    facts->denied = false;
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !told; i++)
        told = places[i].find(&look, &places[i]);
    facts->denied = facts->denied && !told;
    if (facts->devices == 0)
        facts->devices = read_devices(containers, entry->pid, entry->major);
}

static struct timespec later(double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)seconds;
    until.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return until;
}

static struct entry *next_entry(struct containers *containers)
{
    for (size_t i = 0; i < containers->count; i++)
        if (!containers->entries[i]->taken && !containers->entries[i]->done)
            return containers->entries[i];
    return NULL;
}

// ENTRY is the thread's until it is done: it is not dropped before.
static void answer(struct containers *containers, struct entry *entry)
{
    entry->taken = true;
    const struct entry question = *entry;
    struct container_facts facts = question.facts;
    pthread_mutex_unlock(&containers->lock);
    look_at(containers, &question, &facts);
    pthread_mutex_lock(&containers->lock);
    entry->facts = facts;
    entry->taken = false;
    entry->done = true;
    bool whole = facts.names.container[0] != '\0' && facts.devices != 0;
    entry->due = whole ? INFINITY : entry->asked + entry->wait;
    entry->wait = entry->wait * 2 < again_longest ? entry->wait * 2 : again_longest;
    pthread_cond_broadcast(&containers->answered);
}

static void forget_all(struct containers *containers)
{
    for (size_t i = 0; i < containers->count; i++)
        free(containers->entries[i]);
    close(containers->root);
    pthread_mutex_destroy(&containers->lock);
    pthread_cond_destroy(&containers->wake);
    pthread_cond_destroy(&containers->answered);
    free(containers);
}

// Leaves CONTAINERS, whose lock is held; the last user ends it.
static void leave(struct containers *containers)
{
    bool last = --containers->users == 0;
    pthread_mutex_unlock(&containers->lock);
    if (last)
        forget_all(containers);
}

static void *containers_thread(void *argument)
{
    struct containers *containers = argument;
    pthread_mutex_lock(&containers->lock);
    while (!containers->stop) {
        struct entry *entry = next_entry(containers);
        if (entry != NULL)
            answer(containers, entry);
        else
            pthread_cond_wait(&containers->wake, &containers->lock);
    }
    leave(containers);
    return NULL;
}

struct containers *containers_new(const char *root, bool captured)
{
    int root_fd = open(*root != '\0' ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root_fd < 0)
        return NULL;
    struct containers *containers = xcalloc(1, sizeof(*containers));
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&containers->lock, NULL);
    pthread_cond_init(&containers->wake, NULL);
    pthread_cond_init(&containers->answered, &attributes);
    pthread_condattr_destroy(&attributes);
    containers->root = root_fd;
    containers->captured = captured;
    containers->users = 2;
    if (background_start(containers_thread, containers, STACK_BYTES))
        return containers;
    forget_all(containers);
    return NULL;
}

void containers_free(struct containers *containers)
{
    if (containers == NULL)
        return;
    pthread_mutex_lock(&containers->lock);
    containers->stop = true;
    pthread_cond_signal(&containers->wake);
    leave(containers);
}

void containers_forget(struct containers *containers, double now)
{
    size_t left = 0;
    pthread_mutex_lock(&containers->lock);
    for (size_t i = 0; i < containers->count; i++) {
        struct entry *entry = containers->entries[i];
        if (now - entry->asked > kept && !entry->taken)
            free(entry);
        else
            containers->entries[left++] = entry;
    }
    containers->count = left;
    pthread_mutex_unlock(&containers->lock);
}

static struct entry *entry_of(struct containers *containers, const char *id)
{
    for (size_t i = 0; i < containers->count; i++)
        if (strcmp(containers->entries[i]->id, id) == 0)
            return containers->entries[i];
    if (containers->count == ENTRIES_MAX)
        return NULL;
    struct entry *entry = xcalloc(1, sizeof(*entry));
    strlcpy(entry->id, id, sizeof(entry->id));
    entry->wait = again_first;
    containers->entries[containers->count++] = entry;
    return entry;
}

bool containers_find(struct containers *containers, const char *id, int pid, int major, double now,
                     struct container_facts *facts)
{
    pthread_mutex_lock(&containers->lock);
    struct entry *entry = entry_of(containers, id);
    bool known = entry != NULL && (entry->done || entry->due > 0);
    if (entry != NULL)
        entry->asked = now;
    if (known)
        *facts = entry->facts;
    if (entry != NULL && !entry->taken && (!known || now >= entry->due)) {
        entry->pid = pid;
        entry->major = major;
        entry->done = false;
        pthread_cond_signal(&containers->wake);
    }
    pthread_mutex_unlock(&containers->lock);
    return known;
}

void containers_wait(struct containers *containers, double seconds)
{
    const struct timespec until = later(seconds);
    pthread_mutex_lock(&containers->lock);
    for (bool all = false; !all;) {
        all = true;
        for (size_t i = 0; i < containers->count; i++)
            all = all && containers->entries[i]->done;
        if (!all && pthread_cond_timedwait(&containers->answered, &containers->lock, &until) != 0)
            break;
    }
    pthread_mutex_unlock(&containers->lock);
}
