// SPDX-License-Identifier: Apache-2.0
// The demo's facts: on every instance type and at any time the numbers agree with each other and
// stay in their range.
#include "demo_run.h"

static uint64_t sum_memory(const struct fact_u64 memory[MEM_CATEGORIES])
{
    struct fact_u64 sum = {0};
    for (unsigned i = 0; i < MEM_CATEGORIES; i++)
        fact_add(&sum, memory[i]);
    assert_true(known_u64(sum));
    return sum.value;
}

static void in_percent(struct fact_f64 fact)
{
    assert_true(known_f64(fact));
    assert_true(isfinite(fact.value));
    assert_true(fact.value >= 0 && fact.value <= 100);
}

static void is_sane(struct fact_f64 fact)
{
    assert_true(isfinite(fact.value));
    assert_true(fact.value >= 0);
}

static void check_core(const struct core *core)
{
    assert_int_equal(core->numbering, NUMBERING_LOGICAL);
    in_percent(core->utilization_percent);
    is_sane(core->flops_per_second);
    assert_int_equal(sum_memory(core->memory), core->memory_used_bytes.value);
    assert_true(core->memory_used_bytes.value <= core->memory_limit_bytes.value);
    assert_int_equal(core->memory_limit_bytes.from, FROM_TABLE);
    double sum = 0;
    for (unsigned i = 0; i < core->physical_count; i++) {
        in_percent(core->physical[i].utilization_percent);
        sum += core->physical[i].utilization_percent.value;
    }
    assert_float_equal(sum / core->physical_count, core->utilization_percent.value, 1e-6);
    assert_true(core->owners_known);
    if (core->owner_count > 0)
        return;
    assert_true(core->utilization_percent.value == 0);
    assert_int_equal(core->memory_used_bytes.value, 0);
}

// Cores that share a bank stay within it together.
static void check_bank(const struct host *host, unsigned first)
{
    uint64_t used = 0;
    const struct core *core = &host->cores[first];
    for (unsigned i = 0; i < core->memory_shared_by; i++)
        used += core[i].memory_used_bytes.value;
    assert_true(used <= core->memory_limit_bytes.value);
}

static void check_chip(const struct host *host, const struct chip *chip)
{
    uint64_t used = 0;
    double load = 0;
    for (unsigned i = 0; i < chip->core_count; i++) {
        const struct core *core = &host->cores[chip->core_first + i];
        assert_int_equal(core->chip, chip->index);
        assert_int_equal(core->place, i);
        used += core->memory_used_bytes.value;
        load += core->utilization_percent.value;
        if (i % core->memory_shared_by == 0)
            check_bank(host, chip->core_first + i);
        bool listed = core->owner_count == 0;
        for (unsigned j = 0; j < chip->owner_count; j++)
            listed = listed || chip->owners[j] == core->owners[0];
        assert_true(listed);
    }
    assert_int_equal(used, chip->memory_used_bytes.value);
    assert_true(used <= chip->memory_total_bytes.value);
    assert_float_equal(load / chip->core_count, chip->utilization_percent.value, 1e-6);
    if (known_f64(chip->power_percent))
        in_percent(chip->power_percent);
}

static void check_latency(const struct latency *total, const struct latency *device)
{
    for (unsigned i = 0; i < PERCENTILES; i++) {
        assert_int_equal(known_f64(total->seconds[i]), known_f64(total->seconds[P0]));
        is_sane(total->seconds[i]);
        assert_true(device->seconds[i].value <= total->seconds[i].value);
        assert_true(i == 0 || total->seconds[i].value >= total->seconds[i - 1].value);
    }
}

// What the models need on a core is a part of the core's own categories.
static void check_models(const struct host *host, const struct process *process)
{
    uint64_t constants = 0, code = 0;
    for (unsigned i = 0; i < process->model_count; i++) {
        const struct model *model = &process->models[i];
        uint64_t device = 0;
        for (unsigned j = 0; j < model->subgraph_count; j++) {
            const struct subgraph *part = &model->subgraphs[j];
            assert_int_equal(sum_memory(part->memory), part->memory_device_bytes.value);
            device += part->memory_device_bytes.value;
            constants += part->memory[MEM_CONSTANTS].value;
            code += part->memory[MEM_MODEL_CODE].value;
            unsigned core = host->chips[part->chip].core_first + (unsigned)part->core_in_chip;
            assert_true(core_set_has(&process->cores, host->cores[core].index));
        }
        assert_int_equal(device, model->memory_device_bytes.value);
    }
    assert_int_equal(constants, process->memory[MEM_CONSTANTS].value);
    assert_int_equal(code, process->memory[MEM_MODEL_CODE].value);
}

static void check_shares(const struct host *host, const struct process *process, unsigned index)
{
    uint64_t memory = 0;
    double load = 0;
    assert_int_equal(core_set_count(&process->cores), process->share_count);
    for (unsigned i = 0; i < process->share_count; i++) {
        const struct share *share = &process->shares[i];
        const struct core *core = &host->cores[share->core];
        assert_int_equal(core->owner_count, 1);
        assert_int_equal(core->owners[0], index);
        assert_true(share->owned);
        assert_int_equal(share->memory_used_bytes.value, core->memory_used_bytes.value);
        memory += share->memory_used_bytes.value;
        load += share->utilization_percent.value;
        assert_true(core_set_has(&process->chips, host->chips[core->chip].index));
    }
    assert_int_equal(memory, process->memory_device_bytes.value);
    assert_int_equal(sum_memory(process->memory), memory);
    assert_float_equal(load / process->share_count, process->utilization_percent.value, 1e-6);
}

static void check_process(const struct host *host, unsigned index)
{
    const struct process *process = &host->processes[index];
    assert_true(index == 0 || process->pid.value > process[-1].pid.value);
    in_percent(process->utilization_percent);
    in_percent(process->cpu_user_percent);
    in_percent(process->cpu_system_percent);
    is_sane(process->flops_per_second);
    check_shares(host, process, index);
    check_models(host, process);
    check_latency(&process->latency_total, &process->latency_device);
    struct fact_u64 bytes = {0};
    for (unsigned i = 0; i < HOSTMEM_CATEGORIES; i++)
        fact_add(&bytes, process->host_memory[i]);
    assert_int_equal(bytes.value, process->memory_host_bytes.value);
    for (unsigned i = 0; i < EXECUTIONS; i++)
        assert_float_equal(process->executions_per_second[i].value *
                               process->groups[GROUP_EXECUTION].period_seconds.value,
                           (double)process->executions_in_period[i].value, 1e-6);
    struct core_set cores;
    assert_true(core_set_parse(&cores, process->visible_cores, NULL));
    assert_memory_equal(&cores, &process->cores, sizeof(cores));
}

static void check_machine(const struct host *host)
{
    const struct machine *machine = &host->machine;
    double user = 0, system = 0;
    uint64_t bytes = 0;
    for (unsigned i = 0; i < host->process_count; i++) {
        user += host->processes[i].cpu_user_percent.value;
        system += host->processes[i].cpu_system_percent.value;
        bytes += host->processes[i].memory_host_bytes.value;
    }
    in_percent(machine->cpu_user_percent);
    in_percent(machine->cpu_system_percent);
    assert_true(machine->cpu_user_percent.value + machine->cpu_system_percent.value <= 100);
    assert_true(user < machine->cpu_user_percent.value);
    assert_true(system < machine->cpu_system_percent.value);
    assert_true(bytes < machine->memory_used_bytes.value);
    assert_true(machine->memory_used_bytes.value < machine->memory_total_bytes.value);
}

static void check_host(const struct host *host)
{
    assert_true(host->demo);
    assert_int_equal(host->numbering, NUMBERING_LOGICAL);
    assert_int_equal(host->chip_count, host->hardware.chips.value);
    assert_int_equal(host->core_count,
                     host->chip_count * host->hardware.logical_cores_per_chip.value);
    for (unsigned i = 0; i < host->core_count; i++)
        check_core(&host->cores[i]);
    for (unsigned i = 0; i < host->chip_count; i++)
        check_chip(host, &host->chips[i]);
    for (unsigned i = 0; i < host->process_count; i++)
        check_process(host, i);
    check_machine(host);
}

static void test_default(void **state)
{
    (void)state;
    struct run run;
    run_open(&run, NULL, 1, false);
    struct host *host = run_tick(&run);
    check_host(host);
    assert_string_equal(host->instance.type, "trn2.48xlarge");
    assert_int_equal(host->chip_count, 16);
    assert_int_equal(host->core_count, 64);
    assert_int_equal(host->hardware.lnc.value, 2);
    assert_int_equal(host->cores[63].physical_count, 2);
    assert_int_equal(host->cores[63].physical[1].index, 127);
    assert_int_equal(host->cores[0].memory_limit_bytes.value, 25769803776u);
    assert_int_equal(host->cores[0].memory_shared_by, 1);
    assert_int_equal(host_memory_total(host).value, 1536 * ((uint64_t)1 << 30));
    unsigned workers = 0, free_cores = 0;
    for (unsigned i = 0; i < host->process_count; i++)
        if (host->processes[i].launcher != NULL) {
            workers++;
            assert_string_equal(host->processes[i].launcher, "torchrun");
            assert_int_equal(host->processes[i].launcher_pid.value, host->processes[i].ppid.value);
            assert_int_equal(host->processes[i].share_count, 1);
        }
    for (unsigned i = 0; i < host->core_count; i++)
        free_cores += core_state(&host->cores[i]) == CORE_FREE;
    assert_int_equal(workers, 32);
    assert_in_range(free_cores, 1, 16);
    host_free(host);
    run_close(&run);
}

static void test_lnc1(void **state)
{
    (void)state;
    struct run run[2];
    run_open(&run[0], "trn2.48xlarge:lnc1", 1, false);
    run_open(&run[1], "trn2.48xlarge", 1, true);
    for (unsigned i = 0; i < 2; i++) {
        struct host *host = run_tick(&run[i]);
        check_host(host);
        assert_int_equal(host->core_count, 128);
        assert_int_equal(host->hardware.lnc.value, 1);
        assert_int_equal(host->cores[0].memory_limit_bytes.value, 25769803776u);
        assert_int_equal(host->cores[0].memory_shared_by, 2);
        assert_true(fullest_bank(host) >= 95);
        host_free(host);
        run_close(&run[i]);
    }
}

static void test_every_type(void **state)
{
    (void)state;
    for (const struct instance_type *type = instance_type_table(); type->name != NULL; type++) {
        struct run run;
        run_open(&run, type->name, 7, false);
        for (unsigned i = 0; i < 30; i++) {
            struct host *host = run_tick(&run);
            check_host(host);
            assert_string_equal(host->instance.type, type->name);
            assert_int_equal(host->chip_count, type->chips);
            assert_true(fullest_bank(host) >= 95);
            assert_int_equal(known_f64(host_flops(host)), type->generation != GEN_INF1);
            host_free(host);
        }
        run_close(&run);
    }
}

static void test_neighbours(void **state)
{
    (void)state;
    for (const struct instance_type *type = instance_type_table(); type->name != NULL; type++) {
        struct run run;
        run_open(&run, type->name, 1, false);
        struct host *host = run_tick(&run);
        for (unsigned i = 0; i < host->chip_count; i++) {
            const struct chip *chip = &host->chips[i];
            assert_int_equal(chip->connected_known, type->topology != TOPOLOGY_SWITCHED);
            for (unsigned j = 0; j < chip->connected_count; j++) { // a link has two ends
                const struct chip *other = &host->chips[chip->connected[j]];
                bool back = false;
                for (unsigned k = 0; k < other->connected_count; k++)
                    back = back || other->connected[k] == i;
                assert_true(back);
            }
        }
        host_free(host);
        run_close(&run);
    }
}

static void test_neighbours_of_the_reference(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        unsigned chip, count, neighbours[4];
    } rows[] = {{"trn2.48xlarge", 5, 4, {4, 9, 1, 6}},
                {"trn1.32xlarge", 11, 4, {7, 10, 15, 8}},
                {"inf2.48xlarge", 0, 2, {11, 1}},
                {"inf2.24xlarge", 0, 1, {1}},
                {"inf2.xlarge", 0, 0, {0}}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct run run;
        run_open(&run, rows[i].type, 1, false);
        struct host *host = run_tick(&run);
        const struct chip *chip = &host->chips[rows[i].chip];
        assert_int_equal(chip->connected_count, rows[i].count);
        for (unsigned j = 0; j < rows[i].count; j++)
            assert_int_equal(chip->connected[j], rows[i].neighbours[j]);
        host_free(host);
        run_close(&run);
    }
}

static void test_ten_minutes(void **state)
{
    (void)state;
    struct run run;
    run_open(&run, NULL, 1, false);
    for (unsigned tick = 0; tick < 600; tick++) {
        struct host *host = run_tick(&run);
        check_host(host);
        host_free(host);
    }
    run_close(&run);
}

// Counts and rates belong together whatever the delay.
static void test_any_delay(void **state)
{
    (void)state;
    static const double delays[] = {0.1, 3, 60, 3600};
    for (size_t i = 0; i < sizeof(delays) / sizeof(delays[0]); i++) {
        struct run run;
        run_open(&run, NULL, 1, false);
        source_demo.set_delay(&run.source, delays[i]);
        for (unsigned tick = 0; tick < 20; tick++) {
            struct host *host = run_tick(&run);
            check_host(host);
            host_free(host);
        }
        run_close(&run);
    }
}

static void test_busy_variant(void **state)
{
    (void)state;
    struct run run;
    run_open(&run, "trn2.48xlarge:busy", 1, false);
    struct host *host = run_tick(&run);
    check_host(host);
    for (unsigned i = 0; i < host->core_count; i++)
        assert_int_equal(core_state(&host->cores[i]), CORE_BUSY);
    assert_int_equal(host->process_count, 64);
    host_free(host);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default),
        cmocka_unit_test(test_lnc1),
        cmocka_unit_test(test_every_type),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_neighbours_of_the_reference),
        cmocka_unit_test(test_ten_minutes),
        cmocka_unit_test(test_any_delay),
        cmocka_unit_test(test_busy_variant),
    };
    return cmocka_run_group_tests_name("demo_facts", tests, NULL, NULL);
}
