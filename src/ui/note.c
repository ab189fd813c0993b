// SPDX-License-Identifier: Apache-2.0
// What became of a signal, in one line.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "host/units.h"
#include "ui/target.h"

enum {
    TOLD_SECONDS = 15, // how long an outcome stays on the screen
    STUCK_SECONDS = 3, // SIGKILL takes no longer unless something holds the process in the kernel
    UNHEARD_SECONDS = 60, // then SIGKILL has been told long enough
    NOTICED_SECONDS = 4,
    NAME_COLUMNS = 32,
};

struct tally {
    size_t sent, alive, failed, stopped;
};

static struct tally tally_of(const struct targets *targets)
{
    struct tally tally = {0};

    for (size_t i = 0; i < targets->count; i++) {
        const struct target *target = &targets->items[i];
        tally.sent += target->sent;
        tally.alive += target->sent && target->state != TARGET_GONE;
        tally.stopped += target->sent && target->state != TARGET_GONE && target->stopped;
        tally.failed += target->state == TARGET_FAILED && !target->sent;
    }
    return tally;
}

static void add(char *text, size_t size, const char *more)
{
    const size_t used = strlen(text);

    if (used + 1 < size)
        snprintf(text + used, size - used, "%s", more);
}

static void add_failures(char *text, size_t size, const struct targets *targets,
                         const struct tally *tally)
{
    const struct target *failed = targets_first(targets, TARGET_FAILED);
    char more[TARGET_WHY + 64];

    if (tally->failed == 0 || failed == NULL)
        return;
    snprintf(more, sizeof more, "; not to %zu of them: %s", tally->failed, failed->why);
    add(text, size, more);
}

// How many of the cores that only these processes held nobody holds now. The sources need a moment
// to notice.
static void add_freed(char *text, size_t size, const struct targets *targets, double now, int free)
{
    const unsigned held = core_set_count(&targets->frees);
    char more[64];

    if (held == 0 || free < 0 ||
        ((unsigned)free < held && now - targets->ended_mono < NOTICED_SECONDS))
        return;
    if ((unsigned)free >= held)
        snprintf(more, sizeof more, ", %u NC free", held);
    else
        snprintf(more, sizeof more, ", %d of its %u NC free", free, held);
    add(text, size, more);
}

static void write_alive(char *text, size_t size, const struct targets *targets, const char *name,
                        const struct tally *tally, double seconds)
{
    char since[UNIT_TEXT], more[96];

    snprintf(text, size, "%s sent to %s", signal_get(targets->signal)->name, name);
    unit_duration(since, sizeof since, fact_f64(seconds, FROM_DERIVED));
    if (seconds >= 1 && targets->count > 1) {
        snprintf(more, sizeof more, "; %zu of %zu still there after %s", tally->alive, tally->sent,
                 since);
        add(text, size, more);
    } else if (seconds >= 1) {
        snprintf(more, sizeof more, "; still there after %s", since);
        add(text, size, more);
    }
    if (targets->signal != SIGKILL && tally->stopped == tally->alive)
        add(text, size, " (stopped: it takes the signal when continued)");
    else if (targets->signal == SIGKILL && seconds >= STUCK_SECONDS)
        add(text, size, ", held up inside the kernel");
}

// The question comes first: on a narrow screen the rest is cut.
static void write_offer(char *text, size_t size, const struct targets *targets, const char *name,
                        const struct tally *tally, double seconds)
{
    char since[UNIT_TEXT];

    unit_duration(since, sizeof since, fact_f64(seconds, FROM_DERIVED));
    if (targets->count > 1)
        snprintf(text, size, "Send SIGKILL? y/n  %zu of %zu still there %s after %s: %s",
                 tally->alive, tally->sent, since, signal_get(targets->signal)->name, name);
    else
        snprintf(text, size, "Send SIGKILL? y/n  %s is still there %s after %s", name, since,
                 signal_get(targets->signal)->name);
}

static enum note_kind write_nothing_sent(char *text, size_t size, const struct targets *targets,
                                         const char *name, double seconds)
{
    const struct target *failed = targets_first(targets, TARGET_FAILED);
    const char *signal_name = signal_get(targets->signal)->name;

    if (failed != NULL)
        snprintf(text, size, "%s not sent to %s: %s", signal_name, name, failed->why);
    else
        snprintf(text, size, "%s not sent: %s had ended", signal_name, name);
    return seconds < TOLD_SECONDS ? NOTE_TOLD : NOTE_NONE;
}

static enum note_kind write_gone(char *text, size_t size, const struct targets *targets,
                                 const char *name, double now, int free)
{
    const double seconds = targets->ended_mono - targets->sent_mono;
    char after[UNIT_TEXT];

    unit_duration(after, sizeof after, fact_f64(seconds, FROM_DERIVED));
    snprintf(text, size, "%s sent to %s: gone %s%s", signal_get(targets->signal)->name, name,
             seconds < 1 ? "at once" : "after ", seconds < 1 ? "" : after);
    add_freed(text, size, targets, now, free);
    return now - targets->ended_mono < TOLD_SECONDS ? NOTE_TOLD : NOTE_NONE;
}

enum note_kind note_write(char *text, size_t size, const struct targets *targets, double now,
                          int free)
{
    const struct signal_row *row = signal_get(targets->signal);
    const double seconds = now - targets->sent_mono;
    const struct tally tally = tally_of(targets);
    char name[TARGET_NAME];
    enum note_kind kind = NOTE_TOLD;

    text[0] = '\0';
    if (row == NULL)
        return NOTE_NONE;
    text_fit(name, sizeof name, targets->name, NAME_COLUMNS, false);
    if (tally.sent == 0) {
        kind = write_nothing_sent(text, size, targets, name, seconds);
    } else if (tally.alive == 0) {
        kind = write_gone(text, size, targets, name, now, free);
    } else if (!row->ends) {
        snprintf(text, size, "%s sent to %s", row->name, name);
        kind = seconds < TOLD_SECONDS ? NOTE_TOLD : NOTE_NONE;
    } else if (row->number != SIGKILL && seconds >= NOTE_OFFER_SECONDS) {
        write_offer(text, size, targets, name, &tally, seconds);
        return NOTE_OFFER;
    } else {
        write_alive(text, size, targets, name, &tally, seconds);
        kind = seconds < UNHEARD_SECONDS ? NOTE_TOLD : NOTE_NONE;
    }
    if (tally.sent > 0)
        add_failures(text, size, targets, &tally);
    return kind;
}
