// SPDX-License-Identifier: Apache-2.0
// The rules in a table of SDK releases from a file. Private to source/releases_file.c.
#ifndef NEUTOP_SOURCE_RELEASES_RULES_H
#define NEUTOP_SOURCE_RELEASES_RULES_H

#include <json-c/json.h>

#include "host/releases.h"

// The rules of LIST (NULL: none) that have a known form, *COUNT of them; what has another form is
// left out. The caller ends it with free().
struct release_rule *releases_rules_read(json_object *list, size_t *count);

#endif
