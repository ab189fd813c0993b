// SPDX-License-Identifier: Apache-2.0
// What stands over or below the views: the key bar, the line being typed, and menus.
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/overlay.h"
#include "ui/signal.h"

static const struct {
    const char *key, *text;
    int from; // columns of the screen from which it is shown
} bar[] = {
    {"F1", "Help", 0},    {"F2", "Setup", 50},  {"F3", "Search", 0}, {"F4", "Filter", 0},
    {"F5", "Tree", 60},   {"F6", "Sort", 50},   {"F7", "Views", 0},  {"F8", "Pause", 75},
    {"F9", "Signal", 71}, {"Tab", "Focus", 95}, {"f", "FLOPS", 110}, {"!", "Findings", 110},
    {"c", "Chips", 125},  {"F10", "Quit", 0},
};

void keybar_draw(struct ui *ui)
{
    const struct rect area = ui->layout.keys;
    int x = 0;

    if (area.rows == 0)
        return;
    if (ui->prompt.label != NULL) {
        draw_fill(&ui->canvas, area.y, 0, area.cols, ROLE_KEY_TEXT, ' ');
        x = draw_textf(&ui->canvas, area.y, 0, area.cols, ROLE_STRONG, " %s: ", ui->prompt.label);
        char end[FILTER_TEXT + 8]; // of a long text its end is seen, where it is being typed
        text_fit_end(end, sizeof end, ui->prompt.text, area.cols - x - 2, ui->canvas.ascii);
        x += draw_text(&ui->canvas, area.y, x, area.cols - x - 1, ROLE_KEY_TEXT, end);
        draw_char(&ui->canvas, area.y, x, ROLE_KEY_TEXT, '_');
        if (x + 30 < area.cols)
            draw_text_right(&ui->canvas, area.y, x + 2, area.cols - x - 3, ROLE_KEY_TEXT,
                            "Enter accepts  Esc drops");
        return;
    }
    for (size_t i = 0; i < sizeof bar / sizeof bar[0]; i++) {
        if (area.cols < bar[i].from || (ui->readonly && strcmp(bar[i].key, "F9") == 0) ||
            x + (int)strlen(bar[i].key) + (int)strlen(bar[i].text) > area.cols)
            continue;
        x += draw_text(&ui->canvas, area.y, x, area.cols - x, ROLE_KEY, bar[i].key);
        x += draw_text(&ui->canvas, area.y, x, area.cols - x, ROLE_KEY_TEXT, bar[i].text) + 1;
    }
}

void menu_draw(struct ui *ui)
{
    struct menu *menu = &ui->menu;
    const int rows = ui->canvas.rows - 2;
    int name_width = 0, width = 0;
    const char *what;

    if (menu->title == NULL || rows < 3)
        return;
    for (size_t i = 0; i < menu->count; i++) {
        const int name = text_width(menu->item(ui, i, &what));
        name_width = name > name_width ? name : name_width;
        width = text_width(what) > width ? text_width(what) : width;
    }
    const int keys = menu->key != NULL ? 4 : 0;
    width += name_width + 5 + keys;
    if (width > ui->canvas.cols)
        width = ui->canvas.cols;
    const size_t room = (size_t)rows - 1;
    if (menu->selected < menu->top)
        menu->top = menu->selected;
    if (menu->selected >= menu->top + room)
        menu->top = menu->selected - room + 1;
    draw_fill(&ui->canvas, 1, 0, width, ROLE_HEAD_ON, ' ');
    draw_text(&ui->canvas, 1, 1, width - 1, ROLE_HEAD_ON, menu->title);
    if (menu->top + room < menu->count || menu->top > 0) {
        char more[48];
        snprintf(more, sizeof more, "%zu-%zu of %zu ", menu->top + 1,
                 menu->top + room < menu->count ? menu->top + room : menu->count, menu->count);
        draw_text_right(&ui->canvas, 1, 20, width - 20, ROLE_HEAD_ON, more);
    }
    for (size_t i = menu->top; i < menu->count && i < menu->top + room; i++) {
        const int y = 2 + (int)(i - menu->top);
        const char *name = menu->item(ui, i, &what);
        draw_fill(&ui->canvas, y, 0, width, ROLE_TEXT, ' ');
        if (menu->key != NULL)
            draw_text(&ui->canvas, y, 1, keys, ROLE_TEXT, menu->key(i));
        draw_text(&ui->canvas, y, keys + 1, width - 1, ROLE_STRONG, name);
        draw_text(&ui->canvas, y, keys + name_width + 3, width - keys - name_width - 4, ROLE_DIM,
                  what);
        draw_char(&ui->canvas, y, width - 1, ROLE_DIM, ui->canvas.ascii ? '|' : 0x2502);
        if (i == menu->selected)
            draw_paint(&ui->canvas, y, 0, width - 1, ROLE_SELECTED);
    }
}

unsigned menu_key(struct ui *ui, int key)
{
    struct menu *menu = &ui->menu;

    switch (key) {
    case KEY_CURSOR_UP:
    case 'k':
        menu->selected = menu->selected > 0 ? menu->selected - 1 : menu->count - 1;
        break;
    case KEY_CURSOR_DOWN:
    case 'j':
        menu->selected = (menu->selected + 1) % menu->count;
        break;
    case KEY_TOP:
    case KEY_PAGE_UP:
        menu->selected = 0;
        break;
    case KEY_BOTTOM:
    case KEY_PAGE_DOWN:
        menu->selected = menu->count - 1;
        break;
    case KEY_RETURN: {
        const struct menu chosen = *menu;
        menu->title = NULL;
        return UI_REDRAW | chosen.chosen(ui, chosen.selected);
    }
    default: // Escape, q, and whatever has no meaning here
        menu->title = NULL;
    }
    return UI_REDRAW;
}

// Takes the last character away, with all its bytes.
static void erase(char *text)
{
    size_t length = strlen(text);

    while (length > 0 && ((unsigned char)text[length - 1] & 0xc0) == 0x80)
        length--;
    text[length > 0 ? length - 1 : 0] = '\0';
}

static bool type(struct prompt *prompt, int key)
{
    const size_t length = strlen(prompt->text);
    char bytes[4], clean[16];

    if (key == KEY_ERASE || key == KEY_DEL) {
        erase(prompt->text);
        return true;
    }
    if (key == KEY_CTRL_U) {
        prompt->text[0] = '\0';
        return true;
    }
    if (key < 32 || key >= KEY_SPECIAL)
        return false;
    const size_t count = text_encode((uint32_t)key, bytes);
    text_clean_to(clean, sizeof clean, bytes, count);
    if (length + strlen(clean) + 1 > sizeof prompt->text)
        return false;
    strcat(prompt->text, clean);
    return true;
}

unsigned prompt_key(struct ui *ui, int key)
{
    struct prompt *prompt = &ui->prompt;

    if (key == KEY_RETURN || key == KEY_ESCAPE) {
        const struct prompt done = *prompt;
        prompt->label = NULL;
        return UI_REDRAW | done.done(ui, done.text, key == KEY_RETURN);
    }
    if (key == KEY_FN + 3 && prompt->again != NULL)
        prompt->again(ui);
    else if (type(prompt, key) && prompt->changed != NULL)
        prompt->changed(ui, prompt->text);
    return UI_REDRAW;
}

unsigned overlay_drop(struct ui *ui)
{
    if (ui->prompt.label != NULL)
        return prompt_key(ui, KEY_ESCAPE);
    if (ui->menu.title != NULL)
        return menu_key(ui, KEY_ESCAPE) | signal_settle(ui);
    return confirm_open(ui) ? confirm_key(ui, KEY_ESCAPE) : UI_NOTHING;
}
