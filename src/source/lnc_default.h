// SPDX-License-Identifier: Apache-2.0
// How many physical cores make a logical one where no source of running jobs tells: the host's
// setting, else the chip's default (driver reference 5.4).
#ifndef NEUTOP_SOURCE_LNC_DEFAULT_H
#define NEUTOP_SOURCE_LNC_DEFAULT_H

#include "host/host.h"

// The setting in /opt/aws/neuron/logical_nc_config below ROOT ("" for /): 1, 2, or 0 when there is
// none.
unsigned lnc_default_read(const char *root);

// Gives HOST an LNC when its cores are the driver's and nobody gave one. SETTING: as read.
void lnc_default_fill(struct host *host, unsigned setting);

#endif
