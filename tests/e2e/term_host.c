// SPDX-License-Identifier: Apache-2.0
// The terminal for tests: the pseudo-terminal, the session leader and waiting. The screen is read
// in term_screen.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plain_run.h"
#include "term_private.h"

static double now_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

// The program's side, between fork and exec: own process group, in the foreground, ordinary
// signals.
static void become_program(int slave, const char *name, const struct term_options *options,
                           const char *const *argv)
{
    sigset_t none;
    int input = options->input > 0 ? options->input : slave;

    setpgid(0, 0);
    tcsetpgrp(slave, getpid());
    for (int sig = 1; sig < NSIG; sig++)
        signal(sig, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(input, 0) < 0 || dup2(slave, 1) < 0 || dup2(slave, 2) < 0)
        _exit(126);
    setenv("TERM", name, 1);
    for (const char *const *env = options->env; env != NULL && *env != NULL; env++)
        if (strchr(*env, '=') == NULL)
            unsetenv(*env);
        else
            putenv((char *)(uintptr_t)*env);
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

// The session leader: what a shell does with one foreground job. Reports each change of the
// program's state, and stays until the test closes the control pipe, because the kernel resets the
// terminal when its session leader ends.
static void lead(int slave, pid_t pid, int control, int report)
{
    char byte;
    int status;

    setpgid(pid, pid);
    tcsetpgrp(slave, pid);
    while (waitpid(pid, &status, WUNTRACED) == pid) {
        bool stopped = WIFSTOPPED(status);
        if (stopped)
            tcsetpgrp(slave, getpid());
        if (write(report, &status, sizeof status) != (ssize_t)sizeof status || !stopped)
            break;
        if (read(control, &byte, 1) != 1)
            _exit(0);
        tcsetpgrp(slave, pid);
        kill(-pid, SIGCONT);
    }
    while (read(control, &byte, 1) > 0)
        continue;
    _exit(0);
}

static void start_session(const char *slave_path, const char *name,
                          const struct term_options *options, const char *const *argv, int control,
                          int report)
{
    setsid();
    signal(SIGHUP, SIG_IGN);
    signal(SIGTTOU, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    int slave = open(slave_path, O_RDWR | O_CLOEXEC);
    if (slave < 0 || ioctl(slave, TIOCSCTTY, 0) != 0)
        _exit(125);
    pid_t pid = fork();
    if (pid == 0)
        become_program(slave, name, options, argv);
    if (pid < 0 || write(report, &pid, sizeof pid) != (ssize_t)sizeof pid)
        _exit(125);
    lead(slave, pid, control, report);
}

static int open_master(struct term *term, char *slave_path, size_t size)
{
    struct winsize ws = {.ws_row = (unsigned short)term->rows,
                         .ws_col = (unsigned short)term->cols};
    int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

    if (fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0 || ptsname_r(fd, slave_path, size) != 0)
        fail_msg("no pseudo-terminal: %s", strerror(errno));
    ioctl(fd, TIOCSWINSZ, &ws);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    tcgetattr(fd, &term->modes);
    return fd;
}

struct term *term_start(const struct term_options *options, const char *const *argv)
{
    struct term *term = calloc(1, sizeof *term);
    int control[2];
    int report[2];
    char slave_path[128];

    assert_non_null(term);
    term->rows = options->rows > 0 ? options->rows : 24;
    term->cols = options->cols > 0 ? options->cols : 80;
    term->status = -1;
    term->master = open_master(term, slave_path, sizeof slave_path);
    assert_int_equal(pipe2(control, O_CLOEXEC), 0);
    assert_int_equal(pipe2(report, O_CLOEXEC), 0);
    fflush(NULL);
    term->leader = fork();
    assert_true(term->leader >= 0);
    if (term->leader == 0) {
        close(term->master);
        close(control[1]);
        close(report[0]);
        start_session(slave_path, options->name != NULL ? options->name : "xterm-256color", options,
                      argv, control[0], report[1]);
    }
    close(control[0]);
    close(report[1]);
    term->control = control[1];
    term->report = report[0];
    assert_int_equal(read(term->report, &term->pid, sizeof term->pid), sizeof term->pid);
    term_screen_open(term);
    return term;
}

struct term *term_neutop(int rows, int cols, const char *const *args)
{
    const char *argv[32] = {neutop_path()};
    struct term_options options = {.rows = rows, .cols = cols};

    for (size_t i = 0; i < 30 && args[i] != NULL; i++)
        argv[i + 1] = args[i];
    return term_start(&options, argv);
}

void term_free(struct term *term)
{
    if (term == NULL)
        return;
    if (!term->ended) {
        kill(-term->pid, SIGKILL);
        kill(-term->pid, SIGCONT);
    }
    close(term->control);
    if (term->master >= 0)
        close(term->master);
    waitpid(term->leader, NULL, 0);
    close(term->report);
    term_screen_close(term);
    free(term->raw);
    free(term);
}

void term_write(struct term *term, const char *bytes, size_t length)
{
    double deadline = now_ms() + TERM_WAIT;

    while (length > 0 && term->master >= 0 && now_ms() < deadline) {
        ssize_t n = write(term->master, bytes, length);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return;
        if (n > 0) {
            bytes += n;
            length -= (size_t)n;
        }
        if (length > 0)
            poll(&(struct pollfd){.fd = term->master, .events = POLLOUT}, 1, 20);
    }
}

void term_send(struct term *term, const char *keys)
{
    term_write(term, keys, strlen(keys));
}

void term_resize(struct term *term, int rows, int cols)
{
    struct winsize ws = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};

    term->rows = rows;
    term->cols = cols;
    term_screen_resize(term);
    ioctl(term->master, TIOCSWINSZ, &ws);
}

void term_signal(struct term *term, int signal_number)
{
    kill(term->pid, signal_number);
}

pid_t term_pid(const struct term *term)
{
    return term->pid;
}

void term_hangup(struct term *term)
{
    close(term->master);
    term->master = -1;
}

static void keep_raw(struct term *term, const char *bytes, size_t length)
{
    if (term->raw_length + length > term->raw_size) {
        term->raw_size = (term->raw_length + length) * 2 + 4096;
        term->raw = realloc(term->raw, term->raw_size);
        assert_non_null(term->raw);
    }
    memcpy(term->raw + term->raw_length, bytes, length);
    term->raw_length += length;
    term->total += length;
}

static bool read_master(struct term *term)
{
    char buffer[65536];
    ssize_t n = read(term->master, buffer, sizeof buffer);

    if (n <= 0)
        return false;
    keep_raw(term, buffer, (size_t)n);
    term_screen_write(term, buffer, (size_t)n);
    return true;
}

static void read_report(struct term *term)
{
    int status;

    if (read(term->report, &status, sizeof status) != (ssize_t)sizeof status) {
        term->ended = true; // the leader is gone; nothing more is known
        return;
    }
    term->stopped = WIFSTOPPED(status);
    if (!term->stopped) {
        term->status = status;
        term->ended = true;
    }
}

bool term_pump(struct term *term, int ms)
{
    struct pollfd fds[2] = {{.fd = term->master, .events = POLLIN},
                            {.fd = term->ended ? -1 : term->report, .events = POLLIN}};

    if (poll(fds, 2, ms) <= 0)
        return false;
    bool some = fds[0].revents != 0 && read_master(term);
    if (!some && fds[0].revents & (POLLHUP | POLLERR))
        poll(NULL, 0, 2); // no one has the slave open: do not spin
    if (fds[1].revents != 0) {
        while (term->master >= 0 && read_master(term))
            some = true;
        read_report(term);
    }
    return some;
}

bool term_wait_stopped(struct term *term, int ms)
{
    double deadline = now_ms() + ms;

    while (!term->stopped && !term->ended && now_ms() < deadline)
        term_pump(term, 50);
    return term->stopped;
}

void term_continue(struct term *term)
{
    term->stopped = false;
    assert_int_equal(write(term->control, "c", 1), 1);
}

int term_wait_exit(struct term *term, int ms)
{
    double deadline = now_ms() + ms;

    while (!term->ended && now_ms() < deadline)
        term_pump(term, 50);
    // on a busy machine the last bytes may arrive after the news of the end
    while (term->master >= 0 &&
           term_pump(term, term->ended && (term->alternate || !term->cursor_visible) ? 200 : 0))
        continue;
    return term->ended ? term->status : -1;
}

// Pumps until HOLDS says so; the program's end or the deadline makes it a last question.
static bool wait_until(struct term *term, bool (*holds)(struct term *, const void *),
                       const void *what, int ms)
{
    double deadline = now_ms() + ms;

    while (!holds(term, what)) {
        if (now_ms() >= deadline || (term->ended && !term_pump(term, 0)))
            return holds(term, what);
        term_pump(term, 50);
        while (term_pump(term, 0))
            continue;
    }
    return true;
}

static bool has_text(struct term *term, const void *what)
{
    return term_find(term, what) >= 0;
}

static bool has_no_text(struct term *term, const void *what)
{
    return term_find(term, what) < 0;
}

static bool has_bytes(struct term *term, const void *what)
{
    return term->total >= *(const size_t *)what;
}

static bool has_alternate(struct term *term, const void *what)
{
    return term->alternate == *(const bool *)what;
}

bool term_wait_text(struct term *term, const char *text, int ms)
{
    return wait_until(term, has_text, text, ms);
}

bool term_wait_gone(struct term *term, const char *text, int ms)
{
    return wait_until(term, has_no_text, text, ms);
}

bool term_wait_bytes(struct term *term, size_t more, int ms)
{
    size_t wanted = term->total + more;
    return wait_until(term, has_bytes, &wanted, ms);
}

bool term_wait_alternate(struct term *term, bool on, int ms)
{
    return wait_until(term, has_alternate, &on, ms);
}

bool term_wait_quiet(struct term *term, int quiet, int ms)
{
    double deadline = now_ms() + ms;

    while (term->total == 0 && !term->ended && now_ms() < deadline)
        term_pump(term, 50);
    while (now_ms() < deadline)
        if (!term_pump(term, quiet))
            return true;
    return false;
}

const char *term_raw(const struct term *term, size_t *length)
{
    *length = term->raw_length;
    return term->raw != NULL ? term->raw : "";
}

void term_raw_forget(struct term *term)
{
    term->raw_length = 0;
}

bool term_modes_restored(const struct term *term)
{
    struct termios now;

    if (term->master < 0 || tcgetattr(term->master, &now) != 0)
        return false;
    return now.c_iflag == term->modes.c_iflag && now.c_oflag == term->modes.c_oflag &&
           now.c_cflag == term->modes.c_cflag && now.c_lflag == term->modes.c_lflag &&
           memcmp(now.c_cc, term->modes.c_cc, sizeof now.c_cc) == 0;
}

void term_expect(struct term *term, bool holds, const char *what, const char *file, int line)
{
    if (holds)
        return;
    term_dump(term, what);
    _fail(file, line);
}

void term_expect_exit(struct term *term, int status, bool killed, const char *file, int line)
{
    int got = term_wait_exit(term, TERM_WAIT);
    char why[160];

    snprintf(why, sizeof why,
             "wait status %#x, wanted %s %d; modes %s, alternate screen %s, cursor %s",
             (unsigned)got, killed ? "signal" : "exit", status,
             term_modes_restored(term) ? "restored" : "CHANGED", term->alternate ? "ON" : "off",
             term->cursor_visible ? "visible" : "HIDDEN");
    bool ended = got != -1 && (killed ? WIFSIGNALED(got) && WTERMSIG(got) == status
                                      : WIFEXITED(got) && WEXITSTATUS(got) == status);
    term_expect(term,
                ended && term_modes_restored(term) && !term->alternate && term->cursor_visible, why,
                file, line);
}
