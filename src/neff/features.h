// SPDX-License-Identifier: Apache-2.0
// Feature bits of a NEFF: what a runtime must know to load it (NEFF reference, section 1.4).
#ifndef NEUTOP_NEFF_FEATURES_H
#define NEUTOP_NEFF_FEATURES_H

enum { NEFF_FEATURE_BITS = 64 };

// The name of bit BIT (0 to 63), "DGE"; NULL where none is known: print "bit N" then.
const char *neff_feature_name(unsigned bit);

#endif
