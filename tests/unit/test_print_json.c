// SPDX-License-Identifier: Apache-2.0
// The JSON document: its keys, unknown as null, numbers as numbers in their shortest form, hostile
// text escaped.
#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "build_host.h"
#include "print/json_writer.h"

static void writer_text(const struct json_writer *writer, const char *expected)
{
    char got[512];
    assert_true(writer->length < sizeof(got));
    memcpy(got, writer->text, writer->length);
    got[writer->length] = '\0';
    assert_string_equal(got, expected);
}

static void writer_keeps_commas_and_nesting(void **state)
{
    (void)state;
    struct json_writer writer;
    json_writer_init(&writer);
    json_begin_object(&writer, NULL);
    json_begin_array(&writer, "a");
    json_end_array(&writer);
    json_begin_array(&writer, "b");
    json_put_u64(&writer, NULL, UINT64_MAX);
    json_put_null(&writer, NULL);
    json_begin_object(&writer, NULL);
    json_end_object(&writer);
    json_begin_array(&writer, NULL);
    json_put_bool(&writer, NULL, false);
    json_end_array(&writer);
    json_end_array(&writer);
    json_put_bool(&writer, "c", true);
    json_put_string(&writer, "d", NULL);
    json_end_object(&writer);
    writer_text(&writer,
                "{\"a\":[],\"b\":[18446744073709551615,null,{},[false]],\"c\":true,\"d\":null}");
    json_writer_free(&writer);
}

static void writer_escapes(void **state)
{
    (void)state;
    const struct {
        const char *text, *json;
    } cases[] = {
        {"", "\"\""},
        {"plain /path", "\"plain /path\""},
        {"\"\\", "\"\\\"\\\\\""},
        {"\b\f\n\r\t\x01\x1f", "\"\\b\\f\\n\\r\\t\\u0001\\u001f\""},
        {"\x7f", "\"\\u007f\""},
        {"h\xc3\xa9 \xf0\x9f\x98\x80", "\"h\xc3\xa9 \xf0\x9f\x98\x80\""},
        {"\xff\xc3(", "\"\xef\xbf\xbd\xef\xbf\xbd(\""},               // no UTF-8
        {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, // a surrogate
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct json_writer writer;
        json_writer_init(&writer);
        json_put_string(&writer, NULL, cases[i].text);
        writer_text(&writer, cases[i].json);
        json_writer_free(&writer);
    }
}

static void number_is(double value, const char *expected)
{
    struct json_writer writer;
    json_writer_init(&writer);
    json_put_f64(&writer, NULL, value);
    writer_text(&writer, expected);
    json_writer_free(&writer);
}

static void doubles_are_shortest(void **state)
{
    (void)state;
    number_is(0, "0");
    number_is(100, "100");
    number_is(56.81, "56.81");
    number_is(-0.5, "-0.5");
    number_is(0.1 + 0.2, "0.30000000000000004");
    number_is(99.99999999999999, "99.99999999999999");
    number_is(1e-6, "0.000001");
    number_is(9.5e-7, "0.00000095");
    number_is(0.011424000000000002, "0.011424000000000002");
    number_is(318278e9, "318278000000000");
    number_is(9007199254740993.0, "9007199254740992");
    number_is(1e22, "1e+22");
    number_is(NAN, "null");
    number_is(INFINITY, "null");
}

// Every double reads back as itself, and no shorter %g would.
static void doubles_read_back(void **state)
{
    (void)state;
    uint64_t chance = 88172645463325252;
    for (unsigned i = 0; i < 20000; i++) {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        double value = (double)(chance >> 11) / 9007199254740992.0 * pow(10, (int)(i % 30) - 12);
        struct json_writer writer;
        json_writer_init(&writer);
        json_put_f64(&writer, NULL, value);
        writer.text[writer.length] = '\0';
        assert_true(strtod(writer.text, NULL) == value);
        assert_true(writer.length <= 26);
        json_writer_free(&writer);
    }
}

static void decimal_point_in_any_locale(void **state)
{
    (void)state;
    const char *old = setlocale(LC_NUMERIC, "de_DE.UTF-8");
    number_is(56.81, "56.81");
    number_is(1.5e300, "1.5e+300");
    if (old != NULL)
        setlocale(LC_NUMERIC, "C");
}

// The value at a path of keys and indices, "chips.0.cores.1"; fails when a step is missing. NULL is
// a null.
static struct json_object *at(struct json_object *root, const char *path)
{
    char copy[256], *rest = copy;
    struct json_object *value = root;
    snprintf(copy, sizeof(copy), "%s", path);
    for (char *step; (step = strsep(&rest, ".")) != NULL;) {
        bool found = true;
        if (json_object_is_type(value, json_type_array)) {
            size_t index = strtoul(step, NULL, 10);
            found = index < json_object_array_length(value);
            value = found ? json_object_array_get_idx(value, index) : NULL;
        } else {
            found = json_object_object_get_ex(value, step, &value);
        }
        if (!found)
            fail_msg("no %s in %s", step, path);
    }
    return value;
}

static struct json_object *document_of(const struct host *host)
{
    char *text = print_to_json(host);
    struct json_object *root = json_tokener_parse(text);
    assert_non_null(root);
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1); // one line
    free(text);
    return root;
}

static void string_at(struct json_object *root, const char *path, const char *expected)
{
    struct json_object *value = at(root, path);
    assert_true(json_object_is_type(value, json_type_string));
    assert_string_equal(json_object_get_string(value), expected);
}

static void number_at(struct json_object *root, const char *path, const char *expected)
{
    struct json_object *value = at(root, path);
    assert_true(json_object_is_type(value, json_type_int) ||
                json_object_is_type(value, json_type_double));
    assert_string_equal(json_object_get_string(value), expected);
}

static void unknown_is_null(void **state)
{
    (void)state;
    static const char *const paths[] = {"instance.id",
                                        "instance.type",
                                        "instance.region",
                                        "instance.availability_zone",
                                        "hardware.chip",
                                        "hardware.chips",
                                        "hardware.lnc",
                                        "host.cpus",
                                        "host.memory_used_bytes",
                                        "host.cpu_user_percent",
                                        "versions.driver",
                                        "versions.compat_min",
                                        "versions.sdk",
                                        "time"};
    struct host *host = host_new();
    struct json_object *root = document_of(host);
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        assert_null(at(root, paths[i]));
    string_at(root, "schema", "neutop.host/1");
    assert_int_equal(json_object_array_length(at(root, "chips")), 0);
    assert_int_equal(json_object_array_length(at(root, "processes")), 0);
    assert_int_equal(json_object_array_length(at(root, "sources")), 0);
    assert_int_equal(json_object_array_length(at(root, "findings")), 0);
    json_object_put(root);
    host_free(host);
}

static void chips_and_cores(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    struct process *process = build_process(host, 31207, "train", 2, 2);
    build_memory(host, process, 2, MEM_TENSORS, 3 * GIB);
    build_memory(host, process, 2, MEM_MODEL_CODE, GIB);
    build_utilization(host, process, 2, 42.01);
    host->cores[2].physical_count = 2;
    host->cores[2].physical[0] = (struct physical_core){4, fact_f64(21.01, FROM_RECORDING)};
    host->cores[2].physical[1] = (struct physical_core){-1, fact_f64(63.01, FROM_RECORDING)};
    host->cores[0].owners_known = false;
    host->chips[1].connected_known = true;
    struct json_object *root = document_of(host);
    number_at(root, "chips.0.cores.2.index", "2");
    string_at(root, "chips.0.cores.2.numbering", "monitor");
    string_at(root, "chips.0.cores.2.state", "busy");
    number_at(root, "chips.0.cores.2.utilization_percent", "42.01");
    number_at(root, "chips.0.cores.2.physical.0", "4");
    assert_null(at(root, "chips.0.cores.2.physical.1"));
    number_at(root, "chips.0.cores.2.physical_utilization_percent.1", "63.01");
    number_at(root, "chips.0.cores.2.memory_used_bytes", "4294967296");
    number_at(root, "chips.0.cores.2.memory_limit_bytes", "25769803776");
    number_at(root, "chips.0.cores.2.memory.tensors_bytes", "3221225472");
    number_at(root, "chips.0.cores.2.memory.model_code_bytes", "1073741824");
    number_at(root, "chips.0.cores.2.owners.0", "31207");
    string_at(root, "chips.0.cores.3.state", "held");
    assert_null(at(root, "chips.0.cores.3.utilization_percent"));
    assert_null(at(root, "chips.0.cores.0.owners"));
    assert_int_equal(json_object_array_length(at(root, "chips.0.cores.1.owners")), 0);
    assert_true(json_object_get_boolean(at(root, "owners_known")));
    assert_null(at(root, "chips.0.connected"));
    assert_int_equal(json_object_array_length(at(root, "chips.1.connected")), 0);
    assert_null(at(root, "chips.0.ecc.mem_uncorrected"));
    string_at(root, "chips.0.health", "unknown");
    assert_int_equal(json_object_array_length(at(root, "chips")), 16);
    assert_int_equal(json_object_array_length(at(root, "chips.15.cores")), 4);
    string_at(root, "time", "2026-10-28T12:31:07.000Z");
    json_object_put(root);
    host_free(host);
}

static const struct subgraph two_subgraphs[] = {{.name = "sg_00", .chip = 1, .core_in_chip = 1},
                                                {.name = "sg_01", .chip = 1, .core_in_chip = 0}};
static const struct model one_model[] = {{.name = "llama \"8b\"\x1b[31m",
                                          .uuid = "00ff",
                                          .model_id = {.value = 10001, .from = FROM_RECORDING},
                                          .state = MODEL_RUNNING,
                                          .subgraph_count = 2,
                                          .subgraphs = two_subgraphs}};

static void processes_and_models(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 0);
    struct process *process = build_process(host, 4242, "python train.py", 2, 2);
    process->tag = "job";
    process->state = PROCESS_SLEEPING;
    process->started_unix_seconds = fact_f64(BUILD_TIME - 0.25, FROM_PROC);
    process->latency_total.seconds[P50] = fact_f64(0.011, FROM_RECORDING);
    process->executions_per_second[EXEC_COMPLETED] = fact_f64(260, FROM_RECORDING);
    process->executions_per_second[EXEC_TIMED_OUT] = fact_f64(0, FROM_RECORDING);
    process->errors_per_second[ERR_NUMERICAL] = fact_f64(0.5, FROM_RECORDING);
    process->idle_seconds = fact_f64(12.3456789, FROM_DERIVED);
    process->groups[GROUP_MEMORY].error = "broken";
    process->model_count = 1;
    process->models = one_model;
    struct json_object *root = document_of(host);
    number_at(root, "processes.0.pid", "4242");
    string_at(root, "processes.0.state", "sleeping");
    string_at(root, "processes.0.started", "2026-10-28T12:31:06.750Z");
    number_at(root, "processes.0.cores.0", "2");
    number_at(root, "processes.0.chips.0", "1");
    number_at(root, "processes.0.latency_seconds.total.p50", "0.011");
    assert_null(at(root, "processes.0.latency_seconds.device"));
    number_at(root, "processes.0.executions_per_second", "260");
    number_at(root, "processes.0.execution_status_per_second.timed_out", "0");
    number_at(root, "processes.0.errors_per_second.numerical", "0.5");
    number_at(root, "processes.0.idle_seconds", "12.346");
    string_at(root, "processes.0.group_errors.memory", "broken");
    assert_null(at(root, "processes.0.memory_device_bytes"));
    string_at(root, "processes.0.models.0.name", "llama \"8b\"\x1b[31m");
    number_at(root, "processes.0.models.0.cores.0", "2");
    number_at(root, "processes.0.models.0.cores.1", "3");
    assert_true(json_object_get_boolean(at(root, "processes.0.models.0.running")));
    json_object_put(root);
    host_free(host);
}

static void stale_values_are_named(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.xlarge", 0);
    build_memory(host, NULL, 0, MEM_TENSORS, GIB);
    host->cores[0].memory[MEM_TENSORS].stale = true;
    host->cores[0].memory_used_bytes.stale = true;
    struct json_object *root = document_of(host);
    string_at(root, "chips.0.cores.0.stale.0", "memory_used_bytes");
    string_at(root, "chips.0.cores.0.stale.1", "memory");
    assert_false(json_object_object_get_ex(at(root, "chips.0.cores.1"), "stale", NULL));
    json_object_put(root);
    host_free(host);
}

static void findings_and_sources(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 0);
    build_memory(host, NULL, 0, MEM_TENSORS, 16 * GIB);
    build_source(host, "monitor", SOURCE_LIVE, 0.41234, "2.28.23");
    host->demo = true;
    host->finished = true;
    struct json_object *root = document_of(host);
    string_at(root, "sources.0.name", "monitor");
    string_at(root, "sources.0.state", "live");
    number_at(root, "sources.0.age_seconds", "0.412");
    string_at(root, "findings.0.id", "memory-nearly-full");
    string_at(root, "findings.0.severity", "critical");
    string_at(root, "findings.0.subject", "NC 0");
    assert_int_equal(json_object_array_length(at(root, "findings.0.evidence")), 1);
    assert_true(json_object_get_boolean(at(root, "demo")));
    assert_true(json_object_get_boolean(at(root, "finished")));
    json_object_put(root);
    host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writer_keeps_commas_and_nesting),
        cmocka_unit_test(writer_escapes),
        cmocka_unit_test(doubles_are_shortest),
        cmocka_unit_test(doubles_read_back),
        cmocka_unit_test(decimal_point_in_any_locale),
        cmocka_unit_test(unknown_is_null),
        cmocka_unit_test(chips_and_cores),
        cmocka_unit_test(processes_and_models),
        cmocka_unit_test(stale_values_are_named),
        cmocka_unit_test(findings_and_sources),
    };
    return cmocka_run_group_tests_name("print_json", tests, NULL, NULL);
}
