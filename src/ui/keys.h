// SPDX-License-Identifier: Apache-2.0
// The table of keys.
#ifndef NEUTOP_UI_KEYS_H
#define NEUTOP_UI_KEYS_H

#include "ui/state.h"

enum { BINDING_KEYS = 9 };

struct binding {
    int keys[BINDING_KEYS];
    const char *label, *what;
    unsigned (*act)(struct ui *ui, int key); // returns enum ui_request bits
};

const struct binding *key_bindings(void); // ends with a NULL label

#endif
