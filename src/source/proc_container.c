// SPDX-License-Identifier: Apache-2.0
// The containers that processes are in: asked for by their ids, and told to a snapshot.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "source/proc_state.h"

enum { ID_SHOWN = 12 };

// Seconds that the first reading waits for these small files, so that one snapshot has the names.
static const double first_wait = 0.05;

// True when all are known.
static bool ask_for_all(struct proc *proc, double now)
{
    bool all = true;
    for (size_t i = 0; i < proc->watch_count; i++) {
        struct proc_watch *watch = proc->watches[i];
        if (!watch->here || watch->container_id[0] == '\0')
            continue;
        if (proc->containers == NULL)
            proc->containers = containers_new(proc->where.root, proc->captured);
        if (proc->containers == NULL)
            return true; // there is no thread: ids have to do
        if (!containers_find(proc->containers, watch->container_id, watch->pid, proc->major, now,
                             &watch->container_facts)) {
            watch->container_facts = (struct container_facts){.devices = 0};
            all = false;
        }
    }
    return all;
}

void proc_containers_read(struct proc *proc, double now)
{
    bool first = !isfinite(proc->read_at);
    if (!ask_for_all(proc, now) && first) {
        containers_wait(proc->containers, first_wait);
        ask_for_all(proc, now);
    }
    if (proc->containers != NULL)
        containers_forget(proc->containers, now);
}

size_t proc_containers_denied(const struct proc *proc)
{
    size_t count = 0;
    for (size_t i = 0; i < proc->watch_count; i++) {
        const struct proc_watch *watch = proc->watches[i];
        bool told = false;
        for (size_t j = 0; j < i; j++)
            told = told || strcmp(proc->watches[j]->container_id, watch->container_id) == 0;
        count += !told && watch->container_id[0] != '\0' && watch->container_facts.denied;
    }
    return count;
}

static void give(struct arena *arena, const char **text, const char *value)
{
    if (*text == NULL && value[0] != '\0')
        *text = arena_strdup(arena, value);
}

void proc_containers_fill(const struct proc_watch *watch, struct arena *arena,
                          struct process *process)
{
    const struct container_facts *facts = &watch->container_facts;
    if (watch->container_id[0] == '\0')
        return;
    if (process->container_id == NULL)
        process->container_id = arena_strndup(arena, watch->container_id, ID_SHOWN);
    give(arena, &process->container, facts->names.container);
    give(arena, &process->pod, facts->names.pod);
    give(arena, &process->pod_namespace, facts->names.pod_namespace);
    if (facts->devices == 0)
        return;
    struct core_set *given = ARENA_NEW(arena, struct core_set);
    for (unsigned device = 0; device < PROC_DEVICES_MAX; device++)
        if ((facts->devices >> device & 1) != 0)
            core_set_add(given, device);
    process->given = given;
}
