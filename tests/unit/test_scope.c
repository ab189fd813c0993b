// SPDX-License-Identifier: Apache-2.0
// Groups of processes, and the chips and cores as a tab sees them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "ui/group.h"
#include "ui/scope.h"

// One chip of four cores: two workers of launcher 100 on cores 0 and 1, a server on core 2 that
// also touches core 1, and core 3 free.
static struct host *new_host(void)
{
    static const unsigned owners[4][2] = {{0}, {1, 2}, {2}, {0}};
    static const unsigned owner_counts[4] = {1, 2, 1, 0};
    struct host *host = host_new();

    host->chip_count = 1;
    host->chips = ARENA_NEW(host->arena, struct chip);
    host->chips[0].core_count = host->core_count = 4;
    host->chips[0].memory_total_bytes = fact_u64(1000, FROM_DEMO);
    host->chips[0].memory_used_bytes = fact_u64(650, FROM_DEMO);
    host->cores = ARENA_ARRAY(host->arena, 4, struct core);
    for (unsigned i = 0; i < 4; i++) {
        host->cores[i] = (struct core){.index = i,
                                       .place = i,
                                       .owners_known = true,
                                       .owners = owners[i],
                                       .owner_count = owner_counts[i],
                                       .utilization_percent = fact_f64(i < 3 ? 80 : 0, FROM_DEMO)};
    }
    host->process_count = 3;
    host->processes = ARENA_ARRAY(host->arena, 3, struct process);
    for (unsigned i = 0; i < 3; i++) {
        struct process *process = &host->processes[i];
        struct share *shares = ARENA_ARRAY(host->arena, 2, struct share);
        process->pid = fact_u64(101 + i, FROM_DEMO);
        process->user = i < 2 ? "ubuntu" : "ml";
        process->shares = shares;
        process->share_count = 1;
        shares[0] = (struct share){.core = i,
                                   .owned = true,
                                   .utilization_percent = fact_f64(40 + 20 * i, FROM_DEMO),
                                   .memory_used_bytes = fact_u64(100 * (i + 1), FROM_DEMO)};
        process->memory_device_bytes = fact_u64(100 * (i + 1), FROM_DEMO);
        process->utilization_percent = fact_f64(40 + 20 * i, FROM_DEMO);
        process->idle_seconds = fact_f64(i == 0 ? 50 : 5, FROM_DEMO);
        core_set_add(&process->cores, i);
        core_set_add(&process->chips, 0);
    }
    for (unsigned i = 0; i < 2; i++) {
        host->processes[i].launcher_pid = fact_u64(100, FROM_DEMO);
        host->processes[i].launcher = "torchrun";
    }
    host->processes[2].tag = "server";
    struct share *more = (struct share *)host->processes[2].shares;
    more[1] = (struct share){.core = 1,
                             .owned = true,
                             .utilization_percent = fact_f64(10, FROM_DEMO),
                             .memory_used_bytes = fact_u64(50, FROM_DEMO)};
    host->processes[2].share_count = 2;
    return host;
}

static void workers_are_one_group(void **state)
{
    struct scope scope = {0};
    struct host *host = new_host();

    (void)state;
    scope_feed(&scope, host);
    assert_int_equal(scope.group_count, 2);
    const struct group_row *group = &scope.groups[0];
    assert_int_equal(group->count, 2);
    assert_string_equal(group->label, "torchrun (2)");
    assert_int_equal(group->sum.pid.value, 100);
    assert_int_equal(group->sum.memory_device_bytes.value, 300);
    assert_int_equal(core_set_count(&group->sum.cores), 2);
    assert_true(group->sum.utilization_percent.value > 49.9 &&
                group->sum.utilization_percent.value < 50.1);
    assert_true(group->sum.idle_seconds.value < 5.5); // as long as the last active worker
    assert_string_equal(group->sum.user, "ubuntu");
    assert_string_equal(group->members, "2 workers of PID 100 torchrun");
    assert_non_null(strstr(group->sum.command, "torchrun"));
    assert_string_equal(scope.groups[1].label, "server");
    assert_int_equal(scope.group_of[2], 1);
    scope_free(&scope);
    host_free(host);
}

// COUNT processes with PIDs from 101 on, each with a core and 100 bytes of device memory.
static struct host *plain_host(unsigned count)
{
    struct host *host = host_new();

    host->process_count = count;
    host->processes = ARENA_ARRAY(host->arena, count, struct process);
    for (unsigned i = 0; i < count; i++) {
        struct process *process = &host->processes[i];
        process->pid = fact_u64(101 + i, FROM_PROC);
        process->ppid = fact_u64(1, FROM_PROC);
        process->command = "python3 serve.py";
        process->memory_device_bytes = fact_u64(100, FROM_MONITOR);
        process->resident_bytes = fact_u64(10, FROM_PROC);
        core_set_add(&process->cores, i);
    }
    return host;
}

// The forks of a process that holds cores itself, with a tag each: one job, each counted once.
static void a_parent_and_its_children_are_one_group(void **state)
{
    struct scope scope = {0};
    struct host *host = plain_host(5);

    (void)state;
    host->processes[0].tag = "main";
    for (unsigned i = 1; i < 4; i++) {
        host->processes[i].ppid = fact_u64(i < 3 ? 101 : 103, FROM_PROC); // one is a grandchild
        host->processes[i].tag = i == 1 ? "a" : "b";
    }
    scope_feed(&scope, host);
    assert_int_equal(scope.group_count, 2);
    const struct group_row *group = &scope.groups[0];
    assert_int_equal(group->count, 4);
    assert_string_equal(group->members, "3 workers of PID 101 main");
    assert_string_equal(group->label, "main (4)");
    assert_int_equal(group->root_pid.value, 101);
    assert_int_equal(group->sum.pid.value, 101);
    assert_int_equal(group->sum.memory_device_bytes.value, 400);
    assert_int_equal(group->sum.resident_bytes.value, 40);
    assert_int_equal(core_set_count(&group->sum.cores), 4);
    assert_int_equal(scope.groups[1].count, 1);
    assert_string_equal(scope.groups[1].members, "");
    scope_free(&scope);
    host_free(host);
}

// Two of a service, two of a pod, two of a container, and one alone: without a parent among them.
static void services_pods_and_containers_are_groups(void **state)
{
    static const char *const members[] = {"2 processes of service vllm.service",
                                          "2 processes of pod web-0",
                                          "2 processes of container 3f2a9c81d0e4"};
    struct scope scope = {0};
    struct host *host = plain_host(7);

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        host->processes[i].launcher = "vllm.service";
        host->processes[2 + i].pod = "web-0";
        host->processes[2 + i].pod_namespace = "shop";
        host->processes[2 + i].container = i == 0 ? "aaaaaaaaaaaa" : "bbbbbbbbbbbb";
        host->processes[4 + i].container = "3f2a9c81d0e4";
    }
    scope_feed(&scope, host);
    assert_int_equal(scope.group_count, 4);
    for (unsigned i = 0; i < 6; i++) {
        const struct group_row *group = &scope.groups[scope.group_of[i]];
        assert_int_equal(group->count, 2);
        assert_string_equal(group->members, members[i / 2]);
        assert_false(known_u64(group->root_pid));
        assert_false(known_u64(group->sum.pid));
        assert_int_equal(group->sum.memory_device_bytes.value, 200);
    }
    assert_int_equal(scope.groups[scope.group_of[6]].count, 1);
    scope_free(&scope);
    host_free(host);
}

static void parents_in_a_circle_end(void **state)
{
    struct scope scope = {0};
    struct host *host = plain_host(2);

    (void)state;
    host->processes[0].ppid = fact_u64(102, FROM_PROC);
    host->processes[1].ppid = fact_u64(101, FROM_PROC);
    scope_feed(&scope, host);
    assert_true(scope.group_count >= 1);
    scope_free(&scope);
    host_free(host);
}

static void all_shows_the_host_itself(void **state)
{
    struct scope scope = {0};
    struct host *host = new_host();

    (void)state;
    scope_feed(&scope, host);
    assert_int_equal(scope_tab_count(&scope), 3);
    assert_ptr_equal(scope.cores, host->cores);
    assert_true(scope_core_mine(&scope, 3));
    assert_int_equal(scope.totals.cores_busy, 3);
    assert_int_equal(scope.totals.cores_free, 1);
    assert_int_equal(scope.totals.memory_used_bytes.value, 650);
    assert_true(scope.totals.utilization_percent.value > 59.9 &&
                scope.totals.utilization_percent.value < 60.1);
    scope_free(&scope);
    host_free(host);
}

static void a_tab_sees_only_its_own(void **state)
{
    struct scope scope = {0};
    struct host *host = new_host();

    (void)state;
    scope_feed(&scope, host);
    scope_select_tab(&scope, 2);
    assert_string_equal(scope_tab_label(&scope, 2), "server");
    assert_int_equal(scope_tab(&scope), 2);
    assert_false(scope_has(&scope, 0));
    assert_true(scope_has(&scope, 2));
    assert_false(scope_core_mine(&scope, 0));
    assert_true(scope_core_mine(&scope, 1));
    assert_true(scope.cores[1].utilization_percent.value < 10.1);
    assert_int_equal(scope.cores[1].memory_used_bytes.value, 50);
    assert_false(known_f64(scope.cores[0].utilization_percent));
    assert_int_equal(scope.chips[0].memory_used_bytes.value, 350);
    assert_int_equal(scope.totals.memory_total_bytes.value, 1000);
    assert_int_equal(core_state(&scope.cores[0]), CORE_HELD); // by another
    assert_int_equal(core_state(&scope.cores[3]), CORE_FREE);
    scope_select_tab(&scope, 0);
    assert_ptr_equal(scope.cores, host->cores);
    scope_free(&scope);
    host_free(host);
}

// A second chip of which the tab has nothing: what others use is not nothing.
static void memory_of_others_is_not_zero(void **state)
{
    struct scope scope = {0};
    struct host *host = new_host();
    struct chip *chips = ARENA_ARRAY(host->arena, 2, struct chip);

    (void)state;
    chips[0] = host->chips[0];
    chips[1] = (struct chip){.index = 1, .memory_used_bytes = fact_u64(500, FROM_DEMO)};
    host->chips = chips;
    host->chip_count = 2;
    scope_feed(&scope, host);
    assert_false(scope_chip_others(&scope, 1)); // all are shown
    scope_select_tab(&scope, 2);
    assert_false(known_u64(scope.chips[1].memory_used_bytes));
    assert_true(scope_chip_others(&scope, 1));
    assert_false(scope_chip_others(&scope, 0));
    assert_int_equal(scope.totals.memory_used_bytes.value, 350);
    chips[1].memory_used_bytes = fact_u64(0, FROM_DEMO);
    scope_feed(&scope, host);
    assert_true(known_u64(scope.chips[1].memory_used_bytes));
    assert_false(scope_chip_others(&scope, 1));
    scope_free(&scope);
    host_free(host);
}

static void a_tab_stays_with_its_processes(void **state)
{
    struct scope scope = {0};
    struct host *host = new_host(), *next = new_host();

    (void)state;
    scope_feed(&scope, host);
    scope_only(&scope, process_key(&host->processes[1]));
    assert_int_equal(scope_tab(&scope), scope_tab_count(&scope));
    assert_false(scope.tab_gone);
    next->process_count = 1; // it is gone
    next->cores[1].owner_count = next->cores[2].owner_count = 0;
    scope_feed(&scope, next);
    assert_true(scope.tab_gone);
    assert_false(scope_has(&scope, 0));
    assert_string_equal(scope_tab_label(&scope, scope_tab(&scope)), "gone");
    scope_free(&scope);
    host_free(host);
    host_free(next);
}

static void errors_leave_generic_out(void **state)
{
    struct process process = {0};

    (void)state;
    assert_false(known_f64(process_errors(&process)));
    process.errors_per_second[ERR_GENERIC] = fact_f64(40, FROM_MONITOR);
    assert_false(known_f64(process_errors(&process)));
    process.errors_per_second[ERR_NUMERICAL] = fact_f64(2, FROM_MONITOR);
    process.executions_per_second[EXEC_TIMED_OUT] = fact_f64(1, FROM_MONITOR);
    assert_true(process_errors(&process).value > 2.9 && process_errors(&process).value < 3.1);
}

static void an_empty_host_is_no_trouble(void **state)
{
    struct scope scope = {0};
    struct host *host = host_new();

    (void)state;
    scope_feed(&scope, host);
    assert_int_equal(scope_tab_count(&scope), 1);
    assert_string_equal(scope_tab_label(&scope, 0), "all");
    scope_select_tab(&scope, 5);
    assert_int_equal(scope_tab(&scope), 0);
    assert_false(known_u64(scope.totals.memory_used_bytes));
    scope_free(&scope);
    host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_are_one_group),
        cmocka_unit_test(a_parent_and_its_children_are_one_group),
        cmocka_unit_test(services_pods_and_containers_are_groups),
        cmocka_unit_test(parents_in_a_circle_end),
        cmocka_unit_test(all_shows_the_host_itself),
        cmocka_unit_test(a_tab_sees_only_its_own),
        cmocka_unit_test(memory_of_others_is_not_zero),
        cmocka_unit_test(a_tab_stays_with_its_processes),
        cmocka_unit_test(errors_leave_generic_out),
        cmocka_unit_test(an_empty_host_is_no_trouble),
    };
    return cmocka_run_group_tests_name("scope", tests, NULL, NULL);
}
