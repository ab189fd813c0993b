// SPDX-License-Identifier: Apache-2.0
// Sending signals from the screen: tags, what a signal is to go to, and the menu of signals.
#include <bsd/string.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/actions.h"
#include "ui/group.h"
#include "ui/signal.h"

bool row_tagged(const struct ui *ui, const struct row *row)
{
    const struct keyset *tags = &ui->main.tags;

    if (tags->count == 0)
        return false;
    if (row->kind != ROW_GROUP)
        return keyset_has(tags, process_key(&ui->host->processes[row->index]));
    const struct group_row *group = &ui->scope.groups[row->index];
    for (unsigned i = 0; i < group->count; i++) {
        const unsigned member = ui->scope.members[group->first + i];
        if (!keyset_has(tags, process_key(&ui->host->processes[member])))
            return false;
    }
    return true;
}

// As in htop: and the cursor goes on to the next.
unsigned act_tag(struct ui *ui, int key)
{
    struct list *list = &ui->main.processes;

    (void)key;
    if (!ui_on_main(ui) || ui->host == NULL || list->count == 0)
        return UI_NOTHING;
    if (ui->main.focus != FOCUS_PROCESSES) {
        ui_message(ui, "processes are tagged, not chips: Tab goes to them (F8 pauses)");
        return UI_REDRAW;
    }
    const struct row row = ui->main.process_rows.rows[list->selected];
    const bool tagged = row_tagged(ui, &row);
    const struct group_row *group = row.kind == ROW_GROUP ? &ui->scope.groups[row.index] : NULL;
    for (unsigned i = 0; i < (group != NULL ? group->count : 1); i++) {
        const unsigned member = group != NULL ? ui->scope.members[group->first + i] : row.index;
        const uint64_t process = process_key(&ui->host->processes[member]);
        if (keyset_has(&ui->main.tags, process) == tagged)
            keyset_toggle(&ui->main.tags, process);
    }
    list_move(list, 1);
    return UI_REDRAW;
}

unsigned act_untag(struct ui *ui, int key)
{
    (void)key;
    keyset_clear(&ui->main.tags);
    return UI_REDRAW;
}

void tags_prune(struct ui *ui)
{
    struct keyset *tags = &ui->main.tags;
    size_t kept = 0;

    for (size_t i = 0; i < tags->count; i++) {
        if (scope_find_process(&ui->scope, tags->keys[i]) >= 0)
            tags->keys[kept++] = tags->keys[i];
    }
    tags->count = kept;
}

static void write_cores(const struct process *process, char *text, size_t size)
{
    char chips[TARGET_CORES - 8];

    core_set_format(&process->cores, text, size);
    if (text[0] != '\0' || core_set_empty(&process->chips))
        return;
    core_set_format(&process->chips, chips, sizeof chips);
    snprintf(text, size, "chip%s %s", core_set_count(&process->chips) > 1 ? "s" : "", chips);
}

// How long ago a source last told of PROCESS.
static double told_seconds(const struct process *process)
{
    struct fact_f64 newest = {0};

    for (int i = 0; i < GROUPS; i++) {
        const struct fact_f64 age = process->groups[i].age_seconds;
        if (known_f64(age) && (!known_f64(newest) || age.value < newest.value))
            newest = age;
    }
    return known_f64(newest) ? newest.value : 0;
}

static void add_process(struct ui *ui, const struct process *process)
{
    struct targets *targets = &ui->signal.asked;
    struct target *target =
        known_u64(process->pid) ? targets_add(targets, process->pid.value) : NULL;

    for (size_t i = 0; target == NULL && i < targets->count; i++) {
        if (known_u64(process->pid) && targets->items[i].pid == process->pid.value)
            target = &targets->items[i]; // a launcher that holds cores itself
    }
    if (target == NULL)
        return;
    target->seen_in_proc = target->seen_in_proc || process->pid.from == FROM_PROC;
    target->started_unix_seconds = process->started_unix_seconds;
    target->told_seconds = told_seconds(process);
    write_cores(process, target->cores, sizeof target->cores);
}

static const struct process *member_of(const struct ui *ui, const struct group_row *group,
                                       unsigned member)
{
    return &ui->host->processes[ui->scope.members[group->first + member]];
}

// The one that a signal to the job goes to first; daemons that live on for others are left alone.
static bool has_launcher(const struct group_row *group)
{
    return known_u64(group->root_pid) && !group->root_serves;
}

static bool is_member(const struct ui *ui, const struct group_row *group, uint64_t pid)
{
    for (unsigned i = 0; i < group->count; i++) {
        if (member_of(ui, group, i)->pid.value == pid)
            return true;
    }
    return false;
}

// "31207 torchrun and 32 workers".
static void name_group(const struct ui *ui, const struct group_row *group, char *name, size_t size)
{
    const unsigned workers =
        group->count - (has_launcher(group) && is_member(ui, group, group->root_pid.value));

    if (has_launcher(group))
        snprintf(name, size, "%" PRIu64 " %s and %u worker%s", group->root_pid.value, group->root,
                 workers, workers == 1 ? "" : "s");
    else
        strlcpy(name, group->members[0] != '\0' ? group->members : group->label, size);
}

static void choose_group(struct ui *ui, const struct group_row *group)
{
    struct targets *targets = &ui->signal.asked;

    if (has_launcher(group)) {
        struct target *target = targets_add(targets, group->root_pid.value);
        target->launcher = true;
        target->seen_in_proc = group->root_pid.from == FROM_PROC;
        target->started_by = group->sum.started_unix_seconds; // of the oldest member
    }
    for (unsigned i = 0; i < group->count; i++)
        add_process(ui, member_of(ui, group, i));
    name_group(ui, group, targets->name, sizeof targets->name);
}

static void name_process(const struct process *process, char *name, size_t size)
{
    const char *label = LABEL_OF(process);

    if (strncmp(label, "pid ", 4) == 0)
        strlcpy(name, label, size);
    else
        snprintf(name, size, "%" PRIu64 " %.40s", process->pid.value, label);
}

static void choose_tagged(struct ui *ui)
{
    struct targets *targets = &ui->signal.asked;

    for (unsigned i = 0; i < ui->host->process_count; i++) {
        const struct process *process = &ui->host->processes[i];
        if (!keyset_has(&ui->main.tags, process_key(process)))
            continue;
        add_process(ui, process);
        name_process(process, targets->name, sizeof targets->name);
    }
    if (targets->count != 1)
        snprintf(targets->name, sizeof targets->name, "%zu tagged processes", targets->count);
}

static bool is_ready(const struct targets *targets, const struct process *process)
{
    for (size_t i = 0; i < targets->count; i++) {
        if (targets->items[i].state == TARGET_READY &&
            targets->items[i].pid == process->pid.value && known_u64(process->pid))
            return true;
    }
    return false;
}

// Cores that nobody but those who will get the signal holds, and their memory.
static void find_freed(struct ui *ui)
{
    struct targets *targets = &ui->signal.asked;

    for (unsigned i = 0; i < ui->host->process_count; i++) {
        if (is_ready(targets, &ui->host->processes[i]))
            fact_add(&targets->frees_bytes, ui->host->processes[i].memory_device_bytes);
    }
    for (unsigned i = 0; i < ui->host->core_count; i++) {
        const struct core *core = &ui->host->cores[i];
        bool only = core->owner_count > 0 && core->hidden_owners == 0;
        for (unsigned owner = 0; only && owner < core->owner_count; owner++)
            only = is_ready(targets, &ui->host->processes[core->owners[owner]]);
        if (only)
            core_set_add(&targets->frees, core->index);
    }
}

void ui_choose(struct ui *ui)
{
    struct signal_state *state = &ui->signal;

    targets_clear(&state->asked);
    if (ui->host == NULL)
        return;
    state->asked.chosen_mono = ui->host->mono_seconds;
    if (state->choice == CHOICE_TAGGED) {
        choose_tagged(ui);
    } else if (state->choice == CHOICE_GROUP) {
        const struct group_row *group = scope_find_group(&ui->scope, state->key);
        if (group != NULL)
            choose_group(ui, group);
    } else {
        const long process = scope_find_process(&ui->scope, state->key);
        if (process < 0)
            return;
        add_process(ui, &ui->host->processes[process]);
        name_process(&ui->host->processes[process], state->asked.name, sizeof state->asked.name);
    }
}

// Its job, when it has one with others in it.
static const struct group_row *job_of(const struct ui *ui)
{
    const long process =
        ui->signal.choice == CHOICE_PROCESS ? scope_find_process(&ui->scope, ui->signal.key) : -1;

    if (process < 0)
        return NULL;
    const struct group_row *group = &ui->scope.groups[ui->scope.group_of[process]];
    return group->count > 1 || has_launcher(group) ? group : NULL;
}

static size_t signal_rows(void)
{
    size_t count = 0;

    while (signal_table()[count].name != NULL)
        count++;
    return count;
}

static const char *signal_item(const struct ui *ui, size_t index, const char **what)
{
    if (index >= signal_rows()) {
        *what = ui->signal.job;
        return "job";
    }
    *what = signal_table()[index].what;
    return signal_table()[index].name;
}

static unsigned signal_chosen(struct ui *ui, size_t index)
{
    struct signal_state *state = &ui->signal;

    if (index >= signal_rows()) {
        const struct group_row *group = job_of(ui);
        if (group == NULL)
            return UI_FORGET;
        state->choice = CHOICE_GROUP;
        state->key = group->key;
        return UI_LOOK;
    }
    state->asked.signal = signal_table()[index].number;
    state->panel = true;
    state->drawn = false;
    return UI_REDRAW;
}

static bool in_menu(const struct ui *ui)
{
    return ui->menu.title != NULL && ui->menu.item == signal_item;
}

static void open_menu(struct ui *ui)
{
    struct signal_state *state = &ui->signal;
    const struct group_row *job = job_of(ui);
    size_t count = signal_rows();

    snprintf(state->title, sizeof state->title, "Signal to %s", state->asked.name);
    if (job != NULL) {
        char name[TARGET_NAME];
        name_group(ui, job, name, sizeof name);
        snprintf(state->job, sizeof state->job, "to %s", name);
        count++;
    }
    ui->menu = (struct menu){state->title, count, 0, 0, signal_item, signal_chosen, NULL};
}

// What F9 is about: false with a message when it is about nothing.
static bool choose(struct ui *ui)
{
    struct signal_state *state = &ui->signal;
    const struct main_state *main = &ui->main;

    if (main->tags.count > 0) {
        state->choice = CHOICE_TAGGED;
    } else if (ui->view->build == view_detail && ui->detail_kind != ROW_CHIP) {
        state->choice = ui->detail_kind == ROW_GROUP ? CHOICE_GROUP : CHOICE_PROCESS;
        state->key = ui->detail_key;
    } else if (!ui_on_main(ui) || main->focus != FOCUS_PROCESSES) {
        ui_message(ui, "a signal goes to a process: %s",
                   ui_on_main(ui) ? "Tab goes to them" : "q goes back to them");
        return false;
    } else if (main->processes.count == 0) {
        ui_message(ui, "there is no process to signal");
        return false;
    } else {
        const struct row *row = &main->process_rows.rows[main->processes.selected];
        state->choice = row->kind == ROW_GROUP ? CHOICE_GROUP : CHOICE_PROCESS;
        state->key = main->processes.key;
    }
    return true;
}

static const char *why_none(const struct ui *ui)
{
    if (ui->no_signals != NULL)
        return ui->no_signals;
    if (ui->host->demo)
        return "these processes are invented (demo)";
    return ui->host->finished ? "this is the last frame of a recording" : NULL;
}

unsigned act_signal(struct ui *ui, int key)
{
    struct signal_state *state = &ui->signal;

    (void)key;
    if (ui->readonly) {
        ui_message(ui, "read-only: no signal is sent (--readonly)");
        return UI_REDRAW;
    }
    if (ui->host == NULL || !choose(ui))
        return UI_REDRAW;
    state->why = why_none(ui);
    if (state->why == NULL)
        return UI_LOOK;
    ui_choose(ui);
    state->panel = true;
    return UI_REDRAW;
}

// A process that the snapshot has only a PID of has got a command when it was looked at.
static void name_by_command(struct targets *targets)
{
    const struct target *target = &targets->items[0];
    const struct process process = {.pid = fact_u64(target->pid, FROM_PROC),
                                    .command = target->command};

    if (targets->count == 1 && strncmp(targets->name, "pid ", 4) == 0 && target->command[0] != '\0')
        name_process(&process, targets->name, sizeof targets->name);
}

void ui_looked(struct ui *ui)
{
    struct signal_state *state = &ui->signal;

    ui->dirty = true;
    if (state->asked.count == 0) {
        ui_message(ui, "no PID is known: no signal can be sent");
        return;
    }
    name_by_command(&state->asked);
    if (targets_count(&state->asked, TARGET_READY) > 0) {
        find_freed(ui);
        open_menu(ui);
        return;
    }
    state->panel = true; // says why not
    state->drawn = false;
}

unsigned signal_settle(struct ui *ui)
{
    const struct signal_state *state = &ui->signal;

    if (state->asked.count == 0 || state->panel || in_menu(ui))
        return UI_NOTHING;
    return UI_FORGET;
}

struct targets *ui_asked(struct ui *ui)
{
    return &ui->signal.asked;
}

struct targets *ui_sent(struct ui *ui)
{
    return &ui->signal.sent;
}

void ui_confirmed(struct ui *ui)
{
    targets_move(&ui->signal.sent, &ui->signal.asked);
    ui->signal.note = NOTE_NONE;
    ui->signal.declined = false;
}

// Of the cores that only they held, how many are nobody's in the newest snapshot.
static int count_free(const struct ui *ui)
{
    const struct core_set *set = &ui->signal.sent.frees;
    int free = 0;

    if (ui->host == NULL || ui->host->mono_seconds < ui->signal.sent.ended_mono)
        return -1;
    for (unsigned i = 0; i < ui->host->core_count; i++) {
        if (core_set_has(set, ui->host->cores[i].index))
            free += core_state(&ui->host->cores[i]) == CORE_FREE;
    }
    return free;
}

// All that were asked about have ended: the question is none any more.
static void close_question(struct ui *ui)
{
    struct signal_state *state = &ui->signal;
    const bool asking = state->panel || in_menu(ui);

    if (!asking || state->asked.count == 0 || targets_count(&state->asked, TARGET_READY) > 0 ||
        targets_count(&state->asked, TARGET_GONE) == 0)
        return;
    if (state->panel && state->asked.signal == 0)
        return; // it says already why nothing can be sent
    state->panel = false;
    if (in_menu(ui))
        ui->menu.title = NULL;
    ui_message(ui, "%s has ended: nothing was sent", state->asked.name);
}

void ui_targets_changed(struct ui *ui, double now)
{
    struct signal_state *state = &ui->signal;
    char text[NOTE_TEXT];

    state->now = now;
    close_question(ui);
    enum note_kind kind = note_write(text, sizeof text, &state->sent, now, count_free(ui));
    if (kind == NOTE_OFFER && state->note != NOTE_OFFER)
        state->offered = now;
    if (kind == NOTE_OFFER && state->declined)
        kind = NOTE_NONE;
    if (kind != state->note || strcmp(text, state->note_text) != 0)
        ui->dirty = true;
    state->note = kind;
    strlcpy(state->note_text, text, sizeof state->note_text);
}

bool offer_key(struct ui *ui, int key, unsigned *request)
{
    struct signal_state *state = &ui->signal;

    if (state->note != NOTE_OFFER || !state->offer_drawn || (key != 'y' && key != 'n'))
        return false;
    *request = UI_REDRAW;
    if (key == 'n') {
        state->declined = true;
        state->note = NOTE_NONE;
    } else if (state->now - state->offered >= 0.5) { // not one that was typed for another thing
        *request |= UI_KILL;
    }
    return true;
}
