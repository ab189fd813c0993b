// SPDX-License-Identifier: Apache-2.0
// Which NEFF a process runs: its loaded models joined with the files that it has open and with its
// compile cache (versions reference, sections 5.1, 5.2 and 5.5). Private to neffs*.c and their
// tests.
#ifndef NEUTOP_SOURCE_NEFFS_H
#define NEUTOP_SOURCE_NEFFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "host/host.h"
#include "neff/neff.h"

enum {
    NEFFS_PATH = 512,
    NEFFS_PLACE = 256,      // of a cache
    NEFFS_UUID = 33,        // 32 hexadecimal digits
    NEFFS_ENTRY = 96,       // "MODULE_<graph>+<flags>"
    NEFFS_COMPILER = 64,    // "2.27.5334.0+0f1e2d3c"
    NEFFS_MODELS_MAX = 256, // of a process; what is beyond is not looked for
    NEFFS_FILES_MAX = 32,   // NEFF files of a process
    NEFFS_CANDIDATES = 8,   // files that are read for one model
    NEFFS_COMPILERS_MAX = 64,
    NEFFS_ENTRIES_MAX = 16384,
    NEFFS_WHY = 200
};

// Where a cache is, by what the environment says of it.
enum neffs_place {
    NEFFS_NOWHERE,   // it cannot be told
    NEFFS_FOLDER,    // an absolute path
    NEFFS_RELATIVE,  // below the process's working folder
    NEFFS_ELSEWHERE, // an object store: never read
};

// What kind of place TEXT names, and the path of a folder in *PATH, which points into TEXT.
enum neffs_place neffs_place_of(const char *text, const char **path);

// The 32 digits of a uuid with or without dashes, in lower case. False for another text and for the
// uuid of zeros, which stands for none.
bool neffs_uuid(char digits[NEFFS_UUID], const char *text);

// The entry that NAME speaks of, "MODULE_<graph>+<flags>", anywhere in it. COMPILER gets the
// version when NAME is a path in the cache, else "". False when there is none.
bool neffs_entry_of(const char *name, char entry[NEFFS_ENTRY], char compiler[NEFFS_COMPILER]);

// Folders of a cache. A version is what follows "neuronxcc-".
bool neffs_is_entry(const char *folder);
const char *neffs_compiler_version(const char *folder);

// Whether a model is called as the header of a NEFF is. neuron-monitor cuts names to 255 bytes, and
// names like "file.neff", which many files have, say nothing.
bool neffs_name_agrees(const char *model, const char *header);

// The target of --target in a compile_flags.json, as in a NEFF; NULL when it says none.
const char *neffs_flags_target(const char *text, size_t length);

// A path that ends in ".neff", without the mark of a file that was deleted since. Clean text, or
// false.
bool neffs_path_of(char path[NEFFS_PATH], const char *text, size_t length, bool *deleted);

// The path in a line of /proc/PID/maps.
bool neffs_mapped_path(char path[NEFFS_PATH], const char *line, size_t length, bool *deleted);

// A NEFF file and what is used of it. Texts are clean.
struct neffs_file {
    char path[NEFFS_PATH]; // as the process sees it
    dev_t device;
    ino_t inode;
    off_t size;
    bool open;   // by the process
    bool header; // could be read; else the next ones are unknown
    bool target_by_flags;
    uint32_t lnc;
    bool lnc_given;
    uint64_t features, version_major, version_minor;
    char uuid[NEFFS_UUID];
    char compiler[NEFFS_COMPILER];
    char target[24];
    bool target_known;
    char why[NEFFS_WHY]; // of no header
};

// A file that may be that of a model.
struct neffs_candidate {
    struct neffs_file file;
    char name[NEFF_NAME_TEXT]; // of its header
    bool named;                // the model's name leads to it
};

struct neffs_model {
    char *name; // clean; "" unknown
    char uuid[NEFFS_UUID];
};

enum neffs_fit { NEFFS_NONE, NEFFS_ONE, NEFFS_SEVERAL };

// How a candidate fits a model, as enum neff_evidence without NEFF_BY_FILE; 0: not at all.
unsigned neffs_evidence(const struct neffs_model *model, const struct neffs_candidate *candidate);

// Which candidate is the model's: one with its uuid, else one with its whole name, else one that
// the name leads to. Two different files of the best kind are none (NEFFS_SEVERAL); copies of one
// NEFF are one.
enum neffs_fit neffs_pick(const struct neffs_model *model, const struct neffs_candidate *candidates,
                          size_t count, size_t *which);

// What is asked of a process.
struct neffs_question {
    uint64_t pid;
    uint64_t key; // changes when the models or the cache do
    char cache[NEFFS_PLACE];
    bool cache_told; // what says where the cache is, is known; without a place there is none
    size_t model_count;
    struct neffs_model *models;
};

void neffs_question_free(struct neffs_question *question);

// The answer. A model's file is files[of_model - 1], 0: none.
struct neffs_answer {
    uint64_t key; // of the question
    unsigned char of_model[NEFFS_MODELS_MAX];
    unsigned char evidence[NEFFS_MODELS_MAX];
    bool uuid_differs[NEFFS_MODELS_MAX];
    char why[NEFFS_WHY]; // of the first model without one
    size_t file_count;
    struct neffs_file files[];
};

// The headers of compile caches that have been read: of what is big once, for all processes.
struct neffs_caches;
struct neffs_caches *neffs_caches_new(void);
void neffs_caches_free(struct neffs_caches *caches);

// A compile cache while it is looked into.
struct neffs_cache {
    struct neffs_caches *caches;
    int root;                // of the process
    char place[NEFFS_PLACE]; // a path in it
    double give_up;          // monotonic
};

// Adds the files of ENTRY (of COMPILER's folder; "": of all) to the candidates. False when there
// are more than there is room for, or the time is over.
bool neffs_cache_entry(const struct neffs_cache *cache, const char *entry, const char *compiler,
                       struct neffs_candidate *candidates, size_t *count);

// The same for files whose header has the uuid or the name of MODEL. EAGER: what has been compiled
// since the last reading is wanted.
bool neffs_cache_search(const struct neffs_cache *cache, const struct neffs_model *model,
                        bool eager, struct neffs_candidate *candidates, size_t *count,
                        char why[NEFFS_WHY]);

// Reads the regular file at PATH below ROOT: nothing else is opened. False: there is none, or it is
// no NEFF; then FILE says why.
bool neffs_read_file(int root, const char *path, struct neffs_candidate *candidate);

// Answers QUESTION, waiting for file systems. LAST is an earlier answer of this process or NULL.
// ROOT_FD is the folder of --root. The caller frees the answer.
struct neffs_answer *neffs_look(struct neffs_caches *caches, int root_fd,
                                const struct neffs_question *question,
                                const struct neffs_answer *last);

#endif
