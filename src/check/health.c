// SPDX-License-Identifier: Apache-2.0
// What the hardware says of itself: memory errors and the driver's verdict on a chip (field case
// F-20).
#include <stdio.h>
#include <string.h>

#include "check/rule.h"
#include "host/core_set.h"
#include "host/units.h"

static bool above_zero(struct fact_u64 count)
{
    return current_u64(count) && count.value > 0;
}

static bool chip_uncorrected(const struct chip *chip)
{
    return !chip->unselected &&
           (above_zero(chip->ecc.mem_uncorrected) || above_zero(chip->ecc.sram_uncorrected));
}

static bool chip_repairable(const struct chip *chip)
{
    return !chip->unselected && above_zero(chip->ecc.mem_repairable);
}

static bool chip_unhealthy(const struct chip *chip)
{
    return !chip->unselected && chip->health == HEALTH_UNHEALTHY;
}

// "chip 3" or "chips 3,7-9" for all chips that HIT says; returns their number.
static unsigned chips_name(char *buffer, size_t size, const struct host *host,
                           bool (*hit)(const struct chip *chip))
{
    struct core_set set;
    char list[UNIT_TEXT * 2];
    core_set_clear(&set);
    for (unsigned c = 0; c < host->chip_count; c++)
        if (hit(&host->chips[c]))
            core_set_add(&set, host->chips[c].index);
    unsigned count = core_set_count(&set);
    snprintf(buffer, size, "%s %s", count == 1 ? "chip" : "chips",
             core_set_format(&set, list, sizeof(list)));
    return count;
}

static void ecc_evidence(struct report *report, struct finding *finding, const struct chip *chip)
{
    char mem[UNIT_TEXT], sram[UNIT_TEXT];
    const struct ecc *ecc = &chip->ecc;
    finding_evidence(report, finding, "chip %u: %s uncorrected %s, SRAM uncorrected %s%s",
                     chip->index, host_memory_word(report->host),
                     unit_count(mem, sizeof(mem), ecc->mem_uncorrected),
                     unit_count(sram, sizeof(sram), ecc->sram_uncorrected),
                     ecc->increased ? ", growing since the previous report" : "");
}

void rule_ecc_uncorrected(struct report *report)
{
    const struct host *host = report->host;
    char name[NAME_TEXT];
    bool growing = false;
    unsigned shown = 0, count = chips_name(name, sizeof(name), host, chip_uncorrected);
    if (count == 0)
        return;
    struct finding *finding = report_add(report, SEVERITY_CRITICAL);
    for (unsigned c = 0; c < host->chip_count; c++) {
        if (!chip_uncorrected(&host->chips[c]))
            continue;
        growing = growing || host->chips[c].ecc.increased;
        if (evidence_room(finding)) {
            ecc_evidence(report, finding, &host->chips[c]);
            shown++;
        }
    }
    evidence_more(report, finding, count - shown, "chips");
    finding_subject(report, finding, "%s", name);
    finding_summary(report, finding, "%s: uncorrected memory errors%s", name,
                    growing ? ", still growing" : "");
    finding_remedy(
        report, finding,
        "Results on %s cannot be trusted: stop the jobs there and replace the instance (stop and "
        "start it, or terminate it). `sudo dmesg | grep NEURON_HW_ERR` shows the action AWS "
        "advises.",
        count == 1 ? "this chip" : "these chips");
}

void rule_ecc_repairable(struct report *report)
{
    const struct host *host = report->host;
    char name[NAME_TEXT], number[UNIT_TEXT];
    unsigned shown = 0, count = chips_name(name, sizeof(name), host, chip_repairable);
    if (count == 0)
        return;
    struct finding *finding = report_add(report, SEVERITY_WARNING);
    for (unsigned c = 0; c < host->chip_count && evidence_room(finding); c++) {
        const struct chip *chip = &host->chips[c];
        if (!chip_repairable(chip))
            continue;
        finding_evidence(report, finding, "chip %u: %s repairable uncorrected %s", chip->index,
                         host_memory_word(host),
                         unit_count(number, sizeof(number), chip->ecc.mem_repairable));
        shown++;
    }
    evidence_more(report, finding, count - shown, "chips");
    finding_subject(report, finding, "%s", name);
    finding_summary(report, finding, "%s: memory errors that a driver reload repairs", name);
    finding_remedy(report, finding,
                   "Stop the jobs, then reload the driver (sudo rmmod neuron && sudo modprobe "
                   "neuron) or reboot: the bad "
                   "row is replaced on the way.");
}

// Unhealthy for its HBM alone, whose errors a reload of the driver repairs (driver reference 2.10).
static bool repair_explains(const struct chip *chip)
{
    return chip_repairable(chip) && !chip_uncorrected(chip) && chip->health_detail != NULL &&
           strcmp(chip->health_detail, "hbm") == 0;
}

static bool unhealthy_beyond_repair(const struct chip *chip)
{
    return chip_unhealthy(chip) && !repair_explains(chip);
}

void rule_chip_unhealthy(struct report *report)
{
    const struct host *host = report->host;
    char name[NAME_TEXT], other[NAME_TEXT];
    unsigned shown = 0, count = chips_name(name, sizeof(name), host, chip_unhealthy);
    if (count == 0)
        return;
    bool beyond = chips_name(other, sizeof(other), host, unhealthy_beyond_repair) > 0;
    struct finding *finding = report_add(report, beyond ? SEVERITY_CRITICAL : SEVERITY_WARNING);
    for (unsigned c = 0; c < host->chip_count && evidence_room(finding); c++) {
        const struct chip *chip = &host->chips[c];
        if (!chip_unhealthy(chip))
            continue;
        finding_evidence(report, finding, "chip %u: %s", chip->index,
                         chip->health_detail != NULL ? chip->health_detail
                                                     : "the driver calls it unhealthy");
        shown++;
    }
    evidence_more(report, finding, count - shown, "chips");
    finding_subject(report, finding, "%s", name);
    finding_summary(report, finding, "%s: unhealthy", name);
    if (!beyond)
        finding_remedy(report, finding,
                       "Its memory errors are such as a reload of the driver repairs: stop the "
                       "jobs, then reload it (sudo rmmod neuron && sudo modprobe neuron) or "
                       "reboot.");
    else
        finding_remedy(
            report, finding,
            "Move the jobs off, then look for NEURON_HW_ERR in `sudo dmesg`: its action= "
            "says whether to reload the "
            "driver or to replace the instance.");
}
