// SPDX-License-Identifier: Apache-2.0
// How the screen looks, as a person sets it up and neutop.conf keeps it: words in, words out.
#ifndef NEUTOP_UI_LOOK_H
#define NEUTOP_UI_LOOK_H

#include <stdbool.h>
#include <stddef.h>

enum { LOOK_VALUE = 192, LOOK_WHY = 120 };

// What has no option of its own. All zero is what the screen has without a configuration.
struct ui_look {
    unsigned chips; // enum chip_mode
    bool flops;     // FLOPS instead of utilization
    bool flat;      // workers not under their launcher
    bool invert;    // the order of the processes
    bool hide_given;
    unsigned long hidden; // with hide_given: columns of the processes, a bit each
};

// A key of neutop.conf that is no option: 1 taken, 0 no such key, -1 a value that is none, with WHY
// (LOOK_WHY bytes).
int ui_look_take(struct ui_look *look, const char *key, const char *value, char *why);

// A setting in the words of neutop.conf.
struct ui_setting {
    const char *key;
    char value[LOOK_VALUE];
    char standard[LOOK_VALUE]; // what holds where the file does not have the key
};

struct ui;

// The setting at INDEX as the screen has it now; false past the last one.
bool ui_setting(const struct ui *ui, size_t index, struct ui_setting *setting);

// The look that the screen starts with.
void ui_look_apply(struct ui *ui, const struct ui_look *look);

#endif
