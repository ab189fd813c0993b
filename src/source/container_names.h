// SPDX-License-Identifier: Apache-2.0
// The names that container runtimes write of their containers, in the forms of their own files.
// Pure: bytes in, clean text out; nothing here opens a file. All of it is hostile.
#ifndef NEUTOP_SOURCE_CONTAINER_NAMES_H
#define NEUTOP_SOURCE_CONTAINER_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum { CONTAINER_NAME = 256 }; // a pod's may have 253 characters

// Clean text, cut where it is longer; "" unknown. A container outside Kubernetes has no pod.
struct container_names {
    char container[CONTAINER_NAME], pod[CONTAINER_NAME], pod_namespace[CONTAINER_NAME];
};

// Each takes LENGTH bytes of a file and the ID (64 digits) of the container in question. False, and
// nothing written, when the file does not tell of it. JSON that nests deeper than 32 is refused.
typedef bool container_names_parse(const char *bytes, size_t length, const char *id,
                                   struct container_names *names);

// config.v2.json of dockerd: its Name, which begins with '/', or the labels of the kubelet. Tasks
// of Amazon ECS have theirs in the name: "ecs-FAMILY-REVISION-CONTAINER-DIGITS".
container_names_parse container_names_docker;

// config.json of an OCI bundle (OCI runtime specification, "annotations"): those of containerd's
// CRI plugin, those that CRI-O takes over from the kubelet, and nerdctl's own.
container_names_parse container_names_oci;

// containers.json and volatile-containers.json of containers/storage, which podman and CRI-O stand
// on: a list with "id" and "names".
container_names_parse container_names_storage;

// The name of a log below /var/log/containers, as the kubelet makes them:
// POD_NAMESPACE_CONTAINER-ID.log.
container_names_parse container_names_log;

// The folder that dockerd was told to keep its containers in: "data-root" of daemon.json. Written
// into BUFFER of SIZE bytes; false when it is not set, or no absolute path that fits.
bool container_names_docker_root(const char *bytes, size_t length, char *buffer, size_t size);

#endif
