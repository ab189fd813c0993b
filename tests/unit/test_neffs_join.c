// SPDX-License-Identifier: Apache-2.0
// Models and NEFFs joined by their texts (versions reference, sections 1.1, 5.1, 5.2).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "source/neffs.h"

static void places(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum neffs_place place;
        const char *path;
    } rows[] = {
        {"/var/tmp/neuron-compile-cache", NEFFS_FOLDER, "/var/tmp/neuron-compile-cache"},
        {"file:///fsx/cache", NEFFS_FOLDER, "/fsx/cache"},
        {"file://localhost/fsx", NEFFS_FOLDER, "/fsx"},
        {"file:/fsx", NEFFS_FOLDER, "/fsx"},
        {"file://server/fsx", NEFFS_NOWHERE, ""},
        {"cache", NEFFS_RELATIVE, "cache"},
        {"./file:/cache", NEFFS_RELATIVE, "./file:/cache"},
        {"s3://bucket/prefix", NEFFS_ELSEWHERE, ""},
        {"gs://bucket/prefix", NEFFS_ELSEWHERE, ""},
        {"", NEFFS_NOWHERE, ""},
        {"file:", NEFFS_NOWHERE, ""},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *path = "";
        assert_int_equal(neffs_place_of(rows[i].text, &path), rows[i].place);
        assert_string_equal(path, rows[i].path);
    }
}

// neuron-monitor writes no dashes, and an old runtime more than 32 digits.
static void uuids(void **state)
{
    (void)state;
    char digits[NEFFS_UUID];
    assert_true(neffs_uuid(digits, "00A04C53-5fd9-4f07-bffd-d5eacdefc852"));
    assert_string_equal(digits, "00a04c535fd94f07bffdd5eacdefc852");
    assert_true(neffs_uuid(digits, "00a04c535fd94f07bffdd5eacdefc852"));
    assert_false(neffs_uuid(digits, "aaaaaaaaaaabbbbbbbbbbb0000000000099999999999"));
    assert_string_equal(digits, ""); // not the first 32 of them
    assert_false(neffs_uuid(digits, "00000000000000000000000000000000"));
    assert_string_equal(digits, "");
    assert_false(neffs_uuid(digits, "00a04c535fd94f07bffdd5eacdefc85"));
    assert_false(neffs_uuid(digits, "\033[2J"));
    assert_false(neffs_uuid(digits, NULL));
}

static void entries_in_names(void **state)
{
    (void)state;
    static const struct {
        const char *name, *entry, *compiler;
    } rows[] = {
        {"/tmp/u/neuroncc_compile_workdir/e8/model.MODULE_1004305494572282285+e30acd3a.neff",
         "MODULE_1004305494572282285+e30acd3a", ""},
        {"/var/tmp/neuron-compile-cache/neuronxcc-2.14.227.0/MODULE_1000+e30acd3a/model.neff",
         "MODULE_1000+e30acd3a", "2.14.227.0"},
        {"/c/neuronxcc-2.27.5334.0+0f1e2d3c/MODULE_7c055c4ac6e2851a63bb+839ddec0/model.neff",
         "MODULE_7c055c4ac6e2851a63bb+839ddec0", "2.27.5334.0+0f1e2d3c"},
        {"neuronxcc-2.1/MODULE_1+00000000", "MODULE_1+00000000", "2.1"},
        {"MODULE_x MODULE_12+abcdef01", "MODULE_12+abcdef01", ""},
        {"/neuronxcc-../MODULE_12+abcdef01/x", "MODULE_12+abcdef01", ".."}, // one folder, no path
        {"/neuronxcc-a;b/MODULE_12+abcdef01/x", "MODULE_12+abcdef01", ""},
        // what is no entry: cut, of the layout of 2022, too long
        {"MODULE_12+abcdef0", NULL, NULL},
        {"MODULE_12+abcdef012", NULL, NULL},
        {"MODULE_13190871343506053659/MODULE_1_SyncTensorsGraph.387", NULL, NULL},
        {"MODULE_+abcdef01", NULL, NULL},
        {"MODULE_11111111111111111111111111111111111111111+abcdef01", NULL, NULL},
        {"file.neff", NULL, NULL},
        {"", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char entry[NEFFS_ENTRY], compiler[NEFFS_COMPILER];
        assert_int_equal(neffs_entry_of(rows[i].name, entry, compiler), rows[i].entry != NULL);
        if (rows[i].entry == NULL)
            continue;
        assert_string_equal(entry, rows[i].entry);
        assert_string_equal(compiler, rows[i].compiler);
    }
    assert_true(neffs_is_entry("MODULE_12+abcdef01"));
    assert_false(neffs_is_entry("MODULE_12+abcdef01.tmp"));
    assert_string_equal(neffs_compiler_version("neuronxcc-2.27.5334.0+0f1e2d3c"),
                        "2.27.5334.0+0f1e2d3c");
    assert_null(neffs_compiler_version("neuronxcc-"));
    assert_null(neffs_compiler_version("neuronxcc-2/.."));
    assert_null(neffs_compiler_version("USER_neuroncc-2.3.0.4+864822b6b"));
}

static void whole_names(void **state)
{
    (void)state;
    char full[400];
    memset(full, 'a', sizeof(full));
    full[0] = '/';
    full[256] = '\0';
    assert_true(neffs_name_agrees("/tmp/ccwork/graph.neff", "/tmp/ccwork/graph.neff"));
    assert_false(neffs_name_agrees("/tmp/ccwork/graph.nef", "/tmp/ccwork/graph.neff"));
    assert_false(neffs_name_agrees("file.neff", "file.neff")); // which every tool writes
    char cut[256];
    memcpy(cut, full, 255);
    cut[255] = '\0';
    assert_true(neffs_name_agrees(cut, full)); // neuron-monitor ends a name here
    cut[254] = '\0';
    assert_false(neffs_name_agrees(cut, full));
}

static void compile_flags(void **state)
{
    (void)state;
    static const struct {
        const char *text, *target;
    } rows[] = {
        {"[\"--target=trn1\"]", "sunda"},   {"[\"--lnc=2\", \"--target\", \"trn2\"]", "cayman"},
        {"[\"--target=inf2\"]", "sunda"},   {"[\"--target=trn1\", \"--target=trn2\"]", "cayman"},
        {"[\"--target\"]", NULL},           {"[\"--target=moon\"]", NULL},
        {"[\"--targets=trn1\"]", NULL},     {"[7, null, {}, \"--model-type=transformer\"]", NULL},
        {"{\"--target\": \"trn1\"}", NULL}, {"[[[[[[[[\"--target=trn1\"]]]]]]]]", NULL},
        {"[\"--target=trn1\"", NULL},       {"", NULL},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *target = neffs_flags_target(rows[i].text, strlen(rows[i].text));
        if (rows[i].target == NULL)
            assert_null(target);
        else
            assert_string_equal(target, rows[i].target);
    }
}

static void open_files(void **state)
{
    (void)state;
    char path[NEFFS_PATH], longest[NEFFS_PATH + 40];
    bool deleted;
#define MAP "7f00-7f01 r--p 00000000 103:01 9                         "
#define MAPPED(line) neffs_mapped_path(path, line, strlen(line), &deleted)
    assert_true(MAPPED(MAP "/models/a b.neff"));
    assert_string_equal(path, "/models/a b.neff");
    assert_false(deleted);
    assert_true(MAPPED(MAP "/models/a.neff (deleted)"));
    assert_string_equal(path, "/models/a.neff");
    assert_true(deleted);
    assert_false(MAPPED(MAP "/models/a.neffs"));
    assert_false(MAPPED(MAP "[heap]"));
    assert_false(MAPPED("socket:[1].neff"));
    assert_false(MAPPED(MAP "/models/\033[2J.neff"));
    assert_false(neffs_path_of(path, "pipe:.neff", 10, &deleted));
    assert_false(neffs_path_of(path, "", 0, &deleted));
    memset(longest, 'a', sizeof(longest));
    longest[0] = '/';
    memcpy(longest + sizeof(longest) - 5, ".neff", 5);
    assert_false(neffs_path_of(path, longest, sizeof(longest), &deleted));
}

static struct neffs_candidate candidate(unsigned inode, const char *uuid, const char *name,
                                        bool named)
{
    struct neffs_candidate it = {.named = named};
    it.file.inode = inode;
    it.file.header = true;
    snprintf(it.file.uuid, sizeof(it.file.uuid), "%s", uuid);
    snprintf(it.name, sizeof(it.name), "%s", name);
    return it;
}

#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static void one_of_several(void **state)
{
    (void)state;
    char name[] = "/work/model.MODULE_1+00000000.neff";
    struct neffs_model model = {.name = name, .uuid = A};
    struct neffs_candidate list[] = {
        candidate(1, B, "file.neff", true),
        candidate(2, B, name, true),
        candidate(3, A, "file.neff", false),
    };
    size_t which = 9;
    assert_int_equal(neffs_evidence(&model, &list[0]), NEFF_BY_NAME);
    assert_int_equal(neffs_evidence(&model, &list[2]), NEFF_BY_UUID);
    assert_int_equal(neffs_pick(&model, list, 0, &which), NEFFS_NONE);
    assert_int_equal(neffs_pick(&model, list, 3, &which), NEFFS_ONE); // the uuid before any name
    assert_int_equal(which, 2);
    assert_int_equal(neffs_pick(&model, list, 2, &which), NEFFS_ONE); // the whole name then
    assert_int_equal(which, 1);
    assert_int_equal(neffs_pick(&model, list, 1, &which), NEFFS_ONE); // and a part of it last
    assert_int_equal(which, 0);
}

static void two_that_fit_are_none(void **state)
{
    (void)state;
    char name[] = "x.MODULE_1+00000000";
    struct neffs_model model = {.name = name, .uuid = ""};
    struct neffs_candidate list[] = {
        candidate(1, A, "file.neff", true),
        candidate(2, B, "file.neff", true),
    };
    size_t which = 9;
    assert_int_equal(neffs_pick(&model, list, 2, &which), NEFFS_SEVERAL);
    list[1] = candidate(2, A, "file.neff", true); // a copy
    assert_int_equal(neffs_pick(&model, list, 2, &which), NEFFS_ONE);
    list[1].file.uuid[0] = list[0].file.uuid[0] = '\0'; // nothing says that they are one
    assert_int_equal(neffs_pick(&model, list, 2, &which), NEFFS_SEVERAL);
    list[1].file.header = false;
    assert_int_equal(neffs_pick(&model, list, 2, &which), NEFFS_ONE);
    list[0].named = false;
    assert_int_equal(neffs_pick(&model, list, 2, &which), NEFFS_NONE); // no uuid is no equal uuid
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),           cmocka_unit_test(uuids),
        cmocka_unit_test(entries_in_names), cmocka_unit_test(whole_names),
        cmocka_unit_test(compile_flags),    cmocka_unit_test(open_files),
        cmocka_unit_test(one_of_several),   cmocka_unit_test(two_that_fit_are_none),
    };
    return cmocka_run_group_tests_name("neffs_join", tests, NULL, NULL);
}
