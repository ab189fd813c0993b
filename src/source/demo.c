// SPDX-License-Identifier: Apache-2.0
// The demo as a source: which instance is asked for, and the clock that makes it tick. Facts are a
// function of type, seed, delay and number of the tick only, so two runs show the same but for the
// clock.
#include "source/demo.h"

#include <bsd/string.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/text.h"
#include "base/xmem.h"
#include "source/source.h"

static const char default_type[] = "trn2.48xlarge";

// What may follow the type after a colon.
static const struct variant {
    const char *name;
    unsigned lnc; // 0: as it is
    bool packed;
} variants[] = {
    {"lnc1", 1, false}, {"lnc2", 2, false}, {"busy", 0, true}, // every core works: for measuring
};

static size_t family_length(const char *name)
{
    return strcspn(name, ".");
}

// "inf1.xlarge,2xlarge trn1.2xlarge ...": all known types, the family once.
static void list_types(char *line, size_t size)
{
    const char *before = "";
    for (const struct instance_type *type = instance_type_table(); type->name != NULL; type++) {
        size_t family = family_length(type->name);
        bool same = family_length(before) == family && strncmp(before, type->name, family) == 0;
        bool sized = type->name[family] == '.';
        strlcat(line, same && sized ? "," : " ", size);
        strlcat(line, same && sized ? type->name + family + 1 : type->name, size);
        before = type->name;
    }
}

static bool refuse_type(struct trouble *trouble, const char *asked, size_t length)
{
    char shown[DEMO_TYPE];
    text_clean_to(shown, sizeof(shown), asked, length);
    snprintf(trouble->line, sizeof(trouble->line),
             "demo: unknown instance type '%s'; known:", shown);
    list_types(trouble->line, sizeof(trouble->line));
    return false;
}

// An exact name, else the largest type of a family: "inf2" is inf2.48xlarge.
static const struct instance_type *find_type(const char *name)
{
    const struct instance_type *best = instance_type_get(name);
    if (best != NULL)
        return best;
    size_t length = strlen(name);
    for (const struct instance_type *type = instance_type_table(); type->name != NULL; type++)
        if (length > 0 && family_length(type->name) == length &&
            strncmp(type->name, name, length) == 0 && (best == NULL || type->chips >= best->chips))
            best = type;
    return best;
}

bool demo_knows(const char *word)
{
    char name[DEMO_TYPE];
    size_t length = strcspn(word, ":");
    if (length >= sizeof(name))
        return false;
    memcpy(name, word, length);
    name[length] = '\0';
    return find_type(name) != NULL;
}

static bool apply_variant(struct demo *demo, const char *name, struct trouble *trouble)
{
    for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
        if (strcmp(variants[i].name, name) != 0)
            continue;
        demo->packed = demo->packed || variants[i].packed;
        demo->lnc = variants[i].lnc != 0 ? variants[i].lnc : demo->lnc;
        return true;
    }
    char shown[DEMO_TYPE];
    text_clean_to(shown, sizeof(shown), name, strlen(name));
    snprintf(trouble->line, sizeof(trouble->line),
             "demo: unknown variant '%s' after the instance type; known: lnc1 lnc2 busy", shown);
    return false;
}

// TYPE[:VARIANT]...
static bool choose(struct demo *demo, const char *asked, struct trouble *trouble)
{
    char words[2 * DEMO_TYPE];
    if (strlcpy(words, asked, sizeof(words)) >= sizeof(words))
        return refuse_type(trouble, asked, strlen(asked));
    char *rest = words, *name = strsep(&rest, ":");
    demo->type = find_type(name);
    if (demo->type == NULL)
        return refuse_type(trouble, name, strlen(name));
    demo->gen = generation_get(demo->type->generation);
    for (char *word; (word = strsep(&rest, ":")) != NULL;)
        if (!apply_variant(demo, word, trouble))
            return false;
    if (demo->lnc > demo->gen->lnc_max) {
        snprintf(trouble->line, sizeof(trouble->line),
                 "demo: %s has no LNC=%u: only Trainium2 and newer", demo->type->name, demo->lnc);
        return false;
    }
    return true;
}

static double unix_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool demo_open(struct source *source, struct trouble *trouble)
{
    const struct source_options *options = source->options;
    struct demo *demo = xcalloc(1, sizeof(*demo));
    demo->lnc = options->lnc1 ? 1 : 0;
    if (!choose(demo, options->demo_type != NULL ? options->demo_type : default_type, trouble)) {
        free(demo);
        return false;
    }
    demo->lnc = demo->lnc != 0 ? demo->lnc : demo->gen->lnc_default;
    demo->seed = options->seed;
    demo->delay = options->delay_seconds > 0 ? options->delay_seconds : 1;
    demo->next_tick = 0; // the first one is due at once
    demo->began_unix = unix_now();
    demo_cast(demo);
    source->state = demo;
    return true;
}

static double demo_deadline(const struct source *source)
{
    const struct demo *demo = source->state;
    return demo->next_tick;
}

// One tick however late it is: a program that was stopped goes on where it was.
static enum source_event demo_work(struct source *source, double now)
{
    struct demo *demo = source->state;
    if (now < demo->next_tick)
        return SOURCE_QUIET;
    if (demo->ticks > 0)
        demo->time += demo->delay;
    demo->ticks++;
    demo->period = demo->delay;
    demo->last_tick = now;
    demo->next_tick += demo->delay;
    if (!(demo->next_tick > now))
        demo->next_tick = now + demo->delay;
    demo_live(demo);
    return SOURCE_NEW;
}

static void demo_set_delay(struct source *source, double seconds)
{
    struct demo *demo = source->state;
    if (!(seconds > 0))
        return;
    demo->delay = seconds;
    if (demo->ticks > 0 && demo->next_tick > demo->last_tick + seconds)
        demo->next_tick = demo->last_tick + seconds;
}

static void demo_source_fill(const struct source *source, struct host *host, double now)
{
    const struct demo *demo = source->state;
    if (demo->ticks > 0 && host->chip_count == 0) // next to a real host there is nothing to invent
        demo_fill(demo, host, now);
}

static void demo_status(const struct source *source, double now, struct source_status *status)
{
    const struct demo *demo = source->state;
    status->name = source_demo.name;
    status->state = demo->ticks > 0 ? SOURCE_LIVE : SOURCE_STARTING;
    if (demo->ticks > 0)
        status->age_seconds = fact_f64(number_max(0, now - demo->last_tick), FROM_DEMO);
    status->detail = "simulated, no real instance";
}

static void demo_close(struct source *source)
{
    struct demo *demo = source->state;
    if (demo == NULL)
        return;
    free(demo->chips);
    free(demo->cores);
    free(demo->processes);
    free(demo);
    source->state = NULL;
}

const struct source_ops source_demo = {
    .name = "demo",
    .open = demo_open,
    .fds = NULL,
    .deadline = demo_deadline,
    .work = demo_work,
    .set_delay = demo_set_delay,
    .fill = demo_source_fill,
    .status = demo_status,
    .close = demo_close,
};
