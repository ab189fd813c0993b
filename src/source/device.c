// SPDX-License-Identifier: Apache-2.0
// The driver's quiet calls as a source: PCI function of each device, range of runtime versions,
// core map. Each device is visited once and its node closed again at once, so nothing is held
// between two readings (driver reference 8).
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/xmem.h"
#include "source/device_ask.h"
#include "source/hostinfo.h"
#include "source/source.h"

static const double LOOK_SECONDS = 1;     // between two looks at /dev
static const double LIST_SECONDS = 10;    // a list is made anew, /dev touched or not
static const double SETTLE_SECONDS = 1;   // a new node is let alone so long (reference 8.4)
static const double BUSY_SECONDS = 5;     // until a busy device is asked again
static const double VISIT_SECONDS = 0.02; // for visits in one go, so that the screen never waits
enum { BUSY_TRIES = 3 };

enum visit_state { VISIT_DUE, VISIT_DONE, VISIT_DENIED, VISIT_FAILED };

struct visit {
    struct device_node node;
    enum visit_state state;
    double due; // monotonic seconds; of VISIT_DUE
    unsigned tries;
    char pci[DEVICE_PCI], error[DEVICE_ERROR];
    struct pci_place place;
    struct device_marks marks;
};

struct device {
    const struct source_options *options;
    struct device_nodes nodes; // newest list
    unsigned count;
    struct visit visits[DEVICE_NODES]; // by index
    struct device_guard guard;
    struct device_facts facts;
    bool listed;
    double listed_at, next_look;
    double asked_at; // newest visit
    char detail[SOURCE_DETAIL];
};

static double clock_now(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// When a node that was first seen at NOW may be opened. One that was there long before is no new
// one.
static double settled_at(const struct device_node *node, double now)
{
    double age = clock_now(CLOCK_REALTIME) - (double)node->changed.tv_sec -
                 (double)node->changed.tv_nsec / 1e9;
    return age >= SETTLE_SECONDS ? now : now + SETTLE_SECONDS - number_max(age, 0);
}

static bool is_same(const struct device_node *a, const struct device_node *b)
{
    return a->number == b->number && a->inode == b->inode &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

static const struct visit *find_visit(const struct visit *visits, unsigned count, unsigned index)
{
    for (unsigned i = 0; i < count; i++)
        if (visits[i].node.index == index)
            return &visits[i];
    return NULL;
}

// Takes over the newest list; what was asked of nodes that are still the same stays. True when
// anything changed.
static bool take_list(struct device *device, double now)
{
    struct visit old[DEVICE_NODES];
    unsigned old_count = device->count, kept = 0;
    memcpy(old, device->visits, old_count * sizeof(old[0]));
    device->count = device->nodes.count;
    for (unsigned i = 0; i < device->count; i++) {
        const struct device_node *node = &device->nodes.nodes[i];
        const struct visit *before = find_visit(old, old_count, node->index);
        if (before != NULL && is_same(&before->node, node)) {
            device->visits[i] = *before;
            kept++;
        } else {
            device->visits[i] = (struct visit){.node = *node, .due = settled_at(node, now)};
        }
    }
    if (kept == 0)
        device->facts = (struct device_facts){.asked = false}; // another driver, or the first
    return kept != old_count || kept != device->count;
}

static bool look(struct device *device, double now)
{
    const char *root = device->options->root;
    device->next_look = now + LOOK_SECONDS;
    if (device->listed && now < device->listed_at + LIST_SECONDS &&
        device_nodes_current(&device->nodes, root))
        return false;
    device_nodes_list(&device->nodes, root);
    device->listed = true;
    device->listed_at = now;
    return take_list(device, now);
}

static void visit(struct device *device, int dev, struct visit *visit, double now)
{
    static const enum visit_state states[] = {[DEVICE_ANSWERED] = VISIT_DONE,
                                              [DEVICE_DENIED] = VISIT_DENIED,
                                              [DEVICE_BUSY] = VISIT_FAILED,
                                              [DEVICE_FAILED] = VISIT_FAILED};
    struct device_marks *marks = device->options->ask_marks ? &visit->marks : NULL;
    enum device_outcome outcome = device_ask(dev, &visit->node, &device->guard, &device->facts,
                                             visit->pci, marks, visit->error);
    visit->state = states[outcome];
    visit->due = now + BUSY_SECONDS;
    if (outcome == DEVICE_BUSY && ++visit->tries < BUSY_TRIES)
        visit->state = VISIT_DUE;
    if (visit->pci[0] != '\0')
        pci_place_read(&visit->place, device->options->root, visit->pci);
    device->asked_at = now;
}

static struct visit *next_due(struct device *device, double now)
{
    for (unsigned i = 0; i < device->count; i++)
        if (device->visits[i].state == VISIT_DUE && device->visits[i].due <= now)
            return &device->visits[i];
    return NULL;
}

static bool is_refused(const struct device *device)
{
    return device->facts.has_pod || (!device->guard.allowed && device->guard.why[0] != '\0');
}

// Visits what is due. False when nothing was.
static bool visit_due(struct device *device, double now)
{
    char path[PATH_MAX];
    struct visit *due = next_due(device, now);
    if (due == NULL || is_refused(device))
        return false;
    device_guard_look(&device->guard, device->options->root, due->node.index);
    if (!device->guard.allowed)
        return true;
    snprintf(path, sizeof(path), "%s/dev", device->options->root);
    int dev = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dev < 0) {
        due->due = now + BUSY_SECONDS;
        return false;
    }
    double until = clock_now(CLOCK_MONOTONIC) + VISIT_SECONDS;
    for (; due != NULL && !device->facts.has_pod; due = next_due(device, now)) {
        visit(device, dev, due, now);
        if (clock_now(CLOCK_MONOTONIC) >= until)
            break;
    }
    close(dev);
    return true;
}

static bool device_open(struct source *source, struct trouble *trouble)
{
    if (source->options->root[0] != '\0') {
        snprintf(trouble->line, sizeof(trouble->line),
                 "the driver is not asked below --root: %s is not this host",
                 source->options->root);
        return false;
    }
    struct device *device = xcalloc(1, sizeof(*device));
    device->options = source->options;
    device_nodes_list(&device->nodes, device->options->root);
    if (device->nodes.count == 0) {
        snprintf(trouble->line, sizeof(trouble->line), "%s",
                 device->nodes.loaded
                     ? "the driver is loaded, but no node of it is mapped here (/dev/neuron*)"
                     : "the Neuron driver is not loaded: /proc/devices does not name it");
        free(device);
        return false;
    }
    device->next_look = -INFINITY;
    source->state = device;
    return true;
}

static void device_close(struct source *source)
{
    free(source->state);
    source->state = NULL;
}

static double device_deadline(const struct source *source)
{
    const struct device *device = source->state;
    double next = device->next_look;
    if (is_refused(device))
        return next;
    for (unsigned i = 0; i < device->count; i++)
        if (device->visits[i].state == VISIT_DUE)
            next = number_min(next, device->visits[i].due);
    return next;
}

static enum source_event device_work(struct source *source, double now)
{
    struct device *device = source->state;
    bool changed = now >= device->next_look && look(device, now);
    if (changed && !device->facts.has_pod)
        device->guard.why[0] = '\0'; // judged anew with the next visit
    changed = visit_due(device, now) || changed;
    return changed ? SOURCE_NEW : SOURCE_QUIET;
}

static void give_u64(struct fact_u64 *fact, uint64_t value)
{
    if (!known_u64(*fact))
        *fact = fact_u64(value, FROM_DEVICE);
}

static void fill_versions(const struct device_facts *facts, struct versions *versions)
{
    if (facts->has_compat && !known_u64(versions->compat_min)) {
        versions->compat_min = fact_u64(facts->compat_min, FROM_DEVICE);
        versions->compat_max = fact_u64(facts->compat_max, FROM_DEVICE);
    }
    if (facts->has_features)
        give_u64(&versions->driver_features, facts->features);
}

static void fill_core_map(const struct device_facts *facts, struct host *host)
{
    if (facts->place_count == 0 || host->core_map.count > 0)
        return;
    struct core_place *places = ARENA_ARRAY(host->arena, facts->place_count, struct core_place);
    memcpy(places, facts->places, facts->place_count * sizeof(*places));
    host->core_map = core_map_make(places, facts->place_count);
}

// Architecture 2 is Inferentia2 or Trainium: only the instance type tells which.
static const struct generation *find_generation(const struct device_facts *facts,
                                                const struct host *host)
{
    switch (facts->architecture) {
    case 1:
        return generation_get(GEN_INF1);
    case 2:
        return host->instance.type != NULL ? generation_by_instance_type(host->instance.type)
                                           : NULL;
    case 3:
        return generation_get(GEN_TRN2);
    case 4:
        return generation_get(GEN_TRN3);
    default:
        return NULL;
    }
}

// Where no earlier reader knows any chip (/sys may be masked in a container) the nodes are all
// there is: chips without cores.
static void add_chips(const struct device *device, struct host *host)
{
    const struct generation *gen = host->hardware.generation;
    host->chips = ARENA_ARRAY(host->arena, device->count, struct chip);
    host->chip_count = device->count;
    give_u64(&host->hardware.chips, device->count);
    for (unsigned i = 0; i < device->count; i++) {
        host->chips[i].index = device->visits[i].node.index;
        if (gen != NULL)
            host->chips[i].memory_total_bytes = fact_u64(generation_chip_bytes(gen), FROM_TABLE);
    }
}

static void fill_hardware(const struct device *device, struct host *host)
{
    struct hardware *hardware = &host->hardware;
    if (hardware->generation == NULL && hardware->chip == NULL && device->facts.asked) {
        hardware->generation = find_generation(&device->facts, host);
        if (hardware->generation != NULL) {
            hardware->chip = hardware->generation->chip;
            hardware->neuroncore = hardware->generation->neuroncore;
        }
    }
    if (host->chip_count == 0 && device->count > 0)
        add_chips(device, host);
}

static void fill_chip(const struct visit *visit, struct host *host, struct chip *chip)
{
    if (chip->pci == NULL)
        chip->pci = arena_strdup(host->arena, visit->pci);
    if (strcmp(chip->pci, visit->pci) != 0)
        return; // two readers, two functions: the place of one is not that of the other
    if (visit->place.has_node && !known_u64(chip->numa_node))
        chip->numa_node = fact_u64(visit->place.numa_node, FROM_SYSFS);
    if (chip->cpu_affinity == NULL && visit->place.cpus[0] != '\0')
        chip->cpu_affinity = arena_strdup(host->arena, visit->place.cpus);
}

static void device_fill(const struct source *source, struct host *host, double now)
{
    const struct device *device = source->state;
    (void)now; // what a device is does not age
    fill_hardware(device, host);
    if (!device->facts.asked)
        return;
    fill_versions(&device->facts, &host->versions);
    fill_core_map(&device->facts, host);
    for (unsigned i = 0; i < host->chip_count; i++) {
        const struct visit *visit = find_visit(device->visits, device->count, host->chips[i].index);
        if (visit == NULL)
            continue;
        if (visit->pci[0] != '\0')
            fill_chip(visit, host, &host->chips[i]);
        host->chips[i].marks_asked = visit->marks.asked;
        host->chips[i].marks_held = visit->marks.held;
    }
}

static unsigned count_state(const struct device *device, enum visit_state state)
{
    unsigned count = 0;
    for (unsigned i = 0; i < device->count; i++)
        count += device->visits[i].state == state;
    return count;
}

static void say(struct device *device, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Adds to the line that status() shows.
static void say(struct device *device, const char *format, ...)
{
    size_t used = strlen(device->detail);
    va_list args;
    va_start(args, format);
    vsnprintf(device->detail + used, sizeof(device->detail) - used, format, args);
    va_end(args);
}

// The first node in this state: what went wrong there, and who may open it.
static void say_trouble(struct device *device, enum visit_state state)
{
    for (unsigned i = 0; i < device->count; i++) {
        const struct visit *visit = &device->visits[i];
        if (visit->state != state || visit->error[0] == '\0')
            continue;
        say(device, "%s/dev/%s: %s", device->detail[0] != '\0' ? "; " : "", visit->node.name,
            visit->error);
        if (state == VISIT_DENIED)
            say(device, " (mode %04o, group %u)", (unsigned)(visit->node.mode & 07777),
                (unsigned)visit->node.group);
        return;
    }
}

static void say_marks(struct device *device)
{
    unsigned told = 0;
    for (unsigned i = 0; i < device->count; i++)
        told += device->visits[i].marks.asked != 0;
    if (!device->guard.has_marks)
        say(device, ", core marks not asked: their form is known of driver 2.20 to 2.30 only");
    else
        say(device, ", core marks of %u", told);
}

static void say_answers(struct device *device, unsigned done)
{
    const struct device_facts *facts = &device->facts;
    say(device, "%u of %u device%s asked once", done, device->count, device->count == 1 ? "" : "s");
    if (facts->has_compat)
        say(device, ", runtime API %u..%u", (unsigned)facts->compat_min,
            (unsigned)facts->compat_max);
    if (facts->place_count > 0)
        say(device, ", core map");
    if (device->options->ask_marks)
        say_marks(device);
    if (facts->revision == 240 || facts->revision == 255)
        say(device, ", emulated chip");
    if (facts->error[0] != '\0')
        say(device, "; %s", facts->error);
    say_trouble(device, VISIT_DENIED);
    say_trouble(device, VISIT_FAILED);
    say_trouble(device, VISIT_DONE);
}

static bool any_untried(const struct device *device)
{
    for (unsigned i = 0; i < device->count; i++)
        if (device->visits[i].state == VISIT_DUE && device->visits[i].tries == 0)
            return true;
    return false;
}

static enum source_state judge(struct device *device)
{
    unsigned done = count_state(device, VISIT_DONE);
    if (!device->guard.allowed && device->guard.why[0] != '\0') {
        say(device, "%s", device->guard.why);
        return SOURCE_ABSENT;
    }
    if (device->facts.has_pod) {
        say(device, "not asked further: the driver says that this host is part of an UltraServer");
        return SOURCE_ABSENT;
    }
    if (done > 0) {
        say_answers(device, done);
        // who asks for core marks wants those of all devices, which takes several goes
        return device->options->ask_marks && any_untried(device) ? SOURCE_STARTING : SOURCE_LIVE;
    }
    if (device->listed && device->count == 0) {
        say(device, "no device node in /dev");
        return SOURCE_ABSENT;
    }
    bool denied = count_state(device, VISIT_DENIED) > 0;
    say_trouble(device, denied ? VISIT_DENIED : VISIT_FAILED);
    if (denied)
        return SOURCE_DENIED;
    say_trouble(device, VISIT_DUE);
    return count_state(device, VISIT_FAILED) > 0 ? SOURCE_ABSENT : SOURCE_STARTING;
}

static void device_status(const struct source *source, double now, struct source_status *status)
{
    struct device *device = source->state;
    device->detail[0] = '\0';
    status->state = judge(device);
    status->detail = device->detail[0] != '\0' ? device->detail : NULL;
    if (status->state == SOURCE_LIVE)
        status->age_seconds = fact_f64(number_max(now - device->asked_at, 0), FROM_DEVICE);
}

const struct source_ops source_device = {
    .name = "device",
    .open = device_open,
    .deadline = device_deadline,
    .work = device_work,
    .fill = device_fill,
    .status = device_status,
    .close = device_close,
};
