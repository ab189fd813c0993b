// SPDX-License-Identifier: Apache-2.0
// The text forms of /proc: stat, status, fdinfo, maps, environ, cgroup, command lines.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/proc_parse.h"

// From samples/sysfs/running-driver-2.24.7-v3-16dev-busy.
static const char STAT[] =
    "168 (fakeworkload) S 1 0 0 0 -1 4194560 142 0 0 0 6 66 0 0 20 0 1 0 787 2183168 1 "
    "18446744073709551615 4198400 4809121 140726694312464 0 0 0 0 4 16386 1 0 0 17 0 0 0 0 0 0\n";

static void stat_line(void **state)
{
    (void)state;
    struct proc_stat stat;
    assert_true(proc_parse_stat(STAT, strlen(STAT), &stat));
    assert_int_equal(stat.pid, 168);
    assert_int_equal(stat.ppid, 1);
    assert_int_equal(stat.state, 'S');
    assert_int_equal(stat.user_ticks, 6);
    assert_int_equal(stat.system_ticks, 66);
    assert_int_equal(stat.threads, 1);
    assert_int_equal(stat.start_ticks, 787);
    assert_int_equal(stat.resident_pages, 1);
    assert_false(proc_stat_kernel(&stat));
}

// A command name may hold what looks like the rest of the line.
static void stat_with_a_hostile_name(void **state)
{
    (void)state;
    static const char line[] =
        "77 (a) R 5 (b)\n c) T 42 0 0 0 -1 2129984 1 2 3 4 10 20 0 0 20 0 3 0 999 1 2 3\n";
    struct proc_stat stat;
    assert_true(proc_parse_stat(line, strlen(line), &stat));
    assert_int_equal(stat.pid, 77);
    assert_int_equal(stat.ppid, 42);
    assert_int_equal(stat.state, 'T');
    assert_int_equal(stat.threads, 3);
    assert_int_equal(stat.start_ticks, 999);
    assert_true(proc_stat_kernel(&stat)); // 0x208040
}

static void stat_cut_anywhere_is_refused(void **state)
{
    (void)state;
    struct proc_stat stat;
    size_t whole = (size_t)(strstr(STAT, " 184467") - STAT); // through field 24
    for (size_t length = 0; length < whole - 1; length++)
        assert_false(proc_parse_stat(STAT, length, &stat));
    assert_true(proc_parse_stat(STAT, whole, &stat));
    assert_false(proc_parse_stat("", 0, &stat));
    assert_false(proc_parse_stat(")))", 3, &stat));
    static const char big[] = "99999999999 (a) S 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0";
    assert_false(proc_parse_stat(big, strlen(big), &stat));
}

static void status_lines(void **state)
{
    (void)state;
    static const char inside[] = "Name:\tx\nUid:\t1000\t1001\t1000\t1000\nNSpid:\t40112\t17\t3\n";
    static const char outside[] = "Name:\tUid:\t7\nNSpid:\t168\nUid:\t0\t0\t0\t0";
    struct proc_status status;
    proc_parse_status(inside, strlen(inside), &status);
    assert_true(status.uid_known);
    assert_int_equal(status.uid, 1001);
    assert_int_equal(status.pid_inside, 3);
    proc_parse_status(outside, strlen(outside), &status);
    assert_true(status.uid_known);
    assert_int_equal(status.uid, 0);
    assert_int_equal(status.pid_inside, 0);
    proc_parse_status("", 0, &status);
    assert_false(status.uid_known);
}

static void device_number(void **state)
{
    (void)state;
    static const char with[] =
        "Character devices:\n  1 mem\n246 neuron\n247 neuronx\n\nBlock devices:\n"
        "  8 sd\n";
    static const char block[] = "Character devices:\n  1 mem\n\nBlock devices:\n246 neuron\n";
    assert_int_equal(proc_parse_major(with, strlen(with)), 246);
    assert_int_equal(proc_parse_major(block, strlen(block)), -1);
    assert_int_equal(proc_parse_major("", 0), -1);
}

// Octal; the low two bits are the access mode (driver reference 3.2).
static void access_modes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum proc_access access;
    } rows[] = {
        {"pos:\t0\nflags:\t0100001\nmnt_id:\t5\n", PROC_ASKING},
        {"pos:\t0\nflags:\t02000001\n", PROC_ASKING},
        {"pos:\t0\nflags:\t0100002\n", PROC_ATTACHED},
        {"flags:\t02000000\n", PROC_ATTACHED},
        {"pos:\t0\n", PROC_UNTOLD},
        {"flags:", PROC_UNTOLD},
        {"", PROC_UNTOLD},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(proc_parse_access(rows[i].text, strlen(rows[i].text)), rows[i].access);
}

static void nodes(void **state)
{
    (void)state;
    assert_int_equal(proc_parse_node("/dev/neuron0", 12), 0);
    assert_int_equal(proc_parse_node("/dev/neuron63", 13), 63);
    assert_int_equal(proc_parse_node("/dev/neuron64", 13), -1);
    assert_int_equal(proc_parse_node("/dev/neuron", 11), -1);
    assert_int_equal(proc_parse_node("/dev/neuron1x", 13), -1);
    assert_int_equal(proc_parse_node("/dev/null", 9), -1);
    assert_int_equal(proc_parse_node("/dev/neuron99999999999999999999999", 34), -1);
}

static struct proc_mapping mapping(const char *line)
{
    struct proc_mapping result;
    bool any = proc_parse_mapping(line, strlen(line), &result);
    assert_int_equal(any, result.device >= 0 || result.fabric || result.runtime[0] != 0 ||
                              result.library[0] != 0 || result.python[0] != 0);
    return result;
}

static void mappings(void **state)
{
    (void)state;
    struct proc_mapping got =
        mapping("7fd8f0452000-7fd8f0492000 rw-s 40000fd80000 00:05 106            /dev/neuron11");
    assert_int_equal(got.device, 11);
    assert_string_equal(got.path, "/dev/neuron11");
    got = mapping("7f00-7f01 r-xp 0 103:01 9 /opt/amazon/efa/lib64/libfabric.so.1.27.0");
    assert_true(got.fabric && got.library[0] == '\0' && got.device == -1);
    got = mapping("7f00-7f01 r-xp 0 103:01 9 /opt/aws/neuron/lib/libnrt.so.2.30.51.0");
    assert_false(got.fabric);
    assert_int_equal(got.device, -1);
    assert_string_equal(got.runtime, "2.30.51.0");
    assert_false(got.deleted);
    got = mapping("7f00-7f01 r-xp 0 103:01 9 /opt/aws/neuron/lib/libnrt.so.2.29.41.0 (deleted)");
    assert_string_equal(got.runtime, "2.29.41.0");
    assert_true(got.deleted);
    static const char *const nothing[] = {
        "7f00-7f01 rw-p 00000000 00:00 0                          [heap]",
        "7f00-7f01 r-xp 0 103:01 9 /usr/lib/libnrt.so.2.30.51.0.bak",
        "7f00-7f01 r-xp 0 103:01 9 /dev/neuron",
        "",
    };
    for (size_t i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++) {
        got = mapping(nothing[i]);
        assert_int_equal(got.device, -1);
        assert_string_equal(got.runtime, "");
    }
}

// Inside a wheel the library has no version in its name; the folder of packages is told all the
// same.
static void mappings_of_environments(void **state)
{
    (void)state;
    struct proc_mapping got = mapping("7f00-7f01 r-xp 0 103:01 9 /usr/lib/libnrt.so.1");
    assert_string_equal(got.library, "/usr/lib/libnrt.so.1");
    assert_string_equal(got.runtime, "");
    got = mapping("7f00-7f01 r-xp 0 103:01 9 /v/lib/python3.10/site-packages/torch_neuron/lib/"
                  "libnrt.so (deleted)");
    assert_string_equal(got.library, "/v/lib/python3.10/site-packages/torch_neuron/lib/libnrt.so");
    assert_string_equal(got.python, "/v/lib/python3.10/site-packages");
    assert_true(got.neuron_python && got.deleted);
    got = mapping("7f00-7f01 r-xp 0 103:01 9 /usr/lib/python3/dist-packages/numpy/core.so");
    assert_string_equal(got.python, "/usr/lib/python3/dist-packages");
    assert_false(got.neuron_python);
    assert_string_equal(got.library, "");
    // what cannot be shown cannot be opened either
    got = mapping("7f00-7f01 r-xp 0 103:01 9 /v\033[2J/site-packages/neuron/a.so");
    assert_string_equal(got.python, "");
}

// In pieces of every size: the result never depends on how the bytes came.
static struct proc_environ environment(const char *bytes, size_t length, size_t piece)
{
    struct proc_environ got;
    struct proc_environ_feed feed;
    proc_environ_begin(&feed, &got);
    for (size_t at = 0; at < length; at += piece)
        proc_environ_feed(&feed, bytes + at, length - at < piece ? length - at : piece);
    proc_environ_end(&feed);
    return got;
}

static void only_neuron_names_are_kept(void **state)
{
    (void)state;
    static const char bytes[] =
        "PATH=/"
        "bin\0AWS_SECRET_ACCESS_KEY=hush\0AWS_NEURON_TOKEN=hush\0AWS_NEURON_VISIBLE_DEVICES_=hush\0"
        "AWS_NEURON_VISIBLE_DEVICES=0,2\0NEURON_RT_VISIBLE_CORES=0-3,8\0"
        "NEURON_API_TOKEN=hush\0XNEURON_RT_NUM_CORES=9\0NEURON_RT_NUM_CORES=5\0"
        "NEURON_RT_VIRTUAL_CORE_SIZE=1\0NEURON_LOGICAL_NC_CONFIG=2\0"
        "FI_EFA_FORK_SAFE=1\0FI_PROVIDER=efa\0"
        "NEURON_PROCESS_TAG=tr\033[31main\0NEURON_\0=\0\0HOME=/root";
    for (size_t piece = 1; piece < 80; piece++) {
        struct proc_environ got = environment(bytes, sizeof(bytes), piece);
        assert_string_equal(got.fork_safe, "1");
        assert_string_equal(got.visible_cores, "0-3,8");
        assert_string_equal(got.num_cores, "5");
        assert_string_equal(got.lnc, "2");
        assert_false(got.lnc_old_name);
        assert_string_equal(got.visible_devices, "0,2");
        assert_string_equal(got.tag, "tr\xef\xbf\xbd[31main");
        const char *whole = (const char *)&got;
        assert_null(memmem(whole, sizeof(got), "hush", 4));
    }
}

static void the_older_name_counts_alone(void **state)
{
    (void)state;
    static const char first[] = "NEURON_LOGICAL_NC_CONFIG=2\0NEURON_RT_VIRTUAL_CORE_SIZE=1";
    static const char alone[] = "NEURON_RT_VIRTUAL_CORE_SIZE=1";
    static const char none[] = "A=1\0B=2";
    assert_string_equal(environment(first, sizeof(first), 7).lnc, "2");
    assert_string_equal(environment(alone, sizeof(alone) - 1, 7).lnc, "1"); // no NUL at the end
    assert_true(environment(alone, sizeof(alone) - 1, 7).lnc_old_name);
    assert_false(environment(first, sizeof(first), 7).lnc_old_name);
    assert_string_equal(environment(first, sizeof(first), 7).lnc_old, "1");
    struct proc_environ got = environment(none, sizeof(none), 7), empty = {.tag = ""};
    assert_memory_equal(&got, &empty, sizeof(got));
}

static void a_value_without_end(void **state)
{
    (void)state;
    size_t size = 1 << 20;
    char *bytes = malloc(size);
    memset(bytes, '1', size);
    memcpy(bytes, "NEURON_RT_VISIBLE_CORES=", 24);
    memcpy(bytes + size - 26, "\0NEURON_RT_NUM_CORES=77", 24);
    struct proc_environ got = environment(bytes, size - 3, 4096);
    assert_string_equal(got.visible_cores, ""); // too long to be one: better none than half of it
    assert_string_equal(got.num_cores, "77");
    free(bytes);
}

static struct proc_environ one_item(const char *item)
{
    return environment(item, strlen(item), 7);
}

// Versions reference, section 5.1.
static void where_the_compile_cache_is(void **state)
{
    (void)state;
    struct proc_environ got = one_item(
        "NEURON_CC_FLAGS=--model-type hush  --cache_dir=/a --cache_dir=/mnt/fsx/cache -O1");
    assert_string_equal(got.cache_flag, "/mnt/fsx/cache");
    assert_null(memmem(&got, sizeof(got), "hush", 4));
    assert_false(got.no_cache || got.cache_unclear);
    assert_string_equal(one_item("NEURON_CC_FLAGS=--cache_dir s3://b/p").cache_flag, "s3://b/p");
    assert_string_equal(one_item("NEURON_CC_FLAGS=--cache_dir=\"/q\"").cache_flag, "/q");
    assert_string_equal(one_item("NEURON_CC_FLAGS=--cache_dirs=/q").cache_flag, "");
    got = one_item("NEURON_CC_FLAGS=--no_cache --cache_dir");
    assert_true(got.no_cache && got.cache_flag[0] == '\0');
    got = one_item("NEURON_COMPILE_CACHE_URL=file:///x y");
    assert_string_equal(got.cache_url, "file:///x y");
    assert_false(got.cache_unclear);
    assert_true(one_item("NEURON_CC_FLAGS=--cache_dir='/a b'").cache_unclear);
    assert_true(one_item("NEURON_COMPILE_CACHE_URL=/a\033[2J").cache_unclear);
    assert_true(one_item("NEURON_RT_ALLOW_LEGACY_NEFF=1").allow_legacy);
    assert_false(one_item("NEURON_RT_ALLOW_LEGACY_NEFF=0").allow_legacy);
}

// Of flags that are not read whole it is not known what they say last.
static void long_compiler_flags(void **state)
{
    (void)state;
    char item[8192];
    memset(item, 'x', sizeof(item));
    memcpy(item, "NEURON_CC_FLAGS=--cache_dir=/q ", 31);
    item[2000] = '\0';
    struct proc_environ got = one_item(item);
    assert_string_equal(got.cache_flag, "/q");
    assert_false(got.cache_unclear);
    item[2000] = 'x';
    assert_true(environment(item, sizeof(item), 100).cache_unclear);
    memcpy(item, "NEURON_CD_FLAGS", 15);
    assert_false(environment(item, sizeof(item), 100).cache_unclear);
}

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void container_ids(void **state)
{
    (void)state;
    static const struct {
        const char *cgroup, *id;
    } rows[] = {
        // docker: version 1 and 2, cgroupfs and systemd
        {"12:pids:/docker/" ID "\n11:cpu:/docker/" ID "\n", "0123456789ab"},
        {"0::/system.slice/docker-" ID ".scope\n", "0123456789ab"},
        {"0::/docker/" ID "/init.scope", "0123456789ab"},
        // Kubernetes with containerd and CRI-O
        {"0::/kubepods.slice/kubepods-burstable.slice/"
         "kubepods-burstable-pod1f2e3d4c_aaaa_bbbb_cccc_0123456789ab.slice/"
         "cri-containerd-" ID ".scope\n",
         "0123456789ab"},
        {"5:memory:/kubepods/burstable/pod1f2e3d4c-aaaa-bbbb-cccc-0123456789ab/" ID "\n",
         "0123456789ab"},
        {"3:cpuset:/system.slice/containerd.service/kubepods-besteffort-pod1f2e.slice:"
         "cri-containerd:" ID "\n",
         "0123456789ab"},
        {"0::/kubepods.slice/kubepods-pod1f2e.slice/crio-" ID ".scope/container\n", "0123456789ab"},
        {"4:cpu:/kubepods/pod1f2e/crio-" ID "\n", "0123456789ab"},
        // podman, nerdctl, ECS, Fargate
        {"0::/machine.slice/libpod-" ID ".scope/container\n", "0123456789ab"},
        {"0::/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID ".scope\n",
         "0123456789ab"},
        {"0::/system.slice/nerdctl-" ID ".scope\n", "0123456789ab"},
        {"7:cpu:/ecs/ffffffffffffffffffffffffffffffff/" ID "\n", "0123456789ab"},
        {"7:cpu:/ecs/ffffffffffffffffffffffffffffffff/"
         "fedcba9876543210fedcba9876543210-1234567890\n",
         "fedcba987654"},
        // the innermost of nested ones
        {"0::/docker/ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff/kubelet/"
         "kubepods/pod1/" ID "\n",
         "0123456789ab"},
        // by name
        {"0::/lxc.payload.trainer/user.slice\n", "trainer"},
        {"0::/machine.slice/machine-trainer.scope\n", "trainer"},
        // none
        {"0::/\n", NULL},
        {"0::/system.slice/train.service\n", NULL},
        {"0::/user.slice/user-1000.slice/session-3.scope\n", NULL},
        {"0::/kubepods.slice/crio-conmon-" ID ".scope\n", NULL},
        {"0::/x/0" ID "\n", NULL},
        {"0::/x/z" ID "\n", NULL},
        {"0::/../..\n", NULL},
        {"garbage", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char id[PROC_NAME] = "";
        bool found = proc_parse_container(rows[i].cgroup, strlen(rows[i].cgroup), id, sizeof(id));
        if (found != (rows[i].id != NULL))
            fail_msg("%s", rows[i].cgroup);
        if (found)
            assert_string_equal(id, rows[i].id);
        char whole[PROC_ID];
        bool digits = rows[i].id != NULL && strcmp(rows[i].id, "0123456789ab") == 0;
        assert_int_equal(proc_parse_container_id(rows[i].cgroup, strlen(rows[i].cgroup), whole),
                         digits);
        if (digits)
            assert_string_equal(whole, ID);
    }
}

static void units(void **state)
{
    (void)state;
    static const struct {
        const char *cgroup, *unit;
    } rows[] = {
        {"0::/system.slice/train.service\n", "train.service"},
        {"1:name=systemd:/system.slice/vllm@0.service/workers\n", "vllm@0.service"},
        {"0::/user.slice/user-1000.slice/user@1000.service/app.slice/job.service\n", "job.service"},
        {"0::/user.slice/user-1000.slice/user@1000.service/init.scope\n", NULL},
        {"0::/system.slice/ssh.service\n", NULL},
        {"0::/system.slice/docker.service\n", NULL},
        {"0::/user.slice/user-0.slice/session-1.scope\n", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char unit[PROC_NAME];
        bool found = proc_parse_unit(rows[i].cgroup, strlen(rows[i].cgroup), unit, sizeof(unit));
        assert_int_equal(found, rows[i].unit != NULL);
        if (found)
            assert_string_equal(unit, rows[i].unit);
    }
}

#define LAUNCHER(text) proc_parse_launcher(text, sizeof(text) - 1)

static void launchers(void **state)
{
    (void)state;
    assert_string_equal(LAUNCHER("/usr/bin/python3\0/usr/local/bin/torchrun\0--nproc\0008\0"),
                        "torchrun");
    assert_string_equal(LAUNCHER("python\0-u\0-m\0torch.distributed.run\0x.py"), "torchrun");
    assert_string_equal(LAUNCHER("python3.11\0-W\0ignore\0/opt/bin/deepspeed\0"), "deepspeed");
    assert_string_equal(LAUNCHER("mpirun\0-np\00032\0./job"), "mpirun");
    assert_string_equal(LAUNCHER("/usr/bin/mpiexec.hydra\0"), "mpiexec");
    assert_string_equal(LAUNCHER("slurmstepd: [4711.0]\0"), "slurmstepd");
    assert_string_equal(LAUNCHER("torchrun"), "torchrun");
    assert_null(LAUNCHER("python3\0train.py\0torchrun\0"));
    assert_null(LAUNCHER("python3\0-c\0import torchrun\0"));
    assert_null(LAUNCHER("python3\0-m\0"));
    assert_null(LAUNCHER("bash\0-c\0torchrun x.py"));
    assert_null(LAUNCHER("/sbin/init\0splash"));
    assert_null(LAUNCHER("\0\0\0"));
    assert_null(proc_parse_launcher("", 0));
}

#define POOL(text) proc_parse_pool_worker(text, sizeof(text) - 1)

static void pool_workers(void **state)
{
    (void)state;
    assert_true(POOL("/usr/bin/python3\0-c\0from multiprocessing.spawn import spawn_main; "
                     "spawn_main(tracker_fd=5, pipe_handle=7)\0--multiprocessing-fork\0"));
    assert_true(POOL("python3.11\0-c\0from multiprocessing.forkserver import main; main(6, 7)\0"));
    assert_false(POOL("python3\0train.py\0"));
    assert_false(POOL("bash\0--multiprocessing-fork\0"));
    assert_false(proc_parse_pool_worker("", 0));
    assert_true(proc_parse_python("/opt/venv/bin/python3.12", 24));
    assert_false(proc_parse_python("", 0));
}

static void command_lines(void **state)
{
    (void)state;
    char buffer[64];
    proc_clean_command("python3\0train.py\0--x\0", 21, buffer, sizeof(buffer));
    assert_string_equal(buffer, "python3 train.py --x");
    proc_clean_command("a title without end", 19, buffer, sizeof(buffer));
    assert_string_equal(buffer, "a title without end");
    proc_clean_command("a\033]0;x\007\nb\x9b\xff", 12, buffer, sizeof(buffer));
    for (const char *at = buffer; *at != '\0'; at++)
        assert_true((unsigned char)*at >= ' ' && *at != 0x7f);
    size_t size = 1 << 20;
    char *huge = malloc(size);
    memset(huge, 'x', size);
    proc_clean_command(huge, size, buffer, sizeof(buffer));
    assert_int_equal(strlen(buffer), sizeof(buffer) - 1);
    memset(huge, 0, size);
    proc_clean_command(huge, size, buffer, sizeof(buffer));
    assert_string_equal(buffer, "");
    free(huge);
}

static void passwd_lines(void **state)
{
    (void)state;
    static const char text[] =
        "root:x:0:0::/root:/bin/sh\n:x:7:7::\nbroken\nml\007:x:1000:1000::/:/bin/sh";
    char name[PROC_NAME];
    assert_true(proc_parse_passwd(text, strlen(text), 0, name, sizeof(name)));
    assert_string_equal(name, "root");
    assert_true(proc_parse_passwd(text, strlen(text), 1000, name, sizeof(name)));
    assert_string_equal(name, "ml\xef\xbf\xbd");
    assert_false(proc_parse_passwd(text, strlen(text), 7, name, sizeof(name)));
    assert_false(proc_parse_passwd(text, strlen(text), 1, name, sizeof(name)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stat_line),
        cmocka_unit_test(stat_with_a_hostile_name),
        cmocka_unit_test(stat_cut_anywhere_is_refused),
        cmocka_unit_test(status_lines),
        cmocka_unit_test(device_number),
        cmocka_unit_test(access_modes),
        cmocka_unit_test(nodes),
        cmocka_unit_test(mappings),
        cmocka_unit_test(mappings_of_environments),
        cmocka_unit_test(only_neuron_names_are_kept),
        cmocka_unit_test(the_older_name_counts_alone),
        cmocka_unit_test(a_value_without_end),
        cmocka_unit_test(where_the_compile_cache_is),
        cmocka_unit_test(long_compiler_flags),
        cmocka_unit_test(container_ids),
        cmocka_unit_test(units),
        cmocka_unit_test(launchers),
        cmocka_unit_test(pool_workers),
        cmocka_unit_test(command_lines),
        cmocka_unit_test(passwd_lines),
    };
    return cmocka_run_group_tests_name("proc_parse", tests, NULL, NULL);
}
