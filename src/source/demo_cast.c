// SPDX-License-Identifier: Apache-2.0
// The cast of the demo: what each part is called and what it needs, and which cores it gets on an
// instance of any size.
#include "source/demo.h"

#include <bsd/string.h>
#include <stdio.h>

#include "base/xmem.h"

enum { WORKERS_MAX = 32, PAGE = 4096, LAUNCHER_HEAD_START = 25 };

#define CACHE "/var/tmp/neuron-compile-cache/neuronxcc-2.27.5334.0+3b612583/"
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct demo_model train_models[] = {
    {CACHE "MODULE_10839194021907261047+4eddc5a1/model.neff", "5bd0e3a34bff2aaf438c6b8068dc5d44",
     21000, 9000, true},
    {CACHE "MODULE_5318360147722196310+4eddc5a1/model.neff", "0f6bb7c2a3e94b1f8d4d5c1e97a2b360",
     6500, 2500, true},
    {CACHE "MODULE_15209771938562010994+4eddc5a1/model.neff", "c3a1de9072e84d0ab9f2576e1b8c4f11",
     9000, 4000, false},
};

static const struct demo_model server_models[] = {
    {"llama-3/context_encoding_2048.neff", "e6a63c59620e66869002b6d08b5ab931", 14000, 6000, true},
    {"llama-3/context_encoding_8192.neff", "77d2b0cf19a54f6ea3c04f60c2be9d05", 19000, 6000, true},
    {"llama-3/token_generation_b1.neff", "a90c4d5e6b7f4c2d9e13f8a2067b54c8", 6000, 3000, false},
    {"llama-3/token_generation_b16.neff", "3e1f7a6498b24d57b0c2e9d81f56a7b3", 8000, 3000, true},
    {"llama-3/token_generation_b64.neff", "d84b2c1f0a6e4f93875cb1e2d90f6a4c", 11000, 3000, false},
};

static const struct demo_model idle_models[] = {
    {CACHE "MODULE_2203985530140938821+d41d8cd9/model.neff", "1c9e5f30b7a84d26e8f1a0c35d7b6e92",
     12000, 8000, false},
};

static const struct demo_model hungry_models[] = {
    {CACHE "MODULE_8847120365190027745+a9c440f5/model.neff", "b27f6e018d3c4a95a1e0c47d9f82b653",
     24000, 12000, true},
    {CACHE "MODULE_8847120365190027746+a9c440f5/model.neff", "6a4d9b8e2f1c4703b5d6e0a1c2f3948b",
     8000, 3000, true},
};

static const struct demo_model flaky_models[] = {
    {"bge-m3-encoder/model.neff", "f05a3d7c9e2b48168c4d7e9f0a1b2c3d", 9000, 21000, true},
};

#define MODELS(array) .models = array, .model_count = COUNT(array)

static const struct demo_role roles[DEMO_PARTS] = {
    [PART_TRAIN] =
        {
            .tag = "train-r",
            .inf_tag = "infer-r",
            .user = "ubuntu",
            .command = "python3 -u train.py --config conf/llama3-70b.yaml --tp 8 --pp 4 --zero1",
            .inf_command = "python3 -u batch_infer.py --model bert-large --shards 64",
            .launcher = "torchrun",
            .state = PROCESS_RUNNING,
            .pid = 31207,
            .pid_step = 3,
            .age_seconds = 3 * 3600 + 12 * 60 + 20.5,
            .memory_ppm = {[MEM_TENSORS] = 512000,
                           [MEM_MODEL_SHARED_SCRATCHPAD] = 46000,
                           [MEM_NONSHARED_SCRATCHPAD] = 3000,
                           [MEM_RUNTIME_MEMORY] = 1800,
                           [MEM_DRIVER_MEMORY] = 60,
                           [MEM_COLLECTIVES] = 6200,
                           [MEM_NOTIFICATIONS] = 700,
                           [MEM_DMA_RINGS] = 2400},
            .host_share = 0.12,
            .cpus_user = 0.72,
            .cpus_system = 0.11,
            .rate = 12.5,
            .latency_seconds = 0.0712,
            MODELS(train_models),
        },
    [PART_SERVER] =
        {
            .tag = "vllm-llama-70b",
            .inf_tag = "vllm-llama-8b",
            .user = "ml",
            .command = "vllm serve meta-llama/Llama-3.3-70B-Instruct --port 8000",
            .inf_command = "vllm serve meta-llama/Llama-3.1-8B-Instruct --port 8000",
            .container = "vllm",
            .pod = "vllm-llama-6d9f7c7b58-x2k4q",
            .pod_namespace = "inference",
            .older_runtime = true,
            .state = PROCESS_RUNNING,
            .pid = 8412,
            .age_seconds = 28 * 3600 + 4 * 60 + 11.5,
            .memory_ppm = {[MEM_TENSORS] = 641000,
                           [MEM_MODEL_SHARED_SCRATCHPAD] = 31000,
                           [MEM_NONSHARED_SCRATCHPAD] = 1500,
                           [MEM_RUNTIME_MEMORY] = 2100,
                           [MEM_DRIVER_MEMORY] = 60,
                           [MEM_COLLECTIVES] = 5100,
                           [MEM_NOTIFICATIONS] = 900,
                           [MEM_DMA_RINGS] = 2900},
            .host_share = 0.09,
            .cpus_user = 6.5,
            .cpus_system = 1.2,
            .rate = 318,
            .latency_seconds = 0.0385,
            MODELS(server_models),
        },
    [PART_IDLE] =
        {
            .user = "jupyter",
            .command = "python3 -m ipykernel_launcher -f kernel-5f0c1b7e.json",
            .state = PROCESS_SLEEPING,
            .pid = 21930,
            .age_seconds = 7 * 3600 + 41 * 60 + 3.5,
            .idle_seconds = 6 * 3600 + 52 * 60 + 40.5,
            .memory_ppm = {[MEM_TENSORS] = 331000,
                           [MEM_MODEL_SHARED_SCRATCHPAD] = 12000,
                           [MEM_RUNTIME_MEMORY] = 1200,
                           [MEM_DRIVER_MEMORY] = 60,
                           [MEM_NOTIFICATIONS] = 400,
                           [MEM_DMA_RINGS] = 1100},
            .host_share = 0.02,
            MODELS(idle_models),
        },
    [PART_HUNGRY] =
        {
            .tag = "finetune-lora",
            .inf_tag = "sdxl-batch",
            .user = "ec2-user",
            .command = "python3 finetune.py --lora-rank 64 --batch-size 48",
            .inf_command = "python3 sdxl_pipeline.py --resolution 1024 --batch-size 48",
            .state = PROCESS_RUNNING,
            .pid = 40112,
            .age_seconds = 47 * 60 + 8.5,
            .memory_ppm = {[MEM_TENSORS] = 700000, // grows until the bank is nearly full
                           [MEM_MODEL_SHARED_SCRATCHPAD] = 61000,
                           [MEM_RUNTIME_MEMORY] = 1900,
                           [MEM_DRIVER_MEMORY] = 60,
                           [MEM_NOTIFICATIONS] = 500,
                           [MEM_DMA_RINGS] = 1900},
            .host_share = 0.025,
            .cpus_user = 0.95,
            .cpus_system = 0.07,
            .rate = 5.2,
            .latency_seconds = 0.171,
            MODELS(hungry_models),
        },
    [PART_FLAKY] =
        {
            .tag = "embed-worker",
            .user = "ml",
            .command = "python3 -m embed.worker --model bge-m3 --queue sqs",
            .state = PROCESS_RUNNING,
            .pid = 44871,
            .age_seconds = 26 * 60 + 31.5,
            .memory_ppm = {[MEM_TENSORS] = 118000,
                           [MEM_MODEL_SHARED_SCRATCHPAD] = 9000,
                           [MEM_RUNTIME_MEMORY] = 1100,
                           [MEM_DRIVER_MEMORY] = 60,
                           [MEM_NOTIFICATIONS] = 400,
                           [MEM_DMA_RINGS] = 1000},
            .host_share = 0.012,
            .cpus_user = 0.6,
            .cpus_system = 0.15,
            .rate = 240,
            .latency_seconds = 0.0041,
            MODELS(flaky_models),
        },
};

// Half of the cores train, half of the rest serves; what is left has one of each, and some are
// free.
static void share_out(struct demo *demo)
{
    unsigned *part = demo->part_cores, total = demo->core_count;
    part[PART_TRAIN] = demo->packed ? total : (total + 1) / 2;
    unsigned left = total - part[PART_TRAIN];
    part[PART_SERVER] = left > 1 ? left / 2 : left;
    left -= part[PART_SERVER];
    part[PART_IDLE] = left >= 8 ? 4 : left == 6 ? 3 : left > 0;
    left -= part[PART_IDLE];
    part[PART_HUNGRY] = left > 0;
    left -= part[PART_HUNGRY];
    part[PART_FLAKY] = left >= 8 ? 2 : left >= 2;
    part[PART_FREE] = left - part[PART_FLAKY];
    for (unsigned i = 0, first = 0; i <= PART_FREE; first += part[i++])
        demo->part_first[i] = first;
}

// Where an instance is too small for a part of its own, the server plays it too; alone on the
// cores, training does.
static void double_up(struct demo *demo)
{
    enum demo_part other = demo->part_cores[PART_SERVER] > 0 ? PART_SERVER : PART_TRAIN;
    demo->hungry = demo->part_cores[PART_HUNGRY] > 0 ? PART_HUNGRY : other;
    demo->flaky = demo->part_cores[PART_FLAKY] > 0 ? PART_FLAKY : other;
    for (unsigned i = 0; i < DEMO_PARTS; i++)
        demo->part_processes[i] = demo->part_cores[i] > 0;
    unsigned workers = demo->part_cores[PART_TRAIN];
    if (!demo->packed && workers > WORKERS_MAX)
        workers = WORKERS_MAX;
    demo->part_processes[PART_TRAIN] = workers;
    demo->process_count = 0;
    for (unsigned i = 0; i < DEMO_PARTS; i++)
        demo->process_count += demo->part_processes[i];
}

// "7" or "32-47".
static void name_cores(char *text, size_t size, unsigned first, unsigned count)
{
    if (count == 1)
        snprintf(text, size, "%u", first);
    else
        snprintf(text, size, "%u-%u", first, first + count - 1);
}

static void name_process(const struct demo *demo, struct demo_process *process)
{
    const struct demo_role *role = process->role;
    bool inf = !demo->gen->hbm || demo->gen->id == GEN_INF2;
    const char *tag = inf && role->inf_tag != NULL ? role->inf_tag : role->tag;
    process->command = inf && role->inf_command != NULL ? role->inf_command : role->command;
    process->pid = role->pid;
    if (role->launcher != NULL)
        process->pid += LAUNCHER_HEAD_START + process->rank * role->pid_step;
    if (tag == NULL)
        snprintf(process->tag, sizeof(process->tag), "%u", process->pid);
    else if (role->launcher == NULL)
        strlcpy(process->tag, tag, sizeof(process->tag));
    else
        snprintf(process->tag, sizeof(process->tag), "%s%02u", tag, process->rank);
    name_cores(process->visible_cores, sizeof(process->visible_cores), process->core_first,
               process->core_count);
}

static void add_process(struct demo *demo, unsigned index, enum demo_part part, unsigned rank)
{
    struct demo_process *process = &demo->processes[index];
    unsigned each = demo->part_cores[part] / demo->part_processes[part];
    process->role = &roles[part];
    process->part = part;
    process->rank = rank;
    process->key = demo_mix(demo->seed ^ demo_mix(0x70726f63u + index));
    process->core_first = demo->part_first[part] + rank * each;
    process->core_count = each;
    name_process(demo, process);
    for (unsigned i = 0; i < each; i++) {
        demo->cores[process->core_first + i].owner = (int)index;
        demo->cores[process->core_first + i].part = part;
    }
}

// In the order of their PIDs, as the snapshot wants them.
static void add_processes(struct demo *demo)
{
    static const enum demo_part by_pid[] = {PART_SERVER, PART_IDLE, PART_TRAIN, PART_HUNGRY,
                                            PART_FLAKY};
    unsigned index = 0;
    for (size_t i = 0; i < COUNT(by_pid); i++)
        for (unsigned rank = 0; rank < demo->part_processes[by_pid[i]]; rank++)
            add_process(demo, index++, by_pid[i], rank);
}

static void place_core(struct demo *demo, unsigned index)
{
    struct demo_core *core = &demo->cores[index];
    core->part = PART_FREE;
    core->owner = -1;
    core->key = demo_mix(demo->seed ^ demo_mix(0x636f7265u + index));
    core->chip = index / demo->per_chip;
    core->place = index % demo->per_chip;
    core->bank = index / demo->shared_by;
}

uint64_t demo_pages(const struct demo *demo, unsigned ppm)
{
    return demo->core_bytes / demo->shared_by / 1000000 * ppm / PAGE * PAGE;
}

static void lay_memory(const struct demo *demo, struct demo_core *core)
{
    const struct demo_role *role = &roles[core->part];
    for (unsigned i = 0; i < MEM_CATEGORIES; i++)
        core->still[i] = demo_pages(demo, role->memory_ppm[i]);
    for (unsigned i = 0; i < role->model_count; i++) {
        core->still[MEM_MODEL_CODE] += demo_pages(demo, role->models[i].code_ppm);
        core->still[MEM_CONSTANTS] += demo_pages(demo, role->models[i].constants_ppm);
    }
}

static void fit_machine(struct demo *demo)
{
    double wanted = 0;
    for (unsigned i = 0; i < DEMO_PARTS; i++)
        wanted += demo->part_processes[i] * (roles[i].cpus_user + roles[i].cpus_system);
    double cpus = demo->type->vcpus > 0 ? demo->type->vcpus : 1;
    demo->cpu_scale = (wanted > 0.8 * cpus ? 0.8 * cpus / wanted : 1) * 100 / cpus;
    for (unsigned i = 0; i < demo->process_count; i++) {
        struct demo_process *process = &demo->processes[i];
        double share = process->role->host_share / demo->part_processes[process->part];
        uint64_t bytes = (uint64_t)((double)demo->type->host_memory_bytes * share);
        process->host_bytes = bytes / PAGE * PAGE;
    }
}

void demo_cast(struct demo *demo)
{
    demo->core_bytes = generation_core_bytes(demo->gen, demo->lnc, &demo->shared_by);
    demo->per_chip = generation_logical_cores(demo->gen, demo->lnc);
    demo->chip_count = demo->type->chips;
    demo->core_count = demo->chip_count * demo->per_chip;
    share_out(demo);
    double_up(demo);
    demo->chips = xcalloc(demo->chip_count, sizeof(*demo->chips));
    demo->cores = xcalloc(demo->core_count, sizeof(*demo->cores));
    demo->processes = xcalloc(demo->process_count, sizeof(*demo->processes));
    for (unsigned i = 0; i < demo->core_count; i++)
        place_core(demo, i);
    add_processes(demo);
    for (unsigned i = 0; i < demo->core_count; i++)
        if (demo->cores[i].owner >= 0)
            lay_memory(demo, &demo->cores[i]);
    fit_machine(demo);
    demo_board(demo);
}
