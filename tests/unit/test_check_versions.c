// SPDX-License-Identifier: Apache-2.0
// The rules about versions: field cases F-01, F-02, F-04, F-05, F-13, F-14 and F-27 with their
// right values, silence on every release's own set, and each set with one component changed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "host/sdk.h"
#include "host/version.h"
#include "must_find.h"

static const struct finding *must(const struct host *host, const char *id, enum severity severity,
                                  const char *summary)
{
    const struct finding *finding = must_find(host, id);
    assert_string_equal(finding->summary, summary);
    assert_int_equal(finding->severity, severity);
    return finding;
}

static bool says(const struct finding *finding, const char *part)
{
    for (unsigned i = 0; i < finding->evidence_count; i++)
        if (strstr(finding->evidence[i], part) != NULL)
            return true;
    return strstr(finding->remedy, part) != NULL;
}

static struct host *pair(const char *type, const char *driver, const char *runtime)
{
    struct host *host = build_host(type, 0);
    host->versions.driver = driver;
    host->versions.runtime_installed = runtime;
    return host;
}

// F-04: both directions, and numbers compared number by number.
static void two_sided_rules(void **state)
{
    (void)state;
    struct host *host = pair("trn2.48xlarge", "2.26.10.0", "2.32.31.0");
    must(host, "driver-too-old", SEVERITY_CRITICAL,
         "driver 2.26.10.0 is too old for runtime 2.32.31.0");
    assert_null(may_find(host, "runtime-too-old"));
    host_free(host);
    host = pair("trn2.48xlarge", "2.29.0.0", "2.32.31.0");
    const struct finding *finding = must(host, "runtime-too-old", SEVERITY_CRITICAL,
                                         "runtime 2.32.31.0 is too old for driver 2.29.0.0");
    assert_true(says(finding, "runtime 2.32.31.0: installed"));
    assert_true(says(finding, "aws-neuronx-runtime-lib"));
    assert_null(may_find(host, "driver-too-old"));
    host_free(host);
    host = pair("trn2.48xlarge", "2.29.0.0", "2.33.10.0");
    assert_int_equal(check_run(host).count, 0);
    host_free(host);
    host = pair("trn1.32xlarge", "2.9.4.0", "2.32.31.0"); // 2.9 < 2.26
    must_find(host, "driver-too-old");
    host_free(host);
    host = pair("trn2.48xlarge", "2.20.27.0", "2.24.53.0");
    must(host, "driver-too-old", SEVERITY_CRITICAL,
         "driver 2.20.27.0 is too old for runtime 2.24.53.0");
    host_free(host);
    host = pair("trn1.32xlarge", "2.20.27.0", "2.24.53.0"); // a rule of Trainium2 only
    assert_null(may_find(host, "driver-too-old"));
    host_free(host);
}

// What the notes do not say in so many words is no alarm, and says so.
static void inferred_rules_only_warn(void **state)
{
    (void)state;
    struct host *host = pair("trn2.48xlarge", "2.30.2.0", "2.32.31.0");
    const struct finding *finding = must(host, "runtime-too-old", SEVERITY_WARNING,
                                         "runtime 2.32.31.0 is too old for driver 2.30.2.0");
    assert_true(says(finding, "by inference"));
    host_free(host);
}

// The process in a container brings its own runtime: it is judged, and named.
static void runtimes_of_processes_are_judged(void **state)
{
    (void)state;
    struct host *host = pair("trn2.48xlarge", "2.29.0.0", "2.33.10.0");
    struct process *process = build_process(host, 77, "vllm serve", 0, 4);
    process->runtime_version = "2.32.31.0";
    const struct finding *finding = must(host, "runtime-too-old", SEVERITY_CRITICAL,
                                         "runtime 2.32.31.0 is too old for driver 2.29.0.0");
    assert_string_equal(finding->subject, "PID 77 (vllm)");
    assert_true(says(finding, "run by PID 77 (vllm)"));
    process->state = PROCESS_GONE;
    assert_null(may_find(host, "runtime-too-old"));
    host_free(host);
}

// F-01: id 6, window 2 to 4. The id of a runtime is known for one only, by third-party analysis.
static void compatibility_ids(void **state)
{
    (void)state;
    assert_int_equal(compat_judge(6, 6, 2, 4), COMPAT_DRIVER_OLD);
    struct host *host = pair("trn1.32xlarge", "2.5.41.0", "2.31.24.0");
    host->versions.compat_min = fact_u64(2, FROM_DEVICE);
    host->versions.compat_max = fact_u64(4, FROM_DEVICE);
    const struct finding *finding = must(host, "driver-too-old", SEVERITY_WARNING,
                                         "driver 2.5.41.0 is too old for runtime 2.31.24.0");
    assert_true(says(finding, "compatibility id 6"));
    assert_true(says(finding, "accepts ids 2 to 4"));
    assert_true(says(finding, "not confirmed by AWS"));
    assert_true(says(finding, "aws-neuronx-dkms"));
    host->versions.compat_min = fact_u64(7, FROM_TABLE);
    host->versions.compat_max = fact_u64(9, FROM_TABLE);
    finding = must(host, "runtime-too-old", SEVERITY_WARNING,
                   "runtime 2.31.24.0 is too old for driver 2.5.41.0");
    assert_true(says(finding, "it was not asked"));
    host_free(host);
}

// F-02: the module in memory is the driver, the file is what a reload would bring.
static void a_reload_is_pending(void **state)
{
    (void)state;
    struct host *host = pair("inf2.48xlarge", "2.29.0.0", "2.34.10.0");
    host->versions.driver_installed = "2.30.2.0";
    host->versions.driver_installed_from = "/lib/modules/6.8.0/updates/dkms/neuron.ko";
    host->versions.driver_handles = fact_u64(4, FROM_PROC);
    struct process *process = build_process(host, 4711, "jupyter-lab", 0, 0);
    core_set_add(&process->chips, 0);
    const struct finding *finding =
        must(host, "driver-reload-pending", SEVERITY_WARNING,
             "driver 2.29.0.0 is loaded, 2.30.2.0 is on disk: reload pending");
    assert_true(says(finding, "use count is 4"));
    assert_true(says(finding, "held by PID 4711 (jupyter-lab)"));
    assert_true(says(finding, "rmmod neuron && sudo modprobe neuron"));
    host->versions.driver_installed = "2.29.0.0";
    assert_null(may_find(host, "driver-reload-pending"));
    host->versions.driver_installed = "2.30.2.0"; // only its source is there
    host->versions.driver_installed_from = "/usr/src/aws-neuronx-2.30.2.0";
    assert_int_equal(must_find(host, "driver-reload-pending")->severity, SEVERITY_INFO);
    host_free(host);
}

static void a_runtime_is_replaced(void **state)
{
    (void)state;
    struct host *host = pair("inf2.48xlarge", "2.29.0.0", "2.34.10.0");
    struct process *process = build_process(host, 9, "serve", 0, 2);
    process->runtime_version = "2.33.10.0";
    process->runtime_replaced = true;
    const struct finding *finding =
        must(host, "runtime-replaced", SEVERITY_WARNING,
             "the runtime was replaced on disk while a process runs it; restart needed");
    assert_string_equal(finding->subject, "PID 9 (serve)");
    assert_true(says(finding, "runs runtime 2.33.10.0"));
    host_free(host);
}

// F-03: the driver's count of refused files; a rate says that it goes on.
static void refused_neffs_are_counted(void **state)
{
    (void)state;
    struct host *host = pair("inf2.48xlarge", "2.30.2.0", "2.34.10.0");
    struct core_counters counters = {.live = true};
    host->cores[3].counters = &counters;
    counters.total[EVENT_UNSUPPORTED_NEFF] = fact_u64(0, FROM_SYSFS);
    assert_null(may_find(host, "neff-unsupported"));
    counters.total[EVENT_UNSUPPORTED_NEFF] = fact_u64(4, FROM_SYSFS);
    const struct finding *finding = must(host, "neff-unsupported", SEVERITY_INFO,
                                         "runtimes have refused NEFF files as too new");
    assert_true(says(finding, "4 refused since the driver was loaded, on core 3"));
    assert_true(says(finding, "NRT_UNSUPPORTED_NEFF_VERSION"));
    counters.per_second[EVENT_UNSUPPORTED_NEFF] = fact_f64(1, FROM_SYSFS);
    assert_int_equal(must_find(host, "neff-unsupported")->severity, SEVERITY_WARNING);
    host_free(host);
}

// F-05: silence on 2.21 and 2.24, both named as the last line at some time.
static void inferentia_and_its_last_driver(void **state)
{
    (void)state;
    static const struct {
        const char *driver;
        bool found;
    } cases[] = {{"2.21.37.0", false},
                 {"2.24.7.0", false},
                 {"2.24.13.0", false},
                 {"2.25.4.0", true},
                 {"2.30.2.0", true}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct host *host = host_new(); // no device: only the PCI bus tells the chip
        host->presence.pci_functions = host->presence.pci_inf1 = fact_u64(4, FROM_SYSFS);
        host->presence.devices = fact_u64(cases[i].found ? 0 : 4, FROM_SYSFS);
        host->presence.module_loaded = fact_u64(1, FROM_SYSFS);
        host->versions.driver = cases[i].driver;
        const struct finding *finding = may_find(host, "inf1-driver-unsupported");
        assert_int_equal(finding != NULL, cases[i].found);
        if (finding != NULL) {
            assert_int_equal(finding->severity, SEVERITY_WARNING);
            assert_true(says(finding, "2.24.*"));
            finding = must_find(host, "no-device"); // the block that is read first has the cause
            assert_true(says(finding, "have lost Inferentia") && says(finding, "2.24.*"));
        } else {
            assert_int_equal(check_run(host).count, 0);
        }
        host_free(host);
    }
}

static void inferentia_and_its_runtime(void **state)
{
    (void)state;
    struct host *host = pair("inf1.24xlarge", "2.24.7.0", "2.12.23.0");
    assert_int_equal(check_run(host).count, 0);
    host->versions.driver = "2.24.13.0"; // the documented set: tools and collectives of any release
    host->versions.tools = "2.32.28.0";
    host->versions.collectives = "2.34.10.0";
    assert_int_equal(check_run(host).count, 0);
    host->versions.driver = "2.22.2.0"; // of a release that has other tools
    assert_non_null(may_find(host, "sdk-mixed"));
    host->versions.driver = "2.24.13.0";
    host->versions.runtime_installed = "2.24.53.0"; // in the manifest, but not by the notes
    must_find(host, "inf1-runtime-unsupported");
    host->versions.runtime_installed = "2.12.23.0";
    host->versions.driver = "2.30.2.0";
    const struct finding *finding = must_find(host, "runtime-too-old");
    assert_non_null(strstr(finding->remedy, "the runtime of SDK 2.20"));
    assert_null(strstr(finding->remedy, "newest"));
    host->versions.driver = "2.26.10.0";
    host->versions.runtime_installed = "2.32.31.0";
    finding = must_find(host, "driver-too-old");
    assert_non_null(strstr(finding->remedy, "=2.24.*"));
    assert_null(strstr(finding->remedy, "newest"));
    host_free(host);
}

static void kernels(void **state)
{
    (void)state;
    static const struct {
        const char *driver, *kernel, *id, *summary;
    } cases[] = {
        {"2.18.20.0", "4.14.355-275.570.amzn2.x86_64", "kernel-too-old",
         "kernel 4.14.355-275.570.amzn2.x86_64 is too old for driver 2.18.20.0"},
        {"2.18.20.0", "5.10.0", "kernel-too-old", NULL},
        {"2.17.17.0", "4.14.355", "kernel-too-old", NULL},
        {"2.26.5.0", "6.18.2-amzn", "driver-too-old",
         "driver 2.26.5.0 is too old for kernel 6.18.2-amzn"},
        {"2.26.10.0", "6.18.2-amzn", "driver-too-old", NULL},
        {"2.26.5.0", "6.17.0", "driver-too-old", NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct host *host = pair("trn1.32xlarge", NULL, NULL);
        host->versions.driver_installed = cases[i].driver;
        host->machine.kernel = cases[i].kernel;
        const struct finding *finding = may_find(host, cases[i].id);
        assert_int_equal(finding != NULL, cases[i].summary != NULL);
        if (finding != NULL) {
            assert_string_equal(finding->summary, cases[i].summary);
            assert_int_equal(finding->severity, SEVERITY_CRITICAL);
            host->versions.driver = cases[i].driver; // it is loaded: it cannot be that bad
            assert_int_equal(must_find(host, cases[i].id)->severity, SEVERITY_WARNING);
        }
        host_free(host);
    }
}

// F-14, F-13, F-27: one cause, one line, in this order.
static void presence(void **state)
{
    (void)state;
    struct host *host = host_new();
    struct presence *presence = &host->presence;
    assert_int_equal(check_run(host).count, 0); // nothing is known
    presence->pci_functions = presence->pci_inf1 = fact_u64(0, FROM_SYSFS);
    presence->module_loaded = fact_u64(0, FROM_SYSFS);
    presence->devices = presence->nodes = fact_u64(0, FROM_SYSFS);
    must(host, "not-neuron-host", SEVERITY_WARNING, "this is not a Neuron instance");
    assert_int_equal(check_run(host).count, 1);
    presence->pci_functions = fact_u64(16, FROM_SYSFS);
    must(host, "no-driver", SEVERITY_CRITICAL, "the driver is not loaded");
    host->machine.kernel = "5.19.0-1022-aws";
    host->versions.driver_installed = "2.5.41.0";
    host->versions.driver_installed_from = "/usr/src/aws-neuronx-2.5.41.0";
    presence->module_files = fact_u64(0, FROM_PROC);
    const struct finding *finding =
        must(host, "no-driver", SEVERITY_CRITICAL,
             "the driver is not loaded: no module for running kernel 5.19.0-1022-aws");
    assert_true(says(finding, "headers of the running kernel"));
    assert_int_equal(check_run(host).count, 1);
    presence->module_loaded = fact_u64(1, FROM_SYSFS);
    host->versions.driver = host->versions.driver_installed;
    must(host, "no-device", SEVERITY_CRITICAL, "the driver is loaded, but has no device");
    presence->devices = fact_u64(16, FROM_SYSFS);
    must(host, "no-device", SEVERITY_CRITICAL, "no Neuron device is mapped here");
    presence->nodes = fact_u64(16, FROM_SYSFS);
    assert_int_equal(check_run(host).count, 0);
    host_free(host);
}

static void logical_core_sizes(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    struct process *first = build_process(host, 1, "a", 0, 4);
    struct process *second = build_process(host, 2, "b", 4, 4);
    first->environment_known = second->environment_known = true;
    assert_null(may_find(host, "lnc-mismatch"));
    first->lnc = fact_u64(1, FROM_PROC);
    must(host, "lnc-mismatch", SEVERITY_WARNING,
         "processes with different logical core sizes, LNC 1 and 2"); // the other has the default
    second->lnc = fact_u64(1, FROM_PROC);
    assert_null(may_find(host, "lnc-mismatch"));
    host->hardware.lnc_setting = fact_u64(2, FROM_PROC);
    must(host, "lnc-mismatch", SEVERITY_WARNING,
         "a process runs with LNC 1, but the host is set to LNC 2");
    host_free(host);
    host = build_host("trn1.32xlarge", 0); // the chip has one size
    build_process(host, 1, "a", 0, 1)->lnc = fact_u64(1, FROM_PROC);
    build_process(host, 2, "b", 1, 1)->lnc = fact_u64(2, FROM_PROC);
    assert_null(may_find(host, "lnc-mismatch"));
    host_free(host);
}

static void a_setting_of_the_host_that_is_none(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    host->hardware.lnc_setting_invalid = "NEURON_LOGICAL_NC_CONFIG=3";
    const struct finding *finding =
        must(host, "lnc-mismatch", SEVERITY_WARNING,
             "the host's file of the logical core size names none: NEURON_LOGICAL_NC_CONFIG=3");
    assert_true(says(finding, "/opt/aws/neuron/logical_nc_config"));
    assert_string_equal(finding->evidence[1],
                        "cores are counted here with LNC 2, that of the host");
    assert_int_equal(check_run(host).count, 1);
    host->hardware.lnc.from = FROM_TABLE;
    finding = must_find(host, "lnc-mismatch");
    assert_string_equal(finding->evidence[1],
                        "cores are counted here with LNC 2, the chip's default");
    host_free(host);
}

// A size that is none counts as the host's, and that is said.
static void a_core_size_that_is_none(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    struct process *first = build_process(host, 1, "a", 0, 4);
    first->environment_known = true;
    first->lnc_invalid = "NEURON_LOGICAL_NC_CONFIG=3";
    must(host, "lnc-mismatch", SEVERITY_WARNING,
         "PID 1 (a): NEURON_LOGICAL_NC_CONFIG=3 is no logical core size");
    const struct finding *finding = may_find(host, "lnc-mismatch");
    assert_string_equal(finding->evidence[1],
                        "its cores are counted here with LNC 2, that of the host");
    struct process *second = build_process(host, 2, "b", 4, 4);
    second->environment_known = true;
    second->lnc = fact_u64(1, FROM_PROC); // no judgement about the size of the first
    assert_int_equal(check_run(host).count, 1);
    host_free(host);
    host = build_host("trn1.32xlarge", 0);
    build_process(host, 1, "a", 0, 1)->lnc_invalid = "NEURON_RT_VIRTUAL_CORE_SIZE=x";
    finding = may_find(host, "lnc-mismatch");
    assert_non_null(finding);
    assert_string_equal(finding->evidence[1],
                        "its cores are counted here with LNC 1, the only one of this chip");
    host_free(host);
}

static void the_odd_one_is_named(void **state)
{
    (void)state;
    struct host *host = pair("trn2.48xlarge", "2.30.2.0", "2.34.10.0");
    host->versions.collectives = "2.34.10.0";
    host->versions.compiler = "2.27.5334.0";
    host->versions.tools = "2.32.28.0";
    assert_int_equal(check_run(host).count, 0);
    host->versions.tools = "2.26.14.0";
    must(host, "sdk-mixed", SEVERITY_INFO,
         "tools 2.26.14.0 is of an older release than the rest (SDK 2.32.0)");
    host->versions.tools = "2.32.28.0";
    host->versions.collectives = "2.33.10.0";
    must(host, "sdk-mixed", SEVERITY_WARNING,
         "collectives 2.33.10.0 is of an older release than the rest (SDK 2.32.0)");
    host->versions.collectives = "2.34.10.0";
    host->versions.driver = "2.31.7.0"; // a newer driver serves older runtimes
    must(host, "sdk-mixed", SEVERITY_INFO,
         "driver 2.31.7.0 is of another release than the rest (SDK 2.32.0)");
    host->versions.driver = "2.99.0.0"; // nobody knows what release that is
    assert_null(may_find(host, "sdk-mixed"));
    host->versions.compiler = "2.28.7631.0";
    must(host, "compiler-newer-than-runtime", SEVERITY_WARNING,
         "compiler 2.28.7631.0 is newer than runtime 2.34.10.0");
    host_free(host);
}

// One line for each environment, and never an alarm.
static void environments_of_several_releases(void **state)
{
    (void)state;
    static const struct package packages[] = {{COMPONENT_COMPILER, "2.27.5334.0", "/a"},
                                              {COMPONENT_NKI, "0.6.0", "/a"},
                                              {COMPONENT_TORCH_NEURONX, "2.9.0.2.15.32035", "/a"}};
    struct environment list[12];
    for (unsigned i = 0; i < 12; i++)
        list[i] = (struct environment){"/venv", false, i % 2 == 0 ? 3 : 2, packages};
    struct host *host = pair("trn2.48xlarge", "2.30.2.0", "2.34.10.0");
    host->versions.environments = list;
    host->versions.environment_count = 12;
    const struct finding *finding =
        must(host, "sdk-mixed", SEVERITY_INFO,
             "6 Python environments have packages of different SDK releases");
    assert_true(says(finding, "/venv: torch-neuronx 2.9.0.2.15.32035 is of SDK 2.31.0, 2.31.1, "
                              "2.33.0, the rest of 2.32.0"));
    host->versions.environment_count = 2;
    list[0].package_count = 2;
    assert_null(may_find(host, "sdk-mixed"));
    host_free(host);
}

// The compiler of a container's job meets the job's runtime, not the host's alone.
static void compilers_meet_the_runtimes_of_their_environment(void **state)
{
    (void)state;
    static const struct package compiler = {COMPONENT_COMPILER, "2.27.5334.0+abc", "/venv"};
    static const struct environment venv = {"/venv", true, 1, &compiler};
    struct host *host = pair("trn2.48xlarge", "2.30.2.0", "2.34.10.0");
    host->versions.environments = &venv;
    host->versions.environment_count = 1;
    struct process *process = build_process(host, 5, "train", 0, 4);
    process->runtime_version = "2.33.10.0";
    assert_null(may_find(host, "compiler-newer-than-runtime"));
    process->environment = &venv;
    const struct finding *finding = may_find(host, "compiler-newer-than-runtime");
    assert_non_null(finding);
    assert_true(says(finding, "in /venv"));
    assert_true(says(finding, "run by PID 5 (train)"));
    host_free(host);
}

// One release's own set on one chip, on a host with a kernel that all drivers take.
struct set {
    const char *version[COMPONENTS];
};

static struct set set_of(size_t row, enum generation_id generation)
{
    struct set set;
    for (unsigned i = 0; i < COMPONENTS; i++)
        set.version[i] = releases_version(releases_builtin(), row, (enum component)i, generation);
    return set;
}

static struct host *host_of(const struct set *set, enum generation_id generation)
{
    struct host *host = host_new();
    bool inf1 = generation == GEN_INF1;
    struct package *packages = ARENA_ARRAY(host->arena, COMPONENTS, struct package);
    struct environment *venv = ARENA_NEW(host->arena, struct environment);
    struct process *process = ARENA_NEW(host->arena, struct process);
    host->hardware.generation = generation_get(generation);
    host->machine.kernel = "6.1.0";
    host->versions.driver = host->versions.driver_installed = set->version[COMPONENT_DRIVER];
    host->versions.runtime_installed = set->version[COMPONENT_RUNTIME];
    host->versions.collectives = set->version[COMPONENT_COLLECTIVES];
    host->versions.tools = set->version[COMPONENT_TOOLS];
    host->versions.compiler = set->version[inf1 ? COMPONENT_COMPILER_INF1 : COMPONENT_COMPILER];
    venv->path = "/venv";
    venv->used = true;
    venv->packages = packages;
    for (unsigned i = COMPONENT_COMPILER; i < COMPONENTS; i++)
        if (set->version[i] != NULL)
            packages[venv->package_count++] =
                (struct package){(enum component)i, set->version[i], "/venv"};
    host->versions.environments = venv;
    host->versions.environment_count = 1;
    host->versions.packages_known = true;
    process->pid = fact_u64(1, FROM_PROC);
    process->runtime_version = set->version[COMPONENT_RUNTIME];
    process->environment = venv;
    host->processes = process;
    host->process_count = 1;
    return host;
}

static bool supports(size_t row, enum generation_id generation)
{
    unsigned families = releases_builtin()->rows[row].families;
    return families == 0 ? generation != GEN_INF1 : (families >> generation & 1) != 0;
}

static void every_release_is_silent(void **state)
{
    (void)state;
    size_t rows, sets = 0;
    const struct release *table = releases_table(&rows);
    for (size_t row = 0; row < rows; row++) {
        for (unsigned id = GEN_INF1; id <= GEN_TRN3; id++) {
            enum generation_id generation = (enum generation_id)id;
            if (!supports(row, generation))
                continue;
            struct set set = set_of(row, generation);
            struct host *host = host_of(&set, generation);
            struct findings findings = check_run(host);
            bool lost = id == GEN_INF1 && may_find(host, "inf1-runtime-unsupported") != NULL;
            assert_int_equal(lost, id == GEN_INF1 && strcmp(table[row].sdk, "2.22.0") == 0);
            if (findings.count > lost)
                fail_msg("SDK %s on %s: %s, %s", table[row].sdk, generation_get(generation)->chip,
                         findings.items[0].id, findings.items[0].summary);
            assert_true((sdk_of_host(host) >> row & 1) != 0);
            host_free(host);
            sets++;
        }
    }
    assert_int_equal(rows, 52);
    assert_true(sets > 150);
}

static bool at_least(const char *version, const char *bound)
{
    return version != NULL && version_compare_text(version, bound) >= 0;
}

static bool less(const char *version, const char *bound)
{
    return version != NULL && version_compare_text(version, bound) < 0;
}

// The rules once more, as the references say them.
static bool driver_is_old(const struct set *set, enum generation_id id)
{
    const char *driver = set->version[COMPONENT_DRIVER], *runtime = set->version[COMPONENT_RUNTIME];
    bool by_chip = (id == GEN_INF2 && less(driver, "2.7.33")) ||
                   (id == GEN_TRN2 && less(driver, "2.19.64")) ||
                   (id == GEN_TRN3 && less(driver, "2.25.4"));
    if (driver == NULL || runtime == NULL)
        return driver != NULL && by_chip;
    return by_chip ||
           (at_least(runtime, "2.32") && less(runtime, "2.33") && less(driver, "2.27")) ||
           (id == GEN_TRN2 && at_least(runtime, "2.24") && less(driver, "2.20.28")) ||
           (id == GEN_TRN2 && at_least(runtime, "2.26") && less(driver, "2.22")) ||
           (at_least(runtime, "2.33") && less(driver, "2.24")) ||
           (at_least(runtime, "2.10.27") && less(driver, "2.5"));
}

static bool runtime_is_old(const struct set *set)
{
    return at_least(set->version[COMPONENT_DRIVER], "2.29") &&
           less(set->version[COMPONENT_RUNTIME], "2.33");
}

static uint64_t holds(const struct set *set, enum component component, enum generation_id id)
{
    const char *version = set->version[component];
    uint64_t all = version == NULL ? ~UINT64_C(0) : 0;
    return all | releases_holding(releases_builtin(), component, version, id, NULL);
}

static bool is_mixed(const struct set *set, enum generation_id id)
{
    bool inf1 = id == GEN_INF1;
    uint64_t tools = holds(set, COMPONENT_TOOLS, id);
    uint64_t host = holds(set, COMPONENT_DRIVER, id) & tools;
    const char *driver = set->version[COMPONENT_DRIVER];
    if (inf1 && at_least(driver, "2.24") &&
        less(driver, "2.25")) // the last for it, whatever the rest
        host = ~UINT64_C(0);
    uint64_t venv = ~UINT64_C(0);
    host &= holds(set, inf1 ? COMPONENT_COMPILER_INF1 : COMPONENT_COMPILER, id);
    if (!inf1)
        host &= holds(set, COMPONENT_RUNTIME, id) & holds(set, COMPONENT_COLLECTIVES, id);
    for (unsigned i = COMPONENT_COMPILER; i < COMPONENTS; i++)
        venv &= holds(set, (enum component)i, id);
    return host == 0 || venv == 0;
}

// The newest release with the runtime is older than the oldest with the compiler.
static bool compiler_is_newer(const struct set *set)
{
    const struct releases *table = releases_builtin();
    uint64_t compiler = holds(set, COMPONENT_COMPILER, GEN_UNKNOWN);
    uint64_t runtime = holds(set, COMPONENT_RUNTIME, GEN_UNKNOWN);
    if (set->version[COMPONENT_COMPILER] == NULL || set->version[COMPONENT_RUNTIME] == NULL)
        return false;
    return version_compare_text(releases_newest(table, runtime)->sdk,
                                releases_oldest(table, compiler)->sdk) < 0;
}

static bool inf1_trouble(const struct set *set, enum generation_id id, const char *which)
{
    return id == GEN_INF1 && at_least(set->version[COMPONENT_DRIVER], "2.25") &&
           strcmp(which, "inf1-driver-unsupported") == 0;
}

static void judge(const struct set *set, enum generation_id id, const char *what)
{
    struct host *host = host_of(set, id);
    struct findings findings = check_run(host);
    const struct {
        const char *id;
        bool expected;
    } cases[] = {
        {"driver-too-old", driver_is_old(set, id)},
        {"runtime-too-old", runtime_is_old(set)},
        {"sdk-mixed", is_mixed(set, id)},
        {"compiler-newer-than-runtime", compiler_is_newer(set)},
        {"inf1-driver-unsupported", inf1_trouble(set, id, "inf1-driver-unsupported")},
        {"kernel-too-old", false},
        {"driver-reload-pending", false},
        {"no-driver", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if ((find_finding(&findings, cases[i].id) != NULL) != cases[i].expected)
            fail_msg("%s on %s: %s %s", what, generation_get(id)->chip, cases[i].id,
                     cases[i].expected ? "is missing" : "is wrong");
    host_free(host);
}

static void each_component_of_each_release_changed(void **state)
{
    (void)state;
    size_t rows, changes = 0;
    char what[80];
    const struct release *table = releases_table(&rows);
    for (size_t row = 0; row < rows; row++)
        for (unsigned id = GEN_INF1; id <= GEN_TRN3; id++)
            for (unsigned change = 0; change < 2 * COMPONENTS; change++) {
                size_t other = change % 2 == 0 ? row - 1 : row + 1; // by one release
                enum generation_id generation = (enum generation_id)id;
                enum component component = (enum component)(change / 2);
                if (other >= rows || !supports(row, generation))
                    continue;
                struct set set = set_of(row, generation);
                const char *version =
                    releases_version(releases_builtin(), other, component, generation);
                if (version == NULL || set.version[component] == NULL ||
                    strcmp(version, set.version[component]) == 0)
                    continue;
                set.version[component] = version;
                snprintf(what, sizeof(what), "SDK %s with %s %s", table[row].sdk,
                         component_name(component), version);
                judge(&set, generation, what);
                changes++;
            }
    assert_true(changes > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sided_rules),
        cmocka_unit_test(inferred_rules_only_warn),
        cmocka_unit_test(runtimes_of_processes_are_judged),
        cmocka_unit_test(compatibility_ids),
        cmocka_unit_test(a_reload_is_pending),
        cmocka_unit_test(a_runtime_is_replaced),
        cmocka_unit_test(refused_neffs_are_counted),
        cmocka_unit_test(inferentia_and_its_last_driver),
        cmocka_unit_test(inferentia_and_its_runtime),
        cmocka_unit_test(kernels),
        cmocka_unit_test(presence),
        cmocka_unit_test(logical_core_sizes),
        cmocka_unit_test(a_setting_of_the_host_that_is_none),
        cmocka_unit_test(a_core_size_that_is_none),
        cmocka_unit_test(the_odd_one_is_named),
        cmocka_unit_test(compilers_meet_the_runtimes_of_their_environment),
        cmocka_unit_test(environments_of_several_releases),
        cmocka_unit_test(every_release_is_silent),
        cmocka_unit_test(each_component_of_each_release_changed),
    };
    return cmocka_run_group_tests_name("check_versions", tests, NULL, NULL);
}
