// SPDX-License-Identifier: Apache-2.0
// The listing of chips as text: golden pages below tests/fixtures/ls.
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
#include "build_links.h"
#include "golden.h"
#include "print/ls.h"

// Not inlined: gcc would take the stream's memory for a local variable.
__attribute__((noinline)) static char *ls_text(const struct host *host,
                                               const struct ls_options *options)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    print_ls_text(out, host, options);
    fclose(out);
    return text;
}

static void is_page(const struct host *host, const struct ls_options *options, const char *name,
                    int columns)
{
    char *text = ls_text(host, options);
    golden_fits(text, columns);
    golden_is(text, name);
    free(text);
}

static void places(struct host *host)
{
    static const char *const buses[] = {"cc", "b5", "b6", "cb", "6f", "58", "59", "6e",
                                        "9b", "84", "85", "9a", "f8", "e1", "e2", "f7"};
    static char pci[16][16];
    for (unsigned i = 0; i < host->chip_count; i++) {
        bool far = i < 4 || i > 11;
        snprintf(pci[i], sizeof(pci[i]), "0000:%s:00.0", buses[i]);
        host->chips[i].pci = pci[i];
        host->chips[i].cpu_affinity = far ? "48-95,144-191" : "0-47,96-143";
        host->chips[i].numa_node = fact_u64(far, FROM_SYSFS);
    }
}

static void dress(struct process *process, const char *user, double age, const char *runtime,
                  const char *container)
{
    process->user = user;
    process->started_unix_seconds = fact_f64(BUILD_TIME - age, FROM_PROC);
    process->runtime_version = runtime;
    process->container = container;
}

static struct process *watcher(struct host *host)
{
    struct process *process = build_process(host, 2201, "neuron-monitor -c /tmp/c.json", 0, 0);
    process->pid.from = FROM_PROC;
    dress(process, "root", 60, NULL, NULL);
    for (unsigned i = 0; i < host->chip_count; i++)
        core_set_add(&process->chips, i);
    return process;
}

static struct host *busy(void)
{
    struct host *host = build_host("trn2.48xlarge", 2);
    host->numbering = NUMBERING_LOGICAL;
    host->instance.id = "i-0123456789abcdef0";
    host->versions.driver = "2.24.7.0";
    host->versions.driver_installed = "2.30.2.0";
    host->versions.runtime_installed = "2.34.10.0";
    places(host);
    build_links(host, trn2_links);
    dress(
        build_process(host, 8412, "vllm serve meta-llama/Llama-3.3-70B-Instruct --port 8000", 8, 6),
        "ml", 97200, "2.30.51.0",
        "3f9a0c11d2e4b5f60718293a4b5c6d7e8f90123456789abcdef0123456789abc");
    dress(build_process(host, 31207, "python3 train.py --nproc 32", 0, 2), "ubuntu", 11520,
          "2.34.10.0", NULL);
    struct process *stopped = build_process(host, 31300, "python3 eval.py", 2, 1);
    dress(stopped, "ubuntu", 47, "2.34.10.0", NULL);
    stopped->state = PROCESS_STOPPED;
    watcher(host);
    return host;
}

static void busy_instance(void **state)
{
    (void)state;
    struct host *host = busy();
    is_page(host, &(struct ls_options){0}, "ls/busy.txt", 80);
    is_page(host, &(struct ls_options){.all = true}, "ls/busy-all.txt", 80);
    is_page(host, &(struct ls_options){.wide = true}, "ls/busy-wide.txt", 140);
    is_page(host, &(struct ls_options){.print.ascii = true}, "ls/busy-ascii.txt", 80);
    host_free(host);
}

// -w on a terminal: the command takes what the terminal has, but at least 80 columns.
static void wide_follows_the_terminal(void **state)
{
    (void)state;
    static char command[400];
    memset(command, 'x', sizeof(command) - 1);
    struct host *host = build_host("trn1.2xlarge", 1);
    build_process(host, 100, command, 0, 1);
    char *text = ls_text(host, &(struct ls_options){.wide = true, .columns = 200});
    golden_fits(text, 200);
    assert_non_null(strstr(text, "xxx…\n"));
    free(text);
    text = ls_text(host, &(struct ls_options){.wide = true, .columns = 40});
    golden_fits(text, 100);
    free(text);
    text = ls_text(host, &(struct ls_options){.wide = true, .columns = 1000});
    assert_non_null(strstr(text, command));
    free(text);
    host_free(host);
}

// As neuron-ls: columns that nobody knows are not there (field samples 01, 16, 18).
static void unknown_columns_are_left_out(void **state)
{
    (void)state;
    struct host *host = build_host("inf1.xlarge", 1);
    is_page(host, &(struct ls_options){0}, "ls/unknown.txt", 80);
    host->chips[0].pci = "0000:00:1f.0";
    host->chips[0].cpu_affinity = "0-3";
    build_process(host, 19047, NULL, 0, 0);
    host->processes[0].runtime_version = "2.31.24";
    core_set_add(&host->processes[0].chips, 0);
    is_page(host, &(struct ls_options){0}, "ls/pod.txt", 80);
    host_free(host);
}

// The driver counts physical cores; its core map tells what a job calls them.
static void the_drivers_order(void **state)
{
    (void)state;
    static const unsigned order[] = {4, 5, 6, 7, 2, 3, 0, 1};
    struct core_place map[8];
    struct host *host = build_host("trn2.3xlarge", 1);
    host->numbering = NUMBERING_PHYSICAL;
    for (unsigned i = 0; i < 8; i++) {
        map[i] = (struct core_place){.chip = 0, .physical = order[i]};
        host->cores[i].numbering = NUMBERING_PHYSICAL;
    }
    host->hardware.lnc = fact_u64(2, FROM_TABLE);
    host->hardware.logical_cores_per_chip = fact_u64(4, FROM_DERIVED);
    dress(build_process(host, 31207, "python3 train.py", 4, 2), "ubuntu", 11520, "2.34.10.0", NULL);
    is_page(host, &(struct ls_options){0}, "ls/physical.txt", 80);
    host->core_map = core_map_make(map, 8);
    core_map_join(host);
    is_page(host, &(struct ls_options){0}, "ls/physical-mapped.txt", 80);
    is_page(host, &(struct ls_options){.cores = true}, "ls/physical-cores.txt", 80);
    host_free(host);
}

// A holder that cannot be seen, one that only asks, and no one who could tell.
static void what_cannot_be_seen(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.24xlarge", 1);
    host->chips[2].held_unseen = true;
    host->chips[2].connected_error = "needs root";
    host->unseen_handles = fact_u64(3, FROM_PROC);
    struct process *asks = build_process(host, 77, "neutop", 0, 0);
    asks->bystander = true;
    asks->user = "ubuntu";
    asks->pid.from = FROM_PROC;
    is_page(host, &(struct ls_options){.all = true, .topology = true}, "ls/unseen.txt", 80);
    host->process_count = 0;
    char *text = ls_text(host, &(struct ls_options){0});
    assert_null(strstr(text, "not known"));
    free(text);
    for (unsigned i = 0; i < host->core_count; i++)
        host->cores[i].owners_known = false;
    text = ls_text(host, &(struct ls_options){0});
    assert_non_null(strstr(text, "which processes use these chips is not known"));
    free(text);
    host_free(host);
}

static void tags_and_states(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.xlarge", 1);
    build_process(host, 100, NULL, 0, 1)->tag = "llama-a";
    build_process(host, 101, NULL, 0, 1)->tag = "101"; // only the PID again
    struct process *gone = build_process(host, 102, "python3 serve.py", 1, 1);
    gone->state = PROCESS_GONE;
    struct process *daemon = build_process(host, 0, NULL, 1, 1);
    daemon->pid = (struct fact_u64){0};
    daemon->address = "unix:/run/neuron.sock";
    is_page(host, &(struct ls_options){0}, "ls/tags.txt", 80);
    host_free(host);
}

static void processes_without_the_runtime(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 1);
    watcher(host);
    char *text = ls_text(host, &(struct ls_options){0});
    assert_null(strstr(text, "-c /tmp"));
    assert_non_null(strstr(text, "1 process without the Neuron runtime not shown: -a shows it\n"));
    free(text);
    text = ls_text(host, &(struct ls_options){.all = true});
    assert_non_null(strstr(text, "NA"));
    assert_non_null(strstr(text, "-c /tmp"));
    assert_null(strstr(text, "not shown"));
    free(text);
    // A holder of cores is never left out, whether its runtime is known or not.
    core_set_add(&host->processes[0].cores, 0);
    text = ls_text(host, &(struct ls_options){0});
    assert_non_null(strstr(text, "-c /tmp"));
    free(text);
    host_free(host);
}

static void draw(const char *type, const char *links, const char *name, bool ascii)
{
    struct host *host = build_host(type, 0);
    const struct instance_type *row = instance_type_get(type);
    host->hardware.topology = row->topology;
    build_links(host, links);
    char *text = ls_text(host, &(struct ls_options){.topology = true, .print.ascii = ascii});
    const char *drawing = strstr(text, "\nTOPOLOGY");
    assert_non_null(drawing);
    golden_fits(drawing + 1, 80);
    golden_is(drawing + 1, name);
    for (const char *at = drawing; ascii && *at != '\0'; at++)
        assert_true((unsigned char)*at < 0x80);
    free(text);
    host_free(host);
}

static void topologies(void **state)
{
    (void)state;
    draw("trn2.48xlarge", trn2_links, "ls/torus.txt", false);
    draw("trn1.32xlarge", trn1_links, "ls/torus.txt", false); // the same set of links
    draw("trn2.48xlarge", trn2_links, "ls/torus-ascii.txt", true);
    draw("inf2.48xlarge", inf2_links, "ls/ring.txt", false);
    draw("inf2.48xlarge", inf2_links, "ls/ring-ascii.txt", true);
    draw("inf2.24xlarge", inf2_chain, "ls/chain.txt", false);
    draw("inf1.24xlarge", "1 0,2 1,3 2,4 3,5 4,6 5,7 6,8 7,9 8,10 9,11 10,12 11,13 12,14 13,15 14",
         "ls/chain-16.txt", false);
    draw("trn1.2xlarge", "-", "ls/single.txt", false);
    draw("trn3", "", "ls/switched.txt", false);
    draw("trn3-gen2", "- - - -", "ls/switched-4-ascii.txt", true);
    draw("trn2.48xlarge", "", "ls/links-unknown.txt", false);
    draw("trn2.3xlarge", "12,1,9,14", "ls/links-pod.txt", false);
}

static void cores(const char *type, unsigned lnc, const char *name)
{
    struct host *host = build_host(type, lnc);
    is_page(host, &(struct ls_options){.cores = true}, name, 80);
    host_free(host);
}

static void descriptors(void **state)
{
    (void)state;
    cores("inf1.xlarge", 1, "ls/cores-inf1.txt");
    cores("inf2.xlarge", 1, "ls/cores-inf2.txt");
    cores("trn1.2xlarge", 1, "ls/cores-trn1.txt");
    cores("trn2.3xlarge", 1, "ls/cores-trn2-lnc1.txt");
    cores("trn2.3xlarge", 2, "ls/cores-trn2-lnc2.txt");
    cores("trn3-gen2", 2, "ls/cores-trn3.txt");
    struct host *host = build_host("trn2.3xlarge", 2);
    is_page(host, &(struct ls_options){.cores = true, .wide = true}, "ls/cores-wide.txt", 400);
    host->hardware.generation = NULL;
    host->hardware.chip = host->hardware.neuroncore = NULL;
    is_page(host, &(struct ls_options){.cores = true}, "ls/cores-unknown.txt", 80);
    host_free(host);
}

static void many_of_everything(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 1);
    build_links(host, trn2_links);
    places(host);
    for (unsigned i = 0; i < 60; i++)
        dress(build_process(host, 4000000 + i, "中文中文中文中文中文中文中文中文", i * 2, 2),
              "a-user-with-a-long-name", i, "2.34.10.0", "0123456789ab");
    char *text = ls_text(host, &(struct ls_options){.topology = true});
    golden_fits(text, 92); // nine more digits and letters than usual
    free(text);
    host_free(host);
}

static int use_utf8(void **state)
{
    (void)state;
    return setlocale(LC_ALL, "C.UTF-8") == NULL ? -1 : 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(busy_instance),
        cmocka_unit_test(wide_follows_the_terminal),
        cmocka_unit_test(unknown_columns_are_left_out),
        cmocka_unit_test(the_drivers_order),
        cmocka_unit_test(what_cannot_be_seen),
        cmocka_unit_test(tags_and_states),
        cmocka_unit_test(processes_without_the_runtime),
        cmocka_unit_test(topologies),
        cmocka_unit_test(descriptors),
        cmocka_unit_test(many_of_everything),
    };
    return cmocka_run_group_tests_name("ls", tests, use_utf8, NULL);
}
