// SPDX-License-Identifier: Apache-2.0
// All families of messages in one walk, and the names of what is taken from them.
#include "joblog/message.h"

#include <string.h>

const struct capture_row capture_rows[CAPTURES] = {
    [CAPTURE_NONE] = {"none", FORM_NUMBER},
    [CAPTURE_REQUESTED] = {"requested", FORM_TEXT},
    [CAPTURE_AVAILABLE] = {"available", FORM_NUMBER},
    [CAPTURE_CORE_SIZE] = {"core_size", FORM_NUMBER},
    [CAPTURE_RETURNED] = {"driver_returned", FORM_SIGNED},
    [CAPTURE_COMPAT_ID] = {"compat_id", FORM_NUMBER},
    [CAPTURE_COMPAT_MIN] = {"compat_min", FORM_NUMBER},
    [CAPTURE_COMPAT_MAX] = {"compat_max", FORM_NUMBER},
    [CAPTURE_PACKAGE] = {"package", FORM_TEXT},
    [CAPTURE_VERSION] = {"version", FORM_TEXT},
    [CAPTURE_BUILD] = {"build", FORM_TEXT},
    [CAPTURE_NEFF_VERSION] = {"neff_version", FORM_TEXT},
    [CAPTURE_FEATURES] = {"features", FORM_HEX},
    [CAPTURE_SUPPORTED] = {"supported_features", FORM_HEX},
    [CAPTURE_SUPPORTED_VERSION] = {"supported_version", FORM_TEXT},
    [CAPTURE_NEFF_ARCH] = {"neff_arch", FORM_NUMBER},
    [CAPTURE_HOST_ARCH] = {"host_arch", FORM_NUMBER},
    [CAPTURE_OPCODE] = {"opcode", FORM_NUMBER},
    [CAPTURE_FILE] = {"file", FORM_TEXT},
    [CAPTURE_STATUS] = {"status", FORM_NUMBER},
    [CAPTURE_STATUS_NAME] = {"status_name", FORM_TEXT},
    [CAPTURE_CALL] = {"call", FORM_TEXT},
    [CAPTURE_START_CORE] = {"start_core", FORM_NUMBER},
    [CAPTURE_CORES] = {"cores", FORM_NUMBER},
    [CAPTURE_BYTES] = {"requested_bytes", FORM_BYTES},
    [CAPTURE_CATEGORY] = {"category", FORM_TEXT},
    [CAPTURE_TENSOR] = {"tensor", FORM_TEXT},
    [CAPTURE_RING] = {"ring_type", FORM_NUMBER},
    [CAPTURE_CHANNEL] = {"memory_channel", FORM_NUMBER},
    [CAPTURE_REGION] = {"region", FORM_NUMBER},
    [CAPTURE_POOL_TOTAL] = {"total_bytes", FORM_BYTES},
    [CAPTURE_POOL_OCCUPIED] = {"occupied_bytes", FORM_BYTES},
    [CAPTURE_POOL_NEEDED] = {"needed_bytes", FORM_BYTES},
    [CAPTURE_POOL_AVAILABLE] = {"available_bytes", FORM_BYTES},
    [CAPTURE_POOL_SMALL] = {"available_small_pool_bytes", FORM_BYTES},
    [CAPTURE_LIMIT] = {"limit_milliseconds", FORM_NUMBER},
    [CAPTURE_MODEL] = {"model", FORM_TEXT},
    [CAPTURE_OPERATION] = {"operation", FORM_NUMBER},
    [CAPTURE_OPERATIONS] = {"operations", FORM_NUMBER},
    [CAPTURE_METADATA] = {"metadata", FORM_HEX},
    [CAPTURE_ENGINE] = {"engine", FORM_NUMBER},
    [CAPTURE_COUNT] = {"count", FORM_NUMBER},
    [CAPTURE_HW_TYPE] = {"type", FORM_TEXT},
    [CAPTURE_ACTION] = {"action", FORM_TEXT},
    [CAPTURE_INSTANCE] = {"instance_id", FORM_TEXT},
    [CAPTURE_NODE] = {"hostname", FORM_TEXT},
    [CAPTURE_SERIAL] = {"serial", FORM_TEXT},
    [CAPTURE_PROCESS] = {"process", FORM_NUMBER},
    [CAPTURE_SLOT] = {"slot", FORM_NUMBER},
    [CAPTURE_READERS] = {"readers", FORM_NUMBER},
    [CAPTURE_WRITER] = {"writer", FORM_NUMBER},
    [CAPTURE_WHAT] = {"what", FORM_TEXT},
    [CAPTURE_KERNEL] = {"kernel", FORM_TEXT},
    [CAPTURE_MODULE] = {"module", FORM_TEXT},
    [CAPTURE_COMMAND] = {"command", FORM_TEXT},
    [CAPTURE_MINUTES] = {"minutes", FORM_TEXT},
    [CAPTURE_SECONDS] = {"seconds", FORM_NUMBER},
    [CAPTURE_PACKAGING] = {"packaging", FORM_TEXT},
    [CAPTURE_NODE_ID] = {"node_id", FORM_NUMBER},
    [CAPTURE_NODES] = {"nodes", FORM_NUMBER},
    [CAPTURE_ULTRASERVER] = {"ultraserver_id", FORM_TEXT},
    [CAPTURE_CHIP] = {"chip", FORM_NUMBER},
    [CAPTURE_CORE] = {"core", FORM_NUMBER},
};

_Static_assert(CAPTURES <= 64, "captures are bits of 64");

static const struct message *const FAMILIES[] = {
    messages_cores, messages_versions, messages_neff,   messages_memory, messages_device,
    messages_run,   messages_hardware, messages_driver, messages_setup,
};

enum { FAMILY_COUNT = sizeof(FAMILIES) / sizeof(FAMILIES[0]) };

static const struct message *first_from(size_t family)
{
    for (; family < FAMILY_COUNT; family++)
        if (FAMILIES[family]->id != NULL)
            return FAMILIES[family];
    return NULL;
}

static size_t family_of(const struct message *message)
{
    for (size_t family = 0; family < FAMILY_COUNT; family++)
        for (const struct message *row = FAMILIES[family]; row->id != NULL; row++)
            if (row == message)
                return family;
    return FAMILY_COUNT;
}

const struct message *message_next(const struct message *message)
{
    if (message == NULL)
        return first_from(0);
    return message[1].id != NULL ? message + 1 : first_from(family_of(message) + 1);
}

const struct message *message_by_id(const char *id)
{
    for (const struct message *row = NULL; (row = message_next(row)) != NULL;)
        if (strcmp(row->id, id) == 0)
            return row;
    return NULL;
}

const char *message_role_word(enum message_role role)
{
    static const char *const words[] = {"cause", "follows", "waits", "remark"};
    return words[role];
}
