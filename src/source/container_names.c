// SPDX-License-Identifier: Apache-2.0
// Parsers of the runtimes' files. The keys are those of containerd (pkg/cri/annotations), of the
// kubelet's labels (pkg/kubelet/types/labels.go), of nerdctl (pkg/labels) and of containers/storage
// (containers.go), as these projects publish them.
#include "source/container_names.h"

#include <limits.h>
#include <string.h>

#include "base/text.h"
#include "source/field.h"

enum { DEPTH_MAX = 32 };

static json_object *parse(const char *bytes, size_t length)
{
    struct json_tokener *tokener = length <= INT_MAX ? json_tokener_new_ex(DEPTH_MAX) : NULL;
    if (tokener == NULL)
        return NULL;
    json_object *object = json_tokener_parse_ex(tokener, bytes, (int)length);
    json_tokener_free(tokener);
    return object;
}

static bool take(json_object *object, const char *key, char buffer[CONTAINER_NAME])
{
    size_t length;
    const char *text = key != NULL ? field_text(object, key, &length) : NULL;
    if (text == NULL)
        return false;
    text_clean_to(buffer, CONTAINER_NAME, text, length);
    return buffer[0] != '\0';
}

static const struct keys {
    const char *container, *pod, *pod_namespace;
} kubelet = {"io.kubernetes.container.name", "io.kubernetes.pod.name",
             "io.kubernetes.pod.namespace"};

static bool take_keys(json_object *object, const struct keys *keys, struct container_names *names)
{
    struct container_names found = {.container = ""};
    bool container = take(object, keys->container, found.container);
    bool pod = take(object, keys->pod, found.pod);
    take(object, keys->pod_namespace, found.pod_namespace);
    if (container || pod)
        *names = found;
    return container || pod;
}

bool container_names_docker(const char *bytes, size_t length, const char *id,
                            struct container_names *names)
{
    struct container_names found = {.container = ""};
    json_object *file = parse(bytes, length);
    (void)id;
    bool told = take_keys(field_object(field_object(file, "Config"), "Labels"), &kubelet, names);
    if (!told && take(file, "Name", found.container)) {
        size_t slash = found.container[0] == '/';
        memmove(found.container, found.container + slash, strlen(found.container + slash) + 1);
        told = found.container[0] != '\0';
        if (told)
            *names = found;
    }
    json_object_put(file);
    return told;
}

bool container_names_oci(const char *bytes, size_t length, const char *id,
                         struct container_names *names)
{
    static const struct keys cri = {"io.kubernetes.cri.container-name",
                                    "io.kubernetes.cri.sandbox-name",
                                    "io.kubernetes.cri.sandbox-namespace"},
                             nerdctl = {"nerdctl/name", NULL, NULL};
    json_object *file = parse(bytes, length), *annotations = field_object(file, "annotations");
    (void)id;
    bool told = take_keys(annotations, &cri, names) || take_keys(annotations, &kubelet, names) ||
                take_keys(annotations, &nerdctl, names);
    json_object_put(file);
    return told;
}

static bool has_id(json_object *item, const char *id)
{
    size_t length;
    const char *text = field_text(item, "id", &length);
    return text != NULL && length == strlen(id) && memcmp(text, id, length) == 0;
}

static bool take_first(json_object *list, struct container_names *names)
{
    json_object *first = list != NULL && json_object_array_length(list) > 0
                             ? json_object_array_get_idx(list, 0)
                             : NULL;
    struct container_names found = {.container = ""};
    if (!json_object_is_type(first, json_type_string))
        return false;
    text_clean_to(found.container, sizeof(found.container), json_object_get_string(first),
                  (size_t)json_object_get_string_len(first));
    if (found.container[0] != '\0')
        *names = found;
    return found.container[0] != '\0';
}

bool container_names_storage(const char *bytes, size_t length, const char *id,
                             struct container_names *names)
{
    json_object *file = parse(bytes, length);
    bool told = false;
    size_t count = json_object_is_type(file, json_type_array) ? json_object_array_length(file) : 0;
    for (size_t i = 0; i < count && !told; i++) {
        json_object *item = json_object_array_get_idx(file, i);
        told = has_id(item, id) && take_first(field_array(item, "names"), names);
    }
    json_object_put(file);
    return told;
}

// Names in Kubernetes have no '_'.
bool container_names_log(const char *bytes, size_t length, const char *id,
                         struct container_names *names)
{
    static const char end[] = ".log";
    const size_t tail = 1 + strlen(id) + strlen(end);
    if (length <= tail || bytes[length - tail] != '-' ||
        memcmp(bytes + length - tail + 1, id, strlen(id)) != 0 ||
        memcmp(bytes + length - strlen(end), end, strlen(end)) != 0)
        return false;
    const char *stop = bytes + length - tail;
    const char *first = memchr(bytes, '_', (size_t)(stop - bytes));
    const char *second = first != NULL ? memchr(first + 1, '_', (size_t)(stop - first - 1)) : NULL;
    if (second == NULL || first == bytes || second == first + 1 || second + 1 == stop)
        return false;
    text_clean_to(names->pod, sizeof(names->pod), bytes, (size_t)(first - bytes));
    text_clean_to(names->pod_namespace, sizeof(names->pod_namespace), first + 1,
                  (size_t)(second - first - 1));
    text_clean_to(names->container, sizeof(names->container), second + 1,
                  (size_t)(stop - second - 1));
    return true;
}

bool container_names_docker_root(const char *bytes, size_t length, char *buffer, size_t size)
{
    size_t used;
    json_object *file = parse(bytes, length);
    const char *text = field_text(file, "data-root", &used);
    bool fits = text != NULL && text[0] == '/' && used < size && memchr(text, '\0', used) == NULL;
    if (fits)
        memcpy(buffer, text, used + 1);
    json_object_put(file);
    return fits;
}
