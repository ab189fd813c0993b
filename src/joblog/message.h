// SPDX-License-Identifier: Apache-2.0
// The messages that are known, as tables: how each is recognised, what is taken from it, what it
// means and what to do. One file a family, message_NAME.c.
#ifndef NEUTOP_JOBLOG_MESSAGE_H
#define NEUTOP_JOBLOG_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "joblog/pattern.h"

struct intake;
struct hit;
struct error_group;

// What is taken from a message. The order is that of the table in message.c.
enum capture {
    CAPTURE_NONE,
    CAPTURE_REQUESTED,
    CAPTURE_AVAILABLE,
    CAPTURE_CORE_SIZE,
    CAPTURE_RETURNED,
    CAPTURE_COMPAT_ID,
    CAPTURE_COMPAT_MIN,
    CAPTURE_COMPAT_MAX,
    CAPTURE_PACKAGE,
    CAPTURE_VERSION,
    CAPTURE_BUILD,
    CAPTURE_NEFF_VERSION,
    CAPTURE_FEATURES,
    CAPTURE_SUPPORTED,
    CAPTURE_SUPPORTED_VERSION,
    CAPTURE_NEFF_ARCH,
    CAPTURE_HOST_ARCH,
    CAPTURE_OPCODE,
    CAPTURE_FILE,
    CAPTURE_STATUS,
    CAPTURE_STATUS_NAME,
    CAPTURE_CALL,
    CAPTURE_START_CORE,
    CAPTURE_CORES,
    CAPTURE_BYTES,
    CAPTURE_CATEGORY,
    CAPTURE_TENSOR,
    CAPTURE_RING,
    CAPTURE_CHANNEL,
    CAPTURE_REGION,
    CAPTURE_POOL_TOTAL,
    CAPTURE_POOL_OCCUPIED,
    CAPTURE_POOL_NEEDED,
    CAPTURE_POOL_AVAILABLE,
    CAPTURE_POOL_SMALL,
    CAPTURE_LIMIT,
    CAPTURE_MODEL,
    CAPTURE_OPERATION,
    CAPTURE_OPERATIONS,
    CAPTURE_METADATA,
    CAPTURE_ENGINE,
    CAPTURE_COUNT,
    CAPTURE_HW_TYPE,
    CAPTURE_ACTION,
    CAPTURE_INSTANCE,
    CAPTURE_NODE,
    CAPTURE_SERIAL,
    CAPTURE_PROCESS,
    CAPTURE_SLOT,
    CAPTURE_READERS,
    CAPTURE_WRITER,
    CAPTURE_WHAT,
    CAPTURE_KERNEL,
    CAPTURE_MODULE,
    CAPTURE_COMMAND,
    CAPTURE_MINUTES,
    CAPTURE_SECONDS,
    CAPTURE_PACKAGING,
    CAPTURE_NODE_ID,
    CAPTURE_NODES,
    CAPTURE_ULTRASERVER,
    CAPTURE_CHIP, // these two are kept as the place of the message
    CAPTURE_CORE,
    CAPTURES
};

enum capture_form { FORM_NUMBER, FORM_SIGNED, FORM_HEX, FORM_BYTES, FORM_TEXT };

struct capture_row {
    const char *key; // in templates and in JSON
    enum capture_form form;
};
extern const struct capture_row capture_rows[CAPTURES];

static inline uint64_t capture_bit(enum capture capture)
{
    return (uint64_t)1 << capture;
}

enum acceptance {
    ACCEPT_NOT,  // the record is not this message after all: it may be another, or none
    ACCEPT_PART, // it is known, but no error of its own
    ACCEPT_COUNT
};

// More to do than taking values, see steps.h. ACCEPT comes before the hit is counted and may change
// its values. AFTER comes when it is counted.
typedef enum acceptance message_accept(struct intake *intake, struct hit *hit);
typedef void message_after(struct intake *intake, const struct hit *hit, struct error_group *group);

enum spelling_flag {
    SPELLING_WORD = 1 << 0,       // a name ends in front of the anchor: no letter, digit or _ there
    SPELLING_LINE_START = 1 << 1, // only blanks, or another logger's prefix, stand in front
    SPELLING_GENERAL = 1 << 2,    // counts only where nothing else in the record was recognised
    SPELLING_PLACE = 1 << 3,      // the record may name a chip and a core
    SPELLING_NEEDS_PLACE = 1 << 4 // the record names a chip, else it is not this message
};

// One wording of a message.
struct spelling {
    const char *anchor;  // a literal that only this wording has
    const char *pattern; // what follows the anchor, see pattern.h
    enum capture captures[PATTERN_VALUES];
    const char *also; // stands elsewhere in the record as well; NULL: nothing
    unsigned flags;
    const char *origin; // who saw it: "doc", "log", "code", "3p" (a third party), "inf" (inferred)
};

enum message_role {
    ROLE_CAUSE,   // explains itself
    ROLE_FOLLOWS, // what comes of another error of the process; a cause where there is none
    ROLE_WAITS,   // what comes of an error, or of patience, elsewhere
    ROLE_REMARK,  // nothing is wrong
};

// What of this host answers the message.
enum message_facts {
    FACTS_CORES = 1 << 0,    // who holds cores, which are free
    FACTS_VERSIONS = 1 << 1, // driver, runtime, compatibility range
    FACTS_ABSENCE = 1 << 2,  // PCI functions, module, device nodes
    FACTS_MEMORY = 1 << 3,   // device memory where the message says
    FACTS_HEALTH = 1 << 4,   // ECC, health, errors of the chip
    FACTS_USE = 1 << 5,      // what the core does
    FACTS_HOLDERS = 1 << 6,  // who has devices open
    FACTS_KERNEL = 1 << 7,   // the running kernel
    FACTS_HOST_MEMORY = 1 << 8,
    FACTS_LNC = 1 << 9,
};

// Texts may hold {key}: the value of a capture, and [...] around a part that is left out when a
// value in it is not known. {chip} and {core} are the place.
struct message {
    const char *id; // stable
    enum message_role role;
    const char *summary; // one line
    const char *meaning; // two lines
    const char *remedy;
    unsigned facts;               // enum message_facts
    uint64_t key;                 // captures that make it another error, as bits
    const char *absorbed_by;      // an id: where that is there too, this is a part of it; NULL
    message_accept *accept;       // NULL: none
    message_after *after;         // NULL: none
    struct spelling spelling[10]; // up to one without an anchor
};

// The families; each ends with a row without an id.
extern const struct message messages_cores[];    // message_cores.c
extern const struct message messages_versions[]; // message_versions.c
extern const struct message messages_neff[];     // message_neff.c
extern const struct message messages_memory[];   // message_memory.c
extern const struct message messages_device[];   // message_device.c
extern const struct message messages_run[];      // message_run.c
extern const struct message messages_hardware[]; // message_hardware.c
extern const struct message messages_driver[];   // message_driver.c
extern const struct message messages_setup[];    // message_setup.c

// Walks all messages: call with NULL first; NULL after the last.
const struct message *message_next(const struct message *message);

const struct message *message_by_id(const char *id);   // NULL: none
const char *message_role_word(enum message_role role); // "cause", "follows", "waits", "remark"

#endif
