// SPDX-License-Identifier: Apache-2.0
// Messages of packages: the driver's module being built, loaded, unloaded (field cases I, F-02).
#include "joblog/steps.h"

const struct message messages_setup[] = {
    {.id = "module-build-failed",
     .summary = "The driver[ {version}] was not built for kernel {kernel}",
     .meaning =
         "dkms could not compile the module: headers of that kernel are missing, or the driver "
         "is too old for it.",
     .remedy =
         "Install the headers of the running kernel (linux-headers-$(uname -r) or "
         "kernel-devel), or a newer aws-neuronx-dkms. Not in a container: it uses the host's.",
     .facts = FACTS_KERNEL | FACTS_VERSIONS,
     .key = (uint64_t)1 << CAPTURE_KERNEL,
     .accept = accept_build,
     .spelling = {{"Bad return status for module build on kernel: ",
                   "%w",
                   {CAPTURE_KERNEL},
                   NULL,
                   0,
                   "log"},
                  {"Your kernel headers for kernel ",
                   "%w cannot be found",
                   {CAPTURE_KERNEL},
                   NULL,
                   0,
                   "inf"}}},
    {.id = "module-in-use",
     .summary = "The driver cannot be unloaded: something has it open",
     .meaning = "Every open /dev/neuron* pins the module: jobs, notebooks, and monitoring tools as "
                "neuron-top and neuron-monitor.",
     .remedy =
         "End what has a device open (sudo fuser -v /dev/neuron* names it), then unload again; or "
         "reboot. Until then the old driver stays loaded, whatever modinfo says.",
     .facts = FACTS_HOLDERS | FACTS_VERSIONS,
     .spelling = {{"Cannot unload neuron module - it is currently in use", "", {0}, NULL, 0, "doc"},
                  {"Module neuron is in use", "", {0}, NULL, 0, "inf"}}},
    {.id = "module-unload-hint",
     .role = ROLE_REMARK,
     .summary = "A package step tries to unload the driver",
     .meaning = "The package manager replaces the module.",
     .remedy = "",
     .absorbed_by = "module-in-use",
     .spelling =
         {{"Neuron module is currently loaded. Attempting to unload", "", {0}, NULL, 0, "doc"},
          {"Please stop all processes using the neuron module", "", {0}, NULL, 0, "doc"}}},
    {.id = "module-not-found",
     .summary = "There is no driver module for the running kernel[ {kernel}]",
     .meaning = "The driver is not installed, or was built for another kernel.",
     .remedy = "Install the headers of the running kernel, then install aws-neuronx-dkms again.",
     .facts = FACTS_KERNEL | FACTS_ABSENCE,
     .spelling = {{"Module neuron not found in directory ",
                   "/lib/modules/%w",
                   {CAPTURE_KERNEL},
                   NULL,
                   0,
                   "inf"}}},
    {.id = "package-retired",
     .summary = "The package aws-neuron-dkms is retired",
     .meaning = "The driver's package is now called aws-neuronx-dkms.",
     .remedy = "Install aws-neuronx-dkms.",
     .spelling = {{"Unable to locate package aws-neuron-dkms", "", {0}, NULL, 0, "inf"},
                  {"No package aws-neuron-dkms available", "", {0}, NULL, 0, "inf"}}},
    {.id = "module-on-disk",
     .role = ROLE_REMARK,
     .summary = "modinfo: the module on disk is[ {version}][ for kernel {kernel}]",
     .meaning =
         "modinfo reads the file, not the kernel. After an update the old driver stays loaded "
         "until the module is reloaded.",
     .remedy = "Compare with the driver that is loaded: /sys/module/neuron/version.",
     .facts = FACTS_VERSIONS | FACTS_HOLDERS | FACTS_KERNEL,
     .key = (uint64_t)1 << CAPTURE_FILE,
     .after = after_modinfo,
     .spelling = {{"/lib/modules/", "%t/%*/neuron.ko", {CAPTURE_KERNEL}, "filename:", 0, "log"}}},
    {0},
};
