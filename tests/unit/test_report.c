// SPDX-License-Identifier: Apache-2.0
// From reports to a snapshot: small reports written here, for each rule of the neuron-monitor JSON
// reference one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report_run.h"

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

#define HELD(total, rest)                                                                        \
    RUNTIME(                                                                                     \
        "'memory_used':{'period':1,'neuron_runtime_used_bytes':{'host':1,'neuron_device':" total \
            rest "}")

// A runtime that holds memory that lies on no core that is known may hold any: none is free.
static void test_unplaced_memory(void **state)
{
    (void)state;
    static const char *const reports[] = {
        HELD("100", ",'usage_breakdown':{'neuroncore_memory_usage':{}}}"),
        HELD("100", "},'loaded_models':[]"),
        HELD("100", ",'usage_breakdown':{'neuroncore_memory_usage':{'0':[100],'1':[0]}}}"),
        HELD("100", ",'usage_breakdown':{'neuroncore_memory_usage':{'0':{'tensors':-100}}}}"),
        HELD("'?'", ",'usage_breakdown':{'neuroncore_memory_usage':{'0':{'tensors':-100}}}}"),
        HELD("100", ",'usage_breakdown':{'neuroncore_memory_usage':{'00':{'tensors':100}}}}"),
        HELD("0", "},'loaded_models':[{'model_id':1,'subgraphs':{'sg_00':{'neuroncore_index':2,"
                  "'neuron_device_index':0,'memory_used_bytes':{'neuron_device':5}}}}]"),
    };
    for (size_t i = 0; i < sizeof(reports) / sizeof(reports[0]); i++) {
        struct host *host = host_of(reports[i]);
        assert_int_equal(host->core_count, 2);
        for (unsigned core = 0; core < 2; core++) {
            assert_false(host->cores[core].owners_known);
            assert_false(known_u64(host->cores[core].memory_used_bytes));
        }
        assert_false(known_u64(host->chips[0].memory_used_bytes));
        host_free(host);
    }
    struct host *host = host_of(
        HELD("100", ",'usage_breakdown':{'neuroncore_memory_usage':{'0':{'tensors':90}}}}"));
    assert_count(host->cores[0].memory_used_bytes, 90);
    assert_count(host->processes[0].memory[MEM_OTHER], 10); // the total is right
    assert_int_equal(host->cores[0].owner_count, 1);
    assert_false(host->cores[1].owners_known); // the rest may be there
    assert_false(known_u64(host->chips[0].memory_used_bytes));
    host_free(host);
}

// No other process is meant by a number that no process can have.
static void test_pids(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t pid; // 0: unknown
    } cases[] = {{"1", 1},     {"4194304", 4194304},       {"4194305", 0}, {"4294967295", 0},
                 {"'12'", 12}, {"1234.0", 1234},           {"1234.9", 0},  {"-1", 0},
                 {"0", 0},     {"18446744073709551615", 0}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[128];
        snprintf(text, sizeof(text), "{'neuron_runtime_data':[{'pid':%s}]}", cases[i].text);
        struct host *host = host_of(text);
        assert_int_equal(host->process_count, 1);
        assert_int_equal(known_u64(host->processes[0].pid), cases[i].pid != 0);
        assert_int_equal(host->processes[0].pid.value, cases[i].pid);
        host_free(host);
    }
}

static struct host *host_of_runtimes(unsigned count)
{
    char *text = malloc((size_t)count * 128 + 1024);
    size_t used = (size_t)sprintf(text, "{" HARDWARE ",'neuron_runtime_data':[");
    for (unsigned i = 0; i < count; i++)
        used += (size_t)sprintf(text + used,
                                "%s{'pid':%u,'report':{'memory_used':{'neuron_runtime_used_bytes':{"
                                "'neuron_device':0}}}}",
                                i > 0 ? "," : "", i + 1);
    sprintf(text + used, "]}");
    struct report *report = report_new(1);
    take(report, text, 0);
    take(report, text, 1); // each is found again, however long the list
    struct host *host = snapshot(report, 1);
    report_free(report);
    free(text);
    return host;
}

// All runtimes of a long list are there; of an absurd one it is said that some are left out.
static void test_many_runtimes(void **state)
{
    (void)state;
    struct host *host = host_of_runtimes(1500);
    assert_int_equal(host->process_count, 1500);
    assert_true(host->cores[1].owners_known);
    assert_null(host->hardware.error);
    host_free(host);
    host = host_of_runtimes(16387);
    assert_int_equal(host->process_count, 16384);
    assert_false(host->cores[1].owners_known);
    assert_false(known_u64(host->cores[1].memory_used_bytes));
    assert_string_equal(host->hardware.error, "3 runtimes beyond the first 16384 are left out");
    host_free(host);
}

// Where the hardware information and what the groups tell contradict each other, no line of ours
// contradicts itself.
static void test_contradictions(void **state)
{
    (void)state;
    static const char cores[] = "'neuron_runtime_data':[{'pid':1,'report':{" CORES(
        "'5':{'neuroncore_utilization':1}") "}}]";
    char text[1024];
    snprintf(text, sizeof(text),
             "{'neuron_hardware_info':{'neuron_device_type':'trainium','neuron_device_count':0,"
             "'neuroncore_per_device_count':2,'neuron_device_memory_size':0},%s}",
             cores);
    struct host *host = host_of(text);
    assert_int_equal(host->chip_count, 3);
    assert_count(host->hardware.chips, 3);
    assert_count(host->hardware.device_memory_bytes_per_chip, 32ull << 30); // the table's
    assert_null(host->hardware.error);
    host_free(host);
    snprintf(text, sizeof(text),
             "{'neuron_hardware_info':{'neuron_device_type':'trainium','neuron_device_count':1,"
             "'neuroncore_per_device_count':64},%s}",
             cores);
    host = host_of(text);
    assert_false(known_u64(host->hardware.physical_cores_per_chip)); // not two behind 64
    assert_false(known_u64(host->cores[0].memory_limit_bytes));
    host_free(host);
    host = host_of(RUNTIME(
        "'memory_used':{'neuron_runtime_used_bytes':{'usage_breakdown':{'neuroncore_memory_usage':{"
        "'0':{'tensors':34359738368},'1':{'tensors':1}}}}}"));
    assert_count(host->chips[0].memory_used_bytes, (32ull << 30) + 1);
    assert_false(known_u64(host->chips[0].memory_total_bytes)); // 32 GiB cannot be right
    host_free(host);
    host = host_of(RUNTIME(CORES("'4096':{'neuroncore_utilization':1}")));
    assert_string_equal(host->hardware.error, "logical cores above NC 4095 are left out");
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
                                     "tensors':60,'constants':40},"
                                     "'1':{'tensors':0}}}},'loaded_models':[]}"));
    const struct process *process = &host->processes[0];
    assert_true(core_set_has(&process->cores, 0));
    assert_int_equal(core_set_count(&process->cores), 1);
    assert_int_equal(host->cores[0].owner_count, 1);
    assert_int_equal(host->cores[1].owner_count, 0);
    assert_true(host->cores[1].owners_known);
    assert_figure(process->utilization_percent, 40); // of the core it owns
    assert_count(host->cores[0].memory_used_bytes, 100);
    assert_count(host->cores[1].memory_used_bytes, 0);
    assert_count(host->chips[0].memory_used_bytes, 100);
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
        cmocka_unit_test(test_unplaced_memory),
        cmocka_unit_test(test_pids),
        cmocka_unit_test(test_many_runtimes),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_unknown_owner),
        cmocka_unit_test(test_several_runtimes),
        cmocka_unit_test(test_physical_cores),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_beta_names),
        cmocka_unit_test(test_hardware_from_type),
        cmocka_unit_test(test_pods),
        cmocka_unit_test(test_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
