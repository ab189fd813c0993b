// SPDX-License-Identifier: Apache-2.0
// What the driver alone cannot tell.
#include <string.h>

#include "check/rule.h"

static bool monitor_lives(const struct host *host)
{
    for (unsigned s = 0; s < host->source_count; s++)
        if (strcmp(host->sources[s].name, "monitor") == 0 &&
            (host->sources[s].state == SOURCE_LIVE || host->sources[s].state == SOURCE_STARTING))
            return true;
    return false;
}

static unsigned cores_not_live(const struct host *host)
{
    unsigned count = 0;
    for (unsigned i = 0; i < host->core_count; i++) {
        const struct core *core = &host->cores[i];
        count += core->counters != NULL && !core->counters->live &&
                 !known_f64(core->utilization_percent);
    }
    return count;
}

// Before driver 2.30 use, operations and executions are added up when a process ends (driver
// reference 2.4, field case F-17).
void rule_counters_not_live(struct report *report)
{
    const struct host *host = report->host;
    bool inf1 = host->hardware.generation != NULL && host->hardware.generation->id == GEN_INF1;
    unsigned count = cores_not_live(host);
    if (count == 0 || monitor_lives(host))
        return;
    struct finding *finding = report_add(report, SEVERITY_INFO);
    finding_subject(report, finding, "driver");
    finding_summary(report, finding, "the driver's counters of running jobs are not live%s%s",
                    host->versions.driver != NULL ? " on driver " : "",
                    host->versions.driver != NULL ? host->versions.driver : "");
    finding_evidence(report, finding, "use, FLOPS and executions of %u core%s are unknown, not 0",
                     count, count == 1 ? "" : "s");
    finding_evidence(report, finding,
                     "drivers before 2.30 add them up when a process ends; memory is live");
    if (inf1) // the last driver for it is of the 2.24 series
        finding_remedy(report, finding,
                       "Install aws-neuronx-tools: neutop then asks neuron-monitor for them.");
    else
        finding_remedy(report, finding,
                       "Install aws-neuronx-tools (neutop then asks neuron-monitor for them), or "
                       "update aws-neuronx-dkms to 2.30 or newer (SDK 2.32).");
}
