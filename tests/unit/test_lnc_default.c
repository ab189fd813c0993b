// SPDX-License-Identifier: Apache-2.0
// The host's logical core size: the forms of its file, and when it is used (driver reference 5.4).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "source/lnc_default.h"

static char root[256];

static int new_root(void **state)
{
    static const char *const folders[] = {"/opt", "/opt/aws", "/opt/aws/neuron"};
    const char *base = getenv("TMPDIR");
    char path[PATH_MAX];
    (void)state;
    snprintf(root, sizeof(root), "%s/neutop-lnc-XXXXXX", base == NULL ? "/tmp" : base);
    if (mkdtemp(root) == NULL)
        return -1;
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        snprintf(path, sizeof(path), "%s%s", root, folders[i]);
        if (mkdir(path, 0755) != 0)
            return -1;
    }
    return 0;
}

static int remove_root(void **state)
{
    char command[PATH_MAX];
    (void)state;
    snprintf(command, sizeof(command), "rm -rf '%s'", root);
    return system(command);
}

static void test_forms_of_the_file(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned lnc;
        const char *invalid;
    } files[] = {
        {"NEURON_LOGICAL_NC_CONFIG=1", 1, ""},
        {"NEURON_LOGICAL_NC_CONFIG=2\n", 2, ""},
        {"NEURON_LOGICAL_NC_CONFIG=1\r\n", 1, ""},
        {"", 0, ""},
        {"\n", 0, ""},
        {"NEURON_LOGICAL_NC_CONFIG=", 0, "NEURON_LOGICAL_NC_CONFIG="},
        {"NEURON_LOGICAL_NC_CONFIG=0\n", 0, "NEURON_LOGICAL_NC_CONFIG=0"},
        {"NEURON_LOGICAL_NC_CONFIG=3\n", 0, "NEURON_LOGICAL_NC_CONFIG=3"},
        {"NEURON_LOGICAL_NC_CONFIG=12\n", 0, "NEURON_LOGICAL_NC_CONFIG=12"},
        {"NEURON_RT_NUM_CORES=2\n", 0, "NEURON_RT_NUM_CORES=2"},
    };
    char path[PATH_MAX];
    assert_int_equal(lnc_default_read(root).lnc, 0);
    assert_string_equal(lnc_default_read(root).invalid, "");
    snprintf(path, sizeof(path), "%s/opt/aws/neuron/logical_nc_config", root);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        FILE *file = fopen(path, "we");
        assert_non_null(file);
        fputs(files[i].text, file);
        fclose(file);
        struct lnc_setting setting = lnc_default_read(root);
        assert_int_equal(setting.lnc, files[i].lnc);
        assert_string_equal(setting.invalid, files[i].invalid);
    }
}

static void fill(struct host *host, unsigned lnc)
{
    struct lnc_setting setting = {.lnc = lnc};
    lnc_default_fill(host, &setting);
}

static void test_only_where_nobody_told(void **state)
{
    (void)state;
    struct host *host = host_new();
    fill(host, 1);
    assert_false(known_u64(host->hardware.lnc)); // of an unknown chip
    host->hardware.generation = generation_get(GEN_TRN1);
    fill(host, 2);
    assert_false(known_u64(host->hardware.lnc)); // it has none
    host->hardware.generation = generation_get(GEN_TRN2);
    host->numbering = NUMBERING_MONITOR;
    fill(host, 1);
    assert_false(known_u64(host->hardware.lnc)); // it would have told
    host->numbering = NUMBERING_PHYSICAL;
    fill(host, 1);
    assert_int_equal(host->hardware.lnc.value, 1);
    assert_int_equal(host->hardware.logical_cores_per_chip.value, 8);
    fill(host, 2);
    assert_int_equal(host->hardware.lnc.value, 1);
    host->hardware.lnc = host->hardware.logical_cores_per_chip = (struct fact_u64){0};
    fill(host, 0);
    assert_int_equal(host->hardware.lnc.value, 2);
    assert_int_equal(host->hardware.lnc.from, FROM_TABLE);
    assert_int_equal(host->hardware.logical_cores_per_chip.value, 4);
    assert_null(host->hardware.lnc_setting_invalid);
    struct lnc_setting wrong = {.invalid = "NEURON_LOGICAL_NC_CONFIG=3"};
    lnc_default_fill(host, &wrong);
    assert_string_equal(host->hardware.lnc_setting_invalid, "NEURON_LOGICAL_NC_CONFIG=3");
    host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_forms_of_the_file, new_root, remove_root),
        cmocka_unit_test(test_only_where_nobody_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
