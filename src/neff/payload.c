// SPDX-License-Identifier: Apache-2.0
// The payload of a NEFF: how it begins, and the facts in its JSON members.
#include "neff/payload.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "neff/members.h"

enum { PROBE_BYTES = 512, JSON_DEPTH = 16 };

// The text of KEY in the JSON object TEXT, cleaned into BUFFER. False when there is none.
static bool json_text(const char *text, size_t length, const char *key, char *buffer, size_t size)
{
    struct json_tokener *tokener = json_tokener_new_ex(JSON_DEPTH);
    struct json_object *root = NULL, *value = NULL;
    bool found = false;
    if (tokener != NULL)
        root = json_tokener_parse_ex(tokener, text, (int)length);
    if (json_object_is_type(root, json_type_object) &&
        json_object_object_get_ex(root, key, &value) &&
        json_object_is_type(value, json_type_string)) {
        text_clean_to(buffer, size, json_object_get_string(value),
                      (size_t)json_object_get_string_len(value));
        found = true;
    }
    json_object_put(root);
    if (tokener != NULL)
        json_tokener_free(tokener);
    return found;
}

static void take_members(struct neff_payload *payload, struct members *members)
{
    static const struct {
        const char *name, *key;
    } wanted[MEMBERS] = {{"info.json", "tool_version"}, {"kelf-*.json", "target"}};
    char *into[MEMBERS] = {payload->compiler, payload->target};
    const size_t sizes[MEMBERS] = {sizeof(payload->compiler), sizeof(payload->target)};
    payload->outcome = members->outcome;
    memcpy(payload->why, members->why, sizeof(payload->why));
    for (int i = 0; i < MEMBERS; i++) {
        bool found = members->text[i] != NULL && json_text(members->text[i], members->length[i],
                                                           wanted[i].key, into[i], sizes[i]);
        // an empty target has a meaning, an empty version has none
        found = found && (i == MEMBER_KELF || into[i][0] != '\0');
        if (i == MEMBER_KELF)
            payload->target_known = found;
        if (!found && members->text[i] != NULL && payload->outcome == NEFF_COMPLETE) {
            payload->outcome = NEFF_MISSING;
            snprintf(payload->why, sizeof(payload->why), "%s has no %s", wanted[i].name,
                     wanted[i].key);
        }
        free(members->text[i]);
    }
}

bool payload_read(struct neff_payload *payload, int fd, const struct neff_header *header,
                  const struct neff_limits *limits, char why[NEFF_WHY])
{
    uint8_t start[PROBE_BYTES];
    struct members members;
    memset(payload, 0, sizeof(*payload));
    size_t wanted = header->data_bytes < sizeof(start) ? (size_t)header->data_bytes : sizeof(start);
    ssize_t got = pread(fd, start, wanted, NEFF_HEADER_BYTES);
    if (got < 0) {
        snprintf(why, NEFF_WHY, "%s", strerror(errno));
        return false;
    }
    payload->form = neff_probe(start, (size_t)got);
    payload->built_unix_seconds = neff_probe_built(start, (size_t)got);
    if (payload->form == NEFF_FORM_UNKNOWN) {
        snprintf(why, NEFF_WHY, "not a NEFF: %s",
                 got == 0 ? "it has no payload" : "at byte 1024 neither gzip nor tar begins");
        return false;
    }
    members_read(&members, fd, header, limits);
    take_members(payload, &members);
    return true;
}
