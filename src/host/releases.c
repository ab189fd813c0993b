// SPDX-License-Identifier: Apache-2.0
// Look-ups in a table of SDK releases. The table's own text is that of a file: it need not be
// sorted, and nothing here relies on its being complete.
#include "host/releases.h"

#include <stdio.h>
#include <string.h>

#include "host/version.h"

const struct release *releases_table(size_t *count)
{
    *count = releases_builtin()->row_count;
    return releases_builtin()->rows;
}

// Components with version lines of two numbers, of which patch builds outside the releases exist.
static bool has_lines(enum component component)
{
    return component <= COMPONENT_COMPILER;
}

static bool same_line(const struct version *a, const struct version *b)
{
    return a->part[0] == b->part[0] && a->part[1] == b->part[1];
}

static bool for_family(unsigned families, enum generation_id generation)
{
    return families == 0 || generation == GEN_UNKNOWN || (families >> generation & 1) != 0;
}

// What was seen of a component while walking the table.
struct walk {
    uint64_t exact, near;
    bool any, newer; // newer than each version seen
};

static void walk_row(struct walk *walk, const struct version *wanted,
                     const struct release_component *row, enum generation_id generation)
{
    struct version version;
    version_parse(&version, row->version);
    int order = version_compare(wanted, &version);
    walk->newer = (walk->newer || !walk->any) && order > 0;
    walk->any = true;
    if (!for_family(row->families, generation))
        return;
    if (order == 0)
        walk->exact |= row->releases;
    else if (has_lines((enum component)row->component) && same_line(wanted, &version))
        walk->near |= row->releases;
}

uint64_t releases_holding(const struct releases *releases, enum component component,
                          const char *version, enum generation_id generation,
                          enum release_match *how)
{
    struct version wanted;
    struct walk walk = {0};
    enum release_match unused = RELEASE_NONE;
    how = how != NULL ? how : &unused;
    *how = RELEASE_NONE;
    if (!version_parse(&wanted, version))
        return 0;
    for (size_t i = 0; i < releases->component_count; i++) {
        const struct release_component *row = &releases->components[i];
        if (row->component == component)
            walk_row(&walk, &wanted, row, generation);
    }
    if (walk.exact != 0)
        *how = RELEASE_EXACT;
    else if (walk.newer)
        *how = RELEASE_NEWER;
    else if (walk.near != 0)
        *how = RELEASE_NEAR;
    return walk.exact != 0 ? walk.exact : *how == RELEASE_NEAR ? walk.near : 0;
}

static bool in_set(const struct releases *releases, uint64_t set, size_t row)
{
    return row < releases->row_count && row < RELEASES_MAX && (set >> row & 1) != 0;
}

const struct release *releases_oldest(const struct releases *releases, uint64_t set)
{
    for (size_t row = releases->row_count; row-- > 0;)
        if (in_set(releases, set, row))
            return &releases->rows[row];
    return NULL;
}

const struct release *releases_newest(const struct releases *releases, uint64_t set)
{
    for (size_t row = 0; row < releases->row_count; row++)
        if (in_set(releases, set, row))
            return &releases->rows[row];
    return NULL;
}

char *releases_names(const struct releases *releases, uint64_t set, char *buffer, size_t size)
{
    static const char cut[] = ", ...";
    size_t used = 0;
    if (size == 0)
        return buffer;
    buffer[0] = '\0';
    for (size_t row = releases->row_count; row-- > 0;) {
        char item[2 * sizeof(releases->rows->sdk) + 8];
        size_t last = row; // of a run; the newer a release, the smaller its place
        if (!in_set(releases, set, row))
            continue;
        while (last > 0 && in_set(releases, set, last - 1))
            last--;
        if (row - last < 2)
            last = row;
        snprintf(item, sizeof(item), last == row ? "%s" : "%s to %s", releases->rows[row].sdk,
                 releases->rows[last].sdk);
        if (used + strlen(item) + sizeof(cut) + 2 > size) {
            snprintf(buffer + used, size - used, "%s", cut);
            return buffer;
        }
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", used > 0 ? ", " : "", item);
        row = last;
    }
    if (used == 0)
        snprintf(buffer, size, "none");
    return buffer;
}

const char *releases_version(const struct releases *releases, size_t row, enum component component,
                             enum generation_id generation)
{
    const char *found = NULL;
    for (size_t i = 0; i < releases->component_count; i++) {
        const struct release_component *item = &releases->components[i];
        if (item->component == component && for_family(item->families, generation) &&
            in_set(releases, item->releases, row) &&
            (found == NULL || version_compare_text(item->version, found) > 0))
            found = item->version;
    }
    return found;
}

// NeuronCore generation as a number, v1 is 1; the chip's own row may be absent for a newer one that
// keeps its predecessor's interface.
static unsigned neuroncore_of(enum generation_id generation)
{
    static const unsigned char number[] = {
        [GEN_INF1] = 1, [GEN_INF2] = 2, [GEN_TRN1] = 2, [GEN_TRN2] = 3, [GEN_TRN3] = 4};
    return (size_t)generation < sizeof(number) ? number[generation] : 0;
}

// Trainium3 has the driver functions of Trainium2 (driver source 2.26.5).
static bool window_is_for(const struct compat_window *window, unsigned neuroncore)
{
    return window->neuroncore == 0 || window->neuroncore == neuroncore ||
           (neuroncore == 4 && window->neuroncore == 3);
}

// A driver that still knows this chip's neighbours but not this chip has no window for it.
static bool names_driver(const struct compat_window *a, const struct compat_window *b)
{
    return version_compare_text(a->driver, b->driver) == 0;
}

static const struct compat_window *window_for(const struct releases *releases,
                                              const struct compat_window *driver,
                                              unsigned neuroncore)
{
    if (driver == NULL)
        return NULL;
    for (size_t i = 0; i < releases->window_count; i++)
        if (names_driver(&releases->windows[i], driver) &&
            window_is_for(&releases->windows[i], neuroncore))
            return &releases->windows[i];
    return NULL;
}

bool releases_window(const struct releases *releases, const char *driver,
                     enum generation_id generation, unsigned *min, unsigned *max)
{
    const struct compat_window *below = NULL, *above = NULL;
    struct version wanted, lower;
    unsigned neuroncore = neuroncore_of(generation);
    if (!version_parse(&wanted, driver) || neuroncore == 0)
        return false;
    for (size_t i = 0; i < releases->window_count; i++) {
        const struct compat_window *row = &releases->windows[i];
        int order = version_compare_text(row->driver, driver);
        if (order <= 0 && (below == NULL || version_compare_text(row->driver, below->driver) > 0))
            below = row;
        if (order >= 0 && (above == NULL || version_compare_text(row->driver, above->driver) < 0))
            above = row;
    }
    below = window_for(releases, below, neuroncore);
    above = window_for(releases, above, neuroncore);
    if (below == NULL)
        return false;
    version_parse(&lower, below->driver);
    bool agree = above != NULL && above->min == below->min && above->max == below->max;
    if (!agree && !same_line(&wanted, &lower))
        return false;
    *min = below->min;
    *max = below->max;
    return true;
}

bool releases_runtime_id(const struct releases *releases, const char *runtime,
                         enum generation_id generation, unsigned *low, unsigned *high)
{
    unsigned neuroncore = neuroncore_of(generation);
    for (size_t i = 0; runtime != NULL && i < releases->id_count; i++) {
        const struct runtime_id *row = &releases->ids[i];
        if (row->neuroncore != neuroncore || version_compare_text(row->runtime, runtime) != 0)
            continue;
        *low = row->low;
        *high = row->high;
        return true;
    }
    return false;
}

enum compat compat_judge(unsigned low, unsigned high, unsigned min, unsigned max)
{
    if (high > max)
        return COMPAT_DRIVER_OLD;
    return low < min ? COMPAT_RUNTIME_OLD : COMPAT_FITS;
}

const struct release_rule *releases_rule(const struct releases *releases, const char *id)
{
    for (size_t i = 0; id != NULL && i < releases->rule_count; i++)
        if (strcmp(releases->rules[i].id, id) == 0)
            return &releases->rules[i];
    return NULL;
}
