// SPDX-License-Identifier: Apache-2.0
// The links between the chips as a drawing: torus, ring, chain, single, switched. Only links that a
// source listed are drawn; what is known by instance type alone is said as such.
#include <string.h>

#include "host/topology.h"
#include "print/ls_parts.h"
#include "print/text_parts.h"

// A chip takes five columns, the link to the next one two.
enum { SIDE = 4, ROW_CHIPS = 8, CHIP_STEP = 7, INDENT = 2 };

// Pieces of the drawings: [0] in UTF-8, [1] in ASCII.
enum glyph {
    ACROSS,
    DOWN,
    UP_END,
    DOWN_END,
    LEFT_END,
    RIGHT_END,
    TOP_LEFT,
    TOP_RIGHT,
    LOW_LEFT,
    LOW_RIGHT,
    BAR,
    GLYPHS
};
static const char *const glyphs[GLYPHS][2] = {
    [ACROSS] = {"─", "-"},    [DOWN] = {"│", "|"},      [UP_END] = {"▲", "^"},
    [DOWN_END] = {"▼", "v"},  [LEFT_END] = {"◄", "<"},  [RIGHT_END] = {"►", ">"},
    [TOP_LEFT] = {"┌", "+"},  [TOP_RIGHT] = {"┐", "+"}, [LOW_LEFT] = {"└", "+"},
    [LOW_RIGHT] = {"┘", "+"}, [BAR] = {"═", "="}};

static const char *glyph(const struct page *page, enum glyph which)
{
    return glyphs[which][page->options->ascii];
}

static void put_glyphs(struct page *page, enum glyph which, int count)
{
    for (int i = 0; i < count; i++)
        page_put(page, glyph(page, which));
}

static void put_chip(struct page *page, unsigned index)
{
    page_printf(page, "[%2u ]", index);
}

// One line of the torus between two rows: MARK under each chip of a row.
static void torus_marks(struct page *page, const char *mark)
{
    for (int i = 0; i < SIDE; i++) {
        page_to(page, INDENT + 6 + i * 9);
        page_put(page, mark);
    }
    page_newline(page);
}

static void torus_row(struct page *page, unsigned row)
{
    page_to(page, INDENT);
    page_put(page, "*");
    put_glyphs(page, ACROSS, 2);
    put_glyphs(page, RIGHT_END, 1);
    for (unsigned column = 0; column < SIDE; column++) {
        put_chip(page, row * SIDE + column);
        put_glyphs(page, LEFT_END, 1);
        put_glyphs(page, ACROSS, 2);
        if (column + 1 < SIDE)
            put_glyphs(page, RIGHT_END, 1);
    }
    page_put(page, "*");
    page_newline(page);
}

// As neuron-ls -t does: four rows of four, and '*' where a row or column comes round to its other
// end.
static void draw_torus(struct page *page, const struct host *host)
{
    (void)host;
    torus_marks(page, "*");
    for (unsigned row = 0; row < SIDE; row++) {
        torus_marks(page, glyph(page, DOWN));
        torus_marks(page, glyph(page, DOWN_END));
        torus_row(page, row);
        torus_marks(page, glyph(page, UP_END));
    }
    torus_marks(page, glyph(page, DOWN));
    torus_marks(page, "*");
    page_newline(page);
    page_to(page, INDENT);
    page_put(page, "Legend: * = wrap-around link: the row or column goes on at its other end");
    page_newline(page);
}

// Chips FIRST to LAST in a row, in either direction, joined.
static void put_row(struct page *page, unsigned first, unsigned last)
{
    for (unsigned at = first;; at = first < last ? at + 1 : at - 1) {
        put_chip(page, at);
        if (at == last)
            return;
        put_glyphs(page, ACROSS, CHIP_STEP - 5);
    }
}

static void put_corner(struct page *page, enum glyph left, bool drawn)
{
    page_to(page, INDENT);
    put_glyphs(page, left, drawn);
    put_glyphs(page, ACROSS, drawn);
    page_to(page, INDENT + 2);
}

// There along the upper row, back along the lower one, which is shorter when the number is odd.
static void draw_ring(struct page *page, const struct host *host)
{
    unsigned count = host->chip_count, upper = (count + 1) / 2;
    int edge = INDENT + 1 + (int)upper * CHIP_STEP;
    put_corner(page, TOP_LEFT, true);
    put_row(page, 0, upper - 1);
    put_glyphs(page, ACROSS, edge - page->column);
    put_glyphs(page, TOP_RIGHT, 1);
    page_newline(page);
    page_to(page, INDENT);
    put_glyphs(page, DOWN, 1);
    page_to(page, edge);
    put_glyphs(page, DOWN, 1);
    page_newline(page);
    put_corner(page, LOW_LEFT, true);
    put_row(page, count - 1, upper);
    put_glyphs(page, ACROSS, edge - page->column);
    put_glyphs(page, LOW_RIGHT, 1);
    page_newline(page);
}

// Rows of eight, every other one backwards, joined at their ends.
static void draw_chain(struct page *page, const struct host *host)
{
    unsigned count = host->chip_count;
    for (unsigned first = 0; first < count; first += ROW_CHIPS) {
        unsigned last = first + ROW_CHIPS < count ? first + ROW_CHIPS - 1 : count - 1;
        bool back = first / ROW_CHIPS % 2 == 1, more = last + 1 < count;
        put_corner(page, back ? TOP_LEFT : LOW_LEFT, back ? more : first > 0);
        if (back)
            page_to(page, page->column + (int)(ROW_CHIPS - 1 - (last - first)) * CHIP_STEP);
        put_row(page, back ? last : first, back ? first : last);
        put_glyphs(page, ACROSS, back || more);
        put_glyphs(page, back ? LOW_RIGHT : TOP_RIGHT, back || more);
        page_newline(page);
    }
}

static void switched_links(struct page *page, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        page_to(page, INDENT + 2 + (int)i * CHIP_STEP);
        put_glyphs(page, DOWN, 1);
    }
    page_newline(page);
}

static void switched_chips(struct page *page, const struct host *host, unsigned first,
                           unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        page_to(page, INDENT + (int)i * CHIP_STEP);
        put_chip(page, host->chips[first + i].index);
    }
    page_newline(page);
}

// Every chip hangs on the switch, half of them on each side of it.
static void draw_switched(struct page *page, const struct host *host)
{
    unsigned above = host->chip_count < ROW_CHIPS ? host->chip_count : ROW_CHIPS;
    switched_chips(page, host, 0, above);
    switched_links(page, above);
    page_to(page, INDENT);
    put_glyphs(page, BAR, (int)above * CHIP_STEP - 2);
    page_newline(page);
    for (unsigned first = above; first < host->chip_count; first += ROW_CHIPS) {
        unsigned left = host->chip_count - first;
        switched_links(page, left < ROW_CHIPS ? left : ROW_CHIPS);
        switched_chips(page, host, first, left < ROW_CHIPS ? left : ROW_CHIPS);
    }
    page_newline(page);
    page_to(page, INDENT);
    page_put(page, "Legend: ");
    put_glyphs(page, BAR, 3);
    page_put(page, " switch: every chip reaches every other");
    page_newline(page);
}

static void draw_single(struct page *page, const struct host *host)
{
    page_to(page, INDENT);
    put_chip(page, host->chips[0].index);
    page_put(page, "  one chip, no link");
    page_newline(page);
}

static bool has_chip(const struct host *host, unsigned index)
{
    for (unsigned i = 0; i < host->chip_count; i++)
        if (host->chips[i].index == index)
            return true;
    return false;
}

// No known shape: the links as they were listed. A container sees only some of the chips.
static void list_links(struct page *page, const struct host *host)
{
    for (unsigned c = 0; c < host->chip_count; c++) {
        const struct chip *chip = &host->chips[c];
        struct list list = {0};
        char label[32];
        for (unsigned i = 0; i < chip->connected_count; i++)
            list_add(&list, "%u%s", chip->connected[i],
                     has_chip(host, chip->connected[i]) ? "" : " (not visible here)");
        snprintf(label, sizeof(label), "[%2u ] to", chip->index);
        page_field(page, INDENT, label, list.length > 0 ? list.text : "none");
    }
}

// What the instance's type alone tells is said to come from the table.
static void by_type(struct page *page, const struct host *host, enum links links)
{
    enum topology table = host->hardware.topology;
    char text[160];
    if (table == TOPOLOGY_UNKNOWN || table == links_topology(links))
        return;
    snprintf(text, sizeof(text), "By the table of instance types %s is: %s.",
             host->instance.type != NULL ? host->instance.type : "this one", topology_word(table));
    page_to(page, INDENT);
    page_wrap(page, INDENT, text);
}

static bool is_denied(const struct host *host)
{
    for (unsigned i = 0; i < host->chip_count; i++)
        if (host->chips[i].connected_error != NULL)
            return true;
    return false;
}

static void no_links(struct page *page, const struct host *host, enum links links)
{
    const char *text = "No source told which chips are linked; the driver can, before version 2.28 "
                       "to root only.";
    if (links == LINKS_NONE)
        text = "The driver lists no link between these chips.";
    else if (is_denied(host))
        text = "The driver tells which chips are linked, but before version 2.28 that needs root: "
               "sudo neutop ls -t";
    page_to(page, INDENT);
    page_wrap(page, INDENT, text);
    by_type(page, host, links);
}

void ls_topology(struct page *page, const struct host *host)
{
    static void (*const draw[])(struct page * page, const struct host *host) = {
        [TOPOLOGY_SINGLE] = draw_single,     [TOPOLOGY_CHAIN] = draw_chain,
        [TOPOLOGY_RING] = draw_ring,         [TOPOLOGY_TORUS_4X4] = draw_torus,
        [TOPOLOGY_SWITCHED] = draw_switched,
    };
    enum links links = links_classify(host);
    enum topology shape = links_topology(links);
    bool listed = links != LINKS_UNKNOWN && links != LINKS_NONE;
    char title[64];
    // A switch is no link between two chips: the driver lists none, so the instance type must do.
    if (!listed && host->hardware.topology == TOPOLOGY_SWITCHED)
        shape = TOPOLOGY_SWITCHED;
    snprintf(title, sizeof(title), "TOPOLOGY: %s",
             links == LINKS_OTHER ? "no known shape" : topology_word(shape));
    page_heading(page, title);
    if (shape != TOPOLOGY_UNKNOWN)
        draw[shape](page, host);
    else if (links == LINKS_OTHER)
        list_links(page, host);
    else
        no_links(page, host, links);
    if (listed || shape != TOPOLOGY_UNKNOWN)
        by_type(page, host, links);
}
