// SPDX-License-Identifier: Apache-2.0
// Version numbers, compared number by number.
#include "host/version.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// One number, stopping at the largest that fits. Returns where the digits end.
static const char *read_part(const char *text, unsigned long *part)
{
    const unsigned long most = (unsigned long)-1;
    for (*part = 0; is_digit(*text); text++) {
        unsigned long digit = (unsigned long)(*text - '0');
        *part = *part > (most - digit) / 10 ? most : *part * 10 + digit;
    }
    return text;
}

bool version_parse(struct version *version, const char *text)
{
    memset(version, 0, sizeof(*version));
    if (text == NULL || !is_digit(*text))
        return false;
    while (version->count < VERSION_PARTS) {
        text = read_part(text, &version->part[version->count++]);
        if (text[0] != '.' || !is_digit(text[1]))
            break;
        text++;
    }
    return true;
}

int version_compare(const struct version *a, const struct version *b)
{
    if ((a->count == 0) != (b->count == 0))
        return a->count == 0 ? -1 : 1;
    for (unsigned i = 0; i < VERSION_PARTS; i++)
        if (a->part[i] != b->part[i])
            return a->part[i] < b->part[i] ? -1 : 1;
    return 0;
}

int version_compare_text(const char *a, const char *b)
{
    struct version first, second;
    version_parse(&first, a);
    version_parse(&second, b);
    return version_compare(&first, &second);
}
