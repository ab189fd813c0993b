// SPDX-License-Identifier: Apache-2.0
// Sending signals from the screen: what is chosen, asked and told. Nothing here sends one.
#ifndef NEUTOP_UI_SIGNAL_H
#define NEUTOP_UI_SIGNAL_H

#include "ui/state.h"

// F9 and K: the process or job under the cursor, or all that are tagged.
unsigned act_signal(struct ui *ui, int key);

// Space tags and untags, U untags all.
unsigned act_tag(struct ui *ui, int key);
unsigned act_untag(struct ui *ui, int key);
void tags_prune(struct ui *ui); // forgets the tags of processes that are gone
// A process, or a group of which all members are tagged.
bool row_tagged(const struct ui *ui, const struct row *row);

// The menu was left or a question answered: what is no longer asked about is forgotten.
unsigned signal_settle(struct ui *ui);

// The panel that asks before anything is sent, or says why nothing can be.
bool confirm_open(const struct ui *ui);
void confirm_draw(struct ui *ui);
unsigned confirm_key(struct ui *ui, int key);

// y and n while SIGKILL is offered; false: the key means what it always does.
bool offer_key(struct ui *ui, int key, unsigned *request);

#endif
