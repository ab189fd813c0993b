// SPDX-License-Identifier: Apache-2.0
// The program that was built says the version that was configured.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void prints_configured_version(void **state)
{
    (void)state;
    const char *program = getenv("NEUTOP_BIN");
    char command[4096];
    char line[256] = "";

    snprintf(command, sizeof command, "'%s' --version", program != NULL ? program : "./neutop");
    FILE *out = popen(command, "r");
    assert_non_null(out);
    assert_non_null(fgets(line, sizeof line, out));
    assert_int_equal(pclose(out), 0);
    assert_string_equal(line, "neutop " PACKAGE_VERSION "\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_configured_version),
    };
    return cmocka_run_group_tests_name("version", tests, NULL, NULL);
}
