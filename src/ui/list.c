// SPDX-License-Identifier: Apache-2.0
// Selection by key, scrolling and search, the same for every list of the screen.
#include "ui/list.h"

// Scrolls as little as needed so that the selection is seen and the last screen is full.
static void settle(struct list *list)
{
    if (list->count == 0) {
        list->top = list->selected = 0;
        return;
    }
    if (list->selected >= list->count)
        list->selected = list->count - 1;
    list->key = list->keys[list->selected];
    list->any = true;
    if (list->height == 0)
        return;
    if (list->selected < list->top)
        list->top = list->selected;
    if (list->selected >= list->top + list->height)
        list->top = list->selected - list->height + 1;
    const size_t last = list->count > list->height ? list->count - list->height : 0;
    if (list->top > last)
        list->top = last;
}

void list_rows(struct list *list, const uint64_t *keys, size_t count)
{
    list->keys = keys;
    list->count = count;
    // Most often nothing has moved.
    if (list->any && !(list->selected < count && keys[list->selected] == list->key)) {
        for (size_t i = 0; i < count; i++) {
            if (keys[i] == list->key) {
                list->selected = i;
                break;
            }
        }
    }
    settle(list);
}

void list_height(struct list *list, size_t height)
{
    list->height = height;
    settle(list);
}

void list_to(struct list *list, size_t row)
{
    list->selected = row;
    settle(list);
}

void list_move(struct list *list, long by)
{
    if (by < 0 && (size_t)-by > list->selected)
        list->selected = 0;
    else
        list->selected = (size_t)((long)list->selected + by);
    settle(list);
}

static void scroll(struct list *list, long by)
{
    const size_t last = list->count > list->height ? list->count - list->height : 0;

    if (by < 0 && (size_t)-by > list->top)
        list->top = 0;
    else
        list->top = (size_t)((long)list->top + by);
    if (list->top > last)
        list->top = last;
}

void list_page(struct list *list, int by)
{
    const long step = list->height > 1 ? (long)list->height - 1 : 1;

    scroll(list, by * step);
    list_move(list, by * step);
}

bool list_to_key(struct list *list, uint64_t key)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->keys[i] == key) {
            list_to(list, i);
            return true;
        }
    }
    return false;
}

void list_scroll(struct list *list, long by)
{
    scroll(list, by);
    list_to(list, list->top);
}

size_t list_below(const struct list *list)
{
    return list->count > list->top + list->height ? list->count - list->top - list->height : 0;
}

bool list_search(struct list *list, int by, bool from_here,
                 bool (*match)(const void *context, size_t row), const void *context)
{
    for (size_t step = from_here ? 0 : 1; step < list->count + (from_here ? 0 : 1); step++) {
        const size_t away = by > 0 ? step : list->count - step % list->count;
        const size_t row = (list->selected + away) % list->count;
        if (match(context, row)) {
            list_to(list, row);
            return true;
        }
    }
    return false;
}
