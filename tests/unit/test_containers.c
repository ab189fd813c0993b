// SPDX-License-Identifier: Apache-2.0
// The names of containers and the devices that they were given, on captured trees: each runtime's
// place, what is kept, what is looked for again, and files that are none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build_host.h"
#include "proc_tree.h"
#include "source/containers.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define CONTAINERD "/run/containerd/io.containerd.runtime.v2.task/k8s.io/"
#define STORAGE "/var/lib/containers/storage/overlay-containers/"
#define POD "llama-70b-6d5f7c9b8d-x2x7q"

static const double patience = 5; // seconds, for the thread on a busy machine

static void put_fixture(const char *path, const char *name)
{
    static char bytes[1 << 16];
    char from[PATH_MAX];
    snprintf(from, sizeof(from), "%s/container_names/%s", getenv("NEUTOP_FIXTURES"), name);
    FILE *file = fopen(from, "rb");
    if (file == NULL)
        fail_msg("%s", from);
    size_t length = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    tree_write(path, bytes, length);
}

// A holder of device 0 in the container ID.
static void put_process(int pid, const char *id)
{
    char path[64], text[256];
    tree_process(pid, 1, "S", "python3 serve.py");
    tree_handle(pid, 3, 0, "0100002");
    snprintf(path, sizeof(path), "/proc/%d/cgroup", pid);
    snprintf(text, sizeof(text),
             "0::/kubepods.slice/kubepods-pod1f2e.slice/cri-containerd-%s.scope\n", id);
    tree_text(path, text);
}

static struct container_facts look(struct containers *containers, double now)
{
    struct container_facts facts = {.devices = 0};
    containers_find(containers, ID, 5, 246, now, &facts);
    containers_wait(containers, patience);
    assert_true(containers_find(containers, ID, 5, 246, now, &facts));
    return facts;
}

static struct container_facts look_once(void)
{
    struct containers *containers = containers_new(tree_root, true);
    assert_non_null(containers);
    struct container_facts facts = look(containers, 100);
    containers_free(containers);
    return facts;
}

static void every_runtime_has_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *path, *file, *container, *pod;
    } rows[] = {
        {CONTAINERD ID "/config.json", "containerd.json", "server", POD},
        {"/run/containerd/io.containerd.runtime.v2.task/default/" ID "/config.json", "nerdctl.json",
         "trainer", ""},
        {"/run/k3s/containerd/io.containerd.runtime.v2.task/k8s.io/" ID "/config.json",
         "containerd.json", "server", POD},
        {"/var/lib/docker/containers/" ID "/config.v2.json", "docker.json", "eager_bell", ""},
        {"/run/containers/storage/overlay-containers/" ID "/userdata/config.json", "crio.json",
         "server", "bert-0"},
        {STORAGE ID "/userdata/config.json", "crio.json", "server", "bert-0"},
        {STORAGE "containers.json", "storage.json", "notebook", ""},
        {STORAGE "volatile-containers.json", "storage.json", "notebook", ""},
        {"/run/containers/storage/overlay-containers/volatile-containers.json", "storage.json",
         "notebook", ""},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        put_fixture(rows[i].path, rows[i].file);
        struct container_facts facts = look_once();
        if (strcmp(facts.names.container, rows[i].container) != 0)
            fail_msg("%s: '%s'", rows[i].path, facts.names.container);
        assert_string_equal(facts.names.pod, rows[i].pod);
        tree_delete("/run");
        tree_delete("/var");
    }
}

// Docker's bundle lies in containerd's folder and has no name; docker's own file has.
static void the_next_place_is_asked(void **state)
{
    (void)state;
    put_fixture("/run/containerd/io.containerd.runtime.v2.task/moby/" ID "/config.json",
                "docker-bundle.json");
    put_fixture("/etc/docker/daemon.json", "docker-daemon.json");
    put_fixture("/mnt/nvme/docker/containers/" ID "/config.v2.json", "docker-ecs.json");
    assert_string_equal(look_once().names.container, "ecs-serve-5-server-acc699c0cbf2d6d11700");
    tree_delete("/mnt");
    put_fixture(STORAGE ID "/userdata/config.json", "podman.json");
    put_fixture(STORAGE "containers.json", "storage.json");
    assert_string_equal(look_once().names.container, "notebook");
    tree_delete("/var");
    tree_link("/var/log/containers/bert-0_research_server-" OTHER ".log", "/nowhere");
    tree_link("/var/log/containers/vision-1_research_main-" ID ".log", "/nowhere");
    struct container_facts facts = look_once();
    assert_string_equal(facts.names.container, "main");
    assert_string_equal(facts.names.pod, "vision-1");
    assert_string_equal(facts.names.pod_namespace, "research");
}

static void what_is_no_file_of_the_tree(void **state)
{
    (void)state;
    static const char path[] = "/var/lib/docker/containers/" ID "/config.v2.json";
    char whole[PATH_MAX * 2], outside[PATH_MAX];
    put_fixture(path, "docker.json");
    snprintf(whole, sizeof(whole), "%s%s", tree_root, path);
    snprintf(outside, sizeof(outside), "%s-outside", tree_root);
    assert_int_equal(rename(whole, outside), 0); // the good file is there, but not in the tree
    assert_int_equal(symlink(outside, whole), 0);
    assert_string_equal(look_once().names.container, "");
    assert_int_equal(unlink(whole), 0);
    assert_int_equal(symlink("../../../../../../../../../../../../dev/zero", whole), 0);
    assert_string_equal(look_once().names.container, "");
    assert_int_equal(unlink(whole), 0);
    assert_int_equal(mkfifo(whole, 0644), 0); // nobody writes: who waits, waits for ever
    assert_string_equal(look_once().names.container, "");
    assert_int_equal(unlink(whole), 0);
    assert_int_equal(rename(outside, whole), 0);
    assert_string_equal(look_once().names.container, "eager_bell");
    assert_int_equal(truncate(whole, (off_t)1 << 40), 0); // larger than any such file
    assert_string_equal(look_once().names.container, "");
    assert_int_equal(truncate(whole, 0), 0);
    assert_string_equal(look_once().names.container, "");
    put_fixture(path, "hostile-deep.json");
    assert_string_equal(look_once().names.container, "");
}

static void devices_by_the_nodes_in_its_root(void **state)
{
    (void)state;
    char whole[PATH_MAX * 2];
    tree_text("/c/dev/neuron0", "");
    tree_text("/c/dev/neuron12", "");
    tree_text("/c/dev/neuron64", ""); // more than there can be
    tree_text("/c/dev/neuron", "");
    tree_text("/c/dev/null", "");
    tree_link("/c/dev/neuron5", "/dev/null"); // a link is no node
    tree_link("/proc/5/root", "/c");
    assert_true(look_once().devices == (1u << 0 | 1u << 12));
    // a link to the outside stays inside: the tree's own /dev has other nodes
    tree_text("/dev/neuron3", "");
    tree_delete("/proc/5/root");
    tree_link("/proc/5/root", "../../../../../../..");
    assert_true(look_once().devices == 1u << 3);
    tree_delete("/proc/5/root");
    tree_link("/proc/5/root", "root");
    assert_true(look_once().devices == 0);
    // a renamed node: the minor number is the device's
    tree_delete("/proc/5/root");
    tree_link("/proc/5/root", "/c");
    tree_delete("/c/dev/neuron0");
    snprintf(whole, sizeof(whole), "%s/c/dev/neuron0", tree_root);
    if (mknod(whole, S_IFCHR | 0600, (dev_t)(246 << 8 | 2)) != 0)
        skip(); // no right to make nodes
    assert_true(look_once().devices == (1u << 2 | 1u << 12));
}

static void a_name_that_comes_later(void **state)
{
    (void)state;
    struct containers *containers = containers_new(tree_root, true);
    assert_string_equal(look(containers, 100).names.container, "");
    put_fixture(CONTAINERD ID "/config.json", "containerd.json");
    assert_string_equal(look(containers, 101).names.container, ""); // not at once
    assert_string_equal(look(containers, 111).names.container, "server");
    put_fixture(CONTAINERD ID "/config.json", "nerdctl.json"); // read once
    tree_text("/proc/5/root/dev/neuron1", "");
    struct container_facts facts = look(containers, 500);
    assert_string_equal(facts.names.container, "server");
    assert_true(facts.devices == 1u << 1);
    tree_delete("/proc/5");
    tree_delete("/run");
    assert_string_equal(look(containers, 9000).names.container, "server");
    // gone, and as if it had never been there
    containers_forget(containers, 9061);
    facts = look(containers, 9062);
    assert_string_equal(facts.names.container, "");
    assert_true(facts.devices == 0);
    containers_free(containers);
}

static void many_containers_and_no_answer(void **state)
{
    (void)state;
    struct containers *containers = containers_new(tree_root, true);
    struct container_facts facts;
    char id[PATH_MAX];
    for (unsigned i = 0; i < 2000; i++) {
        snprintf(id, sizeof(id), "%064x", i);
        containers_find(containers, id, 5, 246, 100, &facts);
    }
    snprintf(id, sizeof(id), "%064x", 1999);
    containers_wait(containers, patience);
    assert_false(containers_find(containers, id, 5, 246, 100, &facts)); // bounded
    containers_forget(containers, 200);
    assert_false(containers_find(containers, id, 5, 246, 200, &facts));
    containers_wait(containers, patience);
    assert_true(containers_find(containers, id, 5, 246, 200, &facts));
    containers_free(containers);
}

static const struct process *must_find(const struct host *host, int pid)
{
    const struct process *process = tree_find(host, pid);
    if (process == NULL)
        fail_msg("PID %d is missing", pid);
    return process;
}

static void the_first_snapshot_has_the_names(void **state)
{
    (void)state;
    char set[64];
    put_process(5, ID);
    put_process(6, OTHER);
    put_fixture(CONTAINERD ID "/config.json", "containerd.json");
    tree_text("/proc/5/root/dev/neuron0", "");
    tree_text("/proc/5/root/dev/neuron2", "");
    tree_environment(5, "AWS_NEURON_VISIBLE_DEVICES=0,2", 31);
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn1.32xlarge");
    proc_read(proc, 100);
    tree_fill(proc, host, 100);
    const struct process *process = must_find(host, 5);
    assert_string_equal(process->container, "server");
    assert_string_equal(process->container_id, "0123456789ab");
    assert_string_equal(process->pod, POD);
    assert_string_equal(process->pod_namespace, "inference");
    assert_string_equal(process->visible_devices, "0,2");
    assert_string_equal(core_set_format(process->given, set, sizeof(set)), "0,2");
    process = must_find(host, 6);
    assert_string_equal(process->container, "fedcba987654"); // the id has to do
    assert_string_equal(process->container_id, "fedcba987654");
    assert_null(process->pod);
    assert_null(process->given);
    host_free(host);
    proc_free(proc);
}

// What neuron_k8s_info says is kept; only the rest is filled in.
static void another_readers_word_is_kept(void **state)
{
    (void)state;
    put_process(5, ID);
    put_fixture(CONTAINERD ID "/config.json", "containerd.json");
    struct proc *proc = tree_reader();
    struct host *host = tree_host("trn1.32xlarge");
    struct process *told = build_process(host, 5, "a", 0, 1);
    told->container = "side";
    told->pod = "of-the-monitor";
    proc_read(proc, 100);
    tree_fill(proc, host, 100);
    const struct process *process = must_find(host, 5);
    assert_string_equal(process->container, "side");
    assert_string_equal(process->pod, "of-the-monitor");
    assert_string_equal(process->pod_namespace, "inference");
    assert_string_equal(process->container_id, "0123456789ab");
    host_free(host);
    proc_free(proc);
}

// A PID that is given to a process of another container has nothing of the first.
static void another_process_with_the_pid(void **state)
{
    (void)state;
    put_process(5, ID);
    put_fixture(CONTAINERD ID "/config.json", "containerd.json");
    struct proc *proc = tree_reader();
    proc_read(proc, 100);
    tree_delete("/proc/5");
    put_process(5, OTHER);
    tree_times(5, 1, "S", 1, 1, 9999, 1);
    for (int i = 1; i < 4; i++)
        proc_read(proc, 100 + i);
    struct host *host = tree_host("trn1.32xlarge");
    tree_fill(proc, host, 103);
    assert_string_equal(must_find(host, 5)->container, "fedcba987654");
    assert_null(must_find(host, 5)->pod);
    host_free(host);
    proc_free(proc);
}

static void what_cannot_be_read_is_said(void **state)
{
    (void)state;
    struct source_status status;
    char whole[PATH_MAX * 2];
    put_process(5, ID);
    put_fixture("/var/lib/docker/containers/" ID "/config.v2.json", "docker.json");
    snprintf(whole, sizeof(whole), "%s/var/lib/docker", tree_root);
    assert_int_equal(chmod(whole, 0), 0);
    bool reads_all = access(whole, R_OK) == 0;
    struct proc *proc = tree_reader();
    proc_read(proc, 100);
    proc_status(proc, 100, &status);
    assert_string_equal(status.detail,
                        reads_all
                            ? "1 process with a device open"
                            : "1 process with a device open, name of 1 container not readable");
    proc_free(proc);
    assert_int_equal(chmod(whole, 0755), 0);
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, tree_new, tree_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_TREE(every_runtime_has_its_place),      IN_TREE(the_next_place_is_asked),
        IN_TREE(what_is_no_file_of_the_tree),      IN_TREE(devices_by_the_nodes_in_its_root),
        IN_TREE(a_name_that_comes_later),          IN_TREE(many_containers_and_no_answer),
        IN_TREE(the_first_snapshot_has_the_names), IN_TREE(another_readers_word_is_kept),
        IN_TREE(another_process_with_the_pid),     IN_TREE(what_cannot_be_read_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
