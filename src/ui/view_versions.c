// SPDX-License-Identifier: Apache-2.0
// The versions view: all components in one table with the SDK releases that hold them, and what
// differs in words.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "host/sdk.h"
#include "host/units.h"
#include "host/version.h"
#include "ui/state.h"

enum { NAME_WIDTH = 14, VERSION_WIDTH = 24, SDK_WIDTH = 18, WHERE_COLUMN = 58, NOTE_COLUMN = 6 };

// One line of the table; NOTE tells a difference in words, NULL: none.
struct entry {
    const char *name, *version, *where, *note;
    enum role role; // of the note
};

static void write_head(struct sheet *sheet)
{
    sheet_line(sheet, 0);
    sheet_space(sheet, 2);
    sheet_cell(sheet, NAME_WIDTH, ROLE_HEAD, "COMPONENT");
    sheet_cell(sheet, VERSION_WIDTH, ROLE_HEAD, "VERSION");
    sheet_cell(sheet, SDK_WIDTH, ROLE_HEAD, "SDK");
    sheet_text(sheet, ROLE_HEAD, "WHERE");
}

static void write_entry(struct sheet *sheet, const struct entry *entry, const char *sdk)
{
    char version[VERSION_WIDTH * 4];
    sheet_line(sheet, 0);
    sheet_space(sheet, 2);
    sheet_cell(sheet, NAME_WIDTH, ROLE_DIM, entry->name);
    text_fit(version, sizeof version, entry->version != NULL ? entry->version : "-",
             VERSION_WIDTH - 1, false);
    sheet_cell(sheet, VERSION_WIDTH, entry->version != NULL ? ROLE_TEXT : ROLE_UNKNOWN, version);
    sheet_cell(sheet, SDK_WIDTH, ROLE_TEXT, sdk);
    if (entry->where != NULL && text_width(entry->where) > sheet->area.cols - WHERE_COLUMN) {
        sheet_line(sheet, 0); // it would be broken in the middle of a name
        sheet_to(sheet, NOTE_COLUMN);
        sheet_wrap(sheet, NOTE_COLUMN, ROLE_DIM, entry->where);
    } else if (entry->where != NULL) {
        sheet_text(sheet, ROLE_DIM, entry->where);
    }
    if (entry->note == NULL)
        return;
    sheet_line(sheet, 0);
    sheet_to(sheet, NOTE_COLUMN);
    sheet_wrap(sheet, NOTE_COLUMN, entry->role, entry->note);
}

// A row with the releases of its component.
static void write_component(struct sheet *sheet, const struct host *host, enum component component,
                            const struct entry *entry)
{
    char names[64];
    enum release_match how;
    uint64_t set = releases_holding(host->releases, component, entry->version, GEN_UNKNOWN, &how);
    if (entry->version == NULL)
        snprintf(names, sizeof names, "-");
    else if (how == RELEASE_NEWER)
        snprintf(names, sizeof names, "newer than known");
    else if (set == 0)
        snprintf(names, sizeof names, "none known");
    else
        releases_names(host->releases, set, names, sizeof names);
    write_entry(sheet, entry, names);
}

static void write_driver(struct sheet *sheet, const struct host *host)
{
    const struct versions *versions = &host->versions;
    bool differ = versions->driver != NULL && versions->driver_installed != NULL &&
                  version_compare_text(versions->driver, versions->driver_installed) != 0;
    char note[128];
    struct entry loaded = {.name = "driver", .version = versions->driver, .where = "loaded"};
    struct entry disk = {.name = "driver",
                         .version = versions->driver_installed,
                         .where = versions->driver_installed_from != NULL
                                      ? versions->driver_installed_from
                                      : "on disk",
                         .role = ROLE_WARNING};
    if (differ) {
        snprintf(note, sizeof note, "%s than the loaded one: reload pending",
                 version_compare_text(versions->driver_installed, versions->driver) > 0 ? "newer"
                                                                                        : "older");
        disk.note = note;
    }
    write_component(sheet, host, COMPONENT_DRIVER, &loaded);
    write_component(sheet, host, COMPONENT_DRIVER, &disk);
}

static void write_compat(struct sheet *sheet, const struct host *host)
{
    const struct versions *versions = &host->versions;
    char text[96];
    if (!known_u64(versions->compat_min) || !known_u64(versions->compat_max))
        return;
    snprintf(text, sizeof text,
             "serves runtimes with compatibility id %" PRIu64 " to %" PRIu64 "%s",
             versions->compat_min.value, versions->compat_max.value,
             versions->compat_min.from == FROM_TABLE ? " (by its version, not asked)" : "");
    sheet_line(sheet, 0);
    sheet_to(sheet, NOTE_COLUMN);
    sheet_wrap(sheet, NOTE_COLUMN, ROLE_DIM, text);
}

// Processes that run the same library stand in one row.
static bool same_runtime(const struct process *a, const struct process *b)
{
    return a->runtime_replaced == b->runtime_replaced &&
           ((a->runtime_version == NULL && b->runtime_version == NULL) ||
            (a->runtime_version != NULL && b->runtime_version != NULL &&
             strcmp(a->runtime_version, b->runtime_version) == 0));
}

static bool has_runtime(const struct process *process)
{
    return process->state != PROCESS_GONE &&
           (process->runtime_version != NULL || process->runtime_path != NULL ||
            process->runtime_replaced);
}

static bool is_first(const struct host *host, unsigned index)
{
    for (unsigned i = 0; i < index; i++)
        if (has_runtime(&host->processes[i]) &&
            same_runtime(&host->processes[i], &host->processes[index]))
            return false;
    return true;
}

static void list_users(const struct host *host, unsigned index, char *text, size_t size)
{
    unsigned count = 0;
    size_t used = 0;
    for (unsigned i = index; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        char label[PROCESS_LABEL];
        if (!has_runtime(process) || !same_runtime(process, &host->processes[index]))
            continue;
        if (count++ >= 3 || used >= size)
            continue;
        used +=
            (size_t)snprintf(text + used, size - used, "%s%" PRIu64 " %s", count > 1 ? ", " : "",
                             process->pid.value, process_label(process, label, sizeof label));
    }
    if (count > 3 && used < size)
        snprintf(text + used, size - used, " and %u more", count - 3);
}

static const char *runtime_note(const struct host *host, const struct process *process)
{
    const char *installed = host->versions.runtime_installed;
    if (process->runtime_replaced)
        return "its file was replaced since: restart when it suits";
    if (process->runtime_version == NULL)
        return "its version cannot be told: see the rights and neutop doctor";
    if (installed == NULL)
        return NULL;
    int order = version_compare_text(process->runtime_version, installed);
    return order == 0  ? NULL
           : order < 0 ? "older than the installed one"
                       : "newer than the installed one";
}

static void write_runtimes(struct sheet *sheet, const struct host *host)
{
    struct entry installed = {
        .name = "runtime", .version = host->versions.runtime_installed, .where = "installed"};
    write_component(sheet, host, COMPONENT_RUNTIME, &installed);
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        char users[PROCESS_LABEL * 6];
        if (!has_runtime(process) || !is_first(host, i))
            continue;
        list_users(host, i, users, sizeof users);
        struct entry entry = {.name = "runtime",
                              .version = process->runtime_version,
                              .where = users,
                              .note = runtime_note(host, process),
                              .role = process->runtime_replaced ? ROLE_WARNING : ROLE_INFO};
        write_component(sheet, host, COMPONENT_RUNTIME, &entry);
    }
}

// The rest of the host's components.
static void write_others(struct sheet *sheet, const struct host *host)
{
    struct sdk_part parts[SDK_PARTS_MAX];
    unsigned count = sdk_host_parts(host, parts);
    for (unsigned i = 0; i < count; i++) {
        struct entry entry = {.name = component_name(parts[i].component),
                              .version = parts[i].version};
        if (parts[i].component != COMPONENT_DRIVER && parts[i].component != COMPONENT_RUNTIME)
            write_component(sheet, host, parts[i].component, &entry);
    }
}

// Who is not in the releases of the rest: "runtime 2.33.10.0 of PID 8412 (2.31.0, 2.31.1), ...".
static void list_outside(const struct host *host, const struct sdk_part *parts, unsigned count,
                         char *text, size_t size)
{
    char part[SDK_PART_TEXT], names[120];
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < count && used < size; i++) {
        if (!parts[i].outside)
            continue;
        if (parts[i].releases != 0)
            releases_names(host->releases, parts[i].releases, names, sizeof names);
        else
            sdk_unknown_text(host, parts[i].newer, names, sizeof names);
        used += (size_t)snprintf(text + used, size - used, "%s%s: %s", used > 0 ? "; " : "",
                                 sdk_part_text(&parts[i], part), names);
    }
}

static void write_verdict(struct sheet *sheet, const struct host *host)
{
    struct sdk_part parts[SDK_USED_MAX];
    uint64_t all;
    unsigned count = sdk_used_parts(host, parts, &all), known = 0;
    char names[120], outside[640];
    for (unsigned i = 0; i < count; i++)
        known += parts[i].releases != 0;
    list_outside(host, parts, count, outside, sizeof outside);
    if (known == 0 && outside[0] == '\0')
        return;
    sheet_line(sheet, 0);
    sheet_line(sheet, 0);
    sheet_space(sheet, 2);
    if (all == 0 && known > 0) {
        sheet_wrap(sheet, 2, ROLE_WARNING,
                   "No SDK release holds all of these: see the finding sdk-mixed (!)");
        return;
    }
    releases_names(host->releases, all, names, sizeof names);
    if (known > 0) {
        sheet_text(sheet, ROLE_GOOD, outside[0] == '\0' ? "All of these are in SDK " : "In SDK ");
        sheet_wrap(sheet, 2, ROLE_GOOD, names);
    }
    if (outside[0] == '\0')
        return;
    if (known > 0) {
        sheet_text(sheet, ROLE_INFO, ", all but");
        sheet_space(sheet, 1);
    }
    sheet_wrap(sheet, 2, ROLE_INFO, outside);
}

// NEFFs of the same compiler stand in one row, at the first process that runs one.
static bool is_first_compiler(const struct host *host, unsigned process, unsigned neff)
{
    const char *compiler = host->processes[process].neffs[neff].compiler;
    for (unsigned i = 0; i <= process; i++) {
        unsigned count = i < process ? host->processes[i].neff_count : neff;
        for (unsigned j = 0; j < count; j++)
            if (host->processes[i].neffs[j].compiler != NULL &&
                strcmp(host->processes[i].neffs[j].compiler, compiler) == 0)
                return false;
    }
    return true;
}

static unsigned neffs_by(const struct process *process, const char *compiler)
{
    unsigned count = 0;
    for (unsigned i = 0; i < process->neff_count; i++)
        count +=
            process->neffs[i].compiler != NULL && strcmp(process->neffs[i].compiler, compiler) == 0;
    return count;
}

static void write_compiled(struct sheet *sheet, const struct host *host, unsigned first,
                           const char *compiler)
{
    const struct process *process = &host->processes[first];
    char where[PROCESS_LABEL + 96], label[PROCESS_LABEL];
    unsigned count = 0, others = 0;
    for (unsigned i = first; i < host->process_count; i++) {
        unsigned here = neffs_by(&host->processes[i], compiler);
        count += here;
        others += here > 0 && i > first;
    }
    size_t used = (size_t)snprintf(where, sizeof where, "%u NEFF%s of %" PRIu64 " %s", count,
                                   count == 1 ? "" : "s", process->pid.value,
                                   process_label(process, label, sizeof label));
    if (others > 0 && used < sizeof where)
        snprintf(where + used, sizeof where - used, " and %u more", others);
    struct entry entry = {.name = "NEFF compiler", .version = compiler, .where = where};
    write_component(sheet, host, COMPONENT_COMPILER, &entry);
}

// What has compiled the NEFFs that run, and of whom it is not known.
static void write_neffs(struct sheet *sheet, const struct host *host)
{
    char text[300], label[PROCESS_LABEL];
    const struct process *untold = NULL;
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        for (unsigned j = 0; j < process->neff_count; j++)
            if (process->neffs[j].compiler != NULL && is_first_compiler(host, i, j))
                write_compiled(sheet, host, i, process->neffs[j].compiler);
        if (untold == NULL && process->neffs_untold > 0 && process->neffs_reason != NULL)
            untold = process;
    }
    if (untold == NULL)
        return;
    snprintf(text, sizeof text, "not known of %u model%s of %" PRIu64 " %s: %s",
             untold->neffs_untold, untold->neffs_untold == 1 ? "" : "s", untold->pid.value,
             process_label(untold, label, sizeof label), untold->neffs_reason);
    struct entry entry = {.name = "NEFF", .where = text};
    write_entry(sheet, &entry, "");
}

// One that says nothing has the host's. False: nobody tells of its environment.
static bool write_lnc_of(struct sheet *sheet, const struct host *host,
                         const struct process *process)
{
    const struct hardware *hardware = &host->hardware;
    char text[160], label[PROCESS_LABEL], name[PROCESS_LABEL + 24];
    bool own = known_u64(process->lnc), uses = core_set_count(&process->chips) > 0;
    if (process->bystander || process->state == PROCESS_GONE || !(own || uses))
        return true;
    if (!own && !process->environment_known && process->lnc_invalid == NULL)
        return false;
    if (own)
        snprintf(text, sizeof text, "LNC %" PRIu64 " by its environment%s%s", process->lnc.value,
                 process->lnc.value == hardware->lnc.value ? "" : ": differs from the host's",
                 process->lnc_differs != NULL ? "; its two variables differ" : "");
    else if (process->lnc_invalid == NULL)
        snprintf(text, sizeof text, "LNC %" PRIu64 ", the host's: nothing in its environment",
                 hardware->lnc.value);
    else
        snprintf(text, sizeof text, "unknown: its environment says no size");
    process_label(process, label, sizeof label);
    if (known_u64(process->pid))
        snprintf(name, sizeof name, "%" PRIu64 " %s", process->pid.value, label);
    else
        snprintf(name, sizeof name, "%s", label);
    sheet_fact(sheet, name, text);
    return true;
}

static void write_lnc(struct sheet *sheet, const struct host *host)
{
    const struct hardware *hardware = &host->hardware;
    char text[32];
    if (!known_u64(hardware->lnc))
        return;
    sheet_heading(sheet, "Logical core size (LNC)");
    snprintf(text, sizeof text, "LNC %" PRIu64, hardware->lnc.value);
    sheet_fact(sheet, hardware->lnc.from == FROM_TABLE ? "the chip's default" : "in use", text);
    if (known_u64(hardware->lnc_setting)) {
        snprintf(text, sizeof text, "LNC %" PRIu64, hardware->lnc_setting.value);
        sheet_fact(sheet, "logical_nc_config", text);
    }
    if (hardware->lnc_setting_invalid != NULL)
        sheet_fact(sheet, "logical_nc_config (no size)", hardware->lnc_setting_invalid);
    unsigned untold = 0;
    for (unsigned i = 0; i < host->process_count; i++)
        untold += !write_lnc_of(sheet, host, &host->processes[i]);
    if (untold > 0) {
        snprintf(text, sizeof text, "of %u process%s", untold, untold == 1 ? "" : "es");
        sheet_fact(sheet, text, "unknown: no source tells of their environment");
    }
}

static void write_environments(struct sheet *sheet, const struct host *host)
{
    const struct versions *versions = &host->versions;
    for (unsigned i = 0; i < versions->environment_count; i++) {
        const struct environment *environment = &versions->environments[i];
        char title[320];
        snprintf(title, sizeof title, "%s%s", environment->path != NULL ? environment->path : "-",
                 environment->used ? " (in use)" : "");
        sheet_heading(sheet, title);
        for (unsigned p = 0; p < environment->package_count; p++) {
            const struct package *package = &environment->packages[p];
            struct entry entry = {.name = component_name(package->component),
                                  .version = package->version};
            write_component(sheet, host, package->component, &entry);
        }
    }
}

void view_versions(struct ui *ui, struct sheet *sheet)
{
    const struct host *host = ui->host;
    if (host == NULL)
        return;
    write_head(sheet);
    write_driver(sheet, host);
    write_compat(sheet, host);
    write_runtimes(sheet, host);
    write_neffs(sheet, host);
    write_others(sheet, host);
    if (host->machine.kernel != NULL) {
        struct entry kernel = {.name = "kernel", .version = host->machine.kernel};
        write_entry(sheet, &kernel, "");
    }
    write_verdict(sheet, host);
    write_lnc(sheet, host);
    write_environments(sheet, host);
}
