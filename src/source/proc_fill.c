// SPDX-License-Identifier: Apache-2.0
// From the reader of /proc to a snapshot: joins what is known of each process with the processes
// that earlier readers gave, by PID, and adds the holders they do not know.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/number.h"
#include "source/proc_fill.h"
#include "source/proc_text.h"

static const double stale_periods = 3;
static const double gone_after = 5; // seconds: what another reader told may be that old

struct fill {
    struct proc *proc;
    struct host *host;
    double now;
    bool stale;
};

static struct fact_u64 count_fact(const struct fill *fill, uint64_t value)
{
    struct fact_u64 fact = fact_u64(value, FROM_PROC);
    fact.stale = fill->stale;
    return fact;
}

static struct fact_f64 real_fact(const struct fill *fill, double value)
{
    struct fact_f64 fact = fact_f64(value, FROM_PROC);
    fact.stale = fill->stale;
    return fact;
}

static void give_text(const struct fill *fill, const char **text, const char *value)
{
    if (*text == NULL && value[0] != '\0')
        *text = arena_strdup(fill->host->arena, value);
}

// A process whose first thread has ended (Z) but others go on is no zombie.
static enum process_state state_of(const struct proc_stat *stat)
{
    switch (stat->state) {
    case 'R':
        return PROCESS_RUNNING;
    case 'T':
    case 't':
        return PROCESS_STOPPED;
    case 'Z':
    case 'X':
        return stat->threads > 1 ? PROCESS_SLEEPING : PROCESS_ZOMBIE;
    default:
        return PROCESS_SLEEPING;
    }
}

static void give_cpu(const struct fill *fill, struct fact_f64 *percent, double rate)
{
    uint64_t cpus = fill->proc->cpus;
    if (cpus == 0)
        cpus = fill->host->machine.cpus.value;
    if (!known_f64(*percent) && cpus > 0 && isfinite(rate))
        *percent = real_fact(fill, number_min(100 * rate / (double)cpus, 100));
}

static void give_times(const struct fill *fill, const struct proc_watch *watch,
                       struct process *process)
{
    const struct proc *proc = fill->proc;
    if (!watch->stat_known)
        return;
    double since_boot = (double)watch->stat.start_ticks / (double)proc->tick_rate;
    if (!known_f64(process->started_unix_seconds) && proc->boot_unix_seconds > 0)
        process->started_unix_seconds = real_fact(fill, proc->boot_unix_seconds + since_boot);
    give_cpu(fill, &process->cpu_user_percent, watch->user_rate);
    give_cpu(fill, &process->cpu_system_percent, watch->system_rate);
    process->resident_bytes =
        count_fact(fill, watch->stat.resident_pages * (uint64_t)proc->page_bytes);
}

// Where it looks for what is compiled already (versions reference, section 5.1).
static void give_cache(const struct fill *fill, const struct proc_watch *watch,
                       struct process *process)
{
    const struct proc_environ *environ = &watch->environ;
    if (!watch->environ_known || environ->cache_unclear || process->compile_cache_from != NULL)
        return;
    process->compile_cache_from = environ->no_cache             ? "--no_cache in NEURON_CC_FLAGS"
                                  : environ->cache_flag[0] != 0 ? "--cache_dir in NEURON_CC_FLAGS"
                                  : environ->cache_url[0] != 0  ? "NEURON_COMPILE_CACHE_URL"
                                                                : "the default";
    if (!environ->no_cache)
        give_text(fill, &process->compile_cache,
                  environ->cache_flag[0] != '\0'  ? environ->cache_flag
                  : environ->cache_url[0] != '\0' ? environ->cache_url
                                                  : COMPILE_CACHE_DEFAULT);
}

static void give_lnc_of(const struct fill *fill, const struct proc_watch *watch,
                        struct process *process)
{
    uint64_t lnc;
    const struct proc_environ *environ = &watch->environ;
    if (piece_number((struct piece){environ->lnc, strlen(environ->lnc)}, &lnc) &&
        (lnc == 1 || lnc == 2))
        process->lnc = count_fact(fill, lnc);
    else if (environ->lnc[0] != '\0')
        process->lnc_invalid = arena_printf(fill->host->arena, "%s=%s",
                                            environ->lnc_old_name ? "NEURON_RT_VIRTUAL_CORE_SIZE"
                                                                  : "NEURON_LOGICAL_NC_CONFIG",
                                            environ->lnc);
    if (environ->lnc[0] != '\0' && environ->lnc_old[0] != '\0' &&
        strcmp(environ->lnc, environ->lnc_old) != 0)
        process->lnc_differs =
            arena_printf(fill->host->arena, "NEURON_RT_VIRTUAL_CORE_SIZE=%s", environ->lnc_old);
}

static void give_environment(const struct fill *fill, const struct proc_watch *watch,
                             struct process *process)
{
    process->environment_known = watch->environ_known;
    give_text(fill, &process->visible_cores, watch->environ.visible_cores);
    give_text(fill, &process->num_cores, watch->environ.num_cores);
    give_text(fill, &process->tag, watch->environ.tag);
    give_text(fill, &process->runtime_version, watch->runtime);
    give_text(fill, &process->runtime_path, watch->library);
    give_text(fill, &process->python_path, watch->python);
    process->runtime_replaced = watch->runtime_replaced;
    process->fabric_mapped = watch->fabric;
    give_text(fill, &process->efa_fork_safe, watch->environ.fork_safe);
    process->allow_legacy_neff = watch->environ.allow_legacy;
    give_cache(fill, watch, process);
    give_text(fill, &process->visible_devices, watch->environ.visible_devices);
    give_lnc_of(fill, watch, process);
}

static void give_facts(const struct fill *fill, const struct proc_watch *watch,
                       struct process *process)
{
    if (watch->stat_known)
        process->state = state_of(&watch->stat);
    if (watch->stat_known && !known_u64(process->ppid))
        process->ppid = count_fact(fill, (uint64_t)watch->stat.ppid);
    if (!known_u64(process->launcher_pid) && watch->launcher_pid != 0)
        process->launcher_pid = count_fact(fill, (uint64_t)watch->launcher_pid);
    if (watch->status.pid_inside != 0 && watch->status.pid_inside != watch->pid)
        process->pid_inside = count_fact(fill, (uint64_t)watch->status.pid_inside);
    give_text(fill, &process->launcher, watch->launcher);
    give_text(fill, &process->user, watch->user);
    give_text(fill, &process->command, watch->command);
    proc_containers_fill(watch, fill->host->arena, process);
    give_text(fill, &process->container, watch->container);
    give_times(fill, watch, process);
    give_environment(fill, watch, process);
}

// What another reader named and is not here: gone when all can be seen from here, else perhaps in
// another PID namespace.
static void give_absence(const struct fill *fill, const struct proc_watch *watch,
                         struct process *process)
{
    if (process->state == PROCESS_UNKNOWN && fill->proc->sees_all &&
        fill->now - watch->missing_since > gone_after)
        process->state = PROCESS_GONE;
}

// The processes that earlier readers gave are looked at from now on, and now for the first time.
static void ask_for(const struct fill *fill, struct process *process)
{
    struct proc *proc = fill->proc;
    if (!known_u64(process->pid) || process->pid.value == 0 || process->pid.value > INT32_MAX)
        return;
    int pid = (int)process->pid.value;
    struct proc_watch *watch = proc_watch_find(proc, pid);
    if (watch == NULL) {
        watch = proc_watch_add(proc, pid);
        proc_watch_read(proc, watch, false, fill->now);
    }
    watch->asked = fill->now;
    if (watch->here && watch->facts)
        give_facts(fill, watch, process);
    else if (!watch->here)
        give_absence(fill, watch, process);
    if (process->certainty == CERTAINTY_UNKNOWN && process->share_count > 0)
        process->certainty = CERTAINTY_EXACT;
}

static bool is_holder(const struct proc_watch *watch)
{
    return watch->here && watch->handle_count > 0 && !proc_watch_inherited(watch);
}

// Where the way of opening cannot be told, a runtime that has mapped other devices and not this one
// only asked there. Without any sign a handle counts: a holder is never dropped.
static bool attaches(const struct proc_watch *watch, const struct proc_handle *handle)
{
    if (handle->access == PROC_UNTOLD)
        return watch->mapped == 0 || (watch->mapped >> handle->device & 1) != 0;
    return handle->access == PROC_ATTACHED;
}

static uint64_t attached_devices(const struct proc_watch *watch)
{
    uint64_t devices = 0;
    for (size_t i = 0; i < watch->handle_count; i++)
        if (attaches(watch, &watch->handles[i]))
            devices |= UINT64_C(1) << watch->handles[i].device;
    return devices;
}

static struct process *process_of(struct host *host, unsigned known, int pid)
{
    for (unsigned i = 0; i < known; i++)
        if (host->processes[i].pid.value == (uint64_t)pid && known_u64(host->processes[i].pid))
            return &host->processes[i];
    return NULL;
}

// Makes room for all holders behind the processes that are there.
static void make_room(struct host *host, size_t more)
{
    struct process *all = ARENA_ARRAY(host->arena, host->process_count + more, struct process);
    if (host->process_count > 0)
        memcpy(all, host->processes, host->process_count * sizeof(*all));
    host->processes = all;
}

static struct process *join(const struct fill *fill, unsigned known, const struct proc_watch *watch)
{
    struct host *host = fill->host;
    struct process *process = process_of(host, known, watch->pid);
    if (process != NULL)
        return process;
    process = &host->processes[host->process_count++];
    process->pid = count_fact(fill, (uint64_t)watch->pid);
    give_facts(fill, watch, process);
    return process;
}

static size_t join_holders(const struct fill *fill, struct proc_owner *owners)
{
    const struct proc *proc = fill->proc;
    unsigned known = fill->host->process_count;
    size_t count = 0;
    make_room(fill->host, proc->watch_count);
    for (size_t i = 0; i < proc->watch_count; i++) {
        const struct proc_watch *watch = proc->watches[i];
        if (!is_holder(watch))
            continue;
        struct process *process = join(fill, known, watch);
        uint64_t devices = attached_devices(watch);
        process->bystander = devices == 0 && process->share_count == 0;
        for (unsigned device = 0; device < PROC_DEVICES_MAX; device++)
            if ((devices >> device & 1) != 0)
                core_set_add(&process->chips, device);
        if (devices != 0)
            owners[count++] =
                (struct proc_owner){.watch = watch, .process = process, .devices = devices};
    }
    return count;
}

void proc_fill(struct proc *proc, struct host *host, double now)
{
    struct fill fill = {.proc = proc, .host = host, .now = now};
    fill.stale = now - proc->read_at > stale_periods * number_max(proc->where.delay_seconds, 1);
    for (unsigned i = 0; i < host->process_count; i++)
        ask_for(&fill, &host->processes[i]);
    struct proc_owner *owners = ARENA_ARRAY(host->arena, proc->watch_count, struct proc_owner);
    size_t count = join_holders(&fill, owners);
    if (proc->references >= 0) {
        host->unseen_handles = count_fact(&fill, proc->sees_all ? 0 : proc_unexplained(proc));
        host->versions.driver_handles = count_fact(&fill, (uint64_t)proc->references);
    }
    proc_own(proc, host, owners, count);
}
