// SPDX-License-Identifier: Apache-2.0
// The hash of a NEFF's payload against the one in its header (NEFF reference, section 1.3). Private
// to src/neff.
#ifndef NEUTOP_NEFF_DIGEST_H
#define NEUTOP_NEFF_DIGEST_H

#include "neff/neff.h"

// Reads all of the payload of HEADER in FD. NEFF_HASH_NONE with a line in WHY when it cannot be
// told.
enum neff_hash digest_verify(int fd, const struct neff_header *header, char why[NEFF_WHY]);

#endif
