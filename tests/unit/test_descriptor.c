// SPDX-License-Identifier: Apache-2.0
// Descriptors of cores for all generations, against the hardware reference ("Per chip", "Logical
// NeuronCores") and AWS's pages of the NeuronCores.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "build_host.h"
#include "host/descriptor.h"

static void is_core(const char *type, unsigned lnc, const char *architecture, unsigned physical,
                    uint64_t gib, const char *boundary, const char *kind, unsigned shared_by)
{
    struct host *host = build_host(type, lnc);
    for (unsigned i = 0; i < host->core_count; i++) {
        struct core_descriptor of = descriptor_at(host, i);
        assert_string_equal(of.architecture, architecture);
        assert_int_equal(of.chip, host->cores[i].chip);
        assert_int_equal(of.width, physical);
        assert_true(of.is_logical);
        assert_int_equal(of.memory_bytes.value, gib * GIB);
        assert_string_equal(of.boundary, boundary);
        assert_string_equal(of.memory_kind, kind);
        assert_int_equal(of.shared_by, shared_by);
        assert_int_equal(core_set_count(&of.sharers), shared_by);
        assert_true(core_set_has(&of.sharers, host->cores[i].index));
    }
    host_free(host);
}

static void every_generation_has_its_boundary(void **state)
{
    (void)state;
    is_core("inf1.24xlarge", 1, "NeuronCore-v1", 1, 8, "chip", "DRAM", 4);
    is_core("inf2.48xlarge", 1, "NeuronCore-v2", 1, 16, "bank", "HBM", 1);
    is_core("trn1.32xlarge", 1, "NeuronCore-v2", 1, 16, "bank", "HBM", 1);
    is_core("trn2.48xlarge", 2, "NeuronCore-v3", 2, 24, "bank", "HBM", 1);
    is_core("trn2.48xlarge", 1, "NeuronCore-v3", 1, 24, "bank", "HBM", 2);
    is_core("trn3", 2, "NeuronCore-v4", 2, 36, "bank", "HBM", 1);
    is_core("trn3", 1, "NeuronCore-v4", 1, 36, "bank", "HBM", 2);
}

// Each bank counted once is the chip, whatever the cores may use.
static void banks_add_up_to_the_chip(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.3xlarge", 1);
    uint64_t bytes = 0;
    for (unsigned i = 0; i < host->core_count; i++) {
        struct core_descriptor of = descriptor_at(host, i);
        bytes += of.memory_bytes.value / of.shared_by;
    }
    assert_int_equal(host->core_count, 8);
    assert_int_equal(bytes, 96 * GIB);
    host_free(host);
}

static void sharers_are_pairs_of_one_chip(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 1);
    char text[32];
    struct core_descriptor of = descriptor_at(host, 13);
    assert_string_equal(core_set_format(&of.sharers, text, sizeof(text)), "12-13");
    host_free(host);
}

// The limits of memory come from the table when no reader gave them.
static void memory_without_a_reader(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.3xlarge", 1);
    host->cores[0].memory_limit_bytes = (struct fact_u64){0};
    host->cores[0].memory_shared_by = 0;
    struct core_descriptor of = descriptor_at(host, 0);
    assert_int_equal(of.memory_bytes.value, 24 * GIB);
    assert_int_equal(of.memory_bytes.from, FROM_TABLE);
    assert_int_equal(of.shared_by, 2);
    host_free(host);
}

static const struct peak *peak_of(const struct core_descriptor *of, const char *data_type)
{
    for (unsigned i = 0; i < of->peak_count; i++)
        if (strcmp(of->peaks[i].data_type, data_type) == 0)
            return &of->peaks[i];
    return NULL;
}

static void is_peak(const char *type, unsigned lnc, const char *data_type, double logical,
                    double physical, double chip)
{
    struct host *host = build_host(type, lnc);
    struct core_descriptor of = descriptor_at(host, 0);
    const struct peak *peak = peak_of(&of, data_type);
    if (peak == NULL)
        fail_msg("%s has no peak for %s", type, data_type);
    assert_float_equal(peak->logical_core, logical, 0);
    assert_float_equal(peak->physical_core, physical, 0);
    assert_float_equal(peak->chip, chip, 0);
    assert_string_equal(peak_figure(peak), physical > 0 ? "core" : "chip");
    assert_int_equal(peak->integer, strcmp(data_type, "INT8") == 0);
    host_free(host);
}

static void peaks_name_their_figure(void **state)
{
    (void)state;
    is_peak("inf1.xlarge", 1, "BF16", 0, 0, 64);
    is_peak("inf1.xlarge", 1, "INT8", 0, 0, 128);
    is_peak("inf2.xlarge", 1, "BF16", 0, 0, 190);
    is_peak("inf2.xlarge", 1, "CFP8", 0, 0, 190);
    is_peak("trn1.2xlarge", 1, "FP32", 0, 0, 47.5);
    is_peak("trn1.2xlarge", 1, "INT8", 0, 0, 380);
    is_peak("trn2.48xlarge", 1, "BF16", 79, 79, 667);
    is_peak("trn2.48xlarge", 2, "BF16", 158, 79, 667);
    is_peak("trn2.48xlarge", 2, "FP8", 316, 158, 1299);
    is_peak("trn2.48xlarge", 2, "FP32", 0, 0, 181); // the vendor gives none for a core
    is_peak("trn2.48xlarge", 1, "sparse", 316, 316, 2563);
    is_peak("trn3", 1, "MXFP8", 315, 315, 2517);
    is_peak("trn3", 1, "MXFP4", 315, 315, 2517);
    is_peak("trn3", 2, "FP32", 40, 20, 183);
}

static void is_capable(const char *type, const char *expected)
{
    struct host *host = build_host(type, 0);
    struct core_descriptor of = descriptor_at(host, 0);
    char text[256] = "";
    for (unsigned bit = 0; bit < CAPABILITY_COUNT; bit++) {
        const char *word = capability_word((enum capability)(1u << bit));
        assert_non_null(word);
        if ((of.capabilities & 1u << bit) != 0)
            snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s ", word);
    }
    assert_string_equal(text, expected);
    // A peak for what it cannot do, or the other way round, is a slip in the table.
    assert_int_equal(peak_of(&of, "INT8") != NULL, (of.capabilities & CAP_INT8) != 0);
    assert_int_equal(peak_of(&of, "MXFP4") != NULL, (of.capabilities & CAP_MXFP4) != 0);
    assert_int_equal(peak_of(&of, "sparse") != NULL, (of.capabilities & CAP_SPARSE) != 0);
    assert_int_equal(peak_of(&of, "TF32") != NULL, (of.capabilities & CAP_TF32) != 0);
    host_free(host);
}

static void capabilities_are_those_of_the_core_pages(void **state)
{
    (void)state;
    is_capable("inf1.xlarge", "BF16 FP16 INT8 ");
    is_capable("inf2.xlarge", "FP32 TF32 BF16 FP16 FP8_E4M3 FP8_E5M2 CFP8 INT8 HBM ");
    is_capable("trn1.2xlarge", "FP32 TF32 BF16 FP16 FP8_E4M3 FP8_E5M2 CFP8 INT8 HBM ");
    is_capable("trn2.3xlarge", "FP32 TF32 BF16 FP16 FP8_E4M3 FP8_E5M2 CFP8 HBM SPARSE LNC2 ");
    is_capable("trn3", "FP32 TF32 BF16 FP16 FP8_E4M3 FP8_E5M2 MXFP8 MXFP4 HBM SPARSE LNC2 ");
    assert_null(capability_word((enum capability)(1u << CAPABILITY_COUNT)));
}

static void make_physical(struct host *host)
{
    host->numbering = NUMBERING_PHYSICAL;
    for (unsigned i = 0; i < host->core_count; i++) {
        host->cores[i].numbering = NUMBERING_PHYSICAL;
        host->cores[i].memory_limit_bytes = fact_u64(24 * GIB, FROM_TABLE); // as a physical core
        host->cores[i].memory_shared_by = 2;
    }
    host->hardware.lnc = host->hardware.logical_cores_per_chip = (struct fact_u64){0};
}

// The driver alone knows physical cores; what a logical one is it does not know.
static void physical_cores_are_said_to_be_physical(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.3xlarge", 1);
    make_physical(host);
    struct core_descriptor of = descriptor_at(host, 0);
    assert_int_equal(descriptor_count(host), 8);
    assert_false(of.is_logical);
    assert_int_equal(of.numbering, NUMBERING_PHYSICAL);
    assert_int_equal(of.width, 1);
    assert_false(known_u64(chip_logical_cores(host, &host->chips[0])));
    host_free(host);
    host = build_host("trn1.2xlarge", 1); // no LNC there: physical is logical
    make_physical(host);
    of = descriptor_at(host, 0);
    assert_true(of.is_logical);
    assert_int_equal(chip_logical_cores(host, &host->chips[0]).value, 2);
    host_free(host);
}

// With LNC known the physical cores are put together; their numbers only by the core map.
static void physical_cores_become_logical_ones(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 1);
    make_physical(host);
    host->hardware.lnc = fact_u64(2, FROM_PROC);
    assert_int_equal(chip_logical_cores(host, &host->chips[0]).value, 4);
    assert_int_equal(descriptor_count(host), 64);
    struct core_descriptor of = descriptor_at(host, 63);
    assert_int_equal(of.index, 63);
    assert_int_equal(of.chip, 15);
    assert_int_equal(of.numbering, NUMBERING_LOGICAL);
    assert_int_equal(of.width, 2);
    assert_int_equal(of.physical_count, 0);
    assert_int_equal(of.shared_by, 1); // not what each of its physical cores shares
    assert_int_equal(of.memory_bytes.value, 24 * GIB);
    host->hardware.lnc = fact_u64(1, FROM_PROC);
    assert_int_equal(descriptor_count(host), 128);
    of = descriptor_at(host, 127);
    assert_int_equal(of.shared_by, 2);
    assert_true(core_set_has(&of.sharers, 126) && core_set_has(&of.sharers, 127));
    host_free(host);
}

// Driver reference 5.4: entries of device 0 with LNC=2: logical 0 is physical 4 and 5.
static void the_core_map_names_the_physical_cores(void **state)
{
    (void)state;
    static const unsigned order[] = {4, 5, 6, 7, 2, 3, 0, 1};
    struct core_place places[8];
    struct host *host = build_host("trn2.3xlarge", 1);
    make_physical(host);
    for (unsigned i = 0; i < 8; i++)
        places[i] = (struct core_place){.chip = 0, .physical = order[i]};
    host->core_map = core_map_make(places, 8);
    host->hardware.lnc = fact_u64(2, FROM_PROC);
    core_map_join(host);
    struct core_descriptor of = descriptor_at(host, 0);
    assert_int_equal(of.physical_count, 2);
    assert_int_equal(of.physical[0], 4);
    assert_int_equal(of.physical[1], 5);
    of = descriptor_at(host, 3);
    assert_int_equal(of.physical[0], 0);
    host_free(host);
}

static void lnc_follows_from_the_number_of_cores(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.3xlarge", 2);
    host->hardware.lnc = (struct fact_u64){0};
    assert_int_equal(descriptor_at(host, 0).width, 2);
    host_free(host);
}

static void an_unknown_chip_is_unknown(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.3xlarge", 2);
    host->hardware.generation = NULL;
    host->hardware.neuroncore = NULL;
    host->hardware.lnc = (struct fact_u64){0};
    host->cores[0].memory_limit_bytes = (struct fact_u64){0};
    host->cores[0].memory_shared_by = 0;
    struct core_descriptor of = descriptor_at(host, 0);
    assert_string_equal(of.architecture, "");
    assert_int_equal(of.capabilities, 0);
    assert_int_equal(of.peak_count, 0);
    assert_int_equal(of.width, 0);
    assert_null(of.boundary);
    assert_false(known_u64(of.memory_bytes));
    assert_true(core_set_empty(&of.sharers));
    host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_generation_has_its_boundary),
        cmocka_unit_test(banks_add_up_to_the_chip),
        cmocka_unit_test(sharers_are_pairs_of_one_chip),
        cmocka_unit_test(memory_without_a_reader),
        cmocka_unit_test(peaks_name_their_figure),
        cmocka_unit_test(capabilities_are_those_of_the_core_pages),
        cmocka_unit_test(physical_cores_are_said_to_be_physical),
        cmocka_unit_test(physical_cores_become_logical_ones),
        cmocka_unit_test(the_core_map_names_the_physical_cores),
        cmocka_unit_test(lnc_follows_from_the_number_of_cores),
        cmocka_unit_test(an_unknown_chip_is_unknown),
    };
    return cmocka_run_group_tests_name("descriptor", tests, NULL, NULL);
}
