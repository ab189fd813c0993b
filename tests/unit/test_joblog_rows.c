// SPDX-License-Identifier: Apache-2.0
// Every wording of every message at least once, with the values that are taken from it; and the
// texts of the table itself: short, and without a value that no wording gives.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "joblog/joblog.h"
#include "joblog/status.h"

#define HEADER "2026-May-10 06:59:24.358064 16842:16850 ERROR   "
#define RUNTIME HEADER "NRT:nrt_allocate_neuron_cores    "

struct example {
    const char *line, *id;
    enum capture capture; // one value that must come out, and
    const char *value;    // as text, or as number
};

static const struct example EXAMPLES[] = {
    // cores, in all their spellings
    {RUNTIME "NeuronCore(s) not available - Requested:nc1-nc1 Available:0", "cores-not-available",
     CAPTURE_REQUESTED, "nc1-nc1"},
    {RUNTIME "NeuronCore(s) not available - Requested:1 Available:0", "cores-not-available",
     CAPTURE_REQUESTED, "1"},
    {RUNTIME "Virtual Neuron Core(s) not available - Requested:2 Available:0 Virtual Core size 1",
     "cores-not-available", CAPTURE_CORE_SIZE, "1"},
    {RUNTIME "Logical Neuron Core(s) not available - Requested:2 Available:1 Logical Core size 1",
     "cores-not-available", CAPTURE_AVAILABLE, "1"},
    {RUNTIME "Logical Neuron Core(s) not available - Requested:lnc0-lnc0 Available:0 Logical Core "
             "size:2",
     "cores-not-available", CAPTURE_CORE_SIZE, "2"},
    {RUNTIME "Logical Neuron Core(s) not available - Requested:lnc0-lnc3 Available:0 Logical Core "
             "size:2 (cores busy, ret=-16)",
     "cores-not-available", CAPTURE_RETURNED, "-16"},
    {RUNTIME "Neuron cores are not contiguous", "cores-not-contiguous", CAPTURE_NONE, NULL},
    {RUNTIME "Logical Neuron cores are not contiguous", "cores-not-contiguous", CAPTURE_NONE, NULL},
    {HEADER
     "NRT:nrt_init  NEURON_RT_NUM_CORES must request one core, or the whole device (multiple "
     "of 4)",
     "cores-count-not-allowed", CAPTURE_CORES, "4"},
    {HEADER "TDRV:tdrv_init_mla_phase1  Could not open the nd1", "chip-not-there", CAPTURE_CHIP,
     "1"},
    {HEADER "NMGR:x  Could not find VNC id 2", "cores-too-few", CAPTURE_START_CORE, "2"},
    {HEADER "NMGR:x  Failed to stage graph: kelf-a.json to NeuronCore", "cores-too-few",
     CAPTURE_FILE, "kelf-a.json"},
    {HEADER "NRT:nrt_init  Cannot start process with LNC Size of 1, chip runs with 2",
     "lnc-mismatch", CAPTURE_WHAT, "1, chip runs with 2"},
    {HEADER "NEFF:neff_parse  LNC size mismatch: 2 and 1", "lnc-mismatch", CAPTURE_NONE, NULL},
    {HEADER
     "NRT:nrt_load_collectives  Unsupported topology. Supported number of Neuron Cores is 2, "
     "8, 32",
     "topology-unsupported", CAPTURE_WHAT, "2, 8, 32"},
    {HEADER "NRT:nrt_init  Incompatible runtime state", "runtime-forked", CAPTURE_NONE, NULL},
    // versions
    {HEADER "NRT:nrt_init  This Neuron Runtime (compatibility id: 12) is not compatible with the "
            "installed aws-neuronx-dkms package.",
     "compat-id", CAPTURE_COMPAT_ID, "12"},
    {HEADER
     "NRT:nrt_init  Installed aws-neuronx-dkms supports Runtime compatibility id range: 10 - "
     "11. Please",
     "compat-id", CAPTURE_COMPAT_MAX, "11"},
    {HEADER "NRT:nrt_init  Installed aws-neuronx-dkms supports Runtime compatibility ids: 10.",
     "compat-id", CAPTURE_COMPAT_MAX, "10"},
    {HEADER "NRT:nrt_init  This runtime requires Neuron Driver version 2.0 or greater. Please",
     "driver-too-old", CAPTURE_VERSION, "2.0"},
    {HEADER "NRT:nrt_init  Unable to read compatible Driver version.", "driver-unreadable",
     CAPTURE_NONE, NULL},
    {HEADER "NRT:nrt_init  Unable to determine Neuron Driver version. Please check",
     "driver-unreadable", CAPTURE_NONE, NULL},
    {HEADER "NRT:nrt_init  Please check /dev/neuron# is accessible. If you're using containers",
     "device-access-hint", CAPTURE_NONE, NULL},
    {HEADER "TDRV:tdrv_get_dev_info  No neuron device available", "no-device", CAPTURE_NONE, NULL},
    {"FATA[0000] Failed to discover neuron devices   error=\"x\"", "no-device", CAPTURE_NONE, NULL},
    {"error=\"Unable to read device information from the driver. Make sure\"", "no-device",
     CAPTURE_NONE, NULL},
    {"{\"neuron_runtime_data\":[],\"x\":{\"neuron_devices\":null,\"error\":\"\"}}", "no-device",
     CAPTURE_NONE, NULL},
    {HEADER "NRT:nrt_init  Failed to initialize devices, error:1", "init-failed",
     CAPTURE_STATUS_NAME, "NRT_FAILURE"},
    {HEADER "TDRV:arch_init  Architecture not found 1", "chip-unknown-to-runtime",
     CAPTURE_HOST_ARCH, "1"},
    {HEADER
     "TDRV:translate_one_pseudo_instr_v2  Unsupported hardware operator code 237 found in neff",
     "runtime-too-old-for-neff", CAPTURE_OPCODE, "237"},
    {HEADER "TDRV:x  aws_hal_tpb_pooling_write_profile failed programming the engine",
     "driver-too-old-for-framework", CAPTURE_NONE, NULL},
    // NEFF and cache
    {HEADER "NEFF:neff_parse  NEFF version: 2.0, features: 0x200000 are not supported.  Currently "
            "supporting: 0x7ffffff",
     "neff-features", CAPTURE_FEATURES, "2097152"},
    {HEADER "NEFF:neff_parse  This NEFF was compiled by a newer compiler, please update "
            "aws-neuronx-runtime-lib",
     "neff-features", CAPTURE_NONE, NULL},
    {HEADER "NEFF:neff_parse  This NEFF was compiled with a newer compiler", "neff-features",
     CAPTURE_NONE, NULL},
    {HEADER "NEFF:neff_parse  NEFF version mismatch supported: 1.1 received: 2.0", "neff-version",
     CAPTURE_NEFF_VERSION, "2.0"},
    {HEADER "NRT:nrt_load  unsupported NEFF version", "neff-unsupported-version", CAPTURE_NONE,
     NULL},
    {"{\"log\":\"" HEADER "NEFF:neff_parse  Unsupported NEFF packager 7\\n\",\"stream\":"
     "\"stderr\"}",
     "neff-packaging", CAPTURE_PACKAGING, "7"},
    {"{\"log\":\"" HEADER "NRT:nrt_load_collectives  Unsupported topology. Supported number of "
     "Neuron Cores is 2, 8, 32\\n\",\"stream\":\"stderr\"}",
     "topology-unsupported", CAPTURE_WHAT, "2, 8, 32"},
    {HEADER "NEFF:neff_parse  Unsupported NEFF packager 7", "neff-packaging", CAPTURE_PACKAGING,
     "7"},
    {HEADER "NMGR:x  Loading a NEFF compiled for a different arch is not allowed, NEFF arch: v2, "
            "instance arch: v3",
     "neff-wrong-chip", CAPTURE_HOST_ARCH, "3"},
    {HEADER "TDRV:kbl_model_add Attempting to load an incompatible model!", "neff-incompatible",
     CAPTURE_NONE, NULL},
    {HEADER "NMGR:kmgr_load_nn_post_metrics  Failed to load NN: /tmp/a b/model.neff, err: 4",
     "load-failed", CAPTURE_FILE, "/tmp/a b/model.neff"},
    {"2024-01-01 00:00:00.000000: INFO ||NEURON_CACHE||: Another process must be compiling "
     "/c/MODULE_1+2/model.hlo_module.pb, been waiting for: 41.3 minutes",
     "cache-lock", CAPTURE_MINUTES, "41.3"},
    {"ERROR ||NEURON_CC_WRAPPER||: Got a cached failed neff at /c/MODULE_1+2/model.neff. Will skip "
     "compilation, please set --retry_failed_compilation for recompilation.",
     "cache-failed", CAPTURE_FILE, "/c/MODULE_1+2/model.neff"},
    // memory
    {HEADER
     "TDRV:log_dev_mem  Failed to allocate 1.500GB (usage: shared scratchpad) on ND 12:NC 1, "
     "current utilization:",
     "device-memory-full", CAPTURE_BYTES, "1610612736"},
    {HEADER "TDRV:dmem_alloc_internal  Failed to alloc DEVICE memory: 180355072",
     "device-memory-refused", CAPTURE_BYTES, "180355072"},
    {HEADER
     "TDRV:tensor_allocate  Failed to allocate 180355072 bytes on DEVICE for tensor UNKNOWN.",
     "device-memory-refused", CAPTURE_TENSOR, "UNKNOWN"},
    {HEADER "TDRV:dma_ring_alloc  Failed to allocate TX ring", "dma-ring-refused", CAPTURE_NONE,
     NULL},
    {HEADER "TDRV:dma_ring_alloc  Failed to allocate RX ring", "dma-ring-refused", CAPTURE_NONE,
     NULL},
    {HEADER "TDRV:dml_dump  Wrote nrt memory alloc debug info to /tmp/x.csv", "memory-log-written",
     CAPTURE_FILE, "/tmp/x.csv"},
    {HEADER "TDRV:dma_ring_allocate  No more pages for ring type: 2", "rings-exhausted",
     CAPTURE_RING, "2"},
    {"[1.0] neuron:mc_alloc: device mempool [1:2] total 10 occupied 9 needed 5 available 1",
     "driver-pool-full", CAPTURE_POOL_AVAILABLE, "1"},
    {"[1.0] neuron:mc_alloc_internal: device mempool [1:2] total 10 occupied 9 needed 5 available "
     "- "
     "main gen pool 3, small gen pool 4",
     "driver-pool-full", CAPTURE_POOL_SMALL, "4"},
    {"[1.0] neuron:mc_alloc: no space in main genpool for HBM 3, needed 4096", "driver-pool-low",
     CAPTURE_CHANNEL, "3"},
    {"[1.0] Out of memory: Killed process 31232 (python3) total-vm:1kB", "host-memory-killed",
     CAPTURE_COMMAND, "python3"},
    {"[1.0] Memory cgroup out of memory: Killed process 31232 (python3) total-vm:1kB",
     "host-memory-killed", CAPTURE_PROCESS, "31232"},
    // devices and tools
    {"open /dev/neuron3: permission denied", "no-permission", CAPTURE_CHIP, "3"},
    {"Permission denied: '/dev/neuron0'", "no-permission", CAPTURE_CHIP, "0"},
    {"could not open /dev/neuron0 (EACCES)", "no-permission", CAPTURE_CHIP, "0"},
    {"Neuron: insufficient permissions", "no-permission", CAPTURE_NONE, NULL},
    {"bash: neuron-top: command not found", "tool-not-found", CAPTURE_COMMAND, "top"},
    {"sh: 1: neuron-ls: not found", "tool-not-found", CAPTURE_COMMAND, "ls"},
    {"zsh: command not found: neuron-monitor", "tool-not-found", CAPTURE_COMMAND, "monitor"},
    {"FileNotFoundError: [Errno 2] No such file or directory: 'neuron-ls'", "tool-not-found",
     CAPTURE_COMMAND, "ls"},
    {"Neuron Tools have changed with Neuron v1.16.0. Go here to learn more:", "tools-notice",
     CAPTURE_NONE, NULL},
    // executions
    {HEADER "TDRV:exec_consume_infer_status_notifications (FATAL-RT-UNDEFINED-STATE) inference "
            "timeout (600000 ms) on Neuron Device 3 NC 1, model /m.neff, waiting",
     "execution-timeout", CAPTURE_CHIP, "3"},
    {HEADER
     "TDRV:exec_x (FATAL-RT-UNDEFINED-STATE) execution timeout (120000 ms) on Neuron Device 3 "
     "NC 1, model /m.neff",
     "execution-timeout", CAPTURE_MODEL, "/m.neff"},
    {HEADER "TDRV:exec_x [ND 1][NC 4] execution timeout (30000 ms) on model /m.neff",
     "execution-timeout", CAPTURE_CORE, "4"},
    {HEADER
     "TDRV:exec_consume_tpb_status_notifications  Missing infer_status notification: (end:1)",
     "completion-missing", CAPTURE_NONE, NULL},
    {HEADER "TDRV:x (FATAL-RT-UNDEFINED-STATE) something new on nd2:nc3", "undefined-state",
     CAPTURE_CORE, "3"},
    {HEADER "NMGR:dlr_infer  Inference completed with err: 1003. mode->h_nn=1001, start_nc=4, "
            "nc_count=2",
     "execution-status", CAPTURE_CORES, "2"},
    {"RuntimeError: NRT_EXEC_UNIT_UNRECOVERABLE", "status", CAPTURE_STATUS, "101"},
    {"RuntimeError: nrt_load failed with status=4", "status", CAPTURE_STATUS_NAME, "NRT_RESOURCE"},
    {"RuntimeError: nrt_load_collectives status=4 message=\"Allocation Failure\"", "status",
     CAPTURE_CALL, "nrt_load_collectives"},
    {"adaptor.cc:446:Execute failed: nrt_execute: status=1004, error message=\"x\"", "status",
     CAPTURE_STATUS_NAME, "NRT_EXEC_COMPLETED_WITH_ERR"},
    {"nrt_execute() failed (status: 5)", "status", CAPTURE_CALL, "nrt_execute"},
    {"grpc status code 0, error message \"\"; nrt status code 1004, details", "status",
     CAPTURE_STATUS, "1004"},
    {"RuntimeError: execution failed with NRT_STATUS 101", "status", CAPTURE_STATUS_NAME,
     "NRT_EXEC_UNIT_UNRECOVERABLE"},
    {"NRT_STATUS=1202.", "status", CAPTURE_STATUS_NAME, "NRT_EXEC_HW_ERR_NC_UE"},
    {"NRT_STATUS: NRT_TIMEOUT", "status", CAPTURE_STATUS, "5"},
    {"NRT_STATUS (999)", "status", CAPTURE_STATUS, "999"},
    {"libnrt: execute ended, status=101", "status", CAPTURE_STATUS_NAME,
     "NRT_EXEC_UNIT_UNRECOVERABLE"},
    {"libnrt: execute ended, status_code=1205", "status", CAPTURE_STATUS, "1205"},
    {HEADER "NRT:execute_x  model failed, status=1203", "status", CAPTURE_STATUS, "1203"},
    {"NRT error, status_code=101", "status", CAPTURE_STATUS, "101"},
    {HEADER "TDRV:x  missing collectives status on Neuron Device 5 NC 1, model m.neff - suspected "
            "hang in collectives operation 3 out of 12",
     "collectives-hang", CAPTURE_OPERATIONS, "12"},
    {HEADER "TDRV:notification_consume_error_block  unusually large number of error notifications "
            "(count:4096) on nd7 nc1",
     "many-notifications", CAPTURE_CHIP, "7"},
    {"2023-07-13 10:01:44 8571:8612 [0] socket.h:533 CCOM WARN Timeout waiting for RX (waited 120 "
     "sec) - retrying",
     "peer-wait", CAPTURE_SECONDS, "120"},
    {"x 8571:8612 [0] socket.h:533 CCOM WARN Timeout waiting for incoming connection", "peer-wait",
     CAPTURE_NONE, NULL},
    {"x 8571:8612 [0] socket.h:1 CCOM WARN Call to accept failed : Too many open files",
     "open-files", CAPTURE_NONE, NULL},
    {"x 8571:8612 [0] socket.h:1 CCOM WARN Call to socket failed : Too many open files",
     "open-files", CAPTURE_NONE, NULL},
    {"x 8571:8612 [0] net.cc:1 CCOM WARN OFI plugin initNet() failed is EFA enabled?", "efa-absent",
     CAPTURE_NONE, NULL},
    // hardware
    {"NEURON_HW_ERR=HBM_UNREPAIRABLE instance-id=i-1 hostname=h nd-id=12 nc-id=1 serial-num=ab "
     "action=TERMINATE_INSTANCE",
     "hardware-error", CAPTURE_CHIP, "12"},
    {HEADER
     "TDRV:x (FATAL-RT-UNDEFINED-STATE) [ND 2][NC 1] Uncorrectable memory error is detected, "
     "metadata: 0x1f",
     "memory-uncorrectable", CAPTURE_METADATA, "31"},
    {HEADER
     "TDRV:x (FATAL-RT-UNDEFINED-STATE) [ND 2][NC 1] Uncorrectable HBM memory error is detected",
     "memory-uncorrectable", CAPTURE_CHIP, "2"},
    {HEADER "TDRV:x [MLA 3][NC 0] DMA TX engine 7 is in an abort state", "dma-abort", CAPTURE_CHIP,
     "3"},
    {HEADER "TDRV:x [MLA 3][NC 0] DMA RX engine 7 is in an abort state", "dma-abort",
     CAPTURE_ENGINE, "7"},
    {HEADER "TDRV:x [MLA 3][NC 0] DMA TX/RX engine 9 is in an abort state", "dma-abort",
     CAPTURE_ENGINE, "9"},
    {HEADER "TDRV:tpb_eng_init_hals_v2  CRITICAL HW ERROR: One or more engines are running",
     "engines-running", CAPTURE_NONE, NULL},
    {HEADER "TDRV:tsync_wait_eng_stop  nd0 nc1 Timestamp program stop timeout (1000 ms)",
     "engines-running", CAPTURE_CORE, "1"},
    // the driver in the kernel log
    {"[1.0] Neuron Driver Started with Version:2.24.7.0-8a6fdf2 at: 2026-may-10 06:59:24.358064",
     "driver-started", CAPTURE_WHAT, "2026-may-10 06:59:24.358064"},
    {"[1.0] neuron:npid_attach: neuron:npid_attach: pid=90193, slot=3", "driver-attach",
     CAPTURE_PROCESS, "90193"},
    {"[1.0] neuron:npid_detach: neuron:npid_detach: pid=90193, slot=3", "driver-detach",
     CAPTURE_SLOT, "3"},
    {"[1.0] neuron:ncdev_open: nd5: pid 4711 failed to open", "device-slots-full", CAPTURE_CHIP,
     "5"},
    {"[1.0] neuron:ncdev_open: nd6 is in an invalid state", "device-invalid", CAPTURE_CHIP, "6"},
    {"[1.0] neuron:nr: nd0: device reset request 7 was initiated, but failed to complete",
     "reset-failed", CAPTURE_CHIP, "0"},
    {"[1.0] neuron:nr: nd0: TPB reset request 7 failed", "reset-failed", CAPTURE_CHIP, "0"},
    {"[1.0] neuron:nr: nd0: failed to initialize dma after reset", "reset-failed", CAPTURE_CHIP,
     "0"},
    {"[1.0] neuron:nr: nd0: initiating device reset request 7", "reset", CAPTURE_CHIP, "0"},
    {"[1.0] neuron:nr: nd0: initiating TPB reset request 7", "reset", CAPTURE_CHIP, "0"},
    {"[1.0] neuron:fw_io_execute_request: seq: 5, cmd: 3 timed out", "firmware-mute", CAPTURE_NONE,
     NULL},
    {"[1.0] neuron:x: sysfs failed to read ECC SRAM error from FWIO", "firmware-mute", CAPTURE_WHAT,
     "ECC SRAM error from FWIO"},
    {"[1.0] neuron: nd1nc2: pid:77 - writer starved. readers:3 writer:77", "core-lock-contended",
     CAPTURE_CORE, "2"},
    {"[1.0] nd00: ultraserver election starting", "ultraserver-election", CAPTURE_CHIP, "0"},
    {"[1.0] initiating ultraserver election.  State: 0", "ultraserver-election", CAPTURE_NONE,
     NULL},
    {"[1.0] nd00: ultraserver election complete.  node id: 2 node cnt: 4 ultraserver Unique id: "
     "00a1b2c3d4e5f607",
     "ultraserver-ready", CAPTURE_ULTRASERVER, "00a1b2c3d4e5f607"},
    {"[1.0] neuron: ultraserver link is miss-wired to nd03", "ultraserver-failed", CAPTURE_CHIP,
     "3"},
    {"[1.0] neuron: ultraserver Election request failed. 4 Neuron cores are still in use",
     "ultraserver-failed", CAPTURE_CORES, "4"},
    {"[1.0] neuron: nd00: ultraserver election failed", "ultraserver-failed", CAPTURE_CHIP, "0"},
    {"[1.0] neuron:ncdev_nc_pid_state_dump: nc_id: 5  pid: 4711 x", "core-state-dump",
     CAPTURE_PROCESS, "4711"},
    {"[1.0] efa 0000:a0:1a.0 rdmap: Failed to process command DEREG_MR (opcode 8) err -22",
     "efa-deregister", CAPTURE_NONE, NULL},
    // packages
    {"Error! Bad return status for module build on kernel: 5.19.0-1022-aws (x86_64)",
     "module-build-failed", CAPTURE_KERNEL, "5.19.0-1022-aws"},
    {"Error! Your kernel headers for kernel 6.8.0-1 cannot be found at /lib/modules",
     "module-build-failed", CAPTURE_KERNEL, "6.8.0-1"},
    {"ERROR: Cannot unload neuron module - it is currently in use.", "module-in-use", CAPTURE_NONE,
     NULL},
    {"rmmod: ERROR: Module neuron is in use", "module-in-use", CAPTURE_NONE, NULL},
    {"Neuron module is currently loaded. Attempting to unload...", "module-unload-hint",
     CAPTURE_NONE, NULL},
    {"Please stop all processes using the neuron module before uninstalling.", "module-unload-hint",
     CAPTURE_NONE, NULL},
    {"modprobe: FATAL: Module neuron not found in directory /lib/modules/6.8.0-1",
     "module-not-found", CAPTURE_KERNEL, "6.8.0-1"},
    {"E: Unable to locate package aws-neuron-dkms", "package-retired", CAPTURE_NONE, NULL},
    {"No package aws-neuron-dkms available.", "package-retired", CAPTURE_NONE, NULL},
    {"filename:       /lib/modules/5.10.157/kernel/drivers/neuron/neuron.ko", "module-on-disk",
     CAPTURE_KERNEL, "5.10.157"},
};

enum { EXAMPLE_COUNT = sizeof(EXAMPLES) / sizeof(EXAMPLES[0]) };

static struct joblog *read_line(const char *line)
{
    struct joblog *log = joblog_new();
    joblog_feed(log, line, strlen(line));
    joblog_feed(log, "\n", 1);
    joblog_end(log);
    return log;
}

static void assert_value(const struct error_group *group, const struct example *example)
{
    char number[32];
    const struct value *value = group_value(group, example->capture);
    if (value == NULL)
        fail_msg("%s: no %s", example->line, capture_rows[example->capture].key);
    snprintf(number, sizeof(number), "%lld", (long long)value->number);
    bool is_text = capture_rows[example->capture].form == FORM_TEXT;
    if (strcmp(is_text ? value->text : number, example->value) != 0)
        fail_msg("%s: %s is '%s'", example->line, capture_rows[example->capture].key,
                 is_text ? value->text : number);
}

static void each_example_is_recognised(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXAMPLE_COUNT; i++) {
        const struct example *example = &EXAMPLES[i];
        struct joblog *log = read_line(example->line);
        if (joblog_group_count(log) != 1)
            fail_msg("%s: %zu groups%s%s", example->line, joblog_group_count(log),
                     joblog_group_count(log) > 1 ? ", the second is " : "",
                     joblog_group_count(log) > 1 ? joblog_group(log, 1)->message->id : "");
        const struct error_group *group = joblog_group(log, 0);
        if (strcmp(group->message->id, example->id) != 0 || group->count != 1)
            fail_msg("%s: %s, %d times", example->line, group->message->id, (int)group->count);
        if (strncmp(example->line, HEADER, strlen(HEADER)) == 0) {
            assert_int_equal(group->pids[0], 16842);
            assert_string_equal(group->first_time, "2026-05-10 06:59:24.358064");
        }
        if (strstr(example->line, "8571:8612") != NULL)
            assert_int_equal(group->pids[0], 8571);
        if (example->value != NULL)
            assert_value(group, example);
        assert_int_equal(joblog_input(log)->unknown, 0);
        joblog_free(log);
    }
}

// A header that the next record cuts off, and a name at the very end of the input.
static void cut_off_short(void **state)
{
    (void)state;
    static const char cut[] = HEADER "NRT:" HEADER "NRT:nrt_x  Failure: NRT_TIMEOUT in nrt_x";
    for (size_t length = 1; length < sizeof(cut); length++) {
        char *exact = malloc(length); // so that a checker sees each byte behind it
        assert_non_null(exact);
        memcpy(exact, cut, length);
        struct joblog *log = joblog_new();
        joblog_feed(log, exact, length);
        joblog_end(log);
        assert_true(joblog_group_count(log) <= 1);
        joblog_free(log);
        free(exact);
    }
}

// What others write in the same words is not ours.
static void what_is_not_ours(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "[1.0] ixgbe 0000:01:00.0: Failed to allocate TX ring",
        "kafka: execution timeout (30000 ms) on partition 3",
        "usb 1-1: reset request 3 failed",
        "[1.0] usb 1-1: device reset request 3 failed",
        "the service is in an invalid state",
        "ls: cannot access '/dev/neuron0': No such file or directory",
        "open /dev/nvidia0: permission denied",
        "using neuron-compile-cache in /tmp: model.neff: not found",
        "ERROR: something went wrong",
        "LNC: 2, sizes mismatch",
        "version: 2.8.4.0",
        "* total: 15.855GB",
        "status=4 (not found)",
        "libnrt: queue 3 opened, status=4",
        "curl: status=101 Switching Protocols",
        "nrt_trace: status=2026-05-10 all is well",
        "nrt_load status=0",
        "NRT_STATUS 0",
        "NRT_STATUS 12ms",
        "nrt_statistics status=1202ms",
        "#define NRT_STATUS_COUNT 29",
        "http status_code=1006 while the current run",
        "process 12 (pid 13) open count 4",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct joblog *log = read_line(lines[i]);
        if (joblog_group_count(log) != 0)
            fail_msg("%s: taken for %s", lines[i], joblog_group(log, 0)->message->id);
        assert_int_equal(joblog_input(log)->unknown, 0);
        joblog_free(log);
    }
}

static bool shown(const struct spelling *spelling)
{
    for (size_t i = 0; i < EXAMPLE_COUNT; i++) {
        struct joblog *log = read_line(EXAMPLES[i].line);
        bool used = joblog_group_count(log) > 0 && joblog_group(log, 0)->spelling == spelling;
        joblog_free(log);
        if (used)
            return true;
    }
    return false;
}

static void each_wording_has_an_example(void **state)
{
    (void)state;
    for (const struct message *row = NULL; (row = message_next(row)) != NULL;)
        for (const struct spelling *spelling = row->spelling; spelling->anchor != NULL; spelling++)
            if (!shown(spelling))
                fail_msg("%s: no example of '%s'", row->id, spelling->anchor);
}

static void ids_are_unique(void **state)
{
    (void)state;
    for (const struct message *row = NULL; (row = message_next(row)) != NULL;)
        assert_ptr_equal(message_by_id(row->id), row);
}

static void absorbed_by_something_that_is_there(void **state)
{
    (void)state;
    for (const struct message *row = NULL; (row = message_next(row)) != NULL;)
        if (row->absorbed_by != NULL && message_by_id(row->absorbed_by) == NULL)
            fail_msg("%s: no message %s", row->id, row->absorbed_by);
}

enum { COLUMNS = 70 }; // of 80, behind the label

static unsigned lines_of(const char *text)
{
    unsigned lines = *text != '\0', column = 0;
    for (size_t word; *text != '\0'; text += word + strspn(text + word, " ")) {
        word = strcspn(text, " ");
        unsigned gap = column > 0;
        if (column + gap + word > COLUMNS) {
            lines++;
            column = gap = 0;
        }
        column += gap + (unsigned)word;
    }
    return lines;
}

static void meanings_are_two_lines(void **state)
{
    (void)state;
    for (const struct message *row = NULL; (row = message_next(row)) != NULL;)
        if (lines_of(row->meaning) > 2)
            fail_msg("%s: the meaning has %u lines", row->id, lines_of(row->meaning));
    for (uint64_t number = 0; number < 1300; number++) {
        const struct nrt_status *status = nrt_status_get(number);
        if (status != NULL && lines_of(status->meaning) > 2)
            fail_msg("%s: the meaning has %u lines", status->name, lines_of(status->meaning));
    }
}

static bool gives(const struct message *message, const char *key, size_t length)
{
    if (strncmp(key, "chip", length) == 0 || strncmp(key, "core", length) == 0)
        return true; // the place
    for (const struct spelling *spelling = message->spelling; spelling->anchor != NULL; spelling++)
        for (size_t i = 0; i < PATTERN_VALUES && spelling->captures[i] != CAPTURE_NONE; i++) {
            const char *name = capture_rows[spelling->captures[i]].key;
            if (strlen(name) == length && memcmp(name, key, length) == 0)
                return true;
        }
    // what a step adds
    return strncmp(key, "status_name", length) == 0 || strncmp(key, "status", length) == 0 ||
           strncmp(key, "call", length) == 0 || strncmp(key, "version", length) == 0;
}

static void templates_ask_for_what_is_there(void **state)
{
    (void)state;
    for (const struct message *row = NULL; (row = message_next(row)) != NULL;) {
        const char *const texts[] = {row->summary, row->meaning, row->remedy};
        for (size_t i = 0; i < 3; i++)
            for (const char *at = texts[i]; (at = strchr(at, '{')) != NULL; at++)
                if (!gives(row, at + 1, strcspn(at + 1, "}")))
                    fail_msg("%s: nothing gives '%.20s'", row->id, at);
    }
}

// The table of statuses against the runtime's header; 8 and 12 are not used.
static void statuses(void **state)
{
    (void)state;
    static const unsigned used[] = {0,    1,    2,    3,    4,    5,    6,    7,    9,    10,
                                    11,   13,   14,   15,   101,  1002, 1003, 1004, 1005, 1006,
                                    1100, 1200, 1201, 1202, 1203, 1204, 1205, 1206};
    unsigned count = 0;
    for (uint64_t number = 0; number < 2000; number++)
        count += nrt_status_get(number) != NULL && nrt_status_get(number)->name != NULL;
    assert_int_equal(count, sizeof(used) / sizeof(used[0]));
    for (size_t i = 0; i < count; i++) {
        const struct nrt_status *status = nrt_status_get(used[i]);
        assert_non_null(status);
        assert_ptr_equal(nrt_status_by_name(status->name, strlen(status->name)), status);
    }
    assert_null(nrt_status_get(8)->name);
    assert_null(nrt_status_get(12)->name);
    assert_null(nrt_status_get(999));
    assert_string_equal(nrt_status_get(6)->name, "NRT_HW_ERROR");
    assert_string_equal(nrt_status_get(1205)->name, "NRT_EXEC_HW_ERR_REPAIRABLE_HBM_UE");
}

// Each name in each of its forms.
static void statuses_by_name(void **state)
{
    (void)state;
    for (uint64_t number = 1; number < 2000; number++) {
        const struct nrt_status *status = nrt_status_get(number);
        char line[160];
        if (status == NULL || status->name == NULL)
            continue;
        snprintf(line, sizeof(line), HEADER "NRT:nrt_infodump  Failure: %s in nrt_execute()",
                 status->name);
        struct joblog *log = read_line(line);
        assert_int_equal(joblog_group_count(log), 1);
        assert_int_equal(group_value(joblog_group(log, 0), CAPTURE_STATUS)->number, number);
        assert_string_equal(group_value(joblog_group(log, 0), CAPTURE_CALL)->text, "nrt_execute");
        joblog_free(log);
    }
    // a number in brackets is kept as it is given
    struct joblog *log = read_line("Error: NRT_FAILURE(6)");
    assert_int_equal(group_value(joblog_group(log, 0), CAPTURE_STATUS)->number, 6);
    joblog_free(log);
    static const char *const none[] = {"NRT_SUCCESS", "NRT_NO_SUCH_THING", "XNRT_TIMEOUT",
                                       "NRT_TIMEOUT_SECONDS", "NEURON_RT_TIMEOUT"};
    for (size_t i = 0; i < 5; i++) {
        log = read_line(none[i]);
        if (joblog_group_count(log) != 0)
            fail_msg("%s is taken for a status", none[i]);
        joblog_free(log);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_example_is_recognised),
        cmocka_unit_test(cut_off_short),
        cmocka_unit_test(what_is_not_ours),
        cmocka_unit_test(each_wording_has_an_example),
        cmocka_unit_test(ids_are_unique),
        cmocka_unit_test(absorbed_by_something_that_is_there),
        cmocka_unit_test(meanings_are_two_lines),
        cmocka_unit_test(templates_ask_for_what_is_there),
        cmocka_unit_test(statuses),
        cmocka_unit_test(statuses_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
