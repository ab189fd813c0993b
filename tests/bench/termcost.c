// SPDX-License-Identifier: Apache-2.0
// What a full-screen program costs while it runs untouched on a pseudo-terminal of a given size.
// Prints one line of NAME=VALUE pairs. CPU is the kernel's own accounting; compare two programs in
// one go, in turn, never across machines.
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "Usage: termcost [-s SECONDS] [-w SECONDS] [-g COLSxROWS] [-k KEYS] COMMAND [ARG]...\n"
    "  -s  how long to look (default 8); then KEYS are sent (default q)\n"
    "  -w  what counts as start-up (default 2): steady values are of after it\n";

static const double FRAME_PAUSE = 0.03; // output that pauses this long is a whole frame
static const double PATIENCE = 3;       // seconds to leave after the keys

struct options {
    double seconds, warm;
    unsigned short rows, cols;
    const char *keys;
    char **command;
};

struct cost {
    double start, first_byte, last_byte, first_frame; // monotonic; 0: not yet
    double steady_from, steady_to, cpu_from, cpu_to;
    size_t bytes, bytes_from, bytes_to;
};

static double now_seconds(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static double task_cpu(const char *path)
{
    unsigned long long ns = 0;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%llu", &ns) != 1)
        ns = 0;
    fclose(file);
    return (double)ns / 1e9;
}

// Time on a CPU of all threads: finer than the clock tick of /proc/PID/stat.
static double process_cpu(pid_t pid)
{
    char pattern[64];
    double sum = 0;
    glob_t tasks;

    snprintf(pattern, sizeof pattern, "/proc/%d/task/*/schedstat", (int)pid);
    if (glob(pattern, 0, NULL, &tasks) != 0)
        return 0;
    for (size_t i = 0; i < tasks.gl_pathc; i++)
        sum += task_cpu(tasks.gl_pathv[i]);
    globfree(&tasks);
    return sum;
}

static pid_t start(const struct options *options, int *master)
{
    struct winsize size = {.ws_row = options->rows, .ws_col = options->cols};
    char slave[128];
    int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

    if (fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0 ||
        ptsname_r(fd, slave, sizeof slave) != 0 || ioctl(fd, TIOCSWINSZ, &size) != 0) {
        perror("termcost: pseudo-terminal");
        exit(2);
    }
    *master = fd;
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    setsid();
    int tty = open(slave, O_RDWR);
    if (tty < 0 || dup2(tty, 0) < 0 || dup2(tty, 1) < 0 || dup2(tty, 2) < 0)
        _exit(126);
    setenv("TERM", "xterm-256color", 1);
    setenv("LANG", "C.UTF-8", 0);
    execvp(options->command[0], options->command);
    _exit(127);
}

static bool take(int fd, struct cost *cost)
{
    static char buffer[65536];
    ssize_t n = read(fd, buffer, sizeof buffer);

    if (n <= 0)
        return n < 0 && errno == EINTR;
    cost->last_byte = now_seconds();
    if (cost->first_byte == 0)
        cost->first_byte = cost->last_byte;
    cost->bytes += (size_t)n;
    return true;
}

// Reads until the program has gone. MARKS steady state and sends the keys at their times.
static void watch(const struct options *options, int fd, pid_t pid, struct cost *cost)
{
    bool sent = false;

    for (;;) {
        struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
        bool ready = poll(&poll_fd, 1, 10) > 0;
        if (ready && !take(fd, cost))
            return;
        double now = now_seconds();
        if (!ready && cost->first_byte > 0 && cost->first_frame == 0 &&
            now - cost->last_byte > FRAME_PAUSE)
            cost->first_frame = cost->last_byte;
        if (cost->steady_from == 0 && now - cost->start > options->warm) {
            cost->cpu_from = process_cpu(pid);
            cost->steady_from = now;
            cost->bytes_from = cost->bytes;
        }
        if (!sent && now - cost->start > options->seconds) {
            cost->cpu_to = process_cpu(pid);
            cost->steady_to = now;
            cost->bytes_to = cost->bytes;
            sent = write(fd, options->keys, strlen(options->keys)) > 0;
        }
        if (now - cost->start > options->seconds + PATIENCE)
            kill(pid, SIGKILL);
    }
}

static struct options read_options(int argc, char **argv)
{
    struct options options = {.seconds = 8, .warm = 2, .rows = 40, .cols = 120, .keys = "q"};
    bool good = true;

    for (int c; (c = getopt(argc, argv, "+s:w:g:k:")) != -1;)
        switch (c) {
        case 's':
            options.seconds = strtod(optarg, NULL);
            break;
        case 'w':
            options.warm = strtod(optarg, NULL);
            break;
        case 'g':
            good = good && sscanf(optarg, "%hux%hu", &options.cols, &options.rows) == 2;
            break;
        case 'k':
            options.keys = optarg;
            break;
        default:
            good = false;
        }
    if (!good || optind >= argc) {
        fputs(usage, stderr);
        exit(2);
    }
    options.command = argv + optind;
    return options;
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv);
    struct cost cost = {.start = now_seconds()};
    struct rusage used;
    int fd;
    int status;
    pid_t pid = start(&options, &fd);

    watch(&options, fd, pid, &cost);
    if (pid < 0 || wait4(pid, &status, 0, &used) != pid) {
        perror("termcost");
        return 2;
    }
    double steady = cost.steady_to > cost.steady_from ? cost.steady_to - cost.steady_from : 0;
    printf("cpu_ms=%.2f bytes=%zu first_byte_ms=%.1f first_frame_ms=%.1f max_rss_kib=%ld exit=%d",
           (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
               (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3,
           cost.bytes, (cost.first_byte - cost.start) * 1e3, (cost.first_frame - cost.start) * 1e3,
           used.ru_maxrss, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
    if (steady > 0)
        printf(" steady_bytes_s=%.1f steady_cpu_ms_s=%.3f",
               (double)(cost.bytes_to - cost.bytes_from) / steady,
               (cost.cpu_to - cost.cpu_from) / steady * 1e3);
    putchar('\n');
    return 0;
}
