// SPDX-License-Identifier: Apache-2.0
// The listing as JSON: neuron-ls's own form byte for byte against what neuron-ls printed, and ours.
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "base/arena.h"
#include "build_host.h"
#include "golden.h"
#include "print/ls.h"

typedef void printer(FILE *out, const struct host *host, const struct ls_options *options);

static char *printed(printer *print, const struct host *host, const struct ls_options *options)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    print(out, host, options);
    fclose(out);
    return text;
}

static const char *text_of(const struct host *host, json_object *device, const char *key)
{
    json_object *value;
    return json_object_object_get_ex(device, key, &value)
               ? arena_strdup(host->arena, json_object_get_string(value))
               : NULL;
}

static void take_links(struct chip *chip, json_object *device)
{
    json_object *links = json_object_object_get(device, "connected_to");
    chip->connected_known = true;
    chip->connected_count = links == NULL ? 0 : (unsigned)json_object_array_length(links);
    for (unsigned i = 0; i < chip->connected_count; i++)
        chip->connected[i] = (unsigned)json_object_get_int(json_object_array_get_idx(links, i));
}

static struct process *process_of(struct host *host, json_object *entry)
{
    uint64_t pid = (uint64_t)json_object_get_int64(json_object_object_get(entry, "pid"));
    for (unsigned i = 0; i < host->process_count; i++)
        if (host->processes[i].pid.value == pid)
            return &host->processes[i];
    const char *command = text_of(host, entry, "command");
    struct process *process = build_process(host, pid, command[0] != '\0' ? command : NULL, 0, 0);
    process->runtime_version = text_of(host, entry, "neuron_runtime_version");
    return process;
}

static void take_device(struct host *host, struct chip *chip, json_object *device)
{
    const char *numa = text_of(host, device, "numa_node");
    chip->pci = text_of(host, device, "bdf");
    chip->cpu_affinity = text_of(host, device, "cpu_affinity");
    if (numa != NULL && numa[0] != '-')
        chip->numa_node = fact_u64((uint64_t)atoi(numa), FROM_SYSFS);
    take_links(chip, device);
    json_object *processes = json_object_object_get(device, "neuron_processes");
    for (size_t i = 0; i < json_object_array_length(processes); i++)
        core_set_add(&process_of(host, json_object_array_get_idx(processes, i))->chips,
                     chip->index);
}

// The host on which neuron-ls would have printed TEXT.
static struct host *host_of(const char *type, json_object *document)
{
    struct host *host = build_host(type, 0);
    json_object *first = json_object_array_get_idx(document, 0);
    host->chip_count = (unsigned)json_object_array_length(document);
    host->instance.type = text_of(host, first, "instance_type");
    host->instance.id = text_of(host, first, "instance_id");
    for (unsigned i = 0; i < host->chip_count; i++)
        take_device(host, &host->chips[i], json_object_array_get_idx(document, i));
    return host;
}

static void is_what_neuron_ls_printed(const char *type, const char *name)
{
    char path[128];
    snprintf(path, sizeof(path), "ls/neuron/%s", name);
    char *expected = golden_read(path);
    json_object *document = json_tokener_parse(expected);
    struct host *host = host_of(type, document);
    char *text = printed(print_ls_neuron, host, &(struct ls_options){0});
    assert_string_equal(text, expected);
    free(text);
    free(expected);
    json_object_put(document);
    host_free(host);
}

static void neuron_form_is_neuron_ls_byte_for_byte(void **state)
{
    (void)state;
    is_what_neuron_ls_printed("inf2.xlarge", "inf2-xlarge-captured.json");
    is_what_neuron_ls_printed("trn1.2xlarge", "trn1-2xlarge-idle-captured.json");
    is_what_neuron_ls_printed("trn2.48xlarge", "trn2-48xlarge-one-device-pod-captured.json");
    is_what_neuron_ls_printed("trn1.32xlarge", "trn1-32xlarge-two-procs.json");
    is_what_neuron_ls_printed("trn2.48xlarge", "trn2n-48xlarge-16-devices.json");
}

// Tools before SDK 2.25 lacked the ids of the cores; everything else is the same.
static void neuron_form_has_what_older_tools_had(void **state)
{
    (void)state;
    char *expected = golden_read("ls/neuron/trn2n-48xlarge-16-devices-before-2.25.json");
    json_object *old = json_tokener_parse(expected);
    struct host *host = host_of("trn2.48xlarge", old);
    char *text = printed(print_ls_neuron, host, &(struct ls_options){0});
    json_object *new = json_tokener_parse(text);
    for (size_t i = 0; i < json_object_array_length(new); i++)
        json_object_object_del(json_object_array_get_idx(new, i), "neuroncore_ids");
    assert_true(json_object_equal(old, new));
    json_object_put(old);
    json_object_put(new);
    free(text);
    free(expected);
    host_free(host);
}

static json_object *first_device(const struct host *host, const struct ls_options *options)
{
    char *text = printed(print_ls_neuron, host, options);
    json_object *document = json_tokener_parse(text);
    assert_true(json_object_is_type(document, json_type_array));
    json_object *device = json_object_get(json_object_array_get_idx(document, 0));
    json_object_put(document);
    free(text);
    return device;
}

static void has_only(json_object *device, const char *keys)
{
    char got[512] = "";
    json_object_object_foreach(device, key, value)
    {
        (void)value;
        snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s ", key);
    }
    assert_string_equal(got, keys);
}

// What nobody knows is not there; what scripts read from each entry always is.
static void neuron_form_of_little_knowledge(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.3xlarge", 2);
    host->instance.type = NULL;
    host->hardware.lnc = host->hardware.logical_cores_per_chip = (struct fact_u64){0};
    host->chips[0].memory_total_bytes = (struct fact_u64){0};
    host->chips[0].core_count = 8;
    host->numbering = NUMBERING_PHYSICAL; // and so nobody can tell how many logical cores
    json_object *device = first_device(host, &(struct ls_options){0});
    has_only(device, "neuron_device connected_to neuron_processes ");
    assert_null(json_object_object_get(device, "connected_to"));
    json_object_put(device);
    host->hardware.lnc = fact_u64(2, FROM_PROC);
    device = first_device(host, &(struct ls_options){0});
    json_object *ids = json_object_object_get(device, "neuroncore_ids");
    assert_int_equal(json_object_array_length(ids), 4); // logical ones
    json_object_put(device);
    host_free(host);
}

static void neuron_form_lists_all_when_asked(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.2xlarge", 1);
    struct process *process = build_process(host, 2201, "neuron-monitor", 0, 0);
    process->pid.from = FROM_PROC;
    core_set_add(&process->chips, 0);
    build_process(host, 2202, "a\"b\\\x1b[31m", 0, 1)->runtime_version = "2.30.51.0";
    json_object *device = first_device(host, &(struct ls_options){0});
    json_object *list = json_object_object_get(device, "neuron_processes");
    assert_int_equal(json_object_array_length(list), 1);
    json_object *entry = json_object_array_get_idx(list, 0);
    assert_string_equal(
        json_object_get_string(json_object_object_get(entry, "neuron_runtime_version")), "2.30.51");
    assert_string_equal(json_object_get_string(json_object_object_get(entry, "command")),
                        "a\"b\\\x1b[31m");
    json_object_put(device);
    device = first_device(host, &(struct ls_options){.all = true});
    list = json_object_object_get(device, "neuron_processes");
    assert_int_equal(json_object_array_length(list), 2);
    entry = json_object_array_get_idx(list, 0);
    assert_string_equal(
        json_object_get_string(json_object_object_get(entry, "neuron_runtime_version")), "NA");
    json_object_put(device);
    host_free(host);
}

static void our_form_is_a_part_of_the_snapshot(void **state)
{
    (void)state;
    static const char *const shared[] = {"time",     "demo",  "instance", "hardware",
                                         "versions", "chips", "processes"};
    struct host *host = build_host("trn2.48xlarge", 2);
    build_process(host, 31207, "python3 train.py", 0, 4);
    build_memory(host, &host->processes[0], 0, MEM_TENSORS, GIB);
    char *ls = printed(print_ls_json, host, &(struct ls_options){0});
    char *all = print_to_json(host);
    json_object *part = json_tokener_parse(ls), *whole = json_tokener_parse(all);
    assert_string_equal(json_object_get_string(json_object_object_get(part, "schema")),
                        "neutop.ls/1");
    for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
        assert_true(json_object_equal(json_object_object_get(part, shared[i]),
                                      json_object_object_get(whole, shared[i])));
    assert_int_equal(json_object_object_length(part), 8);
    assert_ptr_equal(strchr(ls, '\n'), ls + strlen(ls) - 1);
    json_object_put(part);
    json_object_put(whole);
    free(ls);
    free(all);
    host_free(host);
}

static void descriptors_in_json(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 1);
    char *text = printed(print_ls_json, host, &(struct ls_options){.cores = true});
    json_object *document = json_tokener_parse(text);
    json_object *list = json_object_object_get(document, "descriptors");
    assert_int_equal(json_object_array_length(list), 128);
    json_object *one = json_object_array_get_idx(list, 127);
    json_object *memory = json_object_object_get(one, "memory");
    assert_int_equal(json_object_get_int(json_object_object_get(one, "chip")), 15);
    assert_string_equal(json_object_get_string(json_object_object_get(one, "architecture")),
                        "NeuronCore-v3");
    assert_int_equal(json_object_get_int64(json_object_object_get(memory, "bytes")), 24 * GIB);
    assert_int_equal(json_object_get_int(json_object_object_get(memory, "shared_by")), 2);
    assert_string_equal(json_object_to_json_string_ext(json_object_object_get(memory, "cores"),
                                                       JSON_C_TO_STRING_PLAIN),
                        "[126,127]");
    assert_string_equal(
        json_object_to_json_string_ext(
            json_object_array_get_idx(json_object_object_get(one, "peak_tflops"), 0),
            JSON_C_TO_STRING_PLAIN),
        "{\"data_type\":\"FP32\",\"figure\":\"chip\",\"logical_core\":null,\"physical_core\":null,"
        "\"chip\":181}");
    json_object_put(document);
    free(text);
    host_free(host);
}

static int use_utf8(void **state)
{
    (void)state;
    return setlocale(LC_ALL, "C.UTF-8") == NULL ? -1 : 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neuron_form_is_neuron_ls_byte_for_byte),
        cmocka_unit_test(neuron_form_has_what_older_tools_had),
        cmocka_unit_test(neuron_form_of_little_knowledge),
        cmocka_unit_test(neuron_form_lists_all_when_asked),
        cmocka_unit_test(our_form_is_a_part_of_the_snapshot),
        cmocka_unit_test(descriptors_in_json),
    };
    return cmocka_run_group_tests_name("ls_json", tests, use_utf8, NULL);
}
