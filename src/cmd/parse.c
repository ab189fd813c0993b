// SPDX-License-Identifier: Apache-2.0
// The command line, read with getopt_long() from the option table.
#include "cmd/parse.h"

#include <getopt.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "cmd/status.h"

enum { OPTIONS_MAX = 48, LONG_ONLY = 256, HELP_COLUMN = 28, SHOWN = 80 };

// The rows that count, and getopt's own form of them.
struct getopt_form {
    const struct option_row *rows[OPTIONS_MAX];
    int count;
    struct option longs[OPTIONS_MAX];
    char shorts[OPTIONS_MAX * 2 + 4];
};

int parse_wrong(const char *format, ...)
{
    va_list args;
    fputs("neutop: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputs("\nTry 'neutop --help'.\n", stderr);
    return STATUS_USAGE;
}

// Adds the rows of TABLE whose names no earlier row has: a command's own row wins over the common
// one.
static void form_add_rows(struct getopt_form *form, const struct option_row *table)
{
    for (; table != NULL && table->name != NULL && form->count < OPTIONS_MAX - 1; table++) {
        bool shadowed = false;
        for (int i = 0; i < form->count; i++)
            shadowed = shadowed || strcmp(form->rows[i]->name, table->name) == 0;
        if (!shadowed)
            form->rows[form->count++] = table;
    }
}

static void form_make(struct getopt_form *form, const struct option_row *own)
{
    static const int has_argument[] = {no_argument, required_argument, optional_argument,
                                       optional_argument};
    memset(form, 0, sizeof(*form));
    form_add_rows(form, own);
    form_add_rows(form, settings_options());
    size_t used = 0;
    if (own == NULL)
        form->shorts[used++] = '+'; // the first operand is a command: it ends the options
    form->shorts[used++] = ':';     // a missing argument is told apart
    for (int i = 0; i < form->count; i++) {
        const struct option_row *row = form->rows[i];
        form->longs[i] =
            (struct option){row->name, has_argument[row->argument], NULL, LONG_ONLY + i};
        if (row->letter == 0)
            continue;
        form->shorts[used++] = row->letter;
        if (row->argument == ARGUMENT_REQUIRED)
            form->shorts[used++] = ':';
    }
}

static const struct option_row *form_row(const struct getopt_form *form, int code)
{
    if (code >= LONG_ONLY)
        return form->rows[code - LONG_ONLY];
    for (int i = 0; i < form->count; i++)
        if (form->rows[i]->letter == code)
            return form->rows[i];
    return NULL;
}

// The word that getopt stopped at, printable: a letter of a cluster is named alone.
static const char *culprit(char **argv, char *buffer, size_t size)
{
    if (optopt > 0 && optopt < LONG_ONLY) {
        char letter[3] = {'-', (char)optopt, '\0'};
        return text_clean_to(buffer, size, letter, strlen(letter));
    }
    const char *word = argv[optind - 1];
    return text_clean_to(buffer, size, word, strcspn(word, "="));
}

static int apply(struct settings *settings, const struct option_row *row, const char *value)
{
    char why[SETTINGS_WHY], shown[SHOWN];
    if (row->apply(settings, value, why))
        return 0;
    const char *clean = text_clean_to(shown, sizeof(shown), value == NULL ? "" : value,
                                      value == NULL ? 0 : strlen(value));
    return parse_wrong("bad value '%s' for --%s: %s", clean, row->name, why);
}

// `--demo TYPE`: a following word that is neither an option nor a command.
static const char *optional_value(int argc, char **argv, bool (*stop_word)(const char *word))
{
    if (optarg != NULL)
        return optarg;
    if (optind < argc && argv[optind][0] != '-' && !stop_word(argv[optind]))
        return argv[optind++];
    return NULL;
}

static int refuse_option(int code, char **argv)
{
    char shown[SHOWN];
    const char *word = culprit(argv, shown, sizeof(shown));
    if (code == ':')
        parse_wrong("option '%s' needs a value", word);
    else if (optopt >= LONG_ONLY)
        parse_wrong("option '%s' takes no value", word);
    else
        parse_wrong("unknown option '%s'", word);
    return -1;
}

int parse_options(struct settings *settings, const struct option_row *own, int argc, char **argv,
                  bool (*stop_word)(const char *word))
{
    struct getopt_form form;
    form_make(&form, own);
    opterr = 0;
    optind = 0;
    for (int code; (code = getopt_long(argc, argv, form.shorts, form.longs, NULL)) != -1;) {
        const struct option_row *row = form_row(&form, code);
        if (code == '?' || code == ':' || row == NULL)
            return refuse_option(code, argv);
        const char *value =
            row->argument == ARGUMENT_OPTIONAL ? optional_value(argc, argv, stop_word) : optarg;
        if (apply(settings, row, value) != 0)
            return -1;
    }
    return optind;
}

static void print_option(FILE *out, const struct option_row *row)
{
    static const char *const before[] = {"", " ", " [", "[="}, *const after[] = {"", "", "]", "]"};
    char letter[8] = "    ";
    if (row->letter != 0)
        snprintf(letter, sizeof(letter), "-%c, ", row->letter);
    int width = fprintf(out, "  %s--%s%s%s%s", letter, row->name, before[row->argument],
                        row->argument_name == NULL ? "" : row->argument_name, after[row->argument]);
    for (const char *line = row->help; line != NULL;) {
        const char *end = strchr(line, '\n');
        int length = end == NULL ? (int)strlen(line) : (int)(end - line);
        fprintf(out, "%*s%.*s\n", HELP_COLUMN - width, "", length, line);
        width = 0;
        line = end == NULL ? NULL : end + 1;
    }
}

void parse_print_options(FILE *out, const struct option_row *table, const struct option_row *own)
{
    for (; table != NULL && table->name != NULL; table++)
        if (own == NULL || settings_option(own, table->name) == NULL)
            print_option(out, table);
}
