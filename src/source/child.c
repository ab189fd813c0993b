// SPDX-License-Identifier: Apache-2.0
// A child process and its two pipes.
#include "source/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum {
    EXIT_NO_PROGRAM = 127, // as shells do
    DESCRIPTORS = 1024,
    DRAIN_MOST = 256 * 1024,
    KEPT_FD = STDERR_FILENO + 1, // CHILD_KEPT
    STOP_STEPS = 60,             // of 5 ms
};

static const double DRAIN_STEP = 0.05; // seconds from one look at standard error to the next

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

// Dies with the parent, also when that is killed; PARENT may have died before this was set.
static void die_with(pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (getppid() != parent)
        _exit(EXIT_NO_PROGRAM);
}

// The parent blocks and ignores signals for its own reasons; the program gets a clean slate.
static void reset_signals(void)
{
    sigset_t none;
    signal(SIGPIPE, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void say_and_exit(const char *path)
{
    const char *why = strerror(errno);
    ssize_t ignored = write(STDERR_FILENO, path, strlen(path));
    ignored = write(STDERR_FILENO, ": ", 2);
    ignored = write(STDERR_FILENO, why, strlen(why));
    (void)ignored;
    _exit(EXIT_NO_PROGRAM);
}

// In the child. Its own process group keeps Ctrl-C and Ctrl-Z of our terminal away from it.
static void run_program(const char *path, char *const argv[], pid_t parent, const int fds[3])
{
    die_with(parent);
    setpgid(0, 0);
    reset_signals();
    int null = open("/dev/null", O_RDONLY);
    // lest one is overwritten before its turn; all of these are closed below
    int out = fcntl(fds[0], F_DUPFD, KEPT_FD + 1), err = fcntl(fds[1], F_DUPFD, KEPT_FD + 1);
    int kept = fds[2] < 0 ? -1 : fcntl(fds[2], F_DUPFD, KEPT_FD + 1);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(err, STDERR_FILENO) < 0)
        _exit(EXIT_NO_PROGRAM);
    if (kept >= 0 && dup2(kept, KEPT_FD) < 0)
        _exit(EXIT_NO_PROGRAM);
    for (int fd = kept >= 0 ? KEPT_FD + 1 : KEPT_FD; fd < DESCRIPTORS; fd++)
        close(fd);
    execv(path, argv);
    say_and_exit(path);
}

static bool make_pipes(int out[2], int err[2])
{
    if (pipe2(out, O_CLOEXEC) != 0)
        return false;
    if (pipe2(err, O_CLOEXEC) == 0) {
        fcntl(out[0], F_SETFL, O_NONBLOCK);
        fcntl(err[0], F_SETFL, O_NONBLOCK);
        return true;
    }
    int why = errno;
    close(out[0]);
    close(out[1]);
    errno = why;
    return false;
}

bool child_start(struct child *child, const char *path, char *const argv[], int kept)
{
    int out[2], err[2];
    pid_t parent = getpid();
    *child = (struct child){.out = -1, .err = -1};
    if (!make_pipes(out, err))
        return false;
    child->pid = fork();
    if (child->pid == 0)
        run_program(path, argv, parent, (const int[]){out[1], err[1], kept});
    int why = errno;
    close(out[1]);
    close(err[1]);
    child->out = out[0];
    child->err = err[0];
    if (child->pid > 0) {
        setpgid(child->pid, child->pid); // here too: whoever comes first
        return true;
    }
    child->pid = 0;
    child_forget(child);
    errno = why;
    return false;
}

static void take_byte(struct child *child, char byte)
{
    if (byte == '\n' || byte == '\r') {
        child->line_fill = 0;
        return;
    }
    if (child->line_fill == 0)
        memset(child->lines[child->line_count++ % CHILD_LINES], 0, CHILD_LINE);
    if (child->line_fill < CHILD_LINE - 1)
        child->lines[(child->line_count - 1) % CHILD_LINES][child->line_fill] = byte;
    child->line_fill++;
}

void child_drain(struct child *child, double now)
{
    char bytes[4096];
    if (child->err_rests && now < child->err_next)
        return;
    child->err_rests = false;
    child->err_next = now + DRAIN_STEP;
    for (size_t total = 0; child->err >= 0 && total < DRAIN_MOST;) {
        ssize_t count = read(child->err, bytes, sizeof(bytes));
        if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR))
            close_fd(&child->err);
        if (count <= 0)
            return;
        for (ssize_t i = 0; i < count; i++)
            take_byte(child, bytes[i]);
        child->err_rests = true;
        total += (size_t)count;
    }
}

bool child_ended(struct child *child)
{
    siginfo_t info = {.si_pid = 0};
    if (child->pid == 0 || child->ended)
        return true;
    int result = waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT);
    if (result == 0 && info.si_pid == 0)
        return false;
    if (result == 0) { // not reaped yet, so the group's number is still its own
        kill(-child->pid, SIGTERM);
        waitpid(child->pid, &child->status, 0);
    }
    child->ended = result == 0 || errno != EINTR;
    return child->ended;
}

void child_signal(const struct child *child, int signal)
{
    // once reaped, the number may be another process's
    if (child->pid > 0 && !child->ended && kill(-child->pid, signal) != 0)
        kill(child->pid, signal);
}

void child_stop(struct child *child)
{
    const struct timespec step = {.tv_nsec = 5 * 1000 * 1000};
    child_signal(child, SIGTERM);
    for (int i = 0; i < STOP_STEPS && !child_ended(child); i++)
        nanosleep(&step, NULL);
    child_signal(child, SIGKILL);
    while (!child_ended(child))
        nanosleep(&step, NULL);
    child_forget(child);
}

void child_forget(struct child *child)
{
    close_fd(&child->out);
    close_fd(&child->err);
    child->pid = 0;
}

char *child_fate(const struct child *child, char *buffer, size_t size)
{
    if (WIFSIGNALED(child->status))
        snprintf(buffer, size, "was killed by signal %d (%s)", WTERMSIG(child->status),
                 strsignal(WTERMSIG(child->status)));
    else
        snprintf(buffer, size, "exited with status %d", WEXITSTATUS(child->status));
    return buffer;
}

const char *child_last_line(const struct child *child)
{
    return child->line_count == 0 ? NULL : child->lines[(child->line_count - 1) % CHILD_LINES];
}
