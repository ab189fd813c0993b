// SPDX-License-Identifier: Apache-2.0
// Findings of a snapshot that a test asks for by their id.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "must_find.h"

const struct finding *may_find(const struct host *host, const char *id)
{
    static struct finding found;
    struct findings findings = check_run(host);
    const struct finding *finding = find_finding(&findings, id);
    if (finding == NULL)
        return NULL;
    found = *finding;
    assert_true(strlen(found.subject) > 0);
    assert_true(strlen(found.summary) > 0);
    assert_true(strlen(found.remedy) > 0);
    assert_true(found.evidence_count > 0);
    return &found;
}

const struct finding *must_find(const struct host *host, const char *id)
{
    const struct finding *finding = may_find(host, id);
    if (finding == NULL)
        fail_msg("no finding %s", id);
    return finding;
}

const struct finding *must_find_one(const struct host *host, const char *id)
{
    if (count_of(host, id) != 1)
        fail_msg("%u findings %s", count_of(host, id), id);
    return must_find(host, id);
}

unsigned count_of(const struct host *host, const char *id)
{
    struct findings findings = check_run(host);
    return count_findings(&findings, id);
}
