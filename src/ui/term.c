// SPDX-License-Identifier: Apache-2.0
// The terminal over ncurses, and nothing else of the program may talk to it: taken, shown, asked
// for keys, given back. What restores it on other ways out is in term_restore.c.
#include "ui/term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "base/xmem.h"
#include "ui/term_restore.h"

enum { ROWS_MAX = 1000, COLS_MAX = 2000 }; // an absurd size must not take all memory
enum { ESCAPE_DELAY_MS = 25 };

struct terminal {
    SCREEN *screen;
    FILE *in, *out;
    int in_fd;    // duplicate of the keys descriptor, owned by IN
    WINDOW *keys; // a pad: reading keys from it draws nothing
    struct canvas shown;
    attr_t attributes[ROLE_COUNT];
    short pairs[ROLE_COUNT];
    bool gone;
};

// newterm() puts handlers of its own on these; the program's loop has better ones.
static const int loop_signals[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
enum { LOOP_SIGNALS = sizeof loop_signals / sizeof loop_signals[0] };

static SCREEN *new_screen(FILE *out, FILE *in)
{
    struct sigaction old[LOOP_SIGNALS];

    for (size_t i = 0; i < LOOP_SIGNALS; i++)
        sigaction(loop_signals[i], NULL, &old[i]);
    struct winsize size = {0};
    const bool absurd = ioctl(fileno(out), TIOCGWINSZ, &size) == 0 &&
                        (size.ws_row > ROWS_MAX || size.ws_col > COLS_MAX);
    use_env(FALSE); // the size is the terminal's own, see term_measure()
    use_tioctl(!absurd);
    SCREEN *screen = newterm(NULL, out, in);
    for (size_t i = 0; i < LOOP_SIGNALS; i++)
        sigaction(loop_signals[i], &old[i], NULL);
    return screen;
}

static int trouble(char *error, size_t size, const char *what, const char *why)
{
    snprintf(error, size, "%s%s", what, why);
    return -1;
}

// newterm() may end the program on some unknown terminals, so look first.
static int check_terminal(int keys_fd, char *error, size_t size)
{
    const char *name = getenv("TERM");
    int status = 0;

    if (!isatty(STDOUT_FILENO))
        return trouble(error, size, "standard output is no terminal", "; use --once or --json");
    if (keys_fd < 0 || !isatty(keys_fd))
        return trouble(error, size, "no terminal to read keys from", "; use --once or --json");
    if (name == NULL || name[0] == '\0')
        return trouble(error, size, "TERM is not set",
                       "; set it, for example to xterm, or use --once");
    if (setupterm(name, STDOUT_FILENO, &status) != OK) {
        char line[128];
        snprintf(line, sizeof line, "terminal type '%.40s' is %s", name,
                 status == 0 ? "unknown or too simple" : "not found in the terminfo database");
        return trouble(error, size, line, "; set TERM, for example to xterm, or use --once");
    }
    const char *move = tigetstr("cup");
    del_curterm(cur_term);
    if (move == NULL || move == (const char *)-1) {
        snprintf(error, size,
                 "terminal type '%.40s' cannot move its cursor; set TERM or use --once", name);
        return -1;
    }
    return 0;
}

// What terminals send whatever TERM says: PuTTY's function keys, cursor keys of the normal mode.
static void define_more_keys(void)
{
    static const struct {
        const char *text;
        int key;
    } more[] = {
        {"\033[A", KEY_UP},     {"\033[B", KEY_DOWN},   {"\033[C", KEY_RIGHT},
        {"\033[D", KEY_LEFT},   {"\033OA", KEY_UP},     {"\033OB", KEY_DOWN},
        {"\033OC", KEY_RIGHT},  {"\033OD", KEY_LEFT},   {"\033[H", KEY_HOME},
        {"\033[F", KEY_END},    {"\033OH", KEY_HOME},   {"\033OF", KEY_END},
        {"\033[1~", KEY_HOME},  {"\033[4~", KEY_END},   {"\033[7~", KEY_HOME},
        {"\033[8~", KEY_END},   {"\033[5~", KEY_PPAGE}, {"\033[6~", KEY_NPAGE},
        {"\033[11~", KEY_F(1)}, {"\033[12~", KEY_F(2)}, {"\033[13~", KEY_F(3)},
        {"\033[14~", KEY_F(4)}, {"\033OP", KEY_F(1)},   {"\033OQ", KEY_F(2)},
        {"\033OR", KEY_F(3)},   {"\033OS", KEY_F(4)},   {"\033[[A", KEY_F(1)},
        {"\033[[B", KEY_F(2)},  {"\033[[C", KEY_F(3)},  {"\033[[D", KEY_F(4)},
        {"\033[15~", KEY_F(5)}, {"\033[17~", KEY_F(6)}, {"\033[18~", KEY_F(7)},
        {"\033[19~", KEY_F(8)}, {"\033[20~", KEY_F(9)}, {"\033[21~", KEY_F(10)},
    };

    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        if (key_defined(more[i].text) == 0)
            define_key(more[i].text, more[i].key);
    }
}

static void set_modes(struct terminal *term)
{
    cbreak();
    noecho();
    nonl();
    curs_set(0);
    set_escdelay(ESCAPE_DELAY_MS);
    // Cells are put into what is to be on the screen: a window in between would hold all of them
    // once more, 28 bytes each.
    wresize(stdscr, 1, 1);
    leaveok(newscr, TRUE);
    scrollok(newscr, FALSE);
    term->keys = newpad(1, 1);
    if (term->keys != NULL) {
        keypad(term->keys, TRUE);
        nodelay(term->keys, TRUE);
        define_more_keys();
    }
}

// Ctrl-Z shall be a key, so that the terminal is given back before the program stops.
static void keep_suspend_key(int fd)
{
    struct termios settings;

    if (tcgetattr(fd, &settings) != 0)
        return;
    settings.c_cc[VSUSP] = _POSIX_VDISABLE;
#ifdef VDSUSP
    settings.c_cc[VDSUSP] = _POSIX_VDISABLE;
#endif
    tcsetattr(fd, TCSANOW, &settings);
    def_prog_mode();
}

struct terminal *term_open(int keys_fd, char *error, size_t size)
{
    struct termios settings;

    if (check_terminal(keys_fd, error, size) != 0)
        return NULL;
    const bool known = tcgetattr(keys_fd, &settings) == 0;
    struct terminal *term = xcalloc(1, sizeof *term);
    term->in_fd = fcntl(keys_fd, F_DUPFD_CLOEXEC, 3);
    const int out_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    term->in = term->in_fd >= 0 ? fdopen(term->in_fd, "r") : NULL;
    term->out = out_fd >= 0 ? fdopen(out_fd, "w") : NULL;
    term->screen = term->in != NULL && term->out != NULL ? new_screen(term->out, term->in) : NULL;
    if (term->screen == NULL) {
        trouble(error, size, "the terminal cannot be used", "");
        term_close(term);
        return NULL;
    }
    term_restore_prepare(term->in_fd, out_fd, known ? &settings : NULL);
    set_modes(term);
    keep_suspend_key(term->in_fd);
    term_measure(term);
    return term;
}

// endwin() writes what the restorer would: once is enough, as the title's stack is popped
// too. But for the cursor: some terminals keep with the main screen whether it was hidden, and hide
// it again when that comes back.
static void give_back(const struct terminal *term)
{
    if (!term->gone) {
        endwin();
        if (cursor_normal != NULL)
            fputs(cursor_normal, term->out);
        fflush(term->out);
    }
    term_restore_given_back();
}

void term_close(struct terminal *term)
{
    if (term == NULL)
        return;
    if (term->screen != NULL) {
        if (term->keys != NULL)
            delwin(term->keys);
        give_back(term);
        delscreen(term->screen);
    }
    if (term->in != NULL)
        fclose(term->in);
    if (term->out != NULL)
        fclose(term->out);
    canvas_free(&term->shown);
    free(term);
}

static int number_in_environment(const char *name, int otherwise)
{
    const char *text = getenv(name);
    const long value = text != NULL ? strtol(text, NULL, 10) : 0;

    return value > 0 && value < 10000 ? (int)value : otherwise;
}

bool term_measure(struct terminal *term)
{
    struct winsize size = {0};

    if (ioctl(fileno(term->out), TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) {
        size.ws_row = (unsigned short)number_in_environment("LINES", 24);
        size.ws_col = (unsigned short)number_in_environment("COLUMNS", 80);
    }
    if (size.ws_row > ROWS_MAX)
        size.ws_row = ROWS_MAX;
    if (size.ws_col > COLS_MAX)
        size.ws_col = COLS_MAX;
    if (term->shown.rows == size.ws_row && term->shown.cols == size.ws_col)
        return false;
    resizeterm(size.ws_row, size.ws_col);
    canvas_resize(&term->shown, size.ws_row, size.ws_col);
    term_redraw(term);
    return true;
}

int term_rows(const struct terminal *term)
{
    return term->shown.rows;
}

int term_cols(const struct terminal *term)
{
    return term->shown.cols;
}

int term_colors(const struct terminal *term)
{
    (void)term;
    return tigetnum("colors");
}

static attr_t curses_attributes(unsigned style)
{
    attr_t attributes = A_NORMAL;

    if (style & STYLE_BOLD)
        attributes |= A_BOLD;
    if (style & STYLE_DIM)
        attributes |= A_DIM;
    if (style & STYLE_REVERSE)
        attributes |= A_REVERSE;
    if (style & STYLE_UNDERLINE)
        attributes |= A_UNDERLINE;
    return attributes;
}

void term_style(struct terminal *term, const struct style *styles, bool colors)
{
    if (colors && start_color() == OK)
        use_default_colors();
    for (int role = 0; role < ROLE_COUNT; role++) {
        const struct style *style = &styles[role];
        const bool plain = style->foreground == COLOR_DEFAULT && style->background == COLOR_DEFAULT;
        term->attributes[role] = curses_attributes(style->attributes);
        term->pairs[role] = 0;
        if (!colors || plain)
            continue;
        term->pairs[role] = (short)(role + 1);
        init_pair((short)(role + 1), style->foreground, style->background);
    }
    term_redraw(term);
}

static void show_cell(const struct terminal *term, int y, int x, const struct cell *cell)
{
    wchar_t text[CELL_MARKS + 2];
    cchar_t out;
    int length = 0;

    if (cell->ch == 0)
        return;
    text[length++] = (wchar_t)cell->ch;
    for (int i = 0; i < CELL_MARKS && cell->mark[i] != 0; i++)
        text[length++] = (wchar_t)cell->mark[i];
    text[length] = L'\0';
    if (setcchar(&out, text, term->attributes[cell->role], term->pairs[cell->role], NULL) == OK)
        mvwadd_wch(newscr, y, x, &out);
}

// Wide characters are written as a whole, so their right half counts with the left one.
static bool differs(const struct cell *now, const struct cell *was, int x, int cols)
{
    if (memcmp(&now[x], &was[x], sizeof now[x]) != 0)
        return true;
    return x + 1 < cols && now[x + 1].ch == 0 &&
           memcmp(&now[x + 1], &was[x + 1], sizeof now[x]) != 0;
}

void term_show(struct terminal *term, const struct canvas *canvas)
{
    const int cols = canvas->cols;
    bool any = false;

    if (canvas->rows != term->shown.rows || cols != term->shown.cols || term->gone)
        return;
    for (int y = 0; y < canvas->rows; y++) {
        const struct cell *now = &canvas->cells[(size_t)y * (size_t)cols];
        struct cell *was = &term->shown.cells[(size_t)y * (size_t)cols];
        if (memcmp(now, was, (size_t)cols * sizeof *now) == 0)
            continue;
        any = true;
        for (int x = 0; x < cols; x++) {
            if (differs(now, was, x, cols))
                show_cell(term, y, x, &now[x]);
        }
        memcpy(was, now, (size_t)cols * sizeof *now);
    }
    if (any)
        doupdate();
}

void term_redraw(struct terminal *term)
{
    const size_t count = (size_t)term->shown.rows * (size_t)term->shown.cols;

    for (size_t i = 0; i < count; i++)
        term->shown.cells[i] = (struct cell){.ch = 0xfffd, .role = ROLE_COUNT};
    clearok(curscr, TRUE);
}

static const struct {
    int curses, key;
} special_keys[] = {
    {KEY_PPAGE, KEY_PAGE_UP},    {KEY_NPAGE, KEY_PAGE_DOWN},
    {KEY_HOME, KEY_TOP},         {KEY_END, KEY_BOTTOM},
    {KEY_BACKSPACE, KEY_ERASE},  {KEY_DC, KEY_DEL},
    {KEY_BTAB, KEY_BACKTAB},     {KEY_ENTER, KEY_RETURN},
    {KEY_LEFT, KEY_CURSOR_LEFT}, {KEY_RIGHT, KEY_CURSOR_RIGHT},
    {KEY_UP, KEY_CURSOR_UP},     {KEY_DOWN, KEY_CURSOR_DOWN},
    {KEY_A1, KEY_TOP},           {KEY_A3, KEY_PAGE_UP},
    {KEY_C1, KEY_BOTTOM},        {KEY_C3, KEY_PAGE_DOWN},
    {KEY_SF, KEY_CURSOR_DOWN},   {KEY_SR, KEY_CURSOR_UP},
};

static int translate(wint_t code, bool special)
{
    if (!special) {
        if (code == '\n' || code == '\r')
            return KEY_RETURN;
        return code == 127 || code == 8 ? KEY_ERASE : (int)code;
    }
    if (code > (wint_t)KEY_F0 && code <= (wint_t)KEY_F(24))
        return KEY_FN + (int)code - KEY_F0;
    for (size_t i = 0; i < sizeof special_keys / sizeof special_keys[0]; i++) {
        if ((wint_t)special_keys[i].curses == code)
            return special_keys[i].key;
    }
    return KEY_SPECIAL; // a key without meaning here
}

int term_key(struct terminal *term)
{
    struct pollfd fd = {.fd = term->in_fd, .events = POLLIN};
    wint_t code = 0;

    if (term->gone || term->keys == NULL)
        return KEY_HANGUP;
    const int ready = poll(&fd, 1, 0);
    if (ready > 0 && (fd.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) {
        term->gone = true;
        return KEY_HANGUP;
    }
    const int status = wget_wch(term->keys, &code);
    if (status != ERR)
        return translate(code, status == KEY_CODE_YES);
    // Something was ready and nothing could be read: the end of the file. Input that another poll()
    // no longer sees was half a character.
    if (ready > 0 && poll(&fd, 1, 0) > 0 && errno != EINTR) {
        int waiting = 0;
        if (ioctl(term->in_fd, FIONREAD, &waiting) != 0 || waiting == 0) {
            term->gone = true;
            return KEY_HANGUP;
        }
    }
    return KEY_NOTHING;
}

void term_suspend(struct terminal *term)
{
    give_back(term);
}

void term_resume(struct terminal *term)
{
    term_restore_taken();
    reset_prog_mode();
    if (!term_measure(term))
        term_redraw(term);
    doupdate();
    curs_set(0);
}
