// SPDX-License-Identifier: Apache-2.0
// Menus and the line being typed; while one is open it gets the keys.
#ifndef NEUTOP_UI_OVERLAY_H
#define NEUTOP_UI_OVERLAY_H

#include "ui/state.h"

// The open menu over the view. What a key does to it, and to the line being typed: enum ui_request
// bits.
void menu_draw(struct ui *ui);
unsigned menu_key(struct ui *ui, int key);
unsigned prompt_key(struct ui *ui, int key);

// Closes what is open over the views, as Escape does: what was typed is dropped, nothing is chosen.
unsigned overlay_drop(struct ui *ui);

#endif
