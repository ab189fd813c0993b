// SPDX-License-Identifier: Apache-2.0
// What is installed: the forms on a disk, and a whole host built below a temporary folder (versions
// reference 2.1 to 2.3; field cases F-02, F-27).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "proc_tree.h"
#include "source/inside.h"
#include "source/packages.h"
#include "source/source.h"

#define TREE ((const char *)tree_root)

static int tree_fd(void)
{
    int fd = open(TREE, O_PATH | O_DIRECTORY | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

static void put(const char *path, const char *text)
{
    tree_text(path, text);
}

static struct installed read_tree(void)
{
    struct installed installed = {0};
    int fd = tree_fd();
    installed_read(&installed, TREE, fd);
    close(fd);
    return installed;
}

static const char *version_in(const struct installed *installed, enum component component)
{
    for (size_t i = 0; i < installed->count; i++)
        if (installed->packages[i].component == component)
            return installed->packages[i].version;
    return "none";
}

static void versions_of_packages(void **state)
{
    (void)state;
    char version[VERSION_TEXT];
    assert_true(version_take(version, " 2.31.24.0-0b044f4ce ", 21));
    assert_string_equal(version, "2.31.24.0-0b044f4ce");
    assert_true(version_take(version, "2.23.6484.0+3b612583", 20));
    static const char *const bad[] = {
        "",           "v2",     "2.1 3",
        "2.1\033[2J", "2.1/..", "1234567890123456789012345678901234567890123456789"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_false(version_take(version, bad[i], strlen(bad[i])));
        assert_string_equal(version, "");
    }
}

struct taken {
    unsigned count;
    char text[512];
};

static void take(void *user, enum component component, const char *version)
{
    struct taken *taken = user;
    size_t used = strlen(taken->text);
    taken->count++;
    snprintf(taken->text + used, sizeof(taken->text) - used, "%s %s;", component_name(component),
             version);
}

static const char status[] = "Package: aws-neuronx-dkms\n"
                             "Status: install ok installed\n"
                             "Priority: optional\n"
                             "Version: 2.30.2.0\n"
                             "Description: a line\n"
                             " Version: 9.9.9.9\n"
                             "\n"
                             "Package: aws-neuronx-tools\n"
                             "Status: deinstall ok config-files\n"
                             "Version: 2.1.0.0\n"
                             "\n"
                             "Package: bash\n"
                             "Status: install ok installed\n"
                             "Version: 5.2\n"
                             "\n"
                             "Version: 2.34.10.0-0b044f4ce\n"
                             "Status: hold ok installed\n"
                             "package: aws-neuronx-runtime-lib";

// In pieces of every size: the result never depends on how the bytes came.
static void debian_status(void **state)
{
    (void)state;
    for (size_t piece = 1; piece < sizeof(status); piece++) {
        struct dpkg_feed feed;
        struct taken taken = {0};
        dpkg_begin(&feed, take, &taken);
        for (size_t at = 0; at < sizeof(status) - 1; at += piece) {
            size_t left = sizeof(status) - 1 - at;
            dpkg_feed(&feed, status + at, left < piece ? left : piece);
        }
        dpkg_end(&feed);
        assert_string_equal(taken.text, "driver 2.30.2.0;runtime 2.34.10.0-0b044f4ce;");
    }
}

static void python_metadata(void **state)
{
    (void)state;
    char version[VERSION_TEXT];
    enum component component;
    assert_true(dist_info_parse("neuronx_cc-2.23.6484.0+3b612583.dist-info", &component, version));
    assert_int_equal(component, COMPONENT_COMPILER);
    assert_string_equal(version, "2.23.6484.0+3b612583");
    assert_false(dist_info_parse("numpy-1.26.4.dist-info", &component, version));
    assert_false(dist_info_parse("neuronx_cc-2.23.6484.0.egg-info", &component, version));
    assert_false(dist_info_parse("neuronx_cc.dist-info", &component, version));
    assert_false(dist_info_parse(".dist-info", &component, version));
    static const char text[] = "Metadata-Version: 2.1\r\nName: neuronx-cc\r\nVersion: 2.1.0.76\r\n";
    assert_true(metadata_parse(text, sizeof(text) - 1, version));
    assert_string_equal(version, "2.1.0.76");
    static const char late[] = "Name: nki\n\nVersion: 1.2.3\n"; // in the description
    assert_false(metadata_parse(late, sizeof(late) - 1, version));
    assert_false(metadata_parse("", 0, version));
}

static void module_version(void **state)
{
    (void)state;
    char version[VERSION_TEXT];
    static const char module[] = "\0license=GPL\0srcversion=1234567\0version=2.24.7.0\0depends=";
    assert_true(module_scan(module, sizeof(module), version));
    assert_string_equal(version, "2.24.7.0");
    static const char other[] = "\0srcversion=12\0version=abc\0version=2.2";
    assert_false(module_scan(other, sizeof(other) - 1, version)); // its end is not here
    assert_int_equal(modules_dep_path("updates/dkms/neuron.ko.zst: a.ko\n", 33), 26);
    assert_int_equal(modules_dep_path("kernel/neuron.ko:", 17), 16);
    assert_int_equal(modules_dep_path("kernel/xneuron.ko:", 18), 0);
    assert_int_equal(modules_dep_path("kernel/neuron.kox:", 18), 0);
    assert_int_equal(modules_dep_path("kernel/a.ko: kernel/neuron.ko\n", 30), 0);
}

static void library_version(void **state)
{
    (void)state;
    char version[VERSION_TEXT];
    struct libnrt_scan scan = {0};
    static const char text[] = "\0001.2.3.4\0xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\0"
                               "libnrt version %s\0\0002.18.15.0\0";
    libnrt_scan(&scan, text, sizeof(text), 1);
    assert_true(libnrt_result(&scan, version));
    assert_string_equal(version, "2.18.15.0");
    scan = (struct libnrt_scan){0};
    libnrt_scan(&scan, "\0002.18.15.0\0", 11, 1);
    assert_true(libnrt_result(&scan, version)); // the only one
    libnrt_scan(&scan, "\0001.1.1.1\0", 9, 100);
    assert_false(libnrt_result(&scan, version)); // two, and nothing to tell them apart
    scan = (struct libnrt_scan){0};
    libnrt_scan(&scan, "\0002.18.15\0\0002.18.15.0.1\0\0002.18.15.0", 32, 1);
    assert_false(libnrt_result(&scan, version));
    assert_true(library_parse("libnccom.so.2.31.24.0", "libnccom.so.", version));
    assert_string_equal(version, "2.31.24.0");
    assert_false(library_parse("libnccom.so.1", "libnccom.so.", version));
}

static void glibc_version(void **state)
{
    (void)state;
    char version[VERSION_TEXT];
    static const char ubuntu[] =
        "x\0GNU C Library (Ubuntu GLIBC 2.35-0ubuntu3.8) stable release version 2.35.\nCopyright";
    assert_true(glibc_scan(ubuntu, sizeof(ubuntu), version));
    assert_string_equal(version, "2.35");
    static const char amazon[] = "GNU C Library (GNU libc) stable release version 2.26, by R.\n";
    assert_true(glibc_scan(amazon, sizeof(amazon), version));
    assert_string_equal(version, "2.26");
    size_t cut = sizeof(ubuntu) - sizeof("5.\nCopyright");
    assert_false(glibc_scan(ubuntu, cut, version)); // "2.3" would be another version
    assert_string_equal(version, "");
    assert_false(glibc_scan("GNU C Library", 13, version));
    assert_false(glibc_scan("GNU C Library (x) stable release version x\n", 43, version));
    assert_false(glibc_scan("musl libc release version 2.35.\n", 32, version));
}

static void adapters_and_c_library(void **state)
{
    (void)state;
    assert_false(known_u64(read_tree().presence.efa));
    put("/usr/lib64/libc.so.6", "ELF GNU C Library (GNU libc) stable release version 2.34.\n");
    tree_link("/lib64", "usr/lib64");
    put("/sys/class/infiniband/mlx5_0/x", "");
    struct installed installed = read_tree();
    assert_string_equal(installed.glibc, "2.34");
    assert_int_equal(installed.presence.efa.value, 0);
    put("/sys/class/infiniband/efa_0/x", "");
    assert_int_equal(read_tree().presence.efa.value, 1);
    put("/sys/bus/pci/drivers/efa/0000:00:05.0", "");
    put("/sys/bus/pci/drivers/efa/0000:00:06.0", "");
    put("/sys/bus/pci/drivers/efa/bind", "");
    assert_int_equal(read_tree().presence.efa.value, 2);
}

static void a_debian_host(void **state)
{
    (void)state;
    static const char module[] = "ELF\0\0version=2.30.2.0\0rest";
    put("/proc/sys/kernel/osrelease", "6.8.0-1021-aws\n");
    put("/sys/module/neuron/version", "2.29.0.0\n");
    put("/var/lib/dpkg/status", status);
    put("/lib/modules/6.8.0-1021-aws/modules.dep",
        "kernel/a.ko:\nupdates/dkms/neuron.ko: kernel/a.ko\n");
    tree_write("/lib/modules/6.8.0-1021-aws/updates/dkms/neuron.ko", module, sizeof(module));
    struct installed installed = read_tree();
    assert_string_equal(installed.kernel, "6.8.0-1021-aws");
    assert_string_equal(installed.driver_loaded, "2.29.0.0");
    assert_string_equal(installed.driver_disk, "2.30.2.0"); // F-02
    assert_string_equal(installed.driver_from,
                        "/lib/modules/6.8.0-1021-aws/updates/dkms/neuron.ko");
    assert_string_equal(version_in(&installed, COMPONENT_RUNTIME), "2.34.10.0-0b044f4ce");
    assert_null(installed.tools_trouble);
    put("/opt/aws/neuron/bin/neuron-ls", "");
    assert_non_null(strstr(read_tree().tools_trouble, "no list of packages"));
    assert_string_equal(version_in(&installed, COMPONENT_TOOLS), "none");
    assert_int_equal(installed.presence.module_files.value, 1);
    assert_int_equal(installed.presence.module_loaded.value, 1);
    assert_true(installed.list_read);
}

static void an_rpm_host(void **state)
{
    (void)state;
    put("/proc/sys/kernel/osrelease", "6.1.0\n");
    put("/opt/aws/neuron/lib/libnrt.so.2.31.24.0", "");
    put("/opt/aws/neuron/lib/libnrt.so.2.9.99.0", "");
    put("/opt/aws/neuron/lib/libnccom.so.2.31.24.0", "");
    put("/opt/aws/neuron/lib/libnccom.so.2.30.0.0", "");
    tree_link("/opt/aws/neuron/lib/libnccom.so.1", "libnccom.so.2.30.0.0");
    put("/var/lib/dkms/aws-neuronx/2.27.4.0/6.1.0/log", "");
    put("/var/lib/dkms/aws-neuronx/2.28.0.0/5.0.0/log", ""); // built for another kernel
    put("/usr/src/aws-neuronx-2.28.0.0/dkms.conf", "");
    put("/lib/modules/6.1.0/extra/neuron.ko.xz", "compressed");
    put("/var/lib/rpm/rpmdb.sqlite", "SQLite format 3");
    assert_null(read_tree().tools_trouble); // there are none
    put("/opt/aws/neuron/bin/neuron-monitor", "");
    struct installed installed = read_tree();
    assert_string_equal(version_in(&installed, COMPONENT_TOOLS), "none");
    assert_non_null(strstr(installed.tools_trouble, "RPM database"));
    assert_string_equal(version_in(&installed, COMPONENT_RUNTIME), "2.31.24.0"); // 2.9 < 2.31
    assert_string_equal(version_in(&installed, COMPONENT_COLLECTIVES), "2.30.0.0");
    assert_string_equal(installed.driver_disk, "2.27.4.0");
    assert_string_equal(installed.driver_from, "/var/lib/dkms/aws-neuronx/2.27.4.0");
    assert_string_equal(installed.driver_trouble,
                        "/lib/modules/6.1.0/extra/neuron.ko.xz: it names no version");
    assert_int_equal(installed.presence.module_files.value, 1);
    assert_false(known_u64(installed.presence.module_loaded)); // no /sys/module: cannot be told
}

static void no_module_for_the_kernel(void **state) // F-27
{
    (void)state;
    put("/proc/sys/kernel/osrelease", "5.19.0-1022-aws\n");
    put("/sys/module/ext4/version", "1\n");
    put("/lib/modules/5.15.0-1019-aws/modules.dep", "updates/dkms/neuron.ko:\n");
    put("/usr/src/aws-neuronx-2.5.41.0/dkms.conf", "");
    struct installed installed = read_tree();
    assert_true(known_u64(installed.presence.module_files));
    assert_int_equal(installed.presence.module_files.value, 0);
    assert_true(known_u64(installed.presence.module_loaded));
    assert_int_equal(installed.presence.module_loaded.value, 0);
    assert_string_equal(installed.driver_disk, "2.5.41.0");
    assert_string_equal(installed.driver_from, "/usr/src/aws-neuronx-2.5.41.0");
}

static void nothing_at_all(void **state)
{
    (void)state;
    struct installed installed = read_tree();
    assert_int_equal(installed.count, 0);
    assert_string_equal(installed.kernel, "");
    assert_false(known_u64(installed.presence.module_files));
    assert_false(known_u64(installed.presence.pci_functions));
    assert_false(known_u64(installed.presence.nodes));
}

static void neuron_on_the_bus(void **state)
{
    (void)state;
    put("/sys/bus/pci/devices/0000:00:1f.0/vendor", "0x1d0f\n");
    put("/sys/bus/pci/devices/0000:00:1f.0/device", "0x7064\n");
    put("/sys/bus/pci/devices/0000:00:05.0/vendor", "0x1d0f\n");
    put("/sys/bus/pci/devices/0000:00:05.0/device", "0xec20\n"); // its network card
    put("/dev/neuron0", "");
    put("/dev/neurons", "");
    struct installed installed = read_tree();
    assert_int_equal(installed.presence.pci_functions.value, 1);
    assert_int_equal(installed.presence.pci_inf1.value, 1);
    assert_int_equal(installed.presence.nodes.value, 1);
}

struct found {
    size_t count;
    struct installed_environment *items[8];
};

static void keep(void *user, struct installed_environment *environment)
{
    struct found *found = user;
    assert_true(found->count < 8);
    found->items[found->count++] = environment;
}

#define VENV "/opt/aws_neuronx_venv_pytorch_2_9/lib/python3.10/site-packages"

static void environments(void **state)
{
    (void)state;
    struct found found = {0};
    put(VENV "/neuronx_cc-2.27.5334.0+1.dist-info/METADATA",
        "Name: neuronx-cc\nVersion: 2.27.0.1\n");
    put(VENV "/torch_neuronx-2.9.0.2.15.32035+8e87.dist-info/RECORD", "");
    put(VENV "/numpy-1.26.4.dist-info/METADATA", "Name: numpy\nVersion: 1.26.4\n");
    put("/usr/lib/python3/dist-packages/six-1.16.0.dist-info/METADATA", "Version: 1\n");
    int fd = tree_fd();
    environments_find(fd, keep, &found);
    close(fd);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.items[0]->path, VENV);
    assert_int_equal(found.items[0]->count, 2);
    assert_int_equal(found.items[0]->packages[0].component, COMPONENT_COMPILER);
    assert_string_equal(found.items[0]->packages[0].version, "2.27.0.1");
    assert_string_equal(found.items[0]->packages[1].version, "2.9.0.2.15.32035+8e87");
    free(found.items[0]);
}

// Links that lead out of the tree, a pipe, a folder in the place of a file.
static void hostile_trees(void **state)
{
    (void)state;
    char path[PATH_MAX], outside[PATH_MAX], version[VERSION_TEXT];
    snprintf(outside, sizeof(outside), "%s-outside", TREE);
    FILE *file = fopen(outside, "we");
    assert_non_null(file);
    fputs("Package: aws-neuronx-dkms\nStatus: install ok installed\nVersion: 6.6.6.6\n", file);
    fclose(file);
    put("/var/lib/dpkg/x", "");
    tree_link("/var/lib/dpkg/status", outside);
    put("/proc/sys/kernel/osrelease", "../../..\n");
    snprintf(path, sizeof(path), "%s/fifo", TREE);
    assert_int_equal(mkfifo(path, 0600), 0);
    put("/lib/modules/neuron.ko/x", "");
    struct installed installed = read_tree();
    unlink(outside);
    assert_int_equal(installed.count, 0);
    assert_string_equal(installed.kernel, "");
    int fd = tree_fd();
    assert_false(library_read(fd, "/fifo", version));
    struct module_file module = {0};
    assert_non_null(module_read(fd, "/lib/modules/neuron.ko", &module));
    assert_null(environment_read(fd, "/fifo"));
    assert_null(environment_read(fd, "/../../../etc"));
    close(fd);
}

// The reader at work, until it has told all that it was asked.
static struct host *read_with(struct source *source, const char *runtime, const char *python)
{
    for (int tries = 0; tries < 500; tries++) {
        struct source_status told = {0};
        struct pollfd ready = {.events = POLLIN};
        struct host *host = host_new();
        host->process_count = 2;
        host->processes = ARENA_ARRAY(host->arena, 2, struct process);
        for (unsigned i = 0; i < 2; i++) {
            host->processes[i].pid = fact_u64(77 + i, FROM_PROC);
            host->processes[i].runtime_path = runtime;
            host->processes[i].python_path = python;
        }
        source->ops->work(source, 0);
        source->ops->fill(source, host, 0);
        source->ops->status(source, 0, &told);
        if (told.state == SOURCE_LIVE)
            return host;
        host_free(host);
        assert_int_equal(source->ops->fds(source, &ready.fd, 1), 1);
        poll(&ready, 1, 20);
    }
    fail_msg("the reader is not done");
    return NULL;
}

static void the_files_of_processes(void **state)
{
    (void)state;
    static const char library[] = "x\0libnrt version %s\0\0002.18.15.0\0";
    static const char site[] = "/venv/lib/python3.10/site-packages";
    char path[PATH_MAX];
    put("/sys/module/neuron/version", "2.30.2.0\n");
    tree_write("/proc/77/root/wheel/libnrt.so", library, sizeof(library));
    snprintf(path, sizeof(path), "/proc/77/root%s/neuronx_cc-2.1.0.76.dist-info/METADATA", site);
    tree_text(path, "Name: neuronx-cc\nVersion: 2.1.0.76\n");
    put("/proc/77/root/lib64/libc.so.6", "GNU C Library (x) stable release version 2.35.\n");
    put("/lib64/libc.so.6", "GNU C Library (x) stable release version 2.34.\n");
    tree_link("/proc/78/root", "/proc/77/root"); // stays in the tree
    struct source_options options = {.root = TREE};
    struct source source = {.ops = &source_packages, .options = &options};
    struct trouble trouble;
    assert_true(source.ops->open(&source, &trouble));
    struct host *host = read_with(&source, "/wheel/libnrt.so", site);
    assert_string_equal(host->versions.driver, "2.30.2.0");
    assert_int_equal(host->versions.environment_count, 1); // one folder, two processes
    for (unsigned i = 0; i < 2; i++) {
        assert_string_equal(host->processes[i].runtime_version, "2.18.15.0");
        assert_string_equal(host->processes[i].glibc, "2.35"); // of its own root
        assert_ptr_equal(host->processes[i].environment, &host->versions.environments[0]);
    }
    assert_string_equal(host->versions.environments[0].path, site);
    assert_true(host->versions.environments[0].used);
    assert_string_equal(host->versions.compiler, "2.1.0.76");
    assert_string_equal(host->machine.glibc, "2.34");
    host_free(host);
    host = read_with(&source, "/no/libnrt.so", "/../../../../usr/lib/python3/dist-packages");
    assert_null(host->processes[0].runtime_version);
    assert_null(host->processes[1].environment);
    host_free(host);
    source.ops->close(&source);
}

// A link to / in a captured tree is the tree's own root, never the one of this machine.
static void a_link_leads_nowhere_else(void **state)
{
    (void)state;
    static const char library[] = "x\0libnrt version %s\0\0002.18.15.0\0";
    char outside[PATH_MAX];
    snprintf(outside, sizeof(outside), "%s-libnrt.so", TREE);
    FILE *file = fopen(outside, "we");
    assert_non_null(file);
    fwrite(library, 1, sizeof(library), file);
    fclose(file);
    put("/proc/1/x", "");
    tree_link("/proc/77/root", "/");
    tree_link("/proc/78/root", "../../../../../../..");
    struct source_options options = {.root = TREE};
    struct source source = {.ops = &source_packages, .options = &options};
    struct trouble trouble;
    assert_true(source.ops->open(&source, &trouble));
    struct host *host = read_with(&source, outside, "/usr/lib/python3/dist-packages");
    unlink(outside);
    for (unsigned i = 0; i < 2; i++)
        assert_null(host->processes[i].runtime_version);
    host_free(host);
    source.ops->close(&source);
}

// A link that goes round in circles in the tree, and somewhere on this machine.
static void a_loop_leads_nowhere_else(void **state)
{
    (void)state;
    char outside[PATH_MAX];
    snprintf(outside, sizeof(outside), "%s-outside", TREE);
    tree_link(outside, outside);
    tree_link("/proc/77/root", outside);
    assert_int_equal(mkdir(outside, 0700), 0);
    int root = tree_fd(), followed = inside_process_root(root, 77);
    assert_int_equal(rmdir(outside), 0);
    assert_int_equal(followed, -1);
    close(root);
}

// The kernel's own link is followed where it leads.
static void the_root_of_a_process(void **state)
{
    (void)state;
    struct stat here, there;
    int slash = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    int root = inside_process_root(slash, (uint64_t)getpid());
    assert_true(slash >= 0 && root >= 0);
    assert_int_equal(fstat(root, &there), 0);
    assert_int_equal(stat("/", &here), 0);
    assert_true(here.st_ino == there.st_ino && here.st_dev == there.st_dev);
    assert_int_equal(inside_process_root(slash, UINT64_MAX), -1);
    close(root);
    close(slash);
}

// A device would take an open for a job; a pipe stands for it here, and is watched for opens.
static void nothing_but_files_is_opened(void **state)
{
    (void)state;
    char path[PATH_MAX], events[4096];
    put("/there", "x");
    snprintf(path, sizeof(path), "%s/pipe.neff", TREE);
    assert_int_equal(mkfifo(path, 0600), 0);
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), root = tree_fd();
    assert_true(watch >= 0 && inotify_add_watch(watch, TREE, IN_OPEN) >= 0);
    errno = 0;
    assert_int_equal(inside_file(root, "pipe.neff"), -1);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(read(watch, events, sizeof(events)), -1);
    assert_int_equal(inside_file(root, "nowhere"), -1);
    assert_int_equal(errno, ENOENT);
    int fd = inside_file(root, "/there");
    assert_true(fd >= 0);
    assert_int_equal(read(fd, events, sizeof(events)), 1);
    assert_true(read(watch, events, sizeof(events)) > 0); // the watch does see an open
    close(fd);
    close(root);
    close(watch);
}

int main(void)
{
#define ON_TREE(test) cmocka_unit_test_setup_teardown(test, tree_new, tree_remove)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_of_packages),
        cmocka_unit_test(debian_status),
        cmocka_unit_test(python_metadata),
        cmocka_unit_test(module_version),
        cmocka_unit_test(library_version),
        cmocka_unit_test(glibc_version),
        ON_TREE(adapters_and_c_library),
        ON_TREE(a_debian_host),
        ON_TREE(an_rpm_host),
        ON_TREE(no_module_for_the_kernel),
        ON_TREE(nothing_at_all),
        ON_TREE(neuron_on_the_bus),
        ON_TREE(environments),
        ON_TREE(hostile_trees),
        ON_TREE(the_files_of_processes),
        ON_TREE(a_link_leads_nowhere_else),
        ON_TREE(a_loop_leads_nowhere_else),
        cmocka_unit_test(the_root_of_a_process),
        ON_TREE(nothing_but_files_is_opened),
    };
    return cmocka_run_group_tests_name("packages", tests, NULL, NULL);
}
