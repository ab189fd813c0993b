// SPDX-License-Identifier: Apache-2.0
// A host with nothing to read: each cause is told apart, in the order of field case F-14.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/absence.h"
#include "source/which.h"

static char root[PATH_MAX];

static void make(const char *path, const char *content, mode_t mode)
{
    char whole[PATH_MAX * 2];
    snprintf(whole, sizeof(whole), "%s%s", root, path);
    for (char *slash = whole + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        assert_true(mkdir(whole, 0755) == 0 || errno == EEXIST);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
    assert_int_equal(chmod(whole, mode), 0);
}

static int new_root(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(root, sizeof(root), "%s/neutop-absence-XXXXXX", base == NULL ? "/tmp" : base);
    return mkdtemp(root) == NULL;
}

static int remove_root(void **state)
{
    (void)state;
    char command[PATH_MAX + 16];
    snprintf(command, sizeof(command), "rm -rf '%s'", root);
    return system(command);
}

static void test_no_neuron_instance(void **state)
{
    (void)state;
    struct absence absence;
    make("/sys/bus/pci/devices/0000:00:1e.0/vendor", "0x10de\n",
         0644); // a GPU, field case F-14 (#395)
    make("/sys/bus/pci/devices/0000:00:1e.0/device", "0x1eb8\n", 0644);
    make("/sys/bus/pci/devices/0000:00:05.0/vendor", "0x1d0f\n", 0644); // an Amazon network card
    make("/sys/bus/pci/devices/0000:00:05.0/device", "0xec20\n", 0644);
    absence_look(&absence, root);
    assert_non_null(strstr(absence.verdict, "not a Neuron instance"));
    assert_false(absence.looks[0].found);
    for (size_t i = 0; i < ABSENCE_LOOKS; i++) {
        assert_non_null(absence.looks[i].what);
        assert_true(absence.looks[i].found || absence.looks[i].remedy[0] != '\0');
    }
}

static void add_chips(void)
{
    make("/sys/bus/pci/devices/0000:cc:00.0/vendor", "0x1d0f\n", 0644);
    make("/sys/bus/pci/devices/0000:cc:00.0/device", "0x7364\n", 0644);
    make("/sys/bus/pci/devices/0000:b5:00.0/vendor", "0x1d0f\n", 0644);
    make("/sys/bus/pci/devices/0000:b5:00.0/device", "0x7364\n", 0644);
}

static void test_driver_not_loaded(void **state)
{
    (void)state;
    struct absence absence;
    add_chips();
    absence_look(&absence, root);
    assert_string_equal(absence.looks[0].seen, "2 of Trainium2");
    assert_non_null(strstr(absence.verdict, "driver is not loaded"));
    assert_non_null(strstr(absence.looks[1].remedy, "aws-neuronx-dkms"));
    assert_null(strstr(absence.looks[2].remedy, "2.24")); // of no concern to these chips
    make("/sys/bus/pci/devices/0000:cc:00.0/device", "0x7064\n", 0644);
    make("/sys/bus/pci/devices/0000:b5:00.0/device", "0x7064\n", 0644);
    absence_look(&absence, root);
    assert_non_null(strstr(absence.looks[2].remedy, "the last driver series is 2.24"));
}

static void test_device_not_mapped(void **state)
{
    (void)state;
    struct absence absence;
    add_chips();
    make("/sys/module/neuron/version", "2.24.7.0\n", 0444);
    make("/dev/null-file", "", 0644);
    absence_look(&absence, root);
    assert_non_null(strstr(absence.verdict, "mapped here"));
    assert_string_equal(absence.looks[1].seen, "module neuron 2.24.7.0 is loaded");
    assert_true(absence.looks[1].found);
    assert_false(absence.looks[3].found);
}

static void test_tools_missing(void **state)
{
    (void)state;
    struct absence absence;
    add_chips();
    make("/sys/module/neuron/version", "2.24.7.0\n", 0444);
    make("/dev/neuron0", "", 0644);
    make("/dev/neuron_not_a_device", "", 0644);
    absence_look(&absence, root);
    assert_non_null(strstr(absence.verdict, "neuron-monitor was not found"));
    assert_non_null(strstr(absence.looks[3].seen, "1 in "));
    assert_non_null(strstr(absence.looks[4].remedy, "aws-neuronx-tools"));
}

static void test_tool_found_in_opt(void **state)
{
    (void)state;
    char path[PATH_MAX], expected[PATH_MAX * 2];
    assert_false(which_neuron_tool("neuron-monitor", root, path, sizeof(path)));
    make("/opt/aws/neuron/bin/neuron-monitor", "#!/bin/sh\n",
         0644); // the OCI hook images have files that are no programs, F-15
    assert_false(which_neuron_tool("neuron-monitor", root, path, sizeof(path)));
    make("/opt/aws/neuron/bin/neuron-monitor", "#!/bin/sh\n", 0755);
    assert_true(which_neuron_tool("neuron-monitor", root, path, sizeof(path)));
    snprintf(expected, sizeof(expected), "%s/opt/aws/neuron/bin/neuron-monitor", root);
    assert_string_equal(path, expected);
}

static void test_tool_found_on_path(void **state)
{
    (void)state;
    char path[PATH_MAX], dirs[PATH_MAX * 2];
    char *before = strdup(getenv("PATH"));
    make("/tools/neuron-monitor", "#!/bin/sh\n", 0755);
    snprintf(dirs, sizeof(dirs), "relative:/nowhere::%s/tools", root);
    setenv("PATH", dirs, 1);
    assert_true(which_neuron_tool("neuron-monitor", "", path, sizeof(path)));
    assert_non_null(strstr(path, "/tools/neuron-monitor"));
    setenv("PATH", "relative:.", 1);
    assert_false(which_neuron_tool("neuron-monitor", "", path, sizeof(path)) && path[0] != '/');
    setenv("PATH", before, 1);
    free(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_no_neuron_instance, new_root, remove_root),
        cmocka_unit_test_setup_teardown(test_driver_not_loaded, new_root, remove_root),
        cmocka_unit_test_setup_teardown(test_device_not_mapped, new_root, remove_root),
        cmocka_unit_test_setup_teardown(test_tools_missing, new_root, remove_root),
        cmocka_unit_test_setup_teardown(test_tool_found_in_opt, new_root, remove_root),
        cmocka_unit_test_setup_teardown(test_tool_found_on_path, new_root, remove_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
