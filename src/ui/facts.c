// SPDX-License-Identifier: Apache-2.0
// How a fact looks: its role, the mark of an old number, and a cell of a sheet with both.
#include <bsd/string.h>
#include <math.h>

#include "host/units.h"
#include "ui/state.h"

void stale_mark(char *text, size_t size, bool stale)
{
    if (stale)
        strlcat(text, "~", size);
}

enum role busy_role(struct fact_f64 percent)
{
    if (!known_f64(percent))
        return ROLE_UNKNOWN;
    if (percent.stale)
        return ROLE_STALE;
    return percent.value < 30 ? ROLE_BUSY_LOW : percent.value < 80 ? ROLE_BUSY_MID : ROLE_BUSY_HIGH;
}

double percent_of(struct fact_u64 part, struct fact_u64 whole)
{
    if (!known_u64(part) || !known_u64(whole) || whole.value == 0)
        return (double)NAN;
    return 100.0 * (double)part.value / (double)whole.value;
}

enum role memory_role(struct fact_u64 used, struct fact_u64 total)
{
    return percent_of(used, total) >= 90.0 ? ROLE_MEMORY_HIGH : ROLE_MEMORY;
}

enum role fact_role(bool known, bool stale)
{
    return !known ? ROLE_UNKNOWN : stale ? ROLE_STALE : ROLE_TEXT;
}

void f64_cell(struct sheet *sheet, int width, struct fact_f64 fact,
              char *(*unit)(char *, size_t, struct fact_f64))
{
    char text[UNIT_TEXT + 2];

    unit(text, UNIT_TEXT, fact);
    stale_mark(text, sizeof text, known_f64(fact) && fact.stale);
    sheet_cell_right(sheet, width, fact_role(known_f64(fact), fact.stale), text);
}

void u64_cell(struct sheet *sheet, int width, struct fact_u64 fact,
              char *(*unit)(char *, size_t, struct fact_u64))
{
    char text[UNIT_TEXT + 2];

    unit(text, UNIT_TEXT, fact);
    stale_mark(text, sizeof text, known_u64(fact) && fact.stale);
    sheet_cell_right(sheet, width, fact_role(known_u64(fact), fact.stale), text);
}
