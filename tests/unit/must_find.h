// SPDX-License-Identifier: Apache-2.0
// Findings of a snapshot that a test asks for by their id.
#ifndef NEUTOP_TESTS_UNIT_MUST_FIND_H
#define NEUTOP_TESTS_UNIT_MUST_FIND_H

#include "build_host.h"

#define assert_has(text, part)                                   \
    do {                                                         \
        if (strstr((text), (part)) == NULL)                      \
            fail_msg("\"%s\" is not in \"%s\"", (part), (text)); \
    } while (0)

// The first finding with ID, which must be whole (subject, summary, evidence, remedy); NULL: none.
// It stays until the next of these calls, its texts as long as HOST.
const struct finding *may_find(const struct host *host, const char *id);

// The same; the test fails when there is none, or for must_find_one() when there are more.
const struct finding *must_find(const struct host *host, const char *id);
const struct finding *must_find_one(const struct host *host, const char *id);

unsigned count_of(const struct host *host, const char *id);

#endif
