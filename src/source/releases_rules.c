// SPDX-License-Identifier: Apache-2.0
// Rules from a file, by anybody: a rule counts when every part of it is of a known form.
//
//     {"id": "rt2.36-driver2.32", "component": "runtime", "op": ">=", "version": "2.36",
//      "requires": {"driver": ">=2.32"}, "applies": "trn2", "origin": "doc: release notes"}
#include "source/releases_rules.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmem.h"
#include "source/field.h"

enum { RULES_MAX = 64 };

static bool is_id(const char *text, size_t length, size_t size)
{
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && strchr("._-", text[i]) == NULL)
            return false;
    return length > 0 && length < size;
}

// Numbers and dots from TEXT to its end, or to END.
static bool take_version(char version[RELEASE_TEXT], const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    if (length <= tail || length - tail >= RELEASE_TEXT || strcmp(text + length - tail, end) != 0)
        return false;
    memcpy(version, text, length - tail);
    version[length - tail] = '\0';
    return isdigit((unsigned char)version[0]) && strspn(version, "0123456789.") == strlen(version);
}

// "2.33" for "2.32": the first version that is no longer of its line.
static bool next_line(char next[RELEASE_TEXT], const char *version)
{
    const char *dot = strrchr(version, '.');
    unsigned long last = strtoul(dot != NULL ? dot + 1 : version, NULL, 10);
    int stem = dot != NULL ? (int)(dot + 1 - version) : 0;
    if (last > 1000000)
        return false;
    return snprintf(next, RELEASE_TEXT, "%.*s%lu", stem, version, last + 1) < RELEASE_TEXT;
}

static bool take_range(json_object *object, struct release_rule *rule)
{
    size_t length;
    const char *op = field_text(object, "op", &length);
    const char *version = field_text(object, "version", &length);
    if (op == NULL || version == NULL)
        return false;
    if (strncmp(op, "==", 2) == 0)
        return take_version(rule->from, op + 2, ".*") && next_line(rule->below, rule->from);
    if (strcmp(op, ">=") == 0)
        return take_version(rule->from, version, "");
    return strcmp(op, "<") == 0 && take_version(rule->below, version, "");
}

static bool take_needs(json_object *object, struct release_rule *rule)
{
    static const char *const keys[] = {"driver", "runtime", "kernel"};
    size_t length;
    json_object *requires = field_object(object, "requires");
    for (unsigned i = 0; requires != NULL && i < 3; i++) {
        const char *text = field_text(requires, keys[i], &length);
        if (text == NULL)
            continue;
        rule->needs = (uint8_t)i;
        return strncmp(text, ">=", 2) == 0 && take_version(rule->least, text + 2, "");
    }
    return false;
}

static bool take_applies(json_object *object, struct release_rule *rule)
{
    size_t length;
    const char *text = field_text(object, "applies", &length);
    if (text == NULL)
        return false;
    rule->withdrawn = strcmp(text, "none") == 0;
    if (rule->withdrawn || strcmp(text, "all") == 0)
        return true;
    for (unsigned id = GEN_INF1; id <= GEN_TRN3; id++)
        if (strcmp(generation_get((enum generation_id)id)->instance_family, text) == 0)
            rule->families = (uint8_t)(1U << id);
    return rule->families != 0;
}

// What neutop cannot take for AWS's own word is a warning at most.
static void take_origin(json_object *object, struct release_rule *rule)
{
    size_t length;
    const char *text = field_text(object, "origin", &length);
    if (text == NULL)
        return;
    text_clean_to(rule->origin, sizeof(rule->origin), text, length);
    rule->documented = strncmp(text, "doc:", 4) == 0 && strstr(text, "inference") == NULL &&
                       strstr(text, "third-party") == NULL;
}

static bool take_rule(json_object *object, struct release_rule *rule)
{
    size_t length;
    const char *id = field_text(object, "id", &length);
    memset(rule, 0, sizeof(*rule));
    if (id == NULL || !is_id(id, length, sizeof(rule->id)) || !take_applies(object, rule))
        return false;
    memcpy(rule->id, id, length);
    take_origin(object, rule);
    if (rule->withdrawn)
        return true;
    const char *component = field_text(object, "component", &length);
    bool driver = component != NULL && strcmp(component, "driver") == 0;
    bool runtime = component != NULL && strcmp(component, "runtime") == 0;
    rule->component = driver ? COMPONENT_DRIVER : COMPONENT_RUNTIME;
    return (driver || runtime) && take_range(object, rule) && take_needs(object, rule) &&
           rule->needs != (driver ? RULE_NEEDS_DRIVER : RULE_NEEDS_RUNTIME);
}

struct release_rule *releases_rules_read(json_object *list, size_t *count)
{
    size_t length = list != NULL ? json_object_array_length(list) : 0;
    struct release_rule *rules = xcalloc(RULES_MAX, sizeof(*rules));
    *count = 0;
    for (size_t i = 0; i < length && *count < RULES_MAX; i++)
        if (take_rule(json_object_array_get_idx(list, i), &rules[*count]))
            ++*count;
    return rules;
}
