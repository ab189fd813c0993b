// SPDX-License-Identifier: Apache-2.0
// Chips that are held by someone who cannot be seen from here: another container, or rights that
// are missing (field case F-06).
#include <stdio.h>

#include "check/rule.h"
#include "host/units.h"

static unsigned unseen_chips(const struct host *host, struct core_set *chips)
{
    core_set_clear(chips);
    for (unsigned i = 0; i < host->chip_count; i++)
        if (host->chips[i].held_unseen && !host->chips[i].unselected)
            core_set_add(chips, host->chips[i].index);
    return core_set_count(chips);
}

static void chip_evidence(struct report *report, struct finding *finding, unsigned count)
{
    const struct host *host = report->host;
    char memory[UNIT_TEXT];
    unsigned shown = 0;
    for (unsigned i = 0; i < host->chip_count; i++) {
        const struct chip *chip = &host->chips[i];
        struct fact_u64 used = {0};
        if (!chip->held_unseen || chip->unselected || !evidence_room(finding))
            continue;
        for (unsigned j = 0; j < chip->core_count; j++)
            fact_add(&used, host->cores[chip->core_first + j].memory_used_bytes);
        finding_evidence(report, finding,
                         "chip %u: %s of %s in use, and no process seen has it open", chip->index,
                         unit_bytes(memory, sizeof(memory), used), host_memory_word(host));
        shown++;
    }
    evidence_more(report, finding, count - shown, "chips");
}

// The use count alone may also count what no process holds, such as memory that a network card has
// registered: no more than a hint.
void rule_holder_unseen(struct report *report)
{
    const struct host *host = report->host;
    struct core_set chips;
    char names[NAME_TEXT];
    unsigned count = unseen_chips(host, &chips);
    unsigned long long handles = host->unseen_handles.value;
    if (count == 0 && handles == 0)
        return;
    struct finding *finding = report_add(report, count > 0 ? SEVERITY_WARNING : SEVERITY_INFO);
    if (count > 0) {
        char set[NAME_TEXT];
        snprintf(names, sizeof(names), "chip%s %s", count == 1 ? "" : "s",
                 core_set_format(&chips, set, 48));
        finding_subject(report, finding, "%s", names);
        finding_summary(report, finding, "%s held by someone not visible from here", names);
    } else {
        finding_subject(report, finding, "driver");
        finding_summary(report, finding,
                        "%llu open handle%s of devices by someone not visible from here", handles,
                        handles == 1 ? "" : "s");
    }
    if (handles > 0)
        finding_evidence(
            report, finding,
            "the driver's use count tells of at least %llu open handle%s more than the "
            "processes seen have",
            handles, handles == 1 ? "" : "s");
    chip_evidence(report, finding, count);
    finding_remedy(report, finding,
                   "Run neutop on the host itself, outside containers, as root: it may be another "
                   "container or another user.");
}
