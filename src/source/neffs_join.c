// SPDX-License-Identifier: Apache-2.0
// The texts by which a loaded model and a NEFF are joined, and which of several files it is. Pure:
// nothing here opens a file. All of it is hostile.
#include <ctype.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "neff/target.h"
#include "source/neffs.h"
#include "source/proc_text.h"

enum { FLAG_DIGITS = 8, GRAPH_MOST = 40, NAME_CUT = 255, JSON_DEPTH = 4, FLAG_TEXT = 16 };

static const char module[] = "MODULE_", compiler_folder[] = "neuronxcc-";

enum neffs_place neffs_place_of(const char *text, const char **path)
{
    static const char scheme[] = "file:";
    const char *rest = text;
    if (strncmp(rest, scheme, sizeof(scheme) - 1) == 0) {
        rest += sizeof(scheme) - 1;
        if (strncmp(rest, "//localhost/", 12) == 0)
            rest += 11;
        else if (strncmp(rest, "//", 2) == 0)
            rest += 2;
        if (rest[0] != '/') // a host's name, or nothing: no version says what it makes of that
            return NEFFS_NOWHERE;
    } else if (strstr(rest, "://") != NULL) {
        return NEFFS_ELSEWHERE;
    }
    if (rest[0] == '\0')
        return NEFFS_NOWHERE;
    *path = rest;
    return rest[0] == '/' ? NEFFS_FOLDER : NEFFS_RELATIVE;
}

bool neffs_uuid(char digits[NEFFS_UUID], const char *text)
{
    size_t count = 0;
    bool any = false, good = text != NULL;
    for (; good && *text != '\0'; text++) {
        if (*text == '-')
            continue;
        good = isxdigit((unsigned char)*text) && count < NEFFS_UUID - 1;
        any = any || *text != '0';
        if (good)
            digits[count++] = (char)tolower((unsigned char)*text);
    }
    good = good && any && count == NEFFS_UUID - 1;
    digits[good ? count : 0] = '\0';
    return good;
}

// The length of "MODULE_<graph>+<flags>" at the front of TEXT, 0: it is none.
static size_t entry_length(const char *text)
{
    size_t at = sizeof(module) - 1, graph = 0, flags = 0;
    if (strncmp(text, module, at) != 0)
        return 0;
    while (isxdigit((unsigned char)text[at + graph]) && graph <= GRAPH_MOST)
        graph++;
    at += graph;
    if (graph == 0 || graph > GRAPH_MOST || text[at++] != '+')
        return 0;
    while (isxdigit((unsigned char)text[at + flags]) && flags <= FLAG_DIGITS)
        flags++;
    return flags == FLAG_DIGITS ? at + flags : 0;
}

bool neffs_is_entry(const char *folder)
{
    size_t length = entry_length(folder);
    return length > 0 && folder[length] == '\0';
}

const char *neffs_compiler_version(const char *folder)
{
    size_t stem = sizeof(compiler_folder) - 1, length = strlen(folder);
    if (strncmp(folder, compiler_folder, stem) != 0 || length - stem >= NEFFS_COMPILER)
        return NULL;
    for (const char *c = folder + stem; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && strchr(".+-_", *c) == NULL)
            return NULL;
    return folder[stem] != '\0' ? folder + stem : NULL;
}

// The version in ".../neuronxcc-VERSION/" just before END.
static void compiler_before(const char *name, const char *end, char compiler[NEFFS_COMPILER])
{
    char folder[sizeof(compiler_folder) + NEFFS_COMPILER];
    compiler[0] = '\0';
    if (end == name || end[-1] != '/')
        return;
    const char *start = end - 1;
    while (start > name && start[-1] != '/')
        start--;
    int length = (int)(end - 1 - start);
    if (length >= (int)sizeof(folder))
        return;
    snprintf(folder, sizeof(folder), "%.*s", length, start);
    const char *version = neffs_compiler_version(folder);
    if (version != NULL)
        snprintf(compiler, NEFFS_COMPILER, "%s", version);
}

bool neffs_entry_of(const char *name, char entry[NEFFS_ENTRY], char compiler[NEFFS_COMPILER])
{
    for (const char *at = name; (at = strstr(at, module)) != NULL; at++) {
        size_t length = entry_length(at);
        if (length == 0 || length >= NEFFS_ENTRY || isalnum((unsigned char)at[length]))
            continue;
        snprintf(entry, NEFFS_ENTRY, "%.*s", (int)length, at);
        compiler_before(name, at, compiler);
        return true;
    }
    return false;
}

bool neffs_name_agrees(const char *model, const char *header)
{
    size_t length = strlen(model);
    if (strchr(model, '/') == NULL && strstr(model, module) == NULL)
        return false;
    return strcmp(model, header) == 0 ||
           (length >= NAME_CUT && strncmp(model, header, length) == 0);
}

static const char *flag_target(struct json_object *flags)
{
    static const char option[] = "--target";
    const char *found = NULL;
    for (size_t i = 0; i < json_object_array_length(flags); i++) {
        const char *text = json_object_get_string(json_object_array_get_idx(flags, i));
        if (text == NULL || strncmp(text, option, sizeof(option) - 1) != 0)
            continue;
        text += sizeof(option) - 1;
        if (*text == '=')
            found = text + 1;
        else if (*text == '\0' && i + 1 < json_object_array_length(flags))
            found = json_object_get_string(json_object_array_get_idx(flags, i + 1));
    }
    return found != NULL ? neff_target_of_flag(found) : NULL;
}

const char *neffs_flags_target(const char *text, size_t length)
{
    struct json_tokener *tokener = json_tokener_new_ex(JSON_DEPTH);
    const char *target = NULL;
    if (tokener == NULL)
        return NULL;
    struct json_object *flags = json_tokener_parse_ex(tokener, text, (int)length);
    if (json_object_is_type(flags, json_type_array))
        target = flag_target(flags);
    json_object_put(flags);
    json_tokener_free(tokener);
    return target;
}

bool neffs_path_of(char path[NEFFS_PATH], const char *text, size_t length, bool *deleted)
{
    static const char gone[] = " (deleted)";
    struct piece piece = {text, length};
    *deleted = piece_ends(piece, gone);
    if (*deleted)
        piece.length -= sizeof(gone) - 1;
    path[0] = '\0';
    if (piece.length == 0 || piece.length >= NEFFS_PATH || !piece_ends(piece, ".neff") ||
        piece.start[0] != '/')
        return false;
    text_clean_to(path, NEFFS_PATH, piece.start, piece.length);
    // what cannot be shown as it is, cannot be opened either
    return strlen(path) == piece.length && memcmp(path, piece.start, piece.length) == 0;
}

bool neffs_mapped_path(char path[NEFFS_PATH], const char *line, size_t length, bool *deleted)
{
    const char *slash = memchr(line, '/', length);
    *deleted = false;
    return slash != NULL && neffs_path_of(path, slash, length - (size_t)(slash - line), deleted);
}

unsigned neffs_evidence(const struct neffs_model *model, const struct neffs_candidate *candidate)
{
    unsigned evidence = 0;
    const char *uuid = candidate->file.uuid;
    if (!candidate->file.header)
        return 0;
    if (uuid[0] != '\0' && strcmp(model->uuid, uuid) == 0)
        evidence |= NEFF_BY_UUID;
    if (candidate->named || neffs_name_agrees(model->name, candidate->name))
        evidence |= NEFF_BY_NAME;
    return evidence;
}

// How well it fits: by uuid, by the whole name, by a part of it.
static unsigned rank_of(const struct neffs_model *model, const struct neffs_candidate *candidate)
{
    unsigned evidence = neffs_evidence(model, candidate);
    return (evidence & NEFF_BY_UUID) != 0                    ? 3
           : evidence == 0                                   ? 0
           : neffs_name_agrees(model->name, candidate->name) ? 2
                                                             : 1;
}

static bool same_neff(const struct neffs_file *a, const struct neffs_file *b)
{
    return (a->device == b->device && a->inode == b->inode) ||
           (a->uuid[0] != '\0' && strcmp(a->uuid, b->uuid) == 0);
}

enum neffs_fit neffs_pick(const struct neffs_model *model, const struct neffs_candidate *candidates,
                          size_t count, size_t *which)
{
    enum neffs_fit fit = NEFFS_NONE;
    unsigned best = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned rank = rank_of(model, &candidates[i]);
        if (rank == 0 || rank < best)
            continue;
        if (rank > best) {
            best = rank;
            fit = NEFFS_ONE;
            *which = i;
        } else if (!same_neff(&candidates[*which].file, &candidates[i].file)) {
            fit = NEFFS_SEVERAL;
        }
    }
    return fit;
}
