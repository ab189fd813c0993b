// SPDX-License-Identifier: Apache-2.0
// Themes: for each number of colours a table from role to look.
#include "ui/theme.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "ui/ui.h"

#define D COLOR_DEFAULT

// The eight colours by name; 256-colour numbers are written as numbers.
enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE };

static const struct style mono[ROLE_COUNT] = {
    [ROLE_TEXT] = {D, D, 0},
    [ROLE_DIM] = {D, D, 0},
    [ROLE_STRONG] = {D, D, STYLE_BOLD},
    [ROLE_TITLE] = {D, D, STYLE_REVERSE},
    [ROLE_DEMO] = {D, D, STYLE_BOLD | STYLE_REVERSE},
    [ROLE_HEAD] = {D, D, STYLE_UNDERLINE},
    [ROLE_HEAD_ON] = {D, D, STYLE_UNDERLINE | STYLE_BOLD},
    [ROLE_SELECTED] = {D, D, STYLE_REVERSE},
    [ROLE_MARKED] = {D, D, STYLE_BOLD},
    [ROLE_BUSY_LOW] = {D, D, 0},
    [ROLE_BUSY_MID] = {D, D, 0},
    [ROLE_BUSY_HIGH] = {D, D, 0},
    [ROLE_MEMORY] = {D, D, 0},
    [ROLE_MEMORY_HIGH] = {D, D, STYLE_BOLD},
    [ROLE_SYSTEM] = {D, D, STYLE_BOLD},
    [ROLE_HELD] = {D, D, STYLE_BOLD},
    [ROLE_FREE] = {D, D, 0},
    [ROLE_UNKNOWN] = {D, D, 0},
    [ROLE_STALE] = {D, D, STYLE_DIM},
    [ROLE_CRITICAL] = {D, D, STYLE_BOLD | STYLE_REVERSE},
    [ROLE_WARNING] = {D, D, STYLE_BOLD},
    [ROLE_INFO] = {D, D, 0},
    [ROLE_GOOD] = {D, D, 0},
    [ROLE_KEY] = {D, D, STYLE_BOLD},
    [ROLE_KEY_TEXT] = {D, D, STYLE_REVERSE},
    [ROLE_TAB_ON] = {D, D, STYLE_BOLD | STYLE_REVERSE},
    [ROLE_MATCH] = {D, D, STYLE_BOLD | STYLE_UNDERLINE},
    [ROLE_GRAPH] = {D, D, 0},
};

static const struct style default_8[ROLE_COUNT] = {
    [ROLE_TEXT] = {D, D, 0},
    [ROLE_DIM] = {CYAN, D, 0},
    [ROLE_STRONG] = {D, D, STYLE_BOLD},
    [ROLE_TITLE] = {WHITE, BLUE, STYLE_BOLD},
    [ROLE_DEMO] = {BLACK, YELLOW, 0},
    [ROLE_HEAD] = {BLACK, GREEN, 0},
    [ROLE_HEAD_ON] = {BLACK, CYAN, 0},
    [ROLE_SELECTED] = {BLACK, CYAN, 0},
    [ROLE_MARKED] = {D, D, STYLE_BOLD},
    [ROLE_BUSY_LOW] = {GREEN, D, 0},
    [ROLE_BUSY_MID] = {GREEN, D, 0},
    [ROLE_BUSY_HIGH] = {GREEN, D, STYLE_BOLD},
    [ROLE_MEMORY] = {BLUE, D, STYLE_BOLD},
    [ROLE_MEMORY_HIGH] = {RED, D, STYLE_BOLD},
    [ROLE_SYSTEM] = {RED, D, 0},
    [ROLE_HELD] = {YELLOW, D, STYLE_BOLD},
    [ROLE_FREE] = {CYAN, D, 0},
    [ROLE_UNKNOWN] = {MAGENTA, D, 0},
    [ROLE_STALE] = {D, D, STYLE_DIM},
    [ROLE_CRITICAL] = {WHITE, RED, STYLE_BOLD},
    [ROLE_WARNING] = {YELLOW, D, STYLE_BOLD},
    [ROLE_INFO] = {CYAN, D, 0},
    [ROLE_GOOD] = {GREEN, D, 0},
    [ROLE_KEY] = {D, D, 0},
    [ROLE_KEY_TEXT] = {BLACK, CYAN, 0},
    [ROLE_TAB_ON] = {GREEN, D, STYLE_BOLD},
    [ROLE_MATCH] = {BLACK, YELLOW, 0},
    [ROLE_GRAPH] = {GREEN, D, 0},
};

static const struct style default_256[ROLE_COUNT] = {
    [ROLE_TEXT] = {D, D, 0},
    [ROLE_DIM] = {245, D, 0},
    [ROLE_STRONG] = {D, D, STYLE_BOLD},
    [ROLE_TITLE] = {255, 24, 0},
    [ROLE_DEMO] = {16, 214, 0},
    [ROLE_HEAD] = {252, 238, 0},
    [ROLE_HEAD_ON] = {16, 79, 0},
    [ROLE_SELECTED] = {16, 79, 0},
    [ROLE_MARKED] = {D, 237, 0},
    [ROLE_BUSY_LOW] = {65, D, 0},
    [ROLE_BUSY_MID] = {71, D, 0},
    [ROLE_BUSY_HIGH] = {77, D, 0},
    [ROLE_MEMORY] = {68, D, 0},
    [ROLE_MEMORY_HIGH] = {203, D, 0},
    [ROLE_SYSTEM] = {167, D, 0},
    [ROLE_HELD] = {214, D, 0},
    [ROLE_FREE] = {245, D, 0},
    [ROLE_UNKNOWN] = {140, D, 0},
    [ROLE_STALE] = {240, D, 0},
    [ROLE_CRITICAL] = {231, 160, STYLE_BOLD},
    [ROLE_WARNING] = {214, D, 0},
    [ROLE_INFO] = {110, D, 0},
    [ROLE_GOOD] = {71, D, 0},
    [ROLE_KEY] = {D, D, 0},
    [ROLE_KEY_TEXT] = {16, 79, 0},
    [ROLE_TAB_ON] = {77, D, STYLE_BOLD},
    [ROLE_MATCH] = {16, 221, 0},
    [ROLE_GRAPH] = {71, D, 0},
};

// Blue, orange and white only: told apart with red-green and with blue-yellow weakness.
static const struct style colorblind_8[ROLE_COUNT] = {
    [ROLE_TEXT] = {D, D, 0},
    [ROLE_DIM] = {D, D, 0},
    [ROLE_STRONG] = {D, D, STYLE_BOLD},
    [ROLE_TITLE] = {WHITE, BLUE, STYLE_BOLD},
    [ROLE_DEMO] = {BLACK, YELLOW, 0},
    [ROLE_HEAD] = {BLACK, WHITE, 0},
    [ROLE_HEAD_ON] = {BLACK, YELLOW, 0},
    [ROLE_SELECTED] = {BLACK, CYAN, 0},
    [ROLE_MARKED] = {D, D, STYLE_BOLD},
    [ROLE_BUSY_LOW] = {CYAN, D, 0},
    [ROLE_BUSY_MID] = {CYAN, D, 0},
    [ROLE_BUSY_HIGH] = {CYAN, D, STYLE_BOLD},
    [ROLE_MEMORY] = {BLUE, D, STYLE_BOLD},
    [ROLE_MEMORY_HIGH] = {YELLOW, D, STYLE_BOLD},
    [ROLE_SYSTEM] = {YELLOW, D, 0},
    [ROLE_HELD] = {YELLOW, D, STYLE_BOLD},
    [ROLE_FREE] = {D, D, 0},
    [ROLE_UNKNOWN] = {D, D, 0},
    [ROLE_STALE] = {D, D, STYLE_DIM},
    [ROLE_CRITICAL] = {BLACK, YELLOW, STYLE_BOLD},
    [ROLE_WARNING] = {YELLOW, D, STYLE_BOLD},
    [ROLE_INFO] = {CYAN, D, 0},
    [ROLE_GOOD] = {CYAN, D, 0},
    [ROLE_KEY] = {D, D, 0},
    [ROLE_KEY_TEXT] = {BLACK, CYAN, 0},
    [ROLE_TAB_ON] = {CYAN, D, STYLE_BOLD},
    [ROLE_MATCH] = {BLACK, YELLOW, 0},
    [ROLE_GRAPH] = {CYAN, D, 0},
};

static const struct style colorblind_256[ROLE_COUNT] = {
    [ROLE_TEXT] = {D, D, 0},
    [ROLE_DIM] = {246, D, 0},
    [ROLE_STRONG] = {D, D, STYLE_BOLD},
    [ROLE_TITLE] = {255, 25, 0},
    [ROLE_DEMO] = {16, 214, 0},
    [ROLE_HEAD] = {252, 238, 0},
    [ROLE_HEAD_ON] = {16, 75, 0},
    [ROLE_SELECTED] = {16, 75, 0},
    [ROLE_MARKED] = {D, 237, 0},
    [ROLE_BUSY_LOW] = {67, D, 0},
    [ROLE_BUSY_MID] = {74, D, 0},
    [ROLE_BUSY_HIGH] = {81, D, 0},
    [ROLE_MEMORY] = {32, D, 0},
    [ROLE_MEMORY_HIGH] = {208, D, 0},
    [ROLE_SYSTEM] = {208, D, 0},
    [ROLE_HELD] = {214, D, 0},
    [ROLE_FREE] = {246, D, 0},
    [ROLE_UNKNOWN] = {250, D, 0},
    [ROLE_STALE] = {240, D, 0},
    [ROLE_CRITICAL] = {16, 208, STYLE_BOLD},
    [ROLE_WARNING] = {214, D, 0},
    [ROLE_INFO] = {75, D, 0},
    [ROLE_GOOD] = {75, D, 0},
    [ROLE_KEY] = {D, D, 0},
    [ROLE_KEY_TEXT] = {16, 75, 0},
    [ROLE_TAB_ON] = {75, D, STYLE_BOLD},
    [ROLE_MATCH] = {16, 221, 0},
    [ROLE_GRAPH] = {74, D, 0},
};

static const struct style light_8[ROLE_COUNT] = {
    [ROLE_TEXT] = {D, D, 0},
    [ROLE_DIM] = {BLUE, D, 0},
    [ROLE_STRONG] = {D, D, STYLE_BOLD},
    [ROLE_TITLE] = {WHITE, BLUE, STYLE_BOLD},
    [ROLE_DEMO] = {WHITE, RED, STYLE_BOLD},
    [ROLE_HEAD] = {WHITE, BLACK, 0},
    [ROLE_HEAD_ON] = {WHITE, BLUE, 0},
    [ROLE_SELECTED] = {WHITE, BLUE, 0},
    [ROLE_MARKED] = {D, D, STYLE_BOLD},
    [ROLE_BUSY_LOW] = {GREEN, D, 0},
    [ROLE_BUSY_MID] = {GREEN, D, 0},
    [ROLE_BUSY_HIGH] = {GREEN, D, 0},
    [ROLE_MEMORY] = {BLUE, D, 0},
    [ROLE_MEMORY_HIGH] = {RED, D, 0},
    [ROLE_SYSTEM] = {RED, D, 0},
    [ROLE_HELD] = {MAGENTA, D, 0},
    [ROLE_FREE] = {BLUE, D, 0},
    [ROLE_UNKNOWN] = {D, D, 0},
    [ROLE_STALE] = {D, D, STYLE_DIM},
    [ROLE_CRITICAL] = {WHITE, RED, STYLE_BOLD},
    [ROLE_WARNING] = {RED, D, 0},
    [ROLE_INFO] = {BLUE, D, 0},
    [ROLE_GOOD] = {GREEN, D, 0},
    [ROLE_KEY] = {D, D, 0},
    [ROLE_KEY_TEXT] = {WHITE, BLUE, 0},
    [ROLE_TAB_ON] = {BLUE, D, STYLE_BOLD},
    [ROLE_MATCH] = {WHITE, MAGENTA, 0},
    [ROLE_GRAPH] = {GREEN, D, 0},
};

static const struct style light_256[ROLE_COUNT] = {
    [ROLE_TEXT] = {D, D, 0},
    [ROLE_DIM] = {242, D, 0},
    [ROLE_STRONG] = {D, D, STYLE_BOLD},
    [ROLE_TITLE] = {231, 24, 0},
    [ROLE_DEMO] = {231, 130, 0},
    [ROLE_HEAD] = {16, 252, 0},
    [ROLE_HEAD_ON] = {231, 31, 0},
    [ROLE_SELECTED] = {231, 31, 0},
    [ROLE_MARKED] = {D, 254, 0},
    [ROLE_BUSY_LOW] = {65, D, 0},
    [ROLE_BUSY_MID] = {64, D, 0},
    [ROLE_BUSY_HIGH] = {28, D, 0},
    [ROLE_MEMORY] = {25, D, 0},
    [ROLE_MEMORY_HIGH] = {160, D, 0},
    [ROLE_SYSTEM] = {124, D, 0},
    [ROLE_HELD] = {130, D, 0},
    [ROLE_FREE] = {244, D, 0},
    [ROLE_UNKNOWN] = {96, D, 0},
    [ROLE_STALE] = {248, D, 0},
    [ROLE_CRITICAL] = {231, 160, STYLE_BOLD},
    [ROLE_WARNING] = {130, D, 0},
    [ROLE_INFO] = {25, D, 0},
    [ROLE_GOOD] = {28, D, 0},
    [ROLE_KEY] = {D, D, 0},
    [ROLE_KEY_TEXT] = {231, 31, 0},
    [ROLE_TAB_ON] = {28, D, STYLE_BOLD},
    [ROLE_MATCH] = {16, 221, 0},
    [ROLE_GRAPH] = {64, D, 0},
};

#define THEMES(_)                                                                              \
    _(default, default_8, default_256, "green and blue on a dark screen")                      \
    _(mono, mono, mono, "no colour: bold, underline and reverse only")                         \
    _(colorblind, colorblind_8, colorblind_256, "blue and orange, safe with colour blindness") \
    _(light, light_8, light_256, "for a light background")

#define THEME_ROW(name, eight, many, what) {#name, what, {mono, eight, many}},
static const struct theme themes[] = {THEMES(THEME_ROW){NULL, NULL, {NULL, NULL, NULL}}};

bool ui_theme_name(size_t index, struct ui_name *name)
{
    if (index >= sizeof(themes) / sizeof(themes[0]) - 1)
        return false;
    *name = (struct ui_name){themes[index].name, themes[index].what};
    return true;
}

const struct theme *theme_table(void)
{
    return themes;
}

const struct theme *theme_get(const char *name)
{
    if (name == NULL)
        return &themes[0];
    for (const struct theme *theme = themes; theme->name != NULL; theme++) {
        if (strcmp(theme->name, name) == 0)
            return theme;
    }
    return NULL;
}

enum color_depth theme_depth(int colors, int color)
{
    const char *no_color = getenv("NO_COLOR");

    if (color == 0 || (color < 0 && no_color != NULL && no_color[0] != '\0') || colors < 8)
        return DEPTH_NONE;
    return colors >= 256 ? DEPTH_256 : DEPTH_8;
}
