// SPDX-License-Identifier: Apache-2.0
// What keys do, as the table of keys calls it: each gets the key and returns enum ui_request bits.
#ifndef NEUTOP_UI_ACTIONS_H
#define NEUTOP_UI_ACTIONS_H

#include "ui/state.h"

unsigned act_move(struct ui *ui, int key);
unsigned act_page(struct ui *ui, int key);
unsigned act_ends(struct ui *ui, int key);
unsigned act_detail(struct ui *ui, int key);
unsigned act_turn(struct ui *ui, int key);
unsigned act_unfold(struct ui *ui, int key);
unsigned act_fold(struct ui *ui, int key);
unsigned act_fold_all(struct ui *ui, int key);
unsigned act_next_tab(struct ui *ui, int key);
unsigned act_tab_number(struct ui *ui, int key);
unsigned act_follow(struct ui *ui, int key);
unsigned act_focus(struct ui *ui, int key);
unsigned act_sort_key(struct ui *ui, int key);
unsigned act_sort_next(struct ui *ui, int key);
unsigned act_sort_menu(struct ui *ui, int key);
unsigned act_search(struct ui *ui, int key);
unsigned act_search_again(struct ui *ui, int key);
unsigned act_filter(struct ui *ui, int key);
unsigned act_delay(struct ui *ui, int key);
unsigned act_view_menu(struct ui *ui, int key);

void act_follow_cursor(struct ui *ui); // with follow on, the tab goes where the cursor went

#endif
