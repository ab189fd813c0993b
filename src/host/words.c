// SPDX-License-Identifier: Apache-2.0
// The words of the snapshot's enums: the same on the screen, in text and in JSON.
#include "host/host.h"

#include <stdio.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

// The word at INDEX; "unknown" when a later floor hands in a value that has no word.
static const char *word_at(const char *const *table, size_t count, size_t index)
{
    return index < count && table[index] != NULL ? table[index] : "unknown";
}

#define WORDS(function, type, ...)                          \
    const char *function(type value)                        \
    {                                                       \
        static const char *const table[] = {__VA_ARGS__};   \
        return word_at(table, COUNT(table), (size_t)value); \
    }

WORDS(source_state_word, enum source_state, "absent", "starting", "live", "stale", "lost", "denied",
      "ended")

WORDS(numbering_word, enum numbering, "unknown", "logical", "physical", "monitor")

// As neuron-monitor and the driver's folders name them.
WORDS(memory_category_key, enum memory_category, [MEM_TENSORS] = "tensors_bytes",
      [MEM_CONSTANTS] = "constants_bytes", [MEM_MODEL_CODE] = "model_code_bytes",
      [MEM_MODEL_SHARED_SCRATCHPAD] = "model_shared_scratchpad_bytes",
      [MEM_RUNTIME_MEMORY] = "runtime_memory_bytes",
      [MEM_NONSHARED_SCRATCHPAD] = "nonshared_scratchpad_bytes",
      [MEM_DRIVER_MEMORY] = "driver_memory_bytes", [MEM_COLLECTIVES] = "collectives_bytes",
      [MEM_NOTIFICATIONS] = "notifications_bytes", [MEM_DMA_RINGS] = "dma_rings_bytes",
      [MEM_UNCATEGORIZED] = "uncategorized_bytes", [MEM_OTHER] = "other_bytes")

WORDS(memory_category_label, enum memory_category, [MEM_TENSORS] = "Tensors",
      [MEM_CONSTANTS] = "Constants", [MEM_MODEL_CODE] = "Model code",
      [MEM_MODEL_SHARED_SCRATCHPAD] = "Model scratchpad", [MEM_RUNTIME_MEMORY] = "Runtime memory",
      [MEM_NONSHARED_SCRATCHPAD] = "Nonshared scratchpad", [MEM_DRIVER_MEMORY] = "Driver memory",
      [MEM_COLLECTIVES] = "Collectives", [MEM_NOTIFICATIONS] = "Notifications",
      [MEM_DMA_RINGS] = "DMA rings", [MEM_UNCATEGORIZED] = "Uncategorized", [MEM_OTHER] = "Other")

WORDS(host_memory_category_key, enum host_memory_category, [HOSTMEM_TENSORS] = "tensors_bytes",
      [HOSTMEM_CONSTANTS] = "constants_bytes", [HOSTMEM_DMA_BUFFERS] = "dma_buffers_bytes",
      [HOSTMEM_APPLICATION] = "application_memory_bytes", [HOSTMEM_OTHER] = "other_bytes")

WORDS(host_memory_category_label, enum host_memory_category, [HOSTMEM_TENSORS] = "Tensors",
      [HOSTMEM_CONSTANTS] = "Constants", [HOSTMEM_DMA_BUFFERS] = "DMA buffers",
      [HOSTMEM_APPLICATION] = "Application memory", [HOSTMEM_OTHER] = "Other")

WORDS(health_word, enum health, "unknown", "healthy", "unhealthy")

WORDS(process_state_word, enum process_state, "unknown", "running", "sleeping", "stopped", "zombie",
      "gone")

WORDS(certainty_word, enum certainty, "unknown", "chip", "environment", "exact")

const char *certainty_remark(enum certainty certainty)
{
    if (certainty == CERTAINTY_ENVIRONMENT)
        return "by its environment";
    return certainty == CERTAINTY_CHIP ? "on its chips, not known which" : NULL;
}

WORDS(execution_key, enum execution, "completed", "completed_with_err", "completed_with_num_err",
      "timed_out", "incorrect_input", "failed_to_queue")

WORDS(error_kind_key, enum error_kind, "generic", "numerical", "transient", "model", "runtime",
      "hardware")

WORDS(percentile_key, enum percentile, "p0", "p1", "p25", "p50", "p75", "p99", "p100")

WORDS(group_word, enum group, "cores", "execution", "memory", "cpu")

WORDS(core_event_key, enum core_event, [EVENT_SUCCESS] = "success", [EVENT_FAILURE] = "failure",
      [EVENT_TIMEOUT] = "timeout", [EVENT_BAD_INPUT] = "exec_bad_input",
      [EVENT_HW_ERROR] = "hw_error", [EVENT_COMPLETED_WITH_ERROR] = "execute_completed_with_error",
      [EVENT_COMPLETED_WITH_NUM_ERROR] = "execute_completed_with_num_error",
      [EVENT_GENERIC_ERROR] = "generic_error", [EVENT_RESOURCE_ERROR] = "resource_error",
      [EVENT_RESOURCE_NC_ERROR] = "resource_nc_error",
      [EVENT_FAILED_TO_QUEUE] = "execute_failed_to_queue", [EVENT_INVALID_ERROR] = "invalid_error",
      [EVENT_UNSUPPORTED_NEFF] = "unsupported_neff_version", [EVENT_OOB_ERROR] = "oob_error",
      [EVENT_HW_COLLECTIVES] = "hw_collectives_error", [EVENT_HW_HBM_UE] = "hw_hbm_ue_error",
      [EVENT_HW_NC_UE] = "hw_nc_ue_error", [EVENT_HW_DMA_ABORT] = "hw_dma_abort_error",
      [EVENT_SW_NQ_OVERFLOW] = "execute_sw_nq_overflow",
      [EVENT_SW_SEMAPHORE] = "execute_sw_semaphore_error",
      [EVENT_SW_EVENT] = "execute_sw_event_error",
      [EVENT_SW_PSUM_COLLISION] = "execute_sw_psum_collision",
      [EVENT_SW_SEQUENCER_FATAL] = "execute_sw_sequencer_fatal",
      [EVENT_HW_REPAIRABLE_HBM_UE] = "hw_repairable_hbm_ue_error",
      [EVENT_INFERENCES] = "inference_count", [EVENT_MODEL_LOADS] = "model_load_count",
      [EVENT_RESETS] = "reset_req_count", [EVENT_RESET_FAILURES] = "reset_fail_count")

WORDS(core_state_word, enum core_state, "unknown", "free", "held", "busy")

char *neff_evidence_text(unsigned evidence, char *buffer, size_t size)
{
    static const char *const words[] = {"open file", "uuid (plausible, unverified)", "name"};
    size_t used = 0;
    buffer[0] = '\0';
    for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if ((evidence >> i & 1) == 0 || used >= size)
            continue;
        int wrote = snprintf(buffer + used, size - used, "%s%s", used > 0 ? ", " : "", words[i]);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return buffer;
}
