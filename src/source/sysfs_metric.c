// SPDX-License-Identifier: Apache-2.0
// The table of metrics. A row says where a metric lies since driver 2.8, below the core or device
// and without the levels stats/ and info/ that 2.7 did not have.
#include "source/sysfs_metric.h"

#include <string.h>

struct row {
    const char *group; // directories, "" for none
    const char *name;  // of the metric's directory, or of its file
    const char *file;  // in that directory; NULL when the name is a file
    const char *below; // a directory that must be above it wherever it moves; NULL for any
    const char *old;   // name before driver 2.8; NULL when it was the same
};

#define HOST_MEMORY(name)                                        \
    {                                                            \
        "memory_usage/host_mem", name, "total", "host_mem", NULL \
    }
#define CATEGORY(category, name)                                                                  \
    [CORE_CATEGORY_FIRST + (category)] = {"memory_usage/device_mem", name, "total", "device_mem", \
                                          NULL}
#define STATUS(event, name) [CORE_EVENT_FIRST + (event)] = {"status", name, "total", NULL, NULL}
#define STATUS_OLD(event, name, old) \
    [CORE_EVENT_FIRST + (event)] = {"status", name, "total", NULL, old}
#define OTHER(metric, name) [metric] = {"other_info", name, "total", NULL, NULL}

static const struct row chip_rows[CHIP_METRICS] = {
    [CHIP_DEVICE_NAME] = {"architecture", "device_name", NULL, NULL, NULL},
    [CHIP_ARCH_TYPE] = {"architecture", "arch_type", NULL, NULL, NULL},
    [CHIP_CORE_COUNT] = {"", "core_count", NULL, NULL, NULL},
    [CHIP_CONNECTED] = {"", "connected_devices", NULL, NULL, NULL},
    [CHIP_POWER] = {"power", "utilization", NULL, NULL, NULL},
    [CHIP_POWER_NOW] = {"power", "utilization_raw", NULL, NULL, NULL},
    [CHIP_HOST_FIRST] = HOST_MEMORY("tensors"),
    [CHIP_HOST_FIRST + 1] = HOST_MEMORY("constants"),
    [CHIP_HOST_FIRST + 2] = HOST_MEMORY("dma_buffers"),
    [CHIP_HOST_FIRST + 3] = HOST_MEMORY("application_memory"),
    [CHIP_HOST_FIRST + 4] = HOST_MEMORY("driver_memory"),
    [CHIP_HOST_FIRST + 5] = HOST_MEMORY("notifications"),
    [CHIP_HOST_FIRST + 6] = HOST_MEMORY("dma_rings"),
    [CHIP_HOST_FIRST + 7] = HOST_MEMORY("uncategorized"),
    [CHIP_SERIAL] = {"", "serial_number", NULL, NULL, NULL},
    [CHIP_FW_API] = {"", "fw_api_version", NULL, NULL, NULL},
    [CHIP_FW_BUILD] = {"", "fw_build", NULL, NULL, NULL},
    [CHIP_MEM_UNCORRECTED] = {"hardware", "mem_ecc_uncorrected", NULL, NULL, NULL},
    [CHIP_MEM_REPAIRABLE] = {"hardware", "mem_ecc_repairable_uncorrected", NULL, NULL, NULL},
    [CHIP_SRAM_UNCORRECTED] = {"hardware", "sram_ecc_uncorrected", NULL, NULL, NULL},
    [CHIP_MEM_CORRECTED] = {"hardware", "mem_ecc_corrected", NULL, NULL, NULL},
    [CHIP_SRAM_CORRECTED] = {"hardware", "sram_ecc_corrected", NULL, NULL, NULL},
    [CHIP_HEALTH_HBM] = {"hardware/health_status", "hbm_ecc_err_count", NULL, NULL, NULL},
    [CHIP_HEALTH_REPAIRABLE] = {"hardware/health_status", "repairable_hbm_ecc_err_count", NULL,
                                NULL, NULL},
    [CHIP_HEALTH_SRAM] = {"hardware/health_status", "sram_ecc_err_count", NULL, NULL, NULL},
    [CHIP_HEALTH_COMPONENTS] = {"hardware/health_status", "unhealthy_components", NULL, NULL, NULL},
    [CHIP_HEALTH_HEARTBEAT] = {"hardware/health_status", "healthcheck_heartbeat", NULL, NULL, NULL},
};

static const struct row core_rows[CORE_METRICS] = {
    [CORE_MEMORY] = {"memory_usage", "device_mem", "total", NULL, NULL},
    [CORE_MEMORY_PEAK] = {"memory_usage", "device_mem", "peak", NULL, NULL},
    [CORE_HOST_MEMORY] = {"memory_usage", "host_mem", "total", NULL, NULL},
    OTHER(CORE_TIME_IN_USE, "nc_time_in_use"),
    OTHER(CORE_FLOPS, "flop_count"),
    [CORE_TENSOR] = {"tensor_engine", "pe_cntrs", NULL, NULL, NULL},
    CATEGORY(MEM_TENSORS, "tensors"),
    CATEGORY(MEM_CONSTANTS, "constants"),
    CATEGORY(MEM_MODEL_CODE, "model_code"),
    CATEGORY(MEM_MODEL_SHARED_SCRATCHPAD, "model_shared_scratchpad"),
    CATEGORY(MEM_RUNTIME_MEMORY, "runtime_memory"),
    CATEGORY(MEM_NONSHARED_SCRATCHPAD, "nonshared_scratchpad"),
    CATEGORY(MEM_DRIVER_MEMORY, "driver_memory"),
    CATEGORY(MEM_COLLECTIVES, "collectives"),
    CATEGORY(MEM_NOTIFICATIONS, "notifications"),
    CATEGORY(MEM_DMA_RINGS, "dma_rings"),
    CATEGORY(MEM_UNCATEGORIZED, "uncategorized"),
    STATUS(EVENT_SUCCESS, "success"),
    STATUS(EVENT_FAILURE, "failure"),
    STATUS(EVENT_TIMEOUT, "timeout"),
    STATUS(EVENT_BAD_INPUT, "exec_bad_input"),
    STATUS(EVENT_HW_ERROR, "hw_error"),
    STATUS_OLD(EVENT_COMPLETED_WITH_ERROR, "execute_completed_with_error",
               "infer_completed_with_error"),
    STATUS_OLD(EVENT_COMPLETED_WITH_NUM_ERROR, "execute_completed_with_num_error",
               "infer_completed_with_num_error"),
    STATUS(EVENT_GENERIC_ERROR, "generic_error"),
    STATUS(EVENT_RESOURCE_ERROR, "resource_error"),
    STATUS(EVENT_RESOURCE_NC_ERROR, "resource_nc_error"),
    STATUS_OLD(EVENT_FAILED_TO_QUEUE, "execute_failed_to_queue", "infer_failed_to_queue"),
    STATUS(EVENT_INVALID_ERROR, "invalid_error"),
    STATUS(EVENT_UNSUPPORTED_NEFF, "unsupported_neff_version"),
    STATUS(EVENT_OOB_ERROR, "oob_error"),
    STATUS(EVENT_HW_COLLECTIVES, "hw_collectives_error"),
    STATUS(EVENT_HW_HBM_UE, "hw_hbm_ue_error"),
    STATUS(EVENT_HW_NC_UE, "hw_nc_ue_error"),
    STATUS(EVENT_HW_DMA_ABORT, "hw_dma_abort_error"),
    STATUS(EVENT_SW_NQ_OVERFLOW, "execute_sw_nq_overflow"),
    STATUS(EVENT_SW_SEMAPHORE, "execute_sw_semaphore_error"),
    STATUS(EVENT_SW_EVENT, "execute_sw_event_error"),
    STATUS(EVENT_SW_PSUM_COLLISION, "execute_sw_psum_collision"),
    STATUS(EVENT_SW_SEQUENCER_FATAL, "execute_sw_sequencer_fatal"),
    STATUS(EVENT_HW_REPAIRABLE_HBM_UE, "hw_repairable_hbm_ue_error"),
    OTHER(CORE_EVENT_FIRST + EVENT_INFERENCES, "inference_count"),
    OTHER(CORE_EVENT_FIRST + EVENT_MODEL_LOADS, "model_load_count"),
    [CORE_EVENT_FIRST +
        EVENT_RESETS] = {"other_info", "reset_req_count", "total", NULL, "reset_count"},
    OTHER(CORE_EVENT_FIRST + EVENT_RESET_FAILURES, "reset_fail_count"),
};

struct parts {
    unsigned count;
    char text[256]; // the path with a NUL for each slash
    const char *part[SYSFS_DEPTH];
};

static bool split(struct parts *parts, const char *path)
{
    size_t length = strlen(path);
    parts->count = 0;
    if (length >= sizeof(parts->text))
        return false;
    memcpy(parts->text, path, length + 1);
    for (char *at = parts->text; at != NULL;) {
        char *slash = strchr(at, '/');
        if (parts->count == SYSFS_DEPTH)
            return false;
        parts->part[parts->count++] = at;
        if (slash != NULL)
            *slash++ = '\0';
        at = slash;
    }
    return true;
}

// TEXT as an index of a core: 1 or 2 digits, no leading zero.
static int core_number(const char *text)
{
    int value = 0;
    if (text[0] == '\0' || strlen(text) > 2 || (text[0] == '0' && text[1] != '\0'))
        return -1;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return -1;
        value = value * 10 + (*text - '0');
    }
    return value < SYSFS_CORES ? value : -1;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

int sysfs_core_of(const char *name, const char *parent)
{
    static const char *const prefixes[] = {"neuron_core", "neuroncore", "core_",
                                           "core",        "nc_",        "nc"};
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(name, prefixes[i], length) == 0)
            return core_number(name + length);
    }
    if (parent != NULL && (ends_with(parent, "core") || ends_with(parent, "cores")))
        return core_number(name);
    return -1;
}

// The nearest directory above the file that stands for a core; *AT is where it is in the path.
static int find_core(const struct parts *parts, unsigned *at)
{
    for (unsigned i = parts->count - 1; i-- > 0;) {
        int core = sysfs_core_of(parts->part[i], i > 0 ? parts->part[i - 1] : NULL);
        if (core >= 0) {
            *at = i;
            return core;
        }
    }
    return -1;
}

// Skips GROUP's directories from *AT on; false when they are not there.
static bool skip_group(const struct parts *parts, unsigned *at, const char *group)
{
    while (*group != '\0') {
        size_t length = strcspn(group, "/");
        if (*at >= parts->count || strlen(parts->part[*at]) != length ||
            strncmp(parts->part[*at], group, length) != 0)
            return false;
        (*at)++;
        group += length + (group[length] == '/');
    }
    return true;
}

// The end of the path from AT on is exactly the row's name and file.
static bool is_row_end(const struct parts *parts, unsigned at, const struct row *row)
{
    if (at >= parts->count)
        return false;
    if (strcmp(parts->part[at], row->name) != 0 &&
        (row->old == NULL || strcmp(parts->part[at], row->old) != 0))
        return false;
    if (row->file == NULL)
        return at + 1 == parts->count;
    return at + 2 == parts->count && strcmp(parts->part[at + 1], row->file) == 0;
}

static bool is_known_path(const struct parts *parts, unsigned at, const struct row *row)
{
    return skip_group(parts, &at, row->group) && is_row_end(parts, at, row);
}

static bool has_above(const struct parts *parts, const char *name)
{
    for (unsigned i = 0; name != NULL && i + 1 < parts->count; i++)
        if (strcmp(parts->part[i], name) == 0)
            return true;
    return name == NULL;
}

// The last names fit: "nc_time_in_use/total" anywhere, or a file "nc_time_in_use".
static bool is_leaf(const struct parts *parts, const struct row *row)
{
    if (!has_above(parts, row->below))
        return false;
    if (row->file != NULL && parts->count >= 2 && is_row_end(parts, parts->count - 2, row))
        return true;
    return (row->file == NULL || strcmp(row->file, "total") == 0) &&
           strcmp(parts->part[parts->count - 1], row->name) == 0;
}

static struct sysfs_match find_row(const struct parts *parts, unsigned at, bool plain,
                                   const struct row *rows, unsigned count)
{
    struct sysfs_match match = {RANK_NONE, -1, 0};
    for (unsigned i = 0; i < count && match.rank != RANK_KNOWN; i++) {
        if (plain && is_known_path(parts, at, &rows[i]))
            match = (struct sysfs_match){RANK_KNOWN, -1, i};
        else if (match.rank == RANK_NONE && is_leaf(parts, &rows[i]))
            match = (struct sysfs_match){RANK_LEAF, -1, i};
    }
    return match;
}

struct sysfs_match sysfs_match(const char *path)
{
    struct parts parts;
    unsigned at = 0;
    if (!split(&parts, path) || strcmp(parts.part[parts.count - 1], "present") == 0)
        return (struct sysfs_match){RANK_NONE, -1, 0};
    bool old = strcmp(parts.part[0], "metrics") == 0;
    int core = find_core(&parts, &at);
    // the layouts known have cores directly below the device, or below its metrics/
    bool plain = core < 0 || at == (old ? 1U : 0U);
    at = core < 0 ? old : at + 1;
    if (at < parts.count &&
        (strcmp(parts.part[at], "stats") == 0 || strcmp(parts.part[at], "info") == 0))
        at++;
    struct sysfs_match match = core < 0 ? find_row(&parts, at, plain, chip_rows, CHIP_METRICS)
                                        : find_row(&parts, at, plain, core_rows, CORE_METRICS);
    match.core = core;
    return match;
}

const char *sysfs_core_metric_name(unsigned metric)
{
    return metric < CORE_METRICS ? core_rows[metric].name : "?";
}

enum host_memory_category sysfs_host_category(unsigned n)
{
    static const enum host_memory_category of[] = {HOSTMEM_TENSORS, HOSTMEM_CONSTANTS,
                                                   HOSTMEM_DMA_BUFFERS, HOSTMEM_APPLICATION};
    return n < sizeof(of) / sizeof(of[0]) ? of[n] : HOSTMEM_OTHER;
}
