// SPDX-License-Identifier: Apache-2.0
// The message of a host with nothing to read.
#include "cmd/nothing.h"

#include <string.h>

#include "source/absence.h"

static void print_look(FILE *out, const struct absence_look *look)
{
    fprintf(out, "  %-9s %s: %s\n", look->found ? "found" : "not found", look->what, look->seen);
    if (look->remedy[0] != '\0')
        fprintf(out, "            %s\n", look->remedy);
}

bool nothing_there(const char *root)
{
    struct absence absence;
    absence_look(&absence, root);
    return !absence.looks[LOOK_PCI].found && !absence.looks[LOOK_DEVICES].found;
}

void nothing_print(FILE *out, const struct settings *settings)
{
    bool none = settings->source_count > 0;
    for (size_t i = 0; i < settings->source_count; i++)
        none = none && strcmp(settings->source_names[i], "none") == 0;
    if (none) {
        fputs("neutop: nothing was read: --source none was given\n", out);
        return;
    }
    struct absence absence;
    absence_look(&absence, settings->source.root);
    fprintf(out, "neutop: nothing to read: %s\n", absence.verdict);
    for (size_t i = 0; i < ABSENCE_LOOKS; i++)
        print_look(out, &absence.looks[i]);
    fputs("A captured stream can be read with -i FILE; neutop --demo shows a simulated instance.\n",
          out);
}
