// SPDX-License-Identifier: Apache-2.0
// Runs a program without a terminal, with its input and its two outputs served by one poll loop.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plain_run.h"

enum { KEEP_MAX = 64 << 20 };

struct pump {
    const struct plain_options *options;
    struct plain_result *result;
    int in, out, err;
    char buffer[65536]; // what the program has not taken yet
    size_t begin, end, sent;
    bool input_done;
};

static double now_seconds(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void die(const char *what)
{
    perror(what);
    abort();
}

static void become_program(const struct plain_options *options, const char *const *argv, int in,
                           int out, int err)
{
    sigset_t none;

    for (int sig = 1; sig < NSIG; sig++)
        signal(sig, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid(); // no terminal to fall back to
    if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
        _exit(126);
    for (const char *const *env = options->env; env != NULL && *env != NULL; env++)
        if (strchr(*env, '=') == NULL)
            unsetenv(*env);
        else
            putenv((char *)(uintptr_t)*env);
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    _exit(127);
}

static void refill(struct pump *pump)
{
    const struct plain_options *options = pump->options;
    size_t n = 0;

    if (options->generate != NULL) {
        n = options->generate(options->context, pump->buffer, sizeof pump->buffer);
    } else if (options->input != NULL) {
        size_t left = strlen(options->input) - pump->sent;
        n = left < sizeof pump->buffer ? left : sizeof pump->buffer;
        memcpy(pump->buffer, options->input + pump->sent, n);
    }
    pump->begin = 0;
    pump->end = n;
    pump->sent += n;
    pump->input_done = n == 0;
}

static void feed(struct pump *pump)
{
    if (pump->begin == pump->end)
        refill(pump);
    ssize_t n = pump->input_done
                    ? -1
                    : write(pump->in, pump->buffer + pump->begin, pump->end - pump->begin);
    if (n > 0) {
        pump->begin += (size_t)n;
        pump->result->fed += (size_t)n;
    } else if (pump->input_done || (errno != EAGAIN && errno != EINTR)) {
        close(pump->in);
        pump->in = -1;
    }
}

// Reads one output; closes it at its end.
static void collect(int *fd, char **text, size_t *length)
{
    static char buffer[65536];
    ssize_t n = read(*fd, buffer, sizeof buffer);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        close(*fd);
        *fd = -1;
        return;
    }
    if (*length + (size_t)n > KEEP_MAX)
        return;
    // The capacity is the power of two above the length; realloc() to the same size costs nothing.
    size_t need = *length + (size_t)n + 1;
    size_t size = 65536;
    while (size < need)
        size *= 2;
    *text = realloc(*text, size);
    if (*text == NULL)
        die("realloc");
    memcpy(*text + *length, buffer, (size_t)n);
    *length += (size_t)n;
    (*text)[*length] = '\0';
}

static void serve(struct pump *pump, pid_t pid, double deadline)
{
    struct plain_result *result = pump->result;

    while (pump->out >= 0 || pump->err >= 0) {
        struct pollfd fds[3] = {{.fd = pump->in, .events = POLLOUT},
                                {.fd = pump->out, .events = POLLIN},
                                {.fd = pump->err, .events = POLLIN}};
        double left = deadline - now_seconds();
        if (left <= 0 && !result->timed_out) {
            result->timed_out = true;
            kill(pid, SIGKILL);
        }
        if (result->timed_out && left < -2)
            break; // a child of the program holds the pipes
        if (poll(fds, 3, 50) <= 0)
            continue;
        if (fds[0].revents != 0)
            feed(pump);
        if (fds[1].revents != 0)
            collect(&pump->out, &result->out, &result->out_length);
        if (fds[2].revents != 0)
            collect(&pump->err, &result->err, &result->err_length);
    }
}

static pid_t spawn(const struct plain_options *options, const char *const *argv, struct pump *pump)
{
    int in[2];
    int out[2];
    int err[2];
    bool piped = options->generate != NULL || options->input != NULL;

    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
        die("pipe");
    int source =
        piped ? in[0]
              : open(options->file != NULL ? options->file : "/dev/null", O_RDONLY | O_CLOEXEC);
    if (source < 0)
        die(options->file);
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        die("fork");
    if (pid == 0)
        become_program(options, argv, source, out[1], err[1]);
    if (!piped) {
        close(source);
        close(in[1]);
    }
    close(in[0]);
    close(out[1]);
    close(err[1]);
    pump->in = piped ? in[1] : -1;
    pump->out = out[0];
    pump->err = err[0];
    if (piped)
        fcntl(in[1], F_SETFL, O_NONBLOCK);
    return pid;
}

struct plain_result plain_run(const struct plain_options *options, const char *const *argv)
{
    static const struct plain_options none;
    static struct pump pump;
    struct plain_result result = {0};
    struct rusage usage;
    int status = 0;
    double start = now_seconds();

    options = options != NULL ? options : &none;
    memset(&pump, 0, sizeof pump);
    pump.options = options;
    pump.result = &result;
    signal(SIGPIPE, SIG_IGN);
    pid_t pid = spawn(options, argv, &pump);
    if (options->close_out) {
        close(pump.out);
        pump.out = -1;
    }
    serve(&pump, pid, start + (options->ms > 0 ? options->ms : 20000) / 1e3);
    if (pump.in >= 0)
        close(pump.in);
    if (wait4(pid, &status, 0, &usage) != pid)
        die("wait4");
    result.seconds = now_seconds() - start;
    result.max_rss_kib = usage.ru_maxrss;
    result.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    result.out = result.out != NULL ? result.out : calloc(1, 1);
    result.err = result.err != NULL ? result.err : calloc(1, 1);
    return result;
}

const char *neutop_path(void)
{
    const char *path = getenv("NEUTOP_BIN");
    return path != NULL ? path : "./neutop";
}

struct plain_result plain_neutop(const struct plain_options *options, const char *const *args)
{
    const char *argv[32] = {neutop_path()};

    for (size_t i = 0; i < 30 && args[i] != NULL; i++)
        argv[i + 1] = args[i];
    return plain_run(options, argv);
}

void plain_free(struct plain_result *result)
{
    free(result->out);
    free(result->err);
    memset(result, 0, sizeof *result);
}

unsigned plain_lines(const char *text)
{
    unsigned lines = 0;
    size_t length = strlen(text);

    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines + (length > 0 && text[length - 1] != '\n');
}

long plain_control(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
            return (long)i;
        if (c == 0xc2 && i + 1 < length && ((unsigned char)text[i + 1] & 0xe0) == 0x80)
            return (long)i;
    }
    return -1;
}

const char *fixture(const char *name)
{
    static char paths[8][4096];
    static unsigned next;
    const char *folder = getenv("NEUTOP_FIXTURES");
    char *path = paths[next++ % 8];

    snprintf(path, sizeof paths[0], "%s/%s", folder != NULL ? folder : "tests/fixtures", name);
    return path;
}
