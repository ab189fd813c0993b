// SPDX-License-Identifier: Apache-2.0
// The commands, one file each; src/neutop.c only dispatches.
#ifndef NEUTOP_CMD_COMMAND_H
#define NEUTOP_CMD_COMMAND_H

#include "cmd/settings.h"

// One command: the row's run() gets the settings and its own operands, and returns the exit status.
struct command {
    const char *name; // NULL: what runs when no command is named
    const char *usage;
    const char *summary;
    const struct option_row *options; // its own; NULL: only the common ones
    bool operands;                    // takes operands
    int (*run)(struct settings *settings, int argc, char **argv);
};

int cmd_watch(struct settings *settings, int argc,
              char **argv); // cmd/watch.c: the screen, or text and JSON
int cmd_ls(struct settings *settings, int argc, char **argv); // cmd/ls.c: chips and who uses them
int cmd_cores(struct settings *settings, int argc,
              char **argv);                                     // cmd/cores.c: which cores are free
int cmd_neff(struct settings *settings, int argc, char **argv); // cmd/neff.c: what NEFF files are
int cmd_explain(struct settings *settings, int argc,
                char **argv); // cmd/explain.c: errors in the output of a job

int cmd_doctor(struct settings *settings, int argc, char **argv); // cmd/doctor.c: all checks, once

extern const struct option_row ls_options[];      // cmd/ls.c
extern const struct option_row cores_options[];   // cmd/cores.c
extern const struct option_row neff_options[];    // cmd/neff.c
extern const struct option_row explain_options[]; // cmd/explain.c

#endif
