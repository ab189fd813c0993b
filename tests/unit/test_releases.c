// SPDX-License-Identifier: Apache-2.0
// The table of SDK releases: which release holds what, and which runtimes a driver accepts. Right
// values: versions reference, sections 3.1 and 3.2.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/releases.h"

#define BUILTIN releases_builtin()

static void the_table_has_the_known_releases(void **state)
{
    (void)state;
    size_t count;
    const struct release *rows = releases_table(&count);
    assert_int_equal(count, 52);
    assert_string_equal(rows[0].sdk, "2.33.0");
    assert_string_equal(rows[0].date, "2026-10-19");
    assert_string_equal(rows[count - 1].sdk, "2.3.0");
    assert_true(count <= RELEASES_MAX);
}

static void check_names(enum component component, const char *version, enum generation_id gen,
                        enum release_match match, const char *expected)
{
    char names[200];
    enum release_match how;
    uint64_t set = releases_holding(BUILTIN, component, version, gen, &how);
    assert_string_equal(releases_names(BUILTIN, set, names, sizeof(names)), expected);
    assert_int_equal(how, match);
}

static void a_component_maps_to_releases(void **state)
{
    (void)state;
    check_names(COMPONENT_DRIVER, "2.24.7.0", GEN_TRN2, RELEASE_EXACT, "2.26.0, 2.26.1");
    check_names(COMPONENT_RUNTIME, "2.31.24.0-0b044f4ce", GEN_UNKNOWN, RELEASE_EXACT,
                "2.29.0, 2.29.1");
    check_names(COMPONENT_COMPILER, "2.23.6484.0+3b612583", GEN_TRN1, RELEASE_EXACT,
                "2.28.0, 2.28.1");
    check_names(COMPONENT_RUNTIME, "2.12.23.0", GEN_INF1, RELEASE_EXACT, "2.20.0 to 2.21.1");
    check_names(COMPONENT_RUNTIME, "2.12.23.0", GEN_TRN1, RELEASE_EXACT, "2.9.1");
    check_names(COMPONENT_TORCH_NEURONX, "2.9.0.2.15.32035+8e870898", GEN_UNKNOWN, RELEASE_EXACT,
                "2.31.0, 2.31.1, 2.33.0");
}

static void what_no_release_holds_is_told_apart(void **state)
{
    (void)state;
    check_names(COMPONENT_DRIVER, "2.24.13.0", GEN_INF1, RELEASE_NEAR, "2.26.0, 2.26.1");
    check_names(COMPONENT_COLLECTIVES, "2.30.58", GEN_UNKNOWN, RELEASE_NEAR, "2.28.0, 2.28.1");
    check_names(COMPONENT_DRIVER, "2.99.1.0", GEN_UNKNOWN, RELEASE_NEWER, "none");
    check_names(COMPONENT_DRIVER, "2.31.8.0", GEN_UNKNOWN, RELEASE_NEWER, "none");
    check_names(COMPONENT_DRIVER, "2.0.1.0", GEN_UNKNOWN, RELEASE_NONE, "none");
    check_names(COMPONENT_DRIVER, NULL, GEN_UNKNOWN, RELEASE_NONE, "none");
    check_names(COMPONENT_DRIVER, "unknown", GEN_UNKNOWN, RELEASE_NONE, "none");
    // known, though not for this chip: not newer than the table
    check_names(COMPONENT_RUNTIME, "2.31.24.0", GEN_INF1, RELEASE_NONE, "none");
}

static void names_fit_their_buffer(void **state)
{
    (void)state;
    char names[200];
    uint64_t all = ~UINT64_C(0);
    assert_string_equal(releases_names(BUILTIN, all, names, sizeof(names)), "2.3.0 to 2.33.0");
    assert_string_equal(releases_names(BUILTIN, 0x15, names, 24), "2.30.0, 2.31.1, ...");
    for (size_t size = 0; size < 24; size++) {
        memset(names, 'x', sizeof(names));
        releases_names(BUILTIN, 0x15, names, size);
        assert_int_equal(names[size], 'x');
        assert_true(size == 0 || memchr(names, '\0', size) != NULL);
    }
    assert_null(releases_oldest(BUILTIN, 0));
    assert_string_equal(releases_oldest(BUILTIN, 0x15)->sdk, "2.30.0");
    assert_string_equal(releases_newest(BUILTIN, 0x15)->sdk, "2.33.0");
}

static void a_release_names_its_versions(void **state)
{
    (void)state;
    assert_string_equal(releases_version(BUILTIN, 0, COMPONENT_DRIVER, GEN_TRN3), "2.31.7.0");
    assert_string_equal(releases_version(BUILTIN, 1, COMPONENT_RUNTIME, GEN_TRN2), "2.34.10.0");
    assert_null(releases_version(BUILTIN, 1, COMPONENT_DRIVER, GEN_INF1));
    assert_null(releases_version(BUILTIN, 60, COMPONENT_DRIVER, GEN_TRN2));
}

static void check_window(const char *driver, enum generation_id gen, unsigned low, unsigned high)
{
    unsigned min = 0, max = 0;
    bool known = releases_window(BUILTIN, driver, gen, &min, &max);
    assert_int_equal(known, high > 0);
    assert_int_equal(min, low);
    assert_int_equal(max, high);
}

// versions reference 3.2
static void a_driver_has_a_window_by_chip(void **state)
{
    (void)state;
    check_window("2.24.7.0", GEN_INF1, 2, 7);
    check_window("2.24.7.0", GEN_INF2, 5, 7);
    check_window("2.24.7.0", GEN_TRN1, 5, 7);
    check_window("2.24.7.0", GEN_TRN2, 10, 11);
    check_window("2.26.5.0", GEN_TRN3, 10, 11);
    check_window("2.19.64.0", GEN_TRN2, 5, 9);
    check_window("2.20.28.0", GEN_TRN2, 10, 10);
    check_window("2.3.11.0", GEN_INF1, 2, 4);
    check_window("2.24.13.0", GEN_INF1, 2, 7); // a patch build of the last line for it
    check_window("2.20.50.0", GEN_TRN1, 5, 7); // between two that agree
    check_window("2.3.9.0", GEN_INF1, 2, 3);   // the same line
    check_window("2.4.0.0", GEN_INF1, 0, 0);   // between two that do not
    check_window("2.15.9.0", GEN_TRN2, 0, 0);  // did not know the chip
    check_window("2.25.4.0", GEN_INF1, 0, 0);  // does not know it any more
    check_window("2.27.4.0", GEN_TRN2, 0, 0);  // newer than the table
    check_window("2.24.7.0", GEN_UNKNOWN, 0, 0);
    check_window(NULL, GEN_TRN2, 0, 0);
}

static void two_sides_are_judged(void **state)
{
    (void)state;
    unsigned low = 0, high = 0;
    assert_true(releases_runtime_id(BUILTIN, "2.31.24.0-abc", GEN_TRN2, &low, &high));
    assert_int_equal(low, 10);
    assert_int_equal(high, 11);
    assert_false(releases_runtime_id(BUILTIN, "2.31.25.0", GEN_TRN2, &low, &high));
    assert_false(releases_runtime_id(BUILTIN, "2.31.24.0", GEN_INF1, &low, &high));
    assert_int_equal(compat_judge(6, 6, 2, 4), COMPAT_DRIVER_OLD); // field case F-01
    assert_int_equal(compat_judge(6, 6, 7, 9), COMPAT_RUNTIME_OLD);
    assert_int_equal(compat_judge(10, 11, 10, 11), COMPAT_FITS);
    assert_int_equal(compat_judge(10, 11, 10, 10), COMPAT_DRIVER_OLD);
}

static void check_package(const char *package, enum component expected)
{
    enum component component = COMPONENTS;
    component_by_package(package, &component);
    assert_int_equal(component, expected);
}

static void packages_have_their_component(void **state)
{
    (void)state;
    check_package("aws-neuronx-dkms", COMPONENT_DRIVER);
    check_package("aws-neuronx-runtime-lib", COMPONENT_RUNTIME);
    check_package("neuronx_cc", COMPONENT_COMPILER);
    check_package("Torch.NeuronX", COMPONENT_TORCH_NEURONX);
    check_package("neuron-cc", COMPONENT_COMPILER_INF1);
    check_package("aws-neuronx-tools-extra", COMPONENTS);
    check_package("neuronx", COMPONENTS);
    check_package("", COMPONENTS);
    for (unsigned i = 0; i < COMPONENTS; i++) {
        assert_non_null(component_name((enum component)i));
        assert_non_null(component_key((enum component)i));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_the_known_releases),
        cmocka_unit_test(a_component_maps_to_releases),
        cmocka_unit_test(what_no_release_holds_is_told_apart),
        cmocka_unit_test(names_fit_their_buffer),
        cmocka_unit_test(a_release_names_its_versions),
        cmocka_unit_test(a_driver_has_a_window_by_chip),
        cmocka_unit_test(two_sides_are_judged),
        cmocka_unit_test(packages_have_their_component),
    };
    return cmocka_run_group_tests_name("releases", tests, NULL, NULL);
}
