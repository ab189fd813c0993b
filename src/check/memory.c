// SPDX-License-Identifier: Apache-2.0
// Memory that is nearly full: of a core against its own bank (field case F-10: the chip reads 50 %
// while one core is at 99 %), and of the machine.
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "check/rule.h"
#include "host/units.h"

static const double warning_percent = 92;
static const double critical_percent = 98;

// One memory bank with the logical cores that may use all of it (hardware reference, "Logical
// NeuronCores").
struct bank {
    const struct chip *chip;
    unsigned first, count; // range in host.cores
    struct fact_u64 used, limit;
    double percent;
};

static double percent_of(uint64_t used, uint64_t limit)
{
    return limit > 0 ? (double)used / (double)limit * 100 : 0;
}

// "99", without the percent sign; what is far beyond the limit is not worth a number.
static const char *whole_percent(char buffer[UNIT_TEXT], double percent)
{
    if (percent > 999)
        snprintf(buffer, UNIT_TEXT, "over 999");
    else
        snprintf(buffer, UNIT_TEXT, "%d", (int)percent);
    return buffer;
}

static unsigned sharers(const struct core *core)
{
    return core->memory_shared_by > 0 ? core->memory_shared_by : 1;
}

// The bank that starts with core FIRST: the cores of the same chip whose place falls into the same
// bank.
static struct bank bank_at(const struct host *host, const struct chip *chip, unsigned first)
{
    const struct core *cores = host->cores;
    unsigned end = chip->core_first + chip->core_count, shared_by = sharers(&cores[first]);
    struct bank bank = {.chip = chip, .first = first, .limit = cores[first].memory_limit_bytes};

    for (unsigned i = first;
         i < end && cores[i].place / shared_by == cores[first].place / shared_by; i++) {
        bank.count++;
        fact_add(&bank.used, cores[i].memory_used_bytes);
    }
    if (current_u64(bank.used) && current_u64(bank.limit))
        bank.percent = percent_of(bank.used.value, bank.limit.value);
    return bank;
}

static int fuller_first(const void *a, const void *b)
{
    const struct bank *left = a, *right = b;
    if (left->percent != right->percent)
        return left->percent < right->percent ? 1 : -1;
    return left->first < right->first ? -1 : left->first > right->first;
}

// "NC 17", or "NC 2-3" for a shared bank.
static char *bank_name(char *buffer, const struct host *host, const struct bank *bank)
{
    unsigned first = host->cores[bank->first].index;
    unsigned last = host->cores[bank->first + bank->count - 1].index;
    if (first == last)
        snprintf(buffer, UNIT_TEXT, "NC %u", first);
    else
        snprintf(buffer, UNIT_TEXT, "NC %u-%u", first, last);
    return buffer;
}

static enum memory_category largest_category(const struct host *host, const struct bank *bank,
                                             struct fact_u64 *size)
{
    enum memory_category largest = MEM_OTHER;
    *size = (struct fact_u64){0};
    for (unsigned category = 0; category < MEM_CATEGORIES; category++) {
        struct fact_u64 sum = {0};
        for (unsigned i = 0; i < bank->count; i++)
            fact_add(&sum, host->cores[bank->first + i].memory[category]);
        if (known_u64(sum) && sum.value > size->value) {
            *size = sum;
            largest = (enum memory_category)category;
        }
    }
    return largest;
}

// The owner that has most on the bank; NULL when no source tells.
static const struct process *largest_owner(const struct host *host, const struct bank *bank)
{
    const struct process *owner = NULL;
    uint64_t most = 0;
    for (unsigned p = 0; p < host->process_count; p++) {
        const struct process *process = &host->processes[p];
        uint64_t bytes = 0;
        for (unsigned s = 0; s < process->share_count; s++)
            if (process->shares[s].core - bank->first < bank->count)
                bytes += process->shares[s].memory_used_bytes.value;
        if (bytes > most) {
            most = bytes;
            owner = process;
        }
    }
    return owner;
}

// One line: "NC 0 (chip 0): 15.9/16.0GiB (99%), tensors 15.8GiB, PID 312 (train); chip 0 as a
// whole: 50%".
static void bank_evidence(struct report *report, struct finding *finding, const struct bank *bank)
{
    char name[UNIT_TEXT], size[UNIT_TEXT], part[UNIT_TEXT], full[UNIT_TEXT], who[NAME_TEXT];
    const struct host *host = report->host;
    const struct process *owner = largest_owner(host, bank);
    struct fact_u64 largest;
    enum memory_category category = largest_category(host, bank, &largest);
    double chip_percent =
        percent_of(bank->chip->memory_used_bytes.value, bank->chip->memory_total_bytes.value);
    const char *text =
        arena_printf(host->arena, "%s (chip %u): %s (%s%%)", bank_name(name, host, bank),
                     bank->chip->index, unit_bytes_of(size, sizeof(size), bank->used, bank->limit),
                     whole_percent(full, bank->percent));

    if (known_u64(largest))
        text = arena_printf(host->arena, "%s, %s %s", text, memory_category_label(category),
                            unit_bytes(part, sizeof(part), largest));
    if (owner != NULL)
        text = arena_printf(host->arena, "%s, %s", text, name_process(who, owner));
    if (current_u64(bank->chip->memory_used_bytes) && current_u64(bank->chip->memory_total_bytes) &&
        chip_percent < warning_percent)
        text = arena_printf(host->arena, "%s; chip %u as a whole: %d%%", text, bank->chip->index,
                            (int)chip_percent); // below the warning
    finding_evidence(report, finding, "%s", text);
}

// What frees memory of a category, by who can do something about it.
static const char *advice(enum memory_category category)
{
    switch (category) {
    case MEM_TENSORS:
        return "Use a smaller batch or sequence, or spread the model over more cores";
    case MEM_CONSTANTS:
    case MEM_MODEL_CODE:
        return "Unload models that are not needed, or load them on other cores";
    case MEM_MODEL_SHARED_SCRATCHPAD:
    case MEM_NONSHARED_SCRATCHPAD:
        return "Compile for a smaller batch or sequence: the scratchpad follows the largest graph";
    case MEM_COLLECTIVES:
    case MEM_DMA_RINGS:
        return "Use fewer or larger collectives, or fewer layers a core";
    default:
        return "Load less on these cores, or spread it over more cores";
    }
}

static void bank_remedy(struct report *report, struct finding *finding, const struct bank *worst)
{
    char pid[UNIT_TEXT];
    struct fact_u64 largest;
    const char *text = advice(largest_category(report->host, worst, &largest));
    const struct process *owner = largest_owner(report->host, worst);
    if (owner != NULL && known_u64(owner->pid))
        finding_remedy(report, finding,
                       "%s; if its holder is not needed any more, end it: kill -TERM %s", text,
                       name_pid(pid, owner));
    else
        finding_remedy(report, finding, "%s.", text);
}

static size_t collect_full_banks(const struct host *host, struct bank *banks)
{
    size_t count = 0;
    for (unsigned c = 0; c < host->chip_count; c++) {
        const struct chip *chip = &host->chips[c];
        for (unsigned i = chip->core_first; i < chip->core_first + chip->core_count;) {
            struct bank bank = bank_at(host, chip, i);
            if (bank.percent >= warning_percent && !chip->unselected)
                banks[count++] = bank;
            i += bank.count;
        }
    }
    return count;
}

void rule_memory_nearly_full(struct report *report)
{
    const struct host *host = report->host;
    struct bank *banks = ARENA_ARRAY(host->arena, host->core_count, struct bank);
    size_t count = collect_full_banks(host, banks), shown = 0;
    char name[UNIT_TEXT], limit[UNIT_TEXT], full[UNIT_TEXT], others[UNIT_TEXT * 2] = "";
    if (count == 0)
        return;
    qsort(banks, count, sizeof(*banks), fuller_first);
    enum severity severity =
        banks[0].percent >= critical_percent ? SEVERITY_CRITICAL : SEVERITY_WARNING;
    struct finding *finding = report_add(report, severity);
    if (count > 1)
        snprintf(others, sizeof(others), ", %zu more nearly full", count - 1);
    finding_subject(report, finding, "%s", bank_name(name, host, &banks[0]));
    finding_summary(report, finding, "%s: %s%% of its %s%s %s used%s", name,
                    whole_percent(full, banks[0].percent), banks[0].count > 1 ? "shared " : "",
                    unit_bytes(limit, sizeof(limit), banks[0].limit), host_memory_word(host),
                    others);
    for (; shown < count && evidence_room(finding); shown++)
        bank_evidence(report, finding, &banks[shown]);
    evidence_more(report, finding, count - shown, "cores or banks");
    bank_remedy(report, finding, &banks[0]);
}

static const struct process *largest_on_host(const struct host *host)
{
    const struct process *largest = NULL;
    for (unsigned p = 0; p < host->process_count; p++)
        if (current_u64(host->processes[p].memory_host_bytes) &&
            (largest == NULL ||
             host->processes[p].memory_host_bytes.value > largest->memory_host_bytes.value))
            largest = &host->processes[p];
    return largest;
}

void rule_host_memory_full(struct report *report)
{
    const struct machine *machine = &report->host->machine;
    if (!current_u64(machine->memory_total_bytes) || !current_u64(machine->memory_used_bytes))
        return;
    double percent =
        percent_of(machine->memory_used_bytes.value, machine->memory_total_bytes.value);
    if (percent < warning_percent)
        return;
    char size[UNIT_TEXT], full[UNIT_TEXT], who[NAME_TEXT];
    struct finding *finding =
        report_add(report, percent >= critical_percent ? SEVERITY_CRITICAL : SEVERITY_WARNING);
    const struct process *largest = largest_on_host(report->host);
    unit_bytes_of(size, sizeof(size), machine->memory_used_bytes, machine->memory_total_bytes);
    whole_percent(full, percent);
    finding_subject(report, finding, "host");
    finding_summary(report, finding, "host memory: %s used (%s%%)", size, full);
    finding_evidence(report, finding, "host memory used: %s (%s%%)", size, full);
    if (known_u64(machine->swap_total_bytes) && known_u64(machine->swap_used_bytes))
        finding_evidence(
            report, finding, "swap used: %s",
            unit_bytes_of(size, sizeof(size), machine->swap_used_bytes, machine->swap_total_bytes));
    if (largest != NULL)
        finding_evidence(report, finding, "largest Neuron process: %s, %s of host memory",
                         name_process(who, largest),
                         unit_bytes(size, sizeof(size), largest->memory_host_bytes));
    finding_remedy(report, finding,
                   "Before the kernel kills a job: fewer workers or data loaders, or stop what "
                   "`ps -eo pid,user,rss,args --sort=-rss | head` shows on top.");
}
