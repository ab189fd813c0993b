// SPDX-License-Identifier: Apache-2.0
// The versions of a host in the text snapshot: components, the SDK releases that hold them all,
// Python environments.
#include <string.h>

#include "host/sdk.h"
#include "host/units.h"
#include "host/version.h"
#include "print/text_parts.h"

enum { NAMES_TEXT = 160, ENVIRONMENTS_SHOWN = 16 };

static void components_line(struct page *page, const struct versions *versions)
{
    const struct {
        const char *name, *version;
    } parts[] = {{"driver", versions->driver},
                 {"driver on disk", versions->driver_installed},
                 {"runtime", versions->runtime_installed},
                 {"collectives", versions->collectives},
                 {"tools", versions->tools},
                 {"compiler", versions->compiler}};
    struct list line = {0};
    char low[UNIT_TEXT], high[UNIT_TEXT];
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (parts[i].version != NULL)
            list_add(&line, "%s %s", parts[i].name, parts[i].version);
    if (known_u64(versions->compat_min) && known_u64(versions->compat_max))
        list_add(&line, "driver takes runtime compatibility %s-%s%s",
                 unit_count(low, sizeof(low), versions->compat_min),
                 unit_count(high, sizeof(high), versions->compat_max),
                 versions->compat_min.from == FROM_TABLE ? " (by its version)" : "");
    page_field(page, 0, "versions ", line.length > 0 ? line.text : NULL);
}

// What is not in the releases of the rest, behind them.
static void list_outside(struct list *line, const struct host *host, const struct sdk_part *parts,
                         unsigned count, uint64_t all)
{
    char part[SDK_PART_TEXT], names[NAMES_TEXT];
    bool first = true;
    for (unsigned i = 0; i < count; i++) {
        if (!parts[i].outside || parts[i].releases == 0 || all == 0)
            continue;
        list_add(line, "%s%s (%s)", first ? "all but " : "", sdk_part_text(&parts[i], part),
                 releases_names(host->releases, parts[i].releases, names, sizeof(names)));
        first = false;
    }
    for (unsigned i = 0; i < count; i++)
        if (parts[i].releases == 0 && !parts[i].pinned)
            list_add(line, "%s is %s", sdk_part_text(&parts[i], part),
                     sdk_unknown_text(host, parts[i].newer, names, sizeof(names)));
}

// "2.26.0, 2.26.1", or each component's own releases when nothing holds them all.
static void sdk_line(struct page *page, const struct host *host)
{
    struct sdk_part parts[SDK_USED_MAX];
    uint64_t all;
    unsigned count = sdk_used_parts(host, parts, &all);
    struct list line = {.separator = ", "};
    char names[NAMES_TEXT], part[SDK_PART_TEXT];
    if (count == 0)
        return;
    if (all != 0)
        list_add(&line, "%s", releases_names(host->releases, all, names, sizeof(names)));
    for (unsigned i = 0; i < count && all == 0; i++)
        if (parts[i].releases != 0)
            list_add(&line, "%s of %s",
                     parts[i].process != NULL || parts[i].environment != NULL
                         ? sdk_part_text(&parts[i], part)
                         : component_name(parts[i].component),
                     releases_names(host->releases, parts[i].releases, names, sizeof(names)));
    list_outside(&line, host, parts, count, all);
    if (line.length > 0)
        page_field(page, 0, "SDK      ", line.text);
}

static void environment_line(struct page *page, const struct host *host,
                             const struct environment *environment)
{
    struct sdk_part parts[SDK_PARTS_MAX];
    unsigned count = sdk_environment_parts(host, environment, parts);
    struct list line = {.separator = ", "};
    uint64_t all = ~UINT64_C(0);
    bool known = false;
    char names[NAMES_TEXT];
    list_add(&line, "%s%s: %s %s", environment->path != NULL ? environment->path : "-",
             environment->used ? " (in use)" : "",
             count > 0 ? component_name(parts[0].component) : "",
             count > 0 ? parts[0].version : "");
    for (unsigned i = 0; i < count; i++) {
        if (i > 0)
            list_add(&line, "%s %s", component_name(parts[i].component), parts[i].version);
        all &= parts[i].releases != 0 ? parts[i].releases : ~UINT64_C(0);
        known = known || parts[i].releases != 0;
    }
    if (known && all != 0)
        list_add(&line, "SDK %s", releases_names(host->releases, all, names, sizeof(names)));
    else if (known)
        list_add(&line, "of several SDK releases");
    page_field(page, 0, "python   ", line.text);
}

void text_versions(struct page *page, const struct host *host, bool all)
{
    const struct versions *versions = &host->versions;
    unsigned shown = 0;
    char more[UNIT_TEXT * 4];
    components_line(page, versions);
    sdk_line(page, host);
    for (unsigned i = 0; i < versions->environment_count; i++) {
        if ((!all && !versions->environments[i].used) || shown == ENVIRONMENTS_SHOWN)
            continue;
        environment_line(page, host, &versions->environments[i]);
        shown++;
    }
    unsigned left = versions->environment_count - shown;
    snprintf(more, sizeof(more), "%u %senvironment%s with Neuron packages", left,
             shown > 0 ? "more " : "", left == 1 ? "" : "s");
    if (left > 0)
        page_field(page, 0, "python   ", more);
}
