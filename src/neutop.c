// SPDX-License-Identifier: Apache-2.0
// neutop: the entry point. Reads what was asked for and hands over to a command.
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cmd/command.h"
#include "cmd/conffile.h"
#include "cmd/parse.h"
#include "cmd/status.h"
#include "source/releases_file.h"
#include "source/source.h"

// The first row is what runs when no command is named.
static const struct command COMMANDS[] = {
    {NULL, "neutop [OPTION]...",
     "watch this host: the screen, or a text snapshot where there is no terminal", NULL, false,
     cmd_watch},
    {"ls", "neutop ls [-w] [-a] [-t] [--cores] [--json[=neuron-ls]] [OPTION]...",
     "list the chips, their cores and the processes on them", ls_options, false, cmd_ls},
    {"cores", "neutop cores [SPEC | --free N] [--ask-driver] [--json] [OPTION]...",
     "tell which cores are free and who holds the others; find free ones", cores_options, true,
     cmd_cores},
    {"doctor", "neutop doctor [--json] [--releases FILE] [OPTION]... [FILE.neff]...",
     "make every check once, of this host and of NEFF files", NULL, true, cmd_doctor},
    {"neff", "neutop neff [--verify] [--json] [OPTION]... FILE...",
     "what a NEFF file is, and whether this host can load it", neff_options, true, cmd_neff},
    {"explain", "neutop explain [--offline] [--json] [OPTION]... [FILE]",
     "explain the Neuron errors in a job's output", explain_options, true, cmd_explain},
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

// Of a command with operands: --demo takes only the word that it knows, the others are operands.
static bool is_no_demo_type(const char *word)
{
    return !demo_knows(word);
}

static void print_command(const struct command *command)
{
    printf("  %s\n      %s\n", command->usage, command->summary);
}

// The usage of COMMAND, or of all when none was named.
static int print_usage(const struct command *command)
{
    bool all = command->name == NULL;
    fputs("Usage:\n", stdout);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (all || &COMMANDS[i] == command)
            print_command(&COMMANDS[i]);
    if (command->options != NULL)
        printf("\nOptions of %s:\n", command->name);
    parse_print_options(stdout, command->options, NULL);
    fputs(all ? "\nOptions:\n" : "\nCommon options:\n", stdout);
    parse_print_options(stdout, settings_options(), command->options);
    fputs("\nExit status: 0 it worked and nothing wrong was found; 1 a warning;\n"
          "2 wrong usage or an input that cannot be used; 3 something is broken;\n"
          "4 no Neuron device and nothing else to read. neutop(1) says more.\n",
          stdout);
    return printed();
}

static int print_version(void)
{
    puts(PACKAGE_NAME " " PACKAGE_VERSION);
    return printed();
}

static int print_names(bool (*names)(size_t index, struct ui_name *name))
{
    struct ui_name name;
    for (size_t i = 0; names(i, &name); i++)
        printf("%-12s %s\n", name.name, name.what);
    return printed();
}

static int refuse_operand(const char *word)
{
    char shown[80];
    parse_wrong("unexpected operand '%s'", text_clean_to(shown, sizeof(shown), word, strlen(word)));
    return -1;
}

// Reads the options before the command, the command, and its own. Returns the index of the first
// operand, or -1 after saying what is wrong.
static int parse_line(struct settings *settings, int argc, char **argv,
                      const struct command **command)
{
    static const struct option_row no_rows[] = {{0}};
    int at = parse_options(settings, NULL, argc, argv, is_command);
    if (at < 0)
        return at;
    *command = at < argc ? find_command(argv[at]) : &COMMANDS[0];
    if (*command == NULL)
        return refuse_operand(argv[at]);
    if (at == argc)
        return at;
    const struct option_row *own = (*command)->options != NULL ? (*command)->options : no_rows;
    int rest = parse_options(settings, own, argc - at, argv + at,
                             (*command)->operands ? is_no_demo_type : is_command);
    if (rest >= 0 && at + rest < argc && !(*command)->operands)
        return refuse_operand(argv[at + rest]);
    return rest < 0 ? rest : at + rest;
}

// Options win over the configuration file, so they are read twice: to find the file, and over it.
static int read_settings(struct settings *settings, int argc, char **argv,
                         const struct command **command)
{
    settings_init(settings);
    int operand = parse_line(settings, argc, argv, command);
    if (operand < 0 || settings->help || settings->version || settings->list != NULL ||
        settings->no_config)
        return operand;
    struct settings with_file;
    settings_init(&with_file);
    with_file.config = settings->config;
    if (conffile_read(&with_file) != STATUS_OK)
        return -1;
    *settings = with_file;
    return parse_line(settings, argc, argv, command);
}

// A standard descriptor that was closed must not become some file of ours: what reads it finds
// nothing, what writes to it fails.
static void hold_standard_descriptors(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

// A captured stream is read alone.
static bool sources_agree(struct settings *settings)
{
    if (settings->source.input == NULL || settings->source_count == 0)
        return true;
    if (!settings->sources_from_config) {
        parse_wrong("--input is read alone: --source %s does not go with it",
                    settings->source_names[0]);
        return false;
    }
    settings->source_count = 0;
    return true;
}

// The table of --releases lives as long as the program.
static int run(const struct command *command, struct settings *settings, int argc, char **argv)
{
    struct releases *releases = NULL;
    struct trouble trouble;
    if (settings->releases_file != NULL) {
        releases = releases_file_read(settings->releases_file, &trouble);
        if (releases == NULL) {
            fprintf(stderr, "neutop: %s\n", trouble.line);
            return STATUS_USAGE;
        }
    }
    settings->source.releases = releases;
    int status = command->run(settings, argc, argv);
    releases_file_free(releases);
    return status;
}

int main(int argc, char **argv)
{
    hold_standard_descriptors();
    struct settings settings;
    const struct command *command;
    setlocale(LC_CTYPE, ""); // characters only: a number has a point in every country
    int operand = read_settings(&settings, argc, argv, &command);
    if (operand < 0)
        return STATUS_USAGE;
    if (settings.help)
        return print_usage(command);
    if (settings.version)
        return print_version();
    if (settings.list != NULL)
        return print_names(settings.list);
    if (!sources_agree(&settings))
        return STATUS_USAGE;
    return run(command, &settings, argc - operand, argv + operand);
}
