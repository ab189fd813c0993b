// SPDX-License-Identifier: Apache-2.0
// Files that a person names.
#ifndef NEUTOP_BASE_FILE_H
#define NEUTOP_BASE_FILE_H

// Opens PATH for reading: a file, FIFO or terminal, or one of the memory devices (/dev/null).
// FLAGS: 0, or O_NONBLOCK where a FIFO without a writer must not hold the program up. The
// descriptor is not handed on to a child. No other device is opened, since the open alone can
// change what a device does: that of a Neuron device takes it for a job (driver reference,
// section 3.1). -1 with errno and the reason in *WHY, which is valid until the next call.
int file_open_named(const char *path, int flags, const char **why);

#endif
