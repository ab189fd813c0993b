// SPDX-License-Identifier: Apache-2.0
// Which processes of a job are alike, so that the text snapshot tells of them in one block.
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "print/text_parts.h"

// A process with what must be equal for a block.
struct member {
    const struct process *process;
    unsigned index, job;
    bool own; // has something of its own to tell: stands alone
    uint64_t models;
    char program[PROCESS_LABEL];
};

static uint64_t hash(const char *text, uint64_t seed)
{
    for (; text != NULL && *text != '\0'; text++)
        seed = (seed ^ (unsigned char)*text) * 0x100000001b3u; // FNV-1a
    return seed;
}

// The same for the same models with the same states, in whatever order.
static uint64_t models_mark(const struct process *process)
{
    uint64_t sum = process->model_count;
    for (unsigned i = 0; i < process->model_count; i++)
        sum += hash(process->models[i].name, 0xcbf29ce484222325u + process->models[i].state);
    return sum;
}

static bool has_own(const struct process *process)
{
    bool own = !known_u64(process->pid) || process->error != NULL || process->address != NULL;
    for (unsigned i = 0; i < GROUPS; i++)
        own = own || process->groups[i].error != NULL;
    return own;
}

static void take(struct member *member, const struct blocks *blocks, unsigned index)
{
    const struct process *process = &blocks->host->processes[index];
    struct process untagged = {.pid = process->pid, .command = process->command};
    member->process = process;
    member->index = index;
    member->job = blocks->jobs.of[index];
    member->own = has_own(process) || !job_is_group(&blocks->jobs.items[member->job]);
    member->models = models_mark(process);
    if (process->command != NULL) // its arguments may say which worker it is
        process_label(&untagged, member->program, sizeof(member->program));
}

static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int order_text(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

static int compare_alike(const struct member *a, const struct member *b)
{
    const struct process *x = a->process, *y = b->process;
    const char *const texts[][2] = {{a->program, b->program},
                                    {x->user, y->user},
                                    {x->container, y->container},
                                    {x->container_id, y->container_id},
                                    {x->pod, y->pod},
                                    {x->pod_namespace, y->pod_namespace},
                                    {x->runtime_version, y->runtime_version}};
    int result = order(a->job, b->job);
    if (result == 0)
        result = order(a->own, b->own);
    if (result == 0 && a->own)
        result = order(a->index, b->index);
    if (result == 0)
        result = order(x->state, y->state);
    if (result == 0)
        result = order(a->models, b->models);
    for (size_t i = 0; result == 0 && i < sizeof(texts) / sizeof(texts[0]); i++)
        result = order_text(texts[i][0], texts[i][1]);
    return result;
}

static int by_block(const void *a, const void *b)
{
    const struct member *x = *(const struct member *const *)a,
                        *y = *(const struct member *const *)b;
    int result = compare_alike(x, y);
    return result != 0 ? result : order(x->index, y->index);
}

struct blocks blocks_of(const struct host *host)
{
    struct blocks blocks = {.host = host, .jobs = jobs_of(host)};
    const unsigned count = host->process_count;
    struct member *members = ARENA_ARRAY(host->arena, count, struct member);
    const struct member **sorted = ARENA_ARRAY(host->arena, count, const struct member *);
    unsigned *head = ARENA_ARRAY(host->arena, count, unsigned);
    unsigned *next = ARENA_ARRAY(host->arena, count, unsigned);
    for (unsigned i = 0; i < count; i++) {
        take(&members[i], &blocks, i);
        sorted[i] = &members[i];
    }
    if (count > 0)
        qsort(sorted, count, sizeof(struct member *), by_block);
    for (unsigned i = 0; i < count; i++) {
        bool joins = i > 0 && compare_alike(sorted[i - 1], sorted[i]) == 0;
        head[sorted[i]->index] = joins ? head[sorted[i - 1]->index] : sorted[i]->index;
        if (joins)
            next[sorted[i - 1]->index] = sorted[i]->index;
    }
    blocks.head = head;
    blocks.next = next;
    return blocks;
}

const struct process *blocks_next(const struct blocks *blocks, const struct process *at)
{
    const unsigned next = blocks->next[at - blocks->host->processes];
    return next != 0 ? &blocks->host->processes[next] : NULL;
}
