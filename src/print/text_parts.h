// SPDX-License-Identifier: Apache-2.0
// The sections of the text snapshot. Private to src/print.
#ifndef NEUTOP_PRINT_TEXT_PARTS_H
#define NEUTOP_PRINT_TEXT_PARTS_H

#include "host/host.h"
#include "host/job.h"
#include "print/page.h"

// text_facts.c: a list in the making: items joined by a separator, in a buffer.
enum { LIST_TEXT = 2048 };
struct list {
    char text[LIST_TEXT];
    size_t length;
    const char *separator;
};
void list_add(struct list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

void text_title(struct page *page, const struct host *host);     // text.c: what, where, when
void text_hardware(struct page *page, const struct host *host);  // text.c
void text_sources(struct page *page, const struct host *host);   // text.c
void text_selection(struct page *page, const struct host *host); // text.c: what --pid left
// ALL: also the Python environments that are not in use.
void text_versions(struct page *page, const struct host *host, bool all); // text_versions.c
void text_chips(struct page *page, const struct host *host);              // text_chips.c
void text_health(struct page *page, const struct host *host);             // text_chips.c
void text_processes(struct page *page, const struct host *host);          // text_processes.c

// Processes of one job that are alike: told of in one block. text_blocks.c
struct blocks {
    const struct host *host;
    struct jobs jobs;
    const unsigned *head; // of each process: the first of its block
    const unsigned *next; // of each process: the next of its block, 0 none
};

// Of HOST, in its arena; O(n log n).
struct blocks blocks_of(const struct host *host);
const struct process *blocks_next(const struct blocks *blocks, const struct process *at);

// The block of PROCESS, printed at its first. False when PROCESS stands alone; true without a line
// for those after the first. text_workers.c
bool text_workers(struct page *page, const struct blocks *blocks, const struct process *process);

// How cores are counted, in words: "logical (as NEURON_RT_VISIBLE_CORES counts)". That
// NEURON_RT_VISIBLE_CORES may count otherwise is said only where it may. BUFFER of SIZE bytes.
const char *text_core_index(char *buffer, size_t size, const struct host *host,
                            enum numbering numbering);

// A finding with its evidence and remedy, from the left edge on.
void text_finding(struct page *page, const struct finding *finding);

// text_facts.c: numbers for cells, each into one of the buffers that BUFFER is: unknown "-", stale
// in parentheses.
enum { FACT_TEXT = 32 };
const char *text_percent1(struct page *page, char *buffer, struct fact_f64 percent);
const char *text_percent(struct page *page, char *buffer, struct fact_f64 percent); // "56.8%"
const char *text_flops(struct page *page, char *buffer, struct fact_f64 flops);
const char *text_bytes(struct page *page, char *buffer, struct fact_u64 bytes);
const char *text_bytes_of(struct page *page, char *buffer, struct fact_u64 used,
                          struct fact_u64 total);
const char *text_duration(struct page *page, char *buffer, struct fact_f64 seconds);
const char *text_rate(struct page *page, char *buffer, struct fact_f64 rate);
const char *text_count(struct page *page, char *buffer, struct fact_u64 count);

#endif
