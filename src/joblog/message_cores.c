// SPDX-License-Identifier: Apache-2.0
// Messages about cores that are not to be had (versions and NEFF reference, section 4.3; field
// cases B, K, N).
#include "joblog/steps.h"

const struct message messages_cores[] = {
    {.id = "cores-not-available",
     // "Requested" is a count, or a range as nc1-nc1 or lnc0-lnc0
     .summary = "Cores not available: asked for {requested}, {available} free in a row"
                "[, core size {core_size}][, the driver said {driver_returned}]",
     .meaning = "A process holds the cores: each has one holder until that closes or dies. "
                "\"Available\" is the longest free run within what was asked for.",
     .remedy =
         "End the holder if it is left over, or ask for cores that are free: neutop cores "
         "--free N prints some for NEURON_RT_VISIBLE_CORES. A job without that variable takes "
         "every core; jobs started in the same instant can all fail.",
     .facts = FACTS_CORES,
     .key = (uint64_t)1 << CAPTURE_REQUESTED | (uint64_t)1 << CAPTURE_AVAILABLE,
     .spelling = {{"Neuron Core(s) not available - Requested:",
                   "~%w~Available:~%d[~%*Core size~][:]~[%d]~[(cores busy, ret=%i)]",
                   {CAPTURE_REQUESTED, CAPTURE_AVAILABLE, CAPTURE_CORE_SIZE, CAPTURE_RETURNED},
                   NULL,
                   0,
                   "log"},
                  {"NeuronCore(s) not available - Requested:",
                   "~%w~Available:~%d",
                   {CAPTURE_REQUESTED, CAPTURE_AVAILABLE},
                   NULL,
                   0,
                   "doc"}}},
    {.id = "cores-not-contiguous",
     .summary = "The cores asked for are not contiguous",
     .meaning = "The runtime wants one unbroken run of cores. In a container, the chips that were "
                "handed out may not be neighbours.",
     .remedy = "Ask for one run, as NEURON_RT_VISIBLE_CORES=0-7. On Kubernetes use the Neuron "
               "scheduler extension: it hands out neighbouring chips.",
     .facts = FACTS_CORES,
     .spelling = {{"Neuron cores are not contiguous", "", {0}, NULL, 0, "doc"}}},
    {.id = "cores-count-not-allowed",
     .summary = "This many cores are not given out: one, or a multiple of {cores}",
     .meaning = "On Trainium2 and 3 a job gets one logical core or whole chips of {cores}. Runtime "
                "2.30.51 miscounted with LNC=2; 2.34.10 is right.",
     .remedy = "Set NEURON_RT_NUM_CORES to 1 or to a multiple of {cores}.",
     .facts = FACTS_CORES | FACTS_LNC,
     .spelling = {{"must request one core, or the whole device",
                   "~[(multiple of %d)]",
                   {CAPTURE_CORES},
                   NULL,
                   0,
                   "log"}}},
    {.id = "chip-not-there",
     .summary = "Chip {chip} could not be opened",
     .meaning =
         "More cores were asked for than there are here, or the chip is not mapped into this "
         "container.",
     .remedy =
         "Check NEURON_RT_VISIBLE_CORES and NEURON_RT_NUM_CORES against the chips here; start "
         "the container with --device=/dev/neuronN for each chip.",
     .facts = FACTS_CORES | FACTS_ABSENCE,
     .spelling = {{"Could not open the nd", "%d", {CAPTURE_CHIP}, NULL, 0, "doc"}}},
    {.id = "cores-too-few",
     .summary = "The model wants more cores than the process has[: core {start_core}]",
     .meaning = "A part of the NEFF is for a core that this process did not get.",
     .remedy =
         "Give the process more cores (NEURON_RT_VISIBLE_CORES, NEURON_RT_NUM_CORES), and check "
         "that LNC is the same for compiler and runtime.",
     .facts = FACTS_CORES | FACTS_LNC,
     .spelling = {{"Could not find VNC id ", "%d", {CAPTURE_START_CORE}, NULL, 0, "doc"},
                  {"Failed to stage graph: ", "%t to NeuronCore", {CAPTURE_FILE}, NULL, 0, "doc"}}},
    {.id = "lnc-mismatch",
     .summary = "The logical core size (LNC) does not fit[: {what}]",
     .meaning =
         "The process and the driver, or the process and the NEFF, count different numbers of "
         "physical cores as one logical core.",
     .remedy = "Set the same LNC for compiler (--lnc) and runtime (NEURON_LOGICAL_NC_CONFIG); all "
               "processes on a chip need the same. Compile again if the NEFF has the other one.",
     .facts = FACTS_LNC | FACTS_CORES,
     .spelling = {{"Cannot start process with LNC Size of", "~%l", {CAPTURE_WHAT}, NULL, 0, "3p"},
                  {"LNC", "%*mismatch", {0}, "ERROR", SPELLING_WORD, "inf"}}},
    {.id = "topology-unsupported",
     .summary = "This number of cores cannot be joined[: supported are {what}]",
     .meaning = "Collectives run only on certain numbers of cores, by the links between the chips.",
     .remedy = "Use a number of workers that the message lists.",
     .facts = FACTS_CORES,
     .spelling = {{"Supported number of Neuron Cores is", "~%l", {CAPTURE_WHAT}, NULL, 0, "doc"}}},
    {.id = "runtime-forked",
     .summary = "The runtime was started before a fork and again in the child",
     .meaning = "A forked worker inherits the state of nrt_init() and cannot start its own.",
     .remedy = "Start workers with spawn instead of fork, or touch the Neuron device only in the "
               "workers.",
     .spelling = {{"Incompatible runtime state", "", {0}, NULL, 0, "3p"}}},
    {0},
};
