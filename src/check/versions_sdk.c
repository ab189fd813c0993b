// SPDX-License-Identifier: Apache-2.0
// Whether the components of a host are of one SDK release, and whether the compiler is ahead of the
// runtime (versions reference 3.1 and 1.6). An SDK is released and tested as a whole.
#include <stdio.h>
#include <string.h>

#include "check/versions.h"
#include "host/sdk.h"
#include "host/version.h"

// How bad it is when this component alone is of another release, by whether it is the newer one.
static const struct odd_rule {
    enum component component;
    enum severity older, newer;
    enum rule_origin origin;
    const char *why;
} odd_rules[] = {
    {COMPONENT_DRIVER, SEVERITY_WARNING, SEVERITY_INFO, RULE_DOCUMENTED,
     "a driver stays compatible with older runtimes, but a newer runtime may need a newer driver "
     "(troubleshooting guide)"},
    {COMPONENT_RUNTIME, SEVERITY_WARNING, SEVERITY_WARNING, RULE_INFERRED,
     "runtime and collectives are released and tested together"},
    {COMPONENT_COLLECTIVES, SEVERITY_WARNING, SEVERITY_WARNING, RULE_INFERRED,
     "runtime and collectives are released and tested together"},
    {COMPONENT_TOOLS, SEVERITY_INFO, SEVERITY_INFO, RULE_INFERRED,
     "tools of another release may lack counters or read them wrongly"},
    {COMPONENT_COMPILER, SEVERITY_INFO, SEVERITY_INFO, RULE_DOCUMENTED,
     "a NEFF of an older compiler loads; of a newer one see compiler-newer-than-runtime"},
};

static const struct odd_rule mixed = {
    COMPONENTS, SEVERITY_WARNING, SEVERITY_WARNING, RULE_INFERRED,
    "no release holds them all, and leaving out one does not help"};

static const struct odd_rule *odd_rule_for(enum component component)
{
    for (size_t i = 0; i < sizeof(odd_rules) / sizeof(odd_rules[0]); i++)
        if (odd_rules[i].component == component)
            return &odd_rules[i];
    return &mixed;
}

static uint64_t common(const struct sdk_part *parts, unsigned count, unsigned except)
{
    uint64_t set = ~UINT64_C(0);
    for (unsigned i = 0; i < count; i++)
        if (i != except && parts[i].releases != 0)
            set &= parts[i].releases;
    return set;
}

// The part without which the others fit; where several would do, the one that tells least about the
// release: tools before driver before collectives before runtime before compiler. COUNT: none.
static unsigned odd_one(const struct sdk_part *parts, unsigned count)
{
    static const unsigned char anchor[COMPONENTS] = {[COMPONENT_COMPILER] = 5,
                                                     [COMPONENT_RUNTIME] = 4,
                                                     [COMPONENT_COLLECTIVES] = 3,
                                                     [COMPONENT_DRIVER] = 2,
                                                     [COMPONENT_TOOLS] = 1};
    unsigned odd = count;
    for (unsigned i = 0; i < count; i++)
        if (parts[i].releases != 0 && common(parts, count, i) != 0 &&
            (odd == count || anchor[parts[i].component] < anchor[parts[odd].component]))
            odd = i;
    return odd;
}

// The newest release of the one is older than the oldest of the other. Places: newest first.
static bool is_older(const struct host *host, uint64_t set, uint64_t than)
{
    const struct release *newest = releases_newest(host->releases, set);
    const struct release *oldest = releases_oldest(host->releases, than);
    return newest != NULL && oldest != NULL && newest > oldest;
}

static void part_evidence(struct report *report, struct finding *finding,
                          const struct sdk_part *part)
{
    char words[200];
    finding_evidence(
        report, finding, "%s %s: %s", component_name(part->component), part->version,
        release_words(report->host, part->component, part->version, words, sizeof(words)));
}

static void tell_mixed(struct report *report, const struct sdk_part *parts, unsigned count)
{
    const struct host *host = report->host;
    unsigned odd = odd_one(parts, count);
    const struct odd_rule *rule = odd < count ? odd_rule_for(parts[odd].component) : &mixed;
    uint64_t rest = common(parts, count, odd);
    bool older = odd < count && is_older(host, parts[odd].releases, rest);
    struct finding *finding = report_add(report, older ? rule->older : rule->newer);
    char names[120];
    finding_subject(report, finding, "SDK");
    if (odd < count)
        finding_summary(report, finding, "%s %s is of %s release than the rest (SDK %s)",
                        component_name(parts[odd].component), parts[odd].version,
                        older ? "an older" : "another",
                        releases_names(host->releases, rest, names, sizeof(names)));
    else
        finding_summary(report, finding, "the components are of different SDK releases");
    for (unsigned i = 0; i < count; i++)
        if (finding->evidence_count < EVIDENCE_MAX - 2)
            part_evidence(report, finding, &parts[i]);
    finding_evidence(report, finding, "%s", rule->why);
    finding_origin(report, finding, rule->origin);
    finding_remedy(report, finding,
                   "Install all of one release: see \"Neuron SDK release\" of the version you "
                   "want, and pin its packages.");
}

static void environment_evidence(struct report *report, struct finding *finding,
                                 const struct environment *environment,
                                 const struct sdk_part *parts, unsigned count)
{
    const struct host *host = report->host;
    unsigned odd = odd_one(parts, count);
    char own[120], rest[120];
    if (odd == count) {
        finding_evidence(report, finding, "%s: no release holds its %u packages", environment->path,
                         count);
        return;
    }
    finding_evidence(report, finding, "%s: %s %s is of SDK %s, the rest of %s", environment->path,
                     component_name(parts[odd].component), parts[odd].version,
                     releases_names(host->releases, parts[odd].releases, own, sizeof(own)),
                     releases_names(host->releases, common(parts, count, odd), rest, sizeof(rest)));
}

// Packages of Python are often older than the release that they go with: worth knowing, no more.
static void judge_environments(struct report *report)
{
    const struct versions *versions = &report->host->versions;
    struct finding *finding = NULL;
    unsigned mixed_count = 0, shown = 0;
    for (unsigned i = 0; i < versions->environment_count; i++) {
        struct sdk_part parts[SDK_PARTS_MAX];
        const struct environment *environment = &versions->environments[i];
        unsigned count = sdk_environment_parts(report->host, environment, parts);
        if (common(parts, count, count) != 0)
            continue;
        if (mixed_count++ == 0)
            finding = report_add(report, SEVERITY_INFO);
        if (finding->evidence_count < EVIDENCE_MAX - 2) {
            environment_evidence(report, finding, environment, parts, count);
            shown++;
        }
    }
    if (finding == NULL)
        return;
    finding_subject(report, finding, "Python");
    finding_summary(report, finding, "%u Python environment%s packages of different SDK releases",
                    mixed_count, mixed_count == 1 ? " has" : "s have");
    evidence_more(report, finding, mixed_count - shown, "environments");
    finding_origin(report, finding, RULE_INFERRED);
    finding_remedy(report, finding,
                   "When something fails there, install all packages of one release first.");
}

void rule_sdk_mixed(struct report *report)
{
    struct sdk_part parts[SDK_PARTS_MAX];
    unsigned count = sdk_host_parts(report->host, parts);
    if (common(parts, count, count) == 0)
        tell_mixed(report, parts, count);
    judge_environments(report);
}

// What a version says of its release: a set, or that it is newer than all that is known.
struct dated {
    uint64_t releases;
    bool newer;
};

static struct dated date_of(const struct host *host, enum component component, const char *version)
{
    enum release_match how;
    struct dated dated = {
        .releases = releases_holding(host->releases, component, version, GEN_UNKNOWN, &how)};
    dated.newer = how == RELEASE_NEWER;
    return dated;
}

static bool compiler_ahead(const struct host *host, const char *compiler, const char *runtime)
{
    struct dated first = date_of(host, COMPONENT_COMPILER, compiler);
    struct dated second = date_of(host, COMPONENT_RUNTIME, runtime);
    if (second.releases == 0)
        return false;
    if (first.newer) // of the newest release it may be a patch build
        return (second.releases & 1) == 0;
    return is_older(host, second.releases, first.releases);
}

static void tell_ahead(struct report *report, const char *compiler, const char *where,
                       const struct runtime_use *runtime)
{
    const struct host *host = report->host;
    char words[200];
    struct finding *finding = report_add(report, SEVERITY_WARNING);
    finding_subject(report, finding, "compiler");
    finding_summary(report, finding, "compiler %s is newer than runtime %s", compiler,
                    runtime->version);
    finding_evidence(report, finding, "compiler %s%s%s: %s", compiler, where != NULL ? " in " : "",
                     where != NULL ? where : "",
                     release_words(host, COMPONENT_COMPILER, compiler, words, sizeof(words)));
    finding_evidence(
        report, finding, "runtime %s: %s", runtime->version,
        release_words(host, COMPONENT_RUNTIME, runtime->version, words, sizeof(words)));
    runtime_evidence(report, finding, runtime);
    finding_evidence(report, finding,
                     "a runtime refuses a NEFF with a feature that it does not know (status 10, "
                     "NRT_UNSUPPORTED_NEFF_VERSION)");
    finding_remedy(report, finding,
                   "Update aws-neuronx-runtime-lib and aws-neuronx-collectives to the compiler's "
                   "release, or compile with the runtime's; check a file: neutop neff FILE");
}

// What a compiler is held against: the runtime of the host, and those of the processes that use its
// environment. A process in a container of its own brings its compiler along.
static bool concerns(const struct host *host, const struct runtime_use *runtime,
                     const struct environment *environment)
{
    if (runtime->installed)
        return true;
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        if (process->environment != environment || process->runtime_version == NULL ||
            version_compare_text(process->runtime_version, runtime->version) != 0)
            continue;
        if (environment != NULL || host->versions.runtime_installed == NULL)
            return true;
    }
    return false;
}

// True when it was told.
static bool judge_compiler(struct report *report, const char *compiler,
                           const struct environment *environment)
{
    struct runtime_use runtimes[RUNTIMES_MAX];
    unsigned count = runtimes_of(report->host, runtimes);
    for (unsigned i = 0; i < count; i++) {
        if (!concerns(report->host, &runtimes[i], environment) ||
            !compiler_ahead(report->host, compiler, runtimes[i].version))
            continue;
        tell_ahead(report, compiler, environment != NULL ? environment->path : NULL, &runtimes[i]);
        return true; // one runtime is enough to say it
    }
    return false;
}

static bool is_told(const char *const *told, unsigned count, const char *compiler)
{
    for (unsigned i = 0; i < count; i++)
        if (version_compare_text(told[i], compiler) == 0)
            return true;
    return false;
}

// Each compiler once, with the first environment where it matters.
void rule_compiler_newer(struct report *report)
{
    const struct versions *versions = &report->host->versions;
    const char *told[RULE_FINDINGS_MAX];
    unsigned count = 0;
    bool any = false;
    for (unsigned i = 0; i < versions->environment_count && count < RULE_FINDINGS_MAX; i++) {
        const struct environment *environment = &versions->environments[i];
        const char *compiler = sdk_environment_version(environment, COMPONENT_COMPILER);
        any = any || compiler != NULL;
        if (compiler != NULL && !is_told(told, count, compiler) &&
            judge_compiler(report, compiler, environment))
            told[count++] = compiler;
    }
    if (!any && versions->compiler != NULL && generation_of(report->host) != GEN_INF1)
        judge_compiler(report, versions->compiler, NULL);
}
