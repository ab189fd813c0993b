// SPDX-License-Identifier: Apache-2.0
// Pairs of runtime and driver that do not work: the rows that neutop knows (versions
// reference 3.3), and what a table of releases from a file says instead or besides.
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "check/versions.h"
#include "host/version.h"

#define ALL 0
#define TRN2 (1U << GEN_TRN2)

// The first row that fits speaks.
static const struct pair_rule pair_rules[] = {
    {"rt2.32-driver-gt-2.26",
     OLD_DRIVER,
     SEVERITY_CRITICAL,
     RULE_DOCUMENTED,
     ALL,
     {"2.32", "2.33"},
     {NULL, "2.27"},
     "runtime 2.32 needs driver 2.27 or newer",
     "known issue in the runtime's release notes, SDK 2.30.0"},
    {NULL,
     OLD_DRIVER,
     SEVERITY_CRITICAL,
     RULE_DOCUMENTED,
     TRN2,
     {"2.26", NULL},
     {NULL, "2.22"},
     "on Trainium2 runtime 2.26 or newer needs driver 2.22 or newer",
     "the runtime's release notes, SDK 2.24"},
    {"rt2.24-trn2-driver2.20",
     OLD_DRIVER,
     SEVERITY_CRITICAL,
     RULE_DOCUMENTED,
     TRN2,
     {"2.24", NULL},
     {NULL, "2.20.28.0"},
     "on Trainium2 runtime 2.24 or newer needs driver 2.20.28.0 or newer (a fix of corrupted "
     "device memory)",
     "the runtime's release notes, SDK 2.22"},
    {"rt-needs-driver-2.0",
     OLD_DRIVER,
     SEVERITY_CRITICAL,
     RULE_DOCUMENTED,
     ALL,
     {"2.0", NULL},
     {NULL, "2.0"},
     "the runtime needs driver 2.0 or newer",
     "runtime troubleshooting guide"},
    {NULL,
     OLD_DRIVER,
     SEVERITY_WARNING,
     RULE_INFERRED,
     ALL,
     {"2.10.27.0", NULL},
     {NULL, "2.5"},
     "from SDK 2.5 on a driver newer than 2.4 is needed, or the engines cannot be programmed",
     "runtime troubleshooting guide; that runtime 2.10.27.0 is of SDK 2.5 is by the table"},
    {"driver2.29-rt2.33",
     OLD_RUNTIME,
     SEVERITY_CRITICAL,
     RULE_DOCUMENTED,
     ALL,
     {NULL, "2.33"},
     {"2.29", "2.30"},
     "driver 2.29 needs runtime 2.33 or newer; nrt_init fails otherwise",
     "known issue in the runtime's release notes, SDK 2.31.0"},
    {"driver2.29-rt2.33",
     OLD_RUNTIME,
     SEVERITY_WARNING,
     RULE_INFERRED,
     ALL,
     {NULL, "2.33"},
     {"2.30", NULL},
     "driver 2.29 needs runtime 2.33 or newer, and so will newer drivers",
     "the release notes of SDK 2.31.0 name driver 2.29 only"},
};

const char *file_rule_words(const struct host *host, const struct release_rule *rule)
{
    static const char *const needs[] = {"driver", "runtime", "kernel"};
    const char *component = rule->component == COMPONENT_DRIVER ? "driver" : "runtime";
    bool before = rule->from[0] == '\0', later = rule->below[0] == '\0';
    return arena_printf(host->arena, "%s %s%s%s needs %s %s or newer", component,
                        before ? "before " : "", before ? rule->below : rule->from,
                        later ? " or newer" : "", needs[rule->needs], rule->least);
}

const char *file_rule_source(const struct host *host, const struct release_rule *rule)
{
    return arena_printf(host->arena, "rule %s of the table of releases%s%s", rule->id,
                        rule->origin[0] != '\0' ? "; " : "", rule->origin);
}

static const char *bound(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

// A rule of the file as a row.
static struct pair_rule *row_of(const struct host *host, const struct release_rule *rule)
{
    struct pair_rule *row = ARENA_NEW(host->arena, struct pair_rule);
    bool driver = rule->needs == RULE_NEEDS_DRIVER; // is the side that lags
    struct version_range range = {bound(rule->from), bound(rule->below)};
    struct version_range lacking = {NULL, rule->least};
    *row = (struct pair_rule){.id = rule->id,
                              .behind = driver ? OLD_DRIVER : OLD_RUNTIME,
                              .severity = SEVERITY_CRITICAL,
                              .origin = rule->documented ? RULE_DOCUMENTED : RULE_INFERRED,
                              .families = rule->families,
                              .runtime = driver ? range : lacking,
                              .driver = driver ? lacking : range,
                              .rule = file_rule_words(host, rule),
                              .source = file_rule_source(host, rule)};
    return row;
}

// The row as it holds by the table in use; NULL: it has been withdrawn there. Of a row that neutop
// knows a file changes the version that is needed, no more.
static const struct pair_rule *row_now(const struct host *host, const struct pair_rule *row)
{
    const struct release_rule *rule = releases_rule(host->releases, row->id);
    bool driver = row->behind == OLD_DRIVER;
    if (rule == NULL)
        return row;
    if (rule->withdrawn)
        return NULL;
    const char *needed = driver ? row->driver.below : row->runtime.below;
    if (rule->needs != (driver ? RULE_NEEDS_DRIVER : RULE_NEEDS_RUNTIME) ||
        version_compare_text(rule->least, needed) == 0)
        return row;
    struct pair_rule *changed = row_of(host, rule);
    changed->families = row->families;
    changed->runtime = row->runtime;
    changed->driver = row->driver;
    *(driver ? &changed->driver.below : &changed->runtime.below) = rule->least;
    if (row->origin != RULE_DOCUMENTED)
        changed->origin = row->origin;
    return changed;
}

static bool is_known(const char *id)
{
    for (size_t i = 0; i < sizeof(pair_rules) / sizeof(pair_rules[0]); i++)
        if (pair_rules[i].id != NULL && strcmp(pair_rules[i].id, id) == 0)
            return true;
    return false;
}

static bool fits(const struct host *host, const struct pair_rule *rule, const char *runtime,
                 const char *driver)
{
    return rule != NULL &&
           (rule->families == ALL || (rule->families >> generation_of(host) & 1) != 0) &&
           version_in(&rule->runtime, runtime) && version_in(&rule->driver, driver);
}

const struct pair_rule *pair_rule_for(const struct host *host, const char *runtime,
                                      const char *driver)
{
    const struct releases *releases = host->releases;
    for (size_t i = 0; i < sizeof(pair_rules) / sizeof(pair_rules[0]); i++) {
        const struct pair_rule *rule = row_now(host, &pair_rules[i]);
        if (fits(host, rule, runtime, driver))
            return rule;
    }
    for (size_t i = 0; i < releases->rule_count; i++) {
        const struct release_rule *rule = &releases->rules[i];
        if (rule->withdrawn || rule->needs == RULE_NEEDS_KERNEL || is_known(rule->id))
            continue;
        const struct pair_rule *row = row_of(host, rule);
        if (fits(host, row, runtime, driver))
            return row;
    }
    return NULL;
}
