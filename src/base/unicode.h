// SPDX-License-Identifier: Apache-2.0
// Classes of characters that text_clean() needs, independent of the locale.
#ifndef NEUTOP_BASE_UNICODE_H
#define NEUTOP_BASE_UNICODE_H

#include <stdbool.h>
#include <stdint.h>

// True for what can be in a text without being seen or that moves other text: controls, line and
// paragraph separators, bidirectional and other format characters, fillers, variation selectors.
bool unicode_hidden(uint32_t code);

// True for characters that are drawn onto the one before and take no column of their own.
bool unicode_mark(uint32_t code);

#endif
