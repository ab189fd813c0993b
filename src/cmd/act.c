// SPDX-License-Identifier: Apache-2.0
// Which processes may be signalled, and sending.
#include "cmd/act.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "source/proc_parse.h"

// Two readings of the start of a process differ by a tick and the noise of two clocks. A PID does
// not come round within that time: the one that had it must have been listed before.
static const double SAME_START_SECONDS = 2;

void act_open(struct act *act, const struct act_host *host)
{
    act->host = *host;
    act->epoll = epoll_create1(EPOLL_CLOEXEC);
}

void act_close(struct act *act)
{
    if (act->epoll >= 0)
        close(act->epoll);
    act->epoll = -1;
}

static void let_go(struct act *act, struct target *target)
{
    if (target->handle >= 0)
        act->host.close(target->handle); // epoll forgets it with that
    target->handle = -1;
}

static void refuse(struct act *act, struct target *target, const char *why)
{
    let_go(act, target);
    target->state = TARGET_REFUSED;
    snprintf(target->why, sizeof(target->why), "%s", why);
}

static void is_gone(struct act *act, struct target *target)
{
    let_go(act, target);
    target->state = TARGET_GONE;
}

// Why not even a look is taken; NULL: fine.
static const char *never(const struct act *act, const struct target *target)
{
    if (!act->host.own_proc)
        return "/proc is of another PID namespace: nobody can tell whose PID this is";
    if (target->pid == 0 || target->pid > INT32_MAX)
        return "this is no PID";
    if (target->pid == 1)
        return "PID 1 never gets a signal from here";
    if (target->pid == (uint64_t)act->host.self)
        return "this is neutop itself";
    return NULL;
}

static void cannot_open(struct act *act, struct target *target, int error)
{
    char why[TARGET_WHY];

    switch (error) {
    case ESRCH:
        if (target->seen_in_proc)
            is_gone(act, target);
        else
            refuse(act, target,
                   "has ended, or is in a PID namespace that is not visible from here");
        return;
    case ENOSYS:
        refuse(act, target,
               "this kernel has no pidfd (Linux 5.3); without it the PID may be another's");
        return;
    case EPERM:
        refuse(act, target, "pidfd_open is forbidden here (by a seccomp filter?)");
        return;
    case EINVAL:
        refuse(act, target, "this is a thread, not a process");
        return;
    default:
        snprintf(why, sizeof(why), "pidfd_open: %s", strerror(error));
        refuse(act, target, why);
    }
}

// Since when it has been running, as the reader of /proc counts: UTC.
static double started_unix(const struct act *act, double since_boot)
{
    return act->host.clock(CLOCK_REALTIME) - act->host.clock(CLOCK_BOOTTIME) + since_boot;
}

// Another process than the one that the snapshot told of: it has another start, or it has started
// only after that was told, or after those that it is said to have started.
static bool is_another(const struct act *act, const struct target *target, double since_boot,
                       double chosen_mono)
{
    const double since_told = act->host.clock(CLOCK_MONOTONIC) - chosen_mono + target->told_seconds;
    const double started = started_unix(act, since_boot);

    if (known_f64(target->started_unix_seconds) &&
        fabs(started - target->started_unix_seconds.value) > SAME_START_SECONDS)
        return true;
    if (known_f64(target->started_by) && started - target->started_by.value > SAME_START_SECONDS)
        return true;
    return act->host.clock(CLOCK_BOOTTIME) - since_boot < since_told;
}

static bool is_zombie(const struct proc_stat *stat)
{
    return (stat->state == 'Z' || stat->state == 'X') && stat->threads <= 1;
}

static const char *not_it(const struct act *act, const struct target *target,
                          const struct act_facts *facts, double since_boot, double chosen_mono)
{
    if (is_another(act, target, since_boot, chosen_mono))
        return "this PID is another process now";
    if (proc_stat_kernel(&facts->stat))
        return "this is a thread of the kernel";
    if (!target->seen_in_proc && !act->host.first_namespace && !facts->neuron)
        return "it may be of another PID namespace: the process with this PID here does not use "
               "Neuron";
    return NULL;
}

static void take_facts(const struct act *act, struct target *target, const struct act_facts *facts,
                       double since_boot)
{
    snprintf(target->command, sizeof(target->command), "%s", facts->command);
    snprintf(target->user, sizeof(target->user), "%s", facts->user);
    target->stopped = facts->stat.state == 'T' || facts->stat.state == 't';
    target->age_seconds = act->host.clock(CLOCK_BOOTTIME) - since_boot;
}

static void hold(struct act *act, struct target *target)
{
    struct epoll_event event = {.events = EPOLLIN};

    target->state = TARGET_READY;
    if (act->epoll >= 0)
        epoll_ctl(act->epoll, EPOLL_CTL_ADD, target->handle, &event);
}

// The order matters: first the handle, then /proc, then the question whether the handle's process
// is still there. If it is, the PID was its own all the time, and /proc told of no other.
static void look_at(struct act *act, struct target *target, double chosen_mono)
{
    struct act_facts facts;
    const long ticks = sysconf(_SC_CLK_TCK);
    const char *why = never(act, target);

    if (why != NULL) {
        refuse(act, target, why);
        return;
    }
    target->handle = act->host.open((int)target->pid);
    if (target->handle < 0) {
        cannot_open(act, target, errno);
        return;
    }
    const bool here = act->host.read((int)target->pid, !act->host.first_namespace, &facts);
    const int asked = act->host.send(target->handle, 0), error = errno;
    if (!here || (asked != 0 && error == ESRCH)) {
        is_gone(act, target);
        return;
    }
    const double since_boot = (double)facts.stat.start_ticks / (double)(ticks > 0 ? ticks : 100);
    take_facts(act, target, &facts, since_boot);
    why = not_it(act, target, &facts, since_boot, chosen_mono);
    char text[TARGET_WHY];
    if (why == NULL && is_zombie(&facts.stat)) {
        snprintf(text, sizeof(text), "has ended already, a zombie until its parent %d collects it",
                 facts.stat.ppid);
        why = text;
    } else if (why == NULL && asked != 0) {
        snprintf(text, sizeof(text), "you may not: it belongs to %.40s", facts.user);
        why = text;
    }
    if (why != NULL)
        refuse(act, target, why);
    else
        hold(act, target);
}

void act_look(struct act *act, struct targets *targets)
{
    for (size_t i = 0; i < targets->count; i++)
        if (targets->items[i].state == TARGET_NEW)
            look_at(act, &targets->items[i], targets->chosen_mono);
}

static void send_to(struct act *act, struct target *target, int number)
{
    if (target->handle < 0)
        return;
    if (act->host.send(target->handle, number) == 0) {
        target->state = TARGET_SENT;
        target->sent = true;
        return;
    }
    const int error = errno;
    if (error == ESRCH) {
        is_gone(act, target);
        return;
    }
    target->state = target->sent ? TARGET_SENT : TARGET_FAILED;
    snprintf(target->why, sizeof(target->why), "%s",
             error == EPERM ? "you may not: it belongs to another user" : strerror(error));
}

// A launcher that sees a worker end by itself starts it again, or takes it for a failure; one that
// gets the signal first ends its workers in its own way. So the launcher, which stands first, is
// told first. Only what was stopped goes on in the other order: workers before the one that waits.
void act_send(struct act *act, struct targets *targets, int number)
{
    targets->signal = number;
    targets->sent_mono = targets->ended_mono = act->host.clock(CLOCK_MONOTONIC);
    for (size_t i = 0; i < targets->count; i++)
        send_to(act, &targets->items[number == SIGCONT ? targets->count - 1 - i : i], number);
}

bool act_check(struct act *act, struct targets *targets)
{
    bool any = false;

    for (size_t i = 0; i < targets->count; i++) {
        struct target *target = &targets->items[i];
        if (target->handle < 0 || !act->host.ended(target->handle))
            continue;
        is_gone(act, target);
        any = true;
    }
    if (any && targets->sent_mono > 0)
        targets->ended_mono = act->host.clock(CLOCK_MONOTONIC);
    return any;
}

void act_drop(struct act *act, struct targets *targets)
{
    for (size_t i = 0; i < targets->count; i++)
        let_go(act, &targets->items[i]);
    targets_clear(targets);
}
