// SPDX-License-Identifier: Apache-2.0
// Parsers of /proc/PID/{stat,status,fdinfo,maps,environ}, /proc/devices and /etc/passwd.
#include "source/proc_parse.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>

#include "base/text.h"
#include "source/proc_text.h"

enum { STAT_FIELDS = 24, KERNEL_THREAD = 0x00200000 };

// Takes the next field of a line whose fields are parted by one blank or several.
static bool next_field(struct piece *rest, struct piece *field)
{
    *rest = piece_trim(*rest);
    return piece_next(rest, ' ', field);
}

// proc(5) counts the fields from 1; the first two stand before the last ')'.
static bool stat_numbers(struct piece rest, uint64_t numbers[STAT_FIELDS + 1])
{
    struct piece field;
    for (int i = 4; i <= STAT_FIELDS; i++) {
        if (!next_field(&rest, &field))
            return false;
        if (!piece_number(field, &numbers[i]))
            numbers[i] = 0; // negative ones: no field that is used here
    }
    return true;
}

bool proc_parse_stat(const char *text, size_t length, struct proc_stat *stat)
{
    uint64_t numbers[STAT_FIELDS + 1] = {0}, pid;
    struct piece all = {text, length}, field, state;
    size_t close = length;
    while (close > 0 && text[close - 1] != ')')
        close--;
    struct piece rest = piece_from(all, close);
    if (close == 0 || !next_field(&all, &field) || !piece_number(field, &pid) || pid > INT_MAX ||
        !next_field(&rest, &state) || state.length != 1 || !stat_numbers(rest, numbers) ||
        numbers[4] > INT_MAX)
        return false;
    *stat = (struct proc_stat){
        .pid = (int)pid,
        .state = state.start[0],
        .ppid = (int)numbers[4],
        .flags = numbers[9],
        .user_ticks = numbers[14],
        .system_ticks = numbers[15],
        .threads = numbers[20],
        .start_ticks = numbers[22],
        .resident_pages = numbers[24],
    };
    return true;
}

bool proc_stat_kernel(const struct proc_stat *stat)
{
    return (stat->flags & KERNEL_THREAD) != 0;
}

// The field at PLACE of a line of numbers parted by tabs or blanks; the last one for -1.
static bool number_at(struct piece line, int place, uint64_t *number, int *count)
{
    bool found = false;
    *count = 0;
    for (size_t i = 0; i < line.length; ++*count) {
        size_t start = i;
        while (i < line.length && line.start[i] != '\t' && line.start[i] != ' ')
            i++;
        if (i > start && (place < 0 || *count == place) &&
            piece_number((struct piece){line.start + start, i - start}, number))
            found = true;
        while (i < line.length && (line.start[i] == '\t' || line.start[i] == ' '))
            i++;
    }
    return found;
}

void proc_parse_status(const char *text, size_t length, struct proc_status *status)
{
    struct piece rest = {text, length}, line;
    uint64_t number;
    int count;
    *status = (struct proc_status){false};
    while (piece_next(&rest, '\n', &line)) {
        if (piece_starts(line, "Uid:") &&
            number_at(piece_trim(piece_from(line, 4)), 1, &number, &count) && number <= UINT_MAX) {
            status->uid_known = true;
            status->uid = (unsigned)number;
        } else if (piece_starts(line, "NSpid:") &&
                   number_at(piece_trim(piece_from(line, 6)), -1, &number, &count) && count > 1 &&
                   number <= INT_MAX) {
            status->pid_inside = (int)number;
        }
    }
}

int proc_parse_major(const char *text, size_t length)
{
    struct piece rest = {text, length}, line, number;
    uint64_t major;
    while (piece_next(&rest, '\n', &line)) {
        if (piece_is(line, "Block devices:"))
            break;
        line = piece_trim(line);
        if (piece_next(&line, ' ', &number) && piece_is(line, "neuron") &&
            piece_number(number, &major) && major <= INT_MAX)
            return (int)major;
    }
    return -1;
}

enum proc_access proc_parse_access(const char *text, size_t length)
{
    struct piece rest = {text, length}, line;
    while (piece_next(&rest, '\n', &line)) {
        if (!piece_starts(line, "flags:"))
            continue;
        unsigned last = (unsigned)(unsigned char)line.start[line.length - 1] - '0';
        if (last > 7)
            return PROC_UNTOLD;
        return (last & O_ACCMODE) == O_WRONLY ? PROC_ASKING : PROC_ATTACHED;
    }
    return PROC_UNTOLD;
}

int proc_parse_node(const char *text, size_t length)
{
    static const char stem[] = "/dev/neuron";
    struct piece path = {text, length};
    uint64_t number;
    if (!piece_starts(path, stem) || !piece_number(piece_from(path, sizeof(stem) - 1), &number) ||
        number >= PROC_DEVICES_MAX)
        return -1;
    return (int)number;
}

// "2.30.51.0" of "libnrt.so.2.30.51.0"; "libnrt.so.1" names an interface and no version.
static bool library_version(struct piece name, char *buffer, size_t size)
{
    static const char stem[] = "libnrt.so.";
    size_t dots = 0;
    if (!piece_starts(name, stem))
        return false;
    struct piece version = piece_from(name, sizeof(stem) - 1);
    if (version.length == 0 || version.length >= size || !isdigit((unsigned char)*version.start))
        return false;
    for (size_t i = 0; i < version.length; i++) {
        char c = version.start[i];
        if (!isdigit((unsigned char)c) && c != '.')
            return false;
        dots += c == '.';
    }
    memcpy(buffer, version.start, version.length);
    buffer[version.length] = '\0';
    return dots >= 2;
}

// The path as it is, when it is one that can be shown and opened again.
static bool keep_path(char *buffer, struct piece path)
{
    if (path.length >= PROC_PATH)
        return false;
    text_clean_to(buffer, PROC_PATH, path.start, path.length);
    if (strlen(buffer) == path.length && memcmp(buffer, path.start, path.length) == 0)
        return true;
    buffer[0] = '\0';
    return false;
}

// "libnrt.so", as inside wheels, and "libnrt.so.2.30.51.0".
static bool parse_library(struct piece path, struct proc_mapping *mapping)
{
    static const char stem[] = "libnrt.so";
    struct piece name = piece_base(path);
    if (!piece_starts(name, stem))
        return false;
    for (size_t i = sizeof(stem) - 1; i < name.length; i++)
        if (!isdigit((unsigned char)name.start[i]) && name.start[i] != '.')
            return false;
    if (!library_version(name, mapping->runtime, sizeof(mapping->runtime)))
        mapping->runtime[0] = '\0';
    return keep_path(mapping->library, path) || mapping->runtime[0] != '\0';
}

// Up to and with the folder of packages; the name behind it is the package's.
static bool parse_python(struct piece path, struct proc_mapping *mapping)
{
    static const char *const folders[] = {"/site-packages/", "/dist-packages/"};
    const char *found = NULL;
    size_t length = strlen(folders[0]);
    for (size_t i = 0; i < 2 && found == NULL; i++)
        found = memmem(path.start, path.length, folders[i], length);
    if (found == NULL)
        return false;
    struct piece folder = {path.start, (size_t)(found - path.start) + length - 1};
    struct piece rest = piece_from(path, folder.length + 1), package;
    mapping->neuron_python = piece_next(&rest, '/', &package) &&
                             memmem(package.start, package.length, "neuron", 6) != NULL;
    return keep_path(mapping->python, folder);
}

bool proc_parse_mapping(const char *line, size_t length, struct proc_mapping *mapping)
{
    static const char gone[] = " (deleted)", fabric[] = "/libfabric.so";
    mapping->device = -1;
    mapping->path[0] = mapping->library[0] = mapping->runtime[0] = mapping->python[0] = '\0';
    mapping->deleted = mapping->neuron_python = mapping->fabric = false;
    const char *slash = memchr(line, '/', length);
    if (slash == NULL)
        return false;
    struct piece path = {slash, length - (size_t)(slash - line)};
    mapping->deleted = piece_ends(path, gone);
    if (mapping->deleted)
        path.length -= sizeof(gone) - 1;
    mapping->device = proc_parse_node(path.start, path.length);
    if (mapping->device >= 0 && path.length < sizeof(mapping->path)) {
        memcpy(mapping->path, path.start, path.length);
        mapping->path[path.length] = '\0';
        return true;
    }
    mapping->device = -1;
    bool library = parse_library(path, mapping), python = parse_python(path, mapping);
    mapping->fabric = memmem(path.start, path.length, fabric, sizeof(fabric) - 1) != NULL;
    return library || python || mapping->fabric;
}

void proc_environ_begin(struct proc_environ_feed *feed, struct proc_environ *into)
{
    memset(into, 0, sizeof(*into));
    feed->into = into;
    feed->used = 0;
    feed->skip = false;
}

static void keep_value(char *buffer, size_t size, struct piece value)
{
    text_clean_to(buffer, size, value.start, value.length);
}

// A place that can be opened again: nothing of it was cut or made printable.
static void keep_place(struct proc_environ *into, char buffer[PROC_ENV_VALUE], struct piece value)
{
    char quote = value.length > 0 ? value.start[0] : '\0';
    if (quote == '"' || quote == '\'') {
        bool closed = value.length > 1 && value.start[value.length - 1] == quote;
        value = (struct piece){value.start + 1, value.length - 1 - closed};
        into->cache_unclear = into->cache_unclear || !closed;
    }
    keep_value(buffer, PROC_ENV_VALUE, value);
    if (strlen(buffer) != value.length || memcmp(buffer, value.start, value.length) != 0)
        into->cache_unclear = true;
}

// The options of the compiler's wrapper that say where its cache is; the last one counts.
static void keep_flags(struct proc_environ *into, struct piece flags)
{
    static const char option[] = "--cache_dir";
    struct piece word;
    bool next = false;
    while (piece_next(&flags, ' ', &word)) {
        if (word.length == 0)
            continue;
        if (next)
            keep_place(into, into->cache_flag, word);
        else if (piece_starts(word, "--cache_dir="))
            keep_place(into, into->cache_flag, piece_from(word, sizeof(option)));
        else if (piece_is(word, "--no_cache"))
            into->no_cache = true;
        next = !next && piece_is(word, option);
    }
}

static void keep_cache(struct proc_environ *into, struct piece name, struct piece value)
{
    if (piece_is(name, "NEURON_CC_FLAGS"))
        keep_flags(into, value);
    else if (piece_is(name, "NEURON_COMPILE_CACHE_URL"))
        keep_place(into, into->cache_url, value);
    else if (piece_is(name, "NEURON_RT_ALLOW_LEGACY_NEFF"))
        into->allow_legacy = piece_is(value, "1") || piece_is(value, "true") ||
                             piece_is(value, "True") || piece_is(value, "TRUE");
}

// The older name counts where the newer is not set.
static void keep_lnc(struct proc_environ *into, struct piece value, bool old_name)
{
    if (old_name)
        keep_value(into->lnc_old, sizeof(into->lnc_old), value);
    if (old_name && into->lnc[0] != '\0')
        return;
    keep_value(into->lnc, sizeof(into->lnc), value);
    into->lnc_old_name = old_name;
}

static void keep_item(struct proc_environ *into, struct piece value)
{
    struct piece name;
    size_t length = value.length;
    if (!piece_next(&value, '=', &name))
        return;
    keep_cache(into, name, value);
    if (length > PROC_ENV_VALUE + PROC_NAME)
        return;
    if (piece_is(name, "NEURON_RT_VISIBLE_CORES"))
        keep_value(into->visible_cores, sizeof(into->visible_cores), value);
    else if (piece_is(name, "NEURON_RT_NUM_CORES"))
        keep_value(into->num_cores, sizeof(into->num_cores), value);
    else if (piece_is(name, "NEURON_LOGICAL_NC_CONFIG") ||
             piece_is(name, "NEURON_RT_VIRTUAL_CORE_SIZE"))
        keep_lnc(into, value, piece_is(name, "NEURON_RT_VIRTUAL_CORE_SIZE"));
    else if (piece_is(name, "AWS_NEURON_VISIBLE_DEVICES"))
        keep_value(into->visible_devices, sizeof(into->visible_devices), value);
    else if (piece_is(name, "NEURON_PROCESS_TAG"))
        keep_value(into->tag, sizeof(into->tag), value);
    else if (piece_is(name, "FI_EFA_FORK_SAFE"))
        keep_value(into->fork_safe, sizeof(into->fork_safe), value);
}

void proc_environ_end(struct proc_environ_feed *feed)
{
    if (!feed->skip && feed->used > 0)
        keep_item(feed->into, (struct piece){feed->item, feed->used});
    feed->used = 0;
    feed->skip = false;
}

// Whether an item that goes on with NEXT can still be one that is kept.
static bool may_be_kept(const struct proc_environ_feed *feed, char next)
{
    static const char *const prefixes[] = {"NEURON_",
                                           "AWS_NEURON_VISIBLE_DEVICES=", "FI_EFA_FORK_SAFE="};
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        size_t length = strlen(prefixes[i]);
        if (memcmp(feed->item, prefixes[i], feed->used < length ? feed->used : length) == 0 &&
            (feed->used >= length || next == prefixes[i][feed->used]))
            return true;
    }
    return false;
}

void proc_environ_feed(struct proc_environ_feed *feed, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\0') {
            proc_environ_end(feed);
            continue;
        }
        if (!feed->skip && feed->used == sizeof(feed->item)) {
            struct piece start = {feed->item, feed->used};
            feed->skip = true;
            feed->into->cache_unclear =
                feed->into->cache_unclear || piece_starts(start, "NEURON_CC_FLAGS=");
        }
        if (!feed->skip && !may_be_kept(feed, bytes[i]))
            feed->skip = true;
        if (!feed->skip)
            feed->item[feed->used++] = bytes[i];
    }
}

void proc_clean_command(const char *text, size_t length, char *buffer, size_t size)
{
    char joined[4096];
    while (length > 0 && (text[length - 1] == '\0' || text[length - 1] == ' '))
        length--;
    if (length > sizeof(joined))
        length = sizeof(joined);
    for (size_t i = 0; i < length; i++)
        joined[i] = text[i] == '\0' || text[i] == '\n' || text[i] == '\t' ? ' ' : text[i];
    text_clean_to(buffer, size, joined, length);
}

bool proc_parse_passwd(const char *text, size_t length, unsigned uid, char *buffer, size_t size)
{
    struct piece rest = {text, length}, line, name, field;
    uint64_t number;
    while (piece_next(&rest, '\n', &line))
        if (piece_next(&line, ':', &name) && piece_next(&line, ':', &field) &&
            piece_next(&line, ':', &field) && piece_number(field, &number) && number == uid &&
            name.length > 0) {
            text_clean_to(buffer, size, name.start, name.length);
            return true;
        }
    return false;
}
