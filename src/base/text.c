// SPDX-License-Identifier: Apache-2.0
// Hostile text: UTF-8 in and out, cleaning, and cutting to columns.
#include "base/text.h"

#include <langinfo.h>
#include <string.h>
#include <wchar.h>

#include "base/arena.h"
#include "base/unicode.h"

enum { REPLACEMENT = 0xfffd, MARKS_IN_A_ROW = 4 };

static bool is_plain_ascii(uint32_t code)
{
    return code >= 0x20 && code < 0x7f;
}

// What the first byte of a sequence promises: its length (0: it starts none) and the smallest code
// that needs that many bytes.
static size_t sequence_length(unsigned char lead, uint32_t *smallest)
{
    static const uint32_t needs[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead > 0xf4)
        length = 0;
    *smallest = needs[length];
    return length;
}

size_t text_decode(const char *text, size_t length, uint32_t *code)
{
    const unsigned char *bytes = (const unsigned char *)text;
    uint32_t smallest;
    size_t need = sequence_length(bytes[0], &smallest);
    *code = REPLACEMENT;
    if (need == 0 || need > length)
        return 1;
    uint32_t value = need == 1 ? bytes[0] : bytes[0] & (0x7fu >> need);
    for (size_t i = 1; i < need; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 1;
        value = value << 6 | (bytes[i] & 0x3f);
    }
    if (value < smallest || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
        return 1;
    *code = value;
    return need;
}

size_t text_encode(uint32_t code, char out[4])
{
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        code = REPLACEMENT;
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(leads[length] | code);
    return length;
}

// Reads clean characters one by one out of a hostile text.
struct cleaner {
    const char *text, *end;
    unsigned marks; // in a row
    bool has_base;  // there is a character that a mark can sit on
};

// The next clean character; false at the end. Marks beyond the allowed number are passed over, and
// one without a base would sit on whatever stands left of the text.
static bool next_clean(struct cleaner *cleaner, uint32_t *code)
{
    while (cleaner->text < cleaner->end) {
        cleaner->text += text_decode(cleaner->text, (size_t)(cleaner->end - cleaner->text), code);
        if (is_plain_ascii(*code) || !unicode_mark(*code)) {
            if (!is_plain_ascii(*code) && unicode_hidden(*code))
                *code = REPLACEMENT;
            cleaner->marks = 0;
            cleaner->has_base = true;
            return true;
        }
        if (!cleaner->has_base) {
            *code = REPLACEMENT;
            cleaner->has_base = true;
            return true;
        }
        if (cleaner->marks++ < MARKS_IN_A_ROW)
            return true;
    }
    return false;
}

// Writes what fits of the clean form into SIZE bytes, with the NUL. Returns the bytes without it;
// *CUT tells whether something was left out.
static size_t clean_into(char *buffer, size_t size, const char *text, size_t length, bool *cut)
{
    struct cleaner cleaner = {.text = text, .end = text + length};
    char bytes[4];
    uint32_t code;
    size_t used = 0;
    *cut = false;
    while (!*cut && next_clean(&cleaner, &code)) {
        size_t need = text_encode(code, bytes);
        *cut = need >= size - used;
        if (*cut)
            break;
        memcpy(buffer + used, bytes, need);
        used += need;
    }
    buffer[used] = '\0';
    return used;
}

char *text_clean(struct arena *arena, const char *text, size_t length)
{
    if (text == NULL)
        return NULL;
    static const char ellipsis[] = "\xe2\x80\xa6";
    char clean[TEXT_MOST + 1];
    size_t plain = 0;
    bool cut;
    while (plain < length && plain <= TEXT_MOST && is_plain_ascii((unsigned char)text[plain]))
        plain++;
    if (plain == length && length <= TEXT_MOST)
        return arena_strndup(arena, text, length);
    size_t used = clean_into(clean, sizeof(clean), text, length, &cut);
    if (cut) {
        used = clean_into(clean, sizeof(clean) - strlen(ellipsis), text, length, &cut);
        memcpy(clean + used, ellipsis, sizeof(ellipsis));
        used += strlen(ellipsis);
    }
    return arena_strndup(arena, clean, used);
}

char *text_clean_to(char *buffer, size_t size, const char *text, size_t length)
{
    bool cut;
    clean_into(buffer, size, text == NULL ? "" : text, text == NULL ? 0 : strnlen(text, length),
               &cut);
    return buffer;
}

static bool locale_is_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

// Columns of one character. What the terminal library cannot show takes the one of its '?'.
static int columns_of(uint32_t code, bool utf8)
{
    if (is_plain_ascii(code) || !utf8)
        return 1;
    int columns = wcwidth((wchar_t)code);
    return columns < 0 ? 1 : columns;
}

int text_width(const char *text)
{
    const char *end = text + strlen(text);
    const bool utf8 = locale_is_utf8();
    int width = 0;
    for (uint32_t code; text < end;) {
        text += text_decode(text, (size_t)(end - text), &code);
        width += columns_of(code, utf8);
    }
    return width;
}

// How characters are written: the locale and the wish for ASCII.
struct style {
    bool utf8, ascii;
    const char *ellipsis;
};

static struct style style_of(bool ascii)
{
    bool utf8 = locale_is_utf8();
    return (struct style){
        .utf8 = utf8,
        .ascii = ascii || !utf8,
        .ellipsis = ascii || !utf8 ? "~" : "\xe2\x80\xa6",
    };
}

// One character as it is written.
struct glyph {
    char bytes[4];
    size_t length;
    int columns;
};

// Reads one character from TEXT and returns how many bytes of TEXT it was. A glyph is never longer
// than what it stands for, so text that fits stays within its own size.
static size_t glyph_read(struct glyph *glyph, const char *text, const char *end, struct style style)
{
    if (is_plain_ascii((unsigned char)*text)) { // nearly all of what is drawn
        glyph->bytes[0] = *text;
        glyph->length = 1;
        glyph->columns = 1;
        return 1;
    }
    uint32_t code;
    size_t taken = text_decode(text, (size_t)(end - text), &code);
    glyph->columns = columns_of(code, style.utf8);
    const bool malformed = code == REPLACEMENT && taken == 1;
    const bool shown = !style.ascii && !malformed && wcwidth((wchar_t)code) >= 0;
    if (shown) {
        glyph->length = taken;
        memcpy(glyph->bytes, text, taken);
    } else {
        glyph->length = (size_t)glyph->columns;
        memset(glyph->bytes, '?', sizeof(glyph->bytes));
    }
    return taken;
}

int text_fit(char *buffer, size_t size, const char *text, int columns, bool ascii)
{
    const struct style style = style_of(ascii);
    const char *end = text + strlen(text);
    const size_t ellipsis = strlen(style.ellipsis);
    size_t used = 0, cut = 0; // CUT: up to here the ellipsis still fits behind
    int width = 0, cut_width = 0;
    bool whole = true;
    if (size == 0)
        return 0;
    while (text < end) {
        struct glyph glyph;
        text += glyph_read(&glyph, text, end, style);
        whole = width + glyph.columns <= columns && used + glyph.length < size;
        if (!whole)
            break;
        memcpy(buffer + used, glyph.bytes, glyph.length);
        used += glyph.length;
        width += glyph.columns;
        if (width < columns && used + ellipsis < size) {
            cut = used;
            cut_width = width;
        }
    }
    if (whole) {
        buffer[used] = '\0';
        return width;
    }
    if (columns <= 0 || ellipsis >= size) {
        buffer[0] = '\0';
        return 0;
    }
    memcpy(buffer + cut, style.ellipsis, ellipsis + 1);
    return cut_width + 1;
}

int text_fit_end(char *buffer, size_t size, const char *text, int columns, bool ascii)
{
    const struct style style = style_of(ascii);
    const char *end = text + strlen(text);
    int width = text_width(text);
    const size_t ellipsis = strlen(style.ellipsis);
    if ((width <= columns && (size_t)(end - text) < size) || columns <= 0 || ellipsis >= size)
        return text_fit(buffer, size, text, columns, ascii);
    struct glyph glyph;
    for (const char *next = text; text < end; text = next) {
        next += glyph_read(&glyph, text, end, style);
        if (width < columns && glyph.columns > 0 && (size_t)(end - text) + ellipsis < size)
            break;
        width -= glyph.columns;
    }
    memcpy(buffer, style.ellipsis, ellipsis);
    return 1 + text_fit(buffer + ellipsis, size - ellipsis, text, columns - 1, ascii);
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool text_contains(const char *text, const char *needle)
{
    for (;; text++) {
        size_t i = 0;
        while (needle[i] != '\0' && lower(text[i]) == lower(needle[i]))
            i++;
        if (needle[i] == '\0')
            return true;
        if (*text == '\0')
            return false;
    }
}
