// SPDX-License-Identifier: Apache-2.0
// Many literals in one pass. States are rows of a table over the classes of bytes that the literals
// use, so that the table stays small and the rows that ordinary text needs stay in the cache.
#include "joblog/scan.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"

enum { ROOT = 0 };
static const uint32_t NO_OUTPUT = UINT32_MAX;
static const uint32_t TELLS = (uint32_t)1 << 31; // on a state in the table: literals end there

// A literal that ends in a state; the next one that ends in the same state.
struct output {
    uint32_t length, value, next;
};

struct state {
    uint32_t output; // first literal that ends here, NO_OUTPUT: none
    uint32_t fail;   // the state of the longest proper end of this one's text
    uint32_t more;   // nearest state along the failures with an output, ROOT: none
    uint8_t byte;    // while building: the byte that leads here
    uint32_t child, sibling;
};

struct scan {
    struct state *states;
    uint32_t state_count, state_capacity;
    struct output *outputs;
    uint32_t output_count, output_capacity;
    uint8_t class_of[256]; // 0: in no literal
    uint32_t classes;
    uint32_t *next; // [state * classes + class]
};

static uint32_t add_state(struct scan *scan, uint8_t byte)
{
    if (scan->state_count == scan->state_capacity) {
        scan->state_capacity = scan->state_capacity == 0 ? 1024 : scan->state_capacity * 2;
        scan->states = xreallocarray(scan->states, scan->state_capacity, sizeof(*scan->states));
    }
    scan->states[scan->state_count] = (struct state){.output = NO_OUTPUT, .byte = byte};
    return scan->state_count++;
}

struct scan *scan_new(void)
{
    struct scan *scan = xcalloc(1, sizeof(*scan));
    scan->classes = 1;
    add_state(scan, 0);
    return scan;
}

void scan_free(struct scan *scan)
{
    if (scan == NULL)
        return;
    free(scan->states);
    free(scan->outputs);
    free(scan->next);
    free(scan);
}

static uint32_t child_of(const struct scan *scan, uint32_t state, uint8_t byte)
{
    uint32_t child = scan->states[state].child;
    while (child != ROOT && scan->states[child].byte != byte)
        child = scan->states[child].sibling;
    return child;
}

static uint32_t grow_child(struct scan *scan, uint32_t state, uint8_t byte)
{
    uint32_t child = child_of(scan, state, byte);
    if (child != ROOT)
        return child;
    child = add_state(scan, byte);
    scan->states[child].sibling = scan->states[state].child;
    scan->states[state].child = child;
    if (scan->class_of[byte] == 0)
        scan->class_of[byte] = (uint8_t)scan->classes++;
    return child;
}

void scan_add(struct scan *scan, const char *literal, unsigned value)
{
    uint32_t state = ROOT;
    assert(literal[0] != '\0');
    for (const char *byte = literal; *byte != '\0'; byte++)
        state = grow_child(scan, state, (uint8_t)*byte);
    if (scan->output_count == scan->output_capacity) {
        scan->output_capacity = scan->output_capacity == 0 ? 128 : scan->output_capacity * 2;
        scan->outputs = xreallocarray(scan->outputs, scan->output_capacity, sizeof(*scan->outputs));
    }
    scan->outputs[scan->output_count] = (struct output){
        .length = (uint32_t)strlen(literal), .value = value, .next = scan->states[state].output};
    scan->states[state].output = scan->output_count++;
}

// Fills the row of STATE, whose failure has its row already, and joins the children to it.
static void fill_row(struct scan *scan, uint32_t state)
{
    uint32_t *row = scan->next + (size_t)state * scan->classes;
    const struct state *own = &scan->states[state];
    if (state != ROOT)
        memcpy(row, scan->next + (size_t)own->fail * scan->classes, scan->classes * sizeof(*row));
    for (uint32_t child = own->child; child != ROOT; child = scan->states[child].sibling) {
        uint8_t class = scan->class_of[scan->states[child].byte];
        uint32_t fail = state == ROOT ? ROOT : row[class];
        scan->states[child].fail = fail;
        scan->states[child].more =
            scan->states[fail].output != NO_OUTPUT ? fail : scan->states[fail].more;
        row[class] = child;
    }
}

void scan_ready(struct scan *scan)
{
    uint32_t *queue = xcalloc(scan->state_count, sizeof(*queue));
    uint32_t head = 0, tail = 0;
    scan->next = xcalloc((size_t)scan->state_count * scan->classes, sizeof(*scan->next));
    queue[tail++] = ROOT;
    while (head < tail) { // breadth first: a failure is always nearer to the root
        uint32_t state = queue[head++];
        fill_row(scan, state);
        for (uint32_t child = scan->states[state].child; child != ROOT;
             child = scan->states[child].sibling)
            queue[tail++] = child;
    }
    free(queue);
    for (size_t i = 0; i < (size_t)scan->state_count * scan->classes; i++) {
        const struct state *to = &scan->states[scan->next[i]];
        if (to->output != NO_OUTPUT || to->more != ROOT)
            scan->next[i] |= TELLS;
    }
}

void scan_text(const struct scan *scan, const char *text, size_t length,
               void (*found)(void *context, unsigned value, size_t start, size_t end),
               void *context)
{
    const uint32_t *next = scan->next;
    const uint32_t classes = scan->classes;
    uint32_t state = ROOT;
    for (size_t i = 0; i < length; i++) {
        state = next[(size_t)state * classes + scan->class_of[(uint8_t)text[i]]];
        if ((state & TELLS) == 0)
            continue;
        state &= ~TELLS;
        for (uint32_t at = state; at != ROOT; at = scan->states[at].more)
            for (uint32_t o = scan->states[at].output; o != NO_OUTPUT; o = scan->outputs[o].next)
                found(context, scan->outputs[o].value, i + 1 - scan->outputs[o].length, i + 1);
    }
}
