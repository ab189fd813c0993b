// SPDX-License-Identifier: Apache-2.0
// The functions of libc that reach the stand-in driver: paths below /sys, /dev and /proc go to a
// tree of the test, its device nodes look like character devices, and what a monitor must not do
// with them is written down. Names and signatures are libc's.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "shim.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wmissing-declarations"

enum { FDS = 65536 };

// Device behind a descriptor: minor + 1, and 256 more when it is attached.
static uint16_t handles[FDS];
static int handle_count;

#define REAL(result, name, ...)         \
    static result (*real)(__VA_ARGS__); \
    if (real == NULL)                   \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

static const char *redirect(const char *path, char *buffer)
{
    const char *root = getenv("NEUTOP_SHIM_ROOT");
    if (root == NULL || path == NULL)
        return path;
    if (strncmp(path, "/sys/", 5) != 0 && strcmp(path, "/sys") != 0 && strcmp(path, "/dev") != 0 &&
        strcmp(path, "/dev/") != 0 && strncmp(path, "/dev/neuron", 11) != 0 &&
        strcmp(path, "/proc/devices") != 0 && strcmp(path, "/proc/modules") != 0)
        return path;
    snprintf(buffer, SHIM_PATH, "%s%s", root, path);
    return buffer;
}

static bool is_node(const struct stat *info)
{
    return S_ISREG(info->st_mode) && (info->st_mode & S_ISVTX) != 0 && info->st_size < SHIM_DEVICES;
}

// What stat says of a node.
static int disguise(int result, struct stat *info)
{
    if (result != 0 || !is_node(info))
        return result;
    info->st_rdev = makedev(SHIM_MAJOR, (unsigned)info->st_size);
    info->st_mode = S_IFCHR | (info->st_mode & 0777);
    info->st_size = 0;
    return result;
}

static bool is_below_sys(int fd)
{
    const char *root = getenv("NEUTOP_SHIM_ROOT");
    char link[64], path[SHIM_PATH], sys[SHIM_PATH];
    REAL(ssize_t, readlink, const char *, char *, size_t);
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t length = real(link, path, sizeof(path) - 1);
    if (root == NULL || length < 0)
        return false;
    path[length] = '\0';
    int root_length = snprintf(sys, sizeof(sys), "%s/sys/", root);
    return strncmp(path, sys, (size_t)root_length) == 0;
}

static int real_close(int fd)
{
    REAL(int, close, int);
    return real(fd);
}

static int real_fstat(int fd, struct stat *info)
{
    REAL(int, fstat, int, struct stat *);
    return real(fd, info);
}

static int refuse(int fd, int number)
{
    real_close(fd);
    errno = number;
    return -1;
}

// A device node was opened as FD.
static int open_device(int fd, int minor, int flags)
{
    bool quiet = (flags & O_ACCMODE) == O_WRONLY;
    int result = 0;
    if (!quiet && !shim_allows("attach"))
        shim_violation("device %d opened %s: that attaches", minor,
                       (flags & O_ACCMODE) == O_RDWR ? "O_RDWR" : "O_RDONLY");
    if ((flags & O_CLOEXEC) == 0)
        shim_violation("device %d opened without O_CLOEXEC", minor);
    if (fd >= FDS)
        shim_violation("descriptor %d of device %d cannot be watched", fd, minor);
    if (shim_fault("open", minor, &result) || (!quiet && shim_fault("attach", minor, &result)))
        return refuse(fd, result < 0 ? errno : EIO);
    if (fd < FDS) {
        handles[fd] = (uint16_t)(minor + 1 + (quiet ? 0 : 256));
        handle_count++;
    }
    shim_trace("open %d", minor);
    return fd;
}

static int opened(int fd, int flags)
{
    struct stat info;
    if (fd < 0 || real_fstat(fd, &info) != 0)
        return fd;
    if (is_node(&info))
        return open_device(fd, (int)info.st_size, flags);
    if ((flags & O_ACCMODE) != O_RDONLY && is_below_sys(fd)) {
        shim_violation("a file below /sys opened for writing");
        return refuse(fd, EACCES);
    }
    return fd;
}

// "devices" in an open /proc is /proc/devices.
static const char *in_proc(int dir, const char *path)
{
    char link[64], folder[16];
    REAL(ssize_t, readlink, const char *, char *, size_t);
    if (dir < 0 || strcmp(path, "devices") != 0)
        return path;
    snprintf(link, sizeof(link), "/proc/self/fd/%d", dir);
    ssize_t length = real(link, folder, sizeof(folder));
    return length == 5 && memcmp(folder, "/proc", 5) == 0 ? "/proc/devices" : path;
}

static int open_at(int dir, const char *path, int flags, mode_t mode)
{
    char buffer[SHIM_PATH];
    path = in_proc(dir, path);
    REAL(int, openat, int, const char *, int, ...);
    // nodes are plain files here: truncating or creating one would be seen by no driver
    return opened(real(dir, redirect(path, buffer), flags, mode), flags);
}

#define OPEN_MODE                               \
    mode_t mode = 0;                            \
    if ((flags & (O_CREAT | O_TMPFILE)) != 0) { \
        va_list args;                           \
        va_start(args, flags);                  \
        mode = va_arg(args, mode_t);            \
        va_end(args);                           \
    }

int open(const char *path, int flags, ...)
{
    OPEN_MODE
    return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    OPEN_MODE
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int dir, const char *path, int flags, ...)
{
    OPEN_MODE
    return open_at(dir, path, flags, mode);
}

int openat64(int dir, const char *path, int flags, ...)
{
    OPEN_MODE
    return open_at(dir, path, flags, mode);
}

int __open_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0);
}

int __open64_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0);
}

int __openat_2(int dir, const char *path, int flags)
{
    return open_at(dir, path, flags, 0);
}

int __openat64_2(int dir, const char *path, int flags)
{
    return open_at(dir, path, flags, 0);
}

int creat(const char *path, mode_t mode)
{
    return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

static FILE *opened_stream(FILE *file, const char *mode)
{
    int flags = strchr(mode, '+') != NULL ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    flags |= strchr(mode, 'e') != NULL ? O_CLOEXEC : 0;
    if (file != NULL && opened(fileno(file), flags) < 0)
        return NULL; // the stream is lost with its descriptor
    return file;
}

FILE *fopen(const char *path, const char *mode)
{
    char buffer[SHIM_PATH];
    REAL(FILE *, fopen, const char *, const char *);
    return opened_stream(real(redirect(path, buffer), mode), mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    return fopen(path, mode);
}

DIR *opendir(const char *path)
{
    char buffer[SHIM_PATH];
    REAL(DIR *, opendir, const char *);
    return real(redirect(path, buffer));
}

// A node's type is not what the directory says.
struct dirent *readdir(DIR *dir)
{
    REAL(struct dirent *, readdir, DIR *);
    struct dirent *entry = real(dir);
    if (entry != NULL && entry->d_type == DT_REG)
        entry->d_type = DT_UNKNOWN;
    return entry;
}

struct dirent64 *readdir64(DIR *dir)
{
    REAL(struct dirent64 *, readdir64, DIR *);
    struct dirent64 *entry = real(dir);
    if (entry != NULL && entry->d_type == DT_REG)
        entry->d_type = DT_UNKNOWN;
    return entry;
}

int fstatat(int dir, const char *path, struct stat *info, int flags)
{
    char buffer[SHIM_PATH];
    REAL(int, fstatat, int, const char *, struct stat *, int);
    return disguise(real(dir, redirect(path, buffer), info, flags), info);
}

int stat(const char *path, struct stat *info)
{
    return fstatat(AT_FDCWD, path, info, 0);
}

int lstat(const char *path, struct stat *info)
{
    return fstatat(AT_FDCWD, path, info, AT_SYMLINK_NOFOLLOW);
}

int fstat(int fd, struct stat *info)
{
    return disguise(real_fstat(fd, info), info);
}

// The same structure on 64-bit hosts, the only ones that the driver has.
int fstatat64(int dir, const char *path, struct stat64 *info, int flags)
{
    return fstatat(dir, path, (struct stat *)info, flags);
}

int stat64(const char *path, struct stat64 *info)
{
    return stat(path, (struct stat *)info);
}

int lstat64(const char *path, struct stat64 *info)
{
    return lstat(path, (struct stat *)info);
}

int fstat64(int fd, struct stat64 *info)
{
    return fstat(fd, (struct stat *)info);
}

int statx(int dir, const char *path, int flags, unsigned mask, struct statx *info)
{
    char buffer[SHIM_PATH];
    struct stat plain;
    REAL(int, statx, int, const char *, int, unsigned, struct statx *);
    int result = real(dir, redirect(path, buffer), flags, mask, info);
    if (result == 0 && fstatat(dir, path, &plain, flags) == 0 && S_ISCHR(plain.st_mode)) {
        info->stx_mode = (uint16_t)plain.st_mode;
        info->stx_rdev_major = major(plain.st_rdev);
        info->stx_rdev_minor = minor(plain.st_rdev);
    }
    return result;
}

int access(const char *path, int mode)
{
    char buffer[SHIM_PATH];
    REAL(int, access, const char *, int);
    return real(redirect(path, buffer), mode);
}

ssize_t readlink(const char *path, char *target, size_t size)
{
    char buffer[SHIM_PATH];
    REAL(ssize_t, readlink, const char *, char *, size_t);
    return real(redirect(path, buffer), target, size);
}

static int handle_of(int fd)
{
    return fd >= 0 && fd < FDS ? handles[fd] : 0;
}

static int minor_of(int fd)
{
    return handle_of(fd) % 256 - 1;
}

int ioctl(int fd, unsigned long call, ...)
{
    va_list args;
    va_start(args, call);
    void *argument = va_arg(args, void *);
    va_end(args);
    if (handle_of(fd) != 0)
        return shim_ioctl(minor_of(fd), handle_of(fd) < 256, call, argument);
    REAL(int, ioctl, int, unsigned long, ...);
    return real(fd, call, argument);
}

int close(int fd)
{
    if (handle_of(fd) != 0) {
        shim_trace("close %d", minor_of(fd));
        shim_marks_end(minor_of(fd));
        handles[fd] = 0;
        handle_count--;
    }
    return real_close(fd);
}

// Copies of a handle are not neutral: closing one runs the driver's close path (driver reference
// 11.3).
static void copies(int fd, const char *how)
{
    if (handle_of(fd) != 0)
        shim_violation("handle of device %d copied by %s", minor_of(fd), how);
}

int dup(int fd)
{
    REAL(int, dup, int);
    copies(fd, "dup");
    return real(fd);
}

int dup2(int fd, int to)
{
    REAL(int, dup2, int, int);
    copies(fd, "dup2");
    return real(fd, to);
}

int dup3(int fd, int to, int flags)
{
    REAL(int, dup3, int, int, int);
    copies(fd, "dup3");
    return real(fd, to, flags);
}

int fcntl(int fd, int command, ...)
{
    va_list args;
    va_start(args, command);
    void *argument = va_arg(args, void *);
    va_end(args);
    REAL(int, fcntl, int, int, ...);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        copies(fd, "fcntl");
    return real(fd, command, argument);
}

int fcntl64(int fd, int command, ...)
{
    va_list args;
    va_start(args, command);
    void *argument = va_arg(args, void *);
    va_end(args);
    return fcntl(fd, command, argument);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    REAL(void *, mmap, void *, size_t, int, int, int, off_t);
    if ((flags & MAP_ANONYMOUS) == 0)
        copies(fd, "mmap");
    return real(at, size, protection, flags, fd, offset);
}

// Nothing may be open when the program waits, forks, or ends.
static void nothing_open(const char *now)
{
    for (int fd = 0; handle_count > 0 && fd < FDS; fd++)
        if (handles[fd] != 0 && !(handles[fd] > 256 && shim_allows("attach")))
            shim_violation("device %d is open at %s", minor_of(fd), now);
}

__attribute__((destructor)) static void at_exit(void)
{
    nothing_open("exit");
}

pid_t fork(void)
{
    REAL(pid_t, fork, void);
    nothing_open("fork");
    return real();
}

pid_t vfork(void)
{
    nothing_open("vfork");
    return fork();
}

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const argv[], char *const environment[])
{
    REAL(int, posix_spawn, pid_t *, const char *, const posix_spawn_file_actions_t *,
         const posix_spawnattr_t *, char *const *, char *const *);
    nothing_open("posix_spawn");
    return real(pid, path, actions, attributes, argv, environment);
}

int posix_spawnp(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const environment[])
{
    REAL(int, posix_spawnp, pid_t *, const char *, const posix_spawn_file_actions_t *,
         const posix_spawnattr_t *, char *const *, char *const *);
    nothing_open("posix_spawnp");
    return real(pid, path, actions, attributes, argv, environment);
}

int execve(const char *path, char *const argv[], char *const environment[])
{
    REAL(int, execve, const char *, char *const *, char *const *);
    nothing_open("execve");
    return real(path, argv, environment);
}

FILE *popen(const char *command, const char *mode)
{
    REAL(FILE *, popen, const char *, const char *);
    nothing_open("popen");
    return real(command, mode);
}

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
    REAL(int, poll, struct pollfd *, nfds_t, int);
    nothing_open("poll");
    return real(fds, count, timeout);
}

int __poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t size)
{
    (void)size;
    return poll(fds, count, timeout);
}

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
    REAL(int, ppoll, struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
    nothing_open("ppoll");
    return real(fds, count, timeout, mask);
}

int select(int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout)
{
    REAL(int, select, int, fd_set *, fd_set *, fd_set *, struct timeval *);
    nothing_open("select");
    return real(count, in, out, other, timeout);
}

int nanosleep(const struct timespec *wait, struct timespec *left)
{
    REAL(int, nanosleep, const struct timespec *, struct timespec *);
    nothing_open("nanosleep");
    return real(wait, left);
}
