// SPDX-License-Identifier: Apache-2.0
// The listing of free and held cores as text, against golden files.
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "build_host.h"
#include "golden.h"
#include "print/cores.h"

static void prints(const struct host *host, const char *spec, const char *name)
{
    struct cores_question question = {.spec = spec};
    struct print_options options = {.ascii = true};
    struct free_cores cores = free_cores_of(host, 0);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (spec != NULL)
        assert_true(core_set_parse(&question.set, spec, NULL));
    print_cores_text(out, &cores, &question, &options);
    fclose(out);
    golden_is(text, name);
    golden_fits(text, 80);
    free(text);
}

static struct process *add(struct host *host, uint64_t pid, const char *command, unsigned first,
                           unsigned count)
{
    struct process *process = build_process(host, pid, command, first, count);
    process->user = "ubuntu";
    process->started_unix_seconds = fact_f64(BUILD_TIME - 3 * 3600 - 720, FROM_PROC);
    process->certainty = CERTAINTY_EXACT;
    return process;
}

static void numbered(struct host *host)
{
    host->numbering = NUMBERING_LOGICAL;
    for (unsigned i = 0; i < host->core_count; i++)
        host->cores[i].numbering = NUMBERING_LOGICAL;
}

// A job of eight workers, a server, a notebook that idles, holders that cannot be told.
static struct host *busy_host(void)
{
    struct host *host = build_host("trn2.48xlarge", 2);
    numbered(host);
    for (unsigned i = 0; i < 8; i++) {
        struct process *worker = add(host, 31210 + i, "python train.py", i, 1);
        worker->launcher_pid = fact_u64(31207, FROM_PROC);
        worker->launcher = "torchrun";
    }
    struct process *server =
        add(host, 40112, "python3 -m vllm.entrypoints.openai.api_server", 8, 6);
    server->pod = "vllm-llama-7d9f";
    add(host, 21930, "python3 -m ipykernel_launcher", 14, 1)->idle_seconds =
        fact_f64(47 * 60, FROM_DERIVED);
    host->cores[20].hidden_owners = 1;
    host->chips[5].held_unseen = true;
    for (unsigned i = 24; i < 28; i++)
        host->cores[i].owners_known = false;
    return host;
}

static void a_busy_host(void **state)
{
    (void)state;
    struct host *host = busy_host();
    prints(host, NULL, "cores/busy.txt");
    prints(host, "6-17", "cores/asked-held.txt");
    prints(host, "32-47", "cores/asked-free.txt");
    prints(host, "24-27", "cores/asked-unknown.txt");
    prints(host, "33,35", "cores/asked-gaps.txt");
    host_free(host);
}

// Field case F-06: in a pod, a PID of the host's namespace. It is listed, never dropped.
static void a_pid_of_another_namespace(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.xlarge", 0);
    build_process(host, 19047, NULL, 0, 1)->groups[GROUP_CPU].error =
        "open /proc/19047/stat: no such file or directory";
    prints(host, NULL, "cores/other-namespace.txt");
    host->processes[0].groups[GROUP_CPU].error = NULL;
    host->processes[0].state = PROCESS_GONE;
    prints(host, NULL, "cores/gone.txt");
    host_free(host);
}

// Field case F-28: chips, physical and logical cores are told apart.
static void one_chip(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.3xlarge", 2);
    numbered(host);
    prints(host, NULL, "cores/one-chip.txt");
    host_free(host);
}

static void without_a_jobs_numbers(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.3xlarge", 2);
    add(host, 10, "python a.py", 1, 1);
    host->core_map.count = 0;
    prints(host, NULL, "cores/no-map.txt");
    host->hardware.lnc = (struct fact_u64){0};
    prints(host, NULL, "cores/no-lnc.txt");
    prints(host, "0-3", "cores/asked-no-lnc.txt");
    host_free(host);
}

// Several processes on one chip: it is one or more of them.
static void one_of_several(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.xlarge", 0);
    add(host, 10, "python a.py", 0, 1);
    add(host, 11, "python b.py", 0, 1);
    host->cores[0].owner_count = 0;
    host->cores[0].hidden_owners = 1;
    host->cores[1].owners_known = false;
    prints(host, NULL, "cores/one-of-several.txt");
    host_free(host);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_busy_host),    cmocka_unit_test(a_pid_of_another_namespace),
        cmocka_unit_test(one_chip),       cmocka_unit_test(without_a_jobs_numbers),
        cmocka_unit_test(one_of_several),
    };
    return cmocka_run_group_tests_name("print cores", tests, NULL, NULL);
}
