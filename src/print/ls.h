// SPDX-License-Identifier: Apache-2.0
// What `neutop ls` prints: the chips of an instance and who uses them, for people, for scripts, and
// in neuron-ls's own JSON for scripts that know only that.
#ifndef NEUTOP_PRINT_LS_H
#define NEUTOP_PRINT_LS_H

#include "print/print.h"

struct ls_options {
    struct print_options print;
    bool wide;     // commands and names are not cut to fit into 80 columns
    bool all;      // processes without the Neuron runtime too
    bool topology; // draw the links between the chips
    bool cores;    // the descriptors of the cores instead of the chips
    int columns;   // of the terminal, for WIDE; 0: there is none
};

// Header lines and a table; with OPTIONS the topology, or the descriptors.
void print_ls_text(FILE *out, const struct host *host, const struct ls_options *options);

// One document on one line, schema "neutop.ls/1": what the snapshot's document has of these, and
// descriptors[] with OPTIONS->cores. All processes are in it, whatever OPTIONS->all says.
void print_ls_json(FILE *out, const struct host *host, const struct ls_options *options);

// The form of `neuron-ls -j` up to tools 2.33, key for key (neuron-monitor JSON reference, section
// 7.1): an indented array without a newline at its end.
void print_ls_neuron(FILE *out, const struct host *host, const struct ls_options *options);

#endif
