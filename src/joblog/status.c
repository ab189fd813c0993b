// SPDX-License-Identifier: Apache-2.0
// The table of NRT_STATUS.
#include "joblog/status.h"

#include <string.h>

static const struct nrt_status STATUSES[] = {
    {0, "NRT_SUCCESS", "It worked.", ""},
    {1, "NRT_FAILURE",
     "It failed, and the status says no more. Starting the runtime gives it, among other reasons, "
     "when cores are not available.",
     "Read the line before it: that one names the cause."},
    {2, "NRT_INVALID",
     "A NEFF, descriptor or tensor is not valid. Starting the runtime gives it when versions or "
     "cores "
     "do not fit.",
     "Check the NEFF (neutop neff FILE) and the versions of driver and runtime."},
    {3, "NRT_INVALID_HANDLE", "The program used a handle that is not, or no longer, valid.",
     "An error of the application or its framework: look at its own trace."},
    {4, "NRT_RESOURCE", "Device memory, rings or queues could not be allocated.",
     "Unload models, split the model over more cores, or use a larger instance; shrink the "
     "scratchpad."},
    {5, "NRT_TIMEOUT", "An execution did not end within its time limit.",
     "Look for an error on another worker. If the graph is that long, raise "
     "NEURON_RT_EXEC_TIMEOUT (seconds)."},
    {6, "NRT_HW_ERROR", "The hardware failed.",
     "Stop and start the instance, or replace it; the kernel log names the chip."},
    {7, "NRT_QUEUE_FULL", "The input queue is full.", "Let the producer wait or send less."},
    {8, NULL, "", ""},
    {9, "NRT_LOAD_NOT_ENOUGH_NC", "The NEFF wants more cores than the process holds.",
     "Give the process more cores (NEURON_RT_VISIBLE_CORES, NEURON_RT_NUM_CORES) and check LNC."},
    {10, "NRT_UNSUPPORTED_NEFF_VERSION",
     "The NEFF is newer than this runtime can read, or packed in an unknown way.",
     "Update aws-neuronx-runtime-lib, or compile again with the compiler of this SDK release."},
    {11, "NRT_FAIL_HOST_MEM_ALLOC", "The host's own memory could not be allocated.",
     "Free host memory, or load fewer models at once."},
    {12, NULL, "", ""},
    {13, "NRT_UNINITIALIZED", "A call came before nrt_init().",
     "An error of the application or its framework."},
    {14, "NRT_CLOSED", "A call came after nrt_close().",
     "An error of the application or its framework."},
    {15, "NRT_QUEUE_EMPTY", "There is nothing in the queue.",
     "Nothing to do: the caller tries again."},
    {101, "NRT_EXEC_UNIT_UNRECOVERABLE", "An execution unit is in a state that it cannot leave.",
     "Start the process again; if it comes back, reload the driver."},
    {1002, "NRT_EXEC_BAD_INPUT", "The input of an execution does not fit the model.",
     "Check names, shapes and types of the inputs."},
    {1003, "NRT_EXEC_COMPLETED_WITH_NUM_ERR", "An execution produced a NaN.",
     "Check data and learning rate. On Trn1 and Inf2 the status is known to stick once set."},
    {1004, "NRT_EXEC_COMPLETED_WITH_ERR",
     "An execution ended with an error, such as a parity error.",
     "Look at the ECC counts (neutop ls, neutop doctor); with an SRAM error replace the instance."},
    {1005, "NRT_EXEC_NC_BUSY", "The core is locked by another model or process.",
     "End the other user of the core, or let it finish."},
    {1006, "NRT_EXEC_OOB", "An indirect access went outside its bounds.",
     "Check the indices in the inputs; NEURON_RT_DBG_DUMP_INPUTS_ON_ERR=1006 writes them to a "
     "file."},
    {1100, "NRT_COLL_PENDING", "A collective operation has not ended yet.", "Wait."},
    {1200, "NRT_EXEC_HW_ERR_COLLECTIVES", "The execution is stuck in a collective operation.",
     "Look for the first error on the other workers, then start all of them again."},
    {1201, "NRT_EXEC_HW_ERR_HBM_UE", "Device memory has an error that cannot be repaired.",
     "Replace the instance: terminate it, or stop and start it."},
    {1202, "NRT_EXEC_HW_ERR_NC_UE", "On-chip memory of a core has a parity error.",
     "Replace the instance: terminate it, or stop and start it."},
    {1203, "NRT_EXEC_HW_ERR_DMA_ABORT", "A DMA engine has aborted.",
     "Replace the instance: terminate it, or stop and start it."},
    {1204, "NRT_EXEC_SW_NQ_OVERFLOW", "The notification queue has overflowed.",
     "Set NEURON_RT_ENABLE_DGE_NOTIFICATIONS=0 and start again."},
    {1205, "NRT_EXEC_HW_ERR_REPAIRABLE_HBM_UE", "Device memory has an error that can be repaired.",
     "Reload the driver or reboot: that repairs it."},
    {1206, "NRT_NETWORK_PROXY_FAILURE", "The proxy to the network (EFA) has failed.",
     "Look at EFA: driver, security group, and errors on the peers."},
};

enum { STATUS_COUNT = sizeof(STATUSES) / sizeof(STATUSES[0]) };

const struct nrt_status *nrt_status_get(uint64_t number)
{
    for (size_t i = 0; i < STATUS_COUNT; i++)
        if (STATUSES[i].number == number)
            return &STATUSES[i];
    return NULL;
}

const struct nrt_status *nrt_status_by_name(const char *name, size_t length)
{
    for (size_t i = 0; i < STATUS_COUNT; i++)
        if (STATUSES[i].name != NULL && strlen(STATUSES[i].name) == length &&
            memcmp(STATUSES[i].name, name, length) == 0)
            return &STATUSES[i];
    return NULL;
}
