// SPDX-License-Identifier: Apache-2.0
// Help: the keys, made from their table, and the signs of the screen.
#include <stdio.h>

#include "ui/keys.h"

enum { KEY_COLUMNS = 14 };

static void sign(struct sheet *sheet, enum role role, const char *mark, const char *what)
{
    sheet_line(sheet, 0);
    sheet_space(sheet, 2);
    sheet_cell(sheet, KEY_COLUMNS, role, mark);
    sheet_wrap(sheet, KEY_COLUMNS + 2, ROLE_TEXT, what);
}

static void write_signs(struct ui *ui, struct sheet *sheet)
{
    const bool ascii = ui->canvas.ascii;

    sheet_heading(sheet, "Signs");
    sign(sheet, ROLE_BUSY_HIGH, ascii ? "||||  57" : "\u2588\u2588\u2588\u258c  57",
         "a busy logical core (NC), in percent of time, in FLOPS mode too; small cells show one "
         "bar");
    sign(sheet, ROLE_HELD, "=held", "a process holds the core but it does nothing");
    sign(sheet, ROLE_FREE, ascii ? ". free" : "\u00b7 free", "nobody holds the core");
    sign(sheet, ROLE_UNKNOWN, "-", "unknown: no source tells");
    sign(sheet, ROLE_DIM, "other", "not of the processes of this tab");
    sign(sheet, ROLE_STALE, "57~", "stale: the source has gone quiet since");
    sign(sheet, ROLE_STRONG, ">", "the cursor: the row that keys are for");
    sign(sheet, ROLE_STRONG, "#", "a chip that the selected process holds cores of");
    sign(sheet, ROLE_CRITICAL, "!!", "a critical finding; ! a warning; i worth knowing");
    sign(sheet, ROLE_TEXT, "NC+2", "the chip's third core: chip number times cores a chip, plus 2");
    sign(sheet, ROLE_TEXT, "mon",
         "cores are numbered as neuron-monitor does, which need not be NEURON_RT_VISIBLE_CORES's "
         "order");
    sign(sheet, ROLE_TEXT, "P 12",
         "a physical core, where no source tells how they make logical ones");
    sign(sheet, ROLE_TEXT, "16,18,+", "more cores or chips than there is room for: l shows all");
    sign(sheet, ROLE_TEXT, "40112 +1", "an owner, and one more");
    sign(sheet, ROLE_TEXT, "2 ECC", "memory errors of the chip that could not be corrected");
    sign(sheet, ROLE_TEXT, "HISTORY", "the chip's utilization, newest on the right");
    sign(sheet, ROLE_TEXT, "PWR", "power in percent of the chip's maximum");
}

void view_help(struct ui *ui, struct sheet *sheet)
{
    sheet_line(sheet, 0);
    sheet_text(sheet, ROLE_STRONG,
               "neutop " PACKAGE_VERSION ": chips, cores and processes of an AWS Neuron host");
    sheet_heading(sheet, "Keys");
    for (const struct binding *binding = key_bindings(); binding->label != NULL; binding++)
        sign(sheet, ROLE_STRONG, binding->label, binding->what);
    write_signs(ui, sheet);
    sheet_heading(sheet, "Columns of the processes");
    for (const struct column *column = column_table(); column->name != NULL; column++)
        sign(sheet, ROLE_STRONG, column->head, column->what);
}
