// SPDX-License-Identifier: Apache-2.0
// Finds the jobs among the processes of a snapshot: first who started whom, then what else the
// processes have in common.
#include "host/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

// One process of the host while its job is looked for.
struct place {
    uint64_t pid;
    unsigned process; // index into host.processes
    int up;           // the place of its parent; -1: none that is in the snapshot
    bool settled;     // `root` has been worked out
    bool walked;      // on the way up that is being gone
    bool leads;       // it is the root of another one
    struct fact_u64 root;
};

// What a job is told by; processes whose keys are equal are one.
struct key {
    enum job_kind kind; // JOB_PARENT for all that go by a PID
    uint64_t pid;
    const char *name, *space;
    unsigned process;
};

struct finder {
    const struct host *host;
    unsigned count;       // of processes
    struct place *places; // those with a PID, by PID
    unsigned place_count;
    unsigned *way; // scratch
};

static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_text(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = compare_u64(x->pid, y->pid);
    return order != 0 ? order : compare_u64(x->process, y->process);
}

static int find_place(const struct finder *finder, uint64_t pid)
{
    unsigned low = 0, high = finder->place_count;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (finder->places[middle].pid < pid)
            low = middle + 1;
        else
            high = middle;
    }
    return low < finder->place_count && finder->places[low].pid == pid ? (int)low : -1;
}

static const struct process *process_at(const struct finder *finder, unsigned place)
{
    return &finder->host->processes[finder->places[place].process];
}

static void make_places(struct finder *finder)
{
    for (unsigned i = 0; i < finder->count; i++) {
        const struct process *process = &finder->host->processes[i];
        if (known_u64(process->pid))
            finder->places[finder->place_count++] =
                (struct place){.pid = process->pid.value, .process = i};
    }
    if (finder->place_count > 0)
        qsort(finder->places, finder->place_count, sizeof(*finder->places), compare_places);
    for (unsigned i = 0; i < finder->place_count; i++) {
        const struct fact_u64 parent = process_at(finder, i)->ppid;
        bool own = known_u64(parent) && parent.value == finder->places[i].pid;
        finder->places[i].up =
            known_u64(parent) && parent.value > 1 && !own ? find_place(finder, parent.value) : -1;
    }
}

// The way up from the place AT: as far as a launcher, a root that is known, or nobody further. A
// circle of parents is cut at its smallest PID. Returns how many places are on it.
static unsigned go_up(struct finder *finder, unsigned at)
{
    unsigned length = 0;
    for (int next = (int)at; next >= 0 && !finder->places[next].settled;) {
        struct place *place = &finder->places[next];
        if (place->walked) {
            int lowest = next; // places are by PID
            for (unsigned i = length; i-- > 0 && finder->way[i] != (unsigned)next;)
                lowest = (int)finder->way[i] < lowest ? (int)finder->way[i] : lowest;
            finder->places[lowest].up = -1;
            break;
        }
        place->walked = true;
        finder->way[length++] = (unsigned)next;
        next = known_u64(process_at(finder, (unsigned)next)->launcher_pid) ? -1 : place->up;
    }
    return length;
}

static void settle(struct finder *finder, unsigned at)
{
    struct place *place = &finder->places[at];
    const struct process *process = process_at(finder, at);
    place->settled = true;
    place->root = process->launcher_pid;
    if (known_u64(place->root) || place->up < 0)
        return;
    const struct place *above = &finder->places[place->up];
    place->root =
        known_u64(above->root) ? above->root : process_at(finder, (unsigned)place->up)->pid;
}

// Who started each process: its launcher, else the topmost of its ancestors that is in the snapshot
// without a gap.
static void find_roots(struct finder *finder)
{
    for (unsigned i = 0; i < finder->place_count; i++) {
        unsigned length = go_up(finder, i), cut = length;
        // in a circle the one where it was cut is the topmost, wherever it was entered
        while (cut > 0 && finder->places[finder->way[cut - 1]].up >= 0)
            cut--;
        for (unsigned j = cut; j-- > 0;)
            settle(finder, finder->way[j]);
        for (unsigned j = length; j-- > cut;)
            settle(finder, finder->way[j]);
    }
    for (unsigned i = 0; i < finder->place_count; i++) {
        const struct fact_u64 root = finder->places[i].root;
        int leader = known_u64(root) ? find_place(finder, root.value) : -1;
        if (leader >= 0 && (unsigned)leader != i)
            finder->places[leader].leads = true;
    }
}

// A tag that is only the PID again says nothing.
static bool telling_tag(const struct process *process)
{
    char pid[24];
    if (process->tag == NULL || process->tag[0] == '\0')
        return false;
    snprintf(pid, sizeof(pid), "%" PRIu64, process->pid.value);
    return strcmp(process->tag, pid) != 0;
}

// Names of containers are not unique.
static const char *container_key(const struct process *process)
{
    return process->container_id != NULL ? process->container_id : process->container;
}

// PLACE is NULL for a process without a PID.
static struct key key_of(const struct process *process, const struct place *place, unsigned index)
{
    struct key key = {.kind = JOB_PARENT, .process = index};
    if (place != NULL && known_u64(place->root))
        key.pid = place->root.value;
    else if (place != NULL && place->leads)
        key.pid = place->pid;
    else if (telling_tag(process))
        key.kind = JOB_TAG, key.name = process->tag;
    else if (process->launcher != NULL && !known_u64(process->launcher_pid))
        key.kind = JOB_SERVICE, key.name = process->launcher;
    else if (process->pod != NULL)
        key.kind = JOB_POD, key.name = process->pod, key.space = process->pod_namespace;
    else if (process->container_id != NULL || process->container != NULL)
        key.kind = JOB_CONTAINER, key.name = container_key(process);
    else if (place != NULL)
        key.pid = place->pid;
    else
        key.kind = JOB_PROCESS, key.pid = index;
    return key;
}

static int compare_keys(const struct key *a, const struct key *b)
{
    int order = (int)a->kind - (int)b->kind;
    if (order == 0)
        order = compare_u64(a->pid, b->pid);
    if (order == 0)
        order = compare_text(a->name, b->name);
    return order != 0 ? order : compare_text(a->space, b->space);
}

static int by_key(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    int order = compare_keys(x, y);
    return order != 0 ? order : compare_u64(x->process, y->process);
}

static int by_first(const void *a, const void *b)
{
    const struct job *x = a, *y = b;
    return compare_u64(x->members[0], y->members[0]);
}

static const char *label_of(const struct host *host, const struct process *process)
{
    char label[PROCESS_LABEL];
    return arena_strdup(host->arena, process_label(process, label, sizeof(label)));
}

// A job that goes by a PID, with its members: whose PID that is.
static void name_leader(const struct host *host, struct job *job, uint64_t pid)
{
    for (unsigned i = 0; i < job->count; i++) {
        const struct process *process = &host->processes[job->members[i]];
        bool own = known_u64(process->pid) && process->pid.value == pid;
        if (known_u64(process->launcher_pid) && process->launcher_pid.value == pid) {
            job->kind = JOB_LAUNCHER;
            job->pid = process->launcher_pid;
            job->name = job->name != NULL ? job->name : process->launcher;
        }
        if (own && job->leader < 0)
            job->leader = (int)job->members[i];
        if (own && !known_u64(job->pid))
            job->pid = process->pid;
    }
    if (job->kind != JOB_LAUNCHER && job->count == 1)
        job->kind = JOB_PROCESS;
    if (job->name == NULL && job->leader >= 0)
        job->name = label_of(host, &host->processes[job->leader]);
}

static void make_job(const struct host *host, struct job *job, const struct key *key,
                     const unsigned *members, unsigned count)
{
    *job = (struct job){
        .kind = key->kind, .name = key->name, .leader = -1, .count = count, .members = members};
    if (key->kind == JOB_PARENT)
        name_leader(host, job, key->pid);
    if (key->kind == JOB_CONTAINER && host->processes[members[0]].container != NULL)
        job->name = host->processes[members[0]].container;
    if (job->kind == JOB_PROCESS && job->name == NULL)
        job->name = label_of(host, &host->processes[members[0]]);
}

static struct key *make_keys(const struct finder *finder)
{
    const struct host *host = finder->host;
    struct key *keys = ARENA_ARRAY(host->arena, finder->count, struct key);
    for (unsigned i = 0; i < finder->count; i++)
        keys[i] = key_of(&host->processes[i], NULL, i);
    for (unsigned i = 0; i < finder->place_count; i++) {
        unsigned process = finder->places[i].process;
        keys[process] = key_of(&host->processes[process], &finder->places[i], process);
    }
    qsort(keys, finder->count, sizeof(*keys), by_key);
    return keys;
}

struct jobs jobs_of(const struct host *host)
{
    struct jobs jobs = {0};
    struct finder finder = {.host = host, .count = host->process_count};
    if (finder.count == 0)
        return jobs;
    finder.places = ARENA_ARRAY(host->arena, finder.count, struct place);
    finder.way = ARENA_ARRAY(host->arena, finder.count, unsigned);
    make_places(&finder);
    find_roots(&finder);
    const struct key *keys = make_keys(&finder);
    struct job *items = ARENA_ARRAY(host->arena, finder.count, struct job);
    unsigned *members = ARENA_ARRAY(host->arena, finder.count, unsigned);
    unsigned *of = ARENA_ARRAY(host->arena, finder.count, unsigned);
    for (unsigned i = 0, end; i < finder.count; i = end) {
        for (end = i; end < finder.count && compare_keys(&keys[i], &keys[end]) == 0; end++)
            members[end] = keys[end].process;
        make_job(host, &items[jobs.count++], &keys[i], &members[i], end - i);
    }
    qsort(items, jobs.count, sizeof(*items), by_first);
    for (unsigned i = 0; i < jobs.count; i++)
        for (unsigned j = 0; j < items[i].count; j++)
            of[items[i].members[j]] = i;
    jobs.items = items;
    jobs.of = of;
    return jobs;
}

bool job_is_group(const struct job *job)
{
    return job->count > 1 || (job->kind == JOB_LAUNCHER && job->name != NULL);
}

bool job_leader_serves(const struct job *job)
{
    static const char *const names[] = {"ray", "slurmstepd"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (job->kind == JOB_LAUNCHER && job->name != NULL && strcmp(job->name, names[i]) == 0)
            return true;
    return false;
}
