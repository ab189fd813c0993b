// SPDX-License-Identifier: Apache-2.0
// Lists of processes to be signalled, and the signals.
#include "ui/target.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"

static const struct signal_row signals[] = {
    {SIGTERM, "SIGTERM", "end, after cleaning up", true},
    {SIGINT, "SIGINT", "interrupt, as Ctrl-C does", true},
    {SIGKILL, "SIGKILL", "end at once, without cleaning up", true},
    {SIGHUP, "SIGHUP", "hang up: end, or read the configuration again", false},
    {SIGQUIT, "SIGQUIT", "end with a core dump", true},
    {SIGUSR1, "SIGUSR1", "what the program makes of it; it ends when it makes nothing", false},
    {SIGUSR2, "SIGUSR2", "what the program makes of it; it ends when it makes nothing", false},
    {SIGSTOP, "SIGSTOP", "stop; cores and memory stay held", false},
    {SIGCONT, "SIGCONT", "go on after a stop", false},
    {SIGTSTP, "SIGTSTP", "stop, as Ctrl-Z does", false},
    {SIGABRT, "SIGABRT", "end with a core dump, as after a failed check", true},
    {0, NULL, NULL, false},
};

const struct signal_row *signal_table(void)
{
    return signals;
}

const struct signal_row *signal_get(int number)
{
    for (const struct signal_row *row = signals; row->name != NULL; row++) {
        if (row->number == number)
            return row;
    }
    return NULL;
}

static bool has_pid(const struct targets *targets, uint64_t pid)
{
    for (size_t i = 0; i < targets->count; i++) {
        if (targets->items[i].pid == pid)
            return true;
    }
    return false;
}

struct target *targets_add(struct targets *targets, uint64_t pid)
{
    if (targets->count == TARGETS_MAX || has_pid(targets, pid))
        return NULL;
    if (targets->count == targets->room) {
        targets->room = targets->room * 2 + 4;
        targets->items = xreallocarray(targets->items, targets->room, sizeof targets->items[0]);
    }
    struct target *target = &targets->items[targets->count++];
    memset(target, 0, sizeof *target);
    target->pid = pid;
    target->handle = -1;
    target->age_seconds = (double)NAN;
    return target;
}

void targets_clear(struct targets *targets)
{
    struct target *items = targets->items;
    const size_t room = targets->room;

    memset(targets, 0, sizeof *targets);
    targets->items = items;
    targets->room = room;
}

void targets_free(struct targets *targets)
{
    free(targets->items);
    memset(targets, 0, sizeof *targets);
}

void targets_move(struct targets *into, struct targets *from)
{
    free(into->items);
    *into = *from;
    memset(from, 0, sizeof *from);
}

size_t targets_count(const struct targets *targets, enum target_state state)
{
    size_t count = 0;

    for (size_t i = 0; i < targets->count; i++)
        count += targets->items[i].state == state;
    return count;
}

const struct target *targets_first(const struct targets *targets, enum target_state state)
{
    for (size_t i = 0; i < targets->count; i++) {
        if (targets->items[i].state == state)
            return &targets->items[i];
    }
    return NULL;
}
