// SPDX-License-Identifier: Apache-2.0
// Signals from the screen, to real processes: a neuron-monitor played by a script reports children
// of this test as holders of cores. With the stand-in driver the reader of /proc is there too, and
// finds their launcher.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plain_run.h"
#include "term_host.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

enum { WORKERS = 32, CAST = 2 * WORKERS, LIFE_SECONDS = 90 };

// What a child does, by $NEUTOP_TEST_ROLE; its name and arguments are for others to read.

static void say(int fd, pid_t pid)
{
    if (write(fd, &pid, sizeof pid) != (ssize_t)sizeof pid)
        _exit(2);
}

static void become(const char *role, int fd, const char *const *argv)
{
    char text[16];
    snprintf(text, sizeof text, "%d", fd);
    fcntl(fd, F_SETFD, 0);
    setenv("NEUTOP_TEST_ROLE", role, 1);
    setenv("NEUTOP_TEST_FD", text, 1);
    execv("/proc/self/exe", (char *const *)(uintptr_t)argv);
    _exit(127);
}

// As torchrun: a worker that ends is started again, and says so.
static void play_launcher(int fd)
{
    signal(SIGCHLD, SIG_DFL);
    for (int started = 0;; started++) {
        if (started >= WORKERS && waitpid(-1, NULL, 0) < 0)
            _exit(0);
        if (fork() == 0)
            become("worker", fd, ARGS("python3", "-u", "train.py", "--rank"));
    }
}

static void play(const char *role)
{
    const int fd = atoi(getenv("NEUTOP_TEST_FD"));
    alarm(LIFE_SECONDS); // when the test is gone
    if (strcmp(role, "deaf") == 0)
        signal(SIGTERM, SIG_IGN);
    say(fd, getpid());
    if (strcmp(role, "launcher") == 0)
        play_launcher(fd);
    for (;;)
        pause();
}

struct stage {
    char folder[64];
    char path[5000], root[128], shim[5000], log[128];
    const char *env[8];
    int gate[2];
    pid_t cast[CAST];
    unsigned count;
};

static char *place(const struct stage *stage, const char *name)
{
    static char path[2][160];
    static unsigned turn;
    char *buffer = path[turn++ % 2];
    snprintf(buffer, sizeof path[0], "%s/%s", stage->folder, name);
    return buffer;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void use_shim(struct stage *stage)
{
    const char *build = getenv("NEUTOP_BUILDDIR");
    char library[4096];
    snprintf(library, sizeof library, "%s/tests/shim/neutop_shim.so", build != NULL ? build : ".");
    assert_int_equal(access(library, R_OK), 0);
    snprintf(stage->shim, sizeof stage->shim, "LD_PRELOAD=%s", library);
    snprintf(stage->root, sizeof stage->root, "NEUTOP_SHIM_ROOT=%s", stage->folder);
    snprintf(stage->log, sizeof stage->log, "NEUTOP_SHIM_LOG=%s/violations", stage->folder);
    assert_int_equal(mkdir(place(stage, "sys"), 0700), 0);
    assert_int_equal(mkdir(place(stage, "dev"), 0700), 0);
    assert_int_equal(mkdir(place(stage, "proc"), 0700), 0);
    write_file(place(stage, "proc/devices"), "Character devices:\n246 neuron\n\nBlock devices:\n");
    stage->env[1] = stage->shim;
    stage->env[2] = stage->root;
    stage->env[3] = stage->log;
    stage->env[4] = "ASAN_OPTIONS=verify_asan_link_order=0";
}

static void stage_open(struct stage *stage, bool proc)
{
    *stage = (struct stage){.folder = "/tmp/neutop-act-XXXXXX"};
    assert_non_null(mkdtemp(stage->folder));
    char script[256];
    snprintf(script, sizeof script,
             "#!/bin/sh\ncd '%s' || exit\nwhile :; do cat report; sleep 0.1; done\n",
             stage->folder);
    write_file(place(stage, "neuron-monitor"), script);
    assert_int_equal(chmod(place(stage, "neuron-monitor"), 0755), 0);
    snprintf(stage->path, sizeof stage->path, "PATH=%s:%s", stage->folder, getenv("PATH"));
    stage->env[0] = stage->path;
    if (proc)
        use_shim(stage);
    assert_int_equal(pipe2(stage->gate, O_CLOEXEC), 0);
}

static pid_t next_pid(struct stage *stage)
{
    pid_t pid;
    assert_int_equal(read(stage->gate[0], &pid, sizeof pid), sizeof pid);
    assert_true(stage->count < CAST);
    stage->cast[stage->count++] = pid;
    return pid;
}

static pid_t start(struct stage *stage, const char *role, const char *const *argv)
{
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        become(role, stage->gate[1], argv);
    assert_int_equal(next_pid(stage), pid);
    return pid;
}

// True once PID has ended within MS; reaps it when it is our own child.
static bool ends(struct term *term, pid_t pid, int ms)
{
    for (; ms > 0; ms -= 20) {
        if (waitpid(pid, NULL, WNOHANG) == pid || (kill(pid, 0) != 0 && errno == ESRCH))
            return true;
        if (term != NULL)
            term_pump(term, 20);
        usleep(20000);
    }
    return false;
}

static bool lives(pid_t pid)
{
    return kill(pid, 0) == 0 && waitpid(pid, NULL, WNOHANG) == 0;
}

static void stage_close(struct stage *stage)
{
    struct plain_result result;
    close(stage->gate[0]);
    close(stage->gate[1]);
    for (unsigned i = 0; i < stage->count; i++) {
        if (kill(stage->cast[i], SIGKILL) == 0)
            waitpid(stage->cast[i], NULL, 0);
    }
    if (stage->env[3] != NULL) {
        result = plain_run(NULL, ARGS("cat", place(stage, "violations")));
        assert_string_equal(result.out, "");
        plain_free(&result);
    }
    result = plain_run(NULL, ARGS("rm", "-rf", stage->folder));
    plain_free(&result);
}

// From now on the monitor reports PIDS, each with a core of its own and 1 GiB on it.
static void report(const struct stage *stage, const pid_t *pids, unsigned count)
{
    FILE *file = fopen(place(stage, "report.new"), "w");
    assert_non_null(file);
    fputs("{\"neuron_runtime_data\":[", file);
    for (unsigned i = 0; i < count; i++)
        fprintf(file,
                "%s{\"pid\":%d,\"neuron_runtime_tag\":\"%d\",\"error\":\"\",\"report\":{"
                "\"memory_used\":{\"period\":1,\"neuron_runtime_used_bytes\":{\"host\":0,"
                "\"neuron_device\":1073741824,\"usage_breakdown\":{\"host\":{},"
                "\"neuroncore_memory_usage\":{\"%u\":{\"constants\":0,\"model_code\":0,"
                "\"model_shared_scratchpad\":0,\"runtime_memory\":0,\"tensors\":1073741824}}}},"
                "\"error\":\"\"},\"neuroncore_counters\":{\"period\":1,\"neuroncores_in_use\":{"
                "\"%u\":{\"neuroncore_utilization\":50}},\"error\":\"\"}}}",
                i > 0 ? "," : "", (int)pids[i], (int)pids[i], i, i);
    fputs("],\"system_data\":{},\"instance_info\":{\"instance_type\":\"trn1.32xlarge\",\"error\":"
          "\"\"},\"neuron_hardware_info\":{\"neuron_device_count\":16,"
          "\"neuroncore_per_device_count\":2,\"error\":\"\"}}\n",
          file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(rename(place(stage, "report.new"), place(stage, "report")), 0);
}

static struct term *watch(const struct stage *stage, const char *extra)
{
    const struct term_options options = {.rows = 40, .cols = 180, .env = stage->env};
    const char *sources = stage->env[1] != NULL ? "monitor,proc" : "monitor";
    struct term *term =
        term_start(&options, ARGS(neutop_path(), "--no-config", "-d", "0.2", "-S", sources, extra));
    expect_text(term, "trn1.32xlarge");
    expect_text(term, "live");
    return term;
}

static void press(struct term *term, const char *keys)
{
    term_send(term, keys);
    term_wait_bytes(term, 1, 500);
    term_wait_quiet(term, 60, 300);
}

static const char *pid_text(pid_t pid)
{
    static char text[4][24];
    static unsigned turn;
    char *buffer = text[turn++ % 4];
    snprintf(buffer, sizeof text[0], "%d", (int)pid);
    return buffer;
}

// A stage with one process that serves: the cast of most tests.
static pid_t serve(struct stage *stage)
{
    stage_open(stage, false);
    return start(stage, "plain", ARGS("python3", "serve.py"));
}

// neutop shows PID, which the monitor reports as the one holder.
static struct term *watch_one(const struct stage *stage, pid_t pid, const char *extra)
{
    report(stage, &pid, 1);
    struct term *term = watch(stage, extra);
    expect_text(term, pid_text(pid));
    return term;
}

// neutop shows a launcher, whose PID is returned in *LAUNCHER, and its WORKERS.
static struct term *watch_job(struct stage *stage, pid_t *launcher, pid_t *workers)
{
    stage_open(stage, true);
    *launcher = start(stage, "launcher", ARGS("torchrun", "train.py"));
    for (int i = 0; i < WORKERS; i++)
        workers[i] = next_pid(stage);
    report(stage, workers, WORKERS);
    struct term *term = watch(stage, NULL);
    expect_text(term, "32 workers of PID");
    return term;
}

static void open_menu(struct term *term, const char *key)
{
    press(term, key);
    expect_text(term, "Signal to ");
}

// One process is on the screen, F9 and the menu are open.
static struct term *menu_for(const struct stage *stage, pid_t pid)
{
    struct term *term = watch_one(stage, pid, NULL);
    open_menu(term, KEY_F9);
    expect_text(term, "SIGTERM");
    return term;
}

// From the menu, whose first line is SIGTERM, to the question.
static void choose_sigterm(struct term *term)
{
    press(term, KEY_ENTER);
    expect_text(term, "Send SIGTERM to");
}

static void leave(struct term *term)
{
    term_send(term, KEY_F10);
    expect_exit(term, 0);
    term_free(term);
}

static void finish(struct term *term, struct stage *stage)
{
    leave(term);
    stage_close(stage);
}

static int row_of(struct term *term, const char *text)
{
    const int row = term_find(term, text);
    expect_that(term, row >= 0);
    return row;
}

static void asks_twice_and_tells_what_happened(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, false);
    const pid_t pid = start(&stage, "plain", ARGS("python3", "serve.py", "--port", "8000"));
    struct term *term = menu_for(&stage, pid);

    expect_that(term, row_of(term, "SIGTERM") < row_of(term, "SIGINT"));
    expect_that(term, row_of(term, "SIGINT") < row_of(term, "SIGKILL"));
    choose_sigterm(term);
    const char *row = term_row(term, row_of(term, "python3 serve.py --port 8000"));
    expect_that(term, strstr(row, pid_text(pid)) != NULL);
    struct plain_result user = plain_run(NULL, ARGS("id", "-un"));
    user.out[strcspn(user.out, "\n")] = '\0';
    expect_that(term, strstr(row, user.out) != NULL);
    plain_free(&user);
    expect_text(term, "AGE");
    expect_text(term, "frees 1 core (NC 0) and 1GiB");
    assert_true(lives(pid));
    press(term, "y");
    assert_true(ends(term, pid, TERM_WAIT));
    report(&stage, NULL, 0);
    expect_text(term, "SIGTERM sent to");
    expect_text(term, "gone ");
    expect_text(term, "1 NC free");
    finish(term, &stage);
}

static void anything_but_y_cancels(void **state)
{
    (void)state;
    static const char *const others[] = {KEY_ENTER, KEY_ESC, "n", "Y", " ", KEY_F9};
    struct stage stage;
    const pid_t pid = serve(&stage);
    struct term *term = menu_for(&stage, pid);

    press(term, KEY_ESC); // out of the menu
    expect_gone(term, "Signal to ");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        open_menu(term, i % 2 == 0 ? "K" : KEY_F9);
        choose_sigterm(term);
        press(term, others[i]);
        expect_text(term, "no signal was sent");
        expect_gone(term, "Send SIGTERM to");
        assert_true(lives(pid));
    }
    leave(term);
    assert_true(lives(pid));
    stage_close(&stage);
}

// Keys that were typed ahead answer no question that nobody has seen.
static void a_burst_of_keys_sends_nothing(void **state)
{
    (void)state;
    struct stage stage;
    const pid_t pid = serve(&stage);
    struct term *term = watch_one(&stage, pid, NULL);

    term_send(term, "K" KEY_ENTER "yyyy");
    expect_text(term, "Send SIGTERM to");
    term_wait_exit(term, 500); // only reads
    assert_true(lives(pid));
    press(term, "y");
    assert_true(ends(term, pid, TERM_WAIT));
    finish(term, &stage);
}

static void one_that_ignores_sigterm_is_offered_sigkill(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, false);
    const pid_t pid = start(&stage, "deaf", ARGS("python3", "deaf.py"));
    struct term *term = menu_for(&stage, pid);

    choose_sigterm(term);
    press(term, "y");
    expect_text(term, "still there after 2s");
    expect_that(term, term_find(term, "SIGKILL?") < 0);
    press(term, "m"); // other keys mean what they always do
    expect_text(term, "Tensors");
    press(term, "q");
    expect_that(term, term_wait_text(term, "Send SIGKILL? y/n", 12000));
    expect_text(term, "s after SIGTERM");
    assert_true(lives(pid));
    press(term, "<"); // its answer covers the question, so y is no answer to that
    expect_text(term, "sorted by");
    press(term, "y");
    expect_text(term, "q: back");
    press(term, "q");
    expect_text(term, "Send SIGKILL? y/n");
    assert_true(lives(pid));
    press(term, KEY_F8);
    expect_text(term, "PAUSED"); // still not modal
    press(term, KEY_F8);
    term_wait_exit(term, 1500); // only reads
    press(term, "y");
    assert_true(ends(term, pid, TERM_WAIT));
    expect_text(term, "SIGKILL sent to");
    expect_text(term, "gone ");
    finish(term, &stage);
}

static void n_declines_sigkill(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, false);
    const pid_t pid = start(&stage, "deaf", ARGS("python3", "deaf.py"));
    struct term *term = menu_for(&stage, pid);

    press(term, KEY_ENTER);
    press(term, "y");
    expect_that(term, term_wait_text(term, "Send SIGKILL? y/n", 12000));
    press(term, "n");
    expect_gone(term, "SIGKILL");
    term_wait_exit(term, 1500);
    expect_that(term, term_find(term, "SIGKILL") < 0);
    press(term, "n"); // means the view of cores again
    expect_text(term, "q: back");
    press(term, "q");
    assert_true(lives(pid));
    finish(term, &stage);
}

static void one_that_ends_meanwhile_ends_the_question(void **state)
{
    (void)state;
    for (int in_menu = 0; in_menu < 2; in_menu++) {
        struct stage stage;
        const pid_t pid = serve(&stage);
        struct term *term = menu_for(&stage, pid);
        if (!in_menu)
            press(term, KEY_ENTER);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        expect_text(term, "has ended: nothing was sent");
        expect_gone(term, "Signal to ");
        expect_gone(term, "Send SIGTERM");
        finish(term, &stage);
    }
}

// Its report is still on the screen, but it is gone, or its parent has not collected it.
static void gone_and_zombie_are_told(void **state)
{
    (void)state;
    struct stage stage;
    const pid_t pid = serve(&stage);
    siginfo_t info;

    struct term *term = watch_one(&stage, pid, NULL);
    kill(pid, SIGKILL);
    waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
    press(term, KEY_F9);
    expect_text(term, "No signal can be sent");
    expect_text(term, "zombie until its parent");
    press(term, KEY_ESC);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    press(term, KEY_F9);
    expect_text(term, "has ended");
    press(term, KEY_ESC);
    expect_gone(term, "No signal can be sent");
    finish(term, &stage);
}

// A new process with exactly this PID; false where the kernel does not let us ask for it, or
// another one was faster each time.
static bool start_with_pid(struct stage *stage, pid_t wanted)
{
    for (int i = 0; i < 50; i++) {
        FILE *last = fopen("/proc/sys/kernel/ns_last_pid", "w");
        if (last == NULL)
            return false;
        fprintf(last, "%d", (int)wanted - 1);
        if (fclose(last) != 0)
            return false;
        const pid_t pid = start(stage, "plain", ARGS("sshd"));
        if (pid == wanted)
            return true;
        stage->count--;
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
    return false;
}

// The list still has the one that had the PID before: the other one is safe.
static void a_reused_pid_is_not_hit(void **state)
{
    (void)state;
    struct stage stage;
    const pid_t pid = serve(&stage);
    struct term *term = watch_one(&stage, pid, NULL);

    press(term, KEY_F8); // the list stands still
    expect_text(term, "PAUSED");
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    stage.count--;
    const bool reused = start_with_pid(&stage, pid);
    if (reused) {
        press(term, KEY_F9);
        expect_text(term, "this PID is another process now");
        press(term, "y");
        assert_true(lives(pid));
    }
    finish(term, &stage);
    if (!reused)
        skip();
}

static void some_are_never_signalled(void **state)
{
    (void)state;
    struct stage stage;
    const pid_t first = 1;
    stage_open(&stage, false);
    report(&stage, &first, 1);
    struct term *term = watch(&stage, NULL);
    press(term, KEY_F9);
    expect_text(term, "PID 1 never gets a signal");
    press(term, KEY_ESC);
    const pid_t self = term_pid(term);
    report(&stage, &self, 1);
    expect_text(term, pid_text(self));
    press(term, KEY_F9);
    expect_text(term, "this is neutop itself");
    press(term, KEY_ESC);
    finish(term, &stage);
}

static void tagged_ones_get_it_together(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, false);
    pid_t pids[3];
    for (int i = 0; i < 3; i++)
        pids[i] = start(&stage, "plain", ARGS("python3", "serve.py"));
    report(&stage, pids, 3);
    struct term *term = watch(&stage, NULL);

    expect_text(term, pid_text(pids[2]));
    press(term, "N"); // by PID
    press(term, KEY_HOME);
    press(term, "  "); // the first two of the list: the cursor goes on by itself
    expect_that(term,
                term_count(term, "*root") + term_count(term, "*-") + term_count(term, "*") >= 2);
    press(term, "U");
    press(term, KEY_HOME);
    press(term, " ");
    press(term, KEY_DOWN);
    press(term, " ");
    press(term, KEY_F9);
    expect_text(term, "Signal to 2 tagged processes");
    press(term, KEY_ENTER);
    expect_text(term, "Send SIGTERM to 2 processes");
    expect_text(term, "frees 2 cores (NC 0,2)");
    press(term, "y");
    assert_true(ends(term, pids[0], TERM_WAIT));
    assert_true(ends(term, pids[2], TERM_WAIT));
    assert_true(lives(pids[1]));
    expect_text(term, "gone ");
    finish(term, &stage);
}

// The job of a launcher and its workers: all get it, the launcher before it can start one again.
static void a_job_is_ended_as_a_whole(void **state)
{
    (void)state;
    struct stage stage;
    pid_t launcher, workers[WORKERS], restarted;
    struct term *term = watch_job(&stage, &launcher, workers);

    expect_that(term, term_find(term, pid_text(launcher)) > 0);
    expect_text(term, "32GiB"); // once
    press(term, "x");
    expect_text(term, "train.py --rank"); // a worker
    press(term, "x");
    press(term, KEY_HOME);
    press(term, KEY_F9);
    expect_text(term, "torchrun and 32 workers");
    press(term, KEY_ENTER);
    expect_text(term, "Send SIGTERM to 33 processes");
    expect_text(term, "launcher");
    expect_that(term, row_of(term, pid_text(workers[0])) > 0);
    expect_text(term, "frees 32 cores (NC 0-31) and 32GiB");
    press(term, "y");
    assert_true(ends(term, launcher, TERM_WAIT));
    for (int i = 0; i < WORKERS; i++)
        assert_true(ends(term, workers[i], TERM_WAIT));
    report(&stage, NULL, 0);
    expect_text(term, "gone ");
    expect_text(term, "32 NC free");
    fcntl(stage.gate[0], F_SETFL, O_NONBLOCK);
    assert_int_equal(read(stage.gate[0], &restarted, sizeof restarted), -1); // none came back
    finish(term, &stage);
}

// From one worker to the whole job by the last line of the menu.
static void one_worker_or_its_job(void **state)
{
    (void)state;
    struct stage stage;
    pid_t launcher, workers[WORKERS];
    struct term *term = watch_job(&stage, &launcher, workers);

    press(term, "x");
    press(term, KEY_HOME);
    press(term, KEY_DOWN);
    open_menu(term, KEY_F9);
    expect_text(term, "to ");
    expect_that(term, term_find(term, "torchrun and 32 workers") > 0);
    press(term, KEY_END);
    press(term, KEY_ENTER);
    expect_text(term, "Signal to");
    press(term, KEY_ENTER);
    expect_text(term, "Send SIGTERM to 33 processes");
    press(term, KEY_ESC);
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(kill(workers[i], 0), 0);
    finish(term, &stage);
}

static void readonly_has_no_signals(void **state)
{
    (void)state;
    struct stage stage;
    const pid_t pid = serve(&stage);
    struct term *term = watch_one(&stage, pid, "--readonly");

    expect_text(term, "F8Pause");
    expect_that(term, term_find(term, "F9") < 0);
    static const char *const keys[] = {KEY_F9, "K"};
    for (int i = 0; i < 2; i++) {
        press(term, keys[i]);
        expect_text(term, "read-only");
        expect_that(term, term_find(term, "SIGTERM") < 0);
        press(term, KEY_DOWN);
        expect_gone(term, "read-only");
    }
    leave(term);
    assert_true(lives(pid));
    stage_close(&stage);
}

static void the_demo_explains(void **state)
{
    (void)state;
    struct term *term = term_neutop(24, 80, ARGS("--no-config", "--demo", "--seed", "1"));

    expect_text(term, "F9Signal");
    press(term, KEY_F9);
    expect_text(term, "No signal can be sent to 31207 torchrun and 32 workers");
    expect_text(term, "invented");
    press(term, "y");
    expect_gone(term, "invented");
    leave(term);
}

// A stream may be of another machine: no PID in it is one of ours.
static void a_recording_is_not_this_host(void **state)
{
    (void)state;
    struct stage stage;
    const pid_t pid = serve(&stage);
    report(&stage, &pid, 1);
    struct term *term = term_neutop(24, 80, ARGS("--no-config", "-i", place(&stage, "report")));

    expect_text(term, pid_text(pid));
    press(term, KEY_F9);
    expect_text(term, "their PIDs are not ours");
    press(term, "y");
    leave(term);
    assert_true(lives(pid));
    stage_close(&stage);
}

static void small_terminals_ask_too(void **state)
{
    (void)state;
    static const int sizes[][2] = {{8, 40}, {10, 60}, {60, 200}};
    struct stage stage;
    const pid_t pid = serve(&stage);
    struct term *term = menu_for(&stage, pid);

    press(term, KEY_ENTER);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        term_resize(term, sizes[i][0], sizes[i][1]);
        term_wait_quiet(term, 100, 1000);
        expect_text(term, "Send SIGTERM to");
        expect_text(term, pid_text(pid));
        expect_text(term, "y sends SIGTERM");
    }
    term_resize(term, 3, 20);
    term_wait_quiet(term, 100, 1000);
    press(term, KEY_ESC);
    term_resize(term, 24, 80);
    expect_text(term, "no signal was sent");
    leave(term);
    assert_true(lives(pid));
    stage_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asks_twice_and_tells_what_happened),
        cmocka_unit_test(anything_but_y_cancels),
        cmocka_unit_test(a_burst_of_keys_sends_nothing),
        cmocka_unit_test(one_that_ignores_sigterm_is_offered_sigkill),
        cmocka_unit_test(n_declines_sigkill),
        cmocka_unit_test(one_that_ends_meanwhile_ends_the_question),
        cmocka_unit_test(gone_and_zombie_are_told),
        cmocka_unit_test(a_reused_pid_is_not_hit),
        cmocka_unit_test(some_are_never_signalled),
        cmocka_unit_test(tagged_ones_get_it_together),
        cmocka_unit_test(a_job_is_ended_as_a_whole),
        cmocka_unit_test(one_worker_or_its_job),
        cmocka_unit_test(readonly_has_no_signals),
        cmocka_unit_test(the_demo_explains),
        cmocka_unit_test(a_recording_is_not_this_host),
        cmocka_unit_test(small_terminals_ask_too),
    };
    const char *role = getenv("NEUTOP_TEST_ROLE");
    if (role != NULL)
        play(role);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
