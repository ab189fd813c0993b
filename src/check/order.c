// SPDX-License-Identifier: Apache-2.0
// Core indices that may not be the runtime's: said once, with what would tell.
#include <string.h>

#include "check/rule.h"

static const struct source_status *find_source(const struct host *host, const char *name)
{
    for (unsigned s = 0; s < host->source_count; s++)
        if (strcmp(host->sources[s].name, name) == 0)
            return &host->sources[s];
    return NULL;
}

// Why the driver did not tell the order.
static void no_map_evidence(struct report *report, struct finding *finding)
{
    const struct source_status *device = find_source(report->host, "device");
    if (device != NULL && device->detail != NULL)
        finding_evidence(report, finding, "the driver's core map is not known: %s", device->detail);
    else
        finding_evidence(report, finding,
                         "the driver's core map is not known: the driver was not asked");
}

static void no_map_remedy(struct report *report, struct finding *finding)
{
    const struct source_status *device = find_source(report->host, "device");
    if (device == NULL)
        finding_remedy(report, finding,
                       "On the host itself neutop asks the driver for the order: run it there with "
                       "--source auto. Until then tell cores apart by chip.");
    else if (device->state == SOURCE_DENIED)
        finding_remedy(report, finding,
                       "Give yourself the right to open the device nodes (the node's group), or "
                       "run neutop with sudo. Until then tell cores apart by chip.");
    else
        finding_remedy(
            report, finding,
            "Compare chips, not core numbers: a core's chip is the same in both orders.");
}

static void explain(struct report *report, struct finding *finding, enum core_order order)
{
    switch (order) {
    case CORE_ORDER_NO_LNC:
        finding_evidence(report, finding,
                         "the driver's core map is known, but not whether one or "
                         "two physical cores make a logical one");
        finding_remedy(report, finding, "Compare chips, not core numbers, until a job runs.");
        break;
    case CORE_ORDER_NOT_MATCHED:
        finding_evidence(report, finding, "the driver's core map does not hold all of these cores");
        finding_remedy(report, finding,
                       "Compare chips, not core numbers, and report this with the driver version.");
        break;
    default:
        no_map_evidence(report, finding);
        no_map_remedy(report, finding);
        break;
    }
}

void rule_index_order(struct report *report)
{
    const struct host *host = report->host;
    const struct generation *gen = host->hardware.generation;
    enum core_order order = core_map_order(host);
    const struct source_status *device = find_source(host, "device");
    if (gen == NULL || order == CORE_ORDER_SAME || order == CORE_ORDER_MAPPED ||
        order == CORE_ORDER_GAPS || // visible-cores-invalid says that
        (device != NULL && device->state == SOURCE_STARTING))
        return;
    bool monitor = host->numbering == NUMBERING_MONITOR;
    struct finding *finding = report_add(report, SEVERITY_INFO);
    finding_subject(report, finding, "core index");
    finding_summary(report, finding,
                    "core numbers here are %s, not those of NEURON_RT_VISIBLE_CORES",
                    monitor ? "neuron-monitor's" : "the driver's");
    if (monitor)
        finding_evidence(report, finding,
                         "on %s neuron-monitor probably counts in physical order: a job on core 1 "
                         "of a chip was seen under number 3",
                         gen->chip);
    else
        finding_evidence(report, finding,
                         "on %s the driver counts physical cores, jobs count logical ones in "
                         "another order",
                         gen->chip);
    explain(report, finding, order);
}
