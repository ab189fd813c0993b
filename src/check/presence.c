// SPDX-License-Identifier: Apache-2.0
// Why there is no device: one line a cause, in the order of field case F-14 (also F-13 and F-27).
#include <stdio.h>

#include "check/versions.h"

static bool is(struct fact_u64 fact, uint64_t value)
{
    return known_u64(fact) && fact.value == value;
}

static bool some(struct fact_u64 fact)
{
    return known_u64(fact) && fact.value > 0;
}

static void count_evidence(struct report *report, struct finding *finding, struct fact_u64 count,
                           const char *what)
{
    if (known_u64(count))
        finding_evidence(report, finding, "%s: %llu", what, (unsigned long long)count.value);
}

void rule_not_neuron(struct report *report)
{
    const struct host *host = report->host;
    const struct presence *presence = &host->presence;
    if (!is(presence->pci_functions, 0) || some(presence->module_loaded) || some(presence->nodes) ||
        some(presence->devices) || host->chip_count > 0)
        return;
    struct finding *finding = report_add(report, SEVERITY_WARNING);
    finding_subject(report, finding, "host");
    finding_summary(report, finding, "this is not a Neuron instance");
    finding_evidence(report, finding, "no Neuron chip among the PCI devices%s%s",
                     host->instance.type != NULL ? " of this " : "",
                     host->instance.type != NULL ? host->instance.type : "");
    finding_evidence(report, finding, "the Neuron driver is not loaded%s%s",
                     host->versions.driver_installed != NULL ? ", installed is " : "",
                     host->versions.driver_installed != NULL ? host->versions.driver_installed
                                                             : "");
    finding_remedy(report, finding, "Use an inf1, inf2, trn1, trn2 or trn3 instance.");
}

static const char *no_driver_remedy(const struct host *host)
{
    bool no_module = is(host->presence.module_files, 0);
    if (host->versions.driver_installed == NULL && !some(host->presence.module_files))
        return "On the host, not in a container: install the kernel's headers "
               "(linux-headers-$(uname "
               "-r), or kernel-devel-$(uname -r)) and aws-neuronx-dkms, then: sudo modprobe neuron";
    if (no_module)
        return "Install the headers of the running kernel (linux-headers-$(uname -r), or "
               "kernel-devel-$(uname -r)), then: sudo dkms autoinstall && sudo modprobe neuron; "
               "see "
               "dkms status";
    return "sudo modprobe neuron; when that fails: sudo dmesg | tail";
}

void rule_no_driver(struct report *report)
{
    const struct host *host = report->host;
    const struct presence *presence = &host->presence;
    bool chips = some(presence->pci_functions);
    bool perhaps = !known_u64(presence->pci_functions) &&
                   (host->versions.driver_installed != NULL || some(presence->nodes));
    if (!is(presence->module_loaded, 0) || (!chips && !perhaps))
        return;
    bool no_module = is(presence->module_files, 0);
    struct finding *finding = report_add(report, SEVERITY_CRITICAL);
    finding_subject(report, finding, "driver");
    if (no_module && host->machine.kernel != NULL)
        finding_summary(report, finding,
                        "the driver is not loaded: no module for running kernel %s",
                        host->machine.kernel);
    else
        finding_summary(report, finding, "the driver is not loaded");
    count_evidence(report, finding, presence->pci_functions, "Neuron chips on the PCI bus");
    if (host->machine.kernel != NULL)
        finding_evidence(report, finding, "running kernel %s%s", host->machine.kernel,
                         no_module                      ? ": /lib/modules has no neuron.ko for it"
                         : some(presence->module_files) ? ": /lib/modules has neuron.ko for it"
                                                        : "");
    if (host->versions.driver_installed != NULL)
        finding_evidence(
            report, finding, "driver %s is installed, by %s", host->versions.driver_installed,
            host->versions.driver_installed_from != NULL ? host->versions.driver_installed_from
                                                         : "a package");
    else if (host->versions.driver_installed_trouble != NULL)
        finding_evidence(report, finding, "its version is not known: %s",
                         host->versions.driver_installed_trouble);
    else
        finding_evidence(report, finding, "no driver is installed here");
    finding_remedy(report, finding, "%s", no_driver_remedy(host));
}

// The driver has devices, but nobody can open them from here.
static void not_mapped(struct report *report)
{
    const struct presence *presence = &report->host->presence;
    struct finding *finding = report_add(report, SEVERITY_CRITICAL);
    finding_subject(report, finding, "device");
    finding_summary(report, finding, "no Neuron device is mapped here");
    count_evidence(report, finding, presence->devices, "devices of the driver");
    finding_evidence(report, finding, "no /dev/neuron* here");
    finding_remedy(report, finding,
                   "In a container: start it with --device=/dev/neuron0 (one for each chip), or by "
                   "the Kubernetes resource aws.amazon.com/neuron. On the host: see udev and "
                   "sudo dmesg.");
}

void rule_no_device(struct report *report)
{
    const struct host *host = report->host;
    const struct presence *presence = &host->presence;
    if (!is(presence->module_loaded, 1) || !known_u64(presence->devices))
        return;
    if (presence->devices.value > 0 && is(presence->nodes, 0)) {
        not_mapped(report);
        return;
    }
    if (presence->devices.value > 0 || host->chip_count > 0)
        return;
    struct finding *finding = report_add(report, SEVERITY_CRITICAL);
    finding_subject(report, finding, "device");
    finding_summary(report, finding, "the driver is loaded, but has no device");
    if (host->versions.driver != NULL)
        finding_evidence(report, finding, "driver %s is loaded", host->versions.driver);
    count_evidence(report, finding, presence->pci_functions, "Neuron chips on the PCI bus");
    finding_evidence(report, finding, "the driver has no device in /sys/class/neuron_device");
    if (driver_lost_inf1(host, host->versions.driver)) {
        finding_evidence(report, finding,
                         "driver 2.25 and newer have lost Inferentia (inf1); its last line is 2.24 "
                         "(announcement of 2026-03-12)");
        finding_remedy(report, finding,
                       "Install the last driver for it and pin it: sudo apt-get install "
                       "aws-neuronx-dkms=2.24.* (dnf: aws-neuronx-dkms-2.24.*), then reboot.");
        return;
    }
    finding_remedy(report, finding,
                   "See what the driver says: sudo dmesg | grep -i neuron. A driver may be too old "
                   "or too new for the chip.");
}
