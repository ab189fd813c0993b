// SPDX-License-Identifier: Apache-2.0
// The NEFFs that processes run, by the rules for NEFF files: whether chip, LNC and runtime are
// those of the file (versions reference, section 1.6). What a process runs is joined from several
// sources, so that is said, and no join but an open file is good for an alarm.
#include <stdio.h>
#include <string.h>

#include "check/neff.h"
#include "check/versions.h"

enum { COMPILERS_MAX = 16, PATH_END = 40 };

static bool is_judged(const struct process *process)
{
    return process->state != PROCESS_GONE && !process->bystander;
}

// The facts of the file as neff_read() would give them, but for what no rule here is about.
static void neff_of_use(struct neff *neff, const struct neff_use *use)
{
    memset(neff, 0, sizeof(*neff));
    neff->header.major = use->version_major.value;
    neff->header.minor = use->version_minor.value;
    neff->header.features = use->features.value;
    neff->header.lnc = (uint32_t)use->lnc.value;
    neff->header.lnc_given = true;
    neff->payload.outcome = NEFF_COMPLETE;
    neff->payload.target_known =
        use->target != NULL && strlen(use->target) < sizeof(neff->payload.target);
    if (neff->payload.target_known)
        strcpy(neff->payload.target, use->target);
}

static struct neff_target target_of(const struct host *host, const struct process *process)
{
    const struct hardware *hardware = &host->hardware;
    const struct generation *generation = hardware->generation;
    return (struct neff_target){
        .runtime = process->runtime_version,
        .runtime_from = "of this process",
        .chip = hardware->chip,
        .neuroncore = hardware->neuroncore,
        .lnc = versions_lnc_of(host, process),
        .lnc_given = known_u64(process->lnc),
        .lnc_only = generation != NULL && generation->lnc_max == 1,
        .lnc_from = known_u64(process->lnc) ? "of this process" : "the default",
        .generation = generation != NULL ? generation->id : GEN_UNKNOWN,
        .releases = host->releases,
        .allow_legacy = process->allow_legacy_neff,
    };
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

// Others that run the same file in the same way have the same finding.
static bool runs_alike(const struct host *host, const struct process *process,
                       const struct process *other, const char *path)
{
    if (!is_judged(other) || !same_text(other->runtime_version, process->runtime_version) ||
        versions_lnc_of(host, other) != versions_lnc_of(host, process) ||
        other->allow_legacy_neff != process->allow_legacy_neff ||
        !same_text(other->container, process->container))
        return false;
    for (unsigned i = 0; i < other->neff_count; i++)
        if (same_text(other->neffs[i].path, path))
            return true;
    return false;
}

static bool told_before(const struct host *host, const struct process *process,
                        const struct neff_use *use)
{
    for (const struct process *other = host->processes; other < process; other++)
        if (runs_alike(host, process, other, use->path))
            return true;
    return false;
}

static size_t others_alike(const struct host *host, const struct process *process,
                           const struct neff_use *use)
{
    size_t count = 0;
    for (unsigned i = 0; i < host->process_count; i++)
        count += &host->processes[i] > process &&
                 runs_alike(host, process, &host->processes[i], use->path);
    return count;
}

static const char *join_words(const struct neff_use *use)
{
    return (use->evidence & NEFF_BY_FILE) != 0 ? "the process has the file open"
           : (use->evidence & NEFF_BY_UUID) != 0
               ? "which file it is, is told by the uuid of a loaded model: plausible, unverified"
               : "which file it is, is told by the name of a loaded model: inferred";
}

// The end of a path: the entry of a cache and its file.
static const char *path_end(const char *path)
{
    size_t length = strlen(path);
    const char *end = path + length;
    for (int slashes = 0; end > path && slashes < 2 && (size_t)(path + length - end) < PATH_END;)
        slashes += *--end == '/';
    return *end == '/' ? end + 1 : end;
}

// FROM is the finding on the file; it becomes one on the process that runs it.
static void tell(struct report *report, const struct process *process, const struct neff_use *use,
                 const struct finding *from)
{
    const struct host *host = report->host;
    char name[NAME_TEXT];
    bool sure = (use->evidence & NEFF_BY_FILE) != 0, by_lnc = strcmp(from->id, "lnc-mismatch") == 0;
    bool guessed = by_lnc && !known_u64(process->lnc);
    struct finding *finding = report_add(report, from->severity);
    if ((!sure || guessed) && finding->severity == SEVERITY_CRITICAL)
        finding->severity = SEVERITY_WARNING;
    finding_subject(report, finding, "%s", name_process(name, process));
    finding_summary(report, finding, "its NEFF %s: %s", path_end(use->path), from->summary);
    finding_evidence(report, finding, "%s", use->path);
    finding_evidence(report, finding, "%s", join_words(use));
    for (size_t i = 0; i < from->evidence_count && i < EVIDENCE_MAX - 5; i++)
        finding_evidence(report, finding, "%s", from->evidence[i]);
    if (use->target_by_flags && strcmp(from->id, "neff-wrong-chip") == 0)
        finding_evidence(report, finding, "the target is by compile_flags.json beside the file");
    if (guessed)
        finding_evidence(report, finding,
                         "its environment at its start names no LNC; it may have set one since");
    else if (use->model_count > 0)
        finding_evidence(report, finding, "its runtime has loaded the model all the same");
    evidence_more(report, finding, others_alike(host, process, use), "processes that run it");
    finding_remedy(report, finding, "%s", from->remedy);
}

static void judge_use(struct report *report, const struct process *process,
                      const struct neff_use *use)
{
    const struct host *host = report->host;
    struct neff neff;
    struct neff_target target = target_of(host, process);
    neff_of_use(&neff, use);
    struct findings found = check_neff(&neff, use->path, &target, host->arena);
    for (size_t i = 0; i < found.count; i++)
        if (strcmp(found.items[i].id, report->id) == 0 && !told_before(host, process, use))
            tell(report, process, use, &found.items[i]);
}

void judge_neffs_in_use(struct report *report)
{
    const struct host *host = report->host;
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        for (unsigned j = 0; is_judged(process) && j < process->neff_count; j++)
            if (process->neffs[j].path != NULL && known_u64(process->neffs[j].lnc))
                judge_use(report, process, &process->neffs[j]);
    }
}

void rule_neff_wrong_chip(struct report *report)
{
    judge_neffs_in_use(report);
}

// One version of the compiler and whose NEFFs it has made.
struct compiled {
    const char *compiler;
    unsigned neffs, processes;
    const struct process *first, *last;
};

static unsigned compilers_of(const struct host *host, struct compiled list[COMPILERS_MAX])
{
    unsigned count = 0;
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        for (unsigned j = 0; is_judged(process) && j < process->neff_count; j++) {
            const char *compiler = process->neffs[j].compiler;
            unsigned at = 0;
            while (compiler != NULL && at < count && strcmp(list[at].compiler, compiler) != 0)
                at++;
            if (compiler == NULL || at == COMPILERS_MAX)
                continue;
            if (at == count)
                list[count++] = (struct compiled){.compiler = compiler, .first = process};
            list[at].neffs++;
            list[at].processes += list[at].last != process;
            list[at].last = process;
        }
    }
    return count;
}

void rule_mixed_compilers(struct report *report)
{
    struct compiled list[COMPILERS_MAX];
    char name[NAME_TEXT], words[200], more[48];
    unsigned count = compilers_of(report->host, list), shown = 0;
    if (count < 2)
        return;
    struct finding *finding = report_add(report, SEVERITY_INFO);
    finding_subject(report, finding, "NEFFs");
    finding_summary(report, finding, "NEFFs in use are from %u versions of the compiler", count);
    for (; shown < count && finding->evidence_count < EVIDENCE_MAX - 2; shown++) {
        const struct compiled *row = &list[shown];
        snprintf(more, sizeof(more), " and %u more processes", row->processes - 1);
        finding_evidence(
            report, finding, "neuronx-cc %s (%s): %u NEFF%s of %s%s", row->compiler,
            release_words(report->host, COMPONENT_COMPILER, row->compiler, words, sizeof(words)),
            row->neffs, row->neffs == 1 ? "" : "s", name_process(name, row->first),
            row->processes > 1 ? more : "");
    }
    evidence_more(report, finding, count - shown, "versions");
    finding_remedy(report, finding,
                   "Nothing, if that is meant; else compile all with one version: a cache keeps "
                   "what older ones have made.");
    finding_origin(report, finding, RULE_INFERRED);
}
