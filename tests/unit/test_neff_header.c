// SPDX-License-Identifier: Apache-2.0
// The header of NEFF files: each field at its place, and nothing believed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "check/neff_support.h"
#include "neff/features.h"
#include "neff/target.h"
#include "neff_bytes.h"

static void fields_are_at_their_offsets(void **state)
{
    (void)state;
    uint8_t bytes[NEFF_HEADER_BYTES];
    struct neff_header header;
    char why[NEFF_WHY];
    good_header(bytes);
    memcpy(bytes + 40, "2.0.21884.0%kaena", 17);
    for (unsigned i = 0; i < NEFF_HASH_BYTES; i++)
        bytes[172 + i] = (uint8_t)(i + 1);
    put_number(bytes, 32, 8, 7);
    assert_true(neff_header_parse(&header, bytes, sizeof(bytes), FILE_BYTES, why));
    assert_int_equal(header.packaging, 2);
    assert_int_equal(header.data_bytes, DATA_BYTES);
    assert_int_equal(header.major, 2);
    assert_int_equal(header.minor, 7);
    assert_int_equal(header.cores, 3);
    assert_int_equal(header.cores_requested, 5);
    assert_int_equal(header.features, 0x209c00);
    assert_int_equal(header.lnc, 2);
    assert_true(header.lnc_given);
    assert_string_equal(header.build, "2.0.21884.0%kaena");
    assert_string_equal(header.name, "file.neff");
    assert_string_equal(header.uuid, "00a04c53-5fd9-4f07-bffd-d5eacdefc852");
    assert_int_equal(header.hash[0], 1);
    assert_int_equal(header.hash[31], 32);
}

static void every_byte_of_a_number_counts(void **state)
{
    (void)state;
    uint8_t bytes[NEFF_HEADER_BYTES];
    struct neff_header header;
    char why[NEFF_WHY];
    good_header(bytes);
    put_number(bytes, 544, 8, UINT64_C(0xf1e2d3c4b5a69788));
    put_number(bytes, 168, 4, UINT32_C(0xf1e2d3c4));
    assert_true(neff_header_parse(&header, bytes, sizeof(bytes), FILE_BYTES, why));
    assert_true(header.features == UINT64_C(0xf1e2d3c4b5a69788));
    assert_true(header.cores == UINT32_C(0xf1e2d3c4));
}

static void lnc_0_is_1(void **state)
{
    (void)state;
    uint8_t bytes[NEFF_HEADER_BYTES];
    struct neff_header header;
    char why[NEFF_WHY];
    good_header(bytes);
    put_number(bytes, 552, 4, 0);
    assert_true(neff_header_parse(&header, bytes, sizeof(bytes), FILE_BYTES, why));
    assert_int_equal(header.lnc, 1);
    assert_false(header.lnc_given);
}

static void texts_are_made_clean_and_fit(void **state)
{
    (void)state;
    uint8_t bytes[NEFF_HEADER_BYTES];
    struct neff_header header;
    char why[NEFF_WHY];
    good_header(bytes);
    memset(bytes + 40, 0xff, 128); // no NUL in either, and every byte grows to three
    memset(bytes + 220, 0x1b, 256);
    memset(bytes + 204, 0, 16);
    assert_true(neff_header_parse(&header, bytes, sizeof(bytes), FILE_BYTES, why));
    assert_int_equal(strlen(header.build), 3 * 128);
    assert_int_equal(strlen(header.name), 3 * 256);
    assert_null(strchr(header.name, 0x1b));
    assert_string_equal(header.uuid, "");
}

// One number changed, and what the line must name.
struct bad {
    size_t at;
    unsigned width;
    uint64_t value;
    const char *named;
};

static void bad_numbers_are_refused(void **state)
{
    (void)state;
    static const struct bad bad[] = {
        {8, 8, 0, "header size of 0"},
        {8, 8, 1023, "1023"},
        {8, 8, 1025, "1025"},
        {8, 8, UINT64_MAX, "18446744073709551615"},
        {0, 8, 0, "packaging 0"},
        {0, 8, 3, "packaging 3"},
        {24, 8, 9, "version 9.0"},
        {16, 8, DATA_BYTES + 1, "truncated"},
        {16, 8, UINT64_MAX, "truncated"},
        {16, 8, UINT64_MAX - 1023, "truncated"}, // with the header it wraps to 0
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        uint8_t bytes[NEFF_HEADER_BYTES];
        struct neff_header header;
        char why[NEFF_WHY] = "";
        good_header(bytes);
        put_number(bytes, bad[i].at, bad[i].width, bad[i].value);
        if (neff_header_parse(&header, bytes, sizeof(bytes), FILE_BYTES, why))
            fail_msg("row %zu is taken for a NEFF", i);
        if (strstr(why, bad[i].named) == NULL)
            fail_msg("row %zu: '%s' does not say '%s'", i, why, bad[i].named);
    }
}

static void short_files_are_refused(void **state)
{
    (void)state;
    uint8_t bytes[NEFF_HEADER_BYTES];
    struct neff_header header;
    char why[NEFF_WHY];
    good_header(bytes);
    assert_false(neff_header_parse(&header, bytes, 0, 0, why));
    assert_non_null(strstr(why, "empty"));
    assert_false(neff_header_parse(&header, bytes, 1023, 1023, why));
    assert_non_null(strstr(why, "1023 bytes"));
    // a file that became shorter while it was read
    assert_false(neff_header_parse(&header, bytes, 100, FILE_BYTES, why));
    put_number(bytes, 16, 8, 0);
    assert_true(neff_header_parse(&header, bytes, sizeof(bytes), NEFF_HEADER_BYTES, why));
}

static void payloads_are_probed_by_their_bytes(void **state)
{
    (void)state;
    uint8_t bytes[512] = {0x1f, 0x8b, 0x08, 0, 0x4a, 0xb4, 0x39, 0x6a, 4, 3};
    assert_int_equal(neff_probe(bytes, 3), NEFF_FORM_GZIP);
    assert_int_equal(neff_probe(bytes, 2), NEFF_FORM_UNKNOWN);
    assert_int_equal(neff_probe_built(bytes, 10), 0x6a39b44a);
    assert_int_equal(neff_probe_built(bytes, 9), 0);
    bytes[2] = 7; // no method of gzip
    assert_int_equal(neff_probe(bytes, sizeof(bytes)), NEFF_FORM_UNKNOWN);
    memcpy(bytes + 257, "ustar", 5);
    assert_int_equal(neff_probe(bytes, sizeof(bytes)), NEFF_FORM_TAR);
    assert_int_equal(neff_probe(bytes, 261), NEFF_FORM_UNKNOWN);
    assert_int_equal(neff_probe_built(bytes, sizeof(bytes)), 0);
}

static void features_have_their_names(void **state)
{
    (void)state;
    static const struct {
        uint64_t mask;
        const char *name;
    } known[] = {
        {0x2, "collective_has_offset"},
        {0x100, "indirect_memcpy_bound_check"},
        {0x400, "vnc"},
        {0x800, "DVE perf mode"},
        {0x1000, "DGE"},
        {0x8000, "DGE_cast"},
        {0x100000, "SQI_no_rearm"},
        {0x200000, "hardware_DGE"},
        {0x1000000, "v4 marker"},
        {0x2000000, "large_tensor_support"},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        assert_string_equal(neff_feature_name((unsigned)__builtin_ctzll(known[i].mask)),
                            known[i].name);
    assert_null(neff_feature_name(0));
    assert_null(neff_feature_name(18));
    assert_null(neff_feature_name(63));
    assert_null(neff_feature_name(64));
}

static void support_is_that_of_the_next_known_runtime(void **state)
{
    (void)state;
    assert_true(neff_support_of("2.15.9.0")->mask == UINT64_C(0x80000000000000ff));
    assert_true(neff_support_of("2.18.15")->mask == UINT64_C(0x80000000000000ff));
    assert_true(neff_support_of("2.19.0.0")->mask == 0x7ffffff);
    assert_true(neff_support_of("2.31.24.0-0b044f4ce")->mask == 0x7ffffff);
    assert_null(neff_support_of("2.31.25.0"));
    assert_null(neff_support_of(NULL));
    assert_null(neff_support_of("unknown"));
}

static void targets_are_chips(void **state)
{
    (void)state;
    assert_string_equal(neff_chip_of("sunda")->neuroncore, "v2");
    assert_string_equal(neff_chip_of("cayman")->neuroncore, "v3");
    assert_string_equal(neff_chip_of("mariana")->neuroncore, "v4");
    assert_true(neff_chip_of("cayman")->seen);
    assert_false(neff_chip_of("mariana")->seen);
    assert_null(neff_chip_of("*")->neuroncore);
    assert_string_equal(neff_chip_of("")->neuroncore, "v2");
    assert_null(neff_chip_of("caymans"));
    assert_string_equal(neff_chip_by_neuroncore("v3")->compile, "trn2");
    assert_null(neff_chip_by_neuroncore("v1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_at_their_offsets),
        cmocka_unit_test(every_byte_of_a_number_counts),
        cmocka_unit_test(lnc_0_is_1),
        cmocka_unit_test(texts_are_made_clean_and_fit),
        cmocka_unit_test(bad_numbers_are_refused),
        cmocka_unit_test(short_files_are_refused),
        cmocka_unit_test(payloads_are_probed_by_their_bytes),
        cmocka_unit_test(features_have_their_names),
        cmocka_unit_test(support_is_that_of_the_next_known_runtime),
        cmocka_unit_test(targets_are_chips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
