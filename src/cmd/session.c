// SPDX-License-Identifier: Apache-2.0
// What screen and output share. Signals arrive on a descriptor, so no handler runs and no state is
// global.
#include "cmd/session.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/number.h"
#include "cmd/nothing.h"
#include "cmd/status.h"

enum { POLL_MAX = 32 };
static const double LONGEST_WAIT = 3600;

static void session_signals(sigset_t *set)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
    sigemptyset(set);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        sigaddset(set, numbers[i]);
}

static void leave_ignored_alone(sigset_t *set)
{
    // nohup and background jobs ignore signals on purpose
    static const int numbers[] = {SIGINT, SIGHUP, SIGQUIT, SIGTSTP};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        struct sigaction action;
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler == SIG_IGN)
            sigdelset(set, numbers[i]);
    }
}

// Those of SET that end a program.
static void ending_signals(const sigset_t *set, sigset_t *ending)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigemptyset(ending);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (sigismember(set, numbers[i]) == 1)
            sigaddset(ending, numbers[i]);
}

static int open_readers(struct session *session, bool any)
{
    const struct settings *settings = session->settings;
    const char *names[SETTINGS_SOURCES];
    struct trouble trouble = {.line = ""};
    for (size_t i = 0; i < settings->source_count; i++)
        names[i] = settings->source_names[i];
    session->collect = collect_open(&settings->source, names, settings->source_count, &trouble);
    if (session->collect == NULL) {
        fprintf(stderr, "neutop: %s\n", trouble.line);
        if (trouble.absent && nothing_there(settings->source.root)) {
            nothing_print(stderr, settings);
            return STATUS_NOTHING;
        }
        if (settings->source.input == NULL && settings->source.demo_type != NULL)
            fputs("Try 'neutop --help'.\n", stderr); // only its value can be wrong with the demo
        return STATUS_USAGE;
    }
    if (any || !collect_empty(session->collect))
        return STATUS_OK;
    nothing_print(stderr, settings);
    return STATUS_NOTHING;
}

static int open_session(struct session *session, const struct settings *settings, bool any)
{
    sigset_t set;
    *session =
        (struct session){.settings = settings, .signal_fd = -1, .keys_fd = -1, .ends_fd = -1};
    int status = open_readers(session, any);
    if (status != STATUS_OK) {
        session_close(session);
        return status;
    }
    session_signals(&set);
    leave_ignored_alone(&set);
    ending_signals(&set, &session->ending);
    signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_BLOCK, &set, &session->signals_before);
    session->signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    return STATUS_OK;
}

int session_open(struct session *session, const struct settings *settings)
{
    return open_session(session, settings, false);
}

int session_open_any(struct session *session, const struct settings *settings)
{
    return open_session(session, settings, true);
}

void session_close(struct session *session)
{
    if (session->signal_fd >= 0) {
        close(session->signal_fd);
        sigprocmask(SIG_SETMASK, &session->signals_before, NULL);
    }
    if (session->collect != NULL)
        collect_close(session->collect);
    session->signal_fd = -1;
    session->collect = NULL;
}

static int milliseconds_until(double deadline)
{
    double wait = deadline - collect_now();
    if (!(wait > 0))
        return 0;
    return (int)number_ceil(number_min(wait, LONGEST_WAIT) * 1000);
}

unsigned session_wait(struct session *session, double deadline)
{
    struct pollfd fds[POLL_MAX] = {
        {.fd = session->signal_fd, .events = POLLIN},
        {.fd = session->keys_fd, .events = POLLIN},
        {.fd = session->ends_fd, .events = POLLIN},
    };
    enum { OURS = 3 };
    double wanted = INFINITY;
    size_t count = OURS + collect_poll(session->collect, fds + OURS, POLL_MAX - OURS, &wanted);
    int ready = poll(fds, count, milliseconds_until(number_min(deadline, wanted)));
    unsigned wake = collect_now() >= wanted ? WAKE_SOURCE : WAKE_TIME;
    if (ready <= 0)
        return wake;
    if (fds[0].revents != 0)
        wake |= WAKE_SIGNAL;
    if (session->keys_fd >= 0 && fds[1].revents != 0)
        wake |= WAKE_KEYS;
    if (session->ends_fd >= 0 && fds[2].revents != 0)
        wake |= WAKE_ENDED;
    for (size_t i = OURS; i < count; i++)
        if (fds[i].revents != 0)
            wake |= WAKE_SOURCE;
    return wake;
}

int session_signal(struct session *session)
{
    struct signalfd_siginfo info;
    if (read(session->signal_fd, &info, sizeof(info)) != sizeof(info))
        return 0;
    return (int)info.ssi_signo;
}

struct host *session_host(struct session *session, bool whole)
{
    const struct settings *settings = session->settings;
    struct host *host = collect_snapshot(session->collect, collect_now());
    if (settings->pid_count > 0)
        (whole ? host_note_missing : host_select_pids)(host, settings->pids, settings->pid_count);
    return host;
}

struct host *session_snapshot(struct session *session, struct findings *findings)
{
    struct host *host = session_host(session, false);
    *findings = check_run(host);
    return host;
}

static void unblock(int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void session_let_end(const struct session *session, bool let)
{
    if (session->signal_fd >= 0)
        sigprocmask(let ? SIG_UNBLOCK : SIG_BLOCK, &session->ending, NULL);
}

void session_die_by(int number)
{
    fflush(stdout);
    signal(number, SIG_DFL);
    unblock(number);
    raise(number);
    _exit(128 + number); // only when the default action does not end a process
}

void session_stop(void)
{
    raise(SIGSTOP);
}
