// SPDX-License-Identifier: Apache-2.0
// Whether a host can load a NEFF, as far as that can be told without loading it (NEFF reference,
// section 1.6).
#ifndef NEUTOP_CHECK_NEFF_H
#define NEUTOP_CHECK_NEFF_H

#include "check/check.h"
#include "host/releases.h"
#include "neff/neff.h"

// What the NEFF would meet. NULL and 0 are unknown, and what is unknown is not judged.
struct neff_target {
    const char *driver, *runtime;  // versions
    const char *runtime_from;      // whose: "installed", "of PID 4242", "given"
    const char *chip;              // for the person: "Trainium2"
    const char *neuroncore;        // "v3"
    unsigned lnc;                  // of the processes to come
    bool lnc_given;                // by the person or in the environment
    bool lnc_only;                 // the chip has no other
    const char *lnc_from;          // "of this host", "given", "the chip's default"
    enum generation_id generation; // GEN_UNKNOWN: the chip is unknown, or may be one of several
    const struct releases *releases;
    struct findings host_findings; // those on driver and runtime count here too
    bool allow_legacy;             // NEURON_RT_ALLOW_LEGACY_NEFF is set
    bool by_hand;                  // given by the person, not read from this host
};

// What HOST offers. Its texts live as long as HOST.
struct neff_target neff_target_of_host(const struct host *host);

// The SDK releases with the compiler whose version is COMPILER, as in the file.
uint64_t neff_compiler_releases(const struct releases *releases, const char *compiler,
                                enum release_match *how);

// Sets the chip by a name of people's: "trn2", "Trainium2", "trn2.48xlarge", "v3", "cayman". False
// when there is no such chip.
bool neff_target_set_chip(struct neff_target *target, const char *word);

// Adds what follows from the chip: the LNC that it has when nobody says otherwise, and whether it
// has another.
void neff_target_complete(struct neff_target *target);

// Nothing of it is known: there is no verdict.
bool neff_target_empty(const struct neff_target *target);

// What there is to say of a NEFF and a target after all. Of what is not known nothing is said:
// partly judged means that nothing speaks against it, and that there is more to it.
enum neff_verdict {
    NEFF_UNKNOWN, // nothing could be judged
    NEFF_PARTLY,
    NEFF_FITS,
    NEFF_MAY_NOT_FIT,
    NEFF_DOES_NOT_FIT,
    NEFF_VERDICTS
};

enum { NEFF_QUESTIONS = 5 }; // chip, LNC, runtime, features, driver

// What could not be judged of NEFF against TARGET: "chip", "LNC", "features", "runtime", "driver".
// Returns how many are in NAMES.
unsigned neff_not_judged(const struct neff *neff, const struct neff_target *target,
                         const char *names[NEFF_QUESTIONS]);

// The verdict on NEFF (NULL: it could not be read) by its FINDINGS, worst first.
enum neff_verdict neff_verdict(const struct neff *neff, const struct neff_target *target,
                               const struct findings *findings);

// "fits", "may-not-fit", "does-not-fit", "partly-judged", "unknown".
const char *neff_verdict_word(enum neff_verdict verdict);

// The findings on the NEFF in FILE (a clean name) against TARGET; they live in ARENA.
struct findings check_neff(const struct neff *neff, const char *file,
                           const struct neff_target *target, struct arena *arena);

// The finding on a FILE that is no NEFF, cut off, or cannot be read: WHY is the line of
// neff_read().
struct findings check_neff_unreadable(const char *file, const char *why, struct arena *arena);

#endif
