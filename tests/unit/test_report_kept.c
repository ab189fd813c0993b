// SPDX-License-Identifier: Apache-2.0
// What the report reader keeps from one report to the next, for how long, and what it must not
// keep.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "report_run.h"

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

// Pods come and go: an old answer is none.
static void test_pods_are_forgotten(void **state)
{
    (void)state;
    struct report *report = report_new(1);
    take(report,
         "{'neuron_hardware_info':{'neuron_device_count':1,'neuroncore_per_device_count':2},"
         "'neuron_k8s_info':{'period':15,'neurondevices_k8s_info':{'0':{'pod_name':'a'}}}}",
         0);
    struct host *host = snapshot(report, 44);
    assert_string_equal(host->cores[1].pod, "a");
    host_free(host);
    host = snapshot(report, 46);
    assert_null(host->cores[1].pod);
    host_free(host);
    report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_group_error),
        cmocka_unit_test(test_kept_and_stale),
        cmocka_unit_test(test_first_report_stays_fresh),
        cmocka_unit_test(test_runtimes_come_and_go),
        cmocka_unit_test(test_twins),
        cmocka_unit_test(test_current_beats_stale),
        cmocka_unit_test(test_instance_is_kept),
        cmocka_unit_test(test_pods_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
