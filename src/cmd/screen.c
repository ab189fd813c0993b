// SPDX-License-Identifier: Apache-2.0
// The screen's loop: one poll() for keys, signals, readers and the clock; the ui says what must
// happen, this does it.
#include "cmd/screen.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "cmd/act.h"
#include "cmd/conffile.h"
#include "cmd/confsave.h"
#include "cmd/status.h"
#include "host/history.h"
#include "ui/ui.h"

// A reader that speaks faster than this (a replay at full speed) is shown at this pace.
static const double FASTEST_FRAME_SECONDS = 0.05;

struct screen {
    struct session *session;
    struct ui *ui;
    struct history *history;
    struct act act;
    char *save_path;    // where the setup is saved; NULL: not
    struct host *shown; // the snapshot that the ui borrows
    uint64_t updates;
    double delay;
    double last_snapshot; // monotonic
    double next_clock;    // monotonic: the next full second of the wall clock, or of the delay
    bool fresh;           // facts newer than the snapshot that is shown
    bool quit;
    bool facts; // a reader has given some
    bool failed;
    bool ended; // a finite input has given all it has
    int signal;
};

// Standard input may carry the stream; then the keys come from the terminal itself.
static int open_keys(const struct settings *settings)
{
    bool taken = settings->source.input != NULL && strcmp(settings->source.input, "-") == 0;
    if (!taken && isatty(STDIN_FILENO))
        return dup(STDIN_FILENO);
    return open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
}

// A PID from elsewhere is nobody's here, or somebody else's.
static const char *no_signals(const struct settings *settings)
{
    if (settings->source.input != NULL)
        return "these processes are of a recording or another machine: their PIDs are not ours";
    if (settings->source.root != NULL && *settings->source.root != '\0')
        return "with --root these processes are another system's: their PIDs are not ours";
    return NULL;
}

// Where the setup may be saved; NULL with the reason.
static char *save_path(const struct settings *settings, const char **why)
{
    if (settings->readonly)
        *why = "--readonly";
    else if (settings->no_config)
        *why = "--no-config";
    else
        return conffile_path(settings, why);
    return NULL;
}

static bool screen_open(struct screen *screen, struct session *session)
{
    const struct settings *settings = session->settings;
    char error[SETTINGS_WHY] = "";
    struct ui_options options = {
        .theme = settings->theme,
        .color = settings->color,
        .ascii = settings->ascii,
        .readonly = settings->readonly,
        .look = settings->look,
        .no_signals = no_signals(settings),
        .delay_seconds = settings->source.delay_seconds,
        .sort = settings->sort,
        .view = settings->view,
        .keys_fd = open_keys(settings),
    };
    *screen = (struct screen){
        .session = session, .act.epoll = -1, .delay = settings->source.delay_seconds};
    options.save_path = screen->save_path = save_path(settings, &options.no_save);
    session->keys_fd = options.keys_fd;
    screen->ui = ui_open(&options, error, sizeof(error));
    if (screen->ui == NULL) {
        fprintf(stderr, "neutop: %s\n", error);
        return false;
    }
    screen->history = history_new();
    const struct act_host host = act_this_host();
    act_open(&screen->act, &host);
    session->ends_fd = screen->act.epoll;
    return true;
}

static void screen_close(struct screen *screen)
{
    if (screen->ui != NULL) {
        act_drop(&screen->act, ui_asked(screen->ui));
        act_drop(&screen->act, ui_sent(screen->ui));
        ui_close(screen->ui);
    }
    act_close(&screen->act);
    free(screen->save_path);
    screen->session->ends_fd = -1;
    history_free(screen->history);
    host_free(screen->shown);
    if (screen->session->keys_fd >= 0)
        close(screen->session->keys_fd);
    screen->session->keys_fd = -1;
}

// Takes a snapshot; while paused only the history goes on, so that the graphs have no gap.
static void screen_update(struct screen *screen)
{
    struct findings findings;
    if (!ui_paused(screen->ui)) { // nothing is drawn before the new one is fed: never two at a time
        host_free(screen->shown);
        screen->shown = NULL;
    }
    struct host *host = session_snapshot(screen->session, &findings);
    screen->last_snapshot = collect_now();
    if (screen->fresh) {
        history_feed(screen->history, host);
        screen->updates++;
    }
    screen->fresh = false;
    if (ui_paused(screen->ui)) {
        host_free(host);
        return;
    }
    ui_feed(screen->ui, host, &findings, screen->history);
    screen->shown = host;
}

static void screen_stop(struct screen *screen)
{
    ui_suspend(screen->ui);
    session_stop();
    ui_resume(screen->ui);
}

static void screen_signals(struct screen *screen)
{
    for (int number; (number = session_signal(screen->session)) != 0;) {
        if (number == SIGWINCH)
            ui_resized(screen->ui);
        else if (number == SIGTSTP)
            screen_stop(screen);
        else if (number == SIGCONT)
            ui_resized(screen->ui);
        else
            screen->signal = number;
    }
}

// What the person wants of processes; see ui.h.
static void screen_act(struct screen *screen, unsigned request)
{
    struct act *act = &screen->act;
    struct targets *asked = ui_asked(screen->ui), *sent = ui_sent(screen->ui);
    if (request & UI_FORGET)
        act_drop(act, asked);
    if (request & UI_LOOK) {
        act_drop(act, asked);
        ui_choose(screen->ui);
        act_look(act, asked);
        ui_looked(screen->ui);
    }
    if (request & UI_SEND) {
        act_drop(act, sent);
        ui_confirmed(screen->ui);
        act_send(act, sent, sent->signal);
    }
    if (request & UI_KILL)
        act_send(act, sent, SIGKILL);
    ui_targets_changed(screen->ui, collect_now());
}

// Looks who has ended; the question or the line about them changes.
static void screen_watch(struct screen *screen)
{
    act_check(&screen->act, ui_asked(screen->ui));
    act_check(&screen->act, ui_sent(screen->ui));
    ui_targets_changed(screen->ui, collect_now());
}

static void screen_save(struct screen *screen)
{
    enum { SETTINGS_MAX = 16 };
    struct ui_setting settings[SETTINGS_MAX];
    char said[PATH_MAX];
    size_t count = 0;
    if (screen->save_path == NULL)
        return;
    while (count < SETTINGS_MAX && ui_setting(screen->ui, count, &settings[count]))
        count++;
    confsave_write(screen->save_path, settings, count, said, sizeof(said));
    ui_say(screen->ui, said);
}

enum { UI_ACTS = UI_LOOK | UI_SEND | UI_KILL | UI_FORGET };

static unsigned screen_key_burst(struct screen *screen)
{
    unsigned request = ui_keys(screen->ui);
    screen->quit = screen->quit || (request & UI_QUIT) != 0;
    if (request & UI_DELAY) {
        screen->delay = ui_delay(screen->ui);
        collect_set_delay(screen->session->collect, screen->delay);
    }
    if (request & UI_SUSPEND)
        screen_stop(screen);
    if (request & UI_REFRESH)
        screen_update(screen);
    if (request & UI_ACTS)
        screen_act(screen, request);
    if (request & UI_SAVE)
        screen_save(screen);
    return request;
}

// Keys behind one that wants something at once may be in a buffer already, where poll() cannot see
// them.
static void screen_keys(struct screen *screen)
{
    while ((screen_key_burst(screen) & (UI_ACTS | UI_SUSPEND | UI_SAVE)) != 0 && !screen->quit)
        continue;
}

static void screen_sources(struct screen *screen)
{
    enum source_event event = collect_work(screen->session->collect, collect_now());
    screen->fresh = screen->fresh || event == SOURCE_NEW || event == SOURCE_FINISHED;
    screen->ended = screen->ended || event == SOURCE_FINISHED;
    screen->facts = screen->facts || event == SOURCE_NEW;
    screen->failed = event == SOURCE_FAILED && !screen->facts;
}

// Facts are shown as soon as they are there, but no faster than frames make sense; without new ones
// the ages still move on.
static double next_snapshot(const struct screen *screen)
{
    double pace = number_max(number_min(screen->delay / 2, 0.25), FASTEST_FRAME_SECONDS);
    return screen->last_snapshot + (screen->fresh ? pace : screen->delay);
}

static double next_wall_second(void)
{
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    return collect_now() + 1 - (double)wall.tv_nsec / 1e9;
}

static void screen_turn(struct screen *screen)
{
    unsigned wake =
        session_wait(screen->session, number_min(next_snapshot(screen), screen->next_clock));
    if (wake & WAKE_SIGNAL)
        screen_signals(screen);
    if (wake & WAKE_KEYS)
        screen_keys(screen);
    if (wake & WAKE_SOURCE)
        screen_sources(screen);
    double now = collect_now();
    if ((wake & WAKE_ENDED) || now >= screen->next_clock)
        screen_watch(screen);
    if (now >= next_snapshot(screen))
        screen_update(screen);
    if (now >= screen->next_clock)
        screen->next_clock = next_wall_second();
    session_let_end(screen->session, true);
    ui_draw(screen->ui);
    session_let_end(screen->session, false);
}

static bool screen_finished(const struct screen *screen)
{
    uint64_t wanted = screen->session->settings->iterations;
    bool no_more = screen->ended && !screen->fresh;
    return screen->quit || screen->failed || screen->signal != 0 ||
           (wanted != 0 && (screen->updates >= wanted || no_more));
}

int screen_run(struct session *session)
{
    struct screen screen;
    if (!screen_open(&screen, session)) {
        screen_close(&screen);
        return STATUS_USAGE;
    }
    while (!screen_finished(&screen))
        screen_turn(&screen);
    screen_close(&screen);
    if (screen.signal != 0) {
        session_close(session);
        session_die_by(screen.signal);
    }
    if (screen.failed) {
        fprintf(stderr, "neutop: %s\n", collect_trouble(session->collect));
        return STATUS_USAGE;
    }
    return STATUS_OK;
}
