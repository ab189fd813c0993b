// SPDX-License-Identifier: Apache-2.0
// What the person asked for: built from defaults, then the configuration file, then the command
// line.
#ifndef NEUTOP_CMD_SETTINGS_H
#define NEUTOP_CMD_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/source.h"
#include "ui/ui.h"

enum { SETTINGS_SOURCES = 8, SETTINGS_PIDS = 256, SETTINGS_WHY = 200 };

// What `neutop ls` was asked for.
struct ls_settings {
    bool wide, all, topology, cores;
    bool neuron_form; // --json=neuron-ls
};

// What `neutop neff` was asked for; NULL and 0: not given.
struct neff_settings {
    bool verify;
    const char *driver, *runtime, *chip;
    unsigned lnc;
};

// What `neutop cores` was asked for.
struct cores_settings {
    unsigned wanted; // --free N; 0: not given
};

struct settings {
    struct source_options source;
    char source_names[SETTINGS_SOURCES][16]; // as given with --source; none: auto
    size_t source_count;
    uint64_t iterations; // 0: until told to stop
    uint64_t pids[SETTINGS_PIDS];
    size_t pid_count;
    bool json;
    bool once;
    int color; // -1 auto, 0 never, 1 always
    bool ascii;
    bool readonly;
    const char *theme, *sort, *view; // NULL: the default
    struct ui_look look;             // from the configuration file
    const char *config;              // --config FILE
    bool no_config;
    bool help, version;
    bool (*list)(size_t index, struct ui_name *name); // words to list (--theme help); NULL: none
    struct ls_settings ls;
    struct neff_settings neff;
    struct cores_settings cores;
    bool explain_offline;      // neutop explain: the host is not to be looked at
    const char *releases_file; // --releases FILE
    bool sources_from_config;  // the next --source replaces what the configuration said
};

// The defaults of interface and man page.
void settings_init(struct settings *settings);

// A whole number of decimal digits from LEAST to MOST: no sign, no blanks. False when TEXT is none.
bool settings_number(const char *text, uint64_t least, uint64_t most, uint64_t *number);

enum option_argument {
    ARGUMENT_NONE,
    ARGUMENT_REQUIRED,
    ARGUMENT_OPTIONAL, // --demo TYPE, --demo=TYPE, --demo
    ARGUMENT_ATTACHED, // --json=FORM, --json
};

// One option. The table is what parser, usage text and configuration file walk.
struct option_row {
    char letter;      // 0: none
    const char *name; // "delay"
    enum option_argument argument;
    const char *argument_name; // "SECONDS"
    bool in_config;            // also a key of neutop.conf
    const char *help;          // lines of the usage text, separated by '\n'

    // Takes VALUE (NULL without one; "yes"/"no" from the configuration for ARGUMENT_NONE). False
    // with WHY filled when it is no good.
    bool (*apply)(struct settings *settings, const char *value, char *why);
};

// The options that every command has; ends with a row whose name is NULL.
const struct option_row *settings_options(void);

// The row of a long name; NULL when there is none.
const struct option_row *settings_option(const struct option_row *table, const char *name);

#endif
