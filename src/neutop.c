// SPDX-License-Identifier: Apache-2.0
// neutop: the entry point.
#include <stdio.h>
#include <string.h>

static const char usage[] = "Usage: neutop [OPTION]...\n"
                            "Watch a host with AWS Neuron chips.\n\n"
                            "  -h, --help     print this text\n"
                            "  -V, --version  print the version\n";

int main(int argc, char **argv)
{
    const char *option = argc > 1 ? argv[1] : "--help";

    if (strcmp(option, "-V") == 0 || strcmp(option, "--version") == 0) {
        puts(PACKAGE_NAME " " PACKAGE_VERSION);
        return 0;
    }
    if (strcmp(option, "-h") == 0 || strcmp(option, "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    fprintf(stderr, "neutop: unknown option %s. Try 'neutop --help'.\n", option);
    return 2;
}
