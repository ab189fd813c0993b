// SPDX-License-Identifier: Apache-2.0
// Facts and lists as cells of the text snapshot.
#include <stdarg.h>

#include "host/units.h"
#include "print/text_parts.h"

void list_add(struct list *list, const char *format, ...)
{
    va_list args;
    if (list->length > 0 && list->length < LIST_TEXT)
        list->length += (size_t)snprintf(list->text + list->length, LIST_TEXT - list->length, "%s",
                                         list->separator != NULL ? list->separator : ", ");
    if (list->length >= LIST_TEXT - 1)
        return;
    va_start(args, format);
    int more = vsnprintf(list->text + list->length, LIST_TEXT - list->length, format, args);
    va_end(args);
    list->length += more > 0 ? (size_t)more : 0;
    if (list->length >= LIST_TEXT)
        list->length = LIST_TEXT - 1;
}

static const char *marked(struct page *page, char *buffer, const char *text, bool stale)
{
    char copy[UNIT_TEXT];
    snprintf(copy, sizeof(copy), "%s", text);
    if (!stale)
        snprintf(buffer, FACT_TEXT, "%s", copy);
    else
        page_stale(page, buffer, FACT_TEXT, copy, true);
    return buffer;
}

const char *text_percent1(struct page *page, char *buffer, struct fact_f64 percent)
{
    char text[UNIT_TEXT];
    return marked(page, buffer, unit_percent1(text, sizeof(text), percent), percent.stale);
}

const char *text_percent(struct page *page, char *buffer, struct fact_f64 percent)
{
    char text[UNIT_TEXT - 1], sign[UNIT_TEXT];
    unit_percent1(text, sizeof(text), percent);
    snprintf(sign, sizeof(sign), "%s%s", text, known_f64(percent) ? "%" : "");
    return marked(page, buffer, sign, percent.stale);
}

const char *text_flops(struct page *page, char *buffer, struct fact_f64 flops)
{
    char text[UNIT_TEXT];
    return marked(page, buffer, unit_flops(text, sizeof(text), flops), flops.stale);
}

const char *text_bytes(struct page *page, char *buffer, struct fact_u64 bytes)
{
    char text[UNIT_TEXT];
    return marked(page, buffer, unit_bytes(text, sizeof(text), bytes), bytes.stale);
}

const char *text_bytes_of(struct page *page, char *buffer, struct fact_u64 used,
                          struct fact_u64 total)
{
    char text[UNIT_TEXT];
    return marked(page, buffer, unit_bytes_of(text, sizeof(text), used, total), used.stale);
}

const char *text_duration(struct page *page, char *buffer, struct fact_f64 seconds)
{
    char text[UNIT_TEXT];
    return marked(page, buffer, unit_duration(text, sizeof(text), seconds), seconds.stale);
}

const char *text_rate(struct page *page, char *buffer, struct fact_f64 rate)
{
    char text[UNIT_TEXT];
    return marked(page, buffer, unit_rate(text, sizeof(text), rate), rate.stale);
}

const char *text_count(struct page *page, char *buffer, struct fact_u64 count)
{
    char text[UNIT_TEXT];
    return marked(page, buffer, unit_count(text, sizeof(text), count), count.stale);
}
