// SPDX-License-Identifier: Apache-2.0
// The life of the demo. Every number is worked out from the time alone, so that a tick can be
// reached from anywhere. Loads glide; only a small jitter is drawn anew with each tick.
#include <math.h>

#include "base/number.h"
#include "source/demo.h"

static const double checkpoint_every = 120, checkpoint_seconds = 13; // of the training job
static const double burst_every = 20;                                // of the server
static const double spell_every = 75, spell_seconds = 45;            // of failing executions
static const double power_every = 5;
static const double jitter_percent = 4; // width

// Streams of chance that belong to nobody's own key.
enum stream { STREAM_TRAIN = 101, STREAM_CHECKPOINT, STREAM_BURST, STREAM_SPELL, STREAM_MACHINE };

// What all cores of a part feel at one time.
struct mood {
    double time;
    double train;  // percent, before the ranks differ
    double steady; // 0 in the middle of a checkpoint, else 1
    double burst;  // 0..1
};

// A number in 0..1 for a KEY.
static double chance(uint64_t key)
{
    return (double)(demo_mix(key) >> 11) * 0x1p-53;
}

static double ease(double x)
{
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    return x * x * (3 - 2 * x);
}

// The same, gliding from one to the next between the whole numbers of X.
static double glide(uint64_t key, double x)
{
    double cell = number_floor(x);
    uint64_t at = key ^ ((uint64_t)(int64_t)cell * 0x9e3779b97f4a7c15u);
    uint64_t next = key ^ ((uint64_t)(int64_t)(cell + 1) * 0x9e3779b97f4a7c15u);
    double a = chance(at), b = chance(next);
    return a + (b - a) * ease(x - cell);
}

static uint64_t stream_key(const struct demo *demo, enum stream stream)
{
    return demo_mix(demo->seed ^ demo_mix(stream));
}

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static double hundredths(double value)
{
    return number_round(value * 100) / 100;
}

// 0 outside of START..START+LENGTH, 1 inside, gliding over UP and DOWN seconds.
static double hill(double x, double start, double length, double up, double down)
{
    return ease((x - start) / up) * ease((start + length - x) / down);
}

// One burst in three of four cells of time; one is there when the demo begins.
static double burst_of_cell(uint64_t key, double cell, double time)
{
    uint64_t own = key + (uint64_t)(int64_t)cell * 8;
    if (cell == 0)
        return hill(time, 4, 17, 3.5, 4);
    if (chance(own) > 0.75)
        return 0;
    double start = cell * burst_every + 1 + 5 * chance(own + 1);
    double length = 8 + 8 * chance(own + 2);
    return (0.7 + 0.3 * chance(own + 3)) * hill(time, start, length, 3.5, 4);
}

static struct mood mood_at(const struct demo *demo, double time)
{
    uint64_t burst = stream_key(demo, STREAM_BURST);
    double in_burst = time + 11, cell = number_floor(in_burst / burst_every);
    double first = 25 + 30 * chance(stream_key(demo, STREAM_CHECKPOINT));
    double save = number_rest(time + first, checkpoint_every);
    return (struct mood){
        .time = time,
        .train = 56 + 36 * glide(stream_key(demo, STREAM_TRAIN), time / 20),
        .steady = 1 - 0.9 * hill(save, 0, checkpoint_seconds, 3.5, 3.5),
        .burst = number_max(burst_of_cell(burst, cell, in_burst),
                            burst_of_cell(burst, cell - 1, in_burst)),
    };
}

static double load_train(const struct mood *mood, const struct demo_core *core)
{
    double rank = 4 * chance(core->key) - 2;
    double wave = 3 * glide(core->key + 1, mood->time / 6) - 1.5;
    return (mood->train + rank + wave) * mood->steady;
}

static double load_server(const struct mood *mood, const struct demo_core *core)
{
    double wave = 3 * glide(core->key + 1, mood->time / 4);
    return 4 + wave + 86 * mood->burst;
}

static double load_hungry(const struct mood *mood, const struct demo_core *core)
{
    return 62 + 22 * glide(core->key + 1, mood->time / 12);
}

static double load_flaky(const struct mood *mood, const struct demo_core *core)
{
    return 18 + 30 * glide(core->key + 1, mood->time / 9);
}

// Who is not here has no load at all.
static double (*const loads[DEMO_PARTS + 1])(const struct mood *, const struct demo_core *) = {
    [PART_TRAIN] = load_train,
    [PART_SERVER] = load_server,
    [PART_HUNGRY] = load_hungry,
    [PART_FLAKY] = load_flaky,
};

static double load_in(const struct mood *mood, const struct demo_core *core)
{
    return loads[core->part] == NULL ? 0 : clamp(loads[core->part](mood, core), 1, 99);
}

// A logical core of two physical ones shows their mean (neuron-monitor reference, section 4).
static void split_core(struct demo_core *core, double time)
{
    double lean = 16 * glide(core->key + 2, time / 9) - 8;
    double room = number_min(core->utilization, 100 - core->utilization);
    lean = hundredths(clamp(lean, -room, room));
    core->physical[0] = clamp(core->utilization + lean, 0, 100);
    core->physical[1] = clamp(core->utilization - lean, 0, 100);
}

static void live_core(const struct demo *demo, const struct mood *mood, struct demo_core *core)
{
    const struct generation *gen = demo->gen;
    double load = load_in(mood, core);
    if (load > 0)
        load += jitter_percent * (chance(core->key ^ demo_mix(demo->ticks)) - 0.5);
    core->utilization = load > 0 ? hundredths(clamp(load, 0.5, 99.5)) : 0;
    if (demo->lnc == 2)
        split_core(core, mood->time);
    else
        core->physical[0] = core->utilization;
    double peak =
        gen->core_bf16_tflops > 0 ? gen->core_bf16_tflops : gen->bf16_tflops / gen->physical_cores;
    core->flops = number_floor(peak * 1e12 * demo->lnc * 0.43 * core->utilization / 100);
}

// Activations come and go a little.
static void live_memory(const struct demo *demo, const struct mood *mood, struct demo_core *core)
{
    for (unsigned i = 0; i < MEM_CATEGORIES; i++)
        core->memory[i] = core->still[i];
    if (core->part == PART_TRAIN)
        core->memory[MEM_TENSORS] +=
            demo_pages(demo, (unsigned)(9000 * glide(core->key + 3, mood->time / 25)));
}

// The hungry core takes what its bank has left, up to 96 to 98.5 %.
static void fill_bank(const struct demo *demo, double time)
{
    struct demo_core *hungry = &demo->cores[demo->part_first[demo->hungry]];
    double level = 0.96 + 0.025 * glide(hungry->key + 4, time / 40);
    uint64_t wanted = (uint64_t)((double)demo->core_bytes * level), used = 0;
    hungry->memory[MEM_TENSORS] = 0;
    for (unsigned i = 0; i < demo->core_count; i++)
        for (unsigned j = 0; demo->cores[i].bank == hungry->bank && j < MEM_CATEGORIES; j++)
            used += demo->cores[i].memory[j];
    if (wanted > used)
        hungry->memory[MEM_TENSORS] = (wanted - used) / 4096 * 4096;
}

// Errors of each whole second in the period.
static void fail_some(const struct demo *demo, struct demo_process *process)
{
    double from = number_max(number_floor(demo->time - demo->period), demo->time - 3600);
    for (double second = number_floor(from) + 1; second <= demo->time; second++) {
        uint64_t key = stream_key(demo, STREAM_SPELL) + (uint64_t)(int64_t)second * 4;
        if (number_rest(second + 10, spell_every) >= spell_seconds)
            continue;
        unsigned wrong = chance(key) < 0.7 ? 1 : 2, late = chance(key + 1) < 0.08;
        process->executions[EXEC_WITH_NUM_ERR] += wrong;
        process->errors[ERR_NUMERICAL] += wrong;
        process->executions[EXEC_TIMED_OUT] += late;
        process->errors[ERR_RUNTIME] += late;
    }
}

static void execute(const struct demo *demo, const struct mood *mood, struct demo_process *process)
{
    const struct demo_role *role = process->role;
    for (unsigned i = 0; i < EXECUTIONS; i++)
        process->executions[i] = 0;
    for (unsigned i = 0; i < ERROR_KINDS; i++)
        process->errors[i] = 0;
    process->latency_p50 = 0;
    double done = number_round(role->rate * process->load * demo->period);
    process->executions[EXEC_COMPLETED] = (uint64_t)done;
    if (done < 1)
        return;
    double crowd = process->part == PART_SERVER ? 0.3 + 0.7 * mood->burst : 1;
    double wave = 0.97 + 0.06 * glide(process->key + 1, mood->time / 5);
    process->latency_p50 = role->latency_seconds * crowd * wave;
    if (process->part == demo->flaky && process->rank == 0)
        fail_some(demo, process);
}

static void use_host(const struct demo *demo, const struct mood *mood, struct demo_process *process)
{
    const struct demo_role *role = process->role;
    double busy = process->load > 0 ? 0.2 + 0.8 * process->load : 0;
    double wave = 0.9 + 0.2 * glide(process->key + 2, mood->time / 3);
    process->cpu_user = hundredths(role->cpus_user * busy * wave * demo->cpu_scale);
    process->cpu_system = hundredths(role->cpus_system * busy * wave * demo->cpu_scale);
    uint64_t total = process->host_bytes, *part = process->host_memory;
    part[HOSTMEM_TENSORS] = total / 8;
    part[HOSTMEM_CONSTANTS] = total / 64;
    part[HOSTMEM_DMA_BUFFERS] = total / 32;
    part[HOSTMEM_APPLICATION] = total - total / 8 - total / 64 - total / 32;
}

static void live_process(const struct demo *demo, const struct mood *mood,
                         struct demo_process *process)
{
    double sum = 0;
    for (unsigned i = 0; i < process->core_count; i++)
        sum += demo->cores[process->core_first + i].utilization;
    process->load = sum / process->core_count / 100;
    execute(demo, mood, process);
    use_host(demo, mood, process);
}

// The firmware's figure is a mean over some time (driver reference 2.7): it moves every few
// seconds.
static void live_power(const struct demo *demo)
{
    double time = number_floor(demo->time / power_every) * power_every;
    struct mood mood = mood_at(demo, time);
    for (unsigned i = 0; i < demo->chip_count; i++) {
        struct demo_chip *chip = &demo->chips[i];
        double sum = 0;
        for (unsigned j = 0; j < demo->per_chip; j++)
            sum += load_in(&mood, &demo->cores[i * demo->per_chip + j]);
        chip->power = hundredths(0.6 + 0.02 * i + 0.62 * sum / demo->per_chip);
    }
}

static void live_machine(struct demo *demo)
{
    uint64_t key = stream_key(demo, STREAM_MACHINE);
    double user = 0.6 + 0.9 * glide(key, demo->time / 4);
    double system = 0.3 + 0.5 * glide(key + 1, demo->time / 4);
    uint64_t bytes = (uint64_t)((double)demo->type->host_memory_bytes *
                                (0.05 + 0.004 * glide(key + 2, demo->time / 60)));
    for (unsigned i = 0; i < demo->process_count; i++) {
        user += demo->processes[i].cpu_user;
        system += demo->processes[i].cpu_system;
        bytes += demo->processes[i].host_bytes;
    }
    demo->machine_user = hundredths(clamp(user, 0, 100));
    demo->machine_system = hundredths(clamp(system, 0, 100 - demo->machine_user));
    demo->machine_bytes = bytes / 4096 * 4096;
}

void demo_live(struct demo *demo)
{
    struct mood mood = mood_at(demo, demo->time);
    for (unsigned i = 0; i < demo->core_count; i++) {
        live_core(demo, &mood, &demo->cores[i]);
        live_memory(demo, &mood, &demo->cores[i]);
    }
    fill_bank(demo, demo->time);
    for (unsigned i = 0; i < demo->process_count; i++)
        live_process(demo, &mood, &demo->processes[i]);
    live_power(demo);
    live_machine(demo);
}
