// SPDX-License-Identifier: Apache-2.0
// A snapshot and its findings on a stream: text for a ticket or a chat, JSON for scripts.
#ifndef NEUTOP_PRINT_PRINT_H
#define NEUTOP_PRINT_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "check/check.h"
#include "host/host.h"

struct print_options {
    bool ascii; // no character beyond ASCII
    bool color; // SGR colours (never cursor movement)
};

// The text snapshot: 80 columns, complete, the same words as the screen.
void print_text(FILE *out, const struct host *host, const struct findings *findings,
                const struct print_options *options);

// One JSON document on one line, schema "neutop.host/1".
void print_json(FILE *out, const struct host *host, const struct findings *findings);

#endif
