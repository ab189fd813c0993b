// SPDX-License-Identifier: Apache-2.0
// All that is known of one process, one group of processes, or one chip.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "host/units.h"
#include "ui/group.h"
#include "ui/state.h"

static void fact_bytes(struct sheet *sheet, const char *label, struct fact_u64 bytes)
{
    char text[UNIT_TEXT + 2];

    unit_bytes(text, UNIT_TEXT, bytes);
    stale_mark(text, sizeof text, bytes.stale);
    sheet_fact(sheet, label, known_u64(bytes) ? text : NULL);
}

static void fact_unit(struct sheet *sheet, const char *label, struct fact_f64 fact,
                      char *(*unit)(char *, size_t, struct fact_f64))
{
    char text[UNIT_TEXT + 2];

    unit(text, UNIT_TEXT, fact);
    stale_mark(text, sizeof text, fact.stale);
    sheet_fact(sheet, label, known_f64(fact) ? text : NULL);
}

static void fact_time(struct sheet *sheet, const struct host *host, struct fact_f64 started)
{
    char stamp[40] = "", text[80], age[UNIT_TEXT];
    struct tm utc;
    const time_t seconds = known_f64(started) ? (time_t)started.value : 0;

    if (!known_f64(started) || gmtime_r(&seconds, &utc) == NULL) {
        sheet_fact(sheet, "started", NULL);
        return;
    }
    strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%S UTC", &utc);
    unit_duration(age, sizeof age, fact_f64(host->time_unix_seconds - started.value, started.from));
    snprintf(text, sizeof text, "%s, %s ago", stamp, age);
    sheet_fact(sheet, "started", text);
}

static void write_who(struct ui *ui, struct sheet *sheet, const struct process *process)
{
    char text[96];

    sheet_fact(sheet, "command", process->command);
    sheet_fact(sheet, "tag", process->tag);
    sheet_fact(sheet, "user", process->user);
    sheet_fact(sheet, "state",
               process->state != PROCESS_UNKNOWN ? process_state_word(process->state) : NULL);
    if (known_u64(process->launcher_pid)) {
        snprintf(text, sizeof text, "%" PRIu64 " %.60s", process->launcher_pid.value,
                 process->launcher != NULL ? process->launcher : "");
        sheet_fact(sheet, "launcher", text);
    } else if (process->launcher != NULL) {
        sheet_fact(sheet, "service", process->launcher);
    }
    fact_time(sheet, ui->host, process->started_unix_seconds);
    if (process->pod != NULL || process->container != NULL) {
        snprintf(text, sizeof text, "%.30s/%.40s",
                 process->pod_namespace != NULL ? process->pod_namespace : "-",
                 process->pod != NULL ? process->pod : "-");
        sheet_fact(sheet, "pod", text);
        if (process->container_id != NULL && process->container != NULL &&
            strcmp(process->container, process->container_id) != 0) {
            snprintf(text, sizeof text, "%.60s (%s)", process->container, process->container_id);
            sheet_fact(sheet, "container", text);
        } else
            sheet_fact(sheet, "container", process->container);
    }
    sheet_fact(sheet, "runtime", process->runtime_version);
    sheet_fact(sheet, "visible cores", process->visible_cores);
    if (process->visible_devices != NULL)
        sheet_fact(sheet, "visible devices", process->visible_devices);
    if (process->given != NULL)
        sheet_fact(sheet, "devices given", core_set_format(process->given, text, sizeof text));
    if (process->compile_cache != NULL)
        sheet_fact(sheet, "compile cache", process->compile_cache);
    if (process->error != NULL)
        sheet_fact(sheet, "error", process->error);
}

static void write_use(struct ui *ui, struct sheet *sheet, const struct process *process)
{
    char text[512], idle[UNIT_TEXT], user[UNIT_TEXT], system[UNIT_TEXT];

    core_set_format(&process->cores, text, sizeof text);
    sheet_fact(sheet,
               ui->host->numbering == NUMBERING_PHYSICAL ? "holds physical cores" : "holds NC",
               text[0] != '\0' ? text : NULL);
    if (certainty_remark(process->certainty) != NULL)
        sheet_fact(sheet, "these are known", certainty_remark(process->certainty));
    core_set_format(&process->chips, text, sizeof text);
    sheet_fact(sheet, "on chips", text[0] != '\0' ? text : NULL);
    if (ui->host->numbering != NUMBERING_UNKNOWN)
        sheet_fact(sheet, "NC numbering", numbering_word(ui->host->numbering));
    fact_unit(sheet, "utilization", process->utilization_percent, unit_percent);
    fact_unit(sheet, "FLOPS", process->flops_per_second, unit_flops);
    if (known_f64(process->idle_seconds) && process->idle_seconds.value < 1) {
        sheet_fact(sheet, "idle", "no, active");
    } else if (known_f64(process->idle_seconds)) {
        snprintf(text, sizeof text, "%s%s", process->idle_since_start ? "at least " : "",
                 unit_duration(idle, sizeof idle, process->idle_seconds));
        sheet_fact(sheet, "idle", text);
    } else {
        sheet_fact(sheet, "idle", NULL);
    }
    snprintf(text, sizeof text, "%s user, %s system (of the whole machine)",
             unit_percent(user, sizeof user, process->cpu_user_percent),
             unit_percent(system, sizeof system, process->cpu_system_percent));
    sheet_fact(sheet, "CPU", text);
}

static void write_process_memory(struct sheet *sheet, const struct process *process)
{
    sheet_heading(sheet, "Memory");
    fact_bytes(sheet, "device, total", process->memory_device_bytes);
    for (int i = 0; i < MEM_CATEGORIES; i++) {
        if (known_u64(process->memory[i]) && process->memory[i].value > 0)
            fact_bytes(sheet, memory_category_label((enum memory_category)i), process->memory[i]);
    }
    fact_bytes(sheet, "host, total", process->memory_host_bytes);
    for (int i = 0; i < HOSTMEM_CATEGORIES; i++) {
        if (known_u64(process->host_memory[i]) && process->host_memory[i].value > 0)
            fact_bytes(sheet, host_memory_category_label((enum host_memory_category)i),
                       process->host_memory[i]);
    }
}

static void write_latency(struct sheet *sheet, const char *label, const struct latency *latency)
{
    char text[256] = "";
    size_t used = 0;

    for (int i = 0; i < PERCENTILES && used + 32 < sizeof text; i++) {
        char value[UNIT_TEXT];
        if (!known_f64(latency->seconds[i]))
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s", used > 0 ? "  " : "",
                                 percentile_key((enum percentile)i),
                                 unit_latency(value, sizeof value, latency->seconds[i]));
    }
    sheet_fact(sheet, label, used > 0 ? text : NULL);
}

static void write_executions(struct sheet *sheet, const struct process *process)
{
    sheet_heading(sheet, "Executions");
    write_latency(sheet, "latency, total", &process->latency_total);
    write_latency(sheet, "latency, device", &process->latency_device);
    for (int i = 0; i < EXECUTIONS; i++) {
        if (known_f64(process->executions_per_second[i]))
            fact_unit(sheet, execution_key((enum execution)i), process->executions_per_second[i],
                      unit_rate);
    }
    for (int i = 0; i < ERROR_KINDS; i++) {
        char label[40];
        snprintf(label, sizeof label, "errors, %s", error_kind_key((enum error_kind)i));
        if (known_f64(process->errors_per_second[i]))
            fact_unit(sheet, label, process->errors_per_second[i], unit_rate);
    }
}

static void write_shares(struct ui *ui, struct sheet *sheet, const struct process *process)
{
    bool any = false;

    for (unsigned i = 0; i < process->share_count; i++) {
        const struct share *share = &process->shares[i];
        char bytes[UNIT_TEXT], percent[UNIT_TEXT], flops[UNIT_TEXT];
        if (!share->owned || share->core >= ui->host->core_count)
            continue;
        if (!any)
            sheet_heading(sheet, "Cores");
        any = true;
        sheet_line(sheet, 0);
        sheet_textf(sheet, ROLE_TEXT, "  %s %-4u chip %-3u ", ui_core_word(ui),
                    ui->host->cores[share->core].index,
                    ui->host->chips[ui->host->cores[share->core].chip].index);
        sheet_bar(sheet, 10, busy_role(share->utilization_percent),
                  known_f64(share->utilization_percent) ? share->utilization_percent.value : 0);
        sheet_textf(sheet, ROLE_TEXT, " %5s %8s %9s",
                    unit_percent(percent, sizeof percent, share->utilization_percent),
                    unit_flops(flops, sizeof flops, share->flops_per_second),
                    unit_bytes(bytes, sizeof bytes, share->memory_used_bytes));
    }
}

static void write_process_models(struct sheet *sheet, const struct process *process)
{
    if (process->models == NULL || process->model_count == 0)
        return;
    sheet_heading(sheet, "Loaded models");
    for (unsigned i = 0; i < process->model_count; i++) {
        const struct model *model = &process->models[i];
        char bytes[UNIT_TEXT], id[24] = "-";
        if (known_u64(model->model_id))
            snprintf(id, sizeof id, "%" PRIu64, model->model_id.value);
        sheet_line(sheet, 0);
        sheet_textf(sheet, model->state == MODEL_STOPPED ? ROLE_DIM : ROLE_TEXT,
                    "  %-8s %-8s %9s  ", id,
                    model->state == MODEL_RUNNING   ? "running"
                    : model->state == MODEL_STOPPED ? "stopped"
                                                    : "-",
                    unit_bytes(bytes, sizeof bytes, model->memory_device_bytes));
        sheet_wrap(sheet, 31, ROLE_TEXT, model->name != NULL ? model->name : "-");
    }
}

static void write_neffs(struct sheet *sheet, const struct process *process)
{
    if (process->neff_count > 0 || process->neffs_untold > 0)
        sheet_heading(sheet, "NEFFs in use");
    for (unsigned i = 0; i < process->neff_count; i++) {
        const struct neff_use *use = &process->neffs[i];
        char text[320], known[96], lnc[24] = "-";
        if (known_u64(use->lnc))
            snprintf(lnc, sizeof lnc, "%" PRIu64, use->lnc.value);
        snprintf(text, sizeof text, "LNC %s, %s%s, for %s, %u model%s; known by %s%s%s%s", lnc,
                 use->compiler != NULL ? "neuronx-cc " : "compiler -",
                 use->compiler != NULL ? use->compiler : "",
                 use->target != NULL ? use->target : "-", use->model_count,
                 use->model_count == 1 ? "" : "s",
                 neff_evidence_text(use->evidence, known, sizeof known),
                 use->uuid_differs ? ", its uuid differs" : "", use->error != NULL ? "; " : "",
                 use->error != NULL ? use->error : "");
        sheet_line(sheet, 0);
        sheet_space(sheet, 2);
        sheet_wrap(sheet, 2, ROLE_TEXT, use->path);
        sheet_line(sheet, 0);
        sheet_space(sheet, 4);
        sheet_wrap(sheet, 4, ROLE_DIM, text);
    }
    if (process->neffs_untold > 0) {
        sheet_line(sheet, 0);
        sheet_textf(sheet, ROLE_UNKNOWN, "  not known of %u model%s: ", process->neffs_untold,
                    process->neffs_untold == 1 ? "" : "s");
        sheet_wrap(sheet, 4, ROLE_DIM, process->neffs_reason != NULL ? process->neffs_reason : "-");
    }
}

static void write_groups(struct sheet *sheet, const struct process *process)
{
    for (int i = 0; i < GROUPS; i++) {
        char label[40], text[300], age[UNIT_TEXT];
        const struct group_status *group = &process->groups[i];
        if (group->error == NULL &&
            !(known_f64(group->age_seconds) && group->age_seconds.value > 10))
            continue;
        snprintf(label, sizeof label, "group %s", group_word((enum group)i));
        snprintf(text, sizeof text, "%.200s%s%s old", group->error != NULL ? group->error : "",
                 group->error != NULL ? ", " : "",
                 unit_duration(age, sizeof age, group->age_seconds));
        sheet_fact(sheet, label, text);
    }
}

// MEMBERS: what to call a group, NULL for a process alone.
static void write_process(struct ui *ui, struct sheet *sheet, const struct process *process,
                          const char *members)
{
    sheet_line(sheet, 0);
    if (members != NULL)
        sheet_text(sheet, ROLE_STRONG, members);
    else if (known_u64(process->pid))
        sheet_textf(sheet, ROLE_STRONG, "Process %" PRIu64 " %s", process->pid.value,
                    LABEL_OF(process));
    else
        sheet_textf(sheet, ROLE_STRONG, "Process %s", LABEL_OF(process));
    if (known_u64(process->pid_inside))
        sheet_textf(sheet, ROLE_TEXT, "  (PID %" PRIu64 " inside its %s)",
                    process->pid_inside.value,
                    process->container != NULL ? "container" : "PID namespace");
    write_who(ui, sheet, process);
    write_use(ui, sheet, process);
    write_groups(sheet, process);
    write_executions(sheet, process);
    write_process_memory(sheet, process);
    write_shares(ui, sheet, process);
    write_process_models(sheet, process);
    write_neffs(sheet, process);
}

static void write_chip(struct ui *ui, struct sheet *sheet, const struct chip *chip)
{
    char text[256], a[UNIT_TEXT];
    size_t used = 0;

    sheet_line(sheet, 0);
    sheet_textf(sheet, ROLE_STRONG, "Chip %u", chip->index);
    if (chip->node != NULL) { // in a container it may have another name than on the host
        snprintf(text, sizeof text, "/dev/%.40s", chip->node);
        sheet_fact(sheet, "node here", text);
    }
    sheet_fact(sheet, "PCI", chip->pci);
    sheet_fact(sheet, "serial", chip->serial);
    snprintf(text, sizeof text, "%" PRIu64, chip->numa_node.value);
    sheet_fact(sheet, "NUMA node", known_u64(chip->numa_node) ? text : NULL);
    sheet_fact(sheet, "CPU affinity", chip->cpu_affinity);
    text[0] = '\0';
    for (unsigned i = 0; i < chip->connected_count && used + 8 < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", i > 0 ? ", " : "",
                                 chip->connected[i]);
    sheet_fact(sheet, "connected to chips",
               chip->connected_known ? used > 0 ? text : "none" : NULL);
    sheet_fact(sheet, "health", chip->health != HEALTH_UNKNOWN ? health_word(chip->health) : NULL);
    if (chip->health_detail != NULL)
        sheet_fact(sheet, "health detail", chip->health_detail);
    fact_unit(sheet, "power of maximum", chip->power_percent, unit_percent);
    fact_unit(sheet, "utilization", chip->utilization_percent, unit_percent);
    unit_bytes_of(text, sizeof text, chip->memory_used_bytes, chip->memory_total_bytes);
    stale_mark(text, sizeof text, chip->memory_used_bytes.stale);
    sheet_fact(sheet, "memory", text);
    sheet_heading(sheet, "ECC errors");
    sheet_fact(sheet, "memory, corrected", unit_count(a, sizeof a, chip->ecc.mem_corrected));
    sheet_fact(sheet, "memory, uncorrected", unit_count(a, sizeof a, chip->ecc.mem_uncorrected));
    sheet_fact(sheet, "memory, repairable", unit_count(a, sizeof a, chip->ecc.mem_repairable));
    sheet_fact(sheet, "SRAM, corrected", unit_count(a, sizeof a, chip->ecc.sram_corrected));
    sheet_fact(sheet, "SRAM, uncorrected", unit_count(a, sizeof a, chip->ecc.sram_uncorrected));
    sheet_heading(sheet, "Cores");
    for (unsigned i = 0; i < chip->core_count; i++) {
        const struct core *core = &ui->scope.cores[chip->core_first + i];
        char owner[160], memory[2 * UNIT_TEXT];
        enum role role;
        chip_owner_text(ui, core->owners, core->owner_count, chip->core_first + i, 1, owner,
                        sizeof owner, &role);
        sheet_line(sheet, 0);
        sheet_textf(sheet, ROLE_TEXT, "  %s %-4u %-7s %5s  %-14s  ", ui_core_word(ui), core->index,
                    core_state_word(core_state(core)),
                    unit_percent(a, sizeof a, core->utilization_percent),
                    unit_bytes_of(memory, sizeof memory, core->memory_used_bytes,
                                  core->memory_limit_bytes));
        sheet_text(sheet, role, owner);
    }
}

static void write_gone(struct sheet *sheet)
{
    sheet_line(sheet, 0);
    sheet_text(sheet, ROLE_WARNING, "  It is gone. q goes back.");
}

void view_detail(struct ui *ui, struct sheet *sheet)
{
    if (ui->host == NULL)
        return;
    if (ui->detail_kind == ROW_CHIP) {
        for (unsigned i = 0; i < ui->host->chip_count; i++) {
            if (ui->scope.chips[i].index == ui->detail_key)
                write_chip(ui, sheet, &ui->scope.chips[i]);
        }
    } else if (ui->detail_kind == ROW_GROUP) {
        const struct group_row *group = scope_find_group(&ui->scope, ui->detail_key);
        if (group != NULL)
            write_process(ui, sheet, &group->sum,
                          group->members[0] != '\0' ? group->members : NULL);
    } else {
        const long process = scope_find_process(&ui->scope, ui->detail_key);
        if (process >= 0)
            write_process(ui, sheet, &ui->host->processes[process], NULL);
    }
    if (sheet->count == 0)
        write_gone(sheet);
}
