// SPDX-License-Identifier: Apache-2.0
// neutop: the entry point. Reads what was asked for and hands over to a command.
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cmd/command.h"
#include "cmd/conffile.h"
#include "cmd/parse.h"
#include "cmd/status.h"
#include "ui/ui.h"

// The first row is what runs when no command is named.
static const struct command COMMANDS[] = {
    {NULL, "neutop [OPTION]...",
     "watch this host: the screen, or a text snapshot where there is no terminal", cmd_watch},
};

enum { COMMAND_COUNT = sizeof(COMMANDS) / sizeof(COMMANDS[0]) };

static const struct command *find_command(const char *word)
{
    for (size_t i = 1; i < COMMAND_COUNT; i++)
        if (strcmp(COMMANDS[i].name, word) == 0)
            return &COMMANDS[i];
    return NULL;
}

static bool is_command(const char *word)
{
    return find_command(word) != NULL;
}

// Standard output that cannot be written is no success.
static int printed(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return STATUS_OK;
    fprintf(stderr, "neutop: standard output: %s\n", strerror(errno));
    return STATUS_USAGE;
}

static int print_usage(void)
{
    fputs("Usage:\n", stdout);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        printf("  %s\n      %s\n", COMMANDS[i].usage, COMMANDS[i].summary);
    fputs("\nOptions:\n", stdout);
    parse_print_options(stdout);
    fputs("\nExit status: 0 it worked; 2 wrong usage or an input that cannot be used;\n"
          "4 no Neuron device and nothing else to read. neutop(1) says more.\n",
          stdout);
    return printed();
}

static int print_version(void)
{
    puts(PACKAGE_NAME " " PACKAGE_VERSION);
    return printed();
}

static int print_themes(void)
{
    for (const struct ui_theme_name *theme = ui_themes(); theme->name != NULL; theme++)
        printf("%-12s %s\n", theme->name, theme->what);
    return printed();
}

// Options win over the configuration file, so they are read twice: once to find the file, once over
// it.
static int read_settings(struct settings *settings, int argc, char **argv)
{
    settings_init(settings);
    int operand = parse_options(settings, argc, argv, is_command);
    if (operand < 0 || settings->help || settings->version || settings->list_themes ||
        settings->no_config)
        return operand;
    struct settings with_file;
    settings_init(&with_file);
    with_file.config = settings->config;
    if (conffile_read(&with_file) != STATUS_OK)
        return -1;
    *settings = with_file;
    return parse_options(settings, argc, argv, is_command);
}

int main(int argc, char **argv)
{
    struct settings settings;
    char shown[80];
    setlocale(LC_ALL, "");
    int operand = read_settings(&settings, argc, argv);
    if (operand < 0)
        return STATUS_USAGE;
    if (settings.help)
        return print_usage();
    if (settings.version)
        return print_version();
    if (settings.list_themes)
        return print_themes();
    const struct command *command = operand < argc ? find_command(argv[operand]) : &COMMANDS[0];
    if (command == NULL)
        return parse_wrong(
            "unexpected operand '%s'",
            text_clean_to(shown, sizeof(shown), argv[operand], strlen(argv[operand])));
    return command->run(&settings, argc - operand, argv + operand);
}
