// SPDX-License-Identifier: Apache-2.0
// Owners by /proc on this host: real processes with real character devices. The devices of major 1
// stand for the driver's: /dev/full is device 7, /dev/zero device 5.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "build_host.h"
#include "proc_tree.h"

enum { MEMORY_DEVICES = 1, FULL = 7, ZERO = 5, NOBODY = 65534 };

static int gate[2]; // a child says by it that it is ready

static void ready(void)
{
    if (write(gate[1], "x", 1) != 1)
        _exit(2);
}

static void await_child(void)
{
    char byte;
    assert_int_equal(read(gate[0], &byte, 1), 1);
}

static pid_t start(void (*life)(void))
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        life();
        for (;;)
            pause();
    }
    await_child();
    return pid;
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static struct proc *reader(void)
{
    struct proc_where where = {
        .root = "", .delay_seconds = 1, .major = MEMORY_DEVICES, .self = (int)getpid()};
    struct trouble trouble = {.line = ""};
    struct proc *proc = proc_new(&where, &trouble);
    if (proc == NULL)
        fail_msg("%s", trouble.line);
    return proc;
}

static struct host *look(struct proc *proc, double now)
{
    struct host *host = tree_host("trn1.32xlarge");
    proc_read(proc, now);
    tree_fill(proc, host, now);
    return host;
}

// Stays open until the child ends.
static void must_open(const char *path, int flags)
{
    int fd = open(path, flags);
    if (fd < 0)
        _exit(2);
    // cppcheck-suppress resourceLeak
}

static void opens_full(void)
{
    must_open("/dev/full", O_RDWR | O_CLOEXEC);
    ready();
}

static void asks_full(void)
{
    for (int fd = 0; fd < 256; fd++)
        if (fd != gate[1])
            close(fd); // may be /dev/null, which is of the same major
    must_open("/dev/full", O_WRONLY);
    ready();
}

static void holder_with_its_facts(void **state)
{
    (void)state;
    pid_t pid = start(opens_full);
    struct proc *proc = reader();
    struct host *host = look(proc, 1);
    const struct process *process = tree_find(host, pid);
    assert_non_null(process);
    assert_true(core_set_has(&process->chips, FULL));
    assert_false(process->bystander);
    assert_non_null(strstr(process->command, "test_proc_live"));
    assert_non_null(process->user);
    assert_int_equal(process->ppid.value, getpid());
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    assert_true(fabs(process->started_unix_seconds.value - (double)wall.tv_sec) < 5);
    assert_true(process->resident_bytes.value > 0);
    assert_true(process->environment_known);
    assert_null(tree_find(host, getpid())); // itself is left out (field case F-09)
    host_free(host);
    kill(pid, SIGSTOP);
    waitpid(pid, NULL, WUNTRACED);
    host = look(proc, 2);
    assert_int_equal(tree_find(host, pid)->state, PROCESS_STOPPED);
    assert_true(known_f64(tree_find(host, pid)->cpu_user_percent));
    host_free(host);
    end(pid);
    host = look(proc, 3);
    assert_null(tree_find(host, pid));
    host_free(host);
    proc_free(proc);
}

static void write_only_is_asking(void **state)
{
    (void)state;
    pid_t pid = start(asks_full);
    struct proc *proc = reader();
    struct host *host = look(proc, 1);
    const struct process *process = tree_find(host, pid);
    assert_non_null(process);
    assert_true(process->bystander);
    assert_true(core_set_empty(&process->chips));
    host_free(host);
    end(pid);
    proc_free(proc);
}

static void opens_another(int signal)
{
    (void)signal;
    close(5);
    must_open("/dev/zero", O_RDWR);
    ready();
}

static void opens_full_at_five(void)
{
    signal(SIGUSR1, opens_another);
    if (dup2(open("/dev/full", O_RDWR), 5) < 0)
        _exit(2);
    ready();
}

static void another_device_behind_the_descriptor(void **state)
{
    (void)state;
    pid_t pid = start(opens_full_at_five);
    struct proc *proc = reader();
    struct host *host = look(proc, 1);
    assert_true(core_set_has(&tree_find(host, pid)->chips, FULL));
    assert_false(core_set_has(&tree_find(host, pid)->chips, ZERO));
    host_free(host);
    kill(pid, SIGUSR1);
    await_child();
    host = look(proc, 2);
    assert_true(core_set_has(&tree_find(host, pid)->chips, ZERO));
    host_free(host);
    end(pid);
    proc_free(proc);
}

static void run_sleep(void)
{
    char program[] = "sleep", operand[] = "600", secret[] = "SECRET=hush";
    char cores[] = "NEURON_RT_VISIBLE_CORES=14-15", other[] = "NEURON_OTHER=hush";
    char *const words[] = {program, operand, NULL};
    char *const environment[] = {secret, cores, other, NULL};
    must_open("/dev/full", O_RDWR);
    execve("/bin/sleep", words, environment);
    execve("/usr/bin/sleep", words, environment);
    _exit(2);
}

static void environment_of_another_program(void **state)
{
    (void)state;
    ready(); // the program itself cannot say so
    pid_t pid = start(run_sleep);
    struct proc *proc = reader();
    struct host *host = NULL;
    for (double now = 1; now < 300; now += 11) { // until it is the other program
        host_free(host);
        host = look(proc, now);
        const struct process *process = tree_find(host, pid);
        if (process != NULL && process->visible_cores != NULL)
            break;
        usleep(10000);
    }
    const struct process *process = tree_find(host, pid);
    assert_string_equal(process->command, "sleep 600");
    assert_string_equal(process->visible_cores, "14-15");
    host_free(host);
    end(pid);
    proc_free(proc);
}

static pid_t forked;

static void forks_a_loader(void)
{
    must_open("/dev/full", O_RDWR);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    if (write(gate[1], &child, sizeof(child)) != (ssize_t)sizeof(child))
        _exit(2);
    ready();
}

static void forks_an_opener(void)
{
    int fd = open("/dev/full", O_RDWR);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(fd);
        must_open("/dev/full", O_RDWR); // the lowest free number: the same one
        ready();
        for (;;)
            pause();
    }
    ready();
}

// The same number and the same device, but the kernel can tell whether it is one open file.
static void a_fork_is_told_from_an_open(void **state)
{
    (void)state;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        forks_a_loader();
        for (;;)
            pause();
    }
    assert_int_equal(read(gate[0], &forked, sizeof(forked)), sizeof(forked));
    await_child();
    struct proc *proc = reader();
    struct host *host = look(proc, 1);
    assert_non_null(tree_find(host, pid));
    assert_null(tree_find(host, forked));
    host_free(host);
    end(pid);
    proc_free(proc);
}

static void an_open_in_a_child_is_its_own(void **state)
{
    (void)state;
    pid_t pid = start(forks_an_opener);
    await_child();
    struct proc *proc = reader();
    struct host *host = look(proc, 1);
    unsigned holders = 0;
    for (unsigned i = 0; i < host->process_count; i++)
        holders += core_set_has(&host->processes[i].chips, FULL) &&
                   (host->processes[i].pid.value == (uint64_t)pid ||
                    host->processes[i].ppid.value == (uint64_t)pid);
    assert_int_equal(holders, 2);
    host_free(host);
    end(pid);
    proc_free(proc);
}

static void processes_not_readable(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip(); // whether there is a process of somebody else is not to be told
    pid_t pid = start(opens_full);
    assert_int_equal(seteuid(NOBODY), 0);
    struct proc *proc = reader();
    struct host *host = look(proc, 1);
    struct source_status status = {0};
    proc_status(proc, 1, &status);
    assert_int_equal(status.state, SOURCE_DENIED);
    assert_non_null(strstr(status.detail, "processes not readable: run as root or with"));
    assert_null(tree_find(host, pid));
    host_free(host);
    proc_free(proc);
    assert_int_equal(seteuid(0), 0);
    end(pid);
}

// A holder whose files cannot be read any more is still a holder.
static void rights_that_go_away(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    pid_t pid = start(opens_full);
    struct proc *proc = reader();
    struct host *host = look(proc, 1);
    assert_non_null(tree_find(host, pid));
    host_free(host);
    assert_int_equal(seteuid(NOBODY), 0);
    host = look(proc, 12);
    const struct process *process = tree_find(host, pid);
    assert_int_equal(seteuid(0), 0);
    assert_non_null(process);
    assert_true(core_set_has(&process->chips, FULL));
    host_free(host);
    end(pid);
    proc_free(proc);
}

static void breeds(void)
{
    ready();
    for (;;) {
        pid_t child = fork();
        if (child == 0) {
            must_open("/dev/full", O_RDWR);
            _exit(0);
        }
        if (child > 0)
            waitpid(child, NULL, 0);
    }
}

static void processes_that_vanish_while_being_read(void **state)
{
    (void)state;
    pid_t first = start(breeds), second = start(breeds);
    struct proc *proc = reader();
    for (int i = 0; i < 60; i++) {
        struct host *host = look(proc, 1 + i * 2.0);
        for (unsigned j = 0; j < host->process_count; j++)
            assert_true(known_u64(host->processes[j].pid));
        host_free(host);
    }
    end(first);
    end(second);
    proc_free(proc);
}

static void few_descriptors_and_steady_memory(void **state)
{
    (void)state;
    struct proc *proc = reader();
    proc_read(proc, 1);
    int lowest = dup(0);
    close(lowest);
    for (int i = 2; i < 20; i++)
        proc_read(proc, i);
    int after = dup(0);
    close(after);
    assert_int_equal(lowest, after); // nothing stays open between readings
    proc_free(proc);
}

static int open_gate(void **state)
{
    (void)state;
    return pipe(gate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holder_with_its_facts),
        cmocka_unit_test(write_only_is_asking),
        cmocka_unit_test(another_device_behind_the_descriptor),
        cmocka_unit_test(environment_of_another_program),
        cmocka_unit_test(a_fork_is_told_from_an_open),
        cmocka_unit_test(an_open_in_a_child_is_its_own),
        cmocka_unit_test(processes_not_readable),
        cmocka_unit_test(rights_that_go_away),
        cmocka_unit_test(processes_that_vanish_while_being_read),
        cmocka_unit_test(few_descriptors_and_steady_memory),
    };
    return cmocka_run_group_tests_name("proc_live", tests, open_gate, NULL);
}
