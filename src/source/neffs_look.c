// SPDX-License-Identifier: Apache-2.0
// One process and its NEFFs: what it has open, and where its loaded models lead to.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "base/xmem.h"
#include "source/inside.h"
#include "source/neffs.h"

enum {
    LINKS_MOST = 65536,
    MAPS_BLOCK = 65536,
    MAPS_MOST = 16 << 20,
    FLAGS_BYTES = 8192,
    PAYLOAD_MOST = 8 << 20 // inflated, of a file that lies in no cache
};

#define LOOK_SECONDS 20.0 // for all of one process
#define PAYLOAD_SECONDS 1.0

// One look at a process.
struct look {
    const struct neffs_question *question;
    const struct neffs_answer *last;
    struct neffs_answer *answer;
    int dir, root; // /proc/PID, and the root folder of the process
    bool eager;    // the models have changed since the last look
    bool cache_there;
    struct neffs_cache cache;
    char cache_why[NEFFS_WHY];
    size_t open_count;
    struct neffs_candidate open[NEFFS_FILES_MAX], candidates[NEFFS_CANDIDATES];
};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void neffs_question_free(struct neffs_question *question)
{
    if (question == NULL)
        return;
    for (size_t i = 0; i < question->model_count; i++)
        free(question->models[i].name);
    free(question->models);
    free(question);
}

static void take_path(struct look *look, const char *path, bool deleted)
{
    for (size_t i = 0; i < look->open_count; i++)
        if (strcmp(look->open[i].file.path, path) == 0)
            return;
    if (look->open_count == NEFFS_FILES_MAX)
        return;
    struct neffs_candidate *candidate = &look->open[look->open_count++];
    if (deleted) {
        memset(candidate, 0, sizeof(*candidate));
        snprintf(candidate->file.path, sizeof(candidate->file.path), "%s", path);
        snprintf(candidate->file.why, sizeof(candidate->file.why), "deleted or replaced since");
    } else {
        neffs_read_file(look->root, path, candidate);
    }
    candidate->file.open = true;
}

static void take_links(struct look *look)
{
    char target[NEFFS_PATH + 32], path[NEFFS_PATH];
    int fd = openat(look->dir, "fd", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    bool deleted;
    if (dir == NULL && fd >= 0)
        close(fd);
    for (int left = LINKS_MOST; dir != NULL && left > 0 && (entry = readdir(dir)) != NULL; left--) {
        ssize_t length = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target));
        if (length > 0 && (size_t)length < sizeof(target) &&
            neffs_path_of(path, target, (size_t)length, &deleted))
            take_path(look, path, deleted);
    }
    if (dir != NULL)
        closedir(dir);
}

// Takes the whole lines of the first USED bytes and moves the rest to the front.
static size_t take_lines(struct look *look, char *block, size_t used)
{
    char path[NEFFS_PATH], *line = block, *end;
    bool deleted;
    while ((end = memchr(line, '\n', used - (size_t)(line - block))) != NULL) {
        if (neffs_mapped_path(path, line, (size_t)(end - line), &deleted))
            take_path(look, path, deleted);
        line = end + 1;
    }
    size_t rest = used - (size_t)(line - block);
    if (rest == MAPS_BLOCK)
        return 0; // no line of the kernel's is as long
    memmove(block, line, rest);
    return rest;
}

static void take_mappings(struct look *look)
{
    char *block = xmalloc(MAPS_BLOCK);
    size_t used = 0;
    ssize_t got;
    int fd = openat(look->dir, "maps", O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    for (long done = 0; fd >= 0 && done < MAPS_MOST; done += got) {
        got = read(fd, block + used, MAPS_BLOCK - used);
        if (got <= 0)
            break;
        used = take_lines(look, block, used + (size_t)got);
    }
    if (fd >= 0)
        close(fd);
    free(block);
}

// The compile flags beside the file tell its target without its payload.
static void read_flags(int root, struct neffs_file *file)
{
    char path[NEFFS_PATH + 32], text[FLAGS_BYTES];
    const char *slash = strrchr(file->path, '/'), *target = NULL;
    snprintf(path, sizeof(path), "%.*s/compile_flags.json", (int)(slash - file->path), file->path);
    int fd = inside_file(root, path);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof(text)) : -1;
    if (fd >= 0)
        close(fd);
    if (got > 0 && got < (ssize_t)sizeof(text))
        target = neffs_flags_target(text, (size_t)got);
    file->target_known = file->target_by_flags = target != NULL;
    if (target != NULL)
        snprintf(file->target, sizeof(file->target), "%s", target);
}

static void read_payload(int root, struct neffs_file *file)
{
    const struct neff_options options = {
        .limits = {.bytes = PAYLOAD_MOST, .seconds = PAYLOAD_SECONDS}};
    struct neff *neff = xmalloc(sizeof(*neff));
    char why[NEFF_WHY];
    int fd = inside_file(root, file->path);
    if (fd >= 0 && neff_read_open(neff, fd, &options, why)) {
        const struct neff_payload *payload = &neff->payload;
        if (strlen(payload->compiler) < sizeof(file->compiler))
            snprintf(file->compiler, sizeof(file->compiler), "%.*s",
                     (int)sizeof(file->compiler) - 1, payload->compiler);
        file->target_known =
            payload->target_known && strlen(payload->target) < sizeof(file->target);
        if (file->target_known)
            snprintf(file->target, sizeof(file->target), "%.*s", (int)sizeof(file->target) - 1,
                     payload->target);
    }
    if (fd >= 0)
        close(fd);
    free(neff);
}

static const struct neffs_file *file_of(const struct neffs_answer *answer,
                                        const struct neffs_file *file)
{
    for (size_t i = 0; answer != NULL && i < answer->file_count; i++)
        if (strcmp(answer->files[i].path, file->path) == 0 &&
            answer->files[i].device == file->device && answer->files[i].inode == file->inode &&
            answer->files[i].size == file->size)
            return &answer->files[i];
    return NULL;
}

// Compiler and target, by the cache where the file lies in one.
static void complete(const struct look *look, struct neffs_file *file)
{
    char entry[NEFFS_ENTRY], compiler[NEFFS_COMPILER];
    const struct neffs_file *known = file_of(look->last, file);
    bool cached = neffs_entry_of(file->path, entry, compiler) && compiler[0] != '\0';
    if (!file->header)
        return;
    if (known != NULL) {
        file->target_known = known->target_known;
        file->target_by_flags = known->target_by_flags;
        memcpy(file->target, known->target, sizeof(file->target));
        memcpy(file->compiler, known->compiler, sizeof(file->compiler));
        return;
    }
    if (cached)
        memcpy(file->compiler, compiler, sizeof(file->compiler));
    if (cached)
        read_flags(look->root, file);
    else
        read_payload(look->root, file);
}

// The place of FILE among those of the answer, from 1 on; 0: there is no room.
static unsigned char put_file(struct look *look, const struct neffs_file *file)
{
    struct neffs_answer *answer = look->answer;
    for (size_t i = 0; i < answer->file_count; i++)
        if (strcmp(answer->files[i].path, file->path) == 0)
            return (unsigned char)(i + 1);
    if (answer->file_count == NEFFS_FILES_MAX)
        return 0;
    struct neffs_file *kept = &answer->files[answer->file_count++];
    *kept = *file;
    complete(look, kept);
    return (unsigned char)answer->file_count;
}

static void say(struct look *look, const char *why)
{
    if (look->answer->why[0] == '\0')
        snprintf(look->answer->why, sizeof(look->answer->why), "%s", why);
}

// The cache of a process. A file: URL is a folder of that name for what does not know such URLs.
static void find_cache(struct look *look, struct neffs_caches *caches)
{
    const struct neffs_question *question = look->question;
    const char *path = "";
    char folder[NEFFS_PLACE] = "";
    enum neffs_place place = neffs_place_of(question->cache, &path);
    look->cache.caches = caches;
    look->cache.root = look->root;
    if (place == NEFFS_RELATIVE) {
        ssize_t length = readlinkat(look->dir, "cwd", folder, sizeof(folder) - 1);
        folder[length > 0 ? length : 0] = '\0';
    }
    int wrote = snprintf(look->cache.place, sizeof(look->cache.place), "%s%s%s", folder,
                         folder[0] != '\0' ? "/" : "", path);
    bool whole = wrote > 0 && wrote < (int)sizeof(look->cache.place);
    look->cache_there = whole && look->cache.place[0] == '/';
    if (look->cache_there)
        return;
    snprintf(look->cache_why, sizeof(look->cache_why), "%s",
             !question->cache_told        ? "where its compile cache is, is not known"
             : question->cache[0] == '\0' ? "it runs without a compile cache"
             : place == NEFFS_ELSEWHERE   ? "its compile cache is in an object store, which is not "
                                            "read"
                                        : "its compile cache cannot be told by what it was given");
}

static bool settle(struct look *look, size_t index, const struct neffs_candidate *candidate)
{
    const struct neffs_model *model = &look->question->models[index];
    struct neffs_answer *answer = look->answer;
    unsigned char place = put_file(look, &candidate->file);
    if (place == 0)
        return false;
    answer->of_model[index] = place;
    answer->evidence[index] = (unsigned char)neffs_evidence(model, candidate);
    answer->uuid_differs[index] = model->uuid[0] != '\0' && candidate->file.uuid[0] != '\0' &&
                                  strcmp(model->uuid, candidate->file.uuid) != 0;
    return true;
}

// The files that the model's name leads to: the path that it is, and the entry that it names.
static bool gather_named(struct look *look, const struct neffs_model *model, size_t *count)
{
    char path[NEFFS_PATH], entry[NEFFS_ENTRY], compiler[NEFFS_COMPILER];
    bool deleted;
    if (neffs_path_of(path, model->name, strlen(model->name), &deleted) && !deleted &&
        neffs_read_file(look->root, path, &look->candidates[*count])) {
        look->candidates[*count].named = true;
        ++*count;
    }
    if (!look->cache_there || !neffs_entry_of(model->name, entry, compiler))
        return true;
    return neffs_cache_entry(&look->cache, entry, compiler, look->candidates, count);
}

// Looks for the file of the model in two steps: where its name leads, then by all headers of the
// cache.
static void look_for(struct look *look, size_t index)
{
    static const char several[] = "several NEFFs fit a model, by its name as well as another";
    const struct neffs_model *model = &look->question->models[index];
    struct neffs_candidate *candidates = look->candidates;
    char why[NEFFS_WHY] = "";
    size_t count = 0, which = 0;
    bool all = gather_named(look, model, &count);
    enum neffs_fit fit = neffs_pick(model, candidates, count, &which);
    if (fit == NEFFS_NONE && look->cache_there) {
        count = 0;
        all = neffs_cache_search(&look->cache, model, look->eager, candidates, &count, why);
        fit = neffs_pick(model, candidates, count, &which);
    }
    bool by_uuid =
        fit == NEFFS_ONE && (neffs_evidence(model, &candidates[which]) & NEFF_BY_UUID) != 0;
    if (fit == NEFFS_ONE && (all || by_uuid) && settle(look, index, &candidates[which]))
        return;
    say(look, fit == NEFFS_SEVERAL ? several
              : !look->cache_there ? look->cache_why
              : why[0] != '\0'     ? why
              : fit == NEFFS_ONE   ? "its compile cache could not be read to its end"
                                   : "no NEFF in its compile cache has a model's uuid or name");
}

// A model whose file was found stays with it: what was loaded does not change.
static bool look_back(struct look *look, size_t index)
{
    const struct neffs_answer *last = look->last;
    if (look->eager || last->of_model[index] == 0)
        return false;
    const struct neffs_file *file = &last->files[last->of_model[index] - 1];
    unsigned char place = put_file(look, file);
    look->answer->of_model[index] = place;
    look->answer->evidence[index] = last->evidence[index];
    look->answer->uuid_differs[index] = last->uuid_differs[index];
    return place != 0;
}

static void look_for_all(struct look *look)
{
    const struct neffs_question *question = look->question;
    for (size_t i = 0; i < question->model_count && i < NEFFS_MODELS_MAX; i++) {
        size_t which;
        if (look_back(look, i) ||
            (neffs_pick(&question->models[i], look->open, look->open_count, &which) == NEFFS_ONE &&
             settle(look, i, &look->open[which])))
            continue;
        if (seconds_now() < look->cache.give_up)
            look_for(look, i);
        else
            say(look, "its compile cache did not answer in time");
    }
    if (question->model_count > NEFFS_MODELS_MAX)
        say(look, "it has more models than are looked for");
}

struct neffs_answer *neffs_look(struct neffs_caches *caches, int root_fd,
                                const struct neffs_question *question,
                                const struct neffs_answer *last)
{
    char path[32];
    struct look *look = xcalloc(1, sizeof(*look));
    struct neffs_answer *answer =
        xcalloc(1, sizeof(*answer) + NEFFS_FILES_MAX * sizeof(answer->files[0]));
    answer->key = question->key;
    look->answer = answer;
    look->question = question;
    look->last = last;
    look->eager = last == NULL || last->key != question->key;
    look->cache.give_up = seconds_now() + LOOK_SECONDS;
    snprintf(path, sizeof(path), "proc/%llu", (unsigned long long)question->pid);
    look->dir = inside_open(root_fd, path, O_PATH | O_DIRECTORY);
    look->root = look->dir >= 0 ? inside_process_root(root_fd, question->pid) : -1;
    if (look->root >= 0) {
        take_links(look);
        take_mappings(look);
        for (size_t i = 0; i < look->open_count; i++)
            put_file(look, &look->open[i].file);
        find_cache(look, caches);
        look_for_all(look);
        close(look->root);
    } else {
        snprintf(answer->why, sizeof(answer->why), "its files cannot be read: %s", strerror(errno));
    }
    if (look->dir >= 0)
        close(look->dir);
    free(look);
    return xreallocarray(answer, 1,
                         sizeof(*answer) + answer->file_count * sizeof(answer->files[0]));
}
