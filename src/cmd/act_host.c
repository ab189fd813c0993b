// SPDX-License-Identifier: Apache-2.0
// What signals need of the kernel: pidfds, and /proc/PID of the process that one is of.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/text.h"
#include "cmd/act.h"
#include "source/proc_text.h"

enum { FILE_TEXT = 16384, FILES_MOST = 4096 };

// linux/proc_ns.h: PROC_PID_INIT_INO, the same on every kernel since 3.8.
static const ino_t FIRST_NAMESPACE = 0xEFFFFFFC;

// glibc has these from 2.36 on only.
static int open_process(int pid)
{
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, (long)pid, 0L);
#else
    (void)pid;
    errno = ENOSYS;
    return -1;
#endif
}

static int send_signal(int handle, int number)
{
#ifdef SYS_pidfd_send_signal
    return (int)syscall(SYS_pidfd_send_signal, (long)handle, (long)number, NULL, 0L);
#else
    (void)handle;
    (void)number;
    errno = ENOSYS;
    return -1;
#endif
}

static bool has_ended(int handle)
{
    struct pollfd one = {.fd = handle, .events = POLLIN};
    return poll(&one, 1, 0) == 1 && one.revents != 0;
}

// Seconds of CLOCK.
static double clock_seconds(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void close_handle(int handle)
{
    close(handle);
}

static size_t slurp(int dir, const char *name, char *text)
{
    size_t used = 0;
    ssize_t got;
    int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return 0;
    while (used < FILE_TEXT && (got = read(fd, text + used, FILE_TEXT - used)) > 0)
        used += (size_t)got;
    close(fd);
    return used;
}

static void read_user(int dir, char *text, char *user, size_t size)
{
    struct proc_status status = {0};
    struct passwd entry, *found = NULL;
    size_t length = slurp(dir, "status", text);
    proc_parse_status(text, length, &status);
    if (!status.uid_known) {
        snprintf(user, size, "?");
        return;
    }
    snprintf(user, size, "%u", status.uid);
    if (getpwuid_r(status.uid, &entry, text, FILE_TEXT, &found) == 0 && found != NULL)
        text_clean_to(user, size, entry.pw_name, strlen(entry.pw_name));
}

static bool maps_neuron(int dir, char *text)
{
    size_t used = 0;
    ssize_t got;
    bool found = false;
    int fd = openat(dir, "maps", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    while (fd >= 0 && !found && (got = read(fd, text + used, FILE_TEXT - used)) > 0) {
        struct proc_mapping mapping;
        struct piece rest = {text, used + (size_t)got}, line;
        while (!found && memchr(rest.start, '\n', rest.length) != NULL &&
               piece_next(&rest, '\n', &line))
            found = proc_parse_mapping(line.start, line.length, &mapping);
        used = rest.length < FILE_TEXT ? rest.length : 0;
        memmove(text, rest.start, used);
    }
    if (fd >= 0)
        close(fd);
    return found;
}

// By the text of the links: nothing is followed, so no dead mount can hold us up.
static bool opens_neuron(int dir)
{
    char name[32], path[64];
    for (int fd = 0; fd < FILES_MOST; fd++) {
        snprintf(name, sizeof(name), "fd/%d", fd);
        ssize_t length = readlinkat(dir, name, path, sizeof(path));
        if (length > 0 && proc_parse_node(path, (size_t)length) >= 0)
            return true;
    }
    return false;
}

static bool read_process(int pid, bool neuron, struct act_facts *facts)
{
    char name[32], text[FILE_TEXT];
    memset(facts, 0, sizeof(*facts));
    snprintf(name, sizeof(name), "/proc/%d", pid);
    int dir = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0)
        return false;
    size_t length = slurp(dir, "stat", text);
    bool here = length > 0 && proc_parse_stat(text, length, &facts->stat);
    if (here) {
        length = slurp(dir, "cmdline", text);
        if (length == 0)
            length = slurp(dir, "comm", text);
        if (length > 0 && text[length - 1] == '\n')
            length--;
        proc_clean_command(text, length, facts->command, sizeof(facts->command));
        read_user(dir, text, facts->user, sizeof(facts->user));
        facts->neuron = neuron && (maps_neuron(dir, text) || opens_neuron(dir));
    }
    close(dir);
    return here;
}

static bool is_own_proc(void)
{
    char text[32];
    ssize_t length = readlink("/proc/self", text, sizeof(text) - 1);
    if (length <= 0)
        return false;
    text[length] = '\0';
    return strtol(text, NULL, 10) == (long)getpid();
}

struct act_host act_this_host(void)
{
    struct stat info;
    return (struct act_host){
        .open = open_process,
        .send = send_signal,
        .ended = has_ended,
        .read = read_process,
        .clock = clock_seconds,
        .close = close_handle,
        .first_namespace = stat("/proc/self/ns/pid", &info) == 0 && info.st_ino == FIRST_NAMESPACE,
        .own_proc = is_own_proc(),
        .self = (int)getpid(),
    };
}
