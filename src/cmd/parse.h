// SPDX-License-Identifier: Apache-2.0
// The command line: options of the table into settings, and the usage text from the same table.
#ifndef NEUTOP_CMD_PARSE_H
#define NEUTOP_CMD_PARSE_H

#include <stdio.h>

#include "cmd/settings.h"

// Parses the options of ARGV: those of OWN (a command's rows; NULL: none, then the first operand
// ends the options) and the common ones. Returns the index of the first operand (ARGC: none), or -1
// after printing one line about what is wrong and the "Try" line on standard error. STOP_WORD tells
// a command name, which `--demo` must not take for its TYPE.
int parse_options(struct settings *settings, const struct option_row *own, int argc, char **argv,
                  bool (*stop_word)(const char *word));

// Prints the rows of TABLE (NULL: none) as usage lines, without those that OWN (NULL: none) has
// too.
void parse_print_options(FILE *out, const struct option_row *table, const struct option_row *own);

// One line about a wrong use, then "Try 'neutop --help'.", on standard error. Returns the exit
// status for it.
int parse_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
