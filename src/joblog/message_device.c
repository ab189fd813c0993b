// SPDX-License-Identifier: Apache-2.0
// Messages about devices that may not be opened, and tools that fail (field cases D).
#include "joblog/steps.h"

const struct message messages_device[] = {
    {.id = "no-permission",
     .summary = "No permission for /dev/neuron[{chip}]",
     .meaning = "The device is there, but this user may not open it.",
     .remedy =
         "Look at the mode of /dev/neuron* (the driver's packages make it 0666): a udev rule or "
         "the container's user changes it; or run as a user that may.",
     .facts = FACTS_ABSENCE,
     .spelling = {{"/dev/neuron", "[%d]", {CAPTURE_CHIP}, "ermission denied", 0, "doc"},
                  {"/dev/neuron", "[%d]", {CAPTURE_CHIP}, "EACCES", 0, "inf"},
                  {"insufficient permissions", "", {0}, "euron", 0, "doc"}}},
    {.id = "tool-not-found",
     .summary = "neuron-{command} was not found",
     .meaning =
         "The tools lie in /opt/aws/neuron/bin, which is not on PATH by default; some images "
         "come without them.",
     .remedy =
         "Add /opt/aws/neuron/bin to PATH, or install aws-neuronx-tools. neutop works without "
         "them.",
     .key = (uint64_t)1 << CAPTURE_COMMAND,
     .spelling =
         {{"neuron-", "%w: command not found", {CAPTURE_COMMAND}, NULL, SPELLING_WORD, "log"},
          {"neuron-", "%w: not found", {CAPTURE_COMMAND}, "sh: ", SPELLING_WORD, "inf"},
          {"command not found: neuron-", "%w", {CAPTURE_COMMAND}, NULL, 0, "inf"},
          {"No such file or directory: 'neuron-", "%w'", {CAPTURE_COMMAND}, NULL, 0, "inf"}}},
    {.id = "tools-notice",
     .role = ROLE_REMARK,
     .summary = "A notice of old tools (1.16) about changes in them",
     .meaning = "Harmless; the table follows below it.",
     .remedy = "",
     .spelling = {{"Neuron Tools have changed with Neuron ", "", {0}, NULL, 0, "log"}}},
    {0},
};
