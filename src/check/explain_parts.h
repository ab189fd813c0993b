// SPDX-License-Identifier: Apache-2.0
// What the parts of an explanation share. Private to src/check.
#ifndef NEUTOP_CHECK_EXPLAIN_PARTS_H
#define NEUTOP_CHECK_EXPLAIN_PARTS_H

#include "check/explain.h"
#include "check/rule.h"

// One error being explained.
struct telling {
    struct arena *arena;
    const struct joblog *log;
    const struct error_group *group;
    const struct host *host; // NULL: not looked at, or it has no Neuron facts
    const struct explain_host *all;
    struct explained *out;
};

// explain_tell.c: the lines.
// A line of what the output says, of what the host shows. Beyond the limit they are dropped.
void tell_said(struct telling *telling, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void tell_now(struct telling *telling, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline bool tell_room(const struct telling *telling)
{
    return telling->out->now_count < NOW_MAX - 2;
}

// The template TEXT with the values of the group, see struct message.
const char *tell_expand(struct telling *telling, const char *text);

// The number of a value; false: not known.
bool tell_number(const struct telling *telling, enum capture capture, uint64_t *number);

// explain_said.c: what the values tell without looking at any host. May replace meaning and remedy.
void tell_values(struct telling *telling);

// What this host shows, one function for each bit of enum message_facts.
void now_cores(struct telling *telling);   // explain_cores.c
void now_holders(struct telling *telling); // explain_process.c
void now_pids(struct telling *telling);    // explain_process.c: whether those who wrote it are here
void now_versions(struct telling *telling);    // explain_now.c
void now_absence(struct telling *telling);     // explain_now.c
void now_memory(struct telling *telling);      // explain_place.c
void now_health(struct telling *telling);      // explain_place.c
void now_use(struct telling *telling);         // explain_place.c
void now_kernel(struct telling *telling);      // explain_now.c
void now_host_memory(struct telling *telling); // explain_now.c
void now_lnc(struct telling *telling);         // explain_now.c

// explain_do.c: another remedy, where this host shows which one it is or that none is needed.
void do_here(struct telling *telling);

// Open handles of devices that belong to nobody visible from here, where there are some.
void tell_handles(struct telling *telling);

// printf() behind the text that is in BUFFER of SIZE bytes.
void tell_append(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// "NC", "physical core" or "monitor's core": how the numbers of core_shown() count.
const char *core_word(const struct host *host);

// The number that a job gives for CORE, else its index.
unsigned core_shown(const struct core *core);

// "PID 31207 (train) of ubuntu, started 3h12m ago, idle 47m, in pod x". BUFFER of HOLDER_TEXT
// bytes.
enum { HOLDER_TEXT = 320, SET_TEXT = 96 };
const char *holder_text(char *buffer, const struct host *host, const struct process *process);

// "chip 3 is", "chips 0-7 are". Returns BUFFER.
const char *chips_are(char *buffer, size_t size, const struct core_set *chips);

#endif
