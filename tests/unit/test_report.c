// SPDX-License-Identifier: Apache-2.0
// From reports to a snapshot: small reports written here, for each rule of the neuron-monitor JSON
// reference one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "source/derive.h"
#include "source/report.h"
#include "source_run.h"

// Takes TEXT, which may use ' for ", as a report that arrived at TIME.
static void take(struct report *report, const char *text, double time)
{
    struct report_fault fault;
    char *json = strdup(text);
    for (char *at = json; (at = strchr(at, '\'')) != NULL;)
        *at = '"';
    json_object *parsed = report_parse(report, json, strlen(json), &fault);
    if (parsed == NULL)
        fail_msg("%s: %s at %zu", text, fault.what, fault.at);
    report_apply(report, parsed, time);
    free(json);
}

static struct host *snapshot(const struct report *report, double now)
{
    struct host *host = host_new();
    report_fill(report, host, FROM_MONITOR, now);
    derive_host(host);
    return host;
}

static struct host *host_of(const char *text)
{
    struct report *report = report_new(1);
    take(report, text, 0);
    struct host *host = snapshot(report, 0);
    report_free(report);
    return host;
}

#define HARDWARE                                                                       \
    "'neuron_hardware_info':{'neuron_device_type':'trainium','neuron_device_count':1," \
    "'neuroncore_per_device_count':2,'error':''}"
#define RUNTIME(report)                                                     \
    "{'neuron_runtime_data':[{'pid':7,'neuron_runtime_tag':'t','error':''," \
    "'report':{" report "}}]," HARDWARE "}"
#define CORES(list) "'neuroncore_counters':{'period':1,'neuroncores_in_use':{" list "},'error':''}"

static void expect_refusal(const char *text, const char *why)
{
    struct report_fault fault = {0};
    struct report *report = report_new(1);
    assert_null(report_parse(report, text, strlen(text), &fault));
    assert_string_equal(fault.what, why);
    report_free(report);
}

static void test_not_a_report(void **state)
{
    (void)state;
    static const char other[] = "a JSON object, but no report of neuron-monitor";
    expect_refusal("{}", other);
    expect_refusal("{\"a\":1}", other);
    expect_refusal("{\"a\":\"system_data\"}", other);
    expect_refusal("{\"neuron_device\":0,\"bdf\":\"00:1e.0\"}", other); // neuron-ls
    struct report_fault fault = {0};
    struct report *report = report_new(1);
    static const char bad[] = "{\"system_data\":tru}";
    assert_null(report_parse(report, bad, strlen(bad), &fault));
    assert_true(fault.at >= 15 && fault.at <= strlen(bad));
    take(report, "{'system_data':{}}", 0); // the parser is none the worse for it
    report_free(report);
}

// Absent, null, negative, no number: unknown. 0 is 0. Text that is a number counts as one.
static void test_numbers(void **state)
{
    (void)state;
    struct host *host =
        host_of(RUNTIME(CORES("'0':{'neuroncore_utilization':0},'1':{'neuroncore_utilization':"
                              "null}") ","
                                       "'execution_stats':{'period':1,'execution_summary':{'"
                                       "completed':'12','timed_out':-1,"
                                       "'completed_with_err':1e2,'incorrect_input':'x','failed_to_"
                                       "queue':null},"
                                       "'error_summary':{'numerical':0,'model':3.0,'hardware':[1]}}"
                                       ","
                                       "'memory_used':{'period':1,'neuron_runtime_used_bytes':"
                                       "{'host':18446744073709551615,'neuron_device':'"
                                       "9007199254740993'}},"
                                       "'neuron_runtime_vcpu_usage':{'period':1,'vcpu_usage':{'"
                                       "user':NaN,'system':'2.5'}}"));
    const struct process *process = &host->processes[0];
    assert_figure(host->cores[0].utilization_percent, 0);
    assert_false(known_f64(host->cores[1].utilization_percent));
    assert_count(process->executions_in_period[EXEC_COMPLETED], 12);
    assert_count(process->executions_in_period[EXEC_WITH_ERR], 100);
    assert_false(known_u64(process->executions_in_period[EXEC_TIMED_OUT]));
    assert_false(known_u64(process->executions_in_period[EXEC_INCORRECT_INPUT]));
    assert_false(known_u64(process->executions_in_period[EXEC_FAILED_TO_QUEUE]));
    assert_false(known_u64(process->executions_in_period[EXEC_WITH_NUM_ERR]));
    assert_count(process->errors_in_period[ERR_NUMERICAL], 0);
    assert_count(process->errors_in_period[ERR_MODEL], 3);
    assert_false(known_u64(process->errors_in_period[ERR_HARDWARE]));
    assert_count(process->memory_host_bytes, UINT64_MAX);
    assert_count(process->memory_device_bytes, 9007199254740993); // 2^53 + 1: not through a double
    assert_false(known_f64(process->cpu_user_percent));
    assert_figure(process->cpu_system_percent, 2.5);
    host_free(host);
}

static void test_core_keys(void **state)
{
    (void)state;
    struct host *host = host_of(
        RUNTIME(CORES("'5':{'neuroncore_utilization':50},'4096':{'neuroncore_utilization':1},"
                      "'-1':{'neuroncore_utilization':2},'x':{'neuroncore_utilization':3},"
                      "'1x':{'neuroncore_utilization':3},'':{'neuroncore_utilization':4},"
                      "'0':null,'1':[1]")));
    assert_int_equal(host->core_count, 6); // more than the hardware information promised
    assert_int_equal(host->chip_count, 3);
    assert_figure(host->cores[5].utilization_percent, 50);
    assert_int_equal(host->cores[5].chip, 2);
    assert_int_equal(host->cores[5].place, 1);
    for (unsigned i = 0; i < 5; i++)
        assert_false(known_f64(host->cores[i].utilization_percent));
    host_free(host);
    host = host_of("{'neuron_runtime_data':[{'pid':1,'report':{" CORES(
        "'4095':{'neuroncore_utilization':9}") "}}]}");
    assert_int_equal(host->core_count, 4096); // nothing tells of chips: one holds all
    assert_figure(host->cores[4095].utilization_percent, 9);
    host_free(host);
}

// Absurd counts are no facts and take no memory.
static void test_absurd_hardware(void **state)
{
    (void)state;
    struct host *host = host_of("{'neuron_hardware_info':{'neuron_device_count':4000000000,"
                                "'neuroncore_per_device_count':1000000,"
                                "'logical_neuroncore_config':9}}");
    assert_int_equal(host->chip_count, 0);
    assert_false(known_u64(host->hardware.chips));
    assert_false(known_u64(host->hardware.lnc));
    host_free(host);
    host = host_of("{'neuron_hardware_info':{'neuron_device_count':1024,"
                   "'neuroncore_per_device_count':64}}");
    assert_int_equal(host->core_count, 4096);
    assert_int_equal(host->chip_count, 64);
    host_free(host);
}

// Listing a core is no ownership; memory on it is, and so is a model.
static void test_ownership(void **state)
{
    (void)state;
    struct host *host =
        host_of(RUNTIME(CORES("'0':{'neuroncore_utilization':40},'1':{'neuroncore_utilization':"
                              "60}") ","
                                     "'memory_used':{'period':1,'neuron_runtime_used_bytes':{'"
                                     "host':1,'neuron_device':100,"
                                     "'usage_breakdown':{'neuroncore_memory_usage':{'0':{'"
                                     "tensors':60,'constants':30},"
                                     "'1':{'tensors':0}}}},'loaded_models':[]}"));
    const struct process *process = &host->processes[0];
    assert_true(core_set_has(&process->cores, 0));
    assert_int_equal(core_set_count(&process->cores), 1);
    assert_int_equal(host->cores[0].owner_count, 1);
    assert_int_equal(host->cores[1].owner_count, 0);
    assert_true(host->cores[1].owners_known);
    assert_figure(process->utilization_percent, 40); // of the core it owns
    assert_count(host->cores[0].memory_used_bytes, 90);
    assert_count(process->memory[MEM_OTHER], 10); // the total is right, the rest has no name
    assert_count(host->chips[0].memory_used_bytes, 90);
    host_free(host);
    host = host_of(RUNTIME(
        "'memory_used':{'period':1,'neuron_runtime_used_bytes':{'neuron_device':0},'loaded_models':"
        "[{'model_id':2,'subgraphs':{'sg_00':{'neuroncore_index':1,'neuron_device_index':0,"
        "'memory_used_bytes':{'neuron_device':5},'v2':{'any':'type'}}}}]}"));
    assert_int_equal(host->cores[1].owner_count, 1);
    assert_count(host->cores[1].memory_used_bytes, 5); // all that is told of the core
    host_free(host);
}

// A runtime that did not say what it holds: cores without a known owner are not free.
static void test_unknown_owner(void **state)
{
    (void)state;
    struct host *host = host_of(RUNTIME(CORES("'0':{'neuroncore_utilization':0}")));
    assert_false(host->cores[0].owners_known);
    assert_false(known_u64(host->cores[0].memory_used_bytes));
    assert_int_equal(core_state(&host->cores[1]), CORE_UNKNOWN);
    host_free(host);
    host = host_of("{'neuron_runtime_data':null," HARDWARE "}");
    assert_true(host->cores[0].owners_known); // no runtime: nobody owns anything
    assert_count(host->chips[0].memory_used_bytes, 0);
    assert_false(known_f64(host->cores[0].utilization_percent)); // but nobody measured
    host_free(host);
    host = host_of("{'system_data':{}," HARDWARE "}");
    assert_false(host->cores[0].owners_known); // the list has not come
    host_free(host);
}

// The largest over the runtimes; FLOPS and memory add up.
static void test_several_runtimes(void **state)
{
    (void)state;
#define ONE(pid, use, flops, bytes)                                                \
    "{'pid':" pid ",'neuron_runtime_tag':'x','report':{" CORES(                    \
        "'0':{'neuroncore_utilization':" use ",'flops':1,'effective_flops':" flops \
        "}") ","                                                                   \
             "'memory_used':{'neuron_runtime_used_bytes':{'neuron_device':" bytes  \
             ",'usage_breakdown':"                                                 \
             "{'neuroncore_memory_usage':{'0':{'tensors':" bytes "}}}}}}}"
    struct host *host = host_of("{'neuron_runtime_data':[" ONE("9", "10", "100", "5") "," ONE(
        "3", "70", "200", "6") "," ONE("5", "0", "0", "0") "]," HARDWARE "}");
#undef ONE
    assert_int_equal(host->process_count, 3);
    assert_int_equal(host->processes[0].pid.value, 3); // sorted
    assert_int_equal(host->processes[1].pid.value, 5);
    assert_int_equal(host->processes[2].pid.value, 9);
    assert_figure(host->cores[0].utilization_percent, 70);
    assert_figure(host->cores[0].flops_per_second, 300);
    assert_count(host->cores[0].memory_used_bytes, 11);
    assert_int_equal(host->cores[0].owner_count, 2);
    assert_int_equal(host->cores[0].owners[0], 0);
    assert_int_equal(host->cores[0].owners[1], 2);
    assert_int_equal(host->chips[0].owner_count, 2);
    host_free(host);
}

static void test_physical_cores(void **state)
{
    (void)state;
    struct host *host = host_of("{'neuron_runtime_data':[{'pid':1,'report':{" CORES(
        "'1':{'neuroncore_utilization':42.01,'v3d':{'nc_v3.3':{'neuroncore_utilization':63.01},"
        "'nc_v3.2':{'neuroncore_utilization':21.01},'junk':3}},"
        "'0':{'neuroncore_utilization':5,'v3d':{'nc_v3':{'1':{'neuroncore_utilization':6},"
        "'0':{'neuroncore_utilization':4}}}}") "}}],"
                                               "'neuron_hardware_info':{'neuron_device_type':'"
                                               "trainium2','neuroncore_version':'v3d',"
                                               "'neuron_device_count':1,'neuroncore_per_device_"
                                               "count':4}}");
    assert_int_equal(host->cores[1].physical_count, 2);
    assert_int_equal(host->cores[1].physical[0].index, 2);
    assert_figure(host->cores[1].physical[0].utilization_percent, 21.01);
    assert_figure(host->cores[1].physical[1].utilization_percent, 63.01);
    assert_int_equal(host->cores[0].physical_count, 2);
    assert_int_equal(host->cores[0].physical[1].index, 1);
    assert_string_equal(host->hardware.neuroncore, "v3");
    assert_count(host->hardware.lnc, 2);
    assert_int_equal(host->cores[0].numbering, NUMBERING_MONITOR);
    host_free(host);
}

// A group that failed has no numbers, not the old ones and not 0; its words are kept.
static void test_group_error(void **state)
{
    (void)state;
    struct report *report = report_new(1);
    take(report,
         RUNTIME(CORES(
             "'0':{'neuroncore_utilization':90}") ","
                                                  "'neuron_runtime_vcpu_usage':{'period':1,'vcpu_"
                                                  "usage':{'user':5,'system':1},'error':''}"),
         0);
    take(report,
         RUNTIME("'neuroncore_counters':{'period':1,'neuroncores_in_use':"
                 "{'0':{'neuroncore_utilization':0}},'error':'runtime is not responding'},"
                 "'neuron_runtime_vcpu_usage':{'period':1,'vcpu_usage':{'user':0,'system':0},"
                 "'error':'open /proc/7/stat: no such file or directory'}"),
         1);
    struct host *host = snapshot(report, 1);
    const struct process *process = &host->processes[0];
    assert_false(known_f64(host->cores[0].utilization_percent));
    assert_false(known_f64(process->cpu_user_percent));
    assert_string_equal(process->groups[GROUP_CORES].error, "runtime is not responding");
    assert_string_equal(process->groups[GROUP_CPU].error,
                        "open /proc/7/stat: no such file or directory");
    assert_null(process->groups[GROUP_MEMORY].error);
    assert_false(known_f64(process->groups[GROUP_MEMORY].age_seconds));
    host_free(host);
    take(report,
         "{'neuron_runtime_data':[{'pid':7,'neuron_runtime_tag':'t','error':'gone\\u001b[31m"
         "\\nwrong','report':{}}]}",
         2);
    host = snapshot(report, 2);
    assert_string_equal(host->processes[0].error, "gone\xef\xbf\xbd[31m\xef\xbf\xbdwrong");
    assert_null(host->processes[0].groups[GROUP_CORES].error);
    host_free(host);
    report_free(report);
}

// What a report leaves out stays, ages, and is stale after three of its own periods.
static void test_kept_and_stale(void **state)
{
    (void)state;
    struct report *report = report_new(5);
    take(report,
         "{'neuron_runtime_data':[{'pid':7,'neuron_runtime_tag':'t','report':{" CORES(
             "'0':{'neuroncore_utilization':90}") "}}],'system_data':{'neuron_hw_counters':{'"
                                                  "period':2,"
                                                  "'neuron_devices':[{'neuron_device_index':0,'mem_"
                                                  "ecc_corrected':4}]}}," HARDWARE "}",
         10);
    take(report, "{'system_data':{'memory_info':{'period':1,'memory_used_bytes':8}}}", 11);
    struct host *host = snapshot(report, 12);
    assert_figure(host->cores[0].utilization_percent, 90);
    assert_false(host->cores[0].utilization_percent.stale);
    assert_figure(host->processes[0].groups[GROUP_CORES].age_seconds, 2);
    assert_figure(host->processes[0].groups[GROUP_CORES].period_seconds, 1);
    host_free(host);
    host = snapshot(report, 13.5);
    assert_true(host->cores[0].utilization_percent.stale);
    assert_true(host->processes[0].shares[0].utilization_percent.stale);
    assert_count(host->chips[0].ecc.mem_corrected, 4);
    assert_false(host->chips[0].ecc.mem_corrected.stale); // its own period is 2 s
    host_free(host);
    host = snapshot(report, 16.5);
    assert_true(host->chips[0].ecc.mem_corrected.stale);
    assert_true(host->machine.memory_used_bytes.stale);
    host_free(host);
    report_free(report);
}

// After the first report, whose periods are fragments, the next may take as long as is expected.
static void test_first_report_stays_fresh(void **state)
{
    (void)state;
    struct report *report = report_new(5);
    take(report,
         "{'neuron_runtime_data':[],'system_data':{'memory_info':{'period':0.0005,"
         "'memory_used_bytes':8},'vcpu_usage':{'period':0.0005,'average_usage':"
         "{'user':0,'system':0,'idle':100}}}}",
         0);
    struct host *host = snapshot(report, 14);
    assert_false(host->live_rates);
    assert_count(host->machine.memory_used_bytes, 8);
    assert_false(host->machine.memory_used_bytes.stale);
    assert_false(known_f64(host->machine.cpu_user_percent)); // idle over half a millisecond
    host_free(host);
    host = snapshot(report, 15.1);
    assert_true(host->machine.memory_used_bytes.stale);
    host_free(host);
    report_free(report);
}

// A runtime that is no longer listed is gone with all it had; a report without a list says nothing.
static void test_runtimes_come_and_go(void **state)
{
    (void)state;
#define ENTRY(pid, tag)                         \
    "{'pid':" pid ",'neuron_runtime_tag':'" tag \
    "','report':{" CORES("'0':{'neuroncore_utilization':" pid "}") "}}"
#define SILENT(pid, tag) "{'pid':" pid ",'neuron_runtime_tag':'" tag "','report':{}}"
    struct report *report = report_new(1);
    take(report,
         "{'neuron_runtime_data':[" ENTRY("1", "a") "," ENTRY("2", "b") "," ENTRY("2", "c") "]}",
         0);
    take(report, "{'neuron_runtime_data':[" SILENT("2", "c") "," SILENT("1", "a") "]}", 1);
    struct host *host = snapshot(report, 1);
    assert_int_equal(host->process_count, 2);
    assert_string_equal(host->processes[0].tag, "a");
    assert_figure(host->processes[0].shares[0].utilization_percent, 1); // its own, kept
    assert_string_equal(host->processes[1].tag, "c");
    host_free(host);
    take(report, "{'system_data':{}}", 2);
    host = snapshot(report, 2);
    assert_int_equal(host->process_count, 2);
    host_free(host);
    take(report, "{'neuron_runtime_data':null}", 3);
    host = snapshot(report, 3);
    assert_int_equal(host->process_count, 0);
    host_free(host);
    take(report, "{'neuron_runtime_data':[" SILENT("1", "a") "]}", 4);
    host = snapshot(report, 4);
    assert_int_equal(host->processes[0].share_count, 0); // another life
    host_free(host);
    report_free(report);
}

// Two entries with the same pid and tag are two processes, none takes the other's values.
static void test_twins(void **state)
{
    (void)state;
    struct host *host =
        host_of("{'neuron_runtime_data':[" ENTRY("1", "a") "," ENTRY("1", "a") ",null,3,'x']}");
    assert_int_equal(host->process_count, 2);
    host_free(host);
}

// A stale figure of one runtime does not hide the current one of another.
static void test_current_beats_stale(void **state)
{
    (void)state;
    struct report *report = report_new(1);
    take(report, "{'neuron_runtime_data':[" ENTRY("90", "a") "," ENTRY("20", "b") "]}", 0);
    take(report, "{'neuron_runtime_data':[" SILENT("90", "a") "," ENTRY("20", "b") "]}", 5);
    struct host *host = snapshot(report, 5);
    assert_figure(host->cores[0].utilization_percent, 20);
    assert_false(host->cores[0].utilization_percent.stale);
    host_free(host);
    report_free(report);
}

static void test_rates(void **state)
{
    (void)state;
#define EXECUTION(period)                                                                         \
    "'execution_stats':{'period':" period ",'error_summary':{'generic':500,"                      \
    "'numerical':3},'execution_summary':{'completed':260},'latency_stats':{'total_latency':null," \
    "'device_latency':{'p50':0.01,'p99':0.02}},'error':''}"
    struct host *host = host_of(RUNTIME(EXECUTION("2")));
    const struct process *process = &host->processes[0];
    assert_figure(process->executions_per_second[EXEC_COMPLETED], 130);
    assert_figure(process->errors_per_second[ERR_NUMERICAL], 1.5);
    assert_count(process->errors_in_period[ERR_GENERIC], 500);
    assert_false(known_f64(process->errors_per_second[ERR_GENERIC])); // a count since the start
    assert_false(known_f64(process->latency_total.seconds[P50]));
    assert_figure(process->latency_device.seconds[P50], 0.01);
    assert_figure(process->latency_device.seconds[P99], 0.02);
    assert_false(known_f64(process->latency_device.seconds[P100]));
    assert_true(host->live_rates);
    host_free(host);
    host = host_of(RUNTIME(EXECUTION("0.06")));
    assert_false(known_f64(host->processes[0].executions_per_second[EXEC_COMPLETED]));
    assert_count(host->processes[0].executions_in_period[EXEC_COMPLETED], 260);
    assert_false(host->live_rates);
    host_free(host);
    host = host_of(RUNTIME(EXECUTION("0")));
    assert_false(known_f64(host->processes[0].executions_per_second[EXEC_COMPLETED]));
    host_free(host);
}

// The names of the 1.0 beta (reference, section 5).
static void test_beta_names(void **state)
{
    (void)state;
    struct host *host = host_of(
        "{'runtime_data':[{'runtime_index':3,'report':{'nc_counters':{'period':1,'neuron_cores':"
        "{'0':{'neuroncore_utilization':12}}},'inference_stats':{'period':1,'inference_summary':"
        "{'completed':9}},'runtime_cpu_usage':{'period':1,'vcpu_usage':{'user':4}},'memory_used':"
        "{'period':1,'runtime_memory':{'host':50,'device':60},'loaded_models':[{'name':'m',"
        "'model_id':1,'memory_used_bytes':{'host':1,'device':2},'subgraphs':{'sg00':"
        "{'neuron_core':1,'neuron_device':0,'memory_used_bytes':{'host':1,'device':2}}}}]}}}],"
        "'system_data':{'cpu_usage':{'period':1,'average_usage':{'user':7}}},"
        "'instance_data':{'instance_type':'inf1.xlarge'}}");
    const struct process *process = &host->processes[0];
    assert_string_equal(process->tag, "neuron-rtd 3");
    assert_false(known_u64(process->pid));
    assert_figure(host->cores[0].utilization_percent, 12);
    assert_figure(process->executions_per_second[EXEC_COMPLETED], 9);
    assert_figure(process->cpu_user_percent, 4);
    assert_count(process->memory_host_bytes, 50);
    assert_count(process->memory_device_bytes, 60);
    assert_int_equal(host->cores[1].owner_count, 1);
    assert_count(host->cores[1].memory_used_bytes, 2);
    assert_figure(host->machine.cpu_user_percent, 7);
    assert_int_equal(host->hardware.generation->id, GEN_INF1);
    host_free(host);
}

// Hardware from the instance type, where the report has none.
static void test_hardware_from_type(void **state)
{
    (void)state;
    struct host *host = host_of("{'instance_info':{'instance_type':'trn2.48xlarge'},"
                                "'neuron_hardware_info':{'neuron_device_count':2,"
                                "'neuroncore_per_device_count':8}}");
    assert_string_equal(host->hardware.chip, "Trainium2");
    assert_count(host->hardware.lnc, 1); // 8 logical of 8 physical cores
    assert_int_equal(host->hardware.lnc.from, FROM_DERIVED);
    assert_count(host->hardware.chips, 2);
    assert_int_equal(host->core_count, 16);
    assert_int_equal(host->cores[0].memory_shared_by, 2); // a bank for two
    assert_count(host->cores[0].memory_limit_bytes, 24ull << 30);
    assert_count(host->chips[0].memory_total_bytes, 96ull << 30);
    assert_int_equal(host->chips[0].memory_total_bytes.from, FROM_TABLE);
    host_free(host);
    host = host_of("{'instance_info':{'instance_type':'p5.48xlarge'},'neuron_hardware_info':"
                   "{'neuron_device_type':'trainium9','neuron_device_count':1,"
                   "'neuroncore_per_device_count':3}}");
    assert_null(host->hardware.generation);
    assert_string_equal(host->hardware.chip, "trainium9"); // what the source called it
    assert_int_equal(host->core_count, 3);
    assert_false(known_u64(host->cores[0].memory_limit_bytes));
    host_free(host);
}

// The metadata service is busy now and then; the host's type does not change for that.
static void test_instance_is_kept(void **state)
{
    (void)state;
    struct report *report = report_new(1);
    take(report,
         "{'instance_info':{'instance_type':'trn1.2xlarge','instance_id':'i-1',"
         "'instance_name':'','ultraserver_id':'u-1','error':''}}",
         0);
    take(report, "{'instance_info':{'instance_type':'','instance_id':'i-1','error':'no answer'}}",
         1);
    struct host *host = snapshot(report, 1);
    assert_string_equal(host->instance.type, "trn1.2xlarge");
    assert_string_equal(host->instance.ultraserver_id, "u-1");
    assert_string_equal(host->instance.error, "no answer");
    assert_null(host->instance.name);
    host_free(host);
    report_free(report);
}

static void test_pods(void **state)
{
    (void)state;
    struct host *host = host_of(
        "{'neuron_hardware_info':{'neuron_device_count':2,'neuroncore_per_device_count':2},"
        "'neuron_k8s_info':{'period':15,'error':'','neuroncores_k8s_info':{'0':{'pod_name':'a',"
        "'namespace':'n','container_name':['x','y']},'9':{'pod_name':'z'},'1':null},"
        "'neurondevices_k8s_info':{'1':{'pod_name':'b','container_name':'plain'}}}}");
    assert_string_equal(host->cores[0].pod, "a");
    assert_string_equal(host->cores[0].pod_namespace, "n");
    assert_string_equal(host->cores[0].container, "x,y");
    assert_null(host->cores[1].pod);
    assert_string_equal(host->cores[2].pod, "b");
    assert_string_equal(host->cores[3].container, "plain");
    assert_null(host->cores[3].pod_namespace);
    host_free(host);
}

static void test_machine(void **state)
{
    (void)state;
    struct host *host = host_of(
        "{'system_data':{'vcpu_usage':{'period':1,'average_usage':{'user':10,'nice':2,'system':3,"
        "'idle':70,'io_wait':4,'irq':0.5,'soft_irq':0.25},'usage_data':{'0':{},'1':{},'2':{}},"
        "'error':''},'memory_info':{'period':1,'memory_total_bytes':100,'error':'half'}}}");
    assert_figure(host->machine.cpu_user_percent, 12);
    assert_figure(host->machine.cpu_system_percent, 7.75);
    assert_count(host->machine.cpus, 3);
    assert_false(known_u64(host->machine.memory_total_bytes));
    assert_string_equal(host->machine.memory_error, "half");
    host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_a_report),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_core_keys),
        cmocka_unit_test(test_absurd_hardware),
        cmocka_unit_test(test_ownership),
        cmocka_unit_test(test_unknown_owner),
        cmocka_unit_test(test_several_runtimes),
        cmocka_unit_test(test_physical_cores),
        cmocka_unit_test(test_group_error),
        cmocka_unit_test(test_kept_and_stale),
        cmocka_unit_test(test_first_report_stays_fresh),
        cmocka_unit_test(test_runtimes_come_and_go),
        cmocka_unit_test(test_twins),
        cmocka_unit_test(test_current_beats_stale),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_beta_names),
        cmocka_unit_test(test_hardware_from_type),
        cmocka_unit_test(test_instance_is_kept),
        cmocka_unit_test(test_pods),
        cmocka_unit_test(test_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
