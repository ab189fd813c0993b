// SPDX-License-Identifier: Apache-2.0
// The snapshot's life, its totals, and what its cores and processes are said to be.
#include "host/host.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"

struct host *host_new(void)
{
    struct arena *arena = arena_new();
    struct host *host = ARENA_NEW(arena, struct host);
    host->arena = arena;
    host->releases = releases_builtin();
    return host;
}

void host_free(struct host *host)
{
    if (host != NULL)
        arena_free(host->arena);
}

enum generation_id host_generation(const struct host *host)
{
    const struct presence *presence = &host->presence;
    if (host->hardware.generation != NULL)
        return host->hardware.generation->id;
    for (int id = GEN_INF1; presence->pci_chip != NULL && id <= GEN_TRN3; id++)
        if (strcmp(generation_get((enum generation_id)id)->chip, presence->pci_chip) == 0)
            return (enum generation_id)id;
    return known_u64(presence->pci_inf1) && presence->pci_inf1.value > 0 ? GEN_INF1 : GEN_UNKNOWN;
}

static const unsigned dropped = UINT_MAX;

static bool wanted(const struct process *process, const uint64_t *pids, size_t count)
{
    for (size_t i = 0; known_u64(process->pid) && i < count; i++)
        if (process->pid.value == pids[i])
            return true;
    return false;
}

// Moves the wanted processes together; MOVED tells the new place of each old one.
static void keep_processes(struct host *host, const uint64_t *pids, size_t count, unsigned *moved)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < host->process_count; i++) {
        moved[i] = dropped;
        if (!wanted(&host->processes[i], pids, count))
            continue;
        if (kept != i)
            host->processes[kept] = host->processes[i];
        moved[i] = kept++;
    }
    host->process_count = kept;
}

// The owners that are still there, by their new places. Owners out of range are left out.
static unsigned keep_owners(struct host *host, const unsigned **owners, unsigned count,
                            const unsigned *moved, unsigned old_processes)
{
    if (count == 0)
        return 0;
    unsigned *kept = ARENA_ARRAY(host->arena, count, unsigned);
    unsigned kept_count = 0;
    for (unsigned i = 0; i < count; i++)
        if ((*owners)[i] < old_processes && moved[(*owners)[i]] != dropped)
            kept[kept_count++] = moved[(*owners)[i]];
    *owners = kept;
    return kept_count;
}

static bool is_there(const struct host *host, uint64_t pid)
{
    for (unsigned i = 0; i < host->process_count; i++)
        if (known_u64(host->processes[i].pid) && host->processes[i].pid.value == pid)
            return true;
    return false;
}

void host_note_missing(struct host *host, const uint64_t *pids, size_t count)
{
    uint64_t *missing = ARENA_ARRAY(host->arena, count, uint64_t);
    host->missing_count = 0;
    for (size_t i = 0; i < count; i++)
        if (!is_there(host, pids[i]))
            missing[host->missing_count++] = pids[i];
    host->missing = missing;
}

void host_select_pids(struct host *host, const uint64_t *pids, size_t count)
{
    unsigned all = host->process_count;
    unsigned *moved = ARENA_ARRAY(host->arena, all, unsigned);
    keep_processes(host, pids, count, moved);
    for (unsigned i = 0; i < host->core_count; i++) {
        struct core *core = &host->cores[i];
        unsigned before = core->owner_count;
        core->owner_count = keep_owners(host, &core->owners, before, moved, all);
        core->hidden_owners += before - core->owner_count;
        core->unselected += before - core->owner_count;
    }
    for (unsigned i = 0; i < host->chip_count; i++) {
        struct chip *chip = &host->chips[i];
        chip->owner_count = keep_owners(host, &chip->owners, chip->owner_count, moved, all);
        chip->unselected = chip->owner_count == 0;
    }
    host_note_missing(host, pids, count);
}

bool host_owners_known(const struct host *host)
{
    for (unsigned i = 0; i < host->core_count; i++)
        if (host->cores[i].owners_known || host->cores[i].hidden_owners > 0)
            return true;
    return host->process_count > 0;
}

struct fact_u64 host_memory_used(const struct host *host)
{
    struct fact_u64 sum = {0};
    for (unsigned i = 0; i < host->chip_count; i++)
        fact_add(&sum, host->chips[i].memory_used_bytes);
    return sum;
}

struct fact_u64 host_memory_total(const struct host *host)
{
    struct fact_u64 sum = {0};
    for (unsigned i = 0; i < host->chip_count; i++)
        fact_add(&sum, host->chips[i].memory_total_bytes);
    return sum;
}

struct fact_f64 host_utilization(const struct host *host)
{
    struct fact_f64 sum = {0};
    unsigned parts = 0;
    for (unsigned i = 0; i < host->core_count; i++) {
        fact_add_f64(&sum, host->cores[i].utilization_percent);
        parts += known_f64(host->cores[i].utilization_percent);
    }
    if (parts > 0)
        sum.value /= parts;
    return sum;
}

struct fact_f64 host_flops(const struct host *host)
{
    struct fact_f64 sum = {0};
    for (unsigned i = 0; i < host->core_count; i++)
        fact_add_f64(&sum, host->cores[i].flops_per_second);
    return sum;
}

const char *host_memory_word(const struct host *host)
{
    const struct generation *gen = host->hardware.generation;
    return gen != NULL && gen->hbm ? "HBM" : "MEM";
}

enum core_state core_state(const struct core *core)
{
    static const double busy_percent = 0.05; // what prints as 0.1 % in a table
    struct fact_f64 use = core->utilization_percent;
    if (known_f64(use) && !use.stale && use.value >= busy_percent)
        return CORE_BUSY;
    if (core->owner_count + core->hidden_owners > 0)
        return CORE_HELD;
    if (core->owners_known)
        return CORE_FREE;
    return known_u64(core->memory_used_bytes) && !core->memory_used_bytes.stale &&
                   core->memory_used_bytes.value > 0
               ? CORE_HELD
               : CORE_UNKNOWN;
}

bool process_not_visible(const struct process *process)
{
    const char *error = process->groups[GROUP_CPU].error;
    return error != NULL && strstr(error, "/proc/") != NULL &&
           strstr(error, "/stat: no such file") != NULL;
}

struct fact_f64 process_cpu_percent(const struct process *process)
{
    struct fact_f64 sum = {0};
    fact_add_f64(&sum, process->cpu_user_percent);
    fact_add_f64(&sum, process->cpu_system_percent);
    return sum;
}

// A word inside a command line.
struct word {
    const char *start;
    size_t length;
};

static struct word next_word(const char *from)
{
    from += strspn(from, " ");
    return (struct word){.start = from, .length = strcspn(from, " ")};
}

static struct word base_name(struct word word)
{
    for (size_t i = word.length; i-- > 0;)
        if (word.start[i] == '/' && i + 1 < word.length)
            return (struct word){.start = word.start + i + 1, .length = word.length - i - 1};
    return word;
}

static bool word_is(struct word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.start, text, word.length) == 0;
}

// python, python3, python3.11, sh, bash: programs whose name says nothing about the job.
static bool is_interpreter(struct word word)
{
    static const char python[] = "python";
    const size_t length = sizeof(python) - 1;
    if (word_is(word, "sh") || word_is(word, "bash"))
        return true;
    return word.length >= length && memcmp(word.start, python, length) == 0 &&
           strspn(word.start + length, "0123456789.") >= word.length - length;
}

// What an interpreter runs: the first operand, or the module after -m; nothing for "-c CODE".
static struct word script_of(struct word interpreter)
{
    struct word word = next_word(interpreter.start + interpreter.length);
    while (word.length > 1 && word.start[0] == '-') {
        if (word_is(word, "-c"))
            return (struct word){.length = 0};
        word = next_word(word.start + word.length);
    }
    return base_name(word);
}

// Cuts at a whole character.
static char *copy_word(char *buffer, size_t size, struct word word)
{
    size_t length = word.length < size ? word.length : size - 1;
    while (length > 0 && length < word.length && ((unsigned char)word.start[length] & 0xc0) == 0x80)
        length--;
    memcpy(buffer, word.start, length);
    buffer[length] = '\0';
    return buffer;
}

char *process_label(const struct process *process, char *buffer, size_t size)
{
    const char *tag = process->tag != NULL ? process->tag : "";
    char pid[32] = "pid -";
    if (known_u64(process->pid))
        snprintf(pid, sizeof(pid), "pid %" PRIu64, process->pid.value);
    if (size == 0)
        return buffer;
    if (*tag != '\0' && strcmp(tag, pid + strlen("pid ")) != 0)
        return copy_word(buffer, size, (struct word){.start = tag, .length = strlen(tag)});
    struct word program = next_word(process->command != NULL ? process->command : "");
    struct word name = base_name(program);
    struct word script = is_interpreter(name) ? script_of(program) : (struct word){.length = 0};
    if (script.length > 0)
        return copy_word(buffer, size, script);
    if (name.length > 0)
        return copy_word(buffer, size, name);
    return copy_word(buffer, size, (struct word){.start = pid, .length = strlen(pid)});
}
