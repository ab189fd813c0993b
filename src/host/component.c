// SPDX-License-Identifier: Apache-2.0
// The components of an SDK release: their names for people, in the table's file, and as packages
// (versions reference 2.3).
#include <ctype.h>
#include <string.h>

#include "host/releases.h"

static const struct {
    const char *name, *key;
} names[COMPONENTS] = {
    [COMPONENT_DRIVER] = {"driver", "driver"},
    [COMPONENT_RUNTIME] = {"runtime", "runtime"},
    [COMPONENT_COLLECTIVES] = {"collectives", "collectives"},
    [COMPONENT_TOOLS] = {"tools", "tools"},
    [COMPONENT_COMPILER] = {"compiler", "compiler"},
    [COMPONENT_TORCH_NEURONX] = {"torch-neuronx", "torch_neuronx"},
    [COMPONENT_JAX_NEURONX] = {"jax-neuronx", "jax_neuronx"},
    [COMPONENT_LIBNEURONXLA] = {"libneuronxla", "libneuronxla"},
    [COMPONENT_NKI] = {"nki", "nki"},
    [COMPONENT_NXD] = {"neuronx-distributed", "nxd"},
    [COMPONENT_NXD_INFERENCE] = {"neuronx-distributed-inference", "nxd_inference"},
    [COMPONENT_NXD_TRAINING] = {"neuronx-distributed-training", "nxd_training"},
    [COMPONENT_TRANSFORMERS_NEURONX] = {"transformers-neuronx", "transformers_neuronx"},
    [COMPONENT_TENSORFLOW_NEURONX] = {"tensorflow-neuronx", "tensorflow_neuronx"},
    [COMPONENT_VLLM_NEURON] = {"vllm-neuron", "vllm_neuron"},
    [COMPONENT_LIBTORCH_NEURONX_LITE] = {"libtorch-neuronx-lite", "libtorch_neuronx_lite"},
    [COMPONENT_NRTPY] = {"nrtpy", "nrtpy"},
    [COMPONENT_TORCHNEURON_BETA] = {"TorchNeuron (beta)", "torchneuron_beta"},
    [COMPONENT_OBSERVER_BETA] = {"Neuron Observer (beta)", "observer_beta"},
    [COMPONENT_OCI_HOOK] = {"OCI hook", "oci_hook"},
    [COMPONENT_COMPILER_INF1] = {"compiler (Inf1)", "compiler_inf1"},
    [COMPONENT_TORCH_NEURON_INF1] = {"torch-neuron", "torch_neuron_inf1"},
    [COMPONENT_LIBNRT_INF1] = {"runtime (Inf1)", "libnrt_inf1"},
};

static const struct {
    const char *package; // '-' for '_', as Debian writes it
    enum component component;
} packages[] = {
    {"aws-neuronx-dkms", COMPONENT_DRIVER},
    {"aws-neuron-dkms", COMPONENT_DRIVER}, // until SDK 2.3
    {"aws-neuronx-runtime-lib", COMPONENT_RUNTIME},
    {"aws-neuronx-collectives", COMPONENT_COLLECTIVES},
    {"aws-neuronx-tools", COMPONENT_TOOLS},
    {"aws-neuron-tools", COMPONENT_TOOLS},
    {"aws-neuronx-oci-hook", COMPONENT_OCI_HOOK},
    {"neuronx-cc", COMPONENT_COMPILER},
    {"neuron-cc", COMPONENT_COMPILER_INF1},
    {"torch-neuronx", COMPONENT_TORCH_NEURONX},
    {"torch-neuron", COMPONENT_TORCH_NEURON_INF1},
    {"jax-neuronx", COMPONENT_JAX_NEURONX},
    {"libneuronxla", COMPONENT_LIBNEURONXLA},
    {"nki", COMPONENT_NKI},
    {"neuronx-distributed", COMPONENT_NXD},
    {"neuronx-distributed-inference", COMPONENT_NXD_INFERENCE},
    {"neuronx-distributed-training", COMPONENT_NXD_TRAINING},
    {"transformers-neuronx", COMPONENT_TRANSFORMERS_NEURONX},
    {"tensorflow-neuronx", COMPONENT_TENSORFLOW_NEURONX},
    {"vllm-neuron", COMPONENT_VLLM_NEURON},
    {"libtorch-neuronx-lite", COMPONENT_LIBTORCH_NEURONX_LITE},
    {"nrtpy", COMPONENT_NRTPY},
};

const char *component_name(enum component component)
{
    return names[component].name;
}

const char *component_key(enum component component)
{
    return names[component].key;
}

static int folded(char c)
{
    return c == '_' || c == '.' ? '-' : tolower((unsigned char)c);
}

static bool same_package(const char *a, const char *b)
{
    while (*a != '\0' && folded(*a) == folded(*b))
        a++, b++;
    return *a == '\0' && *b == '\0';
}

bool component_by_package(const char *package, enum component *component)
{
    for (size_t i = 0; i < sizeof(packages) / sizeof(packages[0]); i++) {
        if (!same_package(packages[i].package, package))
            continue;
        *component = packages[i].component;
        return true;
    }
    return false;
}
