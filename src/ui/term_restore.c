// SPDX-License-Identifier: Apache-2.0
// Gives the terminal back on the ways out that do not pass term_close(). What must work in a signal
// handler or in atexit() is prepared when the terminal is taken: a fixed string and the old
// settings.
#include "ui/term_restore.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

enum { ALTERNATE_STACK = 65536, RESTORE_PATIENCE_MS = 200 };

// What the restorer needs. The only globals: a signal handler has no argument.
static struct {
    volatile sig_atomic_t taken;
    int in_fd, out_fd;
    struct termios settings;
    bool settings_known;
    char text[128];
    size_t length;
    char stack[ALTERNATE_STACK];
} restore;

static void restore_settings(void)
{
    if (restore.settings_known)
        tcsetattr(restore.in_fd, TCSANOW, &restore.settings);
}

// Writes the restore string, but waits only a moment for a terminal that takes nothing.
static void restore_text(void)
{
    struct pollfd room = {.fd = restore.out_fd, .events = POLLOUT};
    const int flags = fcntl(restore.out_fd, F_GETFL);

    fcntl(restore.out_fd, F_SETFL, flags | O_NONBLOCK);
    for (size_t done = 0; done < restore.length;) {
        const ssize_t n = write(restore.out_fd, restore.text + done, restore.length - done);
        if (n > 0)
            done += (size_t)n;
        else if (errno != EAGAIN || poll(&room, 1, RESTORE_PATIENCE_MS) <= 0)
            break;
    }
    fcntl(restore.out_fd, F_SETFL, flags); // other programs share them
}

// For the ways out that do not pass endwin(). Async-signal-safe, and harmless when called twice.
static void restore_terminal(void)
{
    if (!restore.taken)
        return;
    restore.taken = 0;
    restore_text();
    restore_settings();
}

static void on_fatal(int number)
{
    restore_terminal();
    signal(number, SIG_DFL);
    raise(number);
}

static void add_capability(const char *name)
{
    const char *text = tigetstr(name);

    if (text == NULL || text == (const char *)-1)
        return;
    for (; *text != '\0' && restore.length + 1 < sizeof restore.text; text++) {
        if (text[0] == '$' && text[1] == '<') { // padding, of no use to terminals of today
            const char *end = strchr(text, '>');
            if (end != NULL) {
                text = end;
                continue;
            }
        }
        restore.text[restore.length++] = *text;
    }
}

// What ends a program by default. Those that the loop reads from a descriptor come here only while
// it lets them through: in the middle of a write that the terminal does not take.
static const int fatal_signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE,  SIGILL,  SIGQUIT, SIGTRAP,
                                    SIGINT,  SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM};
enum { FATAL_SIGNALS = sizeof fatal_signals / sizeof fatal_signals[0] };

static void catch_fatal_signals(void)
{
    const stack_t stack = {.ss_sp = restore.stack, .ss_size = sizeof restore.stack};
    struct sigaction action = {.sa_handler = on_fatal,
                               .sa_flags = (int)((unsigned)SA_RESETHAND | SA_NODEFER | SA_ONSTACK)};

    sigaltstack(&stack, NULL);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < FATAL_SIGNALS; i++) {
        struct sigaction old;
        // A handler that is there already is a sanitizer's or a debugger's: it tells more.
        if (sigaction(fatal_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(fatal_signals[i], &action, NULL);
    }
}

void term_restore_prepare(int in_fd, int out_fd, const struct termios *settings)
{
    static const char *const capabilities[] = {"sgr0", "rmkx", "rmcup", "cnorm"};

    restore.in_fd = in_fd;
    restore.out_fd = out_fd;
    restore.settings_known = settings != NULL;
    if (settings != NULL)
        restore.settings = *settings;
    restore.length = 0;
    for (size_t i = 0; i < sizeof capabilities / sizeof capabilities[0]; i++)
        add_capability(capabilities[i]);
    restore.taken = 1;
    catch_fatal_signals();
    static bool registered;
    if (!registered)
        registered = atexit(restore_terminal) == 0;
}

void term_restore_given_back(void)
{
    restore.taken = 0;
    restore_settings();
}

void term_restore_taken(void)
{
    restore.taken = 1;
}
