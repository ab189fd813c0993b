// SPDX-License-Identifier: Apache-2.0
// The command line, read with getopt_long() from the option table.
#include "cmd/parse.h"

#include <getopt.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "cmd/status.h"

enum { OPTIONS_MAX = 48, LONG_ONLY = 256, HELP_COLUMN = 28, SHOWN = 80 };

// getopt's own form of the table.
struct getopt_form {
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

static void getopt_form_make(struct getopt_form *form, const struct option_row *table)
{
    static const int has_argument[] = {no_argument, required_argument, optional_argument};
    size_t used = 0;
    memset(form, 0, sizeof(*form));
    form->shorts[used++] = '+'; // operands end the options: the first is a command
    form->shorts[used++] = ':'; // a missing argument is told apart
    for (int i = 0; i < OPTIONS_MAX - 1 && table[i].name != NULL; i++) {
        form->longs[i] =
            (struct option){table[i].name, has_argument[table[i].argument], NULL, LONG_ONLY + i};
        if (table[i].letter == 0)
            continue;
        form->shorts[used++] = table[i].letter;
        if (table[i].argument == ARGUMENT_REQUIRED)
            form->shorts[used++] = ':';
    }
}

static const struct option_row *row_of(const struct option_row *table, int code)
{
    if (code >= LONG_ONLY)
        return &table[code - LONG_ONLY];
    for (; table->name != NULL; table++)
        if (table->letter == code)
            return table;
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

int parse_options(struct settings *settings, int argc, char **argv,
                  bool (*stop_word)(const char *word))
{
    const struct option_row *table = settings_options();
    struct getopt_form form;
    char shown[SHOWN];
    getopt_form_make(&form, table);
    opterr = 0;
    optind = 0;
    for (int code; (code = getopt_long(argc, argv, form.shorts, form.longs, NULL)) != -1;) {
        const struct option_row *row = code == '?' || code == ':' ? NULL : row_of(table, code);
        if (code == ':') {
            parse_wrong("option '%s' needs a value", culprit(argv, shown, sizeof(shown)));
            return -1;
        }
        if (row == NULL) {
            bool takes_none = optopt >= LONG_ONLY;
            parse_wrong(takes_none ? "option '%s' takes no value" : "unknown option '%s'",
                        culprit(argv, shown, sizeof(shown)));
            return -1;
        }
        const char *value =
            row->argument == ARGUMENT_OPTIONAL ? optional_value(argc, argv, stop_word) : optarg;
        if (apply(settings, row, value) != 0)
            return -1;
    }
    return optind;
}

void parse_print_options(FILE *out)
{
    for (const struct option_row *row = settings_options(); row->name != NULL; row++) {
        char letter[8] = "    ";
        if (row->letter != 0)
            snprintf(letter, sizeof(letter), "-%c, ", row->letter);
        int width = fprintf(out, "  %s--%s", letter, row->name);
        if (row->argument != ARGUMENT_NONE)
            width += fprintf(out, row->argument == ARGUMENT_OPTIONAL ? " [%s]" : " %s",
                             row->argument_name);
        for (const char *line = row->help; line != NULL;) {
            const char *end = strchr(line, '\n');
            int length = end == NULL ? (int)strlen(line) : (int)(end - line);
            fprintf(out, "%*s%.*s\n", HELP_COLUMN - width, "", length, line);
            width = 0;
            line = end == NULL ? NULL : end + 1;
        }
    }
}
