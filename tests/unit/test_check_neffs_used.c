// SPDX-License-Identifier: Apache-2.0
// The NEFFs that processes run: silence where all fits, each finding with its values, and only an
// open file is good for an alarm (versions reference, section 1.6).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "must_find.h"

#define PLACE "/var/tmp/neuron-compile-cache/neuronxcc-2.27.5334.0/MODULE_1/model.neff"

// A Trainium2 host with LNC 2 whose one process was told LNC 2 and runs what fits.
struct scene {
    struct host *host;
    struct process *process;
    struct neff_use use;
};

static void set_scene(struct scene *scene)
{
    scene->host = build_host("trn2.48xlarge", 2);
    scene->process = build_process(scene->host, 7, "python train.py", 0, 4);
    scene->process->environment_known = true;
    scene->process->lnc = fact_u64(2, FROM_PROC);
    scene->process->runtime_version = "2.31.24.0";
    scene->process->neffs = &scene->use;
    scene->process->neff_count = 1;
    scene->use = (struct neff_use){
        .path = PLACE,
        .evidence = NEFF_BY_FILE,
        .lnc = fact_u64(2, FROM_PROC),
        .features = fact_u64(1, FROM_PROC),
        .version_major = fact_u64(2, FROM_PROC),
        .version_minor = fact_u64(0, FROM_PROC),
        .target = "cayman",
        .compiler = "2.27.5334.0",
    };
}

static bool says(const struct finding *finding, const char *part)
{
    for (unsigned i = 0; i < finding->evidence_count; i++)
        if (strstr(finding->evidence[i], part) != NULL)
            return true;
    return false;
}

static void what_fits_is_no_finding(void **state)
{
    static const unsigned evidence[] = {NEFF_BY_FILE, NEFF_BY_UUID, NEFF_BY_NAME};
    struct scene scene;
    (void)state;
    set_scene(&scene);
    for (size_t i = 0; i < sizeof(evidence) / sizeof(evidence[0]); i++) {
        scene.use.evidence = evidence[i];
        assert_int_equal(check_run(scene.host).count, 0);
    }
    scene.use.target = NULL; // unknown is not wrong
    assert_int_equal(check_run(scene.host).count, 0);
    scene.use.target = "sunda";
    scene.use.lnc = (struct fact_u64){0}; // its header is not known: nothing is judged
    assert_int_equal(check_run(scene.host).count, 0);
    scene.use.lnc = fact_u64(1, FROM_PROC);
    scene.process->bystander = true;
    assert_int_equal(count_of(scene.host, "neff-wrong-chip"), 0);
    scene.process->bystander = false;
    scene.process->state = PROCESS_GONE;
    assert_int_equal(count_of(scene.host, "neff-wrong-chip"), 0);
    assert_int_equal(count_of(scene.host, "lnc-mismatch"), 0);
    host_free(scene.host);
}

// How the file was found, and how severe a finding by that is.
static const struct {
    unsigned evidence;
    enum severity severity;
    const char *words;
} joins[] = {
    {NEFF_BY_FILE, SEVERITY_CRITICAL, "the process has the file open"},
    {NEFF_BY_FILE | NEFF_BY_UUID, SEVERITY_CRITICAL, "the process has the file open"},
    {NEFF_BY_UUID, SEVERITY_WARNING, "by the uuid of a loaded model: plausible, unverified"},
    {NEFF_BY_UUID | NEFF_BY_NAME, SEVERITY_WARNING,
     "uuid of a loaded model: plausible, unverified"},
    {NEFF_BY_NAME, SEVERITY_WARNING, "by the name of a loaded model: inferred"},
};

enum { JOINS = sizeof(joins) / sizeof(joins[0]) };

static void of_another_chip(void **state)
{
    struct scene scene;
    (void)state;
    set_scene(&scene);
    scene.use.target = "sunda";
    for (size_t i = 0; i < JOINS; i++) {
        scene.use.evidence = joins[i].evidence;
        const struct finding *finding = must_find_one(scene.host, "neff-wrong-chip");
        assert_int_equal(finding->severity, joins[i].severity);
        assert_string_equal(finding->subject, "PID 7 (train.py)");
        assert_string_equal(finding->summary,
                            "its NEFF MODULE_1/model.neff: compiled for Trainium or Inferentia2 "
                            "(trn1, inf2; NeuronCore-v2), but the chip is Trainium2");
        assert_string_equal(finding->evidence[0], PLACE);
        assert_has(finding->evidence[1], joins[i].words);
        assert_string_equal(finding->evidence[2], "its target: 'sunda', NeuronCore-v2");
        assert_string_equal(finding->evidence[3], "chip: NeuronCore-v3");
        assert_has(finding->remedy, "--target=trn2");
        assert_false(says(finding, "compile_flags.json"));
    }
    scene.use.target_by_flags = true;
    assert_true(says(must_find_one(scene.host, "neff-wrong-chip"), "compile_flags.json"));
    scene.use.evidence = NEFF_BY_FILE;
    scene.process->allow_legacy_neff = true; // the runtime was told to load it
    const struct finding *finding = must_find_one(scene.host, "neff-wrong-chip");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_true(says(finding, "NEURON_RT_ALLOW_LEGACY_NEFF"));
    host_free(scene.host);
}

static void of_another_core_size(void **state)
{
    struct scene scene;
    (void)state;
    set_scene(&scene);
    scene.use.lnc = fact_u64(1, FROM_PROC);
    for (size_t i = 0; i < JOINS; i++) {
        scene.use.evidence = joins[i].evidence;
        const struct finding *finding = must_find_one(scene.host, "lnc-mismatch");
        assert_int_equal(finding->severity, joins[i].severity);
        assert_string_equal(finding->summary,
                            "its NEFF MODULE_1/model.neff: compiled for LNC 1, but the cores are "
                            "LNC 2 (of this process)");
        assert_has(finding->evidence[1], joins[i].words);
        assert_has(finding->remedy, "NEURON_LOGICAL_NC_CONFIG=1");
    }
    scene.use.evidence = NEFF_BY_FILE;
    scene.use.model_count = 1;
    assert_true(
        says(must_find_one(scene.host, "lnc-mismatch"), "has loaded the model all the same"));
    scene.process->lnc = (struct fact_u64){0}; // the default: a job may set its own later
    const struct finding *finding = must_find_one(scene.host, "lnc-mismatch");
    assert_int_equal(finding->severity, SEVERITY_WARNING);
    assert_has(finding->summary, "LNC 2 (the default)");
    assert_true(says(finding, "names no LNC; it may have set one since"));
    scene.process->environment_known = false; // then its size is unknown
    assert_int_equal(count_of(scene.host, "lnc-mismatch"), 0);
    host_free(scene.host);
}

// What runtimes know of features is by third parties: no join makes that an alarm.
static void of_features_that_are_missing(void **state)
{
    struct scene scene;
    (void)state;
    set_scene(&scene);
    scene.use.features = fact_u64(UINT64_C(1) << 40 | 1, FROM_PROC);
    for (size_t i = 0; i < JOINS; i++) {
        scene.use.evidence = joins[i].evidence;
        const struct finding *finding = must_find_one(scene.host, "neff-unsupported");
        assert_int_equal(finding->severity, SEVERITY_WARNING);
        assert_has(finding->summary, "newer than runtime 2.31.24.0 (of this process)");
        assert_true(says(finding, "needed 0x10000000001"));
        assert_true(says(finding, "supported 0x7ffffff by runtime 2.31.24.0"));
        assert_true(says(finding, "missing 0x10000000000: bit 40"));
        assert_has(finding->evidence[1], joins[i].words);
    }
    scene.process->runtime_version = NULL;
    assert_int_equal(count_of(scene.host, "neff-unsupported"), 0);
    host_free(scene.host);
}

static void workers_of_one_file_are_one_finding(void **state)
{
    struct scene scene;
    (void)state;
    set_scene(&scene);
    scene.use.target = "sunda";
    for (unsigned i = 1; i < 4; i++) {
        struct process *worker = build_process(scene.host, 7 + i, "python train.py", 4 * i, 4);
        worker->environment_known = true;
        worker->lnc = fact_u64(2, FROM_PROC);
        worker->runtime_version = "2.31.24.0";
        worker->neffs = &scene.use;
        worker->neff_count = 1;
    }
    const struct finding *finding = must_find_one(scene.host, "neff-wrong-chip");
    assert_true(says(finding, "3 more processes that run it"));
    scene.host->processes[3].container = "web"; // there the path is another file
    assert_int_equal(count_of(scene.host, "neff-wrong-chip"), 2);
    host_free(scene.host);
}

static void compilers_of_several_versions(void **state)
{
    struct scene scene;
    (void)state;
    set_scene(&scene);
    struct neff_use uses[2] = {scene.use, scene.use};
    scene.process->neffs = uses;
    scene.process->neff_count = 2;
    assert_int_equal(count_of(scene.host, "cache-mixed-compilers"), 0);
    uses[1].compiler = "2.26.14.0";
    const struct finding *finding = must_find_one(scene.host, "cache-mixed-compilers");
    assert_int_equal(finding->severity, SEVERITY_INFO);
    assert_string_equal(finding->summary, "NEFFs in use are from 2 versions of the compiler");
    assert_has(finding->evidence[0], "neuronx-cc 2.27.5334.0 (");
    assert_has(finding->evidence[0], "1 NEFF of PID 7 (train.py)");
    assert_has(finding->evidence[1], "neuronx-cc 2.26.14.0 (");
    host_free(scene.host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_is_no_finding),
        cmocka_unit_test(of_another_chip),
        cmocka_unit_test(of_another_core_size),
        cmocka_unit_test(of_features_that_are_missing),
        cmocka_unit_test(workers_of_one_file_are_one_finding),
        cmocka_unit_test(compilers_of_several_versions),
    };
    return cmocka_run_group_tests_name("NEFFs in use", tests, NULL, NULL);
}
