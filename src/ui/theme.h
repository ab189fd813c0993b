// SPDX-License-Identifier: Apache-2.0
// Roles of text on the screen, and the themes that give each role its look. State is always told by
// words or marks as well: a theme may be all one colour.
#ifndef NEUTOP_UI_THEME_H
#define NEUTOP_UI_THEME_H

#include <stdint.h>

enum role {
    ROLE_TEXT,
    ROLE_DIM,      // labels, units, what is of no interest now
    ROLE_STRONG,   // what the eye should find first
    ROLE_TITLE,    // the bar at the top
    ROLE_DEMO,     // DEMO, PAUSED, ENDED in the title
    ROLE_HEAD,     // head of a table
    ROLE_HEAD_ON,  // column that sorts
    ROLE_SELECTED, // row under the cursor of the part that has the focus
    ROLE_MARKED,   // the same in the part without focus
    ROLE_BUSY_LOW, // utilisation bars
    ROLE_BUSY_MID,
    ROLE_BUSY_HIGH,
    ROLE_MEMORY, // memory bars
    ROLE_MEMORY_HIGH,
    ROLE_SYSTEM,  // system part of a CPU bar
    ROLE_HELD,    // held by a process, but idle
    ROLE_FREE,    // nobody's
    ROLE_UNKNOWN, // nobody gave this fact
    ROLE_STALE,   // the source has gone quiet since
    ROLE_CRITICAL,
    ROLE_WARNING,
    ROLE_INFO,
    ROLE_GOOD,
    ROLE_KEY,      // "F1"
    ROLE_KEY_TEXT, // "Help"
    ROLE_TAB_ON,   // the tab that is shown
    ROLE_MATCH,    // found text
    ROLE_GRAPH,
    ROLE_COUNT
};

enum style_attribute {
    STYLE_BOLD = 1 << 0,
    STYLE_DIM = 1 << 1,
    STYLE_REVERSE = 1 << 2,
    STYLE_UNDERLINE = 1 << 3,
};

enum { COLOR_DEFAULT = -1 };

struct style {
    int16_t foreground, background; // colour number of the terminal, or COLOR_DEFAULT
    uint8_t attributes;             // enum style_attribute bits
};

// How many colours the terminal has for us.
enum color_depth { DEPTH_NONE, DEPTH_8, DEPTH_256, DEPTHS };

struct theme {
    const char *name, *what;
    const struct style *styles[DEPTHS]; // each ROLE_COUNT long
};

// The theme of that name; NULL when there is none. NULL as NAME gives the default.
const struct theme *theme_get(const char *name);

// All themes; ends with a row whose name is NULL.
const struct theme *theme_table(void);

// The depth for a terminal of COLORS colours. COLOR is the person's wish: -1 automatic (then
// NO_COLOR counts), 0 never, 1 always.
enum color_depth theme_depth(int colors, int color);

#endif
