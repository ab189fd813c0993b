// SPDX-License-Identifier: Apache-2.0
// The configuration file, read with inih; its keys are rows of the option table.
#include "cmd/conffile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "base/xmem.h"
#include "cmd/status.h"

#ifdef HAVE_INIH
#include <ini.h>

enum { SHOWN = 60 };

struct reading {
    struct settings *settings;
    const char *path;
    FILE *file;
    int line; // that was read last
    int errors;
};

static void complain(struct reading *reading, const char *key, const char *why)
{
    char shown[SHOWN];
    reading->errors++;
    fprintf(stderr, "neutop: %s: line %d: '%s': %s\n", reading->path, reading->line,
            text_clean_to(shown, sizeof(shown), key, strlen(key)), why);
}

static int take(void *user, const char *section, const char *name, const char *value)
{
    struct reading *reading = user;
    char why[SETTINGS_WHY] = "";
    const struct option_row *row = settings_option(settings_options(), name);
    (void)section; // next_line() has complained
    const bool option = row != NULL && row->in_config;
    const int taken = option ? 0 : ui_look_take(&reading->settings->look, name, value, why);
    if (taken < 0)
        complain(reading, name, why);
    else if (!option && taken == 0)
        complain(reading, name, "no such key; see neutop.conf(5)");
    else if (option &&
             !row->apply(reading->settings, value, why)) // no key of the file keeps its text
        complain(reading, name, why);
    return 1;
}

// fgets() for inih that knows where it is; inih passes over a section that has no keys in silence.
static char *next_line(char *text, int size, void *user)
{
    struct reading *reading = user;
    char *line = fgets(text, size, reading->file);
    if (line == NULL)
        return NULL;
    reading->line++;
    const char *start = line + strspn(line, " \t");
    if (*start == '[') {
        char name[SHOWN] = "";
        memcpy(name, start, strcspn(start, "\r\n") < SHOWN ? strcspn(start, "\r\n") : SHOWN - 1);
        complain(reading, name, "there are no sections");
    }
    return line;
}

// Opens a file that can be read without waiting: a pipe that nobody writes to is empty. NULL with
// errno and the reason.
static FILE *open_file(const char *path, const char **why)
{
    int fd = file_open_named(path, O_NONBLOCK, why);
    if (fd < 0)
        return NULL;
    fcntl(fd, F_SETFL, O_RDONLY); // what does write is waited for
    return fdopen(fd, "r");
}

static int read_path(struct settings *settings, const char *path, bool named)
{
    struct reading reading = {.settings = settings, .path = path};
    const char *why = "";
    FILE *file = open_file(path, &why);
    if (file == NULL) {
        if (!named && (errno == ENOENT || errno == ENOTDIR))
            return STATUS_OK;
        fprintf(stderr, "neutop: %s: %s\n", path, why);
        return named ? STATUS_USAGE : STATUS_OK;
    }
    reading.file = file;
    int bad_line = ini_parse_stream(next_line, &reading, take, &reading);
    if (ferror(file)) {
        fprintf(stderr, "neutop: %s: %s\n", path, strerror(errno == 0 ? EIO : errno));
        bad_line = 0;
    }
    fclose(file);
    if (bad_line > 0)
        fprintf(stderr, "neutop: %s: line %d: 'key = value' is expected\n", path, bad_line);
    settings->sources_from_config = settings->source_count > 0;
    return STATUS_OK;
}

static char *default_path(void)
{
    const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (xdg != NULL && xdg[0] == '/')
        return xasprintf("%s/neutop/neutop.conf", xdg);
    if (home != NULL && home[0] == '/')
        return xasprintf("%s/.config/neutop/neutop.conf", home);
    return NULL;
}

char *conffile_path(const struct settings *settings, const char **why)
{
    char *path = NULL, *folder;
    if (settings->config == NULL)
        path = default_path();
    else if (settings->config[0] == '/')
        path = xstrdup(settings->config);
    else if ((folder = getcwd(NULL, 0)) != NULL) {
        path = xasprintf("%s/%s", folder, settings->config);
        free(folder);
    }
    *why = path == NULL ? "neither XDG_CONFIG_HOME nor HOME names a folder" : NULL;
    return path;
}

int conffile_read(struct settings *settings)
{
    if (settings->config != NULL)
        return read_path(settings, settings->config, true);
    char *path = default_path();
    int status = path == NULL ? STATUS_OK : read_path(settings, path, false);
    free(path);
    return status;
}

#else

char *conffile_path(const struct settings *settings, const char **why)
{
    (void)settings;
    *why = "built without inih, neutop reads no configuration";
    return NULL;
}

int conffile_read(struct settings *settings)
{
    if (settings->config == NULL)
        return STATUS_OK;
    fprintf(stderr,
            "neutop: --config %s: this neutop was built without inih and reads no configuration\n",
            settings->config);
    return STATUS_USAGE;
}

#endif
