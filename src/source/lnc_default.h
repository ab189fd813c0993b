// SPDX-License-Identifier: Apache-2.0
// How many physical cores make a logical one where no source of running jobs tells: the host's
// setting, else the chip's default (driver reference 5.4).
#ifndef NEUTOP_SOURCE_LNC_DEFAULT_H
#define NEUTOP_SOURCE_LNC_DEFAULT_H

#include "host/host.h"

// The setting in /opt/aws/neuron/logical_nc_config.
struct lnc_setting {
    unsigned lnc;     // 1, 2, or 0 when there is none
    char invalid[64]; // what stands there when it is no setting, printable; else ""
};

// Reads it below ROOT ("" for /). A file that is absent or empty is no setting.
struct lnc_setting lnc_default_read(const char *root);

// Gives HOST the setting, and an LNC when its cores are the driver's and nobody gave one.
void lnc_default_fill(struct host *host, const struct lnc_setting *setting);

#endif
