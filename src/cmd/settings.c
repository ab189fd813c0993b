// SPDX-License-Identifier: Apache-2.0
// The table of common options and what each does to the settings.
#include "cmd/settings.h"

#include <bsd/string.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/collect.h"

static const double DELAY_MIN = 0.1, DELAY_MAX = 3600, SPEED_MAX = 1e6;

void settings_init(struct settings *settings)
{
    *settings = (struct settings){
        .source = {.root = "", .delay_seconds = 1, .speed = 1, .seed = 1},
        .color = -1,
    };
}

static bool refuse(char *why, const char *what)
{
    strlcpy(why, what, SETTINGS_WHY);
    return false;
}

bool settings_number(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    uint64_t value = 0;
    if (text[0] == '\0')
        return false;
    for (const char *at = text; *at != '\0'; at++) {
        unsigned digit = (unsigned)(unsigned char)*at - '0';
        if (digit > 9 || value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    if (value < least || value > most)
        return false;
    *number = value;
    return true;
}

// A decimal number and nothing else; "inf", "nan" and hexadecimal forms are not for people.
static bool read_number(const char *text, double *number)
{
    if (text[0] == '\0' || strspn(text, "0123456789.") != strlen(text))
        return false;
    char *end;
    *number = strtod(text, &end);
    return *end == '\0' && isfinite(*number);
}

static bool read_flag(const char *value, bool *flag, char *why)
{
    if (value == NULL || strcmp(value, "yes") == 0)
        *flag = true;
    else if (strcmp(value, "no") == 0)
        *flag = false;
    else
        return refuse(why, "yes or no is expected");
    return true;
}

static bool apply_help(struct settings *settings, const char *value, char *why)
{
    return read_flag(value, &settings->help, why);
}

static bool apply_version(struct settings *settings, const char *value, char *why)
{
    return read_flag(value, &settings->version, why);
}

static bool add_source(struct settings *settings, const char *name, size_t length, char *why)
{
    char word[sizeof(settings->source_names[0])];
    if (length >= sizeof(word) || length == 0)
        return refuse(why, "known sources: auto, driver, monitor, demo, none");
    memcpy(word, name, length);
    word[length] = '\0';
    if (!collect_known_source(word))
        return refuse(why, "known sources: auto, driver, monitor, demo, none");
    if (settings->source_count == SETTINGS_SOURCES)
        return refuse(why, "too many sources");
    strlcpy(settings->source_names[settings->source_count++], word, sizeof(word));
    return true;
}

// "driver+monitor", "driver,monitor": both signs join.
static bool apply_source(struct settings *settings, const char *value, char *why)
{
    if (settings->sources_from_config) {
        settings->source_count = 0;
        settings->sources_from_config = false;
    }
    for (const char *at = value;; at++) {
        size_t length = strcspn(at, ",+");
        if (!add_source(settings, at, length, why))
            return false;
        at += length;
        if (*at == '\0')
            return true;
    }
}

static bool apply_demo(struct settings *settings, const char *value, char *why)
{
    settings->source.demo_type = value;
    return apply_source(settings, "demo", why);
}

static bool apply_seed(struct settings *settings, const char *value, char *why)
{
    return settings_number(value, 0, LLONG_MAX, &settings->source.seed) ||
           refuse(why, "a whole number from 0 on is expected");
}

static bool apply_speed(struct settings *settings, const char *value, char *why)
{
    double speed;
    if (!read_number(value, &speed) || speed > SPEED_MAX)
        return refuse(why, "a number from 0 (as fast as possible) to 1000000 is expected");
    settings->source.speed = speed;
    return true;
}

static bool apply_input(struct settings *settings, const char *value, char *why)
{
    if (value[0] == '\0')
        return refuse(why, "a file name, or - for standard input, is expected");
    settings->source.input = value;
    return true;
}

static bool apply_root(struct settings *settings, const char *value, char *why)
{
    if (value[0] == '\0')
        return refuse(why, "a directory is expected");
    settings->source.root = strcmp(value, "/") == 0 ? "" : value;
    return true;
}

static bool apply_releases(struct settings *settings, const char *value, char *why)
{
    if (value[0] == '\0')
        return refuse(why, "a file name is expected");
    settings->releases_file = value;
    return true;
}

static bool apply_delay(struct settings *settings, const char *value, char *why)
{
    double seconds;
    if (!read_number(value, &seconds) || seconds < DELAY_MIN || seconds > DELAY_MAX)
        return refuse(why, "seconds from 0.1 to 3600 are expected");
    settings->source.delay_seconds = seconds;
    return true;
}

static bool apply_iterations(struct settings *settings, const char *value, char *why)
{
    return settings_number(value, 1, LLONG_MAX, &settings->iterations) ||
           refuse(why, "a whole number from 1 on is expected");
}

static bool apply_pid(struct settings *settings, const char *value, char *why)
{
    uint64_t pid;
    if (!settings_number(value, 1, INT_MAX, &pid))
        return refuse(why, "a process id is expected");
    if (settings->pid_count == SETTINGS_PIDS)
        return refuse(why, "too many processes");
    settings->pids[settings->pid_count++] = pid;
    return true;
}

static bool apply_json(struct settings *settings, const char *value, char *why)
{
    return read_flag(value, &settings->json, why);
}

static bool apply_once(struct settings *settings, const char *value, char *why)
{
    return read_flag(value, &settings->once, why);
}

static bool apply_color(struct settings *settings, const char *value, char *why)
{
    static const char *const words[] = {"auto", "never", "always"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(value, words[i]) == 0) {
            settings->color = i - 1;
            return true;
        }
    }
    return refuse(why, "auto, always or never is expected");
}

static bool apply_ascii(struct settings *settings, const char *value, char *why)
{
    return read_flag(value, &settings->ascii, why);
}

// Takes a word of NAMES, or "help", which lists them.
static bool read_name(struct settings *settings, bool (*names)(size_t, struct ui_name *),
                      const char *value, const char **word)
{
    struct ui_name name;
    if (strcmp(value, "help") == 0) {
        settings->list = names;
        return true;
    }
    for (size_t i = 0; names(i, &name); i++) {
        if (strcmp(name.name, value) == 0) {
            *word = name.name;
            return true;
        }
    }
    return false;
}

static bool apply_theme(struct settings *settings, const char *value, char *why)
{
    return read_name(settings, ui_theme_name, value, &settings->theme) ||
           refuse(why, "--theme help lists the themes");
}

static bool apply_sort(struct settings *settings, const char *value, char *why)
{
    return read_name(settings, ui_sort_name, value, &settings->sort) ||
           refuse(why, "--sort help lists the columns");
}

static bool apply_view(struct settings *settings, const char *value, char *why)
{
    return read_name(settings, ui_view_name, value, &settings->view) ||
           refuse(why, "--view help lists the views");
}

static bool apply_readonly(struct settings *settings, const char *value, char *why)
{
    return read_flag(value, &settings->readonly, why);
}

static bool apply_tensor_activity(struct settings *settings, const char *value, char *why)
{
    return read_flag(value, &settings->source.tensor_activity, why);
}

static bool apply_config(struct settings *settings, const char *value, char *why)
{
    (void)why;
    settings->config = value;
    return true;
}

static bool apply_no_config(struct settings *settings, const char *value, char *why)
{
    return read_flag(value, &settings->no_config, why);
}

static const struct option_row OPTIONS[] = {
    {'h', "help", ARGUMENT_NONE, NULL, false, "print this and exit", apply_help},
    {'V', "version", ARGUMENT_NONE, NULL, false, "print the version and exit", apply_version},
    {'S', "source", ARGUMENT_REQUIRED, "SOURCE", true,
     "auto (default), driver, monitor, demo or none;\njoined with + or ,", apply_source},
    {0, "demo", ARGUMENT_OPTIONAL, "TYPE", false,
     "a simulated instance (default trn2.48xlarge;\ntrn2.48xlarge:lnc1 for LNC=1)", apply_demo},
    {0, "seed", ARGUMENT_REQUIRED, "N", false, "the demo does the same with the same N",
     apply_seed},
    {0, "speed", ARGUMENT_REQUIRED, "X", false, "replay X times faster; 0 as fast as possible",
     apply_speed},
    {'i', "input", ARGUMENT_REQUIRED, "FILE", false,
     "read a neuron-monitor stream from FILE,\nor from standard input (-)", apply_input},
    {0, "root", ARGUMENT_REQUIRED, "DIR", false, "look for the host's files below DIR", apply_root},
    {0, "releases", ARGUMENT_REQUIRED, "FILE", false,
     "SDK releases by FILE, in the form of neutop's\nreleases.json, instead of those known",
     apply_releases},
    {'d', "delay", ARGUMENT_REQUIRED, "SECONDS", true,
     "time between two updates, 0.1 to 3600;\nthe default is 1", apply_delay},
    {'n', "iterations", ARGUMENT_REQUIRED, "N", false, "stop after N updates", apply_iterations},
    {'p', "pid", ARGUMENT_REQUIRED, "PID", false, "only this process; may be repeated", apply_pid},
    {0, "json", ARGUMENT_NONE, NULL, false, "one JSON document per update, one line each",
     apply_json},
    {0, "once", ARGUMENT_NONE, NULL, false, "one text snapshot", apply_once},
    {0, "color", ARGUMENT_REQUIRED, "WHEN", true, "auto (default), always or never", apply_color},
    {0, "ascii", ARGUMENT_NONE, NULL, true, "no character beyond ASCII", apply_ascii},
    {0, "theme", ARGUMENT_REQUIRED, "NAME", true, "colours of the screen; help lists them",
     apply_theme},
    {0, "sort", ARGUMENT_REQUIRED, "COLUMN", true,
     "sort the screen's processes by COLUMN; help\nlists them", apply_sort},
    {0, "view", ARGUMENT_REQUIRED, "VIEW", true, "start with this view; help lists them",
     apply_view},
    {0, "readonly", ARGUMENT_NONE, NULL, true, "no key can change anything on the host",
     apply_readonly},
    {0, "tensor-activity", ARGUMENT_NONE, NULL, false,
     "read the matrix engines' counters too (JSON)", apply_tensor_activity},
    {0, "config", ARGUMENT_REQUIRED, "FILE", false, "read FILE instead of neutop.conf",
     apply_config},
    {0, "no-config", ARGUMENT_NONE, NULL, false, "read no configuration file", apply_no_config},
    {0},
};

const struct option_row *settings_options(void)
{
    return OPTIONS;
}

const struct option_row *settings_option(const struct option_row *table, const char *name)
{
    for (; table->name != NULL; table++)
        if (strcmp(table->name, name) == 0)
            return table;
    return NULL;
}
