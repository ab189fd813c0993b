// SPDX-License-Identifier: Apache-2.0
// The verdict on a NEFF: what its findings come to, and what nobody could judge.
#include "check/neff.h"
#include "check/neff_support.h"
#include "host/version.h"
#include "neff/target.h"

// A chip's word that neutop does not know says nothing.
static bool chip_judged(const struct neff *neff, const struct neff_target *target)
{
    return target->neuroncore != NULL && neff->payload.target_known &&
           neff_chip_of(neff->payload.target) != NULL;
}

// The runtime is judged by its release, which the compiler's is held against. Of two that are both
// newer than the table it is not known which is ahead.
static bool runtime_judged(const struct neff *neff, const struct neff_target *target)
{
    enum release_match compiler, runtime;
    if (target->runtime == NULL || neff->payload.compiler[0] == '\0')
        return false;
    neff_compiler_releases(target->releases, neff->payload.compiler, &compiler);
    releases_holding(target->releases, COMPONENT_RUNTIME, target->runtime, target->generation,
                     &runtime);
    return compiler != RELEASE_NONE && runtime != RELEASE_NONE &&
           (compiler != RELEASE_NEWER || runtime != RELEASE_NEWER);
}

unsigned neff_not_judged(const struct neff *neff, const struct neff_target *target,
                         const char *names[NEFF_QUESTIONS])
{
    const struct {
        const char *name;
        bool judged;
    } questions[NEFF_QUESTIONS] = {
        {"chip", chip_judged(neff, target)},
        {"LNC", target->lnc != 0},
        {"features", neff_support_tells(target->runtime, neff->header.features)},
        {"runtime", runtime_judged(neff, target)},
        {"driver", target->driver != NULL && target->runtime != NULL},
    };
    unsigned count = 0;
    for (unsigned i = 0; i < NEFF_QUESTIONS; i++)
        if (!questions[i].judged)
            names[count++] = questions[i].name;
    return count;
}

enum neff_verdict neff_verdict(const struct neff *neff, const struct neff_target *target,
                               const struct findings *findings)
{
    const char *names[NEFF_QUESTIONS];
    enum severity worst = findings->count > 0 ? findings->items[0].severity : SEVERITY_INFO;
    if (neff == NULL)
        return NEFF_UNKNOWN;
    if (worst == SEVERITY_CRITICAL)
        return NEFF_DOES_NOT_FIT;
    if (worst == SEVERITY_WARNING)
        return NEFF_MAY_NOT_FIT;
    unsigned open = neff_not_judged(neff, target, names);
    return open == 0 ? NEFF_FITS : open == NEFF_QUESTIONS ? NEFF_UNKNOWN : NEFF_PARTLY;
}

const char *neff_verdict_word(enum neff_verdict verdict)
{
    static const char *const words[NEFF_VERDICTS] = {
        [NEFF_UNKNOWN] = "unknown",
        [NEFF_PARTLY] = "partly-judged",
        [NEFF_FITS] = "fits",
        [NEFF_MAY_NOT_FIT] = "may-not-fit",
        [NEFF_DOES_NOT_FIT] = "does-not-fit",
    };
    return words[verdict];
}
