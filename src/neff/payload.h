// SPDX-License-Identifier: Apache-2.0
// What the payload of a NEFF tells: compiler and target chip (NEFF reference, section 1.2). Private
// to src/neff.
#ifndef NEUTOP_NEFF_PAYLOAD_H
#define NEUTOP_NEFF_PAYLOAD_H

#include "neff/neff.h"

// Probes the payload of HEADER in FD and reads its members within LIMITS. False with a line in WHY
// when it is no payload at all; what is damaged further in is said in PAYLOAD.
bool payload_read(struct neff_payload *payload, int fd, const struct neff_header *header,
                  const struct neff_limits *limits, char why[NEFF_WHY]);

#endif
