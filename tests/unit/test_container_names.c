// SPDX-License-Identifier: Apache-2.0
// The files of container runtimes, as they write them and as somebody may who wishes us ill.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/container_names.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static char bytes[1 << 16];

static size_t load(const char *name)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/container_names/%s", getenv("NEUTOP_FIXTURES"), name);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s", path);
    size_t length = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    return length;
}

static bool read_names(const char *name, container_names_parse *parse,
                       struct container_names *names)
{
    *names = (struct container_names){.container = ""};
    return parse(bytes, load(name), ID, names);
}

static void each_runtime(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        container_names_parse *parse;
        const char *container, *pod, *pod_namespace;
    } rows[] = {
        {"containerd.json", container_names_oci, "server", "llama-70b-6d5f7c9b8d-x2x7q",
         "inference"},
        {"containerd-sandbox.json", container_names_oci, "", "llama-70b-6d5f7c9b8d-x2x7q",
         "inference"},
        {"crio.json", container_names_oci, "server", "bert-0", "research"},
        {"nerdctl.json", container_names_oci, "trainer", "", ""},
        {"docker.json", container_names_docker, "eager_bell", "", ""},
        {"docker-no-labels.json", container_names_docker, "eager_bell", "", ""},
        {"docker-ecs.json", container_names_docker, "ecs-serve-5-server-acc699c0cbf2d6d11700", "",
         ""},
        {"docker-kubelet.json", container_names_docker, "server", "bert-0", "research"},
        {"storage.json", container_names_storage, "notebook", "", ""},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct container_names names;
        if (!read_names(rows[i].file, rows[i].parse, &names))
            fail_msg("%s", rows[i].file);
        assert_string_equal(names.container, rows[i].container);
        assert_string_equal(names.pod, rows[i].pod);
        assert_string_equal(names.pod_namespace, rows[i].pod_namespace);
    }
}

// Nothing is told, and nothing written: neither by the file of another runtime nor by bad ones.
static void nothing_told(void **state)
{
    (void)state;
    static container_names_parse *const parsers[] = {container_names_docker, container_names_oci,
                                                     container_names_storage, container_names_log};
    static const char *const files[] = {
        "hostile-types.json", "hostile-deep.json", "hostile-cut.json",  "hostile-empty.json",
        "docker-bundle.json", "podman.json",       "docker-daemon.json"};
    struct container_names names, none = {.container = ""};
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        for (size_t j = 0; j < sizeof(parsers) / sizeof(parsers[0]); j++) {
            if (read_names(files[i], parsers[j], &names))
                fail_msg("%s, %zu", files[i], j);
            assert_memory_equal(&names, &none, sizeof(none));
        }
    assert_false(read_names("containerd.json", container_names_docker, &names));
    assert_false(read_names("docker.json", container_names_oci, &names));
    assert_false(read_names("docker.json", container_names_storage, &names));
    size_t length = load("storage.json");
    assert_false(container_names_storage(bytes, length, "e" ID, &names));
}

static void hostile_names_become_clean(void **state)
{
    (void)state;
    struct container_names names;
    assert_true(read_names("hostile-names.json", container_names_oci, &names));
    assert_string_equal(names.container, "ser\xef\xbf\xbd[31mver\xef\xbf\xbd");
    assert_int_equal(strlen(names.pod), CONTAINER_NAME - 1);
    assert_string_equal(names.pod_namespace, "a\xef\xbf\xbd"
                                             "b\xef\xbf\xbd");
    assert_true(read_names("hostile-bytes.json", container_names_oci, &names));
    assert_string_equal(names.container, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd(x");
    assert_string_equal(names.pod, "p");
}

static void names_of_logs(void **state)
{
    (void)state;
    static const char good[] = "bert-0_research_server-1-" ID ".log";
    static const char *const bad[] = {"bert-0_research_server-" ID,
                                      "bert-0_research-" ID ".log",
                                      "_research_server-" ID ".log",
                                      "bert-0__server-" ID ".log",
                                      "bert-0_research_-" ID ".log",
                                      "bert-0_research_server" ID ".log",
                                      "bert-0_research_server-f" ID ".log",
                                      "-" ID ".log",
                                      ID ".log",
                                      ".log",
                                      "..",
                                      ""};
    struct container_names names;
    assert_true(container_names_log(good, strlen(good), ID, &names));
    assert_string_equal(names.pod, "bert-0");
    assert_string_equal(names.pod_namespace, "research");
    assert_string_equal(names.container, "server-1");
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (container_names_log(bad[i], strlen(bad[i]), ID, &names))
            fail_msg("%s", bad[i]);
}

static void another_folder_of_docker(void **state)
{
    (void)state;
    char folder[64];
    size_t length = load("docker-daemon.json");
    assert_true(container_names_docker_root(bytes, length, folder, sizeof(folder)));
    assert_string_equal(folder, "/mnt/nvme/docker");
    assert_false(container_names_docker_root(bytes, length, folder, 16)); // it would be cut
    static const char *const bad[] = {"{}",
                                      "{\"data-root\":\"docker\"}",
                                      "{\"data-root\":7}",
                                      "{\"data-root\":\"/a\\u0000b\"}",
                                      "[]",
                                      ""};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (container_names_docker_root(bad[i], strlen(bad[i]), folder, sizeof(folder)))
            fail_msg("%s", bad[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_runtime),
        cmocka_unit_test(nothing_told),
        cmocka_unit_test(hostile_names_become_clean),
        cmocka_unit_test(names_of_logs),
        cmocka_unit_test(another_folder_of_docker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
