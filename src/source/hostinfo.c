// SPDX-License-Identifier: Apache-2.0
// The machine around the chips: /proc/stat, /proc/meminfo, DMI, PCI (driver reference, section 1).
#include "source/hostinfo.h"

#include <bsd/string.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/xmem.h"
#include "source/below.h"
#include "source/sysfs_value.h"

enum { SHORT_TEXT = 128, STAT_TEXT = 65536, MEMINFO_TEXT = 8192, CPU_TIMES = 8 };

// Of /proc/stat's first line, in the kernel's ticks.
struct cpu_times {
    bool known;
    uint64_t user, system, total;
};

struct hostinfo {
    int stat, meminfo; // descriptors, -1: not there
    char *text;        // STAT_TEXT bytes
    char type[SHORT_TEXT], id[SHORT_TEXT], kernel[SHORT_TEXT];
    struct cpu_times before, now;
    unsigned cpus;
    bool has_memory, has_swap;
    uint64_t memory_total, memory_used, swap_total, swap_used;
};

static void read_dmi(const char *root, const char *name, char *text, size_t size)
{
    char path[SHORT_TEXT];
    snprintf(path, sizeof(path), "/sys/devices/virtual/dmi/id/%s", name);
    below_line(root, path, text, size);
    if (text[0] != '\0')
        return;
    snprintf(path, sizeof(path), "/sys/class/dmi/id/%s", name);
    below_line(root, path, text, size);
}

// Another maker's machine has a product name too, but it is no instance type.
void hostinfo_instance(const char *root, char *type, size_t type_size, char *id, size_t id_size)
{
    char vendor[SHORT_TEXT];
    read_dmi(root, "sys_vendor", vendor, sizeof(vendor));
    read_dmi(root, "product_name", type, type_size);
    read_dmi(root, "board_asset_tag", id, id_size);
    if (strcmp(vendor, "Amazon EC2") != 0 && instance_type_get(type) == NULL)
        type[0] = '\0';
    if (strncmp(id, "i-", 2) != 0)
        id[0] = '\0';
}

struct hostinfo *hostinfo_open(const char *root)
{
    struct hostinfo *info = xcalloc(1, sizeof(*info));
    info->stat = below_open(root, "/proc/stat");
    info->meminfo = below_open(root, "/proc/meminfo");
    info->text = xmalloc(STAT_TEXT);
    hostinfo_instance(root, info->type, sizeof(info->type), info->id, sizeof(info->id));
    below_line(root, "/proc/sys/kernel/osrelease", info->kernel, sizeof(info->kernel));
    return info;
}

void hostinfo_close(struct hostinfo *info)
{
    if (info == NULL)
        return;
    if (info->stat >= 0)
        close(info->stat);
    if (info->meminfo >= 0)
        close(info->meminfo);
    free(info->text);
    free(info);
}

static bool read_text(int fd, char *text, size_t size)
{
    ssize_t got = fd >= 0 ? pread(fd, text, size - 1, 0) : -1;
    text[got > 0 ? got : 0] = '\0';
    return got > 0;
}

// user nice system idle iowait irq softirq steal, as proc(5) has them.
static struct cpu_times cpu_times_of(const char *line)
{
    struct cpu_times times = {.known = false};
    uint64_t part[CPU_TIMES] = {0};
    unsigned count = 0;
    for (const char *at = line; count < CPU_TIMES; count++) {
        char *end;
        part[count] = strtoull(at, &end, 10);
        if (end == at)
            break;
        at = end;
        times.total += part[count];
    }
    times.user = part[0] + part[1];
    times.system = part[2] + part[4] + part[5] + part[6];
    times.known = count >= 4;
    return times;
}

static void sample_cpu(struct hostinfo *info)
{
    info->before = info->now;
    info->now.known = false;
    if (!read_text(info->stat, info->text, STAT_TEXT) || strncmp(info->text, "cpu ", 4) != 0)
        return;
    info->now = cpu_times_of(info->text + 4);
    info->cpus = 0;
    for (const char *line = strchr(info->text, '\n');
         line != NULL && strncmp(line, "\ncpu", 4) == 0; line = strchr(line + 1, '\n'))
        info->cpus++;
}

// "MemTotal:  131072 kB" in bytes.
static bool find_bytes(const char *text, const char *key, uint64_t *bytes)
{
    const char *at = strstr(text, key);
    if (at == NULL || (at != text && at[-1] != '\n'))
        return false;
    char *end;
    unsigned long long kib = strtoull(at + strlen(key), &end, 10);
    if (end == at + strlen(key) || strncmp(end, " kB", 3) != 0 || kib > UINT64_MAX / 1024)
        return false;
    *bytes = (uint64_t)kib * 1024;
    return true;
}

static void sample_memory(struct hostinfo *info)
{
    uint64_t unused;
    info->has_memory = info->has_swap = false;
    if (!read_text(info->meminfo, info->text, MEMINFO_TEXT))
        return;
    if (find_bytes(info->text, "MemTotal:", &info->memory_total) &&
        find_bytes(info->text, "MemAvailable:", &unused) && unused <= info->memory_total) {
        info->memory_used = info->memory_total - unused;
        info->has_memory = true;
    }
    if (find_bytes(info->text, "SwapTotal:", &info->swap_total) &&
        find_bytes(info->text, "SwapFree:", &unused) && unused <= info->swap_total) {
        info->swap_used = info->swap_total - unused;
        info->has_swap = true;
    }
}

void hostinfo_sample(struct hostinfo *info)
{
    sample_cpu(info);
    sample_memory(info);
}

static void give_u64(struct fact_u64 *fact, bool known, uint64_t value)
{
    if (known && !known_u64(*fact))
        *fact = fact_u64(value, FROM_PROC);
}

static void give_text(struct arena *arena, const char **into, const char *text)
{
    if (*into == NULL && text[0] != '\0')
        *into = text_clean(arena, text, strlen(text));
}

static void fill_cpu(const struct hostinfo *info, struct machine *machine)
{
    const struct cpu_times *before = &info->before, *now = &info->now;
    give_u64(&machine->cpus, info->cpus > 0, info->cpus);
    if (!before->known || !now->known || now->total <= before->total || now->user < before->user ||
        now->system < before->system || known_f64(machine->cpu_user_percent) ||
        known_f64(machine->cpu_system_percent))
        return;
    double total = (double)(now->total - before->total);
    machine->cpu_user_percent =
        fact_f64(100 * (double)(now->user - before->user) / total, FROM_PROC);
    machine->cpu_system_percent =
        fact_f64(100 * (double)(now->system - before->system) / total, FROM_PROC);
}

void hostinfo_fill(const struct hostinfo *info, struct host *host)
{
    struct machine *machine = &host->machine;
    fill_cpu(info, machine);
    give_u64(&machine->memory_total_bytes, info->has_memory, info->memory_total);
    give_u64(&machine->memory_used_bytes, info->has_memory, info->memory_used);
    give_u64(&machine->swap_total_bytes, info->has_swap, info->swap_total);
    give_u64(&machine->swap_used_bytes, info->has_swap, info->swap_used);
    give_text(host->arena, &machine->kernel, info->kernel);
    give_text(host->arena, &host->instance.type, info->type);
    give_text(host->arena, &host->instance.id, info->id);
}

const char *hostinfo_instance_type(const struct hostinfo *info)
{
    return info->type;
}

// "0000:cc:00.0": nothing that could lead elsewhere in a path.
static bool is_bdf(const char *bdf)
{
    size_t length = strlen(bdf);
    return length >= 12 && length <= 16 && strspn(bdf, "0123456789abcdefABCDEF:.") == length &&
           strchr(bdf, ':') != NULL && strstr(bdf, "..") == NULL;
}

bool pci_place_read(struct pci_place *place, const char *root, const char *bdf)
{
    char path[SHORT_TEXT], text[SHORT_TEXT];
    uint64_t node;
    *place = (struct pci_place){.has_node = false};
    if (!is_bdf(bdf))
        return false;
    snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/numa_node", bdf);
    below_line(root, path, text, sizeof(text));
    // -1: the platform does not tell
    if (sysfs_u64(text, strlen(text), &node) && node < 4096) {
        place->has_node = true;
        place->numa_node = (unsigned)node;
    }
    snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/local_cpulist", bdf);
    below_line(root, path, place->cpus, sizeof(place->cpus));
    if (strspn(place->cpus, "0123456789,-") != strlen(place->cpus))
        place->cpus[0] = '\0';
    return place->has_node || place->cpus[0] != '\0';
}

bool pci_single_function(const char *root, char *bdf, size_t size)
{
    char path[PATH_MAX];
    unsigned found = 0;
    snprintf(path, sizeof(path), "%s/sys/bus/pci/drivers/neuron-driver", root);
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        if (!is_bdf(entry->d_name))
            continue;
        found++;
        strlcpy(bdf, entry->d_name, size);
    }
    if (dir != NULL)
        closedir(dir);
    return found == 1;
}
