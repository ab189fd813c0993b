// SPDX-License-Identifier: Apache-2.0
// Who owns a chip or a core, in one short text: processes of one core, groups of a chip.
#include <bsd/string.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/group.h"
#include "ui/state.h"

enum { GROUPS_SHOWN = 4 };
enum { NAME_ROOM = 24, GROUP_ROOM = 8 }; // what must be left of the text for one more

// The groups of the owners that the tab shows, at most MAX of them; the rest is counted in *MORE.
static unsigned owner_groups(const struct ui *ui, const unsigned *owners, unsigned count,
                             const struct group_row **groups, unsigned max, unsigned *more)
{
    unsigned found = 0;

    *more = 0;
    for (unsigned i = 0; i < count; i++) {
        if (owners[i] >= ui->host->process_count || !scope_has(&ui->scope, owners[i]))
            continue;
        const struct group_row *group = &ui->scope.groups[ui->scope.group_of[owners[i]]];
        bool seen = false;
        for (unsigned g = 0; g < found; g++)
            seen = seen || groups[g] == group;
        if (!seen && found < max)
            groups[found++] = group;
        else if (!seen)
            ++*more;
    }
    return found;
}

// "31207 train", or only one of the two where the other says nothing more. Behind USED characters
// of TEXT, which it returns the new number of.
static size_t add_owner(struct fact_u64 pid, const char *label, char *text, size_t size,
                        size_t used)
{
    const bool named = strncmp(label, "pid ", 4) != 0;
    int length;

    if (used > 0)
        used += strlcpy(text + used, ", ", size - used);
    if (!known_u64(pid))
        length = snprintf(text + used, size - used, "%s", label);
    else
        length = snprintf(text + used, size - used, "%" PRIu64 "%s%s", pid.value, named ? " " : "",
                          named ? label : "");
    used += (size_t)length;
    return used < size ? used : size - 1;
}

// The owners of one core: which workers they are, not only whose.
static void write_processes(const struct ui *ui, const unsigned *owners, unsigned count, char *text,
                            size_t size)
{
    size_t used = 0;

    for (unsigned i = 0; i < count && used + NAME_ROOM < size; i++) {
        if (owners[i] >= ui->host->process_count || !scope_has(&ui->scope, owners[i]))
            continue;
        const struct process *process = &ui->host->processes[owners[i]];
        used = add_owner(process->pid, LABEL_OF(process), text, size, used);
    }
}

static void write_groups(const struct group_row *const *groups, unsigned count, unsigned more,
                         char *text, size_t size)
{
    size_t used = 0;

    for (unsigned g = 0; g < count && used + GROUP_ROOM < size; g++)
        used = add_owner(groups[g]->sum.pid, groups[g]->label, text, size, used);
    if (more > 0 && used + GROUP_ROOM < size)
        snprintf(text + used, size - used, " +%u", more);
}

// What stands for the owners of CORES cores where the tab shows none of them.
static const char *unowned_word(const struct ui *ui, unsigned core_first, unsigned cores,
                                enum role *role)
{
    bool known = false, held = false, busy = false, unseen = false;

    for (unsigned i = 0; i < cores; i++) {
        const struct core *core = &ui->host->cores[core_first + i];
        known = known || core->owners_known;
        held = held || core->owner_count + core->hidden_owners > 0;
        busy = busy || core_state(core) == CORE_BUSY;
        unseen = unseen || (core->hidden_owners > 0 && ui->host->chips[core->chip].held_unseen);
    }
    *role = held ? ROLE_DIM : known && !busy ? ROLE_FREE : ROLE_UNKNOWN;
    return unseen  ? "someone not visible from here"
           : held  ? "other"
           : busy  ? "unknown"
           : known ? "free"
                   : "-";
}

void chip_owner_text(const struct ui *ui, const unsigned *owners, unsigned count,
                     unsigned core_first, unsigned cores, char *text, size_t size, enum role *role)
{
    const struct group_row *groups[GROUPS_SHOWN];
    unsigned more;
    const unsigned found = owner_groups(ui, owners, count, groups, GROUPS_SHOWN, &more);

    *role = ROLE_TEXT;
    if (found == 0)
        snprintf(text, size, "%s", unowned_word(ui, core_first, cores, role));
    else if (cores == 1)
        write_processes(ui, owners, count, text, size);
    else
        write_groups(groups, found, more, text, size);
}

void chip_owner_fit(const struct ui *ui, const unsigned *owners, unsigned count,
                    unsigned core_first, unsigned cores, int columns, char *text, size_t size,
                    enum role *role)
{
    const struct group_row *groups[1];
    char rest[16];
    unsigned more;

    chip_owner_text(ui, owners, count, core_first, cores, text, size, role);
    if (text_width(text) <= columns)
        return;
    owner_groups(ui, owners, count, groups, 1, &more);
    text[strcspn(text, ",")] = '\0';
    snprintf(rest, sizeof rest, " +%u", more);
    const int room = columns - (more > 0 ? (int)strlen(rest) : 0);
    if (text_width(text) > room && room < 9) // the PID alone, rather than a part of the name
        text[strcspn(text, " ")] = '\0';
    char cut[192];
    text_fit(cut, sizeof cut, text, room > 0 ? room : 0, ui->canvas.ascii);
    strlcpy(text, cut, size);
    if (more > 0)
        strlcat(text, rest, size);
}
