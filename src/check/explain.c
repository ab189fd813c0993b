// SPDX-License-Identifier: Apache-2.0
// Explains one recognised error after the other: texts with their values, then what the host shows.
#include "check/explain.h"

#include <string.h>

#include "base/arena.h"
#include "check/explain_parts.h"

// The rows of enum message_facts, in the order in which they are told.
static const struct {
    unsigned fact;
    void (*tell)(struct telling *telling);
} FACT_ROWS[] = {
    {FACTS_CORES, now_cores},       {FACTS_MEMORY, now_memory},
    {FACTS_USE, now_use},           {FACTS_HEALTH, now_health},
    {FACTS_VERSIONS, now_versions}, {FACTS_ABSENCE, now_absence},
    {FACTS_KERNEL, now_kernel},     {FACTS_HOLDERS, now_holders},
    {FACTS_LNC, now_lnc},           {FACTS_HOST_MEMORY, now_host_memory},
};

static void explain_group(struct telling *telling)
{
    const struct message *message = telling->group->message;
    struct explained *out = telling->out;
    out->group = telling->group;
    out->summary = tell_expand(telling, message->summary);
    out->meaning = tell_expand(telling, message->meaning);
    out->remedy = tell_expand(telling, message->remedy);
    tell_values(telling);
    if (telling->all->host == NULL)
        return;
    for (size_t i = 0; i < sizeof(FACT_ROWS) / sizeof(FACT_ROWS[0]); i++)
        if ((message->facts & FACT_ROWS[i].fact) != 0)
            FACT_ROWS[i].tell(telling);
    if ((message->facts & (FACTS_CORES | FACTS_MEMORY | FACTS_USE)) != 0)
        now_pids(telling);
    do_here(telling);
}

static const char *elsewhere(struct arena *arena, const char *there, const char *here)
{
    return arena_printf(arena,
                        "this output comes from instance %s, and this is %s: what is shown of this "
                        "host may say nothing about it",
                        there, here);
}

// A job or a line that names another instance than this one.
static const char *told_elsewhere(struct arena *arena, const struct joblog *log,
                                  const struct host *host)
{
    const char *here = host != NULL ? host->instance.id : NULL;
    for (size_t i = 0; here != NULL && i < joblog_job_count(log); i++) {
        const char *there = joblog_job(log, i)->instance;
        if (there[0] != '\0' && strcmp(there, here) != 0)
            return elsewhere(arena, there, here);
    }
    for (size_t i = 0; here != NULL && i < joblog_group_count(log); i++) {
        const struct value *there = group_value(joblog_group(log, i), CAPTURE_INSTANCE);
        if (there != NULL && strcmp(there->text, here) != 0)
            return elsewhere(arena, there->text, here);
    }
    return "";
}

struct explanation explain_run(struct arena *arena, const struct joblog *log,
                               const struct explain_host *host)
{
    size_t count = joblog_group_count(log);
    struct explained *items = ARENA_ARRAY(arena, count, struct explained);
    bool facts =
        host->host != NULL && (host->host->chip_count > 0 || host->host->process_count > 0);
    for (size_t i = 0; i < count; i++) {
        struct telling telling = {.arena = arena,
                                  .log = log,
                                  .group = joblog_group(log, i),
                                  .host = facts ? host->host : NULL,
                                  .all = host,
                                  .out = &items[i]};
        explain_group(&telling);
    }
    return (struct explanation){
        .count = count, .items = items, .elsewhere = told_elsewhere(arena, log, host->host)};
}
