// SPDX-License-Identifier: Apache-2.0
// Messages about NEFF files and the compile cache (versions and NEFF reference, sections 1.4, 1.5
// and 5).
#include "joblog/steps.h"

const struct message messages_neff[] = {
    {.id = "neff-features",
     .summary = "The NEFF needs features that this runtime does not have",
     .meaning =
         "Each bit of the NEFF's header is a feature that the runtime must know. The NEFF is "
         "newer than the runtime.",
     .remedy =
         "Update aws-neuronx-runtime-lib (and the driver), or compile again with the compiler "
         "of the SDK release that is installed. neutop neff FILE shows the needed features.",
     .facts = FACTS_VERSIONS,
     .key = (uint64_t)1 << CAPTURE_FEATURES | (uint64_t)1 << CAPTURE_SUPPORTED,
     .spelling = {{"NEFF version: ",
                   "%v, features: %x are not supported.[~Currently supporting:~%x]",
                   {CAPTURE_NEFF_VERSION, CAPTURE_FEATURES, CAPTURE_SUPPORTED},
                   NULL,
                   0,
                   "log"},
                  {"compiled by a newer compiler", "", {0}, NULL, 0, "inf"},
                  {"compiled with a newer compiler", "", {0}, NULL, 0, "inf"}}},
    {.id = "neff-version",
     .summary = "The NEFF's version is {neff_version}, the runtime reads {supported_version}",
     .meaning = "The NEFF's format is of another version than the runtime reads.",
     .remedy = "Update the runtime, or compile again with the compiler of the SDK release that is "
               "installed.",
     .facts = FACTS_VERSIONS,
     .key = (uint64_t)1 << CAPTURE_NEFF_VERSION,
     .spelling = {{"NEFF version mismatch supported: ",
                   "%v received: %v",
                   {CAPTURE_SUPPORTED_VERSION, CAPTURE_NEFF_VERSION},
                   NULL,
                   0,
                   "doc"}}},
    {.id = "neff-unsupported-version",
     .summary = "The runtime does not support the NEFF's version",
     .meaning = "The NEFF is newer than the runtime: its format, packaging or a feature that it "
                "needs is not known there.",
     .remedy = "Update aws-neuronx-runtime-lib, or compile again with the compiler of the SDK "
               "release that is installed. neutop neff FILE tells whether this host can load it.",
     .facts = FACTS_VERSIONS,
     .spelling = {{"nsupported NEFF version", "", {0}, NULL, 0, "inf"}}},
    {.id = "neff-packaging",
     .summary = "The NEFF is packed in a way that this runtime does not know[: {packaging}]",
     .meaning = "The NEFF's header names a form of packaging that is newer than the runtime, or "
                "the file is damaged.",
     .remedy = "Update aws-neuronx-runtime-lib, or compile again with the compiler of the SDK "
               "release that is installed. neutop neff FILE tells whether the file is whole.",
     .facts = FACTS_VERSIONS,
     .key = (uint64_t)1 << CAPTURE_PACKAGING,
     .spelling =
         {{"Unsupported NEFF packager", "[ version][:][ %w]", {CAPTURE_PACKAGING}, NULL, 0, "3p"}}},
    {.id = "neff-wrong-chip",
     .summary = "The NEFF is for NeuronCore v{neff_arch}, this instance has v{host_arch}",
     .meaning = "A NEFF runs only on the chip generation that it was compiled for: v2 is Trn1 and "
                "Inf2, v3 Trn2, v4 Trn3.",
     .remedy =
         "Compile for this instance (neuronx-cc --target). An older NEFF on a newer chip loads "
         "with NEURON_RT_ALLOW_LEGACY_NEFF=1 (runtime 2.25 on; for tests only).",
     .facts = FACTS_VERSIONS,
     .key = (uint64_t)1 << CAPTURE_NEFF_ARCH,
     .spelling = {{"Loading a NEFF compiled for a different arch is not allowed, NEFF arch: v",
                   "%d, instance arch: v%d",
                   {CAPTURE_NEFF_ARCH, CAPTURE_HOST_ARCH},
                   NULL,
                   0,
                   "3p"}}},
    {.id = "neff-incompatible",
     .summary = "The model does not fit this runtime",
     .meaning = "The NEFF was compiled by a compiler that is too old for this runtime.",
     .remedy = "Compile again with the compiler of the SDK release that is installed.",
     .facts = FACTS_VERSIONS,
     .spelling = {{"Attempting to load an incompatible model", "", {0}, NULL, 0, "doc"}}},
    {.id = "load-failed",
     .role = ROLE_FOLLOWS,
     .summary = "Not loaded, status {status}[ {status_name}]: {file}",
     .meaning = "The status says why the NEFF was not loaded.",
     .remedy = "",
     .key = (uint64_t)1 << CAPTURE_STATUS | (uint64_t)1 << CAPTURE_FILE,
     .accept = accept_status,
     .spelling =
         {{"Failed to load NN: ", "%t, err:~%d", {CAPTURE_FILE, CAPTURE_STATUS}, NULL, 0, "log"}}},
    {.id = "cache-lock",
     .summary = "Waiting for the compile of another process[ since {minutes} minutes]",
     .meaning =
         "A lock in the compile cache says that another process compiles this graph. The lock "
         "of a killed compile is never taken away.",
     .remedy =
         "Look whether neuronx-cc still runs on a host that shares the cache. When none does: "
         "neuron_parallel_compile --command clear-locks, or remove the .lock file.",
     .key = (uint64_t)1 << CAPTURE_FILE,
     .spelling = {{"Another process must be compiling ",
                   "%t, been waiting for: %t minutes",
                   {CAPTURE_FILE, CAPTURE_MINUTES},
                   NULL,
                   0,
                   "log"}}},
    {.id = "cache-failed",
     .summary = "An earlier failure is replayed from the compile cache[: {file}]",
     .meaning = "The cache remembers that this graph failed to compile, and fails again at once "
                "without trying.",
     .remedy =
         "Add --retry_failed_compilation to NEURON_CC_FLAGS, or remove that MODULE folder from "
         "the cache.",
     .key = (uint64_t)1 << CAPTURE_FILE,
     .spelling = {{"Got a cached failed neff", "[ at %w]", {CAPTURE_FILE}, NULL, 0, "log"}}},
    {0},
};
