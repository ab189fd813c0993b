// SPDX-License-Identifier: Apache-2.0
// The tables of chips and instance types against the hardware and driver references.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/generation.h"

#define GIB ((uint64_t)1 << 30)

static void capacities_are_the_drivers(void **state)
{
    (void)state;
    static const struct {
        enum generation_id id;
        unsigned physical, logical, banks;
        uint64_t bank, chip;
    } cases[] = {
        // Driver reference 5.3, "Capacity as coded".
        {GEN_INF1, 4, 4, 2, 4294967296, 8589934592},
        {GEN_INF2, 2, 2, 2, 17179869184, 34359738368},
        {GEN_TRN1, 2, 2, 2, 17179869184, 34359738368},
        {GEN_TRN2, 8, 4, 4, 25769803776, 103079215104},
        {GEN_TRN3, 8, 4, 4, 38654705664, 154618822656},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct generation *gen = generation_get(cases[i].id);
        assert_int_equal(gen->physical_cores, cases[i].physical);
        assert_int_equal(generation_logical_cores(gen, 0), cases[i].logical);
        assert_int_equal(gen->banks, cases[i].banks);
        assert_int_equal(gen->bank_bytes, cases[i].bank);
        assert_int_equal(generation_chip_bytes(gen), cases[i].chip);
    }
    assert_null(generation_get(GEN_UNKNOWN));
}

static void check_core(enum generation_id id, unsigned lnc, uint64_t gib, unsigned shared_by)
{
    unsigned shared = 0;
    const struct generation *gen = generation_get(id);
    assert_int_equal(generation_core_bytes(gen, lnc, &shared), gib * GIB);
    assert_int_equal(shared, shared_by);
    assert_int_equal(generation_core_bytes(gen, lnc, NULL), gib * GIB);
    // What the cores may use, each share counted once, is the chip.
    assert_int_equal(generation_core_bytes(gen, lnc, NULL) * generation_logical_cores(gen, lnc) /
                         shared,
                     generation_chip_bytes(gen));
}

static void memory_of_a_core_has_its_boundary(void **state)
{
    (void)state;
    check_core(GEN_TRN2, 2, 24, 1);
    check_core(GEN_TRN2, 1, 24, 2); // two logical cores, one bank: not 24 GiB each
    check_core(GEN_TRN2, 0, 24, 1); // the default is 2
    check_core(GEN_TRN3, 2, 36, 1);
    check_core(GEN_TRN3, 1, 36, 2);
    check_core(GEN_INF2, 1, 16, 1);
    check_core(GEN_TRN1, 0, 16, 1);
    check_core(GEN_INF1, 1, 8, 4); // one DRAM for all four
}

static void logical_cores_follow_lnc(void **state)
{
    (void)state;
    assert_int_equal(generation_logical_cores(generation_get(GEN_TRN2), 1), 8);
    assert_int_equal(generation_logical_cores(generation_get(GEN_TRN2), 2), 4);
    assert_int_equal(generation_logical_cores(generation_get(GEN_TRN2), 7), 4);
    assert_int_equal(generation_logical_cores(generation_get(GEN_TRN1), 2), 2); // there is no LNC 2
    for (int id = GEN_INF1; id <= GEN_TRN3; id++) {
        const struct generation *gen = generation_get((enum generation_id)id);
        assert_int_equal((gen->capabilities & CAP_LNC2) != 0, gen->lnc_max == 2);
        assert_int_equal((gen->capabilities & CAP_HBM) != 0, gen->hbm);
        assert_int_equal((gen->capabilities & CAP_SPARSE) != 0, gen->sparse_tflops > 0);
        assert_int_equal((gen->capabilities & CAP_INT8) != 0, gen->int8_tops > 0);
        assert_int_equal((gen->capabilities & CAP_FP32) != 0, gen->fp32_tflops > 0);
    }
}

static void peaks_are_those_of_the_chip_page(void **state)
{
    (void)state;
    assert_float_equal(generation_get(GEN_INF1)->bf16_tflops, 64, 0);
    assert_float_equal(generation_get(GEN_INF1)->int8_tops, 128, 0);
    assert_float_equal(generation_get(GEN_INF1)->fp32_tflops, 0, 0);
    assert_float_equal(generation_get(GEN_TRN1)->bf16_tflops, 190,
                       0); // not the 191 of Trainium2's page
    assert_float_equal(generation_get(GEN_TRN1)->fp32_tflops, 47.5, 0);
    assert_float_equal(generation_get(GEN_INF2)->int8_tops, 380, 0);
    assert_float_equal(generation_get(GEN_TRN2)->bf16_tflops, 667, 0);
    assert_float_equal(generation_get(GEN_TRN2)->fp8_tflops, 1299, 0);
    assert_float_equal(generation_get(GEN_TRN2)->core_bf16_tflops, 79, 0);
    assert_float_equal(generation_get(GEN_TRN2)->core_fp8_tflops, 158, 0);
    assert_float_equal(generation_get(GEN_TRN2)->core_fp32_tflops, 0, 0); // not given
    assert_float_equal(generation_get(GEN_TRN3)->fp8_tflops, 2517, 0);
    assert_float_equal(generation_get(GEN_TRN3)->core_fp32_tflops, 20, 0);
    assert_string_equal(generation_get(GEN_INF1)->memory_bandwidth, "50 GiB/s");
    assert_string_equal(generation_get(GEN_TRN2)->memory_bandwidth, "2.9 TB/s");
}

static enum generation_id id_of(const struct generation *gen)
{
    return gen == NULL ? GEN_UNKNOWN : gen->id;
}

static void found_by_the_drivers_name(void **state)
{
    (void)state;
    assert_int_equal(id_of(generation_by_device_name("Inferentia")), GEN_INF1);
    assert_int_equal(id_of(generation_by_device_name("Inferentia2")), GEN_INF2);
    assert_int_equal(id_of(generation_by_device_name("Trainium1")), GEN_TRN1);
    assert_int_equal(id_of(generation_by_device_name("Trainium2")), GEN_TRN2);
    assert_int_equal(id_of(generation_by_device_name("Trainium3")), GEN_TRN3);
    assert_int_equal(id_of(generation_by_device_name("Trainium")), GEN_UNKNOWN);
    assert_int_equal(id_of(generation_by_device_name("Trainium9")), GEN_UNKNOWN);
    assert_int_equal(id_of(generation_by_device_name("")), GEN_UNKNOWN);
    assert_int_equal(id_of(generation_by_device_name(NULL)), GEN_UNKNOWN);
}

static void found_by_the_monitors_type(void **state)
{
    (void)state;
    assert_int_equal(id_of(generation_by_monitor_type("trainium")), GEN_TRN1);
    assert_int_equal(id_of(generation_by_monitor_type("inferentia2")), GEN_INF2);
    assert_int_equal(id_of(generation_by_monitor_type("trainium2")), GEN_TRN2);
    assert_int_equal(id_of(generation_by_monitor_type("Trainium2")), GEN_TRN2);
    assert_int_equal(id_of(generation_by_monitor_type("inferentia")), GEN_INF1);
    assert_int_equal(id_of(generation_by_monitor_type("trainium3")), GEN_TRN3);
    assert_int_equal(id_of(generation_by_monitor_type("")), GEN_UNKNOWN);
    assert_int_equal(id_of(generation_by_monitor_type("v2")), GEN_UNKNOWN);
    assert_int_equal(id_of(generation_by_monitor_type(NULL)), GEN_UNKNOWN);
}

static void found_by_the_instance_type(void **state)
{
    (void)state;
    assert_int_equal(id_of(generation_by_instance_type("inf1.xlarge")), GEN_INF1);
    assert_int_equal(id_of(generation_by_instance_type("trn1n.32xlarge")), GEN_TRN1);
    assert_int_equal(id_of(generation_by_instance_type("trn2u.48xlarge")), GEN_TRN2);
    assert_int_equal(id_of(generation_by_instance_type("trn2p.48xlarge")), GEN_TRN2); // family only
    assert_int_equal(id_of(generation_by_instance_type("trn2eu.48xlarge")), GEN_TRN2);
    assert_int_equal(id_of(generation_by_instance_type("trn3")), GEN_TRN3);
    assert_int_equal(id_of(generation_by_instance_type("trn22.xlarge")), GEN_UNKNOWN);
    assert_int_equal(id_of(generation_by_instance_type("trn2")), GEN_UNKNOWN);
    assert_int_equal(id_of(generation_by_instance_type("m5.large")), GEN_UNKNOWN);
    assert_int_equal(id_of(generation_by_instance_type("")), GEN_UNKNOWN);
    assert_int_equal(id_of(generation_by_instance_type(NULL)), GEN_UNKNOWN);
}

static void instances_have_the_references_totals(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned chips, logical, physical;
        uint64_t device_gib;
        unsigned vcpus;
        uint64_t host_gib;
        enum topology topology;
    } cases[] = {
        {"inf1.xlarge", 1, 4, 4, 8, 4, 8, TOPOLOGY_SINGLE},
        {"inf1.2xlarge", 1, 4, 4, 8, 8, 16, TOPOLOGY_SINGLE},
        {"inf1.6xlarge", 4, 16, 16, 32, 24, 48, TOPOLOGY_CHAIN},
        {"inf1.24xlarge", 16, 64, 64, 128, 96, 192, TOPOLOGY_CHAIN},
        {"inf2.xlarge", 1, 2, 2, 32, 4, 16, TOPOLOGY_SINGLE},
        {"inf2.8xlarge", 1, 2, 2, 32, 32, 128, TOPOLOGY_SINGLE},
        {"inf2.24xlarge", 6, 12, 12, 192, 96, 384, TOPOLOGY_RING},
        {"inf2.48xlarge", 12, 24, 24, 384, 192, 768, TOPOLOGY_RING},
        {"trn1.2xlarge", 1, 2, 2, 32, 8, 32, TOPOLOGY_SINGLE},
        {"trn1.32xlarge", 16, 32, 32, 512, 128, 512, TOPOLOGY_TORUS_4X4},
        {"trn1n.32xlarge", 16, 32, 32, 512, 128, 512, TOPOLOGY_TORUS_4X4},
        {"trn2.3xlarge", 1, 4, 8, 96, 12, 128, TOPOLOGY_SINGLE},
        {"trn2.48xlarge", 16, 64, 128, 1536, 192, 2048, TOPOLOGY_TORUS_4X4},
        {"trn2u.48xlarge", 16, 64, 128, 1536, 192, 2048, TOPOLOGY_TORUS_4X4},
        {"trn3", 16, 64, 128, 2304, 192, 2048, TOPOLOGY_SWITCHED}, // a 4th of Gen1
        {"trn3-gen2", 4, 16, 32, 576, 64, 768, TOPOLOGY_SWITCHED}, // a 36th of Gen2
    };
    size_t rows = 0;
    for (const struct instance_type *type = instance_type_table(); type->name != NULL; type++)
        rows++;
    assert_int_equal(rows, sizeof(cases) / sizeof(cases[0]));
    for (size_t i = 0; i < rows; i++) {
        const struct instance_type *type = instance_type_get(cases[i].name);
        assert_non_null(type);
        const struct generation *gen = generation_get(type->generation);
        assert_int_equal(type->chips, cases[i].chips);
        assert_int_equal(type->chips * generation_logical_cores(gen, 0), cases[i].logical);
        assert_int_equal(type->chips * gen->physical_cores, cases[i].physical);
        assert_int_equal(type->chips * generation_chip_bytes(gen), cases[i].device_gib * GIB);
        assert_int_equal(type->vcpus, cases[i].vcpus);
        assert_int_equal(type->host_memory_bytes, cases[i].host_gib * GIB);
        assert_int_equal(type->topology, cases[i].topology);
    }
}

static void invented_names_say_what_they_are(void **state)
{
    (void)state;
    for (const struct instance_type *type = instance_type_table(); type->name != NULL; type++)
        assert_int_equal(strchr(type->name, '.') == NULL, type->note != NULL);
    assert_null(instance_type_get("trn9.xlarge"));
    assert_null(instance_type_get(""));
    assert_null(instance_type_get(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capacities_are_the_drivers),
        cmocka_unit_test(memory_of_a_core_has_its_boundary),
        cmocka_unit_test(logical_cores_follow_lnc),
        cmocka_unit_test(peaks_are_those_of_the_chip_page),
        cmocka_unit_test(found_by_the_drivers_name),
        cmocka_unit_test(found_by_the_monitors_type),
        cmocka_unit_test(found_by_the_instance_type),
        cmocka_unit_test(instances_have_the_references_totals),
        cmocka_unit_test(invented_names_say_what_they_are),
    };
    return cmocka_run_group_tests_name("generation", tests, NULL, NULL);
}
