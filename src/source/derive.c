// SPDX-License-Identifier: Apache-2.0
// What follows from the facts of all readers together: order, owners, sums and means.
#include "source/derive.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/xmem.h"

static int compare_processes(const void *a, const void *b)
{
    const struct process *left = a, *right = b;
    if (left->pid.value != right->pid.value)
        return left->pid.value < right->pid.value ? -1 : 1;
    return strcmp(left->tag != NULL ? left->tag : "", right->tag != NULL ? right->tag : "");
}

static bool is_sorted(const struct host *host)
{
    for (unsigned i = 1; i < host->process_count; i++)
        if (compare_processes(&host->processes[i - 1], &host->processes[i]) > 0)
            return false;
    return true;
}

// Adds PART to SUM, which is a derived fact then.
static void sum_f64(struct fact_f64 *sum, struct fact_f64 part)
{
    if (!known_f64(part))
        return;
    sum->value += part.value;
    sum->from = FROM_DERIVED;
    sum->stale = sum->stale || part.stale;
}

static struct fact_f64 mean_of(struct fact_f64 sum, unsigned count)
{
    if (count > 0)
        sum.value /= count;
    return count > 0 ? sum : (struct fact_f64){0};
}

// One process: its cores and chips, its use as the mean over the cores it owns.
static void derive_process(const struct host *host, struct process *process)
{
    struct fact_f64 use = {0}, flops = {0};
    unsigned used = 0;
    for (unsigned i = 0; i < process->share_count; i++) {
        const struct share *share = &process->shares[i];
        sum_f64(&flops, share->flops_per_second);
        if (!share->owned)
            continue;
        core_set_add(&process->cores, host->cores[share->core].index);
        core_set_add(&process->chips, host->chips[host->cores[share->core].chip].index);
        sum_f64(&use, share->utilization_percent);
        used += known_f64(share->utilization_percent);
    }
    if (!known_f64(process->utilization_percent))
        process->utilization_percent = mean_of(use, used);
    if (!known_f64(process->flops_per_second))
        process->flops_per_second = flops;
}

// What the processes together do on each core; used only where no reader gave the core's own
// figure.
struct load {
    struct fact_f64 utilization, flops;
    struct fact_u64 used, memory[MEM_CATEGORIES];
};

static void load_take(struct load *load, const struct share *share)
{
    fact_max(&load->utilization, share->utilization_percent);
    sum_f64(&load->flops, share->flops_per_second);
    fact_add(&load->used, share->memory_used_bytes);
    for (int i = 0; i < MEM_CATEGORIES; i++)
        fact_add(&load->memory[i], share->memory[i]);
}

static void load_give(const struct load *load, struct core *core)
{
    if (!known_f64(core->utilization_percent))
        core->utilization_percent = load->utilization;
    if (!known_f64(core->flops_per_second))
        core->flops_per_second = load->flops;
    if (!known_u64(core->memory_used_bytes))
        core->memory_used_bytes = load->used;
    if (!known_u64(core->memory_used_bytes) && core->owners_known && core->owner_count == 0)
        core->memory_used_bytes = fact_u64(0, FROM_DERIVED); // the sum over no owners
    for (int i = 0; i < MEM_CATEGORIES; i++)
        if (!known_u64(core->memory[i]))
            core->memory[i] = load->memory[i];
}

static void derive_loads(struct host *host)
{
    struct load *loads = xcalloc(host->core_count, sizeof(*loads));
    for (unsigned i = 0; i < host->process_count; i++)
        for (unsigned j = 0; j < host->processes[i].share_count; j++) {
            const struct share *share = &host->processes[i].shares[j];
            load_take(&loads[share->core], share);
        }
    for (unsigned i = 0; i < host->core_count; i++)
        load_give(&loads[i], &host->cores[i]);
    free(loads);
}

// Counts first, so that each list is one piece of the arena.
static void derive_core_owners(struct host *host)
{
    unsigned **lists = xcalloc(host->core_count, sizeof(*lists));
    for (unsigned i = 0; i < host->core_count; i++)
        host->cores[i].owner_count = 0;
    for (unsigned i = 0; i < host->process_count; i++)
        for (unsigned j = 0; j < host->processes[i].share_count; j++)
            host->cores[host->processes[i].shares[j].core].owner_count +=
                host->processes[i].shares[j].owned;
    for (unsigned i = 0; i < host->core_count; i++) {
        struct core *core = &host->cores[i];
        lists[i] = ARENA_ARRAY(host->arena, core->owner_count, unsigned);
        core->owners = lists[i];
        core->owners_known = core->owners_known || core->owner_count > 0;
        core->owner_count = 0;
    }
    for (unsigned i = 0; i < host->process_count; i++)
        for (unsigned j = 0; j < host->processes[i].share_count; j++) {
            const struct share *share = &host->processes[i].shares[j];
            if (share->owned)
                lists[share->core][host->cores[share->core].owner_count++] = i;
        }
    free(lists);
}

// By the chips of the processes: a process may hold a chip without a core that is known.
static void derive_chip_owners(struct host *host, struct chip *chip)
{
    unsigned count = 0;
    for (unsigned i = 0; i < host->process_count; i++)
        count += core_set_has(&host->processes[i].chips, chip->index);
    unsigned *owners = ARENA_ARRAY(host->arena, count, unsigned);
    chip->owners = owners;
    chip->owner_count = 0;
    for (unsigned i = 0; chip->owner_count < count; i++)
        if (core_set_has(&host->processes[i].chips, chip->index))
            owners[chip->owner_count++] = i;
}

static void derive_chip(struct host *host, struct chip *chip)
{
    struct fact_f64 use = {0};
    struct fact_u64 used = {0};
    unsigned known = 0;
    bool whole = true; // a core whose file cannot be read must not make its chip look emptier
    for (unsigned i = 0; i < chip->core_count; i++) {
        const struct core *core = &host->cores[chip->core_first + i];
        sum_f64(&use, core->utilization_percent);
        known += known_f64(core->utilization_percent);
        fact_add(&used, core->memory_used_bytes);
        whole = whole && known_u64(core->memory_used_bytes);
    }
    if (!known_f64(chip->utilization_percent))
        chip->utilization_percent = mean_of(use, known);
    if (!known_u64(chip->memory_used_bytes) && known_u64(used) && whole) {
        used.from = FROM_DERIVED;
        chip->memory_used_bytes = used;
    }
    derive_chip_owners(host, chip);
}

// A chip that holds more than it has was given the wrong size, and so were its like.
static void derive_memory_total(struct host *host)
{
    bool right = true;
    for (unsigned i = 0; i < host->chip_count; i++) {
        const struct chip *chip = &host->chips[i];
        right =
            right && (!known_u64(chip->memory_used_bytes) || !known_u64(chip->memory_total_bytes) ||
                      chip->memory_used_bytes.value <= chip->memory_total_bytes.value);
    }
    if (right)
        return;
    for (unsigned i = 0; i < host->chip_count; i++)
        host->chips[i].memory_total_bytes = (struct fact_u64){0};
    host->hardware.device_memory_bytes_per_chip = (struct fact_u64){0};
}

// Where the driver was not asked, the table knows what it would say.
static void derive_compat(struct host *host)
{
    struct versions *versions = &host->versions;
    const struct generation *gen = host->hardware.generation;
    unsigned min, max;
    if (known_u64(versions->compat_min) || known_u64(versions->compat_max) || gen == NULL ||
        !releases_window(host->releases, versions->driver, gen->id, &min, &max))
        return;
    versions->compat_min = fact_u64(min, FROM_TABLE);
    versions->compat_max = fact_u64(max, FROM_TABLE);
}

void derive_host(struct host *host)
{
    derive_compat(host);
    if (!is_sorted(host))
        qsort(host->processes, host->process_count, sizeof(*host->processes), compare_processes);
    for (unsigned i = 0; i < host->process_count; i++)
        derive_process(host, &host->processes[i]);
    derive_core_owners(host);
    derive_loads(host);
    for (unsigned i = 0; i < host->chip_count; i++)
        derive_chip(host, &host->chips[i]);
    derive_memory_total(host);
}
