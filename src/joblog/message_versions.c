// SPDX-License-Identifier: Apache-2.0
// Messages about driver and runtime that do not fit (versions and NEFF reference, section 4.4;
// field cases V).
#include "joblog/steps.h"

const struct message messages_versions[] = {
    {.id = "compat-id",
     .summary = "Driver and runtime do not fit[: runtime id {compat_id}]"
                "[, the driver takes {compat_min}][ to {compat_max}]",
     .meaning = "Each runtime has a compatibility id and each driver a range of ids that it takes. "
                "This id is not in the range.", // which side is old: said with the numbers
     .remedy = "",
     .facts = FACTS_VERSIONS,
     .key = (uint64_t)1 << CAPTURE_COMPAT_ID,
     .accept = accept_compat,
     .spelling = {{"Neuron Runtime (compatibility id: ",
                   "%d) is not compatible with the installed %w",
                   {CAPTURE_COMPAT_ID, CAPTURE_PACKAGE},
                   NULL,
                   0,
                   "log"},
                  {"supports Runtime compatibility id",
                   "[s][ range]:~%d[~-~%d]",
                   {CAPTURE_COMPAT_MIN, CAPTURE_COMPAT_MAX},
                   NULL,
                   0,
                   "log"}}},
    {.id = "driver-too-old",
     .summary = "The runtime wants driver {version} or newer",
     .meaning = "The driver that was loaded then is older than this runtime can use.",
     .remedy =
         "Upgrade aws-neuronx-dkms, end every process that has a device open, then: sudo rmmod "
         "neuron && sudo modprobe neuron.",
     .facts = FACTS_VERSIONS | FACTS_HOLDERS,
     .spelling =
         {{"requires Neuron Driver version ", "%v or greater", {CAPTURE_VERSION}, NULL, 0, "doc"}}},
    {.id = "driver-unreadable",
     .summary = "The runtime cannot read the driver's version",
     .meaning = "Four causes give this text: no Neuron chip, driver not loaded, device not mapped "
                "into the container, or no permission.",
     .remedy = "By cause: use a Neuron instance; install aws-neuronx-dkms on the host and load it; "
               "start the container with --device=/dev/neuron0 for each chip; fix the node's mode.",
     .facts = FACTS_ABSENCE,
     .spelling = {{"Unable to read compatible Driver version", "", {0}, NULL, 0, "log"},
                  {"Unable to determine Neuron Driver version", "", {0}, NULL, 0, "doc"}}},
    {.id = "device-access-hint",
     .summary = "The runtime asks whether /dev/neuron* can be reached",
     .meaning = "The second line of a runtime that could not read the driver's version.",
     .remedy = "See the driver's version.",
     .role = ROLE_FOLLOWS,
     .facts = FACTS_ABSENCE,
     .absorbed_by = "driver-unreadable",
     .spelling = {{"Please check /dev/neuron# is accessible", "", {0}, NULL, 0, "log"}}},
    {.id = "no-device",
     .summary = "No Neuron device is there",
     .meaning =
         "The program found no Neuron device: wrong instance type, driver not loaded, device "
         "not mapped into the container, or no permission.",
     .remedy = "By cause: use a Neuron instance; install aws-neuronx-dkms on the host and load it; "
               "start the container with --device=/dev/neuron0 for each chip; fix the node's mode.",
     .facts = FACTS_ABSENCE,
     .spelling = {{"No neuron device available", "", {0}, NULL, 0, "log"},
                  {"Failed to discover neuron devices", "", {0}, NULL, 0, "log"},
                  {"Unable to read device information from the driver", "", {0}, NULL, 0, "log"},
                  {"\"neuron_devices\":null", "", {0}, NULL, 0, "log"}}},
    {.id = "init-failed",
     .role = ROLE_FOLLOWS,
     .summary = "The devices could not be initialized: status {status}[ {status_name}]",
     .meaning = "Starting the runtime failed. The status tells what kind of error it was.",
     .remedy = "",
     .facts = FACTS_VERSIONS | FACTS_ABSENCE,
     .key = (uint64_t)1 << CAPTURE_STATUS,
     .accept = accept_status,
     .spelling =
         {{"Failed to initialize devices, error:", "~%d", {CAPTURE_STATUS}, NULL, 0, "doc"}}},
    {.id = "chip-unknown-to-runtime",
     .summary = "The runtime does not know this chip (architecture {host_arch})",
     .meaning = "The runtime was built without this chip generation: Inferentia left the runtime "
                "with 2.23, new chips need a new one.",
     .remedy = "On inf1 use a runtime before 2.23 (SDK 2.20); elsewhere update "
               "aws-neuronx-runtime-lib, also the one bundled in the framework's wheel.",
     .facts = FACTS_VERSIONS,
     .spelling = {{"Architecture not found ", "%d", {CAPTURE_HOST_ARCH}, NULL, 0, "log"}}},
    {.id = "runtime-too-old-for-neff",
     .summary = "The NEFF uses an instruction that this runtime does not know ({opcode})",
     .meaning = "The NEFF was compiled for a newer runtime or newer collectives.",
     .remedy = "Update aws-neuronx-runtime-lib and aws-neuronx-collectives to the compiler's SDK "
               "release.",
     .facts = FACTS_VERSIONS,
     .spelling = {{"Unsupported hardware operator code ", "%d", {CAPTURE_OPCODE}, NULL, 0, "doc"}}},
    {.id = "driver-too-old-for-framework",
     .summary = "A profile of the engines could not be programmed",
     .meaning = "Frameworks of SDK 2.5 or newer fail like this on a driver of 2.4 or older.",
     .remedy = "Upgrade aws-neuronx-dkms and load the new driver.",
     .facts = FACTS_VERSIONS,
     .spelling = {{"aws_hal_tpb_pooling_write_profile failed programming the engine",
                   "",
                   {0},
                   NULL,
                   0,
                   "doc"}}},
    {0},
};
