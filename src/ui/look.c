// SPDX-License-Identifier: Apache-2.0
// How the screen looks, in the words of neutop.conf.
#include "ui/look.h"

#include <bsd/string.h>
#include <stdio.h>
#include <string.h>

#include "ui/state.h"

static const char *const chip_words[CHIP_MODES] = {"auto", "lines", "grid", "hidden"};
static const char *const core_words[] = {"utilization", "flops"};
static const char *const flag_words[] = {"no", "yes"};

// The command has the tag too.
static unsigned long hidden_at_first(void)
{
    return 1ul << (column_get("tag") - column_table());
}

static int word_of(const char *const *words, int count, const char *value)
{
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], value) == 0)
            return i;
    return -1;
}

static bool take_chips(struct ui_look *look, const char *value)
{
    const int word = word_of(chip_words, CHIP_MODES, value);

    look->chips = word >= 0 ? (unsigned)word : look->chips;
    return word >= 0;
}

static bool take_cores(struct ui_look *look, const char *value)
{
    const int word = word_of(core_words, 2, value);

    look->flops = word >= 0 ? word == 1 : look->flops;
    return word >= 0;
}

static bool take_tree(struct ui_look *look, const char *value)
{
    const int word = word_of(flag_words, 2, value);

    look->flat = word >= 0 ? word == 0 : look->flat;
    return word >= 0;
}

static bool take_invert(struct ui_look *look, const char *value)
{
    const int word = word_of(flag_words, 2, value);

    look->invert = word >= 0 ? word == 1 : look->invert;
    return word >= 0;
}

// Names of columns, joined with commas; those that are always there cannot be hidden.
static bool take_hide(struct ui_look *look, const char *value)
{
    char names[LOOK_VALUE], *rest = names;
    unsigned long hidden = 0;

    if (strlcpy(names, value, sizeof names) >= sizeof names)
        return false;
    for (char *name; strcmp(value, "none") != 0 && (name = strsep(&rest, ",")) != NULL;) {
        name += strspn(name, " ");
        name[strcspn(name, " ")] = '\0';
        const struct column *column = column_get(name);
        if (column == NULL || column->priority == 0)
            return false;
        hidden |= 1ul << (column - column_table());
    }
    look->hidden = hidden;
    look->hide_given = true;
    return true;
}

static const struct {
    const char *key;
    bool (*take)(struct ui_look *look, const char *value);
    const char *expected;
} own_keys[] = {
    {"chips", take_chips, "auto, lines, grid or hidden is expected"},
    {"cores", take_cores, "utilization or flops is expected"},
    {"tree", take_tree, "yes or no is expected"},
    {"invert", take_invert, "yes or no is expected"},
    {"hide", take_hide, "columns that can be hidden, joined with commas, or none, are expected"},
};

int ui_look_take(struct ui_look *look, const char *key, const char *value, char *why)
{
    for (size_t i = 0; i < sizeof own_keys / sizeof own_keys[0]; i++) {
        if (strcmp(own_keys[i].key, key) != 0)
            continue;
        if (own_keys[i].take(look, value))
            return 1;
        strlcpy(why, own_keys[i].expected, LOOK_WHY);
        return -1;
    }
    return 0;
}

void ui_look_apply(struct ui *ui, const struct ui_look *look)
{
    ui->main.chip_mode = (enum chip_mode)look->chips;
    ui->main.flops = look->flops;
    ui->main.tree = !look->flat;
    ui->main.invert = look->invert;
    ui->main.hidden_columns = look->hide_given ? look->hidden : hidden_at_first();
}

static void write_theme(const struct ui *ui, char *text)
{
    strlcpy(text, ui->theme->name, LOOK_VALUE);
}

static void write_ascii(const struct ui *ui, char *text)
{
    strlcpy(text, flag_words[ui->ascii], LOOK_VALUE);
}

static void write_delay(const struct ui *ui, char *text)
{
    snprintf(text, LOOK_VALUE, "%g", ui->delay_seconds);
}

static void write_chips(const struct ui *ui, char *text)
{
    strlcpy(text, chip_words[ui->main.chip_mode], LOOK_VALUE);
}

static void write_cores(const struct ui *ui, char *text)
{
    strlcpy(text, core_words[ui->main.flops], LOOK_VALUE);
}

static void write_tree(const struct ui *ui, char *text)
{
    strlcpy(text, flag_words[ui->main.tree], LOOK_VALUE);
}

static void write_sort(const struct ui *ui, char *text)
{
    strlcpy(text, ui->main.sort->name, LOOK_VALUE);
}

static void write_invert(const struct ui *ui, char *text)
{
    strlcpy(text, flag_words[ui->main.invert], LOOK_VALUE);
}

static void write_hide(const struct ui *ui, char *text)
{
    const struct column *table = column_table();

    text[0] = '\0';
    for (unsigned i = 0; table[i].name != NULL; i++) {
        if ((ui->main.hidden_columns & 1ul << i) == 0)
            continue;
        strlcat(text, text[0] != '\0' ? "," : "", LOOK_VALUE);
        strlcat(text, table[i].name, LOOK_VALUE);
    }
    if (text[0] == '\0')
        strlcpy(text, "none", LOOK_VALUE);
}

static const struct {
    const char *key;
    void (*write)(const struct ui *ui, char *text);
    const char *standard; // NULL: of the theme, its first
} kept[] = {
    {"theme", write_theme, NULL},          {"ascii", write_ascii, "no"},
    {"delay", write_delay, "1"},           {"chips", write_chips, "auto"},
    {"cores", write_cores, "utilization"}, {"tree", write_tree, "yes"},
    {"sort", write_sort, "hbm"},           {"invert", write_invert, "no"},
    {"hide", write_hide, "tag"},
};

bool ui_setting(const struct ui *ui, size_t index, struct ui_setting *setting)
{
    if (index >= sizeof kept / sizeof kept[0])
        return false;
    setting->key = kept[index].key;
    kept[index].write(ui, setting->value);
    strlcpy(setting->standard,
            kept[index].standard != NULL ? kept[index].standard : theme_get(NULL)->name,
            LOOK_VALUE);
    return true;
}
