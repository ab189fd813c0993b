// SPDX-License-Identifier: Apache-2.0
// A compile cache: the entry that a name leads to, and for what has no such name the headers of all
// entries, read once and then only of entries that are new. It may be huge, and on a server that
// does not answer: all of it is bounded, and read in a thread of its own.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/xmem.h"
#include "source/inside.h"
#include "source/neffs.h"

enum { CACHES_MAX = 8, FOLDER_MOST = 65536, NAME_BYTES = 255, ENTRY_BYTES = 64 };

// Seconds: the shortest and longest time between two readings of a cache; how long headers are
// believed. And what part of the time reading may take, one in so many.
#define WAIT_SHORT 30.0
#define WAIT_LONG 3600.0
#define TIME_PART 50

struct entry {
    unsigned char compiler; // index into compilers
    char name[ENTRY_BYTES];
    char uuid[NEFFS_UUID];
    uint64_t name_hash; // of its header's name, as far as neuron-monitor gives it
};

struct cache_index {
    dev_t device;
    ino_t inode;
    double read_at, born, wait; // monotonic, monotonic, seconds
    bool complete;
    size_t compiler_count, count, room;
    char compilers[NEFFS_COMPILERS_MAX][NEFFS_COMPILER];
    struct entry *entries; // by compiler, then name
};

struct neffs_caches {
    size_t count;
    struct cache_index *items[CACHES_MAX]; // the newest last
};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void index_free(struct cache_index *index)
{
    if (index != NULL)
        free(index->entries);
    free(index);
}

struct neffs_caches *neffs_caches_new(void)
{
    return xcalloc(1, sizeof(struct neffs_caches));
}

void neffs_caches_free(struct neffs_caches *caches)
{
    for (size_t i = 0; i < caches->count; i++)
        index_free(caches->items[i]);
    free(caches);
}

// FNV-1a.
static uint64_t hash_name(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < NAME_BYTES && name[i] != '\0'; i++)
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
    return hash;
}

bool neffs_read_file(int root, const char *path, struct neffs_candidate *candidate)
{
    struct neffs_file *file = &candidate->file;
    struct neff_header header;
    struct stat info;
    memset(candidate, 0, sizeof(*candidate));
    snprintf(file->path, sizeof(file->path), "%s", path);
    int fd = inside_file(root, path);
    if (fd < 0 || fstat(fd, &info) != 0) {
        snprintf(file->why, sizeof(file->why), "%s",
                 errno == EINVAL ? "no regular file" : strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    file->device = info.st_dev;
    file->inode = info.st_ino;
    file->size = info.st_size;
    file->header = neff_read_header(&header, fd, file->why);
    close(fd);
    if (!file->header)
        return false;
    file->lnc = header.lnc;
    file->lnc_given = header.lnc_given;
    file->features = header.features;
    file->version_major = header.major;
    file->version_minor = header.minor;
    neffs_uuid(file->uuid, header.uuid);
    memcpy(candidate->name, header.name, sizeof(candidate->name));
    return true;
}

// Reads the NEFF of an entry; false: it has none yet, or none that is one.
static bool read_entry(const struct neffs_cache *cache, const char *compiler, const char *entry,
                       struct neffs_candidate *candidate)
{
    char path[NEFFS_PATH];
    int length = snprintf(path, sizeof(path), "%s/neuronxcc-%s/%s/model.neff", cache->place,
                          compiler, entry);
    if (length >= (int)sizeof(path) || !neffs_read_file(cache->root, path, candidate))
        return false;
    snprintf(candidate->file.compiler, sizeof(candidate->file.compiler), "%s", compiler);
    return true;
}

static bool over(const struct neffs_cache *cache)
{
    return seconds_now() >= cache->give_up;
}

// The versions of compilers that have a folder in the cache. False when they are not all.
static bool list_compilers(const struct neffs_cache *cache,
                           char compilers[NEFFS_COMPILERS_MAX][NEFFS_COMPILER], size_t *count)
{
    DIR *dir = inside_folder(cache->root, cache->place);
    struct dirent *entry = NULL;
    int left = FOLDER_MOST;
    *count = 0;
    while (dir != NULL && left-- > 0 && !over(cache) && (entry = readdir(dir)) != NULL) {
        const char *version = neffs_compiler_version(entry->d_name);
        if (version == NULL)
            continue;
        if (*count == NEFFS_COMPILERS_MAX)
            break;
        snprintf(compilers[(*count)++], NEFFS_COMPILER, "%s", version);
    }
    if (dir != NULL)
        closedir(dir);
    return entry == NULL && !over(cache);
}

bool neffs_cache_entry(const struct neffs_cache *cache, const char *entry, const char *compiler,
                       struct neffs_candidate *candidates, size_t *count)
{
    char compilers[NEFFS_COMPILERS_MAX][NEFFS_COMPILER];
    size_t compiler_count = 1;
    bool all = true;
    if (compiler[0] != '\0')
        snprintf(compilers[0], sizeof(compilers[0]), "%s", compiler);
    else
        all = list_compilers(cache, compilers, &compiler_count);
    for (size_t i = 0; i < compiler_count; i++) {
        if (*count == NEFFS_CANDIDATES || over(cache))
            return false;
        struct neffs_candidate *candidate = &candidates[*count];
        if (!read_entry(cache, compilers[i], entry, candidate))
            continue;
        candidate->named = true;
        ++*count;
    }
    return all;
}

static int compare_entries(const struct cache_index *one, const struct entry *a,
                           const struct cache_index *other, const struct entry *b)
{
    int order = strcmp(one->compilers[a->compiler], other->compilers[b->compiler]);
    return order != 0 ? order : strcmp(a->name, b->name);
}

// What an earlier reading found of the entry; NULL: it is new.
static const struct entry *known_entry(const struct cache_index *before,
                                       const struct cache_index *index, const struct entry *entry)
{
    size_t low = 0, high = before != NULL ? before->count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_entries(before, &before->entries[middle], index, entry);
        if (order == 0)
            return &before->entries[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static void keep_entry(struct cache_index *index, const struct entry *entry)
{
    if (index->count == index->room) {
        index->room = index->room * 2 + 64;
        index->entries = xreallocarray(index->entries, index->room, sizeof(*index->entries));
    }
    index->entries[index->count++] = *entry;
}

// Takes one folder of a compiler's. What is no finished NEFF is looked at again the next time.
static bool take_entry(const struct neffs_cache *cache, struct cache_index *index,
                       const struct cache_index *before, struct entry *entry)
{
    struct neffs_candidate candidate;
    const struct entry *known = known_entry(before, index, entry);
    if (known != NULL) {
        memcpy(entry->uuid, known->uuid, sizeof(entry->uuid));
        entry->name_hash = known->name_hash;
    } else if (read_entry(cache, index->compilers[entry->compiler], entry->name, &candidate)) {
        memcpy(entry->uuid, candidate.file.uuid, sizeof(entry->uuid));
        entry->name_hash = hash_name(candidate.name);
    } else {
        return false;
    }
    keep_entry(index, entry);
    return known == NULL;
}

// False when it was not read to its end.
static bool read_compiler(const struct neffs_cache *cache, struct cache_index *index,
                          const struct cache_index *before, size_t compiler, bool *fresh)
{
    char path[NEFFS_PATH];
    struct dirent *found = NULL;
    int left = FOLDER_MOST;
    snprintf(path, sizeof(path), "%s/neuronxcc-%s", cache->place, index->compilers[compiler]);
    DIR *dir = inside_folder(cache->root, path);
    if (dir == NULL)
        return errno == ENOTDIR; // a file of that name is none of a compiler's folders
    while (left-- > 0 && !over(cache) && (found = readdir(dir)) != NULL) {
        struct entry entry = {.compiler = (unsigned char)compiler};
        if (!neffs_is_entry(found->d_name) || strlen(found->d_name) >= sizeof(entry.name))
            continue;
        if (index->count == NEFFS_ENTRIES_MAX)
            break;
        snprintf(entry.name, sizeof(entry.name), "%s", found->d_name);
        *fresh = take_entry(cache, index, before, &entry) || *fresh;
    }
    closedir(dir);
    return found == NULL && left > 0 && !over(cache);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static int by_place(const void *a, const void *b)
{
    const struct entry *one = a, *other = b;
    if (one->compiler != other->compiler) // compilers are in order
        return one->compiler < other->compiler ? -1 : 1;
    return strcmp(one->name, other->name);
}

static struct cache_index *read_index(const struct neffs_cache *cache,
                                      const struct cache_index *before)
{
    struct cache_index *index = xcalloc(1, sizeof(*index));
    double start = seconds_now();
    bool fresh = false;
    index->complete = list_compilers(cache, index->compilers, &index->compiler_count);
    qsort(index->compilers, index->compiler_count, sizeof(index->compilers[0]), by_text);
    for (size_t i = 0; i < index->compiler_count; i++)
        index->complete = read_compiler(cache, index, before, i, &fresh) && index->complete;
    if (index->count > 0)
        qsort(index->entries, index->count, sizeof(*index->entries), by_place);
    index->read_at = seconds_now();
    index->born = before != NULL ? before->born : index->read_at;
    index->wait = fresh || before == NULL ? WAIT_SHORT : before->wait * 2;
    if (index->wait < TIME_PART * (index->read_at - start))
        index->wait = TIME_PART * (index->read_at - start);
    if (index->wait > WAIT_LONG)
        index->wait = WAIT_LONG;
    return index;
}

static struct cache_index *find_index(struct neffs_caches *caches, const struct stat *info)
{
    for (size_t i = 0; i < caches->count; i++) {
        struct cache_index *index = caches->items[i];
        if (index->device != info->st_dev || index->inode != info->st_ino)
            continue;
        memmove(&caches->items[i], &caches->items[i + 1],
                (caches->count - i - 1) * sizeof(caches->items[0]));
        caches->items[caches->count - 1] = index;
        return index;
    }
    return NULL;
}

static void put_index(struct neffs_caches *caches, struct cache_index *before,
                      struct cache_index *index)
{
    if (before == NULL && caches->count == CACHES_MAX) {
        index_free(caches->items[0]);
        memmove(&caches->items[0], &caches->items[1], (CACHES_MAX - 1) * sizeof(caches->items[0]));
        caches->items[CACHES_MAX - 1] = index;
    } else if (before == NULL) {
        caches->items[caches->count++] = index;
    } else {
        caches->items[caches->count - 1] = index; // where find_index() has put it
        index_free(before);
    }
}

// The headers of the cache, read now when they are missing or old. NULL with a reason.
static const struct cache_index *get_index(const struct neffs_cache *cache, bool eager,
                                           char why[NEFFS_WHY])
{
    struct stat info;
    int fd = inside_open(cache->root, cache->place, O_PATH | O_DIRECTORY);
    if (fd < 0 || fstat(fd, &info) != 0) {
        snprintf(why, NEFFS_WHY, "its compile cache cannot be read: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    close(fd);
    double now = seconds_now();
    struct cache_index *before = find_index(cache->caches, &info);
    if (before != NULL) {
        double wait = eager && before->complete ? WAIT_SHORT : before->wait;
        if (now - before->read_at < wait)
            return before;
    }
    bool old = before != NULL && now - before->born > WAIT_LONG;
    struct cache_index *index = read_index(cache, old ? NULL : before);
    index->device = info.st_dev;
    index->inode = info.st_ino;
    put_index(cache->caches, before, index);
    return index;
}

bool neffs_cache_search(const struct neffs_cache *cache, const struct neffs_model *model,
                        bool eager, struct neffs_candidate *candidates, size_t *count,
                        char why[NEFFS_WHY])
{
    const struct cache_index *index = get_index(cache, eager, why);
    uint64_t hash = hash_name(model->name);
    if (index == NULL)
        return false;
    for (size_t i = 0; i < index->count; i++) {
        const struct entry *entry = &index->entries[i];
        bool same = entry->uuid[0] != '\0' && strcmp(entry->uuid, model->uuid) == 0;
        if (!same && (model->name[0] == '\0' || entry->name_hash != hash))
            continue;
        if (*count == NEFFS_CANDIDATES) {
            snprintf(why, NEFFS_WHY, "more than %d NEFFs in its compile cache fit",
                     NEFFS_CANDIDATES);
            return false;
        }
        *count +=
            read_entry(cache, index->compilers[entry->compiler], entry->name, &candidates[*count]);
    }
    if (!index->complete)
        snprintf(why, NEFFS_WHY, "its compile cache could not be read to its end (%zu NEFFs seen)",
                 index->count);
    return index->complete;
}
