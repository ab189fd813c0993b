// SPDX-License-Identifier: Apache-2.0
// The driver's core map: what is accepted as one, and the joins of the three countings (driver
// reference 5.4; neuron-monitor reference, section 4, the order trap of Trainium2).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "build_host.h"
#include "host/core_map.h"

// Devices 0, 1, 4, 5 of the recorded Trainium2 host; the others repeat them.
static const unsigned ROWS[4][8] = {{4, 5, 6, 7, 2, 3, 0, 1},
                                    {2, 3, 0, 1, 4, 5, 6, 7},
                                    {0, 1, 2, 3, 6, 7, 4, 5},
                                    {6, 7, 4, 5, 0, 1, 2, 3}};

static struct core_place recorded[CORE_MAP_MAX];

static struct core_map recorded_map(void)
{
    for (unsigned i = 0; i < CORE_MAP_MAX; i++) {
        unsigned chip = i / 8;
        recorded[i] = (struct core_place){chip, ROWS[chip / 4 % 2 * 2 + chip % 2][i % 8]};
    }
    return core_map_make(recorded, CORE_MAP_MAX);
}

static void test_a_map_is_whole_chips(void **state)
{
    (void)state;
    struct core_place places[CORE_MAP_MAX + 8];
    struct core_map map = recorded_map();
    assert_int_equal(map.count, 128);
    assert_int_equal(map.per_chip, 8);
    assert_int_equal(core_map_make(recorded, 8).per_chip, 8);
    assert_int_equal(core_map_make(recorded, 0).count, 0);
    assert_int_equal(core_map_make(recorded, 12).count, 0); // half a chip
    for (unsigned i = 0; i < CORE_MAP_MAX + 8; i++)
        places[i] = (struct core_place){i / 8, i % 8};
    assert_int_equal(core_map_make(places, CORE_MAP_MAX + 8).count, 0);
    assert_int_equal(core_map_make(places, CORE_MAP_MAX).count, 128);
    places[3].physical = 2; // twice, and 3 never
    assert_int_equal(core_map_make(places, CORE_MAP_MAX).count, 0);
    places[3].physical = 8; // beyond the chip
    assert_int_equal(core_map_make(places, CORE_MAP_MAX).count, 0);
    places[3].physical = 4294967295U;
    assert_int_equal(core_map_make(places, CORE_MAP_MAX).count, 0);
    places[3].physical = 3;
    places[11].chip = 2; // of another chip
    assert_int_equal(core_map_make(places, CORE_MAP_MAX).count, 0);
    for (unsigned i = 0; i < 16; i++)
        places[i].chip = i < 8; // chips in another order
    assert_int_equal(core_map_make(places, 16).count, 0);
}

static void test_monitor_order_of_device_0(void **state)
{
    (void)state;
    static const unsigned monitors[] = {2, 3, 1, 0};
    struct core_map map = recorded_map();
    for (unsigned logical = 0; logical < 4; logical++) {
        unsigned monitor = 99, back = 99;
        assert_true(core_map_to_monitor(&map, 2, logical, &monitor));
        assert_int_equal(monitor, monitors[logical]);
        assert_true(core_map_from_monitor(&map, 2, monitor, &back));
        assert_int_equal(back, logical);
    }
}

static void test_places_of_a_logical_core(void **state)
{
    (void)state;
    struct core_map map = recorded_map();
    struct core_place places[2];
    assert_int_equal(core_map_places(&map, 2, 0, places), 2);
    assert_int_equal(places[0].chip, 0);
    assert_int_equal(places[0].physical, 4);
    assert_int_equal(places[1].physical, 5);
    assert_int_equal(core_map_places(&map, 2, 23, places), 2); // device 5, its last
    assert_int_equal(places[0].chip, 5);
    assert_int_equal(places[0].physical, 2);
    assert_int_equal(core_map_places(&map, 1, 127, places), 1);
    assert_int_equal(places[0].chip, 15);
    assert_int_equal(places[0].physical, 3);
    assert_int_equal(core_map_places(&map, 2, 64, places), 0);
    assert_int_equal(core_map_places(&map, 1, 128, places), 0);
    assert_int_equal(core_map_places(&map, 0, 0, places), 0);
    assert_int_equal(core_map_places(&map, 3, 0, places), 0);
}

// Every core there and back, in both modes: each index is met exactly once.
static void test_every_core_there_and_back(void **state)
{
    (void)state;
    struct core_map map = recorded_map();
    for (unsigned lnc = 1; lnc <= 2; lnc++) {
        uint8_t met[CORE_MAP_MAX] = {0};
        for (unsigned logical = 0; logical < CORE_MAP_MAX / lnc; logical++) {
            unsigned monitor, back;
            struct core_place places[2];
            assert_true(core_map_to_monitor(&map, lnc, logical, &monitor));
            assert_true(monitor < CORE_MAP_MAX / lnc);
            assert_int_equal(monitor / (8 / lnc), logical / (8 / lnc)); // stays on its chip
            met[monitor]++;
            assert_true(core_map_from_monitor(&map, lnc, monitor, &back));
            assert_int_equal(back, logical);
            unsigned count = core_map_places(&map, lnc, logical, places);
            for (unsigned i = 0; i < count; i++) {
                assert_true(core_map_logical(&map, lnc, places[i], &back));
                assert_int_equal(back, logical);
            }
        }
        for (unsigned i = 0; i < CORE_MAP_MAX / lnc; i++)
            assert_int_equal(met[i], 1);
    }
}

static void test_a_split_core_is_not_joined(void **state)
{
    (void)state;
    // with LNC=2 the first logical core would be half of the monitor's 0 and half of its 1
    static const struct core_place split[] = {{0, 0}, {0, 2}, {0, 1}, {0, 3}};
    struct core_map map = core_map_make(split, 4);
    unsigned index;
    assert_int_equal(map.count, 4);
    assert_false(core_map_to_monitor(&map, 2, 0, &index));
    assert_false(core_map_from_monitor(&map, 2, 0, &index));
    assert_true(core_map_to_monitor(&map, 1, 1, &index));
    assert_int_equal(index, 2);
}

static void test_no_map_joins_nothing(void **state)
{
    (void)state;
    struct core_map none = {.count = 0};
    unsigned index;
    assert_false(core_map_to_monitor(&none, 2, 0, &index));
    assert_false(core_map_from_monitor(&none, 2, 0, &index));
    assert_false(core_map_logical(&none, 2, (struct core_place){0, 0}, &index));
}

static void number_cores(struct host *host, enum numbering numbering)
{
    host->numbering = numbering;
    for (unsigned i = 0; i < host->core_count; i++)
        host->cores[i].numbering = numbering;
}

static void test_cores_of_the_monitor_are_joined(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 2);
    number_cores(host, NUMBERING_MONITOR);
    host->core_map = (struct core_map){.count = 0};
    assert_int_equal(core_map_order(host), CORE_ORDER_NO_MAP);
    core_map_join(host);
    assert_false(known_u64(host->cores[0].logical));

    host->core_map = recorded_map();
    assert_int_equal(core_map_order(host), CORE_ORDER_MAPPED);
    core_map_join(host);
    assert_int_equal(host->cores[0].logical.value, 3);
    assert_int_equal(host->cores[1].logical.value, 2);
    assert_int_equal(host->cores[2].logical.value, 0);
    assert_int_equal(host->cores[3].logical.value, 1);
    assert_int_equal(host->cores[3].logical.from, FROM_DERIVED);
    assert_int_equal(host->cores[63].logical.value, 60); // device 15: 6 7 4 5 0 1 2 3
    host_free(host);
}

static void test_physical_cores_are_joined(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 1); // 8 cores a chip
    number_cores(host, NUMBERING_PHYSICAL);
    host->core_map = recorded_map();
    core_map_join(host);
    assert_int_equal(host->cores[4].logical.value, 0);
    assert_int_equal(host->cores[0].logical.value, 6);
    host_free(host);

    host = build_host("trn2.48xlarge", 1);
    number_cores(host, NUMBERING_PHYSICAL);
    host->core_map = recorded_map();
    host->hardware.lnc = fact_u64(2, FROM_PROC);
    core_map_join(host);
    assert_int_equal(host->cores[4].logical.value, 0);
    assert_int_equal(host->cores[5].logical.value, 0);
    assert_int_equal(host->cores[0].logical.value, 3);
    host_free(host);

    host = build_host("trn2.48xlarge", 1);
    number_cores(host, NUMBERING_PHYSICAL);
    host->core_map = recorded_map();
    host->hardware.lnc = (struct fact_u64){0};
    assert_int_equal(core_map_order(host), CORE_ORDER_NO_LNC);
    core_map_join(host);
    assert_false(known_u64(host->cores[4].logical));
    host_free(host);
}

static void test_one_order_needs_no_map(void **state)
{
    (void)state;
    static const char *const types[] = {"inf1.xlarge", "inf2.48xlarge", "trn1.32xlarge"};
    static const enum numbering ways[] = {NUMBERING_MONITOR, NUMBERING_PHYSICAL};
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        for (size_t w = 0; w < 2; w++) {
            struct host *host = build_host(types[i], 0);
            number_cores(host, ways[w]);
            host->core_map = (struct core_map){.count = 0};
            assert_int_equal(core_map_order(host), CORE_ORDER_SAME);
            core_map_join(host);
            assert_int_equal(host->cores[host->core_count - 1].logical.value, host->core_count - 1);
            host_free(host);
        }
    struct host *host = build_host("trn2.48xlarge", 2);
    number_cores(host, NUMBERING_LOGICAL);
    assert_int_equal(core_map_order(host), CORE_ORDER_SAME);
    core_map_join(host);
    assert_int_equal(host->cores[17].logical.value, 17);
    host_free(host);
}

// F-24: a job counts the devices that its container was given, by the names that they have there.
static void test_renamed_chips_are_counted_by_name(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 0);
    host->chip_count = 2;
    host->core_count = 4;
    host->chips[0].index = 2;
    host->chips[1].index = 5;
    assert_int_equal(core_map_order(host), CORE_ORDER_GAPS);
    core_map_join(host);
    assert_false(known_u64(host->cores[0].logical));
    host->chips[0].node = "neuron1";
    host->chips[1].node = "neuron0";
    number_cores(host, NUMBERING_PHYSICAL);
    assert_int_equal(core_map_order(host), CORE_ORDER_MAPPED);
    core_map_join(host);
    assert_int_equal(host->cores[0].logical.value, 2);
    assert_int_equal(host->cores[3].logical.value, 1);
    host_free(host);

    host = build_host("trn2.48xlarge", 1);
    number_cores(host, NUMBERING_PHYSICAL);
    host->core_map = recorded_map();
    host->hardware.lnc = fact_u64(2, FROM_PROC);
    host->chip_count = 2;
    host->core_count = 16;
    host->chips[0].index = 2; // 4 5 6 7 2 3 0 1
    host->chips[0].node = "neuron0";
    host->chips[1].index = 5; // 6 7 4 5 0 1 2 3
    host->chips[1].node = "neuron1";
    core_map_join(host);
    assert_int_equal(host->cores[4].logical.value, 0);
    assert_int_equal(host->cores[0].logical.value, 3);
    assert_int_equal(host->cores[8 + 6].logical.value, 4);
    assert_int_equal(host->cores[8 + 2].logical.value, 7);
    host_free(host);
}

static void test_cores_beyond_the_map(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 2);
    number_cores(host, NUMBERING_MONITOR);
    recorded_map();
    host->core_map = core_map_make(recorded, 8); // of one chip, and there are 16
    assert_int_equal(core_map_order(host), CORE_ORDER_NOT_MATCHED);
    core_map_join(host);
    assert_false(known_u64(host->cores[0].logical));
    host_free(host);
}

static unsigned findings_of(struct host *host, const struct finding **finding)
{
    struct findings findings = check_run(host);
    *finding = find_finding(&findings, "index-order-unknown");
    return count_findings(&findings, "index-order-unknown");
}

static void test_the_finding_says_it_once(void **state)
{
    (void)state;
    const struct finding *finding;
    struct host *host = build_host("trn2.48xlarge", 2);
    number_cores(host, NUMBERING_MONITOR);
    host->core_map = (struct core_map){.count = 0};
    assert_int_equal(findings_of(host, &finding), 1);
    assert_int_equal(finding->severity, SEVERITY_INFO);
    assert_non_null(strstr(finding->summary, "NEURON_RT_VISIBLE_CORES"));
    assert_true(finding->remedy[0] != '\0');

    build_source(host, "device", SOURCE_DENIED, 0, "/dev/neuron0: open: Permission denied");
    assert_int_equal(findings_of(host, &finding), 1);
    assert_non_null(strstr(finding->evidence[finding->evidence_count - 1], "Permission denied"));

    ((struct source_status *)host->sources)[0].state = SOURCE_STARTING; // it may be told yet
    assert_int_equal(findings_of(host, &finding), 0);
    ((struct source_status *)host->sources)[0].state = SOURCE_LIVE;
    host->core_map = recorded_map();
    assert_int_equal(findings_of(host, &finding), 0);
    host->hardware.lnc = (struct fact_u64){0};
    assert_int_equal(findings_of(host, &finding), 1);
    host_free(host);
}

static void test_no_finding_where_there_is_one_order(void **state)
{
    (void)state;
    const struct finding *finding;
    static const char *const types[] = {"inf1.24xlarge", "inf2.xlarge", "trn1.2xlarge"};
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        struct host *host = build_host(types[i], 0);
        number_cores(host, NUMBERING_MONITOR);
        host->core_map = (struct core_map){.count = 0};
        assert_int_equal(findings_of(host, &finding), 0);
        host_free(host);
    }
    struct host *host = build_host("trn2.48xlarge", 2); // the demo numbers as the runtime does
    number_cores(host, NUMBERING_LOGICAL);
    host->core_map = (struct core_map){.count = 0};
    assert_int_equal(findings_of(host, &finding), 0);
    host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_map_is_whole_chips),
        cmocka_unit_test(test_monitor_order_of_device_0),
        cmocka_unit_test(test_places_of_a_logical_core),
        cmocka_unit_test(test_every_core_there_and_back),
        cmocka_unit_test(test_a_split_core_is_not_joined),
        cmocka_unit_test(test_no_map_joins_nothing),
        cmocka_unit_test(test_cores_of_the_monitor_are_joined),
        cmocka_unit_test(test_physical_cores_are_joined),
        cmocka_unit_test(test_one_order_needs_no_map),
        cmocka_unit_test(test_renamed_chips_are_counted_by_name),
        cmocka_unit_test(test_cores_beyond_the_map),
        cmocka_unit_test(test_the_finding_says_it_once),
        cmocka_unit_test(test_no_finding_where_there_is_one_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
