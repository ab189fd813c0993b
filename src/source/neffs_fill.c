// SPDX-License-Identifier: Apache-2.0
// Asks for the NEFFs of the processes of a snapshot, and copies into it what is known. What a tick
// costs does not depend on what lies in any cache.
#include <bsd/string.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/xmem.h"
#include "source/neffs_state.h"

// Seconds: how long a process is remembered that nobody shows; how long the first snapshot waits.
#define TASK_KEPT 60
#define PATIENCE 3

static uint64_t mix(uint64_t hash, const char *text)
{
    for (; text != NULL && *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3); // FNV-1a
    return (hash ^ (text != NULL ? 0x100U : 0x200U)) * UINT64_C(0x100000001b3);
}

static uint64_t key_of(const struct process *process)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    hash ^= (uint64_t)process->started_unix_seconds.value; // of a PID that was another's
    hash = mix(hash, process->compile_cache);
    hash = mix(hash, process->compile_cache_from);
    for (unsigned i = 0; i < process->model_count; i++)
        hash = mix(mix(hash, process->models[i].name), process->models[i].uuid);
    return hash;
}

static struct neffs_question *question_of(const struct process *process, uint64_t key)
{
    struct neffs_question *question = xcalloc(1, sizeof(*question));
    const char *cache = process->compile_cache != NULL ? process->compile_cache : "";
    size_t count = process->model_count;
    if (count > NEFFS_MODELS_MAX)
        count = NEFFS_MODELS_MAX + 1; // one too many says that there are more
    question->pid = process->pid.value;
    question->key = key;
    question->cache_told =
        process->compile_cache_from != NULL &&
        strlcpy(question->cache, cache, sizeof(question->cache)) < sizeof(question->cache);
    if (!question->cache_told)
        question->cache[0] = '\0';
    question->models = xcalloc(count, sizeof(*question->models));
    question->model_count = count;
    for (size_t i = 0; i < count; i++) {
        const struct model *model = &process->models[i];
        question->models[i].name = xstrdup(model->name != NULL ? model->name : "");
        neffs_uuid(question->models[i].uuid, model->uuid);
    }
    return question;
}

// The task of a process, made when there is room; NULL: there is none.
static struct neffs_task *task_of(struct neffs *neffs, uint64_t pid, double now)
{
    for (size_t i = 0; i < neffs->task_count; i++)
        if (neffs->tasks[i]->pid == pid)
            return neffs->tasks[i];
    if (neffs->task_count == NEFFS_TASKS_MAX)
        return NULL;
    struct neffs_task *task = xcalloc(1, sizeof(*task));
    task->pid = pid;
    task->wanted_at = now;
    neffs->tasks[neffs->task_count++] = task;
    return task;
}

static void ask(struct neffs *neffs, struct neffs_task *task, const struct process *process,
                uint64_t key, double now)
{
    const struct neffs_answer *answer = task->answer;
    task->asked = now;
    if (task->answer_wanted != key)
        task->wanted_at = now;
    task->answer_wanted = key;
    if (task->taken || (task->question != NULL && task->question->key == key) ||
        (answer != NULL && answer->key == key && now < task->due))
        return;
    neffs_question_free(task->question);
    task->question = question_of(process, key);
    pthread_cond_signal(&neffs->wake);
}

static const char *copy(struct host *host, const char *text)
{
    return text[0] != '\0' ? arena_strdup(host->arena, text) : NULL;
}

static struct fact_u64 told(uint64_t value)
{
    return fact_u64(value, FROM_PROC);
}

static void fill_models(struct host *host, struct neff_use *use, const struct process *process,
                        const struct neffs_answer *answer, size_t file)
{
    unsigned *models = ARENA_ARRAY(host->arena, process->model_count, unsigned);
    for (unsigned i = 0; i < process->model_count && i < NEFFS_MODELS_MAX; i++) {
        if (answer->of_model[i] != file + 1)
            continue;
        models[use->model_count++] = i;
        use->evidence |= answer->evidence[i];
        use->uuid_differs = use->uuid_differs || answer->uuid_differs[i];
    }
    use->models = models;
}

static void fill_use(struct host *host, struct neff_use *use, const struct neffs_file *file)
{
    use->path = copy(host, file->path);
    use->evidence = file->open ? NEFF_BY_FILE : 0;
    use->error = file->header ? NULL : copy(host, file->why);
    use->uuid = copy(host, file->uuid);
    use->compiler = copy(host, file->compiler);
    use->target = file->target_known ? arena_strdup(host->arena, file->target) : NULL;
    use->target_by_flags = file->target_by_flags;
    if (!file->header)
        return;
    use->lnc = told(file->lnc);
    use->features = told(file->features);
    use->version_major = told(file->version_major);
    use->version_minor = told(file->version_minor);
}

// neuron-monitor has told of the process, so a list without models says that it has none.
static bool models_told(const struct process *process)
{
    const struct group_status *group = &process->groups[GROUP_MEMORY];
    return process->model_count > 0 || (known_f64(group->age_seconds) && group->error == NULL);
}

static void fill_process(struct neffs *neffs, struct host *host, struct process *process,
                         const struct neffs_answer *answer)
{
    struct neff_use *uses = ARENA_ARRAY(host->arena, answer->file_count, struct neff_use);
    process->neffs_looked_for = true;
    process->neffs = uses;
    process->neff_count = (unsigned)answer->file_count;
    for (size_t i = 0; i < answer->file_count; i++) {
        fill_use(host, &uses[i], &answer->files[i]);
        fill_models(host, &uses[i], process, answer, i);
    }
    for (unsigned i = 0; i < process->model_count; i++)
        process->neffs_untold += i >= NEFFS_MODELS_MAX || answer->of_model[i] == 0;
    if (process->neffs_untold > 0)
        process->neffs_reason = copy(host, answer->why);
    else if (!models_told(process))
        process->neffs_reason =
            "no source lists its loaded models (neuron-monitor does: -S monitor,driver)";
    neffs->known += process->neff_count;
    neffs->untold += process->neffs_untold;
}

static void forget_tasks(struct neffs *neffs, double now)
{
    size_t kept = 0;
    for (size_t i = 0; i < neffs->task_count; i++) {
        struct neffs_task *task = neffs->tasks[i];
        if (now - task->asked > TASK_KEPT && !task->taken)
            neffs_task_free(task);
        else
            neffs->tasks[kept++] = task;
    }
    neffs->task_count = kept;
}

void neffs_fill(const struct source *source, struct host *host, double now)
{
    struct neffs *neffs = source->state;
    pthread_mutex_lock(&neffs->lock);
    neffs->complete = true;
    neffs->waiting = false;
    neffs->known = neffs->untold = 0;
    for (unsigned i = 0; i < host->process_count; i++) {
        struct process *process = &host->processes[i];
        struct neffs_task *task = NULL;
        if (known_u64(process->pid) && process->state != PROCESS_GONE && !process->bystander)
            task = task_of(neffs, process->pid.value, now);
        if (task == NULL)
            continue;
        uint64_t key = key_of(process);
        ask(neffs, task, process, key, now);
        if (task->answer != NULL && task->answer->key == key)
            fill_process(neffs, host, process, task->answer);
        bool waits = task->answer == NULL || task->answer->key != key;
        bool patient = now - task->wanted_at < PATIENCE;
        neffs->complete = neffs->complete && !(waits && patient);
        neffs->waiting = neffs->waiting || (waits && !patient);
    }
    forget_tasks(neffs, now);
    pthread_mutex_unlock(&neffs->lock);
}
