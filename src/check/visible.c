// SPDX-License-Identifier: Apache-2.0
// What jobs asked for in their environment: lists of cores that the runtime does not accept, and
// two jobs that ask for the same cores (field cases F-25, F-28; versions reference 2.4).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "check/rule.h"

enum { VALUE_COLUMNS = 40 };

#define VISIBLE "NEURON_RT_VISIBLE_CORES"
#define NUMBER "NEURON_RT_NUM_CORES"

// Physical cores in a logical one as the process counts; 0 unknown.
static unsigned lnc_of(const struct host *host, const struct process *process)
{
    const struct generation *gen = host->hardware.generation;
    if (gen != NULL && gen->lnc_max == 1)
        return 1;
    if (known_u64(process->lnc))
        return (unsigned)process->lnc.value;
    return known_u64(host->hardware.lnc) ? (unsigned)host->hardware.lnc.value : 0;
}

// Logical cores a chip; with an unknown LNC as many as there can be. 0: unknown.
static unsigned per_chip(const struct host *host, const struct process *process)
{
    const struct generation *gen = host->hardware.generation;
    unsigned lnc = lnc_of(host, process);
    return gen == NULL ? 0 : gen->physical_cores / (lnc == 2 ? 2 : 1);
}

static const char *value_text(char *buffer, const char *value)
{
    text_fit(buffer, NAME_TEXT, value, VALUE_COLUMNS, false);
    return buffer;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

// Workers of one job have the same environment: they are told of together. TOLD: the processes
// with a finding.
static bool told_before(const struct report *report, const struct process *const *told,
                        size_t count, const struct process *process)
{
    for (size_t i = 0; i < count; i++)
        if (same_job(report, told[i], process) &&
            same_text(told[i]->visible_cores, process->visible_cores) &&
            same_text(told[i]->num_cores, process->num_cores))
            return true;
    return false;
}

static struct finding *invalid_finding(struct report *report, const struct process *process,
                                       const char *name, const char *value)
{
    char who[NAME_TEXT], text[NAME_TEXT];
    struct finding *finding = report_add(report, SEVERITY_WARNING);
    finding_subject(report, finding, "%s", name_process(who, process));
    finding_evidence(report, finding, "%s=%s at its start%s%s", name, value_text(text, value),
                     process->user != NULL ? ", user " : "",
                     process->user != NULL ? process->user : "");
    return finding;
}

static void bad_grammar(struct report *report, const struct process *process,
                        const struct core_set_error *error)
{
    char who[NAME_TEXT], text[NAME_TEXT];
    struct finding *finding = invalid_finding(report, process, VISIBLE, process->visible_cores);
    finding_summary(report, finding, "%s: %s='%s': byte %zu: %s", name_process(who, process),
                    VISIBLE, value_text(text, process->visible_cores), error->at + 1, error->what);
    finding_remedy(report, finding,
                   "Give it as one core, a range, or a list of both: 4, 7-15, 0,1,2,3.");
}

static void out_of_range(struct report *report, const struct process *process, unsigned cores,
                         const struct core_set *visible)
{
    char who[NAME_TEXT], set[NAME_TEXT];
    struct core_set beyond;
    core_set_clear(&beyond);
    for (int i = core_set_next(visible, cores); i >= 0; i = core_set_next(visible, (unsigned)i + 1))
        core_set_add(&beyond, (unsigned)i);
    struct finding *finding = invalid_finding(report, process, VISIBLE, process->visible_cores);
    finding_summary(report, finding, "%s: %s names NC %s, but the last one here is %u",
                    name_process(who, process), VISIBLE, core_set_format(&beyond, set, 32),
                    cores - 1);
    finding_evidence(report, finding, "this instance has %u logical cores (0-%u) as it counts them",
                     cores, cores - 1);
    finding_remedy(report, finding,
                   "Cores are counted over the instance from 0 on, logical ones where LNC is 2; "
                   "neutop cores lists them.");
}

static void not_contiguous(struct report *report, const struct process *process,
                           const struct core_set *visible)
{
    char who[NAME_TEXT], set[NAME_TEXT];
    struct finding *finding = invalid_finding(report, process, VISIBLE, process->visible_cores);
    finding_summary(report, finding, "%s: %s: NC %s are not contiguous", name_process(who, process),
                    VISIBLE, core_set_format(visible, set, 32));
    finding_remedy(report, finding,
                   "The runtime takes only cores without a gap: neutop cores --free %u finds some.",
                   core_set_count(visible));
}

static void check_visible(struct report *report, const struct process *process)
{
    const struct host *host = report->host;
    struct core_set visible;
    struct core_set_error error;
    unsigned cores = host->chip_count * per_chip(host, process);
    if (!core_set_parse(&visible, process->visible_cores, &error))
        bad_grammar(report, process, &error);
    else if (cores > 0 && core_set_next(&visible, cores) >= 0)
        out_of_range(report, process, cores, &visible);
    else if (!core_set_contiguous(&visible))
        not_contiguous(report, process, &visible);
}

// NEURON_RT_NUM_CORES counts only where no cores are named.
static void check_number(struct report *report, const struct process *process)
{
    const struct host *host = report->host;
    const struct generation *gen = host->hardware.generation;
    char *end, who[NAME_TEXT], text[NAME_TEXT], what[160] = "";
    unsigned a_chip = per_chip(host, process), lnc = lnc_of(host, process);
    const char *value = process->num_cores;
    unsigned long wanted = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end != '\0')
        snprintf(what, sizeof(what), "this is no number of cores");
    else if (a_chip > 0 && host->chip_count > 0 &&
             wanted > (unsigned long)host->chip_count * a_chip)
        snprintf(what, sizeof(what), "there are only %u logical cores here (%u chip%s of %u)",
                 host->chip_count * a_chip, host->chip_count, host->chip_count == 1 ? "" : "s",
                 a_chip);
    else if (gen != NULL && gen->lnc_max > 1 && lnc != 0 && wanted > 1 && wanted % a_chip != 0)
        snprintf(what, sizeof(what), "on %s it is one core or whole chips of %u", gen->chip,
                 a_chip);
    if (what[0] == '\0')
        return;
    struct finding *finding = invalid_finding(report, process, NUMBER, value);
    finding_summary(report, finding, "%s: %s=%s: %s", name_process(who, process), NUMBER,
                    value_text(text, value), what);
    finding_remedy(report, finding,
                   "Ask for one core or for whole chips, or name the cores with %s.", VISIBLE);
}

void rule_visible_cores(struct report *report)
{
    const struct host *host = report->host;
    const struct process *told[RULE_FINDINGS_MAX];
    size_t count = 0;
    judge_given_devices(report);
    for (unsigned i = 0; i < host->process_count && report->rule_count < RULE_FINDINGS_MAX; i++) {
        const struct process *process = &host->processes[i];
        const size_t before = report->rule_count;
        if (told_before(report, told, count, process))
            continue;
        if (process->visible_cores != NULL)
            check_visible(report, process);
        else if (process->num_cores != NULL)
            check_number(report, process);
        if (report->rule_count > before)
            told[count++] = process;
    }
}

static bool in_one_container(const struct process *a, const struct process *b)
{
    if (a->container_id != NULL && b->container_id != NULL)
        return strcmp(a->container_id, b->container_id) == 0; // names are not unique
    return same_text(a->container, b->container);
}

static bool is_child_of(const struct process *child, const struct process *parent)
{
    return known_u64(child->ppid) && known_u64(parent->pid) &&
           child->ppid.value == parent->pid.value;
}

// Both are seen to hold other cores: what stood in the environment is not what they use.
static bool hold_others(const struct process *a, const struct process *b)
{
    if (!core_set_empty(&a->chips) && !core_set_empty(&b->chips) &&
        !core_set_intersects(&a->chips, &b->chips))
        return true;
    return a->certainty == CERTAINTY_EXACT && b->certainty == CERTAINTY_EXACT &&
           !core_set_empty(&a->cores) && !core_set_empty(&b->cores) &&
           !core_set_intersects(&a->cores, &b->cores);
}

// A process that asks for cores.
struct asker {
    const struct process *process;
    const struct job *started_with; // NULL: by nobody who started others too
    struct core_set cores;
};

// The cores that both ask for. In two containers the same number may be two cores.
static bool overlap(const struct host *host, const struct asker *a, const struct asker *b,
                    struct core_set *both)
{
    core_set_clear(both);
    if (!core_set_intersects(&a->cores, &b->cores) ||
        (a->started_with != NULL && a->started_with == b->started_with) ||
        is_child_of(a->process, b->process) || is_child_of(b->process, a->process) ||
        !in_one_container(a->process, b->process) ||
        lnc_of(host, a->process) != lnc_of(host, b->process) || hold_others(a->process, b->process))
        return false;
    for (int i = core_set_next(&a->cores, 0); i >= 0; i = core_set_next(&a->cores, (unsigned)i + 1))
        if (core_set_has(&b->cores, (unsigned)i))
            core_set_add(both, (unsigned)i);
    return !core_set_empty(both);
}

static void asker_evidence(struct report *report, struct finding *finding,
                           const struct process *process)
{
    char who[NAME_TEXT], value[NAME_TEXT], held[NAME_TEXT];
    finding_evidence(report, finding, "%s: %s=%s at its start, holds %s%s%s",
                     name_process(who, process), VISIBLE, value_text(value, process->visible_cores),
                     core_set_empty(&process->cores) && core_set_empty(&process->chips)
                         ? "none"
                         : name_held(held, sizeof(held), &process->cores, &process->chips),
                     process->user != NULL ? ", user " : "",
                     process->user != NULL ? process->user : "");
}

static bool has_earlier(const struct host *host, const struct asker *askers, unsigned index)
{
    struct core_set both;
    for (unsigned i = 0; i < index; i++)
        if (overlap(host, &askers[i], &askers[index], &both))
            return true;
    return false;
}

static void overlap_finding(struct report *report, const struct asker *askers,
                            unsigned askers_count, unsigned index)
{
    const struct host *host = report->host;
    const struct process *first = askers[index].process, *second = NULL;
    struct finding *finding = NULL;
    struct core_set all, both;
    char one[NAME_TEXT], other[NAME_TEXT], set[NAME_TEXT], more[32] = "";
    unsigned count = 0, shown = 0;
    core_set_clear(&all);
    for (unsigned i = index + 1; i < askers_count; i++) {
        if (!overlap(host, &askers[index], &askers[i], &both))
            continue;
        if (count++ == 0) {
            second = askers[i].process;
            finding = report_add(report, SEVERITY_WARNING);
            asker_evidence(report, finding, first);
        }
        core_set_union(&all, &both);
        if (evidence_room(finding)) {
            asker_evidence(report, finding, askers[i].process);
            shown++;
        }
    }
    if (finding == NULL)
        return;
    evidence_more(report, finding, count - shown, "processes");
    if (count > 1)
        snprintf(more, sizeof(more), " and %u more", count - 1);
    core_set_format(&all, set, 32);
    finding_subject(report, finding, "NC %s", set);
    finding_summary(report, finding, "NC %s asked for by %s and %s%s", set,
                    name_process(one, first), name_process(other, second), more);
    finding_remedy(report, finding,
                   "Only one process can have a core. Give each its own with %s; neutop cores "
                   "--free N finds free ones.",
                   VISIBLE);
}

// Everyone who asks for cores. Workers of one launcher have one environment, whatever each takes.
static struct asker *find_askers(const struct report *report, unsigned *count)
{
    const struct host *host = report->host;
    struct asker *askers = NULL;
    *count = 0;
    for (unsigned i = 0; i < host->process_count; i++) {
        const struct process *process = &host->processes[i];
        const struct job *job = job_of(report, process);
        struct core_set cores;
        if (process->visible_cores == NULL || !core_set_parse(&cores, process->visible_cores, NULL))
            continue;
        if (askers == NULL)
            askers = ARENA_ARRAY(host->arena, host->process_count - i, struct asker);
        askers[(*count)++] = (struct asker){
            .process = process, .started_with = job_by_start(job) ? job : NULL, .cores = cores};
    }
    return askers;
}

// The cores that are asked for by more than one, not counting those who were started together:
// without these there is no pair to look for.
static struct core_set contested_cores(const struct asker *askers, unsigned count)
{
    struct core_set contested;
    unsigned first[CORE_SET_MAX] = {0}; // the first asker of each core, counted from 1
    core_set_clear(&contested);
    for (unsigned i = 0; i < count; i++)
        for (int core = core_set_next(&askers[i].cores, 0); core >= 0;
             core = core_set_next(&askers[i].cores, (unsigned)core + 1)) {
            const struct job *with = first[core] == 0 ? NULL : askers[first[core] - 1].started_with;
            if (first[core] == 0)
                first[core] = i + 1;
            else if (with == NULL || with != askers[i].started_with)
                core_set_add(&contested, (unsigned)core);
        }
    return contested;
}

void rule_cores_overlap(struct report *report)
{
    unsigned count;
    const struct asker *askers = find_askers(report, &count);
    if (count < 2)
        return;
    const struct core_set contested = contested_cores(askers, count);
    for (unsigned i = 0; i < count && report->rule_count < RULE_FINDINGS_MAX; i++)
        if (core_set_intersects(&askers[i].cores, &contested) &&
            !has_earlier(report->host, askers, i))
            overlap_finding(report, askers, count, i);
}
