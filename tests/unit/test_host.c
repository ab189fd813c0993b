// SPDX-License-Identifier: Apache-2.0
// The snapshot: totals that keep unknown apart from zero, selection by PID, states, labels, words.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "host/host.h"

// Two chips of two cores; processes 100 (cores 0, 1), 200 (core 2) and one without a PID (core 2).
static struct host *small_host(void)
{
    static const unsigned first[] = {0}, second[] = {1, 2};
    struct host *host = host_new();
    host->chip_count = 2;
    host->chips = ARENA_ARRAY(host->arena, 2, struct chip);
    host->core_count = 4;
    host->cores = ARENA_ARRAY(host->arena, 4, struct core);
    host->process_count = 3;
    host->processes = ARENA_ARRAY(host->arena, 3, struct process);
    host->processes[0].pid = fact_u64(100, FROM_DEMO);
    host->processes[1].pid = fact_u64(200, FROM_DEMO);
    host->processes[2].tag = "rtd";
    for (unsigned i = 0; i < 4; i++) {
        host->cores[i].index = i;
        host->cores[i].chip = i / 2;
        host->cores[i].owners_known = true;
    }
    host->cores[0].owners = host->cores[1].owners = host->chips[0].owners = first;
    host->cores[0].owner_count = host->cores[1].owner_count = host->chips[0].owner_count = 1;
    host->cores[2].owners = host->chips[1].owners = second;
    host->cores[2].owner_count = host->chips[1].owner_count = 2;
    return host;
}

static void a_new_host_knows_nothing(void **state)
{
    (void)state;
    struct host *host = host_new();
    assert_false(known_u64(host_memory_used(host)));
    assert_false(known_u64(host_memory_total(host)));
    assert_false(known_f64(host_utilization(host)));
    assert_false(known_f64(host_flops(host)));
    assert_string_equal(host_memory_word(host), "MEM");
    host_select_pids(host, NULL, 0);
    assert_int_equal(host->process_count, 0);
    host_free(host);
    host_free(NULL);
}

static void totals_leave_out_the_unknown(void **state)
{
    (void)state;
    struct host *host = small_host();
    host->chips[0].memory_used_bytes = fact_u64(1000, FROM_MONITOR);
    host->chips[1].memory_total_bytes = fact_u64(5000, FROM_TABLE);
    host->cores[1].utilization_percent = fact_f64(50, FROM_MONITOR);
    host->cores[3].utilization_percent = fact_f64(0, FROM_MONITOR);
    host->cores[3].flops_per_second = fact_f64(2e12, FROM_MONITOR);
    assert_int_equal(host_memory_used(host).value, 1000);
    assert_int_equal(host_memory_used(host).from, FROM_MONITOR);
    assert_int_equal(host_memory_total(host).value, 5000);
    assert_float_equal(host_utilization(host).value, 25, 1e-9); // of the two that have one
    assert_float_equal(host_flops(host).value, 2e12, 1);
    assert_false(host_utilization(host).stale);
    host->cores[3].utilization_percent.stale = true;
    assert_true(host_utilization(host).stale);
    host_free(host);
}

static void sums_do_not_wrap(void **state)
{
    (void)state;
    struct host *host = small_host();
    host->chips[0].memory_used_bytes = fact_u64(UINT64_MAX - 1, FROM_MONITOR);
    host->chips[1].memory_used_bytes = fact_u64(7, FROM_MONITOR);
    assert_true(host_memory_used(host).value == UINT64_MAX);
    host_free(host);
}

static void memory_is_hbm_where_there_is_hbm(void **state)
{
    (void)state;
    struct host *host = host_new();
    host->hardware.generation = generation_get(GEN_TRN2);
    assert_string_equal(host_memory_word(host), "HBM");
    host->hardware.generation = generation_get(GEN_INF2);
    assert_string_equal(host_memory_word(host), "HBM");
    host->hardware.generation = generation_get(GEN_INF1);
    assert_string_equal(host_memory_word(host), "MEM");
    host_free(host);
}

static void selection_keeps_one_process(void **state)
{
    (void)state;
    const uint64_t pids[] = {7, 200};
    struct host *host = small_host();
    host_select_pids(host, pids, 2);
    assert_int_equal(host->process_count, 1);
    assert_int_equal(host->processes[0].pid.value, 200);
    assert_int_equal(host->cores[0].owner_count, 0);
    assert_int_equal(host->cores[2].owner_count, 1);
    assert_int_equal(host->cores[2].owners[0], 0); // its new place
    assert_int_equal(host->chips[0].owner_count, 0);
    assert_int_equal(host->chips[1].owner_count, 1);
    assert_int_equal(host->chips[1].owners[0], 0);
    assert_true(host->chips[0].unselected); // no finding is about it
    assert_false(host->chips[1].unselected);
    assert_int_equal(host->cores[0].unselected, 1);
    assert_int_equal(host->missing_count, 1);
    assert_int_equal(host->missing[0], 7);
    host_free(host);
}

static void a_core_of_a_hidden_owner_is_not_free(void **state)
{
    (void)state;
    const uint64_t pids[] = {200};
    struct host *host = small_host();
    host_select_pids(host, pids, 1);
    assert_int_equal(core_state(&host->cores[0]), CORE_HELD);
    assert_int_equal(host->cores[0].hidden_owners, 1);
    assert_int_equal(host->cores[2].hidden_owners, 1);
    assert_int_equal(core_state(&host->cores[3]), CORE_FREE);
    host_free(host);
}

static void selection_of_nothing_hides_all(void **state)
{
    (void)state;
    const uint64_t pids[] = {0, UINT64_MAX}; // an unknown PID is neither
    struct host *host = small_host();
    host_select_pids(host, pids, 2);
    assert_int_equal(host->process_count, 0);
    assert_int_equal(host->cores[2].owner_count, 0);
    assert_int_equal(host->cores[2].hidden_owners, 2);
    host_free(host);
}

static void states_of_a_core(void **state)
{
    (void)state;
    struct core core = {0};
    assert_int_equal(core_state(&core), CORE_UNKNOWN);
    core.utilization_percent = fact_f64(0, FROM_SYSFS);
    assert_int_equal(core_state(&core), CORE_UNKNOWN); // idle, but who knows for whom
    core.owners_known = true;
    assert_int_equal(core_state(&core), CORE_FREE);
    core.owner_count = 1;
    assert_int_equal(core_state(&core), CORE_HELD);
    core.utilization_percent = fact_f64(0.049, FROM_SYSFS);
    assert_int_equal(core_state(&core), CORE_HELD);
    core.utilization_percent = fact_f64(0.05, FROM_SYSFS);
    assert_int_equal(core_state(&core), CORE_BUSY);
    core.utilization_percent.stale = true; // that was then
    assert_int_equal(core_state(&core), CORE_HELD);
    core = (struct core){.utilization_percent = fact_f64(57, FROM_SYSFS)};
    assert_int_equal(core_state(&core), CORE_BUSY);
}

static void check_label(uint64_t pid, const char *tag, const char *command, const char *expected)
{
    char label[PROCESS_LABEL];
    struct process process = {.tag = tag, .command = command};
    if (pid != 0)
        process.pid = fact_u64(pid, FROM_DEMO);
    assert_string_equal(process_label(&process, label, sizeof(label)), expected);
}

static void labels_say_the_most_in_a_word(void **state)
{
    (void)state;
    check_label(31207, "train", "python3 /x/y.py", "train");
    check_label(31207, "31207", "/usr/local/bin/torchrun train.py --nproc 32", "torchrun");
    check_label(31207, "31207", "/usr/bin/python3.10 -u /home/u/train.py --lr 1", "train.py");
    check_label(31207, NULL, "python -m vllm.entrypoints.openai.api_server --tp 8",
                "vllm.entrypoints.openai.api_server");
    check_label(31207, NULL, "python3 -c import(x)", "python3");
    check_label(31207, NULL, "python3", "python3");
    check_label(31207, NULL, "bash run.sh", "run.sh");
    check_label(31207, NULL, "pythonic x", "pythonic");
    check_label(31207, "", "  vllm serve", "vllm");
    check_label(31207, NULL, "/opt/dir/", "dir/");
    check_label(31207, NULL, NULL, "pid 31207");
    check_label(31207, "31207", "", "pid 31207");
    check_label(0, NULL, NULL, "pid -");
    check_label(0, "neuron-rtd", NULL, "neuron-rtd");
    check_label(3120, "31207", NULL, "31207");
}

static void labels_are_cut_at_whole_characters(void **state)
{
    (void)state;
    char label[6] = "xxxxx";
    struct process process = {.tag = "abc\xe2\x82\xac"};
    assert_string_equal(process_label(&process, label, 6), "abc");
    assert_string_equal(process_label(&process, label, 1), "");
    process.tag = "abcdefgh";
    assert_string_equal(process_label(&process, label, 6), "abcde");
}

static void cpu_is_user_and_system(void **state)
{
    (void)state;
    struct process process = {0};
    assert_false(known_f64(process_cpu_percent(&process)));
    process.cpu_system_percent = fact_f64(2, FROM_MONITOR);
    assert_float_equal(process_cpu_percent(&process).value, 2, 1e-9);
    process.cpu_user_percent = fact_f64(23, FROM_MONITOR);
    assert_float_equal(process_cpu_percent(&process).value, 25, 1e-9);
}

static void words_are_those_of_the_interface(void **state)
{
    (void)state;
    assert_string_equal(source_state_word(SOURCE_LIVE), "live");
    assert_string_equal(source_state_word(SOURCE_DENIED), "denied");
    assert_string_equal(source_state_word(SOURCE_ENDED), "ended");
    assert_string_equal(numbering_word(NUMBERING_MONITOR), "monitor");
    assert_string_equal(memory_category_key(MEM_MODEL_SHARED_SCRATCHPAD),
                        "model_shared_scratchpad_bytes");
    assert_string_equal(memory_category_key(MEM_UNCATEGORIZED), "uncategorized_bytes");
    assert_string_equal(memory_category_label(MEM_MODEL_CODE), "Model code");
    assert_string_equal(host_memory_category_key(HOSTMEM_APPLICATION), "application_memory_bytes");
    assert_string_equal(health_word(HEALTH_UNHEALTHY), "unhealthy");
    assert_string_equal(process_state_word(PROCESS_GONE), "gone");
    assert_string_equal(execution_key(EXEC_FAILED_TO_QUEUE), "failed_to_queue");
    assert_string_equal(error_kind_key(ERR_NUMERICAL), "numerical");
    assert_string_equal(percentile_key(P99), "p99");
    assert_string_equal(group_word(GROUP_CPU), "cpu");
    assert_string_equal(core_state_word(CORE_HELD), "held");
}

// No enum value is left without a word, and no two share one.
static void check_words(const char *(*word)(unsigned), unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        assert_true(i == 0 || strcmp(word(i), "unknown") != 0);
        for (unsigned j = 0; j < i; j++)
            assert_string_not_equal(word(i), word(j));
    }
    assert_string_equal(word(count), "unknown");
}

#define WORD(function, type)                         \
    static const char *of_##function(unsigned value) \
    {                                                \
        return function((type)value);                \
    }

WORD(source_state_word, enum source_state)
WORD(numbering_word, enum numbering)
WORD(memory_category_key, enum memory_category)
WORD(memory_category_label, enum memory_category)
WORD(host_memory_category_key, enum host_memory_category)
WORD(host_memory_category_label, enum host_memory_category)
WORD(health_word, enum health)
WORD(process_state_word, enum process_state)
WORD(execution_key, enum execution)
WORD(error_kind_key, enum error_kind)
WORD(percentile_key, enum percentile)
WORD(group_word, enum group)
WORD(core_state_word, enum core_state)

static void every_value_has_a_word(void **state)
{
    (void)state;
    check_words(of_source_state_word, SOURCE_ENDED + 1);
    check_words(of_numbering_word, NUMBERING_MONITOR + 1);
    check_words(of_memory_category_key, MEM_CATEGORIES);
    check_words(of_memory_category_label, MEM_CATEGORIES);
    check_words(of_host_memory_category_key, HOSTMEM_CATEGORIES);
    check_words(of_host_memory_category_label, HOSTMEM_CATEGORIES);
    check_words(of_health_word, HEALTH_UNHEALTHY + 1);
    check_words(of_process_state_word, PROCESS_GONE + 1);
    check_words(of_execution_key, EXECUTIONS);
    check_words(of_error_kind_key, ERROR_KINDS);
    check_words(of_percentile_key, PERCENTILES);
    check_words(of_group_word, GROUPS);
    check_words(of_core_state_word, CORE_BUSY + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_host_knows_nothing),
        cmocka_unit_test(totals_leave_out_the_unknown),
        cmocka_unit_test(sums_do_not_wrap),
        cmocka_unit_test(memory_is_hbm_where_there_is_hbm),
        cmocka_unit_test(selection_keeps_one_process),
        cmocka_unit_test(a_core_of_a_hidden_owner_is_not_free),
        cmocka_unit_test(selection_of_nothing_hides_all),
        cmocka_unit_test(states_of_a_core),
        cmocka_unit_test(labels_say_the_most_in_a_word),
        cmocka_unit_test(labels_are_cut_at_whole_characters),
        cmocka_unit_test(cpu_is_user_and_system),
        cmocka_unit_test(words_are_those_of_the_interface),
        cmocka_unit_test(every_value_has_a_word),
    };
    return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
