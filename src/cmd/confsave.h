// SPDX-License-Identifier: Apache-2.0
// Writes settings into the person's neutop.conf, and nothing else of it.
#ifndef NEUTOP_CMD_CONFSAVE_H
#define NEUTOP_CMD_CONFSAVE_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/look.h"

// TEXT (SIZE bytes of a neutop.conf, read as inih does) with SETTINGS in it: the value of a key
// that it has is exchanged, where it counts; a key that it has not is added at the end, unless its
// value is the standard one. All other lines stay as they are, byte by byte. The caller frees the
// result; its length is in NEW_SIZE.
char *confsave_edit(const char *text, size_t size, const struct ui_setting *settings, size_t count,
                    size_t *new_size);

// The same with the file at PATH, which is made with its folders when it is not there. The new file
// takes the old one's place in one step, with its mode and group; of a link, in the place that it
// leads to. Refused: what is no regular file or somebody else's, and as root a folder that is. SAID
// gets one line on what was done, or on why nothing was; true when the file is as wanted.
bool confsave_write(const char *path, const struct ui_setting *settings, size_t count, char *said,
                    size_t size);

#endif
