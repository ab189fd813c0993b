// SPDX-License-Identifier: Apache-2.0
// The configuration file neutop.conf: the same names and values as the long options that may stand
// in it.
#ifndef NEUTOP_CMD_CONFFILE_H
#define NEUTOP_CMD_CONFFILE_H

#include "cmd/settings.h"

// Reads settings->config, or $XDG_CONFIG_HOME/neutop/neutop.conf, or
// $HOME/.config/neutop/neutop.conf. What is wrong in it is said in one line on standard error each
// (file, line, what) and passed over. Returns the exit status: not 0 only when a file that was
// named cannot be read.
int conffile_read(struct settings *settings);

// The file that conffile_read() reads or would read, made absolute; the caller frees it. NULL, with
// WHY a constant text, when there is none to be written.
char *conffile_path(const struct settings *settings, const char **why);

#endif
