// SPDX-License-Identifier: Apache-2.0
// Messages about executions: timeouts, hangs, statuses, collectives (versions and NEFF reference,
// section 4; field cases T, C).
#include "joblog/steps.h"

const struct message messages_run[] = {
    {.id = "execution-timeout",
     .summary = "An execution on chip {chip} NC {core} did not end within {limit_milliseconds} ms"
                "[, model {model}]",
     .meaning =
         "The core hangs, waits for another worker, or the graph is longer than the limit. Its "
         "state is undefined after that.",
     .remedy =
         "Look for an earlier error here and on the other workers. If the graph is that long, "
         "raise NEURON_RT_EXEC_TIMEOUT (seconds). If it comes back at once, reload the driver.",
     .facts = FACTS_USE | FACTS_HEALTH,
     .key = (uint64_t)1 << CAPTURE_LIMIT,
     .spelling = {{"inference timeout (",
                   "%d ms)[ on Neuron Device %d NC %d][,~model %w]",
                   {CAPTURE_LIMIT, CAPTURE_CHIP, CAPTURE_CORE, CAPTURE_MODEL},
                   NULL,
                   SPELLING_NEEDS_PLACE,
                   "doc"},
                  {"execution timeout (",
                   "%d ms)[ on Neuron Device %d NC %d][,][ on][ model %w]",
                   {CAPTURE_LIMIT, CAPTURE_CHIP, CAPTURE_CORE, CAPTURE_MODEL},
                   NULL,
                   SPELLING_NEEDS_PLACE,
                   "doc"}}},
    {.id = "completion-missing",
     .role = ROLE_FOLLOWS,
     .summary = "The notice that an execution has ended did not come",
     .meaning = "What a timeout looks like from inside the runtime.",
     .remedy = "See the timeout.",
     .facts = FACTS_USE,
     .absorbed_by = "execution-timeout",
     .spelling = {{"Missing infer_status notification", "", {0}, NULL, SPELLING_PLACE, "doc"}}},
    {.id = "undefined-state",
     .summary = "The runtime is in an undefined state[ on chip {chip}][ NC {core}]",
     .meaning = "After this error nothing that the process still computes can be relied on.",
     .remedy =
         "Start the process again; the rest of the line and the kernel log say what happened.",
     .facts = FACTS_HEALTH,
     .spelling =
         {{"(FATAL-RT-UNDEFINED-STATE)", "", {0}, NULL, SPELLING_GENERAL | SPELLING_PLACE, "doc"}}},
    {.id = "execution-status",
     .role = ROLE_FOLLOWS,
     .summary = "An execution ended with status {status}[ {status_name}][ (cores: {cores} from "
                "{start_core})]",
     .meaning = "The status says how the execution ended.",
     .remedy = "",
     .key = (uint64_t)1 << CAPTURE_STATUS,
     .accept = accept_status,
     .spelling = {{"Inference completed with err: ",
                   "%d[.~mode->h_nn=%*start_nc=%d,~nc_count=%d]",
                   {CAPTURE_STATUS, CAPTURE_START_CORE, CAPTURE_CORES},
                   NULL,
                   0,
                   "log"}}},
    {.id = "status",
     .role = ROLE_FOLLOWS,
     .summary = "Status {status_name}[ ({status})][ in {call}()]",
     .meaning = "The status says how a call of the runtime ended.",
     .remedy = "",
     .key = (uint64_t)1 << CAPTURE_STATUS | (uint64_t)1 << CAPTURE_STATUS_NAME |
            (uint64_t)1 << CAPTURE_CALL,
     .accept = accept_status_name,
     // a name without a number is found in the table; a number in brackets is kept as it is given
     .spelling =
         {{"NRT_", "%w", {CAPTURE_STATUS_NAME}, NULL, SPELLING_WORD | SPELLING_GENERAL, "doc"},
          {"nrt_",
           "%w[ failed][ with] status[ code][=][:]~%d",
           {CAPTURE_CALL, CAPTURE_STATUS},
           NULL,
           SPELLING_WORD | SPELLING_GENERAL,
           "inf"}}},
    {.id = "collectives-hang",
     .role = ROLE_WAITS,
     .summary = "Hung in collective operation {operation} of {operations}[ on chip {chip}][ NC "
                "{core}][, model {model}]",
     .meaning = "This core waits for the others in a collective operation. The cause is most often "
                "on another worker.",
     .remedy = "Look for the first error on the other workers, then start all of them again.",
     .facts = FACTS_USE,
     .key = (uint64_t)1 << CAPTURE_OPERATION,
     .spelling = {{"missing collectives status on Neuron Device ",
                   "%d NC %d[,~model %w][~-~suspected hang in collectives operation %d out of %d]",
                   {CAPTURE_CHIP, CAPTURE_CORE, CAPTURE_MODEL, CAPTURE_OPERATION,
                    CAPTURE_OPERATIONS},
                   NULL,
                   0,
                   "doc"}}},
    {.id = "many-notifications",
     .role = ROLE_REMARK,
     .summary = "{count} error notifications on chip {chip} NC {core}",
     .meaning =
         "An unusually large number: it costs speed, and tells of NaN or overflow in the model.",
     .remedy =
         "Check the numbers of the model; NEURON_RT_ENABLE_DGE_NOTIFICATIONS=0 stops an overflow "
         "of the queue.",
     .facts = FACTS_USE,
     .spelling = {{"unusually large number of error notifications (count:",
                   "~%d)",
                   {CAPTURE_COUNT},
                   NULL,
                   SPELLING_PLACE,
                   "doc"}}},
    {.id = "peer-wait",
     .role = ROLE_WAITS,
     .summary = "A worker waits for another one[ ({seconds} s so far)]",
     .meaning =
         "Not fatal: it tries again. Most often one worker compiles a graph while the others "
         "wait.",
     .remedy = "Wait, and look for a compiler on the other ranks (neuronx-cc). Compile first with "
               "neuron_parallel_compile.",
     .facts = FACTS_USE,
     .spelling = {{"Timeout waiting for RX (waited ",
                   "%d sec) - retrying",
                   {CAPTURE_SECONDS},
                   NULL,
                   0,
                   "doc"},
                  {"Timeout waiting for incoming connection", "", {0}, NULL, 0, "doc"}}},
    {.id = "open-files",
     .summary = "Too many open files",
     .meaning = "The process may not open more sockets: each pair of ranks needs some.",
     .remedy = "Raise the limit before the job starts: ulimit -n 65535; LimitNOFILE= in a systemd "
               "unit.",
     .spelling = {{"Call to accept failed : Too many open files", "", {0}, NULL, 0, "doc"},
                  {"Call to socket failed : Too many open files", "", {0}, NULL, 0, "inf"}}},
    {.id = "efa-absent",
     .summary = "The network plug-in (OFI) did not start: is EFA there?",
     .meaning = "Several instances are to work together and the fast network could not be used.",
     .remedy =
         "Use an instance and security group with EFA, install the EFA driver; in a container "
         "map /dev/infiniband. On a kernel before 5.15 set FI_EFA_FORK_SAFE=1.",
     .facts = FACTS_KERNEL,
     .spelling = {{"OFI plugin initNet() failed", "", {0}, NULL, 0, "doc"}}},
    {0},
};
